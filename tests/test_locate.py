"""Effects on files, seen on a disk: names behind patterns, links, trees that move, and what is not looked through."""

from __future__ import annotations

import pytest

from assent.budget import Budget
from assent.locate import located
from assent.policy.compiled import Policy
from assent.testing import FrozenWorld
from assent.types import Effect, Place, Url
from decided import FILES, HOME, PROJECT, WORLD, answer, case_of, decided, policy_of


def world(files: dict[str, str] | None = None, links: dict[str, str] | None = None) -> FrozenWorld:
    more = {f"{PROJECT}/{name}": text for name, text in (files or {}).items()}
    return FrozenWorld({**FILES, **more}, links={f"{PROJECT}/{name}": to for name, to in (links or {}).items()})


def effects(command: str, at: FrozenWorld = WORLD, policy: Policy | None = None) -> list[Effect]:
    return list(case_of(command, policy, at)[0].effects)


def below(effect: Effect) -> set[str]:
    assert isinstance(effect.at, Place)
    return set(effect.at.below)


def gaps(command: str, at: FrozenWorld = WORLD, policy: Policy | None = None) -> list[str]:
    return [gap.why for gap in case_of(command, policy, at)[0].gaps]


# --- whose effects they are ----------------------------------------------------------------------------------------


def test_only_what_was_made_for_one_decision_is_filled_in() -> None:
    case, _ = case_of("cat a.txt")
    kept, made = Effect("read", "a.txt"), Effect("read", "a.txt", call=1)
    found = located((kept, made), case, policy_of(), WORLD, [], Budget())
    assert kept.at is None, "an effect that a caller may use again"
    assert [one.at and one.at.path for one in found if not isinstance(one.at, Url)] == [f"{PROJECT}/a.txt"] * 2


# --- patterns ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "targets"),
    [
        ("rm *.txt", ["a.txt", "b.txt"]),
        ("rm [ab].txt", ["a.txt", "b.txt"]),
        ("rm a.t?t", ["a.txt"]),
        ("cat src/*", ["src/app.py"]),
        ("cat */app.py", ["src/app.py"]),
        ("cat *.md", ["*.md"]),
        ("cat '*.txt'", ["*.txt"]),
    ],
)
def test_a_pattern_becomes_the_names_it_stands_for_now(command: str, targets: list[str]) -> None:
    assert [effect.target for effect in effects(command) if not effect.possible] == targets


def test_a_located_name_is_no_pattern_any_more() -> None:
    assert effects("cat src/*.py") == [
        Effect(
            "read",
            "src/app.py",
            at=Place(f"{PROJECT}/src/app.py", (f"{PROJECT}/src/app.py",), exists=True),
            call=1,
            span=effects("cat src/*.py")[0].span,
        )
    ]


@pytest.mark.parametrize("command", ["rm *", "ls *", "grep x *", "tar cf x.tar *"])
def test_a_name_that_begins_with_a_dash_may_be_an_option(command: str) -> None:
    assert "* holds a name that begins with a dash" in gaps(command, world({"-rf": ""}))
    assert answer(command, None, world({"-rf": ""})).startswith("ask")


@pytest.mark.parametrize("command", ["cat ./*.txt", "cat -- *.txt"])
def test_a_name_that_begins_with_a_dash_is_none_behind_a_folder_or_two_dashes(command: str) -> None:
    assert decided(command, None, world()).allowed


def test_a_pattern_may_stand_for_a_secret() -> None:
    assert answer("cat .e*", None, world({".env": "S=1"})) == "ask by ask"
    assert answer("cat *", None, world({".env": "S=1"})) == "allow by mode"


def test_a_pattern_may_stand_for_what_is_denied() -> None:
    assert answer("cat *.txt", policy_of(deny=["Read(./b.txt)"])) == "deny by deny"


# --- links ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["ln -s /etc e; cat e/passwd", "ln -s ~ h && cat h/.ssh/id_rsa", "ln -s /etc e; rm -r e/x"]
)
def test_a_path_through_a_link_made_just_before_is_not_known(command: str) -> None:
    assert any(why.endswith("leads through a link made just before") for why in gaps(command))
    assert not decided(command, policy_of(mode="full_auto")).allowed


def test_a_link_that_nobody_uses_afterwards_is_only_a_write() -> None:
    assert not any("link made just before" in why for why in gaps("ln -s src s; cat a.txt"))


def test_a_link_on_the_disk_is_followed() -> None:
    at = world(links={"out": "/etc"})
    [effect] = effects("cat out/passwd", at)
    assert isinstance(effect.at, Place)
    assert effect.at.names == ("/etc/passwd", f"{PROJECT}/out/passwd")
    assert answer("cat out/passwd", None, at) == "ask by mode"


def test_a_loop_is_a_gap() -> None:
    assert gaps("cat loop", world(links={"loop": "loop"})) != []


def test_writing_to_a_file_with_several_names_is_a_gap() -> None:
    at = FrozenWorld(FILES, hard_links={f"{PROJECT}/twin": f"{HOME}/outside.txt"})
    assert gaps("echo x > twin", at) == ["twin has 2 names; another one may lie outside the project"]
    assert gaps("cat twin", at) == [f"{PROJECT}/twin has another name that was not found"]


# --- whole trees ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["grep -r x .", "rm -r .", "cp -r . /tmp/x", "chmod -R 700 .", "tar cf /tmp/x.tar ."]
)
def test_secrets_below_a_folder_are_found(command: str) -> None:
    at = world({"deep/er/.env": "S=1"})
    assert f"{PROJECT}/deep/er/.env" in {path for effect in effects(command, at) for path in below(effect)}
    assert not decided(command, policy_of(mode="full_auto"), at).allowed


@pytest.mark.parametrize(
    "command", ["cp -r pack/. .", "cp -r pack/git .git", "mv pack/git .git", "cp -r pack/hooks .git/", "cp -rT pack ."]
)
def test_a_copied_tree_arrives_at_protected_names(command: str) -> None:
    files = {"pack/.git/hooks/pre-commit": "", "pack/git/hooks/pre-commit": "", "pack/hooks/pre-commit": ""}
    assert decided(command, policy_of(preset="workspace"), world(files)).decided_by == "ask"


@pytest.mark.parametrize(
    "command",
    [
        *(
            "cp pack/.bashrc .",
            "cp pack/.bashr* .",
            "cp -t . pack/.bashr*",
            "install pack/.bashr* .",
            "mv pack/.bashr? .",
        ),
        *("ln -s pack/.bashr* .", "for f in pack/.b*; do cp $f .; done", "find pack -name .bashrc -exec cp {} . ';'"),
        *("find pack -name .bashrc | xargs -I{} cp {} .", "find pack -name .bashrc -exec install {} . ';'"),
    ],
)
@pytest.mark.parametrize("policy", [policy_of(preset="workspace"), policy_of(mode="full_auto")])
def test_names_that_arrive_by_a_pattern_are_seen(command: str, policy: Policy) -> None:
    assert not decided(command, policy, world({"pack/.bashrc": ""})).allowed


@pytest.mark.parametrize(
    "command",
    [
        *("cp src/Makefile .", "cp src/M* .", "for f in src/*; do cp $f .; done", "cp -r src/. .", "mv src/* ."),
        *("find src -name Makefile -exec cp {} . ';'", "find src -name Makefile | xargs -I{} cp {} ."),
    ],
)
def test_a_granted_command_is_asked_about_where_the_same_line_changes_what_defines_it(command: str) -> None:
    at, policy = world({"src/Makefile": "test:\n\tevil\n"}), policy_of(preset="workspace")
    grants = frozenset({str(mark("make test", at))})
    assert decided("make test", policy, at, grants=grants).allowed
    assert not decided(f"{command}; make test", policy, at, grants=grants).allowed


def test_a_copied_tree_of_plain_files_is_free_in_the_workspace() -> None:
    assert answer("cp -r src dst", policy_of(preset="workspace")) == "allow by mode"


def test_a_single_file_is_not_deep() -> None:
    assert [effect.deep for effect in effects("rm -r a.txt")] == [False]
    assert [effect.deep for effect in effects("rm -r src")] == [True]


# --- links below a folder ------------------------------------------------------------------------------------------

FOLLOWED = FrozenWorld(
    {
        **FILES,
        f"{HOME}/other/notes": "",
        f"{HOME}/other/.env": "",
        f"{PROJECT}/docs/a.md": "",
        f"{PROJECT}/lib/.env": "",
    },
    links={
        f"{PROJECT}/src/k": "/etc/passwd",
        f"{PROJECT}/only/b": f"{HOME}/other",
        f"{PROJECT}/near/lib": "../lib",
        f"{PROJECT}/near/a.md": "../docs/a.md",
    },
)


@pytest.mark.parametrize("policy", [None, policy_of(preset="workspace")])
@pytest.mark.parametrize(
    "command",
    [
        *("diff -r docs src", "diff docs src", "diff -r docs only", "diff --from-file=docs src", "sdiff docs src"),
        *("find src | xargs cat", "find src -name k -exec cat {} +", "find src | xargs grep x", "find src | xargs wc"),
        *(
            'find src | while read -r f; do cat "$f"; done',
            "find only | xargs grep -r x",
            "find -L only",
            "fd -L x only",
        ),
        *("find only -follow", "find -P -L only", "find -L only -delete", "find src | xargs chmod 644"),
        *("grep -R x src", "rg -L x src", "rg --files -L only", "ag -f x src", "ack --follow x src", "ugrep -R x src"),
        *("tar ch src", "zip -r a.zip src", "7z a a.7z src", "rar a a.rar src", "rsync -aL src d", "cp -rL src d"),
        *("chown -RL me src", "setfacl -RLm u:a:r src"),
        *("find src -name k -o -type f | xargs cat", "find src -exec cat {} + -type f"),
    ],
)
def test_a_link_that_is_followed_out_of_the_project_is_asked_about(command: str, policy: Policy | None) -> None:
    assert decided(command, policy, FOLLOWED).requires_confirmation


@pytest.mark.parametrize(
    "command",
    [
        *("diff -r --no-dereference docs src", "diff -r docs docs", "diff docs only", "find src", "find -L -P only"),
        *("find src -type f | xargs cat", "find src -type f -name '*.py' -exec cat {} +", "find only | xargs cat"),
        *("find src -name '*.py' | xargs cat", "find near | xargs cat", "find -L docs", "grep -r x src", "fd x only"),
        *("rg x src", "ag x src", "tar c src", "grep -R x docs"),
        'find src -type f | while read -r f; do cat "$f"; done',
    ],
)
def test_a_link_that_nobody_follows_is_none_of_our_business(command: str) -> None:
    assert decided(command, None, FOLLOWED).allowed


@pytest.mark.parametrize(
    "command", ["zip -ry a.zip src", "rsync -a src d", "cp -r src d", "find src -exec cp -r {} d ';'", "mv src d"]
)
def test_a_copied_link_stays_one(command: str) -> None:
    names = {name for effect in effects(command, FOLLOWED) if isinstance(effect.at, Place) for name in effect.at.names}
    assert "/etc/passwd" not in names


def test_what_is_protected_behind_a_linked_folder_is_seen() -> None:
    assert answer("diff -r docs near", None, FOLLOWED) == "ask by ask"
    assert answer("diff -r docs only", policy_of(mode="full_auto"), FOLLOWED) == "ask by ask"
    assert answer("diff -r docs near", policy_of(deny=["Read(./docs/a.md)"]), FOLLOWED) == "deny by deny"


def test_a_linked_folder_that_is_denied_stays_so() -> None:
    assert answer("diff -r docs only", policy_of(deny=["Read(~/other/notes)"]), FOLLOWED) == "deny by deny"


def test_a_credential_with_a_second_name_below_a_folder_stays_closed() -> None:
    key = f"{HOME}/.ssh/id_rsa"
    at = FrozenWorld({**FILES, key: "k"}, hard_links={f"{PROJECT}/hl/notes": key})
    assert [answer(command, None, at) for command in ("cat hl/notes", "grep -r . hl", "rg x")] == ["deny by floor"] * 3
    assert decided("grep -r . src", None, at).allowed


# --- what git holds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    ["git grep TOP", "git show HEAD", "git log -p", "git diff HEAD~1", "git archive HEAD", "cd src && git log -p"],
)
def test_git_shows_a_denied_file_although_it_is_ignored(command: str) -> None:
    held = {".gitignore": "secrets\n", "secrets/a": "TOP", ".git/index": "DIRC\0\0\0\2secrets/a\0"}
    deny = policy_of(deny=["Read(./secrets/**)"])
    assert answer(command, deny, world(held)) == "deny by deny"


def test_search_tools_and_git_leave_out_what_is_only_ignored() -> None:
    deny = policy_of(deny=["Read(./secrets/**)"])
    held = {".gitignore": "secrets\n", "secrets/a": "TOP", ".git/index": "DIRC\0\0\0\2src/app.py\0"}
    assert decided("git grep TOP", deny, world(held)).allowed
    assert decided("rg TOP", deny, world({**held, ".git/index": "DIRC\0\0\0\2secrets/a\0"})).allowed
    own = {**held, ".gitignore": "", ".rgignore": "secrets\n"}
    assert decided("rg TOP", deny, world(own)).allowed
    assert answer("git grep TOP", deny, world(own)) == "deny by deny"


# --- outside the project -------------------------------------------------------------------------------------------

OUTSIDE = {"/srv/data/.env": "S", "/srv/data/notes/x.txt": ""}
OUTSIDE_WORLD = FrozenWorld({**FILES, **OUTSIDE})


@pytest.mark.parametrize("command", ["grep -r x /srv/data", "cp -r /srv/data ."])
def test_a_tree_outside_is_not_walked_where_it_is_asked_about_anyway(command: str) -> None:
    assert "/srv/data lies outside the project and was not looked through" in gaps(command, OUTSIDE_WORLD)
    assert decided(command, None, OUTSIDE_WORLD).requires_confirmation


@pytest.mark.parametrize(
    "policy",
    [
        policy_of(deny=["Read(**/.env)"]),
        policy_of(deny=["Read(/srv/data/notes/**)"]),
        policy_of(mode="plan", deny=["Read(/srv/data/notes/x.txt)"]),
        policy_of(mode="full_auto", deny=["Read(/srv/data/notes/x.txt)"]),
    ],
)
def test_a_tree_outside_is_walked_where_a_rule_may_deny_something_in_it(policy: Policy) -> None:
    assert answer("grep -r x /srv/data", policy, OUTSIDE_WORLD) == "deny by deny"


def test_a_tree_outside_is_walked_in_a_mode_that_would_not_ask() -> None:
    assert answer("grep -r x /srv/data", policy_of(mode="full_auto"), OUTSIDE_WORLD) == "ask by ask"


@pytest.mark.parametrize("command", ["grep -r x ~", "cp -r ~ /tmp/x", "tar c ~", "rm -rf /", "cp -r /home /tmp/x"])
def test_the_floor_holds_in_a_tree_that_is_not_walked(command: str) -> None:
    assert answer(command, None, FrozenWorld({**FILES, f"{HOME}/.ssh/id_rsa": "k"})) == "deny by floor"


# --- project commands ----------------------------------------------------------------------------------------------


def mark(command: str, at: FrozenWorld = WORLD, cwd: str = PROJECT, preset: str = "workspace") -> object:
    case, _ = case_of(command, policy_of(preset=preset), at, cwd)
    [found] = [(effect.arguments or {}).get("fingerprint") for effect in case.effects if effect.code == "project"]
    return found


def test_a_fingerprint_depends_on_the_words_the_folder_and_the_content_of_the_files() -> None:
    changed = world({"Makefile": "test:\n\trm -rf ~\n"})
    shadowed = world({"GNUmakefile": "test:\n\trm -rf ~\n"})
    marks = [mark("make test"), mark("make build"), mark("make test", changed), mark("make test", shadowed)]
    marks.append(mark("make test", WORLD, f"{PROJECT}/src"))
    assert len(set(marks)) == len(marks)
    assert mark("make test") == mark("make  test") == mark("make test", world({"other": ""}))


def test_only_the_preset_workspace_needs_a_fingerprint() -> None:
    assert mark("make test", preset="careful") is None


def test_a_file_that_cannot_be_read_leaves_a_command_without_a_fingerprint() -> None:
    assert mark("make test", world({"GNUmakefile": "x" * 1_000_001})) is None
