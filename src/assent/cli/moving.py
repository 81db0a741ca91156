"""Moving an agent's command into the sandbox: when that answers the question, and the command that does it.

The agent's host runs what we hand it, and that is `assent run --sandbox`, which judges the command once more.
INVARIANT: it judges the same text in the same session and project, or refuses; nobody is asked there.
"""

from __future__ import annotations

import os
import shlex

from assent.agents.hosts import host_named
from assent.agents.hosts.host import this_assent
from assent.judging import Judge
from assent.policy.case import INSIDE
from assent.policy.settling import is_unjudged
from assent.record import replace
from assent.tools.analyse import shell_folder, shell_name
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.judging import Judged
    from assent.types import ToolCall

MOST_BYTES = 100_000
"""The kernel takes 128 KiB in one word of a command."""


def move(judge: Judge, call: ToolCall, *, takes: bool) -> tuple[Judged | None, str]:
    """The judgement of a command once it is inside, and what to run for that; nothing when it has to be asked about.

    `takes` is whether the host can be handed another command now. One that is inside already stays as it is.
    """
    original = _original(call)
    if original is None and not (takes and host_named(call.agent).takes(judge.env)):
        return None, ""
    wanted = original or call
    command = "" if original else _command(wanted)
    if not (original or command) or not _is_at_home(wanted, judge):
        return None, ""
    judged = _judged_inside(judge, wanted)
    if not original and _needs_the_host(judged):
        return None, ""
    if judged.decision.verdict == Verdict.ASK or (judged.decision.allowed and not _works(judge.state)):
        return None, ""
    return judged, command


def moved_command(command: str, call: ToolCall) -> str:
    """What runs a command in the sandbox, for a shell."""
    return shlex.join((*_words(call), command))


def _words(call: ToolCall) -> tuple[str, ...]:
    whose = ("--agent", call.agent, "--session", call.session, "--workspace", call.workspace or "")
    return this_assent("run", "--sandbox", "--on-ask", "deny", *whose, "--")


def _command(call: ToolCall) -> str:
    """The command that moves a call; empty when it cannot be moved: it is no bash, or too long."""
    text = call.input.get("command")
    if not isinstance(text, str) or not text.strip() or "\0" in text or shell_name(call) not in ("", "bash"):
        return ""
    command = moved_command(text, call)
    return command if len(command.encode("utf-8", "surrogateescape")) <= MOST_BYTES else ""


def _original(call: ToolCall) -> ToolCall | None:
    """The call as it was before it was moved.

    INVARIANT: only a text that is to the letter what we would make of it, in this session and project.
    """
    text = call.input.get("command")
    if not isinstance(text, str) or " run --sandbox " not in text:
        return None
    try:
        inner = shlex.split(text)[-1]
    except (ValueError, IndexError):
        return None
    return replace(call, input={**call.input, "command": inner}) if moved_command(inner, call) == text else None


def _is_at_home(call: ToolCall, judge: Judge) -> bool:
    """Whether it runs in the project of the session: `assent run` takes the sandbox for no answer anywhere else."""
    here = judge.world.workspace(os.path.join(call.cwd, shell_folder(call)))
    return bool(call.workspace and here) and os.path.realpath(here) == os.path.realpath(call.workspace or "")


def _needs_the_host(judged: Judged) -> bool:
    """Whether a part of the command is carried out by the agent's host, which is not there in the sandbox."""
    from assent.commands.patch import HOSTS_OWN

    calls = judged.case.calls if judged.case else ()
    return any(call.program in HOSTS_OWN for call in calls)


def _judged_inside(judge: Judge, call: ToolCall) -> Judged:
    inside = Judge(judge.env, world=judge.world, state=judge.state, settings=judge.settings, sandbox=INSIDE)
    judged = inside.judge(call, call.at)
    if not is_unjudged(judged.decision):
        return judged
    from assent.cli.asking import ask_models

    return ask_models(inside, call)


def _works(state: str) -> bool:
    """INVARIANT: proved, never assumed.

    Behind Landlock alone too much fails that a person would have allowed: nothing is made beside `.git`.
    """
    from assent.sandbox.capability import BUBBLEWRAP, available

    return available(state, only=BUBBLEWRAP).works
