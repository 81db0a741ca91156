"""Commands of a project that a person allowed while the files that define them stay the same: one plain file."""

from __future__ import annotations

import os

from assent import folders, wire
from assent.digest import sha256
from assent.errors import InputError
from assent.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.world import DiskWorld

ADVICE = "remove it, or take the broken entry out"


@record
class Grant:
    """`fingerprint` stands for the command, its folder and the content of the files that define it."""

    id: str
    command: str
    workspace: str
    fingerprint: str
    made: float
    origin: str = "command line"
    expires: float = 0.0


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


def live_fingerprints(state: str, world: DiskWorld, now: float) -> tuple[frozenset[str], str]:
    """The fingerprints in force, and what is wrong with the file; a broken file grants nothing."""
    try:
        found = read_grants(state, world)
    except InputError as error:
        return frozenset(), str(error)
    return frozenset(grant.fingerprint for grant in found if not grant.expires or now < grant.expires), ""


def add_grant(state: str, world: DiskWorld, grant: Grant) -> Grant:
    """Keep a grant; one for the same fingerprint is replaced."""
    with folders.locked(grants_file(state)):
        others = [one for one in read_grants(state, world) if one.fingerprint != grant.fingerprint]
        made = replace(grant, id=grant.id or sha256(f"{grant.fingerprint} {grant.made}".encode())[:8])
        _write(state, [*others, made])
    return made


def revoke_grant(state: str, world: DiskWorld, identity: str) -> Grant:
    """Take a grant back by its id."""
    with folders.locked(grants_file(state)):
        found = read_grants(state, world)
        gone = [one for one in found if one.id == identity]
        if not gone:
            raise InputError(f"there is no grant `{identity}`", help="see `assent grants list`")
        _write(state, [one for one in found if one.id != identity])
    return gone[0]


def _write(state: str, grants: list[Grant]) -> None:
    rows = [{name: getattr(grant, name) for name in grant.__slots__} for grant in grants]  # type: ignore[attr-defined]
    folders.write_atomically(grants_file(state), wire.dumps({"grants": rows}).encode() + b"\n")


def _read(row: object, file: str) -> Grant:
    match row:
        case {
            "id": str(identity),
            "command": str(command),
            "workspace": str(workspace),
            "fingerprint": str(fingerprint),
            "made": int() | float() as made,
            "origin": str(origin),
            "expires": int() | float() as expires,
        }:
            return Grant(identity, command, workspace, fingerprint, made, origin, expires)
    raise InputError(f"{file} holds an entry that is no grant", help=ADVICE)
