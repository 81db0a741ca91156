"""assent run: one command, run if the policy allows it or once a person has approved exactly these bytes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys

from assent.authorization import Authorization
from assent.cli.options import Options, read_options
from assent.cli.show import visible
from assent.desk import Desk
from assent.errors import AssentError, UsageError
from assent.guard import Guard, OnAsk
from assent.policy.case import INSIDE
from assent.types import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.cli.confining import Confinement

KNOWN = {
    "--cwd": True,
    "--workspace": True,
    "--agent": True,
    "--session": True,
    "--on-ask": True,
    "--seconds": True,
    "--why": True,
    "--sandbox": False,
}

HELP = """usage: assent run [OPTIONS] -- PROGRAM [ARGUMENT...]
       assent run [OPTIONS] 'COMMAND LINE'

Run a command if it is allowed. If it has to be asked about, you see the question in this terminal and in the inbox
(`assent serve`), and the command runs once you have said yes. After `--` the words are the program and its arguments;
a single word is a command line for bash. What was judged is what runs, byte for byte.

  --cwd DIR         the folder to run in (default: here)
  --workspace DIR   the project (default: the nearest folder above with .assent or .git)
  --agent NAME      who wants to run it, as the question and the journal show it (default: assent run)
  --session ID      the session it belongs to, for grants and the mode
  --why TEXT        what the agent says about it; shown as unverified
  --on-ask WAY      wait (default), park (leave the question and exit with 3) or deny
  --seconds N       how long to wait for an answer (default: 300)
  --sandbox         run it where only the project can be changed, secrets cannot be read and there is no network;
                    with `auto_allow_bash_if_sandboxed` in your policy such commands need no question

Exit code: the command's own; 3 when a question is still open, 4 when it was refused, 2 for wrong usage.

Examples:
  assent run 'git status && git log --oneline -3'
  assent run -- ls -la
  assent run --sandbox -- make test
"""
WAYS: tuple[OnAsk, ...] = ("wait", "park", "deny")
SHELL = ("/bin/bash", "--noprofile", "--norc", "-c")
DEFAULT_SECONDS = 300.0


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "run")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if not options.rest:
        raise UsageError("give a command to run", help="see `assent run --help`")
    cwd = os.path.abspath(options.value("--cwd") or os.getcwd())
    text, words = _command(options.rest)
    desk = Desk()
    guard = _guard(options, desk, cwd)
    try:
        call = guard.call("Bash", {"command": text}, cwd=cwd)
        confined = _confined(guard, call) if options.has("--sandbox") else None
        granted = guard.authorize_sync(call, options.value("--why") or "")
        if not granted.allowed:
            return _refused(granted)
        return _run(words, call, desk) if confined is None else confined.run(words, desk)
    finally:
        guard.close()
        desk.close()


def _command(rest: list[str]) -> tuple[str, list[str]]:
    """The text that is judged and the words that are run. INVARIANT: both mean the same to bash."""
    if len(rest) == 1:
        return rest[0], [*SHELL, rest[0]]
    return shlex.join(rest), rest


def _guard(options: Options, desk: Desk, cwd: str) -> Guard:
    wanted = options.value("--on-ask") or "wait"
    way = next((one for one in WAYS if one == wanted), None)
    if way is None:
        raise UsageError(f"unknown way `{wanted}`", help=f"one of {', '.join(WAYS)}")
    workspace = options.value("--workspace") or desk.world.workspace(cwd)
    return Guard(
        workspace=workspace,
        agent=options.value("--agent") or "assent run",
        session=options.value("--session") or f"run in {cwd}",
        desk=desk,
        timeout=_seconds(options),
        on_ask=way,
        sandbox=_confines(workspace, desk) if options.has("--sandbox") else "",
    )


def _confines(workspace: str, desk: Desk) -> str:
    """INVARIANT: whoever writes the command line does not choose what may be changed without a question."""
    here = desk.world.workspace(os.getcwd())
    if not here:
        return "there is no project here"
    return INSIDE if os.path.realpath(workspace) == os.path.realpath(here) else "it is about another project"


def _seconds(options: Options) -> float:
    text = options.value("--seconds")
    if text is None:
        return DEFAULT_SECONDS
    if not text.isdecimal() or not int(text):
        raise UsageError(f"`--seconds {text}` is no number of seconds")
    return float(text)


def _confined(guard: Guard, call: ToolCall) -> Confinement:
    """INVARIANT: a command is judged as confined only after a sandbox was proved to work here."""
    from assent.cli.confining import confinement

    return confinement(guard, call)


def _run(words: list[str], call: ToolCall, desk: Desk) -> int:
    started: list[subprocess.Popen[bytes]] = []
    early: list[int] = []

    def forward(which: int, _frame: object) -> None:
        """A signal that comes before the command is there waits for it."""
        started[0].send_signal(which) if started else early.append(which)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, forward)
    try:
        started.append(subprocess.Popen(words, cwd=call.cwd))  # noqa: S603 - exactly what was judged
    except OSError as error:
        raise AssentError(f"cannot run `{words[0]}`: {error.strerror}") from error
    for which in early:
        started[0].send_signal(which)
    code = started[0].wait()
    facts = {"session_id": call.session, "agent": call.agent, "tool": call.tool, "command": call.input["command"]}
    desk.journal.append("result", {**facts, "executed": True, "exit_code": code})
    return code if code >= 0 else 128 - code


def _refused(answer: Authorization) -> int:
    sys.stderr.write(f"assent: {visible(answer.message or answer.reason)}\n")
    return 3 if answer.state == "pending" else 4
