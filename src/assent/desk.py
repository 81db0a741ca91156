"""The desk where answers arrive, whichever way they came: it checks them, keeps grants, counts denials, writes it down.

INVARIANT: an answer, its grants, its count and its records happen together or not at all.

Shared by the host inside a program and the web inbox beside it. Does not ask and does not wait.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from assent import folders, wire
from assent.approval.store import Lasting, Store
from assent.errors import AssentError, InputError
from assent.grants import (
    Grant,
    as_table,
    end_of,
    grants_file,
    prepared,
    read_grant,
    read_grants,
    same_as,
    store_of,
    with_uses,
)
from assent.layers import read_modes, session_key, set_mode
from assent.outbox import STORE, Journal, Outbox, human
from assent.policy.modes import PermissionContext, PermissionMode
from assent.questions import LASTING, MODEL, Answer, ApprovalRequest, Choice, Session, Ticket
from assent.record import replace
from assent.world import DiskWorld

CLOCK_SKEW = 300.0


class Desk:
    """Requests, grants, sessions and the journal of one person's Assent, in its state folder."""

    def __init__(
        self,
        state: str | None = None,
        *,
        store: Store | None = None,
        journal: Journal | None = None,
        world: DiskWorld | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.world = world or DiskWorld()
        self.state = state or folders.state_folder(os.environ, self.world.home)
        folders.make_folder(self.state)
        self.store = store or Store(os.path.join(self.state, STORE))
        self.journal = journal or open_journal(self.state)
        self.clock = clock
        self.store.scribe = Outbox(self.store, self.journal, self.state)
        with suppress(InputError):  # whoever needs them is told what is wrong with them
            self._take_over()
        self.store.catch_up()

    def _take_over(self) -> None:
        """Move the grants that an earlier version kept in a file of its own into the store, once."""
        if self.store.has_taken_over():
            return
        found = () if self._shows_a_store() else read_grants(self.state, self.world)
        self.store.take_over([_lasting(grant, {}) for grant in found])

    def _shows_a_store(self) -> bool:
        data = self.world.read(grants_file(self.state))
        return bool(store_of(data))

    def close(self) -> None:
        self.store.close()

    # --- answers ---------------------------------------------------------------------------------------------------

    def answer(self, request_id: str, answer: Answer) -> str:
        """Take an answer. The empty string when it counts, else why it does not.

        INVARIANT: what does not count changes nothing; a lasting answer says only what the person was shown.
        """
        ticket = self.store.get(request_id)
        if ticket is None:
            return "there is no such request"

        def remember(session: Session) -> Session:
            return session if answer.via == MODEL else self._counted(session, ticket.request, answer)

        try:
            choice = _chosen(ticket.request, answer)
            grants = self._granted(ticket.request, answer, choice) if choice else ()
            self.store.answer(request_id, answer, self.clock(), remember, grants)
        except InputError as error:
            return error.message
        return ""

    def ticket(self, request_id: str) -> Ticket | None:
        return self.store.get(request_id)

    def waiting(self, session: str) -> int:
        return self.store.waiting(self.clock()).get(session, 0)

    def _counted(self, session: Session, request: ApprovalRequest, answer: Answer) -> Session:
        """Count a person's answer. Who was shown the suggestion of a mode and did not take it has turned it down."""
        ignored = bool(request.suggest_mode) and self._known(session).suggests
        context = _context(session, session.mode)
        context.record_approval() if answer.approved else context.record_denial()
        if ignored:
            context.refuse_escalation()
        return replace(
            session,
            consecutive=context.consecutive_denials,
            total=context.total_denials,
            refused=context.refused_suggestions,
        )

    # --- grants ----------------------------------------------------------------------------------------------------

    def grants(self, *, ended: bool = False) -> tuple[Grant, ...]:
        """Every grant that counts, those that have ended left out unless they are wanted too."""
        self._take_over()
        now = self.clock()
        found = with_uses(self.state, [_read_body(body) for body in self.store.grants()])
        return tuple(one for one in found if ended or not one.expires or now < one.expires)

    def grant(self, grant: Grant, *, by: str, via: str) -> Grant:
        """Keep what a person allows for longer without having been asked; one that says the same is replaced."""
        self._take_over()
        made = prepared(grant)
        self.store.keep_grant(_lasting(made, human(by, via)))
        return made

    def revoke(self, grant_id: str, *, by: str, via: str) -> Grant:
        """Take a grant back."""
        self._take_over()
        by_whom = {"decided_by": human(by, via)}
        body = self.store.revoke(grant_id, lambda body: {**_of_grant(_read_body(body)), **by_whom})
        if body is None:
            raise InputError(f"there is no grant `{grant_id}`", help="see `assent grants list`")
        return with_uses(self.state, [_read_body(body)])[0]

    def _granted(self, request: ApprovalRequest, answer: Answer, choice: Choice) -> list[Lasting]:
        self._take_over()
        now = self.clock()
        bare = Grant(
            "",
            request.command or request.tool,
            "" if answer.scope == "user" else request.workspace,
            "",
            now,
            f"{answer.via}, {answer.by}",
            end_of(answer.scope, now),
            answer.scope,
            choice.rules,
            request.session if answer.scope == "session" else "",
            request.id,
        )
        marked = [replace(bare, command=text, fingerprint=mark, rules=()) for text, mark in choice.unchanged]
        return [_lasting(prepared(grant), human(answer.by, answer.via)) for grant in marked or [bare]]

    # --- sessions --------------------------------------------------------------------------------------------------

    def sessions(self) -> tuple[Session, ...]:
        """The sessions, the most recently seen first."""
        modes = read_modes(self.state, self.world)
        return tuple(self._known(one, modes) for one in self.store.sessions())

    def session(self, session: str) -> Session:
        return self._known(self.store.session(session))

    def _known(self, session: Session, modes: Mapping[str, str] | None = None) -> Session:
        """The session with the mode a person chose for it. The store keeps the mode in which it was last seen."""
        modes = read_modes(self.state, self.world) if modes is None else modes
        chosen = modes.get(session_key(session.id), "")
        context = _context(session, chosen or session.mode)
        looser = context.mode is PermissionMode.DEFAULT and context.suggests_escalation  # who plans wants it stricter
        return replace(session, mode=chosen, suggests=looser)

    def seen(self, session: str, agent: str, mode: str = "") -> None:
        """Note that a session is alive, and in which mode, so that people can find it."""
        now = self.clock()
        facts = {"seen_at": now, **({"mode": mode} if mode else {})}
        self.store.change_session(session, lambda one: replace(one, agent=agent or one.agent, **facts))

    def set_mode(self, session: str, mode: str, *, by: str, via: str) -> Session:
        """Choose the mode of a session; accepting the suggested one also ends the run of denials.

        INVARIANT: it is written down first, so that no mode is in force that nobody can look up.
        """
        wanted = PermissionMode(mode)
        self.journal.append("mode", {"session_id": session, "mode": wanted.value, "decided_by": human(by, via)})
        set_mode(self.state, self.world, session_key(session), wanted.value)
        if wanted is PermissionMode.FULL_AUTO:
            self.store.change_session(session, lambda one: replace(one, consecutive=0))
        return self.session(session)

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        """Take the suggested mode for a session, or turn it down; the empty string when that counts."""
        if not self.session(session).suggests:
            return "no mode is suggested for this session"
        if accepted:
            self.set_mode(session, PermissionMode.FULL_AUTO.value, by=by, via=via)
        else:
            self.refuse_escalation(session, by=by, via=via)
        return ""

    def refuse_escalation(self, session: str, *, by: str, via: str) -> Session:
        """The person does not want a looser mode: wait longer before suggesting it again."""
        fields = {"session_id": session, "note": "suggestion of full_auto refused", "decided_by": human(by, via)}
        self.journal.append("mode", fields)
        return self.store.change_session(session, lambda one: replace(one, refused=one.refused + 1))


def _context(session: Session, mode: str) -> PermissionContext:
    return PermissionContext(
        PermissionMode(mode or "default"),
        session.consecutive,
        session.total,
        refused_suggestions=session.refused,
    )


def _chosen(request: ApprovalRequest, answer: Answer) -> Choice | None:
    """The choice that a lasting answer took, None for one that is good once."""
    if not answer.approved or answer.scope not in LASTING or answer.via == MODEL:
        if answer.scope != "once" or answer.rules:
            raise InputError(f"a denial, a model or an unknown scope `{answer.scope}` cannot grant anything")
        return None
    if answer.scope == "session" and not request.session:
        raise InputError("this request belongs to no session")
    if answer.scope == "project" and not request.workspace:
        raise InputError("this request belongs to no project")
    for choice in request.choices:
        if choice.rules == answer.rules:
            return choice
    raise InputError("these rules were not offered with the request")


def _of_grant(grant: Grant) -> dict[str, object]:
    return {
        "grant_id": grant.id,
        "request_id": grant.request,
        "session_id": grant.session,
        "scope": grant.scope,
        "rules": list(grant.rules),
        "command": grant.command,
        "workspace": grant.workspace,
        "expires_at": grant.expires,
    }


def _lasting(grant: Grant, by: Mapping[str, object]) -> Lasting:
    told = {**_of_grant(grant), "decided_by": by}
    return Lasting(grant.id, same_as(grant), wire.dumps(as_table(grant)), grant.expires, told)


def _read_body(body: str) -> Grant:
    return read_grant(wire.loads(body), "the store")


def open_journal(state: str) -> Journal:
    """The journal of a state folder."""
    from assent.audit.journal import Journal as OnDisk

    return OnDisk(os.path.join(state, "audit"))


def person() -> str:
    """Who sits at this machine, as far as the system knows."""
    import pwd

    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def unusable(error: AssentError) -> str:
    """What a caller says when the desk cannot do its work: the action is denied."""
    return f"the request could not be kept: {error}"
