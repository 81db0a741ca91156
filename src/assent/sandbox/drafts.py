"""A repository as a confined command gets it: a copy of what git changes, and a place of its own for new objects.

Nothing in the repository's own folder can be changed from inside. When the command has ended, new objects are added and
what is sound of the state is carried back. What git would run or obey is not part of it, and never comes back.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import zlib
from collections.abc import Iterator

from assent.record import record
from assent.sandbox.gitcode import RUNS, TODO
from assent.sandbox.profile import Profile, is_git_state

HEX = frozenset("0123456789abcdef")
PACKED = (".pack", ".rev", ".idx")
"""In this order: without its index nobody looks at a pack."""
NAMED = ("refs/", "HEAD")
MOST_REFERENCE = 1_000
ALGORITHMS = {40: "sha1", 64: "sha256"}
BLOCK = 1 << 20
CONFIG, MOST_CONFIG = "config", 1_000_000
_BRANCH = re.compile(r'\[branch "[\w./@#+-]+"\]')
_BRANCH_SETTING = re.compile(r"\t(?:remote|merge|pushRemote|rebase|description) = [\w./@#+-]+")
GONE, TOO_LARGE = "", "too large"
MOST_BYTES = 1 << 30


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
            folder = tempfile.mkdtemp(prefix="git-", dir=parent)
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
    for path, inside in _state(git):
        os.makedirs(os.path.dirname(f"{folder}/{inside}"), exist_ok=True)
        shutil.copy2(path, f"{folder}/{inside}", follow_symlinks=False)
        before[inside] = _digest(f"{folder}/{inside}")
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


def _state(folder: str) -> Iterator[tuple[str, str]]:
    """The regular files that are state of a repository, with their names in it. INVARIANT: no link is followed."""
    for name in sorted(os.listdir(folder)):
        path = f"{folder}/{name}"
        if not is_git_state(name):
            continue
        if stat.S_ISREG(os.lstat(path).st_mode):
            yield path, name
        elif stat.S_ISDIR(os.lstat(path).st_mode):
            for here, _, files in os.walk(path):
                for file in files:
                    one = os.path.join(here, file)
                    if stat.S_ISREG(os.lstat(one).st_mode):
                        yield one, one[len(folder) + 1 :]


def _digest(path: str) -> str:
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
            if os.fstat(stream.fileno()).st_size > MOST_BYTES:
                return TOO_LARGE
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return GONE


# --- back ------------------------------------------------------------------------------------------------------------


def carry_back(drafts: tuple[Draft, ...]) -> tuple[str, ...]:
    """Bring what a command did to its repositories into them; what did not come along is said, and kept."""
    notes: list[str] = []
    for draft in drafts:
        left = [*_carried(draft)]
        notes += [one.text for one in left]
        if any(one.kept for one in left):
            notes.append(f"what the command did to `{draft.git}` is kept in `{draft.folder}`")
        else:
            shutil.rmtree(draft.folder, ignore_errors=True)
    return tuple(notes)


def _carried(draft: Draft) -> Iterator[Left]:
    try:
        yield from _add_objects(draft)
        yield from _change_state(draft)
        for name in sorted(os.listdir(draft.folder)):
            ours = is_git_state(name) or name == "objects" or name.endswith(".lock")
            if not ours and not os.path.lexists(f"{draft.git}/{name}"):
                yield Left(f"`{draft.git}/{name}` was not made: only git's state and objects leave the sandbox")
    except OSError as error:
        yield Left(f"`{draft.git}` did not get all that the command did: {error}", kept=True)


def _add_objects(draft: Draft) -> Iterator[Left]:
    """INVARIANT: an object is added under the name that its content has, and none is replaced."""
    source, target = f"{draft.folder}/objects", f"{draft.git}/objects"
    bad = 0
    for name in sorted(os.listdir(source)):
        if len(name) == 2 and HEX.issuperset(name) and _is_folder(f"{source}/{name}"):
            for rest in sorted(os.listdir(f"{source}/{name}")):
                if HEX.issuperset(rest) and len(rest) + 2 in ALGORITHMS:
                    sound = _is_object(f"{source}/{name}/{rest}", name + rest)
                    bad += not sound
                    if sound:
                        _add(f"{source}/{name}/{rest}", f"{target}/{name}/{rest}")
    if _is_folder(f"{source}/pack"):
        packs = [name[:-5] for name in os.listdir(f"{source}/pack") if name.endswith(".pack")]
        for pack in sorted(packs):
            sound = _is_pack(f"{source}/pack/{pack}")
            bad += not sound
            for end in PACKED if sound else ():
                if os.path.isfile(f"{source}/pack/{pack}{end}"):
                    _add(f"{source}/pack/{pack}{end}", f"{target}/pack/{pack}{end}")
    if bad:
        yield Left(f"`{draft.git}` did not get {bad} objects that are not what their names say")


def _is_folder(path: str) -> bool:
    return stat.S_ISDIR(os.lstat(path).st_mode)


def _is_object(path: str, name: str) -> bool:
    """Whether a loose object is what it is called."""
    found, unpack = hashlib.new(ALGORITHMS[len(name)]), zlib.decompressobj()
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
            while part := stream.read(BLOCK):
                while part:
                    found.update(unpack.decompress(part, BLOCK))
                    part = unpack.unconsumed_tail
        found.update(unpack.flush())
    except (OSError, zlib.error):
        return False
    return found.hexdigest() == name


def _is_pack(path: str) -> bool:
    """Whether a pack is whole, and its index is of this pack."""
    name = os.path.basename(path).removeprefix("pack-")
    if not HEX.issuperset(name) or len(name) not in ALGORITHMS:
        return False
    size = len(name) // 2
    try:
        with open(os.open(f"{path}.pack", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
            left, found = os.fstat(stream.fileno()).st_size - size, hashlib.new(ALGORITHMS[len(name)])
            while left > 0 and (part := stream.read(min(BLOCK, left))):
                found.update(part)
                left -= len(part)
            trailer = stream.read()
        with open(os.open(f"{path}.idx", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
            stream.seek(-2 * size, os.SEEK_END)
            return stream.read(size) == trailer == found.digest()
    except (OSError, ValueError):
        return False


def _add(source: str, target: str) -> None:
    if os.path.lexists(target):
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    _put(source, target, replace=False)


def _put(source: str, target: str, *, replace: bool = True) -> None:
    """A copy of a file in its place, at one moment; for root with the owner that the folder has."""
    folder = os.path.dirname(target)
    draft = os.path.join(folder, f"tmp_assent_{os.urandom(8).hex()}")
    try:
        shutil.copy2(source, draft, follow_symlinks=False)
        os.chmod(draft, stat.S_IMODE(os.lstat(source).st_mode) & 0o777)
        if not os.geteuid():
            around = os.stat(folder)
            os.chown(draft, around.st_uid, around.st_gid)
        if replace:
            os.replace(draft, target)
        else:
            os.link(draft, target)
            os.unlink(draft)
    except BaseException:
        if os.path.lexists(draft):
            os.unlink(draft)
        raise


def _change_state(draft: Draft) -> Iterator[Left]:
    """What goes first, so that a branch `a` can make room for `a/b`; `HEAD` and the index come last."""
    after = {inside: _digest(path) for path, inside in _state(draft.folder) if not inside.endswith(".lock")}
    changed = [name for name in {*draft.before, *after} if draft.before.get(name, GONE) != after.get(name, GONE)]
    for name in sorted(changed, key=lambda name: (name in after, name in ("HEAD", "index"), name)):
        source, target = f"{draft.folder}/{name}", f"{draft.git}/{name}"
        why = _unsound(source, target, name) if name in after else _missed(source, name)
        why = "it is too large" if after.get(name) == TOO_LARGE else why
        if why:
            yield Left(f"`{target}` was not changed: {why}")
        elif name != "index" and _digest(target) != draft.before.get(name, GONE):
            said = f" (the command left it at {_reference(source)})" if name.startswith(NAMED) and name in after else ""
            yield Left(f"`{target}` was not changed: somebody else has changed it meanwhile{said}", kept=True)
        elif name in after:
            _make_room(draft.git, name)
            _put(source, target)
        else:
            os.unlink(target)
            _remove_empty(draft, os.path.dirname(name))


def _make_room(git: str, name: str) -> None:
    """INVARIANT: on the way there is no link, and an empty folder gives way to a branch of its name."""
    os.makedirs(os.path.dirname(f"{git}/{name}"), exist_ok=True)
    if os.path.realpath(os.path.dirname(f"{git}/{name}")) != os.path.dirname(f"{os.path.realpath(git)}/{name}"):
        raise OSError(f"{name} leads elsewhere")
    if os.path.isdir(f"{git}/{name}"):
        os.rmdir(f"{git}/{name}")


def _remove_empty(draft: Draft, folder: str) -> None:
    """Folders that git has removed, too."""
    while folder and not os.path.lexists(f"{draft.folder}/{folder}"):
        try:
            os.rmdir(f"{draft.git}/{folder}")
        except OSError:
            return
        folder = os.path.dirname(folder)


def _missed(path: str, name: str) -> str:
    """Why something that is no file any more stays as it was, or nothing."""
    if os.path.lexists(path):
        return "it is no file any more"
    return "without it there is no repository" if name in ("HEAD", CONFIG) else ""


def _unsound(path: str, target: str, name: str) -> str:
    """Why something is not carried back, or nothing."""
    if name == CONFIG:
        return "" if _others(path) == _others(target) else "only settings of branches leave the sandbox"
    if name in TODO or name.startswith(tuple(f"{one}." for one in TODO)):
        with open(path, encoding="utf-8", errors="surrogateescape") as stream:
            first = {line.split()[0] for line in stream if line.split()}
        return "it would make git run a command" if not first.isdisjoint(RUNS) else ""
    if name.startswith(NAMED) or (name.endswith("_HEAD") and name not in ("FETCH_HEAD", "MERGE_HEAD")):
        return "" if _is_reference(_reference(path).encode()) else "it is no reference"
    return ""


def _reference(path: str) -> str:
    with open(path, "rb") as stream:
        return stream.read(MOST_REFERENCE).rstrip(b"\n").decode(errors="replace")


def _others(path: str) -> list[str] | None:
    """The lines of a configuration that are not about branches. INVARIANT: what is not as git writes it counts."""
    with open(path, encoding="utf-8", errors="surrogateescape") as stream:
        lines = stream.read(MOST_CONFIG).split("\n")
    found, branch = [], False
    for line in lines:
        if line.startswith("["):
            branch = _BRANCH.fullmatch(line) is not None
        if not branch or not (_BRANCH.fullmatch(line) or _BRANCH_SETTING.fullmatch(line)):
            found.append(line)
    return [line for line in found if line]


def _is_reference(data: bytes) -> bool:
    if data.startswith(b"ref: refs/"):
        return data.isascii() and b"\n" not in data and b".." not in data
    return len(data) in ALGORITHMS and HEX.issuperset(data.decode("ascii", "replace"))
