"""Scripts of `package.json`: sentences that npm, pnpm, yarn, bun and deno share; describes no program itself."""

from __future__ import annotations

from assent.commands.projects import chosen, only_asks, unmarked, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

PACKAGE = "package.json"
SETTINGS = {
    "npm": (".npmrc",),
    "pnpm": (".npmrc", ".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml"),
    "yarn": (".yarnrc.yml", ".yarnrc"),
    "bun": (".npmrc", "bunfig.toml"),
    "deno": ("deno.json", "deno.jsonc", "import_map.json"),
}
"""Beside `package.json`, files that say with which shell, options or hooks each of them runs a script.

What lies in `.yarn` and `.pnp.cjs` is too large to be read each time, and nobody writes there unasked.
"""
MANY = frozenset("-w --workspaces --filter -r --recursive -R -A --parallel --resume-from --since".split())
"""Options with which scripts of other packages run, which only the files of the workspace name."""


def scripts(args: Args) -> Iterator[Fact]:
    """`run NAME`: what `package.json` says; without a name it lists them."""
    if not args.operands:
        yield args.effect("note", args.name)
        return
    yield from script_named(args, args.operands[0])


def script_named(args: Args, word: Word) -> Iterator[Fact]:
    if word.value is None:
        yield args.gap(f"which script it runs is not known ({word.why})", blind=True)
    yield from package_run(args, f"{args.name} {word.text}")


def package_run(args: Args, target: str, *locks: str) -> Iterator[Fact]:
    """Runs what `package.json` says, of the folder it runs in or the one that an option moves to."""
    tool = next((word for word in args.name.split() if word in SETTINGS), "")
    folder: str | None = None
    at: Args | None = args
    while at is not None:
        many = at.given.keys() & MANY
        if many and not (tool == "pnpm" and many == {"-w"}):
            yield from unmarked(args, target)
            return
        folder = folder or at.text("--prefix") or at.text("--cwd")
        at = at.parent
    files = within(folder, (PACKAGE, *SETTINGS.get(tool, ()), *locks))
    yield from args.project(target, (*chosen(args), *files))


def fixed(args: Args) -> Iterator[Fact]:
    """`test`, `start`: scripts with a subcommand of their own."""
    yield from package_run(args, args.name)


def packing(args: Args) -> Iterator[Fact]:
    """`pack` and `publish` run the scripts that prepare a package."""
    if not only_asks(args):
        yield from package_run(args, args.name)
