"""Questions about the machine, its clock, its name and its users; a few of the programs can also set what they show.

Only programs that look at no variables but those of language and time.
"""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.shown import shown_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LOOKS_UP_HOSTS = frozenset("hosts ahosts ahostsv4 ahostsv6".split())
SECRET_DATABASES = {"shadow": "/etc/shadow", "gshadow": "/etc/gshadow"}


@turns_off("-j")
def _clock(args: Args) -> Iterator[Fact]:
    """`date +FORMAT` shows; any other operand is a time to set, except with the `-j` of BSD."""
    sets = args.has("-s")
    for word in args.operands:
        text = word.text.lstrip("\"'") if word.value is None else word.value
        sets = sets or not (text.startswith("+") or args.has("-j"))
    if sets:
        yield args.effect("change", "the clock", "system.clock")


def _host_name(args: Args) -> Iterator[Fact]:
    if args.operands or args.has("-F", "-b"):
        yield args.effect("change", "the name of the machine", "system.hostname")


def _logged_in(args: Args) -> Iterator[Fact]:
    """`who FILE` reads a file of logins; `who am i` asks about oneself."""
    if len(args.operands) == 1:
        yield from args.file("read", args.operands[0])


def _last_logins(args: Args) -> Iterator[Fact]:
    if args.has("-C", "-S"):
        yield args.effect("change", "the record of logins", "system.logins")


def _finger(args: Args) -> Iterator[Fact]:
    """`finger user@host` asks that machine."""
    for word in args.operands:
        if word.value is None:
            yield args.gap(f"whom it asks about is not known ({word.why})")
        elif "@" in word.value:
            host = word.value.rpartition("@")[2]
            yield from args.reach(f"https://{host}", shown=host)


def _database(args: Args) -> Iterator[Fact]:
    """`getent hosts NAME` asks the name servers, `getent shadow` reads hashed passwords."""
    if not args.operands:
        return
    name = args.operands[0].value
    if name in LOOKS_UP_HOSTS:
        for word in args.operands[1:]:
            yield from args.act("host", word)
    elif name in SECRET_DATABASES:
        yield args.effect("read", SECRET_DATABASES[name])
    elif name is None:
        yield args.gap("the database is not known")


def _kernel_settings(args: Args) -> Iterator[Fact]:
    """`sysctl NAME` asks, `NAME=VALUE` sets, `-p` sets what a file says."""
    if args.has("-w", "-p", "--system") or any(word.value is None or "=" in word.value for word in args.operands):
        yield args.effect("change", "settings of the kernel", "system.kernel")
    if args.has("-p"):
        for word in args.operands:
            yield from args.file("read", word)


def _kernel_messages(args: Args) -> Iterator[Fact]:
    if args.has("-c", "-C"):
        yield args.effect("change", "messages of the kernel", "system.log.wipe")
    if args.has("-D", "-E", "-n"):
        yield args.effect("change", "messages of the kernel", "system.log")
    if args.has("-H") and not args.has("-P"):
        yield args.gap("a pager may be started")


CALENDAR = Program(
    "-1,--one -3,--three -y,--year -Y,--twelve -j,--julian -h -e -o -p -b -M -N -C -n= -A= -B= -d= -H= --color[=]"
    " --iso --reform= -S,--span",
    "text*",
)
HOST_NAME = Program(
    "-a,--alias -A,--all-fqdns -b,--boot -d,--domain -f,--fqdn,--long -F,--file=read -i,--ip-address"
    " -I,--all-ip-addresses -s,--short -y,--yp,--nis -v,--verbose -V -h",
    "text?",
    more=_host_name,
)
LOGINS = Program(
    "-a,--hostlast -f,--file=read -F,--fulltimes -i,--ip -n,--limit= -R,--nohostname -s,--since= -t,--until="
    " -p,--present= -w,--fullnames -x,--system --time-format= -h -V -#",
    "text*",
)

PROGRAMS = {
    "date": Program(
        "-d,--date= --debug -f,--file=read -I,--iso-8601[=] --resolution -R,--rfc-email,--rfc-2822 --rfc-3339="
        " -r,--reference=list -s,--set= -u,--utc,--universal -j -n -v=",
        "text*",
        more=_clock,
    ),
    "cal": CALENDAR,
    "ncal": CALENDAR,
    "uname": Program(
        "-a,--all -s,--kernel-name -n,--nodename -r,--kernel-release -v,--kernel-version -m,--machine -p,--processor"
        " -i,--hardware-platform -o,--operating-system"
    ),
    "arch": Program(),
    "sw_vers": Program(
        "-productName -productVersion -buildVersion --productName --productVersion --buildVersion", style="single"
    ),
    "lsb_release": Program("-a,--all -c,--codename -d,--description -i,--id -r,--release -s,--short -v -h"),
    "hostname": HOST_NAME,
    "domainname": HOST_NAME,
    "dnsdomainname": Program("-v"),
    "hostid": Program(),
    "id": Program("-a -Z,--context -g,--group -G,--groups -n,--name -r,--real -u,--user -z,--zero -p -F", "text*"),
    "whoami": Program(),
    "who": Program(
        "-a,--all -b,--boot -d,--dead -H,--heading --ips -l,--login -m -p,--process -q,--count -r,--runlevel -s,--short"
        " -t,--time -T,-w,--mesg,--message,--writable -u,--users",
        "text*",
        more=_logged_in,
    ),
    "w": Program(
        "-h,--no-header -u,--no-current -s,--short -f,--from -o,--old-style -i,--ip-addr -p,--pids -V", "text*"
    ),
    "users": Program("", "read?"),
    "groups": Program("", "text*", style="plain", more=shown_words),
    "logname": Program(),
    "last": LOGINS,
    "lastb": LOGINS,
    "lastlog": Program("-b,--before= -C,--clear -h -S,--set -t,--time= -u,--user=", more=_last_logins),
    "finger": Program("-l -m -p -s", "text*", more=_finger),
    "getent": Program("-A,--no-addrconfig -i,--no-idn -V", "text*", more=_database),
    "locale": Program("-a,--all-locales -m,--charmaps -c,--category-name -k,--keyword-name -v,--verbose", "text*"),
    "getconf": Program("-a", "text*"),
    "sleep": Program(operands="text*", style="plain"),
    "usleep": Program(operands="text*", style="plain"),
    "uptime": Program("-p,--pretty -h -s,--since -V"),
    "free": Program(
        "-b,--bytes --kilo --mega --giga --tera --peta -k,--kibi -m,--mebi -g,--gibi --tebi --pebi -h,--human --si"
        " -l,--lohi -t,--total -v,--committed -s,--seconds= -c,--count= -w,--wide -L,--line -V"
    ),
    "vmstat": Program(
        "-a,--active -f,--forks -m,--slabs -n,--one-header -s,--stats -d,--disk -D,--disk-sum -p,--partition="
        " -S,--unit="
        " -w,--wide -t,--timestamp -y,--no-first -V",
        "text*",
    ),
    "vm_stat": Program("-c=", "text?"),
    "sysctl": Program(
        "-a,-A,-X,--all --deprecated -b,--binary -e,--ignore -N,--names -n,--values -p,-f,--load[=]read --system"
        " -r,--pattern= -q,--quiet -w,--write -o -x -d -h -V",
        "text*",
        more=_kernel_settings,
    ),
    "dmesg": Program(
        "-C,--clear -c,--read-clear -D,--console-off -E,--console-on -F,--file=read -f,--facility= -H,--human -J,--json"
        " -k,--kernel -L,--color[=] -l,--level= -n,--console-level= -P,--nopager -p,--force-prefix -r,--raw --noescape"
        " -S,--syslog -s,--buffer-size= -u,--userspace -w,--follow -W,--follow-new -x,--decode -d,--show-delta"
        " -e,--reltime -T,--ctime -t,--notime --time-format= --since= --until= -h -V",
        more=_kernel_messages,
    ),
}

EXAMPLES = {
    "date": "note date",
    "date +%Y-%m-%d": "note date",
    "date -u '+%H:%M'": "note date",
    "date -d @1267619929": "note date",
    "date -d '-1 days' +%F": "note date",
    "date -ud@0": "note date",
    "date -Iseconds": "note date",
    "date -r README.md": "list README.md",
    "date -f .env": "read .env",
    "date 99999999": "change the clock #system.clock",
    "date -s 'no time'": "change the clock #system.clock",
    "date --set=never": "change the clock #system.clock",
    'date "+$F"': "note date",
    'date "$x"': "change the clock #system.clock | blind date: a word is not known (variable x)",
    "date -j -f %Y 2020 +%s": "read %Y",
    "cal -3": "note cal",
    "ncal": "note ncal",
    "uname -a": "note uname",
    "arch": "note arch",
    "sw_vers -productVersion": "note sw_vers",
    "lsb_release -a": "note lsb_release",
    "hostname": "note hostname",
    "hostname -I": "note hostname",
    "hostname new > out": "write out #redirect | change the name of the machine #system.hostname",
    "hostname -F nothing": "read nothing | change the name of the machine #system.hostname",
    "domainname": "note domainname",
    "dnsdomainname": "note dnsdomainname",
    "hostid": "note hostid",
    "id -un": "note id",
    "whoami": "note whoami",
    "who": "note who",
    "who am i": "note who",
    "who a": "read a",
    "w -h": "note w",
    "users": "note users",
    "groups": "note groups",
    "logname": "note logname",
    "last -5": "note last",
    "last -n 5 -f a": "read a",
    "lastb": "note lastb",
    "lastlog": "note lastlog",
    "lastlog -C -u me": "change the record of logins #system.logins",
    "finger me": "note finger",
    "finger me@example.com": "reach example.com",
    "getent passwd me": "note getent",
    "getent hosts example.com": "reach example.com",
    "getent hosts $x": "reach $x | blind getent: a word is not known (variable x)"
    " | blind getent: host is not known (variable x)",
    "getent shadow": "read /etc/shadow",
    "locale -a": "note locale",
    "getconf PAGE_SIZE": "note getconf",
    "sleep 0.1": "note sleep",
    "sleep $x": "note sleep",
    "usleep 100": "note usleep",
    "uptime -p": "note uptime",
    "free -h": "note free",
    "vmstat 1 5": "note vmstat",
    "vm_stat": "note vm_stat",
    "sysctl -a": "note sysctl",
    "sysctl kern.ostype": "note sysctl",
    "sysctl -n hw.ncpu": "note sysctl",
    "sysctl -w no.such.key=1": "change settings of the kernel #system.kernel",
    "sysctl no.such.key=1": "change settings of the kernel #system.kernel",
    "sysctl -p > out": "write out #redirect | change settings of the kernel #system.kernel",
    "dmesg -T": "note dmesg",
    "dmesg -c > out": "write out #redirect | change messages of the kernel #system.log.wipe",
    "dmesg -n 1 > out": "write out #redirect | change messages of the kernel #system.log",
    "dmesg -H": "note dmesg | gap dmesg: a pager may be started",
    "sysctl -p nothing": "change settings of the kernel #system.kernel | read nothing",
    "groups $(whoami)": "note whoami | note groups",
    "getent passwd $(whoami)": "note whoami | note getent",
}
