"""A repository as a confined command gets it: a copy of what git changes, and a place of its own for new objects.

Nothing in the repository's own folder can be changed from inside. When the command has ended, new objects are added and
what is sound of the state is carried back. What git would run or obey is not part of it, and never comes back.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator
from io import BufferedReader

from assent.gitconfig import NotUnderstoodError, settings
from assent.record import record
from assent.sandbox.deadline import Deadline, TooLongError
from assent.sandbox.gitindex import UnsoundError, read_index
from assent.sandbox.gitstate import MOST_REFERENCE, REPLACE, packed, why_packed_unsound, why_unsound
from assent.sandbox.openat import Tree
from assent.sandbox.profile import Profile, is_git_state

DRAFT = "git-"
HEX = frozenset("0123456789abcdef")
PACKED = (".pack", ".rev", ".idx")
"""In this order: without its index nobody looks at a pack."""
NAMED = ("refs/", "HEAD")
ALGORITHMS = {40: "sha1", 64: "sha256"}
BLOCK = 1 << 20
CONFIG, MOST_CONFIG = "config", 1_000_000
PACKED_REFS = "packed-refs"
_BRANCH = re.compile(r'\[branch "[\w./@#+-]+"\]')
_BRANCH_SETTING = re.compile(
    r"\t(?:merge = refs/[\w./@#+-]+|rebase = [a-z]+|description = [\w./@#+-]+|(?:remote|pushRemote) = ([\w./@#+-]+))"
)
HERE = "."
"""The repository itself, as a remote of a branch."""
GONE, TOO_LARGE, EMPTY = "", "too large", hashlib.sha256().hexdigest()
MOST_BYTES = 1 << 28
MOST_REMOVED = 10
"""More references than these go only by the hand of a person."""
PASSING = ("refs/bisect/", "refs/rewritten/", "refs/worktree/")
"""Git makes and removes them by itself."""


@record
class Draft:
    """The copy of one repository, and what its state was."""

    git: str
    folder: str
    before: dict[str, str]


@record
class Left:
    """Something that was not carried back, and whether the draft is kept for it."""

    text: str
    kept: bool = False


def make_drafts(profile: Profile, parent: str) -> tuple[Draft, ...]:
    """A draft for every repository that a profile lets a command change."""
    found = []
    for mount in profile.mounts:
        if mount.kind == "git":
            folder = tempfile.mkdtemp(prefix=DRAFT, dir=parent)
            found.append(_made(mount.path, folder, mount.source))
    return tuple(found)


def _made(git: str, folder: str, objects: str) -> Draft:
    os.chmod(folder, stat.S_IMODE(os.stat(git).st_mode) | 0o700)
    before = {}
    for name in os.listdir(git):
        path = f"{git}/{name}"
        if os.path.islink(path):
            os.symlink(os.readlink(path), f"{folder}/{name}")
        elif is_git_state(name) and os.path.isdir(path):
            os.mkdir(f"{folder}/{name}")
    with Tree(git) as tree:
        for inside in _state(tree):
            os.makedirs(os.path.dirname(f"{folder}/{inside}"), exist_ok=True)
            with tree.open(inside) as stream:
                _put(stream, f"{folder}/{inside}", owned=False)
                before[inside] = _digest(stream)
    for name in ("refs", "refs/heads", "refs/tags", "objects", "objects/info", "objects/pack"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)  # git takes it for a repository only with these
    with open(f"{folder}/objects/info/alternates", "w", encoding="utf-8", errors="surrogateescape") as stream:
        stream.write("".join(f"{place}\n" for place in (objects, *_alternates(f"{git}/objects"))))
    return Draft(git, folder, before)


def _alternates(objects: str) -> Iterator[str]:
    """Where else a repository finds objects, as absolute paths: from the new place a relative one leads elsewhere."""
    try:
        with open(f"{objects}/info/alternates", encoding="utf-8", errors="surrogateescape") as stream:
            lines = stream.read().splitlines()
    except OSError:
        return
    for line in lines:
        if line and not line.startswith("#"):
            yield os.path.normpath(os.path.join(objects, line))


def _state(tree: Tree) -> Iterator[str]:
    """The names of the regular files that are state of a repository."""
    for name in tree.names():
        if is_git_state(name):
            yield from tree.files(name)


def _digest(stream: BufferedReader) -> str:
    stream.seek(0)
    if os.fstat(stream.fileno()).st_size > MOST_BYTES:
        return TOO_LARGE
    return hashlib.file_digest(stream, "sha256").hexdigest()


def _digest_at(path: str) -> str:
    try:
        folder, name = os.path.split(path)
        with Tree(folder) as tree, tree.open(name) as stream:
            return _digest(stream)
    except OSError:
        return GONE


# --- back ------------------------------------------------------------------------------------------------------------


def carry_back(drafts: tuple[Draft, ...], deadline: Deadline | None = None) -> tuple[str, ...]:
    """Bring what a command did to its repositories into them; what did not come along is said, and kept."""
    notes: list[str] = []
    for draft in drafts:
        left = [*_carried(draft, deadline or Deadline())]
        notes += [one.text for one in left]
        if any(one.kept for one in left):
            notes.append(f"what the command did to `{draft.git}` is kept in `{draft.folder}`")
        else:
            with contextlib.suppress(RecursionError):  # a folder in a folder a thousand times: it stays
                shutil.rmtree(draft.folder, ignore_errors=True)
    return tuple(notes)


def _carried(draft: Draft, deadline: Deadline) -> Iterator[Left]:
    try:
        with Tree(draft.folder, deadline) as tree:
            yield from _Objects(draft, tree, deadline).add()
            yield from _State(draft, tree, deadline).change()
            for name in tree.names():
                ours = is_git_state(name) or name == "objects" or name.endswith(".lock")
                if not ours and not os.path.lexists(f"{draft.git}/{name}"):
                    yield Left(f"`{draft.git}/{name}` was not made: only git's state and objects leave the sandbox")
    except (OSError, TooLongError) as error:
        yield Left(f"`{draft.git}` did not get all that the command did: {error}", kept=True)


class _Objects:
    """INVARIANT: an object is added under the name that its content has, and none is replaced."""

    def __init__(self, draft: Draft, tree: Tree, deadline: Deadline) -> None:
        self._draft, self._tree, self._deadline, self._bad = draft, tree, deadline, 0

    def add(self) -> Iterator[Left]:
        for name in self._tree.names("objects"):
            if len(name) == 2 and HEX.issuperset(name) and self._tree.kind(f"objects/{name}") == "folder":
                for rest in self._tree.names(f"objects/{name}"):
                    if HEX.issuperset(rest) and len(rest) + 2 in ALGORITHMS:
                        self._add_loose(name, rest)
        if self._tree.kind("objects/pack") == "folder":
            for name in self._tree.names("objects/pack"):
                if name.endswith(".pack"):
                    self._add_pack(name[:-5])
        if self._bad:
            yield Left(f"`{self._draft.git}` did not get {self._bad} objects that are not what their names say")

    def _add_loose(self, name: str, rest: str) -> None:
        inside = f"objects/{name}/{rest}"
        if self._tree.kind(inside) != "file":
            self._bad += 1
            return
        with self._tree.open(inside) as stream:
            if self._is_object(stream, name + rest):
                self._add(stream, inside)
            else:
                self._bad += 1

    def _add_pack(self, pack: str) -> None:
        if not self._is_pack(pack):
            self._bad += 1
            return
        for end in PACKED:
            if self._tree.kind(f"objects/pack/{pack}{end}") == "file":
                with self._tree.open(f"objects/pack/{pack}{end}") as stream:
                    self._add(stream, f"objects/pack/{pack}{end}")

    def _is_object(self, stream: BufferedReader, name: str) -> bool:
        """Whether a loose object is what it is called."""
        found, unpack = hashlib.new(ALGORITHMS[len(name)]), zlib.decompressobj()
        try:
            while part := stream.read(BLOCK):
                while part:
                    self._deadline.check()
                    found.update(unpack.decompress(part, BLOCK))
                    part = unpack.unconsumed_tail
            found.update(unpack.flush())
        except zlib.error:
            return False
        return found.hexdigest() == name

    def _is_pack(self, pack: str) -> bool:
        """Whether a pack is whole, and its index is of this pack."""
        name = pack.removeprefix("pack-")
        if not HEX.issuperset(name) or len(name) not in ALGORITHMS:
            return False
        size = len(name) // 2
        try:
            with self._tree.open(f"objects/pack/{pack}.pack") as stream:
                left, found = os.fstat(stream.fileno()).st_size - size, hashlib.new(ALGORITHMS[len(name)])
                while left > 0 and (part := stream.read(min(BLOCK, left))):
                    self._deadline.check()
                    found.update(part)
                    left -= len(part)
                trailer = stream.read(size + 1)
            with self._tree.open(f"objects/pack/{pack}.idx") as stream:
                stream.seek(-2 * size, os.SEEK_END)
                return stream.read(size) == trailer == found.digest()
        except (OSError, ValueError):
            return False

    def _add(self, stream: BufferedReader, inside: str) -> None:
        target = f"{self._draft.git}/{inside}"
        if not os.path.lexists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            self._deadline.check()
            _put(stream, target, replace=False)


def _put(
    source: BufferedReader, target: str, *, data: bytes | None = None, replace: bool = True, owned: bool = True
) -> None:
    """A copy of an open file in its place, at one moment; for root with the owner that the folder has.

    `data` is written instead of its content.
    """
    folder, status = os.path.dirname(target), os.fstat(source.fileno())
    draft = os.path.join(folder, f"tmp_assent_{os.urandom(8).hex()}")
    source.seek(0)
    try:
        with open(draft, "xb") as out:
            shutil.copyfileobj(source if data is None else io.BytesIO(data), out, BLOCK)
            os.fchmod(out.fileno(), stat.S_IMODE(status.st_mode) & 0o777)
            if owned and not os.geteuid():
                around = os.stat(folder)
                os.fchown(out.fileno(), around.st_uid, around.st_gid)
        os.utime(draft, ns=(status.st_atime_ns, status.st_mtime_ns))
        if replace:
            os.replace(draft, target)
        else:
            os.link(draft, target)
            os.unlink(draft)
    except BaseException:
        if os.path.lexists(draft):
            os.unlink(draft)
        raise


class _State:
    """Changes what git changes; what goes first, so that a branch `a` can make room for `a/b`."""

    def __init__(self, draft: Draft, tree: Tree, deadline: Deadline) -> None:
        self._draft, self._tree, self._deadline = draft, tree, deadline
        self._after: dict[str, str] = {}
        self._unsound_part = False

    def change(self) -> Iterator[Left]:
        """`HEAD` and the index come last."""
        for name in _state(self._tree):
            self._deadline.check()
            if not name.endswith(".lock"):
                with self._tree.open(name) as stream:
                    self._after[name] = _digest(stream)
        before, after = self._draft.before, self._after
        changed = {name for name in {*before, *after} if before.get(name, GONE) != after.get(name, GONE)}
        left = {*self._lost(changed)}
        if left:
            text = f"`{self._draft.git}` keeps {len(left)} references, lists or logs of them that the command removed"
            yield Left(f"{text}: {', '.join(sorted(left)[:3])}", kept=True)
        for name in sorted(changed - left, key=lambda name: (name in after, name in ("HEAD", "index"), name)):
            self._deadline.check()
            yield from self._changed(name) if name in after else self._removed(name)

    def _lost(self, changed: set[str]) -> Iterator[str]:
        """What must not go: more references than a command of git removes, and logs of those that stay."""
        before, after = self._references(self._draft.before, self._draft.git), self._references(self._after)
        gone = {name for name in before - after if not name.startswith(PASSING)}
        many = len(gone) > MOST_REMOVED or self._tree.kind("refs") != "folder"
        many = many or (bool(gone) and (not after or not gone.isdisjoint(self._heads())))
        stays = many or (PACKED_REFS in changed and self._is_list_refused())
        for name in changed:
            vanished = name not in self._after
            if name.startswith("refs/"):
                yield from (name,) if stays and vanished else ()
            elif name == PACKED_REFS:
                yield from (name,) if many else ()
            elif name.startswith("logs/") and (vanished or self._after[name] == EMPTY):
                place = name.removeprefix("logs/")
                yield from (name,) if many or place == "HEAD" or place in after else ()

    def _is_list_refused(self) -> bool:
        """INVARIANT: a reference that has gone into the list goes only if the list comes."""
        if self._digest_outside(PACKED_REFS) != self._draft.before.get(PACKED_REFS, GONE):
            return True
        if PACKED_REFS not in self._after or self._after[PACKED_REFS] == TOO_LARGE:
            return True
        return bool(self._sound(PACKED_REFS, self._read(PACKED_REFS))[1])

    def _digest_outside(self, name: str) -> str:
        return _digest_at(f"{self._draft.git}/{name}")

    def _references(self, names: dict[str, str], git: str = "") -> set[str]:
        """All names of references: files of their own, and those in one list."""
        try:
            if git:
                with Tree(git) as real, real.open(PACKED_REFS) as stream:
                    listed = packed(stream.read(MOST_BYTES))
            else:
                listed = packed(self._read(PACKED_REFS))
        except OSError:
            listed = {}
        return {name for name in (*names, *listed) if name.startswith("refs/") and not name.startswith(REPLACE)}

    def _heads(self) -> set[str]:
        """The branches that are worked on: the command's, and that of the repository where its `HEAD` stays."""
        data = self._read("HEAD") if self._tree.kind("HEAD") == "file" else b""
        found = {data}
        if why_unsound("HEAD", data) or self._digest_outside("HEAD") != self._draft.before.get("HEAD", GONE):
            with Tree(self._draft.git) as real:
                found.add(_read(real, "HEAD"))
        return {one.decode(errors="surrogateescape").strip().removeprefix("ref: ") for one in found}

    def _changed(self, name: str) -> Iterator[Left]:
        target = f"{self._draft.git}/{name}"
        with self._tree.open(name) as stream:
            data, why = None, "it is too large"
            if self._after[name] != TOO_LARGE:
                data, why = self._sound(name, stream.read())
            if why:
                kept = name == "index" or name == PACKED_REFS or name.startswith(("sharedindex.", "refs/"))
                self._unsound_part |= name.startswith("sharedindex.")
                yield Left(f"`{target}` was not changed: {why}", kept=kept)
            elif name != "index" and self._digest_outside(name) != self._draft.before.get(name, GONE):
                said = f" (the command left it at {self._reference(name)})" if name.startswith(NAMED) else ""
                yield Left(f"`{target}` was not changed: somebody else has changed it meanwhile{said}", kept=True)
            else:
                _make_room(self._draft.git, name)
                _put(stream, target, data=data)

    def _removed(self, name: str) -> Iterator[Left]:
        target = f"{self._draft.git}/{name}"
        why = ""
        if self._tree.kind(name):
            why = "it is no file any more"
        elif name in ("HEAD", CONFIG):
            why = "without it there is no repository"
        if why:
            yield Left(f"`{target}` was not changed: {why}")
        elif self._digest_outside(name) != self._draft.before.get(name, GONE):
            yield Left(f"`{target}` was not changed: somebody else has changed it meanwhile", kept=True)
        else:
            os.unlink(target)
            self._remove_empty(os.path.dirname(name))

    def _sound(self, name: str, data: bytes) -> tuple[bytes | None, str]:
        """What to write if not the file as it is, and why it is not carried back, or nothing."""
        if name == CONFIG:
            return None, self._why_config(data)
        if name == "index" or name.startswith("sharedindex."):
            return self._index(name, data)
        why = why_unsound(name, data)
        if name == PACKED_REFS and not why:
            with Tree(self._draft.git) as real:
                old = _read(real, name) if real.kind(name) == "file" else b""
            why = why_packed_unsound(old, data)
        return None, why

    def _index(self, name: str, data: bytes) -> tuple[bytes | None, str]:
        size = 32 if ("extensions.objectformat", "sha256") in self._settings() else 20
        try:
            found = read_index(data, size)
        except UnsoundError as error:
            return None, f"it would make git write where it should not: {error}"
        if found.split and (name != "index" or self._unsound_part):
            return None, "a part of it is not sound"
        if found.data[:-size] == data[:-size]:
            return None, ""
        return found.data, "" if name == "index" else "it holds more than files"

    def _settings(self) -> list[tuple[str, str | None]]:
        """Those of the repository itself, outside."""
        try:
            with Tree(self._draft.git) as real:
                return [*settings(_read(real, CONFIG)[:MOST_CONFIG].decode(errors="surrogateescape"))]
        except (OSError, NotUnderstoodError):
            return []

    def _why_config(self, data: bytes) -> str:
        names = (name.partition(".")[2].rpartition(".")[0] for name, _ in self._settings() if name[:7] == "remote.")
        remotes = {HERE, *names}
        with Tree(self._draft.git) as real:
            same = _others(data, remotes) == _others(_read(real, CONFIG), remotes)
        return "" if same else "only settings of branches leave the sandbox, with remotes that are known"

    def _remove_empty(self, folder: str) -> None:
        """Folders that git has removed, too."""
        while folder and not self._tree.kind(folder):
            try:
                os.rmdir(f"{self._draft.git}/{folder}")
            except OSError:
                return
            folder = os.path.dirname(folder)

    def _read(self, name: str) -> bytes:
        return _read(self._tree, name)

    def _reference(self, name: str) -> str:
        return self._read(name)[:MOST_REFERENCE].rstrip(b"\n").decode(errors="replace")


def _read(tree: Tree, name: str) -> bytes:
    with tree.open(name) as stream:
        return stream.read(MOST_BYTES)


def _make_room(git: str, name: str) -> None:
    """INVARIANT: on the way there is no link, and an empty folder gives way to a branch of its name."""
    os.makedirs(os.path.dirname(f"{git}/{name}"), exist_ok=True)
    if os.path.realpath(os.path.dirname(f"{git}/{name}")) != os.path.dirname(f"{os.path.realpath(git)}/{name}"):
        raise OSError(f"{name} leads elsewhere")
    if os.path.isdir(f"{git}/{name}"):
        os.rmdir(f"{git}/{name}")


def _others(data: bytes, remotes: set[str]) -> list[str]:
    """The lines of a configuration that are not about branches. INVARIANT: what is not as git writes it counts."""
    found, branch = [], False
    for line in data[:MOST_CONFIG].decode(errors="surrogateescape").split("\n"):
        if line.startswith("["):
            branch = _BRANCH.fullmatch(line) is not None
        setting = _BRANCH_SETTING.fullmatch(line)
        ordinary = setting is not None and (setting[1] is None or setting[1] in remotes)
        if not branch or not (_BRANCH.fullmatch(line) or ordinary):
            found.append(line)
    return [line for line in found if line]
