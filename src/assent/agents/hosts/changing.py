"""Changes to a host's settings: shown first, written whole, remembered, and taken back to the byte.

What was there before lies in the state folder. If the file is still what we wrote, it gets its old bytes again; if the
user has changed it since, only our entries are taken out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from assent import folders, wire
from assent.agents.hosts.host import Additions, Change, Handler, OwnFile, is_ours, words_of
from assent.agents.hosts.json_text import MARK, found_handlers, plain, read_text, with_item, with_member, without
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.record import record, replace

FOLDER = "installed"
PLAIN_MODE, PROGRAM_MODE = 0o644, 0o755


@record
class Receipt:
    """What an installation did to one file; the bytes before it lie beside this."""

    agent: str
    file: str
    written: str
    """The digest of what we wrote."""
    existed: bool
    folders: tuple[str, ...] = ()
    """The folders made for it, outermost first."""
    own: bool = False
    """The file is ours alone."""


@record
class Step:
    """One file from what it is to what it shall be; None stands for no file."""

    agent: str
    file: str
    now: bytes | None
    then: bytes | None
    before: bytes | None = None
    """What it will be taken back to."""
    mode: int = PLAIN_MODE
    own: bool = False
    installs: bool = True

    @property
    def changes(self) -> bool:
        return self.now != self.then


# --- installing ----------------------------------------------------------------------------------------------------


def planned(change: Change, agent: str, state: str) -> Step:
    """What installing would do to a file. An older hook of ours is replaced, and forgotten."""
    file = os.path.realpath(change.file)
    now = read_bytes(file)
    before = taken_back(agent, file, state, own_text(change)).then
    if isinstance(change, OwnFile):
        if before is not None and before != change.text.encode():
            raise AssentError(f"`{file}` exists and is not ours", help="move it away, or call Assent from it yourself")
        mode = PROGRAM_MODE if change.executable else PLAIN_MODE
        return Step(agent, file, now, change.text.encode(), before, mode, own=True)
    mode = stat.S_IMODE(os.stat(file).st_mode) if now is not None else PLAIN_MODE
    return Step(agent, file, now, _added(before, change), before, mode)


def _added(before: bytes | None, change: Additions) -> bytes:
    text = _text(before, change.file)
    if not text.removeprefix(MARK).strip():
        text = "{}\n"
    for key, value in change.fresh:
        if read_text(text).get(key) is None:
            text = with_member(text, key, value)
    try:
        for entry in change.entries:
            text = with_item(text, entry.path, entry.value)
    except InputError as error:
        raise InputError(f"`{change.file}` cannot be changed: {error}", help="repair it first") from error
    return text.encode()


def _text(data: bytes | None, file: str) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError as error:
        raise InputError(f"`{file}` is not UTF-8 at byte {error.start}") from error


def carry_out(step: Step, state: str) -> None:
    """Write what was shown. INVARIANT: the way back is on the disk before the file changes."""
    with folders.locked(os.path.join(state, FOLDER, "all")):
        if read_bytes(step.file) != step.now:
            raise AssentError(f"`{step.file}` was changed meanwhile", help="try again")
        if step.installs:
            _remember(step, state)
        if step.then is None and step.now is not None:
            os.unlink(step.file)
        elif step.then is not None and step.changes:
            folders.write_atomically(step.file, step.then, mode=step.mode)
        if not step.installs:
            _forget(step, state)


def _remember(step: Step, state: str) -> None:
    if step.then is None:
        raise AssentError("an installation cannot end without a file")
    known = read_receipt(step.agent, step.file, state)
    made = tuple(known.folders if known else ()) or missing_folders(step.file)
    receipt = Receipt(step.agent, step.file, sha256(step.then), step.before is not None, made, step.own)
    name = _name(step.agent, step.file, state)
    folders.write_atomically(f"{name}.before", step.before or b"")
    table = {field: getattr(receipt, field) for field in Receipt.__slots__}  # type: ignore[attr-defined]
    folders.write_atomically(f"{name}.json", wire.dumps(table).encode() + b"\n")


# --- taking back ---------------------------------------------------------------------------------------------------


def own_text(change: Change) -> bytes | None:
    """The whole of a file that is ours alone."""
    return change.text.encode() if isinstance(change, OwnFile) else None


def taken_back(agent: str, file: str, state: str, own: bytes | None = None) -> Step:
    """What uninstalling would do to a file; `own` is what it holds when it is ours alone."""
    now = read_bytes(file)
    mode = stat.S_IMODE(os.stat(file).st_mode) if now is not None else PLAIN_MODE
    receipt = read_receipt(agent, file, state)
    bare = Step(agent, file, now, now, None, mode, installs=False)
    if now is None:
        return bare
    old = _old(receipt, state) if receipt else None
    if receipt and receipt.written == sha256(now):
        return replace(bare, then=old)
    if own is not None or (receipt and receipt.own):
        return replace(bare, then=None) if now == own else bare
    return replace(bare, then=_cut_out(now, old, file, agent, existed=receipt is None or receipt.existed))


def _cut_out(now: bytes, old: bytes | None, file: str, agent: str, *, existed: bool) -> bytes | None:
    text = _text(now, file)
    try:
        if not handlers_in(file, text, agent):
            return now
        kept = _paths(_text(old, file)) if old else ()
        rest = without(text, lambda value: is_ours(words_of(value), agent), kept)
    except InputError as error:
        raise InputError(f"`{file}` cannot be changed: {error}", help="repair it first") from error
    nothing = plain(read_text(rest)) in ({}, {"version": 1})
    return None if nothing and not existed else rest.encode()


def _paths(text: str) -> tuple[tuple[str, ...], ...]:
    """Every path of names there is in a JSON text."""
    found: list[tuple[str, ...]] = []

    def walk(value: object, path: tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                found.append((*path, key))
                walk(inner, (*path, key))

    if text.removeprefix(MARK).strip():
        walk(plain(read_text(text)), ())
    return tuple(found)


def handlers_in(file: str, text: str, agent: str) -> tuple[Handler, ...]:
    """The hooks of ours in a JSON text."""
    if not text.removeprefix(MARK).strip():
        return ()
    found = found_handlers(read_text(text), lambda value: is_ours(words_of(value), agent))
    return tuple(
        Handler(file, path[1] if len(path) > 1 else "", words_of(value), value, around) for path, around, value in found
    )


def _forget(step: Step, state: str) -> None:
    if read_receipt(step.agent, step.file, state) is not None:
        name = _name(step.agent, step.file, state)
        os.unlink(f"{name}.json")
        os.unlink(f"{name}.before")


def take_back(steps: Iterable[Step], state: str) -> None:
    """Carry out what uninstalling would do, and remove the folders made for it, if nothing else is in them."""
    made: set[str] = set()
    for step in steps:
        receipt = read_receipt(step.agent, step.file, state)
        if receipt or step.changes:  # the hook may be gone already
            carry_out(step, state)
        if receipt and step.then is None:
            made.update(receipt.folders)
    for folder in sorted(made, key=len, reverse=True):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)


# --- receipts ------------------------------------------------------------------------------------------------------


def receipts(agent: str, state: str) -> tuple[Receipt, ...]:
    """Every file that an installation for this host changed."""
    folder = os.path.join(state, FOLDER)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = (_receipt(os.path.join(folder, name)) for name in names if name.endswith(".json"))
    return tuple(one for one in found if one is not None and one.agent == agent)


def read_receipt(agent: str, file: str, state: str) -> Receipt | None:
    return _receipt(_name(agent, file, state) + ".json")


def _receipt(name: str) -> Receipt | None:
    data = read_bytes(name)
    if data is None:
        return None
    match wire.loads(data):
        case {
            "agent": str(agent),
            "file": str(file),
            "written": str(written),
            "existed": bool(existed),
            "folders": list(made),
            "own": bool(own),
        }:
            return Receipt(agent, file, written, existed, tuple(str(one) for one in made), own)
        case _:
            raise InputError(f"`{name}` is no receipt of an installation", help="remove it")


def _old(receipt: Receipt, state: str) -> bytes | None:
    return read_bytes(_name(receipt.agent, receipt.file, state) + ".before") if receipt.existed else None


def _name(agent: str, file: str, state: str) -> str:
    return os.path.join(state, FOLDER, f"{agent}-{sha256(file.encode())[:16]}")


def missing_folders(file: str) -> tuple[str, ...]:
    """The folders that must be made for a file, outermost first."""
    found: list[str] = []
    folder = os.path.dirname(file)
    while not os.path.isdir(folder):
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return tuple(found)


def read_bytes(file: str) -> bytes | None:
    try:
        with open(file, "rb") as source:
            return source.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise AssentError(f"cannot read `{file}`: {error.strerror}") from error
