"""Option tables: every spelling an option can have, what a value is, and what the table does not know is a gap."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.commands.args import Args
from assent.commands.program import Option, Program, options_of
from assent.shell.calls import calls_of
from commands.described import facts_about

TABLE = "-a,--all -b -n,--lines= -o,--output=write -i[=]write --color[=] --from-file=read -#"
PROGRAM = Program(TABLE, "read*")


def taken(words: str, program: Program = PROGRAM) -> tuple[dict[str, list[str]], list[str]]:
    """Options with their values, and operands, by the text they are written with."""
    [call] = calls_of(f"prog {words}", "/p").calls
    args = Args(call, 1, "/p", "prog", program)
    list(args.take(call.words[1:]))
    return {name: [word.text for word in values] for name, values in args.given.items()}, [
        w.text for w in args.operands
    ]


def test_a_synopsis_is_read_into_options_by_every_spelling() -> None:
    everything, output = Option("-a", "", "text"), Option("-o", "=", "write")
    assert options_of("-a,--all -o,--output=write -i[=] --when[=]read -#") == {
        "-a": everything,
        "--all": everything,
        "-o": output,
        "--output": output,
        "-i": Option("-i", "[=]", "text"),
        "--when": Option("--when", "[=]", "read"),
        "-#": Option("-#", "", "text"),
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ({}, [])),
        ("x y", ({}, ["x", "y"])),
        ("-a x", ({"-a": []}, ["x"])),
        ("--all x", ({"-a": []}, ["x"])),
        ("x -a", ({"-a": []}, ["x"])),
        ("-ab x", ({"-a": [], "-b": []}, ["x"])),
        ("-n 5 x", ({"-n": ["5"]}, ["x"])),
        ("-n5 x", ({"-n": ["5"]}, ["x"])),
        ("-an5 x", ({"-a": [], "-n": ["5"]}, ["x"])),
        ("-an 5 x", ({"-a": [], "-n": ["5"]}, ["x"])),
        ("-na x", ({"-n": ["a"]}, ["x"])),
        ("--lines=5 x", ({"-n": ["5"]}, ["x"])),
        ("--lines 5 x", ({"-n": ["5"]}, ["x"])),
        ("--lines= x", ({"-n": [""]}, ["x"])),
        ("--lines=a=b", ({"-n": ["a=b"]}, [])),
        ("-n -a x", ({"-n": ["-a"]}, ["x"])),
        ("-n -- x", ({"-n": ["--"]}, ["x"])),
        ("-n1 -n2", ({"-n": ["1", "2"]}, [])),
        ("--color x", ({"--color": []}, ["x"])),
        ("--color=auto x", ({"--color": ["auto"]}, ["x"])),
        ("-i x", ({"-i": []}, ["x"])),
        ("-i.bak x", ({"-i": [".bak"]}, ["x"])),
        ("-ai.bak x", ({"-a": [], "-i": [".bak"]}, ["x"])),
        ("-5 x", ({"-#": ["-5"]}, ["x"])),
        ("-a5 x", ({"-a": []}, ["x"])),
        ("- x", ({}, ["-", "x"])),
        ("-- -a x", ({}, ["-a", "x"])),
        ("x -- -a --", ({}, ["x", "-a", "--"])),
        ("-a -- -- x", ({"-a": []}, ["--", "x"])),
        ("'' x", ({}, ["''", "x"])),
        ("'-a' \"-b\"", ({"-a": [], "-b": []}, [])),
    ],
)
def test_words_are_sorted_as_getopt_would(words: str, expected: tuple[dict[str, list[str]], list[str]]) -> None:
    assert taken(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-o out x", "write out | read x"),
        ("-oout x", "write out | read x"),
        ("--output=out x", "write out | read x"),
        ("-ao out -- -x", "write out | read -x"),
        ("-i.bak x", "write .bak | read x"),
        ("--from-file=a --from-file b", "read a | read b"),
        ("-o - x", "write - | read x"),
        ("-o /dev/null x", "read x"),
        ("", "note prog"),
        ("-a", "note prog"),
        ("-", "maybe read -"),
        ("--help", "note prog"),
        ("--version", "note prog"),
        ("--help x", "gap prog: option --help is not known | read x"),
    ],
)
def test_values_and_operands_do_what_their_roles_say(words: str, expected: str) -> None:
    assert facts_about(PROGRAM, words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-x", "gap prog: option -x is not known"),
        ("-ax y", "gap prog: option -x is not known | read y"),
        ("--nothing", "gap prog: option --nothing is not known"),
        ("--nothing=x", "gap prog: option --nothing is not known"),
        ("--outp=x", "blind prog: option --outp is not known, it may mean --output | write x | note prog"),
        ("--out x", "blind prog: option --out is not known, it may mean --output | read x | write x"),
        ("--a", "blind prog: option --a is not known, it may mean --all"),
        ("--all=x", "gap prog: option --all takes no value"),
        ("-n", "gap prog: option -n needs a value"),
        ("--lines", "gap prog: option --lines needs a value"),
    ],
)
def test_what_the_table_does_not_know_is_a_gap_and_an_abbreviation_a_blind_one(words: str, expected: str) -> None:
    assert facts_about(PROGRAM, words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "$x",
            "blind prog: a word is not known (variable x) | blind prog: reads a path that is not known (variable x)",
        ),
        (
            '"$x"',
            "blind prog: a word is not known (variable x) | blind prog: reads a path that is not known (variable x)",
        ),
        ('a"$x"', "blind prog: reads a path that is not known (variable x)"),
        ('./"$x"', "blind prog: reads a path that is not known (variable x)"),
        ('-o "$x"', "blind prog: writes a path that is not known (variable x)"),
        ('-n "$x" y', "read y"),
        (
            "-n $x y",
            "blind prog: a word is not known (variable x) | read y",
        ),
        ('-- "$x"', "blind prog: reads a path that is not known (variable x)"),
    ],
)
def test_a_word_that_is_not_known_may_be_an_option_or_any_path(words: str, expected: str) -> None:
    assert facts_about(PROGRAM, words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("*.txt", "maybe list *.txt (glob) #names | read *.txt (glob)"),
        ("./*.txt", "read ./*.txt (glob)"),
        ("src/*", "read src/* (glob)"),
        ("-- *", "read * (glob)"),
        ("-*", "blind prog: a word is not known (names of files) | read -* (glob)"),
        ("-o *.txt", "blind prog: the value of -o may be several words (names of files) | write *.txt (glob)"),
        ("-n *.txt y", "blind prog: the value of -n may be several words (names of files) | read y"),
    ],
)
def test_a_glob_stands_for_names_and_one_in_front_of_a_dash_may_be_an_option(words: str, expected: str) -> None:
    assert facts_about(PROGRAM, words) == expected


@pytest.mark.parametrize(
    ("style", "words", "expected"),
    [
        ("", "x -a y", ({"-a": []}, ["x", "y"])),
        ("posix", "x -a y", ({}, ["x", "-a", "y"])),
        ("posix", "-a x -b", ({"-a": []}, ["x", "-b"])),
        ("plain", "-a -- --all", ({}, ["-a", "--", "--all"])),
    ],
)
def test_a_style_says_where_options_end(
    style: str, words: str, expected: tuple[dict[str, list[str]], list[str]]
) -> None:
    assert taken(words, Program(TABLE, "read*", style=style)) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-name x", ({"-name": ["x"]}, [])),
        ("-name=x", ({"-name": ["x"]}, [])),
        ("-v x", ({"-v": []}, ["x"])),
        ("-vw x", ({"-v": [], "-w": []}, ["x"])),
        ("-name -v", ({"-name": ["-v"]}, [])),
    ],
)
def test_long_options_with_a_single_dash(words: str, expected: tuple[dict[str, list[str]], list[str]]) -> None:
    assert taken(words, Program("-name= -v -w", "text*", style="single")) == expected


def test_an_unknown_option_with_a_single_dash_is_a_gap() -> None:
    assert facts_about(Program("-name=", style="single"), "-other") == "gap prog: option -other is not known"


@pytest.mark.parametrize("style", ["plain", "starts"])
def test_where_every_word_counts_even_help_is_no_question_about_itself(style: str) -> None:
    program = Program("", "read*", style=style, does=(("run", "a program", "project"),))
    assert facts_about(program, "--help").startswith(
        {"plain": "run a program #project | read --help", "starts": "gap prog: option --help is not known"}[style]
    )


@pytest.mark.parametrize(
    ("style", "expected"),
    [("", "run prog #program | gap prog: without a subcommand it does something of its own"), ("bare", "note prog")],
)
def test_a_program_with_subcommands_may_only_print_help_when_there_is_none(style: str, expected: str) -> None:
    assert facts_about(Program(commands={"show": Program()}, style=style), "") == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("show x", "read x"),
        ("-C dir show x", "list dir | read x"),
        ("--where=dir show", "list dir | note prog show"),
        ("-v show -v", "gap prog show: option -v is not known"),
        ("drop", "run prog drop #program | gap prog: subcommand drop is not known"),
        ('"$x" y', 'run prog "$x" #program | blind prog: subcommand "$x" is not known'),
        ("show x y", "read x | gap prog show: `y` is one word too many"),
    ],
)
def test_a_subcommand_has_its_own_table(words: str, expected: str) -> None:
    program = Program("-C,--where=list -v", commands={"show": Program("", "read?")}, style="bare")
    assert facts_about(program, words) == expected


@pytest.mark.parametrize(
    ("operands", "words", "expected"),
    [
        ("", "x", "gap prog: `x` is one word too many"),
        ("read", "x", "read x"),
        ("read write", "x y", "read x | write y"),
        ("read write", "x y z", "read x | write y | gap prog: `z` is one word too many"),
        ("read write?", "x", "read x"),
        ("read write?", "x y", "read x | write y"),
        ("read* write", "x y z", "read x | read y | write z"),
        ("read* write", "x z", "read x | write z"),
        ("text read*", "p x y", "read x | read y"),
        ("text read* write", "p x y z", "read x | read y | write z"),
        ("delete*", "x y", "delete x | delete y"),
        ("wipe*", "x", "delete x/**"),
        ("tree", "x", "read x/**"),
        ("search", "x", "search x/**"),
        ("into", "x", "write x/**"),
        ("list", "x", "list x"),
        ("move write", "x y", "read x/** | delete x/** #move | write y"),
        ("run", "x", "run x #program"),
        ("code", "x", "run prog code #inline"),
        ("script", "x", "read x | run x #script"),
        ("url", "https://example.com/", "reach https://example.com/"),
        ("host", "example.com", "reach example.com"),
        ("unknown", "x", "gap prog: `x` is not understood"),
        (
            "url",
            '"$x"',
            'blind prog: a word is not known (variable x) | reach "$x" | blind prog: url is not known (variable x)',
        ),
    ],
)
def test_operands_have_the_role_of_their_place(operands: str, words: str, expected: str) -> None:
    assert facts_about(Program("", operands), words) == expected


def test_an_operand_that_is_left_out_may_stand_for_the_folder() -> None:
    assert facts_about(Program("-a", "list*", otherwise="."), "-a") == "list ."


def test_what_a_program_always_does_comes_before_its_operands() -> None:
    assert facts_about(Program("", "read*", does=(("change", "it", "code"),)), "x") == "change it #code | read x"


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["-a", "-ab", "-n5", "--lines=5", "--color", "-i", "x", "-", "-5", "--all"])),
    st.lists(st.sampled_from(["-a", "-n", "--", "-", "--lines=5", "x", "-x", "--nothing"])),
)
def test_whatever_stands_behind_two_dashes_is_an_operand(before: list[str], behind: list[str]) -> None:
    options, operands = taken(" ".join([*before, "--", *behind]))
    alone = taken(" ".join(before))
    assert (options, operands) == (alone[0], [*alone[1], *behind])


@settings(deadline=None)
@given(st.permutations(["-a", "-b", "-n5", "--color=auto", "x"]))
def test_the_order_of_options_does_not_matter(words: list[str]) -> None:
    assert taken(" ".join(words)) == ({"-a": [], "-b": [], "-n": ["5"], "--color": ["auto"]}, ["x"])
