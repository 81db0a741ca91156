"""Arithmetic over whole numbers that are written down or known, or of which only that is known; nothing else."""

from __future__ import annotations

from assent.types import DIGITS, NUMBER, PLAIN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Variables = Mapping[str, Word | None]
    Token = str | int | None
    """An operator, a number, or None for some number that nobody knows."""

LARGEST, WORD = 2**31, 2**63
LONGEST, DEEPEST = 120, 10
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
STRENGTH = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    ">": 7,
    "<=": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
    "**": 11,
}
SIGNS = (*(sign for sign in STRENGTH if len(sign) == 2), *(sign for sign in STRENGTH if len(sign) == 1), *"()!~?:")
BEFORE = frozenset(("+", "-", "!", "~"))
CHANGING = ("<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^")
"""Before `=` they change a variable by what stands behind it."""
SOME_NUMBER = Word("number", None, NUMBER)


class _UnsureError(Exception):
    """Bash may fail here, or evaluate something that nobody has seen."""


def inside(text: str) -> str:
    """What stands in `$((…))`, `((…))` or a part of `for ((…; …; …))`."""
    return text.removeprefix("$").removeprefix("((").removesuffix("))").removesuffix(";")


def result(text: str, variables: Variables) -> int | None:
    """What a text comes to, None where that is not certain."""
    try:
        found = _value(text, variables)
    except _UnsureError:
        return None
    return found if found is not None and abs(found) < LARGEST else None


def settles(text: str, variables: Variables) -> bool:
    """Whether a text comes to a number, whatever numbers the variables hold that are known to hold one."""
    try:
        _value(text, variables)
    except _UnsureError:
        return False
    return True


def assigned(text: str, variables: Variables) -> list[str] | None:
    """The variables that `((…))` sets to numbers, as in `i = 0, j++`; None where that is not certain."""
    names: list[str] = []
    known = dict(variables)
    for piece in text.split(",") if text.strip() else ():
        name, rest = _changed(piece.strip())
        if rest is None or (rest and not settles(rest, known)):
            return None
        if name:
            names.append(name)
            known[name] = SOME_NUMBER
    return names


def _changed(piece: str) -> tuple[str, str | None]:
    """The variable that a piece sets, none if it sets nothing, and what must come to a number for that."""
    for sign in ("++", "--"):
        name = piece.removesuffix(sign) if piece.endswith(sign) else piece.removeprefix(sign)
        if name != piece:
            return (name, name) if is_name(name) else ("", None)
    left, equals, right = piece.partition("=")
    if not equals or right[:1] == "=" or left[-1:] in ("!", "=") or (left[-1:] in "<>" and left[-2:] not in CHANGING):
        return "", piece
    sign = next((sign for sign in CHANGING if left.endswith(sign)), "")
    name = left.removesuffix(sign).strip()
    if not is_name(name):
        return "", None
    return name, None if not right.strip() else f"{name} {sign} ({right})" if sign else right


def is_name(text: str) -> bool:
    return bool(text) and not text[0].isdigit() and NAME.issuperset(text)


def is_number(word: Word | None) -> bool:
    """Whether a variable certainly holds a number, and nothing that bash would evaluate."""
    if word is None:
        return False
    if word.value is not None:
        return _is_plain(word.value.removeprefix("-"))
    return word.why == NUMBER or (word.why == PLAIN and word.pattern == DIGITS)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isdigit() and (text == "0" or text[0] != "0") and int(text) < LARGEST


# --- reading -------------------------------------------------------------------------------------------------------


def _value(text: str, variables: Variables) -> int | None:
    if len(text) > LONGEST or text.count("(") > DEEPEST:
        raise _UnsureError
    tokens = _tokens(text, variables)[::-1]
    found = _whole(tokens)
    if tokens:
        raise _UnsureError
    return found


def _tokens(text: str, variables: Variables) -> list[Token]:
    found: list[Token] = []
    at = 0
    while at < len(text):
        sign = text[at]
        if sign == " ":
            at += 1
        elif sign in NAME or sign == "$":
            at, number = _operand(text, at, variables)
            found.append(number)
        else:
            operator = next((one for one in SIGNS if text.startswith(one, at)), "")
            at += len(operator)
            if not operator or text[at : at + 1] == "=" or (operator in "+-" and text[at : at + 1] == operator):
                raise _UnsureError  # assignments
            found.append(operator)
    return found


def _operand(text: str, at: int, variables: Variables) -> tuple[int, int | None]:
    """A number, or the name of a variable; behind `$` its text is put there, so that nothing may touch it."""
    start = at
    put = text[at] == "$"
    brace = put and text[at + 1 : at + 2] == "{"
    at += put + brace
    begins = at
    while at < len(text) and text[at] in NAME:
        at += 1
    name = text[begins:at]
    if put:
        at += brace
        free = text[start - 1 : start] in ("", " ", "(") and text[at : at + 1] in ("", " ", ")")
        if not (is_name(name) and free and (not brace or text[at - 1 : at] == "}")):
            raise _UnsureError
    if is_name(name):
        held = variables.get(name)
        if held is None or not is_number(held):
            raise _UnsureError
        return at, int(held.value) if held.value is not None else None
    if text[at : at + 1] == "#":
        end = at + 1
        while end < len(text) and text[end] in NAME:
            end += 1
        return end, _in_base(name, text[at + 1 : end])
    return at, _in_base("16", name[2:]) if name[:2] in ("0x", "0X") else _in_base("10", name)


def _in_base(base: str, digits: str) -> int | None:
    """A number as it is written, None for one that is larger than those which are worked out."""
    if not (base.isdigit() and len(base) <= 2 and 2 <= int(base) <= 36 and base[0] != "0"):
        raise _UnsureError
    octal = base == "10" and digits[:1] == "0" != digits
    if octal or not digits.isalnum() or any(int(sign, 36) >= int(base) for sign in digits):
        raise _UnsureError
    number = int(digits.lstrip("0") or "0", int(base))
    if number >= WORD:
        raise _UnsureError
    return number


# --- working out ---------------------------------------------------------------------------------------------------


def _whole(tokens: list[Token]) -> int | None:
    found = _climb(tokens, 1)
    if tokens and tokens[-1] == "?":
        tokens.pop()
        first = _whole(tokens)
        if not tokens or tokens.pop() != ":":
            raise _UnsureError
        second = _whole(tokens)
        return None if found is None else first if found else second
    return found


def _climb(tokens: list[Token], least: int) -> int | None:
    left = _single(tokens)
    while tokens and isinstance(tokens[-1], str) and STRENGTH.get(tokens[-1], 0) >= least:
        sign = tokens[-1]
        tokens.pop()
        left = _applied(sign, left, _climb(tokens, STRENGTH[sign] + (sign != "**")))
    return left


def _single(tokens: list[Token]) -> int | None:
    """A number, one with a sign before it, or something in parentheses."""
    if not tokens:
        raise _UnsureError
    first = tokens.pop()
    if not isinstance(first, str):
        return first
    if first in BEFORE:
        inner = _single(tokens)
        if inner is None:
            return None
        return {"+": inner, "-": -inner, "~": ~inner, "!": int(not inner)}[first]
    inner = _whole(tokens) if first == "(" else None
    if first != "(" or not tokens or tokens.pop() != ")":
        raise _UnsureError
    return inner


def _applied(sign: str, left: int | None, right: int | None) -> int | None:
    """None where a number is not known, or too large; bash never fails over those."""
    if sign in ("/", "%") and not right:
        raise _UnsureError
    if sign in ("**", "<<", ">>") and (right is None or not 0 <= right < 63):
        raise _UnsureError
    if left is None or right is None:
        return None
    found = _known(sign, left, right)
    return found if abs(found) < WORD else None


def _known(sign: str, left: int, right: int) -> int:
    if sign in ("/", "%"):
        whole = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return whole if sign == "/" else left - whole * right
    if sign in ("+", "-", "*", "**"):
        return {"+": left + right, "-": left - right, "*": left * right}[sign] if sign != "**" else left**right
    if sign in ("<<", ">>", "&", "|", "^"):
        shifted = left << right if sign == "<<" else left >> right if sign == ">>" else 0
        return {"&": left & right, "|": left | right, "^": left ^ right}.get(sign, shifted)
    compared = {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}
    compared |= {"==": left == right, "!=": left != right, "&&": bool(left and right), "||": bool(left or right)}
    return int(compared[sign])
