"""A guard with a home, a project and people of its own, for tests."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from approval.asking import Person, yes
from assent.authorization import Authorization
from assent.desk import Desk
from assent.guard import Guard
from assent.questions import Answer, ApprovalRequest
from assent.world import DiskWorld


class Scene:
    """An empty home with a project; every guard made here shares its desk."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.project = folder / "home", folder / "home/project"
        (self.project / ".git").mkdir(parents=True)
        self.env = {
            "HOME": str(self.home),
            "PATH": os.defpath,
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
        }
        for name, value in self.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(self.project)
        self.state = self.home / "state/assent"
        self.now = 1_000_000.0
        self.desk = Desk(str(self.state), world=DiskWorld(env=self.env), clock=lambda: self.now)
        self.guards: list[Guard] = []

    def close(self) -> None:
        for guard in self.guards:
            guard.close()
        self.desk.close()

    def policy(self, text: str) -> None:
        file = self.home / "config/assent/policy.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def guard(self, says: Callable[[ApprovalRequest], Answer | None] | None = yes, **more: Any) -> tuple[Guard, Person]:
        person = Person(says) if says else Person(lambda asked: None)
        options = {"workspace": str(self.project), "session": "s1", "agent": "bot", **more}
        guard = Guard(channels=(person,), desk=self.desk, env=self.env, **options)
        self.guards.append(guard)
        return guard, person

    def bash(self, guard: Guard, command: str, **more: Any) -> Authorization:
        call = guard.call("Bash", {"command": command}, cwd=str(more.pop("cwd", self.project)))
        return guard.authorize_sync(call, **more)

    def journal(self) -> list[dict[str, Any]]:
        file = self.state / "audit/permissions.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()]

    def kinds(self) -> list[str]:
        return [record["kind"] for record in self.journal()]


def choose(asked: ApprovalRequest, scope: Any, rules: Iterable[str] | None = None) -> Answer:
    """A lasting yes; the first choice unless told."""
    chosen = tuple(rules) if rules is not None else asked.choices[0].rules
    return Answer(True, "ann", "web", 1.0, scope=scope, rules=chosen, fingerprint=asked.fingerprint)
