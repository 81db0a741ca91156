"""What is known about the shell between two commands: possible folders and the values of variables."""

from __future__ import annotations

from assent.record import record, replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Stops = list[tuple[str, "State"]]
    """States in which an operator skips what stands behind it."""

MAX_FOLDERS = 4
RISKY_NAMES = frozenset(
    """PATH IFS HOME PWD OLDPWD CDPATH ENV BASH_ENV PS0 PS1 PS2 PS4 PROMPT_COMMAND SHELL SHELLOPTS BASHOPTS TMPDIR
    GLOBIGNORE EXECIGNORE FIGNORE HISTFILE HISTCMD RANDOM SRANDOM SECONDS LINENO OPTIND OPTARG EDITOR VISUAL PAGER
    BROWSER DISPLAY TERMINFO LANGUAGE LESSOPEN LESSCLOSE MANPAGER INPUTRC MAILCHECK POSIXLY_CORRECT
    TIMEFORMAT FUNCNAME GROUPS DIRSTACK PIPESTATUS EPOCHSECONDS EPOCHREALTIME BASHPID UID EUID PPID COPROC MAPFILE
    TEXTDOMAIN TEXTDOMAINDIR COMP_WORDS COMP_CWORD COMP_LINE COMP_POINT _ OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES
    VIRTUAL_ENV CONDA_PREFIX CONDA_EXE DOCKER_HOST DOCKER_CONFIG DOCKER_CONTEXT KUBECONFIG JAVACMD MANOPT LESS MAKEFILES
    MAKE GNUPGHOME WGETRC CURL_HOME SSL_CERT_FILE CC CXX LD AR AS CPP PGHOST PGPASSFILE PGSERVICEFILE HELM_PLUGINS
    KUBERNETES_EXEC_INFO AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_PROFILE AWS_ENDPOINT_URL ANSIBLE_CONFIG
    ANSIBLE_LIBRARY VAULT_ADDR TF_CLI_CONFIG_FILE TF_PLUGIN_CACHE_DIR TF_DATA_DIR CMAKE_TOOLCHAIN_FILE CTEST_LAUNCH
    RIPGREP_CONFIG_PATH GREP_OPTIONS BAT_PAGER DELTA_PAGER FZF_DEFAULT_COMMAND""".split()
)
RISKY_BEGINNINGS = tuple(
    """LD_ DYLD_ BASH_ GIT_ SSH_ PYTHON PERL RUBY NODE_ NPM_ GO RUST CARGO_ JAVA_ MAVEN_ XDG_ UV_ PIP_ PYTEST_ CLOUDSDK_
    DOTNET_ RUFF_ npm_config_ COREPACK_ LUA_ TF_CLI_ YARN_ BUN_""".split()
)
RISKY_ENDINGS = ("_OPTIONS", "_OPTS", "PAGER", "EDITOR", "_PATH", "_PRELOAD", "FLAGS", "_COMMAND", "_PROXY", "_proxy")


def is_risky_variable(name: str) -> bool:
    """A variable that changes what programs do; the shell's own names and what tools read from the environment."""
    return name in RISKY_NAMES or name.startswith(RISKY_BEGINNINGS) or name.endswith(RISKY_ENDINGS)


@record
class State:
    """`cwds` are the folders the shell may be in, none when that is not known; a variable of None is unknown."""

    cwds: tuple[str, ...] = ()
    variables: Mapping[str, Word | None] = {}

    def knowing(self, name: str, value: Word | None) -> State:
        return replace(self, variables={**self.variables, name: value})

    def at(self, cwds: tuple[str, ...]) -> State:
        found = tuple(dict.fromkeys(cwds))
        known = {**self.variables, "PWD": folder_word(found)}
        return replace(self, cwds=found if len(found) <= MAX_FOLDERS else (), variables=known)

    def somewhere(self) -> State:
        return replace(self, cwds=(), variables={**self.variables, "PWD": None})

    def forgetting(self) -> State:
        """Whatever was known about variables may have changed."""
        return replace(self, variables={})

    def or_else(self, other: State) -> State:
        """Either of two: folders of both, variables they agree on."""
        if self is other:
            return self
        cwds = tuple(dict.fromkeys((*self.cwds, *other.cwds))) if self.cwds and other.cwds else ()
        cwds = cwds if len(cwds) <= MAX_FOLDERS else ()
        if self.variables is other.variables:
            return State(cwds, self.variables)
        shared = {name: _either(value, other.variables.get(name)) for name, value in self.variables.items()}
        missing = {name: None for name in other.variables if name not in shared}
        return State(cwds, shared | missing)


def _either(one: Word | None, other: Word | None) -> Word | None:
    """What is known of a variable that holds one or the other; of two numbers, that it holds one."""
    if one is other or one is None or other is None or one == other:
        return one if one is other or one == other else None
    from assent.shell.numbers import SOME_NUMBER, is_number

    return SOME_NUMBER if is_number(one) and is_number(other) else None


def folder_word(cwds: tuple[str, ...]) -> Word | None:
    """The value of PWD, if there is only one folder and it is written without `..`, which links may lead astray."""
    if len(cwds) != 1 or not cwds[0].startswith("/") or "/.." in cwds[0]:
        return None
    return Word("$PWD", cwds[0])


_begun: dict[tuple[str, str], State] = {}
MOST_BEGUN = 100


def state_at(cwd: str, home: str) -> State:
    """What a shell knows when it begins; the same for all texts that are read in one folder."""
    state = _begun.get((cwd, home))
    if state is None:
        known = {"HOME": Word("$HOME", home)} if home else {}
        state = State((cwd,) if cwd else (), {**known, "PWD": folder_word((cwd,))})
        if len(_begun) >= MOST_BEGUN:
            _begun.clear()
        _begun[cwd, home] = state
    return state


def forget() -> None:
    """Empty what is remembered about folders, for measurements."""
    _begun.clear()


def all_of(states: list[State]) -> State:
    """Any of several."""
    found = states[0]
    for state in states[1:]:
        found = found.or_else(state)
    return found


def linked(first: State, after: State, failed: State, operator: str, stops: Stops) -> State:
    """What is known behind an operator; `stops` are the states in which the chain before it skips what follows.

    Until the other operator: behind `&&` goes on what an earlier `||` skipped, as in `true || cd a && ls`. `first` is
    what was known before the chain: behind `&` nothing of it has changed this shell.
    """
    if operator in ("&&", "||"):
        goes_on = [state for before, state in stops if before != operator]
        same = [state for before, state in stops if before == operator]
        stops[:] = [(operator, all_of([*same, failed if operator == "&&" else after]))]  # one for each operator
        return all_of([after if operator == "&&" else failed, *goes_on])
    state = first if operator == "&" else all_of([failed, *[state for _, state in stops]])
    stops.clear()
    return state


def folder_after(cwd: str, target: str) -> str:
    """Where `cd target` leads, as written; links are the resolver's business."""
    return target if target.startswith(("/", "~")) else f"{cwd.rstrip('/')}/{target}"
