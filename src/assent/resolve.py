"""Resolves a path the way the kernel would, and knows every other way a host might read it. Pure: it asks `lookup`."""

from __future__ import annotations

from assent.budget import TOO_LARGE
from assent.record import maker, record, replace
from assent.types import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Lookup = Callable[[str], "Entry | None"]

new_place = maker(Place)
MOST_LINKS = 40
"""Where the Linux kernel gives up."""
MOST_CHARACTERS = 4096
MOST_READINGS = 12

EDGES = " \t\n\r\v\f\"'"
HEX = frozenset("0123456789abcdefABCDEF")
STREAMS = frozenset(("/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/.vol"))
OWN_VIEW = frozenset(("/proc", "/proc/self", "/proc/self/task", "/proc/self/task/self"))
UNUSUAL = ("/proc", "/dev/", "/.vol")
MAC_DATA = "/System/Volumes/Data/"
ALIASED = ("/proc/", MAC_DATA)
SPECIAL = (*UNUSUAL, MAC_DATA)
SPECIAL_STARTS = frozenset(place[:5] for place in SPECIAL)
"""A look at these is quicker than a comparison with all of them."""
SLASHES = {0x2044: "/", 0x2215: "/", 0x29F8: "/", 0xFF0F: "/", 0xFF3C: "\\", 0x2216: "\\"}
IGNORABLE = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
DEVICE_NAMES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$", *(f"{n}{i}" for n in ("COM", "LPT") for i in range(10))]
)


@record
class Entry:
    """What one name in a folder is, without following it."""

    kind: str
    """`file`, `folder`, `link`, `block`, `char`, `other`; `magic` for a link only the kernel can follow."""
    target: str = ""
    """The text of a link."""
    inode: tuple[int, int] = (0, 0)
    """Device and number of a file; worlds leave it out for folders, which have one name only."""
    links: int = 1


@record
class Found:
    """A resolved path. `shared` holds the files among its readings that have several hard links."""

    path: str
    names: tuple[str, ...]
    entry: Entry | None
    trouble: str
    shared: tuple[tuple[str, Entry], ...] = ()


FOLDER = Entry("folder")
MAGIC = Entry("magic")


def resolve(path: str, cwd: str, home: str, lookup: Lookup, *, windows: bool = False) -> Found:
    """Everything that can be known about a path; never raises, `trouble` says what is uncertain."""
    if len(path) + len(cwd) > MOST_CHARACTERS:
        return _resolve_overlong(path, cwd, home, lookup, windows=windows)
    doubts: list[str] = []
    if _is_plain(path) and cwd[:1] == "/" and cwd.isascii() and "\0" not in cwd and not windows:
        readings = [path]
    else:
        readings = _readings(path, cwd, home, doubts, windows=windows)
        lookup = _nothing if windows and any(map(_is_foreign, readings)) else _once(lookup)
    walks = [_walk(one if one[:1] == "/" else f"{cwd}/{one}", cwd, lookup, doubts) for one in readings]
    names = {name: None for found, _entry in walks for name in found}
    for name in tuple(names):
        if name.startswith(ALIASED) or not name.isascii():
            names |= dict.fromkeys(_aliases(name))
    shared = [(found[0], e) for found, e in walks if e is not None and e.kind == "file" and e.links > 1]
    return Found(walks[0][0][0], tuple(names), walks[0][1], "; ".join(dict.fromkeys(doubts)), tuple(shared))


def by_name(path: str, cwd: str, home: str, *, windows: bool = False) -> Place:
    """A path as its words name it, without a look at the disk: enough for what is closed or denied, never to allow."""
    if not windows and is_ordinary(path) and is_ordinary(cwd):
        name = normalise(path if path[0] == "/" else f"{cwd}/{path}")
        return Place(name, (name,), trouble=TOO_LARGE)
    found = resolve(path, cwd, home, _nothing, windows=windows)
    return Place(found.path, found.names, trouble=TOO_LARGE)


def follow(path: str, lookup: Lookup) -> Found:
    """Resolve an absolute path found on the disk, which means what it says: no `~`, no `%41`."""
    doubts: list[str] = []
    names, entry = _walk(path, "/", lookup, doubts)
    return Found(names[0], tuple(dict.fromkeys(names)), entry, "; ".join(dict.fromkeys(doubts)))


def _resolve_overlong(path: str, cwd: str, home: str, lookup: Lookup, *, windows: bool) -> Found:
    """No kernel takes such a path; a host that tidies it first might, when `/./././` is all that makes it long."""
    trouble = "the path is too long"
    short = path[: path[:1] == "/"] + "/".join([part for part in path.split("/") if part and part != "."])
    if len(short) + len(cwd) > MOST_CHARACTERS:
        name = normalise(path if path[:1] == "/" else f"{cwd}/{path}")
        ends = (name[:MOST_CHARACTERS], "/" + name[-MOST_CHARACTERS:])  # enough for whoever only looks for danger
        return Found(ends[0], ends if len(name) > MOST_CHARACTERS else (name,), None, trouble)
    found = resolve(short, cwd, home, lookup, windows=windows)
    return replace(found, trouble="; ".join(filter(None, (trouble, found.trouble))))


def is_ordinary(path: str) -> bool:
    """Whether a path is one that `resolve` reads in one way only, and nothing about it is special by its name alone."""
    if not _is_plain(path) or len(path) > MOST_CHARACTERS // 2:
        return False
    return path[:5] not in SPECIAL_STARTS or not path.startswith(SPECIAL)


def is_straight(folder: str, lookup: Lookup) -> bool:
    """Whether a folder is there, written without detours, and neither it nor one above it is a link."""
    if normalise(folder) != folder:
        return False
    while folder and folder != "/":
        entry = peek(folder, lookup, [])
        if entry is None or entry.kind != "folder":
            return False
        folder = folder[: folder.rfind("/")]
    return True


def placed(path: str, names: tuple[str, ...], entry: Entry | None, *, folded: bool, trouble: str = "") -> Place:
    """What the pipeline is told about a path that was followed."""
    if entry is None:
        return new_place(path, names, False, False, "", folded, trouble, (), 1)
    kind = entry.kind
    device = kind if kind in ("block", "char") else ""
    links = entry.links if kind == "file" else 1
    return new_place(path, names, kind != "", kind == "folder", device, folded, trouble, (), links)


def straight(path: str, start: str, lookup: Lookup) -> tuple[str, str, Entry | None] | None:
    """Follow an ordinary path from a straight folder: where it leads, what of it exists, and what is there.

    None as soon as the way is not straight: a link, a file with several names, something that cannot be looked at.
    """
    here = deepest = "" if path[0] == "/" or start == "/" else start
    entry: Entry | None = FOLDER
    try:
        for part in path.split("/"):
            if not part or part == ".":
                continue
            here = f"{here}/{part}"
            if entry is not None:
                entry = lookup(here)
                if entry is not None:
                    deepest = here
                    if entry is not FOLDER and (entry.kind == "link" or entry.links > 1):
                        return None
    except (OSError, ValueError):
        return None
    if not here:
        return "/", "/", FOLDER
    if here[:5] in SPECIAL_STARTS and here.startswith(SPECIAL):
        return None
    return here, deepest, entry


def normalise(path: str) -> str:
    """The absolute path as a person reads it: `.` and `..` taken literally, links not followed."""
    kept: list[str] = []
    for part in path.split("/"):
        if part == "..":
            del kept[-1:]
        elif part and part != ".":
            kept.append(part)
    return "/" + "/".join(kept)


def ancestors(path: str) -> Iterator[str]:
    """The path itself and every folder above it, up to `/`."""
    while path and path != "/":
        yield path
        path = path[: path.rfind("/")]
    yield "/"


def usual_names(names: tuple[str, ...], moved: tuple[tuple[str, str], ...], *, folded: bool) -> Iterator[str]:
    """How what lies in a moved place would be called if it were at home."""
    for place, real in moved:
        for name in names:
            head, tail = name[: len(real)], name[len(real) :]
            same = head == real or (folded and head.casefold() == real.casefold())
            if same and tail[:1] in ("", "/"):
                yield place + tail


# --- the walk ------------------------------------------------------------------------------------------------------


def _walk(start: str, cwd: str, lookup: Lookup, doubts: list[str]) -> tuple[list[str], Entry | None]:
    """The names of one absolute path, the resolved one first, and what is there."""
    rest = [part for part in start.split("/") if part and part != "."]
    names = ["", normalise(start) if ".." in rest else "/" + "/".join(rest)]
    rest.reverse()
    here, missing, hops, back = "", 0, 0, False
    entry: Entry | None = FOLDER
    while rest:
        part = rest.pop()
        back = part == ".."
        if back:
            if missing or entry is None or entry.kind != "folder":
                doubts.append("`..` after something that is not a folder")
            here, missing, entry = here[: max(here.rfind("/"), 0)], max(missing - 1, 0), FOLDER
            continue
        folder, here = here, f"{here}/{part}"
        entry = _magic(here, cwd, doubts) if here.startswith(UNUSUAL) else None
        if entry is None and not missing:
            try:
                entry = lookup(here)
            except (OSError, ValueError) as error:
                doubts.append(_why(error))
        if entry is None or entry.kind == "magic":
            missing += 1
        elif entry.kind == "link":
            if ".." not in rest:
                names.append("/".join([here, *rest[::-1]]))
            hops += 1
            if hops > MOST_LINKS:
                doubts.append("too many links")
                break
            here, missing = ("", 0) if entry.target[:1] == "/" else (folder, missing)
            rest += [step for step in entry.target.split("/")[::-1] if step and step != "."]
            entry = FOLDER
    if back and here and here not in OWN_VIEW:
        entry = None if missing else peek(here, lookup, doubts)
    names[0] = normalise("/".join([here, *rest[::-1]])) if rest else here or "/"
    return names, None if rest else entry


def peek(path: str, lookup: Lookup, doubts: list[str]) -> Entry | None:
    """Look something up; what cannot be looked at counts as missing, and as a doubt."""
    try:
        return lookup(path)
    except (OSError, ValueError) as error:
        doubts.append(_why(error))
    return None


def _why(error: OSError | ValueError) -> str:
    # Only the system's own words: the path is the agent's, and would speak to whoever reads this.
    said = error.strerror if isinstance(error, OSError) else "not a valid name"
    return f"a part of the path cannot be looked at: {said or 'unknown error'}"


def _magic(path: str, cwd: str, doubts: list[str]) -> Entry | None:
    """Links that mean something else in every process. INVARIANT: they are never followed with our own view."""
    if path in OWN_VIEW:
        return FOLDER
    if path == "/proc/thread-self":
        return Entry("link", "self/task/self")
    if path in STREAMS:
        doubts.append(f"magic link `{path}`")
        return MAGIC
    parts = path.split("/")
    if parts[1] != "proc" or not (parts[2] == "self" or parts[2].isdigit()):
        return None
    where = parts[5:] if len(parts) > 5 and parts[3] == "task" else parts[3:]
    if len(where) != 1 or where[0] not in ("root", "cwd", "exe", "fd", "map_files"):
        return None
    doubts.append(f"magic link `/proc/…/{where[0]}`")
    return {"root": Entry("link", "/"), "cwd": Entry("link", cwd if cwd[:1] == "/" else "/")}.get(where[0], MAGIC)


def _once(lookup: Lookup) -> Lookup:
    """The readings of one path share most of their way; what cannot be looked at is asked for again."""
    known: dict[str, Entry | None] = {}

    def remembered(path: str) -> Entry | None:
        if path not in known:
            known[path] = lookup(path)
        return known[path]

    return remembered


def _nothing(_path: str) -> None:
    """The lookup for names whose mere touch would reach the network."""


def _aliases(name: str) -> Iterator[str]:
    """Further names of the same object that can be told from the name alone."""
    if name.startswith("/proc/") and "/task/" in name:
        parts = name.split("/")
        if len(parts) > 5 and parts[3] == "task":
            yield "/".join(parts[:3] + parts[5:])
    if name.startswith(MAC_DATA):
        yield name[len(MAC_DATA) - 1 :]
    if not name.isascii():
        composed = _compose(name, "NFC")
        yield composed
        yield normalise(_visible(composed))


# --- the readings --------------------------------------------------------------------------------------------------


def _is_plain(text: str) -> bool:
    """True when the text can be read in one way only. INVARIANT: whatever a reader or a doubt looks for is here."""
    if "%" in text or "~" in text or "$" in text or "\\" in text or ":" in text or ".." in text or "\0" in text:
        return False
    return text != "" and text.isascii() and text.strip(EDGES) == text


def _readings(text: str, cwd: str, home: str, doubts: list[str], *, windows: bool) -> list[str]:
    """Every way a host may read the text, the likeliest first."""
    doubts += _general_doubts(text, cwd)
    readers = (*READERS, _without_windows_tails) if windows else READERS
    found: dict[str, None] = {}
    todo = [next(_expanded(text, cwd, home), text), text]
    for one in todo:
        if one in found:
            continue
        if len(found) == MOST_READINGS:
            doubts.append("the path can be read in too many ways")
            break
        found[one] = None
        doubts += _doubts(one)
        if windows:
            doubts += _windows_doubts(one)
        todo += [other for reader in readers for other in reader(one, cwd, home) if other]
    return list(found)


def _expanded(text: str, cwd: str, home: str) -> Iterator[str]:
    """`~/x`, `$HOME/x`, `${PWD}/x`, `file:///x` as their authors meant them."""
    for prefix, folder in (("~", home), ("$HOME", home), ("${HOME}", home), ("$PWD", cwd), ("${PWD}", cwd)):
        rest = text[len(prefix) :]
        if text.startswith(prefix) and rest[:1] in ("", "/"):
            yield folder + rest
            if rest[1:2] == "/":
                yield rest
    if text[:1] == "~" and text[1:2] not in ("", "/"):
        yield f"{home[: home.rfind('/')]}/{text[1:]}"
    if text[:5].lower() == "file:":
        yield from _paths_of_uri(text[5:])


def _paths_of_uri(rest: str) -> Iterator[str]:
    if rest[:2] == "//":
        slash = rest.find("/", 2)
        rest = rest[slash:] if slash >= 0 else "/"
    yield rest
    yield rest.split("?")[0].split("#")[0]


def _as_written(text: str, cwd: str, _home: str) -> Iterator[str]:
    """Hosts that tidy a path before opening it take `..` literally."""
    if ".." in text:
        yield normalise(text if text[:1] == "/" else f"{cwd}/{text}")


def decode_percent(text: str) -> str:
    """A text in which `%2e` and its like are the characters they stand for."""
    first, *pieces = text.encode("utf-8", "replace").split(b"%")
    for piece in pieces:
        digits = piece[:2].decode("latin-1")
        coded = len(digits) == 2 and HEX.issuperset(digits)
        first += bytes((int(digits, 16),)) + piece[2:] if coded else b"%" + piece
    return first.decode("utf-8", "replace")


def _percent_decoded(text: str, _cwd: str, _home: str) -> Iterator[str]:
    if "%" in text:
        yield decode_percent(text)


def _with_slashes(text: str, _cwd: str, _home: str) -> Iterator[str]:
    if "\\" in text:
        yield text.replace("\\", "/")


def _stripped(text: str, _cwd: str, _home: str) -> Iterator[str]:
    """Without the blanks and quotes at its ends, without what follows a NUL, without a macOS named fork."""
    yield text.strip(EDGES).strip()
    yield text.split("\0")[0]
    yield text.split("/..namedfork")[0]


def _compatible(text: str, _cwd: str, _home: str) -> Iterator[str]:
    """As a host reads it that normalises Unicode or drops what nobody sees: `‥/x` and `.\u200b./x` are `../x`."""
    if not text.isascii():
        composed = _compose(text, "NFC")
        yield composed
        yield _visible(composed)
        yield _visible(_compose(text.translate(SLASHES), "NFKC"))


def _without_windows_tails(text: str, _cwd: str, _home: str) -> Iterator[str]:
    """Without a drive letter, and each part without its stream name, trailing dots and blanks."""
    bare = text[2:] if _has_drive(text) else text
    yield "/".join([_without_tail(part) for part in bare.split("/")])


def _without_tail(part: str) -> str:
    name = part.split(":")[0].rstrip(" ")
    return name if name in (".", "..") else name.rstrip(". ")


READERS = (_expanded, _as_written, _percent_decoded, _with_slashes, _stripped, _compatible)


def _compose(text: str, form: str) -> str:
    from unicodedata import normalize  # not needed, and not paid for, by ASCII paths

    return normalize(form, text)  # type: ignore[arg-type]


def _visible(text: str) -> str:
    return "".join([c for c in text if c.isascii() or not any(low <= ord(c) <= high for low, high in IGNORABLE)])


# --- the doubts ----------------------------------------------------------------------------------------------------


def _general_doubts(text: str, cwd: str) -> Iterator[str]:
    if not text:
        yield "the path is empty"
    if cwd[:1] != "/" and text[:1] != "/":
        yield "the working directory is not an absolute path"
    yield from _doubts(cwd, spelled=False)


def _doubts(text: str, *, spelled: bool = True) -> Iterator[str]:
    if "\0" in text:
        yield "the path holds a NUL character"
    if not text.isascii() and ("\ufffd" in text or any("\ud800" <= c <= "\udfff" for c in text)):
        yield "the path is not valid Unicode"
    if not spelled:
        return
    if "\\" in text:
        yield "backslash in path"
    if "..namedfork" in text:
        yield "a named fork of a file"
    if text[:1] == "~" and text[1:2] not in ("", "/"):
        yield "the home of another user"
    if text[:7].lower() == "file://" and text[7:].split("/")[0].lower() not in ("", "localhost"):
        yield "a file on another host"


def _windows_doubts(text: str) -> Iterator[str]:
    if _is_foreign(text):
        yield "a drive, network or device path"
    for part in text.replace("\\", "/").split("/"):
        if ":" in part:
            yield "an alternate data stream"
        if part not in (".", "..") and part[-1:] in (".", " ") and part:
            yield "a name that ends in dots or blanks"
        if part.split(".")[0].split(":")[0].rstrip().upper() in DEVICE_NAMES:
            yield "a reserved device name"
        if any(tail[:1].isdigit() for tail in part.split("~")[1:]):
            yield "a short name"


def _is_foreign(text: str) -> bool:
    flat = text.replace("\\", "/")
    return flat.startswith(("//", "/??/")) or _has_drive(flat)


def _has_drive(text: str) -> bool:
    return text[1:2] == ":" and text[:1].isalpha()
