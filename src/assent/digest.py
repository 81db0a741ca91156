"""SHA-256 without loading OpenSSL; used for policy digests, trust and caches."""

from __future__ import annotations

import sys

try:  # looking for a module that is not there takes longer than loading the one that is
    if sys.version_info >= (3, 12):
        from _sha2 import sha256 as _algorithm  # type: ignore[import-not-found]
    else:
        from _sha256 import sha256 as _algorithm  # type: ignore[import-not-found]
except ImportError:
    from hashlib import sha256 as _algorithm


def sha256(data: bytes) -> str:
    """The hexadecimal SHA-256 of some bytes."""
    return _algorithm(data).hexdigest()  # type: ignore[no-any-return]
