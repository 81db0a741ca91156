"""A decision costs a bounded number of steps and looks at the disk, and says so where that is not enough."""

from __future__ import annotations

import cProfile
from pathlib import Path

import pytest

from assent import Guard, PermissionChecker, PermissionSettings, bash_tool_has_permission
from assent.budget import FOLLOWING, LOCATING, LOOKING, READING, SHORT_OF, STATING, STEPS, TOO_LARGE, Budget
from assent.cli.batch import Batch
from assent.pipeline import examine
from assent.policy.compiled import Policy, compile_policy
from assent.policy.lookup import PathFilter, path_is_caught
from assent.record import replace
from assent.testing import FrozenWorld
from assent.types import PermissionDecision, Rule, ToolCall, Verdict
from assent.wire import dumps
from assent.world import DiskWorld
from costly import LINES, TOOLS, largest
from decided import FILES, HOME, PROJECT, WORLD, case_of, decided, policy_of

WORDS = "cat " + " ".join(f"a{n}" for n in range(12_000))
PARTS = "true; " * 1_500 + "true"
LONG = {
    READING: WORDS,
    FOLLOWING: PARTS,
    STATING: "cat " + " ".join(f"a{n}" for n in range(4_000)),
}
RULES = policy_of(
    deny=["Bash(git push --force:*)", "Bash(* --hard)", "Read(**/customers/**)", "Write(./docs/**)", "Read(**/*.sec)"],
    ask=["Bash(npm run * --watch)", "Read(**/notes*/**)"],
    allow=["Bash(ls:*)", "Bash(cat:*)"],
)


def too_large(decision: PermissionDecision) -> str:
    """The gap that says so, which must be the first of all."""
    assert decision.gaps, decision.reason
    return decision.gaps[0].why


# --- the answer ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", LONG)
def test_what_is_too_large_asks_and_says_why(stage: int) -> None:
    decision = decided(LONG[stage])
    assert (decision.verdict, too_large(decision)) == (Verdict.ASK, SHORT_OF[stage])
    assert any(reason.text == f"not fully understood: {SHORT_OF[stage]}" for reason in decision.reasons)
    assert decision.suggestions == ()


@pytest.mark.parametrize("stage", LONG)
def test_no_mode_rule_or_sandbox_lets_it_pass(stage: int) -> None:
    command = LONG[stage]
    assert decided(command, policy_of(mode="full_auto")).verdict == Verdict.ASK
    assert decided(command, policy_of(allow=["Bash", "Bash(cat:*)", "Read"])).verdict == Verdict.ASK
    assert decided(command, compile_policy(allowed_tools=["Bash"])).verdict == Verdict.ASK
    planned = decided(command, policy_of(mode="plan"))
    assert (planned.verdict, planned.decided_by) == (Verdict.DENY, "plan")
    call = ToolCall("Bash", {"command": command}, cwd=PROJECT, workspace=PROJECT)
    inside = compile_policy(sandbox={"auto": True})
    assert examine(call, inside, WORLD, sandbox="inside")[1].verdict == Verdict.ASK


def test_what_is_large_but_fits_is_answered_as_usual() -> None:
    text = "some text that is written to a file\n" * 1_500
    assert decided(f"cat > /dev/null <<'E'\n{text}E\n", policy_of(mode="full_auto")).allowed
    assert decided("cat " + " ".join(f"a{n}" for n in range(1_000))).allowed
    assert decided(f"grep -c '{text}' a.txt").allowed


@pytest.mark.parametrize("stage", LONG)
def test_every_entry_point_answers_alike(stage: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    command = LONG[stage]
    line = {"id": 1, "tool": "Bash", "input": {"command": command}, "cwd": str(tmp_path), "policy": {}}
    guard = Guard(settings=PermissionSettings(workspace=str(tmp_path)), channels=[])
    call = ToolCall("Bash", {"command": command}, cwd=str(tmp_path), workspace=str(tmp_path))
    wanted = f"not fully understood: {SHORT_OF[stage]}"
    said = [
        [reason.text for reason in PermissionChecker(PermissionSettings()).judge(call).reasons],
        [reason.text for reason in bash_tool_has_permission(command).decision.reasons],
        [reason.text for reason in guard.judge.judge(call, 0.0).decision.reasons],
    ]
    assert all(wanted in texts for texts in said)
    assert Batch()(dumps(line).encode())["verdict"] == "ask"


# --- what is still denied ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", LONG)
@pytest.mark.parametrize("closed", ["cat ~/.ssh/id_rsa", "cat < ~/.ssh/id_rsa", "cp x ~/.config/assent/policy.toml"])
def test_the_floor_denies_before_and_behind_what_is_too_large(stage: int, closed: str) -> None:
    for command in (f"{closed}; {LONG[stage]}", f"{LONG[stage]}; {closed}"):
        decision = decided(command)
        assert (decision.verdict, decision.decided_by, too_large(decision)[: len(TOO_LARGE)]) == (
            Verdict.DENY,
            "floor",
            TOO_LARGE,
        )


@pytest.mark.parametrize("words", [300, 3_000, 9_000, 30_000])
def test_a_closed_path_is_found_among_any_number_of_words(words: int) -> None:
    assert decided(f"cat {'a ' * words}~/.ssh/id_rsa {'b ' * words}").verdict == Verdict.DENY


@pytest.mark.parametrize("part", ["true; ", "true && ", "ls\n", "x=1; ", "echo 'a b'; ", "(true); ", "f() { :; }; "])
@pytest.mark.parametrize("number", [60, 1_000, 12_000])
def test_rules_on_words_are_compared_with_all_parts(part: str, number: int) -> None:
    for denied in ("git push --force origin", "cd x && FOO=1 git push -f", "bash -c 'git push -f'"):
        decision = decided(f"{part * number}{denied}", RULES)
        assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "deny"), denied


def test_a_quote_in_a_text_hides_no_line_behind_it() -> None:
    text = "cat <<'E'\nit's a text\nE\n" + "true\n" * 5_000 + "git push --force\n"
    assert decided(text, RULES).verdict == Verdict.DENY


def test_past_the_budget_paths_are_still_compared_by_their_names() -> None:
    paths = " ".join(f"src/{n}" for n in range(2_500))
    assert decided(f"rm -f {paths}; cat x/customers/a.csv", RULES).verdict == Verdict.DENY


# --- what it costs -------------------------------------------------------------------------------------------------

MOST_CALLS = 5_000_000
"""Calls of functions for one decision about 64 kB, none of which may take more than its length allows; the machine that
this was written on makes five in a microsecond."""


def calls_for(call: ToolCall, policy: Policy) -> int:
    """How many functions of ours are called to decide: the same number on every machine."""
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    examine(call, policy, WORLD)
    profile.disable()
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("name", LINES)
def test_no_line_takes_longer_than_its_budget(name: str) -> None:
    call = ToolCall("Bash", {"command": largest(LINES[name])[1]}, cwd=PROJECT, workspace=PROJECT)
    assert calls_for(call, RULES) < MOST_CALLS


@pytest.mark.parametrize("name", TOOLS)
def test_no_other_tool_does(name: str) -> None:
    tool, given = TOOLS[name](1_000)
    assert calls_for(ToolCall(tool, given, cwd=PROJECT, workspace=PROJECT), RULES) < MOST_CALLS


def test_links_and_copies_of_the_same_line_cost_no_more_than_others() -> None:
    for unit in ("ln -s a b; ", "cp -r src b; ", "mv a b; ", "find . -exec ls {} \\; ; ", "cd a && "):
        few, many = (
            calls_for(ToolCall("Bash", {"command": f"{unit * n}true"}, cwd=PROJECT, workspace=PROJECT), RULES)
            for n in (10, 40)
        )
        assert many < 20 * few


# --- the counter ---------------------------------------------------------------------------------------------------


def test_each_stage_leaves_something_to_the_next() -> None:
    budget = Budget()
    assert budget.left(READING) < budget.left(FOLLOWING) < budget.left(STATING) < budget.left(LOCATING) == STEPS
    assert budget.take(budget.left(READING), READING)
    assert not budget.take(1, READING)
    assert (budget.spent, budget.ended, budget.why) == (True, READING, SHORT_OF[READING])
    assert budget.take(1, FOLLOWING)
    assert not budget.take(STEPS, LOCATING)
    assert budget.ended == READING  # the first counts


def test_looks_end_once_and_for_all() -> None:
    budget = Budget(looks=10)
    assert budget.look(4)
    assert not budget.look(7)
    assert (budget.look(), budget.looks, budget.ended) == (False, 0, LOOKING)


def test_what_is_lent_asks_nobody() -> None:
    budget = Budget()
    lent = budget.lend(100, STATING)
    assert (lent.left(READING), budget.steps) == (100, STEPS - 100)
    assert not lent.take(101, READING)
    assert not budget.spent


# --- the disk ------------------------------------------------------------------------------------------------------


class Counting(DiskWorld):
    """A disk that says how many looks a decision took."""

    __slots__ = ("budget",)

    def now(self, budget: Budget | None = None) -> Counting:
        self.budget = budget
        return super().now(budget)


def looks_for(command: str, folder: Path, policy: Policy | None = None) -> tuple[int, PermissionDecision]:
    world = Counting(home=str(folder.parent))
    call = ToolCall("Bash", {"command": command}, cwd=str(folder), workspace=str(folder))
    _, decision = examine(call, policy or policy_of(), world)
    assert world.budget is not None
    return Budget().looks - world.budget.looks, decision


@pytest.mark.parametrize(
    "command", ["find / -name x", "ls -R /", "grep -r x /", "tar cf a.tar ~", "du -s /", "rm -r ~"]
)
@pytest.mark.parametrize("mode", ["default", "plan", "full_auto"])
def test_nobody_walks_through_the_whole_disk(command: str, mode: str, tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    policy = policy_of(mode=mode)  # type: ignore[arg-type]
    assert looks_for(command, tmp_path / "proj", policy)[0] < 500


def test_a_large_tree_asks_and_says_why(tmp_path: Path) -> None:
    project = tmp_path / "proj"
    for folder in range(40):
        (project / f"d{folder}").mkdir(parents=True)
        for file in range(600):
            (project / f"d{folder}/{file}").touch()
    for policy in (policy_of(), RULES):
        decision = looks_for("grep -r x .", project, policy)[1]
        assert (decision.verdict, too_large(decision)) == (Verdict.ASK, SHORT_OF[LOOKING])
    assert looks_for("cat d1/* ~/.ssh/id_rsa", project)[1].verdict == Verdict.DENY


def test_without_looks_nothing_is_seen_and_everything_says_so() -> None:
    world = WORLD.now(Budget(looks=0))
    place = world.locate("../.ssh/x", PROJECT)
    assert (place.path, place.exists, place.trouble) == (f"{HOME}/.ssh/x", False, TOO_LARGE)
    assert world.below(PROJECT, lambda path: True) == ((), False)
    assert world.matching("*", PROJECT) == ((), False) or not world.matching("*", PROJECT)[1]


# --- the quick look at rules ---------------------------------------------------------------------------------------

PATTERNS = [
    *(
        "**/customers/**",
        "**/*.key",
        "**/a",
        "**/a*",
        "**/*a*",
        "**/x/*.py",
        "./docs/**",
        "./d*/x",
        "~/x/**",
        "/opt/**",
    ),
    *("/opt/*/b", "**/[ab]c", "*.md", "src/**/gen/*", "./", "**", "~/.cache/*", "**/.b?", "/**/q", "A/b"),
]
NAMES = ["customers", "a", "ab", "xay", "x", "docs", "dx", "b", "opt", "src", "gen", "ac", "q", "m.py", "k.key", "r.md"]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("folded", [False, True])
def test_the_quick_look_never_misses_what_a_rule_catches(pattern: str, folded: bool) -> None:
    case = case_of("true")[0]
    folders = [
        f"{root}/{one}/{two}" for root in (PROJECT, HOME, "", "/opt") for one in NAMES for two in ("b", "docs", "K")
    ]
    for policy in (
        policy_of(deny=[f"Read({pattern})"]),
        policy_of(ask=[f"Write({pattern})"]),
        compile_policy([Rule(Verdict.ALLOW, "Read", unless=(f"Read({pattern})",))]),
    ):
        quick = PathFilter(policy, case, folded=folded)
        for folder in folders:
            for path in (folder, *(f"{folder}/{name}" for name in (*NAMES, "A", "DOCS"))):
                if path_is_caught(policy, path, case, folded=folded):
                    assert quick.may_be_caught(path), path


def test_a_frozen_world_counts_like_a_disk() -> None:
    many = FrozenWorld(FILES | {f"{PROJECT}/many/{n}": "" for n in range(3_000)})
    budget = Budget(looks=1_000)
    assert many.now(budget).below(f"{PROJECT}/many", lambda path: True)[1] is False
    assert budget.spent
    assert replace(decided("ls many", world=many), gaps=()).allowed
