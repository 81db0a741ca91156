"""Ways out of a sandbox, each tried for real. Runs inside, alone in its interpreter: standard library only.

Gets one JSON object as its argument, writes one JSON object per attempt: name, whether it was held back, what happened.
"""

# ruff: noqa: ARG001, ARG005 - every attempt has the same shape

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import stat
import sys
from collections.abc import Callable
from typing import Any

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
TIOCSTI, PTRACE_ATTACH, AF_VSOCK, KEYCTL = 0x5412, 16, 40, {"x86_64": 250, "aarch64": 219}
PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, CAPABILITY_VERSION = 23, 39, 0x20080522
IN_OPEN = 0x20
SPECIAL = ("mem", "kmem", "kmsg", "kvm", "fuse", "vsock")
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
    """Opens and writes nothing: where the sandbox fails, nothing is left behind."""
    for file in ("/etc/passwd", "/etc/hosts", "/usr/bin/env"):
        try:
            os.close(os.open(file, os.O_WRONLY))
        except OSError:
            continue
        raise Out(f"may write {file}")
    for folder in ("/usr", "/etc", "/"):
        with contextlib.suppress(OSError):  # O_TMPFILE: a file without a name, which goes when it is closed
            os.close(os.open(folder, os.O_TMPFILE | os.O_WRONLY))
            raise Out(f"may write into {folder}")
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def through_a_link(given: Any) -> None:
    os.symlink(given["secret"], "free/link-out")
    read("free/link-out")


def hard_link(given: Any) -> None:
    os.link(given["secret"], "free/hard-link-out")
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


def numbers(given: Any) -> list[str]:
    """Processes that can be seen, and those of which is known that they are there."""
    seen = {"self", "1", str(os.getppid()), str(given["process"])}
    with contextlib.suppress(OSError):
        seen.update(name for name in os.listdir("/proc") if name.isdigit())
    return sorted(seen)


def through_proc(given: Any) -> None:
    for name in numbers(given):
        with contextlib.suppress(OSError), open(f"/proc/{name}/root{given['secret']}", "rb"):
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
    ours = ("self", "1", "2", str(os.getpid()))
    for number in numbers(given):
        with contextlib.suppress(OSError), open(f"/proc/{number}/cmdline", "rb") as stream:
            if given["mark"].encode() in stream.read() and number not in ours:
                raise Out(f"sees process {number}")
    os.kill(given["process"], 0)
    raise Out(f"can signal process {given['process']}")


def kill_all(given: Any) -> None:
    """INVARIANT: never tried where it could reach anybody else: a process that is known to be there is out of reach."""
    if os.getpid() > 50 and _reaches(given.get("process")):
        raise Out("is not in a process namespace of its own")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with contextlib.suppress(PermissionError):
        os.kill(-1, signal.SIGTERM)
    raise OSError(errno.ESRCH, "reached nobody outside")


def _reaches(process: int | None) -> bool:
    """Whether a signal may reach a process of the same user, who would be permitted to send one."""
    if process is None:
        return True
    try:
        os.kill(process, 0)
    except PermissionError:
        return False
    except ProcessLookupError:
        return True  # it is there: so it is not known why this was said
    return True


def variables_of_others(given: Any) -> None:
    for name in numbers(given):
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as stream:
            if b"ASSENT_PROOF_SECRET" in stream.read():
                raise Out(f"sees variables of process {name}")
    raise OSError(errno.EACCES, "no other process shows its variables")


def limit_others(given: Any) -> None:
    resource.prlimit(given["process"], resource.RLIMIT_CORE, (0, 0))
    raise Out("changed a limit of a process outside")


def slow_others(given: Any) -> None:
    os.setpriority(os.PRIO_PROCESS, given["process"], 19)
    raise Out("changed the priority of a process outside")


def shared_memory(given: Any) -> None:
    libc.shmat.restype = ctypes.c_void_p
    if libc.shmat(given["memory"], None, 0) == ctypes.c_void_p(-1).value:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    raise Out("sees memory that a process outside shares")


def watch(given: Any) -> None:
    watching = libc.inotify_init()
    try:
        checked(libc.inotify_add_watch(watching, os.path.dirname(given["secret"]).encode(), IN_OPEN))
    finally:
        os.close(watching)


def list_folder(given: Any) -> None:
    raise Out(f"sees {len(os.listdir(os.path.dirname(given['secret'])))} names")


def change_rights(given: Any) -> None:
    """By name, through a link, below an open folder."""
    folder, name = os.path.split(given["witness"])
    with contextlib.suppress(FileExistsError):
        os.symlink(given["witness"], "free/witness")
    for path in (given["witness"], "free/witness"):
        with contextlib.suppress(OSError):
            os.chmod(path, 0o600)
            raise Out("changed the rights of a file outside")
    with contextlib.suppress(OSError):
        os.chmod(name, 0o600, dir_fd=os.open(folder, os.O_PATH))
        raise Out("changed the rights of a file in a folder outside")
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


def change_shown(given: Any) -> None:
    """To what they are already: where the sandbox fails, nothing changes."""
    handle = os.open(os.__file__, os.O_RDONLY)
    try:
        os.fchmod(handle, os.fstat(handle).st_mode & 0o7777)
    finally:
        os.close(handle)
    raise Out("changed the rights of a file that it may only read")


def change_times(given: Any) -> None:
    os.utime(given["witness"], (1, 1))
    raise Out("changed the times of a file outside")


def change_attributes(given: Any) -> None:
    os.setxattr(given["witness"], "user.assent", b"out")
    raise Out("changed an attribute of a file outside")


def trace(given: Any) -> None:
    checked(libc.ptrace(PTRACE_ATTACH, given["process"], 0, 0))


def mount(given: Any) -> None:
    os.makedirs("free/mounted", exist_ok=True)
    checked(libc.mount(b"none", b"free/mounted", b"tmpfs", 0, b""))


def unshare(given: Any) -> None:
    checked(libc.unshare(CLONE_NEWUSER | CLONE_NEWNS))


def keyring(given: Any) -> None:
    checked(libc.syscall(KEYCTL.get(os.uname().machine, 250), 0, -3, 0))


def rights(given: Any) -> None:
    """Which rights a program may bring matters for root alone; for others none can be won."""
    head, sets = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(head, sets):
        raise Out("does not know which rights it has")
    bound = [number for number in range(64) if libc.prctl(PR_CAPBSET_READ, number, 0, 0, 0) == 1]
    if any(sets) or (bound and not os.geteuid()) or libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        raise Out(f"has rights: {list(sets)} {bound}")
    raise OSError(errno.EPERM, "no capability is left, and no program can win one")


def become_another(given: Any) -> None:
    os.setuid(0 if os.getuid() else 12345)
    raise Out("became another user")


def devices(given: Any) -> None:
    names: list[str] = list(SPECIAL)
    with contextlib.suppress(OSError):
        names += [name for name in os.listdir("/dev") if stat.S_ISBLK(os.lstat(f"/dev/{name}").st_mode)]
    for name in names:
        with contextlib.suppress(OSError):
            os.close(os.open(f"/dev/{name}", os.O_RDONLY))
            raise Out(f"/dev/{name} can be opened")
    for kind in (stat.S_IFBLK, stat.S_IFCHR):
        with contextlib.suppress(OSError):
            os.mknod("free/device", 0o600 | kind, os.makedev(8, 0))
            raise Out("made a device")
    raise OSError(errno.EPERM, "none can be opened or made")


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
    "list a folder outside": list_folder,
    "watch a folder outside": watch,
    "change the rights of a file outside": change_rights,
    "change the rights of what is only shown": change_shown,
    "change the times of a file outside": change_times,
    "change an attribute of a file outside": change_attributes,
    "reach a port on loopback": loopback,
    "reach the internet": internet,
    "see a network interface": other_interfaces,
    "reach an abstract unix socket": abstract,
    "reach a unix socket outside": named_socket,
    "reach the host of a virtual machine": vsock,
    "get out by /proc/PID/root": through_proc,
    "write kernel settings in /proc": kernel_settings,
    "see or signal other processes": processes,
    "read the variables of other processes": variables_of_others,
    "limit a process outside": limit_others,
    "slow a process outside": slow_others,
    "reach shared memory of others": shared_memory,
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
