"""The filter of system calls that a confined program gets: what namespaces do not hold back. Pure; makes bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
"""Where the number of a call, the machine and the low halves of its arguments lie."""
EPERM, ENOSYS, EAFNOSUPPORT = 1, 38, 97
NEW_USER = 0x10000000
FAMILIES = (1, 2, 10, 16)
"""Unix, IPv4, IPv6 and netlink. Others do not stop at a network namespace: vsock reaches the host of a machine."""
TERMINAL = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX type into a terminal."""

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
MACHINES: Mapping[str, tuple[int, int]] = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
X32 = 0x40000000


def call_filter(machine: str) -> bytes:
    """A program for the kernel, or nothing where the numbers of this machine's calls are not known."""
    if machine not in MACHINES:
        return b""
    code, column = MACHINES[machine]
    number = {name: row[column] for name, row in {**REFUSED, **LOOKED_INTO}.items()}
    words: list[tuple[int, int, int, int]] = [
        *((LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, code), _refuse(EPERM), (LOAD, 0, 0, NUMBER)),
    ]
    if machine == "x86_64":
        words += [(AT_LEAST, 0, 1, X32), _refuse(ENOSYS)]
    for name in REFUSED:
        words += [(EQUAL, 0, 1, number[name]), _refuse(EPERM)]
    words += [(EQUAL, 0, 1, number["clone3"]), _refuse(ENOSYS)]
    for name in ("clone", "unshare"):
        words += _looked(number[name], FIRST, [(ANY_BIT, 0, 1, NEW_USER), _refuse(EPERM)], otherwise=_allow())
    families = [word for family in FAMILIES for word in ((EQUAL, 0, 1, family), _allow())]
    words += _looked(number["socket"], FIRST, families, otherwise=_refuse(EAFNOSUPPORT))
    typing = [word for code in TERMINAL for word in ((EQUAL, 0, 1, code), _refuse(EPERM))]
    words += _looked(number["ioctl"], SECOND, typing, otherwise=_allow())
    words.append(_allow())
    return b"".join(_packed(*word) for word in words)


def _looked(
    number: int, where: int, words: list[tuple[int, int, int, int]], *, otherwise: tuple[int, int, int, int]
) -> list[tuple[int, int, int, int]]:
    """Tests on an argument of one call; every other call goes past them."""
    body = [(LOAD, 0, 0, where), *words, otherwise]
    return [(EQUAL, 0, len(body), number), *body]


def _refuse(error: int) -> tuple[int, int, int, int]:
    return RETURN, 0, 0, REFUSE | error


def _allow() -> tuple[int, int, int, int]:
    return RETURN, 0, 0, ALLOW


def _packed(code: int, yes: int, no: int, value: int) -> bytes:
    """One `struct sock_filter`; both machines are little-endian."""
    return code.to_bytes(2, "little") + bytes((yes, no)) + value.to_bytes(4, "little")
