"""The parts of a policy file about the sandbox and about how often a rule may be used: `[sandbox]` and `max`.

Reads and checks them only; nothing here confines or counts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.fields import Fields, Table
    from assent.policy.positions import Path

    Lists = tuple[tuple[str, tuple[str, ...]], ...]

AUTO = "auto_allow_bash_if_sandboxed"
SANDBOX = ("agents", "network", "read", "write")
AGENTS = ("claude-code", "codex", "gemini", "copilot", "opencode", "cline")
"""The agents that run another command when a hook hands it to them."""
PERIODS = ("minute", "hour", "day", "session")
MOST_DIGITS = 6


def read_auto(fields: Fields, data: Table) -> bool | None:
    """Whether shell commands that run in the sandbox need no question; None when the file does not say."""
    value = data.get(AUTO)
    if value is None or isinstance(value, bool):
        return value
    fields.wrong_type((AUTO,), "a boolean", value, f"write `{AUTO} = true`")
    return None


def read_sandbox(fields: Fields, data: Table) -> Lists:
    """Which agents' commands are moved into the sandbox, and what it lets through besides the workspace."""
    table = fields.table(data, "sandbox")
    fields.known_keys(table, ("sandbox",), SANDBOX)
    return tuple((name, found) for name in SANDBOX if (found := tuple(_checked(fields, table, name))))


def _checked(fields: Fields, table: Table, name: str) -> Iterator[str]:
    from assent import protected
    from assent.policy.fields import show

    for text, place in fields.placed_strings(table, ("sandbox",), name):
        if name == "agents":
            if text not in AGENTS:
                fields.fail(f"the commands of {show(text)} cannot be moved", place, f"one of {', '.join(AGENTS)}")
                continue
        elif name == "network":
            if "/" in text or ":" in text or "*" in text or " " in text:
                fields.fail(f"{show(text)} is no name of a host", place, "write it like `pypi.org`")
                continue
        elif protected.on_the_floor(f"/home/x/{text.removeprefix('~/')}/x"):
            fields.fail(f"{show(text)} is closed for every tool, in the sandbox too", place, "remove it")
            continue
        elif text in ("/", "~", "~/") or ".." in text.split("/") or (text.startswith("~") and text[1:2] != "/"):
            fields.fail(f"{show(text)} cannot be let into the sandbox", place, "name a folder in it")
            continue
        yield text


def read_max(fields: Fields, path: Path, table: Table, verdict: str) -> str:
    """How often an allow rule vouches, `20/hour`; empty for always."""
    from assent.policy.fields import show

    text = fields.string(table, path, "max")
    if not text:
        return ""
    number, _, period = text.partition("/")
    if verdict != "allow":
        fields.fail(
            "`max` on a rule that does not allow", fields.places.key((*path, "max")), "only `allow` has a limit"
        )
    elif period not in PERIODS or not _is_number(number):
        advice = f"write it like `20/hour`; the periods are {', '.join(PERIODS)}"
        fields.fail(f"`max` is no limit: {show(text)}", fields.places.value((*path, "max")), advice)
    else:
        return text
    return ""


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and text[0] != "0"
