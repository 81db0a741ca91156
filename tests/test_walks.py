"""A walk that looks only at what is marked finds what one that looks at everything finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.testing import FrozenWorld
from assent.trees import TreeWorld
from assent.types import Place, Verdict
from decided import PROJECT, decided, policy_of

NAMES = (
    *("a", "src", "x.py", ".env", ".ssh", "id_rsa", ".git", "config", "hooks", "pre-commit", "objects", "secrets"),
    *(".github", "workflows", "ci.yml", ".assent", ".claude", "settings.json", ".vscode", "tasks.json", ".aws"),
    *("credentials", "__pycache__", "k.pem", ".npmrc", ".config", "gcloud", "node_modules", ".bin", ".mcp.json"),
)
COMMANDS = (
    *("rm -r .", "rm -rf src", "grep -R x .", "grep -r x src", "find . -exec cat {} +", "find . -name '*.py' -delete"),
    *(
        "cp -r src /tmp/out",
        "cp -rL . ../out",
        "tar czf a.tgz .",
        "chmod -R u+w .",
        "find . -type f | xargs sed -i s/a/b/",
    ),
    *("mv src a", "cat src/*", "rm -r /home/dev", "grep -r x ..", "find -L . -exec head {} +", "rsync -a . /mnt/x"),
)
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)
POLICIES = [policy_of(), policy_of(preset="workspace"), policy_of(mode="full_auto"), policy_of(mode="plan")]


def trees(files: list[str], links: list[tuple[str, str]]) -> FrozenWorld:
    folders = {file.rsplit("/", place)[0] for file in files for place in range(1, file.count("/") + 1)}
    plain = [file for file in files if file not in folders]
    taken = {*plain, *folders}
    ends = {f"{PROJECT}/{link}": end for link, end in links if link not in taken and "/" not in link}
    return FrozenWorld({f"{PROJECT}/{file}": "x" for file in plain} | {"/home/dev/.ssh/id_rsa": "k"}, links=ends)


@settings(max_examples=150, deadline=None)
@given(
    files=st.lists(PATHS, min_size=1, max_size=8),
    links=st.lists(st.tuples(PATHS, st.sampled_from(("../..", "/home/dev/.ssh", "src", "/etc", ".git"))), max_size=2),
    command=st.sampled_from(COMMANDS),
)
def test_what_is_left_out_changes_no_answer(files: list[str], links: list[tuple[str, str]], command: str) -> None:
    world = trees(files, links)
    everything = TreeWorld.below

    def slowly(self: TreeWorld, *args: Any, **given: Any) -> tuple[tuple[str, ...], bool]:
        return everything(self, *args, **{**given, "near": None})

    for policy in POLICIES:
        fast = decided(command, policy, world)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TreeWorld, "below", slowly)
            slow = decided(command, policy, world)
        told = [(reason.verdict, reason.step, reason.text) for reason in fast.reasons]
        assert told == [(reason.verdict, reason.step, reason.text) for reason in slow.reasons]
        assert fast.gaps == slow.gaps


def test_a_tree_with_the_same_marks_is_named_once() -> None:
    world = FrozenWorld({f"{PROJECT}/.git/{name}": "" for name in ("HEAD", "config", "hooks/a", "hooks/b")})
    decision = decided("rm -r .", policy_of(), world)
    below = [effect.at.below for effect in decision.effects if isinstance(effect.at, Place)]
    assert (decision.verdict, below) == (Verdict.ASK, [(f"{PROJECT}/.git",)])
