"""Structured data: jq, yq and their kin for JSON, YAML, TOML, XML and HTML. Their programs are data, not code.

What leaves that picture: options that write, modules and files a program names, the environment, and addresses.
"""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.projects import only_asks, perhaps
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
PATH_SIGNS = LETTERS | frozenset("./-~")
JQ_LOADS = frozenset(("import", "include", "modulemeta", "get_search_list"))
YQ_LOADS = frozenset(("strload", "eval", "system", *JQ_LOADS))
LOADING = ("load(", "load_str(", "load_xml(", "load_props(", "load_base64(", "strload(")
APART = str.maketrans('";[],', "     ")
ENVIRONMENT = frozenset(("env", "$ENV", "strenv", "envsubst"))
TWO_TEXTS = frozenset(("--arg", "--argjson"))
JC_FLAGS = frozenset("-adhmpqrCMuyB")
NAME_AND_FILE = frozenset(("--slurpfile", "--rawfile", "--argfile"))


def _names(program: str) -> Iterator[str]:
    """Names a program uses, such as `env` and `$ENV`; not fields (`.env`), keys (`{env: 1}`) nor texts.

    A text may hold programs in `\\( )`; those are looked at like everything else.
    """
    at = 0
    nested: list[int] = []
    depth = 0
    while at < len(program):
        sign = program[at]
        if sign == '"':
            at, opened = _behind_text(program, at + 1)
            if opened:
                nested.append(depth)
        elif sign == "#":
            end = program.find("\n", at)
            at = len(program) if end < 0 else end
        elif sign in LETTERS:
            end = at
            while end < len(program) and program[end] in LETTERS:
                end += 1
            if program[at - 1 : at] != "." and not program[end:].lstrip().startswith(":"):
                yield ("$" if program[at - 1 : at] == "$" else "") + program[at:end]
            at = end
        else:
            depth += {"(": 1, ")": -1}.get(sign, 0)
            at += 1
            if nested and depth < nested[-1]:
                depth = nested.pop()
                at, opened = _behind_text(program, at)
                if opened:
                    nested.append(depth)


def _behind_text(program: str, at: int) -> tuple[int, bool]:
    """The place behind a text's end, or behind a `\\(` inside of it."""
    while at < len(program):
        if program[at] == "\\":
            if program[at + 1 : at + 2] == "(":
                return at + 2, True
            at += 2
        elif program[at] == '"':
            return at + 1, False
        else:
            at += 1
    return at, False


def _program(args: Args, word: Word, loads: frozenset[str]) -> Iterator[Fact]:
    if word.value is None:
        yield args.gap(f"the program is not known ({word.why})", reading=True)
        return
    names = set(_names(word.value))
    if not names.isdisjoint(ENVIRONMENT):
        yield args.effect("note", "the environment", "environment")
    for name in sorted(name for name in names if name in loads or name.startswith("load")):
        yield args.gap(f"the program uses `{name}`", blind=name == "system", reading=name != "system")


def _given_files(args: Args, program: str) -> Iterator[Fact]:
    """Literal arguments in a program of yq: `load("a")`, `load_str("a")` read files, `system("id"; "x")` starts one."""
    for piece in (*LOADING, "system"):
        at = program.find(piece)
        while at >= 0:
            behind = program[at:].partition("(")[2].lstrip()
            end, _ = _behind_text(behind, 1)
            text = behind[1 : end - 1]
            if behind.startswith('"') and piece == "system":
                rest = behind[end:].partition(")")[0].translate(APART)
                yield args.effect("run", " ".join([text, *rest.split()]), "inline")
            elif behind.startswith('"'):
                yield from args.file("read", Word(text, text))
            at = program.find(piece, at + 1)


def _without_pairs(args: Args, inner: Args) -> Iterator[Fact]:
    """Sort words into `inner`; options with two values and the texts behind `--args` are taken out."""
    words: list[Word] = []
    files = -1
    at = 0
    while at < len(args.operands):
        word = args.operands[at]
        at += 1
        if word.value == "--":
            words += args.operands[at - 1 :]
            break
        if word.value in TWO_TEXTS or word.value in NAME_AND_FILE:
            yield from _pair(args, word, args.operands[at : at + 2])
            at += 2
        elif word.value in ("--args", "--jsonargs") and files < 0:
            yield from inner.take(tuple(words))
            words, files = [], max(len(inner.operands), 1)
        elif word.value not in ("--args", "--jsonargs"):
            words.append(word)
    yield from inner.take(tuple(words))
    if files > 0:
        del inner.operands[files:]


def _pair(args: Args, option: Word, words: list[Word]) -> Iterator[Fact]:
    """A name and a value, or a name and a file."""
    if len(words) < 2 or any(word.many and not word.pattern for word in words):
        yield args.gap("a word is not known", blind=True)
    elif option.value in NAME_AND_FILE:
        yield from args.file("read", words[1])


def _jq(args: Args) -> Iterator[Fact]:
    """The first operand is the program, or with `-f` a file that holds it; the others are files."""
    inner = args.__class__(args.call, args.number, args.base, args.name, JQ_WORDS)
    yield from _without_pairs(args, inner)
    if inner.has("-f"):
        yield args.gap("a program in a file is not read", reading=True)
    elif inner.operands:
        yield from _program(args, inner.operands[0], JQ_LOADS)
    bare = bool(inner.operands) and inner.operands[0].many  # without quotes `.[0]` may become names of files
    for word in inner.operands if bare or inner.has("-f") else inner.operands[1:]:
        yield from args.file("read", word)


JQ_WORDS = Program(
    "-n,--null-input -r,--raw-output -R,--raw-input -s,--slurp -c,--compact-output -C,--color-output"
    " -M,--monochrome-output -a,--ascii-output -j,--join-output -e,--exit-status -S,--sort-keys -f,--from-file"
    " -L,--library-path=tree --tab --indent= --unbuffered --stream --stream-errors --seq --raw-output0 -b,--binary"
    " -h,--help -V,--version --build-configuration",
)


def _yq(args: Args) -> Iterator[Fact]:
    """Two programs have this name; where they differ nothing is assumed. `-i` changes the files."""
    inner = args.__class__(args.call, args.number, args.base, args.name, YQ_WORDS)
    yield from _without_pairs(args, inner)
    operands = inner.operands
    if operands and operands[0].value in ("eval", "e", "eval-all", "ea"):
        operands = operands[1:]
    if inner.has("--from-file"):
        yield args.gap("a program in a file is not read", reading=True)
    elif operands:
        yield from _program(args, operands[0], YQ_LOADS)
        yield from _given_files(args, operands[0].value or "")
        yield from _maybe_file(args, operands[0], inner, alone=len(operands) == 1)
        operands = operands[1:]
    for word in operands:
        yield from args.file("read", word)
        if inner.has("-i"):
            yield from args.file("write", word)


def _maybe_file(args: Args, word: Word, inner: Args, *, alone: bool) -> Iterator[Fact]:
    """yq takes a first operand that is the name of a file for that file: `yq .env` prints it.

    Where nothing else is there to be read, or to be changed by `-i`, it is one, whatever its signs.
    """
    in_place = inner.has("-i")
    needed = alone and (in_place or not (args.has_input or inner.has("-n")))
    if not word.value or word.value == "." or not (needed or PATH_SIGNS.issuperset(word.value)):
        return
    for fact in args.file("read", word):
        yield fact if needed or "/" in word.value else perhaps(fact)
    if in_place:
        yield from args.file("write", word)


YQ_WORDS = Program(
    "-i,--in-place,--inplace -n,--null-input -r,--raw-output --unwrapScalar[=] -C,--color-output,--colors"
    " -M,--monochrome-output,--no-colors -e,--exit-status -P,--prettyPrint -N,--no-doc -I,--indent="
    " -o,--output-format= -p,--input-format= -v,--verbose -V,--version -h,--help -y,--yaml-output,--yml-output"
    " -Y,--yaml-roundtrip,--yml-roundtrip -w,--width= -c,--compact-output -S,--sort-keys -x,--xml-output"
    " --yaml-output-grammar-version,--yml-out-ver= --indentless-lists,--indentless --slurp --raw-input --tab"
    " --from-file=read --nul-output --header-preprocess[=] --string-interpolation[=] --xml-root="
    " --xml-dtd --xml-item-depth= --xml-attribute-prefix= --xml-content-name= --csv-separator= --lua-unquoted",
)


def _gron(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if (word.value or "").startswith(("http://", "https://")):
            yield from args.act("url", word)
        else:
            yield from args.file("read", word)


LOADS_MORE = (
    "--noent --valid --loaddtd --dtdattr --postvalid --xinclude --noxincludenode --nofixup-base-uris --c14n --c14n11"
    " --exc-c14n".split()
)
"""Options of xmllint with which a document brings others along; the canonical forms replace entities, too."""


@turns_off("", everything="--nonet")
def _xmllint(args: Args) -> Iterator[Fact]:
    """A document may name others, which are loaded when entities are replaced, a DTD is wanted or includes are done."""
    for word in args.operands:
        if "://" in (word.value or ""):
            yield from args.act("url", word)
        else:
            yield from args.file("read", word)
    if args.has(*LOADS_MORE):
        yield args.gap("loads what the document names", blind=not args.has("--nonet"), reading=True)
    if args.has("--schema", "--relaxng", "--schematron", "--dtdvalid"):
        yield args.gap("loads what the schema names", reading=True)


def _transforming(args: Args) -> Iterator[Fact]:
    yield args.gap("a stylesheet can write files and load addresses")


@turns_off("-v -V -h")
def _jo(args: Args) -> Iterator[Fact]:
    """`key=@file`, `key=%file`, `key=:file` and `key:=file` put a file's content in; without words it reads them."""
    if not args.operands and not args.has("-v", "-V", "-h"):
        yield args.gap("the words that it reads may name files", blind=True, reading=True)
    for word in args.operands:
        name, equals, value = (word.value or "").partition("=")
        value = value if equals else name
        if word.value is None:
            yield args.gap(f"a word is not known ({word.why})", reading=True)
        elif value[:1] in ("@", "%", ":"):
            yield from args.file("read", Word(value[1:], value[1:]))
        elif equals and name.endswith(":"):
            yield from args.file("read", Word(value, value))


def _jc(args: Args) -> Iterator[Fact]:
    """With the name of a parser it turns what it reads into JSON; with a command it runs that."""
    own: list[Word] = []
    for at, word in enumerate(args.operands):
        text = word.value
        if text is None or not text.startswith("-"):
            yield from args.act("run", word)
            yield args.gap("runs a command")
            break
        own.append(args.operands[at])
    for word in own:
        text = word.value or ""
        known = LETTERS | frozenset("-") if text.startswith("--") else JC_FLAGS
        if not known.issuperset(text):
            yield args.gap(f"option {text} is not known")


def _dasel(args: Args) -> Iterator[Fact]:
    """Only selecting is described; `put` and `delete` write."""
    if args.operands and args.operands[0].value in ("put", "delete", "validate", "man", "completion"):
        yield args.gap(f"{args.operands[0].value} is not known")
        for word in args.values("-f"):
            yield from args.file("write", word)


def _fx(args: Args) -> Iterator[Fact]:
    """A file, then programs in JavaScript; simple paths are none. `.fxrc.js` here or at home is loaded before."""
    if not only_asks(args):
        for path in args.places(".fxrc.js"):
            yield perhaps(args.effect("run", path, "script"))
    for at, word in enumerate(args.operands):
        if word.value is not None and word.value.startswith(".") and PATH_SIGNS.issuperset(word.value) and at:
            continue
        if at == 0 and not args.has_input:
            yield from args.file("read", word)
        else:
            yield from args.act("code", word)
    if not args.has_input and len(args.operands) < 2:
        yield args.gap("waits for somebody to look")


def _toml(args: Args) -> Iterator[Fact]:
    """`toml get FILE PATH` prints; `toml set FILE PATH VALUE` prints the changed text, in some versions it writes."""
    action = args.operands[0].value if args.operands else None
    for word in args.operands[1:2]:
        yield from args.file("read", word)
        if action != "get":
            yield from args.file("write", word)
    if action != "get":
        yield args.gap(f"{action or 'the first word'} is not known")


XML_STARLET = {
    "el": Program("-a -v -u -d[=]", "read*"),
    "fo": Program(
        "-n,--noindent -t,--indent-tab -s,--indent-spaces= -o,--omit-decl -R,--recover -N,--nsclean", "read*"
    ),
    "val": Program("-w,--well-formed -e,--err -b,--list-bad -g,--list-good -q,--quiet", "read*"),
}
XML_STARLET |= {"elements": XML_STARLET["el"], "format": XML_STARLET["fo"], "validate": XML_STARLET["val"]}

PROGRAMS = {
    "jq": Program("", "text*", more=_jq, style="plain"),
    "gojq": Program("", "text*", more=_jq, style="plain"),
    "yq": Program("", "text*", more=_yq, style="plain"),
    "xq": Program("", "text*", more=_yq, style="plain"),
    "tomlq": Program("", "text*", more=_yq, style="plain"),
    "gron": Program(
        "-u,--ungron -v,--values -c,--colorize -m,--monochrome -s,--stream -k,--insecure -j,--json --no-sort --version"
        " -h,--help",
        "text*",
        more=_gron,
    ),
    "fx": Program("-r,--raw -s,--slurp --yaml --toml -v,--version -h,--help", "text*", more=_fx),
    "dasel": Program(
        "-f,--file=read -r,--read= -w,--write= -s,--selector= -p,--parser= -c,--compact --plain -m,--multiple -n,--null"
        " --length --merge-input-documents --format= --colour --pretty[=] --indent= -v,--version -h,--help",
        "text*",
        more=_dasel,
    ),
    "xmllint": Program(
        "--version --debug --copy --recover --huge --noent --noenc --noout,-noout --nonet --nowarning --htmlout"
        " --nowrap --valid --postvalid --dtdvalid=read --timing --output,-o=write --repeat --insert --html --xmlout"
        " --nodefdtd --push --memory --maxmem= --nowarning --noblanks --nocdata --format,-format --pretty= --c14n"
        " --c14n11 --exc-c14n --encode= --nsclean --testIO --xinclude --noxincludenode --nofixup-base-uris"
        " --loaddtd --dtdattr --stream --walker --pattern= --schema=read --relaxng=read --schematron=read --sax1"
        " --sax --oldxml10 --xpath= --xpath0= --strict-namespace --quiet --load-trace --dropdtd",
        "text*",
        more=_xmllint,
        style="single",
    ),
    "xmlstarlet": Program("--no-doc-namespace --version --help -q", commands=XML_STARLET, style="bare"),
    "xsltproc": Program(
        "-o,--output=write --nonet --novalid --noout --version", "script read*", more=_transforming, style="single"
    ),
    "jo": Program("-p -a -B -D -e -n -v -V -h -f=read -d=", "text*", more=_jo),
    "jc": Program("", "text*", more=_jc, style="plain"),
    "htmlq": Program(
        "-B,--detect-base -w,--ignore-whitespace -p,--pretty -t,--text -a,--attribute= -b,--base= -f,--filename=read"
        " -o,--output=write -r,--remove-nodes= -V,--version -h,--help",
        "text*",
    ),
    "pup": Program(
        "-c,--color -f,--file=read -h,--help -i,--indent= -n,--number -l,--limit= -p,--plain --pre --charset="
        " --version",
        "text*",
    ),
    "tq": Program("-f,--file=read -r,--raw -o,--output= -h,--help -V,--version", "text"),
    "toml": Program("-r,--raw --output-toml --version --help", "text*", more=_toml),
}

EXAMPLES = {
    "xmlstarlet el -d .env": "read .env",
    "xmlstarlet el -d2 a.xml": "read a.xml",
    "jq . data.json": "read data.json",
    "jq -r '.rules[] | @base64' data.json": "read data.json",
    "ls | jq -R .": "list . | note jq",
    "jq -n '1+1'": "note jq",
    "jq -n env": "note the environment #environment",
    "jq -n '$ENV.HOME'": "note the environment #environment",
    "jq -n '\"a\\(env.HOME)\"'": "note the environment #environment",
    "jq '.env, {env: .a, b: \"env\"}' data.json": "read data.json",
    "jq --arg a b --slurpfile c .env '$c' data.json": "read .env | read data.json",
    "jq '.' a --args b c": "read a",
    "jq --args '.' a -r": "note jq",
    "jq -- . --args .env": "read --args | read .env",
    "jq -rf prog.jq data.json": "read prog.jq | read data.json | gap jq: a program in a file is not read",
    "jq -L lib 'import \"m\" as m; .' data.json": "read lib/** | read data.json | gap jq: the program uses `import`",
    "jq --frob . data.json": "read data.json | maybe read . | gap jq: option --frob is not known",
    'jq ".[$I]" data.json': "read data.json | gap jq: the program is not known (variable I)",
    "jq . .env": "read .env",
    "jq .[0] a": "read .[0] (glob) | read a | gap jq: the program is not known (names of files)",
    "gojq -c .a data.json": "read data.json",
    "yq '.a[0]' data.yaml": "read data.yaml",
    "yq .env": "read .env",
    "ls | yq .env": "list . | maybe read .env | note yq",
    "yq ../a .b": "read ../a | read .b",
    "yq -i '.a = 1' data.yaml": "read data.yaml | write data.yaml",
    "yq -i data.yaml": "read data.yaml | write data.yaml",
    "yq eval -iP 'a b.yaml'": "read a b.yaml | write a b.yaml",
    "yq -o json -i data.yaml b": "maybe read data.yaml | write data.yaml | read b | write b",
    "yq -ri '.a = 1' data.yaml": "read data.yaml | write data.yaml",
    "yq eval -P '.a | .b' data.yaml -i": "read data.yaml | write data.yaml",
    "yq -o=json '.' data.yaml": "read data.yaml",
    "yq -y '.a' data.yaml": "maybe read .a | read data.yaml",
    "yq '.a = load(\".env\")' data.yaml": "read .env | read data.yaml | gap yq: the program uses `load`",
    "yq -n 'strenv(HOME)'": "note the environment #environment",
    "yq -s .a data.yaml": "maybe read .a | read data.yaml | gap yq: option -s is not known",
    "xq '.a[]' data.xml": "read data.xml",
    "tomlq -t .a data.toml": "maybe read .a | read data.toml | gap tomlq: option -t is not known",
    "gron data.json": "read data.json",
    "gron https://example.com/a": "reach https://example.com/a",
    "fx data.json .a.b": "maybe run .fxrc.js #script | read data.json",
    "fx data.json 'x => x.a'": "maybe run .fxrc.js #script | read data.json | run fx code #inline",
    "fx --version": "note fx",
    "dasel -f data.json -r json .a": "read data.json",
    "dasel put -f data.json -v 1 .a": "read data.json | write data.json | gap dasel: put is not known",
    "xmllint --noout --xpath //a data.xml": "read data.xml",
    "xmllint --format data.xml --output a": "write a | read data.xml",
    "xmllint --noent data.xml": "read data.xml | blind xmllint: loads what the document names",
    "xmllint --c14n --nonet data.xml": "read data.xml | gap xmllint: loads what the document names",
    "xmllint --nofixup-base-uris data.xml": "read data.xml | blind xmllint: loads what the document names",
    "xmllint --noout --schema a.xsd data.xml": "read a.xsd | read data.xml | gap xmllint: loads what the schema names",
    "xmllint -noout -o a data.xml": "write a | read data.xml",
    "xmllint --shell data.xml": "read data.xml | blind xmllint: option --shell is not known",
    "xmlstarlet fo data.xml": "read data.xml",
    "xmlstarlet ed -L -d //a data.xml": "run xmlstarlet ed #program | maybe read //a"
    " | gap xmlstarlet: subcommand ed is not known",
    "xsltproc a.xsl data.xml": "read a.xsl | run a.xsl #script | read data.xml"
    " | gap xsltproc: a stylesheet can write files and load addresses",
    "jo a=1 b=@.env": "read .env",
    "jo a=1 b:=.env": "read .env",
    "jo -a 1 2": "note jo",
    "jo < a": "read a #redirect | note jo | blind jo: the words that it reads may name files",
    "jo -v": "note jo",
    "ls -l | jc --ls": "list . | note jc",
    "jc -p ls -l": "run ls #program | gap jc: runs a command",
    "htmlq -f a.html -t p": "read a.html",
    "pup -f a.html 'p text{}'": "read a.html",
    "tq -f data.toml .a": "read data.toml",
    "toml get data.toml a.b": "read data.toml",
    "toml set data.toml a.b 1": "read data.toml | write data.toml | gap toml: set is not known",
    'yq -n "load(\\"/home/u/.kube/config\\")"': "read /home/u/.kube/config | gap yq: the program uses `load`",
    'yq -n "system(\\"id\\"; [\\"x\\"])"': "run id x #inline | blind yq: the program uses `system`",
}
