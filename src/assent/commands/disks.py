"""Disks and file systems: how full they are, where they are mounted, and raw copies of bytes (dd, shred)."""

from __future__ import annotations

from assent.commands.args import mention
from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SETTINGS = frozenset("bs ibs obs cbs count skip seek iseek oseek conv iflag oflag status".split())
ARITHMETIC = "arithmetic"
TREES = frozenset({"bind", "rbind", "move"})
LAYERS = ("lowerdir", "lowerdir+", "datadir+", "upperdir")


def _copying_bytes(args: Args) -> Iterator[Fact]:
    """`dd`: every word is `name=value`."""
    for word in args.operands:
        name, equals, value = (word.text if word.value is None else word.value).partition("=")
        known = word.value is not None
        if name in SETTINGS and equals and (not word.many or word.why == ARITHMETIC):
            continue
        if name in ("if", "of") and equals and known:
            yield from args.act("read" if name == "if" else "write", Word(word.text, value))
        elif known:
            yield args.gap(f"`{word.text}` is not understood")
        else:
            yield args.gap(f"a word is not known ({word.why})", blind=True)


def _shredding(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.file("write", word, code="file.wipe")
        if args.has("-u", "--remove"):
            yield from args.file("delete", word, code="file.wipe")
            yield from _wiped_name(args, word)


def _wiped_name(args: Args, word: Word) -> Iterator[Fact]:
    """Before a file is removed its name is overwritten too: it is called `0000` for a moment."""
    if word.value:
        folder, slash, name = word.value.rpartition("/")
        for fact in args.file("write", Word(word.text, f"{folder}{slash}{'0' * len(name)}")):
            yield mention(fact)


@turns_off("-o -f")
def _mounting(args: Args) -> Iterator[Fact]:
    """`mount` without operands shows what is mounted."""
    changes = args.operands or args.has("-a", "-B", "-M", "-R", "-o", "-L", "-U")
    if changes:
        shown = " ".join(word.text for word in args.operands)
        yield args.effect("change", shown or "file systems", "disk.mount")
        yield from _mounted_again(args)


def _mounted_again(args: Args) -> Iterator[Fact]:
    """A folder that has another name afterwards, by which everything in it can be read."""
    told = [word.value for word in args.values("-o")]
    settings = [setting for text in told for setting in (text or "bind").split(",")]
    if args.has("-B", "-M", "-R") or not TREES.isdisjoint(settings):
        for word in args.operands:
            yield from args.act("tree", word)
    elif len(args.operands) > 1 and not (args.operands[0].value or "").startswith("/dev/"):
        yield from args.act("read", args.operands[0])  # a file that holds a disk
    if args.operands and not args.has("-f") and "remount" not in settings:
        yield from args.act("into", args.operands[-1])  # what lay there is hidden by what is mounted
    for setting in settings:
        name, _, folders = setting.partition("=")
        for folder in folders.split(":") if name in LAYERS else ():
            yield from args.act("tree", Word(folder, folder))


PROGRAMS = {
    "df": Program(
        "-a,--all -B,--block-size= -h,--human-readable -H,--si -i,--inodes -k -l,--local -m --no-sync --output[=]"
        " -P,--portability --sync --total -t,--type= -T,--print-type -x,--exclude-type= -v",
        "list*",
        style="lists",
    ),
    "lsblk": Program(
        "-A,--noempty -D,--discard -E,--dedup= -I,--include= -J,--json -M,--merge -O,--output-all -P,--pairs -S,--scsi"
        " -N,--nvme -T,--tree[=] -a,--all -b,--bytes -d,--nodeps -e,--exclude= -f,--fs -i,--ascii -l,--list -m,--perms"
        " -n,--noheadings -o,--output= -p,--paths -r,--raw -s,--inverse -t,--topology -w,--width= -x,--sort= -y,--shell"
        " -z,--zoned -h -V",
        "list*",
    ),
    "findmnt": Program(
        "-s,--fstab -m,--mtab -k,--kernel -A,--all -a,--ascii -b,--bytes -C,--nocanonicalize -c,--canonicalize -D,--df"
        " -d,--direction= -e,--evaluate -F,--tab-file=read -f,--first-only -i,--invert -J,--json -l,--list -N,--task="
        " -n,--noheadings -O,--options= -o,--output= --output-all -P,--pairs --pseudo --shadowed -R,--submounts"
        " -r,--raw --real -S,--source= -T,--target=list --tree -M,--mountpoint=list -t,--types= -U,--uniq"
        " -u,--notruncate -v,--nofsroot -y,--shell -x,--verify --verbose --vfs-all -h -V",
        "list*",
    ),
    "mount": Program(
        "-a,--all -B,--bind -c,--no-canonicalize -F,--fork -f,--fake -i,--internal-only -L,--label= -l,--show-labels"
        " -M,--move -n,--no-mtab -O,--test-opts= -o,--options= -R,--rbind -r,--read-only -T,--fstab=read -t,--types="
        " -U,--uuid= -v,--verbose -w,--rw,--read-write -h -V",
        "text*",
        more=_mounting,
    ),
    "umount": Program(
        "-a,--all -A,--all-targets -c,--no-canonicalize -d,--detach-loop --fake -f,--force -i,--internal-only -l,--lazy"
        " -n,--no-mtab -O,--test-opts= -q,--quiet -R,--recursive -r,--read-only -t,--types= -v,--verbose -h -V",
        "write*",
        does=(("change", "mounted file systems", "disk.umount"),),
    ),
    "sync": Program("-d,--data -f,--file-system", "list*"),
    "dd": Program("", "text*", more=_copying_bytes, style="plain"),
    "shred": Program(
        "-f,--force -n,--iterations= --random-source=read -s,--size= -u --remove[=] -v,--verbose -x,--exact -z,--zero",
        "text*",
        more=_shredding,
    ),
}

EXAMPLES = {
    "df -h": "note df",
    "df -hT .": "list .",
    "df --output=source,pcent docs": "list docs",
    "lsblk -o NAME,SIZE,MOUNTPOINT": "note lsblk",
    "findmnt -T docs": "list docs",
    "mount": "note mount",
    "mount -t tmpfs": "note mount",
    "mount --bind a b": "change a b #disk.mount | read a/** | read b/** | write b/**",
    "mount -o ro,rbind a b": "change a b #disk.mount | read a/** | read b/** | write b/**",
    "mount -o $x a b": "change a b #disk.mount | read a/** | read b/** | write b/** | blind mount: a word is not"
    " known (variable x)",
    "mount -t overlay -o lowerdir=a:b x c": "change x c #disk.mount | read x | write c/** | read a/** | read b/**",
    "mount -o loop a.img b": "change a.img b #disk.mount | read a.img | write b/**",
    "mount -o remount,rw /": "change / #disk.mount",
    "mount -a": "change file systems #disk.mount",
    "umount -l docs": "change mounted file systems #disk.umount | write docs",
    "sync": "note sync",
    "dd if=a of=b bs=1M count=1 status=none": "read a | write b",
    "dd if=/dev/zero of=b bs=1k count=4": "write b",
    "dd bs=$((2*4)) count=1": "note dd",
    "dd of=$X": "note dd | blind dd: a word is not known (variable X)",
    "dd frob=1": "note dd | gap dd: `frob=1` is not understood",
    "shred -vfz -n 3 a": "write a #file.wipe",
    "shred -u a": "write a #file.wipe | delete a #file.wipe | maybe write 0",
    "df -P $x": "list //**",
}
