"""The entry for verbs that an agent waits for. INVARIANT: imports only what the verb needs, and never fails open."""

from __future__ import annotations

import sys

FAST = ("check",)


def main(argv: list[str] | None = None) -> int:
    """Run a verb; errors are one line on standard error and exit code 2."""
    words = sys.argv[1:] if argv is None else argv
    from assent.errors import AssentError

    try:
        if words and words[0] in FAST:
            from assent.cli.check import main as check

            return check(words[1:])
        from assent.cli.main import run

        return run(words)
    except AssentError as error:
        sys.stderr.write(f"assent: {error}\n")
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 2
    except KeyboardInterrupt:
        return 130
