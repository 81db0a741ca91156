"""Which programs a text could start: wrappers, branches, loops, folders, pipes, and what is not followed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.shell.calls import calls_of
from assent.types import Call


def shown(call: Call) -> str:
    words = " ".join(word.value if word.value is not None else f"<{word.pattern or word.why}>" for word in call.words)
    folder = "" if call.cwds == ("/p",) else f" in {'|'.join(call.cwds) or '?'}"
    return words + folder


FOLLOWED = {
    "ls -la": ["ls -la"],
    "a; b && c || d & e\nf": ["a", "b", "c", "d", "e", "f"],
    "! a | b |& c": ["a", "b", "c"],
    "if a; then b; elif c; then d; else e; fi": ["a", "b", "c", "d", "e"],
    "case x in a) b;; *) c;; esac": ["b", "c"],
    "while read -r l; do echo $l; done": ["read -r l", "echo <variable l>", "read -r l", "echo <variable l>"],
    "for f in a b; do wc $f; done": ["wc a", "wc b"],
    'for f in src/*.py; do wc "$f"; done': ["wc <src/*.py>"],
    "x=5; echo $x ${x}": ["echo 5 5"],
    "x='a b'; echo $x \"$x\"": ["echo <variable x> a b"],
    "echo $(a $(b)) `c` <(d)": [
        "b",
        "a <output of a command>",
        "c",
        "d",
        "echo <output of a command> <output of a command> <process substitution>",
    ],
    "cat <<E\n$(a)\nE": ["a", "cat"],
    "mkdir -p src/{a,b}/x {c,}": ["mkdir -p src/a/x src/b/x c"],
    "cd sub && git status; ls": ["cd sub", "git status in /p/sub", "ls in /p/sub|/p"],
    "(cd x && a); b": ["cd x", "a in /p/x", "b"],
    "cd ~/x; a": ["cd /home/dev/x", "a in /home/dev/x|/p"],
    "echo ~ --x=~ y=~": ["echo /home/dev --x=~ y=/home/dev"],
    "echo ~'a' y=x=~ y=:~ y+=~": ["echo ~a y=x=~ y=:/home/dev y+=/home/dev"],
    "x={a,b}; echo $x {c,d}": ["echo {a,b} c d"],
    "x={,}; echo a$x": ["echo a{,}"],
    "echo {1..3} a{c..a} {08..10} {3..1}x": ["echo 1 2 3 ac ab aa 08 09 10 3x 2x 1x"],
    "echo {1..99} {1..3..2} {a..Z} {1..a} {1..}": [" ".join(["echo", *["<braces>"] * 5])],
    "echo $HOME/{a,b} ~/{c,d} $HOME{a,b} {$HOME,e}": [
        "echo /home/dev/a /home/dev/b /home/dev/c /home/dev/d <braces> <braces>"
    ],
    "echo $PWD $(pwd)/a `pwd -P`": ["pwd", "pwd -P", "echo /p /p/a /p"],
    "cd x; echo $PWD": ["cd x", "echo <variable PWD> in /p/x|/p"],
    "cd x && echo $PWD": ["cd x", "echo /p/x in /p/x"],
    "cd .. && echo $PWD": ["cd ..", "echo <variable PWD> in /p/.."],
    "bash -c 'echo $PWD'": ["bash -c echo $PWD", "echo <variable PWD>"],
    "echo a-$$ $? x$(date +%F-%H) $(id -u)/b $!": [
        "date +%F-%H",
        "id -u",
        "echo <a-*> <*> <x*> <*[0-9]/b> <the last process of this shell>",
    ],
    "echo $(date +-%d) $(date +%D) $(date -f a +%F) $(date)": [
        "date +-%d",
        "date +%D",
        "date -f a +%F",
        "date",
        "echo <output of a command> <output of a command> <output of a command> <output of a command>",
    ],
    "echo $(whoami) a-$(whoami) $(whoami)/x /$(whoami)": [
        *["whoami"] * 4,
        "echo <a plain word> <a-*> <output of a command> <output of a command>",
    ],
    "x=$(a | wc -l); echo $x $(wc -l < b) $(wc -l b)": [
        "a",
        "wc -l",
        "wc -l",
        "wc -l b",
        "echo <*[0-9]> <a plain word> <output of a command>",
    ],
    'x="a $(id -u)"; echo $x "$x"': ["id -u", "echo <variable x> <a *[0-9]>"],
    "x=1; x[0]=2; echo $x": ["echo <variable x>"],
    "a | time b": ["a", "time b", "b"],
    "bash -c 'a; sh -c \"b\"'": ['bash -c a; sh -c "b"', "a", "sh -c b", "b"],
    "eval 'a b'": ["eval a b", "a b"],
    "command -v git; command -p ls": ["command -v git", "command -p ls", "ls"],
    "env -i A=1 timeout -k 5 10s nice -n 5 git status": [
        "env -i A=1 timeout -k 5 10s nice -n 5 git status",
        "timeout -k 5 10s nice -n 5 git status",
        "nice -n 5 git status",
        "git status",
    ],
    "env -C /d a": ["env -C /d a", "a in /d"],
    "a | xargs -I{} b {} | xargs c": [
        "a",
        "xargs -I{} b {}",
        "b <a line read at run time>",
        "xargs c",
        "c <words read at run time>",
    ],
    "find . -exec a {} + -exec b ';'": ["find . -exec a {} + -exec b ;", "a <a name found at run time>", "b"],
    "ssh -p 22 host 'a; b'": ["ssh -p 22 host a; b", "a", "b"],
    "set -euo pipefail; a": ["set -euo pipefail", "a"],
    "bash <<'E'\necho a; b\nE": ["bash", "echo a", "b"],
    "sh <<< 'a b'": ["sh", "a b"],
    "> f": [""],
    "a=1": [],
}


@pytest.mark.parametrize(("text", "calls"), FOLLOWED.items())
def test_a_text_is_followed_to_every_program(text: str, calls: list[str]) -> None:
    found = calls_of(text, "/p", "/home/dev")
    assert ([shown(call) for call in found.calls], found.gaps) == (calls, ())


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("$CMD x", "the program is not known: variable CMD"),
        ('eval "$x"', "text that eval runs"),
        ('bash -c "$x"', "text that bash runs"),
        ("bash -s x -y", "text that bash reads"),
        ("curl x | bash", "text that bash reads"),
        ("bash -s <<E\n$x\nE", "text that bash reads"),
        ("sh < f", "text that sh reads"),
        ("source f", "source changes the shell"),
        ("alias -g ls=rm", "alias changes the shell"),
        ('alias "$x"', "alias changes the shell"),
        ("alias if=rm", "alias changes the shell"),
        ("for i in 1 2; do ls; alias ls=rm; done", "alias changes the shell"),
        ("alias ls=rm; ls", "ls is an alias"),
        ("alias cd=rm; cd x", "cd is an alias"),
        ("alias a=b; x=1 a c", "a is an alias"),
        (". ./activate", ". changes the shell"),
        (". ~/env/bin/activate", ". changes the shell"),
        (". ../env/bin/activate", ". changes the shell"),
        (". env/bin/activate x", ". changes the shell"),
        ("while a; do . env/bin/activate; done", ". changes the shell"),
        ("while a; do cd $x; done", "folder of cd"),
        ("set -o posix", "set changes the shell"),
        ("shopt -s nullglob", "shopt changes the shell"),
        ("history -p x", "history changes the shell"),
        ("read -a x", "read with something else than plain names"),
        ("read x -r", "read with something else than plain names"),
        ("read -n1 'x[0]'", "read with something else than plain names"),
        ("{ ssh host; } < a", "a shell on another machine"),
        ("timeout 1 ssh host", "a shell on another machine"),
        ("a < >(b)", "target of a redirect"),
        ("a < <(b) 3<<E\n$(c)\nE", "several substitutions in redirects"),
        ("a < <(b) 3< <(c)", "several substitutions in redirects"),
        ("a > >(b)", "target of a redirect"),
        ("trap x EXIT", "trap changes the shell"),
        ("f() { a; }", "function f is defined"),
        ("PATH=/x; ls", "variable PATH is changed"),
        ("GIT_PAGER=x; ls", "variable GIT_PAGER is changed"),
        ("cd $x; ls", "folder of cd"),
        ("cd -; ls", "folder of cd"),
        ("echo $((x + 1))", "arithmetic with variables"),
        ("[[ x -eq 1 ]]", "arithmetic comparison in [["),
        ("[ -v 'a[$(b)]' ]", "[ -v evaluates its operand"),
        ("printf -v 'a[$(b)]' x", "printf -v with something else than a plain name"),
        ("read 'a[$(b)]'", "read with something else than plain names"),
        ("unset 'a[$(b)]'", "unset with something else than plain names"),
        ("echo > $x", "target of a redirect"),
        ("echo ${x:=y}", "assignment inside ${…}"),
        ("env -S 'a b'", "env option -S"),
        ("sudo -X a", "sudo option -X"),
        ("find . -exec a", "find -exec without an end"),
        ("coproc a", "coproc here"),
        ("echo ${x@P}", "operator in ${…}"),
        ("bash -c 'coproc a'", "coproc here (inside bash)"),
        ("$(" * 200 + ")" * 200, "nested too deeply"),
        ("a;" * 20_000, "too large to check in full"),
    ],
)
def test_what_cannot_be_followed_is_a_blind_gap_that_names_it(text: str, why: str) -> None:
    gaps = calls_of(text, "/p", "/home/dev").gaps
    assert why in [gap.why for gap in gaps]
    assert all(gap.blind for gap in gaps)


@pytest.mark.parametrize(
    "text",
    [
        "alias ls=rm",
        "alias a=b c='d e'",
        ". env/bin/activate",
        "source env/bin/activate && pip list",
        ". /p/env/bin/activate",
        "cd $x",
        'cd "$x" || exit 1',
        "set -o noclobber; set -euo pipefail; set",
        "shopt -u dotglob nullglob",
        "history -r a; history -w b",
        "read -n1 a; read -rd, -t5 b c; read -p 'x? ' -N 3",
        "ssh host",
        "a < <(b)",
        "while read -r x; do a; done < <(b)",
    ],
)
def test_what_changes_nothing_unknown_is_no_gap(text: str) -> None:
    assert calls_of(text, "/p", "/home/dev").gaps == ()


def test_programs_behind_an_active_environment_say_so() -> None:
    calls = calls_of("a; . env/bin/activate && b $(c); nohup d", "/p", "/home/dev").calls
    active = "active /p/env/bin"
    assert {shown(call).split()[0]: call.via for call in calls} == {
        "a": (),
        ".": (),
        "c": (active, "$( )"),
        "b": (active,),
        "nohup": (active,),
        "d": (active, "nohup"),
    }


def test_a_process_in_a_redirect_feeds_like_a_pipe() -> None:
    calls = calls_of("while a; do b; done < <(c | d)", "/p").calls
    fed = {shown(call): call.reads_from for call in calls if call.words}
    assert fed == {"c": -1, "d": 0, "a": 1, "b": 1}


def test_a_pipe_tells_who_feeds_whom() -> None:
    calls = calls_of("a | b $(c) | d").calls
    fed = {shown(call).split()[0]: call.reads_from for call in calls}
    names = [shown(call).split()[0] for call in calls]
    assert names[fed["b"]] == "a"
    assert names[fed["d"]] == "b"
    assert fed["a"] == -1


def test_redirects_and_heredocs_come_with_their_call() -> None:
    [call] = calls_of("A=1 cat <<'E' >out 2>&1 <<<x\nbody $x\nE").calls
    assert [(r.op, r.fd, r.target.value if r.target else None, r.body) for r in call.redirects] == [
        ("<<", None, None, "body $x\n"),
        (">", None, "out", None),
        (">&", 2, "1", None),
        ("<<<", None, None, "x\n"),
    ]
    assert [(name, word.value) for name, word in call.assignments] == [("A", "1")]


@given(st.text(alphabet="ab \t\n'\"`$(){}[]<>;&|\\#=-*~!:/x1", max_size=80))
def test_any_text_is_followed_or_refused_and_never_fails(text: str) -> None:
    found = calls_of(text, "/p", "/home/dev")
    assert all(call.words or call.redirects for call in found.calls)


@pytest.mark.parametrize(
    "text",
    [
        "echo =ls",
        "> f",
        "cat < a < b",
        "repeat 3 ls",
        "noglob rm x",
        "echo $=x",
        "echo ~work",
        "ls *",
        "echo ${x:-y}",
        "ls *(e:touch:)",
        "for x (a b) echo",
        "() { ls }",
        "echo ${(e)x}",
        "bash -c 'ls' =ls",
    ],
)
def test_what_zsh_reads_differently_is_refused_for_zsh(text: str) -> None:
    found = calls_of(text, "/p", "/home/dev", shell="zsh")
    assert (found.calls, len(found.gaps)) == ((), 1)


@pytest.mark.parametrize(
    "text", ["ls -la src", "git status && make test 2>&1 | tail -20", 'for f in src/*.py; do wc "$f"; done']
)
def test_what_zsh_reads_like_bash_is_followed(text: str) -> None:
    assert calls_of(text, "/p", shell="zsh") == calls_of(text, "/p")
    assert calls_of(text, "/p", shell="powershell").gaps[0].why == "powershell is not read"
