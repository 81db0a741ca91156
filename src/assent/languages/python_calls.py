"""What functions and methods of Python's library do: exact for those that are known, a doubt for all others."""

from __future__ import annotations

from assent.languages.python_names import (
    ATTRIBUTES,
    CONSTANT_MODULES,
    FILE_ATTRIBUTES,
    FILE_METHODS,
    LENIENT,
    METHODS,
    SIGNALS,
    is_pure,
)
from assent.languages.values import (
    ANY,
    CHOICE,
    CONST,
    DATA,
    FILE,
    FOUND,
    FUNCTION,
    LONGEST_FOLD,
    MEMBER,
    METHOD,
    MOST_ITEMS,
    NAME,
    NOTHING,
    PATH,
    SIMPLE,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Value,
    alternatives,
    choice,
    const,
    element,
    filled,
    is_inert,
    listed,
    pieces_of,
    several,
    spelled,
    text_of,
)
from assent.protected import on_the_floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from assent.languages.python import Reader
    from assent.types import Kind

    Handler = Callable[[Reader, "Given"], Value]

NOT_KNOWN = "a path that is not known"


class Given:
    """What a call hands over; with `spread` there may be more of it than is known."""

    __slots__ = ("args", "named", "spread")

    def __init__(self, args: list[Value], named: dict[str, Value]) -> None:
        self.args = args
        self.named = named
        self.spread = False

    def at(self, place: int, name: str = "") -> Value:
        """An argument by its place or name; None's value if it is not given."""
        return self.args[place] if 0 <= place < len(self.args) else self.named.get(name, NOTHING)

    def all(self) -> list[Value]:
        return [*self.args, *self.named.values()]


# --- names --------------------------------------------------------------------------------------------------------

SAME_AS = {
    "posixpath": "os.path",
    "posix": "os",
    "ntpath": "os.path",
    "_io.open": "builtins.open",
    "io.open": "builtins.open",
    "codecs.open": "builtins.open",
    "pathlib.PosixPath": "pathlib.Path",
    "pathlib.PurePath": "pathlib.Path",
    "pathlib.PurePosixPath": "pathlib.Path",
    "commands.getoutput": "subprocess.getoutput",
    "glob.iglob": "glob.glob",
    "os.unlink": "os.remove",
    "os.getcwdu": "os.getcwd",
    "os.environ.setdefault": "os.environ.set",
    "__builtin__": "builtins",
}
LITERALS: dict[str, object] = {
    "os.sep": "/",
    "os.linesep": "\n",
    "os.name": "posix",
    "os.curdir": ".",
    "os.pardir": "..",
    "os.extsep": ".",
    "os.pathsep": ":",
    "os.devnull": "/dev/null",
    "sys.executable": "python3",
    "sys.platform": "linux",
    "subprocess.PIPE": -1,
    "subprocess.STDOUT": -2,
    "subprocess.DEVNULL": -3,
    "builtins.True": True,
    "builtins.False": False,
    "builtins.None": None,
}
JUST_DATA = frozenset(
    """sys.version sys.version_info sys.byteorder sys.maxsize sys.flags sys.implementation sys.hexversion sys.prefix
    sys.base_prefix math.pi math.e math.inf math.nan math.tau string.ascii_letters string.ascii_lowercase
    string.ascii_uppercase string.digits string.punctuation string.printable string.whitespace string.hexdigits
    datetime.UTC sys.float_info sys.stdlib_module_names keyword.kwlist html.entities sys.builtin_module_names
    time.timezone time.tzname""".split()
)
STREAMS = frozenset("sys.stdin sys.stdout sys.stderr sys.__stdin__ sys.__stdout__ sys.__stderr__".split())


def member(reader: Reader, given: str) -> Value:
    """A module, or something in it, by its full name."""
    name = given
    for alias, meant in SAME_AS.items():
        if name == alias or name.startswith(f"{alias}."):
            name = meant + name[len(alias) :]
    if name in LITERALS:
        return const(LITERALS[name])
    if name in JUST_DATA:
        return SOME_DATA
    if name in STREAMS:
        return Value(FILE)
    if name == "sys.argv":
        return (
            listed([SOME_DATA if text is None else const(text) for text in reader.argv]) if reader.argv else SOME_DATA
        )
    parent, _, last = name.rpartition(".")
    if parent == "signal" and last in SIGNALS:
        return const(SIGNALS[last])
    if parent in CONSTANT_MODULES and last.isupper():
        return SOME_DATA
    return Value(MEMBER, name)


# --- calls --------------------------------------------------------------------------------------------------------


def call_member(reader: Reader, name: str, given: Given, *, as_path: bool = False) -> Value:
    """Call a function by its full name."""
    if as_path:
        return Value(PATH, join_paths(given.args))
    exact, spelling = handlers()
    handler = exact.get(name)
    if handler is not None:
        if given.spread and name != "builtins.print":
            reader.doubt(f"what {shown(name)} is given is not known")
        if name not in CALLING:
            check_functions(reader, name, given)
        return handler(reader, given)
    if is_pure(name):
        return calculate(reader, name, given)
    for suffix in suffixes(name):
        handler = spelling.get(suffix) or (exact.get(suffix) if suffix != name else None)
        if handler is not None:
            reader.doubt(f"it calls {shown(suffix)}")
            escape(reader, given)
            return handler(reader, given)
    reader.doubt(f"{shown(name)} is not known to be harmless")
    escape(reader, given)
    by_method(reader, name.rpartition(".")[2], given)
    return SOMETHING


CALLING = frozenset(f"builtins.{name}" for name in "print sorted min max map filter".split())
"""Functions that look themselves at those which they are given."""


def check_functions(reader: Reader, name: str, given: Given) -> None:
    """A function that is handed on may be called at any time."""
    for value in given.all():
        if any(one.kind in (FUNCTION, METHOD) for one in alternatives(value)):
            reader.doubt(f"{shown(name)} is given a function")
            escape(reader, given)


def handlers() -> tuple[dict[str, Handler], dict[str, Handler]]:
    if not _handlers:
        from assent.languages.python_library import EXACT, SPELLING

        _handlers.append((EXACT, SPELLING))
    return _handlers[0]


_handlers: list[tuple[dict[str, Handler], dict[str, Handler]]] = []


def suffixes(name: str) -> list[str]:
    """The name, and what it ends in: a module may be reached through another one, as in `shutil.os.system`."""
    parts = name.split(".")
    return [".".join(parts[at:]) for at in range(max(1, len(parts) - 1))]


def shown(name: str) -> str:
    return name.removeprefix("builtins.")


def escape(reader: Reader, given: Given) -> None:
    """Functions that something else may call from now on."""
    for value in given.all():
        for one in alternatives(value):
            if one.kind == FUNCTION:
                reader.left[id(one)] = one
            elif one.kind == MEMBER and is_environment(one.value):
                shows_environment(reader)


def is_environment(name: str) -> bool:
    return name.rpartition(".")[2] in ("environ", "environb")


def shows_environment(reader: Reader) -> None:
    reader.found.effect("note", "the environment", code="environment")
    reader.doubt("it shows the environment")


def calculate(reader: Reader, name: str, given: Given) -> Value:
    """A function that only looks at data: what it is given must be no more than that."""
    last = name.rpartition(".")[2]
    lenient = name.startswith("builtins.") and last in LENIENT
    for value in given.all():
        check_data(reader, value, shown(name), lenient=lenient)
    fold = FOLDS.get(name)
    if fold is not None:
        made = fold(reader, given)
        if made is not None:
            reader.spell(made)
            return made
    return SOME_DATA


def check_data(reader: Reader, value: Value, name: str, *, lenient: bool = False) -> None:
    """Doubt a value that is more than data; a function that is handed over will be called with data."""
    for one in alternatives(value):
        if one.kind == FUNCTION:
            reader.defer(one.value[0])
            reader.invoke(one, Given([], {}))
        elif one.kind == MEMBER:
            if is_environment(one.value):
                shows_environment(reader)
            elif not lenient and not is_pure(one.value) and one.value not in ELEMENTARY:
                reader.doubt(f"{shown(one.value)} is handed to {name}")
        elif one.kind == METHOD:
            holder, method = one.value
            if not (lenient or (is_inert(holder) and method in METHODS) or (holder.kind == FILE)):
                reader.doubt(f"something else than data is handed to {name}")
        elif not lenient and one.kind != FILE and not is_inert(one):
            reader.doubt(f"something else than data is handed to {name}")


ELEMENTARY = frozenset(f"builtins.{name}" for name in "list tuple set frozenset dict str int float bytes bool".split())


def call_method(reader: Reader, holder: Value, name: str, given: Given) -> Value:
    """Call a method of a value."""
    if holder.kind == CHOICE:
        return choice([call_method(reader, one, name, given) for one in alternatives(holder)])
    if holder.kind == PATH:
        return path_method(reader, holder, name, given)
    if holder.kind == FILE:
        return file_method(reader, name, given)
    if holder.kind in (DATA, *SIMPLE):
        return data_method(reader, holder, name, given)
    reader.doubt(f"it calls .{name}() of something that is not known")
    escape(reader, given)
    by_method(reader, name, given)
    return SOMETHING


def by_method(reader: Reader, name: str, given: Given) -> None:
    from assent.languages.python_library import BY_NAME

    handler = BY_NAME.get(name)
    if handler is not None:
        handler(reader, given)


def file_method(reader: Reader, name: str, given: Given) -> Value:
    if name not in FILE_METHODS:
        reader.doubt(f"it calls .{name}() of a file")
        by_method(reader, name, given)
        return SOMETHING
    for value in given.all():
        check_data(reader, value, f".{name}()")
    return Value(FILE) if name in ("open", "extractfile", "__enter__") else SOME_DATA


STORING = frozenset(
    """append extend insert add update setdefault appendleft extendleft remove pop clear reverse sort popitem popleft
    discard""".split()
)


def data_method(reader: Reader, holder: Value, name: str, given: Given) -> Value:
    """A method of something of Python's own types."""
    if name not in METHODS:
        reader.doubt(f"it calls .{name}() of something that is not known")
        escape(reader, given)
        by_method(reader, name, given)
        return SOMETHING
    each = element(holder) if name in ("sort",) else SOME_DATA
    for value in given.all():
        for one in alternatives(value):
            if one.kind == FUNCTION:
                reader.invoke(one, Given([each], {}))
            else:
                check_data(reader, one, f".{name}()")
    if holder.kind == DATA:
        if name in STORING:
            hold(reader, holder, name, given)
        if name in VIEWS:
            reader.look_later([holder])
        made = held(holder, name, given)
    else:
        made = fold_method(holder, name, given)
    if made is None:
        return several(element(holder)) if holder.each is not None and name in ("copy", "values") else SOME_DATA
    reader.spell(made)
    return made


HOLDING = frozenset("append extend insert add update setdefault appendleft extendleft".split())
VIEWS = frozenset(("items", "values", "keys"))


def hold(reader: Reader, holder: Value, name: str, given: Given) -> None:
    """Put something into a list; where that may not happen, or again, its items are not certain any more."""
    reader.change(holder)
    values = given.args[-1:] if name in HOLDING else []
    if name in ("extend", "update", "extendleft") and values:
        inner = values[0]
        values = inner.items if inner.kind == DATA and inner.items is not None else [element(inner)]
    if holder.items is not None:
        if name in ("remove", "pop", "clear", "reverse", "sort", "popleft"):
            holder.loose = True
        elif name in ("append", "extend") and len(holder.items) + len(values) < MOST_ITEMS:
            holder.items += values
        else:
            holder.loose = True
        holder.loose = holder.loose or bool(reader.weak) or given.spread
    elif isinstance(holder.value, dict):
        holder.loose = True


def held(holder: Value, name: str, given: Given) -> Value | None:
    """What comes out of a list or dict again."""
    key = given.at(0)
    if name in ("get", "pop", "setdefault"):
        if isinstance(holder.value, dict) and key.kind == CONST and not holder.loose:
            found = holder.value.get(key.value) if isinstance(key.value, (str, int, bytes)) else None
            return found if found is not None else given.args[1] if len(given.args) > 1 else SOME_DATA
        rest = [given.args[1]] if len(given.args) > 1 and name != "pop" else []
        inside = list(holder.value.values()) if isinstance(holder.value, dict) else []
        return choice([*inside, *rest, SOME_DATA, *([element(holder)] if name == "pop" else [])])
    if name == "items" and isinstance(holder.value, dict):
        return several(choice([listed([const(key), value]) for key, value in holder.value.items()] or [SOME_DATA]))
    if name == "values" and isinstance(holder.value, dict):
        return several(choice([*holder.value.values(), *([SOME_DATA] if holder.loose else [])]))
    if name == "copy" and holder.items is not None:
        return Value(DATA, items=list(holder.items), loose=holder.loose)
    return None


# --- constants ----------------------------------------------------------------------------------------------------

PLAIN_METHODS = frozenset(
    """lower upper strip lstrip rstrip title swapcase capitalize casefold removeprefix removesuffix split rsplit
    splitlines partition rpartition hex isdigit startswith endswith decode encode count find""".split()
)


def fold_method(holder: Value, name: str, given: Given) -> Value | None:
    """A method of a text that is known, with arguments that are; None if the result is not."""
    if name == "join":
        return join_texts(holder, given.at(0))
    if name == "format":
        return filled(holder, given.args, given.named)
    if holder.kind != CONST or not all(value.kind == CONST for value in given.all()):
        return None
    text, values = holder.value, [value.value for value in given.args]
    if not isinstance(text, (str, bytes)) or given.named:
        return None
    try:
        if name == "replace" and len(values) == 2 and all(isinstance(value, (str, bytes)) for value in values):
            long = len(text) * max(1, len(values[1])) > LONGEST_FOLD
            return None if long else const(text.replace(*values))
        if name in PLAIN_METHODS and not (name in ("decode", "encode") and not are_codecs(values)):
            return as_value(getattr(text, name)(*values))
    except Exception:  # whatever it is that Python refuses
        return None
    return None


def are_codecs(values: list[Any]) -> bool:
    return all(str(value).lower() in CODECS for value in values[:1])


CODECS = ("utf-8", "utf8", "ascii", "latin-1", "latin1", "utf-16", "utf_8", "iso-8859-1", "hex", "rot13", "rot_13")


def as_value(made: object) -> Value:
    if isinstance(made, (list, tuple)):
        return listed([as_value(item) for item in made[:MOST_ITEMS]])
    return const(made)


def join_texts(holder: Value, given: Value) -> Value | None:
    if holder.kind != CONST or given.kind != DATA or given.items is None or given.loose:
        return None
    if isinstance(holder.value, bytes):
        parts = [item.value for item in given.items if item.kind == CONST and isinstance(item.value, bytes)]
        return const(holder.value.join(parts)) if len(parts) == len(given.items) else None
    if not isinstance(holder.value, str):
        return None
    pieces: list[str | None] = []
    for place, item in enumerate(given.items):
        pieces += [holder.value] if place else []
        pieces += pieces_of(item)
    return text_of(pieces)


def constants(given: Given) -> list[Any] | None:
    values = given.args
    return [value.value for value in values] if all(value.kind == CONST for value in values) else None


def folding(function: Callable[..., object]) -> Callable[[Reader, Given], Value | None]:
    """Calculates with constants, if all of them are some and short."""

    def fold(_reader: Reader, given: Given) -> Value | None:
        values = constants(given)
        if values is None or sum(len(value) for value in values if isinstance(value, (str, bytes))) > LONGEST_FOLD:
            return None
        try:
            return as_value(function(*values))
        except Exception:  # whatever it is that Python refuses
            return None

    return fold


def decode_base64(text: str | bytes, *_more: object) -> bytes:
    import binascii

    plain = text.encode() if isinstance(text, str) else text
    return binascii.a2b_base64(plain.replace(b"-", b"+").replace(b"_", b"/") + b"==")


def decode_hex(text: str | bytes) -> bytes:
    return bytes.fromhex(text.decode() if isinstance(text, bytes) else text)


def inflate(data: bytes, *_more: object) -> bytes:
    import zlib

    return zlib.decompressobj(47).decompress(data, LONGEST_FOLD)


def decode_text(text: Any, name: str = "utf-8") -> object:
    kind = str(name).lower().replace("_", "").replace("-", "")
    if kind == "rot13":
        return "".join(map(rotate, text))
    if kind in ("hex", "hexcodec"):
        return decode_hex(text)
    if kind in ("base64", "base64codec"):
        return decode_base64(text)
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def rotate(sign: str) -> str:
    if not sign.isascii() or not sign.isalpha():
        return sign
    first = ord("a") if sign.islower() else ord("A")
    return chr((ord(sign) - first + 13) % 26 + first)


def as_integer(text: Any, base: int = 10) -> int:
    return int(text, base) if isinstance(text, (str, bytes)) and len(text) < 20 else int(text)


def make_bytes(value: Any, *_more: object) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    raise TypeError


def bytes_of(_reader: Reader, given: Given) -> Value | None:
    """`bytes([114, 109])`, `bytes("rm", "ascii")`."""
    first = given.at(0)
    if first.kind == DATA and first.items is not None and not first.loose:
        numbers = [item.value for item in first.items if item.kind == CONST and type(item.value) is int]
        whole = len(numbers) == len(first.items) and all(0 <= number < 256 for number in numbers)
        return const(bytes(numbers)) if whole else None
    return folding(make_bytes)(_reader, given)


def text_of_value(_reader: Reader, given: Given) -> Value | None:
    """`str(x)`: a path becomes its text."""
    first = given.at(0)
    if first.kind == PATH:
        inner: Value = first.value
        return inner
    if first.kind == CONST and isinstance(first.value, (str, int, float)) and len(given.args) == 1:
        return const(str(first.value))
    if first.kind == CONST and isinstance(first.value, bytes) and len(given.args) > 1:
        return const(first.value.decode("utf-8", "replace"))
    return first if first.kind in (TEXT, FOUND, NAME) else None


def ranging(reader: Reader, given: Given) -> Value | None:
    """`range(n)`; a very long one is a program that does not end soon."""
    values = constants(given)
    if values and all(type(value) is int for value in values):
        if any(abs(value) > LONGEST_LOOP for value in values):
            reader.doubt("a loop is very long")
        numbers = range(*values) if len(values) < 3 or values[2] else range(0)
        return listed(map(const, numbers)) if len(numbers) <= MOST_FOLDED else None
    return None


LONGEST_LOOP, MOST_FOLDED = 10_000_000, 16


def split_ending(_reader: Reader, given: Given) -> Value | None:
    """`os.path.splitext` of a path that is known."""
    first = given.at(0)
    text = spelled(first) if first.kind == CONST and isinstance(first.value, str) else ""
    folder, slash, last = text.rpartition("/")
    stem, dot, ending = last.lstrip(".").rpartition(".")
    if not text or not dot or not stem:
        return listed([const(text), const("")]) if text else None
    hidden = last[: len(last) - len(last.lstrip("."))]
    return listed([const(f"{folder}{slash}{hidden}{stem}"), const(f".{ending}")])


FOLDS: dict[str, Callable[[Reader, Given], Value | None]] = {
    "builtins.chr": folding(chr),
    "builtins.ord": folding(ord),
    "builtins.int": folding(as_integer),
    "builtins.str": text_of_value,
    "builtins.bytes": bytes_of,
    "builtins.bytearray": bytes_of,
    "builtins.range": ranging,
    "os.path.splitext": split_ending,
    "builtins.bytes.fromhex": folding(decode_hex),
    "builtins.bytearray.fromhex": folding(decode_hex),
    "builtins.bytes.decode": folding(decode_text),
    "base64.b64decode": folding(decode_base64),
    "base64.urlsafe_b64decode": folding(decode_base64),
    "base64.standard_b64decode": folding(decode_base64),
    "base64.decodebytes": folding(decode_base64),
    "base64.b16decode": folding(decode_hex),
    "binascii.a2b_base64": folding(decode_base64),
    "binascii.unhexlify": folding(decode_hex),
    "binascii.a2b_hex": folding(decode_hex),
    "zlib.decompress": folding(inflate),
    "gzip.decompress": folding(inflate),
    "codecs.decode": folding(decode_text),
    "codecs.encode": folding(decode_text),
}


# --- paths --------------------------------------------------------------------------------------------------------


def touch(
    reader: Reader, kind: Kind, value: Value, *, deep: bool = False, code: str = "", only: str = "", exact: bool = True
) -> None:
    """State what happens to a path; one that is not known is a doubt."""
    for one in alternatives(value):
        held = one.value if one.kind == PATH else one
        if held.kind == CHOICE:
            touch(reader, kind, held, deep=deep, code=code, only=only, exact=exact)
        elif held.kind == CONST and isinstance(held.value, (str, bytes)):
            path = located(reader, spelled(held))
            if isinstance(held.value, bytes) and "\ufffd" in path:
                reader.doubt(f"it {kind}s {NOT_KNOWN}")
            if path not in HARMLESS_FILES or kind not in ("read", "write"):
                reader.found.effect(kind, path, deep=deep, code=code, only=only)
        elif held.kind == CONST and held.value is None:
            reader.found.effect(kind, reader.moved or ".", deep=deep, code=code, only=only)
        elif held.kind == CONST and type(held.value) is int and held.value in (0, 1, 2):
            continue  # a stream that is open anyway
        elif held.kind in (FOUND, NAME):
            root, names = held.value if held.kind == FOUND else (".", held.value)
            below(reader, kind, located(reader, root), only or names, code)
        else:
            if exact:
                verb = "lists" if kind == "list" else f"{kind}s"
                reader.doubt(f"it {verb} {NOT_KNOWN}")
            if held.kind == TEXT:
                reader.found.effect(kind, located(reader, spelled(held)), deep=deep, code=code, possible=True)


HARMLESS_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"})


def below(reader: Reader, kind: Kind, root: str, only: str, code: str) -> None:
    """Something in a folder, of which only the names are known."""
    names = "" if only == "*" else only
    follows = "all" if kind in ("read", "write") else ""
    reader.found.effect(kind, root, deep=True, only=names, code=code, follows=follows)  # type: ignore[arg-type]


def located(reader: Reader, path: str) -> str:
    """A path as seen from where the program was started."""
    plain = path.partition("\0")[0] or "."
    return plain if plain[0] == "/" or not reader.moved else f"{reader.moved.rstrip('/')}/{plain}"


def join_paths(parts: list[Value]) -> Value:
    """`os.path.join`, for every choice there is."""
    made = alternatives(unwrapped(parts[0])) if parts else [const(".")]
    for part in parts[1:]:
        made = [joined(one, other) for one in made for other in alternatives(unwrapped(part))][:MOST_FOLDED]
    return choice(made)


def unwrapped(value: Value) -> Value:
    if value.kind == CHOICE:
        return choice([unwrapped(one) for one in alternatives(value)])
    inner: Value = value.value if value.kind == PATH else value
    return inner


def joined(one: Value, other: Value) -> Value:
    """One path behind another."""
    text = spelled(other) if other.kind in (CONST, TEXT) else ""
    if text[:1] == "/" or (other.kind == FOUND and other.value[0][:1] == "/"):
        return other
    inside = ".." not in text.split("/")
    if one.kind == CONST:
        start = spelled(one)
        start = start if start.endswith("/") or not start else f"{start}/"
        if other.kind == CONST:
            return const(start + text)
        if other.kind == NAME:
            return Value(FOUND, (start or ".", other.value))
        if other.kind == FOUND:
            return Value(FOUND, (start + other.value[0], other.value[1]))
    if one.kind == FOUND:
        if other.kind == CONST and inside:
            last = text.rstrip("/").rpartition("/")[2]
            return Value(FOUND, (one.value[0], last if last and not set("*?[]") & set(last) else "*"))
        if other.kind == NAME:
            return Value(FOUND, (one.value[0], other.value))
    return text_of([*pieces_of(one), "/", *pieces_of(other)])


def expand_home(reader: Reader, value: Value) -> Value:
    """`~` and `~/x`, where home is known."""
    made: list[Value] = []
    for one in alternatives(unwrapped(value)):
        text = spelled(one) if one.kind in (CONST, TEXT) else ""
        if text[:1] != "~":
            made.append(one)
        elif text[1:2] in ("", "/") and reader.home:
            pieces = pieces_of(one)
            made.append(text_of([reader.home, (pieces[0] or "")[1:], *pieces[1:]]))
        else:
            made.append(text_of([None, "/", text.partition("/")[2]]))
    return choice(made)


def found_by(reader: Reader, root: Value, pattern: Value) -> Value:
    """Paths that a pattern below a folder stands for."""
    text = spelled(pattern) if pattern.kind == CONST else "?" if pattern.kind == TEXT else ""
    parts = text.split("/")
    if not text or ".." in parts or pattern.kind != CONST:
        reader.doubt("a pattern that is not known")
        return several(SOMETHING)
    if on_the_floor(text):
        reader.found.effect("read", located(reader, text), possible=True)
    plain = []
    while parts and not set("*?[") & set(parts[0]):
        plain.append(parts.pop(0))
    start = "/".join(plain) or ("/" if text[0] == "/" else "")
    where = join_paths([root, const(start)]) if start else root
    if not parts:
        return several(where)
    only = parts[-1] if "**" not in parts[-1] else "*"
    found = []
    for one in alternatives(unwrapped(where)):
        folder = spelled(one) if one.kind == CONST else one.value[0] if one.kind == FOUND else None
        if folder is None:
            reader.doubt(f"it looks into {NOT_KNOWN}")
            continue
        reader.found.effect("list", located(reader, folder or "."), deep=True)
        found.append(Value(FOUND, (folder or ".", only)))
    return several(choice(found) if found else SOMETHING)


def part_of(holder: Value, name: str) -> Value | None:
    """An attribute that is no method."""
    if holder.kind == PATH:
        return path_attribute(holder, name)
    if holder.kind == FILE:
        return Value(FILE) if name == "buffer" else SOME_DATA if name in FILE_ATTRIBUTES else None
    if holder.kind in (DATA, *SIMPLE) and name in ATTRIBUTES and name not in METHODS:
        return SOME_DATA
    if holder.kind == ANY and name in ATTRIBUTES:
        return SOMETHING
    return None


def path_attribute(holder: Value, name: str) -> Value | None:
    inner: Value = holder.value
    if name == "parent" and holder.loose:  # it may have led through a link
        return Value(PATH, text_of([None]))
    if name in ("name", "stem", "suffix", "parent") and inner.kind == CONST:
        text = spelled(inner).rstrip("/")
        folder, slash, last = text.rpartition("/")
        stem, dot, ending = last.rpartition(".")
        match name:
            case "name":
                return const(last)
            case "stem":
                return const(stem if dot and stem else last)
            case "suffix":
                return const(f".{ending}" if dot and stem else "")
            case _:
                return Value(PATH, const(folder or slash or "."))
    if name == "name" and inner.kind == FOUND:
        return Value(NAME, inner.value[1])
    if name == "path":
        return inner
    if name in ("parent", "parents"):
        where = Value(PATH, text_of([None]))
        return where if name == "parent" else several(where)
    return SOME_DATA if name in ("name", "stem", "suffix", "suffixes", "parts", "anchor", "root", "drive") else None


def path_method(reader: Reader, holder: Value, name: str, given: Given) -> Value:
    from assent.languages.python_library import PATH_METHODS

    handler = PATH_METHODS.get(name)
    check_functions(reader, f".{name}()", given)
    if handler is None:
        reader.doubt(f"it calls .{name}() of a path")
        escape(reader, given)
        return SOMETHING
    return handler(reader, holder, given)
