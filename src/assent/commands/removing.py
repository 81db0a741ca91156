"""Programs that remove files as `rm` does, under other names: overwritten first, or put where they can be found again.

What lies in a trash can be brought back by somebody who knows of it; for whoever needs it now, it is gone.
"""

from __future__ import annotations

from assent.commands.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def _removing(args: Args) -> Iterator[Fact]:
    """Folders only with `-r`."""
    for word in args.operands:
        yield from args.file("delete", word, deep=args.has("-r"))


def _globbing(args: Args) -> Iterator[Fact]:
    """Whole trees; some versions take a quoted word for a pattern of their own."""
    for word in args.operands:
        yield from args.file("delete", word, deep=True)
        if any(sign in (word.value or "") for sign in "*?[{!"):
            yield args.gap(f"`{word.text}` may be a pattern of its own", blind=True)


def _trashed(args: Args) -> Iterator[Fact]:
    """`gio trash FILE`; `--empty` removes what is there, `--restore` brings it back, `--list` shows it."""
    if args.has("--empty"):
        yield args.effect("change", "what lies in the trash", "files.wipe")
    if args.has("--restore"):
        yield args.gap("where files are put back is not known")
    elif not args.has("--list"):
        for word in args.operands:
            yield from args.file("delete", word, deep=True)


TRASH = Program("-f,--force -r,-R,--recursive -d,--directory -v,--verbose -i,--interactive --trash-dir=into", "wipe*")

PROGRAMS = {
    "srm": Program(
        "-d,--directory -f,--force -i,--interactive -r,-R,--recursive -s,--simple -m,--medium -v,--verbose"
        " -x,--one-file-system -l -z -P,--openbsd -E,--dod -G,--gutmann -C,--rcmp -D,--dod -0,--rand",
        "text*",
        more=_removing,
    ),
    "wipe": Program(
        "-a -b= -c -D -e -f -F -h -i -I -k -l= -o= -M= -P= -q -Q= -r -R= -s -S= -T= -v -V -x= -X= -Z",
        "text*",
        more=_removing,
    ),
    "gio": Program(
        "",
        commands={
            "trash": Program("-f,--force --empty --list --restore", "text*", more=_trashed),
            "remove": Program("-f,--force", "delete*"),
            "version": Program(),
            "help": Program("", "text*"),
        },
        style="bare",
    ),
    "trash": TRASH,
    "trash-put": TRASH,
    "rmtrash": TRASH,
    "rimraf": Program(
        "-h,--help --version -i,--interactive -I,--no-interactive -v,--verbose -V,--no-verbose --preserve-root"
        " --no-preserve-root -G,--no-glob -g,--glob -p,--platform= -m,--max-retries= -r,--retry-delay= --backoff="
        " --tmp=into --impl=",
        "text*",
        more=_globbing,
    ),
    "del-cli": Program("-f,--force -d,--dry-run", "text*", more=_globbing),
}

EXAMPLES = {
    "srm -r a": "delete a/**",
    "srm -z a": "delete a",
    "srm -q a": "delete a | gap srm: option -q is not known",
    "wipe -rf a": "delete a/**",
    "wipe -Q 1 a": "delete a",
    "gio trash a": "delete a/**",
    "gio trash --empty": "change what lies in the trash #files.wipe",
    "gio trash --list": "note gio trash",
    "gio trash --restore x": "delete x/** | gap gio trash: where files are put back is not known",
    "gio remove a": "delete a",
    "gio open a": "run gio open #program | gap gio: subcommand open is not known",
    "trash a": "delete a/**",
    "trash-put -r a": "delete a/**",
    "rmtrash a": "delete a/**",
    "rimraf a b": "delete a/** | delete b/**",
    "rimraf -g 'a/*'": "delete a/*/** | blind rimraf: `'a/*'` may be a pattern of its own",
    "del-cli a": "delete a/**",
}
