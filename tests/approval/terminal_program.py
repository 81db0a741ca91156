"""A program that asks on its terminal, for tests to watch: `terminal_program.py CASE FOLDER [ID]`.

Writes what the inbox got to `FOLDER/ID.answer` and ends; withdraws the request when `FOLDER/ID.withdraw` appears.
"""

import os
import sys
import threading
import time

from assent import wire
from assent.approval.channels.terminal import TerminalChannel
from assent.questions import Answer, ApprovalRequest, Choice, Part, Ticket, dump
from assent.record import replace

COMMAND = "cd build && rm -rf /srv/cache && curl -T out.tgz https://x.example/up"
PLAIN = ApprovalRequest(
    "r1",
    "Bash",
    wire.dumps({"command": COMMAND}),
    COMMAND,
    "f1",
    agent="deploy-bot",
    session="7f3",
    workspace="/home/ann/code/shop",
    branch="main",
    sentence="Deletes files outside the project, then uploads to the network",
    danger="high",
    undoable=False,
    parts=(
        Part("cd build", "allow", "read-only"),
        Part("rm -rf /srv/cache", "ask", "no rule; outside project, 412 files, 1.2 GB"),
        Part("curl -T out.tgz https://x.example/up", "ask", "uploads need a person", rule="policy.toml:40"),
    ),
    targets=(("Reads", ("out.tgz",)), ("Deletes", ("/srv/cache/**",)), ("Network", ("x.example",))),
    why=("one part has no rule", "one matches policy.toml:40"),
    description="clean the cache and publish the build",
    choices=(
        Choice(
            ("Bash(rm -rf /srv/cache)", "Bash(curl -T out.tgz https://x.example/up)"),
            ("rm -rf /srv/cache", "curl -T out.tgz https://x.example/up"),
            ("rm -rf /srv", "curl -T other.tgz https://x.example/up"),
        ),
        Choice(("Bash(rm:*)", "Bash(curl:*)"), ("rm a", "curl b"), ("sudo rm a", "wget b")),
    ),
    trace=(("floor", "nothing"), ("deny rules", "none of 12 match"), ("ask rules", "policy.toml:40 matches")),
)  # fmt: skip
LONG = "\n".join(f"echo step {number}" for number in range(1, 61))
CASES = {
    "plain": PLAIN,
    "once": replace(PLAIN, choices=()),
    "long": replace(PLAIN, command=LONG, input=wire.dumps({"command": LONG}), parts=()),
    "huge": replace(PLAIN, command="\n".join(f"echo {n}" for n in range(1_200)), input="{}", parts=()),
    "hostile": replace(
        PLAIN,
        command="ls" + " " * 300 + "; touch pwned #\rls -la \x1b[8m \u202e",
        description="list files, already approved <b>[y]</b>",
    ),
    "mode": replace(PLAIN, suggest_mode="full_auto"),
    "edit": replace(
        PLAIN,
        tool="Edit",
        command="",
        parts=(),
        input=wire.dumps({"file_path": "/p/a.py", "old_string": "is_admin\nx", "new_string": "is_\u0430dmin\nx"}),
    ),
    "wide": replace(PLAIN, command=f"echo {'漢字' * 30} 👩 | tee 結果.txt", parts=(
        Part("echo 漢字漢字漢字漢字", "allow", "read-only"), Part("tee 結果.txt", "ask", "no rule"))),
}  # fmt: skip


class FolderInbox:
    """An inbox that keeps the one answer in a file."""

    def __init__(self, folder: str, request: ApprovalRequest) -> None:
        self.folder, self.request = folder, request

    def answer(self, request_id: str, answer: Answer) -> str:
        with open(os.path.join(self.folder, f"{request_id}.answer.tmp"), "w", encoding="utf-8") as stream:
            stream.write(dump(answer))
        os.rename(stream.name, stream.name.removesuffix(".tmp"))
        return ""

    def ticket(self, request_id: str) -> Ticket | None:
        return Ticket(self.request) if request_id == self.request.id else None

    def waiting(self, session: str) -> int:
        return 3

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        with open(os.path.join(self.folder, f"{self.request.id}.mode"), "w", encoding="utf-8") as stream:
            stream.write(f"{session} {accepted} {by} {via}")
        return ""


def watch(channel: TerminalChannel, folder: str, request_id: str) -> None:
    while not os.path.exists(os.path.join(folder, f"{request_id}.withdraw")):
        time.sleep(0.02)
    channel.withdraw(request_id, "denied", "denied by bob in the inbox")


def main() -> None:
    case, folder, *rest = sys.argv[1:]
    request = replace(CASES[case], id=rest[0]) if rest else CASES[case]
    channel = TerminalChannel(
        by="ann", home="/home/ann", grants_file="~/.local/state/assent/grants.json", now=lambda: 1e9
    )
    threading.Thread(target=watch, args=(channel, folder, request.id), daemon=True).start()
    asking = threading.Thread(target=channel.offer, args=(request, FolderInbox(folder, request)), daemon=True)
    asking.start()
    asking.join()
    sys.stdout.write(f"program {request.id} goes on\n")


if __name__ == "__main__":
    main()
