"""Substitutions about whose text something is certain: one plain piece of a name, never an option or a path."""

from __future__ import annotations

from assent.shell.tree import Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Script

NAMES = frozenset({("whoami",), ("logname",), ("hostname",), ("hostname", "-s"), ("id", "-un"), ("id", "-gn")})
"""Print a name without blanks, slashes and a dash in front, or nothing where they fail."""
NUMBERS = frozenset({("arch",)} | {("uname", f"-{kind}") for kind in "srm"})
"""Print such a text, and cannot fail."""
DIGITS = frozenset({("nproc",), ("id", "-u"), ("id", "-g"), ("date", "+%s")})
"""Print a number that does not begin with 0, and cannot fail."""
COUNTS = frozenset(("wc", f"-{kind}") for kind in "lcwm")
"""Print a number when they read from a pipe."""
DATE_SIGNS = frozenset("YmdHMSsFTNjuVGy")
REVISION_OPTIONS = ("--short", "--verify", "-q", "--quiet")
FOLDERS = frozenset({("pwd",), ("pwd", "-P"), ("pwd", "-L")})


def prints_plainly(script: Script) -> str:
    """`certain` for one plain piece of text, `digits` for a number, `perhaps` if there may be none; else empty."""
    words, fed = _last(script)
    if not fed and (words in NAMES or _is_commit(words)):
        return "perhaps"
    if fed == "<" and words in COUNTS:
        return "perhaps"
    if (fed == "|" and words in COUNTS) or (words in DIGITS and not fed):
        return "digits"
    return "certain" if not fed and (words in NUMBERS or _is_date(words)) else ""


def shows_folder(script: Script) -> bool:
    """`$(pwd)`: the folder the shell is in."""
    words, fed = _last(script)
    return words in FOLDERS and not fed


def shows_text(script: Script) -> str | None:
    """`"$(cat <<'EOF' … )"`: the text of the heredoc, without newlines at its end, as the shell takes it."""
    items = script.body.items if script.body is not None else ()
    commands = items[0][0].commands if len(items) == 1 and items[0][1] in ("", ";", "\n") else ()
    only = commands[0] if len(commands) == 1 else None
    if not isinstance(only, Simple) or only.assignments or [word.value for word in only.words] != ["cat"]:
        return None
    heredoc = only.redirects[0].heredoc if len(only.redirects) == 1 and only.redirects[0].fd in (None, 0) else None
    if heredoc is None or any(part.kind != "text" for part in heredoc.parts):
        return None
    text = heredoc.body if heredoc.quoted else "".join([part.text for part in heredoc.parts])
    return text.rstrip("\n") if "\0" not in text else None


def _last(script: Script) -> tuple[tuple[str, ...], str]:
    """The words of the only command or pipe's last command, none if they are not plain, and the sign that feeds it."""
    items = script.body.items if script.body is not None else ()
    commands = items[0][0].commands if len(items) == 1 and items[0][1] in ("", ";", "\n") else ()
    last = commands[-1] if commands else None
    signs = [redirect.op for redirect in last.redirects] if last is not None else []
    if not isinstance(last, Simple) or last.assignments or (signs and (signs != ["<"] or len(commands) > 1)):
        return (), ""
    words = tuple(word.value for word in last.words if word.value is not None)
    fed = "|" if len(commands) > 1 else "".join(signs)
    return (words, fed) if len(words) == len(last.words) else ((), "")


def _is_commit(words: tuple[str, ...]) -> bool:
    """The number of a commit, or nothing; `rev-parse` prints what it does not know as it was written."""
    if words[:2] == ("git", "merge-base") and len(words) == 4:
        return all(is_revision(word, "/") for word in words[2:])
    if words[:2] == ("git", "rev-parse") and len(words) > 2:
        asks = all(option in REVISION_OPTIONS for option in words[2:-1])
        return asks and is_revision(words[-1], "/" if "--verify" in words else "")
    return False


def is_revision(word: str, more: str) -> bool:
    """Whether a word is plainly the name of a commit."""
    plain = all(sign.isascii() and (sign.isalnum() or sign in "_.~^-" or sign in more) for sign in word)
    return plain and word[:1].isalnum() and ".." not in word


def _is_date(words: tuple[str, ...]) -> bool:
    """`date +FORMAT` with a format of digits and signs that begins with a digit or letter and leads nowhere else."""
    if len(words) not in (2, 3) or words[0] != "date" or words[1:-1] not in ((), ("-u",)) or words[-1][:1] != "+":
        return False
    form = words[-1][1:]
    pieces = form.split("%")
    begins = pieces[0][:1] if pieces[0] else "0"
    plain = all(sign.isascii() and (sign.isalnum() or sign in "._:-") for piece in pieces for sign in piece)
    return bool(form) and begins.isalnum() and plain and all(piece[:1] in DATE_SIGNS for piece in pieces[1:])
