"""Claude Code as a person sees it: its screen, typed at and read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pexpect

from agents.driving import CLAUDE, Lab, program

KEY = "fake-key-0123456789abcdefghij"
SECONDS = 30


@contextmanager
def claude_screen(lab: Lab, url: str) -> Iterator[Any]:
    """An interactive session that has been asked to create the file; what it asks first of a newcomer is answered."""
    project = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    known = {"hasCompletedOnboarding": True, "theme": "dark", "projects": {str(lab.project): project}}
    known |= {"customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []}}
    (lab.home / ".claude.json").write_text(json.dumps(known))
    env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY, "TERM": "xterm-256color"}
    env |= {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
    screen = pexpect.spawn(
        program("claude-code", CLAUDE),
        env=lab.env | env,
        cwd=str(lab.project),
        dimensions=(50, 160),
        encoding="utf-8",
        timeout=SECONDS,
    )
    try:
        screen.expect("shift\\+tab")
        screen.send("create")
        screen.expect("create")
        screen.send("\r")
        yield screen
    finally:
        screen.close(force=True)


def press(screen: Any, key: str, until: str) -> None:
    """Press a key until the screen shows something: a dialog that has just opened takes no keys yet."""
    for _ in range(SECONDS):
        screen.send(key)
        if screen.expect([until, pexpect.TIMEOUT], timeout=1) == 0:
            return
    raise AssertionError(f"the screen never showed `{until}`: {screen.before}")
