"""Paths of the home folder as people write them: `~/notes`. For screens alone; what is stored and compared is whole."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.questions import ApprovalRequest

PLACES = frozenset({"Deletes", "Writes", "Reads", "Lists"})
"""The headings under which targets are paths."""


def short(path: str, home: str) -> str:
    """A path with `~` for the home folder."""
    root = home.rstrip("/")
    return "~" + path[len(root) :] if root and (path == root or path.startswith(f"{root}/")) else path


def sayer(request: ApprovalRequest, home: str) -> Callable[[str], str]:
    """Says sentences and targets of a request with `~/…` for each of its targets that lies in the home folder.

    INVARIANT: never two readings. Where a target is written with a `~` of its own, which may be a name like any other,
    everything stays as it is; so does a text that quotes what would run.
    """
    root = home.rstrip("/") + "/"
    targets = [(label, text) for label, found in request.targets for text in found]
    places = {text for label, text in targets if label in PLACES and text.startswith(root)}
    if root == "/" or not places or any(text.startswith("~") for _, text in targets):
        return str
    commands = tuple(text for label, text in targets if label not in PLACES and root in text)
    bare = sorted((re.escape(_bare(text)) for text in places), key=len, reverse=True)
    pattern = re.compile(rf"(?<![^\s`])(?:{'|'.join(bare)})")

    def say(text: str) -> str:
        quotes = any(command in text for command in commands)
        return text if quotes else pattern.sub(lambda found: short(found[0], home), text)

    return say


def _bare(target: str) -> str:
    return target.removesuffix(" (possibly)").removesuffix("/**")
