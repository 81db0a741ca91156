"""Functions of Python's library that touch more than data: files, programs, other machines, the interpreter itself.

EXACT ones do what is stated and no more. SPELLING ones do at least that: whoever calls them leaves a doubt.
"""

from __future__ import annotations

from assent.languages.python_calls import (
    Given,
    check_data,
    expand_home,
    found_by,
    join_paths,
    located,
    member,
    shows_environment,
    touch,
    unwrapped,
)
from assent.languages.python_names import ENVIRONMENT
from assent.languages.reading import Started
from assent.languages.values import (
    CONST,
    DATA,
    FILE,
    FOUND,
    FUNCTION,
    MEMBER,
    NAME,
    NOTHING,
    PATH,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Value,
    alternatives,
    choice,
    const,
    element,
    is_inert,
    listed,
    pieces_of,
    several,
    spelled,
    text_of,
    texts_in,
)
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.languages.python import Reader
    from assent.types import Kind

    Handler = Callable[[Reader, Given], Value]
    PathHandler = Callable[[Reader, Value, Given], Value]

SECRET_PIECES = ("KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CRED", "PRIVATE", "DATABASE_URL", "DSN")
PLAIN_MODES = frozenset("rbtU")


# --- the language's own functions -----------------------------------------------------------------------------------


def do_print(reader: Reader, given: Given) -> Value:
    for value in given.args:
        check_data(reader, value, "print", lenient=True)
    stream = given.named.get("file", NOTHING)
    if stream.kind not in (FILE, CONST):
        reader.doubt("it prints to something that is not known")
    return NOTHING


def do_open(reader: Reader, given: Given) -> Value:
    return open_file(reader, given.at(0, "file"), given.at(1, "mode"), given)


def open_file(reader: Reader, path: Value, mode: Value, given: Given) -> Value:
    """`open`: for reading unless its mode says more; one that is not known may be anything."""
    if "opener" in given.named:
        reader.doubt("a file is opened by a function of its own")
    known = mode.kind == CONST and isinstance(mode.value, (str, type(None)))
    letters = set(mode.value or "r") if known else set("r+")
    if not known:
        reader.doubt("how a file is opened is not known")
    if "r" in letters or "+" in letters:
        touch(reader, "read", path)
    if not PLAIN_MODES.issuperset(letters):
        touch(reader, "write", path)
    return Value(FILE)


def do_sequence(reader: Reader, given: Given) -> Value:
    """`list(x)`, `sorted(x, key=…)` and their kin: the same values in another order or holder."""
    source = given.at(0)
    each = element(source)
    call_key(reader, given, each)
    plain = source.kind == DATA and source.items is not None and not given.named
    return Value(DATA, items=list(source.items or ()), loose=source.loose) if plain else several(each)


def do_set(reader: Reader, given: Given) -> Value:
    return do_sequence(reader, given) if given.args else SOME_DATA


def do_reversed(reader: Reader, given: Given) -> Value:
    reader.look_later(given.args)
    source = given.at(0)
    if source.kind == DATA and source.items is not None and not source.loose:
        return listed(source.items[::-1])
    if source.kind == CONST and isinstance(source.value, str):
        return listed(map(const, source.value[::-1][:200]))
    return several(element(source))


def call_key(reader: Reader, given: Given, each: Value) -> None:
    key = given.named.get("key", NOTHING)
    for one in alternatives(key):
        if one.kind != CONST:
            reader.call(one, Given([each], {}))
    for name, value in given.named.items():
        if name != "key":
            check_data(reader, value, "a key", lenient=True)


def do_extreme(reader: Reader, given: Given) -> Value:
    """`min` and `max`."""
    values = [element(given.args[0])] if len(given.args) == 1 else given.args
    each = choice([*values, *([given.named["default"]] if "default" in given.named else [])])
    call_key(reader, given, each)
    return each


def do_iter(reader: Reader, given: Given) -> Value:
    reader.look_later(given.args)
    return several(element(given.at(0)))


def do_next(_reader: Reader, given: Given) -> Value:
    return choice([element(given.at(0)), *given.args[1:]])


def do_enumerate(reader: Reader, given: Given) -> Value:
    reader.look_later(given.args)
    return several(listed([SOME_DATA, element(given.at(0))]))


def do_zip(reader: Reader, given: Given) -> Value:
    reader.look_later(given.args)
    return several(listed([element(value) for value in given.args]))


def do_map(reader: Reader, given: Given) -> Value:
    run_later(reader, given)
    values = [element(value) for value in given.args[1:]]
    found = [reader.call(one, Given(list(values), {})) for one in alternatives(given.at(0))]
    source = given.at(1)
    if len(given.args) == 2 and source.kind == DATA and source.items is not None and len(source.items) <= 64:
        return listed([reader.call(given.args[0], Given([item], {})) for item in source.items])
    return several(choice(found))


def run_later(reader: Reader, given: Given) -> None:
    """A function that is called when somebody goes through the result."""
    reader.look_later(given.args[1:])
    for one in alternatives(given.at(0)):
        if one.kind == FUNCTION:
            reader.defer(one.value[0])


def do_filter(reader: Reader, given: Given) -> Value:
    run_later(reader, given)
    each = element(given.at(1))
    for one in alternatives(given.at(0)):
        if one.kind != CONST:
            reader.call(one, Given([each], {}))
    return several(each)


def do_dict(reader: Reader, given: Given) -> Value:
    for value in given.all():
        check_data(reader, value, "dict")
    return Value(DATA, dict(given.named), loose=bool(given.args) or given.spread) if given.named else SOME_DATA


def do_getattr(reader: Reader, given: Given) -> Value:
    name = given.at(1)
    reader.doubt("it calls getattr")
    if name.kind != CONST or not isinstance(name.value, str):
        return SOMETHING
    return choice([reader.attribute(one, name.value) for one in alternatives(given.at(0))])


def do_exec(reader: Reader, given: Given) -> Value:
    """`exec`, `eval`, `compile`: a text that is known is read like the rest."""
    reader.doubt("it runs code that it makes")
    for one in alternatives(given.at(0)):
        if one.kind == CONST and isinstance(one.value, (str, bytes)):
            reader.nested(spelled(one).strip())
    return SOMETHING


def do_compile(reader: Reader, given: Given) -> Value:
    reader.doubt("it compiles code")
    return given.at(0)


def do_import(reader: Reader, given: Given) -> Value:
    reader.doubt("it imports by a name that it makes")
    name = given.at(0)
    return member(reader, name.value) if name.kind == CONST and isinstance(name.value, str) else SOMETHING


def do_globals(reader: Reader, _given: Given) -> Value:
    reader.doubt("it reaches for its own names")
    return Value(MEMBER, "builtins.globals")


def do_vars(reader: Reader, given: Given) -> Value:
    reader.doubt("it calls vars")
    first = given.at(0)
    return Value(MEMBER, f"{first.value}.__dict__") if first.kind == MEMBER else SOMETHING


# --- the environment ------------------------------------------------------------------------------------------------


def do_getenv(reader: Reader, given: Given) -> Value:
    """A variable: home is known, what others hold is data; secrets among them ask as they do in a shell."""
    name = given.at(0)
    other = given.args[1:2] or list(given.named.values())
    found: list[Value] = list(other)
    for one in alternatives(name):
        text = one.value if one.kind == CONST and isinstance(one.value, str) else ""
        if text == "HOME" and reader.home:
            found.append(const(reader.home))
            continue
        if text == "PWD" and reader.cwd:
            found.append(const(reader.cwd))
            continue
        found.append(SOME_DATA)
        if not text:
            reader.doubt("it reads a variable of the environment that is not known")
        elif text not in ENVIRONMENT:
            reader.doubt(f"it reads the variable {text}")
            if any(piece in text.upper() for piece in SECRET_PIECES):
                reader.found.effect("note", f"${text}", code="environment")
    return choice(found)


def do_show_environment(reader: Reader, _given: Given) -> Value:
    shows_environment(reader)
    return SOME_DATA


# --- files ----------------------------------------------------------------------------------------------------------


def look(reader: Reader, given: Given) -> Value:
    """Whether a path is there, how large it is: nothing of what it holds."""
    value = given.at(0)
    if is_inert(unwrapped(value)) and unwrapped(value).kind not in (CONST, FOUND, NAME):
        reader.found.effect("list", "/", deep=True)
    else:
        touch(reader, "list", value)
    return SOME_DATA


def on_path(function: Callable[[Value], Value]) -> Handler:
    """Something that is calculated from a path, for each of its choices."""
    return lambda _reader, given: choice([function(one) for one in alternatives(unwrapped(given.at(0)))])


def folder_part(value: Value) -> Value:
    text = spelled(value)
    return const(text.rpartition("/")[0]) if value.kind == CONST else text_of([None])


def last_part(value: Value) -> Value:
    if value.kind == CONST:
        return const(spelled(value).rpartition("/")[2])
    return Value(NAME, value.value[1]) if value.kind == FOUND else value if value.kind == NAME else SOME_DATA


def is_straight(value: Value) -> bool:
    """Whether a path has no `..` in it, behind which a link before it would not matter any more."""
    return value.kind == FOUND or (value.kind == CONST and ".." not in spelled(value).split("/"))


def last_name(value: Value) -> str | None:
    return spelled(value).rpartition("/")[2] if value.kind == CONST else None


def do_abspath(reader: Reader, given: Given) -> Value:
    """A path from the root; where it has no `..`, only written in another way."""
    found: list[Value] = []
    for one in alternatives(unwrapped(given.at(0))):
        if one.kind == CONST and is_straight(one) and reader.cwd:
            found.append(join_paths([const(reader.moved or reader.cwd), one]))
        else:
            found.append(one if one.kind == FOUND else text_of([None, "/", last_name(one)]))
    return choice(found)


def do_relpath(_reader: Reader, given: Given) -> Value:
    value = unwrapped(given.at(0))
    alone = len(given.args) == 1 and not given.named
    return value if alone and is_straight(value) and value.kind == CONST else SOME_DATA


def do_expanduser(reader: Reader, given: Given) -> Value:
    return expand_home(reader, given.at(0))


def do_expandvars(reader: Reader, given: Given) -> Value:
    value = given.at(0)
    text = spelled(value)
    if value.kind != CONST or "$" not in text:
        return value
    reader.doubt("it reads variables of the environment")
    known = text.replace("${HOME}", "$HOME").replace("$HOME", reader.home or "$HOME")
    return const(known)


def do_join(_reader: Reader, given: Given) -> Value:
    return join_paths(given.args)


def do_cwd(reader: Reader, _given: Given) -> Value:
    return const(reader.moved or reader.cwd or ".")


def do_listdir(reader: Reader, given: Given) -> Value:
    touch(reader, "list", given.at(0, "path"))
    return several(Value(NAME, "*"))


def do_scandir(reader: Reader, given: Given) -> Value:
    touch(reader, "list", given.at(0, "path"))
    where = given.args[0] if given.args else const(".")
    return several(Value(PATH, join_paths([where, Value(NAME, "*")])))


def do_walk(reader: Reader, given: Given) -> Value:
    """Every folder below one: its path, the names of folders in it, the names of files."""
    top = given.at(0, "top")
    found: list[Value] = []
    for one in alternatives(unwrapped(top)):
        if one.kind == CONST and isinstance(one.value, str):
            reader.found.effect("list", located(reader, one.value), deep=True)
            found.append(Value(FOUND, (one.value or ".", "*")))
        elif one.kind == FOUND:
            found.append(one)
        else:
            touch(reader, "list", one, deep=True)
            found.append(one if one.kind == TEXT else SOMETHING)
    names = several(Value(NAME, "*"))
    root = choice(found)
    return several(listed([Value(PATH, root) if top.kind == PATH else root, names, names]))


def do_glob(reader: Reader, given: Given) -> Value:
    if "root_dir" in given.named or "dir_fd" in given.named:
        reader.doubt("it searches in another folder")
    pattern = given.at(0)
    return several(choice([element(found_by(reader, const(""), one)) for one in alternatives(pattern)]))


def do_path(_reader: Reader, given: Given) -> Value:
    return Value(PATH, join_paths(given.args))


def do_home(reader: Reader, _given: Given) -> Value:
    return Value(PATH, const(reader.home) if reader.home else text_of([None, "/~"]))


def do_path_cwd(reader: Reader, given: Given) -> Value:
    return Value(PATH, do_cwd(reader, given))


def commanding(*words: str, count: int = 1) -> Handler:
    """Does what a program does with the same paths: `shutil.rmtree(x)` is `rm -rf x`."""

    def handle(reader: Reader, given: Given) -> Value:
        for value in given.named.values():
            check_data(reader, value, words[0])
        start_words(reader, [*map(const, words), *given.args[:count]])
        return given.args[count - 1] if 0 < count <= len(given.args) else NOTHING

    return handle


def do_chdir(reader: Reader, given: Given) -> Value:
    value = unwrapped(given.at(0))
    reader.moved = located(reader, spelled(value)) if value.kind in (CONST, TEXT) else "*"
    return NOTHING


def do_parse_file(reader: Reader, given: Given) -> Value:
    """A function that reads a file by its name, or one that is open."""
    if given.at(0).kind != FILE:
        touch(reader, "read", given.at(0))
    return SOME_DATA


def do_compress_open(reader: Reader, given: Given) -> Value:
    if given.at(0).kind == FILE:
        return Value(FILE)
    return open_file(reader, given.at(0), given.at(1, "mode"), given)


def do_buffer(reader: Reader, given: Given) -> Value:
    """A file in memory."""
    for value in given.all():
        check_data(reader, value, "a buffer")
    return Value(FILE)


def do_tar_open(reader: Reader, given: Given) -> Value:
    mode = given.at(1, "mode")
    letters = str(mode.value or "r") if mode.kind == CONST else "w"
    path = given.at(0, "name")
    if path.kind != FILE and "fileobj" not in given.named:
        touch(reader, "read" if letters[:1] == "r" else "write", path)
    if letters[:1] != "r":
        reader.doubt("it makes an archive")
    return Value(FILE)


def do_py_compile(reader: Reader, given: Given) -> Value:
    start_words(reader, [const("python3"), const("-I"), const("-m"), const("py_compile"), given.at(0)])
    return SOME_DATA


def touching(kind: Kind, *, deep: bool = False, code: str = "", place: int = 0) -> Handler:
    def handle(reader: Reader, given: Given) -> Value:
        touch(reader, kind, given.at(place), deep=deep, code=code)
        return SOMETHING

    return handle


def do_os_open(reader: Reader, given: Given) -> Value:
    touch(reader, "read", given.at(0))
    touch(reader, "write", given.at(0))
    return SOMETHING


def do_make_archive(reader: Reader, given: Given) -> Value:
    touch(reader, "write", given.at(0))
    touch(reader, "read", given.at(2, "root_dir"), deep=True)
    return SOME_DATA


def do_unpack(reader: Reader, given: Given) -> Value:
    touch(reader, "read", given.at(0))
    touch(reader, "write", given.at(1, "extract_dir"), deep=True, code="extracted")
    return NOTHING


# --- programs -------------------------------------------------------------------------------------------------------

RUN_OPTIONS = frozenset(
    """capture_output text check stdout stderr stdin timeout encoding errors universal_newlines input shell cwd bufsize
    args""".split()
)


def do_run(reader: Reader, given: Given) -> Value:
    """`subprocess.run` and its kin, with a list of words or, through a shell, a text."""
    for name, value in given.named.items():
        if name not in RUN_OPTIONS:
            reader.doubt(f"a program is started with {name}")
        elif name != "args":
            check_data(reader, value, "subprocess")
    shell = given.named.get("shell", const(False))
    stdin = given.named.get("stdin", NOTHING)
    if stdin.kind != CONST or stdin.value not in (None, DEVNULL):
        reader.doubt("what a program reads is not known")
    told = given.named.get("input", NOTHING)
    if told.kind != CONST:
        reader.doubt("what a program reads is not known")
    fed = spelled(told) if told.kind == CONST and told.value is not None else None
    folder = given.named.get("cwd", NOTHING)
    cwd = spelled(unwrapped(folder)) if folder.kind != CONST or folder.value is not None else ""
    if "*" in cwd:
        reader.doubt("the folder in which a program runs is not known")
    if shell.kind != CONST:
        reader.doubt("it is not known whether a shell reads the command")
    for one in alternatives(given.at(0, "args")):
        if shell.kind != CONST or shell.value:
            first = one.items[0] if one.kind == DATA and one.items else one
            start_text(reader, first, cwd, fed)
        if shell.kind != CONST or not shell.value:
            start_words(reader, one.items if exact_list(reader, one) else [one], cwd, fed)
    return SOME_DATA


DEVNULL = -3


def exact_list(reader: Reader, value: Value) -> bool:
    if value.kind != DATA:
        return False
    if value.items is None or value.loose:
        reader.doubt("what a program is given is not known")
    return value.items is not None


def start_words(reader: Reader, values: list[Value] | None, cwd: str = "", fed: str | None = None) -> None:
    """A program with its words, once for each choice there is among them."""
    lines: list[tuple[Word, ...]] = [()]
    for value in values or ():
        options = [word_of(one) for one in alternatives(unwrapped(value))]
        lines = [(*line, word) for line in lines for word in options]
        if len(lines) > MOST_LINES:
            reader.doubt("what a program is given is not known")
            lines = lines[:MOST_LINES]
    for words in lines:
        if not words or any(word.value is None and not word.pattern for word in words):
            reader.doubt("what a program is given is not known")
        if words:
            where = located(reader, cwd) if cwd or reader.moved else ""
            reader.found.start(Started("", words, where, fed=fed))


MOST_LINES = 16


def word_of(value: Value) -> Word:
    """A value as a word of a command; names that were found stand for each of them."""
    one = unwrapped(value)
    text = spelled(one)
    if one.kind == CONST and isinstance(one.value, (str, bytes)):
        return Word(text, text)
    if one.kind == CONST and isinstance(one.value, (int, float)):
        return Word(text, text)
    if one.kind in (FOUND, NAME):
        root, only = one.value if one.kind == FOUND else (".", one.value)
        return Word(text, None, "names of files", f"{root.rstrip('/') or '/'}/**/{only}")
    return Word(text, None, "a value of the program", many=one.kind not in (TEXT, DATA))


def start_text(reader: Reader, value: Value, cwd: str = "", fed: str | None = None) -> None:
    """A command for a shell; what is not known in it is a variable that nobody has set."""
    for one in alternatives(value):
        if one.kind not in (CONST, TEXT):
            reader.doubt("a command that is not known")
            continue
        text = "".join("${unknown}" if piece is None else piece for piece in pieces_of(one))
        if text.strip():
            where = located(reader, cwd) if cwd or reader.moved else ""
            reader.found.start(Started(text, (), where, fed=fed))


def do_system(reader: Reader, given: Given) -> Value:
    start_text(reader, given.at(0))
    return SOME_DATA


def do_popen(reader: Reader, given: Given) -> Value:
    if len(given.args) > 1 and not (given.args[1].kind == CONST and given.args[1].value == "r"):
        reader.doubt("what a program reads is not known")
    return do_system(reader, given)


def do_execv(reader: Reader, given: Given) -> Value:
    """`os.execv(path, list)`: the list begins with a name that only the program sees."""
    last = given.at(1)
    rest = last.items[1:] if last.kind == DATA and last.items else given.args[2:]
    start_words(reader, [given.at(0), *rest])
    return NOTHING


def do_spawn(reader: Reader, given: Given) -> Value:
    return do_execv(reader, Given(given.args[1:], {}))


def do_spawn_pty(reader: Reader, given: Given) -> Value:
    first = given.at(0)
    start_words(reader, first.items if first.kind == DATA and first.items is not None else [first])
    return SOMETHING


def do_exec_words(reader: Reader, given: Given) -> Value:
    start_words(reader, given.args)
    return SOMETHING


def do_kill(reader: Reader, given: Given) -> Value:
    signal = given.at(1)
    number = signal.value if signal.kind == CONST and type(signal.value) is int else 9
    start_words(reader, [const("kill"), const(f"-{number}"), given.at(0)])
    return NOTHING


def do_run_path(reader: Reader, given: Given) -> Value:
    start_words(reader, [const("python3"), given.at(0)])
    return SOMETHING


def do_run_module(reader: Reader, given: Given) -> Value:
    start_words(reader, [const("python3"), const("-m"), given.at(0)])
    return SOMETHING


def do_pip(reader: Reader, given: Given) -> Value:
    first = given.at(0)
    start_words(reader, [const("pip"), *(first.items or ())])
    return SOMETHING


def stating(kind: Kind, target: str, code: str) -> Handler:
    def handle(reader: Reader, _given: Given) -> Value:
        reader.found.effect(kind, target, code=code)
        return SOMETHING

    return handle


# --- other machines -------------------------------------------------------------------------------------------------


def reaching(kind: Kind = "reach", place: int = 0, saved: int = -1) -> Handler:
    """Talks to the address that an argument holds, a URL or the name of a machine."""

    def handle(reader: Reader, given: Given) -> Value:
        sends = kind
        if not {"data", "json", "files", "body", "content"}.isdisjoint(given.named):
            sends = "send"
        value = given.at(place, "url")
        if value.kind == CONST and value.value is None:
            value = given.named.get("host", NOTHING)
        reach(reader, sends, value)
        if saved >= 0 and len(given.args) > saved:
            touch(reader, "write", given.args[saved])
        return value if saved < 0 and kind == "reach" and value.kind == CONST else SOMETHING

    return handle


def reach(reader: Reader, kind: Kind, value: Value) -> None:
    for one in alternatives(value):
        host = one.items[0] if one.kind == DATA and one.items else one
        for text in texts_in(host):
            address = text if "://" in text else f"https://{text}"
            if address != "https://" and not any(sign.isspace() for sign in address.rstrip()):
                reader.found.effect(kind, address)


def maybe_reaching(kind: Kind) -> Handler:
    """A method that is called so: only where an address stands there."""

    def handle(reader: Reader, given: Given) -> Value:
        for value in given.args[:2]:
            if any("://" in text for text in texts_in(value)):
                reach(reader, kind, value)
        return SOMETHING

    return handle


def maybe_connecting(reader: Reader, given: Given) -> Value:
    first = given.at(0) if given.args else given.named.get("hostname", given.named.get("host", NOTHING))
    for one in alternatives(first):
        if (one.kind == DATA and one.items and len(one.items) == 2) or (one.kind == CONST and is_host(one.value)):
            reach(reader, "send", one)
    return SOMETHING


def is_host(value: object) -> bool:
    return isinstance(value, str) and "." in value and not set(value) & set(" /'\"()\n")


def maybe_commanding(reader: Reader, given: Given) -> Value:
    """A method that is called like one that starts programs."""
    first = given.at(0)
    for one in alternatives(first):
        if one.kind in (CONST, TEXT) and isinstance(one.value, (str, tuple)):
            start_text(reader, one)
        elif one.kind == DATA and one.items:
            start_words(reader, one.items)
    return SOMETHING


LOSING = ("drop ", "truncate ", "delete from ")


def maybe_querying(reader: Reader, given: Given) -> Value:
    """SQL for a database: what is lost by it is lost."""
    for text in texts_in(given.at(0)):
        words = " ".join(text.split()).lower()
        if words.startswith(LOSING) and " where " not in words:
            reader.found.effect("change", "the database", code="db.drop")
    return SOMETHING


def maybe_deleting(reader: Reader, given: Given) -> Value:
    if given.args:
        touch(reader, "delete", given.args[0])
    return SOMETHING


def do_request(reader: Reader, given: Given) -> Value:
    """`requests.request("POST", url)`."""
    method = given.at(0)
    quiet = method.kind == CONST and str(method.value).upper() in ("GET", "HEAD", "OPTIONS")
    return reaching("reach" if quiet else "send", 1)(reader, given)


# --- the tables -----------------------------------------------------------------------------------------------------

EXACT: dict[str, Handler] = {
    "builtins.print": do_print,
    "builtins.open": do_open,
    "builtins.list": do_set,
    "builtins.tuple": do_set,
    "builtins.set": do_set,
    "builtins.frozenset": do_set,
    "builtins.iter": do_iter,
    "builtins.sorted": do_sequence,
    "builtins.reversed": do_reversed,
    "builtins.min": do_extreme,
    "builtins.max": do_extreme,
    "builtins.next": do_next,
    "builtins.enumerate": do_enumerate,
    "builtins.zip": do_zip,
    "builtins.map": do_map,
    "builtins.filter": do_filter,
    "builtins.dict": do_dict,
    "os.environ.get": do_getenv,
    "os.getenv": do_getenv,
    "os.path.join": do_join,
    "os.path.exists": look,
    "os.path.lexists": look,
    "os.path.isfile": look,
    "os.path.isdir": look,
    "os.path.islink": look,
    "os.path.getsize": look,
    "os.path.getmtime": look,
    "os.path.getctime": look,
    "os.path.ismount": look,
    "os.stat": look,
    "os.lstat": look,
    "os.access": look,
    "os.path.abspath": do_abspath,
    "os.path.realpath": on_path(lambda value: text_of([None, "/", last_name(value)])),
    "os.path.normpath": on_path(lambda value: value if is_straight(value) else SOME_DATA),
    "os.path.relpath": do_relpath,
    "os.path.dirname": on_path(folder_part),
    "os.path.basename": on_path(last_part),
    "os.path.split": lambda reader, given: listed(
        [on_path(folder_part)(reader, given), on_path(last_part)(reader, given)]
    ),
    "os.path.expanduser": do_expanduser,
    "os.path.expandvars": do_expandvars,
    "os.getcwd": do_cwd,
    "os.listdir": do_listdir,
    "os.scandir": do_scandir,
    "os.walk": do_walk,
    "glob.glob": do_glob,
    "pathlib.Path": do_path,
    "pathlib.Path.home": do_home,
    "pathlib.Path.cwd": do_path_cwd,
    "os.remove": commanding("rm", "--"),
    "os.rmdir": commanding("rmdir", "--"),
    "os.mkdir": commanding("mkdir", "--"),
    "os.makedirs": commanding("mkdir", "-p", "--"),
    "os.rename": commanding("mv", "--", count=2),
    "os.replace": commanding("mv", "--", count=2),
    "shutil.copy": commanding("cp", "--", count=2),
    "shutil.copy2": commanding("cp", "-p", "--", count=2),
    "shutil.copyfile": commanding("cp", "--", count=2),
    "shutil.copytree": commanding("cp", "-rL", "--", count=2),
    "shutil.move": commanding("mv", "--", count=2),
    "shutil.rmtree": commanding("rm", "-rf", "--"),
    "xml.etree.ElementTree.parse": do_parse_file,
    "io.StringIO": do_buffer,
    "io.BytesIO": do_buffer,
    "gzip.open": do_compress_open,
    "bz2.open": do_compress_open,
    "lzma.open": do_compress_open,
    "zipfile.ZipFile": do_tar_open,
    "zipfile.is_zipfile": do_parse_file,
    "tarfile.open": do_tar_open,
    "tarfile.is_tarfile": do_parse_file,
    "linecache.getline": do_parse_file,
    "py_compile.compile": do_py_compile,
    "subprocess.run": do_run,
    "subprocess.call": do_run,
    "subprocess.check_call": do_run,
    "subprocess.check_output": do_run,
    "subprocess.Popen": do_run,
    "subprocess.getoutput": do_system,
    "subprocess.getstatusoutput": do_system,
    "os.system": do_system,
    "os.popen": do_popen,
}

PRIVILEGE = stating("change", "the user it runs as", "privilege")
LISTEN = stating("change", "a server", "net.listen")
SPELLING: dict[str, Handler] = {
    "builtins.getattr": do_getattr,
    "builtins.exec": do_exec,
    "builtins.eval": do_exec,
    "builtins.execfile": do_run_path,
    "builtins.compile": do_compile,
    "builtins.__import__": do_import,
    "importlib.import_module": do_import,
    "importlib.__import__": do_import,
    "builtins.globals": do_globals,
    "builtins.locals": do_globals,
    "builtins.vars": do_vars,
    "os.environ.items": do_show_environment,
    "os.environ.values": do_show_environment,
    "os.environ.copy": do_show_environment,
    "os.chdir": do_chdir,
    "os.fchdir": do_chdir,
    "os.chmod": touching("write", code="mode"),
    "os.lchmod": touching("write", code="mode"),
    "os.chown": touching("write", code="mode"),
    "os.lchown": touching("write", code="mode"),
    "os.chflags": touching("write", code="mode"),
    "os.utime": touching("write", code="mode"),
    "os.setxattr": touching("write", code="mode"),
    "shutil.chown": touching("write", code="mode"),
    "shutil.copymode": touching("write", code="mode", place=1),
    "shutil.copystat": touching("write", code="mode", place=1),
    "os.truncate": touching("write"),
    "os.mkfifo": touching("write"),
    "os.mknod": touching("write"),
    "os.open": do_os_open,
    "os.removedirs": touching("delete", deep=True),
    "os.renames": commanding("mv", "--", count=2),
    "os.symlink": commanding("ln", "-s", "--", count=2),
    "os.link": commanding("ln", "--", count=2),
    "os.chroot": PRIVILEGE,
    "shutil.make_archive": do_make_archive,
    "shutil.unpack_archive": do_unpack,
    "sqlite3.connect": touching("write"),
    "shelve.open": touching("write"),
    "dbm.open": touching("write"),
    "fileinput.input": touching("write"),
    "fileinput.FileInput": touching("write"),
    "mmap.mmap": lambda _reader, _given: SOMETHING,
    "io.FileIO": touching("write"),
    "runpy.run_path": do_run_path,
    "runpy.run_module": do_run_module,
    "os.posix_spawn": do_execv,
    "os.posix_spawnp": do_execv,
    **{f"os.exec{kind}": do_execv for kind in "l le lp lpe v ve vp vpe".split()},
    **{f"os.spawn{kind}": do_spawn for kind in "l le lp lpe v ve vp vpe".split()},
    "os.startfile": do_run_path,
    "os.popen2": do_system,
    "os.popen3": do_system,
    "pty.spawn": do_spawn_pty,
    "pexpect.run": do_system,
    "pexpect.spawn": do_system,
    "asyncio.create_subprocess_shell": do_system,
    "asyncio.create_subprocess_exec": do_exec_words,
    "asyncio.run": lambda _reader, _given: SOMETHING,
    "os.kill": do_kill,
    "os.killpg": do_kill,
    "os.abort": lambda _reader, _given: NOTHING,
    "signal.pthread_kill": do_kill,
    "psutil.Process": lambda _reader, _given: SOMETHING,
    **{f"os.{name}": PRIVILEGE for name in "setuid setgid seteuid setegid setreuid setresuid setgroups".split()},
    "pip.main": do_pip,
    "pip._internal.main": do_pip,
    "pip._internal.cli.main.main": do_pip,
    "urllib.request.urlopen": reaching(),
    "urllib.request.Request": reaching(),
    "urllib.request.urlretrieve": reaching(saved=1),
    "urllib.urlopen": reaching(),
    "urllib2.urlopen": reaching(),
    "http.client.HTTPConnection": reaching(),
    "http.client.HTTPSConnection": reaching(),
    "webbrowser.open": reaching(),
    "xmlrpc.client.ServerProxy": reaching("send"),
    "socket.create_connection": reaching("send"),
    "socket.gethostbyname": reaching(),
    "socket.getaddrinfo": reaching(),
    "socket.create_server": LISTEN,
    "asyncio.open_connection": reaching("send"),
    "asyncio.start_server": LISTEN,
    "smtplib.SMTP": reaching("send"),
    "smtplib.SMTP_SSL": reaching("send"),
    "ftplib.FTP": reaching("send"),
    "ftplib.FTP_TLS": reaching("send"),
    "telnetlib.Telnet": reaching("send"),
    "poplib.POP3": reaching(),
    "poplib.POP3_SSL": reaching(),
    "imaplib.IMAP4": reaching(),
    "imaplib.IMAP4_SSL": reaching(),
    "websocket.create_connection": reaching("send"),
    "websockets.connect": reaching("send"),
    "http.server.HTTPServer": LISTEN,
    "http.server.ThreadingHTTPServer": LISTEN,
    "socketserver.TCPServer": LISTEN,
    "socketserver.ThreadingTCPServer": LISTEN,
    "socketserver.UDPServer": LISTEN,
    "uvicorn.run": LISTEN,
    "requests.request": do_request,
    "httpx.request": do_request,
    **{
        f"{library}.{verb}": reaching("reach" if verb in ("get", "head", "options") else "send")
        for library in ("requests", "httpx")
        for verb in "get head options post put patch delete".split()
    },
}

BY_NAME: dict[str, Handler] = {
    **dict.fromkeys("system popen getoutput check_output check_call call Popen spawn".split(), maybe_commanding),
    **dict.fromkeys("exec_command sendline sudo create_subprocess_shell run execvp execv".split(), maybe_commanding),
    **dict.fromkeys("get head options urlopen request stream goto".split(), maybe_reaching("reach")),
    **dict.fromkeys("post put patch delete upload send ws_connect".split(), maybe_reaching("send")),
    **dict.fromkeys("connect connect_ex create_connection".split(), maybe_connecting),
    "sendto": lambda reader, given: maybe_connecting(reader, Given(given.args[1:], {})),
    **dict.fromkeys("bind listen serve_forever run_forever".split(), LISTEN),
    **dict.fromkeys("kill terminate send_signal".split(), stating("change", "a process", "process.kill")),
    "extractall": touching("write", deep=True, code="extracted"),
    "unlink": maybe_deleting,
    **dict.fromkeys(("execute", "executescript", "executemany"), maybe_querying),
}


# --- objects of pathlib ---------------------------------------------------------------------------------------------


def path_touch(kind: Kind) -> PathHandler:
    def handle(reader: Reader, holder: Value, given: Given) -> Value:
        for value in given.all():
            check_data(reader, value, "a path")
        touch(reader, kind, holder)
        return SOME_DATA

    return handle


def path_open(reader: Reader, holder: Value, given: Given) -> Value:
    return open_file(reader, holder, given.at(0, "mode"), given)


def path_look(reader: Reader, holder: Value, _given: Given) -> Value:
    return look(reader, Given([holder], {}))


def path_command(*words: str) -> PathHandler:
    def handle(reader: Reader, holder: Value, given: Given) -> Value:
        start_words(reader, [*map(const, words), holder, *given.args[:1]])
        return Value(PATH, unwrapped(given.args[0])) if given.args else NOTHING

    return handle


def path_bare(*words: str) -> PathHandler:
    """As `path_command` for methods whose arguments are no paths."""
    return lambda reader, holder, _given: path_command(*words)(reader, holder, Given([], {}))


def path_list(reader: Reader, holder: Value, _given: Given) -> Value:
    touch(reader, "list", holder)
    return several(Value(PATH, join_paths([holder, Value(NAME, "*")])))


def path_glob(reader: Reader, holder: Value, given: Given) -> Value:
    return several(Value(PATH, element(found_by(reader, unwrapped(holder), given.at(0)))))


def path_rglob(reader: Reader, holder: Value, given: Given) -> Value:
    pattern = given.at(0)
    deep = const(f"**/{spelled(pattern)}") if pattern.kind == CONST else pattern
    return several(Value(PATH, element(found_by(reader, unwrapped(holder), deep))))


def path_walk(reader: Reader, holder: Value, _given: Given) -> Value:
    return do_walk(reader, Given([holder], {}))


def path_same(_reader: Reader, holder: Value, _given: Given) -> Value:
    """The same file, but what stands around it may not be what stood around the name."""
    return Value(PATH, holder.value, loose=True)


def path_text(_reader: Reader, holder: Value, _given: Given) -> Value:
    inner: Value = holder.value
    return inner


def path_home(reader: Reader, holder: Value, _given: Given) -> Value:
    return Value(PATH, expand_home(reader, holder))


def path_join(_reader: Reader, holder: Value, given: Given) -> Value:
    return Value(PATH, join_paths([holder, *given.args]))


def path_renamed(_reader: Reader, holder: Value, given: Given) -> Value:
    """`with_name`, `with_suffix`: another name in the same folder."""
    inner, new = holder.value, given.at(0)
    if new.kind != CONST or "/" in str(new.value):
        return Value(PATH, text_of([None]))
    if inner.kind == FOUND:
        return Value(PATH, Value(FOUND, (inner.value[0], "*")))
    if inner.kind != CONST:
        return Value(PATH, text_of([None]))
    folder, slash, last = spelled(inner).rpartition("/")
    name = str(new.value)
    if name[:1] == "." or not name:
        name = (last.rpartition(".")[0] or last) + name
    return Value(PATH, const(f"{folder}{slash}{name}"))


def path_data(_reader: Reader, _holder: Value, _given: Given) -> Value:
    return SOME_DATA


def path_spelled(kind: Kind, code: str = "") -> PathHandler:
    def handle(reader: Reader, holder: Value, given: Given) -> Value:
        reader.doubt("it changes what a path is")
        touch(reader, kind, holder, code=code)
        for value in given.args[:1]:
            if value.kind in (PATH, TEXT) or (value.kind == CONST and isinstance(value.value, str)):
                touch(reader, "read", value, exact=False)
        return SOMETHING

    return handle


PATH_METHODS: dict[str, PathHandler] = {
    **dict.fromkeys(("read_text", "read_bytes"), path_touch("read")),
    **dict.fromkeys(("write_text", "write_bytes", "touch"), path_touch("write")),
    "open": path_open,
    **dict.fromkeys("exists is_file is_dir is_symlink stat lstat is_mount samefile owner group".split(), path_look),
    "iterdir": path_list,
    "glob": path_glob,
    "rglob": path_rglob,
    "walk": path_walk,
    **dict.fromkeys(("resolve", "absolute"), path_same),
    **dict.fromkeys(("as_posix", "__str__", "__fspath__"), path_text),
    "expanduser": path_home,
    "joinpath": path_join,
    **dict.fromkeys(("with_name", "with_suffix", "with_stem"), path_renamed),
    **dict.fromkeys("relative_to is_relative_to match is_absolute as_uri endswith startswith".split(), path_data),
    "unlink": path_bare("rm", "--"),
    "rmdir": path_bare("rmdir", "--"),
    "mkdir": path_bare("mkdir", "-p", "--"),
    **dict.fromkeys(("rename", "replace", "move"), path_command("mv", "--")),
    "copy": path_command("cp", "-r", "--"),
    **dict.fromkeys(("chmod", "lchmod"), path_spelled("write", "mode")),
    **dict.fromkeys(("symlink_to", "hardlink_to", "link_to"), path_spelled("write")),
}
