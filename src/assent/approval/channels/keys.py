"""Bytes of a terminal as keys: letters as themselves, the others by name, a paste as one piece."""

from __future__ import annotations

import codecs
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPE_SECONDS = 0.1
"""How long a lone escape may be the beginning of an arrow key; slow lines need some time."""
SEQUENCE = re.compile(r"\x1b(?:\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z])")
UNFINISHED = re.compile(r"\x1b(?:\[[0-9;?<>=]*[ -/]*|O)?\Z")
PASTE, PASTED = "\x1b[200~", "\x1b[201~"
NAMED = {
    **dict.fromkeys(("\x1b[A", "\x1bOA"), "up"),
    **dict.fromkeys(("\x1b[B", "\x1bOB"), "down"),
    **dict.fromkeys(("\x1b[C", "\x1bOC"), "right"),
    **dict.fromkeys(("\x1b[D", "\x1bOD"), "left"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"), "home"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"), "end"),
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x1b[Z": "back tab",
    "\x1b": "escape",
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    " ": "space",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "interrupt",
    "\x04": "end of input",
    "\x15": "erase line",
    "\x17": "erase word",
    "\x0c": "redraw",
}


class Keys:
    """Reads keys out of what a terminal sends; keeps what is not finished yet."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""

    @property
    def unfinished(self) -> bool:
        """Whether an escape waits for the rest of its key."""
        return bool(self._held)

    def feed(self, data: bytes) -> list[str]:
        """The keys that are complete now."""
        return list(self._take(self._held + self._decoder.decode(data)))

    def settle(self) -> list[str]:
        """Nothing more came: a lone escape was the key itself, and anything else unfinished is none."""
        held, self._held = self._held, ""
        return ["escape"] if held == "\x1b" else []

    def _take(self, text: str) -> Iterator[str]:
        self._held = ""
        while text:
            if text.startswith(PASTE):
                inside, end, rest = text[len(PASTE) :].partition(PASTED)
                if not end:
                    self._held = text
                    return
                yield f"paste:{inside}"
                text = rest
                continue
            if UNFINISHED.match(text):
                self._held = text
                return
            found = SEQUENCE.match(text)
            key = found.group() if found else text[0]
            text = text[len(key) :]
            if found:
                yield NAMED.get(key, "unknown")
            elif key == "\x1b":
                twice = text.startswith("\x1b")
                yield "escape" if twice else "unknown"  # a letter with Alt held down is no answer
                text = text if twice else text[1:]
            else:
                yield NAMED.get(key, key if key.isprintable() else "unknown")
