"""assent hook: the process a host starts before every tool call. INVARIANT: whatever fails, the host hears its deny."""

from __future__ import annotations

import os
import sys
import time

from assent import wire
from assent.agents import agent_named
from assent.agents.agent import WAYS, Output
from assent.authorization import Authorization, as_decided, asked, unasked
from assent.cli.options import read_options
from assent.errors import AssentError, InputError, UsageError
from assent.folders import OPEN_INBOXES
from assent.judging import Judge, fields_of, grants_used, rule_id
from assent.record import replace
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.agents.agent import Agent, Event, Way
    from assent.judging import Judged
    from assent.types import ToolCall

KNOWN = {"--on-ask": True, "--seconds": True}

HELP = """usage: assent hook AGENT [--on-ask WAY] [--seconds N] < PAYLOAD

What an agent starts before every tool call; `assent install AGENT` puts it there. It reads the agent's JSON, answers in
the agent's own words and writes the decision into the journal. Whatever goes wrong, the answer is the agent's deny.

  --on-ask WAY   what happens to a question
                   hold     wait for a person, as long as the agent waits for us
                   host     let the agent ask in its own dialog
                   suspend  stop the run, to be resumed after the answer (Claude Code)
                   ticket   refuse for now; the same call made again finds the answer
                   deny     refuse
                 default: what suits the agent. Where it has a dialog, that is used while no inbox
                 (`assent serve`) is open; where nobody sits in front of it, never
  --seconds N    how long the agent waits for us (default: as installed)

Examples:
  assent hook claude-code < payload.json
  assent hook codex --on-ask ticket < payload.json
"""
MAX_BYTES = 32_000_000
MARGIN = 0.1
"""The share of the host's patience that is kept for answering."""
DECIDE_SECONDS = 20.0
TRIES = 3
SIGNALS = ("SIGALRM", "SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
"""What would end us without a word."""
CANCEL = '{"cancel": true, "errorMessage": "the permission check failed"}\n'
LAST_WORDS = {"cline": Output(CANCEL)}
"""For hosts that do not understand exit code 2 as a refusal."""


def main(argv: list[str]) -> int:
    if "--help" in argv or not argv:
        sys.stdout.write(HELP)
        return 0 if argv else 2
    payload: object = None
    output = LAST_WORDS.get(argv[0], Output("", "assent: the permission check failed\n", 2))
    try:
        agent = agent_named(argv[0])
        try:
            options = read_options(argv[1:], KNOWN, "hook")
            _watch(agent, _first_seconds(options.value("--seconds")))
            payload = _payload()
            output = _answer(agent, payload, options.value("--on-ask"), options.value("--seconds"))
        except Exception as error:
            output = refused(agent, error, payload)
    except Exception as error:
        output = replace(output, stderr=f"assent: {_told(error)}\n")
    _unwatch()
    sys.stdout.write(output.stdout)
    sys.stderr.write(output.stderr)
    return output.code


def refused(agent: Agent, error: Exception, payload: object) -> Output:
    """The host's refusal for a failure of ours."""
    return agent.refuse(f"The permission check failed, so this was not done: {_told(error)}", payload)


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, AssentError) else f"{type(error).__name__}: {error}"


def _payload() -> dict[str, object]:
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError("what the host sent is too large")
    found = wire.loads(data)
    if not isinstance(found, dict):
        raise InputError("what the host sent is no JSON object")
    return found


def _answer(agent: Agent, payload: dict[str, object], way: str | None, seconds: str | None) -> Output:
    return answer_event(agent, agent.read(payload, os.environ, time.time()), way, seconds, Judge)


def answer_event(agent: Agent, event: Event, way: str | None, seconds: str | None, judging: type[Judge]) -> Output:
    """The answer to what a host wants to know, written down."""
    chosen = _way(agent, event, way)
    if not event.calls:
        return Output()
    judge = judging(os.environ)
    if chosen == "hold" and way is None and event.attended and "host" in agent.ASKS and not _inbox_is_open(judge.state):
        chosen = "host"
    found = [_one(agent, event, _placed(call, judge), chosen, judge, seconds) for call in event.calls]
    event = replace(event, instead=tuple([command for _, command in found]))
    return agent.write(event, _spelled(max([answer for answer, _ in found], key=_strictness)), chosen)


def _spelled(answer: Authorization) -> Authorization:
    """The answer as a host may show it: what hides or passes for other letters is written out."""
    if answer.reason.isascii() and answer.message.isascii():
        return answer
    from assent.approval.fragments import spell_out

    return replace(answer, reason=spell_out(answer.reason), message=spell_out(answer.message))


def _inbox_is_open(state: str) -> bool:
    """Whether somebody could see a question in `assent serve`; nobody should wait in front of the host in vain."""
    try:
        names = os.listdir(os.path.join(state, OPEN_INBOXES))
    except OSError:
        return False
    if not names:
        return False
    from assent.approval.asker import is_alive

    return any(map(is_alive, names))


def _strictness(answer: Authorization) -> int:
    """INVARIANT: a no to one part is never hidden behind a question about another."""
    if answer.allowed:
        return 0
    return {"ask": 1, "pending": 2}.get(answer.state, 3)


def _placed(call: ToolCall, judge: Judge) -> ToolCall:
    """INVARIANT: the project is where the host was started; the folder of a call is the agent's choice.

    Where that is no project (home, the root), nothing is inside it, and every read asks.
    """
    return call if call.workspace else replace(call, workspace=judge.world.workspace(os.getcwd()))


def _way(agent: Agent, event: Event, wanted: str | None) -> Way:
    if wanted is not None and wanted not in WAYS:
        raise UsageError(f"unknown way `{wanted}`", help=f"one of {', '.join(WAYS)}")
    if event.way is not None:
        return event.way
    for way in agent.ASKS:
        if way == wanted and (way != "host" or event.attended):
            return way
    return agent.ASKS[0] if event.attended else agent.UNATTENDED


def _one(
    agent: Agent, event: Event, call: ToolCall, way: Way, judge: Judge, seconds: str | None
) -> tuple[Authorization, str]:
    """The answer about one call, and the command to run instead of its own when that is what the answer is about."""
    begun = time.perf_counter()
    judged = _claimed(judge, judge.judge(call, call.at))
    if judged.decision.verdict == Verdict.ASK and call.tool == agent.SHELL and _is_moved(agent, judged):
        from assent.cli.moving import move

        inside, command = move(judge, call, takes=event.takes)
        if inside is not None:
            return _written(inside, judge, as_decided(inside.decision), begun), command
    return _asked(agent, event, judged, way, judge, seconds, begun), ""


def _is_moved(agent: Agent, judged: Judged) -> bool:
    """Whether a person wants the commands of this agent in the sandbox."""
    return judged.case is not None and agent.NAME in judged.policy.table["sandbox"].get("agents", ())


def _asked(
    agent: Agent, event: Event, judged: Judged, way: Way, judge: Judge, seconds: str | None, begun: float
) -> Authorization:
    call = judged.call
    if judged.decision.verdict == Verdict.ASK and judged.case is not None and way not in ("deny", "host"):
        from assent.approval.asker import Host
        from assent.cli.asking import ask_people

        host = Host()
        patience = _seconds(seconds, agent.HOST_SECONDS) * (1 - MARGIN) if way == "hold" else 0.0
        _watch(agent, _seconds(seconds, agent.HOST_SECONDS) * (1 - MARGIN / 2))
        return ask_people(judge, call, event.description, patience, host)
    if judged.decision.verdict == Verdict.ASK and judged.case is not None and judged.policy.table["descriptions"]:
        from assent.cli.asking import ask_models

        _watch(agent, _seconds(seconds, agent.HOST_SECONDS) * (1 - MARGIN / 2))
        judged = _claimed(judge, ask_models(judge, call))
    return _written(judged, judge, _decided(judged, way), begun)


def _claimed(judge: Judge, judged: Judged) -> Judged:
    """The judgement, its uses of rules with a limit counted; another one when another call was faster."""
    for _ in range(TRIES):
        if not judged.decision.allowed or judge.claim(judged, judged.call.at):
            return judged
        judged = judge.judge(judged.call, judged.call.at)
    raise AssentError("a rule was used up by other calls at the same moment", help="try again")


def _decided(judged: Judged, way: Way) -> Authorization:
    if judged.decision.verdict != Verdict.ASK:
        return as_decided(judged.decision)
    if way == "host":
        return asked(judged.decision)
    return unasked(judged.decision)


def _written(judged: Judged, judge: Judge, answer: Authorization, begun: float) -> Authorization:
    """INVARIANT: what cannot be written down does not happen."""
    from assent.audit.journal import Journal

    fields = {
        **fields_of(judged),
        "approved": answer.allowed,
        "reason": answer.reason,
        "decided_by": {"kind": answer.decided_by, "id": rule_id(judged.decision)},
        "latency_ms": round((time.perf_counter() - begun) * 1000, 3),
    }
    Journal(os.path.join(judge.state, "audit")).append("decision", fields)
    used = grants_used(judged.decision)
    if used and answer.allowed:
        from assent.grants import count_use

        count_use(judge.state, used, judged.call.at)
    return answer


def _first_seconds(text: str | None) -> float:
    """How long deciding may take. INVARIANT: less than the host waits, which may take silence for a yes."""
    return min(DECIDE_SECONDS, _seconds(text, DECIDE_SECONDS) * (1 - MARGIN / 2)) if text else DECIDE_SECONDS


def _seconds(text: str | None, otherwise: float) -> float:
    if text is None:
        return otherwise
    if not text.isdecimal() or not int(text):
        raise UsageError(f"`--seconds {text}` is no number of seconds")
    return float(text)


def _watch(agent: Agent, seconds: float) -> None:
    """Answer before the host gives up on us, or when somebody ends us: most hosts take silence for a yes."""
    import _signal  # type: ignore[import-not-found] # `signal` itself imports enum, which takes longer than the decision

    def late(number: int, _frame: object) -> None:
        why = "took too long" if number == _signal.SIGALRM else "was ended from outside"
        output = agent.refuse(f"The permission check {why}, so this was not done.", None)
        os.write(1, output.stdout.encode())
        os.write(2, output.stderr.encode())
        os._exit(output.code)

    for name in SIGNALS:
        _signal.signal(getattr(_signal, name), late)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _unwatch() -> None:
    """INVARIANT: the host hears one answer; two in a row are none."""
    import _signal

    for name in SIGNALS:
        _signal.signal(getattr(_signal, name), _signal.SIG_IGN)
    _signal.setitimer(_signal.ITIMER_REAL, 0)
