"""Interpreters of scripting languages: source on the command line, from a file or from standard input is run.

Python has a file of its own.
"""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.projects import HERE, code_given, defined, only_asks, packs, unmarked
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def from_input(args: Args) -> Iterator[Fact]:
    """No file and no text: the source comes from standard input, be it a pipe or a person."""
    yield args.effect("run", f"{args.name} code", "stdin")


TOLD = frozenset("manage.py artisan console setup.py".split())
"""Files of projects that everybody calls so."""


def script(args: Args, words: list[Word]) -> Iterable[Fact]:
    """The first word is a file to run, the others are its arguments; of some names it is known what they undo."""
    if not words or words[0].value == "-":
        return from_input(args)
    found = args.acts("script", words[0])
    name = (words[0].value or "").rpartition("/")[2]
    if name in TOLD and len(words) > 1:
        from assent.commands.irreversible import lost

        found += [*lost(args, name, words[1:]), *code_given(args, name, words[1:])]
    return found


def _unless(*codes: str) -> Callable[[Args], Iterator[Fact]]:
    """Runs a file or standard input unless one of these options already gave the source."""

    def more(args: Args) -> Iterator[Fact]:
        if not args.has(*codes) and not only_asks(args):
            yield from script(args, args.operands)

    return turns_off(" ".join(codes))(more)


def _may_be_folder(path: str) -> bool:
    """A folder stands for the file that its own settings name."""
    name = path.rstrip("/").rpartition("/")[2]
    return "." not in name.strip(".")


@turns_off("-c -e -p --run")
def _node(args: Args) -> Iterator[Fact]:
    words = args.operands
    for word in args.values("--test-reporter"):
        if word.value not in ("spec", "tap", "dot", "junit", "lcov"):
            yield args.gap("a test reporter may be a program")
    if args.has("--run"):
        yield from defined(args, f"node --run {args.text('--run') or '…'}", ("package.json",))
    elif args.has("-p") and not args.has("-e") and words:
        yield from args.act("code", words[0])
    elif args.has("-c"):
        for word in words:
            yield from args.file("read", word, deep=_may_be_folder(word.value or word.pattern))
    elif args.has("--test"):
        yield from defined(args, "node --test", ("package.json", *(word.value for word in words if word.value)))
        for word in words:
            yield from args.file("read", word, deep=True)
    elif not args.has("-e") and not only_asks(args):
        yield from script(args, words)


HARMLESS_INI = (
    "memory_limit= max_execution_time= display_errors= error_reporting= pcov.enabled= zend.assertions="
    " date.timezone= opcache.enable_cli= short_open_tag= display_startup_errors= html_errors= precision="
).split()


HARMLESS_MODES = frozenset({"xdebug.mode=off", "xdebug.mode=coverage", "xdebug.mode=develop"})
"""The others of xdebug write files or connect to a debugger."""


@turns_off("-i -m -l -s -w --ini --rf --rc --re --ri -r -F -f -S", everything="-t")
def _php(args: Args) -> Iterator[Fact]:
    for word in args.values("-d"):
        text = word.value
        if text is None or "\n" in text or not (text.startswith(tuple(HARMLESS_INI)) or text in HARMLESS_MODES):
            yield args.gap("a setting may load code or write files")
    if args.has("-i"):
        yield args.effect("note", "the environment", "environment")
    if args.has("-S"):
        yield args.effect("change", "a web server", "net.listen")
        for word in args.values("-t") or (HERE,):
            yield from packs(args, word)
        yield from args.project("php -S", ("index.php", *(word.value for word in args.operands if word.value)))
    elif args.has("-l", "-s", "-w"):
        for word in args.operands:
            yield from args.file("read", word)
    elif not args.has("-r", "-f", "-i", "-m", "--ini", "--rf", "--rc", "--re", "--ri", "-F") and not only_asks(args):
        yield from script(args, args.operands)


SWIFT_MOVES = ("--package-path", "--multiroot-data-file", "--toolset", "--destination", "--config-path")


def _swift(args: Args) -> Iterator[Fact]:
    first = args.operands[0].value if args.operands else None
    if first in ("build", "test", "run", "package"):
        moved = any((word.value or "-").startswith(SWIFT_MOVES) for word in args.operands)
        files = ("Package.swift", "Package@swift-*.swift", "**/Package.swift", "Plugins/**/*.swift")
        yield from unmarked(args, f"swift {first}") if moved else args.project(f"swift {first}", files)
    elif args.operands and first is not None and "." not in first and "/" not in first:
        yield from args.act("run", Word(f"swift {first}", f"swift {first}"))
        yield args.gap(f"subcommand {first} is not known")
    elif not only_asks(args):
        yield from script(args, args.operands)


MEMORY = ("-Xmx", "-Xms", "-Xss", "-Xmn")
SHARED_CLASSES = ("-Xshare:auto", "-Xshare:on", "-Xshare:off")
"""`-Xshare:dump` writes an archive of them."""


def _java(given: Args) -> Iterator[Fact]:
    """`-jar FILE`, `FILE.java` or the name of a class somewhere on the class path; the rest is for what runs."""
    values = [word.value for word in given.operands]
    starts = [values.index(option) for option in ("-jar", "-m", "--module") if option in values]
    own = min(starts) + 2 if starts else len(values)
    args = given.__class__(given.call, given.number, given.base, given.name, JAVA_OWN)
    words = given.operands[:own]
    yield from args.take(tuple(word for word in words if not (word.value or "").startswith("-X")))
    for word in words:
        text = word.value or ""
        if text.startswith("-X") and not (text.startswith(MEMORY) or text in SHARED_CLASSES):
            yield args.gap(f"option {text.partition(':')[0]} may load code or write files")
    if args.has("-jar", "-m") or only_asks(args):
        return
    if not args.operands:
        yield args.effect("note", args.name)
        return
    first = args.operands[0]
    if first.value is None or first.value.endswith(".java"):
        yield from args.act("script", first)
    else:
        yield args.effect("run", f"java {first.value}", "program")
        yield args.gap("what is on the class path is not known")


def _jshell(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from args.act("script", word)
    if not only_asks(args):
        yield from from_input(args)


def _erlang(args: Args) -> Iterator[Fact]:
    yield args.effect("run", f"{args.name} code", "inline")


def _powershell(args: Args) -> Iterator[Fact]:
    """Its options have many abbreviations, so the words are looked at only to tell a version from code."""
    words = [(word.value or "").lower() for word in args.operands]
    if words in (["-version"], ["--version"], ["-v"], ["-help"], ["-h"], ["-?"], ["--help"]):
        return
    yield args.effect("run", f"{args.name} code", "inline")
    yield args.gap("PowerShell code is not understood", blind=True)


def _r(args: Args) -> Iterator[Fact]:
    if args.operands and args.operands[0].value == "CMD":
        yield args.effect("run", " ".join(["R", *(word.text for word in args.operands[:2])]), "program")
        yield args.gap("R CMD is not understood")
    elif not args.has("-e", "-f") and not only_asks(args):
        yield from from_input(args)


# --- switches in the manner of perl --------------------------------------------------------------------------------


DIGITS = {"0": "01234567", "l": "01234567", "C": "0123456789IOEioADSLa"}
"""What may stand behind a letter before the cluster goes on."""


def _switched(args: Args, flags: str, counted: str, rest: str, valued: str) -> Iterator[Fact]:
    """Reads switches such as `-0777ne CODE` and `-i.bak` from the front of the words."""
    words, at = args.operands, 0
    while at < len(words):
        text = words[at].value
        if text is None or len(text) < 2 or text[0] != "-":
            break
        at += 1
        if text == "--":
            break
        if text.startswith("--"):
            args.given[text] = []
            if text not in ("--version", "--help"):
                yield args.gap(f"option {text} is not known")
            continue
        wants = yield from _cluster(args, text, flags, counted, rest, valued)
        if wants and at < len(words):
            args.given[wants].append(words[at])
            at += 1
    args.operands = words[at:]


def _cluster(args: Args, text: str, flags: str, counted: str, rest: str, valued: str) -> Generator[Fact, None, str]:
    """One word of switches: `counted` letters have digits behind them, `rest` letters the remainder of the word,
    `valued` letters the remainder or the next word; returns the switch that wants the next word."""
    place = 1
    while place < len(text):
        letter, place = text[place], place + 1
        given = args.given.setdefault(f"-{letter}", [])
        if letter in counted:
            while place < len(text) and text[place] in DIGITS[letter]:
                place += 1
        elif letter in rest or (letter in valued and place < len(text)):
            given.append(Word(text[place:], text[place:]))
            return ""
        elif letter in valued:
            return f"-{letter}"
        elif letter not in flags:
            yield args.gap(f"option -{letter} is not known")
    return ""


VERSIONS = frozenset({"-v", "-h", "--version", "--help"})


def _filter(args: Args, *codes: str) -> Iterator[Fact]:
    """Code on the command line; `-n` and `-p` read the operands, `-i` writes them back."""
    for word in args.values(*codes):
        yield from args.act("code", word)
    coded = args.has(*codes)
    asks = not args.operands and bool(args.given) and VERSIONS.issuperset(args.given)
    if not coded and not asks:
        yield from script(args, args.operands)
    for word in args.operands if coded else args.operands[1:]:
        if args.has("-n", "-p"):
            yield from args.file("read", word)
        if args.has("-i"):
            yield from args.file("write", word)


def _perl(args: Args) -> Iterator[Fact]:
    yield from _switched(args, "acfnpstTuUvwWXSgh", "0lC", "iFVxd", "eEIMm")
    for word in args.values("-M", "-m"):
        yield args.effect("run", f"perl module {word.text}", "program")
    if args.has("-d"):
        yield args.gap("the debugger runs commands", blind=any(word.value for word in args.values("-d")))
    if args.has("-V") and not args.operands and not args.has("-e", "-E"):
        yield from _found_first(args)
    else:
        yield from _filter(args, "-e", "-E")


def _found_first(args: Args) -> Iterator[Fact]:
    """Even to show settings or to check a file, modules are loaded: `Config`, `rubygems`; from these folders first."""
    for word in args.values("-I"):
        yield args.effect("run", f"modules in {word.text}", "program")


HTTPD = "httpd"
"""`ruby -run -e httpd`: a function of the library `un` that serves a folder."""


def _ruby(args: Args) -> Iterator[Fact]:
    yield from _switched(args, "aclnpsSUvwyhd", "0", "iFWxTK", "eIrCE")
    for word in args.values("-r"):
        yield args.effect("run", f"ruby library {word.text}", "program")
    if any(word.value in (None, "un") for word in args.values("-r")) and any(
        (word.value or HTTPD).startswith(HTTPD) for word in args.values("-e")
    ):
        yield args.effect("change", "a web server", "net.listen")
        folders = [word for word in args.operands if (word.value or "")[:1] != "-"]
        for word in (HERE, *folders):  # which of the words is the folder, its options decide
            yield from packs(args, word)
    if args.has("-C"):
        yield args.gap("runs in another folder")
    if args.has("-c") and not args.has("-e"):
        yield from _found_first(args)
        for word in args.operands:
            yield from args.file("read", word)
        return
    yield from _filter(args, "-e")


NODE = Program(
    "-v,--version -h,--help --v8-options -c,--check -e,--eval=code -p,--print -i,--interactive -r,--require=script"
    " --import=script --loader,--experimental-loader=script --env-file=script --env-file-if-exists=script --test"
    " --test-only"
    " --test-name-pattern= --test-skip-pattern= --test-reporter= --test-concurrency= --test-timeout= --run= --watch"
    " --trace-warnings --no-warnings --disable-warning= --trace-deprecation --no-deprecation --throw-deprecation"
    " --trace-uncaught --stack-trace-limit= --max-old-space-size= --max_old_space_size= --max-semi-space-size="
    " --stack-size= --expose-gc --expose_gc --harmony --enable-source-maps --experimental-strip-types"
    " --no-experimental-strip-types --experimental-transform-types --experimental-vm-modules --experimental-modules"
    " --experimental-json-modules --experimental-default-type= --experimental-specifier-resolution= --input-type="
    " --experimental-test-coverage --experimental-fetch --no-experimental-fetch --experimental-sqlite"
    " --preserve-symlinks --preserve-symlinks-main --unhandled-rejections= --dns-result-order= --title= --use-strict"
    " -C,--conditions= --redirect-warnings=write --frozen-intrinsics --pending-deprecation --trace-exit"
    " --trace-sync-io --zero-fill-buffers --openssl-legacy-provider --use-openssl-ca --use-system-ca",
    "text*",
    more=_node,
    style="posix",
)
PERL = Program(operands="text*", more=_perl, style="plain")
RUBY = Program(operands="text*", more=_ruby, style="plain")
PHP = Program(
    "-v,--version -h,--help -i,--info -m,--modules -n,--no-php-ini -q,--no-header -a,--interactive -l,--syntax-check"
    " -s,--syntax-highlight -w,--strip -e -r,--run=code -R,--process-code=code -B,--process-begin=code"
    " -E,--process-end=code -F,--process-file=script -f,--file=script -d,--define= -S,--server= -t,--docroot= --ini"
    " --rf= --rc= --re= --ri=",
    "text*",
    more=_php,
    style="posix",
)
LUA = Program("-v,--version -i -E -W -e=code -l=run", "text*", more=_unless("-e"), style="posix")
JULIA = Program(
    "-v,--version -h,--help -e,--eval=code -E,--print=code -L,--load=script -i -q,--quiet --banner= -p,--procs="
    " -t,--threads= --color= --startup-file= --history-file= --project[=]choice --depwarn= --optimize= -O[=]"
    " --warn-overwrite="
    " --check-bounds= --inline= --compiled-modules= --pkgimages=",
    "text*",
    more=_unless("-e", "-E"),
    style="posix",
)
R_OPTIONS = (
    "--version --help -e=code --vanilla --no-save --save --no-restore --no-environ --no-site-file --no-init-file"
    " --verbose --no-echo --quiet --silent -q --slave -s --no-readline"
)
JAVA_OWN = Program(
    "-version,--version -showversion,--show-version -fullversion,--full-version -h,-help,--help,-? -jar=script"
    " -m,--module=run -cp,-classpath,--class-path= -p,--module-path= --add-modules= --add-opens= --add-exports="
    " --enable-preview --source= -ea,-enableassertions -da,-disableassertions -server -client --list-modules",
    "text*",
    style="posix single response",
)
JAVA = Program(operands="text*", more=_java, style="plain")
POWERSHELL = Program(operands="text*", more=_powershell, style="plain")

PROGRAMS = {
    "node": NODE,
    "nodejs": NODE,
    "perl": PERL,
    "ruby": RUBY,
    "irb": Program(
        "-v,--version -h,--help -f --noprompt --simple-prompt -r=run -I=choice", "text*", more=_unless(), style="posix"
    ),
    "php": PHP,
    "lua": LUA,
    "luajit": LUA,
    "julia": JULIA,
    "Rscript": Program(f"{R_OPTIONS} --default-packages=", "text*", more=_unless("-e"), style="posix"),
    "R": Program(f"{R_OPTIONS} -f,--file=script", "text*", more=_r, style="posix"),
    "swift": Program(
        "--version -version -v -h,--help -O -I=choice -F=choice -L=choice -l=choice",
        "text*",
        more=_swift,
        style="posix",
    ),
    "scala": Program("-version,--version -h,--help,-help -e=code", "text*", more=_unless("-e"), style="posix single"),
    "groovy": Program("-v,--version -h,--help -e=code", "text*", more=_unless("-e"), style="posix"),
    "tclsh": Program("", "text*", more=_unless(), style="posix"),
    "wish": Program("", "text*", more=_unless(), style="posix"),
    "guile": Program(
        "-v,--version -h,--help -c=code -s=script -l=script -q --no-auto-compile --fresh-auto-compile -L=choice"
        " -C=choice -x=choice",
        "text*",
        more=_unless("-c", "-s"),
        style="posix",
    ),
    "racket": Program(
        "-v,--version -h,--help -e,--eval=code -f,--load=script -r,--script=script -t,--require=script -l,--lib=run"
        " -p= -n,--no-lib -i,--repl -q",
        "text*",
        more=_unless("-e", "-f", "-r", "-t", "-l"),
        style="posix",
    ),
    "elixir": Program(
        "-v,--version -h,--help -e,--eval=code -r=script -S=run --no-halt",
        "text*",
        more=_unless("-e", "-S"),
        style="posix",
    ),
    "erl": Program(operands="text*", more=_erlang, style="plain"),
    "runghc": Program("--version --help -f=run -i=choice -X=", "text*", more=_unless(), style="posix"),
    "java": JAVA,
    "jshell": Program(
        "--version --help -h -q -s -v --class-path= --module-path= --add-modules= --enable-preview --no-startup"
        " --startup=script --feedback= -R= -J= -C=",
        "text*",
        more=_jshell,
    ),
    "pwsh": POWERSHELL,
    "powershell": POWERSHELL,
}

EXAMPLES = {
    "node --version": "note node",
    "node -v": "note node",
    "nodejs -v": "note nodejs",
    "node a.js --flag": "read a.js | run a.js #script",
    "node -e 'process.exit()'": "run node code #inline",
    "node -p 1+1": "run node code #inline",
    "node -pe 1+1": "run node code #inline",
    "node --check a.js": "read a.js",
    "node -r ./hook.js --check a.js": "read ./hook.js | run ./hook.js #script | read a.js",
    "node --env-file=a --check a.js": "read a | run a #script | read a.js",
    "node --test": "run node --test #project",
    "node --run build": "run node --run build #project",
    "node --inspect a.js": "read a.js | run a.js #script | gap node: option --inspect is not known",
    "node < a.js": "read a.js #redirect | run node code #stdin",
    "node $X": "note node | blind node: a word is not known (variable X) | blind node: script is not "
    "known (variable X)",
    "perl -v": "note perl",
    "perl -V": "note perl",
    "perl -V:version": "note perl",
    "perl -Ilib -MX -V:version": "run perl module X #program | run modules in lib #program",
    "perl -d:X -V": "note perl | blind perl: the debugger runs commands",
    "perl -E 1 -V": "run perl code #inline",
    "perl -e 'print 1'": "run perl code #inline",
    "perl -ne 'print' README.md": "run perl code #inline | read README.md",
    "perl -0777 -i.bak -pe 's/a/b/' a": "run perl code #inline | read a | write a",
    "perl -0777pe 's/a/b/' a": "run perl code #inline | read a",
    "perl -pi -e 's/a/b/' a b": "run perl code #inline | read a | write a | read b | write b",
    "perl -lane 'print $F[0]' data.txt": "run perl code #inline | read data.txt",
    "perl -c a.pl": "read a.pl | run a.pl #script",
    "perl -MO=Deparse -e 1": "run perl module O=Deparse #program | run perl code #inline",
    "perl -e1 $X": "run perl code #inline",
    "perl -CSDne print a": "run perl code #inline | read a",
    "ruby -E UTF-8 -e 1": "run ruby code #inline",
    "ruby -v": "note ruby",
    "ruby -e 'puts 1'": "run ruby code #inline",
    "ruby -c a.rb": "read a.rb",
    "ruby -Ilib -c a.rb": "run modules in lib #program | read a.rb",
    "ruby a.rb x": "read a.rb | run a.rb #script",
    "ruby -ne 'print' a": "run ruby code #inline | read a",
    "irb": "run irb code #stdin",
    "php -v": "note php",
    "php -l a.php": "read a.php",
    "php -i": "note the environment #environment",
    "php -r 'echo 1;'": "run php code #inline",
    "php a.php": "read a.php | run a.php #script",
    "php -d auto_prepend_file=x a.php": "read a.php | run a.php #script"
    " | gap php: a setting may load code or write files",
    "php -d xdebug.mode=off -l a.php": "read a.php",
    "php -d xdebug.mode=profile -l a.php": "read a.php | gap php: a setting may load code or write files",
    "lua -e 'print(1)'": "run lua code #inline",
    "luajit a.lua": "read a.lua | run a.lua #script",
    "julia -e 'println(1)'": "run julia code #inline",
    "Rscript a.R": "read a.R | run a.R #script",
    "Rscript -e '1+1'": "run Rscript code #inline",
    "R --version": "note R",
    "R CMD check x": "run R CMD check #program | gap R: R CMD is not understood",
    "swift test": "run swift test #project",
    "swift test --package-path src": "run swift test #program",
    "swift a.swift": "read a.swift | run a.swift #script",
    "scala -e 1": "run scala code #inline",
    "groovy a.groovy": "read a.groovy | run a.groovy #script",
    "tclsh a.tcl": "read a.tcl | run a.tcl #script",
    "wish a.tcl": "read a.tcl | run a.tcl #script",
    "guile -c 1": "run guile code #inline",
    "racket a.rkt": "read a.rkt | run a.rkt #script",
    "elixir -e 1": "run elixir code #inline",
    "erl -noshell -eval 'halt().'": "run erl code #inline",
    "runghc a.hs": "read a.hs | run a.hs #script",
    "java -version": "note java",
    "java -showversion Main": "run java Main #program | gap java: what is on the class path is not known",
    "java -cp @opts -version": "read opts | note java | blind java: @opts holds more of its words",
    "java -Xshare:dump": "note java | gap java: option -Xshare may load code or write files",
    "java -javaagent:a.jar -version": "note java | gap java: option -javaagent:a.jar is not known",
    "java -jar a.jar x": "read a.jar | run a.jar #script",
    "java Main.java": "read Main.java | run Main.java #script",
    "java -cp . Main": "run java Main #program | gap java: what is on the class path is not known",
    "jshell a.jsh": "read a.jsh | run a.jsh #script | run jshell code #stdin",
    "java -Xmx4g -jar a.jar": "read a.jar | run a.jar #script",
    "pwsh -Command ls": "run pwsh code #inline | blind pwsh: PowerShell code is not understood",
    "powershell -Version": "note powershell",
    "java -jar a.jar -s x": "read a.jar | run a.jar #script",
    "java -cp a -jar b.jar -x": "read b.jar | run b.jar #script",
}
