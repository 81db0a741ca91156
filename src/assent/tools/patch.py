"""Patches: which files the `*** Begin Patch` form and unified or git diffs write and delete.

Every line must be understood; the first that is not ends the reading with a blind gap.
"""

from __future__ import annotations

from assent.record import replace
from assent.tools.table import PATCH_KEYS, PATH_KEYS
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.tools.fields import Fields

HEADERS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
KINDS = {"create_file": "write", "update_file": "edit", "delete_file": "delete"}


class StuckError(Exception):
    """A line that is not understood."""


def read(fields: Fields) -> Iterator[Effect]:
    """The effects of a patch call: its text, OpenAI's `operation`, and any path given beside them."""
    yield from _operations(fields)
    for path in fields.paths(PATH_KEYS):
        yield from changed(path)
    given = fields.take(PATCH_KEYS)
    if not given and "operation" not in fields.values:
        fields.need("input", ())
    for key, value in given:
        words = list(value) if isinstance(value, (list, tuple)) else [value]
        if len(words) == 2 and words[0] in ("apply_patch", "applypatch"):
            words = words[1:]
        for word in words:
            if isinstance(word, str):
                yield from _effects(fields, word)
            else:
                fields.mistyped(key, word)


def _operations(fields: Fields) -> Iterator[Effect]:
    from assent.tools.fields import Fields as Inner

    for _, value in fields.take(("operation",)):
        inner = Inner(fields.name, value if isinstance(value, dict) else {})
        inner.strange += [] if isinstance(value, dict) else [("operation", value)]
        kinds, paths = inner.texts(("type",)), inner.paths(PATH_KEYS)
        if len(kinds) != 1 or kinds[0] not in KINDS or not paths:
            inner.blind("needs an `operation` with a known `type` and a `path`")
        for path in paths:
            yield from [Effect("delete", path)] if kinds == ["delete_file"] else changed(path)
        inner.leftover(("diff", "content"))
        fields.absorb(inner)


def changed(path: str) -> Iterator[Effect]:
    yield Effect("write", path)
    yield Effect("read", path, possible=True)


def _effects(fields: Fields, text: str) -> list[Effect]:
    lines = [line.removesuffix("\r") for line in text.strip("\r\n").split("\n")]
    found = _of_lines(fields, lines)
    odd = next((line for line in lines if line and line.splitlines() != [line]), "")
    if odd:
        fields.blind(f"has a line that is several lines to some readers: `{odd[:80]}`")
        found += [replace(effect, possible=True) for effect in _of_lines(fields, text.strip().splitlines() or [""])]
    return found


def _of_lines(fields: Fields, lines: list[str]) -> list[Effect]:
    found: list[Effect] = []
    try:
        if lines[0].strip() == "*** Begin Patch":
            _begin_patch(lines, found)
        else:
            from assent.tools import diff

            diff.read(lines, found, fields.gap)
    except StuckError as stuck:
        fields.blind(f"has a line that is not understood: `{str(stuck)[:80]}`")
    return found


def _begin_patch(lines: list[str], found: list[Effect]) -> None:
    """`*** Begin Patch`, file sections, `*** End Patch`."""
    if lines[-1].strip() != "*** End Patch" or len(lines) < 2:
        raise StuckError(lines[-1])
    body: Callable[[str], bool] = _nothing
    source = ""
    for line in lines[1:-1]:
        header = next((header for header in HEADERS if line.startswith(header)), "")
        if header:
            path = _name(line[len(header) :])
            if header == HEADERS[3] and not source:
                raise StuckError(line)
            found += _section(header, path, source)
            source = path if header == HEADERS[1] else ""
            body = _added if header == HEADERS[0] else _edited if header in (HEADERS[1], HEADERS[3]) else _nothing
        elif body(line):
            source = ""
        else:
            raise StuckError(line)


def _section(header: str, path: str, source: str) -> Iterator[Effect]:
    if header == HEADERS[0]:
        yield Effect("write", path)
    elif header == HEADERS[1]:
        yield from changed(path)
    elif header == HEADERS[2]:
        yield Effect("delete", path)
    else:
        yield Effect("delete", source)
        yield Effect("write", path)


def _name(text: str) -> str:
    name = text.strip()
    if not name or not name.isprintable():
        raise StuckError(text)
    return name


def _nothing(line: str) -> bool:
    return not line.strip()


def _added(line: str) -> bool:
    return line[:1] == "+"


def _edited(line: str) -> bool:
    """Lines of a change. A header behind blanks is context to some readers and a header to others."""
    if line.startswith("***"):
        return line.rstrip() == "*** End of File"
    return (not line or line[0] in " +-" or line.startswith("@@")) and not (
        line[:1] == " " and line.lstrip().startswith("*** ")
    )


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch"},
        "write a.py | delete b.py",
    ),
    (
        "apply_patch",
        {"command": "*** Begin Patch\n*** Update File: a\n*** Move to: .envrc\n@@\n-x\n+y\n*** End Patch\n"},
        "write a | possible read a | delete a | write .envrc",
    ),
    ("apply_patch", {"operation": {"type": "delete_file", "path": "a"}}, "delete a"),
    ("apply_patch", {"operation": {"type": "update_file", "path": "a", "diff": "@@"}}, "write a | possible read a"),
    (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Add File: a\n+x\n *** Delete File: b\n*** End Patch"},
        "write a | blind: apply_patch has a line that is not understood: ` *** Delete File: b`",
    ),
    (
        "apply_patch",
        {"input": "apply_patch <<EOF"},
        "blind: apply_patch has a line that is not understood: `apply_patch <<EOF`",
    ),
    (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Add File: a\n+x\x0b*** Add File: .envrc\x0b+y\n*** End Patch"},
        "write a | possible write .envrc"
        " | blind: apply_patch has a line that is several lines to some readers: `+x\x0b*** Add File: .envrc\x0b+y`",
    ),
    ("apply_patch", {}, "blind: apply_patch needs `input`: missing"),
    (
        "patch",
        {"patch": "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n"},
        "write x.py | possible read x.py | possible write a/x.py | possible write b/x.py",
    ),
)
