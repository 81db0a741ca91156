"""Calls for which Python has no words: Landlock, filters of calls, rights, another process' memory. Linux only."""

from __future__ import annotations

import ctypes
import os
import struct

CREATE_RULESET, ADD_RULE, RESTRICT_SELF, OPENAT2 = 444, 445, 446, 437
SECCOMP = {"x86_64": 317, "aarch64": 277}
VERSION = 1
PATH_BENEATH = 1
TCP = 0b11
SCOPED = 0b11
"""No abstract socket and no process outside can be reached; since version 6."""
NO_MAGIC_LINKS, NO_LINKS = 0x02, 0x04
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 24, 36, 38, 47
AMBIENT_CLEAR = 4
SET_FILTER, NEW_LISTENER = 1, 8
CAPABILITY_VERSION, MOST_CAPABILITIES = 0x20080522, 64

libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """The result of a call, or the error it told."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def call(number: int, *arguments: object) -> int:
    words = (ctypes.c_long(one) if isinstance(one, int) else one for one in arguments)
    return checked(libc.syscall(ctypes.c_long(number), *words))


def landlock_version() -> int:
    """Which Landlock this kernel offers; 0 for none."""
    try:
        return call(CREATE_RULESET, None, 0, VERSION)
    except OSError:
        return 0


def new_ruleset(files: int, ports: int, scoped: int) -> int:
    """What is to be held back, as an open descriptor."""
    wanted = struct.pack("=QQQ", files, ports, scoped)
    return call(CREATE_RULESET, wanted, len(wanted), 0)


def add_rule(ruleset: int, descriptor: int, rights: int) -> None:
    call(ADD_RULE, ruleset, PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)


def restrict(ruleset: int) -> None:
    """Hold this process back, and all it will start, for ever."""
    call(RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def open_path(path: bytes, *, within: int = -100, resolve: int = NO_LINKS, flags: int = 0) -> int:
    """A handle on a file that opens nothing of it."""
    how = struct.pack("=QQQ", os.O_PATH | os.O_CLOEXEC | flags, 0, resolve)
    return call(OPENAT2, within, path, how, len(how))


def option(name: int, value: int = 0, more: int = 0) -> None:
    zero = ctypes.c_ulong(0)
    checked(libc.prctl(ctypes.c_int(name), ctypes.c_ulong(value), ctypes.c_ulong(more), zero, zero))


def drop_rights() -> None:
    """No right is left, and no program that is started brings one."""
    option(PR_SET_NO_NEW_PRIVS, 1)
    option(PR_CAP_AMBIENT, AMBIENT_CLEAR)
    for number in range(MOST_CAPABILITIES):
        try:
            option(PR_CAPBSET_DROP, number)
        except OSError:
            break  # the last one is past, or there was none to begin with: then no program may bring any
    nothing = struct.pack("=6I", *([0] * 6))
    checked(libc.capset(struct.pack("=Ii", CAPABILITY_VERSION, 0), nothing))


def install_filter(program: bytes) -> int:
    """Filter the calls of this process and all it will start; where those are told for which somebody else answers."""
    words = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(words))
    return call(SECCOMP[os.uname().machine], SET_FILTER, NEW_LISTENER, head)


class Span(ctypes.Structure):
    """`struct iovec`."""

    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def memory(process: int, address: int, length: int) -> bytes:
    """Some of what a process has at an address, as much as can be read."""
    here = ctypes.create_string_buffer(length)
    ours, theirs = Span(ctypes.addressof(here), length), Span(address, length)
    one = ctypes.c_ulong(1)
    got = checked(libc.process_vm_readv(process, ctypes.byref(ours), one, ctypes.byref(theirs), one, ctypes.c_ulong(0)))
    return here.raw[:got]
