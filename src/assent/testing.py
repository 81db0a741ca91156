"""Fakes for tests, ours and our users': a file system in memory, a person who follows a script, a journal in a list."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from assent.errors import InputError
from assent.resolve import Entry, ancestors, normalise
from assent.trees import TreeWorld

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from assent.approval.channel import Inbox
    from assent.questions import ApprovalRequest, State
    from assent.trees import Listing


class FrozenWorld(TreeWorld):
    """A file system that is only a mapping of absolute paths to contents; it never touches the disk.

    Folders are implied, a path that ends in `/` is an empty one. `links` maps a symbolic link to its text, `hard_links`
    a second name to a file of `files`, `devices` a name to `block`, `char` or `other` (a pipe or socket).

    >>> world = FrozenWorld({"/home/dev/.ssh/id_rsa": "key"}, links={"/home/dev/proj/d": "../.ssh"})
    >>> world.locate("d/id_rsa", "/home/dev/proj").path
    '/home/dev/.ssh/id_rsa'
    """

    def __init__(
        self,
        files: Mapping[str, str],
        home: str = "/home/dev",
        links: Mapping[str, str] = {},
        hard_links: Mapping[str, str] = {},
        folded: bool = False,
        windows: bool = False,
        devices: Mapping[str, str] = {},
    ) -> None:
        super().__init__()
        self.home, self.windows, self.folded = home, windows, folded
        self._entries: dict[str, Entry] = {}
        self._spelled: dict[str, str] = {}
        contents = {**files, **{name: files[file] for name, file in hard_links.items()}}
        self._contents = {self._key(path): text for path, text in contents.items()}
        kinds = {**dict.fromkeys(contents, "file"), **dict.fromkeys(links, "link"), **devices, home + "/": "folder"}
        for path, kind in kinds.items():
            self._add_folders(normalise(path if path.endswith("/") else path + "/.."))
            if not path.endswith("/"):
                self._add(path, Entry(kind, links.get(path, ""), self._new_inode()))
        for file in hard_links.values():
            self._share([file, *(name for name, other in hard_links.items() if other == file)])

    def look(self, path: str) -> Entry | None:
        return self._entries.get(self._key(path))

    def same(self, path: str, other: str) -> bool:
        return self.look(other) is self.look(path)

    def entries(self, folder: str, most: int) -> Listing:
        folder = self._real(folder)
        entry = self.look(folder)
        if entry is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", folder)
        if entry.kind != "folder":
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory", folder)
        start = self._key(folder).rstrip("/") + "/"
        inside = [key for key in self._entries if key.rpartition("/")[0] + "/" == start and key != "/"]
        names = sorted(
            (self._spelled[key].rpartition("/")[2], self._shown(key), self._entries[key].inode[1]) for key in inside
        )
        return names[:most], len(names) <= most

    def read_file(self, path: str, limit: int) -> bytes | None:
        """As `DiskWorld.read_file`."""
        folder, _, name = path.rpartition("/")
        path = f"{self._real(folder or '/').rstrip('/')}/{name}"
        entry = self.look(path)
        if entry is None:
            return None
        if entry.kind != "file":
            raise InputError(f"cannot read `{path}`: not a regular file", help="links are not followed here")
        content = self._contents[self._key(path)].encode()
        if len(content) > limit:
            raise InputError(f"cannot read `{path}`: larger than {limit} bytes")
        return content

    def is_public(self, path: str) -> bool:
        """True for every file, there or not: a frozen world has one owner, and no rights."""
        entry = self.look(path)
        return entry is None or entry.kind == "file"

    def owner_ok(self, path: str) -> bool:
        """True for whatever exists: a frozen world has one owner."""
        return self.look(path) is not None

    def _key(self, path: str) -> str:
        return path.casefold() if self.folded else path

    def _shown(self, key: str) -> str:
        kind = self._entries[key].kind
        return kind if kind in ("folder", "link") else "file"

    def _new_inode(self) -> tuple[int, int]:
        return 1, len(self._entries) + 1

    def _add(self, path: str, entry: Entry) -> None:
        self._entries[self._key(path)] = entry
        self._spelled[self._key(path)] = path

    def _add_folders(self, path: str) -> None:
        for folder in ancestors(path):
            if self._key(folder) not in self._entries:
                self._add(folder, Entry("folder", inode=self._new_inode()))

    def _share(self, names: Iterable[str]) -> None:
        """Make all names one object."""
        keys = [self._key(name) for name in names]
        shared = Entry("file", inode=self._entries[keys[0]].inode, links=len(keys))
        self._entries |= dict.fromkeys(keys, shared)


class ScriptedChannel:
    """A person who answers by a function: True, False, a text (no, and why), or None for no answer at all.

    >>> guard = Guard(channels=[ScriptedChannel(lambda request: "deploy" not in request.command)])  # doctest: +SKIP
    """

    def __init__(self, says: Callable[[ApprovalRequest], bool | str | None], name: str = "script") -> None:
        self.name = name
        self.says = says
        self.shown: list[ApprovalRequest] = []
        self.ended: list[tuple[str, State]] = []

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        from assent.questions import Answer

        self.shown.append(request)
        said = self.says(request)
        if said is not None:
            reason = said if isinstance(said, str) else ""
            answer = Answer(
                said is True, self.name, self.name, request.asked_at, reason, fingerprint=request.fingerprint
            )
            inbox.answer(request.id, answer)

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        del said
        self.ended.append((request_id, state))


class MemoryJournal:
    """A journal that is a list: what would have been written, in order."""

    def __init__(self) -> None:
        self.records: list[tuple[str, dict[str, object]]] = []

    def append(self, kind: str, fields: Mapping[str, object]) -> None:
        self.records.append((kind, dict(fields)))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.records]
