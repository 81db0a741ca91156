"""An import as a policy file: every rule with the place it came from. The same entries always make the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assent import wire
from assent.importing.imported import Imported
from assent.types import Verdict

LISTS = (("deny", Verdict.DENY), ("ask", Verdict.ASK), ("allow", Verdict.ALLOW))
HEADER = """\
# Written by `assent import {agent}` from your rules for {title}. Nothing in it is looser than they are.
# It belongs in {target}
"""


def policy_text(imported: Iterable[Imported], agent: str, title: str, target: str) -> str:
    """The policy file; rules that say the same are written once, with every place they came from."""
    every = tuple(imported)
    parts: list[str] = [HEADER.format(agent=agent, title=title, target=target), *_settings(every)]
    for name, verdict in LISTS:
        rows = _rows(one for one in every if one.rule and one.rule.verdict == verdict and not one.rule.unless)
        if rows:
            lines = "".join(f"  {wire.dumps(text)},  # {', '.join(places)}\n" for (text, _), places in rows.items())
            parts.append(f"{name} = [\n{lines}]\n")
    for name, verdict in LISTS:
        rows = _rows(one for one in every if one.rule and one.rule.verdict == verdict and one.rule.unless)
        for (text, unless), places in rows.items():
            excepted = "".join(f"  {wire.dumps(one)},\n" for one in unless)
            parts.append(f"[[rule]]  # {', '.join(places)}\n{name} = {wire.dumps(text)}\nunless = [\n{excepted}]\n")
    parts += _commands(every)
    parts += _paths(every)
    return "\n".join(parts)


def place_of(one: Imported) -> str:
    """`~/.claude/settings.json:7`, with nothing in it that does not print."""
    text = f"{one.source}:{one.line}" if one.line else one.source
    return "".join(sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}" for sign in text)


def _rows(chosen: Iterable[Imported]) -> dict[tuple[str, tuple[str, ...]], list[str]]:
    rows: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for one in chosen:
        assert one.rule is not None  # noqa: S101 - narrows for the type checker
        places = rows.setdefault((one.rule.text, one.rule.unless), [])
        if place_of(one) not in places:
            places.append(place_of(one))
    return rows


def _settings(every: tuple[Imported, ...]) -> Iterator[str]:
    """A mode or preset is written once; where files differ, the last of them counts, as with the agents."""
    for name in ("mode", "extends"):
        found = [one for one in every if one.setting and one.setting[0] == name]
        if found:
            yield f"{name} = {wire.dumps((found[-1].setting or ('', ''))[1])}  # {place_of(found[-1])}\n"


def _commands(every: tuple[Imported, ...]) -> Iterator[str]:
    """Commands that are denied by their text, because no rule names exactly them."""
    rows: dict[str, str] = {}
    for one in every:
        if one.setting and one.setting[0] == "commands":
            rows.setdefault(one.setting[1], place_of(one))
    if rows:
        lines = "".join(f"  {wire.dumps(pattern)},  # {place}\n" for pattern, place in rows.items())
        yield f"[commands]\ndeny = [\n{lines}]\n"


def _paths(every: tuple[Imported, ...]) -> Iterator[str]:
    rows: dict[str, str] = {}
    for one in every:
        if one.setting and one.setting[0] == "paths":
            rows.setdefault(one.setting[1], place_of(one))
    for pattern, place in rows.items():
        yield f"[[paths]]  # {place}\npattern = {wire.dumps(pattern)}\nallow = true\n"
