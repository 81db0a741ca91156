"""Starts Assent in an isolated interpreter: `python -I -S /path/to/assent/start.py check …`.

With `-I` nothing of the current folder or of PYTHON* variables is imported, with `-S` no site-packages either;
only the standard library and the folder this file is in are ever searched. The process lives for one answer, so it
neither collects garbage nor tears the interpreter down: together a quarter of its time.
"""

import posix
import sys

if __name__ == "__main__":
    # INVARIANT: whatever goes wrong ends with 2; hosts read 1, the interpreter's own code, as "go on".
    try:
        from _frozen_importlib_external import SourceFileLoader

        package = __file__.rsplit("/", 1)[0]
        launch = type(sys)("assent.launch")
        SourceFileLoader("assent.launch", package + "/launch.py").exec_module(launch)
        code = launch.run(package)
    except BaseException as error:
        code = 2
        posix.write(2, f"assent: cannot start: {type(error).__name__}: {error}\n".encode(errors="replace"))
    posix._exit(code)
