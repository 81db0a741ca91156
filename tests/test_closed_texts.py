"""Texts inside of words that a program hands on to a shell, a database or another machine, or takes for files."""

from __future__ import annotations

import pytest

from assent.testing import FrozenWorld
from assent.types import Verdict
from decided import FILES, HOME, PROJECT, decided, policy_of

SCENE = FrozenWorld(
    {
        **FILES,
        **{f"{PROJECT}/{name}": "" for name in (".env", "f", "README.md")},
        **{f"{HOME}/{name}": "" for name in (".ssh/id_rsa", ".kube/config")},
    }
)
FULL_AUTO = policy_of(mode="full_auto")
NO_RM = policy_of(deny=["Bash(rm *)"], mode="full_auto")
HANDED_ON = (
    *("make --eval='all:;{}'", "make --eval='x:=$(shell {})'", "make -f - <<< 'all:;{}'", "make SHELL='{}'"),
    *("make -f - <<'E'\nall:\n\t@{}\nE", "echo 'all:;{}' | make -f -", "man -P '{}' ls", "man -H'{}' ls"),
    *(
        "gdb -ex '!{}'",
        "gdb -ex 'shell {}'",
        "dc -e '!{}'",
        "echo '!{}' | dc",
        "m4 <<< 'syscmd({})'",
        "mysql -e '\\! {}'",
        "mysql -e 'system {}'",
    ),
    *("psql -c '\\! {}'", "psql <<< '\\! {}'", "echo '\\! {}' | psql", "psql -c \"copy t to program '{}'\""),
    *("sqlite3 x.db '.shell {}'", "sqlite3 x.db '.sh {}'", "sqlite3 x.db '.once |{}'"),
    *("git grep -O'{}' x", "git difftool -x '{}'", "git difftool --extcmd='{}'", "git rebase -x '{}' HEAD~1"),
    *("git send-email --sendmail-cmd='{}' x", "git clone -u '{}' a b", "git push --receive-pack='{}'"),
    *("git submodule foreach '{}'", "fzf --preview '{}'", "fzf --bind 'enter:execute({})'"),
    *("tmux pipe-pane '{}'", "tmux if-shell '{}' ls", "tmux display-popup '{}'", "tmux respawn-pane -k '{}'"),
    *("tmux set-hook -g x 'run-shell \"{}\"'", "tmux bind-key x run-shell '{}'", "tmux split-window '{}'"),
    *("tmux run-shell '{}'", "tmux send-keys '{}' Enter", "tmux ls ';' run-shell '{}'"),
    *("go build -toolexec '{}' .", "go test --exec='{}' ./...", "sed 's/.*/{}/e' f", "sed 's/.*/{}/;e' f"),
)


@pytest.mark.parametrize("command", HANDED_ON)
def test_what_is_closed_is_so_in_a_text_that_is_handed_on(command: str) -> None:
    assert decided(command.format("rm -rf ~"), FULL_AUTO, SCENE).verdict is Verdict.DENY


@pytest.mark.parametrize("command", HANDED_ON)
def test_a_denied_command_is_so_in_a_text_that_is_handed_on(command: str) -> None:
    assert decided(command.format("rm f"), NO_RM, SCENE).verdict is Verdict.DENY


@pytest.mark.parametrize(
    "command",
    [
        "sed 's/.*/cat ~\\/.ssh\\/id_rsa/e' README.md",
        "yq -n 'load(\"/home/dev/.kube/config\")'",
        "m4 <<< 'syscmd(cat ~/.ssh/id_rsa)'",
        "curl --resolve x.example:80:169.254.169.254 http://x.example",
        "curl --connect-to x.example:80:10.0.0.1:80 http://x.example",
        "curl --connect-to '::[fd00:ec2::254]:80' http://x.example",
    ],
)
def test_what_a_word_names_in_another_way_is_closed_all_the_same(command: str) -> None:
    assert decided(command, FULL_AUTO, SCENE).verdict is Verdict.DENY


@pytest.mark.parametrize(
    "command",
    [
        *(f"echo 'drop table x' | {client}" for client in ("psql", "mysql", "sqlite3 x.db", "/usr/bin/psql app")),
        *("echo FLUSHALL | redis-cli", "echo 'db.dropDatabase()' | mongosh", "printf 'drop table x;\\n' | psql"),
        *(
            "cat <<'E' | psql\ndrop table x;\nE",
            "echo 'drop table x' | tee f | psql",
            "echo -e 'select 1;\\ndrop table x' | psql",
        ),
        *('sqlite3 x.db "DROP/**/TABLE t"', "psql -c '/**/DROP TABLE t'", "psql -c 'DROP /* x */ TABLE t'"),
        *("mysql -e 'DROP/**/TABLE t'", "psql -c '-- x\nDROP TABLE t'", "mysql -e '# x\nTRUNCATE t'"),
        *("mysql -e '/*!50000 DROP TABLE t*/'", "psql -c '/* /* a */ */ drop table t'"),
        *("mysql -e 'select 1--1; drop table t'", 'psql -c "do \\$\\$ begin drop table t; end \\$\\$"'),
        *("npm pub", "npm publ", "npm unpub x", "npm depr x y", "gradle pub", "gem pus x.gem"),
        *("ssh h rm -rf /", "ssh h 'git push --force'", "ssh h 'cd x; sudo rm -rf ~'", "ssh h dd of=/dev/sda"),
        *("sqlite3 :memory: \"select readfile('.env')\"", "duckdb -c \"from read_text('.env')\""),
        *(
            "duckdb -c \"from '.env'\"",
            "sqlite3 x.db \"select writefile('.env', 'x')\"",
            "sqlite3 x.db '.import .env t'",
        ),
    ],
)
def test_what_cannot_be_undone_and_secrets_are_asked_about_however_they_are_written(command: str) -> None:
    assert decided(command, FULL_AUTO, SCENE).verdict is Verdict.ASK


@pytest.mark.parametrize("command", ["npm pub", "npm publish", "npm -s publ", "npm publi --tag x"])
def test_a_rule_about_a_subcommand_holds_when_it_is_cut_short(command: str) -> None:
    policy = policy_of(deny=["Bash(npm publish:*)", "Bash(npm -s publish:*)"], mode="full_auto")
    assert decided(command, policy, SCENE).verdict is Verdict.DENY


@pytest.mark.parametrize(
    "command",
    [
        *("psql -c 'select 1'", "make -j4 test"),
        *("ssh h ls", "ssh h 'rm -rf /tmp/build'", "npm out", "npm prefix", "gradle dep", "gradle build", "man ls"),
        *("go test ./... -update", "go build -o x .", "echo hi | cat", "tmux ls", "git submodule status"),
        *("sqlite3 x.db 'select 1'", "sed 's/a/b/' f", "fzf -f abc", "make CFLAGS='-O2 -g'"),
    ],
)
def test_everything_else_is_not_asked_about_in_full_auto(command: str) -> None:
    assert decided(command, FULL_AUTO, SCENE).allowed
