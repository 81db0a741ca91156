"""Git's index: reads it as git does, and refuses one that would make git write where no file of a project is. Pure.

Git looks at the paths in an index when they are added, not when they are read. `git checkout -- .` would write whatever
somebody put there by hand: `.git/hooks/post-checkout`, or `../outside`.
"""

from __future__ import annotations

import hashlib
import re

from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ALGORITHMS = {20: "sha1", 32: "sha256"}
VERSIONS = (2, 3, 4)
FILE, PROGRAM, LINK, REPOSITORY = 0o100644, 0o100755, 0o120000, 0o160000
MODES = frozenset((FILE, PROGRAM, LINK, REPOSITORY))
STAT, LONG = 40, 0xFFF
EXTENDED, STAGE = 0x4000, 0x3000
SPLIT = b"link"
CARRIED = (SPLIT, b"TREE", b"REUC")
"""Extensions that come along. Others would lead git to other entries (`IEOT`), or hide changes from it (`FSMN`)."""
UNSEEN = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")
"""Signs that a file system of macOS does not see in a name."""
SHORT = re.compile(r"git~\d+")
"""What `.git` is called on Windows as well."""


class UnsoundError(ValueError):
    """The index is none, or one that nobody should use."""


@record
class Entry:
    path: bytes
    mode: int
    stage: int


@record
class Index:
    """What an index lists, and its bytes without what does not come along; `split` if it is a part of one."""

    entries: tuple[Entry, ...]
    data: bytes
    split: bool


def read_index(data: bytes, size: int = 20) -> Index:
    """A sound index. `size` is how many bytes a hash has in this repository."""
    reading = _Reading(data, size)
    entries = tuple(reading.entries())
    extensions = [*reading.extensions()]
    split = any(name == SPLIT for name, _ in extensions)
    _check(entries, split=split)
    kept = data[: reading.end] + b"".join(whole for name, whole in extensions if name in CARRIED)
    return Index(entries, kept + hashlib.new(ALGORITHMS[size], kept).digest(), split)


class _Reading:
    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size, self.end = data, size, 12
        self._body = len(data) - size
        self._version = int.from_bytes(data[4:8])
        if data[:4] != b"DIRC" or self._version not in VERSIONS or self._body < 12:
            raise UnsoundError("it is no index that is understood")

    def entries(self) -> Iterator[Entry]:
        before = b""
        for _ in range(int.from_bytes(self._data[8:12])):
            start = self.end
            flags_at = start + STAT + self._size
            mode = int.from_bytes(self._data[start + 24 : start + 28])
            flags = int.from_bytes(self._data[flags_at : flags_at + 2])
            at = flags_at + 2
            if flags & EXTENDED:
                if self._version < 3:
                    raise UnsoundError("an entry of another version")
                at += 2
            before = self._compressed(at, before) if self._version == 4 else self._plain(at, start)
            if min(len(before), LONG) != flags & LONG:
                raise UnsoundError("the length of a path is wrong")
            yield Entry(before, mode, (flags & STAGE) >> 12)

    def _plain(self, at: int, start: int) -> bytes:
        path = self._text(at)
        self.end = start + ((at - start + len(path) + 8) & ~7)
        if self._data[at + len(path) : self.end].strip(b"\0"):
            raise UnsoundError("a path does not end")
        return path

    def _compressed(self, at: int, before: bytes) -> bytes:
        """A number of bytes to take off the path before, and the rest."""
        byte = self._byte(at)
        strip, at = byte & 0x7F, at + 1
        while byte & 0x80:
            byte = self._byte(at)
            strip, at = ((strip + 1) << 7) | (byte & 0x7F), at + 1
        if strip > len(before):
            raise UnsoundError("a path is shorter than nothing")
        rest = self._text(at)
        self.end = at + len(rest) + 1
        return before[: len(before) - strip] + rest

    def _byte(self, at: int) -> int:
        if at >= self._body:
            raise UnsoundError("it ends too early")
        return self._data[at]

    def _text(self, at: int) -> bytes:
        end = self._data.find(b"\0", at, self._body)
        if end < 0:
            raise UnsoundError("it ends too early")
        return self._data[at:end]

    def extensions(self) -> Iterator[tuple[bytes, bytes]]:
        at = self.end
        while at < self._body:
            end = at + 8 + int.from_bytes(self._data[at + 4 : at + 8])
            if end > self._body or at + 8 > self._body:
                raise UnsoundError("it ends too early")
            name = self._data[at : at + 4]
            if name != SPLIT and not name[:1].isupper():
                raise UnsoundError(f"it needs `{name.decode(errors='replace')}`, which is not understood")
            yield name, self._data[at:end]
            at = end
        if at > self._body:
            raise UnsoundError("it ends too early")


def _check(entries: tuple[Entry, ...], *, split: bool) -> None:
    links = {entry.path for entry in entries if entry.mode in (LINK, REPOSITORY) and not entry.stage}
    for entry in entries:
        if entry.mode not in MODES:
            raise UnsoundError(f"`{shown(entry.path)}` has the mode {entry.mode:o}")
        if not is_inside(entry.path) and (entry.path or not split):  # in a part, what replaces another has no name
            raise UnsoundError(f"`{shown(entry.path)}` is no file of a project")
        if links and not entry.stage and not links.isdisjoint(_above(entry.path)):
            raise UnsoundError(f"`{shown(entry.path)}` is behind a link")
        if entry.mode == LINK and entry.path.rpartition(b"/")[2].lower().startswith(b".gitmodules"):
            raise UnsoundError(f"`{shown(entry.path)}` is a link")


def is_inside(path: bytes) -> bool:
    """Whether a path is one of a project on every system: in it, and not in git's own folder."""
    parts = path.split(b"/")
    if not path or b"" in parts or b"\0" in path:
        return False
    return not any(_is_special(part) for one in parts for part in one.split(b"\\"))


def _is_special(part: bytes) -> bool:
    if part in (b".", b".."):
        return True
    name = UNSEEN.sub("", part.decode(errors="surrogateescape")).partition(":")[0].rstrip(" .").casefold()
    return name == ".git" or SHORT.fullmatch(name) is not None


def _above(path: bytes) -> Iterator[bytes]:
    while b"/" in path:
        path = path.rpartition(b"/")[0]
        yield path


def shown(path: bytes) -> str:
    return path[:200].decode(errors="backslashreplace")
