"""Answers every request that waits, from Python: `answer_waiting.py yes` or `answer_waiting.py no`.

`assent serve` shows the same requests in a browser; a program of your own would show them on a screen of its own.
"""

from __future__ import annotations

import sys

from assent import Inbox

with Inbox() as inbox:
    for waiting in inbox.pending():
        display = inbox.display(waiting)
        print(f"{display.title}: {display.sentence}")
        inbox.answer(waiting, approved=sys.argv[1:] == ["yes"], reason="said the example")
