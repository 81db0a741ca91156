"""What programs print, as far as their words and their input tell: good enough to see which paths may be among it.

Of a program that nobody knows, and of one that computes its text, everything closed that its words and input spell.
"""

from __future__ import annotations

from assent.protected import closed_in
from assent.shell.candidates import APART, lines_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Prints = Callable[[list[str], str], str]

LONGEST = 20_000
SHOWS_LINES = frozenset("grep egrep fgrep rg ag ack zgrep".split())
"""Print lines of what they look through, not the words that they are given."""
ONLY_MATCHES = ("-o", "--only-matching", "-r", "--replace")
PASSES_ON = frozenset(
    """cat tac head tail sort uniq tee nl fold fmt expand unexpand column paste pv sponge shuf iconv dos2unix strings
    less more grep egrep fgrep rg ag ack look xargs stdbuf""".split()
)
"""Print what they read, all or a part of it, whole lines or more."""
SILENT = frozenset(
    """: true false cd pushd popd dirs test [ set unset export declare typeset local readonly shopt sleep wait kill
    mkdir rmdir rm mv touch chmod chown ln exit return break continue shift umask ulimit trap wc md5sum
    sha256sum""".split()
)
"""Print no word of theirs that names a file, or what they do name is told elsewhere."""
TESTS_OF_ECHO = frozenset("neE")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "\\": "\\", "e": "\x1b"}
PERCENT = "\ue00f"
OCTAL = frozenset("01234567")
HEX = frozenset("0123456789abcdefABCDEF")


def printed(name: str, words: list[str], fed: str) -> str:
    """The text that a program may print; `fed` is what it reads."""
    exact = EXACT.get(name)
    if exact is not None:
        return exact(words, fed)[:LONGEST]
    if name in SILENT:
        return ""
    shows = name in SHOWS_LINES and not any(word.startswith(ONLY_MATCHES) or _is_cluster(word) for word in words)
    spelled = [] if shows else [piece for word in words for piece in closed_in(word)]
    if name not in PASSES_ON:
        return "\n".join([*spelled, *(fed.split("\n") if fed else ())])[:LONGEST]
    return "\n".join([*spelled, fed] if spelled else [fed])


def _is_cluster(word: str) -> bool:
    """`-no`, with the letter that makes `grep` print matches alone."""
    return word[:1] == "-" and word[1:2] != "-" and "o" in word


def _echo(words: list[str], fed: str) -> str:  # noqa: ARG001 - every program has the same shape
    escapes, ends = False, "\n"
    while words and words[0][:1] == "-" and len(words[0]) > 1 and TESTS_OF_ECHO.issuperset(words[0][1:]):
        escapes = escapes or "e" in words[0]
        ends = "" if "n" in words[0] else ends
        words = words[1:]
    text = " ".join(words)
    return f"{_unescaped(text) if escapes else text}{ends}"


def _printf(words: list[str], fed: str) -> str:  # noqa: ARG001
    words = words[1:] if words[:1] == ["--"] else words
    return formatted(words[0], words[1:]) if words else ""


def formatted(form: str, words: list[str]) -> str:
    """As printf does: the format again and again until no word is left."""
    pieces = _unescaped(form).replace("%%", PERCENT).split("%")
    rest = [*words]
    out: list[str] = []
    while True:
        out.append(pieces[0])
        for piece in pieces[1:]:
            body = piece.lstrip("-+ #0123456789.*'")
            given = rest.pop(0) if rest else ""
            out.append((_unescaped(given) if body[:1] == "b" else given) + body[1:])
        if not rest or len(pieces) == 1 or len(out) > LONGEST:
            return "".join(out).replace(PERCENT, "%")


def _unescaped(text: str) -> str:
    """Backslashes as `echo -e` and the format of `printf` read them."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\" or at + 1 == len(text):
            out.append(text[at])
            at += 1
            continue
        sign, at = text[at + 1], at + 2
        if sign in OCTAL or (sign in "xuU" and text[at : at + 1] in HEX):
            digits, base, most = (
                (OCTAL, 8, 3 if sign != "0" else 4) if sign in OCTAL else (HEX, 16, 8 if sign != "x" else 2)
            )
            start = at - 1 if base == 8 else at
            end = start
            while end < len(text) and end - start < most and text[end] in digits:
                end += 1
            out.append(chr(min(int(text[start:end], base), 0x10FFFF)))
            at = end
        else:
            out.append(ESCAPES.get(sign, f"\\{sign}"))
    return "".join(out)


def _cat(words: list[str], fed: str) -> str:  # noqa: ARG001 - what files hold is not known
    return fed


def _basename(words: list[str], fed: str) -> str:  # noqa: ARG001
    names = [word for word in words if word[:1] != "-"]
    ending = names[1] if len(names) == 2 and "-a" not in words else ""
    return "".join(f"{name.rstrip('/').rpartition('/')[2].removesuffix(ending)}\n" for name in names[:1])


def _dirname(words: list[str], fed: str) -> str:  # noqa: ARG001
    names = [word for word in words if word[:1] != "-"]
    return "".join(f"{name.rstrip('/').rpartition('/')[0] or '.'}\n" for name in names)


def _same(words: list[str], fed: str) -> str:  # noqa: ARG001
    """Programs that print where a path leads: the path itself is known by then."""
    return "".join(f"{word}\n" for word in words if word[:1] != "-")


def _rev(words: list[str], fed: str) -> str:  # noqa: ARG001
    return "".join(f"{line[::-1]}\n" for line in lines_of(fed))


def _tr(words: list[str], fed: str) -> str:
    sets = [_unescaped(_ranges(word)) for word in words if word[:1] != "-" or len(word) == 1]
    flags = "".join(word[1:] for word in words if word[:1] == "-")
    if not sets or "c" in flags or "C" in flags or "[:" in sets[0]:
        return fed
    if "d" in flags or len(sets) == 1:
        return fed.translate(dict.fromkeys(map(ord, sets[0]))) if "d" in flags else fed
    into = sets[1] + sets[1][-1:] * (len(sets[0]) - len(sets[1]))
    return fed.translate({ord(old): new for old, new in zip(sets[0], into, strict=False)})


def _ranges(text: str) -> str:
    """`a-z` written out."""
    at = text.find("-", 1)
    while 0 < at < len(text) - 1:
        first, last = ord(text[at - 1]), ord(text[at + 1])
        between = "".join(map(chr, range(first + 1, last))) if last - first < 128 else ""
        text = text[:at] + between + text[at + 1 :]
        at = text.find("-", at + len(between) + 1)
    return text


def _sed(words: list[str], fed: str) -> str:
    """Plain substitutions are made; of any script what it spells may be printed, too."""
    spelled = [piece for word in words for piece in closed_in(word)]
    text = fed
    for word in words:
        for command in word.split(";"):
            sign = command[1:2]
            if command[:1] != "s" or not sign or sign.isalnum() or command.count(sign) != 3:
                continue
            _, old, new, _flags = command.split(sign)
            if old == "^":
                text = "".join(f"{new}{line}\n" for line in lines_of(text))
            elif old == "$":
                text = "".join(f"{line}{new}\n" for line in lines_of(text))
            else:
                text = text.replace(old, new)
    return "\n".join([*spelled, text] if text == fed else [*spelled, text, fed])


def _cut(words: list[str], fed: str) -> str:
    """Any of the fields may be the one, or what is left from some sign on."""
    starts = [word.lstrip("-cb").partition("-")[0] for word in words if word[:2] in ("-c", "-b")]
    if starts and starts[0].isdigit():
        return "".join(f"{line[int(starts[0]) - 1 :]}\n" for line in lines_of(fed))
    signs = [word[2:3] for word in words if word.startswith("-d")] or ["\t"]
    sign = signs[0] or next((words[at + 1][:1] for at, word in enumerate(words[:-1]) if word == "-d"), "\t")
    return "\n".join(field for line in lines_of(fed) for field in (line, *line.split(sign or "\t")))


def _awk(words: list[str], fed: str) -> str:
    """Any field of a line may be printed, and whatever the program spells."""
    spelled = [piece for word in words for piece in closed_in(word)]
    signs = [word[2:3] for word in words if word.startswith("-F") and len(word) > 2]
    fields = [field for line in lines_of(fed) for field in (line, *line.split(signs[0] if signs else None))]
    return "\n".join([*spelled, *fields])


def _base64(words: list[str], fed: str) -> str:
    from binascii import Error, a2b_base64, b2a_base64

    if not any(word[:2] in ("-d", "-D") or word.startswith("--d") for word in words):
        return b2a_base64(fed.encode("utf-8", "replace")).decode()
    try:
        return a2b_base64(fed.replace(APART, "")).decode("utf-8", "replace")
    except (Error, ValueError):
        return ""


def _which(words: list[str], fed: str) -> str:  # noqa: ARG001
    """Where programs are, which is as good as their names."""
    return "\n".join([word for word in words if word[:1] != "-"])


EXACT: dict[str, Prints] = {
    **dict.fromkeys(("which", "type", "whence", "whereis"), _which),
    "echo": _echo,
    "printf": _printf,
    "yes": _echo,
    "cat": _cat,
    "basename": _basename,
    "dirname": _dirname,
    "realpath": _same,
    "readlink": _same,
    "rev": _rev,
    "tr": _tr,
    "sed": _sed,
    "gsed": _sed,
    "cut": _cut,
    "awk": _awk,
    "gawk": _awk,
    "mawk": _awk,
    "base64": _base64,
}
"""Programs whose text follows from their words and their input."""
