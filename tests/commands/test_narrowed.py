"""What is said of everything that `find` finds holds for what it really prints."""

from __future__ import annotations

import random
import shlex
import subprocess
from pathlib import Path

from assent.commands.find import read_search
from assent.commands.found import ACTS, _kind_asked
from assent.commands.leaving import _name_asked
from assent.commands.narrowed import said_of_all
from assent.globs import name_test
from assent.types import Word

TESTS = (
    *("-name '*.py'", "-name '*.ts'", "-iname '*.MD'", "-name a.py", "-type f", "-type d", "! -name '*.py'"),
    *("-not -type f", "-prune", "-print", "-print", "-true", "-false", "-path './d.py*'", "-empty"),
)


def expression(chance: random.Random, depth: int) -> str:
    parts: list[str] = []
    for place in range(chance.randrange(1, 5)):
        parts += [chance.choice(("-o", "-o", "-a", ""))] if place else []
        nested = depth and chance.random() < 0.3
        opening = chance.choice(("\\(", "! \\("))
        parts.append(f"{opening} {expression(chance, depth - 1)} \\)" if nested else chance.choice(TESTS))
    return " ".join(parts)


def test_what_is_said_of_all_holds_for_each(tmp_path: Path) -> None:
    for name in ("a.py", "b.ts", "c.md", "d.py/x.py", "d.py/y", "d.py/e/z.ts", ".env"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "l.py").symlink_to("c.md")
    chance = random.Random(11)
    narrow = 0
    for _ in range(1_000):
        words = shlex.split(f". {expression(chance, 2)}")
        read = read_search([Word(word, word) for word in words])
        names, kinds = (said_of_all(read[1], ACTS, leaf) if read else None for leaf in (_name_asked, _kind_asked))
        if names is None and kinds is None:
            continue
        shown = subprocess.run(["find", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        narrow += shown.returncode == 0 and bool(shown.stdout)
        fits = (
            name_test(f"{{{','.join(names)}}}".casefold() if len(names) > 1 else names[0].casefold()) if names else None
        )
        for path in shown.stdout.split("\n")[:-1] if shown.returncode == 0 else ():
            assert fits is None or fits(Path(path).name), words
            is_file = (tmp_path / path).is_file() and not (tmp_path / path).is_symlink()
            assert kinds is None or ("d" if (tmp_path / path).is_dir() else "f" if is_file else "l") in kinds, words
    assert narrow > 100
