"""What is dangerous about a call that no single effect shows; each check has a file, an id and its own page."""

from __future__ import annotations

from assent.checks import hidden_text

CHECKS = (hidden_text,)
