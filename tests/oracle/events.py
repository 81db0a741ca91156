"""What a text did when bash ran it: one record for each thing that the oracle saw."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

# What every program writes when its output is a pipe.
PROGRAM_OUTPUT = "program-output"


@dataclass(frozen=True, slots=True)
class Exec:
    """A program would have been started.

    `path` is what execve was given (`/shim/NAME` for a plain name, empty when no PATH entry had one); `env` what is
    new or changed in the environment. Pipes are numbers: the same number is the same pipe. A here-document is one.
    """

    path: str
    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    stdin: int | None
    stdout: int | None
    stderr: int | None

    def feeds(self, other: Exec) -> bool:
        return self.stdout is not None and self.stdout == other.stdin


@dataclass(frozen=True, slots=True)
class Open:
    """bash opened a file itself: a redirect, `source`, `mapfile`; `path` is as written, relative to `cwd`."""

    path: str
    access: str
    flags: tuple[str, ...]
    cwd: str


@dataclass(frozen=True, slots=True)
class Chdir:
    path: str
    ok: bool


@dataclass(frozen=True, slots=True)
class Unlink:
    path: str


@dataclass(frozen=True, slots=True)
class Kill:
    pid: int
    signal: int


@dataclass(frozen=True, slots=True)
class Connect:
    """`/dev/tcp/HOST/PORT` or `/dev/udp/HOST/PORT`."""

    host: str
    port: str


@dataclass(frozen=True, slots=True)
class Load:
    """`enable -f PATH`: code of the file would run inside bash."""

    path: str


@dataclass(frozen=True, slots=True)
class Substitution:
    """`command substitution`, `process substitution`, `arithmetic` (its text is already expanded)."""

    kind: str
    text: str
    order: int = 0


@dataclass(frozen=True, slots=True)
class End:
    """How the run ended: `exit`, `signal`, `time`, `flood` (too many processes) or `died` (the whole server)."""

    how: str
    status: int
    said: str


Event: TypeAlias = Exec | Open | Chdir | Unlink | Kill | Connect | Load | Substitution | End
KINDS: dict[str, type[Any]] = {
    "exec": Exec,
    "open": Open,
    "chdir": Chdir,
    "unlink": Unlink,
    "kill": Kill,
    "connect": Connect,
    "load": Load,
    "substitution": Substitution,
    "end": End,
}


class OracleError(Exception):
    """The oracle itself does not work here."""


def _event(line: str) -> Event:
    value = json.loads(line)
    if value["event"] == "broken":
        raise OracleError(value["why"])
    kind = KINDS[value["event"]]
    given = (value[field.name] for field in fields(kind))
    made: Event = kind(*(tuple(each) if isinstance(each, list) else each for each in given))
    return made


def read_events(answer: str) -> list[Event]:
    return [_event(line) for line in answer.split("\n") if line]
