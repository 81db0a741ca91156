"""URLs and the host patterns of rules: read strictly to allow, loosely to deny; no name is ever looked up."""

from __future__ import annotations

from assent.addresses import (
    DIGITS,
    HEX,
    LONGEST_HOST,
    carried,
    ends_in_number,
    network_of,
    read_ipv4,
    read_ipv6,
    show_ipv4,
    show_ipv6,
)
from assent.errors import PolicyError
from assent.record import record, replace
from assent.types import Url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 8192
MOST_INSIDE = 8
WEB = ("http", "https")
PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22}

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SCHEME = LETTERS + LETTERS.upper() + DIGITS + "+-."
NAME = LETTERS + DIGITS + "-_"
BLANKS = "".join(map(chr, range(33)))
DROPPED_BY_BROWSERS = dict.fromkeys(map(ord, "\t\n\r"))
# What some client takes for the end of a host or of a user name.
SEPARATORS = {ord(c): "@" for c in "/\\?#&;,|<>\"'`^{}"} | dict.fromkeys((*range(33), 127), "@")
IDNA_DOTS = {0x3002: ".", 0xFF0E: ".", 0xFF61: "."}
IDNA_IGNORED = dict.fromkeys((0x034F, 0x180B, 0x180C, 0x180D, *range(0xFE00, 0xFE10)))


@record
class HostPattern:
    """What a rule says after `domain:`. An empty `host` with `wild` is any host; port 0 is the scheme's default."""

    host: str
    wild: bool = False
    scheme: str = ""
    port: int = 0
    path: str = ""
    """Exact path and query, or a prefix when it ends in `/**`; empty is any path."""


# --- reading a URL -------------------------------------------------------------------------------------------------


def parse(text: str) -> Url:
    """Read a URL; never fails, but says in `trouble` why the reading must not be trusted."""
    scheme, rest = _scheme(_as_browsers_strip(text))
    web = scheme in WEB or not scheme
    authority, path = _authority(rest, slashes="/\\" if web else "")
    name, port, odd_port = _port(authority.rpartition("@")[2], PORTS.get(scheme, 0))
    host, odd_host = _host(name) if web or name else ("", "")
    odd = _odd_text(text) or (_odd_shape(scheme, rest) if web else "") or odd_host or odd_port
    local = network_of(host) or (_hidden_network(text) if odd else "")
    return Url(text, scheme, host, port, path.partition("#")[0] or "/", local, odd)


def _as_browsers_strip(text: str) -> str:
    return text.translate(DROPPED_BY_BROWSERS).strip(BLANKS)


def _scheme(text: str) -> tuple[str, str]:
    head, colon, rest = text.partition(":")
    named = colon and head[:1].isalpha() and not head.strip(SCHEME)
    host_and_port = head.lower() not in WEB and _is_port(rest[: _first(rest, "/?#")])
    return (head.lower(), rest) if named and not host_and_port else ("", text)


def _is_port(text: str) -> bool:
    return 0 < len(text) < 6 and not text.strip(DIGITS)


def _authority(rest: str, slashes: str) -> tuple[str, str]:
    """Browsers skip any number of slashes of a web URL, the other schemes have two or no authority."""
    if not slashes and not rest.startswith("//"):
        return "", rest
    start = rest.lstrip(slashes) if slashes else rest[2:]
    end = _first(start, "/?#\\")
    path = start[end:]
    return start[:end], "/" + path if path.startswith("?") else path


def _first(text: str, stops: str) -> int:
    return min((at for stop in stops if (at := text.find(stop)) >= 0), default=len(text))


def _port(text: str, default: int) -> tuple[str, int, str]:
    """The host without its port, the port, and what is wrong with it."""
    closing = text.find("]") + 1 if text.startswith("[") else 0
    name, colon, port = text[closing:].partition(":")
    name = text[:closing] + name
    if not colon:
        return name, default, ""
    if not _is_port(port) or port.startswith("0") or int(port) > 65535:
        return name, 0, "port is not a plain number between 1 and 65535"
    return name, int(port), ""


def _odd_text(text: str) -> str:
    if len(text) > LONGEST:
        return f"longer than {LONGEST} characters"
    if not text.isprintable() or " " in text:
        return "blank, control or invisible character"
    return "backslash" if "\\" in text else ""


def _odd_shape(scheme: str, rest: str) -> str:
    if not scheme:
        return "no scheme"
    if not rest.startswith("//") or rest.startswith("///"):
        return "missing or extra slashes after the scheme"
    return "`@` before the path" if "@" in rest[2:].partition("/")[0] else ""


# --- reading a host ------------------------------------------------------------------------------------------------


def _host(name: str) -> tuple[str, str]:
    """The canonical host and what is wrong with it."""
    if len(name) > LONGEST_HOST:
        return name.lower(), "host is too long"
    if name.startswith("["):
        value = read_ipv6(name[1:-1].lower()) if name.endswith("]") else -1
        return (name.lower(), "not a valid IPv6 address") if value < 0 else (show_ipv6(value), "")
    host = _ascii(_fold(_unquote(name))).removesuffix(".")
    if ends_in_number(host):
        value = read_ipv4(host)
        return (host, "not a valid IPv4 address") if value < 0 else (show_ipv4(value), _odd_spelling(name, value))
    return host, _odd_spelling(name) or _odd_name(host)


def looked_up(name: str) -> str:
    """The name that is asked for at the domain name system: lower case, and letters outside ASCII as `xn--…`."""
    return _ascii(_fold(name))


def _odd_spelling(name: str, address: int = -1) -> str:
    if "%" in name:
        return "percent-encoding in the host"
    if not name.isascii():
        return "letters outside ASCII in the host"
    usual = address < 0 or name.removesuffix(".") == show_ipv4(address)
    return "" if usual else "address in an unusual notation"


def _odd_name(host: str) -> str:
    if not host:
        return "no host"
    if len(host) > 253:
        return "host is too long"
    return next((odd for label in host.split(".") if (odd := _odd_label(label))), "")


def _odd_label(label: str) -> str:
    if not label or len(label) > 63:
        return "empty or overlong label in the host"
    if label.strip(NAME) or label[0] == "-" or label[-1] == "-":
        return "invalid character in the host"
    return "invalid punycode in the host" if label.startswith("xn--") and not _is_punycode(label) else ""


def _is_punycode(label: str) -> bool:
    try:
        shown = label[4:].encode().decode("punycode")
    except (ValueError, OverflowError):
        return False
    return not shown.isascii() and shown.isprintable() and _ascii(_fold(shown)) == label


def _fold(text: str) -> str:
    """What IDNA makes of a host before it looks at its labels: compatibility forms, ideographic dots, case."""
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    folded = normalize("NFKC", text.translate(IDNA_IGNORED)).translate(IDNA_DOTS).lower()
    return "".join([c for c in folded if c.isascii() or c.isprintable()])


def _ascii(host: str) -> str:
    return host if host.isascii() else ".".join(map(_ascii_label, host.split(".")))


def _ascii_label(label: str) -> str:
    return label if label.isascii() or len(label) > 63 else "xn--" + label.encode("punycode").decode("ascii")


def _unquote(text: str) -> str:
    if "%" not in text:
        return text
    head, *parts = text.split("%")
    found = bytearray(head.encode("utf-8", "surrogatepass"))
    for part in parts:
        code = part[:2]
        good = len(code) == 2 and not code.strip(HEX)
        found += bytes((int(code, 16),)) if good else b"%"
        found += part[2 if good else 0 :].encode("utf-8", "surrogatepass")
    return found.decode("utf-8", "replace")


# --- what other clients might read ---------------------------------------------------------------------------------


def readings(text: str) -> tuple[str, ...]:
    """Every host that some client could find in a URL: user names, decoded, normalised and wrapped forms included."""
    region = _scheme(_as_browsers_strip(text))[1].lstrip("/\\").partition("/")[0]
    if len(region) > LONGEST_HOST:
        region = region[: LONGEST_HOST // 2] + "@" + region[-LONGEST_HOST // 2 :]
    for _ in range(3):
        region = _unquote(region)
    pieces = [piece for piece in _fold(region).casefold().translate(SEPARATORS).split("@") if piece]
    return tuple(dict.fromkeys([host for piece in pieces[:8] + pieces[-8:] for host in _hosts(piece)]))


def _hosts(piece: str) -> Iterator[str]:
    inside = piece.partition("[")[2].partition("]")[0] if "[" in piece else piece
    value = read_ipv6(inside.partition("%")[0]) if inside.count(":") > 1 else -1
    if value >= 0:
        yield show_ipv6(value)
        yield from map(show_ipv4, carried(value))
    host = _ascii(piece.partition(":")[0].strip("."))
    yield host
    if ends_in_number(host):
        decimal = ".".join([label.lstrip("0") or "0" for label in host.split(".")])
        yield from [show_ipv4(value) for form in (host, decimal) if (value := read_ipv4(form, wrap=True)) >= 0]


def _hidden_network(text: str) -> str:
    """Like `network_of`, for any reading; a bare word such as a user name does not count."""
    hosts = [host for host in readings(text) if "." in host or ":" in host or host.endswith("localhost")]
    return next((name for host in hosts if (name := network_of(host))), "")


def embedded(url: Url) -> tuple[Url, ...]:
    """The web URLs of other hosts inside path and query, plain or percent-encoded up to three times.

    A value that begins with `//` is one, too, and so is one that names where a machine's keys are handed out. At most
    eight; if there are more, the last one says so in `trouble`. Hosts of one word are ignored.
    """
    found: dict[Url, None] = {}
    text = url.path[:LONGEST]
    for turns_left in (3, 2, 1, 0):
        for inner in map(parse, _inside(text, still_encoded=turns_left > 0)):
            if _is_foreign(inner, url):
                found.setdefault(inner)
        if "%" not in text:
            break
        text = _unquote(text)
    first = tuple(found)[:MOST_INSIDE]
    if len(found) > MOST_INSIDE:
        return *first[:-1], replace(first[-1], trouble=f"more than {MOST_INSIDE} URLs inside one")
    return first


def _inside(text: str, *, still_encoded: bool) -> Iterator[str]:
    """The texts that start like web URLs, also with one slash, as servers often collapse two, or with another one; and
    those of any scheme whose host is not on the public internet."""
    if "\\" in text:
        text = text.replace("\\", "/")
    at = text.find(":/")
    while at >= 0:
        head = text[max(at - 5, 0) : at].lower()
        if text[at + 1 : at + 3] == "//" and not head.endswith(WEB) and head[-1:].isalnum():
            yield from _of_other_scheme(text[at + 3 :])
        if head.endswith(WEB):
            found = text[at - 5 if head == "https" else at - 4 :]
            found = found[: _first(found, " \t\r\n\"'<>`")]
            authority = _authority(found.partition(":")[2], slashes="/\\")[0]
            if not (still_encoded and "%" in authority):
                yield found if "@" in authority else found[: _first(found, "&;,|()")]
        at = text.find(":/", at + 2)
    yield from _values(text)


def _of_other_scheme(rest: str) -> Iterator[str]:
    """`gopher://127.0.0.1:6379/`: what a server is told to speak to, in whatever way."""
    found = rest[: _first(rest, " \t\r\n\"'<>`&;,|()")]
    if network_of(parse(f"http://{found}").host) not in ("", "local-name"):
        yield f"http://{found}"


def _values(text: str) -> Iterator[str]:
    """Values of a query that a server would complete to a web URL: `?u=//host/x`, `?host=169.254.169.254`, and with a
    port `?u=localhost:8080`."""
    for piece in text.split("=")[1:]:
        value = piece[: _first(piece, "&;#")]
        bare = value.lstrip("/\\")
        if len(value) - len(bare) >= 2:
            yield f"http://{bare}"
        elif value:
            name = bare[: _first(bare, "/?:\\")]
            network = network_of(_host(name)[0])
            usual = name.count(".") == 3 or name.lower().endswith("localhost")
            if network == "metadata" or (network and usual and _is_port(_behind_colon(bare[len(name) :]))):
                yield f"http://{value}"


def _behind_colon(text: str) -> str:
    """The port in what stands behind a host."""
    return text[1 : _first(text, "/?")] if text[:1] == ":" else ""


def _is_foreign(inner: Url, outer: Url) -> bool:
    known = "." in inner.host or ":" in inner.host or inner.local not in ("", "local-name")
    return known and (inner.host != outer.host or bool(inner.trouble))


# --- host patterns of rules ----------------------------------------------------------------------------------------


def host_pattern(text: str) -> HostPattern:
    """Read what a rule says after `domain:`: a host, `*.host`, `*`, each with an optional port, or a web URL.

    Raises PolicyError if nothing could ever match.
    """
    scheme, mark, rest = text.partition("://") if "://" in text else ("", "", text)
    if mark and scheme.lower() not in WEB:
        raise _wrong(text, "only web addresses have a domain", "use `https://` or `http://`, or leave the scheme out")
    cut = _first(rest, "/")
    if not mark and cut < len(rest):
        raise _wrong(text, "a domain has no path", f"write `https://{rest}`")
    name, path = rest[:cut], rest[cut:]
    wild = name.startswith("*.") or name.partition(":")[0] == "*"
    url = _stand_in(text, "x" + name[1:] if wild else name, scheme.lower() or "https")
    port = url.port if _port(name, 0)[1] else 0
    return HostPattern(url.host[2:] if wild else url.host, wild, scheme.lower(), port, _pattern_path(text, path))


def _stand_in(text: str, name: str, scheme: str) -> Url:
    """The pattern as if it were a URL, so that both are canonical in the same way."""
    if not name or name == "x.":
        raise _wrong(text, "no host", "write a host name such as `docs.python.org` or `*.example.com`")
    if "*" in name:
        raise _wrong(text, "`*` stands for whole labels at the left", "write `*.example.com`, or `*` for any host")
    if not name.isprintable() or any(c in name for c in " ?#%@\\"):
        raise _wrong(text, "a character that no host name has", "write only the host name, without user or query")
    plain, colon, port = (name, "", "") if name.startswith("[") else name.partition(":")
    url = parse(f"{scheme}://{_ascii(_fold(plain))}{colon}{port}/")
    if url.trouble:
        advice = "put IPv6 addresses into brackets: `[::1]`" if ":" in port else "write it as a browser would show it"
        raise _wrong(text, url.trouble, advice)
    return url


def _pattern_path(text: str, path: str) -> str:
    fixed = path.removesuffix("/**")
    if "*" in fixed:
        raise _wrong(text, "`*` in a path is only possible as a final `/**`", "end the path with `/**`")
    if not path.isprintable() or " " in path or "#" in path or _is_slippery(fixed):
        raise _wrong(text, "no URL that is safe to allow has this path", "write the path plainly, without `..` or `//`")
    return path


def _wrong(text: str, why: str, help: str) -> PolicyError:
    return PolicyError(f"`{text}` is not a domain: {why}", help=help)


def covers(pattern: HostPattern, url: Url) -> bool:
    """Whether an allow rule with this pattern may allow the URL: no trouble, https, usual port, exact host.

    Local hosts must be meant (`localhost`, `*.corp.internal`), and may then use http and any port.
    """
    local = is_local_pattern(pattern)
    schemes = (pattern.scheme,) if pattern.scheme else WEB if local else ("https",)
    if url.trouble or not url.host or url.scheme not in schemes:
        return False
    if url.port != pattern.port and (pattern.port or (not local and url.port != PORTS[url.scheme])):
        return False
    if not pattern.wild:
        return url.host == pattern.host and _path_covers(pattern.path, url.path)
    if ":" in url.host or ends_in_number(url.host) or url.local == "metadata" or (url.local and not local):
        return False
    return url.host.endswith("." + pattern.host if pattern.host else "") and _path_covers(pattern.path, url.path)


def _path_covers(pattern: str, path: str) -> bool:
    if pattern in ("", "/**"):
        return True
    if _is_slippery(path):
        return False
    prefix = pattern.removesuffix("/**")
    plain = path.partition("?")[0]
    return path == pattern if prefix == pattern else plain == prefix or plain.startswith(prefix + "/")


def _is_slippery(path: str) -> bool:
    """Whether a server could take the path for another one."""
    plain = path.partition("?")[0].lower()
    return any(part in plain for part in ("..", "//", "\\", "%2e", "%2f", "%5c", "%25"))


def touches(pattern: HostPattern, url: Url) -> bool:
    """Whether a deny or ask rule with this pattern is about the URL, in any reading of it, or about a subdomain."""
    scheme = url.scheme == (pattern.scheme or url.scheme)
    port = not pattern.port or url.port in (0, pattern.port)
    if not url.trouble and not (scheme and port and _path_touches(pattern.path, url.path)):
        return False
    plain = not url.trouble and url.scheme in WEB and ":" not in url.host
    hosts = (url.host,) if plain else (url.host, *readings(url.text))
    return not pattern.host or any(("." + host).endswith("." + pattern.host) for host in hosts)


def _path_touches(pattern: str, path: str) -> bool:
    if pattern in ("", "/**") or _is_slippery(path):
        return True
    wanted, plain = _unquote(pattern).casefold(), _unquote(path).casefold()
    prefix = wanted.removesuffix("/**")
    return plain == prefix or plain.startswith((prefix + "/", prefix + "?", prefix + ";"))


def is_local_pattern(pattern: HostPattern) -> bool:
    """Whether every host of the pattern is on a non-public network by its name alone."""
    return bool(network_of("x." + pattern.host if pattern.wild else pattern.host)) if pattern.host else False
