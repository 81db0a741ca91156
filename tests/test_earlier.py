"""What earlier parts of a command line make is counted, although the disk does not show it yet."""

from __future__ import annotations

import pytest

from assent.budget import LOCATING, SHORT_OF
from assent.policy.compiled import Policy
from assent.testing import FrozenWorld
from assent.types import Verdict
from decided import FILES, PROJECT, decided, policy_of

WORKSPACE, FULL_AUTO = policy_of(preset="workspace"), policy_of(mode="full_auto")
POLICIES = pytest.mark.parametrize("policy", [WORKSPACE, FULL_AUTO])
AT = FrozenWorld(
    FILES
    | {
        f"{PROJECT}/{name}": "x"
        for name in (
            *("README.md", "a/f", "pack/workflows/ci.yml", "pack/-x", "docs/HEAD", "cc/x"),
            *("bare/HEAD", "bare/config", "bare/objects/x", "bare/refs/x", "dash/a/b"),
        )
    },
    links={f"{PROJECT}/a/k": "../../outside.txt", f"{PROJECT}/a/in": "f"},
)


def gaps(command: str, policy: Policy = FULL_AUTO) -> set[str]:
    return {gap.why for gap in decided(command, policy, AT).gaps}


# --- repositories --------------------------------------------------------------------------------------------------

MADE = "git would use a repository that was made just before"


@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p b/objects b/refs; printf x > b/HEAD; printf x > b/config; cd b; git status",
        "mkdir -p b/objects/x b/refs/y; cp docs/HEAD b; git -C b log",
        "mkdir -p docs/objects docs/refs; git -C docs status",
        "mkdir -p docs/sub docs/objects docs/refs; git -C docs/sub status",
        "echo ../bare > docs/commondir; git -C docs status",
        "cp -r bare b && git -C b status",
        "cp -r bare/. src && cd src && git status",
        "mv bare b && cd b && git log",
        "cp -r bare b; mv b c; git -C c status",
        "ln -s bare b; git -C b status",
        "mkdir -p b/.git; cd b; git status",
        "tar xf a.tar; cd new; git status",
        "unzip -d b a.zip && git -C b log",
    ],
)
def test_a_repository_that_the_line_makes_is_not_trusted(command: str) -> None:
    assert MADE in gaps(command)
    assert not decided(command, WORKSPACE, AT).allowed


@pytest.mark.parametrize(
    "command",
    [
        *("echo x > src/a.py && git status", "cp -r docs b && git -C b status", "echo x > config && git status"),
        *("touch b && git diff", "cp -r bare b && git status", "mkdir -p src/objects && cd src && git status"),
        *("cp README.md src/HEAD; git -C src log", "git status && mkdir -p docs/objects docs/refs"),
    ],
)
def test_what_is_no_part_of_a_repository_changes_nothing_about_it(command: str) -> None:
    assert decided(command, WORKSPACE, AT).allowed


@pytest.mark.parametrize(
    "command",
    ["mkdir new && cd new && git init && git status", "tar xf a.tar && git status", "unzip -d b a.zip; git log"],
)
def test_a_repository_that_is_there_or_that_git_makes_is_used(command: str) -> None:
    assert MADE not in gaps(command)


# --- names ---------------------------------------------------------------------------------------------------------


@POLICIES
@pytest.mark.parametrize(
    "command",
    [
        *("touch ./-i; sed p *", "mkdir -p -- '-o.git/hooks'; sort */*", "cd src; touch ./-i; sed p *"),
        *("cp pack/-x .; sort *", "cp -r pack/. .; sort *", "cp pack/* .; sort ?x", "mv pack q; cd q; sort *"),
    ],
)
def test_a_pattern_may_stand_for_an_option_that_the_line_makes(command: str, policy: Policy) -> None:
    assert not decided(command, policy, AT).allowed


@POLICIES
@pytest.mark.parametrize(
    "command", ["touch ./-i; cat ./*", "touch a-b; cat *.txt", "touch ./-i; cat src/*", "touch ./-i; cat *.txt"]
)
def test_other_names_that_the_line_makes_are_no_options(command: str, policy: Policy) -> None:
    assert decided(command, policy, AT).allowed


def test_a_pattern_in_another_folder_holds_a_name_that_begins_with_a_dash() -> None:
    at = FrozenWorld({**FILES, f"{PROJECT}/src/-x": ""})
    assert not decided("cd src; sort *", None, at).allowed
    assert decided("sort src/*", None, at).allowed


@POLICIES
@pytest.mark.parametrize(
    "command",
    [
        'mkdir -p "src/x /etc"; touch "src/x /etc/passwd"; find src -type f | xargs cat',
        'touch "src/x /etc/passwd"; for f in src/*; do cat $f; done',
        'touch "odd x"; mv "odd x" src; find src | xargs cat',
    ],
)
def test_a_name_that_the_line_makes_may_be_taken_apart(command: str, policy: Policy) -> None:
    assert not decided(command, policy, AT).allowed


@POLICIES
def test_a_plain_name_that_the_line_makes_is_not_taken_apart(policy: Policy) -> None:
    assert decided("touch src/new.py; find src -type f | xargs cat", policy, AT).allowed


# --- links ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        *("mv a/k k; cat k", "mv a b; cat b/k", "cp -r a b; cat b/k", "cp -a a b; cat b/a/k", "mv a/* .; cat k"),
        *("cp -P a/k k; cat k", "cp -d a/k k; cat k"),
        *("rsync -a a/ ./; cat k", "rsync -a a b; cat b/a/k", "cp -r a t; mv t/k k; cat k", "mv a/in in; cat in"),
        *("ln -s ~ src/h; mv src/h h; cat h/x", "ln -s ~ src/h; mv src s; cat s/h/x"),
        *("cp -r a b; find b | xargs cat", "cp -r a b; diff -r docs b", "ln -s ~ src/h; diff -r docs src"),
        *("ln -s ~ c; cat c*/x", "ln -s ~/.config c; cp README.md c*/assent/policy.toml", "ln -s ~ c; cat [c]/x"),
    ],
)
def test_a_link_leads_elsewhere_from_where_it_is_taken(command: str) -> None:
    assert any(why.endswith("leads through a link made just before") for why in gaps(command))


@pytest.mark.parametrize(
    "command",
    [
        "mv a b; cat b/f",
        "mv a/f f; cat f",
        "cp -r src s; cat s/app.py",
        "ln -s src c; cat d*/x",
        "mv a b",
        "mv a b; rm -r b",
    ],
)
def test_what_is_no_link_is_read_as_before(command: str) -> None:
    assert not any("link made just before" in why for why in gaps(command))


# --- trees that arrive ---------------------------------------------------------------------------------------------


@POLICIES
@pytest.mark.parametrize(
    "command",
    [
        "mkdir -p t/workflows; cp README.md t/workflows/ci.yml; mv t .github",
        "mkdir -p t/workflows; cp README.md t/workflows/ci.yml; cp -r t/. .github",
        "mkdir t; cp README.md t/config.toml; mv t .cargo",
        "mkdir t; cp README.md t/eslint; mv t node_modules/.bin",
        "cp -r pack t; mv t .github",
        "mkdir t; cp -r pack/workflows t; mv t .github",
        "mkdir src/bin; cp README.md src/bin/python; mv src .venv",
    ],
)
def test_what_the_line_makes_in_a_tree_arrives_with_it(command: str, policy: Policy) -> None:
    assert not decided(command, policy, AT).allowed


@POLICIES
@pytest.mark.parametrize("command", ["mkdir t; cp README.md t/x; mv t dst", "cp -r pack t; mv t dst"])
def test_a_tree_of_plain_files_may_be_made_and_moved(command: str, policy: Policy) -> None:
    assert decided(command, policy, AT).allowed


def copies(number: int) -> str:
    return "; ".join(f"cp -r d{at} d{at + 1}" for at in range(number)) + f"; git -C d{number} status"


def test_copies_of_copies_end() -> None:
    assert {MADE, SHORT_OF[LOCATING]} <= gaps(copies(30))
    assert not {MADE, SHORT_OF[LOCATING]} & gaps(copies(3))


MANY = {f"{PROJECT}/many/f{number:03}": "" for number in range(300)}


@pytest.mark.parametrize("most", [200, 2_000])
@pytest.mark.parametrize(
    "command",
    [
        "find many -type f -exec cp -t . {} +",
        "find many -type f | xargs cp -t .",
        "cp many/f* many/zz/.m* .",
    ],
)
def test_of_many_names_that_are_copied_none_is_left_out(
    command: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.earlier.MOST_ORIGINS", most)
    for name, expected in (("notes.md", Verdict.ALLOW if most > 300 else Verdict.ASK), (".mcp.json", Verdict.ASK)):
        world = FrozenWorld({**MANY, f"{PROJECT}/many/zz/{name}": ""})
        assert decided(command.replace(".m*", f"{name[:2]}*"), WORKSPACE, world).verdict == expected


@pytest.mark.parametrize(
    "command",
    [
        "mkdir new && cp tpl/*.json new",
        "mkdir new; cp tpl/.m* new/",
        "mkdir new && find tpl -type f | xargs cp -t new",
        "rm f && cp -r tpl f",
        "mv f g && cp -r tpl f",
        "cp -r 'tpl[1]' new",
    ],
)
def test_where_a_copy_arrives_may_be_a_folder_by_then(command: str) -> None:
    files = {**FILES, f"{PROJECT}/f": "", f"{PROJECT}/tpl/.mcp.json": "", f"{PROJECT}/tpl/b.json": ""}
    files |= {f"{PROJECT}/tpl/.vscode/tasks.json": "", f"{PROJECT}/tpl[1]/.vscode/tasks.json": ""}
    files |= {f"{PROJECT}/tpl/.mcp.json": "", f"{PROJECT}/tpl/opencode.json": ""}
    assert decided(command, WORKSPACE, FrozenWorld(files)).verdict == Verdict.ASK
