"""One comparable form for our tree and for bash's: nested tuples of commands, words, assignments and redirects.

What runs inside substitutions is not nested here; each such script is a shape of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from assent.shell import tree as ours
from oracle import tree as bash
from shell import skeleton
from shell.skeleton import ASSIGNMENT, Skeleton

Shape: TypeAlias = tuple[object, ...]
Inner: TypeAlias = Callable[[str], Iterable[str]]

MERGED: Shape = ("dup-output", 2, 1)
OPERATORS = {
    "<": ("input", 0),
    ">": ("output", 1),
    ">>": ("append", 1),
    "<>": ("input-output", 0),
    ">|": ("output-force", 1),
    "&>": ("output-both", 1),
    "&>>": ("append-both", 1),
    "<<<": ("herestring", 0),
    "<<": ("heredoc", 0),
    "<<-": ("heredoc-tabs", 0),
    "<&": ("input", 0),
    ">&": ("output", 1),
}
ALL = ('"$@"',)


# --- ours


def of_script(script: ours.Script) -> Shape:
    return _sequence(script.body) if script.body else ()


def _sequence(body: ours.Sequence) -> Shape:
    return tuple((_pipeline(pipeline), _joint(op)) for pipeline, op in body.items)


def _joint(op: str) -> str:
    return ";" if op in ("", "\n") else op


def _pipeline(pipeline: ours.Pipeline) -> Shape:
    merged = (*pipeline.merged, False)
    commands = tuple(_node(node, merges) for node, merges in zip(pipeline.commands, merged, strict=True))
    return pipeline.negated, pipeline.timed, commands


def _node(node: ours.Simple | ours.Compound, merges: bool) -> Shape:
    redirects = (*map(_redirect, node.redirects), *([MERGED] if merges else []))
    if isinstance(node, ours.Simple):
        words = tuple(_skeleton(word.parts) for word in node.words)
        return "simple", tuple(map(_assignment, node.assignments)), words, redirects
    bodies = tuple(_sequence(body) for body in node.bodies)
    words = tuple(_skeleton(word.parts) for word in node.words)
    match node.kind:
        case "if":
            return "if", _branches(bodies), redirects
        case "for" | "select":
            return node.kind, node.name, _listed(words), bodies, redirects
        case "arithmetic for":
            return (
                node.kind,
                tuple(_sum(word.text[:-1] or "1") for word in _without_last(node.words)),
                bodies,
                redirects,
            )
        case "arithmetic":
            return node.kind, _sum(node.words[0].text[:-2]), redirects
        case "condition":
            return node.kind, words, tuple(op for op in node.operators if op != "-n"), redirects
        case "function":
            return node.kind, node.name, _bare(bodies), redirects
        case _:
            return node.kind, words, bodies, redirects


def _without_last(words: tuple[ours.Word, ...]) -> Iterable[ours.Word]:
    """The last of the three parts ends in two characters."""
    last = words[-1]
    return (*words[:-1], ours.Word(last.text[:-1], last.span))


def _branches(bodies: tuple[Shape, ...]) -> Shape:
    """`elif` is an `if` inside `else`, as bash has it."""
    if len(bodies) <= 2:
        return bodies
    if len(bodies) == 3:
        return bodies
    nested: Shape = ("if", _branches(bodies[2:]), ())
    return *bodies[:2], (((False, False, (nested,)), ";"),)


def _bare(bodies: Shape) -> Shape:
    """bash writes a function inside `$(…)` with a group around its body."""
    match bodies:
        case ((((False, False, (("group", (), ((inner,),), ()),)), ";"),),):
            return _bare(((inner,),))
        case _:
            return bodies


def _listed(words: tuple[Skeleton, ...]) -> tuple[Skeleton, ...]:
    """A loop without `in` is one over `"$@"`; we do not tell them apart."""
    return () if words == ((("parameter", "@", True),),) else words


def _sum(text: str) -> str:
    text = text.replace("\\\n", "").strip() or "1"
    return "…" if "$(" in text or "`" in text else text


def _skeleton(parts: tuple[ours.Part, ...]) -> Skeleton:
    return skeleton.joined(_pieces(parts))


def _pieces(parts: tuple[ours.Part, ...]) -> Iterable[skeleton.Piece]:
    for part in parts:
        match part.kind:
            case "text" | "glob" | "brace" | "tilde":
                yield "text", part.text
            case "process":
                yield ("process",)
            case "parameter":
                yield "parameter", part.text, part.quoted
            case "command" | "arithmetic":
                yield part.kind, part.quoted


def _assignment(assignment: ours.Assignment) -> Shape:
    if assignment.items is not None:
        return assignment.name, assignment.append, tuple(_skeleton(item.parts) for item in assignment.items), "array"
    assert assignment.value is not None
    return assignment.name, assignment.append, _skeleton(assignment.value.parts), "value"


def _redirect(redirect: ours.Redirect) -> Shape:
    op, default = OPERATORS[redirect.op]
    fd = default if redirect.fd is None else redirect.fd
    if redirect.heredoc is not None:
        doc = redirect.heredoc
        parts = () if doc.quoted else _skeleton(doc.parts)
        return op, fd, doc.delimiter, doc.quoted, doc.body, parts
    assert redirect.target is not None
    if not redirect.op.endswith("&"):
        return op, fd, _skeleton(redirect.target.parts)
    text = redirect.target.text.replace("\\\n", "")
    if text == "-":
        return "close", fd
    moves = text.endswith("-")
    kind = "move" if moves else "dup"
    number = text[:-1] if moves else text
    if number.isascii() and number.isdigit():
        return f"{kind}-{op}", fd, int(number)
    return f"{kind}-{op}-word", fd, _skeleton(redirect.target.parts)


# --- bash's


class BashShapes:
    """Shapes of bash's tree; `inner` gives the substitutions that bash finds in a word."""

    def __init__(self, inner: Inner) -> None:
        self.inner = inner

    def tree(self, tree: bash.Tree) -> Shape:
        return tuple(item for command in tree.commands for item in self.sequence(command))

    def sequence(self, node: bash.Command | None) -> Shape:
        """Lists nest to the left and can be as deep as they are long."""
        items: list[tuple[Shape, str]] = []
        waiting: list[bash.Command | str] = [node] if node is not None else []
        while waiting:
            each = waiting.pop()
            if isinstance(each, str):
                items[-1] = (items[-1][0], _joint(each))
            elif isinstance(each, bash.Connection) and each.op != "|":
                waiting += [*([each.right] if each.right is not None else []), each.op, each.left]
            else:
                items.append((self.pipeline(each), ";"))
        return tuple(items)

    def pipeline(self, node: bash.Command) -> Shape:
        commands: list[bash.Command] = []
        waiting: list[bash.Command | None] = [node]
        while waiting:
            each = waiting.pop()
            if isinstance(each, bash.Connection) and each.op == "|" and (each is node or not each.flags):
                waiting += [each.right, each.left]
            elif each is not None:
                commands.append(each)
        return "negated" in node.flags, "time" in node.flags, tuple(map(self.node, commands))

    def node(self, node: bash.Command) -> Shape:
        redirects = tuple(map(self.redirect, node.redirects))
        match node:
            case bash.Simple():
                return "simple", tuple(map(self.assignment, node.assignments)), self.words(node.words), redirects
            case bash.If():
                bodies = (node.test, node.then) if node.orelse is None else (node.test, node.then, node.orelse)
                return "if", tuple(map(self.sequence, bodies)), redirects
            case bash.For() | bash.Select():
                kind = type(node).__name__.lower()
                return kind, node.name.text, _listed(self.words(node.words)), (self.sequence(node.body),), redirects
            case bash.ArithFor():
                heads = tuple(_sum("".join(word.text for word in part)) for part in (node.init, node.test, node.step))
                return "arithmetic for", heads, (self.sequence(node.body),), redirects
            case bash.Arith():
                return "arithmetic", _sum("".join(word.text for word in node.expression)), redirects
            case bash.Function():
                return "function", node.name, _bare((self.sequence(node.body),)), redirects
            case bash.While() | bash.Until():
                kind = type(node).__name__.lower()
                return kind, (), (self.sequence(node.test), self.sequence(node.body)), redirects
            case bash.Cond():
                operands, operators = _condition(node.expression)
                return "condition", self.words(operands), operators, redirects
            case bash.Case():
                words = self.words((node.word, *(each for clause in node.clauses for each in clause.patterns)))
                return "case", words, tuple(self.sequence(clause.body) for clause in node.clauses), redirects
            case bash.Group() | bash.Subshell():
                return type(node).__name__.lower(), (), (self.sequence(node.body),), redirects
            case bash.Coproc() | bash.Connection():
                return type(node).__name__.lower(), repr(node)

    def words(self, words: Iterable[bash.Word]) -> tuple[Skeleton, ...]:
        return tuple(skeleton.word(word.text, self.inner(word.text)) for word in words)

    def assignment(self, word: bash.Word) -> Shape:
        found = ASSIGNMENT.fullmatch(word.text)
        if not found:
            raise skeleton.UnreadableError(word.text)
        name, subscript, append, value = found.groups()
        inner = self.inner(word.text)
        if "compound" in word.flags:
            return name + (subscript or ""), bool(append), skeleton.items(value[1:-1], inner), "array"
        return name + (subscript or ""), bool(append), skeleton.word(value, inner), "value"

    def redirect(self, redirect: bash.Redirect) -> Shape:
        fd = redirect.variable if redirect.variable is not None else redirect.fd
        if redirect.delimiter is not None:
            text = "" if redirect.target is None else redirect.target.text
            parts = () if redirect.quoted else skeleton.heredoc(text, self.inner(text))
            return redirect.op, fd, redirect.delimiter, redirect.quoted, text, parts
        if redirect.op == "close":
            return "close", fd
        if redirect.source is not None:
            return redirect.op, fd, redirect.source
        assert redirect.target is not None
        return redirect.op, fd, self.words((redirect.target,))[0]


def _condition(expression: bash.Condition) -> tuple[list[bash.Word], tuple[str, ...]]:
    """The operands and operators from left to right; a lone word has the operator `-n`."""
    words: list[bash.Word] = []
    operators: list[str] = []
    waiting: list[bash.Condition | str | None] = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            operators.append(part)
        elif part is None:
            continue
        elif part.kind == "term" and part.word is not None:
            words.append(part.word)
        else:
            shown = part.word.text if part.word is not None and part.kind in ("unary", "binary") else ""
            waiting += [part.right, *([shown] if shown and shown != "-n" else []), part.left]
    return words, tuple(operators)
