"""A guard where there is no project: nothing is inside it, so every read asks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from guarding import Scene


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    made.close()


@pytest.mark.parametrize("folder", ["/", "home"])
def test_outside_any_project_reads_are_not_free(scene: Scene, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    place = scene.home if folder == "home" else Path(folder)
    monkeypatch.chdir(place)
    guard, _ = scene.guard(None, workspace=None, on_ask="deny")
    assert scene.bash(guard, "cat /etc/hostname", cwd=place).state == "unasked"
