"""Programs besides `find` that print nothing but names of files, for whoever reads those: `git grep -l`, `rg -l`."""

from __future__ import annotations

from assent.commands.leaving import is_name
from assent.commands.table import TRUSTED_FOLDERS
from assent.record import record
from assent.types import HELD, NOT_IGNORED, REGULAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call

GREP_FLAGS = frozenset("rlinwxvEFGPsIHaZ")
GREP_WORDS = frozenset(
    """--recursive --files-with-matches --ignore-case --word-regexp --line-regexp --invert-match --extended-regexp
    --fixed-strings --basic-regexp --perl-regexp --no-messages --null""".split()
)
GREP_VALUES = ("--include=", "--exclude=", "--exclude-dir=", "--regexp=")
RG_FLAGS = frozenset("liwxvFSsU0.u")
RG_WORDS = frozenset(
    """--files-with-matches --files --ignore-case --smart-case --case-sensitive --word-regexp --line-regexp
    --invert-match --fixed-strings --multiline --null --hidden --no-ignore --no-heading""".split()
)
RG_VALUES = ("--glob=", "--type=", "--type-not=", "--regexp=", "--max-depth=", "--sort=")
RG_FINDS_MORE = frozenset(("u", "--no-ignore", "g", "--glob", ".", "--hidden"))
"""Options that take back what ignore files say, or may."""
GIT_GREP_FLAGS = frozenset("liwvEFGPInz")
GIT_GREP_WORDS = frozenset(
    """--files-with-matches --name-only --ignore-case --word-regexp --invert-match --extended-regexp --basic-regexp
    --perl-regexp --fixed-strings --null""".split()
)
LS_FILES = frozenset(("-z", "-c", "--cached", "-m", "--modified", "-d", "--deleted", "--"))


@record
class Listed:
    """Patterns for the names, how each ends, and what is to be seen about them on the disk."""

    patterns: list[str]
    nul: bool = False
    why: str = REGULAR
    """What kind of names they are; searches in texts leave links out."""
    left_out: tuple[str, ...] = ()
    """For each pattern the folders that the search leaves out; nothing where there are none."""
    filtered: str = ""
    """Folders whose names are not handed on, although the search finds them."""
    check: str = ""
    """`names.bare` where one could begin with a dash, `names.tracked` where it comes from the index of a repository."""


def listed_by(call: Call) -> Listed | None:
    """What a call prints, if that is nothing but names; None for any other, and where a word is not known."""
    values = [word.value for word in call.words]
    known = [value for value in values if value is not None]
    if call.assignments or len(known) < len(values) or not known:
        return None
    folder, _, name = known[0].rpartition("/")
    rest = known[1:]
    if folder and f"{folder}/" not in TRUSTED_FOLDERS:
        return None
    if name in ("grep", "egrep", "fgrep"):
        return _by_grep(rest)
    if name == "rg":
        return _by_rg(rest)
    if name == "git" and rest[:1] == ["ls-files"]:
        return _held([value for value in rest[1:] if value not in LS_FILES], nul="-z" in rest)
    if name == "git" and rest[:1] == ["grep"]:
        return _by_git_grep(rest[1:])
    return None


def _by_grep(values: list[str]) -> Listed | None:
    """`grep -rl text folder …`; without a folder the names would stand there bare."""
    sorted_ = _sorted(values, GREP_FLAGS, GREP_WORDS, GREP_VALUES, "e")
    if sorted_ is None:
        return None
    given, operands = sorted_
    roots = operands if "e" in given or "--regexp" in given else operands[1:]
    recursive, lists = "r" in given or "--recursive" in given, "l" in given or "--files-with-matches" in given
    if not (recursive and lists and roots):
        return None
    names = [
        one.removeprefix("--exclude-dir=").rstrip("/") for one in sorted(given) if one.startswith("--exclude-dir=")
    ]
    left_out = ",".join(filter(is_name, names))
    patterns = _below(roots)
    return Listed(patterns, nul="Z" in given or "--null" in given, left_out=(left_out,) * len(patterns))


def _by_rg(values: list[str]) -> Listed | None:
    """`rg -l text`, `rg --files`, with or without folders."""
    sorted_ = _sorted(values, RG_FLAGS, RG_WORDS, RG_VALUES, "egtT")
    if sorted_ is None:
        return None
    given, operands = sorted_
    files = "--files" in given
    if not (files or "l" in given or "--files-with-matches" in given):
        return None
    roots = operands if files or "e" in given or "--regexp" in given else operands[1:]
    why = NOT_IGNORED if not roots and RG_FINDS_MORE.isdisjoint(given) else REGULAR
    return Listed(_below(roots or ["."]), "0" in given or "--null" in given, why, check="" if roots else "names.bare")


def _by_git_grep(values: list[str]) -> Listed | None:
    """`git grep -l text`, with paths only behind `--`: what stands before it may be a revision."""
    end = values.index("--") if "--" in values else len(values)
    sorted_ = _sorted(values[:end], GIT_GREP_FLAGS, GIT_GREP_WORDS, ("--regexp=",), "e")
    if sorted_ is None:
        return None
    given, operands = sorted_
    lists = not given.isdisjoint(("l", "--files-with-matches", "--name-only"))
    if not lists or len(operands) != ("e" not in given and "--regexp" not in given):
        return None
    return _held(values[end + 1 :], nul="z" in given or "--null" in given)


def _held(paths: list[str], *, nul: bool) -> Listed | None:
    """What the index holds in this folder and below, as far as the paths say."""
    if any(path[:1] in ("", "-", ":", "/") or ".." in path for path in paths):
        return None
    return Listed(["./**/*"], nul, HELD, check="names.tracked")


def _below(roots: list[str]) -> list[str]:
    """Nothing where the name of a folder would be read as a pattern."""
    if any(sign in root for root in roots for sign in "*?["):
        return []
    return [f"{root.rstrip('/') or '/'}/**/*" for root in roots]


def _sorted(
    values: list[str], flags: frozenset[str], words: frozenset[str], valued: tuple[str, ...], letters: str
) -> tuple[set[str], list[str]] | None:
    """Options that are given, letter by letter, and operands; None as soon as one of them is not in the tables."""
    given: set[str] = set()
    operands: list[str] = []
    left = list(values)
    while left:
        value = left.pop(0)
        if value == "--":
            operands += left
            break
        if value.startswith("--"):
            if value not in words and not value.startswith(valued):
                return None
            given.update((value.partition("=")[0], value))
        elif value.startswith("-") and value != "-":
            for place, letter in enumerate(value[1:], 2):
                given.add(letter)
                if letter in letters:
                    if place == len(value) and not left:
                        return None
                    left = left if value[place:] else left[1:]
                    break
                if letter not in flags:
                    return None
        else:
            operands.append(value)
    return None if any(one[:1] in ("", "-") for one in operands) else (given, operands)
