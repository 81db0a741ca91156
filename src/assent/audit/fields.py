"""What a caller tells about an event, made fit for the journal: plain JSON, of bounded size, secrets masked."""

from __future__ import annotations

from assent.audit.lines import ENTRY_KINDS, OWN
from assent.errors import UsageError
from assent.masking import looks_token, mask_value, masked, secrets_in, without_secrets
from assent.record import Members

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

IDENTIFIERS = frozenset(
    """session_id request_id tool_call_id args_sha256 action_digest policy_digest rule_id torn_sha256 grant_id
    fingerprint approval_id""".split()
)
"""Random by nature and needed to find things again: only what begins like a token is masked in them."""
IDENTIFIER_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.:/")
MAX_TEXT, MAX_IDENTIFIER, MAX_ITEMS, MAX_DEPTH = 16_384, 200, 500, 12
MAX_CHARACTERS = 400_000
"""Of all texts in one record."""
MOST_PLAIN, LONGEST_PLAIN = 2_000, 200
_plain_before: set[tuple[str, str]] = set()
"""Names and short texts in which nothing was found to mask: a session, a folder and a tool come with every record.

INVARIANT: it holds only what was written as it is; what was masked is looked at again each time.
"""


def told_fields(kind: str, fields: Mapping[str, object]) -> dict[str, object]:
    """The fields as they will stand in the line."""
    room = [MAX_CHARACTERS]
    plain = {_masked_name(_shortened(str(name), room)): _plain(value, room, 0) for name, value in fields.items()}
    for name in OWN:
        if name in plain:
            raise UsageError(f"`{name}` is written by the journal itself", help="leave it out")
    told = {name: _masked(name, value) for name, value in plain.items()}
    if told != plain and (secrets := _secrets(plain)):
        told = {name: value if name in IDENTIFIERS else _without(value, secrets) for name, value in told.items()}
    if "tool" in told or "tool_name" in told:
        tool = told.get("tool") or told.get("tool_name") or ""
        told = {**told, "tool": tool, "tool_name": told.get("tool_name") or tool}
    if kind not in ENTRY_KINDS:
        return told
    told.pop("timestamp", None)  # the journal says when it was
    return {**told, **_entry(kind, told)}


def _entry(kind: str, told: dict[str, object]) -> dict[str, object]:
    """The keys of a `PermissionAuditEntry`. INVARIANT: what nobody said was approved was not."""
    ended = kind in ("timeout", "cancelled")
    return {
        "request_id": _text(told.get("request_id")),
        "tool_name": _text(told.get("tool_name")),
        "approved": not ended and told.get("approved", told.get("decision") == "allow") is True,
        "reason": _text(told.get("reason")),
        "timeout": kind == "timeout" or told.get("timeout") is True,
    }


def _secrets(value: object) -> set[str]:
    """What is hidden in any text of a record: the others may show it where nothing tells what it is."""
    if isinstance(value, str):
        return set(secrets_in(value))
    found: set[str] = set()
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found |= _secrets(one)
    return found


def _without(value: object, secrets: set[str]) -> object:
    if isinstance(value, str):
        return without_secrets(value, secrets)
    if isinstance(value, dict):
        return {name: _without(one, secrets) for name, one in value.items()}
    return [_without(one, secrets) for one in value] if isinstance(value, list) else value


def _text(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _masked_name(name: str) -> str:
    if (name, "") in _plain_before:
        return name
    made = masked(name)
    _remember(name, "", same=made == name)
    return made


def _masked(name: str, value: object) -> object:
    if not isinstance(value, str):
        return value if not value or value is True else _looked_through(name, value)
    if (name, value) in _plain_before:
        return value
    made = _looked_through(name, value)
    _remember(name, value, same=made == value)
    return made


def _remember(name: str, value: str, *, same: bool) -> None:
    if same and len(name) + len(value) <= LONGEST_PLAIN:
        if len(_plain_before) >= MOST_PLAIN:
            _plain_before.clear()
        _plain_before.add((name, value))


def _looked_through(name: str, value: object) -> object:
    if name in IDENTIFIERS and isinstance(value, str) and _is_identifier(value):
        return value
    return mask_value(name, value)


def _is_identifier(value: str) -> bool:
    return len(value) <= MAX_IDENTIFIER and IDENTIFIER_LETTERS.issuperset(value) and not looks_token(value)


def _plain(value: object, room: list[int], depth: int) -> object:
    """The same as types that JSON knows; what is too long or too deep is cut, and says so."""
    if type(value) is str:
        return _shortened(value, room)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, Members):
        return str(value)
    if isinstance(value, int):
        return int(value) if -(2**63) <= value < 2**63 else str(value)[:MAX_TEXT]
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, bytes | bytearray):
        return _shortened(bytes(value).decode(errors="backslashreplace"), room)
    if isinstance(value, str):
        return _shortened(value, room)
    if depth >= MAX_DEPTH:
        return "… (nested too deeply)"
    return _plain_group(value, room, depth + 1)


def _plain_group(value: object, room: list[int], depth: int) -> object:
    slots = getattr(type(value), "__slots__", None)
    if hasattr(value, "items"):
        return {_shortened(str(name), room): _plain(one, room, depth) for name, one in _first(value.items())}
    if isinstance(value, list | tuple):
        return _listed(value, room, depth)
    if isinstance(value, set | frozenset):
        return _listed(sorted(value, key=str), room, depth)
    if isinstance(slots, tuple):
        return {name: _plain(getattr(value, name), room, depth) for name in slots}
    return f"‹{type(value).__name__}›"


def _listed(value: list[object] | tuple[object, ...], room: list[int], depth: int) -> list[object]:
    made = [_plain(one, room, depth) for one in value[:MAX_ITEMS]]
    return [*made, f"… ({len(value) - MAX_ITEMS} more)"] if len(value) > MAX_ITEMS else made


def _first(pairs: Iterable[tuple[object, object]]) -> list[tuple[object, object]]:
    return [pair for pair, _ in zip(pairs, range(MAX_ITEMS), strict=False)]


def _shortened(text: str, room: list[int]) -> str:
    """INVARIANT: cut between words, so that no half of a secret remains that nobody would recognise."""
    size, most = len(text), room[0]
    if size > most or size > MAX_TEXT:
        kept = text[: min(MAX_TEXT, most)]
        cut = max(kept.rfind(" "), kept.rfind("\n"), 0)
        text = f"{kept[:cut]} … ({size - cut} more characters)"
        size = min(len(text), most)
    room[0] = most - size
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
