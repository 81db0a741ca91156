"""Names, types, sizes and owners of files: what is there, not what is in it (only `file` opens what it is given)."""

from __future__ import annotations

from assent.commands.files import PROGRAMS as FILES
from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
TREE_VALUES = "LPIoHT"
NAMES_IN_A_FILE = "the names of the files stand in another file"


def _deep_listing(args: Args) -> Iterator[Fact]:
    """eza, lsd: `-R` and `--tree` go below."""
    for word in args.operands or _here():
        yield from args.file("list", word, deep=args.has("-R", "-T", "--tree"))


def _trees(args: Args) -> Iterator[Fact]:
    for word in args.operands or _here():
        yield from args.file("list", word, deep=True, follows="all" if args.has("-l") else "")
    if any(map(_hides_a_value, args.call.words[1:])):
        yield args.gap("options that share a word take their values from the words behind it", blind=True)


def _hides_a_value(word: Word) -> bool:
    """`tree -Io x out`: unlike elsewhere `o` is no value of `-I` but an option, and writes `out`."""
    text = word.value or ""
    if not text.startswith("-") or text.startswith("--"):
        return False
    places = [place for place, sign in enumerate(text[:-1]) if sign in TREE_VALUES]
    return bool(places) and not (text[places[0]] == "L" and text[places[0] + 1 :].isdigit())


def _recursive(args: Args) -> Iterator[Fact]:
    for word in args.operands or _here():
        yield from args.file("list", word, deep=args.has("-R"))


@turns_off("-d")
def _attributes(args: Args) -> Iterator[Fact]:
    """`lsattr` opens files to ask for their flags, those in a folder too."""
    for word in args.operands or _here():
        yield from args.file("read", word, deep=args.has("-R") or not args.has("-d"))


@turns_off("--files0-from")
def _sizes(args: Args) -> Iterator[Fact]:
    """`du` looks at everything below."""
    if args.has("--files0-from"):
        yield args.gap(NAMES_IN_A_FILE, reading=True)
    for word in args.operands or ([] if args.has("--files0-from") else _here()):
        yield from args.file("list", word, deep=True, follows="all" if args.has("-L") else "")


def _browsing(args: Args) -> Iterator[Fact]:
    for word in args.operands or _here():
        yield from args.file("list", word, deep=True)
    yield args.gap("its keys can delete files and start a shell")


def _kinds_of_files(args: Args) -> Iterator[Fact]:
    """`-m` names files, or folders of them, with a colon between."""
    for word in args.values("-m"):
        names = [word] if word.value is None else [Word(word.text, name) for name in word.value.split(":")]
        for name in names:
            yield from args.act("tree", name)
    if args.has("-f"):
        yield args.gap(NAMES_IN_A_FILE, blind=True, reading=True)


def _here() -> list[Word]:
    return [Word(".", ".")]


EZA = Program(
    "-1,--oneline -l,--long -G,--grid -x,--across -R,--recurse -T,--tree -F,--classify[=] --color,--colour[=]"
    " --color-scale,--colour-scale[=] --icons[=] --no-icons --no-quotes --hyperlink -w,--width= -a,--all"
    " -A,--almost-all -d,--list-dirs -L,--level= -r,--reverse -s,--sort= --group-directories-first"
    " --group-directories-last -D,--only-dirs -f,--only-files -I,--ignore-glob= --git-ignore -b,--binary -B,--bytes"
    " -g,--group --smart-group -h,--header -H,--links -i,--inode -m,--modified -M,--mounts -n,--numeric -O,--flags"
    " -S,--blocksize,--blocks -t,--time= -u,--accessed -U,--created --changed -X,--dereference -Z,--context"
    " -@,--extended --time-style= --total-size -o,--octal-permissions --no-permissions --no-filesize --no-user"
    " --no-time --git --no-git -v",
    "text*",
    more=_deep_listing,
)

PROGRAMS = {
    "dir": FILES["ls"],
    "vdir": FILES["ls"],
    "exa": EZA,
    "eza": EZA,
    "lsd": Program(
        "-a,--all -A,--almost-all -l,--long -1,--oneline -R,--recursive -h,--human-readable --tree --depth="
        " -d,--directory-only -F,--classify -S,--sizesort -t,--timesort -X,--extensionsort -G,--gitsort"
        " -v,--versionsort -U,--no-sort -r,--reverse -L,--dereference -i,--inode -g,--git --color= --icon="
        " --icon-theme= --group-dirs= --group-directories-first --size= --date= --total-size --header --blocks="
        " --permission= --sort= -I,--ignore-glob= --no-symlink --classic --hyperlink= -V",
        "text*",
        more=_deep_listing,
    ),
    "tree": Program(
        "-a -d -l -f -x -L= -P= -I= --gitignore --gitfile=read --matchdirs --metafirst --ignore-case --noreport"
        " --charset= --filelimit= --du --prune --info --infofile=read -o=write -q -N -Q -p -u -g -s -h --si -D -F"
        " --inodes --device --timefmt= -v -t -c -U -r --dirsfirst --filesfirst --sort= -i -A -S -n -C -X -J -H= -T="
        " --nolinks --hintro=read --houtro=read",
        "text*",
        more=_trees,
    ),
    "stat": Program("-L,--dereference -f,--file-system --cached= -c,--format= --printf= -t,--terse -x -s -r", "list*"),
    "file": Program(
        "-m,--magic-file= -b,--brief -c,--checking-printout -e,--exclude= --exclude-quiet= -f,--files-from=read"
        " -F,--separator= -i,--mime -I --apple --extension --mime-type --mime-encoding -k,--keep-going -l,--list"
        " -L,--dereference -h,--no-dereference -n,--no-buffer -N,--no-pad -0,--print0"
        " -P,--parameter= -r,--raw -s,--special-files -d -v",
        "read*",
        more=_kinds_of_files,
    ),
    "du": Program(
        "-0,--null -a,--all --apparent-size -A -B,--block-size= -b,--bytes -c,--total -D,--dereference-args"
        " -d,--max-depth= --files0-from=read -H -h,--human-readable --inodes -k -L,--dereference -l,--count-links -m"
        " -P,--no-dereference -S,--separate-dirs --si -s,--summarize -t,--threshold= --time[=] --time-style="
        " -X,--exclude-from=read --exclude= -x,--one-file-system -g",
        "text*",
        more=_sizes,
    ),
    "ncdu": Program(
        "-q -x -r -e --si --color= --exclude= -X,--exclude-from=read -o=write -f=read -0 -1 -2", "text?", more=_browsing
    ),
    "readlink": Program(
        "-f,--canonicalize -e,--canonicalize-existing -m,--canonicalize-missing -n,--no-newline -q,--quiet -s,--silent"
        " -v,--verbose -z,--zero",
        "list*",
        style="lists",
    ),
    "realpath": Program(
        "-e,--canonicalize-existing -E,--canonicalize -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet"
        " --relative-to=list --relative-base=list -s,--strip,--no-symlinks -z,--zero",
        "list*",
        style="lists",
    ),
    "pathchk": Program("-p -P --portability", "list*", style="lists"),
    "namei": Program(
        "-x,--mountpoints -m,--modes -o,--owners -l,--long -n,--nosymlinks -v,--vertical -Z,--context -h -V", "list*"
    ),
    "lsattr": Program("-R -V -d -l -p -v", "text*", more=_attributes),
    "getfacl": Program(
        "-a,--access -d,--default -c,--omit-header -e,--all-effective -E,--no-effective -s,--skip-base -R,--recursive"
        " -L,--logical -P,--physical -t,--tabular -p,--absolute-names -n,--numeric -v -h",
        "text*",
        more=_recursive,
    ),
    "dircolors": Program("-b,--sh,--bourne-shell -c,--csh,--c-shell -p,--print-database --print-ls-colors", "read?"),
}

EXAMPLES = {
    "dir": "list .",
    "vdir -a docs": "list docs",
    "exa --long --all": "list .",
    "eza -T -L 2 --icons --git src": "list src/**",
    "lsd --tree docs": "list docs/**",
    "tree": "list ./**",
    "tree -L 2 -I 'node_modules|dist' --dirsfirst src": "list src/**",
    "tree -aL2 docs": "list docs/**",
    "tree -o b docs": "write b | list docs/**",
    "tree -Io x b": "list x/** | list b/**"
    " | blind tree: options that share a word take their values from the words behind it",
    "tree -R docs": "list docs/** | gap tree: option -R is not known",
    "tree --fromfile a": "list a/** | gap tree: option --fromfile is not known",
    "stat -c %s README.md": "list README.md",
    "stat -c '%a %n' a b": "list a | list b",
    "file a": "read a",
    "file -bi --mime-type a": "read a",
    "file -f a": f"read a | blind file: {NAMES_IN_A_FILE}",
    "file -m b:c a": "read a | read b/** | read c/**",
    "file -C -m b": "read b/** | gap file: option -C is not known",
    "du -sh docs src": "list docs/** | list src/**",
    "du -a --max-depth=1": "list ./**",
    "du -ch --files0-from=a": f"read a | gap du: {NAMES_IN_A_FILE}",
    "ncdu docs": "list docs/** | gap ncdu: its keys can delete files and start a shell",
    "readlink -f a": "list a",
    "realpath --relative-to=docs a": "list docs | list a",
    "pathchk -p a": "list a",
    "namei -l a": "list a",
    "lsattr -R docs": "read docs/**",
    "lsattr": "read ./**",
    "lsattr -d docs": "read docs",
    "getfacl -R docs": "list docs/**",
    "dircolors -b a": "read a",
    'readlink -f "$x"': "list //**",
    'realpath "$x" a': "list //** | list a",
    'stat "$x"': "note stat | blind stat: a word is not known (variable x) | blind stat: lists a path that is not"
    " known (variable x)",
}
