"""Secrets by what a program takes them for: `mysql -pX`, `vault login X`, `echo X | sudo -S ls`."""

from __future__ import annotations

from assent.masking.glance import APART, RULES, TAKING
from assent.masking.letters import BLANK, DIGIT, QUOTES, mask_end
from assent.masking.names import is_reference, strength

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.masking.letters import Span

FED = frozenset("--password-stdin --passphrase-fd --with-token --token-stdin --secret-stdin --auth-user-pass".split())
"""Options with which any program reads a secret from its standard input."""
SAYING = frozenset({"echo", "printf"})
SPECIAL = "-#&=@</?"
COMMAND_ENDS = frozenset("|;&\n()`")
MOST_WORDS, DEPTH = 20_000, 3

HABITS = ("secret", "stdin", " -p ", " -pw ", " -auth ", "passw", "login", "signin", "unlock")
PASSWORD_VERBS = ("set", "reset", "change", "update", "hash", "new")
SEARCHING = frozenset("grep egrep fgrep rg ag ack git find sed awk".split())
"""Programs whose words are looked for, not done."""
KEEPING = frozenset("set put add create update store import".split())
"""What a program is told to do with a `secret`, whichever it is: the value stands behind its name, or comes in."""


def _table() -> dict[str, tuple[tuple[str, ...], ...]]:
    made: dict[str, tuple[tuple[str, ...], ...]] = {}
    for names, ways in RULES.items():
        for name in names.split():
            made[name] = (*made.get(name, ()), *(tuple(way.split()) for way in ways.split(" | ")))
    return made


TABLE = _table()
Word = tuple[int, int, str]
"""From where to where, and the text without quotes around it."""


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


def _in_text(source: str, start: int, end: int, depth: int, *, asked: bool = False) -> Iterator[Span]:
    """`asked` when the first command says a secret: `--password-command 'echo X'`, `--password-file <(echo X)`."""
    before: list[Word] = []
    for words, joined in _commands(source, start, end):
        yield from _in_command(source, words, before)
        if asked:
            yield from _said(source, words)
        if depth:
            for place, (first, last, text) in enumerate(words):
                if not BLANK.isdisjoint(text) and mask_end(source, first) != last:
                    start_, end_ = _bare(source, first, last)
                    asks = place > 0 and _asks(words[place - 1][2])
                    yield from _in_text(source, start_, end_, depth - 1, asked=asks)
        asked = joined == "(" and words[-1][2].endswith("<") and any(_asks(word[2]) for word in words[-2:])
        before = words if joined == "|" else []


def _commands(source: str, start: int, end: int) -> Iterator[tuple[list[Word], str]]:
    """The words of each command, and the sign behind it; quotes and masks hold a word together."""
    words: list[Word] = []
    at = begin = start
    quote = alone = ""  # a quote that nothing closes is a sign like any other
    while at <= end:
        sign = source[at] if at < end else "\n"
        if quote and at < end:
            mask = mask_end(source, at) if sign == "‹" else -1
            quote = "" if sign == quote else quote
            at = mask if mask > 0 else at + (2 if sign == "\\" and quote == '"' else 1)
            continue
        if sign in BLANK or sign in COMMAND_ENDS:
            if at > begin and len(words) < MOST_WORDS:
                words.append((begin, at, source[slice(*_bare(source, begin, at))]))
            if sign in COMMAND_ENDS:
                if words:
                    yield words, sign
                words = []
            begin = at = at + 1
        elif sign in QUOTES and sign not in alone:
            quote = sign if source.find(sign, at + 1, end) > 0 else ""
            alone += "" if quote else sign
            at += 1
        else:
            mask = mask_end(source, at) if sign == "‹" else -1
            at = mask if mask > 0 else at + (2 if sign == "\\" else 1)
    if words:
        yield words, ""


def _bare(source: str, start: int, end: int) -> tuple[int, int]:
    """A word without the quotes around it."""
    if end - start > 1 and source[start] in QUOTES and source[end - 1] == source[start]:
        return start + 1, end - 1
    return start, end


def _in_command(source: str, words: list[Word], before: list[Word]) -> Iterator[Span]:
    for place, (_, _, text) in enumerate(words):
        name = text[text.rfind("/") + 1 :]
        rules = TABLE.get(name)
        for rule in rules or ():
            yield from _by_rule(source, rule, words[place + 1 :], before)
    if any(_is_fed(text.partition("=")[0]) for _, _, text in words[1:]):
        yield from _fed(source, words, before)
    yield from _by_habit(source, words)
    for place, (_, _, text) in enumerate(words[1:-1], 1):
        if text in ("secret", "secrets") and words[place + 1][2] in KEEPING and words[0][2] != "git":
            yield from _kept(source, words[place + 1 :], before)


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


def _kept(source: str, words: list[Word], before: list[Word]) -> Iterator[Span]:
    """`secrets set NAME=VALUE`, `secret put NAME VALUE`, `echo VALUE | x secret set NAME`."""
    ways = [place for place, word in enumerate(words) if word[2][:1] in ("<", ">")]
    operands = [word for word in words[1 : min(ways, default=None)] if word[2][:1] != "-"]
    for start, end, text in operands:
        first, last = _bare(source, start, end)
        if "=" in text:
            yield from _span(source, source.index("=", first, last) + 1, last)
    if len(operands) == 2 and words[0][2] not in ("create", "add", "import"):
        yield from _whole(source, operands[1])
    yield from _fed(source, words, before)


def _asks(word: str) -> bool:
    """Whether an option wants a file or a command that holds a secret."""
    name = word.partition("=")[0]
    if name[:1] != "-":
        return name == "private-key"
    for ending in ("eval", "-command", "-file"):
        name = name.removesuffix(ending)
    return name in FED or strength(name.lstrip("-")) > 0


def _by_rule(source: str, rule: tuple[str, ...], rest: list[Word], before: list[Word]) -> Iterator[Span]:
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
                    first, last = _bare(source, start, end)
                    yield from _span(source, source.index("=", first, last) + 1, last)
        elif token[0] == "@":
            yield from _between(source, token[1], operands)
        elif token[0] == "<":
            yield from _fed(source, rest, before)


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
    first, last = _bare(source, start, end)
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
    yield from _span(source, *_bare(source, word[0], word[1]))


def _between(source: str, sign: str, operands: list[Word]) -> Iterator[Span]:
    """`user/SECRET@host`, of an operand that is no path."""
    for start, end, text in operands[:1]:
        user, found, rest = text.partition(sign)
        if found and user and rest and "/" not in user:
            first, last = _bare(source, start, end)
            begin = source.index(sign, first) + 1
            stop = source.find("@", begin, last)
            yield from _span(source, begin, stop if stop >= 0 else last)


def _fed(source: str, words: list[Word], before: list[Word]) -> Iterator[Span]:
    """What is said into a program, or stands behind `<<<`."""
    for place, (start, end, text) in enumerate(words):
        if text == "<<<" and place + 1 < len(words):
            yield from _whole(source, words[place + 1])
        elif text.startswith("<<<") and len(text) > 3:
            yield from _span(source, *_bare(source, start + 3, end))
    yield from _said(source, before)


def _said(source: str, before: list[Word]) -> Iterator[Span]:
    """What a command says to the one behind it: the words of `echo`, what `cat` is given in place."""
    for place, word in enumerate(before[:-1]):
        if word[2] == "<<<":
            yield from _whole(source, before[place + 1])
    saying = next((at for at, word in enumerate(before) if word[2] in SAYING), -1)
    if saying >= 0:
        said = [word for word in before[saying + 1 :] if word[2][:1] != "-" and word[2][:1] != ">"]
        formats = before[saying][2] == "printf" and len(said) > 1
        for word in said[1:] if formats else said:
            yield from _whole(source, word)


def _span(source: str, start: int, end: int, kind: str = "password") -> Iterator[Span]:
    if end > start and not is_reference(source[start:end]):
        yield start, end, kind
