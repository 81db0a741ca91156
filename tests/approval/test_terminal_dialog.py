"""The dialog without a terminal: every key, what it needs, and rows that fit every width."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from approval.terminal_program import CASES, PLAIN
from assent.approval.channels.dialog import Dialog, Said
from assent.approval.channels.keys import Keys
from assent.approval.channels.lasting import Pick, lasting_page
from assent.approval.channels.pages import columns_of, explain_page, question_page
from assent.approval.display import shown
from assent.questions import ApprovalRequest
from assent.record import replace


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


class Talk:
    """A dialog on a screen of some size; every key is followed by a look at it."""

    def __init__(
        self, request: ApprovalRequest = PLAIN, columns: int = 80, lines: int = 24, *, ready: bool = True
    ) -> None:
        self.clock = Clock()
        self.dialog = Dialog(request, home="/home/ann", grants_file="~/grants.json", clock=self.clock, now=lambda: 1e9)
        self.size = (columns, lines)
        self.look()
        self.clock.time += 1.0 if ready else 0.0

    def look(self) -> str:
        rows = self.dialog.view(*self.size)
        return "\n".join("".join(ink.text for ink in row) for row in rows)

    def press(self, *keys: str) -> Said | None:
        for key in keys:
            said = self.dialog.press(key)
            self.look()
            if said is not None:
                return said
        return None

    def press_slowly(self, *keys: str) -> Said | None:
        """One key, a look, another key; Enter follows a letter that waits for it."""
        for key in keys:
            self.clock.time += 2.0
            said = self.press(key)
            if said is None and self.dialog.awaits_enter:
                said = self.press("enter")
            if said is not None:
                return said
        return None

    def type(self, text: str, pace: Sequence[float]) -> list[Said]:
        """Text as somebody types it: before each key the next of these pauses passes."""
        answers: list[Said] = []
        for at, sign in enumerate(text):
            self.clock.time += pace[at % len(pace)]
            self.look()
            said = self.press({" ": "space", "\n": "enter"}.get(sign, sign))
            answers += [said] if said is not None else []
        return answers


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["y"], Said("approve")),
        (["n"], Said("deny")),
        (["l"], Said("later")),
        (["escape"], Said("later")),
        (["interrupt"], Said("interrupt")),
        (["r", "n", "o", "enter"], Said("deny", "no")),
        (["r", "n", "o", "space", "x", "backspace", "x", "enter"], Said("deny", "no x")),
        (["r", "a", "erase line", "b", "enter"], Said("deny", "b")),
        (["r", "a", "space", "b", "erase word", "space", "c", "enter"], Said("deny", "a c")),
        (["r", "paste:two\nlines", "enter"], Said("deny", "two lines")),
        (["r", "y", "escape", "y"], Said("approve")),
        (["?", "escape", "y"], Said("approve")),
        (["m", "escape", "n"], Said("deny")),
        (["m", "Y"], Said("approve", "", "15min", PLAIN.choices[0].rules)),
        (["m", "2", "Y"], Said("approve", "", "session", PLAIN.choices[0].rules)),
        (["m", "3", "tab", "Y"], Said("approve", "", "project", PLAIN.choices[1].rules)),
        (["m", "4", "right", "left", "Y"], Said("approve", "", "user", PLAIN.choices[0].rules)),
    ],
)
def test_keys_say_what_is_written_beside_them(keys: list[str], said: Said) -> None:
    assert Talk(lines=40).press_slowly(*keys) == said


@pytest.mark.parametrize(
    "keys",
    [["enter"], ["space"], ["enter", "enter", "enter"], ["Y"], ["N"], ["x"], ["unknown"], ["paste:y"], ["paste:yyy"],
     ["tab"], ["r", "enter"], ["r", "space", "enter"], ["m", "y"], ["m", "enter"], ["m", "5"], ["m", "paste:Y"],
     ["?", "y"], ["?", "n"], ["end of input"]],
)  # fmt: skip
def test_no_other_key_answers_anything(keys: list[str]) -> None:
    assert Talk(lines=40).press_slowly(*keys) is None


def test_keys_of_the_first_moment_are_dropped_and_the_moment_lasts_while_they_come() -> None:
    talk = Talk(ready=False)
    assert "(y) once" in talk.look()
    for _ in range(5):
        talk.clock.time += 0.3
        assert talk.press("y", "enter") is None
    talk.clock.time += 0.39
    assert "(y) once" in talk.look()
    talk.clock.time += 0.02
    assert "[y] once" in talk.look()
    assert talk.press("enter") is None  # ends the line of what came too early
    assert "Cleared. Press one letter, then Enter." in talk.look()
    assert talk.press_slowly("y") == Said("approve")


@pytest.mark.parametrize(("letter", "said"), [("y", Said("approve")), ("n", Said("deny"))])
def test_two_keys_answer_and_neither_of_them_alone(letter: str, said: Said) -> None:
    for pause in (0.0, 0.05, 0.5, 60.0):
        talk = Talk()
        assert talk.press("enter", "enter") is None
        talk.clock.time += 1.0
        assert talk.press(letter) is None
        assert "Any other key cancels." in talk.look()
        talk.clock.time += pause
        assert talk.press("enter") == said


@pytest.mark.parametrize("key", ["backspace", "down", "tab", "unknown"])
def test_another_key_takes_a_letter_back(key: str) -> None:
    talk = Talk()
    assert talk.press("y", key, "enter") is None
    assert talk.press_slowly("n") == Said("deny")


@pytest.mark.parametrize("key", ["x", "y", "n", "space", "paste:y", "1"])
def test_a_second_letter_makes_a_sentence_which_enter_or_backspace_ends(key: str) -> None:
    for ending in ("enter", "backspace"):
        talk = Talk()
        assert talk.press_slowly("x") is None
        assert talk.press("y", key) is None
        assert "Nothing is answered" in talk.look()
        talk.clock.time += 3_600.0
        assert talk.press("n") is None
        assert talk.press(ending) is None
        assert "Cleared" in talk.look()
        assert talk.press_slowly("y") == Said("approve")


SENTENCES = (
    *("why do you need this", "you must not", "you may not", "yes but why", "yes but only once", "no way, say why"),
    *("nope", "not again", "let me think", "no", "yes", "yy", "nn", "rm is not ok", "really? why", "more please", "qy"),
    *(
        "what? why?",
        "very early y",
        "Y y Y y",
        "ly",
        "?y",
        "my my",
        "fine by my boss, y",
        "run it as a man",
        "my",
        "Yn",
    ),
)
PACES = ((0.0,), (0.05, 0.12), (0.2,), (0.3, 0.1, 0.35), (0.39,), (0.5,), (0.8,), (1.1, 1.9), (30.0,))


@pytest.mark.parametrize("first", [0.0, 0.1, 0.39, 0.41, 0.6, 5.0])
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_that_somebody_types_answers_nothing(sentence: str, pace: tuple[float, ...], first: float) -> None:
    for ending in ("", "\n"):
        talk = Talk(CASES["mode"], lines=40, ready=False)
        talk.clock.time += first
        assert talk.type(sentence + ending, pace) == []


PAUSES = st.lists(st.floats(0.05, 2.0), min_size=30, max_size=30)
ENDINGS = st.sampled_from(["", "\n"])
ANY_KEYS = st.text("yYnrmlfw? 12b", min_size=2).map(str.strip).filter(lambda text: len(text) > 1)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(SENTENCES), PAUSES, ENDINGS, st.sampled_from(sorted(CASES)))
def test_somebody_who_types_with_pauses_answers_nothing(text: str, pace: list[float], ending: str, case: str) -> None:
    assert Talk(CASES[case], lines=40, ready=False).type(text + ending, pace) == []


@settings(deadline=None, max_examples=300)
@given(ANY_KEYS, PAUSES, ENDINGS)
def test_no_line_of_two_keys_or_more_answers(text: str, pace: list[float], ending: str) -> None:
    assert Talk(CASES["mode"], lines=40, ready=False).type(text + ending, pace) == []


def test_a_letter_that_does_not_count_yet_begins_a_sentence_too() -> None:
    for case in ("once", "huge"):
        talk = Talk(CASES[case], lines=2_000)
        assert talk.type("my\n", [1.0] * 5) == []
        assert talk.type("m y\n", [1.0] * 5) == []
        assert talk.press_slowly("y") == Said("approve")


def test_a_swallowed_r_and_its_reason_answer_nothing() -> None:
    for pause in (0.02, 0.1, 0.2, 0.3, 0.5, 0.9, 2.0):
        talk = Talk(ready=False)
        talk.clock.time += 0.2
        assert talk.press("r") is None
        assert talk.type("why do you need this", [pause]) == []
        assert "why do you" not in talk.look()
        assert talk.press_slowly("enter", "r", *"no", "enter") == Said("deny", "no")


def test_scrolling_is_not_typing() -> None:
    talk = Talk(CASES["long"])
    for _ in range(60):
        talk.press("down")
    talk.clock.time += 0.41
    assert talk.press("y", "enter") == Said("approve")


def test_the_second_screen_has_a_first_moment_too() -> None:
    talk = Talk(lines=40)
    assert talk.press("m", "enter", "Y", "enter") is None
    assert not talk.dialog.awaits_enter
    assert talk.press_slowly("enter", "Y") == Said("approve", "", "15min", PLAIN.choices[0].rules)


def test_interrupting_works_at_once() -> None:
    assert Talk(ready=False).press("interrupt") == Said("interrupt")


def test_a_long_command_must_be_read_to_the_end() -> None:
    talk = Talk(CASES["long"])
    assert "[y] after reading to the end" in talk.look()
    assert talk.press_slowly("y", "m") is None
    assert talk.press_slowly("end", "y") is None
    talk.press_slowly("home")
    for _ in range(10):
        talk.press_slowly("space")
    assert "the end" in talk.look()
    assert "[y] once" in talk.look()
    assert talk.press_slowly("home", "y") == Said("approve")


@pytest.mark.parametrize("key", ["down", "page down", "space"])
def test_every_way_of_scrolling_reads(key: str) -> None:
    talk = Talk(CASES["long"])
    talk.press_slowly(*[key] * 60)
    assert talk.press_slowly("y") == Said("approve")


def test_no_needs_no_reading() -> None:
    assert Talk(CASES["long"]).press_slowly("n") == Said("deny")


def test_another_width_begins_the_reading_again() -> None:
    talk = Talk(CASES["long"])
    talk.press_slowly("space", "space")
    talk.size = (60, 24)
    assert "rows 1–" in talk.look()
    assert talk.press_slowly("y") is None


def test_what_is_cut_can_be_shown_whole_and_before_that_nothing_lasts() -> None:
    talk = Talk(CASES["huge"], lines=2_000)
    assert "[w] show all" in talk.look()
    talk.press_slowly("m")
    assert "Only once: not everything is on the screen" in talk.look()
    assert talk.press_slowly("y") == Said("approve")
    talk = Talk(CASES["huge"], lines=2_000)
    talk.press_slowly("w")
    assert "[w]" not in talk.look()
    assert talk.press_slowly("m", "Y") == Said("approve", "", "15min", PLAIN.choices[0].rules)


def test_without_choices_only_once_is_possible() -> None:
    talk = Talk(CASES["once"])
    talk.press_slowly("m")
    assert "Only once: no rule would cover exactly this." in talk.look()


def test_scopes_that_mean_nothing_are_not_offered() -> None:
    talk = Talk(replace(PLAIN, session="", workspace=""), lines=40)
    talk.press_slowly("m")
    assert "1  15 minutes" in talk.look()
    assert "2  everywhere" in talk.look()
    assert talk.press_slowly("2", "Y") == Said("approve", "", "user", PLAIN.choices[0].rules)


def test_the_second_screen_shows_the_rule_its_file_its_end_and_examples() -> None:
    talk = Talk(lines=40)
    talk.press_slowly("m", "3", "tab")
    screen = talk.look()
    for text in (
        "> 3  this project",
        "> Bash(rm:*) and Bash(curl:*)",
        "in /home/ann/code/shop",
        "~/grants.json",
        "never by itself; `assent grants revoke` ends it",
        "rm a",
        "curl b",
        "sudo rm a",
        "wget b",
    ):
        assert text in screen


def test_what_the_parts_say_is_not_said_again() -> None:
    why = (
        "no rule; outside project, 412 files, 1.2 GB",
        "uploads need a person — policy.toml:40",
        "a hidden character",
    )
    screen = Talk(replace(PLAIN, why=why)).look()
    assert "Asked because: 2 parts need your answer; a hidden character. Mode: default." in screen
    assert screen.count("uploads need a person") == 1


def test_a_suggested_mode_is_only_a_sentence() -> None:
    talk = Talk(CASES["mode"])
    assert "`assent mode full_auto`" in talk.look().replace("\n ", " ")
    assert talk.press_slowly("a") is None


def test_a_suggested_mode_is_taken_or_turned_down_on_a_screen_of_its_own() -> None:
    talk = Talk(CASES["mode"])
    assert "[f] full auto…" in talk.look()
    assert talk.press_slowly("f") is None
    assert "Full auto for this session?" in talk.look()
    assert "(n) not now" in talk.look()
    assert talk.press_slowly("enter") is None
    assert "[n] not now" in talk.look()
    assert talk.press_slowly("y") is None
    assert talk.press_slowly("escape") is None
    assert "(y) once" in talk.look()
    assert talk.press_slowly("f", "n") == Said("not now")
    talk.dialog.settle_mode("Not now.")
    assert "full auto" not in talk.look()
    assert talk.press_slowly("f") is None
    talk = Talk(CASES["mode"])
    assert talk.press_slowly("f", "Y") == Said("escalate")


def test_no_mode_can_be_chosen_where_none_is_suggested() -> None:
    talk = Talk(PLAIN)
    assert "[f]" not in talk.look()
    assert talk.press_slowly("f", "Y") is None


def test_a_window_that_is_too_small_approves_nothing() -> None:
    talk = Talk(columns=20, lines=5)
    talk.press_slowly(*["space"] * 200)
    assert talk.press_slowly("y") is None
    assert talk.press_slowly("n") == Said("deny")


@pytest.mark.parametrize("case", sorted(CASES))
@pytest.mark.parametrize("columns", [24, 40, 80, 200])
@pytest.mark.parametrize("screen", ["", "?", "m", "r", "f"])
def test_no_row_is_wider_than_the_screen(case: str, columns: int, screen: str) -> None:
    talk = Talk(CASES[case], columns, 12)
    talk.press_slowly(*["space"] * 30 if case != "huge" else (), *screen)
    for lines in (12, 24):
        rows = talk.dialog.view(columns, lines)
        assert len(rows) <= lines
        assert max(map(columns_of, rows)) < columns


@pytest.mark.parametrize("case", sorted(CASES))
@pytest.mark.parametrize("columns", [23, 30, 39, 47, 79])
def test_nothing_of_a_page_is_left_out_for_its_width(case: str, columns: int) -> None:
    display = shown(CASES[case], position=2, waiting=3)
    pages = [question_page(display, columns), explain_page(display, columns)]
    if display.choices:
        pages.append(lasting_page(display, CASES[case], Pick("session"), "~/a/long/path/to/grants.json", 1e9, columns))
    for page in pages:
        assert max(map(columns_of, (*page.head, *page.body))) <= columns


@pytest.mark.parametrize("columns", [24, 40, 80])
def test_every_character_of_the_command_is_on_the_rows(columns: int) -> None:
    talk = Talk(replace(PLAIN, parts=(), input="{}"), columns, 200)
    inside = talk.look().split("─\n", 1)[1].split(" Reads", 1)[0]
    assert "".join(line[3:] for line in inside.split("\n")) == PLAIN.command


# --- bytes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        (b"y", ["y"]),
        (b"\r\n", ["enter", "enter"]),
        (b"\x03", ["interrupt"]),
        (b"\x1b[A\x1bOB\x1b[5~\x1b[6~", ["up", "down", "page up", "page down"]),
        (b"\x1b[1;5A", ["unknown"]),
        (b"\x1b[M", ["unknown"]),
        (b"\x1by", ["unknown"]),
        (b"\x1b\x1b[A", ["escape", "up"]),
        ("é漢".encode(), ["é", "漢"]),
        (b"\xff", ["\ufffd"]),
        (b"\x1b[200~y\ny\x1b[201~n", ["paste:y\ny", "n"]),
    ],
)
def test_bytes_become_keys(sent: bytes, keys: list[str]) -> None:
    assert Keys().feed(sent) == keys
    reader = Keys()
    assert [key for at in range(len(sent)) for key in reader.feed(sent[at : at + 1])] == keys


def test_a_lone_escape_is_a_key_once_nothing_follows() -> None:
    reader = Keys()
    assert (reader.feed(b"\x1b"), reader.unfinished, reader.settle(), reader.unfinished) == (
        [],
        True,
        ["escape"],
        False,
    )
    assert (reader.feed(b"\x1b["), reader.settle()) == ([], [])
