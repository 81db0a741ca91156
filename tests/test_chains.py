"""What a part of a command line finds behind `&&` and `||`, and in other shells: whatever bash may have left there."""

from __future__ import annotations

import itertools
import subprocess

import pytest

from assent.shell.calls import calls_of
from assent.testing import FrozenWorld
from decided import FILES, HOME, PROJECT, decided, policy_of

SCENE = FrozenWorld({**FILES, f"{HOME}/.ssh/id_rsa": "", f"{PROJECT}/evil.sh": "", f"{PROJECT}/README.md": ""})


@pytest.mark.parametrize(
    "command",
    [
        "X=~/.ssh/id_rsa; true || X=README.md && cat $X",
        "X=~/.ssh/id_rsa; false && X=README.md || cat $X",
        "X=./evil.sh; true || X=cat && $X README.md",
        "true || cd src && cat ../../outside.txt",
        "false && cd src || cat ../outside.txt; cat ../outside.txt",
        "zsh -c 'X=README.md; echo ~/.ssh/id_rsa | read X; cat \"$X\"'",
        "ksh -c 'X=README.md; echo ~/.ssh/id_rsa | read X; cat \"$X\"'",
        "zsh -c 'X=README.md; true | X=/etc/passwd; cat $X'",
        "sh -c 'a[0]=./evil ls'",
        "dash -c 'a[0]=./evil'",
    ],
)
def test_nothing_is_taken_for_granted_that_another_part_may_have_skipped(command: str) -> None:
    assert not decided(command, None, SCENE).allowed
    assert not decided(command, policy_of(mode="plan"), SCENE).allowed


@pytest.mark.parametrize("operators", [*itertools.product(("&&", "||", ";"), repeat=3)], ids="".join)
@pytest.mark.parametrize("results", [*itertools.product(("true", "false"), repeat=2)], ids="-".join)
def test_every_folder_that_bash_runs_a_command_in_is_expected(
    operators: tuple[str, ...], results: tuple[str, ...]
) -> None:
    first, second, third = operators
    text = f"{results[0]} {first} cd /usr {second} {results[1]} {third} pwd"
    ran = subprocess.run(["bash", "-c", text], cwd="/", capture_output=True, text=True, check=False).stdout.split()
    expected = {folder for call in calls_of(text, "/").calls if call.program == "pwd" for folder in call.cwds}
    assert {folder.rstrip("/") for folder in ran} <= {folder.rstrip("/") for folder in expected}
