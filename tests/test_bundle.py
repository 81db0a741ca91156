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


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "garbage", "other interpreter"])
def test_a_bundle_that_does_not_fit_is_ignored(package: Path, damage: str) -> None:
    file = bundle_of(package)
    content = file.read_bytes()
    if damage == "missing":
        file.unlink()
    else:
        changed = {
            "empty": b"",
            "cut": content[:200],
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
