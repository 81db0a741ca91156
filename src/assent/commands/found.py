"""Names that `find` and its kin hand to another program: unknown words, but known to lie below known folders."""

from __future__ import annotations

from assent.commands.listed import listed_by
from assent.commands.table import TRUSTED_FOLDERS
from assent.record import replace
from assent.types import LINE, NOT_IGNORED, REGULAR, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call

    Doubt = tuple[str, str, str]
    """A folder, the code of the effect that says what is to be seen there, and which names count."""

RUN_TIME = ("a name found at run time", "a line read at run time", "words read at run time")
ACTIONS = ("-exec", "-execdir", "-ok", "-okdir", "-printf", "-fprint", "-fprintf", "-fls", "-ls", "-fprint0", "-delete")
ACTS = frozenset((*ACTIONS, "-print", "-print0"))
"""What is done with everything that passes the tests before it, and only those."""
FIND_STARTS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
NO_NAME = ("-", "(", ")", "!", ",")
"""What would be a word of the expression itself: `-newer -name -print` has no name in it."""
XARGS = "xargs"
MOST_CALLS = 200
"""In longer texts nobody looks who else reads from a pipe."""
READS_FILES = frozenset(
    "cat head tail wc grep egrep fgrep sort cut sed nl od md5sum sha1sum sha256sum cksum file".split()
)
"""Programs that leave standard input alone once they are given a file."""
READS_NOTHING = frozenset(
    "readlink realpath stat ls mkdir rmdir touch chmod chown du df sleep rm cp mv ln exit break continue".split()
)
SAYS = frozenset("echo printf test [ true false : basename dirname".split())
MAY_ASK = frozenset("rm cp mv ln".split())
"""With `-i` they wait for an answer."""
PASSING_FLAGS = frozenset("viEFGPwxazZ")
"""Letters of grep that choose lines and leave those as they are."""
ALTERNATIVES = ("-o", "-or", "!", "-not", ",")
"""Words behind which a name no longer narrows everything that is found."""


def with_names(call: Call, place: int, calls: tuple[Call, ...]) -> tuple[Call, list[Doubt]]:
    """A call in which the names of `find -exec` and `find | xargs` stand as patterns below the roots of the search.

    And what is to be seen about those, also because `xargs` splits what it reads: a name with a blank is two words.
    """
    name = call.via[-1].rpartition("/")[2] if call.via else ""
    unknown = any(word.why in RUN_TIME for word in call.words)
    if name != XARGS and not (name == "find" and unknown):
        return call, []
    outer = _outer(call, name, place, calls)
    source = _source(call, outer, calls)
    patterns = _patterns(source) if source is not None else []
    split = name == XARGS and not _is_null(calls[outer], call)
    doubts = _doubts(source, patterns, split=split) if source is not None and patterns else []
    if not (patterns and unknown):
        return call, doubts
    words: list[Word] = []
    for word in call.words:
        if word.why in RUN_TIME and word.text.strip("'\"") in ("{}", "…", "%"):
            words += [Word(word.text, None, _why(source), pattern, True) for pattern in patterns]
        else:
            words.append(word)
    return replace(call, words=tuple(words)), doubts


def _doubts(search: Call, patterns: list[str], *, split: bool) -> list[Doubt]:
    """Where a name may be taken apart, or begin with a dash."""
    listed = listed_by(search) if _short(search) != "find" else None
    check = listed.check if listed is not None else ""
    plain = "names.unignored" if listed is not None and listed.why == NOT_IGNORED else "names.plain"
    found: list[Doubt] = []
    if split and check != "names.tracked":  # there nothing but the index matters
        for folder, _, only in (pattern.partition("/**/") for pattern in patterns):
            found.append((folder, plain, "" if "{" in only else only))
    return [*found, (".", check, "")] if check else found


def with_lines(call: Call, calls: tuple[Call, ...]) -> Call:
    """A call in which each word that `find … | while read -r name` took from the search stands as a pattern."""
    words = [_found_line(word, calls) if word.why.startswith(LINE) else word for word in call.words]
    return replace(call, words=tuple(words))


def _found_line(word: Word, calls: tuple[Call, ...]) -> Word:
    search = searched_by(word, calls)
    patterns = _patterns(search) if search is not None else []
    return Word(word.text, None, _why(search), patterns[0]) if len(patterns) == 1 else word


def _why(search: Call | None) -> str:
    """What the names are: without a link among them where `-type f` holds for each, as nothing turns it around."""
    if search is not None and _short(search) != "find":
        listed = listed_by(search)
        return listed.why if listed is not None else "names of files"
    values = [word.value for word in search.words] if search is not None else []
    kinds = [values[at + 1] for at, value in enumerate(values[:-1]) if value == "-type"]
    acts = min((at for at, value in enumerate(values) if value in ACTS), default=len(values))
    sure = kinds == ["f"] and values.index("-type") < acts and not any(value in ALTERNATIVES for value in values)
    return REGULAR if sure else "names of files"


def searched_by(word: Word, calls: tuple[Call, ...]) -> Call | None:
    """The one `find` whose lines are read: one name in each, or one before each NUL if both sides say so."""
    place = int(word.why.removeprefix(LINE))
    ends = any(value.value == "" for value in calls[place].words)
    return _search_behind(place, calls, nul=ends)


def _search_behind(place: int, calls: tuple[Call, ...], *, nul: bool) -> Call | None:
    """The search at the beginning of a pipe, if every name of it arrives whole at a call, and nothing else does."""
    if len(calls) > MOST_CALLS or not _has_one_feeder(calls[place], calls) or _shares_input(place, calls):
        return None
    feeding = calls[calls[place].reads_from]
    while _passes_on(feeding, nul=nul) and _has_one_feeder(feeding, calls):
        feeding = calls[feeding.reads_from]
    if _complains(feeding):
        return None
    if _short(feeding) != "find":
        listed = listed_by(feeding)
        return feeding if listed is not None and listed.nul == nul else None
    nul_ended = any(word.value == "-print0" for word in feeding.words)
    return feeding if nul == nul_ended and not _does_more(feeding) else None


def _shares_input(place: int, calls: tuple[Call, ...]) -> bool:
    """Whether anything else may take a part of what a call reads, so that the rest of a name looks like another."""
    reader = calls[place]
    around = place
    while calls[around].via and _is_around(calls[around - 1], calls[around]):
        around -= 1
    return any(
        call.reads_from == reader.reads_from
        and not around <= number <= place
        and not (XARGS in call.via[len(reader.via) :] and _short(reader) == XARGS)
        and not _leaves_input(call, reader)
        for number, call in enumerate(calls)
    )


def _is_around(outer: Call, inner: Call) -> bool:
    """Whether a wrapper started a call: `sudo` and the `xargs` behind it."""
    return outer.via == inner.via[:-1] and _short(outer) == inner.via[-1].rpartition("/")[2]


def _leaves_input(call: Call, reader: Call) -> bool:
    """Whether a call reads nothing from the pipe that it shares, or a whole line as the other one does."""
    if not call.words or any(redirect.op.startswith("<") and redirect.fd in (None, 0) for redirect in call.redirects):
        return True
    name, rest = _short(call), call.words[1:]
    if name == "read":
        return _short(reader) == "read" and _options(call) == _options(reader)
    values = [word.value for word in rest if not word.why.startswith(LINE)]
    if any(value is None or value.endswith("-") or "/dev/" in value or "/proc/" in value for value in values):
        return name in SAYS
    if name in READS_FILES:
        return len(values) < len(rest)
    options = [value.lower() for value in values if value and value.startswith("-")]
    if name in READS_NOTHING:
        return name not in MAY_ASK or not any("i" in option for option in options)
    return name in SAYS or (name == "find" and not {"-ok", "-okdir", "-files0-from"}.intersection(options))


def _options(call: Call) -> list[str | None]:
    return [word.value for word in call.words[1:] if not word.value or word.value.startswith("-")]


def read_names(call: Call, calls: tuple[Call, ...]) -> list[Doubt]:
    """The roots below which a name with a line break, a blank at its end or a backslash would be read as another."""
    found: list[Doubt] = []
    for word in call.words:
        search = searched_by(word, calls) if word.why.startswith(LINE) else None
        if search is not None:
            found += _doubts(search, _patterns(search), split=True)
    return found


def _outer(call: Call, name: str, place: int, calls: tuple[Call, ...]) -> int:
    """The place of the `find` or `xargs` that starts a call, -1 when that is not known."""
    for at in range(place - 1, -1, -1):
        if calls[at].span == call.span and _short(calls[at]) == name:
            return at
    return -1


def _source(call: Call, outer: int, calls: tuple[Call, ...]) -> Call | None:
    """The search that finds the names: one `find`, and nothing else that xargs could read from."""
    if outer < 0:
        return None
    if _short(calls[outer]) == "find":
        return calls[outer]
    if _reads_elsewhere(calls[outer], call) or _splits_elsewhere(calls[outer], call):
        return None
    return _search_behind(outer, calls, nul=_is_null(calls[outer], call))


def _has_one_feeder(call: Call, calls: tuple[Call, ...]) -> bool:
    """Whether a pipe is filled by one program; `sudo` in front of it writes nothing itself."""
    if call.reads_from < 0:
        return False
    started = calls[call.reads_from].via[-1:] == ("sudo",) and _short(calls[call.reads_from - 1]) == "sudo"
    return call.feeders == 1 or (call.feeders == 2 and started)


def _passes_on(call: Call, *, nul: bool) -> bool:
    """A filter that hands on some of its lines as they are, and reads nothing else."""
    name, values = _short(call), [word.value or "?" for word in call.words[1:]]
    if any(redirect.op.startswith("<") for redirect in call.redirects) or _complains(call):
        return False
    if name in ("sort", "uniq"):
        return all(value in ("-r", "-u", "-n", "-V", "-f", "-z") for value in values) and nul == ("-z" in values)
    if name in ("head", "tail") and not nul:
        counts = [value for value in values if value.lstrip("-").isdigit() or value == "-n"]
        return counts == values
    if name in ("grep", "egrep", "fgrep"):
        operands = [value for value in values if not value.startswith("-")]
        flags = [value for value in values if value.startswith("-")]
        letters = "".join(flag[1:] for flag in flags)
        whole = ("z" in letters and "a" in letters) if nul else "z" not in letters
        return len(operands) == 1 and whole and "-" not in flags and PASSING_FLAGS.issuperset(letters)
    return False


def _reads_elsewhere(xargs: Call, inner: Call) -> bool:
    """Whether xargs takes its lines from a file; its own words end where those of the inner command begin."""
    given = sum(word.text != "…" for word in inner.words)
    own = [word.value or "-a" for word in xargs.words[1 : len(xargs.words) - given]]
    return any(redirect.op.startswith("<") for redirect in xargs.redirects) or any(
        word.startswith("--arg-file") or (word[:1] == "-" != word[1:2] and "a" in word) for word in own
    )


def _own_options(xargs: Call, inner: Call) -> list[str]:
    given = sum(word.text != "…" for word in inner.words)
    return [word.value or "" for word in xargs.words[1 : len(xargs.words) - given]]


def _is_null(xargs: Call, inner: Call) -> bool:
    """Whether xargs reads up to a NUL: `-0`, also among other letters that take no value."""
    for option in _own_options(xargs, inner):
        letters = option[1:] if option[:1] == "-" != option[1:2] else ""
        if option == "--null" or "0" in letters[: len(letters) - len(letters.lstrip("0rtxp"))]:
            return True
    return False


def _splits_elsewhere(xargs: Call, inner: Call) -> bool:
    """Whether another sign than the end of a line ends a name."""
    own = _own_options(xargs, inner)
    signs = [own[at + 1 : at + 2] for at, option in enumerate(own) if option in ("-d", "--delimiter")]
    attached = any(option.startswith(("-d", "--delimiter=")) and option not in ("-d", "--delimiter") for option in own)
    return attached or any(sign not in (["\\n"], ["\n"]) for sign in signs)


def _is_trusted(call: Call) -> bool:
    folder, slash, _name = (call.program or "").rpartition("/")
    return not slash or f"{folder}/" in TRUSTED_FOLDERS


def _short(call: Call) -> str:
    name = call.program or ""
    return name[name.rfind("/") + 1 :]


def _complains(call: Call) -> bool:
    """Whether its messages go the same way, which may hold any name: `2>&1`, `|&`."""
    return any(redirect.fd == 2 and redirect.op == ">&" for redirect in call.redirects)


def _does_more(call: Call) -> bool:
    return any((word.value or "") in ACTIONS for word in call.words)


def _patterns(search: Call) -> list[str]:
    """`root/**/name` for each root, with the name if the search has exactly one before it acts and no alternative."""
    if _short(search) != "find":
        listed = listed_by(search)
        return listed.patterns if listed is not None else []
    roots, tests = _sorted(search)
    if not roots or not _is_trusted(search):
        return []
    acts = min((at for at, value in enumerate(tests) if value in ACTS), default=len(tests))
    names = [tests[at + 1] for at, value in enumerate(tests[:acts]) if value == "-name" and at + 1 < acts]
    patterns = [word for word in search.words if word.value is None]
    narrow = len(names) == 1 and not patterns and not any(value in ALTERNATIVES for value in tests)
    narrow = narrow and "/" not in names[0] and not names[0].startswith(NO_NAME)
    only = names[0] if narrow else "*"
    return [f"{root.rstrip('/') or '/'}/**/{only}" for root in roots]


def _sorted(find: Call) -> tuple[list[str], list[str]]:
    """Where `find` begins, and its expression without the words of what it starts; no roots where they are not sure."""
    roots: list[str] = []
    tests: list[str] = []
    started = False
    for word in find.words[1:]:
        if started:
            started = word.value not in (";", "+")
        elif word.value is None:
            if not tests or not word.pattern:
                return [], []
            tests.append(word.pattern)  # one of several names, so nothing is narrowed
        elif tests or word.value.startswith(("-", "(", "!", ")")):
            tests.append(word.value)
            started = word.value in FIND_STARTS
        else:
            roots.append(word.value)
    follows_links = tests[:1] and (tests[0] in ("-L", "-H", "-P", "-D") or tests[0].startswith("-O"))
    if follows_links or "-follow" in tests or "-files0-from" in tests:
        return [], []
    if any(sign in root for root in roots for sign in "*?["):
        return [], []  # the name of a folder that would be read as a pattern
    return roots or ["."], tests
