"""The ladder of rules for one command: exactly this one, then the same subcommand. Never a shell, never a secret."""

from __future__ import annotations

from assent.harmless import VARIABLES
from assent.masking import looks_secret
from assent.policy.match import vouches_words
from assent.policy.rules import read_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.types import Call

    Prefix = Callable[[str], str | None]

NEVER_A_PREFIX = frozenset(
    """sh bash zsh fish csh tcsh ksh dash cmd powershell pwsh env xargs nice stdbuf nohup timeout time sudo doas
    pkexec su ssh eval exec source . command builtin rm rmdir shred dd mkfs chmod chown mv curl wget nc ncat socat
    scp rsync ftp telnet python python2 python3 node nodejs deno bun ruby perl php lua awk gawk sed find parallel
    watch docker kubectl osascript Rscript tee kill pkill killall crontab at uv uvx npx bunx poetry pdm hatch bundle
    conda mamba mise direnv pipx hyperfine entr""".split()
)
"""Programs whose other arguments do something else entirely; only an exact rule names one of them."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,@%=^~")
MAX_RULE = 300


def command_ladder(call: Call, prefix: Prefix | None = None) -> tuple[str, ...]:
    """Rules that would each vouch for this call; empty when none may be suggested."""
    words = [word.value for word in call.words]
    if not words or words[0] is None or not all(name in VARIABLES for name, _ in call.assignments):
        return ()
    found: list[str] = []
    known = [word for word in words if word is not None]
    program = known[0][known[0].rfind("/") + 1 :]
    if len(known) == len(words) and "*" not in known and not any(map(looks_secret, known)):
        found.append(f"Bash({' '.join(map(quote_word, known))})")
    named = _named(call, prefix) if prefix else [text for text in words[:2] if text is not None]
    if program not in NEVER_A_PREFIX and _is_prefix(named, anything=prefix is not None):
        found.append(f"Bash({' '.join(map(quote_word, named))}:*)")
    given = tuple("-\0" if word is None else word for word in words)
    return tuple(text for text in found if _may_stand(text, given))


def _named(call: Call, prefix: Prefix) -> list[str]:
    """The words that a caller's own function names. INVARIANT: whatever it says, the rule must fit this very call."""
    named = prefix(" ".join(word.text for word in call.words))
    return named.split() if isinstance(named, str) else []


def _is_prefix(named: list[str], *, anything: bool) -> bool:
    if any(map(looks_secret, named)):
        return False
    return bool(named) if anything else len(named) == 2 and _is_subcommand(named[1])


def _is_subcommand(word: str) -> bool:
    return word[:1].islower() and word.replace("-", "").replace("_", "").isalnum() and word.islower()


def _may_stand(text: str, words: tuple[str, ...]) -> bool:
    if len(text) > MAX_RULE or not text.isprintable():
        return False
    return vouches_words(read_rule(text), words)


def quote_word(word: str) -> str:
    """A word as rules are written; `*` alone would stand for any word, so it is never left bare."""
    if word and PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"
