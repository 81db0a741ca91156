"""A profile as the words of bubblewrap. Pure; starts nothing."""

from __future__ import annotations

from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from assent.sandbox.profile import Mount, Profile

ALONE = (
    *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
)
"""No other process, network, shared memory or terminal can be reached; no right is left and none can be won."""

KERNEL = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi")
"""Settings of the whole machine, which root may write even without any right: `core_pattern` names a program to run."""


@record
class Wiring:
    """What a start needs besides the profile: the program, an empty file nobody may open, and open descriptors."""

    program: str
    nothing: str
    filter: int = -1
    told: int = -1
    """Where the number of the first process is written."""
    wait: int = -1
    """Nothing runs before something can be read here."""
    drafts: tuple[tuple[str, str], ...] = ()
    """What stands in for the folder of each repository."""


def argv(profile: Profile, command: Sequence[str], wiring: Wiring) -> tuple[str, ...]:
    """Every word of the process to start."""
    words = [wiring.program, *ALONE]
    for name, descriptor in (("--seccomp", wiring.filter), ("--info-fd", wiring.told), ("--block-fd", wiring.wait)):
        words += [name, str(descriptor)] if descriptor >= 0 else []
    words += ["--dev", "/dev", "--proc", "/proc"]
    for path in KERNEL:
        words += ["--ro-bind-try", path, path]
    for mount in profile.mounts:
        words += _mounted(mount, wiring)
    words += ["--remount-ro", "/"]  # what is not there cannot be made either, instead of vanishing with the sandbox
    return (*words, "--chdir", profile.cwd, "--", *command)


def _mounted(mount: Mount, wiring: Wiring) -> Iterator[str]:
    match mount.kind:
        case "read":
            yield from ("--ro-bind", mount.source or mount.path, mount.path)
        case "write":
            yield from ("--bind", mount.source or mount.path, mount.path)
        case "git":
            draft = dict(wiring.drafts).get(mount.path)
            yield from ("--bind", draft, mount.path) if draft else ("--ro-bind", mount.path, mount.path)
        case "empty":
            yield from ("--perms", "0700", "--tmpfs", mount.path)
        case "link":
            yield from ("--symlink", mount.source, mount.path)
        case "closed":
            if mount.folder:
                yield from ("--perms", "0000", "--tmpfs", mount.path, "--remount-ro", mount.path)
            else:
                yield from ("--ro-bind", wiring.nothing, mount.path)
