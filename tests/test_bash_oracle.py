"""The bash oracle itself: its trees, its recordings, and that no text harms it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bash_oracle import BashOracle, OracleError, ended, shown, simple_commands
from oracle.events import PROGRAM_OUTPUT, Chdir, Connect, Event, Exec, Kill, Load, Open, Substitution, Unlink
from oracle.sandbox import Parts, Server, at_hand
from oracle.snippets import ERRORS, ROWS
from oracle.tree import (
    Arith,
    ArithFor,
    Case,
    Clause,
    Cond,
    Condition,
    Connection,
    Coproc,
    Fault,
    For,
    Function,
    Group,
    Redirect,
    Select,
    Simple,
    Subshell,
    Tree,
    Until,
    While,
    Word,
)
from oracle.walk import ARITHMETIC, HEREDOC, expanded, nodes


@pytest.fixture(scope="module", params=at_hand())
def bash(request: pytest.FixtureRequest) -> Iterator[BashOracle]:
    with BashOracle(request.param, seconds=10) as oracle:
        yield oracle


def rows(tree: Tree) -> tuple[str, ...]:
    return tuple(f"{' '.join(p.path)} :: {p}" if p.path else str(p) for p in simple_commands(tree))


def simple(*words: str, **rest: tuple[Redirect, ...] | frozenset[str]) -> Simple:
    return Simple(tuple(map(Word, words)), **rest)  # type: ignore[arg-type]


def programs(events: list[Event]) -> dict[str, Exec]:
    return {event.argv[0]: event for event in events if isinstance(event, Exec)}


def names(events: list[Event]) -> list[str]:
    return [" ".join(event.argv) for event in events if isinstance(event, Exec)]


# --- trees


@pytest.mark.parametrize("section", ROWS)
def test_simple_commands_of_every_construct(bash: BashOracle, section: str) -> None:
    table = ROWS[section]
    trees = bash.parse_all(list(table))
    assert {text: rows(tree) for text, tree in zip(table, trees, strict=True)} == table
    assert [tree.error for tree in trees] == [None] * len(table)


def test_a_syntax_error_keeps_what_was_read_before_its_line(bash: BashOracle) -> None:
    trees = dict(zip(ERRORS, bash.parse_all(list(ERRORS)), strict=True))
    found = {text: (rows(tree), tree.error and tree.error.line) for text, tree in trees.items()}
    assert found == ERRORS


def test_an_error_inside_a_substitution_is_told_apart(bash: BashOracle) -> None:
    tree = bash.parse("a\necho $(if)\nb")
    assert (rows(tree), tree.error) == (("a",), Fault("abandoned", line=2))
    assert tree.error is not None and "near unexpected token `)'" in tree.error.message


def test_it_says_how_much_was_read(bash: BashOracle) -> None:
    assert bash.parse("a; b\ncat <<E\nx\nE\nc").ends == (5, 17, 18)


W = Word
IN, X = W("in"), W("x")
RECORDS: dict[str, object] = {
    "! a | b": Connection("|", simple("a"), simple("b"), flags=frozenset({"negated"})),
    "time -p a && b": Connection("&&", simple("a", flags=frozenset({"time", "time-posix"})), simple("b")),
    "a &": Connection("&", simple("a")),
    "{ a; } > f": Group(simple("a"), redirects=(Redirect("output", 1, target=W("f")),)),
    "(a)": Subshell(simple("a")),
    "for x in a; do b; done": For(X, (W("a"),), simple("b")),
    "select x in a; do b; done": Select(X, (W("a"),), simple("b")),
    "while a; do b; done": While(simple("a"), simple("b")),
    "until a; do b; done": Until(simple("a"), simple("b")),
    "case x in a|b) c;& *) ;;& d) ;; esac": Case(
        X, (Clause((W("a"), W("b")), simple("c"), ";&"), Clause((W("*"),), None, ";;&"), Clause((W("d"),), None))
    ),
    "f() { a; } 2>&1": Function("f", Group(simple("a"), redirects=(Redirect("dup-output", 2, source=1),))),
    "coproc N { a; }": Coproc("N", Group(simple("a"), flags=frozenset())),
    "a {fd}<f 3<&-": simple("a", redirects=(Redirect("input", variable="fd", target=W("f")), Redirect("close", 3))),
}


@pytest.mark.parametrize("text", RECORDS)
def test_trees_are_complete(bash: BashOracle, text: str) -> None:
    assert bash.parse(text) == Tree((RECORDS[text],), ends=(len(text),))  # type: ignore[arg-type]


def test_arithmetic_and_conditions(bash: BashOracle) -> None:
    (loop, sum_, test) = bash.parse("for ((i=0; ; i++)); do a; done\n((x + 1))\n[[ ! -f x && ( $y == z ) ]]").commands
    assert isinstance(loop, ArithFor) and isinstance(sum_, Arith) and isinstance(test, Cond)
    assert [[word.text for word in part] for part in (loop.init, loop.test, loop.step)] == [["i=0"], ["1"], ["i++"]]
    assert [word.text for word in sum_.expression] == ["x + 1"]
    both = test.expression
    assert (both.kind, both.word) == ("and", None)
    left, group = both.left, both.right
    assert left == Condition("unary", W("-f"), Condition("term", X, None, None), None, negated=True)
    assert group is not None and group.kind == "group" and group.left is not None
    assert (group.left.kind, group.left.word) == ("binary", W("=="))


def test_words_have_flags(bash: BashOracle) -> None:
    (command,) = bash.parse("x=$a b=(1) 'c' $d e").commands
    assert isinstance(command, Simple)
    flags = {word.text: word.flags & {"dollar", "quoted", "assignment", "compound"} for word in command.assignments}
    flags |= {word.text: word.flags for word in command.words}
    assert flags == {
        "x=$a": {"assignment", "dollar"},
        "b=(1)": {"assignment", "compound"},
        "'c'": {"quoted"},
        "$d": {"dollar"},
        "e": set(),
    }


def test_here_documents_that_the_end_ends_are_named(bash: BashOracle) -> None:
    assert bash.parse("cat <<A <<B\n1\nA\n2").unterminated == ("B",)
    assert bash.parse("cat <<A\nA").unterminated == ()


def test_control_characters_and_bad_utf8_pass(bash: BashOracle) -> None:
    text = "echo \x01\x02\x7f \udcff '\x01'"
    assert rows(bash.parse(text)) == (text,)
    with pytest.raises(ValueError, match="NUL"):
        bash.parse("a\0b")


def test_parsing_in_a_child_is_the_same(bash: BashOracle) -> None:
    texts = [*ERRORS, *(text for table in ROWS.values() for text in table)]
    assert bash.parse_all(texts) == [bash.parse_in_child(text) for text in texts]


def test_one_text_leaves_no_trace_in_the_next(bash: BashOracle) -> None:
    good = "case x in @(a|b)) c;; esac; d $(e) <<E\nE\n"
    alone = bash.parse_in_child("shopt -s extglob\na")
    for bad in ERRORS:
        bash.parse(bad)
        assert bash.parse("shopt -s extglob\na") == alone, bad
    assert bash.parse(good).error == Fault("syntax", line=1)


# --- substitutions


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a$(b c)", ["b c"]),
        ('"$(a "$(b)")"', ['a "$(b)"']),
        ("`a \\`b\\``", ["a `b`"]),
        ("${x:-$(a)}${x:+$(b)}${x#$(c)}", ["a", "b", "c"]),
        ("<(a)>(b)", ["a", "b"]),
        ("'$(a)'\\$(b)", []),
        ("$((1 + $(a)))", ["a"]),
        ("x=($(a) [1]=`b`)", ["a", "b"]),
        ("$(a)$(a)", ["a", "a"]),
        ("plain", []),
    ],
)
def test_substitutions_of_a_word(bash: BashOracle, text: str, found: list[str]) -> None:
    assert [each.text for each in bash.substitutions(text) if each.kind != "arithmetic"] == found


def test_substitutions_know_their_kind_and_context(bash: BashOracle) -> None:
    assert bash.substitutions("$(a)<(b)$((1+2))") == (
        Substitution("command substitution", "a"),
        Substitution("process substitution", "b"),
        Substitution("arithmetic", "1+2"),
    )
    assert bash.substitutions("'$(a)' <(b)", HEREDOC) == (Substitution("command substitution", "a"),)
    assert bash.substitutions("x + $(a)", ARITHMETIC) == (Substitution("command substitution", "a"),)


def test_deep_commands_follow_substitutions(bash: BashOracle) -> None:
    text = 'a "$(b "$(c <(d))")" <<E; for x in `p`; do q; done\n$(e)\nE'
    found = {(" ".join(p.path), shown(p.command).split()[0]) for p in bash.deep_commands(text)}
    assert found == {
        ("", "a"),
        ("$()", "b"),
        ("$() $()", "c"),
        ("$() $() $()", "d"),
        ("$()", "p"),
        ("for", "q"),
        ("$()", "e"),
    }


def test_every_word_that_expands_is_walked(bash: BashOracle) -> None:
    text = (
        "x=1 a b >c <<E\nd\nE\ncase f in g) ;; esac; ((h)); [[ i == j ]]; for k in l; do :; done; for ((m;n;o)) { :; }"
    )
    found = [word for node, _ in nodes(bash.parse(text)) for _, word in expanded(node) if word != ":"]
    assert found == ["c", "d\n", "x=1", "a", "b", "f", "g", "h", "i", "j", "l", "m", "n", "o"]


# --- runs


def test_programs_are_recorded_not_run(bash: BashOracle) -> None:
    events = bash.run("A=1 B='2 3' /bin/rm -rf /; export C=4; ls")
    assert [event for event in events if isinstance(event, Exec)] == [
        Exec("/bin/rm", ("/bin/rm", "-rf", "/"), {"A": "1", "B": "2 3"}, "/w", None, None, None),
        Exec("/shim/ls", ("ls",), {"C": "4"}, "/w", None, None, None),
    ]
    assert (ended(events).how, ended(events).status) == ("exit", 0)


def test_the_seed_decides_how_programs_end(bash: BashOracle) -> None:
    text = "a && b || c"
    assert [names(bash.run(text, seed)) for seed in (0, 1)] == [["a", "b"], ["a", "c"]]
    assert {tuple(names(bash.run(text, seed))) for seed in range(2, 40)} == {("a", "b", "c"), ("a", "b"), ("a", "c")}


def test_pipes_say_who_feeds_whom(bash: BashOracle) -> None:
    ran = programs(bash.run("a | b | c; d |& e; f > g"))
    assert ran["a"].feeds(ran["b"]) and ran["b"].feeds(ran["c"]) and ran["d"].feeds(ran["e"])
    assert ran["d"].stderr == ran["d"].stdout
    assert not ran["a"].feeds(ran["c"]) and not ran["c"].feeds(ran["d"])
    assert (ran["a"].stdin, ran["c"].stdout, ran["f"].stdout) == (None, None, None)


def test_substitutions_run_and_give_a_fixed_text(bash: BashOracle) -> None:
    ran = names(bash.run('a "$(b)" `c` $(( $(echo 1) )) x$(< f); d <(e) <<E\n$(g)\nE'))
    assert sorted(ran) == sorted(["b", "c", f"a {PROGRAM_OUTPUT} {PROGRAM_OUTPUT} 1 x", "e", "g", "d /dev/fd/63"])


def test_cd_changes_the_folder_of_what_follows(bash: BashOracle) -> None:
    events = bash.run("cd /proj/sub/..; a; (cd x; b); cd y/z; c; cd -; d; pushd /tmp; e")
    assert {name: ran.cwd for name, ran in programs(events).items()} == {
        "a": "/proj",
        "b": "/proj/x",
        "c": "/proj/y/z",
        "d": "/proj",
        "e": "/tmp",
    }
    assert Chdir("/nowhere", ok=False) in bash.run("cd /nowhere", seed=1)


def test_files_signals_connections_and_loads_are_recorded(bash: BashOracle) -> None:
    text = "a >o 2>>/p/q <i; : <>b >|c; . ./s; kill -9 7; exec 3<>/dev/tcp/evil.com/80; enable -f ./x.so y; after"
    events = bash.run(text)
    opened = {(e.path, e.access, *e.flags) for e in events if isinstance(e, Open)}
    assert opened == {
        ("o", "write", "create", "truncate"),
        ("/p/q", "write", "create", "append"),
        ("i", "read"),
        ("b", "read-write", "create"),
        ("c", "write", "create", "truncate"),
        ("./s", "read"),
    }
    assert {Kill(7, 9), Connect("evil.com", "80"), Load("./x.so")} <= {e for e in events if not isinstance(e, Exec)}
    assert names(events)[-1] == "after"


def test_what_bash_does_for_itself_is_no_event(bash: BashOracle) -> None:
    large = "x" * 200_000
    (ran, *rest) = bash.run(f"cat <<E\n{large}\nE\na &")
    assert isinstance(ran, Exec) and not any(isinstance(event, Open | Unlink) for event in rest)


def test_other_ways_to_a_program(bash: BashOracle) -> None:
    ran = bash.run("hash -p /x/evil ls; ls; exec -a fake real")
    assert [(e.path, e.argv) for e in ran if isinstance(e, Exec)] == [("/x/evil", ("ls",)), ("/shim/real", ("fake",))]
    (lost,) = programs(bash.run("PATH=/nowhere prog x")).values()
    assert (lost.path, lost.argv, dict(lost.env)) == ("", ("prog", "x"), {"PATH": "/nowhere"})
    assert names(bash.run("'' x; ${unset_name} y")) == ["y"]


def test_runs_leave_nothing_behind(bash: BashOracle) -> None:
    bash.run("echo > new; echo text > a.txt; v=1; f() { x; }; cd /tmp; echo > t; shopt -s extglob")
    assert names(bash.run('ls *; cat "$(<a.txt)$v"; f; ls /tmp/*')) == [
        "ls -rf a.txt b.txt evilglob",
        "cat ",
        "f",
        "ls /tmp/*",
    ]


# --- all branches


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("if a; then b; elif c; then d; else e; fi", "a, b, c, d, e"),
        ("while a; do b; done; until c; do d; done", "a, b, c, d"),
        ("a && b || c && d", "a, b, c, d"),
        ("case $(a) in $(b)) c;; x|$(d)) e;& *) f; esac", "a, b, c, d, e, f"),
        ("for x in $none; do a; done; for x; do b; done; for x in; do c; done", "a, b, c"),
        ("for x in 1 2; do a $x; done", "a 1, a 2"),
        ("for ((;;)); do a; done", "a"),
        ("select x in p q; do a $x; done", "a p, a q"),
        ("[[ $(a) == x && ( -n $(b) || $(c) ) ]]", "a, b, c"),
        ("f() { if a; then return 1; fi; b; }; f; exit 2; c", "a, return 1, b, exit 2, c"),
        ("while :; do break; a; done; for x in 1; do continue; b; done", "break, a, continue, b"),
        ("exec a; b", "exec a, b"),
        ("trap a EXIT; trap b INT; c", "c, b, a"),
        ("x=$(if false; then a; fi); eval 'false && b'; c <(false && d)", "a, b, d, c /dev/fd/63"),
        ("set -e; false; a; set -u; b $unset; c", "a, c"),
        ("{ false && a; } | b; (false || c) &", "a, b, c"),
        ("coproc { if false; then a; fi; }; b", "a, b"),
    ],
)
def test_all_branches_run(bash: BashOracle, text: str, ran: str) -> None:
    assert sorted(names(bash.run_all_branches(text))) == sorted(ran.split(", "))


def test_executions_are_the_union_over_seeds_and_branches(bash: BashOracle) -> None:
    assert bash.executions("a || exit; if b; then exec c; fi; d") == {
        ("a",),
        ("b",),
        ("c",),
        ("d",),
        ("exit",),
        ("exec", "c"),
    }


# --- nothing harms it

DEEP = "echo " + "$(a " * 200_000 + ")" * 200_000
MANY_HERE_DOCUMENTS = "cat " + " ".join(f"<<E{i}" for i in range(17))


@pytest.mark.parametrize(("text", "said"), [(DEEP, "signal 11"), (MANY_HERE_DOCUMENTS, "here-document count")])
def test_a_text_that_kills_bash_is_answered_and_the_next_too(bash: BashOracle, text: str, said: str) -> None:
    before, bad, after = bash.parse_all(["a", text, "b"])
    assert bad.error is not None and bad.error.kind == "died" and said in bad.error.message
    assert (rows(before), rows(after)) == (("a",), ("b",))


def test_a_text_that_takes_too_long_is_answered_and_the_next_too() -> None:
    with BashOracle(seconds=0.002) as hasty:
        assert hasty.parse("x " * 2_000_000).error == Fault("time")
        hasty.seconds = 5
        assert rows(hasty.parse("a")) == ("a",)


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("while :; do :; done", "time"),
        (":() { : | : & }; :", "flood"),
        ("set -m; (while :; do :; done) & a", "time"),
        ("f() { f; }; f", "time"),
        ("kill -SEGV $$; kill -9 -1; a", "exit"),
        ("while :; do echo x; done > f", "signal"),
    ],
)
def test_a_run_that_does_not_end_is_ended(
    bash: BashOracle, text: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as hurry:
        hurry.setattr(bash, "seconds", 0.5)
        run = bash.run(text)
    assert ended(run).how in (how, "time")
    assert names(bash.run("a")) == ["a"]


def test_a_text_cannot_hide_from_the_log(bash: BashOracle) -> None:
    assert names(bash.run("exec 250>&- 251>f; a; b 250>&2")) == ["a", "b"]


def test_long_lists_are_no_problem(bash: BashOracle) -> None:
    tree, chain = bash.parse_all(["a;" * 20_000, "a&&" * 20_000 + "b"])
    assert len(rows(tree)) == 20_000
    assert rows(chain)[-1] == "&&:20000 :: b"


def test_it_refuses_to_serve_outside_its_sandbox(bash: BashOracle) -> None:
    library = Server().parts.oracle
    script = f"enable -f {library} oracle_serve && oracle_serve"
    tried = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert (tried.returncode, tried.stdout) == (1, "")
    assert "must be the first process of a PID namespace" in tried.stderr


def test_a_sandbox_that_does_not_start_says_why(tmp_path: Path) -> None:
    empty = tmp_path / "oracle.so"
    empty.write_bytes(b"")
    server = Server()
    server.parts = Parts(empty, {})
    with pytest.raises(OracleError, match=r"did not start in its sandbox: .*oracle\.so"):
        server.ask([b""], 1)


def test_the_network_is_not_there(bash: BashOracle) -> None:
    assert names(bash.run("read -r x < /proc/net/dev; mapfile -t l < /proc/net/route; a ${#l[@]}")) == ["a 1"]
