"""Covering what was found: masks in the place of secrets, in a text and in a table."""

from __future__ import annotations

from assent.masking.glance import MIN_ALONE, may_hide
from assent.masking.letters import BLANK, DIGIT, NAME, mask, mask_end
from assent.masking.names import named, stands_for, strength
from assent.masking.places import by_program, in_code, in_sql, in_urls
from assent.masking.programs import in_commands, in_expect
from assent.masking.text import Text
from assent.masking.tokens import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.masking.letters import Span

ROUNDS = 6


def cover(text: str) -> str:
    """The text with masks in the place of secrets."""
    return cover_closely(text) if may_hide(text) else text


def cover_closely(text: str) -> str:
    """The same without the quick look before it."""
    for _ in range(ROUNDS):
        after = _cover_once(_cover_private_keys(text))
        if after == text:
            break
        text = after
    return text


def covered(text: str) -> tuple[str, ...]:
    """The pieces of a text that are covered."""
    return tuple([text[start:end] for start, end, _ in _joined(sorted(set(_spans(Text(text)))))])


def cover_table(value: dict[str, object]) -> dict[str, object]:
    """The same table, and all tables and lists in it, with every secret masked, by its name or by its look."""
    return {_cover_name(name): cover_value(name, one) for name, one in value.items()}


def _cover_name(name: str) -> str:
    return name if len(name) < MIN_ALONE and NAME.issuperset(name) else cover(name)


def cover_value(name: str, value: object) -> object:
    """The value of a name, covered as a whole if the name tells that it is a secret."""
    telling = strength(name)
    if isinstance(value, dict):
        return {_cover_name(str(inner)): cover_value(str(inner), one) for inner, one in value.items()}
    if isinstance(value, list | tuple):
        return _cover_list(name, value)
    if isinstance(value, str):
        hides = telling and not stands_for(value, name) and not (telling == 1 and DIGIT.issuperset(value))
        return mask("secret", len(value)) if hides else cover(value)
    if telling == 2 and isinstance(value, int | float) and not isinstance(value, bool):
        return mask("secret", len(str(value)))
    return value


def _cover_list(name: str, values: list[object] | tuple[object, ...]) -> list[object]:
    """Words of a command may stand in a list: then the one behind `--password` is its value."""
    made: list[object] = []
    program = values[0] if values and isinstance(values[0], str) else ""
    before = ""
    for value in values:
        telling = name if strength(name) else before if before.startswith("-") and NAME.issuperset(before) else ""
        covered = cover_value(telling, value)
        made.append(_behind_program(program, before, value) if covered == value else covered)
        before = value if isinstance(value, str) else ""
    return made


def _behind_program(program: str, before: str, value: object) -> object:
    """`["mysql", "-pSECRET"]`: a word that only means something to the program in front of it."""
    if not isinstance(value, str) or not value or not BLANK.isdisjoint(value):
        return value
    front = f"{program} {before} " if before.startswith("-") else f"{program} "
    covered = cover(front + value)
    return covered[len(front) :] if covered.startswith(front) else value


def _cover_once(text: str) -> str:
    found = sorted(set(_spans(Text(text))))
    made: list[str] = []
    done = 0
    for start, end, kind in _joined(found):
        if mask_end(text, start) != end:
            made += [text[done:start], mask(kind, end - start)]
            done = end
    return "".join([*made, text[done:]])


def _joined(spans: list[Span]) -> list[Span]:
    made: list[Span] = []
    for start, end, kind in spans:
        if made and start < made[-1][1]:
            first, last, outer = made[-1]
            made[-1] = (first, max(last, end), outer)
        elif end > start:
            made.append((start, end, kind))
    return made


def _spans(text: Text) -> Iterator[Span]:
    yield from named(text)
    yield from in_urls(text.text)
    yield from by_program(text)
    yield from in_commands(text.text)
    yield from in_expect(text.text)
    yield from in_sql(text.text)
    yield from in_code(text.text)
    yield from tokens(text)


def _cover_private_keys(text: str) -> str:
    begin = text.find("-----BEGIN ")
    while begin >= 0:
        label = text.find("-----", begin + 11)
        if 0 <= label <= begin + 60 and "PRIVATE KEY" in text[begin:label]:
            end = text.find("-----END ", label)
            last = text.find("-----", end + 9) + 5 if end >= 0 else 0
            stop = last if last > 5 else len(text)
            text = text[:begin] + mask("private key", stop - begin) + text[stop:]
        begin = text.find("-----BEGIN ", begin + 1)
    return text
