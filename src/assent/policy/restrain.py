"""The steps that hold a call back: broken files, the floor, denials, PLAN, questions, and what checks found."""

from __future__ import annotations

from assent import globs
from assent.policy import protected
from assent.policy.case import anchored, is_within, names_of
from assent.policy.compiled import host_key
from assent.policy.match import applies, catches_words
from assent.policy.workflow import MUTATIONS, OPERATIONS
from assent.types import Effect, Place, Reason, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Rule, Step

TAKES_IN = frozenset({"read", "search", "write", "delete"})
CHANGES = frozenset({"write", "delete"})
ALWAYS_ASKED = {
    "sandbox.off": "asks to run outside the sandbox",
    "mode.request": "asks for a permission mode of its own",
}


def broken(policy: Policy, case: Case) -> Iterator[Reason]:  # noqa: ARG001 - every step has the same shape
    """While a policy file cannot be read, its denials are unknown, so nothing passes without a person."""
    for problem in policy.problems:
        yield Reason(Verdict.ASK, "policy", f"policy is broken: {problem}")


def floor(policy: Policy, case: Case) -> Iterator[Reason]:  # noqa: ARG001
    """Credentials and Assent's own files; no mode, rule, grant, approval or project file lifts it."""
    for effect in case.effects:
        if isinstance(effect.at, Place):
            text = _floor_text(effect, effect.at, case)
            if text:
                yield Reason(Verdict.DENY, "floor", text, subject=effect.target)


def _floor_text(effect: Effect, place: Place, case: Case) -> str:
    for name in names_of(effect):
        if protected.on_the_floor(name):
            return f"Access denied: {name} is a sensitive credential path"
        if effect.kind in CHANGES and (protected.is_own(name) or any(is_within(name, own) for own in case.own)):
            return f"Access denied: {name} belongs to Assent; an agent may not change what guards it"
    if effect.kind == "write" and place.device == "block":
        return f"Access denied: {place.path} is a disk"
    if effect.kind in TAKES_IN and (effect.deep or effect.kind in CHANGES):
        return _swallowed(effect, place, case)
    return ""


def _swallowed(effect: Effect, place: Place, case: Case) -> str:
    """A whole tree is taken in, and a floor path lies in it."""
    for home in case.homes:
        for inner in protected.home_places(home):
            if any(is_within(inner, name) for name in place.names):
                return f"Access denied: {place.path} holds {inner}, a sensitive credential path"
    if effect.kind in CHANGES:
        for own in case.own:
            if any(is_within(own, name) for name in place.names):
                return f"Access denied: {place.path} holds {own}, which belongs to Assent"
    return ""


def denied(policy: Policy, case: Case) -> Iterator[Reason]:
    """Denials of any kind and layer; they beat every allow."""
    folded = {fold_tool(name) for name in case.tools}
    for name in policy.table["denied_tools"]:
        if fold_tool(name) in folded:
            yield Reason(Verdict.DENY, "deny", f"{case.call.tool} is explicitly denied")
    yield from _denied_paths(policy, case)
    yield from _denied_commands(policy, case)
    for effect in case.effects:
        if isinstance(effect.at, Url):
            yield from _denied_network(policy, effect, effect.at, case)
    yield from _ruled(policy, case, Verdict.DENY)


def fold_tool(name: str) -> str:
    """Tool names without regard to case and separators, as careless hosts treat them."""
    return name.casefold().replace("_", "").replace("-", "")


def _denied_paths(policy: Policy, case: Case) -> Iterator[Reason]:
    for pattern, allow in policy.table["path_rules"]:
        if not allow:
            for effect in case.effects:
                hit = next((name for name in names_of(effect) if path_rule_matches(pattern, name, case)), None)
                if hit is not None and effect.kind != "list":
                    text = f"{hit} matches deny rule: {pattern}"
                    yield Reason(Verdict.DENY, "deny", text, subject=effect.target)


def path_rule_matches(pattern: str, name: str, case: Case) -> bool:
    """Settings' path rules are fnmatch patterns over the whole path; also tried as seen from the project and home."""
    return globs.match_text(pattern, name) or any(
        globs.match_text(pattern.removeprefix("./").removeprefix("~/"), text)
        for anchor, text in anchored(name, case, loose=True)
        if anchor in ("~", ".", "**")
    )


def _denied_commands(policy: Policy, case: Case) -> Iterator[Reason]:
    patterns = policy.table["denied_commands"]
    if not patterns or not (case.text or case.commands):
        return
    texts = [case.text, " ".join(case.text.split()), *(" ".join(found.words) for found in case.commands)]
    for pattern in patterns:
        if any(globs.match_text(pattern, text) for text in texts if text):
            yield Reason(Verdict.DENY, "deny", f"{case.text} matches deny rule: {pattern}")


def _denied_network(policy: Policy, effect: Effect, url: Url, case: Case) -> Iterator[Reason]:
    if url.scheme not in ("http", "https"):
        text = f"{url.scheme or 'a URL without a scheme'}: only http and https may be fetched"
        yield Reason(Verdict.DENY, "deny", text, subject=effect.target)
    elif url.local and not _lifts_network(policy, effect, url, case):
        text = f"{url.host} is not on the public internet ({url.local})"
        yield Reason(Verdict.DENY, "deny", text, subject=effect.target)


def _lifts_network(policy: Policy, effect: Effect, url: Url, case: Case) -> bool:
    from assent import urls

    return any(
        rule.layer not in ("project", "local")
        and (host := policy.target(rule.text).host) is not None
        and urls.is_local_pattern(host)
        and applies(policy, rule, effect, case)
        for rule in policy.candidates(Verdict.ALLOW, "host", host_key(url.host))
    )


def planned(policy: Policy, case: Case) -> Iterator[Reason]:
    """PLAN blocks what changes anything or cannot be proven not to; only `allowed_tools` goes past it."""
    if policy.mode != "plan" or case.call.tool in policy.table["allowed_tools"]:
        return
    believed = case.call.read_only is True
    for effect in case.effects:
        if not (effect.possible or believed) and OPERATIONS.get(effect.kind) in MUTATIONS:
            text = f"Plan mode blocks this: {case.call.tool} would {effect.kind} {effect.target}"
            yield Reason(Verdict.DENY, "plan", text, subject=effect.target)
    for gap in case.gaps:
        if gap.blind or not believed:
            yield Reason(Verdict.DENY, "plan", f"Plan mode blocks this: not proven read-only ({gap.why})")


def asked(policy: Policy, case: Case) -> Iterator[Reason]:
    """Ask rules, and what is built in below the floor: secret files, files run later by themselves, wiping."""
    yield from _ruled(policy, case, Verdict.ASK)
    for effect in case.effects:
        if effect.kind == "change" and effect.code in ALWAYS_ASKED:
            text = f"{case.call.tool} {ALWAYS_ASKED[effect.code]}: {effect.target}"
            yield Reason(Verdict.ASK, "ask", text, subject=effect.target)
        if isinstance(effect.at, Place) and effect.kind in TAKES_IN:
            yield from _careful(policy, effect, effect.at, case)


def _careful(policy: Policy, effect: Effect, place: Place, case: Case) -> Iterator[Reason]:
    for name in names_of(effect):
        if protected.is_secret(name) and not _names_it(policy, effect, case, "secret"):
            yield Reason(Verdict.ASK, "ask", f"{name} usually holds secrets", subject=effect.target)
            break
    if effect.kind in CHANGES:
        for name in names_of(effect):
            if protected.is_started(name, case.home) and not _names_it(policy, effect, case, "started"):
                text = f"{name} is run or loaded later without asking"
                yield Reason(Verdict.ASK, "ask", text, subject=effect.target)
                break
    if effect.kind == "delete" and any(is_within(root, name) for root in case.projects for name in place.names):
        yield Reason(Verdict.ASK, "ask", f"{place.path} holds the whole project", subject=effect.target)


def _names_it(policy: Policy, effect: Effect, case: Case, care: str) -> bool:
    """An explicit allow lifts a built-in question only if its own words name the thing, not by a wide wildcard."""
    return any(
        rule.layer not in ("project", "local") and _is_named_by(policy, rule, case, care)
        for rule in rules_about(policy, effect, case, Verdict.ALLOW)
        if applies(policy, rule, effect, case)
    )


def _is_named_by(policy: Policy, rule: Rule, case: Case, care: str) -> bool:
    roots = {"/": "", "~": case.home, ".": "/p", "**": "/p"}
    for path in policy.target(rule.text).paths:
        plain = "/".join(globs.fill(part) for part in path.parts)
        if care not in protected.cares(f"{roots[path.anchor]}/{plain}", case.home):
            return False
    return bool(policy.target(rule.text).paths)


def found(policy: Policy, case: Case) -> Iterator[Reason]:  # noqa: ARG001
    """What the checks saw; they only ever raise the verdict."""
    for finding in case.findings:
        yield Reason(finding.verdict, "check", finding.text, subject=finding.check)


def _ruled(policy: Policy, case: Case, verdict: Verdict) -> Iterator[Reason]:
    step: Step = "deny" if verdict == Verdict.DENY else "ask"
    for effect in case.effects or (Effect("call", case.call.tool, code="tool"),):
        for rule in rules_about(policy, effect, case, verdict):
            if applies(policy, rule, effect, case):
                yield Reason(verdict, step, rule_text(rule, effect.target), rule, effect.target)
    for rule in _word_rules(policy, case, verdict):
        yield Reason(verdict, step, rule_text(rule, case.text), rule, case.text)


def _word_rules(policy: Policy, case: Case, verdict: Verdict) -> Iterator[Rule]:
    if "Bash" not in case.tools:
        return
    yield from policy.candidates(verdict, "any:Bash", "")
    for command in case.commands:
        program = command.words[0][command.words[0].rfind("/") + 1 :]
        for rule in policy.candidates(verdict, "words", program):
            fits = catches_words(policy.target(rule.text), command.words)
            spared = any(catches_words(policy.target(text), command.words) for text in rule.unless)
            if fits and not spared and not (rule.expires and case.call.at >= rule.expires):
                yield rule


def rule_text(rule: Rule, subject: str) -> str:
    """What a person and a model read when a rule decided."""
    verb = {Verdict.ALLOW: "allow", Verdict.ASK: "ask", Verdict.DENY: "deny"}[rule.verdict]
    return rule.message or f"{subject} matches {verb} rule: {rule.text}"


def rules_about(policy: Policy, effect: Effect, case: Case, verdict: Verdict) -> Iterator[Rule]:
    """Candidates from the index; `applies` decides."""
    if isinstance(effect.at, Url) and effect.at.trouble and verdict > Verdict.ALLOW:
        yield from policy.everything(verdict, "host")
    if not any(key[0] == f"{int(verdict)}" for key in policy.spaces):
        return
    for space, text in _spaces(effect, case, loose=verdict > Verdict.ALLOW):
        yield from policy.candidates(verdict, space, text)


def _spaces(effect: Effect, case: Case, *, loose: bool) -> Iterator[tuple[str, str]]:
    for tool in _TOOLS_BY_KIND.get(effect.kind, ()):
        yield f"any:{tool}", ""
    yield "any:Tool", ""
    for name in case.tools:
        yield "name:Tool", name.casefold() if loose else name
    if effect.kind in ("call", "spawn"):
        target = effect.target.casefold() if loose else effect.target
        yield f"name:{'Agent' if effect.kind == 'spawn' else 'Mcp'}", target
    if isinstance(effect.at, Url):
        yield "host", host_key(effect.at.host)
    if isinstance(effect.at, Place):
        for name in names_of(effect) if loose else effect.at.names[:1]:
            for anchor, text in anchored(name, case, loose=loose):
                for piece in _ancestors(text) if loose and anchor == "**" else (text,):
                    yield f"path:{anchor}", piece.casefold() if loose and effect.at.folded else piece


def _ancestors(text: str) -> Iterator[str]:
    """A path and every folder above it: a denied folder takes everything below along."""
    while text:
        yield text
        text = text[: max(text.rfind("/"), 0)]


_TOOLS_BY_KIND = {
    "read": ("Read",),
    "list": ("Read", "Glob", "Grep"),
    "search": ("Read", "Grep"),
    "write": ("Write",),
    "delete": ("Write", "Delete"),
    "reach": ("WebFetch", "WebSearch"),
    "send": ("WebFetch",),
    "call": ("Mcp",),
    "spawn": ("Agent",),
}
