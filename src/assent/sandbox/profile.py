"""What a confined command may see and change: an ordered list of mounts, made from the workspace and the settings.

Pure, given a `Ground` to look at. Knows nothing about the program that makes the mounts.
"""

from __future__ import annotations

from posixpath import normpath

from assent import protected
from assent.errors import AssentError
from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Literal, Protocol

    Kind = Literal["read", "write", "empty", "link", "closed"]
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
GIT = (".git/config", ".git/hooks", ".git/modules", ".git/info")
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

    def secrets(self, folder: str) -> tuple[tuple[str, ...], bool]:
        """Files below a folder that usually hold secrets, and whether all of it was looked at."""

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
    """One place inside. `source` is what a link says, or where the thing is outside if not at the same path."""

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
    env: Mapping[str, str] | None = None,
) -> Profile:
    """The confinement of a command that works on one workspace. `own` are the folders of Assent itself."""
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
    _keep(wanted, root)
    notes = _close(wanted, root, home, own, tuple(placed(text, home, root) for text in chosen.read))
    where = cwd if wanted.shows(cwd) or within(cwd, workspace) else ground.real(cwd)
    if not wanted.shows(ground.real(cwd)):
        raise AssentError(f"the folder `{cwd}` is not in the sandbox", help="start inside the workspace")
    variables = _environment(env, home, where, proxied=bool(chosen.network))
    return Profile(root, where, tuple(wanted.mounts), variables, network=chosen.network, notes=tuple(notes))


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

    def shows(self, path: str) -> bool:
        """Whether a path leads outside, as the mounts so far have it."""
        last = next((mount for mount in reversed(self.mounts) if within(path, mount.path)), None)
        return last is not None and last.kind in ("read", "write")


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


def _keep(wanted: Making, root: str) -> None:
    """What tools run on their own when they merely find it stays as it is, where it is."""
    for path in started_in(wanted.ground, root):
        parent = path[: path.rfind("/")]
        if parent != root and parent not in {mount.path for mount in wanted.mounts}:
            wanted.add(Mount("write", parent))  # a mount point cannot be renamed, so nothing takes its place
        wanted.add(Mount("read", path, folder=wanted.ground.kind(path) == "folder"))
    hooks = f"{root}/.git/hooks"
    if wanted.ground.kind(f"{root}/.git") == "folder" and not wanted.ground.kind(hooks):
        wanted.add(Mount("empty", hooks))


def started_in(ground: Ground, root: str) -> tuple[str, ...]:
    """What of a workspace git, editors, agents, shells and CI would run or load by themselves."""
    found = [f"{root}/{name}" for name in (*GIT, *STARTED_PLACES)]
    if ground.kind(f"{root}/.git") == "file":
        found.append(f"{root}/.git")
    for name in ground.names(root):
        folded = name.casefold()
        if folded == ".assent" or (folded not in INSTALLED and protected.is_started(f"/{name}")):
            found.append(f"{root}/{name}")
    # INVARIANT: nothing behind a link is named, or mounting it would show what the link leads to
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
        path = ground.real(folder)
        if not ground.kind(f"{path}/__init__.py"):
            wanted.close(path)
        elif wanted.shows(path):
            wanted.add(Mount("read", path))  # the program itself: no secret, but nobody's to change
    secrets, complete = ground.secrets(root)
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
