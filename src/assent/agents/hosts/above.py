"""Which program started us, and in which version: the processes above us, and the packages their files are from."""

from __future__ import annotations

import json
import os
import time

INTERPRETERS = ("node", "bun")
MOST_ABOVE = 12
MOST_FOLDERS = 6
MOST_BYTES = 1_000_000
SLACK = 2.0
"""Clocks of processes and of files are not read at the same moment."""


def since(version: str, wanted: tuple[int, ...]) -> bool:
    """Whether a version, `2.1.325`, is that one or later; a text that is none is not."""
    parts = version.split(".")
    return all(part.isdecimal() for part in parts) and tuple(map(int, parts)) >= wanted


def started_by(package: str, wanted: tuple[int, ...]) -> bool:
    """Whether the nearest process above us that is from this npm package, or one of its parts, is new enough."""
    number = os.getppid()
    for _ in range(MOST_ABOVE):
        if number <= 1:
            return False
        try:
            above, begun = _ancestry(number)
            if version := _version(_file(number), package, begun):
                return since(version.partition("-")[0], wanted)
        except (OSError, ValueError, IndexError):
            return False
        number = above
    return False


def _ancestry(number: int) -> tuple[int, float]:
    """The process above one, and when this one began."""
    with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as stream:
        fields = stream.read(4_096).rpartition(")")[2].split()
    with open("/proc/uptime", encoding="ascii") as stream:
        booted = time.time() - float(stream.read(100).split()[0])
    return int(fields[1]), booted + int(fields[19]) / os.sysconf("SC_CLK_TCK")


def _file(number: int) -> str:
    """The program of a process, or the script of an interpreter. INVARIANT: never an argument, which others choose."""
    program = os.path.realpath(f"/proc/{number}/exe")
    if os.path.basename(program) not in INTERPRETERS:
        return program
    with open(f"/proc/{number}/cmdline", "rb") as stream:
        words = [os.fsdecode(word) for word in stream.read(MOST_BYTES).split(b"\0")[1:]]
    script = next((word for word in words if not word.startswith("-")), "")
    return os.path.realpath(script) if script.startswith("/") else program


def _version(file: str, package: str, begun: float) -> str:
    """The version of the package that a file is from; empty when it is from another, or changed since it was started.

    The program of a package has one of its own for each system: `@cline/cli-linux-x64` of `@cline/cli`.
    """
    folder = os.path.dirname(file)
    for _ in range(MOST_FOLDERS):
        about = os.path.join(folder, "package.json")
        if os.path.isfile(about):
            with open(about, "rb") as stream:
                if os.fstat(stream.fileno()).st_ctime > begun + SLACK:
                    return ""
                found = json.loads(stream.read(MOST_BYTES))
            name, version = str(found.get("name")), str(found.get("version"))
            if name == package or name.startswith(f"{package}-"):
                return version
        folder = os.path.dirname(folder)
    return ""
