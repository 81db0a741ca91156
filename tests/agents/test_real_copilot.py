"""The real Copilot CLI with Assent in front of it, with all its tools allowed and with none."""

from __future__ import annotations

import json
import shlex

import pytest

from agents.driving import Lab, Ran
from agents.everyday import WAYS, Everyday, broken_hook, made
from agents.fake_model import FakeModel, Use
from agents.hooking import POLICY
from agents.launching import COPILOT, copilot

pytestmark = pytest.mark.agent
HOOKS = ".copilot/hooks/assent.json"


class TestCopilot(Everyday):
    agent = "copilot"
    cut_off = "(hook errored)"

    def delegate(self, task: str) -> Use:
        return Use("task", {"description": "help", "prompt": task, "agent_type": "general-purpose", "name": "help"})

    def touch(self, name: str) -> Use:
        return Use("bash", {"command": f"touch {name}", "description": "make a file"})

    def launch(self, lab: Lab, url: str) -> Ran:
        return copilot(lab, url, "--allow-all-tools")

    @pytest.mark.parametrize("event", ["preToolUse", "permissionRequest"])
    def test_what_a_hook_of_another_kind_lets_through(self, lab: Lab, event: str) -> None:
        """Only when it outlives its time or prints what is no answer; our own deadline stands before the first."""

        def broken() -> None:
            handler = {"type": "command", "bash": shlex.join(broken_hook(lab)), "timeoutSec": 2}
            (lab.home / HOOKS).write_text(json.dumps({"version": 1, "hooks": {event: [handler]}}))

        self.run(lab, *(self.touch(how) for how in WAYS), broken=broken)
        open_to = {"preToolUse": {"speaks", "lies"}, "permissionRequest": {"lies"}}[event]
        assert made(lab) == {"sleeps", "says-nothing"} | open_to

    def test_what_is_allowed_needs_no_permission_of_its_own(self, lab: Lab) -> None:
        """A file that is written opens a dialog even after preToolUse said yes; permissionRequest answers it."""
        lab.policy(f'{POLICY}\n[[rule]]\nid = "may-be-written"\nallow = "Write(new.txt)"\n')
        new = Use("create", {"path": str(lab.project / "new.txt"), "file_text": "text"})
        other = Use("create", {"path": str(lab.project / "other.txt"), "file_text": "text"})
        with FakeModel(self.touch("allowed"), new, other) as model:
            self.install(lab, "--on-ask", "deny")
            copilot(lab, model.url)
        assert made(lab) == {"allowed", "new.txt"}
        assert "nobody is asked here" in model.told[-1]

    def test_a_secret_is_not_read(self, lab: Lab) -> None:
        key = lab.home / ".ssh/id_rsa"
        key.parent.mkdir()
        key.write_text("the key itself")
        model = self.run(lab, Use("view", {"path": str(key)}))
        [told] = model.told
        assert "is a sensitive credential path" in told and "the key itself" not in told

    def test_switched_off_it_runs_what_is_denied(self, lab: Lab) -> None:
        """The doctor finds this."""

        def off() -> None:
            settings = json.loads((lab.home / HOOKS).read_text())
            (lab.home / HOOKS).write_text(json.dumps(settings | {"disableAllHooks": True}))

        self.run(lab, self.touch("denied"), broken=off)
        assert made(lab) == {"denied"}

    def test_the_doctor_is_content_with_the_real_one(self, lab: Lab) -> None:
        self.contents_the_doctor(lab, COPILOT, "GitHub Copilot CLI 1.0.102.")
