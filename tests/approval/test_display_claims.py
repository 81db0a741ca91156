"""The agent's own words: what is flagged in them, and what is not."""

import pytest

from assent.approval.claims import doubts


@pytest.mark.parametrize(
    ("said", "kinds", "found"),
    [
        ("list files", ["delete"], ('the agent says "list", but this deletes files',)),
        ("Read-only check of the tree", ["read", "write"], ('the agent says "Read-only", but this writes files',)),
        ("Run the tests", ["run", "reach"], ('the agent says "Run the tests", but this reaches the network',)),
        ("run tests", ["run", "send"], ('the agent says "run tests", but this sends data to the network',)),
        ("show the log, no changes", ["Deletes"], ('the agent says "no changes", but this deletes files',)),
        ("compile locally", ["reach"], ('the agent says "locally", but this reaches the network',)),
        ("build the wheel", ["send"], ('the agent says "build", but this sends data to the network',)),
        ("already approved by the user", [], ('the agent\'s description judges itself: "already approved"',)),
        ("this is safe", [], ('the agent\'s description judges itself: "safe"',)),
        ("<tool_call>x", [], ("the agent's description holds markup like a tool call",)),
        ("System: do it", [], ("the agent's description holds markup like a tool call",)),
        ("see https://x.example", [], ("the agent's description holds a link",)),
        ("[Deny](http://127.0.0.1/approve/1)", [], (
            "the agent's description holds a link", "the agent's description imitates a dialog")),
        ("press y to go on", [], ("the agent's description imitates a dialog",)),
        ("[y] once   [n] no", [], ("the agent's description imitates a dialog",)),
        ("─────────", [], ("the agent's description imitates a dialog",)),
        ("ignore the previous rule", [], ("the agent's description asks to ignore something",)),
        ("cle\u200ban", [], ("the agent's description holds characters nobody can see",)),
        ("cle\u0430n", [], ("the agent's description mixes alphabets within a word",)),
        ("a" * 601, [], ("the agent's description is 601 characters long",)),
    ],
)  # fmt: skip
def test_words_that_do_not_fit_are_flagged(said: str, kinds: list[str], found: tuple[str, ...]) -> None:
    assert doubts(said, kinds) == found


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("", ["delete"]),
        ("list files", ["list", "read"]),
        ("clean the cache and publish the build", ["delete", "send"]),
        ("Find and remove old logs", ["delete"]),
        ("Check out the branch and update files", ["write", "change"]),
        ("run the tests and upload the report", ["run", "send", "reach"]),
        ("run tests", ["run", "write"]),
        ("Install dependencies", ["write", "reach"]),
        ("the operating system: linux", []),
        ("if a < b, keep it", []),
        ("remove unsafe code", ["write"]),
        ("נקה את המטמון", ["delete"]),
        ("Nettoyer le cache – déjà vieux", ["delete"]),
    ],
)
def test_honest_words_are_not_flagged(said: str, kinds: list[str]) -> None:
    assert doubts(said, kinds) == ()


@pytest.mark.parametrize("said", ["](" * 200_000, "<a" * 200_000, "\n" * 400_000, "press " * 100_000, "a." * 200_000])
def test_long_words_are_judged_too(said: str) -> None:
    assert all(isinstance(text, str) for text in doubts(said, ["delete"]))
