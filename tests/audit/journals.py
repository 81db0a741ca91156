"""Journals to try things on: small ones, their lines, and the processes that write them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from assent.audit.journal import Journal

SRC = Path(__file__).parents[2] / "src"


def written(folder: Path, count: int = 5, *, max_bytes: int = 64_000_000) -> Path:
    """A journal with so many decisions in it; the path is that of its folder."""
    journal = Journal(str(folder), durable=False, max_bytes=max_bytes, clock=lambda: 1_700_000_000.0)
    for number in range(count):
        journal.append("decision", {"tool": "Bash", "decision": "allow", "command": f"echo {number}"})
    return folder


def current(folder: Path) -> Path:
    return folder / "permissions.jsonl"


def lines(folder: Path) -> list[bytes]:
    """The lines of the current file, without their newlines."""
    return current(folder).read_bytes().split(b"\n")[:-1]


def put_lines(folder: Path, given: list[bytes]) -> None:
    current(folder).write_bytes(b"".join(line + b"\n" for line in given))


def python(program: str, *words: str) -> subprocess.Popen[str]:
    """A fresh interpreter that can import Assent."""
    before = f"import sys; sys.path.insert(0, {str(SRC)!r})\n"
    return subprocess.Popen([sys.executable, "-I", "-c", before + program, *words], stdout=subprocess.PIPE, text=True)
