"""Words that a program prints back: a pattern shows names of files, and some variables hold secrets."""

from __future__ import annotations

from assent.types import JOB, LINE, PLAIN, Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Call, Word

CODE = "environment"
INSIDE = ("SECRET", "PASSW", "PASSPHRASE", "CREDENTIAL", "APIKEY")
WHOLE = frozenset("AUTH OAUTH PRIVATE CREDS JWT SSHPASS".split())
ENDS = ("KEY", "KEYS", "TOKEN", "TOKENS")
NO_KEYS = frozenset("MONKEY MONKEYS DONKEY TURKEY HOTKEY HOTKEYS WHISKEY HOCKEY JOCKEY".split())
LAST = frozenset("PASS PAT DSN PWD".split())
"""Secret behind something else only: PWD alone is a folder."""
STORES = frozenset("DATABASE DB POSTGRES POSTGRESQL PG MYSQL REDIS MONGO MONGODB AMQP".split())
"""Their addresses hold passwords."""
ABOUT = frozenset("FILE PATH DIR NAME SOCK TYPE COUNT".split())
"""Last pieces of names that tell where a secret lies, or something about it."""
QUIET = frozenset(
    """: [ busybox chrt command declare doas env export false flock ionice local nice nohup readonly setsid stdbuf sudo
    taskset test time timeout true typeset watch xargs""".split()
)
"""Programs that print none of their words, and those whose words are the call of another one."""
NUMBER_TESTS = frozenset("-eq -ne -lt -le -gt -ge".split())
"""With these, `test` shows in its error what is no number."""
TALKS = ("reach", "send")
VARIABLE = "variable "
SET_HERE = ("output of a command", "arithmetic", "what read takes")
"""Why a variable is not known that the same text sets; what those commands show is stated with them."""
SUBSTITUTIONS = ("$(", "<(", ">(")
AMBIGUOUS = frozenset("'\"\\#<")


def shown_words(args: Args) -> Iterator[Fact]:
    """What `echo` and its kin tell besides the text that stands there."""
    for word in args.operands:
        if word.pattern and word.why != PLAIN:
            yield from args.file("list", word)
        elif word.value is None and secret_of(word):
            yield args.effect("note", word.text, CODE)


def shown_variables(args: Args, names: list[Word]) -> Iterator[Fact]:
    """Variables that are printed by their names, whatever letters these have."""
    for word in names:
        if word.value is None or is_secret_name(word.value.upper()):
            yield args.effect("note", word.text, CODE)


def secrets_shown(call: Call, number: int, stated: list[Fact]) -> Iterator[Effect]:
    """A note for each word that holds a secret variable, as far as the program may print it and has not said so.

    One that talks to another machine needs them for that; whether it may talk there is another question.
    """
    quiet = call.program in QUIET and NUMBER_TESTS.isdisjoint([word.value or "" for word in call.words])
    known = set()
    for fact in stated:
        if isinstance(fact, Effect):
            quiet = quiet or (fact.kind in TALKS and not fact.possible)
            known.add((fact.code, fact.target))
    for word in call.words:
        shown = word.value is None and (_complained(word.text) if quiet else secret_of(word))
        if shown and (CODE, word.text) not in known:
            yield Effect("note", word.text, code=CODE, call=number, span=call.span)


def _complained(text: str) -> bool:
    """Whether the shell itself would print a secret where a variable is missing: `${x:?$TOKEN}`."""
    for piece in text.split("${")[1:] if "?" in text else ():
        rest = piece[len(_name_at(piece, 0)) :]
        if rest.startswith(("?", ":?")):
            return any(map(is_secret_name, named(text[text.index(rest) :])))
    return False


def secrets_opened(call: Call, number: int) -> Iterator[Effect]:
    """As above, for what redirects name and for the texts they hold."""
    for redirect in call.redirects:
        name = secret_of(redirect.target) if redirect.target is not None and redirect.target.value is None else ""
        if name:
            yield Effect("note", f"${name}", code=CODE, call=number, span=call.span)


def traced(calls: tuple[Call, ...]) -> Iterator[Effect]:
    """`set -x` prints the words of every later command, whoever gets them."""
    tracing = 0
    for number, call in enumerate(calls, 1):
        if call.program == "set":
            tracing = tracing or number * _traces(call)
        elif tracing:
            for word in call.words:
                if word.value is None and secret_of(word):
                    yield Effect("note", word.text, code=CODE, call=tracing, span=calls[tracing - 1].span)
                    return


def _traces(call: Call) -> bool:
    """Whether `set` turns on that commands are printed. That it may be turned off again is not followed."""
    values = [word.value or "" for word in call.words[1:]]
    return ("xtrace" in values and "-o" in values) or any(value[:1] == "-" and "x" in value for value in values)


def secret_of(word: Word) -> str:
    """The variable in an unknown word that probably holds a secret; empty if there is none.

    What a word consists of is in its text; what a variable in it was set from, before, is in `why`.
    """
    why = word.why
    if word.pattern or why in (PLAIN, JOB) or why.startswith(LINE):
        return ""
    names = named(word.text)
    if why in SET_HERE and len(names) == 1 and word.text.strip('"') in (f"${names[0]}", f"${{{names[0]}}}"):
        names = []
    names += [_valued(piece, 0) for piece in why.split(VARIABLE)[1:]]
    return next((name for name in names if is_secret_name(name)), "")


def named(text: str) -> list[str]:
    """The variables that a word puts in its place, without those inside of substitutions: these are other calls'."""
    found: list[str] = []
    at = _substituted(text, 0) if text.startswith(SUBSTITUTIONS) else 0
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 2
        elif sign == "`" or text.startswith("$(", at):
            at = _substituted(text, at)
        elif sign == "$":
            at += 2 if text.startswith("${", at) else 1
            at += text[at : at + 1] in ("#", "!")
            found.append(_valued(text, at))
            at += len(_name_at(text, at))
        else:
            at += 1
    return [name for name in found if name]


def _valued(text: str, at: int) -> str:
    """The name that stands here, if its value is taken: `${NAME:+set}` tells only whether there is one."""
    name = _name_at(text, at)
    return "" if text.startswith((":+", "+"), at + len(name)) else name


def _substituted(text: str, at: int) -> int:
    """Behind a substitution. INVARIANT: never behind its true end; where that is not plain, only behind its sign."""
    if text[at] == "`":
        end = text.find("`", at + 1)
        return end + 1 if end > 0 and "\\" not in text[at:end] else at + 1
    start = at = at + 2
    depth = 1
    while at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if not depth:
            inside = text[start:at]
            return at + 1 if "(" not in inside or AMBIGUOUS.isdisjoint(inside) else start
        at += 1
    return start


def _name_at(text: str, at: int) -> str:
    end = at
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return "" if text[at : at + 1].isdigit() else text[at:end]


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name usually holds a secret: `API_KEY` and `dbPassword`, not `KEYWORDS` or `AUTHOR`.

    A single word in small letters is a variable of the script, not of the environment.
    """
    pieces = _pieces(name)
    if not pieces or pieces[-1] in ABOUT or (len(pieces) == 1 and name.islower()):
        return False
    if len(pieces) > 1 and pieces[-1] in LAST:
        return True
    if pieces[-1] in ("URL", "URI", "STRING") and not STORES.union(("CONNECTION",)).isdisjoint(pieces):
        return True
    return any(map(_is_secret_piece, pieces))


def _is_secret_piece(piece: str) -> bool:
    return piece in WHOLE or (piece.endswith(ENDS) and piece not in NO_KEYS) or any(part in piece for part in INSIDE)


def _pieces(name: str) -> list[str]:
    """`githubToken2` and `GITHUB_TOKEN` are the same two words."""
    spaced = [f"_{sign}" if sign.isupper() and name[at - 1 : at].islower() else sign for at, sign in enumerate(name)]
    return [piece for part in "".join(spaced).upper().split("_") if (piece := part.rstrip("0123456789"))]
