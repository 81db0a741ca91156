"""One tool call in, its effects and gaps out: finds the family of the tool and asks its reader."""

from __future__ import annotations

from assent.budget import STATING, Budget
from assent.protected import is_own, on_the_floor
from assent.tools.fields import Fields
from assent.tools.table import EXTENSIONS, FAMILY, HARMLESS, fold, harmless
from assent.types import ARGUMENT, Analysis, Effect, Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.types import ToolCall

MAX_NAME = 200
EFFECT_STEPS = 6
MOST_LOOKED_AT = 10_000
"""Past the budget, so many effects are looked through for closed paths."""
UNVOUCHED = ("shell", "stdin", "code", "browser")
"""Families in which a field nobody knows may carry what runs: no rule vouches for it."""
PREFIXES = ("functions.", "default_api.", "multi_agent_v1")
"""Namespaces that model APIs and hosts put before the name of a built-in tool."""


def analyse(call: ToolCall, budget: Budget | None = None) -> Analysis:
    """What a call would do, as far as its tool and input tell. Never raises, never empty."""
    budget = budget or Budget()
    if not hasattr(call.input, "items"):
        return Analysis(gaps=(Gap(f"{shown(call.tool)} needs an object as its input", blind=True),))
    family = family_of(call.tool)
    name = plain_name(call.tool)
    fields = Fields(shown(name), call.input, call.agent, vouchable=family not in UNVOUCHED)
    effects = tuple(_different(_served(call, name, family, fields), budget))
    if budget.spent:
        fields.gaps.insert(0, Gap(budget.why, blind=True))
    if not effects and not fields.gaps:
        fields.blind("says nothing we understand")
    return Analysis(effects=effects, gaps=tuple(dict.fromkeys(fields.gaps)), text="\n".join(fields.said))


def _served(call: ToolCall, name: str, family: str, fields: Fields) -> Iterator[Effect]:
    """A tool of the host's MCP servers; if it has the name of a built-in one, it may be that as well."""
    if call.servers:
        from assent.tools import mcp

        yield from mcp.served(call.servers, fields)
        if family in ("other", "mcp_name"):
            return
    yield from _everything(name, family, fields)


def family_of(tool: str) -> str:
    """The family of a tool: `unreadable`, `mcp_name` for tools of MCP servers, `other` for tools nobody knows.

    INVARIANT: a name that says it belongs to a server never lands in a built-in family.
    """
    if not tool.strip() or len(tool) > MAX_NAME or not tool.isprintable():
        return "unreadable"
    tool = plain_name(tool)
    if is_server_name(tool):
        return "mcp_name"
    return FAMILY.get(fold(tool), "other")


def plain_name(tool: str) -> str:
    """A tool name without the namespace that a model API put before it."""
    for prefix in PREFIXES:
        tool = tool.removeprefix(prefix)
    return tool


def is_server_name(tool: str) -> bool:
    """`mcp__server__tool`, `mcp_server_tool`, `mcp:tool`, and `extension__tool` unless it is Goose's own."""
    return tool.lower().startswith(("mcp_", "mcp:", "mcp-", "mcp.")) or ("__" in tool and tool not in EXTENSIONS)


def shell_text(call: ToolCall) -> tuple[str, ...] | None:
    """The commands a shell call would run, one text each; None when it is no shell call or they cannot be read."""
    if family_of(call.tool) != "shell" or not hasattr(call.input, "items"):
        return None
    from assent.tools import run

    return tuple(run.commands(Fields(shown(call.tool), call.input))) or None


def shell_folder(call: ToolCall) -> str:
    """The folder that a shell call chose for its command; empty when it chose none."""
    from assent.tools.table import CWD_KEYS

    found = Fields(shown(call.tool), call.input).paths(CWD_KEYS)
    return found[0] if found else ""


def shell_name(call: ToolCall) -> str:
    """The shell that reads the text: the one the model asked for if it did (`zsh`), else the host's."""
    from assent.tools import run

    asked = run.asked_shell(Fields(shown(call.tool), call.input)) if hasattr(call.input, "items") else ""
    return asked or call.shell


def shown(tool: str) -> str:
    """A tool name as messages show it."""
    clean = "".join([c if c.isprintable() else "?" for c in tool[:MAX_NAME]]).strip()
    return clean or "a tool without a name"


def _different(effects: Iterable[Effect], budget: Budget) -> Iterator[Effect]:
    """Each effect once, past the budget only closed paths; calls with arguments stay apart, as rules look at those."""
    seen = set()
    for count, effect in enumerate(effects):
        if count > MOST_LOOKED_AT and budget.spent:
            return
        code = "" if effect.code == ARGUMENT else effect.code
        certain = (effect.kind, effect.target, effect.deep, effect.only, code, False)
        facts = (*certain[:-1], effect.possible)
        if effect.arguments is None and (facts in seen or certain in seen):
            continue
        seen.add(facts)
        if budget.take(EFFECT_STEPS, STATING) or on_the_floor(effect.target) or is_own(effect.target):
            yield effect


def _everything(tool: str, family: str, fields: Fields) -> Iterator[Effect]:
    """What the reader of a family finds, and traces of whatever it left unread."""
    yield from _read(tool, family, fields)
    if family in HARMLESS:
        fields.leftover(harmless(family))
    if fields.strange or fields.nested:
        from assent.tools import arguments

        yield from arguments.leftovers(family, fields)


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
    if family in ("mcp", "mcp_name", "mcp_resource", "mcp_prompt", "batch", "other", "unreadable"):
        from assent.tools import mcp

        return mcp.read(tool, family, fields)
    from assent.tools import files

    return files.read(family, fields)
