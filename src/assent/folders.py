"""Assent's own folders and files: where they are, how they are written, and which project files a person trusts."""

from __future__ import annotations

import os
import sys

from assent.errors import AssentError, InputError, UsageError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.types import Layer

LOCK_SECONDS = 10.0
POLL_SECONDS = 0.02
MAX_TRUST_BYTES = 4_000_000
HEX = frozenset("0123456789abcdef")


# --- where ---------------------------------------------------------------------------------------------------------


OPEN_INBOXES = "inboxes"
"""In the state folder: one file for each `assent serve` that runs, named by its process."""


def config_folder(env: Mapping[str, str], home: str) -> str:
    """`$XDG_CONFIG_HOME/assent`, by default `~/.config/assent`."""
    return _xdg_folder(env, "XDG_CONFIG_HOME", home, ".config")


def state_folder(env: Mapping[str, str], home: str) -> str:
    """`$XDG_STATE_HOME/assent`, by default `~/.local/state/assent`."""
    return _xdg_folder(env, "XDG_STATE_HOME", home, ".local/state")


def data_folder(env: Mapping[str, str], home: str) -> str:
    """`$XDG_DATA_HOME/assent`, by default `~/.local/share/assent`."""
    return _xdg_folder(env, "XDG_DATA_HOME", home, ".local/share")


def managed_folder() -> str:
    """Where an administrator's policies are; no variable can move it."""
    return "/etc/assent/policy.d"


def own_folders(env: Mapping[str, str], home: str) -> tuple[str, ...]:
    """What belongs to this installation of Assent: no agent changes it."""
    return *kept_folders(env, home), *running_places()


def kept_folders(env: Mapping[str, str], home: str) -> tuple[str, ...]:
    """Where Assent keeps policies, answers, grants and its journal."""
    return config_folder(env, home), state_folder(env, home), "/etc/assent"


# --- what runs us --------------------------------------------------------------------------------------------------

MOST_LINKS = 40
PACKAGES = ("site-packages", "dist-packages")
_running: tuple[str, ...] = ()


def running_places() -> tuple[str, ...]:
    """The files and folders that the next start of Assent runs code from; looked up once in a process.

    INVARIANT: whoever can change none of them cannot change what decides: the package and the folder it is imported
    from, every link to the interpreter, what makes an environment of it, and its standard library.
    """
    global _running  # noqa: PLW0603 - it lasts as long as the process
    if not _running:
        package = os.path.dirname(os.path.abspath(__file__))
        found = [package]
        for path in (package, sys.executable):
            found += _led_through(path) if path else ()
        for path in _interpreters(sys.executable):
            found += _around(path)
        library = os.path.dirname(os.path.abspath(os.__file__))
        found += [library, *(path for path in sys.path if _is_searched(path, library))]
        above = os.path.dirname(package)
        found += [above] if _is_narrow(above) else []
        _running = tuple([path for path in dict.fromkeys(found) if not any(_is_below(path, one) for one in found)])
    return _running


def _is_narrow(folder: str) -> bool:
    """Whether a folder is one that modules are imported from and not a whole home, or the top of the machine."""
    return folder.count("/") > 1 and folder != os.path.expanduser("~")


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def _is_searched(path: str, library: str) -> bool:
    """Whether modules are looked for here wherever we are started: the folder of a script or of `-m` is no such."""
    name = os.path.basename(path)
    return os.path.isabs(path) and (
        name in PACKAGES or (name.startswith("python") and name.endswith(".zip")) or _is_below(path, library)
    )


def _interpreters(path: str) -> list[str]:
    """Each name under which the interpreter is found, from the one we were started by to the file itself."""
    found: list[str] = []
    while path and path not in found and len(found) < MOST_LINKS:
        found.append(path)
        link = _link_in(path)
        path = _followed(path, link) if link else ""
    return found


def _around(path: str) -> list[str]:
    """What an interpreter of this name loads before anything else, and in an environment of its own all programs."""
    folder = os.path.dirname(path)
    above, version = os.path.dirname(folder), f"{sys.version_info[0]}.{sys.version_info[1]}"
    found = [path, f"{folder}/pyvenv.cfg", f"{above}/pyvenv.cfg"]
    found += [f"{above}/lib/libpython{version}{end}" for end in (".so", ".so.1.0")]
    alone = os.path.exists(f"{above}/pyvenv.cfg")
    return [*found, folder, f"{above}/lib/python{version}/site-packages"] if alone else found


def _led_through(path: str) -> list[str]:
    """The links on the way to a path, but for those at the top of the machine, such as `/bin`."""
    found: list[str] = []
    while (link := _link_in(path)) and len(found) < MOST_LINKS:
        found.append(link)
        path = _followed(path, link)
    return [link for link in found if link.count("/") > 1]


def _link_in(path: str) -> str:
    """The first part of a path that is a link."""
    end = path.find("/", 1)
    while True:
        part = path if end < 0 else path[:end]
        try:
            os.readlink(part)
        except OSError:
            if end < 0:
                return ""
            end = path.find("/", end + 1)
        else:
            return part


def _followed(path: str, link: str) -> str:
    """A path with the first link in it replaced by what that says."""
    return os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)) + path[len(link) :])


# --- files ---------------------------------------------------------------------------------------------------------


def policy_files(env: Mapping[str, str], home: str, workspace: str | None) -> tuple[tuple[Layer, str], ...]:
    """The policy files there are, loosest layer first; a file that cannot be looked at counts as being there."""
    found = list(written_files(env, home, workspace))
    for path in _managed_files():
        found.append(("managed", path))
    return tuple(found)


def written_files(env: Mapping[str, str], home: str, workspace: str | None) -> tuple[tuple[Layer, str], ...]:
    """The policy files of the user and the project."""
    wanted: list[tuple[Layer, str]] = [("user", config_folder(env, home) + "/policy.toml")]
    if workspace:
        wanted.append(("project", os.path.join(workspace, ".assent/policy.toml")))
        wanted.append(("local", os.path.join(workspace, ".assent/policy.local.toml")))
    return tuple((layer, path) for layer, path in wanted if _present(path))


def _xdg_folder(env: Mapping[str, str], variable: str, home: str, default: str) -> str:
    given = env.get(variable, "")
    if os.path.isabs(given):
        return os.path.join(given, "assent")
    if not os.path.isabs(home):
        raise AssentError(f"the home folder `{home}` is not an absolute path", help=f"set HOME or {variable}")
    return os.path.join(home, default, "assent")


def _present(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _managed_files() -> list[str]:
    folder = managed_folder()
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        advice = "an administrator must make the folder readable"
        raise AssentError(f"cannot list the managed policies in `{folder}`: {error.strerror}", help=advice) from error
    return [os.path.join(folder, name) for name in names if name.endswith(".toml") and not name.startswith(".")]


# --- writing -------------------------------------------------------------------------------------------------------


def write_atomically(path: str, data: bytes, *, mode: int = 0o600) -> None:
    """Replace a file as a whole: whoever reads it, or pulls the plug, finds the old content or the new."""
    folder, name = os.path.split(os.path.abspath(path))
    try:
        make_folder(folder)
        inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            _refuse_link(inside, name, path)
            _replace(inside, name, data, mode)
        finally:
            os.close(inside)
    except OSError as error:
        raise AssentError(f"cannot write `{path}`: {error.strerror}") from error


def make_folder(folder: str) -> None:
    """Make a folder and what is missing above it, for the owner alone; existing folders stay as they are."""
    if os.path.isdir(folder):
        return
    parent = os.path.dirname(folder)
    if parent != folder:
        make_folder(parent)
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise


def _refuse_link(inside: int, name: str, path: str) -> None:
    import stat

    try:
        kind = os.lstat(name, dir_fd=inside).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(kind):
        raise AssentError(f"`{path}` is a symbolic link", help="replace the link by the file it should be")


def _replace(inside: int, name: str, data: bytes, mode: int) -> None:
    draft = f".{name}.{os.urandom(8).hex()}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    out = os.open(draft, flags, 0o600, dir_fd=inside)
    try:
        try:
            _write_all(out, data)
            os.fchmod(out, mode)
            os.fsync(out)
        finally:
            os.close(out)
        os.replace(draft, name, src_dir_fd=inside, dst_dir_fd=inside)
    except BaseException:
        os.unlink(draft, dir_fd=inside)
        raise
    os.fsync(inside)


def _write_all(out: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(out, rest) :]


# --- reading -------------------------------------------------------------------------------------------------------


def read_own(file: str, most: int, known: object = None) -> tuple[object, bytes | None]:
    """The version of a file of ours, and its content unless that is the version which is known; twice None without one.

    INVARIANT: what others could have written is not read. Raises InputError with what is wrong.
    """
    try:
        source = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None, None
    except OSError as error:
        raise InputError(error.strerror or "cannot be opened") from error
    try:
        status = os.fstat(source)
        trouble = _foreign(os.stat(os.path.dirname(file)), "the folder") or _unsafe(status, most)
        if trouble:
            raise InputError(trouble)
        version = (status.st_ino, status.st_size, status.st_mtime_ns)
        return version, None if version == known else _read_all(source, most)
    except OSError as error:
        raise InputError(error.strerror or "cannot be read") from error
    finally:
        os.close(source)


def _unsafe(status: os.stat_result, most: int) -> str:
    import stat

    if not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    return _foreign(status, "the file") or ("the file is too large" if status.st_size > most else "")


def _foreign(status: os.stat_result, what: str) -> str:
    if status.st_uid != os.geteuid():
        return f"{what} belongs to user {status.st_uid}, not to you"
    return f"others may write to {what}" if status.st_mode & 0o022 else ""


def _read_all(source: int, most: int) -> bytes:
    parts: list[bytes] = []
    while part := os.read(source, most):
        parts.append(part)
    return b"".join(parts)


# --- locking -------------------------------------------------------------------------------------------------------


def locked(path: str, *, timeout: float = LOCK_SECONDS) -> Lock:
    """`with locked(path):` keeps every other process that does the same out; the lock file stays behind."""
    return Lock(path, timeout)


class Lock:
    """An exclusive `flock` on `path.lock`, which names the process that holds it."""

    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._file = -1

    def __enter__(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            make_folder(os.path.dirname(os.path.abspath(self._path)))
            self._file = os.open(f"{self._path}.lock", flags, 0o600)
        except OSError as error:
            raise AssentError(f"cannot lock `{self._path}`: {error.strerror}") from error
        try:
            self._wait()
            self._sign(f"{os.getpid()} {os.path.basename(sys.argv[0] or 'python')}"[:200])
        except BaseException:
            os.close(self._file)
            raise

    def __exit__(self, *_error: object) -> None:
        try:
            self._sign("")
        finally:
            os.close(self._file)

    def _wait(self) -> None:
        import time

        end = time.monotonic() + self._timeout
        while not self._try():
            if time.monotonic() >= end:
                raise AssentError(
                    f"`{self._path}` is locked by {self._holder()} for more than {self._timeout:g} seconds",
                    help="wait for that process or end it, then try again",
                )
            time.sleep(POLL_SECONDS)

    def _try(self) -> bool:
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _sign(self, text: str) -> None:
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, text.encode(errors="replace"), 0)

    def _holder(self) -> str:
        pid, _, program = os.pread(self._file, 300, 0).decode(errors="replace").partition(" ")
        shown = "".join(letter for letter in program if letter.isprintable())
        return f"process {pid} (`{shown}`)" if pid.isdecimal() else "another process"


# --- trust ---------------------------------------------------------------------------------------------------------


@record
class TrustEntry:
    """A person trusted a file with exactly this content."""

    file: str
    digest: str
    at: float


class Trust:
    """The project files a person trusts, by content.

    INVARIANT: a list that is broken, or that others could have written, trusts nothing and says so in `problem`.
    """

    def __init__(self, state_folder: str) -> None:
        self._folder = state_folder
        self._file = os.path.join(state_folder, "trust.json")

    def trusted(self, file: str, digest: str) -> bool:
        """Whether a person trusted this file with this content."""
        path = os.path.realpath(file)
        return any(entry.file == path and entry.digest == digest for entry in self.entries())

    def entries(self) -> tuple[TrustEntry, ...]:
        """What is trusted, by file; nothing if there is a `problem`."""
        try:
            return self._read()
        except AssentError:
            return ()

    def problem(self) -> str:
        """Why the list cannot be used, or the empty string."""
        try:
            self._read()
        except AssentError as error:
            return str(error)
        return ""

    def trust(self, file: str, digest: str, at: float) -> None:
        """Trust a file as long as it has this content."""
        if not _is_digest(digest):
            raise UsageError(f"`{digest}` is not a SHA-256 digest", help="64 lower-case hexadecimal digits")
        self._change(file, TrustEntry(os.path.realpath(file), digest, float(at)))

    def untrust(self, file: str) -> bool:
        """Stop trusting a file; says whether it was trusted."""
        return self._change(file, None)

    def _change(self, file: str, entry: TrustEntry | None) -> bool:
        from assent import wire

        path = os.path.realpath(file)
        with locked(self._file):
            before = {known.file: known for known in self._read()}
            after = {name: known for name, known in before.items() if name != path}
            if entry:
                after[path] = entry
            table = {name: {"digest": after[name].digest, "at": after[name].at} for name in sorted(after)}
            write_atomically(self._file, wire.dumps(table).encode() + b"\n")
        return path in before

    def _read(self) -> tuple[TrustEntry, ...]:
        from assent import wire

        try:
            _, data = read_own(self._file, MAX_TRUST_BYTES)
            return () if data is None else tuple(_entries(wire.loads(data)))
        except InputError as error:
            raise AssentError(
                f"nothing is trusted, because `{self._file}` cannot be used: {error.message}",
                help="remove the file and trust your projects again",
            ) from error


def _is_digest(text: str) -> bool:
    return len(text) == 64 and HEX.issuperset(text)


def _entries(table: object) -> list[TrustEntry]:
    if not isinstance(table, dict):
        raise InputError("it is not a table of files")
    found: list[TrustEntry] = []
    for file, entry in sorted(table.items()):
        match entry:
            case {"digest": str(digest), "at": int() | float() as at, **more} if not more and _is_digest(digest):
                found.append(TrustEntry(file, digest, float(at)))
            case _:
                raise InputError(f"the entry for `{file}` is not a digest and a time")
    return found
