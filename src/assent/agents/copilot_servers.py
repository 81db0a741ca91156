"""The MCP servers that Copilot CLI is configured with, by name: its hooks say `server-tool` and nothing else."""

from __future__ import annotations

from assent import wire
from assent.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BUILT_IN = ("github-mcp-server",)
KEYS = ("mcpServers", "servers")
PROJECT_FILES = (".mcp.json", ".github/mcp.json", ".vscode/mcp.json")
MOST_BYTES = 1_000_000


def configured_servers(cwd: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Every name in a file that Copilot reads from here; one that it reads from elsewhere stays unknown."""
    found = dict.fromkeys(BUILT_IN)
    for file in _files(cwd, env):
        found |= dict.fromkeys(_names_in(file))
    return tuple(found)


def _files(cwd: str, env: Mapping[str, str]) -> Iterator[str]:
    own = env.get("COPILOT_HOME") or f"{env.get('HOME', '')}/.copilot"
    yield f"{own}/mcp-config.json"
    folder = cwd.rstrip("/")
    while folder:
        for name in PROJECT_FILES:
            yield f"{folder}/{name}"
        folder = folder.rpartition("/")[0]


def _names_in(file: str) -> Iterator[str]:
    """A file that is missing or broken names no server: then a rule that denies one still finds it by its name."""
    try:
        with open(file, "rb") as opened:
            read = wire.loads(opened.read(MOST_BYTES))
    except (OSError, InputError, ValueError):
        return
    for key in KEYS:
        table = read.get(key) if isinstance(read, dict) else None
        if isinstance(table, dict):
            yield from table
