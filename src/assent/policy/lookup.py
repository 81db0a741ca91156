"""Which rules could be about an effect: the questions asked of a policy's index. `match` then compares exactly."""

from __future__ import annotations

from assent.policy.case import anchored, names_of
from assent.policy.compiled import host_key
from assent.policy.match import reaches
from assent.policy.rules import fold_name
from assent.types import Place, Url, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.types import Effect, Rule

TOOLS_BY_KIND = {
    "read": ("Read",),
    "list": ("Read", "Glob", "Grep"),
    "search": ("Read", "Grep"),
    "write": ("Write",),
    "delete": ("Write", "Delete"),
    "reach": ("WebFetch", "WebSearch"),
    "send": ("WebFetch",),
    "call": ("Mcp", "Skill"),
    "spawn": ("Agent",),
}


def rules_about(policy: Policy, effect: Effect, case: Case, verdict: Verdict) -> Iterator[Rule]:
    """Candidates of a verdict, each once; `applies` decides."""
    return _each_once(policy, effect, case, verdict) if policy.has(verdict) else iter(())


def _each_once(policy: Policy, effect: Effect, case: Case, verdict: Verdict) -> Iterator[Rule]:
    seen: set[int] = set()
    for rule in _candidates(policy, effect, case, verdict):
        if id(rule) not in seen:
            seen.add(id(rule))
            yield rule


class PathFilter:
    """Tells quickly of most paths in a tree that no rule is about them; those in one folder share most of the work."""

    def __init__(self, policy: Policy, case: Case, *, folded: bool) -> None:
        self._case, self._folded = case, folded
        self._folders: dict[str, bool] = {}
        keys = policy.path_keys()
        self._begins = [literal for side, literal in keys if side == "<"]
        self._ends = tuple([literal for side, literal in keys if side == ">"])
        self._parts = frozenset([literal for side, literal in keys if side == "="])
        self._starts = tuple([literal for side, literal in keys if side == "^"])

    def may_be_caught(self, path: str) -> bool:
        """INVARIANT: true wherever `path_is_caught` is."""
        cut = path.rfind("/")
        near = self._folders.get(path[:cut])
        if near is None:
            near = self._folders[path[:cut]] = self._is_near(path[:cut])
        return near or self._is_named(path[cut + 1 :])

    def _is_named(self, name: str) -> bool:
        for spelling in (name, name.casefold()) if self._folded else (name,):
            if spelling in self._parts or spelling.startswith(self._starts) or spelling.endswith(self._ends):
                return True
        return False

    def _is_near(self, folder: str) -> bool:
        """Whether a rule may be about everything in a folder, or about something that the way to it leads to."""
        if any(map(self._is_named, folder.split("/"))):
            return True
        for spelling in (folder, folder.casefold()) if self._folded else (folder,):
            for _anchor, text in anchored(spelling, self._case, loose=True):
                inside = f"{text}/"
                if any(not text or inside.startswith(one) or one.startswith(inside) for one in self._begins):
                    return True
        return False


def path_is_caught(policy: Policy, path: str, case: Case, *, folded: bool) -> bool:
    """Whether a deny or ask rule, or an exception to an allow rule, is about a path."""
    texts: dict[str, None] = {}
    for space, text in _path_spaces(path, case, loose=True, folded=folded):
        for verdict in (Verdict.DENY, Verdict.ASK):
            texts |= dict.fromkeys([rule.text for rule in policy.candidates_above(verdict, space, text)])
        if policy.exceptions_to_allow():
            texts |= dict.fromkeys(policy.exceptions_above(space, text))
    return any(reaches(target, path, case, folded=folded) for text in texts for target in policy.target(text).paths)


def _candidates(policy: Policy, effect: Effect, case: Case, verdict: Verdict) -> Iterator[Rule]:
    loose = verdict > Verdict.ALLOW
    for tool in (*TOOLS_BY_KIND.get(effect.kind, ()), "Tool"):
        yield from policy.candidates(verdict, f"any:{tool}", "")
    for name in case.tools:
        yield from policy.candidates(verdict, "name:Tool", fold_name(name) if loose else name)
    if effect.kind in ("call", "spawn"):
        space = "name:Agent" if effect.kind == "spawn" else "name:Mcp"
        if loose and (effect.target.startswith("?.") or effect.code == "tool"):
            yield from policy.everything(verdict, space)
        for target in {effect.target, effect.target.casefold()} if loose else {effect.target}:
            yield from policy.candidates(verdict, space, target)
        if effect.code == "skill":
            yield from policy.everything(verdict, "name:Skill")
    if isinstance(effect.at, Url):
        for host in _hosts(effect.at, loose=loose):
            yield from policy.candidates(verdict, "host", host_key(host))
    if isinstance(effect.at, Place):
        for name in names_of(effect) if loose else effect.at.names[:1]:
            for space, text in _path_spaces(name, case, loose=loose, folded=effect.at.folded):
                yield from (policy.candidates_above if loose else policy.candidates)(verdict, space, text)


def _hosts(url: Url, *, loose: bool) -> tuple[str, ...]:
    """For a deny, every host that some client could read out of an odd URL, and addresses inside addresses."""
    if not loose or not (url.trouble or ":" in url.host):
        return (url.host,)
    from assent import urls

    return (url.host, *urls.readings(url.text))


def _path_spaces(path: str, case: Case, *, loose: bool, folded: bool) -> Iterator[tuple[str, str]]:
    for spelling in (path, path.casefold()) if loose and folded else (path,):
        for anchor, text in anchored(spelling, case, loose=loose):
            yield f"path:{anchor}", text
