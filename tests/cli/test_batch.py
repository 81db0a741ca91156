"""The batch contract of `assent check --jsonl`: keys, order, bad lines, streaming and memory."""

from __future__ import annotations

import gc
import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assent.cli.batch import MAX_POLICIES, MAX_WORLDS, Batch
from scene import LAUNCHER, WAYS, Done, Scene

ANSWER_KEYS = ["id", "verdict", "reason", "decided_by", "rule", "effects", "gaps", "suggestions"]
OPEN: dict[str, object] = {"mode": "default"}

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(tmp_path, monkeypatch)


def row(**more: object) -> dict[str, object]:
    return {"id": 1, "tool": "Read", "input": {"file_path": "a.py"}, "cwd": "/p", "workspace": "/p", **more}


def ask(line: object, batch: Batch | None = None) -> dict[str, Any]:
    """The answer to one line, given as a row or as its text."""
    text = line if isinstance(line, bytes) else json.dumps(line).encode()
    return (batch or Batch())(text)


def error_of(line: object) -> str:
    """The error of a bad line, whose answer must be exactly id, verdict and error."""
    answer = ask(line)
    assert set(answer) == {"id", "verdict", "error"}, answer
    assert answer["verdict"] == "deny"
    return str(answer["error"])


# --- in and out ----------------------------------------------------------------------------------------------------


def test_an_answer_has_exactly_the_keys_of_the_contract(scene: Scene) -> None:
    answer = ask(row(policy={"deny": [{"rule": "Read(./a.py)", "message": "Not this one"}]}))
    assert list(answer) == ANSWER_KEYS
    assert answer == {
        "id": 1,
        "verdict": "deny",
        "reason": "Not this one",
        "decided_by": "deny",
        "rule": "Read(./a.py)",
        "effects": [{"kind": "read", "target": "a.py"}],
        "gaps": [],
        "suggestions": [],
    }


def test_a_question_carries_gaps_and_suggestions(scene: Scene) -> None:
    shell = ask(row(tool="Bash", input={"command": "ls --frob"}, policy=OPEN))
    assert (shell["verdict"], shell["gaps"]) == ("ask", ["ls: option --frob is not known"])
    assert shell["suggestions"] == ["Bash(ls --frob)"]
    write = ask(row(tool="Write", input={"file_path": "a.py"}, policy=OPEN))
    assert (write["verdict"], write["suggestions"]) == ("ask", ["Write(./a.py)"])


@pytest.mark.parametrize(
    ("tool", "input", "suggested"),
    [
        ("frob", {}, ["Tool(frob)"]),
        ("*", {}, []),
        ("frob{,x}", {}, []),
        ("a/b", {}, []),
        ("Mcp", {"server": "s", "name": "t", "arguments": {}}, ["Mcp(s.t)"]),
        ("Mcp", {"server": "s", "name": "*", "arguments": {}}, []),
        ("Write", {"file_path": "src/*"}, []),
        ("WebFetch", {"url": "https://python.org/"}, ["WebFetch(domain:python.org)"]),
        ("WebFetch", {"url": "https://a..b/"}, []),
    ],
)
def test_a_suggestion_names_this_call_and_no_other(
    tool: str, input: dict[str, object], suggested: list[str], scene: Scene
) -> None:
    answer = ask(row(tool=tool, input=input, policy=OPEN))
    assert (answer["verdict"], answer["suggestions"]) == ("ask", suggested)


@pytest.mark.parametrize(
    ("tool", "input", "effect"),
    [
        ("Read", {"file_path": "a"}, {"kind": "read", "target": "a"}),
        ("Write", {"file_path": "a"}, {"kind": "write", "target": "a"}),
        ("Edit", {"file_path": "a"}, {"kind": "write", "target": "a"}),
        ("Glob", {"pattern": "*.py"}, {"kind": "list", "target": "."}),
        ("Grep", {"pattern": "x", "path": "src"}, {"kind": "search", "target": "src"}),
        ("WebFetch", {"url": "https://example.com/"}, {"kind": "reach", "target": "https://example.com/"}),
        ("Mcp", {"server": "s", "name": "t", "arguments": {}}, {"kind": "call", "target": "s.t"}),
        ("mcp__s__t", {}, {"kind": "call", "target": "s.t"}),
        ("read_file", {"path": "a"}, {"kind": "read", "target": "a"}),
    ],
)
def test_the_tools_of_the_contract_are_known(
    tool: str, input: dict[str, object], effect: dict[str, str], scene: Scene
) -> None:
    assert ask(row(tool=tool, input=input, policy=OPEN))["effects"] == [effect]


IDS = [None, True, False, 0, -7, 1.5, "", "läuft", "\u202e\ud800", [], [1, [2]], {}, {"a": {"b": None}}, 10**30]


@pytest.mark.parametrize("identity", IDS, ids=repr)
def test_an_id_of_any_type_comes_back(identity: object, scene: Scene, capsys: Capture) -> None:
    scene.type(json.dumps(row(id=identity, policy=OPEN)) + "\n" + json.dumps({"id": identity}) + "\n")
    good, bad = map(json.loads, scene.run(capsys, "check", "--jsonl").out.splitlines())
    assert (good["id"], good["verdict"]) == (identity, "allow")
    assert (bad["id"], bad["verdict"]) == (identity, "deny")
    assert type(good["id"]) is type(identity)


def test_a_line_without_an_id_is_answered(scene: Scene) -> None:
    line = row(policy=OPEN)
    del line["id"]
    assert (ask(line)["id"], ask(line)["verdict"]) == (None, "allow")


def test_answers_come_in_the_order_of_the_lines(scene: Scene, capsys: Capture) -> None:
    lines = [json.dumps(row(id=number, policy=OPEN)) if number % 3 else "broken" for number in range(60)]
    scene.type("\n".join(lines))
    done = scene.run(capsys, "check", "--jsonl", "-")
    assert [json.loads(line)["id"] for line in done.out.splitlines()] == [n if n % 3 else None for n in range(60)]
    assert (done.code, done.err) == (0, "")


def test_lines_may_come_from_a_file(scene: Scene, capsys: Capture) -> None:
    file = scene.write(scene.project / "calls.jsonl", json.dumps(row(id="x", policy=OPEN)))
    assert scene.run(capsys, "check", "--jsonl", str(file)).json["id"] == "x"


# --- bad lines -----------------------------------------------------------------------------------------------------

BAD = [
    (b"", "not JSON: unexpected end or character at offset 0"),
    (b"\n", "not JSON: unexpected end or character at offset"),
    (b"{", "not JSON: "),
    (b'{"id": 1} {"id": 2}', "not JSON: extra text at offset"),
    (b'{"id": "\xff"}', "not JSON: not UTF-8 at byte 8"),
    (b'\xef\xbb\xbf{"id": 1}', "not JSON: "),
    (b"[" * 100_000, "not JSON we accept: nested too deeply"),
    (b'{"id": NaN}', "not JSON we accept: `NaN`"),
    (b'{"id": 1, "id": 2}', "not JSON we accept: key `id` appears twice"),
    (b'{"tool": "Read", "input": {"a": 1, "a": 2}}', "not JSON we accept: key `a` appears twice"),
    (b'{"id": 1e999}', "cannot write JSON: inf has no JSON form"),
    (b'{"id": ' + b"[" * 300 + b"]" * 300 + b"}", "cannot write JSON: nested too deeply"),
    ([row()], "the line must be a JSON object"),
    (7, "the line must be a JSON object"),
    (row(tool=None), "`tool` must be a non-empty string"),
    (row(tool=""), "`tool` must be a non-empty string"),
    (row(tool=["Read"]), "`tool` must be a non-empty string"),
    ({"id": 1}, "`tool` must be a non-empty string"),
    ({"tool": "Read"}, "`input` must be a JSON object"),
    (row(input=None), "`input` must be a JSON object"),
    (row(input="a.py"), "`input` must be a JSON object"),
    (row(cwd="src"), "`cwd` must be an absolute path"),
    (row(cwd=""), "`cwd` must be an absolute path"),
    (row(cwd="/p\0"), "`cwd` must be an absolute path"),
    (row(cwd=1), "`cwd` must be a string"),
    (row(workspace="../p"), "`workspace` must be an absolute path"),
    (row(shell="fish"), "`shell` must be one of bash, sh, zsh, powershell"),
    (row(shell=["bash"]), "`shell` must be one of bash, sh, zsh, powershell"),
    (row(agent=1), "`agent` must be a string"),
    (row(session={}), "`session` must be a string"),
    (row(env=[]), "`env` must be an object of strings"),
    (row(env={"HOME": None}), "`env` must be an object of strings"),
    (row(env={"HOME": "/p\0"}), "`env` must be an object of strings"),
    (row(policy=[]), "`policy` must be a JSON object"),
    (row(policy={"alow": []}), "unknown key `alow` in `policy` (known: extends, mode, allow, ask, deny)"),
    (row(policy={"mode": "yolo"}), "unknown mode `yolo` (one of default, plan, full_auto)"),
    (row(policy={"mode": []}), "unknown mode `[]` (one of default, plan, full_auto)"),
    (row(policy={"mode": None}), "unknown mode `None` (one of default, plan, full_auto)"),
    (row(policy={"allow": "Read"}), "`allow` must be a list of rules"),
    (row(policy={"allow": [1]}), "a rule must be a JSON object"),
    (row(policy={"ask": [{"unless": []}]}), "`rule` must be a non-empty string"),
    (row(policy={"ask": [{"rule": "Read", "unles": []}]}), "unknown key `unles` in a rule (known: args, expires,"),
    (row(policy={"deny": ["Raed"]}), "policy: unknown tool `Raed` in rule `Raed` (did you mean `Read`?"),
    (row(policy={"deny": [{"rule": "Write", "unless": ["Raed"]}]}), "policy: unknown tool `Raed` in rule `Raed`"),
    (row(policy={"deny": [{"rule": "Read", "unless": [1]}]}), "`unless` must be a list of strings"),
    (row(policy={"deny": [{"rule": "Read", "expires": "soon"}]}), "`expires` must be a number of seconds"),
    (row(policy={"deny": [{"rule": "Read", "args": {"a": "b"}}]}), "policy: `Read` takes no `args` (only `Mcp` and"),
    (row(policy={"deny": [{"rule": "Mcp(a.b)", "args": {"a": [1]}}]}), "`a` must be a list of strings"),
]


@pytest.mark.parametrize(("line", "says"), BAD)
def test_a_bad_line_is_denied_and_says_why(line: object, says: str, scene: Scene) -> None:
    assert error_of(line).startswith(says)


def test_the_stream_goes_on_after_every_bad_line(scene: Scene) -> None:
    texts = [line.strip() if isinstance(line, bytes) else json.dumps(line).encode() for line, _ in BAD]
    lines = b"\n".join(piece for text in texts for piece in (text, json.dumps(row(id="good", policy=OPEN)).encode()))
    done = subprocess.run([*LAUNCHER, "check", "--jsonl"], input=lines, capture_output=True, env=scene.env, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["verdict"] for answer in answers] == ["deny", "allow"] * len(BAD)
    assert [answer["id"] for answer in answers[1::2]] == ["good"] * len(BAD)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_failure_of_ours_is_denied_and_the_stream_goes_on(scene: Scene) -> None:
    def fail(*_: object, **_more: object) -> None:
        raise RuntimeError("boom")

    batch = Batch()
    with scene.monkeypatch.context() as broken:
        broken.setattr("assent.cli.batch.examine", fail)
        answer = ask(row(policy=OPEN), batch)
    assert answer == {"id": 1, "verdict": "deny", "error": "the checker failed: RuntimeError: boom"}
    assert ask(row(policy=OPEN), batch)["verdict"] == "allow"


# --- which policy applies ------------------------------------------------------------------------------------------


def line_in(scene: Scene, tool: str = "Write", path: str = "src/a.py", **more: object) -> dict[str, object]:
    place = {"cwd": str(scene.project), "workspace": str(scene.project)}
    return {"id": 1, "tool": tool, "input": {"file_path": path}, **place, **more}


def test_without_a_policy_the_files_of_the_workspace_apply(scene: Scene) -> None:
    batch = Batch()
    assert ask(line_in(scene), batch)["verdict"] == "ask"
    scene.user('allow = ["Write(./src/**)"]\n')
    assert ask(line_in(scene), batch)["verdict"] == "allow"
    scene.shared('deny = ["Write(./src/**)"]\n')
    answer = ask(line_in(scene), batch)
    assert (answer["verdict"], answer["rule"]) == ("deny", "Write(./src/**)")


def test_the_workspace_of_a_line_is_found_from_its_cwd(scene: Scene) -> None:
    scene.shared('deny = ["Read(./src/**)"]\n')
    line = line_in(scene, "Read", "a.py", cwd=str(scene.project / "src"))
    del line["workspace"]
    assert ask(line)["verdict"] == "deny"


def test_a_policy_of_a_line_isolates_it_from_all_files(scene: Scene) -> None:
    scene.user('mode = "plan"\ndeny = ["Write"]\n')
    scene.manage('deny = ["Read"]\n')
    assert ask(line_in(scene))["verdict"] == "deny"
    assert ask(line_in(scene, policy={}))["verdict"] == "ask"
    assert ask(line_in(scene, policy={"mode": "full_auto"}))["verdict"] == "allow"
    assert ask(line_in(scene, "Read", policy=OPEN))["verdict"] == "allow"


def test_a_broken_file_is_not_the_problem_of_a_line_with_a_policy(scene: Scene) -> None:
    scene.user("alow = []\n")
    assert ask(line_in(scene, "Read"))["decided_by"] == "policy"
    assert ask(line_in(scene, "Read", policy=OPEN))["verdict"] == "allow"


def test_the_floor_holds_under_every_policy(scene: Scene) -> None:
    loose = {"mode": "full_auto", "allow": ["Read", "Read(~/.ssh/**)"]}
    answer = ask(line_in(scene, "Read", "~/.ssh/id_rsa", policy=loose))
    assert (answer["verdict"], answer["decided_by"]) == ("deny", "floor")


@pytest.mark.parametrize("unless", [["Write(./src/gen/**)"], "Write(./src/gen/**)"], ids=["list", "string"])
def test_a_rule_is_a_string_or_an_object_with_exceptions(unless: object, scene: Scene) -> None:
    policy = {"mode": "full_auto", "deny": [{"rule": "Write(./src/**)", "unless": unless}], "ask": ["Write(./docs/**)"]}
    paths = ("src/a.py", "src/gen/a.py", "docs/a.md")
    verdicts = [ask(line_in(scene, path=path, policy=policy))["verdict"] for path in paths]
    assert verdicts == ["deny", "allow", "ask"]


def test_a_rule_may_look_at_arguments_and_end(scene: Scene) -> None:
    def answer(channel: str, expires: float) -> object:
        rule = {"rule": "Mcp(slack.post)", "args": {"channel": ["C09*"]}, "expires": expires}
        call = {"server": "slack", "name": "post", "arguments": {"channel": channel}}
        return ask(row(tool="Mcp", input=call, policy={"allow": [rule]}))["verdict"]

    assert (answer("C091", 4e9), answer("C10", 4e9), answer("C091", 1.0)) == ("allow", "ask", "ask")


def test_home_of_a_line_decides_where_home_is(scene: Scene) -> None:
    other = scene.home.parent / "other"
    scene.write(other / ".config/assent/policy.toml", 'deny = ["Read(~/notes/**)"]\n')
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        scene.monkeypatch.delenv(name)
    batch = Batch()
    notes = line_in(scene, "Read", "~/notes/a.md")
    assert ask(notes, batch)["verdict"] == "ask"
    assert ask({**notes, "env": {"HOME": str(other)}}, batch)["verdict"] == "deny"
    assert ask(line_in(scene, "Read", f"{other}/notes/a.md", env={"HOME": str(other)}), batch)["verdict"] == "deny"
    assert ask(notes, batch)["verdict"] == "ask", "the next line is back at home"


def test_configuration_of_a_line_may_be_elsewhere(scene: Scene) -> None:
    scene.write(scene.home / "else/assent/policy.toml", 'deny = ["Read(./src/**)"]\n')
    env = {"XDG_CONFIG_HOME": str(scene.home / "else")}
    assert ask(line_in(scene, "Read"))["verdict"] == "allow"
    assert ask(line_in(scene, "Read", env=env))["verdict"] == "deny"


# --- streaming -----------------------------------------------------------------------------------------------------


def stream(scene: Scene, **more: Any) -> subprocess.Popen[bytes]:
    words = [*LAUNCHER, "check", "--jsonl"]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=scene.env, **more)


def test_a_line_is_answered_before_the_next_is_sent(scene: Scene) -> None:
    with stream(scene, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        for number in range(3):
            process.stdin.write(json.dumps(row(id=number, policy=OPEN)).encode() + b"\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60)[0], "no answer although the next line is not coming"
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert (process.stdout.read(), process.stderr.read(), process.wait(60)) == (b"", b"", 0)


def test_a_last_line_without_its_end_is_answered(scene: Scene) -> None:
    assert scene.start("check", "--jsonl", stdin=json.dumps(row(id="last", policy=OPEN))).json["id"] == "last"


def test_no_lines_are_no_answers(scene: Scene) -> None:
    assert scene.start("check", "--jsonl") == Done(0, "", "")


@WAYS
@pytest.mark.parametrize("from_file", [True, False], ids=["file", "stdin"])
def test_a_reader_who_leaves_causes_no_complaint(from_file: bool, way: tuple[str, ...], scene: Scene) -> None:
    lines = "".join(json.dumps(row(id=n, policy=OPEN)) + "\n" for n in range(200))
    file = scene.write(scene.project / "calls.jsonl", lines)
    reader, writer = os.pipe()
    os.close(reader)
    words = [*way, "check", "--jsonl", *([str(file)] if from_file else [])]
    with file.open("rb") as stdin:
        done = subprocess.run(words, stdin=stdin, stdout=writer, stderr=subprocess.PIPE, env=scene.env, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (2, b"")


# --- memory --------------------------------------------------------------------------------------------------------


def varied(number: int) -> bytes:
    """Lines that differ in everything a batch could be tempted to remember."""
    path = f"src/{number}/file-{number}.py"
    policy = {"allow": [f"Write(./src/{number}/**)"], "deny": [f"Read(**/{number}.key)"]}
    env = {"HOME": f"/home/user{number}"}
    return json.dumps(row(id=f"id-{number}", input={"file_path": path}, policy=policy, env=env)).encode()


def test_ten_thousand_lines_do_not_grow_memory(scene: Scene) -> None:
    batch = Batch()
    held = []
    for number in range(10_000):
        assert batch(varied(number))["verdict"] == "allow"
        if number + 1 in (2_000, 10_000):
            gc.collect()
            held.append(sys.getallocatedblocks())
    assert held[1] - held[0] < 4_000, "8,000 lines must leave less than one object for every other line behind"


def test_a_batch_keeps_a_bounded_number_of_policies_and_worlds(scene: Scene) -> None:
    batch = Batch()
    for number in range(3 * max(MAX_POLICIES, MAX_WORLDS)):
        batch(varied(number))
    assert 0 < len(batch._policies) <= MAX_POLICIES
    assert 0 < len(batch._worlds) <= MAX_WORLDS
