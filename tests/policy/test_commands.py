"""Allow rules on commands: what they name and what they never vouch for. Deny rules on commands: every disguise."""

from __future__ import annotations

import pytest

from assent.policy.commands import rules_for_calls
from assent.types import Rule, Verdict
from decided import PROJECT, answer, case_of, decided, policy_of

ALLOWED, ASKED, DENIED = "allow by allow", "ask by mode", "deny by deny"


def allowed(rule: str, command: str, cwd: str = PROJECT) -> bool:
    return decided(command, policy_of([rule]), cwd=cwd).allowed


# --- which rule names a command ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "yes", "no"),
    [
        ("Bash(make test)", ["make test", "make  'test'"], ["make", "make test all", "make -s test", "make tests"]),
        ("Bash(foo)", ["foo"], ["foo x", "foobar", "./foo", "/opt/foo"]),
        ("Bash(git push:*)", ["git push", "git push origin main"], ["git -C x push", "git pull", "git -c a=b push"]),
        ("Bash(ls:*)", ["ls", "ls -la"], ["lsof"]),
        ("Bash(foo:*)", ["foo", "foo -x y"], ["foo-bar", "foobar"]),
        ("Bash(npm run *)", ["npm run build"], ["npm run", "npm run build more", "npm run -s"]),
        ("Bash(npm run * --watch)", ["npm run build --watch"], ["npm run --watch --watch", "npm run a b --watch"]),
        ("Bash(foo '*.txt')", ["foo '*.txt'"], ["foo a.txt", "foo 'b.txt'"]),
        ("Bash(/usr/bin/foo:*)", ["/usr/bin/foo x"], ["foo x", "/tmp/foo x"]),
    ],
)
def test_a_rule_names_its_words_and_no_others(rule: str, yes: list[str], no: list[str]) -> None:
    assert [command for command in yes if not allowed(rule, command)] == []
    assert [command for command in no if allowed(rule, command) and not decided(command).allowed] == []


def test_a_rule_on_every_command_names_every_call() -> None:
    case, decision = case_of("foo | bar", policy_of(["Bash"]))
    rule = Rule(Verdict.ALLOW, "Bash")
    assert rules_for_calls(policy_of(["Bash"]), case) == {1: rule, 2: rule}
    assert decision.allowed


def test_without_rules_on_commands_no_call_is_named() -> None:
    case, _ = case_of("foo", policy_of(["Read(./**)"]))
    assert rules_for_calls(policy_of(["Read(./**)"]), case) == {}


def test_an_expired_rule_and_an_exception_name_nothing() -> None:
    from assent.policy.compiled import compile_policy

    old = compile_policy([Rule(Verdict.ALLOW, "Bash(foo:*)", expires=-1.0)])
    but = compile_policy([Rule(Verdict.ALLOW, "Bash(foo:*)", unless=("Bash(foo drop:*)",))])
    assert [answer("foo x", old), answer("foo x", but), answer("foo -v drop x", but)] == [ASKED, ALLOWED, ASKED]


@pytest.mark.parametrize(
    ("rule", "exception", "inside", "outside"),
    [
        ("Bash(rm -r *)", "Delete(./x/**)", "rm -r x", "rm -r y"),
        ("Bash(rm -r *)", "Delete(./x/**)", "rm -r .", "rm -r y"),
        ("Bash(rm -r *)", "Write(./x/**)", "rm -r x/a", "rm -r y"),
        ("Bash(cp:*)", "Read(~/notes/**)", "cp ~/notes/x a", "cp a b"),
        ("Bash(curl:*)", "WebFetch(domain:example.com)", "curl https://example.com/a", "curl https://example.org"),
        ("Write(./src/**)", "Bash(sed:*)", "sed -i s/a/b/ src/app.py", "touch src/app.py"),
    ],
)
def test_an_exception_may_be_about_what_a_command_does(rule: str, exception: str, inside: str, outside: str) -> None:
    from assent.policy.compiled import compile_policy

    policy = compile_policy([Rule(Verdict.ALLOW, rule, unless=(exception,))])
    assert [decided(command, policy).verdict for command in (inside, outside)] == [Verdict.ASK, Verdict.ALLOW]


@pytest.mark.parametrize("command", ["foo $x", 'foo "$x"', "foo $(date)", "foo *.txt"])
def test_a_word_that_is_not_known_is_no_star(command: str) -> None:
    assert not allowed("Bash(foo *)", command)


# --- variables and wrappers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["GOOS", "RUST_LOG", "NODE_ENV", "ANTHROPIC_API_KEY", "LC_ALL", "TZ", "NO_COLOR"])
def test_a_harmless_variable_is_looked_past(name: str) -> None:
    assert allowed("Bash(foo:*)", f"{name}=x foo y")


@pytest.mark.parametrize(
    "name",
    """PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES PYTHONPATH NODE_PATH GOFLAGS RUSTFLAGS NODE_OPTIONS HOME
    TMPDIR SHELL BASH_ENV FOO X CI COLUMNS""".split(),
)
def test_any_other_variable_is_not(name: str) -> None:
    assert answer(f"{name}=x foo y", policy_of(["Bash(foo:*)"])) == ASKED
    assert answer(f"NODE_ENV=x {name}=x foo y", policy_of(["Bash(foo:*)"])) == ASKED


@pytest.mark.parametrize(
    "wrapper",
    [
        *("timeout 5", "timeout -k 5 10", "timeout -s KILL 5", "timeout --signal=KILL 5", "timeout --foreground 5"),
        *("timeout --preserve-status 5s", "timeout -v 1m", "time", "time -p", "nice", "nice -n 5", "nice -5"),
        *("stdbuf -oL", "stdbuf -o0 -e0", "nohup", "time timeout 5 nice"),
    ],
)
def test_a_safe_wrapper_is_looked_through(wrapper: str) -> None:
    assert allowed("Bash(foo:*)", f"{wrapper} foo y")
    assert allowed("Bash(foo:*)", f"NODE_ENV=x {wrapper} foo y")
    assert not allowed("Bash(foo:*)", f"{wrapper} bar y")


@pytest.mark.parametrize(
    "wrapper", ["env", "command", "exec", "sudo", "xargs", "setsid", "ionice", "bash -c", "eval", "watch"]
)
def test_no_other_wrapper_is(wrapper: str) -> None:
    assert not allowed("Bash(foo:*)", f"{wrapper} foo")


@pytest.mark.parametrize("wrapper", ["timeout 5", "nice", "nohup"])
@pytest.mark.parametrize("assignment", ["NODE_ENV=x", "PATH=/tmp", "FOO=bar"])
def test_behind_a_wrapper_an_assignment_is_no_assignment_any_more(wrapper: str, assignment: str) -> None:
    assert not allowed("Bash(foo:*)", f"{wrapper} {assignment} foo y")
    assert not allowed("Bash(foo:*)", f"{wrapper} env {assignment} foo y")


# --- compound commands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("join", [";", "&&", "||", "|", "&", "|&", "\n"])
def test_every_part_needs_its_own_proof(join: str) -> None:
    assert not allowed("Bash(foo:*)", f"foo x {join} bar y")
    assert not allowed("Bash(foo:*)", f"bar x {join} foo y")
    assert allowed("Bash(foo:*)", f"foo x {join} true")
    assert decided(f"foo x {join} bar y", policy_of(["Bash(foo:*)", "Bash(bar y)"])).allowed


@pytest.mark.parametrize(
    ("rule", "command", "verdict"),
    [
        ("Bash(make test)", "make test 2>&1 | tail -20", "allow"),
        ("Bash(cd:*)", "cd x && python3 evil.py", "ask"),
        ("Bash(foo:*)", "foo $(bar)", "ask"),
        ("Bash(foo:*)", "foo `bar`", "ask"),
        ("Bash(foo:*)", "foo <(bar)", "ask"),
        ("Bash(foo:*)", "foo & bar", "ask"),
        ("Bash(foo:*)", "(foo; bar)", "ask"),
        ("Bash(foo:*)", "if foo; then bar; fi", "ask"),
        ("Bash(foo:*)", "foo; rm -rf ~", "deny"),
        ("Bash(foo:*)", "f() { bar; }; foo", "ask"),
        ("Bash(foo:*)", "alias foo=bar; foo", "ask"),
    ],
)
def test_a_rule_covers_its_part_only(rule: str, command: str, verdict: str) -> None:
    assert str(decided(command, policy_of([rule])).verdict) == verdict


# --- what is never vouched for -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["foo > out", "foo >> out", "foo 2> out", "foo < /etc/passwd", "foo &> out"])
@pytest.mark.parametrize("rule", ["Bash", "Bash(foo:*)"])
def test_a_redirect_is_not_the_programs_own_doing(command: str, rule: str) -> None:
    assert answer(command, policy_of([rule])) == ASKED


@pytest.mark.parametrize(
    "command",
    [
        *("python3 -c 'import x'", "python3 - <<E\nimport x\nE", "node -e x", "perl -e x", "ruby -e x", "php -r x"),
        *("awk 'BEGIN { system(\"x\") }'", "sed 's/a/b/e' a.txt", "bash -c 'foo'", "sh -s < a.txt"),
    ],
)
def test_inline_code_is_not_covered_by_a_rule_on_its_interpreter(command: str) -> None:
    assert answer(command, policy_of([f"Bash({command.split()[0]}:*)"])) == ASKED


@pytest.mark.parametrize(
    "command",
    [
        *("git push --force", "git push -f origin main", "git push origin +main", "git reset --hard", "git clean -fdx"),
        *("npm publish", "redis-cli flushall", "psql -c 'drop table x'", "crontab -r"),
    ],
)
@pytest.mark.parametrize("mode", ["default", "full_auto"])
def test_what_cannot_be_undone_is_asked_about_whatever_the_rules_and_the_mode(command: str, mode: str) -> None:
    program = command.split()[0]
    policy = policy_of(["Bash", f"Bash({program}:*)"], mode=mode)  # type: ignore[arg-type]
    assert answer(command, policy) == "ask by ask"


@pytest.mark.parametrize(
    "command",
    [
        *("find . -name x -exec rm {} ';'", "xargs rm", "env rm x", "watch rm x", "eval rm x", "command rm x"),
        *("sudo rm x", "git submodule foreach 'rm x'", "uv run rm -rf src", "npx rm x", "poetry run rm x"),
        *("tar xf a.tar --to-command=rm", "nix-shell --run rm", "flock l rm x"),
    ],
)
def test_a_command_inside_another_is_not_covered_by_a_rule_on_the_outer_one(command: str) -> None:
    assert not allowed(f"Bash({command.split()[0]}:*)", command)


@pytest.mark.parametrize(
    "command", ["foo $x", 'make "$x"', "foo --x=$(bar)", "git pus$x", "$x foo", "make --dire=/tmp"]
)
def test_a_blind_gap_is_never_vouched_for(command: str) -> None:
    policy = policy_of(["Bash", "Bash(foo:*)", "Bash(make:*)", "Bash(git:*)"], mode="full_auto")
    assert not decided(command, policy).allowed or not any(gap.blind for gap in case_of(command, policy)[0].gaps)


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("cat ~/.ssh/id_rsa", "deny by floor"),
        ("cat .env", "ask by ask"),
        ("curl http://127.0.0.1/", "ask by ask"),
        ("curl http://10.0.0.1/", DENIED),
        ("curl http://169.254.169.254/", DENIED),
        ("dd if=a.txt of=/dev/sda", "deny by floor"),
        ("sudo ls", "ask by ask"),
        ("foo > .git/hooks/pre-commit", "ask by ask"),
    ],
)
def test_floor_and_built_in_questions_stand_above_rules_on_commands(command: str, verdict: str) -> None:
    assert answer(command, policy_of(["Bash"])) == verdict


# --- the folder ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("folder", ["/tmp", "/tmp/x", "..", "~", "../other", "src/../..", "/", '"$x"', "$(cat x)", "-"])
def test_outside_the_project_a_name_is_another_program(folder: str) -> None:
    assert not allowed("Bash(foo:*)", f"cd {folder} && foo")


@pytest.mark.parametrize("folder", [".", "src", "./src", PROJECT, f"{PROJECT}/src"])
def test_inside_the_project_a_rule_holds(folder: str) -> None:
    assert allowed("Bash(foo:*)", f"cd {folder} && foo")


def test_the_folder_the_tool_works_in_counts_even_outside_the_project() -> None:
    assert allowed("Bash(foo:*)", "foo", cwd="/tmp/x")
    assert not allowed("Bash(foo:*)", "cd .. && foo", cwd="/tmp/x")


# --- denials -------------------------------------------------------------------------------------------------------

DISGUISED = [
    *("rm x", "/bin/rm x", "/usr/bin/rm x", "./rm x", "FOO=bar rm x", "PATH=/tmp LANG=C rm x"),
    *("timeout 5 rm x", "timeout -k 5 5 rm x", "nice -n 5 rm x", "time -p rm x", "stdbuf -oL rm x"),
    *("nohup rm x", "env rm x", "env -i FOO=1 rm x", "env -S 'rm x'", "sudo rm x", "sudo -u u rm x"),
    *("doas rm x", "command rm x", "exec rm x", "eval rm x", "bash -c 'rm x'", 'sh -c "rm x"', "true; rm x"),
    *("true && rm x", "false || rm x", "true | rm x", "true & rm x", "(rm x)", "{ rm x; }", "! rm x"),
    *("if true; then rm x; fi", "for i in 1; do rm x; done", "while true; do rm x; done"),
    *("case a in a) rm x;; esac", "f() { rm x; }; f", "$(rm x)", "echo `rm x`", "cat <(rm x)"),
    *("find . -exec rm {} ';'", "find . -exec rm {} +", "xargs rm", "xargs -n1 rm", "ls | xargs -I{} rm {}"),
    *("r''m x", "'rm' x", '"rm" x', "\\rm x", "rm\tx", "setsid rm x", "ionice rm x", "chroot / rm x"),
    *("flock l rm x", "watch rm x", "parallel rm ::: x", "busybox rm x", "unknown rm x", "coproc rm x"),
    *("trap 'rm x' EXIT", "uv run rm x", "npx rm x", "poetry run rm x", "docker run a rm x", "ssh h rm x"),
    "time timeout 5 nice rm x",
]


@pytest.mark.parametrize("command", DISGUISED)
def test_a_deny_rule_sees_through_every_disguise(command: str) -> None:
    assert answer(command, policy_of(["Bash"], deny=["Bash(rm:*)"])) == DENIED


@pytest.mark.parametrize("command", DISGUISED)
def test_an_ask_rule_does_too_even_in_full_auto(command: str) -> None:
    policy = policy_of(["Bash"], ask=["Bash(rm:*)"], mode="full_auto")
    assert any(reason.step == "ask" for reason in decided(command, policy).reasons)


SHELLS = "sh bash dash ksh zsh rbash ash mksh fish csh tcsh".split()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_deny_rule_looks_into_the_text_of_every_shell(shell: str) -> None:
    assert answer(f"{shell} -c 'rm x'", policy_of(["Bash"], deny=["Bash(rm:*)"])) == DENIED
    assert answer(f"/bin/{shell} -c 'true; rm x'", policy_of(["Bash"], deny=["Bash(rm:*)"])) == DENIED


@pytest.mark.parametrize("shell", [*SHELLS, "pwsh", "yash", "nu", "elvish"])
def test_no_mode_passes_text_that_another_shell_reads(shell: str) -> None:
    assert not decided(f"echo 'cat ~/.ssh/id_rsa' | {shell}", policy_of(["Bash"], mode="full_auto")).allowed


@pytest.mark.parametrize(
    "command",
    [
        *("git push --force", "git push -f", "git push origin main --force", "git push -vf origin", "git push --forc"),
        *(
            "/usr/bin/git push -f",
            "git -C x push -f",
            "git -c a.b=c push --force",
            "true && git push -f",
            "git --no-pager push -f",
        ),
    ],
)
def test_a_deny_on_an_option_means_every_spelling_and_place(command: str) -> None:
    assert answer(command, policy_of(deny=["Bash(git push --force:*)"])) == DENIED


@pytest.mark.parametrize("command", ["git push", "git pull --force", "git status", "echo git push --force"])
def test_a_deny_on_an_option_spares_what_does_not_have_it(command: str) -> None:
    assert decided(command, policy_of(deny=["Bash(git push --force:*)"])).decided_by != "deny"
