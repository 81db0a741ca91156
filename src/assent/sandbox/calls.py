"""The filter of system calls that a confined program gets: what namespaces do not hold back. Pure; makes bytes.

Where there are no namespaces, more has to be held back: `ALONE` and below.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Word = tuple[int, int, int, int]

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN, MASK = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
ALLOW, REFUSE, ASK = 0x7FFF0000, 0x00050000, 0x7FC00000
NUMBER, ARCHITECTURE, FIRST, SECOND, THIRD, FOURTH = 0, 4, 16, 24, 32, 40
"""Where the number of a call, the machine and the low halves of its arguments lie."""
EPERM, ENOTTY, ENOSYS, EOPNOTSUPP, EAFNOSUPPORT = 1, 25, 38, 95, 97
NEW_USER = 0x10000000
FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink. Others do not stop at a network namespace: vsock reaches the host of a machine."""
TERMINAL = (0x5412, 0x541C, 0x5423)
"""TIOCSTI and TIOCLINUX type into a terminal, TIOCSETD makes the kernel load a module for one."""

REFUSED = {
    # name: (x86_64, aarch64)
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "pidfd_getfd": (438, 438),
    "kexec_load": (246, 104),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "syslog": (103, 116),
}
LOOKED_INTO = {"clone": (56, 220), "unshare": (272, 97), "socket": (41, 198), "ioctl": (16, 29), "clone3": (435, 435)}
SET_ID = 0o6000
"""Bits that make a program run as its owner or group, for everybody on the machine."""
CREATES = 0x40 | 0x400000
"""O_CREAT and O_TMPFILE: without them the mode of an opened file is whatever lies in the register."""
MODES = {
    "chmod": ((90, -1), SECOND),
    "fchmod": ((91, 52), SECOND),
    "fchmodat": ((268, 53), THIRD),
    "fchmodat2": ((452, 452), THIRD),
    "creat": ((85, -1), SECOND),
    "mknod": ((133, -1), SECOND),
    "mknodat": ((259, 33), THIRD),
}
"""Calls that say a mode, and where."""
OPENED = {"open": ((2, -1), SECOND, THIRD), "openat": ((257, 56), THIRD, FOURTH)}
OPENAT2 = (437, 437)
"""Says its mode in memory, where nobody sees it; programs go on with `openat`."""
OF_THE_FIRST = {
    "ptrace": ((101, 117), SECOND),
    "process_vm_readv": ((310, 270), FIRST),
    "process_vm_writev": ((311, 271), FIRST),
    "prlimit64": ((302, 261), FIRST),
}
"""Calls that name a process. The first one of a namespace waits for the command: nobody stops or changes it."""
ALONE = {
    # queues, semaphores and memory that every process of a user shares
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # what happens in folders elsewhere
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # other processes, and sockets that were handed in
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "connect": (42, 203),
    "bind": (49, 200),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
}
"""Refused as well where there is no namespace."""
ATTRIBUTES = {
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "getxattr": (191, 8),
    "lgetxattr": (192, 9),
    "fgetxattr": (193, 10),
    "listxattr": (194, 11),
    "llistxattr": (195, 12),
    "flistxattr": (196, 13),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
}
"""Landlock does not look at these; programs take it for a disk that has none."""
ASKED = {
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, -1),
    "lchown": (94, -1),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "futimesat": (261, -1),
    "utimensat": (280, 88),
}
"""Landlock does not look at these either, and no build does without: `errands` does them, in the right places."""
OF_OTHERS = {
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
"""The first argument names a process; 0 is oneself."""
SETPRIORITY, SOCKETPAIR = (141, 140), (53, 199)
STREAM, SEQPACKET = 1, 5
"""Of pairs of sockets, those that cannot be turned to another address."""
NEWEST = 463
"""From here on calls are refused that are younger than this list."""
TERMINALS = (0x5400, 0x5500)
HARMLESS_REQUESTS = (0x802C542A, 0x402C542B, 0x402C542C, 0x402C542D, 0x40049409, 0x4020940D, 0x80086601)
"""Of `ioctl`: terminals, copies that share blocks, flags of a file. Others could change what is only shown."""
MACHINES: Mapping[str, tuple[int, int]] = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
X32 = 0x40000000


def call_filter(machine: str, *, alone: bool = False) -> bytes:
    """A program for the kernel, or nothing where the numbers of this machine's calls are not known.

    `alone` is for where no namespace is around the process. Then some calls ask whoever listens.
    """
    if machine not in MACHINES:
        return b""
    code, column = MACHINES[machine]
    words = [*((LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, code), _refuse(EPERM), (LOAD, 0, 0, NUMBER))]
    if machine == "x86_64":
        words += [(AT_LEAST, 0, 1, X32), _refuse(ENOSYS)]
    number = {name: row[column] for name, row in LOOKED_INTO.items()}
    words += _each(REFUSED, column, _refuse(EPERM))
    words += [(EQUAL, 0, 1, number["clone3"]), _refuse(ENOSYS)]
    for name in ("clone", "unshare"):
        words += _looked(number[name], FIRST, [(ANY_BIT, 0, 1, NEW_USER), _refuse(EPERM)], otherwise=_allow())
    words += _modes(column, asked=alone)
    words += _alone(column) if alone else _in_a_namespace(column)
    words.append(_allow())
    return b"".join(_packed(*word) for word in words)


def _modes(column: int, *, asked: bool) -> list[Word]:
    """No file gets a bit that lends its owner's rights. With `asked`, whoever listens sees to changed ones."""
    words: list[Word] = [(EQUAL, 0, 1, OPENAT2[column]), _refuse(ENOSYS)]
    bits: list[Word] = [(ANY_BIT, 0, 1, SET_ID), _refuse(EPERM)]
    for name, (row, where) in MODES.items():
        if row[column] >= 0 and not (asked and name in ASKED):
            words += _looked(row[column], where, bits, otherwise=_allow())
    for row, flags, mode in OPENED.values():
        if row[column] >= 0:
            words += _looked(
                row[column], flags, [(ANY_BIT, 0, 3, CREATES), (LOAD, 0, 0, mode), *bits], otherwise=_allow()
            )
    return words


def _in_a_namespace(column: int) -> list[Word]:
    first: list[Word] = []
    for row, where in OF_THE_FIRST.values():
        first += _looked(row[column], where, [(EQUAL, 0, 1, 1), _refuse(EPERM)], otherwise=_allow())
    families = [word for family in FAMILIES for word in ((EQUAL, 0, 1, family), _allow())]
    typing = [word for code in TERMINAL for word in ((EQUAL, 0, 1, code), _refuse(EPERM))]
    return [
        *first,
        *_looked(LOOKED_INTO["socket"][column], FIRST, families, otherwise=_refuse(EAFNOSUPPORT)),
        *_looked(LOOKED_INTO["ioctl"][column], SECOND, typing, otherwise=_allow()),
    ]


def _alone(column: int) -> list[Word]:
    words: list[Word] = [(AT_LEAST, 0, 1, NEWEST), _refuse(ENOSYS)]
    words += _each(ALONE, column, _refuse(EPERM))
    words += _each(ATTRIBUTES, column, _refuse(EOPNOTSUPP))
    words += _each(ASKED, column, (RETURN, 0, 0, ASK))
    words += [(EQUAL, 0, 1, LOOKED_INTO["socket"][column]), _refuse(EAFNOSUPPORT)]
    for row in OF_OTHERS.values():
        words += _looked(row[column], FIRST, [(EQUAL, 0, 1, 0), _allow()], otherwise=_refuse(EPERM))
    oneself: list[Word] = [(EQUAL, 0, 3, 0), (LOAD, 0, 0, SECOND), (EQUAL, 0, 1, 0), _allow()]
    words += _looked(SETPRIORITY[column], FIRST, oneself, otherwise=_refuse(EPERM))
    pair: list[Word] = [(EQUAL, 0, 6, 1), (LOAD, 0, 0, SECOND), (MASK, 0, 0, 0xF)]
    pair += [(EQUAL, 0, 1, STREAM), _allow(), (EQUAL, 0, 1, SEQPACKET), _allow()]
    words += _looked(SOCKETPAIR[column], FIRST, pair, otherwise=_refuse(EAFNOSUPPORT))
    requests = [word for code in TERMINAL for word in ((EQUAL, 0, 1, code), _refuse(EPERM))]
    requests += [word for code in HARMLESS_REQUESTS for word in ((EQUAL, 0, 1, code), _allow())]
    requests += [(AT_LEAST, 0, 2, TERMINALS[0]), (AT_LEAST, 1, 0, TERMINALS[1]), _allow()]
    return words + _looked(LOOKED_INTO["ioctl"][column], SECOND, requests, otherwise=_refuse(ENOTTY))


def _each(table: Mapping[str, tuple[int, int]], column: int, answer: Word) -> list[Word]:
    """The same answer for every call of a table that this machine has."""
    return [word for row in table.values() if row[column] >= 0 for word in ((EQUAL, 0, 1, row[column]), answer)]


def _looked(number: int, where: int, words: list[Word], *, otherwise: Word) -> list[Word]:
    """Tests on an argument of one call; every other call goes past them."""
    body = [(LOAD, 0, 0, where), *words, otherwise]
    return [(EQUAL, 0, len(body), number), *body]


def _refuse(error: int) -> Word:
    return RETURN, 0, 0, REFUSE | error


def _allow() -> Word:
    return RETURN, 0, 0, ALLOW


def _packed(code: int, yes: int, no: int, value: int) -> bytes:
    """One `struct sock_filter`; both machines are little-endian."""
    return code.to_bytes(2, "little") + bytes((yes, no)) + value.to_bytes(4, "little")
