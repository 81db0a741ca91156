"""What a start consists of, in this order: the resident helper if it is a hook, the bundle, the verb.

Loaded by `start.py`, from bytecode: what stands there itself is compiled anew at every start. Not even `os` is imported
before it is needed: a hook that the helper answers can do without.
"""

import gc
import posix
import sys
from _frozen_importlib_external import SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER, SOCKET = "resident", "hooks.sock"
PRIVATE_FOLDER, IS_SOCKET, KIND, RIGHTS = 0o040700, 0o140000, 0o170000, 0o777


def run(package: str) -> int:
    """The exit code of the verb in `sys.argv`."""
    gc.disable()
    words = sys.argv[1:]
    path = resident_socket(posix.environ) if len(words) > 1 and words[0] == "hook" else b""
    if path:
        code = loaded(package, "resident/client.py").answered(path, package, words)
        if code is not None:
            return int(code)
    sys.path.append(package.rsplit("/", 1)[0])
    loaded(package, "bundle.py").use_bundle()
    from assent.cli.fast import main

    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # closed by whoever started us
                stream.flush()
        except OSError:
            code = 2
    return code


def resident_socket(env: "Mapping[bytes, bytes]") -> bytes:
    """Where the helper listens, empty when there is none, or when others could have put it there."""
    state = env.get(b"XDG_STATE_HOME", b"")
    if state[:1] != b"/":
        state = env.get(b"HOME", b"") + b"/.local/state"
    folder = b"%s/assent/%s" % (state, FOLDER.encode())
    path = b"%s/%s" % (folder, SOCKET.encode())
    try:
        there, around, me = posix.lstat(path), posix.lstat(folder), posix.geteuid()
    except OSError:
        return b""
    private = around.st_mode & (KIND | RIGHTS) == PRIVATE_FOLDER and there.st_mode & KIND == IS_SOCKET
    return path if state[:1] == b"/" and private and around.st_uid == there.st_uid == me else b""


def loaded(package: str, file: str) -> "Any":
    """A module that needs no other of ours, without searching for it: that would list two folders."""
    name = "assent." + file[:-3].replace("/", ".")
    module = type(sys)(name)
    module.__file__ = f"{package}/{file}"
    SourceFileLoader(name, module.__file__).exec_module(module)
    return module
