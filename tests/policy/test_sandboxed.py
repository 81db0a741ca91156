"""The sandbox as a step of the decision: it answers the mode's question, nothing else, and only where it is true."""

from __future__ import annotations

import pytest

from assent.pipeline import examine
from assent.policy.compiled import Policy, compile_policy
from assent.policy.document import Document, check_document
from assent.policy.load import Source, combine
from assent.policy.settings import PermissionSettings
from assent.policy.steps import bash_steps
from assent.types import PermissionDecision, Rule, ToolCall, Verdict
from decided import PROJECT, WORLD

LISTS = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}


def policy(*, auto: bool = True, mode: str = "default", **rules: str) -> Policy:
    made = [Rule(LISTS[name], text) for name, text in rules.items()]
    return compile_policy(made, mode=mode, sandbox={"auto": True} if auto else None)  # type: ignore[arg-type]


def judged(command: str, rules: Policy, sandbox: str = "inside", tool: str = "Bash") -> tuple[PermissionDecision, str]:
    call = ToolCall(tool, {"command": command}, cwd=PROJECT, workspace=PROJECT)
    case, decision = examine(call, rules, WORLD, sandbox=sandbox)
    assert case is not None
    return decision, dict(bash_steps(rules, case, decision)).get("1 sandbox", "")


def verdict(command: str, rules: Policy, sandbox: str = "inside") -> str:
    decision, _ = judged(command, rules, sandbox)
    return f"{decision.verdict} by {decision.decided_by}"


@pytest.mark.parametrize(
    "command",
    ["make test", "rm -rf src", "python3 -c 'import x'", "curl https://x.example/", "a | b && c > d", "touch /srv/x"],
)
def test_inside_the_modes_question_is_answered(command: str) -> None:
    assert verdict(command, policy()) == "allow by sandbox"
    assert verdict(command, policy(), sandbox="") == "ask by mode"


def test_the_reason_says_so() -> None:
    decision, step = judged("make test", policy())
    assert (decision.reason, step) == ("runs in the sandbox", "allow: runs in the sandbox")


@pytest.mark.parametrize(
    ("command", "rules", "expected"),
    [
        ("cat ~/.ssh/id_rsa", policy(), "deny by floor"),
        ("true; touch x", policy(deny="Bash(touch:*)"), "deny by deny"),
        ("true && touch x", policy(ask="Bash(touch:*)"), "ask by ask"),
        ("cat src/app.py", policy(ask="Read(./src/**)"), "ask by ask"),
        ("touch x", policy(mode="plan"), "deny by plan"),
        ("git push --force", policy(), "ask by ask"),
        ("sudo make", policy(), "ask by ask"),
        ("echo x > .envrc", policy(), "ask by ask"),
        ("$PROGRAM x", policy(), "ask by mode"),
        ("echo 'x", policy(), "ask by mode"),
    ],
)
def test_everything_that_holds_back_still_does(command: str, rules: Policy, expected: str) -> None:
    assert verdict(command, rules) == expected


def test_only_shell_commands_run_in_it() -> None:
    call = ToolCall("Write", {"file_path": "src/app.py", "content": ""}, cwd=PROJECT, workspace=PROJECT)
    assert examine(call, policy(), WORLD, sandbox="inside")[1].verdict == Verdict.ASK


def test_an_agent_cannot_say_that_it_does() -> None:
    call = ToolCall("Bash", {"command": "make", "sandbox": "inside", "sandboxed": True}, cwd=PROJECT, workspace=PROJECT)
    assert examine(call, policy(), WORLD)[1].verdict == Verdict.ASK


@pytest.mark.parametrize(
    ("rules", "sandbox", "said"),
    [
        (policy(auto=False), "", "skipped: auto_allow_bash_if_sandboxed is not set"),
        (policy(auto=False), "inside", "inside, but auto_allow_bash_if_sandboxed is not set"),
        (policy(), "", "skipped: this command does not run in the sandbox"),
        (policy(), "no bwrap", "skipped: the sandbox answers nothing here: no bwrap"),
        (policy(deny="Bash(make:*)"), "inside", "inside, but deny: make test matches deny rule: Bash(make:*)"),
    ],
)
def test_the_step_tells_the_truth(rules: Policy, sandbox: str, said: str) -> None:
    decision, step = judged("make test", rules, sandbox)
    assert step == said
    assert not decision.allowed


def document(text: str, layer: str = "user") -> Document:
    found, errors = check_document(text, f"{layer}.toml", layer)  # type: ignore[arg-type]
    assert found is not None
    assert not errors, errors
    return found


AUTO = "auto_allow_bash_if_sandboxed = "
TABLE = '[sandbox]\nagents = ["codex"]\nnetwork = ["pypi.org"]\nread = ["~/a", "b"]\nwrite = ["~/.cache/pip"]\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"user": "true"}, True),
        ({"managed": "true"}, True),
        ({"user": "false"}, False),
        ({"project": "true"}, False),
        ({"local": "true"}, False),
        ({"user": "true", "project": "false"}, False),
        ({"user": "true", "managed": "false"}, False),
        ({"user": "false", "managed": "true"}, False),
        ({}, False),
    ],
)
def test_who_may_turn_it_on_and_who_off(files: dict[str, str], expected: bool) -> None:
    made, _ = combine(Source(document(AUTO + value, layer)) for layer, value in files.items())
    assert made.auto_sandboxed is expected


def test_the_table_counts_from_your_own_file_only() -> None:
    mine, notices = combine([Source(document(AUTO + "true\n" + TABLE))])
    lists = {"agents": ["codex"], "network": ["pypi.org"], "read": ["~/a", "b"], "write": ["~/.cache/pip"]}
    assert (mine.table["sandbox"], notices) == ({**lists, "auto": True}, ())
    theirs, notices = combine([Source(document(AUTO + "true\n" + TABLE, "project"))])
    assert theirs.table["sandbox"] == {}
    assert notices == (
        "project.toml: `auto_allow_bash_if_sandboxed` and `[sandbox]` are ignored: "
        "only your own file and managed ones open the sandbox",
    )


def test_a_file_that_others_may_write_opens_nothing() -> None:
    made, _ = combine([Source(document(AUTO + "true\n" + TABLE), trusted=False)])
    assert made.table["sandbox"] == {}


def test_a_file_with_a_mistake_opens_nothing() -> None:
    found, errors = check_document(AUTO + "true\nfrob = 1\n" + TABLE, "p", "user")
    assert errors
    assert found is not None
    assert (found.auto_sandboxed, found.sandbox) == (None, ())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (AUTO + '"yes"', "`auto_allow_bash_if_sandboxed` must be a boolean, not a string"),
        ('[sandbox]\nfrob = ["x"]', "unknown key `frob`"),
        ('[sandbox]\nagents = ["cursor"]', "the commands of `cursor` cannot be moved"),
        ("[sandbox]\nagents = true", "`agents` must be an array of strings, not a boolean"),
        ('[sandbox]\nread = "x"', "`read` must be an array of strings, not a string"),
        ('[sandbox]\nread = ["~/.ssh"]', "`~/.ssh` is closed for every tool, in the sandbox too"),
        (
            '[sandbox]\nwrite = ["~/.aws/credentials"]',
            "`~/.aws/credentials` is closed for every tool, in the sandbox too",
        ),
        ('[sandbox]\nwrite = ["/"]', "`/` cannot be let into the sandbox"),
        ('[sandbox]\nwrite = ["~"]', "`~` cannot be let into the sandbox"),
        ('[sandbox]\nwrite = ["../x"]', "`../x` cannot be let into the sandbox"),
        ('[sandbox]\nread = ["~other/x"]', "`~other/x` cannot be let into the sandbox"),
        ('[sandbox]\nnetwork = ["https://pypi.org"]', "`https://pypi.org` is no name of a host"),
        ('[sandbox]\nnetwork = ["*.org"]', "`*.org` is no name of a host"),
    ],
)
def test_mistakes_are_found(text: str, says: str) -> None:
    _, errors = check_document(text, "p", "user")
    assert [error.message for error in errors] == [says]


def test_python_settings_have_it_too() -> None:
    assert PermissionSettings(auto_allow_bash_if_sandboxed=True).compile().auto_sandboxed
    assert not PermissionSettings().compile().auto_sandboxed
