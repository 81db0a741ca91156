"""From a tool call to effects and gaps: what a shell would start, however its host spells the call."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from assent.types import Analysis, Effect, Gap, Span, ToolCall
from assent.understand import understand
from commands.rendered import shown_effect, shown_gap
from decided import HOME, PROJECT

CAT = Effect("read", "a.txt", call=1, span=Span(0, 9))


def understood(input: Mapping[str, object], tool: str = "Bash", read_only: bool | None = None) -> Analysis:
    return understand(ToolCall(tool, input, cwd=PROJECT, workspace=PROJECT, read_only=read_only), HOME)


def shown(analysis: Analysis) -> str:
    return " | ".join([*map(shown_effect, analysis.effects), *map(shown_gap, analysis.gaps)])


# --- one text ------------------------------------------------------------------------------------------------------


def test_a_plain_command_is_what_its_text_does() -> None:
    found = understood({"command": "cat a.txt"})
    assert (found.effects, found.gaps, found.text) == ((CAT,), (), "cat a.txt")
    assert [call.program for call in found.calls] == ["cat"]


@pytest.mark.parametrize(
    "input",
    [
        {"command": "cat a.txt", "description": "shows a", "timeout": 5},
        {"command": "cat a.txt", "timeout": 5.5},
        {"command": "cat a.txt", "run_in_background": True},
        {"command": ["cat", "a.txt"]},
        {"command": ["bash", "-lc", "cat a.txt"]},
        {"command": ["/bin/sh", "-c", "cat a.txt"]},
        {"cmd": "cat a.txt"},
    ],
)
def test_every_spelling_of_the_same_call_does_the_same(input: Mapping[str, object]) -> None:
    assert understood(input) == understood({"command": "cat a.txt"})


@pytest.mark.parametrize(
    ("input", "expected"),
    [
        ({}, "blind Bash needs `command`: missing"),
        ({"command": ""}, "blind Bash needs `command`: missing"),
        ({"command": " \n"}, "blind Bash needs `command`: missing"),
        ({"command": 5}, "blind Bash needs `command` as text: it is a number"),
        ({"command": "true", "more": "rm x"}, "note true | blind Bash has an unknown field `more`"),
        ({"command": "true", "env": {"PATH": "x"}}, "note true | blind Bash sets the variable `PATH`"),
        (
            {"command": "true", "stdin": "x"},
            "note true | blind Bash types into the program it starts, which is not analysed",
        ),
        ({"command": "true", "shell": "fish"}, "note true | blind Bash asks for another shell in `shell`"),
        ({"command": "true", "dangerouslyDisableSandbox": True}, "change sandbox off #sandbox.off | note true"),
    ],
)
def test_what_is_odd_about_an_input_is_said(input: Mapping[str, object], expected: str) -> None:
    assert shown(understood(input)) == expected


@pytest.mark.parametrize("text", ["# only a comment", "X=1", "\n#\n"])
def test_a_text_that_starts_nothing_notes_only_that(text: str) -> None:
    assert understood({"command": text}) == Analysis((Effect("note", "Bash"),), (), (), text, ())


def test_a_broken_text_is_a_gap() -> None:
    found = understood({"command": "cat 'a"})
    assert found.calls == ()
    assert [gap.blind for gap in found.gaps] == [True]


def test_every_gap_is_said_once() -> None:
    found = understood({"command": 'cat "$x" "$x"'})
    assert len(set(found.gaps)) == len(found.gaps)


# --- folders -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("workdir", "expected"),
    [
        ("src", "list src | read src/a.txt"),
        (f"{PROJECT}/src", f"list {PROJECT}/src | read {PROJECT}/src/a.txt"),
        ("/etc", "list /etc | read /etc/a.txt"),
        ("..", "list .. | read ../a.txt"),
    ],
)
def test_a_folder_of_its_own_is_where_paths_begin(workdir: str, expected: str) -> None:
    assert shown(understood({"command": "cat a.txt", "workdir": workdir})) == expected


def test_two_folders_at_once_are_a_gap() -> None:
    assert understood({"command": "cat a.txt", "workdir": "src", "cwd": "/etc"}).gaps != ()


# --- several texts -------------------------------------------------------------------------------------------------


def test_several_texts_are_read_as_one() -> None:
    found = understood({"commands": ["cat a.txt", "rm b.txt"]}, "exec")
    assert (shown(found), found.text) == ("read a.txt | delete b.txt", "cat a.txt\nrm b.txt")


def test_several_texts_that_change_their_folder_are_blind() -> None:
    found = understood({"commands": ["cd src", "cat a.txt"]}, "exec")
    assert found.gaps[-1] == Gap("several commands that change their folder", blind=True)


def test_one_text_may_change_its_folder() -> None:
    assert understood({"command": "cd src\ncat a.txt"}).gaps == ()


# --- claims --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claim", "kind"), [(True, "note"), (False, "call")])
def test_a_tool_of_which_only_a_claim_is_known(claim: bool, kind: str) -> None:
    assert understood({}, "mine", read_only=claim).effects[-1] == Effect(kind, "mine", code="tool")  # type: ignore[arg-type]


@pytest.mark.parametrize("claim", [True, False, None])
def test_a_claim_does_not_change_what_a_command_does(claim: bool | None) -> None:
    assert understood({"command": "rm a.txt"}, read_only=claim) == understood({"command": "rm a.txt"})


def test_past_the_limit_of_effects_closed_paths_are_still_seen() -> None:
    command = f"cat {'a ' * 5_000} ~/.ssh/id_rsa"
    found = understand(ToolCall("Bash", {"command": command}, cwd="/home/dev/p"), "/home/dev")
    assert ("read", "/home/dev/.ssh/id_rsa") in {(effect.kind, effect.target) for effect in found.effects}
    assert [gap.blind for gap in found.gaps] == [True]
