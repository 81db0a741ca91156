"""Runs inside the sandbox: each command of a list under strace, in a fresh copy of the scratch project.

Started as a program of its own; reads JSON lines `{"argv": [...]}` and answers `{"trace": "...", "status": n}`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HOME = Path("/home/dev")
TEMPLATE = Path("/run/template")
TRACE = "/run/traces/trace"
SECONDS = 2
ENVIRONMENT = {
    "HOME": str(HOME),
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "USER": "dev",
}


def fresh() -> None:
    """The project and home as they were."""
    for entry in HOME.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            subprocess.run(["chmod", "-R", "u+rwx", str(entry)], check=False, capture_output=True)
            shutil.rmtree(entry)
        else:
            entry.unlink()
    shutil.copytree(TEMPLATE, HOME, symlinks=True, dirs_exist_ok=True)


def run(argv: list[str], calls: str) -> int:
    tracing = ["strace", "-f", "-y", "--seccomp-bpf", "-s", "4096", "-e", f"trace={calls}", "-e", "signal=none"]
    process = subprocess.Popen(
        [*tracing, "-o", TRACE, "--", *argv],
        cwd=HOME / "proj",
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return -1


def main() -> None:
    calls = ",".join(f"?{name}" for name in sys.argv[1:])
    for line in sys.stdin:
        fresh()
        status = run(json.loads(line)["argv"], calls)
        trace = Path(TRACE).read_text(errors="replace") if Path(TRACE).exists() else ""
        Path(TRACE).unlink(missing_ok=True)
        sys.stdout.write(json.dumps({"trace": trace, "status": status}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
