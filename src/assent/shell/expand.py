"""From the words of a text to the words a program receives, as far as variables, home and braces are known."""

from __future__ import annotations

from assent import types
from assent.record import maker, replace
from assent.shell.tree import is_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from assent.shell.tree import Part, Word

new_word = maker(types.Word)
GLOBS = frozenset("*?[")
PATTERN_SIGNS, SET_SIGNS = frozenset("*?[]\\"), frozenset("!^-")
"""Signs that mean themselves where they are quoted, and would mean more in a pattern, or in a `[…]` of one."""
SPLITS = frozenset(" \t\n")
MAX_BRACES = 64
MAX_DIGITS = 6
LONGEST_VALUE, LONGEST_WHY = 100_000, 200
PLAIN = types.PLAIN
PLAIN_SIGNS = ("$", "?", "#")
PERHAPS, STARTED = "perhaps", "started"
MAY_BE_EMPTY = {PERHAPS: PLAIN, STARTED: types.JOB}


def expand(word: Word, variables: Mapping[str, types.Word | None], home: str) -> tuple[types.Word, ...]:
    """Usually one word; several where braces spell them out. A variable that is None or missing is unknown."""
    if len(word.parts) == 1 and word.parts[0].kind == "text":
        return (new_word(word.text, word.parts[0].text),)
    if any(part.kind == "brace" for part in word.parts):
        return _braced(word, variables, home)
    return (_resolved(word, word.parts, variables, home),)


def without_braces(word: Word) -> Word:
    """The same word where braces are not expanded, as in an assignment."""
    return replace(word, parts=tuple(part for part in word.parts if part.kind != "brace"))


def _resolved(word: Word, parts: tuple[Part, ...], variables: Mapping[str, types.Word | None], home: str) -> types.Word:
    only = _only_part(parts)
    if only is not None and only.kind == "parameter" and not only.inner:
        held = variables.get(only.text)
        if held is not None and (held.why == types.NUMBER or (only.quoted and held.why.startswith(types.LINE))):
            return types.Word(word.text, None, held.why)
    texts: list[str] = []
    why, globbed, many, signs = "", "", False, False
    for part in parts:
        known = _known(part, variables, home)
        if known is not None:
            texts.append(known)
            signs = signs or ((part.quoted or part.kind != "text") and _means_more(known, parts))
            continue
        if part.kind == "arithmetic" and only is not None and _is_number(part, variables):
            return types.Word(word.text, None, types.NUMBER)
        plain = _plain(part, variables) if part.kind in ("command", "parameter") else ""
        if plain in MAY_BE_EMPTY and only is not None:
            return types.Word(word.text, None, MAY_BE_EMPTY[plain], "", not part.quoted)
        if plain == PERHAPS and _begins_range(part, parts):
            return types.Word(word.text, None, types.RANGE)
        if plain and (plain not in MAY_BE_EMPTY or "".join(texts)[-1:] not in ("", "/")):
            globbed = PLAIN
            many = many or (not part.quoted and len(plain) > 1)
            texts.append("*" if plain in MAY_BE_EMPTY else plain)
            continue
        pattern = part.text if part.kind == "glob" else _pattern_of(part, variables)
        if pattern:
            taken_apart = part.kind == "parameter" and not part.quoted
            globbed = PLAIN if globbed == PLAIN else types.UNQUOTED if taken_apart else globbed or "names of files"
            many = many or part.kind == "glob" or not part.quoted
            texts.append(pattern)
            continue
        why = _added(why, _why(part, variables))
        many = many or not (part.quoted or part.kind == "process") or is_list(part)
    text = "".join(texts)
    if globbed and signs:
        why = why or "a pattern with quoted signs"
    if len(text) > LONGEST_VALUE:
        why = why or "a very long text"
    if why:
        return types.Word(word.text, None, why, "", many)
    if globbed:
        return types.Word(word.text, None, globbed, text, many)
    return new_word(word.text, text)


def _begins_range(part: Part, parts: tuple[Part, ...]) -> bool:
    """Whether a part stands first, and only `..` or `...` and the plain name of a commit, or nothing, follow."""
    found = [one for one in parts if one.kind != "text" or one.text]
    if not found or found[0] is not part or any(one.kind != "text" for one in found[1:]):
        return False
    rest = "".join([one.text for one in found[1:]])
    if rest[:2] != "..":
        return False
    from assent.shell.outputs import is_revision

    name = rest[2:].removeprefix(".")
    return not name or is_revision(name, "/")


def _added(why: str, more: str) -> str:
    """One reason and another; how long they get does not depend on how often a variable is put into the next."""
    if not why or more == why or len(why) > LONGEST_WHY:
        return why or more[:LONGEST_WHY]
    return f"{why}, {more[:LONGEST_WHY]}"


def body_word(body: str, parts: tuple[Part, ...], variables: Mapping[str, types.Word | None]) -> types.Word:
    """The text of a heredoc in which something is expanded, as one word that is not known."""
    whys = dict.fromkeys(_why(part, variables) for part in parts if part.kind != "text")
    return types.Word(body, None, ", ".join(whys))


def _why(part: Part, variables: Mapping[str, types.Word | None]) -> str:
    """What is not known, by the variable that it came from first: `x=$TOKEN; echo $x` is about TOKEN."""
    said = describe(part)
    held = variables.get(part.text) if part.kind == "parameter" and not part.inner else None
    return held.why if held is not None and held.why.startswith("variable ") else said


def _means_more(text: str, parts: tuple[Part, ...]) -> bool:
    """Whether a piece that stands for itself would not do so in the pattern around it."""
    if not PATTERN_SIGNS.isdisjoint(text):
        return True
    return not SET_SIGNS.isdisjoint(text) and any(part.kind == "glob" and part.text == "[" for part in parts)


def _only_part(parts: tuple[Part, ...]) -> Part | None:
    """The part that makes up the whole word; quotes leave empty texts around it."""
    found = [part for part in parts if part.kind != "text" or part.text]
    return found[0] if len(found) == 1 else None


def _known(part: Part, variables: Mapping[str, types.Word | None], home: str) -> str | None:
    """The text of a part, if it is certain and stays one piece."""
    if part.kind == "text":
        return part.text
    if part.kind == "tilde":
        return home if part.text == "~" and home else None
    if part.kind == "arithmetic":
        return calculated(part.text, variables)
    if part.kind == "command" and part.quoted and "<<" in part.text and len(part.inner) == 1:
        from assent.shell.outputs import shows_text

        return shows_text(part.inner[0])
    if part.kind == "command" and _is_folder(part):
        value = variables.get("PWD")
    elif part.kind != "parameter" or part.inner:
        return None
    else:
        value = variables.get(part.text)
    if value is None or value.value is None:
        return None
    splits = not part.quoted and (not value.value or any(sign in GLOBS or sign in SPLITS for sign in value.value))
    return None if splits else value.value


def calculated(text: str, variables: Mapping[str, types.Word | None]) -> str | None:
    """What `$((…))` comes to: whole numbers, and variables that are known to hold one; None for anything else."""
    from assent.shell.numbers import inside, result

    found = result(inside(text), variables)
    return None if found is None else str(found)


def _is_number(part: Part, variables: Mapping[str, types.Word | None]) -> bool:
    from assent.shell.numbers import inside, settles

    return settles(inside(part.text), variables)


def _is_folder(part: Part) -> bool:
    if "pwd" not in part.text:
        return False
    from assent.shell.outputs import shows_folder

    return len(part.inner) == 1 and shows_folder(part.inner[0])


def _plain(part: Part, variables: Mapping[str, types.Word | None]) -> str:
    """A glob for the text of a part that is one plain piece and no option, a key of MAY_BE_EMPTY, or nothing."""
    if part.kind == "command":
        from assent.shell.outputs import prints_plainly

        said = prints_plainly(part.inner[0]) if len(part.inner) == 1 else ""
        return "*" if said == "certain" else types.DIGITS if said == "digits" else said
    if part.text in PLAIN_SIGNS:
        return "*"
    if part.text == "!":
        return STARTED
    value = variables.get(part.text) if not part.inner else None
    if value is not None and value.why == types.JOB:
        return STARTED
    if value is None or value.why != PLAIN or (not part.quoted and not SPLITS.isdisjoint(value.pattern)):
        return ""
    return value.pattern or PERHAPS


def _pattern_of(part: Part, variables: Mapping[str, types.Word | None]) -> str:
    """A loop's variable stands for one of the files that its list names."""
    value = variables.get(part.text) if part.kind == "parameter" and not part.inner else None
    if value is None or value.why == PLAIN or (not part.quoted and not SPLITS.isdisjoint(value.pattern)):
        return ""
    return value.pattern


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


def _braced(word: Word, variables: Mapping[str, types.Word | None], home: str) -> tuple[types.Word, ...]:
    """`{a,b}` as bash spells it out, when all of its text is known; otherwise several unknown words."""
    plain = [part for part in word.parts if part.kind != "brace"]
    unknown = types.Word(word.text, None, "braces", "", True)
    start = _start_of(plain, variables, home)
    rest = plain if start is None else plain[1:]
    if any(part.kind not in ("text", "glob") or (part.quoted and _has_brace(part.text)) for part in rest):
        return (unknown,)
    found = _alternatives("".join(part.text for part in rest))
    if found is None:
        return (unknown,)
    found = [f"{start or ''}{text}" for text in found]
    globbed = any(part.kind == "glob" for part in plain)
    exact = types.Word(word.text)
    if globbed and any(part.quoted and _means_more(part.text, tuple(plain)) for part in plain):
        return (unknown,)
    if globbed:
        return tuple(replace(exact, why="names of files", pattern=text, many=True) for text in found)
    kept = any(part.quoted for part in plain)  # an empty word that is quoted is a word
    return tuple(replace(exact, value=text) for text in found if text or kept)


def _start_of(parts: list[Part], variables: Mapping[str, types.Word | None], home: str) -> str | None:
    """The folder in `$HOME/{a,b}`. Braces come first: `$x{a,b}` is `$xa $xb`, so a slash must stand in between."""
    if len(parts) < 2 or parts[0].kind in ("text", "glob") or parts[1].kind != "text" or parts[1].text[:1] != "/":
        return None
    return _known(parts[0], variables, home)


def _has_brace(text: str) -> bool:
    return any(sign in text for sign in "{},")


def _alternatives(text: str) -> list[str] | None:
    """Comma lists and sequences, not nested; None for nesting, or more than we spell out."""
    done = [""]
    at = 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            return [piece + text[at:] for piece in done]
        end = text.find("}", start)
        inside = text[start + 1 : end]
        options = _sequence(inside) if ".." in inside else inside.split(",") if "," in inside else ["{" + inside + "}"]
        if end < 0 or "{" in inside or not options or len(done) * len(options) > MAX_BRACES:
            return None
        done = [piece + text[at:start] + option for piece in done for option in options]
        at = end + 1
    return done


def _sequence(inside: str) -> list[str]:
    """`1..9`, `01..10` or `a..f` counted up or down by one; nothing for any other kind."""
    first, _, last = inside.partition("..")
    if len(first) == len(last) == 1 and inside.isascii() and first.isalpha() and first.islower() and last.islower():
        numbers = _counted(ord(first), ord(last))
        return [chr(number) for number in numbers]
    digits = all(end.isascii() and end.isdigit() and len(end) <= MAX_DIGITS for end in (first, last))
    if not digits:
        return []
    padded = any(len(end) > 1 and end[0] == "0" for end in (first, last))
    width = max(len(first), len(last)) if padded else 1
    return [str(number).zfill(width) for number in _counted(int(first), int(last))]


def _counted(first: int, last: int) -> list[int]:
    """From one number to the other, but not many more than we spell out."""
    step = 1 if first <= last else -1
    return list(range(first, last + step, step)[: MAX_BRACES + 1])
