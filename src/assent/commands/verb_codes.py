"""Programs whose first operand is a verb: some verbs only ask, the others change something that is no file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact


def by_verb(args: Args, asks: frozenset[str], codes: Mapping[str, str], target: str, at: int = 0) -> Iterator[Fact]:
    """Facts about the verb among the operands: none if it asks, else its code; a verb in no table is a gap."""
    if len(args.operands) <= at:
        return
    word = args.operands[at]
    if word.value in asks:
        return
    code = codes.get(word.value or "")
    if code:
        yield args.effect("change", target, code)
    else:
        yield from unknown_verb(args, at)


def unknown_verb(args: Args, at: int = 0) -> Iterator[Fact]:
    word = args.operands[at]
    yield args.effect("run", f"{args.name} {word.text}", "program")
    yield args.gap(f"subcommand {word.text} is not known", blind=word.value is None)


def codes_of(table: Mapping[str, str]) -> dict[str, str]:
    """From `code: verbs` to the code of each verb."""
    return {verb: code for code, verbs in table.items() for verb in verbs.split()}
