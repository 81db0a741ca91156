"""The policy files of a workspace made into one policy, cached by content; the only caller of the TOML reader."""

from __future__ import annotations

import os

from assent import folders, wire
from assent.digest import sha256
from assent.errors import AssentError, InputError
from assent.policy.compiled import FORMAT, Policy, compile_policy
from assent.policy.workflow import strictest
from assent.record import record
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from assent.errors import PolicyError
    from assent.policy.load import Source
    from assent.types import Layer, Mode, World

    Cached = tuple[dict[str, object], list[str]]

KEEP_CACHED = 32
KEEP_SESSIONS = 200
MAX_CACHE_BYTES = 64_000_000
UNTRUSTED = b"untrusted"
"""Only a file that holds this word asks whether a repository is trusted, which takes a look at the disk."""


@record
class Loaded:
    """A policy, what an untrusted file could not loosen, and the files it came from."""

    policy: Policy
    notices: tuple[str, ...] = ()
    files: tuple[tuple[Layer, str], ...] = ()


@record
class Layered:
    """One file as found: its bytes, whether it is trusted, or why it cannot be read."""

    layer: Layer
    file: str
    data: bytes = b""
    trusted: bool = True
    trouble: str = ""


def load_policy(env: Mapping[str, str], workspace: str | None, world: DiskWorld, session: str = "") -> Loaded:
    """The policy in force in a workspace. INVARIANT: an unreadable file makes the answer stricter, never looser."""
    chosen: Mode | None = None
    unknown = ""
    try:
        state = folders.state_folder(env, world.home)
        layered = tuple(read_layers(env, workspace, world, state))
        trouble = [f"{layer.file}: {layer.trouble}" for layer in layered if layer.trouble]
        if workspace and any(UNTRUSTED in layer.data for layer in layered if layer.layer in ("user", "managed")):
            unknown = "" if is_trusted_repository(state, workspace, world) else workspace
    except AssentError as error:
        state, layered, trouble = "", (), [str(error)]
    try:
        chosen = chosen_mode(state, workspace, world, session, everywhere=not unknown) if state else None
    except InputError as error:
        chosen, trouble = "plan", [*trouble, str(error)]
    files = tuple((layer.layer, layer.file) for layer in layered)
    if not layered and not trouble and chosen is None:
        return Loaded(compile_policy(), (), files)
    key = _key(layered, chosen, trouble, unknown)
    found = _recent.get(key)
    if found is None:
        if len(_recent) >= KEEP_CACHED:
            _recent.clear()
        table, notices = _read_cache(state, key, world) or _compile_and_cache(
            layered, chosen, trouble, state, key, unknown
        )
        found = _recent[key] = Loaded(Policy(table), tuple(notices), files)
    return found


_recent: dict[str, Loaded] = {}


def _compile_and_cache(
    layered: tuple[Layered, ...], chosen: Mode | None, trouble: list[str], state: str, key: str, unknown: str
) -> Cached:
    made = _compile(layered, chosen, trouble, unknown)
    if state:
        _write_cache(state, key, made)
    return made


def read_layers(env: Mapping[str, str], workspace: str | None, world: DiskWorld, state: str) -> Iterable[Layered]:
    """Every policy file there is, loosest layer first, with its bytes and whether a person trusts it."""
    trust = folders.Trust(state)
    unlisted = ""
    try:
        files = folders.policy_files(env, world.home, workspace)
    except AssentError as error:
        files, unlisted = folders.written_files(env, world.home, workspace), str(error)
    for layer, file in files:
        try:
            data = world.read(file)
        except InputError as error:
            yield Layered(layer, file, trouble=error.message)
            continue
        if data is None:
            continue
        if layer in ("project", "local"):
            yield Layered(layer, file, data, trust.trusted(file, sha256(data)), trust.problem())
        else:
            mine = world.owner_ok(file)
            yield Layered(layer, file, data, mine, "" if mine else "others may write to this file")
    if unlisted:
        yield Layered("managed", folders.managed_folder(), trouble=unlisted)


def check_layers(layered: Iterable[Layered]) -> tuple[list[Source], list[PolicyError]]:
    """Parse and validate every file; imports the slow parts."""
    from assent.candidates import found_in_example
    from assent.errors import PolicyError
    from assent.policy.document import check_document
    from assent.policy.examples import prove, validate
    from assent.policy.load import Source

    sources: list[Source] = []
    errors: list[PolicyError] = []
    for layer in layered:
        if layer.trouble and not layer.data:
            continue
        try:
            text = layer.data.decode()
        except UnicodeDecodeError as error:
            errors.append(PolicyError(f"not UTF-8 at byte {error.start}", file=layer.file))
            continue
        document, found = check_document(
            text, layer.file, layer.layer, validate=validate, prove=lambda rules: prove(rules, found_in_example)
        )
        errors += found
        if document is not None:
            sources.append(Source(document, layer.trusted))
    return sources, errors


def _compile(layered: tuple[Layered, ...], chosen: Mode | None, trouble: list[str], unknown: str) -> Cached:
    from assent.policy.load import combine

    sources, errors = check_layers(layered)
    problems = trouble + [str(error) for error in errors]
    policy, notices = combine(sources, problems=problems, chosen=chosen, unknown=unknown)
    return policy.table, list(notices)


# --- repositories that nobody has trusted yet ----------------------------------------------------------------------


def trust_file(workspace: str) -> str:
    """The file whose content stands for a repository: its policy file, which counts as empty where there is none."""
    return os.path.join(workspace, ".assent", "policy.toml")


def is_trusted_repository(state: str, workspace: str, world: World) -> bool:
    """Whether a person trusts this repository with exactly the policy file it has now."""
    file = trust_file(workspace)
    try:
        data = world.read(file) or b""
    except InputError:
        return False
    return folders.Trust(state).trusted(file, sha256(data))


def start_untrusted(policy: Policy, wanted: Mode | None, state: str, workspace: str | None, world: World) -> Policy:
    """The policy in the mode that settings want for a repository that nobody has trusted yet; never a looser one."""
    if wanted is None or workspace is None or is_trusted_repository(state, workspace, world):
        return policy
    return policy.in_mode(strictest(wanted, policy.mode))


# --- the mode a person chose for now -------------------------------------------------------------------------------


def mode_file(state: str) -> str:
    return os.path.join(state, "modes.json")


def chosen_mode(
    state: str, workspace: str | None, world: DiskWorld, session: str = "", *, everywhere: bool = True
) -> Mode | None:
    """The mode a person set: for this session, else for this workspace, else for all, if that counts `everywhere`."""
    modes = read_modes(state, world)
    if not modes:
        return None
    wanted = (session_key(session), mode_key(workspace), *(("*",) if everywhere else ()))
    return next((modes[key] for key in wanted if key in modes), None)


def session_key(session: str) -> str:
    """The name of a session's own mode; no workspace is called so, because those are absolute paths."""
    return f"session {session}" if session else "session"


def set_mode(state: str, world: DiskWorld, key: str, mode: str) -> None:
    """Choose a mode for a workspace, a session or all of them (`*`); an empty one forgets the choice."""
    with folders.locked(mode_file(state)):
        modes: dict[str, str] = {**read_modes(state, world)}
        modes.pop(key, None)
        if mode:
            modes[key] = mode
        sessions = [name for name in modes if name.startswith("session ")]
        for name in sessions[:-KEEP_SESSIONS]:
            del modes[name]
        folders.write_atomically(mode_file(state), wire.dumps(modes).encode() + b"\n")


def mode_key(workspace: str | None) -> str:
    """One name for a workspace, whichever link leads to it."""
    return os.path.realpath(workspace) if workspace else ""


def read_modes(state: str, world: DiskWorld) -> dict[str, Mode]:
    """Every chosen mode by workspace; `*` is all of them. A broken file is an error, not a guess."""
    file = mode_file(state)
    data = world.read(file)
    if data is None:
        return {}
    if not world.owner_ok(file):
        raise InputError(f"{file} can be written by others", help="remove it and set the mode again")
    found = wire.loads(data)
    if not isinstance(found, dict) or not all(mode in ("default", "plan", "full_auto") for mode in found.values()):
        raise InputError(f"{file} does not hold modes", help="remove it and set the mode again")
    return found


# --- the cache -----------------------------------------------------------------------------------------------------


def _key(layered: tuple[Layered, ...], chosen: Mode | None, trouble: list[str], unknown: str) -> str:
    from assent import __version__

    parts = [str(FORMAT), __version__, chosen or "", unknown, *trouble]
    parts += [f"{layer.layer} {layer.file} {layer.trusted} {sha256(layer.data)}" for layer in layered]
    return sha256("\n".join(parts).encode("utf-8", "surrogateescape"))


def _cache_file(state: str, key: str) -> str:
    return os.path.join(state, "cache", f"policy-{key}.json")


def _read_cache(state: str, key: str, world: DiskWorld) -> Cached | None:
    """A cached policy, only from a file that nobody else can write."""
    if not state:
        return None
    file = _cache_file(state, key)
    try:
        data = world.read(file, MAX_CACHE_BYTES)
        if data is None or not world.owner_ok(file) or not world.owner_ok(os.path.dirname(file)):
            return None
        found = wire.loads(data)
    except InputError:
        return None
    match found:
        case {"key": str(name), "table": {"format": int(), "sizes": dict()} as table, "notices": list(notices)}:
            return (table, notices) if name == key else None
    return None


def _write_cache(state: str, key: str, cached: Cached) -> None:
    """A cache that cannot be written costs time, never the answer."""
    table, notices = cached
    data = wire.dumps({"key": key, "table": table, "notices": notices}).encode()
    try:
        folders.write_atomically(_cache_file(state, key), data)
        _forget_old(os.path.join(state, "cache"))
    except (AssentError, OSError):
        return


def _forget_old(folder: str) -> None:
    entries = [entry for entry in os.scandir(folder) if entry.name.startswith("policy-")]
    entries.sort(key=lambda entry: entry.stat(follow_symlinks=False).st_mtime, reverse=True)
    for entry in entries[KEEP_CACHED:]:
        os.unlink(entry.path)
