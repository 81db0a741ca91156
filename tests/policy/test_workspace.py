"""The preset `workspace`: the project's own files are free to change, a few of them are not, and nothing outside is."""

from __future__ import annotations

import pytest

from assent.testing import FrozenWorld
from assent.types import Effect
from decided import FILES, HOME, PROJECT, WORLD, answer, case_of, decided, policy_of

FREE, ASKED = "allow by mode", "ask by mode"
WORKSPACE = policy_of(preset="workspace")


@pytest.mark.parametrize(
    "command",
    [
        *("touch new", "rm a.txt", "rm -rf src", "mv a.txt c.txt", "cp a.txt c.txt", "cp -r src dst", "mkdir -p x/y"),
        *("echo x > out", "echo x >> a.txt", "sed -i s/a/b/ a.txt", "chmod +x a.txt", "chmod -R 755 src", "ln -s a b"),
        *("truncate -s 0 a.txt", "dd if=a.txt of=c", "echo x | tee a.txt", "rmdir src", "echo x > Makefile"),
        *("cd src && touch new && rm app.py", f"touch {PROJECT}/new", "touch ./src/../new", "rm *.txt"),
    ],
)
def test_inside_the_project_files_are_free(command: str) -> None:
    assert answer(command, WORKSPACE) == FREE
    assert answer(command) == ASKED


@pytest.mark.parametrize(
    ("command", "by"),
    [
        ("touch /tmp/x/new", ASKED),
        ("touch ../new", ASKED),
        ("rm ~/outside.txt", ASKED),
        ("mv a.txt /tmp/x", ASKED),
        ("cd .. && touch new", ASKED),
        ("cp ~/outside.txt .", ASKED),
        ("touch out/new", ASKED),
        ("foo", ASKED),
        ("make test", ASKED),
        ("git commit -m x", ASKED),
        ("curl https://example.com", ASKED),
        ("pip install x", ASKED),
        ('rm "$x"', ASKED),
        ("echo x > .git/config", "ask by ask"),
        ("rm -rf .git", "ask by ask"),
        ("mv src .git/hooks", "ask by ask"),
        ("touch .git/x", "ask by ask"),
        ("touch .GIT/x", "ask by ask"),
        ("touch src/.git/x", "ask by ask"),
        ("echo x > .env", "ask by ask"),
        ("echo x > .vscode/tasks.json", "ask by ask"),
        ("echo x > .bashrc", "ask by ask"),
        ("rm -rf .", "ask by ask"),
        (f"rm -rf ../{PROJECT.rpartition('/')[2]}", "ask by ask"),
        ("echo x > .assent/policy.toml", "deny by floor"),
        ("rm -rf ~/.ssh", "deny by floor"),
        ("git push --force", "ask by ask"),
    ],
)
def test_what_is_outside_started_later_or_no_file_is_not_free(command: str, by: str) -> None:
    world = FrozenWorld(FILES, links={f"{PROJECT}/out": "/tmp/x"})
    assert answer(command, WORKSPACE, world) == by


@pytest.mark.parametrize(
    "command", ["tar xf a.txt -C src", "unzip a.txt -d src", "git checkout src", "patch -d src -i ../a.txt"]
)
def test_names_that_only_an_archive_knows_are_not_free(command: str) -> None:
    assert not decided(command, WORKSPACE).allowed


@pytest.mark.parametrize("mode", ["plan", "full_auto"])
def test_the_preset_belongs_to_the_default_mode(mode: str) -> None:
    policy = policy_of(preset="workspace", mode=mode)  # type: ignore[arg-type]
    assert answer("touch new", policy) == {"plan": "deny by plan", "full_auto": "allow by mode"}[mode]


@pytest.mark.parametrize(
    ("policy", "by"),
    [
        (policy_of(preset="workspace", deny=["Write(./a.txt)"]), "deny by deny"),
        (policy_of(preset="workspace", ask=["Write(./*.txt)"]), "ask by ask"),
        (policy_of(preset="workspace", deny=["Bash(rm:*)"]), "deny by deny"),
    ],
)
def test_rules_stand_above_the_preset(policy: object, by: str) -> None:
    assert answer("rm a.txt", policy) == by  # type: ignore[arg-type]


def test_without_a_project_nothing_is_free() -> None:
    from assent.pipeline import judge
    from assent.types import ToolCall

    decision = judge(ToolCall("Bash", {"command": "touch new"}, cwd=PROJECT), WORKSPACE, WORLD)
    assert (str(decision.verdict), decision.decided_by) == ("ask", "mode")


# --- grants --------------------------------------------------------------------------------------------------------


DEFINING = {
    f"{PROJECT}/{name}": "x\n"
    for name in ("Makefile", "package.json", "Cargo.toml", "go.mod", "pytest.ini", "pom.xml", "justfile")
}
BUILT = FrozenWorld({**FILES, **DEFINING})


def marks(command: str, world: FrozenWorld = BUILT) -> frozenset[str]:
    case, _ = case_of(command, WORKSPACE, world)
    found = [(effect.arguments or {}).get("fingerprint") for effect in case.effects if effect.code == "project"]
    return frozenset(str(mark) for mark in found if mark is not None)


@pytest.mark.parametrize("command", ["make test", "npm test", "npm run build", "pytest", "cargo test", "go test ./..."])
def test_a_command_of_the_project_runs_once_it_is_granted(command: str) -> None:
    assert answer(command, WORKSPACE, BUILT) == ASKED
    assert answer(command, WORKSPACE, BUILT, grants=marks(command)) in ("allow by grant", FREE)
    assert not marks(command, FrozenWorld({f"{PROJECT}/a.txt": ""})), "nothing that is known defines it"


def test_a_grant_is_for_one_command_in_one_folder_with_one_content() -> None:
    given = marks("make test")
    changed = FrozenWorld({**FILES, **DEFINING, f"{PROJECT}/Makefile": "test:\n\trm -rf ~\n"})
    assert answer("make test", WORKSPACE, BUILT, grants=given) == "allow by grant"
    assert answer("make  'test'", WORKSPACE, BUILT, grants=given) == "allow by grant"
    assert answer("make build", WORKSPACE, BUILT, grants=given) == ASKED
    assert answer("make test", WORKSPACE, changed, grants=given) == ASKED
    assert answer("cd src && make test", WORKSPACE, BUILT, grants=given) == ASKED
    assert answer("make test && foo", WORKSPACE, BUILT, grants=given) == ASKED


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("cd src && npm test", "package.json"),
        ("cd src && npm test", "src/package.json"),
        ("cd src && cargo test", "Cargo.toml"),
        ("cd src && cargo test", ".cargo/config.toml"),
    ],
)
def test_a_grant_ends_when_a_file_above_or_a_new_one_changes_the_command(command: str, file: str) -> None:
    given = marks(command)
    changed = FrozenWorld({**FILES, **DEFINING, f"{PROJECT}/{file}": "other\n"})
    assert given
    assert answer(command, WORKSPACE, BUILT, grants=given) in ("allow by grant", FREE)
    assert answer(command, WORKSPACE, changed, grants=given) == ASKED


@pytest.mark.parametrize(
    ("policy", "by"),
    [
        (policy_of(preset="workspace", deny=["Bash(make:*)"]), "deny by deny"),
        (policy_of(preset="workspace", ask=["Bash(make:*)"]), "ask by ask"),
        (policy_of(preset="workspace", mode="plan"), "deny by plan"),
        (policy_of(), ASKED),
    ],
)
def test_a_grant_lifts_no_rule_no_mode_and_no_other_preset(policy: object, by: str) -> None:
    assert answer("make test", policy, BUILT, grants=marks("make test")) == by  # type: ignore[arg-type]


def test_a_grant_does_not_hold_behind_a_tree_that_the_same_line_writes() -> None:
    given = marks("pytest")
    assert answer("pytest", WORKSPACE, BUILT, grants=given) in ("allow by grant", FREE)
    assert answer("cp -r src tests && pytest", WORKSPACE, BUILT, grants=given) == ASKED
    assert answer("touch tests/x && pytest", WORKSPACE, BUILT, grants=given) in ("allow by grant", FREE)


@pytest.mark.parametrize(
    "command", ["PATH=/tmp make test", "make test > /tmp/x/out", "make test SHELL=/tmp/sh", "sudo make test"]
)
def test_a_grant_covers_nothing_around_the_command(command: str) -> None:
    assert not decided(command, WORKSPACE, BUILT, grants=marks("make test") | marks("make test SHELL=/tmp/sh")).allowed


@pytest.mark.parametrize(
    ("granted", "other"),
    [
        ("go test ./...", "go test -toolexec ./evil ./..."),
        ("go test ./...", "go test -modfile=x.mod ./..."),
        ("pytest", "pytest -c other.ini"),
        ("pytest", "pytest --junitxml=src/x.xml"),
        ("npm test", "npm test -- --config evil.js"),
        ("npm run build", "npm run build -- x"),
        ("cargo test", "cargo test --manifest-path=src/Cargo.toml"),
        ("mvn test", "mvn test -f src/pom.xml"),
        ("just test", "just -f src/x test"),
        ("make test", "make -I src test"),
        ("make test", "make -f a.txt test"),
        ("make test", "make test -C src"),
    ],
)
def test_a_grant_covers_no_other_words(granted: str, other: str) -> None:
    assert not decided(other, WORKSPACE, BUILT, grants=marks(granted)).allowed


@pytest.mark.parametrize(
    ("granted", "other"),
    [
        ("pytest -q", "pytest -x -q"),
        ("pytest -q", "pytest"),
        ("pytest", "pytest -k foo --tb=short -vv"),
        ("make test", "make -s test"),
        ("make test", "make test -j4 -k"),
        ("npm test", "npm test --silent"),
        ("go test ./...", "go test -race -count=1 -run TestX ./..."),
        ("cargo test", "cargo test --release"),
    ],
)
def test_a_grant_covers_the_same_command_with_other_harmless_options(granted: str, other: str) -> None:
    assert marks(granted) == marks(other)
    assert decided(other, WORKSPACE, BUILT, grants=marks(granted)).allowed


def test_a_fingerprint_from_elsewhere_is_no_grant() -> None:
    from assent.policy.workspace import is_granted

    case, _ = case_of("make test", WORKSPACE, grants=frozenset({"x", ""}))
    forged = [Effect("run", "x", code=code, arguments={"fingerprint": "x"}) for code in ("project", "program", "")]
    assert [is_granted(effect, case) for effect in forged] == [True, False, False]
    assert not is_granted(Effect("run", "x", code="project"), case)
    assert HOME in case.homes
