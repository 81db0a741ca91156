"""Rights, owners and times of files, which Landlock leaves open: they change where files may, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from assent.sandbox.capability import LANDLOCK
from sandbox.confined import Place, Shown


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path, kind=LANDLOCK)
    (made.project / "src").mkdir()
    return made


CHANGES = """
import ctypes, os, sys
libc, file = ctypes.CDLL(None, use_errno=True), sys.argv[1].encode()
here = os.open(os.path.dirname(file), os.O_PATH)
name, handle = os.path.basename(file), os.open(file, os.O_PATH)
own, now = (os.getuid(), os.getgid()), (ctypes.c_long * 4)(5, 0, 6, 0)
ways = {
    "chmod": lambda: libc.syscall(90, file, 0o640),
    "fchmodat": lambda: libc.fchmodat(here, name, 0o641, 0),
    "fchmodat2": lambda: libc.syscall(452, here, name, 0o642, 0),
    "empty": lambda: libc.syscall(452, handle, b"", 0o643, 0x1000),
    "handle": lambda: libc.chmod(b"/proc/self/fd/%d" % handle, 0o644),
    "chown": lambda: libc.chown(file, *own),
    "lchown": lambda: libc.lchown(file, *own),
    "fchownat": lambda: libc.fchownat(here, name, *own, 0),
    "utime": lambda: libc.syscall(132, file, now),
    "utimes": lambda: libc.syscall(235, file, now),
    "futimesat": lambda: libc.syscall(261, here, name, now),
    "utimensat": lambda: libc.utimensat(here, name, now, 0),
    "times of a handle": lambda: libc.syscall(280, os.open(file, os.O_RDONLY), None, now, 0),
    "fchmod": lambda: libc.fchmod(os.open(file, os.O_RDONLY), 0o645),
    "fchown": lambda: libc.fchown(os.open(file, os.O_RDONLY), *own),
}
for way, act in ways.items():
    try:
        result = act()
        print(way, "done" if result == 0 else os.strerror(ctypes.get_errno()))
    except OSError as error:
        print(way, error.strerror)
"""
WAYS = (
    *("chmod", "fchmodat", "fchmodat2", "empty", "handle", "chown", "lchown", "fchownat", "utime", "utimes"),
    *("futimesat", "utimensat", "times of a handle", "fchmod", "fchown"),
)


def test_every_way_to_change_rights_works_inside(place: Place) -> None:
    file = place.project / "src/a"
    file.write_text("x")
    done = place.python(CHANGES, str(file))
    assert done.out.splitlines() == [f"{way} done" for way in WAYS]
    assert (file.stat().st_mode & 0o777, int(file.stat().st_atime), int(file.stat().st_mtime)) == (0o645, 5, 6)


@pytest.mark.parametrize("where", ["~/notes.txt", ".vscode/settings.json", ".env", "src/link"])
def test_no_way_to_change_rights_works_elsewhere(place: Place, where: str) -> None:
    (place.project / ".vscode").mkdir()
    for name in (".vscode/settings.json", ".env"):
        (place.project / name).write_text("x")
    (place.project / "src/link").symlink_to(place.home / "notes.txt")
    file = Path(where.replace("~", str(place.home))) if where[0] == "~" else place.project / where
    before = file.stat()
    done = place.python(CHANGES, str(file))
    lines = done.out.splitlines()
    assert [line for line in lines if line.endswith(" done")] == (["lchown done"] if "link" in where else [])
    assert len(lines) == len(WAYS)
    after = file.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_ctime_ns) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_ctime_ns,
    )


NONSENSE = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
calls = [(number, *arguments) for number in (90, 91, 92, 93, 94, 132, 235, 260, 261, 268, 280, 452)
         for arguments in ((0, 0, 0, 0), (1, 1, 1, 1), (-1, -1, -1, -1), (99, 0, 8, 0x1000), (-100, 0, 0, 0))]
calls += [(280, -100, b"src/a", 8, 0), (132, b"src/a", 8), (235, b"src/a", (ctypes.c_long * 4)(1, 10**7, 1, 10**7))]
calls += [(90, b"x" * 5000, 0), (90, b"", 0), (90, b"/proc/self/fd/77", 0), (90, b"/proc/self/cwd/src/a", 0)]
for one in calls:
    words = [ctypes.c_long(part) if isinstance(part, int) else part for part in one]
    if libc.syscall(*words) == 0:
        print(one)
print("alive", libc.chmod(b"src/a", 0o600))
"""


def test_calls_that_make_no_sense_are_errors_and_nothing_breaks(place: Place) -> None:
    (place.project / "src/a").write_text("x")
    assert place.python(NONSENSE) == Shown(0, "alive 0\n", "")
    assert (place.project / "src/a").stat().st_mode & 0o777 == 0o600


def test_the_times_of_a_link_are_its_own(place: Place) -> None:
    (place.project / "src/link").symlink_to(place.home / "notes.txt")
    assert place.run("touch -h -d @77 src/link") == Shown(0, "", "")
    assert int((place.project / "src/link").lstat().st_mtime) == 77


def test_tools_that_set_rights_work(place: Place) -> None:
    done = place.run(
        "cd src && echo 'echo ran' > s && chmod +x s && ./s && cp -p s t && install -m 700 s u && touch -d @1000 s &&"
        "tar cf a.tar s t u && mkdir d && tar xf a.tar -C d && stat -c '%a %n' d/* && stat -c %Y d/s"
    )
    assert done.code == 0, done.err
    assert done.out.splitlines()[0] == "ran"
    assert [line.split()[1] for line in done.out.splitlines()[1:4]] == ["d/s", "d/t", "d/u"]
    assert done.out.splitlines()[-1] == "1000"
