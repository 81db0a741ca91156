"""Reading, writing, moving and deleting files by path."""

from __future__ import annotations

from assent.tools.table import NESTED_KEYS, PATH_KEYS, SOURCE_KEYS, TARGET_KEYS, fold, harmless
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields

SERVER_READS = frozenset(
    """gotodefinition gotodeclaration gototypedefinition gotoimplementation findreferences hover documentsymbol
    documentsymbols workspacesymbol workspacesymbols preparecallhierarchy incomingcalls outgoingcalls
    preparetypehierarchy supertypes subtypes signaturehelp documenthighlight diagnostics completion""".split()
)
"""What a language server is asked, folded; whatever else it can do (rename, format, execute) may change files."""
EDITOR_READS = ("view", "read")
EDITOR_WRITES = ("create", "write")
EDITOR_EDITS = ("str_replace", "insert", "append", "undo_edit", "edit_file", "find_line", "pattern_replace")


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of one call of a file family."""
    if family in ("move", "copy"):
        yield from _transfer(family, fields)
    elif family == "read_many":
        yield from _read_many(fields)
    elif family == "editor":
        yield from _editor(fields)
    elif family == "language_server":
        yield from _language_server(fields)
    else:
        for path in _needed(fields, family):
            yield from touch(fields, family, path)


def touch(fields: Fields, family: str, path: str) -> Iterator[Effect]:
    """What a family does to one path. Edits may show the old text in their answer."""
    if "://" in path and path[:5].lower() != "file:":
        from assent.tools import web

        fields.gap(f"names a URL as its file: `{path[:200]}`")
        yield from web.reach(path, mentioned=True)
    if family in ("read", "read_many"):
        yield Effect("read", path)
    elif family == "delete":
        yield Effect("delete", path, deep=True)
    else:
        yield Effect("write", path)
        if family not in ("write", "make_folder"):
            yield Effect("read", path, possible=True)


def _needed(fields: Fields, family: str) -> list[str]:
    found = fields.paths((*PATH_KEYS, *NESTED_KEYS), harmless(family))
    fields.need("notebook_path" if family == "notebook" else "file_path", found)
    return found


def _language_server(fields: Fields) -> Iterator[Effect]:
    """`operation` says what is asked about a file; only what is known to look is a read."""
    asked = fields.texts(("operation",))
    fields.need("operation", asked)
    unknown = [one for one in asked if fold(one) not in SERVER_READS]
    for operation in unknown:
        fields.blind(f"has an unknown operation `{operation[:80]}`")
    for path in _needed(fields, "language_server"):
        yield from touch(fields, "edit" if unknown or not asked else "read", path)


def _editor(fields: Fields) -> Iterator[Effect]:
    """Anthropic's text editor and its relatives: `command` says what happens to `path`."""
    asked = fields.texts(("command",)) or (["edit_file"] if _has_edit(fields) else [])
    fields.need("command", asked)
    paths = _needed(fields, "editor")
    for command in asked:
        if command not in (*EDITOR_READS, *EDITOR_WRITES, *EDITOR_EDITS):
            fields.blind(f"has an unknown command `{command[:80]}`")
    family = "edit"
    if asked and all(command in EDITOR_READS for command in asked):
        family = "read"
    elif asked and all(command in EDITOR_WRITES for command in asked):
        family = "write"
    for path in paths:
        yield from touch(fields, family, path)


def _has_edit(fields: Fields) -> bool:
    """Cline's editor has no command; it always edits."""
    return bool({"new_text", "insert_line"} & set(fields.values))


def _read_many(fields: Fields) -> Iterator[Effect]:
    """Lists of paths that may be patterns (Gemini CLI) or objects with a mode (Kiro)."""
    from assent.tools import find

    modes = _modes(fields.values.get("operations"))
    found = _needed(fields, "read_many")
    found += fields.texts(("include",)) if found else []
    for path in found:
        if not find.is_pattern(path):
            yield from touch(fields, "read_many", path)
        for folder, only in find.folders(fields, ".", path) if find.is_pattern(path) else ():
            yield Effect("read", folder, deep=True, only=only)
        if modes:
            yield Effect("search", path, deep=True)


def _modes(operations: object) -> list[object]:
    """The modes in Kiro's `operations` that look at more than the named file."""
    items = operations if isinstance(operations, list) else []
    modes = [item.get("mode") for item in items if isinstance(item, dict)]
    return [mode for mode in modes if mode not in (None, "Line", "Image")]


def _transfer(family: str, fields: Fields) -> Iterator[Effect]:
    targets = fields.paths(TARGET_KEYS)
    sources = fields.paths(SOURCE_KEYS)
    fields.need("source", sources)
    fields.need("destination", targets)
    for source in sources:  # files that run by themselves do so at the new place as well: hence the write of a source
        if family == "move":
            yield Effect("delete", source, deep=True)
        yield Effect("read", source, deep=family == "copy", possible=family == "move")
        yield Effect("write", source, deep=True, possible=True, code="copied", mentioned=True)
    for target in targets:
        yield Effect("write", target, deep=True, code="copied", arguments={"from": tuple(sources)})
        for source in sources:
            inside = f"{target.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}"
            yield Effect("write", inside, possible=True, mentioned=True)


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("LSP", {"operation": "goToDefinition", "filePath": "a.py", "line": 1, "character": 2}, "read a.py"),
    (
        "LSP",
        {"operation": "rename", "filePath": "a.py"},
        "write a.py | possible read a.py | blind: LSP has an unknown operation `rename`",
    ),
    ("LSP", {"filePath": "a.py"}, "write a.py | possible read a.py | blind: LSP needs `operation`: missing"),
    ("Read", {"file_path": "src/a.py", "offset": 3}, "read src/a.py"),
    ("Read", {}, "blind: Read needs `file_path`: missing"),
    ("Read", {"file_path": ""}, "blind: Read needs `file_path`: missing"),
    ("Read", {"file_path": 7}, "blind: Read needs `file_path` as text: it is a number"),
    ("Read", {"file_path": "a", "path": "b"}, "read a | read b"),
    ("Read", {"file_path": "a", "as_user": "root"}, "read a | blind: Read has an unknown field `as_user`"),
    (
        "Read",
        {"file_path": "a", "sources": ["~/.ssh/work"]},
        "read a | possible read ~/.ssh/work | blind: Read has an unknown field `sources`",
    ),
    ("Read", {"file_path": "a", "metadata": {"path": "b"}}, "read a | possible read b"),
    ("Read", {"file_path": "a", "limit": {"from": "b"}}, "read a | possible read b"),
    (
        "Write",
        {"file_path": "a", "content": "x", "source_file": "b"},
        "write a | possible read b | possible write b | blind: Write has an unknown field `source_file`",
    ),
    ("read_file", {"uri": "file:///home/u/%2essh/id"}, "read /home/u/.ssh/id | read file:///home/u/%2essh/id"),
    ("read_files", {"files": [{"path": "a", "start_line": 1}, "b"]}, "read a | read b"),
    ("read_many_files", {"paths": ["src/**/*.py", "a.md"]}, "read src deep only *.py | read a.md"),
    ("fs_read", {"operations": [{"mode": "Line", "path": "a"}]}, "read a"),
    ("fs_read", {"operations": [{"mode": "Directory", "path": "a"}]}, "read a | search a deep"),
    ("view_image", {"path": "shot.png"}, "read shot.png"),
    ("Write", {"file_path": "src/a.py", "content": "x"}, "write src/a.py"),
    ("write_file", {"path": "a", "content": "x", "mode": "append"}, "write a"),
    ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, "write a | possible read a"),
    ("MultiEdit", {"file_path": "a", "edits": [{"old_string": "x"}]}, "write a | possible read a"),
    (
        "multi_replace_string_in_file",
        {"replacements": [{"filePath": "a", "oldString": "x"}, {"filePath": "b"}]},
        "write a | possible read a | write b | possible read b",
    ),
    ("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": ""}, "write n.ipynb | possible read n.ipynb"),
    ("NotebookEdit", {}, "blind: NotebookEdit needs `notebook_path`: missing"),
    ("str_replace_based_edit_tool", {"command": "view", "path": "a"}, "read a"),
    ("str_replace_based_edit_tool", {"command": "create", "path": "a", "file_text": ""}, "write a"),
    ("str_replace_editor", {"command": "insert", "path": "a"}, "write a | possible read a"),
    (
        "str_replace_editor",
        {"command": "shred", "path": "a"},
        "write a | possible read a | blind: str_replace_editor has an unknown command `shred`",
    ),
    ("delete_file", {"path": "a"}, "delete a deep"),
    (
        "delete_file",
        {"path": "a", "targets": ["b/c"]},
        "delete a deep | possible read b/c | possible write b/c | possible delete b/c deep"
        " | blind: delete_file has an unknown field `targets`",
    ),
    (
        "move_file",
        {"source": "a", "destination": "d"},
        "delete a deep | possible read a | possible write a deep | write d deep | possible write d/a",
    ),
    (
        "copy_file",
        {"source_path": "a", "destination_path": "b"},
        "read a deep | possible write a deep | write b deep | possible write b/a",
    ),
    (
        "move_file",
        {"source": "a"},
        "delete a deep | possible read a | possible write a deep | blind: move_file needs `destination`: missing",
    ),
    ("create_directory", {"dirPath": "d"}, "write d"),
)
