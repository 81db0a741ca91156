"""git's configuration, notes, reflog, worktrees and bisect."""

from __future__ import annotations

from assent.commands.config_files import GITCONFIG, kept
from assent.commands.git_history import LOGGING
from assent.commands.git_repository import (
    HERE,
    change,
    changes_repository,
    from_top,
    in_commit,
    looks,
    opens,
    runs_hooks,
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

CONFIG_READS = (
    *("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--get-color", "--get-colorbool", "--blob"),
)
CONFIG_WRITES = ("--replace-all", "--add", "--unset", "--unset-all", "--rename-section", "--remove-section")
EDITOR = "may start an editor"


# --- configuration -------------------------------------------------------------------------------------------------


def _configuring(args: Args) -> Iterator[Fact]:
    """One word prints a setting, two write one; newer versions say `get` and `set`."""
    words = args.operands
    first = words[0].value if words else None
    if first in CONFIG_NEW:
        from assent.commands.facts import described

        inner = CONFIG_NEW[first]
        yield from described(inner, args.name, args.call, args.number, args.base, tuple(words[1:]), args.parent)
    if args.has(*CONFIG_WRITES):
        yield from _config_file(args, writes=True)
    elif args.has(*CONFIG_READS):
        yield from _config_file(args, writes=False)
    elif first not in CONFIG_NEW:
        yield from _config_file(args, writes=len(words) > 1 or any(word.many for word in words))


@turns_off(
    "--global --system --worktree -f --blob --get --get-all --get-regexp --get-urlmatch -l --get-color --get-colorbool"
)
def _opened_config(args: Args) -> Iterator[Fact]:
    """Options end at the first word: `git config core.pager --list` sets a pager."""
    yield from opens(args)
    yield from _configuring(args)


def _reading_config(args: Args) -> Iterator[Fact]:
    yield from _config_file(args, writes=False)


@turns_off("--global --system --worktree -f")
def _writing_config(args: Args) -> Iterator[Fact]:
    yield from _config_file(args, writes=True)


@turns_off("--global --system --worktree -f")
def _editing_config(args: Args) -> Iterator[Fact]:
    yield args.gap(EDITOR)
    yield from _config_file(args, writes=True)


def _config_file(args: Args, *, writes: bool) -> Iterator[Fact]:
    """Settings decide what git runs, so a change of them is a write of the file that holds them."""
    for word in args.values("-f"):
        yield from args.file("write" if writes else "read", word)
    for word in args.values("--blob"):
        _, colon, path = (word.value or "").rpartition(":")
        if colon and path:
            yield from in_commit(args, "read", path)
        else:
            yield args.gap("prints a file of the repository that has no name here", blind=True, reading=True)
    if args.has("-f", "--blob") and any(word.value == "--includes" for word in args.call.words):
        yield args.gap("reads the files that this one includes", blind=True, reading=True)
    if not writes:
        return
    yield args.effect("change", "the settings of git", "git.config")
    if args.has("--global"):
        yield from kept(args, "write", GITCONFIG)
    if args.has("--system"):
        yield from kept(args, "write", "/etc/gitconfig")
    if args.has("--worktree"):
        yield from from_top(args, "write", ".git/config.worktree")
    if not args.has("--global", "--system", "--worktree", "-f"):
        yield from from_top(args, "write", ".git/config")


# --- commands with subcommands -------------------------------------------------------------------------------------


def _opened(args: Args) -> Iterator[Fact]:
    yield from opens(args)


@turns_off("-m -F -C")
def _noting(args: Args) -> Iterator[Fact]:
    if not args.has("-m", "-F", "-C") and not args.name.endswith(("remove", "copy", "merge", "prune")):
        yield args.gap(EDITOR)


def _reflog(args: Args) -> Iterator[Fact]:
    """`git reflog` is `git reflog show`; only `expire`, `delete` and `drop` change it."""
    from assent.commands.facts import described

    words = tuple(args.operands)
    first = words[0].value if words else ""
    inner = REFLOGS.get(first or "")
    if inner is not None:
        yield from described(inner, f"{args.name} {first}", args.call, args.number, args.base, words[1:], args.parent)
    else:
        yield from described(LOGGING, args.name, args.call, args.number, args.base, words, args.parent)


@turns_off("--no-checkout --orphan")
def _adding_worktree(args: Args) -> Iterator[Fact]:
    for word in args.operands[:1]:
        yield from args.file("write", word, deep=True, code="git.worktree")
    if not args.has("--no-checkout", "--orphan"):
        yield from whole_tree(args)
    if args.has("-B"):
        yield from change(args, "git.branch.force")


def _removing_worktree(args: Args) -> Iterator[Fact]:
    code = "git.worktree.remove.force" if args.has("-f") else "git.worktree.remove"
    yield from change(args, code)
    for word in args.operands:
        yield from args.file("delete", word, deep=True, code=code)


def _moving_worktree(args: Args) -> Iterator[Fact]:
    for word in args.operands[:1]:
        yield from args.act("move", word)
    for word in args.operands[1:]:
        yield from args.file("write", word, deep=True)


def _bisecting(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.bisect")
    yield from writes_tree(args, "git.bisect")


def _bisect_run(args: Args) -> Iterator[Fact]:
    yield from _bisecting(args)
    yield args.effect("run", " ".join(word.text for word in args.operands), "program")
    yield args.gap("runs a command again and again", blind=True)


@turns_off("--bare")
def _starting(args: Args) -> Iterator[Fact]:
    """`git init`: the folder gets a `.git`."""
    bare = args.has("--bare")
    for word in args.operands or [HERE]:
        inner = word if bare or not word.value else Word(word.text, _below(word.value, ".git"))
        yield from args.file("write", inner, deep=True, code="git.init")
    for word in args.values("--separate-git-dir"):
        yield from args.file("write", word, deep=True, code="git.init")


def _below(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder.rstrip('/')}/{name}"


@turns_off("", everything="-n")
def _expiring(args: Args) -> Iterator[Fact]:
    if not args.has("-n"):
        yield from change(args, "git.reflog.drop")


CONFIG_FILE = "--global --system --local --worktree -f,--file= --blob="
CONFIG_SHAPE = (
    "--fixed-value -t,--type= --no-type --bool --int --bool-or-int --bool-or-str --path --expiry-date -z,--null"
    " --name-only"
    " --includes --no-includes --show-origin --show-scope --default="
)
CONFIG_GET = Program(
    f"{CONFIG_FILE} {CONFIG_SHAPE} --show-names --all --regexp --url= --value=", "text*", more=_reading_config
)
CONFIG_SET = Program(
    f"{CONFIG_FILE} {CONFIG_SHAPE} --all --append --comment= --value= --regexp", "text*", more=_writing_config
)
CONFIG_NEW = {
    "list": CONFIG_GET,
    "get": CONFIG_GET,
    **dict.fromkeys(("set", "unset", "rename-section", "remove-section"), CONFIG_SET),
    "edit": Program(CONFIG_FILE, more=_editing_config),
}
NOTE = "-m,--message= -F,--file=read -C,--reuse-message= --allow-empty -f,--force --separator[=] --stripspace"
REFLOGS = {
    "show": LOGGING,
    "list": looks(),
    "exists": looks("", "text"),
    "expire": looks(
        "--all -n,--dry-run --verbose --expire= --expire-unreachable= --updateref --rewrite --stale-fix"
        " --single-worktree",
        "text*",
        _expiring,
    ),
    "delete": looks("-n,--dry-run --verbose --updateref --rewrite", "text*", _expiring),
    "drop": looks("--all --single-worktree", "text*", _expiring),
}
BISECTING = runs_hooks("", "text*", _bisecting)

COMMANDS = {
    "config": Program(
        f"{CONFIG_FILE} {CONFIG_SHAPE} --get --get-all --get-regexp --get-urlmatch --replace-all --add --unset"
        " --unset-all"
        " --rename-section --remove-section -l,--list --get-color --get-colorbool",
        "text*",
        more=_opened_config,
        style="posix",
    ),
    "notes": Program(
        "--ref=",
        commands={
            "list": looks("", "text?"),
            "show": looks("", "text?"),
            "get-ref": looks(),
            "add": changes_repository("git.notes", NOTE, "text?", _noting, hooks=False),
            "append": changes_repository("git.notes", NOTE, "text?", _noting, hooks=False),
            "copy": changes_repository("git.notes", "-f,--force --stdin --for-rewrite=", "text*", hooks=False),
            "remove": changes_repository("git.notes", "--ignore-missing --stdin", "text*", hooks=False),
            "merge": changes_repository("git.notes", "-v -q -s,--strategy= --commit --abort", "text?", hooks=False),
            "prune": changes_repository("git.notes", "-n,--dry-run -v,--verbose", hooks=False),
        },
        more=_opened,
    ),
    "reflog": Program("", "text*", more=_reflog, style="plain"),
    "worktree": Program(
        commands={
            "list": looks("--porcelain -v,--verbose --expire= -z"),
            "add": changes_repository(
                "git.worktree",
                "-f,--force -b= -B= -d,--detach --checkout --no-checkout --lock --reason= -q,--quiet --track --no-track"
                " --guess-remote --no-guess-remote --orphan",
                "text text?",
                _adding_worktree,
            ),
            "remove": looks("-f,--force", "text", _removing_worktree),
            "move": changes_repository("git.worktree", "-f,--force", "text text", _moving_worktree, hooks=False),
            "prune": changes_repository("git.worktree", "-n,--dry-run -v,--verbose --expire=", hooks=False),
            "lock": changes_repository("git.worktree", "--reason=", "text", hooks=False),
            "unlock": changes_repository("git.worktree", "", "text", hooks=False),
            "repair": changes_repository("git.worktree", "", "write*", hooks=False),
        },
        style="bare",
    ),
    "bisect": Program(
        commands={
            "log": looks(),
            "terms": looks("--term-good --term-bad --term-old --term-new"),
            "start": runs_hooks(
                "--no-checkout --first-parent --term-good,--term-old= --term-bad,--term-new=", "text*", _bisecting
            ),
            "replay": runs_hooks("", "read", _bisecting),
            "run": runs_hooks("", "text*", _bisect_run),
            **dict.fromkeys(("good", "bad", "old", "new", "skip", "reset", "next"), BISECTING),
        },
        style="bare",
    ),
    "init": looks(
        "--bare --shared[=] -q,--quiet --separate-git-dir= -b,--initial-branch= --object-format= --ref-format=",
        "text?",
        _starting,
    ),
}

EXAMPLES: dict[str, str] = {
    "git config --blob=HEAD~1:.env --list": "note . #git.repository | read .env",
    "git config --blob HEAD:a/b.ini get x.y": "note . #git.repository | note git config | read a/b.ini",
    "git config --blob abc123 --list": "note . #git.repository"
    " | blind git config: prints a file of the repository that has no name here",
    "git config -f a.ini --list": "note . #git.repository | read a.ini",
    "git config -f a.ini --includes --list": "note . #git.repository | read a.ini | blind git config: reads the files"
    " that this one includes",
    "git config --blob=HEAD:a.ini --includes --list": "note . #git.repository | read a.ini | blind git config: reads"
    " the files that this one includes",
    "git config list --includes -f a.ini": "note . #git.repository | read a.ini | blind git config: reads the files"
    " that this one includes",
    "git config --includes --list": "note . #git.repository",
    "git config user.name": "note . #git.repository",
    "git config user.name x": "note . #git.repository | change the settings of git #git.config | write .git/config",
    "git config --global core.pager 'touch pwned'": "note . #git.repository | change the settings of git #git.config |"
    " write ~/.gitconfig",
    "git config --get remote.origin.url": "note . #git.repository",
    "git config --list --show-origin": "note . #git.repository",
    "git config set core.editor x": "note . #git.repository | change the settings of git #git.config | write"
    " .git/config",
    "git config list": "note . #git.repository | note git config",
    "git config -f a.ini x.y z": "note . #git.repository | write a.ini | change the settings of git #git.config",
    "git config -e": "note . #git.repository | gap git config: option -e is not known",
    "git config --unset user.name": "note . #git.repository | change the settings of git #git.config | write"
    " .git/config",
    "git notes": "note . #git.repository",
    "git notes show HEAD": "note . #git.repository | note git notes show",
    "git notes add -m x": "note . #git.repository | change the repository #git.notes",
    "git notes add": "note . #git.repository | change the repository #git.notes | gap git notes add: may start an"
    " editor",
    "git reflog": "note . #git.repository",
    "git reflog -10": "note . #git.repository",
    "git reflog show -p main": "note . #git.repository | maybe search main/** #search.tracked | search ./**"
    " #search.tracked",
    "git reflog expire --expire=now --all": "note . #git.repository | change the repository #git.reflog.drop",
    "git worktree list": "note . #git.repository",
    "git worktree add ../wt -b new": "change the repository #git.worktree | note . #git.repository.hooks | write"
    " ../wt/** #git.worktree | search ./** #search.tracked",
    "git worktree remove --force wt": "note . #git.repository | change the repository #git.worktree.remove.force |"
    " delete wt/** #git.worktree.remove.force",
    "git worktree move wt wt2": "change the repository #git.worktree | note . #git.repository | read wt/** | delete"
    " wt/** #move | write wt2/**",
    "git bisect start": "note . #git.repository.hooks | change the repository #git.bisect | write ./** #git.bisect",
    "git bisect good": "note . #git.repository.hooks | change the repository #git.bisect | write ./** #git.bisect",
    "git bisect run make test": "note . #git.repository.hooks | change the repository #git.bisect"
    " | write ./** #git.bisect | run make test #program | blind git bisect run: runs a command again and again",
    "git bisect log": "note . #git.repository",
    "git init": "note . #git.repository | write .git/** #git.init",
    "git init -b main new": "note . #git.repository | write new/.git/** #git.init",
    "git config core.pager --list": "note . #git.repository | change the settings of git #git.config | write"
    " .git/config",
    "git config alias.x '!touch pwned' -l": "note . #git.repository | change the settings of git #git.config | write"
    " .git/config",
    "git config set --global core.editor x": "note . #git.repository | change the settings of git #git.config | write"
    " ~/.gitconfig",
    "git config get --all remote.origin.url": "note . #git.repository | note git config",
    "git config edit": "note . #git.repository | change the settings of git #git.config | write .git/config | gap git"
    " config: may start an editor",
}
