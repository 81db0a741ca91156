"""Programs that start another one which nobody follows: tracers, other roots and namespaces, schedulers."""

from __future__ import annotations

from assent.commands.config_files import CRONTABS, kept
from assent.commands.program import Program, changes, turns_off
from assent.commands.projects import spelled
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

NOT_FOLLOWED = "what it starts is not followed"
SPACES = "-m,--mount[=] -u,--uts[=] -i,--ipc[=] -n,--net[=] -p,--pid[=] -U,--user[=] -C,--cgroup[=] -T,--time[=]"
LIMITS = (
    "-c,--core[=] -d,--data[=] -e,--nice[=] -f,--fsize[=] -i,--sigpending[=] -l,--memlock[=] -m,--rss[=] -n,--nofile[=]"
    " -q,--msgqueue[=] -r,--rtprio[=] -s,--stack[=] -t,--cpu[=] -u,--nproc[=] -v,--as[=] -x,--locks[=] -y,--rttime[=]"
)


def starting(args: Args) -> Iterator[Fact]:
    """The operands are a command, behind options of its own if it has any; without one most start a shell."""
    at = next((at for at, word in enumerate(args.operands) if not (word.value or "").startswith("-")), None)
    if at is not None:
        yield args.effect("run", spelled(args.operands[at:]), "program")
    else:
        yield args.effect("run", "a program" if args.operands else "a shell", "program")
    yield args.gap(NOT_FOLLOWED, blind=True)


@turns_off("-p")
def _tracing(args: Args) -> Iterator[Fact]:
    """`strace PROGRAM`, or `-p PID` to look at one that runs already."""
    if args.operands or not args.has("-p"):
        yield from starting(args)
    for word in args.values("-p"):
        yield args.effect("change", f"process {word.text}", "process.trace")
    for word in args.values("-o"):
        pipes = (word.value or "").startswith(("|", "!"))
        yield from args.act("code" if pipes else "write", word)


def _behind_the_first(args: Args) -> Iterator[Fact]:
    """`chroot FOLDER COMMAND`, `setarch KIND COMMAND`."""
    args.operands = args.operands[1:]
    yield from starting(args)


def _limited(args: Args) -> Iterator[Fact]:
    """`prlimit` and `choom` ask about a process, change it, or start one."""
    sets = any(args.values(name) for name in args.given if name not in ("-p", "-o"))
    if args.operands:
        yield from starting(args)
    elif sets:
        yield args.effect("change", f"process {args.text('-p') or 'of its own'}", "process.limits")


@turns_off("-d")
def _privileged(args: Args) -> Iterator[Fact]:
    if not args.has("-d"):
        yield from starting(args)


@turns_off("-I -O -B")
def _recording(args: Args) -> Iterator[Fact]:
    """`script` writes all that a shell or the text of `-c` prints into a file."""
    logs = args.has("-I", "-O", "-B")
    for word in args.operands or ([] if logs else [Word("typescript", "typescript")]):
        yield from args.file("write", word)
    yield from text_run(args, "-c")
    if not args.has("-c"):
        yield args.effect("run", "a shell", "program")
    yield args.gap(NOT_FOLLOWED, blind=True)


def text_run(args: Args, *options: str) -> Iterator[Fact]:
    """Texts that a shell runs, given as values of options."""
    for word in args.values(*options):
        yield args.effect("run", word.value if word.value is not None else word.text, "inline")
        if word.value is None:
            yield args.gap(f"what it runs is not known ({word.why})", blind=True)


def _nix_shell(args: Args) -> Iterator[Fact]:
    """Builds what a file of the project describes, then runs a command or a shell in it."""
    yield from args.project(args.name, ("shell.nix", "default.nix"))
    yield from text_run(args, "--run", "--command")
    if not args.has("--run", "--command"):
        yield args.effect("run", "a shell", "program")
    yield args.effect("reach", "where packages come from", "pkg.install")
    yield args.gap(NOT_FOLLOWED, blind=True)


def _awake(args: Args) -> Iterator[Fact]:
    """`caffeinate` alone only keeps the machine awake."""
    if args.operands:
        yield from starting(args)


@turns_off("-")
def _expecting(args: Args) -> Iterator[Fact]:
    for word in args.operands[:1]:
        yield from args.act("script", word)
    if not args.has("-c") and not args.operands:
        yield args.effect("run", "expect code", "inline")
    yield args.gap("what its script starts is not followed", blind=True)


@turns_off("-l -c -d -r")
def _scheduling(args: Args) -> Iterator[Fact]:
    """`at TIME` and `batch` read a script that runs later; some options only look at or drop jobs."""
    if args.has("-c"):
        yield args.effect("note", "the environment of a job", "environment")
    if args.has("-l", "-c"):
        return
    if args.has("-d", "-r"):
        yield args.effect("change", "scheduled commands", "schedule.remove")
        yield from kept(args, "write", AT_JOBS)
        return
    yield args.effect("change", "scheduled commands", "schedule.add")
    yield from kept(args, "write", AT_JOBS)
    yield args.effect("run", "a script, later", "inline")
    yield args.gap("what will run is not known", blind=True)


@turns_off("-l -r -T")
def _cron_table(args: Args) -> Iterator[Fact]:
    """`crontab -l` shows, `-r` drops, `-e` edits, a file replaces what runs regularly."""
    if args.operands or args.has("-e", "-r") or not args.has("-l", "-T"):
        yield from kept(args, "write", CRONTABS)
    if args.has("-r"):
        yield args.effect("change", "regular commands", "schedule.wipe")
    if args.has("-e"):
        yield args.effect("run", "an editor", "program")
        yield args.gap("what an editor changes is not known", blind=True)
    if args.operands or args.has("-e") or not args.has("-l", "-r", "-T"):
        yield args.effect("change", "regular commands", "schedule.add")
        yield replace(args.effect("run", "commands, regularly", "inline"), arguments={"source": None})


AT_JOBS = "/var/spool/cron/atjobs"
STARTS = Program(operands="text*", style="plain", more=starting)
AT = Program("-l -c -d -r -b -m -M -v -V -f=script -q= -t=", "text*", more=_scheduling)

PROGRAMS = {
    "strace": Program(
        "-A -c,--summary-only -C,--summary -d -D -f,--follow-forks -h -i -k -n -q -r -t -T -v -w -x -y -z -Z -I="
        " -b= -e= -E= -O= -S= -U= -a= -o,--output= -s,--string-limit= -X= -P= -p,--attach= -u,--user= --trace= --env=",
        "text*",
        style="posix",
        more=_tracing,
    ),
    "ltrace": Program(
        "-c -C -f -h -i -L -r -S -t -T -V -a= -A= -D= -e= -l= -n= -o= -p= -s= -u= -w= -x=",
        "text*",
        style="posix",
        more=_tracing,
    ),
    "script": Program(
        "-I,--log-in=write -O,--log-out=write -B,--log-io=write -T,--log-timing=write -m,--logging-format= -a,--append"
        " -c,--command= -e,--return -f,--flush --force -E,--echo= -o,--output-limit= -q,--quiet",
        "text*",
        more=_recording,
    ),
    "unshare": Program(
        f"{SPACES} -f,--fork --map-user= --map-group= -r,--map-root-user -c,--map-current-user --map-auto --map-users="
        " --map-groups= --kill-child[=] --mount-proc[=] --propagation= --setgroups= --keep-caps -R,--root= -w,--wd="
        " -S,--setuid= -G,--setgid= --monotonic= --boottime=",
        "text*",
        style="posix",
        more=starting,
    ),
    "nsenter": Program(
        f"-a,--all -t,--target= {SPACES} -S,--setuid= -G,--setgid= --preserve-credentials -r,--root[=] -w,--wd[=]"
        " -W,--wdns= -F,--no-fork -Z,--follow-context",
        "text*",
        style="posix",
        does=changes("privilege", "the namespaces of another process"),
        more=starting,
    ),
    "chroot": Program("--groups= --userspec= --skip-chdir", "text*", style="posix", more=_behind_the_first),
    "setarch": Program(operands="text*", style="plain", more=_behind_the_first),
    "linux32": STARTS,
    "linux64": STARTS,
    "prlimit": Program(
        f"{LIMITS} -p,--pid= -o,--output= --noheadings --raw --verbose", "text*", style="posix", more=_limited
    ),
    "choom": Program("-n,--adjust= -p,--pid=", "text*", style="posix", more=_limited),
    "setpriv": Program(
        "-d,--dump --nnp,--no-new-privs --ambient-caps= --inh-caps= --bounding-set= --ruid= --euid= --rgid= --egid="
        " --reuid= --regid= --clear-groups --keep-groups --init-groups --groups= --securebits= --pdeathsig="
        " --selinux-label= --apparmor-profile= --reset-env",
        "text*",
        style="posix",
        more=_privileged,
    ),
    "start-stop-daemon": STARTS,
    "systemd-run": STARTS,
    "bwrap": STARTS,
    "firejail": STARTS,
    "caffeinate": Program("-d -i -m -s -u -t= -w=", "text*", style="posix", more=_awake),
    "nix-shell": Program(
        "--run= --command= -p,--packages --pure --impure --keep= -A,--attr= -I=choice -E,--expr= -Q"
        " --no-build-output -v -q",
        "text*",
        more=_nix_shell,
    ),
    "ld-linux-x86-64.so.2": STARTS,
    "ld-linux-aarch64.so.1": STARTS,
    "ld-linux.so.2": STARTS,
    "fakeroot": Program(
        "-l,--lib=run -f,--faked=run -i=read -s=write -u -b,--fd-base=", "text*", style="posix", more=starting
    ),
    "parallel": STARTS,
    "dbus-run-session": STARTS,
    "xvfb-run": STARTS,
    "expect": Program("-c=code -d -f=script -b -i -n -N -v -", "text*", style="posix", more=_expecting),
    "at": AT,
    "batch": AT,
    "atq": Program("-q= -V"),
    "atrm": Program("-V", "text*", does=changes("schedule.remove", "scheduled commands", AT_JOBS)),
    "crontab": Program("-l -r -e -i -s -T=read -u=", "read?", more=_cron_table),
}

EXAMPLES = {
    "at -c 1": "note the environment of a job #environment",
    "strace -f -o out ls src": "run ls src #program | write out | blind strace: what it starts is not followed",
    "strace -c ls": "run ls #program | blind strace: what it starts is not followed",
    "strace -p 123": "change process 123 #process.trace",
    "ltrace -o out ls": "run ls #program | write out | blind ltrace: what it starts is not followed",
    "script -q -c 'ls' out": "write out | run ls #inline | blind script: what it starts is not followed",
    "script": "write typescript | run a shell #program | blind script: what it starts is not followed",
    "unshare -r touch b": "run touch b #program | blind unshare: what it starts is not followed",
    "nsenter -t 1 -m sh": "change the namespaces of another process #privilege | run sh #program"
    " | blind nsenter: what it starts is not followed",
    "chroot src ls": "run ls #program | blind chroot: what it starts is not followed",
    "setarch x86_64 -R ls": "run ls #program | blind setarch: what it starts is not followed",
    "linux32 ls": "run ls #program | blind linux32: what it starts is not followed",
    "linux64 ls": "run ls #program | blind linux64: what it starts is not followed",
    "prlimit touch b": "run touch b #program | blind prlimit: what it starts is not followed",
    "prlimit -p 123": "note prlimit",
    "prlimit --pid 123 --nofile=5": "change process 123 #process.limits",
    "choom -p 123": "note choom",
    "choom -n 100 -p 123": "change process 123 #process.limits",
    "choom -n 100 rm a": "run rm a #program | blind choom: what it starts is not followed",
    "setpriv -d": "note setpriv",
    "setpriv --reuid=1000 rm a": "run rm a #program | blind setpriv: what it starts is not followed",
    "start-stop-daemon --start --exec /usr/bin/touch -- /p/b": "run /usr/bin/touch -- /p/b #program"
    " | blind start-stop-daemon: what it starts is not followed",
    "systemd-run --user touch b": "run touch b #program | blind systemd-run: what it starts is not followed",
    "bwrap --bind / / touch b": "run / / touch b #program | blind bwrap: what it starts is not followed",
    "firejail ls": "run ls #program | blind firejail: what it starts is not followed",
    "caffeinate -i rm x": "run rm x #program | blind caffeinate: what it starts is not followed",
    "caffeinate -t 5": "note caffeinate",
    "nix-shell -p jq --run 'rm x'": "run nix-shell #project | run rm x #inline"
    " | reach where packages come from #pkg.install | blind nix-shell: what it starts is not followed",
    "nix-shell": "run nix-shell #project | run a shell #program | reach where packages come from #pkg.install"
    " | blind nix-shell: what it starts is not followed",
    "/usr/bin/ld-linux-x86-64.so.2 /bin/rm x": "run /bin/rm x #program"
    " | blind ld-linux-x86-64.so.2: what it starts is not followed",
    "/usr/bin/ld-linux-aarch64.so.1 /bin/rm x": "run /bin/rm x #program"
    " | blind ld-linux-aarch64.so.1: what it starts is not followed",
    "/usr/bin/ld-linux.so.2 --library-path a /bin/rm x": "run a /bin/rm x #program"
    " | blind ld-linux.so.2: what it starts is not followed",
    "dbus-run-session -- rm x": "run rm x #program | blind dbus-run-session: what it starts is not followed",
    "systemd-run --user --scope rm x": "run rm x #program | blind systemd-run: what it starts is not followed",
    "fakeroot -s out touch b": "write out | run touch b #program | blind fakeroot: what it starts is not followed",
    "parallel echo ::: a b": "run echo ::: a b #program | blind parallel: what it starts is not followed",
    "dbus-run-session ls": "run ls #program | blind dbus-run-session: what it starts is not followed",
    "xvfb-run ls": "run ls #program | blind xvfb-run: what it starts is not followed",
    "expect a": "read a | run a #script | blind expect: what its script starts is not followed",
    "expect -c 'spawn rm a'": "run expect code #inline | blind expect: what its script starts is not followed",
    "at -l": "note at",
    "at -f a now": "read a | run a #script | change scheduled commands #schedule.add | write /var/spool/cron/atjobs |"
    " run a script, later #inline | blind at: what will run is not known",
    "at now": "change scheduled commands #schedule.add | write /var/spool/cron/atjobs | run a script, later"
    " #inline | blind at: what will run is not known",
    "batch": "change scheduled commands #schedule.add | write /var/spool/cron/atjobs | run a script, later"
    " #inline | blind batch: what will run is not known",
    "atq": "note atq",
    "atrm 3": "change scheduled commands #schedule.remove | write /var/spool/cron/atjobs",
    "crontab -l": "note crontab",
    "crontab a": "read a | write /var/spool/cron/crontabs | change regular commands #schedule.add | run commands,"
    " regularly #inline",
    "crontab -": "maybe read - | write /var/spool/cron/crontabs | change regular commands #schedule.add | run"
    " commands, regularly #inline",
    "crontab -r > out": "write out #redirect | write /var/spool/cron/crontabs | change regular commands #schedule.wipe",
    "crontab -e": "write /var/spool/cron/crontabs | run an editor #program | change regular commands #schedule.add |"
    " run commands, regularly #inline | blind crontab: what an editor changes is not known",
    "crontab $x": "write /var/spool/cron/crontabs | change regular commands #schedule.add | run commands, regularly"
    " #inline | blind crontab: a word is not known (variable x) | blind crontab: reads a path that is"
    " not known (variable x) | blind crontab: `$x` may be several words",
    "strace -o '|touch b' ls": "run ls #program | run strace code #inline"
    " | blind strace: what it starts is not followed",
}
