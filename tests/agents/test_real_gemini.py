"""The real Gemini CLI with Assent in front of it, without a person, with `--yolo` and as editors start it."""

from __future__ import annotations

import json

import pytest

from agents.driving import Lab, Ran
from agents.everyday import Everyday, made
from agents.fake_model import FakeModel, Use
from agents.gemini_acp import prompted
from agents.launching import GEMINI, gemini, gemini_settings

pytestmark = pytest.mark.agent
SETTINGS = ".gemini/settings.json"


class TestGemini(Everyday):
    agent = "gemini"

    def delegate(self, task: str) -> Use:
        return Use("invoke_agent", {"agent_name": "generalist", "prompt": task})

    def touch(self, name: str) -> Use:
        return Use("run_shell_command", {"command": f"touch {name}", "description": "make a file"})

    def prepare(self, lab: Lab, url: str) -> None:
        gemini_settings(lab)

    def launch(self, lab: Lab, url: str) -> Ran:
        return gemini(lab, url, "--yolo")

    def test_what_a_hook_of_another_kind_lets_through(self, lab: Lab) -> None:
        """What Gemini makes of failures: the reason for the shell that stays behind."""
        assert self.stopped_by(lab, SETTINGS) == {"ends-with-2"}

    def test_without_a_person_gemini_refuses_by_itself_unless_told_otherwise(self, lab: Lab) -> None:
        with FakeModel(self.touch("allowed")) as model:
            self.prepare(lab, model.url)
            self.install(lab)
            gemini(lab, model.url)
        assert (made(lab), lab.journal()) == (set(), [])

    def test_a_project_that_switches_hooks_off_finds_nothing_open_that_was_closed(self, lab: Lab) -> None:
        with FakeModel(self.touch("denied"), self.touch("allowed")) as model:
            self.prepare(lab, model.url)
            self.install(lab)
            file = lab.project / SETTINGS
            file.parent.mkdir()
            file.write_text(json.dumps({"hooksConfig": {"enabled": False, "disabled": ["assent"]}}))
            gemini(lab, model.url)
        assert (made(lab), lab.journal()) == (set(), [])

    def test_as_editors_start_it_no_hook_is_called_but_secrets_stay_closed(self, lab: Lab) -> None:
        key = lab.home / ".ssh/id_rsa"
        key.parent.mkdir()
        key.write_text("the key itself")
        uses = (Use("run_shell_command", {"command": f"cat {key}"}), self.touch("denied"))
        with FakeModel(*uses) as model:
            self.prepare(lab, model.url)
            self.install(lab)
            asked = prompted(lab, model.url)
        assert model.told[0] == '{"error": "Tool execution for \\"Shell\\" denied by policy."}'
        assert (asked, made(lab), lab.journal()) == (["touch denied"], {"denied"}, [])

    def test_switched_off_it_runs_what_is_denied_but_secrets_stay_closed(self, lab: Lab) -> None:
        """The doctor finds this."""

        def off() -> None:
            settings = json.loads((lab.home / SETTINGS).read_text())
            (lab.home / SETTINGS).write_text(json.dumps(settings | {"hooksConfig": {"enabled": False}}))

        model = self.run(
            lab, Use("run_shell_command", {"command": "cat ~/.ssh/id_rsa"}), self.touch("denied"), broken=off
        )
        assert "Access denied: a sensitive credential path." in model.told[0]
        assert (made(lab), lab.journal()) == ({"denied"}, [])

    def test_the_doctor_is_content_with_the_real_one(self, lab: Lab) -> None:
        self.prepare(lab, "")
        self.contents_the_doctor(lab, GEMINI, "Gemini CLI 0.61.0")
