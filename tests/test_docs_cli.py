"""docs/cli.md and docs/checks.md are what the verbs and checks say about themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assent.checks import all_checks
from assent.cli.main import VERBS

ROOT = Path(__file__).parent.parent


def test_the_generated_pages_are_fresh() -> None:
    words = [sys.executable, str(ROOT / "scripts/cli-docs"), "--check"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("help", "version")])
def test_every_verb_has_a_section(verb: str) -> None:
    assert f"\n## assent {verb}\n" in (ROOT / "docs/cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.ID)
def test_every_check_says_what_it_finds_why_and_what_to_do_instead(check: object) -> None:
    page = (ROOT / "docs/checks.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {check.ID}\n")[2].partition("\n## ")[0]  # type: ignore[attr-defined]
    assert all(part in section for part in ("**What it finds.**", "**Why.**", "**Instead.**"))
