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
    "assent.budget",
    "assent.trail",
    "assent.resolve",
    "assent.tools",
    "assent.tools.analyse",
    "assent.tools.fields",
    "assent.tools.files",
    "assent.tools.table",
    "assent.trees",
    "assent.types",
    "assent.understand",
    "assent.wire",
    "assent.world",
}

# What `assent hook claude-code` may import of ours for a `git status` that is allowed: besides all that a check needs,
# the shell and the programs, the adapter, and the journal with what keeps secrets out of it.
OTHER_TOOLS = {name for name in FAST_PATH if name.startswith("assent.tools")}
HOOK_PATH = (FAST_PATH - OTHER_TOOLS - {"assent.cli.check", "assent.cli.show"}) | {
    "assent.agents",
    "assent.agents.agent",
    "assent.agents.claude_code",
    "assent.agents.reading",
    "assent.audit",
    "assent.audit.ends",
    "assent.audit.fields",
    "assent.audit.files",
    "assent.audit.journal",
    "assent.audit.lines",
    "assent.authorization",
    "assent.cli.hook",
    "assent.commands",
    "assent.commands.args",
    "assent.commands.facts",
    "assent.commands.git",
    "assent.commands.git_reads",
    "assent.commands.git_repository",
    "assent.commands.program",
    "assent.commands.table",
    "assent.gitconfig",
    "assent.judging",
    "assent.listing",
    "assent.masking",
    "assent.masking.glance",
    "assent.masking.letters",
    "assent.repository",
    "assent.shell",
    "assent.shell.calls",
    "assent.shell.plain",
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

# And for the hook: the clock, the alarm, and what the journal locks its file with and signs its records by.
HOOK_STANDARD = STANDARD | {"_signal", "fcntl", "pwd", "time"}

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


def loaded_by(argv: list[str], folder: Path, stdin: str = "") -> tuple[int, set[str], str]:
    """Exit code, modules loaded and text written, in a fresh isolated interpreter and an empty home."""
    project, home = folder / "project", str(folder / "home")
    project.mkdir(exist_ok=True)
    (project / "README.md").write_text("# A project\n")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE.format(src=str(SRC), argv=argv)],
        cwd=project,
        env={"PATH": os.defpath, "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state"},
        input=stdin,
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


def hooked(folder: Path) -> tuple[int, set[str], str]:
    """The hook of Claude Code with an allowed `git status`; the second one, when the journal is there already."""
    repository = folder / "project/.git"
    repository.mkdir(parents=True)
    (repository / "HEAD").write_text("ref: refs/heads/main\n")
    (repository / "config").write_text("[core]\n\tbare = false\n")
    call = {"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "toolu_1"}
    where = {"session_id": "s", "cwd": str(repository.parent), "hook_event_name": "PreToolUse"}
    loaded_by(["hook", "claude-code"], folder, json.dumps(where | call))
    return loaded_by(["hook", "claude-code"], folder, json.dumps(where | call))


def test_a_hook_imports_only_what_is_named_and_all_of_it(tmp_path: Path) -> None:
    code, modules, text = hooked(tmp_path)
    decision = json.loads(text)["hookSpecificOutput"]["permissionDecision"]
    assert (code, decision) == (0, "allow")
    surplus, unused = sorted(modules - HOOK_PATH - HOOK_STANDARD), sorted(HOOK_PATH - modules)
    assert not surplus, f"imported by the hook without being named in this test: {', '.join(surplus)}"
    assert not unused, f"no longer imported by the hook, remove from HOOK_PATH: {', '.join(unused)}"
    assert not {name.split(".")[0] for name in modules} & BANNED


def test_importing_assent_imports_nothing_else(tmp_path: Path) -> None:
    assert loaded_by([], tmp_path)[1] == {"assent"}


def test_the_lists_do_not_contradict_each_other() -> None:
    assert not HOOK_STANDARD & BANNED
