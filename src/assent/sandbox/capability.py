"""Whether a sandbox works here: proved by running a confined process that tries to get out, never by looking at files.

bubblewrap comes first, Landlock where that cannot work. A proof counts until the machine starts again or the program
changes; it is kept in Assent's state folder.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Sequence

from assent.digest import sha256
from assent.errors import AssentError
from assent.record import record, replace
from assent.sandbox import landlock, running
from assent.sandbox.drafts import make_drafts
from assent.sandbox.ground import Machine
from assent.sandbox.planted import Watch
from assent.sandbox.profile import Profile, profile_for
from assent.sandbox.running import Confined
from assent.sandbox.walls import Walls, walls_for

PLACES = "/usr/bin:/bin:/usr/local/bin:/run/wrappers/bin:/run/current-system/sw/bin"
"""Where bubblewrap is looked for. Not in `PATH`, which may lead into a project."""
FORMAT = 2
BUBBLEWRAP, LANDLOCK = "bubblewrap", "landlock"
SCRIPTS = {
    BUBBLEWRAP: """
echo in > made || exit 11
{ read -r word < "$1"; } 2>/dev/null && exit 12
[ -w /usr ] && exit 13
{ echo out > "$1"; } 2>/dev/null
exit 42
""",
    LANDLOCK: """
echo in > made || exit 11
{ read -r word < "$1"; } 2>/dev/null && exit 12
{ true >> /etc/passwd; } 2>/dev/null && exit 13
{ echo out > "$1"; } 2>/dev/null
chmod 700 made || exit 14
chmod 640 "$1" 2>/dev/null && exit 15
kill -0 "$2" 2>/dev/null && exit 16
exit 42
""",
}


@record
class Capability:
    """Whether commands can be confined, why not, and by what."""

    works: bool
    why_not: str = ""
    how: str = ""
    kind: str = BUBBLEWRAP
    instead: str = ""
    """Why it is not bubblewrap, where it is not."""

    def walls(self, profile: Profile) -> Walls | None:
        """What Landlock needs besides the profile. An error if it cannot do what the profile says."""
        return walls_for(profile, Machine()) if self.kind == LANDLOCK else None

    def start(
        self,
        profile: Profile,
        command: Sequence[str],
        state: str,
        *,
        stdin: int | None = None,
        stdout: int | None = None,
        show: bool = True,
    ) -> Confined:
        """Start a command inside."""
        watch = Watch(profile, os.path.join(state, "sandbox"))
        confined = self._started(profile, command, state, stdin=stdin, stdout=stdout, show=show)
        confined.closing.append(watch.undo)
        return confined

    def _started(
        self, profile: Profile, command: Sequence[str], state: str, *, stdin: int | None, stdout: int | None, show: bool
    ) -> Confined:
        walls = self.walls(profile)
        if walls is not None:
            return landlock.start(profile, walls, command, stdin=stdin, stdout=stdout, show=show)
        cover = nothing_file(state)
        drafts = make_drafts(profile, os.path.dirname(cover))
        try:
            return running.start(
                profile,
                command,
                program=self.how,
                nothing=cover,
                stdin=stdin,
                stdout=stdout,
                show=show,
                drafts=drafts,
            )
        except BaseException:
            for draft in drafts:
                shutil.rmtree(draft.folder, ignore_errors=True)
            raise


def nothing_file(state: str) -> str:
    """A file that nobody may open, to lay over secrets."""
    return os.path.join(state, "sandbox", "closed")


def bubblewrap(places: str = PLACES) -> str:
    return shutil.which("bwrap", path=places) or ""


def available(state: str, *, places: str = PLACES, again: bool = False, only: str = "") -> Capability:
    """The best sandbox that works, or the one that is named: as proved since the machine started, or proved now."""
    first = _unproved_bubblewrap(places) if only != LANDLOCK else Capability(False)
    first = _proved(first, state, again=again)
    if first.works or only == BUBBLEWRAP:
        return first
    second = _proved(_unproved_landlock(), state, again=again)
    if second.works or only == LANDLOCK:
        return replace(second, instead=first.why_not)
    return replace(first, why_not=f"{first.why_not}; {second.why_not}")


def _unproved_bubblewrap(places: str) -> Capability:
    program = bubblewrap(places)
    why = "" if program else "bubblewrap is not installed (package `bubblewrap`, program `bwrap`)"
    return Capability(bool(program), why, program)


def _unproved_landlock() -> Capability:
    why = landlock.missing()
    return Capability(not why, why, "Landlock", LANDLOCK)


def _proved(able: Capability, state: str, *, again: bool) -> Capability:
    """The same if it was proved, or is now. A failure is never kept."""
    if not able.works:
        return able
    try:
        prepare(state)
        name = "proved" if able.kind == BUBBLEWRAP else f"proved-{able.kind}"
        mark, file = _mark(able), os.path.join(state, "sandbox", name)
        if not again and _kept(file) == mark:
            return able
        why = _tried(able, state)
        if not why:
            _keep(file, mark)
        return replace(able, works=not why, why_not=why)
    except (AssentError, OSError) as error:
        return replace(able, works=False, why_not=str(error))


def prepare(state: str) -> None:
    """Make the file that covers secrets. INVARIANT: it is empty and its rights are none."""
    file = nothing_file(state)
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0))
    except FileExistsError:
        status = os.lstat(file)
        if status.st_size or status.st_mode & 0o777 or status.st_uid != os.geteuid():
            raise AssentError(f"`{file}` is not the empty file it has to be", help="remove it") from None


def _tried(able: Capability, state: str) -> str:
    """Run something that tries to change and read what is outside; the reason why it is not confined, or nothing."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="proof-", dir=os.path.join(state, "sandbox")))
    inside = os.path.realpath(tempfile.mkdtemp(prefix="assent-proof-"))
    try:
        witness = os.path.join(folder, "witness")
        with open(witness, "w", encoding="ascii") as stream:
            stream.write(word := secrets.token_hex() + "\n")
        profile = profile_for(inside, inside, os.path.join(folder, "home"), Machine(), env={"PATH": os.defpath})
        words = ("/bin/sh", "-c", SCRIPTS[able.kind], "sh", witness, str(os.getpid()))
        before = os.stat(witness).st_mode
        ended = able.start(profile, words, state, show=False).wait()
        with open(witness, encoding="ascii") as stream:
            unchanged = stream.read() == word and os.stat(witness).st_mode == before
        made = os.path.exists(os.path.join(inside, "made"))
    finally:
        for one in (folder, inside):
            shutil.rmtree(one, ignore_errors=True)
    if ended.code != 42 or not made:
        return f"a confined test ended with {ended.code}: {ended.errors.strip() or 'it reached what it should not'}"
    return "" if unchanged else "a confined test changed a file outside"


def _mark(able: Capability) -> str:
    """This start of the machine, this very program, this user, this way of making profiles."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:
        boot = stream.read().strip()
    program = able.how if able.kind == BUBBLEWRAP else os.path.realpath(sys.executable)
    status = os.stat(program)
    parts = (FORMAT, boot, program, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, os.geteuid())
    return sha256(" ".join(str(part) for part in (able.kind, *parts)).encode())


def _kept(file: str) -> str:
    try:
        with open(file, encoding="ascii") as stream:
            status = os.fstat(stream.fileno())
            return "" if status.st_uid != os.geteuid() or status.st_mode & 0o022 else stream.read().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _keep(file: str, mark: str) -> None:
    draft = f"{file}.{os.getpid()}"
    with open(
        os.open(draft, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC, 0o600), "w", encoding="ascii"
    ) as out:
        out.write(mark + "\n")
    os.replace(draft, file)
