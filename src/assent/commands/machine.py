"""The whole machine: halting it, its kernel modules, swap, disks made new, and defaults for everybody."""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, changes, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

WIPE = "disk.wipe"
SHOWS_PARTITIONS: frozenset[str | None] = frozenset("-l --list -x --list-details -d --dump -J --json --getsz".split())


def _halting(args: Args) -> Iterator[Fact]:
    """`shutdown -c` takes a planned one back, `--show` shows it."""
    values = [word.value for word in args.operands]
    if values == ["--show"]:
        return
    cancels = values == ["-c"]
    yield args.effect("change", "the machine", "system.halt.cancel" if cancels else "system.halt.force")


def _formatting(args: Args) -> Iterator[Fact]:
    """Everything on a disk, a partition or a file that stands for one is lost."""
    named = [word for word in args.operands if not (word.value or "x").startswith("-")]
    for at, word in enumerate(named):
        if word.value is None or "/" in word.value or at + 1 == len(named):
            yield from args.file("write", word, code=WIPE)
    yield args.effect("change", " ".join(word.text for word in named) or "a disk", WIPE)


def _partitions(args: Args) -> Iterator[Fact]:
    """`-l` lists partitions; with any option that is not known to show something they are changed."""
    options = [word.value for word in args.operands if (word.value or "-?").startswith("-")]
    if options and SHOWS_PARTITIONS.issuperset(options):
        for word in args.operands:
            if word.value not in options:
                yield from args.file("list", word)
    else:
        yield from _formatting(args)


def _parted(args: Args) -> Iterator[Fact]:
    """`parted -l`, `parted DISK print`: everything else writes."""
    values = [word.value for word in args.operands if word.value not in ("-s", "-m", "--script", "--machine")]
    if values in (["-l"], ["--list"], ["-v"]):
        return
    if len(values) >= 2 and values[1] == "print" and set(values[2:]) <= {"free", "all", "devices", "list"}:
        for word in args.operands:
            if word.value == values[0]:
                yield from args.file("list", word)
    else:
        yield from _formatting(args)


@turns_off("-a -o")
def _erasing(args: Args) -> Iterator[Fact]:
    """`wipefs DISK` shows signatures; `-a` and `-o` erase them."""
    if args.has("-n") or not args.has("-a", "-o"):
        for word in args.operands:
            yield from args.file("list", word)
    else:
        yield from _formatting(args)


def _device_cache(args: Args) -> Iterator[Fact]:
    if args.has("-g"):
        yield args.effect("change", "what is remembered about disks", "system.cache")


@turns_off("-n -c -D")
def _module(args: Args) -> Iterator[Fact]:
    if not args.has("-n", "-c", "-D"):
        yield args.effect("change", " ".join(word.text for word in args.operands) or "modules", "system.module")


def _swap(args: Args) -> Iterator[Fact]:
    if args.operands or args.has("-a", "-L", "-U"):
        yield args.effect("change", "swap space", "system.swap")
    for word in args.operands:
        if not (word.value or "").startswith("/dev/"):
            yield from args.file("write", word)


def _alternatives(args: Args) -> Iterator[Fact]:
    values = [word.value or "" for word in args.operands]
    asks = bool(values) and values[0] in ("--list", "--display", "--query", "--get-selections")
    if not asks:
        yield args.effect("change", " ".join(values[1:]) or "default programs", "system.defaults")
        yield from kept(args, "write", "/etc/alternatives")


def _loop_devices(args: Args) -> Iterator[Fact]:
    if args.operands or args.has("-f", "-d", "-D", "-c"):
        yield args.effect("change", "disks made of files", "system.mount")
    for word in args.operands:  # the file behind a device can be read and written through that
        if not (word.value or "").startswith("/dev/"):
            yield from args.file("read", word)
            yield from args.file("write", word)


HALT = Program(operands="text*", style="plain", more=_halting)
FORMAT = Program(operands="text*", style="plain", more=_formatting)
PARTITIONS = Program(operands="text*", style="plain", more=_partitions)
LOCALE = Program(
    operands="text*", style="plain", does=changes("system.locale", "languages of the machine", "/etc/locale.gen")
)
ALTERNATIVES = Program(operands="text*", style="plain", more=_alternatives)

PROGRAMS = {
    **dict.fromkeys("shutdown reboot halt poweroff init telinit".split(), HALT),
    **dict.fromkeys(
        """mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs
        mke2fs mkswap blkdiscard""".split(),
        FORMAT,
    ),
    "fdisk": PARTITIONS,
    "sfdisk": PARTITIONS,
    "gdisk": PARTITIONS,
    "cfdisk": FORMAT,
    "sgdisk": FORMAT,
    "parted": Program(operands="text*", style="plain", more=_parted),
    "wipefs": Program(
        "-a,--all -o,--offset= -f,--force -n,--no-act -q,--quiet -t,--types= -i,--noheadings -p,--parsable -J,--json"
        " -O,--output=",
        "text*",
        more=_erasing,
    ),
    "blkid": Program(
        "-o,--output= -s,--match-tag= -t,--match-token= -p,--probe -k -L= -U= -l -i,--info -g,--garbage-collect",
        "list*",
        more=_device_cache,
    ),
    "modprobe": Program(
        "-a,--all -r,--remove -f,--force -v,--verbose -q,--quiet -n,--dry-run,--show -c,--showconfig -D,--show-depends"
        " -b,--use-blacklist -i,--ignore-install -s",
        "text*",
        more=_module,
    ),
    "insmod": Program("-f -s -v", "read text*", does=changes("system.module", "modules of the kernel")),
    "rmmod": Program("-f,--force -s -v,--verbose -w", "text*", does=changes("system.module", "modules of the kernel")),
    "depmod": Program("-a -A -n -v", "text*", does=changes("system.module", "modules of the kernel")),
    "swapon": Program(
        "-a,--all -s,--summary --show[=] --noheadings --raw --bytes -v,--verbose -p,--priority= -e -f -d[=] -o= -L="
        " -U=",
        "text*",
        more=_swap,
    ),
    "swapoff": Program("-a,--all -v,--verbose -L= -U=", "text*", does=changes("system.swap", "swap space")),
    "losetup": Program(
        "-a,--all -l,--list -f,--find -d,--detach= -D,--detach-all -c= -o= -P -r --show -n -O= -j= -J",
        "text*",
        more=_loop_devices,
    ),
    "locale-gen": LOCALE,
    "update-locale": LOCALE,
    "dpkg-reconfigure": Program(
        operands="text*", style="plain", does=changes("pkg.settings", "settings of packages", "/etc/debconf.conf")
    ),
    "update-alternatives": ALTERNATIVES,
    "alternatives": ALTERNATIVES,
}

EXAMPLES = {
    "shutdown -h now > out": "write out #redirect | change the machine #system.halt.force",
    "shutdown -c > out": "write out #redirect | change the machine #system.halt.cancel",
    "reboot > out": "write out #redirect | change the machine #system.halt.force",
    "halt > out": "write out #redirect | change the machine #system.halt.force",
    "poweroff > out": "write out #redirect | change the machine #system.halt.force",
    "init 0 > out": "write out #redirect | change the machine #system.halt.force",
    "telinit 6 > out": "write out #redirect | change the machine #system.halt.force",
    "mkfs -t ext4 /dev/nothing": "write /dev/nothing #disk.wipe | change ext4 /dev/nothing #disk.wipe",
    "mkfs.ext2 /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.ext3 /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.ext4 -F /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.xfs /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.btrfs /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.vfat /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.fat /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.ntfs /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.exfat /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkfs.f2fs /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mke2fs /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "mkswap /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "blkdiscard /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "fdisk -l": "note fdisk",
    "fdisk -l /dev/nothing": "list /dev/nothing",
    "fdisk /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "sfdisk --dump /dev/nothing": "list /dev/nothing",
    "sfdisk /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "gdisk -l /dev/nothing": "list /dev/nothing",
    "cfdisk /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "sgdisk -Z /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "parted -l": "note parted",
    "parted /dev/nothing print": "list /dev/nothing",
    "parted -s /dev/nothing mklabel gpt": "write /dev/nothing #disk.wipe | write gpt #disk.wipe"
    " | change /dev/nothing mklabel gpt #disk.wipe",
    "wipefs /dev/nothing": "list /dev/nothing",
    "wipefs -a /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
    "blkid": "note blkid",
    "blkid -g": "change what is remembered about disks #system.cache",
    "modprobe nothing > out": "write out #redirect | change nothing #system.module",
    "modprobe -n nothing": "note modprobe",
    "insmod a": "change modules of the kernel #system.module | read a",
    "rmmod nothing": "change modules of the kernel #system.module",
    "depmod > out": "write out #redirect | change modules of the kernel #system.module",
    "swapon --show": "note swapon",
    "swapon /dev/nothing": "change swap space #system.swap",
    "swapoff -a > out": "write out #redirect | change swap space #system.swap",
    "losetup -a": "note losetup",
    "losetup -f a > out": "write out #redirect | change disks made of files #system.mount | read a | write a",
    "locale-gen > out": "write out #redirect | change languages of the machine #system.locale | write /etc/locale.gen",
    "update-locale LANG=C > out": "write out #redirect | change languages of the machine #system.locale | write"
    " /etc/locale.gen",
    "dpkg-reconfigure tzdata > out": "write out #redirect | change settings of packages #pkg.settings | write"
    " /etc/debconf.conf",
    "update-alternatives --display editor": "note update-alternatives",
    "update-alternatives --set editor /bin/ed > out": "write out #redirect | change editor /bin/ed #system.defaults |"
    " write /etc/alternatives",
    "alternatives --display editor": "note alternatives",
    "sfdisk -l --delete /dev/nothing": "write /dev/nothing #disk.wipe | change /dev/nothing #disk.wipe",
}
