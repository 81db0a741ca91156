"""The real Codex with Assent in front of it: what its tools do, and what they do when the hook is broken.

Its sandbox is off and it asks nobody (`danger-full-access`), so that a tool that does not run was stopped by the hook.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.codex_app import hooks_listed, trust, turn
from agents.driving import CODEX, TRUSTED, Lab, codex, codex_config, program
from agents.fake_model import FakeModel, Script, Use

pytestmark = pytest.mark.agent
HOOKS = ".codex/hooks.json"


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture
def model(lab: Lab) -> Iterator[FakeModel]:
    """A model without a script yet; `says` gives it one."""
    with FakeModel() as made:
        codex_config(lab, made.url)
        yield made


def says(model: FakeModel, *uses: Use) -> None:
    model.scripts[-1] = model.scripts[-1]._replace(uses=uses)


def touch(name: str) -> Use:
    return Use("exec_command", {"cmd": f"touch {name}"})


def install(lab: Lab, *words: str) -> None:
    done = lab.assent("install", "codex", "--yes", *words)
    assert done.code == 0, done.err


def test_what_is_allowed_runs(lab: Lab, model: FakeModel) -> None:
    install(lab)
    says(model, touch("allowed"))
    assert codex(lab, TRUSTED).code == 0
    assert lab.made() == {"allowed"}
    [entry] = lab.journal()
    assert (entry["agent"], entry["decision"], entry["command"]) == ("codex", "allow", "touch allowed")


def test_what_is_denied_does_not_run_and_the_model_hears_why(lab: Lab, model: FakeModel) -> None:
    install(lab)
    says(model, touch("denied"))
    codex(lab, TRUSTED)
    [told] = model.told
    assert lab.made() == set()
    assert "touch denied matches deny rule: Bash(touch denied). Do not try to reach the same effect another way" in told


def test_a_patch_is_judged_by_the_files_it_changes(lab: Lab, model: FakeModel) -> None:
    install(lab, "--on-ask", "deny")
    keys = lab.home / ".ssh/authorized_keys"
    says(model, Use("apply_patch", {}, text=f"*** Begin Patch\n*** Add File: {keys}\n+key\n*** End Patch"))
    codex(lab, TRUSTED, "-m", "gpt-5.5")  # a model that Codex gives this tool to
    assert not keys.exists()
    assert "is a sensitive credential path" in model.told[0]


PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\nEOF\n"


def test_a_patch_in_a_shell_command_is_judged_by_the_files_it_changes(lab: Lab, model: FakeModel) -> None:
    """Codex carries out `apply_patch` in its shell tool itself; no program of that name is needed."""
    install(lab, "--on-ask", "deny")
    lab.policy('mode = "full_auto"\n[[rule]]\nid = "customers"\ndeny = "Write(customers/**)"\n')
    places = (".assent/policy.toml", ".git/hooks/pre-commit", "customers/a.csv", "allowed")
    says(model, *(Use("exec_command", {"cmd": PATCH.format(path=path)}) for path in places))
    codex(lab, TRUSTED)
    assert [path for path in places if (lab.project / path).exists()] == ["allowed"]
    assert "belongs to Assent" in model.told[0]
    assert "is run or loaded later" in model.told[1]
    assert "matches deny rule: Write(customers/**)" in model.told[2]


def test_calls_from_inside_a_script_of_the_model_are_judged_one_by_one(lab: Lab, model: FakeModel) -> None:
    """Newer models get one tool that runs JavaScript, which calls the others."""
    install(lab)
    made = [f"try {{ await tools.exec_command({{cmd: 'touch {name}'}}) }} catch {{}}" for name in ("denied", "allowed")]
    says(model, Use("exec", {}, "functions", "; ".join(made)))
    codex(lab, TRUSTED, "-m", "gpt-6.1-sol")
    assert lab.made() == {"allowed"}
    assert [(entry["command"], entry["decision"]) for entry in lab.journal()] == [
        ("touch denied", "deny"),
        ("touch allowed", "allow"),
    ]


def test_a_subagent_is_asked_about_by_name(lab: Lab, model: FakeModel) -> None:
    install(lab, "--on-ask", "deny")
    waits = Use("wait_agent", lambda told: {"targets": [json.loads(told[0])["agent_id"]]}, "multi_agent_v1")
    starts = Use("spawn_agent", {"message": "SUBAGENT"}, "multi_agent_v1")
    model.scripts = [Script((starts, waits), "please create the file"), Script((touch("denied"),), "SUBAGENT")]
    codex(lab, TRUSTED)
    assert lab.made() == set()
    chains = [(entry["tool"], entry["agent_chain"]) for entry in lab.journal() if entry["decision"] == "deny"]
    assert chains == [("Bash", ["main", "default"])], "\n".join(model.told)


@pytest.mark.parametrize("approves", [True, False])
def test_the_hook_holds_until_a_person_answers(lab: Lab, model: FakeModel, approves: bool) -> None:
    install(lab)
    says(model, touch("asked"))
    with lab.person(approves=approves) as asked:
        codex(lab, TRUSTED)
    assert [request.command for request in asked] == ["touch asked"]
    assert lab.made() == ({"asked"} if approves else set())
    assert ("A person refused this: as agreed." in model.told[0]) is not approves


def test_a_ticket_is_redeemed_by_the_same_call(lab: Lab, model: FakeModel) -> None:
    install(lab, "--on-ask", "ticket")
    says(model, touch("asked"))
    codex(lab, TRUSTED)
    assert lab.made() == set() and "has not answered yet" in model.told[0]
    ticket = lab.answer()
    says(model, touch("asked"), touch("asked"))
    again = ["exec", "resume", ticket.request.session, "--skip-git-repo-check", "--json", TRUSTED]
    full = ["-c", 'sandbox_mode="danger-full-access"', "try again"]
    lab.run([program("codex", CODEX), *again, *full], FAKE_KEY="fake")
    assert lab.made() == {"asked"}


# --- its own dialogs -----------------------------------------------------------------------------------------------


def test_what_is_allowed_opens_no_dialog(lab: Lab, model: FakeModel) -> None:
    install(lab)
    trust(lab)
    says(model, touch("allowed"))
    assert turn(lab, policy="untrusted", reply="cancel").asked == []
    assert lab.made() == {"allowed"}


def test_a_call_that_a_person_approved_still_opens_its_own_dialog(lab: Lab, model: FakeModel) -> None:
    install(lab)
    trust(lab)
    says(model, touch("asked"))
    with lab.person(approves=True) as asked:
        found = turn(lab, policy="untrusted", reply="accept")
    assert (len(asked), found.asked) == (1, ["item/commandExecution/requestApproval"])
    assert lab.made() == {"asked"}


def test_what_is_denied_opens_no_dialog_either(lab: Lab, model: FakeModel) -> None:
    install(lab)
    trust(lab)
    says(model, touch("denied"))
    assert turn(lab, policy="untrusted", reply="accept").asked == []
    assert lab.made() == set()


# --- trust ---------------------------------------------------------------------------------------------------------


def test_hooks_that_are_not_trusted_are_skipped_and_the_doctor_says_so(lab: Lab, model: FakeModel) -> None:
    install(lab)
    lab.env["PATH"] = f"{Path(program('codex', CODEX)).parent}:{lab.env['PATH']}"
    says(model, touch("denied"))
    codex(lab)
    assert lab.made() == {"denied"}
    found = lab.assent("doctor", "codex", "--json")
    problems = [row["text"] for row in found.json["findings"]["codex"] if row["level"] == "problem"]
    assert found.code == 1
    assert problems == [
        "Codex does not run the hook for PreToolUse: it is untrusted",
        "Codex does not run the hook for PermissionRequest: it is untrusted",
    ]


def test_trusted_hooks_hold_and_the_doctor_is_content(lab: Lab, model: FakeModel) -> None:
    install(lab)
    lab.env["PATH"] = f"{Path(program('codex', CODEX)).parent}:{lab.env['PATH']}"
    trust(lab)
    assert [hook["trustStatus"] for hook in hooks_listed(lab)] == ["trusted", "trusted"]
    says(model, touch("denied"))
    codex(lab)
    assert lab.made() == set()
    found = lab.assent("doctor", "codex", "--json")
    assert (found.code, found.json["sound"]) == (0, True), found.out


# --- when the hook is broken: Codex goes on, and docs/agents.md says so --------------------------------------------


def test_a_hook_that_is_killed_stops_the_tool(lab: Lab, model: FakeModel) -> None:
    install(lab)
    says(model, touch("asked"))
    with lab.assassin() as killed:
        codex(lab, TRUSTED)
    assert (len(killed), lab.made()) == (1, set())


@pytest.mark.parametrize("who", ["shell", "both"])
def test_a_killed_shell_lets_the_tool_run(lab: Lab, model: FakeModel, who: str) -> None:
    """Nothing that Codex offers prevents it: it waits for that very process. The doctor says so."""
    install(lab)
    says(model, touch("asked"))
    with lab.assassin(who=who) as killed:
        codex(lab, TRUSTED)
    assert (len(killed), lab.made()) == (1, {"asked"})


def test_a_hook_that_outlives_its_time_lets_the_tool_run(lab: Lab, model: FakeModel) -> None:
    install(lab)
    lab.change_hooks(HOOKS, timeout=2)
    says(model, touch("asked"))
    codex(lab, TRUSTED)
    assert lab.made() == {"asked"}


BREAKAGES = {
    "crashes": ("raise SystemExit(1)", {"denied"}),
    "says-plain-text": ("print('hello')", {"denied"}),
    "asks": (
        """print('{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}')""",
        {"denied"},
    ),
    "ends-with-2-and-a-reason": ("import sys; sys.stderr.write('no'); sys.exit(2)", set()),
    "ends-with-2-and-no-reason": ("raise SystemExit(2)", {"denied"}),
}


@pytest.mark.parametrize("how", BREAKAGES)
def test_what_a_broken_hook_lets_through(how: str, lab: Lab, model: FakeModel) -> None:
    code, made = BREAKAGES[how]
    install(lab)
    lab.change_hooks(HOOKS, command=shlex.join([sys.executable, "-c", code]))
    says(model, touch("denied"))
    codex(lab, TRUSTED)
    assert lab.made() == made


def test_a_hook_that_is_asked_to_end_still_refuses(lab: Lab, model: FakeModel) -> None:
    """Unlike a killed one: this is what `kill` and a closing terminal do."""
    import signal

    install(lab)
    says(model, touch("asked"))
    with lab.assassin(signal.SIGTERM) as killed:
        codex(lab, TRUSTED)
    assert (len(killed), lab.made()) == (1, set())
    assert "was ended from outside" in model.told[0]


def test_the_hook_of_a_project_holds_there(lab: Lab, model: FakeModel) -> None:
    install(lab, "--project")
    assert not (lab.home / HOOKS).exists()
    says(model, touch("denied"))
    codex(lab, TRUSTED)
    assert lab.made() == set()
    assert lab.assent("uninstall", "codex", "--yes").code == 0
    assert not (lab.project / ".codex").exists()


# --- installing ----------------------------------------------------------------------------------------------------


def test_install_use_uninstall_leaves_no_trace(lab: Lab, model: FakeModel) -> None:
    install(lab)
    says(model, touch("denied"))
    codex(lab, TRUSTED)
    assert lab.made() == set()
    assert lab.assent("uninstall", "codex", "--yes").code == 0
    assert not (lab.home / HOOKS).exists()
