"""Ways out of a sandbox, each tried for real. Runs inside, alone in its interpreter: standard library only.

Gets one JSON object as its argument, writes one JSON object per attempt: name, whether it was held back, what happened.
"""

# ruff: noqa: ARG001, ARG005 - every attempt has the same shape

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import signal
import socket
import stat
import sys
from collections.abc import Callable
from typing import Any

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
TIOCSTI, PTRACE_ATTACH, AF_VSOCK, KEYCTL = 0x5412, 16, 40, {"x86_64": 250, "aarch64": 219}
libc = ctypes.CDLL(None, use_errno=True)


class Out(Exception):  # noqa: N818 - what it is
    """An attempt that succeeded."""


def write(path: str) -> None:
    with open(path, "a") as stream:
        stream.write("out")
    raise Out(f"wrote {path}")


def read(path: str) -> None:
    with open(path, "rb") as stream:
        raise Out(f"read {len(stream.read())} bytes of {path}")


def checked(result: int) -> None:
    """The result of a C call."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    raise Out("was let through")


def system(given: Any) -> None:
    """Asks instead of writing: where the sandbox fails, nothing is left behind."""
    for folder in ("/usr", "/etc", "/"):
        if os.access(folder, os.W_OK):
            raise Out(f"may write into {folder}")
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def through_a_link(given: Any) -> None:
    os.symlink(given["secret"], "link-out")
    read("link-out")


def hard_link(given: Any) -> None:
    os.link(given["secret"], "hard-link-out")
    raise Out("made a second name for a secret")


def loopback(given: Any) -> None:
    with socket.create_connection(("127.0.0.1", given["port"]), timeout=2):
        raise Out("reached a port of this machine")


def internet(given: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.connect(("192.0.2.1", 53))
        one.send(b"x")
    raise Out("sent a packet")


def abstract(given: Any) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect("\0" + given["abstract"])
    raise Out("reached an abstract socket")


def named_socket(given: Any) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(given["socket"])
    raise Out("reached a socket in a folder")


def vsock(given: Any) -> None:
    with socket.socket(AF_VSOCK, socket.SOCK_STREAM):
        raise Out("can talk to the host of this virtual machine")


def other_interfaces(given: Any) -> None:
    found = [name for _, name in socket.if_nameindex() if name != "lo"]
    if found:
        raise Out(f"sees {', '.join(found)}")
    raise OSError(errno.ENODEV, "no interface but its own loopback")


def through_proc(given: Any) -> None:
    for name in os.listdir("/proc"):
        if name.isdigit() and os.path.exists(f"/proc/{name}/root{given['secret']}"):
            raise Out(f"/proc/{name}/root leads out")
    raise OSError(errno.ENOENT, "every /proc/PID/root is the sandbox")


def kernel_settings(given: Any) -> None:
    for path in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/kernel/modprobe"):
        try:
            os.close(os.open(path, os.O_WRONLY))
        except OSError:
            continue
        raise Out(f"may write {path}")
    raise OSError(errno.EACCES, "none can be written")


def processes(given: Any) -> None:
    seen = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    for number in seen:
        with open(f"/proc/{number}/cmdline", "rb") as stream:
            if given["mark"].encode() in stream.read() and number not in (1, 2, os.getpid()):
                raise Out(f"sees process {number}")
    os.kill(given["process"], 0)
    raise Out(f"can signal process {given['process']}")


def kill_all(given: Any) -> None:
    """INVARIANT: never tried where it could reach anybody else: the first process must be ours alone."""
    if os.getpid() > 50:
        raise Out("is not in a process namespace of its own")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(-1, signal.SIGTERM)
    raise OSError(errno.ESRCH, "reached nobody outside")


def trace(given: Any) -> None:
    checked(libc.ptrace(PTRACE_ATTACH, given["process"], 0, 0))


def mount(given: Any) -> None:
    os.makedirs("mounted", exist_ok=True)
    checked(libc.mount(b"none", b"mounted", b"tmpfs", 0, b""))


def unshare(given: Any) -> None:
    checked(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS))


def keyring(given: Any) -> None:
    checked(libc.syscall(KEYCTL.get(os.uname().machine, 250), 0, -3, 0))


def rights(given: Any) -> None:
    with open("/proc/self/status") as stream:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in stream if ":\t" in line)
    if int(status["CapEff"], 16) or int(status["CapBnd"], 16) or status["NoNewPrivs"] != "1":
        raise Out(f"has rights: {status['CapEff']} {status['CapBnd']} {status['NoNewPrivs']}")
    raise OSError(errno.EPERM, "no capability is left, and no program can win one")


def become_another(given: Any) -> None:
    os.setuid(0 if os.getuid() else 12345)
    raise Out("became another user")


def devices(given: Any) -> None:
    for name in os.listdir("/dev"):
        mode = os.lstat(f"/dev/{name}").st_mode
        if stat.S_ISBLK(mode) or name in ("mem", "kmem", "kmsg", "kvm", "fuse", "vsock"):
            raise Out(f"/dev/{name} is there")
    os.mknod("device", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    raise Out("made a device")


def type_text(given: Any) -> None:
    fcntl.ioctl(0, TIOCSTI, b"x")
    raise Out("typed into the terminal")


def environment(given: Any) -> None:
    if "ASSENT_PROOF_SECRET" in os.environ:
        raise Out("sees variables of the person who started it")
    raise OSError(errno.ENOENT, "variables are cleared")


def fork(given: Any) -> None:
    started = []
    try:
        for _ in range(given["processes"] + 20):
            child = os.fork()
            if not child:
                signal.pause()
            started.append(child)
        raise Out(f"started {len(started)} processes")
    finally:
        for child in started:
            os.kill(child, signal.SIGKILL)
        for child in started:
            os.waitpid(child, 0)


def rename_git(given: Any) -> None:
    os.rename(".git", "git-away")
    raise Out("put another .git in its place")


ATTEMPTS: dict[str, Callable[[Any], None]] = {
    "write a file outside": lambda given: write(given["witness"]),
    "write into the system": system,
    "read a key in ~/.ssh": lambda given: read(given["secret"]),
    "read Assent's own state": lambda given: read(given["state"]),
    "read .env of the workspace": lambda given: read(".env"),
    "read /etc/shadow": lambda given: read("/etc/shadow"),
    "change .git/config": lambda given: write(".git/config"),
    "add a git hook": lambda given: write(".git/hooks/pre-commit"),
    "replace .git": rename_git,
    "read a secret through a symbolic link": through_a_link,
    "read a secret through a hard link": hard_link,
    "reach a port on loopback": loopback,
    "reach the internet": internet,
    "see a network interface": other_interfaces,
    "reach an abstract unix socket": abstract,
    "reach a unix socket outside": named_socket,
    "reach the host of a virtual machine": vsock,
    "get out by /proc/PID/root": through_proc,
    "write kernel settings in /proc": kernel_settings,
    "see or signal other processes": processes,
    "trace a process outside": trace,
    "mount a file system": mount,
    "make a user namespace": unshare,
    "use the kernel's keyring": keyring,
    "keep any right": rights,
    "become another user": become_another,
    "open or make a device": devices,
    "type into the terminal (TIOCSTI)": type_text,
    "see variables of the environment": environment,
    "start too many processes": fork,
    "end every process": kill_all,
}


def main() -> None:
    given = json.loads(sys.argv[1])
    for name in given.get("only") or ATTEMPTS:
        try:
            ATTEMPTS[name](given)
            held, text = False, "nothing stopped it"
        except Out as out:
            held, text = False, str(out)
        except (OSError, ValueError) as error:
            held, text = True, getattr(error, "strerror", None) or str(error)
        print(json.dumps({"name": name, "held": held, "text": text}), flush=True)  # noqa: T201 - its only output


if __name__ == "__main__":
    main()
