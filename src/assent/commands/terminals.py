"""Terminal multiplexers, which keep programs running and type into them; and the settings of a terminal."""

from __future__ import annotations

from assent.commands.args import SECRET_NAMES
from assent.commands.program import Program, changes, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

ASKS_TERMINAL = frozenset("-a -g --all --save size speed".split())
COMMAND_OPTIONS = ("command", "shell", "editor", "alias", "hook", "action", "keys")
STARTING = frozenset(
    "run-shell run if-shell if pipe-pane pipep display-popup popup respawn-pane respawnp respawn-window respawnw"
    " new-window neww split-window splitw new-session new send-keys send".split()
)
"""Commands of tmux behind which a text for a shell stands."""
ENDS_A_LINE = ("Enter", "C-m", "C-j", "KPEnter")
UNQUOTED = str.maketrans("\"'", "  ")
ASKS_SCREEN = frozenset("-ls -list -v -version".split())
SCREEN_VALUES = frozenset("cehpSstT")


@turns_off("-V")
def _shared_session(args: Args) -> Iterator[Fact]:
    """Of any `tmux`: `;` begins another command, `#( )` in a format runs a text, `#{ }` may be a variable."""
    words = args.call.words
    if not args.has("-V") and not any(word.value in TMUX for word in words[1:]):
        yield from _starting(args)
    for at, word in enumerate(words):
        text = word.value if word.value is not None else word.text
        if word.value is None and (at + 1 < len(words) or words[at - 1].value != "-t"):
            yield args.gap(f"`{word.text}` may hold another command")
        if text.endswith(";"):
            yield args.gap("several commands in one")
            yield from (args.effect("run", one.value, "inline") for one in words[at:] if one.value and " " in one.value)
        if "#(" in text:
            yield args.effect("run", text.partition("#(")[2].partition(")")[0] or "tmux code", "inline")
            yield args.gap("what a format runs is not followed", blind=True)
        if "#{" in text and ("buffer_" in text or any(piece in text for piece in SECRET_NAMES)):
            yield args.effect("note", text, "environment")


def _starting(args: Args) -> Iterator[Fact]:
    """A window with a shell, or with the command behind the options."""
    yield args.effect("change", "a terminal session", "terminal.session")
    if args.operands:
        yield args.effect("run", _spelled(args.operands), "inline")
        yield args.gap("what it starts is not followed", blind=True)
    else:
        yield args.effect("run", "a shell", "program")


def _spelled(words: list[Word]) -> str:
    return " ".join(word.text if word.value is None else word.value for word in words)


def _commanded(args: Args) -> Iterator[Fact]:
    """Texts that a shell runs, and commands of tmux with such texts in them: `if-shell 'id x' 'run-shell \"id y\"'`."""
    yield args.effect("change", "a terminal session", "terminal.session")
    for word in args.operands:
        text = word.text if word.value is None else word.value
        yield args.effect("run", text, "inline")
        pieces = text.translate(UNQUOTED).split()
        for at, piece in enumerate(pieces[:-1]):
            if piece in STARTING:
                yield args.effect("run", " ".join(pieces[at + 1 :]), "inline")
    yield args.gap("what it starts is not followed", blind=any(word.value is None for word in args.operands))


def _typing(args: Args) -> Iterator[Fact]:
    typed = [word for word in args.operands if word.value not in ENDS_A_LINE]
    yield args.effect("run", _spelled(typed) or "what is typed into a terminal", "inline")
    yield args.gap("what the terminal does with the keys is not known", blind=True)


def _setting(args: Args) -> Iterator[Fact]:
    """Some options hold commands that tmux runs later."""
    for word in args.operands[:1]:
        if word.value is None or any(piece in word.value for piece in COMMAND_OPTIONS):
            yield args.effect("run", _spelled(args.operands[1:]) or f"{args.name} code", "inline")
            yield args.gap(f"`{word.text}` may hold a command", blind=True)


@turns_off("-p")
def _showing_pane(args: Args) -> Iterator[Fact]:
    if not args.has("-p"):
        yield args.effect("change", "a paste buffer", "terminal.buffer")


def _screen(args: Args) -> Iterator[Fact]:
    """`screen -ls` lists; everything else starts programs, attaches or types."""
    values = [word.value for word in args.operands]
    if values and values[0] in ASKS_SCREEN and len(values) <= 2 and None not in values:
        return
    yield args.effect("change", "a terminal session", "terminal.session")
    yield args.effect("run", _behind_options(args) or "screen", "program")
    yield args.gap("what it starts is not followed", blind=True)


def _behind_options(args: Args) -> str:
    """The command of `screen -dmS NAME COMMAND`: what stands behind options and their values."""
    words = args.operands
    at = 0
    while at < len(words) and (words[at].value or "").startswith("-"):
        at += 2 if (words[at].value or "")[-1] in SCREEN_VALUES else 1
    return " ".join(word.text for word in words[at:])


def _terminal_settings(args: Args) -> Iterator[Fact]:
    if any(word.value not in ASKS_TERMINAL for word in args.operands):
        yield args.effect("change", "the terminal", "terminal.settings")


def _capability(args: Args) -> Iterator[Fact]:
    """`tput init` and `reset` start the program that a terminal description may name."""
    if args.has("-S") or any(word.value in ("init", "reset") for word in args.operands):
        yield args.gap("a terminal description may name a program to start")


LISTS = "-a -s -F= -f= -t="
START = "-A -a -b -d -D -e= -E -f= -F= -h -I -k -l= -n= -P -p= -s= -S -t= -v -x= -X -y= -Z -c="
SESSION = changes("terminal.session", "a terminal session")
KILL = Program("-a -C -t=", does=changes("process.kill", "what runs in a terminal session"))
LIST = Program(LISTS, "text?")
BUFFER = (("note", "a paste buffer, which may hold a password", "secret.print"),)
BUFFERS = Program(LISTS, "text?", does=BUFFER)
NEW = Program(START, "text*", style="posix", more=_starting)
SPLIT = Program(START.replace("-e= ", "").replace("-f= ", ""), "text*", style="posix", more=_starting)
MOVES = Program("-a -b -d -D -L -l -M -n -p -r -R -T= -t= -U -x= -y= -Z -s= -c=", "text?", does=SESSION)
SHOW = Program("-A -g -H -p -q -s -v -w -t=", "text?")
KEYS = Program("-F -H -l -M -R -X -N= -t=", "text*", more=_typing)
PANE = Program("-a -C -e -J -N -p -P -q -b= -E= -S= -t=", more=_showing_pane)
MESSAGE = Program("-a -I -N -p -v -c= -d= -F= -t=", "text?")
SET = Program(
    "-a -F -g -o -p -q -s -u -U -w -t=", "text*", does=changes("terminal.settings", "options of tmux"), more=_setting
)

COMMANDED = Program(
    "-a -b -B -C -d -E -F -g -I -k -n -o -O -p -r -R -u -w -c= -e= -h= -N= -s= -S= -t= -T= -x= -y=",
    "text*",
    style="posix",
    more=_commanded,
)

TMUX = {
    **dict.fromkeys(
        "run-shell run if-shell if pipe-pane pipep display-popup popup respawn-pane respawnp respawn-window respawnw"
        " set-hook bind-key bind confirm-before confirm command-prompt display-menu menu".split(),
        COMMANDED,
    ),
    "ls": LIST,
    "list-sessions": LIST,
    "list-windows": LIST,
    "lsw": LIST,
    "list-panes": LIST,
    "lsp": LIST,
    "list-clients": LIST,
    "lsc": LIST,
    "list-buffers": BUFFERS,
    "lsb": BUFFERS,
    "list-commands": LIST,
    "lscm": LIST,
    "list-keys": Program("-1 -a -N -P= -T=", "text?"),
    "has-session": Program("-t="),
    "has": Program("-t="),
    "info": Program(),
    "display-message": MESSAGE,
    "display": MESSAGE,
    "capture-pane": PANE,
    "capturep": PANE,
    "show-buffer": Program("-b=", does=BUFFER),
    "showb": Program("-b=", does=BUFFER),
    "show-options": SHOW,
    "show": SHOW,
    "show-window-options": SHOW,
    "showw": SHOW,
    "show-environment": Program("-h -g -s -t=", "text?", does=(("note", "the environment", "environment"),)),
    "showenv": Program("-h -g -s -t=", "text?", does=(("note", "the environment", "environment"),)),
    "new-session": NEW,
    "new": NEW,
    "new-window": NEW,
    "neww": NEW,
    "split-window": SPLIT,
    "splitw": SPLIT,
    "send-keys": KEYS,
    "send": KEYS,
    "kill-session": KILL,
    "kill-window": KILL,
    "killw": KILL,
    "kill-pane": KILL,
    "killp": KILL,
    "kill-server": KILL,
    "attach-session": Program("-d -E -r -x -c= -f= -t=", does=SESSION),
    "attach": Program("-d -E -r -x -c= -f= -t=", does=SESSION),
    "a": Program("-d -E -r -x -c= -f= -t=", does=SESSION),
    "detach-client": Program("-a -P -s= -t=", does=SESSION),
    "detach": Program("-a -P -s= -t=", does=SESSION),
    "rename-session": Program("-t=", "text", does=SESSION),
    "rename-window": Program("-t=", "text", does=SESSION),
    "select-window": MOVES,
    "select-pane": MOVES,
    "select-layout": Program("-E -n -o -p -t=", "text?", does=SESSION),
    "resize-pane": MOVES,
    "resize-window": MOVES,
    "set-option": SET,
    "set": SET,
    "set-window-option": SET,
    "setw": SET,
    "save-buffer": Program("-a -b=", "write", does=BUFFER, style="streams"),
    "load-buffer": Program("-b= -t= -w", "read", does=changes("terminal.buffer", "a paste buffer")),
    "source-file": Program("-F -n -q -v", "script*"),
}

PROGRAMS = {
    "tmux": Program("-2 -C -D -l -N -u -v -V -L= -S=write -T= -f=script -c=shell", commands=TMUX, more=_shared_session),
    "screen": Program(operands="text*", style="plain", more=_screen),
    "stty": Program(operands="text*", style="plain", more=_terminal_settings),
    "tput": Program("-T= -V -S -x", "text*", more=_capability),
    "clear": Program("-T= -V -x"),
    "reset": Program("-q -Q -s -V -r -c", "text?", does=changes("terminal.settings", "the terminal")),
    "tset": Program("-q -Q -s -V -r -c", "text?", does=changes("terminal.settings", "the terminal")),
    "tty": Program("-s,--silent,--quiet"),
}

EXAMPLES = {
    "screen -dm rm x": "change a terminal session #terminal.session | run rm x #program"
    " | blind screen: what it starts is not followed",
    "tmux new-session -d 'rm x'": "change a terminal session #terminal.session | run rm x #inline"
    " | blind tmux new-session: what it starts is not followed",
    "tmux ls": "note tmux ls",
    "tmux list-windows -t main -F '#W'": "note tmux list-windows",
    "tmux list-sessions -F '#(touch b)'": "run touch b #inline | note tmux list-sessions"
    " | blind tmux: what a format runs is not followed",
    "tmux ls ';' run-shell 'touch b'": "run touch b #inline | note tmux ls | gap tmux: several commands in one"
    " | gap tmux ls: `run-shell` is one word too many | gap tmux ls: `'touch b'` is one word too many",
    "tmux run-shell 'touch b'": "change a terminal session #terminal.session | run touch b #inline"
    " | gap tmux run-shell: what it starts is not followed",
    "tmux has-session -t main": "note tmux has-session",
    "tmux capture-pane -p -t main -S -100": "note tmux capture-pane",
    "tmux capture-pane -t main": "change a paste buffer #terminal.buffer",
    "tmux display-message -p '#S'": "note tmux display-message",
    "tmux display -p '#{API_TOKEN}'": "note #{API_TOKEN} #environment | note tmux display",
    "tmux show-buffer": "note a paste buffer, which may hold a password #secret.print",
    "tmux list-buffers": "note a paste buffer, which may hold a password #secret.print",
    "tmux save-buffer -": "note a paste buffer, which may hold a password #secret.print",
    "tmux new-session -d -s main": "change a terminal session #terminal.session | run a shell #program",
    "tmux new -d -s main 'rm -rf src'": "change a terminal session #terminal.session | run rm -rf src #inline"
    " | blind tmux new: what it starts is not followed",
    "tmux split-window -v -t main": "change a terminal session #terminal.session | run a shell #program",
    "tmux send-keys -t main 'rm a' Enter": "run rm a #inline"
    " | blind tmux send-keys: what the terminal does with the keys is not known",
    "tmux kill-session -t main": "change what runs in a terminal session #process.kill",
    "tmux -L nothing kill-server": "change what runs in a terminal session #process.kill",
    "tmux set-option -g history-limit 10000": "change options of tmux #terminal.settings",
    "tmux show-environment": "note the environment #environment",
    "tmux -f a ls": "read a | run a #script | note tmux ls",
    "tmux attach -t main": "change a terminal session #terminal.session",
    "tmux": "change a terminal session #terminal.session | run a shell #program",
    "screen -ls": "note screen",
    "screen -dmS main ls": "change a terminal session #terminal.session | run ls #program"
    " | blind screen: what it starts is not followed",
    "screen -S main -X stuff 'rm a'": "change a terminal session #terminal.session | run stuff 'rm a' #program"
    " | blind screen: what it starts is not followed",
    "stty -a": "note stty",
    "stty size": "note stty",
    "stty -F /dev/ttyS0 speed": "change the terminal #terminal.settings",
    "stty sane": "change the terminal #terminal.settings",
    "tput cols": "note tput",
    "tput -T xterm colors": "note tput",
    "tput reset": "note tput | gap tput: a terminal description may name a program to start",
    "clear": "note clear",
    "reset": "change the terminal #terminal.settings",
    "tset": "change the terminal #terminal.settings",
    "tty": "note tty",
    "tmux set -g default-command 'touch b'": "change options of tmux #terminal.settings | run touch b #inline"
    " | blind tmux set: `default-command` may hold a command",
    'tmux capture-pane -p -t "$S"': "note tmux capture-pane",
    'tmux list-panes -F "$F" -a': 'note tmux list-panes | gap tmux: `"$F"` may hold another command',
    'tmux if-shell true "run-shell \\"id x\\""': "change a terminal session #terminal.session | run true #inline"
    ' | run run-shell "id x" #inline | run id x #inline | gap tmux if-shell: what it starts is not followed',
    'tmux bind-key x run-shell "id x"': "change a terminal session #terminal.session | run x #inline"
    " | run run-shell #inline | run id x #inline | gap tmux bind-key: what it starts is not followed",
}
