"""What a program hands over, as people and rules can look at it."""

from __future__ import annotations

import pytest

from assent.errors import InputError
from assent.questions import DEEPEST, plain


class Model:
    """Like a model of Pydantic's."""

    def model_dump(self, mode: str) -> dict[str, object]:
        return {"mode": mode, "inner": (1, 2)}


def test_arguments_are_plain_and_the_same_in_every_process() -> None:
    given = {"a": (1, [2.5, None]), 3: {"b": True}, "model": Model(), "bytes": b"x", "type": int}
    assert plain(given) == {
        "a": [1, [2.5, None]],
        "3": {"b": True},
        "model": {"mode": "json", "inner": [1, 2]},
        "bytes": "b'x'",
        "type": "<class 'int'>",
    }


def test_arguments_that_hold_themselves_are_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(InputError, match=f"nested more than {DEEPEST} deep"):
        plain(endless)
