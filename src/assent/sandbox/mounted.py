"""Whether the sandbox became what was planned, looked at from outside before anything runs in it.

A confined command that still runs could exchange a folder of the workspace for a link between the plan and the mount,
so that the next sandbox shows what the link leads to. The kernel's own list of mounts says what really happened.
"""

from __future__ import annotations

import re
import time

from assent.errors import AssentError
from assent.record import record
from assent.sandbox.profile import Profile, within

SECONDS = 10.0
POLL_SECONDS = 0.0005
UNFINISHED = ("/oldroot", "/newroot")


@record
class Seen:
    """One mount of a process: where it is, and which folder of which file system."""

    path: str
    device: str
    root: str


def verify(process: int, profile: Profile) -> None:
    """Wait until the mounts are made, and raise unless they are those of the profile."""
    end = time.monotonic() + SECONDS
    while not _is_finished(found := mounts_of(process), profile.workspace):
        if time.monotonic() > end:
            raise AssentError("the mounts of the sandbox were not made in time")
        time.sleep(POLL_SECONDS)
    compare(found, profile)


def compare(found: tuple[Seen, ...], profile: Profile) -> None:
    """INVARIANT: every planned mount is there, and what is mounted of the workspace is the workspace's own."""
    there = {one.path: one for one in found}
    own = there.get(profile.workspace)
    for mount in {mount.path: mount for mount in profile.mounts}.values():  # the last one at a place is what is seen
        if mount.kind == "link":
            continue
        seen = there.get(mount.path)
        if seen is None or own is None:
            raise AssentError(f"`{mount.path}` is not what it was when the sandbox was planned", help="try again")
        source = mount.source or mount.path
        if mount.kind in ("read", "write") and within(source, profile.workspace):
            wanted = own.root.rstrip("/") + source[len(profile.workspace) :]
            if (seen.device, seen.root) != (own.device, wanted):
                raise AssentError(
                    f"`{mount.path}` leads out of the workspace", help="make it a file or folder of its own"
                )


def mounts_of(process: int) -> tuple[Seen, ...]:
    with open(f"/proc/{process}/mountinfo", encoding="utf-8", errors="surrogateescape") as stream:
        rows = [line.split(" ") for line in stream.read().splitlines()]
    return tuple(Seen(_plain(row[4]), row[2], _plain(row[3])) for row in rows)


def _is_finished(found: tuple[Seen, ...], workspace: str) -> bool:
    return any(one.path == workspace for one in found) and not any(
        within(one.path, place) for one in found for place in UNFINISHED
    )


def _plain(text: str) -> str:
    """Blanks, tabs, line ends and backslashes are written as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)
