"""Whether the code that is loaded is still the code on the disk: after an update nobody may be answered by the old."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    Facts = tuple[int, int, int]


class Sources:
    """The files of our modules, as they were when they were loaded."""

    def __init__(self) -> None:
        self._files: dict[str, Facts] = {}
        self._folders: dict[str, Facts] = {}
        self.changed = False

    def remember(self) -> None:
        """Note the files of all our modules that are loaded now."""
        for name, module in tuple(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if name.partition(".")[0] == "assent" and file:
                self._files[file] = _facts(file)
                self._folders[os.path.dirname(file)] = _facts(os.path.dirname(file))

    def unchanged(self) -> bool:
        """Whether no file was put into the place of another, as updates do: folders tell, and are few."""
        try:
            now = {folder: _facts(folder) for folder in self._folders}
        except OSError:
            now = {}
        if now != self._folders:
            self.look()
            self._folders.update(now)  # if nothing is changed it was something else in the folder
        return not self.changed

    def look(self) -> None:
        """Look at every file, also for those that somebody wrote into; takes ten times as long."""
        try:
            self.changed = self.changed or any(_facts(file) != facts for file, facts in self._files.items())
        except OSError:
            self.changed = True


LOADED = Sources()


def _facts(file: str) -> Facts:
    found = os.stat(file)
    return found.st_mtime_ns, found.st_size, found.st_ino
