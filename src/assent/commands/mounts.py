"""What of this machine a container gets: folders, sockets, devices and powers; no programs."""

from __future__ import annotations

from assent.commands.said import if_said
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

POWERS = ("--privileged", "--cap-add", "--device", "--device-cgroup-rule", "--volumes-from", "--rootfs")
"""Options with which a container may become as strong as the machine."""
ODDITIES = (
    *("--volume-driver", "--runtime", "--gpus", "--sysctl", "--cgroup-parent", "--storage-opt", "--log-driver"),
    *("--annotation", "--oom-score-adj"),
)
"""Options that give it something of the machine, and nobody knows how much."""
HOST_SPACES = ("--pid", "--ipc", "--uts", "--userns", "--network", "--cgroupns")
SHARED = ("host", "container:", "ns:")
HARMLESS_SECURITY = ("no-new-privileges",)
SOCKET_FOLDERS = frozenset(("/run", "/var/run", "/var", "/dev", "/proc", "/sys", "/run/containerd", "/run/podman"))
"""Folders with the sockets and devices through which the machine is ruled."""
COMPOSE_POWERS = (
    *("docker.sock", "podman.sock", "containerd.sock", "crio.sock", "privileged:true", "^privileged:", "cap_add:"),
    *("pid:host", "ipc:host", "userns_mode:host", "uts:host", "cgroup:host", "device_cgroup_rules:", "volumes_from:"),
    *("seccomp:unconfined", "seccomp=unconfined", "apparmor:unconfined", "apparmor=unconfined", "label:disable"),
    *("label=disable", "devices:-/dev", "devices:[/dev", "source:/target", "source:/read_only", "source:/bind"),
    *("\\u", "\\x"),
    *(f"{sign}{folder}:" for sign in "-[," for folder in ("/", "/var/run", "/run", "/proc", "/sys", "/dev")),
)
"""What files of compose say, without blanks and quotes, about a container that rules the machine; or may say, where
letters are written as numbers."""
NO_POWERS = ("privileged:false", "privileged:no")


def power(args: Args, by: str) -> Fact:
    """Rights beyond those of whoever starts it: asked about in every mode."""
    return args.effect("change", f"this machine, by {by}", "privilege")


def powers(args: Args) -> Iterator[Fact]:
    """Options of `run`, `create` and their kin that open the walls of a container."""
    for name in POWERS:
        if args.has(name):
            yield power(args, name)
    for name in ODDITIES:
        if args.has(name):
            yield args.gap(f"{name} gives the container power over this machine")
    for word in args.values("--security-opt"):
        if not (word.value or "").startswith(HARMLESS_SECURITY):
            yield power(args, "--security-opt")
    for name in HOST_SPACES:
        for word in args.values(name):
            if word.value is None or word.value.startswith(SHARED):
                why = f"{name} shares something of this machine or another container"
                yield replace(args.gap(why), about="stated")
                if name != "--network":
                    yield power(args, name)
    for word in args.values("-v"):
        yield from volume(args, word)
    for word in args.values("--mount"):
        yield from _mount(args, word)
    for word in args.values("--device"):
        yield from args.file("write", _head(word))


def composed(args: Args, files: tuple[str, ...]) -> Iterator[Fact]:
    """Files of the project may say the same."""
    yield from if_said(args, [power(args, "the files of the project")], files, *COMPOSE_POWERS, unless=NO_POWERS)


def _head(word: Word) -> Word:
    """The part of `source:target:options` that names something of this machine."""
    return word if word.value is None else Word(word.text, word.value.partition(":")[0])


def volume(args: Args, word: Word) -> Iterator[Fact]:
    """`source:target:options`; a source without a slash is the name of a volume."""
    source, colon, rest = (word.value or "").partition(":")
    if word.value is not None and (not colon or ("/" not in source and not source.startswith((".", "~")))):
        return
    options = rest.partition(":")[2].split(",")
    yield from _mounted(args, _head(word), writable="ro" not in options and "readonly" not in options)


def _mount(args: Args, word: Word) -> Iterator[Fact]:
    """`type=bind,source=DIR,target=DIR,readonly`; anything that is not written this plainly is a gap."""
    if word.value is None or '"' in word.value:
        yield args.gap(f"the mount is not known ({word.why or 'quotes'})", blind=True)
        return
    fields = dict(field.partition("=")[::2] for field in word.value.split(","))
    kind = fields.get("type", "volume")
    if kind == "bind":
        source = fields.get("source", fields.get("src", ""))
        only_read = any(fields.get(name) in ("", "true", "1") for name in ("readonly", "ro"))
        yield from _mounted(args, Word(word.text, source), writable=not only_read)
    elif kind not in ("volume", "tmpfs") or "volume-opt" in word.value:
        yield args.gap(f"the mount `{word.text}` is not understood")
        if "volume-opt" in word.value:
            yield power(args, "--mount")


def _mounted(args: Args, source: Word, *, writable: bool) -> Iterator[Fact]:
    yield from args.file("read", source, deep=True)
    if writable:
        yield from args.file("write", source, deep=True, code="mounted")
        yield replace(args.gap("the container may do anything with the folder it is given"), about="stated")
    path = (source.value or "").rstrip("/")
    if path.endswith((".sock", ".socket")) or path in SOCKET_FOLDERS:
        yield power(args, f"the socket {path}" if "." in path else path)
