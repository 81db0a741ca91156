"""Any text at all: what is shown of it never hides, never moves the cursor and never leaves the screen."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from assent import wire
from assent.approval.channels.pages import columns_of, question_page
from assent.approval.display import safe_display_description, shown
from assent.approval.fragments import lines_of, one_line
from assent.questions import ApprovalRequest, Part

ODD = "\x00\x1b\r\n\t\x7f\x9b\u202e\u2066\ufe0f\U000e0101\u3164\ud800\u0430\u0441Α漢👩שa \u0301‹›<>&\"'[]/"
TEXT = st.text(st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=())), max_size=80)


def hides(text: str) -> list[str]:
    return [sign for sign in text if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")]


@settings(max_examples=150, deadline=None)
@given(TEXT)
def test_no_line_of_any_text_hides_anything(text: str) -> None:
    lines, complete = lines_of(text)
    assert complete
    for line in lines:
        assert not hides(line.text)
        assert all("‹" not in fragment.text for fragment in line.fragments if fragment.kind in ("plain", "odd"))
    assert not hides(one_line(text))
    plain = "".join(f.text for line in lines for f in line.fragments if f.kind == "plain").replace(" ", "")
    assert all(sign in text for sign in plain)


@settings(max_examples=150, deadline=None)
@given(TEXT)
def test_no_description_is_markup(text: str) -> None:
    safe = safe_display_description(text)
    assert not hides(safe)
    assert not set("<>\"'") & set(safe)


@settings(max_examples=60, deadline=None)
@given(TEXT, TEXT, st.integers(23, 120))
def test_every_page_fits_its_screen(text: str, other: str, columns: int) -> None:
    request = ApprovalRequest(
        "r", other, wire.dumps({other: text, "old_string": other, "new_string": text}), text, agent=other, session=text,
        workspace=other, sentence=text, parts=(Part(text, "ask", other), Part(other, "allow", text)), why=(text,),
        targets=(("Reads", (text, other)),), description=other,
    )  # fmt: skip
    page = question_page(shown(request, position=2, waiting=3), columns)
    for row in (*page.head, *page.body):
        assert columns_of(row) <= columns
        assert not hides("".join(ink.text for ink in row))
