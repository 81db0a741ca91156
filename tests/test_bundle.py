"""The bundle of bytecode: used when it fits, ignored when it does not, never in the way of a changed source."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "assent"
CHECK = ("check", "--tool", "Read", "--input", '{"file_path": "README.md"}')
PROBE = """
import sys
sys.path.append({src!r})
from assent.bundle import use_bundle
used = use_bundle()
import assent.types, assent.policy.lint
print(used, type(assent.types.__loader__).__name__, type(assent.policy.lint.__loader__).__name__, assent.types.__file__)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package with a bundle of its own, and a project to ask about."""
    copy = tmp_path / "lib" / "assent"
    shutil.copytree(SRC, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "README.md").write_text("x")
    run(copy, "-c", f"import sys; sys.path.append({str(copy.parent)!r}); import assent.bundle as b; b.write_bundle()")
    return copy


def run(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
    top = package.parents[1]
    return subprocess.run(
        [sys.executable, "-I", "-S", *words],
        cwd=top / "project",
        env={"HOME": str(top / "home")},
        capture_output=True,
        text=True,
    )


def probe(package: Path) -> list[str]:
    done = run(package, "-c", PROBE.format(src=str(package.parent)))
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def bundle_of(package: Path) -> Path:
    [file] = (package / "__pycache__").glob("bundle.*.bin")
    return file


def answers(package: Path) -> None:
    done = run(package, str(package / "start.py"), *CHECK)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ALLOW" in done.stdout


def test_modules_come_from_the_bundle_and_the_rest_as_usual(package: Path) -> None:
    assert probe(package) == ["True", "Bundle", "SourceFileLoader", str(package / "types.py")]
    answers(package)


def test_a_changed_source_is_not_read_from_the_bundle(package: Path) -> None:
    with (package / "types.py").open("a") as file:
        file.write("\n")
    assert probe(package)[:2] == ["True", "SourceFileLoader"]
    answers(package)


def test_what_a_changed_source_needs_still_comes_from_the_bundle(package: Path) -> None:
    with (package / "record.py").open("a") as file:
        file.write("\n")
    loaders = "print(*(type(m.__loader__).__name__ for m in (assent.types, assent.record, assent.errors)))"
    assert told(package, f"import assent.errors, assent.types, assent.record; {loaders}") == [
        "Bundle SourceFileLoader Bundle"
    ]


DESCRIBED = """
import importlib
import assent.bundle, assent.policy.rules
from assent.types import Effect
rule = assent.policy.rules.read_rule("Read(./src/**)")
for name in ("assent", "assent.policy", "assent.policy.rules", "assent.record", "assent.types", "assent.globs"):
    module, parent, last = sys.modules[name], sys.modules.get(name.rpartition(".")[0]), name.rpartition(".")[2]
    print(name, module.__package__, module.__spec__.name, module.__spec__.parent, getattr(module, "__path__", None))
    print(module.__file__, module.__spec__.origin, parent is None or getattr(parent, last) is module)
    print(sorted(vars(module).keys() - {"__cached__", "annotations"}))
print(rule, rule == assent.policy.rules.read_rule("Read(./src/**)"), Effect("read", "x"), Effect.__init__.__module__)
for made in (Effect, type(rule)):
    print(made.__module__, made.__qualname__, made.__bases__, made.__match_args__, made._defaults, sorted(vars(made)))
try:
    rule.tool = "Write"
except AttributeError as error:
    where = error.__traceback__.tb_next
    print(error, where.tb_lineno, where.tb_frame.f_code.co_filename)
before = assent.types.Effect
print(importlib.reload(assent.types).Effect is not before, assent.types.Effect("read", "x"))
"""


def told(package: Path, code: str, *, bundled: bool = True) -> list[str]:
    """What a program prints that finds the package, with its bundle or without."""
    use = "from assent.bundle import use_bundle; use_bundle()\n" if bundled else ""
    done = run(package, "-c", f"import sys; sys.path.append({str(package.parent)!r})\n{use}{code}")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_modules_and_records_are_the_same_as_without_it(package: Path) -> None:
    from_bundle, from_source = (told(package, DESCRIBED, bundled=bundled) for bundled in (True, False))
    assert from_bundle == from_source


def test_a_module_that_fails_is_not_left_half_made(package: Path) -> None:
    (package / "failing.py").write_text("raise ValueError('no')\n")
    (package / "needing.py").write_text("from assent.failing import anything\n")
    told(package, "from assent.bundle import write_bundle; write_bundle()", bundled=False)
    tries = """
for name in ("assent.needing", "assent.needing", "assent.failing"):
    try:
        __import__(name)
    except ValueError as error:
        print(error, "assent.failing" in sys.modules, "assent.needing" in sys.modules)
"""
    assert told(package, tries) == ["no False False"] * 3


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "cut later", "garbage", "other interpreter"])
def test_a_bundle_that_does_not_fit_is_ignored(package: Path, damage: str) -> None:
    file = bundle_of(package)
    content = file.read_bytes()
    if damage == "missing":
        file.unlink()
    else:
        changed = {
            "empty": b"",
            "cut": content[:200],
            "cut later": content[:-200],
            "garbage": b"\xff" * 1000,
            "other interpreter": content[:8] + content[8:].replace(content[20:30], b"0123456789", 1),
        }
        file.write_bytes(changed[damage])
    assert probe(package)[:2] == ["False", "SourceFileLoader"]
    answers(package)


@pytest.mark.parametrize("damage", [b"", b"x" * 5_000, b"\x10\0\0\0\0\0\0\0" + b"\xfb" * 5_000])
def test_a_damaged_bundle_never_ends_in_go_on(tmp_path: Path, damage: bytes) -> None:
    package = tmp_path / "assent"
    shutil.copytree(SRC, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__pycache__").mkdir()
    name = f"bundle.{sys.implementation.cache_tag}.bin"
    (package / "__pycache__" / name).write_bytes(damage)
    words = [sys.executable, "-I", "-S", str(package / "start.py"), "check", "cat ~/.ssh/id_rsa"]
    done = subprocess.run(words, capture_output=True, text=True, env={"HOME": str(tmp_path), "PATH": os.defpath})
    assert done.returncode in (2, 4), done.stderr


@pytest.mark.parametrize("file", ["bundle.py", "cli/fast.py", "cli/check.py"])
def test_a_start_that_fails_ends_with_two(package: Path, file: str) -> None:
    (package / file).write_text("raise SystemError('damaged')\n")
    done = run(package, str(package / "start.py"), *CHECK)
    assert (done.returncode, "SystemError: damaged" in done.stderr) == (2, True)
