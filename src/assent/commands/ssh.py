"""ssh and the programs around it: shells and copies on other machines, keys, and the agent that keeps them."""

from __future__ import annotations

from assent.commands.args import Args, mention
from assent.commands.config_files import KNOWN_HOSTS, SSH_KEY, kept
from assent.commands.program import Program, turns_off
from assent.record import replace
from assent.types import STOPS, USED, Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.program import Fact
    from assent.types import Call, Kind

SSH = Program(
    "-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c= -D= -E=write -e= -F="
    " -I=run -i=key"
    " -J= -L= -l= -m= -O=unknown -o= -p= -Q= -R= -S= -W= -w=",
    style="posix",
)
HARMLESS_SETTINGS = frozenset(
    """addkeystoagent addressfamily batchmode bindaddress bindinterface casignaturealgorithms checkhostip ciphers
    challengeresponseauthentication clearallforwardings compression connectionattempts connecttimeout fingerprinthash
    exitonforwardfailure globalknownhostsfile gssapiauthentication hashknownhosts hostbasedauthentication ipqos
    hostkeyalgorithms identitiesonly kbdinteractiveauthentication kexalgorithms loglevel macs numberofpasswordprompts
    passwordauthentication port preferredauthentications pubkeyacceptedalgorithms pubkeyacceptedkeytypes rekeylimit
    pubkeyauthentication requesttty serveralivecountmax serveraliveinterval stricthostkeychecking tcpkeepalive
    updatehostkeys user verifyhostkeydns visualhostkey""".split()
)
SETTINGS_THAT_RUN = frozenset(
    "proxycommand localcommand knownhostscommand pkcs11provider securitykeyprovider xauthlocation".split()
)
ON_FILES = frozenset(("read", "list", "search", "write", "delete"))
EVERYTHING = frozenset(("~", "~/", "~/*", "$HOME", "$HOME/", "$HOME/*", "*", ".", "./", "./*", "..", "/", "/*"))
"""Words for which `rm -r` leaves little of a machine."""
FORWARDS = ("-D", "-L", "-R", "-w")
HOST_KEYS = "/etc/ssh/ssh_host_rsa_key"


def _ssh(args: Args) -> Iterator[Fact]:
    """Options stand before the host and right behind it; the rest is a command for the other machine."""
    before = Args(args.call, args.number, args.base, args.name, SSH)
    yield from before.take(tuple(args.operands))
    behind = Args(args.call, args.number, args.base, args.name, SSH)
    behind.given = before.given
    yield from behind.take(tuple(before.operands[1:]))
    yield from connection(before)
    if before.has("-V", "-Q") and not before.operands:
        return
    if not before.operands:
        yield before.gap("nothing says which machine")
    for word in before.operands[:1]:
        yield from machine(before, word, port=before.text("-p") or "")
    if before.operands and not behind.operands and not before.has("-N", "-V", "-Q", "-W", "-G", "-O"):
        yield before.effect("run", "a shell on another machine", "remote")
        if args.has_input:
            yield before.gap("what the shell on another machine reads is not followed", blind=True)
    for word in before.values("-W"):
        yield from machine(before, word)
    for word in before.values(*FORWARDS):
        yield before.effect("change", f"a tunnel: {word.text}", "network.tunnel")
        yield before.gap("opens a tunnel between machines")
    for word in before.values("-L"):
        yield from _socket(before, word, word.value or "")
    for word in before.values("-S"):  # of scp it is a program
        yield from before.file("write", word)


def elsewhere(call: Call, number: int, base: str) -> list[Fact]:
    """A command for another machine: nothing here is touched, but what cannot be undone there is asked about."""
    from assent.commands.facts import facts

    around = tuple(name for name in call.via if name != "ssh")
    found: list[Fact] = [Effect("run", "a command on another machine", code="remote", call=number, span=call.span)]
    broad = any(word.text.strip("\"'") in EVERYTHING for word in call.words[1:])
    for fact in facts(replace(call, via=around, redirects=()), number, base):
        if not isinstance(fact, Effect):
            continue
        if fact.kind not in ON_FILES:
            found += [fact] if fact.code.endswith(STOPS) else []
        elif (fact.kind == "delete" and fact.deep and (broad or _is_top(fact.target))) or _is_disk(fact):
            found.append(Effect("change", "another machine", code="remote.wipe", call=number, span=call.span))
    return found


def _is_top(path: str) -> bool:
    """`/` and what lies right below it."""
    return path.startswith("/") and path.strip("/").count("/") == 0


def _is_disk(effect: Effect) -> bool:
    return effect.kind == "write" and effect.target.startswith("/dev/")


def _socket(args: Args, word: Word, forwarded: str) -> Iterator[Fact]:
    """`PATH:host:port` makes a socket in the file system; `port:…` and `address:port:…` make none there."""
    first, *rest = forwarded.split(":")
    if first and not first.isdigit() and len(rest) < 3:
        yield from args.file("write", Word(word.text, first))


def connection(args: Args) -> Iterator[Fact]:
    """What options that ssh, scp, sftp and their kin share do."""
    for word in args.values("-o"):
        yield from _setting(args, word)
    for word in args.values("-F"):
        if word.value not in ("none", "/dev/null"):
            yield from args.file("read", word)
            yield args.gap("a file holds further settings, which may run programs", blind=True)
    for word in args.values("-J"):
        for jump in (word.value or "").split(","):
            yield from machine(args, Word(word.text, jump or None, word.why))
    if args.has("-S"):
        yield args.gap("uses a connection that another process holds")
    if args.has("-I"):
        yield args.gap("loads a library")
    if args.has("-A", "-X", "-Y", "-M"):
        yield args.gap("lets the other machine or later calls use this one")


def _setting(args: Args, word: Word) -> Iterator[Fact]:
    """`-o Name=value` or `-o 'Name value'`."""
    if word.value is None:
        yield args.gap(f"a setting is not known ({word.why})", blind=True)
        return
    text = word.value.strip()
    end = next((at for at, sign in enumerate(text) if sign in "= \t"), len(text))
    name, value = text[:end].lower(), text[end:].strip(" \t=").strip('"')
    if name in SETTINGS_THAT_RUN and value.lower() not in ("none", "internal"):
        yield args.effect("run", value, "program")
        yield args.gap(f"setting {name} runs a program")
    elif name in ("identityfile", "certificatefile"):
        yield from args.act("key", Word(word.text, value))
    elif name == "userknownhostsfile":
        for file in value.split():
            yield from args.file("write", Word(word.text, file))
    elif name == "proxyjump":
        yield from machine(args, Word(word.text, value))
    elif name == "hostname":
        yield from machine(args, Word(word.text, value))
        yield args.gap("reaches another machine than the name says")
    elif name in ("controlpath", "controlmaster", "controlpersist") and value.lower() in ("no", "none"):
        return
    elif name in ("controlpath", "localforward"):
        yield from _socket(args, word, value.split(" ")[0])
        yield args.gap(f"setting {name} makes a socket or a tunnel")
    elif name not in HARMLESS_SETTINGS:
        yield args.gap(f"setting {name} is not known", blind=name in ("include", "match", "host"))


def machine(args: Args, word: Word, *, kind: Kind = "reach", port: str = "") -> Iterator[Fact]:
    """`user@host`, `host:port` or `ssh://user@host:port`; names from ssh's own settings look the same."""
    if word.value is None:
        yield args.effect(kind, word.text)
        yield args.gap(f"the machine is not known ({word.why})", blind=True)
        return
    name = word.value.partition("://")[2] or word.value
    name = name.partition("/")[0].rpartition("@")[2]
    if port and ":" not in name:
        name = f"{name}:{port}"
    yield from args.reach(f"ssh://{name}", shown=word.value, kind=kind)


# --- copies ----------------------------------------------------------------------------------------------------------


def remote_part(word: Word) -> tuple[str, str] | None:
    """Host and path of `host:path`, `host::module`, `scp://host/path`, `rsync://host/path`; None for a local path."""
    value = word.value or ""
    for scheme in ("scp://", "sftp://", "rsync://"):
        if value.startswith(scheme):
            host, _, path = value[len(scheme) :].partition("/")
            return host, path
    if value.startswith("["):
        host, closed, path = value[1:].partition("]:")
        return (host, path) if closed else None
    host, colon, path = value.partition(":")
    if "@[" in host:
        host, _, path = value.partition("]:")
        host = host.replace("[", "")
    return (host, path.removeprefix(":")) if colon and "/" not in host and host else None


def remote_in_text(word: Word) -> bool:
    """Whether a word that is not known completely is written like `host:…`."""
    head = word.text.lstrip("\"'").partition(":")
    return word.value is None and not word.pattern and bool(head[1]) and "/" not in head[0]


def copied(args: Args, *, deep: bool) -> Iterator[Fact]:
    """Sources and, last, the target; either side may be on other machines."""
    if len(args.operands) < 2:
        yield args.gap("nothing says what to copy where")
        return
    *sources, target = args.operands
    away = remote_part(target) is not None or remote_in_text(target)
    for word in sources:
        if remote_part(word) is not None or remote_in_text(word):
            yield from far(args, word)
        else:
            yield from args.file("read", word, deep=deep)
    if away:
        yield from far(args, target, kind="send")
        return
    yield from args.file("write", target, deep=deep, code="copied" if deep else "")
    if not deep:
        yield from _names_in(args, sources, target)


def far(args: Args, word: Word, *, kind: Kind = "reach") -> Iterator[Fact]:
    parts = remote_part(word)
    if parts is None:
        yield args.effect(kind, word.text)
        host = word.text.partition(":")[0]
        yield args.gap(f"the machine or path is not known ({word.why})", blind="$" in host or "`" in host)
        return
    yield from args.reach(f"ssh://{parts[0].rpartition('@')[2]}", shown=word.value or "", kind=kind)


def _names_in(args: Args, sources: list[Word], target: Word) -> Iterator[Fact]:
    """A target that is a folder gets files called like the sources."""
    for word in sources:
        parts = remote_part(word)
        path = parts[1] if parts is not None else word.value or ""
        name = path.rstrip("/").rpartition("/")[2]
        if any(sign in name for sign in "*?["):
            yield from args.file("write", target, deep=True, code="copied")
        elif name and target.value and name not in (".", ".."):
            for fact in args.file("write", Word(word.text, f"{target.value.rstrip('/')}/{name}")):
                yield mention(fact)


@turns_off("-r")
def _scp(args: Args) -> Iterator[Fact]:
    yield from connection(args)
    if args.has("-S", "-D"):
        yield args.gap("starts another program")
    yield from copied(args, deep=args.has("-r"))


@turns_off("-b")
def _sftp(args: Args) -> Iterator[Fact]:
    """A language of its own: commands come from a file, standard input or a person."""
    yield from connection(args)
    for word in args.operands:
        if remote_part(word) is not None:
            yield from far(args, word, kind="send")
        else:
            yield from machine(args, word, kind="send", port=args.text("-P") or "")
    yield args.gap("the commands it will be given are not known", blind=args.has_input or args.has("-b"))


# --- keys ------------------------------------------------------------------------------------------------------------


@turns_off("-f", everything="-i -e -y -l -B -F -L -r -Q -p -c -R -H")
def _keygen(args: Args) -> Iterator[Fact]:
    """Without a letter for something else it makes a key pair."""
    file = args.values("-f")
    if args.has("-D", "-w", "-K"):
        yield args.gap("loads a library or talks to a device")
    changes = args.has("-p", "-c", "-R") or (args.has("-H") and not args.has("-F"))
    special = args.has("-M", "-Y", "-A", "-k", "-s", "-U", "-O", "-I")
    if args.has("-l", "-y", "-e", "-i", "-B", "-L", "-F", "-r", "-Q") and not changes and not special:
        for word in (*file, *(args.operands if args.has("-Q") else ())):
            yield from args.file("read", word)
        if not file and not args.has("-Q"):
            yield from kept(args, "read", KNOWN_HOSTS if args.has("-F") else SSH_KEY)
        return
    if args.has("-s") or any(word.value in (None, "sign") for word in args.values("-Y")):
        yield args.effect("note", "a private key", "key.use")
    if special:
        yield args.effect("change", "keys", "keys.change")
        yield args.gap("signs, certifies or makes keys of a kind that is not understood")
    if args.has("-A"):
        yield from kept(args, "write", HOST_KEYS)
    for word in file:
        yield from args.file("write", word)
        if not args.has("-p", "-c", "-R", "-H") and word.value:
            yield from args.file("write", Word(word.text, f"{word.value}.pub"))
    if not file and not special:
        yield args.effect("change", "the keys in the home folder", "keys.change")
        hosts = args.has("-R", "-H")
        yield from kept(args, "write", KNOWN_HOSTS if hosts else SSH_KEY)


def _keyscan(args: Args) -> Iterator[Fact]:
    if args.has("-f"):
        yield args.gap("a file names the machines", blind=True)
    for word in args.operands:
        yield from machine(args, word, port=args.text("-p") or "")


@turns_off("-L -l -T -s -e -K -D -x -X")
def _agent_keys(args: Args) -> Iterator[Fact]:
    if args.has("-s", "-e", "-S", "-K"):
        yield args.gap("loads a library or talks to a device")
    if not args.has("-l", "-L", "-T"):
        yield args.effect("change", "the keys that the agent keeps", "keys.change")
        if not args.operands and not args.has("-D", "-x", "-X", "-s", "-e", "-K"):
            yield from kept(args, "read", SSH_KEY, code=USED)


@turns_off("-n -i")
def _copy_id(args: Args) -> Iterator[Fact]:
    """The other machine learns public keys, never private ones."""
    yield from connection(args)
    if not args.has("-i"):
        yield from kept(args, "read", f"{SSH_KEY}.pub", code=USED)
    for word in args.operands:
        yield from machine(args, word, kind="send", port=args.text("-p") or "")
    if not args.has("-n"):
        yield args.effect("change", "who may log in on another machine", "remote.change")


@turns_off("-k")
def _agent(args: Args) -> Iterator[Fact]:
    if args.has("-k"):
        yield args.effect("change", "the agent", "process.kill")
        return
    yield args.effect("change", "a process that keeps keys", "process.start")
    for word in args.operands[:1]:
        yield from args.act("run", word)
        yield args.gap("starts another program")


PROGRAMS = {
    "ssh": Program(operands="text*", style="plain", more=_ssh),
    "scp": Program(
        "-3 -4 -6 -A -B -C -O -p -q -R -r -s -T -v -c= -D=run -F= -i=key -J= -l= -o= -P= -S=run -X=",
        "text*",
        more=_scp,
    ),
    "sftp": Program(
        "-4 -6 -A -a -C -f -N -p -q -r -v -B= -b=read -c= -D=run -F= -i=key -J= -l= -o= -P= -R= -S=run -s= -X=",
        "text*",
        more=_sftp,
    ),
    "ssh-keygen": Program(
        "-q -a= -b= -C= -f= -m= -N= -O= -t= -w=run -Z= -p -i -e -y -c -l -B -D=run -F= -H -K -L -R= -r= -M= -I="
        " -s=read -A -k"
        " -Q -Y= -U -h -n= -V= -z= -v -g -E= -P= -o -u",
        "text*",
        more=_keygen,
    ),
    "ssh-keyscan": Program("-4 -6 -c -D -H -q -v -f=read -O= -p= -T= -t=", "text*", more=_keyscan),
    "ssh-add": Program(
        "-c -D -d -k -L -l -q -v -X -x -T -K -C -E= -H= -h= -S=run -t= -s=run -e=run", "key*", more=_agent_keys
    ),
    "ssh-copy-id": Program("-f -n -s -x -h -i=key -p= -F= -o= -t=", "text*", more=_copy_id),
    "ssh-agent": Program("-c -s -D -d -k -a=write -E= -O= -P= -t=", "text*", style="posix", more=_agent),
}

EXAMPLES = {
    "ssh user@host": "reach user@host | run a shell on another machine #remote",
    "ssh host ls -la": "reach host | run a command on another machine #remote",
    "ssh -N -L a.sock:db:5432 host": "reach host | change a tunnel: a.sock:db:5432 #network.tunnel | write a.sock"
    " | gap ssh: opens a tunnel between machines",
    "ssh -V": "note ssh",
    "ssh me@10.0.0.1 -p 2222": "reach me@10.0.0.1 | run a shell on another machine #remote",
    "ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null host": "reach host | run a shell on another"
    " machine #remote",
    "ssh -voProxyCommand='touch pwned' host": "run touch pwned #program | reach host | run a shell on another"
    " machine #remote | blind ssh option -voProxyCommand=touch pwned | gap ssh: setting proxycommand runs a"
    " program",
    "ssh -o 'LocalCommand id' host": "run id #program | reach host | run a shell on another machine #remote | gap"
    " ssh: setting localcommand runs a program",
    "ssh -F ssh.cfg host": "read ssh.cfg | reach host | run a shell on another machine #remote | blind ssh: a file"
    " holds further settings, which may run programs",
    "ssh -i key -J jump host": "read key #credential.use | reach jump | reach host | run a shell on another machine"
    " #remote",
    "ssh host -R 80:localhost:80": "reach host | run a shell on another machine #remote | change a tunnel:"
    " 80:localhost:80 #network.tunnel | gap ssh: opens a tunnel between machines",
    "ssh -E log host -N": "write log | reach host",
    "scp host:a docs": "reach host:a | write docs | maybe write docs/a",
    "scp -r src me@host:/srv": "read src/** | send me@host:/srv",
    "scp -3 one:a two:b": "reach one:a | send two:b",
    "scp ./a:b c": "read ./a:b | write c | maybe write c/a:b",
    "scp -S ./x.sh README.md host:": "run ./x.sh #program | read README.md | send host:"
    " | gap scp: uses a connection that another process holds | gap scp: starts another program",
    "scp 'host:*.log' .": "reach host:*.log | write . | write ./** #copied",
    "sftp -b batch host": "read batch | send host | blind sftp: the commands it will be given are not known",
    "ssh -o Include=x host": "reach host | run a shell on another machine #remote | blind ssh: setting include is"
    " not known",
    "sftp host": "send host | gap sftp: the commands it will be given are not known",
    "ssh-keygen -t ed25519 -N '' -f key": "write key | write key.pub",
    "ssh-keygen": "change the keys in the home folder #keys.change | write ~/.ssh/id_rsa",
    "ssh-keygen -l -f key.pub": "read key.pub",
    "ssh-keygen -y -f key": "read key",
    "ssh-keygen -D ./lib.so": "run ./lib.so #program | change the keys in the home folder #keys.change | write"
    " ~/.ssh/id_rsa | gap ssh-keygen: loads a library or talks to a device",
    "ssh-keygen -p -f key": "write key",
    "ssh-keygen -y -p -f key": "write key",
    "ssh-keygen -k -l -f key.pub": "change keys #keys.change | write key.pub | write key.pub.pub |"
    " gap ssh-keygen: signs,"
    " certifies or makes keys of a kind that is not understood",
    "ssh-keyscan -t ed25519 github.com": "reach github.com",
    "ssh-add -l": "note ssh-add",
    "ssh-add key": "read key #credential.use | change the keys that the agent keeps #keys.change",
    "ssh-add -s ./lib.so": "run ./lib.so #program | change the keys that the agent keeps #keys.change"
    " | gap ssh-add: loads a library or talks to a device",
    "ssh-copy-id -i key.pub me@host": "read key.pub #credential.use | send me@host | change who may log in on another"
    " machine #remote.change",
    "ssh-agent -s": "change a process that keeps keys #process.start",
    "ssh-agent id": "change a process that keeps keys #process.start | run id #program"
    " | gap ssh-agent: starts another program",
    "timeout 5 ssh host < a": "read a #redirect | note timeout | reach host | run a shell on another machine #remote"
    " | blind a shell on another machine",
    "ssh host < a": "read a #redirect | reach host | run a shell on another machine #remote | blind ssh: what the"
    " shell on another machine reads is not followed",
    "ssh h rm -rf /": "reach h | run a command on another machine #remote | change another machine #remote.wipe",
    'ssh h "git push --force"': "reach h | run a command on another machine #remote"
    " | send the remote of the branch #git.push.force",
    "ssh h rm -rf /tmp/a": "reach h | run a command on another machine #remote",
}
