"""`scripts/changelog` keeps CHANGELOG.md in step with the fragments, and refuses what it cannot fold in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAD = "# Changelog\n\nWhat changed for people who use Assent, newest first.\n\n"
OLD = "## 0.1.0 (2026-01-01)\n\n### Added\n\n- The beginning.\n"


def changelog(root: Path, *options: str) -> tuple[int, str]:
    """Exit code and everything printed."""
    words = [sys.executable, str(ROOT / "scripts/changelog"), "--root", str(root), *options]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    fragments = tmp_path / "changelog.d"
    fragments.mkdir()
    (fragments / "b-second.added.md").write_text("Second thing.\n")
    (fragments / "a-first.added.md").write_text("First thing,\non two lines.\n")
    (fragments / "hole.security.md").write_text("Closed a hole.\n")
    (tmp_path / "CHANGELOG.md").write_text(HEAD + "## Unreleased\n\n" + OLD)
    return tmp_path


SECTIONS = (
    "### Added\n\n- First thing,\n  on two lines.\n- Second thing.\n\n"  # in the order of the file names
    "### Security\n\n- Closed a hole.\n"
)


def test_the_real_changelog_is_fresh_and_its_fragments_sound() -> None:
    assert changelog(ROOT, "--check") == (0, "")


def test_fragments_become_the_unreleased_section(project: Path) -> None:
    assert changelog(project) == (0, "wrote CHANGELOG.md\n")
    assert (project / "CHANGELOG.md").read_text() == HEAD + "## Unreleased\n\n" + SECTIONS + "\n" + OLD
    assert changelog(project) == (0, "")
    assert changelog(project, "--check") == (0, "")


def test_a_stale_changelog_fails_the_check_and_is_left_alone(project: Path) -> None:
    before = (project / "CHANGELOG.md").read_text()
    assert changelog(project, "--check") == (1, "CHANGELOG.md is stale: run scripts/changelog\n")
    assert (project / "CHANGELOG.md").read_text() == before


def test_a_release_folds_the_fragments_in_and_removes_them(project: Path) -> None:
    changelog(project)
    assert changelog(project, "--version", "0.2.0", "--date", "2026-02-02")[0] == 0
    expected = HEAD + "## Unreleased\n\n## 0.2.0 (2026-02-02)\n\n" + SECTIONS + "\n" + OLD
    assert (project / "CHANGELOG.md").read_text() == expected
    assert list((project / "changelog.d").iterdir()) == []
    assert changelog(project, "--check") == (0, "")


def test_a_missing_changelog_is_written(project: Path) -> None:
    (project / "CHANGELOG.md").unlink()
    assert changelog(project, "--check")[0] == 1
    assert changelog(project)[0] == 0
    assert (project / "CHANGELOG.md").read_text() == HEAD + "## Unreleased\n\n" + SECTIONS


@pytest.mark.parametrize(
    ("name", "text", "trouble"),
    [
        ("thing.md", "A thing.", "call it `name-in-lower-case.KIND.md`"),
        ("My Thing.added.md", "A thing.", "call it `name-in-lower-case.KIND.md`"),
        ("thing.broken.md", "A thing.", "unknown kind `broken`: use added, changed, fixed, security"),
        ("thing.added.md", " \n", "is empty"),
        ("thing.added.md", "- A thing.", "write one plain paragraph, without heading or bullet"),
        ("thing.added.md", "A thing.\n\nAnother.", "write one plain paragraph, without heading or bullet"),
        ("thing.added.md", "A thing", "end with a full stop"),
    ],
)
@pytest.mark.parametrize("option", ["--check", "--version=0.2.0"])
def test_a_malformed_fragment_is_named(project: Path, name: str, text: str, trouble: str, option: str) -> None:
    (project / "changelog.d" / name).write_text(text)
    assert changelog(project, option) == (1, f"changelog.d/{name}: {trouble}\n")


@pytest.mark.parametrize("version", ["next", "0.1.0", "../x"])
def test_an_impossible_version_is_refused(project: Path, version: str) -> None:
    before = (project / "CHANGELOG.md").read_text()
    assert changelog(project, "--version", version)[0] == 1
    assert (project / "CHANGELOG.md").read_text() == before


def test_nothing_to_release_is_said(project: Path) -> None:
    for path in (project / "changelog.d").iterdir():
        path.unlink()
    assert changelog(project, "--version", "0.2.0")[0] == 1
