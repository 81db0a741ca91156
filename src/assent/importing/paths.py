"""Path patterns of agents, made into ours: those of .gitignore, and those where `*` also stands for `/`."""

from __future__ import annotations

import itertools
import os
import re

from assent.agents.hosts.host import Place
from assent.importing.imported import Entry, Imported
from assent.types import Verdict

MOST_STARS = 3
ODD = re.compile(r"[\\!{}\[\]]")
ODDLY = "a path that Assent would read in another way"
BELOW = "a folder is meant with `/**` behind it"


def free_folder(given: Entry, text: str, place: Place) -> Imported:
    """A folder beside the project where an agent reads without asking."""
    path = place.home + text[1:] if text.startswith("~/") else text
    if not path.startswith("/") and place.scope == "project":
        path = os.path.join(place.project, path)
    path = os.path.normpath(path) if path.startswith("/") else ""
    if len(path.strip("/")) < 1 or path in (place.home, "/") or any(sign in path for sign in "*?[") or "\\" in path:
        return given.left_out("no folder that a rule could name")
    return given.means(Verdict.ALLOW).sets("paths", f"{path}/*", "reading is free there, writing asks")


# --- as in .gitignore ----------------------------------------------------------------------------------------------


def from_ignore(pattern: str) -> str | None:
    """A pattern of .gitignore, seen from the project; None for what we have no word for."""
    if not pattern.strip("/") or pattern != pattern.strip() or ".." in pattern.split("/"):
        return None
    if pattern.startswith("~/"):
        return pattern
    if pattern.startswith("./"):
        pattern = pattern[2:]
    elif "/" not in pattern.rstrip("/"):
        pattern = f"**/{pattern}"
    return pattern if pattern.startswith(("/", "**/")) else f"./{pattern}"


def loosely(pattern: str) -> str:
    """A pattern that finds at least as much and that we have words for: `..` leads anywhere, an escape to any sign."""
    plain = re.sub(r"\\.|[\\!]", "?", pattern)
    plain = f"*{plain[1:]}" if plain[:1].isspace() else plain
    plain = f"{plain.rstrip()}*" if plain[-1:].isspace() else plain
    parts = plain.split("/")
    if ".." not in parts:
        return plain
    behind = parts[len(parts) - parts[::-1].index("..") :]
    return "/".join(("**", *behind)) if any(behind) else "/"


def allowed_path(entry: Entry, tool: str, pattern: str | None) -> Imported:
    if pattern is None or ODD.search(pattern):
        return entry.left_out(ODDLY)
    whole = pattern.endswith(("/", "/**"))
    return entry.allows(f"{tool}({pattern})", "" if whole or "." in pattern.rpartition("/")[2] else BELOW)


def restricted_path(entry: Entry, tool: str, pattern: str | None) -> Imported:
    """The deny or ask that is meant, for at least the paths of a pattern; None is about every path."""
    if pattern is None:
        return entry.widened(tool, tool, "a path that Assent has no words for")
    literal = re.sub("[{}]", "?", pattern).rstrip("/")
    changed = "`{` and `}` stand for any character" if literal != pattern.rstrip("/") else ""
    return entry.restricts(f"{tool}({literal})", tool, changed)


def restricted_ignore(entry: Entry, tool: str, pattern: str) -> Imported:
    """As `restricted_path`, for a pattern of .gitignore as somebody wrote it."""
    loose = loosely(pattern)
    made = restricted_path(entry, tool, from_ignore(loose))
    return made if loose == pattern else made.made_wider(ODDLY)


# --- where a star is anything --------------------------------------------------------------------------------------


def allowed_text(entry: Entry, tool: str, pattern: str) -> Imported:
    """An allow for a pattern over the text of a path: nothing that the pattern would not match."""
    if ODD.search(pattern) or "?" in pattern or ".." in pattern.split("/") or pattern != pattern.strip():
        return entry.left_out(ODDLY)
    short = re.sub(r"\*+", "*", pattern)
    if short == "*":
        return entry.allows(f"{tool}(./**)", "inside the project")
    parts = short.removeprefix("./").split("/")
    if parts[0].startswith("*"):
        parts.insert(0, "**")
    elif parts[0] not in ("", "~"):
        parts.insert(0, ".")
    middle = [part for at, part in enumerate(parts) for part in (("*", "**") if _opens(parts, at) else (part,))]
    if middle[-1] == "*":
        middle[-1] = "**"
    return entry.allows(f"{tool}({'/'.join(middle)})")


def _opens(parts: list[str], at: int) -> bool:
    return parts[at] == "*" and 0 < at < len(parts) - 1


def restricted_text(entry: Entry, tool: str, pattern: str) -> tuple[Imported, ...]:
    """Rules that together find all that the pattern would match, wherever the file lies."""
    short = re.sub(r"\*+", "*", pattern.strip())
    if short in ("*", ""):
        return (entry.restricts(tool, tool),)
    loose = loosely(short)
    if loose == "/":
        return (entry.widened(tool, tool, ODDLY),)
    made = _spread(entry, tool, re.sub(r"[{}\[\]]", "?", loose.removeprefix("**/")))
    return made if loose == short else tuple(one.made_wider(ODDLY) for one in made)


def _spread(entry: Entry, tool: str, literal: str) -> tuple[Imported, ...]:
    """One rule for each way in which its stars can cross folders, or a wider one where there are too many."""
    anchored = literal.startswith(("/", "~/"))
    body = literal if anchored else literal.removeprefix("./")
    pieces = re.split(r"([*?])", body)
    inner = [at for at, piece in enumerate(pieces) if piece in ("*", "?") and len("".join(pieces[:at])) > 0]
    inner = [at for at in inner if "".join(pieces[at + 1 :])]
    if len(inner) > MOST_STARS:
        ending = "".join(pieces[inner[-1] + 1 :]).rstrip("/").removesuffix("/*") or "*"
        return (entry.widened(f"{tool}(**/*{ending})", tool, "too many wildcards"),)
    found: list[Imported] = []
    for choice in itertools.product(*[(pieces[at], "*/**/*") for at in inner]):
        filled = dict(zip(inner, choice, strict=True))
        text = "".join(filled.get(at, piece) for at, piece in enumerate(pieces))
        text = text.rstrip("/").removesuffix("/*") or "*"
        found.append(entry.restricts(f"{tool}({text if anchored else f'**/{text}'})", tool))
    return tuple(dict.fromkeys(found))
