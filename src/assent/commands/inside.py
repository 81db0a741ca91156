"""Commands that run in a container, a pod or a virtual machine: which of them print the variables it was given."""

from __future__ import annotations

from assent.commands.shown import is_secret_name, named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

CODE = "environment.inside"
"""Variables of somewhere else; that the machine they lie on is told about them is no news to it."""
ALONE = frozenset("set export declare typeset".split())
"""Without names they print every variable."""
WITH_VARIABLES = ("config", "containerconfig", "info", "settings")
SEPARATORS = str.maketrans(dict.fromkeys(";|&\n()`\\", ";"))


def shown_inside(args: Args, words: list[Word]) -> Iterator[Fact]:
    """`docker exec web env`, also in the text of a shell and behind other programs; a doubt is enough."""
    texts = [word.value if word.value is not None else word.text for word in words]
    if _prints_some(texts) or any(_prints(text) for text in texts):
        yield args.effect("note", "the environment inside", CODE)


def _prints_some(texts: list[str]) -> bool:
    """Whether a word is a program that prints variables; one that asks for names without secrets may."""
    for at, text in enumerate(texts):
        name, rest = text[text.rfind("/") + 1 :], texts[at + 1 :]
        if name == "env" and all(one[:1] == "-" or "=" in one for one in rest):
            return True
        if name == "printenv" and _is_secret(rest):
            return True
    return False


def _is_secret(names: list[str]) -> bool:
    wanted = [name for name in names if name[:1] != "-"]
    return not wanted or any(is_secret_name(name.upper()) or "$" in name for name in wanted)


def _prints(text: str) -> bool:
    """Whether a text that may be a script, or the name of a file, shows variables."""
    if "/environ" in text:
        return True
    if " " not in text and "$" not in text and ";" not in text:
        return False
    parts = text.translate(SEPARATORS)
    for part in parts.split(";"):
        pieces = [piece.strip("\"'") for piece in part.split()]
        if _prints_some(pieces) or (pieces and pieces[0] in ALONE and all(piece[:1] == "-" for piece in pieces[1:])):
            return True
    return any(map(is_secret_name, named(parts)))


def inspected(args: Args) -> Iterator[Fact]:
    """`docker inspect` shows the variables of a container, unless a template asks for something else.

    Those of an image are there for everybody who has it.
    """
    templates = args.values("-f", "--template")
    if args.text("--type") in ("image", "network", "volume"):
        return
    if not templates or any(_shows_variables(word.value or "") for word in templates):
        yield args.effect("note", "the environment inside", CODE)


def _shows_variables(template: str) -> bool:
    """Whether a template prints `.Config.Env`: by its name, with all of `.Config`, or with everything (`{{.}}`)."""
    text = template.lower()
    if "{{" not in text or "env" in text or "$" in text:
        return True
    at = text.find(".")
    while at >= 0:
        end = at + 1
        while text[end : end + 1].isalnum():
            end += 1
        name, deeper = text[at + 1 : end], text[end : end + 1] == "."
        if not name or (name in WITH_VARIABLES and not deeper):
            return True
        at = text.find(".", end)
    return False
