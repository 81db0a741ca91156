"""What people allowed for longer than once: rules with a scope, an end and a way back.

The approvals' database keeps them; a plain file shows them to hooks, which need not open the database. A
grant either holds rules, or the fingerprint of a project command that holds while its files stay the same.
"""

from __future__ import annotations

import os

from assent import folders, wire
from assent.digest import sha256
from assent.errors import InputError
from assent.record import record, replace
from assent.types import Rule, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from assent.questions import Scope
    from assent.world import DiskWorld

ADVICE = "`assent grants list` writes it anew; one of an earlier version: remove it, or take the broken entry out"
MINUTES_15 = 900.0
MAX_BYTES = 1_000_000
MOST_USES = 1_000
CLOCK_SKEW = 300.0
"""A grant from later than so many seconds from now was made before the clock was set back."""


@record
class Grant:
    """One lasting answer. `fingerprint` stands for a project command, its folder and the files that define it."""

    id: str
    command: str
    workspace: str
    fingerprint: str
    made: float
    origin: str = "command line"
    expires: float = 0.0
    scope: Scope = "project"
    rules: tuple[str, ...] = ()
    session: str = ""
    request: str = ""
    """The approval it came from."""
    uses: int = 0
    used_at: float = 0.0

    def holds(self, workspace: str, session: str, now: float) -> bool:
        """Whether it is in force here and now. INVARIANT: an end is checked at every use."""
        if self.expires and not self.made - CLOCK_SKEW <= now < self.expires:
            return False
        if self.session and self.session != session:
            return False
        return self.scope == "user" or bool(self.fingerprint) or self.workspace == workspace


FIELDS: dict[str, type | tuple[type, ...]] = {
    "id": str,
    "command": str,
    "workspace": str,
    "fingerprint": str,
    "made": (int, float),
    "origin": str,
    "expires": (int, float),
    "scope": str,
    "rules": list,
    "session": str,
    "request": str,
    "uses": int,
    "used_at": (int, float),
}
LATER = frozenset({"scope", "rules", "session", "request", "uses", "used_at"})
"""Fields that the first version of the file did not have."""


def grants_file(state: str) -> str:
    return os.path.join(state, "grants.json")


def uses_file(state: str) -> str:
    return os.path.join(state, "grant-uses.json")


def read_grants(state: str, world: DiskWorld) -> tuple[Grant, ...]:
    """Every grant the file shows. One that is broken or that others may write is an error, not a guess.

    INVARIANT: without the database whose grants it shows, none of them counts: nobody answered for them.
    """
    file = grants_file(state)
    data = world.read(file)
    if data is None:
        return ()
    if not world.owner_ok(file):
        raise InputError(f"{file} can be written by others", help="remove it and grant again")
    found = wire.loads(data)
    rows = found.get("grants") if isinstance(found, dict) else None
    if not isinstance(rows, list):
        raise InputError(f"{file} does not hold grants", help=ADVICE)
    store = store_of(data)
    if store and store != ":memory:" and not os.path.lexists(store):
        raise InputError(f"{file} shows grants of `{store}`, which is gone", help="remove it and grant again")
    return tuple(read_grant(row, file) for row in rows)


def store_of(data: bytes | None) -> str:
    """The database whose grants a file shows; nothing when it was written by hand or by an earlier version."""
    found = wire.loads(data) if data is not None else None
    store = found.get("store") if isinstance(found, dict) else None
    return store if isinstance(store, str) else ""


def live_grants(state: str, world: DiskWorld, workspace: str, session: str, now: float) -> tuple[list[Grant], str]:
    """The grants in force for a call, and what is wrong with the file; a broken file grants nothing."""
    try:
        found = read_grants(state, world)
        late = max([used for _, used in _uses(state).values()], default=0.0) if any(g.expires for g in found) else 0.0
    except InputError as error:
        return [], str(error)
    back = now < late - CLOCK_SKEW  # the clock was: whatever ends by the clock has ended
    return [grant for grant in found if grant.holds(workspace, session, now) and not (back and grant.expires)], ""


def rules_of(grants: Iterable[Grant]) -> list[Rule]:
    """What grants say, as rules that name them."""
    return [
        Rule(Verdict.ALLOW, text, id=grant.id, expires=grant.expires, layer="grant")
        for grant in grants
        for text in grant.rules
    ]


def live_fingerprints(state: str, world: DiskWorld, now: float) -> tuple[frozenset[str], str]:
    """The project commands in force, by fingerprint, and what is wrong with the file."""
    found, problem = live_grants(state, world, "", "", now)
    return frozenset(grant.fingerprint for grant in found if grant.fingerprint), problem


def prepared(grant: Grant) -> Grant:
    """A grant as it is kept, with an id. INVARIANT: neither its rules nor its words keep a secret."""
    from assent.masking import masked

    if any(masked(rule) != rule for rule in grant.rules):
        raise InputError("this rule would keep a secret", help="allow the command once, or write a rule without it")
    grant = replace(grant, command=masked(grant.command))
    mark = f"{grant.fingerprint} {grant.rules} {grant.workspace} {grant.session} {grant.made}"
    return replace(grant, id=grant.id or sha256(mark.encode())[:8])


def same_as(grant: Grant) -> str:
    """What a later grant has to have in common with this one to replace it."""
    if grant.fingerprint:
        return f"fingerprint {grant.fingerprint}"
    return wire.dumps([list(grant.rules), grant.scope, grant.session, grant.workspace])


def count_use(state: str, identities: Iterable[str], now: float) -> None:
    """Note that grants let a call pass."""
    file = uses_file(state)
    with folders.locked(file):
        found = _uses(state)
        for identity in identities:
            times, last = found.get(identity, (0, 0.0))
            found[identity] = times + 1, max(now, last)
        table = {
            identity: list(found[identity]) for identity in sorted(found, key=lambda one: -found[one][1])[:MOST_USES]
        }
        folders.write_atomically(file, wire.dumps(table).encode() + b"\n")


def with_uses(state: str, grants: Iterable[Grant]) -> tuple[Grant, ...]:
    """Grants with how often and when each was used last."""
    found = _uses(state)
    known = ((grant, *found.get(grant.id, (grant.uses, grant.used_at))) for grant in grants)
    return tuple([replace(grant, uses=uses, used_at=used) for grant, uses, used in known])


def _uses(state: str) -> dict[str, tuple[int, float]]:
    """How often and when grants were used; a file that cannot be read says nothing, and no decision needs it to."""
    try:
        _, data = folders.read_own(uses_file(state), MAX_BYTES)
        table = wire.loads(data) if data is not None else {}
    except InputError:
        return {}
    found: dict[str, tuple[int, float]] = {}
    for identity, row in table.items() if isinstance(table, dict) else ():
        match row:
            case [int(times), int() | float() as used]:
                found[identity] = times, float(used)
    return found


def end_of(scope: Scope, now: float) -> float:
    """When a grant of this scope ends; 0 for one that lasts until it is revoked."""
    return now + MINUTES_15 if scope == "15min" else 0.0


def as_table(grant: Grant) -> dict[str, object]:
    """A grant as the file and `--json` show it."""
    return {name: list(grant.rules) if name == "rules" else getattr(grant, name) for name in FIELDS}


def read_grant(row: object, file: str) -> Grant:
    """A grant as `as_table` wrote it."""
    if isinstance(row, dict) and set(FIELDS) - LATER <= set(row) <= set(FIELDS) and all(map(_fits, row, row.values())):
        return Grant(**{**row, "rules": tuple(row.get("rules", ()))})
    raise InputError(f"{file} holds an entry that is no grant", help=ADVICE)


def _fits(name: str, value: object) -> bool:
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        return False
    return isinstance(value, FIELDS[name]) and not isinstance(value, bool)
