"""How long one check takes as a fresh process, as a ratio to a bare interpreter.

`python benchmarks/cold_start.py [RUNS]`, 60 unless told.
The runs are interleaved, so that a busy machine is busy for everyone; read the ratios, not the milliseconds.
"""

from __future__ import annotations

import compileall
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from assent.bundle import write_bundle

SRC = Path(__file__).resolve().parent.parent / "src"
READ = ("check", "--tool", "Read", "--input", '{"file_path": "README.md"}')
GIT = ("check", "git status")
SMALL_POLICY = """\
mode = "default"

[[rule]]
id = "no-secrets"
deny = "Read(./secrets/**)"

[[rule]]
id = "docs-are-free"
allow = "Write(./docs/**)"

[[rule]]
id = "look-before-you-fetch"
ask = "WebFetch(domain:example.com)"
"""


class Case(NamedTuple):
    """One command to time and the home folder it runs in."""

    name: str
    words: tuple[str, ...]
    home: Path

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


def large_policy(rules: int) -> str:
    """Rules of every kind, none of which is about the file that is read."""
    kinds = (
        'deny = "Read(./private/{n}/**)"',
        'ask = "Write(./generated/{n}/*.json)"',
        'allow = "WebFetch(domain:host{n}.example.com)"',
        'deny = "Mcp(server{n}.delete)"',
        'allow = "Bash(tool{n} build:*)"',
    )
    blocks = [f'[[rule]]\nid = "rule-{n}"\n{kinds[n % len(kinds)].format(n=n)}\n' for n in range(rules)]
    return 'mode = "default"\n\n' + "\n".join(blocks)


def cases(scratch: Path) -> list[Case]:
    """The bare interpreter first: everything else is compared with it."""
    launch = (sys.executable, "-I", "-S", str(SRC / "assent/start.py"))
    start = (*launch, *READ)
    return [
        Case("python -c pass", (sys.executable, "-c", "pass"), home(scratch / "bare", "")),
        Case("python -I -S -c pass", (sys.executable, "-I", "-S", "-c", "pass"), home(scratch / "bare", "")),
        Case("check, no policy file", start, home(scratch / "none", "")),
        Case("check 'git status'", (*launch, *GIT), home(scratch / "git", "")),
        Case("check, small policy", start, home(scratch / "small", SMALL_POLICY)),
        Case("check, 5,000 rules", start, home(scratch / "large", large_policy(5000))),
    ]


def home(folder: Path, policy: str) -> Path:
    """A private home folder with this user policy, or with none."""
    config = folder / "config/assent"
    config.mkdir(parents=True, mode=0o700, exist_ok=True)
    if policy:
        (config / "policy.toml").write_text(policy)
    return folder


def run(case: Case, silent: int) -> tuple[float, int]:
    """Milliseconds from spawn to exit, and the exit code."""
    begun = time.perf_counter()
    streams = [(os.POSIX_SPAWN_DUP2, silent, number) for number in (0, 1, 2)]
    child = os.posix_spawn(case.words[0], case.words, case.environment, file_actions=streams)
    status = os.waitpid(child, 0)[1]
    return (time.perf_counter() - begun) * 1000, os.waitstatus_to_exitcode(status)


def measure(timed: list[Case], runs: int) -> dict[str, list[float]]:
    """All cases in turn, again and again. The first round fills the caches and is not counted."""
    silent = os.open(os.devnull, os.O_RDWR)
    for case in timed:
        milliseconds, code = run(case, silent)
        print(f"first run of {case.name!r}: {milliseconds:.0f} ms, exit code {code}")
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
    print(f"\n{'':24}{'median ms':>11}{'ratio':>8}{'min ms':>10}{'ratio':>8}")
    for name, times in spent.items():
        print(f"{name:24}{medians[name]:11.1f}{medians[name] / bare:8.2f}{min(times):10.1f}{min(times) / least:8.2f}")


def main() -> None:
    """Compile, prepare the homes, measure, show."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    compileall.compile_dir(str(SRC), quiet=1)
    write_bundle()
    with tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch, "project")
        project.mkdir()
        (project / "README.md").write_text("# A project\n")
        (project / ".git").mkdir()
        (project / ".git/HEAD").write_text("ref: refs/heads/main\n")
        (project / ".git/config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
        os.chdir(project)
        show(measure(cases(Path(scratch)), runs))
        os.chdir("/")


if __name__ == "__main__":
    main()
