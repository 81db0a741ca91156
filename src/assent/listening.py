"""Who reads standard input: the rest of a script that comes from there, or of the lines that a loop reads."""

from __future__ import annotations

from assent.types import LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call

NEVER = frozenset(
    """echo printf cd true false : pwd ls test [ export set unset exit break continue shift return wait kill local
    declare typeset readonly umask ulimit shopt mkdir rmdir touch chmod chown whoami uname id which type sleep stat df
    ps seq nproc uptime mktemp basename dirname realpath readlink""".split()
)
"""Programs that do not, whatever their words are."""
LISTENS_WITH = {
    **dict.fromkeys(("rm", "cp", "mv", "ln"), ("-i", "-I", "--i")),
    **dict.fromkeys(("du", "wc", "sort"), ("--f",)),
    "find": ("-ok", "-files0-from"),
    "date": ("-f", "--f"),
    "hostname": ("-F", "--f", "-b"),
}
"""How those options begin with which a program waits for an answer, or takes names or texts from there."""
ASKS = frozenset(("rm", "cp", "mv", "ln"))
SILENT = ASKS | {"du", "find", "date", "hostname"}
"""Programs that never do without one of these; with the first, a letter among others is enough."""
SILENT_GIT = frozenset("status log diff show branch add rev-parse ls-files".split())
GIT_OPTIONS = frozenset(
    """-n -s -a -v -b -u -A --oneline --stat --short --porcelain --name-only --cached --graph --all --abbrev-ref
    --show-toplevel --numstat --no-color --decorate --""".split()
)
SUMS = "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum".split()
OPENS: dict[str, tuple[int, str, str]] = {
    **dict.fromkeys(("grep", "egrep", "fgrep"), (2, "EFGPHIacbhilLnoqsTvwxyzZrR0123456789", "efmABCD")),
    **dict.fromkeys(SUMS, (1, "btwz", "")),
    "rg": (2, "nilcowvxFSsUHNIPa", "efgtTABCmr"),
    "sed": (2, "nErsuz", "efl"),
    "cat": (1, "AbeEnstTuv", ""),
    "tac": (1, "br", "s"),
    "rev": (1, "", ""),
    "nl": (1, "p", "bdfhilnsvw"),
    "head": (1, "qvz0123456789", "nc"),
    "tail": (1, "qvz0123456789", "nc"),
    "wc": (1, "clmwL", ""),
    "sort": (1, "bdfgiMhnRrVsumz", "kt"),
    "uniq": (1, "cdDiuz", "fsw"),
    "cut": (1, "nsz", "bcdf"),
    "od": (1, "abcdfilosxv", "AjNt"),
    "strings": (1, "a", "nt"),
    "file": (1, "bikLhz", "F"),
    "diff": (2, "abBcdeEilnNpqrstTuwyZ0123456789", "UCW"),
    "cmp": (2, "bls", "in"),
    "jq": (2, "rcjaCMSes", ""),
}
"""With how many operands a program leaves it alone, as it opens a file; options without a value, and with one."""
SCRIPTED = dict.fromkeys(("grep", "egrep", "fgrep", "rg", "sed"), "ef")
"""Options whose value stands for the operand that is no file: a pattern or a script."""
STREAMS = ("/dev/", "/proc/")


def may_read_input(call: Call) -> bool:
    """Whether a command may take what its shell reads: the rest of a script that comes from standard input."""
    if not call.words or call.reads_from >= 0 or any(redirect.op.startswith("<") for redirect in call.redirects):
        return False
    return may_listen(call)


def may_listen(call: Call, *, lines: bool = False) -> bool:
    """Whether a program may read from standard input, going by its words.

    With `lines` a word that holds a line which a loop has read counts as the name of a file.
    """
    name = call.words[0].value or ""
    name = name[name.rfind("/") + 1 :]
    if name in NEVER:
        return False
    values: list[str] = []
    for word in call.words[1:]:
        value = "a line" if lines and word.why.startswith(LINE) else word.value
        if value is None or (value[:1] == "-" == value[-1:] and value != "--") or value.startswith(STREAMS):
            return True
        values.append(value)
    options = [value for value in values if value[:1] == "-"]
    if any(value.startswith(LISTENS_WITH.get(name, ())) or any(map(value.__contains__, STREAMS)) for value in options):
        return True
    if name == "git":
        return SILENT_GIT.isdisjoint(values[:1]) or not GIT_OPTIONS.issuperset(options)
    if name in SILENT:
        return name in ASKS and any("i" in value.lower() for value in options)
    return name not in OPENS or _operands(values, name) < OPENS[name][0]


def _operands(values: list[str], name: str) -> int:
    """How many operands there are at least: an option that is not in the table may take the next word for its value."""
    _needed, flags, valued = OPENS[name]
    found, scripted, left = 0, False, values[::-1]
    while left:
        value = left.pop()
        if value[:1] != "-":
            found += 1
        elif value == "--":
            found += len(left)
            break
        elif value[:2] == "--":
            found -= "=" not in value
        elif letters := value[1:].lstrip(flags):
            if letters[0] not in valued:
                found -= 1
                continue
            scripted = scripted or letters[0] in SCRIPTED.get(name, "")
            if len(letters) == 1 and left:
                left.pop()
    return found + scripted
