"""Every way out is tried inside and held back; and the attempts are real: without a sandbox they succeed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from assent.sandbox import doctor
from assent.sandbox.attempts import ATTEMPTS
from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK, prepare
from assent.sandbox.doctor import Attempt, attempts
from sandbox.confined import ABLE, python_for_all, unprivileged

SOURCE = Path(doctor.__file__).parents[2]

HARMLESS = (
    "write a file outside",
    "read a key in ~/.ssh",
    "read Assent's own state",
    "read .env of the workspace",
    "change .git/config",
    "add a git hook",
    "read a secret through a symbolic link",
    "read a secret through a hard link",
    "reach a port on loopback",
    "reach an abstract unix socket",
    "reach a unix socket outside",
    "list a folder outside",
    "watch a folder outside",
    "change the rights of a file outside",
    "change the times of a file outside",
    "change an attribute of a file outside",
    "get out by /proc/PID/root",
    "read the variables of other processes",
    "limit a process outside",
    "slow a process outside",
    "reach shared memory of others",
    "see or signal other processes",
    "see variables of the environment",
    "lead git elsewhere by .git/commondir",
    "add .git/config.worktree",
    "add a working tree to .git",
    "add a submodule to .git",
    "change .git/info",
    "change an object of git",
    "destroy an object of git",
    "lead git to other objects",
    "plan a command for git rebase",
    "make .git/HEAD a link",
    "lead git out of the project by its index",
    "lead git's objects elsewhere by a link",
    "name a program in .git/sequencer/opts",
    "replace an object of git by another",
    "remove the branch that is worked on",
    "read .env in .git",
    "change a script that a hook starts",
    "destroy a repository without a working tree",
    "plant a repository below a folder called .git",
    "change a hook where core.hooksPath leads",
    "add a hook where core.hooksPath leads",
    "change a file that include.path names",
    "change a program that a filter names",
    "change the settings of a repository inside",
    "lead a submodule elsewhere",
    "plant a repository in a folder",
    "plant a repository without .git",
    "change what agents read",
    "change it by a second name",
    "change it by an open file",
    "add a workflow",
    "change the settings of an editor",
    "move the project",
    "change Assent's environment",
    "add code to Assent's start",
    "read what .env leads to",
    "read .env through its link",
    "read .env in node_modules",
    "read .env in .tox",
    "read a second name of .env",
    "read .env with a second name",
    "set the bit for the owner's rights",
    "set the bit for the group's rights",
    "create a file with that bit",
    "make a node with that bit",
    "create a file with it unseen (openat2)",
    "reach loopback by IPv6",
    "take a descriptor of another process",
    "signal a process by its handle",
    "read the memory of a process outside",
    "move Assent's environment",
    "replace .git",
    "start too many processes",
)
"""What may be tried outside, too: it touches only what was put there for it."""


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK])
def test_nothing_gets_out(tmp_path: Path, kind: str) -> None:
    prepare(str(tmp_path))
    found = attempts(ABLE[kind], str(tmp_path))
    assert [one.name for one in found] == list(ATTEMPTS)
    assert [one for one in found if not one.held] == []


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK])
def test_nothing_gets_out_of_what_somebody_without_rights_starts(kind: str) -> None:
    """In a process of its own, and in a folder that nobody else owns."""
    script = (
        "import sys, json; sys.path.insert(0, sys.argv[1])\n"
        "from assent.sandbox.capability import available\n"
        "from assent.sandbox.doctor import attempts\n"
        "able = available(sys.argv[2], only=sys.argv[3])\n"
        "assert able.works, able.why_not\n"
        "print(json.dumps([[one.name, one.held] for one in attempts(able, sys.argv[2])]))\n"
    )
    folder = tempfile.mkdtemp(prefix="assent-")
    try:
        os.chmod(folder, 0o777)
        words = [*unprivileged(), python_for_all(), "-I", "-B", "-c", script, str(SOURCE), f"{folder}/state", kind]
        done = subprocess.run(words, capture_output=True, text=True, cwd="/")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
    finally:
        shutil.rmtree(folder)
    assert found == [[name, True] for name in ATTEMPTS]


def test_without_a_sandbox_the_same_attempts_succeed(tmp_path: Path) -> None:
    prepare(str(tmp_path))
    with doctor._outside(str(tmp_path)) as outside:
        given = json.dumps({**outside.given, "only": HARMLESS})
        words = [sys.executable, "-I", "-S", doctor.ATTEMPTS, given]
        env = {**os.environ, "ASSENT_PROOF_SECRET": "x"}
        done = subprocess.run(words, cwd=outside.workspace, env=env, capture_output=True, text=True, check=True)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["name"] for row in rows] == list(HARMLESS)
    assert [row for row in rows if row["held"]] == []


def test_what_changed_outside_did_get_out_whatever_was_said(tmp_path: Path) -> None:
    prepare(str(tmp_path))
    said = (Attempt("write a file outside", True, "held"), Attempt("end every process", True, "held"))
    with doctor._outside(str(tmp_path)) as outside:
        assert tuple(doctor._judged(outside, said)) == said
        Path(outside.witness).write_text("changed")
        process = int(str(outside.given["process"]))
        os.kill(process, 9)
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        assert [one.held for one in doctor._judged(outside, said)] == [False, False]


@pytest.mark.parametrize("name", ["end every process"])
def test_the_dangerous_attempt_is_not_made_outside(name: str) -> None:
    given = json.dumps({"only": [name]})
    words = ["/bin/sh", "-c", 'while [ "$(sh -c "echo \\$PPID")" -lt 60 ]; do :; done; exec "$@"', "sh"]
    words += [sys.executable, "-I", "-S", doctor.ATTEMPTS, given]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    row = json.loads(done.stdout)
    assert (row["held"], row["text"]) == (False, "is not in a process namespace of its own")
