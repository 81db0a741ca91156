"""Files that are written without being named in full: by a prefix as of `split`, by place as of `uniq *`."""

from __future__ import annotations

from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

GLOB_SIGNS = "*?["


def written_by_place(args: Args) -> Iterator[Fact]:
    """One glob may become several names, so each of them counts as written too."""
    for at, word in enumerate(args.operands):
        one_name = word.text == "{}" and at + 1 < len(args.operands)  # `find` puts several names only at the end
        if word.pattern and not one_name:
            yield from args.act("write", word)


def pieces(args: Args, prefix: Word) -> Iterator[Fact]:
    """Any number of new files whose names begin in one way."""
    if prefix.value is None:
        yield from args.act("write", prefix)
        return
    folder, slash, stem = prefix.value.rpartition("/")
    only = "" if any(sign in stem for sign in GLOB_SIGNS) else f"{stem}*"
    place = Word(prefix.text, folder or ("/" if slash else "."))
    yield from args.file("write", place, deep=True, only=only)
    if stem.startswith("."):
        yield args.gap("the pieces are hidden files whose names are not known")
