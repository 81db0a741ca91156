"""What git would run by itself in the repositories of a workspace, and which files decide that. Pure, given a `Ground`.

Settings that start a program, files they name, hooks, and commands of an unfinished rebase. Two looks, before a command
and after it, tell what the command has planted.
"""

from __future__ import annotations

from posixpath import dirname, join, normpath

from assent import gitconfig
from assent.record import record
from assent.sandbox.mentions import mentioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.sandbox.profile import Ground

MOST_INCLUDED, MOST_TEXT = 64, 1_000_000
MOST_FOLLOWED = 150
"""So many files that programs of git start and load are kept as they are; one that loads more is a whole project."""
READ_ALONE = (
    *("core.attributesfile", "blame.ignorerevsfile", "mailmap.file", "format.signaturefile", "commit.template"),
    *("fsck.skiplist", "http.cookiefile", "core.worktree"),
)
"""Settings whose files git reads and does not start."""
INCLUDES = ("include.path", "includeif")
QUOTES = "\"'!()`;&|<>{}"
SAMPLE = ".sample"
TODO = ("rebase-merge/git-rebase-todo", "rebase-apply/git-rebase-todo", "sequencer/todo")
RUNS = ("exec", "x")
"""The first word of a line in a list of things to do that runs the rest of it."""


@record
class Code:
    """Something that git would run: what makes it so, the file that decides it, and the state of that file."""

    what: str
    file: str
    mark: str = ""


class Reading:
    """What is found out about one workspace."""

    def __init__(self, ground: Ground, root: str, home: str) -> None:
        self._ground, self._root, self._home = ground, root, home
        self.codes: dict[Code, None] = {}
        self.files: dict[str, None] = {}
        """Files and folders in the workspace from which git takes what it runs, there or not."""
        self._followed: set[str] = set()

    def repository(self, kept: str) -> None:
        """`kept` is a `.git`, or a folder that git would take for a repository."""
        top = dirname(kept)
        kept = self._pointed_at(kept)
        common = self._common(kept)
        hooks = [f"{common}/hooks"]
        for config in dict.fromkeys((f"{common}/config", f"{kept}/config", f"{kept}/config.worktree")):
            hooks += self._config(config, top)
        for config in (f"{self._home}/.gitconfig", f"{self._home}/.config/git/config", "/etc/gitconfig"):
            hooks += self._config(config, top, ours=False)
        for folder in dict.fromkeys(hooks):
            self._hooks(folder, top)
        for name in TODO:
            text = self._ground.text(f"{kept}/{name}") or ""
            for line in text.splitlines():
                if line.split()[:1] and line.split()[0] in RUNS:
                    self.codes[Code(f"`git rebase --continue` runs {line}", f"{kept}/{name}")] = None
        if common != kept:
            self.codes[Code(f"its settings are in {common}", f"{kept}/commondir")] = None

    def _pointed_at(self, kept: str) -> str:
        if self._ground.kind(kept) != "file":
            return kept
        text = (self._ground.text(kept) or "").partition("\n")[0]
        self.codes[Code(f"the repository is in {text.removeprefix('gitdir:').strip()}", kept)] = None
        return normpath(join(dirname(kept), text.removeprefix("gitdir:").strip()))

    def _common(self, kept: str) -> str:
        text = (self._ground.text(f"{kept}/commondir") or "").strip("\n")
        return normpath(join(kept, text)) if text else kept

    def _config(self, file: str, top: str, *, ours: bool = True, depth: int = 0) -> Iterator[str]:
        """Goes through a configuration and those it includes; the folders of hooks that it names."""
        text = self._ground.text(file)
        if text is None or depth > MOST_INCLUDED:
            return
        if ours or self._is_inside(file):
            self.files[file] = None
        try:
            if len(text) >= MOST_TEXT:
                raise gitconfig.NotUnderstoodError("they are too long")
            found = [*gitconfig.settings(text)]
        except gitconfig.NotUnderstoodError as trouble:
            self.codes[Code(f"settings that are not understood: {trouble}", file, self._ground.digest(file))] = None
            return
        for name, value in found:
            if not gitconfig.matters(name, value):
                continue
            if ours or self._is_inside(file):
                self.codes[Code(f"{name} = {value}", file)] = None
            yield from self._setting(name, value or "", file, top, ours=ours, depth=depth)

    def _setting(self, name: str, value: str, file: str, top: str, *, ours: bool, depth: int) -> Iterator[str]:
        if name.startswith(INCLUDES):
            path = self._at(value, dirname(file))
            if self._is_inside(path):
                self.files[path] = None
            yield from self._config(path, top, ours=ours, depth=depth + 1)
        elif name == "core.hookspath":
            yield self._at(value, top)
        else:
            found = dict.fromkeys(self._at(word.strip(QUOTES), top) for word in value.split())
            starts = name not in READ_ALONE
            found |= mentioned(value, (top,), self._root, self._ground) if starts else {}
            for path in found:
                if self._is_inside(path) and path != self._root:
                    self._named(path, name)
                    self._follow(path, top) if starts else None

    def _named(self, path: str, name: str) -> None:
        """A file that the value of a setting names. A folder is no program."""
        kind = self._ground.kind(self._ground.real(path))
        if kind != "folder":
            self.files[path] = None
        if kind == "file":
            self.codes[Code(f"{name} names {path}", path, self._ground.digest(path))] = None

    def _follow(self, path: str, top: str) -> None:
        """What a program starts and loads of the workspace, and that in turn; the nearest first."""
        waiting = [path]
        for one in waiting:  # grows while it is read
            real = self._ground.real(one)
            if real in self._followed or len(self._followed) >= MOST_FOLLOWED:
                continue
            self._followed.add(real)
            text = self._ground.text(real) if self._ground.kind(real) == "file" else None
            bases = tuple(dict.fromkeys((dirname(one), dirname(real), top)))
            for named in mentioned(text or "", bases, self._root, self._ground):
                self._named(named, one)
                waiting.append(named)

    def _hooks(self, folder: str, top: str) -> None:
        if self._is_inside(folder):
            self.files[folder] = None
        for name in self._ground.names(folder):
            path = f"{folder}/{name}"
            if not name.endswith(SAMPLE) and self._ground.kind(path) != "folder" and self._ground.runs(path):
                self.codes[Code(f"the hook {name}", path, self._ground.digest(path))] = None
                self._follow(path, top)

    def _at(self, text: str, base: str) -> str:
        text = self._home + text[1:] if text.startswith("~/") else text
        return normpath(join(base, text)) if text else base

    def _is_inside(self, path: str) -> bool:
        return path == self._root or path.startswith(self._root.rstrip("/") + "/")


def read_code(ground: Ground, root: str, home: str, repositories: tuple[str, ...]) -> Reading:
    """What git would run in these repositories of a workspace."""
    reading = Reading(ground, root, home)
    for kept in repositories:
        reading.repository(kept)
    return reading
