"""Commands that carry secrets, and all the places that keep a text of them: none of those holds the secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assent.audit.fields import told_fields
from assent.describe import question
from assent.desk import Desk
from assent.errors import InputError
from assent.grants import Grant, grants_file
from assent.masking import masked, secrets_in
from assent.pipeline import examine
from assent.policy.compiled import compile_policy
from assent.types import ToolCall
from decided import PROJECT, WORLD, case_of, decided

TABLE = Path(__file__).parent / "secret_commands.txt"
ROWS = [line for line in TABLE.read_text().splitlines() if line and line[0] != "#"]


def command_of(row: str) -> str:
    return row.replace("‹", "").replace("›", "")


def secrets_of(row: str) -> list[str]:
    return [piece.split("›")[0] for piece in row.split("‹")[1:]]


@pytest.mark.parametrize("row", ROWS)
def test_the_journal_and_suggested_rules_keep_none(row: str) -> None:
    command, secrets = command_of(row), secrets_of(row)
    hidden = masked(command)
    assert [secret for secret in secrets if secret in hidden] == []
    assert masked(hidden) == hidden
    decision = decided(command)
    rules = "\n".join((*decision.suggestions, *decision.together))
    assert [secret for secret in secrets if secret in rules] == []


@pytest.mark.parametrize("row", ROWS)
def test_the_whole_text_says_which_parts_are_secret(row: str) -> None:
    found = "\n".join(secrets_in(command_of(row)))
    assert [secret for secret in secrets_of(row) if secret not in found] == []


@pytest.mark.parametrize("row", ROWS)
def test_what_is_said_about_a_command_shows_none(row: str) -> None:
    call = ToolCall("Bash", {"command": command_of(row)}, cwd=PROJECT, workspace=PROJECT)
    policy = compile_policy()
    case, decision = examine(call, policy, WORLD)
    assert case is not None
    asked = question("id", policy, case, decision, WORLD)
    said = [asked.sentence, *asked.why, *(part.why for part in asked.parts), *(text for _, text in asked.trace)]
    said += [text for _, found in asked.targets for text in found]
    said += [rule for choice in asked.choices for rule in choice.rules]
    assert [text for text in said for secret in secrets_of(row) if secret in text] == []


@pytest.mark.parametrize("row", ROWS)
def test_a_record_of_the_journal_keeps_none(row: str) -> None:
    command = command_of(row)
    case, decision = case_of(command)
    told = {
        "tool": "Bash",
        "command": command,
        "reason": decision.reason,
        "reasons": [reason.text for reason in decision.reasons],
        "effects": [{"kind": effect.kind, "target": effect.target} for effect in case.effects],
        "gaps": [gap.why for gap in case.gaps],
    }
    kept = json.dumps(told_fields("decision", told), ensure_ascii=False)
    assert [secret for secret in secrets_of(row) if secret in kept] == []


@pytest.mark.parametrize("row", ROWS[::7])
def test_a_grant_keeps_none(row: str, tmp_path: Path) -> None:
    state, command = str(tmp_path), command_of(row)
    grant = Grant("", command, PROJECT, "mark", 1.0)
    desk = Desk(state)
    desk.grant(grant, by="ann", via="test")
    desk.close()
    kept = json.dumps(json.loads(Path(grants_file(state)).read_text()), ensure_ascii=False)
    assert [secret for secret in secrets_of(row) if secret in kept] == []


@pytest.mark.parametrize("row", ROWS[::7])
def test_a_grant_with_a_secret_in_its_rule_is_refused(row: str, tmp_path: Path) -> None:
    grant = Grant("", "x", PROJECT, "", 1.0, rules=(f"Bash({command_of(row)})",))
    desk = Desk(str(tmp_path))
    with pytest.raises(InputError, match="keep a secret"):
        desk.grant(grant, by="ann", via="test")
    desk.close()


@pytest.mark.parametrize(
    ("command", "suggestions"),
    [
        ("mysql -uroot -phunter2 -e 'select 1'", ()),
    ],
)
def test_a_shorter_rule_without_the_secret_may_be_offered(command: str, suggestions: tuple[str, ...]) -> None:
    assert decided(command).suggestions == suggestions
