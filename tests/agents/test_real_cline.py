"""The real Cline with Assent in front of it. It approves everything itself; a refusal ends its run."""

from __future__ import annotations

import shlex
import shutil

import pytest

from agents.driving import Lab, Ran
from agents.everyday import Everyday, broken_hook, made
from agents.fake_model import FakeModel, Use
from agents.launching import CLINE, cline, cline_settings

pytestmark = pytest.mark.agent
SCRIPT = ".cline/hooks/PreToolUse"


class TestCline(Everyday):
    agent = "cline"
    names_subagents = True
    goes_on = False

    def delegate(self, task: str) -> Use:
        return Use("spawn_agent", {"systemPrompt": "You help.", "task": task})

    def touch(self, name: str) -> Use:
        return Use("run_commands", {"commands": [f"touch {name}"]})

    def prepare(self, lab: Lab, url: str) -> None:
        cline_settings(lab, url)

    def launch(self, lab: Lab, url: str) -> Ran:
        return cline(lab)

    def test_a_ticket_is_redeemed_by_the_same_call(self, lab: Lab) -> None:
        """A run from the command line cannot be resumed, so the answer is found by nobody; the request stays."""
        self.run(lab, self.touch("asked"), install=("--on-ask", "ticket"))
        assert made(lab) == set()
        lab.answer()

    def test_of_several_commands_the_strictest_answer_counts(self, lab: Lab) -> None:
        self.run(lab, Use("run_commands", {"commands": ["touch allowed", "touch denied"]}))
        assert made(lab) == set()

    def test_a_secret_is_not_read(self, lab: Lab) -> None:
        key = lab.home / ".ssh/id_rsa"
        key.parent.mkdir()
        key.write_text("the key itself")
        model = self.run(lab, Use("read_files", {"files": [{"path": str(key)}]}))
        assert model.told == []
        assert [row["decision"] for row in lab.journal()] == ["deny"]

    def test_what_a_hook_of_another_kind_lets_through(self, lab: Lab) -> None:
        """Everything, even exit code 2: the reason for what the script does around the hook."""
        ways = ("crashes", "killed", "speaks", "lies", "ends-with-2", "says-nothing")

        def broken() -> None:
            (lab.home / SCRIPT).write_text(f"#!/bin/sh\nexec {shlex.join(broken_hook(lab))}\n")

        self.run(lab, *(self.touch(how) for how in ways), broken=broken)
        assert made(lab) == set(ways)

    def test_with_other_settings_it_runs_what_is_denied(self, lab: Lab) -> None:
        with FakeModel(self.touch("denied")) as model:
            self.prepare(lab, model.url)
            shutil.copytree(lab.home / ".cline", lab.home / "other")
            self.install(lab)
            cline(lab, "--config", str(lab.home / "other"))
        assert made(lab) == {"denied"}

    def test_the_doctor_is_content_with_the_real_one(self, lab: Lab) -> None:
        self.contents_the_doctor(lab, CLINE, "Cline 3.0.65")
