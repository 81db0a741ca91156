"""`python -m assent`; puts the current folder, which may be hostile, off the import path first."""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        sys.path = [entry for entry in sys.path[1:] if entry]
    from assent.cli.fast import main

    sys.exit(main())
