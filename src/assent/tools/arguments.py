"""Arguments nobody described: every path, URL and command found in them is something the call may touch."""

from __future__ import annotations

from assent.tools.fields import local_paths
from assent.tools.table import COMMAND_KEYS, PATH_KEYS, fold
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.tools.fields import Fields
    from assent.types import Kind

MAX_STRINGS = 200
MAX_DEPTH = 20
MAX_PATH = 4096
PATH_ENDS = ("path", "paths", "file", "files", "filename", "dir", "directory", "folder", "folders", "cwd", "workdir")
TOUCHES: tuple[Kind, ...] = ("read", "write", "delete")


def traces(fields: Fields, values: object) -> Iterator[Effect]:
    """Possible effects for everything in `values` that looks like a path or a URL."""
    from assent.tools import web

    paths: dict[str, None] = {}
    urls: dict[str, None] = {}
    for key, text in _strings(fields, values):
        if fold(key) in COMMAND_KEYS:
            fields.gap(f"carries a command in `{key[:80]}`")
        urls.update(dict.fromkeys(web.urls_in(fields, text)))
        if len(text) > MAX_PATH and _names_path(key):
            fields.gap(f"has a path of {len(text)} characters in `{key[:80]}`")
        elif _is_path(key, text):
            paths.update(dict.fromkeys(local_paths(text)))
    for path in paths:
        for kind in TOUCHES:
            yield Effect(kind, path, possible=True)
    for url in urls:
        yield from web.reach(url, possible=True)


def _strings(fields: Fields, values: object) -> Iterator[tuple[str, str]]:
    """Every text in a JSON value with the name of its field; the names themselves count as well."""
    todo: list[tuple[str, object, int]] = [("", values, 0)]
    seen = 0
    while todo:
        key, value, depth = todo.pop()
        if isinstance(value, str):
            seen += 1
            yield key, value
        if seen > MAX_STRINGS or depth > MAX_DEPTH:
            fields.gap(f"has more than {MAX_STRINGS} texts or {MAX_DEPTH} levels in its arguments")
            return
        if hasattr(value, "items"):
            for name, item in value.items():
                todo += [(_inherit(key, str(name)), item, depth + 1), ("", str(name), depth)]
        elif isinstance(value, (list, tuple)):
            todo += [(key, item, depth + 1) for item in value]


def _inherit(outer: str, name: str) -> str:
    """`{"path": {"value": "x"}}` names a path too."""
    return outer if _names_path(outer) and not _names_path(name) else name


def _names_path(key: str) -> bool:
    folded = fold(key)
    return folded in PATH_KEYS or folded.endswith(PATH_ENDS)


def _is_path(key: str, text: str) -> bool:
    if not text or len(text) > MAX_PATH:
        return False
    if _names_path(key) or text.startswith(("/", "~", "./", "../", "file:")):
        return "://" not in text or text[:5].lower() == "file:"
    if "://" in text or any(char.isspace() for char in text):
        return False
    return "/" in text or "\\" in text or _is_file_name(text)


def _is_file_name(text: str) -> bool:
    """`.env`, `key.pem`: one word with a dot before a short ending."""
    stem, dot, ending = text.rpartition(".")
    return bool(dot) and 0 < len(ending) <= 20 and (not stem or not ending.isdigit()) and len(text) <= 255


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("frobnicate", {"x": ".env"}, "call frobnicate | possible read .env | possible write .env | possible delete .env"),
    ("frobnicate", {"x": "version 1.2"}, "call frobnicate"),
    ("frobnicate", {"script": "ls"}, "call frobnicate | gap: frobnicate carries a command in `script`"),
    (
        "frobnicate",
        {"file": {"value": "k"}},
        "call frobnicate | possible read k | possible write k | possible delete k",
    ),
    ("frobnicate", {"x": ["see http://a.example/ now"]}, "call frobnicate | possible reach http://a.example/"),
    (
        "frobnicate",
        {"files": {"a/b": ""}},
        "call frobnicate | possible read a/b | possible write a/b | possible delete a/b",
    ),
)
