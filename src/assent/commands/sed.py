"""sed: prints its files changed; `-i` changes them, and its scripts may read, write and run more."""

from __future__ import annotations

from assent.commands import sed_script
from assent.commands.program import Program, turns_off
from assent.types import REWRITTEN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LONGEST_SCRIPT = 10_000


@turns_off("-e -f -i")
def _editing(args: Args) -> Iterator[Fact]:
    scripts, files = _scripts_and_files(args)
    actions = _actions(scripts)
    yield from _scripted(args, scripts, actions)
    in_place = args.has("-i")
    shows = not in_place or args.has("-f") or any(kind != "read" for kind, _ in actions)
    for word in files:
        if shows:
            yield from args.file("read", word)
        if in_place:
            found = "/**/" in word.pattern and not any(suffix.value for suffix in args.values("-i"))
            yield from args.file("write", word, code=REWRITTEN if found else "")
            yield from _backup(args, word)


def _actions(scripts: list[Word]) -> list[tuple[str, str]]:
    """What the scripts do; all together they are one, a line for each."""
    if any(word.value is None for word in scripts) or sum(len(word.value or "") for word in scripts) > LONGEST_SCRIPT:
        return [("unknown", "")]
    return list(sed_script.does("\n".join(word.value or "" for word in scripts)))


def _scripts_and_files(args: Args) -> tuple[list[Word], list[Word]]:
    """The first operand is the script, unless `-e` or `-f` gives one. BSD's `-i ''` puts an empty suffix before it."""
    if args.has("-e", "-f"):
        return args.values("-e"), args.operands
    if not args.operands:
        return [], []
    skipped = 1 if args.has("-i") and args.operands[0].value == "" and len(args.operands) > 1 else 0
    return args.operands[skipped : skipped + 1], args.operands[skipped + 1 :]


def _scripted(args: Args, scripts: list[Word], actions: list[tuple[str, str]]) -> Iterator[Fact]:
    if args.has("-f"):
        yield args.gap("a script in a file is not read")
    elif not scripts:
        yield args.gap("no script is given")
    for kind, what in actions:
        if kind == "unknown":
            yield args.gap("the script is not known", blind=True)
        elif kind == "run":
            yield args.effect("run", what, "inline")
        elif kind == "gap":
            yield args.gap(f"the script is not understood: {what}")
        else:
            yield from args.act(kind, Word(what, what))


def _backup(args: Args, word: Word) -> Iterator[Fact]:
    """The file that `-i.bak` keeps; a `*` in the suffix stands for the name."""
    for suffix in args.values("-i"):
        path = word.value or word.pattern
        if not suffix.value or not path:
            continue
        folder, slash, name = path.rpartition("/")
        kept = suffix.value.replace("*", name) if "*" in suffix.value else f"{name}{suffix.value}"
        kept = kept if "/" in kept else f"{folder}{slash}{kept}"
        yield from args.file("write", Word(kept, kept) if word.value else Word(kept, None, word.why, kept))


PROGRAMS = {
    "sed": Program(
        "-n,--quiet,--silent --debug -e,--expression= -f,--file=read --follow-symlinks -i,--in-place[=]"
        " --line-length= --posix -b,--binary -E,-r,--regexp-extended -s,--separate --sandbox -u,--unbuffered"
        " -z,--null-data,--zero-terminated --help --version",
        "text*",
        more=_editing,
    ),
}
PROGRAMS["gsed"] = PROGRAMS["sed"]

EXAMPLES = {
    "sed -n '1,3p' README.md": "read README.md",
    "sed -n '1,3p;10q' README.md": "read README.md",
    "sed -n '$p' README.md": "read README.md",
    "sed -n '/hello/,/line/ { /TODO/!p; =; }' README.md": "read README.md",
    "sed -e 's/a/e/g' -e 's|x|/|2p;s,y,,gI' data.txt": "read data.txt",
    "sed 's#<[^>]*>##g; s/[[:space:]]*$//' README.md": "read README.md",
    "sed ':a;N;$!ba;s/\\n/,/g' data.txt": "read data.txt",
    "sed '$!N;P;D' data.txt": "read data.txt",
    "sed 'y/abc/xyz/;l 40;1~2d;0,/a/d;2,+3p;/x/Id' data.txt": "read data.txt",
    "sed '1i first; rm x' data.txt": "read data.txt",
    "sed '$a\\' data.txt": "read data.txt",
    "sed -e '1a\\' -e 'e touch a' data.txt": "read data.txt",
    "sed '1a text\ne touch a' data.txt": "run touch a #inline | read data.txt",
    "ls | sed 's/a/b/'": "list . | note sed",
    "sed 's/[^\\/]*$//;s/[]\\/]x/&/' data.txt": "read data.txt",
    "sed 's/[\\\\/]/x/' data.txt": "read data.txt"
    " | gap sed: the script is not understood: a delimiter inside of brackets",
    "sed s/a/b/ data.txt -n": "read data.txt",
    "sed -n p .env": "read .env",
    "sed -i 's/world/there/' README.md": "write README.md",
    "sed -i.bak 's/a/b/' data.txt src/a": "write data.txt | write data.txt.bak | write src/a | write src/a.bak",
    "sed --in-place='old/*.orig' d data.txt": "write data.txt | write old/data.txt.orig",
    "sed -i '' 's/a/b/' data.txt": "write data.txt",
    "sed s/a/b/ data.txt -i": "write data.txt",
    "sed -ni p *.txt": "maybe list *.txt (glob) #names | write *.txt (glob)",
    "sed -n 's/a/b/w out' data.txt": "write out | read data.txt",
    "sed -i 'w out; p' data.txt": "write out; p | read data.txt | write data.txt",
    "sed -n '1,1wpwned' README.md": "write pwned | read README.md",
    "sed -n 'W pwned' README.md": "write pwned | read README.md",
    "sed -i 'w /dev/stdout' .env": "read .env | write .env",
    "sed 'w /dev/stdout' README.md": "read README.md",
    "sed 'r .env' README.md": "read .env | read README.md",
    "sed '$!{N;R x\n}' README.md": "read x | read README.md",
    "sed -nE -s -z '1e touch pwned' README.md": "run touch pwned #inline | read README.md",
    "sed -E 's|hello.*|touch pwned|;e' README.md": "run the line it reads #inline | run touch pwned #inline"
    " | read README.md",
    "sed 's/x/touch a/e' README.md": "run touch a #inline | read README.md",
    "sed 's/x/y/ge;p' README.md": "run y #inline | read README.md",
    "sed 's/[/]/e/' data.txt": "read data.txt | gap sed: the script is not understood: a delimiter inside of brackets",
    "sed 'M' data.txt": "read data.txt | gap sed: the script is not understood: command `M`",
    "sed '{p' data.txt": "read data.txt | gap sed: the script is not understood: a block is not closed",
    "sed p x e": "read x | read e",
    "sed --express=p data.txt": "read data.txt | note sed | blind sed: option --express is not known, it may mean"
    " --expression | gap sed: the script is not understood: `a` behind a command",
    "sed -l 5 p": "read p | gap sed: option -l is not known"
    " | gap sed: the script is not understood: an address without a command",
    'sed "s/a/$X/" data.txt': "read data.txt | blind sed: the script is not known",
    "sed -f x.sed data.txt": "read x.sed | read data.txt | gap sed: a script in a file is not read",
    "gsed -i p data.txt": "write data.txt",
    'sed "s/.*/cat ~\\\\/.ssh\\\\/id_rsa/e" README.md': "run cat ~/.ssh/id_rsa #inline | read README.md",
}
