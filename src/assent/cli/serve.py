"""assent serve: the web inbox on this machine, and links to sign in to it."""

from __future__ import annotations

import os
import sys

from assent import folders, wire
from assent.cli.options import Options, read_options
from assent.errors import AssentError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

KNOWN = {
    "--port": True,
    "--host": True,
    "--allow-remote": False,
    "--name": True,
    "--no-open": False,
    "--webhook": True,
    "--answer-url": True,
    "--link": False,
    "--keep-days": True,
    "--json": False,
}
PORT = 7391

HELP = """usage: assent serve [--port N] [--no-open] [--json]
       assent serve --link [--port N]

Show what waits for an answer in the browser, and take answers there. Prints a link that signs one browser in: it works
once, for five minutes. The inbox listens on this machine alone.

  --port N          the port (default: 7391; 0 takes any that is free)
  --link            only print another link to the inbox that runs on that port
  --no-open         do not open the browser
  --host ADDRESS    listen on another address than 127.0.0.1; needs --allow-remote
  --allow-remote    yes, others may reach it: traffic is not encrypted
  --name NAME       with --allow-remote: a name that browsers use for it; may be given several times
  --webhook URL     also send every request to this service, signed (Standard Webhooks); https, or this machine
  --answer-url URL  where that service sends its signed answers: how it reaches /webhooks/answer here
  --keep-days N     forget what was decided after so many days, from now on (default: 90); the journal stays
  --json            print one JSON object instead of text

The secret for --webhook is ASSENT_WEBHOOK_SECRET, else it is made on first use: webhook-secret in the state folder.
Ctrl-C ends it. Requests stay where they are, and browsers are signed out.

Examples:
  assent serve
  assent serve --port 8123 --no-open
  assent serve --link
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "serve")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if options.rest:
        raise UsageError(f"`{options.rest[0]}` is one argument too many", help="see `assent serve --help`")
    host, port = _address(options)
    days = _days(options)
    _need_server()
    from assent.desk import Desk
    from assent.server.running import listening, serve

    if options.has("--link"):
        return _print_link(options, host, port, _state())
    listens = listening(host, port)
    try:
        desk = Desk(_state())
        try:
            if days:
                desk.store.keep_history(days)
            serve(
                desk,
                listens,
                tuple(options.values("--name")),
                lambda: _greet(options, listens, desk.state),
                webhook=options.value("--webhook") or "",
                answer_url=options.value("--answer-url") or "",
            )
        finally:
            desk.close()
    finally:
        listens.close()
    return 0


def _state() -> str:
    return folders.state_folder(os.environ, os.path.expanduser("~"))


def _need_server() -> None:
    from importlib.util import find_spec

    for name in ("starlette", "uvicorn"):
        if find_spec(name) is None:
            raise AssentError(f"the inbox needs {name}, which is not installed", help="pip install 'assent[server]'")


def _address(options: Options) -> tuple[str, int]:
    text = options.value("--port") or str(PORT)
    if not text.isdecimal() or int(text) > 65_535:
        raise UsageError(f"`--port {text}` is no port", help="a number up to 65535")
    host = options.value("--host") or "127.0.0.1"
    if host == "localhost":
        host = "127.0.0.1"
    if host not in ("127.0.0.1", "::1") and not options.has("--allow-remote"):
        raise UsageError(f"`--host {host}` lets other machines in", help="if you mean that, add --allow-remote")
    if options.has("--name") and not options.has("--allow-remote"):
        raise UsageError("`--name` is for inboxes that others reach", help="add --allow-remote")
    return host, int(text)


def _days(options: Options) -> int:
    text = options.value("--keep-days")
    if text is not None and (not text.isdecimal() or not 0 < int(text) <= 3650):
        raise UsageError(f"`--keep-days {text}` is no number of days", help="between 1 and 3650")
    return int(text) if text is not None else 0


def _greet(options: Options, listens: socket.socket, state: str) -> None:
    host, port = listens.getsockname()[:2]
    if host not in ("127.0.0.1", "::1"):
        sys.stderr.write(
            "assent: warning: other machines can reach this inbox, and the traffic is not encrypted: whoever reads it"
            " can answer for you. Prefer an ssh tunnel: ssh -L 7391:127.0.0.1:7391 THIS-MACHINE\n"
        )
    _print_link(options, host, port, state)


def _print_link(options: Options, host: str, port: int, state: str) -> int:
    from assent.server.keys import new_code
    from assent.server.security import link

    names = options.values("--name")
    shown = names[0] if names else "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104 - compared with
    made = link(shown, port, new_code(state))
    if options.has("--json"):
        sys.stdout.write(wire.dumps({"link": made, "port": port, "pid": os.getpid()}) + "\n")
    else:
        sys.stdout.write(f"Your inbox: {made}\n  works once, within five minutes")
        sys.stdout.write("\n" if options.has("--link") else "; Ctrl-C ends the inbox\n")
    sys.stdout.flush()
    if _opens(options):
        _open(made, state)
    return 0


def _opens(options: Options) -> bool:
    """Only where a person sits in front of a desktop."""
    if options.has("--no-open") or options.has("--json") or not sys.stdout.isatty():
        return False
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _open(made: str, state: str) -> None:
    """Open the link through a file of ours: everybody on this machine can read the arguments of a browser."""
    import webbrowser

    file = os.path.join(state, "web-open.html")
    page = (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={made}"><title>Assent</title>'
    )
    folders.write_atomically(file, page.encode())
    if not webbrowser.open(f"file://{file}"):
        sys.stdout.write("  (no browser could be opened)\n")
