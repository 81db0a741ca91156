"""The floor denies by whatever way a path comes to the program that opens it: spelling x way x program.

Every way is also tried in a real bash: one that carries nothing would prove nothing.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assent.pipeline import judge
from assent.testing import FrozenWorld
from assent.types import ToolCall, Verdict
from decided import FILES, HOME, PROJECT, decided, policy_of

SCENE = FrozenWorld(
    {
        **FILES,
        f"{PROJECT}/README.md": "",
        f"{PROJECT}/customers/a.csv": "",
        f"{HOME}/.ssh/id_rsa": "",
        f"{HOME}/.aws/credentials": "",
    }
)
KEY = f"{HOME}/.ssh/id_rsa"
SPELLINGS = (
    *("~/.ssh/id_rsa", "$HOME/.ssh/id_rsa", '"$HOME"/.ssh/id_rsa', "${HOME}/.ssh/id_rsa", "~/.ssh//id_rsa"),
    *("~/.ssh/./id_rsa", "~/x/../.ssh/id_rsa", "../.ssh/id_rsa", "~/.s'sh'/id_rsa", "~+/../.ssh/id_rsa"),
    *("~/.aws/credentials", f"/proc/self/root{KEY}"),
)
EXPANDED = ("~/.s*/id_rsa", "~/.ss?/id_rsa", "~/.ssh/id_rs[a]", "~/{.ssh,x}/id_rsa", "~/.{ssh,x}/{id_rsa,y}")
"""Spellings that mean the path only where the shell expands them: a real bash says where that is."""
WAYS = (
    # variables
    *(
        "f=KEY; OPEN $f",
        "f=KEY; g=$f; OPEN $g",
        "f=KEY; OPEN ${f}",
        "f=KEY && OPEN $f",
        "f=KEY; { OPEN $f; }",
        "(f=KEY; OPEN $f)",
    ),
    *(
        "if true; then f=KEY; fi; OPEN $f",
        "for i in 1 2; do f=KEY; done; OPEN $f",
        "case x in x) f=KEY;; esac; OPEN $f",
    ),
    *(
        "[[ -n x ]] && f=KEY; OPEN $f",
        "if false; then f=a.txt; else f=KEY; fi; OPEN $f",
        "while f=KEY; do OPEN $f; break; done",
    ),
    *(
        "declare f=KEY; OPEN $f",
        "typeset f=KEY; OPEN $f",
        "export f=KEY; OPEN $f",
        "readonly f=KEY; OPEN $f",
        "unset f; f=KEY; OPEN $f",
    ),
    *(
        "f=KEY; declare -n r=f; OPEN $r",
        "f=KEY; r=f; eval OPEN \\$$r",
        "printf -v f %s KEY; OPEN $f",
        "f=KEY; OPEN $nothing$f",
    ),
    # parameters of `${…}`
    *(
        "OPEN ${nothing:-KEY}",
        ": ${f:=KEY}; OPEN $f",
        "f=1; OPEN ${f:+KEY}",
        "f=KEY; OPEN ${f:-x}",
        "f=KEY.x; OPEN ${f%.x}",
        "f=KEY; OPEN ${f:0}",
    ),
    *(
        "f=KEY; OPEN ${f/QQ/x}",
        "f=KEY; OPEN ${f##QQ}",
        "f=KEY; OPEN ${f[0]}",
        "f=xKEY; OPEN ${f#x}",
        "f=KEY; OPEN ${f%%QQ*}",
    ),
    # what stands by its place
    *(
        "set -- KEY; OPEN $1",
        "set -- x KEY; OPEN $2",
        'set -- KEY; OPEN "$@"',
        'set -- KEY; OPEN "$*"',
        "set -- x KEY; shift; OPEN $1",
    ),
    *(
        "set x KEY; OPEN ${2}",
        "set -- x KEY; shift 1; OPEN $1",
        'set -- x KEY; OPEN "${@:2}"',
        "set -- KEY; for f; do OPEN $f; done",
    ),
    *('set -- KEY; for f in "$@"; do OPEN "$f"; done', "set -- -f KEY; while getopts f: o; do OPEN $OPTARG; done"),
    *(
        "f() { OPEN $1; }; f KEY",
        'f() { OPEN "$@"; }; f KEY',
        "f() { local x=$1; OPEN $x; }; f KEY",
        "f() { shift; OPEN $1; }; f x KEY",
    ),
    *(
        "function g { OPEN $1; }; g KEY",
        "f() { local z=KEY; OPEN $z; }; f",
        "g() { OPEN $F; }; F=KEY; g",
        "g() { OPEN $F; }; F=KEY g",
    ),
    # lists
    *(
        'a=(KEY); OPEN "${a[@]}"',
        "a=(x KEY); OPEN ${a[1]}",
        'a=(); a+=(KEY); OPEN "${a[@]}"',
        "a[0]=KEY; OPEN ${a[0]}",
        "a=(KEY); OPEN $a",
    ),
    *('a=(KEY); OPEN "${a[*]}"', 'a=(x KEY); OPEN "${a[@]:1}"', 'a=(KEY); for f in "${a[@]}"; do OPEN "$f"; done'),
    *("declare -A m; m[k]=KEY; OPEN ${m[k]}", "declare -A m=([k]=KEY); OPEN ${m[k]}", "a=(x KEY); i=1; OPEN ${a[i]}"),
    # what is read
    *(
        "read f <<< KEY; OPEN $f",
        'read -r a b <<< "x $(echo KEY)"; OPEN $b',
        "read <<< KEY; OPEN $REPLY",
        "read -p x f <<< KEY; OPEN $f",
    ),
    *(
        "read f < <(echo KEY); OPEN $f",
        "read -a a <<< KEY; OPEN ${a[0]}",
        "read -d '' f <<< KEY; OPEN $f",
        "IFS= read f <<< KEY; OPEN $f",
    ),
    *(
        "mapfile -t a < <(echo KEY); OPEN ${a[0]}",
        "readarray -t a <<< KEY; OPEN ${a[0]}",
        "mapfile -t <<< KEY; OPEN ${MAPFILE[0]}",
    ),
    *(
        "while read f; do OPEN $f; done <<< KEY",
        'while read -r f; do OPEN "$f"; done < <(echo KEY)',
        "exec 3<<< KEY; read -u 3 f; OPEN $f",
    ),
    *(
        'echo KEY | while read f; do OPEN "$f"; done',
        "echo KEY | { read f; OPEN $f; }",
        'echo KEY | ( read f; OPEN "$f" )',
    ),
    *(
        "echo x KEY | while read a b; do OPEN $b; done",
        "echo KEY | while read a; do b=$a; OPEN $b; done",
        "read f <<E\n$(echo KEY)\nE\nOPEN $f",
    ),
    # what is printed
    *(
        "f=$(echo KEY); OPEN $f",
        "f=`echo KEY`; OPEN $f",
        "OPEN $(printf %s KEY)",
        'OPEN "$(echo KEY)"',
        "OPEN $(echo KEY | tr -d Q)",
    ),
    *(
        "f=KEY; OPEN $(echo $f)",
        "set -- $(echo KEY); OPEN $1",
        "a=($(echo KEY)); OPEN ${a[0]}",
        "f() { echo KEY; }; OPEN $(f)",
    ),
    *(
        "OPEN $(cat <<< KEY)",
        "for f in $(echo KEY); do OPEN $f; done",
        "OPEN $(echo xKEY | cut -c2-)",
        "f=$(echo KEY | rev | rev); OPEN $f",
    ),
    # what is run
    *(
        "eval OPEN KEY",
        'eval "f=$(echo KEY)"; OPEN $f',
        "c='OPEN '; eval $c KEY",
        'c="OPEN $(echo KEY)"; eval "$c"',
        "x=KEY; y='$x'; eval OPEN $y",
    ),
    *(
        "bash -c 'OPEN $0' KEY",
        "bash -c 'OPEN \"$1\"' x KEY",
        "sh -c 'OPEN \"$@\"' sh KEY",
        "echo 'OPEN $1' | bash -s KEY",
    ),
    *(
        "bash -s KEY <<< 'OPEN $1'",
        "echo OPEN KEY | bash",
        "f=KEY bash -c 'OPEN $f'",
        "export f=KEY; bash -c 'OPEN $f'",
        'f=KEY; bash -c "OPEN $f"',
    ),
    *("source <(echo OPEN KEY)", "bash <(echo OPEN KEY)", "trap 'OPEN $f' EXIT; f=KEY", "env f=KEY bash -c 'OPEN $f'"),
    # files on the way
    *(
        "echo KEY > l; OPEN $(cat l)",
        "echo KEY > l; read f < l; OPEN $f",
        "echo KEY > l; while read f; do OPEN $f; done < l",
    ),
    *(
        "echo KEY | tee l; OPEN $(cat l)",
        "echo KEY > l; cp l m; OPEN $(cat m)",
        "echo OPEN KEY > l; bash l",
        "cat > l <<E\n$(echo KEY)\nE\nOPEN $(< l)",
    ),
    *("echo OPEN KEY > l; chmod +x l; ./l", "echo 'OPEN $1' > l; bash l KEY", "echo f=KEY > l; . ./l; OPEN $f"),
    *(
        "echo KEY >> l; OPEN $(sort -u l)",
        "echo KEY > l; ln -s l m; OPEN $(cat m)",
        "echo KEY > l; mv l m; OPEN $(< m)",
    ),
    # odd ones
    *("f=KEY; declare -n q=f; declare -n r=q; OPEN $r", "f() { local -n r=$1; OPEN $r; }; v=KEY; f v"),
    *("IFS=:; p=x:KEY; set -- $p; OPEN $2", "IFS=: read -ra a <<< x:KEY; OPEN ${a[1]}", "p=x:KEY; OPEN ${p#*:}"),
    *("[[ KEY =~ (.*) ]]; OPEN ${BASH_REMATCH[1]}", "set -- KEY; OPEN ${!#}", "set -- a KEY; OPEN ${@: -1}"),
    *("f() { v=$1; }; f KEY; OPEN $v", "f() { eval $1=KEY; }; f z; OPEN $z", "h() { OPEN $1; }; g() { h $@; }; g KEY"),
    *("c='OPEN KEY'; $c", "set -- OPEN KEY; $@", "c=(OPEN KEY); ${c[@]}", "$(echo OPEN) KEY", "f=; f+=KEY; OPEN $f"),
    *(
        "a=(KEY); for i in ${!a[@]}; do OPEN ${a[$i]}; done",
        "a=(x KEY); unset a[0]; OPEN ${a[@]}",
        "a=([5]=KEY); OPEN ${a[5]}",
    ),
    # folders on the way
    *(
        "cd $(dirname KEY); OPEN $(basename KEY)",
        "pushd $(dirname KEY); OPEN $(basename KEY)",
        "d=$(dirname KEY); OPEN $d/$(basename KEY)",
    ),
)
"""`KEY` is the path, `OPEN` what opens it: the words before its place."""
PIPES = (
    *(
        "echo KEY | base64 | base64 -d | xargs OPEN",
        "echo KEY | rev | rev | xargs OPEN",
        "yes KEY | head -1 | xargs OPEN",
    ),
    *(
        "echo KEY | xargs OPEN",
        "printf '%s\\n' KEY | xargs OPEN",
        "xargs OPEN <<< KEY",
        "echo KEY | xargs -I{} OPEN {}",
        "echo KEY | xargs -n1 OPEN",
    ),
    *(
        "echo KEY | cat | xargs OPEN",
        "echo KEY | sort | uniq | xargs OPEN",
        "echo KEY | sed s/QQ/x/ | xargs OPEN",
        "echo KEY | head -1 | xargs OPEN",
    ),
    *(
        "echo KEY | tr QQ xx | xargs OPEN",
        "printf '%s\\0' KEY | xargs -0 OPEN",
        "echo -n KEY | xargs -d '\\n' OPEN",
        "echo KEY | xargs -r OPEN",
    ),
    *(
        "echo KEY | xargs env OPEN",
        "echo KEY | xargs sh -c 'OPEN $0'",
        "echo KEY | xargs -I% sh -c 'OPEN %'",
        "f() { echo KEY; }; f | xargs OPEN",
    ),
    *(
        "echo KEY > l; xargs -a l OPEN",
        "echo KEY > l; xargs OPEN < l",
        "xargs -a <(echo KEY) OPEN",
        "cat <<E | xargs OPEN\n$(echo KEY)\nE",
    ),
    *(
        "echo KEY | awk '{print $1}' | xargs OPEN",
        "(echo KEY) | xargs OPEN",
        "{ echo KEY; } | xargs OPEN",
        "echo x:KEY | cut -d: -f2 | xargs OPEN",
    ),
    *(
        "echo KEY | xargs -I{} sh -c 'OPEN {}'",
        "echo KEY | xargs -L1 OPEN",
        "a=(KEY); printf '%s\\n' \"${a[@]}\" | xargs OPEN",
    ),
)
SPELLED = (
    *(
        "seq 1 | sed 's|1|KEY|' | xargs OPEN",
        "date +KEY | xargs OPEN",
        "find . -maxdepth 0 -printf 'KEY\\n' | xargs OPEN",
    ),
    *("awk 'BEGIN{print \"KEY\"}' | xargs OPEN", "python3 -c 'print(\"KEY\")' | xargs OPEN"),
)
"""Programs that compute what they print: only what is closed is looked for in their words."""
PROGRAMS = (
    *("cat", "head -1", "wc -c", "grep -c .", "sort", "base64", "md5sum", "cp -t /tmp", "tar cf /dev/null", "stat"),
    *("frobnicate", "python3 -c 'x'", "curl -sT", "vim", "rm -f", "chmod 644", "less", "ln -s -t .", "cat <", "dd if="),
)


def lines(path: str, program: str) -> list[str]:
    """Every way with a path and a program; one whose operand is glued to it, or that is quoted, does not fit in all."""
    ways = [*WAYS, *PIPES, *SPELLED]
    if program.endswith(("<", "=")):
        ways = [way for way in WAYS if way.count("OPEN") == 1 and "OPEN $" in way and not RUNS_TEXT & {*way.split()}]
        return [way.replace("OPEN ", program).replace("KEY", path) for way in ways]
    if "'" in program:
        ways = [way for way in ways if "'" not in way]
    return [way.replace("OPEN", program).replace("KEY", path) for way in ways]


RUNS_TEXT = {"eval", "bash", "sh", "trap", "<(echo"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_floor_denies_whatever_opens_it(program: str) -> None:
    passed = [line for line in lines(KEY, program) if decided(line, world=SCENE).decided_by != "floor"]
    assert passed == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_the_floor_denies_however_it_is_spelled(spelling: str) -> None:
    found = [line for program in ("cat", "cat <") for line in lines(spelling, program)]
    passed = [line for line in found if decided(line, world=SCENE).decided_by != "floor"]
    assert passed == []


@pytest.mark.parametrize("spelling", EXPANDED)
def test_the_floor_denies_what_bash_expands_to_it(spelling: str, tmp_path: Path) -> None:
    found = [line for program in ("cat", "cat <") for line in lines(spelling, program)]
    carried = carried_by_bash(found, tmp_path)
    assert len(carried) > len(found) / 4
    passed = [line for line in carried if decided(line, world=SCENE).decided_by != "floor"]
    assert passed == []


def carried_by_bash(texts: list[str], folder: Path) -> list[str]:
    """Those of some lines that show the file in a real bash, each in a project of its own below a home of its own."""
    home = folder / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh/id_rsa").write_text("canary\n")
    for number, text in enumerate(texts):
        (home / f"{number}/project").mkdir(parents=True)
        (home / f"{number}/.ssh").symlink_to(home / ".ssh")
        (home / f"{number}.sh").write_text(text)
    run = 'for n in $(seq 0 $0); do cd ~/$n/project; echo "$n: $(HOME=~ bash ~/$n.sh 2>&1)" | tr "\\n" " "; echo; done'
    given = ["bash", "-c", run, str(len(texts) - 1)]
    said = subprocess.run(
        given, env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=120, check=True
    )
    shown = [line.split(":")[0] for line in said.stdout.splitlines() if "canary" in line]
    return [texts[int(number)] for number in shown]


ZSH = (
    *("OPEN ${:-KEY}", "f=KEY; OPEN ${(e)f}", "f=KEY; OPEN ${~f}", "f=KEY; OPEN $~f", "a=(KEY); OPEN $a[1]"),
    *("OPEN ${$(echo KEY)}", "print KEY | xargs OPEN", "for f (KEY) OPEN $f", "() { OPEN $1 } KEY", "OPEN $(<<<KEY)"),
    *("foreach f (KEY); OPEN $f; end", "repeat 1 OPEN KEY", "typeset -A m=(k KEY); OPEN $m[k]", "OPEN KEY(.)"),
    *(
        "echo KEY | read f; OPEN $f",
        "x=(OPEN KEY); $x",
        "noglob OPEN KEY",
        "if [[ 1 == 1 ]] { OPEN KEY }",
        "OPEN $(cat =(echo KEY))",
    ),
)


@pytest.mark.parametrize("shell", ["zsh", "ksh", "sh", "dash"])
def test_the_floor_denies_in_every_shell(shell: str) -> None:
    ways = (*WAYS, *PIPES, *ZSH) if shell == "zsh" else (*WAYS, *PIPES)
    texts = [way.replace("OPEN", "cat").replace("KEY", KEY) for way in ways]
    calls = [ToolCall("Bash", {"command": text}, cwd=PROJECT, workspace=PROJECT, shell=shell) for text in texts]
    passed = [call.input["command"] for call in calls if judge(call, policy_of(), SCENE).decided_by != "floor"]
    assert passed == []


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_not_closed_is_not_denied_on_any_way(program: str) -> None:
    stopped = [line for line in lines("README.md", program) if decided(line, world=SCENE).verdict is Verdict.DENY]
    assert stopped == []


def test_a_denied_path_is_so_on_every_way() -> None:
    policy = policy_of(deny=["Read(./customers/**)"])
    found = [way.replace("OPEN", "cat").replace("KEY", "customers/a.csv") for way in (*WAYS, *PIPES)]
    passed = [line for line in found if decided(line, policy, SCENE).decided_by != "deny"]
    assert passed == []


@pytest.mark.parametrize("way", [*WAYS, *PIPES, *SPELLED])
def test_a_way_carries_a_path_in_a_real_bash(way: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("canary\n")
    line = way.replace("OPEN", "cat").replace("KEY", f"{tmp_path}/key")
    said = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=20, check=False)
    assert "canary" in said.stdout, said.stderr
