"""What a call reads on its standard input, where the command line says that."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.types import Call


def input_text(call: Call) -> str | None:
    """The text of a heredoc or here-string that is its standard input; None when that comes from elsewhere.

    The last redirect of descriptor 0 counts, in whichever direction it is written; those of other descriptors do not.
    """
    inputs = [r for r in call.redirects if r.fd == 0 or (r.fd is None and r.op.startswith("<"))]
    return inputs[-1].body if inputs and call.reads_from < 0 else None
