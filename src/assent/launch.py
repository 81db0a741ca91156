"""What a start consists of, in this order: the bundle, the verb.

Loaded by `start.py`, from bytecode: what stands there itself is compiled anew at every start.
"""

import gc
import sys
from _frozen_importlib_external import SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(package: str) -> int:
    """The exit code of the verb in `sys.argv`."""
    gc.disable()
    sys.path.append(package.rsplit("/", 1)[0])
    loaded(package, "bundle.py").use_bundle()
    from assent.cli.fast import main

    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # closed by whoever started us
                stream.flush()
        except OSError:
            code = 2
    return code


def loaded(package: str, file: str) -> "Any":
    """A module that needs no other of ours, without searching for it: that would list two folders."""
    name = "assent." + file[:-3].replace("/", ".")
    module = type(sys)(name)
    module.__file__ = f"{package}/{file}"
    SourceFileLoader(name, module.__file__).exec_module(module)
    return module
