"""Programs that start another program: what they are given, and which words of theirs are the inner command.

A wrapper is looked through only with options its table knows; an unknown option makes the inner command unknown.
"""

from __future__ import annotations

from assent.record import record
from assent.shell.calls import FIND_STARTS
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call


@record
class Wrapper:
    """Options without a value, options with one, and how many operands stand before the command."""

    flags: str = ""
    values: str = ""
    operands: int = 0


@record
class Inner:
    """What a wrapper starts: words of a command, or a text for a shell; `trouble` when that is not certain."""

    words: tuple[Word, ...] = ()
    text: str | None = None
    assignments: tuple[tuple[str, Word], ...] = ()
    cwd: str = ""
    trouble: str = ""


WRAPPERS = {
    "nohup": Wrapper(),
    "nice": Wrapper(values="-n --adjustment"),
    "ionice": Wrapper("-t --ignore", "-c -n --class --classdata"),
    "chrt": Wrapper("-f -r -o -b -i --fifo --rr --other --batch --idle -v", "-T -P -D", 1),
    "taskset": Wrapper("-a --all-tasks", "", 1),
    "timeout": Wrapper("--preserve-status --foreground -v --verbose -p -f", "-k -s --kill-after --signal", 1),
    "stdbuf": Wrapper("", "-i -o -e --input --output --error"),
    "setsid": Wrapper("-c -f -w --ctty --fork --wait"),
    "time": Wrapper("-p -v -a -q --verbose --portability --append --quiet", "-f -o --format --output"),
    "env": Wrapper("-i -0 -v - --ignore-environment --null --debug", "-u -C --unset --chdir"),
    "sudo": Wrapper(
        "-n -E -H -k -b -S -A --non-interactive --preserve-env --set-home", "-u -g -p -h -C -T --user --group"
    ),
    "doas": Wrapper("-n", "-u -C"),
    "xargs": Wrapper(
        "-0 -r -t -x -p --null --no-run-if-empty --verbose --exit --interactive --replace --max-lines --eof",
        "-n -P -I -L -d -s -a -E --max-args --max-procs --replace --max-lines --delimiter --max-chars --arg-file --eof",
    ),
    "watch": Wrapper("-d -t -b -e -g -c -x -p --no-title --exec --color --chgexit --errexit", "-n --interval"),
    "flock": Wrapper("-s -x -e -n -u -o -v --shared --exclusive --nonblock --close", "-w -E --timeout", 1),
    "busybox": Wrapper(),
}
STARTERS = frozenset({*WRAPPERS, "find", "ssh"})
"""Every program whose words the functions below look at."""
SSH = Wrapper(
    "-4 -6 -A -a -C -f -K -k -N -n -q -T -t -V -v -X -x -Y -tt",
    "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -R -S -W -w",
    1,
)


FIND_VALUES = frozenset(
    f"-{name}"
    for name in """amin anewer atime cmin cnewer ctime fstype gid group ilname iname inum ipath iregex iwholename links
    lname maxdepth mindepth mmin mtime name newer path perm regex regextype samefile size type uid used user wholename
    xtype fprint fprint0 fls printf context D files0-from""".split()
)
"""Words of `find` behind which a value stands, whatever it looks like."""


def started_by(call: Call, program: str) -> list[Inner]:
    """What a call of one of the `STARTERS` would start; `program` is its name without a folder."""
    if program == "find":
        return _found_commands(call)
    if len(call.words) == 2 and call.words[1].value in ("--help", "--version") and program != "ssh":
        return []
    inner = _remote(call) if program == "ssh" else _inner_of(call, program)
    return [] if inner is None else [inner]


def _inner_of(call: Call, program: str) -> Inner:
    words, given, trouble = behind(call.words[1:], WRAPPERS[program])
    if trouble:
        return Inner(trouble=f"{program} {trouble}")
    if program == "env":
        return _environment(words, given)
    if program == "xargs":
        return _repeated(words, given)
    if program == "watch" and "-x" not in given and "--exec" not in given:
        return _text_of(words, program)
    if program == "flock" and words and words[0].value in ("-c", "--command"):
        return _text_of(words[1:2], program)
    return Inner(words)


def _found_commands(call: Call) -> list[Inner]:
    """The commands that `find` starts with `-exec` and its kin."""
    found: list[Inner] = []
    words = call.words[1:]
    at = 0
    while at < len(words):
        if words[at].value in FIND_VALUES:
            at += 2
            continue
        if words[at].value in FIND_STARTS:
            end = at + 1
            while end < len(words) and words[end].value not in (";", "+"):
                end += 1
            trouble = "" if end < len(words) else "-exec without an end"
            found.append(Inner(tuple(map(_placeholder, words[at + 1 : end])), trouble=trouble and f"find {trouble}"))
            at = end
        at += 1
    return found


def _placeholder(word: Word) -> Word:
    """`{}` is replaced by a name that find or xargs reads elsewhere."""
    if word.value is None or "{}" not in word.value:
        return word
    return Word(word.text, None, "a name found at run time")


def behind(words: tuple[Word, ...], wrapper: Wrapper) -> tuple[tuple[Word, ...], dict[str, str], str]:
    """The words behind a wrapper's own options and operands, the options given, and what is wrong."""
    flags, values = _names(wrapper.flags), _names(wrapper.values)
    given: dict[str, str] = {}
    at, operands = 0, wrapper.operands
    while at < len(words):
        word = words[at].value
        if word is None:
            return (), given, f"with an unknown word ({words[at].why})"
        if word == "--":
            return words[at + 1 + operands :], given, ""
        if not word.startswith("-") or (word == "-" and "-" not in flags):
            if operands == 0:
                break
            operands -= 1
            at += 1
            continue
        width = _option(word, words[at + 1 : at + 2], flags, values, given)
        if not width:
            return (), given, f"option {word}"
        at += width
    return words[at:], given, ""


_split: dict[str, frozenset[str]] = {}


def _names(text: str) -> frozenset[str]:
    """The options in a column of the table; read once."""
    found = _split.get(text)
    if found is None:
        found = _split[text] = frozenset(text.split())
    return found


def _option(
    word: str, following: tuple[Word, ...], flags: frozenset[str], values: frozenset[str], given: dict[str, str]
) -> int:
    """How many words an option takes; 0 when it is not known."""
    name, equals, value = word.partition("=")
    if word in flags:
        given[word] = ""
        return 1
    if name.startswith("--") and equals and name in values:
        given[name] = value
        return 1
    if word in values:
        if not following or following[0].value is None:
            return 0
        given[word] = following[0].value
        return 2
    if not word.startswith("--") and word[:2] in values:
        given[word[:2]] = word[2:]
        return 1
    if "-n" in values and word[1:].isdigit():
        return 1
    return 1 if len(word) > 2 and word[1] != "-" and all(f"-{sign}" in flags for sign in word[1:]) else 0


def _environment(words: tuple[Word, ...], given: dict[str, str]) -> Inner:
    """`env` sets variables and a folder before it starts the rest."""
    assignments: list[tuple[str, Word]] = []
    at = 0
    while at < len(words):
        name, equals, value = (words[at].value or "").partition("=")
        if words[at].value is None or not equals:
            break
        assignments.append((name, Word(words[at].text, value)))
        at += 1
    if "-C" in given and "--chdir" in given:
        return Inner(trouble="env with two folders")
    return Inner(words[at:], None, tuple(assignments), given.get("-C", given.get("--chdir", "")))


ONE_BY_ONE, AT_ONCE = frozenset(("-I", "--replace")), frozenset(("-L", "--max-lines", "-n", "--max-args"))


def _repeated(words: tuple[Word, ...], given: dict[str, str]) -> Inner:
    """`xargs` appends what it reads, or puts it where `-I` says."""
    if not ONE_BY_ONE.isdisjoint(given) and sum(name in given for name in (*ONE_BY_ONE, *AT_ONCE)) > 1:
        return Inner(trouble="xargs with several ways to hand on what it reads")  # the last of them counts
    mark = given.get("-I", given.get("--replace", ""))
    if "-I" in given or "--replace" in given:
        mark = mark or "{}"
        unknown = [
            Word(word.text, None, "a line read at run time") if mark in (word.value or "") else word for word in words
        ]
        return Inner(tuple(unknown))
    more = Word("…", None, "words read at run time", many=True)
    return Inner((*(words or (Word("echo", "echo"),)), more))


def _text_of(words: tuple[Word, ...], program: str) -> Inner:
    values = [word.value for word in words]
    if None in values or not values:
        return Inner(trouble=f"text that {program} runs")
    return Inner(text=" ".join(value for value in values if value is not None))


def _remote(call: Call) -> Inner | None:
    """`ssh host words`: another machine's shell reads them again; what it does there is not ours to follow.

    None without a command: what a shell over there does comes from standard input.
    """
    words, _, trouble = behind(call.words[1:], SSH)
    if trouble:
        return Inner(trouble=f"ssh {trouble}")
    return _text_of(words, "ssh") if words else None
