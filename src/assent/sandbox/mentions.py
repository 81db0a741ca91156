"""Which files of a project the text of a program names, so that starting it starts them. Pure, given a `Ground`.

A guess by words, on the careful side: a path, the name of a script, a module, what a line that loads code says.
"""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.sandbox.profile import Ground

MOST_WORDS, MOST_FOLDERS = 2_000, 8
CODE = tuple(".sh .bash .zsh .fish .py .js .mjs .cjs .ts .rb .pl .php .lua .awk .mk .ps1 .tcl".split())
"""Endings of what is started or loaded, in this order where a name has none."""
PLAIN = tuple(
    """.md .rst .txt .log .csv .json .jsonc .toml .yaml .yml .lock .cfg .ini .xml .html .css .svg .png .jpg .pem
    .env""".split()
)
"""Endings of what is read at most."""
STANDING = ("__init__.py", "__main__.py", "index.js", "index.mjs", "index.cjs", "index.ts")
"""What a folder is loaded by."""
STARTERS = frozenset(
    ". source sh bash dash zsh ksh fish python python3 node deno bun ruby perl php lua exec env".split()
)
INSTALLED = frozenset("node_modules site-packages dist-packages .venv venv .git .tox .nox".split())
_WORD = re.compile(r"[^\s'\"`()<>|&;,=:\[\]{}#!\\$*?^]+")
_LOADS = re.compile(
    r"^\s*(?:import|from|-?include|\w*require\w*|use|source|load|exec|export)\b"
    r"|(?:require|import|load|import_module|run_path|run_module|__import__)\s*\(|\bfrom\s*['\"]"
)
"""Lines on which languages name other code, with or without its ending."""
_COMMENT = re.compile(r"^\s*(?:#(?!!)|//)")


def mentioned(text: str, bases: tuple[str, ...], root: str, ground: Ground) -> dict[str, None]:
    """Files in a workspace that a text names, seen from some folders; a folder that it names is one more of these."""
    found: dict[str, None] = {}
    if "\0" in text[:1_000]:
        return found
    places, count = list(dict.fromkeys(bases)), 0
    for line in text.split("\n"):
        if _COMMENT.match(line):
            continue
        loads, before = _LOADS.search(line) is not None, ""
        for word in _WORD.findall(line):
            count += 1
            if count > MOST_WORDS:
                return found
            named = loads or before in STARTERS or before == "-m"
            for path in _candidates(word, places, root, loads=named):
                if ground.kind(ground.real(path)) == "file":
                    found |= {path: None} if named or "/" in word or word.endswith(CODE) else {}
                elif len(places) < MOST_FOLDERS and path not in places and ground.kind(path) == "folder":
                    places.append(path)
            before = word
    return found


def _candidates(word: str, places: list[str], root: str, *, loads: bool) -> Iterator[str]:
    """Where a word may lead. What is installed counts as code of others."""
    if word.endswith(PLAIN) or word.startswith("-"):
        return
    for place in places:
        for name in _names(word, loads=loads):
            path = normpath(join(place, name))
            if path.startswith(root.rstrip("/") + "/") and INSTALLED.isdisjoint(path[len(root) :].split("/")):
                yield path


def _names(word: str, *, loads: bool) -> Iterator[str]:
    """A word as a path, and where something is loaded also without its ending or as a module."""
    if word.startswith("/"):
        yield word
    plain = word.lstrip("/")  # behind a variable: `$here/lib.sh`
    if plain:
        yield plain
    if loads and plain and not plain.endswith(CODE):
        for stem in dict.fromkeys((plain, plain.strip(".").replace(".", "/"))):
            yield from (stem + end for end in CODE)
            yield from (f"{stem}/{name}" for name in STANDING)
            if "/" in stem:
                yield f"{dirname(stem)}/__init__.py"
