"""Arithmetic over whole numbers that are written down or known; anything else is left alone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.types import Word

LARGEST = 2**31
LONGEST = 60


def result(text: str, variables: Mapping[str, Word | None]) -> int | None:
    """What a text of numbers, names of known numbers, `+ - * / %` and parentheses comes to."""
    tokens = _tokens(text, variables) if len(text) <= LONGEST else None
    if not tokens:
        return None
    found = _sum(tokens)
    return found if found is not None and not tokens and abs(found) < LARGEST else None


def _tokens(text: str, variables: Mapping[str, Word | None]) -> list[str | int] | None:
    """In reverse, so that the next one is the last; None where something is not understood."""
    found: list[str | int] = []
    at = 0
    while at < len(text):
        sign, end = text[at], at + 1
        if sign.isascii() and (sign.isalnum() or sign == "_"):
            while end < len(text) and text[end].isascii() and (text[end].isalnum() or text[end] == "_"):
                end += 1
            number = _number(text[at:end], variables)
            if number is None:
                return None
            found.append(number)
        elif sign in "+-*/%()":
            found.append(sign)
        elif sign != " ":
            return None
        at = end
    return found[::-1]


def _number(text: str, variables: Mapping[str, Word | None]) -> int | None:
    """INVARIANT: a name counts only if its value is nothing but a number; bash evaluates whatever else it holds."""
    if not text[0].isdigit():
        held = variables.get(text)
        text = held.value if held is not None and held.value is not None else ""
    plain = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0")
    return int(text) if plain and int(text) < LARGEST else None


def _sum(tokens: list[str | int]) -> int | None:
    total = _product(tokens)
    while total is not None and tokens and tokens[-1] in ("+", "-"):
        sign, following = tokens.pop(), _product(tokens)
        if following is None:
            return None
        total = total + following if sign == "+" else total - following
    return total


def _product(tokens: list[str | int]) -> int | None:
    total = _single(tokens)
    while total is not None and tokens and tokens[-1] in ("*", "/", "%"):
        sign, following = tokens.pop(), _single(tokens)
        if following is None or (sign != "*" and following == 0):
            return None
        if sign == "*":
            total *= following
        else:
            whole = abs(total) // abs(following) * (1 if (total < 0) == (following < 0) else -1)
            total = whole if sign == "/" else total - whole * following
    return total


def _single(tokens: list[str | int]) -> int | None:
    """A number, one with a sign before it, or something in parentheses."""
    first = tokens.pop() if tokens else None
    if isinstance(first, int):
        return first
    if first in ("-", "+") and tokens and tokens[-1] not in ("-", "+"):
        inner = _single(tokens)
        return None if inner is None else -inner if first == "-" else inner
    if first == "(":
        inner = _sum(tokens)
        return inner if tokens and tokens.pop() == ")" else None
    return None
