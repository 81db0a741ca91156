"""Shells that are not bash: only what sh and zsh read exactly as bash does, and nothing of PowerShell."""

from __future__ import annotations

from assent.shell.calls import SHELLS
from assent.shell.tree import Compound, Simple
from assent.shell.walk import all_commands, simple_commands, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Node, Script, Word
    from assent.types import Call

PLAIN_SHELLS = frozenset("sh dash ash ksh mksh busybox".split())
"""Often a shell that takes `[[ a > b ]]` for a program whose output goes to the file b."""
ONLY_BASH = {
    "condition": "[[ ]]",
    "arithmetic": "(( ))",
    "arithmetic for": "for (( ))",
    "select": "select",
    "function": "a function",
}
ONLY_BASH_OPERATORS = frozenset({"&>", "&>>", "<<<"})
ZSH_WORDS = frozenset(
    """repeat noglob nocorrect always foreach end - autoload zmodload emulate setopt unsetopt bindkey integer float
    private vared getln sysread zformat zparseopts zregexparse zstyle zselect zpty sched r pushln zcompile
    zle""".split()
)
KSH_WORDS = frozenset("integer float nameref".split())

ZSH_NAMES = frozenset(
    """path fpath cdpath manpath module_path functions commands aliases galiases saliases options nameddirs dirstack
    argv NULLCMD READNULLCMD""".split()
)
"""Names that are tied to PATH and its kin, or are tables of what the shell runs."""


def differs(script: Script, shell: str) -> str:
    """Why a shell may read this text differently than bash does, or empty."""
    if shell == "bash":
        return ""
    if shell in PLAIN_SHELLS:
        return next((f"{shell}: {why}" for command in all_commands(script) if (why := _beyond_sh(command))), "")
    if shell != "zsh":
        return f"{shell} is not read"
    for command in simple_commands(script):
        why = _odd_command(command)
        if why:
            return f"zsh: {why}"
    return ""


def shell_of(call: Call, around: str) -> str:
    """The shell that reads a text which a call hands on: itself, the one around it for `eval`, else sh."""
    name = (call.program or "").rpartition("/")[2]
    return around if name == "eval" else name if name in SHELLS else "sh"


def _beyond_sh(command: Node) -> str:
    """What only bash understands; another sh makes something else of it, and may write or run it."""
    if isinstance(command, Compound) and command.kind in ONLY_BASH:
        return ONLY_BASH[command.kind]
    for redirect in command.redirects:
        target = redirect.target.text if redirect.target is not None else "-"
        if redirect.op in ONLY_BASH_OPERATORS or (redirect.op == ">&" and not (target.isdigit() or target == "-")):
            return f"the operator {redirect.op}"
    if isinstance(command, Simple):
        if command.words and command.words[0].value in KSH_WORDS:
            return f"{command.words[0].value}"
        for each in command.assignments:
            if each.append or each.value is None or "[" in each.name:
                return "an array or +="
    for word in words_of(command):
        if any(part.kind in ("process", "brace") for part in word.parts) or "$'" in word.text or '$"' in word.text:
            return f"the word {word.text}"
    return ""


def _odd_command(command: Simple) -> str:
    if command.words and command.words[0].value in ZSH_WORDS:
        return f"{command.words[0].value}"
    for each in command.assignments:
        if each.items is not None or each.name in ZSH_NAMES or each.name.endswith("_functions"):
            return f"what {each.name} changes"
    if command.redirects and not command.words:
        return "a redirect without a command runs a pager"
    descriptors = [redirect.fd if redirect.fd is not None else redirect.op[0] for redirect in command.redirects]
    if len(descriptors) != len(set(descriptors)):
        return "two redirects of one descriptor"
    return next((why for word in words_of(command) if (why := _odd_word(word))), "")


def _odd_word(word: Word) -> str:
    first = word.parts[0] if word.parts else None
    if first is not None and first.kind == "text" and not first.quoted and first.text.startswith("="):
        return "a word that begins with ="
    for part, following in zip(word.parts, (*word.parts[1:], None), strict=False):  # an empty value has no parts
        if part.kind == "parameter" and following is not None and following.text.startswith("["):
            return "a subscript behind a variable"
        if part.kind == "text" and not part.quoted and "$" in part.text:
            return "a bare $"
        if part.kind == "tilde" and part.text != "~":
            return "a named folder"
        if part.kind == "glob" and len(word.parts) == 1:
            return "a bare wildcard"
        if (
            part.kind == "parameter"
            and not part.text.isidentifier()
            and part.text not in ("?", "#", "$", "!", "@", "*")
        ):
            return "an operator in ${…}"
    return ""
