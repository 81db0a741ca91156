"""The desktop: opening things with whatever program is registered, the clipboard, notes on the screen, a voice."""

from __future__ import annotations

from assent.commands.program import Program, changes, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def _opening(args: Args) -> Iterator[Fact]:
    """A file or address goes to a program that the desktop chooses."""
    for word in args.operands:
        if word.value is not None and "://" in word.value:
            yield from args.reach(word.value)
        else:
            yield from args.file("read", word)
    yield args.effect("run", "the program that opens it", "program")
    yield args.gap("which program opens it is not known")


@turns_off("-l")
def _shown(args: Args) -> Iterator[Fact]:
    """People copy passwords, too. `wl-paste -l` shows only which kinds of data are there."""
    if args.name != "wl-paste" or not args.has("-l"):
        yield args.effect("note", "the clipboard, which may hold a password", "secret.print")


@turns_off("-o")
def _clipboard(args: Args) -> Iterator[Fact]:
    """Puts its input or files there, or with `-o` shows what is there."""
    if args.has("-o"):
        yield from _shown(args)
    if not args.has("-o") or (args.name == "xsel" and args.has("-c", "-d", "-x", "-a")):
        yield args.effect("change", "the clipboard", "clipboard.copy")
        for word in args.operands:
            yield from args.file("read", word)


@turns_off("-e")
def _scripting(args: Args) -> Iterator[Fact]:
    """`osascript` can tell every application what to do."""
    if not args.has("-e"):
        for word in args.operands[:1]:
            yield from args.act("script", word)
        if not args.operands:
            yield args.effect("run", "osascript code", "inline")
    yield args.gap("what its script does is not followed", blind=True)


OPEN = Program("-n -g -j -W -F -R -h -u=", "text*", more=_opening)

PROGRAMS = {
    "open": OPEN,
    "xdg-open": Program("", "text*", more=_opening),
    "gnome-open": Program("", "text*", more=_opening),
    "wslview": Program("", "text*", more=_opening),
    "pbcopy": Program("-pboard= -Prefer=", style="single", does=changes("clipboard.copy", "the clipboard")),
    "pbpaste": Program("-pboard= -Prefer=", style="single", more=_shown),
    "xclip": Program(
        "-i,-in -o,-out -selection,-sel,-se= -t,-target= -l,-loops= -d,-display= -f,-filter -r,-rmlastnl -silent -quiet"
        " -verbose -rmlastnl -noutf8 -h -version",
        "text*",
        style="single",
        more=_clipboard,
    ),
    "xsel": Program(
        "-i,--input -o,--output -b,--clipboard -p,--primary -s,--secondary -c,--clear -a,--append -d,--delete -k,--keep"
        " -x,--exchange -n,--nodetach -t,--selectionTimeout= -f,--follow -z,--zeroflush -v,--verbose",
        more=_clipboard,
    ),
    "wl-copy": Program(
        "-o,--paste-once -f,--foreground -c,--clear -p,--primary -n,--trim-newline -t,--type= -s,--seat=",
        "text*",
        does=changes("clipboard.copy", "the clipboard"),
    ),
    "wl-paste": Program("-n,--no-newline -l,--list-types -p,--primary -t,--type= -s,--seat=", more=_shown),
    "notify-send": Program(
        "-u,--urgency= -t,--expire-time= -a,--app-name= -i,--icon= -c,--category= -h,--hint= -p,--print-id"
        " -r,--replace-id= -e,--transient -w,--wait",
        "text*",
    ),
    "terminal-notifier": Program("-title= -subtitle= -message= -sound= -group= -remove= -list=", style="single"),
    "say": Program(
        "-v,--voice= -r,--rate= -f,--input-file=read -o,--output-file=write --progress --quality= --channels=", "text*"
    ),
    "espeak": Program("-a= -g= -k= -l= -p= -s= -v= -f=read -w=write -q -x -X -m -z", "text*"),
    "osascript": Program("-e=code -l= -s= -i", "text*", style="posix", more=_scripting),
}

EXAMPLES = {
    "open README.md": "read README.md | run the program that opens it #program"
    " | gap open: which program opens it is not known",
    "open -a Safari README.md": "read Safari | read README.md | run the program that opens it #program"
    " | gap open: option -a is not known | gap open: which program opens it is not known",
    "open https://example.com": "reach https://example.com | run the program that opens it #program"
    " | gap open: which program opens it is not known",
    "xdg-open README.md": "read README.md | run the program that opens it #program"
    " | gap xdg-open: which program opens it is not known",
    "gnome-open README.md": "read README.md | run the program that opens it #program"
    " | gap gnome-open: which program opens it is not known",
    "wslview README.md": "read README.md | run the program that opens it #program"
    " | gap wslview: which program opens it is not known",
    "pbcopy": "change the clipboard #clipboard.copy",
    "pbpaste": "note the clipboard, which may hold a password #secret.print",
    "xclip -selection clipboard README.md": "change the clipboard #clipboard.copy | read README.md",
    "xclip -o -sel clip": "note the clipboard, which may hold a password #secret.print",
    "xclip -o -l 1": "note the clipboard, which may hold a password #secret.print",
    "xsel -b": "change the clipboard #clipboard.copy",
    "xsel -ob": "note the clipboard, which may hold a password #secret.print",
    "wl-copy hello": "change the clipboard #clipboard.copy",
    "wl-paste": "note the clipboard, which may hold a password #secret.print",
    "wl-paste --list-types": "note wl-paste",
    "wl-paste -w ls": "note the clipboard, which may hold a password #secret.print"
    " | gap wl-paste: option -w is not known | gap wl-paste: `ls` is one word too many",
    "notify-send done 'all tests pass'": "note notify-send",
    "terminal-notifier -message done": "note terminal-notifier",
    "say done": "note say",
    "say -o out -f a": "write out | read a",
    "espeak hello": "note espeak",
    "osascript -e 'tell app \"Finder\" to quit'": "run osascript code #inline"
    " | blind osascript: what its script does is not followed",
    "osascript a": "read a | run a #script | blind osascript: what its script does is not followed",
    "xsel -o -c": "note the clipboard, which may hold a password #secret.print | change the clipboard #clipboard.copy",
}
