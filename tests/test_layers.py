"""Policy files made into one policy: who may loosen what, what a broken file costs, and when the cache is believed."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assent import Guard, PermissionChecker, PermissionMode, PermissionSettings, layers
from assent.layers import KEEP_CACHED
from assent.world import DiskWorld
from scene import START, Scene

ALLOW, ASK, DENY = 'allow = ["Write(./src/**)"]', 'ask = ["Write(./src/**)"]', 'deny = ["Write(./src/**)"]'


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(tmp_path, monkeypatch)


def write_layers(scene: Scene, texts: dict[str, str]) -> None:
    """Write the files of some layers; `+` before the name of a layer means that a person trusts its file."""
    writers: dict[str, Callable[[str], Path]] = {
        "user": scene.user,
        "project": scene.shared,
        "local": scene.local,
        "managed": scene.manage,
        "managed too": lambda text: scene.manage(text, "20-team.toml"),
    }
    for layer, text in texts.items():
        file = writers[layer.lstrip("+")](text + "\n")
        if layer.startswith("+"):
            scene.trust(file)


def written(scene: Scene, path: str = "src/a.py") -> str:
    """The verdict about writing a file, with nothing kept in memory."""
    scene.forget()
    return scene.verdict("Write", file_path=path)


def read(scene: Scene, path: str) -> str:
    scene.forget()
    return scene.verdict("Read", file_path=path)


# --- how layers combine --------------------------------------------------------------------------------------------

COMBINED: list[tuple[dict[str, str], str]] = [
    ({}, "ask"),
    ({"user": ALLOW}, "allow"),
    ({"managed": ALLOW}, "allow"),
    ({"project": ALLOW}, "ask"),
    ({"local": ALLOW}, "ask"),
    ({"+project": ALLOW}, "allow"),
    ({"+local": ALLOW}, "allow"),
    ({"+project": DENY, "+local": ALLOW}, "deny"),
    ({"user": ALLOW, "project": ASK}, "ask"),
    ({"user": ALLOW, "project": DENY}, "deny"),
    ({"user": ALLOW, "local": DENY}, "deny"),
    ({"user": ALLOW, "managed": ASK}, "ask"),
    ({"user": ASK, "managed": ALLOW}, "ask"),
    ({"user": DENY, "managed": ALLOW, "+project": ALLOW}, "deny"),
    ({"managed": ALLOW, "managed too": DENY}, "deny"),
    ({"managed": DENY, "managed too": ALLOW}, "deny"),
    ({"user": 'mode = "full_auto"', "managed": ASK}, "ask"),
    ({"user": 'mode = "full_auto"', "project": '[commands]\ndeny = ["x"]'}, "allow"),
    ({"user": 'mode = "full_auto"', "project": '[tools]\ndeny = ["Write"]'}, "deny"),
    ({"user": 'mode = "full_auto"', "project": '[[paths]]\npattern = "*/src/*"\nallow = false'}, "deny"),
    ({"project": '[tools]\nallow = ["Write"]'}, "ask"),
    ({"+project": '[tools]\nallow = ["Write"]'}, "allow"),
    ({"+project": '[tools]\nallow = ["Write"]', "managed": DENY}, "deny"),
]


@pytest.mark.parametrize(("texts", "verdict"), COMBINED, ids=lambda value: str(value)[:90])
def test_the_strictest_layer_wins_and_only_trusted_files_allow(
    texts: dict[str, str], verdict: str, scene: Scene
) -> None:
    write_layers(scene, texts)
    assert written(scene) == verdict
    assert scene.load().policy.problems == []


@pytest.mark.parametrize(("trusted", "verdict"), [("project", "ask"), ("+project", "allow")])
def test_only_a_trusted_file_widens_where_reads_are_free(trusted: str, verdict: str, scene: Scene) -> None:
    outside = scene.write(scene.home / "notes/a.md", "x")
    write_layers(scene, {trusted: f'[[paths]]\npattern = "{outside.parent}/*"\nallow = true'})
    assert read(scene, str(outside)) == verdict


MODES = [
    ({}, "", "default"),
    ({"user": "plan"}, "", "plan"),
    ({"user": "plan", "project": "full_auto"}, "", "plan"),
    ({"user": "plan", "project": "default"}, "", "plan"),
    ({"user": "full_auto", "project": "default"}, "", "default"),
    ({"user": "full_auto", "local": "plan"}, "", "plan"),
    ({"user": "plan", "+project": "full_auto"}, "", "full_auto"),
    ({"+project": "full_auto", "+local": "default"}, "", "default"),
    ({"project": "full_auto"}, "", "default"),
    ({"user": "plan"}, "full_auto", "full_auto"),
    ({"user": "full_auto"}, "plan", "plan"),
    ({"user": "full_auto", "managed": "default"}, "", "default"),
    ({"user": "plan", "managed": "full_auto"}, "", "plan"),
    ({"managed": "full_auto"}, "", "default"),
    ({"managed": "default"}, "full_auto", "default"),
    ({"managed": "plan", "managed too": "full_auto"}, "full_auto", "plan"),
]


@pytest.mark.parametrize(("modes", "chosen", "mode"), MODES)
def test_an_untrusted_mode_only_tightens_and_a_managed_one_bounds(
    modes: dict[str, str], chosen: str, mode: str, scene: Scene
) -> None:
    write_layers(scene, {layer: f'mode = "{wanted}"' for layer, wanted in modes.items()})
    if chosen:
        scene.write(scene.state / "modes.json", json.dumps({str(scene.project.resolve()): chosen}))
    assert scene.load().policy.mode == mode


def test_what_an_untrusted_file_may_not_loosen_is_said(scene: Scene) -> None:
    file = scene.shared(f'mode = "full_auto"\n{ALLOW}\n[tools]\nallow = ["exec"]\n')
    assert scene.load().notices == (
        f"{file}: 2 allowing entries are ignored until you trust this file",
        f"{file}: mode `full_auto` is ignored until you trust this file",
    )


def test_trust_of_one_file_is_no_trust_in_its_neighbour(scene: Scene) -> None:
    write_layers(scene, {"+project": 'allow = ["Write(./docs/**)"]', "local": ALLOW})
    assert (written(scene, "docs/a.md"), written(scene)) == ("allow", "ask")


# --- broken layers -------------------------------------------------------------------------------------------------

VAULT = 'deny = ["Read(./vault/**)"]'
LAYERS = ["user", "+project", "local", "managed"]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_file_with_a_mistake_keeps_its_denials_and_everything_else_asks(layer: str, scene: Scene) -> None:
    assert read(scene, "a.py") == "allow"
    write_layers(scene, {layer: f'mode = "full_auto"\n{ALLOW}\n{VAULT}\nalow = []'})
    assert (read(scene, "vault/a"), read(scene, "a.py"), written(scene)) == ("deny", "ask", "ask")
    (problem,) = scene.load().policy.problems
    assert problem.endswith(".toml:4:1: unknown key `alow` (did you mean `allow`?)")
    assert [rule.text for rule in scene.load().policy.rules()] == ["Read(./vault/**)"]
    assert scene.load().policy.mode == "default"


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("text", [b'mode = "full_auto"\nallow = ["Write"', b'allow = ["Write"]\n# \xff\n', b"\x00"])
def test_a_file_that_cannot_be_parsed_makes_everything_ask(layer: str, text: bytes, scene: Scene) -> None:
    other = "managed" if layer == "user" else "user"
    write_layers(scene, {layer: "", other: f"{VAULT}\n{ALLOW}"})
    assert written(scene) == "allow"
    files = {"user": scene.user_file, "+project": scene.project_file, "local": scene.local_file}
    scene.write(files.get(layer, scene.managed / "10-company.toml"), text)
    assert (read(scene, "vault/a"), read(scene, "a.py"), written(scene)) == ("deny", "ask", "ask")
    assert len(scene.load().policy.problems) == 1


def as_link(file: Path) -> None:
    real = file.with_name("real.toml")
    file.rename(real)
    file.symlink_to(real)


def as_dangling_link(file: Path) -> None:
    file.unlink()
    file.symlink_to(file.with_name("nowhere"))


def as_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def as_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def as_huge(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"#" * 1_000_001)


@pytest.mark.parametrize("damage", [as_link, as_dangling_link, as_folder, as_pipe, as_huge])
@pytest.mark.parametrize("layer", ["user", "+project", "managed"])
def test_a_file_that_is_not_an_ordinary_file_is_refused(
    damage: Callable[[Path], None], layer: str, scene: Scene
) -> None:
    write_layers(scene, {layer: ALLOW, "local": VAULT})
    assert written(scene) == "allow"
    file = next(Path(path) for name, path in scene.load().files if name == layer.lstrip("+"))
    damage(file)
    assert (read(scene, "vault/a"), read(scene, "a.py"), written(scene)) == ("deny", "ask", "ask")
    (problem,) = scene.load().policy.problems
    assert problem.startswith(f"{file}: cannot read `{file}`: ")


def test_a_file_that_cannot_be_opened_makes_everything_ask(scene: Scene) -> None:
    write_layers(scene, {"user": ALLOW, "project": VAULT})
    opened = os.open

    def refuse(path: str, *rest: int, **more: int) -> int:
        if path == str(scene.user_file):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, *rest, **more)

    scene.monkeypatch.setattr(os, "open", refuse)
    assert (read(scene, "vault/a"), read(scene, "a.py"), written(scene)) == ("deny", "ask", "ask")
    assert "Permission denied" in scene.load().policy.problems[0]


def test_managed_policies_that_cannot_be_listed_make_everything_ask(scene: Scene) -> None:
    write_layers(scene, {"user": f"{VAULT}\n{ALLOW}"})

    def refuse(folder: str) -> list[str]:
        raise PermissionError(errno.EACCES, "Permission denied", folder)

    scene.monkeypatch.setattr(os, "listdir", refuse)
    assert (read(scene, "vault/a"), read(scene, "a.py"), written(scene)) == ("deny", "ask", "ask")
    (problem,) = scene.load().policy.problems
    assert problem.startswith(f"{scene.managed}: cannot list the managed policies")


def foreign(scene: Scene, path: Path) -> None:
    """Let a path look as if it belonged to somebody else."""
    asked = os.lstat

    def lstat(name: str, *rest: object, **more: int) -> os.stat_result:
        found = asked(name, **more)
        if name != str(path):
            return found
        return os.stat_result((*found[:4], 54_321, *found[5:10]))

    scene.monkeypatch.setattr(os, "lstat", lstat)


@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602], ids=oct)
@pytest.mark.parametrize("layer", ["user", "managed"])
def test_a_file_that_others_may_write_denies_but_does_not_allow(mode: int, layer: str, scene: Scene) -> None:
    write_layers(scene, {layer: f'mode = "full_auto"\n{ALLOW}\n{VAULT}'})
    assert (written(scene), read(scene, "a.py")) == ("allow", "allow")
    file = Path(scene.load().files[0][1])
    file.chmod(mode)
    assert (written(scene), read(scene, "a.py"), read(scene, "vault/a")) == ("ask", "ask", "deny")
    loaded = scene.load()
    assert loaded.policy.problems == [f"{file}: others may write to this file"]
    assert loaded.notices == (
        f"{file}: 1 allowing entry is ignored while others may write to it",
        f"{file}: mode `full_auto` is ignored while others may write to it",
    )


def test_a_user_file_of_somebody_else_denies_but_does_not_allow(scene: Scene) -> None:
    write_layers(scene, {"user": f"{ALLOW}\n{VAULT}"})
    foreign(scene, scene.user_file)
    assert (written(scene), read(scene, "vault/a")) == ("ask", "deny")
    assert scene.load().policy.problems == [f"{scene.user_file}: others may write to this file"]


def test_a_broken_list_of_trusted_files_trusts_nothing_and_says_so(scene: Scene) -> None:
    write_layers(scene, {"+project": f"{ALLOW}\n{VAULT}"})
    assert written(scene) == "allow"
    (scene.state / "trust.json").write_text("[]")
    assert (written(scene), read(scene, "vault/a")) == ("ask", "deny")
    assert "nothing is trusted, because" in scene.load().policy.problems[0]


# --- the cache -----------------------------------------------------------------------------------------------------

PROBE = """
import sys
sys.path.insert(0, {src!r})
from assent.cli.fast import main
code = main({argv!r})
sys.stdout.flush()
print(code, "tomllib" in sys.modules, file=sys.stderr)
"""
CHECK = ["check", "--tool", "Write", "--input", '{"file_path": "src/a.py"}', "--json"]


def fresh_check(scene: Scene) -> tuple[str, str]:
    """The answer of a fresh process, and its exit code with whether it read TOML."""
    code = PROBE.format(src=str(START.parent.parent), argv=CHECK)
    words = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(words, cwd=scene.project, env=scene.env, capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr.strip()


def test_a_second_process_does_not_read_toml_again(scene: Scene) -> None:
    scene.user(f"{ALLOW}\n")
    scene.shared(f"{ALLOW}\n")
    first, second = fresh_check(scene), fresh_check(scene)
    assert (first[1], second[1]) == ("0 True", "0 False")
    assert first[0] == second[0]
    assert json.loads(first[0])["notices"], "notices come from the cache too"


def test_one_changed_byte_changes_the_answer_at_once(scene: Scene) -> None:
    scene.user(f"{ALLOW}\n")
    assert fresh_check(scene)[1] == "0 True"
    scene.user(f"{ALLOW}\n".replace("src", "srx"))
    assert fresh_check(scene)[1] == "3 True"
    assert fresh_check(scene)[1] == "3 False"


def test_in_one_process_a_change_counts_at_once_too(scene: Scene) -> None:
    scene.user(f"{ALLOW}\n")
    assert scene.verdict("Write", file_path="src/a.py") == "allow"
    scene.user(f"{DENY}\n")
    assert scene.verdict("Write", file_path="src/a.py") == "deny"
    scene.user_file.unlink()
    assert scene.verdict("Write", file_path="src/a.py") == "ask"


def poison(scene: Scene) -> Path:
    """A valid cache file for the present policy, except that it allows everything."""
    scene.user(f"{ASK}\n")
    assert written(scene) == "ask"
    (file,) = (scene.state / "cache").iterdir()
    found = json.loads(file.read_text())
    empty = {key: type(value)() for key, value in found["table"].items() if isinstance(value, dict | list)}
    found["table"] |= {**empty, "mode": "full_auto"}
    file.write_text(json.dumps(found))
    return file


def test_the_poison_works(scene: Scene) -> None:
    file = poison(scene)
    assert written(scene) == "allow", "else the tests below prove nothing"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-9])


def renamed_key(file: Path) -> None:
    file.write_text(file.read_text().replace(file.stem.removeprefix("policy-"), "0" * 64))


def without(name: str) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        found = json.loads(file.read_text())
        file.write_text(json.dumps({key: value for key, value in found.items() if key != name}))

    damage.__name__ = f"without_{name}"
    return damage


def shared_by(mode: int) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        file.chmod(mode)

    damage.__name__ = f"shared_by_{mode:o}"
    return damage


def shared_folder(file: Path) -> None:
    file.parent.chmod(0o777)


def filled_with(text: bytes) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        file.write_bytes(text)

    damage.__name__ = f"filled_with_{text.hex()}"
    return damage


DAMAGE = [
    *(cut, renamed_key, shared_folder, as_link, as_folder),
    *map(without, ("key", "table", "notices")),
    *map(shared_by, (0o666, 0o660, 0o602)),
    *map(filled_with, (b"", b"\xff", b"null", b"[]", b"{}")),
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_doubtful_cache_file_is_not_used(damage: Callable[[Path], None], scene: Scene) -> None:
    damage(poison(scene))
    assert written(scene) == "ask"


@pytest.mark.parametrize("whose", ["file", "folder"])
def test_a_cache_of_somebody_else_is_not_used(whose: str, scene: Scene) -> None:
    file = poison(scene)
    foreign(scene, file if whose == "file" else file.parent)
    assert written(scene) == "ask"


def test_a_cache_file_of_another_policy_is_not_used(scene: Scene) -> None:
    poisoned = poison(scene)
    other = scene.user(f"{ASK}  # another\n")
    assert written(scene) == "ask"
    (genuine,) = set(poisoned.parent.iterdir()) - {poisoned}
    poisoned.replace(genuine)
    assert written(scene) == "ask"
    assert other.exists()


def test_old_cache_files_are_forgotten(scene: Scene) -> None:
    for number in range(KEEP_CACHED + 5):
        scene.user(f"{ALLOW}  # {number}\n")
        scene.load()
    assert len(list((scene.state / "cache").iterdir())) == KEEP_CACHED
    assert 0 < len(layers._recent) <= KEEP_CACHED


def test_a_state_folder_that_cannot_be_written_costs_only_time(scene: Scene) -> None:
    scene.user(f"{ALLOW}\n{VAULT}\n")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    scene.monkeypatch.setattr(os, "mkdir", refuse)
    assert (written(scene), read(scene, "vault/a"), read(scene, "a.py")) == ("allow", "deny", "allow")
    assert not scene.state.exists()
    assert scene.load().policy.problems == []


def test_without_any_file_nothing_is_written(scene: Scene) -> None:
    assert read(scene, "a.py") == "allow"
    assert not scene.state.exists()


# --- repositories that nobody has trusted yet ----------------------------------------------------------------------


def test_an_unknown_repository_starts_in_plan_where_the_user_or_a_manager_says_so(scene: Scene) -> None:
    assert written(scene) == "ask"
    scene.manage('untrusted = "plan"\n')
    assert written(scene) == "deny"
    scene.user('untrusted = "default"\nmode = "full_auto"\n')
    assert written(scene) == "deny"
    scene.trust(scene.shared('mode = "full_auto"\n'))
    assert written(scene) == "allow"


def test_a_project_cannot_say_it_of_itself(scene: Scene) -> None:
    scene.trust(scene.shared('untrusted = "plan"\n'))
    assert written(scene) == "ask"
    assert any("`untrusted` is ignored" in notice for notice in scene.load().notices)


def test_a_mode_chosen_for_it_counts_and_one_for_all_does_not(scene: Scene) -> None:
    scene.user('untrusted = "plan"\n')
    world = DiskWorld(env=scene.env)
    layers.set_mode(str(scene.state), world, "*", "full_auto")
    assert written(scene) == "deny"
    layers.set_mode(str(scene.state), world, layers.mode_key(str(scene.project)), "default")
    assert written(scene) == "ask"


def test_a_list_of_trust_that_cannot_be_read_trusts_nothing(scene: Scene) -> None:
    scene.user('untrusted = "plan"\n')
    scene.write(scene.state / "trust.json", "broken")
    assert written(scene) == "deny"


def test_a_broken_file_still_starts_unknown_repositories_in_plan(scene: Scene) -> None:
    scene.user('untrusted = "plan"\nallow = ["Raed(x)"]\n')
    assert scene.load().policy.mode == "plan"


def test_settings_of_a_program_start_them_in_plan_too(scene: Scene) -> None:
    settings = PermissionSettings(untrusted=PermissionMode.PLAN, workspace=str(scene.project))
    assert PermissionChecker(settings).evaluate("Write", file_path="a.txt").decided_by == "plan"
    with Guard(settings=settings, workspace=str(scene.project), channels=(), on_ask="deny") as guard:
        answer = guard.authorize_sync(guard.call("Write", {"file_path": "a.txt", "content": ""}))
    assert (answer.state, answer.reason[:21]) == ("denied", "Plan mode blocks this")
    scene.trust(scene.shared(""))
    assert PermissionChecker(settings).evaluate("Write", file_path="a.txt").requires_confirmation
