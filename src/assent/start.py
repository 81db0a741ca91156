"""Starts Assent in an isolated interpreter: `python -I -S /path/to/assent/start.py check …`.

With `-I` nothing of the current folder or of PYTHON* variables is imported, with `-S` no site-packages either;
only the standard library and the folder this file is in are ever searched.
"""

import sys

if __name__ == "__main__":
    sys.path.append(__file__.rsplit("/assent/", 1)[0])
    from assent.cli.fast import main

    sys.exit(main())
