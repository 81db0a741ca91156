"""The real OpenCode with the plugin of Assent. Its own permissions are all given."""

from __future__ import annotations

import json
import re

import pytest

from agents.driving import Lab, Ran
from agents.everyday import WAYS, Everyday, broken_hook, made
from agents.fake_model import FakeModel, Use
from agents.launching import OPENCODE, opencode, opencode_settings

pytestmark = pytest.mark.agent
PLUGIN = "config/opencode/plugins/assent.js"


def change_plugin(lab: Lab, words: list[str]) -> None:
    """Let the plugin start something else, and wait two seconds for it."""
    file = lab.home / PLUGIN
    text = re.sub(r"const HOOK = .*;", f"const HOOK = {json.dumps(words)};", file.read_text())
    file.write_text(re.sub(r"MILLISECONDS = \d+;", "MILLISECONDS = 2000;", text))


class TestOpenCode(Everyday):
    agent = "opencode"

    def delegate(self, task: str) -> Use:
        return Use("task", {"description": "help", "prompt": task, "subagent_type": "general"})

    def touch(self, name: str) -> Use:
        return Use("bash", {"command": f"touch {name}", "description": "make a file"})

    def prepare(self, lab: Lab, url: str) -> None:
        opencode_settings(lab, url)

    def launch(self, lab: Lab, url: str) -> Ran:
        return opencode(lab)

    def test_whatever_the_hook_does_wrong_the_plugin_throws(self, lab: Lab) -> None:
        uses = [self.touch(how) for how in WAYS]
        model = self.run(lab, *uses, broken=lambda: change_plugin(lab, broken_hook(lab)))
        assert made(lab) == set()
        assert model.told == ["The permission check was cut off."]

    def test_a_hook_that_cannot_be_started_stops_the_tool(self, lab: Lab) -> None:
        model = self.run(lab, self.touch("allowed"), broken=lambda: change_plugin(lab, ["/gone/python"]))
        assert (made(lab), model.told) == (set(), ["The permission check was cut off."])

    def test_without_plugins_it_runs_what_is_denied(self, lab: Lab) -> None:
        with FakeModel(self.touch("denied")) as model:
            self.prepare(lab, model.url)
            self.install(lab)
            opencode(lab, "--pure")
        assert made(lab) == {"denied"}

    def test_the_doctor_is_content_with_the_real_one(self, lab: Lab) -> None:
        self.contents_the_doctor(lab, OPENCODE, "OpenCode 1.18.33")
