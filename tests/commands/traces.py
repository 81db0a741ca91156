"""Reads a trace of strace: what a program really did to files, which programs it started, what it connected to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

CALLS = (
    "open openat openat2 creat truncate unlink unlinkat rmdir rename renameat renameat2 link linkat symlink symlinkat"
    " mkdir mkdirat mknod mknodat chmod fchmod fchmodat chown lchown fchown fchownat utime utimes utimensat setxattr"
    " lsetxattr fsetxattr removexattr lremovexattr execve execveat connect sendto sendmsg sendmmsg chdir fchdir"
    " clone clone3 fork vfork"
)
"""The system calls a trace must contain. Another machine may lack the older ones; strace's `?` allows for that."""
LINE = re.compile(r"^(?P<process>\d+) +(?P<call>\w+)\((?P<rest>.*)$")
RESUMED = re.compile(r"^(?P<process>\d+) +<\.\.\. (?P<call>\w+) resumed>(?P<rest>.*)$")
UNFINISHED = " <unfinished ...>"
RESULT = re.compile(r"\) += (?P<number>-?\d+|\?)(?:<[^>]*>)?(?:\(deleted\))? ?(?P<error>E[A-Z]+)?[^=]*$")
PATHS = re.compile(
    r'(?P<current>AT_FDCWD)(?:<(?P<here>[^>]*)>)?|\d+<(?P<folder>/[^>]*)>|"(?P<path>(?:[^"\\]|\\.)*)"(?P<cut>\.\.\.)?'
)
ESCAPE = re.compile(r"\\([0-7]{1,3}|x[0-9a-f]{2}|.)")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f"}
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
REFUSED = frozenset({"EROFS", "EACCES", "EPERM"})
"""What the sandbox answers where a real machine might have said yes: an attempt to write counts as writing."""
REMOVES = frozenset({"unlink", "unlinkat", "rmdir"})
ON_OPEN_FILES = frozenset({"fchmod", "fchown", "fsetxattr", "fchdir"})
STARTS = frozenset({"clone", "clone3", "fork", "vfork"})
SENDS = frozenset({"connect", "sendto", "sendmsg", "sendmmsg"})


class Event(NamedTuple):
    """`read`, `write`, `folder` (a new one), `delete`, `run` or `reach`, and what: an absolute path, or an address."""

    kind: str
    target: str


class Traced(NamedTuple):
    """One system call, whole, with the number of the process that made it."""

    process: str
    call: str
    rest: str


def events(trace: str, folder: str) -> Iterator[Event]:
    """All that was done, and the writing that was refused; `folder` is where the program was started."""
    folders = Folders(folder)
    begun = False
    for traced in _calls(trace, folders):
        result = RESULT.search(traced.rest)
        failed = result is None or result["number"].startswith("-")
        if traced.call in SENDS:
            yield from _contacts(traced.rest)
        elif traced.call in STARTS or traced.call in ("chdir", "fchdir"):
            if result is not None and not failed:
                folders.follow(traced, result["number"])
        elif traced.call in ("execve", "execveat"):
            if not failed and begun:
                yield Event("run", (folders.paths(traced) or ["?"])[0])
            begun = begun or not failed
        elif not failed:
            yield from _file_events(traced, folders)
        elif result is not None and result["error"] in REFUSED:
            yield from (event for event in _file_events(traced, folders) if event.kind != "read")


def _calls(trace: str, folders: Folders) -> Iterator[Traced]:
    """System calls with their results, put together again where another process came between."""
    waiting: dict[tuple[str, str], str] = {}
    for line in trace.splitlines():
        resumed = RESUMED.match(line)
        if resumed:
            begun = waiting.pop((resumed["process"], resumed["call"]), "")
            yield Traced(resumed["process"], resumed["call"], begun + resumed["rest"])
            continue
        matched = LINE.match(line)
        if matched is None:
            continue
        if not line.endswith(UNFINISHED):
            yield Traced(matched["process"], matched["call"], matched["rest"])
            continue
        waiting[matched["process"], matched["call"]] = matched["rest"].removesuffix(UNFINISHED)
        if matched["call"] in STARTS:
            folders.starting = matched["process"]


class Folders:
    """Where each process is: paths are relative to that, and strace names it only for some calls."""

    def __init__(self, first: str) -> None:
        self.first = first
        self.of: dict[str, str] = {}
        self.starting = ""
        """A process that is just starting another one, whose first calls may come before the number is known."""

    def current(self, process: str) -> str:
        return self.of.setdefault(process, self.of.get(self.starting, self.first))

    def follow(self, traced: Traced, result: str) -> None:
        """A new process begins where its parent is; others go elsewhere."""
        if traced.call in STARTS:
            self.of.setdefault(result, self.current(traced.process))
        elif found := self.paths(traced):
            self.of[traced.process] = found[0]

    def paths(self, traced: Traced) -> list[str]:
        """The paths of a call, absolute; a call on an open file has the path of that file."""
        found: list[str] = []
        base, opened = "", ""
        if traced.call in ON_OPEN_FILES:
            return [absolute("/", _unescaped(part["folder"])) for part in PATHS.finditer(traced.rest) if part["folder"]]
        for part in PATHS.finditer(traced.rest):
            if part["path"] is not None:
                found.append(absolute(f"{base or self.current(traced.process)}/", _unescaped(part["path"])))
                opened = ""
            elif part["current"]:
                base = self.of[traced.process] = _unescaped(part["here"] or self.current(traced.process))
            else:
                base = opened = _unescaped(part["folder"])
        return found or ([absolute("/", opened)] if opened else [])


def _file_events(traced: Traced, folders: Folders) -> Iterator[Event]:
    paths = folders.paths(traced)
    call, rest = traced.call, traced.rest
    if not paths:
        return
    if call.startswith("open"):
        if "O_TMPFILE" in rest:
            return
        if WRITES.search(rest):
            yield Event("write", paths[0])
        elif "O_DIRECTORY" not in rest and "O_PATH" not in rest:
            yield Event("read", paths[0])
    elif call.startswith(("rename", "link")):
        yield Event("delete" if call.startswith("rename") else "read", paths[0])
        yield Event("write", paths[1])
    elif call in REMOVES:
        yield Event("delete", paths[0])
    elif call.startswith("mkdir"):
        yield Event("folder", paths[0])
    else:
        yield Event("write", paths[-1] if call.startswith("symlink") else paths[0])


def _contacts(rest: str) -> Iterator[Event]:
    """Other machines by number and port, local services by their socket; the kernel itself (netlink) is no contact."""
    for family in re.findall(r"sa_family=(AF_\w+)", rest):
        if family == "AF_UNIX":
            named = re.search(r'sun_path=@?"([^"]*)"', rest)
            yield Event("reach", f"unix:{named[1] if named else ''}")
        elif family in ("AF_INET", "AF_INET6"):
            port = re.search(r"sin6?_port=htons\((\d+)\)", rest)
            host = re.search(r'inet_addr\("([^"]*)"\)|inet_pton\(AF_INET6, "([^"]*)"', rest)
            yield Event("reach", f"{(host[1] or host[2]) if host else '?'}:{port[1] if port else '?'}")
        elif family not in ("AF_NETLINK", "AF_UNSPEC"):
            yield Event("reach", family)


def absolute(folder: str, path: str) -> str:
    """A path without `.`, `..` and doubled slashes."""
    kept: list[str] = []
    for part in (path if path.startswith("/") else folder + path).split("/"):
        if part == "..":
            kept = kept[:-1]
        elif part not in ("", "."):
            kept.append(part)
    return "/" + "/".join(kept)


def _unescaped(text: str) -> str:
    def letter(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "01234567":
            return chr(int(code, 8))
        return chr(int(code[1:], 16)) if code[0] == "x" else LETTERS.get(code, code)

    return ESCAPE.sub(letter, text).encode("latin-1", "replace").decode("utf-8", "replace")
