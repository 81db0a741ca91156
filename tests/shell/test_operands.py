"""Operands that shells evaluate: whatever a real zsh or bash runs in one is never allowed, and a rule sees what it is.

Each line is tried in the real shell, with a command that leaves a file behind as the subscript of an array.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess

import pytest

from assent.pipeline import judge
from assent.testing import FrozenWorld
from assent.types import ToolCall, Verdict
from decided import FILES, PROJECT, policy_of

WORLD = FrozenWorld(FILES)
EVIL = "'a[$(touch canary)]'"
BUILTINS = """[ test exit bye logout return break continue shift printf print read let integer float typeset declare
    export local readonly private unset set wait umask ulimit limit unlimit sched fc history cd pushd dirs trap
    getopts hash alias emulate vared zformat zparseopts zregexparse zstyle getln echo pwd true false times type which
    suspend jobs fg bg disown setopt disable enable functions autoload log r""".split()
SHAPES = ("E", "x E", "E x", "-- E", "-t E", "-v E", "-n E x", "-u E x", "-k E x", "-i y=E", "-A E x", "y=E", "1 E")
MORE = (
    *("[ -t E ]", "[ ! -t E ]", "[ E -eq 1 ]", "[ 1 -lt E ]", "[ -v E ]", "[ -n E ]", "[ E = x ]", "test -t E"),
    *("[[ E -eq 1 ]]", "[[ 1 -lt E ]]", "[[ -t E ]]", "[[ -v E ]]", "[[ -n E ]]", "[[ E = x ]]", "[[ -z E ]]"),
    *("printf %d E", "printf %x E", "printf %f E", "printf %s E", "printf '%*d' E 1", "printf '%.*f' E 1"),
    *("printf '%*s' E x", "printf '%s %d' x E", "printf %b E", "printf %q E", "print -f %d E", "print -f %s E"),
    *("read -t E x", "read -n E x", "read -k E x", "read -u E x", "read -tE x", "read E", "read -r E"),
    *("x=E; exit $x", "x=E; return $x", "x=E; shift $x", "x=E; printf %d $x", "x=E; [[ $x -eq 1 ]]", "x=E; exit x"),
    *("x=E; [[ x -eq 1 ]]", "x=E; : $(( x ))", "x=E; : $(( $x ))", "x=E; : ${a[x]}", "x=E; : ${a[$x]}", "x=E; : $a[x]"),
    *("repeat E :", "for (( i=E; i<1; i++ )); do break; done", "builtin exit E", "command exit E", "builtin shift E"),
    *("noglob exit E", "- exit E", "f() { return E; }; f", "while true; do break E; done", "trap E EXIT", "eval E"),
    *("mapfile -O E x < /dev/null", "wait -p E", "printf -v E x", "declare -i x=E", "a[$(touch canary)]=1", "let x=E"),
)
LINES = list(dict.fromkeys([*MORE, *(f"{name} {shape}" for name in BUILTINS for shape in SHAPES)]))


@pytest.fixture(scope="module", params=["zsh", "bash"])
def evaluated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """A shell, and those of the lines in which it runs what stands in an operand."""
    shell = request.param
    assert shutil.which(shell), f"{shell} is missing: run scripts/oracle"
    folder = tmp_path_factory.mktemp(shell)
    for number, line in enumerate(LINES):
        (folder / str(number)).mkdir()
        (folder / str(number) / "line").write_text(f"a=(1 2)\n{written(line)}")
    each = '(cd $n && eval "$(<line)") < /dev/null > /dev/null 2>&1'
    text = f"n=0; while [ $n -lt {len(LINES)} ]; do {each}; n=$((n + 1)); done"
    plain = [shell, "-f"] if shell == "zsh" else [shell, "--norc"]
    subprocess.run([*plain, "-c", text], cwd=folder, timeout=120, start_new_session=True, check=False)
    return shell, [line for number, line in enumerate(LINES) if (folder / str(number) / "canary").exists()]


def written(line: str) -> str:
    return " ".join([word.replace("E", EVIL) if word != "EXIT" else word for word in line.split(" ")])


def ways(shell: str, line: str) -> list[tuple[str, str]]:
    """A line as the shell of an agent would read it, and as bash hands it on: the text, and who reads it."""
    text = written(line)
    quoted = shlex.quote(text)
    started = [f"{before}{shell} -c {quoted}" for before in ("", "env ", "exec ", "command ", "timeout 5 ", "/bin/")]
    return [(text, shell), (f"{shell} <<'END'\n{text}\nEND", "bash"), *((one, "bash") for one in started)]


def verdict(text: str, shell: str, **policy: object) -> Verdict:
    call = ToolCall("Bash", {"command": text}, cwd=PROJECT, workspace=PROJECT, shell=shell)
    return judge(call, policy_of(**policy), WORLD).verdict  # type: ignore[arg-type]


def test_what_a_shell_evaluates_is_never_allowed(evaluated: tuple[str, list[str]]) -> None:
    shell, lines = evaluated
    texts = [way for line in lines for way in ways(shell, line)]
    assert [text for text in texts if verdict(*text, mode="full_auto") is Verdict.ALLOW] == []


def test_a_rule_sees_what_a_shell_evaluates(evaluated: tuple[str, list[str]]) -> None:
    shell, lines = evaluated
    texts = [way for line in lines for way in ways(shell, line)]
    assert [text for text in texts if verdict(*text, deny=["Bash(touch:*)"]) is not Verdict.DENY] == []


@pytest.mark.parametrize(("shell", "least"), [("zsh", 100), ("bash", 25)])
def test_the_real_shell_was_asked(evaluated: tuple[str, list[str]], shell: str, least: int) -> None:
    if evaluated[0] == shell:
        assert len(evaluated[1]) > least


PLAIN = (
    *("exit 1", "exit", "exit $?", "rc=$?; exit $rc", "return 0", "break 2", "shift", "shift 2", "exit -1"),
    *("printf '%s\\n' x", "printf '%s' '[INFO]'", "printf '%5.1f\\n' 3.5", "printf '%d items\\n' 3", "printf %x 0xff"),
    *("printf 'a[%s]\\n' x", "printf '%-20s %s\\n' a b", "[ -t 1 ]", "test -t 0", "[ -f a.txt ]", "[ -n x ]"),
    *(
        "read -t 5 x",
        "read -r line",
        "IFS= read -r line",
        "f=; echo $f",
        "printf '%4d: %s\\n' $(ls | wc -l) \"$(cat a.txt)\"",
    ),
)


@pytest.mark.parametrize("shell", ["zsh", "ksh", "sh", "bash"])
@pytest.mark.parametrize("line", PLAIN)
def test_plain_numbers_are_no_question(line: str, shell: str) -> None:
    assert verdict(line, shell) is Verdict.ALLOW


@pytest.mark.parametrize(
    "line",
    ["[ 'a[$(touch x)]' -eq 1 ]", "test 1 -eq 'a[$(touch x)]'", "ulimit -t 'a[$(touch x)]'", "shift 'a[`touch x`]'"],
)
def test_ksh_is_read_as_it_evaluates(line: str) -> None:
    assert [verdict(line, shell, mode="full_auto") for shell in ("ksh", "sh")] == [Verdict.ASK, Verdict.ASK]
