"""The examples in the pages are true: policies load, commands answer as shown, Python runs.

A fenced block says in its info string what it is: `toml policy` must load without an error, `toml policy FILE` and
`json FILE` are also written into the scratch project, `console` is run, `python` is executed. The blocks of a page
share one scratch project, in the order of the page; its home is shown as `/home/you`.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from assent.layers import Layered, check_layers

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOME = "/home/you"


class Block(NamedTuple):
    """One fenced block: its language, the words after it, its line and its text."""

    language: str
    words: list[str]
    line: int
    text: str


class Shown(NamedTuple):
    """A command of a console block and the output that the page shows for it."""

    command: str
    lines: list[str]


def blocks(text: str) -> list[Block]:
    found = FENCE.finditer(text)
    return [Block(m[1], m[2].split(), text.count("\n", 0, m.start()) + 2, m[3]) for m in found]


def commands(block: Block) -> Iterator[Shown]:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, *lines = part.rstrip("\n").split("\n")
        yield Shown(command, [line.rstrip() for line in lines])


def scratch(folder: Path) -> tuple[Path, dict[str, str]]:
    """A small project with a home of its own, and the environment of whoever works in it."""
    home = folder.resolve() / "home"
    files = {"shop/src/cart.py": "", "shop/.env": "", "shop/.git/HEAD": "", "shop/.github/workflows/ci.yml": ""}
    for name in files:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    return home / "shop", {"HOME": str(home), "PATH": "/usr/bin:/bin", "NO_COLOR": "1"}


def run(command: str, project: Path, env: dict[str, str]) -> tuple[int, list[str]]:
    """Exit code and everything an `assent …` command prints."""
    words = [sys.executable, "-m", "assent", *shlex.split(command)[1:]]
    done = subprocess.run(words, cwd=project, env=env, capture_output=True, text=True, timeout=60)
    output = (done.stdout + done.stderr).replace(env["HOME"], HOME)
    return done.returncode, [line.rstrip() for line in output.splitlines()]


def differs(shown: list[str], printed: list[str]) -> str:
    """Why an output is not what the page shows: its first line must be the same, the others must come in that order."""
    if shown and shown[0] != (printed or [""])[0]:
        return f"prints `{(printed or [''])[0]}`, not `{shown[0]}`"
    rest = iter(printed)
    missing = [line for line in shown if line != "..." and line not in rest]
    return f"does not print `{missing[0]}` (there)" if missing else ""


def check_console(block: Block, project: Path, env: dict[str, str]) -> Iterator[str]:
    code = 0
    for shown in commands(block):
        if shown.command == "echo $?":
            if shown.lines != [str(code)]:
                yield f"line {block.line}: exit code {code}, not {shown.lines}"
        elif shown.command.split(" ")[0] == "assent":
            code, printed = run(shown.command, project, env)
            trouble = differs(shown.lines, printed)
            if trouble:
                yield f"line {block.line}: `{shown.command}` {trouble}"


def check_policy(block: Block) -> Iterator[str]:
    _, errors = check_layers([Layered("user", "policy.toml", block.text.encode())])
    for error in errors:
        yield f"line {block.line}: {error}"


def check_page(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything on a page that is not true."""
    project, env = scratch(folder)
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", env["HOME"])
    names: dict[str, object] = {}
    wrong: list[str] = []
    for block in blocks(text):
        if block.words[:1] == ["policy"]:
            wrong += check_policy(block)
        for name in (word for word in block.words if "." in word):
            path = Path(name.replace("~", env["HOME"]))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        if block.language == "console":
            wrong += check_console(block, project, env)
        if block.language == "python":
            exec(compile(block.text, f"line {block.line}", "exec"), names)
    return wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_examples_of_a_page_are_true(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_page(page.read_text(encoding="utf-8"), tmp_path, monkeypatch) == []


def test_every_toml_block_is_a_policy() -> None:
    for page in PAGES:
        for block in blocks(page.read_text(encoding="utf-8")):
            assert block.language != "toml" or block.words[:1] == ["policy"], f"{page.name}:{block.line}"


# --- the tests above can fail --------------------------------------------------------------------------------------


def test_untrue_examples_are_named_with_their_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = """# Page

```toml policy
alow = []
```

```console
$ assent version
assent 99
$ echo $?
3
```
"""
    found = check_page(page, tmp_path, monkeypatch)
    assert [line.split(":")[0] for line in found] == ["line 4", "line 8", "line 8"]
    assert "did you mean `allow`?" in found[0]
    assert "not `assent 99`" in found[1]
    assert found[2] == "line 8: exit code 0, not ['3']"


def test_a_policy_block_with_a_file_name_is_in_force(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = """```toml policy ~/.config/assent/policy.toml
allow = ["Write(./src/**)"]
```
```console
$ assent check --tool Write --input '{"file_path": "src/a.py"}'
 ALLOW  Write  src/a.py
...
        rule      Write(./src/**)  (/home/you/.config/assent/policy.toml:1)
```
"""
    assert check_page(page, tmp_path, monkeypatch) == []
    assert check_page(page.replace(" ALLOW", " DENY "), tmp_path / "again", monkeypatch) != []


def test_python_on_a_page_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError):
        check_page("```python\nassert 1 == 2\n```\n", tmp_path, monkeypatch)
