"""Names that `find` and its kin hand to another program: unknown words, but known to lie below known folders."""

from __future__ import annotations

from assent.commands.find import read_search
from assent.commands.leaving import by_filter, chosen, without
from assent.commands.listed import Listed, listed_by
from assent.commands.narrowed import said_of_all
from assent.commands.table import TRUSTED_FOLDERS
from assent.listening import may_listen
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
XARGS = "xargs"
MOST_CALLS = 200
"""In longer texts nobody looks who else reads from a pipe."""
PASSING_FLAGS = frozenset("viEFGPwxazZ")
"""Letters of grep that choose lines and leave those as they are."""


class Searches:
    """What was found out about the searches of a text, each once, by the places of calls."""

    def __init__(self, calls: tuple[Call, ...]) -> None:
        self.calls = calls
        self.read: dict[int, Listed | None] = {}
        """Whose lines a `read` takes."""
        self.found: dict[int, Listed] = {}
        """What a `find` finds."""
        self.outer: dict[int, int] = {}
        """Which `find` or `xargs` starts a call."""


def with_names(call: Call, place: int, searches: Searches) -> tuple[Call, list[Doubt]]:
    """A call in which the names of `find -exec` and `find | xargs` stand as patterns below the roots of the search.

    And what is to be seen about those, also because `xargs` splits what it reads: a name with a blank is two words.
    """
    name = call.via[-1].rpartition("/")[2] if call.via else ""
    unknown = [word for word in call.words if word.why in RUN_TIME]
    calls = searches.calls
    outer = _outer(call, name, place, searches) if name == XARGS or (name == "find" and unknown) else -1
    if outer < 0:
        return call, []
    if name == "find":
        if outer not in searches.found:
            searches.found[outer] = _by_find(calls[outer])
        search, split = searches.found[outer], False
    else:
        own = _own_options(calls[outer], call)
        null = _is_null(own)
        elsewhere = _reads_elsewhere(calls[outer], own) or _splits_elsewhere(own)
        found = None if elsewhere else _search_behind(outer, calls, nul=null)
        if found is None:
            return call, []
        search, split = found, not null
    doubts = _doubts(search, split=split) if search.patterns else []
    if not (search.patterns and unknown):
        return call, doubts
    words: list[Word] = []
    for word in call.words:
        if word.why in RUN_TIME and word.text.strip("'\"") in ("{}", "…", "%"):
            words += [Word(word.text, None, search.why, pattern, True, left) for pattern, left in _left(search)]
        else:
            words.append(word)
    return replace(call, words=tuple(words)), doubts


def with_lines(call: Call, searches: Searches) -> tuple[Call, list[Doubt]]:
    """A call in which each word that `find … | while read -r name` took from the search stands as a pattern.

    And the roots below which a name with a line break, a blank at its end or a backslash would be read as another.
    """
    doubts: dict[Doubt, None] = {}

    def found(word: Word) -> Word:
        search = _read_by(int(word.why[len(LINE) :]), searches) if word.why.startswith(LINE) else None
        if search is None:
            return word
        doubts.update(dict.fromkeys(_doubts(search, split=True)))
        patterns = _left(search)
        return Word(word.text, None, search.why, patterns[0][0], False, patterns[0][1]) if len(patterns) == 1 else word

    words = tuple([found(word) for word in call.words])
    redirects = tuple(
        [
            replace(redirect, target=found(redirect.target)) if redirect.target and redirect.op == "<" else redirect
            for redirect in call.redirects
        ]
    )
    return replace(call, words=words, redirects=redirects), [*doubts]


def _read_by(place: int, searches: Searches) -> Listed | None:
    """The one search whose lines are read: one name in each, or one before each NUL if both sides say so."""
    if place not in searches.read:
        ends = any(word.value == "" for word in searches.calls[place].words)
        searches.read[place] = _search_behind(place, searches.calls, nul=ends)
    return searches.read[place]


def _doubts(search: Listed, *, split: bool) -> list[Doubt]:
    """Where a name may be taken apart, or begin with a dash."""
    found: list[Doubt] = []
    if split and search.check != "names.tracked":  # there nothing but the index matters
        plain = "names.unignored" if search.why == NOT_IGNORED else "names.plain"
        for pattern, left in zip(search.patterns, search.left_out or ("",) * len(search.patterns), strict=True):
            folder, _, only = pattern.partition("/**/")
            found.append((folder, plain, without("" if only == "*" else only, left)))
    return [*found, (".", search.check, "")] if search.check else found


def _search_behind(place: int, calls: tuple[Call, ...], *, nul: bool) -> Listed | None:
    """The search at the beginning of a pipe, if every name of it arrives whole at a call, and nothing else does."""
    if len(calls) > MOST_CALLS or not _has_one_feeder(calls[place], calls) or _shares_input(place, calls):
        return None
    feeding = calls[calls[place].reads_from]
    filters: list[Call] = []
    while _passes_on(feeding, nul=nul) and _has_one_feeder(feeding, calls):
        filters.append(feeding)
        feeding = calls[feeding.reads_from]
    if _complains(feeding):
        return None
    listed = _printed_by_find(feeding) if _short(feeding) == "find" else listed_by(feeding)
    if listed is None or listed.nul != nul:
        return None
    bare = listed.check != ""
    left = [by_filter(_short(one), [word.value or "?" for word in one.words[1:]], bare=bare) for one in filters]
    filtered = ",".join([name for names in left for name in names])
    return replace(listed, filtered=filtered) if filtered else listed


def _left(search: Listed) -> list[tuple[str, str]]:
    """The patterns, each with what is left out, by the search itself or on the way from it."""
    left_out = search.left_out or ("",) * len(search.patterns)
    joined = [",".join(filter(None, (left, search.filtered))) for left in left_out]
    return list(zip(search.patterns, joined, strict=True))


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
    if _short(call) == "read":
        return _short(reader) == "read" and _options(call) == _options(reader)
    return not may_listen(call, lines=True)


def _options(call: Call) -> list[str | None]:
    return [word.value for word in call.words[1:] if not word.value or word.value.startswith("-")]


def _outer(call: Call, name: str, place: int, searches: Searches) -> int:
    """The place of the `find` or `xargs` that starts a call, -1 when that is not known."""
    known, around = searches.outer, call.via[:-1]
    if place not in known:
        known[place] = -1
        for at in range(place - 1, -1, -1):
            other = searches.calls[at]
            if at in known and other.via == call.via and other.span == call.span:
                known[place] = known[at]  # a sister of it
                break
            if other.via == around and _short(other) == name and other.span == call.span:
                known[place] = at
                break
    return known[place]


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
        rest = values[1:] if values[:1] == ["-n"] else [value[1:].lstrip("n") for value in values if value[:1] == "-"]
        return len(rest) == len(values) - (values[:1] == ["-n"]) <= 1 and all(map(str.isdigit, rest))
    if name in ("grep", "egrep", "fgrep"):
        operands = [value for value in values if not value.startswith("-")]
        flags = [value for value in values if value.startswith("-")]
        letters = "".join(flag[1:] for flag in flags)
        whole = ("z" in letters and "a" in letters) if nul else "z" not in letters
        return len(operands) == 1 and whole and "-" not in flags and PASSING_FLAGS.issuperset(letters)
    return False


def _own_options(xargs: Call, inner: Call) -> list[str]:
    """The words of xargs itself, up to those of the command that it starts; one that is not known may be `-a`."""
    given = 0
    for word in inner.words:
        given += word.text != "…"
    return [word.value or "-a" for word in xargs.words[1 : len(xargs.words) - given]]


def runs_without_names(call: Call, place: int, searches: Searches) -> bool:
    """Whether xargs starts a command although it reads nothing: where names stand behind the words, without `-r`."""
    outer = _outer(call, XARGS, place, searches)
    if outer < 0 or call.words[-1].text != "…":
        return False
    own = _own_options(searches.calls[outer], call)
    return not any(word == "--no-run-if-empty" or (word[:1] == "-" != word[1:2] and "r" in word) for word in own)


def _reads_elsewhere(xargs: Call, own: list[str]) -> bool:
    """Whether xargs takes its lines from a file."""
    if any(redirect.op.startswith("<") for redirect in xargs.redirects):
        return True
    return any(word.startswith("--arg-file") or (word[:1] == "-" != word[1:2] and "a" in word) for word in own)


def _is_null(own: list[str]) -> bool:
    """Whether xargs reads up to a NUL: `-0`, also among other letters that take no value."""
    for option in own:
        letters = option[1:] if option[:1] == "-" != option[1:2] else ""
        if option == "--null" or "0" in letters[: len(letters) - len(letters.lstrip("0rtxp"))]:
            return True
    return False


def _splits_elsewhere(own: list[str]) -> bool:
    """Whether another sign than the end of a line ends a name."""
    for at, option in enumerate(own):
        if option in ("-d", "--delimiter"):
            if own[at + 1 : at + 2] not in (["\\n"], ["\n"]):
                return True
        elif option.startswith(("-d", "--delimiter=")):
            return True
    return False


def _is_trusted(call: Call) -> bool:
    folder, slash, _name = (call.program or "").rpartition("/")
    return not slash or f"{folder}/" in TRUSTED_FOLDERS


def _short(call: Call) -> str:
    name = call.program or ""
    return name[name.rfind("/") + 1 :]


def _complains(call: Call) -> bool:
    """Whether its messages may go the same way, which may hold any name: `2>&1`, `|&`, `2>/dev/stdout`."""
    return any(
        (redirect.fd == 2 or redirect.op.startswith("&>"))
        and (redirect.op == ">&" or redirect.target is None or _is_stream(redirect.target))
        for redirect in call.redirects
    )


def _is_stream(target: Word) -> bool:
    return target.value is None or (target.value.startswith(("/dev/", "/proc/")) and target.value != "/dev/null")


def _printed_by_find(find: Call) -> Listed | None:
    """None where `find` does more than to print each name with one sign behind it."""
    values = {word.value for word in find.words}
    if not values.isdisjoint(ACTIONS) or {"-print", "-print0"} <= values:
        return None
    return _by_find(find)


def _by_find(find: Call) -> Listed:
    """`root/**/name` for each root, with the name, or names in braces, that all of what is found have.

    No link is among that where `-type f` holds for each. No patterns where nobody knows what is found.
    """
    read = read_search(list(find.words[1:])) if _is_trusted(find) else None
    if read is None or any(sign in root for root in read[0] for sign in "*?["):
        return Listed([])  # the name of a folder would be read as a pattern
    roots, tests = read
    words = [name for name, _value in tests]
    if "-follow" in words:
        return Listed([])
    glob, left_out = chosen(tests, ACTS, roots)
    patterns = [f"{root.rstrip('/') or '/'}/**/{glob or '*'}" for root in roots]
    regular = said_of_all(tests, ACTS, _kind_asked) == ("f",)
    return Listed(patterns, "-print0" in words, REGULAR if regular else "names of files", left_out)


def _kind_asked(test: str, value: str | None, false: bool) -> tuple[str, ...] | None:
    return (value,) if test == "-type" and value and not false else None
