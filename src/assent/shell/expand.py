"""From the words of a text to the words a program receives, as far as variables, home and braces are known."""

from __future__ import annotations

from assent import types
from assent.record import replace
from assent.shell.tree import is_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.shell.tree import Part, Word

GLOBS = frozenset("*?[")
SPLITS = frozenset(" \t\n")
MAX_BRACES = 64


def expand(word: Word, variables: Mapping[str, types.Word | None], home: str) -> tuple[types.Word, ...]:
    """Usually one word; several where braces spell them out. A variable that is None or missing is unknown."""
    if len(word.parts) == 1 and word.parts[0].kind == "text":
        return (types.Word(word.text, word.parts[0].text, span=word.span),)
    if any(part.kind == "brace" for part in word.parts):
        return _braced(word)
    return (_resolved(word, word.parts, variables, home),)


def without_braces(word: Word) -> Word:
    """The same word where braces are not expanded, as in an assignment."""
    return replace(word, parts=tuple(part for part in word.parts if part.kind != "brace"))


def _resolved(word: Word, parts: tuple[Part, ...], variables: Mapping[str, types.Word | None], home: str) -> types.Word:
    texts: list[str] = []
    why, globbed, many = "", False, False
    for part in parts:
        known = _known(part, variables, home)
        if known is not None:
            texts.append(known)
            continue
        pattern = part.text if part.kind == "glob" else _pattern_of(part, variables)
        if pattern:
            globbed = True
            many = many or part.kind == "glob" or not part.quoted
            texts.append(pattern)
            continue
        why = why or describe(part)
        many = many or not (part.quoted or part.kind == "process") or is_list(part)
    text = "".join(texts)
    if why:
        return types.Word(word.text, None, why, "", many, word.span)
    if globbed:
        return types.Word(word.text, None, "names of files", text, many, word.span)
    return types.Word(word.text, text, span=word.span)


def _known(part: Part, variables: Mapping[str, types.Word | None], home: str) -> str | None:
    """The text of a part, if it is certain and stays one piece."""
    if part.kind == "text":
        return part.text
    if part.kind == "tilde":
        return home if part.text == "~" and home else None
    if part.kind != "parameter" or part.inner:
        return None
    value = variables.get(part.text)
    if value is None or value.value is None:
        return None
    splits = not part.quoted and (not value.value or any(sign in GLOBS or sign in SPLITS for sign in value.value))
    return None if splits else value.value


def _pattern_of(part: Part, variables: Mapping[str, types.Word | None]) -> str:
    """A loop's variable stands for one of the files that its list names."""
    value = variables.get(part.text) if part.kind == "parameter" and not part.inner else None
    return value.pattern if value is not None else ""


def describe(part: Part) -> str:
    """What is not known about a word, in the words of the manual."""
    kinds = {
        "parameter": f"variable {part.text}",
        "command": "output of a command",
        "process": "process substitution",
        "arithmetic": "arithmetic",
        "tilde": f"home of {part.text}",
        "brace": "braces",
    }
    return kinds.get(part.kind, part.kind)


def _braced(word: Word) -> tuple[types.Word, ...]:
    """`{a,b}` as bash spells it out, when nothing but text is in the word; otherwise several unknown words."""
    plain = [part for part in word.parts if part.kind != "brace"]
    unknown = types.Word(word.text, None, "braces", "", True, word.span)
    if any(part.kind not in ("text", "glob") or (part.quoted and _has_brace(part.text)) for part in plain):
        return (unknown,)
    found = _alternatives("".join(part.text for part in plain))
    if found is None:
        return (unknown,)
    globbed = any(part.kind == "glob" for part in plain)
    exact = types.Word(word.text, span=word.span)
    if globbed:
        return tuple(replace(exact, why="names of files", pattern=text, many=True) for text in found)
    return tuple(replace(exact, value=text) for text in found if text)


def _has_brace(text: str) -> bool:
    return any(sign in text for sign in "{},")


def _alternatives(text: str) -> list[str] | None:
    """Comma lists only, not nested; None for sequences, nesting, or more than we spell out."""
    done = [""]
    at = 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            return [piece + text[at:] for piece in done]
        end = text.find("}", start)
        inside = text[start + 1 : end]
        if end < 0 or "{" in inside or ".." in inside or len(done) * (inside.count(",") + 1) > MAX_BRACES:
            return None
        options = inside.split(",") if "," in inside else ["{" + inside + "}"]
        done = [piece + text[at:start] + option for piece in done for option in options]
        at = end + 1
    return done
