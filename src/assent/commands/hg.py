"""Other version control: Mercurial (hg), Jujutsu (jj) and Subversion (svn).

hg and jj obey the settings inside a repository, which nobody looks at yet: every call of theirs runs what those name.
"""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, passes_on, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

    More = Callable[[Args], Iterator[Fact]]

HERE = Word(".", ".")
TRACKED = "search.tracked"
FILES_OF_PATTERNS = ("listfile", "include:", "subinclude:", "set:")


# --- what commands do ----------------------------------------------------------------------------------------------


def _all(*parts: More) -> More:
    def stated(args: Args) -> Iterator[Fact]:
        for part in parts:
            yield from part(args)

    return passes_on(stated, *parts)


def _obeys_settings(args: Args) -> Iterator[Fact]:
    """Before hg does anything at all, even to say its version, it loads the extensions of the repository."""
    file = ".hg/hgrc" if args.name == "hg" else ".jj/repo/config.toml"
    yield args.effect("run", f"programs that {file} names", "script")


def _patterns(args: Args) -> Iterator[Fact]:
    for word in (*args.operands, *args.values("-I", "-X")):
        if word.value is None or word.value.startswith(FILES_OF_PATTERNS):
            yield args.gap(f"`{word.text}` may name a file of patterns")


def _content(args: Args) -> Iterator[Fact]:
    """Shows files: those named, else everything tracked."""
    for word in args.operands or [HERE]:
        yield from args.file("search", word, deep=True, code=TRACKED)


def _files(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.file("read", word)


def _changes(code: str) -> More:
    def stated(args: Args) -> Iterator[Fact]:
        yield args.effect("change", "the repository", code)

    return stated


def _tree(code: str) -> More:
    """Files of the working tree get other content."""

    def stated(args: Args) -> Iterator[Fact]:
        yield args.effect("change", "the repository", code)
        for word in args.operands if code.endswith("discard") and args.operands else [HERE]:
            yield from args.file("write", word, deep=True, code=code)

    return stated


def _removes(args: Args) -> Iterator[Fact]:
    """hg chooses by patterns, too; with `--after` it only notes what is gone."""
    if args.has("-I", "-X") and not args.operands and not args.has("-A", "-n"):
        yield from args.file("delete", HERE, deep=True)
    for word in args.operands:
        if _is_address(word):
            yield from _address(args, word, "send", "svn.commit.publish")
        else:
            yield from args.file("delete", word, deep=True)


def _moves(args: Args) -> Iterator[Fact]:
    for at, word in enumerate(args.operands, 1):
        if _is_address(word):
            yield from _address(args, word, "send", "svn.commit.publish")
        elif at < len(args.operands):
            yield from args.act("move", word)
        else:
            yield from args.file("write", word, deep=True)


def _is_address(word: Word) -> bool:
    return "://" in (word.value or "")


def _purges(args: Args) -> Iterator[Fact]:
    for word in args.operands or [HERE]:
        yield from args.file("delete", word, deep=True, code="hg.purge.force")


def _server(kind: Kind, code: str = "") -> More:
    """The repository named by its address, else the one that the settings name."""

    def stated(args: Args) -> Iterator[Fact]:
        named = [word for word in args.operands if word.value is None or "://" in word.value]
        for word in named:
            yield from _address(args, word, kind, code)
        if not named:
            yield args.effect(kind, "the server of the repository", code)

    return stated


def _address(args: Args, word: Word, kind: Kind, code: str) -> Iterator[Fact]:
    """Rules speak of web addresses; `svn+ssh://host/path` is the same machine."""
    if word.value is None:
        yield args.gap(f"the address is not known ({word.why})", blind=True)
        return
    scheme, _, rest = word.value.partition("://")
    if scheme in ("http", "https"):
        yield from args.reach(word.value, kind=kind, code=code)
    elif scheme == "file":
        yield from args.file("write" if kind == "send" else "read", Word(word.text, rest), deep=True, code=code)
    elif scheme in ("ssh", "svn", "svn+ssh"):
        host = rest.partition("/")[0].rpartition("@")[2].partition(":")[0]
        yield from args.reach(f"https://{host}/", shown=word.value, kind=kind, code=code)
    else:
        yield args.gap(f"`{scheme}` addresses are not known", blind=True)


def _pushes(args: Args) -> Iterator[Fact]:
    forced = args.has("-f", "--new-branch", "--deleted", "--all")
    yield from _server("send", "hg.push.force" if forced else "hg.push")(args)


def _clones(args: Args) -> Iterator[Fact]:
    """The second word names the folder, else the last part of the first does."""
    words = args.operands
    for word in words[:1]:
        if word.value is not None and "://" not in word.value:
            yield from args.file("read", word, deep=True)
        else:
            yield from _address(args, word, "reach", "clone")
        name = (word.value or "").rstrip("/").rpartition("/")[2].removesuffix(".git")
        folder = words[1] if len(words) > 1 else Word(word.text, name) if name else word
        yield from args.file("write", folder, deep=True, code="clone")
    for word in words[2:]:
        yield args.gap(f"`{word.text}` is one word too many")


@turns_off("-m -l -F")
def _needs_message(args: Args) -> Iterator[Fact]:
    if not args.has("-m", "-l", "-F"):
        yield args.gap("may start an editor")


# --- hg ------------------------------------------------------------------------------------------------------------

HG = "-v,--verbose -q,--quiet -y,--noninteractive --color= --debug --hidden"
CHOICE = "-I,--include= -X,--exclude="
REVS = "-r,--rev= -b,--branch= -T,--template="
DIFF = (
    "-c,--change= -a,--text -g,--git -p,--show-function -w,--ignore-all-space -b,--ignore-space-change -B"
    " -U,--unified= --stat"
)


def _hg(options: str, *parts: More) -> Program:
    return Program(f"{HG} {options}", "text*", more=_all(_patterns, *parts))


def _hg_settings(args: Args) -> Iterator[Fact]:
    """`hg config` shows, `hg config --edit` opens an editor on a file of settings."""
    if args.has("-e", "-l", "-g", "--shared"):
        yield args.effect("change", "settings of hg", "hg.config")
        where = ".hg/hgrc" if args.has("-l", "--shared") else "/etc/mercurial/hgrc" if args.has("-g") else "~/.hgrc"
        yield from kept(args, "write", where)
        yield args.gap("may start an editor")


LOG = _hg(
    "-f,--follow -d,--date= -k,--keyword= -r,--rev= -u,--user= -b,--branch= -l,--limit= -M,--no-merges -G,--graph"
    f" -T,--template= --stat {CHOICE}"
)
STATUS = _hg(
    f"-A,--all -m,--modified -a,--added -r,--removed -d,--deleted -c,--clean -u,--unknown -i,--ignored -n,--no-status"
    f" -C,--copies -0,--print0 --rev= --change= {CHOICE}"
)
SHORT = _hg(f"{REVS} -a,--active -c,--closed -n,--num -i,--id -t,--tags -B,--bookmarks")
UPDATE = _hg("-c,--check -m,--merge -d,--date= -r,--rev=", _tree("hg.update"))
COMMIT = _hg(
    f"-A,--addremove --close-branch --amend -s,--secret -m,--message= -l,--logfile=read -d,--date= -u,--user= {CHOICE}",
    _changes("hg.commit"),
    _needs_message,
)
REMOVE = _hg(f"-A,--after -f,--force -n,--dry-run {CHOICE}", _changes("hg.remove"), _removes)
BLAME = _hg(f"-r,--rev= -u,--user -d,--date -n,--number -c,--changeset -l,--line-number -f,--file {CHOICE}", _files)

MERCURIAL = {
    "log": LOG,
    "history": LOG,
    "status": STATUS,
    "st": STATUS,
    **dict.fromkeys(
        ("summary", "branches", "tags", "heads", "parents", "identify", "id", "tip", "paths", "root"), SHORT
    ),
    "diff": _hg(f"-r,--rev= {DIFF} {CHOICE}", _content),
    "annotate": BLAME,
    "blame": BLAME,
    "cat": _hg(f"-r,--rev= -T,--template= {CHOICE}", _files),
    "grep": _hg("-i,--ignore-case -l,--files-with-matches -n,--line-number -r,--rev= --all --diff", _content),
    "files": _hg(f"-r,--rev= -0,--print0 {CHOICE}"),
    "manifest": _hg("-r,--rev= --all"),
    "incoming": _hg(f"{REVS} -n,--newest-first -l,--limit=", _server("reach")),
    "outgoing": _hg(f"{REVS} -n,--newest-first -l,--limit=", _server("reach")),
    "commit": COMMIT,
    "ci": COMMIT,
    "add": _hg(f"-n,--dry-run {CHOICE}", _changes("hg.add")),
    "addremove": _hg(f"-n,--dry-run -s,--similarity= {CHOICE}", _changes("hg.add")),
    "remove": REMOVE,
    "rm": REMOVE,
    "move": _hg(f"-A,--after -f,--force -n,--dry-run {CHOICE}", _changes("hg.move"), _moves),
    "update": UPDATE,
    "up": UPDATE,
    "checkout": UPDATE,
    "merge": _hg("-r,--rev= -P,--preview --abort", _tree("hg.merge")),
    "revert": _hg(f"-a,--all -r,--rev= -C,--no-backup -n,--dry-run {CHOICE}", _tree("hg.discard")),
    "rebase": _hg("-s,--source= -b,--base= -r,--rev= -d,--dest= --abort", _tree("hg.rebase")),
    "strip": _hg("-r,--rev= -f,--force -k,--keep", _tree("hg.strip.drop")),
    "purge": _hg(f"-a,--all --dirs --files -i,--ignored {CHOICE}", _purges),
    "tag": _hg("-f,--force -l,--local -r,--rev= --remove -m,--message=", _changes("hg.tag")),
    "bookmark": _hg("-f,--force -r,--rev= -d,--delete= -m,--rename= -i,--inactive", _changes("hg.bookmark")),
    "branch": _hg("-f,--force -C,--clean", _changes("hg.branch")),
    "init": _hg("", _tree("hg.init")),
    "pull": _hg("-u,--update -f,--force -r,--rev= -B,--bookmark= -b,--branch=", _server("reach"), _tree("hg.pull")),
    "push": _hg("-f,--force -r,--rev= -B,--bookmark= -b,--branch= --new-branch", _pushes),
    "clone": _hg("-U,--noupdate -u,--updaterev= -r,--rev= -b,--branch= --pull --stream", _clones),
    "serve": Program(
        f"{HG} -d,--daemon -p,--port= -a,--address= --prefix= -n,--name= --style= -6,--ipv6 --print-url"
        " -A,--accesslog=write -E,--errorlog=write --pid-file=write",
        does=(("change", "a web server", "net.listen"),),
        more=lambda args: args.file("search", HERE, deep=True, code=TRACKED),
    ),
    "config": _hg("-e,--edit -l,--local -g,--global --shared -u,--untrusted -T,--template=", _hg_settings),
    "version": Program("-q,--quiet"),
}

# --- jj ------------------------------------------------------------------------------------------------------------

JJ = "--ignore-working-copy --no-pager --color= --quiet --at-operation,--at-op="
SHAPE = "-s,--summary --stat --types --name-only --git --color-words --context="


def _jj(options: str, *parts: More) -> Program:
    return Program(f"{JJ} {options}", "text*", more=_all(_obeys_settings, _patterns, *parts))


def _jj_change(code: str, options: str = "") -> Program:
    return _jj(f"-r,--revision,--revisions= -m,--message= {options}", _changes(code))


def _jj_settings(args: Args) -> Iterator[Fact]:
    """Among the settings are the pager, editors and aliases, which are programs."""
    yield args.effect("change", "settings of jj", "jj.config")
    if args.has("--user") or not args.has("--repo", "--workspace"):
        yield from kept(args, "write", "~/.config/jj/config.toml")
    else:
        yield from args.file("write", Word(".jj/repo/config.toml", ".jj/repo/config.toml"))
    if args.name.endswith(" edit"):
        yield args.gap("may start an editor")


JJ_STATUS = _jj("")
JUJUTSU = {
    "log": _jj(f"-r,--revisions= -n,--limit= --reversed -G,--no-graph -T,--template= -p,--patch {SHAPE}", _content),
    "show": _jj(f"-T,--template= {SHAPE}", lambda args: args.file("search", HERE, deep=True, code=TRACKED)),
    "diff": _jj(f"-r,--revisions= --from= --to= -w,--ignore-all-space {SHAPE}", _content),
    "status": JJ_STATUS,
    "st": JJ_STATUS,
    "root": JJ_STATUS,
    "evolog": _jj(f"-r,--revisions= -n,--limit= -G,--no-graph -T,--template= -p,--patch {SHAPE}", _content),
    "file": Program(
        commands={
            "list": _jj("-r,--revision= -T,--template="),
            "show": _jj("-r,--revision=", _files),
            "annotate": _jj("-r,--revision=", _files),
        },
        style="bare",
    ),
    "describe": _jj("-m,--message= --stdin --no-edit --reset-author", _changes("jj.describe"), _needs_message),
    "commit": _jj("-m,--message= --reset-author", _changes("jj.commit"), _needs_message),
    "new": _jj("-m,--message= -A,--insert-after= -B,--insert-before= --no-edit", _tree("jj.new")),
    "edit": _jj("-r,--revision=", _tree("jj.edit")),
    "next": _jj("-e,--edit -n,--no-edit", _tree("jj.edit")),
    "prev": _jj("-e,--edit -n,--no-edit", _tree("jj.edit")),
    "squash": _jj(
        "-r,--revision= -f,--from= -t,--into,--to= -m,--message= -u,--use-destination-message", _tree("jj.squash")
    ),
    "abandon": _jj("-r,--revisions= --retain-bookmarks --restore-descendants", _tree("jj.abandon")),
    "rebase": _jj("-b,--branch= -s,--source= -r,--revisions= -d,--destination= --skip-emptied", _tree("jj.rebase")),
    "restore": _jj("-f,--from= -t,--into,--to= -c,--changes-in=", _tree("jj.discard")),
    "duplicate": _jj_change("jj.duplicate", "-d,--destination="),
    "undo": _jj("", _tree("jj.undo")),
    "tag": Program(
        commands={"list": _jj("-T,--template="), "set": _jj_change("jj.tag"), "delete": _jj_change("jj.tag")},
        style="bare",
    ),
    "bookmark": Program(
        commands={
            "list": _jj("-a,--all-remotes -r,--revisions= -T,--template= -t,--tracked"),
            **dict.fromkeys(
                ("create", "set", "move", "rename", "delete", "forget", "track"), _jj_change("jj.bookmark")
            ),
        },
        style="bare",
    ),
    "git": Program(
        commands={
            "fetch": _jj("--remote= -b,--branch= --all-remotes", _server("reach"), _changes("jj.fetch")),
            "push": _jj(
                "--remote= -b,--bookmark= --all --tracked --deleted -r,--revisions= -c,--change= --allow-new --dry-run",
                _pushes,
            ),
            "clone": _jj("--remote= --colocate --depth=", _clones),
            "init": _jj("--colocate", _tree("jj.init")),
        },
        style="bare",
    ),
    "config": Program(
        commands={
            **dict.fromkeys(
                ("list", "get", "path"), _jj("--user --repo --workspace --include-defaults -T,--template=")
            ),
            **dict.fromkeys(("set", "unset", "edit"), _jj("--user --repo --workspace", _jj_settings)),
        },
        style="bare",
    ),
    "version": Program(),
}

# --- svn -----------------------------------------------------------------------------------------------------------

# Left out on purpose: --diff-cmd, --diff3-cmd, --editor-cmd, --config-option and --config-dir name programs.
SVN = (
    "-q,--quiet -v,--verbose --non-interactive -r,--revision= --depth= -N,--non-recursive -R,--recursive"
    " --no-auth-cache"
)


def _svn(options: str, *parts: More) -> Program:
    return Program(f"{SVN} {options}", "text*", more=_all(*parts))


def _written(args: Args) -> Iterator[Fact]:
    """Content that is shown: files here, or at an address; `name@5` is the file as it was in revision 5."""
    for word in args.operands:
        name, at, _ = (word.value or "").rpartition("@")
        if word.value is None or not ("://" in word.value or word.value.startswith("^")):
            yield from args.file("search", Word(word.text, name) if at else word, deep=True, code=TRACKED)


def _changed(args: Args) -> Iterator[Fact]:
    """As `_written`, of all files where none is named."""
    yield from _written(args) if args.operands else args.file("search", HERE, deep=True, code=TRACKED)


def _local(args: Args) -> Iterator[Fact]:
    """Only an address or a revision makes it ask the server."""
    if args.has("-r", "-c", "-u") or any(_is_remote(word) for word in args.operands):
        yield from _server("reach")(args)


def _is_remote(word: Word) -> bool:
    """`https://…`, `^/trunk` in the same repository, and a name with a revision behind it; `a@` is just `a`."""
    value = word.value
    if value is None or "://" in value or value.startswith("^"):
        return True
    return "@" in value and not value.endswith("@")


MESSAGE = "-m,--message= -F,--file=read --force-log --username="
SVN_READS = {
    "status": _svn("-u,--show-updates --no-ignore --ignore-externals --xml --changelist=", _local),
    "info": _svn("--xml --show-item= --no-newline --include-externals", _local),
    "log": _svn("--stop-on-copy -l,--limit= --xml -c,--change= -g,--use-merge-history --search=", _server("reach")),
    "diff": _svn("-c,--change= --summarize --xml --git --no-diff-added -x,--extensions=", _local, _changed),
    "cat": _svn("--ignore-keywords", _server("reach"), _written),
    "blame": _svn("-g,--use-merge-history --xml --force -x,--extensions=", _server("reach"), _written),
    "list": _svn("--xml --include-externals --search=", _server("reach")),
    "propget": _svn("--strict --xml", _local),
    "proplist": _svn("--xml", _local),
    "help": Program("", "text*"),
}
SVN_CHANGES = {
    "add": _svn("--force --no-ignore --auto-props --no-auto-props --parents", _changes("svn.add")),
    "commit": _svn(f"{MESSAGE} --keep-changelists --no-unlock", _server("send", "svn.commit.publish"), _needs_message),
    "update": _svn("--force --ignore-externals --accept= --parents", _server("reach"), _tree("svn.update")),
    "checkout": _svn("--force --ignore-externals", _server("reach"), _clones),
    "export": _svn("--force --native-eol= --ignore-externals --ignore-keywords", _clones),
    "revert": _svn("--changelist= --remove-added", _tree("svn.discard")),
    "delete": _svn(f"{MESSAGE} --force --keep-local", _changes("svn.delete"), _removes),
    "move": _svn(f"{MESSAGE} --force --parents", _changes("svn.move"), _moves),
    "cleanup": _svn("--vacuum-pristines", _changes("svn.cleanup")),
    "resolve": _svn("--accept=", _tree("svn.resolve")),
    "switch": _svn("--force --ignore-ancestry --accept=", _server("reach"), _tree("svn.switch")),
    "merge": _svn("-c,--change= --dry-run --record-only --accept=", _server("reach"), _tree("svn.merge")),
}
SHORT_NAMES = {
    "st": "status",
    "stat": "status",
    "di": "diff",
    "ls": "list",
    "annotate": "blame",
    "praise": "blame",
    "ci": "commit",
    "up": "update",
    "co": "checkout",
    "rm": "delete",
    "remove": "delete",
    "mv": "move",
    "sw": "switch",
}
SUBVERSION = SVN_READS | SVN_CHANGES

PROGRAMS = {
    "hg": Program(f"{HG} --version -h,--help", commands=MERCURIAL, more=_obeys_settings, style="bare starts"),
    "jj": Program(JJ, commands=JUJUTSU),
    "svn": Program(
        "", commands=SUBVERSION | {short: SUBVERSION[name] for short, name in SHORT_NAMES.items()}, style="bare"
    ),
}

EXAMPLES: dict[str, str] = {
    "jj": "run jj #program | gap jj: without a subcommand it does something of its own",
    "hg status": "run programs that .hg/hgrc names #script | note hg status",
    "hg": "run programs that .hg/hgrc names #script",
    "hg --version": "run programs that .hg/hgrc names #script",
    "hg version": "run programs that .hg/hgrc names #script | note hg version",
    "hg log --help": "run programs that .hg/hgrc names #script | note hg log",
    "hg log -l 5": "run programs that .hg/hgrc names #script | note hg log",
    "hg diff a": "run programs that .hg/hgrc names #script | search a/** #search.tracked",
    "hg cat -r 1 .env": "run programs that .hg/hgrc names #script | read .env",
    "hg commit --message x": "run programs that .hg/hgrc names #script | change the repository #hg.commit",
    "hg commit": "run programs that .hg/hgrc names #script | change the repository #hg.commit | gap hg commit:"
    " may start an editor",
    "hg remove a": "run programs that .hg/hgrc names #script | change the repository #hg.remove | delete a/**",
    "hg update -r 1": "run programs that .hg/hgrc names #script | change the repository #hg.update | write ./**"
    " #hg.update",
    "hg revert a": "run programs that .hg/hgrc names #script | change the repository #hg.discard | write a/**"
    " #hg.discard",
    "hg purge": "run programs that .hg/hgrc names #script | delete ./** #hg.purge.force",
    "hg strip -r 1": "run programs that .hg/hgrc names #script | change the repository #hg.strip.drop | write ./**"
    " #hg.strip.drop",
    "hg push -f": "run programs that .hg/hgrc names #script | send the server of the repository #hg.push.force",
    "hg pull https://a.example/r": "run programs that .hg/hgrc names #script | reach https://a.example/r | change"
    " the repository #hg.pull | write ./** #hg.pull",
    "hg clone --noupdate https://a.example/r": "run programs that .hg/hgrc names #script | reach"
    " https://a.example/r #clone | write r/** #clone",
    "hg --config alias.status='!touch pwned' status": "run programs that .hg/hgrc names #script"
    " | run hg alias.status=!touch pwned #program | gap hg: option"
    " --config is not known | gap hg: subcommand alias.status=!touch pwned is not known",
    "hg serve --port 8000": "run programs that .hg/hgrc names #script | change a web server #net.listen | search ./**"
    " #search.tracked",
    "jj log": "run programs that .jj/repo/config.toml names #script | search ./** #search.tracked",
    "jj st": "run programs that .jj/repo/config.toml names #script",
    "jj diff a": "run programs that .jj/repo/config.toml names #script | search a/** #search.tracked",
    "jj show": "run programs that .jj/repo/config.toml names #script | search ./** #search.tracked",
    "jj describe -m x": "run programs that .jj/repo/config.toml names #script | change the repository #jj.describe",
    "jj describe": "run programs that .jj/repo/config.toml names #script | change the repository #jj.describe |"
    " gap jj describe: may start an editor",
    "jj restore a": "run programs that .jj/repo/config.toml names #script | change the repository #jj.discard |"
    " write a/** #jj.discard",
    "jj git push": "run programs that .jj/repo/config.toml names #script | send the server of the repository #hg.push",
    "jj git push --deleted": "run programs that .jj/repo/config.toml names #script | send the server of the repository"
    " #hg.push.force",
    "jj tag set x": "run programs that .jj/repo/config.toml names #script | change the repository #jj.tag",
    "jj config edit --user": "run programs that .jj/repo/config.toml names #script | change settings of jj #jj.config"
    " | write ~/.config/jj/config.toml | gap jj config edit: may start an editor",
    "svn status": "note svn status",
    "svn info": "note svn info",
    "svn log -l 5": "reach the server of the repository",
    "svn diff a": "search a/** #search.tracked",
    "svn diff": "search ./** #search.tracked",
    "svn diff a@5": "reach the server of the repository | search a/** #search.tracked",
    "svn info ^/": "reach the server of the repository",
    "svn info a@": "note svn info",
    "svn diff --diff-cmd 'touch pwned'": "search touch pwned/** #search.tracked | blind svn diff: option"
    " --diff-cmd is not known",
    "svn cat https://a.example/r/.env": "reach https://a.example/r/.env",
    "svn commit -m x": "send the server of the repository #svn.commit.publish",
    "svn ci": "send the server of the repository #svn.commit.publish | gap svn ci: may start an editor",
    "svn update": "reach the server of the repository | change the repository #svn.update | write ./** #svn.update",
    "svn checkout svn+ssh://a.example/r out": "reach svn+ssh://a.example/r | reach svn+ssh://a.example/r #clone |"
    " write out/** #clone",
    "svn revert a": "change the repository #svn.discard | write a/** #svn.discard",
    "svn rm a": "change the repository #svn.delete | delete a/**",
    "svn rm https://a.example/r/x -m x": "change the repository #svn.delete | send https://a.example/r/x"
    " #svn.commit.publish",
    "svn mv a b": "change the repository #svn.move | read a/** | delete a/** #move | write b/**",
    "svn status -u": "reach the server of the repository",
    "hg remove -I a": "run programs that .hg/hgrc names #script | change the repository #hg.remove | delete ./**",
    "hg remove --after": "run programs that .hg/hgrc names #script | change the repository #hg.remove",
    "hg log listfile:a": "run programs that .hg/hgrc names #script | note hg log"
    " | gap hg log: `listfile:a` may name a file of patterns",
}
