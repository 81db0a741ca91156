"""The shell's own commands, and the shells themselves as programs.

Which of them change the meaning of later words is known to the shell's walker, which makes gaps of its own for those.
"""

from __future__ import annotations

from assent.commands.args import may_be_option
from assent.commands.program import Program, turns_off
from assent.commands.shown import shown_variables, shown_words
from assent.types import JOB, PLAIN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

FILE_TESTS = frozenset("-b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -u -w -x".split())
PAIR_FILE_TESTS = frozenset("-nt -ot -ef".split())
PAIR_TESTS = PAIR_FILE_TESTS | frozenset("= == != < > -eq -ne -lt -le -gt -ge -a -o".split())
BEGINS_TEST = frozenset("! ( -a -o".split())
FOLLOWED_TEXT = frozenset("-c -lc -ec -exc -euc".split())
"""How the walker wants `-c` to be spelled to follow the text of a shell."""
SHELL_OPTIONS = (
    "-c -i -l -s -r -D -a -b -e -f -h -k -m -n -p -t -u -v -x -B -C -E -H -P -T -o= -O= --login --norc --noprofile"
    " --posix --noediting --restricted --verbose --debugger --dump-strings --rcfile=script --init-file=script"
)


def _testing(args: Args) -> Iterator[Fact]:
    """`test` and `[`: looks at files only; a word that may become `-v` evaluates the one behind it."""
    words = args.operands
    if args.name == "[" and words and words[-1].value == "]":
        words = words[:-1]
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else None
        if word.value is None:
            yield from _dynamic_test(args, word, behind)
        elif behind is None:
            continue
        elif word.value in FILE_TESTS:
            yield from args.file("list", behind)
        elif word.value in PAIR_FILE_TESTS and at:
            yield from args.file("list", words[at - 1])
            yield from args.file("list", behind)
        elif word.value == "-a" and (at == 0 or words[at - 1].value in BEGINS_TEST):
            yield from args.file("list", behind)


def _dynamic_test(args: Args, word: Word, behind: Word | None) -> Iterator[Fact]:
    if word.pattern or word.why in (PLAIN, JOB):
        return
    if word.many:
        yield args.gap(f"`{word.text}` may become several words", blind=True)
    elif behind is not None and behind.value not in PAIR_TESTS and behind.value != ")" and may_be_option(word):
        yield args.gap(f"`{word.text}` may be an operator", blind=True)


def _printing(args: Args) -> Iterator[Fact]:
    """`printf`: `%n` sets a variable, and so does a first word that turns out to be `-v`."""
    words = args.operands
    yield from shown_words(args)
    if not words:
        return
    if words[0].value is None and (len(words) > 1 or words[0].many) and may_be_option(words[0]):
        yield args.gap(f"`{words[0].text}` may be an option")
    at = 2 if words[0].value == "-v" else 1 if words[0].value == "--" else 0
    if len(words) > at and _counts_characters(words[at].value or ""):
        yield args.gap("%n sets a variable")


def _counts_characters(form: str) -> bool:
    """Whether a format holds `%n`, with flags and widths or without."""
    at = form.find("%")
    while at >= 0:
        at += 1
        while at < len(form) and form[at] in "#0-+ '123456789.*hlLjtz":
            at += 1
        if form[at : at + 1] == "n":
            return True
        at = form.find("%", at + 1)
    return False


def _environment(args: Args) -> Iterator[Fact]:
    """Without names it prints every variable, which may hold secrets; with `-p` those that are named."""
    sets_options = args.name == "set" and args.operands
    options = [word for word in args.operands if (word.value or "")[:1] == "-"]
    names = [word for word in args.operands if word not in options]
    if not names and not sets_options:
        yield args.effect("note", "the variables of the shell", "environment")
    elif any("p" in (word.value or "") for word in options) and not sets_options:
        yield from shown_variables(args, names)


def _naming(args: Args) -> Iterator[Fact]:
    """`alias name=TEXT`: the text runs whenever the name is used, also long after; so it is asked about in any mode."""
    for word in args.operands:
        name, equals, text = (word.value or word.text).partition("=")
        if equals:
            yield args.effect("change", f"alias {name}", "shell.alias.force")
            yield args.effect("run", text, "inline")


def _entering(args: Args) -> Iterator[Fact]:
    """`cd`: shows at most that a folder exists. What lies in a folder that is not known is the walker's business."""
    folders = [word for word in args.operands if (word.value or "")[:1] != "-"]
    for word in args.operands:
        if word not in folders and word.value not in ("-", "--", "-L", "-P", "-e", "-@"):
            yield args.gap(f"option {word.value} is not known")
    for word in folders[:1]:
        yield from args.file("list", word)
    for word in folders[1:]:
        yield args.gap(f"`{word.text}` is one word too many")


def _trapping(args: Args) -> Iterator[Fact]:
    """`trap TEXT SIGNAL` runs the text later."""
    words = [word for word in args.operands if word.value != "--"]
    if len(words) > 1 and words[0].value not in ("-p", "-l", "-", "", "-P"):
        yield from args.act("code", words[0])


def _masking(args: Args) -> Iterator[Fact]:
    if args.operands:
        yield args.effect("change", f"the shell's {args.name}", f"shell.{args.name}")


def _limiting(args: Args) -> Iterator[Fact]:
    """`ulimit -n` asks, `ulimit -n 4096` sets."""
    if any((word.value or "x")[:1] != "-" for word in args.operands):
        yield args.effect("change", "the shell's limits", "shell.ulimit")


def _remembering(args: Args) -> Iterator[Fact]:
    """`history`: what was typed before; some options write or read the file it is kept in."""
    yield args.effect("note", "the shell's history", "history")
    if args.has("-c", "-d"):
        yield args.effect("change", "the shell's history", "history.wipe")
    if args.has("-p", "-s"):
        return
    for word in args.operands:
        if args.has("-w", "-a"):
            yield from args.file("write", word)
        elif args.has("-r", "-n"):
            yield from args.file("read", word)


@turns_off("-l")
def _correcting(args: Args) -> Iterator[Fact]:
    """`fc` edits and runs earlier commands again; `fc -l` shows them."""
    yield args.effect("note", "the shell's history", "history")
    if not args.has("-l"):
        yield args.effect("run", "earlier commands", "inline")
        yield args.gap("which commands run again is not known", blind=True)


def _replacing(args: Args) -> Iterator[Fact]:
    """`exec PROGRAM …` becomes that program, which is a call of its own; only with redirects it opens files."""
    for word in args.operands[:1]:
        if args.call.program != "exec" or args.given or word.value is None:
            yield from args.act("run", word)


def _killing(args: Args) -> Iterator[Fact]:
    """`kill`: a signal for each process; `-0` only asks whether it is there, `-l` lists signals."""
    words = args.operands
    signal, at = "TERM", 0
    if words and words[0].value is not None and words[0].value.startswith("-") and words[0].value != "--":
        option = words[0].value
        if option in ("-l", "-L", "--list", "--table") or option.startswith(("-l", "--list=")):
            return
        at = 2 if option in ("-s", "-n", "--signal") else 1
        signal = (words[1].value or "?") if at == 2 and len(words) > 1 else _signal_of(option)
    if at < len(words) and words[at].value == "--":
        at += 1
    for word in words[at:]:
        if word.value is None and word.why != JOB:
            yield args.effect("change", f"any process ({word.why})", "process.kill.force")
        elif signal != "0":
            everything = word.value in ("-1", "0", "1")
            hard = signal.upper().removeprefix("SIG") in ("9", "KILL") and not _is_own(word)
            code = "process.kill.force" if everything or hard else "process.kill"
            yield args.effect("change", f"process {word.text}", code)


def _is_own(word: Word) -> bool:
    """A job of this shell, or the process it started last."""
    return (word.value or "").startswith("%") or word.text.strip('"') in ("$!", "${!}")


def _signal_of(option: str) -> str:
    for prefix in ("--signal=", "-s", "-n", "-"):
        if option.startswith(prefix):
            return option[len(prefix) :]
    return option


@turns_off("-c -s -n")
def _starting_shell(args: Args) -> Iterator[Fact]:
    """`bash FILE` runs a file. The walker follows the text of `-c` and of a heredoc, if no folder is named."""
    followed = "/" not in (args.call.program or "/")
    words = args.operands
    if args.has("-c"):
        if not followed or not _is_followed_text(args):
            for word in words[:1] or [Word("-c", None, "no text")]:
                yield from args.act("code", word)
            yield args.gap("the text it runs is not followed", blind=True)
    elif words and not args.has("-s"):
        if (words[0].value or "").startswith("+"):
            yield args.gap(f"option {words[0].value} is not known")
        if (words[0].value or "").startswith(("/dev/", "/proc/")):
            yield args.gap("the text it reads is not followed", blind=True)
        yield from args.act("read" if args.has("-n") else "script", words[0])
    elif not followed:
        yield args.effect("run", f"{args.name} code", "inline")
        yield args.gap("the text it reads is not followed", blind=True)


def _is_followed_text(args: Args) -> bool:
    """The walker takes the word right behind `-c`, even if that is one more option."""
    given = args.call.words
    return given[1].value in FOLLOWED_TEXT and len(given) > 2 and args.operands[:1] == [given[2]]


@turns_off("-v -V")
def _starting_inner(args: Args) -> Iterator[Fact]:
    """`command`, `builtin`, `eval`: the walker follows the shell's own, but no programs of these names."""
    if "/" in (args.call.program or "/") and not args.has("-v", "-V"):
        yield args.effect("run", " ".join(word.text for word in args.operands) or "nothing", "program")
        yield args.gap("what it starts is not followed", blind=True)


def _counting(args: Args) -> Iterator[Fact]:
    """`exit`, `shift` …: a number; some shells evaluate anything else as arithmetic."""
    for word in args.operands:
        if word.value is not None and not word.value.lstrip("-").isdigit():
            yield args.gap(f"`{word.value}` is no number")


def _jobs_of(args: Args) -> Iterator[Fact]:
    """`jobs -x PROGRAM` would run it."""
    if any((word.value or "-x").startswith("-x") for word in args.operands):
        yield args.gap("a program may be started", blind=True)


NUMBER = Program(operands="text*", style="plain", more=_counting)
ANY_WORDS = Program(operands="text*", style="plain")
TEST = Program(operands="text*", style="plain", more=_testing)
STARTS_INNER = Program(operands="text*", style="plain", more=_starting_inner)
VARIABLES = Program(operands="text*", style="plain", more=_environment)
SHELL = Program(SHELL_OPTIONS, "text*", style="posix", more=_starting_shell)
SOURCE = Program("", "script text*", style="posix")

PROGRAMS = {
    "echo": Program(operands="text*", style="plain", more=shown_words),
    "printf": Program(operands="text*", style="plain", more=_printing),
    "true": ANY_WORDS,
    "false": ANY_WORDS,
    ":": ANY_WORDS,
    "test": TEST,
    "[": TEST,
    "cd": Program("-L -P -e -@", "text*", more=_entering, style="plain lists"),
    "pwd": Program("-L,--logical -P,--physical"),
    "type": Program("-a -f -p -P -t", "text*"),
    "command": Program("-p -v -V", "text*", style="posix", more=_starting_inner),
    "builtin": STARTS_INNER,
    "eval": STARTS_INNER,
    "which": Program("-a,--all -s -i --skip-alias --skip-functions --skip-dot --skip-tilde --show-dot", "text*"),
    "whereis": Program("-b -m -s -u -l -g", "text*"),
    "hash": Program("-t -r -l -d -p=", "text*"),
    "read": Program("-r -s -e -a= -d= -i= -n= -N= -p= -t= -u=", "text*"),
    "mapfile": ANY_WORDS,
    "readarray": ANY_WORDS,
    "export": VARIABLES,
    "declare": VARIABLES,
    "typeset": VARIABLES,
    "readonly": VARIABLES,
    "set": VARIABLES,
    "local": ANY_WORDS,
    "unset": Program("-v -f -n", "text*"),
    "let": ANY_WORDS,
    "shift": NUMBER,
    "exit": NUMBER,
    "logout": NUMBER,
    "return": NUMBER,
    "break": NUMBER,
    "continue": NUMBER,
    "getopts": ANY_WORDS,
    "wait": Program(operands="text*", style="plain"),
    "jobs": Program(operands="text*", style="plain", more=_jobs_of),
    "fg": ANY_WORDS,
    "bg": ANY_WORDS,
    "disown": Program("-a -h -r", "text*"),
    "suspend": Program("-f"),
    "times": Program(),
    "caller": Program("", "text?"),
    "umask": Program("-p -S", "text?", more=_masking),
    "ulimit": Program(operands="text*", style="plain", more=_limiting),
    "alias": Program(operands="text*", style="plain", more=_naming),
    "unalias": ANY_WORDS,
    "enable": ANY_WORDS,
    "shopt": Program("-s -u -q -p -o", "text*"),
    "bind": ANY_WORDS,
    "complete": ANY_WORDS,
    "compgen": ANY_WORDS,
    "compopt": ANY_WORDS,
    "pushd": ANY_WORDS,
    "popd": ANY_WORDS,
    "dirs": ANY_WORDS,
    "trap": Program(operands="text*", style="plain", more=_trapping),
    "history": Program("-c -d= -a -n -r -w -p -s", "text*", more=_remembering),
    "fc": Program("-e=run -l -n -r -s", "text*", more=_correcting),
    "help": Program("-d -m -s", "text*"),
    "source": SOURCE,
    ".": SOURCE,
    "exec": Program("-c -l -a=", "text*", style="posix", more=_replacing),
    "kill": Program(operands="text*", style="plain", more=_killing),
    "bash": SHELL,
    "sh": SHELL,
    "dash": SHELL,
    "ksh": SHELL,
    "zsh": SHELL,
}
EXAMPLES = {
    "kill -9 1 > out": "write out #redirect | change process 1 #process.kill.force",
    "kill -9 $!": "change process $! #process.kill",
    "kill -s KILL %1": "change process %1 #process.kill",
    "echo hello": "note echo",
    'echo "$x" -e > out': "write out #redirect | note echo",
    "echo $(rm -rf src)": "delete src/** | note echo",
    "printf '%s\\n' a b": "note printf",
    "printf -v name '%d' 3": "note printf",
    'printf "$x" PATH': 'note printf | blind printf -v with something else than a plain name | gap printf: `"$'
    'x"` may be an option',
    "printf '%-5n' PATH": "note printf | gap printf: %n sets a variable",
    "true": "note true",
    "false": "note false",
    ": ignored": "note :",
    "test -f README.md": "list README.md",
    "test a -nt b": "list a | list b",
    "[ -d src -a ! -f docs/a ]": "list src | list docs/a",
    '[ "$x" = yes ]': "note [",
    '[ "$a" "$b" ]': 'note [ | blind [: `"$a"` may be an operator',
    "[ $x ]": "note [ | blind [: `$x` may become several words",
    '[ -n "$x" ]': "note [",
    '[ -f "$x" ]': "note [ | blind [: lists a path that is not known (variable x)",
    "cd src": "list src",
    "pwd": "note pwd",
    "pwd -P": "note pwd",
    "type -a python3": "note type",
    "command -v git": "note command",
    "command ls src": "note command | list src",
    "builtin echo a": "note builtin | note echo",
    "eval 'rm a'": "note eval | delete a",
    "which python3 node": "note which",
    "whereis -b gcc": "note whereis",
    "hash -t ls": "note hash",
    "read -r line": "note read",
    "mapfile lines": "note mapfile | blind mapfile changes the shell",
    "readarray lines": "note readarray | blind readarray changes the shell",
    "export A=b": "note export | blind export changes the shell",
    "export -p": "note the variables of the shell #environment | blind export changes the shell",
    "declare -p": "note the variables of the shell #environment",
    "declare -p API_TOKEN": "note API_TOKEN #environment",
    "declare -p PATH n": "note declare",
    "typeset -p DB_PASS": "note DB_PASS #environment",
    "declare -i n": "note declare | blind declare changes the shell",
    "typeset x": "note typeset | blind typeset changes the shell",
    "readonly x": "note readonly | blind readonly changes the shell",
    "set -euo pipefail": "note set",
    "set": "note the variables of the shell #environment",
    "local a": "note local | blind local changes the shell",
    "unset name": "note unset",
    "let 1+1": "note let | blind let changes the shell",
    "shift 2": "note shift",
    "exit 1": "note exit",
    "logout": "note logout",
    "return 0": "note return",
    "break": "note break",
    "continue": "note continue",
    "getopts ab opt": "note getopts | blind getopts changes the shell",
    "wait": "note wait",
    "wait $!": "note wait",
    "jobs -l": "note jobs",
    "fg": "note fg",
    "bg": "note bg",
    "disown -a": "note disown",
    "suspend": "note suspend | blind suspend changes the shell",
    "times": "note times",
    "caller": "note caller",
    "umask": "note umask",
    "umask 077": "change the shell's umask #shell.umask",
    "ulimit -a": "note ulimit",
    "ulimit -n 4096": "change the shell's limits #shell.ulimit",
    "alias": "note alias",
    "unalias ll": "note unalias | blind unalias changes the shell",
    "enable -n kill": "note enable | blind enable changes the shell",
    "shopt -s globstar": "note shopt | blind shopt changes the shell",
    "bind -P": "note bind | blind bind changes the shell",
    "complete -p": "note complete | blind complete changes the shell",
    "compgen -c": "note compgen",
    "compopt -o nospace": "note compopt | blind compopt changes the shell",
    "pushd src": "note pushd | blind pushd changes the shell",
    "popd": "note popd | blind popd changes the shell",
    "dirs": "note dirs",
    "trap 'rm -rf tmp' EXIT": "run trap code #inline | blind trap changes the shell",
    "history 10": "note the shell's history #history | blind history changes the shell",
    "history -w a": "note the shell's history #history | write a",
    "fc -l": "note the shell's history #history",
    "fc -s": "note the shell's history #history | run earlier commands #inline | blind fc changes the shell"
    " | blind fc: which commands run again is not known",
    "help cd": "note help",
    "source a": "read a | run a #script | blind source changes the shell",
    ". ./a": "read ./a | run ./a #script | blind . changes the shell",
    "exec ls src": "note exec | list src",
    "exec -a x ls": "run ls #program | blind exec changes the shell",
    "exec 3> a": "write a #redirect | note exec | blind exec changes the shell",
    "kill 123": "change process 123 #process.kill",
    "kill -9 999999998 999999999": "change process 999999998 #process.kill.force"
    " | change process 999999999 #process.kill.force",
    "kill -0 123": "note kill",
    "kill -s 0 123": "note kill",
    "kill -l": "note kill",
    "kill -9 -1 > out": "write out #redirect | change process -1 #process.kill.force",
    "kill $PID": "change any process (variable PID) #process.kill.force",
    "kill $!": "change process $! #process.kill",
    "kill -TERM -- -123": "change process -123 #process.kill",
    "kill %1": "change process %1 #process.kill",
    "bash a": "read a | run a #script",
    "bash a b": "read a | run a #script",
    "bash -c 'ls a'": "note bash | list a",
    "bash -lc 'ls a'": "note bash | list a",
    "bash -n a": "read a",
    "bash $x": "note bash | blind bash: a word is not known (variable x) | blind bash: script is not "
    "known (variable x)",
    "bash -x a": "read a | run a #script | blind text that bash runs",
    "bash +x a": "read +x | run +x #script | gap bash: option +x is not known",
    "/bin/bash -c 'ls a'": "run bash code #inline | blind bash: the text it runs is not followed",
    "/bin/sh": "run sh code #inline | blind sh: the text it reads is not followed",
    "/bin/bash a": "read a | run a #script",
    "bash --rcfile a": "read a | run a #script | blind text that bash runs",
    "sh a": "read a | run a #script",
    'sh -c "rm b"': "note sh | delete b",
    "dash a": "read a | run a #script",
    "ksh a": "read a | run a #script",
    "zsh a": "read a | run a #script",
    'bash -c -e "rm a"': "run bash code #inline | run -e #program | blind bash: the text it runs is not followed"
    " | gap -e is not a program we know",
    'bash -c -- "rm a"': "run bash code #inline | run -- #program | blind bash: the text it runs is not followed"
    " | gap -- is not a program we know",
    "bash /dev/stdin": "run /dev/stdin #script | blind bash: the text it reads is not followed",
    "echo *.py": "list *.py (glob)",
    'echo "$API_TOKEN"': 'note "$API_TOKEN" #environment',
    'echo "keys: $n" "$KEYWORDS" "${GITHUB_TOKEN:+set}"': "note echo",
    'echo "Author: $(git log -1 --format=%an)"': "note . #git.repository | note echo",
    'while read -r key; do echo "$key"; done': "note read | note echo | note read | note echo",
    '[ -n "$API_TOKEN" ] && : "${API_TOKEN:?}"': "note [ | note :",
    "set -x; : $API_TOKEN": "note set | note : | note $API_TOKEN #environment",
    "set +x; : $API_TOKEN": "note set | note :",
    '[ "$API_TOKEN" -eq 1 ]': 'note [ | note "$API_TOKEN" #environment',
    ': "${x:?$API_TOKEN}"': 'note : | note "${x:?$API_TOKEN}" #environment',
    "echo $HOME": "note echo",
    "exit 'a[0]'": "note exit | gap exit: `a[0]` is no number",
    "return $?": "note return",
    "bash < a": "read a #redirect | note bash | blind text that bash reads",
    "bash <(ls a)": "list a | note bash | blind bash: script is not known (process substitution)",
    "jobs -x ls": "note jobs | blind jobs changes the shell | blind jobs: a program may be started",
    "/usr/bin/command rm a": "run rm a #program | blind command: what it starts is not followed",
    "/usr/bin/command -v ls": "note command",
    'cd "$x"': "list //**",
    "cd $API_TOKEN": "list //** | note $API_TOKEN #environment",
    'cd "$x" && ls a': "list //** | note ls | blind folder of cd | blind ls: `a` lies in a folder that is not known",
    "set -o noclobber": "note set",
    "shopt -u dotglob": "note shopt",
    "history -r a": "note the shell's history #history | read a",
    "read -n1 a": "note read",
    "read -d, -rn 3 a": "note read",
    "alias a='rm -rf b'": "change alias a #shell.alias.force | run rm -rf b #inline",
    "alias a='rm b'; a": "change alias a #shell.alias.force | run rm b #inline | run a #program | blind a is an"
    " alias | gap a is not a program we know",
    "alias if=a": "change alias if #shell.alias.force | run a #inline | blind alias changes the shell",
    ". src/bin/activate": "read src/bin/activate | run src/bin/activate #script",
    ". src/bin/activate && pip list": "read src/bin/activate | run src/bin/activate #script | run /p/src/bin/pip"
    " #script | note pip list",
    ". src/bin/activate && pwd": "read src/bin/activate | run src/bin/activate #script | note pwd",
    "for a in 1 2; do . src/bin/activate; done": "read src/bin/activate | run src/bin/activate #script | read"
    " src/bin/activate | run src/bin/activate #script | blind . changes the shell",
    "python3 a & x=$!; kill $x": "read a | run a #script | change process $x #process.kill",
    "cat < <(ls a)": "list a | note cat",
    "echo $(pwd)/$(date +%F)": "note pwd | note date | note echo",
    "cat $PWD/a-$(date +%F)": "note date | read /p/a-* (glob)",
    "touch a-$$": "note touch | blind touch: writes a path that is not known (a plain word)",
    "[ $(wc -l < a) -gt 3 ]": "read a #redirect | note wc | note [",
    "echo d{1..3} {a..c} {08..10}": "note echo",
}
