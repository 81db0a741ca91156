"""Policies made by an import, and what they answer in a project on a real disk."""

from __future__ import annotations

import os
import re
from pathlib import Path

from assent.agents.hosts.host import Place, Scope
from assent.importing.account import Line, import_files
from assent.importing.document import File
from assent.importing.imported import Imported, Reader
from assent.importing.writing import policy_text
from assent.layers import Layered, check_layers
from assent.pipeline import judge
from assent.policy.compiled import Policy, compile_policy
from assent.policy.load import combine
from assent.types import ToolCall
from assent.world import DiskWorld

EMPTY = compile_policy()


def as_text(pattern: str, *, colon: bool) -> re.Pattern[str]:
    """Text with stars; one star behind a blank at the end may be missing with it."""
    if colon and pattern.endswith(":*"):
        pattern = pattern[:-2] + " *"
    if pattern.endswith(" *") and pattern.count("*") == 1:
        return re.compile(re.escape(pattern[:-2]) + "( .*)?")
    return re.compile(re.escape(pattern).replace(r"\*", ".*"))


class Imports:
    """One project and one home; `policy` is what an import of some text makes."""

    def __init__(self, folder: Path, scope: Scope = "user") -> None:
        self.home, self.project = folder / "home", folder / "home/project"
        (self.project / ".git").mkdir(parents=True, exist_ok=True)
        self.place = Place(scope, str(self.home), str(self.project), {})
        self.world = DiskWorld(env={"HOME": str(self.home), "PATH": os.defpath})

    def imported(self, reader: Reader, text: str, name: str) -> tuple[Imported, ...]:
        return tuple(one for line in self.lines(reader, text, name) for one in line.became)

    def lines(self, reader: Reader, text: str, name: str) -> tuple[Line, ...]:
        return import_files(reader, [File(f"/settings/{name}", name, text)], self.place)

    def text(self, reader: Reader, text: str, name: str) -> str:
        return policy_text(self.imported(reader, text, name), "agent", reader.TITLE, "policy.toml")

    def policy(self, reader: Reader, text: str, name: str) -> Policy:
        made = self.text(reader, text, name)
        sources, errors = check_layers([Layered("user", "policy.toml", made.encode())])
        assert errors == [], made
        return combine(sources)[0]

    def answer(self, policy: Policy, tool: str, **given: object) -> str:
        call = ToolCall(tool, given, cwd=str(self.project), workspace=str(self.project))
        return str(judge(call, policy, self.world).verdict)
