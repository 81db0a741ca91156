"""Accounts and groups of the machine: making, changing, removing them, and their passwords and shells."""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, changes, turns_off

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
        yield from kept(args, "write", "/etc/shadow")


@turns_off("-c")
def _privileges(args: Args) -> Iterator[Fact]:
    """`visudo -c` checks; else an editor changes who may do what."""
    if not args.has("-c"):
        yield args.effect("run", "an editor", "program")
        yield args.effect("change", "who may do what", "account.privilege")
        if not args.has("-f"):
            yield from kept(args, "write", "/etc/sudoers")
        yield args.gap("what an editor changes is not known", blind=True)


def _edited(args: Args) -> Iterator[Fact]:
    yield args.effect("run", "an editor", "program")
    yield args.gap("what an editor changes is not known", blind=True)


def _directory(args: Args) -> Iterator[Fact]:
    """`dscl . -list /Users` looks; any other verb may change accounts."""
    if not any(word.value in DIRECTORY_ASKS for word in args.operands[1:2]):
        yield args.effect("change", ACCOUNTS, "account.change")
        yield from kept(args, "write", "/var/db/dslocal/nodes/Default/users")


DIRECTORY_ASKS = ("-list", "-read", "-readall", "-search", "-readpl", "-diff", "list", "read", "readall", "search")


def _always(code: str) -> Program:
    return Program(operands="text*", style="plain", does=changes(code, ACCOUNTS, "/etc/passwd"))


EDIT = Program(
    "-g,--group -p,--passwd -s,--shadow -q,--quiet",
    does=changes("account.change", ACCOUNTS, "/etc/passwd"),
    more=_edited,
)

PROGRAMS = {
    **dict.fromkeys("useradd adduser groupadd addgroup newusers".split(), _always("account.add")),
    **dict.fromkeys("userdel deluser groupdel delgroup".split(), _always("account.remove.destroy")),
    **dict.fromkeys("usermod groupmod gpasswd chsh chfn newgrp".split(), _always("account.change")),
    "dscl": Program(operands="text*", style="plain", more=_directory),
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
    "useradd someone > out": "write out #redirect | change accounts of the machine #account.add | write /etc/passwd",
    "adduser someone > out": "write out #redirect | change accounts of the machine #account.add | write /etc/passwd",
    "groupadd some > out": "write out #redirect | change accounts of the machine #account.add | write /etc/passwd",
    "addgroup some > out": "write out #redirect | change accounts of the machine #account.add | write /etc/passwd",
    "newusers a > out": "write out #redirect | change accounts of the machine #account.add | write /etc/passwd",
    "userdel -r someone > out": "write out #redirect | change accounts of the machine #account.remove.destroy | write"
    " /etc/passwd",
    "deluser someone > out": "write out #redirect | change accounts of the machine #account.remove.destroy | write"
    " /etc/passwd",
    "groupdel some > out": "write out #redirect | change accounts of the machine #account.remove.destroy | write"
    " /etc/passwd",
    "delgroup some > out": "write out #redirect | change accounts of the machine #account.remove.destroy | write"
    " /etc/passwd",
    "usermod -aG sudo someone > out": "write out #redirect | change accounts of the machine #account.change | write"
    " /etc/passwd",
    "groupmod -n new some > out": "write out #redirect | change accounts of the machine #account.change | write"
    " /etc/passwd",
    "gpasswd -d someone some > out": "write out #redirect | change accounts of the machine #account.change | write"
    " /etc/passwd",
    "chsh -s /bin/bash someone > out": "write out #redirect | change accounts of the machine #account.change | write"
    " /etc/passwd",
    "chfn someone > out": "write out #redirect | change accounts of the machine #account.change | write /etc/passwd",
    "newgrp some > out": "write out #redirect | change accounts of the machine #account.change | write /etc/passwd",
    "dscl . -list /Users > out": "write out #redirect | note dscl",
    "chpasswd > out": "write out #redirect | change accounts of the machine #account.password | write /etc/passwd",
    "passwd someone > out": "write out #redirect | change a password #account.password | write /etc/shadow",
    "passwd -S someone": "note passwd",
    "chage -l someone": "note chage",
    "chage -l -i someone": "note chage",
    "chage -i someone > out": "write out #redirect | change a password #account.password | write /etc/shadow",
    "chage -E 0 someone > out": "write out #redirect | change a password #account.password | write /etc/shadow",
    "visudo > out": "write out #redirect | run an editor #program | change who may do what #account.privilege | write"
    " /etc/sudoers | blind visudo: what an editor changes is not known",
    "visudo -c": "note visudo",
    "visudo -c -x out": "write out",
    "vipw > out": "write out #redirect | change accounts of the machine #account.change | write /etc/passwd | run an"
    " editor #program | blind vipw: what an editor changes is not known",
    "vigr > out": "write out #redirect | change accounts of the machine #account.change | write /etc/passwd | run an"
    " editor #program | blind vigr: what an editor changes is not known",
    "passwd -l someone > out": "write out #redirect | change a password #account.password | write /etc/shadow",
    "passwd -S -d someone > out": "write out #redirect | change a password #account.password | write /etc/shadow",
    "vipw --version": "note vipw",
}
