"""JSON without `json`: the same values, fewer freedoms, and clear errors."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent import wire
from assent.errors import InputError

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_what_json_writes_we_read_and_the_reverse(value: object) -> None:
    assert wire.loads(json.dumps(value)) == value
    assert wire.loads(json.dumps(value, ensure_ascii=False, indent=1).encode()) == value
    assert json.loads(wire.dumps(value)) == value
    assert wire.dumps(value) == json.dumps(value)


def refuse(name: str) -> object:
    raise ValueError(name)


@given(st.text())
def test_text_that_json_refuses_we_refuse(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=refuse)
    except ValueError:
        with pytest.raises(InputError):
            wire.loads(text)
    else:
        assert wire.loads(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unexpected end or character at offset 0"),
        ('{"a": 1, "a": 2}', "key `a` appears twice"),
        ('{"x": {"a": 1, "b": 2, "a": 3}}', "key `a` appears twice"),
        ("NaN", "`NaN`"),
        ("[Infinity]", "`Infinity`"),
        ("[1] [2]", "extra text at offset 4"),
        ('{"a" 1}', "Expecting ':' delimiter"),
        ('"\x00"', "Invalid control character"),
        ("[" * 100_000, ""),
        (b"\xff", "not UTF-8 at byte 0"),
        ("1" + "0" * 5000, "4300 digits"),
    ],
)
def test_an_error_says_what_is_wrong(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match="not JSON") as caught:
        wire.loads(text)
    assert message in caught.value.message


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object(), b"x"])
def test_what_json_cannot_say_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="cannot write JSON"):
        wire.dumps([value])


def test_endless_nesting_is_refused_and_not_a_crash() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(InputError, match="nested too deeply"):
        wire.dumps(value)
