"""Every family file: its examples hold, its tables are well formed, and the registry knows exactly its programs."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest

from assent.commands.git import SUBCOMMANDS
from assent.commands.program import ROLES, Program, options_of
from assent.commands.table import FAMILIES
from assent.shell.calls import calls_of
from assent.types import Call
from commands.rendered import rendered

KINDS = frozenset({"read", "list", "search", "write", "delete", "run", "reach", "send", "change", "note"})
MODULES = {family: import_module(f"assent.commands.{family}") for family in FAMILIES}
EXAMPLES = [
    pytest.param(command, expected, id=f"{family}: {command[:60]}")
    for family, module in MODULES.items()
    for command, expected in module.EXAMPLES.items()
]


@pytest.mark.parametrize(("command", "expected"), EXAMPLES)
def test_an_example_does_what_it_says(command: str, expected: str) -> None:
    assert rendered(command) == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_the_registry_names_exactly_the_programs_of_a_family(family: str) -> None:
    assert sorted(FAMILIES[family].split()) == sorted(MODULES[family].PROGRAMS)


@pytest.mark.parametrize("file", SUBCOMMANDS)
def test_git_names_exactly_the_subcommands_of_its_files(file: str) -> None:
    assert SUBCOMMANDS[file].split() == list(import_module(f"assent.commands.{file}").COMMANDS)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_program_has_an_example(family: str) -> None:
    shown = {_program(call) for command in MODULES[family].EXAMPLES for call in calls_of(command, "/p").calls}
    assert sorted(set(MODULES[family].PROGRAMS) - shown) == []


@pytest.mark.parametrize("family", FAMILIES)
def test_tables_name_only_known_roles_and_kinds(family: str) -> None:
    for name, program in _all_programs(MODULES[family].PROGRAMS):
        roles = {option.role for option in options_of(program.options).values()}
        roles |= {role.rstrip("*?") for role in program.operands.split()}
        assert roles <= set(ROLES), f"{name}: unknown roles {sorted(roles - set(ROLES))}"
        assert {kind for kind, _, _ in program.does} <= KINDS, f"{name}: unknown kind"
        assert program.operands.count("*") <= 1, f"{name}: two operands take what is left"
        assert set(program.style.split()) <= {
            "posix",
            "single",
            "exact",
            "streams",
            "plain",
            "bare",
            "response",
            "starts",
            "lists",
            "around",
        }, f"{name}: unknown style"
        wrong = [option for option in options_of(program.options) if not option.startswith(("-", "+"))]
        assert not wrong, f"{name}: {wrong} are no options"


def _all_programs(programs: dict[str, Program], prefix: str = "") -> Iterator[tuple[str, Program]]:
    for name, program in programs.items():
        yield f"{prefix}{name}", program
        yield from _all_programs(dict(program.commands), f"{prefix}{name} ")


def _program(call: Call) -> str:
    return (call.program or "").rpartition("/")[2]
