"""What git's subcommands share: the repository they open, and the paths, objects and remotes that their words name."""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.program import Program, passes_on
from assent.record import replace
from assent.types import PLAIN, RANGE, Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

    More = Callable[[Args], Iterator[Fact]]

TRACKED = "search.tracked"
COMMITTED = "search.committed"
STAGED = "search.staged"
LOOKING_AT_NOW = ("git grep", "git diff", "git add", "git stash")
"""Commands that show the files of today: a file among them that is called like a secret is known to everyone."""
BELOW_HERE = ("git grep", "git archive")
"""Commands that show nothing above the folder they run in unless a word leads there."""
GLOB_SIGNS = "*?["
HEX = frozenset("0123456789abcdef")
LEAST_DIGITS, MOST_DIGITS = 4, 64
SHOW_OBJECTS = (" show", " diff", " grep", " archive")
"""Subcommands that take the number of a file's content, or of a folder, for a commit."""
PATHS_FROM = "--pathspec-from-file=read --pathspec-file-nul"
HERE = Word(".", ".")


# --- subcommands ---------------------------------------------------------------------------------------------------


def looks(options: str = "", operands: str = "", more: More | None = None) -> Program:
    """A subcommand that opens a repository and changes nothing, unless `more` says so."""
    return Program(options, operands, more=_opening(more, "git.repository"))


def changes_repository(
    code: str, options: str = "", operands: str = "", more: More | None = None, *, hooks: bool = True
) -> Program:
    """A subcommand that always changes the repository; `hooks` if that may run the repository's hooks."""
    opened = "git.repository.hooks" if hooks else "git.repository"
    return Program(options, operands, does=(("change", "the repository", code),), more=_opening(more, opened))


def runs_hooks(options: str = "", operands: str = "", more: More | None = None) -> Program:
    """A subcommand whose changes depend on its words: `more` states them."""
    return Program(options, operands, more=_opening(more, "git.repository.hooks"))


def starts_programs(why: str, more: More | None = None) -> Program:
    """A subcommand that we do not follow: it starts a tool, a server or an editor."""

    def following(args: Args) -> Iterator[Fact]:
        yield args.effect("run", args.name, "program")
        yield from _texts(args)
        if more is not None:
            yield from more(args)
        yield args.gap(why)

    return Program("", "text*", style="plain", more=_opening(following, "git.repository.hooks"))


def _texts(args: Args) -> Iterator[Fact]:
    """Words that may be commands: `-x 'id x'`, `--sendmail-cmd='id x'`."""
    for word in args.operands:
        text = word.value or ""
        text = text.partition("=")[2] if text.startswith("--") else text[2:] if text.startswith("-") else text
        if " " in text:
            yield mention(args.effect("run", text, "inline"))


def _opening(more: More | None, code: str) -> More:
    def stated(args: Args) -> Iterator[Fact]:
        if code != "git.repository" or not _is_open(args):
            yield from opens(args, code)
        if any(word.value not in ("log", "short") for word in args.values("--submodule")):
            yield args.gap("goes into repositories inside, whose own settings may start programs", blind=True)
        if more is not None:
            yield from more(args)

    return passes_on(stated, more)


def _is_open(args: Args) -> bool:
    """Whether the command around it has said so already: `git remote` for `git remote show`."""
    around = args.parent
    return around is not None and around.parent is not None and around.program.more is not None


def opens(args: Args, code: str = "git.repository") -> Iterator[Fact]:
    """The folders whose repository is opened, so that its configuration and hooks can be looked at."""
    for folder in folders(args):
        yield args.effect("note", folder, code)
    if not args.call.cwds:
        yield args.gap("opens the repository of a folder that is not known", blind=True)


def folders(args: Args) -> list[str]:
    return ["."] if args.call.cwds == (args.base,) else list(args.call.cwds)


def change(args: Args, code: str) -> Iterator[Fact]:
    yield args.effect("change", "the repository", code)


def writes_tree(args: Args, code: str) -> Iterator[Fact]:
    """Files of the working tree get other content; which ones only the repository knows."""
    yield from from_top(args, "write", ".", deep=True, code=code)


def from_top(args: Args, kind: Kind, path: str, *, deep: bool = False, code: str = "") -> Iterator[Fact]:
    """An effect on a path counted from the top of the repository; whoever sees the disk finds it above `top`."""
    for folder in folders(args):
        yield Effect(kind, path, None, deep, "", False, code, args.number, args.call.span, {"top": folder})
    if not args.call.cwds:
        why = f"`{path}` lies in a repository that is not known"
        yield args.gap(why, blind=True, reading=kind not in ("write", "delete"))


# --- words ---------------------------------------------------------------------------------------------------------


def has_subcommand(args: Args) -> bool:
    """Whether a word follows that is neither an option of this command nor the value of one."""
    name = args.name.rpartition(" ")[2]
    around = _values(args.parent) if args.parent is not None else set()
    words = args.call.words[1:]
    at = next((at for at, word in enumerate(words) if word.value == name and id(word) not in around), 0)
    own = _values(args)
    return any(not (word.value or "x").startswith("-") and id(word) not in own for word in words[at + 1 :])


def _values(args: Args) -> set[int]:
    return {id(word) for words in args.given.values() for word in words}


def behind_dashes(args: Args) -> list[Word]:
    """The operands behind `--`: those are paths and nothing else."""
    words = args.call.words
    values = _values(args) | (_values(args.parent) if args.parent is not None else set())
    dashes = next((at for at, word in enumerate(words) if word.value == "--" and id(word) not in values), len(words))
    behind = {id(word) for word in words[dashes + 1 :]}
    return [word for word in args.operands if id(word) in behind]


def contents(args: Args, words: list[Word]) -> Iterator[Fact]:
    """What is shown by a command that prints content: the paths and objects named, else everything tracked."""
    certain = {id(word) for word in behind_dashes(args)}
    paths = objects = others = 0
    wide = False
    for word in words:
        value = word.value
        if is_commit(word) and id(word) not in certain:
            others += 1
            wide = wide or args.name.endswith(SHOW_OBJECTS)
            yield from maybe_path(args, word)
        elif value is None or id(word) in certain or is_path(value):
            paths += not is_exclusion(value)
            yield from pathspec(args, word, "search", TRACKED)
        elif path_in_object(value) is not None:
            objects += 1
            wide = wide or ".." in value.replace("../", "")  # a range, which ends with another object
            yield from object_content(args, word)
        else:
            others += 1
            wide = wide or (any(map(is_hash, value.split(".."))) and args.name.endswith(SHOW_OBJECTS))
            yield from maybe_path(args, word)
    if wide or (not paths and (others or not objects)):
        yield from whole_tree(args, today=not (others or wide))


def whole_tree(args: Args, *, today: bool = True) -> Iterator[Fact]:
    """Content of anything that was ever committed; of what is committed now for the commands that look only there.

    With a revision, which may hold a secret that has been removed since, it is never only today's.
    """
    code = COMMITTED if today and args.name in LOOKING_AT_NOW else TRACKED
    if args.name in BELOW_HERE:
        yield from args.file("search", HERE, deep=True, code=code)
    else:
        yield from from_top(args, "search", ".", deep=True, code=code)


def staged(args: Args) -> Iterator[Fact]:
    """Content that waits for the next commit, and that nobody may have seen so far."""
    yield from from_top(args, "search", ".", deep=True, code=STAGED)


def is_path(value: str) -> bool:
    """A word that no revision can be: those begin with no `/` or `.`, and hold a `*` only in `{}` or behind `:`.

    `:/word` may be one; as a path it reaches as far.
    """
    if value.startswith(("/", "./", "../", "~/", ":/", ":(", ":!", ":^")) or value in (".", ".."):
        return True
    if ":" in value or "{" in value:
        return False
    return "/../" in value or value.endswith(("/..", "/")) or "*" in value or "?" in value


def is_exclusion(value: str | None) -> bool:
    return value is not None and value.startswith((":!", ":^", ":(exclude"))


def is_revision(value: str) -> bool:
    """`HEAD~1`, `HEAD..x`, `@{u}`, an abbreviated hash: names nobody gives a file."""
    if value.startswith("HEAD"):
        return value[4:5] in ("", "~", "^", "@") or value[4:6] == ".."
    return value == "@" or value.startswith("@{") or (7 <= len(value) <= 64 and HEX.issuperset(value))


def is_hash(value: str) -> bool:
    """Whether a word may be the number of an object: also of a file's content, which no path or option hides."""
    name = value.partition("^{")[0]
    return LEAST_DIGITS <= len(name) <= MOST_DIGITS and HEX.issuperset(name)


def is_commit(word: Word) -> bool:
    """Whether a word is one plain piece, as `$(git rev-parse HEAD)`: the name of a commit, or of something here."""
    return word.why == RANGE or (word.why == PLAIN and not word.pattern)


def maybe_path(args: Args, word: Word) -> Iterator[Fact]:
    """A branch or a file: only the repository knows. Rules about the file still count."""
    if is_commit(word):
        word = Word(word.text, ".")
    if word.value is None or not is_revision(word.value):
        for fact in args.file("search", word, deep=True, code=TRACKED):
            yield replace(fact, possible=True) if isinstance(fact, Effect) else fact


def path_in_object(value: str) -> str | None:
    """The path of `HEAD:path`, `:path`, `:0:path`; None for what names no path. Braces may hold colons."""
    if value.startswith((":/", ":(", ":!", ":^")):
        return None
    if value.startswith(":"):
        return value[3:] if value[1:2].isdigit() and value[2:3] == ":" else value[1:]
    depth = 0
    for at, char in enumerate(value):
        depth += (char == "{") - (char == "}")
        if char == ":" and depth == 0:
            return value[at + 1 :]
    return value.partition(":")[2] if depth and ":" in value else None


def object_content(args: Args, word: Word) -> Iterator[Fact]:
    """`HEAD:path` prints the file as it was, or of a folder the names; `diff` and `grep` look at all below one."""
    path = path_in_object(word.value or "") or "."
    if path == ".":
        yield from from_top(args, "list", path)
    yield from in_commit(args, "read", path)
    if not args.name.endswith((" show", " cat-file")):
        yield from in_commit(args, "search", path, deep=True, code=TRACKED)


def in_commit(args: Args, kind: Kind, path: str, *, deep: bool = False, code: str = "") -> Iterator[Fact]:
    """The path of `HEAD:path`; only `./path` and `../path` are counted from the folder git runs in."""
    if path.startswith(("./", "../", "/")):
        yield from args.file(kind, Word(path, path), deep=deep, code=code)
    else:
        yield from from_top(args, kind, path, deep=deep, code=code)


def pathspec(args: Args, word: Word, kind: Kind, code: str = "") -> Iterator[Fact]:
    """A path as git reads it: its own globs go below folders, `:(magic)` may reach the whole tree."""
    value = word.value
    if value is None:
        yield from args.file(kind, word, deep=True, code=code)
    elif is_exclusion(value):
        return
    elif value.startswith(":"):
        yield from from_top(args, kind, ".", deep=True, code=code)
    elif any(sign in value for sign in GLOB_SIGNS):
        root, only = _glob_root(value)
        yield from args.file(kind, Word(value, root), deep=True, only=only, code=code)
    else:
        yield from args.file(kind, word, deep=True, code=code)


def _glob_root(value: str) -> tuple[str, str]:
    """`src/*.py` is `*.py` anywhere below `src`, because git's `*` matches slashes too."""
    first = min(at for at, char in enumerate(value) if char in GLOB_SIGNS)
    root = value[:first].rpartition("/")[0] or ("/" if value.startswith("/") else ".")
    last = value.rpartition("/")[2]
    simple = last.startswith("*") and not any(sign in last[1:] for sign in GLOB_SIGNS + "\\")
    return root, last if simple and len(last) > 1 else ""


# --- other repositories --------------------------------------------------------------------------------------------


def remote(args: Args, word: Word, kind: Kind = "reach", code: str = "") -> Iterator[Fact]:
    """A repository elsewhere: an address, a folder, or a name that the configuration explains."""
    value = word.value
    if value is None:
        yield args.gap(f"the repository is not known ({word.why})", blind=True)
    elif "::" in value.partition("/")[0]:
        yield args.gap(f"`{value}` starts a program of its own", blind=True)
    elif "://" in value:
        yield from _address(args, value, kind, code)
    elif value.startswith(("/", ".", "~")):
        yield from args.file("write" if kind == "send" else "read", word, deep=True, code=code)
    elif ":" in value.partition("/")[0]:
        machine, _, path = value.partition(":")
        url = f"https://{machine.rpartition('@')[2]}/{path.lstrip('/')}"
        yield from args.reach(url, shown=value, kind=kind, code=code)
    else:
        yield args.effect(kind, f"remote {value}", code)


def _address(args: Args, value: str, kind: Kind, code: str) -> Iterator[Fact]:
    """Rules speak of web addresses; `ssh://git@host:22/path` is the same machine."""
    scheme, _, rest = value.partition("://")
    if scheme == "file":
        yield from args.file("write" if kind == "send" else "read", Word(value, rest), deep=True, code=code)
    elif scheme in ("http", "https"):
        yield from args.reach(value, kind=kind, code=code)
    elif scheme in ("ssh", "git", "git+ssh", "ssh+git", "ftp", "ftps"):
        machine, _, path = rest.partition("/")
        host = machine.rpartition("@")[2].partition(":")[0]
        yield from args.reach(f"https://{host}/{path}", shown=value, kind=kind, code=code)
    else:
        yield args.gap(f"`{scheme}` is fetched by a program of its own", blind=True)


def remotes_or_default(args: Args, words: list[Word], kind: Kind, code: str = "") -> Iterator[Fact]:
    """The first word names the repository; without one it is the one that the branch follows."""
    if words:
        yield from remote(args, words[0], kind, code)
    else:
        yield args.effect(kind, "the remote of the branch", code)
