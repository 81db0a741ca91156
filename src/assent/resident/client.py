"""The hook's side of the resident helper: hand the payload over and print the answer, before anything else is loaded.

INVARIANT: only a whole answer is an answer. Whatever else happens, the hook goes on by itself with the same payload.
Loaded before anything else, so not even `os` is imported, which takes as long as all that is done here.
"""

import posix
import sys
from _imp import create_dynamic, exec_dynamic, extension_suffixes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROTOCOL = b"assent-resident-2"
"""Changes whenever the two sides would not understand each other any more."""
JUDGED, GO, YOURSELF, ANSWER = b"J", b"G", b"Y", b"A"
KEY, SECRET_BYTES, NONCE_BYTES, PROOF_BYTES = b"key", 32, 16, 32
"""The file beside the socket, which no agent may read, and what is made of it: see `proof`."""
JUDGE_SECONDS, WRITE_SECONDS = 2.0, 5.0
"""How long the helper may judge, and then write down. INVARIANT: it gives up before we do; see `worker`."""
NOT_HERE = ("--seconds", "--help", "-h")
"""Whoever counts the seconds has none to spend on a helper that may not answer."""
MOST_PAYLOAD = 1_000_000
HEAD = 22
"""The bytes of an answer before its text: a letter, the exit code, and two lengths in ten digits each."""


class Late(Exception):  # noqa: N818 - not an error: somebody else does it
    """The helper, or whoever sends the payload, takes too long."""


class Given:
    """Standard input of which a part was read already."""

    def __init__(self, data: bytes) -> None:
        self.buffer = self
        self.data = data

    def read(self, most: int) -> bytes:
        data, self.data = self.data, b""
        real = sys.__stdin__
        return data if real is None else data + real.buffer.read(most - len(data))


def answered(path: bytes, package: str, words: list[str]) -> int | None:
    """The exit code when the helper answered and its answer is printed, else None."""
    if any(word.startswith(NOT_HERE) for word in words):
        return None
    clock = _Clock()
    payload: list[bytes] = []
    answer: tuple[int, bytes, bytes] | None = None
    try:
        try:
            clock.start(JUDGE_SECONDS)
            if _read_payload(payload):
                answer = _asked(path, package, words, b"".join(payload), clock)
        finally:
            clock.stop()
    except Exception:
        answer = None  # nobody there, too late, out of order: all the same to the hook
    if answer is None:
        sys.stdin = Given(b"".join(payload))
        return None
    return _printed(answer)


class _Clock:
    """An alarm that raises `Late`, and only while it runs."""

    def __init__(self) -> None:
        import _signal  # type: ignore[import-not-found]

        self.signals: Any = _signal
        self.runs = False
        _signal.signal(_signal.SIGALRM, self._late)

    def start(self, seconds: float) -> None:
        self.runs = True
        self.signals.setitimer(self.signals.ITIMER_REAL, seconds)

    def stop(self) -> None:
        self.runs = False
        self.signals.setitimer(self.signals.ITIMER_REAL, 0)

    def _late(self, _number: int, _frame: object) -> None:
        if self.runs:
            raise Late


def _read_payload(parts: list[bytes]) -> bool:
    """Read standard input to its end; false when that is too much for the helper."""
    size = 0
    while part := posix.read(0, MOST_PAYLOAD):
        parts.append(part)
        size += len(part)
        if size > MOST_PAYLOAD:
            return False
    return True


def _asked(
    path: bytes, package: str, words: list[str], payload: bytes, clock: _Clock
) -> tuple[int, bytes, bytes] | None:
    sockets = _extension("_socket")
    line = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    try:
        line.settimeout(JUDGE_SECONDS)
        line.connect(path)
        if not _is_mine(sockets, line):
            return None
        secret, nonce = secret_beside(path), new_nonce()
        line.sendall(request(package, words, payload, nonce))
        if _received(line, 1 + PROOF_BYTES) != JUDGED + proof(secret, nonce, JUDGED):
            return None
        clock.start(WRITE_SECONDS)
        line.settimeout(WRITE_SECONDS)
        line.sendall(GO)
        return _read_answer(line, secret, nonce)
    finally:
        line.close()


def secret_beside(path: bytes) -> bytes:
    """What the helper that listens here has written down for its hooks."""
    file = posix.open(path[: path.rindex(b"/") + 1] + KEY, posix.O_RDONLY | posix.O_NOFOLLOW | posix.O_CLOEXEC)
    try:
        secret = posix.read(file, SECRET_BYTES + 1)
    finally:
        posix.close(file)
    if len(secret) != SECRET_BYTES:
        raise ValueError("not a key of ours")
    return secret


def new_nonce() -> bytes:
    return posix.urandom(NONCE_BYTES).hex().encode()


def proof(secret: bytes, nonce: bytes, said: bytes) -> bytes:
    """Only who knows the secret can say this, and only to this hook.

    INVARIANT: a listener alone is worth nothing. Some program may be led to listen where the helper does and hand the
    line to another machine; the file with the secret is on the floor.
    """
    made: bytes = _extension("_blake2").blake2s(nonce + said, key=secret, digest_size=PROOF_BYTES).digest()
    return made


def request(package: str, words: list[str], payload: bytes, nonce: bytes) -> bytes:
    """Who asks, from where, and what: everything that an answer may depend on."""
    around = [b"%s=%s" % pair for pair in posix.environ.items()]
    known = (PROTOCOL, nonce, interpreter(), _bytes(package), place(), posix.getcwdb())
    given = (b"%d" % len(words), *[_bytes(word) for word in words])
    head = b"\0".join((*known, *given, *around))
    return b"%10d%10d" % (len(head), len(payload)) + head + payload


def _bytes(text: str) -> bytes:
    return text.encode(sys.getfilesystemencoding(), sys.getfilesystemencodeerrors())


def interpreter() -> bytes:
    """Which Python, and how it reads the names of files."""
    return f"{sys.version} {sys.getfilesystemencoding()}".encode()


def place() -> bytes:
    """Which file system we see: in a container or a sandbox the same path may mean another file."""
    root = posix.stat("/")
    try:
        space = posix.stat("/proc/self/ns/mnt").st_ino
    except OSError:
        space = 0
    return b"%d %d %d" % (root.st_dev, root.st_ino, space)


def _is_mine(sockets: "Any", line: "Any") -> bool:
    if not hasattr(sockets, "SO_PEERCRED"):
        return True  # the folder says so: nobody else could have put a socket there
    about = line.getsockopt(sockets.SOL_SOCKET, sockets.SO_PEERCRED, 12)
    return int.from_bytes(about[4:8], sys.byteorder) == posix.geteuid()


def _read_answer(line: "Any", secret: bytes, nonce: bytes) -> tuple[int, bytes, bytes] | None:
    """INVARIANT: an answer says how long it is and ends with a proof of all of it; one that is cut short is none."""
    head = _received(line, HEAD)
    if head[:1] != ANSWER or len(head) != HEAD:
        return None
    code, out, err = head[1], int(head[2:12]), int(head[12:])
    rest = _received(line, out + err + PROOF_BYTES)
    whole = rest[out + err :] == proof(secret, nonce, head + rest[: out + err])
    return (code, rest[:out], rest[out : out + err]) if whole else None


def _received(line: "Any", size: int) -> bytes:
    """So many bytes, or fewer where they end."""
    data: bytes = line.recv(size)
    while len(data) < size and (part := line.recv(size - len(data))):
        data += part
    return data


def _printed(answer: tuple[int, bytes, bytes]) -> int:
    """INVARIANT: once the first byte is out there is no way back; what cannot be printed is a failure."""
    try:
        for number, text in enumerate(answer[1:], start=1):
            data = memoryview(text)
            while data:
                data = data[posix.write(number, data) :]
    except OSError:
        return 2
    return answer[0]


def _extension(name: str) -> "Any":
    """A module of the standard library written in C; looking for it in the usual way would list two folders."""
    if name in sys.modules:
        return sys.modules[name]
    if name not in sys.builtin_module_names:
        from _frozen_importlib import ModuleSpec
        from _frozen_importlib_external import ExtensionFileLoader

        file = f"{sys.path[-1]}/{name}{extension_suffixes()[0]}"
        if _exists(file):
            made: Any = create_dynamic(ModuleSpec(name, ExtensionFileLoader(name, file), origin=file))
            exec_dynamic(made)
            sys.modules[name] = made
            return made
    return __import__(name)


def _exists(file: str) -> bool:
    try:
        posix.stat(file)
    except OSError:
        return False
    return True
