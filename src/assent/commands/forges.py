"""GitLab, Gitea and older GitHub tools: glab, tea and hub."""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.git_repository import opens, writes_tree
from assent.commands.github_api import clones
from assent.commands.program import Program, passes_on, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

    More = Callable[[Args], Iterator[Fact]]

# The machine is the one of the repository's remote, which only the configuration knows.
REPO = "-R,--repo="
PAGES = "-P,--per-page= -p,--page="
TEXTS = "-t,--title= -d,--description= -l,--label= -a,--assignee= -m,--milestone= --reviewer= --confidential"
# Left out on purpose: --web opens a browser, and options that wait for a person or start an editor.


def _asks(options: str = REPO, more: More | None = None) -> Program:
    return Program(options, "text*", more=_talking("reach", "", more))


def _sends(code: str, options: str = REPO, more: More | None = None) -> Program:
    return Program(options, "text*", more=_talking("send", code, more))


def _talking(kind: Kind, code: str, more: More | None) -> More:
    def stated(args: Args) -> Iterator[Fact]:
        yield from opens(args)
        yield args.effect(kind, "the forge of the repository", code)
        if more is not None:
            yield from more(args)

    return passes_on(stated, more)


def _checking_out(args: Args) -> Iterator[Fact]:
    yield from opens(args, "git.repository.hooks")
    yield args.effect("change", "the repository", "git.checkout")
    yield from writes_tree(args, "git.checkout")


@turns_off("-m -d")
def _needs_text(args: Args) -> Iterator[Fact]:
    if not args.has("-m", "-d", "--fill", "-f"):
        yield args.gap("waits for a text")


@turns_off("-d -m -f")
def _pushing(args: Args) -> Iterator[Fact]:
    yield args.effect("send", "the remote of the branch", "git.push")
    yield from _needs_text(args)


def _calling(args: Args) -> Iterator[Fact]:
    """`glab api`: fields make it a POST; a value `@file` is read from that file."""
    yield from opens(args)
    for word in args.values("-F"):
        file = (word.value or "").partition("=")[2]
        if word.value is None or file.startswith("@"):
            yield from args.file("read", word if word.value is None else Word(word.text, file[1:]))
    method = (args.text("-X") or "").upper()
    files = args.has("--input") or any("=@" in (word.value or "=@") for word in args.values("-F"))
    asks = not files and (method in ("GET", "HEAD") or not args.has("-X", "-f", "-F"))
    code = "" if asks else "gitlab.api.delete.destroy" if method == "DELETE" else "gitlab.api"
    for word in args.operands:
        if word.value is None:
            yield args.gap(f"the address is not known ({word.why})", blind=True)
        elif "://" in word.value:
            yield from args.reach(word.value, kind="reach" if asks else "send", code=code)
        else:
            yield args.effect("reach" if asks else "send", f"the forge of the repository: {word.value}", code)


def _listing(args: Args) -> Iterator[Fact]:
    """`tea pulls` alone lists."""
    yield args.effect("reach", "the forge of the repository")


def _login(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "the login of the forge", "forge.auth")
    yield from kept(args, "write", _settings_of(args))
    yield args.gap("changes who it is, or shows a password")


def _starting(args: Args) -> Iterator[Fact]:
    yield args.effect("run", args.name, "program")
    yield args.gap("starts programs or changes what it starts later")


def _settings_of(args: Args) -> str:
    return f"~/.config/{SETTINGS[args.name.partition(' ')[0]]}"


def _configuring(args: Args) -> Iterator[Fact]:
    """Aliases, the editor and the browser are programs that it starts later."""
    yield from _starting(args)
    if not args.operands or args.operands[0].value not in ("list", "get", "ls"):
        yield from kept(args, "write", _settings_of(args))


SETTINGS = {"glab": "glab-cli/config.yml", "tea": "tea/config.yml", "hub": "hub"}
CONFIGURES = Program("", "text*", more=_configuring, style="plain")
LOGIN = Program("", "text*", more=_login, style="plain")
STARTS = Program("", "text*", more=_starting, style="plain")
LISTED = (
    f"{REPO} {PAGES} -F,--output= -a,--assignee= -l,--label= -m,--milestone= --author= --search= -A,--all -c,--closed"
)
REQUESTS = {
    "list": _asks(f"{LISTED} -M,--merged -d,--draft -r,--reviewer= -s,--source-branch= -t,--target-branch="),
    "view": _asks(f"{REPO} {PAGES} -c,--comments -s,--system-logs -F,--output="),
    "diff": _asks(f"{REPO} --color= --raw"),
    "checkout": _asks(f"{REPO} -b,--branch=", _checking_out),
    "create": _sends(
        "gitlab.mr.create",
        f"{REPO} {TEXTS} -b,--target-branch= -s,--source-branch= --draft --wip -f,--fill --fill-commit-body --push"
        " --remove-source-branch --squash-before-merge -y,--yes -i,--related-issue= --no-editor",
        _pushing,
    ),
    "merge": _sends(
        "gitlab.mr.merge",
        f"{REPO} -m,--message= -d,--remove-source-branch -r,--rebase --sha= -s,--squash --squash-message= -y,--yes"
        " --auto-merge",
    ),
    "note": _sends("gitlab.mr.comment", f"{REPO} -m,--message= --unique", _needs_text),
    "approve": _sends("gitlab.mr.approve", f"{REPO} -s,--sha="),
    "close": _sends("gitlab.mr.close"),
    "reopen": _sends("gitlab.mr.reopen"),
    "rebase": _sends("gitlab.mr.rebase", f"{REPO} --skip-ci"),
    "delete": _sends("gitlab.mr.delete.destroy"),
}
ISSUES = {
    "list": _asks(f"{LISTED} -O,--output-format= -C,--confidential -i,--issue-type="),
    "view": _asks(f"{REPO} {PAGES} -c,--comments -s,--system-logs -F,--output="),
    "create": _sends(
        "gitlab.issue.create", f"{REPO} {TEXTS} -y,--yes -w,--weight= --due-date= --no-editor", _needs_text
    ),
    "note": _sends("gitlab.issue.comment", f"{REPO} -m,--message=", _needs_text),
    "close": _sends("gitlab.issue.close"),
    "reopen": _sends("gitlab.issue.reopen"),
    "delete": _sends("gitlab.issue.delete.destroy"),
}
PIPELINES = {
    "list": _asks(f"{REPO} {PAGES} -s,--status= -r,--ref= -F,--output= -o,--orderBy= --sort="),
    "get": _asks(f"{REPO} -b,--branch= -p,--pipeline-id= -F,--output= -d,--with-job-details"),
    "status": _asks(f"{REPO} -b,--branch= -c,--compact -l,--live"),
    "trace": _asks(f"{REPO} -b,--branch= -p,--pipeline-id="),
    "lint": _asks(f"{REPO} --dry-run --include-jobs --ref="),
    "run": _sends("gitlab.pipeline.run", f"{REPO} -b,--branch= --variables="),
    "retry": _sends("gitlab.pipeline.run", f"{REPO} -b,--branch= -p,--pipeline-id="),
    "cancel": _sends("gitlab.pipeline.cancel"),
    "delete": _sends("gitlab.pipeline.delete.destroy"),
}
TEA_LIST = "-l,--login= -r,--repo= --remote= -o,--output= -p,--page= --limit= --state= -f,--fields="
TEA = {"ls": _asks(TEA_LIST), "list": _asks(TEA_LIST)}

PROGRAMS = {
    "glab": Program(
        "",
        commands={
            "mr": Program(REPO, commands=REQUESTS, style="bare"),
            "issue": Program(REPO, commands=ISSUES, style="bare"),
            "ci": Program(REPO, commands=PIPELINES, style="bare"),
            "pipeline": Program(REPO, commands=PIPELINES, style="bare"),
            "repo": Program(
                commands={
                    "list": _asks(f"{PAGES} -m,--mine -a,--all -F,--output= -o,--order= -s,--sort="),
                    "view": _asks("-b,--branch= -F,--output="),
                    "clone": _asks("-p,--preserve-namespace", clones),
                    "search": _asks(f"{PAGES} -s,--search= -F,--output="),
                    "create": _sends(
                        "gitlab.repo.create", "-d,--description= -g,--group= -n,--name= -p,--private -P,--public"
                    ),
                    "delete": _sends("gitlab.repo.delete.destroy", "-y,--yes"),
                },
                style="bare",
            ),
            "release": Program(
                commands={
                    "list": _asks(f"{REPO} {PAGES}"),
                    "view": _asks(),
                    "delete": _sends("gitlab.release.delete.destroy"),
                },
                style="bare",
            ),
            "api": Program(
                "-X,--method= -f,--raw-field= -F,--field= -H,--header= --hostname= -i,--include --input=read --paginate"
                " --silent --output=",
                "text*",
                more=_calling,
            ),
            "auth": LOGIN,
            "alias": CONFIGURES,
            "config": CONFIGURES,
            "version": Program(),
        },
        style="bare",
    ),
    "tea": Program(
        "",
        commands={
            **dict.fromkeys(
                ("issues", "issue", "i", "pulls", "pull", "pr"), Program(TEA_LIST, commands=TEA, more=_listing)
            ),
            **dict.fromkeys(
                ("releases", "repos", "labels", "milestones"), Program(TEA_LIST, commands=TEA, more=_listing)
            ),
            "logins": LOGIN,
            "login": LOGIN,
            "logout": LOGIN,
            "open": STARTS,
            "whoami": _asks("-l,--login="),
        },
    ),
    "hub": Program(
        "",
        commands={
            "ci-status": _asks("-v,--verbose -f,--format= --color[=]"),
            "sync": STARTS,
            "browse": STARTS,
            "alias": STARTS,
            "version": Program(),
        },
    ),
}

EXAMPLES: dict[str, str] = {
    "glab mr list --assignee=@me": "note . #git.repository | reach the forge of the repository",
    "glab mr view 12 --comments": "note . #git.repository | reach the forge of the repository",
    "glab mr create --fill -y": "note . #git.repository | send the forge of the repository #gitlab.mr.create | send"
    " the remote of the branch #git.push",
    "glab mr create": "note . #git.repository | send the forge of the repository #gitlab.mr.create | send the remote"
    " of the branch #git.push | gap glab mr create: waits for a text",
    "glab mr merge 12 -y": "note . #git.repository | send the forge of the repository #gitlab.mr.merge",
    "glab mr checkout 12": "note . #git.repository | reach the forge of the repository | note . #git.repository.hooks"
    " | change the repository #git.checkout | write ./** #git.checkout",
    "glab mr delete 12": "note . #git.repository | send the forge of the repository #gitlab.mr.delete.destroy",
    "glab issue create -t x -d y": "note . #git.repository | send the forge of the repository #gitlab.issue.create",
    "glab ci status": "note . #git.repository | reach the forge of the repository",
    "glab pipeline run": "note . #git.repository | send the forge of the repository #gitlab.pipeline.run",
    "glab repo clone o/r -- --depth 1": "note . #git.repository | reach the forge of the repository | write r/**"
    " #git.clone | gap glab repo clone: `--depth` is handed to git | gap glab repo clone: `1` is handed to git",
    "glab repo delete o/r": "note . #git.repository | send the forge of the repository #gitlab.repo.delete.destroy",
    "glab api projects/1": "note . #git.repository | reach the forge of the repository: projects/1",
    "glab api -X DELETE projects/1": "note . #git.repository | send the forge of the repository: projects/1"
    " #gitlab.api.delete.destroy",
    "glab api projects/1/issues -F a=@.env": "note . #git.repository | read .env | send the forge of the repository:"
    " projects/1/issues #gitlab.api",
    "glab auth token": "change the login of the forge #forge.auth | write ~/.config/glab-cli/config.yml | gap glab"
    " auth: changes who it is, or shows a password",
    "glab alias set x '!touch pwned'": "run glab alias #program | write ~/.config/glab-cli/config.yml | gap glab"
    " alias: starts programs or changes what it starts later",
    "tea pulls ls": "reach the forge of the repository | note . #git.repository | reach the forge of the repository",
    "tea open": "run tea open #program | gap tea open: starts programs or changes what it starts later",
    "tea issues ls --state open": "reach the forge of the repository | note . #git.repository | reach the forge of the"
    " repository",
    "hub ci-status --verbose e06d916": "note . #git.repository | reach the forge of the repository",
    "hub push origin main": "run hub push #program | gap hub: subcommand push is not known",
    "tea pulls": "reach the forge of the repository",
}
