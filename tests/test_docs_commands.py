"""docs/commands.md is what the files in src/assent/commands say, and the tables of docs/bash.md are true."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from assent import PermissionChecker, PermissionSettings, bash_tool_has_permission
from assent.commands.table import FAMILIES
from assent.harmless import VARIABLES
from assent.policy.commands import SAFE_WRAPPERS
from assent.testing import FrozenWorld

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")


def test_the_generated_page_is_fresh() -> None:
    words = [sys.executable, str(ROOT / "scripts/command-docs"), "--check"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_a_section_with_all_its_programs_and_an_example(family: str) -> None:
    section = PAGE.partition(f"\n## {family}\n")[2].partition("\n## ")[0]
    missing = [name for name in FAMILIES[family].split() if f"`{name}`" not in section]
    assert missing == []
    assert "\n| Example | Meaning |\n|---|---|\n| `" in section


def test_the_page_counts_what_there_is() -> None:
    names = [name for names in FAMILIES.values() for name in names.split()]
    examples = sum(len(import_module(f"assent.commands.{family}").EXAMPLES) for family in FAMILIES)
    assert f"**{len(names):,} programs**" in PAGE
    assert f"**{examples:,} examples**" in PAGE


# --- the tables of docs/bash.md ------------------------------------------------------------------------------------

HEADER = re.compile(r"^\| With `(allow|deny) = \"(.+)\"` \| Answer \| \|$")
ROW = re.compile(r"^\| `(.+?)` \| (allow|ask|deny) \|")
FILES = {"/home/you/shop/.git/HEAD": "", "/home/you/shop/src/cart.py": "", "/home/you/shop/Makefile": "test:\n"}


def rows_of(page: str) -> list[tuple[str, str, str, str]]:
    """Verdict and text of the rule, command and expected answer of every row under a header that names a rule."""
    found, rule = [], None
    for line in page.splitlines():
        rule = HEADER.match(line) or (rule if line.startswith("|") else None)
        row = ROW.match(line)
        if rule and row:
            found.append((rule[1], rule[2].replace("\\|", "|"), row[1].replace("\\|", "|"), row[2]))
    return found


ROWS = rows_of((ROOT / "docs/bash.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("verdict", "rule", "command", "answer"), ROWS)
def test_the_tables_of_rules_are_true(verdict: str, rule: str, command: str, answer: str) -> None:
    rules = {"allow": [], "deny": [], verdict: [rule]}
    settings = PermissionSettings(workspace="/home/you/shop", allow=rules["allow"], deny=rules["deny"])
    checker = PermissionChecker(settings, world=FrozenWorld(FILES, home="/home/you"))
    assert bash_tool_has_permission(command, checker).behavior == answer


def test_the_tables_were_found() -> None:
    assert len({rule for _, rule, _, _ in ROWS}) == 10
    assert len(ROWS) > 30


def test_the_page_names_the_variables_that_are_looked_through() -> None:
    page = (ROOT / "docs/bash.md").read_text(encoding="utf-8")
    section = page.partition("These variables may stand before it:\n\n")[2].partition("\n\nAnd these wrappers: ")
    assert set(section[0].replace("`", "").split()) == VARIABLES
    assert set(section[2].partition(", with")[0].replace("`", "").split()) == SAFE_WRAPPERS
