"""Ways out of a sandbox, each tried for real. Runs inside, alone in its interpreter: standard library only.

Gets one JSON object as its argument, writes one JSON object per attempt: name, whether it was held back, what happened.
"""

# ruff: noqa: ARG001, ARG005 - every attempt has the same shape

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import json
import os
import resource
import signal
import socket
import stat
import sys
from collections.abc import Callable, Iterator
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
        handle = os.open(folder, os.O_PATH)
        try:
            os.chmod(name, 0o600, dir_fd=handle)
        finally:
            os.close(handle)
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


# --- what git, agents and Assent itself run later ------------------------------------------------------------------


def put(path: str, text: str = "out") -> None:
    """A new file, in a folder that may have to be made."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as stream:
        stream.write(text)
    raise Out(f"made {path}")


def destroy_objects(given: Any) -> None:
    os.unlink(f".git/objects/{given['object']}")
    raise Out("removed an object")


def change_object(given: Any) -> None:
    path = f".git/objects/{given['object']}"
    os.chmod(path, 0o644)
    write(path)


def head_is_a_link(given: Any) -> None:
    os.symlink("/etc/passwd", ".git/link")
    os.replace(".git/link", ".git/HEAD")
    raise Out("made HEAD a link")


def index_outside(given: Any) -> None:
    """An index of one file, which git would write into the folder above."""
    path = b"../out"
    row = bytes(24) + (0o100644).to_bytes(4) + bytes(32) + len(path).to_bytes(2) + path
    made = b"DIRC" + (2).to_bytes(4) + (1).to_bytes(4) + row + bytes(8 - len(row) % 8)
    with open(".git/index", "wb") as stream:
        stream.write(made + hashlib.sha1(made).digest())  # noqa: S324 - as git has it
    raise Out("wrote .git/index")


def objects_elsewhere(given: Any) -> None:
    os.symlink(os.path.dirname(given["witness"]), ".git/objects/aa")
    raise Out("made a folder of objects a link")


def pipe_as_object(given: Any) -> None:
    os.makedirs(".git/objects/bb", exist_ok=True)
    os.mkfifo(".git/objects/bb/" + "b" * 38)
    raise Out("made a pipe among the objects")


def remove(path: str) -> None:
    os.unlink(path)
    raise Out(f"removed {path}")


def move(path: str) -> None:
    os.rename(path, "free/moved")
    raise Out(f"moved {path}")


def plant(folder: str) -> None:
    """A repository whose settings run something."""
    for name in ("objects", "refs"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    with contextlib.suppress(Out):
        put(f"{folder}/HEAD", "ref: refs/heads/main\n")
    put(f"{folder}/config", "[core]\n\tfsmonitor = touch out\n")


def second_name(given: Any) -> None:
    """Another name for what may only be read, and written by that."""
    os.link("AGENTS.md", "free/agents")
    write("free/agents")


def reopen(given: Any) -> None:
    """A file that is open for reading, opened again by its number."""
    handle = os.open("AGENTS.md", os.O_RDONLY)
    try:
        write(f"/proc/self/fd/{handle}")
    finally:
        os.close(handle)


def replace_project(given: Any) -> None:
    here = os.getcwd()
    os.rename(here, here + "-away")
    os.rename(here + "-away", here)
    raise Out("moved the project itself")


# --- calls of the kernel -------------------------------------------------------------------------------------------

COLUMN = 1 if os.uname().machine == "aarch64" else 0
NUMBERS = {
    # name: (x86_64, aarch64)
    "open_by_handle_at": (304, 265),
    "io_uring_setup": (425, 425),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "setns": (308, 268),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "init_module": (175, 105),
    "syslog": (103, 116),
    "clock_settime": (227, 112),
    "pivot_root": (155, 41),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "openat2": (437, 437),
}
MS_REMOUNT_BIND, SEIZE, AF_PACKET = 0x1020, 0x4206, 17


def call(name: str, *arguments: object) -> int:
    words = (ctypes.c_long(one) if isinstance(one, int) else one for one in arguments)
    result: int = libc.syscall(ctypes.c_long(NUMBERS[name][COLUMN]), *words)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def let_through(name: str, *arguments: object) -> None:
    call(name, *arguments)
    raise Out("was let through")


@contextlib.contextmanager
def handle_of(process: int) -> Iterator[int]:
    handle = call("pidfd_open", process, 0)
    try:
        yield handle
    finally:
        os.close(handle)


def copy_descriptor(given: Any) -> None:
    with handle_of(given["process"]) as handle:
        let_through("pidfd_getfd", handle, 0, 0)


def signal_by_handle(given: Any) -> None:
    with handle_of(given["process"]) as handle:
        let_through("pidfd_send_signal", handle, 0, None, 0)


def memory_of(name: str, process: int) -> None:
    """Nothing is read or written: zero bytes, which the kernel answers only to whoever may."""
    here = ctypes.create_string_buffer(16)
    span = (ctypes.c_size_t * 2)(ctypes.addressof(here), 8)
    theirs = (ctypes.c_size_t * 2)(0x1000, 8)
    try:
        call(name, process, ctypes.byref(span), 1, ctypes.byref(theirs), 1, 0)
    except OSError as error:
        if error.errno == errno.EFAULT:
            raise Out("reaches its memory") from error
        raise
    raise Out("reaches its memory")


def enter(given: Any) -> None:
    handle = os.open(f"/proc/{given['process']}/ns/net", os.O_RDONLY)
    try:
        let_through("setns", handle, 0)
    finally:
        os.close(handle)


def trace_first(request: int) -> None:
    """INVARIANT: a process that stopped for us goes on; nothing hangs where the sandbox fails."""
    if libc.ptrace(request, 1, 0, 0) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    libc.ptrace(17, 1, 0, 0)
    raise Out("traces the process that waits for it")


def limit_first(given: Any) -> None:
    resource.prlimit(1, resource.RLIMIT_CORE, (0, 0))
    raise Out("changed a limit of the first process")


def set_id(mode: int) -> None:
    with open("free/program", "w") as stream:
        os.fchmod(stream.fileno(), 0o700)
    os.chmod("free/program", mode)
    raise Out("made a program that runs as its owner")


def create_with_id(given: Any) -> None:
    os.close(os.open("free/created", os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o4755))
    raise Out("made a program that runs as its owner")


def node_with_id(given: Any) -> None:
    os.mknod("free/node", stat.S_IFREG | 0o4755)
    raise Out("made a program that runs as its owner")


def created_unseen(given: Any) -> None:
    how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, 0o4755, 0)
    let_through("openat2", -100, b"free/unseen", ctypes.byref(how), ctypes.sizeof(how))


def raw_packets(given: Any) -> None:
    with socket.socket(AF_PACKET, socket.SOCK_RAW):
        raise Out("sees packets")


def loopback_six(given: Any) -> None:
    with socket.socket(socket.AF_INET6) as one:
        one.settimeout(2)
        one.connect(("::ffff:127.0.0.1", given["port"]))
    raise Out("reached a port of this machine")


def host_name(given: Any) -> None:
    name = os.uname().nodename.encode()
    checked(libc.sethostname(name, len(name)))


def clock(given: Any) -> None:
    """INVARIANT: to what it says already, where this is let through."""
    now = (ctypes.c_long * 2)()
    libc.clock_gettime(0, ctypes.byref(now))
    let_through("clock_settime", 0, ctypes.byref(now))


def remount(given: Any) -> None:
    checked(libc.mount(b"none", b"/usr", None, MS_REMOUNT_BIND, None))


def uncover(given: Any) -> None:
    checked(libc.umount2(b".env", 2))


def inherited(given: Any) -> None:
    found = []
    for number in range(3, 256):
        with contextlib.suppress(OSError):
            os.fstat(number)
            found.append(number)
    if found:
        raise Out(f"has {found} open")
    raise OSError(errno.EBADF, "nothing is open but input, output and errors")


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
    "lead git elsewhere by .git/commondir": lambda given: put(".git/commondir", "../free\n"),
    "add .git/config.worktree": lambda given: put(".git/config.worktree", "[core]\n\tpager = out\n"),
    "add a working tree to .git": lambda given: put(".git/worktrees/out/gitdir"),
    "add a submodule to .git": lambda given: put(".git/modules/out/config"),
    "change .git/info": lambda given: put(".git/info/attributes", "* filter=out\n"),
    "destroy an object of git": destroy_objects,
    "change an object of git": change_object,
    "lead git to other objects": lambda given: put(".git/objects/info/alternates", "/srv\n"),
    "plan a command for git rebase": lambda given: put(".git/rebase-merge/git-rebase-todo", "exec touch out\n"),
    "make .git/HEAD a link": head_is_a_link,
    "lead git out of the project by its index": index_outside,
    "lead git's objects elsewhere by a link": objects_elsewhere,
    "put a pipe among git's objects": pipe_as_object,
    "name a program in .git/sequencer/opts": lambda given: put(
        ".git/sequencer/opts", "[options]\n\tstrategy = ../out\n"
    ),
    "replace an object of git by another": lambda given: put(".git/refs/replace/" + "1" * 40, "2" * 40 + "\n"),
    "remove the branch that is worked on": lambda given: remove(".git/refs/heads/main"),
    "read .env in .git": lambda given: read(".git/.env"),
    "change a hook where core.hooksPath leads": lambda given: write("tools/hooks/pre-commit"),
    "add a hook where core.hooksPath leads": lambda given: put("tools/hooks/post-commit"),
    "move the folder above those hooks": lambda given: move("tools"),
    "change a file that include.path names": lambda given: write("more.gitconfig"),
    "change a program that a filter names": lambda given: write("scripts/clean"),
    "change a script that a hook starts": lambda given: write("scripts/check.sh"),
    "destroy a repository without a working tree": lambda given: remove("bare.git/HEAD"),
    "change the settings of a repository inside": lambda given: write("vendor/lib/.git/config"),
    "move a repository inside away": lambda given: move("vendor"),
    "lead a submodule elsewhere": lambda given: put("sub/.git", "gitdir: ../free\n"),
    "plant a repository in a folder": lambda given: plant("free/planted/.git"),
    "plant a repository below a folder called .git": lambda given: plant("free/under/.git/deep"),
    "plant a repository without .git": lambda given: plant("free/bare"),
    "change what agents read": lambda given: write("AGENTS.md"),
    "change it by a second name": second_name,
    "change it by an open file": reopen,
    "add a workflow": lambda given: put(".github/workflows/out.yml"),
    "move the folder above workflows": lambda given: move(".github"),
    "change the settings of an editor": lambda given: put(".vscode/tasks.json"),
    "move the project": replace_project,
    "change Assent's environment": lambda given: write(".venv/pyvenv.cfg"),
    "replace Assent's interpreter": lambda given: put(".venv/bin/python"),
    "add code to Assent's start": lambda given: put(".venv/lib/site-packages/out.pth", "import os\n"),
    "move Assent's environment": lambda given: move(".venv"),
    "read what .env leads to": lambda given: read("conf/production"),
    "read .env through its link": lambda given: read("conf/.env"),
    "read .env in node_modules": lambda given: read("node_modules/package/.env"),
    "read .env in .tox": lambda given: read(".tox/env/.env"),
    "read a second name of .env": lambda given: read("free/harmless"),
    "read .env with a second name": lambda given: read("twice/.env"),
    "read a second name of a key in ~/.ssh": lambda given: read("free/notes"),
    "trace the first process": lambda given: trace_first(PTRACE_ATTACH),
    "seize the first process": lambda given: trace_first(SEIZE),
    "limit the first process": limit_first,
    "read the memory of a process outside": lambda given: memory_of("process_vm_readv", given["process"]),
    "write the memory of the first process": lambda given: memory_of("process_vm_writev", 1),
    "set the bit for the owner's rights": lambda given: set_id(0o4755),
    "set the bit for the group's rights": lambda given: set_id(0o2755),
    "create a file with that bit": create_with_id,
    "make a node with that bit": node_with_id,
    "create a file with it unseen (openat2)": created_unseen,
    "open a file by its handle": lambda given: let_through("open_by_handle_at", -100, bytes(64), 0),
    "use io_uring": lambda given: let_through("io_uring_setup", 1, bytes(120)),
    "load a program into the kernel (bpf)": lambda given: let_through("bpf", 0, bytes(64), 64),
    "watch what others do (perf)": lambda given: let_through("perf_event_open", bytes(64), 0, -1, -1, 0),
    "hold the kernel (userfaultfd)": lambda given: let_through("userfaultfd", 0),
    "enter another namespace": enter,
    "change the root": lambda given: os.chroot("free"),
    "exchange the root": lambda given: let_through("pivot_root", b".", b"."),
    "move a mount": lambda given: let_through("move_mount", -100, b".env", -100, b"free", 0),
    "make a mount writable": lambda given: let_through("mount_setattr", -100, b"/usr", 0, bytes(32), 32),
    "mount the system again": remount,
    "uncover a secret": uncover,
    "take a descriptor of another process": copy_descriptor,
    "signal a process by its handle": signal_by_handle,
    "load a module": lambda given: let_through("init_module", b"", 0, b""),
    "read the kernel's log": lambda given: let_through("syslog", 3, ctypes.create_string_buffer(16), 16),
    "set the clock": clock,
    "change the machine's name": host_name,
    "see packets": raw_packets,
    "reach loopback by IPv6": loopback_six,
    "use what is left open": inherited,
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
