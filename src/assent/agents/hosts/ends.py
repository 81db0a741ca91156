"""What each host does with a tool when it hears nothing useful from the hook: one table, for the doctor and the docs.

The cells are tests with the real products, except for those that cannot be run; `tests/agents` says which.
"""

from __future__ import annotations

from assent.record import record

STOPS, RUNS, NONE = "stops", "runs", "no shell"


@record
class Ends:
    """For each way in which a hook can come to a bad end, whether the tool stops or runs."""

    title: str
    hook_killed: str
    shell_killed: str
    """The shell that stays behind the hook, where there is one."""
    all_killed: str
    crashed: str
    late: str
    plain_text: str
    off: str = ""
    """What switches hooks off, and what is left then."""


HEADINGS = {
    "title": "agent",
    "hook_killed": "the hook is killed (`kill -9`)",
    "shell_killed": "the shell around it is killed",
    "all_killed": "both are killed at once",
    "crashed": "it crashes, or Python is gone",
    "late": "it outlives the agent's patience",
    "plain_text": "something else answers with plain text",
    "off": "hooks are off",
}
ENDS = {
    "claude-code": Ends(
        *("Claude Code", STOPS, NONE, STOPS, STOPS, STOPS, RUNS),
        off="`--bare`, `--safe-mode`, `disableAllHooks`: runs",
    ),
    "codex": Ends("Codex CLI", STOPS, RUNS, RUNS, STOPS, RUNS, RUNS, off="not trusted: runs"),
    "gemini": Ends(
        *("Gemini CLI", STOPS, STOPS, RUNS, STOPS, RUNS, RUNS),
        off="`--acp`, `hooksConfig`: runs, but credential paths stay closed",
    ),
    "copilot": Ends("Copilot CLI", STOPS, NONE, STOPS, STOPS, RUNS, RUNS, off="`disableAllHooks`: runs"),
    "qwen": Ends(
        *("Qwen Code", STOPS, STOPS, RUNS, STOPS, RUNS, RUNS),
        off="`--bare`, `--safe-mode`, `disableAllHooks`: runs",
    ),
    "opencode": Ends("OpenCode", STOPS, NONE, STOPS, STOPS, STOPS, STOPS, off="`--pure`, `OPENCODE_PURE`: runs"),
    "cline": Ends("Cline", STOPS, RUNS, RUNS, STOPS, RUNS, STOPS, off="`--config` with another folder: runs"),
    "cursor": Ends("Cursor, as documented", STOPS, STOPS, STOPS, STOPS, STOPS, STOPS),
    "windsurf": Ends("Windsurf, as documented", STOPS, RUNS, RUNS, STOPS, RUNS, RUNS),
}
WHEN = {
    "hook_killed": "its hook is killed (`kill -9`)",
    "shell_killed": "the shell around its hook is killed",
    "all_killed": "its hook and the shell around it are killed at once",
    "crashed": "its hook crashes",
    "late": "its hook outlives its time (Assent refuses a tenth earlier)",
    "plain_text": "something else answers in the place of the hook with plain text",
}


def holes(name: str) -> tuple[str, ...]:
    """Every way in which this host runs a tool without an answer of ours, one sentence each."""
    ends = ENDS[name]
    title = ends.title.partition(",")[0]
    found = [f"{title} runs the tool when {when}" for field, when in WHEN.items() if getattr(ends, field) == RUNS]
    return (*found, *((f"what switches hooks off in {title}: {ends.off}",) if ends.off else ()))


def table() -> str:
    """All of it in Markdown, as docs/agents.md has it."""
    rows = [tuple(HEADINGS.values()), ("---",) * len(HEADINGS)]
    rows += [tuple(_bold(getattr(ends, field)) for field in HEADINGS) for ends in ENDS.values()]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines).replace("| --- ", "|---").replace("|--- |", "|---|").replace("  |", " |") + "\n"


def _bold(text: str) -> str:
    return text.replace(RUNS, f"**{RUNS}**") if text.endswith(RUNS) or f"{RUNS}," in text else text
