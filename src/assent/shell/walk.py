"""Every simple command of a script, those inside substitutions, heredocs and bodies included, in source order."""

from __future__ import annotations

from assent.shell.tree import Compound, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.shell.tree import Node, Part, Redirect, Script, Sequence, Word


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
