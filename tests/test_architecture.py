"""The real tree keeps the rules of the house, and every rule bites on a planted violation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from architecture import (
    FOREIGN_PATHS,
    IMPURE_CALLS,
    IMPURE_MODULES,
    KNOWLEDGE,
    LEAVES,
    MAY_IMPORT,
    PURITY_EXCEPTIONS,
    Violation,
    layer_table,
    violations,
)

ROOT = Path(__file__).parent.parent
DOC = '"""A docstring."""\n'


def test_the_tree_keeps_every_rule() -> None:
    found = violations(ROOT)
    assert not found, "\n" + "\n".join(map(str, found))


def test_architecture_page_shows_the_table_that_is_enforced() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert layer_table() in page, f"ARCHITECTURE.md should contain:\n\n{layer_table()}"


def test_no_module_stands_in_the_table_twice() -> None:
    listed = [name for row in MAY_IMPORT for name in row]
    assert sorted(listed) == sorted(set(listed))


def test_exceptions_give_a_reason() -> None:
    assert all(reason.strip() for reason in PURITY_EXCEPTIONS.values())


class Planted(NamedTuple):
    """A file that breaks exactly one rule, in one line."""

    rule: str
    file: str
    text: str
    line: int = 2


def inside(module: str, text: str) -> tuple[str, str]:
    return f"src/assent/{module}.py", DOC + text


PLANTED = [
    # --- layers: every spelling of an import counts
    Planted("layer", *inside("types", "import assent.policy\n")),
    Planted("layer", *inside("types", "from assent.policy.decide import decide\n")),
    Planted("layer", *inside("types", "from assent import policy\n")),
    Planted("layer", *inside("types", "from assent import ToolCall\n")),
    Planted("layer", *inside("types", "from . import policy\n")),
    Planted("layer", *inside("types", "from .policy import decide\n")),
    Planted("layer", *inside("types", "def late() -> None:\n    import assent.world\n"), line=3),
    Planted("layer", *inside("types", "if TYPE_CHECKING:\n    from assent.world import DiskWorld\n"), line=3),
    Planted("layer", *inside("types", "__import__('assent.world')\n")),
    Planted("layer", *inside("types", "importlib.import_module('assent.world')\n")),
    Planted("layer", *inside("shell/words", "from ..commands import git\n")),
    Planted("layer", *inside("shell/words", "from assent.policy import rules\n")),
    Planted("layer", *inside("commands/git", "from assent.shell import words\n")),
    Planted("layer", *inside("checks/exfil", "import assent.commands\n")),
    Planted("layer", *inside("tools/files", "import assent.policy\n")),
    Planted("layer", *inside("policy/decide", "import assent.tools\n")),
    Planted("layer", *inside("policy/decide", "import assent.pipeline\n")),
    Planted("layer", *inside("pipeline", "import assent.world\n")),
    Planted("layer", *inside("pipeline", "import assent.checker\n")),
    Planted("layer", *inside("world", "import assent.policy\n")),
    Planted("layer", *inside("folders", "import assent.world\n")),
    Planted("layer", *inside("layers", "import assent.pipeline\n")),
    Planted("layer", *inside("checker", "import assent.guard\n")),
    Planted("layer", *inside("checker", "import assent.approval\n")),
    Planted("layer", *inside("approval/store", "import assent.audit\n")),
    Planted("layer", *inside("guard", "import assent.agents\n")),
    Planted("layer", *inside("agents/claude", "import assent.cli\n")),
    Planted("layer", *inside("testing", "import assent.guard\n")),
    Planted("unlisted", *inside("surprise", ""), line=1),
    Planted("unlisted", *inside("surprise/inner", ""), line=1),
    # --- purity
    *(Planted("purity", *inside("policy/rules", f"import {name}\n")) for name in sorted(IMPURE_MODULES)),
    *(Planted("purity", *inside("policy/rules", f"x = {name}('x')\n")) for name in sorted(IMPURE_CALLS)),
    *(Planted("purity", *inside(name, "import os.path\n")) for name in (*LEAVES, "pipeline")),
    *(Planted("purity", *inside(f"{name}/x", "from time import monotonic\n")) for name in KNOWLEDGE),
    Planted("purity", *inside("types", "def late() -> None:\n    from pathlib import Path\n"), line=3),
    Planted("purity", *inside("types", "__import__('os')\n")),
    Planted("purity", *inside("types", "exec('x')\n")),
    Planted("purity", *inside("record", "eval('x')\n")),
    Planted("purity", *inside("policy/rules", "from datetime import date\n")),
    # --- sizes
    Planted("function-size", *inside("types", "def long() -> None:\n" + "    x = 1\n" * 50)),
    Planted(
        "function-size", *inside("types", "class A:\n    async def long(self) -> None:\n" + "        x = 1\n" * 50), 3
    ),
    Planted("function-size", "tests/test_x.py", DOC + "def test_long() -> None:\n" + "    x = 1\n" * 50),
    Planted("decide-size", *inside("policy/decide", "def decide() -> None:\n" + "    x = 1\n" * 30)),
    # --- names and first lines
    *(Planted("name", *inside(f"policy/{name}", ""), line=1) for name in ("utils", "helpers", "base", "manager")),
    Planted("name", *inside("shell/common/words", ""), line=1),
    Planted("name", "tests/helpers.py", DOC, line=1),
    Planted("docstring", "src/assent/types.py", "x = 1\n", line=1),
    Planted("docstring", "src/assent/policy/__init__.py", "", line=1),
    Planted("docstring", "tests/test_x.py", "import os\n" + DOC, line=1),
    Planted("docstring", "scripts/release", "#!/usr/bin/env python3\nx = 1\n", line=1),
    # --- habits
    Planted("bare-except", *inside("types", "try:\n    x()\nexcept:\n    raise\n"), line=4),
    Planted("silent-except", *inside("types", "try:\n    x()\nexcept ValueError:\n    pass\n"), line=4),
    Planted("silent-except", *inside("types", "try:\n    x()\nexcept ValueError:\n    ...\n"), line=4),
    Planted("shell", *inside("cli/run", "run('ls', shell=True)\n")),
    Planted("skip", "tests/test_x.py", DOC + "pytest.skip('later')\n"),
    Planted("skip", "tests/test_x.py", DOC + "@pytest.mark.xfail\ndef test_x() -> None: ...\n"),
    Planted("skip", "tests/test_x.py", DOC + "@pytest.mark.skipif(True, reason='x')\ndef test_x() -> None: ...\n"),
    Planted("skip", "tests/test_x.py", DOC + "pytest.importorskip('x')\n"),
    Planted("skip", "tests/test_x.py", DOC + "from pytest import skip\n"),
    # --- the repository stands alone
    *(Planted("foreign-path", "docs/page.md", f"# Page\nsee {path}x\n") for path in FOREIGN_PATHS),
    Planted("foreign-path", ".ci/run", f"#!/bin/sh\ncd {FOREIGN_PATHS[1]}\n"),
    Planted("foreign-path", *inside("types", f"# {FOREIGN_PATHS[0]}\n")),
]


def tree_with(root: Path, planted: Planted) -> Path:
    """A small sound tree that lets everybody import what they may, plus the planted file."""
    sound = {
        ".gitignore": "*.pyc\n.venv/\n",
        "src/assent/__init__.py": DOC + "from assent.guard import Guard\n",
        "src/assent/errors.py": DOC,
        "src/assent/record.py": DOC + "exec('x = 1')\n",
        "src/assent/pipeline.py": DOC + "from assent.policy.decide import decide\nfrom assent import wire, types\n",
        "src/assent/policy/document.py": DOC + "import datetime\nfrom . import rules\nfrom .. import wire\n",
        "src/assent/cli/main.py": DOC + "import os\nimport assent.guard\nprint(open('x'))\n",
        "tests/test_sound.py": DOC + "def test_sound() -> None:\n    run('ls', shell=False)\n",
        ".venv/utils.py": "import x\n",
    }
    for file, text in {**sound, planted.file: planted.text}.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_a_sound_tree_has_no_violation(tmp_path: Path) -> None:
    assert violations(tree_with(tmp_path, Planted("", "README.md", "# Sound\n"))) == []


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: f"{planted.rule}-{planted.file}")
def test_every_rule_bites(planted: Planted, tmp_path: Path) -> None:
    found = violations(tree_with(tmp_path, planted))
    assert [(v.rule, v.file, v.line) for v in found] == [(planted.rule, planted.file, planted.line)]


def test_every_rule_has_a_planted_violation() -> None:
    source = (ROOT / "tests/architecture.py").read_text(encoding="utf-8")
    rules = set(re.findall(r'(?:broken|Violation)\(\s*"([a-z-]+)"', source)) | {"decide-size", "function-size"}
    assert rules == {planted.rule for planted in PLANTED}


def test_a_violation_says_where() -> None:
    assert str(Violation("layer", "src/assent/x.py", 7, "why")) == "src/assent/x.py:7: layer: why"
