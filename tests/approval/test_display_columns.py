"""Columns: wide characters keep their place, and wrapping loses nothing."""

import pytest

from assent.approval.columns import cut, padded, pieces, width, wrapped


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("漢字", 4), ("é", 1), ("e\u0301", 1), ("👩x", 3), ("שלום", 4)]
)
def test_width_counts_columns(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize("text", ["plain words", "漢字漢字漢字漢字", "👩👩👩👩👩👩", "a漢b字c"])
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 7, 40])
def test_padded_text_has_exactly_its_columns(text: str, columns: int) -> None:
    assert width(padded(text, columns)) == columns


def test_cutting_says_so() -> None:
    assert (cut("abcdef", 4), cut("abcd", 4), cut("漢字漢", 4), cut("abc", 0)) == ("abc…", "abcd", "漢…", "")


@pytest.mark.parametrize("text", ["a" * 17, "漢字" * 9, "a漢" * 8, "one two three", ""])
@pytest.mark.parametrize("columns", [2, 3, 10])
def test_pieces_lose_nothing_and_fit(text: str, columns: int) -> None:
    found = list(pieces(text, columns, 1))
    assert "".join(found) == text
    assert all(width(piece) <= columns for piece in found)


def test_pieces_begin_with_the_blank_they_were_broken_at() -> None:
    assert list(pieces("rm -rf abc def", 12)) == ["rm -rf abc", " def"]
    assert list(pieces("rm -rf abcdefghi", 10)) == ["rm -rf abc", "defghi"]


def test_wrapping_breaks_between_words_and_breaks_long_ones() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("one abcdefghij two", 4) == ["one", "abcd", "efgh", "ij", "two"]
    assert wrapped("", 4) == [""]
