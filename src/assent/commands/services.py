"""Services and what keeps them: starting, stopping, their logs, sessions, and settings of the whole machine."""

from __future__ import annotations

from assent.commands.args import GLOB_SIGNS
from assent.commands.config_files import SYSTEM_UNITS, USER_UNITS, kept
from assent.commands.program import Program, turns_off
from assent.commands.shown import shown_variables
from assent.commands.verb_codes import by_verb, codes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

SYSTEMCTL_ASKS = frozenset(
    """list-units list-automounts list-sockets list-timers list-paths is-active is-failed status show cat
    list-dependencies list-unit-files is-enabled get-default list-machines list-jobs is-system-running whoami
    help""".split()
)
SYSTEMCTL_GETS_OR_SETS = frozenset(
    "log-level log-target service-watchdogs service-log-level service-log-target".split()
)
SYSTEMCTL_CODES = codes_of(
    {
        "service.start": "start",
        "service.stop": "stop freeze",
        "service.restart": "restart try-restart reload reload-or-restart try-reload-or-restart thaw",
        "service.isolate": "isolate default rescue emergency",
        "service.enable": "enable reenable unmask link add-wants add-requires preset preset-all edit",
        "service.disable": "disable mask revert",
        "service.reload": "daemon-reload daemon-reexec reset-failed cancel",
        "service.change": "set-property bind mount-image set-default set-environment unset-environment"
        " import-environment log-level log-target service-watchdogs service-log-level service-log-target",
        "service.wipe": "clean",
        "process.kill": "kill",
        "system.halt.force": "halt poweroff reboot soft-reboot kexec exit switch-root suspend hibernate hybrid-sleep"
        " suspend-then-hibernate",
    }
)
SERVICE_ASKS = frozenset({"status"})
SERVICE_CODES = codes_of(
    {
        "service.start": "start",
        "service.stop": "stop",
        "service.restart": "restart reload force-reload try-restart condrestart --full-restart zap",
    }
)
LAUNCHCTL_ASKS = frozenset(
    """list print print-disabled print-cache getenv version managername managerpid manageruid blame error hostinfo
    resolveport help""".split()
)
LAUNCHCTL_CODES = codes_of(
    {
        "service.start": "start kickstart load bootstrap enable attach",
        "service.stop": "stop unload bootout disable remove",
        "service.change": "setenv unsetenv limit config",
        "process.kill": "kill",
        "system.halt.force": "reboot",
    }
)
ANALYSE_ASKS = frozenset(
    """time blame critical-chain plot dot dump unit-paths unit-files exit-status capability condition syscall-filter
    filesystems calendar timestamp timespan compare-versions""".split()
)
LOGIN_ASKS = frozenset(
    """list-sessions session-status show-session list-users user-status show-user list-seats seat-status
    show-seat""".split()
)
LOGIN_CODES = codes_of(
    {
        "session.change": "activate lock-session unlock-session lock-sessions unlock-sessions enable-linger"
        " disable-linger attach flush-devices",
        "process.kill": "terminate-session kill-session terminate-user kill-user terminate-seat",
    }
)
LOCALE_ASKS = frozenset(
    """status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts list-x11-keymap-variants
    list-x11-keymap-options""".split()
)
LOCALE_CODES = codes_of({"system.locale": "set-locale set-keymap set-x11-keymap"})
TIME_ASKS = frozenset("status show list-timezones timesync-status show-timesync".split())
TIME_CODES = codes_of({"system.clock": "set-time set-timezone set-local-rtc set-ntp ntp-servers revert"})
HOST_ASKS = frozenset({"status"})
HOST_VALUES = frozenset("hostname icon-name chassis deployment location".split())
HOST_CODES = codes_of(
    {
        "system.hostname": "hostname icon-name chassis deployment location set-hostname set-icon-name set-chassis"
        " set-deployment set-location"
    }
)
KEPT_CODES = ("service.enable", "service.disable", "service.change")
"""Codes of verbs that write into the folders in which units are found at the next start."""
NOT_KEPT = frozenset(
    """bind mount-image set-environment unset-environment import-environment log-level log-target service-watchdogs
    service-log-level service-log-target""".split()
)
VACUUMS = ("--vacuum-size", "--vacuum-files", "--vacuum-time")


@turns_off("-p -P")
def _systemctl(args: Args) -> Iterator[Fact]:
    """A verb, then units. Some verbs show a value, and set it when one more operand is given."""
    values = [word.value for word in args.operands]
    if values and values[0] in SYSTEMCTL_GETS_OR_SETS:
        shown = 2 if (values[0] or "").startswith("service-log") else 1
        if len(values) <= shown:
            return
    if values[:1] == ["show-environment"]:
        yield args.effect("note", "the environment of services", "environment")
        return
    if values[:1] == ["show"] and _shows_environment(args.values("-p", "-P")):
        yield args.effect("note", "the environment of services", "environment")
    if values[:1] == ["edit"]:
        yield args.effect("run", "an editor", "program")
        yield args.gap("what an editor changes is not known", blind=True)
    shown_units = " ".join(word.text for word in args.operands[1:]) or "the service manager"
    yield from by_verb(args, SYSTEMCTL_ASKS, SYSTEMCTL_CODES, shown_units)
    if values and SYSTEMCTL_CODES.get(values[0] or "") in KEPT_CODES and values[0] not in NOT_KEPT:
        yield from kept(args, "write", USER_UNITS if args.has("--user") else SYSTEM_UNITS)


def _shows_environment(properties: list[Word]) -> bool:
    """Whether `systemctl show` prints variables of a service: by name, or with all that it knows."""
    names = [name for word in properties for name in (word.value or "*").lower().split(",")]
    return not names or any(name == "environment" or not GLOB_SIGNS.isdisjoint(name) for name in names)


def _journal(args: Args) -> Iterator[Fact]:
    if args.has(*VACUUMS):
        yield args.effect("change", "the journal", "system.log.wipe")
    if args.has("--rotate", "--flush", "--sync", "--relinquish-var", "--smart-relinquish-var"):
        yield args.effect("change", "the journal", "system.log")


def _service(args: Args) -> Iterator[Fact]:
    """`service NAME VERB`; the script of a service may know verbs of its own."""
    if len(args.operands) == 1 and args.operands[0].value != "--status-all":
        yield args.gap("nothing says what to do")
    shown = args.operands[0].text if args.operands else ""
    if "/" in shown or (args.operands and args.operands[0].value is None):
        # The name is put behind a folder of scripts: `../../tmp/x` is any script.
        yield args.effect("run", shown, "script")
        yield args.gap(f"`{shown}` is no name of a service", blind=True)
    yield from by_verb(args, SERVICE_ASKS, SERVICE_CODES, shown, at=1)


def _launchctl(args: Args) -> Iterator[Fact]:
    """`getenv` prints a variable; `print` describes a service or all of them, with what they were given."""
    verb = args.operands[0].value if args.operands else ""
    if verb == "getenv":
        yield from shown_variables(args, args.operands[1:])
    elif verb == "print":
        yield args.effect("note", "the environment of services", "environment")
    yield from by_verb(args, LAUNCHCTL_ASKS, LAUNCHCTL_CODES, " ".join(word.text for word in args.operands[1:]))
    if verb in ("load", "bootstrap", "enable", "submit", "setenv", "config"):
        yield from kept(args, "write", "~/Library/LaunchAgents")
        for word in args.operands[1:]:
            yield from args.file("read", word) if (word.value or "").endswith(".plist") else ()


def _analyse(args: Args) -> Iterator[Fact]:
    values = [word.value for word in args.operands]
    if values[:1] in (["verify"], ["security"]):
        for word in args.operands[1:]:
            if word.value is None or "/" in word.value or values[0] == "verify":
                yield from args.file("read", word)
        yield args.gap("it loads units as the service manager would")
    else:
        yield from by_verb(args, ANALYSE_ASKS, {}, "")


def _sessions(args: Args) -> Iterator[Fact]:
    yield from by_verb(args, LOGIN_ASKS, LOGIN_CODES, "sessions of users")
    if args.operands and (args.operands[0].value or "").endswith("-linger"):
        yield from kept(args, "write", "/var/lib/systemd/linger")


def _locales(args: Args) -> Iterator[Fact]:
    yield from by_verb(args, LOCALE_ASKS, LOCALE_CODES, "the language of the machine")
    if args.operands and args.operands[0].value in LOCALE_CODES:
        yield from kept(args, "write", "/etc/locale.conf")


def _times(args: Args) -> Iterator[Fact]:
    yield from by_verb(args, TIME_ASKS, TIME_CODES, "the clock")
    if args.operands and args.operands[0].value in TIME_CODES:
        yield from kept(args, "write", "/etc/localtime")


def _host(args: Args) -> Iterator[Fact]:
    """`hostnamectl hostname` shows the name, one more operand sets it."""
    if len(args.operands) != 1 or args.operands[0].value not in HOST_VALUES:
        yield from by_verb(args, HOST_ASKS, HOST_CODES, "the name of the machine")
        if args.operands and args.operands[0].value in HOST_CODES:
            yield from kept(args, "write", "/etc/hostname")


SHOWING = "-a,--all -l,--full -n,--lines= -o,--output= -p,--property= -P= -q,--quiet --no-pager --value --json= -h"

PROGRAMS = {
    "systemctl": Program(
        f"{SHOWING} --system --user -t,--type= --state= --failed -r,--recursive --reverse --after --before"
        " --with-dependencies --job-mode= -T,--show-transaction --show-types --check-inhibitors= -i --kill-whom="
        " --kill-who= -s,--signal= --what= --now --dry-run --wait --no-block --no-wall --no-reload --legend="
        " --no-legend"
        " --no-ask-password --global --runtime -f,--force --preset-mode= --plain --timestamp= --read-only --mkdir"
        " --marked --message= --firmware-setup",
        "text*",
        more=_systemctl,
    ),
    "journalctl": Program(
        "--system --user -m,--merge -D,--directory=tree --file=read --namespace= -S,--since= -U,--until= -c,--cursor="
        " --after-cursor= --cursor-file=write -b,--boot[=] -u,--unit= --user-unit= -t,--identifier= -p,--priority="
        " --facility= -g,--grep= --case-sensitive[=] -k,--dmesg -o,--output= --output-fields= -n,--lines[=]"
        " -r,--reverse"
        " --show-cursor --utc -x,--catalog --no-hostname --no-full -l,--full -a,--all -f,--follow --no-tail -q,--quiet"
        " --no-pager -e,--pager-end -N,--fields -F,--field= --list-boots --disk-usage --vacuum-size= --vacuum-files="
        " --vacuum-time= --verify --sync --relinquish-var --smart-relinquish-var --flush --rotate --header"
        " --list-catalog --dump-catalog --truncate-newline -h -#",
        "text*",
        more=_journal,
    ),
    "service": Program(operands="text*", style="plain", more=_service),
    "rc-service": Program("-l,--list -e,--exists= -i,--ifexists -c,--ifcrashed -q,--quiet", "text*", more=_service),
    "launchctl": Program(operands="text*", style="plain", more=_launchctl),
    "systemd-analyze": Program(
        "--system --user --global --order --require --from-pattern= --to-pattern= --fuzz= --no-pager --json="
        " --iterations="
        " --base-time= -q,--quiet -h",
        "text*",
        more=_analyse,
    ),
    "systemd-detect-virt": Program("-c,--container -v,--vm -r,--chroot --private-users -q,--quiet --list"),
    "systemd-cgls": Program(
        "--no-pager -a,--all -l,--full -u,--unit[=] --user-unit[=] -k -x,--xattr= -c,--cgroup-id=", "text*"
    ),
    "systemd-escape": Program("--suffix= --template= --instance -p,--path -u,--unescape -m,--mangle", "text*"),
    "loginctl": Program(f"{SHOWING} --no-legend --no-ask-password --kill-whom= -s,--signal=", "text*", more=_sessions),
    "localectl": Program("--no-pager --no-ask-password --no-convert -l,--full -h", "text*", more=_locales),
    "timedatectl": Program(f"{SHOWING} --no-ask-password --adjust-system-clock --monitor", "text*", more=_times),
    "hostnamectl": Program("--no-ask-password --transient --static --pretty --json= -j -h", "text*", more=_host),
}

EXAMPLES = {
    "systemctl status nginx": "note systemctl",
    "systemctl --no-pager status nginx": "note systemctl",
    "systemctl list-units --type service": "note systemctl",
    "systemctl --failed": "note systemctl",
    "systemctl is-active unit --quiet": "note systemctl",
    "systemctl cat nginx": "note systemctl",
    "systemctl show -p MainPID nginx": "note systemctl",
    "systemctl show nginx": "note the environment of services #environment",
    "systemctl show nginx -p MainPID,Environment": "note the environment of services #environment",
    "systemctl list-timers --all": "note systemctl",
    "systemctl restart nginx": "change nginx #service.restart",
    "systemctl enable keyd --now": "change keyd #service.enable | write /etc/systemd/system",
    "systemctl --user start a.service": "change a.service #service.start",
    "systemctl stop nginx": "change nginx #service.stop",
    "systemctl mask nginx": "change nginx #service.disable | write /etc/systemd/system",
    "systemctl daemon-reload": "change the service manager #service.reload",
    "systemctl edit nginx": "run an editor #program | change nginx #service.enable | write /etc/systemd/system | blind"
    " systemctl: what an editor changes is not known",
    "systemctl reboot > out": "write out #redirect | change the service manager #system.halt.force",
    "systemctl isolate rescue.target": "change rescue.target #service.isolate",
    "systemctl log-level": "note systemctl",
    "systemctl log-level debug": "change debug #service.change",
    "systemctl kill nginx": "change nginx #process.kill",
    "systemctl clean nginx": "change nginx #service.wipe",
    "systemctl show-environment": "note the environment of services #environment",
    "systemctl -H example.com status": "run systemctl example.com #program | gap systemctl: option -H is not known"
    " | gap systemctl: subcommand example.com is not known",
    "systemctl frob": "run systemctl frob #program | gap systemctl: subcommand frob is not known",
    "systemctl $x nginx": "run systemctl $x #program | blind systemctl: a word is not known (variable x)"
    " | blind systemctl: subcommand $x is not known",
    "journalctl -u nginx -n 50 --no-pager": "note journalctl",
    "journalctl -xe": "note journalctl",
    "journalctl -b -1": "note journalctl",
    "journalctl --since '1 hour ago' -p err": "note journalctl",
    "journalctl --file=a": "read a",
    "journalctl --cursor-file=out": "write out",
    "journalctl --vacuum-time=2d > out": "write out #redirect | change the journal #system.log.wipe",
    "journalctl --rotate": "change the journal #system.log",
    "journalctl --frob": "note journalctl | gap journalctl: option --frob is not known",
    "service nginx status": "note service",
    "service nginx restart": "change nginx #service.restart",
    "service --status-all": "note service",
    "service nginx frob": "run service frob #program | gap service: subcommand frob is not known",
    "service nginx": "note service | gap service: nothing says what to do",
    "rc-service nginx restart": "change nginx #service.restart",
    "launchctl list": "note launchctl",
    "launchctl getenv PATH": "note launchctl",
    "launchctl getenv API_TOKEN": "note API_TOKEN #environment",
    "launchctl print system": "note the environment of services #environment",
    "launchctl load a.plist": "change a.plist #service.start | write ~/Library/LaunchAgents | read a.plist",
    "launchctl submit -l x -- ls": "run launchctl submit #program | write ~/Library/LaunchAgents | gap launchctl:"
    " subcommand submit is not known",
    "systemd-analyze blame": "note systemd-analyze",
    "systemd-analyze verify a.service": "read a.service"
    " | gap systemd-analyze: it loads units as the service manager would",
    "systemd-analyze frob": "run systemd-analyze frob #program | gap systemd-analyze: subcommand frob is not known",
    "systemd-detect-virt": "note systemd-detect-virt",
    "systemd-cgls --no-pager": "note systemd-cgls",
    "systemd-escape -p /tmp/a": "note systemd-escape",
    "loginctl list-sessions": "note loginctl",
    "loginctl terminate-user me": "change sessions of users #process.kill",
    "localectl status": "note localectl",
    "localectl set-locale LANG=C": "change the language of the machine #system.locale | write /etc/locale.conf",
    "timedatectl": "note timedatectl",
    "timedatectl set-time never": "change the clock #system.clock | write /etc/localtime",
    "hostnamectl": "note hostnamectl",
    "hostnamectl hostname": "note hostnamectl",
    "hostnamectl hostname new": "change the name of the machine #system.hostname | write /etc/hostname",
    "hostnamectl set-hostname new": "change the name of the machine #system.hostname | write /etc/hostname",
    "service ../../tmp/a status": "run ../../tmp/a #script | blind service: `../../tmp/a` is no name of a service",
    "systemd-analyze cat-config ../home/a": "run systemd-analyze cat-config #program"
    " | gap systemd-analyze: subcommand cat-config is not known",
    "systemctl help nginx": "note systemctl",
}
