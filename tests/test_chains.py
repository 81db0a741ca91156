"""What a part of a command line finds behind `&&` and `||`, and in other shells: whatever bash may have left there."""

from __future__ import annotations

import itertools
import subprocess

import pytest

from assent.shell.calls import calls_of
from assent.testing import FrozenWorld
from decided import FILES, HOME, PROJECT, decided, policy_of

SCENE = FrozenWorld(
    {
        **FILES,
        **{f"{PROJECT}/{name}": "" for name in ("evil.sh", "README.md", "c.txt", "assent", "x/bin/ls")},
        **{f"{HOME}/{name}": "" for name in (".ssh/id_rsa", "x")},
    },
    links={f"{PROJECT}/l": "x/1/2/3", f"{PROJECT}/in": "/dev/stdin", f"{PROJECT}/in2": "/proc/self/fd/0"},
)


@pytest.mark.parametrize(
    "command",
    [
        "X=~/.ssh/id_rsa; true || X=README.md && cat $X",
        "X=~/.ssh/id_rsa; false && X=README.md || cat $X",
        "X=./evil.sh; true || X=cat && $X README.md",
        "true || cd src && cat ../../outside.txt",
        "false && cd src || cat ../outside.txt; cat ../outside.txt",
        "zsh -c 'X=README.md; echo ~/.ssh/id_rsa | read X; cat \"$X\"'",
        "ksh -c 'X=README.md; echo ~/.ssh/id_rsa | read X; cat \"$X\"'",
        "zsh -c 'X=README.md; true | X=/etc/passwd; cat $X'",
        # a pattern in a list is many rounds
        "X=README.md; for f in *.txt; do cat $X; X=~/.ssh/id_rsa; done",
        "X=ls; for f in *.txt; do $X README.md; X=rm; done",
        "X=a; Y=b; for f in *.txt; do cat $X; X=$Y; Y=~/.ssh/id_rsa; done",
        # what is assigned before, on the same command
        'X=README.md; X=~/.ssh/id_rsa Y=$(cat $X); echo "$Y"',
        "X=ls; X=rm Y=$($X README.md)",
        "X=README.md; X=../x < <(cat $X >&2)",
        "NO_COLOR=ls; NO_COLOR=rm command eval '$NO_COLOR README.md'",
        # a script that its own commands may read
        "bash <<'E'\nread X\necho '\ncat ~/.ssh/id_rsa\n'\nE",
        "bash <<'E'\nhead -c 6\necho 'touch canary #'\nE",
        "bash <<'E'\nread X\nY='\ncat ~/.ssh/id_rsa\n'\nE",
        "bash <<'E'\nhead -c 3\n# x\nY='cat ~/.ssh/id_rsa #'\nE",
        "bash <<'E'\nrm -i nothing\necho '\ncat ~/.ssh/id_rsa\n'\nE",
        "bash <<'E'\ndate -f -\necho '\ncat ~/.ssh/id_rsa\n'\nE",
        *(
            f"bash <<'E'\n{line}\ncat <<F\ntouch canary\nF\nE"
            for line in (
                *("sed -u -n /cat/q <&0", "sed -u -n /cat/q < /dev/stdin", "sed -u -n /cat/q 3< README.md"),
                *("head -c 8 2<&0 <&2", "X=$(head -c 8 <&0)", "[[ -n $(head -c 7 <&0) ]]", "exec 3<&0; head -c 8 <&3"),
                *("if head -c 8 <&0; then :; fi", "{ true | sed -u -n /cat/q <&3; } 3<&0", "{ head -c 8; } 3>&0 <&3"),
                *("( select x in a; do exit; done )", "select x in a; do exit; done | cat"),
                *("sed -n '1R /dev/stdin' README.md", "jq --arg a b .", "jq --args . a b", "od --traditional 1 1"),
                *(
                    "sed -u -n /cat/q in",
                    "head -c 8 < in",
                    "head -c 8 < in2",
                    "git tag -a v1",
                    "exec cat",
                    "builtin read X",
                ),
            )
        ),
        # a loop in which something else reads a part of a name
        *(
            f"find src -name '*.txt' | while read f; do {part}; cat \"$f\"; done"
            for part in (
                *("head -c 3 <&0", "head -c 3 < /dev/stdin", "X=$(head -c 3 <&0)", "{ head -c 3; } <&0"),
                *("head -c 3 in", "head -c 3 < in2"),
                *("{ head -c 3; } 3< README.md", "{ head -c 3; } < /dev/stdin", "{ true | head -c 3 <&3; } 3<&0"),
            )
        ),
        "find src -name '*.txt' | while read f && head -c 3 <&0; do cat \"$f\"; done",
        "while read f; do head -c 3 <&0; cat \"$f\"; done < <(find src -name '*.txt')",
        "find src -name '*.txt' | { head -c 3 <&0; xargs cat; }",
        "grep -rl in src | { head -c 3 <&0; xargs cat; }",
        # the last of several options counts
        "echo ~/.ssh/id_rsa | xargs -I {} -L 1 cat README.md",
        "echo 'rm -rf src' | xargs -I {} -n 2 nice",
        "env -C src --chdir=. cat ../x",
        # what fails ends the line
        "X=~/.ssh/id_rsa\necho $((1/0)); X=README.md\ncat $X",
        "X=~/.ssh/id_rsa\necho ${X:0:-99}; X=README.md\ncat $X",
        *(
            f"X=~/.ssh/id_rsa\necho $(({text})); X=README.md\ncat $X"
            for text in (
                *("09", "2-", "5%0", "1/(1-1)", "2**-1", "1/0x0", "1 2", "1 < = 2", "2 * * 3", "10 / 1 0", "1 +\n+ 2"),
            )
        ),
        "! cd src < nothing && cat ../x",
        'X=~/.ssh/id_rsa; find . -name a.txt | { read -r X; cat "$X"; } 0>&-',
        "git log --author ''{,--output=canary}",
        # programs by other paths
        f"{PROJECT}/l/../../../../bin/ls src",
        "cd src && /proc/self/cwd/../../../bin/ls",
        "./assent check ls",
        "src/assent --version",
        "sh -c 'a[0]=./evil ls'",
        "dash -c 'a[0]=./evil'",
    ],
)
def test_nothing_is_taken_for_granted_that_another_part_may_have_skipped(command: str) -> None:
    assert not decided(command, None, SCENE).allowed
    assert not decided(command, policy_of(mode="plan"), SCENE).allowed


@pytest.mark.parametrize("operators", [*itertools.product(("&&", "||", ";"), repeat=3)], ids="".join)
@pytest.mark.parametrize("results", [*itertools.product(("true", "false"), repeat=2)], ids="-".join)
def test_every_folder_that_bash_runs_a_command_in_is_expected(
    operators: tuple[str, ...], results: tuple[str, ...]
) -> None:
    first, second, third = operators
    text = f"{results[0]} {first} cd /usr {second} {results[1]} {third} pwd"
    ran = subprocess.run(["bash", "-c", text], cwd="/", capture_output=True, text=True, check=False).stdout.split()
    expected = {folder for call in calls_of(text, "/").calls if call.program == "pwd" for folder in call.cwds}
    assert {folder.rstrip("/") for folder in ran} <= {folder.rstrip("/") for folder in expected}


@pytest.mark.parametrize(
    "command",
    [
        'for f in *.txt; do cat "$f"; done',
        "X=README.md; for f in *.txt; do cat $X; done",
        "X=$(cat README.md); echo done",
        "bash <<'E'\nls\ncat README.md\ngit status\nwc -l\nE",
        "find src -name '*.py' | xargs -I {} cat {}",
        "echo $((1 + 2)) $((2**10)) $((7 % 3)) $((1 < 2))",
        "(( 1 > 0 )) && ls",
        "! cd src && ls",
        "//bin/ls src",
        "cd /bin && ./ls",
    ],
)
def test_what_is_certain_stays_so(command: str) -> None:
    told = decided(command, None, SCENE)
    assert told.allowed or all("outside the project" in reason.text for reason in told.reasons if reason.verdict), told
