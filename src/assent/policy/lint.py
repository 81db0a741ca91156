"""Rules that load but probably do not do what their author meant."""

from __future__ import annotations

from assent.policy.examples import matches_example
from assent.policy.prefixes import quote_word
from assent.policy.rules import read_rule
from assent.record import record, replace
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from assent.policy.examples import Scan
    from assent.policy.rules import Target, WordsTarget
    from assent.types import Rule

    Said = tuple[str, ...]

    class Speller(Protocol):
        """Knows the options of programs."""

        def variations(self, words: Said) -> Iterator[Said]: ...
        def without_an_option(self, words: Said) -> Iterator[Said]: ...
        def unknown_options(self, words: Said) -> list[tuple[str, str]]: ...
        def unknown_subcommands(self, words: Said) -> list[tuple[str, str]]: ...


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


# --- what a rule on commands comes to -------------------------------------------------------------------------------

MOST_EXAMPLES = 6
MOST_TRIED = 40
ANYTHING = "x"
"""What stands for `*`, and for what may follow, in an example."""
JOINS = {"|": "piped into", "&&": "and then", "||": "or else", ";": "then", "(": "around"}


@record
class Reach:
    """What a rule on commands matches and what it does not: each line was compared with it as calls are."""

    rule: Rule
    reading: str
    matches: tuple[str, ...]
    misses: tuple[str, ...]
    dead: bool = False
    """Not even its own text, as a command line, is matched."""


def reach_of(rule: Rule, scan: Scan, spell: Speller) -> Reach | None:
    """The reach of a rule on commands; None for any other, and for one on every command."""
    target = read_rule(rule.text)
    if target.words is None:
        return None
    lines = [line for line in _lines(target, rule, spell) if line and line.isprintable()]
    plain = replace(rule, unless=(), expires=0.0)
    found = {line: matches_example(plain, line, scan) for line in list(dict.fromkeys(lines))[:MOST_TRIED]}
    matches = tuple([line for line, fits in found.items() if fits][:MOST_EXAMPLES])
    misses = tuple([line for line, fits in found.items() if not fits][:MOST_EXAMPLES])
    own = _body(rule) if target.line or rule.verdict > Verdict.ALLOW else _said(_plain(target.words))
    return Reach(rule, _reading(target, rule), matches, misses, dead=not matches_example(plain, own, scan))


def doubts_about(reach: Reach, spell: Speller) -> Iterator[Warning]:
    """Why a rule on commands may not match what its author meant."""
    rule, target = reach.rule, read_rule(reach.rule.text)
    if reach.dead:
        yield Warning(rule, f"`{rule.text}` can never match", _advice(rule, target))
    if ":*" in _body(rule):
        yield Warning(rule, f"`:*` counts only at the end of `{rule.text}`", "write `*` for anything in between")
    if reach.dead or rule.verdict == Verdict.ALLOW or ":*" in _body(rule):
        return
    for part in target.line or (target.words,):
        if part is not None and part.words and "*" not in part.words[0]:
            yield from _misspelt(rule, _plain(part), spell)


def _misspelt(rule: Rule, words: Said, spell: Speller) -> Iterator[Warning]:
    for option, meant in spell.unknown_options(words):
        text = f"`{rule.text}` names `{option}`, which is no option of `{words[0]}` that Assent knows"
        advice = f"did you mean `{meant}`?" if meant else "no other spelling of it is found"
        yield Warning(rule, text, advice)
    for name, meant in spell.unknown_subcommands(words):
        text = f"`{rule.text}` names `{name}`, which is no subcommand of `{words[0]}` that Assent knows"
        yield Warning(rule, text, f"did you mean `{meant}`?")


def _body(rule: Rule) -> str:
    """What stands between the brackets of a rule, without `:*` at its end."""
    return rule.text.partition("(")[2][:-1].removesuffix(":*")


def _advice(rule: Rule, target: Target) -> str:
    if rule.verdict == Verdict.ALLOW and target.line:
        return "an allow on a line with operators, redirects or assignments is that very line, without `*` and `:*`"
    return "write the words of one command, or a line as you would type it"


def _reading(target: Target, rule: Rule) -> str:
    """How the text of a rule is understood, where that is more than its words."""
    parts = [*target.line]
    if rule.verdict == Verdict.ALLOW and parts:
        return "exactly this line"
    said = [f"{JOINS[part.joined] + ' ' if part.joined in JOINS else ''}`{_shown(part)}`" for part in parts]
    return f"a line of {len(parts)} parts: {' '.join(said)}" if len(parts) > 1 else ""


def _shown(part: WordsTarget) -> str:
    opened = [f"{fd if fd not in '01' else ''}{operator}{target}" for fd, operator, target in part.redirects]
    return " ".join((*part.assignments, *part.words, *opened)) + (":*" if part.tail else "")


def _plain(part: WordsTarget) -> Said:
    """The words of a rule as a command may have them."""
    filled = tuple(map(_filled, part.words))
    operands = [word for word in filled[1:] if word[:1] != "-"]
    return (*filled, ANYTHING) if part.tail and not operands else filled


def _filled(word: str) -> str:
    """A word with something in the place of `*`; an option that may go on behind it need not."""
    return word.rstrip("*") if word[:1] == "-" and word.rstrip("*") not in ("-", "--") else word.replace("*", ANYTHING)


def _lines(target: Target, rule: Rule, spell: Speller) -> Iterator[str]:
    """Lines to try: the rule as it is written, with its options in other spellings, with more and with less."""
    if target.words is None:
        return
    if target.line:
        yield from _around_a_line(_body(rule).replace("*", ANYTHING), target.line)
        return
    words = _plain(target.words)
    yield _said(words)
    yield from map(_said, spell.variations(words))
    yield _said((f"/usr/bin/{words[0]}", *words[1:]))
    yield f"sudo {_said(words)}"
    yield from map(_said, spell.without_an_option(words))
    yield _said((*words, "more"))
    yield _said((*words, "--more"))
    if rule.verdict == Verdict.ALLOW:
        yield f"{_said(words)} > out"
    yield _said((words[0], "other"))


def _around_a_line(whole: str, parts: tuple[WordsTarget, ...]) -> Iterator[str]:
    yield whole
    yield whole.replace(" | ", "|").replace(" > ", ">").replace(" && ", "&&")
    yield f"cd src && {whole}"
    yield f"bash -c {quote_word(whole)}"
    yield f"{whole} more"
    yield from (_said(_plain(part)) for part in parts if _said(_plain(part)) != whole)


def _said(words: Said) -> str:
    return " ".join(map(quote_word, words))
