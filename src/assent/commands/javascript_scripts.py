"""Packages and scripts of `package.json`: sentences that npm, pnpm, yarn, bun and deno share; no programs."""

from __future__ import annotations

from assent.commands.program import passes_on, turns_off
from assent.commands.projects import chosen, makes, only_asks, packs, unmarked, within
from assent.commands.said import if_said, is_only
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.commands.projects import More

PACKAGE = "package.json"
REGISTRY = "https://registry.npmjs.org/"
ADDRESSES = ("git+", "git:", "git@", "github:", "gitlab:", "http://", "https://", "ssh://")
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


def own_copy(part: More) -> More:
    """A program that hands over to the project's copy of itself, even to tell its version; style `starts`."""

    @turns_off("-h -v")
    def more(args: Args) -> Iterator[Fact]:
        if not is_only(args, "-h", "-v"):
            yield from part(args)
            return
        names = (args.name, f"{args.name}-cli")
        copies = tuple(f"{'../' * above}node_modules/{name}" for above in range(4) for name in names)
        yield from if_said(args, args.project(args.name, copies), copies, "")

    return passes_on(more, part)


def fixed(args: Args) -> Iterator[Fact]:
    """`test`, `start`: scripts with a subcommand of their own."""
    yield from package_run(args, args.name)


def packing(args: Args) -> Iterator[Fact]:
    """`pack` and `publish` run the scripts that prepare a package."""
    if not only_asks(args):
        yield from package_run(args, args.name)
        yield from packs(args)


def installing(lock: str) -> More:
    """Fetches packages, runs their scripts and those of the project, and writes what it did."""

    @turns_off("-g --ignore-scripts")
    def more(args: Args) -> Iterator[Fact]:
        yield from args.reach(REGISTRY)
        for word in args.operands:
            yield from _package(args, word)
        if args.has("-g"):
            return
        if not args.has("--ignore-scripts"):
            yield from package_run(args, args.name, lock)
        yield from makes("node_modules/", PACKAGE, lock)(args)

    return more


def _package(args: Args, word: Word) -> Iterator[Fact]:
    """A name from the registry, a folder or an address."""
    text = word.value
    if text is None:
        yield args.gap(f"a package is not known ({word.why})", blind=True)
    elif text.startswith(ADDRESSES):
        url = text.removeprefix("git+")
        yield from args.reach(url if "://" in url else f"https://github.com/{url.partition(':')[2]}")
    elif text.startswith((".", "/", "~", "file:")):
        path = text.removeprefix("file:")
        yield from args.act("tree", Word(path, path))
        yield args.effect("run", f"the scripts of {path}", "program")
