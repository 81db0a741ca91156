"""git: its own options, and all its subcommands; the files beginning with `git_` describe those."""

from __future__ import annotations

from _collections_abc import Mapping

from assent.commands.program import Program, turns_off
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from assent.commands.args import Args
    from assent.commands.program import Fact

HARMLESS_SETTINGS = frozenset(
    """user.name user.email author.name author.email committer.name committer.email core.quotepath core.abbrev
    core.autocrlf core.eol core.filemode core.ignorecase core.safecrlf core.whitespace core.precomposeunicode
    core.preloadindex core.logallrefupdates core.untrackedcache core.compression core.bigfilethreshold core.commentchar
    log.abbrevcommit log.date log.decorate log.follow log.mailmap log.showroot grep.linenumber
    grep.fullname grep.patterntype grep.extendedregexp grep.column diff.algorithm diff.renames diff.renamelimit
    diff.context diff.interhunkcontext diff.noprefix diff.mnemonicprefix diff.relative diff.wserrorhighlight
    diff.statgraphwidth diff.colormoved diff.colormovedws diff.indentheuristic diff.suppressblankempty diff.wordregex
    diff.dirstat diff.autorefreshindex merge.conflictstyle merge.ff merge.log merge.renames merge.renamelimit merge.stat
    merge.directoryrenames merge.autostash pull.rebase pull.ff rebase.autostash rebase.autosquash rebase.stat
    status.short status.branch status.showuntrackedfiles status.relativepaths status.renames status.renamelimit
    status.submodulesummary status.displaycommentprefix status.aheadbehind init.defaultbranch commit.cleanup
    commit.status tag.sort branch.sort column.ui column.branch column.status column.tag column.clean
    column.ui fetch.prune fetch.prunetags fetch.parallel gc.auto protocol.version pack.threads index.threads
    blame.coloring blame.date blame.showemail blame.showroot blame.blankboundary i18n.logoutputencoding
    i18n.commitencoding feature.manyfiles checkout.guess checkout.defaultremote checkout.workers
    rerere.enabled rerere.autoupdate stash.showstat""".split()
)
"""Settings that change how things look or merge, start nothing and show no more content."""
HARMLESS_SECTIONS = ("color.", "advice.")
SWITCHED_OFF = {
    "core.pager": ("", "cat"),
    "core.editor": ("true", ":"),
    "sequence.editor": ("true", ":"),
    "core.fsmonitor": ("", "false"),
    "core.hookspath": ("/dev/null",),
    "credential.helper": ("",),
    "core.askpass": ("true",),
    "diff.external": ("",),
    "commit.gpgsign": ("false",),
    "tag.gpgsign": ("false",),
    "push.gpgsign": ("false",),
    "log.showsignature": ("false",),
    "submodule.recurse": ("false",),
    "protocol.ext.allow": ("never",),
    "protocol.file.allow": ("never", "user"),
}
"""Settings that start programs, and the values with which they do not."""
SUBCOMMANDS = {
    "git_history": (
        "log whatchanged show diff diff-tree diff-index diff-files rev-list shortlog range-diff blame annotate grep "
        "cat-file"
    ),
    "git_reads": (
        "status ls-files ls-tree ls-remote rev-parse describe name-rev merge-base for-each-ref show-ref show-branch "
        "symbolic-ref cherry count-objects fsck check-ignore check-attr check-mailmap check-ref-format var archive "
        "hash-object verify-pack show-index get-tar-commit-id patch-id stripspace column fmt-merge-msg merge-tree "
        "merge-file fast-export interpret-trailers request-pull version"
    ),
    "git_changes": (
        "add commit checkout switch restore reset clean merge rebase cherry-pick revert am apply branch tag mv rm "
        "stash stage"
    ),
    "git_remotes": "clone fetch pull push remote submodule bundle sparse-checkout",
    "git_settings": "config notes reflog worktree bisect init",
    "git_plumbing": (
        "format-patch update-index update-ref read-tree checkout-index commit-tree write-tree mktree mktag replace gc "
        "prune prune-packed repack pack-refs maintenance commit-graph multi-pack-index rerere pack-objects "
        "unpack-objects index-pack update-server-info bugreport lfs gui citool gitk difftool mergetool instaweb gitweb "
        "web--browse daemon http-backend upload-pack receive-pack upload-archive shell cvsserver send-email imap-send "
        "svn p4 cvsimport cvsexportcommit archimport quiltimport credential credential-store credential-cache "
        "credential-osxkeychain credential-manager fetch-pack send-pack http-fetch http-push verify-commit verify-tag "
        "filter-branch filter-repo fast-import hook for-each-repo merge-index merge-one-file fsmonitor--daemon help"
    ),
}
"""Subcommands of each file, in its `COMMANDS`."""
ELSEWHERE = ("--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source")


@turns_off("-C")
def _globally(args: Args) -> Iterator[Fact]:
    """Options before the subcommand: another folder, settings for this once."""
    for word in args.values("-c"):
        if not is_harmless_setting(word.value):
            yield args.gap(f"-c {word.text} changes what git does", blind=True)
    for name in ELSEWHERE:
        if args.has(name):
            yield args.gap(f"{name} makes it use something else than the repository of its folder", blind=True)
    if args.values("--exec-path"):
        yield args.gap("--exec-path makes it run other programs", blind=True)
    for word in args.values("-C"):
        yield from args.file("list", word)
        _move(args, word)
    if len(args.call.words) > 2 and args.call.words[-1].value == "--help":
        yield args.effect("run", "man", "program")
        yield args.gap("opens a manual page")


def is_harmless_setting(setting: str | None) -> bool:
    name, _, value = (setting or "").partition("=")
    name = name.lower()
    if name in SWITCHED_OFF:
        return value.lower() in SWITCHED_OFF[name] and "=" in (setting or "")
    if name.startswith("pager."):
        return value.lower() in ("false", "cat")
    if name.endswith(".sort") and "signature" in value.lower():
        return False
    return name in HARMLESS_SETTINGS or name.startswith(HARMLESS_SECTIONS)


def _move(args: Args, word: Word) -> None:
    """`-C folder`: everything behind it is seen from there."""
    folder = word.value
    if folder is None:
        args.call = replace(args.call, cwds=())
    elif folder.startswith("/"):
        args.call = replace(args.call, cwds=(folder,))
    elif folder not in ("", "."):
        args.call = replace(args.call, cwds=tuple(f"{cwd.rstrip('/')}/{folder}" for cwd in args.call.cwds))


class Subcommands(Mapping[str, Program]):
    """All of them by name; a file is imported when one of its subcommands is met."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.file_of = {name: file for file, names in files.items() for name in names.split()}

    def __getitem__(self, name: str) -> Program:
        commands: dict[str, Program] = _file(self.file_of[name]).COMMANDS
        return commands[name]

    def __contains__(self, name: object) -> bool:
        return name in self.file_of

    def __iter__(self) -> Iterator[str]:
        return iter(self.file_of)

    def __len__(self) -> int:
        return len(self.file_of)


def _file(name: str) -> Any:
    return __import__(f"assent.commands.{name}", fromlist=("COMMANDS",))


PROGRAMS = {
    "git": Program(
        "-C=choice -c=choice -P,--no-pager --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs"
        " --no-replace-objects --no-lazy-fetch --no-advice --html-path --man-path --info-path"
        " -v,--version"
        " --exec-path[=] --git-dir= --work-tree= --namespace= --super-prefix= --config-env= --attr-source=",
        commands=Subcommands(SUBCOMMANDS),
        more=_globally,
        style="bare",
    ),
}

OWN_EXAMPLES = {
    "git": "note git",
    "git --version": "note git",
    "git --no-pager log --oneline -5": "note . #git.repository",
    "git log --help": "run man #program | note git log | gap git: opens a manual page",
    "git frobnicate": "run git frobnicate #program | gap git: subcommand frobnicate is not known",
    "git -C src status": "list src | note /p/src #git.repository",
    "git -C src show HEAD:.env": "list src | note /p/src #git.repository | read .env",
    "git -C src show HEAD:./.env": "list src | note /p/src #git.repository | read /p/src/./.env",
    "git -C docs -C x diff": "list docs | list /p/docs/x | note /p/docs/x #git.repository"
    " | search ./** #search.committed",
    "git -C docs grep x": "list docs | note /p/docs #git.repository | search /p/docs/./** #search.committed",
    "git -C $D status": "note git status | blind git: a word is not known (variable D) | blind git: lists a pa"
    "th that is not known (variable D) | blind git status: opens the repository of a folde"
    "r that is not known",
    "git -c core.fsmonitor='touch pwned;:' status": "note . #git.repository | blind git: -c core.fsmonitor='touch"
    " pwned;:' changes what git does",
    "git -c core.pager='touch pwned' log": "note . #git.repository | blind git: -c core.pager='touch pwned' changes"
    " what git does",
    "git -c alias.x='!touch pwned' x": "run git x #program | blind git: -c alias.x='!touch pwned' changes what git"
    " does | gap git: subcommand x is not known",
    "git -c tag.sort=signature:grade tag": "note . #git.repository | blind git: -c tag.sort=signature:grade changes"
    " what git does",
    "git -c color.ui=never -c core.pager=cat log -1": "note . #git.repository",
    "git --config-env=core.sshCommand=EVIL ls-remote ssh://h/x": "note . #git.repository | reach ssh://h/x | blind"
    " git: --config-env makes it use something else than the repository of its folder",
    "git --exec-path=e x": "run git x #program | blind git: --exec-path makes it run other programs | gap git:"
    " subcommand x is not known",
    "git --git-dir=e status": "note . #git.repository | blind git: --git-dir makes it use something else than the"
    " repository of its folder",
    "git -p log": "note . #git.repository | gap git: option -p is not known",
}


def __getattr__(name: str) -> dict[str, str]:
    """The examples of all files together, which nobody needs who is not reading about them."""
    if name != "EXAMPLES":
        raise AttributeError(f"module `assent.commands.git` has no attribute `{name}`")
    found = dict(OWN_EXAMPLES)
    for file in SUBCOMMANDS:
        found |= _file(file).EXAMPLES
    return found
