"""Programs that start another one which the shell's walker follows: here only what the wrapper does by itself.

`sudo` and its kin run as another user. What the programs of `launchers` start is followed by nobody.
"""

from __future__ import annotations

from assent.commands.launchers import text_run
from assent.commands.program import Program
from assent.commands.projects import spelled
from assent.commands.shown import shown_variables
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

PRIVILEGE = (("change", "what the command may do", "privilege"),)


def _environment(args: Args) -> Iterator[Fact]:
    """`env` alone prints every variable; a program behind it is a call of its own."""
    if all("=" in (word.value or "") for word in args.operands):
        yield args.effect("note", "the environment", "environment")


def _some_variables(args: Args) -> Iterator[Fact]:
    if not args.operands:
        yield args.effect("note", "the environment", "environment")
    yield from shown_variables(args, args.operands)


def _detached(args: Args) -> Iterator[Fact]:
    """`nohup` writes `nohup.out` when its output would go to a terminal."""
    if not any(redirect.op in (">", ">>", ">|", "&>", "&>>", ">&") for redirect in args.call.redirects):
        for fact in args.file("write", Word("nohup.out", "nohup.out")):
            yield replace(fact, possible=True) if isinstance(fact, Effect) else fact


def _locking(args: Args) -> Iterator[Fact]:
    """`flock FILE PROGRAM` makes the file; `flock 9` alone locks a descriptor that is open already."""
    first = args.operands[:1]
    if first and not ((first[0].value or "").isdigit() and len(args.operands) == 1):
        yield from args.file("write", first[0])
    if len(args.operands) > 2 and args.operands[1].value in ("-c", "--command"):
        text = args.operands[2]
        yield args.effect("run", text.value if text.value is not None else text.text, "inline")


def _other_user(args: Args) -> Iterator[Fact]:
    """`su` and `runuser` start a shell, or with `-c` a text in one; neither is followed."""
    yield from text_run(args, "-c")
    if not args.has("-c"):
        yield args.effect("run", "a shell", "program")
    yield args.gap("what it runs is not followed", blind=True)


def _as_root(args: Args) -> Iterator[Fact]:
    yield args.effect("run", spelled(args.operands) or "a shell", "program")
    yield args.gap("what it runs is not followed", blind=True)


AS_USER = Program(
    "-c,--command= -l,--login -m,-p,--preserve-environment -f,--fast -g,--group= -G,--supp-group= -s,--shell=run"
    " -P,--pty -T,--no-pty -w,--whitelist-environment= -u,--user=",
    "text*",
    does=PRIVILEGE,
    more=_other_user,
)

PROGRAMS = {
    "nohup": Program("", "text*", style="posix", more=_detached),
    "nice": Program("-n,--adjustment= -#", "text*", style="posix"),
    "ionice": Program("-c,--class= -n,--classdata= -t,--ignore", "text*", style="posix"),
    "chrt": Program(
        "-f,--fifo -r,--rr -o,--other -b,--batch -i,--idle -v,--verbose -T,--sched-runtime= -P,--sched-period="
        " -D,--sched-deadline=",
        "text*",
        style="posix",
    ),
    "taskset": Program("-a,--all-tasks -c,--cpu-list", "text*", style="posix"),
    "timeout": Program(
        "-k,--kill-after= -s,--signal= -p,--preserve-status -f,--foreground -v,--verbose", "text*", style="posix"
    ),
    "stdbuf": Program("-i,--input= -o,--output= -e,--error=", "text*", style="posix"),
    "setsid": Program("-c,--ctty -f,--fork -w,--wait", "text*", style="posix"),
    "time": Program(
        "-p,--portability -v,--verbose -a,--append -q,--quiet -f,--format= -o,--output=write", "text*", style="posix"
    ),
    "env": Program(
        "-i,--ignore-environment -0,--null -v,--debug -u,--unset= -C,--chdir=",
        "text*",
        style="posix",
        more=_environment,
    ),
    "printenv": Program("-0,--null", "text*", more=_some_variables),
    "xargs": Program(
        "-0,--null -r,--no-run-if-empty -t,--verbose -x,--exit -p,--interactive -o,--open-tty -a,--arg-file=read"
        " -d,--delimiter= -E= -I= -L= -n,--max-args= -P,--max-procs= -s,--max-chars=",
        "text*",
        style="posix",
    ),
    "watch": Program(
        "-b,--beep -c,--color -C,--no-color -d,--differences[=] -e,--errexit -g,--chgexit -n,--interval= -p,--precise"
        " -t,--no-title -w,--no-wrap -x,--exec",
        "text*",
        style="posix",
    ),
    "flock": Program(
        "-s,--shared -x,-e,--exclusive -n,--nb,--nonblock -u,--unlock -o,--close -w,--timeout= -E,--conflict-exit-code="
        " -F,--no-fork --verbose",
        "text*",
        style="posix",
        more=_locking,
    ),
    "busybox": Program("", "text*", style="posix"),
    "sudo": Program(
        "-A,--askpass -b,--background -E,--preserve-env[=] -H,--set-home -k,--reset-timestamp -K,--remove-timestamp"
        " -n,--non-interactive -S,--stdin -P,--preserve-groups -u,--user= -g,--group= -p,--prompt= -v,--validate"
        " -l,--list",
        "text*",
        style="posix",
        does=PRIVILEGE,
    ),
    "doas": Program("-n -u=", "text*", style="posix", does=PRIVILEGE),
    "su": AS_USER,
    "runuser": AS_USER,
    "pkexec": Program(
        "--user= --disable-internal-agent --keep-cwd", "text*", style="posix", does=PRIVILEGE, more=_as_root
    ),
}

EXAMPLES = {
    "flock -n 9 ls": "write 9 | list .",
    "nohup ls src": "maybe write nohup.out | note nohup | list src",
    "nohup ls src > out 2>&1": "write out #redirect | note nohup | list src",
    "nice -n 5 rm a": "note nice | delete a",
    "nice": "note nice",
    "ionice -c 3 ls": "note ionice | list .",
    "chrt -b 0 ls": "note chrt | list .",
    "taskset 1 touch b": "note taskset | write b",
    "timeout 5 ls -la src": "note timeout | list src",
    "timeout -k 5 10 rm a": "note timeout | delete a",
    "timeout --frob 5 ls": "note timeout | blind timeout option --frob | gap timeout: option --frob is not known",
    "stdbuf -oL ls": "note stdbuf | list .",
    "setsid -f touch b": "note setsid | write b",
    "/usr/bin/time -v ls": "note time | list .",
    "/usr/bin/time -o out ls": "write out | list .",
    "env": "note the environment #environment",
    "env FOO=1 ls": "note env | list .",
    "env -i PATH=. ls": "note env | maybe read . | maybe write . | list . | gap sets the variable PATH",
    "env -u X rm a": "note env | delete a",
    "env -S 'touch b'": "note env | blind env option -S | gap env: option -S is not known",
    "env A=b": "note the environment #environment",
    "printenv": "note the environment #environment",
    "printenv HOME PATH": "note printenv",
    "printenv HOME API_TOKEN": "note API_TOKEN #environment",
    "printenv $x": "note $x #environment | blind printenv: a word is not known (variable x)",
    'timeout 5 date "+$API_TOKEN"': 'note timeout | note date | note "+$API_TOKEN" #environment',
    "xargs -a .env echo": "read .env | note echo",
    "ls | xargs rm -f": "list . | note xargs | note rm | blind rm: a word is not known (words read at run time"
    ") | blind rm: deletes a path that is not known (words read at run time)",
    "xargs -n 1 --frob rm": "note xargs | blind xargs option --frob | gap xargs: option --frob is not known",
    "watch -n 1 ls src": "note watch | list src",
    "watch -gx touch b": "note watch | write b",
    "flock lock ls": "write lock | list .",
    "flock -n lock -c 'touch b'": "write lock | run touch b #inline | blind flock option -c",
    "flock 9": "note flock",
    "busybox ls src": "note busybox | list src",
    "busybox sh -c 'rm a'": "note busybox | note sh | delete a",
    "sudo ls": "change what the command may do #privilege | list .",
    "sudo -u other rm -rf src": "change what the command may do #privilege | delete src/**",
    "sudo -i": "change what the command may do #privilege | blind sudo option -i | gap sudo: option -i is not known",
    "sudo -l": "change what the command may do #privilege | blind sudo option -l",
    "doas -u other ls": "change what the command may do #privilege | list .",
    "su": "change what the command may do #privilege | run a shell #program | blind su: what it runs is not followed",
    "su - other -c 'rm a'": "change what the command may do #privilege | run rm a #inline"
    " | blind su: what it runs is not followed",
    "runuser -u other ls": "change what the command may do #privilege | run a shell #program"
    " | blind runuser: what it runs is not followed",
    "pkexec rm a": "change what the command may do #privilege | run rm a #program"
    " | blind pkexec: what it runs is not followed",
}
