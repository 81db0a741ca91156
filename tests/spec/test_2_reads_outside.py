"""Section 2: what is read outside the project without a question, and what is not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assent import PermissionChecker, PermissionMode, PermissionSettings
from assent.testing import FrozenWorld
from assent.wire import dumps, loads
from spec.spec_scene import FILES, HOME, PROJECT, bash, behavior, checker, verdict

MACHINE = {
    **FILES,
    f"{HOME}/.npmrc": "//registry.npmjs.org/:_authToken=x\n",
    f"{HOME}/.password-store/bank.gpg": "",
    f"{HOME}/other/a.txt": "",
    "/etc/os-release": "",
    "/etc/hosts": "",
    "/etc/shadow": "",
    "/etc/fstab": "",
    "/etc/ssl/private/server.key": "",
    "/etc/ssl/certs/ca.crt": "",
    "/proc/cpuinfo": "",
    "/proc/meminfo": "",
    "/proc/4242/environ": "",
    "/proc/4242/cmdline": "",
    "/usr/include/stdio.h": "",
    "/usr/lib/python3/dist-packages/yaml/__init__.py": "",
    "/usr/share/doc/x/copyright": "",
    "/usr/local/etc/app.conf": "",
    "/opt/tool/readme": "",
}
LINKS = {
    f"{PROJECT}/release": "/etc/os-release",
    f"{PROJECT}/elsewhere": "/srv/data.csv",
    f"{PROJECT}/away": "/opt/tool",
    "/usr/share/odd": "/srv/data.csv",
    "/usr/include/key.h": f"{HOME}/.ssh/id_rsa",
}
WORLD = FrozenWorld(MACHINE, home=HOME, links=LINKS)

NAMES = [
    "ls /opt",
    "ls -la ..",
    "ls -laR /opt/tool",
    "find /srv -type f -newer readme.md",
    "find / -name test_outputs.py 2>/dev/null",
    "find ~ -name '*.txt' -print0",
    "find / -path /proc -prune -o -name main.c -print",
    "stat /etc/shadow",
    "test -f /srv/data.csv && echo there",
    "[ -d /opt/tool ]",
    "du -sh /opt",
    "tree /opt",
    "realpath /opt/tool/../x",
    "readlink -f /usr/share/odd",
    "which gcc",
    "rg --files /opt",
    "ls -l ~/.npmrc",
    "ls ~",
    "cd /opt && ls -l | head -3",
    "for f in /opt/*; do echo $f; done",
]
"""Nothing but names is told."""


@pytest.mark.parametrize("command", NAMES)
@pytest.mark.parametrize("mode", [PermissionMode.DEFAULT, PermissionMode.PLAN])
def test_names_outside_are_free(mode: PermissionMode, command: str) -> None:
    """Listing without content asks nobody, wherever it looks."""
    assert behavior(command, world=WORLD, mode=mode) == "allow"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("list_dir", {"path": "/opt"}),
        ("glob", {"pattern": "*.txt", "path": f"{HOME}/other"}),
        ("glob", {"pattern": f"{HOME}/**/*.md"}),
        ("LS", {"path": ".."}),
    ],
)
def test_tools_that_list_are_free_outside(tool: str, given: dict[str, Any]) -> None:
    """An agent's own tools for names are as free as `ls`."""
    assert verdict(checker(world=WORLD, workspace=PROJECT), tool, input=given) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "cat /opt/tool/readme",
        "wc -l /srv/data.csv",
        "file /srv/data.csv",
        "head -c 10 ~/notes.txt",
        "grep -r x /opt",
        "md5sum /srv/data.csv",
        "find /srv -name '*.csv' -exec cat {} +",
        "find /srv -type f | xargs head",
        "cat $(find /srv -name '*.csv')",
        "for f in /opt/tool/*; do cat $f; done",
        "cd /opt/tool && cat readme",
        "cat /opt/*/readme",
        "cat elsewhere",
        "git -C /opt/tool log -p",
        "git -C /opt/tool status",
        "cd /opt/tool && git log",
        "cd /opt/tool && npm ls",
        "cd ../other && git log",
        "cd ../other && hg log",
        "cd away && git log",
        "cd away && cargo tree",
        "(cd ../other; git log)",
        "cd ../other; cd a; git show",
        "diff /srv/data.csv readme.md",
        "tar tf /srv/data.csv",
        "cat ~/other/a.txt | head",
    ],
)
def test_content_outside_asks(command: str) -> None:
    """Reading content outside the project asks in DEFAULT, by whatever program, and is free in FULL_AUTO."""
    assert behavior(command, world=WORLD) == "ask"


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("ls ~/.ssh", "deny"),
        ("stat ~/.ssh/id_rsa", "deny"),
        ("find ~/.gnupg -name '*.key'", "deny"),
        ("ls /home/dev/.s*/", "deny"),
        ("ls ~/.aws", "ask"),
        ("ls -la ~/.kube", "ask"),
        ("ls -R ~", "ask"),
        ("ls -aR /home", "ask"),
        ("tree -a /", "ask"),
        ("find ~", "ask"),
        ("find / -type f", "ask"),
        ("find ~ -path '*/.ssh/*'", "ask"),
        ("find / -name 'id_*'", "ask"),
        ("find ~ -name '*'", "ask"),
        ("find ~ ! -name x", "ask"),
        ("find -L /opt -name '*.txt'", "ask"),
        ("ls ~/.password-store", "ask"),
    ],
)
def test_the_floor_s_names_are_not_free(command: str, wanted: str) -> None:
    """Names of credentials are the floor's: listing them is denied, a walk from above that would tell them asks."""
    assert behavior(command, world=WORLD) == wanted


PUBLIC = [
    "/etc/os-release",
    "/etc/hosts",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/usr/include/stdio.h",
    "/usr/lib/python3/dist-packages/yaml/__init__.py",
    "/usr/share/doc/x/copyright",
    "/etc/ssl/certs/ca.crt",
    "/usr/include/../include/stdio.h",
]


@pytest.mark.parametrize("path", PUBLIC)
def test_public_files_of_the_system_are_free(path: str) -> None:
    """What everybody on the machine may read is read without a question, by every tool."""
    assert behavior(f"cat {path}", world=WORLD) == "allow"
    assert behavior(f"head -20 {path} | sort", world=WORLD) == "allow"
    assert behavior(f"grep -n 'x' < {path}", world=WORLD) == "allow"
    subject = checker(world=WORLD, workspace=PROJECT)
    assert verdict(subject, "read_file", file_path=path) == "allow"


@pytest.mark.parametrize(
    "path",
    [
        "/etc/shadow",
        "/etc/fstab",
        "/etc/sudoers",
        "/etc/environment",
        "/etc/ssl/private/server.key",
        "/etc/ssh/ssh_host_ed25519_key",
        "/proc/4242/environ",
        "/proc/4242/cmdline",
        "/proc/self/environ",
        "/proc/self/mem",
        "/proc/1/maps",
        "/proc/cmdline",
        "/usr/local/etc/app.conf",
        "/usr/share/odd",
        "/usr/share/../../srv/data.csv",
        "/etc/apt/auth.conf",
        "/var/log/syslog",
        "/root/x",
    ],
)
def test_other_files_of_the_system_are_not(path: str) -> None:
    """A list of public files, not a rule of thumb: what else lies beside them asks, and so does a link to elsewhere."""
    assert behavior(f"cat {path}", world=WORLD) == "ask"
    subject = checker(world=WORLD, workspace=PROJECT)
    assert verdict(subject, "read_file", file_path=path) == "ask"


def test_a_link_to_a_public_file_is_what_it_leads_to() -> None:
    """Links are resolved: a public file behind one is public, a credential behind one is denied."""
    assert behavior("cat release", world=WORLD) == "allow"
    assert behavior("cat /usr/include/key.h", world=WORLD) == "deny"
    assert behavior("cat /usr/include/*.h", world=WORLD) == "deny"
    assert behavior("ln -s ~/notes.txt x && cat x", world=WORLD) == "ask"


def test_whole_trees_of_public_files_still_ask() -> None:
    """Only single files are proven one by one; a search through a whole tree asks."""
    assert behavior("grep -rn printf /usr/include", world=WORLD) == "ask"


def test_public_files_stay_under_every_deny() -> None:
    """Neither a name nor a public file passes a deny or an ask rule."""
    assert behavior("cat /etc/hosts", world=WORLD, deny=["Read(/etc/**)"]) == "deny"
    assert behavior("cat /etc/hosts", world=WORLD, ask=["Bash(cat:*)"]) == "ask"
    assert behavior("ls /opt", world=WORLD, deny=["Bash(ls:*)"]) == "deny"


def test_public_is_what_the_disk_says() -> None:
    """On a real disk a file counts if root owns it, everybody may read it, and nobody else may change it or its
    folders."""
    subject = PermissionChecker(PermissionSettings(workspace="/nowhere/project"))
    for path in ("/etc/hosts", "/etc/services", "/usr/share/zzz-not-there"):
        facts = os.stat(path) if os.path.exists(path) else None
        owned = facts is None or (facts.st_uid == 0 and facts.st_mode & 0o004 and not facts.st_mode & 0o022)
        assert verdict(subject, "read_file", file_path=path, cwd="/nowhere/project") == ("allow" if owned else "ask")


def test_a_file_that_others_may_change_is_not_public(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A listed place in which somebody else may write proves nothing."""
    from assent.policy import public

    (tmp_path / "open").mkdir()
    (tmp_path / "open/a").write_text("x")
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setattr(public, "PUBLIC_TREES", (f"{tmp_path}/",))
    subject = PermissionChecker(PermissionSettings(workspace="/nowhere/project"))
    assert verdict(subject, "read_file", file_path=str(tmp_path / "open/a"), cwd="/nowhere/project") == "ask"


@pytest.mark.parametrize(("path", "wanted"), [("/etc/os-release", "allow"), ("/srv/data.csv", "ask")])
def test_the_batch_contract_and_the_checker_agree(path: str, wanted: str, tmp_path: Path) -> None:
    """The batch contract knows the project's root, so it answers as hooks do."""
    line = {"id": 1, "tool": "Read", "input": {"file_path": path}, "cwd": str(tmp_path), "policy": {}}
    said = subprocess.run(
        [sys.executable, "-m", "assent", "check", "--jsonl", "-"],
        input=dumps(line),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
    )
    if os.path.exists(path) or wanted == "ask":
        assert loads(said.stdout)["verdict"] == wanted  # type: ignore[index]


@pytest.mark.parametrize(
    ("command", "wanted"),
    [("ls /", "allow"), ("cat /etc/fstab", "ask"), ("find / -name zzz.c", "allow"), ("ls -R /", "ask")],
)
def test_a_hook_answers_alike(command: str, wanted: str, tmp_path: Path) -> None:
    """An agent's hook has the project as its workspace: names outside are free, content asks."""
    (tmp_path / "proj/.git").mkdir(parents=True)
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(tmp_path / "proj"),
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    said = subprocess.run(
        [sys.executable, "-m", "assent", "hook", "claude-code", "--on-ask", "host"],
        input=dumps(payload),
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path / "proj",
        env={**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
    )
    answer: Any = loads(said.stdout)
    assert answer["hookSpecificOutput"]["permissionDecision"] == wanted, said


def test_the_trace_says_what_was_read() -> None:
    """The answer names what is told, so that a person can follow it."""
    assert bash("ls /opt", world=WORLD).decision.reason == "lists /opt: read-only"
