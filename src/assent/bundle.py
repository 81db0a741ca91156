"""Assent's bytecode in one file, so that a hook reads one file instead of seventy. `bundling` writes it.

`start.py` uses it when it is there. A module whose source has changed since is imported as usual, and so is everything
when the bundle is missing or broken. Loaded before it can be of use itself, so not even `__future__` is imported.
"""

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _imp import source_hash
from _thread import _count as count_threads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    Entry = tuple[bool, str, int, int, tuple[str, ...], int, int]

PACKAGE = __file__.rsplit("/", 1)[0]
KEY = source_hash(2, sys.version.encode()).hex()
"""Bytecode is good for exactly one build of the interpreter, the 2 is raised when a bundle is written differently."""
Module = type(sys)


def bundle_file() -> str:
    return f"{PACKAGE}/__pycache__/bundle.{sys.implementation.cache_tag}.bin"


class Bundle:
    """A finder and loader over an open bundle.

    The index says of each module whether it is a package, where its source is, how old and how large that was, what it
    imports first, and where the bytecode begins and ends, which several modules may share.
    """

    def __init__(self, file: int, start: int, index: "dict[str, Entry]") -> None:
        self.file = file
        self.start = start
        self.index = index
        self.codes: dict[str, CodeType] = {}
        """What was read together with another module and not run yet."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> "Any":  # noqa: ARG002 - the protocol
        entry = self.index.get(name)
        if entry is None:
            return None
        file = f"{PACKAGE}/{entry[1]}"
        facts = os.stat(file)
        if facts.st_mtime_ns != entry[2] or facts.st_size != entry[3]:
            return None
        spec: Any = ModuleSpec(name, self, origin=file, is_package=entry[0])  # type: ignore[arg-type]
        if entry[0]:
            spec.submodule_search_locations.append(file.rsplit("/", 1)[0])
        return spec

    def create_module(self, spec: "Any") -> None:  # noqa: ARG002 - the protocol
        return None

    def exec_module(self, module: "ModuleType") -> None:
        entry = self.index[module.__name__]
        module.__file__ = f"{PACKAGE}/{entry[1]}"
        if not count_threads():  # the locks of ordinary imports are for others who import the same
            for name in entry[4]:
                if name not in sys.modules:
                    self._load(name)
        exec(self._code(module.__name__, entry), module.__dict__)  # noqa: S102

    def _load(self, name: str) -> None:
        """Import what another module needs, past the import system; what cannot be found here is left to Python."""
        parent, _, last = name.rpartition(".")
        spec = self.find_spec(name) if parent in sys.modules else None
        if spec is None:
            return
        module = Module(name)
        module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, spec.parent
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        sys.modules[name] = module
        try:
            self.exec_module(module)
        except BaseException:
            sys.modules.pop(name, None)
            raise
        setattr(sys.modules[parent], last, module)

    def _code(self, name: str, entry: "Entry") -> "CodeType":
        if name not in self.codes:
            self.codes |= marshal.loads(os.pread(self.file, entry[6], self.start + entry[5]))  # noqa: S302 - as a .pyc
        return self.codes.pop(name)


def use_bundle() -> bool:
    """Import from the bundle from now on, if there is one for this interpreter."""
    try:
        file = os.open(bundle_file(), os.O_RDONLY | os.O_CLOEXEC)
        size = int.from_bytes(os.pread(file, 8, 0), "little")
        key, length, index = marshal.loads(os.pread(file, size, 8))  # noqa: S302 - as above
        whole = os.fstat(file).st_size == 8 + size + length
    except (OSError, EOFError, ValueError, TypeError, OverflowError, MemoryError):
        return False
    if key != KEY or not whole:
        return False
    finder: Any = Bundle(file, 8 + size, index)
    sys.meta_path.insert(0, finder)
    return True


def write_bundle() -> str:
    """Compile every module that a hook may load into the bundle; returns its path."""
    from assent.bundling import write

    write(bundle_file())
    return bundle_file()


if __name__ == "__main__":
    sys.stdout.write(write_bundle() + "\n")
