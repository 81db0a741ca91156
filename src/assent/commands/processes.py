"""Processes: showing, finding, ending them, and changing their priority. `kill` is among the shell's own commands."""

from __future__ import annotations

from assent.commands.program import Program, changes, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

SIGNALS = frozenset(
    """HUP INT QUIT ILL TRAP ABRT IOT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU
    URG XCPU XFSZ VTALRM PROF WINCH IO POLL PWR SYS""".split()
)
BSD_VALUES = "oOpqtUk"
"""Letters of `ps` without a dash that take what follows as their value."""


def _is_signal(word: Word) -> bool:
    """`-9`, `-KILL`, `-SIGKILL`: a signal, although it looks like options."""
    text = word.value or ""
    name = text[1:].upper().removeprefix("SIG")
    return text[:1] == "-" and (name in SIGNALS or name.isdigit())


def _sorted(args: Args, table: Program) -> tuple[Args, list[Fact], str]:
    """The words without the signal, sorted by a table; the facts that brings, and the signal."""
    inner = type(args)(args.call, args.number, args.base, args.name, table)
    signals = [word.value or "" for word in args.operands if _is_signal(word)]
    stated = list(inner.take(tuple(word for word in args.operands if not _is_signal(word))))
    given = inner.text("--signal") or "".join(signals[-1:]) or "TERM"
    return inner, stated, given.lstrip("-")


def _ending(args: Args, table: Program) -> Iterator[Fact]:
    """`pkill`, `killall`: everything whose name matches gets a signal; 0 only asks whether there is anything."""
    inner, stated, signal = _sorted(args, table)
    yield from stated
    if inner.has("-l", "-V") or signal == "0":
        return
    shown = " ".join(word.text for word in inner.operands)
    for word in inner.operands:
        if word.value is None:
            yield args.gap(f"which processes is not known ({word.why})", blind=True)
    hard = signal.upper().removeprefix("SIG") in ("9", "KILL")
    widely = (
        inner.has("-f", "-r")
        or (table is MATCHES and inner.has("-v"))
        or not inner.operands
        or shown.strip("'\"") in (".", "")
    )
    code = "process.kill.force" if hard or widely else "process.kill"
    yield args.effect("change", f"processes {shown or 'selected by options'}", code)


def _ending_matches(args: Args) -> Iterator[Fact]:
    yield from _ending(args, MATCHES)


def _ending_named(args: Args) -> Iterator[Fact]:
    yield from _ending(args, NAMED)


def _users_of_files(args: Args) -> Iterator[Fact]:
    """`fuser FILE` shows who uses it, `-k` ends them."""
    inner, stated, signal = _sorted(args, USERS_OF_FILES)
    yield from stated
    for word in inner.operands:
        if not inner.has("-n") and not (word.value or "").endswith(("/tcp", "/udp")):
            yield from args.file("list", word)
    if inner.has("-k"):
        asked = any(map(_is_signal, args.operands)) and signal.upper().removeprefix("SIG") not in ("9", "KILL")
        yield args.effect("change", "processes that use it", "process.kill" if asked else "process.kill.force")


def _status(args: Args) -> Iterator[Fact]:
    """`ps e` shows the environment of processes, which may hold secrets. `ps -auxe` is read as `ps auxe`."""
    misread = [word.value or "" for word in args.values("-u") if (word.value or "").startswith("x")]
    if _shows_environment([word.value or "e" for word in args.operands]) or _shows_environment(misread):
        yield args.effect("note", "the environment of processes", "environment")


def _shows_environment(clusters: list[str]) -> bool:
    """Whether letters without a dash hold an `e`, or `E`; one that takes a value takes the rest, or the next word."""
    skip = False
    for cluster in clusters:
        letters, skip = "" if skip else cluster, False
        for at, letter in enumerate(letters):
            if letter in "eE":
                return True
            if letter in BSD_VALUES or not letter.isalpha():
                skip = letter in BSD_VALUES and at + 1 == len(letters)
                break
    return False


@turns_off("-n -t -i")
def _open_files(args: Args) -> Iterator[Fact]:
    """`lsof`: operands are files, or what belongs to an option in front whose value may be missing."""
    words = args.operands
    if not args.has("-n", "-t") and (args.has("-i") or not words):
        yield args.effect("reach", "name servers, for the addresses it shows")
    for at, word in enumerate(words):
        before = words[at - 1].value if at else None
        text = word.value
        if text is None:
            yield from args.file("list", word)
        elif "@" in text and args.has("-i"):
            host = text.partition("@")[2].partition(":")[0]
            yield from args.reach(f"https://{host}", shown=host)
        elif text.startswith("+"):
            if text[1:2] not in ("d", "D", "L", "c", "w", "r", "f", "E"):
                yield args.gap(f"option {text[:2]} is not known")
        elif not (args.has("-i") and _is_socket(text)) and before not in ("+c", "+L", "+r"):
            yield from args.file("list", word, deep=before == "+D")
    for word in args.values("-i"):
        host = (word.value or "").partition("@")[2].partition(":")[0]
        if host:
            yield from args.reach(f"https://{host}", shown=host)


def _is_socket(text: str) -> bool:
    """`:8080`, `tcp:80`, `4TCP`: what `-i` selects."""
    kind = text.partition(":")[0].lower().lstrip("46")
    return kind in ("", "tcp", "udp")


def _activity(args: Args) -> Iterator[Fact]:
    for word in args.values("-w"):
        yield from args.file("write", word)


SELECT = (
    "-v,--inverse -w,--lightweight -c,--count -f,--full -g,--pgroup= -G,--group= -i,--ignore-case -n,--newest"
    " -o,--oldest"
    " -O,--older= -P,--parent= -s,--session= -t,--terminal= -u,--euid= -U,--uid= -x,--exact -F,--pidfile=read"
    " -L,--logpidfile -r,--runstates= -A,--ignore-ancestors --cgroup= --ns= --nslist= -V"
)
MATCHES = Program(f"{SELECT} --signal= -e,--echo -q,--queue= -H,--require-handler -I", "text*")
NAMED = Program(
    "-e,--exact -I,--ignore-case -g,--process-group -i,--interactive -l,--list -q,--quiet -r,--regexp --signal,-s="
    " -u,--user= -v,--verbose -w,--wait -n,--ns= -y,--younger-than= -o,--older-than= -V,--version -m -d -z",
    "text*",
)
USERS_OF_FILES = Program(
    "-a,--all -c -f -i,--interactive -I,--inode -k,--kill -l,--list-signals -m,--mount -M,--ismountpoint"
    " -n,--namespace="
    " -s,--silent -u,--user -v,--verbose -w,--writeonly -V,--version -4,--ipv4 -6,--ipv6",
    "text*",
)
SIGNALLED = "text*"

PROGRAMS = {
    "ps": Program(
        "-A -a -c -d -e -f -F -H -h -j -l -L -m -M -N,--deselect -P -r -S -T -v -V -w -x -X -y -Z -C= -G,--Group="
        " -g,--group= -k= -O= -o,--format= -p,--pid= --ppid= -q,--quick-pid= -s,--sid= -t,--tty= -u,--user= -U,--User="
        " --context --cols,--columns,--width= --cumulative --forest --headers --headings --info --lines,--rows="
        " --no-headers,--no-heading,--no-headings --sort= -#",
        "text*",
        more=_status,
    ),
    "pgrep": Program(f"{SELECT} -d,--delimiter= -l,--list-name -a,--list-full -q,--quiet", "text*"),
    "pidwait": Program(f"{SELECT} -e,--echo", "text*"),
    "pidof": Program(
        "-s,--single-shot -c,--check-root -q,--quiet -w,--with-workers -x -o,--omit-pid= -S,--separator= -d=", "text*"
    ),
    "pstree": Program(
        "-a,--arguments -A,--ascii -c,--compact-not -C,--color= -g,--show-pgids -G,--vt100 -h,--highlight-all"
        " -H,--highlight-pid= -l,--long -n,--numeric-sort -N,--ns-sort= -p,--show-pids -s,--show-parents"
        " -S,--ns-changes"
        " -t,--thread-names -T,--hide-threads -u,--uid-changes -U,--unicode -V -Z,--security-context",
        "text*",
    ),
    "pmap": Program("-x,--extended -X -XX -d,--device -q,--quiet -p,--show-path -A,--range= -V", "text*"),
    "pwdx": Program("-V", "text*"),
    "pkill": Program(operands=SIGNALLED, style="plain", more=_ending_matches),
    "killall": Program(operands=SIGNALLED, style="plain", more=_ending_named),
    "fuser": Program(operands=SIGNALLED, style="plain", more=_users_of_files),
    "skill": Program(operands=SIGNALLED, style="plain", does=changes("process.kill.force", "processes")),
    "xkill": Program(operands=SIGNALLED, style="plain", does=changes("process.kill", "a window's program")),
    "lsof": Program(
        "-a -b -E -h -l -M -n -N -O -P -Q -R -t -U -v -V -w -X -c= -d= -e= -p= -u= -i[=] -F[=] -f[=] -g[=] -K[=] -L[=]"
        " -o[=] -r[=] -s[=] -S[=] -T[=] -x[=]",
        "text*",
        more=_open_files,
    ),
    "top": Program(
        "-b,--batch-mode -c,--cmdline-toggle -d,--delay= -E,--scale-summary-mem= -e,--scale-task-mem= -H,--threads-show"
        " -i,--idle-toggle -n,--iterations= -O,--list-fields -o,--sort-override= -p,--pid= -S,--accum-time-toggle"
        " -s,--secure-mode -U,--filter-any-user= -u,--filter-only-euser= -w,--width[=] -1,--single-cpu-toggle -l= -h"
        " -V",
        "text*",
    ),
    "htop": Program(
        "-C,--no-color -d,--delay= -F,--filter= -h -H -M,--no-mouse -p,--pid= -s,--sort-key= -t,--tree -u= -U -V"
    ),
    "atop": Program(
        "-a -A -c -C -d -D -E -g -l -m -M -n -N -p -P= -r=read -s -S -u -v -V -w= -x -y -1 -f -F -b= -e= -L=",
        "text*",
        more=_activity,
    ),
    "renice": Program(
        "-n,--priority= --relative= -g,--pgrp -p,--pid -u,--user -#",
        "text*",
        does=changes("process.priority", "the priority of processes"),
    ),
}

EXAMPLES = {
    "killall -u someone": "change processes selected by options #process.kill.force",
    "pkill -f .": "change processes . #process.kill.force",
    "killall node": "change processes node #process.kill",
    "ps": "note ps",
    "ps aux": "note ps",
    "ps -ef": "note ps",
    "ps auxww": "note ps",
    "ps aux --sort=-%mem": "note ps",
    "ps -eo pid,ppid,cmd --no-headers": "note ps",
    "ps -p 123 -o comm=": "note ps",
    "ps -C node -o pid": "note ps",
    "ps auxe": "note the environment of processes #environment",
    "ps eww 123": "note the environment of processes #environment",
    "ps -auxe": "note the environment of processes #environment",
    "ps o user": "note ps",
    "ps -p $$": "note ps",
    "ps --frob": "note ps | gap ps: option --frob is not known",
    "pgrep -fl python": "note pgrep",
    "pgrep -F a node": "read a",
    "pidwait node": "note pidwait",
    "pidof -s bash": "note pidof",
    "pstree -sp 123": "note pstree",
    "pmap -x 123": "note pmap",
    "pwdx 123": "note pwdx",
    "pkill -f 'node server'": "change processes 'node server' #process.kill.force",
    "pkill -9 node": "change processes node #process.kill.force",
    "pkill -SIGTERM -u me node": "change processes node #process.kill",
    "pkill --signal KILL node": "change processes node #process.kill.force",
    "pkill -0 node": "note pkill",
    "pkill $x": "change processes $x #process.kill | blind pkill: a word is not known (variable x)"
    " | blind pkill: which processes is not known (variable x)",
    "pkill --frob node": "change processes node #process.kill | gap pkill: option --frob is not known",
    "killall -9 node": "change processes node #process.kill.force",
    "killall -s INT node": "change processes node #process.kill",
    "killall -l": "note killall",
    "fuser a": "list a",
    "fuser -k 8080/tcp": "change processes that use it #process.kill.force",
    "fuser -TERM -k -n tcp 8080": "change processes that use it #process.kill",
    "skill -9 node": "change processes #process.kill.force",
    "xkill": "change a window's program #process.kill",
    "lsof": "reach name servers, for the addresses it shows",
    "lsof -i :8080": "reach name servers, for the addresses it shows",
    "lsof -ti:3000": "note lsof",
    "lsof -nP -iTCP -sTCP:LISTEN": "note lsof",
    "lsof -i @example.com:80": "reach name servers, for the addresses it shows | reach example.com",
    "lsof -p 123": "reach name servers, for the addresses it shows",
    "lsof README.md": "list README.md",
    "lsof +D src": "list src/**",
    "lsof +m out": "list out | gap lsof: option +m is not known",
    "lsof -D b": "list b | gap lsof: option -D is not known",
    "top -b -n 1": "note top",
    "top -bn1": "note top",
    "top -l 1": "note top",
    "htop": "note htop",
    "atop 1 1": "note atop",
    "atop -w out 1": "write out",
    "renice -n 5 -p 123": "change the priority of processes #process.priority",
    "renice 5 123": "change the priority of processes #process.priority",
    "ps to e": "note the environment of processes #environment",
    "ps k e": "note ps",
    "lsof -i": "reach name servers, for the addresses it shows",
}
