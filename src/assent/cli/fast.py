"""The entry for verbs that an agent waits for. INVARIANT: imports only what the verb needs, and never fails open."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FAST = ("check", "hook")


def main(argv: list[str] | None = None) -> int:
    """Run a verb; errors are one line on standard error and exit code 2."""
    words = sys.argv[1:] if argv is None else argv
    from assent.errors import AssentError

    try:
        if words and words[0] in FAST:
            code = _fast(words[0])(words[1:])
        else:
            from assent.cli.main import run

            code = run(words)
        sys.stdout.flush()
        return code
    except AssentError as error:
        return _fail(str(error))
    except BrokenPipeError:
        return _hang_up()
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return _fail(f"the checker failed: {type(error).__name__}: {error}")


def _fast(verb: str) -> Callable[[list[str]], int]:
    if verb == "hook":
        from assent.cli.hook import main as hook

        return hook
    from assent.cli.check import main as check

    return check


def _fail(text: str) -> int:
    """INVARIANT: a failure of ours is exit code 2; hosts read 1, Python's own, as "go on"."""
    if sys.stderr is not None:
        sys.stderr.write(f"assent: {text}\n")
    return 2


def _hang_up() -> int:
    """Nobody reads our answers any more; what is still in the buffer must not end in a complaint of the interpreter."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2
