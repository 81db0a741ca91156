"""Every path and address that a word may spell, for words whose role nobody knows; describes no program."""

from __future__ import annotations

from assent.protected import NOTABLE_HEADS, NOTABLE_NAMES, NOTABLE_SUFFIXES, marks
from assent.resolve import decode_percent

BREAKS = str.maketrans(dict.fromkeys("=,;\"'`()[]{}<>|&\n\t\r", " "))
"""What stands between names in one word: `--opt=path`, `a,b`, `{"file": "path"}`."""
APART = {**BREAKS, **str.maketrans(dict.fromkeys("/:@", " "))}
SIGNS = "@+!^"
"""What may stand before a name: `@path`, `+path`."""
THIS_MACHINE = frozenset({"", "localhost", "127.0.0.1", "[::1]"})
MOST_PIECES = 100
"""Of a longer text only names that are protected count."""


def spelled_in(text: str) -> tuple[list[str], list[str]]:
    """The paths that a word may mean in one reading or another, and the addresses of other machines.

    INVARIANT: no reading is left out because another one is likelier; what comes of it may only raise a verdict.
    """
    paths: dict[str, None] = {}
    addresses: dict[str, None] = {}
    pieces = text.translate(BREAKS).split()
    whole = [] if pieces == [text] or text[:1] == "-" or (" " in text and text[:1] not in "./~") else [text]
    for at, piece in enumerate([*whole, *pieces]):
        found: list[str] = []
        _read(piece.lstrip(SIGNS), found, addresses)
        for path in found:
            if path and not path.isdigit() and (at <= MOST_PIECES or marks(path)):
                paths[path] = None
    return list(paths), list(addresses)


def names_protected(text: str) -> bool:
    """Whether a text may hold the name of anything protected; most code does not. INVARIANT: as `marks` sees it."""
    folded = text.casefold()
    if "%" in text or any(suffix in folded for suffix in NOTABLE_SUFFIXES) or ".env" in folded:
        return True
    pieces = set(folded.translate(APART).split())
    return not (NOTABLE_HEADS.isdisjoint(pieces) and NOTABLE_NAMES.isdisjoint(pieces))


def _read(piece: str, paths: list[str], addresses: dict[str, None]) -> None:
    scheme, is_url, rest = piece.partition("://")
    if is_url:
        _read_url(scheme, rest, piece, paths, addresses)
        return
    if piece[:1] == "-":
        paths += _behind_letters(piece)
        return
    paths.append(piece)
    if ":" in piece or "@" in piece:
        paths += piece.replace("@", ":").split(":")
    if "%" in piece:
        paths += [decode_percent(path) for path in tuple(paths) if "%" in path]


def _read_url(scheme: str, rest: str, piece: str, paths: list[str], addresses: dict[str, None]) -> None:
    """`file://host/path` and other schemes of this machine name files, whatever the case and the percent signs."""
    host, _, path = rest.partition("/")
    of_files = scheme.lower().endswith("file")
    if of_files or host.lower() in THIS_MACHINE:
        path = path.partition("?")[0].partition("#")[0]
        paths += [decode_percent(f"/{path}"), f"/{path}"]
    if of_files and host.lower() not in THIS_MACHINE:
        paths.append(decode_percent(rest))
    elif not of_files and host:
        addresses[piece.lstrip("-")] = None


def _behind_letters(piece: str) -> list[str]:
    """`-opath`, `-I/usr/include`, `--opt~/x`: where a value may begin behind the letters of an option."""
    starts = [piece.find(sign) for sign in ("/", "~", "./", "../") if sign in piece]
    found = [piece[start:] for start in starts]
    if piece[1:2] != "-" and len(piece) > 2:
        found.append(piece[2:])
    return found
