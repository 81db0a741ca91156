"""gh: GitHub from the command line."""

from __future__ import annotations

from assent.commands.github_api import (
    REPO,
    adds_commands,
    asks,
    browses,
    calls_api,
    changes_login,
    checks_out,
    chooses,
    clones,
    creates_pull,
    downloads,
    forks,
    group,
    makes_gist,
    makes_repository,
    merges,
    needs_text,
    prints_secret,
    sends,
    sets,
    shows_login,
    shows_to_others,
    starts,
    syncs,
    uploads,
)
from assent.commands.program import Program, changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SHOWN = "--json= -q,--jq= -t,--template="
PLAIN = f"{REPO} {SHOWN} -L,--limit="
LIST = f"{PLAIN} -w,--web"
BODY = "-b,--body= -F,--body-file=read"
PEOPLE = "-a,--assignee= -l,--label= -m,--milestone= -p,--project= -t,--title="
EDITED = (
    "--add-assignee= --add-label= --add-project= --remove-assignee= --remove-label= --remove-project="
    " --remove-milestone"
)
# Left out on purpose: -e and --editor start an editor, --recover and --template of `create` read files of gh's own.

LOGIN = Program("", "text*", more=changes_login, style="plain")
STARTS = Program("", "text*", more=starts, style="plain")
ADDS = Program("", "text*", more=adds_commands, style="plain")
CHOSEN = f"{LIST} -s,--state= -A,--author= -a,--assignee= -l,--label= -S,--search= --app="
FOUND = f"{SHOWN} -L,--limit= -w,--web --sort= --order="
VIEW = f"{REPO} {SHOWN} -w,--web -c,--comments"

PULL_REQUESTS = {
    "list": asks(f"{CHOSEN} -B,--base= -H,--head= -d,--draft"),
    "view": asks(VIEW),
    "status": asks(f"{REPO} {SHOWN} -c,--conflict-status"),
    "diff": asks(f"{REPO} --color= --name-only --patch -w,--web -e,--exclude="),
    "checks": asks(f"{REPO} {SHOWN} --required --watch --fail-fast -i,--interval= -w,--web"),
    "checkout": asks(f"{REPO} -b,--branch= --detach -f,--force --recurse-submodules", more=checks_out),
    "create": sends(
        "github.pr.create",
        f"{REPO} {BODY} {PEOPLE} -B,--base= -H,--head= -d,--draft -f,--fill --fill-first --fill-verbose -r,--reviewer="
        " --no-maintainer-edit --dry-run -w,--web",
        more=creates_pull,
    ),
    "comment": sends(
        "github.pr.comment",
        f"{REPO} {BODY} -w,--web --edit-last --delete-last --create-if-none --yes",
        more=needs_text,
    ),
    "review": sends("github.pr.review", f"{REPO} {BODY} -a,--approve -c,--comment -r,--request-changes"),
    "edit": sends(
        "github.pr.edit",
        f"{REPO} {BODY} {EDITED} -t,--title= -B,--base= -m,--milestone= --add-reviewer= --remove-reviewer=",
    ),
    "ready": sends("github.pr.edit", f"{REPO} --undo"),
    "lock": sends("github.pr.edit", f"{REPO} -r,--reason="),
    "unlock": sends("github.pr.edit"),
    "close": sends("github.pr.close", f"{REPO} -c,--comment= -d,--delete-branch"),
    "reopen": sends("github.pr.reopen", f"{REPO} -c,--comment="),
    "update-branch": sends("github.pr.update", f"{REPO} --rebase"),
    "merge": sends(
        "github.pr.merge",
        f"{REPO} {BODY} --admin -A,--author-email= --auto -d,--delete-branch --disable-auto --match-head-commit="
        " -m,--merge"
        " -r,--rebase -s,--squash -t,--subject=",
        more=merges,
    ),
}
ISSUES = {
    "list": asks(f"{CHOSEN} --mention= -m,--milestone="),
    "view": asks(VIEW),
    "status": asks(f"{REPO} {SHOWN}"),
    "create": sends("github.issue.create", f"{REPO} {BODY} {PEOPLE} -w,--web", more=needs_text),
    "comment": sends(
        "github.issue.comment",
        f"{REPO} {BODY} -w,--web --edit-last --delete-last --create-if-none --yes",
        more=needs_text,
    ),
    "edit": sends("github.issue.edit", f"{REPO} {BODY} {EDITED} -t,--title= -m,--milestone="),
    "close": sends("github.issue.close", f"{REPO} -c,--comment= -r,--reason="),
    "reopen": sends("github.issue.reopen", f"{REPO} -c,--comment="),
    "delete": sends("github.issue.delete.destroy", f"{REPO} --yes"),
    **dict.fromkeys(("lock", "unlock", "pin", "unpin", "transfer"), sends("github.issue.edit", f"{REPO} -r,--reason=")),
}
REPOSITORIES = {
    "list": asks(f"{SHOWN} -L,--limit= --archived --no-archived --fork --source -l,--language= --topic= --visibility="),
    "view": asks(f"{SHOWN} -b,--branch= -w,--web"),
    "clone": asks("-u,--upstream-remote-name= --no-upstream", more=clones),
    "create": sends(
        "github.repo.create",
        "--add-readme -c,--clone -d,--description= --disable-issues --disable-wiki -g,--gitignore= -h,--homepage="
        " --include-all-branches --internal -l,--license= --private --public --push -r,--remote= -s,--source="
        " -t,--team="
        " -p,--template=",
        more=makes_repository,
    ),
    "fork": sends(
        "github.repo.fork",
        "--clone[=] --default-branch-only --fork-name= --org= --remote[=] --remote-name=",
        more=forks,
    ),
    "edit": sends(
        "github.repo.edit",
        "--visibility= --accept-visibility-change-consequences"
        " --add-topic= --remove-topic= --default-branch= -d,--description= -h,--homepage= --allow-forking[=]"
        " --delete-branch-on-merge[=] --enable-auto-merge[=] --enable-issues[=] --enable-wiki[=] --enable-projects[=]"
        " --enable-merge-commit[=] --enable-rebase-merge[=] --enable-squash-merge[=] --enable-discussions[=]",
        more=shows_to_others,
    ),
    "rename": sends("github.repo.rename", f"{REPO} -y,--yes --confirm"),
    "archive": sends("github.repo.archive", "-y,--yes --confirm"),
    "unarchive": sends("github.repo.archive", "-y,--yes --confirm"),
    "delete": sends("github.repo.delete.destroy", "--yes --confirm"),
    "sync": sends("github.repo.sync", "-b,--branch= --force -s,--source=", more=syncs),
    "set-default": Program("-u,--unset -v,--view", "text?", does=changes("git.config", "the repository"), more=chooses),
}
RUNS = {
    "list": asks(
        f"{PLAIN} -a,--all -b,--branch= -c,--commit= --created= -e,--event= -s,--status= -u,--user= --workflow,-w="
    ),
    "view": asks(f"{REPO} {SHOWN} -a,--attempt= --exit-status -j,--job= --log --log-failed -v,--verbose -w,--web"),
    "watch": asks(f"{REPO} --compact --exit-status -i,--interval="),
    "download": asks(f"{REPO} -D,--dir= -n,--name= -p,--pattern=", more=downloads),
    "rerun": sends("github.run.rerun", f"{REPO} -d,--debug --failed -j,--job="),
    "cancel": sends("github.run.cancel", f"{REPO} --force"),
    "delete": sends("github.run.delete.destroy"),
}
RELEASES = {
    "list": asks(f"{PLAIN} --exclude-drafts --exclude-pre-releases -O,--order="),
    "view": asks(VIEW),
    "download": asks(
        f"{REPO} -A,--archive= --clobber -D,--dir= -O,--output=write -p,--pattern= --skip-existing", more=downloads
    ),
    "create": sends(
        "github.release.publish",
        f"{REPO} --discussion-category= -d,--draft --fail-on-no-commits --generate-notes --latest[=] -n,--notes="
        " -F,--notes-file=read --notes-from-tag --notes-start-tag= -p,--prerelease --target= -t,--title= --verify-tag",
        more=uploads,
    ),
    "upload": sends("github.release.upload", f"{REPO} --clobber", more=uploads),
    "edit": sends(
        "github.release.edit",
        f"{REPO} --discussion-category= --draft[=] --latest[=] -n,--notes= -F,--notes-file=read --prerelease[=] --tag="
        " --target= -t,--title= --verify-tag",
    ),
    "delete": sends("github.release.delete.destroy", f"{REPO} --cleanup-tag -y,--yes"),
    "delete-asset": sends("github.release.delete.destroy", f"{REPO} -y,--yes"),
}
SECRETS = f"{REPO} -a,--app= -e,--env= -o,--org= -u,--user"
PLACES = {
    "list": asks(f"{SECRETS} {SHOWN}"),
    "get": asks(f"{SECRETS} {SHOWN}"),
    "set": sends(
        "github.secret.set", f"{SECRETS} -b,--body= -f,--env-file=read --no-repos-selected -r,--repos= -v,--visibility="
    ),
    **dict.fromkeys(("delete", "remove"), sends("github.secret.delete.destroy", SECRETS)),
}
KEYS = {
    "list": asks(SHOWN),
    "add": sends("github.key.add", "-t,--title= --type=", "read?"),
    "delete": sends("github.key.delete.destroy", "-y,--yes"),
}


def _config_shown(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if word.value is None or "token" in word.value.casefold():
            yield args.effect("note", "a key", "secret.print")


PROGRAMS = {
    "gh": Program(
        "",
        commands={
            "pr": group(PULL_REQUESTS),
            "issue": group(ISSUES),
            "repo": group(REPOSITORIES),
            "run": group(RUNS),
            "release": group(RELEASES),
            "workflow": group(
                {
                    "list": asks(f"{PLAIN} -a,--all"),
                    "view": asks(f"{REPO} -r,--ref= -w,--web -y,--yaml"),
                    "run": sends("github.workflow.run", f"{REPO} -F,--field= -f,--raw-field= --json -r,--ref="),
                    "enable": sends("github.workflow.edit"),
                    "disable": sends("github.workflow.edit"),
                }
            ),
            "api": Program(
                "-X,--method= -f,--raw-field= -F,--field= -H,--header= --hostname= -i,--include --input= -q,--jq="
                " -t,--template= --paginate --slurp --silent --verbose --cache= -p,--preview=",
                "text*",
                more=calls_api,
            ),
            "search": group(
                {
                    "code": asks(f"{FOUND} {REPO} --extension= --filename= --language= --match= --owner= --size="),
                    "commits": asks(
                        f"{FOUND} {REPO} --author= --author-date= --author-email= --author-name= --committer="
                        " --committer-date= --hash= --merge --owner= --parent= --tree= --visibility="
                    ),
                    "issues": asks(
                        f"{FOUND} {REPO} --author= --assignee= --label= --state= --owner= --language= --created="
                        " --updated="
                        " --closed= --comments= --involves= --mentions= --milestone= --match= --archived --locked"
                        " --no-assignee --no-label --include-prs --visibility="
                    ),
                    "prs": asks(
                        f"{FOUND} {REPO} --author= --assignee= --label= --state= --owner= --language= --created="
                        " --updated="
                        " --closed= --merged --merged-at= --draft --review= --review-requested= --reviewed-by="
                        " -B,--base="
                        " -H,--head= --checks= --involves= --mentions= --milestone= --match= --visibility="
                    ),
                    "repos": asks(
                        f"{FOUND} --owner= --language= --topic= --stars= --forks= --created= --updated= --license="
                        " --match="
                        " --size= --visibility= --archived[=] --followers= --good-first-issues= --help-wanted-issues="
                        " --include-forks= --number-topics="
                    ),
                }
            ),
            "gist": Program(
                commands={
                    "list": asks("-L,--limit= --public --secret --filter= --include-content"),
                    "view": asks("-f,--filename= --files -r,--raw -w,--web"),
                    "create": sends(
                        "github.gist.publish", "-d,--desc= -f,--filename= -p,--public -w,--web", more=makes_gist
                    ),
                    "clone": asks("", more=clones),
                    "rename": sends("github.gist.edit", ""),
                    "delete": sends("github.gist.delete.destroy", "--yes"),
                },
                style="bare",
            ),
            "label": group(
                {
                    "list": asks(f"{LIST} --order= -S,--search= --sort="),
                    "create": sends("github.label.create", f"{REPO} -c,--color= -d,--description= -f,--force"),
                    "edit": sends("github.label.edit", f"{REPO} -c,--color= -d,--description= -n,--name="),
                    "delete": sends("github.label.delete", f"{REPO} --yes"),
                    "clone": sends("github.label.create", f"{REPO} -f,--force"),
                }
            ),
            "cache": group(
                {
                    "list": asks(f"{PLAIN} -k,--key= -O,--order= -r,--ref= -S,--sort="),
                    "delete": sends("github.cache.delete", f"{REPO} -a,--all --succeed-on-no-caches"),
                }
            ),
            "ruleset": group(
                {
                    "list": asks(f"{LIST} -o,--org= -p,--parents"),
                    "view": asks(f"{LIST} -o,--org="),
                    "check": asks(f"{REPO} -w,--web -o,--org= --default"),
                }
            ),
            "secret": group(PLACES),
            "variable": group(PLACES),
            "ssh-key": Program(commands=KEYS, style="bare"),
            "gpg-key": Program(commands=KEYS, style="bare"),
            "org": Program(commands={"list": asks("-L,--limit=")}, style="bare"),
            "status": asks("-e,--exclude= -o,--org="),
            "auth": Program(
                commands={
                    "status": asks("-a,--active --hostname,-h= -t,--show-token", "", shows_login),
                    "token": Program("-h,--hostname= -u,--user=", more=prints_secret),
                    **dict.fromkeys(("login", "logout", "refresh", "switch", "setup-git"), LOGIN),
                },
                style="bare",
            ),
            "config": Program(
                commands={
                    "get": Program("-h,--host=", "text", more=_config_shown),
                    "list": Program("-h,--host="),
                    "set": Program("-h,--host=", "text text", more=sets),
                    "clear-cache": Program(does=(("change", "the cache of gh", "pkg.cache"),)),
                },
                style="bare",
            ),
            "browse": Program(
                f"{REPO} -b,--branch= -c,--commit[=] -n,--no-browser -p,--projects -r,--releases -s,--settings"
                " -w,--wiki"
                " -a,--actions --blame",
                "text?",
                more=browses,
            ),
            "alias": Program(
                commands={"list": Program(), **dict.fromkeys(("set", "delete", "import"), ADDS)}, style="bare"
            ),
            "extension": Program(
                commands={
                    "list": Program(),
                    "search": asks(f"{FOUND} --license= --owner="),
                    **dict.fromkeys(("install", "upgrade", "remove"), ADDS),
                    **dict.fromkeys(("exec", "create", "browse"), STARTS),
                },
                style="bare",
            ),
            "codespace": Program(
                commands={
                    "list": asks(f"{LIST} -o,--org= -u,--user="),
                    "delete": sends(
                        "github.codespace.delete.destroy",
                        f"{REPO} -c,--codespace= --all --days= -f,--force -o,--org= -u,--user= --repo-owner=",
                    ),
                },
                style="bare",
            ),
            "completion": Program("-s,--shell="),
            "version": Program(),
            "help": Program("", "text*"),
        },
        style="bare",
    ),
}

EXAMPLES: dict[str, str] = {
    "gh repo edit --visibility public --accept-visibility-change-consequences": "note . #git.repository"
    " | send https://api.github.com/ #github.repo.edit"
    " | change who sees the repository #github.repo.visibility.publish",
    "gh pr list": "note . #git.repository | reach https://api.github.com/",
    "gh pr ls -R o/r --json number,title -q '.[].title'": "note . #git.repository | reach https://api.github.com/",
    "gh pr list -q 'env.GITHUB_TOKEN'": "note . #git.repository | reach https://api.github.com/ | gap gh pr list: the"
    " jq filter may print the environment",
    "gh pr view 12 --comments": "note . #git.repository | reach https://api.github.com/",
    "gh pr view --web": "note . #git.repository | reach https://api.github.com/ | run the browser #program",
    "gh pr diff 12": "note . #git.repository | reach https://api.github.com/",
    "gh pr checks --watch": "note . #git.repository | reach https://api.github.com/",
    "gh pr checkout 12": "note . #git.repository | reach https://api.github.com/ | note . #git.repository.hooks |"
    " change the repository #git.checkout | write ./** #git.checkout",
    "gh pr create --title x --body y": "note . #git.repository | send https://api.github.com/ #github.pr.create | send"
    " the remote of the branch #git.push",
    "gh pr create --fill --draft": "note . #git.repository | send https://api.github.com/ #github.pr.create | send the"
    " remote of the branch #git.push",
    "gh pr create": "note . #git.repository | send https://api.github.com/ #github.pr.create | send the remote of the"
    " branch #git.push | gap gh pr create: waits for a text",
    "gh pr create -F body.md -t x": "read body.md | note . #git.repository | send https://api.github.com/"
    " #github.pr.create | send the remote of the branch #git.push",
    "gh pr comment 12 -b ok": "note . #git.repository | send https://api.github.com/ #github.pr.comment",
    "gh pr review 12 --approve": "note . #git.repository | send https://api.github.com/ #github.pr.review",
    "gh pr merge 12 --squash --delete-branch": "note . #git.repository | send https://api.github.com/ #github.pr.merge"
    " | change the repository #git.branch.delete",
    "gh pr merge 12 --admin": "note . #git.repository | send https://api.github.com/ #github.pr.merge | change the"
    " rules of the branch #github.pr.merge.force",
    "gh pr close 12": "note . #git.repository | send https://api.github.com/ #github.pr.close",
    "gh issue view 1 -R ghe.example.com/o/r": "note . #git.repository | reach https://ghe.example.com/",
    "gh issue create -t x -b y": "note . #git.repository | send https://api.github.com/ #github.issue.create",
    "gh issue delete 1 --yes": "note . #git.repository | send https://api.github.com/ #github.issue.delete.destroy",
    "gh repo view": "note . #git.repository | reach https://api.github.com/",
    "gh repo clone o/r": "note . #git.repository | reach https://api.github.com/ | write r/** #git.clone",
    "gh repo delete o/r --yes": "note . #git.repository | send https://api.github.com/ #github.repo.delete.destroy",
    "gh repo create x --private --source=. --push": "note . #git.repository | send https://api.github.com/"
    " #github.repo.create | read ./** | change the repository #git.remote | send the new repository #git.push",
    "gh run view 1 --log-failed": "note . #git.repository | reach https://api.github.com/",
    "gh run list --workflow ci.yml --limit 5": "note . #git.repository | reach https://api.github.com/",
    "gh run download 1 -D out": "note . #git.repository | reach https://api.github.com/ | write out/** #downloaded",
    "gh run rerun 1 --failed": "note . #git.repository | send https://api.github.com/ #github.run.rerun",
    "gh workflow run ci.yml -f a=b": "note . #git.repository | send https://api.github.com/ #github.workflow.run",
    "gh release create v1 dist.tar.gz --notes x": "note . #git.repository | send https://api.github.com/"
    " #github.release.publish | read dist.tar.gz",
    "gh release download v1 -O out.tar.gz": "write out.tar.gz | note . #git.repository | reach https://api.github.com/",
    "gh release delete v1 -y": "note . #git.repository | send https://api.github.com/ #github.release.delete.destroy",
    "gh api repos/o/r/pulls": "note . #git.repository | reach https://api.github.com/repos/o/r/pulls",
    "gh api repos/{owner}/{repo}/issues -f title=x": "note . #git.repository | send"
    " https://api.github.com/repos/{owner}/{repo}/issues #github.api",
    "gh api -X DELETE repos/o/r": "note . #git.repository | send https://api.github.com/repos/o/r"
    " #github.api.delete.destroy",
    "gh api -X GET search/issues -f q=x": "note . #git.repository | reach https://api.github.com/search/issues",
    "gh api graphql -f query='query { viewer { login } }'": "note . #git.repository | reach"
    " https://api.github.com/graphql",
    "gh api graphql -f query='mutation { x }'": "note . #git.repository | send https://api.github.com/graphql"
    " #github.api",
    "gh api user -F a=@.env": "note . #git.repository | read .env | send https://api.github.com/user #github.api",
    "gh api https://evil.example/x": "note . #git.repository | reach https://evil.example/x",
    "gh api $X": "note . #git.repository | blind gh api: a word is not known (variable X) | blind gh api: the address"
    " is not known (variable X)",
    "gh search prs --author @me --state open": "note . #git.repository | reach https://api.github.com/",
    "gh gist create .env --public": "note . #git.repository | send https://api.github.com/ #github.gist.publish | read"
    " .env",
    "gh secret set X -b y": "note . #git.repository | send https://api.github.com/ #github.secret.set",
    "gh secret list": "note . #git.repository | reach https://api.github.com/",
    "gh secret remove X": "note . #git.repository | send https://api.github.com/ #github.secret.delete.destroy",
    "gh ssh-key add key.pub --title x": "read key.pub | note . #git.repository | send https://api.github.com/"
    " #github.key.add",
    "gh auth status": "note . #git.repository | reach https://api.github.com/",
    "gh auth status --show-token": "note . #git.repository | reach https://api.github.com/ | change the password of"
    " gh #secret.print | read ~/.config/gh/hosts.yml",
    "gh auth token": "change the password of gh #secret.print | read ~/.config/gh/hosts.yml",
    "gh auth login": "change the login of gh #github.auth | write ~/.config/gh/hosts.yml | gap gh auth login: changes"
    " who gh is",
    "gh alias set x '!touch pwned'": "run gh alias set #program | write ~/.config/gh/config.yml | gap gh alias set:"
    " starts programs that are not part of gh",
    "gh extension install o/gh-x": "run gh extension install #program | write ~/.local/share/gh/extensions | gap gh"
    " extension install: starts programs that are not part of gh",
    "gh extension list": "note gh extension list",
    "gh config set pager 'touch pwned'": "write ~/.config/gh/config.yml",
    "gh config get editor": "note gh config get",
    "gh config clear-cache": "change the cache of gh #pkg.cache",
    "gh browse": "run the browser #program",
    "gh browse -n": "note gh browse",
    "gh codespace delete": "note . #git.repository | send https://api.github.com/ #github.codespace.delete.destroy",
    "gh codespace ssh": "run gh codespace ssh #program | gap gh codespace: subcommand ssh is not known",
    "gh copilot suggest x": "run gh copilot #program | gap gh: subcommand copilot is not known",
    "gh --version": "note gh",
    "gh api -X GET search/issues -F q=@.env": "note . #git.repository | read .env | send"
    " https://api.github.com/search/issues",
    "gh repo clone o/r -- --depth 1": "note . #git.repository | reach https://api.github.com/ | write r/** #git.clone"
    " | gap gh repo clone: `--depth` is handed to git | gap gh repo clone: `1` is handed to git",
}
