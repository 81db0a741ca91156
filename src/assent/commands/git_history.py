"""git log, show, diff and their kin: history and differences, with the options that they all share."""

from __future__ import annotations

from assent.commands.git_repository import (
    HERE,
    TRACKED,
    behind_dashes,
    contents,
    is_hash,
    looks,
    maybe_path,
    object_content,
    path_in_object,
    pathspec,
    staged,
    whole_tree,
)
from assent.commands.program import turns_off
from assent.gitconfig import checks_signatures
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

# Left out on purpose: --ext-diff and --textconv run what attributes name, --show-signature runs gpg.
# A value that git takes only behind `=` is written `[=]`, so that the next word is never mistaken for it.
DIFF = (
    "-p,-u,--patch -s,--no-patch -U,--unified[=] -W,--function-context --no-function-context --raw --patch-with-raw"
    " --patch-with-stat --numstat --shortstat -X,--dirstat[=] --cumulative --dirstat-by-file[=] --check --summary"
    " --name-only --name-status --stat[=] --stat-width= --stat-name-width= --stat-graph-width= --stat-count="
    " --compact-summary --no-compact-summary --binary --full-index --no-full-index --color[=] --no-color"
    " --ws-error-highlight= -z --abbrev[=] --no-abbrev --src-prefix= --dst-prefix= --line-prefix= --no-prefix"
    " --default-prefix --inter-hunk-context= --output-indicator-new= --output-indicator-old="
    " --output-indicator-context= -B,--break-rewrites[=] -M,--find-renames[=] -D,--irreversible-delete"
    " -C,--find-copies[=] --find-copies-harder --no-find-copies-harder --no-renames --rename-empty --no-rename-empty"
    " --follow --no-follow -l= --minimal --no-minimal -w,--ignore-all-space"
    " -b,--ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines"
    " -I,--ignore-matching-lines= --indent-heuristic --no-indent-heuristic --patience --histogram --diff-algorithm="
    " --anchored= --word-diff[=] --word-diff-regex= --color-words[=] --color-moved[=] --no-color-moved"
    " --color-moved-ws= --no-color-moved-ws --relative[=] --no-relative -a,--text --no-text -R --exit-code"
    " --no-exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=] --submodule[=]"
    " --ita-invisible-in-index --ita-visible-in-index -S= -G= --pickaxe-all --pickaxe-regex -O=read --rotate-to="
    " --skip-to= --find-object= --diff-filter= --output=write"
)
MERGES = (
    "-c --cc -m -t --combined-all-paths --diff-merges= --no-diff-merges --remerge-diff --dd -r --root --notes[=]"
    " --no-notes --show-notes[=] --standard-notes --no-standard-notes"
)
WALK = (
    "-# -n,--max-count= --skip= --since,--after= --since-as-filter= --until,--before= --max-age= --min-age= --author="
    " --committer= --grep-reflog= --grep= --all-match --invert-grep -i,--regexp-ignore-case --basic-regexp"
    " -E,--extended-regexp -F,--fixed-strings -P,--perl-regexp --remove-empty --merges --no-merges --min-parents[=]"
    " --max-parents[=] --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --all"
    " --branches[=] --tags[=] --remotes[=] --glob= --exclude= --exclude-hidden= --reflog --alternate-refs"
    " --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry"
    " -g,--walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse"
    " --simplify-merges --ancestry-path[=] --date-order --author-date-order --topo-order --reverse --no-walk[=]"
    " --do-walk --parents --children --left-right --graph --no-graph --show-linear-break[=] --unpacked"
)
MESSAGES = (
    "--pretty[=] --format[=] --abbrev-commit --no-abbrev-commit --oneline --encoding= --expand-tabs[=]"
    " --no-expand-tabs --relative-date --date="
)
LOG = (
    f"{DIFF} {MERGES} {WALK} {MESSAGES} -L= -q --decorate[=] --no-decorate --clear-decorations --decorate-refs="
    " --decorate-refs-exclude= --source --use-mailmap,--mailmap --no-use-mailmap,--no-mailmap --log-size"
    " --no-show-signature"
)
SUMMARIES = (
    *("-s", "--stat", "--numstat", "--shortstat", "--summary", "--name-only", "--name-status", "--raw", "-X"),
    *("--dirstat-by-file", "--compact-summary", "--cumulative"),
)
PATCHES = (
    *("-p", "-U", "--patch-with-raw", "--patch-with-stat", "--binary", "--word-diff", "--word-diff-regex", "-W"),
    *("--color-words", "--check", "-c", "--cc", "--remerge-diff", "--dd", "--diff-merges", "-S", "-G", "-L"),
)
TYPES = ("blob", "tree", "commit", "tag")


def _log(args: Args) -> Iterator[Fact]:
    """Messages only, unless an option asks for differences."""
    yield from _signatures(args)
    yield from _lines(args)
    if args.has(*PATCHES) and not (args.has("-L") and not args.has("-S", "-G") and not args.operands):
        yield from contents(args, args.operands)


@turns_off(
    "-s --raw --numstat --shortstat -X --cumulative --dirstat-by-file --summary --name-only --name-status"
    " --stat --compact-summary"
)
def _show(args: Args) -> Iterator[Fact]:
    """Differences of commits, and the content of `HEAD:path`, which no option hides."""
    yield from _signatures(args)
    yield from _lines(args)
    if _summarised(args):
        for word in args.operands:
            if word.value is None or path_in_object(word.value) is not None or is_hash(word.value):
                yield from contents(args, [word])
            else:
                yield from maybe_path(args, word)
    else:
        yield from contents(args, args.operands)


@turns_off(
    "-s --raw --numstat --shortstat -X --cumulative --dirstat-by-file --summary --name-only --name-status"
    " --stat --compact-summary --no-index"
)
def _diff(args: Args) -> Iterator[Fact]:
    """Two files outside of the repository are compared too, with `--no-index` or without."""
    if args.has("--no-index"):
        for word in args.operands:
            yield from args.file("read", word, deep=True)
        return
    outside = [word for word in args.operands if word.value and word.value.startswith(("/", "~", ".."))]
    for word in outside:
        yield from args.file("read", word, deep=True)
    if not _summarised(args) or any(path_in_object(word.value or "") is not None for word in args.operands):
        if args.has("--cached") and not behind_dashes(args):
            yield from staged(args)
        if args.operands or not args.has("--cached"):
            yield from contents(args, args.operands)


def _summarised(args: Args) -> bool:
    return args.has(*SUMMARIES) and not args.has(*PATCHES)


def _signatures(args: Args) -> Iterator[Fact]:
    """`%G?` and its kin start gpg for every commit."""
    for word in args.values("--pretty", "--format"):
        if word.value is None or checks_signatures(word.value):
            yield args.gap("the format may check signatures, which starts gpg")


def _lines(args: Args) -> Iterator[Fact]:
    """`-L 1,5:path` and `-L :function:path` show lines of a file."""
    for word in args.values("-L"):
        path = word.value.rpartition(":")[2] if word.value else ""
        yield from args.file("read", Word(word.text, path) if path else word)


def _plumbing_diff(args: Args) -> Iterator[Fact]:
    """diff-tree and its kin print names unless an option asks for differences."""
    yield from _signatures(args)
    if args.has(*PATCHES):
        yield from contents(args, args.operands)


def _blame(args: Args) -> Iterator[Fact]:
    """Every line of the last file; a word before it is a revision, or the file in old scripts."""
    if not args.operands:
        yield args.gap("nothing says which file")
        return
    *before, file = args.operands
    for word in before:
        yield from maybe_path(args, word)
    yield from args.file("read", file)


@turns_off("--no-index --untracked --no-exclude-standard")
def _grep(args: Args) -> Iterator[Fact]:
    words = args.operands if args.has("-e", "-f") else args.operands[1:]
    if args.has("-O"):
        yield args.gap("opens what it finds in another program")
    if args.has("--no-index", "--no-exclude-standard", "--untracked"):
        kept = args.has("--untracked") and not args.has("--no-index", "--no-exclude-standard")
        for word in words or [HERE]:
            yield from pathspec(args, word, "search", TRACKED if kept else "")
        return
    yield from contents(args, words)


@turns_off("-e -t -s --batch-check")
def _objects(args: Args) -> Iterator[Fact]:
    """cat-file: `-t`, `-s` and `-e` say nothing about content; a batch reads names from its input."""
    if args.has("-t", "-s", "-e") or (args.has("--batch-check") and not args.has("--batch", "--batch-command")):
        return
    if args.has("--batch", "--batch-command", "--batch-check"):
        yield from whole_tree(args)
        return
    for word in args.operands:
        if word.value in TYPES:
            continue
        if word.value is None:
            yield args.gap(f"reads an object that is not known ({word.why})", blind=True, reading=True)
        elif path_in_object(word.value) is None:
            yield from whole_tree(args)
        else:
            yield from object_content(args, word)


def _shortlog(args: Args) -> Iterator[Fact]:
    yield from _signatures(args)
    for word in args.values("--group"):
        if word.value is None or checks_signatures(word.value):
            yield args.gap("the group may check signatures, which starts gpg")


@turns_off("-s")
def _range(args: Args) -> Iterator[Fact]:
    """range-diff compares differences: words before `--` are revisions."""
    paths = behind_dashes(args)
    if not args.has("-s"):
        yield from contents(args, paths)


BLAME = looks(
    "--incremental -b --root --show-stats --progress --no-progress --score-debug -f,--show-name -n,--show-number"
    " -p,--porcelain --line-porcelain -c -t -l -s -e,--show-email -w --ignore-rev= --ignore-revs-file=read"
    " --color-lines --color-by-age --minimal -S=read --contents=read -C[=] -M[=] -L= --abbrev[=] --since,--after="
    " --until,--before= --first-parent --reverse --date= --encoding= --diff-algorithm=",
    "text*",
    _blame,
)
LOGGING = looks(LOG, "text*", _log)

COMMANDS = {
    "log": LOGGING,
    "whatchanged": looks(LOG, "text*", _show),
    "show": looks(LOG, "text*", _show),
    "diff": looks(
        f"{DIFF} -c --cc --combined-all-paths -m -r -t -q --cached,--staged --merge-base --no-index -0 -1,--base"
        " -2,--ours"
        " -3,--theirs --left-only --right-only",
        "text*",
        _diff,
    ),
    "diff-tree": looks(f"{DIFF} {MERGES} {MESSAGES} -q --merge-base --no-commit-id --always", "text*", _plumbing_diff),
    "diff-index": looks(f"{DIFF} -c --cc -m -q -r -t --merge-base --cached", "text*", _plumbing_diff),
    "diff-files": looks(f"{DIFF} -c --cc -m -q -r -0 -1,--base -2,--ours -3,--theirs", "text*", _plumbing_diff),
    "rev-list": looks(
        f"{WALK} {MESSAGES} --quiet --objects --in-commit-order --objects-edge --objects-edge-aggressive"
        " --indexed-objects --object-names --no-object-names --filter[=] --no-filter --filter-provided-objects"
        " --filter-print-omitted --missing[=] --exclude-promisor-objects --header --no-commit-header --commit-header"
        " --timestamp --count --use-bitmap-index --progress[=] --bisect-vars --bisect-all --disk-usage[=] --abbrev[=]"
        " --no-abbrev",
        "text*",
        _signatures,
    ),
    "shortlog": looks(
        f"{WALK.replace(' --committer=', '')} {MESSAGES} -c,--committer -n,--numbered -s,--summary -e,--email -w[=]"
        " --group=",
        "text*",
        _shortlog,
    ),
    "range-diff": looks(
        f"{DIFF} --creation-factor= --no-dual-color --dual-color --notes[=] --no-notes --left-only --right-only",
        "text*",
        _range,
    ),
    "blame": BLAME,
    "annotate": BLAME,
    "grep": looks(
        "--cached --no-index --index --untracked --exclude-standard --no-exclude-standard --recurse-submodules"
        " --no-recurse-submodules -v,--invert-match -i,--ignore-case -w,--word-regexp -a,--text -I --no-textconv"
        " -r,--recursive --no-recursive --max-depth= -E,--extended-regexp -G,--basic-regexp -F,--fixed-strings"
        " -P,--perl-regexp -n,--line-number --no-line-number --column --no-column -h -H --full-name --no-full-name"
        " -l,--files-with-matches,--name-only -L,--files-without-match -z,--null -o,--only-matching -c,--count"
        " --color[=] --no-color --break --no-break --heading --no-heading -C,--context= -B,--before-context="
        " -A,--after-context= --threads= -# -p,--show-function -W,--function-context -f=read -e= --and --or --not"
        " -q,--quiet --all-match -m,--max-count= -O,--open-files-in-pager[=]shell",
        "text*",
        _grep,
    ),
    "cat-file": looks(
        "-e -p -t -s --allow-unknown-type --use-mailmap,--mailmap --no-use-mailmap,--no-mailmap --batch[=]"
        " --batch-check[=] -z -Z --batch-command[=] --batch-all-objects --buffer --follow-symlinks --unordered",
        "text*",
        _objects,
    ),
}

EXAMPLES: dict[str, str] = {
    "git diff HEAD~1:docs HEAD:docs": "note . #git.repository | read docs | search docs/** #search.tracked"
    " | read docs | search docs/** #search.tracked",
    "git grep x HEAD:docs": "note . #git.repository | read docs | search docs/** #search.tracked",
    "git log --oneline -5": "note . #git.repository",
    "git log --oneline -5 -- src": "note . #git.repository",
    "git log --grep='--output=pwned' -1": "note . #git.repository",
    "git log --since='2 weeks ago' --until=now": "note . #git.repository",
    "git log --output=pwned": "write pwned | note . #git.repository",
    "git log --outp=pwned": "note . #git.repository | maybe write pwned | blind git log: option --outp is not"
    " known, it may mean --output-indicator-new",
    "git log --format --output=pwned": "write pwned | note . #git.repository",
    "git log -U --output=pwned": "write pwned | note . #git.repository | search ./** #search.tracked",
    "git log -p": "note . #git.repository | search ./** #search.tracked",
    "git log -p -- .env.production": "note . #git.repository | search .env.production/** #search.tracked",
    "git log -S secret --oneline": "note . #git.repository | search ./** #search.tracked",
    "git log -L 1,5:src/app.py": "note . #git.repository | read src/app.py",
    "git log '--format=%h %G?'": "note . #git.repository | gap git log: the format may check signatures, which starts"
    " gpg",
    "git log '--format=%h %+GK'": "note . #git.repository | gap git log: the format may check signatures, which starts"
    " gpg",
    "git log --show-signature": "note . #git.repository | gap git log: option --show-signature is not known",
    "git log main..dev --stat": "note . #git.repository",
    "git show e06d916 --stat": "note . #git.repository | search ./** #search.tracked",
    "git show HEAD": "note . #git.repository | search ./** #search.tracked",
    "git show main": "note . #git.repository | maybe search main/** #search.tracked | search ./** #search.tracked",
    "git show --submodule=log HEAD": "note . #git.repository | search ./** #search.tracked",
    "git show --submodule=diff HEAD": "note . #git.repository | search ./** #search.tracked | blind git show: goes into"
    " repositories inside, whose own settings may start programs",
    "git show HEAD:.env": "note . #git.repository | read .env",
    "git show --stat HEAD:.env": "note . #git.repository | read .env",
    "git show HEAD:./a/../.env": "note . #git.repository | read ./a/../.env",
    "git show HEAD~1 -- docs": "note . #git.repository | search docs/** #search.tracked",
    "git show :0:a": "note . #git.repository | read a",
    "git show $X": "note . #git.repository | blind git show: a word is not known (variable X)"
    " | blind git show: searches a path that is not known (variable X)",
    "git diff": "note . #git.repository | search ./** #search.committed",
    "git diff --stat": "note . #git.repository",
    "git diff --cached": "note . #git.repository | search ./** #search.staged",
    "git diff --staged HEAD": "note . #git.repository | search ./** #search.staged | search ./** #search.tracked",
    "git diff --cached --name-only": "note . #git.repository",
    "git diff HEAD~1 -- docs": "note . #git.repository | search docs/** #search.tracked",
    "git diff main...dev src/app.py": "note . #git.repository | maybe search main...dev/** #search.tracked |"
    " maybe search src/app.py/** #search.tracked | search ./** #search.tracked",
    "git diff --output=pwned HEAD~1": "write pwned | note . #git.repository | search ./** #search.tracked",
    "git diff --no-index a /etc/passwd": "note . #git.repository | read a/** | read /etc/passwd/**",
    "git diff --stat /etc/passwd /etc/shadow": "note . #git.repository | read /etc/passwd/** | read /etc/shadow/**",
    "git diff --cached -- '*.py' ':!docs'": "note . #git.repository | search ./**/*.py #search.tracked",
    "git diff *.py": "maybe list *.py (glob) #names | note . #git.repository | search *.py/** (glob) #search.tracked",
    "git diff --ext-diff": "note . #git.repository | search ./** #search.committed"
    " | gap git diff: option --ext-diff is not known",
    "git diff -O order -U5": "read order | note . #git.repository | search ./** #search.committed",
    "git diff -- ':(top)docs'": "note . #git.repository | search ./** #search.tracked",
    "git blame README.md": "note . #git.repository | read README.md",
    "git blame -L 1,5 HEAD~1 -- README.md": "note . #git.repository | read README.md",
    "git blame --output=.git/config README.md": "note . #git.repository | read README.md | maybe read .git/config"
    " | blind git blame: option --output is not known",
    "git grep -n TODO": "note . #git.repository | search ./** #search.committed",
    "git grep -O'touch pwned;' hello": "run touch pwned; #inline | note . #git.repository"
    " | search ./** #search.committed | gap git grep: opens what it finds in another program",
    "git grep --open-files-in-pager='touch pwned;' hello": "run touch pwned; #inline | note . #git.repository"
    " | search ./** #search.committed | gap git grep: opens what it finds in another program",
    "git grep TODO -- :/": "note . #git.repository | search ./** #search.tracked",
    "git grep TODO :/docs": "note . #git.repository | search ./** #search.tracked",
    "git grep --no-index -h . -- .env": "note . #git.repository | search .env/**",
    "git grep TODO HEAD~1 -- src docs": "note . #git.repository | search src/** #search.tracked | search docs/**"
    " #search.tracked",
    "git grep -e a -e b src": "note . #git.repository | maybe search src/** #search.tracked | search ./** #search.tr"
    "acked",
    "git cat-file -p HEAD:.env": "note . #git.repository | read .env",
    "git cat-file -t HEAD": "note . #git.repository",
    "git cat-file blob HEAD:a": "note . #git.repository | read a",
    "git cat-file -p e06d916": "note . #git.repository | search ./** #search.tracked",
    "git cat-file --textconv HEAD:README.md": "note . #git.repository | read README.md | gap git cat-file: option"
    " --textconv is not known",
    "git cat-file --batch": "note . #git.repository | search ./** #search.tracked",
    "git rev-list --count HEAD": "note . #git.repository",
    "git rev-list --output=a HEAD": "note . #git.repository | blind git rev-list: option --output is not known",
    "git shortlog -sn": "note . #git.repository",
    "git diff-tree --no-commit-id --name-only -r HEAD": "note . #git.repository",
    "git diff-tree -p HEAD": "note . #git.repository | search ./** #search.tracked",
    "git range-diff main dev topic": "note . #git.repository | search ./** #search.tracked",
    "git whatchanged -1": "note . #git.repository | search ./** #search.tracked",
}
