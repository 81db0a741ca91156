"""What the shell opens before a program runs: every redirect is an effect of its own."""

from __future__ import annotations

from assent.commands.args import Args
from assent.commands.program import Program
from assent.record import replace
from assent.types import Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.program import Fact
    from assent.types import Call, Redirection, Word

CODE = "redirect"
READS, WRITES, BOTH = ("<",), (">", ">>", ">|", "&>", "&>>"), ("<>",)
COPIES = (">&", "<&")
NOTHING = Program()


def redirected(call: Call, number: int, base: str) -> Iterator[Fact]:
    """INVARIANT: no rule on a program covers these; the code says that they are the shell's."""
    if not call.redirects:
        return
    args = Args(call, number, base, "redirect", NOTHING)
    opened = False
    for redirect in call.redirects:
        for fact in _one(args, redirect):
            opened = True
            yield fact
    if not opened and not call.words:
        yield args.effect("note", "redirect")


def _one(args: Args, redirect: Redirection) -> Iterator[Fact]:
    target = redirect.target
    if target is None or redirect.op.startswith("<<"):
        return
    if redirect.op in COPIES and _is_descriptor(target):
        return
    if target.value is not None and target.value.startswith(("/dev/tcp/", "/dev/udp/")):
        host, _, port = target.value[9:].partition("/")
        url = f"https://{host}:{port}" if port.isdigit() else f"https://{host}"
        yield from args.reach(url, shown=target.value, code=CODE)
        return
    if target.value == "-":
        target = replace(target, value="./-")  # a file, unlike for programs
    if redirect.op in READS or redirect.op in BOTH:
        yield from args.file("read", target, code=CODE)
    if redirect.op in WRITES or redirect.op in BOTH or redirect.op == ">&":
        yield from args.file("write", target, code=CODE)
    elif redirect.op not in READS and redirect.op not in BOTH:
        yield args.gap(f"operator {redirect.op}", blind=True)


def _is_descriptor(word: Word) -> bool:
    text = word.value or ""
    number = text.removesuffix("-")
    return text == "-" or (number.isascii() and number.isdigit())


def misled(calls: tuple[Call, ...]) -> list[Gap]:
    """Where a name of an output may lead to a file that is open for reading."""
    if any(map(_rewires, calls)) and any(map(_names_streams, calls)):
        return [Gap("a file that is read may be written by the name of an output", blind=True)]
    return []


def _rewires(call: Call) -> bool:
    """Whether an output may lead to a file that is open for reading: `2< file`, `< file >&0`, `3< file 1>&3`."""
    for redirect in call.redirects:
        fd = redirect.fd if redirect.fd is not None else 1 if redirect.op == ">&" else 0
        if redirect.op in ("<", "<&", ">&") and fd in (1, 2):
            target = redirect.target.value if redirect.target is not None else None
            if redirect.op == "<" or target is None or (target not in ("1", "2") and target.rstrip("-").isdigit()):
                return True
    return False


def _names_streams(call: Call) -> bool:
    """Whether an output is opened anew by its name: for writing, whatever it was open for."""
    targets = [redirect.target for redirect in call.redirects if redirect.target is not None]
    return any("/dev/std" in (word.value or "") for word in (*call.words, *targets))
