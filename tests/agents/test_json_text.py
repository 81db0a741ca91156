"""Adding to a JSON text and taking from it leaves everything else as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agents.hosts.json_text import plain, read_text, with_item, with_member, without
from assent.errors import InputError

OURS = {"matcher": "*", "hooks": [{"type": "command", "command": "assent"}]}
PATH = ("hooks", "PreToolUse")
TEXTS = [
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    '{"a": 1}',
    '{"a": 1, "hooks": {}}',
    '{"hooks": {"PreToolUse": []}}',
    '{\n  "a": 1\n}\n',
    '{\n\t"a": [\n\t\t1\n\t]\n}\n',
    '{\r\n    "a": {"b": 2}\r\n}\r\n',
    '{\n  "hooks": {\n    "PreToolUse": [\n      {"matcher": "Bash", "hooks": [{"command": "x"}]}\n    ]\n  }\n}',
    '{\n  // a comment\n  "hooks": {\n    "PostToolUse": [] /* another */\n  }, // the end\n}\n',
    '\ufeff{\n  "ä": "\\u00e4"\n}\n',
]


def is_ours(value: Any) -> bool:
    return bool(value.get("command") == "assent")


def strict(text: str) -> Any:
    """What the text means, read by this reader; equal to Python's own where that understands it."""
    return plain(read_text(text))


@pytest.mark.parametrize("text", TEXTS)
def test_an_item_is_added_and_the_rest_stays(text: str) -> None:
    before, after = strict(text), strict(with_item(text, PATH, OURS))
    assert after["hooks"]["PreToolUse"][-1] == OURS
    after["hooks"]["PreToolUse"].pop()
    expected = json.loads(json.dumps(before))
    expected.setdefault("hooks", {}).setdefault("PreToolUse", [])
    assert after == expected


@pytest.mark.parametrize("text", [text for text in TEXTS if text not in ("{ }", "{\n}\n")])
def test_taking_it_away_gives_the_old_text_back(text: str) -> None:
    kept: list[tuple[str, ...]] = [PATH[:1]] if "hooks" in strict(text) else []
    kept += [PATH] if "PreToolUse" in strict(text).get("hooks", {}) else []
    assert without(with_item(text, PATH, OURS), is_ours, kept) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"hooks": {"PreToolUse": [{"hooks": [{"command": "assent"}, {"command": "x"}]}]}}', {"x"}),
        ('{"hooks": {"PreToolUse": [{"hooks": [{"command": "x"}, {"command": "assent"}]}]}}', {"x"}),
        ('{"hooks": {"PreToolUse": [{"hooks": [{"command": "assent"}]}, {"hooks": [{"command": "x"}]}]}}', {"x"}),
        ('{"hooks": {"A": [{"hooks": [{"command": "assent"}]}], "B": [{"hooks": [{"command": "x"}]}]}}', {"x"}),
        ('{"hooks": {"A": [{"hooks": [{"command": "assent"}]}]}, "b": 1}', set()),
        ('{"hooks": { /* mine */ "A": [{"hooks": [{"command": "assent"}]}], }, "b": 1}', set()),
    ],
)
def test_hooks_of_others_stay(text: str, rest: set[str]) -> None:
    found = strict(without(text, is_ours))
    groups = [group for event in found.get("hooks", {}).values() for group in event]
    assert {hook["command"] for group in groups for hook in group["hooks"]} == rest


def test_comments_survive_the_loss_of_everything_around_them() -> None:
    text = '{ /* mine */ "hooks": {"A": [{"hooks": [{"command": "assent"}]}]}, }'
    assert without(text, is_ours) == "{ /* mine */  }"


def test_a_member_is_added_at_the_end() -> None:
    assert with_member('{\n  "a": 1\n}\n', "version", 1) == '{\n  "a": 1,\n  "version": 1\n}\n'


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", '{"a"}', '{"a": }', "[1 2]", "{} {}", '{"a": 1 "b": 2}', "/* ", '{"hooks": 1}', "[]"),
        *('{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{"hooks": {}, "hooks": {}}', "[" * 1000),
    ],
)
def test_what_cannot_be_changed_is_an_error(text: str) -> None:
    with pytest.raises(InputError):
        with_item(text, PATH, OURS)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
SETTINGS = st.dictionaries(st.text(max_size=5).filter(lambda key: key != "hooks"), VALUES, max_size=4)


@given(SETTINGS, st.sampled_from([None, 2, 4, "\t"]), st.booleans())
def test_any_settings_come_back_to_the_byte(
    settings: dict[str, Any], indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(settings, indent=indent, ensure_ascii=ascii_only)
    assert strict(text) == settings
    added = with_item(text, PATH, OURS)
    assert json.loads(added) == {**settings, "hooks": {"PreToolUse": [OURS]}}
    assert without(added, is_ours) == text
