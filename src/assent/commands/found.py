"""Names that `find` and its kin hand to another program: unknown words, but known to lie below known folders."""

from __future__ import annotations

from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call

RUN_TIME = ("a name found at run time", "a line read at run time", "words read at run time")
ACTIONS = ("-exec", "-execdir", "-ok", "-okdir", "-printf", "-fprint", "-fprintf", "-fls", "-ls", "-fprint0", "-delete")
ALTERNATIVES = ("-o", "-or", "!", "-not", ",")
"""Words behind which a name no longer narrows everything that is found."""


def with_names(call: Call, place: int, calls: tuple[Call, ...]) -> Call:
    """A call in which the names of `find -exec` and `find | xargs` stand as patterns below the roots of the search."""
    outer = call.via[-1].rpartition("/")[2] if call.via else ""
    if outer not in ("find", "xargs") or not any(word.why in RUN_TIME for word in call.words):
        return call
    source = _source(call, place, calls)
    patterns = _patterns(source) if source is not None else []
    if not patterns:
        return call
    words: list[Word] = []
    for word in call.words:
        if word.why in RUN_TIME and word.text.strip("'\"") in ("{}", "…", "%"):
            words += [
                Word(word.text, None, "names of files", pattern, many=True, span=word.span) for pattern in patterns
            ]
        else:
            words.append(word)
    return replace(call, words=tuple(words))


def split_names(call: Call, place: int, calls: tuple[Call, ...]) -> list[str]:
    """The roots below which a name with a blank would become two words, because `xargs` splits what it reads."""
    if not call.via or call.via[-1].rpartition("/")[2] != "xargs":
        return []
    source = _source(call, place, calls)
    outer = next((one for one in reversed(calls[:place]) if one.span == call.span and _short(one) == "xargs"), None)
    if source is None or outer is None or any(word.value in ("-0", "--null", "-0r", "-r0") for word in outer.words):
        return []
    return [pattern.partition("/**")[0] for pattern in _patterns(source)]


def _source(call: Call, place: int, calls: tuple[Call, ...]) -> Call | None:
    """The search that finds the names: one `find`, and nothing else that xargs could read from."""
    name = call.via[-1].rpartition("/")[2]
    outer = next((one for one in reversed(calls[:place]) if one.span == call.span and _short(one) == name), None)
    if outer is None or name == "find":
        return outer
    if outer.reads_from < 0 or outer.feeders != 1 or _reads_elsewhere(outer, call):
        return None
    feeding = calls[outer.reads_from]
    while _passes_on(feeding) and feeding.reads_from >= 0 and feeding.feeders == 1:
        feeding = calls[feeding.reads_from]
    return feeding if _short(feeding) == "find" and not _does_more(feeding) else None


def _passes_on(call: Call) -> bool:
    """A filter that hands on some of its lines as they are, and reads nothing else."""
    name, values = _short(call), [word.value or "?" for word in call.words[1:]]
    if any(redirect.op.startswith("<") for redirect in call.redirects):
        return False
    if name in ("sort", "uniq"):
        return all(value in ("-r", "-u", "-n", "-V", "-f", "-z") for value in values)
    if name in ("head", "tail"):
        counts = [value for value in values if value.lstrip("-").isdigit() or value == "-n"]
        return counts == values
    if name in ("grep", "egrep", "fgrep"):
        operands = [value for value in values if not value.startswith("-")]
        return len(operands) == 1 and all(
            value in ("-v", "-i", "-E", "-F", "-w") for value in values if value[0] == "-"
        )
    return False


def _reads_elsewhere(xargs: Call, inner: Call) -> bool:
    """Whether xargs takes its lines from a file; its own words end where those of the inner command begin."""
    given = sum(word.text != "…" for word in inner.words)
    own = [word.value or "-a" for word in xargs.words[1 : len(xargs.words) - given]]
    return any(redirect.op.startswith("<") for redirect in xargs.redirects) or any(
        word.startswith("--arg-file") or (word[:1] == "-" != word[1:2] and "a" in word) for word in own
    )


def _short(call: Call) -> str:
    name = call.program or ""
    return name[name.rfind("/") + 1 :]


def _does_more(call: Call) -> bool:
    return any((word.value or "") in ACTIONS for word in call.words)


def _patterns(search: Call) -> list[str]:
    """`root/**/name` for each root, with the name if the search has exactly one before it acts and no alternative."""
    roots: list[str] = []
    tests: list[str] = []
    for word in search.words[1:]:
        if word.value is None:
            if not tests or not word.pattern:
                return []
            tests.append(word.pattern)  # one of several names, so nothing is narrowed
            continue
        if word.value in ACTIONS:
            break
        if tests or word.value.startswith(("-", "(", "!", ")")):
            tests.append(word.value)
        else:
            roots.append(word.value)
    follows_links = tests[:1] and (tests[0] in ("-L", "-H", "-P", "-D") or tests[0].startswith("-O"))
    if follows_links or "-follow" in tests:
        return []
    names = [tests[at + 1] for at, value in enumerate(tests[:-1]) if value == "-name"]
    patterns = [word for word in search.words if word.value is None]
    narrow = len(names) == 1 and not patterns and not any(value in ALTERNATIVES for value in tests)
    narrow = narrow and "/" not in names[0]
    only = names[0] if narrow else "*"
    return [f"{root.rstrip('/') or '/'}/**/{only}" for root in roots or ["."]]
