"""git's other subcommands that only look: status, files, references, attributes, and what plumbing prints."""

from __future__ import annotations

from assent.commands.git_repository import (
    TRACKED,
    change,
    contents,
    from_top,
    looks,
    pathspec,
    remote,
    remotes_or_default,
    staged,
    whole_tree,
)
from assent.commands.program import Program, turns_off
from assent.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

CHOICE = "--sort= --points-at= --contains[=] --no-contains[=] --merged[=] --no-merged[=]"


def _status(args: Args) -> Iterator[Fact]:
    """With `-v` the differences of what is staged, too."""
    if args.has("-v"):
        yield from staged(args)


def _names(args: Args) -> Iterator[Fact]:
    """Names below the folders given; the content of files is not looked at."""
    for word in args.operands:
        yield from pathspec(args, word, "list")


@turns_off("-l --remote")
def _archive(args: Args) -> Iterator[Fact]:
    """A tree and paths in it; from another machine with `--remote`."""
    for word in args.values("--remote"):
        yield from remote(args, word)
    for word in args.operands[1:]:
        yield from pathspec(args, word, "search", TRACKED)
    if any(word.value is None or ":" in word.value for word in args.operands[:1]):
        yield from from_top(args, "search", ".", deep=True, code=TRACKED)
    elif len(args.operands) == 1 and not args.has("--remote"):
        yield from whole_tree(args)
    if not args.operands and not args.has("-l"):
        yield args.gap("nothing says which tree")


@turns_off("--get-url")
def _remote_names(args: Args) -> Iterator[Fact]:
    if not args.has("--get-url"):
        yield from remotes_or_default(args, args.operands, "reach")


def _hashing(args: Args) -> Iterator[Fact]:
    """Content is read, and put into the repository with `-w`; `--stdin-paths` names files nobody sees here."""
    if args.has("--stdin-paths"):
        yield args.gap("reads files whose names come from its input", blind=True, reading=not args.has("-w"))
    if args.has("-w"):
        yield from change(args, "git.objects")


def _checking(args: Args) -> Iterator[Fact]:
    if args.has("--lost-found"):
        yield from change(args, "git.objects")


def _formatted(args: Args) -> Iterator[Fact]:
    for word in args.values("--format", "--sort"):
        if word.value is None or "signature" in word.value:
            yield args.gap("the format may check signatures, which starts gpg")


def _pointing(args: Args) -> Iterator[Fact]:
    """`symbolic-ref NAME` prints, with a second word or `-d` it changes."""
    if args.has("-d") or len(args.operands) > 1 or any(word.many for word in args.operands):
        yield from change(args, "git.ref")


def _merging_trees(args: Args) -> Iterator[Fact]:
    """Makes a tree without a working folder: new objects, and conflicts on the output."""
    yield from change(args, "git.objects")
    yield from whole_tree(args)


@turns_off("--no-data")
def _exported(args: Args) -> Iterator[Fact]:
    if not args.has("--no-data"):
        yield from whole_tree(args)


def _trailers(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.file("read", word)
        if args.has("--in-place"):
            yield from args.file("write", word)


@turns_off("-p")
def _merging_files(args: Args) -> Iterator[Fact]:
    """Three files are merged into the first, unless `-p` prints the result."""
    for word in args.operands:
        yield from args.file("read", word)
    if not args.has("-p"):
        for word in args.operands[:1]:
            yield from args.file("write", word)


def _summary(args: Args) -> Iterator[Fact]:
    """request-pull asks the other repository what it has."""
    for word in args.operands[1:2]:
        yield from remote(args, word)
    if args.has("-p"):
        yield from contents(args, [])


REFS = looks(
    f"-s,--shell -p,--perl --python --tcl --count= --format= --color[=] {CHOICE} --ignore-case --omit-empty --exclude="
    " --include-root-refs",
    "text*",
    _formatted,
)

COMMANDS = {
    "status": looks(
        "-v,--verbose -s,--short -b,--branch --no-branch --show-stash --no-show-stash --ahead-behind --no-ahead-behind"
        " --porcelain[=] --long -z,--null -u,--untracked-files[=] --ignored[=] --ignore-submodules[=] --column[=]"
        " --no-column --no-renames --renames -M,--find-renames[=]",
        "text*",
        _status,
    ),
    "ls-files": looks(
        "-z -t -v -f -c,--cached -d,--deleted -m,--modified -o,--others -i,--ignored -s,--stage -k,--killed --directory"
        " --eol --empty-directory --no-empty-directory -u,--unmerged --resolve-undo -x,--exclude="
        " -X,--exclude-from=read --exclude-per-directory= --exclude-standard --full-name --recurse-submodules"
        " --error-unmatch --with-tree= --abbrev[=] --debug --deduplicate --sparse --format=",
        "text*",
        _names,
    ),
    "ls-tree": looks(
        "-d -r -t -z -l,--long --name-only,--name-status --object-only --full-name --full-tree --format= --abbrev[=]",
        "text*",
    ),
    "ls-remote": replace(
        looks(
            "-q,--quiet -t,--tags -h,--heads,--branches --refs --get-url --sort= --exit-code --symref"
            " --upload-pack,--exec=shell",
            "text*",
            _remote_names,
        ),
        style="posix",
    ),
    "rev-parse": looks(
        "--verify -q,--quiet --short[=] --abbrev-ref[=] --symbolic --symbolic-full-name --show-toplevel --show-cdup"
        " --show-prefix --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir"
        " --is-inside-git-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --git-path="
        " --path-format[=] --show-object-format[=] --show-ref-format --all --branches[=] --tags[=] --remotes[=]"
        " --glob[=] --exclude[=] --exclude-hidden[=] --disambiguate[=] --since[=] --after[=] --until[=] --before[=]"
        " --not --local-env-vars --shared-index-path --revs-only --no-revs --flags --no-flags --default= --prefix=",
        "text*",
    ),
    "describe": looks(
        "--contains --debug --all --tags --long --first-parent --abbrev[=] --exact-match --candidates= --match="
        " --no-match --exclude= --no-exclude --always --dirty[=] --broken[=]",
        "text*",
    ),
    "name-rev": looks(
        "--name-only --tags --refs= --exclude= --all --stdin --annotate-stdin --undefined --no-undefined --always",
        "text*",
    ),
    "merge-base": looks("-a,--all --octopus --independent --is-ancestor --fork-point", "text*"),
    "for-each-ref": REFS,
    "show-ref": looks(
        "--tags --heads,--branches --verify --head -d,--dereference -s,--hash[=] --abbrev[=] -q,--quiet --exists",
        "text*",
    ),
    "show-branch": looks(
        "-a,--all -r,--remotes --color[=] --no-color --more[=] --list --no-name --current --sha1-name --merge-base"
        " --independent --topo-order --topics --sparse --date-order -g,--reflog[=]",
        "text*",
    ),
    "symbolic-ref": looks("-q,--quiet -d,--delete --short --recurse --no-recurse -m=", "text*", _pointing),
    "cherry": looks("--abbrev[=] -v,--verbose", "text*"),
    "count-objects": looks("-v,--verbose -H,--human-readable"),
    "fsck": looks(
        "-v,--verbose --unreachable --dangling --no-dangling --tags --root --cache --reflogs --no-reflogs --full"
        " --no-full"
        " --connectivity-only --strict --lost-found --progress --no-progress --name-objects",
        "text*",
        _checking,
    ),
    "check-ignore": looks("-q,--quiet -v,--verbose --stdin -z -n,--non-matching --no-index", "list*"),
    "check-attr": looks("-a,--all --cached --stdin -z --source=", "text*"),
    "check-mailmap": looks("--stdin --mailmap-file=read --mailmap-blob=", "text*"),
    "check-ref-format": Program(
        "--normalize --allow-onelevel --no-allow-onelevel --refspec-pattern --branch --print", "text*"
    ),
    "var": looks("-l", "text?"),
    "archive": looks(
        "--format= --prefix= --add-file=read --add-virtual-file= -o,--output=write --worktree-attributes -v,--verbose"
        " -# -l,--list --remote= --exec=shell --mtime=",
        "text*",
        _archive,
    ),
    "hash-object": looks("-t= -w --stdin --stdin-paths --no-filters --literally --path=", "read*", _hashing),
    "verify-pack": looks("-v,--verbose -s,--stat-only --object-format=", "read*"),
    "show-index": looks("--object-format="),
    "get-tar-commit-id": Program(),
    "patch-id": Program("--unstable --stable --verbatim"),
    "stripspace": looks("-s,--strip-comments -c,--comment-lines"),
    "column": looks("--command= --mode[=] --raw-mode= --width= --indent= --nl= --padding="),
    "fmt-merge-msg": looks("--log[=] --no-log --message,-m= --into-name= -F,--file=read"),
    "merge-tree": looks(
        "--write-tree --trivial-merge --messages --no-messages -z --name-only --allow-unrelated-histories --stdin"
        " --merge-base= -X,--strategy-option=",
        "text*",
        _merging_trees,
    ),
    "merge-file": looks(
        "-p,--stdout --diff3 --zdiff3 --ours --theirs --union --marker-size= -q,--quiet -L=", "text*", _merging_files
    ),
    "fast-export": looks(
        "--progress= --signed-tags= --tag-of-filtered-object= --reencode= --export-marks=write --import-marks=read"
        " --import-marks-if-exists=read --fake-missing-tagger --full-tree --use-done-feature --no-data --refspec="
        " --anonymize --anonymize-map= --reference-excluded-parents --show-original-ids --mark-tags --all -M -C",
        "text*",
        _exported,
    ),
    "interpret-trailers": looks(
        "--in-place --trim-empty --where= --if-exists= --if-missing= --only-trailers --only-input --unfold --parse"
        " --no-divider --trailer=",
        "text*",
        _trailers,
    ),
    "request-pull": looks("-p", "text*", _summary),
    "version": Program("--build-options"),
}

EXAMPLES: dict[str, str] = {
    "git status": "note . #git.repository",
    "git status --short --branch": "note . #git.repository",
    "git status -sb src": "note . #git.repository",
    "git status -v": "note . #git.repository | search ./** #search.staged",
    "git ls-files": "note . #git.repository",
    "git ls-files -- 'src/*.py'": "note . #git.repository | list src/**/*.py",
    "git ls-tree -r --name-only HEAD": "note . #git.repository",
    "git ls-remote https://github.com/a/b": "note . #git.repository | reach https://github.com/a/b",
    "git ls-remote --exec='touch pwned;' .": "run touch pwned; #inline | note . #git.repository | read ./**",
    "git ls-remote --get-url origin": "note . #git.repository",
    "git ls-remote https://example.com/x --get-url": "note . #git.repository | reach https://example.com/x",
    "git rev-parse --abbrev-ref HEAD": "note . #git.repository",
    "git rev-parse --show-toplevel": "note . #git.repository",
    "git describe --tags --always --dirty": "note . #git.repository",
    "git merge-base main HEAD": "note . #git.repository",
    "git for-each-ref --sort=-committerdate --format='%(refname:short)' refs/heads": "note . #git.repository",
    "git for-each-ref --format='%(signature)'": "note . #git.repository | gap git for-each-ref: the format may check"
    " signatures, which starts gpg",
    "git for-each-ref --sort=signature:grade": "note . #git.repository | gap git for-each-ref: the format may check"
    " signatures, which starts gpg",
    "git symbolic-ref HEAD": "note . #git.repository",
    "git symbolic-ref HEAD refs/heads/x": "note . #git.repository | change the repository #git.ref",
    "git fsck --lost-found": "note . #git.repository | change the repository #git.objects",
    "git check-ignore -v a": "list a | note . #git.repository",
    "git archive -o out.tar HEAD src": "write out.tar | note . #git.repository | search src/** #search.tracked",
    "git archive HEAD": "note . #git.repository | search ./** #search.tracked",
    "git archive HEAD:docs a": "note . #git.repository | search a/** #search.tracked | search ./** #search.tracked",
    "git archive --remote=. --exec='touch pwned;' HEAD": "run touch pwned; #inline | note . #git.repository"
    " | read ./**",
    "git hash-object -w .env": "read .env | note . #git.repository | change the repository #git.objects",
    "git hash-object --stdin-paths": "note . #git.repository | blind git hash-object: reads files whose names come"
    " from its input",
    "git merge-file a b docs": "note . #git.repository | read a | read b | read docs | write a",
    "git fast-export --all": "note . #git.repository | search ./** #search.tracked",
    "git interpret-trailers --in-place a": "note . #git.repository | read a | write a",
    "git stripspace": "note . #git.repository",
    "git var GIT_EDITOR": "note . #git.repository",
    "git count-objects -vH": "note . #git.repository",
    "git name-rev HEAD": "note . #git.repository",
    "git show-ref --heads": "note . #git.repository",
    "git cherry -v main": "note . #git.repository",
    "git version": "note git version",
}
