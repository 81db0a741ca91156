"""assent parse: what the strict parser reads in a shell text, drawn as a tree or written as JSON."""

from __future__ import annotations

import sys

from assent import wire
from assent.cli.options import read_options
from assent.cli.show import paint, shorten, uses_colour, visible
from assent.errors import UsageError
from assent.record import record
from assent.shell import parse
from assent.shell.tree import Compound, Heredoc, Sequence, Simple
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.cli.options import Options
    from assent.shell.tree import Assignment, Node, Part, Pipeline, Redirect, Script, Word

KNOWN = {"--json": False}
READ, REFUSED = 0, 1
GREEN, RED, YELLOW, FAINT, BOLD = "1;32", "1;31", "33", "2", "1"
AROUND = 40

HELP = """usage: assent parse [--json] [COMMAND]

Read a bash text without running it and draw what is in it: every pipeline and command with its words,
assignments, redirects and heredocs, and the scripts inside substitutions. Without COMMAND, or with `-`,
the text is read from standard input.

Each line begins with the place of what it shows: characters counted from 0, the end not included. A word
without a remark is exactly what it says. `is` shows the text a program receives when it is written
differently, `unknown` what is only known at run time.

The parser is strict: it understands all of a text or refuses it, names the construct and points at it.

  --json            answer as one JSON object (docs/shell.md describes it)

Exit code: 0 read, 1 refused, 2 wrong usage.

Examples:
  assent parse 'make -C "$dir" all 2>&1 | tail -3'
  assent parse --json 'for f in *.py; do wc -l "$f"; done'
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "parse")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    script = parse(_text_of(options))
    if options.has("--json"):
        sys.stdout.write(wire.dumps(as_object(script)) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in as_lines(script, colour=uses_colour()))
    return REFUSED if script.refused else READ


def _text_of(options: Options) -> str:
    if len(options.rest) > 1:
        raise UsageError("give one command", help="quote the command: assent parse 'ls -la'")
    if options.rest and options.rest[0] != "-":
        return options.rest[0]
    if sys.stdin is None:  # closed by whoever started us
        raise UsageError("there is no standard input", help="quote the command: assent parse 'ls -la'")
    return sys.stdin.buffer.read().decode("utf-8", "surrogateescape")


# --- drawn ---------------------------------------------------------------------------------------------------------


@record
class Row:
    """A line of the drawing, and the rows that stand one step further in below it."""

    span: Span | None
    label: str
    text: str = ""
    remark: str = ""
    unknown: bool = False
    below: Iterable[Row] = ()


def as_lines(script: Script, *, colour: bool) -> Iterator[str]:
    """What a person sees: the answer, then the tree or the place of the refusal."""
    if script.refused or script.body is None:
        yield f"{paint(' REFUSED', RED, colour=colour)} {paint(visible(shorten(script.text)), BOLD, colour=colour)}"
        yield from _refusal(script, colour=colour)
        return
    yield f"{paint(' READ   ', GREEN, colour=colour)} {paint(visible(shorten(script.text)), BOLD, colour=colour)}"
    width = 2 * len(str(len(script.text))) + 1
    levels = [iter(_rows(script.body))]
    while levels:
        row = next(levels[-1], None)
        if row is None:
            levels.pop()
            continue
        yield _drawn(row, len(levels) - 1, width, colour=colour)
        levels.append(iter(row.below))


def _drawn(row: Row, level: int, width: int, *, colour: bool) -> str:
    place = f"{row.span.start}-{row.span.end}" if row.span else ""
    text = visible(shorten(row.text)) if row.text else ""
    shown = f"{row.label:<9} {text}" if text else row.label
    remark = f"  {paint(visible(row.remark), YELLOW if row.unknown else FAINT, colour=colour)}" if row.remark else ""
    return f"  {paint(f'{place:>{width}}', FAINT, colour=colour)}  {'  ' * level}{shown}{remark}"


def _rows(body: Sequence) -> Iterator[Row]:
    for pipeline, then in body.items:
        facts = [name for name, holds in (("timed", pipeline.timed), ("negated", pipeline.negated)) if holds]
        facts += [f"then {'newline' if then == chr(10) else then}"] if then else []
        yield Row(pipeline.span, "pipeline", remark=", ".join(facts), below=_command_rows(pipeline))
    if not body.items:
        yield Row(None, "no commands")


def _command_rows(pipeline: Pipeline) -> Iterator[Row]:
    for place, node in enumerate(pipeline.commands):
        merged = place < len(pipeline.merged) and pipeline.merged[place]
        remark = "its errors go into the pipe too (|&)" if merged else ""
        if isinstance(node, Simple):
            yield Row(node.span, "command", remark=remark, below=_simple_rows(node))
        else:
            label = f"{node.kind} {node.name}".rstrip()
            yield Row(node.span, visible(shorten(label)), remark=remark, below=_compound_rows(node))


def _simple_rows(node: Simple) -> Iterator[Row]:
    """In the order of the source, whatever their kind."""
    rows = [*map(_assignment_row, node.assignments), *(_word_row(word) for word in node.words)]
    rows += map(_redirect_row, node.redirects)
    yield from sorted(rows, key=lambda row: row.span.start if row.span else 0)


def _compound_rows(node: Compound) -> Iterator[Row]:
    for word in node.words:
        yield _word_row(word, splits=node.kind in ("for", "select"))
    if node.operators:
        yield Row(None, "operators", " ".join(node.operators))
    for place, body in enumerate(node.bodies):
        yield Row(body.span, _body_label(node, place), below=_rows(body))
    yield from map(_redirect_row, node.redirects)


def _body_label(node: Compound, place: int) -> str:
    if node.kind == "if":
        last = place == len(node.bodies) - 1
        return "else" if last and place % 2 == 0 else ("test", "then")[place % 2]
    if node.kind in ("while", "until"):
        return ("test", "body")[place]
    return "branch" if node.kind == "case" else "body"


def _word_row(word: Word, *, splits: bool = True) -> Row:
    below = _script_rows(word.parts)
    return Row(word.span, "word", word.text, _remark(word, splits=splits), word.value is None, below)


def _remark(word: Word, *, splits: bool) -> str:
    """What is not plain to see; `splits` where an unknown word may turn into several, or into none."""
    if word.value is None:
        count = "" if not splits else ", one word" if word.is_one_word else ", any number of words"
        return f"unknown{count}: {shorten(word.why_unknown)}"
    return "" if word.value == word.text else f"is {shorten(word.value)}" if word.value else "is empty"


def _assignment_row(made: Assignment) -> Row:
    sign = "+=" if made.append else "="
    if made.value is None:
        return Row(made.span, "assign", f"{made.name}{sign}(…)", below=map(_word_row, made.items or ()))
    return _value_row(made.value, made.span, "assign", f"{made.name}{sign}{made.value.text}")


def _value_row(word: Word, span: Span, label: str, shown: str) -> Row:
    """What is written to a variable or names a file: never split."""
    return Row(span, label, shown, _remark(word, splits=False), word.value is None, _script_rows(word.parts))


def _redirect_row(made: Redirect) -> Row:
    fd = "" if made.fd is None else f"{{{made.fd}}}" if isinstance(made.fd, str) else str(made.fd)
    if made.target is not None:
        return _value_row(made.target, made.span, "redirect", f"{fd}{made.op} {made.target.text}")
    heredoc = made.heredoc or Heredoc("", quoted=True, strips_tabs=False)
    unknown = [part for part in heredoc.parts if part.kind != "text"]
    facts = [f"heredoc of {len(heredoc.body)} characters"]
    facts += ["taken literally" if heredoc.quoted else "expanded"] if heredoc.quoted or not unknown else []
    facts += [] if heredoc.terminated else ["its end is missing"]
    facts += [f"unknown: {shorten(f'{unknown[0].kind} {unknown[0].text}')}"] if unknown else []
    below = _script_rows(heredoc.parts, " (places count in the heredoc)")
    return Row(made.span, "redirect", f"{fd}{made.op} {heredoc.delimiter}", ", ".join(facts), bool(unknown), below)


def _script_rows(parts: tuple[Part, ...], where: str = "") -> Iterator[Row]:
    for part in parts:
        for script in part.inner:
            if script.body is not None:
                remark = " (places count in this text)" if _stands_alone(script) else where
                yield Row(None, "runs", script.text.strip() or "nothing", remark.strip(), below=_rows(script.body))


def _stands_alone(script: Script) -> bool:
    """Whether its spans count in its own text: so in backticks, while `$(…)` is read in place, behind its opening."""
    return script.body is None or script.body.span.start == 0


# --- refused -------------------------------------------------------------------------------------------------------


def _refusal(script: Script, *, colour: bool) -> Iterator[str]:
    """The reason, and the part of the line around the place with a caret below it."""
    line, column = _position(script)
    yield f"         {visible(script.refused)}: line {line}, column {column}"
    start = script.at - column + 1
    end = script.text.find("\n", script.at)
    end = len(script.text) if end < 0 else end
    first, last = max(start, script.at - AROUND), min(end, script.at + AROUND)
    before = ("… " if first > start else "") + visible(script.text[first : script.at])
    after = visible(script.text[script.at : last]) + (" …" if last < end else "")
    yield f"         {before}{after}"
    yield f"         {' ' * _columns(before)}{paint('^', RED, colour=colour)}"


def _position(script: Script) -> tuple[int, int]:
    """Line and column of the refusal, both counted from 1."""
    before = script.text[: script.at]
    return before.count("\n") + 1, script.at - before.rfind("\n")


def _columns(text: str) -> int:
    """How wide a terminal draws it: wide characters take two columns, combining ones none."""
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


# --- as JSON -------------------------------------------------------------------------------------------------------


def as_object(script: Script) -> dict[str, object]:
    """The whole tree without nesting: what holds commands of its own names the numbers of their sequences."""
    if script.body is None:
        line, column = _position(script)
        why = {"why": script.refused, "at": script.at, "line": line, "column": column}
        return {"refused": why, "texts": [script.text], "sequences": []}
    writer = _Writer(script.text)
    writer.number(script.body, 0)
    sequences: list[object] = []
    while len(sequences) < len(writer.found):
        body, writer.text = writer.found[len(sequences)]
        sequences.append(writer.sequence(body))
    return {"refused": None, "texts": writer.texts, "sequences": sequences}


class _Writer:
    """Gives every sequence a number; `text` is the number of the text that the spans count in at the moment."""

    def __init__(self, text: str) -> None:
        self.texts = [text]
        self.text = 0
        self.found: list[tuple[Sequence, int]] = []

    def number(self, body: Sequence, text: int) -> int:
        self.found.append((body, text))
        return len(self.found) - 1

    def sequence(self, body: Sequence) -> dict[str, object]:
        pipelines = [self._pipeline(pipeline, then) for pipeline, then in body.items]
        return {"text": self.text, "span": _pair(body.span), "pipelines": pipelines}

    def _pipeline(self, pipeline: Pipeline, then: str) -> dict[str, object]:
        return {
            "span": _pair(pipeline.span),
            "negated": pipeline.negated,
            "timed": pipeline.timed,
            "merged": list(pipeline.merged),
            "then": then,
            "commands": [self._command(node) for node in pipeline.commands],
        }

    def _command(self, node: Node) -> dict[str, object]:
        made: dict[str, object] = {"type": "simple" if isinstance(node, Simple) else "compound"}
        if isinstance(node, Compound):
            made |= {"kind": node.kind, "name": node.name, "operators": list(node.operators)}
        made["span"] = _pair(node.span)
        if isinstance(node, Simple):
            made["assignments"] = [self._assignment(assignment) for assignment in node.assignments]
        made["words"] = [self._word(word) for word in node.words]
        made["redirects"] = [self._redirect(redirect) for redirect in node.redirects]
        if isinstance(node, Compound):
            made["bodies"] = [self.number(body, self.text) for body in node.bodies]
        return made

    def _assignment(self, made: Assignment) -> dict[str, object]:
        return {
            "name": made.name,
            "append": made.append,
            "span": _pair(made.span),
            "value": self._word(made.value) if made.value is not None else None,
            "items": [self._word(word) for word in made.items] if made.items is not None else None,
        }

    def _word(self, word: Word) -> dict[str, object]:
        return {
            "text": word.text,
            "span": _pair(word.span),
            "value": word.value,
            "why_unknown": word.why_unknown,
            "is_one_word": word.is_one_word,
            "parts": [self._part(part, self.text) for part in word.parts],
        }

    def _part(self, part: Part, around: int) -> dict[str, object]:
        inner = [self._script(script, around) for script in part.inner]
        return {"kind": part.kind, "text": part.text, "quoted": part.quoted, "inner": inner}

    def _script(self, script: Script, around: int) -> int:
        body = script.body or Sequence((), Span(0, 0))
        return self.number(body, self._new_text(script.text) if _stands_alone(script) else around)

    def _redirect(self, made: Redirect) -> dict[str, object]:
        return {
            "op": made.op,
            "fd": made.fd,
            "span": _pair(made.span),
            "target": self._word(made.target) if made.target is not None else None,
            "heredoc": self._heredoc(made.heredoc) if made.heredoc is not None else None,
        }

    def _heredoc(self, heredoc: Heredoc) -> dict[str, object]:
        runs = any(part.inner for part in heredoc.parts)
        around = self._new_text(heredoc.body) if runs else self.text
        return {
            "delimiter": heredoc.delimiter,
            "quoted": heredoc.quoted,
            "strips_tabs": heredoc.strips_tabs,
            "terminated": heredoc.terminated,
            "body": heredoc.body,
            "parts": [self._part(part, around) for part in heredoc.parts],
        }

    def _new_text(self, text: str) -> int:
        self.texts.append(text)
        return len(self.texts) - 1


def _pair(span: Span) -> list[int]:
    return [span.start, span.end]
