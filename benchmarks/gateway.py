"""What `assent mcp` adds to a call of a tool: one client and a server that answers at once, with and without it.

`python benchmarks/gateway.py [CALLS]`, 300 unless told. Both servers are asked in turn, one call after the other; the
ratio of the medians is what to read, not the milliseconds. Every call waits until the journal is on the disk; without
that (`--no-sync`) one sees our own work alone.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from timing import ROOT

SERVER = """
import json, sys
TOOLS = [{"name": "look", "description": "Looks.", "inputSchema": {"type": "object"}}]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    method = asked["method"]
    found = {"content": [{"type": "text", "text": "done"}]}
    if method == "initialize":
        info = {"name": "s", "version": "1"}
        found = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "tools/list":
        found = {"tools": TOOLS}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": found}) + "\\n")
    sys.stdout.flush()
"""
POLICY = 'allow = ["Mcp(bench)"]\n'
NO_SYNC = "import os; os.fdatasync = os.fsync = lambda file: None\n"


class Peer:
    """A server, spoken to over its input and output."""

    def __init__(self, words: list[str], env: dict[str, str], cwd: Path) -> None:
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=cwd, text=True
        )
        self.number = 0
        self.ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}},
        )
        self.ask("tools/list", {})

    def ask(self, method: str, given: object) -> object:
        assert self.process.stdin and self.process.stdout
        self.number += 1
        self.process.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": given}) + "\n"
        )
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["result"]

    def timed(self) -> float:
        begun = time.perf_counter()
        found = self.ask("tools/call", {"name": "look", "arguments": {"path": "a/b.txt", "text": "word " * 40}})
        took = time.perf_counter() - begun
        assert found == {"content": [{"type": "text", "text": "done"}]}, found
        return took * 1000

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(10)


def gateway(home: Path, *, sync: bool) -> tuple[list[str], dict[str, str]]:
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"}
    (home / ".config/assent").mkdir(parents=True, exist_ok=True)
    (home / ".config/assent/policy.toml").write_text(POLICY)
    start = "import sys; from assent.cli.fast import main; sys.exit(main())"
    words = [
        sys.executable,
        "-c",
        ("" if sync else NO_SYNC) + start,
        "mcp",
        "--name",
        "bench",
        "--on-ask",
        "deny",
        "--",
    ]
    return words, env


def main(argv: list[str]) -> None:
    calls = int(next((word for word in argv if word.isdecimal()), "300"))
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        server = [sys.executable, "-c", SERVER]
        words, env = gateway(home, sync="--no-sync" not in argv)
        direct, gated = Peer(server, env, home), Peer([*words, *server], env, home)
        for peer in (direct, gated):
            for _ in range(20):
                peer.timed()
        found = [(direct.timed(), gated.timed()) for _ in range(calls)]
        plain, through = (statistics.median(column) for column in zip(*found, strict=True))
        print(f"direct      {plain:6.2f} ms")
        print(f"gateway     {through:6.2f} ms   {through / plain:4.1f} times, {through - plain:.2f} ms more")
        for peer in (direct, gated):
            peer.end()


if __name__ == "__main__":
    main(sys.argv[1:])
