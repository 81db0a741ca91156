"""One policy file: TOML text in, a checked `Document` out, and every mistake with its line and column.

Does not know what a rule text means (`validate` does) nor how layers combine.
"""

from __future__ import annotations

from assent.errors import PolicyError
from assent.policy.compiled import PRESETS
from assent.policy.confining import AUTO, SANDBOX, read_auto, read_max, read_sandbox
from assent.policy.describing import BUDGET, CLASSIFIER, DESCRIBED, PRICE, read_classifier, read_descriptions
from assent.record import record, replace
from assent.types import Rule, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    from collections.abc import Iterator, Mapping

    from assent.policy.describing import Setting
    from assent.policy.fields import Fields, Prove, Validate
    from assent.policy.positions import Path, Positions
    from assent.types import Layer, Mode

    Table = Mapping[str, object]

MAX_CHARACTERS = 1_000_000
MODES: tuple[Mode, ...] = ("default", "plan", "full_auto")
UNTRUSTED: tuple[Mode, ...] = ("plan", "default")
VERDICTS = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}
KEYS = {
    "": (
        *("extends", "mode", "untrusted", "allow", "ask", "deny", "tools", "commands", "paths", "rule"),
        *(*DESCRIBED, "classifier", AUTO, "sandbox"),
    ),
    "tools": ("allow", "deny"),
    "commands": ("deny",),
    "paths": ("pattern", "allow"),
    "rule": ("id", "allow", "ask", "deny", "message", "unless", "args", "expires", "max", "match", "not_match"),
    "classifier": CLASSIFIER,
    "budget": BUDGET,
    "price": PRICE,
    "sandbox": SANDBOX,
}
"""Every key of the file format, by table; `policy.schema.json` describes the same."""

ADVICE = {
    "invalid value": 'text needs quotes, as in `mode = "plan"`',
    "cannot overwrite a value": "this key is already given above",
    "invalid statement": "a line is `key = value`, `[table]`, `[[table]]` or `# comment`",
}
DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
TIME = r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?"


@record
class Document:
    """What one policy file says."""

    file: str
    layer: Layer
    mode: Mode | None = None
    untrusted: Mode | None = None
    """The mode in which a repository starts that nobody has trusted yet."""
    extends: str = ""
    rules: tuple[Rule, ...] = ()
    allowed_tools: tuple[str, ...] = ()
    denied_tools: tuple[str, ...] = ()
    path_rules: tuple[tuple[str, bool], ...] = ()
    denied_commands: tuple[str, ...] = ()
    digest: str = ""
    descriptions: tuple[Rule, ...] = ()
    """Sentences that a model judges; the text of such a rule is the sentence."""
    classifier: tuple[Setting, ...] = ()
    auto_sandboxed: bool | None = None
    sandbox: tuple[tuple[str, tuple[str, ...]], ...] = ()


def read_document(text: str, *, file: str, layer: Layer, validate: Validate | None = None) -> Document:
    """Read a policy file; its topmost mistake is raised."""
    document, errors = check_document(text, file, layer, validate=validate)
    if document is None or errors:
        raise errors[0]
    return document


def check_document(
    text: str, file: str, layer: Layer, *, validate: Validate | None = None, prove: Prove | None = None
) -> tuple[Document | None, tuple[PolicyError, ...]]:
    """Read a policy file and list every mistake, top to bottom.

    `validate` refuses a rule's text; `prove` runs the examples of the rules that one `[[rule]]` makes.
    With a mistake, the document holds only what restricts; it is None where the text cannot be read at all.
    """
    from assent.policy.fields import Fields

    source = text.removeprefix("\ufeff").replace("\r\n", "\n")
    try:
        data, places = _parse(source)
    except PolicyError as error:
        return None, (PolicyError(error.message, file=file, line=error.line, column=error.column, help=error.help),)
    fields = Fields(file, layer, places, validate, prove)
    document = replace(_read_file(fields, data), digest=_digest(text))
    errors = tuple(sorted(fields.errors, key=lambda error: (error.line, error.column)))
    return (_restrictions(document) if errors else document), errors


def _restrictions(document: Document) -> Document:
    """INVARIANT: a file with a mistake in it contributes no allow."""
    return replace(
        document,
        mode="plan" if document.mode == "plan" else None,
        untrusted="plan" if document.untrusted == "plan" else None,
        extends="",
        rules=tuple(rule for rule in document.rules if rule.verdict != Verdict.ALLOW),
        allowed_tools=(),
        path_rules=tuple((pattern, allow) for pattern, allow in document.path_rules if not allow),
        auto_sandboxed=False if document.auto_sandboxed is False else None,
        sandbox=(),
        descriptions=tuple(rule for rule in document.descriptions if rule.verdict != Verdict.ALLOW),
    )


# --- text -> tables ------------------------------------------------------------------------------------------------


def _parse(source: str) -> tuple[Table, Positions]:
    import tomllib

    from assent.policy.positions import MAX_DEPTH, find_positions

    if len(source) > MAX_CHARACTERS:
        raise PolicyError(f"the file has {len(source)} characters, more than {MAX_CHARACTERS}")
    places = find_positions(source)
    _refuse_hidden(source, places)
    # INVARIANT: depth is limited before `tomllib` sees the text; its own work grows with the square of it.
    if places.too_deep >= 0:
        raise _placed("nested too deeply", places.place(places.too_deep), f"{MAX_DEPTH} levels are the limit")
    try:
        return tomllib.loads(source), places
    except (ValueError, RecursionError) as error:
        raise _not_toml(str(error), source, places) from None


def _refuse_hidden(source: str, places: Positions) -> None:
    import re

    from assent.policy.fields import HIDDEN

    if found := re.search(HIDDEN, source):
        code = f"U+{ord(found.group()):04X}"
        raise _placed(f"the file contains the control character {code}", places.place(found.start()), "remove it")


def _not_toml(message: str, source: str, places: Positions) -> PolicyError:
    """`tomllib` says where in words: `Invalid value (at line 3, column 7)`."""
    import re

    what, _, where = message.partition(" (at ")
    what = re.sub("'([^']+)'", r"`\1`", what[:1].lower() + what[1:])
    line, column = places.place(len(source)) if where else (0, 0)
    if numbers := re.fullmatch(r"line (\d+), column (\d+)\)", where):
        line, column = int(numbers[1]), int(numbers[2])
    if what.startswith("cannot "):  # placed after the value by tomllib; the key is what is wrong
        written = source.split("\n")[line - 1]
        column = len(written) - len(written.lstrip()) + 1
    return _placed(f"not TOML: {what}", (line, column), ADVICE.get(what, ""))


def _placed(message: str, place: tuple[int, int], help: str = "") -> PolicyError:
    return PolicyError(message, line=place[0], column=place[1], help=help)


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


# --- tables -> records ---------------------------------------------------------------------------------------------


def _read_file(fields: Fields, data: Table) -> Document:
    fields.known_keys(data, (), KEYS[""])
    tools, commands = fields.table(data, "tools"), fields.table(data, "commands")
    fields.known_keys(tools, ("tools",), KEYS["tools"])
    fields.known_keys(commands, ("commands",), KEYS["commands"])
    mode = fields.choice(data, "mode", "mode", MODES)
    untrusted = fields.choice(data, "untrusted", "mode for untrusted repositories", UNTRUSTED)
    return Document(
        file=fields.file,
        layer=fields.layer,
        mode=next((known for known in MODES if known == mode), None),
        untrusted=next((known for known in UNTRUSTED if known == untrusted), None),
        extends=fields.choice(data, "extends", "preset", PRESETS),
        rules=_read_rules(fields, data),
        allowed_tools=fields.strings(tools, ("tools",), "allow"),
        denied_tools=fields.strings(tools, ("tools",), "deny"),
        path_rules=tuple(_read_paths(fields, data)),
        denied_commands=fields.strings(commands, ("commands",), "deny"),
        descriptions=read_descriptions(fields, data),
        classifier=read_classifier(fields, data),
        auto_sandboxed=read_auto(fields, data),
        sandbox=read_sandbox(fields, data),
    )


def _read_paths(fields: Fields, data: Table) -> Iterator[tuple[str, bool]]:
    for path, table in fields.tables(data, "paths"):
        fields.known_keys(table, path, KEYS["paths"])
        for name in KEYS["paths"]:
            if name not in table:
                fields.fail(f"path rule without `{name}`", fields.places.value(path), f"add `{name} = …`")
        pattern, allow = fields.string(table, path, "pattern"), table.get("allow", False)
        if not isinstance(allow, bool):
            fields.wrong_type((*path, "allow"), "a boolean", allow)
        if pattern:
            yield pattern, allow is True


def _read_rules(fields: Fields, data: Table) -> tuple[Rule, ...]:
    """The short lists and the `[[rule]]` tables, in the order of the file."""
    tables = fields.tables(data, "rule")
    taken = _given_ids(fields, tables)
    rules: list[Rule] = []
    ordinal = 0
    for name in data:
        if name in VERDICTS:
            for text, place in fields.placed_strings(data, (), name):
                ordinal += 1
                rules += fields.rule(Rule(VERDICTS[name], text, id=_free_id(name, ordinal, taken)), place)
        elif name == "rule":
            for path, table in tables:
                ordinal += 1
                rules += _read_rule(fields, path, table, ordinal, taken)
    return tuple(rules)


def _given_ids(fields: Fields, tables: list[tuple[Path, Table]]) -> frozenset[str]:
    from assent.policy.fields import show

    lines: dict[str, int] = {}
    for path, table in tables:
        name = fields.string(table, path, "id")
        place = fields.places.value((*path, "id"))
        if any(letter.isspace() for letter in name):
            fields.fail(f"rule id {show(name)} contains a blank", place, "put `-` between words")
        if name in lines:
            fields.fail(f"rule id {show(name)} is used twice", place, f"first used on line {lines[name]}")
        elif name:
            lines[name] = place[0]
    return frozenset(lines)


def _free_id(verdict: str, ordinal: int, taken: frozenset[str]) -> str:
    """`deny-3`; an id that a person chose is never taken from them."""
    name = f"{verdict}-{ordinal}"
    while name in taken:
        name += "+"
    return name


def _read_rule(fields: Fields, path: Path, table: Table, ordinal: int, taken: frozenset[str]) -> list[Rule]:
    """One `[[rule]]`; a list of texts becomes several rules that share everything else, the id too."""
    fields.known_keys(table, path, KEYS["rule"])
    verdict = _read_verdict(fields, path, table)
    texts = fields.placed_strings(table, path, verdict, single=True) if verdict else []
    given = table.get("id")
    shared = Rule(
        VERDICTS.get(verdict, Verdict.DENY),
        "",
        id=given if isinstance(given, str) and given in taken else _free_id(verdict, ordinal, taken),
        message=fields.string(table, path, "message"),
        args=_read_args(fields, path, table, [text for text, _ in texts]),
        expires=_read_expires(fields, path, table),
        max=read_max(fields, path, table, verdict),
        match=fields.strings(table, path, "match"),
        not_match=fields.strings(table, path, "not_match"),
    )
    shared = replace(shared, unless=_read_unless(fields, path, table, shared))
    rules = [rule for text, place in texts for rule in fields.rule(replace(shared, text=text), place)]
    for name, number, error in fields.prove(tuple(rules)) if fields.prove and rules else ():
        fields.fail(error.message, fields.places.value((*path, name, number)), error.help)
    return rules


def _read_verdict(fields: Fields, path: Path, table: Table) -> str:
    given = [name for name in table if name in VERDICTS]
    if not given:
        fields.fail("rule without a verdict", fields.places.value(path), "add one of `allow`, `ask`, `deny`")
    elif len(given) > 1:
        place = fields.places.key((*path, given[1]))
        fields.fail(f"rule with both `{given[0]}` and `{given[1]}`", place, "write one rule for each")
    return given[0] if len(given) == 1 else ""


def _read_unless(fields: Fields, path: Path, table: Table, shared: Rule) -> tuple[str, ...]:
    bare = replace(shared, args=(), match=(), not_match=())
    placed = fields.placed_strings(table, path, "unless")
    return tuple(text for text, place in placed if fields.rule(replace(bare, text=text), place))


def _read_args(fields: Fields, path: Path, table: Table, texts: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Conditions on arguments; nested tables become dotted names."""
    from assent.policy.fields import show

    if "args" not in table:
        return ()
    path = (*path, "args")
    if not all(text.startswith(("Mcp", "MCP", "mcp__", "Tool")) for text in texts):
        advice = "only `Mcp(…)` and `Tool(…)` calls have arguments"
        fields.fail("`args` on a rule that is not `Mcp` or `Tool`", fields.places.key(path), advice)
        return ()
    found: dict[str, tuple[str, ...]] = {}
    for name, values, place in _flatten(fields, path, table["args"]):
        if name in found:
            fields.fail(f"argument {show(name)} is given twice", place)
        found[name] = values
    return tuple((name, values) for name, values in found.items() if values)


def _flatten(fields: Fields, path: Path, table: object) -> Iterator[tuple[str, tuple[str, ...], tuple[int, int]]]:
    from assent.policy.fields import hidden_character, show

    if not isinstance(table, dict):
        return fields.wrong_type(path, "a table", table)
    if not table:
        fields.fail(f"{show(str(path[-1]))} must not be empty", fields.places.key(path))
    for key, value in table.items():
        inner = (*path, key)
        if not key.strip() or hidden_character(key):
            fields.fail(f"{show(key)} is not the name of an argument", fields.places.key(inner))
        if not isinstance(value, dict):
            texts = fields.placed_strings(table, path, key, single=True)
            name = ".".join(str(part) for part in inner[3:])
            yield name, tuple(text for text, _ in texts), fields.places.key(inner)
        else:
            yield from _flatten(fields, inner, value)
    return None


def _read_expires(fields: Fields, path: Path, table: Table) -> float:
    """Seconds since 1970; 0 is "never", so a moment that would read as never is refused."""
    import datetime

    from assent.policy.fields import show

    if "expires" not in table:
        return 0.0
    value, path = table["expires"], (*path, "expires")
    advice = "write it like `2027-01-31` or `2027-01-31T18:00:00Z`"
    if not isinstance(value, (str, datetime.date)):
        fields.wrong_type(path, "a date", value, advice)
        return 0.0
    moment = _epoch(value)
    if moment is None:
        fields.fail(f"`expires` is not a date: {show(str(value))}", fields.places.value(path), advice)
    elif moment <= 0:
        fields.fail("`expires` is before 1970", fields.places.value(path), advice)
    return max(moment or 0.0, 0.0)


def _epoch(value: str | datetime.date) -> float | None:
    """The end of a day, or a moment in UTC unless it says otherwise; None if it is neither."""
    import datetime
    import re

    if isinstance(value, str):
        if not re.fullmatch(f"{DATE}({TIME})?", value):
            return None
        kind = datetime.date if len(value) == len("2027-01-31") else datetime.datetime
        try:
            value = kind.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime.datetime):
        moment = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
        return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)).total_seconds()
    return (value.toordinal() + 1 - datetime.date(1970, 1, 1).toordinal()) * 86_400.0
