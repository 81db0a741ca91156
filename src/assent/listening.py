"""Who reads standard input: the rest of a script that comes from there, or of the lines that a loop reads."""

from __future__ import annotations

from assent.types import LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call, Redirection

NEVER = frozenset(
    """echo printf cd true false : pwd ls test [ export set unset exit break continue shift return wait kill local
    declare typeset readonly umask ulimit shopt mkdir rmdir touch chmod chown whoami uname id which type sleep stat df
    ps seq nproc uptime free mktemp basename dirname realpath readlink""".split()
)
"""Programs that do not, whatever their words are."""
LISTENS_WITH = {
    **dict.fromkeys(("rm", "cp", "mv", "ln"), ("-i", "-I", "--i")),
    **dict.fromkeys(("du", "wc", "sort"), ("--f",)),
    **dict.fromkeys(("jq", "od"), ("--",)),
    "find": ("-ok", "-files0-from"),
    "date": ("-f", "--f"),
    "hostname": ("-F", "--f", "-b"),
    "tree": ("--f",),
}
"""How those options begin with which a program waits for an answer, or takes names or texts from there."""
ASKS = frozenset(("rm", "cp", "mv", "ln"))
SILENT = ASKS | {"du", "find", "date", "hostname", "tree"}
"""Programs that never do without one of these; with the first, a letter among others is enough."""
SILENT_GIT = frozenset("status log diff show branch add rev-parse ls-files blame remote tag".split())
GIT_OPTIONS = frozenset(
    """-n -s -a -v -b -u -A --no-pager --show-current --oneline --stat --short --porcelain --name-only --cached --graph
    --all --abbrev-ref --show-toplevel --numstat --no-color --decorate --""".split()
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
    "comm": (2, "123z", ""),
    "paste": (1, "sz", "d"),
    "xxd": (1, "prbeiEu", "cgls"),
    "column": (1, "t", "s"),
    **dict.fromkeys(("awk", "gawk", "mawk"), (2, "", "Fv")),
    "jq": (2, "rcjaCMSes", ""),
}
"""With how many operands a program leaves it alone, as it opens a file; options without a value, and with one."""
SCRIPTED = dict.fromkeys(("grep", "egrep", "fgrep", "rg", "sed"), "ef")
"""Options whose value stands for the operand that is no file: a pattern or a script."""
STREAMS = ("/dev/", "/proc/")
INPUTS = ("/dev/stdin", "/dev/fd/")


def may_read_input(call: Call) -> bool:
    """Whether a command may take what its shell reads: the rest of a script that comes from standard input."""
    if not call.words or call.reads_from >= 0 or is_opened(call.redirects):
        return False
    return may_listen(call)


def is_opened(redirects: tuple[Redirection, ...]) -> bool:
    """Whether standard input is certainly opened anew: a file, a heredoc or a text. What copies it is a gap anyway."""
    opened = False
    for redirect in redirects:
        if redirect.fd == 0 or (redirect.fd is None and redirect.op.startswith("<")):
            known = redirect.target is not None and redirect.target.value is not None
            opened = redirect.op.startswith("<<") or (redirect.op == "<" and known)
    return opened


def copies_input(op: str, fd: int | str | None, target: str) -> bool:
    """Whether a redirect makes standard input, or what it was before, known by another name: `3<&0`, `< /dev/stdin`."""
    if op == "<&":
        return target != "-"
    if op == ">&":
        return target.rstrip("-") == "0" or (fd == 0 and target != "-")
    return op in ("<", "<>") and (target.startswith(INPUTS) or (target.startswith("/proc/") and "/fd/" in target))


def may_listen(call: Call, *, lines: bool = False) -> bool:
    """Whether a program may read from standard input, going by its words.

    A pattern counts as the name of a file, and so does with `lines` a word that holds a line which a loop has read.
    """
    name = call.words[0].value or ""
    name = name[name.rfind("/") + 1 :]
    if name in NEVER:
        return False
    values: list[str] = []
    for word in call.words[1:]:
        value = word.value
        if (lines and word.why.startswith(LINE)) or (word.pattern and word.pattern[0] != "-"):
            value = "a name"
        if value is None or (value[:1] == "-" == value[-1:] and value != "--") or any(map(value.__contains__, STREAMS)):
            return True
        values.append(value)
    options = [value for value in values if value[:1] == "-"]
    if any(value.startswith(LISTENS_WITH.get(name, ())) for value in options):
        return True
    if values in (["--version"], ["--help"]):
        return False
    if name == "git":
        verb = values[1:2] if values[:1] == ["--no-pager"] else values[:1]
        if verb == ["tag"] and options not in ([], ["-l"]):
            return True  # an editor for its message
        return SILENT_GIT.isdisjoint(verb) or not all(one in GIT_OPTIONS or one[1:].isdigit() for one in options)
    if name == "command":
        return values[:1] not in (["-v"], ["-V"])
    if name.endswith("awk") and any("getline" in one or ("=" in one and _is_assigned(one)) for one in values):
        return True
    if name in SILENT:
        return name in ASKS and any("i" in value.lower() for value in options)
    return name not in OPENS or _operands(values, name) < OPENS[name][0]


def _is_assigned(value: str) -> bool:
    """Whether awk takes an operand for an assignment, and not for a file."""
    return value.partition("=")[0].isidentifier()


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
