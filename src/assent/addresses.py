"""IP addresses in every notation, and which hosts are not on the public internet."""

from __future__ import annotations

DIGITS, HEX = "0123456789", "0123456789abcdefABCDEF"
LONGEST_HOST = 1024  # longer texts are not even normalised: that would not be linear

# The first match counts. Kept as text: an address is rare enough to be compared slowly.
NETWORKS_4 = (
    ("metadata", "169.254.169.254/32 169.254.170.2/32 169.254.170.23/32 169.254.0.23/32 100.100.100.200/32"),
    ("metadata", "192.0.0.192/32 168.63.129.16/32"),
    ("loopback", "127.0.0.0/8"),
    ("private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10"),
    ("link-local", "169.254.0.0/16"),
    ("unspecified", "0.0.0.0/32"),
    ("reserved", "0.0.0.0/8 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24"),
    ("multicast", "224.0.0.0/4"),
    ("reserved", "240.0.0.0/4"),
)
NETWORKS_6 = (
    ("metadata", "fd00:ec2::254/128 fd00:ec2::23/128 fd20:ce::254/128 fd00:c1::a9fe:a9fe/128 fe80::a9fe:a9fe/128"),
    ("loopback", "::1/128"),
    ("unspecified", "::/128"),
    ("link-local", "fe80::/10"),
    ("private", "fc00::/7 fec0::/10 64:ff9b:1::/48"),
    ("multicast", "ff00::/8"),
    ("reserved", "2001:2::/48 2001:10::/28 2001:db8::/32 3fff::/20"),
)
PUBLIC_6 = "2000::/3 ::ffff:0:0/96 64:ff9b::/96"
TEREDO, SIX_TO_FOUR = "2001::/32", "2002::/16"
# IPv6 networks whose addresses carry an IPv4 address, by how many bits follow it.
CARRIERS = (
    (0, "::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48"),
    (80, SIX_TO_FOUR),
    (64, TEREDO),
)

METADATA_NAMES = frozenset(
    "metadata instance-data rancher-metadata metadata.google.internal metadata.goog metadata.azure.internal "
    "metadata.azure.com instance-data.ec2.internal metadata.tencentyun.com metadata.packet.net "
    "metadata.platformequinix.com".split()
)
LOOPBACK_NAMES = frozenset("localhost localhost.localdomain ip6-localhost ip6-loopback".split())
LOCAL_SUFFIXES = frozenset(
    "local localdomain internal intranet lan home home.arpa corp private svc "
    # Public names that answer with loopback, or with the address somebody wrote into them.
    "nip.io sslip.io xip.io backname.io 1u.ms rbndr.us traefik.me localtest.me lvh.me vcap.me lacolhost.com fuf.me "
    "ulh.us local.gd localho.st localh.st smackaho.st localdomain.pw 127-0-0-1.org.uk spoofed.burpcollaborator.net "
    "bugbounty.dod.network".split()
)


PUBLIC_ENDINGS = """
 ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd
 cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge
 gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki
 km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my
 mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se
 sg sh si sj sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz
 va vc ve vg vi vn vu wf ws ye yt za zm zw com net org edu gov mil int arpa info biz name pro aero asia cat coop jobs
 mobi museum post tel travel xxx academy accountant accountants actor adult agency airforce apartments app archi army
 art associates attorney auction audio auto autos baby band bank bar bargains baseball basketball beauty beer berlin
 best bet bible bid bike bingo bio black blog blue boats bond boo book boston bot boutique box broker build builders
 business buy buzz cab cafe cam camera camp capetown capital car cards care career careers cars casa case cash casino
 catering center ceo cern cfd channel charity chat cheap christmas church city claims cleaning click clinic clothing
 cloud club coach codes coffee college community company computer condos construction consulting contact contractors
 cooking cool country coupon coupons courses credit creditcard cricket cruises cymru dad dance date dating day deal
 dealer deals degree delivery democrat dental dentist desi design dev diamonds diet digital direct directory discount
 doctor dog domains download earth eat eco education email energy engineer engineering enterprises equipment esq
 estate events exchange expert exposed express fail faith family fan fans farm fashion feedback film final finance
 financial fish fishing fit fitness flights florist flowers fly foo food football forex forsale forum foundation fun
 fund furniture futbol fyi gallery game games garden gay gent gift gifts gives giving glass global gmbh gold golf goog
 google gop graphics gratis green gripe group guide guitars guru hair hamburg health healthcare help here hiphop hiv
 hockey holdings holiday homes horse hospital host hosting hot house how ice icu immo immobilien inc industries ing
 ink institute insurance insure international investments irish istanbul jetzt jewelry kaufen kids kim kitchen kiwi
 koeln kyoto land lat law lawyer lease legal lgbt life lighting limited limo link live living llc loan loans lol
 london love ltd ltda luxe luxury maison makeup management map market marketing markets mba media meet meme memorial
 men menu miami microsoft mobile moda moe mom money monster mortgage moscow motorcycles mov movie nagoya navy network
 new news nexus ngo ninja now nrw nyc observer okinawa one ong onl online ooo organic osaka page paris partners parts
 party pet phd phone photo photography photos physio pics pictures pink pizza place play plumbing plus poker porn
 press productions prof promo properties property protection pub quebec quest racing radio read realty recipes red
 rehab reise reisen rent rentals repair report republican rest restaurant review reviews rich rip rocks rodeo rsvp
 ruhr run ryukyu saarland safe sale salon sarl save school schule science scot secure security select services sex
 sexy shoes shop shopping show singles site ski skin smile soccer social software solar solutions soy space spa spot
 sport srl store stream studio study style sucks supplies supply support surf surgery sydney systems taipei tattoo tax
 taxi team tech technology tennis theater theatre tickets tienda tips tires today tokyo tools top tours town toys
 trade trading training tube university uno vacations vegas ventures versicherung vet viajes video villas vin vip
 vision vodka vote voting voyage wales wang watch watches weather webcam website wed wedding wiki win wine winners
 work works world wtf xin xyz yachts yoga yokohama you youtube zero zip zone aws amazon azure apple android bmw chrome
 citic dell intel ibm nokia sony samsung example invalid onion
 """.replace("\n", "")
"""What the names of the internet end in, those in other scripts aside; the last three are nobody's by agreement."""


def has_public_ending(host: str) -> bool:
    """Whether a host ends like a name of the internet, or is an address. A new ending may be missing."""
    last = host.rpartition(".")[2]
    return ":" in host or last.startswith("xn--") or ends_in_number(host) or f" {last} " in PUBLIC_ENDINGS


def ends_in_number(host: str) -> bool:
    last = host.rpartition(".")[2]
    return bool(last) and (not last.strip(DIGITS) or (last.startswith("0x") and not last[2:].strip(HEX)))


def read_ipv4(host: str, *, wrap: bool = False) -> int:
    """The value of an IPv4 address in any notation, or -1; `wrap` drops what is too large, as careless clients do."""
    *parts, last = [_number(label) for label in host.split(".")]
    room = 256 ** (4 - len(parts)) if len(parts) < 4 else 0
    if not room or min(last, *parts, 0) < 0:
        return -1
    if not wrap and (last >= room or max(parts, default=0) > 255):
        return -1
    return sum([part % 256 << 24 - 8 * at for at, part in enumerate(parts)]) + last % room


def _number(label: str) -> int:
    digits, base = label, 10
    if label.startswith("0x"):
        digits, base = label[2:] or "0", 16
    elif label.startswith("0") and len(label) > 1:
        base = 8
    return int(digits, base) if digits and not digits.strip(HEX[:base] if base < 16 else HEX) else -1


def show_ipv4(value: int) -> str:
    return ".".join([str(value >> shift & 255) for shift in (24, 16, 8, 0)])


def read_ipv6(text: str) -> int:
    """The value of an IPv6 address, or -1."""
    if "." in text:
        head, _, tail = text.rpartition(":")
        value = read_ipv4(tail)
        if value < 0 or tail != show_ipv4(value):
            return -1
        text = f"{head}:{value >> 16:x}:{value & 0xFFFF:x}"
    left, gap, right = text.partition("::")
    before, after = left.split(":") if left else [], right.split(":") if right else []
    missing = 8 - len(before) - len(after)
    if (missing < 1) if gap else missing:
        return -1
    groups = before + ["0"] * missing + after
    if any(not 0 < len(group) < 5 or group.strip(HEX) for group in groups):
        return -1
    return int("".join([group.zfill(4) for group in groups]), 16)


def show_ipv6(value: int) -> str:
    groups = [f"{value >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)]
    for length in range(8, 1, -1):
        for start in range(9 - length):
            if groups[start : start + length] == ["0"] * length:
                return ":".join(groups[:start]) + "::" + ":".join(groups[start + length :])
    return ":".join(groups)


def carried(value: int) -> list[int]:
    """The IPv4 addresses inside an IPv6 address."""
    inner = [value >> after & 0xFFFFFFFF for after, networks in CARRIERS if _is_in(value, networks)]
    return [*inner, ~value & 0xFFFFFFFF] if _is_in(value, TEREDO) else inner


_read_networks: dict[str, list[tuple[int, int]]] = {}


def _is_in(value: int, networks: str) -> bool:
    known = _read_networks.get(networks)
    if known is None:
        known = _read_networks[networks] = [_network(text) for text in networks.split()]
    return any(value >> rest == start for rest, start in known)


def _network(text: str) -> tuple[int, int]:
    """How many bits behind its name are free in a network, and what the name is."""
    start, _, bits = text.partition("/")
    rest = (128 if ":" in start else 32) - int(bits)
    return rest, (read_ipv6(start) if ":" in start else read_ipv4(start)) >> rest


def _named(value: int, table: tuple[tuple[str, str], ...]) -> str:
    return next((name for name, networks in table if _is_in(value, networks)), "")


def network_of(host: str) -> str:
    """The non-public network of a canonical host, or empty."""
    if len(host) > LONGEST_HOST:
        return ""
    if ":" in host:
        return _network_6(read_ipv6(host))
    return _named(read_ipv4(host), NETWORKS_4) if ends_in_number(host) else _network_of_name(host)


def _network_6(value: int) -> str:
    inner = [name for address in carried(value) if (name := _named(address, NETWORKS_4))]
    unassigned = "" if value < 0 or _is_in(value, PUBLIC_6) else "reserved"
    return _named(value, NETWORKS_6) or (inner[0] if inner else unassigned)


def _network_of_name(host: str) -> str:
    if host in METADATA_NAMES:
        return "metadata"
    if host in LOOPBACK_NAMES or host.endswith(".localhost"):
        return "loopback"
    labels = host.rsplit(".", 4)
    suffixes = [".".join(labels[-count:]) for count in range(1, 1 + min(len(labels), 4))]
    return "local-name" if host and (len(labels) == 1 or not LOCAL_SUFFIXES.isdisjoint(suffixes)) else ""
