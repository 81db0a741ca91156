"""Files and folders: listing, copying, moving, removing, linking, and what changes their owner, mode or time."""

from __future__ import annotations

from assent.commands.args import HARMLESS_FILES, mention
from assent.commands.program import Program, turns_off
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Follows

BACKUP = "-b --backup[=] -S,--suffix="
BACKUP_VARIABLES = ("SIMPLE_BACKUP_SUFFIX", "VERSION_CONTROL")
TARGET = "-t,--target-directory= -T,--no-target-directory"
GLOB_SIGNS = "*?["


def _listing(args: Args) -> Iterator[Fact]:
    """`ls`: names only; `-R` goes below."""
    if args.has("-R"):
        for word in args.operands or [Word(".", ".")]:
            yield from args.file("list", word, deep=True, follows="all" if args.has("-L") else "")


@turns_off("-b --backup -S", everything="-t -T --parents")
def _copying(args: Args) -> Iterator[Fact]:
    """Sources are read, the last operand or `-t` is written."""
    sources, target = _sources_and_target(args)
    deep = args.has("-r", "-R", "-a")
    keeps = args.has("-P", "-d")  # a link stays one, and leads elsewhere from its new place
    follows: Follows | None = "all" if deep and args.has("-L") else "" if deep or keeps else None
    for word in sources:
        yield from args.file("read", word, deep=deep, follows=follows)
    if target is None:
        yield args.gap("nothing says where to")
        return
    links = "link" if args.has("-s", "-l") else ""
    if target.value in HARMLESS_FILES and args.has("--remove-destination"):
        yield args.effect("change", target.value or "", "device.replace")
    if args.has("--parents"):
        yield from _with_parents(args, sources, target, links)
    else:
        yield from arriving(args, sources, target, "copied" if deep or keeps else links)
        yield from _names_in(args, sources, target, links)
    yield from _backups(args, sources, target)


def _with_parents(args: Args, sources: list[Word], target: Word, links: str) -> Iterator[Fact]:
    """`--parents`: below the target each source keeps the whole path it was named by."""
    yield from args.file("write", target)
    for word in sources:
        folder = (word.value or word.pattern).rstrip("/").rpartition("/")[0]
        if target.value is None or any(sign in folder for sign in GLOB_SIGNS):
            yield args.gap("the folders it makes below the target are not known", blind=True)
            continue
        inner = Word(target.text, f"{target.value.rstrip('/')}/{folder}") if folder else target
        yield from arriving(args, [word], inner, "copied" if args.has("-r", "-R", "-a") else links)
        yield from _names_in(args, [word], inner, links)


def arriving(args: Args, sources: list[Word], target: Word, code: str) -> Iterator[Fact]:
    """The target, and for whole trees and patterns where the names come from that will be found below it."""
    origins = tuple(path for word in sources for path in args.places(word.value or word.pattern))
    if any(word.pattern for word in sources):
        code = "copied"
    for fact in args.file("write", target, deep=code == "copied", code=code):
        yield replace(fact, arguments={"from": origins}) if isinstance(fact, Effect) and code else fact


@turns_off("", everything="-t -T")
def _moving(args: Args) -> Iterator[Fact]:
    sources, target = _sources_and_target(args)
    for word in sources:
        yield from args.act("move", word)
    if target is None:
        yield args.gap("nothing says where to")
        return
    yield from arriving(args, sources, target, "copied")
    yield from _names_in(args, sources, target)
    yield from _backups(args, sources, target)


@turns_off("-s", everything="-t -T")
def _linking(args: Args) -> Iterator[Fact]:
    """A link gives its target another name, so both ends count as written, and what lies in a folder as copied."""
    sources, target = _sources_and_target(args)
    for word in sources:
        for named in _led_to(args, word, target):
            yield from args.file("read", named)
    if target is not None:
        yield from arriving(args, sources, target, "link")
        yield from _names_in(args, sources, target, "link")
        if args.has("-s"):
            yield from _named_anew(args, sources, target)
        yield from _backups(args, sources, target)


def _led_to(args: Args, word: Word, target: Word | None) -> list[Word]:
    """What a link leads to: a symbolic one that begins with `..` counts from the folder in which it will lie."""
    value, lies = word.value or "", (target.value or "") if target is not None else ""
    if not (args.has("-s") and lies and value.startswith("..")) or args.has("-r"):
        return [word]
    places = dict.fromkeys((lies.rstrip("/"), lies.rstrip("/").rpartition("/")[0]))
    return [Word(word.text, _tidied(f"{place}/{value}" if place else value)) for place in places]


def _tidied(path: str) -> str:
    """A path without detours, as far as its own words tell."""
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part not in ("", "."):
            kept.append(part)
    return ("/" if path[0] == "/" else "") + "/".join(kept) or "."


def _named_anew(args: Args, sources: list[Word], target: Word) -> Iterator[Fact]:
    """The files of a folder have a second name behind a link to it; a relative one begins where the link lies."""
    sources = [word for word in sources if word.value or word.pattern]
    origins = [path for word in sources for path in args.places(word.value or word.pattern)]
    lies = (target.value or "").rstrip("/")
    for word in sources if not args.has("-r") else ():
        value = word.value or word.pattern
        for folder in (lies, lies.rpartition("/")[0]):
            if folder and value[:1] != "/":
                origins += args.places(f"{folder}/{value}")
    for fact in args.files("write", target, deep=True, code="copied", possible=True) if origins else ():
        yield replace(mention(fact), arguments={"from": tuple(origins)}) if isinstance(fact, Effect) else fact


def _sources_and_target(args: Args) -> tuple[list[Word], Word | None]:
    into = args.values("-t")
    if into:
        return args.operands, into[-1]
    if len(args.operands) < 2:
        return args.operands, Word(".", ".") if args.operands and args.name == "ln" else None
    return args.operands[:-1], args.operands[-1]


def _names_in(args: Args, sources: list[Word], target: Word, code: str = "") -> Iterator[Fact]:
    """When the target is a folder, the file inside it that gets the source's name; it may be a protected one."""
    if args.has("-T") or not target.value:
        return
    for word in sources:
        name = (word.value or "").rstrip("/").rpartition("/")[2]
        if name and name not in (".", ".."):
            inside = Word(word.text, f"{target.value.rstrip('/')}/{name}")
            for fact in args.file("write", inside, code=code):
                origin = {"from": tuple(args.paths(word))} if code else None
                yield replace(mention(fact), arguments=origin) if isinstance(fact, Effect) else fact


def _backups(args: Args, sources: list[Word], target: Word) -> Iterator[Fact]:
    """What was there gets another name; `-S rc` with `~/.bash` makes that a file that is run."""
    if not args.has("-b", "--backup", "-S"):
        return
    if any(name in BACKUP_VARIABLES for name, _ in args.call.assignments):
        yield args.gap("a variable says what backups are called")
    ending = args.values("-S")[-1] if args.has("-S") else Word("~", "~")
    inside = [word.value.rstrip("/").rpartition("/")[2] for word in sources if word.value and not args.has("-T")]
    if ending.value is None or target.value is None or args.has("--parents"):
        yield args.gap("what backups are called is not known", blind=True)
        return
    for place in (target.value, *(f"{target.value.rstrip('/')}/{name}" for name in inside)):
        for fact in args.file("write", Word(target.text, f"{place.rstrip('/')}{ending.value}")):
            yield mention(fact)
    if any(word.value not in ("simple", "never") for word in args.values("--backup")):
        for fact in args.file("write", Word(target.text, f"{target.value.rstrip('/')}.~1~")):
            yield mention(fact)


def _removing(args: Args) -> Iterator[Fact]:
    deep = args.has("-r")
    for word in args.operands:
        yield from args.file("delete", word, deep=deep)


def _changing(args: Args) -> Iterator[Fact]:
    """`chmod`, `chown`, `chgrp`: the first operand says how, unless `--reference` does."""
    files = args.operands if args.has("--reference") else args.operands[1:]
    for word in files:
        yield from args.file("write", word, deep=args.has("-R"), code="mode")


PROGRAMS = {
    "ls": Program(
        "-a,--all -A,--almost-all --author -b,--escape --block-size= -B,--ignore-backups -c -C --color[=]"
        " -d,--directory"
        " -D,--dired -f -F,--classify[=] --file-type --format= --full-time -g --group-directories-first -G,--no-group"
        " -h,--human-readable --si -H,--dereference-command-line --dereference-command-line-symlink-to-dir --hide="
        " --hyperlink[=] --indicator-style= -i,--inode -I,--ignore= -k,--kibibytes -l -L,--dereference -m"
        " -n,--numeric-uid-gid -N,--literal -o -p -q,--hide-control-chars --show-control-chars"
        " -Q,--quote-name"
        " --quoting-style= -r,--reverse -R,--recursive -s,--size -S --sort= --time= --time-style= -t -T,--tabsize="
        " -u -U -v -w,--width= -x -X -Z,--context --zero -1",
        "list*",
        ".",
        more=_listing,
    ),
    "cp": Program(
        f"-a,--archive --attributes-only {BACKUP} --copy-contents -d -f,--force -i,--interactive -H -l,--link"
        " -L,--dereference -n,--no-clobber -P,--no-dereference -p --preserve[=] --no-preserve= --parents"
        " -R,-r,--recursive --reflink[=] --remove-destination --sparse= --strip-trailing-slashes -s,--symbolic-link"
        f" {TARGET} -u,--update[=] -v,--verbose -x,--one-file-system -Z --context[=]",
        "text*",
        more=_copying,
    ),
    "mv": Program(
        f"{BACKUP} -f,--force -i,--interactive -n,--no-clobber --strip-trailing-slashes {TARGET} -u,--update[=]"
        " -v,--verbose -Z,--context",
        "text*",
        more=_moving,
    ),
    "ln": Program(
        f"{BACKUP} -d,-F,--directory -f,--force -i,--interactive -L,--logical -n,--no-dereference -P,--physical"
        f" -r,--relative -s,--symbolic {TARGET} -v,--verbose",
        "text*",
        more=_linking,
    ),
    "rm": Program(
        "-f,--force -i -I --interactive[=] --one-file-system --no-preserve-root --preserve-root[=] -r,-R,--recursive"
        " -d,--dir -v,--verbose",
        "text*",
        more=_removing,
    ),
    "rmdir": Program("--ignore-fail-on-non-empty -p,--parents -v,--verbose", "delete*"),
    "unlink": Program("", "delete"),
    "mkdir": Program("-m,--mode= -p,--parents -v,--verbose -Z --context[=]", "write*"),
    "touch": Program(
        "-a -c,--no-create -d,--date= -f -h,--no-dereference -m -r,--reference=list -t= --time=", "write*"
    ),
    "chmod": Program(
        "-c,--changes -f,--silent,--quiet -v,--verbose --no-preserve-root --preserve-root --reference=list"
        " -R,--recursive",
        "text*",
        more=_changing,
    ),
}

EXAMPLES = {
    "ls": "list .",
    "ls -la src docs": "list src | list docs",
    "ls -R src": "list src | list src/**",
    "ls -R": "list . | list ./**",
    "ls --frobnicate": "list . | gap ls: option --frobnicate is not known",
    "ls *.py": "maybe list *.py (glob) #names | list *.py (glob)",
    "cp a b": "read a | write b | maybe write b/a",
    "cp -r src /tmp/x": "read src/** | write /tmp/x/** #copied | maybe write /tmp/x/src",
    "cp -t out a b": "read a | read b | write out | maybe write out/a | maybe write out/b",
    "cp a": "read a | gap cp: nothing says where to",
    "cp --parents x/a out": "read x/a | write out | write out/x | maybe write out/x/a",
    "cp -r --parents x/y out": "read x/y/** | write out | write out/x/** #copied | maybe write out/x/y",
    "cp --parents -b x/a out": "read x/a | write out | write out/x | maybe write out/x/a"
    " | blind cp: what backups are called is not known",
    "cp --parents */a out": "maybe list */a (glob) #names | read */a (glob) | write out"
    " | blind cp: the folders it makes below the target are not known",
    "cp -S rc a b": "read a | write b | maybe write b/a | maybe write brc | maybe write b/arc",
    "cp --backup=t -T a b": "read a | write b | maybe write b~ | maybe write b.~1~",
    "SIMPLE_BACKUP_SUFFIX=rc cp -bT a b": "read a | write b | maybe write b~ | gap cp: a variable says what backups are"
    " called",
    "mv -b a b": "read a/** | delete a/** #move | write b/** #copied | maybe write b/a | maybe write b~"
    " | maybe write b/a~",
    "mv a b": "read a/** | delete a/** #move | write b/** #copied | maybe write b/a",
    "ln a b": "read a | write b #link | maybe write b/a #link",
    "ln -s a b": "read a | write b #link | maybe write b/a #link | maybe write b/** #copied",
    "rm a b": "delete a | delete b",
    "rm -rf build": "delete build/**",
    "rm -rf $X": "note rm | blind rm: a word is not known (variable X) | blind rm: deletes a path that "
    "is not known (variable X)",
    "rmdir empty": "delete empty",
    "unlink a": "delete a",
    "mkdir -p src/new": "write src/new",
    "touch -- -weird": "write -weird",
    "chmod -R u+w src": "write src/** #mode",
    "chmod --reference=a b": "list a | write b #mode",
    "mkdir $PWD/{a,b} d{1..2}": "write /p/a | write /p/b | write d1 | write d2",
    "rm -rf a-$(date +%F)": "note date | note rm | blind rm: deletes a path that is not known (a plain word)",
    "cp a-$(id -u) b": "note id | read a-*[0-9] (glob) | write b/** #copied",
}
