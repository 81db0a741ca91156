"""Archives that one program packs and another lists or unpacks: zip, 7z and rar with their kin."""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Follows

HERE = Word(".", ".")

# --- zip: letters may come in pairs, and a pair wins over two letters ------------------------------------------------

ZIP_FLAGS = frozenset(
    """0 1 2 3 4 5 6 7 8 9 A D DF F FF FS J L MM R S T U X c d db dc dd dg du dv e f fd fz g h h2 j k l la li ll m nw o
    p q r sd sf so su sU sv u v ws y z @ - !""".split()
)
ZIP_PAIRS = frozenset("AC AS C2 C5 FI RE df ic jj mm sb sc sp".split())
"""Pairs that are read as one option but are not understood."""
ZIP_VALUES = {"b": "into", "ds": "text", "lf": "write", "n": "text", "O": "write", "P": "text", "s": "text"}
ZIP_VALUES |= {"t": "text", "tt": "text", "TT": "run", "UN": "text", "Z": "text", "i": "list", "x": "list"}
ZIP_LONG = {
    "--recurse-paths": "r", "--recurse-patterns": "R", "--quiet": "q", "--verbose": "v", "--junk-paths": "j",
    "--move": "m", "--update": "u", "--freshen": "f", "--filesync": "FS", "--delete": "d", "--copy": "U", "--grow": "g",
    "--symlinks": "y", "--no-extra": "X", "--test": "T", "--unzip-command": "TT", "--exclude": "x", "--include": "i",
    "--output-file": "O", "--out": "O", "--temp-path": "b", "--logfile-path": "lf", "--log-append": "la",
    "--log-info": "li", "--password": "P", "--encrypt": "e", "--suffixes": "n", "--split-size": "s",
    "--names-stdin": "@",
    "--show-files": "sf", "--no-dir-entries": "D", "--from-date": "t", "--before-date": "tt",
    "--compression-method": "Z", "--fix": "F", "--fixfix": "FF", "--difference-archive": "DF", "--dot-size": "ds",
    "--archive-comment": "z", "--entry-comments": "c", "--latest-time": "o", "--paths": "p", "--no-wild": "nw",
    "--help": "h", "--license": "L", "--must-match": "MM", "--to-crlf": "l", "--from-crlf": "ll",
}  # fmt: skip


def _zip_words(args: Args) -> tuple[dict[str, list[Word]], list[Word], list[str]]:
    """Options with their values, paths, and options nobody knows."""
    given: dict[str, list[Word]] = {}
    paths: list[Word] = []
    unknown: list[str] = []
    words = list(args.operands)
    plain = listing = False
    while words:
        word = words.pop(0)
        text = word.value or ""
        if plain or not text.startswith("-") or text == "-":
            if listing and text != "@":
                continue
            if not listing:
                paths.append(word)
            listing = False
            continue
        if text == "--":
            plain, listing = True, False
            continue
        names, value = _zip_option(text)
        listing = False
        for name in names:
            if name not in ZIP_VALUES:
                given.setdefault(name, [])
                if name not in ZIP_FLAGS:
                    unknown.append(name)
            elif value or words:
                got = Word(value, value) if value else words.pop(0)
                given.setdefault(name, []).append(got)
                listing = ZIP_VALUES[name] == "list" and not value and not got.text.startswith("@")
    return given, paths, unknown


def _zip_option(text: str) -> tuple[list[str], str]:
    """The options in one word, and the value attached to the last one."""
    if text.startswith("--"):
        name, _, value = text.partition("=")
        return [ZIP_LONG.get(name, name)], value
    names: list[str] = []
    at = 1
    while at < len(text):
        pair = text[at : at + 2]
        name = pair if len(pair) == 2 and (pair in ZIP_FLAGS or pair in ZIP_VALUES or pair in ZIP_PAIRS) else text[at]
        at += len(name)
        if text[at : at + 1] == "-":
            names.append(f"{name}-")
            break
        names.append(name)
        if name in ZIP_VALUES:
            return names, text[at:].removeprefix("=")
    return names, ""


def _zip(args: Args) -> Iterator[Fact]:
    given, paths, unknown = _zip_words(args)
    for name in unknown:
        yield args.gap(f"option {name if name.startswith('-') else '-' + name} is not known")
    for word in args.operands:
        if word.value is None and not word.pattern:
            yield args.gap(f"a word is not known ({word.why})", blind=True)
    for name, words in given.items():
        for word in words:
            role = ZIP_VALUES[name]
            if role == "list":
                if (word.value or "").startswith("@"):
                    yield from args.file("read", Word(word.text, (word.value or "")[1:]))
            elif name in ("lf", "O"):
                yield from args.file("write", _with_suffix(word, ".log" if name == "lf" else ".zip"))
            else:
                yield from args.act(role, word)
    if "TT" in given:
        yield args.gap("tests the archive with another program")
    if paths:
        reads_only = "sf" in given or "O" in given or ("T" in given and len(paths) == 1)
        yield from args.file("read" if reads_only else "write", _with_suffix(paths[0]))
    yield from _zipped(args, given, paths[1:])


def _with_suffix(word: Word, suffix: str = ".zip") -> Word:
    """zip adds an ending to a name without a dot."""
    value = word.value
    if value is None or value == "-" or "." in value.rpartition("/")[2]:
        return word
    return Word(word.text, f"{value}{suffix}")


def _zipped(args: Args, given: dict[str, list[Word]], paths: list[Word]) -> Iterator[Fact]:
    if "@" in given:
        yield args.gap("the names of what is packed come from standard input", blind=True, reading=True)
    if "d" in given or "U" in given:
        return
    if "R" in given:
        paths = [HERE]
    deep = "r" in given or "R" in given
    follows: Follows | None = "" if "y" in given else "all" if deep else None
    for word in paths:
        yield from args.file("list" if "sf" in given else "read", word, deep=deep, follows=follows)
        if "m" in given:
            yield from args.file("delete", word, deep=deep)


# --- unzip -----------------------------------------------------------------------------------------------------------


def _archives(args: Args) -> list[Word]:
    """The first operand; dashes alone are an option without letters, and the archive stands behind them."""
    return args.operands if any(word.value in ("-", "--") for word in args.call.words) else args.operands[:1]


@turns_off("-Z -c -l -p -t -T -v -z -d -h")
def _unzip(args: Args) -> Iterator[Fact]:
    for word in _archives(args):
        yield from _zip_read(args, word)
    if args.has("-p", "-c"):
        yield from args.printed(args.operands[1:])
    if not args.operands or args.has("-Z", "-l", "-v", "-t", "-p", "-c", "-z", "-h"):
        return
    if args.has("-T"):
        yield from args.file("write", args.operands[0], code="mode")
        return
    if args.has("-:"):
        yield args.gap("members may be written anywhere", blind=True)
    yield from args.file("write", (args.values("-d") or [HERE])[-1], deep=True, code="extracted")


def _zip_read(args: Args, word: Word) -> Iterator[Fact]:
    """unzip looks for a name itself and with `.zip`, and knows patterns."""
    value = word.value
    if value is not None and any(sign in value for sign in "*?["):
        word = Word(word.text, None, "names of files", value, many=True)
    yield from args.file("read", word)
    if value is not None and "." not in value.rpartition("/")[2]:
        for fact in args.file("read", Word(word.text, f"{value}.zip")):
            yield replace(fact, possible=True) if isinstance(fact, Effect) else fact


def _zipinfo(args: Args) -> Iterator[Fact]:
    for word in _archives(args):
        yield from _zip_read(args, word)


# --- 7z and rar: a command word, then switches without blanks, the archive and paths ---------------------------------

SEVEN_FLAGS = frozenset("-y -r -r- -r0 -so -si -bd -ba -bt -sccUTF-8 -scsUTF-8 -slt -ssc -ssc- -ssp -snh -snl -spe -spd"
                        " -ssw -slp -aoa -aos -aou -aot -bb -bb0 -bb1 -bb2 -bb3 -sns -sns-".split())  # fmt: skip
SEVEN_VALUES = ("-m", "-p", "-t", "-x!", "-xr!", "-i!", "-ir!", "-v", "-o", "-bs", "-w", "-u", "-scrc", "-stl")
RAR_FLAGS = frozenset("-y -r -r0 -r- -o+ -o- -or -ep -ep1 -ep2 -ad -idq -idp -idc -idn -inul -c- -cfg- -s -s- -k -t"
                      " -m0 -m1 -m2 -m3 -m4 -m5 -ma4 -ma5 -ai -kb -vp -av- -u -f".split())  # fmt: skip
RAR_VALUES = ("-p", "-hp", "-x", "-n", "-v", "-mt", "-rr", "-md")
READING = {"l": "list", "t": "test", "lb": "list", "lt": "list", "lta": "list", "v": "list", "vb": "list", "vt": "list"}


def _seven(args: Args) -> Iterator[Fact]:
    command, paths, switches = _switched(args)
    yield from _odd_switches(args, switches, SEVEN_FLAGS, SEVEN_VALUES)
    if command in ("i", "b", "h", ""):
        for word in paths if command == "h" else ():
            yield from args.file("read", word, deep=True)
        return
    if "-an" in switches:
        for word in paths:
            yield from args.file("read", word, deep=True)
    folder = next((switch[2:] for switch in switches if switch.startswith("-o")), ".")
    follows = "-snl" not in switches
    yield from _archived(args, command, paths, folder, to_stdout="-so" in switches, follows=follows)
    if "-sdel" in switches:
        for word in paths[1:]:
            yield from args.file("delete", word, deep=True)
    if "-spf" in switches or "-spf2" in switches:
        yield args.gap("members may be written anywhere", blind=True)


def _rar(args: Args) -> Iterator[Fact]:
    command, paths, switches = _switched(args)
    yield from _odd_switches(args, switches, RAR_FLAGS, RAR_VALUES)
    if not command:
        return
    folder = "."
    if command in ("x", "e") and len(paths) > 1 and (paths[-1].value or "").endswith("/"):
        folder = paths[-1].value or "."
    follows = not any(switch.startswith("-ol") for switch in switches)
    yield from _archived(args, command, paths, folder, to_stdout=command == "p", follows=follows)
    if command in ("m", "mf") or "-df" in switches:
        for word in paths[1:]:
            yield from args.file("delete", word, deep=True)


def _switched(args: Args) -> tuple[str, list[Word], list[str]]:
    """The command, the archive and paths, and the switches; behind `--` there are none."""
    words: list[Word] = []
    switches: list[str] = []
    plain = False
    for word in args.operands:
        text = word.value or ""
        if text == "--" and not plain:
            plain = True
        elif text.startswith("-") and len(text) > 1 and not plain:
            switches.append(text)
        else:
            words.append(word)
    command = (words[0].value or "?") if words else ""
    return command, words[1:], switches


def _odd_switches(args: Args, switches: list[str], flags: frozenset[str], values: tuple[str, ...]) -> Iterator[Fact]:
    for word in args.operands:
        if word.value is None and not word.pattern:
            yield args.gap(f"a word is not known ({word.why})", blind=True)
    for switch in switches:
        if switch.startswith("-w") and "-w" in values and switch[2:]:
            yield from args.file("write", Word(switch, switch[2:]), deep=True)
        elif switch not in flags and (not switch.startswith(values) or (switch.startswith("-u") and "!" in switch)):
            yield args.gap(f"switch {switch} is not known")


def _archived(
    args: Args, command: str, paths: list[Word], folder: str, *, to_stdout: bool, follows: bool
) -> Iterator[Fact]:
    """What a command does with the archive, the first path, and the files behind it."""
    for word in paths:
        if (word.value or "").startswith("@"):
            yield from args.file("read", Word(word.text, (word.value or "")[1:]))
            yield args.gap("a list names what is packed", blind=True, reading=True)
    archive, files = paths[:1], paths[1:]
    if command in READING or command == "p" or command in ("x", "e"):
        for word in archive:
            yield from args.file("read", word)
        if command in ("x", "e") and not to_stdout:
            yield from args.file("write", Word(folder, folder), deep=True, code="extracted")
        return
    for word in archive:
        yield from args.file("write", word)
    if command in ("a", "u", "m", "mf", "f"):
        for word in files:
            yield from args.file("read", word, deep=True, follows="all" if follows else "")
    elif command not in ("d", "rn"):
        yield args.gap(f"command {command} is not known", blind=command == "?")


SEVEN = Program(operands="text*", style="plain", more=_seven)
RAR = Program(operands="text*", style="plain", more=_rar)

PROGRAMS = {
    "zip": Program(operands="text*", style="plain streams", more=_zip),
    "unzip": Program(
        "-Z -A -c -f -l -p -t -T -u -v -z -a -b -B -C -D -j -J -K -L -M -n -N -o -P= -q -s -U -V -W -X -x -d= -:"
        " -^ -1 -2"
        " -m -h -O= -I=",
        "text*",
        more=_unzip,
    ),
    "zipinfo": Program("-1 -2 -s -m -l -v -h -t -T -z -C -M -x -O= -I=", "text*", more=_zipinfo),
    "7z": SEVEN,
    "7za": SEVEN,
    "7zr": SEVEN,
    "7zz": SEVEN,
    "rar": RAR,
    "unrar": RAR,
}

EXAMPLES = {
    "zip -sf a.zip": "read a.zip",
    "zipinfo -- -m .env": "read -m | maybe read -m.zip | read .env",
    "zipinfo - .env": "maybe read - | maybe read -.zip | read .env",
    "zip -sf a b": "read a.zip | list b",
    "zip out.zip a b": "write out.zip | read a | read b",
    "zip -r out src -x '*.pyc' '*/x/*'": "write out.zip | read src/**",
    "zip -qr - src": "read src/**",
    "zip -qm x.zip data.txt": "write x.zip | read data.txt | delete data.txt",
    "zip -q o.zip README.md -T -TT 'touch pwned #'": "run touch pwned # #program | write o.zip | read README.md"
    " | gap zip: tests the archive with another program",
    "zip -qTTid o.zip a": "run id #program | write o.zip | read a | gap zip: tests the archive with another program",
    "zip -T out.zip": "read out.zip",
    "zip -r -O b.zip a.zip src": "write b.zip | read a.zip | read src/**",
    "zip -@ out.zip": "write out.zip | blind zip: the names of what is packed come from standard input",
    "zip -d out.zip '*.txt'": "write out.zip",
    "zip -lf log out.zip a": "write log.log | write out.zip | read a",
    "zip --unzip-com id o.zip a": "write id.zip | read o.zip | read a | gap zip: option --unzip-com is not known",
    "unzip -l a.zip": "read a.zip",
    "unzip -p a.zip README.md": "read a.zip",
    "unzip -Z1 a.zip": "read a.zip",
    "unzip a": "read a | maybe read a.zip | write ./** #extracted",
    "unzip -qo a.zip -d ~": "read a.zip | write /home/u/** #extracted",
    "unzip -o -d out a.zip 'src/*' -x b": "read a.zip | write out/** #extracted",
    "unzip -: a.zip": "read a.zip | write ./** #extracted | blind unzip: members may be written anywhere",
    "unzip '*.zip'": "read *.zip (glob) | write ./** #extracted",
    "unzip -v": "note unzip",
    "zipinfo -1 a.zip": "read a.zip",
    "7z l a.7z": "read a.7z",
    "7z x a.7z -oout -y": "read a.7z | write out/** #extracted",
    "7z a -mx=9 out.7z src": "write out.7z | read src/**",
    "7z a out.7z @list": "read list | write out.7z | read @list/** | blind 7z: a list names what is packed",
    "7z a out.7z a -sdel": "write out.7z | read a/** | delete a/** | gap 7z: switch -sdel is not known",
    "7z a -ttar -an -so .env": "read .env/** | write .env | gap 7z: switch -an is not known",
    "7za t a.7z": "read a.7z",
    "7zr x a.7z -so": "read a.7z",
    "7zz x a.7z -spf": "read a.7z | write ./** #extracted | gap 7zz: switch -spf is not known"
    " | blind 7zz: members may be written anywhere",
    "rar a out.rar docs": "write out.rar | read docs/**",
    "unrar l a.rar": "read a.rar",
    "unrar x -y a.rar out/": "read a.rar | write out//** #extracted",
}
