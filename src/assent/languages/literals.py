"""Source text of any language, looked through for what its quotes spell: commands, paths, addresses.

It finds danger and proves nothing; `plain` knows the few programs that are proven harmless.
"""

from __future__ import annotations

from assent.languages.reading import Reading, Started

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Kind

LONGEST_TEXT, MOST_TOKENS, MOST_LINES, DEEPEST = 64_000, 6_000, 1_000, 3
QUOTES = frozenset("'\"`")
LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")
HOME_SAID = (
    "require('os').homedir()", 'require("os").homedir()', "require('node:os').homedir()", "os.homedir()", "homedir()",
    "process.env.HOME", "process.env['HOME']", 'process.env["HOME"]', "Bun.env.HOME", "Deno.env.get('HOME')",
    'Deno.env.get("HOME")', "$ENV{HOME}", "$ENV{'HOME'}", '$ENV{"HOME"}', "ENV['HOME']", 'ENV["HOME"]',
    "ENV.fetch('HOME')", 'ENV.fetch("HOME")', "#{Dir.home}", "Dir.home", "File.expand_path('~')", "getenv('HOME')",
    'getenv("HOME")', "$_SERVER['HOME']", '$_SERVER["HOME"]', "os.getenv('HOME')", 'os.getenv("HOME")',
    "System.getenv('HOME')", 'System.getenv("HOME")', "System.getProperty('user.home')", "homedir()",
    'System.getProperty("user.home")', "Sys.getenv('HOME')", 'Sys.getenv("HOME")', 'System.get_env("HOME")',
    "System.user_home", "$env(HOME)", "$env:HOME", "$HOME", "${HOME}", "Sys.homedir()", "NSHomeDirectory()",
    'ENV["HOME"]', 'path.expand("~")', "$::env(HOME)",
)  # fmt: skip
"""How languages say where home is."""
COMMANDS = frozenset(
    """system exec execSync execFile execFileSync spawn spawnSync fork popen popen2 popen3 popen2e shell_exec passthru
    proc_open pcntl_exec execute sh cmd run capture2 capture2e capture3 pipeline command backtick system2 shell
    open3 execv execvp start output script exec_command eval_sh Command $""".split()
)
"""Names of functions that start what they are given."""
READS = frozenset(
    """readFile readFileSync createReadStream readdir readdirSync file_get_contents fopen readfile file slurp read
    readlines readLines open File open_file load readlink require include scan read_file cat foreach binread lines
    readTextFile readTextFileSync readFileText each_line""".split()
)
WRITES = frozenset(
    """writeFile writeFileSync appendFile appendFileSync createWriteStream file_put_contents write chmod chmodSync chown
    chownSync symlink symlinkSync link linkSync truncate truncateSync mkdir mkdirSync utimes writeLines binwrite touch
    copyFile copyFileSync rename renameSync cp cpSync mv copy move fopen open writeTextFile writeTextFileSync install
    ln_s ln_sf cp_r""".split()
)
DELETES = frozenset(
    """unlink unlinkSync rm rmSync rmdir rmdirSync rmtree rm_rf rm_r rm_f remove remove_tree remove_entry delete
    removeSync emptyDirSync rimraf rimrafSync sync remove_dir_all remove_file file_delete removeItem deleteDir
    delete_tree""".split()
)
DEEP = frozenset(
    """rm rmSync rmtree rm_rf rm_r remove_tree remove_entry removeSync emptyDirSync rimraf rimrafSync remove_dir_all cp
    cpSync cp_r removeItem deleteDir delete_tree""".split()
)
REACHES = frozenset(
    """fetch get request head axios got ky getaddrinfo lookup connect createConnection urlopen open curl_init get_print
    getstore WebSocket EventSource URL URI download dial uri_open""".split()
)
SENDS = frozenset("post put patch send sendBeacon upload mail".split())
DECODES = frozenset("atob base64_decode decode64 decode_base64 b64decode urlsafe_decode64 from Base64.decode".split())
EVALUATES = frozenset("eval Function instance_eval class_eval runInNewContext runInThisContext loadstring do".split())
SIGNALS = frozenset("kill killall abort".split())


def read_literals(text: str, language: str, *, home: str) -> Reading:
    """What a text spells. It is never proven here."""
    reading = Reading()
    reading.doubt(f"{language} is not followed")
    look_through(text, home, reading, 0)
    return reading


def look_through(text: str, home: str, reading: Reading, depth: int) -> None:
    if len(text) > LONGEST_TEXT or depth > DEEPEST:
        return
    bare, quoted = text, text
    for said in HOME_SAID if home else ():
        if said in bare:
            bare = bare.replace(said, home)
            quoted = quoted.replace(said, f'"{home}"')
    for version in dict.fromkeys((bare, quoted)):
        tokens = tokenize(version)
        if tokens:
            _Pass(tokens, home, reading, depth).all()
    lines = text.split("\n") if depth == 0 else []
    if len(lines) > 1 and any(line.count("'") % 2 or line.count('"') % 2 for line in lines):
        for line in lines[:MOST_LINES]:  # a quote that is none, as in a comment, hides no more than its line
            _Pass(tokenize(line), home, reading, depth + 1).all()


def literals(text: str) -> list[str]:
    """Everything that stands in quotes."""
    return [token[1:] for token in tokenize(text[:LONGEST_TEXT]) if token[:1] in QUOTES]


def tokenize(text: str) -> list[str]:
    """Names, signs, and what stands in quotes with its quote before it."""
    found: list[str] = []
    at = 0
    while at < len(text) and len(found) < MOST_TOKENS:
        sign = text[at]
        if sign in QUOTES:
            body, at = _quoted(text, at + 1, sign)
            found.append(sign + body)
        elif sign in LETTERS:
            end = at + 1
            while end < len(text) and text[end] in LETTERS:
                end += 1
            name = text[at:end]
            opened = _other_quote(name, text, end)
            if opened:
                body, at = opened
                found.append(("`" if name in ("qx", "x") else '"') + body)
            else:
                found.append(name)
                at = end
        else:
            if not sign.isspace():
                found.append(sign)
            at += 1
    return found


CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def _other_quote(name: str, text: str, end: int) -> tuple[str, int] | None:
    """`q{…}`, `qx(…)`, `%x[…]`, `%w(…)`: quotes of perl and ruby."""
    start = end - len(name)
    percent = start > 0 and text[start - 1] == "%" and name in ("x", "q", "Q", "w", "W")
    if not (percent or name in ("q", "qq", "qx", "qw")) or end >= len(text) or text[end] not in "([{<|!/":
        return None
    closing = CLOSING.get(text[end], text[end])
    stop = text.find(closing, end + 1)
    return (text[end + 1 : stop], stop + 1) if stop > 0 else None


ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


def _quoted(text: str, at: int, quote: str) -> tuple[str, int]:
    """The text up to a quote, and the place behind that."""
    piece: list[str] = []
    while at < len(text) and text[at] != quote:
        if text[at] == "\\" and at + 1 < len(text):
            taken, at = _escaped(text, at + 1)
            piece.append(taken)
            continue
        piece.append(text[at])
        at += 1
    return "".join(piece), at + 1


def _escaped(text: str, at: int) -> tuple[str, int]:
    sign = text[at]
    width = {"x": 2, "u": 4}.get(sign, 0)
    digits = text[at + 1 : at + 1 + width]
    if width and len(digits) == width:
        number = _hexadecimal(digits)
        if number is not None:
            return chr(number), at + 1 + width
    return ESCAPES.get(sign, sign), at + 1


def _hexadecimal(digits: str) -> int | None:
    return int(digits, 16) if all(sign in "0123456789abcdefABCDEF" for sign in digits) else None


JOINS = frozenset("+.&<>~")
PATH_JOINS = frozenset(("join", "resolve", "expand_path", "catfile", "joinpath"))
MOST_ARGUMENTS, LONGEST_JOIN = 40, 2_000


class _Pass:
    """One look through the tokens of a text."""

    def __init__(self, tokens: list[str], home: str, reading: Reading, depth: int) -> None:
        self.tokens, self.home, self.reading, self.depth = tokens, home, reading, depth

    def all(self) -> None:
        done = 0
        for at, token in enumerate(self.tokens):
            if token[0] in QUOTES:
                if at < done:
                    continue  # a part of the text before
                whole, done = self.joined(at)
                self.reading.spell(self.expand(whole))
                if token[0] == "`" and (" " in whole or LETTERS.union("-./").issuperset(whole)):
                    self.reading.start(Started(text=whole))
                elif whole[:1] == "|" or whole[-1:] == "|":  # perl: `open(F, "make |")`
                    self.reading.start(Started(text=whole.strip("| ")))
            elif token in NAMES:
                self.called(token, self.arguments(at + 1))

    def joined(self, at: int) -> tuple[str, int]:
        """A text and what is put behind it by a sign: `"a" + "b"`, `"a" . "b"`; and the place behind all that."""
        text = self.tokens[at][1:]
        while at + 2 < len(self.tokens) and len(text) < LONGEST_JOIN:
            rest = self.tokens[at + 1 : at + 4]
            step = 2 if rest[0] in JOINS else 0
            if step and len(rest) > 2 and rest[0] == rest[1]:  # lua's `..`, elixir's `<>`
                step = 3
            if not step or at + step >= len(self.tokens) or self.tokens[at + step][0] not in QUOTES:
                break
            at += step
            text += self.tokens[at][1:]
        return text, at + 1

    def arguments(self, at: int) -> list[str]:
        """The texts that stand behind a name: up to the bracket that closes, or to the end of the statement."""
        found: list[str] = []
        depth, end = 0, min(len(self.tokens), at + MOST_ARGUMENTS * 2)
        parts: list[str] = []
        while at < end:
            token = self.tokens[at]
            if token in ("(", "[", "{"):
                depth += 1
            elif token in (")", "]", "}"):
                depth -= 1
                if depth <= 0 and token == ")":
                    break
            elif token == ";" and depth <= 0:
                break
            elif token[0] in QUOTES:
                whole, behind = self.joined(at)
                found.append(whole)
                at = behind - 1
            elif token in PATH_JOINS:
                parts.append(token)
            at += 1
        if parts and len(found) > 1:
            found.append("/".join(found))
        return [self.expand(text) for text in found]

    def expand(self, text: str) -> str:
        return self.home + text[1:] if text[:2] == "~/" and self.home else text

    def called(self, name: str, given: list[str]) -> None:
        """What a function of this name probably does with these texts."""
        if not given:
            return
        reading = self.reading
        if name in COMMANDS:
            reading.start(Started(text=" ".join(given[:MOST_ARGUMENTS])))
            if len(given) > 1:
                reading.start(Started(text=given[0]))
        elif name == "open" and given[0] in ("-|", "|-") and len(given) > 1:
            reading.start(Started(text=" ".join(given[1:MOST_ARGUMENTS])))
        if name in EVALUATES or name in DECODES:
            self.decoded(name, given[0])
        paths = [text for text in given if _is_path(text)]
        for names, kind in ((READS, "read"), (WRITES, "write"), (DELETES, "delete")):
            for path in paths if name in names else ():
                self.touch(kind, path, deep=name in DEEP)  # type: ignore[arg-type]
        for text in given:
            if "://" in text and not any(sign.isspace() for sign in text):
                talks: Kind = "send" if name in SENDS else "reach"
                reading.effect(talks, text, possible=name not in REACHES and name not in SENDS and name not in READS)
        if name in SIGNALS and name == "kill":
            reading.effect("change", "a process", code="process.kill")

    def touch(self, kind: Kind, path: str, *, deep: bool) -> None:
        self.reading.effect(kind, path, deep=deep, possible=kind == "read" and "/" not in path)

    def decoded(self, name: str, text: str) -> None:
        """Code inside of code, and texts that are written in another way."""
        if name in EVALUATES:
            look_through(text, self.home, self.reading, self.depth + 1)
            return
        import binascii

        try:
            plain = binascii.a2b_base64(text.encode() + b"==").decode()
        except (ValueError, UnicodeDecodeError):
            return
        self.reading.spell(plain)
        look_through(plain, self.home, self.reading, self.depth + 1)
        if " " in plain:
            self.reading.start(Started(text=plain))


NAMES = COMMANDS | READS | WRITES | DELETES | REACHES | SENDS | DECODES | EVALUATES | SIGNALS


def _is_path(text: str) -> bool:
    """Whether a text may be the name of a file: no blanks at its ends, no newline, no address."""
    return bool(text.strip()) and "\n" not in text and "://" not in text and len(text) < 1_000 and text.strip() == text
