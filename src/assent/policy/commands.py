"""Which allow rule names a program that a shell text would start, and what such a rule may then vouch for."""

from __future__ import annotations

from assent.harmless import VARIABLES
from assent.policy.case import effects_of, is_at_home, is_within
from assent.policy.match import catches_command, catches_words, excepts, is_this_line, vouches_words
from assent.resolve import normalise
from assent.types import INLINE, STOPS, Place, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.policy.rules import Target
    from assent.types import Call, Effect, Rule

SAFE_WRAPPERS = frozenset({"timeout", "time", "nice", "stdbuf", "nohup"})
"""Programs that an allow rule looks through."""
WRITES_ITSELF = ("nohup",)
"""Of those, the ones with a file of their own: a rule on what they start is about that, too."""
OTHER_PLACES = frozenset({"$( )", ">( )"})
NEVER_VOUCHED = frozenset({"redirect", "inline", "stdin", "remote", "privilege", "wrapped"})
"""Codes of effects that no rule on a program's words covers: they are not the program's own doing."""
PACKAGES = frozenset("node_modules site-packages .venv venv vendor bower_components".split())
"""Folders of code from elsewhere: a rule on `npm test` was not written for what is in there."""
MOST_EXPLAINED = 100
"""Of a call with more words nobody is told which rule is nearly about it: that would be looked for once for each."""
UNKNOWN_WORD = "-\0"
"""Stands for a word that is not known: no `*` of a rule matches it, since it may be an option."""


def rules_for_calls(policy: Policy, case: Case) -> dict[int, Rule]:
    """The allow rule that names each call, by its number."""
    if not case.calls or ("0words" not in policy.spaces and "0any:Bash" not in policy.spaces):
        return {}
    found = {}
    for number, call in enumerate(case.calls, 1):
        rule = _rule_for(policy, case, call, number) or _line_rule(policy, case, call, number)
        if rule is not None:
            found[number] = rule
            if number > 1 and call.via and call.via[-1] in WRITES_ITSELF:
                found.setdefault(number - 1, rule)
    return found


def covers(effect: Effect) -> bool:
    """Whether a rule on the words of a program is about an effect of it; what its code on the line does is not."""
    inline = effect.arguments is not None and INLINE in effect.arguments
    return effect.code not in NEVER_VOUCHED and not inline and not is_stop(effect)


def stays_at_home(target: Target, effect: Effect, case: Case) -> bool:
    """INVARIANT: a rule vouches for an effect outside the project only if its own words spell that path.

    Names are no content: where `ls` is allowed, it may look anywhere.
    """
    at = effect.at
    if (
        not isinstance(at, Place)
        or effect.kind == "list"
        or _is_exact(target)
        or all(is_at_home(name, case) for name in at.names)
    ):
        return True
    call = case.calls[effect.call - 1]
    for want, word in zip(target.words.words if target.words else (), call.words, strict=False):
        for path in (want, want.partition("=")[2]) if want != "*" and word.value else ():
            if path and _names_place(path, at, effect, call):
                return True
    return False


def _is_exact(target: Target) -> bool:
    return target.words is not None and not target.words.tail and "*" not in target.words.words


def _names_place(path: str, at: Place, effect: Effect, call: Call) -> bool:
    places = [path] if path[0] == "/" else [f"{cwd}/{path}" for cwd in call.cwds]
    return path == effect.target or any(normalise(place) == at.path for place in places)


def names_what_runs(policy: Policy, rule: Rule, effect: Effect, call: Call) -> bool:
    """A rule on a launcher covers the program it starts only if its words name that one, too: `uv run pytest:*`."""
    if effect.kind != "run" or effect.code != "program" or _is_exact(policy.target(rule.text)):
        return True
    inner = effect.target.split(" ", 1)[0]
    own = call.program or ""
    target = policy.target(rule.text).words
    confined = effect.target.endswith(")")  # `alpine (container)`: what a rule on docker is about
    its_own = confined or effect.target == own or inner in (own, own[own.rfind("/") + 1 :])
    return its_own or (target is not None and inner in target.words)


def is_stop(effect: Effect) -> bool:
    return effect.code.endswith(STOPS)


def can_be_named(case: Case, call: Call) -> bool:
    """Whether an allow rule on its words could be about a call at all."""
    return bool(call.words) and _is_plain(call) and _is_at_home(case, call)


def _rule_for(policy: Policy, case: Case, call: Call, number: int) -> Rule | None:
    """Of several rules that name a call, the one that spells most of it."""
    words = tuple(UNKNOWN_WORD if word.value is None else word.value for word in call.words)
    if not can_be_named(case, call):
        return None
    program = words[0][words[0].rfind("/") + 1 :]
    named = policy.candidates(Verdict.ALLOW, "words", program)
    spent: Rule | None = None
    rules = [*named, *policy.candidates(Verdict.ALLOW, "any:Bash", "")]
    if len(rules) > 1:
        rules.sort(key=lambda rule: _literal(policy.target(rule.text)), reverse=True)
    for rule in rules:
        if rule.expires and case.call.at >= rule.expires:
            continue
        target = policy.target(rule.text)
        if not vouches_words(target, words) or not spells_choices(target, case, number):
            continue
        if not _excepted(policy, rule, call, case, number):
            if not rule.max or not _used_up(rule, case):
                return rule
            spent = spent or rule
    return spent


def _literal(target: Target) -> int:
    """How many words a rule spells; one that names a whole line spells more than one that goes on."""
    found = target.words
    return 2 * sum(word != "*" for word in found.words) + (not found.tail) if found is not None else 0


def spells_choices(target: Target, case: Case, number: int) -> bool:
    """Whether a rule spells every word of a call that chooses code, settings or a folder, or makes a reader write."""
    return not unspelled(target, case, number)


def unspelled(target: Target, case: Case, number: int) -> str:
    """The first word that a rule would have to spell; a rule on every command only those that lead out of the project.

    INVARIANT: where nobody has looked for such words, no rule names the call.
    """
    choices = (case.choices or {}).get(number)
    call = case.calls[number - 1]
    if choices is None:
        return call.words[0].text
    spelled = target.words.words if target.words else ()
    for choice in choices:
        if not (choice.at < len(spelled) and spelled[choice.at] != "*") and (choice.outside or target.words):
            return call.words[choice.at].text
    for effect in effects_of(case, number):
        if effect.possible and not stays_at_home(target, effect, case):
            return effect.target
    return ""


def near_rule(policy: Policy, case: Case, effect: Effect) -> str:
    """The allow rule on the words of a call that is not about this effect of it, and why: for people."""
    call = case.calls[effect.call - 1]
    if len(call.words) > MOST_EXPLAINED or not can_be_named(case, call) or not covers(effect):
        return ""
    words = tuple([UNKNOWN_WORD if word.value is None else word.value for word in call.words])
    for rule in policy.candidates(Verdict.ALLOW, "words", words[0][words[0].rfind("/") + 1 :]):
        target = policy.target(rule.text)
        if vouches_words(target, words):
            if word := unspelled(target, case, effect.call):
                return f"{rule.text} does not cover `{word}`"
            if not stays_at_home(target, effect, case):
                return f"{rule.text} covers nothing outside the project"
    return ""


def _line_rule(policy: Policy, case: Case, call: Call, number: int) -> Rule | None:
    """The allow rule that is this very line, operators, redirects and assignments included; it names every part."""
    if "0line" not in policy.spaces or not _is_at_home(case, call):
        return None
    for rule in policy.candidates(Verdict.ALLOW, "line", ""):
        expired = bool(rule.expires) and case.call.at >= rule.expires
        if not expired and is_this_line(rule.text, case.text) and not _excepted(policy, rule, call, case, number):
            return rule
    return None


def covers_redirect(policy: Policy, rule: Rule, effect: Effect, case: Case) -> bool:
    """A rule that is the whole line names its redirects, too, as far as they stay in the project."""
    if effect.code != "redirect" or not policy.target(rule.text).line or not isinstance(effect.at, Place):
        return False
    return all(any(is_within(name, root) for root in case.projects) for name in effect.at.names)


def _used_up(rule: Rule, case: Case) -> bool:
    from assent.policy.limits import used_up

    return used_up(rule, case)


def _is_plain(call: Call) -> bool:
    """Nothing around the program but harmless variables or known wrappers, and not both in that order."""
    wrapped = not SAFE_WRAPPERS.isdisjoint(call.via)
    known = all(name in SAFE_WRAPPERS or name in OTHER_PLACES for name in call.via)
    return known and all(name in VARIABLES and not wrapped for name, _ in call.assignments)


def _is_at_home(case: Case, call: Call) -> bool:
    """A rule was written for the folder the tool works in; what it names elsewhere is another program's script."""
    roots = (*case.projects, case.call.cwd)
    return bool(call.cwds) and all(
        any(is_within(cwd, root) for root in roots)
        and "/.." not in cwd
        and PACKAGES.isdisjoint(cwd.removeprefix(case.call.cwd).split("/"))
        for cwd in call.cwds
    )


def _excepted(policy: Policy, rule: Rule, call: Call, case: Case, number: int) -> bool:
    """Whether an exception names the words of a call, or anything that it does."""
    if not rule.unless:
        return False
    exceptions = [policy.target(text) for text in rule.unless]
    words = tuple([UNKNOWN_WORD if word.value is None else word.value for word in call.words])
    written = tuple([word.text if word.value is None else word.value for word in call.words])
    if any(catches_words(target, words) or catches_words(target, written) for target in exceptions):
        return True
    own_commands = [command for command in case.commands if command.call == number] if exceptions else []
    if any(catches_command(target, command) for target in exceptions for command in own_commands):
        return True
    others = [target for target in exceptions if target.tool != "Bash"]
    return any(excepts(target, effect, case) for target in others for effect in effects_of(case, number))
