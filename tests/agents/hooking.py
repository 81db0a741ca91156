"""Hooks with recorded payloads: the files of tests/agents/payloads, and the hook run in this process or in its own.

A file holds `payload`, what the host sent; `env` and `words` for the hook; and `output`, the exact answer. `@HOME@` and
`@PROJECT@` stand for the folders of the test. `refusal.json` holds how the host is refused for `@WHY@`: `known` when
the payload was read, `unread` when it was not.
"""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assent.agents import AGENTS
from assent.agents.agent import Output
from assent.cli.fast import main
from assent.cli.hook import SIGNALS
from scene import LAUNCHER, Scene

PAYLOADS = Path(__file__).parent / "payloads"
ADAPTERS = tuple(name for name, module in AGENTS.items() if find_spec(f"assent.agents.{module}"))
EVERY = pytest.mark.parametrize("agent", ADAPTERS)
POLICY = """\
[[rule]]
id = "may-be-made"
allow = "Bash(touch allowed)"

[[rule]]
id = "never"
deny = "Bash(touch denied)"
"""
"""`touch allowed` is allowed, `touch denied` denied, and `touch asked` needs a person."""
ELSEWHERE = (
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME", "CLINE_DIR"),
    *("OPENCODE_CONFIG_DIR", "OPENCODE_PURE"),
)
"""Variables with which agents keep their settings elsewhere; in a test they would lead to the real ones."""
FAILED = "The permission check failed, so this was not done: "


class Recorded(NamedTuple):
    """One recorded payload and what the hook must answer to it."""

    payload: dict[str, Any]
    env: dict[str, str]
    words: tuple[str, ...]
    output: Output | None

    @property
    def text(self) -> str:
        return json.dumps(self.payload)


def recorded(agent: str, name: str, scene: Scene) -> Recorded:
    text = (PAYLOADS / agent / f"{name}.json").read_text()
    table = json.loads(text.replace("@HOME@", str(scene.home)).replace("@PROJECT@", str(scene.project)))
    made = Output(**table["output"]) if "output" in table else None
    return Recorded(table["payload"], table.get("env", {}), tuple(table.get("words", ())), made)


def all_recorded() -> list[tuple[str, str]]:
    """Every agent and recorded payload."""
    files = sorted(PAYLOADS.glob("*/*.json"))
    return [(file.parent.name, file.stem) for file in files if file.stem != "refusal"]


def refusal(agent: str, why: str, *, known: bool) -> Output:
    """The exact refusal of a host."""
    table = json.loads((PAYLOADS / agent / "refusal.json").read_text())["known" if known else "unread"]
    quoted = json.dumps(why)[1:-1]
    stdout = table["stdout"].replace("@WHY@", quoted)
    return Output(stdout, table["stderr"].replace("@WHY@", why), table["code"])


def started(agent: str, stdin: str | bytes, scene: Scene, *words: str, **more: Any) -> Output:
    """`assent hook AGENT` in its own process, as the host starts it."""
    env = more.pop("env", scene.env)
    done = subprocess.run(
        [*LAUNCHER, "hook", agent, *words],
        cwd=scene.project,
        env=env,
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=60,
        **more,
    )
    return Output(done.stdout.decode(), done.stderr.decode(), done.returncode)


@contextmanager
def quiet_signals() -> Iterator[None]:
    """The hook takes over signals; give them back."""
    numbers = [getattr(signal, name) for name in SIGNALS]
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def hooked(agent: str, stdin: str, monkeypatch: pytest.MonkeyPatch, *words: str, **env: str) -> Output:
    """`assent hook AGENT` in this process, so that parts of it can be made to fail."""
    out, err = io.StringIO(), io.StringIO()
    with monkeypatch.context() as inside, quiet_signals():
        for name, value in env.items():
            inside.setenv(name, value)
        inside.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        inside.setattr(sys, "stdout", out)
        inside.setattr(sys, "stderr", err)
        code = main(["hook", agent, *words])
    return Output(out.getvalue(), err.getvalue(), code)
