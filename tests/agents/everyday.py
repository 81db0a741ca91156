"""What every agent in front of which Assent stands has to do, whichever way it is hooked. One subclass per agent."""

from __future__ import annotations

import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.driving import Lab, Ran, program
from agents.fake_model import FakeModel, Script, Use
from agents.launching import PROMPT
from assent.agents.hosts.ends import ENDS, NONE, RUNS

BROKEN = """\
import os, re, signal, sys, time
how = re.search("touch ([a-z0-9-]+)", sys.stdin.read()).group(1)
if how == "crashes":
    raise SystemExit(1)
if how == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if how == "speaks":
    print("hello")
if how == "lies":
    print('{"no": "such answer"}')
if how == "ends-with-2":
    sys.stderr.write("no")
    raise SystemExit(2)
if how == "sleeps":
    time.sleep(30)
"""
"""A hook that breaks in the way the call names: `touch crashes`. Any other call it answers with silence."""
WAYS = ("crashes", "killed", "speaks", "lies", "ends-with-2", "sleeps", "says-nothing")


class Everyday:
    """The tests of one agent. Its tools may do anything, so that a tool that does not run was stopped by the hook."""

    agent: str
    goes_on = True
    """Whether the model hears of a refusal and may go on."""
    cut_off = "The permission check was cut off."
    """What the model hears of a hook that was killed."""

    names_subagents = False
    """Whether the agent says which of its subagents makes a call."""

    def delegate(self, task: str) -> Use:
        """The call that gives a task to a subagent."""
        raise NotImplementedError

    def touch(self, name: str) -> Use:
        """The call that runs `touch NAME` in a shell."""
        raise NotImplementedError

    def prepare(self, lab: Lab, url: str) -> None:
        """Lead the agent to the fake model."""

    def launch(self, lab: Lab, url: str) -> Ran:
        """One run of the agent, from prompt to end."""
        raise NotImplementedError

    # --- scenes ----------------------------------------------------------------------------------------------------

    @pytest.fixture
    def lab(self, tmp_path: Path) -> Lab:
        return Lab(tmp_path)

    def install(self, lab: Lab, *words: str) -> None:
        done = lab.assent("install", self.agent, "--yes", *words)
        assert done.code == 0, done.err

    def run(self, lab: Lab, *uses: Use, install: tuple[str, ...] | None = (), broken: object = None) -> FakeModel:
        """Prepare, install, run; the model afterwards."""
        with FakeModel(*uses) as model:
            self.prepare(lab, model.url)
            if install is not None:
                self.install(lab, *install)
            if callable(broken):
                broken()
            self.launch(lab, model.url)
        return model

    def stopped_by(self, lab: Lab, settings: str) -> set[str]:
        """Which of all broken hooks, standing in a settings file for ours, still keep the tool from running."""

        def broken() -> None:
            lab.change_hooks(settings, command=shlex.join(broken_hook(lab)), timeout=2000)

        self.run(lab, *(self.touch(how) for how in WAYS), broken=broken)
        return set(WAYS) - made(lab)

    def contents_the_doctor(self, lab: Lab, path: str, version: str) -> None:
        """The doctor starts the real program, names its version and has nothing to complain about."""
        self.install(lab)
        lab.env["PATH"] = f"{Path(program(self.agent, path)).parent}:{lab.env['PATH']}"
        found = lab.assent("doctor", self.agent, "--json")
        assert {"level": "ok", "text": version, "advice": ""} in found.json["findings"][self.agent]
        assert (found.code, found.json["sound"]) == (0, True), found.out

    # --- tests -----------------------------------------------------------------------------------------------------

    def test_what_is_denied_does_not_run_and_what_is_allowed_does(self, lab: Lab) -> None:
        model = self.run(lab, self.touch("allowed"), self.touch("denied"))
        assert made(lab) == {"allowed"}
        verdicts = [(row["agent"], row["command"], row["decision"]) for row in lab.journal()]
        assert verdicts == [(self.agent, "touch allowed", "allow"), (self.agent, "touch denied", "deny")]
        if self.goes_on:
            why = "touch denied matches deny rule: Bash(touch denied). Do not try to reach the same effect another way"
            assert why in model.told[-1]

    @pytest.mark.parametrize("approves", [True, False])
    def test_the_hook_holds_until_a_person_answers(self, lab: Lab, approves: bool) -> None:
        with lab.person(approves=approves) as asked:
            model = self.run(lab, self.touch("asked"), install=("--on-ask", "hold"))
        assert [request.command for request in asked] == ["touch asked"]
        assert made(lab) == ({"asked"} if approves else set())
        if self.goes_on:
            assert ("A person refused this: as agreed." in model.told[0]) is not approves

    def test_a_ticket_is_redeemed_by_the_same_call(self, lab: Lab) -> None:
        first = self.touch("asked")
        seen: list[set[str]] = []

        def once_answered(_told: list[str]) -> Any:
            seen.append(made(lab))
            lab.answer()
            return first.input

        model = self.run(lab, first, first._replace(input=once_answered), install=("--on-ask", "ticket"))
        assert "has not answered yet" in model.told[0]
        assert (seen, made(lab)) == ([set()], {"asked"})

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
    def test_a_hook_that_is_ended_from_outside_stops_the_tool(self, lab: Lab, number: signal.Signals) -> None:
        with lab.assassin(number) as killed:
            model = self.run(lab, self.touch("asked"), install=("--on-ask", "hold"))
        assert (len(killed), made(lab)) == (1, set())
        if self.goes_on:
            told = {signal.SIGTERM: "was ended from outside", signal.SIGKILL: self.cut_off}
            assert told[number] in model.told[0]

    @pytest.mark.parametrize("who", ["shell", "both"])
    def test_what_a_killed_shell_lets_through_is_what_the_table_says(self, lab: Lab, who: str) -> None:
        ends = ENDS[self.agent]
        if ends.shell_killed == NONE:
            return  # the host itself is above the hook
        with lab.assassin(who=who) as killed:
            self.run(lab, self.touch("asked"), install=("--on-ask", "hold"))
        said = ends.shell_killed if who == "shell" else ends.all_killed
        assert (len(killed), made(lab)) == (1, {"asked"} if said == RUNS else set())

    def test_a_subagent_is_governed_too(self, lab: Lab) -> None:
        task = "this is the task of the subagent"
        with FakeModel() as model, lab.person(approves=True):
            model.scripts = [Script((self.delegate(task),), PROMPT), Script((self.touch("denied"),), task)]
            self.prepare(lab, model.url)
            self.install(lab, "--on-ask", "hold")
            self.launch(lab, model.url)
        [row] = [row for row in lab.journal() if row.get("decision") == "deny"]
        assert (row["command"], row["agent_chain"][:1]) == ("touch denied", ["main"] * self.names_subagents)
        assert made(lab) == set()

    def test_install_use_uninstall_leaves_no_trace(self, lab: Lab) -> None:
        with FakeModel(self.touch("denied")) as model:
            self.prepare(lab, model.url)
            before = settings(lab)
            self.install(lab)
            installed = settings(lab)
            assert installed != before
            self.launch(lab, model.url)
            assert lab.assent("uninstall", self.agent, "--yes").code == 0
        assert made(lab) == set()
        after = settings(lab)
        touched = {file for file in installed if installed[file] != before.get(file)}
        assert {file: after.get(file) for file in touched} == {file: before.get(file) for file in touched}


def made(lab: Lab) -> set[str]:
    """The files that the tools left in the project."""
    return {path.name for path in lab.project.iterdir() if not path.name.startswith(".")}


def settings(lab: Lab) -> dict[str, bytes]:
    """The small files of a home, without our own state."""
    found = (path for path in lab.home.rglob("*") if path.is_file() and not path.is_relative_to(lab.home / "state"))
    return {str(path.relative_to(lab.home)): path.read_bytes() for path in found if path.stat().st_size < 1_000_000}


def broken_hook(lab: Lab) -> list[str]:
    """The command of a hook that breaks as it is told."""
    file = lab.home / "broken.py"
    file.write_text(BROKEN)
    return [sys.executable, str(file)]
