"""The body of a heredoc is found at once where that can be; line by line, as bash does, it is the same."""

from __future__ import annotations

import random

import pytest

from assent.shell import parse
from assent.shell.redirects import RedirectReader
from assent.shell.tree import Script

OPENINGS = ("<<EOF", "<<'EOF'", "<<-EOF", "<<E", '<<"E"', "<<''", "<<EOF <<E", "<<'E' <<'EOF'", "<<'E' | cat <<E")
PIECES = (
    *("EOF", "E", "EOF\n", "E\n", "\n", "\n", "\n\n", "EOFx", " EOF", "\tEOF\n", "a", "\\", "\\\n", "$x", "$(", ")"),
    *("`", "'", '"', "#", " ", "\r", "é", "cat <<EOF\n"),
)


def shown(found: object) -> str:
    """Heredocs are no records, and have no words of their own: they are filled in later."""
    if isinstance(found, tuple):
        return f"({', '.join(map(shown, found))})"
    names: tuple[str, ...] = getattr(found, "__slots__", ())
    return (
        f"{type(found).__name__}({', '.join(shown(getattr(found, name)) for name in names)})" if names else repr(found)
    )


def by_lines(text: str, monkeypatch: pytest.MonkeyPatch) -> Script:
    with monkeypatch.context() as patch:
        patch.setattr(RedirectReader, "_read_body", RedirectReader._read_lines)
        return parse(text)


def test_random_bodies_are_the_same_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(11)
    for _ in range(5_000):
        body = "".join(chance.choice(PIECES) for _ in range(chance.randrange(12)))
        text = f"cat {chance.choice(OPENINGS)}{chance.choice((chr(10), '; b' + chr(10), ''))}{body}"
        assert shown(parse(text)) == shown(by_lines(text, monkeypatch)), text


@pytest.mark.parametrize(
    ("text", "body", "ended"),
    [
        ("cat <<'E'\na\nE\nb", "a\n", True),
        ("cat <<'E'\nE\n", "", True),
        ("cat <<'E'\nE", "", True),
        ("cat <<'E'\na\nE", "a\n", True),
        ("cat <<'E'\naE", "aE\n", False),
        ("cat <<'E'\na\n", "a\n", False),
        ("cat <<'E'\n", "", False),
        ("cat <<'E'", "", False),
        ("cat <<'E'\na\\\nE\n", "a\\\n", True),
    ],
)
def test_where_a_body_ends(text: str, body: str, ended: bool) -> None:
    script = parse(text)
    assert script.body is not None
    heredoc = script.body.items[0][0].commands[0].redirects[0].heredoc
    assert heredoc is not None
    assert (heredoc.body, heredoc.terminated) == (body, ended)
