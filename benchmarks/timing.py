"""What the benchmarks share: processes timed from start to end, figures as ratios, and peers to compare with."""

from __future__ import annotations

import compileall
import os
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import NamedTuple

from assent.bundle import write_bundle

ROOT = Path(__file__).resolve().parent.parent
START = (sys.executable, "-I", "-S", str(ROOT / "src/assent/start.py"))
BARE = (sys.executable, "-I", "-S", "-c", "pass")
NAH = "nah==0.11.0"
INSTALL_SECONDS = 600


class Case(NamedTuple):
    """One command to time, its home folder, and what it reads."""

    name: str
    words: tuple[str, ...]
    home: Path
    payload: Path = Path(os.devnull)

    @property
    def environment(self) -> dict[str, str]:
        home = str(self.home)
        return {
            "PATH": os.defpath,
            "HOME": home,
            "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": f"{home}/config",
            "XDG_STATE_HOME": f"{home}/state",
            "XDG_CACHE_HOME": f"{home}/cache",
        }


def prepare() -> None:
    """Everything compiled, as after an installation."""
    compileall.compile_dir(str(ROOT / "src"), quiet=1)
    write_bundle()


def project(folder: Path) -> Path:
    """A folder that is a repository."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git/config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    return folder


def run(case: Case, silent: int) -> tuple[float, int]:
    """Milliseconds from spawn to exit, and the exit code."""
    streams: list[tuple[object, ...]] = [(os.POSIX_SPAWN_OPEN, 0, str(case.payload), os.O_RDONLY, 0)]
    streams += [(os.POSIX_SPAWN_DUP2, silent, number) for number in (1, 2)]
    begun = time.perf_counter()
    child = os.posix_spawn(case.words[0], case.words, case.environment, file_actions=streams)
    status = os.waitpid(child, 0)[1]
    return (time.perf_counter() - begun) * 1000, os.waitstatus_to_exitcode(status)


def measure(timed: list[Case], runs: int) -> dict[str, list[float]]:
    """Milliseconds of all cases in turn, again and again: a busy machine is busy for everyone."""
    silent = os.open(os.devnull, os.O_RDWR)
    spent: dict[str, list[float]] = {case.name: [] for case in timed}
    for _ in range(runs):
        for case in timed:
            spent[case.name].append(run(case, silent)[0])
    os.close(silent)
    return spent


def show(spent: dict[str, list[float]]) -> None:
    """Medians and minima, each as a ratio to the first case."""
    medians = {name: statistics.median(times) for name, times in spent.items()}
    bare, least = next(iter(medians.values())), min(next(iter(spent.values())))
    width = max(map(len, spent)) + 2
    print(f"\n{'':{width}}{'median ms':>11}{'ratio':>8}{'min ms':>10}{'ratio':>8}")
    for name, times in spent.items():
        ratios = f"{medians[name]:11.1f}{medians[name] / bare:8.2f}{min(times):10.1f}{min(times) / least:8.2f}"
        print(f"{name:{width}}{ratios}")


def peer(name: str, requirement: str) -> Path | None:
    """The folder with a peer's programs, in an environment of its own that is made once; None if it cannot be had."""
    scratch = ROOT / f".venv/bench-{name}"
    stamp, wanted = scratch / "holds", f"{sys.version}\n{requirement}\n"
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing {requirement} into {scratch.relative_to(ROOT)}")
        venv.create(scratch, clear=True, with_pip=True)
        words = [str(scratch / "bin/python"), "-m", "pip", "install", "-qq", "--no-input", requirement]
        if subprocess.run(words, check=False, timeout=INSTALL_SECONDS, stderr=subprocess.STDOUT).returncode:
            print(f"NOT MEASURED: {requirement} could not be installed (see above)")
            return None
        stamp.write_text(wanted)
    return scratch / "bin"
