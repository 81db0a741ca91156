"""Python source: what is proven about it, what is not, and what it spells all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assent.languages import python
from assent.languages.python import read_python
from assent.languages.reading import Reading, Started
from python_programs import NOT_PROVEN, PROVEN, SPELLED

HOME, PROJECT = "/home/dev", "/home/dev/proj"


def read(text: str) -> Reading:
    return read_python(text, home=HOME, cwd=PROJECT)


def shown(reading: Reading) -> list[str]:
    said = []
    for effect in reading.effects:
        below = f"/**/{effect.only}" if effect.only else "/**" if effect.deep else ""
        code = f" #{effect.code}" if effect.code else ""
        said.append(f"{'maybe ' * effect.possible}{effect.kind} {effect.target}{below}{code}")
    return said + [f"start {_line(started)}" for started in reading.started]


def _line(started: Started) -> str:
    if started.text:
        return f"`{started.text}`"
    return " ".join(word.text if word.value is None else word.value for word in started.words)


@pytest.mark.parametrize("program", PROVEN)
def test_what_is_positively_known_is_exact(program: str) -> None:
    reading = read(program)
    assert (list(reading.doubts), " | ".join(shown(reading))) == ([], PROVEN[program])


@pytest.mark.parametrize("program", NOT_PROVEN, ids=lambda text: text[:60])
def test_what_may_do_more_is_a_doubt(program: str) -> None:
    assert read(program).doubts


@pytest.mark.parametrize("program", SPELLED)
def test_what_is_spelled_is_stated_whatever_surrounds_it(program: str) -> None:
    found = shown(read(program))
    assert [said for said in SPELLED[program].split(" | ") if said not in found] == []


def test_home_and_arguments_are_known() -> None:
    program = "import sys, os\nopen(sys.argv[1])\nopen(os.path.expanduser('~/x'))"
    reading = read_python(program, home=HOME, cwd=PROJECT, argv=("-c", "a.txt"))
    assert (list(reading.doubts), shown(reading)) == ([], ["read a.txt", f"read {HOME}/x"])


def test_a_failure_of_the_reader_is_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(python.Reader, "do_expr", fail)
    assert list(read("print(1)").doubts) == ["reading it failed (KeyError)"]


def test_no_warning_about_the_code_is_printed() -> None:
    text = "import sys; sys.path.insert(0, sys.argv[1]); from assent.languages.python import read_python;"
    text += " read_python(r\"x = '\\d' is 1\")"
    source = str(Path(python.__file__).parents[2])
    done = subprocess.run([sys.executable, "-W", "always", "-c", text, source], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


WATCHED = """
import json, os, sys
seen = []
def hook(event, given):
    if event == "open" and isinstance(given[0], str):
        writes = isinstance(given[1], str) and set(given[1]) & set("wax+")
        seen.append(("write" if writes else "read", os.path.relpath(given[0])))
    elif event in ("os.remove", "os.rename", "shutil.rmtree", "subprocess.Popen", "os.system", "os.mkdir"):
        seen.append((event, str(given[0])))
programs = json.load(sys.stdin)
import collections, csv, datetime, glob, hashlib, json, pathlib, re, shutil, subprocess, zipfile
sys.stdin = open(os.devnull)
sys.addaudithook(hook)
done = []
out, sys.stdout = sys.stdout, open(os.devnull, "w")
for program in programs:
    seen.clear()
    try:
        exec(compile(program, "program", "exec"), {"__name__": "__main__"})
    except Exception:
        pass
    done.append(list(seen))
out.write(json.dumps(done))
"""


def test_proven_programs_open_nothing_that_is_not_stated(tmp_path: Path) -> None:
    """Every program above is run, and what Python itself reports about it is compared with what was read."""
    (tmp_path / "src/deep").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "out.txt", "a.csv", "data.json", "src/x.py", "src/deep/y.py", "src/z.txt"):
        (tmp_path / name).write_text('{"name": 1}')
    quiet = [program for program in PROVEN if "start" not in PROVEN[program]]
    done = subprocess.run(
        [sys.executable, "-I", "-c", WATCHED],
        cwd=tmp_path,
        input=json.dumps(quiet),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    for program, seen in zip(quiet, json.loads(done.stdout), strict=True):
        for kind, path in seen:
            assert _is_stated(kind, path, read(program)), (program, kind, path)


def _is_stated(kind: str, path: str, reading: Reading) -> bool:
    if path.startswith("../"):
        return True  # modules of the interpreter, and /dev/null
    for effect in reading.effects:
        inside = path == effect.target or (effect.deep and path.startswith(f"{effect.target}/"))
        if effect.kind == kind and inside and (not effect.only or Path(path).match(effect.only)):
            return True
    return False
