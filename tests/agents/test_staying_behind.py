"""The shell that stays behind a hook turns every bad end into exit code 2; the script of Cline into a cancel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assent.agents.agent import Output
from assent.agents.hosts import cline
from assent.agents.hosts.host import Hook, OwnFile, Place

ENDS = {
    "well": ("print('yes')", Output("yes\n", "", 0)),
    "refused": ("import sys; sys.stderr.write('no\\n'); sys.exit(2)", Output("", "no\n", 2)),
    "crashed": ("raise SystemExit(1)", Output("", "The permission check was cut off.\n", 2)),
    "killed": ("import os; os.kill(os.getpid(), 9)", Output("", "The permission check was cut off.\n", 2)),
    "said-no-more": ("print('yes'); raise SystemExit(3)", Output("yes\n", "The permission check was cut off.\n", 2)),
}


def ended(*words: str) -> Output:
    done = subprocess.run(words, input=b"{}", capture_output=True, timeout=30)
    shown = [line for line in done.stderr.decode().splitlines(keepends=True) if not line.startswith(("Killed", "/bin"))]
    return Output(done.stdout.decode(), "".join(shown), done.returncode)


@pytest.mark.parametrize("how", ENDS)
def test_a_bad_end_is_exit_code_2(how: str) -> None:
    code, output = ENDS[how]
    assert ended(*Hook((sys.executable, "-c", code)).closed.words) == output


def test_a_hook_that_cannot_start_is_exit_code_2() -> None:
    found = ended(*Hook(("/gone/python",)).closed.words)
    assert (found.stdout, found.code) == ("", 2)
    assert found.stderr.endswith("The permission check was cut off.\n")


def test_the_line_for_a_shell_is_the_same_hook() -> None:
    hook = Hook((sys.executable, "-c", "print('a b')")).closed
    assert ended("/bin/sh", "-c", hook.line) == Output("a b\n", "", 0)


CUT_OFF = Output('{"cancel": true, "errorMessage": "The permission check was cut off."}\n', "", 0)
NO = '{"cancel": true, "errorMessage": "it\'s $HOME \\\\ %s `x`"}'
ANSWERS = {
    "yes": ("""print('{"cancel": false}')""", Output('{"cancel": false}\n', "", 0)),
    "no": (f"print({NO!r})", Output(f"{NO}\n", "", 0)),
    "nothing": ("", CUT_OFF),
    "text": ("print('hello')", CUT_OFF),
    "crashed": ("""print('{"cancel": false}'); raise SystemExit(1)""", CUT_OFF),
    "killed": ("""print('{"cancel": false}', flush=True); import os; os.kill(os.getpid(), 9)""", CUT_OFF),
}


@pytest.mark.parametrize("how", ANSWERS)
def test_the_script_of_cline_passes_on_answers_and_nothing_else(how: str, tmp_path: Path) -> None:
    code, output = ANSWERS[how]
    place = Place("user", str(tmp_path), str(tmp_path), {})
    [change] = cline.changes(place, Hook((sys.executable, "-c", code)))
    assert isinstance(change, OwnFile)
    file = tmp_path / "PreToolUse"
    file.write_text(change.text)
    file.chmod(0o755)
    assert ended(str(file)) == output
