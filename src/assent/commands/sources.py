"""Looking at source trees as a whole: lines counted by cloc, scc and tokei, and the tags of ctags."""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

ARCHIVES = (".tar", ".gz", ".tgz", ".bz2", ".xz", ".zip", ".whl", ".ear", ".jar", ".war", ".deb", ".rpm", ".Z", ".src")


@turns_off("--list-file")
def _unpacking(args: Args) -> Iterator[Fact]:
    """cloc starts other programs to unpack archives."""
    if any((word.value or word.pattern).endswith(ARCHIVES) for word in args.operands):
        yield args.gap("unpacks archives with other programs")
    if not args.operands and not args.has("--list-file"):
        yield args.gap("nothing says what to count")


@turns_off("-e -f -x --list-languages --list-kinds --list-maps --list-fields --filter --options")
def _tagging(args: Args) -> Iterator[Fact]:
    """The tags go to `tags`, or to `TAGS` for Emacs, unless they are printed."""
    if not args.has("-x", "-f", "--filter", "--list-languages", "--list-kinds", "--list-maps", "--list-fields"):
        name = "TAGS" if args.has("-e") else "tags"
        yield from args.file("write", Word(name, name))
    deep = args.has("-R", "--recurse")
    for word in args.operands or ([Word(".", ".")] if deep else []):
        yield from args.file("read", word, deep=deep)
    if args.has("-L"):
        yield args.gap("names of files it reads stand in another file", reading=True)
    if {word.value for word in args.values("--options")} != {"NONE"}:
        yield args.gap("files in .ctags.d may hold further options")


CTAGS = Program(
    "-a -e -f,-o=write -n -N -R -u -x -V --append[=] --recurse[=] --languages= --exclude= --exclude-exception="
    " --fields= --extras= --extra= --kinds-all= --sort= --tag-relative[=] --totals[=] --excmd= --output-format="
    " --format= --language-force= --links[=] --quiet[=] --verbose[=] --c-kinds= --c++-kinds= --python-kinds="
    " --java-kinds= --go-kinds= --javascript-kinds= --php-kinds= --ruby-kinds= --rust-kinds= --langmap= --map-all="
    " --if0[=] --line-directives[=] --list-languages --list-kinds[=] --list-maps[=] --list-fields[=] --filter[=]"
    " -L=read --options= --version --help",
    "text*",
    more=_tagging,
)

PROGRAMS = {
    "cloc": Program(
        "--by-file --by-file-by-lang --by-percent= --json --yaml --csv --md --xml --quiet --progress-rate= --hide-rate"
        " --exclude-dir= --exclude-ext= --exclude-lang= --include-ext= --include-lang= --exclude-list-file=read"
        " --list-file=read --match-d= --not-match-d= --match-f= --not-match-f= --fullpath --follow-links"
        " --skip-uniqueness --skip-win-hidden --max-file-size= --timeout= --processes= --sum-one --show-lang[=]"
        " --show-ext[=] --no-recurse --csv-delimiter= --out,--report-file=write --ignored=write --counted=write"
        " --found=write --no-autogen --unix --windows --3 --v[=] --version --help",
        "tree*",
        more=_unpacking,
    ),
    "scc": Program(
        "--avg-wage= --binary --by-file --ci --cocomo-project-type= --count-as= --currency-symbol= --debug"
        " --exclude-dir= -x,--exclude-ext= -n,--exclude-file= --file-gc-count= -f,--format= --gen"
        " --generated-markers= -i,--include-ext= --include-symlinks --large-byte-count= --large-line-count= --min"
        " -z,--min-gen --min-gen-line-length= --no-cocomo -c,--no-complexity -d,--no-duplicates --no-gen"
        " --no-gitignore --no-ignore --no-large --no-min --no-min-gen --no-size -M,--not-match= -o,--output=write"
        " --size-unit= -s,--sort= -t,--trace -v,--verbose -w,--wide -l,--languages --version -h,--help",
        "tree*",
        ".",
    ),
    "tokei": Program(
        "-c,--columns= -e,--exclude= -f,--files -i,--input=read --hidden -l,--languages --no-ignore"
        " --no-ignore-parent --no-ignore-dot --no-ignore-vcs -n,--num-format= -o,--output= --streaming= -s,--sort="
        " -r,--rsort= -t,--type,--types= -C,--compact -v,--verbose -V,--version -h,--help",
        "tree*",
        ".",
    ),
    **dict.fromkeys(("ctags", "ctags-universal"), CTAGS),
}

OPTIONS_GAP = "files in .ctags.d may hold further options"
EXAMPLES = {
    "cloc src --json --quiet": "read src/**",
    "cloc . --out=a": "write a | read ./**",
    "cloc x.tar.gz": "read x.tar.gz/** | gap cloc: unpacks archives with other programs",
    "cloc --vcs=git": "note cloc | gap cloc: option --vcs is not known | gap cloc: nothing says what to count",
    "scc": "read ./**",
    "scc -f json -o a src": "write a | read src/**",
    "scc --format-multi 'json:a' src": "read json:a/** | read src/** | gap scc: option --format-multi is not known",
    "tokei src -o json": "read src/**",
    "ctags -R src": f"write tags | read src/** | gap ctags: {OPTIONS_GAP}",
    "ctags -R --options=NONE -f a": "write a | read ./**",
    "ctags -x --c-kinds=f src/a": f"read src/a | gap ctags: {OPTIONS_GAP}",
    "ctags --options=NONE -L data.txt": "read data.txt | write tags"
    " | gap ctags: names of files it reads stand in another file",
    "ctags --options=NONE --_echo=x src": "write tags | read src | gap ctags: option --_echo is not known",
    "ctags -e --recurse --options=NONE src": "write TAGS | read src/**",
    "ctags-universal --options=NONE --list-languages": "note ctags-universal",
}
