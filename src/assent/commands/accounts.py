"""Accounts and groups of the machine: making, changing, removing them, and their passwords and shells."""

from __future__ import annotations

from assent.commands.program import Program, changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

ACCOUNTS = "accounts of the machine"
SHOWS_PASSWORD: dict[str, tuple[frozenset[str | None], frozenset[str | None]]] = {
    "passwd": (frozenset({"-S", "--status"}), frozenset({"-a", "--all"})),
    "chage": (frozenset({"-l", "--list"}), frozenset({"-i", "--iso8601"})),
}
"""Options that make them show, and those that only say how; `chage -i root` asks for what to change."""


def _password(args: Args) -> Iterator[Fact]:
    """`passwd -S` and `chage -l` show the state of a password; with any other option they change it."""
    options = [word.value for word in args.operands if (word.value or "-?").startswith("-")]
    shows, besides = SHOWS_PASSWORD[args.name]
    if shows.isdisjoint(options) or not (shows | besides).issuperset(options):
        yield args.effect("change", "a password", "account.password")


def _privileges(args: Args) -> Iterator[Fact]:
    """`visudo -c` checks; else an editor changes who may do what."""
    if not args.has("-c"):
        yield args.effect("run", "an editor", "program")
        yield args.effect("change", "who may do what", "account.privilege")
        yield args.gap("what an editor changes is not known", blind=True)


def _edited(args: Args) -> Iterator[Fact]:
    yield args.effect("run", "an editor", "program")
    yield args.gap("what an editor changes is not known", blind=True)


def _always(code: str) -> Program:
    return Program(operands="text*", style="plain", does=changes(code, ACCOUNTS))


EDIT = Program("-g,--group -p,--passwd -s,--shadow -q,--quiet", does=changes("account.change", ACCOUNTS), more=_edited)

PROGRAMS = {
    **dict.fromkeys("useradd adduser groupadd addgroup newusers".split(), _always("account.add")),
    **dict.fromkeys("userdel deluser groupdel delgroup".split(), _always("account.remove.destroy")),
    **dict.fromkeys("usermod groupmod gpasswd chsh chfn newgrp dscl".split(), _always("account.change")),
    "chpasswd": _always("account.password"),
    "passwd": Program(operands="text*", style="plain", more=_password),
    "chage": Program(operands="text*", style="plain", more=_password),
    "visudo": Program(
        "-c,--check -f,--file=read -q,--quiet -s,--strict -x,--export=write -I -O -P", "read?", more=_privileges
    ),
    "vipw": EDIT,
    "vigr": EDIT,
}

EXAMPLES = {
    "useradd someone > out": "write out #redirect | change accounts of the machine #account.add",
    "adduser someone > out": "write out #redirect | change accounts of the machine #account.add",
    "groupadd some > out": "write out #redirect | change accounts of the machine #account.add",
    "addgroup some > out": "write out #redirect | change accounts of the machine #account.add",
    "newusers a > out": "write out #redirect | change accounts of the machine #account.add",
    "userdel -r someone > out": "write out #redirect | change accounts of the machine #account.remove.destroy",
    "deluser someone > out": "write out #redirect | change accounts of the machine #account.remove.destroy",
    "groupdel some > out": "write out #redirect | change accounts of the machine #account.remove.destroy",
    "delgroup some > out": "write out #redirect | change accounts of the machine #account.remove.destroy",
    "usermod -aG sudo someone > out": "write out #redirect | change accounts of the machine #account.change",
    "groupmod -n new some > out": "write out #redirect | change accounts of the machine #account.change",
    "gpasswd -d someone some > out": "write out #redirect | change accounts of the machine #account.change",
    "chsh -s /bin/bash someone > out": "write out #redirect | change accounts of the machine #account.change",
    "chfn someone > out": "write out #redirect | change accounts of the machine #account.change",
    "newgrp some > out": "write out #redirect | change accounts of the machine #account.change",
    "dscl . -list /Users > out": "write out #redirect | change accounts of the machine #account.change",
    "chpasswd > out": "write out #redirect | change accounts of the machine #account.password",
    "passwd someone > out": "write out #redirect | change a password #account.password",
    "passwd -S someone": "note passwd",
    "chage -l someone": "note chage",
    "chage -l -i someone": "note chage",
    "chage -i someone > out": "write out #redirect | change a password #account.password",
    "chage -E 0 someone > out": "write out #redirect | change a password #account.password",
    "visudo > out": "write out #redirect | run an editor #program | change who may do what #account.privilege"
    " | blind visudo: what an editor changes is not known",
    "visudo -c": "note visudo",
    "visudo -c -x out": "write out",
    "vipw > out": "write out #redirect | change accounts of the machine #account.change | run an editor #program"
    " | blind vipw: what an editor changes is not known",
    "vigr > out": "write out #redirect | change accounts of the machine #account.change | run an editor #program"
    " | blind vigr: what an editor changes is not known",
    "passwd -l someone > out": "write out #redirect | change a password #account.password",
    "passwd -S -d someone > out": "write out #redirect | change a password #account.password",
    "vipw --version": "note vipw",
}
