"""The input of one call, read strictly: whatever is missing, mistyped or unknown becomes a gap."""

from __future__ import annotations

from assent.errors import InputError
from assent.tools.table import LISTS, NESTED_KEYS, PATH_KEYS, fold
from assent.types import Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

MAX_DEPTH = 6
HEX = frozenset("0123456789abcdefABCDEF")
WORDS = {dict: "an object", list: "a list", tuple: "a list", bool: "true or false", int: "a number", float: "a number"}


class Fields:
    """Hands out fields once; `leftover` says which nobody asked for.

    `strange` and `nested` collect values that no reader looked into, so that they can be traced: those of unknown or
    mistyped fields, and the objects and lists in harmless ones.
    """

    def __init__(self, name: str, values: Mapping[str, object], agent: str = "", *, vouchable: bool = True) -> None:
        self.name = name
        self.values = values
        self.agent = agent
        self.vouchable = vouchable
        self.gaps: list[Gap] = []
        self.strange: list[tuple[str, object]] = []
        self.nested: list[tuple[str, object]] = []
        self.said: list[str] = []
        self._left: dict[str, list[tuple[str, object]]] = {}
        for key, value in values.items():
            self._left.setdefault(fold(str(key)), []).append((str(key), value))

    def gap(self, why: str) -> None:
        self.gaps.append(Gap(f"{self.name} {why}"))

    def blind(self, why: str) -> None:
        self.gaps.append(Gap(f"{self.name} {why}", blind=True))

    def unknown(self, key: str, value: object) -> None:
        """A field that may change everything: only a rule that names the whole call vouches for it, if any does."""
        why = f"{self.name} has an unknown field `{key[:80]}`"
        self.gaps.append(Gap(why, blind=True, vouchable=self.vouchable))
        self.strange.append((key, value))

    def mistyped(self, key: str, value: object) -> None:
        self.blind(f"needs `{key}` as text: it is {shape(value)}")
        self.strange.append((key, value))

    def say(self, text: str) -> None:
        """Add to the text in which denied commands are looked for."""
        self.said.append(text)

    def absorb(self, inner: Fields) -> None:
        """Keep what was found out about an object inside this one."""
        self.gaps += inner.gaps
        self.strange += inner.strange
        self.nested += inner.nested

    def need(self, key: str, found: Collection[object]) -> None:
        """A required field: unless something was found, or already complained about, its absence is a blind gap."""
        if not found and not any(gap.blind and not gap.vouchable for gap in self.gaps):
            self.blind(f"needs `{key}`: missing")

    def take(self, keys: Iterable[str]) -> list[tuple[str, object]]:
        """Every field among `keys` that is given (not null), as (name, value); all of them count as understood."""
        found = [pair for key in keys for pair in self._left.pop(key, ())]
        return [(key, value) for key, value in found if value is not None]

    def texts(self, keys: Iterable[str]) -> list[str]:
        """The different texts under `keys`, lists of texts included; empty texts count as absent."""
        found: dict[str, None] = {}
        for key, value in self.take(keys):
            for item in self.items(key, value):
                if isinstance(item, str):
                    found[item] = None
                else:
                    self.mistyped(key, item)
        return [text for text in found if text]

    def flag(self, keys: Iterable[str]) -> bool:
        """Whether any of these fields is given and is not false, empty or zero."""
        given = self.take(keys)
        self.nested += [(key, value) for key, value in given if is_nested(value)]
        return any(value not in (False, 0, "", "false") for _, value in given)

    def paths(self, keys: Iterable[str] = (*PATH_KEYS, *NESTED_KEYS), harmless: Collection[str] = ()) -> list[str]:
        """The different paths under `keys`: texts, lists, and objects that carry a path of their own."""
        found: dict[str, None] = {}
        for key, value in self.take(keys):
            self._collect(key, value, harmless, found, 0)
        return list(found)

    def leftover(self, harmless: Collection[str]) -> None:
        """A gap for every field that nobody asked for and that is not known to be harmless."""
        for key, pairs in self._left.items():
            for written, value in pairs:
                if key not in harmless:
                    self.unknown(written, value)
                elif is_nested(value) and not (key in LISTS and is_flat(value)):
                    self.nested.append((written, value))

    def items(self, key: str, value: object) -> list[object]:
        """A list, or one value as a list."""
        if isinstance(value, str) and value[:1] == "[" and fold(key).endswith("s"):
            value = self._unwrap(key, value)
        return list(value) if isinstance(value, (list, tuple)) else [value]

    def _unwrap(self, key: str, text: str) -> object:
        """Some hosts hand a list over as JSON text; what else could read it as plain text is left as a gap."""
        from assent.wire import loads

        try:
            value = loads(text)
        except InputError:
            return text
        self.gap(f"has `{key}` as JSON text")
        return value

    def _collect(self, key: str, value: object, harmless: Collection[str], found: dict[str, None], depth: int) -> None:
        for item in self.items(key, value):
            if isinstance(item, str) and fold(key) in NESTED_KEYS:
                self.unknown(key, item)
            elif isinstance(item, str):
                found.update(dict.fromkeys(local_paths(item)))
            elif isinstance(item, dict) and depth < MAX_DEPTH:
                self._collect_object(item, harmless, found, depth)
            else:
                self.mistyped(key, item)

    def _collect_object(
        self, item: dict[str, object], harmless: Collection[str], found: dict[str, None], depth: int
    ) -> None:
        inner = Fields(self.name, item, vouchable=self.vouchable)
        for key, value in inner.take((*PATH_KEYS, *NESTED_KEYS)):
            inner._collect(key, value, harmless, found, depth + 1)
        inner.leftover(harmless)
        self.absorb(inner)


def is_nested(value: object) -> bool:
    """Whether a JSON value is an object or a list."""
    return isinstance(value, (list, tuple)) or hasattr(value, "items")


def is_flat(value: object) -> bool:
    """Whether a value is a list of texts and nothing else."""
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def shape(value: object) -> str:
    """What a JSON value is, in words."""
    return WORDS.get(type(value), "null" if value is None else "text" if isinstance(value, str) else "something else")


def local_paths(text: str) -> tuple[str, ...]:
    """The path a text names; a `file:` URL names the decoded one as well, and empty text names none."""
    if text[:5].lower() != "file:":
        return (text,) if text else ()
    rest = text[5:]
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path if host.lower() in ("", "localhost") else rest
    return tuple(dict.fromkeys((decode(rest), text))) if rest else (text,)


def decode(text: str) -> str:
    """Undo percent-encoding; what is not one stays as it is."""
    first, *parts = text.split("%")
    out = bytearray(first.encode("utf-8", "surrogatepass"))
    for part in parts:
        if len(part) > 1 and part[0] in HEX and part[1] in HEX:
            out.append(int(part[:2], 16))
            out += part[2:].encode("utf-8", "surrogatepass")
        else:
            out += b"%" + part.encode("utf-8", "surrogatepass")
    return out.decode("utf-8", "surrogateescape")
