"""What the deciding function looks at: a call, its located effects, and the folders that anchor path rules."""

from __future__ import annotations

from assent.record import record, setter
from assent.types import Call, Choice, Effect, Finding, Gap, Place, Stage, ToolCall, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

INSIDE = "inside"


@record
class Case:
    """One call as policy sees it. `tools` are all names of the tool: the host's own and the one rules use."""

    call: ToolCall
    tools: tuple[str, ...]
    effects: tuple[Effect, ...] = ()
    gaps: tuple[Gap, ...] = ()
    findings: tuple[Finding, ...] = ()
    commands: tuple[Words, ...] = ()
    calls: tuple[Call, ...] = ()
    """The programs a shell text would start; effects and gaps name them by number, counted from 1."""
    text: str = ""
    homes: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    """The project root, as written and resolved; empty when the caller has no workspace."""
    own: tuple[str, ...] = ()
    """Folders of this installation of Assent, as written and resolved."""
    moved: tuple[str, ...] = ()
    """Where credential folders really are when home holds only a link to them."""
    grants: frozenset[str] = frozenset()
    """Fingerprints of project commands that a person has allowed."""
    identity: Effect | None = None
    """The call itself, where a rule can name it as a whole (`Mcp(server.tool)`, `Tool(name)`)."""
    sandbox: str = ""
    """`inside` when whoever runs the call confines it, why that counts for nothing if it would have, else empty.

    INVARIANT: said by the program that runs the call, never by an agent.
    """
    counts: Mapping[str, int] | None = None
    """How often rules with a limit were used in their period; None where nobody counts."""
    choices: Mapping[int, tuple[Choice, ...]] | None = None
    """The words that a rule must spell itself, by the number of their call, for calls that a rule may be about."""
    lines: tuple[tuple[Stage, ...], ...] = ()
    """The text as lines of parts, where a rule is about such a line."""
    public: Callable[[str], bool] | None = None
    """Whether the disk says that everybody may read a file; None where nobody looks."""
    index: tuple[object, dict[int, list[Effect]]] | None = None
    """Its effects, and the same by the number of their call: `effects_of` keeps them there."""

    @property
    def home(self) -> str:
        return self.homes[0] if self.homes else ""


put_index = setter(Case, "index")


def effects_of(case: Case, number: int) -> list[Effect]:
    """What one call does. Looked up in an index, since every call of a long line is asked for."""
    if case.index is None or case.index[0] is not case.effects:
        found: dict[int, list[Effect]] = {}
        for effect in case.effects:
            found.setdefault(effect.call, []).append(effect)
        put_index(case, (case.effects, found))
    return case.index[1].get(number, []) if case.index is not None else []


def is_within(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies below it, compared on separator boundaries."""
    if path.startswith(folder):
        return len(path) == len(folder) or path[len(folder)] == "/" or folder[-1:] == "/"
    if folder[-1:] != "/":
        return False
    folder = folder.rstrip("/")
    return path == folder or path.startswith(folder + "/")


def is_at_home(path: str, case: Case) -> bool:
    """Whether a path lies in the project; where there is none, in the folder that the tool works in."""
    return any(is_within(path, root) for root in case.projects or (case.call.cwd,))


def relative(path: str, folders: tuple[str, ...]) -> str | None:
    """The path below the first of the folders it lies in; empty for the folder itself, None when outside."""
    for folder in folders:
        if is_within(path, folder):
            return path[len(folder.rstrip("/")) + 1 :]
    return None


def names_of(effect: Effect) -> tuple[str, ...]:
    """Every path an effect may reach, for the permissive reading."""
    if not isinstance(effect.at, Place):
        return ()
    return effect.at.names + effect.at.below if effect.deep else effect.at.names


def anchored(path: str, case: Case, *, loose: bool) -> Iterator[tuple[str, str]]:
    """A path as seen from each anchor a rule can have."""
    bare = path.lstrip("/")
    yield "/", bare
    below_home = relative(path, _folders(case.homes, loose=loose))
    if below_home is not None:
        yield "~", below_home
    below_project = relative(path, _folders(case.projects, loose=loose))
    if below_project is not None:
        yield ".", below_project
    if loose:
        yield "**", bare
    elif below_project is not None:
        yield "**", below_project


_loose: dict[tuple[str, ...], tuple[str, ...]] = {}
MOST_LOOSE = 64


def _folders(folders: tuple[str, ...], *, loose: bool) -> tuple[str, ...]:
    """With `loose` also without regard to case; the same few folders are asked for all the time."""
    if not loose:
        return folders
    found = _loose.get(folders)
    if found is None:
        if len(_loose) >= MOST_LOOSE:
            _loose.clear()
        found = _loose[folders] = tuple(dict.fromkeys((*folders, *[folder.casefold() for folder in folders])))
    return found
