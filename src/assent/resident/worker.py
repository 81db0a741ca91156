"""One hook answered inside a process of the helper.

It takes the hook's environment and folder for its own and then runs what the hook would run. INVARIANT: files, rules,
modes and grants are looked at anew for each; what is remembered is keyed by the text it was made from.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time

from assent import wire
from assent.agents import agent_named
from assent.cli.hook import KNOWN, answer_event, refused
from assent.cli.options import read_options
from assent.judging import Judge
from assent.record import record
from assent.resident import client
from assent.resident.sources import LOADED
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.agents.agent import Output
    from assent.judging import Judged
    from assent.types import ToolCall

EARLIER = 0.2
"""By how much we end before the hook stops waiting. INVARIANT: a hook that goes on by itself does so alone."""
MOST_HEAD = 8_000_000
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STATUS = "--status"
ZONE = os.environ.get("TZ")
"""Python keeps to the time zone it was started in."""


class NotHere(Exception):  # noqa: N818 - not an error: somebody else does it
    """The hook shall do it itself: it is not ours, not our version, or cannot be answered at once."""


@record
class Request:
    """What a hook sent."""

    words: tuple[str, ...]
    folder: str
    environment: dict[str, str]
    payload: bytes
    nonce: bytes
    """What a proof is made for."""


def attend(line: socket.socket, secret: bytes) -> None:
    """Answer the hook at the other end, or tell it to do it itself."""
    alarm(client.JUDGE_SECONDS)
    try:
        if not _is_mine(line):
            return
        request = read_request(line)
        hook = Waiting(line, secret, request.nonce)
        line.sendall(_status(hook) if request.words == (STATUS,) else _answer(hook, request))
    except Exception:  # the hook finds out by itself what is wrong, and says so
        line.sendall(client.YOURSELF)


def leave() -> None:
    """Keep nothing of the hook that was answered: a folder that somebody is in cannot be unmounted."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    os.environ = {}  # type: ignore[assignment] # noqa: B003 - as above
    os.chdir("/")


def alarm(seconds: float) -> None:
    """End without a word after so long, whatever hangs: the hook sees the line break and goes on."""
    signal.setitimer(signal.ITIMER_REAL, seconds - EARLIER)


# --- the request ---------------------------------------------------------------------------------------------------


def _is_mine(line: socket.socket) -> bool:
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # nobody else reaches the folder
    about = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
    return int.from_bytes(about[4:8], sys.byteorder) == os.geteuid()


def read_request(line: socket.socket) -> Request:
    """What the hook sent, if it is of this installation, sees the files we see, and sent all of it."""
    sizes = _received(line, 20)
    head, payload = int(sizes[:10]), int(sizes[10:])
    if head > MOST_HEAD or payload > 2 * client.MOST_PAYLOAD:
        raise NotHere
    parts = _received(line, head).split(b"\0")
    protocol, nonce, version, package, place, folder, count = parts[:7]
    words, around = parts[7 : 7 + int(count)], parts[7 + int(count) :]
    same = not LOADED.changed and (protocol, version, place) == (client.PROTOCOL, client.interpreter(), client.place())
    if not same or not _is_this_package(os.fsdecode(package)):
        raise NotHere
    pairs = (pair.partition(b"=") for pair in around)
    environment = {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
    return Request(tuple(map(os.fsdecode, words)), os.fsdecode(folder), environment, _received(line, payload), nonce)


def _received(line: socket.socket, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = line.recv(min(size, 1_000_000))
        if not part:
            raise NotHere
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _is_this_package(folder: str) -> bool:
    try:
        return folder == PACKAGE or os.path.samefile(folder, PACKAGE)
    except OSError:
        return False


def _become(request: Request) -> None:
    """Everything that a process inherits and an answer may depend on."""
    os.environ = request.environment  # type: ignore[assignment] # noqa: B003 - we start no programs, it need not be put
    os.chdir(request.folder)
    if os.getcwd() != request.folder or request.environment.get("TZ") != ZONE:
        raise NotHere


# --- the answer ----------------------------------------------------------------------------------------------------


class AtOnce(Judge):
    """A judge for what needs no second thought: a question, to whomever, is for the hook itself.

    INVARIANT: nothing is counted or written down before the hook, hearing that we are ready, tells us to. From then on
    it waits; one that has gone on by itself never tells us.
    """

    def judge(self, call: ToolCall, now: float) -> Judged:
        judged = super().judge(call, now)
        if judged.case is None or judged.decision.verdict == Verdict.ASK:
            raise NotHere
        _commit()
        return judged


@record
class Waiting:
    """A hook that waits for us, and what it wants to be shown."""

    line: socket.socket
    secret: bytes
    nonce: bytes

    def proven(self, said: bytes) -> bytes:
        return said + client.proof(self.secret, self.nonce, said)


class _Pending:
    """The hook that does not know yet that we are ready; None once it does."""

    hook: Waiting | None = None


def _commit() -> None:
    hook, _Pending.hook = _Pending.hook, None
    if hook is None:
        return
    hook.line.sendall(hook.proven(client.JUDGED))
    if not LOADED.unchanged():  # looked up while the hook wakes up
        raise NotHere
    if hook.line.recv(1) != client.GO:
        raise NotHere
    alarm(client.WRITE_SECONDS)


def _answer(hook: Waiting, request: Request) -> bytes:
    _Pending.hook = hook
    return hook.proven(written(_output(request)))


def _output(request: Request) -> Output:
    """As `assent hook` would answer, up to where it has to ask somebody."""
    _become(request)
    agent = agent_named(request.words[1])
    options = read_options(list(request.words[2:]), KNOWN, "hook")
    payload = wire.loads(request.payload)
    if options.has("--seconds") or not isinstance(payload, dict):
        raise NotHere
    event = agent.read(payload, os.environ, time.time())
    if len(event.calls) > 1:  # the first would be written down before the second is known to be a question
        raise NotHere
    try:
        output = answer_event(agent, event, options.value("--on-ask"), None, AtOnce)
    except NotHere:
        raise
    except Exception as error:
        if _Pending.hook is not None:
            raise
        return refused(agent, error, payload)  # as the hook itself would; it may be counted already
    _commit()
    return output


def written(output: Output) -> bytes:
    """An answer on the line. INVARIANT: cannot fail, because it may be about something that is written down already."""
    out, err = (text.encode(errors="backslashreplace") for text in (output.stdout, output.stderr))
    return client.ANSWER + bytes((output.code,)) + b"%10d%10d" % (len(out), len(err)) + out + err


def _status(hook: Waiting) -> bytes:
    LOADED.look()
    return hook.proven(client.JUDGED) if LOADED.unchanged() else client.YOURSELF
