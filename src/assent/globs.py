"""Path and name patterns, matched in time proportional to pattern times text; never a regular expression."""

from __future__ import annotations

from assent.errors import PolicyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC = "*?["
MAX_ALTERNATIVES = 64
MOST_PATTERNS = 64


def match_text(pattern: str, text: str) -> bool:
    """`*` stands for any characters, `?` for one, `[a-z]` and `[!a-z]` for one of a set."""
    if pattern == "*":
        return True
    if "?" not in pattern and "[" not in pattern:
        return _match_pieces(pattern, text)
    place = at = 0
    star = mark = -1
    while at < len(text):
        if place < len(pattern):
            if pattern[place] == "*":
                star, mark = place, at
                place += 1
                continue
            width = _one(pattern, place, text[at])
            if width:
                place += width
                at += 1
                continue
        if star < 0:
            return False
        mark += 1
        place, at = star + 1, mark
    return not pattern[place:].strip("*")


def _match_pieces(pattern: str, text: str) -> bool:
    """As `match_text`, where `*` is all that is special: each piece between two stars where it first stands."""
    if "*" not in pattern:
        return pattern == text
    first, *pieces, last = pattern.split("*")
    at, end = len(first), len(text) - len(last)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in pieces:
        at = text.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True


def width(pattern: str) -> int:
    """How many characters a pattern without `*` matches."""
    place = count = 0
    while place < len(pattern):
        place = (_set_end(pattern, place) if pattern[place] == "[" else 0) or place + 1
        count += 1
    return count


def match_path(pattern: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Component by component; `**` stands for any number of components, `*` never crosses a separator."""
    place = at = 0
    star = mark = -1
    while at < len(path):
        if place < len(pattern):
            if pattern[place] == "**":
                star, mark = place, at
                place += 1
                continue
            if _component(pattern[place], path[at]):
                place += 1
                at += 1
                continue
        if star < 0:
            return False
        mark += 1
        place, at = star + 1, mark
    return all(part == "**" for part in pattern[place:])


def has_magic(pattern: str) -> bool:
    return any(sign in pattern for sign in MAGIC)


def literal_head(pattern: str) -> str:
    """What every match begins with."""
    ends = [found for sign in MAGIC if (found := pattern.find(sign)) >= 0]
    return pattern[: min(ends)] if ends else pattern


def literal_tail(pattern: str) -> str:
    """What every match ends with."""
    return pattern[max(pattern.rfind(sign) for sign in "*?]") + 1 :]


def longest_piece(pattern: str) -> str:
    """The longest text that stands in everything a pattern matches; empty where that is not quickly told."""
    plain = pattern.removeprefix("./").removeprefix("~/")
    if "[" in plain:
        return ""
    return max(plain.replace("?", "*").split("*"), key=len)


def fill(pattern: str, filler: str = "x") -> str:
    """A plain example of what a pattern matches: every wildcard replaced by a harmless name."""
    out: list[str] = []
    place = 0
    while place < len(pattern):
        end = _set_end(pattern, place) if pattern[place] == "[" else 0
        out.append(filler if end or pattern[place] in "*?" else pattern[place])
        place = end or place + 1
    return "".join(out)


def alternatives(pattern: str) -> tuple[str, ...]:
    """Expand `{a,b}`; an unbalanced brace stands for itself."""
    done: list[str] = []
    todo = [pattern]
    while todo:
        text = todo.pop()
        found = _innermost(text)
        if found is None:
            done.append(text)
        else:
            start, end = found
            todo += [text[:start] + piece + text[end + 1 :] for piece in reversed(text[start + 1 : end].split(","))]
        if len(done) + len(todo) > MAX_ALTERNATIVES:
            raise PolicyError(f"`{pattern}` has too many alternatives", help=f"at most {MAX_ALTERNATIVES}")
    return tuple(done)


def _innermost(text: str) -> tuple[int, int] | None:
    """The first `{…,…}` that holds no other brace."""
    start = -1
    for at, sign in enumerate(text):
        if sign == "{":
            start = at
        elif sign == "}" and start >= 0:
            if "," in text[start:at]:
                return start, at
            start = -1
    return None


def _component(pattern: str, text: str) -> bool:
    return pattern == text or (has_magic(pattern) and match_text(pattern, text))


def _one(pattern: str, place: int, sign: str) -> int:
    """How many pattern characters match this one character; 0 for no match."""
    want = pattern[place]
    if want == "[" and (end := _set_end(pattern, place)):
        return end - place if _in_set(pattern[place + 1 : end - 1], sign) else 0
    return 1 if want in ("?", sign) else 0


def _set_end(pattern: str, place: int) -> int:
    """Where a `[…]` ends (one past the bracket), or 0 when it never closes and `[` is just a character."""
    start = place + 1 + (pattern[place + 1 : place + 2] in ("!", "^"))
    return pattern.find("]", start + 1) + 1


def _in_set(body: str, sign: str) -> bool:
    negated = body[:1] in ("!", "^")
    body = body[negated:]
    at, found = 0, False
    while at < len(body):
        if body[at + 1 : at + 2] == "-" and at + 2 < len(body):
            found = found or body[at] <= sign <= body[at + 2]
            at += 3
        else:
            found = found or body[at] == sign
            at += 1
    return found != negated


# --- names of files, as search tools take them ------------------------------------------------------------------------


def name_test(only: str) -> Callable[[str], bool] | None:
    """Whether a file is among those that a glob means; None where it means, or may mean, every file.

    A `?` may be several characters here: some letters are more than one when case does not matter, or as bytes. Which
    letters beyond ASCII are the same in another case differs between programs, so those may be any.
    """
    plain = only if only.isascii() else "".join([sign if sign.isascii() else "*" for sign in only])
    choices = name_choices(plain.replace("?", "*"))
    if not choices:
        return None
    if all(one[0] == "*" and not ("*" in one[1:] or "?" in one) for one in choices if one) and "" not in choices:
        endings = tuple(one[1:] for one in choices)
        return lambda name: name.casefold().endswith(endings) or not name.isascii()
    if not any("*" in one for one in choices):
        return lambda name: name.casefold() in choices or not name.isascii()
    return lambda name: not name.isascii() or any(match_name(one, name.casefold()) for one in choices)


def is_narrow(only: str) -> bool:
    """Whether a glob says more about names than one sign that they hold."""
    choices = name_choices(only.partition("//")[0].rstrip("/"))
    return bool(choices) and all(max(map(len, one.replace("?", "*").split("*"))) > 1 for one in choices)


def name_choices(glob: str) -> tuple[str, ...]:
    """`*.{ts,tsx}` as `*.ts`, `*.tsx`; nothing, so that every file counts, for a glob that says more than we know."""
    if not glob or any(sign in glob for sign in "[]\\!/()"):
        return ()
    done, todo = [], [glob]
    while todo:
        one = todo.pop()
        head, brace, tail = one.partition("{")
        if not brace:
            done.append(one)
            continue
        inside, end, tail = tail.partition("}")
        if not end or "{" in inside or "," not in inside:
            return ()
        todo += [head + choice + tail for choice in inside.split(",")]
        if len(todo) + len(done) > MOST_PATTERNS:
            return ()
    return () if any("}" in one for one in done) else tuple(done)


def match_name(pattern: str, name: str) -> bool:
    """`*` any characters, `?` one; time grows with pattern times name, never more."""
    at = place = 0
    star = mark = -1
    while at < len(name):
        sign = pattern[place : place + 1]
        if sign == "*":
            star, mark, place = place, at, place + 1
        elif sign in ("?", name[at]):
            at, place = at + 1, place + 1
        elif star >= 0:
            mark += 1
            at, place = mark, star + 1
        else:
            return False
    return not pattern[place:].strip("*")


BREAKS_WORDS = frozenset(" \t\n\"'\\")


def folder_of(pattern: str) -> str:
    """The folder in which the names lie that a pattern stands for."""
    folder, slash, _last = pattern.rstrip("/").rpartition("/")
    return folder or ("/" if slash else ".")


def is_taken_apart(name: str) -> bool:
    """Whether a name would be several words, or is no text, so that `grep` answers with a sentence instead of it."""
    return not BREAKS_WORDS.isdisjoint(name) or (
        not name.isascii() and any("\udc80" <= sign <= "\udcff" for sign in name)
    )
