"""Every test in this folder states the requirement it is about."""

from __future__ import annotations

import ast
from pathlib import Path


def test_every_requirement_is_stated() -> None:
    """A test without a sentence would be a row without a requirement."""
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        assert tests, file.name
        assert [test.name for test in tests if not ast.get_docstring(test)] == [], file.name
