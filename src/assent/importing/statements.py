"""Rules files of Codex as lists of statements. INVARIANT: they are programs; they are parsed and never run."""

from __future__ import annotations

import ast
import warnings

from assent.errors import InputError
from assent.importing.document import File, Part

MOST_CHARACTERS = 1_000_000


def read_statements(file: File) -> Part:
    """Every statement as a leaf whose value is the statement."""
    parts = tuple(Part(file, (number,), one.lineno, "scalar", one) for number, one in enumerate(_statements(file)))
    return Part(file, (), 1, "list", None, parts)


def _statements(file: File) -> list[ast.stmt]:
    if len(file.text) > MOST_CHARACTERS:
        raise InputError(f"`{file.path}` has more than {MOST_CHARACTERS} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return ast.parse(file.text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = getattr(error, "msg", "") or type(error).__name__
        line = getattr(error, "lineno", 0) or 0
        raise InputError(f"`{file.path}` cannot be read: {why} in line {line}", help="repair it first") from None
