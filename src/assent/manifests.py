"""The mode that a subagent's own manifest asks for: `permissionMode: bypassPermissions` in `.claude/agents/rev.md`.

Finds the manifest by the name under which the subagent is started, in the folders of every known agent. Grants nothing:
a looser mode than its parent's is announced, and whoever is asked decides about starting it at all.
"""

from __future__ import annotations

from assent.errors import InputError
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.types import Mode, ToolCall, World

IN_PROJECT = (
    *(".claude/agents", ".opencode/agent", ".opencode/agents", ".gemini/agents", ".qwen/agents", ".codex/agents"),
    *(".cursor/agents", ".github/agents", ".copilot/agents", ".factory/droids", ".agents/agents"),
)
AT_HOME = (
    *(".claude/agents", ".config/opencode/agent", ".config/opencode/agents", ".gemini/agents", ".qwen/agents"),
    *(".codex/agents", ".cursor/agents", ".copilot/agents", ".factory/droids", ".claude/plugins"),
)
ENDINGS = (".md", ".toml", ".markdown", ".mdc")
MOST_FILES, MOST_FOLDERS, DEEPEST, MOST_BYTES = 500, 300, 7, 200_000
"""How much is looked through for one name; what lies beyond counts as not read."""
KEYS = frozenset(
    """permissionmode approvalmode defaultmode approvalpolicy sandboxmode permission permissions autonomy autonomylevel
    dangerouslyskippermissions yolo bypasspermissions trust""".split()
)
"""Keys, folded, by which a manifest asks for a mode or for rights of its own."""
ASKS_FOR: dict[str, Mode] = {
    **dict.fromkeys(("default", "dontask", "ask", "manual", "onrequest", "untrusted", "onfailure"), "default"),
    **dict.fromkeys(
        ("workspacewrite", "false", "off", "no", "none", "deny", "normal", "inherit", "low", ""), "default"
    ),
    **dict.fromkeys(("plan", "readonly"), "plan"),
}
"""Values, folded. Whatever else is written there may mean that nobody is asked any more."""
LOOSEST: Mode = "full_auto"
UNREAD = "a mode that cannot be read"


def mode_requests(effects: Iterable[Effect], call: ToolCall, parent: Mode, world: World) -> Iterator[Effect]:
    """An effect for each subagent that is started and whose manifest asks for a mode.

    One that is looser than the parent's always asks; any other is told and changes nothing.
    """
    for effect in effects:
        if effect.kind == "spawn":
            for file, value, mode in _wanted(effect.target, call, world):
                yield _announced(effect.target, file, value, mode, parent)


def _announced(name: str, file: str, value: str, mode: Mode, parent: Mode) -> Effect:
    from assent.policy.modes import ModeRequest, PermissionMode
    from assent.policy.workflow import STRICTNESS

    request = ModeRequest(name, PermissionMode(mode), PermissionMode(parent), source=file, asked=value)
    if STRICTNESS[mode] < STRICTNESS[parent]:
        return Effect("change", request.announcement, code="mode.request")
    return Effect("note", request.announcement)


# --- finding it ----------------------------------------------------------------------------------------------------


def _wanted(name: str, call: ToolCall, world: World) -> Iterator[tuple[str, str, Mode]]:
    """Every file that defines a subagent of this name and asks for a mode: the file, what it says, and what that means.

    INVARIANT: a file of that name that cannot be read counts as one that asks for the loosest.
    """
    wanted = _plain(name)
    for shown, path in _files(call, world):
        stem = _plain(shown[shown.rfind("/") + 1 : shown.rfind(".")].removesuffix(".agent"))
        try:
            text = _text(path, world)
        except InputError:
            if stem == wanted:
                yield shown, UNREAD, LOOSEST
            continue
        head = front_matter(text) if not path.endswith(".toml") else text
        if wanted in (stem, _plain(_value(head, "name"))):
            found = asked_for(head)
            if found:
                yield shown, *found


def _plain(name: str) -> str:
    """A name without the plugin it belongs to, whatever its case."""
    return name.rpartition(":")[2].strip().strip("\"'").casefold()


def _files(call: ToolCall, world: World) -> Iterator[tuple[str, str]]:
    """Every manifest, as a person would write its path, and the path itself."""
    left = [MOST_FILES, MOST_FOLDERS]
    for root, place, shown in _roots(call, world):
        yield from _below(f"{root}/{place}", f"{shown}{place}", world, left, 0)


def _roots(call: ToolCall, world: World) -> Iterator[tuple[str, str, str]]:
    """The folders of the project, from the workspace down to where the call is made, and those of the home folder."""
    top, here = (call.workspace or call.cwd).rstrip("/"), call.cwd.rstrip("/")
    folders = [top]
    while here != top and here.startswith(f"{top}/"):
        folders.append(here)
        here = here[: here.rfind("/")]
    for folder in dict.fromkeys(folders):
        below = folder[len(top) + 1 :]
        yield from ((folder, place, f"{below}/" if below else "") for place in IN_PROJECT)
    yield from ((world.home.rstrip("/"), place, "~/") for place in AT_HOME)


def _below(folder: str, shown: str, world: World, left: list[int], depth: int) -> Iterator[tuple[str, str]]:
    left[1] -= 1
    if depth > DEEPEST or left[1] < 0:
        return
    kinds, _ = world.kinds_in(folder)
    for name in sorted(kinds):
        path, told = f"{folder}/{name}", f"{shown}/{name}"
        if name.endswith(ENDINGS) and kinds[name] != "folder":
            left[0] -= 1
            if left[0] >= 0:
                yield told, path
        elif kinds[name] == "folder" and name not in (".git", "node_modules"):
            yield from _below(path, told, world, left, depth + 1)


def _text(path: str, world: World) -> str:
    data = world.read(world.locate(path, "/").path, MOST_BYTES)
    if data is None:
        raise InputError(f"`{path}` cannot be read")
    return data.decode("utf-8", "replace")


# --- reading it ----------------------------------------------------------------------------------------------------


def front_matter(text: str) -> str:
    """What stands between the first two lines of dashes; all that follows where there is no second."""
    lines = text.removeprefix("\ufeff").lstrip().splitlines()
    if lines and lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip() in ("---", "..."):
                return "\n".join(lines[1:number])
        return "\n".join(lines[1:])
    return ""


def asked_for(head: str) -> tuple[str, Mode] | None:
    """What a manifest asks for: its own words, and the mode they come to; None where it asks for nothing.

    Reads plain `key: value` and `key = value`, and tables below a key. Anything that merely mentions such a key, or
    hides one behind an escape, counts as asking for the loosest.
    """
    found: list[tuple[str, Mode]] = []
    lines = head.splitlines()
    for number, line in enumerate(lines):
        key, value = _pair(line)
        if _fold(key) not in KEYS:
            continue
        inner = [value] if value else [_pair(other)[1] or other.strip() for other in _indented(lines, number)]
        found += [(f"{key}: {text}" if value else f"{key}: … {text}", _mode(text)) for text in inner]
    if not found and _hides(head):
        return UNREAD, LOOSEST
    return min(found, key=lambda one: _strictness(one[1]), default=None)


def _mode(value: str) -> Mode:
    if value.lstrip()[:1] in "{[":
        words = value.strip("{}[] ").replace(",", ":").split(":")[1::2]
        return min((_mode(word) for word in words), key=_strictness, default=LOOSEST)
    return ASKS_FOR.get(_fold(value), LOOSEST)


def _strictness(mode: Mode) -> int:
    return ("full_auto", "default", "plan").index(mode)


def _pair(line: str) -> tuple[str, str]:
    """`key: value` or `key = value`, without quotes and comments."""
    text = line.strip()
    at = min((place for sign in ":=" if (place := text.find(sign)) > 0), default=-1)
    if at < 0 or text[0] in "#{[":
        return "", ""
    value = text[at + 1 :].strip()
    if value[:1] in ('"', "'"):
        value = value[1:].partition(value[0])[0]
    elif value[:1] not in ("{", "["):
        value = value.partition(" #")[0]
    return text[:at].strip().strip("\"'"), value.strip()


def _indented(lines: list[str], number: int) -> Iterator[str]:
    """The lines of the table or list that stands below a key."""
    depth = len(lines[number]) - len(lines[number].lstrip())
    for line in lines[number + 1 :]:
        if not line.strip():
            continue
        if len(line) - len(line.lstrip()) <= depth and not line.lstrip().startswith("- "):
            return
        if _pair(line)[1] or line.lstrip().startswith("- "):
            yield line


def _value(head: str, key: str) -> str:
    return next((value for line in head.splitlines() if _fold(_pair(line)[0]) == key for value in [_pair(line)[1]]), "")


def _hides(head: str) -> bool:
    """Whether a key that asks for a mode stands somewhere in a form that is not read here."""
    if any(line.lstrip()[:1] in ('"', "?") and "\\" in line for line in head.splitlines()):
        return True
    mentions = _fold(head)
    return any(word in mentions for word in ("permissionmode", "approvalmode", "bypasspermissions", "skippermissions"))


def _fold(text: str) -> str:
    return "".join([sign for sign in text.casefold() if sign.isalnum()])
