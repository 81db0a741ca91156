"""The real Qwen Code with Assent in front of it. It runs with `--yolo`: else it refuses before it asks a hook."""

from __future__ import annotations

import pytest

from agents.driving import Lab, Ran
from agents.everyday import Everyday, made
from agents.fake_model import FakeModel, Use
from agents.launching import QWEN, qwen, qwen_settings

pytestmark = pytest.mark.agent
SETTINGS = ".qwen/settings.json"


class TestQwen(Everyday):
    agent = "qwen"
    names_subagents = True

    def delegate(self, task: str) -> Use:
        return Use("agent", {"description": "help", "prompt": task, "subagent_type": "general-purpose"})

    def touch(self, name: str) -> Use:
        return Use("run_shell_command", {"command": f"touch {name}", "description": "make", "is_background": False})

    def prepare(self, lab: Lab, url: str) -> None:
        qwen_settings(lab)

    def launch(self, lab: Lab, url: str) -> Ran:
        return qwen(lab, url, "--yolo")

    def test_what_a_hook_of_another_kind_lets_through(self, lab: Lab) -> None:
        """What Qwen makes of failures: the reason for the shell that stays behind."""
        assert self.stopped_by(lab, SETTINGS) == {"ends-with-2"}

    def test_its_own_dialog_without_a_person_is_a_refusal(self, lab: Lab) -> None:
        model = self.run(lab, self.touch("asked"), install=("--on-ask", "host"))
        assert (made(lab), model.told) == (set(), ["writes asked: default mode asks first"])

    def test_without_yolo_it_refuses_before_the_hook_is_asked(self, lab: Lab) -> None:
        with FakeModel(self.touch("allowed")) as model:
            self.prepare(lab, model.url)
            self.install(lab)
            qwen(lab, model.url)
        assert (made(lab), lab.journal()) == (set(), [])

    @pytest.mark.parametrize("word", ["--safe-mode", "--bare"])
    def test_switched_off_it_runs_what_is_denied(self, lab: Lab, word: str) -> None:
        with FakeModel(self.touch("denied")) as model:
            self.prepare(lab, model.url)
            self.install(lab)
            qwen(lab, model.url, "--yolo", word)
        assert made(lab) == {"denied"}

    def test_the_doctor_is_content_with_the_real_one(self, lab: Lab) -> None:
        self.prepare(lab, "")
        self.contents_the_doctor(lab, QWEN, "Qwen Code 0.24.4")
