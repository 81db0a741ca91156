"""Git repositories as git would find them: where one has its top, and whether its own configuration starts programs."""

from __future__ import annotations

from assent.errors import InputError
from assent.gitconfig import ENTERING, helpers, settings
from assent.resolve import ancestors, normalise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.types import Place, World

    Config = tuple[str, str, tuple[str, ...]]
    """A repository's folder, a file of settings in it, and those of them that matter."""

SAMPLE = ".sample"
HEX = frozenset("0123456789abcdef")
EVEN_WHEN_READING = ("post-index-change", "reference-transaction", "fsmonitor-watchman")
"""Hooks that `git status` and other commands which change nothing start, too."""
CONFIG_NAMES = ("config", "config.worktree")
REPOSITORY = ("HEAD", "commondir", "objects", "refs")
HOOKS_PATH = "core.hookspath"
WORKTREE = "core.worktree"
USUAL = frozenset(
    {
        ("filter.lfs.clean", "git-lfs clean -- %f"),
        ("filter.lfs.smudge", "git-lfs smudge -- %f"),
        ("filter.lfs.process", "git-lfs filter-process"),
    }
)
"""Helpers that `git lfs install --local` sets, word by word."""
USUAL_FILES = frozenset(
    {
        ("blame.ignorerevsfile", ".git-blame-ignore-revs"),
        ("commit.template", ".gitmessage"),
        ("commit.template", ".gitmessage.txt"),
        ("mailmap.file", ".mailmap"),
    }
)
"""Files of the working tree that a setting names for what they are."""
ONLY_WHEN_CHANGING = ("commit.template",)
GITLINK = b"\x00\x00\xe0\x00"
"""The mode of a repository inside another one, as the index writes it."""
SPLIT = b"link\x00"
"""An index that keeps most of itself in another file."""
MOST_INDEX = 50_000_000
MOST_TRACKED = 20_000
MOST_WORKTREES, MOST_POINTER = 50, 4_096
ELSEWHERE = (b"link", b"sdir")
"""Parts of an index that keeps names in another file, or one name for a whole folder."""
CHECKSUM = 20
EXTENDED, LONGEST_NAME = 0x4000, 0xFFF
"""Bits of an entry: more of them follow; and how long its name is, up to what fits there."""


def dangers(folder: str, cwd: str, world: World, *, hooks: bool, entering: bool = False) -> Iterator[str]:
    """Why a git command run in a folder may start a program that nobody named, or show another folder's repository.

    `entering` where its index may name repositories inside the tree that it does not name yet.
    """
    path = _absolute(folder, cwd)
    seen: set[str] = set()
    for here in dict.fromkeys((normalise(path), _at(path, world).path)):
        kept, top = _kept(here, world)
        if kept and kept not in seen:
            seen.add(kept)
            yield from _found(kept, top, world, hooks=hooks, entering=entering)


def linked_worktrees(project: str, world: World) -> tuple[str, ...]:
    """The other working trees of a project's repository, and the one it was made from: all of them are the project.

    INVARIANT: both ends name each other. A `.git` file alone, or a folder under `.git/worktrees` alone, proves nothing.
    """
    kept = f"{project.rstrip('/')}/.git"
    names, _ = world.kinds_in(f"{kept}/worktrees")
    found: list[str] = []
    if not names:
        mine = _pointed_at(kept, world)
        main, linked, _name = mine.rpartition("/worktrees/")
        if not linked or _first_line(f"{mine}/gitdir", world) != kept:
            return ()
        kept = main
        names, _ = world.kinds_in(f"{kept}/worktrees")
        found += [kept.removesuffix("/.git")] if kept.endswith("/.git") else []
    for name in sorted(names)[:MOST_WORKTREES]:
        end = _first_line(f"{kept}/worktrees/{name}/gitdir", world)
        if end.endswith("/.git") and end[:1] == "/" and _pointed_at(end, world) == f"{kept}/worktrees/{name}":
            found.append(end.removesuffix("/.git"))
    home = world.home.rstrip("/")
    return tuple([tree for tree in found if tree != project and not f"{home}/".startswith(f"{tree}/")])


def _pointed_at(file: str, world: World) -> str:
    """The folder that a `.git` file names, without links in it; nothing where there is no such file."""
    text = _first_line(file, world)
    if not text.startswith("gitdir: "):
        return ""
    return world.locate(text.removeprefix("gitdir: ").strip(), file[: file.rfind("/")]).path


def _first_line(file: str, world: World) -> str:
    try:
        data = world.read(file, MOST_POINTER)
    except InputError:
        return ""
    return data.decode("utf-8", "replace").partition("\n")[0].strip() if data else ""


def top_of(folder: str, cwd: str, world: World) -> str:
    """The top of the working tree that git would use in a folder; the folder itself where that is not certain.

    It is named as it is written where that is the same place, because rules may name it so, too.
    """
    path = _absolute(folder, cwd)
    written, real = normalise(path), _at(path, world).path
    top = _top(real, world)
    named = _top(written, world) if written != real else top
    return named if named == top or _at(named, world).path == top else top


def tracked(folder: str, cwd: str, world: World) -> list[bytes] | None:
    """The names that `git ls-files` prints in a folder; None where that is not certain."""
    here = _at(_absolute(folder, cwd), world).path
    kept, top = _kept(here, world)
    names = world.once(("index", kept), lambda: _names_in(kept, world)) if kept not in ("", "?", top) else None
    inside = f"{here[len(top) :].strip('/')}/".lstrip("/").encode("utf-8", "surrogateescape")
    within = here == top or here.startswith(f"{top.rstrip('/')}/")
    return [name[len(inside) :] for name in names if name.startswith(inside)] if names is not None and within else None


def _names_in(kept: str, world: World) -> list[bytes] | None:
    index = _bytes(f"{kept}/index", world)
    return _indexed(index) if GITLINK not in index else None  # of what is inside others, git may tell as well


def _indexed(index: bytes) -> list[bytes] | None:
    """The names in an index of the second or third kind, in which each stands as it is; None for any other."""
    if index[:4] != b"DIRC" or index[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        return None
    count, at = int.from_bytes(index[8:12], "big"), 12
    names: list[bytes] = []
    for _ in range(count if count <= MOST_TRACKED else 0):
        flags = int.from_bytes(index[at + 60 : at + 62], "big")
        start = at + (64 if flags & EXTENDED else 62)
        end = index.find(b"\0", start)
        name = index[start:end]
        if end < start or flags & LONGEST_NAME != min(len(name), LONGEST_NAME):
            return None
        names.append(name)
        at += ((end - at) // 8 + 1) * 8
    while at + 8 < len(index) - CHECKSUM:
        if index[at : at + 4] in ELSEWHERE:
            return None
        at += 8 + int.from_bytes(index[at + 4 : at + 8], "big")
    return names if len(names) == count else None


def _absolute(folder: str, cwd: str) -> str:
    return folder if folder.startswith("/") else f"{cwd}/{folder}"


def _top(here: str, world: World) -> str:
    kept, top = _kept(here, world)
    if kept in ("", "?"):
        return here
    if kept != top:
        return top
    return (kept.removesuffix("/.git") or "/") if kept.endswith("/.git") else _tree_of(kept, world) or here


def _found(kept: str, top: str, world: World, *, hooks: bool, entering: bool) -> Iterator[str]:
    if kept == "?":
        yield "this repository could not be looked at"
        return
    whys, enters = world.once(("judged", kept, top, hooks), lambda: _judged(kept, top, world, hooks=hooks))
    yield from whys
    if entering or enters:
        yield from _embedded(kept, top, world, hooks=hooks)


def _judged(kept: str, top: str, world: World, *, hooks: bool) -> tuple[list[str], bool]:
    """What is wrong with a repository, and whether git would enter others inside its working tree."""
    common = _common(kept, world)
    if not common:
        return ["this repository could not be looked at"], False
    found: list[str] = []
    if kept.rpartition("/")[2] != ".git" and not _is_linked(kept):
        found.append(f"{kept} is a bare repository inside a folder")
    elif other := _elsewhere(kept, common, top, world):
        found.append(f"{top} uses {other}, the repository of another folder")
    configs = _configs(kept, common, world)
    found += _own(configs, top, world, hooks=hooks)
    index = _bytes(f"{kept}/index", world) if _may_hold(kept, "index", world) else b""
    # an old commit may name repositories that the index does not
    return found, any(ENTERING in keys for _, _, keys in configs) or GITLINK in index or SPLIT in index


def _elsewhere(kept: str, common: str, top: str, world: World) -> str:
    """The repository of another folder, whose content git would show here; empty if this folder has its own."""
    if common != kept and not kept.startswith(f"{common}/worktrees/"):
        return common
    if kept == top:
        return ""
    real, here = _at(kept, world).path, _at(top, world).path
    if kept == f"{top.rstrip('/')}/.git":
        return "" if real == f"{here.rstrip('/')}/.git" else real
    tree = _tree_of(kept, world)
    return "" if tree and world.locate(tree, "/").path == here else kept


def _tree_of(kept: str, world: World) -> str:
    """The working tree that a repository kept elsewhere says it belongs to; empty if it says nothing."""
    marked = _text(f"{kept}/gitdir", world).rstrip("\r\n")
    if marked:
        return normalise(f"{_absolute(marked, kept)}/..")
    said = _values(_text(f"{kept}/config", world)).get(WORKTREE)
    return normalise(_absolute(said[-1], kept)) if said else ""


def _configs(kept: str, common: str, world: World) -> list[Config]:
    files = [(place, name) for place in dict.fromkeys((kept, common)) for name in CONFIG_NAMES]
    return [
        (place, f"{place}/{name}", _helpers(f"{place}/{name}", world) if _may_hold(place, name, world) else ())
        for place, name in files
    ]


def _own(configs: list[Config], top: str, world: World, *, hooks: bool) -> Iterator[str]:
    """What a repository says itself, with what it shares with others and what it keeps for its submodules."""
    for config in configs:
        yield from _configured(config, top, world, hooks=hooks)
    common = configs[-1][0]
    yield from _started(f"{common}/hooks", world, hooks=hooks)
    if not _may_hold(common, "modules", world):
        return
    for file in world.below(f"{common}/modules", lambda path: path.endswith("/config"))[0]:
        module = file.rpartition("/")[0]
        yield from (f"git would use {key} from {file}" for key in _helpers(file, world) if key != WORKTREE)
        yield from _started(f"{module}/hooks", world, hooks=hooks)


def _configured(config: Config, top: str, world: World, *, hooks: bool) -> Iterator[str]:
    """Keys of a repository's own file that start programs; the usual folder for hooks is looked into."""
    kept, file, found = config
    values = _values(_text(file, world)) if found else {}
    for key in found:
        given = values.get(key, [""])
        if key == HOOKS_PATH and _is_plain(given[-1]) and kept == f"{top}/.git":
            yield from _started(_absolute(given[-1], top), world, hooks=hooks)
        elif key == ENTERING or (key in ONLY_WHEN_CHANGING and not hooks):
            continue
        elif not all(_is_usual(key, value, kept, top, world) for value in given):
            yield f"git would use {key} from {file}"


def _is_usual(key: str, value: str, kept: str, top: str, world: World) -> bool:
    """A file of the working tree must be one: as a link it would be any file. A submodule says where its tree is."""
    if key == WORKTREE and value and kept != top:
        return world.locate(_absolute(value, kept), "/").path == world.locate(top, "/").path
    if (key, value) in USUAL_FILES:
        return world.locate(f"{top}/{value}", "/").path == f"{world.locate(top, '/').path}/{value}"
    return (key, value) in USUAL


def _is_plain(path: str) -> bool:
    """A path that git takes as it is written: no home, no variable."""
    return bool(path) and path[0] not in "~%:$"


def _started(folder: str, world: World, *, hooks: bool) -> Iterator[str]:
    kinds, complete = world.kinds_in(folder)
    if not complete:
        yield f"not all hooks in {folder} could be looked at"
    started = [name for name in kinds if not name.endswith(SAMPLE) and (hooks or name.lower() in EVEN_WHEN_READING)]
    if started:
        yield f"git may run the hook {started[0]}"


def _embedded(kept: str, top: str, world: World, *, hooks: bool) -> Iterator[str]:
    """Repositories inside the working tree, which git enters to see whether they changed."""
    inner, complete = world.below(top, lambda path: path.endswith("/.git") and path != kept)
    if not complete:
        yield f"{top} holds repositories that could not all be looked at"
    for path in inner:
        inside, around = _kept(path.rpartition("/")[0], world)
        if inside == "?":
            yield f"{path} could not be looked at"
        elif inside and inside != kept:
            common = _common(inside, world)
            if common:
                yield from _own(_configs(inside, common, world), around, world, hooks=hooks)
            else:
                yield f"{path} could not be looked at"


def _at(path: str, world: World) -> Place:
    return world.once(path, lambda: world.locate(path, "/"))


def _kept(here: str, world: World) -> tuple[str, str]:
    """Where a repository keeps itself (`?` if that is not certain, empty if there is none), and its working tree."""
    return world.once(("kept", here), lambda: _search(here, world))


def _search(here: str, world: World) -> tuple[str, str]:
    for folder in ancestors(here):
        marked = f"{folder.rstrip('/')}/.git"
        place = _at(marked, world)
        if place.folder and _is_repository(marked, world):
            return (marked if _is_whole(marked, world) else "?"), folder
        if place.exists and not place.folder:
            target = _text(place.path, world)
            said = target[len("gitdir: ") :].rstrip("\r\n")
            if not target.startswith("gitdir: ") or not _is_straight(said, folder, world):
                return "?", folder
            return normalise(_absolute(said, folder)), folder
        if _is_repository(folder.rstrip("/"), world):
            return folder, folder
    return "", ""


def _is_repository(folder: str, world: World) -> bool:
    """Git takes any folder for one that holds a HEAD, objects and refs, or says where the last two are."""
    kinds = _kinds(folder, world) if folder.endswith("/.git") else None
    if kinds is not None:
        known = [kinds.get(name, "") for name in REPOSITORY]
        if "link" not in known:
            return bool(known[0] and (known[1] or (known[2] and known[3])))
    head = world.locate(f"{folder}/HEAD", "/")
    if not head.exists and len(head.names) == 1:  # a link that leads nowhere yet is an old form of HEAD
        return False
    if world.locate(f"{folder}/commondir", "/").exists:
        return True
    return all(world.locate(f"{folder}/{name}", "/").exists for name in ("objects", "refs"))


def _kinds(folder: str, world: World) -> Mapping[str, str] | None:
    """What is in a folder; None where the names alone do not tell what can be opened by which."""
    return world.once(("kinds", folder), lambda: _kinds_in(folder, world))


def _kinds_in(folder: str, world: World) -> Mapping[str, str] | None:
    kinds, whole = world.kinds_in(folder)
    return kinds if whole and not _at(f"{folder}/HEAD", world).folded else None


def _may_hold(folder: str, name: str, world: World) -> bool:
    kinds = _kinds(folder, world)
    return kinds is None or name in kinds


def _is_whole(kept: str, world: World) -> bool:
    """Whether git takes this for a repository, and does not go on above it: its HEAD names a branch or a commit."""
    head = _text(f"{kept}/HEAD", world)
    names = head.removeprefix("ref:").lstrip().startswith("refs/") if head.startswith("ref:") else False
    commit = len(head) >= 40 and HEX.issuperset(head[:40])
    kinds = _kinds(kept, world)
    if not (names or commit) or kinds is None or "commondir" in kinds:
        return names or commit
    return all(
        kinds.get(name) == "folder" or world.locate(f"{kept}/{name}", "/").folder for name in ("objects", "refs")
    )


def _is_straight(path: str, folder: str, world: World) -> bool:
    """Whether a path that a file of git names leads where it seems to: no link before `..`, nothing that ends it."""
    if not path.isprintable():
        return False
    written = _absolute(path, folder)
    return world.locate(written, "/").path == world.locate(normalise(written), "/").path


def _common(kept: str, world: World) -> str:
    """The repository that one shares most of itself with, itself if it has all of it; empty if that is not certain."""
    if not _may_hold(kept, "commondir", world):
        return kept
    if not world.locate(f"{kept}/commondir", "/").exists:
        return kept
    common = _text(f"{kept}/commondir", world).rstrip("\r\n")
    return normalise(_absolute(common, kept)) if common and _is_straight(common, kept, world) else ""


def _is_linked(kept: str) -> bool:
    """Worktrees and submodules keep themselves below another repository's folder."""
    return "/.git/worktrees/" in kept or "/.git/modules/" in kept


def _values(text: str) -> dict[str, list[str]]:
    """All values of every setting: some count together, of others the last one does."""
    found: dict[str, list[str]] = {}
    try:
        for key, value in settings(text):
            found.setdefault(key, []).append(value or "")
    except ValueError:
        return {}
    return found


_read: dict[str, tuple[str, ...]] = {}
"""What texts of configurations start: the file is read anew each time, its text is mostly one that was seen before."""
MOST_TEXTS = 50
LONGEST_TEXT = 10_000


def _helpers(file: str, world: World) -> tuple[str, ...]:
    text = _text(file, world)
    found = _read.get(text)
    if found is None:
        found = helpers(text)
        if len(text) <= LONGEST_TEXT:
            if len(_read) >= MOST_TEXTS:
                _read.clear()
            _read[text] = found
    return found


def forget() -> None:
    """Empty what is remembered about texts, for measurements."""
    _read.clear()


def _bytes(file: str, world: World) -> bytes:
    try:
        return world.read(file, MOST_INDEX) or b""
    except (InputError, OSError):
        return GITLINK


def _text(file: str, world: World) -> str:
    try:
        return (world.read(file) or b"").decode("utf-8", "replace")
    except (InputError, OSError):
        return "[include]\npath = unreadable\n" if file.endswith(("config", "config.worktree")) else ""
