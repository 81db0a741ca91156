"""Calls that stay with the agent itself: subagents, skills, its memory, and notes without any effect outside."""

from __future__ import annotations

from assent.tools.table import MODE_KEYS
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields

TYPE_KEYS = ("subagenttype", "agenttype", "agentname", "subagentname", "agent", "subagent")


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of one call that stays inside."""
    if family == "agent":
        yield from _agent(fields)
    elif family == "skill":
        for name in fields.texts(("skill", "skillname", "name", "command")) or ["skill"]:
            yield Effect("call", name, code="skill", arguments=fields.values)
    elif family == "memory":
        yield Effect("change", "agent memory", code="memory")
    else:
        yield Effect("note", fields.name)


def _agent(fields: Fields) -> Iterator[Effect]:
    """A subagent asks for permission itself; a mode it is given would answer for it."""
    for name in fields.texts(TYPE_KEYS) or fields.texts(("name",)) or ["subagent"]:
        yield Effect("spawn", name)
    for mode in fields.texts(MODE_KEYS):
        yield Effect("change", f"mode {mode}", code="mode.request")
    for path in fields.paths(("files", "filepaths", "attachments", "images")):
        yield Effect("read", path)


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("Task", {"subagent_type": "Explore", "prompt": "look", "description": "x"}, "spawn Explore"),
    ("spawn_agent", {"message": "look"}, "spawn subagent"),
    ("Agent", {"name": "a", "mode": "bypassPermissions"}, "spawn a | change mode bypassPermissions"),
    (
        "Agent",
        {"prompt": "x", "allowed_tools": ["*"]},
        "spawn subagent | gap: Agent has an unknown field `allowed_tools`",
    ),
    ("oracle", {"task": "review", "files": ["src/a.py"]}, "spawn subagent | read src/a.py"),
    ("Skill", {"skill": "deploy"}, "call deploy"),
    ("save_memory", {"fact": "x"}, "change agent memory"),
    ("TodoWrite", {"todos": []}, "note TodoWrite"),
    ("update_plan", {"plan": [], "explanation": ""}, "note update_plan"),
    (
        "ExitPlanMode",
        {"plan": "", "allowedPrompts": []},
        "note ExitPlanMode | gap: ExitPlanMode has an unknown field `allowedPrompts`",
    ),
)
