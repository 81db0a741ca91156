"""several-folders: a command line that changes its folder more than once.

**What it finds.** More than one `cd` in one command line.

**Why.** Each `cd` moves what every later relative path means, and each may fail. Two of them are already hard to follow
for the person who is asked about what comes behind them.

**Instead.** Use one `cd`, a subshell for each, or write the path where it is needed: `git -C folder status`.
"""

from __future__ import annotations

from assent.types import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Seen

ID = "several-folders"


def find(analysis: Seen) -> Iterator[Finding]:
    places = {(call.span.start, call.span.end) for call in analysis.calls if call.program == "cd" and call.span}
    if len(places) > 1:
        yield Finding(ID, Verdict.ASK, f"changes its folder {len(places)} times")


COMMANDS = {"cd src && ls": False, "cd src && ls && cd ../docs && ls": True}
