"""Trees of subcommands written flat: `{"ps volume/ls": Program()}` is the command `ps` and the command `volume ls`."""

from __future__ import annotations

from assent.commands.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Tree = dict[str, "Program | Tree"]


SHORTEST = 2


def nested(table: Mapping[str, Program], options: str = "", style: str = "bare") -> dict[str, Program]:
    """Programs by their first word; a group in between takes `options` before its subcommand.

    A group alone prints its help, unless another `style` says that it does more.
    """
    tree: Tree = {}
    for paths, program in table.items():
        for path in paths.split():
            *groups, name = path.split("/")
            place = tree
            for group in groups:
                inner = place.setdefault(group, {})
                if isinstance(inner, Program):
                    raise TypeError(f"{path}: {group} is a command, not a group of commands")
                place = inner
            if name in place:
                raise ValueError(f"{path} is described twice")
            place[name] = program
    return _programs(tree, options, style)


def _programs(tree: Tree, options: str, style: str) -> dict[str, Program]:
    return {
        name: inner
        if isinstance(inner, Program)
        else Program(options, commands=_programs(inner, options, style), style=style)
        for name, inner in tree.items()
    }


class Shortened(dict[str, Program]):
    """Subcommands that may be cut short, where only one of them begins so: `npm pub` is `npm publish`."""

    def get(self, name: str, otherwise: Program | None = None) -> Program | None:  # type: ignore[override] # no default of another type
        found = super().get(name)
        if found is None and len(name) >= SHORTEST:
            meant = {id(program): program for known, program in self.items() if known.startswith(name)}
            found = next(iter(meant.values())) if len(meant) == 1 else None
        return otherwise if found is None else found


def does(
    kind: str, target: str, code: str, options: str, operands: str = "text*", *, files: tuple[str, ...] = ()
) -> Program:
    """A command whose words only choose what it does one known thing to, and the files in which that is kept."""
    return Program(options, operands, does=((kind, target, code), *(("write", file, "") for file in files)))


def either(options: str) -> str:
    """Options that may be written with one dash or two, as programs in Go take them."""
    spelled = []
    for item in options.split():
        names, equals, role = item.partition("=")
        optional = "[" if names.endswith("[") else ""
        plain = names.removesuffix("[").split(",")
        spelled.append(f"{','.join([*plain, *(f'-{name}' for name in plain)])}{optional}{equals}{role}")
    return " ".join(spelled)
