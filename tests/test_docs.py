"""The pages are true: links lead somewhere, every page can be found, examples parse, commands exist."""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from architecture import files, is_python

ROOT = Path(__file__).parent.parent
PAGES = [path for path in files(ROOT) if path.suffix == ".md"]
ENTRANCES = ("README.md", "docs/index.md")
SHELLS = ("", "sh", "bash", "console", "shell", "text")
UNFINISHED = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")

FENCE = re.compile(r"^( *)(`{3,}|~{3,})([^\n`]*)\n(.*?)^\1\2`*~* *$\n?", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(\s*<?([^\s)>]+)>?[^)]*\)|^\[[^\]]+\]:\s*<?([^\s>]+)", re.MULTILINE)
LINK_TEXT = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


class Page(NamedTuple):
    """A page taken apart: its prose with code blanked out, its fenced blocks as (language, line, text)."""

    path: Path
    prose: str
    blocks: list[tuple[str, int, str]]
    inline: list[str]
    headings: list[str]


def read(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    blocks = [
        (match[3].strip().split(" ")[0], text.count("\n", 0, match.start()) + 2, match[4])
        for match in FENCE.finditer(text)
    ]
    outside = FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)
    inline = [match[2] for match in INLINE_CODE.finditer(outside)]
    prose = INLINE_CODE.sub(lambda match: "`" + "\n" * match[0].count("\n") + "`", outside)
    return Page(path, prose, blocks, inline, HEADING.findall(outside))


def anchors(page: Page) -> set[str]:
    """The names that the headings of a page get, the second of a kind with `-1`, and so on."""
    found: dict[str, int] = {}
    names = set()
    for heading in page.headings:
        shown = LINK_TEXT.sub(r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", shown).replace(" ", "-")
        names.add(f"{slug}-{found[slug]}" if slug in found else slug)
        found[slug] = found.get(slug, 0) + 1
    return names


def links(page: Page) -> Iterator[tuple[int, str]]:
    """Line and target of every link that stays in this repository."""
    for match in LINK.finditer(page.prose):
        target = match[1] or match[2]
        if not re.match(r"[a-z][a-z0-9+.-]*:", target):
            yield page.prose.count("\n", 0, match.start()) + 1, target


def broken_links(path: Path) -> list[str]:
    page, found = read(path), []
    for line, target in links(page):
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        if not there.exists():
            found.append(f"{path.name}:{line}: `{target}` does not exist")
        elif anchor and there.suffix == ".md" and anchor not in anchors(read(there)):
            found.append(f"{path.name}:{line}: `{target}` names no heading")
    return found


def reachable(root: Path, entrances: tuple[str, ...] = ENTRANCES) -> set[Path]:
    """Every page that a reader finds by following links."""
    seen: set[Path] = set()
    todo = [(root / name).resolve() for name in entrances]
    while todo:
        path = todo.pop()
        if path in seen or path.suffix != ".md" or not path.exists():
            continue
        seen.add(path)
        todo += [(path.parent / target.partition("#")[0]).resolve() for _, target in links(read(path))]
    return seen


def verbs_named(page: Page) -> set[str]:
    """The verbs of all `assent …` commands in shell blocks and inline code."""
    lines = [line for language, _, text in page.blocks if language in SHELLS for line in text.splitlines()]
    matches = [re.match(r"\$? ?assent ([a-z][a-z-]*)", line.strip()) for line in [*lines, *page.inline]]
    return {match[1] for match in matches if match}


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    assert broken_links(path) == []


def test_every_page_can_be_found() -> None:
    lost = {path.resolve() for path in PAGES if (ROOT / "docs") in path.parents} - reachable(ROOT)
    assert not lost, f"no link leads to: {', '.join(sorted(map(name_of, lost)))}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_toml_examples_parse(path: Path) -> None:
    for language, line, text in read(path).blocks:
        if language == "toml":
            try:
                tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                raise AssertionError(f"{name_of(path)}:{line}: {error}") from error


def test_commands_in_the_readme_exist() -> None:
    from assent.cli.main import VERBS

    unknown = verbs_named(read(ROOT / "README.md")) - set(VERBS)
    assert not unknown, f"README.md names verbs that do not exist: {', '.join(sorted(unknown))}"


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_no_page_is_unfinished(path: Path) -> None:
    assert UNFINISHED.findall(read(path).prose) == []


def test_no_comment_is_a_promise() -> None:
    """What should be done later is an issue, not a comment."""
    found = []
    for path in filter(is_python, files(ROOT)):
        text = io.StringIO(path.read_text(encoding="utf-8"))
        for token in tokenize.generate_tokens(text.readline):
            if token.type == tokenize.COMMENT and UNFINISHED.search(token.string):
                found.append(f"{name_of(path)}:{token.start[0]}")
    assert found == []


# --- the tests above can fail --------------------------------------------------------------------------------------


def page(folder: Path, text: str, name: str = "page.md") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_broken_link_is_named_with_its_line(tmp_path: Path) -> None:
    page(tmp_path, "# Here\n\n## It's `here`: yes\n\n## Twice\n\n## Twice\n", "other.md")
    text = """# Page
[fine](other.md) [fine](other.md#its-here-yes) [fine](other.md#twice-1) [fine](#page) [web](https://example.com/x)
`[code](nowhere.md)` [gone](gone.md)
```md
[code](nowhere.md)
```
[no heading](other.md#gone)
[no heading](#gone)

[reference]: lost.md
"""
    assert broken_links(page(tmp_path, text)) == [
        "page.md:3: `gone.md` does not exist",
        "page.md:7: `other.md#gone` names no heading",
        "page.md:8: `#gone` names no heading",
        "page.md:10: `lost.md` does not exist",
    ]


def test_a_page_without_a_link_to_it_is_lost(tmp_path: Path) -> None:
    readme = page(tmp_path, "[a](docs/a.md)\n", "README.md")
    first = page(tmp_path, "[b](b.md#x)\n", "docs/a.md")
    second = page(tmp_path, "# b\n", "docs/b.md")
    page(tmp_path, "# c\n", "docs/c.md")
    assert reachable(tmp_path) == {readme, first, second}


def test_commands_are_found_in_blocks_and_in_inline_code(tmp_path: Path) -> None:
    text = "Run `assent explain x`, trust assent blindly.\n\n```sh\n$ assent check 'ls'\nassent --version\n```\n"
    assert verbs_named(read(page(tmp_path, text))) == {"explain", "check"}


def test_blocks_know_their_language_and_line(tmp_path: Path) -> None:
    text = "# x\n\n```toml\na = 1\n```\n\n~~~sh title\nls\n~~~\n"
    assert read(page(tmp_path, text)).blocks == [("toml", 4, "a = 1\n"), ("sh", 8, "ls\n")]
