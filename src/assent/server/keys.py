"""Who may talk to the inbox: the machine token in the state folder, one-time login codes, and keys of browsers.

The token is for programs of the same user. A browser trades a code for a key that ends with the server: were it the
token itself, an open tab would send it to whatever program listens on the port after us.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
import threading
import time
from collections import deque
from collections.abc import Callable

from assent.digest import sha256
from assent.errors import AssentError
from assent.folders import locked, make_folder, write_atomically

TOKEN_BYTES = 32
CODE_BYTES = 24
CODE_SECONDS = 300.0
MOST_KEYS = 200
WRONG_LIMIT = 20
WRONG_SECONDS = 60.0


def token_file(state: str) -> str:
    return os.path.join(state, "web-token")


def codes_folder(state: str) -> str:
    return os.path.join(state, "web-codes")


def read_token(state: str) -> str:
    """The token of this machine, made on first use. A file that others may read is an error, not a secret."""
    file = token_file(state)
    with locked(file):
        if not os.path.lexists(file):
            write_atomically(file, secrets.token_hex(TOKEN_BYTES).encode() + b"\n")
    status = os.lstat(file)
    advice = f"remove `{file}`; a new one is made on the next start"
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise AssentError(f"`{file}` is not a file for you alone", help=advice)
    with open(file, encoding="ascii", errors="replace") as source:
        token = source.read(200).strip()
    if len(token) != TOKEN_BYTES * 2 or not all(sign in "0123456789abcdef" for sign in token):
        raise AssentError(f"`{file}` does not hold a token", help=advice)
    return token


def new_code(state: str) -> str:
    """A login code for one browser, good once and for five minutes. Only its digest is kept, as the name of a file."""
    folder = codes_folder(state)
    make_folder(folder)
    _sweep(folder)
    code = secrets.token_urlsafe(CODE_BYTES)
    write_atomically(os.path.join(folder, sha256(code.encode())), b"")
    return code


def use_code(state: str, code: str) -> bool:
    """Use up a code. INVARIANT: removing its file is what decides, so that two that come at once cannot both win."""
    file = os.path.join(codes_folder(state), sha256(code.encode(errors="replace")))
    try:
        made = os.lstat(file).st_mtime
        os.unlink(file)
    except OSError:
        return False
    return time.time() - made < CODE_SECONDS


def _sweep(folder: str) -> None:
    for name in os.listdir(folder):
        file = os.path.join(folder, name)
        try:
            if time.time() - os.lstat(file).st_mtime > CODE_SECONDS:
                os.unlink(file)
        except FileNotFoundError:
            continue  # somebody else was faster


class Keys:
    """What opens the API while one server runs."""

    def __init__(self, state: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.state = state
        self._token = read_token(state)
        self._browsers: deque[str] = deque(maxlen=MOST_KEYS)
        self._wrong: deque[float] = deque(maxlen=WRONG_LIMIT)
        self._clock = clock
        self._lock = threading.Lock()

    def login(self, code: str) -> str:
        """A key for the browser that has this code; empty when the code is wrong, used or too old."""
        if not use_code(self.state, code):
            self._note_wrong()
            return ""
        key = secrets.token_hex(TOKEN_BYTES)
        with self._lock:
            self._browsers.append(key)
        return key

    def logout(self, key: str) -> None:
        with self._lock:
            if key in self._browsers:
                self._browsers.remove(key)

    def accepts(self, given: str) -> bool:
        """Whether this is the token or a browser's key. INVARIANT: takes as long whichever of them is nearly right."""
        with self._lock:
            known = (self._token, *self._browsers)
        sent = given.encode(errors="replace")
        found = sum([hmac.compare_digest(sent, one.encode()) for one in known]) > 0
        if not found:
            self._note_wrong()
        return found

    def locked_for(self) -> float:
        """Seconds until another wrong guess is heard; 0 when one may be made.

        What is right is always heard: else any program on this machine could lock the person out of their inbox.
        """
        with self._lock:
            if len(self._wrong) < WRONG_LIMIT:
                return 0.0
            return max(0.0, self._wrong[0] + WRONG_SECONDS - self._clock())

    def _note_wrong(self) -> None:
        with self._lock:
            self._wrong.append(self._clock())
