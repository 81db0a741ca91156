"""What a confined command may see: the mounts of a profile, made on a machine of paper."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assent.errors import AssentError
from assent.sandbox.bubblewrap import Wiring, argv
from assent.sandbox.profile import Mount, Profile, Settings, profile_for, started_in

HOME, PROJECT = "/home/dev", "/home/dev/proj"


class Paper:
    """A machine that is a table: a path and what it is, `link:TARGET` for links."""

    def __init__(
        self, more: Mapping[str, str] | None = None, sockets: tuple[str, ...] = (), *, complete: bool = True
    ) -> None:
        self.table = {"/usr": "folder", "/etc": "folder", "/bin": "link:usr/bin", HOME: "folder", PROJECT: "folder"}
        self.table |= {path.replace("~", HOME): kind for path, kind in (more or {}).items()}
        self._sockets, self.complete = sockets, complete
        self.texts: dict[str, str] = {}

    def kind(self, path: str) -> str:
        return self.table.get(path, "").partition(":")[0]

    def real(self, path: str) -> str:
        for place, kind in self.table.items():
            if kind.startswith("link:/") and (path == place or path.startswith(place + "/")):
                return self.real(kind[5:] + path[len(place) :])
        return path

    def target(self, path: str) -> str:
        return self.table[path].partition(":")[2]

    def names(self, folder: str) -> tuple[str, ...]:
        below = (path[len(folder) + 1 :] for path in self.table if path.startswith(folder + "/"))
        return tuple(sorted({path.split("/")[0] for path in below}))

    def text(self, path: str) -> str | None:
        return self.texts.get(path)

    def digest(self, path: str) -> str:
        return self.table.get(path, "")

    def runs(self, path: str) -> bool:
        return self.kind(path) == "file"

    def repositories(self, folder: str, most: int = 0) -> tuple[tuple[str, ...], bool]:
        found = (path for path in self.table if path.startswith(folder + "/") and path.endswith("/.git"))
        return tuple(sorted(found)), self.complete

    def secrets(self, folder: str, others: tuple[str, ...] = ()) -> tuple[tuple[str, ...], bool]:
        found = (path for path in self.table if path.startswith(folder + "/") and path.endswith((".env", ".pem")))
        return tuple(sorted(found)), self.complete

    def sockets(self) -> tuple[str, ...]:
        return self._sockets


def made(ground: Paper, settings: Settings | None = None, **more: object) -> Profile:
    options = {"workspace": PROJECT, "cwd": PROJECT, "home": HOME, "env": {}, "own": (), **more}
    return profile_for(ground=ground, settings=settings, **options)  # type: ignore[arg-type]


def kinds(profile: Profile) -> dict[str, str]:
    """What each place ends up as; a later mount covers an earlier one."""
    return {mount.path: mount.kind for mount in profile.mounts}


def test_the_smallest_profile_shows_the_system_and_one_workspace() -> None:
    assert made(Paper()).mounts == (
        Mount("read", "/usr"),
        Mount("link", "/bin", "usr/bin"),
        Mount("read", "/etc"),
        Mount("empty", "/tmp"),
        Mount("empty", "/var/tmp"),
        Mount("empty", "/run"),
        Mount("link", "/var/run", "/run"),
        Mount("empty", HOME),
        Mount("write", PROJECT),
    )


def test_of_home_only_tools_are_there() -> None:
    found = kinds(made(Paper({"~/.pyenv": "folder", "~/notes.txt": "file", "~/.ssh": "folder", "~/.netrc": "file"})))
    assert found[HOME] == "empty"
    assert found[f"{HOME}/.pyenv"] == "read"
    assert {f"{HOME}/notes.txt", f"{HOME}/.ssh", f"{HOME}/.netrc"}.isdisjoint(found)


def test_secrets_among_shown_files_are_closed() -> None:
    ground = Paper({"/etc/shadow": "file", "/etc/ssh": "folder", "~/.gem": "folder", "~/.gem/credentials": "file"})
    assert made(ground).closed == ("/etc/shadow", "/etc/ssh", f"{HOME}/.gem/credentials")


def test_secret_files_of_the_project_are_closed_unless_named() -> None:
    ground = Paper({"~/proj/.env": "file", "~/proj/a/key.pem": "file"})
    assert made(ground).closed == (f"{PROJECT}/.env", f"{PROJECT}/a/key.pem")
    assert made(ground, Settings(read=(".env",))).closed == (f"{PROJECT}/a/key.pem",)
    assert made(ground, Settings(read=("./a",))).closed == (f"{PROJECT}/.env",)


def test_what_runs_by_itself_stays_as_it_is_and_where_it_is() -> None:
    ground = Paper(
        {
            "~/proj/.git": "folder",
            "~/proj/.git/config": "file",
            "~/proj/.git/hooks": "folder",
            "~/proj/.git/info": "folder",
            "~/proj/.git/objects": "folder",
            "~/proj/.git/HEAD": "file",
            "~/proj/.git/refs": "folder",
            "~/proj/.vscode": "folder",
            "~/proj/.github": "folder",
            "~/proj/.github/workflows": "folder",
            "~/proj/.assent": "folder",
            "~/proj/.venv": "folder",
            "~/proj/src": "folder",
            "~/proj/AGENTS.md": "file",
        }
    )
    found = kinds(made(ground))
    assert {
        path.removeprefix(f"{PROJECT}/"): kind for path, kind in found.items() if path.startswith(f"{PROJECT}/")
    } == {
        ".git": "git",
        ".git/hooks": "read",
        ".git/info": "read",
        ".github": "write",
        ".github/workflows": "read",
        ".assent": "read",
        ".vscode": "read",
        "AGENTS.md": "read",
    }
    assert f"{PROJECT}/.venv" not in started_in(ground, PROJECT)


def test_the_settings_open_more_but_never_the_floor() -> None:
    ground = Paper({"~/.cache/pip": "folder", "/srv/data": "folder", "~/.aws": "folder", "~/.aws/credentials": "file"})
    opened = Settings(read=("/srv/data", "~/.aws/credentials"), write=("~/.cache/pip", "~/.aws/credentials", "missing"))
    found = kinds(made(ground, opened))
    assert (found["/srv/data"], found[f"{HOME}/.cache/pip"]) == ("read", "write")
    assert f"{HOME}/.aws/credentials" not in found


def test_a_folder_that_is_opened_does_not_take_the_floor_along() -> None:
    ground = Paper({"~/.config": "folder", "~/.config/gcloud": "folder", "~/.config/assent": "folder"})
    assert made(ground, Settings(read=("~/.config",))).closed == (f"{HOME}/.config/gcloud", f"{HOME}/.config/assent")


def test_a_home_inside_the_workspace_has_its_secrets_closed() -> None:
    ground = Paper({"/w": "folder", "/w/home": "folder", "/w/home/.ssh": "folder", "/w/home/.bashrc": "file"})
    found = made(ground, workspace="/w", cwd="/w", home="/w/home")
    assert found.closed == ("/w/home/.ssh",)


def test_assents_own_folders_are_closed_and_its_program_cannot_be_changed() -> None:
    ground = Paper({"~/proj/state/assent": "folder", "~/proj/src/assent": "folder"})
    running = (f"{PROJECT}/src/assent", "/usr/lib/python3.11", f"{PROJECT}/.venv/bin")
    found = kinds(made(ground, own=(f"{PROJECT}/state/assent", "/etc/assent"), running=running))
    assert (found[f"{PROJECT}/state/assent"], found[f"{PROJECT}/src/assent"]) == ("closed", "read")
    assert "/etc/assent" not in found


def test_secrets_of_tools_behind_a_link_are_closed_under_the_name_that_is_shown() -> None:
    ground = Paper({"~/.gem": "link:/data/gem", "/data/gem": "folder", "/data/gem/credentials": "file"})
    ground.table[f"{HOME}/.gem/credentials"] = "file"
    assert made(ground).closed == (f"{HOME}/.gem/credentials",)


def test_sockets_that_would_be_shown_are_closed() -> None:
    ground = Paper({"/usr/x.sock": "file", "/run/docker.sock": "file"}, ("/usr/x.sock", "/run/docker.sock"))
    assert made(ground).closed == ("/usr/x.sock",)


def test_a_workspace_behind_a_link_is_found_under_both_names() -> None:
    ground = Paper({"/data/proj": "folder", "~/link": "link:/data/proj"})
    profile = made(ground, workspace=f"{HOME}/link", cwd=f"{HOME}/link/src")
    assert (profile.workspace, profile.cwd) == ("/data/proj", f"{HOME}/link/src")
    assert profile.mounts[-2:] == (Mount("write", "/data/proj"), Mount("link", f"{HOME}/link", "/data/proj"))


@pytest.mark.parametrize("workspace", ["/", "/usr", "/home", "/tmp", "/etc", "/var"])
def test_a_workspace_that_holds_the_system_is_refused(workspace: str) -> None:
    with pytest.raises(AssentError, match=f"the workspace `{workspace}`"):
        made(Paper({workspace: "folder"}), workspace=workspace, cwd=workspace)


def test_a_folder_outside_is_no_place_to_start_in() -> None:
    with pytest.raises(AssentError, match="the folder `/srv` is not in the sandbox"):
        made(Paper({"/srv": "folder"}), cwd="/srv")


def test_only_a_few_variables_are_kept() -> None:
    env = {
        "PATH": "/usr/bin",
        "LC_ALL": "C",
        "AWS_SECRET_ACCESS_KEY": "x",
        "SSH_AUTH_SOCK": "/s",
        "LD_PRELOAD": "/e.so",
    }
    kept = dict(made(Paper(), env=env).environment)
    assert kept == {"PATH": "/usr/bin", "LC_ALL": "C", "HOME": HOME, "PWD": PROJECT, "TMPDIR": "/tmp"}


def test_what_was_not_searched_is_said() -> None:
    assert made(Paper(complete=False)).notes == (
        f"`{PROJECT}` is too large: not all of it was searched for secret files",
    )


def test_the_words_for_bubblewrap_follow_the_profile() -> None:
    profile = Profile(
        "/w",
        "/w/a",
        (
            Mount("read", "/usr"),
            Mount("write", "/w", "/real"),
            Mount("closed", "/w/.env", folder=False),
            Mount("closed", "/w/x"),
        ),
    )
    words = argv(profile, ("ls", "-l"), Wiring("/bin/bwrap", "/state/closed", 3, 4, 5))
    assert words[0] == "/bin/bwrap"
    assert {"--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"} <= set(words)
    text = " ".join(words)
    assert "--cap-drop ALL --seccomp 3 --info-fd 4 --block-fd 5 --dev /dev --proc /proc" in text
    assert "--ro-bind /usr /usr --bind /real /w --ro-bind /state/closed /w/.env" in text
    assert text.endswith("--perms 0000 --tmpfs /w/x --remount-ro /w/x --remount-ro / --chdir /w/a -- ls -l")


def test_a_repository_that_is_no_usual_one_can_only_be_read() -> None:
    usual = {"~/proj/.git": "folder", "~/proj/.git/objects": "folder", "~/proj/.git/HEAD": "file"}
    assert kinds(made(Paper(usual)))[f"{PROJECT}/.git"] == "git"
    for more in (
        {"~/proj/.git/commondir": "file"},
        {"~/proj/.git/objects": "link:/data/objects"},
        {"~/proj/.git/refs": "link:/data/refs"},
        {"~/proj/.git/HEAD": ""},
    ):
        assert kinds(made(Paper({**usual, **more})))[f"{PROJECT}/.git"] == "read"


def test_every_folder_above_what_is_kept_stays_where_it_is() -> None:
    ground = Paper({"~/proj/.local": "folder", "~/proj/.local/share": "folder", "~/proj/.local/share/nvim": "folder"})
    found = [(mount.path, mount.kind) for mount in made(ground).mounts if mount.path.startswith(PROJECT + "/")]
    above = [(f"{PROJECT}/.local", "write"), (f"{PROJECT}/.local/share", "write")]
    assert found == [*above, (f"{PROJECT}/.local/share/nvim", "read")]


def test_what_settings_of_git_name_in_the_project_is_kept() -> None:
    ground = Paper({f"~/proj/{name}": "file" for name in ("tools/pager", "more", "mine", "hooks/pre-commit", "other")})
    ground.table |= {f"{PROJECT}/.git": "folder", f"{PROJECT}/hooks": "folder", f"{PROJECT}/tools": "folder"}
    ground.texts |= {
        f"{PROJECT}/.git/config": "[include]\n\tpath = ../more\n",
        f"{PROJECT}/more": "[core]\n\tpager = sh tools/pager -x\n",
        f"{HOME}/.gitconfig": f"[core]\n\thooksPath = hooks\n[include]\n\tpath = {PROJECT}/mine\n",
    }
    found = kinds(made(ground))
    kept = {name for name in ("tools/pager", "more", "mine", "hooks", "other") if found.get(f"{PROJECT}/{name}")}
    assert kept == {"tools/pager", "more", "mine", "hooks"}
