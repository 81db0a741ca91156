"""What an export is made from, what comes out, and what every agent's rules have in common.

INVARIANT: an export is never looser than the policy. What an agent can only say wider asks there; what it cannot say
is left to the hook and named.
"""

from __future__ import annotations

from typing import Protocol

from assent.globs import MAGIC
from assent.masking import masked
from assent.policy.rules import read_rule
from assent.record import record
from assent.types import Rule, Verdict

SECRET = "it holds a secret"
SOMETIMES = "it ends by itself, and the agent's rules do not"


@record
class InForce:
    """The policy of a workspace as far as agents' rules can say it."""

    rules: tuple[Rule, ...]
    """Deny and ask rules, and the allow rules that are to be written as well."""
    denied_tools: tuple[str, ...] = ()
    denied_paths: tuple[str, ...] = ()
    denied_commands: tuple[str, ...] = ()
    floor: tuple[str, ...] = ()
    """Patterns of the paths that nothing opens."""
    mode: str = "default"
    home: str = ""


@record
class Left:
    """Something that the agent's rules do not say, or say only in part."""

    what: str
    where: str
    why: str


@record
class Export:
    """The file for the agent, and what it does not hold."""

    text: str
    left: tuple[Left, ...]
    written: int


class Writer(Protocol):
    """One module of this package."""

    @property
    def TITLE(self) -> str: ...  # noqa: N802 - constants of a module
    @property
    def BELONGS(self) -> str: ...  # noqa: N802

    def export(self, policy: InForce) -> Export:
        """The policy in this agent's words."""


@record
class Prefix:
    """The words a command begins with; `exact` when they find nothing that the rule would not."""

    words: tuple[str, ...]
    exact: bool


def left(rule: Rule, why: str) -> Left:
    return Left(f"{rule.verdict} {masked(rule.text)}", rule.where, why)


def holds_secret(rule: Rule) -> bool:
    """Whether masking would hide a part of it. The name of a file or command about secrets is none."""
    texts = (rule.text, *rule.unless, *(value for _, values in rule.args for value in values))
    bodies = [text.partition("(")[2].removesuffix(")") for text in texts]
    return any(masked(text) != text for text in (*texts, *bodies))


def in_project(rule: Rule) -> bool:
    """Whether a rule names paths as seen from the project, which a file for all projects cannot."""
    return any(path.anchor == "." for path in read_rule(rule.text).paths)


def prefix_of(rule: Rule) -> Prefix | None:
    """What a `Bash` rule begins with, up to its first wildcard; None when it begins with one."""
    target = read_rule(rule.text).words
    if target is None:
        return None
    words = target.words
    cut = next((at for at, word in enumerate(words) if any(sign in word for sign in MAGIC)), len(words))
    return Prefix(words[:cut], cut == len(words) and not rule.unless) if cut else None


def pattern_prefix(pattern: str) -> Prefix | None:
    """The same of a text with wildcards; one star at the end changes nothing."""
    words = tuple(pattern.split())
    cut = next((at for at, word in enumerate(words) if any(sign in word for sign in MAGIC)), len(words))
    return Prefix(words[:cut], cut == len(words) or words[cut:] == ("*",)) if cut else None


def denied_prefixes(policy: InForce) -> tuple[list[tuple[Prefix, Verdict, str]], list[Left]]:
    """The denied commands by what they begin with, each with its verdict and why; and those that begin with nothing."""
    found: list[tuple[Prefix, Verdict, str]] = []
    lacking: list[Left] = []
    for pattern in policy.denied_commands:
        prefix, shown = pattern_prefix(pattern), masked(pattern)
        if shown != pattern:
            lacking.append(Left(f"deny command {shown}", "policy", SECRET))
        elif prefix is None:
            lacking.append(Left(f"deny command {shown}", "policy", "it begins with a wildcard"))
        else:
            found.append((prefix, Verdict.DENY if prefix.exact else Verdict.ASK, f"Assent: deny {shown}"))
    return found, lacking


def exported(header: str, rules: list[str], lacking: list[Left]) -> Export:
    """A file of rules, each of them once."""
    unique = tuple(dict.fromkeys(rules))
    return Export("\n".join([header, *unique]), tuple(lacking), len(unique))


def verdict_of(rule: Rule, *, exact: bool) -> Verdict:
    """A deny that the agent can only say wider asks there."""
    return rule.verdict if exact and not rule.args else Verdict.ASK


def reason_of(rule: Rule) -> str:
    """What the agent and its person read; never empty, never with a secret."""
    said = " ".join(masked(rule.message).split())
    return said or f"Assent: {rule.verdict} {masked(rule.text)}"


def settings_left(policy: InForce) -> tuple[Left, ...]:
    if policy.mode == "default":
        return ()
    return (Left(f"mode {policy.mode}", "policy", "a mode is nothing that rules can say"),)
