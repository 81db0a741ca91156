"""The bash oracle: what a real bash reads in a text, and what it would start. A test tool; see tests/oracle.

    with BashOracle() as bash:
        tree = bash.parse("ls -l | wc")     # bash's own syntax tree
        bash.executions("if a; then b; fi") # {("a",), ("b",)}: every program a recorder, every branch taken

Programs never run. Their exit status is the seed: 0 and 1 for all, others by name.
"""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Iterable, Sequence
from types import TracebackType

from oracle.events import End, Event, Exec, OracleError, Substitution, read_events
from oracle.sandbox import NEWER, SYSTEM, Server
from oracle.tree import Tree, read_tree
from oracle.walk import HEREDOC, WORD, Placed, expanded, nodes, shown, simple_commands

__all__ = ["NEWER", "SYSTEM", "BashOracle", "OracleError", "Placed", "Tree", "ended", "shown", "simple_commands"]

MODES = {WORD: "W", HEREDOC: "H"}
# A substitution contains one of these.
MARKS = ("`", "$", "<(", ">(")
DEPTH = 40
DIED = '{"event": "end", "how": "died", "status": 0, "said": ""}'


class BashOracle:
    """A bash in a sandbox. Texts that kill it or make it hang cost a restart and are answered all the same."""

    def __init__(self, bash: str = SYSTEM, *, seconds: float = 1.0) -> None:
        self.server = Server(bash)
        self.seconds = seconds

    def __enter__(self) -> BashOracle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.server.stop()

    @property
    def version(self) -> str:
        """Such as `5.2.15(1)-release`."""
        if not self.server.version:
            self.parse("")
        return self.server.version

    # --- parsing

    def parse(self, text: str) -> Tree:
        return self.parse_all([text])[0]

    def parse_all(self, texts: Sequence[str]) -> list[Tree]:
        """Many at a time, which is faster. What kills the server is parsed again in a child of it."""
        answers = self.server.ask([self._request("p", text) for text in texts], self.seconds)
        return [
            self.parse_in_child(text) if answer is None else read_tree(json.loads(_text(answer)))
            for text, answer in zip(texts, answers, strict=True)
        ]

    def parse_in_child(self, text: str) -> Tree:
        """Slower by a fork; no text can leave a trace in the bash that parses the next."""
        return read_tree(json.loads(self._ask("P", text)))

    def substitutions(self, text: str, kind: str = WORD) -> tuple[Substitution, ...]:
        """What bash performs when it expands a word, the body of a here-document or an arithmetic expression.

        bash itself expands it, once with unset variables and once with set ones, with the functions replaced that
        would run a substitution; so `${x-$(a)}` and `${x+$(b)}` are both seen, but not what an error hides.
        """
        both = [self._substitutions(text, kind, seed) for seed in (0, 1)]
        once, seen = Counter(both[0]), Counter[Substitution]()
        more = []
        for each in both[1]:
            seen[each] += 1
            if seen[each] > once[each]:
                more.append(each)
        return (*both[0], *more)

    def _substitutions(self, text: str, kind: str, seed: int) -> list[Substitution]:
        events = read_events(self._ask(MODES.get(kind, "A"), text, seed))
        found = sorted((event for event in events if isinstance(event, Substitution)), key=lambda each: each.order)
        return [Substitution(each.kind, each.text) for each in found]

    def deep_commands(self, text: str, depth: int = DEPTH) -> list[Placed]:
        """The simple commands of a text and of all substitutions in it; those have a step `$()` in their path."""
        tree = self.parse(text)
        found = list(simple_commands(tree))
        if depth == 0:
            return found
        for node, path in nodes(tree):
            for kind, word in expanded(node):
                for inner in self._inner(kind, word):
                    below = self.deep_commands(inner, depth - 1)
                    found += [Placed(each.command, (*path, "$()", *each.path)) for each in below]
        return found

    def _inner(self, kind: str, word: str) -> Iterable[str]:
        if any(mark in word for mark in MARKS):
            yield from (each.text for each in self.substitutions(word, kind) if each.kind != "arithmetic")

    # --- running

    def run(self, text: str, seed: int = 0) -> list[Event]:
        """What happens when bash runs the text, in the order it was seen; the last event is the `End`."""
        return read_events(self._ask("R", text, seed))

    def run_all_branches(self, text: str, seed: int = 0) -> list[Event]:
        """The same with every branch taken, every loop run once at least, and nothing left early.

        `exit`, `return`, `break`, `continue` and `exec` show as programs of that name. Traps of signals run too.
        """
        return read_events(self._ask("F", text, seed))

    def executions(self, text: str) -> set[tuple[str, ...]]:
        """Every argument list that bash would have given to a program: seeds 0 and 1, and all branches."""
        answers = self._ask_all([("R", text, 0), ("R", text, 1), ("F", text, 0)])
        return {event.argv for answer in answers for event in read_events(answer) if isinstance(event, Exec)}

    # --- the wire

    def _ask(self, mode: str, text: str, seed: int = 0) -> str:
        return self._ask_all([(mode, text, seed)])[0]

    def _ask_all(self, questions: Sequence[tuple[str, str, int]]) -> list[str]:
        # The server ends what is late; this waits longer, for a server that does not answer at all.
        answers = self.server.ask([self._request(*question) for question in questions], self.seconds + 10)
        return [DIED if answer is None else _text(answer) for answer in answers]

    def _request(self, mode: str, text: str, seed: int = 0) -> bytes:
        data = text.encode("utf-8", "surrogateescape")
        if b"\0" in data:
            raise ValueError("bash cannot be given a text with NUL")
        return mode.encode() + struct.pack("<III", seed, int(self.seconds * 1000), len(data)) + data


def _text(answer: bytes) -> str:
    return answer.decode("utf-8", "surrogateescape")


def ended(events: Sequence[Event]) -> End:
    """How a run ended."""
    assert isinstance(events[-1], End)
    return events[-1]
