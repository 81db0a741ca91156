"""Everything one connection needs, put together from what the command line says."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import sys
from collections.abc import Mapping, Sequence

from assent.approval.channel import Channel
from assent.desk import Desk
from assent.errors import UsageError
from assent.mcp.asking import ToolGuard
from assent.mcp.calls import OnAsk
from assent.mcp.child import Child, Upstream
from assent.mcp.elicitation import Elicitation
from assent.mcp.gateway import Gateway, ToClient, ToServer
from assent.mcp.offered import Offered
from assent.mcp.pins import Pins
from assent.mcp.remote import Remote
from assent.policy.settings import PermissionSettings
from assent.questions import TIMEOUT
from assent.record import record

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-])){0,63}")
"""INVARIANT: no name holds or ends with what separates server and tool, so `mcp__NAME__TOOL` is read in one way."""
LAUNCHERS = frozenset(
    "npx bunx uvx pipx pnpx node bun deno python python3 uv pnpm yarn npm docker podman run exec dlx tool java".split()
)
WRAPPING = re.compile(r"^(?:mcp[-_])?(?:server[-_])?(?:mcp[-_])?|(?:[-_]mcp)?(?:[-_]server)?(?:[-_]mcp)?$")


@record
class Wanted:
    """What was asked for on the command line."""

    name: str
    words: tuple[str, ...] = ()
    url: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    on_ask: OnAsk = "hold"
    timeout: float = TIMEOUT
    session: str = ""
    inbox: str = ""
    hide: bool = False

    @property
    def source(self) -> str:
        """How the server is started or reached: another one under the same name is another server."""
        return self.url or shlex.join(self.words)


class Connections:
    """Makes gateways that share one desk."""

    def __init__(
        self,
        wanted: Wanted,
        desk: Desk,
        *,
        env: Mapping[str, str] | None = None,
        settings: PermissionSettings | None = None,
        heartbeat: float | None = None,
    ) -> None:
        self.wanted, self.desk, self._env = wanted, desk, env
        self._settings, self._heartbeat = settings, heartbeat
        self.pins = Pins(desk.state)
        self._offered: Offered | None = None
        """The server's tools as the latest connection knows them."""

    def connect(self, to_client: ToClient, to_server: ToServer) -> Gateway:
        """A gateway with a guard of its own: one session of one client."""
        wanted = self.wanted
        offered = Offered(wanted.name, wanted.source, self.pins, self.desk.clock)
        self._offered = offered
        dialog = Elicitation(self.desk.clock, wanted.inbox)
        channels: tuple[Channel, ...] = (dialog,) if wanted.on_ask == "elicit" else ()
        guard = ToolGuard(
            agent="mcp",
            session=wanted.session or None,
            channels=channels,
            desk=self.desk,
            timeout=wanted.timeout,
            on_ask="deny" if wanted.on_ask == "deny" else "wait",
            env=self._env,
            settings=self._settings,
        ).watch(offered)
        gateway = Gateway(
            guard,
            offered,
            to_client,
            to_server,
            on_ask=wanted.on_ask,
            inbox=wanted.inbox,
            hide=wanted.hide,
            log=complain,
            heartbeat=self._heartbeat,
        )
        dialog.attach(gateway, asyncio.get_running_loop())
        return gateway

    def upstream(self) -> Upstream:
        """A new way to the server."""
        if self.wanted.url:
            return Remote(self.wanted.url, dict(self.wanted.headers), self._tools)
        return Child(self.wanted.words, env=self._env)

    def _tools(self) -> Mapping[str, tuple[Mapping[str, object], ...]]:
        return self._offered.tools if self._offered else {}


def complain(text: str) -> None:
    """Say something to whoever reads our standard error."""
    sys.stderr.write(f"assent mcp: {text}\n")


def server_name(given: str, words: Sequence[str], url: str) -> str:
    """The name that rules use: as given, or as the command or the host suggests."""
    if given:
        if not NAME.fullmatch(given):
            advice = "letters, digits, `-` and single `_`, at most 64 of them"
            raise UsageError(f"`{given}` cannot be the name of a server", help=advice)
        return given
    found = _of_host(url) if url else _of_command(words)
    if not NAME.fullmatch(found):
        raise UsageError("this command suggests no name for the server", help="give one: `--name NAME`")
    return found


def _of_command(words: Sequence[str]) -> str:
    for word in words:
        name = os.path.basename(word.rstrip("/"))
        if word.startswith("-") or name in LAUNCHERS or re.fullmatch(r"python3?\.\d+", name) or "=" in word:
            continue
        name = re.sub(r"(?<!^)@.*$|:[^:]*$|\.(?:py|js|mjs|cjs|ts|jar|exe|sh)$", "", name)
        scope = word.split("/")[-2].lstrip("@") if word.startswith("@") and "/" in word else ""
        bare = WRAPPING.sub("", name)
        return _plain(scope if bare in ("", "mcp", "server") and scope else bare or name)
    return ""


def _of_host(url: str) -> str:
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    labels = [label for label in host.split(".") if label not in ("mcp", "api", "www")]
    plain = len(labels) > 1 and not labels[-1].isdecimal()
    return _plain(labels[-2] if plain else host)


def _plain(name: str) -> str:
    return re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_-]+", "-", name)).strip("-_")[:64]
