"""What a confined command may see and change: an ordered list of mounts, made from the workspace and the settings.

Pure, given a `Ground` to look at. Knows nothing about the program that makes the mounts.
"""

from __future__ import annotations

from posixpath import dirname, normpath

from assent import protected
from assent.errors import AssentError
from assent.record import record
from assent.sandbox.gitcode import read_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal, Protocol

    Kind = Literal["read", "write", "empty", "link", "closed", "git"]
else:
    Protocol = object

SYSTEM = tuple("/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu".split())
"""What programs need to run at all: shown, never writable. What is not named here or below is not there."""
PRIVATE = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - made anew for every command
TOOLCHAINS = tuple(
    """.local/bin .local/lib .local/pipx .local/share/pipx .local/share/uv .local/share/mise .local/share/pnpm
    .cargo/bin .cargo/registry .cargo/git .rustup .pyenv .rbenv .nodenv .nvm .volta .asdf .sdkman .deno .bun .npm-global
    go/bin go/pkg .ghcup .opam .gem .gitconfig .config/git""".split()
)
"""Under home: tools and their settings, shown where they are there. Nothing else of home is."""
CLOSED_FILES = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d")
CLOSED_FOLDERS = (
    "/etc/ssl/private",
    "/etc/ssh",
    "/etc/assent",
    "/etc/wireguard",
    "/etc/NetworkManager",
    "/etc/krb5.keytab",
)
HOME_SECRETS = (
    *(
        ".ssh",
        ".aws",
        ".gnupg",
        ".config/gcloud",
        ".azure",
        ".docker",
        ".kube",
        ".agent-harness",
        ".config/assent",
        ".local/state/assent",
    ),
    *(".netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", ".vault-token", ".s3cfg", ".boto"),
    *(".password-store", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".config/gh", ".mozilla"),
    *(".config/google-chrome", ".config/chromium", ".thunderbird", ".local/share/keyrings", ".config/git/credentials"),
    *(".bash_history", ".zsh_history", ".python_history", ".config/rclone", ".terraform.d", ".m2/settings.xml"),
)
"""The floor and other secrets of a home, for when a home is shown after all because the workspace holds it."""
INSTALLED = frozenset({".venv", "venv", "node_modules", "site-packages", "dist-packages", ".yarn", ".gradle", ".git"})
"""Started later like all code of a project; a sandbox in which nothing could be built would be left."""
GIT_STATE = frozenset(
    """HEAD ORIG_HEAD FETCH_HEAD MERGE_HEAD MERGE_MSG MERGE_MODE MERGE_RR MERGE_AUTOSTASH AUTO_MERGE CHERRY_PICK_HEAD
    REVERT_HEAD REBASE_HEAD BISECT_HEAD BISECT_LOG BISECT_NAMES BISECT_START BISECT_TERMS BISECT_EXPECTED_REV
    BISECT_ANCESTORS_OK BISECT_FIRST_PARENT SQUASH_MSG COMMIT_EDITMSG TAG_EDITMSG NOTES_EDITMSG index packed-refs
    refs logs rebase-merge rebase-apply sequencer""".split()
)
"""What ordinary git changes in its folder besides objects. All else there is shown, and nobody's to change."""
READ_ONLY = frozenset(("commondir", "reftable"))
"""A repository with either can only be read: its state is elsewhere, or in a form that is not looked into."""
OBJECTS = "/run/assent/objects"
"""Where the objects of a repository are shown while a command has a place of its own for new ones."""
STARTED_PLACES = tuple(
    place
    for place in (needle.strip("/") for needle in protected.STARTED_FOLDERS)
    if "/" in place and place.partition("/")[0] not in INSTALLED
)
"""Places below the top of a workspace that are started later; at the top itself every name is looked at."""
ENVIRONMENT = frozenset(
    """PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR TZ PWD CI VIRTUAL_ENV
    COLUMNS LINES""".split()
)
MOST_CLOSED = 2_000
MOST_REPOSITORIES = 50
"""More than these can only be read."""
MOST_PROCESSES = 4_096
PROXY = "http://127.0.0.1:3128"


class Ground(Protocol):
    """The machine as a profile sees it; `ground.Machine` is the real one."""

    def kind(self, path: str) -> str:
        """`file`, `folder`, `link` or nothing."""

    def real(self, path: str) -> str:
        """The path with every link followed."""

    def target(self, path: str) -> str:
        """What a link says."""

    def names(self, folder: str) -> tuple[str, ...]:
        """What is in a folder."""

    def text(self, path: str) -> str | None:
        """What is in a file, None if it cannot be read."""

    def digest(self, path: str) -> str:
        """Changes whenever the file does."""

    def runs(self, path: str) -> bool:
        """Whether a file may be executed."""

    def secrets(self, folder: str, others: tuple[str, ...] = ()) -> tuple[tuple[str, ...], bool]:
        """Files below a folder that usually hold secrets, and whether all of it was looked at; all names of the file.

        `others` are secrets that lie elsewhere and may have a name here, too.
        """

    def repositories(self, folder: str, most: int = 0) -> tuple[tuple[str, ...], bool]:
        """Repositories of git below a folder, those further up first, and whether all of it was looked at."""

    def sockets(self) -> tuple[str, ...]:
        """Paths on which some program listens."""


@record
class Settings:
    """The `[sandbox]` table: more that may be read and written, and the hosts that may be reached."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    network: tuple[str, ...] = ()


@record
class Mount:
    """One place inside. `source` is what a link says, or where the thing is outside if not at the same path.

    `git` is the folder of a repository: its state is the command's own until it ends, its objects are at `source`.
    """

    kind: Kind
    path: str
    source: str = ""
    folder: bool = True


@record
class Profile:
    """Everything about a confinement but the command. A later mount covers an earlier one."""

    workspace: str
    cwd: str
    mounts: tuple[Mount, ...]
    environment: tuple[tuple[str, str], ...] = ()
    processes: int = MOST_PROCESSES
    network: tuple[str, ...] = ()
    """Hosts that can be reached through a proxy; without any there is no network at all."""
    notes: tuple[str, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    """Links to what runs Assent or to a repository, and where they lead: no mount can keep one."""

    def changes(self, path: str) -> bool:
        """Whether a command may change what is at a path outside."""
        last = next((mount for mount in reversed(self.mounts) if within(path, mount.path)), None)
        return last is not None and last.kind == "write"

    @property
    def closed(self) -> tuple[str, ...]:
        """What is there outside and cannot be opened inside."""
        return tuple(mount.path for mount in self.mounts if mount.kind == "closed")

    @property
    def fixed(self) -> tuple[str, ...]:
        """What in the workspace can be read and not changed."""
        inside = (mount for mount in self.mounts if mount.kind == "read")
        return tuple(mount.path for mount in inside if within(mount.path, self.workspace))


def profile_for(
    workspace: str,
    cwd: str,
    home: str,
    ground: Ground,
    *,
    settings: Settings | None = None,
    own: tuple[str, ...] = (),
    running: tuple[str, ...] = (),
    env: Mapping[str, str] | None = None,
) -> Profile:
    """The confinement of a command that works on one workspace.

    `own` is where Assent keeps what it knows: closed. `running` is what Assent runs from: shown, nobody's to change.
    """
    chosen, env = settings or Settings(), env or {}
    root = ground.real(workspace)
    _refuse_wide(root, ground)
    wanted = Making(ground)
    _system(wanted, home, env)
    for kind, texts in (("read", chosen.read), ("write", chosen.write)):
        for text in texts:
            wanted.show("write" if kind == "write" else "read", placed(text, home, root))
    wanted.show("write", root)
    if workspace.rstrip("/") != root and not wanted.shows(workspace):
        wanted.add(Mount("link", workspace.rstrip("/"), root))
    others = [ground.real(placed(text, home, root)) for text in chosen.write]
    _keep(wanted, root, home, running, tuple(others))
    notes = _close(wanted, root, home, own, tuple(placed(text, home, root) for text in chosen.read))
    where = cwd if wanted.shows(cwd) or within(cwd, workspace) else ground.real(cwd)
    if not wanted.shows(ground.real(cwd)):
        raise AssentError(f"the folder `{cwd}` is not in the sandbox", help="start inside the workspace")
    variables = _environment(env, home, where, proxied=bool(chosen.network))
    leading = (*running, *ground.repositories(root)[0])
    links = [(path, ground.target(path)) for path in leading if ground.kind(path) == "link" and wanted.changes(path)]
    return Profile(
        root,
        where,
        tuple(wanted.mounts),
        variables,
        network=chosen.network,
        notes=tuple(notes),
        links=tuple(links),
    )


def within(path: str, folder: str) -> bool:
    folder = folder.rstrip("/")
    return path == folder or path.startswith(folder + "/")


def placed(text: str, home: str, workspace: str) -> str:
    """A path of the settings: absolute, from home with `~/`, or from the workspace."""
    if text.startswith("~/"):
        return normpath(f"{home}/{text[2:]}")
    return normpath(text if text.startswith("/") else f"{workspace}/{text}")


class Making:
    """The mounts so far, and what they show."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.mounts: list[Mount] = []

    def add(self, mount: Mount) -> None:
        self.mounts.append(mount)

    def show(self, kind: Kind, path: str) -> None:
        """Show a file or folder, wherever links lead; nothing if it is not there, or is on the floor."""
        real = self.ground.real(path)
        if any(mount.kind == "link" and within(path, mount.path) for mount in self.mounts):
            path = real
        what = self.ground.kind(real)
        if what and not protected.on_the_floor(real) and not protected.on_the_floor(path):
            self.add(Mount(kind, path, "" if real == path else real, folder=what == "folder"))

    def close(self, path: str) -> None:
        """Cover something that is shown so far."""
        kind = self.ground.kind(path)
        if kind and kind != "link" and self.shows(path):
            self.add(Mount("closed", path, folder=kind == "folder"))

    def names(self, real: str) -> tuple[str, ...]:
        """Every path at which a file may be shown: its own, and below a link that is shown under the link's name."""
        linked = (
            mount for mount in self.mounts if mount.kind != "link" and mount.source and within(real, mount.source)
        )
        return real, *(mount.path + real[len(mount.source.rstrip("/")) :] for mount in linked)

    def changes(self, path: str) -> bool:
        """Whether a path can be changed, as the mounts so far have it."""
        last = next((mount for mount in reversed(self.mounts) if within(path, mount.path)), None)
        return last is not None and last.kind == "write"

    def shows(self, path: str) -> bool:
        """Whether a path leads outside, as the mounts so far have it."""
        last = next((mount for mount in reversed(self.mounts) if within(path, mount.path)), None)
        return last is not None and last.kind in ("read", "write", "git")


def _refuse_wide(root: str, ground: Ground) -> None:
    for folder in (*SYSTEM, "/proc", "/dev", "/sys", "/var", "/run"):
        if within(folder, root) or (ground.kind(folder) == "link" and within(ground.real(folder), root)):
            raise AssentError(f"the workspace `{root}` holds the system itself", help="name a project with --workspace")
    if root in ("/home", "/root", "/tmp", "/var/tmp"):  # noqa: S108 - named to be refused
        raise AssentError(f"the workspace `{root}` is everybody's", help="name a project with --workspace")


def _system(wanted: Making, home: str, env: Mapping[str, str]) -> None:
    ground = wanted.ground
    for path in SYSTEM:
        kind = ground.kind(path)
        if kind == "link":
            wanted.add(Mount("link", path, ground.target(path)))
        elif kind:
            wanted.add(Mount("read", path))
    for path in PRIVATE:
        wanted.add(Mount("empty", path))
    wanted.add(Mount("link", "/var/run", "/run"))
    if home and home != "/" and not wanted.shows(home):
        wanted.add(Mount("empty", home))
    tools = [f"{home}/{name}" for name in TOOLCHAINS]
    given = env.get("PATH", "").split(":")
    found = [normpath(folder) for folder in given if folder.startswith("/") and folder.strip("/")]
    for path in dict.fromkeys((*tools, *found)):
        if path != home and not wanted.shows(path) and not wanted.shows(ground.real(path)):
            wanted.show("read", path)


def _keep(wanted: Making, root: str, home: str, running: tuple[str, ...], others: tuple[str, ...]) -> None:
    """What tools run on their own when they merely find it, and what runs Assent, stays as it is, where it is.

    `others` are folders outside the workspace that can be changed.
    """
    ground = wanted.ground
    kept = [*started_in(ground, root), *(ground.real(one) for one in running)]
    for folder in (root, *others):
        if ground.kind(folder) == "folder" and wanted.changes(folder):
            repositories, _ = ground.repositories(folder)
            named = read_code(ground, folder, home, repositories).files
            _keep_in(wanted, folder, (*kept, *named), repositories)


def _keep_in(wanted: Making, root: str, kept: tuple[str, ...], repositories: tuple[str, ...]) -> None:
    ground = wanted.ground

    def changes(path: str) -> bool:
        # INVARIANT: nothing behind a link is named, or mounting it would show what the link leads to
        return within(path, root) and ground.real(path) == path and wanted.changes(path)

    fixed: dict[str, Mount] = {}
    tops: list[str] = []
    for path in filter(changes, repositories):
        if any(within(path, top) for top in tops):
            continue  # a repository in git's own folder, such as one of a submodule, is as that is
        count = len(tops)
        tops += [path] if ground.kind(path) == "folder" else []
        found = _repository(ground, path, len(wanted.mounts) + len(fixed))
        fixed |= (
            {mount.path: mount for mount in found} if count < MOST_REPOSITORIES else {path: _as_it_is(ground, path)}
        )
    copied = tuple(path for path, mount in fixed.items() if mount.kind == "git")
    for path in filter(changes, dict.fromkeys((*kept, *(ground.real(path) for path in kept)))):
        if path != root and ground.kind(path) in ("file", "folder") and not any(within(path, git) for git in copied):
            fixed[path] = _as_it_is(ground, path)
    for path in [*fixed]:
        for above in _folders_between(path, root):
            # a mount point cannot be renamed, so nothing takes its place
            fixed.setdefault(above, Mount("write", above))
    for path in sorted(fixed, key=lambda path: path.split("/")):
        if not any(fixed[above].kind == "read" for above in _folders_between(path, root)):
            wanted.add(fixed[path])


def _as_it_is(ground: Ground, path: str) -> Mount:
    return Mount("read", path, folder=ground.kind(path) == "folder")


def _repository(ground: Ground, git: str, number: int) -> Iterator[Mount]:
    """INVARIANT: of a repository nothing but its state can be changed, and of that only a copy, see `drafts`."""
    if ground.kind(git) == "file":
        yield _as_it_is(ground, git)
        return
    if not git.endswith("/.git"):  # one without a working tree
        yield _as_it_is(ground, git)
        return
    kinds = {name: ground.kind(f"{git}/{name}") for name in ground.names(git)}
    links = [name for name, kind in kinds.items() if kind == "link" and (name in GIT_STATE or name == "objects")]
    if links or kinds.get("objects") != "folder" or kinds.get("HEAD") != "file" or not READ_ONLY.isdisjoint(kinds):
        yield Mount("read", git)
        return
    objects = f"{OBJECTS}-{number}"
    yield Mount("read", objects, f"{git}/objects")
    yield Mount("git", git, objects)
    for name, kind in kinds.items():
        if kind in ("file", "folder") and name != "objects" and not is_git_state(name) and not name.endswith(".lock"):
            yield Mount("read", f"{git}/{name}", folder=kind == "folder")


def is_git_state(name: str) -> bool:
    """Whether something in git's folder is copied for a command. Of `config` little comes back, see `drafts`."""
    return name in GIT_STATE or name == "config" or name.startswith("sharedindex.")


def _folders_between(path: str, root: str) -> Iterator[str]:
    """The folders above a path that are below a root, the lowest first."""
    above = dirname(path)
    while within(above, root) and above != root:
        yield above
        above = dirname(above)


def started_in(ground: Ground, root: str) -> tuple[str, ...]:
    """What of a workspace editors, agents, shells and CI would run or load by themselves."""
    found = [f"{root}/{name}" for name in STARTED_PLACES]
    for name in ground.names(root):
        folded = name.casefold()
        if folded == ".assent" or (folded not in INSTALLED and protected.is_started(f"/{name}")):
            found.append(f"{root}/{name}")
    return tuple(path for path in found if ground.kind(path) in ("file", "folder") and ground.real(path) == path)


def _close(wanted: Making, root: str, home: str, own: tuple[str, ...], opened: tuple[str, ...]) -> list[str]:
    """Cover secrets, Assent's own folders and sockets wherever they are shown; says what could not be looked at."""
    ground = wanted.ground
    homes = dict.fromkeys((home, ground.real(home)))
    places = [*CLOSED_FILES, *CLOSED_FOLDERS, *(f"{one}/{name}" for one in homes for name in HOME_SECRETS)]
    for path in (*places, *ground.sockets()):
        for name in wanted.names(ground.real(path)):
            wanted.close(name)
    for folder in own:
        wanted.close(ground.real(folder))
    elsewhere = (f"{one}/{name}" for one in homes for name in HOME_SECRETS)
    others = [name for path in elsewhere for name in (path, *(f"{path}/{one}" for one in ground.names(path)))]
    secrets, complete = ground.secrets(root, tuple(others))
    opened = (*opened, *(ground.real(place) for place in opened))
    for path in secrets:
        if protected.on_the_floor(path) or not any(within(path, place) for place in opened):
            wanted.close(path)
    if sum(mount.kind == "closed" for mount in wanted.mounts) > MOST_CLOSED:
        raise AssentError(
            f"more than {MOST_CLOSED} secret files in `{root}`", help="open folders with `[sandbox] read`"
        )
    return [] if complete else [f"`{root}` is too large: not all of it was searched for secret files"]


def _environment(env: Mapping[str, str], home: str, cwd: str, *, proxied: bool) -> tuple[tuple[str, str], ...]:
    kept = {name: value for name, value in env.items() if name in ENVIRONMENT or name.startswith("LC_")}
    kept |= {"HOME": home, "PWD": cwd, "TMPDIR": "/tmp"}  # noqa: S108 - the sandbox has one of its own
    if proxied:
        kept |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), PROXY)
        kept |= {"NO_PROXY": "localhost,127.0.0.1", "no_proxy": "localhost,127.0.0.1"}
    return tuple(sorted(kept.items()))


def notable(paths: Iterable[str], root: str) -> Iterator[str]:
    """Paths as a person in the workspace would write them."""
    for path in paths:
        yield path.removeprefix(root.rstrip("/") + "/")
