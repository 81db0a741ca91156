"""Where hosts are alike: canaries, advice, versions, settings files, and how a hook that was changed is found out."""

from __future__ import annotations

import os
from collections.abc import Iterator

from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import Canary, Finding, Handler, Place, Run
from assent.agents.hosts.json_text import plain, read_text
from assent.errors import InputError

WAITING = "Assent (questions wait at: assent serve)"
"""What agents show while the hook runs, where they show anything."""
HARMLESS = {"command": "echo assent"}


def private_key(home: str) -> str:
    """A file that no policy opens."""
    return os.path.join(home, ".ssh/id_rsa")


def two_canaries(secret: str, harmless: str) -> tuple[Canary, ...]:
    """The payload that reads `private_key`, and the one that runs what everybody may."""
    return (
        Canary("reading ~/.ssh/id_rsa", secret, refused=True),
        Canary("a harmless command", harmless, refused=False),
    )


def not_to_commit(place: Place) -> tuple[str, ...]:
    """What to know about a hook in a project's own settings."""
    return ("do not commit this file: it names an interpreter of this machine",) * (place.scope == "project")


def version_found(program: str, title: str, run: Run) -> Finding:
    """The version that a program names, after its title where it does not say that itself."""
    code, said = run((program, "--version"))
    if code:
        return Finding("note", f"`{program}` is not on the PATH, so its version is not known")
    return Finding("ok", f"{title} {said.strip()}" if title else said.strip().partition("\n")[0])


def other_timeout(handler: Handler, field: str, wanted: int, again: str) -> Iterator[Finding]:
    """A hook for which the host waits another time than the one our own deadline is made for."""
    if handler.value.get(field) != wanted:
        yield Finding("problem", f"the hook for {handler.event} has another `{field}` than Assent relies on", again)


def nothing_behind(handler: Handler, again: str) -> Iterator[Finding]:
    """A hook without the shell that turns its bad end into a refusal."""
    if handler.words[:1] != ("/bin/sh",):
        yield Finding("problem", f"the hook for {handler.event} lets tools run when it is killed", again)


def missing_events(events: tuple[str, ...], handlers: tuple[Handler, ...], again: str) -> Iterator[Finding]:
    """Events that have lost their hook while others still have it."""
    missing = [event for event in events if event not in [handler.event for handler in handlers]]
    if handlers and missing:
        yield Finding("problem", f"no hook for {', '.join(missing)}", again)


def settings_in(file: str, repair: str = "repair it") -> tuple[dict[str, object], tuple[Finding, ...]]:
    """The settings a file holds, none when it is not there or cannot be read, and what is wrong with it."""
    data = read_bytes(file)
    if data is None or not data.strip():
        return {}, ()
    try:
        settings = plain(read_text(data.decode()))
    except (InputError, UnicodeDecodeError) as error:
        return {}, (Finding("problem", f"{file} cannot be read: {error}", repair),)
    return settings if isinstance(settings, dict) else {}, ()


def all_hooks_off(file: str, what: str) -> Iterator[Finding]:
    """Whether a file says `disableAllHooks`."""
    settings, wrong = settings_in(file)
    yield from wrong
    if settings.get("disableAllHooks"):
        yield Finding("problem", f"`disableAllHooks` in {file} switches the {what} off", "take it out")
