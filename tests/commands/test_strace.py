"""The reader of traces: calls that were interrupted, paths that are relative, calls that failed."""

from __future__ import annotations

import pytest

from assent.types import Effect
from commands.agreement import unexplained
from commands.explained import TABLE
from commands.invocations import Invocation
from commands.scratch import PROJECT
from commands.traces import Event, events


def read(*lines: str) -> list[Event]:
    return list(events("\n".join(lines) + "\n", PROJECT))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('openat(AT_FDCWD</home/dev/proj>, "a", O_RDONLY) = 3</home/dev/proj/a>', Event("read", "/home/dev/proj/a")),
        ('open("a", O_RDONLY|O_CLOEXEC) = 3</home/dev/proj/a>', Event("read", "/home/dev/proj/a")),
        ('openat(AT_FDCWD</home/dev/proj>, "b", O_WRONLY|O_CREAT) = 3</x/b>', Event("write", "/home/dev/proj/b")),
        ('openat(4</home/dev/proj/src>, "../b", O_RDWR) = 5</home/dev/proj/b>', Event("write", "/home/dev/proj/b")),
        ('unlinkat(4</home/dev/proj/src>, "x", AT_REMOVEDIR) = 0', Event("delete", "/home/dev/proj/src/x")),
        ('mkdir("new", 0777) = 0', Event("folder", "/home/dev/proj/new")),
        ('symlink("/etc/passwd", "b") = 0', Event("write", "/home/dev/proj/b")),
        ('chmod("a", 0644) = 0', Event("write", "/home/dev/proj/a")),
        ("fchmod(3</home/dev/proj/a>, 0644) = 0", Event("write", "/home/dev/proj/a")),
        ("utimensat(3</home/dev/proj/a>, NULL, NULL, 0) = 0", Event("write", "/home/dev/proj/a")),
        ('fsetxattr(3</home/dev/proj/a>, "user.x", "1", 1, 0) = 0', Event("write", "/home/dev/proj/a")),
        (r'unlink("sp\303\244t \"x\"") = 0', Event("delete", '/home/dev/proj/spät "x"')),
        (r'unlink("tab\tand\\") = 0', Event("delete", "/home/dev/proj/tab\tand\\")),
        ('connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("1.2.3.4")}, 16) = -1'
         " ENETUNREACH (Network is unreachable)", Event("reach", "1.2.3.4:80")),
        ('connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 16) = 0', Event("reach", "unix:/run/x")),
    ],
)  # fmt: skip
def test_a_call_becomes_an_event(line: str, expected: Event) -> None:
    assert read(f"10 {line}") == [expected]


@pytest.mark.parametrize(
    "line",
    [
        'openat(AT_FDCWD</home/dev/proj>, "a", O_RDONLY) = -1 ENOENT (No such file or directory)',
        'openat(AT_FDCWD</home/dev/proj>, "a", O_RDONLY) = -1 EACCES (Permission denied)',
        'openat(AT_FDCWD</home/dev/proj>, "b", O_WRONLY) = -1 ENOENT (No such file or directory)',
        'openat(AT_FDCWD</home/dev/proj>, "src", O_RDONLY|O_DIRECTORY) = 3</home/dev/proj/src>',
        'mkdir("src", 0777) = -1 EEXIST (File exists)',
        "connect(3<socket:[1]>, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 0",
        "+++ exited with 0 +++",
        "--- SIGCHLD {si_signo=SIGCHLD} ---",
    ],
)
def test_what_did_not_happen_or_touches_no_file_is_no_event(line: str) -> None:
    assert read(f"10 {line}") == []


def test_writing_that_the_sandbox_refused_counts() -> None:
    line = '10 openat(AT_FDCWD</home/dev/proj>, "/etc/x", O_WRONLY|O_CREAT, 0666) = -1 EROFS (Read-only file system)'
    assert read(line) == [Event("write", "/etc/x")]


def test_a_renaming_removes_one_name_and_writes_another() -> None:
    assert read('10 rename("a", "b") = 0') == [Event("delete", f"{PROJECT}/a"), Event("write", f"{PROJECT}/b")]


def test_a_call_that_was_interrupted_is_put_together_again() -> None:
    found = read(
        '10 openat(AT_FDCWD</home/dev/proj>, "a", O_RDONLY <unfinished ...>',
        '11 unlink("b" <unfinished ...>',
        "10 <... openat resumed>) = 3</home/dev/proj/a>",
        "11 <... unlink resumed>) = -1 ENOENT (No such file or directory)",
    )
    assert found == [Event("read", f"{PROJECT}/a")]


def test_the_first_program_is_what_was_traced_and_later_ones_are_runs() -> None:
    found = read(
        '10 execve("/usr/bin/zcat", ["zcat"], 0x1 /* 5 vars */) = 0',
        '11 execve("/usr/local/bin/gzip", ["gzip"], 0x1 /* 5 vars */) = -1 ENOENT (No such file or directory)',
        '11 execve("/usr/bin/gzip", ["gzip"], 0x1 /* 5 vars */) = 0',
    )
    assert found == [Event("run", "/usr/bin/gzip")]


def test_a_process_is_followed_where_it_goes() -> None:
    found = read('10 chdir("src") = 0', '10 mkdir("new", 0777) = 0', '10 chdir("..") = 0', '10 unlink("a") = 0')
    assert found == [Event("folder", f"{PROJECT}/src/new"), Event("delete", f"{PROJECT}/a")]


def test_going_somewhere_that_fails_changes_nothing() -> None:
    assert read('10 chdir("none") = -1 ENOENT (No such file)', '10 unlink("a") = 0') == [
        Event("delete", f"{PROJECT}/a")
    ]


def test_a_new_process_begins_where_its_parent_is() -> None:
    found = read(
        '10 chdir("src") = 0',
        "10 clone(child_stack=NULL, flags=SIGCHLD) = 11",
        '10 chdir("/") = 0',
        '11 unlink("x") = 0',
    )
    assert found == [Event("delete", f"{PROJECT}/src/x")]


def test_a_new_process_may_be_heard_before_its_parent_knows_its_number() -> None:
    found = read(
        "10 fchdir(3</home/dev/proj/docs>) = 0",
        "10 clone3({flags=CLONE_VM}, 88 <unfinished ...>",
        '11 unlink("x") = 0',
        "10 <... clone3 resumed>) = 11",
    )
    assert found == [Event("delete", f"{PROJECT}/docs/x")]


# --- compared with what was stated -----------------------------------------------------------------------------------


def compare(argv: str, effects: list[Effect], *found: Event) -> list[Event]:
    return unexplained(Invocation(tuple(argv.split()), tuple(effects), ()), found)


def test_an_event_that_no_effect_speaks_of_is_found() -> None:
    written, read_ = Event("write", f"{PROJECT}/b"), Event("read", f"{PROJECT}/a")
    assert compare("cat a", [Effect("read", "a")], read_, written) == [written]
    assert compare("cat a", [Effect("list", "a")], read_) == [read_]
    assert compare("cat a", [Effect("read", "a")], Event("run", "/bin/sh")) == [Event("run", "/bin/sh")]
    assert compare("cat a", [Effect("read", "a")], Event("reach", "1.2.3.4:80")) == [Event("reach", "1.2.3.4:80")]


def test_a_deep_effect_speaks_of_what_is_below_and_only_of_its_names() -> None:
    python, other = Event("read", f"{PROJECT}/src/a.py"), Event("read", f"{PROJECT}/src/a.txt")
    assert compare("x", [Effect("read", "src", deep=True)], python, other) == []
    assert compare("x", [Effect("read", "src", deep=True, only="*.py")], python, other) == [other]
    assert compare("x", [Effect("read", "src")], python) == [python]


def test_a_deep_effect_does_not_speak_of_what_is_left_out() -> None:
    deep, top = Event("read", f"{PROJECT}/src/x/a.py"), Event("read", f"{PROJECT}/src/y/x/a.py")
    for only, left in (("*//x", [deep, top]), ("*.py///x", [deep]), ("*//z", []), ("x/", []), ("y/", [deep])):
        assert compare("x", [Effect("read", "src", deep=True, only=only)], deep, top) == left, only


def test_an_explanation_is_for_one_program_and_one_file() -> None:
    index, settings = Event("write", f"{PROJECT}/.git/index"), Event("write", f"{PROJECT}/.git/config")
    note = Effect("note", ".", code="git.repository")
    assert compare("git status", [note], index, settings) == [settings]
    assert compare("ls", [note], index) == [index]


def test_a_temporary_name_must_be_gone_afterwards() -> None:
    made, gone = Event("write", f"{PROJECT}/sedABCDEF"), Event("delete", f"{PROJECT}/sedABCDEF")
    assert compare("sed -i p a", [Effect("write", "a")], made, gone) == []
    assert compare("sed -i p a", [Effect("write", "a")], made) == [made]
    assert compare("sed -n p a", [Effect("read", "a")], made, gone) == [made, gone]


def test_a_helper_program_must_be_the_system_s() -> None:
    fake = Event("run", f"{PROJECT}/gzip")
    assert compare("zcat a", [], Event("run", "/usr/bin/gzip"), fake) == [fake]


def test_no_explanation_is_a_blanket() -> None:
    """Whole trees only for what git compares with its index, everything else by name, and each row once."""
    assert {row.kind for row in TABLE} <= {"run", "temporary", "write", "read", "reach"}
    assert {row.program.split()[0] for row in TABLE if "**" in row.what} == {"git"}
    assert {row.kind for row in TABLE if "**" in row.what} == {"read"}
    assert [row for row in TABLE if row.what.strip("*?/@.") == "" and row.what != "**"] == []
    assert len({row[:3] for row in TABLE}) == len(TABLE)
