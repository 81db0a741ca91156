"""Calls that stay with the agent itself: subagents, skills, its memory, and notes without any effect outside."""

from __future__ import annotations

from assent.tools import arguments, verbs
from assent.tools.table import MODE_KEYS, fold
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields

TYPE_KEYS = ("subagenttype", "agenttype", "agentname", "subagentname", "agent", "subagent")
LEAVES_PLAN = ("exitplanmode", "planexit", "exitspecmode")


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of one call that stays inside; what it mentions may be touched."""
    if family == "note":
        yield _note(fields)
        return
    if family == "agent":
        yield from _agent(fields)
    elif family == "skill":
        for name in fields.texts(("skill", "skillname", "name", "command")) or ["skill"]:
            yield Effect("call", name, code="skill", arguments=fields.values)
    else:
        yield Effect("change", "agent memory", code="memory")
    yield from _modes(fields)
    yield from arguments.traces(fields, fields.values, verbs.CHANGES, words=family == "skill", commands=False)


def _note(fields: Fields) -> Effect:
    if fold(fields.name) in LEAVES_PLAN:
        return Effect("change", "leave plan mode", code="mode.request")
    return Effect("note", fields.name)


def _modes(fields: Fields) -> Iterator[Effect]:
    """A mode that a subagent is given would answer for it, wherever in the input it is said."""
    said = fields.texts(MODE_KEYS)
    said += [text for key, text in arguments.strings(fields, fields.values) if text and fold(key) in MODE_KEYS]
    for mode in dict.fromkeys(said):
        yield Effect("change", f"mode {mode}", code="mode.request")


def _agent(fields: Fields) -> Iterator[Effect]:
    """A subagent asks for permission itself."""
    for name in fields.texts(TYPE_KEYS) or fields.texts(("name",)) or ["subagent"]:
        yield Effect("spawn", name)
    for path in fields.paths(("files", "filepaths", "attachments", "images")):
        yield Effect("read", path)


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("Task", {"subagent_type": "Explore", "prompt": "look", "description": "x"}, "spawn Explore"),
    ("spawn_agent", {"message": "look"}, "spawn subagent"),
    ("Agent", {"name": "a", "mode": "bypassPermissions"}, "spawn a | change mode bypassPermissions"),
    (
        "Agent",
        {"prompt": "x", "allowed_tools": ["*"]},
        "spawn subagent | blind: Agent has an unknown field `allowed_tools`",
    ),
    (
        "Agent",
        {"tasks": [{"prompt": "x", "mode": "bypassPermissions"}]},
        "spawn subagent | change mode bypassPermissions",
    ),
    ("Task", {"prompt": "why is .env in src/a?"}, "spawn subagent"),
    (
        "oracle",
        {"task": "review", "files": ["src/a.py"]},
        "spawn subagent | read src/a.py | possible write src/a.py",
    ),
    ("Skill", {"skill": "deploy"}, "call deploy"),
    (
        "Skill",
        {"skill": "deploy", "args": "with ~/k now"},
        "call deploy | possible read ~/k | possible read with ~/k now",
    ),
    ("save_memory", {"fact": "x"}, "change agent memory"),
    (
        "memory",
        {"command": "view", "path": "/memories/../x"},
        "change agent memory | possible read /memories/../x | possible write /memories/../x",
    ),
    ("TodoWrite", {"todos": []}, "note TodoWrite"),
    ("TodoWrite", {"todos": [{"content": "load .env in src/a"}]}, "note TodoWrite"),
    ("EnterPlanMode", {}, "note EnterPlanMode"),
    ("update_plan", {"plan": [], "explanation": ""}, "note update_plan"),
    (
        "ExitPlanMode",
        {"plan": "", "allowedPrompts": []},
        "change leave plan mode | blind: ExitPlanMode has an unknown field `allowedPrompts`",
    ),
)
