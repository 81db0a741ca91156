"""Interfaces, routes, sockets, firewalls and name servers of this machine: showing them and changing them."""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, turns_off
from assent.commands.verb_codes import by_verb, codes_of
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

IP_OBJECTS = frozenset(
    """a addr address addrlabel l link r ro route ru rule n neigh neighbor neighbour m maddr maddress mroute mrule netns
    netconf nexthop ntable ntbl stats tcp_metrics token tunnel tuntap vrf xfrm mptcp macsec fou""".split()
)
IP_ASKS = frozenset("show sh list lst ls get help identify pids".split())
IP_CODES = codes_of(
    {"network.change": "add a del delete d set change replace append flush attach detach up down rename restore"}
)
FIREWALL_LIST_LETTERS = frozenset("LSnvxt46w")
FIREWALL_LIST_WORDS = frozenset(
    "--list --list-rules --numeric --verbose --line-numbers --exact --table --ipv4 --ipv6 --wait".split()
)
FIREWALL = "network.firewall"
UFW_ASKS = frozenset("status show version app help".split())
UFW_CODES = codes_of(
    {
        FIREWALL: "enable disable reload default logging allow deny reject limit delete insert prepend route",
        "network.firewall.wipe": "reset",
    }
)
FIREWALLD_ASKS = ("--list-", "--get-", "--query-", "--info-", "--path-", "--state", "--version", "--check-config")
FIREWALLD_WHERE = ("--zone", "--permanent", "--policy", "--quiet", "--family")
ETHTOOL_ASKS = frozenset(
    """-a -c -d -g -h -i -k -l -m -n -P -S -T -u -x --show-pause --show-coalesce --show-ring --driver --show-features
    --show-offload --show-channels --module-info --dump-module-eeprom --show-permaddr --statistics --show-time-stamping
    --show-nfc --show-ntuple --show-rxfh --show-rxfh-indir --show-eee --show-fec --register-dump --help""".split()
)
MANAGER_OBJECTS = frozenset("general g networking n radio r connection con c device dev d monitor m".split())
MANAGER_ASKS = frozenset("show s status list permissions hostname connectivity monitor m".split())
MANAGER_CODES = codes_of(
    {
        "network.change": "up down add modify edit delete reload load import migrate clone set connect disconnect"
        " reapply hotspot checkpoint on off"
    }
)
RESOLVE_LOOKUPS = frozenset("query service openpgp tlsa".split())
RESOLVE_ASKS = frozenset("status statistics show-cache show-server-state monitor".split())
RESOLVE_SETTINGS = frozenset("dns domain default-route llmnr mdns dnsovertls dnssec nta".split())
RESOLVE_CODES = codes_of(
    {
        "network.change": "dns domain default-route llmnr mdns dnsovertls dnssec nta revert log-level",
        "network.cache": "flush-caches reset-statistics reset-server-features",
    }
)
CHANGED = "the network of this machine"


def _ip(args: Args) -> Iterator[Fact]:
    """`ip OBJECT VERB …`: no verb shows; `netns exec` and `vrf exec` start a program."""
    words = args.operands
    if not words:
        return
    if words[0].value in ("monitor", "mon") and len(words) == 1:
        return
    if words[0].value not in IP_OBJECTS:
        yield args.effect("run", f"{args.name} {words[0].text}", "program")
        yield args.gap(f"object {words[0].text} is not known")
    elif words[1:] and words[1].value in ("exec", "e", "ex", "exe"):
        yield args.effect("run", " ".join(word.text for word in words[3:]) or "a program", "program")
        yield args.gap("what it starts is not followed", blind=True)
    else:
        yield from by_verb(args, IP_ASKS, IP_CODES, CHANGED, at=1)


def _interface(args: Args) -> Iterator[Fact]:
    """`ifconfig eth0` shows, more words set."""
    if len(args.operands) > 1:
        yield args.effect("change", CHANGED, "network.change")


@turns_off("-i -s -M -n --numeric-hosts")
def _names_of_addresses(args: Args) -> Iterator[Fact]:
    """Without `-n` the names of the shown addresses are looked up."""
    shows_none = args.name == "netstat" and args.has("--numeric-hosts", "-s", "-i", "-M")
    if not shows_none and not args.has("-n"):
        yield args.effect("reach", "name servers, for the addresses it shows")


@turns_off("-n")
def _routing(args: Args) -> Iterator[Fact]:
    yield from _names_of_addresses(args)
    if args.operands and args.operands[0].value not in ("get", "inet", "inet6", "monitor"):
        yield args.effect("change", CHANGED, "network.change")
    elif args.operands and args.operands[0].value == "get":
        for word in args.operands[1:]:
            if word.value != "default":
                yield from args.act("host", word)


@turns_off("-n")
def _neighbours(args: Args) -> Iterator[Fact]:
    yield from _names_of_addresses(args)
    if args.has("-s", "-d", "-f", "-D"):
        yield args.effect("change", CHANGED, "network.change")
    for word in args.operands:
        yield from args.act("host", word)


COMPARED = str.maketrans(dict.fromkeys("=!<>()&|", " "))
NAMES_NEXT = ("state", "exclude", "dev", "cgroup", "fwmark")
FILTERS = frozenset(
    """state exclude dev cgroup fwmark autobound dst src dport sport daddr saddr eq ne neq ge geq le leq gt lt and or
    not
    is established syn-sent syn-recv fin-wait-1 fin-wait-2 time-wait closed close-wait last-ack listening closing all
    connected synchronized bucket big unconnected""".split()
)
"""Words of a filter that are no names of machines."""


def _sockets(args: Args) -> Iterator[Fact]:
    """`ss dst NAME` and `ss NAME` look the name up, `-K` closes connections."""
    if args.has("-K"):
        yield args.effect("change", "open connections", "network.close")
    if args.has("-F"):
        yield args.effect("reach", "whatever the filter names")
    before = ""
    for word in args.operands:
        if word.value is None:
            yield from args.act("host", word)
        for piece in (word.value or "").translate(COMPARED).split():
            name = piece.rpartition(":")[0] if piece.count(":") == 1 else piece
            if before not in NAMES_NEXT and piece not in FILTERS and piece.count(":") < 2 and not _is_number(name):
                yield from args.act("host", Word(name, name))
            before = piece


def _is_number(text: str) -> bool:
    return not any(sign.isalpha() for sign in text) and (not text or text.strip(".") != "")


def _packet_filter(args: Args) -> Iterator[Fact]:
    """`iptables -L` and `-S` show; anything that is not known to show changes rules."""
    lists, only_lists = False, True
    for word in args.operands:
        text = word.value
        if text is None:
            only_lists = False
        elif text.startswith("--"):
            lists = lists or text in ("--list", "--list-rules")
            only_lists = only_lists and text.partition("=")[0] in FIREWALL_LIST_WORDS
            if text.startswith("--m"):
                yield args.gap(f"option {text} may start a program")
        elif text.startswith("-"):
            lists = lists or "L" in text or "S" in text
            only_lists = only_lists and FIREWALL_LIST_LETTERS.issuperset(text[1:])
            if "M" in text:
                yield args.gap(f"option {text} may start a program")
    flushes = any(
        (word.value or "").startswith(("--flush", "--delete-chain"))
        or ((word.value or "").startswith("-") and (word.value or "")[1:2] in ("F", "X"))
        for word in args.operands
    )
    if not (lists and only_lists):
        yield args.effect("change", "the rules of the firewall", f"{FIREWALL}.wipe" if flushes else FIREWALL)


def _tables(args: Args) -> Iterator[Fact]:
    """`nft list …` shows; a file or any other verb changes rules."""
    first = args.operands[0].value if args.operands else None
    flushes = any("flush" in (word.value or "") or "delete" in (word.value or "") for word in args.operands)
    if args.has("-f", "-i") or first not in ("list", "describe"):
        yield args.effect("change", "the rules of the firewall", f"{FIREWALL}.wipe" if flushes else FIREWALL)
    if any(";" in (word.value or ";") for word in args.operands) and first in ("list", "describe"):
        yield args.effect("change", "the rules of the firewall", f"{FIREWALL}.wipe" if flushes else FIREWALL)


def _simple_firewall(args: Args) -> Iterator[Fact]:
    yield from by_verb(args, UFW_ASKS, UFW_CODES, "the rules of the firewall")
    if args.operands and args.operands[0].value in UFW_CODES:
        yield from kept(args, "write", "/etc/ufw/user.rules")
    values = [word.value for word in args.operands]
    if values[:1] == ["app"] and values[1:2] not in (["list"], ["info"]):
        yield args.effect("change", "the rules of the firewall", FIREWALL)


def _firewalld(args: Args) -> Iterator[Fact]:
    """Long options only; those that do not ask or say where change something."""
    for word in args.operands:
        text = word.value
        if text is None or (text.startswith("-") and not text.startswith((*FIREWALLD_ASKS, *FIREWALLD_WHERE))):
            yield args.effect("change", "the rules of the firewall", FIREWALL)
            if any(word.value == "--permanent" for word in args.operands):
                yield from kept(args, "write", "/etc/firewalld/zones")
            return


def _card(args: Args) -> Iterator[Fact]:
    first = args.operands[0] if args.operands else None
    if first is not None and (first.value or "-").startswith("-") and first.value not in ETHTOOL_ASKS:
        yield args.effect("change", CHANGED, "network.change")
    elif first is not None and not (first.value or "-").startswith("-") and len(args.operands) > 1:
        yield args.gap("`ethtool` wants its option first")


KEPT_VERBS = frozenset("add modify mod edit delete del clone import".split())
"""Verbs of nmcli that change what is there at the next start."""


def _manager(args: Args) -> Iterator[Fact]:
    """`nmcli OBJECT VERB`; `device wifi` has verbs of its own."""
    words = args.operands
    if words and words[0].value not in MANAGER_OBJECTS:
        yield args.effect("run", f"{args.name} {words[0].text}", "program")
        yield args.gap(f"object {words[0].text} is not known")
        return
    at = 2 if words[1:] and words[1].value in ("wifi", "w") else 1
    if words[1:] and words[1].value in ("hostname",) and len(words) > 2:
        yield args.effect("change", "the name of the machine", "system.hostname")
        return
    yield from by_verb(args, MANAGER_ASKS, MANAGER_CODES, CHANGED, at=at)
    if any(word.value in KEPT_VERBS for word in words[1:2]):
        yield from kept(args, "write", "/etc/NetworkManager/system-connections")


def _resolver(args: Args) -> Iterator[Fact]:
    """`resolvectl query NAME` asks name servers; `dns` alone shows, with a server it sets."""
    values = [word.value for word in args.operands]
    if values and values[0] in RESOLVE_LOOKUPS:
        for word in args.operands[1:]:
            yield from args.act("host", word)
    elif not (values and values[0] in RESOLVE_SETTINGS and len(values) <= 2):
        yield from by_verb(args, RESOLVE_ASKS, RESOLVE_CODES, CHANGED)


def _mac_settings(args: Args) -> Iterator[Fact]:
    """`networksetup -getinfo Wi-Fi`, `scutil --dns`: the first word says it all."""
    first = args.operands[0].value if args.operands else ""
    if args.name == "scutil":
        asks = first in ("--dns", "--proxy", "--nwi", "--get", "--version")
    else:
        asks = (first or "").startswith(("-get", "-list", "-show", "-printcommands", "-version", "-help"))
    if not asks:
        yield args.effect("change", CHANGED, "network.change")


ANY = "text*"
PACKET_FILTER = Program(operands=ANY, style="plain", more=_packet_filter)
RULES_FILE = (("change", "the rules of the firewall", FIREWALL),)

PROGRAMS = {
    "ip": Program(
        "-V,-Version -s,-stats,-statistics -d,-details -h,-human,-human-readable -iec -j,-json,--json"
        " -p,-pretty,--pretty"
        " -f,-family= -4 -6 -M -B -0 -l,-loops= -br,-brief,--brief -o,-oneline -t,-timestamp -ts,-tshort -rc,-rcvbuf="
        " -n,-netns= -N,-Numeric -a,-all -c,-color[=] --color[=]",
        ANY,
        style="single",
        more=_ip,
    ),
    "ifconfig": Program("-a -s -v -l -u -d -L -m -r", ANY, more=_interface),
    "iwconfig": Program("--version", ANY, more=_interface),
    "route": Program("-n -N -v -e -F -C -4 -6 -A=", ANY, more=_routing),
    "arp": Program("-a -e -n -v -i= -H= -A= -s -d -D -f=read -l", ANY, more=_neighbours),
    "ss": Program(
        "-n,--numeric -a,--all -l,--listening -o,--options -e,--extended -m,--memory -p,--processes -T,--threads"
        " -i,--info"
        " --tipcinfo -s,--summary --tos --cgroup -b,--bpf -E,--events -Z,--context -z,--contexts -N,--net= -4,--ipv4"
        " -6,--ipv6 -0,--packet -t,--tcp -M,--mptcp -S,--sctp -u,--udp -d,--dccp -w,--raw -x,--unix --tipc --vsock"
        " --xdp"
        " -f,--family= -K,--kill -H,--no-header -O,--oneline --inet-sockopt -A,--query,--socket= -D,--diag=write"
        " -F,--filter=read -h -V",
        ANY,
        more=_sockets,
    ),
    "netstat": Program(
        "-r,--route -i,--interfaces -g,--groups -s,--statistics -M,--masquerade -v,--verbose -W,--wide -n,--numeric"
        " --numeric-hosts --numeric-ports --numeric-users -N,--symbolic -e,--extend -p,--programs,--program -o,--timers"
        " -c,--continuous -l,--listening -a,--all -F,--fib -C,--cache -Z,--context -t,--tcp -u,--udp -U,--udplite"
        " -S,--sctp"
        " -w,--raw -x,--unix -4,--inet -6,--inet6 -A= -f= -I= -b -d -L -m -R -q -Q -V -h",
        ANY,
        more=_names_of_addresses,
    ),
    "iptables": PACKET_FILTER,
    "ip6tables": PACKET_FILTER,
    "iptables-save": Program("-c,--counters -t,--table= -f,--file=write"),
    "iptables-restore": Program("-c,--counters -n,--noflush -t,--test -T,--table= -v -w", "read?", does=RULES_FILE),
    "nft": Program(
        "-a,--handle -n,--numeric -s,--stateless -j,--json -y -S -N -p -T -t,--terse -c,--check -e,--echo"
        " -f,--file=read -i"
        " -o -v",
        ANY,
        more=_tables,
    ),
    "ufw": Program("--dry-run --force", ANY, style="posix", more=_simple_firewall),
    "firewall-cmd": Program(operands=ANY, style="plain", more=_firewalld),
    "ethtool": Program(operands=ANY, style="plain", more=_card),
    "nmcli": Program(
        "-t,--terse -p,--pretty -m,--mode= -c,--colors= -f,--fields= -e,--escape= -g,--get-values= -o,--overview"
        " -w,--wait="
        " -v -h",
        ANY,
        style="posix",
        more=_manager,
    ),
    "resolvectl": Program(
        "-4 -6 -i,--interface= -p,--protocol= -t,--type= -c,--class= --cname= --validate= --synthesize= --cache="
        " --zone="
        " --trust-anchor= --network= --legend= --no-pager --raw[=] --search= --json= -j --service-address="
        " --service-txt="
        " --relax-single-label=",
        ANY,
        more=_resolver,
    ),
    "networksetup": Program(operands=ANY, style="plain", more=_mac_settings),
    "scutil": Program(operands=ANY, style="plain", more=_mac_settings),
}

EXAMPLES = {
    "ss -t .": "reach .",
    "ss -F a.txt": "read a.txt | reach whatever the filter names",
    "ip a": "note ip",
    "ip addr show": "note ip",
    "ip -4 addr show dev nothing0": "note ip",
    "ip -brief link": "note ip",
    "ip -j -p route": "note ip",
    "ip r": "note ip",
    "ip route get 1.1.1.1": "note ip",
    "ip -s link show nothing0": "note ip",
    "ip link set nothing0 down": "change the network of this machine #network.change",
    "ip address flush nothing0 scope global": "change the network of this machine #network.change",
    "ip addr add 10.0.0.1/24 dev nothing0": "change the network of this machine #network.change",
    "ip netns list": "note ip",
    "ip netns exec blue rm a": "run rm a #program | blind ip: what it starts is not followed",
    "ip -batch a": "note ip | gap ip: option -batch is not known",
    "ip -force -batch a": "note ip | gap ip: option -batch is not known",
    "ip link s nothing0": "run ip s #program | gap ip: subcommand s is not known",
    "ip stats": "note ip",
    "ip frob": "run ip frob #program | gap ip: object frob is not known",
    "ip $x": "run ip $x #program | blind ip: a word is not known (variable x) | gap ip: object $x is not known",
    "ifconfig": "note ifconfig",
    "ifconfig nothing0": "note ifconfig",
    "ifconfig nothing0 down": "change the network of this machine #network.change",
    "iwconfig": "note iwconfig",
    "route -n": "note route",
    "route add default gw 10.0.0.1": "reach name servers, for the addresses it shows"
    " | change the network of this machine #network.change",
    "route get default": "reach name servers, for the addresses it shows",
    "arp -a": "reach name servers, for the addresses it shows",
    "arp -d 10.0.0.1": "reach name servers, for the addresses it shows"
    " | change the network of this machine #network.change | reach 10.0.0.1",
    "ss -tlnp": "note ss",
    "ss -tulpn state listening": "note ss",
    "ss -K dst 10.0.0.1": "change open connections #network.close",
    "ss dst evil.example": "reach evil.example",
    "ss -D out": "write out",
    "ss -r": "note ss | gap ss: option -r is not known",
    "netstat -tlnp": "note netstat",
    "netstat -an -p tcp": "note netstat",
    "netstat -rn": "note netstat",
    "iptables -L -n -v": "note iptables",
    "iptables -t nat -nvL": "note iptables",
    "iptables -F > out": "write out #redirect | change the rules of the firewall #network.firewall.wipe",
    "iptables -A INPUT -j DROP": "change the rules of the firewall #network.firewall",
    "iptables -S": "note iptables",
    "iptables -L -Z": "change the rules of the firewall #network.firewall",
    "iptables --modprobe=./a -L": "change the rules of the firewall #network.firewall"
    " | gap iptables: option --modprobe=./a may start a program",
    "ip6tables -L": "note ip6tables",
    "iptables-save": "note iptables-save",
    "iptables-save -f out": "write out",
    "iptables-restore a": "change the rules of the firewall #network.firewall | read a",
    "nft list ruleset": "note nft",
    "nft -f a": "read a | change the rules of the firewall #network.firewall",
    "nft flush ruleset > out": "write out #redirect | change the rules of the firewall #network.firewall.wipe",
    "nft 'list ruleset; flush ruleset'": "change the rules of the firewall #network.firewall.wipe",
    "nft list ruleset ';' flush ruleset": "change the rules of the firewall #network.firewall.wipe",
    "ufw status verbose": "note ufw",
    "ufw allow 22": "change the rules of the firewall #network.firewall | write /etc/ufw/user.rules",
    "ufw --force reset > out": "write out #redirect | change the rules of the firewall #network.firewall.wipe | write"
    " /etc/ufw/user.rules",
    "ufw app list": "note ufw",
    "firewall-cmd --list-all-zones": "note firewall-cmd",
    "firewall-cmd --state": "note firewall-cmd",
    "firewall-cmd --permanent --remove-service http": "change the rules of the firewall #network.firewall | write"
    " /etc/firewalld/zones",
    "ethtool nothing0": "note ethtool",
    "ethtool -i nothing0": "note ethtool",
    "ethtool -K nothing0 gro off": "change the network of this machine #network.change",
    "nmcli device show wlan0": "note nmcli",
    "nmcli dev wifi list": "note nmcli",
    "nmcli dev wifi connect net": "change the network of this machine #network.change",
    "nmcli -t -f NAME con show": "note nmcli",
    "nmcli con up home": "change the network of this machine #network.change",
    "nmcli": "note nmcli",
    "resolvectl status": "note resolvectl",
    "resolvectl query example.com": "reach example.com",
    "resolvectl dns nothing0": "note resolvectl",
    "resolvectl dns nothing0 8.8.8.8": "change the network of this machine #network.change",
    "resolvectl flush-caches": "change the network of this machine #network.cache",
    "networksetup -listallhardwareports": "note networksetup",
    "networksetup -setdnsservers Wi-Fi 8.8.8.8": "change the network of this machine #network.change",
    "scutil --dns": "note scutil",
    "scutil": "change the network of this machine #network.change",
    "netstat -tulp": "reach name servers, for the addresses it shows",
    "arp -an": "note arp",
    "route": "reach name servers, for the addresses it shows",
}
