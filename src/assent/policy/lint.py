"""Rules that load but probably do not do what their author meant."""

from __future__ import annotations

from assent.policy.rules import read_rule
from assent.record import record
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.policy.rules import Target
    from assent.types import Rule

RUNS_ANYTHING = frozenset(
    """sh bash zsh fish csh tcsh ksh dash cmd powershell pwsh env xargs nice stdbuf nohup timeout time sudo doas pkexec
    python python3 node ruby perl php deno bun npx uvx ssh eval exec command find""".split()
)
WIDE = ("/**", "~/**")


@record
class Warning:  # noqa: A001 - what it is
    """A doubt about a rule and what to write instead."""

    rule: Rule
    text: str
    help: str = ""


def lint(rules: Iterable[Rule], now: float) -> list[Warning]:
    """Every doubt about a set of rules, in their order."""
    every = list(rules)
    denied = {rule.text for rule in every if rule.verdict == Verdict.DENY and not rule.unless and not rule.args}
    seen: dict[tuple[Verdict, str], Rule] = {}
    found: list[Warning] = []
    for rule in every:
        target = read_rule(rule.text)
        if rule.expires and rule.expires <= now:
            found.append(Warning(rule, f"`{rule.text}` has expired", "remove it or give it a new end"))
        if rule.verdict == Verdict.ALLOW and rule.text in denied:
            found.append(Warning(rule, f"`{rule.text}` is denied too, and a deny wins", "remove one of the two"))
        if rule.max and rule.id.removeprefix("allow-").rstrip("+").isdigit():
            text = f"`{rule.text}` counts its uses as `{rule.id}`, which changes when rules are added before it"
            found.append(Warning(rule, text, "give it an `id`"))
        earlier = seen.setdefault((rule.verdict, rule.text), rule)
        if earlier is not rule and earlier.args == rule.args and earlier.unless == rule.unless:
            found.append(Warning(rule, f"`{rule.text}` is already written in {earlier.where}", "remove one of the two"))
        found += _too_wide(rule, target) if rule.verdict == Verdict.ALLOW else _too_narrow(rule, target)
    return found


def unjudged(descriptions: Iterable[Rule], judge: str) -> list[Warning]:
    """Descriptions that nobody judges: they make every call ask, or allow nothing."""
    advice = "name a model in `[classifier]` of your own file"
    return [] if judge else [Warning(rule, f"no model judges `{rule.text}`", advice) for rule in descriptions]


def _too_wide(rule: Rule, target: Target) -> Iterator[Warning]:
    if target.words and target.words.tail and target.words.words[-1] in RUNS_ANYTHING and len(target.words.words) == 1:
        text = f"`{rule.text}` would vouch for a program that runs any other program"
        yield Warning(rule, text, "name the command that it runs; inline code is asked about anyway")
    for path in target.paths:
        if f"{path.anchor.strip('/')}/{path.text}" in WIDE:
            yield Warning(rule, f"`{rule.text}` covers a whole disk or home", "name the folder you mean")
    if target.bare and target.tool in ("Bash", "Write", "Delete", "WebFetch", "Mcp"):
        text = f"`{rule.text}` allows every use of {target.tool}"
        yield Warning(rule, text, f"write `{target.tool}(…)` with what you mean")


def _too_narrow(rule: Rule, target: Target) -> Iterator[Warning]:
    for path in target.paths:
        if path.anchor == "." and len(path.parts) == 1 and not rule.text.partition("(")[2].startswith("./"):
            wider = f"{rule.text.partition('(')[0]}(**/{path.text})"
            text = f"`{rule.text}` covers only the top folder of the project"
            yield Warning(rule, text, f"write `{wider}` for every folder, or `./{path.text}` to say that you mean it")
