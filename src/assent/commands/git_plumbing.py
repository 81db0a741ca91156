"""git's plumbing that changes things, its upkeep, and the subcommands that start programs we do not follow."""

from __future__ import annotations

from assent.commands.config_files import CRONTABS, GITCONFIG, USER_UNITS, kept
from assent.commands.git_history import DIFF, MERGES, MESSAGES, WALK
from assent.commands.git_repository import (
    HERE,
    change,
    changes_repository,
    from_top,
    has_subcommand,
    looks,
    opens,
    runs_hooks,
    starts_programs,
    whole_tree,
    writes_tree,
)
from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

EDITOR = "may start an editor"


def _remembering(args: Args) -> Iterator[Fact]:
    """`git rerere` alone resolves conflicts the way they were resolved before."""
    yield from opens(args)
    if not has_subcommand(args):
        yield from change(args, "git.rerere")
        yield from writes_tree(args, "git.rerere")


def _verifying(args: Args) -> Iterator[Fact]:
    """Signatures are checked by gpg, or by the program that the settings of the repository name instead."""
    yield args.effect("run", "gpg", "program")
    for word in args.values("--format"):
        if "%(" in (word.value or "%("):
            yield args.gap("the format may do more than show names")


def _collecting(args: Args) -> Iterator[Fact]:
    """`--prune=now` removes what no branch holds any more."""
    yield from change(args, "git.prune.drop" if args.has("--prune") else "git.gc")


@turns_off("--stdout -o")
def _patches(args: Args) -> Iterator[Fact]:
    """format-patch writes one file for each commit, unless it prints them."""
    yield from whole_tree(args)
    if not args.has("--stdout"):
        for word in args.values("-o") or [HERE]:
            yield from args.file("write", word, deep=True, code="git.patches")


def _updating_ref(args: Args) -> Iterator[Fact]:
    if args.has("--stdin"):
        yield args.gap("reads what to do from its input")
    yield from change(args, "git.ref.drop" if args.has("-d") else "git.ref")


@turns_off("-n")
def _reading_tree(args: Args) -> Iterator[Fact]:
    if args.has("-n"):
        return
    yield from change(args, "git.index")
    if args.has("-u"):
        yield from writes_tree(args, "git.discard" if args.has("--reset") else "git.checkout")


@turns_off("--prefix")
def _checking_out_index(args: Args) -> Iterator[Fact]:
    """With a prefix the files land elsewhere: `--prefix=out/`. With `-n` files that are there are still overwritten."""
    code = "git.discard" if args.has("-f") else "git.checkout"
    if args.has("--prefix"):
        yield from whole_tree(args)
        for word in args.values("--prefix"):
            folder = (word.value or "").rpartition("/")[0] or "."
            yield from args.file("write", word if word.value is None else Word(word.text, folder), deep=True, code=code)
    else:
        yield from args.file("write", HERE, deep=True, code=code)


def _secrets(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "stored passwords", "secret.print")
    yield from kept(args, "read", "~/.git-credentials")
    if any(word.value not in ("fill", "get", "capability") for word in args.operands[:1]):
        yield from kept(args, "write", "~/.git-credentials")
    yield args.gap("asks the programs that keep passwords")


def _pushed(args: Args) -> Iterator[Fact]:
    """`send-pack` and `http-push` change branches elsewhere; what may remove commits there is not taken apart."""
    if args.name.endswith(("send-pack", "http-push")):
        forced = any(
            word.value is None
            or (word.value.startswith(("-", "+", ":")) and word.value not in ("--dry-run", "--verbose"))
            for word in args.operands
        )
        yield args.effect("send", "another repository", "git.push.force" if forced else "git.push")


def _rewriting(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.history.force")


def _lfs(args: Args) -> Iterator[Fact]:
    yield args.effect("run", args.name, "program")
    yield args.effect("reach", "the remote of the branch")
    yield args.effect("send", "the remote of the branch")
    first = args.operands[0].value if args.operands else ""
    if first in ("install", "uninstall", "update", None):
        local = any(word.value in ("--local", "--worktree") for word in args.operands)
        yield args.effect("change", "the settings of git", "git.config")
        yield from from_top(args, "write", ".git/config") if local else kept(args, "write", GITCONFIG)
        yield from from_top(args, "write", ".git/hooks/pre-push")
    elif first in ("track", "untrack", "migrate"):
        yield from args.file("write", Word(".gitattributes", ".gitattributes"))
    yield args.gap("subcommands of lfs are not known")


def _scheduling(args: Args) -> Iterator[Fact]:
    """Timers of this user that call git from then on, for the repositories that the settings name."""
    yield from kept(args, "write", GITCONFIG, f"{USER_UNITS}/git-maintenance@.service", CRONTABS)


def _registering(args: Args) -> Iterator[Fact]:
    yield from kept(args, "write", GITCONFIG)


def _replacing(args: Args) -> Iterator[Fact]:
    if args.has("-d", "-f", "-g", "--convert-graft-file") or len(args.operands) > 1:
        yield from change(args, "git.replace")


@turns_off("-n")
def _pruning(args: Args) -> Iterator[Fact]:
    if not args.has("-n"):
        yield from change(args, "git.prune.drop")


@turns_off("-o")
def _reporting(args: Args) -> Iterator[Fact]:
    yield args.gap(EDITOR)
    if not args.has("-o"):
        yield from args.file("write", HERE, deep=True, code="git.bugreport")


GUI = starts_programs("opens a window or a tool that the settings name")
SERVER = starts_programs("serves a repository to others")
MAIL = starts_programs("sends mail or talks to another system")
PASSWORDS = Program("", "text*", more=_secrets, style="plain")
UPKEEP = "-q,--quiet --progress --no-progress"

COMMANDS = {
    "format-patch": looks(
        f"{DIFF} {MERGES} {WALK.replace(' -n,--max', ' --max')} {MESSAGES} -n,--numbered -N,--no-numbered"
        " -s,--signoff --stdout"
        " --cover-letter --no-cover-letter --numbered-files --suffix= --start-number= -v,--reroll-count="
        " --filename-max-length= --rfc --cover-from-description= --subject-prefix= -o,--output-directory="
        " -k,--keep-subject --no-binary --zero-commit --ignore-if-in-upstream --no-stat --add-header= --to= --cc="
        " --from[=] --in-reply-to= --attach[=] --inline[=] --thread[=] --no-thread --signature= --no-signature --base="
        " --signature-file=read -q,--quiet --progress --interdiff= --range-diff= --creation-factor="
        " --force-in-body-from",
        "text*",
        _patches,
    ),
    "update-index": changes_repository(
        "git.index",
        "-q --ignore-submodules --add --replace --remove --unmerged --refresh --really-refresh --chmod="
        " --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --info-only --force-remove -z"
        " -g,--again --ignore-missing --verbose --index-version= --split-index --no-split-index --untracked-cache"
        " --no-untracked-cache",
        "read*",
        hooks=False,
    ),
    "update-ref": looks("-m= -d --no-deref -z --stdin --create-reflog", "text*", _updating_ref),
    "read-tree": looks(
        "--empty -v,--verbose -m --trivial --aggressive --reset --prefix= -u -i -n,--dry-run --no-sparse-checkout"
        " --debug-unpack -q,--quiet",
        "text*",
        _reading_tree,
    ),
    "checkout-index": looks(
        "-a,--all --ignore-skip-worktree-bits -f,--force -q,--quiet -n,--no-create -u,--index -z --stdin --prefix="
        " --stage=",
        "text*",
        _checking_out_index,
    ),
    "commit-tree": changes_repository("git.objects", "-p= -m= -F=read --no-gpg-sign", "text", hooks=False),
    "write-tree": changes_repository("git.objects", "--missing-ok --prefix=", hooks=False),
    "mktree": changes_repository("git.objects", "-z --missing --batch", hooks=False),
    "mktag": changes_repository("git.objects", "--strict --no-strict", hooks=False),
    "replace": looks(
        "-l,--list -d,--delete -g,--graft --convert-graft-file -f,--force --raw --format=", "text*", _replacing
    ),
    "gc": runs_hooks(
        "-q,--quiet --prune[=] --no-prune --cruft --no-cruft --aggressive --auto --force --keep-largest-pack",
        "",
        _collecting,
    ),
    "prune": looks("-n,--dry-run -v,--verbose --progress --expire= --exclude-promisor-objects", "text*", _pruning),
    "prune-packed": changes_repository("git.gc", "-n,--dry-run -q,--quiet", hooks=False),
    "repack": changes_repository(
        "git.gc",
        "-a -A --cruft -d -f -F -n -q,--quiet -l,--local -b,--write-bitmap-index -i,--delta-islands"
        " -k,--keep-unreachable"
        " --window= --window-memory= --depth= --threads= --max-pack-size= --pack-kept-objects --keep-pack="
        " -g,--geometric= -m,--write-midx",
        hooks=False,
    ),
    "pack-refs": changes_repository("git.gc", "--all --no-all --prune --no-prune --auto", hooks=False),
    "maintenance": Program(
        commands={
            "run": changes_repository("git.gc", "--auto --quiet --no-quiet --schedule= --task="),
            "start": starts_programs("registers a timer of the system", _scheduling),
            "stop": starts_programs("changes a timer of the system", _scheduling),
            "register": changes_repository("git.config", "--config-file=write", more=_registering, hooks=False),
            "unregister": changes_repository(
                "git.config", "--force --config-file=write", more=_registering, hooks=False
            ),
        },
        style="bare",
    ),
    "commit-graph": Program(
        "--object-dir=",
        commands={
            "verify": looks(f"--shallow {UPKEEP}"),
            "write": changes_repository(
                "git.gc",
                f"--append --reachable --stdin-packs --stdin-commits --changed-paths --split[=] {UPKEEP}",
                hooks=False,
            ),
        },
        style="bare",
    ),
    "multi-pack-index": Program(
        commands={
            "verify": looks(UPKEEP),
            "write": changes_repository("git.gc", f"--bitmap {UPKEEP}", hooks=False),
            "expire": changes_repository("git.gc", UPKEEP, hooks=False),
            "repack": changes_repository("git.gc", f"--batch-size= {UPKEEP}", hooks=False),
        },
        style="bare",
    ),
    "rerere": Program(
        commands={
            "status": looks(),
            "diff": looks(),
            "remaining": looks(),
            "clear": changes_repository("git.rerere", hooks=False),
            "forget": changes_repository("git.rerere", "", "text*", hooks=False),
            "gc": changes_repository("git.rerere", hooks=False),
        },
        more=_remembering,
    ),
    "pack-objects": changes_repository(
        "git.objects", "-q,--quiet --stdout --all --revs --progress --non-empty --thin", "write?", hooks=False
    ),
    "unpack-objects": changes_repository("git.objects", "-n -q -r --strict", hooks=False),
    "index-pack": changes_repository(
        "git.objects", "-v --stdin --fix-thin --strict --verify -o=write", "read?", hooks=False
    ),
    "update-server-info": changes_repository("git.gc", "-f,--force", hooks=False),
    "bugreport": looks("-s,--suffix= -o,--output-directory=into", "", _reporting),
    "lfs": Program("", "text*", more=_lfs, style="plain"),
    **dict.fromkeys(("gui", "citool", "gitk", "difftool", "mergetool", "instaweb", "gitweb", "web--browse"), GUI),
    **dict.fromkeys(
        ("daemon", "http-backend", "upload-pack", "receive-pack", "upload-archive", "shell", "cvsserver"), SERVER
    ),
    **dict.fromkeys(
        ("send-email", "imap-send", "svn", "p4", "cvsimport", "cvsexportcommit", "archimport", "quiltimport"), MAIL
    ),
    **dict.fromkeys(
        ("credential", "credential-store", "credential-cache", "credential-osxkeychain", "credential-manager"),
        PASSWORDS,
    ),
    **dict.fromkeys(
        ("fetch-pack", "send-pack", "http-fetch", "http-push"), starts_programs("talks to another repository", _pushed)
    ),
    **dict.fromkeys(("verify-commit", "verify-tag"), runs_hooks("-v,--verbose --raw --format=", "text*", _verifying)),
    **dict.fromkeys(
        ("filter-branch", "filter-repo", "fast-import"),
        starts_programs("rewrites history with programs of its own", _rewriting),
    ),
    **dict.fromkeys(
        ("hook", "for-each-repo", "merge-index", "merge-one-file", "fsmonitor--daemon"),
        starts_programs("runs programs of its words or of the repository"),
    ),
    "help": starts_programs("opens a manual page"),
}

EXAMPLES: dict[str, str] = {
    "git send-pack --force x main": "note . #git.repository.hooks | run git send-pack #program"
    " | send another repository #git.push.force | gap git send-pack: talks to another repository",
    "git filter-repo --path a --invert-paths": "note . #git.repository.hooks | run git filter-repo #program"
    " | change the repository #git.history.force | gap git filter-repo: rewrites history with programs of its own",
    "git format-patch -1 HEAD": "note . #git.repository | search ./** #search.tracked | write ./** #git.patches",
    "git format-patch --stdout main": "note . #git.repository | search ./** #search.tracked",
    "git format-patch -o out main": "note . #git.repository | search ./** #search.tracked | write out/** #git.patches",
    "git update-index --assume-unchanged a": "change the repository #git.index | read a | note . #git.repository",
    "git update-ref -d refs/heads/x": "note . #git.repository | change the repository #git.ref.drop",
    "git read-tree -u --reset HEAD": "note . #git.repository | change the repository #git.index | write ./**"
    " #git.discard",
    "git checkout-index -a --prefix=out/": "note . #git.repository | search ./** #search.tracked"
    " | write out/** #git.checkout",
    "git gc": "note . #git.repository.hooks | change the repository #git.gc",
    "git gc --prune=now": "note . #git.repository.hooks | change the repository #git.prune.drop",
    "git prune": "note . #git.repository | change the repository #git.prune.drop",
    "git maintenance run": "change the repository #git.gc | note . #git.repository.hooks",
    "git maintenance start": "note . #git.repository.hooks | run git maintenance start #program | write ~/.gitconfig"
    " | write ~/.config/systemd/user/git-maintenance@.service | write /var/spool/cron/crontabs | gap git"
    " maintenance start: registers a timer of the system",
    "git rerere": "note . #git.repository | change the repository #git.rerere | write ./** #git.rerere",
    "git rerere status": "note . #git.repository | note git rerere status",
    "git difftool -y -x 'touch pwned;:' HEAD~1": "note . #git.repository.hooks | run git difftool #program"
    " | maybe run touch pwned;: #inline | gap git difftool: opens a window or a tool that the settings name",
    "git filter-branch --tree-filter 'rm f' HEAD": "note . #git.repository.hooks | run git filter-branch #program"
    " | maybe run rm f #inline | change the repository #git.history.force"
    " | gap git filter-branch: rewrites history with programs of its own",
    "git credential fill": "change stored passwords #secret.print | read ~/.git-credentials | gap git credential:"
    " asks the programs that keep passwords",
    "git send-email a.patch": "note . #git.repository.hooks | run git send-email #program | gap git send-email: sends"
    " mail or talks to another system",
    "git verify-commit HEAD": "note . #git.repository.hooks | run gpg #program",
    "git help log": "note . #git.repository.hooks | run git help #program | gap git help: opens a manual page",
    "git lfs pull": "run git lfs #program | reach the remote of the branch | send the remote of the branch | gap git"
    " lfs: subcommands of lfs are not known",
    "git hook run pre-commit": "note . #git.repository.hooks | run git hook #program | gap git hook: runs programs of"
    " its words or of the repository",
    "git daemon --export-all": "note . #git.repository.hooks | run git daemon #program | gap git daemon: serves a"
    " repository to others",
    "git commit-graph write --reachable": "change the repository #git.gc | note . #git.repository",
    "git replace -d x": "note . #git.repository | change the repository #git.replace",
    "git verify-tag v1": "note . #git.repository.hooks | run gpg #program",
}
