"""`assent audit`: what people see, what programs get, and the exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from assent.audit.journal import Journal
from assent.audit.reading import records
from scene import LAUNCHER, Done, Scene

Capture = pytest.CaptureFixture[str]
START = 1_700_000_000.0
"""2023-11-14 22:13:20 UTC."""


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("COLUMNS", raising=False)
    time.tzset()
    return Scene(tmp_path, monkeypatch)


def folder(scene: Scene) -> str:
    return str(scene.state / "audit")


@pytest.fixture
def told(scene: Scene) -> Scene:
    now = iter(range(20))
    journal = Journal(folder(scene), durable=False, clock=lambda: START + 3600 * next(now))
    journal.append("decision", {"tool": "Bash", "decision": "allow", "command": "git status", "latency_ms": 2})
    journal.append("decision", {"tool": "Bash", "decision": "deny", "command": "rm -rf / " + "x " * 40})
    journal.append("answer", {"tool": "Write", "approved": True, "request_id": "req-77", "reason": "fine\x1b[2J"})
    journal.append("result", {"tool": "Write", "executed": True, "exit_code": 3})
    return scene


def ids(scene: Scene) -> list[str]:
    return [found.event_id for found in records(folder(scene))]


def test_tail_shows_a_line_for_each_event(told: Scene, capsys: Capture) -> None:
    one, two, three, four = (identity[:8] for identity in ids(told))
    assert told.run(capsys, "audit", "tail") == Done(
        0,
        "2023-11-14\n"
        f"22:13:20  allow      Bash       git status                              {one}\n"
        f"23:13:20  deny       Bash       rm -rf / x x x x x x x x x x x x x x …  {two}\n"
        "2023-11-15\n"
        f"00:13:20  approved   Write      fine\\u{{1b}}[2J                           {three}\n"
        f"01:13:20  result     Write      exit code 3                             {four}\n",
        "",
    )
    assert {len(line) for line in told.run(capsys, "audit", "tail").out.splitlines()} == {10, 80}


@pytest.mark.parametrize(
    ("fields", "about"),
    [
        ({"tool": "Write", "rule_id": "r1", "mode": "plan", "effects": [{"kind": "write", "target": "/p/a"}]}, "/p/a"),
        ({"tool": "X", "effects": [{"kind": "read", "target": "a"}, {"kind": "reach", "target": "h"}]}, "h, a"),
        (
            {"tool": "X", "effects": [{"kind": "write", "target": name} for name in "abcd"], "mode": "default"},
            "a, b and 2 more",
        ),
        ({"tool": "Write", "mode": "default", "parts": [{"text": "Write /p/a", "verdict": "ask"}]}, "/p/a"),
        ({"tool": "Bash", "command": "ls", "effects": [{"kind": "read", "target": "."}], "mode": "default"}, "ls"),
        ({"tool": "Bash", "command": "ssh ɡx.com"}, "ssh \\u{261}x.com‹xn--x-r1a.com›"),
        ({"tool": "Bash", "command": "mysql -phunter2"}, "mysql -p‹password, 7 characters›"),
    ],
)
def test_tail_shows_what_was_touched(scene: Scene, capsys: Capture, fields: dict[str, object], about: str) -> None:
    Journal(folder(scene), durable=False).append("decision", {"decision": "ask", **fields})
    assert told_about(scene.run(capsys, "audit", "tail").out) == about


def told_about(out: str) -> str:
    return out.splitlines()[1][32:].rpartition("  ")[0].strip()


def test_tail_takes_a_number(told: Scene, capsys: Capture) -> None:
    assert len(told.run(capsys, "audit", "tail", "-n", "2").out.splitlines()) == 3
    assert len(told.run(capsys, "audit", "tail", "-n", "0").out.splitlines()) == 6


def test_colours_are_for_terminals(told: Scene, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = told.run(capsys, "audit", "tail").out
    assert "\x1b[31mdeny     \x1b[0m" in out
    assert "\x1b[2J" not in out


def test_records_are_json_for_programs(told: Scene, capsys: Capture) -> None:
    done = told.run(capsys, "audit", "tail", "--json")
    assert [json.loads(line)["seq"] for line in done.out.splitlines()] == [1, 2, 3, 4]
    assert done.out == Path(folder(told), "permissions.jsonl").read_text()


def test_follow_prints_what_is_written(told: Scene) -> None:
    env = {**told.env, "PYTHONUNBUFFERED": "1", "TZ": "UTC"}
    with subprocess.Popen(
        [*LAUNCHER, "audit", "tail", "-n", "1", "--follow", "--json"], env=env, stdout=subprocess.PIPE, text=True
    ) as following:
        assert following.stdout
        assert json.loads(following.stdout.readline())["seq"] == 4
        Journal(folder(told), durable=False).append("mode", {"mode": "plan"})
        assert json.loads(following.stdout.readline())["seq"] == 5
        following.send_signal(signal.SIGINT)
    assert following.returncode == 130


def test_search_by_words_and_conditions(told: Scene, capsys: Capture) -> None:
    def found(*words: str) -> list[int]:
        done = told.run(capsys, "audit", "search", "--json", *words)
        assert (done.code, done.err) == (0, "")
        return [json.loads(line)["seq"] for line in done.out.splitlines()]

    assert found("git") == [1]
    assert found("--tool", "write") == [3, 4]
    assert found("--verdict", "deny") == [2]
    assert found("--kind", "result") == [4]
    assert found("--since", "2023-11-15") == [3, 4]
    assert found("--since", "2023-11-14T23:00+00:00", "--until", "2023-11-15T01:00") == [2, 3]
    assert found("--since", "7d") == []
    assert found("-n", "1") == [4]
    assert told.run(capsys, "audit", "search", "nothing") == Done(0, "no records\n", "")


def test_show_prints_every_field(told: Scene, capsys: Capture) -> None:
    record = list(records(folder(told)))[2]
    expected = [
        f"approved  2023-11-15 00:13:20  {record.event_id}",
        f"  event_id    {record.event_id}",
        "  time        1700007200.0",
        "  seq         3",
        f"  prev_hash   {record.prev_hash}",
        "  kind        answer",
        f"  user        {record.text('user')}",
        f"  host        {os.uname().nodename}",
        "  timestamp   1700007200.0",
        "  tool        Write",
        "  approved    true",
        "  request_id  req-77",
        "  reason      fine\\u{1b}[2J",
        "  tool_name   Write",
        "  timeout     false",
        f"  hash        {record.hash}",
    ]
    for identity in (record.event_id, record.event_id[:8], "req-77", "req-"):
        assert told.run(capsys, "audit", "show", identity) == Done(0, "\n".join(expected) + "\n", "")
    assert told.run(capsys, "audit", "show", "req-77", "--json").json == record.table()


def test_verify_says_that_nothing_is_wrong(told: Scene, capsys: Capture) -> None:
    head = told.run(capsys, "audit", "head").out.strip()
    out = f"OK      4 records in 1 file, nothing changed, nothing missing\n        head {head}\n"
    assert told.run(capsys, "audit", "verify") == Done(0, out, "")
    assert told.run(capsys, "audit", "verify", "--anchor", head) == Done(0, out, "")
    assert told.run(capsys, "audit", "verify", "--json") == Done(
        0, json.dumps({"ok": True, "records": 4, "files": 1, "head": head, "problems": []}) + "\n", ""
    )
    last = list(records(folder(told)))[-1]
    assert told.run(capsys, "audit", "head", "--json").json == {"seq": 4, "hash": last.hash, "time": last.time}


def test_verify_names_what_is_wrong(told: Scene, capsys: Capture) -> None:
    file = Path(folder(told), "permissions.jsonl")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[0].replace("git status", "git stutas") + lines[2])
    assert told.run(capsys, "audit", "verify") == Done(
        1,
        "BROKEN  3 problems in 1 record in 1 file\n"
        "  permissions.jsonl:1\n"
        "      record 1: changed: its hash is not the hash of its content\n"
        "  permissions.jsonl:2\n"
        "      record 3: 1 more record is missing before it\n"
        "  permissions.jsonl:2\n"
        "      record 4 is missing at the end, the head knows of 4\n",
        "",
    )
    done = told.run(capsys, "audit", "verify", "--json")
    assert (done.code, done.json["ok"], len(done.json["problems"])) == (1, False, 3)
    assert done.json["problems"][0] == {
        "file": "permissions.jsonl",
        "line": 1,
        "seq": 1,
        "what": "changed: its hash is not the hash of its content",
    }


def test_without_a_journal_there_is_nothing_to_see(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "audit", "tail") == Done(0, "no records\n", "")
    assert scene.run(capsys, "audit", "verify") == Done(0, f"nothing was written yet in {folder(scene)}\n", "")
    assert scene.run(capsys, "audit", "head") == Done(0, f"0:{'0' * 64}\n", "")
    assert scene.run(capsys, "audit", "stats") == Done(0, "0 records\n", "")
    assert scene.run(capsys, "audit", "verify", "--anchor", f"2:{'a' * 64}").code == 1
    assert not scene.state.exists()


def test_stats_count(told: Scene, capsys: Capture) -> None:
    assert told.run(capsys, "audit", "stats") == Done(
        0,
        "4 records\n"
        "  2023-11-14 22:13 to 2023-11-15 01:13\n"
        "  outcome          1  allow\n"
        "                   1  approved\n"
        "                   1  deny\n"
        "  kind             2  decision\n"
        "                   1  answer\n"
        "                   1  result\n"
        "  tool             2  Bash\n"
        "  latency        2.0  ms in the middle\n",
        "",
    )
    assert told.run(capsys, "audit", "stats", "--json", "--since", "2023-11-15").json == {
        "records": 2,
        "first": START + 7200,
        "last": START + 10800,
        "outcomes": {"approved": 1},
        "kinds": {"answer": 1, "result": 1},
        "tools": {},
        "decided_by": {},
        "latency_ms": None,
    }


@pytest.mark.parametrize(("chosen", "lines"), [("csv", 5), ("jsonl", 4), ("otel", 1), ("ocsf", 4)])
def test_every_format_can_be_exported(told: Scene, capsys: Capture, chosen: str, lines: int) -> None:
    done = told.run(capsys, "audit", "export", "--format", chosen)
    assert (done.code, done.err, len(done.out.splitlines())) == (0, "", lines)
    later = told.run(capsys, "audit", "export", "--format", chosen, "--since", "2023-11-15T01:00")
    assert "git status" in done.out
    assert "git status" not in later.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["frob"], "unknown action `frob`"),
        (["tail", "x"], "`audit tail` takes nothing more"),
        (["tail", "--kind", "mode"], "`audit tail` takes no `--kind`"),
        (["tail", "-n", "x"], "`-n x` is no number"),
        (["show"], "`audit show` takes an id more"),
        (["show", "zzzzzz"], "the journal holds nothing with the id `zzzzzz`"),
        (["search", "--kind", "party"], "unknown kind `party`"),
        (["search", "--verdict", "maybe"], "unknown verdict `maybe`"),
        (["search", "--since", "soon"], "`--since soon` is no moment"),
        (["verify", "--anchor", "x"], "`x` is no anchor"),
        (["export"], "the format `` is not known"),
        (["export", "--format", "xml"], "the format `xml` is not known"),
    ],
)
def test_what_makes_no_sense_is_refused(told: Scene, capsys: Capture, words: list[str], says: str) -> None:
    done = told.run(capsys, "audit", *words)
    assert (done.code, done.out) == (2, "")
    assert says in done.err


def test_help_is_printed(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "audit", "--help").out.startswith("usage: assent audit tail")
    assert scene.run(capsys, "audit").code == 2
