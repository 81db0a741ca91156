"""The inbox over a temporary state folder and home: in this process, and behind a socket with a browser before it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from server.browsing import ARGUMENTS, DESKTOP, REPORT, Open, Tab
from server.web_scene import Web, served


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    made = Web(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or "/usr/bin/chromium",
            args=ARGUMENTS,
            env={**os.environ, "TMPDIR": "/tmp"},  # the path of its socket may have 107 characters
        )
        yield made
        made.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=DESKTOP)
    made.set_default_timeout(10_000)
    made.add_init_script(REPORT)
    yield made
    made.close()


@pytest.fixture
def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with served(tmp_path) as web:
        yield web


@pytest.fixture
def tab(context: BrowserContext, live: Web) -> Iterator[Open]:
    tabs: list[Tab] = []

    def open_tab(path: str = "/") -> Tab:
        tabs.append(Tab(context, live, path))
        return tabs[-1]

    yield open_tab
    for one in tabs:
        assert one.troubles == []
