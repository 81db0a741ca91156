"""The path from a hook's input to an answer imports what is named here and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"

# What `assent check --tool Read` may import of ours. Every line costs start-up time: add one only for a reason.
FAST_PATH = {
    "assent",
    "assent.checks",
    "assent.checks.hidden_text",
    "assent.cli",
    "assent.cli.check",
    "assent.cli.fast",
    "assent.cli.options",
    "assent.cli.show",
    "assent.digest",
    "assent.errors",
    "assent.folders",
    "assent.globs",
    "assent.harmless",
    "assent.layers",
    "assent.locate",
    "assent.pipeline",
    "assent.policy",
    "assent.policy.case",
    "assent.policy.commands",
    "assent.policy.compiled",
    "assent.policy.decide",
    "assent.policy.lookup",
    "assent.policy.match",
    "assent.policy.restrain",
    "assent.policy.rules",
    "assent.policy.vouch",
    "assent.policy.workflow",
    "assent.protected",
    "assent.record",
    "assent.resolve",
    "assent.tools",
    "assent.tools.analyse",
    "assent.tools.fields",
    "assent.tools.files",
    "assent.tools.table",
    "assent.types",
    "assent.understand",
    "assent.wire",
    "assent.world",
}

# Of the standard library: what plain `import os` loads, the C halves of json and hashlib, and codecs.
STANDARD = {
    "__future__",
    "_abc",
    "_blake2",
    "_codecs",
    "_collections_abc",
    "_json",
    "_sha2",
    "_sha256",
    "_stat",
    "abc",
    "codecs",
    "errno",
    "genericpath",
    "os",
    "os.path",
    "posix",
    "posixpath",
    "stat",
}

BANNED = {
    *("argparse", "asyncio", "collections", "dataclasses", "enum", "functools", "json", "logging", "pathlib"),
    *("re", "socket", "subprocess", "tomllib", "typing"),
}

CHECK = ["check", "--tool", "Read", "--input", '{"file_path": "README.md"}', "--json"]

# Standard output belongs to the check; the probe reports in the last line of standard error.
PROBE = """
import sys
src, argv = {src!r}, {argv!r}
sys.path.insert(0, src)
before = set(sys.modules)
if argv:
    from assent.cli.fast import main
    code = main(argv)
else:
    import assent
    code = 0
after = set(sys.modules)
sys.stdout.flush()
print(code, *sorted(after - before), file=sys.stderr)
"""


def loaded_by(argv: list[str], folder: Path) -> tuple[int, set[str], str]:
    """Exit code, modules loaded and text written, in a fresh isolated interpreter and an empty home."""
    project, home = folder / "project", str(folder / "home")
    project.mkdir()
    (project / "README.md").write_text("# A project\n")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE.format(src=str(SRC), argv=argv)],
        cwd=project,
        env={"PATH": os.defpath, "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    code, *modules = done.stderr.splitlines()[-1].split()
    return int(code), set(modules), done.stdout


def test_a_check_imports_only_what_is_named(tmp_path: Path) -> None:
    code, modules, _ = loaded_by(CHECK, tmp_path)
    surplus = sorted(modules - FAST_PATH - STANDARD)
    assert code == 0
    assert not surplus, f"imported on the fast path without being named in this test: {', '.join(surplus)}"


def test_every_name_in_the_budget_is_still_used(tmp_path: Path) -> None:
    _, modules, _ = loaded_by(CHECK, tmp_path)
    unused = sorted(FAST_PATH - modules)
    assert not unused, f"no longer imported on the fast path, remove from FAST_PATH: {', '.join(unused)}"


def test_a_check_imports_nothing_slow(tmp_path: Path) -> None:
    _, modules, _ = loaded_by(CHECK, tmp_path)
    offenders = sorted({name.split(".")[0] for name in modules} & BANNED)
    assert not offenders, f"too slow for the fast path: {', '.join(offenders)}"


def test_the_fast_path_answers(tmp_path: Path) -> None:
    code, _, text = loaded_by(CHECK, tmp_path)
    assert (code, json.loads(text)["verdict"]) == (0, "allow")


def test_importing_assent_imports_nothing_else(tmp_path: Path) -> None:
    assert loaded_by([], tmp_path)[1] == {"assent"}


def test_the_lists_do_not_contradict_each_other() -> None:
    assert not STANDARD & BANNED
