"""An import as a policy file: every rule with the place it came from. The same entries always make the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assent import wire
from assent.importing.imported import Imported
from assent.types import Rule, Verdict

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
        rows = _rows(one for one in every if one.rule and one.rule.verdict == verdict and _is_short(one.rule))
        if rows:
            lines = "".join(f"  {wire.dumps(rule.text)},  # {', '.join(places)}\n" for rule, places in rows)
            parts.append(f"{name} = [\n{lines}]\n")
    for name, verdict in LISTS:
        rows = _rows(one for one in every if one.rule and one.rule.verdict == verdict and not _is_short(one.rule))
        parts += [_table(name, rule, places) for rule, places in rows]
    parts += _commands(every)
    parts += _paths(every)
    return "\n".join(parts)


def place_of(one: Imported) -> str:
    """`~/.claude/settings.json:7`, with nothing in it that does not print."""
    text = f"{one.source}:{one.line}" if one.line else one.source
    return "".join(sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}" for sign in text)


def _is_short(rule: Rule) -> bool:
    return not (rule.unless or rule.id)


def _table(name: str, rule: Rule, places: list[str]) -> str:
    """A rule with exceptions, or one that is wider than what it came from and says so."""
    said = "".join(
        f"{key} = {wire.dumps(value)}\n" for key, value in (("id", rule.id), ("message", rule.message)) if value
    )
    excepted = "".join(f"  {wire.dumps(one)},\n" for one in rule.unless)
    unless = f"unless = [\n{excepted}]\n" if excepted else ""
    return f"[[rule]]  # {', '.join(places)}\n{name} = {wire.dumps(rule.text)}\n{said}{unless}"


def _rows(chosen: Iterable[Imported]) -> list[tuple[Rule, list[str]]]:
    """Each rule once, with the places that it came from."""
    rows: dict[tuple[str, tuple[str, ...], str], tuple[Rule, list[str]]] = {}
    for one in chosen:
        assert one.rule is not None  # noqa: S101 - narrows for the type checker
        _, places = rows.setdefault((one.rule.text, one.rule.unless, one.rule.id), (one.rule, []))
        if place_of(one) not in places:
            places.append(place_of(one))
    return list(rows.values())


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
