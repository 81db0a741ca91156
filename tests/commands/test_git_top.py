"""What git counts from the top of its repository says from which folder that is to be looked for; the rest does not."""

from __future__ import annotations

import pytest

from assent.commands.facts import facts_of
from assent.shell.calls import calls_of
from commands.rendered import FOLDER, HOME, shown_effect


def told(command: str) -> list[tuple[str, object]]:
    """Effects on files, each with the folder above which the top is."""
    effects, _ = facts_of(calls_of(command, FOLDER, HOME).calls, FOLDER)
    on_files = [effect for effect in effects if effect.kind in ("read", "list", "search", "write", "delete")]
    return [(shown_effect(effect), (effect.arguments or {}).get("top")) for effect in on_files]


WHOLE = ("search ./** #search.tracked", "/p/src")
NOW = ("search ./** #search.committed", "/p/src")
STAGED = ("search ./** #search.staged", "/p/src")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git show HEAD", WHOLE),
        ("git show HEAD:secrets/x", ("read secrets/x", "/p/src")),
        ("git show :secrets/x", ("read secrets/x", "/p/src")),
        ("git cat-file -p HEAD:secrets/x", ("read secrets/x", "/p/src")),
        ("git cat-file -p e06d916", WHOLE),
        ("git cat-file --batch-all-objects --batch", WHOLE),
        ("git log -p", WHOLE),
        ("git reflog show -p", WHOLE),
        ("git diff", NOW),
        ("git diff HEAD~1", WHOLE),
        ("git diff -- :/", WHOLE),
        ("git diff -- ':(top)secrets'", WHOLE),
        ("git diff-tree -p HEAD", WHOLE),
        ("git status -v", STAGED),
        ("git stash show -p", WHOLE),
        ("git format-patch --stdout HEAD~1", WHOLE),
        ("git fast-export --all", WHOLE),
        ("git grep x -- :/", WHOLE),
        ("git grep x :/", WHOLE),
        ("git grep --untracked --no-exclude-standard x -- :/", ("search ./**", "/p/src")),
        ("git archive HEAD:secrets", WHOLE),
        ("git add -A", WHOLE),
        ("git add :/", WHOLE),
        ("git commit -am x", WHOLE),
        ("git checkout HEAD~1", ("write ./** #git.checkout", "/p/src")),
        ("git restore :/", ("write ./** #git.discard", "/p/src")),
        ("git reset --hard", ("write ./** #git.reset.hard", "/p/src")),
        ("git pull", ("write ./** #git.pull", "/p/src")),
        ("git config --blob=HEAD:a.ini --list", ("read a.ini", "/p/src")),
        ("git config user.name x", ("write .git/config", "/p/src")),
    ],
)
def test_what_is_counted_from_the_top_says_from_where(command: str, expected: tuple[str, str]) -> None:
    effect, folder = expected
    assert told(command) == [(effect, ".")]
    assert told(f"cd src && {command}")[1:] == [(effect, folder)]
    assert told(command.replace("git", "git -C src", 1))[1:] == [(effect, folder)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git show HEAD:./x", "read /p/src/./x"),
        ("git show HEAD:../x", "read /p/src/../x"),
        ("git diff -- a", "search /p/src/a/** #search.tracked"),
        ("git log -p -- a", "search /p/src/a/** #search.tracked"),
        ("git log -L 1,5:a", "read /p/src/a"),
        ("git blame a", "read /p/src/a"),
        ("git grep x", "search /p/src/./** #search.committed"),
        ("git grep x HEAD", "search /p/src/./** #search.tracked"),
        ("git archive HEAD", "search /p/src/./** #search.tracked"),
        ("git add .", "search /p/src/./** #search.tracked"),
        ("git clean -fd", "delete /p/src/./** #git.clean.force"),
        ("git checkout-index -a", "write /p/src/./** #git.checkout"),
        ("git restore .", "write /p/src/./** #git.discard"),
    ],
)
def test_what_is_counted_from_the_folder_says_nothing_more(command: str, expected: str) -> None:
    assert told(f"cd src && {command}")[1:] == [(expected, None)]


@pytest.mark.parametrize("command", ["git show HEAD:a", "git log -p", "git reset --hard"])
def test_a_folder_that_is_not_known_is_a_gap(command: str) -> None:
    found = calls_of(f"cd $X && {command}", FOLDER, HOME)
    effects, gaps = facts_of(found.calls, FOLDER)
    assert not [effect for effect in effects if effect.arguments]
    assert [gap.blind for gap in gaps if gap.why.endswith("lies in a repository that is not known")] == [True]
