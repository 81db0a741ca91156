"""What commands that talk to a forge do: reading reaches its API, what others see afterwards is sent there."""

from __future__ import annotations

from assent.commands.config_files import GITCONFIG, kept
from assent.commands.git_repository import behind_dashes, from_top, opens, writes_tree
from assent.commands.program import Program, passes_on, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

    More = Callable[[Args], Iterator[Fact]]

API = "https://api.github.com/"
GH_CONFIG = "~/.config/gh/config.yml"
REPO = "-R,--repo="


# --- what every command does ---------------------------------------------------------------------------------------


def asks(options: str = REPO, operands: str = "text*", more: More | None = None) -> Program:
    """A command that only shows what GitHub has."""
    return Program(options, operands, more=_talking("reach", "", more))


def sends(code: str, options: str = REPO, operands: str = "text*", more: More | None = None) -> Program:
    """A command that changes something at GitHub."""
    return Program(options, operands, more=_talking("send", code, more))


def group(commands: dict[str, Program]) -> Program:
    """Commands about one kind of thing, which also go by their short names."""
    short = {"ls": "list", "new": "create"}
    return Program(
        REPO,
        commands=commands | {name: commands[long] for name, long in short.items() if long in commands},
        style="bare",
    )


def _talking(kind: Kind, code: str, more: More | None) -> More:
    def stated(args: Args) -> Iterator[Fact]:
        yield from opens(args)
        yield from args.reach(f"https://{_machine(args)}/", kind=kind, code=code)
        yield from _shown(args)
        if more is not None:
            yield from more(args)

    return passes_on(stated, more)


def _machine(args: Args) -> str:
    """`-R host/owner/name` and `--hostname` name another machine than GitHub's own."""
    hosts = [word.value or "" for word in args.values("--hostname")]
    around = args.parent.values("-R") if args.parent is not None else []
    for word in (*around, *args.values("-R")):
        parts = (word.value or "").removeprefix("https://").split("/")
        hosts += parts[:1] if len(parts) == 3 else []
    named = [host for host in hosts if host and host != "github.com"]
    return named[-1] if named else "api.github.com"


def _shown(args: Args) -> Iterator[Fact]:
    """A jq filter can print the environment; `--web` opens a browser."""
    for word in args.values("-q"):
        if word.value is None or "env" in word.value.lower() or "input" in word.value:
            yield args.gap("the jq filter may print the environment")
    if args.has("-w"):
        yield args.effect("run", "the browser", "program")


# --- commands that need a closer look ------------------------------------------------------------------------------


@turns_off("", everything="-X")
def calls_api(args: Args) -> Iterator[Fact]:
    """`gh api`: fields make it a POST; a value `@file` is read from that file."""
    yield from opens(args)
    yield from _shown(args)
    for word in args.values("-F"):
        file = (word.value or "").partition("=")[2]
        if word.value is None or file.startswith("@"):
            yield from args.file("read", word if word.value is None else Word(word.text, file[1:]))
    for word in args.values("--input"):
        yield from args.file("read", word)
    kind, code = _method(args)
    for word in args.operands[:1]:
        if word.value is None:
            yield args.gap(f"the address is not known ({word.why})", blind=True)
        else:
            url, shown = _endpoint(args, word.value)
            yield from args.reach(url, shown=shown, kind=kind, code=code)
    for word in args.operands[1:]:
        yield args.gap(f"`{word.text}` is one word too many")


def _method(args: Args) -> tuple[Kind, str]:
    """Fields are sent unless they only ask; the content of a file always is."""
    method = args.text("-X")
    files = any("=@" in (word.value or "=@") for word in args.values("-F")) or args.has("--input")
    if method is not None and method.upper() in ("GET", "HEAD"):
        return ("send" if files else "reach"), ""
    if method is not None and method.upper() == "DELETE":
        return "send", "github.api.delete.destroy"
    if not args.has("-X") and not files and (not args.has("-f", "-F") or _only_queries(args)):
        return "reach", ""
    return "send", "github.api"


def _only_queries(args: Args) -> bool:
    """A GraphQL text that is written down and mutates nothing."""
    fields = [word.value or "query=mutation" for word in args.values("-f", "-F")]
    queries = [field for field in fields if field.startswith("query=")]
    return (
        [word.value for word in args.operands] == ["graphql"] and bool(queries) and "mutation" not in "".join(queries)
    )


def _endpoint(args: Args, endpoint: str) -> tuple[str, str]:
    """The address, and how it is shown: `{owner}` is filled in by gh."""
    if "://" in endpoint:
        return endpoint, endpoint
    host = args.text("--hostname")
    top = API if host in (None, "github.com", "") else f"https://{host}/"
    full = f"{top}{endpoint.lstrip('/')}"
    return (top if "{" in endpoint else full), full


def checks_out(args: Args) -> Iterator[Fact]:
    yield from opens(args, "git.repository.hooks")
    yield args.effect("change", "the repository", "git.checkout")
    yield from writes_tree(args, "git.discard" if args.has("-f") else "git.checkout")


@turns_off("-b -F -f --fill-first --fill-verbose --dry-run -w")
def creates_pull(args: Args) -> Iterator[Fact]:
    """The branch is pushed first; without a text it asks a person."""
    if args.has("--dry-run"):
        return
    yield args.effect("send", "the remote of the branch", "git.push")
    if not args.has("-b", "-F", "-f", "--fill-first", "--fill-verbose", "-w"):
        yield args.gap("waits for a text")


def shows_to_others(args: Args) -> Iterator[Fact]:
    """Another visibility: what was private may be public from now on, and stars and forks are lost."""
    if args.has("--visibility"):
        yield args.effect("change", "who sees the repository", "github.repo.visibility.publish")


@turns_off("-b -F -w --delete-last")
def needs_text(args: Args) -> Iterator[Fact]:
    if not args.has("-b", "-F", "-w", "--delete-last"):
        yield args.gap("waits for a text")


def merges(args: Args) -> Iterator[Fact]:
    if args.has("--admin"):
        yield args.effect("change", "the rules of the branch", "github.pr.merge.force")
    if args.has("-d"):
        yield args.effect("change", "the repository", "git.branch.delete")


def clones(args: Args) -> Iterator[Fact]:
    """Words behind `--` go to git."""
    behind = behind_dashes(args)
    words = args.operands[: len(args.operands) - len(behind)]
    for word in words[:1]:
        name = (word.value or "").rstrip("/").rpartition("/")[2].removesuffix(".git")
        folder = words[1] if len(words) > 1 else Word(word.text, name) if name else word
        yield from args.file("write", folder, deep=True, code="git.clone")
    for word in (*words[2:], *behind):
        yield args.gap(f"`{word.text}` is handed to git")


@turns_off("-D -O")
def downloads(args: Args) -> Iterator[Fact]:
    for word in args.values("-D") or ([] if args.has("-O") else [Word(".", ".")]):
        yield from args.file("write", word, deep=True, code="downloaded")


def uploads(args: Args) -> Iterator[Fact]:
    """The first word names the release, the others are files: `file#label`."""
    for word in args.operands[1:]:
        path = word.value.partition("#")[0] if word.value else None
        yield from args.file("read", word if path is None else Word(word.text, path))


def makes_gist(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.file("read", word)


def makes_repository(args: Args) -> Iterator[Fact]:
    if args.has("-c"):
        yield from clones(args)
    for word in args.values("-s"):
        yield from args.file("read", word, deep=True)
        yield args.effect("change", "the repository", "git.remote")
    if args.has("--push"):
        yield args.effect("send", "the new repository", "git.push")


def forks(args: Args) -> Iterator[Fact]:
    if args.has("--clone"):
        yield from clones(args)
    if args.has("--remote"):
        yield args.effect("change", "the repository", "git.remote")


def syncs(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "the repository", "git.push.force" if args.has("--force") else "git.pull")


def prints_secret(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "the password of gh", "secret.print")
    yield from kept(args, "read", "~/.config/gh/hosts.yml")


def shows_login(args: Args) -> Iterator[Fact]:
    if args.has("-t"):
        yield from prints_secret(args)


def changes_login(args: Args) -> Iterator[Fact]:
    yield args.effect("change", "the login of gh", "github.auth")
    yield from kept(args, "write", GITCONFIG if args.name.endswith("setup-git") else "~/.config/gh/hosts.yml")
    yield args.gap("changes who gh is")


def starts(args: Args) -> Iterator[Fact]:
    yield args.effect("run", args.name, "program")
    yield args.gap("starts programs that are not part of gh")


def adds_commands(args: Args) -> Iterator[Fact]:
    """Aliases and extensions are commands of gh from then on."""
    yield from starts(args)
    yield from kept(args, "write", GH_CONFIG if " alias " in args.name else "~/.local/share/gh/extensions")


def chooses(args: Args) -> Iterator[Fact]:
    """The repository that gh talks about is noted in the settings of git."""
    yield from from_top(args, "write", ".git/config")


@turns_off("-n")
def browses(args: Args) -> Iterator[Fact]:
    if not args.has("-n"):
        yield args.effect("run", "the browser", "program")


def sets(args: Args) -> Iterator[Fact]:
    """Among the settings are the pager, the editor and the browser."""
    yield from kept(args, "write", GH_CONFIG)
