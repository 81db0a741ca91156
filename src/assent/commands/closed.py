"""What commands that may stand in a text could do, for a text that nobody could read as a whole."""

from __future__ import annotations

from assent.budget import SUSPECTING
from assent.commands.args import GLOB_SIGNS
from assent.commands.facts import BARE, CALL_STEPS, FACT_STEPS, MAX_WORDS, NEARBY, OURS, facts, perhaps
from assent.commands.table import is_described, program_named
from assent.protected import closed_in, is_own, may_be_closed, on_the_floor
from assent.record import replace
from assent.types import WORDS, Call, Effect, Url, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from assent.budget import Budget

FEW = 20
MOST_SPELLED = 1_000


def closed_by(commands: list[tuple[str, ...]], base: str, home: str, budget: Budget) -> list[Effect]:
    """What commands that may stand in a text would do, none of it certain: for what is closed or denied.

    A program that nobody described touches what its words spell: without a path in any, it is left out. Where there is
    more than the budget has steps for, commands that name a closed path are looked at first.
    """
    found: dict[tuple[str, str, str], Effect] = {}
    closed = _closed_words(commands)
    if closed and len(commands) > FEW:
        commands = sorted(commands, key=closed.isdisjoint)
    for given in commands:
        words = given
        if not budget.take(1, SUSPECTING):
            break
        known = program_named(words[0][words[0].rfind("/") + 1 :]) is not None
        if not known and not any("/" in word or word[0] in ".~" or word == OURS for word in words if word):
            continue
        if len(words) > MAX_WORDS:
            words = (*words[:MAX_WORDS], *[word for word in words[MAX_WORDS:] if word in closed][:MAX_WORDS])
        meant = [home + word[1:] if home and word[:2] in ("~", "~/") else word for word in words]
        call = Call(tuple([_as_pattern(word) for word in meant]), cwds=(base,) if base else ())
        stated = facts(call, 0, base)
        if not budget.take(CALL_STEPS + FACT_STEPS * len(stated), SUSPECTING):
            break
        for fact in perhaps(stated):
            if not (fact.arguments and WORDS in fact.arguments):  # plain words of a text are no files, most likely
                found.setdefault((fact.kind, fact.target, fact.code), replace(fact, span=None))
    return [*found.values()]


def suspected(calls: tuple[Call, ...], known: tuple[Call, ...], base: str, budget: Budget) -> list[Effect]:
    """What calls may do whose words are only supposed: for what is closed or denied. The `known` say so themselves."""
    said = {_told(call) for call in known if not (call.redirects or call.assignments)}
    found: dict[tuple[str, object, str, bool], Effect] = {}
    for call in calls:
        if not (call.redirects or call.assignments):
            told = _told(call)
            if told in said:
                continue
            said.add(told)
        unsure = any(word.value is None and not word.pattern for word in call.words)
        stated = facts(call, 0, base)
        if not budget.take(CALL_STEPS + FACT_STEPS * len(stated), SUSPECTING):
            break
        for fact in stated:
            if isinstance(fact, Effect) and fact.kind not in ("note", "run"):
                if unsure and fact.deep and fact.kind == "write":
                    continue  # nobody knows what arrives there
                # no less certain than the name of the tree, or than the address of a machine nearby
                whole = (fact.deep and fact.kind == "read") or (not unsure and _is_nearby(fact))
                made = replace(
                    fact, span=None, possible=fact.possible or not whole, mentioned=fact.mentioned or not whole
                )
                words = (fact.arguments or {}).get(WORDS, fact.target)
                found.setdefault((fact.kind, words, fact.code, fact.deep), made)
    return [*found.values()]


def _is_nearby(fact: Effect) -> bool:
    return fact.kind in ("reach", "send") and isinstance(fact.at, Url) and fact.at.local in NEARBY


def spelled_by(texts: Iterable[str], home: str) -> list[Effect]:
    """Everything closed that texts spell which nobody could follow: whatever they do may be done to that."""
    found: dict[str, Effect] = {}
    texts = [*texts]
    for text in texts if may_be_closed("\n".join(texts)) else ():
        for piece in closed_in(text):
            path = home + piece[1:] if home and piece[:2] in ("~", "~/") else piece
            found[path] = Effect("write" if is_own(f"/{path}") else "read", path, possible=True, mentioned=True)
    return [*found.values()][:MOST_SPELLED]


def _told(call: Call) -> tuple[object, ...]:
    return call.cwds, *[word.value if word.value is not None else word for word in call.words]


def _closed_words(commands: list[tuple[str, ...]]) -> set[str]:
    words: set[str] = set().union(*commands)
    return {word for word in words if on_the_floor(word) or is_own(word)} if may_be_closed("\n".join(words)) else set()


def names_programs(text: str) -> bool:
    """Whether a text may be a command of which `closed_by` knows anything; many only say what is started."""
    if "/" in text or "~" in text or " ." in text:
        return True
    return any(name == OURS or is_described(name) for name in text.translate(BARE).split())


def _as_pattern(word: str) -> Word:
    """A word of a text that was not understood: with signs of a pattern it may be one."""
    magic = not GLOB_SIGNS.isdisjoint(word) and word[:1] != "-"
    return Word(word, None, "names of files", word, True) if magic else Word(word, word)
