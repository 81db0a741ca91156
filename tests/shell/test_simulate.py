"""Scripts run in thought: which words may reach which programs, on ways that the strict reading does not follow."""

from __future__ import annotations

import pytest

from assent.shell.candidates import changed, split_parameter
from assent.shell.lenient import parse_leniently
from assent.shell.simulate import MAX_CALLS, simulate
from assent.shell.stdout import formatted, printed

HOME, CWD = "/home/dev", "/home/dev/proj"


def started(text: str) -> list[str]:
    """The programs of a text with their words, and what they read behind `<<<`."""
    found: list[str] = []
    for call in simulate(text, CWD, HOME).calls:
        words = [word.text if word.value is None else word.value for word in call.words]
        fed = [f"<<< {one.body.strip()}" for one in call.redirects if one.body]
        found.append(" ".join([*words, *fed]))
    return found


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("f=a; f=b; cat $f", ["cat b"]),
        ("if x; then f=a; else f=b; fi; cat $f", ["x", "cat b", "cat a"]),
        ("f=a; x && f=b; cat $f", ["x", "cat b", "cat a"]),
        ("f=a; (f=b; cat $f); cat $f", ["cat b", "cat a"]),
        ("for f in a b; do cat $f; done", ["cat a", "cat b"]),
        ("while read a b; do cat $b; done <<< '1 x'", ["cat x <<< 1 x"]),
        ('set -- a b c; shift; cat $1 "${@:2}"', ["cat b c"]),
        ("f() { cat $2; }; f a b; f c d", ["cat b", "cat d"]),
        ("a=(x y); cat ${a[1]} ${a[-1]}", ["cat y y"]),
        ("declare -A m=([k]=x); cat ${m[k]}", ["cat x"]),
        ("x=a; r=x; cat ${!r}", ["cat a"]),
        ('cat $(echo a b) "$(echo c d)"', ["cat a b c d"]),
        ("echo a | xargs -I{} cat {} {}", ["cat a a"]),
        ("echo a > l; cat $(cat l)", ["echo", "cat l <<< a", "cat a"]),
        ("echo 'cat $1' > s; bash s a", ["echo", "bash s a <<< cat $1", "cat a"]),
        ("echo 'cat $1' > s; ./s a", ["echo", "sh ./s a <<< cat $1", "cat a"]),
        ("bash -c 'cat $0 $1' a b", ["cat a b"]),
        ("echo a | frob", ["frob <<< a"]),
        ("cat $1", ["cat \ue000"]),
        ("alias c='cat a'; c b", ["cat a b"]),
        ("trap 'cat $f' EXIT; f=a; ls", ["ls", "cat a"]),
        ("env -i sudo cat $(echo a)", ["cat a"]),
        ("echo a | parallel cat", ["parallel cat <<< a", "cat a"]),
        ("find . -exec cat {} +", ["find . -exec cat {} +", "cat \ue000"]),
        ("read -t 'a[$(touch x)]' y", ["touch x"]),
    ],
)
def test_words_reach_programs(text: str, calls: list[str]) -> None:
    assert started(text) == calls


def test_what_is_left_of_a_word_may_be_opened() -> None:
    (piece,) = simulate("cat $unknown/etc/x", CWD, HOME).pieces
    assert [word.value for word in piece.words] == ["cat", "/etc/x"]


@pytest.mark.parametrize("text", ["f() { f; f; }; f", "eval 'x=1' ; x='eval $x'; eval $x", "cat a; " * (MAX_CALLS + 1)])
def test_a_text_that_takes_too_long_is_handed_back(text: str) -> None:
    assert simulate(text, CWD, HOME).unread == (text,) or "eval $x" in simulate(text, CWD, HOME).unread[0]


def test_a_text_that_nobody_can_read_is_handed_back() -> None:
    assert simulate("eval 'case x in'", CWD, HOME).unread == ("case x in",)


@pytest.mark.parametrize(
    "text", ["echo ${!x}", "echo ${a[i]}", "m[k]=1", "declare -A m=([a]=b) x", 'echo $"x"', "echo ${x@P}"]
)
def test_what_bash_evaluates_is_read_leniently(text: str) -> None:
    assert parse_leniently(text).refused == ""


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x", ("x", "", "")),
        ("x:-", ("x", "", ":-")),
        ("a[0]", ("a", "0", "")),
        ("a[@]:1", ("a", "@", ":1")),
        ("@:2", ("@", "", ":2")),
        ("#", ("#", "", "")),
        ("#x", ("#x", "", "")),
        ("!x", ("!x", "", "")),
        ("!#", ("!#", "", "")),
        ("1", ("1", "", "")),
    ],
)
def test_parameters_are_parted(text: str, parts: tuple[str, str, str]) -> None:
    assert split_parameter(text) == parts


@pytest.mark.parametrize(
    ("text", "operator", "operand", "made"),
    [
        ("a.b.c", "#", "*.", "b.c"),
        ("a.b.c", "##", "*.", "c"),
        ("a.b.c", "%", ".*", "a.b"),
        ("a.b.c", "%%", ".*", "a"),
        ("aXbX", "/", "X/y", "aybX"),
        ("aXbX", "//", "X/y", "ayby"),
        ("a1b", "/", "[0-9]/-", "a-b"),
        ("ab", "^^", "", "AB"),
        ("AB", ",,", "", "ab"),
        ("abcdef", ":2:3", "", "cde"),
        ("abcdef", ": -2", "", "ef"),
        ("ab", "@Q", "", "ab"),
    ],
)
def test_operators_change_values_as_bash_does(text: str, operator: str, operand: str, made: str) -> None:
    assert changed(text, operator, (operand,)) == made


@pytest.mark.parametrize(
    ("name", "words", "fed", "out"),
    [
        ("echo", ["-n", "a"], "", "a"),
        ("echo", ["-e", "a\\tb"], "", "a\tb\n"),
        ("printf", ["%s-%s\\n", "a", "b", "c"], "", "a-b\nc-\n"),
        ("printf", ["\\x41\\101%%"], "", "AA%"),
        ("basename", ["/a/b.c", ".c"], "", "b\n"),
        ("dirname", ["/a/b"], "", "/a\n"),
        ("rev", [], "ab\n", "ba\n"),
        ("tr", ["a-c", "x-z"], "abc", "xyz"),
        ("tr", ["-d", "b"], "abc", "ac"),
        ("sed", ["s/a/b/"], "aa\n", "bb\n\naa\n"),
        ("cut", ["-c2-"], "abc\n", "bc\n"),
        ("base64", ["-d"], "YQ==", "a"),
        ("base64", [], "a", "YQ==\n"),
        ("grep", ["~/.ssh/x", "f"], "line\n", "line\n"),
        ("grep", ["-o", "~/.ssh/x", "f"], "", "~/.ssh/x\n"),
        ("frob", ["--file=~/.ssh/x"], "", "~/.ssh/x"),
        ("rm", ["~/.ssh/x"], "", ""),
    ],
)
def test_programs_print_what_their_words_and_input_tell(name: str, words: list[str], fed: str, out: str) -> None:
    assert printed(name, words, fed) == out


def test_a_format_is_used_until_no_word_is_left() -> None:
    assert formatted("%s,", ["a", "b"]) == "a,b,"
