"""Making, placing and renaming single files, and who owns them: install, mktemp, truncate, chown and the like."""

from __future__ import annotations

from assent.commands.args import HARMLESS_FILES, mention
from assent.commands.files import arriving
from assent.commands.program import Program, turns_off
from assent.commands.spread import written_by_place
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Follows

ATTRIBUTES = frozenset("aAcCdDeFijmPsStTux")
CHANGING = "-c,--changes -f,--silent,--quiet -v,--verbose --dereference -h,--no-dereference"
BELOW = "--no-preserve-root --preserve-root --reference=list -R,--recursive -H -L -P"


def _owning(args: Args) -> Iterator[Fact]:
    """`chown`, `chgrp`: the first operand says whose, unless `--reference` does."""
    named = args.has("--reference") or any(word.pattern for word in args.operands[:1])
    files = args.operands if named else args.operands[1:]
    deep, follows = args.has("-R"), _followed(args)
    for word in files:
        yield from args.file("write", word, deep=deep, code="mode", follows=follows)


def _followed(args: Args) -> Follows | None:
    """Which links change: below a folder only with `-L`, and none where the links themselves are meant."""
    if args.has("-R") and args.has("-L"):
        return "all"
    return "" if args.has("-h") or (args.has("-R") and not args.has("-H")) else None


def _attributes(args: Args) -> Iterator[Fact]:
    """`chattr +i -R files`: words of signs and letters say which attributes change."""
    files: list[Word] = []
    deep = False
    for word in args.operands:
        text = word.value or ""
        if text[:1] == "-" and ("v" in text or "p" in text):
            yield args.gap(f"option {text} is not known")
        elif text[:1] == "-":
            deep = deep or "R" in text
            if not (ATTRIBUTES | set("RVf")).issuperset(text[1:]):
                yield args.gap(f"option {text} is not known")
        elif text[:1] not in ("+", "=") or not ATTRIBUTES.issuperset(text[1:]):
            files.append(word)
    for word in files:
        yield from args.file("write", word, deep=deep, code="mode")


@turns_off("--test")
def _access_lists(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if args.has("--test"):
            yield from args.file("list", word, deep=args.has("-R"))
        else:
            follows: Follows | None = "all" if args.has("-R") and args.has("-L") else None
            yield from args.file("write", word, deep=args.has("-R"), code="mode", follows=follows)


@turns_off("-d -t -T")
def _installing(args: Args) -> Iterator[Fact]:
    """A copy with an owner and a mode; `-d` makes folders, `-s` starts `strip`."""
    if args.has("-s"):
        yield args.effect("run", "strip", "program")
    if args.has("-d"):
        for word in args.operands:
            yield from args.act("write", word)
        return
    into = args.values("-t")
    sources = args.operands if into else args.operands[:-1]
    target = into[-1] if into else (args.operands[-1] if sources else None)
    for word in sources or args.operands:
        yield from args.act("read", word)
    if target is None:
        yield args.gap("nothing says where to")
        return
    yield from arriving(args, sources, target, "")
    if target.value in HARMLESS_FILES:
        yield args.effect("change", target.value or "", "device.replace")  # whatever is there is removed first
    yield from _names_inside(args, sources, target)


def _names_inside(args: Args, sources: list[Word], target: Word) -> Iterator[Fact]:
    """When the target is a folder, the file inside it that gets the source's name; it may be a protected one."""
    if args.has("-T") or not target.value:
        return
    for word in sources:
        name = (word.value or "").rstrip("/").rpartition("/")[2]
        if name and name not in (".", ".."):
            for fact in args.file("write", Word(word.text, f"{target.value.rstrip('/')}/{name}")):
                yield mention(fact)


@turns_off("-t", everything="-u -p --tmpdir")
def _temporary(args: Args) -> Iterator[Fact]:
    """`mktemp`: a new file or folder with a name nobody has; `-u` only prints one."""
    if args.has("-u"):
        return
    template = args.operands[0] if args.operands else Word("tmp.XXXXXXXXXX", "tmp.XXXXXXXXXX")
    folder = (args.values("-p", "--tmpdir") or [Word("/tmp", "/tmp")])[-1]  # noqa: S108 - that is where mktemp puts them
    inside = not args.operands or args.has("-t", "-p", "--tmpdir")
    if template.value is None or (inside and folder.value is None):
        yield from args.act("write", template if template.value is None else folder)
    elif inside:
        yield from args.act("write", Word(template.text, f"{(folder.value or '/tmp').rstrip('/')}/{template.value}"))  # noqa: S108
    else:
        yield from args.act("write", template)


def _node(args: Args) -> Iterator[Fact]:
    """`mknod name b 8 0` gives a name to a disk."""
    kind = args.operands[1].value if len(args.operands) > 1 else None
    if kind != "p":
        yield args.effect("change", "a device", "device.make")


def _renaming(args: Args) -> Iterator[Fact]:
    """On most systems a Perl program is run for every name, on others two words are text; new names are not known."""
    yield args.effect("run", "rename code", "inline")
    for word in args.operands[1:]:
        yield from args.act("move", word)
    yield args.gap("the new names are not known", blind=True)


PROGRAMS = {
    "chown": Program(f"{CHANGING} --from= {BELOW}", "text*", more=_owning),
    "chgrp": Program(f"{CHANGING} --from= {BELOW}", "text*", more=_owning),
    "chattr": Program("", "text*", more=_attributes, style="plain"),
    "setfacl": Program(
        "-m,--modify= -x,--remove= -b,--remove-all -k,--remove-default -M,--modify-file=read"
        " -X,--remove-file=read --set= --set-file=read --mask -n,--no-mask -d,--default -R,--recursive"
        " -L,--logical -P,--physical --test -v",
        "text*",
        more=_access_lists,
    ),
    "install": Program(
        "-c -C,--compare -d,--directory -D -g,--group= -m,--mode= -o,--owner= -p,--preserve-timestamps"
        " -s,--strip --strip-program=run -t,--target-directory= -T,--no-target-directory -v,--verbose"
        " --preserve-context -Z --context[=]",
        "text*",
        more=_installing,
    ),
    "mktemp": Program("-d,--directory -u,--dry-run -q,--quiet --suffix= -p= --tmpdir[=] -t", "text?", more=_temporary),
    "truncate": Program("-c,--no-create -o,--io-blocks -r,--reference=list -s,--size=", "write*"),
    "fallocate": Program(
        "-c,--collapse-range -d,--dig-holes -i,--insert-range -l,--length= -n,--keep-size -o,--offset= -p,--punch-hole"
        " -z,--zero-range -x,--posix -v,--verbose -h -V",
        "write?",
    ),
    "mkfifo": Program("-m,--mode= -Z --context[=]", "write*"),
    "mknod": Program("-m,--mode= -Z --context[=]", "write text*", more=_node),
    "link": Program("", "read write", more=written_by_place),
    "rename": Program("-n,--nono,--no-act -v,--verbose -f,--force -i,--interactive", "text*", more=_renaming),
}

EXAMPLES = {
    "chown -R nobody docs": "write docs/** #mode",
    "chown bob:staff a -R": "write a/** #mode",
    "chown --reference=a b": "list a | write b #mode",
    "chgrp -h staff a": "write a #mode",
    "chattr +i a": "write a #mode",
    "chattr -R -i docs": "write docs/** #mode",
    "chattr -v 3 a": "write 3 #mode | write a #mode | gap chattr: option -v is not known",
    "setfacl -R -m u:bob:rx docs": "write docs/** #mode",
    "setfacl --restore=a": "note setfacl | gap setfacl: option --restore is not known",
    "install -m 644 README.md b": "read README.md | write b | maybe write b/README.md",
    "install -d new": "write new",
    "install -D -t docs a b": "read a | read b | write docs | maybe write docs/a | maybe write docs/b",
    "install -s --strip-program=./x a b": "run ./x #program | run strip #program | read a | write b | maybe write b/a",
    "install -b a b": "read a | write b | maybe write b/a | gap install: option -b is not known",
    "install a": "read a | gap install: nothing says where to",
    "mktemp": "write /tmp/tmp.XXXXXXXXXX",
    "mktemp -d": "write /tmp/tmp.XXXXXXXXXX",
    "mktemp /tmp/tmp.XXXXXXXX": "write /tmp/tmp.XXXXXXXX",
    "mktemp -p docs tmp.XXXX": "write docs/tmp.XXXX",
    "mktemp -u -t XXXXXX": "note mktemp",
    "truncate -s 0 a": "write a",
    "fallocate -l 1K a": "write a",
    "mkfifo b": "write b",
    "mknod b p": "write b",
    "mknod b b 8 0": "write b | change a device #device.make",
    "link a b": "read a | write b",
    "rename 's/ /_/g' a": "run rename code #inline | read a/** | delete a/** #move"
    " | blind rename: the new names are not known",
}
