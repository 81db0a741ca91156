"""JSON in and out on the hot path: the C scanner without the `json` package, duplicate keys refused."""

from __future__ import annotations

from assent.errors import InputError

try:
    from _json import encode_basestring_ascii as _quote
except ImportError:  # an interpreter without the C accelerator
    from json.encoder import encode_basestring_ascii as _quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLANKS = " \t\n\r"
MAX_DEPTH = 200


def loads(text: str | bytes) -> object:
    """Parse one JSON value; anything wrong is an `InputError` that says where."""
    try:
        source = text.decode() if isinstance(text, bytes) else text
        start = len(source) - len(source.lstrip(BLANKS))
        value, end = _scan(source, start)
    except StopIteration as stop:
        raise InputError(f"not JSON: unexpected end or character at offset {stop.value}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"not JSON: not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise InputError("not JSON we accept: nested too deeply") from None
    except ValueError as error:
        raise InputError(f"not JSON: {error}") from None
    extra = source[end:].lstrip(BLANKS)
    if extra:
        raise InputError(f"not JSON: extra text at offset {len(source) - len(extra)}")
    return value


def dumps(value: object) -> str:
    """Write JSON on one line, ASCII only; knows the types that JSON knows and tuples."""
    out: list[str] = []
    _write(value, out.append, 0)
    return "".join(out)


def _scan(source: str, start: int) -> Any:
    try:
        return _scanner()(source, start)
    except SystemError:  # CPython 3.11 can raise its own syntax error only once `json` is imported
        import json.decoder  # noqa: F401

        return _scanner()(source, start)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError(f"not JSON we accept: key `{key}` appears twice")
            seen.add(key)
    return made


def _no_constant(name: str) -> object:
    raise InputError(f"not JSON we accept: `{name}`")


class _Context:
    strict = True
    object_hook = None
    object_pairs_hook = staticmethod(_unique)
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_no_constant)
    memo: dict[str, str] = {}


_made: list[Any] = []


def _scanner() -> Any:
    if not _made:
        try:
            from _json import make_scanner
        except ImportError:  # an interpreter without the C accelerator
            import json

            _made.append(json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant).raw_decode)
        else:
            _made.append(make_scanner(_Context()))  # type: ignore[arg-type]
    return _made[0]


def _write(value: object, put: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise InputError("cannot write JSON: nested too deeply")
    if isinstance(value, str):
        put(_quote(value))
    elif value is None or value is True or value is False:
        put("null" if value is None else "true" if value else "false")
    elif isinstance(value, int):
        put(int.__repr__(value))
    elif isinstance(value, float):
        _write_float(value, put)
    elif isinstance(value, dict):
        for place, (key, item) in enumerate(value.items()):
            lead = ("{" if place == 0 else ", ") + _quote(key) + ": "
            if isinstance(item, str) and depth < MAX_DEPTH:
                put(lead + _quote(item))
            else:
                put(lead)
                _write(item, put, depth + 1)
        put("}" if value else "{}")
    elif isinstance(value, (list, tuple)):
        for place, item in enumerate(value):
            put("[" if place == 0 else ", ")
            _write(item, put, depth + 1)
        put("]" if value else "[]")
    else:
        raise InputError(f"cannot write JSON: `{type(value).__name__}` is not a JSON type")


def _write_float(value: float, put: Any) -> None:
    if value != value or value in (float("inf"), float("-inf")):
        raise InputError(f"cannot write JSON: {value} has no JSON form")
    put(repr(value))
