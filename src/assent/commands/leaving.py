"""What a search chooses, and folders that it leaves out: `find -prune` and `! -path`, `grep --exclude-dir`, `grep -v`.

Each is written as `ignoring.LeftOut` reads it. INVARIANT: nothing below such a folder is opened or handed on.
"""

from __future__ import annotations

from assent.commands.narrowed import NOT, OR, all_said, said_of_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.commands.narrowed import Test

HIDDEN, BELOW = ".", "*"
FLAT = (("-maxdepth", "0"), ("-maxdepth", "1"))
NAME_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@")
PATH_TESTS = ("-path", "-wholename", "-ipath", "-iwholename")
NAME_TESTS = ("-name", "-iname")
LEAVING = frozenset((*NOT, "-prune"))
UNPRUNED = frozenset(("-depth", "-d", "-delete", "-mindepth"))
"""With these `-prune` means nothing, or nothing is tested before a certain depth."""
INVERTS = frozenset("vEFPia")
"""Letters of `grep` with which a line is left out wherever the pattern stands in it."""
DIALECT_FLAGS = frozenset("EFP")
DIALECTS = {"grep": frozenset[str](), "egrep": frozenset("E"), "fgrep": frozenset("F")}
PATTERN_SIGNS = frozenset("*?[\\")


def is_name(text: str) -> bool:
    return NAME_SIGNS.issuperset(text) and text.strip(".") != ""


def without(only: str, left_out: str) -> str:
    """A glob together with what is left out."""
    return f"{only or '*'}//{left_out}" if left_out else only


def chosen(tests: list[Test], acts: frozenset[str], roots: list[str]) -> tuple[str, tuple[str, ...]]:
    """A glob for the names of all with which an expression does something, and for each root what it leaves out."""
    names = said_of_all(tests, acts, _name_asked) or ()
    only = names[0] if len(names) == 1 else f"{{{','.join(names)}}}" if names else ""
    flat = any(test in FLAT for test in tests)
    if not flat and LEAVING.isdisjoint([word for word, _value in tests]):
        return only, ()
    below = (BELOW,) if flat else ()
    return only, tuple([",".join((*below, *by_expression(tests, acts, root))) for root in roots])


def _name_asked(test: str, value: str | None, false: bool) -> tuple[str, ...] | None:
    """A name that is no more than a glob; braces and commas stand for themselves there, which they would not here."""
    if false or test not in NAME_TESTS or not value or any(sign in value for sign in "/{},"):
        return None
    return (value,)


def by_expression(tests: list[Test], acts: frozenset[str], root: str) -> tuple[str, ...]:
    """What lies in these folders is never tested by `find`, or passes none of the tests before an action."""
    if not PATTERN_SIGNS.isdisjoint(root):
        return ()  # in a test of the path they would mean more than themselves
    denied = all_said(tests, acts, lambda test, value, false: _denied(test, value, root) if false else None)
    return tuple(dict.fromkeys((*_pruned(tests, acts, root), *denied)))


def by_filter(program: str, values: list[str], *, bare: bool) -> tuple[str, ...]:
    """`grep -v name`, `grep -vE 'a|b'`: no line with such a text goes on; `bare` ones have no folder before a name."""
    flags = "".join(value[1:] for value in values if value.startswith("-"))
    texts = [value for value in values if not value.startswith("-")]
    if program not in DIALECTS or len(texts) != 1 or "v" not in flags or not INVERTS.issuperset(flags):
        return ()
    dialects = DIALECTS[program] | DIALECT_FLAGS.intersection(flags)
    if len(dialects) > 1:
        return ()
    text, between = texts[0], "|" if dialects & {"E", "P"} else "\\|"
    if "F" not in dialects:
        text = text.replace("\\.", ".").replace(between, "\n")
    choices = [choice.removeprefix("" if bare else "/").removesuffix("/") for choice in text.split("\n")]
    return tuple(choices) if all(map(is_name, choices)) else ()


def _denied(test: str, value: str | None, root: str) -> tuple[str, ...] | None:
    """A folder of which nothing passes where a test of the whole path does not hold: `! -path '*/name/*'`."""
    if test not in PATH_TESTS or not value or not value.endswith("*"):
        return None
    pattern = _tidied(value)
    if pattern == "*/.*":
        return (HIDDEN,)
    for before, mark in (("*/", ""), (_begun(root), "/"), ("*", "")):
        name = pattern.removeprefix(before).removesuffix("*").removesuffix("/")
        if pattern.startswith(before) and is_name(name):
            return (mark + name,)
    return None


def _tidied(pattern: str) -> str:
    while "**" in pattern:
        pattern = pattern.replace("**", "*")
    return pattern.replace("\\.", ".")


def _begun(root: str) -> str:
    """How every path below a root begins, as `find` writes it."""
    return root if root.endswith("/") else f"{root}/"


def _pruned(tests: list[Test], acts: frozenset[str], root: str) -> list[str]:
    """`-name a -prune -o …`, `-type d ( -name a -o -path ./b ) -prune -o …`, one or several.

    Nothing else stands before them, so that each is tested in every folder. Not so `! ( -path ./a -prune ) -path b`:
    GNU find may do the other test first, and enter `a`.
    """
    words = [*(word for word, _value in tests), "", "", ""]
    if not UNPRUNED.isdisjoint(words) or "," in words:
        return []
    found: list[str] = []
    at = 0
    while words[at] in ("-maxdepth", "-xdev", "-mount"):
        at += 1
    inside = not acts.isdisjoint(words)  # else what passes the test is printed, too
    while True:
        names, end = _chosen(tests, words, at, root, inside=inside)
        if not names or words[end] != "-prune" or words[end + 1] not in OR:
            return found
        found += names
        at = end + 2


def _chosen(tests: list[Test], words: list[str], at: int, root: str, *, inside: bool) -> tuple[list[str], int]:
    """The folders that one of several tests names, `-type d` or not, and where these tests end."""
    names: list[str] = []
    inside = inside and ("-type", "d") not in tests[at:]  # what lies in a folder need not be one
    at += tests[at : at + 1] == [("-type", "d")]
    grouped = words[at] == "("
    at += grouped
    while words[at] and (name := _named(*tests[at], root, inside=inside)):
        names.append(name)
        at += 1
        if not (grouped and words[at] in OR):
            break
        at += 1
    if grouped and words[at] != ")":
        return [], len(tests)
    at += grouped
    return names, at + (tests[at : at + 1] == [("-type", "d")])


def _named(test: str, value: str | None, root: str, *, inside: bool) -> str:
    """A folder that passes a test, or, if that will do, everything inside of it; empty for any other."""
    if value is None:
        return ""
    if test in NAME_TESTS:
        return value if is_name(value) else ""
    if test not in PATH_TESTS:
        return ""
    pattern = _tidied(value).removesuffix("/*" if inside else "")
    for before, mark in (("*/", ""), (_begun(root), "/")):
        if pattern.startswith(before) and is_name(pattern.removeprefix(before)):
            return mark + pattern.removeprefix(before)
    return ""
