"""Secrets by what a program takes them for: `mysql -pX`, `vault login X`, `echo X | sudo -S ls`."""

from __future__ import annotations

from assent.masking.glance import APART, RULES, TAKING
from assent.masking.letters import ALNUM, BLANK, DIGIT, QUOTES, mask_end, skip_blanks
from assent.masking.names import is_reference, strength
from assent.masking.pipes import Command, bare, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.masking.letters import Span
    from assent.masking.pipes import Word

FED = frozenset("--password-stdin --passphrase-fd --with-token --token-stdin --secret-stdin --auth-user-pass".split())
"""Options with which any program reads a secret from its standard input."""
SAYING = frozenset({"echo", "printf", "print", "yes"})
SAYING_CODE = ("print", "puts", "say", "echo", "write", "log")
CODE = frozenset("-c -e -E -r -p -ne -pe --eval --command".split())
LANGUAGES = ("python", "perl", "ruby", "node", "php", "awk", "gawk", "mawk", "lua", "deno", "bun", "bash", "sh", "zsh")
SPECIAL = "-#&=@</?"
DEPTH = 3

HABITS = ("secret", "stdin", " -p ", " -pw ", " -auth ", "passw", "login", "signin", "unlock")
PASSWORD_VERBS = ("set", "reset", "change", "update", "hash", "new")
SEARCHING = frozenset("grep egrep fgrep rg ag ack git find sed awk".split())
"""Programs whose words are looked for, not done."""
HANDLING = (
    SEARCHING | SAYING | frozenset("cat tee ls man which vim vi less head tail chmod chown cp mv rm touch".split())
)
"""Programs whose words are names of files: `tee passwd` sets no password."""
KEEPING = frozenset("set put add create update store import".split())
"""What a program is told to do with a `secret`, whichever it is: the value stands behind its name, or comes in."""


def _table() -> dict[str, tuple[tuple[str, ...], ...]]:
    made: dict[str, tuple[tuple[str, ...], ...]] = {}
    for names, ways in RULES.items():
        for name in names.split():
            made[name] = (*made.get(name, ()), *(tuple(way.split()) for way in ways.split(" | ")))
    return made


TABLE = _table()


def in_commands(source: str) -> Iterator[Span]:
    """The secrets of every command in a text, also of those in quotes."""
    if (
        any(sign in source for sign in HABITS)
        or not TAKING.isdisjoint(source.translate(APART).split())
        or _may_be_said(source)
    ):
        yield from _in_text(source, 0, len(source), DEPTH)


def _may_be_said(source: str) -> bool:
    """Whether something is told to read a secret that another command says."""
    return any(option in source for option in FED) or any(name in source for name in SAYING)


def _in_text(
    source: str, start: int, end: int, depth: int, *, asked: bool = False, feeders: list[Command] | None = None
) -> Iterator[Span]:
    """`asked` when the commands say a secret: `--password-command 'echo X'`, `--password-file <(echo X)`."""
    for command in commands(source, start, end):
        command.feeders += feeders or []
        words = command.words
        yield from _in_command(source, command)
        opener = command.opener.words if command.opener else []
        if asked or (opener and opener[-1][2].endswith("<") and any(_asks(word[2]) for word in opener[-2:])):
            yield from _said(source, command, first=False)
        if depth:
            for place, (first, last, text) in enumerate(words):
                if not BLANK.isdisjoint(text) and mask_end(source, first) != last:
                    start_, end_ = bare(source, first, last)
                    asks = place > 0 and _asks(words[place - 1][2])
                    yield from _in_text(source, start_, end_, depth - 1, asked=asks, feeders=command.feeders)


def _in_command(source: str, command: Command) -> Iterator[Span]:
    words = command.words
    handles = words[0][2] in HANDLING
    for place, (_, _, text) in enumerate(words):
        name = text[text.rfind("/") + 1 :]
        for rule in TABLE.get(name) or ():
            if not (handles and place and rule[-1][0] == "<"):
                yield from _by_rule(source, rule, words[place + 1 :], command)
    if not handles and any(
        _is_fed(text.partition("=")[0]) and words[place][2][:1] != ">" for place, (_, _, text) in enumerate(words[1:])
    ):
        yield from _fed(source, words, command, first=False)
    yield from _by_habit(source, words)
    for place, (_, _, text) in enumerate(words[1:-1], 1):
        if text in ("secret", "secrets") and words[place + 1][2] in KEEPING and words[0][2] != "git":
            yield from _kept(source, words[place + 1 :], command)
    if _keeps_secret(words):
        yield from _said(source, command, first=False)
        for feeder in command.feeders:
            yield from _said(source, feeder, first=False)


KEPT_IN = (".pgpass", ".netrc", ".vault_pass", ".vault-token", ".htpasswd")
KEPT_AS = frozenset("password passphrase secret token pw apikey api_key api-key db_password root_password".split())


def _keeps_secret(words: list[Word]) -> bool:
    """Whether a command writes to a file that holds a secret and nothing else: `/run/secrets/db`, `~/.pgpass`."""
    tees = any(text == "tee" for _, _, text in words)
    for place, (_, _, text) in enumerate(words):
        before = words[place - 1][2] if place else ""
        path = text.lstrip(">") if text[:1] == ">" and len(text) > 1 else text
        if (path is text and before not in (">", ">>", "1>", "&>", ">|")) and not (tees and place):
            continue
        name = path[path.rfind("/") + 1 :]
        if (
            ("/secrets/" in path and "." not in name)
            or name.endswith(KEPT_IN)
            or name.lower().partition(".")[0] in KEPT_AS
        ):
            return True
    return False


def _is_fed(word: str) -> bool:
    """Whether a word says that a secret is read: `--password-stdin`, `-stdinpass`, `login`."""
    if word[:1] == "-" and "stdin" in word:
        return strength(word.replace("-on", "").replace("stdin", "").strip("-")) > 0
    return word in FED or word in ("login", "signin", "unlock")


def _by_habit(source: str, words: list[Word]) -> Iterator[Span]:
    """What nearly every program means: `-u USER -p SECRET`, `-pw SECRET`, `-auth USER:SECRET`, `set-password X`."""
    texts = [text for _, _, text in words]
    asks = any(way[:1] == ("-p+",) for text in texts for way in TABLE.get(text[text.rfind("/") + 1 :], ()))
    for place, text in enumerate(texts[:-1]):
        follows = texts[place + 1]
        beside = texts[place - 2 : place - 1] == ["-u"] or texts[place + 2 : place + 3] == ["-u"]
        if (text == "-pw" or (text == "-p" and beside and place and not asks)) and not _is_place(follows):
            yield from _whole(source, words[place + 1])
        elif text == "-auth" and ":" in follows:
            yield from _valued(source, words[place + 1][0], words[place + 1][1], ":")
        elif place and "passw" in text and _sets(text) and texts[0] not in SEARCHING and not _is_place(texts[-1]):
            yield from _whole(source, words[-1])


def _sets(word: str) -> bool:
    """Whether a word tells to set a password: `reset-admin-password`, `shadow.set_password`, `user:password`."""
    parts = "".join([sign if sign.isalnum() else " " for sign in word]).split()
    return word[:1] != "-" and "=" not in word and len(parts) > 1 and not set(parts).isdisjoint(PASSWORD_VERBS)


def _is_place(word: str) -> bool:
    """An option, a path, a port or a number: nothing that could be a password behind a letter."""
    return word[:1] in ("-", "/", ".") or "/" in word or DIGIT.issuperset(word.replace(":", "").replace(".", ""))


def _kept(source: str, words: list[Word], command: Command) -> Iterator[Span]:
    """`secrets set NAME=VALUE`, `secret put NAME VALUE`, `echo VALUE | x secret set NAME`."""
    ways = [place for place, word in enumerate(words) if word[2][:1] in ("<", ">")]
    operands = [word for word in words[1 : min(ways, default=None)] if word[2][:1] != "-"]
    for start, end, text in operands:
        first, last = bare(source, start, end)
        if "=" in text:
            yield from _span(source, source.index("=", first, last) + 1, last)
    if len(operands) == 2 and words[0][2] not in ("create", "add", "import"):
        yield from _whole(source, operands[1])
    yield from _fed(source, words, command, first=False)


def _asks(word: str) -> bool:
    """Whether an option wants a file or a command that holds a secret."""
    name = word.partition("=")[0]
    if name[:1] != "-":
        return name == "private-key"
    for ending in ("eval", "-command", "-file"):
        name = name.removesuffix(ending)
    return name in FED or strength(name.lstrip("-")) > 0


def _by_rule(source: str, rule: tuple[str, ...], rest: list[Word], command: Command) -> Iterator[Span]:
    operands = [word for word in rest if word[2][:1] != "-" and word[2] not in ("<<<", "<", ">")]
    wanted = [token for token in rule if token[0] not in SPECIAL]
    given = [text for _, _, text in operands[: len(wanted)]]
    if given != wanted or not all(_is_given(token[1:], rest) for token in rule if token[0] == "?"):
        return
    operands = operands[len(wanted) :]
    for token in rule[len(wanted) :]:
        if token[0] in "-/":
            yield from _behind_option(source, token, rest)
        elif token[0] == "#":
            yield from _operand(source, token, operands)
        elif token[0] == "&":
            for place, (_, _, text) in enumerate(operands[:-1]):
                yield from _whole(source, operands[place + 1]) if text == token[1:] else ()
        elif token[0] == "=":
            for start, end, text in operands:
                if "=" in text:
                    first, last = bare(source, start, end)
                    yield from _span(source, source.index("=", first, last) + 1, last)
        elif token[0] == "@":
            yield from _between(source, token[1], operands)
        elif token[0] == "<":
            yield from _fed(source, rest, command, first=token == "<1")


def _is_given(wanted: str, rest: list[Word]) -> bool:
    if len(wanted) == 1:
        return any(text[:1] == "-" != text[1:2] and wanted in text[1:] for _, _, text in rest)
    return any(text.startswith(wanted) for _, _, text in rest)


def _behind_option(source: str, token: str, rest: list[Word]) -> Iterator[Span]:
    """`-p*`, `-p+`, `--key`, `--key~2`, `-u:`."""
    name, sign = (token[:-1], token[-1]) if token[-1] in "*+:%,=" else (token, "")
    name, _, count = name.partition("~")
    for place, (start, end, text) in enumerate(rest):
        following = rest[place + 1 : place + 1 + int(count or 1)] if sign != "+" else []
        if text == name:
            for word in following:
                yield from _valued(source, word[0], word[1], sign) if word[2][:1] != "-" else ()
        elif text.startswith(name + "=") and name.startswith("--"):
            yield from _valued(source, source.index("=", start) + 1, end, sign)
        elif sign and text.startswith(name) and not (name.startswith("--") or text.startswith("--")):
            yield from _valued(source, source.index(name, start) + len(name), end, sign)


def _valued(source: str, start: int, end: int, sign: str) -> Iterator[Span]:
    """A value, or what stands in it behind a sign; a port behind a colon is none."""
    first, last = bare(source, start, end)
    if sign == "=":
        yield from _span(source, first, last, "secret") if "=" in source[first:last] else ()
        return
    if sign not in (":", "%", ","):
        yield from _span(source, first, last)
        return
    cut = source.find(sign, first, last)
    value = source[cut + 1 : last]
    if cut >= 0 and not (sign == ":" and DIGIT.issuperset(value.replace(":", "")) and ":" in value):
        yield from _span(source, cut + 1, last)


def _operand(source: str, token: str, operands: list[Word]) -> Iterator[Span]:
    number = token[1:].rstrip("?")
    place = int(number) - (int(number) > 0)
    if not -len(operands) <= place < len(operands):
        return
    if token[-1] != "?" or (place and strength(operands[place - 1][2])):
        yield from _whole(source, operands[place])


def _whole(source: str, word: Word) -> Iterator[Span]:
    yield from _span(source, *bare(source, word[0], word[1]))


def _between(source: str, sign: str, operands: list[Word]) -> Iterator[Span]:
    """`user/SECRET@host`, of an operand that is no path."""
    for start, end, text in operands[:1]:
        user, found, rest = text.partition(sign)
        if found and user and rest and "/" not in user:
            first, last = bare(source, start, end)
            begin = source.index(sign, first) + 1
            stop = source.find("@", begin, last)
            yield from _span(source, begin, stop if stop >= 0 else last)


def _fed(source: str, words: list[Word], command: Command, *, first: bool) -> Iterator[Span]:
    """Everything that is fed to a program: here-strings, here-documents, and what other commands say to it.

    `first` when only the first line is a secret: what stands below the password of `sudo -S sh` is run.
    """
    yield from _here_strings(source, words, first=first)
    for start, end in command.bodies:
        yield from _lines_of(source, start, end, first=first)
    for feeder in command.feeders:
        said = list(_said(source, feeder, first=first))
        yield from said
        if first and (said or _says_already(feeder)):
            return


PASSING = frozenset({"$", "{}", "}"})
"""Words that stand for what another command says."""


def _says_already(command: Command) -> bool:
    """Whether a command says something that is a mask or a variable: then that is the first line."""
    if command.words[-1][2] in SAYING or any(text in PASSING or text[-1:] == "$" for _, _, text in command.words):
        return False
    return bool(command.bodies) or any(text in SAYING or "<<<" in text for _, _, text in command.words)


def _here_strings(source: str, words: list[Word], *, first: bool) -> Iterator[Span]:
    for place, (start, end, text) in enumerate(words):
        number, sign, rest = text.partition("<<<")
        if not sign or (number and not number.isdigit()):
            continue
        if not rest and place + 1 < len(words):
            yield from _text_of(source, *bare(source, *words[place + 1][:2]), first=first)
        elif rest:
            yield from _text_of(source, *bare(source, start + len(number) + 3, end), first=first)


def _lines_of(source: str, start: int, end: int, *, first: bool) -> Iterator[Span]:
    at = start
    while at < end:
        stop = source.find("\n", at, end)
        line_end = stop if stop >= 0 else end
        begin, last = at, line_end
        while begin < last and source[begin] in BLANK:
            begin += 1
        while last > begin and source[last - 1] in BLANK:
            last -= 1
        if last > begin:
            yield from _span(source, begin, last)
            if first:
                return
        at = line_end + 1


def _text_of(source: str, start: int, end: int, *, first: bool) -> Iterator[Span]:
    """A value; of several lines in it, written as such or as `\\n`, only the first if that is asked for."""
    if not first:
        yield from _span(source, start, end)
        return
    stops = [place for place in (source.find(sign, start + 1, end) for sign in ("\n", "\\n")) if place > 0]
    yield from _span(source, start, min(stops, default=end))


def _said(source: str, command: Command, *, first: bool) -> Iterator[Span]:
    """What a command says to the one behind it: the words of `echo`, what `cat` is given in place, what code prints."""
    words = command.words
    yield from _here_strings(source, words, first=first)
    for start, end in command.bodies:
        yield from _lines_of(source, start, end, first=first)
    saying = next((at for at, word in enumerate(words) if word[2] in SAYING), -1)
    if saying < 0:
        yield from _said_by_code(source, words)
        return
    said = [word for word in words[saying + 1 :] if word[2][:1] not in ("-", ">", "<") and word[2] not in PASSING]
    ways = [place for place, word in enumerate(said) if place and words[words.index(word) - 1][2] in (">", ">>", "<<<")]
    said = [word for place, word in enumerate(said) if place not in ways]
    formats = words[saying][2] == "printf" and len(said) > 1
    for word in said[1:] if formats else said:
        yield from _text_of(source, *bare(source, word[0], word[1]), first=first)
        yield from _assigned(source, word[2])


def _assigned(source: str, word: str) -> Iterator[Span]:
    """`P=X; echo $P | sudo -S`: the value of a variable that is said."""
    name = word.strip('"').lstrip("$").strip("{}")
    if word[:1] != "$" or not name or not ALNUM.issuperset(name.replace("_", "")):
        return
    at = source.find(f"{name}=")
    while at >= 0:
        begin = at + len(name) + 1
        if at == 0 or source[at - 1] in " \t\n;&|('\"":
            for start, end, _ in (
                words[0] for one in commands(source, begin, _line_end(source, begin)) if (words := one.words)
            ):
                if start == begin:
                    yield from _span(source, *bare(source, start, end))
        at = source.find(f"{name}=", begin)


def _line_end(source: str, at: int) -> int:
    end = source.find("\n", at)
    return end if end >= 0 else len(source)


def _said_by_code(source: str, words: list[Word]) -> Iterator[Span]:
    """`python3 -c 'print("X")'`, `perl -e 'print "X"'`, `awk 'BEGIN{print "X"}'`: the texts that code prints."""
    names = [text[text.rfind("/") + 1 :] for _, _, text in words]
    speaks = next((at for at, name in enumerate(names) if name.rstrip("0123456789.") in LANGUAGES), -1)
    for place, (start, end, text) in enumerate(words[speaks + 1 :] if speaks >= 0 else (), speaks + 1):
        if words[place - 1][2] not in CODE and not names[speaks].endswith("awk"):
            continue
        for verb in SAYING_CODE if not BLANK.isdisjoint(text) or "(" in text or '"' in text else ():
            at = source.find(verb, start, end)
            while at >= 0:
                yield from _quoted_behind(source, at + len(verb), end)
                at = source.find(verb, at + len(verb), end)


def _quoted_behind(source: str, at: int, end: int) -> Iterator[Span]:
    """The text in quotes directly behind a verb, as `("X")`, ` "X"`, `(\\"X\\")`."""
    while at < end and source[at] in "( \\":
        at += 1
    if at < end and source[at] in QUOTES:
        stop = source.find(source[at], at + 1, end)
        last = stop - 1 if stop > 0 and source[stop - 1] == "\\" else stop
        if last > at:
            yield from _text_of(source, at + 1, last, first=True)


# --- programs that talk to others --------------------------------------------------------------------------------


PROMPTS = ("assw", "passphrase", "passcode", "pin", "otp", "token", "secret", "code")
EXPECTING = ('expect "', "expect '", 'expect \\"', "expect {", "expect -re", "expect -ex", "expect -gl", "expect(")
SENDING = ("send", "sendline", "send_user")


def in_expect(source: str) -> Iterator[Span]:
    """`expect "assword:"; send "X\\r"`: what is sent behind a prompt for a secret, or without any prompt."""
    folded = source.lower()
    if "expect" not in folded or not any(sign in folded for sign in ("spawn", "sendline", "expect -", "bin/expect")):
        return
    done = 0
    at = source.find("send")
    while at >= 0:
        end = at + 4
        while end < len(source) and source[end] in ALNUM:
            end += 1
        if source[at:end] in SENDING and (at == 0 or source[at - 1] not in ALNUM):
            prompt = folded[done:at]
            asks = any(sign in prompt for sign in PROMPTS) or not any(sign in prompt for sign in EXPECTING)
            yield from _sent(source, end) if asks else ()
            done = end
        at = source.find("send", end)


def _sent(source: str, at: int) -> Iterator[Span]:
    at = skip_blanks(source, at)
    while source[at : at + 1] == "-":  # `send -- "X"`, `send -s "X"`
        while at < len(source) and source[at] not in BLANK:
            at += 1
        at = skip_blanks(source, at)
    while source[at : at + 1] in ("(", "\\"):
        at += 1
    closing = {"{": "}", '"': '"', "'": "'"}.get(source[at : at + 1])
    stop = source.find(closing, at + 1) if closing else -1
    while stop > 0 and source[stop - 1 : stop + 1] in ("\\r", "\\n", "\\"):
        stop -= 1
    if stop > at:
        last = stop
        while source[last - 1] == "\\" or source[last - 2 : last] in ("\\r", "\\n"):
            last -= 1 if source[last - 1] == "\\" else 2
        yield from _span(source, at + 1, max(last, at + 1))


def _span(source: str, start: int, end: int, kind: str = "password") -> Iterator[Span]:
    if end > start and not is_reference(source[start:end]):
        yield start, end, kind
