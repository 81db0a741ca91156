"""What a tool may do to a path in its arguments, told from the verb in its name."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.types import Kind

    Touches = tuple[tuple[Kind, bool], ...]

READS: Touches = (("read", False),)
CHANGES: Touches = (("read", False), ("write", False))
COPIES: Touches = (("read", True), ("write", False))
DELETES: Touches = (("read", False), ("write", False), ("delete", True))
"""Kinds of access, and whether each reaches everything below a folder."""

READING = frozenset(
    "read get list search find status show view fetch query describe stat head tail count diff log blame tree".split()
)
COPYING = frozenset("copy cp duplicate clone".split())
DELETING = frozenset(
    "delete del remove rm rmdir unlink clean wipe destroy drop move rename mv trash purge erase".split()
)
CHANGING = frozenset(
    """write create update edit set save put add append insert replace apply patch push post send upload make mkdir
    touch modify change alter mutate run exec execute eval commit merge rebase checkout reset restore revert stash start
    stop install uninstall build compile deploy publish release sync import export convert generate render format fix
    store persist dump record register enable disable configure config init new open do perform process transform
    encrypt decrypt sign zip unzip compress extract archive pack unpack download backup link symlink chmod chown mount
    truncate overwrite upsert submit assign close lock unlock toggle fill type press click invoke call trigger launch
    spawn kill schedule setup and or then""".split()
)
"""Words that take the innocence from a reading verb beside them: `get_or_create`, `update_status`, `write_log`."""

OF_FAMILY: Mapping[str, Touches] = {
    **dict.fromkeys(("read", "read_many", "glob", "grep", "list", "web_search", "note", "mcp_resource"), READS),
    **dict.fromkeys(("delete", "move"), DELETES),
    "copy": COPIES,
}
"""What a built-in family may do to a path in a field nobody knows; the others read and write."""


def touches_of(*names: str) -> Touches:
    """The strictest reading of the names a tool may have: only where each of them says so it just reads."""
    said = [frozenset(words_of(name)) for name in names]
    if any(words & DELETING for words in said):
        return DELETES
    if any(words & COPYING for words in said):
        return COPIES
    return READS if said and all(words & READING and not words & CHANGING for words in said) else CHANGES


def words_of(name: str) -> list[str]:
    """`readFile`, `read_file`, `git.read-file` and `HTTPGet` in lower-case words."""
    out: list[str] = [""]
    for place, char in enumerate(name):
        after = name[place + 1 : place + 2]
        starts = char.isupper() and (not name[place - 1 : place].isupper() or after.islower())
        if starts or not char.isalnum():
            out.append("")
        out[-1] += char if char.isalnum() else ""
    return [word.lower() for word in out if word]
