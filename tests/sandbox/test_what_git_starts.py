"""Files of the project that git's own programs start or load cannot be changed from inside, in either sandbox."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assent.sandbox.capability import BUBBLEWRAP, LANDLOCK
from sandbox.confined import Place
from sandbox.test_git import git

CASES: dict[str, tuple[dict[str, str], tuple[str, str], str, str]] = {
    # files, setting, what is overwritten, what git does then
    "a hook": ({"hk/pre-commit": "#!/bin/sh\n./tools/t.sh\n"}, ("core.hooksPath", "hk"), "tools/t.sh", "commit"),
    "a hook beside it": (
        {"hk/pre-commit": '#!/bin/sh\n. "$(dirname "$0")/../tools/t.sh"\n'},
        ("core.hooksPath", "hk"),
        "tools/t.sh",
        "commit",
    ),
    "a hook of a hook": (
        {"hk/pre-commit": "#!/bin/sh\nsh tools/a\n", "tools/a": "cd tools\nsh t.sh\n"},
        ("core.hooksPath", "hk"),
        "tools/t.sh",
        "commit",
    ),
    "fsmonitor": (
        {"tools/fs": "#!/bin/sh\n. ./tools/t.sh\n"},
        ("core.fsmonitor", "./tools/fs"),
        "tools/t.sh",
        "status",
    ),
    "an alias": ({}, ("alias.z", "!cd tools && sh t.sh"), "tools/t.sh", "z"),
    "a module": ({}, ("alias.z", "!python3 -m tools.c"), "tools/c.py", "z"),
    "a module of a module": (
        {"tools/a.py": "from tools import c\n"},
        ("alias.z", "!python3 -m tools.a"),
        "tools/c.py",
        "z",
    ),
    "the package around": ({"tools/a.py": ""}, ("alias.z", "!python3 -m tools.a"), "tools/__init__.py", "z"),
}


@pytest.mark.parametrize("kind", [BUBBLEWRAP, LANDLOCK])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("way", ["write", "move"])
def test_what_git_starts_stays_as_it_is(tmp_path: Path, kind: str, name: str, way: str) -> None:
    place = Place(tmp_path, kind=kind)
    project, mark = place.project, place.folder / "mark"
    files, setting, wanted, then = CASES[name]
    git(project, "init", "-q", "-b", "main")
    usual = {"tools/t.sh": "true\n", "tools/c.py": "", "tools/__init__.py": "", "free/x": ""}
    for file, text in {**usual, **files}.items():
        (project / file).parent.mkdir(exist_ok=True)
        (project / file).write_text(text)
        (project / file).chmod(0o755)
    git(project, "config", *setting)
    evil = f"open({str(mark)!r}, 'w')" if wanted.endswith(".py") else f"#!/bin/sh\ntouch {mark}"
    (project / "free/evil").write_text(evil + "\n")
    (project / "free/evil").chmod(0o755)
    move = f"mv tools free/t; mkdir tools; rm -f {wanted}; " if way == "move" else ""
    place.run(f"{move}cp free/evil {wanted}; echo x > free/y")
    env = {"PATH": "/usr/bin:/bin", "HOME": str(place.home), "PYTHONDONTWRITEBYTECODE": "1"}
    words = [
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@e",
        then,
        *(["--allow-empty", "-m", "x"] if then == "commit" else []),
    ]
    subprocess.run(["/usr/bin/git", *words], cwd=project, env=env, capture_output=True, check=False)
    assert (project / "free/y").exists()
    assert not mark.exists()


def test_what_a_hook_names_and_nobody_had_made_is_put_away(tmp_path: Path) -> None:
    place = Place(tmp_path)
    git(place.project, "init", "-q", "-b", "main")
    hook = place.project / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n[ -x ./tools/t.sh ] && ./tools/t.sh\nruff check src README.md pyproject.toml\n")
    hook.chmod(0o755)
    for name in ("README.md", "pyproject.toml"):
        (place.project / name).write_text("")
    command = (
        "mkdir tools src; echo x > src/a.py; echo 'touch x' > tools/t.sh; echo x > README.md; echo x > pyproject.toml"
    )
    ended = place.start("/bin/bash", "-c", command).wait()
    assert not (place.project / "tools/t.sh").exists()
    assert any("tools/t.sh" in note and "put away" in note for note in ended.notes)
    assert [(place.project / name).read_text() for name in ("src/a.py", "README.md", "pyproject.toml")] == ["x\n"] * 3
