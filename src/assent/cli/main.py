"""The command `assent`: finds the verb and runs it; the slow verbs are imported only when they are used."""

from __future__ import annotations

import sys

from assent.cli.fast import main as fast
from assent.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

VERBS = {
    "check": "judge a tool call or a stream of them: allow, ask or deny",
    "explain": "show every step of a decision and what would change it",
    "parse": "draw what a shell command consists of, or say what is not understood",
    "judge": "ask the model what the descriptions of your policy say about a command",
    "policy": "show, lint, test, trust policy files; print their schema",
    "import": "rules that you wrote for an agent, as a policy file",
    "export": "the policy in force as an agent's own rules, for when no hook runs",
    "grants": "what was allowed for longer than once: list, revoke, export",
    "run": "run a command if it is allowed, or once a person has approved it",
    "sandbox": "prove that commands can be confined, and show how",
    "hook": "what an agent starts before every tool call",
    "install": "put the hook into an agent's settings",
    "uninstall": "take the hook out of an agent's settings again",
    "doctor": "prove that agents obey, and say what is wrong where they do not",
    "mcp": "stand in front of an MCP server: every call of a tool is judged first",
    "mode": "show or set the mode: default, plan or full_auto",
    "serve": "show what waits for an answer in the browser, and take answers there",
    "audit": "read, search, prove and export the journal",
    "version": "print the version",
    "help": "print this text, or the help of a verb",
}

MODULES = {"import": "importing"}
"""Verbs that no module can be called."""

HELP = """usage: assent VERB [OPTIONS]

One permission layer for every AI agent: allow, ask or deny, with a reason.

{verbs}

Examples:
  assent check 'git status'
  assent check --tool Read --input '{{"file_path": ".env"}}'
  assent policy lint
  assent mode plan

`assent VERB --help` says more.
"""


def main() -> int:
    """The console script."""
    return fast()


def run(words: list[str]) -> int:
    """Run a verb that is not on the fast path."""
    verb, rest = (words[0], words[1:]) if words else ("help", [])
    if verb in ("-h", "--help"):
        verb = "help"
    if verb in ("-V", "--version"):
        verb = "version"
    if verb == "version":
        return _version()
    if verb == "help":
        wanted = rest[0] if rest else ""
        return fast([wanted, "--help"]) if wanted in VERBS and wanted not in ("help", "version") else _help()
    if verb not in VERBS:
        raise UsageError(f"unknown verb `{verb}`", help=_advice(verb))
    return _slow_verb(verb)(rest)


def module_of(verb: str) -> str:
    """The module that runs a verb."""
    return f"assent.cli.{MODULES.get(verb, verb)}"


def _slow_verb(verb: str) -> Callable[[list[str]], int]:
    from importlib import import_module

    return import_module(module_of(verb)).main  # type: ignore[no-any-return]


def _help() -> int:
    verbs = "\n".join(f"  {name:<9} {text}" for name, text in VERBS.items())
    sys.stdout.write(HELP.format(verbs=verbs))
    return 0


def _version() -> int:
    from assent import __version__

    sys.stdout.write(f"assent {__version__}\n")
    return 0


def _advice(verb: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(verb, list(VERBS), n=1)
    return f"did you mean `{close[0]}`?" if close else "see `assent help`"
