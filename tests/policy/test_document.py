"""Policy files: what they mean, and what a person is told when one is wrong."""

from __future__ import annotations

import datetime
import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import assent.policy
from assent.errors import PolicyError
from assent.policy.compiled import PRESETS
from assent.policy.document import KEYS, MAX_CHARACTERS, MODES, Document, check_document, read_document
from assent.policy.fields import show
from assent.types import Rule, Verdict

SCHEMA = json.loads((Path(assent.policy.__path__[0]) / "policy.schema.json").read_text(encoding="utf-8"))
DAY = 86_400.0
NEW_YEAR_2027 = 1_798_761_600.0

FULL = """\
extends = "careful"
mode = "default"
# three lists
allow = ["Read(./docs/**)"]
ask = [
  "WebFetch",  # the web
  "WebSearch",
]
deny = ["Bash(curl:*)"]

[tools]
allow = ["write_file"]
deny = ["exec"]

[commands]
deny = ["rm -rf /*"]

[[paths]]
pattern = "/workspace/safe/**"
allow = true

[[paths]]
pattern = "/secret/**"
allow = false

[[rule]]
id = "no-force-push"
deny = "Bash(git push --force:*)"
message = "Push without --force, or open a pull request"
unless = ["Bash(git push --force-with-lease:*)"]
expires = 2027-01-01
match = ["git push -f origin main"]
not_match = ["git push origin main"]

[[rule]]
allow = ["Mcp(slack.post)",
  "Tool(post)"]
args.channel = ["C09*", "C10*"]
args.thread.id = "1*"
"""


def load(text: str) -> Document:
    return read_document(text, file="p.toml", layer="project")


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def rule(verdict: str, text: str, id: str, line: int, **more: Any) -> Rule:
    return Rule(Verdict[verdict.upper()], text, id=id, layer="project", file="p.toml", line=line, **more)


def errors_of(text: str) -> list[tuple[str, str]]:
    return [(f"{e.where}: {e.message}", e.help) for e in check_document(text, "p.toml", "project")[1]]


# --- good files ----------------------------------------------------------------------------------------------------


def test_everything_a_file_can_say() -> None:
    args = (("channel", ("C09*", "C10*")), ("thread.id", ("1*",)))
    assert load(FULL) == Document(
        file="p.toml",
        layer="project",
        mode="default",
        extends="careful",
        rules=(
            rule("allow", "Read(./docs/**)", "allow-1", 4),
            rule("ask", "WebFetch", "ask-2", 6),
            rule("ask", "WebSearch", "ask-3", 7),
            rule("deny", "Bash(curl:*)", "deny-4", 9),
            rule(
                "deny",
                "Bash(git push --force:*)",
                "no-force-push",
                28,
                message="Push without --force, or open a pull request",
                unless=("Bash(git push --force-with-lease:*)",),
                expires=NEW_YEAR_2027 + DAY,
                match=("git push -f origin main",),
                not_match=("git push origin main",),
            ),
            rule("allow", "Mcp(slack.post)", "allow-6", 36, args=args),
            rule("allow", "Tool(post)", "allow-6", 37, args=args),
        ),
        allowed_tools=("write_file",),
        denied_tools=("exec",),
        path_rules=(("/workspace/safe/**", True), ("/secret/**", False)),
        denied_commands=("rm -rf /*",),
        digest=sha(FULL),
    )


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n", "\ufeff", "allow = []\n[tools]\n"])
def test_a_file_that_says_nothing(text: str) -> None:
    assert load(text) == Document("p.toml", "project", digest=sha(text))


@pytest.mark.parametrize("text", ["\ufeff" + FULL, FULL.replace("\n", "\r\n"), "\ufeff" + FULL.replace("\n", "\r\n")])
def test_byte_order_mark_and_windows_line_ends_change_nothing_but_the_digest(text: str) -> None:
    changed, plain = load(text), load(FULL)
    assert (changed.rules, changed.path_rules, changed.digest) == (plain.rules, plain.path_rules, sha(text))


def test_places_are_the_same_with_windows_line_ends_and_a_byte_order_mark() -> None:
    text = 'mode = "default"\n[[rule]]\n  dney = "x"\n'
    assert errors_of("\ufeff" + text.replace("\n", "\r\n")) == errors_of(text)
    assert errors_of('\ufeffmod = "plan"') == [("p.toml:1:1: unknown key `mod`", "did you mean `mode`?")]


def test_an_id_that_a_person_chose_is_never_given_to_another_rule() -> None:
    document = load('deny = ["A", "B"]\n[[rule]]\nid = "deny-1"\ndeny = "C"\n')
    assert [r.id for r in document.rules] == ["deny-1+", "deny-2", "deny-1"]


def test_inline_tables_and_tables_below_a_rule_are_read_alike() -> None:
    inline = load('rule = [{ deny = "Mcp(a.b)", args = { x = { y = "1" } } }]')
    below = load('[[rule]]\ndeny = "Mcp(a.b)"\n[rule.args.x]\ny = ["1"]\n')
    assert inline.rules == (rule("deny", "Mcp(a.b)", "deny-1", 1, args=(("x.y", ("1",)),)),)
    assert below.rules == (rule("deny", "Mcp(a.b)", "deny-1", 2, args=(("x.y", ("1",)),)),)


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2027-01-01", NEW_YEAR_2027 + DAY),
        ('"2027-01-01"', NEW_YEAR_2027 + DAY),
        ("2027-01-01T00:00:00Z", NEW_YEAR_2027),
        ("2027-01-01T00:00:00", NEW_YEAR_2027),
        ("2027-01-01 00:00:00.5", NEW_YEAR_2027 + 0.5),
        ("2027-01-01T02:00:00+02:00", NEW_YEAR_2027),
        ('"2027-01-01T02:00+02:00"', NEW_YEAR_2027),
        ('"2027-01-01 00:00:00Z"', NEW_YEAR_2027),
        ("9999-12-31", 253_402_300_800.0),
    ],
)
def test_an_end_is_a_moment_in_utc_or_the_end_of_a_day(written: str, moment: float) -> None:
    (only,) = load(f'[[rule]]\ndeny = "X"\nexpires = {written}').rules
    assert only.expires == moment


def test_messages_and_examples_may_have_several_lines() -> None:
    (only,) = load('[[rule]]\ndeny = "X"\nmessage = """a\n\tb"""\nmatch = ["cat <<E\\nx\\nE"]').rules
    assert (only.message, only.match) == ("a\n\tb", ("cat <<E\nx\nE",))


# --- mistakes ------------------------------------------------------------------------------------------------------

KNOWN_RULE_KEYS = ", ".join(f"`{name}`" for name in KEYS["rule"])
DATE_HELP = "write it like `2027-01-31` or `2027-01-31T18:00:00Z`"
ARGS_HELP = "only `Mcp(…)` and `Tool(…)` calls have arguments"

STRUCTURE = [
    ('alow = ["X"]', "1:1: unknown key `alow`", "did you mean `allow`?"),
    ('[[rules]]\ndeny = "X"', "1:3: unknown key `rules`", "did you mean `rule`?"),
    ("[tools]\ndenied = []", "2:1: unknown key `denied`", "did you mean `deny`?"),
    ("[commands]\nallow = []", "2:1: unknown key `allow`", "known here: `deny`"),
    ('[[paths]]\npatern = "x"\nallow = true\npattern = "x"', "2:1: unknown key `patern`", "did you mean `pattern`?"),
    ('[[rule]]\ndeny = "X"\nzzz = 1', "3:1: unknown key `zzz`", f"known here: {KNOWN_RULE_KEYS}"),
    ('[[rule]]\ndeny = "X"\n\n[rule.zzz]\na = 1', "4:7: unknown key `zzz`", f"known here: {KNOWN_RULE_KEYS}"),
    ('"\\u001b[31m" = 1', "1:1: unknown key `\\x1b[31m`", None),
    ("mode = 3", "1:8: `mode` must be a string, not an integer", ""),
    ("mode = true", "1:8: `mode` must be a string, not a boolean", ""),
    ("mode = 1.5", "1:8: `mode` must be a string, not a float", ""),
    ("mode = 2027-01-01", "1:8: `mode` must be a string, not a date", ""),
    ("mode = 2027-01-01T00:00:00", "1:8: `mode` must be a string, not a date-time", ""),
    ("mode = []", "1:8: `mode` must be a string, not an array", ""),
    ("[mode]", "1:1: `mode` must be a string, not a table", ""),
    ('mode = ""', "1:8: `mode` must not be empty", ""),
    ('mode = "full-auto"', "1:8: unknown mode `full-auto`", "did you mean `full_auto`?"),
    ('mode = "yolo"', "1:8: unknown mode `yolo`", "one of `default`, `plan`, `full_auto`"),
    ('extends = "Carefull"', "1:11: unknown preset `Carefull`", "did you mean `careful`?"),
    ('allow = "X"', "1:9: `allow` must be an array of strings, not a string", 'write `allow = ["…"]`'),
    ('deny = [\n  "X",\n  7,\n]', "3:3: `deny` must hold strings, not an integer", ""),
    ('deny = ["X", ["Y"]]', "1:14: `deny` must hold strings, not an array", ""),
    ('ask = ["X", " "]', "1:13: `ask` must not hold an empty string", ""),
    ("[[tools]]", "1:1: `tools` must be a table, not an array", "write `[tools]` with one bracket"),
    ("tools = 1", "1:9: `tools` must be a table, not an integer", ""),
    ('[rule]\ndeny = "X"', "1:1: `rule` must be an array of tables, not a table", "write `[[rule]]` with two brackets"),
    ("rule = [1]", "1:9: `rule` must hold tables, not an integer", ""),
    ('[[paths]]\npattern = "x"', "1:1: path rule without `allow`", "add `allow = …`"),
    ("[[paths]]\nallow = true", "1:1: path rule without `pattern`", "add `pattern = …`"),
    ('[[paths]]\npattern = "x"\nallow = "yes"', "3:9: `allow` must be a boolean, not a string", ""),
    ('[[paths]]\npattern = ""\nallow = true', "2:11: `pattern` must not be empty", ""),
    ('# x\n[[rule]]\nmessage = "x"', "2:1: rule without a verdict", "add one of `allow`, `ask`, `deny`"),
    ('[[rule]]\nask = "X"\ndeny = "X"', "3:1: rule with both `ask` and `deny`", "write one rule for each"),
    ("[[rule]]\ndeny = 1", "2:8: `deny` must be a string or an array of strings, not an integer", ""),
    ("[[rule]]\ndeny = []", "2:8: `deny` must not be empty", ""),
    ('[[rule]]\ndeny = ""', "2:8: `deny` must not be empty", ""),
    ('[[rule]]\ndeny = ["X", ""]', "2:14: `deny` must not hold an empty string", ""),
    ('[[rule]]\ndeny = "X"\nid = ""', "3:6: `id` must not be empty", ""),
    ('[[rule]]\ndeny = "X"\nid = "a b"', "3:6: rule id `a b` contains a blank", "put `-` between words"),
    ('[[rule]]\ndeny = "X"\nid = 4', "3:6: `id` must be a string, not an integer", ""),
    ('[[rule]]\ndeny = "X"\nmessage = []', "3:11: `message` must be a string, not an array", ""),
    (
        '[[rule]]\ndeny = "X"\nmatch = "x"',
        "3:9: `match` must be an array of strings, not a string",
        'write `match = ["…"]`',
    ),
    ('[[rule]]\ndeny = "X"\nunless = [1]', "3:11: `unless` must hold strings, not an integer", ""),
    ('[[rule]]\ndeny = "Mcp(a.b)"\nargs = "x"', "3:8: `args` must be a table, not a string", ""),
    ('[[rule]]\ndeny = "Mcp(a.b)"\nargs = {}', "3:1: `args` must not be empty", ""),
    ('[[rule]]\ndeny = "Mcp(a.b)"\nargs.x = {}', "3:6: `x` must not be empty", ""),
    ('[[rule]]\ndeny = "Mcp(a.b)"\nargs.x = []', "3:10: `x` must not be empty", ""),
    ('[[rule]]\ndeny = "Mcp(a.b)"\nargs."" = "x"', "3:6: `` is not the name of an argument", ""),
    (
        '[[rule]]\ndeny = "Mcp(a.b)"\nargs.x.y = 1',
        "3:12: `y` must be a string or an array of strings, not an integer",
        "",
    ),
    ('[[rule]]\ndeny = "X"\nexpires = 7', "3:11: `expires` must be a date, not an integer", DATE_HELP),
    ('[[rule]]\ndeny = "X"\nexpires = "tomorrow"', "3:11: `expires` is not a date: `tomorrow`", DATE_HELP),
    ('[[rule]]\ndeny = "X"\nexpires = "20270101"', "3:11: `expires` is not a date: `20270101`", DATE_HELP),
]
"""Files whose shape is wrong: the schema refuses them too."""

MEANING = [
    ('[[rule]]\ndeny = "X"\nexpires = 07:00:00', "3:11: `expires` must be a date, not a time", DATE_HELP),
    ('[[rule]]\ndeny = "X"\nexpires = "2027-02-30"', "3:11: `expires` is not a date: `2027-02-30`", DATE_HELP),
    (
        '[[rule]]\ndeny = "X"\nexpires = "2027-01-01T25:00"',
        "3:11: `expires` is not a date: `2027-01-01T25:00`",
        DATE_HELP,
    ),
    ('[[rule]]\ndeny = "X"\nexpires = 1970-01-01T00:00:00Z', "3:11: `expires` is before 1970", DATE_HELP),
    ('[[rule]]\ndeny = "X"\nexpires = 1969-12-31', "3:11: `expires` is before 1970", DATE_HELP),
    (
        '[[rule]]\nid = "a"\ndeny = "X"\n[[rule]]\ndeny = "Y"\nid = "a"',
        "6:6: rule id `a` is used twice",
        "first used on line 2",
    ),
    (
        '[[rule]]\ndeny = "Bash(x)"\nargs.x = "y"',
        "3:1: `args` on a rule that is not `Mcp` or `Tool`",
        ARGS_HELP,
    ),
    (
        '[[rule]]\ndeny = ["Mcp(x)", "Read"]\n[rule.args]\nx = "y"',
        "3:7: `args` on a rule that is not `Mcp` or `Tool`",
        ARGS_HELP,
    ),
    ('[[rule]]\ndeny = "Mcp(x)"\nargs.a.b = "1"\nargs."a.b" = "2"', "4:6: argument `a.b` is given twice", ""),
    ('deny = ["a\\u001b[0m"]', "1:9: `deny` contains the control character U+001B", "remove it"),
    ('deny = ["a\\nb"]', "1:9: `deny` contains the control character U+000A", "remove it"),
    ('deny = ["""a\n"""]', "1:9: `deny` contains the control character U+000A", "remove it"),
    ('[[rule]]\ndeny = "X"\nmessage = "a\\rb"', "3:11: `message` contains the control character U+000D", "remove it"),
    ('[[rule]]\ndeny = "X"\nmatch = ["\\u202e"]', "3:10: `match` contains the control character U+202E", "remove it"),
    ('[[rule]]\ndeny = "X"\nid = "a\\u0000"', "3:6: `id` contains the control character U+0000", "remove it"),
]
"""Files whose shape is right and whose meaning is not."""

QUOTES = 'text needs quotes, as in `mode = "plan"`'
LINES = "a line is `key = value`, `[table]`, `[[table]]` or `# comment`"
UNREADABLE = [
    ("mode = plan", "1:8: not TOML: invalid value", QUOTES),
    ('mode = "plan"\n= 3', "2:1: not TOML: invalid statement", LINES),
    ('mode "plan"', "1:6: not TOML: expected `=` after a key in a key/value pair", ""),
    (
        'a = 1\n  mode = "plan"\n  mode = "plan"',
        "3:3: not TOML: cannot overwrite a value",
        "this key is already given above",
    ),
    ("[tools]\n[tools]", "2:1: not TOML: cannot declare (`tools`,) twice", ""),
    ('deny = ["X"', "1:12: not TOML: unclosed array", ""),
    ('mode = "pl\nan"', "1:11: not TOML: illegal character `\\n`", ""),
    ('mode = "pl\x00an"', "1:11: the file contains the control character U+0000", "remove it"),
    ('mode = "plan" # \x1b[2K', "1:17: the file contains the control character U+001B", "remove it"),
    ("a = 1\n# \u202e abc", "2:3: the file contains the control character U+202E", "remove it"),
    ("a = 1\rb = 2", "1:6: the file contains the control character U+000D", "remove it"),
    ("a = 1\nb = '\udc80'", "2:6: the file contains the control character U+DC80", "remove it"),
    ("a = " + "[" * 40 + "]" * 40, "1:37: nested too deeply", "32 levels are the limit"),
    ("a." * 40 + "a = 1", "1:66: nested too deeply", "32 levels are the limit"),
]
"""Files that are not TOML, or not TOML that a person can see."""


@pytest.mark.parametrize(("text", "expected", "help"), [*STRUCTURE, *MEANING, *UNREADABLE])
def test_a_mistake_is_told_with_place_and_advice(text: str, expected: str, help: str | None) -> None:
    ((told, advice),) = errors_of(text)
    assert told == f"p.toml:{expected}"
    assert help is None or advice == help
    with pytest.raises(PolicyError) as caught:
        load(text)
    assert (f"{caught.value.where}: {caught.value.message}", caught.value.help) == (told, advice)


def test_every_mistake_is_listed_from_top_to_bottom() -> None:
    text = """\
[[rule]]
id = "a"
mesage = 1
ask = ""
[[rule]]

[tools]
deny = [1]
x = 1
[[rule]]
id = "a"
deny = "X"
"""
    assert [told for told, _ in errors_of(text)] == [
        "p.toml:3:1: unknown key `mesage`",
        "p.toml:4:7: `ask` must not be empty",
        "p.toml:5:1: rule without a verdict",
        "p.toml:8:9: `deny` must hold strings, not an integer",
        "p.toml:9:1: unknown key `x`",
        "p.toml:11:6: rule id `a` is used twice",
    ]


def test_a_file_with_a_mistake_keeps_what_restricts_and_nothing_that_allows() -> None:
    document, errors = check_document(FULL.replace("message", "mesage"), "p.toml", "project")
    full = load(FULL)
    assert len(errors) == 1
    assert document is not None
    assert [r.text for r in document.rules] == [r.text for r in full.rules if r.verdict != Verdict.ALLOW]
    assert document.path_rules == (("/secret/**", False),)
    assert (document.mode, document.extends, document.allowed_tools) == (None, "", ())
    assert (document.denied_tools, document.denied_commands) == (full.denied_tools, full.denied_commands)
    plan, _ = check_document('mode = "plan"\nx = 1', "p.toml", "project")
    assert plan is not None
    assert plan.mode == "plan"


@pytest.mark.parametrize("text", [text for text, _, _ in UNREADABLE])
def test_a_file_that_cannot_be_read_gives_no_document(text: str) -> None:
    assert check_document(text, "p.toml", "user")[0] is None


def test_a_number_that_python_refuses_is_an_error_of_the_file() -> None:
    ((told, _),) = errors_of("a = " + "9" * 5000)
    assert told.startswith("p.toml: not TOML: ")


def test_a_file_that_is_too_large_is_refused() -> None:
    ((told, _),) = errors_of("#" * (MAX_CHARACTERS + 1))
    assert told == f"p.toml: the file has {MAX_CHARACTERS + 1} characters, more than {MAX_CHARACTERS}"


def test_long_input_is_cut_when_shown() -> None:
    assert show("x" * 100) == "`" + "x" * 80 + "…`"


# --- the hook for rule texts ---------------------------------------------------------------------------------------


def refuse_bad(rule: Rule) -> None:
    if "bad" in rule.text:
        raise PolicyError(f"bad rule `{rule.text}`", help="write a good one")


def test_rule_texts_and_exceptions_are_validated_and_the_place_is_added() -> None:
    text = """\
allow = ["good",
  "bad1"]
[[rule]]
deny = [ "good", 'bad2' ]
unless = ["good", "bad3"]
[[rule]]
ask =   "bad4"
"""
    document, errors = check_document(text, "p.toml", "user", validate=refuse_bad)
    assert [str(e) for e in errors] == [
        "p.toml:2:3: bad rule `bad1` (write a good one)",
        "p.toml:4:18: bad rule `bad2` (write a good one)",
        "p.toml:5:19: bad rule `bad3` (write a good one)",
        "p.toml:7:9: bad rule `bad4` (write a good one)",
    ]
    assert document is not None
    assert [(r.text, r.unless) for r in document.rules] == [("good", ("good",))]


def test_the_hook_sees_complete_rules_and_each_exception_once() -> None:
    seen: list[Rule] = []
    text = '[[rule]]\nid = "a"\ndeny = ["X", "Y"]\nunless = [\n"Z"]\nmatch = ["m"]'
    document = read_document(text, file="p.toml", layer="project", validate=seen.append)
    assert seen == [rule("deny", "Z", "a", 5), *document.rules]


def test_other_errors_of_the_hook_are_not_swallowed() -> None:
    def broken(rule: Rule) -> None:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        read_document('deny = ["X"]', file="p.toml", layer="user", validate=broken)


# --- the schema ----------------------------------------------------------------------------------------------------


def as_json(value: Any) -> Any:
    """A parsed file as editors see it: dates are strings."""
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else value


def fits_schema(text: str) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMA).is_valid(as_json(tomllib.loads(text))))


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_and_the_loader_know_the_same_keys() -> None:
    top = SCHEMA["properties"]
    tables = {
        "": top,
        "tools": top["tools"]["properties"],
        "commands": top["commands"]["properties"],
        "paths": SCHEMA["$defs"]["path"]["properties"],
        "rule": SCHEMA["$defs"]["rule"]["properties"],
        "classifier": top["classifier"]["properties"],
        "budget": top["classifier"]["properties"]["budget"]["properties"],
        "price": top["classifier"]["properties"]["price"]["properties"],
        "sandbox": top["sandbox"]["properties"],
    }
    assert {name: set(keys) for name, keys in tables.items()} == {name: set(keys) for name, keys in KEYS.items()}
    words = {name: tuple(top[name]["enum"]) for name in ("mode", "extends")}
    assert words == {"mode": MODES, "extends": PRESETS}


def test_every_key_of_the_schema_is_described_with_examples_that_fit() -> None:
    tables = [
        SCHEMA,
        SCHEMA["$defs"]["path"],
        SCHEMA["$defs"]["rule"],
        *map(SCHEMA["properties"].get, ("tools", "commands", "classifier")),
        *map(SCHEMA["properties"]["classifier"]["properties"].get, ("budget", "price")),
    ]
    for table in tables:
        for name, written in table["properties"].items():
            described = SCHEMA["$defs"]["args"] if name == "args" else written
            assert described["description"], name
            for example in described["examples"]:
                jsonschema.validate(example, {**written, "$defs": SCHEMA["$defs"]})


@pytest.mark.parametrize(
    "text",
    [
        FULL,
        "",
        "allow = []",
        '[[rule]]\ndeny = "X"\nexpires = 2027-01-01T10:00:00.25+02:00',
        *(t for t, _, _ in MEANING[1:]),
    ],
)
def test_the_schema_accepts_what_has_the_right_shape(text: str) -> None:
    assert fits_schema(text)


@pytest.mark.parametrize("text", [text for text, _, _ in STRUCTURE])
def test_the_schema_refuses_what_has_the_wrong_shape(text: str) -> None:
    assert not fits_schema(text)
