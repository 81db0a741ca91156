"""`PermissionChecker`: claims, settings, suggestions, failures of ours, and that it is the same pipeline."""

import pytest

from assent import (
    PathRuleConfig,
    PermissionChecker,
    PermissionMode,
    PermissionSettings,
    PolicyError,
    Rule,
    ToolCall,
    Verdict,
)
from assent.testing import FrozenWorld
from assent.types import Place

WORLD = FrozenWorld({"/home/dev/proj/src/app.py": "x", "/home/dev/proj/.git/HEAD": "", "/home/dev/.ssh/id_rsa": "k"})
MODES = list(PermissionMode)


def checker(**settings: object) -> PermissionChecker:
    return PermissionChecker(PermissionSettings(**settings), world=WORLD)  # type: ignore[arg-type]


def verdict(subject: PermissionChecker, tool: str, claim: bool | None = None, **facts: object) -> str:
    return str(subject.evaluate(tool, is_read_only=claim, cwd="/home/dev/proj", **facts).verdict)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "claim", "expected"),
    [
        ("default", True, "allow"),
        ("default", False, "ask"),
        ("plan", True, "allow"),
        ("plan", False, "deny"),
        ("full_auto", True, "allow"),
        ("full_auto", False, "allow"),
    ],
)
def test_a_tool_described_by_its_claim_alone_follows_the_mode(mode: str, claim: bool, expected: str) -> None:
    assert verdict(checker(mode=PermissionMode(mode)), "my_tool", claim) == expected


def test_without_a_workspace_reads_are_free_and_with_one_they_stay_inside() -> None:
    assert verdict(checker(), "read_file", file_path="/etc/hosts") == "allow"
    inside = checker(workspace="/home/dev/proj")
    assert verdict(inside, "read_file", file_path="src/app.py") == "allow"
    assert verdict(inside, "read_file", file_path="/etc/fstab") == "ask"
    wider = checker(workspace="/home/dev/proj", path_rules=[PathRuleConfig("/etc/*", allow=True)])
    assert verdict(wider, "read_file", file_path="/etc/hosts") == "allow"
    assert verdict(wider, "write_file", False, file_path="/etc/hosts") == "ask"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("claim", [True, False, None])
def test_no_claim_mode_or_allowed_tool_opens_the_floor(mode: PermissionMode, claim: bool | None) -> None:
    subject = checker(mode=mode, allowed_tools=["read_file", "exec"], allow=["Read"])
    assert verdict(subject, "read_file", claim, file_path="~/.ssh/id_rsa") == "deny"


def test_a_claim_of_read_only_is_believed_for_the_mode_and_for_nothing_else() -> None:
    plan = PermissionMode.PLAN
    for subject in (checker(), checker(mode=plan)):
        assert verdict(subject, "exec", True, command="rm x") == "allow"
        assert verdict(subject, "exec", True, command="frobnicate x") == "allow"
        assert verdict(subject, "glob", True, file_path="/home/dev/proj/src") == "allow"
        assert verdict(subject, "web_fetch", True) == "allow"
        assert verdict(subject, "exec", True, command="cat ~/.ssh/id_rsa") == "deny"
        assert verdict(subject, "exec", True, command="git push --force") == "ask"
        assert verdict(subject, "exec", True, command="cat .env") == "ask"
        assert verdict(subject, "exec", True, command='"$TOOL" x') == "ask"
    denied = checker(mode=PermissionMode.FULL_AUTO, deny=["Write(**/x)", "Bash(rm:*)"])
    assert verdict(denied, "write_file", True, file_path="/home/dev/x") == "deny"
    assert verdict(denied, "exec", True, command="rm x") == "deny"
    assert verdict(checker(ask=["Bash(rm:*)"]), "exec", True, command="rm x") == "ask"


def test_a_denied_path_cannot_be_listed_either() -> None:
    subject = checker(mode=PermissionMode.FULL_AUTO, path_rules=[PathRuleConfig("/home/dev/proj/src/*", allow=False)])
    assert verdict(subject, "exec", command="ls src") == "deny"
    assert verdict(subject, "exec", command="ls -la src/app.py") == "deny"
    assert verdict(subject, "list_dir", input={"path": "src"}) == "deny"
    assert verdict(subject, "exec", command="ls") == "allow"
    assert verdict(subject, "exec", command="find . -name '*.py'") == "allow"


def test_allowed_tools_beat_the_mode_but_not_what_is_denied_or_asked() -> None:
    plan = checker(mode=PermissionMode.PLAN, allowed_tools=["write_file"])
    assert verdict(plan, "write_file", file_path="/home/dev/proj/a") == "allow"
    assert verdict(plan, "write_file", file_path="/home/dev/proj/.git/hooks/x") == "ask"
    assert verdict(plan, "edit_file", file_path="/home/dev/proj/a") == "deny"
    both = checker(allowed_tools=["write_file"], deny=["Write(**/a)"])
    assert verdict(both, "write_file", file_path="/home/dev/proj/a") == "deny"
    rules = checker(mode=PermissionMode.PLAN, allow=["Write(/**)"])
    assert verdict(rules, "write_file", file_path="/home/dev/proj/a") == "deny"


def test_denied_tools_are_found_under_every_spelling() -> None:
    subject = checker(mode=PermissionMode.FULL_AUTO, denied_tools=["Bash", "web-fetch"])
    for tool in ("bash", "BASH", "run_shell_command", "exec"):
        assert verdict(subject, tool, command="ls") == "deny"
    assert verdict(subject, "Web_Fetch", command="x") == "deny"


def test_a_rule_that_makes_no_sense_is_an_error_when_the_checker_is_made() -> None:
    with pytest.raises(PolicyError, match="unknown tool `Raed`"):
        checker(allow=["Raed(x)"])


def test_whole_rules_bring_message_exceptions_and_an_end() -> None:
    rule = Rule(Verdict.DENY, "Write(**/*.lock)", message="run the package manager instead", unless=("Write(/tmp/**)",))
    subject = checker(mode=PermissionMode.FULL_AUTO, deny=[rule])
    decision = subject.evaluate("write_file", file_path="/home/dev/proj/uv.lock")
    assert (str(decision.verdict), decision.reason, decision.decisive.rule) == ("deny", rule.message, rule)
    assert verdict(subject, "write_file", file_path="/tmp/uv.lock") == "allow"
    over = Rule(Verdict.DENY, "Write(**/*.lock)", expires=1.0)
    assert verdict(checker(mode=PermissionMode.FULL_AUTO, deny=[over]), "write_file", file_path="/a/uv.lock") == "allow"


def test_suggestions_are_narrow_first_and_would_really_allow_the_call() -> None:
    subject = checker(workspace="/home/dev/proj")
    call = {"file_path": "src/new.py", "content": "x"}
    decision = subject.evaluate("Write", input=call, cwd="/home/dev/proj")
    assert decision.suggestions == ("Write(./src/new.py)", "Write(./src/**)")
    for text in decision.suggestions:
        assert (
            checker(workspace="/home/dev/proj", allow=[text])
            .evaluate("Write", input=call, cwd="/home/dev/proj")
            .allowed
        )


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Read", {"file_path": ".env"}),
        ("Write", {"file_path": ".git/config", "content": ""}),
        ("Bash", {"command": "make > .git/config"}),
        ("Write", {"file_path": "a", "unknown": 1}),
        ("apply_patch", {"patch": "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch"}),
    ],
)
def test_no_rule_is_suggested_that_could_not_allow_the_whole_call(tool: str, fields: dict[str, object]) -> None:
    subject = checker(workspace="/home/dev/proj")
    assert subject.evaluate(tool, input=fields, cwd="/home/dev/proj").suggestions == ()


class BrokenWorld(FrozenWorld):
    def locate(self, path: str, cwd: str) -> Place:
        raise OSError("the disk is gone")


def test_a_failure_of_ours_is_a_denial_that_says_so() -> None:
    subject = PermissionChecker(PermissionSettings(mode=PermissionMode.FULL_AUTO), world=BrokenWorld({}))
    decision = subject.evaluate("read_file", file_path="/x")
    assert (str(decision.verdict), decision.decided_by) == ("deny", "error")
    assert decision.reason == "the checker failed: OSError: the disk is gone"


def test_the_policy_digest_changes_with_the_policy_and_only_then() -> None:
    call = ToolCall("Read", {"file_path": "/x"})
    first, same, other = checker(deny=["Read(/y)"]), checker(deny=["Read(/y)"]), checker(deny=["Read(/z)"])
    assert first.judge(call).policy_digest == same.judge(call).policy_digest != other.judge(call).policy_digest
