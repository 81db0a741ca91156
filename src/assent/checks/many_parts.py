"""many-parts: a command line with more parts than a person looks through.

**What it finds.** More than fifty programs in one command line.

**Why.** Long lines hide their interesting part. Denials are looked for in all parts first, however many there are; what
is left over is shown to a person instead of being trusted.

**Instead.** Write a script, so that it can be read before it runs, or send the parts one after the other.
"""

from __future__ import annotations

from assent.checks import MAX_SUBCOMMANDS_FOR_SECURITY_CHECK
from assent.types import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Seen

ID = "many-parts"


def find(analysis: Seen) -> Iterator[Finding]:
    if len(analysis.calls) > MAX_SUBCOMMANDS_FOR_SECURITY_CHECK:
        text = f"starts {len(analysis.calls)} programs, more than {MAX_SUBCOMMANDS_FOR_SECURITY_CHECK}"
        yield Finding(ID, Verdict.ASK, text)


COMMANDS = {"; ".join(["true"] * 51): True, "; ".join(["true"] * 50): False}
