"""Variables set for one program: harmless ones by list, names of nobody's for simple programs, the rest are gaps."""

from __future__ import annotations

import pytest

from assent.commands.variables import ALSO_HARMLESS, is_harmless, is_neutral
from assent.harmless import VARIABLES
from commands.rendered import rendered
from decided import answer

NEVER = """PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH PYTHONPATH NODE_PATH GOFLAGS
RUSTFLAGS NODE_OPTIONS HOME TMPDIR SHELL BASH_ENV""".split()
DANGEROUS = """IFS ENV PS4 GIT_SSH GIT_SSH_COMMAND GIT_DIR GIT_PAGER GIT_EXTERNAL_DIFF PAGER LESSOPEN LESSCLOSE
EDITOR PERL5LIB PERL5OPT RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS HTTP_PROXY https_proxy MAKEFLAGS TAR_OPTIONS
GREP_OPTIONS PROMPT_COMMAND PYTHONSTARTUP PYTHONHOME npm_config_script_shell BROWSER MANPAGER GCONV_PATH TERMINFO
TERMINFO_DIRS
POSIXLY_CORRECT AWS_CONFIG_FILE KUBECONFIG DOCKER_HOST SSH_ASKPASS SUDO_ASKPASS XDG_CONFIG_HOME LOCPATH NLSPATH
MALLOC_TRACE LD_AUDIT ld_preload RIPGREP_CONFIG_PATH""".split()


@pytest.mark.parametrize("name", sorted(VARIABLES | ALSO_HARMLESS))
def test_a_harmless_variable_says_nothing(name: str) -> None:
    assert is_harmless(name)
    assert rendered(f"{name}=x git log") == rendered("git log")


@pytest.mark.parametrize("name", [*NEVER, *DANGEROUS])
def test_a_variable_that_may_change_what_runs_is_neither_harmless_nor_neutral(name: str) -> None:
    assert not is_harmless(name)
    assert not is_neutral(name)


@pytest.mark.parametrize("name", [*NEVER, *DANGEROUS])
@pytest.mark.parametrize("command", ["cat a.txt", "git log", "echo x", "foo"])
def test_such_a_variable_is_asked_about_before_any_program(name: str, command: str) -> None:
    assert f"gap sets the variable {name}" in rendered(f"{name}=x {command}").split(" | ")
    assert answer(f"{name}=x {command}") == "ask by mode"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("X=1 cat a", "read a"),
        ("FOO=1 BAR=2 cat a", "read a"),
        ("X=1 git log", "gap sets the variable X"),
        ("IFS= read -r x", "note read"),
        ("IFS=: read -r a b", "note read"),
        ("IFS=: cat a", "gap sets the variable IFS"),
        ("X=1 Y=2 git log", "gap sets the variable Y"),
    ],
)
def test_simple_programs_do_not_look_at_names_of_nobodys(command: str, expected: str) -> None:
    said = rendered(command).split(" | ")
    assert expected in said
    assert any(part.startswith("gap sets") for part in said) == expected.startswith("gap")


@pytest.mark.parametrize(
    "setting",
    """GIT_PAGER=cat GIT_PAGER= PAGER=cat MANPAGER=cat BAT_PAGER= GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0
    GIT_TERMINAL_PROMPT=1 MANWIDTH=80""".split(),
)
def test_a_value_that_makes_a_program_safer_says_nothing(setting: str) -> None:
    assert rendered(f"{setting} git log") == rendered("git log")
    assert rendered(f"env {setting} git log") == rendered("env git log")


@pytest.mark.parametrize(
    "setting",
    ["GIT_PAGER=./cat", "PAGER='cat; id'", "PAGER=$x", "GIT_TERMINAL_PROMPT=2", "MANWIDTH=x", "MANWIDTH="],
)
def test_other_values_of_the_same_variables_are_asked_about(setting: str) -> None:
    assert f"gap sets the variable {setting.partition('=')[0]}" in rendered(f"{setting} git log")


def test_the_list_is_that_of_the_specification() -> None:
    assert sorted(VARIABLES) == sorted(
        """GOEXPERIMENT GOOS GOARCH CGO_ENABLED GO111MODULE RUST_BACKTRACE RUST_LOG NODE_ENV PYTHONUNBUFFERED
        PYTHONDONTWRITEBYTECODE PYTEST_DISABLE_PLUGIN_AUTOLOAD PYTEST_DEBUG ANTHROPIC_API_KEY LANG LANGUAGE LC_ALL
        LC_CTYPE LC_TIME CHARSET TERM COLORTERM NO_COLOR FORCE_COLOR TZ LS_COLORS LSCOLORS GREP_COLOR GREP_COLORS
        GCC_COLORS TIME_STYLE BLOCK_SIZE BLOCKSIZE""".split()
    )


@pytest.mark.parametrize("name", ["PATH", "LD_PRELOAD", "BASH_ENV"])
def test_a_variable_that_stays_set_counts_as_well(name: str) -> None:
    for command in (f"export {name}=x; ls", f"{name}=x; ls", f"env {name}=x ls", f"declare -x {name}=x; ls"):
        assert answer(command) == "ask by mode", command
