"""Descriptions in a policy file (`allow_if`, `ask_if`, `deny_if`) and the `[classifier]` table: who judges them.

Reads and checks them only; nothing here asks a model.
"""

from __future__ import annotations

from assent.record import replace
from assent.types import Rule, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.fields import Fields, Table
    from assent.policy.positions import Path

DESCRIBED = {"allow_if": Verdict.ALLOW, "ask_if": Verdict.ASK, "deny_if": Verdict.DENY}
MAX_DESCRIPTION = 500
MOST_DESCRIPTIONS = 50
PROVIDERS = ("anthropic", "openai")
CACHES = ("memory", "disk")
CLASSIFIER = ("provider", "model", "base_url", "timeout", "confidence", "cache", "budget", "price")
BUDGET = ("session_calls", "day_calls", "session_cost", "day_cost")
PRICE = ("input", "output")
RANGES = {
    "timeout": (0.1, 120.0),
    "confidence": (0.5, 1.0),
    "session_calls": (0, 1_000_000),
    "day_calls": (0, 1_000_000),
    "session_cost": (0.0, 1_000_000.0),
    "day_cost": (0.0, 1_000_000.0),
    "input": (0.0, 1_000_000.0),
    "output": (0.0, 1_000_000.0),
}
"""The smallest and the largest value; two whole numbers where only whole numbers make sense."""

Setting = tuple[str, "str | int | float"]


def read_descriptions(fields: Fields, data: Table) -> tuple[Rule, ...]:
    """The sentences of a file in its order, each with its place."""
    found: list[Rule] = []
    for name in data:
        if name in DESCRIBED:
            placed = fields.placed_strings(data, (), name)
            if len(placed) > MOST_DESCRIPTIONS:
                fields.fail(f"`{name}` holds more than {MOST_DESCRIPTIONS} descriptions", fields.places.key((name,)))
            found += _checked(fields, name, placed)
    return tuple(found)


def _checked(fields: Fields, name: str, placed: list[tuple[str, tuple[int, int]]]) -> Iterator[Rule]:
    for number, (text, place) in enumerate(placed, 1):
        if len(text) > MAX_DESCRIPTION:
            fields.fail(f"a description has {len(text)} characters, more than {MAX_DESCRIPTION}", place)
            continue
        made = Rule(DESCRIBED[name], text, id=f"{name}-{number}")
        yield replace(made, file=fields.file, layer=fields.layer, line=place[0])


def read_classifier(fields: Fields, data: Table) -> tuple[Setting, ...]:
    """The settings of `[classifier]` that are given, by name; those of its tables have a dot in theirs."""
    if "classifier" not in data:
        return ()
    table = fields.table(data, "classifier")
    path: Path = ("classifier",)
    fields.known_keys(table, path, CLASSIFIER)
    found: list[Setting] = [*_words(fields, table, path), *_numbers(fields, table, path, ("timeout", "confidence"))]
    for name, keys in (("budget", BUDGET), ("price", PRICE)):
        inner = table.get(name, {})
        if not isinstance(inner, dict):
            fields.wrong_type((*path, name), "a table", inner, f"write `[classifier.{name}]`")
            continue
        fields.known_keys(inner, (*path, name), keys)
        found += [(f"{name}.{key}", value) for key, value in _numbers(fields, inner, (*path, name), keys)]
    _complete(fields, table, dict(found))
    return tuple(found)


def _words(fields: Fields, table: Table, path: Path) -> Iterator[Setting]:
    from assent.policy.fields import listed, nearest, show

    for name in ("provider", "model", "base_url", "cache"):
        word = fields.string(table, path, name)
        known = {"provider": PROVIDERS, "cache": CACHES}.get(name, ())
        if word and known and word not in known:
            advice = nearest(word, known) or f"one of {listed(known)}"
            fields.fail(f"unknown {name} {show(word)}", fields.places.value((*path, name)), advice)
        elif word and name == "base_url" and not word.startswith(("https://", "http://")):
            fields.fail(f"`base_url` is no web address: {show(word)}", fields.places.value((*path, name)))
        elif word:
            yield name, word


def _numbers(fields: Fields, table: Table, path: Path, names: tuple[str, ...]) -> Iterator[tuple[str, int | float]]:
    for name in names:
        if name not in table:
            continue
        value, (least, most) = table[name], RANGES[name]
        whole = isinstance(least, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            fields.wrong_type((*path, name), "a whole number" if whole else "a number", value)
        elif not least <= value <= most:
            text = f"`{name}` must be between {least:g} and {most:g}"
            fields.fail(text, fields.places.value((*path, name)))
        else:
            yield name, value


def _complete(fields: Fields, table: Table, found: dict[str, str | int | float]) -> None:
    """What would silently do nothing is a mistake."""
    if "provider" in table and "model" not in table:
        fields.fail("`provider` without `model`", fields.places.key(("classifier", "provider")), "name the model")
    costs = [name for name in ("budget.session_cost", "budget.day_cost") if name in found]
    if costs and not {"price.input", "price.output"} <= found.keys():
        key = costs[0].removeprefix("budget.")
        advice = "add `[classifier.price]` with `input` and `output`, in the same money for a million tokens"
        fields.fail(f"`{key}` needs a price", fields.places.key(("classifier", "budget", key)), advice)
