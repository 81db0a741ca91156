"""Applying patches: patch, and apply_patch, which Codex and other hosts bring along or carry out themselves.

A patch that stands in the command line is read, so that the files it names are judged like any others.
"""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.inputs import input_text
from assent.commands.program import Program, turns_off
from assent.patches import read_patch
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

HOSTS_OWN = frozenset({"apply_patch", "applypatch"})
"""Programs that exist only where the host starts them: in a sandbox of ours there are none."""
NAMED_INSIDE = "changes the files that the patch names"


@turns_off("--dry-run -d")
def _patching(args: Args) -> Iterator[Fact]:
    """`patch [file [patch]]`: without a file the names inside the patch say what changes, below the folder."""
    for word in args.operands[1:]:
        yield from args.act("read", word)
    folder = (args.values("-d") or [Word(".", ".")])[-1]
    target = args.operands[0] if args.operands else None
    if args.has("--dry-run"):
        yield from args.act("list", target or folder)
        return
    if target is not None and not args.has("-d"):
        yield from args.act("write", target)
    else:
        yield from args.act("into", folder)
    yield from named_by(args, input_text(args.call), folder)
    yield args.gap(NAMED_INSIDE)


def named_by(args: Args, text: str | None, folder: Word) -> Iterator[Effect]:
    """The files that a patch on standard input names, as far as it can be read; how many folders are cut is open."""
    for effect in read_patch(_from_first_file(text), _ignore, _ignore) if text and folder.value else ():
        path = f"{folder.value}/{effect.target}" if folder.value != "." else effect.target
        for fact in args.files(effect.kind, Word(path, path), possible=True):
            if isinstance(fact, Effect):
                yield replace(fact, mentioned=True)


def _from_first_file(text: str) -> str:
    """A patch without the mail or the words before it, which programs skip."""
    at = [place for mark in ("diff --git ", "--- ", "*** ", "Index: ") if (place := f"\n{text}".find(f"\n{mark}")) >= 0]
    return text[min(at) :] if at else text


def _ignore(_: str) -> None:
    """Whatever is odd about the text, that the program changes what it names is said anyway."""


def _applying(args: Args) -> Iterator[Fact]:
    """The patch is the one word or standard input; a host that carries it out itself reads the text as it stands."""
    texts = [word.value for word in args.operands]
    if not texts or args.has_input:
        texts.append(input_text(args.call))
    for text in texts:
        if text is None:
            yield args.gap("applies a patch that is not known", blind=True)
            continue
        doubts: list[str] = []
        for effect in read_patch(_unwrapped(text), doubts.append, doubts.append):
            yield from _placed(args, effect)
        yield from [args.gap(why, blind=True) for why in doubts]


def _placed(args: Args, effect: Effect) -> Iterator[Fact]:
    for fact in args.files(effect.kind, Word(effect.target, effect.target), possible=effect.possible):
        yield mention(fact) if effect.possible else fact


def _unwrapped(text: str) -> str:
    """The text without a heredoc around it, which models write even where no shell reads it."""
    first, _, rest = text.strip().partition("\n")
    mark = first.removeprefix("<<").strip("'\"") if first.startswith("<<") else ""
    body, _, last = rest.rpartition("\n")
    return body if mark and last.strip() == mark else text


APPLY = Program("", "text*", more=_applying, style="plain")
PROGRAMS = {
    "patch": Program(
        "-p,--strip= -F,--fuzz= -l,--ignore-whitespace -c,--context -n,--normal -u,--unified -N,--forward -R,--reverse"
        " -i,--input=read -o,--output=write -r,--reject-file=write -D,--ifdef= --merge[=] -E,--remove-empty-files"
        " -Z,--set-utc -T,--set-time --quoting-style= -b,--backup --backup-if-mismatch --no-backup-if-mismatch"
        " -V,--version-control= -z,--suffix= -t,--batch -f,--force -s,--quiet,--silent --verbose --dry-run --posix"
        " -d,--directory= --reject-format= --binary --read-only= -v",
        "text? text?",
        more=_patching,
        style="streams",
    ),
    "apply_patch": APPLY,
    "applypatch": APPLY,
}

BEGIN, END = "*** Begin Patch", "*** End Patch"
EXAMPLES = {
    "patch -p1 -i a": f"read a | write ./** | gap patch: {NAMED_INSIDE}",
    "patch -p1 < a": f"read a #redirect | write ./** | gap patch: {NAMED_INSIDE}",
    "patch -d docs < a": f"read a #redirect | write docs/** | gap patch: {NAMED_INSIDE}",
    "patch b a": f"read a | write b | gap patch: {NAMED_INSIDE}",
    "patch --dry-run -p1 -i a": "read a | list .",
    "patch -e b a": f"read a | write b | gap patch: option -e is not known | gap patch: {NAMED_INSIDE}",
    "patch -p1 <<'X'\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nX": "write ./** | maybe write x | maybe read x"
    f" | maybe write a/x | maybe write b/x | gap patch: {NAMED_INSIDE}",
    f"apply_patch <<'X'\n{BEGIN}\n*** Add File: a\n+x\n*** Delete File: b\n{END}\nX": "write a | delete b",
    f"applypatch '{BEGIN}\n*** Update File: a\n@@\n-x\n+y\n{END}'": "write a | maybe read a",
    f"cd src && apply_patch <<'X'\n{BEGIN}\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n{END}\nX": "list src"
    " | write /p/src/a | maybe read /p/src/a | delete /p/src/a | write /p/src/b",
    "apply_patch < a": "read a #redirect | note apply_patch | blind apply_patch: applies a patch that is not known",
    "apply_patch frob": "note apply_patch | blind apply_patch: has a line that is not understood: `frob`",
}
