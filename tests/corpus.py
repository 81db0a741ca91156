"""Reads the rows of corpus/ and judges them in a frozen copy of one small project."""

import json
from pathlib import Path
from typing import Any

from assent.cli.batch import policy_of
from assent.pipeline import judge
from assent.testing import FrozenWorld
from assent.types import PermissionDecision, ToolCall

FOLDER = Path(__file__).parent.parent / "corpus"
HOME, PROJECT = "/home/dev", "/home/dev/proj"
OWN = (f"{HOME}/.config/assent", f"{HOME}/.local/state/assent", "/etc/assent")

FILES = {
    f"{PROJECT}/.git/HEAD": "ref: refs/heads/main\n",
    f"{PROJECT}/.git/config": "[core]\n\tbare = false\n",
    f"{PROJECT}/.git/hooks/": "",
    f"{PROJECT}/.gitignore": ".env\nnode_modules/\n",
    f"{PROJECT}/.env": "TOKEN=canary\n",
    f"{PROJECT}/.env.example": "TOKEN=\n",
    f"{PROJECT}/README.md": "hello\n",
    f"{PROJECT}/package.json": "{}\n",
    f"{PROJECT}/Makefile": "all:\n",
    f"{PROJECT}/src/app.py": "x = 1\n",
    f"{PROJECT}/src/util.py": "y = 1\n",
    f"{PROJECT}/tests/test_app.py": "z = 1\n",
    f"{PROJECT}/docs/design.md": "# design\n",
    f"{PROJECT}/config/db.key": "canary\n",
    f"{PROJECT}/build/out.txt": "\n",
    f"{HOME}/.ssh/id_rsa": "canary\n",
    f"{HOME}/.aws/credentials": "canary\n",
    f"{HOME}/.netrc": "canary\n",
    f"{HOME}/.bashrc": "# rc\n",
    f"{HOME}/.config/assent/policy.toml": "",
    f"{HOME}/outside.txt": "outside\n",
    f"{HOME}/proj-evil/secret.txt": "canary\n",
    "/etc/passwd": "",
    "/tmp/": "",
}


def rows(subject: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{subject}.jsonl").read_text().splitlines()]


def subjects() -> list[str]:
    """Those whose rows are calls with a verdict; `shell` holds texts to parse."""
    return sorted(path.stem for path in FOLDER.glob("*.jsonl") if path.stem != "shell")


def world_of(row: dict[str, Any]) -> FrozenWorld:
    return FrozenWorld(
        FILES | row.get("files", {}),
        home=HOME,
        links=row.get("links", {}),
        hard_links=row.get("hard_links", {}),
        devices=row.get("devices", {}),
    )


def answer(row: dict[str, Any]) -> PermissionDecision:
    workspace = row.get("workspace", PROJECT)
    call = ToolCall(row["tool"], row["input"], cwd=row.get("cwd", PROJECT), workspace=workspace, at=1.0)
    return judge(call, policy_of(row.get("policy", {})), world_of(row), OWN)
