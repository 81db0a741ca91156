"""How long one check takes as a fresh process, as a ratio to a bare interpreter.

`python benchmarks/cold_start.py [RUNS]`, 60 unless told.
The runs are interleaved, so that a busy machine is busy for everyone; read the ratios, not the milliseconds.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from timing import BARE, START, Case, measure, prepare, project, run, show

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
    start = (*START, *READ)
    return [
        Case("python -c pass", (sys.executable, "-c", "pass"), home(scratch / "bare", "")),
        Case("python -I -S -c pass", BARE, home(scratch / "bare", "")),
        Case("check, no policy file", start, home(scratch / "none", "")),
        Case("check 'git status'", (*START, *GIT), home(scratch / "git", "")),
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


def warm_up(timed: list[Case]) -> None:
    """The first round fills the caches and is not counted."""
    silent = os.open(os.devnull, os.O_RDWR)
    for case in timed:
        milliseconds, code = run(case, silent)
        print(f"first run of {case.name!r}: {milliseconds:.0f} ms, exit code {code}")
    os.close(silent)


def main() -> None:
    """Compile, prepare the homes, measure, show."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    prepare()
    with tempfile.TemporaryDirectory() as scratch:
        folder = project(Path(scratch, "project"))
        (folder / "README.md").write_text("# A project\n")
        os.chdir(folder)
        timed = cases(Path(scratch))
        warm_up(timed)
        show(measure(timed, runs))
        os.chdir("/")


if __name__ == "__main__":
    main()
