"""Servers that hand out the files of a folder: caddy, the one of busybox, live-server and browser-sync."""

from __future__ import annotations

from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import HERE, only_asks, packs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LISTENS = changes("net.listen", "a web server")


@turns_off("-r -h -s --serveStatic")
def _serves(args: Args) -> Iterator[Fact]:
    """The folder that an option or an operand names, else the one it runs in."""
    if only_asks(args):
        return
    named = args.values("-r", "-h", "-s", "--serveStatic")
    for word in (*named, *args.operands) or (HERE,):
        yield from packs(args, word)


def _configured(args: Args) -> Iterator[Fact]:
    """What it serves stands in a file."""
    yield from packs(args)
    yield args.gap("what it serves or runs stands in its settings")


CADDY = Program(
    "-h,--help -v,--version",
    commands={
        "file-server": Program(
            "-r,--root= -d,--domain= -l,--listen= -b,--browse --reveal-symlinks -t,--templates --access-log -v,--debug"
            " --no-compress -p,--precompressed= -f,--file-limit= -h,--help",
            does=LISTENS,
            more=_serves,
        ),
        "version": Program(),
        "list-modules": Program("--packages --versions -s,--skip-standard"),
        "fmt": Program("-w,--overwrite=unknown -d,--diff -c,--config=read", "read?", "Caddyfile"),
        "validate": Program("-c,--config=read -a,--adapter= --envfile=read", more=_configured),
        "run": Program(
            "-c,--config=read -a,--adapter= --envfile=read -w,--watch --environ -r,--resume --pidfile=write",
            does=LISTENS,
            more=_configured,
        ),
    },
    style="bare",
)

PROGRAMS = {
    "caddy": CADDY,
    "httpd": Program("-f -v -i -p= -h= -c=read -u= -r= -m= -e= -d=", "text*", does=LISTENS, more=_serves),
    "live-server": Program(
        "--help --version --port= --host= --open[=] --no-browser --quiet --verbose --no-css-inject --wait= --watch="
        " --ignore= --entry-file= --cors --spa",
        "text*",
        does=LISTENS,
        more=_serves,
    ),
    "browser-sync": Program(
        "--help --version",
        commands={
            "start": Program(
                "-s,--server[=] --serveStatic,--ss= --port= --host= -f,--files= --index= --directory --no-open --no-ui"
                " --no-notify --cors --watch -w",
                "text*",
                does=LISTENS,
                more=_serves,
            )
        },
        style="bare",
    ),
}

EXAMPLES = {
    "caddy file-server": "change a web server #net.listen | read ./**",
    "caddy file-server --root docs --listen :80": "change a web server #net.listen | read docs/**",
    "caddy run": "change a web server #net.listen | read ./**"
    " | gap caddy run: what it serves or runs stands in its settings",
    "caddy version": "note caddy version",
    "httpd -f -p 80": "change a web server #net.listen | read ./**",
    "httpd -h docs": "change a web server #net.listen | read docs/**",
    "live-server": "change a web server #net.listen | read ./**",
    "live-server docs --port=80": "change a web server #net.listen | read docs/**",
    "browser-sync start --server": "change a web server #net.listen | read ./**",
    "browser-sync start --server docs": "change a web server #net.listen | read docs/**",
}
