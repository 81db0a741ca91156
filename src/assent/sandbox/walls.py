"""A profile as Landlock's rules: which rights on which files and folders. Pure, given a `Ground` to look at.

Landlock grants a folder with all that is in it and has no word for "but not this file". So a folder that holds
something closed is not granted itself, but what lies beside it is, one by one.
"""

from __future__ import annotations

from assent.errors import AssentError
from assent.record import record
from assent.sandbox.profile import PRIVATE, within
from assent.sandbox.rights import ALL, DEVICE, IOCTL_DEV, MAKE_REG, OF_FILES, READ, READ_DIR, WRITE, WRITE_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.sandbox.profile import Ground, Mount, Profile

DEVICES = tuple(f"/dev/{name}" for name in "null zero full random urandom".split())
FACTS = (
    *(f"/proc/{name}" for name in "cpuinfo meminfo stat loadavg uptime version filesystems vmstat sys".split()),
    "/sys/devices/system/cpu",
)
"""About the machine. INVARIANT: no folder of a process, whose command line would show."""
MOST_RULES = 20_000


@record
class Rule:
    """Rights on one file, or on a folder and all that is in it."""

    path: str
    rights: int
    folder: bool = True


@record
class Walls:
    """All rules of a confinement, and the folders in which nothing new can be made because of what they hold."""

    rules: tuple[Rule, ...]
    partly: tuple[str, ...] = ()

    @property
    def writable(self) -> tuple[str, ...]:
        """What may be changed, with all that is in it."""
        return tuple(rule.path for rule in self.rules if rule.rights & WRITE_FILE and not rule.rights & IOCTL_DEV)


def walls_for(profile: Profile, ground: Ground) -> Walls:
    """The rules that grant what the profile shows. What they cannot say is an error."""
    if profile.network:
        raise AssentError(
            "`network` under [sandbox] names hosts, and with Landlock there is no way to reach only these",
            help="install bubblewrap, or leave `network` empty",
        )
    making = Making(ground, tuple(_places(profile, ground)))
    for place in making.places:
        if not place.rights and within(place.path, profile.workspace) and making.rights(place.path) == 0:
            raise AssentError(
                f"the workspace holds `{place.path}`, and Landlock cannot hide a folder of it",
                help="install bubblewrap, or name another --workspace",
            )
    for top in _tops({place.path for place in making.places}):
        making.grant(top, 0)
    rules = [Rule(path, rights, folder) for path, (rights, folder) in making.found.items()]
    rules += [Rule(path, DEVICE, folder=False) for path in DEVICES if ground.kind(path)]
    rules += [Rule(path, READ, folder=True) for path in FACTS if ground.kind(path) == "folder"]
    rules += [Rule(path, READ & OF_FILES, folder=False) for path in FACTS if ground.kind(path) == "file"]
    return Walls(tuple(rules), tuple(making.partly))


@record
class Place:
    """A path about which the profile says something, and the rights it leaves there."""

    path: str
    rights: int


class Making:
    """The rules so far."""

    def __init__(self, ground: Ground, places: tuple[Place, ...]) -> None:
        self.ground, self.places = ground, places
        self.found: dict[str, tuple[int, bool]] = {}
        self.partly: list[str] = []

    def rights(self, path: str) -> int:
        """What the profile leaves of a path: the last word about it counts."""
        return next((place.rights for place in reversed(self.places) if within(path, place.path)), 0)

    def grant(self, path: str, held: int) -> None:
        """Grant what may be done below a path, which has some rights already from a folder above.

        INVARIANT: a folder gets no right that anything below it must not have.
        """
        wanted = self.rights(path)
        below = {place.path for place in self.places if within(place.path, path) and place.path != path}
        common = wanted
        for place in below:
            common &= self.rights(place)
        self._rule(path, common & ~held)
        held |= common
        rest = wanted & ~held
        if not rest:
            for place in _tops(below):
                self.grant(place, held)
            return
        if rest & MAKE_REG:
            self.partly.append(path)
        for name in self.ground.names(path):
            child = f"{path.rstrip('/')}/{name}"
            if any(within(place, child) for place in below):
                self.grant(child, held)
            else:
                self._rule(child, rest)

    def _rule(self, path: str, rights: int) -> None:
        kind = self.ground.kind(path)
        rights &= ALL if kind == "folder" else OF_FILES
        if rights and kind in ("file", "folder"):
            self.found[path] = rights | self.found.get(path, (0, False))[0], kind == "folder"
        if len(self.found) > MOST_RULES:
            raise AssentError(
                f"too many files lie beside closed ones for Landlock: `{path}`", help="install bubblewrap"
            )


def _places(profile: Profile, ground: Ground) -> Iterator[Place]:
    for mount in profile.mounts:
        if mount.kind == "link":
            continue
        # INVARIANT: what is granted is taken as it was planned. A link that appeared since is not followed.
        yield Place(mount.path if mount.kind == "git" else mount.source or mount.path, _left(mount, ground))
        real = ground.real(mount.path)
        if mount.kind == "closed" and real != mount.path:
            yield Place(real, _left(mount, ground))


def _left(mount: Mount, ground: Ground) -> int:
    match mount.kind:
        case "read" | "git":  # no copy can stand in for a repository here
            return READ
        case "write":
            return WRITE
        case "closed":
            return 0 if mount.folder else READ_DIR  # that a name is listed shows nothing of a file
        case _:
            private = mount.path in PRIVATE or ground.kind(mount.path)
            return 0 if private else READ  # a folder that is not there, and must not be made


def _tops(paths: set[str]) -> Iterator[str]:
    """Those that are in no other."""
    last = ""
    for path in sorted(paths, key=lambda path: path.rstrip("/").split("/")):
        if not last or not within(path, last):
            last = path
            yield path
