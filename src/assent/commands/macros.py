"""Programs with a small language of their own, in which a text may start others: m4 and dc."""

from __future__ import annotations

from assent.commands.inputs import input_text
from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

OPENING = ("include(", "undivert(")
QUOTES = "`'\" "


def _macros(args: Args) -> Iterator[Fact]:
    """Files and standard input hold macros; `syscmd(id x)` starts a shell, `include(a)` shows a file."""
    for word in args.operands:
        yield from args.act("script", word)
    if not args.operands or any(word.value == "-" for word in args.operands):
        yield args.effect("run", "m4 code", "stdin")
    for text in (input_text(args.call), *(word.value for word in args.values("-D"))):
        yield from _called(args, text or "")
    yield args.gap("what macros do is not followed")


def _called(args: Args, text: str) -> Iterator[Fact]:
    for piece in text.split("syscmd(")[1:]:
        yield args.effect("run", piece.partition(")")[0].strip(QUOTES), "inline")
    for opening in OPENING:
        for piece in text.split(opening)[1:]:
            path = piece.partition(")")[0].strip(QUOTES)
            yield from args.file("read", Word(path, path))


@turns_off("-e")
def _calculated(args: Args) -> Iterator[Fact]:
    """`!id x` hands the rest of a line to a shell."""
    texts = [word.value or "" for word in args.values("-e")]
    if not args.has("-e", "-f") and not args.operands:
        texts.append(input_text(args.call) or "")
        yield args.effect("run", "dc code", "stdin")
    for line in "\n".join(texts).split("\n"):
        started = line.partition("!")[2].strip()
        if started:
            yield args.effect("run", started, "inline")
    yield args.gap("what it calculates may start programs")


PROGRAMS = {
    "m4": Program(
        "-D,--define= -U,--undefine= -I,--include=list -E,--fatal-warnings -P,--prefix-builtins -Q,--quiet,--silent"
        " -s,--synclines -G,--traditional -g,--gnu -L,--nesting-limit= -F,--freeze-state=write -R,--reload-state=read"
        " -d,--debug[=] -l,--arglength= -o,--debugfile= -t,--trace= -i,--interactive --help --version",
        "text*",
        more=_macros,
    ),
    "dc": Program("-e,--expression= -f,--file=script -h,--help -V,--version", "script*", more=_calculated),
}

EXAMPLES = {
    "m4 a": "read a | run a #script | gap m4: what macros do is not followed",
    "m4 <<< 'syscmd(id x)'": "run m4 code #stdin | run id x #inline | gap m4: what macros do is not followed",
    "m4 <<< 'include(`b'\\'')'": "run m4 code #stdin | read b | gap m4: what macros do is not followed",
    "m4 -Dx='esyscmd(id x)' a": "read a | run a #script | run id x #inline | gap m4: what macros do is not followed",
    "m4 --version": "note m4",
    "m4 --foo a": "read a | run a #script | gap m4: option --foo is not known | gap m4: what macros do is not followed",
    "dc -e '1 2 + p'": "note dc | gap dc: what it calculates may start programs",
    "dc -e '!id x'": "run id x #inline | gap dc: what it calculates may start programs",
    "dc <<< '!id x'": "run dc code #stdin | run id x #inline | gap dc: what it calculates may start programs",
    "dc a": "read a | run a #script | gap dc: what it calculates may start programs",
}
