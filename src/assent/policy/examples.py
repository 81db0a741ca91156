"""Rules prove themselves when they are loaded: their examples are run, and rules that can never match are refused."""

from __future__ import annotations

from assent import globs, protected
from assent.errors import InputError, PolicyError
from assent.policy.case import Case
from assent.policy.compiled import compile_policy
from assent.policy.match import applies, catches_command, is_this_line, parts_caught, vouches_words
from assent.policy.rules import PATH_TOOLS, read_rule
from assent.record import replace
from assent.types import Effect, Place, ToolCall, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.policy.rules import Target
    from assent.types import Example, Kind, Rule

    Scan = Callable[[str], Example]

HOME, PROJECT = "/home/user", "/home/user/project"
KINDS: dict[str, Kind] = {"Read": "read", "Write": "write", "Delete": "delete", "Glob": "list", "Grep": "search"}


def validate(rule: Rule) -> None:
    """Raise `PolicyError` for a rule that makes no sense or can never match."""
    target = read_rule(rule.text)
    for text in rule.unless:
        if text == rule.text:
            raise PolicyError(f"`{text}` excepts itself, so the rule can never match", help="remove the exception")
    if rule.args and target.tool not in ("Mcp", "Tool"):
        raise PolicyError(f"`{rule.text}` takes no `args`", help="only `Mcp` and `Tool` rules look at arguments")
    if rule.verdict == Verdict.ALLOW:
        _refuse_floor(rule, target)


def prove(rules: tuple[Rule, ...], scan: Scan) -> Iterator[tuple[str, int, PolicyError]]:
    """Run the examples that some rules share: one of them must match each `match`, none a `not_match`."""
    for name, wanted in (("match", True), ("not_match", False)):
        for number, example in enumerate(rules[0].match if wanted else rules[0].not_match):
            try:
                matched = any(matches_example(rule, example, scan) for rule in rules)
            except PolicyError as error:
                yield name, number, error
            else:
                if matched != wanted:
                    yield name, number, _failure(rules, example, matched=matched)


def _failure(rules: tuple[Rule, ...], example: str, *, matched: bool) -> PolicyError:
    texts = " or ".join(f"`{rule.text}`" for rule in rules)
    if matched:
        return PolicyError(f"{texts} matches `{example}`", help="it is listed in `not_match`")
    return PolicyError(f"{texts} does not match its example `{example}`", help=_why(rules[0]))


def _why(rule: Rule) -> str:
    if rule.verdict == Verdict.ALLOW:
        return "an allow rule is read strictly: exact words, paths inside the project, https only"
    return "correct the rule or the example"


def _refuse_floor(rule: Rule, target: Target) -> None:
    for path in target.paths:
        plain = "/" + "/".join(globs.fill(part) for part in path.parts)
        if protected.on_the_floor(plain) or (target.tool in ("Write", "Delete") and protected.is_own(plain)):
            raise PolicyError(
                f"`{rule.text}` can never allow anything: the path is always denied",
                help="credentials and Assent's own files stay closed in every mode",
            )


def matches_example(rule: Rule, example: str, scan: Scan) -> bool:
    """Whether a rule matches a command, path, URL or name written as an example."""
    target = read_rule(rule.text)
    if target.tool == "Bash":
        return _matches_command(rule, target, example, scan)
    policy = compile_policy([rule])
    effect = _effect_of(target, example)
    tool = example.partition(" ")[0] if target.tool == "Tool" else target.tool
    case = Case(ToolCall(tool, {}), (tool,), homes=(HOME,), projects=(PROJECT,))
    return applies(policy, replace(rule, expires=0.0), effect, case)


def _matches_command(rule: Rule, target: Target, example: str, scan: Scan) -> bool:
    found = scan(example)
    if rule.verdict == Verdict.ALLOW:
        named = vouches_words(target, found.words) or (bool(target.line) and is_this_line(rule.text, example))
        exceptions = [read_rule(text) for text in rule.unless]
        return named and not any(catches_command(one, command) for one in exceptions for command in found.commands)
    case = Case(ToolCall("Bash", {}), ("Bash",), commands=found.commands, lines=found.lines, text=example)
    return bool(parts_caught(compile_policy([rule]), rule, case))


def _effect_of(target: Target, example: str) -> Effect:
    if target.tool in PATH_TOOLS:
        path = _absolute(example)
        return Effect(KINDS[target.tool], example, at=Place(path, (path,)))
    if target.tool == "WebFetch":
        from assent import urls

        return Effect("reach", example, at=urls.parse(example if "://" in example else f"https://{example}/"))
    if target.tool == "WebSearch":
        return Effect("reach", example, code="web.search")
    name, _, rest = example.partition(" ")
    code = {"Mcp": "mcp", "Skill": "skill", "Tool": "tool"}.get(target.tool, "")
    return Effect("spawn" if target.tool == "Agent" else "call", name, code=code, arguments=_arguments(rest))


def _absolute(path: str) -> str:
    if path.startswith("~/"):
        path = HOME + path[1:]
    full = path if path.startswith("/") else f"{PROJECT}/{path}"
    parts: list[str] = []
    for part in full.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def _arguments(text: str) -> dict[str, object]:
    from assent import wire

    try:
        value = wire.loads(text or "{}")
    except InputError as error:
        raise PolicyError(f"arguments of an example are not JSON: {error.message}") from error
    if not isinstance(value, dict):
        raise PolicyError("arguments of an example must be a JSON object", help='write `server.tool {"name": "value"}`')
    return value
