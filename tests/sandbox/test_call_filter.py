"""The filter of system calls, run by a machine of our own: what passes, what does not, and with which error."""

from __future__ import annotations

import struct

import pytest

from assent.sandbox.calls import ALLOW, ALONE, ASK, ASKED, ATTRIBUTES, MACHINES, REFUSED, call_filter

X86, ARM = 0xC000003E, 0xC00000B7
ALLOWED = "allowed"


def run(machine: str, architecture: int, number: int, *arguments: int, alone: bool = False) -> str:
    """What the kernel would do: a classic BPF program with the instructions that the filter uses."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(*arguments, *([0] * (6 - len(arguments)))))
    program = list(struct.iter_unpack("<HBBI", call_filter(machine, alone=alone)))
    held, place = 0, 0
    while True:
        code, yes, no, value = program[place]
        place += 1
        match code:
            case 0x20:
                held = struct.unpack_from("<I", data, value)[0]
            case 0x15:
                place += yes if held == value else no
            case 0x35:
                place += yes if held >= value else no
            case 0x45:
                place += yes if held & value else no
            case 0x54:
                held &= value
            case 0x06:
                if value == ASK:
                    return "asked"
                return ALLOWED if value == ALLOW else f"error {value & 0xFFFF}"
            case _:
                raise AssertionError(code)


@pytest.mark.parametrize(("machine", "architecture", "column"), [("x86_64", X86, 0), ("aarch64", ARM, 1)])
def test_every_refused_call_is_refused_on_both_machines(machine: str, architecture: int, column: int) -> None:
    found = {name: run(machine, architecture, row[column]) for name, row in REFUSED.items()}
    assert found == dict.fromkeys(REFUSED, "error 1")


@pytest.mark.parametrize(
    ("number", "arguments", "outcome"),
    [
        (0, (), ALLOWED),  # read
        (59, (), ALLOWED),  # execve
        (41, (1,), ALLOWED),  # socket, unix
        (41, (2,), ALLOWED),
        (41, (10,), ALLOWED),
        (41, (16,), ALLOWED),
        (41, (40,), "error 97"),  # vsock
        (41, (38,), "error 97"),  # the kernel's crypto
        (16, (0, 0x5401), ALLOWED),  # ioctl TCGETS
        (16, (0, 0x5412), "error 1"),  # TIOCSTI
        (16, (0, 0xFFFF_FFFF_0000_5412), "error 1"),  # the kernel looks at the low half only
        (16, (0, 0x541C), "error 1"),
        (16, (0, 0x5423), "error 1"),
        (56, (0x11,), ALLOWED),  # fork
        (56, (0x1000_0011,), "error 1"),  # with a user namespace
        (272, (0x0002_0000,), ALLOWED),  # needs rights that are gone
        (272, (0x1002_0000,), "error 1"),
        (435, (), "error 38"),  # clone3 cannot be looked into
        (0x4000_0000, (), "error 38"),  # the x32 numbers
    ],
)
def test_calls_on_x86(number: int, arguments: tuple[int, ...], outcome: str) -> None:
    assert run("x86_64", X86, number, *arguments) == outcome


@pytest.mark.parametrize(("machine", "architecture", "column"), [("x86_64", X86, 0), ("aarch64", ARM, 1)])
def test_without_namespaces_more_is_refused_and_some_is_asked_about(
    machine: str, architecture: int, column: int
) -> None:
    tables = {"error 1": {**REFUSED, **ALONE}, "error 95": ATTRIBUTES, "asked": ASKED}
    for outcome, table in tables.items():
        there = {name: row[column] for name, row in table.items() if row[column] >= 0}
        found = {name: run(machine, architecture, number, alone=True) for name, number in there.items()}
        assert found == dict.fromkeys(there, outcome)


@pytest.mark.parametrize(
    ("number", "arguments", "outcome"),
    [
        (0, (), ALLOWED),  # read
        (59, (), ALLOWED),  # execve
        (62, (1, 9), ALLOWED),  # kill, which Landlock looks at
        *((41, (family,), "error 97") for family in (1, 2, 10, 16, 17, 40)),  # socket
        (53, (1, 1), ALLOWED),  # socketpair, unix, stream
        (53, (1, 0x80801), ALLOWED),  # that does not wait and is not inherited
        (53, (1, 5), ALLOWED),
        (53, (1, 2), "error 97"),  # datagrams can be sent to any address
        (53, (1, 3), "error 97"),
        (53, (1, 0x80802), "error 97"),
        (53, (30, 1), "error 97"),
        (302, (0,), ALLOWED),  # prlimit64 of oneself
        (302, (77,), "error 1"),
        (203, (0,), ALLOWED),  # sched_setaffinity
        (203, (77,), "error 1"),
        (141, (0, 0), ALLOWED),  # setpriority: process, oneself
        (141, (0, 77), "error 1"),
        (141, (1, 0), "error 1"),  # group
        (141, (2, 0), "error 1"),  # everything of a user
        (16, (0, 0x5401), ALLOWED),  # ioctl TCGETS
        (16, (0, 0x802C542A), ALLOWED),
        (16, (0, 0x5412), "error 1"),  # TIOCSTI
        (16, (0, 0x5423), "error 1"),  # TIOCSETD
        (16, (0, 0x53FF), "error 25"),
        (16, (0, 0x5500), "error 25"),
        (16, (0, 0x40086602), "error 25"),  # FS_IOC_SETFLAGS
        (16, (0, 0x50009401), "error 25"),  # a snapshot of a btrfs
        (56, (0x1000_0011,), "error 1"),
        (462, (), ALLOWED),
        (463, (), "error 38"),  # setxattrat, and all that came later
        (900, (), "error 38"),
    ],
)
def test_calls_on_x86_without_namespaces(number: int, arguments: tuple[int, ...], outcome: str) -> None:
    assert run("x86_64", X86, number, *arguments, alone=True) == outcome


def test_calls_of_another_architecture_are_refused() -> None:
    assert run("x86_64", 0x40000003, 102) == "error 1"
    assert run("aarch64", 0x40000028, 281) == "error 1"


def test_an_unknown_machine_gets_no_filter() -> None:
    assert call_filter("riscv64") == b""
    assert set(MACHINES) == {"x86_64", "aarch64"}


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("bits", [0o4000, 0o2000, 0o6755, 0o100000 | 0o4755])
def test_no_call_makes_a_file_that_runs_as_its_owner(bits: int, alone: bool) -> None:
    creates = 0x40 | 0x1
    refused = [
        (85, (0, bits)),
        (133, (0, bits)),
        (259, (0, 0, bits)),
        (2, (0, creates, bits)),
        (257, (0, 0, creates, bits)),
    ]
    refused += [(257, (0, 0, 0x400000 | 0x2, bits))]
    if not alone:  # else whoever listens sees to it
        refused += [(90, (0, bits)), (91, (0, bits)), (268, (0, 0, bits)), (452, (0, 0, bits))]
    for number, arguments in refused:
        assert run("x86_64", X86, number, *arguments, alone=alone) == "error 1", number
        plain = [0o755 if one == bits else one for one in arguments]
        assert run("x86_64", X86, number, *plain, alone=alone) == ALLOWED, number
    assert run("x86_64", X86, 257, 0, 0, 0, bits, alone=alone) == ALLOWED  # opens only: the mode says nothing
    assert run("x86_64", X86, 437, alone=alone) == "error 38"
    assert run("aarch64", ARM, 56, 0, 0, creates, bits, alone=alone) == "error 1"
    assert run("aarch64", ARM, 33, 0, 0, bits, alone=alone) == "error 1"


def test_the_first_process_of_a_namespace_is_left_alone() -> None:
    for number, arguments in ((101, (16, 1)), (101, (0x4206, 1)), (310, (1,)), (311, (1,)), (302, (1,))):
        assert run("x86_64", X86, number, *arguments) == "error 1"
        assert run("x86_64", X86, number, *[2 if one == 1 else one for one in arguments]) == ALLOWED
    assert run("x86_64", X86, 101, 0, 0) == ALLOWED  # a program that wants to be traced
