"""What must be known about a host to set it up and to prove that it obeys."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Literal, Protocol

from assent.agents.agent import Output
from assent.record import record

Scope = Literal["user", "project", "managed"]
Level = Literal["ok", "note", "warning", "problem"]
SCOPES: tuple[Scope, ...] = ("user", "project", "managed")
STAYS_BEHIND = '"$@"; case $? in 0) ;; 2) exit 2 ;; *) echo "The permission check was cut off." >&2; exit 2 ;; esac'


@record
class Place:
    """Whose settings: a user's, a project's, or the machine's."""

    scope: Scope
    home: str
    project: str
    env: Mapping[str, str]


@record
class Hook:
    """The command that a host starts before every tool call."""

    words: tuple[str, ...]

    @property
    def line(self) -> str:
        """For hosts that hand the command to a shell."""
        return shlex.join(self.words)

    @property
    def closed(self) -> Hook:
        """For hosts that run the tool when a hook is killed or cannot start: a shell stays behind and ends with 2."""
        return Hook(("/bin/sh", "-c", STAYS_BEHIND, "assent", *self.words))


@record
class Entry:
    """A value for the list at `path` inside a JSON file: `("hooks", "PreToolUse")`."""

    path: tuple[str, ...]
    value: Mapping[str, object]


@record
class Additions:
    """Entries in a JSON file that otherwise belongs to the user; `fresh` are the members a new file begins with."""

    file: str
    entries: tuple[Entry, ...]
    fresh: tuple[tuple[str, object], ...] = ()


@record
class OwnFile:
    """A file that is ours alone."""

    file: str
    text: str
    words: tuple[str, ...]
    """What it starts, so that it can be tried; nothing where it starts nothing."""
    executable: bool = False


Change = Additions | OwnFile


@record
class Handler:
    """A hook of ours as the host's settings hold it."""

    file: str
    event: str
    words: tuple[str, ...]
    value: Mapping[str, object]
    around: Mapping[str, object]
    """The object it stands in, which may say for which tools it is."""


@record
class Canary:
    """A payload for the hook and whether it has to be refused."""

    what: str
    payload: str
    refused: bool


@record
class Finding:
    """One thing `assent doctor` found out; a `problem` means that calls may pass unasked, or none at all."""

    level: Level
    text: str
    advice: str = ""
    absent: bool = False
    """The agent is not there, and only it could say whether it runs the hook."""


Run = Callable[..., tuple[int, str]]
"""`run(words, stdin=…, until=…)`: exit code and output of a program of the host, -1 when it cannot be run."""


class Host(Protocol):
    """One module of this package."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - constants of a module
    @property
    def TITLE(self) -> str: ...  # noqa: N802
    @property
    def SCOPES(self) -> tuple[Scope, ...]:  # noqa: N802
        """Whose settings can hold the hook."""

    @property
    def HOLES(self) -> tuple[str, ...]:  # noqa: N802
        """What no setting of ours can close besides what `ends` says, one sentence each."""

    def changes(self, place: Place, hook: Hook) -> tuple[Change, ...]:
        """What has to be written where."""

    def elsewhere(self, place: Place) -> tuple[Handler, ...]:
        """Hooks of ours that came there another way: a plugin, say."""

    def advice(self, place: Place) -> tuple[str, ...]:
        """What the user still has to do after installing."""

    def canaries(self, folder: str, home: str) -> tuple[Canary, ...]:
        """Payloads as the host sends them: one to refuse, one to let pass. Garbage is tried for every host."""

    def refused(self, output: Output) -> bool:
        """Whether the host would keep the tool from running after this answer."""

    def takes(self, env: Mapping[str, str]) -> bool:
        """Whether the program that started this hook is known to run the command that it is handed.

        INVARIANT: what was allowed for being inside runs bare in a program that does not, so it is never assumed.
        """

    def examine(self, place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:
        """The version, switches and trust of this host. `handlers` are our hooks at this place."""


def this_assent(*words: str) -> tuple[str, ...]:
    """This installation: an isolated interpreter and absolute paths, so that no folder can stand in."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return (sys.executable, "-I", "-S", os.path.join(package, "start.py"), *words)


def hook_for(name: str, options: tuple[str, ...] = ()) -> Hook:
    """The hook of this installation."""
    return Hook(this_assent("hook", name, *options))


def is_ours(words: tuple[str, ...], name: str) -> bool:
    """Whether a hook command is one of ours for this host, of whichever installation."""
    text = " ".join(words)
    return "assent" in text and text.partition(" hook ")[2].split(" ")[0].strip("'\"") == name


def sees_all(handler: Handler) -> bool:
    """Whether a hook is for every tool."""
    return all(table.get("matcher", "*") in ("*", "", ".*") for table in (handler.value, handler.around))


def words_of(handler: Mapping[str, object]) -> tuple[str, ...]:
    """The command of a hook handler in the usual shapes: `command`, with or without `args`, or `bash`."""
    command, args = handler.get("command", handler.get("bash")), handler.get("args")
    if not isinstance(command, str):
        return ()
    if isinstance(args, list):
        return (command, *(str(one) for one in args))
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return (command,)
