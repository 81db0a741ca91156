"""The sandboxed half of `assent run`: the profile for a call, the command inside, and what the sandbox held back."""

from __future__ import annotations

import signal
import sys

from assent.cli.show import visible
from assent.errors import AssentError, UsageError
from assent.folders import kept_folders, running_places
from assent.layers import load_policy
from assent.record import record
from assent.sandbox.capability import Capability, available
from assent.sandbox.denials import denials
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Profile, Settings, notable, profile_for, started_in
from assent.sandbox.running import FORWARDED, Confined, Ended
from assent.sandbox.walls import Walls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from assent.desk import Desk
    from assent.guard import Guard
    from assent.policy.compiled import Policy
    from assent.types import ToolCall


@record
class Confinement:
    """A profile that fits a call, and the sandbox that makes it true."""

    call: ToolCall
    profile: Profile
    able: Capability
    state: str
    walls: Walls | None = None

    def run(self, words: list[str], desk: Desk) -> int:
        """Run the command inside; its own exit code."""
        ground = Machine()
        before = started_in(ground, self.profile.workspace)
        for note in self.profile.notes:
            _say(f"sandbox: {note}")
        with Forwarding() as signals:
            ended = signals.to(self.able.start(self.profile, words, self.state)).wait()
        for note in ended.notes:
            _say(f"sandbox: {note}")
        found = denials(ended.errors, self.profile, ground, walls=self.walls) if ended.code else ()
        for denial in found:
            _say(str(denial))
            if denial.permit:
                _say(f"to permit it: {denial.permit}")
        for host in ended.unreached:
            _say(f"probably blocked by the sandbox: {host} (no host that `network` under [sandbox] names)")
        mounted = {mount.path for mount in self.profile.mounts}
        made = sorted(set(started_in(ground, self.profile.workspace)) - set(before) - mounted)
        for path in notable(made, self.profile.workspace):
            _say(f"the command made `{path}`, which other programs run by themselves: look at it")
        self._write_down(ended, tuple(denial.what for denial in found), tuple(made), desk)
        return ended.code

    def _write_down(self, ended: Ended, held: tuple[str, ...], made: tuple[str, ...], desk: Desk) -> None:
        call = self.call
        facts = {"session_id": call.session, "agent": call.agent, "tool": call.tool, "command": call.input["command"]}
        held = (*held, *ended.unreached)
        told = {"executed": True, "exit_code": ended.code, "sandbox": True}
        more = {"blocked": list(held)} if held else {}
        more |= {"made": list(made)} if made else {}
        more |= {"sandbox_notes": list(ended.notes)} if ended.notes else {}
        desk.journal.append("result", {**facts, **told, **more})


def confinement(guard: Guard, call: ToolCall) -> Confinement:
    """The sandbox for one call, after the proof that there is one."""
    state, world = guard.desk.state, guard.desk.world
    able = available(state)
    if not able.works:
        raise AssentError(f"no sandbox works here: {able.why_not}", help="see `assent sandbox doctor`")
    if not call.workspace:
        raise UsageError("there is no project here to confine it to", help="go into a project, or name --workspace")
    policy = guard.judge.settings or load_policy(guard.env, call.workspace, world, session=call.session).policy
    profile = profile_for(
        call.workspace,
        call.cwd,
        world.home,
        Machine(),
        settings=settings_of(policy),
        own=kept_folders(guard.env, world.home),
        running=running_places(),
        env=guard.env,
    )
    return Confinement(call, profile, able, state, able.walls(profile))


def settings_of(policy: Policy) -> Settings:
    """The `[sandbox]` table of a policy."""
    table = policy.table["sandbox"]
    return Settings(*(tuple(table.get(name, ())) for name in ("read", "write", "network")))


class Forwarding:
    """Signals that reach us are for the command. One that comes before the command is there waits for it."""

    def __init__(self) -> None:
        self._early: list[int] = []
        self._running: Confined | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Forwarding:
        self._before = {number: signal.signal(number, self._hand_on) for number in FORWARDED}
        return self

    def __exit__(self, *_error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def to(self, running: Confined) -> Confined:
        self._running = running
        for number in self._early:
            running.send(number)
        return running

    def _hand_on(self, number: int, _frame: object) -> None:
        if self._running is None:
            self._early.append(number)
        else:
            self._running.send(number)


def _say(text: str) -> None:
    sys.stderr.write(f"assent: {visible(text)}\n")
    sys.stderr.flush()
