"""Proving that a host obeys: the command that stands in its settings is started and has to refuse.

Reads what is configured, never what should be. Looks, runs canaries, changes nothing of the host's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping

from assent import folders
from assent.agents.agent import Output
from assent.agents.hosts.changing import handlers_in, read_bytes, read_receipt
from assent.agents.hosts.host import Canary, Finding, Handler, Host, OwnFile, Place, hook_for, sees_all
from assent.digest import sha256
from assent.errors import AssentError
from assent.layers import load_policy
from assent.world import DiskWorld

CANARY_SECONDS = 30.0
GARBAGE = Canary("a payload that is garbage", "{not json", refused=True)


def installation(env: Mapping[str, str], home: str, workspace: str) -> Iterator[Finding]:
    """What every hook needs: a place to write things down, and a policy."""
    try:
        state = folders.state_folder(env, home)
        folders.write_atomically(os.path.join(state, "doctor"), b"")
        os.unlink(os.path.join(state, "doctor"))
        yield Finding("ok", f"{state} can be written")
    except (AssentError, OSError) as error:
        yield Finding("problem", f"nothing can be written down, so nothing is allowed: {error}", "repair the folder")
    loaded = load_policy(env, workspace, DiskWorld(env=env))
    for problem in loaded.policy.problems:
        yield Finding("problem", f"the policy is broken, so everything is refused: {problem}", "`assent policy lint`")
    if not loaded.policy.problems:
        yield Finding("ok", f"the policy loads, mode {loaded.policy.mode}")


def handlers_at(host: Host, place: Place, state: str) -> tuple[Handler, ...]:
    """Our hooks in the settings at a place."""
    found: list[Handler] = []
    for change in host.changes(place, hook_for(host.NAME)):
        file = os.path.realpath(change.file)
        data = read_bytes(file)
        if data is None:
            continue
        if not isinstance(change, OwnFile):
            found += handlers_in(file, data.decode(errors="replace"), host.NAME)
            continue
        if not change.words:
            continue
        receipt = read_receipt(host.NAME, file, state)
        if data == change.text.encode() or (receipt and receipt.written == sha256(data)):
            found.append(Handler(file, "", change.words, {}, {}))
    return (*found, *host.elsewhere(place))


def examined(host: Host, place: Place, handlers: tuple[Handler, ...]) -> Iterator[Finding]:
    """Everything about one host at one place."""
    for handler in handlers:
        broken = tuple(missing(handler))
        yield from broken
        yield from _foreign(host, handler)
        if not sees_all(handler):
            text = f"the hook for {handler.event} in {handler.file} does not see every call"
            yield Finding("problem", text, "run `assent install` again")
        if not broken:
            yield from proven(host, handler, place)
    yield from host.examine(place, handlers, Runner(place.env))


def _foreign(host: Host, handler: Handler) -> Iterator[Finding]:
    """A hook of another installation has other versions of the rules."""
    start = hook_for(host.NAME).words[3]
    others = [word for word in handler.words if word.endswith("/start.py") and word != start]
    if others:
        yield Finding("note", f"the hook in {handler.file} is of another installation: {others[0]}")


def missing(handler: Handler) -> Iterator[Finding]:
    """What the hook is started with has to be there still."""
    for word in handler.words:
        if (word == handler.words[0] or os.path.isabs(word)) and not shutil.which(word) and not _there(word):
            advice = "run `assent install` again from where Assent is now"
            yield Finding("problem", f"`{word}`, which the hook in {handler.file} starts, is not there", advice)


def _there(path: str) -> bool:
    return os.path.isabs(path) and os.path.isfile(path)


def proven(host: Host, handler: Handler, place: Place) -> Iterator[Finding]:
    """Send canaries through the hook exactly as it is configured."""
    event = f"{handler.event} in {handler.file}" if handler.event else handler.file
    with tempfile.TemporaryDirectory() as folder:
        for canary in (*host.canaries(folder, place.home), GARBAGE):
            output = _sent(handler, canary, folder, place.env)
            refused = output is not None and host.refused(output)
            if refused == canary.refused:
                yield Finding("ok", f"{canary.what} is {'refused' if refused else 'let through'} by {event}")
            elif canary.refused:
                shown = "no answer in time" if output is None else _shown(output)
                advice = "run `assent install` again; if that does not help, please report it"
                yield Finding("problem", f"{canary.what} is not refused by {event}: {shown}", advice)
            else:
                shown = "no answer in time" if output is None else _shown(output)
                yield Finding("warning", f"{canary.what} is refused by {event}: {shown}", "is that what you want?")


def _sent(handler: Handler, canary: Canary, folder: str, env: Mapping[str, str]) -> Output | None:
    """INVARIANT: no person is asked about a canary."""
    more = () if canary.refused or len(handler.words) < 2 else ("--on-ask", "deny")
    try:
        done = subprocess.run(  # noqa: S603 - exactly what the host would start
            [*handler.words, *more],
            check=False,
            cwd=folder,
            env=dict(env),
            input=canary.payload.encode(),
            capture_output=True,
            timeout=CANARY_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Output(done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"), done.returncode)


def _shown(output: Output) -> str:
    text = (output.stdout or output.stderr).strip()
    return f"exit code {output.code}, `{text[:300]}`"


class Runner:
    """Starts a program of the host, to ask it about itself."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env

    def __call__(
        self, words: tuple[str, ...], *, stdin: str = "", until: str = "", timeout: float = 20.0
    ) -> tuple[int, str]:
        """Exit code and output; with `until`, up to the first line that holds it. -1 when it cannot be run."""
        program = shutil.which(words[0], path=self.env.get("PATH", os.defpath))
        if program is None:
            return -1, ""
        try:
            child = subprocess.Popen(  # noqa: S603 - the host's own program
                [program, *words[1:]],
                env=dict(self.env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except OSError:
            return -1, ""
        timer = threading.Timer(timeout, child.kill)
        timer.start()
        try:
            return _talked(child, stdin, until)
        finally:
            timer.cancel()
            child.kill()
            child.wait()


def _talked(child: subprocess.Popen[str], stdin: str, until: str) -> tuple[int, str]:
    if not until:
        text, _ = child.communicate(stdin)
        return child.returncode, text
    assert child.stdin and child.stdout  # noqa: S101 - narrows for the type checker
    with child.stdin, child.stdout:
        try:
            child.stdin.write(stdin)
            child.stdin.flush()
        except BrokenPipeError:
            return -1, ""
        for line in child.stdout:
            if until in line:
                return 0, line
    return -1, ""
