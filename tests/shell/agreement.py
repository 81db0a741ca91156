"""Our reading of a text against bash's own: do they agree, or who sees what the other does not?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from assent.shell.grammar import parse
from assent.shell.tree import Compound, Part, Script, Simple
from assent.shell.walk import heredoc_parts, words_of
from bash_oracle import MODES, BashOracle
from oracle.events import Substitution, read_events
from oracle.tree import Tree
from oracle.walk import expanded, nodes
from shell.shapes import BashShapes, Shape, of_script
from shell.skeleton import UnreadableError

Question: TypeAlias = tuple[str, str]

MARKS = ("`", "$(", "<(", ">(")
"""Every substitution that runs commands has one of these in it."""
REMEMBERED = 50_000


class Outcome(StrEnum):
    AGREE = "agree"
    REFUSED = "refused"
    """We do not read it, bash does."""
    INVALID = "invalid"
    """bash reports a syntax error, and we refuse."""
    ACCEPTED_INVALID = "accepted invalid"
    """bash reports a syntax error, and we read it."""
    MISS = "MISS"
    """bash has a command, word, assignment or redirect that we do not report the same way."""
    EXTRA = "EXTRA"
    """We report commands that bash does not."""
    UNJUDGED = "unjudged"
    """bash itself died, or its answer cannot be compared."""
    BROKEN = "BROKEN"
    """Our parser raised."""


FAILURES = frozenset({Outcome.MISS, Outcome.EXTRA, Outcome.ACCEPTED_INVALID, Outcome.BROKEN})


@dataclass(frozen=True)
class Judged:
    text: str
    outcome: Outcome
    why: str = ""
    theirs: tuple[Shape, ...] = ()
    """What only bash has."""
    ours: tuple[Shape, ...] = ()
    """What only we have."""

    @property
    def failed(self) -> bool:
        return self.outcome in FAILURES

    @property
    def valid(self) -> bool:
        """bash reads it to the end."""
        return self.outcome not in (Outcome.INVALID, Outcome.ACCEPTED_INVALID, Outcome.UNJUDGED)

    def __str__(self) -> str:
        lines = [f"{self.outcome}: {self.text!r} {self.why}".rstrip()]
        lines += [f"    bash {shape}" for shape in self.theirs] + [f"    ours {shape}" for shape in self.ours]
        return "\n".join(lines)


class Judge:
    """Compares many texts at a time; asks bash about each word only once.

    A text can leave a trace in the bash that reads the next one, so a failure counts when a `careful` judge, for whom
    bash reads every text in a new child, sees it too.
    """

    def __init__(self, bash: BashOracle, *, careful: bool = False) -> None:
        self.bash = bash
        self.careful = careful
        self._inner: dict[Question, tuple[str, ...]] = {}
        self._trees: dict[str, Tree] = {}

    def judge(self, texts: Sequence[str]) -> list[Judged]:
        scripts = [self._ours(text) for text in texts]
        trees = self._parsed(texts)
        read = [
            (text, tree)
            for text, tree, script in zip(texts, trees, scripts, strict=True)
            if not tree.error and isinstance(script, Script) and not script.refused
        ]
        self._read_all(read)
        judged = [self._compared(text, tree, script) for text, tree, script in zip(texts, trees, scripts, strict=True)]
        return judged if self.careful else [self._confirmed(each) if each.failed else each for each in judged]

    def _confirmed(self, failure: Judged) -> Judged:
        return Judge(self.bash, careful=True).judge([failure.text])[0]

    def _parsed(self, texts: Sequence[str]) -> list[Tree]:
        return [self.bash.parse_in_child(text) for text in texts] if self.careful else self.bash.parse_all(texts)

    def _ours(self, text: str) -> Script | str:
        try:
            return parse(text)
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    def _compared(self, text: str, tree: Tree, script: Script | str) -> Judged:
        if isinstance(script, str):
            return Judged(text, Outcome.BROKEN, script)
        if tree.error is not None and tree.error.kind in ("died", "time"):
            return Judged(text, Outcome.UNJUDGED, f"bash: {tree.error.kind}")
        if script.refused:
            return Judged(text, Outcome.INVALID if tree.error else Outcome.REFUSED, script.refused)
        if tree.error is not None:
            return Judged(text, Outcome.ACCEPTED_INVALID, tree.error.message)
        try:
            return self._same(text, tree, script)
        except UnreadableError as confused:
            return Judged(text, Outcome.UNJUDGED, f"a word of bash's that this test cannot read: {confused}")

    def _same(self, text: str, tree: Tree, script: Script) -> Judged:
        theirs: list[Shape] = []
        for _, inside in self._all_trees(text, tree):
            if inside.error is not None and inside is not tree:
                return Judged(text, Outcome.ACCEPTED_INVALID, f"in a substitution: {inside.error.message}")
            theirs.append(BashShapes(self._inner_of).tree(inside))
        every = [(of_script(each), sure) for each, sure in scripts(script)]
        ours = {shape for shape, _ in every}
        missed = tuple(dict.fromkeys(shape for shape in theirs if shape not in ours))
        extra = tuple(dict.fromkeys(s for s, sure in every if sure and s not in theirs and not _unseen(s)))
        if missed:
            return Judged(text, Outcome.MISS, "", missed, tuple(s for s in ours if s not in theirs))
        if extra:
            return Judged(text, Outcome.EXTRA, "", (), extra)
        return Judged(text, Outcome.AGREE)

    # --- asking bash

    def _inner_of(self, word: str) -> tuple[str, ...]:
        return tuple(text for kind in ("word", "heredoc") for text in self._inner.get((kind, word), ()))

    def _all_trees(self, text: str, tree: Tree) -> Iterator[tuple[str, Tree]]:
        waiting, seen = [(text, tree)], {text}
        while waiting:
            current = waiting.pop()
            yield current
            for question in _questions(current[1]):
                for inner in self._inner[question]:
                    if inner not in seen:
                        seen.add(inner)
                        waiting.append((inner, self._trees[inner]))

    def _read_all(self, read: Iterable[tuple[str, Tree]]) -> None:
        """Fill the memory with every substitution in these trees, and in those, and so on."""
        if len(self._inner) > REMEMBERED:
            self._inner.clear()
            self._trees.clear()
        trees = [tree for _, tree in read]
        while trees:
            questions = dict.fromkeys(question for tree in trees for question in _questions(tree))
            new = [question for question in questions if question not in self._inner]
            self._ask(new)
            texts = dict.fromkeys(text for question in questions for text in self._inner[question])
            missing = [text for text in texts if text not in self._trees]
            trees = self._parsed(missing)
            self._trees.update(zip(missing, trees, strict=True))

    def _ask(self, questions: Sequence[Question]) -> None:
        """Once with unset and once with set variables, so that `${x-$(a)}` and `${x+$(b)}` are both seen."""
        asked = [(MODES.get(kind, "A"), word, seed) for kind, word in questions for seed in (0, 1)]
        answers = iter(self.bash._ask_all(asked))
        for question in questions:
            found = [*_substitutions(next(answers)), *_substitutions(next(answers))]
            self._inner[question] = tuple(dict.fromkeys(found))


def _unseen(shape: Shape) -> bool:
    """What bash's expansion does without running anything: nothing, and `$(<file)`, line after line."""
    return all(map(_only_reads, shape))


def _only_reads(item: object) -> bool:
    match item:
        case ((False, False, (("simple", (), (), (("input", 0, _),)),)), ";"):
            return True
        case _:
            return False


def _substitutions(answer: str) -> Iterator[str]:
    for event in read_events(answer):
        if isinstance(event, Substitution) and event.kind != "arithmetic":
            yield event.text


def _questions(tree: Tree) -> Iterator[Question]:
    for node, _ in nodes(tree):
        for kind, word in expanded(node):
            if any(mark in word for mark in MARKS):
                yield kind, word


# --- every script of ours


def scripts(script: Script) -> Iterator[tuple[Script, bool]]:
    """The script and all inside it. False for those in `${…}`, which bash may or may not come to expand."""
    waiting = [(script, True)]
    while waiting:
        current, sure = waiting.pop()
        yield current, sure
        for node in _nodes(current):
            for part, reached in _parts(node):
                sure_here = sure and reached and part.kind != "parameter" and not _may_fail(part)
                waiting += [(inner, sure_here) for inner in part.inner]


def _nodes(script: Script) -> Iterator[Simple | Compound]:
    bodies = [script.body] if script.body else []
    while bodies:
        body = bodies.pop()
        for pipeline, _ in body.items:
            for node in pipeline.commands:
                yield node
                if isinstance(node, Compound):
                    bodies += node.bodies


def _may_fail(part: Part) -> bool:
    """`${…}` inside arithmetic may end the expansion, or not come to its operand."""
    return part.kind == "arithmetic" and "${" in part.text.replace("\\\n", "")


def _parts(node: Simple | Compound) -> Iterator[tuple[Part, bool]]:
    """With whether bash comes so far: `${x?}` and `${1=}` end the expansion of a word."""
    arrays = [each.items for each in node.assignments if each.items] if isinstance(node, Simple) else []
    inside = {id(item) for items in arrays for item in items}
    every = [word.parts for word in words_of(node) if id(word) not in inside]
    every += [tuple(part for item in items for part in item.parts) for items in arrays]
    every += [heredoc_parts(redirect) for redirect in node.redirects]
    for parts in every:
        reached = True
        for part in parts:
            yield part, reached
            ends = part.kind in ("parameter", "arithmetic") and ("?" in part.text or "=" in part.text)
            reached = reached and not ends
