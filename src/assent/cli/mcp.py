"""assent mcp: a gateway in front of an MCP server, and the tools that were accepted."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from urllib.parse import urlsplit

from assent import folders, wire
from assent.cli.options import Options, read_options
from assent.cli.show import paint, uses_colour, visible
from assent.errors import UsageError
from assent.mcp.calls import ON_ASK
from assent.mcp.connection import Connections, Wanted, complain, server_name
from assent.mcp.pins import Pin, Pins, Server, digest
from assent.mcp.suspicions import suspicions
from assent.questions import TIMEOUT
from assent.world import DiskWorld

KNOWN = {
    "--name": True,
    "--url": True,
    "--header": True,
    "--header-env": True,
    "--listen": True,
    "--token-file": True,
    "--on-ask": True,
    "--timeout": True,
    "--session": True,
    "--inbox": True,
    "--hide-denied": False,
    "--json": False,
}
LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")

HELP = """usage: assent mcp [OPTIONS] -- SERVER [ARGUMENTS]
       assent mcp [OPTIONS] --url URL
       assent mcp pins [list] [NAME] [--json]
       assent mcp pins accept NAME [TOOL ...]
       assent mcp pins forget NAME

A gateway in front of an MCP server. Write it into your agent's settings before the server's own command. Everything
passes as it is, except that every call of a tool is judged by your policy, under the name `Mcp(NAME.TOOL)`, and that
tools are remembered: one that changes, or is new, asks before its first call.

  --name NAME         what rules call this server (default: from the command or the host)
  --url URL           a server over streamable HTTP instead of a command
  --header 'N: V'     a header for that server; may be given several times
  --header-env 'N: E' the same with the value from the environment variable E
  --listen HOST:PORT  speak streamable HTTP at http://HOST:PORT/mcp, on this machine only, instead of standard input
                      and output; the token that clients need is printed on standard error
  --token-file FILE   take that token from a file
  --on-ask WAY        hold: keep the call open until a person answers (default); elicit: also ask in the client's own
                      dialog; ticket: refuse at once with the number of the request, the same call later finds the
                      answer; deny: refuse
  --timeout SECONDS   how long a question waits for an answer (default: 300)
  --session NAME      the session these calls belong to (default: a new one for each connection)
  --inbox URL         where a person can answer, for clients whose dialog can only open a link
  --hide-denied       leave tools that the policy denies out of the list
  --json              list pins as JSON

Examples:
  assent mcp pins
  assent mcp pins list --json
"""


def main(argv: list[str]) -> int:
    before, words = _split(argv)
    options = read_options(before, KNOWN, "mcp")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if options.rest[:1] == ["pins"] and not words:
        return _pins(options)
    if options.rest:
        raise UsageError(f"unknown word `{options.rest[0]}`", help="the server's command comes after `--`")
    return _serve(options, tuple(words))


def _split(argv: list[str]) -> tuple[list[str], list[str]]:
    """Our own words, and the server's command, which is not looked at."""
    at = argv.index("--") if "--" in argv else len(argv)
    return argv[:at], argv[at + 1 :]


# --- the gateway ---------------------------------------------------------------------------------------------------


def _serve(options: Options, words: tuple[str, ...]) -> int:
    from assent.desk import Desk

    connections_wanted = _wanted(options, words)
    desk = Desk()
    try:
        connections = Connections(connections_wanted, desk)
        if options.has("--listen"):
            from assent.mcp.serving import listen

            host, port = _address(options.value("--listen") or "")
            return listen(connections, host, port, _token(options))
        from assent.mcp.stdio import serve

        async def run() -> int:
            return await serve(connections.upstream(), connections.connect)

        return asyncio.run(run())
    finally:
        desk.close()


def _wanted(options: Options, words: tuple[str, ...]) -> Wanted:
    url = options.value("--url") or ""
    if bool(url) == bool(words):
        raise UsageError("a server is needed: its command after `--`, or `--url URL`", help="see `assent mcp --help`")
    if url and not url.startswith(("https://", "http://")):
        raise UsageError(f"`{url}` is no address", help="it begins with https://")
    if url.startswith("http://") and (urlsplit(url).hostname or "") not in LOOPBACK:
        complain(f"what goes to {urlsplit(url).hostname} is not encrypted")
    on_ask = options.value("--on-ask") or "hold"
    if on_ask not in ON_ASK:
        raise UsageError(f"unknown way to ask `{on_ask}`", help="one of " + ", ".join(ON_ASK))
    return Wanted(
        server_name(options.value("--name") or "", words, url),
        words,
        url,
        _headers(options),
        next(one for one in ON_ASK if one == on_ask),
        _seconds(options),
        options.value("--session") or "",
        options.value("--inbox") or "",
        options.has("--hide-denied"),
    )


def _headers(options: Options) -> tuple[tuple[str, str], ...]:
    found = [_header(text) for text in options.values("--header")]
    for name, variable in (_header(text) for text in options.values("--header-env")):
        if variable not in os.environ:
            raise UsageError(f"the environment variable `{variable}` is not set")
        found.append((name, os.environ[variable]))
    return tuple(found)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    plain = name.replace("-", "").isalnum() and name.isascii() and value.strip().isprintable()
    if not colon or not plain:
        raise UsageError(f"`{visible(name)}` is no header", help="write 'Name: value'")
    return name.strip().lower(), value.strip()


def _seconds(options: Options) -> float:
    text = options.value("--timeout") or f"{TIMEOUT:g}"
    if not text.isdecimal() or not 0 < int(text) <= 86_400:
        raise UsageError(f"`--timeout {text}` is no number of seconds", help="between 1 and 86400")
    return float(text)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if host not in LOOPBACK:
        raise UsageError(f"`{text}` is not an address of this machine", help="such as 127.0.0.1:8642")
    if not port.isdecimal() or int(port) > 65_535:
        raise UsageError(f"`{port}` is no port")
    return host.strip("[]"), int(port)


def _token(options: Options) -> str:
    """A token of the person's own, or a new one."""
    file = options.value("--token-file")
    if file is None:
        import secrets

        return secrets.token_urlsafe(32)
    try:
        with open(file, encoding="utf-8") as source:
            token = source.read().strip()
    except OSError as error:
        raise UsageError(f"cannot read `{file}`: {error.strerror}") from error
    if len(token) < 20 or not token.isascii() or not token.isprintable():
        raise UsageError(f"the token in `{file}` is too short or not plain text", help="at least 20 characters")
    return token


# --- pins ----------------------------------------------------------------------------------------------------------


def _pins(options: Options) -> int:
    action, rest = (options.rest[1], options.rest[2:]) if len(options.rest) > 1 else ("list", [])
    pins = Pins(folders.state_folder(os.environ, DiskWorld().home))
    match action, rest:
        case "list", [] | [_]:
            return _list(pins.servers(), rest, as_json=options.has("--json"))
        case "accept", [name, *tools]:
            pins.accept(name, tuple(tools) or None, time.time())
            sys.stdout.write(f"accepted {', '.join(map(visible, tools)) or 'every tool'} of {name} as offered now\n")
            return 0
        case "forget", [name]:
            if name not in pins.servers():
                raise UsageError(f"nothing is known about a server `{name}`", help="see `assent mcp pins list`")
            pins.change(name, lambda server: None)  # noqa: ARG005 - whatever it was
            sys.stdout.write(f"forgot {name}: its tools are accepted anew when it is seen next\n")
            return 0
    raise UsageError(f"`pins {action}` cannot be done like this", help="see `assent mcp --help`")


def _list(servers: dict[str, Server], names: list[str], *, as_json: bool) -> int:
    wanted = {name: server for name, server in sorted(servers.items()) if not names or name in names}
    rows = [
        {"server": name, "tool": tool, **_row(pin), "source": list(server.sources), "new_source": server.offered_source}
        for name, server in wanted.items()
        for tool, pin in server.tools
    ]
    if as_json:
        sys.stdout.write(wire.dumps(rows) + "\n")
        return 0
    colour = uses_colour()
    for name, server in wanted.items():
        sys.stdout.write(f"{paint(name, '1', colour=colour)}  {visible(', '.join(server.sources))}\n")
        if server.offered_source:
            sys.stdout.write(f"  now also started as {visible(server.offered_source)}: not accepted\n")
        for tool, pin in server.tools:
            _write_tool(tool, pin, colour=colour)
    if not wanted:
        sys.stdout.write("no servers\n")
    return 0


def _write_tool(tool: str, pin: Pin, *, colour: bool) -> None:
    row = _row(pin)
    state = str(row["state"])
    painted = paint(f"{state:<9}", "2" if state == "accepted" else "1;33", colour=colour)
    sys.stdout.write(f"  {painted} {visible(tool)}  {str(row['digest'])[:12]}\n")
    for text in suspicions(pin.offered or pin.accepted):
        sys.stdout.write(f"            {paint('careful:', '1;31', colour=colour)} {visible(text)}\n")


def _row(pin: Pin) -> dict[str, object]:
    state = "accepted" if not pin.offered else "changed" if pin.accepted else "new"
    shown = pin.offered or pin.accepted
    return {"state": state, "digest": digest(shown), "at": pin.at, "suspicions": list(suspicions(shown))}
