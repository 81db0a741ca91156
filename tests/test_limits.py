"""Rules that vouch only so often: over the limit the call asks, and the count is exact however many count at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from approval.asking import yes
from assent import limits
from assent.errors import AssentError
from assent.limits import counts, limits_file, take
from assent.pipeline import examine
from assent.policy.compiled import Policy, compile_policy
from assent.policy.document import check_document
from assent.policy.limits import limit_key
from assent.policy.lint import lint
from assent.questions import Answer, ApprovalRequest
from assent.types import PermissionDecision, Rule, ToolCall, Verdict
from decided import PROJECT, WORLD
from guarding import Scene
from scene import Scene as Home

HOUR = 3_600.0
RULE = Rule(Verdict.ALLOW, "Bash(make:*)", id="builds", max="2/hour", file="p.toml")
KEY = limit_key(RULE)
POLICY = '[[rule]]\nid = "builds"\nallow = "Bash(mkdir:*)"\nmax = "2/hour"\n'


# --- deciding ------------------------------------------------------------------------------------------------------


def decided(command: str, rules: Policy, used: dict[str, int] | None) -> PermissionDecision:
    call = ToolCall("Bash", {"command": command}, cwd=PROJECT, workspace=PROJECT)
    return examine(call, rules, WORLD, counts=used)[1]


@pytest.mark.parametrize(("used", "expected"), [(0, "allow"), (1, "allow"), (2, "ask"), (3, "ask")])
def test_the_rule_vouches_until_its_limit(used: int, expected: str) -> None:
    assert str(decided("make test", compile_policy([RULE]), {KEY: used}).verdict) == expected


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("2/hour", "more than 2 in the last hour (rule builds)"),
        ("2/minute", "more than 2 in the last minute (rule builds)"),
        ("2/day", "more than 2 in the last day (rule builds)"),
        ("2/session", "more than 2 in this session (rule builds)"),
    ],
)
def test_the_reason_says_how_many_and_which_rule(limit: str, text: str) -> None:
    rule = Rule(Verdict.ALLOW, "Bash(make:*)", id="builds", max=limit, file="p.toml")
    decision = decided("make test", compile_policy([rule]), {KEY: 2})
    assert (decision.reason, decision.decided_by, decision.decisive.rule) == (text, "limit", rule)
    assert decision.suggestions == ()


def test_no_mode_answers_for_a_rule_that_is_used_up() -> None:
    full = compile_policy([RULE], mode="full_auto")
    assert decided("make test", full, {KEY: 2}).verdict == Verdict.ASK
    assert decided("make test", full, {KEY: 1}).verdict == Verdict.ALLOW


def test_another_rule_may_still_vouch() -> None:
    other = Rule(Verdict.ALLOW, "Bash(make test)", id="tests")
    assert decided("make test", compile_policy([RULE, other]), {KEY: 2}).decisive.rule == other
    path = Rule(Verdict.ALLOW, "Write(./**)", id="w", max="1/hour", file="p.toml")
    second = Rule(Verdict.ALLOW, "Write(./src/**)", id="s")
    made = decided("touch src/x", compile_policy([path, second]), {limit_key(path): 1})
    assert made.decisive.rule == second


def test_limits_hold_for_rules_on_paths_and_tools_as_well() -> None:
    write = Rule(Verdict.ALLOW, "Write(./src/**)", id="w", max="1/day", file="p.toml")
    assert decided("touch src/x", compile_policy([write]), {limit_key(write): 1}).decided_by == "limit"
    tool = Rule(Verdict.ALLOW, "Mcp(slack.post)", id="m", max="1/day", file="p.toml")
    call = ToolCall("mcp__slack__post", {}, cwd=PROJECT, workspace=PROJECT)
    found = [examine(call, compile_policy([tool]), WORLD, counts={limit_key(tool): n})[1] for n in (0, 1)]
    assert [str(one.verdict) for one in found] == ["allow", "ask"]


def test_where_nobody_counts_the_rule_vouches_for_nothing() -> None:
    decision = decided("make test", compile_policy([RULE]), None)
    assert decision.reason == "rule builds is limited to 2/hour, and nobody counts here"
    assert decision.verdict == Verdict.ASK


# --- counting ------------------------------------------------------------------------------------------------------


def test_uses_count_for_their_period_and_no_longer(tmp_path: Path) -> None:
    state = str(tmp_path)
    assert [take(state, [RULE], "s", now) for now in (0.0, 10.0, 20.0)] == [True, True, False]
    assert counts(state, [RULE], "s", 20.0) == {KEY: 2}
    assert take(state, [RULE], "other session", 30.0) is False
    assert counts(state, [RULE], "s", HOUR + 5) == {KEY: 1}
    assert take(state, [RULE], "s", HOUR + 5) is True
    assert take(state, [RULE], "s", HOUR + 6) is False


def test_a_session_has_a_count_of_its_own(tmp_path: Path) -> None:
    rule = Rule(Verdict.ALLOW, "Bash(make:*)", id="builds", max="1/session")
    assert [take(str(tmp_path), [rule], session, 1.0) for session in ("a", "a", "b", "")] == [True, False, True, True]


def test_all_rules_of_a_call_are_used_or_none(tmp_path: Path) -> None:
    other = Rule(Verdict.ALLOW, "Bash(ls:*)", id="lists", max="1/hour", file="p.toml")
    assert take(str(tmp_path), [RULE, other], "s", 1.0)
    assert not take(str(tmp_path), [RULE, other], "s", 2.0)
    assert counts(str(tmp_path), [RULE, other], "s", 3.0) == {KEY: 1, limit_key(other): 1}


def test_texts_of_one_rule_share_its_count(tmp_path: Path) -> None:
    twin = Rule(Verdict.ALLOW, "Bash(ninja:*)", id="builds", max="2/hour", file="p.toml")
    assert take(str(tmp_path), [RULE, twin], "s", 1.0)
    assert counts(str(tmp_path), [RULE], "s", 2.0) == {KEY: 1}


COUNTING = """
import sys
sys.path.insert(0, {src!r})
from assent.limits import take
from assent.types import Rule, Verdict
rule = Rule(Verdict.ALLOW, "Bash(make:*)", id="builds", max="25/hour", file="p.toml")
sys.stdin.readline()
print(sum(take({state!r}, [rule], "s", 1.0) for _ in range(20)))
"""


def test_the_count_is_exact_under_parallel_processes(tmp_path: Path) -> None:
    text = COUNTING.format(src=str(Path(limits.__file__).parents[1]), state=str(tmp_path))
    words = [sys.executable, "-I", "-S", "-c", text]
    pipe = subprocess.PIPE
    started = [subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) for _ in range(4)]
    done = [one.communicate("go\n", timeout=60) for one in started]
    assert [error for _, error in done] == [""] * 4
    assert sum(int(out) for out, _ in done) == 25


@pytest.mark.parametrize("spoil", ["garbage", "shared", "link"])
def test_a_file_that_cannot_be_believed_counts_for_nothing(tmp_path: Path, spoil: str) -> None:
    file = Path(limits_file(str(tmp_path)))
    if spoil == "link":
        file.symlink_to(tmp_path / "elsewhere.db")
        (tmp_path / "elsewhere.db").touch()
    else:
        file.write_text("no database" * 100)
        file.chmod(0o666 if spoil == "shared" else 0o600)
    with pytest.raises(AssentError, match=r"limits\.db"):
        take(str(tmp_path), [RULE], "s", 1.0)
    with pytest.raises(AssentError, match=r"limits\.db"):
        counts(str(tmp_path), [RULE], "s", 1.0)


# --- a guard, a clock and people -----------------------------------------------------------------------------------


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    made.policy(POLICY)
    yield made
    made.close()


def test_the_guard_counts_what_it_allows_and_then_asks(scene: Scene) -> None:
    asked: list[ApprovalRequest] = []

    def says(request: ApprovalRequest) -> Answer | None:
        asked.append(request)
        return yes(request)

    guard, _ = scene.guard(says)
    assert [scene.bash(guard, f"mkdir {name}").state for name in "abc"] == ["allowed", "allowed", "approved"]
    assert asked[0].why == ("more than 2 in the last hour (rule builds) — Bash(mkdir:*) (" + _where(scene) + ")",)
    scene.now += HOUR + 1
    assert scene.bash(guard, "mkdir d").state == "allowed"


def _where(scene: Scene) -> str:
    return f"{scene.home}/config/assent/policy.toml:3"


def test_what_is_denied_or_refused_uses_nothing(scene: Scene) -> None:
    guard, _ = scene.guard(on_ask="deny")
    for _ in range(3):
        assert scene.bash(guard, "mkdir a && rm b").state == "unasked"
    assert [scene.bash(guard, "mkdir a").state for _ in range(3)] == ["allowed", "allowed", "unasked"]


def test_two_guards_share_the_count_of_one_user(scene: Scene) -> None:
    one, two = scene.guard(on_ask="deny")[0], scene.guard(on_ask="deny", session="s2")[0]
    assert [scene.bash(guard, "mkdir a").allowed for guard in (one, two, one, two)] == [True, True, False, False]


def test_a_guard_that_was_too_slow_asks(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process takes the last use between the decision and the count."""
    guard, person = scene.guard()
    claim = guard.judge.claim

    def late(judged: object, now: float) -> bool:
        monkeypatch.setattr(guard.judge, "claim", claim)
        other = scene.guard(on_ask="deny")[0]
        assert [scene.bash(other, "mkdir a").allowed for _ in range(2)] == [True, True]
        return claim(judged, now)  # type: ignore[arg-type]

    monkeypatch.setattr(guard.judge, "claim", late)
    assert scene.bash(guard, "mkdir b").state == "approved"
    assert len(person.offered) == 1


def test_without_a_limit_no_count_is_kept(scene: Scene) -> None:
    scene.policy('allow = ["Bash(mkdir:*)"]\n')
    guard, _ = scene.guard()
    assert scene.bash(guard, "mkdir a").allowed
    assert not Path(limits_file(str(scene.state))).exists()


def test_a_broken_count_is_a_question(scene: Scene) -> None:
    file = Path(limits_file(str(scene.state)))
    file.write_text("no database" * 100)
    file.chmod(0o600)
    guard, _ = scene.guard(on_ask="deny")
    assert "nobody counts here" in scene.bash(guard, "mkdir a").reason


# --- the policy file -----------------------------------------------------------------------------------------------


def test_a_limit_is_read_from_the_file() -> None:
    found, errors = check_document(POLICY, "p.toml", "user")
    assert found is not None
    assert ([rule.max for rule in found.rules], errors) == (["2/hour"], ())
    assert [rule.max for rule in compile_policy(found.rules).limited()] == ["2/hour"]


@pytest.mark.parametrize(
    "text", ["20", "0/hour", "x/hour", "-1/hour", "20/week", "20/", "/hour", "1e3/day", "٣/hour", "1234567/day"]
)
def test_what_is_no_limit_is_a_mistake(text: str) -> None:
    _, errors = check_document(f'[[rule]]\nallow = "Bash(x)"\nmax = "{text}"\n', "p", "user")
    assert [(error.message, error.line) for error in errors] == [(f"`max` is no limit: `{text}`", 3)]


@pytest.mark.parametrize("verdict", ["ask", "deny"])
def test_only_an_allow_has_a_limit(verdict: str) -> None:
    _, errors = check_document(f'[[rule]]\n{verdict} = "Bash(x)"\nmax = "1/day"\n', "p", "user")
    assert [error.message for error in errors] == ["`max` on a rule that does not allow"]


def test_lint_wants_a_name_for_what_is_counted() -> None:
    found, _ = check_document('[[rule]]\nallow = "Bash(make test)"\nmax = "1/day"\n' + POLICY, "p", "user")
    assert found is not None
    warned = [(one.rule.id, one.help) for one in lint(found.rules, 1.0)]
    assert warned == [("allow-1", "give it an `id`")]


# --- the other doors -----------------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    made = Home(tmp_path, monkeypatch)
    made.user(POLICY)
    return made


def hook(home: Home) -> str:
    """What Claude Code's hook answers to `mkdir a`."""
    call = {"tool_name": "Bash", "tool_input": {"command": "mkdir a"}, "tool_use_id": "t", "session_id": "s"}
    payload = {**call, "cwd": str(home.project), "hook_event_name": "PreToolUse", "permission_mode": "default"}
    done = home.start("hook", "claude-code", "--on-ask", "host", stdin=json.dumps(payload))
    answer: str = done.json["hookSpecificOutput"]["permissionDecision"]
    return answer


def test_a_hook_counts_and_then_asks(home: Home) -> None:
    assert [hook(home) for _ in range(3)] == ["allow", "allow", "ask"]


def test_looking_uses_nothing(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        assert home.run(capsys, "check", "mkdir a").code == 0
        assert home.run(capsys, "explain", "mkdir a").code == 0
    assert [hook(home) for _ in range(2)] == ["allow", "allow"]
    done = home.run(capsys, "check", "mkdir a")
    assert (done.code, "more than 2 in the last hour (rule builds)" in done.out) == (3, True)
