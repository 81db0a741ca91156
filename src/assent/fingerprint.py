"""What an approval is bound to: a digest of the action as it would really happen, made anew before it is spent.

A changed command, folder, program, script, link, mode or policy gives another one, and the person is asked again.
"""

from __future__ import annotations

import os

from assent import wire
from assent.digest import sha256
from assent.errors import InputError
from assent.types import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.policy.case import Case
    from assent.types import Effect
    from assent.world import DiskWorld

CHANGES = frozenset({"write", "delete"})
MOST_BYTES = 4_000_000


def fingerprint(case: Case, policy_digest: str, world: DiskWorld, env: Mapping[str, str]) -> str:
    """One digest for: who, which tool with which input, where, under which policy, with which programs and scripts."""
    call = case.call
    parts = [
        *("assent action 1", call.agent, call.session, *call.chain, call.tool, call.shell, call.cwd),
        *(call.workspace or "", policy_digest, wire.dumps(call.input), _identity(call.cwd)),
    ]
    parts += [f"sandbox {case.sandbox}"] if case.sandbox else []
    parts += _programs(case, env)
    for effect in case.effects:
        parts += _object(effect, call.cwd, world)
    return sha256("\0".join(part.replace("\0", "\0\0") for part in parts).encode("utf-8", "surrogatepass"))


def _object(effect: Effect, cwd: str, world: DiskWorld) -> Iterator[str]:
    """What an effect would touch, where links lead now, and the content of what would run."""
    if isinstance(effect.at, Place) and effect.kind in CHANGES:
        yield f"{effect.kind} {effect.at.path}"
    if effect.kind == "run":
        yield from _content(effect.target, cwd, world)
        defined = (effect.arguments or {}).get("defined_by", ())
        for file in defined if isinstance(defined, tuple) else ():
            yield from _content(str(file), cwd, world)


def _content(target: str, cwd: str, world: DiskWorld) -> Iterator[str]:
    place = world.locate(target, cwd)
    if not place.exists or place.folder:
        return
    try:
        data = world.read(place.path, MOST_BYTES)
    except (InputError, OSError):
        data = None
    yield f"{place.path} {sha256(data) if data is not None else _identity(place.path)}"


def _programs(case: Case, env: Mapping[str, str]) -> Iterator[str]:
    """Which file each program name stands for now."""
    folders = env.get("PATH", os.defpath).split(os.pathsep)
    for name in dict.fromkeys(call.program or "?" for call in case.calls):
        path = name if "/" in name else _found(name, folders)
        path = os.path.join(case.call.cwd, path) if path else ""
        yield f"{name} {path} {_identity(path) if path else 'built in or missing'}"


def _found(name: str, folders: list[str]) -> str:
    for folder in folders:
        path = os.path.join(folder or ".", name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def _identity(path: str) -> str:
    """The very object behind a path: replacing it, or pointing a link elsewhere, changes this."""
    try:
        status = os.stat(path)
    except OSError as error:
        return f"errno {error.errno}"
    changing = "" if os.path.isdir(path) else f" {status.st_size} {status.st_mtime_ns}"
    return f"{os.path.realpath(path)} {status.st_dev} {status.st_ino}{changing}"
