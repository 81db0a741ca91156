"""File names in the place of a pattern, as a shell finds them: at least every name that bash would find."""

from __future__ import annotations

from assent import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Listing = tuple[list[tuple[str, str, int]], bool]

MOST_NAMES = 1_000
MOST_LISTED = 500
DOTS = ((".", "folder", 0), ("..", "folder", 0))


def names_matching(pattern: str, cwd: str, listing: Callable[[str], Listing]) -> tuple[tuple[str, ...], bool]:
    """Names as the shell writes them, relative where the pattern is, and whether these are all of them."""
    found, complete, listed = ["/" if pattern.startswith("/") else ""], True, 0
    parts = [part for part in pattern.split("/") if part]
    for place, part in enumerate(parts):
        more: list[str] = []
        last = place == len(parts) - 1 and not pattern.endswith("/")
        for start in found:
            if not globs.has_magic(part):
                more.append(f"{start}{part}" if last else f"{start}{part}/")
                continue
            listed += 1
            entries, whole = listing(
                (start if start.startswith("/") else f"{cwd.rstrip('/')}/{start}").rstrip("/") or "/"
            )
            complete = complete and whole and listed <= MOST_LISTED
            # Hidden names only where the pattern says so.
            hidden, wide = part.startswith((".", "[")), wide_of(part)
            more += [
                f"{start}{name}" if last else f"{start}{name}/"
                for name, kind, _ in (*entries, *DOTS)
                if (hidden or name[0] != ".") and (wide == "*" or globs.match_text(wide, name))
                if last or kind != "file"
            ]
            if listed > MOST_LISTED or len(more) > MOST_NAMES:
                return tuple(more[:MOST_NAMES]), False
        found = more
    return tuple(name if pattern.endswith("/") else name.rstrip("/") for name in found), complete


def wide_of(part: str) -> str:
    """A part of a pattern in which classes such as `[[:digit:]]` count as anything."""
    if "[:" in part or "[=" in part or "[." in part or "\\" in part or "**" in part:
        return "*"
    return part
