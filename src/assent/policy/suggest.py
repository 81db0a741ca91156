"""Rules a person could add so that a question is not asked again: narrow first, only what covers the whole call."""

from __future__ import annotations

from assent import globs
from assent.errors import PolicyError
from assent.policy.case import relative
from assent.policy.commands import can_be_named, covers, spells_choices, stays_at_home
from assent.policy.match import vouches
from assent.policy.rules import read_rule
from assent.policy.vouch import said
from assent.policy.workflow import needs_permission
from assent.record import replace
from assent.types import INLINE, Place, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assent.policy.case import Case
    from assent.types import Effect, PermissionDecision, Reason

    Prefix = Callable[[str], str | None]

MAX_SUGGESTED_RULES_FOR_COMPOUND = 5
PASSWORD_OPTIONS = frozenset("-p -P -pw -pass --pw --pwd --pass --passwd --password --passphrase --pin".split())
RULE_TOOLS = {"read": "Read", "search": "Grep", "list": "Glob", "write": "Write", "delete": "Delete"}


def with_suggestions(case: Case, decision: PermissionDecision, prefix: Prefix | None = None) -> PermissionDecision:
    """The decision with rules that would answer it; none when rules alone could not turn it into an allow.

    `prefix` finds the words of a command that a prefix rule should name, in the place of ours.
    """
    asking = open_questions(case, decision)
    if not asking:
        return decision
    ladders = _without_secrets(_ladders(case, asking, prefix), case) if case.calls else _whole(case, asking)
    if len(ladders) == 1:
        return replace(decision, suggestions=ladders[0][:MAX_SUGGESTED_RULES_FOR_COMPOUND])
    if 1 < len(ladders) <= MAX_SUGGESTED_RULES_FOR_COMPOUND and all(ladders):
        together = tuple(dict.fromkeys(ladder[0] for ladder in ladders))
        return replace(decision, together=together) if len(together) > 1 else replace(decision, suggestions=together)
    return decision


def open_questions(case: Case, decision: PermissionDecision) -> list[Reason]:
    """The reasons to ask that rules could answer; none if any of them is one that no rule answers."""
    if decision.verdict != Verdict.ASK:
        return []
    asking = [reason for reason in decision.reasons if reason.verdict > Verdict.ALLOW]
    if case.calls and len({reason.call for reason in asking}) > MAX_SUGGESTED_RULES_FOR_COMPOUND:
        return []
    return [] if any(reason.step != "mode" and not _hosts(case, [reason]) for reason in asking) else asking


def _without_secrets(ladders: list[tuple[str, ...]], case: Case) -> list[tuple[str, ...]]:
    """INVARIANT: no rule holds what masking would hide, in the rule itself or in the line that it comes from."""
    if not any(ladders):
        return ladders
    from assent.masking import masked, secrets_in

    line = case.text
    for call in case.calls:
        for redirect in call.redirects:
            line = line.replace(redirect.body, "") if redirect.body else line  # no rule holds any of it
    hidden = secrets_in(line)
    return [
        tuple([text for text in ladder if masked(text) == text and not any(secret in text for secret in hidden)])
        for ladder in ladders
    ]


def _whole(case: Case, asking: list[Reason]) -> list[tuple[str, ...]]:
    """The ladder of a call that is no command line: one rule must cover everything that asks."""
    subjects = {reason.subject for reason in asking if reason.subject}
    wanted = [effect for effect in case.effects if effect.target in subjects and needs_permission(effect)]
    if case.gaps and (any(gap.blind for gap in case.gaps) or case.identity not in wanted):
        return []
    found = [text for effect in wanted[:1] for text in _ladder(effect, case)]
    return [tuple(text for text in found if _vouches_all(text, wanted, case))]


def _ladders(case: Case, asking: list[Reason], prefix: Prefix | None) -> list[tuple[str, ...]]:
    """One ladder for each part of a command line that asks, and one for each redirect."""
    if any(reason.call == 0 for reason in asking):
        return []
    found: list[tuple[str, ...]] = []
    by_call: dict[int, list[Reason]] = {}
    for reason in asking:
        by_call.setdefault(reason.call, []).append(reason)
    for number, here in sorted(by_call.items()):
        about: dict[str, list[str]] = {}
        for reason in here:
            about.setdefault(reason.subject, []).append(reason.text)
        effects = [e for e in case.effects if e.call == number and needs_permission(e) and _asks(e, about)]
        hosts = _hosts(case, here)
        found += dict.fromkeys([_fitting(effect, case) for effect in hosts])
        own = [effect for effect in effects if covers(effect) and effect not in hosts]
        if own or any(not reason.subject for reason in here):
            from assent.policy.prefixes import command_ladder

            call = case.calls[number - 1]
            blind = any(gap.blind and gap.call == number for gap in case.gaps)
            ladder = command_ladder(call, prefix) if can_be_named(case, call) and not blind else ()
            private = _behind_password_options(case, number)
            ladder = tuple([text for text in ladder if not any(value in text for value in private)])
            found.append(tuple([text for text in ladder if _names_all(text, own, case, number)]))
        found += [_fitting(effect, case) for effect in effects if not covers(effect) and effect not in hosts]
    return found


def _behind_password_options(case: Case, number: int) -> list[str]:
    """Words of a program that nobody described which may be passwords, by the option before them: `frob -p hunter2`."""
    words = [word.value or "" for word in case.calls[number - 1].words]
    runs = [effect.target for effect in case.effects if effect.call == number and effect.kind == "run"]
    if not words or words[0] not in runs:
        return []
    behind = [value for at, value in enumerate(words[1:]) if words[at] in PASSWORD_OPTIONS]
    return [value for value in behind if value and value[0] != "-" and not value.isdigit()]


def _hosts(case: Case, reasons: list[Reason]) -> list[Effect]:
    """Requests that are asked about because of where they go; a rule that names the host answers that."""
    asking = {(reason.call, reason.subject) for reason in reasons if reason.step == "ask" and reason.rule is None}
    return [
        effect
        for effect in case.effects
        if isinstance(effect.at, Url) and not effect.possible and (effect.call, effect.target) in asking
    ]


def _names_all(text: str, wanted: list[Effect], case: Case, number: int) -> bool:
    """Whether a rule on words would vouch for all that is asked about a call."""
    target = read_rule(text)
    return spells_choices(target, case, number) and all(stays_at_home(target, effect, case) for effect in wanted)


def _asks(effect: Effect, about: dict[str, list[str]]) -> bool:
    """Whether a question is about this effect, and not another one on the same thing: `rm a < a` also reads it."""
    return any(text.startswith(f"{said(effect)}:") for text in dict.fromkeys(about.get(effect.target, ())))


def _fitting(effect: Effect, case: Case) -> tuple[str, ...]:
    if effect.code != "redirect" and INLINE not in (effect.arguments or {}) and not isinstance(effect.at, Url):
        return ()
    return tuple(text for text in _ladder(effect, case) if _vouches_all(text, [effect], case))


def _vouches_all(text: str, wanted: list[Effect], case: Case) -> bool:
    """Not every host and name can be written in a rule; those suggest nothing."""
    try:
        target = read_rule(text)
    except PolicyError:
        return False
    return all(vouches(target, effect, case) for effect in wanted)


def _ladder(effect: Effect, case: Case) -> Iterator[str]:
    if isinstance(effect.at, Place):
        yield from _path_ladder(effect, effect.at, case)
    elif isinstance(effect.at, Url):
        yield f"WebFetch(domain:{_host_and_port(effect.at)})"
    elif effect.code == "web.search":
        yield "WebSearch"
    elif effect.code == "mcp" and _is_plain(effect.target):
        yield f"Mcp({effect.target})"
    elif effect.code == "tool" and _is_plain(effect.target):
        yield f"Tool({effect.target})"


def _host_and_port(url: Url) -> str:
    """A host as rules are written; of this machine only the port that is meant, since many things listen here."""
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{host}:{url.port}" if url.local and url.port else host


def _path_ladder(effect: Effect, place: Place, case: Case) -> Iterator[str]:
    tool = RULE_TOOLS[effect.kind]
    below = relative(place.path, case.projects)
    at_home = relative(place.path, case.homes)
    shown = f"./{below}" if below else f"~/{at_home}" if at_home and below is None else place.path
    if not _is_plain(shown):
        return
    yield f"{tool}({shown}/**)" if effect.deep and place.folder else f"{tool}({shown})"
    folder = shown[: shown.rfind("/")]
    if effect.kind != "delete" and folder not in (".", "~", ""):
        yield f"{tool}({folder}/**)"


def _is_plain(text: str) -> bool:
    """INVARIANT: a suggestion means what it names; `Tool(*)` for a tool called `*` would mean every tool."""
    return text.isprintable() and not globs.has_magic(text) and "{" not in text and "(" not in text
