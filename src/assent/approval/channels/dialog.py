"""The terminal dialog without a terminal: keys go in, rows and at last what the person said come out.

INVARIANT: Enter alone answers nothing, and neither does a letter: one letter and then Enter do, with nothing else typed
in that line. An approving letter counts only when everything was on the screen. A sentence that somebody types answers
nothing, wherever it begins and however slowly it is typed.
"""

from __future__ import annotations

import time

from assent.approval.channels.debounce import Debounce, Entry, is_text
from assent.approval.channels.lasting import Pick, lasting_page, scopes_of
from assent.approval.channels.pages import (
    WIDEST,
    Ink,
    Page,
    Row,
    clipped,
    explain_page,
    flowing,
    mode_page,
    question_page,
    row,
    rule,
)
from assent.approval.columns import pieces, width
from assent.approval.display import shown
from assent.approval.fragments import one_line
from assent.record import record, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal

    from assent.questions import ApprovalRequest, Scope

    Screen = Literal["question", "reason", "lasting", "explain", "mode"]
    Verb = Literal["approve", "deny", "later", "interrupt", "escalate", "not now"]

MIN_COLUMNS, MIN_LINES = 24, 8
FOOT = 4
"""Rows that keys, a note and the line above them may take; what scrolls must not depend on which of them are there."""
MOST_REASON = 2_000
UNREAD = "after reading to the end"
TYPED = "Nothing is answered: you typed more than one letter, or too early. Enter clears it."
HINT = "A letter counts once you press Enter."
CLEARED = "Cleared. Press one letter, then Enter."
MEANINGS: dict[Screen, dict[str, str]] = {
    "question": {
        "y": "approves it once",
        "n": "denies it",
        "r": "lets you write why not",
        "m": "shows what can be allowed for longer",
        "w": "shows all of it",
        "f": "shows what full auto is",
        "?": "explains the decision",
        "l": "leaves it pending",
    },
    "reason": {},
    "lasting": {"Y": "writes the rule and allows it", "n": "goes back", "l": "goes back"},
    "explain": {"?": "goes back", "q": "goes back"},
    "mode": {"Y": "switches this session to full auto", "n": "keeps the mode", "l": "goes back"},
}
"""What Enter does behind a letter. `y` counts on no second screen: there it takes a capital letter."""


@record
class Said:
    """What the person did, as far as the dialog knows it."""

    verb: Verb
    reason: str = ""
    scope: Scope = "once"
    rules: tuple[str, ...] = ()


class Reading:
    """Where a scrolled text stands and how far it was read without leaving anything out."""

    def __init__(self) -> None:
        self.top = self.read_to = self.rows = self.room = 0
        self.finished = False
        self._shape = (0, 0)

    def fit(self, rows: int, room: int, columns: int) -> None:
        """The text as it is drawn now. Another width breaks lines elsewhere: what was not finished begins again."""
        if self._shape != (rows, columns):
            self.top, self.read_to = (min(self.top, max(rows - room, 0)), 0) if self.finished else (0, 0)
        self._shape, self.rows, self.room = (rows, columns), rows, room
        self.top = max(min(self.top, rows - room), 0)
        if self.top <= self.read_to:
            self.read_to = max(self.read_to, self.top + room)
        self.finished = self.finished or self.read_to >= rows

    @property
    def scrolls(self) -> bool:
        return self.rows > self.room

    def move(self, key: str) -> bool:
        page = max(self.room - 1, 1)
        steps = {
            "up": -1,
            "down": 1,
            "page up": -page,
            "page down": page,
            "space": page,
            "home": -self.rows,
            "end": self.rows,
        }
        if key not in steps:
            return False
        self.top = max(min(self.top + steps[key], self.rows - self.room), 0)
        return True


class Dialog:
    """One request on one screen. `press` takes keys, `view` gives rows; the caller draws."""

    def __init__(
        self,
        request: ApprovalRequest,
        *,
        home: str = "",
        grants_file: str = "",
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.request, self.home, self.grants_file = request, home, grants_file
        self.waiting = 1
        self.redraws = True
        """False where every change is printed below the last one: then only what matters may change."""
        self.screen: Screen = "question"
        self.reason = ""
        self.note = ""
        self._clock, self._now = clock, now
        self._display = shown(request, home=home)
        self._pick = Pick("15min")
        self._reading: dict[str, Reading] = {}
        self._size = (80, 24)
        self._made: tuple[object, Page] | None = None
        self._typing = Debounce(clock)
        self._entry = Entry()

    # --- time ------------------------------------------------------------------------------------------------------

    @property
    def guarded(self) -> float:
        """Seconds until keys count."""
        return self._typing.deaf

    def guard(self) -> None:
        """What is on the screen is new: keys meant for something else must not answer it."""
        self._typing.begin()

    # --- keys ------------------------------------------------------------------------------------------------------

    def press(self, key: str) -> Said | None:
        """One key. Gives what the person said, once they have said it."""
        if key == "interrupt":
            return Said("interrupt")
        said = self._hear(key)
        self._typing.note()
        return said

    @property
    def awaits_enter(self) -> bool:
        """Whether a letter stands there that Enter makes count, or takes away because it does not count yet."""
        return self._entry.letter != "" or self._entry.refused != ""

    def _hear(self, key: str) -> Said | None:
        if self.guarded:
            self._typing.begin()
            if is_text(key):
                self._spoil()
            return None
        if self._takes(key):
            self.note = ""
            return self._take(key)
        if is_text(key) or (key == "space" and self._entry.begun):
            self._write(key)
            return None
        if key in ("enter", "backspace") and (self._entry.begun or self._entry.refused):
            return self._end_line(key)
        if not self._entry.spoiled or key == "escape":
            if key != "space" or self._entry.refused in ("y", "Y"):  # who has to read on scrolls with it
                self._entry.clear()
            self.note = ""
        return self._take(key)

    def _write(self, key: str) -> None:
        """A letter waits for Enter; a second one, or one in the flow of typing, makes a sentence of it."""
        if self._entry.begun or self._entry.refused or self._typing.busy or not self._means(key):
            self._spoil()
            return
        refused = self._refusal(key)
        self.note = refused or f"Enter {MEANINGS[self.screen][key]}. Any other key cancels."
        if refused:
            self._entry.refuse(key)
        else:
            self._entry.begin(key)

    def _spoil(self) -> None:
        self._entry.spoil()
        self.note = TYPED

    def _end_line(self, key: str) -> Said | None:
        letter, spoiled, refused = self._entry.letter, self._entry.spoiled, self._entry.refused
        self._entry.clear()
        self.note = CLEARED if spoiled else self.note if refused else ""
        if spoiled:
            self._typing.begin()
        return self._take(letter) if key == "enter" and letter else None

    def _take(self, key: str) -> Said | None:
        match self.screen:
            case "question":
                return self._question(key)
            case "reason":
                return self._editing(key)
            case "lasting":
                return self._lasting(key)
            case "explain":
                return self._explaining(key)
            case "mode":
                return self._choosing_mode(key)

    def _takes(self, key: str) -> bool:
        """Whether text is welcome here: a reason, or the number of a choice."""
        return self.screen == "reason" or (self.screen == "lasting" and key.isdigit() and not self._entry.begun)

    def _means(self, letter: str) -> bool:
        """Whether a letter is one of the keys of this screen."""
        if (letter == "f" and not self._display.suggestion) or (letter == "w" and self._display.complete):
            return False
        return letter in MEANINGS[self.screen]

    def _refusal(self, letter: str) -> str:
        """Why a letter of this screen does not count yet."""
        if letter == "Y":
            return "" if self._now_reading.finished else f"[Y] {UNREAD}"
        if self.screen != "question" or letter not in ("y", "m"):
            return ""
        if letter == "m" and not self._display.complete:
            return "Only once: not everything is on the screen. [w] shows all of it."
        if letter == "m" and not self._display.choices:
            return "Only once: no rule would cover exactly this."
        return "" if self._may_approve else self._why_not

    def _question(self, key: str) -> Said | None:
        if refused := self._refusal(key):
            self.note = refused
        elif key == "y":
            return Said("approve")
        elif key == "n":
            return Said("deny")
        elif key in ("l", "escape"):
            return Said("later")
        elif key == "r":
            self.screen = "reason"
        elif key == "m":
            self._open_lasting()
        elif key == "?":
            self.screen = "explain"
        elif key == "f" and self._display.suggestion:
            self.screen = "mode"
            self._reading.pop("mode", None)
            self.guard()
        elif key == "w" and not self._display.complete:
            self._display = shown(self.request, home=self.home, whole=True)
            self._reading.pop("question", None)
            self.guard()
        else:
            self._now_reading.move(key)
        return None

    def _open_lasting(self) -> None:
        self.screen, self._pick = "lasting", Pick(scopes_of(self.request)[0])
        self._reading.pop("lasting", None)
        self.guard()

    def _editing(self, key: str) -> Said | None:
        text = key.removeprefix("paste:") if key.startswith("paste:") else key
        if key == "escape":
            self.screen = "question"
            self.guard()
        elif key == "enter":
            if self.reason.strip():
                return Said("deny", self.reason.strip())
            self.note = "Type a reason, or Esc to go back."
        elif key == "backspace":
            self.reason = self.reason[:-1]
        elif key == "erase word":
            self.reason = self.reason.rstrip().rpartition(" ")[0]
        elif key == "erase line":
            self.reason = ""
        elif key == "space":
            self.reason += " "
        elif key.startswith("paste:") or len(key) == 1:
            self.reason = (self.reason + " ".join(text.split("\n")))[:MOST_REASON]
        return None

    def _lasting(self, key: str) -> Said | None:
        scopes, choices = scopes_of(self.request), self.request.choices
        before = self._pick
        if refused := self._refusal(key):
            self.note = refused
        elif key == "Y":
            return Said("approve", "", self._pick.scope, choices[self._pick.choice].rules)
        elif key in ("escape", "n", "l"):
            self.screen = "question"
            self.guard()
        elif key.isdigit() and 0 < int(key) <= len(scopes):
            self._pick = Pick(scopes[int(key) - 1], self._pick.choice)
        elif key in ("tab", "right", "back tab", "left"):
            step = 1 if key in ("tab", "right") else -1
            self._pick = Pick(self._pick.scope, (self._pick.choice + step) % len(choices))
        else:
            self._now_reading.move(key)
        if self._pick != before:
            self._reading.pop("lasting", None)
        return None

    def _explaining(self, key: str) -> Said | None:
        if key in ("escape", "?", "q"):
            self.screen = "question"
            self.guard()
        else:
            self._now_reading.move(key)
        return None

    def _choosing_mode(self, key: str) -> Said | None:
        if refused := self._refusal(key):
            self.note = refused
        elif key == "Y":
            return Said("escalate")
        elif key == "n":
            return Said("not now")
        elif key in ("escape", "l"):
            self.screen = "question"
            self.guard()
        else:
            self._now_reading.move(key)
        return None

    def settle_mode(self, note: str) -> None:
        """The suggestion of a mode is answered; the question itself is not."""
        self._display = replace(self._display, suggestion="")
        self.screen, self.note = "question", note
        self.guard()

    # --- what may be done ------------------------------------------------------------------------------------------

    @property
    def _now_reading(self) -> Reading:
        return self._reading.setdefault("question" if self.screen == "reason" else self.screen, Reading())

    @property
    def _big_enough(self) -> bool:
        return self._size[0] >= MIN_COLUMNS and self._size[1] >= MIN_LINES

    @property
    def _may_approve(self) -> bool:
        return self._big_enough and self._reading.setdefault("question", Reading()).finished

    @property
    def _why_not(self) -> str:
        return f"[y] {UNREAD}" if self._big_enough else "The window is too small to approve anything in it."

    # --- rows ------------------------------------------------------------------------------------------------------

    def view(self, columns: int, lines: int) -> list[Row]:
        """The screen as rows, never more than it has."""
        self._size = (columns, lines)
        room = max(min(columns - 1, WIDEST), 10)
        page = self._page(room)
        foot = self._foot(room)
        head, body = page.head, page.body
        if lines - len(head) - FOOT < min(lines // 2, len(body)):
            head, body = (), (*head, *body)
        space = max(lines - len(head) - len(foot) - 1, 1)
        reading = self._now_reading
        reading.fit(len(body), space, room)
        foot = self._foot(room)  # reading to the end may have lit a key
        seen = body[reading.top : reading.top + space]
        rows = [*head, *seen, rule(room, self._progress(reading)), *foot]
        return [clipped(one, room) for one in rows][:lines]

    def _page(self, columns: int) -> Page:
        """The page of this screen, made anew only when something in it has changed: a dialog is looked at often."""
        made_of = (self.screen, columns, self._pick, self.waiting, self._display.complete, self._display.suggestion)
        if self._made is None or self._made[0] != made_of:
            self._made = (made_of, self._make_page(columns))
        return self._made[1]

    def _make_page(self, columns: int) -> Page:
        if self.screen == "explain":
            return explain_page(self._display, columns)
        if self.screen == "lasting":
            file = one_line(self.grants_file)
            return lasting_page(self._display, self.request, self._pick, file, self._now(), columns)
        if self.screen == "mode":
            return mode_page(self._display, columns)
        waiting = f"1 of {self.waiting} waiting" if self.waiting > 1 and self.redraws else ""
        return question_page(replace(self._display, waiting=waiting), columns)

    def _progress(self, reading: Reading) -> str:
        if not reading.scrolls:
            return ""
        last = min(reading.top + reading.room, reading.rows)
        more = "space or ↓ for more" if last < reading.rows else "the end"
        return f"rows {reading.top + 1}–{last} of {reading.rows} · {more}"

    def _foot(self, columns: int) -> list[Row]:
        if self.screen == "reason":
            return self._editor(columns)
        hint = row(f" {self.note or HINT}"[:columns], "warn" if self.note else "dim")
        return [*flowing(self._keys(), columns), hint]

    def _keys(self) -> list[Row]:
        if self.screen == "explain":
            return [self._key("Esc", "back")]
        if self.screen == "lasting":
            scopes, several = len(scopes_of(self.request)), len(self.request.choices) > 1
            sure = "write this rule and allow" if self._now_reading.finished else UNREAD
            return [
                self._key(f"1-{scopes}", "how long"),
                *((self._key("Tab", "which rule"),) if several else ()),
                self._key("Y", sure, lit=self._now_reading.finished),
                self._key("Esc", "back"),
            ]
        if self.screen == "mode":
            sure = "run this session in full auto" if self._now_reading.finished else UNREAD
            return [
                self._key("Y", sure, lit=self._now_reading.finished),
                self._key("n", "not now"),
                self._key("Esc", "back"),
            ]
        approve = self._key("y", "once") if self._may_approve else self._key("y", UNREAD, lit=False)
        keys = [approve, self._key("n", "no"), self._key("r", "no, and say why"), self._key("m", "more…")]
        keys += [] if self._display.complete else [self._key("w", "show all")]
        keys += [self._key("f", "full auto…")] if self._display.suggestion else []
        return [*keys, self._key("?", "explain"), self._key("l", "later")]

    def _key(self, key: str, said: str, *, lit: bool = True) -> Row:
        """A key in brackets once it counts, in parentheses before: no meaning by colour alone."""
        if self.guarded and self.redraws:
            return (Ink(f"({key}) {said}", "dim"),)
        return (Ink(f"[{key}]", "bold" if lit else "dim"), Ink(f" {said}", "" if lit else "dim"))

    def _editor(self, columns: int) -> list[Row]:
        start = " No, because: "
        text = one_line(self.reason) + "_"
        *_, last = pieces(text, max(columns - width(start), 5))
        hint = self.note or "Enter sends it to the agent · Esc goes back"
        return [(Ink(start, "bold"), Ink(last)), row(f" {hint}"[:columns], "warn" if self.note else "dim")]
