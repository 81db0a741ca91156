"""What the sandbox probably held back, read from the words of programs."""

from __future__ import annotations

import pytest

from assent.sandbox.denials import NOTHING_NEW, Denial, denials
from assent.sandbox.profile import Mount, Profile
from assent.sandbox.walls import Walls
from sandbox.test_profile import Paper

W = "/home/dev/proj"
PROFILE = Profile(
    W,
    f"{W}/sub",
    (
        Mount("read", "/usr"),
        Mount("empty", "/home/dev"),
        Mount("write", W),
        Mount("read", f"{W}/.git/config"),
        Mount("closed", f"{W}/sub/.env", folder=False),
        Mount("closed", "/etc/ssh"),
    ),
    (("HOME", "/home/dev"),),
)
GROUND = Paper({"/home/dev/notes.txt": "file", "/home/dev/.ssh/id": "file", "/srv/data": "folder"})
BETTER = "install bubblewrap, which can close single files"
ASK = "run it without --sandbox, and a person is asked"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (
            "cat: .env: Permission denied",
            Denial("sub/.env", "secrets are hidden", 'read = ["sub/.env"] under [sandbox]'),
        ),
        ("cat: /etc/ssh/key: Permission denied", Denial("/etc/ssh/key", "secrets are hidden")),
        (
            "error: could not lock config file ../x: EBUSY",
            None,
        ),
        (
            f"bash: {W}/.git/config: Read-only file system",
            Denial(".git/config", "other programs run it by themselves", ASK),
        ),
        (
            "touch: cannot touch '/usr/lib/x': Read-only file system",
            Denial("/usr/lib/x", "only the workspace can be changed", 'write = ["/usr/lib"] under [sandbox]'),
        ),
        (
            "cat: /home/dev/notes.txt: No such file or directory",
            Denial("/home/dev/notes.txt", "outside the sandbox", 'read = ["/home/dev/notes.txt"] under [sandbox]'),
        ),
        ("cat: /home/dev/.ssh/id: No such file or directory", Denial("/home/dev/.ssh/id", "secrets are hidden")),
        ("cat: /home/dev/never-was: No such file or directory", None),
        ("cat: missing.txt: No such file or directory", None),
        ("Could not resolve host: pypi.org", Denial("the network", "there is none inside", ASK)),
        ("Error: getaddrinfo EAI_AGAIN registry.npmjs.org", Denial("the network", "there is none inside", ASK)),
        ("bash: fork: Resource temporarily unavailable", Denial("a new process", "4096 are the limit")),
        ("AssertionError: 1 != 2", None),
    ],
)
def test_one_line(line: str, found: Denial | None) -> None:
    assert denials(line, PROFILE, GROUND) == ((found,) if found else ())


WALLS = Walls((), (W,))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("touch: cannot touch '../new': Permission denied", Denial("new", NOTHING_NEW, BETTER)),
        ("cat: .env: Permission denied", denials("cat: .env: Permission denied", PROFILE, GROUND)[0]),
        (
            "cat: /home/dev/notes.txt: Permission denied",
            Denial("/home/dev/notes.txt", "outside the sandbox", 'read = ["/home/dev/notes.txt"] under [sandbox]'),
        ),
        ("cat: /home/dev/.ssh/id: Permission denied", Denial("/home/dev/.ssh/id", "secrets are hidden")),
        (
            "ls: /srv/data: Permission denied",
            Denial("/srv/data", "outside the sandbox", 'read = ["/srv/data"] under [sandbox]'),
        ),
        (
            "touch: cannot touch '/usr/lib/x': Permission denied",
            Denial("/usr/lib/x", "only the workspace can be changed", 'write = ["/usr/lib"] under [sandbox]'),
        ),
        (
            "bash: /tmp/x: Permission denied",
            Denial("/tmp/x", "with Landlock the folder for temporary files is the one that TMPDIR names"),
        ),
        (
            "socket: Address family not supported by protocol",
            Denial("the network", "there is none inside", ASK),
        ),
        ("PermissionError: [Errno 13] Permission denied: '../new'", Denial("new", NOTHING_NEW, BETTER)),
        (
            "/usr/bin/script: line 12: /srv/data: Permission denied",
            Denial("/srv/data", "outside the sandbox", 'read = ["/srv/data"] under [sandbox]'),
        ),
        ("cat: missing.txt: No such file or directory", None),
    ],
)
def test_one_line_behind_landlock(line: str, found: Denial | None) -> None:
    assert denials(line, PROFILE, GROUND, walls=WALLS) == ((found,) if found else ())


def test_the_same_is_said_once_and_not_everything_is_said() -> None:
    lines = [f"touch: cannot touch '/usr/{number}/x': Read-only file system" for number in range(9)]
    assert len(denials("\n".join(lines), PROFILE, GROUND)) == 3
    assert len(denials("cat: .env: Permission denied\n" * 5, PROFILE, GROUND)) == 1
