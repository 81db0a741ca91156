"""What a search leaves out: names in ignore files, for git only as far as its index does not hold them, and folders
that the command itself names."""

from __future__ import annotations

from assent.errors import InputError
from assent.globs import match_name, name_test
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
        self._taken_back: list[Callable[[str], bool]] = []
        self._readable = True
        self._names = PACKAGES if skip == "packages" else self._found(folder)
        self._starred = [text for text in self._names if "*" in text]
        self._nested: tuple[str, ...] = ()
        self._index: list[bytes | None] = []  # at most one, read when it is needed

    def enters(self, here: str, entries: list[tuple[str, str, int]]) -> bool:
        """Take notice of a folder; false where nobody knows what a file in it takes back: then nothing is left out."""
        if (self._names or self._skip == "shown") and self._skip != "packages":
            names = {entry[0] for entry in entries}
            if ".git" in names and here != self._root:  # what is said above a repository says nothing about it
                self._nested += (f"{here}/",)
            for name in self._files:
                if name in names:
                    self._named_by(here, name)
        return self._readable

    def leaves_out(self, name: str, path: str, kind: str) -> bool:
        if self._skip in ("folders", "packages") and kind != "folder":
            return False
        if name == ".git":
            return True
        named = name in self._names or path in self._names or (self._skip == "shown" and name[:1] == ".")
        if kind == "folder" and not named:
            named = f"{name}/" in self._names or f"{path}/" in self._names
        if not named and self._starred:
            named = any(
                match_name(text, name) or (kind == "folder" and match_name(text, f"{name}/")) for text in self._starred
            )
        if not named or path.startswith(self._nested) or any(test(name) for test in self._taken_back):
            return False
        return self._skip != "untracked" or not self._is_tracked(path, kind)

    def kept(self, here: str, folders: tuple[str, ...]) -> list[str]:
        """Those of the folders in a folder that are not left out."""
        return [path for path in folders if not self.leaves_out(path[len(here) + 1 :], path, "folder")]

    def _found(self, folder: str) -> frozenset[str]:
        """What ignore files from here up to the repository's root name plainly; nothing outside a repository.

        Above it those of search tools count, too, for what they take back.
        """
        found: frozenset[str] = frozenset()
        for here in ancestors(normalise(folder)):
            for name in IGNORE_FILES[1:] if self._top else self._files:
                plain = self._named_by(here, name)
                found |= frozenset() if self._top else plain
            if not self._top and self._look(f"{here}/.git"):
                self._top = here.rstrip("/") or "/"
                if self._skip == "untracked":
                    break
        return found if self._top else frozenset()

    def _named_by(self, folder: str, name: str) -> frozenset[str]:
        """Names (anywhere, also with stars) and paths (here); what is taken back with `!` is noted."""
        try:
            lines = (self._read(f"{folder}/{name}", 1_000_000) or b"").decode().split("\n")
        except (InputError, UnicodeDecodeError):
            self._readable = False
            return frozenset()
        plain, back = plain_ignores(lines, folder)
        for part in back:
            test = name_test(part.casefold())
            self._readable = self._readable and test is not None
            self._taken_back += [test] if test is not None else []
        return plain

    def _is_tracked(self, path: str, kind: str) -> bool:
        """Whether git holds a file, or one below a folder, although it is ignored; what cannot be known may be so."""
        if not self._index:
            self._index.append(self._read_index())
        index = self._index[0]
        name = path[len(self._top.rstrip("/")) + 1 :] + ("/" if kind == "folder" else "\0")
        return index is None or name.encode("utf-8", "surrogateescape") in index

    def _read_index(self) -> bytes | None:
        """The names of all tracked files, among other things; None where an index of that kind does not show them."""
        kept = f"{self._top.rstrip('/')}/.git"
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


class LeftOut:
    """What a walk below one folder leaves out because the command names it.

    `name` is what lies in such a folder anywhere, `/name` in one in the first folder itself; the folder is there, and
    may be handed on. `.` is whatever is hidden by a dot, `*` whatever lies in another folder than the first.
    """

    def __init__(self, folder: str, names: str) -> None:
        self._root, self._names = folder.rstrip("/"), frozenset(names.split(","))
        self._shown, self._flat = "." in self._names, "*" in self._names

    def enters(self, here: str, entries: list[tuple[str, str, int]]) -> bool:  # noqa: ARG002
        return True

    def leaves_out(self, name: str, path: str, kind: str) -> bool:  # noqa: ARG002
        return self._shown and name[0] == "."

    def kept(self, here: str, folders: tuple[str, ...]) -> list[str]:
        return [path for path in folders if self._enters(here, path[len(here) + 1 :])]

    def _enters(self, here: str, name: str) -> bool:
        if self._flat or name in self._names or (self._shown and name[0] == "."):
            return False
        return here != self._root or f"/{name}" not in self._names


def _last_name(text: str) -> str:
    """The last name in a pattern; brackets in it may be anything."""
    name = text.rstrip("/").rpartition("/")[2]
    start = name.find("[")
    return name if start < 0 else f"{name[:start]}*{name[name.rfind(']') + 1 :] if ']' in name else ''}"


def plain_ignores(lines: list[str], folder: str) -> tuple[frozenset[str], set[str]]:
    """What an ignore file in a folder names, with no other wildcards than stars, and what it takes back with `!`.

    Of `!a/b` that is `b`: what lies in a folder that is left out stays so, whatever is said about it.

    With a slash at its end a name means folders only. A blank before it, or another sign than a blank behind it, is a
    part of it for some programs and not for others: what is named so is not left out.
    """
    lines = [line.rstrip(" ") for line in "\n".join(lines).removeprefix("\ufeff").split("\n")]
    back = {_last_name(line[1:]) for line in lines if line.startswith("!") and line.strip("!/")}
    plain = [line for line in lines if not line.startswith(("#", "!")) and line == line.strip()]
    named = frozenset(
        folder.rstrip("/") + text if text.startswith("/") else text
        for text in plain
        if text.strip("/") and "/" not in text[1:-1] and not any(sign in text for sign in "?[\\")
        if "*" not in text or not (text[0] == "/" or "**" in text or "{" in text)
    )
    return named, back
