"""What happens when a hook comes to a bad end: docs and doctor say the same, from one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.hooking import ELSEWHERE
from assent.agents.hosts import host_named, known_hosts
from assent.agents.hosts.ends import ENDS, NONE, RUNS, WHEN, holes, table
from assent.agents.hosts.host import Additions, Place, hook_for
from scene import Scene

DOCS = Path(__file__).parent.parent.parent / "docs/agents.md"


def test_the_page_has_the_table() -> None:
    assert table() in DOCS.read_text()


def test_every_host_is_in_it() -> None:
    assert set(ENDS) == set(known_hosts())


@pytest.mark.parametrize("agent", known_hosts())
def test_the_doctor_names_every_hole(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)
    scene = Scene(tmp_path, monkeypatch)
    assert scene.run(capsys, "install", agent, "--yes").code == 0
    found = [row["text"] for row in scene.run(capsys, "doctor", agent, "--json").json["findings"][agent]]
    assert set(holes(agent)) <= set(found)
    assert len(holes(agent)) >= sum(getattr(ENDS[agent], field) == RUNS for field in WHEN)


@pytest.mark.parametrize("agent", known_hosts())
def test_a_shell_stays_behind_where_the_table_says_so(agent: str, tmp_path: Path) -> None:
    texts = ""
    for change in host_named(agent).changes(Place("user", str(tmp_path), str(tmp_path), {}), hook_for(agent)):
        texts += str([entry.value for entry in change.entries]) if isinstance(change, Additions) else change.text
    assert any(shell in texts for shell in ("/bin/sh -c", "#!/bin/sh")) == (ENDS[agent].shell_killed != NONE)
