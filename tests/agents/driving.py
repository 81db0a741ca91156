"""Real agents in a home of their own, with Assent installed in front of them and a model that does as it is told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from agents.hooking import POLICY
from assent.desk import Desk
from assent.questions import Answer, ApprovalRequest, Ticket
from assent.world import DiskWorld

ROOT = Path(__file__).parent.parent.parent
START = ROOT / "src/assent/start.py"
AGENTS = ROOT / ".venv/agents"
SECONDS = 90


class Ran(NamedTuple):
    """How a program ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Lab:
    """A scratch home and project. The agents' tools leave their marks in the project."""

    def __init__(self, folder: Path, policy: str = POLICY) -> None:
        self.home, self.project = folder / "home", folder / "project"
        for made in (self.home, self.project / ".git"):
            made.mkdir(parents=True)
        self.state = self.home / "state/assent"
        self.env = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "PATH": os.environ.get("PATH", os.defpath),
            "TERM": "dumb",
            "LANG": "C.UTF-8",
        }
        self.policy(policy)

    def policy(self, text: str) -> None:
        file = self.home / "config/assent/policy.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o600)

    def made(self) -> set[str]:
        """The canary files there are."""
        return {name for name in ("allowed", "denied", "asked") if (self.project / name).exists()}

    def assent(self, *words: str) -> Ran:
        return self.run([sys.executable, "-I", "-S", str(START), *words])

    def run(self, words: list[str], **env: str) -> Ran:
        """Start a program in the project, with nothing on its standard input."""
        done = subprocess.run(
            words,
            cwd=self.project,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def journal(self) -> list[dict[str, Any]]:
        """What was written down."""
        file = self.state / "audit/permissions.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    @contextmanager
    def person(self, *, approves: bool) -> Iterator[list[ApprovalRequest]]:
        """Somebody at the inbox who gives every request the same answer."""
        answered: list[ApprovalRequest] = []
        failures: list[str] = []

        def reply(desk: Desk, ticket: Ticket) -> None:
            trouble = desk.answer(ticket.id, _said(ticket, approves=approves))
            answered.append(ticket.request)
            if trouble:
                failures.append(trouble)

        with self._watched(reply):
            yield answered
        assert not failures

    def answer(self, *, approves: bool = True) -> Ticket:
        """A person answers the one request that waits."""
        with self._desk() as desk:
            [ticket] = desk.store.pending(time.time())
            assert desk.answer(ticket.id, _said(ticket, approves=approves)) == ""
        return ticket

    @contextmanager
    def assassin(self, number: int = signal.SIGKILL, *, who: str = "hook") -> Iterator[list[int]]:
        """Somebody who ends a hook that waits for an answer; by default with the signal nobody can catch.

        `who` may also be the `shell` that stays behind it, or `both`.
        """
        killed: list[int] = []

        def kill(desk: Desk, ticket: Ticket) -> None:
            for _, owner in desk.store.owners(ticket.request.session):
                hook = int(owner.partition(".")[0])
                if hook in killed:
                    continue
                killed.append(hook)
                shell = _parent(hook) if who != "hook" else 0
                for process in {"hook": (hook,), "shell": (shell,), "both": (shell, hook)}[who]:
                    assert process > 1
                    os.kill(process, number)

        with self._watched(kill):
            yield killed

    @contextmanager
    def _desk(self) -> Iterator[Desk]:
        desk = Desk(str(self.state), world=DiskWorld(env=self.env))
        try:
            yield desk
        finally:
            desk.close()

    @contextmanager
    def _watched(self, act: Callable[[Desk, Ticket], None]) -> Iterator[None]:
        """Somebody who does this to every request that waits, until the end."""
        over = threading.Event()
        with self._desk() as desk:

            def watch() -> None:
                while not over.wait(0.05):
                    for ticket in desk.store.pending(time.time()):
                        act(desk, ticket)

            thread = threading.Thread(target=watch)
            thread.start()
            try:
                yield
            finally:
                over.set()
                thread.join()

    def change_hooks(self, file: str, **fields: Any) -> None:
        """Change what stands in an agent's settings about our hook, as a careless person might."""
        path = self.home / file
        settings = json.loads(path.read_text())
        for groups in settings["hooks"].values():
            for group in groups:
                for handler in group["hooks"]:
                    handler.update(fields)
                    for name in [name for name, value in handler.items() if value is None]:
                        del handler[name]
        path.write_text(json.dumps(settings))


def _said(ticket: Ticket, *, approves: bool) -> Answer:
    mark = ticket.request.fingerprint
    return Answer(approves, "tester", "callback", time.time(), "as agreed", fingerprint=mark)


def program(name: str, path: str) -> str:
    """A program of an agent that `scripts/agents` has installed."""
    subprocess.run([str(ROOT / "scripts/agents"), name], check=True, timeout=900)
    return str(AGENTS / name / path)


# --- Claude Code ---------------------------------------------------------------------------------------------------

CLAUDE = "node_modules/@anthropic-ai/claude-code-linux-x64/claude"


def claude(lab: Lab, url: str, *words: str, prompt: str = "please create the file") -> Ran:
    """`claude -p` with every permission of its own given, so that only a hook can stop a tool."""
    return lab.run(
        [program("claude-code", CLAUDE), "-p", *([prompt] if prompt else []), "--output-format", "json", *words],
        ANTHROPIC_BASE_URL=url,
        ANTHROPIC_API_KEY="fake",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_AUTOUPDATER="1",
        IS_SANDBOX="1",  # else it refuses to bypass permissions for root
    )


BYPASS = ("--permission-mode", "bypassPermissions")


# --- Codex ---------------------------------------------------------------------------------------------------------

CODEX = "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"
CODEX_CONFIG = """\
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"

[analytics]
enabled = false

[projects."{project}"]
trust_level = "trusted"
"""


def codex_config(lab: Lab, url: str) -> Path:
    """The settings that lead Codex to the fake model."""
    file = lab.home / ".codex/config.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(CODEX_CONFIG.format(url=url, project=lab.project))
    return file


def codex(lab: Lab, *words: str) -> Ran:
    """`codex exec` with its own sandbox off, so that only a hook can stop a tool."""
    own = ("exec", "--skip-git-repo-check", "--json", "-s", "danger-full-access", *words, "please create the file")
    return lab.run([program("codex", CODEX), *own], FAKE_KEY="fake")


TRUSTED = "--dangerously-bypass-hook-trust"


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
