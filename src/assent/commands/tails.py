"""Commands that may stand in the words of another: behind a program nobody knows, and in values that may be commands.

For finding what is denied. A word whose place is known to hold text or a path is none: `grep make Makefile`.
"""

from __future__ import annotations

from assent.commands.git import is_harmless_setting
from assent.commands.spelled import sort_words
from assent.commands.table import family_of, ignores_variables, program_named
from assent.commands.variables import is_harmless, is_neutral, is_safe_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from assent.getopt import Given, Reading
    from assent.types import Call, Effect

    Said = tuple[str, ...]
    Concerns = Callable[[str], bool]

STARTS = frozenset(("program", "inline", "wrapped"))
"""Codes of effects whose target is a command, or may be."""
SHELLS = frozenset("bash sh dash ksh zsh fish csh tcsh ash mksh rbash yash pwsh powershell nu elvish xonsh".split())
RELAYS = frozenset(
    "ssh watch tmux screen parallel script su sudo xargs env flock nix-shell hyperfine entr at expect".split()
)
"""Programs that hand a word with blanks to a shell, or may."""
LOADERS = ("ld-linux", "ld.so")
CALLS_BACK = frozenset("compgen complete mapfile readarray".split())
"""Commands of the shell whose option `-C` is a command."""
ESCAPES = frozenset(("viewers", "editors", "manuals", "transfer"))
"""Families of programs for which `!` begins a command."""
HOLDS_COMMAND = tuple(
    """PAGER EDITOR VISUAL BROWSER COMMAND CMD SHELL PROGRAM HELPER ASKPASS EXEC RSH SSH WRAPPER LESSOPEN LESSCLOSE HOOK
    LAUNCHER RUNNER COMPILER EXTERNAL_DIFF TERMINAL VIEWER DEBUGGER""".split()
)
TOOLS = frozenset("CC CXX CPP LD AR AS NM FC MAKE RUSTC RUSTDOC SUDO PYTHON NODE JAVA PERL5DB PS4 ENV BASH_ENV".split())
"""Variables of such names hold commands by themselves, wherever they are set."""
EXPORTS = frozenset("export declare typeset readonly local".split())
SETTING_KEYS = frozenset("editor shell script-shell browser viewer git init-module node-options pager".split())
RUNNING = tuple(
    """exec command cmd editor pager shell launcher wrapper runner program interpreter preprocess entrypoint rsh
    rsync-path upload-pack receive-pack toolexec plugin compress-program browser renderer hook run-under run_under
    askpass helper""".split()
)
"""Pieces of the names of options whose value is a command wherever there are such."""
RUNNING_TOO = frozenset(("--pre", "--run"))
PASSES_ON = frozenset(("kubectl run", "kubectl debug", "oc run", "oc debug", "tox exec", "tox e", "arch"))
"""Commands that start what stands behind their own words, although nothing is said about it."""
EXTERNAL = "ext::"
"""Begins a git address that is a command."""
MOST_WORDS = 200
BETWEEN = str.maketrans({**dict.fromkeys("\"',[]", " "), **dict.fromkeys("(){}!`", ";")})
"""A text in another language, so that what stands in its quotes and brackets can be looked at as commands."""


def texts_in(call: Call, effects: Iterable[Effect], concerns: Concerns) -> Iterator[str]:
    """Texts that a call may run as commands, other than those its effects name."""
    words = said(call)
    yield from _assigned(call, words[0])
    yield from _shell_texts(_short(words[0]), words[1:])
    yield from (word[len(EXTERNAL) :] for word in words[1:] if word.startswith(EXTERNAL))
    if not is_described(words[0]):
        for word in words[1:]:
            yield from _values(word, concerns)
        return
    reading = sort_words(words, words[1:], lenient=True)
    for given in [given for ways in reading.options for way in ways for given in way]:
        yield from _option_texts(given, known=reading.known)
    for word in words[1:]:
        if "!" in word and family_of(_short(words[0])) in ESCAPES:
            yield word.partition("!")[2]
    if any(effect.kind == "run" for effect in effects):
        yield from (operand for operand, _ in reading.operands if " " in operand)
    yield from _settings(words, reading)


def _option_texts(given: Given, *, known: bool) -> Iterator[str]:
    """The values of an option that starts what it is given, or may; and those that say so by a sign or a name."""
    if not given.values:
        return
    starts = given.runs or (given.guessed and known) or any(map(_names_a_command, given.names))
    for value in given.values:
        key, equals, rest = value.partition("=")
        if starts or value[:1] in ("|", "!"):
            yield value.lstrip("|!")
            yield value.translate(BETWEEN)
        if equals and (starts or holds_command(key.upper())):
            yield rest


def _names_a_command(option: str) -> bool:
    return option in RUNNING_TOO or (option[:2] == "--" and any(piece in option for piece in RUNNING))


def _shell_texts(name: str, words: Said) -> Iterator[str]:
    """What shells are told by `-c`, in whatever spelling, the text of a trap, and what is handed to other shells."""
    if name == "trap" or (name in SHELLS and any(word[:1] == "-" and "c" in word for word in words)):
        yield from (word for word in words if word[:1] != "-")
    elif name in CALLS_BACK:
        for at, word in enumerate(words):
            if word[:1] == "-" and "C" in word:
                yield word.partition("C")[2] or " ".join(words[at + 1 : at + 2])
    elif name in RELAYS:
        yield from (word for word in words if " " in word)


def tails_in(words: Said, effects: Iterable[Effect], concerns: Concerns) -> Iterator[int]:
    """Where ends of the words of a call begin that may be commands; of a program that nobody knows, every one."""
    if not is_described(words[0]) or _short(words[0]).startswith(LOADERS):
        for at in range(1, len(words)):
            if words[at] and words[at][0] != "-" and concerns(words[at]):
                yield at
        return
    reading = sort_words(words, words[1:], lenient=True)
    named = {_short(words[0]), f"{_short(words[0])} {next((operand for operand, _ in reading.operands), '')}"}
    starts = _starts_more(words, effects) or not PASSES_ON.isdisjoint(named)
    at = 1
    for number, (operand, loose) in enumerate(reading.operands):
        place = _place(words, operand, at, loose=loose)
        at = place + 1 if place else at
        if place and ((loose and reading.known) or (starts and number >= reading.fixed)) and concerns(operand):
            yield place


def _place(words: Said, operand: str, start: int, *, loose: bool) -> int:
    """Where an operand stands; 0 for one that is only a part of a word, such as the value in `--name=value`."""
    for at in range(start, len(words)):
        if words[at] == operand and not (loose and words[at - 1][:1] != "-"):
            return at
    return 0


def said(call: Call) -> Said:
    """The words of a call; of one that is not known how it is written, without quotes."""
    return tuple([word.text.replace('"', "") if word.value is None else word.value for word in call.words])


def _short(program: str) -> str:
    return program[program.rfind("/") + 1 :]


def is_described(program: str) -> bool:
    name = _short(program)
    return program_named(name) is not None or (name.startswith("git-") and program_named("git") is not None)


def _starts_more(words: Said, effects: Iterable[Effect]) -> bool:
    """Whether a program starts something, and its words do not say what: `docker run image make`."""
    name, words = _short(words[0]), words[:MOST_WORDS]
    for effect in effects:
        starts = effect.kind == "run" and effect.code in STARTS and effect.target != name
        if starts and not any(_is_from(effect.target, " ".join(words[at:])) for at in range(1, len(words))):
            return True
    return False


def _is_from(target: str, words: str) -> bool:
    """Whether what is started stands in the words, which may go on behind it, or it says more: `make (in a pod)`."""
    return words.startswith(target) or target.startswith(words)


def _values(word: str, concerns: Concerns) -> Iterator[str]:
    """What a word of an unknown program may hand to a shell: all of it, or what stands behind the name of an option."""
    value = word.partition("=")[2] if word[:1] == "-" else word
    if value and (" " in value or value != word or not value[0].isalnum()):
        yield value.translate(BETWEEN) if not value.isalnum() else value
    if word[:1] == "-" and word[1:2] != "-" and len(word) > 2 and concerns(word[2:]):
        yield word[2:]


def _assigned(call: Call, program: str) -> Iterator[str]:
    """Values of variables that may be commands: `GIT_PAGER=make git log`."""
    for name, value in call.assignments:
        text = value.text if value.value is None else value.value
        if is_harmless(name) or is_safe_value(name, value.value) or not text:
            continue
        if holds_command(name) or not (ignores_variables(_short(program)) and is_neutral(name)):
            yield text
    if _short(program) in EXPORTS:
        for word in said(call)[1:]:
            yield from assigned_command(word)


def assigned_command(word: str) -> Iterator[str]:
    """The value of an assignment, if its variable is one that programs take a command from."""
    name, equals, value = word.partition("=")
    if equals and value and holds_command(name) and not is_safe_value(name, value):
        yield value


def holds_command(variable: str) -> bool:
    return variable in TOOLS or any(piece in variable for piece in HOLDS_COMMAND)


def _settings(words: Said, reading: Reading) -> Iterator[str]:
    """Values of settings that name programs: `git -c core.pager=x`, `git config core.pager x`."""
    operands = [operand for operand, _ in reading.operands]
    name = _short(words[0])
    if name == "git":
        for ways in reading.options:
            for value in [value for way in ways for given in way if "-c" in given.names for value in given.values]:
                if not is_harmless_setting(value):
                    yield value.partition("=")[2].lstrip("!")
        if operands[:1] == ["config"] and len(operands) > 2:
            key, value = operands[-2:]
            if not is_harmless_setting(f"{key}={value}"):
                yield value.lstrip("!")
    elif operands[:1] in (["config"], ["set"], ["c"]) and len(operands) > 2:
        if operands[-2] in SETTING_KEYS:
            yield operands[-1]
        yield from (value for word in operands for value in _keyed(word))


def _keyed(word: str) -> Iterator[str]:
    key, equals, value = word.partition("=")
    if equals and key in SETTING_KEYS:
        yield value
