"""What the providers over the network share: limits, when a key is sent, and failures in words of our own."""

from __future__ import annotations

import asyncio
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from assent.addresses import network_of
from assent.classifier.judgement import Trouble

KNOWN = {"anthropic": "assent[anthropic]", "openai": "assent[openai]"}
MAX_TOKENS = 300
MAX_CHARACTERS = 4_000


async def sdk(name: str) -> Any:
    """The SDK of a provider, loaded while other things go on."""
    return await asyncio.to_thread(_loaded, name)


def _loaded(name: str) -> Any:
    """A hook starts without its interpreter's packages; it looks there now and nowhere else."""
    try:
        if sys.flags.no_site and importlib.util.find_spec(name) is None:
            import site

            site.main()
        return importlib.import_module(name)
    except ImportError:
        raise Trouble(f"the package `{name}` is not there", help=f"pip install '{KNOWN[name]}'") from None


def key_for(url: str, key: str) -> str:
    """The key, unless it would travel in plain text to another machine."""
    return key if url.startswith("https://") or is_here(url) else ""


def is_here(url: str) -> bool:
    from urllib.parse import urlsplit

    host = (urlsplit(url).hostname or "").rstrip(".")
    return host == "localhost" or host.endswith(".localhost") or network_of(host) == "loopback"


@contextmanager
def translated() -> Iterator[None]:
    """Failures of an SDK as `Trouble`. INVARIANT: none of a server's words, which may repeat what they were sent."""
    try:
        yield
    except Trouble:
        raise
    except Exception as error:
        status = getattr(error, "status_code", None)
        said = f"{type(error).__name__}" + (f" {status}" if isinstance(status, int) else "")
        raise Trouble(f"the model could not be asked: {said}", retry_after=_retry_after(error)) from None


def _retry_after(error: Exception) -> float:
    """The seconds a server asks us to wait, at most an hour."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    text = str(headers.get("retry-after", "")) if headers is not None else ""
    return min(float(text), 3600.0) if text.isdecimal() else 0.0


def read_usage(usage: object, sent: str, written: str) -> tuple[int, int]:
    """Tokens in and out, as far as the server says."""
    counts = [getattr(usage, name, 0) for name in (sent, written)]
    first, second = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    return first, second
