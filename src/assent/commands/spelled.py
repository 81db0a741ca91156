"""Every other way to say a command: its words sorted by the tables of its program, other names of it and of its parts.

For finding danger only: two commands that are the same here may differ in what nobody would write a rule about.
"""

from __future__ import annotations

from assent.commands.args import Watched
from assent.commands.equivalents import RELATED, SAME, equivalents
from assent.commands.facts import facts
from assent.commands.program import options_of
from assent.commands.table import program_named
from assent.getopt import Given, OptionReader, Reading
from assent.record import record
from assent.types import Call, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.program import Option, Program

    Said = tuple[str, ...]
    Table = dict[str, Option]


@record
class Tables:
    """What is known about the options of one command: its tables from the outside in, and where options end."""

    tables: tuple[Table, ...] = ()
    fixed: int = 0
    """How many operands choose a subcommand."""
    ends: int = -1
    """Behind how many operands the words belong to another command; -1 for never."""
    exact: bool = False


MOST_REMEMBERED = 200
NOT_SORTED = Tables()
TABLES_OF: dict[Said, Tables] = {}
SORTED: dict[tuple[object, Said, bool], Reading] = {}
MANY_WORDS, MOST_SORTED, FEW_WORDS = 100, 8, 20
VERB_FIRST = frozenset(
    "systemctl loginctl launchctl redis-cli valkey-cli apt apt-get dnf yum brew pip pip3 conda yarn pnpm npm".split()
)
"""Programs whose first operand says what they do, also where no table names the subcommand."""
ENDS_BEHIND = {"ssh": 2}
OLD_STYLE = frozenset("tar gtar bsdtar jar ar".split())
"""Programs whose first word is a cluster of options, with a dash or without."""


def sort_words(command: Said, words: Said, *, lenient: bool) -> Reading:
    """Sort words, of a command or of a rule about it, by the tables of the command's program.

    `lenient` is for those of the command: what is not known about them may be anything. Long ones are remembered, as
    several rules ask.
    """
    words = _with_dash(command, words)
    if len(words) < MANY_WORDS:
        return _sorted(command, words, tables_of(command), lenient=lenient)
    key = command, words, lenient
    if key not in SORTED:
        if len(SORTED) >= MOST_SORTED:
            SORTED.clear()
        SORTED[key] = _sorted(command, words, tables_of(command), lenient=lenient)
    return SORTED[key]


def sort_words_roughly(command: Said, words: Said, *, lenient: bool) -> Reading:
    """As `sort_words`, by the tables of its program and subcommands alone: for the parts of a line that is too large
    to work out what each of them does."""
    words = _with_dash(command, words)
    program = program_named(_short(command[0]))
    every = tuple(_named_by(program, command[:FEW_WORDS])) if program is not None else ()
    options = tuple([one.options for one in every if one.options])
    known = Tables(tuple(map(options_of, options)), len(every[1:]))
    if lenient:
        return _sorted(command, words, known, lenient=True)
    key = options, words, False  # the words of a rule mean the same for every part that these tables are about
    if key not in SORTED:
        if len(SORTED) >= MOST_SORTED:
            SORTED.clear()
        SORTED[key] = _sorted(command, words, known, lenient=False)
    return SORTED[key]


def _with_dash(command: Said, words: Said) -> Said:
    """`tar xf a` is `tar -xf a`, in a rule as well."""
    old_style = words and _short(command[0]) in OLD_STYLE and words[0].isalpha()
    return (f"-{words[0]}", *words[1:]) if old_style else words


def _sorted(command: Said, words: Said, known: Tables, *, lenient: bool) -> Reading:
    reader = OptionReader(lenient=lenient, exact=known.exact)
    outside, inside = known.tables, known.tables[::-1]
    at, ended = 0, False
    while at < len(words):
        word = words[at]
        at += 1
        reader.tables = inside if len(reader.operands) >= known.fixed else outside
        if ended or not is_option(word, known) or 0 <= known.ends <= len(reader.operands):
            reader.operand(word)
        elif word == "--":
            ended, reader.loose = True, False
        else:
            at += reader.option(word, words[at : at + 1])
    if lenient:
        reader.options += _implied(command, reader)
    return reader.reading(known.fixed, known=bool(known.tables))


def is_option(word: str, known: Tables) -> bool:
    """`-x`, and `+x` for the few programs that have such."""
    return len(word) > 1 and (word[0] == "-" or (word[0] == "+" and any(word in table for table in known.tables)))


def tables_of(command: Said) -> Tables:
    """The tables by which the description of a program sorts the words of a command; the last few are remembered."""
    known = TABLES_OF.get(command)
    if known is None:
        if len(TABLES_OF) >= MOST_REMEMBERED:
            TABLES_OF.clear()
        known = TABLES_OF[command] = _find_tables(command)
    return known


def _find_tables(command: Said) -> Tables:
    name = _short(command[0])
    special = _special_tables(name)
    if special is not None:
        return special
    program = program_named(name)
    if program is None:
        return NOT_SORTED
    number = Watched(0)
    facts(Call(tuple([Word(word, word) for word in (name, *command[1:])]), cwds=("/",)), number, "/")
    takers = number.takers
    every = (*_named_by(program, command), *(taker.program for taker in takers))
    path = max([taker.name.split() for taker in takers] or [[name]], key=len)
    left_out = [ALSO[known] for known in (name, " ".join(path[:2])) if known in ALSO]
    tables = dict.fromkeys([*left_out, *(one.options for one in every if one.options)])
    fixed = max(len(path) - 1, 1 if name in VERB_FIRST else 0)
    styles = " ".join([taker.program.style for taker in takers if taker.program.options])
    last = next((taker.program.style for taker in takers[::-1] if taker.program.options), "")
    ends = ENDS_BEHIND.get(name, fixed + 1 if "posix" in last else -1)
    return Tables(tuple(map(options_of, tables)), fixed, ends, "exact" in styles)


def _named_by(program: Program, command: Said) -> Iterator[Program]:
    """A program and the subcommands that words name, also where it would only print how they are used."""
    yield program
    for word in command[1:]:
        inner = program.commands.get(word) if program.commands else None
        if inner is not None:
            program = inner
            yield program


def _special_tables(name: str) -> Tables | None:
    """`find`, whose words are an expression."""
    if name != "find":
        return None
    from assent.commands.find import DELETES, FILE_VALUES, FLAGS, RUNS, TEXT_VALUES

    flags = " ".join(sorted(word for word in (*FLAGS, *DELETES, *RUNS) if word[0] == "-"))
    values = " ".join(f"{word}=" for word in sorted((*FILE_VALUES, *TEXT_VALUES)))
    return Tables((options_of(f"{flags} {values}"),), exact=True)


def _short(program: str) -> str:
    return program[program.rfind("/") + 1 :]


ALSO = {
    "git rebase": "-i,--interactive -x,--exec=shell -r,--rebase-merges[=]",
    "git add": "-p,--patch -i,--interactive -e,--edit",
    "git commit": "-p,--patch --interactive -e,--edit -S,--gpg-sign[=]",
    "git checkout": "-p,--patch",
    "git reset": "-p,--patch",
    "git restore": "-p,--patch",
    "git stash": "-p,--patch -u,--include-untracked -a,--all -k,--keep-index",
    "git clean": "-i,--interactive",
    "git log": "-p,-u,--patch -G= -S=",
    "git": "-p,--paginate -h,--help",
    "sudo": "-i,--login -s,--shell -e,--edit -C,--close-from= -D,--chdir= -h,--host= -R,--chroot= -r,--role= -t,--type="
    " -T,--command-timeout= -U,--other-user= -V,--version",
    "env": "-S,--split-string=shell -P=",
    "zip": "-e,--encrypt -P,--password= -T,--test -m,--move -d,--delete -u,--update -f,--freshen -F,--fix"
    " -@,--names-stdin -TT,--unzip-command=run",
    "az": "-y,--yes -n,--name= -g,--resource-group= -l,--location= -o,--output=",
    "gcloud": "-q,--quiet",
    "tar": "-N,--newer,--after-date= -V,--label= -W,--verify -K,--starting-file= -L,--tape-length= -H,--format=",
    "less": "-o,--log-file= -O,--LOG-FILE= -k,--lesskey-file= -t,--tag= -f,--force",
    "curl": "-K,--config=",
    "wget": "-e,--execute=unknown -i,--input-file= -a,--append-output= -b,--background",
    "man": "-P,--pager=run -H,--html[=]run -T,--troff-device[=]",
    "vim": "-c=unknown --cmd=unknown -S=unknown -u=unknown -i= -s=unknown -w= -W=",
    "emacs": "-l,--load=unknown -f,--funcall=unknown --eval,--execute=unknown -nw,--no-window-system -Q,--quick"
    " -q,--no-init-file -batch,--batch --script=unknown",
}
"""Options that the descriptions leave out, since nobody can say what they do: here only their names."""


# --- what some options are together ---------------------------------------------------------------------------------

IMPLIED = {
    "git push": (("+", "--force"), (":", "--delete")),
    "git branch": (
        ("-d -f", "-D"),
        ("-D", "-d -f"),
        ("-m -f", "-M"),
        ("-M", "-m -f"),
        ("-c -f", "-C"),
        ("-C", "-c -f"),
    ),
    "cp": (("-a", "-R"),),
    "rsync": (
        ("-a", "-r"),
        *((name, "--delete") for name in ("--del", "--delete-before", "--delete-during", "--delete-after")),
        *((name, "--delete") for name in ("--delete-delay", "--delete-excluded")),
    ),
    "npm": (("--location=global", "-g"),),
}
"""What else is given where some options are, by the first words of a command; a sign is one an operand begins with."""


def _implied(command: Said, reader: OptionReader) -> Iterator[tuple[tuple[Given, ...], ...]]:
    begins = (_short(command[0]), *(word for word, _ in reader.operands[:1]))
    for path in (begins[0], " ".join(begins)):
        for needed, meant in IMPLIED.get(path, ()):
            if _is_needed_given(needed, reader):
                for name in meant.split():
                    known = next((table[name] for table in reader.tables if name in table), None)
                    table = next((table for table in reader.tables if name in table), {})
                    names = {other for other, option in table.items() if option is known} | {name}
                    yield ((Given(frozenset(names)),),)


def _is_needed_given(needed: str, reader: OptionReader) -> bool:
    if needed in ("+", ":"):
        return any(word[:1] == needed for word, _ in reader.operands[1:])
    so_far = reader.reading()
    for item in needed.split():
        name, equals, value = item.partition("=")
        if not so_far.gives(Given(frozenset((name,)), (value,) if equals else ())):
            return False
    return True


# --- other words for the same ---------------------------------------------------------------------------------------

VERSIONED = ("python", "pip", "pypy", "node", "ruby", "perl", "php", "lua", "gcc", "g++", "clang", "clang++", "java")
"""Programs whose name may end in a version: `python3.12`, `clang-17`."""
INTERPRETERS = frozenset(
    "python python3 node nodejs ruby perl php bash sh dash zsh ksh fish source . tsx ts-node".split()
)
"""Programs that run the file they are given, so that it is as good as the file itself."""
ALIASES: dict[str, tuple[str, ...]] = {
    "npm": (
        *("install i in ins inst insta instal isnt isnta isntal add", "uninstall un unlink remove rm r"),
        *("run run-script rum urn", "test t tst", "exec x", "update up upgrade udpate", "list ls la ll", "config c"),
        *("ci clean-install ic install-clean isntall-clean", "view v info show", "login adduser add-user"),
        *("install-test it", "install-ci-test cit clean-install-test sit", "link ln", "rebuild rb", "dedupe ddp"),
        *("search s se find", "init create innit", "owner author", "dist-tag dist-tags", "publish pub"),
    ),
    "pnpm": (
        *("install i", "remove rm uninstall un", "run run-script", "test t tst", "update up upgrade", "list ls"),
        *("install-test it", "link ln", "rebuild rb", "config c", "exec x"),
    ),
    "yarn": ("upgrade up",),
    "bun": ("install i", "add a", "remove rm", "create c"),
    "gem": ("install i", "uninstall remove"),
    "bundle": ("exec e ex exe", "install i"),
    "composer": (
        *("install i", "update u upgrade", "require r", "remove rm uninstall", "run run-script"),
        "dump-autoload dumpautoload",
    ),
    "deno": ("install i", "uninstall rm"),
    "brew": ("uninstall remove rm", "install instal", "upgrade up", "list ls"),
    "helm": ("uninstall delete del un", "list ls"),
    "cargo": ("build b", "run r", "test t", "check c", "remove rm", "doc d"),
    "conda": ("remove uninstall",),
    "mamba": ("remove uninstall",),
    "dnf": ("remove erase rm", "install in", "upgrade update up"),
    "yum": ("remove erase rm", "install in", "upgrade update up"),
    "svn": (
        "commit ci",
        "delete del remove rm",
        "checkout co",
        "switch sw",
        "update up",
        "copy cp",
        "move mv rename ren",
    ),
    "hg": ("commit ci", "update up checkout co", "remove rm"),
    "git": ("add stage", "blame annotate", "log whatchanged"),
    "mise": ("exec x", "run r", "install i"),
    "tmux": ("new-session new", "new-window neww", "split-window splitw", "send-keys send", "respawn-pane respawnp"),
    "rails": ("generate g", "destroy d", "server s", "console c", "runner r"),
}
"""Subcommands that have several names."""
ADDS = ("pnpm", "bun")
"""Programs that add what is named behind `install`."""
DOCKERS = ("docker", "podman", "nerdctl")
CONTAINER = frozenset(
    "attach commit cp create diff exec export kill logs pause port rename restart rm run start stats stop top unpause"
    " update wait".split()
)
IMAGE = frozenset("build history import load pull push save tag".split())
SIGNALS = ("KILL 9", "TERM 15", "HUP 1", "INT 2", "QUIT 3", "STOP 19", "CONT 18", "USR1 10", "USR2 12", "ABRT 6")
EVERYTHING = ("777", "a+rwx", "a=rwx", "ugo+rwx", "ugo=rwx")
MOST_WAYS = 64


def other_names(words: Said) -> list[Said]:
    """The same command by other names of its program."""
    return list(_by_program(words))


def other_words(words: Said, wants: Callable[[str], bool]) -> dict[Said, int]:
    """The same command in other words, each with how many of them a rule has to spell to be about it; those of its
    subcommand only if anybody wants to know about its program.

    What stands for something else is followed to the end by the first names of subcommands; the others come last.
    """
    found: dict[Said, int] = {words: 0}
    aliases: dict[Said, int] = {}
    todo = [words]
    for known in todo:  # grows
        wanted = wants(known[0])
        if known is not words and not wanted:
            continue
        places = _operands(known) if wanted else []
        names = _by_alias(known, places)
        aliases |= dict.fromkeys(names, 0)
        ways = [(other, 0) for other in (*_by_program(known), *names[:1])]
        if wanted:
            ways += ((other, 0) for other in (*_by_subcommand(known, places), *_by_operand(known)))
            ways += equivalents(known, places)
        for other, least in ways:
            if other not in found and len(found) < MOST_WAYS:
                todo += () if least else (other,)
                found[other] = least
            elif other in found:
                found[other] = min(least, found[other])
    found = aliases | found
    del found[words]
    return found


def _by_alias(words: Said, places: list[int]) -> list[Said]:
    """The same with every other name of its subcommand, the first one first."""
    classes = ALIASES.get(words[0], ()) if places else ()
    at = next(iter(places), 0)
    same = [names for names in map(str.split, classes) if words[at] in names]
    return [(*words[:at], name, *words[at + 1 :]) for names in same for name in names]


def concerned_names(program: str) -> list[str]:
    """Every program that a command of one may stand for."""
    names = program_names(program)
    return [*names, *(other for name in names for other in RELATED.get(name, ()))]


def program_names(program: str) -> list[str]:
    """Every name that a program has: `pip3.12` is also `pip` and `pip3`."""
    name = _short(program)
    found = [name]
    if name[-4:].casefold() == ".exe":
        found.append(name := name[:-4])
    if not name.islower():
        found.append(name := name.lower())  # for some disks the same program
    plain = name.rstrip("0123456789.-")
    if plain != name and plain in VERSIONED:
        found.append(name := plain)
    if name in SAME:
        found += [other for other in SAME[name] if other not in found]
    if name[:4] == "git-" and len(name) > 4:
        found.append("git")
    return found


def _by_program(words: Said) -> Iterator[Said]:
    first, *others = program_names(words[0])
    rest = words[1:]
    for name in others:
        yield (name, first.lower()[4:], *rest) if name == "git" and first.lower()[:4] == "git-" else (name, *rest)
    name = others[-1] if others else first
    if "python" in (first, *others) or first.startswith("pypy"):
        yield from _modules(rest)
    if name in INTERPRETERS or "python" in others:
        yield from _scripts(rest)
    if name in ("cargo", "rustc", "rustfmt") and rest and rest[0][:1] == "+":
        yield name, *rest[1:]


def _scripts(words: Said) -> Iterator[Said]:
    """`bash ./deploy.sh x` is `./deploy.sh x`."""
    at = next((at for at, word in enumerate(words) if word[:1] != "-"), len(words))
    if at < len(words) and not any(word[1:2] in ("c", "e", "m") for word in words[:at] if word[:2] != "--"):
        yield words[at:]


def _modules(words: Said) -> Iterator[Said]:
    """`python -m pip install` is `pip install`, and so is `python -Im pip install`."""
    at = 0
    while at < len(words) and words[at][:1] == "-" and words[at][:2] != "--":
        flags, _, rest = words[at][1:].partition("m")
        at += 2 if words[at] in ("-W", "-X") else 1
        if flags.isalpha() == bool(flags) and "m" in words[at - 1] and words[at - 1][1:2] not in ("W", "X", "c"):
            yield (rest, *words[at:]) if rest else words[at:]
            return


def _by_subcommand(words: Said, places: list[int]) -> Iterator[Said]:
    name = words[0]
    at = next(iter(places), 0)
    if not at:
        return
    given, before, rest = words[at], words[:at], words[at + 1 :]
    program = program_named(name)
    if program is not None and program.commands and not _by_alias(words, places):
        yield from ((*before, other, *rest) for other in _longer_names(program, given))
    if name in ADDS and given in ("install", "i", "add") and len(places) > 1:
        yield *before, "install" if given == "add" else "add", *rest
    if name in DOCKERS:
        yield from _of_containers(before, given, rest)
    if name in ("terraform", "tofu") and given == "apply" and any(word.lstrip("-") == "destroy" for word in rest):
        yield *before, "destroy", *rest
    if name == "git":
        yield from _by_git_alias(words, at)


def _operands(words: Said) -> list[int]:
    """The places of the words that are no options and no values of one: the first is the subcommand."""
    found: list[int] = []
    at = 1
    for word, loose in sort_words(words, words[1:], lenient=True).operands:
        if not loose and word in words[at:]:
            at = words.index(word, at) + 1
            found.append(at - 1)
    return found


def _longer_names(program: Program, short: str) -> list[str]:
    """Names of a subcommand that begins as another does, where the program takes it for that."""
    meant = program.commands.get(short)
    if meant is None or short in list(program.commands):
        return []
    return [other for other, inner in program.commands.items() if inner is meant and other.startswith(short)]


def _of_containers(before: Said, given: str, rest: Said) -> Iterator[Said]:
    inner = rest[0] if rest else ""
    if given == "container" and inner in CONTAINER:
        yield *before, *rest
    elif given == "container" and inner in ("ls", "list", "ps"):
        yield *before, "ps", *rest[1:]
    elif given == "image" and inner in IMAGE:
        yield *before, *rest
    elif given == "image" and inner in ("rm", "remove"):
        yield *before, "rmi", *rest[1:]
    elif given == "image" and inner in ("ls", "list"):
        yield *before, "images", *rest[1:]
    elif given in CONTAINER:
        yield *before, "container", given, *rest
    elif given in IMAGE:
        yield *before, "image", given, *rest
    elif given == "rmi":
        yield *before, "image", "rm", *rest
    elif given == "ps":
        yield *before, "container", "ls", *rest
    elif given == "images":
        yield *before, "image", "ls", *rest


def _by_git_alias(words: Said, at: int) -> Iterator[Said]:
    """`git -c alias.x='push -f' x`"""
    for setting in words[1:at]:
        name, equals, value = setting.partition("=")
        if equals and name.casefold() == f"alias.{words[at]}".casefold() and value[:1] != "!":
            yield "git", *value.split(), *words[at + 1 :]


def _by_operand(words: Said) -> Iterator[Said]:
    name = words[0]
    if name == "chmod":
        yield from _same_rights(words)
    elif name in ("kill", "pkill", "killall"):
        yield from _same_signals(words)
    elif name in ("redis-cli", "valkey-cli"):
        yield name, *(word.lower() for word in words[1:])


def _same_rights(words: Said) -> Iterator[Said]:
    for at, word in enumerate(words[1:], 1):
        plain = word.lstrip("0").rjust(3, "0") if word.isdigit() else word
        others = EVERYTHING if plain in EVERYTHING else (plain,)
        if plain != word or len(others) > 1:
            yield from ((*words[:at], other, *words[at + 1 :]) for other in others if other != word)
            return


def _same_signals(words: Said) -> Iterator[Said]:
    """`-9`, `-KILL`, `-SIGKILL`, `-s KILL`, `-n 9` and `--signal=9` are one."""
    for at, word in enumerate(words[1:], 1):
        if word in ("-s", "-n", "--signal") and at + 1 < len(words):
            signal, rest = words[at + 1], words[at + 2 :]
        elif word.startswith(("--signal=", "-")):
            signal, rest = word.removeprefix("--signal=").lstrip("-"), words[at + 1 :]
        else:
            continue
        signal = signal.upper().removeprefix("SIG")
        for one in SIGNALS:
            if signal in one.split():
                title, number = one.split()
                for said in ((f"-{number}",), (f"-{title}",), (f"-SIG{title}",), ("-s", title), ("-s", number)):
                    yield *words[:at], *said, *rest
                return
