"""Patch tools: the text of the patch, OpenAI's `operation`, and any path given beside them."""

from __future__ import annotations

from assent.patches import changed, read_patch
from assent.tools.table import PATCH_KEYS, PATH_KEYS
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields

KINDS = {"create_file": "write", "update_file": "edit", "delete_file": "delete"}


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
                yield from read_patch(word, fields.blind, fields.gap)
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
    (
        "apply_patch",
        {"patch": "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n"},
        "delete x | possible read x | write y",
    ),
    ("apply_patch", {"diff": "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"}, "delete x | possible delete a/x"),
)
