"""Every command that a text may hold, in every way to say it: what deny and ask rules are compared with."""

from __future__ import annotations

import pytest

from assent.candidates import commands_in
from assent.policy.compiled import compile_policy
from assent.types import Rule, ToolCall, Verdict, Words
from assent.understand import understand
from decided import HOME, PROJECT, answer, decided, policy_of


def found(command: str) -> tuple[Words, ...]:
    return commands_in(understand(ToolCall("Bash", {"command": command}, cwd=PROJECT, workspace=PROJECT), HOME))


def words_in(command: str) -> set[tuple[str, ...]]:
    return {one.words for one in found(command)}


def is_denied(rule: str, command: str) -> bool:
    """Whether a deny rule, and nothing else, holds a command back in the mode that asks least."""
    reasons = decided(command, policy_of(deny=[rule], mode="full_auto")).reasons
    return any(reason.rule is not None and reason.rule.text == rule for reason in reasons)


# --- commands inside of others --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("rm x", ("rm", "x")),
        ("true; rm x", ("rm", "x")),
        ("true | rm x", ("rm", "x")),
        ("$(rm x)", ("rm", "x")),
        ('echo "`rm x`"', ("rm", "x")),
        ("bash -c 'rm x'", ("rm", "x")),
        ("/bin/bash -xc 'rm x'", ("rm", "x")),
        ("FOO=1 rm x", ("rm", "x")),
        ("timeout 5 rm x", ("rm", "x")),
        ("find . -exec rm {} ';'", ("rm", "{}")),
        ("awk 'BEGIN { system(\"rm x\") }'", ("rm", "x")),
        ("echo rm x | sh", ("rm", "x")),
        ("echo 'rm x' | sh", ("rm", "x")),
        ("printf 'rm x' | /bin/bash", ("rm", "x")),
        ("sh <<< 'rm x'", ("rm", "x")),
        ("sh <<E\nrm x\nE", ("rm", "x")),
        ("frobnicate rm x", ("rm", "x")),
        ("frobnicate -c 'rm x; ls'", ("rm", "x")),
        ("frobnicate --run='rm x'", ("rm", "x")),
        ("r''m x", ("rm", "x")),
        ("\\rm x", ("rm", "x")),
        ("trap 'rm x' EXIT", ("rm", "x")),
        ("GIT_PAGER='rm x' git log", ("rm", "x")),
        ("ssh h docker exec c rm x", ("rm", "x")),
        ("git -c core.pager='rm x' log", ("rm", "x")),
        ("git config core.pager 'rm x'", ("rm", "x")),
        ("vim '+!rm x' a", ("rm", "x")),
        ("rm 'x", ("rm", "x")),
    ],
)
def test_a_command_inside_another_is_found(command: str, words: tuple[str, ...]) -> None:
    assert words in words_in(command)


def test_a_call_that_is_no_command_line_holds_no_commands() -> None:
    analysis = understand(ToolCall("Read", {"file_path": "a.txt"}, cwd=PROJECT), HOME)
    assert commands_in(analysis) == ()


def test_a_command_knows_the_part_that_holds_it() -> None:
    numbers = {one.words[0]: one.call for one in found("ls; frob make | wc") if not one.written}
    assert numbers == {"ls": 1, "frob": 2, "make": 2, "wc": 3}


def test_what_is_set_and_opened_for_a_command_is_kept() -> None:
    [cat] = [one for one in found("A=1 cat a > b 2>&1") if one.words == ("cat", "a")]
    assert (cat.assignments, cat.redirects) == (("A=1",), (("1", ">", "b"), ("2", ">&", "1")))


# --- where a word may be a command, and where it is text ------------------------------------------------------------

MAKE_RUNS = (
    """
make | /usr/bin/make | gmake | MAKE | make.exe | x86_64 make | gdb --args make | strace -f make | uv run make
mise exec -- make | valgrind make | perf stat -- make | gosu me make | tini -- make | ccache make | ./wrap.sh make
docker run x make | docker run --entrypoint make x | docker exec c make | kubectl exec p -- make | ssh h make
parallel make ::: a | xargs make | watch make | script -c make | tmux new make | env -S 'make all' | busybox make
hyperfine 'make all' | find . -exec make {} ; | fd -x make | git bisect run make | git submodule foreach make
git rebase -x make main | git difftool -x make | git -c core.pager=make log | git -c alias.x=!make x
GIT_PAGER=make git log | EDITOR=make git commit | GIT_SSH_COMMAND=make git fetch | CC=make cargo build
export PAGER=make; git log | PAGER=make; git log | crontab --editor=make | rg --pre make x | tar -I make -xf a
sort --compress-program=make a | rsync -e make a b: | ssh -o ProxyCommand=make h | man -P make ls | less +!make a
npm exec make | npx make | pnpm dlx make | nix develop -c make | nix-shell --run make | python3 -m make
frobnicate make | frobnicate --run=make | frobnicate --run make | frobnicate -c 'make all' | frobnicate -xmake
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)
MAKE_IS_TEXT = (
    """
grep make Makefile | git log --grep make | git log --grep=make | echo make | cat make.txt | npm run make | cat make
find . -name make | which make | command -v make | type make | man make | apt install make | sudo apt install make
docker build -t make . | docker logs make | docker ps --filter name=make | kubectl get pods make | uv add make
conda install make | git commit -m make | git checkout make | git -c user.name=make log | rg make src | sed s/make/x/ a
test -f make | [ -x make ] | printf make | curl https://make | cmake . | npm view make | NAME=make | LANG=make ls
pgrep make | pkill make | jq .make a.json | fd make | tar cf a make | pytest -k make | gh pr create --title make
tmux kill-session -t make | systemctl status make | journalctl -u make | echo 'make all' > x | ssh-keygen -C make
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)


@pytest.mark.parametrize("command", MAKE_RUNS)
def test_a_word_is_a_command_behind_whatever_may_run_it(command: str) -> None:
    assert is_denied("Bash(make:*)", command)


@pytest.mark.parametrize("command", MAKE_IS_TEXT)
def test_a_word_is_no_command_where_its_place_holds_text(command: str) -> None:
    assert not is_denied("Bash(make:*)", command)


# --- other words for the same ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Bash(pip install:*)", "python3 -m pip install x"),
        ("Bash(pip install:*)", "python3.12 -Im pip install x"),
        ("Bash(pip install:*)", "pip3.11 install x"),
        ("Bash(pip install:*)", "uv pip install x"),
        ("Bash(python:*)", "python3.12 a.py"),
        ("Bash(npm install:*)", "npm i x"),
        ("Bash(npm publish:*)", "npm publ"),
        ("Bash(npm run build)", "npm run-script build"),
        ("Bash(helm uninstall:*)", "helm delete x"),
        ("Bash(brew uninstall --force:*)", "brew rm -f x"),
        ("Bash(docker rm:*)", "docker container rm x"),
        ("Bash(docker container rm:*)", "docker rm x"),
        ("Bash(docker rmi:*)", "docker image rm x"),
        ("Bash(docker compose down:*)", "docker-compose down"),
        ("Bash(cargo publish:*)", "cargo +nightly publish"),
        ("Bash(git push -f:*)", "git-push -f"),
        ("Bash(git push -f:*)", "git -c alias.x='push -f' x"),
        ("Bash(git push -f:*)", "git push origin +main"),
        ("Bash(git push --delete:*)", "git push origin :old"),
        ("Bash(git branch -D:*)", "git branch -d -f x"),
        ("Bash(terraform destroy:*)", "terraform apply -destroy"),
        ("Bash(chmod 777:*)", "chmod a+rwx x"),
        ("Bash(chmod 777:*)", "chmod -R 0777 x"),
        ("Bash(kill -9:*)", "kill -s SIGKILL 1"),
        ("Bash(tar -x:*)", "tar xzf a.tgz"),
        ("Bash(cp -r:*)", "cp -a x y"),
        ("Bash(rsync --delete:*)", "rsync -a --delete-after a b"),
        ("Bash(redis-cli flushall:*)", "redis-cli FLUSHALL"),
        ("Bash(rm -rf build:*)", "rm -fr ./build/"),
    ],
)
def test_other_words_for_the_same_are_found(rule: str, command: str) -> None:
    assert is_denied(rule, command)


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("Bash(pip install:*)", "python3 -m pytest install"),
        ("Bash(npm install:*)", "npm run install"),
        ("Bash(git push --force:*)", "git push --force-with-lease"),
        ("Bash(git push --force:*)", "git stash push -m force"),
        ("Bash(git commit --no-verify:*)", "git commit -m --no-verify"),
        ("Bash(git log:*)", "git commit -m log"),
        ("Bash(rm -rf:*)", "rm -- -rf"),
        ("Bash(rm -rf:*)", "rm -r x"),
        ("Bash(find -delete:*)", "find . -name -delete"),
        ("Bash(kubectl delete:*)", "kubectl get pod delete"),
        ("Bash(systemctl stop:*)", "systemctl status stop"),
        ("Bash(chmod 777:*)", "chmod 755 x"),
        ("Bash(kill -9:*)", "kill -TERM 1"),
        ("Bash(ssh -A:*)", "ssh h ls -A"),
        ("Bash(head -n 5:*)", "head -n 50 a"),
        ("Bash(rm -rf build:*)", "rm -rf builds"),
    ],
)
def test_what_only_looks_the_same_is_not(rule: str, command: str) -> None:
    assert not is_denied(rule, command)


def test_an_exception_spares_a_command_in_all_its_other_words() -> None:
    rule = Rule(Verdict.DENY, "Bash(npm:*)", unless=("Bash(npm i x)",))
    spared = compile_policy([rule], mode="full_auto")
    assert answer("npm i x", spared) == answer("npm i x", policy_of(mode="full_auto"))
    assert answer("npm i y", spared) == answer("npm install x", spared) == "deny by deny"


@pytest.mark.parametrize("feeds", ["echo rm x", "echo 'rm x'", "printf 'rm x'", "echo -n rm x", "/bin/echo rm x"])
@pytest.mark.parametrize("shell", ["sh", "bash", "/bin/dash", "zsh -s"])
def test_what_is_fed_to_a_shell_is_denied_as_if_it_were_typed(feeds: str, shell: str) -> None:
    assert answer(f"{feeds} | {shell}", policy_of(deny=["Bash(rm:*)"])) == "deny by deny"
    assert answer(f"{feeds} | cat", policy_of(deny=["Bash(rm:*)"])) == "allow by mode"


def test_of_thousands_of_words_that_may_be_commands_only_the_telling_ones_are_compared() -> None:
    every = found("frob " + "make " * 2_000)
    assert {("make",), ("make",) * 2_000} <= {one.words for one in every}
    assert len(every) < 20
