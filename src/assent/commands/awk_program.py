"""What a program of awk does besides printing: files it reads and writes, commands it runs, the environment it sees.

A print statement is what makes `>` write a file; elsewhere, and inside of brackets, it compares.
"""

from __future__ import annotations

from assent.commands.awk_tokens import LINE, Lexer, NotUnderstoodError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.awk_tokens import Token

FUNCTIONS = frozenset(
    "atan2 cos exp int log rand sin sqrt srand gsub index length match split sprintf sub substr tolower toupper close"
    " fflush gensub asort asorti patsplit strtonum mktime strftime systime and or xor compl lshift rshift typeof"
    " isarray mkbool system".split()
)
UNCERTAIN_NAMES = {
    "ARGV": "changes or looks at ARGV, the files it reads",
    "ARGC": "changes or looks at ARGC, the files it reads",
    "SYMTAB": "reaches variables by name",
    "FUNCTAB": "reaches functions by name",
}
LOADING = frozenset(("extension", "bindtextdomain", "dcgettext", "dcngettext"))
ENDS = frozenset((";", "\n", "}"))
AFTER_GETLINE = frozenset((")", ";", "\n", "}", ">", ">=", "<=", "==", "!=", "&&", "||"))
AFTER_FILE = AFTER_GETLINE


def does(program: str) -> Iterator[tuple[str, str]]:
    """`read` and `write` with a file, `run` with a command, `environment`, or `gap`, `blind`, `unread` and why."""
    try:
        tokens = Lexer(program).cut()
    except NotUnderstoodError as trouble:
        yield "blind", f"the program is not understood: {trouble}"
        return
    defined = {
        tokens[at + 1].text
        for at, token in enumerate(tokens)
        if token.text in ("function", "func") and token.kind == "keyword"
    }
    for at, token in enumerate(tokens):
        if token.kind in ("name", "call"):
            yield from _name(tokens, at, defined)
        elif token.kind == "keyword" and token.text == "getline":
            yield from _getline(tokens, at)
        elif token.kind == "operator" and token.text in ("|", "|&"):
            yield "run", _command(tokens, at)
    yield from _outputs(tokens)


def _name(tokens: list[Token], at: int, defined: set[str]) -> Iterator[tuple[str, str]]:
    name = tokens[at].text
    if name == "ENVIRON":
        yield "environment", name
    elif name in UNCERTAIN_NAMES:
        yield "unread", UNCERTAIN_NAMES[name]
    elif name == "system":
        yield "run", _known(tokens[at + 2 : at + 4], ")") or "what it makes at run time"
    elif name in LOADING or (tokens[at].kind == "call" and name not in FUNCTIONS | defined):
        yield "gap", f"function {name} is not known"


def _getline(tokens: list[Token], at: int) -> Iterator[tuple[str, str]]:
    """`getline [variable] [< file]`; what reads a pipe is found by its sign."""
    at = _behind_variable(tokens, at + 1)
    after = tokens[at]
    if after.text == "<" and after.kind == "operator":
        target = tokens[at + 1 : at + 3]
        if tokens[at + 1].text == "(":
            target = tokens[at + 2 : at + 4]
            file = _known(target, ")") if tokens[at + 4 : at + 5] and tokens[at + 4].text in AFTER_FILE else ""
        else:
            file = _known(target, *AFTER_FILE)
        yield ("read", file) if file else ("unread", "getline reads a file that is not known")
    elif after.text not in AFTER_GETLINE:
        yield "blind", "a getline that is not understood"


def _behind_variable(tokens: list[Token], at: int) -> int:
    while tokens[at].text == "$":
        at += 1
    if tokens[at].kind not in ("name", "number"):
        return at
    at += 1
    if tokens[at].text != "[":
        return at
    depth = 0
    while at < len(tokens) - 1:
        depth += {"[": 1, "]": -1}.get(tokens[at].text, 0)
        at += 1
        if depth == 0:
            break
    return at


def _outputs(tokens: list[Token]) -> Iterator[tuple[str, str]]:
    """Files that print statements write."""
    printing, depth = False, 0
    for at, token in enumerate(tokens):
        if token.kind == "keyword" and token.text in ("print", "printf"):
            printing, depth = True, 0
        elif token is LINE:
            printing = False
        elif not printing or token.kind != "operator":
            continue
        elif token.text in ("(", "["):
            depth += 1
        elif token.text in (")", "]"):
            depth -= 1
        elif token.text in (";", "}") and depth <= 0:
            printing = False
        elif token.text in (">", ">>") and depth <= 0:
            file = _known(tokens[at + 1 : at + 3], *ENDS)
            yield ("write", file) if file else ("blind", "writes a file that is not known")


def _command(tokens: list[Token], at: int) -> str:
    """The command of a pipe if it is written down: behind the sign, or before it when getline reads."""
    if tokens[at + 1].text == "getline":
        return (tokens[at - 1].value if at else None) or "what it makes at run time"
    return _known(tokens[at + 1 : at + 3], *ENDS) or "what it makes at run time"


def _known(tokens: list[Token], *ends: str) -> str:
    """The text of a string that stands alone up to one of the ends, empty when it is not certain."""
    if len(tokens) < 2 or tokens[0].value is None or tokens[1].text not in ends or tokens[1].kind == "string":
        return ""
    return tokens[0].value
