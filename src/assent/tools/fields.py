"""The input of one call, read strictly: whatever is missing, mistyped or unknown becomes a gap."""

from __future__ import annotations

from assent.errors import InputError
from assent.tools.table import NESTED_KEYS, PATH_KEYS, fold
from assent.types import Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

MAX_DEPTH = 6
HEX = frozenset("0123456789abcdefABCDEF")
WORDS = {dict: "an object", list: "a list", tuple: "a list", bool: "true or false", int: "a number", float: "a number"}


class Fields:
    """Hands out fields once; `leftover` says which nobody asked for."""

    def __init__(self, name: str, values: Mapping[str, object], agent: str = "") -> None:
        self.name = name
        self.values = values
        self.agent = agent
        self.gaps: list[Gap] = []
        self.text = ""
        self._left: dict[str, list[tuple[str, object]]] = {}
        for key, value in values.items():
            self._left.setdefault(fold(str(key)), []).append((str(key), value))

    def gap(self, why: str) -> None:
        self.gaps.append(Gap(f"{self.name} {why}"))

    def blind(self, why: str) -> None:
        self.gaps.append(Gap(f"{self.name} {why}", blind=True))

    def need(self, key: str, found: Collection[object]) -> None:
        """A required field: unless something was found, or already complained about, its absence is a blind gap."""
        if not found and not any(gap.blind for gap in self.gaps):
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
                    self.blind(f"needs `{key}` as text: it is {shape(item)}")
        return [text for text in found if text]

    def flag(self, keys: Iterable[str]) -> bool:
        """Whether any of these fields is given and is not false, empty or zero."""
        return any(value not in (False, 0, "", "false") for _, value in self.take(keys))

    def paths(self, keys: Iterable[str] = (*PATH_KEYS, *NESTED_KEYS), harmless: Collection[str] = ()) -> list[str]:
        """The different paths under `keys`: texts, lists, and objects that carry a path of their own."""
        found: dict[str, None] = {}
        for key, value in self.take(keys):
            self._collect(key, value, harmless, found, 0)
        return list(found)

    def leftover(self, harmless: Collection[str]) -> None:
        """A gap for every field that nobody asked for and that is not known to be harmless."""
        for key, pairs in self._left.items():
            if key not in harmless:
                for written, _ in pairs:
                    self.gap(f"has an unknown field `{written[:80]}`")

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
                self.gap(f"has an unknown field `{key[:80]}`")
            elif isinstance(item, str):
                found.update(dict.fromkeys(local_paths(item)))
            elif isinstance(item, dict) and depth < MAX_DEPTH:
                self._collect_object(item, harmless, found, depth)
            else:
                self.blind(f"needs `{key}` as text: it is {shape(item)}")

    def _collect_object(
        self, item: dict[str, object], harmless: Collection[str], found: dict[str, None], depth: int
    ) -> None:
        inner = Fields(self.name, item)
        for key, value in inner.take((*PATH_KEYS, *NESTED_KEYS)):
            inner._collect(key, value, harmless, found, depth + 1)
        inner.leftover(harmless)
        self.gaps += inner.gaps


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
