"""What everybody on the machine may know: the names of files, and public files of the system.

Outside the project only this is read without a question. INVARIANT: whatever is not proven to be one of them asks.
"""

from __future__ import annotations

from assent import protected
from assent.policy.case import is_within
from assent.types import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case
    from assent.types import Effect

NAMERS = frozenset(
    """ls dir vdir exa eza lsd tree find fd fdfind du df stat test [ readlink realpath namei rg date getfacl echo printf
    basename dirname""".split()
)
"""Programs that tell no more of what they list than names, sizes, times, owners and where links lead."""
SPEAKING = NAMERS | frozenset(
    "cat head tail wc sort uniq cut tr grep egrep fgrep sed nl pwd true false : which whereis type".split()
)
"""With these, programs that state every file they open: in whichever folder they run, nothing else is read there."""
NAMED = ("", "names", "names.split")
"""Codes of listings that are no more than that."""
PUBLIC_TREES = tuple(
    f"/{place}/"
    for place in """usr/bin usr/sbin usr/include usr/share usr/lib usr/lib32 usr/lib64 usr/libx32 usr/libexec usr/src
    bin sbin lib lib32 lib64 libx32 etc/ssl/certs etc/ld.so.conf.d proc/sys/kernel proc/sys/vm proc/sys/fs proc/sys/net
    proc/pressure sys/class sys/block sys/devices sys/fs/cgroup sys/kernel/mm""".split()
)
PUBLIC_FILES = frozenset(
    f"/{place}"
    for place in """etc/os-release etc/lsb-release etc/debian_version etc/alpine-release etc/arch-release
    etc/redhat-release etc/fedora-release etc/centos-release etc/system-release etc/SuSE-release etc/issue etc/issue.net
    etc/motd etc/hostname etc/hosts etc/resolv.conf etc/nsswitch.conf etc/host.conf etc/gai.conf etc/protocols
    etc/services etc/networks etc/rpc etc/timezone etc/localtime etc/adjtime etc/locale.conf etc/locale.gen
    etc/locale.alias etc/default/locale etc/shells etc/login.defs etc/ld.so.conf etc/mime.types etc/magic etc/inputrc
    etc/ca-certificates.conf etc/manpath.config proc/cpuinfo proc/meminfo proc/version proc/version_signature
    proc/uptime proc/loadavg proc/filesystems proc/devices proc/stat proc/vmstat proc/diskstats proc/partitions
    proc/swaps proc/modules proc/misc proc/crypto proc/interrupts proc/softirqs proc/zoneinfo proc/buddyinfo
    proc/cgroups""".split()
)
"""By their names; whether everybody may really read such a file, the disk says.

A list, not a rule of thumb: what else lies in `/etc` may hold passwords, and `/proc/PID` what a process was told.
"""
CLOSED = protected.FLOOR + protected.SECRET + protected.OWN


def is_known_to_all(effect: Effect, case: Case) -> bool:
    """Whether an effect tells only what everybody on the machine may know."""
    at = effect.at
    if not isinstance(at, Place) or at.trouble or at.device:
        return False
    if effect.kind == "list":
        return _tells_names(effect, at, case)
    return effect.kind in ("read", "search") and not (effect.deep or at.folder) and _is_public(at, case)


def _is_public(place: Place, case: Case) -> bool:
    """One file by all its names: each stands in the list, or in the project, and the disk proves the rest."""
    for name in place.names:
        if protected.marks(name) & CLOSED or not (_is_listed(name) or any(is_within(name, p) for p in case.projects)):
            return False
    return case.public is not None and case.public(place.path)


def _is_listed(name: str) -> bool:
    name = name.removeprefix("/private")  # where macOS keeps `/etc`
    return name in PUBLIC_FILES or name.startswith(PUBLIC_TREES)


def _tells_names(effect: Effect, place: Place, case: Case) -> bool:
    """A listing without content; not of folders for credentials, in which the names are part of what is kept."""
    if effect.code not in NAMED or not (effect.code or _only_names(effect, case)):
        return False
    for name in place.names:
        marks = protected.marks(name)
        if marks & (protected.FLOOR + protected.OWN) or (place.folder and marks & protected.SECRET):
            return False
        if any(is_within(name, f"{home}/{folder}") for home in case.homes for folder in protected.HOME_FOLDERS):
            return False
    return not effect.deep or not _tells_of_the_floor(effect, place, case)


def _only_names(effect: Effect, case: Case) -> bool:
    if not effect.call:
        return not case.calls
    program = _program(case, effect.call)
    return program in NAMERS or (program == "cd" and _speak_for_themselves(case))


def _program(case: Case, number: int) -> str:
    program = case.calls[number - 1].program or ""
    return program[program.rfind("/") + 1 :]


def _speak_for_themselves(case: Case) -> bool:
    """Whether nothing that a line starts looks around in another folder without saying so: then `cd` tells a name."""
    numbers, here = range(1, len(case.calls) + 1), (case.call.cwd,)
    return all(
        _program(case, n) in SPEAKING or _program(case, n) == "cd" or case.calls[n - 1].cwds == here for n in numbers
    )


def _tells_of_the_floor(effect: Effect, place: Place, case: Case) -> bool:
    """A walk from above the credentials of home tells their names, unless it looks for others; so may one by links."""
    from assent.policy.restrain import NARROWED

    if effect.follows:
        return True
    closed = protected.holding(case.homes, case.moved)
    return NARROWED not in (effect.arguments or ()) and not closed.isdisjoint([n.rstrip("/") for n in place.names])
