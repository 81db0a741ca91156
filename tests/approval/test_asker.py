"""Whether an asking process is still there: certainly gone, or not."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from assent.approval import asker
from assent.approval.asker import Host, is_alive, owner_name


def test_this_process_is_alive() -> None:
    assert is_alive(owner_name())


def test_a_process_that_ended_is_gone_even_before_its_parent_noticed() -> None:
    words = [sys.executable, "-c", "from assent.approval.asker import owner_name; print(owner_name(), flush=True)"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout:
        name = child.stdout.readline().strip()
        child.stdout.read()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(name), "a zombie hears nothing"
    child.wait()
    assert not is_alive(name)


def test_a_later_process_with_the_same_number_is_another() -> None:
    number, born, rest = owner_name().split(".", 2)
    assert not is_alive(f"{number}.{int(born) - 1}.{rest}")


@pytest.mark.parametrize("owner", ["", "me", "worker-7", f"{2**22 + 1}.1.4026531836@elsewhere"])
def test_of_whom_nothing_is_known_nobody_says_gone(owner: str) -> None:
    assert is_alive(owner)


def test_another_namespace_counts_its_processes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"{2**22 + 1}.1.{asker._here()}"
    assert not is_alive(name)
    monkeypatch.setattr(asker, "_here", lambda: "1@here")
    assert is_alive(name)


def test_the_host_is_behind_the_shells() -> None:
    code = "from assent.approval.asker import Host; print(len(Host()._chain))"
    line = f'"{sys.executable}" -c "{code}"; true'
    inner = subprocess.run(["sh", "-c", f"sh -c '{line}'; true"], capture_output=True, text=True, check=True)
    assert int(inner.stdout) == 3, "two shells and this process"
    assert not Host().is_gone
