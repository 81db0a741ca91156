"""Whether a sandbox works here: proved by running a confined process that tries to get out, never by looking at files.

The proof counts until the machine starts again or the program changes; it is kept in Assent's state folder.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile

from assent.digest import sha256
from assent.errors import AssentError
from assent.record import record
from assent.sandbox.ground import Machine
from assent.sandbox.profile import profile_for
from assent.sandbox.running import start

PLACES = "/usr/bin:/bin:/usr/local/bin:/run/wrappers/bin:/run/current-system/sw/bin"
"""Where bubblewrap is looked for. Not in `PATH`, which may lead into a project."""
FORMAT = 1
SCRIPT = """
echo in > made || exit 11
{ read -r word < "$1"; } 2>/dev/null && exit 12
[ -w /usr ] && exit 13
{ echo out > "$1"; } 2>/dev/null
exit 42
"""


@record
class Capability:
    """Whether commands can be confined, why not, and by what."""

    works: bool
    why_not: str = ""
    how: str = ""


def nothing_file(state: str) -> str:
    """A file that nobody may open, to lay over secrets."""
    return os.path.join(state, "sandbox", "closed")


def bubblewrap(places: str = PLACES) -> str:
    return shutil.which("bwrap", path=places) or ""


def available(state: str, *, places: str = PLACES, again: bool = False) -> Capability:
    """The answer that was proved since the machine started, or a new proof. A failure is never kept."""
    program = bubblewrap(places)
    if not program:
        return Capability(False, "bubblewrap is not installed (package `bubblewrap`, program `bwrap`)")
    try:
        prepare(state)
        mark, file = _mark(program), os.path.join(state, "sandbox", "proved")
        if not again and _kept(file) == mark:
            return Capability(True, how=program)
        why = _tried(program, state)
        if not why:
            _keep(file, mark)
        return Capability(not why, why, program)
    except (AssentError, OSError) as error:
        return Capability(False, str(error), program)


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


def _tried(program: str, state: str) -> str:
    """Run something that tries to change and read what is outside; the reason why it is not confined, or nothing."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="proof-", dir=os.path.join(state, "sandbox")))
    try:
        inside, witness = os.path.join(folder, "workspace"), os.path.join(folder, "witness")
        os.mkdir(inside)
        with open(witness, "w", encoding="ascii") as stream:
            stream.write(word := secrets.token_hex() + "\n")
        profile = profile_for(inside, inside, os.path.join(folder, "home"), Machine(), env={"PATH": os.defpath})
        words = ("/bin/sh", "-c", SCRIPT, "sh", witness)
        ended = start(profile, words, program=program, nothing=nothing_file(state), show=False).wait()
        with open(witness, encoding="ascii") as stream:
            unchanged = stream.read() == word
        made = os.path.exists(os.path.join(inside, "made"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if ended.code != 42 or not made:
        return f"a confined test ended with {ended.code}: {ended.errors.strip() or 'it reached what it should not'}"
    return "" if unchanged else "a confined test changed a file outside"


def _mark(program: str) -> str:
    """This start of the machine, this very program, this user, this way of making profiles."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as stream:
        boot = stream.read().strip()
    status = os.stat(program)
    parts = (FORMAT, boot, program, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, os.geteuid())
    return sha256(" ".join(str(part) for part in parts).encode())


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
