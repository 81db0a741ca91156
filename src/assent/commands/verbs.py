"""Command lines of cloud services that are built alike: some nouns, then a verb that says what happens.

`gcloud compute instances list` looks, `az group delete` destroys. A noun or verb that is not listed is a gap.
"""

from __future__ import annotations

from assent.commands.projects import packs
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact

LOOKS = frozenset("list ls show get describe info status version help logs history".split())
DESTROYS = frozenset("delete destroy rm remove purge terminate drop erase wipe".split())
CHANGES = frozenset(
    "create update set add deploy start stop restart enable disable apply import patch resize scale attach detach move"
    " rename cancel reset rollback promote copy upload push submit register unregister assign unassign bind publish"
    " activate deactivate link unlink login logout init use select invite run execute call test tag untag upgrade"
    " downgrade migrate restore export rotate regenerate revoke grant approve reject replace reload reboot".split()
)

SENDS_FILES = frozenset("upload import push put load submit restore".split())
"""Verbs whose other words may be files that are sent away."""
PREVIEWS = frozenset({"alpha", "beta", "preview"})
MORE = " …"
"""The end of a path that any other words may follow."""


@record
class Service:
    """Where the commands go, the nouns that group them, and verbs beyond those everybody has."""

    name: str
    groups: frozenset[str]
    looks: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    destroys: frozenset[str] = frozenset()
    here: frozenset[str] = frozenset()
    """Whole paths, such as `config list`, that only show settings of this machine; `config get …` takes more words."""
    secrets: tuple[str, ...] = ()
    """Beginnings of paths that print keys, tokens or passwords."""
    settings: tuple[str, ...] = ()
    """Beginnings of paths that change how this machine talks to the service."""
    remote: tuple[str, ...] = ()
    """Beginnings of paths that run commands on another machine or start programs here."""
    uploads: frozenset[str] = frozenset()
    """Verbs that send the folder they run in; `` when that is what it does without a verb."""
    kept: Mapping[str, tuple[str, ...]] = {}
    """The files that a path writes, by its beginning; those of `` hold the settings."""
    shown: Mapping[str, tuple[str, ...]] = {}
    """The files of which a path prints a secret, by its beginning."""


def by_verb(args: Args, service: Service) -> Iterator[Fact]:
    """What the nouns and the verb among the operands mean."""
    path: list[str] = []
    for word in args.operands:
        if word.value is None:
            yield args.effect("send", service.name, "cloud.change")
            yield args.gap(f"the command is not known ({word.why})", blind=True)
            return
        path.append(word.value)
        noun = word.value in service.groups and not (_acts(word.value, service) and not set(path[:-1]) <= PREVIEWS)
        if not noun and not _leads_on(" ".join(path), service):
            break
    text = " ".join(path)
    verb = path[-1] if path else ""
    if _begins(text, service.secrets):
        yield args.effect("reach", service.name, "secret.print")
    elif f"{text}{MORE}" in service.here or (not path and "" not in service.uploads):
        return
    elif text in service.here:
        for word in args.operands[len(path) : len(path) + 1]:  # `fly version upgrade` does more than `fly version`
            yield from _verb(args, service, word.value or word.text)
    elif _begins(text, service.settings):
        yield args.effect("change", f"settings for {service.name}", "cloud.login")
    elif _begins(text, service.remote):
        gone = verb in DESTROYS or verb in service.destroys
        yield args.effect("send", service.name, "cloud.destroy" if gone else "cloud.change")
        yield args.effect("run", f"{args.name} {text}", "program")
        yield args.gap("it runs commands of its own or on another machine")
    else:
        yield from _verb(args, service, verb)
    yield from _files(args, text, service)
    if verb in SENDS_FILES:
        for word in args.operands[len(path) :]:
            yield from args.file("read", word, deep=True)


def _files(args: Args, text: str, service: Service) -> Iterator[Fact]:
    """The files behind a path; the settings of the service lie in one place, if nobody names another one."""
    from assent.commands.config_files import kept

    written = next((files for path, files in service.kept.items() if path and _begins(text, (path,))), ())
    if not written and text not in service.here and _begins(text, service.settings):
        written = service.kept.get("", ())
    yield from kept(args, "write", *written)
    for path, files in service.shown.items():
        if _begins(text, (path,)):
            yield from kept(args, "read", *files)


def _leads_on(text: str, service: Service) -> bool:
    """Whether a longer path that is listed begins with these words."""
    listed = (*service.secrets, *service.settings, *service.remote, *service.here)
    return any(path.removesuffix(MORE).startswith(f"{text} ") for path in listed)


def _acts(word: str, service: Service) -> bool:
    """`deploy` is a noun only in front: `gcloud run deploy list` deploys something called list."""
    return word in CHANGES or word in DESTROYS or word in service.changes or word in service.destroys


def _verb(args: Args, service: Service, verb: str) -> Iterator[Fact]:
    if verb in service.uploads:
        yield from packs(args)
    if verb in DESTROYS or verb in service.destroys:
        yield args.effect("send", service.name, "cloud.destroy")
    elif verb in CHANGES or verb in service.changes or verb in service.uploads:
        yield args.effect("send", service.name, "cloud.change")
    elif verb in LOOKS or verb in service.looks:
        yield args.effect("reach", service.name, "cloud.read")
    else:
        yield args.effect("send", service.name, "cloud.change")
        yield args.gap(f"`{verb}` is not a command we know")


def _begins(text: str, paths: tuple[str, ...]) -> bool:
    return any(text == path or text.startswith(f"{path} ") for path in paths)
