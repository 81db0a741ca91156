"""Code that a command line runs: where it is read from, what is said about it, and what reading costs."""

from __future__ import annotations

import pytest

from assent.policy.compiled import Policy
from assent.testing import FrozenWorld
from assent.types import Verdict
from decided import FILES, HOME, PROJECT, case_of, decided, policy_of

FULL_AUTO = policy_of(mode="full_auto")
DANGER = "import os\nos.system('git push --force')\n"
SCENE = FrozenWorld(
    {
        **FILES,
        f"{PROJECT}/x.py": DANGER,
        f"{PROJECT}/long.py": f"x = 1\n{'# more' * 60_000}\n",
        f"{PROJECT}/binary": "\0\1",
        f"{PROJECT}/one.sh": "bash one.sh\nbash two.sh\n",
        f"{PROJECT}/two.sh": "bash one.sh\n",
        f"{PROJECT}/pkg/__main__.py": DANGER,
        f"{HOME}/.ssh/id_rsa": "canary",
        f"{HOME}/x.py": "print(1)\n",
        "/tmp/x/long.py": f"x = 1\n{'# more' * 60_000}\n",
    },
    links={f"{PROJECT}/out.py": f"{HOME}/x.py", f"{PROJECT}/package.json": f"{PROJECT}/x.py"},
)


def said(command: str, policy: Policy = FULL_AUTO) -> str:
    decision = decided(command, policy, SCENE)
    return f"{decision.verdict} {decision.reason}"


FORCED = "ask the remote of the branch: cannot be undone (git.push.force)"


@pytest.mark.parametrize(
    "command",
    [
        *(
            "python3 x.py",
            "python3 ./x.py a b",
            "python3 < x.py",
            "cat x.py | python3",
            "python3 -m x",
            "python3 -m pkg",
        ),
        *("env python3 x.py", "timeout 5 python3 x.py", "uv run python x.py", ".venv/bin/python x.py"),
        *("cd src; python3 ../x.py", "python3 -u x.py", "find . -exec python3 x.py ';'"),
        "cat > y.py <<'E'\nimport os\nos.system('git push --force')\nE\npython3 y.py",
        "tee y.py <<'E'\nimport os\nos.system('git push --force')\nE\npython3 y.py",
        "echo 'git push --force' > y.sh; bash y.sh",
    ],
)
def test_a_file_is_read_however_it_is_started(command: str) -> None:
    decision = decided(command, FULL_AUTO, SCENE)
    assert decision.verdict is Verdict.ASK
    assert any(reason.text == FORCED.removeprefix("ask ") for reason in decision.reasons)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("python3 long.py", "allow reads long.py: full_auto mode does not ask"),
        ("python3 /tmp/x/long.py", "ask not fully understood: /tmp/x/long.py is not read"),
        ("./binary", "allow ./binary is not a program we know: full_auto mode does not ask"),
        ("bash one.sh", "allow reads one.sh: full_auto mode does not ask"),
        ("python3 missing.py", "allow reads missing.py: full_auto mode does not ask"),
        ("python3 /tmp/missing.py", "ask not fully understood: /tmp/missing.py is not read"),
        ("python3 out.py", "allow reads out.py: full_auto mode does not ask"),
        ("python3 ~/x.py", "allow reads /home/dev/x.py: full_auto mode does not ask"),
    ],
)
def test_what_cannot_be_read_passes_only_in_the_project(command: str, answer: str) -> None:
    assert said(command) == answer


def test_a_json_file_that_is_a_link_to_code_is_code() -> None:
    assert said("node -p \"require('./package.json').name\"") == (
        "ask not fully understood: node code is not fully read: package.json may be code"
    )


def test_proven_code_needs_no_gap_and_says_what_it_reads() -> None:
    case, decision = case_of("python3 -c 'print(open(\"a.txt\").read())'", policy_of())
    assert (decision.allowed, case.gaps) == (True, ())
    assert [(effect.kind, effect.target, effect.possible) for effect in case.effects] == [
        ("read", "a.txt", False),
        ("run", "traceback.py", True),
    ]


def test_code_that_is_not_proven_is_one_gap() -> None:
    case, _ = case_of("python3 -c 'import strange'", policy_of())
    assert [(gap.about, gap.blind, gap.call) for gap in case.gaps] == [("inline", False, 1)]


@pytest.mark.parametrize(
    "text",
    ["x = 1\n" * 20_000, "print(1)\n" * 3_000, "x = [" + "1," * 9_000 + "]", "f'{1}'\n" * 2_000, "(" * 30_000],
)
def test_long_code_is_answered(text: str) -> None:
    assert decided(f"python3 - <<'E'\n{text}\nE", FULL_AUTO, SCENE).verdict is not Verdict.DENY


def test_many_pieces_of_code_are_not_all_read() -> None:
    command = "; ".join(["python3 -c 'print(1)'"] * 45)
    assert decided(command, FULL_AUTO, SCENE).allowed
    long = "; ".join([f"python3 -c 'print({'1' * 2_000})'"] * 40)
    assert said(long) == "ask not fully understood: python3: the code it runs is not known"
