"""The steps that hold a call back: broken files, the floor, denials, PLAN, questions, and what checks found."""

from __future__ import annotations

from assent import globs, protected
from assent.policy.case import anchored, is_within, names_of
from assent.policy.commands import is_stop
from assent.policy.lookup import rules_about
from assent.policy.match import applies, parts_caught, vouches_words
from assent.policy.rules import fold_name
from assent.policy.workflow import MUTATIONS, OPERATIONS, READ_ONLY
from assent.record import maker
from assent.types import ENTRY, SPELLED, USED, Effect, Place, Reason, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Rule, Step

UNJUDGED = "not judged by a model yet"
"""The subject of the one reason that a model's judgement takes away again."""
new_reason = maker(Reason)
TAKES_IN = frozenset({"read", "search", "write", "delete"})
CHANGES = frozenset({"write", "delete"})
SEEN = "every name"
"""An argument of what is copied: all names that it will have were looked at, so that only those count."""
NARROWED = "every protected name"
"""An argument of what is done to a tree of which only some files count: the protected ones among these are known."""
DENY: Step = "deny"
ASK: Step = "ask"
ALWAYS_ASKED = {
    "sandbox.off": "asks to run outside the sandbox",
    "mode.request": "asks for another permission mode",
    "privilege": "runs a program with other rights",
    "environment": "shows environment variables, which may hold secrets",
    "environment.inside": "shows environment variables of a container or another machine, which may hold secrets",
    "secret.print": "shows a secret",
    "key.use": "signs with a private key",
    ENTRY: "adds or removes an entry of its own among credentials",
}


USUAL_CODES = frozenset(("", "program", "script", "inline", "redirect", "project", "wrapped", "remote", SPELLED))
"""None of them is asked about for itself."""


def is_unremarkable(effect: Effect) -> bool:
    """Whether nothing that is built in could hold an effect back: a file that anybody may see, a program that runs.

    INVARIANT: where this says yes, `floor`, `denied` and `asked` are silent, as long as no rule speaks.
    """
    at = effect.at
    if effect.code not in USUAL_CODES:
        return False
    return at is None or (isinstance(at, Place) and _is_plain_read(effect, at))


def broken(policy: Policy, case: Case) -> list[Reason]:  # noqa: ARG001 - every step has the same shape
    """While a policy file cannot be read, its denials are unknown, so nothing passes without a person."""
    problems = policy.table["problems"]
    return [Reason(Verdict.ASK, "policy", f"policy is broken: {problem}") for problem in problems] if problems else []


def _is_not_said(effect: Effect) -> bool:
    """Whether something would happen only if a file said so, and none does, nor can one be written just before."""
    return effect.possible and effect.mentioned and "when" in (effect.arguments or {})


def floor(policy: Policy, case: Case) -> list[Reason]:  # noqa: ARG001
    """Credentials and Assent's own files; no mode, rule, grant, approval or project file lifts it."""
    reasons: list[Reason] = []
    for effect in case.effects:
        if effect.code == "assent.settings" and not _is_not_said(effect):
            mine = effect.target == "Assent"
            text = f"Access denied: an agent may not {'change what Assent allows' if mine else effect.target}"
            reasons.append(new_reason(Verdict.DENY, "floor", text, None, effect.target, effect.call))
        at = effect.at
        if at is not None and isinstance(at, Place) and not _is_plain_read(effect, at):
            text = _floor_text(effect, at, case)
            if text:
                reasons.append(new_reason(Verdict.DENY, "floor", text, None, effect.target, effect.call))
    return reasons


def _is_plain_read(effect: Effect, place: Place) -> bool:
    """Whether nothing but one file that nobody protects is looked at, or a tree listed, as most of the time."""
    names, kind = place.names, effect.kind
    if kind not in READ_ONLY or place.device or (effect.deep and (kind != "list" or place.below)):
        return False
    return len(names) == 1 and not protected.marks(names[0])


def _floor_text(effect: Effect, place: Place, case: Case) -> str:
    changes = effect.kind in CHANGES
    for name in place.names + place.below if effect.deep else place.names:
        marks = protected.marks(name)
        if not marks and not changes:
            continue
        if marks & protected.FLOOR and not _shows_nothing(effect, name):
            return f"Access denied: {name} is a sensitive credential path"
        if changes and (marks & protected.OWN or (case.own and any(is_within(name, own) for own in case.own))):
            return f"Access denied: {name} belongs to Assent; an agent may not change what guards it"
    takes = effect.code != SPELLED if changes else effect.kind in TAKES_IN and not effect.possible
    if takes and (place.device == "block" or any(map(protected.is_disk, place.names))):
        return f"Access denied: {place.path} is a disk or memory, which holds every file and key of the machine"
    if effect.code == "mode" and any(is_within(home, name) for home in case.homes for name in names_of(effect)):
        return f"Access denied: {place.path} would change its rights for everything in it"
    return _swallowed(effect, place, case) if effect.deep or effect.kind == "delete" else ""


def _shows_nothing(effect: Effect, name: str) -> bool:
    """A program uses what it reads, or keeps an entry of its own in the one file that clusters share."""
    if effect.code == USED:
        return effect.kind == "read"
    return effect.code == ENTRY and effect.kind == "write" and name.endswith("/.kube/config")


def _swallowed(effect: Effect, place: Place, case: Case) -> str:
    """A whole tree is taken in, and a floor path lies in it. That a tool merely might read a folder is no reason."""
    if effect.kind == "list" or (effect.possible and effect.kind == "read") or NARROWED in (effect.arguments or ()):
        return ""
    names = place.below if _is_seen(effect, case) else names_of(effect)
    closed = protected.holding(case.homes, case.moved)
    if not closed.isdisjoint([name.rstrip("/") for name in names]):
        for inner in (*(inner for home in case.homes for inner in protected.home_places(home)), *case.moved):
            if any(is_within(inner, name) for name in names):
                return f"Access denied: {place.path} holds {inner}, a sensitive credential path"
    if effect.kind in CHANGES:
        for own in case.own:
            if any(is_within(own, name) for name in names):
                return f"Access denied: {place.path} holds {own}, which belongs to Assent"
    return ""


def _is_seen(effect: Effect, case: Case) -> bool:
    """Whether all names that a copied tree will have are known: it is there, and no other part of the line, before it
    or in a loop behind it, does more than look."""
    if effect.code != "copied" or (effect.arguments or {}).get(SEEN) is not True:
        return False
    others = [other for other in case.effects if other.call != effect.call and (other.call or not other.possible)]
    return all(other.kind in READ_ONLY or other.kind == "note" for other in others)


def denied(policy: Policy, case: Case) -> list[Reason]:
    """Denials of any kind and layer; they beat every allow."""
    table = policy.table
    reasons: list[Reason] = []
    if table["denied_tools"]:
        reasons += _denied_tools(policy, case)
    if table["path_rules"]:
        reasons += _denied_paths(policy, case)
    if table["denied_commands"]:
        reasons += _denied_commands(policy, case)
    for effect in case.effects:
        if effect.at is not None and isinstance(effect.at, Url):
            from assent.policy.network import denied_requests

            reasons += denied_requests(policy, case)
            break
    if policy.has(Verdict.DENY):
        reasons += _ruled(policy, case, Verdict.DENY)
    return reasons


def _denied_tools(policy: Policy, case: Case) -> Iterator[Reason]:
    folded = {fold_name(name) for name in case.tools}
    for name in policy.table["denied_tools"]:
        if fold_name(name) in folded:
            yield Reason(Verdict.DENY, "deny", f"{case.call.tool} is explicitly denied")


def _denied_paths(policy: Policy, case: Case) -> Iterator[Reason]:
    for pattern, allow in policy.table["path_rules"]:
        if not allow:
            for effect in case.effects:
                hit = next((name for name in _touched(effect) if path_rule_matches(pattern, name, case)), None)
                if hit is not None:
                    text = f"{hit} matches deny rule: {pattern}"
                    yield Reason(Verdict.DENY, "deny", text, None, effect.target, effect.call)


def _touched(effect: Effect) -> tuple[str, ...]:
    """Every path an effect may reach. A listing reaches what it lists, by whatever name, and tells only names of the
    rest; a pattern for everything in a folder is about listing that folder, too."""
    if effect.kind != "list":
        return names_of(effect)
    names = effect.at.names if isinstance(effect.at, Place) else ()
    return (*names, *[f"{name}/" for name in names])


def path_rule_matches(pattern: str, name: str, case: Case) -> bool:
    """Settings' path rules are fnmatch patterns over the whole path; also tried as seen from the project and home."""
    return globs.match_text(pattern, name) or any(
        globs.match_text(pattern.removeprefix("./").removeprefix("~/"), text)
        for anchor, text in anchored(name, case, loose=True)
        if anchor in ("~", ".", "**")
    )


def _denied_commands(policy: Policy, case: Case) -> Iterator[Reason]:
    patterns = policy.table["denied_commands"]
    if not (case.text or case.commands):
        return
    texts = [case.text, " ".join(case.text.split()), *(" ".join(found.words) for found in case.commands)]
    for pattern in patterns:
        if any(globs.match_text(pattern, text) for text in texts if text) or _stands_inside(pattern, case):
            yield Reason(Verdict.DENY, "deny", f"{case.text} matches deny rule: {pattern}")


def _stands_inside(pattern: str, case: Case) -> bool:
    """Whether a pattern that holds operators, which no list of words does, is a command somewhere in the text."""
    from assent.policy.stretches import has_operators, is_somewhere

    return has_operators(pattern) and is_somewhere(pattern, case.text, [found.words for found in case.commands])


def planned(policy: Policy, case: Case) -> list[Reason]:
    """PLAN blocks what changes anything or cannot be proven not to; only `allowed_tools` goes past it."""
    if policy.mode != "plan" or case.call.tool in policy.table["allowed_tools"]:
        return []
    return list(_blocked(case))


def _blocked(case: Case) -> Iterator[Reason]:
    if case.call.read_only is True:
        return  # the caller is believed for the mode; whatever nobody understands still asks
    for effect in case.effects:
        leaves = effect.code == "mode.request"
        if not (effect.mentioned or leaves) and OPERATIONS.get(effect.kind) in MUTATIONS:
            text = f"Plan mode blocks this: {case.call.tool} would {effect.kind} {effect.target}"
            yield Reason(Verdict.DENY, "plan", text, None, effect.target, effect.call)
    for gap in case.gaps:
        if not gap.reading:
            text = f"Plan mode blocks this: not proven read-only ({gap.why})"
            yield Reason(Verdict.DENY, "plan", text, call=gap.call)


def asked(policy: Policy, case: Case) -> list[Reason]:
    """Ask rules, and what is built in below the floor: secret files, files run later by themselves, wiping."""
    reasons = list(_ruled(policy, case, Verdict.ASK)) if policy.has(Verdict.ASK) else []
    reaches = False
    for effect in case.effects:
        code, at = effect.code, effect.at
        if code:
            if code in ALWAYS_ASKED and not _is_unsaid(effect):
                text = f"{case.call.tool} {ALWAYS_ASKED[code]}: {effect.target}"
                reasons.append(new_reason(Verdict.ASK, "ask", text, None, effect.target, effect.call))
            elif is_stop(effect) and not effect.mentioned:
                text = f"{effect.target}: cannot be undone ({code})"
                reasons.append(new_reason(Verdict.ASK, "ask", text, None, effect.target, effect.call))
        if at is None:
            continue
        if isinstance(at, Place):
            if effect.kind in TAKES_IN and not _is_plain_read(effect, at):
                reasons += _careful(policy, effect, at, case)
        else:
            reaches = True
    if reaches:
        from assent.policy.network import asked_requests

        reasons += asked_requests(policy, case)
    return reasons


def _is_unsaid(effect: Effect) -> bool:
    """Whether an effect depends on what files of the project say, and none of them says it."""
    return effect.possible and "when" in (effect.arguments or ())


def _takes_all(effect: Effect, folder: str, project: str) -> bool:
    """Whether a project is among what is deleted; files of certain names in it are not all of it."""
    inside = folder.rstrip("/") == project.rstrip("/") and globs.is_narrow(effect.only)
    return is_within(project, folder) and not inside


def _careful(policy: Policy, effect: Effect, place: Place, case: Case) -> list[Reason]:
    reasons: list[Reason] = []
    names = place.names + place.below if effect.deep else place.names
    special = [name for name in names if protected.marks(name)]
    if not special and effect.kind != "delete":
        return reasons
    for name in special:
        if protected.marks(name) & protected.SECRET and not _names_it(policy, effect, case, "secret"):
            text = f"{name} usually holds secrets"
            reasons.append(new_reason(Verdict.ASK, "ask", text, None, effect.target, effect.call))
            break
    for name in special:
        if protected.marks(name) & protected.CONTROL:
            text = f"{name} controls the whole machine"
            reasons.append(new_reason(Verdict.ASK, "ask", text, None, effect.target, effect.call))
            break
    for name in special if effect.kind in CHANGES else ():
        if _runs_later(effect, name, case) and not _names_it(policy, effect, case, "started"):
            text = f"{name} is run or loaded later without asking"
            reasons.append(new_reason(Verdict.ASK, "ask", text, None, effect.target, effect.call))
            break
    if effect.kind == "delete" and any(
        _takes_all(effect, name, root) for root in case.projects for name in place.names
    ):
        text = f"{place.path} holds the whole project"
        reasons.append(new_reason(Verdict.ASK, "ask", text, None, effect.target, effect.call))
    return reasons


def _runs_later(effect: Effect, name: str, case: Case) -> bool:
    """Python fills its own caches in whole trees; only what is put there by name was meant to run."""
    if protected.is_started(name, case.home, case.projects):
        return True
    named = not effect.deep or effect.code == "copied"
    return effect.kind == "write" and named and protected.is_compiled(name)


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


def found(policy: Policy, case: Case) -> list[Reason]:  # noqa: ARG001
    """What the checks saw; they only ever raise the verdict."""
    found_here = case.findings
    return [Reason(one.verdict, "check", one.text, subject=one.check) for one in found_here] if found_here else []


def unjudged(policy: Policy, case: Case) -> list[Reason]:
    """Descriptions are judged by a model. INVARIANT: until one has, a call they may hold back is a question."""
    rows = policy.table["descriptions"]
    number = sum([row[0] > Verdict.ALLOW for row in rows]) if rows else 0
    if not number or (case.effects and not (case.gaps or case.text) and all(e.kind == "note" for e in case.effects)):
        return []
    sentences = "1 description" if number == 1 else f"{number} descriptions"
    judge = policy.judge
    text = f"{sentences} would be judged by {judge}" if judge else f"nobody judges {sentences}: no [classifier]"
    return [Reason(Verdict.ASK, "classifier", text, subject=UNJUDGED)]


def waits(reason: Reason) -> bool:
    """Whether it says only that no model has judged yet."""
    return reason.step == "classifier" and reason.subject == UNJUDGED


def _ruled(policy: Policy, case: Case, verdict: Verdict) -> Iterator[Reason]:
    step: Step = DENY if verdict == Verdict.DENY else ASK
    for effect in case.effects or (Effect("call", case.call.tool, code="tool"),):
        for rule in rules_about(policy, effect, case, verdict):
            if applies(policy, rule, effect, case):
                yield Reason(verdict, step, rule_text(rule, effect.target), rule, effect.target, effect.call)
    bare = [(rule, 0) for rule in _bare_rules(policy, case, verdict)]
    for rule, call in (*bare, *_word_rules(policy, case, verdict)):
        if not (rule.expires and case.call.at >= rule.expires):
            yield Reason(verdict, step, rule_text(rule, case.text or case.call.tool), rule, case.text, call)


def _bare_rules(policy: Policy, case: Case, verdict: Verdict) -> Iterator[Rule]:
    """A rule on a whole tool binds its calls even when nothing is known about their effects."""
    for tool in case.tools:
        for rule in policy.candidates(verdict, f"any:{tool}", ""):
            if not rule.unless or (tool == "Bash" and not _is_spared(policy, rule, case)):
                yield rule


def _is_spared(policy: Policy, rule: Rule, case: Case) -> bool:
    """Whether exceptions to a rule on every command name each part of this one, strictly."""
    exceptions = [policy.target(text) for text in rule.unless]
    parts = [tuple(word.value for word in call.words) for call in case.calls]
    known = [tuple(text for text in words if text is not None) for words in parts]
    return (
        bool(parts) and parts == known and all(any(vouches_words(one, words) for one in exceptions) for words in known)
    )


def _word_rules(policy: Policy, case: Case, verdict: Verdict) -> Iterator[tuple[Rule, int]]:
    """Rules on commands and lines, each with the parts it is about."""
    first = case.text.split(None, 1)[:1]  # of the line as written, whatever that is to a shell
    programs = dict.fromkeys(
        [word[word.rfind("/") + 1 :] for word in (*[command.words[0] for command in case.commands], *first)]
    )
    about = {id(rule): rule for name in programs for rule in policy.candidates(verdict, "words", name)}
    if first:
        about |= {id(rule): rule for rule in policy.candidates(verdict, "line", "")}
    for rule in about.values():
        for number in parts_caught(policy, rule, case):
            yield rule, number


def rule_text(rule: Rule, subject: str) -> str:
    """What a person and a model read when a rule decided."""
    verb = {Verdict.ALLOW: "allow", Verdict.ASK: "ask", Verdict.DENY: "deny"}[rule.verdict]
    return rule.message or f"{subject} matches {verb} rule: {rule.text}"
