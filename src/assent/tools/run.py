"""Shells, interpreters and input typed into them: which text they would run and what changes how it runs."""

from __future__ import annotations

from assent.tools.fields import Fields, shape
from assent.tools.table import CODE_KEYS, COMMAND_KEYS, CWD_KEYS, ENV_KEYS, SANDBOX_KEYS, TYPED_KEYS, fold
from assent.types import Effect, Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_READ = "the command has not been read"
"""INVARIANT: the gap of this text stays until a shell reader has read `shell_text`; that reader removes it."""

SHELLS = ("bash", "sh", "zsh")
FOLDERS = ("", "/bin/", "/usr/bin/")
KNOWN_SHELLS = {folder + shell: shell for folder in FOLDERS for shell in SHELLS}
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,@%")
INSIDE = ("usedefault", "default", "none", "sandboxed", "false", "off", "")


def read(family: str, fields: Fields) -> Iterator[Effect]:
    """What a call of the families shell, stdin and code does besides running its text."""
    if family == "shell":
        yield from _shell(fields)
    elif family == "stdin":
        yield from _stdin(fields)
    else:
        fields.said += fields.texts((*CODE_KEYS, *TYPED_KEYS))
        fields.blind("runs inline code, which is not analysed")
        yield Effect("run", fields.name, code="code")
    yield from _circumstances(family, fields)


def _shell(fields: Fields) -> Iterator[Effect]:
    found = commands(fields)
    if not found and _only_restarts(fields):
        yield Effect("note", fields.name)
        return
    fields.need("command", found)
    fields.said += found
    if found:
        fields.gaps.append(Gap(NOT_READ, blind=True))
    typed = fields.texts(TYPED_KEYS)
    if typed:
        fields.said += typed
        fields.blind("types into the program it starts, which is not analysed")


def _only_restarts(fields: Fields) -> bool:
    given = {fold(str(key)) for key, value in fields.values.items() if value is not None}
    return fields.flag(("restart",)) and given == {"restart"}


def _stdin(fields: Fields) -> Iterator[Effect]:
    """Codex polls a running program by typing nothing into it."""
    typed = [*commands(fields), *fields.texts(TYPED_KEYS)]
    if not typed and not fields.gaps:
        yield Effect("note", fields.name)
        return
    fields.said += typed
    fields.blind("types into a running program, which is not analysed")
    yield Effect("run", "input of a running program", code="stdin")


def commands(fields: Fields) -> list[str]:
    """Every command text: `commands` is a list of texts, any other list is the words of one command."""
    found: dict[str, None] = {}
    nested = [_action(fields, value) for _, value in fields.take(("action",))]
    for place in (fields, *nested):
        for key, value in place.take(COMMAND_KEYS):
            for text in _texts(place, key, value):
                found[text] = None
    for place in nested:
        place.leftover(("type", "timeoutms", "maxoutputlength"))
        fields.absorb(place)
    return [text for text in found if text.strip()]


def _action(fields: Fields, value: object) -> Fields:
    """OpenAI's shell tools wrap everything into `action`."""
    if not isinstance(value, dict):
        fields.blind(f"needs `action` as an object: it is {shape(value)}")
        fields.strange.append(("action", value))
    return Fields(fields.name, value if isinstance(value, dict) else {}, vouchable=fields.vouchable)


def _texts(fields: Fields, key: str, value: object) -> Iterator[str]:
    if isinstance(value, (list, tuple)) and fold(key) != "commands":
        yield _from_words(fields, key, value)
        return
    for item in fields.items(key, value):
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict) and isinstance(item.get("command"), str):
            yield _from_object(fields, key, item)
        else:
            fields.mistyped(key, item)


def _from_object(fields: Fields, key: str, item: dict[str, object]) -> str:
    inner = Fields(fields.name, item, vouchable=fields.vouchable)
    [(_, command)] = inner.take(("command",))
    words = [word for name, value in inner.take(("args",)) for word in inner.items(name, value)]
    inner.leftover(("description", "timeout"))
    fields.absorb(inner)
    return _from_words(fields, key, [command, *words]) if words else str(command)


def _from_words(fields: Fields, key: str, words: list[object] | tuple[object, ...]) -> str:
    """`["bash", "-lc", text]` is its text; other words become one line that a shell reads back as these words."""
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) != len(words):
        fields.blind(f"needs `{key}` as a list of texts")
    if len(texts) == 3 and texts[0] in KNOWN_SHELLS and texts[1] in ("-c", "-lc"):
        return texts[2]
    return " ".join(map(quote, texts))


def quote(word: str) -> str:
    """A word as a POSIX shell reads it back."""
    if word and PLAIN.issuperset(word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def asked_shell(fields: Fields) -> str:
    """The shell that the input itself names, by field or as the first word, if it is one we know."""
    asked = [value for _, value in fields.take(("shell", "executable"))]
    for _, value in fields.take(COMMAND_KEYS):
        asked += value[:1] if isinstance(value, list) and len(value) == 3 and value[1] in ("-c", "-lc") else []
    known = {KNOWN_SHELLS[name] for name in asked if isinstance(name, str) and name in KNOWN_SHELLS}
    return max(known, default="")  # of several, the one that is least like bash


def _circumstances(family: str, fields: Fields) -> Iterator[Effect]:
    """Fields that change how a text runs: its folder, its variables, its shell, its sandbox."""
    folders = list(dict.fromkeys(fields.paths(CWD_KEYS)))
    for folder in folders:
        if family != "shell" or len(folders) > 1:
            fields.gap(f"runs in `{folder[:200]}`, a folder that the call chose")
        yield Effect("list", folder)
    for key, value in fields.take(ENV_KEYS):
        _variables(fields, key, value)
    for key, value in fields.take(("shell", "executable")):
        if not isinstance(value, str) or value not in KNOWN_SHELLS:
            fields.blind(f"asks for another shell in `{key}`")
    yield from _sandbox(fields)


def _variables(fields: Fields, key: str, value: object) -> None:
    names = [str(name) for name in value] if isinstance(value, (dict, list)) else [key]
    for name in names:
        fields.blind(f"sets the variable `{name.partition('=')[0][:80]}`")


def _sandbox(fields: Fields) -> Iterator[Effect]:
    off = any(_leaves(value) for _, value in fields.take(SANDBOX_KEYS))
    off |= any(value is not True for _, value in fields.take(("sandbox", "sandboxed")))
    if off:
        yield Effect("change", "sandbox off", code="sandbox.off")


def _leaves(value: object) -> bool:
    return fold(value) not in INSIDE if isinstance(value, str) else value not in (False, 0, [], {}, ())


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("Bash", {"command": "ls"}, f"blind: {NOT_READ}"),
    ("Bash", {}, "blind: Bash needs `command`: missing"),
    ("Bash", {"command": 3}, "blind: Bash needs `command` as text: it is a number"),
    ("Bash", {"restart": True}, "note Bash"),
    (
        "Bash",
        {"restart": True, "cmdx": "x"},
        "blind: Bash needs `command`: missing | blind: Bash has an unknown field `cmdx`",
    ),
    ("Bash", {"command": "ls", "yolo": 1}, f"blind: {NOT_READ} | blind: Bash has an unknown field `yolo`"),
    (
        "Bash",
        {"command": "sh", "stdin": "rm x"},
        f"blind: {NOT_READ} | blind: Bash types into the program it starts, which is not analysed",
    ),
    (
        "Bash",
        {"command": "ls", "dangerouslyDisableSandbox": True},
        f"change sandbox off | blind: {NOT_READ}",
    ),
    (
        "exec_command",
        {"cmd": "ls", "workdir": "/srv", "sandbox_permissions": "require_escalated", "shell": "fish"},
        f"list /srv | change sandbox off | blind: {NOT_READ} | blind: exec_command asks for another shell in `shell`",
    ),
    ("exec_command", {"cmd": "ls", "shell": "/bin/zsh", "login": False}, f"blind: {NOT_READ}"),
    (
        "shell",
        {"command": ["make"], "env": {"LD_PRELOAD": "./x.so"}},
        f"blind: {NOT_READ} | blind: shell sets the variable `LD_PRELOAD`",
    ),
    ("write_stdin", {"session_id": 1, "chars": ""}, "note write_stdin"),
    (
        "write_bash",
        {"sessionId": "a", "input": "rm x\n"},
        "run input of a running program | blind: write_bash types into a running program, which is not analysed",
    ),
    (
        "write_to_terminal",
        {"command": "rm -rf ~"},
        "run input of a running program | blind: write_to_terminal types into a running program, which is not analysed",
    ),
    (
        "python_repl",
        {"code": "print(1)"},
        "run python_repl | blind: python_repl runs inline code, which is not analysed",
    ),
)
