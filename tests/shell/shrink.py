"""The smallest text that still fails in the same way, by taking characters away."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def shrunk(text: str, fails: Callable[[Sequence[str]], Sequence[bool]]) -> str:
    """`fails` judges many candidates at a time. Delta debugging: halves, quarters, … single characters."""
    size = max(1, len(text) // 2)
    while True:
        candidates = [text[:at] + text[at + size :] for at in range(0, len(text), size)]
        candidates = [each for each in dict.fromkeys(candidates) if each != text]
        smaller = next((each for each, bad in zip(candidates, fails(candidates), strict=True) if bad), None)
        if smaller is not None:
            text = smaller
        elif size == 1:
            return text
        else:
            size //= 2
