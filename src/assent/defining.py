"""Files of a project that decide what a command runs or writes: whether they do so now, and a fingerprint of them."""

from __future__ import annotations

import sys

from assent.commands.choices import essential_words
from assent.digest import sha256
from assent.errors import InputError
from assent.globs import has_magic, match_text
from assent.policy.case import is_within
from assent.record import replace
from assent.resolve import ancestors, normalise
from assent.types import Gap, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.types import Effect, World

MOST_FILES = 200
LIBRARY = sys.stdlib_module_names - {"test", "this", "antigravity", "idlelib", "turtle", "turtledemo", "__main__"}
"""Modules that those which `python -m` starts may import."""
EXTENSIONS = (".py", ".pyc", ".so", ".pyd")


def marked(effect: Effect, case: Case, world: World) -> Effect:
    """A project command with a fingerprint of what defines it: the words, the folder and the content of its files.

    INVARIANT: no fingerprint, so that it is asked about every time, where none of its files is there or one cannot be
    read: then something that we do not know defines it.
    """
    call, base = case.calls[effect.call - 1], case.call.cwd
    parts = [effect.target, base, *essential_words(call, effect.call, base, case.projects or (base,))]
    there = False
    includes = (effect.arguments or {}).get("includes", ())
    try:
        paths = dict.fromkeys(_defining(effect, case, world))
        for path in paths:
            content = world.read(path)
            there = there or content is not None
            if content is not None and isinstance(includes, tuple) and _brings_more(content, includes, paths, case):
                return effect
            parts += [path, "missing" if content is None else sha256(content)]
    except (InputError, OSError):
        return effect
    if not there:
        return effect
    mark = sha256("\0".join(parts).encode("utf-8", "replace"))
    return replace(effect, arguments={**(effect.arguments or {}), "fingerprint": mark})


def as_it_is(effect: Effect, case: Case, world: World) -> Effect:
    """An effect that may happen is certain where a file of the project says so: one that defines it, or a setting."""
    given = effect.arguments or {}
    settings = given.get("when") or [(file, "") for file in _named(effect)]
    for file, word, *unless in settings if isinstance(settings, (tuple, list)) else ():
        for path in _above(file, case):
            if world.locate(path, "/").exists and (not word or _says(path, word, unless, world)):
                return replace(effect, possible=False)
    return effect


def shadowed(effect: Effect, case: Case, world: World, found: list[Effect]) -> Iterator[Gap]:
    """A file of the project that would be run instead of what was meant: `json.py` for `python -m json.tool`.

    Python also takes whatever else the module imports from this folder first; earlier parts of the line, whose effects
    were `found`, may put something there.
    """
    folder = world.locate(effect.target, case.call.cwd).path.rpartition("/")[0]
    if any(one.kind == "write" and one.call != effect.call and _may_make_code(one, folder) for one in found):
        yield Gap(f"a part of the line may put code into {folder}", call=effect.call)
    names = dict.fromkeys((effect.target, effect.target.removesuffix(".py")))
    name = next((name for name in names if world.locate(name, case.call.cwd).exists), "")
    if not name and effect.target.endswith(".py"):
        folder = effect.target[: effect.target.rfind("/") + 1]
        beside, complete = world.matching(f"{folder}*", case.call.cwd)
        name = next((one for one in beside if _is_imported(one, case, world)), "" if complete else folder or ".")
    if name:
        inside = any(is_within(folder, root) for root in case.projects)
        yield Gap(f"{name} in this folder would be run", call=effect.call, about="project" if inside else "")


def _may_make_code(write: Effect, folder: str) -> bool:
    """Whether a write may put a module into a folder: by its name, or a whole tree of names that are not known."""
    for name in write.at.names if isinstance(write.at, Place) else ():
        if write.deep and (is_within(folder, name) or is_within(name, folder)):
            return True
        if is_within(name, folder) and name.endswith((*EXTENSIONS, ".pth")):
            return True
    return not isinstance(write.at, Place)


def _is_imported(path: str, case: Case, world: World) -> bool:
    """Whether a file or folder is called like a module of Python's own library."""
    name = path[path.rfind("/") + 1 :]
    module, dot, _ending = name.partition(".")
    if module not in LIBRARY:
        return False
    return name.endswith(EXTENSIONS) if dot else world.locate(f"{path}/__init__.py", case.call.cwd).exists


def _says(path: str, word: str, unless: list[str], world: World) -> bool:
    """Whether a file holds a word, however its blanks, quotes and letters are written; one that cannot be read may.

    A word behind `^` begins a line that is none of those in `unless`.
    """
    try:
        content = world.read(world.locate(path, "/").path)
    except (InputError, OSError):
        return True
    if content is None:
        return False
    if word[:1] != "^":
        return _bare(word.encode()) in _bare(content)
    harmless = {_bare(line.encode()) for line in unless}
    begins = _bare(word[1:].encode())
    return any(line.startswith(begins) and line not in harmless for line in map(_bare, content.splitlines()))


def _bare(text: bytes) -> bytes:
    return b"".join(text.split()).lower().translate(None, b"\"'")


def _named(effect: Effect) -> tuple[str, ...]:
    files = (effect.arguments or {}).get("defined_by", ())
    return files if isinstance(files, tuple) else ()


def _brings_more(content: bytes, words: tuple[str, ...], known: dict[str, None], case: Case) -> bool:
    """Whether a file brings in another that is not among those that are known: `include common.mk`."""
    for line in content.decode("utf-8", "replace").replace("<", " <").split("\n"):
        parts = line.split() if line.lstrip()[:1] != "#" else []
        for word in words:
            if word in parts:
                names = [part.strip("\"'") for part in parts[parts.index(word) + 1 :]]
                if not names or any(normalise(f"{case.call.cwd}/{name}") not in known for name in names):
                    return True
    return False


def _defining(effect: Effect, case: Case, world: World) -> Iterator[str]:
    """Every place where a file that defines a command may lie, and each file that a pattern among them names."""
    below: dict[str, list[str]] = {}
    for file in _named(effect):
        root, deep, only = file.rpartition("**/")
        if deep:
            below.setdefault(root.rstrip("/"), []).append(only)
        elif has_magic(file):
            names, complete = world.matching(file, case.call.cwd)
            yield from _few([world.locate(name, case.call.cwd).path for name in names], complete)
        else:
            for path in _above(file, case):
                yield world.locate(path, "/").path
    for root, wanted in below.items():
        yield from _below(root, wanted, effect, case, world)


def _below(root: str, wanted: list[str], effect: Effect, case: Case, world: World) -> list[str]:
    """The files with one of these names below a folder; for the one it runs in, below the root of the project."""
    here = world.locate(root or ".", case.call.cwd).path
    if root in ("", *case.calls[effect.call - 1].cwds):
        here = next((project for project in case.projects if is_within(here, project)), here)

    def fits(path: str) -> bool:
        name = path[path.rfind("/") + 1 :]
        return any(match_text(only, name) for only in wanted)

    names, complete = world.below(here, fits, skip_ignored="packages")
    return _few(sorted(names), complete)


def _few(found: list[str], complete: bool) -> list[str]:
    if not complete or len(found) > MOST_FILES:
        raise InputError("too many files define it")
    return found


def _above(file: str, case: Case) -> Iterator[str]:
    """A file where it is named, and in every folder above that up to the root of the project: tools look there, too.

    `.cargo/config.toml` is looked for as a whole: a hidden folder belongs to the name.
    """
    path = normalise(file if file.startswith("/") else f"{case.call.cwd}/{file}")
    folder, _, name = path.rpartition("/")
    while folder[folder.rfind("/") + 1 :].startswith("."):
        folder, _, inner = folder.rpartition("/")
        name = f"{inner}/{name}"
    for here in ancestors(folder or "/"):
        yield f"{here.rstrip('/')}/{name}"
        if not any(is_within(here, root) and here != root for root in case.projects):
            return
