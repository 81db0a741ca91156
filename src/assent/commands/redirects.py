"""What the shell opens before a program runs: every redirect is an effect of its own."""

from __future__ import annotations

from assent.commands.args import Args
from assent.commands.program import Program

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
        yield from args.reach(f"https://{host}:{port}" if port.isdigit() else f"https://{host}", shown=target.value)
        return
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
