"""A line taken apart at its operators: what is a word, what a redirect, and what joins two pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.lexer import Piece, is_assignment, parts_of, pieces_of, squeeze


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("a | b", ["", "|"]),
        ("a|b", ["", "|"]),
        ("a |\nb", ["", "|"]),
        ("a |& b", ["", "|"]),
        ("a && b || c", ["", "&&", "||"]),
        ("a; b & c\nd", ["", ";", ";", ";"]),
        ("(a) | b", ["", "|"]),
        ("a | (b; c)", ["", "|", ";"]),
        ("a $(b | c) d", ["", "(", "|", "("]),
        ("a `b`", ["", "("]),
        ("a <(b)", ["", "("]),
    ],
)
def test_pieces_are_joined_by_the_operator_between_them(text: str, joined: list[str]) -> None:
    assert [piece.joined for piece in pieces_of(text)] == joined


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("{ a; } | b", ["", "|"]),
        ("for x in y; do a; done | b", ["", ";", "|"]),
        ("if a; then b; fi && c", ["", ";", ";"]),
    ],
)
def test_what_only_ends_a_group_is_no_part(text: str, joined: list[str]) -> None:
    assert [piece.joined for piece in parts_of(text)] == joined


@pytest.mark.parametrize(
    ("text", "redirects"),
    [
        ("a > b", (("1", ">", "b"),)),
        ("a>b", (("1", ">", "b"),)),
        ("> b a", (("1", ">", "b"),)),
        ("a >| b", (("1", ">", "b"),)),
        ("a 1> b", (("1", ">", "b"),)),
        ("a 2> b", (("2", ">", "b"),)),
        ("a >> 'b c'", (("1", ">>", "b c"),)),
        ("a &> b", (("1", ">", "b"), ("2", ">", "b"))),
        ("a >& b", (("1", ">", "b"), ("2", ">", "b"))),
        ("a &>> b", (("1", ">>", "b"), ("2", ">>", "b"))),
        ("a > b 2>&1", (("1", ">", "b"), ("2", ">&", "1"))),
        ("a |& b", (("2", ">&", "1"),)),
        ("a < b", (("0", "<", "b"),)),
        ("a <<< b", (("0", "<<<", "b"),)),
        ("a 12", ()),
    ],
)
def test_a_redirect_has_its_descriptor_written_out(text: str, redirects: tuple[tuple[str, str, str], ...]) -> None:
    assert next(pieces_of(text)).redirects == redirects


def test_quotes_and_backslashes_make_words() -> None:
    [piece] = pieces_of("a 'b | c' \"d; e\" f\\ g h'i'j # k")
    assert piece == Piece(("a", "b | c", "d; e", "f g", "hij"), ("b | c", "d; e", "i"))


@pytest.mark.parametrize(
    ("word", "is_one"), [("A=1", True), ("a_b+=x", True), ("a[0]=x", True), ("=x", False), ("-a=b", False)]
)
def test_an_assignment_begins_with_a_name(word: str, is_one: bool) -> None:
    assert is_assignment(word) is is_one


@pytest.mark.parametrize(
    ("text", "squeezed"),
    [
        ("  a \t b  ", "a b"),
        ("a 'b  c'  d", "a 'b  c' d"),
        ('a "b  \\"  c"  d', 'a "b  \\"  c" d'),
        ("a \\   b", "a \\  b"),
    ],
)
def test_only_blanks_between_words_are_squeezed(text: str, squeezed: str) -> None:
    assert squeeze(text) == squeezed


@given(st.text(alphabet="ab \t\n'\"`$(){}<>;&|\\#=-0", max_size=60))
def test_any_text_is_taken_apart_without_failing(text: str) -> None:
    assert all(piece.words for piece in pieces_of(text))
    assert len(squeeze(text)) <= len(text)


@pytest.mark.parametrize("unit", ["a|", "a>b ", "$(", "`", "&>", "2>&1 ", "a;"])
def test_a_quarter_megabyte_of_anything_is_taken_apart(unit: str) -> None:
    assert sum(1 for _ in pieces_of(unit * (250_000 // len(unit)))) >= 0
