"""What people allowed for longer than once: rules with a scope, an end and a way back, in one plain file.

A grant either holds rules, or the fingerprint of a project command that holds while its files stay the same.
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
    from collections.abc import Callable, Iterable

    from assent.questions import Scope
    from assent.world import DiskWorld

ADVICE = "remove it, or take the broken entry out"
MINUTES_15 = 900.0


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
        if self.expires and now >= self.expires:
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


def read_grants(state: str, world: DiskWorld) -> tuple[Grant, ...]:
    """Every grant there is. A file that is broken or that others may write is an error, not a guess."""
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
    return tuple(_read(row, file) for row in rows)


def live_grants(state: str, world: DiskWorld, workspace: str, session: str, now: float) -> tuple[list[Grant], str]:
    """The grants in force for a call, and what is wrong with the file; a broken file grants nothing."""
    try:
        found = read_grants(state, world)
    except InputError as error:
        return [], str(error)
    return [grant for grant in found if grant.holds(workspace, session, now)], ""


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


def add_grant(state: str, world: DiskWorld, grant: Grant) -> Grant:
    """Keep a grant; one that says the same is replaced. INVARIANT: neither its rules nor its words keep a secret."""
    from assent.masking import masked

    if any(masked(rule) != rule for rule in grant.rules):
        raise InputError("this rule would keep a secret", help="allow the command once, or write a rule without it")
    grant = replace(grant, command=masked(grant.command))
    mark = f"{grant.fingerprint} {grant.rules} {grant.workspace} {grant.session} {grant.made}"
    made = replace(grant, id=grant.id or sha256(mark.encode())[:8])
    _change(state, world, lambda found: [*(one for one in found if not _same(one, grant)), made])
    return made


def revoke_grant(state: str, world: DiskWorld, identity: str) -> Grant:
    """Take a grant back by its id."""
    gone: list[Grant] = []

    def without(found: tuple[Grant, ...]) -> list[Grant]:
        gone.extend(one for one in found if one.id == identity)
        if not gone:
            raise InputError(f"there is no grant `{identity}`", help="see `assent grants list`")
        return [one for one in found if one.id != identity]

    _change(state, world, without)
    return gone[0]


def count_use(state: str, world: DiskWorld, identities: Iterable[str], now: float) -> None:
    """Note that grants let a call pass; expired ones are taken out on the way."""
    used = frozenset(identities)
    _change(
        state,
        world,
        lambda found: [
            replace(one, uses=one.uses + 1, used_at=now) if one.id in used else one
            for one in found
            if not one.expires or now < one.expires
        ],
    )


def end_of(scope: Scope, now: float) -> float:
    """When a grant of this scope ends; 0 for one that lasts until it is revoked."""
    return now + MINUTES_15 if scope == "15min" else 0.0


def as_table(grant: Grant) -> dict[str, object]:
    """A grant as the file and `--json` show it."""
    return {name: list(grant.rules) if name == "rules" else getattr(grant, name) for name in FIELDS}


def _same(one: Grant, other: Grant) -> bool:
    if one.fingerprint or other.fingerprint:
        return one.fingerprint == other.fingerprint
    places = (one.rules, one.scope, one.session, one.workspace)
    return places == (other.rules, other.scope, other.session, other.workspace)


def _change(state: str, world: DiskWorld, change: Callable[[tuple[Grant, ...]], list[Grant]]) -> None:
    with folders.locked(grants_file(state)):
        rows = [as_table(grant) for grant in change(read_grants(state, world))]
        folders.write_atomically(grants_file(state), wire.dumps({"grants": rows}).encode() + b"\n")


def _read(row: object, file: str) -> Grant:
    if isinstance(row, dict) and set(FIELDS) - LATER <= set(row) <= set(FIELDS) and all(map(_fits, row, row.values())):
        return Grant(**{**row, "rules": tuple(row.get("rules", ()))})
    raise InputError(f"{file} holds an entry that is no grant", help=ADVICE)


def _fits(name: str, value: object) -> bool:
    if isinstance(value, list) and not all(isinstance(one, str) for one in value):
        return False
    return isinstance(value, FIELDS[name]) and not isinstance(value, bool)
