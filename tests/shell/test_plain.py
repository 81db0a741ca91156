"""The shortcut for plain command lines finds the call that the grammar finds, or leaves the text to it."""

from __future__ import annotations

import random

import pytest

from assent.shell import builtins, calls, compounds, follow, words, wrappers
from assent.shell.calls import Calls, calls_of
from assent.shell.plain import FOLLOWED, PLAIN_SIGNS, RESERVED, plain_calls

PIECES = (
    *("git", "status", "-n", "--all=x", "a=b", "+=", "a+=b", "=", "==", "0", "2", "2x", "/", "./a", "..", "a,b", "%1"),
    *("^", "]", "]]", "@", ":", "-", "--", "+", "_", "cd", "sudo", "bash", "eval", "env", "find", "ssh", "xargs", "."),
    *("/bin/env", "x/cd", "printf", "read", "set", "unset"),
    *("''", '""', "'a b'", '"a b"', "'$x'", '"$x"', '"`"', "'\\'", '"\\"', "'\"'", '"\'"', "'", '"', "'a'b", 'a"b"'),
    *("\t", "\n", "#", "!", "{", "}", "~", "*", "?", "[", "$", "&", "|", ";", "<", ">", "(", ")", "\\", "é", "'é'"),
    *(
        "||",
        "&&",
        ";;",
        "a;",
        "2;",
        "|&",
        "2>&1",
        ">&2",
        ">",
        ">>",
        "2>",
        "2>/dev/null",
        ">x",
        "<x",
        "<",
        "<<",
        "<<<",
        ">&x",
        "&>x",
        "&>",
    ),
    *(
        "&>>",
        "1>&2",
        "3>x",
        ">|",
        "2>&-",
        ">'a b'",
        "*.py",
        "a?c",
        "--x='a b'",
        '--y="c"',
        "x'",
        "a'b\nc'",
        ">&'1'",
        ">*",
        "{}",
        "!",
        "\\;",
        "\\(",
        "\\)",
        "\\!",
        '"a\\nb"',
        '"a\\"',
        '"\\\\"',
        '"\\\n"',
        '"x\\"y"',
        "-exec",
        "find",
        "+",
        "&>a=b",
        "2> a=b",
        "2",
        "1",
    ),
    *(
        "\\*.py",
        "a\\*",
        "\\ ",
        "\\'",
        "\\$x",
        "\\\n",
        "\\\\",
        "a\\",
        "\\~",
        "\\#a",
        "\\é",
        "~",
        "~/a",
        "~/a:b",
        "~b",
        "a~",
        "~/~",
    ),
    *("[a]", "a[1]", "[", "x[1]=y", "[!a]*", "a[", "[]", "~/[a]", "~/*", ">~/a", "a=~/b"),
    *(
        '"a$"',
        '"$/"',
        '"$$"',
        '"$$ "',
        '"\\$"',
        '"$\'"',
        '"$"',
        '"a$|b$"',
        ":0$",
        "$$",
        "$/",
        "a$b",
        "$'a'",
        '$"a"',
        '"$["',
    ),
    *(
        "a#b",
        "#c\n",
        "# c",
        "#\x01",
        "a|b",
        "'a'|b",
        '"a"&&',
        "a&&b",
        "a&",
        "'a';",
        "x\ny",
        "\n\n",
        "{};",
        "*.a|b",
        "~/a;",
    ),
    *("a\\\nb", "\\\n#", "\\\n>", "'“'", "“", "✅", '"✅"', "'\u200b'", "'\u202e'", '"\u00a0"', "\u00a0", "'\ud800'"),
    *("\x01", "\x7f", "'\x7f'", "'\n'", '"!"', "'#'", *sorted(RESERVED)),
)


def test_the_shortcut_knows_the_signs_and_words_of_the_grammar() -> None:
    assert set(PLAIN_SIGNS) == set(words.PLAIN_SIGNS)
    assert RESERVED == compounds.RESERVED


def test_the_shortcut_leaves_every_program_to_be_followed_that_may_lead_further() -> None:
    by_the_shell = builtins.OF_THE_SHELL | calls.SHELLS | follow.RUNS_TEXT | {"cd", "command"}
    assert by_the_shell | wrappers.STARTERS == FOLLOWED


def by_the_grammar(text: str, monkeypatch: pytest.MonkeyPatch) -> Calls:
    with monkeypatch.context() as patch:
        patch.setattr(calls, "plain_calls", lambda _text, _cwds, _home: None)
        return calls_of(text, "/p", "/home/dev")


def test_every_pair_of_pieces_is_read_as_the_grammar_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for first in PIECES:
        for second in ("", *PIECES):
            for text in (f"{first} {second}", f" {first}{second}  "):
                assert calls_of(text, "/p", "/home/dev") == by_the_grammar(text, monkeypatch), text


def test_random_lines_are_read_as_the_grammar_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(7)
    for _ in range(5_000):
        text = "".join(chance.choice(PIECES) + chance.choice(("", " ", "  ")) for _ in range(chance.randrange(1, 7)))
        assert calls_of(text, "/p", "/home/dev") == by_the_grammar(text, monkeypatch), text


@pytest.mark.parametrize(
    "text",
    [
        "git status",
        "tail -n 5 path/to/file",
        " ls ",
        "grep 'a b' \"c d\" x",
        "a | b && c; d 2>&1 >x 2>/dev/null &",
        "ls *.py",
        "find . -name \\*.py",
        "ls ~/src a[1]",
        "cat a|wc -l&&echo 'b'|c;d&",
        "# first\na \\\n  b\n\nc && # why\nd\te",
        'grep -E "x$|^$" "a✅" b$',
        'python3 -c "print(\\"a\\", \\$b)"',
    ],
)
def test_plain_lines_take_the_short_way(text: str) -> None:
    assert plain_calls(text, ("/p",), "/home/dev") is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a=b ls",
        "if x",
        "a |",
        "| a",
        "a && && b",
        "a ;; b",
        "> a",
        "a >",
        "a | if b",
        "echo $x",
        "'ls' x",
        "ls 'a'b",
        'echo "$x"',
        'grep "a$b"',
        "a |& b",
        "a &&\n",
        "a >\nb",
        "(a)",
        "a#\\\nb",
        'a "b\\\\"',
        'a "\\$b $c"',
    ],
)
def test_anything_else_is_left_to_the_grammar(text: str) -> None:
    assert plain_calls(text, ("/p",)) is None
