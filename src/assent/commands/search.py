"""Looking for text: grep and its kin, ripgrep, ag, ack, ugrep, fzf."""

from __future__ import annotations

from assent.commands.leaving import is_name, without
from assent.commands.program import Program, turns_off
from assent.globs import name_choices
from assent.types import PLAIN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Follows

HERE = Word(".", ".")
NAME_SIGNS = frozenset("*?._-+~")
SHOWN, TRACKED = "search.shown", "search.tracked"
"""Files that ignore files name are skipped; with the first also those that are hidden by a dot."""


def _paths(args: Args, *pattern_options: str) -> list[Word]:
    """The operands behind the pattern; all of them when an option gives it, or when it may become names of files."""
    bare = bool(args.operands) and args.operands[0].many
    return args.operands if bare or args.has(*pattern_options) else args.operands[1:]


def _one_of(globs: list[str]) -> str:
    """One glob for all that are given, which every file that is looked at matches; empty where one is not simple."""
    if not all(
        glob and all(sign in NAME_SIGNS or (sign.isascii() and sign.isalnum()) for sign in glob) for glob in globs
    ):
        return ""
    return globs[0] if len(globs) == 1 else f"{{{','.join(globs)}}}" if globs else ""


def _grepping(given: Args) -> Iterator[Fact]:
    args = given.__class__(given.call, given.number, given.base, given.name, GREP)
    yield from args.take(tuple(map(_with_glob, given.operands)))
    yield from _grepped(args)


def _with_glob(word: Word) -> Word:
    """`--include=*.py` without quotes: whatever names the shell puts there, they are narrower globs of that option."""
    if word.value is None and word.pattern.startswith(("--include=", "--exclude=", "--exclude-dir=")):
        return Word(word.text, word.pattern)
    return word


def _grepped(args: Args) -> Iterator[Fact]:
    """Files are read; folders are looked through, also by `-d recurse`, which may be cut short."""
    recurses = any(word.value is None or word.value.startswith("rec") for word in args.values("-d"))
    paths = _paths(args, "-e", "-f")
    if not recurses and not args.has("-r", "-R") and args.name != "rgrep":
        given = args.has("-e", "-f")
        for at, word in enumerate(paths):
            if at or given or len(paths) < len(args.operands) or word.why != PLAIN or word.pattern:
                yield from args.file("read", word)
        return
    only = (
        ""
        if args.has("--exclude", "--exclude-from")
        else _one_of([word.value or "" for word in args.values("--include")])
    )
    names = [(word.value or "").rstrip("/") for word in args.values("--exclude-dir")]
    if not (args.call.assignments or "env" in args.call.via):  # with POSIXLY_CORRECT it would be the name of a file
        only = without(only, ",".join(filter(is_name, names)))
    follows: Follows | None = "all" if args.has("-R") else None
    for word in paths or [HERE]:
        yield from args.file("search", word, deep=True, only=only, follows=follows)


GREP_OPTIONS = (
    "-E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -e,--regexp= -f,--file=read"
    " -i,-y,--ignore-case --no-ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -c,--count"
    " --color,--colour[=] -L,--files-without-match -l,--files-with-matches -m,--max-count= -o,--only-matching"
    " -q,--quiet,--silent -s,--no-messages -b,--byte-offset -H,--with-filename -h,--no-filename --label="
    " -n,--line-number -T,--initial-tab -Z,--null -z,--null-data -A,--after-context= -B,--before-context="
    " -C,--context= -# --group-separator= --no-group-separator -a,--text --binary-files= -I -U,--binary"
    " --line-buffered -V,--version --help"
)
GREP = Program(
    f"{GREP_OPTIONS} -D,--devices= -d,--directories= --exclude= --exclude-from=read --exclude-dir= --include="
    " -r,--recursive -R,--dereference-recursive",
    "text*",
)
ZGREP = Program(GREP_OPTIONS, "text read*", style="around")


@turns_off("--files --generate --pcre2-version --type-list -e -f -g --iglob")
def _ripgrep(args: Args) -> Iterator[Fact]:
    if args.has("--pre", "--hostname-bin", "-z"):
        if args.has("-z"):
            yield args.effect("run", "programs that unpack", "program")
        yield args.gap("starts another program for what it finds")
    if args.has("--type-list", "--pcre2-version", "--generate"):
        return
    names = args.has("--files")
    paths = args.operands if names else _paths(args, "-e", "-f")
    if not paths and args.has_input and not names:
        return
    globs = [word.value or "" for word in args.values("-g", "--iglob") if (word.value or "")[:1] != "!"]
    only = _one_of([choice for glob in globs for choice in name_choices(glob) or [""]])
    follows: Follows | None = "all" if args.has("-L") else None
    for word in paths or [HERE]:
        if names:
            yield from args.file("list", word, deep=True, follows=follows)
        else:
            code = "" if globs else _skipping(args, word)
            named = word.value not in (".", "./")  # a file named by hand is read whatever the globs say
            yield from args.file("search", word, deep=True, only="" if named else only, code=code, follows=follows)


def _skipping(args: Args, word: Word) -> str:
    """How ignore files hold: a folder named by hand is looked through even if it is ignored itself."""
    if args.has(*RG_UNIGNORING) or word.value not in (".", "./") or args.call.cwds != (args.base,):
        return ""
    if not args.has("-."):
        return SHOWN
    return TRACKED if any(value.value in WITHOUT_GIT for value in args.values("-g", "--iglob")) else ""


WITHOUT_GIT = ("!.git", "!.git/", "!.git/*", "!.git/**", "!**/.git/*", "!**/.git/**")
RG_UNIGNORING = (
    "-u --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-parent"
    " --no-ignore-vcs"
).split()
RG = Program(
    "-e,--regexp= -f,--file=read --pre=run --pre-glob= --hostname-bin=run -z,--search-zip --no-search-zip --no-pre"
    " -s,--case-sensitive --crlf --no-crlf --dfa-size-limit= -E,--encoding= --no-encoding --engine= -F,--fixed-strings"
    " --no-fixed-strings -i,--ignore-case -v,--invert-match --no-invert-match -x,--line-regexp -m,--max-count= --mmap"
    " --no-mmap -U,--multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-unicode --unicode"
    " --null-data -P,--pcre2 --no-pcre2 --regex-size-limit= -S,--smart-case --stop-on-nonmatch -a,--text --no-text"
    " -j,--threads= -w,--word-regexp --auto-hybrid-regex --no-auto-hybrid-regex --no-pcre2-unicode --pcre2-unicode"
    " --binary --no-binary -L,--follow --no-follow -g,--glob= --glob-case-insensitive --no-glob-case-insensitive"
    " -.,--hidden --no-hidden --iglob= --ignore-file=read --ignore-file-case-insensitive"
    " --no-ignore-file-case-insensitive -d,--max-depth,--maxdepth= --max-filesize= --no-ignore --ignore"
    " --no-ignore-dot --ignore-dot --no-ignore-exclude --ignore-exclude --no-ignore-files --ignore-files"
    " --no-ignore-global --ignore-global --no-ignore-parent --ignore-parent --no-ignore-vcs --ignore-vcs"
    " --no-require-git --require-git --one-file-system --no-one-file-system -t,--type= -T,--type-not= --type-add="
    " --type-clear= -u,--unrestricted -A,--after-context= -B,--before-context= -C,--context= --block-buffered"
    " --no-block-buffered --line-buffered --no-line-buffered -b,--byte-offset --no-byte-offset --color= --colors="
    " --column --no-column --context-separator= --no-context-separator --field-context-separator="
    " --field-match-separator= --heading --no-heading --hyperlink-format= --include-zero --no-include-zero"
    " -n,--line-number -N,--no-line-number -M,--max-columns= --max-columns-preview --no-max-columns-preview -0,--null"
    " -o,--only-matching --path-separator= --passthru,--passthrough -p,--pretty -q,--quiet -r,--replace= --sort="
    " --sortr= --sort-files --no-sort-files --trim --no-trim --vimgrep -H,--with-filename -I,--no-filename -c,--count"
    " --count-matches -l,--files-with-matches --files-without-match --json --no-json --debug --trace"
    " --no-ignore-messages --ignore-messages --no-messages --messages --stats --no-stats --files --generate="
    " --no-config --pcre2-version --type-list -h,--help -V,--version",
    "text*",
    more=_ripgrep,
)


@turns_off("-g")
def _silver(args: Args) -> Iterator[Fact]:
    yield from _below(args, _paths(args, "-g"), follows=args.has("-f"))


@turns_off("--match -f")
def _ack(args: Args) -> Iterator[Fact]:
    for word in args.values("-A", "-B", "-C"):
        if not (word.value or "").isdigit():
            yield args.gap(f"`{word.text}` may be no number of lines", reading=True)
    yield from _below(args, _paths(args, "--match", "-f"), follows=args.has("--follow"))


@turns_off("-e -f")
def _ugrep(args: Args) -> Iterator[Fact]:
    yield from _below(args, _paths(args, "-e", "-f"), follows=args.has("-R", "-S"))


def _below(args: Args, paths: list[Word], *, follows: bool) -> Iterator[Fact]:
    """Without a path these look through `.`, unless something feeds them."""
    if not paths and args.has_input:
        return
    for word in paths or [HERE]:
        yield from args.file("search", word, deep=True, follows="all" if follows else None)


AG = Program(
    "--ackmate -A= -B= -C= --after[=] --before[=] --context[=] --break --nobreak -c,--count --color --nocolor"
    " --color-line-number= --color-match= --color-path= --column --filename --nofilename -H,--heading --noheading"
    " --group --nogroup -g= -l,--files-with-matches -L,--files-without-matches --print-all-files --numbers"
    " --nonumbers -o,--only-matching -n,--norecurse -r,-R,--recurse --print-long-lines --passthrough --passthru"
    " --silent --stats --stats-only --vimgrep -0,--null -a,--all-types -D,--debug --depth= -f,--follow --nofollow"
    " -F,--fixed-strings -G,--file-search-regex= --hidden -i,--ignore-case --ignore= --ignore-dir= -m,--max-count="
    " --one-device -p,--path-to-ignore=read -Q,--literal -s,--case-sensitive -S,--smart-case --search-binary"
    " -t,--all-text -u,--unrestricted -U,--skip-vcs-ignores -v,--invert-match -w,--word-regexp -W,--width="
    " -z,--search-zip --nopager --list-file-types --multiline --nomultiline --workers= --cpp --css --go --html"
    " --java --js --json --markdown --php --python --ruby --rust --sass --shell --sql --swift --ts --xml --yaml"
    " -V,--version -h,--help",
    "text*",
    more=_silver,
)
ACK = Program(
    "-i,--ignore-case -I,--no-ignore-case -S,--smart-case --no-smart-case -v,--invert-match -w,--word-regexp"
    " -Q,--literal --match= --range-start= --range-end= -o -l,--files-with-matches -L,--files-without-matches"
    " --passthru -1 -m,--max-count= -s -H,--with-filename -h,--no-filename -c,--count --column --no-column"
    " -A,--after-context= -B,--before-context= -C,--context= --print0 -f -g --sort-files --show-types"
    " --heading --noheading --break --nobreak --group --nogroup -P --underline --nounderline"
    " --color --colour --nocolor --nocolour --color-filename= --color-match= --color-colno= --color-lineno= --flush"
    " --no-filter --nofilter --nopager --ignore-dir,--ignore-directory= --noignore-dir= --ignore-file= -r,-R,--recurse"
    " -n,--no-recurse --follow --nofollow -k,--known-types -t,--type= -T= --type-set= --type-add= --type-del="
    " --ignore-ackrc,--noenv --env --help-types --dump --filter --version --help --python --js --perl --ruby --php"
    " --html --css --java --cc --go --rust --shell --yaml --json --xml --markdown --sql --ts",
    "text*",
    more=_ack,
)
UGREP = Program(
    f"{GREP_OPTIONS} -r,--recursive -R,--dereference-recursive -S,--dereference -p,--no-dereference -g,--glob="
    " --iglob= --include= --exclude= --include-dir= --exclude-dir= --include-from=read --exclude-from=read"
    " --ignore-files[=] --no-ignore-files -O,--file-extension= -t,--file-type= -j,--smart-case -J,--jobs="
    " -k,--column-number -N,--neg-regexp= -u,--ungroup -W,--with-hex -X,--hex --hidden,-. --json --csv --xml"
    " --heading --no-heading --stats --sort[=] --depth= --max-depth= --min-depth= --tree --pretty[=] --no-pager"
    " --no-confirm --any-line -D= -d=",
    "text*",
    more=_ugrep,
)
PT = Program(
    "--color --nocolor --color-line-number= --color-match= --color-path= --group --nogroup --column --numbers"
    " -A,--after= -B,--before= -C,--context= -l,--files-with-matches -c,--count -i,--ignore-case"
    " -S,--smart-case -w,--word-regexp --ignore= --vcs-ignore= --global-gitignore --home-ptignore -U,--skip-vcs-ignores"
    " --hidden -g= -G,--file-search-regexp= --depth= -f,--follow -e --version",
    "text*",
    more=_silver,
)


@turns_off("-f")
def _choosing(args: Args) -> Iterator[Fact]:
    """fzf waits for a person, lists what is here, and runs commands for previews and keys."""
    if not args.has_input:
        yield from args.file("list", HERE, deep=True)
    for word in args.values("--bind"):
        for action in BOUND:
            behind = (word.value or "").partition(action)[2]
            if behind[:1] and behind[0] in "([{<:~!@#$%^&*;/|":
                yield args.effect("run", behind[1:].rstrip(")]}"), "inline")
    if not args.has("-f"):
        yield args.gap("waits for somebody to choose")


BOUND = ("execute-silent", "execute", "become", "reload-sync", "reload", "preview", "transform")
"""What a key may do with a text for a shell: `enter:execute(id x)`, `enter:become:id x`."""
FZF = Program(
    "-f,--filter= --preview=shell --bind=code -q,--query= -e,--exact -x,--extended +x,--no-extended -i,--ignore-case"
    " +i,--no-ignore-case --smart-case +s,--no-sort -n,--nth= --with-nth= -d,--delimiter= --tac --tiebreak="
    " -m,--multi[=] -1,--select-1 -0,--exit-0 --print-query --print0 --read0 --ansi --height= --reverse --layout="
    " --border[=] --prompt= --header= --literal --scheme= --algo= --version --help",
    "",
    more=_choosing,
)

PROGRAMS = {
    **dict.fromkeys(("grep", "egrep", "fgrep", "rgrep", "ggrep"), Program("", "text*", more=_grepping, style="plain")),
    **dict.fromkeys(("zgrep", "zegrep", "zfgrep"), ZGREP),
    "rg": RG,
    "ag": AG,
    "ack": ACK,
    "ugrep": UGREP,
    "pt": PT,
    "fzf": FZF,
}

EXAMPLES = {
    "grep -n TODO README.md": "read README.md",
    "grep -nE 'curl|wget' README.md data.txt": "read README.md | read data.txt",
    "grep -rn TODO src": "search src/**",
    "grep -r TODO": "search ./**",
    "grep -rn --include='*.py' TODO .": "search ./**/*.py",
    "grep -rn TODO --include=*.py --exclude-dir={a,b} .": "search ./**/*.py//a,b",
    "grep [a-z]* README.md": "maybe list [a-z]* (glob) #names | read [a-z]* (glob) | read README.md",
    "grep --version": "note grep",
    "grep -rn --include='.e*' '' .": "search ./**/.e*",
    "grep -rn --include='*.py' --include='*.md' TODO . --exclude-dir=.git": "search ./**/{*.py,*.md}//.git",
    "grep -rn TODO . --exclude-dir=a/ --exclude-dir '*b'": "search ./**/*//a",
    "grep -rn --include='*.py' --include='.e*' x . --exclude=a": "search ./**",
    "rg x -g '*.{py,ts}' --iglob '*.md' -g '!tests'": "search ./**/{*.ts,*.py,*.md}",
    "rg x -g '*.py' -g 'src/**'": "search ./**",
    "grep -rn --exclude='*.x' --include='*.py' TODO .": "search ./**",
    "grep TODO src -r": "search src/**",
    "grep -d recurse x src": "search src/**",
    "grep -A3 -B 2 -5 -m1 x README.md": "read README.md",
    "grep -e a -e b README.md": "read README.md",
    "grep -f data.txt README.md": "read data.txt | read README.md",
    "grep -vf.env README.md": "read .env | read README.md",
    "ls | grep -v a": "list . | note grep",
    "grep '' .env": "read .env",
    "grep -R . ~/.ssh": "search /home/u/.ssh/**",
    "grep --frob x README.md": "read README.md | gap grep: option --frob is not known",
    'grep -n "$X" README.md': "read README.md | blind grep: a word is not known (variable X)",
    'grep -n -e "$X" README.md': "read README.md",
    "egrep -i 'a|b' README.md": "read README.md",
    "fgrep -c a README.md": "read README.md",
    "rgrep TODO": "search ./**",
    "ggrep -oP '(?<=a)b' README.md": "read README.md",
    "zgrep -c a x.gz": "read x.gz",
    "zegrep a x.gz": "read x.gz",
    "zfgrep a x.gz": "read x.gz",
    "zgrep --group-separator .env x.gz": "read .env | read x.gz",
    "zgrep -e a x.gz": "read a | read x.gz",
    "rg TODO": "search ./** #search.shown",
    "rg -n TODO README.md": "search README.md/**",
    "rg -l TODO src -t py": "search src/**",
    "rg -uuu API": "search ./**",
    "rg --hidden API .": "search ./**",
    "rg -g '*.py' TODO": "search ./**/*.py",
    "rg --hidden -g '!.git' TODO": "search ./** #search.tracked",
    "rg -g '*.py' TODO README.md": "search README.md/**",
    "rg -g '!*.py' TODO": "search ./** #search.shown",
    "rg -g .env KEY": "search ./**/.env",
    "rg --files": "list ./**",
    "rg --files -g '*.md' docs": "list docs/**",
    "rg a -r b README.md": "search README.md/**",
    "ls | rg a": "list . | note rg",
    "rg -e a -f data.txt": "read data.txt | search ./** #search.shown",
    "cd src && rg TODO": "list src | search /p/src/./**",
    "rg --pre ./x.sh hello README.md": "run ./x.sh #program | search README.md/**"
    " | gap rg: starts another program for what it finds",
    "rg -z hello x.gz": "run programs that unpack #program | search x.gz/**"
    " | gap rg: starts another program for what it finds",
    "rg . ~/.ssh": "search /home/u/.ssh/**",
    "ag TODO": "search ./**",
    "ag --pager=less TODO src": "search src/** | gap ag: option --pager is not known",
    "ag -A 3 TODO src": "search src/**",
    "ag -g py": "search ./**",
    "ack -A TODO src": "search ./** | gap ack: `TODO` may be no number of lines",
    "ack --python TODO": "search ./**",
    "ack --output='$1' x src": "search src/** | blind ack: option --output is not known",
    "ugrep -rn TODO src": "search src/**",
    "ugrep --filter='*:cat' x src": "search src/** | gap ugrep: option --filter is not known",
    "pt TODO src": "search src/**",
    "ls | fzf -f abc": "list . | note fzf",
    "fzf --preview 'cat {}'": "run cat {} #inline | list ./** | gap fzf: waits for somebody to choose",
    "grep $(whoami) a": "note whoami | read a",
    "grep -r $(whoami) src": "note whoami | search src/**"
    " | blind grep: searches a path that is not known (a plain word)",
    "grep x $(whoami)": "note whoami | note grep | blind grep: reads a path that is not known (a plain word)",
    "grep x a-$(uname -r)": "note uname | read a-* (glob)",
    'fzf --bind "enter:execute(id x)"': "run fzf code #inline | list ./** | run id x #inline"
    " | gap fzf: waits for somebody to choose",
}
