"""git's subcommands that change the repository or the working tree: add, commit, checkout, reset, merge, stash."""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.git_history import DIFF, LOGGING
from assent.commands.git_reads import CHOICE
from assent.commands.git_repository import (
    HERE,
    PATHS_FROM,
    TRACKED,
    behind_dashes,
    change,
    changes_repository,
    contents,
    from_top,
    has_subcommand,
    is_path,
    is_revision,
    looks,
    opens,
    pathspec,
    runs_hooks,
    staged,
    whole_tree,
    writes_tree,
)
from assent.commands.inputs import input_text
from assent.commands.patch import named_by
from assent.commands.program import Program, passes_on, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

# Left out on purpose: -i, -p and --edit wait for a person or start an editor, -S and --gpg-sign start gpg.
EDITOR = "may start an editor"
SEQUENCE = "--quit --continue --abort --skip"
STRATEGY = "--strategy= -X,--strategy-option= --rerere-autoupdate --no-rerere-autoupdate --no-gpg-sign"
TREE = (
    "-q,--quiet --recurse-submodules[=] --no-recurse-submodules --progress --no-progress -m,--merge --conflict="
    " --overwrite-ignore --no-overwrite-ignore"
)
LISTING = ("-l", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at")
"""Options that make `git branch` and `git tag` print a list, so that a word is a pattern."""


@turns_off("-n")
def _adding(args: Args) -> Iterator[Fact]:
    """Content of files goes into the repository, from where a push may carry it on."""
    words = args.operands
    if not args.has("-n") or args.has("-N"):
        yield from change(args, "git.add")
    for word in words:
        yield from pathspec(args, word, "search", "" if args.has("-f") else TRACKED)
    if not words and args.has("-A", "-u"):
        yield from from_top(args, "search", ".", deep=True, code="" if args.has("-f") else TRACKED)


@turns_off("-F -m -C --fixup --no-edit --dry-run")
def _committing(args: Args) -> Iterator[Fact]:
    if args.has("--dry-run") and not (args.operands or args.has("-a", "-i", "-o")):
        yield from _showing(args)
        return  # with paths it stores their content, for an index that it then throws away
    yield from change(args, "git.commit.amend" if args.has("--amend") else "git.commit")
    for word in args.operands:
        yield from pathspec(args, word, "search", TRACKED)
    if args.has("-a"):
        yield from from_top(args, "search", ".", deep=True, code=TRACKED)
    if not args.has("-m", "-F", "-C", "--no-edit", "--fixup", "--squash") or _fixes_message(args):
        yield args.gap(EDITOR)


def _showing(args: Args) -> Iterator[Fact]:
    """What `--dry-run -v` prints: the differences that would be committed."""
    if args.has("-v"):
        yield from staged(args)


def _fixes_message(args: Args) -> bool:
    """`--fixup=amend:` and `--squash` without a message open an editor."""
    if args.has("-m", "-F", "-C", "--no-edit"):
        return False
    return args.has("--squash") or any(not word.value or ":" in word.value for word in args.values("--fixup"))


@turns_off("-b -B -d -t --orphan")
def _checking_out(args: Args) -> Iterator[Fact]:
    """A branch or files: one plain word is a branch, more than one or those behind `--` are files."""
    paths = behind_dashes(args) or [word for word in args.operands if word.value is None or is_path(word.value)]
    others = [word for word in args.operands if all(word is not path for path in paths)]
    if len(others) > 1 and not args.has("-b", "-B", "--orphan"):
        paths += others[1:]
    if paths:
        for word in paths:
            yield from pathspec(args, word, "write", "git.discard")
    for word in others[:1] if not args.has("-b", "-B", "--orphan", "-d", "-t") else []:
        if not is_revision(word.value or ""):
            for fact in pathspec(args, word, "write", "git.discard"):
                yield mention(fact)
    if not paths:
        yield from _switching(args)


@turns_off("-c -C")
def _switching(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.checkout")
    if args.has("-B", "-C"):
        yield from change(args, "git.branch.force")
    if args.has("-f", "--discard-changes"):
        yield from writes_tree(args, "git.discard")
    elif args.operands or not args.has("-b", "-c", "-B", "-C"):
        yield from writes_tree(args, "git.checkout")
    if args.has("--pathspec-from-file"):
        yield args.gap("a file names the paths")


@turns_off("-S")
def _restoring(args: Args) -> Iterator[Fact]:
    if args.has("-S"):
        yield from change(args, "git.index")
    if args.has("--pathspec-from-file"):
        yield from writes_tree(args, "git.discard")
    if args.has("-W") or not args.has("-S"):
        for word in args.operands:
            yield from pathspec(args, word, "write", "git.discard")


def _resetting(args: Args) -> Iterator[Fact]:
    if args.has("--hard"):
        yield from change(args, "git.reset.hard")
        yield from writes_tree(args, "git.reset.hard")
    elif args.has("--merge", "--keep"):
        yield from change(args, "git.reset")
        yield from writes_tree(args, "git.reset")
    else:
        yield from change(args, "git.reset")


@turns_off("-n")
def _cleaning(args: Args) -> Iterator[Fact]:
    """Removes what is not tracked; `-x` also what is ignored."""
    for word in args.operands or [HERE]:
        if args.has("-n"):
            yield from pathspec(args, word, "list")
        else:
            yield from pathspec(args, word, "delete", "git.clean.force")


@turns_off("--show-current-patch")
def _merging(args: Args) -> Iterator[Fact]:
    """Brings other commits into the branch and the working tree."""
    if args.has("--show-current-patch"):
        yield from whole_tree(args)
        return
    name = args.name.rpartition(" ")[2]
    yield from change(args, f"git.{name}")
    yield from writes_tree(args, "git.discard" if args.has("--abort", "--skip") else f"git.{name}")
    if args.has("--continue"):
        yield args.gap(EDITOR)


@turns_off("--stat --numstat --summary --check --cached")
def _applying(args: Args) -> Iterator[Fact]:
    """The patch names the files, none above this folder; only `--stat` and its kin leave them alone."""
    if args.has("--stat", "--numstat", "--summary", "--check") and not args.has("--apply"):
        return
    if args.has("--cached", "--index", "-3", "-N"):
        yield from change(args, "git.index")
    if not args.has("--cached"):
        yield from args.file("write", HERE, deep=True, code="git.apply")
        yield from _named_in_patch(args)


def _named_in_patch(args: Args) -> Iterator[Fact]:
    """The files that a patch on standard input names; `--directory` puts them below another folder."""
    yield from named_by(args, input_text(args.call), HERE)
    for word in args.values("--directory"):
        yield from named_by(args, input_text(args.call), word)


def _mailing(args: Args) -> Iterator[Fact]:
    yield from _merging(args)
    yield from _named_in_patch(args)


passes_on(_mailing, _merging)


@turns_off("-l --points-at --contains --no-contains --merged --no-merged")
def _branching(args: Args) -> Iterator[Fact]:
    force = args.has("-f")
    if args.has("-d", "-D"):
        yield from change(args, "git.branch.delete.force" if force or args.has("-D") else "git.branch.delete")
    elif args.has("-M", "-C") or (force and (args.has("-m", "-c") or args.operands)):
        yield from change(args, "git.branch.force")
    elif args.has("-m", "-c", "-u", "--unset-upstream") or (args.operands and not args.has(*LISTING)):
        yield from change(args, "git.branch")
    yield from _formatted(args)


@turns_off("-l -n --points-at --contains --no-contains --merged --no-merged", everything="-m -F")
def _tagging(args: Args) -> Iterator[Fact]:
    if args.has("-d"):
        yield from change(args, "git.tag.delete")
    elif args.operands and not args.has("-n", *LISTING):
        yield from change(args, "git.tag.force" if args.has("-f") else "git.tag")
        if args.has("-a") and not args.has("-m", "-F"):
            yield args.gap(EDITOR)
    yield from _formatted(args)


def _formatted(args: Args) -> Iterator[Fact]:
    for word in args.values("--format", "--sort"):
        if word.value is None or "signature" in word.value:
            yield args.gap("the format may check signatures, which starts gpg")


@turns_off("-n")
def _moving(args: Args) -> Iterator[Fact]:
    if args.has("-n"):
        return
    *sources, target = args.operands or [HERE]
    yield from change(args, "git.index")
    for word in sources:
        yield from args.act("move", word)
    yield from args.file("write", target, deep=True)


@turns_off("-n --cached")
def _removing(args: Args) -> Iterator[Fact]:
    if args.has("-n"):
        return
    yield from change(args, "git.index")
    if args.has("--pathspec-from-file") and not args.has("--cached"):
        yield args.gap("a file names the paths", blind=True)
    if not args.has("--cached"):
        for word in args.operands:
            yield from pathspec(args, word, "delete", "git.discard" if args.has("-f") else "")


def _stashing(args: Args) -> Iterator[Fact]:
    """`git stash` alone, or with options of `push`, puts changes away; a subcommand speaks for itself."""
    if has_subcommand(args):
        yield from opens(args)
    else:
        yield from opens(args, "git.repository.hooks")
        yield from _putting_away(args)


def _putting_away(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.stash")
    yield from writes_tree(args, "git.stash")


def _taking_back(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.stash")
    yield from writes_tree(args, "git.stash")


def _showing_stash(args: Args) -> Iterator[Fact]:
    if args.has(
        "-p", "-U", "--patch-with-stat", "--patch-with-raw", "--binary", "--word-diff", "--color-words", "--check"
    ):
        yield from contents(args, [])


PUSH = (
    f"-k,--keep-index --no-keep-index -S,--staged -q,--quiet -u,--include-untracked -a,--all -m,--message= {PATHS_FROM}"
)
STASHES = {
    "list": LOGGING,
    "show": looks(f"{DIFF} --include-untracked --only-untracked", "text*", _showing_stash),
    "push": runs_hooks(PUSH, "text*", _putting_away),
    "save": runs_hooks(PUSH, "text*", _putting_away),
    "pop": runs_hooks("-q,--quiet --index", "text?", _taking_back),
    "apply": runs_hooks("-q,--quiet --index", "text?", _taking_back),
    "branch": runs_hooks("", "text text?", _taking_back),
    "drop": changes_repository("git.stash.drop", "-q,--quiet", "text?", hooks=False),
    "clear": changes_repository("git.stash.drop", hooks=False),
    "create": changes_repository("git.stash", "", "text*", hooks=False),
    "store": changes_repository("git.stash", "-m,--message= -q,--quiet", "text", hooks=False),
}
PICKING = f"{SEQUENCE} --cleanup= -n,--no-commit --no-edit -s,--signoff -m,--mainline= {STRATEGY}"

COMMANDS = {
    "add": looks(
        "-n,--dry-run -v,--verbose -f,--force -u,--update --renormalize -N,--intent-to-add -A,--all,--no-ignore-removal"
        f" --ignore-removal,--no-all --refresh --ignore-errors --ignore-missing --sparse --chmod= {PATHS_FROM}",
        "text*",
        _adding,
    ),
    "commit": runs_hooks(
        "-q,--quiet -v,--verbose -F,--file=read --author= --date= -m,--message= -C,--reuse-message= --fixup= --squash="
        " --reset-author --trailer= -s,--signoff --no-signoff -t,--template=read --no-edit --cleanup= --status"
        " --no-status"
        " -a,--all -i,--include -o,--only -n,--no-verify --verify --dry-run --short --branch --ahead-behind"
        " --no-ahead-behind --porcelain --long -z,--null --amend --no-post-rewrite -u,--untracked-files[=]"
        f" --allow-empty --allow-empty-message --no-gpg-sign {PATHS_FROM}",
        "text*",
        _committing,
    ),
    "checkout": runs_hooks(
        f"{TREE} -b= -B= -l --guess --no-guess --overlay --no-overlay -d,--detach -t,--track[=] --no-track -f,--force"
        f" --orphan= --ignore-other-worktrees -2,--ours -3,--theirs --ignore-skip-worktree-bits {PATHS_FROM}",
        "text*",
        _checking_out,
    ),
    "switch": runs_hooks(
        f"{TREE} -c,--create= -C,--force-create= --guess --no-guess --discard-changes -d,--detach -t,--track[=]"
        " --no-track -f,--force --orphan= --ignore-other-worktrees",
        "text*",
        _switching,
    ),
    "restore": runs_hooks(
        f"{TREE} -s,--source= -S,--staged -W,--worktree --ignore-unmerged --overlay --no-overlay -2,--ours -3,--theirs"
        f" --ignore-skip-worktree-bits {PATHS_FROM}",
        "text*",
        _restoring,
    ),
    "reset": looks(
        "-q,--quiet --no-refresh --refresh --mixed --soft --hard --merge --keep --recurse-submodules[=]"
        f" --no-recurse-submodules -N,--intent-to-add {PATHS_FROM}",
        "text*",
        _resetting,
    ),
    "clean": looks("-q,--quiet -n,--dry-run -f,--force -i,--interactive -d -e,--exclude= -x -X", "text*", _cleaning),
    "merge": runs_hooks(
        "-n,--no-stat --stat --summary --log[=] --no-log --squash --no-squash --commit --no-commit --no-edit --cleanup="
        " --ff --no-ff --ff-only --no-verify-signatures -s,--strategy= -X,--strategy-option= -m,--message="
        " -F,--file=read"
        " --into-name= -v,--verbose -q,--quiet --abort --quit --continue --allow-unrelated-histories --progress"
        " --no-progress --autostash --no-autostash --overwrite-ignore --no-overwrite-ignore --signoff --no-signoff"
        " --no-verify --verify --rerere-autoupdate --no-rerere-autoupdate --no-gpg-sign",
        "text*",
        _merging,
    ),
    "rebase": runs_hooks(
        "--onto= --keep-base --no-verify --verify -q,--quiet -v,--verbose --stat -n,--no-stat --signoff"
        " --committer-date-is-author-date --reset-author-date --ignore-whitespace --whitespace="
        " -f,--force-rebase,--no-ff"
        " --continue --skip --abort --quit --show-current-patch --apply -m,--merge --rerere-autoupdate"
        " --no-rerere-autoupdate --empty= --no-autosquash --update-refs --no-update-refs --autostash --no-autostash"
        " -r,--rebase-merges[=] --no-rebase-merges --fork-point --no-fork-point -s,--strategy= -X,--strategy-option="
        " -x,--exec=shell --root --reapply-cherry-picks --no-reapply-cherry-picks --no-gpg-sign",
        "text*",
        _merging,
    ),
    "cherry-pick": runs_hooks(
        f"{PICKING} -x --ff --allow-empty --allow-empty-message --keep-redundant-commits --empty=", "text*", _merging
    ),
    "revert": runs_hooks(f"{PICKING} --reference", "text*", _merging),
    "am": runs_hooks(
        "-3,--3way --no-3way -q,--quiet -s,--signoff -u,--utf8 --no-utf8 -k,--keep --keep-non-patch -m,--message-id"
        " --no-message-id --keep-cr --no-keep-cr -c,--scissors --no-scissors --quoted-cr= --whitespace="
        " --ignore-space-change --ignore-whitespace --directory= --exclude= --include= -C= -p= --patch-format= --reject"
        " --continue -r,--resolved --skip --abort --quit --show-current-patch[=] --allow-empty"
        " --committer-date-is-author-date --ignore-date --rerere-autoupdate --no-rerere-autoupdate --no-gpg-sign"
        " --empty= -n,--no-verify",
        "read*",
        _mailing,
    ),
    "apply": looks(
        "--exclude= --include= -p= --no-add --stat --numstat --summary --check --index -N,--intent-to-add --cached"
        " --apply -3,--3way --build-fake-ancestor=write -z -C= --whitespace= --ignore-space-change --ignore-whitespace"
        " -R,--reverse --unidiff-zero --reject --allow-overlap -v,--verbose -q,--quiet --inaccurate-eof --recount"
        " --directory= --allow-empty --ours --theirs --union",
        "read*",
        _applying,
    ),
    "branch": looks(
        "-v,-vv,--verbose -q,--quiet -t,--track[=] --no-track -u,--set-upstream-to= --unset-upstream --color[=]"
        " --no-color"
        " -r,--remotes --abbrev[=] --no-abbrev -a,--all -d,--delete -D -m,--move -M -c,--copy -C -l,--list"
        " --show-current"
        f" --create-reflog -f,--force --column[=] --no-column {CHOICE} -i,--ignore-case --format= --omit-empty",
        "text*",
        _branching,
    ),
    "tag": looks(
        "-l,--list -n[=] -d,--delete -a,--annotate -m,--message= -F,--file=read --cleanup= -f,--force --create-reflog"
        f" --column[=] --no-column {CHOICE} --format= --color[=] -i,--ignore-case --omit-empty --no-sign --trailer=",
        "text*",
        _tagging,
    ),
    "mv": looks("-v,--verbose -n,--dry-run -f,--force -k --sparse", "text*", _moving),
    "rm": looks(
        f"-n,--dry-run -q,--quiet --cached -f,--force -r --ignore-unmatch --sparse {PATHS_FROM}", "text*", _removing
    ),
    "stash": Program(PUSH, commands=STASHES, more=_stashing),
}
COMMANDS["stage"] = COMMANDS["add"]

EXAMPLES: dict[str, str] = {
    "git add .": "note . #git.repository | change the repository #git.add | search ./** #search.tracked",
    "git add -A": "note . #git.repository | change the repository #git.add | search ./** #search.tracked",
    "git add .env src": "note . #git.repository | change the repository #git.add | search .env/** #search.tracked |"
    " search src/** #search.tracked",
    "git add -p": "note . #git.repository | change the repository #git.add | gap git add: option -p is not known",
    "git add -n a": "note . #git.repository | search a/** #search.tracked",
    "git commit --allow-empty -qm 'rm -rf /'": "note . #git.repository.hooks | change the repository #git.commit",
    'git commit -am "fix: x"': "note . #git.repository.hooks | change the repository #git.commit | search ./**"
    " #search.tracked",
    "git commit": "note . #git.repository.hooks | change the repository #git.commit | gap git commit: may start an"
    " editor",
    "git commit --amend --no-edit": "note . #git.repository.hooks | change the repository #git.commit.amend",
    "git commit --amend": "note . #git.repository.hooks | change the repository #git.commit.amend | gap git commit:"
    " may start an editor",
    "git commit -F msg.txt a": "read msg.txt | note . #git.repository.hooks |"
    " change the repository #git.commit | search"
    " a/** #search.tracked",
    "git checkout -q HEAD~1": "note . #git.repository.hooks | change the repository #git.checkout | write ./**"
    " #git.checkout",
    "git checkout main": "note . #git.repository.hooks | maybe write main/** #git.discard | change the repository"
    " #git.checkout | write ./** #git.checkout",
    "git checkout -b new": "note . #git.repository.hooks | change the repository #git.checkout",
    "git checkout -b new origin/main": "note . #git.repository.hooks | change the repository #git.checkout | write"
    " ./** #git.checkout",
    "git checkout -- a": "note . #git.repository.hooks | write a/** #git.discard",
    "git checkout .": "note . #git.repository.hooks | write ./** #git.discard",
    "git checkout :/": "note . #git.repository.hooks | write ./** #git.discard",
    "git checkout HEAD~1 a": "note . #git.repository.hooks | write a/** #git.discard",
    "git checkout -f": "note . #git.repository.hooks | change the repository #git.checkout | write ./** #git.discard",
    "git switch -c new": "note . #git.repository.hooks | change the repository #git.checkout",
    "git switch main": "note . #git.repository.hooks | change the repository #git.checkout | write ./** #git.checkout",
    "git switch --discard-changes main": "note . #git.repository.hooks | change the repository #git.checkout | write"
    " ./** #git.discard",
    "git restore a": "note . #git.repository.hooks | write a/** #git.discard",
    "git restore --staged a": "note . #git.repository.hooks | change the repository #git.index",
    "git restore --source HEAD~1 'src/*.py'": "note . #git.repository.hooks | write src/**/*.py #git.discard",
    "git reset --soft HEAD~2": "note . #git.repository | change the repository #git.reset",
    "git reset HEAD a": "note . #git.repository | change the repository #git.reset",
    "git reset --hard HEAD~1": "note . #git.repository | change the repository #git.reset.hard | write ./**"
    " #git.reset.hard",
    "git reset --h": "note . #git.repository | change the repository #git.reset | change the repository"
    " #git.reset.hard | write ./** #git.reset.hard | blind git reset: option --h is not known, it may mean --hard",
    "git clean -fdx": "note . #git.repository | delete ./** #git.clean.force",
    "git clean -n": "note . #git.repository | list ./**",
    "git clean -fd src": "note . #git.repository | delete src/** #git.clean.force",
    "git merge feature/x": "note . #git.repository.hooks | change the repository #git.merge | write ./** #git.merge",
    "git merge --abort": "note . #git.repository.hooks | change the repository #git.merge | write ./** #git.discard",
    "git rebase main": "note . #git.repository.hooks | change the repository #git.rebase | write ./** #git.rebase",
    "git rebase -i HEAD~3": "note . #git.repository.hooks | change the repository #git.rebase | write ./** #git.rebase"
    " | gap git rebase: option -i is not known",
    "git rebase --continue": "note . #git.repository.hooks | change the repository #git.rebase | write ./**"
    " #git.rebase | gap git rebase: may start an editor",
    "git rebase -q --exec 'touch pwned' HEAD~1": "run touch pwned #inline | note . #git.repository.hooks"
    " | change the repository #git.rebase | write ./** #git.rebase",
    "git rebase -q --exe='touch pwned' HEAD~1": "note . #git.repository.hooks | change the repository #git.rebase"
    " | write ./** #git.rebase | run touch pwned #inline | blind git rebase: option --exe is not known, it may mean"
    " --exec",
    "git cherry-pick -x ddaebf0": "note . #git.repository.hooks | change the repository #git.cherry-pick | write ./**"
    " #git.cherry-pick",
    "git revert --no-edit HEAD": "note . #git.repository.hooks | change the repository #git.revert | write ./**"
    " #git.revert",
    "git am a.patch": "read a.patch | note . #git.repository.hooks | change the repository #git.am | write ./**"
    " #git.am",
    "git apply --check a.patch": "read a.patch | note . #git.repository",
    "git apply a.patch": "read a.patch | note . #git.repository | write ./** #git.apply",
    "git commit --dry-run -v": "note . #git.repository.hooks | search ./** #search.staged",
    "git apply --cached a.patch": "read a.patch | note . #git.repository | change the repository #git.index",
    "git apply --unsafe-paths a.patch": "read a.patch | note . #git.repository | write ./** #git.apply | gap git"
    " apply: option --unsafe-paths is not known",
    "git branch": "note . #git.repository",
    "git branch -a -v": "note . #git.repository",
    "git branch --show-current": "note . #git.repository",
    "git branch -vv --merged main": "note . #git.repository",
    "git branch pwned": "note . #git.repository | change the repository #git.branch",
    "git branch -d old": "note . #git.repository | change the repository #git.branch.delete",
    "git branch -D old": "note . #git.repository | change the repository #git.branch.delete.force",
    "git branch -f main HEAD~1": "note . #git.repository | change the repository #git.branch.force",
    "git branch -m new": "note . #git.repository | change the repository #git.branch",
    "git branch --list 'feature/*'": "note . #git.repository",
    "git tag": "note . #git.repository",
    "git tag -l 'v*' --sort=-v:refname": "note . #git.repository",
    "git tag pwned": "note . #git.repository | change the repository #git.tag",
    "git tag -a v1 -m one": "note . #git.repository | change the repository #git.tag",
    "git tag -a v1": "note . #git.repository | change the repository #git.tag | gap git tag: may start an editor",
    "git tag -d v1": "note . #git.repository | change the repository #git.tag.delete",
    "git tag -f v1": "note . #git.repository | change the repository #git.tag.force",
    "git tag -v v1": "note . #git.repository | change the repository #git.tag | gap git tag: option -v is not known",
    "git mv a b": "note . #git.repository | change the repository #git.index | read a/** | delete a/** #move | write"
    " b/**",
    "git rm --cached a": "note . #git.repository | change the repository #git.index",
    "git rm -rf docs": "note . #git.repository | change the repository #git.index | delete docs/** #git.discard",
    "git stash": "note . #git.repository.hooks | change the repository #git.stash | write ./** #git.stash",
    "git stash list": "note . #git.repository | note git stash list",
    "git stash list -p": "note . #git.repository | search ./** #search.tracked",
    "git stash -u -m wip": "note . #git.repository.hooks | change the repository #git.stash | write ./** #git.stash",
    "git stash push -m wip -- a": "note . #git.repository | note . #git.repository.hooks | change the repository"
    " #git.stash | write ./** #git.stash",
    "git stash show -p stash@{0}": "note . #git.repository | search ./** #search.tracked",
    "git stash pop": "note . #git.repository | note . #git.repository.hooks | change the repository #git.stash | write"
    " ./** #git.stash",
    "git stash drop": "note . #git.repository | change the repository #git.stash.drop",
    "git stash clear": "note . #git.repository | change the repository #git.stash.drop",
    "git stash -- a": "note . #git.repository | run git stash a #program | gap git stash: subcommand a is not known",
    "git clean -i docs": "note . #git.repository | delete docs/** #git.clean.force",
}
