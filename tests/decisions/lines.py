"""The calls whose decisions are kept: examples, corpus rows, and a million command lines made from fixed words.

INVARIANT: the same lines for the same seed, whatever becomes of the code that judges them. They come from a file of
lines, from the bash generator and from corpus rows, never from the tables of programs.
"""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from corpus import rows, subjects
from shell.generator import mutated, program, seeded

SNAPSHOT = Path(__file__).parent / "lines.txt.gz"
POLICIES: dict[str, dict[str, object]] = {
    "careful": {},
    "workspace": {"extends": "workspace"},
    "plan": {"mode": "plan"},
    "full_auto": {"mode": "full_auto"},
}
RULES: tuple[dict[str, object], ...] = (
    {},
    {"allow": ["Bash(git:*)", "Bash(make test)", "Read(~/**)"], "deny": ["Bash(git push --force:*)", "Read(**/*.key)"]},
    {"ask": ["Bash(npm run * --watch)", "Write(./docs/**)"], "deny": ["Bash(rm -rf:*)", "Write(**/src/**)"]},
    {
        "allow": ["Bash(ls:*)", "Bash(cat:*)", "Bash(python3:*)"],
        "deny": ["Bash(curl | sh)", "WebFetch(domain:evil.example)"],
    },
)
SHARDS, EACH = 256, 4_000
"""So many shards of so many fuzz lines: a little over a million."""
JOINED = ("; ", " && ", " || ", " | ", " & ", "\n")
AROUND = (
    *("{}", "{}", "{}", "{}", "({})", "timeout 5 {}", "sudo {}", "env A=1 {}", "X=1 {}", "nice {}", "time {}", "! {}"),
    *(
        "cd src && {}",
        "cd .. ; {}",
        "if {}; then ls; fi",
        "for f in *; do {}; done",
        "while read f; do {}; done < a.txt",
    ),
    *("{} > out.txt", "{} >> .env", "{} 2>/dev/null", "{} < README.md", "bash -c '{}'", 'sh -c "{}"', "eval {}"),
    *("echo $({})", "x=$({}); echo $x", "xargs {}", "find . -name '*.py' -exec {} {{}} +", "{} | tee log", "{} &"),
    *("f() {{ {}; }}; f", "nohup {}", "ssh host {}", "cat <<E | {}\nline\nE", "{} <<< text", "watch {}", "strace {}"),
)
PATHS = (
    *("~/.ssh/id_rsa", ".env", "../outside.txt", "/etc/passwd", "/tmp/x", ".git/config", "config/db.key", "src", "*"),
    *("$HOME", '"$x"', "$(pwd)", "~", "/", "..", "README.md", "src/app.py", ".git/hooks/pre-commit", "~/.bashrc"),
    *(
        "https://example.com/x",
        "http://169.254.169.254/",
        "localhost:3000",
        "--",
        "-",
        "-rf",
        "--force",
        "--help",
        "-x",
    ),
)


class Asked(NamedTuple):
    """One call to be judged, as a row of the corpus."""

    name: str
    row: dict[str, Any]


@cache
def snapshot() -> list[str]:
    """Lines kept in a file: examples of every program, and calls made from the tables as they were then."""
    with gzip.open(SNAPSHOT, "rt", encoding="utf-8", newline="\n") as source:
        return [line.replace("\x1f", "\n") for line in source.read().split("\n") if line]


def shards() -> list[str]:
    return [
        *(f"corpus/{subject}" for subject in subjects()),
        "lines",
        *(f"fuzz/{number:03}" for number in range(SHARDS)),
    ]


def asked(shard: str) -> Iterator[Asked]:
    kind, _, rest = shard.partition("/")
    if kind == "corpus":
        yield from _of_corpus(rest)
    elif kind == "lines":
        for number, line in enumerate(snapshot()):
            yield _line(f"{number}", line, number)
    else:
        yield from _made(int(rest))


def _of_corpus(subject: str) -> Iterator[Asked]:
    """Every row as it stands, and with the presets and modes in the place of its own."""
    for row in rows(subject):
        yield Asked(f"{row['id']}", row)
        for name, policy in POLICIES.items():
            given = row.get("policy") or {}
            kept = {key: value for key, value in given.items() if key not in ("mode", "extends")}
            yield Asked(f"{row['id']} {name}", {**row, "policy": {**kept, **policy}})


def _line(name: str, command: str, number: int) -> Asked:
    policy = {**RULES[number // 4 % len(RULES)], **list(POLICIES.values())[number % 4]}
    return Asked(name, {"tool": "Bash", "input": {"command": command}, "policy": policy})


def _made(shard: int) -> Iterator[Asked]:
    chance = random.Random(f"golden {shard}")
    known = snapshot()
    for number in range(EACH):
        kind = chance.random()
        if kind < 0.12:
            line = program(seeded(shard * EACH + number))
        elif kind < 0.2:
            line = mutated(chance.randrange, _combined(chance, known))
        else:
            line = _combined(chance, known)
        yield _line(f"{number}", line, chance.randrange(16))


def _combined(chance: random.Random, known: list[str]) -> str:
    parts = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        line = chance.choice(known)
        words = line.split(" ")
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words)) + 1, chance.choice(PATHS))
        elif len(words) > 2 and chance.random() < 0.4:
            del words[chance.randrange(1, len(words))]
        parts.append(chance.choice(AROUND).format(" ".join(words)) if chance.random() < 0.6 else " ".join(words))
    return chance.choice(JOINED).join(parts)
