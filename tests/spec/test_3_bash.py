"""Section 3: the decision on a command line, step by step."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from assent import (
    MAX_SUBCOMMANDS_FOR_SECURITY_CHECK,
    MAX_SUGGESTED_RULES_FOR_COMPOUND,
    PermissionMode,
    PermissionResult,
    PermissionSettings,
    bash_tool_has_permission,
)
from assent.testing import FrozenWorld
from spec.spec_scene import FILES, HOME, PROJECT, bash, behavior

HARMLESS = """
GOEXPERIMENT GOOS GOARCH CGO_ENABLED GO111MODULE RUST_BACKTRACE RUST_LOG NODE_ENV PYTHONUNBUFFERED
PYTHONDONTWRITEBYTECODE PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTEST_DEBUG ANTHROPIC_API_KEY LANG LANGUAGE LC_ALL
LC_CTYPE LC_TIME CHARSET TERM COLORTERM NO_COLOR FORCE_COLOR TZ LS_COLORS LSCOLORS GREP_COLOR GREP_COLORS
GCC_COLORS TIME_STYLE BLOCK_SIZE BLOCKSIZE
""".split()
HARMFUL = """
PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH PYTHONPATH NODE_PATH GOFLAGS RUSTFLAGS
NODE_OPTIONS HOME TMPDIR SHELL BASH_ENV FOO
""".split()
NEVER_PREFIXES = """
sh bash zsh fish csh tcsh ksh dash cmd powershell pwsh env xargs nice stdbuf nohup timeout time sudo doas
pkexec
""".split()

# --- the entry point -----------------------------------------------------------------------------------------------


def test_the_entry_point_answers_with_a_behaviour_and_a_trace() -> None:
    """One function takes a command and a context, and answers allow, ask, deny or passthrough."""
    result = bash_tool_has_permission("ls -la", PermissionSettings())
    assert isinstance(result, PermissionResult)
    assert result.behavior == "allow"
    assert behavior("make deploy") == "ask"
    assert behavior("cat ~/.ssh/id_rsa") == "deny"
    assert behavior("# nothing runs") == "passthrough"


def test_the_trace_names_every_step_in_order() -> None:
    """The trace shows each step by its name, in the order of the specification."""
    names = [name for name, _ in bash("FOO=1 sed -n 1p readme.md | sort > out.txt").trace]
    wanted = ["0 parse", "1 sandbox", "2 exact rule", "3 classifier", "4 operators", "5 misparse gate", "6 fan-out"]
    assert names[:7] == wanted
    inner = [name.partition(": ")[2] for name in names if name.startswith("7 part 1: ")]
    assert inner == [
        "exact, prefix and wildcard rules",
        "injection checks",
        "path constraints",
        "sed constraints",
        "mode",
        "read-only",
    ]
    assert names[-1] == "answer"


@pytest.mark.parametrize(
    "command", ["echo $((a[$(ls)]))x | eval $y", "coproc x", "f() { ls; }; f", 'eval "$x"', "ls $'\\x"]
)
def test_too_complex_asks_and_says_which_construct(command: str) -> None:
    """What cannot be read as a whole asks and names the construct; deny rules are looked for in it first."""
    result = bash(command)
    assert result.behavior == "ask"
    assert result.decision.gaps or "not" in result.message
    assert behavior(f"rm x; {command}", deny=["Bash(rm:*)"]) == "deny"


def test_a_text_that_no_parser_reads_never_allows() -> None:
    """Where no strict reading exists, the answer is ask or deny and never allow, also in FULL_AUTO."""
    for mode in PermissionMode:
        result = bash_tool_has_permission("Get-ChildItem | Out-Null", PermissionSettings(mode=mode), shell="pwsh")
        assert result.behavior in ("ask", "deny")
    denied = PermissionSettings(mode=PermissionMode.FULL_AUTO, deny=["Bash(rm:*)"])
    assert bash_tool_has_permission("rm x", denied, shell="pwsh").behavior == "deny"


# --- step 1: sandbox -----------------------------------------------------------------------------------------------


def test_the_sandbox_answers_only_where_it_is_switched_on_and_present(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that really runs confined is allowed if the setting is on; deny rules come first, part by part."""
    from assent import Guard

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "p/.git").mkdir(parents=True)

    def state(command: str, sandbox: str, *, on: bool) -> str:
        settings = PermissionSettings(auto_allow_bash_if_sandboxed=on, deny=["Bash(rm:*)"])
        with Guard(
            workspace=str(tmp_path / "p"), settings=settings, channels=[], on_ask="deny", sandbox=sandbox
        ) as guard:
            return guard.authorize_sync(guard.call("Bash", {"command": command}, cwd=str(tmp_path / "p"))).state

    assert state("make deploy", "inside", on=True) == "allowed"
    assert state("make deploy", "inside", on=False) == "unasked"
    assert state("make deploy", "no sandbox works here", on=True) == "unasked"
    assert state("make deploy && rm x", "inside", on=True) == "denied"
    assert state("cat ~/.ssh/id_rsa", "inside", on=True) == "denied"


# --- step 2: exact rules -------------------------------------------------------------------------------------------


def test_an_exact_rule_decides_about_exactly_this_command() -> None:
    """An exact deny denies, an exact ask asks, and an exact allow allows these very words and no others."""
    assert behavior("make test", deny=["Bash(make test)"], mode=PermissionMode.FULL_AUTO) == "deny"
    assert behavior("ls -l", ask=["Bash(ls -l)"]) == "ask"
    assert behavior("make test", allow=["Bash(make test)"]) == "allow"
    assert behavior("make test -k", allow=["Bash(make test)"]) == "ask"


def test_an_exact_allow_waits_for_the_path_constraints() -> None:
    """An exact allow does not reach past the floor, denied paths and secret files."""
    assert behavior("cat ~/.ssh/id_rsa", allow=["Bash(cat ~/.ssh/id_rsa)"]) == "deny"
    assert behavior("cat .env", allow=["Bash(cat .env)"]) == "ask"


# --- step 3: classifier --------------------------------------------------------------------------------------------


def test_without_descriptions_the_classifier_is_skipped() -> None:
    """Nothing configured means that no model is asked."""
    result = bash("make test")
    assert dict(result.trace)["3 classifier"].startswith("skipped")
    assert result.pending_classifier_check is None


@pytest.mark.parametrize("command", ["make test", "coproc x", "frobnicate y", "git push --force", "cat .env"])
def test_a_classifier_check_stays_pending_on_every_ask(command: str) -> None:
    """With allow descriptions every ask carries a check with command, folder and descriptions, too complex ones too."""
    check = bash(command, allow_if=["running tests"]).pending_classifier_check
    assert check is not None
    assert (check.command, check.cwd, check.descriptions) == (command, PROJECT, ("running tests",))


def judged(command: str, confidence: object, *, matches: bool = True, **settings: Any) -> bool:
    check = bash(command, allow_if=["running tests"], **settings).pending_classifier_check
    assert check is not None

    def classify(text: str, cwd: str, descriptions: tuple[str, ...]) -> dict[str, object]:
        assert (text, cwd, descriptions) == (command, PROJECT, ("running tests",))
        return {"matches": matches, "confidence": confidence}

    return asyncio.run(check.run(classify))


def test_only_high_confidence_counts() -> None:
    """A match with high confidence, as a word or a number, approves; anything less does not."""
    assert judged("make test", "high")
    assert judged("make test", 0.95)
    for confidence in ("medium", "low", "certain", 0.5, None):
        assert not judged("make test", confidence)
    assert not judged("make test", "high", matches=False)


@pytest.mark.parametrize("command", ["frobnicate y", "coproc x", "git push --force", "cat .env", "ls | sh"])
def test_a_model_never_answers_for_an_ask_or_what_is_not_understood(command: str) -> None:
    """A match answers only what the mode alone asks: no ask, no check, no stop-list, nothing that is not understood."""
    assert not judged(command, "high")
    assert not judged("make test", "high", ask=["Bash(make:*)"])


def test_a_deny_has_no_pending_check() -> None:
    """Nothing is pending about what is denied."""
    assert bash("cat ~/.ssh/id_rsa", allow_if=["x"]).pending_classifier_check is None
    assert bash("make test", allow_if=["x"], deny=["Bash(make:*)"]).pending_classifier_check is None


def test_the_speculative_check_is_started_looked_at_and_taken() -> None:
    """The check can begin before anybody knows that it is needed: start, peek, consume."""
    check = bash("make test", allow_if=["running tests"]).pending_classifier_check
    assert check is not None

    async def story() -> tuple[object, object, object]:
        ready = asyncio.Event()

        async def classify(*_: object) -> dict[str, object]:
            await ready.wait()
            return {"matches": True, "confidence": "high"}

        search = check.start(classify)
        assert search is not None
        before = search.peek()
        ready.set()
        found = await search.consume()
        return before, found, search.peek()

    before, found, after = asyncio.run(story())
    assert before is None
    assert found is after is not None


# --- steps 4 and 6: operators and fan-out --------------------------------------------------------------------------


def test_an_allow_for_one_part_says_nothing_about_another() -> None:
    """Each part behind `|`, `&`, `&&`, `||`, `;` and `>` needs its own proof."""
    allow = ["Bash(make test)"]
    assert behavior("make test 2>&1 | tail -20", allow=allow) == "allow"
    for joined in ("|", "&&", "||", ";", "&"):
        assert behavior(f"make test {joined} make deploy", allow=allow) == "ask"
    assert behavior("make test > out.txt", allow=allow) == "ask"


def test_more_than_fifty_parts_ask_but_denies_are_found_in_all_of_them() -> None:
    """Past the cap the answer is ask, and a deny rule still finds the hundredth part."""
    assert MAX_SUBCOMMANDS_FOR_SECURITY_CHECK == 50
    assert behavior("; ".join(["ls"] * 50)) == "allow"
    assert behavior("; ".join(["ls"] * 51)) == "ask"
    many = "; ".join(["ls"] * 500 + ["rm x"])
    assert behavior(many, deny=["Bash(rm:*)"], mode=PermissionMode.FULL_AUTO) == "deny"


def test_more_than_one_cd_asks() -> None:
    """Changing the folder twice asks."""
    assert behavior("cd src && ls") == "allow"
    assert behavior("cd src && cd .. && ls") == "ask"


# --- rules ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "command", "answer"),
    [
        ("Bash(npm test)", "npm test", "allow"),
        ("Bash(git commit:*)", "git commit -m x", "allow"),
        ("Bash(git commit:*)", "git commit-tree x", "ask"),
        ("Bash(npm run * --watch)", "npm run build --watch", "allow"),
        ("Bash(npm run * --watch)", "npm run -s --watch", "ask"),
        ("Bash(npm run * --watch)", "npm run a b --watch", "ask"),
        ("Bash(ls:*)", "lsof", "ask"),
        ("Bash(make *)", "make a && ls", "allow"),
        ("Bash(make *)", "make a; make b c", "ask"),
        ("Bash(cd:*)", "cd x && python3 evil.py", "ask"),
        ("Bash(echo:*)", "echo $(make deploy)", "ask"),
    ],
)
def test_rules_are_sequences_of_words(rule: str, command: str, answer: str) -> None:
    """In an allow rule `*` is one word that is no option and never an operator; a prefix ends at a word."""
    assert behavior(command, allow=[rule]) == answer


@pytest.mark.parametrize(
    "command",
    [
        "git push --force",
        "git push -f",
        "git push origin main --force",
        "git push -f origin main",
        "git push -vf origin",
        "/usr/bin/git push --force",
        "git -C x push --force",
        "git -c a=b push -f",
        "FOO=1 git push -f",
        "sudo git push -f",
        "timeout 5 env A=1 git push -f",
        "true; git push -f",
        "echo $(git push -f)",
        "bash -c 'git push -f'",
        "ls | xargs git push -f",
        "git push --forc",
        "g=git; $g push -f",
        "if true; then git push -f; fi",
    ],
)
@pytest.mark.parametrize("mode", list(PermissionMode))
def test_a_deny_rule_means_every_spelling(mode: PermissionMode, command: str) -> None:
    """`git push --force:*` as a deny also means `-f`, any order, any path, any wrapper, any place in the line."""
    assert behavior(command, deny=["Bash(git push --force:*)"], mode=mode) == "deny"


@pytest.mark.parametrize(
    "command", ["rm x", "ls; rm x", "$(rm x)", "FOO=1 rm x", "sudo rm x", "bash -c 'rm x'", "x | rm y"]
)
def test_ask_rules_look_inside_as_well(command: str) -> None:
    """An ask rule is found in compound commands and behind wrappers, in FULL_AUTO too."""
    assert behavior(command, ask=["Bash(rm:*)"], mode=PermissionMode.FULL_AUTO) == "ask"


def test_star_in_a_deny_rule_stands_for_anything() -> None:
    """In deny and ask rules `*` stands for options too."""
    assert behavior("npm run -s x --watch", deny=["Bash(npm run * --watch)"]) == "deny"


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_variables_are_stripped_for_an_allow(name: str) -> None:
    """A known-harmless assignment before a command does not keep an allow rule from matching."""
    assert behavior(f"{name}=1 make test", allow=["Bash(make test)"]) == "allow"


@pytest.mark.parametrize("name", HARMFUL)
def test_other_variables_are_never_stripped_for_an_allow(name: str) -> None:
    """Variables that choose programs, libraries or options, and unknown ones, keep an allow rule from matching."""
    assert behavior(f"{name}=x make test", allow=["Bash(make test)"]) == "ask"


@pytest.mark.parametrize("name", [*HARMLESS, *HARMFUL])
def test_every_assignment_is_stripped_for_a_deny(name: str) -> None:
    """No assignment hides a command from a deny or ask rule."""
    assert behavior(f"{name}=bar rm x", deny=["Bash(rm:*)"], mode=PermissionMode.FULL_AUTO) == "deny"
    assert behavior(f"A=1 {name}=bar rm x", ask=["Bash(rm:*)"], mode=PermissionMode.FULL_AUTO) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "timeout 60 make test",
        "timeout -k 5 -s KILL --preserve-status 60 make test",
        "timeout --foreground 1m make test",
        "time make test",
        "nice -n 5 make test",
        "nice -5 make test",
        "stdbuf -oL make test",
        "nohup make test",
        "timeout 5 nice make test",
    ],
)
def test_safe_wrappers_are_looked_through(command: str) -> None:
    """`timeout` with its flags, `time`, `nice`, `stdbuf` and `nohup` do not change what an allow rule names."""
    assert behavior(command, allow=["Bash(make test)"]) == "allow"


@pytest.mark.parametrize(
    "command", ["timeout 60 NODE_ENV=x make test", "timeout 60 env NODE_ENV=x make test", "nice env LANG=C make test"]
)
def test_after_a_wrapper_assignments_are_no_longer_stripped(command: str) -> None:
    """Behind a wrapper no assignment is looked through for an allow."""
    assert behavior(command, allow=["Bash(make test)"]) == "ask"


# --- git repositories ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "files",
    [
        {
            "evil/HEAD": "ref: refs/heads/main\n",
            "evil/config": "[core]\n\tbare = true\n",
            "evil/objects/": "",
            "evil/refs/": "",
        },
        {
            "evil/.git/HEAD": "ref: refs/heads/main\n",
            "evil/.git/config": "[core]\n\tfsmonitor = ./x.sh\n",
            "evil/.git/objects/": "",
            "evil/.git/refs/": "",
        },
    ],
)
def test_git_in_a_repository_that_runs_programs_asks(files: dict[str, str]) -> None:
    """`cd X && git Y` asks where X is a bare repository or its configuration runs a program."""
    world = FrozenWorld({**FILES, **{f"{PROJECT}/{name}": text for name, text in files.items()}}, home=HOME)
    assert behavior("cd evil && git status", world=world) == "ask"
    assert behavior("git status", world=world) == "allow"


# --- suggestions ---------------------------------------------------------------------------------------------------


def test_a_suggested_rule_covers_the_command_it_was_suggested_for() -> None:
    """Every suggestion alone, or all that are suggested together, turns the question into an allow."""
    for command in (
        "git commit -m 'first try'",
        "make test",
        "mkdir dist && git commit -m x",
        "npm run build",
        "NODE_ENV=x npm run build",
        "timeout 5 make test",
    ):
        result = bash(command)
        assert result.behavior == "ask"
        assert result.suggestions or result.together
        for rule in result.suggestions:
            assert behavior(command, allow=[rule]) == "allow"
        if result.together:
            assert behavior(command, allow=list(result.together)) == "allow"


def test_the_prefix_of_a_suggestion_is_program_and_subcommand() -> None:
    """A plain lower-case second word makes a prefix rule; otherwise only the exact command is suggested."""
    assert "Bash(git commit:*)" in bash("git commit -m x").suggestions
    assert bash("make -k test").suggestions == ("Bash(make -k test)",)


def test_a_heredoc_is_no_part_of_a_suggested_rule() -> None:
    """With a heredoc the rule names what stands before it, never its text."""
    result = bash("git commit -F - <<'EOF'\nfirst line\nEOF")
    assert result.suggestions
    assert all("first line" not in rule and "<<" not in rule for rule in result.suggestions)


def test_at_most_five_rules_for_a_compound_command() -> None:
    """A command line with more parts that ask than five gets no suggestion at all, rather than a part of one."""
    assert MAX_SUGGESTED_RULES_FOR_COMPOUND == 5
    five = bash(" && ".join(f"make t{n}" for n in range(5)))
    assert len(five.together) == 5
    six = bash(" && ".join(f"make t{n}" for n in range(6)))
    assert (six.suggestions, six.together) == ((), ())


@pytest.mark.parametrize("program", NEVER_PREFIXES)
def test_shells_and_wrappers_are_never_suggested_as_a_prefix(program: str) -> None:
    """No suggested rule is a prefix that begins with a bare shell or wrapper."""
    for command in (f"{program} run x", f"{program} deploy", f"{program} -c x"):
        for rule in (*bash(command).suggestions, *bash(command).together):
            assert not (rule.startswith(f"Bash({program}") and rule.endswith(":*)"))


@pytest.mark.parametrize(
    "command", ["make deploy TOKEN=ghp_abcdefghijklmnopqrstuvwxyz0123456789", "deploy --password hunter2 now"]
)
def test_a_suggestion_never_stores_a_secret(command: str) -> None:
    """A command with what looks like a secret is never suggested word by word."""
    result = bash(command)
    for rule in (*result.suggestions, *result.together):
        assert "ghp_" not in rule
        assert "hunter2" not in rule


def test_the_prefix_function_is_the_caller_s() -> None:
    """The function that extracts a prefix can be handed in; what it returns must still fit and name no shell."""

    def suggest(command: str, prefix: str | None) -> tuple[str, ...]:
        return bash_tool_has_permission(command, PermissionSettings(), lambda text: prefix).suggestions

    assert "Bash(npm run build:*)" in suggest("npm run build --fast", "npm run build")
    assert all(not rule.endswith(":*)") for rule in suggest("npm run build", None))
    assert all("git" not in rule for rule in suggest("npm run build", "git push"))
    assert all(not rule.endswith(":*)") for rule in suggest("bash deploy.sh", "bash deploy.sh"))
