"""Answers to a batch, which protocol 2025-03-26 knows: collected, and sent as one when the last is there."""

from __future__ import annotations


class Batches:
    """The batches of one connection that are not answered yet."""

    def __init__(self) -> None:
        self._of: dict[str, list[str]] = {}
        self._answers: dict[str, bytes | None] = {}

    def begin(self, keys: list[str]) -> None:
        """A batch with requests of these ids; ids that are part of another one stay there."""
        members = [key for key in dict.fromkeys(keys) if key not in self._of]
        for key in members:
            self._of[key] = members

    def put(self, key: str, answer: bytes | None) -> bytes | None:
        """An answer, or None for a request that gets none: what can be sent now."""
        members = self._of.get(key)
        if members is None:
            return answer
        self._answers[key] = answer
        if any(member not in self._answers for member in members):
            return None
        found = [one for one in (self._answers.pop(member) for member in members) if one is not None]
        for member in members:
            del self._of[member]
        return b"[" + b",".join(found) + b"]" if found else None
