"""What the machine is made of and how busy it is: processors, memory, buses, devices, load."""

from __future__ import annotations

from assent.commands.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

GRAPHICS_QUESTIONS = (
    "-L,--list-gpus -B,--list-excluded-gpus -i,--id= -l,--loop= -lms,--loop-ms= -q,--query -u,--unit -x,--xml-format"
    " --dtd -d,--display= -f,--filename=write --format= --query-gpu= --query-supported-clocks= --query-compute-apps="
    " --query-accounted-apps= --query-retired-pages= --query-remapped-rows= --help-query-gpu -h"
)
GRAPHICS_WATCH = Program("-i= -d= -c= -s= -o= -f=write -h", style="single")
GRAPHICS_SHOW = Program("-p -m -n -i= -c -s -e -ec -h", style="single")


def _recorded(args: Args) -> Iterator[Fact]:
    """`sar` shows what was recorded; `-o` records, into a file if a word behind it names one."""
    files = [word for word in args.operands if not (word.value or "").isdigit()]
    if args.has("-o") and not args.values("-o") and not files:
        yield args.effect("write", "/var/log/sysstat")
    for word in files:
        yield from args.file("write", word)


def _module_file(args: Args) -> Iterator[Fact]:
    """A module is named, or the file that holds it."""
    for word in args.operands:
        if word.value is None or "/" in word.value or ".ko" in word.value:
            yield from args.file("read", word)


PROGRAMS = {
    "nproc": Program("--all --ignore="),
    "lscpu": Program(
        "-a,--all -b,--online -B,--bytes -C,--caches[=] -c,--offline -J,--json -e,--extended[=] -p,--parse[=]"
        " -s,--sysroot=list -x,--hex -y,--physical --output-all -h -V"
    ),
    "lsmem": Program(
        "-a,--all -b,--bytes -J,--json -n,--noheadings -o,--output= --output-all -P,--pairs -r,--raw -S,--split="
        " -s,--sysroot=list --summary[=] -h -V"
    ),
    "lspci": Program("-v -vv -vvv -k -x -xxx -b -D -P -PP -n -nn -mm -m -t -s= -d= -i=read -p=read -M", style="single"),
    "lsusb": Program("-v,--verbose -s= -d= -D=read -t,--tree -V"),
    "lsmod": Program("-v,--verbose -s,--syslog"),
    "modinfo": Program(
        "-a,--author -d,--description -l,--license -p,--parameters -n,--filename -0,--null -F,--field= -k=",
        "text*",
        more=_module_file,
    ),
    "lshw": Program(
        "-short -html -xml -json -businfo -class= -C= -c= -disable= -enable= -quiet -sanitize -numeric -notime",
        style="single",
    ),
    "lsscsi": Program("-c -d -g -H -i -k -l -L -p -P -s -t -v -w"),
    "lsipc": Program("-m -M -q -Q -s -S -g -i= -c -e -J -l -n -o= -P -r -t -y -b"),
    "ipcs": Program("-i= -m -q -s -a -c -l -p -t -u -b --human -h"),
    "hwclock": Program("-r,--show --get -v,--verbose -u,--utc -l,--localtime"),
    "sensors": Program("-f,--fahrenheit -A,--no-adapter -u -j -v", "text*"),
    "iostat": Program(
        "-c -d -h -H -k -m -N -s -t -V -x -y -z --compact --dec= --human --pretty -g= -j= -o= -p[=] -U", "text*"
    ),
    "mpstat": Program("-A -H -n -u -T -V -I= -N= -o= -P= --dec=", "text*"),
    "pidstat": Program("-d -H -h -I -l -R -r -s -t -U -u -V -v -w -C= -G= -p= -T= --dec= --human", "text*"),
    "sar": Program(
        "-A -B -b -C -d -F -H -h -p -q -r -S -t -u -v -W -w -y -z -V -D -x -f=read -o[=]write -s= -e= -i= -I= -n="
        " -P= -m="
        " -j= --dec= --human --pretty --iface= --dev= --fs= --int=",
        "text*",
        more=_recorded,
    ),
    "nvidia-smi": Program(
        GRAPHICS_QUESTIONS,
        commands={"dmon": GRAPHICS_WATCH, "pmon": GRAPHICS_WATCH, "topo": GRAPHICS_SHOW},
        style="single bare",
    ),
    "acpi": Program(
        "-b,--battery -a,--ac-adapter -t,--thermal -c,--cooling -V,--everything -s,--show-empty -i,--details"
    ),
    "system_profiler": Program("-xml -json -listDataTypes -detailLevel= -timeout=", "text*", style="single"),
}

EXAMPLES = {
    "nproc --all": "note nproc",
    "lscpu -J": "note lscpu",
    "lsmem": "note lsmem",
    "lspci -nnk": "note lspci",
    "lspci -vv -s 00:02.0": "note lspci",
    "lspci -q": "note lspci | gap lspci: option -q is not known",
    "lsusb -t": "note lsusb",
    "lsmod": "note lsmod",
    "modinfo ext4": "note modinfo",
    "modinfo ../x.ko": "read ../x.ko",
    "lshw -short -C memory": "note lshw",
    "lsscsi": "note lsscsi",
    "lsipc": "note lsipc",
    "ipcs -m": "note ipcs",
    "hwclock --show": "note hwclock",
    "hwclock --systohc": "note hwclock | gap hwclock: option --systohc is not known",
    "sensors": "note sensors",
    "iostat -x 1 3": "note iostat",
    "mpstat -P ALL 1 1": "note mpstat",
    "pidstat 1 1": "note pidstat",
    "sar -u 1 3": "note sar",
    "sar -o out 1 3": "write out",
    "nvidia-smi": "note nvidia-smi",
    "nvidia-smi --query-gpu=name,memory.used --format=csv": "note nvidia-smi",
    "nvidia-smi -f out": "write out",
    "nvidia-smi dmon -c 1": "note nvidia-smi dmon",
    "nvidia-smi mig -dci": "run nvidia-smi mig #program | gap nvidia-smi: subcommand mig is not known",
    "nvidia-smi -r": "note nvidia-smi | gap nvidia-smi: option -r is not known",
    "acpi -b": "note acpi",
    "system_profiler SPHardwareDataType": "note system_profiler",
}
