"""All of Assent's bytecode in one file, so that a hook reads one file instead of forty.

`python -m assent.bundle` writes it next to the other bytecode; `start.py` uses it when it is there. A module whose
source has changed since is imported as usual, and so is everything when the bundle is missing or broken.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _imp import source_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType
    from typing import Any

PACKAGE = __file__.rsplit("/", 1)[0]
LEFT_OUT = (
    *("testing", "checker", "bundle", "__main__", "start"),
    *("cli/main", "cli/policy", "cli/mode", "cli/explain", "cli/parse", "cli/audit", "cli/audit_show", "cli/serve"),
    *("cli/mcp", "cli/install", "cli/uninstall", "cli/doctor", "cli/grants", "cli/run", "cli/sandbox", "cli/judge"),
    *("policy/document", "policy/positions", "policy/fields", "policy/lint", "policy/examples", "policy/load"),
    *("policy/modes", "policy/settings", "audit/reading", "audit/verify", "audit/exports", "audit/entries"),
)
LEFT_OUT_FOLDERS = ("server/", "mcp/", "frameworks/", "approval/channels/", "agents/hosts/")
"""What no hook loads."""
KEY = source_hash(0, sys.version.encode()).hex()
"""Bytecode is good for exactly one build of the interpreter."""


def bundle_file() -> str:
    return f"{PACKAGE}/__pycache__/bundle.{sys.implementation.cache_tag}.bin"


class Bundle:
    """A finder and loader over an open bundle; the index says where each module's bytecode begins and ends."""

    def __init__(self, file: int, start: int, index: dict[str, tuple[bool, str, int, int, int, int]]) -> None:
        self.file = file
        self.start = start
        self.index = index

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - the protocol
        entry = self.index.get(name)
        if entry is None:
            return None
        is_package, source, mtime, size, _, _ = entry
        file = f"{PACKAGE}/{source}"
        facts = os.stat(file)
        if (facts.st_mtime_ns, facts.st_size) != (mtime, size):
            return None
        spec: Any = ModuleSpec(name, self, origin=file, is_package=is_package)  # type: ignore[arg-type]
        if is_package:
            spec.submodule_search_locations.append(file.rsplit("/", 1)[0])
        return spec

    def create_module(self, spec: Any) -> None:  # noqa: ARG002 - the protocol
        return None

    def exec_module(self, module: ModuleType) -> None:
        _, source, _, _, begins, length = self.index[module.__name__]
        module.__file__ = f"{PACKAGE}/{source}"
        code = marshal.loads(os.pread(self.file, length, self.start + begins))  # noqa: S302 - ours, like any .pyc
        exec(code, module.__dict__)  # noqa: S102


def use_bundle() -> bool:
    """Import from the bundle from now on, if there is one for this interpreter."""
    try:
        file = os.open(bundle_file(), os.O_RDONLY | os.O_CLOEXEC)
        size = int.from_bytes(os.pread(file, 8, 0), "little")
        key, index = marshal.loads(os.pread(file, size, 8))  # noqa: S302 - as above
    except (OSError, EOFError, ValueError, TypeError, OverflowError, MemoryError):
        return False
    if key != KEY:
        return False
    finder: Any = Bundle(file, 8 + size, index)
    sys.meta_path.insert(0, finder)
    return True


def write_bundle() -> str:
    """Compile every module that a hook may load into the bundle; returns its path."""
    from assent.folders import write_atomically

    index: dict[str, tuple[bool, str, int, int, int, int]] = {}
    blobs: list[bytes] = []
    begins = 0
    for file, source in _sources():
        facts = os.stat(file)
        with open(file, "rb") as text:
            blob = marshal.dumps(compile(text.read(), file, "exec", dont_inherit=True))
        package = source.endswith("__init__.py")
        index[_module(source)] = (package, source, facts.st_mtime_ns, facts.st_size, begins, len(blob))
        blobs.append(blob)
        begins += len(blob)
    head = marshal.dumps((KEY, index))
    write_atomically(bundle_file(), len(head).to_bytes(8, "little") + head + b"".join(blobs), mode=0o644)
    return bundle_file()


def _sources() -> Iterator[tuple[str, str]]:
    for folder, _, names in os.walk(PACKAGE):
        for name in sorted(names):
            file = os.path.join(folder, name)
            source = os.path.relpath(file, PACKAGE).replace(os.sep, "/")
            if name.endswith(".py") and not source.startswith(LEFT_OUT_FOLDERS) and source[:-3] not in LEFT_OUT:
                yield file, source


def _module(source: str) -> str:
    dotted = source.removesuffix(".py").replace("/", ".").removesuffix("__init__").rstrip(".")
    return f"assent.{dotted}" if dotted else "assent"


if __name__ == "__main__":
    sys.stdout.write(write_bundle() + "\n")
