"""Names that `find` hands on: known to lie below its roots, unless something else may put names there."""

from __future__ import annotations

import pytest

from assent.commands.found import Searches, with_names
from assent.commands.leaving import without
from assent.shell.calls import calls_of
from assent.types import Word
from commands.rendered import rendered


def handed_on(command: str) -> list[str]:
    """The patterns that stand for found names in the last call, each with what is left out."""
    calls = calls_of(command, "/p").calls
    words = with_names(calls[-1], len(calls) - 1, Searches(calls))[0].words
    return [without(word.pattern, word.left_out) for word in words if word.pattern]


NOT_ONLY_NAMES = (
    *("git -C / ls-files", "git ls-files ..", "git ls-files :/", "git ls-files -o", "git log", "git ls-files --eol"),
    *("git grep x", "git grep -l x HEAD", "git grep -l x src", "git grep -l --untracked x", "git grep -lz x"),
    *("git grep -l --no-index x", "git grep -l x -- ..", "git grep -le", "git grep -lf p", "git grep -L x"),
    *("git ls-files -s", "git ls-files /p", "git ls-files a/../..", "git ls-files $x", "git ls-files -z"),
    *("grep -rl x", "grep -Rl x src", "grep -l x src", "grep -rlf p src", "grep -rl x -- -a", "grep -rle"),
    *("grep -rl $x src", "grep -rlZ x src", "grep -rl --color=always x src", "grep -rc x src", "git ls-files ''"),
    *("./grep -rl x src", "/tmp/rg -l x src", "./git ls-files", "./find src", "find 'a[1]' -type f", "rg -l x 'a[1]'"),
    *("rg -L -l x", "rg -l x --pre p", "rg -lf p", "rg x", "rg -l0 x", "rg -l x -- -a", "rg --json x"),
)


@pytest.mark.parametrize(
    ("command", "patterns"),
    [
        ("find . -exec cat {} ';'", ["./**/*"]),
        ("find -exec cat {} ';'", ["./**/*"]),
        ("find src -name '*.py' -exec cat {} +", ["src/**/*.py"]),
        ("find src/ docs -name '*.py' -exec cat {} +", ["src/**/*.py", "docs/**/*.py"]),
        ("find / -exec cat {} +", ["//**/*"]),
        ("find src -type f -exec cat {} +", ["src/**/*"]),
        ("find src -name a -name b -exec cat {} +", ["src/**/a"]),
        ("find src \\( -name '*.py' -o -name '*.ts' \\) -exec cat {} +", ["src/**/{*.py,*.ts}"]),
        ("find . -path ./x -prune -o -name '*.ts' -exec cat {} +", ["./**/*.ts///x"]),
        ("find . -name x -prune -o -exec cat {} +", ["./**/*//x"]),
        ("find . -type f ! -path './a/*' | grep -v /b/ | xargs cat", ["./**/*///a,b"]),
        ("grep -rl x . --exclude-dir=a | grep -vE 'b|c' | xargs cat", ["./**/*//a,b,c"]),
        ("find . \\( -name a -o -type d \\) -exec cat {} +", ["./**/*"]),
        ("find . \\( -name a -o ! -name b \\) -exec cat {} +", ["./**/*"]),
        ("find . -name a , -exec cat {} +", ["./**/*"]),
        ("find . -name '*.{a,b}' -o -name c -exec cat {} +", ["./**/c"]),
        ("find src -name a -o -exec cat {} +", ["src/**/*"]),
        ("find src ! -name a -exec cat {} +", ["src/**/*"]),
        ("find src -not -name a -exec cat {} +", ["src/**/*"]),
        ("find src -name 'a/b' -exec cat {} +", ["src/**/*"]),
        ("find src -exec cat {} ';' -name a", ["src/**/*"]),
        ("find src -name a -exec echo {} ';' -o -exec cat {} +", ["src/**/*"]),
        ("find src -name a -exec echo {} ';' , -exec cat {} +", ["src/**/*"]),
        ("find src -name a -exec grep -o b {} ';' -exec cat {} +", ["src/**/a"]),
        ("find src -newer -name -print -exec cat {} +", ["src/**/*"]),
        ("find src -newer -name '(' -exec cat {} + ')'", ["src/**/*"]),
        ("find src -print -name a | xargs cat", ["src/**/*"]),
        ("find src -print0 -name a | xargs -0 cat", ["src/**/*"]),
        ("find src -name a -print | xargs cat", ["src/**/a"]),
        ("find src -name a -print -o -print | xargs cat", ["src/**/*"]),
        ("find src -name a | xargs cat", ["src/**/a"]),
        ("find src -name a -print0 | xargs -0 cat", ["src/**/a"]),
        ("find src | xargs -I{} cat {}", ["src/**/*"]),
        ("/usr/bin/find src | xargs cat", ["src/**/*"]),
        ("sudo find src -print0 | xargs -r0 cat", ["src/**/*"]),
        ("find src | sudo xargs cat", ["src/**/*"]),
        ("find src -print0 | grep -az x | sort -z | xargs -0 cat", ["src/**/*"]),
        ("find src | xargs -d '\\n' -n10 cat", ["src/**/*"]),
        ("find src -execdir cat {} +", ["src/**/*"]),
        ("grep -rl x src docs/ | xargs cat", ["src/**/*", "docs/**/*"]),
        ("grep -rilZ -e x --include='*.py' src | xargs -0 cat", ["src/**/*"]),
        ("rg -l x | xargs cat", ["./**/*"]),
        ("rg -l x -g '*.py' -tjs src | sort -u | xargs cat", ["src/**/*"]),
        ("rg --files -0 | xargs -0 cat", ["./**/*"]),
        ("git ls-files '*.py' docs | grep -v test | xargs cat", ["./**/*//test"]),
        ("git ls-files -z -- src | xargs -0 cat", ["./**/*"]),
        ("git grep -l x | xargs cat", ["./**/*"]),
        ("git grep -ilz -e x -- src '*.py' | xargs -0 cat", ["./**/*"]),
        ("git grep --name-only --fixed-strings --regexp=x | xargs cat", ["./**/*"]),
    ],
)
def test_found_names_lie_below_the_roots_of_the_search(command: str, patterns: list[str]) -> None:
    assert handed_on(command) == patterns


@pytest.mark.parametrize(
    "command",
    [
        "find -L src -exec cat {} +",
        "find src -follow -exec cat {} +",
        "find src -exec cat {} + -follow",
        "find -files0-from list -name a -exec cat {} +",
        'find "$x" -exec cat {} +',
        "ls | xargs cat",
        *(f"{search} | xargs cat" for search in NOT_ONLY_NAMES),
        "GIT_INDEX_FILE=x git ls-files | xargs cat",
        "git ls-files 2>&1 | xargs cat",
        "git ls-files | sed s/a/b/ | xargs cat",
        "git ls-files | xargs -0 cat",
        "xargs cat",
        "find src | xargs -a list cat",
        "find src | xargs --arg-file=list cat",
        "find src | xargs cat < list",
        "find src -printf '/etc/%f' | xargs cat",
        "(find src; ls /etc) | xargs cat",
        "find src | sed s,^,/etc/, | xargs cat",
        "find src | xargs $x cat",
        "find src | { head -c 1; xargs cat; }",
        "find src | bash -c 'head -c 1; xargs cat'",
        "find src | xargs -d c cat",
        "find src | xargs -dc cat",
        "find src -print0 | xargs cat",
        "find src -print0 -print | xargs -0 cat",
        "find src | xargs -0 cat",
        "find src -print0 | grep -z x | xargs -0 cat",
        "find src -print0 | sort | xargs -0 cat",
    ],
)
def test_names_from_anywhere_else_are_not_known(command: str) -> None:
    assert handed_on(command) == []
    assert "blind " in rendered(command)


@pytest.mark.parametrize(
    "command",
    [
        'find src | while read -r f; do cat "$f"; done',
        'find src | sort -u | while read f; do echo "$f"; cat "$f"; done',
        'find src -print0 | while IFS= read -r -d "" f; do g="$f"; cat "$g"; done',
        'while read -r f; do cat "$f"; done < <(find src)',
    ],
)
def test_a_line_of_a_search_is_a_name_below_its_root(command: str) -> None:
    assert "read src/**/*" in rendered(command).split(" | ")
    assert "maybe list src #names.plain" in rendered(command).split(" | ")
    assert "blind" not in rendered(command)


@pytest.mark.parametrize(
    "command",
    [
        "find src | while read -r f; do cat $f; done",
        'find src | while read -r f; do cat "$f.x"; done',
        'find src | while read -r f g; do cat "$f"; done',
        'find src | while IFS=/ read -r f; do cat "$f"; done',
        'find src | while read -rn5 f; do cat "$f"; done',
        'find src | while read -r f; do head -c1; cat "$f"; done',
        'find src | while read -r f; do head -c1 3< x; cat "$f"; done',
        'find src | while read -r f; do cat - "$f"; done',
        'find src | while read -r f; do cat "$f" /dev/stdin; done',
        'find src | while read -r f; do read -n1 x; cat "$f"; done',
        'find src | while read -r f < x; do cat "$f"; done',
        'find src | while read -r f; do cat "$f"; done < x',
        'find src -print0 | while read -r f; do cat "$f"; done',
        'find src | while read -r -d "" f; do cat "$f"; done',
        'find src docs | while read -r f; do cat "$f"; done',
        'find -L src | while read -r f; do cat "$f"; done',
        'find src | tr a b | while read -r f; do cat "$f"; done',
        '(cd x; find src) | while read -r f; do cat "$f"; done',
        'cat x | while read -r f; do find src | cat "$f"; done',
    ],
)
def test_a_line_from_anywhere_else_is_not_known(command: str) -> None:
    assert "read src/**/*" not in rendered(command).split(" | ")
    assert "blind " in rendered(command)


def test_a_call_of_nothing_but_known_words_stays_as_it_is() -> None:
    calls = calls_of("find . -exec make ';'", "/p").calls
    assert [with_names(call, place, Searches(calls))[0] for place, call in enumerate(calls)] == list(calls)


def test_a_found_name_may_stand_for_several_words_and_keeps_its_place() -> None:
    calls = calls_of("find src -exec cat -n {} +", "/p").calls
    words = with_names(calls[-1], len(calls) - 1, Searches(calls))[0].words
    assert [word.value for word in words[:2]] == ["cat", "-n"]
    assert words[2] == Word("{}", None, "names of files", "src/**/*", many=True)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("find src -exec cat {} +", "read src/**/*"),
        ("find src -name '*.py' | xargs rm", "delete src/**/*.py"),
        ("find src docs -name x -exec rm {} ';'", "delete docs/**/x"),
    ],
)
def test_what_is_handed_on_is_an_effect_below_the_roots(command: str, expected: str) -> None:
    assert expected in rendered(command).split(" | ")
