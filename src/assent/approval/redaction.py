"""A request without its secrets: what is kept of it once nobody has to decide about it any more."""

from __future__ import annotations

from typing import Any

from assent import wire
from assent.errors import InputError
from assent.masking import mask_value, masked, secrets_in, without_secrets
from assent.questions import Answer, ApprovalRequest, Choice, Part
from assent.record import replace

KEPT = frozenset(
    "id tool fingerprint agent session mode policy_digest danger undoable asked_at timeout suggest_mode".split()
)
"""What identifies a request, and what is not text."""


def redacted(request: ApprovalRequest) -> ApprovalRequest:
    """The same request with `‹kind, N characters›` where a secret stood, wherever it stood."""
    parts, secrets = _fields(request), secrets_of(request)
    hidden = {
        name: _hidden(mask_value(name, value) if name == "input" else value, secrets) for name, value in parts.items()
    }
    given = hidden["input"]
    return replace(request, **{**hidden, "input": given if isinstance(given, str) else wire.dumps(given)})


def redacted_answer(answer: Answer, secrets: set[str]) -> Answer:
    """The same answer without these secrets: a person may repeat what they were shown."""
    return replace(answer, reason=_hidden(answer.reason, secrets), rules=_hidden(answer.rules, secrets))


def secrets_of(request: ApprovalRequest) -> set[str]:
    """What is masked in any field of a request, as it stands there."""
    return {secret for value in _fields(request).values() for text in _texts(value) for secret in secrets_in(text)}


def _fields(request: ApprovalRequest) -> dict[str, object]:
    names = [name for name in ApprovalRequest.__slots__ if name not in KEPT]  # type: ignore[attr-defined]
    return {**{name: getattr(request, name) for name in names}, "input": _read(request.input)}


def _read(text: str) -> object:
    """The input of a tool with its fields, because the name of one may say what its value is; else the text itself."""
    try:
        found = wire.loads(text)
    except InputError:
        return text
    return found if isinstance(found, dict | list) else text


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for one in value.items() for text in _texts(one)]
    inside = value if isinstance(value, tuple | list) else _members(value)
    return [text for one in inside for text in _texts(one)]


def _members(value: object) -> list[object]:
    return [getattr(value, name) for name in getattr(type(value), "__slots__", ())]


def _hidden(value: Any, secrets: set[str]) -> Any:
    if isinstance(value, str):
        return without_secrets(masked(value), secrets)
    if isinstance(value, tuple | list):
        return type(value)(_hidden(one, secrets) for one in value)
    if isinstance(value, dict):
        return {_hidden(name, secrets): _hidden(one, secrets) for name, one in value.items()}
    if isinstance(value, Part | Choice):
        slots = type(value).__slots__  # type: ignore[union-attr]
        return replace(value, **{name: _hidden(getattr(value, name), secrets) for name in slots})
    return value
