"""A bash with the oracle loaded, in a sandbox of its own: started, asked, and started again when it dies."""

from __future__ import annotations

import json
import os
import select
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from oracle.events import OracleError

HERE = Path(__file__).parent
SCRIPT = HERE.parent.parent / "scripts/oracle"
SYSTEM = "system"
NEWER = "5.3"

# The files that runs find; `oracle_serve` empties them again.
SETUP = """
unset LD_PRELOAD
for file in a.txt b.txt evilglob ./-rf; do : >"$file"; done
enable -f /oracle.so oracle_serve oracle_each oracle_missing || exit
command_not_found_handle() { oracle_missing "$@"; }
unset file
oracle_serve
"""
ENVIRONMENT = {"PATH": "/shim", "HOME": "/home", "LC_ALL": "C.UTF-8", "LD_PRELOAD": "/oracle.so"}
NOBODY = "65534"
TMPFS = ("--size", str(64 << 20), "--tmpfs")
START_SECONDS = 30.0
CHUNK = 1 << 16
LIMITS = ("--core=0", f"--stack={256 << 20}", f"--as={2 << 30}")


class Parts(NamedTuple):
    """What goes into a sandbox: the oracle, and the files of a bash of its own unless the system's `/usr` serves."""

    oracle: Path
    files: dict[str, Path]


def build(bash: str = SYSTEM) -> Parts:
    """Makes the oracle if need be."""
    arguments = ["--bash-5.3"] if bash == NEWER else []
    made = subprocess.run(["sh", str(SCRIPT), *arguments], capture_output=True, text=True)
    if made.returncode:
        raise OracleError(f"`scripts/oracle` failed: {made.stderr.strip()}")
    if bash == NEWER:
        return Parts(HERE / "build/oracle-5.3.so", dict(_files(HERE / "build/bash-5.3")))
    asked = ["bash", "--norc", "-c", 'echo "${BASH_VERSION%%(*}"']
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return Parts(HERE / f"build/oracle-{version}.so", {})


def at_hand() -> tuple[str, ...]:
    """The system's bash, and 5.3 where `scripts/oracle --bash-5.3` has fetched it."""
    return (SYSTEM, NEWER) if (HERE / "build/bash-5.3").is_dir() else (SYSTEM,)


def _files(root: Path) -> Iterator[tuple[str, Path]]:
    for pattern in ("bin/bash", "lib64/ld-*", "lib/ld-*", "lib/*/libc.so.6", "lib/*/libtinfo.so.6"):
        for path in (root / "usr").glob(pattern):
            yield f"/{path.relative_to(root)}", path


def command_line(parts: Parts) -> tuple[list[str], list[int]]:
    """No network, no other process, nothing of the disk but a read-only `/usr`; never as root.

    Our own files come as descriptors, because nobody may not be able to walk to them.
    """
    drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if os.getuid() == 0 else []
    bind = [] if parts.files else ["--ro-bind", "/usr", "/usr"]
    opened = []
    for name, path in {**parts.files, "/oracle.so": parts.oracle}.items():
        opened.append(os.open(path, os.O_RDONLY))
        bind += ["--perms", "0755", "--ro-bind-data", str(opened[-1]), name]
    for name in ("bin", "lib", "lib64"):
        bind += ["--symlink", f"usr/{name}", f"/{name}"]
    made = ["--dev", "/dev", "--proc", "/proc", *TMPFS, "/tmp", *TMPFS, "/w", "--dir", "/shim", "--dir", "/home"]
    environment = [part for name, value in ENVIRONMENT.items() for part in ("--setenv", name, value)]
    return [
        *(*drop, "prlimit", *LIMITS, "bwrap", "--unshare-all", "--die-with-parent", "--new-session"),
        *(*bind, *made, "--remount-ro", "/", "--chdir", "/w", "--clearenv", *environment),
        *("/bin/bash", "--norc", "--noprofile", "-c", SETUP, "bash"),
    ], opened


class Server:
    """One bash that answers requests in order, and is started again when it dies or is late."""

    def __init__(self, bash: str = SYSTEM) -> None:
        self.parts = build(bash)
        self.version = ""
        self.starts = 0
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, requests: Sequence[bytes], seconds: float) -> list[bytes | None]:
        """One answer each; `None` where the server died or said nothing for so many seconds."""
        answers: list[bytes | None] = []
        while len(answers) < len(requests):
            process = self._running()
            answers += _exchange(process, requests[len(answers) :], seconds)
            if len(answers) < len(requests):
                self.stop()
                answers.append(None)
        return answers

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None:
            return self._process
        command, opened = command_line(self.parts)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=opened)
        for each in opened:
            os.close(each)
        self.starts += 1
        hello = _exchange(self._process, [b""], START_SECONDS)
        if not hello:
            raise OracleError(f"bash did not start in its sandbox: {self.stop() or 'it says nothing'}")
        self.version = json.loads(hello[0])["bash"]
        return self._process

    def stop(self) -> str:
        """Ends the bash, if any, and gives what it wrote to its standard error."""
        if self._process is None:
            return ""
        self._process.kill()
        _, said = self._process.communicate()
        self._process = None
        return said.decode(errors="replace").strip()


def _exchange(process: subprocess.Popen[bytes], requests: Sequence[bytes], seconds: float) -> list[bytes]:
    """Writes and reads at the same time, so that neither side waits for the other with full pipes."""
    assert process.stdin is not None and process.stdout is not None
    into, out = process.stdin.fileno(), process.stdout.fileno()
    os.set_blocking(into, False)
    outgoing, incoming, answers = memoryview(b"".join(requests)), bytearray(), list[bytes]()
    while len(answers) < len(requests):
        readable, writable, _ = select.select([out], [into] if outgoing else [], [], seconds)
        if writable:
            try:
                outgoing = outgoing[os.write(into, outgoing[:CHUNK]) :]
            except BrokenPipeError:
                outgoing = outgoing[:0]
        if readable:
            got = os.read(out, CHUNK)
            incoming += got
            answers += _take_frames(incoming)
            if not got:
                break
        elif not writable:
            break
    return answers


def _take_frames(incoming: bytearray) -> list[bytes]:
    frames, at = [], 0
    while len(incoming) >= at + 4:
        (length,) = struct.unpack_from("<I", incoming, at)
        if len(incoming) < at + 4 + length:
            break
        frames.append(bytes(incoming[at + 4 : at + 4 + length]))
        at += 4 + length
    del incoming[:at]
    return frames
