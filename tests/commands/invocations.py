"""Real invocations of described programs: their examples, and each example again with every flag of the table."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from assent.commands.facts import facts_of
from assent.commands.program import Program, options_of
from assent.commands.table import FAMILIES, program_named
from assent.record import replace
from assent.shell.calls import calls_of
from assent.types import Call, Effect, Word
from commands.scratch import HOME, PROJECT

NEVER_RUN = frozenset(
    """shutdown reboot halt poweroff init telinit kexec systemctl service loginctl mkfs fdisk parted mount umount swapon
    swapoff insmod rmmod modprobe sudo su doas pkexec runuser passwd chsh visudo useradd userdel usermod groupadd
    vi vim nvim ex ed red nano pico micro joe emacs emacsclient hx kak view vidir vimdiff top htop atop watch
    bash sh dash ksh zsh kill killall pkill fuser yes strace ltrace bwrap unshare nsenter chroot script""".split()
)
"""Programs whose run would say nothing: interactive ones, endless ones, those that need a whole machine."""
SHELL_OWN = frozenset(
    """: cd type command builtin eval hash read mapfile readarray export declare typeset readonly set local unset let
    shift exit logout return break continue getopts wait jobs fg bg disown suspend times caller umask ulimit alias
    unalias enable shopt bind complete compgen compopt pushd popd dirs trap history fc help source . exec""".split()
)
CUT_OFF = (
    *("tail -f", "tail -F", "shuf -r", "vmstat", "openssl speed", "netstat -c", "ss -E", "pidwait", "journalctl -f"),
    *("gpg -c", "gpg -ab", "gpg --symmetric"),
)
"""Words that together make a run endless, or wait for a person who types a password."""
HEAVY = frozenset(
    """gcloud gsutil bq npm npx node nodejs kubectl mvn java javac jshell jar pip pip3 apt apt-get apt-cache
    apt-mark""".split()
)
"""Programs that need a second to begin: their examples would take as long as all the others."""
PATHS = "/usr/sbin:/usr/bin:/sbin:/bin"
"""Where the system's own programs are; what stands elsewhere may be anybody's program of the same name."""
VARIANTS, VARIANTS_OF_SUBCOMMAND = 8, 2


class Invocation(NamedTuple):
    """Words to run, and what our description says about them."""

    argv: tuple[str, ...]
    effects: tuple[Effect, ...]
    started: tuple[str, ...]


class Example(NamedTuple):
    """A command line of a family file that can be run as it is."""

    call: Call
    inner: tuple[Call, ...]
    described: str
    """The program or subcommand whose options it has: `ls`, `git status`."""
    flags: tuple[str, ...]
    at: int
    """Where one more flag may be put."""


def invocations(variants: int = VARIANTS, of_subcommand: int = VARIANTS_OF_SUBCOMMAND) -> list[Invocation]:
    """Every example once, then up to `variants` for each program that have one more flag: always the same ones."""
    found: dict[tuple[str, ...], Invocation] = {}
    more: dict[str, list[Invocation]] = {}
    for family in FAMILIES:
        for command in import_module(f"assent.commands.{family}").EXAMPLES:
            example = _example(command)
            if example is None:
                continue
            for one in _described(example, example.call.words):
                found.setdefault(one.argv, one)
            more.setdefault(example.described, []).extend(_variants(example))
    for described, made in more.items():
        for one in _spread(made, of_subcommand if " " in described else variants):
            found.setdefault(one.argv, one)
    return list(found.values())


def _spread(made: list[Invocation], count: int) -> list[Invocation]:
    """Some of them, evenly."""
    return [made[place * len(made) // count] for place in range(count)] if len(made) > count else made


def _example(command: str) -> Example | None:
    """Only a single plain call: no pipe, no redirection, nothing that a shell would have to work out."""
    found = calls_of(command, PROJECT, HOME)
    call = found.calls[0] if found.calls else None
    if call is None or found.gaps or call.redirects or call.assignments or call.reads_from >= 0:
        return None
    inner = found.calls[1:]
    if any(other.reads_from >= 0 or other.span != call.span for other in inner):
        return None
    if any(word.value is None for word in call.words) or not _can_run(call):
        return None
    program, at = _innermost(call)
    flags = _flags(program) if program is not None else ()
    name = (call.program or "").rpartition("/")[2]
    return Example(call, inner, " ".join([name, *(word.value or "" for word in call.words[1:at])]), flags, at)


def _can_run(call: Call) -> bool:
    name = (call.program or "").rpartition("/")[2]
    return not {name} & (NEVER_RUN | SHELL_OWN | HEAVY) and shutil.which(call.program or "", path=PATHS) is not None


def _described(example: Example, words: tuple[Word, ...]) -> Iterator[Invocation]:
    """None for what claims too little to be compared (a gap, a program we do not analyse) or changes the machine."""
    effects, gaps = facts_of((replace(example.call, words=words), *example.inner), PROJECT)
    changes = any(effect.kind == "change" and not effect.code.startswith("git.") for effect in effects)
    argv = tuple(word.value or "" for word in words)
    if gaps or changes or any(effect.kind == "run" for effect in effects) or is_cut_off(argv):
        return
    yield Invocation(argv, tuple(effects), tuple(other.program or "" for other in example.inner))


def is_cut_off(argv: tuple[str, ...]) -> bool:
    return any(set(words.split()) <= set(argv) for words in CUT_OFF)


def _variants(example: Example) -> Iterator[Invocation]:
    """The same words with one more flag each, put where the program or its subcommand expects options."""
    for flag in example.flags:
        words = example.call.words
        yield from _described(example, (*words[: example.at], Word(flag, flag), *words[example.at :]))


def _flags(program: Program) -> tuple[str, ...]:
    names = (option.name for option in options_of(program.options).values() if not option.takes)
    return tuple(dict.fromkeys(name for name in names if name.startswith("-") and name != "-#"))


def _innermost(call: Call) -> tuple[Program | None, int]:
    name = (call.program or "").rpartition("/")[2]
    program, at = program_named(name), 1
    while program is not None and program.commands and at < len(call.words):
        inner = program.commands.get(call.words[at].value or "")
        if inner is None:
            return None, at
        program, at = inner, at + 1
    return program, at
