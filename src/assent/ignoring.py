"""What a search leaves out: names in ignore files, and for git only as far as its index does not hold them."""

from __future__ import annotations

from assent.errors import InputError
from assent.resolve import ancestors, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.resolve import Entry
    from assent.types import Skip

IGNORE_FILES = (".gitignore", ".ignore", ".rgignore")
PACKAGES = frozenset("node_modules .venv venv .tox .nox site-packages __pycache__".split())
"""Folders of code from elsewhere, with more files than can be looked at."""
MOST_INDEX = 50_000_000
UNREADABLE = (b"\0link\0", b"sdir\0")
"""Parts of an index that keeps names elsewhere: one that is split, or that names a folder for all that is in it."""


class Ignores:
    """What a walk below one folder leaves out; `read` and `look` ask the disk."""

    def __init__(
        self, folder: str, skip: Skip, read: Callable[[str, int], bytes | None], look: Callable[[str], Entry | None]
    ) -> None:
        self._read, self._look, self._skip = read, look, skip
        self._root, self._top = folder.rstrip("/"), ""
        self._files = IGNORE_FILES[:1] if skip == "untracked" else IGNORE_FILES
        self._names = PACKAGES if skip == "packages" else self._found(folder)
        self._nested: tuple[str, ...] = ()
        self._index: list[bytes | None] = []  # at most one, read when it is needed

    def enters(self, here: str, entries: list[tuple[str, str, int]]) -> bool:
        """Take notice of a folder; false where an ignore file takes something back: then nothing is left out."""
        if self._names and self._skip != "packages":
            names = {entry[0] for entry in entries}
            if ".git" in names and here != self._root:  # what is said above a repository says nothing about it
                self._nested += (f"{here}/",)
            for name in self._files:
                if name in names and self._plain(here, name) is None:
                    return False
        return True

    def leaves_out(self, name: str, path: str, kind: str) -> bool:
        if self._skip in ("folders", "packages") and kind != "folder":
            return False
        if name == ".git":
            return True
        named = name in self._names or path in self._names
        if kind == "folder" and not named:
            named = f"{name}/" in self._names or f"{path}/" in self._names
        if not named or path.startswith(self._nested):
            return False
        return self._skip != "untracked" or not self._is_tracked(path, kind)

    def kept(self, here: str, folders: list[str]) -> list[str]:
        """Those of the folders in a folder that are not left out."""
        return [path for path in folders if not self.leaves_out(path[len(here) + 1 :], path, "folder")]

    def _found(self, folder: str) -> frozenset[str]:
        """What ignore files from here up to the repository's root name plainly; nothing outside a repository."""
        found: frozenset[str] = frozenset()
        for here in ancestors(normalise(folder)):
            for name in self._files:
                plain = self._plain(here, name)
                if plain is None:
                    return frozenset()
                found |= plain
            if self._look(f"{here}/.git"):
                self._top = here.rstrip("/")
                return found if self._skip == "untracked" or not self._takes_back(here) else frozenset()
        return frozenset()

    def _takes_back(self, top: str) -> bool:
        """Whether a file above the repository takes something back: those of search tools count up to the root."""
        above = [here for here in ancestors(top) if here != top]
        return any(self._plain(here, name) is None for here in above for name in IGNORE_FILES[1:])

    def _plain(self, folder: str, name: str) -> frozenset[str] | None:
        """Names (anywhere) and paths (here) without wildcards; None when something is taken back with `!`."""
        try:
            lines = (self._read(f"{folder}/{name}", 1_000_000) or b"").decode().split("\n")
        except (InputError, UnicodeDecodeError):
            return None
        return plain_ignores(lines, folder)

    def _is_tracked(self, path: str, kind: str) -> bool:
        """Whether git holds a file, or one below a folder, although it is ignored; what cannot be known may be so."""
        if not self._index:
            self._index.append(self._read_index())
        index = self._index[0]
        name = path[len(self._top) + 1 :] + ("/" if kind == "folder" else "\0")
        return index is None or name.encode("utf-8", "surrogateescape") in index

    def _read_index(self) -> bytes | None:
        """The names of all tracked files, among other things; None where an index of that kind does not show them."""
        kept = f"{self._top}/.git"
        entry = self._look(kept)
        try:
            if entry is not None and entry.kind == "file":
                pointer = (self._read(kept, 1_000) or b"").decode().removeprefix("gitdir: ").rstrip("\r\n")
                kept = pointer if pointer.startswith("/") else f"{self._top}/{pointer}"
            index = self._read(f"{kept}/index", MOST_INDEX) or b""
        except (InputError, UnicodeDecodeError, OSError):
            return None
        shortened = index[4:8] > b"\0\0\0\3"
        return None if shortened or any(part in index for part in UNREADABLE) else index


def plain_ignores(lines: list[str], folder: str) -> frozenset[str] | None:
    """What an ignore file in a folder names without wildcards; None when something is taken back with `!`.

    With a slash at its end it means folders only. A blank before it, or another sign than a blank behind it, belongs to
    it for some programs and not for others: what is named so is not left out.
    """
    lines = [line.removeprefix("\ufeff").rstrip(" ") for line in lines]
    if any(line.startswith("!") for line in lines):
        return None
    plain = [line for line in lines if not line.startswith("#") and line == line.strip()]
    return frozenset(
        folder.rstrip("/") + text if text.startswith("/") else text
        for text in plain
        if text.strip("/") and "/" not in text[1:-1] and not any(sign in text for sign in "*?[\\")
    )
