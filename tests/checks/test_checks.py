"""Every check is proven by its own examples and documented by its own docstring."""

from types import ModuleType

import pytest

from assent.checks import ON_SEVERAL, all_checks, decode_to_interpreter, hidden_text
from assent.pipeline import build_case
from assent.policy.compiled import compile_policy
from assent.testing import FrozenWorld
from assent.types import Analysis, Effect, ToolCall, Verdict
from assent.understand import understand

WORLD = FrozenWorld({"/home/dev/p/.env": "S", "/home/dev/p/README.md": "", "/home/dev/p/x.sh": "", "/home/dev/p/a": ""})
COMMANDS = [
    pytest.param(check, command, found, id=f"{check.ID}: {command[:50]}")
    for check in all_checks()
    for command, found in getattr(check, "COMMANDS", {}).items()
]


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.ID)
def test_a_check_explains_itself(check: ModuleType) -> None:
    text = check.__doc__ or ""
    assert text.startswith(f"{check.ID}: ")
    assert all(part in text for part in ("**What it finds.**", "**Why.**", "**Instead.**"))
    examples = getattr(check, "COMMANDS", None) or check.EXAMPLES
    assert set(examples.values()) == {True, False}, "examples that are found and examples that are not"


@pytest.mark.parametrize(("text", "found"), hidden_text.EXAMPLES.items())
def test_hidden_text_finds_its_examples(text: str, found: bool) -> None:
    in_name = list(hidden_text.find(Analysis((Effect("read", text),))))
    in_command = list(hidden_text.find(Analysis((Effect("note", "x"),), text=text)))
    assert [bool(in_name), bool(in_command)] == [found, found]
    assert all(finding.verdict == Verdict.ASK for finding in in_name + in_command)


@pytest.mark.parametrize(("check", "command", "found"), COMMANDS)
def test_a_check_finds_its_commands(check: ModuleType, command: str, found: bool) -> None:
    call = ToolCall("Bash", {"command": command}, cwd="/home/dev/p", workspace="/home/dev/p")
    case = build_case(call, understand(call, WORLD.home), compile_policy(), WORLD, ())
    assert (check.ID in {finding.check for finding in case.findings}) == found


def test_no_decoder_is_left_out() -> None:
    assert ON_SEVERAL["decode_to_interpreter"] == decode_to_interpreter.DECODERS.keys()
