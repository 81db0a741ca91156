"""Starts Assent in an isolated interpreter: `python -I -S /path/to/assent/start.py check …`.

With `-I` nothing of the current folder or of PYTHON* variables is imported, with `-S` no site-packages either;
only the standard library and the folder this file is in are ever searched. The process lives for one answer, so it
neither collects garbage nor tears the interpreter down: together a quarter of its time.
"""

import gc
import os
import sys


def main() -> None:
    """INVARIANT: whatever goes wrong ends with 2; hosts read 1, the interpreter's own code, as "go on"."""
    try:
        code = _run()
    except BaseException as error:
        code = 2
        os.write(2, f"assent: cannot start: {type(error).__name__}: {error}\n".encode(errors="replace"))
    os._exit(code)


def _run() -> int:
    from _frozen_importlib_external import SourceFileLoader

    gc.disable()
    folder = __file__.rsplit("/", 1)[0]
    sys.path.append(folder.rsplit("/", 1)[0])
    bundle = type(sys)("assent.bundle")
    bundle.__file__ = f"{folder}/bundle.py"
    SourceFileLoader("assent.bundle", bundle.__file__).exec_module(bundle)  # searching for it would list two folders
    bundle.use_bundle()
    from assent.cli.fast import main as run

    code = run()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # closed by whoever started us
                stream.flush()
        except OSError:
            code = 2
    return code


if __name__ == "__main__":
    main()
