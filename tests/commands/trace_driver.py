"""Runs inside the sandbox: each command of a list under strace, in a fresh copy of the scratch project.

Started as a program of its own; reads JSON lines `{"argv": [...], "seconds": n}` and answers
`{"trace": "...", "status": n, "output": "..."}`, the last with what the command printed.
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
TRACE, OUTPUT = "/run/traces/trace", "/run/traces/output"
SECONDS = 2
MOST_OUTPUT = 200_000
ENVIRONMENT = {
    "HOME": str(HOME),
    "PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "USER": "dev",
}


def seen() -> list[tuple[str, int, int, int]]:
    """Everything at home, so that a run which changed nothing needs no fresh copy."""
    found = []
    for folder, folders, files in os.walk(HOME):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            try:
                facts = os.lstat(path)
            except FileNotFoundError:  # whoever was started in the background still tidies up
                continue
            found.append((path, facts.st_mode, facts.st_size, facts.st_mtime_ns))
    return found


def fresh() -> list[tuple[str, int, int, int]]:
    """The project and home as they were."""
    for entry in HOME.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            subprocess.run(["chmod", "-R", "u+rwx", str(entry)], check=False, capture_output=True)
            shutil.rmtree(entry)
        else:
            entry.unlink()
    shutil.copytree(TEMPLATE, HOME, symlinks=True, dirs_exist_ok=True)
    return seen()


def run(argv: list[str], calls: str, seconds: float, environment: dict[str, str]) -> int:
    tracing = ["strace", "-f", "-y", "--seccomp-bpf", "-s", "4096", "-e", f"trace={calls}", "-e", "signal=none"]
    with Path(OUTPUT).open("wb") as output:
        process = subprocess.Popen(
            [*tracing, "-o", TRACE, "--", *argv],
            cwd=HOME / "proj",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            return process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return -1


def main() -> None:
    calls = ",".join(f"?{name}" for name in sys.argv[1:])
    as_it_was = None
    for line in sys.stdin:
        asked = json.loads(line)
        if as_it_was is None or seen() != as_it_was:
            as_it_was = fresh()
        environment = ENVIRONMENT | asked.get("environment", {})
        status = run(asked["argv"], calls, asked.get("seconds", SECONDS), environment)
        trace = Path(TRACE).read_text(errors="replace") if Path(TRACE).exists() else ""
        Path(TRACE).unlink(missing_ok=True)
        with Path(OUTPUT).open(errors="replace") as output:
            printed = output.read(MOST_OUTPUT)
        sys.stdout.write(json.dumps({"trace": trace, "status": status, "output": printed}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
