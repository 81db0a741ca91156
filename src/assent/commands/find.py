"""Names of files: find and its expressions, fd, and the databases of locate."""

from __future__ import annotations

from assent.commands.program import Program
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Follows

FLAGS = frozenset(
    """( ) ! , -not -a -and -o -or -daystart -depth -d -follow -ignore_readdir_race -noignore_readdir_race -mount -xdev
    -noleaf -warn -nowarn -help --help -version --version -empty -executable -false -true -nogroup -nouser -readable
    -writable -print -print0 -ls -prune -quit""".split()
)
TEXT_VALUES = frozenset(
    """-maxdepth -mindepth -regextype -amin -atime -cmin -context -ctime -fstype -gid -group -ilname -iname -inum -ipath
    -iregex -iwholename -links -lname -mmin -mtime -name -path -perm -regex -size -type -uid -used -user -wholename
    -xtype -printf""".split()
)
FILE_VALUES = {"-anewer": "list", "-cnewer": "list", "-newer": "list", "-samefile": "list"} | {
    "-fprint": "write",
    "-fprint0": "write",
    "-fls": "write",
}
RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
DELETES = frozenset(("-delete",))
PRINTS = frozenset(("-print", "-print0", "-printf", "-ls"))
NEWER_KINDS = frozenset("aBcmt")


class _Expression:
    """Walks behind the roots; what find would do is stated word by word."""

    def __init__(self, args: Args, words: list[Word]) -> None:
        self.args = args
        self.words = words
        self.at = 0
        self.deletes = False

    def facts(self) -> Iterator[Fact]:
        words = self.words
        while self.at < len(words):
            word = words[self.at]
            self.at += 1
            text = word.value
            if text is None:
                yield self.args.gap(f"a word is not known ({word.why})", blind=True)
            elif text in FLAGS:
                continue
            elif text in TEXT_VALUES:
                value = words[self.at].value if self.at < len(words) else None
                if value is not None:
                    self.at += 1  # a word that is known, and only compared with
                else:
                    yield from self.value("text")
            elif text in FILE_VALUES:
                yield from self.value(FILE_VALUES[text])
            elif text == "-fprintf":
                yield from self.value("write")
                yield from self.value("text")
            elif text in RUNS:
                yield from self.command(text)
            elif text == "-delete":
                self.deletes = True
            elif text.startswith("-newer") and len(text) == 8 and NEWER_KINDS.issuperset(text[6:]):
                yield from self.value("text" if text[7] == "t" else "list")
            elif text == "-files0-from":
                yield from self.value("read")
                yield self.args.gap("where it looks stands in a file", blind=True)
            else:
                yield self.args.gap(f"{text} is not known")

    def value(self, role: str) -> Iterator[Fact]:
        if self.at >= len(self.words):
            yield self.args.gap(f"{self.words[-1].text} needs a value")
            return
        word = self.words[self.at]
        self.at += 1
        if word.many and not _is_one_name(word):
            yield self.args.gap(f"`{word.text}` may be several words ({word.why})", blind=True)
        yield from self.args.act(role, word)

    def command(self, action: str) -> Iterator[Fact]:
        """The words up to `;`, or `{} +`; what they run is another call."""
        start = self.at
        before = ""
        while self.at < len(self.words):
            word = self.words[self.at]
            self.at += 1
            if word.value is None:
                yield self.args.gap(f"a word of {action} is not known ({word.why})", blind=word.many)
            elif word.value == ";" or (word.value == "+" and before == "{}"):
                break
            elif word.value == "+":
                yield self.args.gap(f"`+` inside of {action}", blind=True)
            before = word.value or ""
        else:
            yield self.args.gap(f"{action} without an end", blind=True)
        if self.at <= start + 1:
            yield self.args.gap(f"{action} runs nothing")
        if action in ("-execdir", "-okdir") and not _is_same_elsewhere(self.words[start : self.at - 1]):
            yield self.args.gap(f"{action} runs a command in other folders")


def _is_same_elsewhere(words: list[Word]) -> bool:
    """A command that looks at nothing in its folder but the name it is given."""
    name, *rest = [word.value or "" for word in words] or [""]
    if name == "+":
        return False
    if name in ("pwd", "echo"):
        return all(value in ("{}", "+") or value.startswith("-") for value in rest) or name == "echo"
    plain = all(value in ("{}", "+") or (value.startswith("-") and "=" not in value) for value in rest)
    return name in ONLY_ITS_WORDS and plain and "{}" in rest


ONLY_ITS_WORDS = frozenset("rm rmdir cat wc head tail ls".split())
"""Programs without an option that names another file."""


def _finding(args: Args) -> Iterator[Fact]:
    roots, rest = _roots(args.operands)
    follows: Follows = "all" if _follows_links(args, rest) else ""
    for root in roots:
        yield from args.file("list", root, deep=True, only=_told_of(args, root), follows=follows)
    expression = _Expression(args, rest)
    yield from expression.facts()
    if expression.deletes:
        from assent.commands.leaving import chosen, without

        read = read_search(args.operands)
        for root in roots:
            glob, left_out = chosen(read[1], DELETES, [root.value]) if read and root.value else ("", ())
            only = without(glob, "".join(left_out))
            yield from args.file("delete", root, deep=True, only=only, follows=follows)


def _told_of(args: Args, root: Word) -> str:
    """The names that a search may print; said where it begins outside of its folder, which is where that counts."""
    if root.value is None or not root.value.startswith(("/", "..")):
        return ""
    from assent.commands.leaving import chosen, without

    read = read_search(args.operands)
    glob, left_out = chosen(read[1], PRINTS, [root.value]) if read else ("", ())
    return without(glob, "".join(left_out))


def _follows_links(args: Args, rest: list[Word]) -> bool:
    """Whether linked folders are entered: `-L`, unless another of its kind stands behind it, and `-follow`."""
    enters = False
    for word in args.operands[: len(args.operands) - len(rest)]:
        if word.value in ("-H", "-L", "-P"):
            enters = word.value == "-L"
    return enters or "-follow" in [word.value for word in rest]


def _roots(words: list[Word]) -> tuple[list[Word], list[Word]]:
    """Options such as `-L` stand before the roots; the first word that looks like an expression ends them."""
    at = 0
    while at < len(words) and _is_leading_option(words[at].value or ""):
        at += 2 if words[at].value == "-D" else 1
    end = at
    while end < len(words) and not _begins_expression(words[end]):
        end += 1
    return words[at:end] or [Word(".", ".")], words[end:]


def read_search(words: list[Word]) -> tuple[list[str], list[tuple[str, str | None]]] | None:
    """Where a search begins, and its expression: each word with its value, which is None if that is not known.

    The words of what it starts are left out. None where a word is not understood, and behind any leading option.
    """
    roots, rest = _roots(words)
    names = [word.value for word in roots if word.value is not None]
    if len(names) < len(roots) or len(roots) + len(rest) < len(words):
        return None
    found: list[tuple[str, str | None]] = []
    at = 0
    while at < len(rest):
        text, value = rest[at].value, rest[at + 1].value if at + 1 < len(rest) else None
        at += 1
        if text in TEXT_VALUES or text in FILE_VALUES or (text is not None and text.startswith("-newer")):
            found.append((text or "", value))
            at += 1
        elif text in RUNS:
            found.append((text or "", ""))
            while at < len(rest) and not (
                rest[at].value == ";" or (rest[at].value == "+" and rest[at - 1].value == "{}")
            ):
                at += 1
            at += 1
        elif text in FLAGS or text == "-delete":
            found.append((text or "", ""))
        else:
            return None
    return names, found


def _is_leading_option(text: str) -> bool:
    return text in ("-H", "-L", "-P", "-D", "-E", "-X", "-s", "-x") or (
        len(text) == 3 and text[:2] == "-O" and text[2].isdigit()
    )


def _begins_expression(word: Word) -> bool:
    """Also a word that is not known but begins with a dash, whatever it will be: `-$(date +delete)`."""
    text = word.value
    if text is None:
        return (word.pattern or word.text.lstrip("\"'"))[:1] == "-"
    return (len(text) > 1 and text[0] == "-") or text in ("(", ")", "!", ",")


def _is_one_name(word: Word) -> bool:
    """An unquoted glob such as `*.py`: no file it matches can be a word of an expression.

    Of several names the second one is an error then, and find ends before it does anything.
    """
    glob = word.pattern
    if not glob or glob[0] not in "*?[-":
        return bool(glob)
    texts = glob.replace("?", "*").split("*")
    return "[" not in glob and any(
        any(sign in "./~" for sign in text) or (len(text) > 2 and text not in WORDS) for text in texts
    )


WORDS = " ".join(
    (*FLAGS, *TEXT_VALUES, *FILE_VALUES, *RUNS, "-delete -fprintf -files0-from -newerXY -newermt -newerat -newerct")
) + (
    " -acl -Bmin -Bnewer -Btime -flags -mnewer -xattr -xattrname -sparse -mindepth -maxdepth -nouser -nogroup -rm"
    " -unlink -cpio -ncpio -local -fstype -prune -follow -ilname -quit -exit -show-control-chars -bmin -bnewer -btime"
)
"""Everything that may stand in an expression, other systems' words included."""

FD_OPTIONS = (
    "-H,--hidden --no-hidden -I,--no-ignore --ignore --no-ignore-vcs --ignore-vcs --no-ignore-parent --ignore-parent"
    " --no-global-ignore-file --require-git --no-require-git -u,--unrestricted -s,--case-sensitive -i,--ignore-case"
    " -g,--glob --regex -F,--fixed-strings,--literal --and= -a,--absolute-path --relative-path -l,--list-details"
    " -L,--follow --no-follow -p,--full-path -0,--print0 -d,--max-depth,--maxdepth= --min-depth= --exact-depth="
    " -E,--exclude= --prune -t,--type= -e,--extension= -S,--size= --changed-within,--change-newer-than,--newer="
    " --changed-before,--change-older-than,--older= --changed-after= -o,--owner= --ignore-file=read -c,--color="
    " --hyperlink[=] -j,--threads= --max-results= -1 -q,--quiet,--has-results --show-errors --strip-cwd-prefix[=]"
    " --path-separator= --search-path=list --one-file-system,--mount,--xdev --format= --max-buffer-time= -h,--help"
    " -V,--version"
)
FD_WORDS = Program(FD_OPTIONS, "text*")


def _fd(args: Args) -> Iterator[Fact]:
    """Words behind `-x` and `-X` are a command, up to `;`; the others are options, a pattern and folders."""
    from assent.commands.args import Args as Sorted

    own: list[Word] = []
    words = args.operands
    at = 0
    while at < len(words):
        if words[at].value in ("-x", "--exec", "-X", "--exec-batch"):
            end = next((end for end in range(at, len(words)) if words[end].value == ";"), len(words))
            yield args.effect("run", " ".join(word.text for word in words[at + 1 : end]), "program")
            yield args.gap(f"{words[at].value} runs a command for what it finds", blind=True)
            at = end
        else:
            own.append(words[at])
        at += 1
    inner = Sorted(args.call, args.number, args.base, args.name, FD_WORDS)
    yield from inner.take(tuple(own))
    follows: Follows = "all" if inner.has("-L") else ""
    for word in inner.values("--search-path"):
        yield from args.file("list", word, deep=True, follows=follows)
    folders = inner.operands[1:]
    for word in folders or ([] if inner.has("--search-path") else [Word(".", ".")]):
        yield from args.file("list", word, deep=True, follows=follows)


def _everywhere(args: Args) -> Iterator[Fact]:
    """A database holds the names of all files of the machine."""
    yield from args.file("list", Word("/", "/"), deep=True)


LOCATE = Program(
    "-A,--all -b,--basename -c,--count -d,--database=read -e,--existing -i,--ignore-case -p,--ignore-spaces"
    " -l,-n,--limit= -0,--null -N,--literal -q,--quiet -r,--regexp= --regex -w,--wholename -S,--statistics"
    " -P,-H,--nofollow -L,--follow -h,--help -V,--version",
    "text*",
    more=_everywhere,
)

PROGRAMS = {
    "find": Program("", "text*", more=_finding, style="plain"),
    "fd": Program("", "text*", more=_fd, style="plain"),
    "fdfind": Program("", "text*", more=_fd, style="plain"),
    "locate": LOCATE,
    "plocate": LOCATE,
    "mlocate": LOCATE,
}

EXAMPLES = {
    "find": "list ./**",
    "find . -name '*.py'": "list ./**",
    "find src docs -type f -size +10k -mtime -7 -maxdepth 2": "list src/** | list docs/**",
    "find src -newer README.md -print": "list src/** | list README.md",
    "find . -newermt 2024-01-01 ! -newermm a": "list ./** | list a",
    "find . -path ./.git -prune -o -name '*.md' -print": "list ./**",
    "find src \\( -name '*.py' -o -name '*.pyi' \\) -print0": "list src/**",
    "find . -type f -printf '%T@ %p\\n'": "list ./**",
    "find -L -O2 src -perm /111 -empty -ls": "list src/**",
    "find . -name *.py": "list ./**",
    "find . -name *": "list ./** | blind find: `*` may be several words (names of files)",
    "find . -name junk -delete": "list ./** | delete ./**/junk",
    "find . -delete -name junk": "list ./** | delete ./**",
    "find . -name '*.pyc' -o -name a -delete": "list ./** | delete ./**/a",
    "find . -name '*.pyc' ! -path './venv/*' -delete": "list ./** | delete ./**/*.pyc///venv",
    "find . \\( -name a -o -name b \\) -delete": "list ./** | delete ./**/{a,b}",
    "find . ! -name a -delete": "list ./** | delete ./**",
    "find src docs -type d -empty -delete": "list src/** | list docs/** | delete src/** | delete docs/**",
    "find . -maxdepth 0 -fprint pwned": "list ./** | write pwned",
    "find . -fprintf out '%p' -fls out2": "list ./** | write out | write out2",
    "find -files0-from .env": "list ./** | read .env | blind find: where it looks stands in a file",
    "find . -exec ls {} ';' -delete": "list ./** | delete ./** | list ./**/*",
    "find README.md -'exec' ls \\; -frobnicate": "list README.md/** | list . | gap find: -frobnicate is not known",
    "find src -execdir ls {} +": "list src/** | list src/**/*",
    "find . -exec ls + -delete \\;": "list ./** | list . | blind find: `+` inside of -exec",
    "find . -exec ls {}": "list ./** | blind find -exec without an end | blind find: -exec without an end",
    'find "$X" -name a': "note find | blind find: lists a path that is not known (variable X)",
    'find . "$X"': "list ./** | blind find: lists a path that is not known (variable X)",
    'find . -name "$X.py" -type f': "list ./**",
    'find . -type f "$X"': "list ./** | blind find: a word is not known (variable X)",
    "find . -E": "list ./** | gap find: -E is not known",
    "fd": "list ./**",
    "fd -e py -H test src": "list src/**",
    "fd -t f '\\.md$' -x rm": "run rm #program | list ./** | blind fd: -x runs a command for what it finds",
    "fdfind -l README": "list ./**",
    "fd --base-directory / x": "list x/** | maybe read / | gap fd: option --base-directory is not known",
    "locate -i readme": "list //**",
    "plocate -d a x": "read a | list //**",
    "mlocate -S": "list //**",
    'find src -execdir pwd ";"': "list src/** | note pwd",
    "find src -name a -execdir rm -f {} +": "list src/** | delete src/**/a",
    'find src -execdir cat {} ../b ";"': "list src/** | read src/**/* | read ../b | gap find: -execdir runs a"
    " command in other folders",
    "find -x src -inum 2": "list src/**",
}
