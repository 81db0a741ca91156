"""The file system itself. With `listing`, the only module that looks at the disk."""

from __future__ import annotations

import os
import sys

from assent.errors import InputError
from assent.resolve import FOLDER, Entry, ancestors, normalise
from assent.trees import TreeWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.trees import Listing

KINDS = {0o100000: "file", 0o040000: "folder", 0o120000: "link", 0o060000: "block", 0o020000: "char"}
"""By the file type bits of a mode; importing `stat` for them costs more than a lookup."""
FORMAT = 0o170000
WRITABLE_BY_OTHERS, READABLE_BY_OTHERS, ENTERED_BY_OTHERS = 0o022, 0o004, 0o001
LINUX = sys.platform == "linux"


class DiskWorld(TreeWorld):
    """The real file system."""

    __slots__ = ()
    moment, adds = 0.002, False

    def __init__(self, home: str | None = None, env: Mapping[str, str] | None = None) -> None:
        super().__init__()
        given = (home, (env or {}).get("HOME"), os.environ.get("HOME"))
        found = next((one for one in given if one and os.path.isabs(one)), "")
        if not found:
            from assent.listing import home_of_user

            found = home_of_user()
        self.home = normalise(found) if found[:1] == "/" else found
        self.configures_searches = bool((env or os.environ).get("RIPGREP_CONFIG_PATH"))
        state = (env or os.environ).get("XDG_STATE_HOME", "")
        self.elsewhere = ((".local/state/assent", f"{state}/assent"),) if state[:1] == "/" else ()
        self.windows = sys.platform == "win32"
        self.folds_always = sys.platform in ("darwin", "win32")

    def look(self, path: str) -> Entry | None:
        try:
            facts = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        kind = KINDS.get(facts.st_mode & FORMAT, "other")
        if kind == "folder":
            return FOLDER
        target = os.readlink(path) if kind == "link" else ""
        return Entry(kind, target, (facts.st_dev, facts.st_ino), facts.st_nlink)

    def count_names(self, path: str) -> int:
        try:
            return os.lstat(path).st_nlink
        except (OSError, ValueError):
            return 1

    def _is_here(self, folder: str) -> bool:
        try:
            return LINUX and os.getcwd() == folder
        except OSError:
            return False

    def same(self, path: str, other: str) -> bool:
        try:
            facts, others = os.lstat(other), os.lstat(path)
        except (OSError, ValueError):
            return False
        return (facts.st_dev, facts.st_ino) == (others.st_dev, others.st_ino)

    def entries(self, folder: str, most: int) -> Listing:
        from assent.listing import scan_folder

        return scan_folder(folder, most)

    def stamp(self, folder: str) -> tuple[int, ...]:
        try:
            facts = os.stat(folder)
        except (OSError, ValueError):
            return ()
        return facts.st_ino, facts.st_mtime_ns, facts.st_ctime_ns

    def read_file(self, path: str, limit: int) -> bytes | None:
        """The content of a regular file, None if there is none; a link, a device or a pipe is never opened."""
        try:
            if KINDS.get(os.lstat(path).st_mode & FORMAT) != "file":
                raise InputError(f"cannot read `{path}`: not a regular file", help="links are not followed here")
            from assent.listing import read_regular

            return read_regular(path, limit)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read `{path}`: {error}") from error

    def is_public(self, path: str) -> bool:
        """Root's own regular file that all may read, or none yet, in folders of root that all may enter."""
        try:
            kind = self.look(path)
            if kind is not None and (kind.kind != "file" or not os.lstat(path).st_mode & READABLE_BY_OTHERS):
                return False
            return all(self._is_roots(here, file=here == path) for here in ancestors(path))
        except (OSError, ValueError):
            return False

    def _is_roots(self, path: str, *, file: bool) -> bool:
        """Whether nobody but root changes it, and all may go through; also where it is not there."""
        try:
            facts = os.lstat(path)
        except FileNotFoundError:
            return True
        open_to_all = file or facts.st_mode & ENTERED_BY_OTHERS
        return bool(open_to_all) and facts.st_uid == 0 and not facts.st_mode & WRITABLE_BY_OTHERS

    def owner_ok(self, path: str) -> bool:
        """Owned by us or root, and nobody else may write to it."""
        try:
            facts = os.lstat(path)
        except (OSError, ValueError):
            return False
        return facts.st_uid in (0, os.geteuid()) and not facts.st_mode & WRITABLE_BY_OTHERS
