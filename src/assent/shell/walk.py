"""Every simple command of a script, with those inside substitutions, heredocs and bodies, and what is quickly seen."""

from __future__ import annotations

from assent import types
from assent.shell.compounds import ARITHMETIC_TESTS, UNARY
from assent.shell.numbers import SOME_NUMBER, assigned, inside, is_number, settles
from assent.shell.tree import Compound, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.shell.tree import Node, Part, Pipeline, Redirect, Script, Sequence, Word


def simple_commands(script: Script) -> Iterator[Simple]:
    """Nothing for a refused script: that it is refused is all there is to know."""
    return (node for node in all_commands(script) if isinstance(node, Simple))


def all_commands(script: Script) -> Iterator[Node]:
    """Every command, simple or compound."""
    todo: list[Node] = list(_nodes_of(script.body))[::-1]
    while todo:
        node = todo.pop()
        yield node
        inner = [found for nested in scripts_in(node) for found in _nodes_of(nested.body)]
        bodies = [found for body in node.bodies for found in _nodes_of(body)] if isinstance(node, Compound) else []
        todo += (inner + bodies)[::-1]


def scripts_in(node: Node) -> Iterator[Script]:
    """The scripts that run when a command's own words, redirects and assignments are expanded."""
    for word in words_of(node):
        for part in word.parts:
            yield from part.inner
    for redirect in node.redirects:
        for part in heredoc_parts(redirect):
            yield from part.inner


def words_of(node: Node) -> Iterator[Word]:
    """Every word bash expands for a command itself, not for what is in its bodies."""
    if isinstance(node, Simple):
        for assignment in node.assignments:
            if assignment.value is not None:
                yield assignment.value
            yield from assignment.items or ()
    yield from node.words
    for redirect in node.redirects:
        if redirect.target is not None:
            yield redirect.target


def heredoc_parts(redirect: Redirect) -> tuple[Part, ...]:
    return redirect.heredoc.parts if redirect.heredoc is not None else ()


def _nodes_of(body: Sequence | None) -> Iterator[Node]:
    for pipeline, _ in body.items if body is not None else ():
        yield from pipeline.commands


def is_all_text(node: Node) -> bool:
    """Whether nothing in a command is expanded, which is quickly seen."""
    if not isinstance(node, Simple) or node.assignments or node.redirects:
        return False
    for word in node.words:  # noqa: SIM110 - `all` would cost more than what is saved here
        if len(word.parts) != 1 or word.parts[0].kind != "text":
            return False
    return True


def cannot_fail(pipeline: Pipeline) -> bool:
    """Assignments; and `read`, which sets its variables at the end of its input, too."""
    simple = [command for command in pipeline.commands if isinstance(command, Simple)]
    return len(simple) == len(pipeline.commands) and all(
        not command.words or (command.words[0].text == "read" and not command.redirects) for command in simple
    )


def is_pipe(redirect: Redirect) -> bool:
    """`< <(command)` is a pipe from a call of its own."""
    target = redirect.target if redirect.op == "<" and redirect.fd in (None, 0) else None
    if target is None or not target.text.startswith("<("):
        return False
    return len(target.parts) == 1 and target.parts[0].kind == "process"


def substitutions(redirect: Redirect) -> int:
    target = redirect.target.parts if redirect.target is not None else ()
    return sum(len(part.inner) for part in (*target, *heredoc_parts(redirect)))


def has_name(text: str) -> bool:
    """Whether arithmetic reads a variable, whose value bash would evaluate as an expression too."""
    text = text.removeprefix("$")
    for plain in ("$#", "$?", "$$"):
        text = text.replace(plain, "")
    return any(sign.isalpha() or sign in "_$" for sign in text)


def doubts_in(parts: list[Part], variables: Mapping[str, types.Word | None]) -> Iterator[str]:
    """What is not known about the parts of words: arithmetic that may fail or hold code, and hidden assignments.

    What fails there ends the line, and what stands behind it on that line does not happen.
    """
    for part in parts:  # grows: also those inside others
        parts += part.nested
        if part.kind == "arithmetic":
            text = inside(part.text)
            names = assigned(text, variables) if part.text[0] != "$" else [] if settles(text, variables) else None
            if names is None:
                yield "arithmetic with variables" if has_name(part.text) else "arithmetic that may fail"
            elif names:
                variables = {**variables, **dict.fromkeys(names, SOME_NUMBER)}
        if part.kind == "parameter" and part.text.endswith("="):
            yield "assignment inside ${…}"


def compares_numbers(node: Compound, variables: Mapping[str, types.Word | None]) -> bool:
    """Whether all that `[[` compares by `-lt` and its kin are numbers: it would evaluate whatever else stands there."""
    if ARITHMETIC_TESTS.isdisjoint(node.operators):
        return True
    taken = [1 if operator in UNARY else 2 for operator in node.operators]
    if sum(taken) != len(node.words):
        return False
    at = 0
    for operator, count in zip(node.operators, taken, strict=True):
        compared = node.words[at : at + count]
        if operator in ARITHMETIC_TESTS and not all(_is_number(word, variables) for word in compared):
            return False
        at += count
    return True


def _is_number(word: Word, variables: Mapping[str, types.Word | None]) -> bool:
    """Written down, or the text of a variable that holds one."""
    if word.value is not None:
        return is_number(types.Word(word.text, word.value))
    parts = [part for part in word.parts if part.kind != "text" or part.text]
    if len(parts) != 1 or parts[0].kind != "parameter" or parts[0].inner:
        return False
    return parts[0].text in ("#", "?") or is_number(variables.get(parts[0].text))


def is_expanded_twice(target: str) -> bool:
    """Whether bash would expand what stands behind `>&` once more."""
    from assent.shell.redirects import TWICE

    return any(sign in target for sign in TWICE)


def is_one_name(target: types.Word) -> bool:
    """Whether a target that is not known is one name that whoever looks further may find out about.

    A name without quotes that would be taken apart is no target at all, and noticed as one where it is seen.
    """
    return bool(target.pattern and (not target.many or target.why == types.UNQUOTED)) or target.why.startswith(
        types.LINE
    )
