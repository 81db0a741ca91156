"""`assent parse`: the tree a person sees, the JSON a machine reads, what is refused and how it is pointed at."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assent.shell import parse, simple_commands
from scene import LAUNCHER, WAYS, Done, Scene

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(tmp_path, monkeypatch)


# --- what a person sees --------------------------------------------------------------------------------------------

DRAWN = [
    (
        "x=1 y= make -C \"$dir\" $all 'a b' '' 2>&1|&tail -3&&time ! ls *.py&",
        """\
   0-49  pipeline  then &&
   0-40    command  its errors go into the pipe too (|&)
    0-3      assign    x=1
    4-6      assign    y=
   7-11      word      make
  12-14      word      -C
  15-21      word      "$dir"  unknown, one word: parameter dir
  22-26      word      $all  unknown, any number of words: parameter all
  27-32      word      'a b'  is a b
  33-35      word      ''  is empty
  36-40      redirect  2>& 1
  42-49    command
  42-46      word      tail
  47-49      word      -3
  51-65  pipeline  timed, negated, then &
  58-65    command
  58-60      word      ls
  61-65      word      *.py  unknown, any number of words: glob *
""",
    ),
    (
        'cp "$(ls -t|head -1)" {fd}>$log',
        """\
   0-31  pipeline
   0-31    command
    0-2      word      cp
   3-21      word      "$(ls -t|head -1)"  unknown, one word: command $(ls -t|head -1)
               runs      ls -t|head -1
   6-19          pipeline
   6-11            command
    6-8              word      ls
   9-11              word      -t
  12-19            command
  12-16              word      head
  17-19              word      -1
  22-31      redirect  {fd}> $log  unknown: parameter log
""",
    ),
    (
        "cat <<E 3<<-'F'\n$x `id -u` $(w)\nE\n\tb\n\tF",
        """\
   0-15  pipeline  then newline
   0-15    command
    0-3      word      cat
    4-7      redirect  << E  heredoc of 16 characters, unknown: parameter x
               runs      id -u  (places count in this text)
    0-5          pipeline
    0-5            command
    0-2              word      id
    3-5              word      -u
               runs      w  (places count in the heredoc)
  13-14          pipeline
  13-14            command
  13-14              word      w
   8-15      redirect  3<<- F  heredoc of 2 characters, taken literally
""",
    ),
    (
        "if a\nthen b\nelif c\nthen d\nelse e\nfi",
        """\
   0-35  pipeline
   0-35    if
    2-5      test
    3-4        pipeline  then newline
    3-4          command
    3-4            word      a
   9-12      then
  10-11        pipeline  then newline
  10-11          command
  10-11            word      b
  16-19      test
  17-18        pipeline  then newline
  17-18          command
  17-18            word      c
  23-26      then
  24-25        pipeline  then newline
  24-25          command
  24-25            word      d
  30-33      else
  31-32        pipeline  then newline
  31-32          command
  31-32            word      e
""",
    ),
    (
        "f() for x in $a\ndo case $x in b|c) ;;\nesac\ndone",
        """\
   0-47  pipeline
   0-47    function f
   4-47      body
   4-47        pipeline
   4-47          for x
  13-15            word      $a  unknown, any number of words: parameter a
  18-43            body
  19-42              pipeline  then newline
  19-42                case
  24-26                  word      $x  unknown: parameter x
  30-31                  word      b
  32-33                  word      c
  34-35                  branch
                           no commands
""",
    ),
    (
        "[[ -f $x && a == b* ]]",
        """\
   0-22  pipeline
   0-22    condition
    6-8      word      $x  unknown: parameter x
  12-13      word      a
  17-19      word      b*  unknown: glob *
             operators -f ==
""",
    ),
    ("", "       no commands\n"),
    ("# only a comment", "         no commands\n"),
]


@pytest.mark.parametrize(("text", "drawn"), DRAWN)
def test_the_tree_is_drawn(text: str, drawn: str, scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "parse", "--", text)
    assert (done.code, done.err) == (0, "")
    assert done.out.partition("\n")[2] == drawn


def test_the_first_line_is_the_answer(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "parse", "ls -l").out.startswith(" READ    ls -l\n")
    long = "echo " + "x" * 120
    assert scene.run(capsys, "parse", long).out.startswith(f" READ    {long[:100]} … (25 more characters)\n")


@pytest.mark.parametrize(
    "text", ["echo '\x1b]0;owned\x07' \"\u202e\"", "cat <<'E\x1b'\n\x1b[2J\nE\x1b", "\x1b[2J", "a \x07"]
)
def test_control_characters_are_written_out(text: str, scene: Scene, capsys: Capture) -> None:
    out = scene.run(capsys, "parse", text).out
    assert out
    assert [sign for sign in out if not sign.isprintable() and sign != "\n"] == []


@pytest.mark.parametrize(
    ("env", "first", "unknown"),
    [
        ({}, " READ    a $b", "$b  unknown, any number of words: parameter b"),
        (
            {"FORCE_COLOR": "1"},
            "\x1b[1;32m READ   \x1b[0m \x1b[1ma $b\x1b[0m",
            "$b  \x1b[33munknown, any number of words: parameter b\x1b[0m",
        ),
        (
            {"FORCE_COLOR": "1", "NO_COLOR": "1"},
            " READ    a $b",
            "$b  unknown, any number of words: parameter b",
        ),
    ],
)
def test_colour_is_used_as_everywhere(
    env: dict[str, str], first: str, unknown: str, scene: Scene, capsys: Capture
) -> None:
    for name, value in env.items():
        scene.monkeypatch.setenv(name, value)
    lines = scene.run(capsys, "parse", "a $b").out.splitlines()
    assert lines[0] == first
    assert lines[-1].endswith(unknown)


# --- what is refused -----------------------------------------------------------------------------------------------

REFUSED = [
    ("echo $[1+1]", "old arithmetic $[…]: line 1, column 6", "echo $[1+1]", 5),
    ("ls\necho a (b)", "parenthesis in a command: line 2, column 8", "echo a (b)", 7),
    ("echo 日本 $[1]", "old arithmetic $[…]: line 1, column 9", "echo 日本 $[1]", 10),
    ("echo '\t' $[1]", "old arithmetic $[…]: line 1, column 10", "echo '\\u{9}' $[1]", 13),
    ("if true", "then is missing: line 1, column 8", "if true", 7),
]


@pytest.mark.parametrize(("text", "why", "line", "caret"), REFUSED)
def test_a_refused_text_is_shown_with_a_caret_under_the_place(
    text: str, why: str, line: str, caret: int, scene: Scene, capsys: Capture
) -> None:
    done = scene.run(capsys, "parse", text)
    assert (done.code, done.err) == (1, "")
    assert done.out.startswith(" REFUSED ")
    assert done.out.splitlines()[1:] == [f"         {shown}" for shown in (why, line, " " * caret + "^")]


def test_of_a_long_line_the_part_around_the_place_is_shown(scene: Scene, capsys: Capture) -> None:
    lines = scene.run(capsys, "parse", "echo " + "a" * 500 + " $[1] " + "b" * 500).out.splitlines()
    assert lines[1] == "         old arithmetic $[…]: line 1, column 507"
    assert lines[2] == f"         … {'a' * 39} $[1] {'b' * 35} …"
    assert lines[3] == " " * (9 + 2 + 40) + "^"


# --- what a machine reads ------------------------------------------------------------------------------------------


def part(text: str, *, quoted: bool = False) -> dict[str, object]:
    return {"kind": "text", "text": text, "quoted": quoted, "inner": []}


def word(text: str, start: int) -> dict[str, object]:
    """An exact word as it stands in the JSON."""
    known = {"value": text, "why_unknown": "", "is_one_word": True, "parts": [part(text)]}
    return {"text": text, "span": [start, start + len(text)], **known}


def unknown(text: str, start: int, kind: str, named: str, inner: list[int], *, one: bool) -> dict[str, object]:
    """A word of one unknown part."""
    made = {"kind": kind, "text": named, "quoted": False, "inner": inner}
    about = {"value": None, "why_unknown": f"{kind} {named}", "is_one_word": one, "parts": [made]}
    return {"text": text, "span": [start, start + len(text)], **about}


def simple(start: int, end: int, *words: object, **more: object) -> dict[str, object]:
    empty: dict[str, object] = {"assignments": [], "redirects": []}
    return {"type": "simple", "span": [start, end], "words": list(words), **empty, **more}


def pipeline(start: int, end: int, *commands: object, then: str = "", **more: object) -> dict[str, object]:
    plain = {"negated": False, "timed": False, "merged": []}
    return {"span": [start, end], "commands": list(commands), "then": then, **plain, **more}


def sequence(start: int, end: int, *pipelines: object, text: int = 0) -> dict[str, object]:
    return {"text": text, "span": [start, end], "pipelines": list(pipelines)}


def test_json_holds_commands_words_assignments_and_redirects(scene: Scene, capsys: Capture) -> None:
    text = "x=1 a=($b)\n! c 2>d|&e;"
    redirect = {"op": ">", "fd": 2, "span": [15, 18], "target": word("d", 17), "heredoc": None}
    value = {"name": "x", "append": False, "span": [0, 3], "value": word("1", 2), "items": None}
    items = [unknown("$b", 7, "parameter", "b", [], one=False)]
    tree = scene.run(capsys, "parse", "--json", text).json
    array = tree["sequences"][0]["pipelines"][0]["commands"][0]["assignments"].pop()
    assert {key: array[key] for key in ("name", "append", "value")} == {"name": "a", "append": False, "value": None}
    assert array["items"] == items
    commands = [simple(13, 18, word("c", 13), redirects=[redirect]), simple(20, 21, word("e", 20))]
    assert tree == {
        "refused": None,
        "texts": [text],
        "sequences": [
            sequence(
                0,
                22,
                pipeline(0, 10, simple(0, 10, assignments=[value]), then="\n"),
                pipeline(11, 21, *commands, then=";", negated=True, merged=[True]),
            )
        ],
    }


def test_json_gives_every_sequence_a_number_instead_of_nesting_them(scene: Scene, capsys: Capture) -> None:
    text = "for x in $(a `b`)\ndo c\ndone"
    head = unknown("$(a `b`)", 9, "command", "$(a `b`)", [1], one=False)
    loop = {"type": "compound", "kind": "for", "name": "x", "operators": [], "span": [0, 27]}
    loop |= {"words": [head], "redirects": [], "bodies": [2]}
    inner = simple(11, 16, word("a", 11), unknown("`b`", 13, "command", "`b`", [3], one=False))
    assert scene.run(capsys, "parse", "--json", text).json == {
        "refused": None,
        "texts": [text, "b"],
        "sequences": [
            sequence(0, 27, pipeline(0, 27, loop)),
            sequence(11, 16, pipeline(11, 16, inner)),
            sequence(20, 23, pipeline(21, 22, simple(21, 22, word("c", 21)), then="\n")),
            sequence(0, 1, pipeline(0, 1, simple(0, 1, word("b", 0))), text=1),
        ],
    }


def test_json_holds_heredocs_and_the_text_their_spans_count_in(scene: Scene, capsys: Capture) -> None:
    tree = scene.run(capsys, "parse", "--json", "cat <<-E\n\ta$(b)\n\tE\n").json
    (redirect,) = tree["sequences"][0]["pipelines"][0]["commands"][0]["redirects"]
    substituted = {"kind": "command", "text": "$(b)", "quoted": True, "inner": [1]}
    parts = [part("a", quoted=True), substituted, part("\n", quoted=True)]
    facts = {"delimiter": "E", "quoted": False, "strips_tabs": True, "terminated": True}
    heredoc = {**facts, "body": "a$(b)\n", "parts": parts}
    assert redirect == {"op": "<<-", "fd": None, "span": [4, 8], "target": None, "heredoc": heredoc}
    assert tree["texts"][1:] == ["a$(b)\n"]
    assert tree["sequences"][1] == sequence(3, 4, pipeline(3, 4, simple(3, 4, word("b", 3))), text=1)


def test_json_of_a_refusal_says_why_and_where(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "parse", "--json", "ls\necho $[1]")
    why = {"why": "old arithmetic $[…]", "at": 8, "line": 2, "column": 6}
    assert (done.code, done.err) == (1, "")
    assert done.json == {"refused": why, "texts": ["ls\necho $[1]"], "sequences": []}


def words_in(tree: Any) -> list[list[str]]:
    """The source of the words of every simple command, wherever it stands."""
    commands = [c for s in tree["sequences"] for p in s["pipelines"] for c in p["commands"]]
    return sorted([word["text"] for word in c["words"]] for c in commands if c["type"] == "simple")


@pytest.mark.parametrize("text", [*(text for text, _ in DRAWN), "a <(b >(c)) ${x:-`d $(e)`} $((1+$(f)))"])
def test_json_holds_every_simple_command_once_and_its_spans_are_right(text: str, scene: Scene, capsys: Capture) -> None:
    tree = scene.run(capsys, "parse", "--json", "--", text).json
    assert words_in(tree) == sorted([word.text for word in node.words] for node in simple_commands(parse(text)))
    for found in tree["sequences"]:
        for node in (command for p in found["pipelines"] for command in p["commands"]):
            for word in node["words"]:
                start, end = word["span"]
                assert tree["texts"][found["text"]][start:end] == word["text"]


# --- what is given -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("-",)])
def test_the_text_may_come_from_standard_input(words: tuple[str, ...], scene: Scene, capsys: Capture) -> None:
    given = scene.run(capsys, "parse", "ls -l\n")
    scene.type("ls -l\n")
    assert scene.run(capsys, "parse", *words) == given
    assert scene.start("parse", *words, stdin="ls -l\n") == given


def test_bytes_that_are_not_utf_8_are_read_inside_quotes_and_refused_outside(scene: Scene, capsys: Capture) -> None:
    scene.type("echo '\udcff'")
    assert "'\\u{dcff}'" in scene.run(capsys, "parse").out
    scene.type("echo \udcff")
    assert scene.run(capsys, "parse").code == 1


@WAYS
def test_a_standard_input_that_is_closed_is_wrong_usage(way: tuple[str, ...], scene: Scene) -> None:
    close = "import os, sys; os.close(0); os.execv(sys.argv[1], sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", close, *way, "parse"], env=scene.env, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (2, "", False)


WRONG = [
    (("parse", "ls", "-la"), "unknown option `-la` (see `assent parse --help`)"),
    (("parse", "ls", "src"), "give one command (quote the command: assent parse 'ls -la')"),
    (("parse", "--jsn", "ls"), "unknown option `--jsn` (did you mean `--json`?)"),
    (("parse", "--json=1", "ls"), "`--json` takes no value (see `assent parse --help`)"),
]


@pytest.mark.parametrize(("words", "says"), WRONG)
def test_wrong_usage_is_one_line(words: tuple[str, ...], says: str, scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, *words) == Done(2, "", f"assent: {says}\n")


# --- large and deep ------------------------------------------------------------------------------------------------

LARGE = {
    "a long heredoc": "cat <<E\n" + "a line with $(a command)\n" * 5_000 + "x" * 900_000 + "\nE\n",
    "many words": "echo" + " a" * 50_000,
    "deep substitutions": "echo " + "$(a " * 40 + ")" * 40,
    "deep groups": "{ " * 40 + "a" + "; }" * 40,
    "too deep": "echo " + "$(a " * 10_000 + ")" * 10_000,
    "a long line that is refused": 'echo "' + "\x1b" * 1_000_000,
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE.keys())
@pytest.mark.parametrize("option", ["", "--json"], ids=["drawn", "json"])
def test_large_and_deep_texts_are_answered(text: str, option: str, scene: Scene) -> None:
    done = subprocess.run(
        [*LAUNCHER, "parse", *([option] if option else [])],
        cwd=scene.project,
        env=scene.env,
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (1 if parse(text).refused else 0, "")
    assert done.stdout.endswith("\n")


# --- docs/shell.md names every reason, and its examples are refused for it -------------------------------------------


def reasons_in(node: ast.expr) -> Iterator[str]:
    """The texts that an expression can be, `…` for what is filled in."""
    match node:
        case ast.Constant(str(text)):
            yield text
        case ast.JoinedStr(values):
            yield "".join(str(v.value) if isinstance(v, ast.Constant) else "…" for v in values)
        case ast.IfExp(body=one, orelse=other):
            yield from (*reasons_in(one), *reasons_in(other))


def all_reasons() -> set[str]:
    found: set[str] = set()
    for path in (ROOT / "src/assent/shell").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="refuse") | ast.Name("Refused"), args=[why, *_]):
                    found |= {*reasons_in(why)}
                case ast.Call(func=ast.Name("Script"), keywords=[*_, ast.keyword("refused", why), ast.keyword()]):
                    found |= {*reasons_in(why)}
                case ast.Call(func=ast.Name("Script"), keywords=[*_, ast.keyword("refused", why)]):
                    found |= {*reasons_in(why)}
    return found


def table() -> list[tuple[str, str]]:
    """Reason and example of every row; rows without an example have an empty one."""
    page = (ROOT / "docs/shell.md").read_text(encoding="utf-8")
    section = page.partition("\n## What is refused\n")[2].partition("\n## ")[0]
    rows = [line.replace("\\|", "\0").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [(code(row[1]), code(row[2]) if len(row) == 5 else "") for row in rows if row[1].strip() != "`refused`"]


STANDS_FOR = {"⏎": "\n", "␛": "\x1b", "␡": "\x7f", "⍽": "\u00a0", "\0": "|"}


def code(cell: str) -> str:
    """The inside of a code span, with what its signs stand for."""
    found = re.fullmatch(r"(`+)(.*)\1", cell.strip())
    return "".join(STANDS_FOR.get(sign, sign) for sign in found[2]) if found else ""


def test_the_page_names_every_reason_and_no_other() -> None:
    assert {reason for reason, _ in table()} == all_reasons()


@pytest.mark.parametrize(("reason", "example"), [row for row in table() if row[1]])
def test_the_examples_of_the_page_are_refused_for_their_reason(reason: str, example: str) -> None:
    pattern = ".+".join(map(re.escape, reason.split("…")))  # the literal `…` of `${…}` matches itself
    refused = parse(example).refused
    assert re.fullmatch(pattern, refused), refused or "it is read"
