"""A repository's git configuration: reads its format as git does, and names the settings that can start a program.

It never asks git, because git itself obeys what it reads.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Setting = tuple[str, str | None]
    """A name such as `remote.origin.url`, and its value; None for one that is only mentioned, which means true."""

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
NAME_SIGNS = LETTERS | frozenset("0123456789-")
SPACES = frozenset(" \t\n\r")
ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "\\": "\\", '"': '"'}
SWITCHES = frozenset(("true", "yes", "on", "1", "false", "no", "off", "0", ""))


class NotUnderstoodError(ValueError):
    """The text is no configuration that git would accept, or one that we do not want to guess about."""


# --- which settings matter -----------------------------------------------------------------------------------------

ALWAYS = frozenset(
    """core.hookspath core.pager core.editor core.sshcommand core.gitproxy core.askpass core.worktree
    core.alternaterefscommand core.virtualfilesystem sequence.editor diff.external interactive.difffilter gpg.program
    credential.helper uploadpack.packobjectshook include.path http.proxy web.browser help.browser imap.tunnel
    init.templatedir gc.recentobjectshook extensions.partialclone core.attributesfile blame.ignorerevsfile mailmap.file
    format.signaturefile commit.template fsck.skiplist http.cookiefile""".split()
)
"""Settings without a name in the middle that start a program, read another file or lead elsewhere.

Of a file that is read as something else, complaints show the lines; a partial clone fetches what it misses.
"""
IN_SECTION = {
    "diff": ("command", "textconv"),
    "filter": ("clean", "smudge", "process"),
    "merge": ("driver",),
    "credential": ("helper",),
    "gpg": ("program", "defaultkeycommand"),
    "includeif": ("path",),
    "remote": ("uploadpack", "receivepack", "proxy", "vcs", "promisor", "partialclonefilter"),
    "tar": ("command",),
    "browser": ("cmd", "path"),
    "man": ("cmd", "path"),
    "difftool": ("cmd", "path"),
    "mergetool": ("cmd", "path"),
    "guitool": ("cmd",),
    "trailer": ("command", "cmd"),
    "url": ("insteadof", "pushinsteadof"),
    "http": ("proxy", "cookiefile"),
    "fetch": ("skiplist",),
    "receive": ("skiplist",),
    "hook": ("command",),
    "lfs": ("path", "args", "clean", "smudge"),
}
"""Settings with a name in the middle: `diff.word.textconv`."""
WHOLE_SECTIONS = frozenset(("sendemail", "instaweb"))
OFF = ("false", "no", "off", "0", "")
UNLESS_OFF = ("extensions.worktreeconfig", "log.showsignature")
ENTERING = "diff.submodule"
"""With the value `diff` every difference goes into the repositories inside, and does what their settings say."""
SIGNATURES = ("%G", "%+G", "%-G", "% G")
"""What starts gpg in a format for commits."""


def helpers(text: str) -> tuple[str, ...]:
    """The settings in a configuration that make git start a program, read another configuration or go elsewhere.

    A text that is not understood yields a line that says so: silence would mean that it is harmless.
    """
    found: dict[str, None] = {}
    try:
        for name, value in settings(text):
            if matters(name, value):
                found[name] = None
    except NotUnderstoodError as trouble:
        found[str(trouble)] = None
    return tuple(found)


def matters(name: str, value: str | None) -> bool:
    section, _, rest = name.partition(".")
    key = rest.rpartition(".")[2]
    low = (value or "").lower()
    if section in WHOLE_SECTIONS or _leads(section, key, low) or (section == "alias" and runs_by_alias(value or "")):
        return True
    if section == "pretty" or name == "format.pretty":
        return checks_signatures(value or "")
    if key == "helper" and value == "":
        return False
    if "." in rest:
        return key in IN_SECTION.get(section, ())
    if name == "core.fsmonitor":
        return low not in SWITCHES
    if name in UNLESS_OFF:
        return value is None or low not in OFF
    return name in ALWAYS


def checks_signatures(form: str) -> bool:
    """Whether a format for commits may ask gpg about them."""
    return any(sign in form for sign in SIGNATURES)


def _leads(section: str, key: str, value: str) -> bool:
    """Settings that matter only with some values: a shell alias, an address with a program of its own."""
    match section:
        case "submodule":
            return (key == "update" and value.lstrip().startswith("!")) or (key == "url" and "::" in value)
        case "remote":
            return key in ("url", "pushurl") and "::" in value.partition("/")[0]
        case "protocol":
            return key == "allow" and value != "never"
        case "pager":
            return value not in SWITCHES
        case "diff":
            return key == "submodule" and value == "diff"
        case "branch" | "tag":
            return key == "sort" and "signature" in value
        case _:
            return False


PLAIN = frozenset(
    """--no-pager -P --no-replace-objects --no-optional-locks --no-lazy-fetch --literal-pathspecs --glob-pathspecs
    --noglob-pathspecs --icase-pathspecs --no-advice --version -v --help -h""".split()
)
"""Options of git itself, before the command, that neither set anything nor lead elsewhere."""
STARTING = (
    *("exec", "upload-pack", "receive-pack", "extcmd", "open-files-in-pager", "config", "config-env", "exec-path"),
    *("ext-diff", "template", "tree-filter", "index-filter", "env-filter", "msg-filter", "commit-filter", "strategy"),
    *("git-dir", "work-tree", "tool", "gpg-sign", "local-user", "output", "sendmail-cmd", "editor", "no-index"),
    *("unsafe-paths", "recurse-submodules-default", "smtp-server", "to-cmd", "cc-cmd", "header-cmd", "setup"),
)
"""Long options of commands that name a program, a setting or another place."""
STARTING_SHORT = {
    "c": "switch commit log show diff whatchanged checkout branch",
    "O": "diff log show",
    "x": "clean log",
}
"""Short ones, and the commands for which they mean something harmless."""
RUNNERS = frozenset(
    "bisect submodule filter-branch difftool mergetool config daemon send-email instaweb shell for-each-repo".split()
)
"""Commands that start what their operands or settings name."""
SHORTEST = 3
QUOTING = str.maketrans("", "", "\"'\\")


def runs_by_alias(value: str) -> bool:
    """Whether what an alias stands for may start a program or set something. INVARIANT: in doubt it does."""
    if value.lstrip().startswith("!"):
        return True
    words = value.translate(QUOTING).split()
    command = next((place for place, word in enumerate(words) if word not in PLAIN), len(words))
    if command == len(words):
        return False
    name = words[command]
    return name.startswith("-") or name in RUNNERS or any(_starts(word, name) for word in words[command + 1 :])


def _starts(word: str, command: str) -> bool:
    """Whether an option may name a program; git takes a long one for any that begins like it."""
    if word.startswith("--"):
        given = word[2:].partition("=")[0]
        return any(one == given or (len(given) >= SHORTEST and one.startswith(given)) for one in STARTING)
    letters = word[1:] if word[1:].isalpha() else word[1:2]
    found = (usual for short, usual in STARTING_SHORT.items() if word[:1] == "-" and short in letters)
    return any(command not in usual.split() for usual in found)


# --- reading -------------------------------------------------------------------------------------------------------


def settings(text: str) -> Iterator[Setting]:
    """Every setting in order. Sections and keys come in lower case, names in the middle as they are written."""
    if "\0" in text:
        raise NotUnderstoodError("line 1: a NUL is no text")
    yield from _Reader(text.removeprefix("\ufeff")).settings()


class _Reader:
    """The text and how far it is read; `\\r\\n` counts as one line end, the end of the text as another."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0

    def settings(self) -> Iterator[Setting]:
        section = ""
        while self.at < len(self.text):
            char = self._next()
            if char in SPACES:
                continue
            if char in "#;":
                self._skip_line()
            elif char == "[":
                section = f"{self._section()}."
            elif char in LETTERS:
                yield self._setting(section, char)
            else:
                raise self._trouble(f"`{char}` begins no setting")

    def _next(self) -> str:
        """The next character; a line end when there is none, as git sees it."""
        char = self.text[self.at] if self.at < len(self.text) else "\n"
        self.at += 1
        return char

    def _trouble(self, why: str) -> NotUnderstoodError:
        line = self.text.count("\n", 0, max(self.at - 1, 0)) + 1
        return NotUnderstoodError(f"line {line}: {why}")

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    def _section(self) -> str:
        """`section`, `section.old` or `section "name"` up to the bracket."""
        name = ""
        while True:
            char = self._next()
            if self.at > len(self.text):
                raise self._trouble("a section does not end")
            if char == "]" and name:
                return name
            if char in SPACES:
                return f"{name}.{self._subsection(char)}"
            if char not in NAME_SIGNS and char != ".":
                raise self._trouble(f"`{char}` in the name of a section")
            name += char.lower()

    def _subsection(self, char: str) -> str:
        while char in SPACES:
            if char == "\n":
                raise self._trouble("a section does not end")
            char = self._next()
        if char != '"':
            raise self._trouble("the name in a section is not quoted")
        name = ""
        while (char := self._next()) != '"':
            if char == "\\":
                char = self._next()
            if char == "\n":
                raise self._trouble("the name in a section does not end")
            name += char
        if self._next() != "]":
            raise self._trouble("a section does not end")
        return name

    def _setting(self, section: str, first: str) -> Setting:
        key = first.lower()
        while (char := self._next()) in NAME_SIGNS:
            key += char.lower()
        while char in (" ", "\t"):
            char = self._next()
        if char == "\n":
            return section + key, None
        if char != "=":
            raise self._trouble(f"`{char}` follows the name of a setting")
        return section + key, self._value()

    def _value(self) -> str:
        """Quotes may begin and end anywhere; blanks at both ends do not count, a backslash joins lines."""
        value: list[str] = []
        blanks, quoted = 0, False
        while (char := self._next()) != "\n":
            if not quoted and char in SPACES:
                blanks += 1 if value else 0
                continue
            if not quoted and char in "#;":
                self._skip_line()
                continue
            value += " " * blanks
            blanks = 0
            if char == '"':
                quoted = not quoted
            else:
                value += self._escaped() if char == "\\" else char
        if quoted:
            raise self._trouble("a quoted value does not end")
        return "".join(value)

    def _escaped(self) -> str:
        char = self._next()
        if char == "\n":
            return ""
        if char not in ESCAPES:
            raise self._trouble(f"`\\{char}` is no escape")
        return ESCAPES[char]
