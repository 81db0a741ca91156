"""Requests that do not go to the public internet: what is denied, and what is asked about.

A developer's own server is asked about; other machines that only this one can reach are denied, unless a person's own
rule names the very host.
"""

from __future__ import annotations

from assent.policy.compiled import host_key
from assent.types import ARGUMENT, Reason, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Effect, Step

WEB = ("http", "https")
NO_WEB = frozenset(
    "ssh git git+ssh rsync sftp scp rtmp rtsp smtp smtps imap imaps postgresql postgres mysql redis".split()
)
"""Protocols of programs that fetch no pages; reaching another machine by them asks, like any other."""
PLAIN = frozenset({"tcp", "udp"})
HERE = frozenset({"loopback", "unspecified"})
NOBODYS = frozenset({"metadata", "link-local"})
"""Networks on which no protocol has an honest use: they hand out the machine's own keys."""
LISTENS = "is this machine: one of your own servers may listen there"
INBOX_PORT = 7391
ANSWERS = ("/api/requests/", "/answer")


def denied_requests(policy: Policy, case: Case) -> Iterator[Reason]:
    return _requests(policy, case, Verdict.DENY)


def asked_requests(policy: Policy, case: Case) -> Iterator[Reason]:
    return _requests(policy, case, Verdict.ASK)


def _requests(policy: Policy, case: Case, wanted: Verdict) -> Iterator[Reason]:
    step: Step = "deny" if wanted == Verdict.DENY else "ask"
    for effect in case.effects:
        if effect.at is not None and isinstance(effect.at, Url):
            if wanted == Verdict.DENY and not effect.at.local and effect.at.scheme in WEB:
                continue  # most of them: no more than a question
            verdict, text = _judged(policy, effect, effect.at, case)
            if verdict == wanted:
                yield Reason(verdict, step, text, None, effect.target, effect.call)


def _judged(policy: Policy, effect: Effect, url: Url, case: Case) -> tuple[Verdict, str]:
    """What is built in about one request, and why."""
    if url.scheme not in WEB:
        return _of_other_scheme(effect, url)
    if is_inbox(url):
        return Verdict.DENY, f"{url.host}:{url.port} is where Assent asks people; an agent may not answer itself"
    if not url.local:
        return _of_public(policy, effect, url, case)
    if _is_named(policy, url, case):
        return Verdict.ALLOW, ""
    if url.local in HERE and (effect.possible or effect.call or _is_plainly_here(url)):
        return Verdict.ASK, f"{url.host} {LISTENS}"
    sure = not effect.possible or (effect.code == ARGUMENT and url.local in NOBODYS)
    return Verdict.DENY if sure else Verdict.ASK, f"{url.host} is not on the public internet ({url.local})"


def _of_other_scheme(effect: Effect, url: Url) -> tuple[Verdict, str]:
    """Only the web is fetched; programs that speak other protocols may, but not to networks that are nobody's."""
    if effect.call and url.scheme in NO_WEB:
        text = f"{url.host} is not on the public internet ({url.local})"
        return (Verdict.DENY, text) if url.local in NOBODYS else (Verdict.ALLOW, "")
    if effect.call and url.scheme in PLAIN and url.local in HERE and url.port != INBOX_PORT:
        return Verdict.ASK, f"{url.host} {LISTENS}"
    if effect.possible and url.local:
        return _of_argument(effect, url)
    text = f"{url.scheme or 'a URL without a scheme'}: only http and https may be fetched"
    return (Verdict.ALLOW, "") if effect.possible else (Verdict.DENY, text)


def _of_argument(effect: Effect, url: Url) -> tuple[Verdict, str]:
    """An address that a tool is given, to which it may speak in whatever way."""
    text = f"{url.host} is not on the public internet ({url.local})"
    if url.local in NOBODYS:
        return Verdict.DENY if effect.code == ARGUMENT else Verdict.ASK, text
    if url.scheme in NO_WEB and url.local in (*HERE, "local-name"):
        return Verdict.ALLOW, ""  # the databases of a developer
    if url.local in HERE:
        return Verdict.ASK, f"{url.host} {LISTENS}"
    if url.local == "local-name":
        return Verdict.ALLOW, ""
    denied = effect.code == ARGUMENT and url.scheme not in NO_WEB
    return Verdict.DENY if denied else Verdict.ASK, text


def _of_public(policy: Policy, effect: Effect, url: Url, case: Case) -> tuple[Verdict, str]:
    """A name that ends as no public name does is one of a network nearby: `http://kubernetes.default/`."""
    from assent.addresses import has_public_ending

    mentioned = effect.possible and effect.code != ARGUMENT
    if mentioned or not url.host or has_public_ending(url.host) or _is_named(policy, url, case, local=False):
        return Verdict.ALLOW, ""
    return Verdict.ASK, f"{url.host} does not end like a public name: it may be on a network nearby"


def _is_plainly_here(url: Url) -> bool:
    """A name or address by which people call their own server; a tool that is given any other form was tricked."""
    return url.local == "loopback" and not url.trouble and ":" not in url.host


def is_inbox(url: Url) -> bool:
    """Whether a request goes to the page on which people answer. INVARIANT: no rule lifts this."""
    begins, ends = ANSWERS
    answers = url.path.startswith(begins) and ends in url.path
    return url.local in HERE and (url.port == INBOX_PORT or answers)


def _is_named(policy: Policy, url: Url, case: Case, *, local: bool = True) -> bool:
    """Whether a person's own rule names the host, and not only by a wide wildcard."""
    from assent import urls

    return any(
        rule.layer not in ("project", "local")
        and not (rule.expires and case.call.at >= rule.expires)
        and (host := policy.target(rule.text).host) is not None
        and (urls.is_local_pattern(host) if local else bool(host.host))
        and urls.covers(host, url)
        for rule in policy.candidates(Verdict.ALLOW, "host", host_key(url.host))
    )
