"""Rules on shell commands: text with wildcards, or words, made into `Bash(…)` rules."""

from __future__ import annotations

import re

from assent.importing.imported import Entry, Imported
from assent.masking import looks_secret, masked
from assent.policy.lint import RUNS_ANYTHING
from assent.policy.stretches import has_operators
from assent.record import record
from assent.types import Verdict

EVERY = "every command"
ANY_WORDS = "Bash(*:*)"
SIGNS = r"A-Za-z0-9_+./:,@%=^\-"
PLAIN = re.compile(f"[{SIGNS}]+")
WORD = re.compile(rf"""(?:[{SIGNS}*]+|'[^'*]*'|"[^"*$`\\!]*")+""")
PIECE = re.compile(r"""'([^']*)'|"([^"]*)"|([^'"]+)""")
ASSIGNS = re.compile(r"[A-Za-z_]\w*\+?=")
QUOTES = re.compile(r"""['"\\]""")
HEAD = re.compile(rf"((?:[{SIGNS}]+ +)*)")


@record
class Command:
    """The words of a rule, `*` for anything in between, and whether more may follow."""

    words: tuple[str, ...]
    tail: bool
    glued: bool = False
    """The text ended in `*` without a blank before it, so that the last word may go on."""


def read_command(text: str, *, colon: bool = True) -> Command | None:
    """Text with wildcards; None where it takes more than plain and quoted words.

    `git *` is `git` alone too, unless another wildcard comes before it; with `colon`, `git:*` is the same.
    """
    body, tail, glued = text.strip(), False, False
    if colon and body.endswith(":*"):
        body, tail = body[:-2], True
    elif body.endswith(" *"):
        tail = True
        body = body if "*" in body[:-2] else body[:-2]
    elif body.endswith("*") and body != "*":
        body, tail, glued = body[:-1], True, True
    words = words_of(body)
    return Command(words, tail, glued) if words else None


def words_of(text: str) -> tuple[str, ...] | None:
    """Words that every shell reads the same way: no variable, operator, glob, escape or assignment before them."""
    found: list[str] = []
    for part in _split(text):
        if not WORD.fullmatch(part):
            return None
        found.append("".join(a or b or c for a, b, c in PIECE.findall(part)))
    return None if not found or ASSIGNS.match(found[0]) or not all(found) else tuple(found)


def _split(text: str) -> list[str]:
    """At blanks outside of quotes."""
    return re.findall(r"""(?:[^\s'"]|'[^']*'|"[^"]*"|['"])+""", text)


# --- allow ---------------------------------------------------------------------------------------------------------


def allowed(entry: Entry, command: Command | None) -> Imported:
    """An allow for these words, or the reason why there is none."""
    if command is None:
        return entry.left_out("more than plain words; an allow names a command word by word")
    words = command.words
    if words == ("*",):
        return entry.left_out(f"{EVERY}: name the commands that you mean")
    if any("*" in word and word != "*" for word in words) or words[0] == "*":
        return entry.left_out("a wildcard inside a word, which an allow of Assent does not have")
    if command.glued and not words[-1][-1:].isalnum():
        return entry.left_out("a wildcard inside a word, which an allow of Assent does not have")
    if any(map(looks_secret, words)):
        return entry.left_out("it holds what looks like a secret")
    if command.tail and len(words) == 1 and words[0] in RUNS_ANYTHING:
        return entry.left_out(f"{words[0]} runs any other program: name the command that it runs")
    note = ""
    if command.glued:
        note = f"only `{words[-1]}` as a whole word, not what begins with it"
    elif "*" in words:
        note = "`*` stands for one word that is not an option"
    return entry.allows(bash(words, tail=command.tail), note)


def bash(words: tuple[str, ...], *, tail: bool) -> str:
    return f"Bash({' '.join(map(quoted, words))}{':*' if tail else ''})"


def quoted(word: str) -> str:
    """A word as rules are written; a bare `*` is meant as one."""
    if word == "*" or re.fullmatch(rf"[{SIGNS}*?]+", word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


# --- deny and ask --------------------------------------------------------------------------------------------------


def restricted(entry: Entry, text: str, *, colon: bool = True) -> tuple[Imported, ...]:
    """The deny or ask that is meant, for at least what the agent's rule found."""
    if text.strip() in ("*", "", ":*"):
        return (entry.restricts("Bash", "Bash"),)
    command = read_command(text, colon=colon)
    if command is None or holds_secret(command.words):
        return _found(entry, text, _beginning(text), "more than plain words", colon=colon)
    words, wider = _open(command)
    star = any("*" in word for word in words)
    rule = "Bash" if words == ("*",) else bash(words, tail=command.tail or star or wider)
    if not wider and words != ("*",):
        return (entry.restricts(rule, "Bash"),)
    made = _found(entry, text, rule, "a wildcard inside a word", colon=colon)
    return (*made, *_whole_option(entry, command))


def _found(entry: Entry, text: str, wide: str, why: str, *, colon: bool) -> tuple[Imported, ...]:
    """By the text itself, if it is a deny that a text can say; otherwise by a wider rule."""
    patterns = _texts(text, colon=colon) if entry.meant == Verdict.DENY else ()
    return entry.by_text(patterns, wide) if patterns else (entry.widened(wide, "Bash", why),)


def holds_secret(words: tuple[str, ...]) -> bool:
    """Whether masking would hide a part of it; the name of a file or of a command is no secret."""
    return any(masked(text) != text for text in (" ".join(words), *words))


def _whole_option(entry: Entry, command: Command) -> tuple[Imported, ...]:
    """`git push --force*` also denies `--force` as a word of its own, wherever it stands."""
    words = command.words
    plain = (
        command.glued and words[-1].startswith("-") and words[-1].strip("-") and not any("*" in one for one in words)
    )
    return (entry.restricts(bash(words, tail=True), "Bash"),) if plain and entry.meant == Verdict.DENY else ()


def _texts(text: str, *, colon: bool) -> tuple[str, ...]:
    """The text as the agent compares it, with wildcards, where `*` stands for blanks, too; () for what has no form.

    A part of a line is known by its words, without quotes. A text that quotes something has that form as well; one
    that only a shell could take apart, without any operator, has none.
    """
    body = text.strip()
    if masked(body) != body or not body.isprintable() or not body.strip("*? "):
        return ()
    if QUOTES.search(body):
        if words_of(body) is None and not has_operators(body):
            return ()
        unquoted = re.sub("['\"]", "", body)
        return tuple(dict.fromkeys((*_forms(body, colon=colon), *_forms(unquoted, colon=colon))))
    return _forms(body, colon=colon)


def _forms(body: str, *, colon: bool) -> tuple[str, ...]:
    body = re.sub(r"[\[?]", "?", body)
    open_ended = (colon and body.endswith(":*")) or body.endswith(" *")
    texts = (body[:-2], f"{body[:-2]} *") if open_ended else (body,)
    return tuple(one for one in texts if one.strip("*? "))


def _open(command: Command) -> tuple[tuple[str, ...], bool]:
    """Words that find what the text would find, and whether they find more: a text's `*` also stands for blanks."""
    words = list(command.words)
    wider = False
    if command.glued:
        if words[-1].startswith("-"):
            words, wider = words[:-1] or ["*"], True
        else:
            words[-1] += "*"
    for at, word in enumerate(words):
        if "*" in word and word != "*" and (word.startswith("-") or word.index("*") < len(word) - 1):
            words[at], wider = "*", True
    return tuple(words), wider


def beginning(entry: Entry, text: str, why: str) -> Imported:
    """The whole plain words that a text begins with; without any, the rule is about every command."""
    return entry.widened(_beginning(text), "Bash", why)


def _beginning(text: str) -> str:
    head = tuple((HEAD.match(text.lstrip()) or [""])[0].split())
    plain = head[: next((at for at in range(len(head)) if holds_secret(head[: at + 1])), len(head))]
    return "Bash" if not plain or ASSIGNS.match(plain[0]) else bash(plain, tail=True)


# --- words that mean themselves ------------------------------------------------------------------------------------


def allowed_words(entry: Entry, words: tuple[str, ...]) -> Imported:
    """An allow for a command that begins with exactly these words."""
    if any("*" in word or not word for word in words):
        return entry.left_out("a word that an allow of Assent cannot name")
    return allowed(entry, Command(words, tail=True))


def restricted_words(entry: Entry, words: tuple[str, ...]) -> Imported:
    """The deny or ask that is meant, for a command that begins with these words."""
    secret = next((at for at in range(len(words)) if holds_secret(words[: at + 1])), len(words))
    if secret < len(words):
        short = bash(tuple(map(_literal, words[:secret])), tail=True) if secret else "Bash"
        return entry.widened(short, "Bash", "a word of it looks like a secret")
    return entry.restricts(bash(tuple(map(_literal, words)), tail=True), "Bash")


def _literal(word: str) -> str:
    """In a deny `*`, `?` and `[` stand for other characters; `?` stands for each of them, too."""
    return word if word.startswith("-") else re.sub(r"[*?\[]", "?", word)
