"""What a confined command planted for git to run later: found by looking before and after, and put away.

Most of it cannot be planted, because it cannot be changed from inside. This is about what was not there before: a new
repository with settings of its own in some folder, or a file that settings name and nobody had made yet.
"""

from __future__ import annotations

import os
import shutil
import tempfile

from assent.sandbox.deadline import Deadline, TooLongError
from assent.sandbox.gitcode import Code, read_code
from assent.sandbox.ground import Machine
from assent.sandbox.profile import Profile

HELD = "held-"
MOST_AFTER = 5_000_000
"""So many files are looked at afterwards where all could be before: a command that makes many hides nothing."""


class Watch:
    """Looks when it is made, and again at the end."""

    def __init__(self, profile: Profile, folder: str) -> None:
        self._profile, self._folder, self._ground = profile, folder, Machine()
        self._home = dict(profile.environment).get("HOME", "")
        self._before, self._whole = self._look()
        self._unread = self._ground.unread

    def _look(
        self, most: int = 0, deadline: Deadline | None = None, leave: frozenset[str] | None = None
    ) -> tuple[dict[Code, None], bool]:
        root = self._profile.workspace
        found, whole = self._ground.repositories(root, most, deadline, leave)
        return read_code(self._ground, root, self._home, found).codes, whole

    def undo(self, deadline: Deadline | None = None) -> tuple[str, ...]:
        """Put away what makes git run something that it would not have run before; what was done, in words.

        INVARIANT: only files that the command could have changed: whoever works outside meanwhile is left alone.
        """
        try:
            after, whole = self._look(MOST_AFTER if self._whole else 0, deadline, self._unread)
        except TooLongError as error:
            return (f"the project was not searched for what git would run now: {error}",)
        new = [code for code in after if code not in self._before and self._profile.changes(code.file)]
        notes = (
            []
            if whole
            else ["not all of the project could be searched for what git would run: it is too large, or closed"]
        )
        files: dict[str, list[str]] = {}
        for code in new:
            files.setdefault(code.file, []).append(code.what)
        for file, what in files.items():
            notes += self._put_away(file, what)
        for link, target in self._profile.links:
            notes += self._led_back(link, target)
        return tuple(notes)

    def _led_back(self, link: str, target: str) -> list[str]:
        if os.path.islink(link) and os.readlink(link) == target:
            return []
        try:
            if os.path.lexists(link):
                os.rename(link, os.path.join(tempfile.mkdtemp(prefix=HELD, dir=os.path.dirname(link)), "link"))
            os.symlink(target, link)
        except OSError as error:
            return [f"`{link}` does not lead to `{target}` any more, and cannot be led back: {error}"]
        return [f"`{link}` did not lead to `{target}` any more, and was led back"]

    def _put_away(self, file: str, what: list[str]) -> list[str]:
        if not os.path.lexists(file):
            return []
        place = os.path.join(tempfile.mkdtemp(prefix=HELD, dir=self._folder), os.path.basename(file))
        try:
            shutil.move(file, place)
        except OSError as error:
            return [f"git would now run what `{file}` says ({what[0]}), and it cannot be put away: {error}"]
        return [f"git would have run what `{file}` says ({what[0]}), so it was put away: it is `{place}` now"]
