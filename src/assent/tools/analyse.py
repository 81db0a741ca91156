"""One tool call in, its effects and gaps out: finds the family of the tool and asks its reader."""

from __future__ import annotations

from assent.tools.fields import Fields
from assent.tools.table import EXTENSIONS, FAMILY, HARMLESS, fold, harmless
from assent.types import Analysis, Effect, Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.types import ToolCall

MAX_NAME = 200
PREFIXES = ("functions.", "default_api.")
"""Namespaces that model APIs put before the name of a built-in tool."""


def analyse(call: ToolCall) -> Analysis:
    """What a call would do, as far as its tool and input tell. Never raises, never empty."""
    if not hasattr(call.input, "items"):
        return Analysis(gaps=(Gap(f"{shown(call.tool)} needs an object as its input", blind=True),))
    family = family_of(call.tool)
    fields = Fields(shown(call.tool), call.input, call.agent)
    effects = tuple(_different(_read(call.tool, family, fields)))
    if family in HARMLESS:
        fields.leftover(harmless(family))
    if not effects and not fields.gaps:
        fields.blind("says nothing we understand")
    return Analysis(effects=effects, gaps=tuple(dict.fromkeys(fields.gaps)), text=fields.text)


def family_of(tool: str) -> str:
    """The family of a tool: `unreadable`, `mcp_name` for tools of MCP servers, `other` for tools nobody knows.

    INVARIANT: a name that says it belongs to a server never lands in a built-in family.
    """
    if not tool.strip() or len(tool) > MAX_NAME or not tool.isprintable():
        return "unreadable"
    for prefix in PREFIXES:
        tool = tool.removeprefix(prefix)
    if is_server_name(tool):
        return "mcp_name"
    return FAMILY.get(fold(tool), "other")


def is_server_name(tool: str) -> bool:
    """`mcp__server__tool`, `mcp_server_tool`, `mcp:tool`, and `extension__tool` unless it is Goose's own."""
    return tool.lower().startswith(("mcp_", "mcp:", "mcp-", "mcp.")) or ("__" in tool and tool not in EXTENSIONS)


def shell_text(call: ToolCall) -> tuple[str, ...] | None:
    """The commands a shell call would run, one text each; None when it is no shell call or they cannot be read."""
    if family_of(call.tool) != "shell" or not hasattr(call.input, "items"):
        return None
    from assent.tools import run

    return tuple(run.commands(Fields(shown(call.tool), call.input))) or None


def shell_name(call: ToolCall) -> str:
    """The shell that reads the text: the one the model asked for if it did (`zsh`), else the host's."""
    from assent.tools import run

    asked = run.asked_shell(Fields(shown(call.tool), call.input)) if hasattr(call.input, "items") else ""
    return asked or call.shell


def shown(tool: str) -> str:
    """A tool name as messages show it."""
    clean = "".join([c if c.isprintable() else "?" for c in tool[:MAX_NAME]]).strip()
    return clean or "a tool without a name"


def _different(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Each effect once; calls with arguments stay apart, since rules look at those."""
    seen = set()
    for effect in effects:
        facts = (effect.kind, effect.target, effect.deep, effect.only, effect.possible, effect.code)
        if facts not in seen or effect.arguments is not None:
            seen.add(facts)
            yield effect


def _read(tool: str, family: str, fields: Fields) -> Iterable[Effect]:
    """Ask the reader of a family; each is imported only when a call of its family comes."""
    if family in ("shell", "stdin", "code"):
        from assent.tools import run

        return run.read(family, fields)
    if family in ("glob", "grep", "list"):
        from assent.tools import find

        return find.read(family, fields)
    if family == "patch":
        from assent.tools import patch

        return patch.read(fields)
    if family in ("fetch", "web_search", "browser"):
        from assent.tools import web

        return web.read(family, fields)
    if family in ("agent", "skill", "memory", "note"):
        from assent.tools import inside

        return inside.read(family, fields)
    if family in ("mcp", "mcp_name", "mcp_resource", "batch", "other", "unreadable"):
        from assent.tools import mcp

        return mcp.read(tool, family, fields)
    from assent.tools import files

    return files.read(family, fields)
