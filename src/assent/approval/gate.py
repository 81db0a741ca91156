"""The smallest way to ask: a line on standard output and a future. For prototypes; `PermissionHost` is for the rest."""

from __future__ import annotations

import asyncio
import sys
import uuid

from assent.approval.fragments import spell_out
from assent.approval.unseen import escaped
from assent.questions import TIMEOUT, ApprovalResult


class ApprovalGate:
    """Prints a question and waits until somebody calls `resolve` with its identifier."""

    def __init__(self, timeout: float = TIMEOUT) -> None:
        self._pending: dict[str, asyncio.Future[ApprovalResult]] = {}
        self._lock = asyncio.Lock()
        self._timeout = timeout

    async def ask(self, tool: str, description: str) -> ApprovalResult:
        """One question at a time; without an answer it is a no."""
        rid = str(uuid.uuid4())
        async with self._lock:
            future: asyncio.Future[ApprovalResult] = asyncio.get_running_loop().create_future()
            self._pending[rid] = future
            sys.stdout.write(f"[APPROVAL NEEDED] {_visible(tool)}: {_visible(description)} (id={rid})\n")
            try:
                return await asyncio.wait_for(future, timeout=self._timeout)
            except TimeoutError:
                return ApprovalResult(False, rid, "timeout", "expired")
            finally:
                self._pending.pop(rid, None)

    def resolve(self, rid: str, approved: bool) -> None:
        """Answer from any thread; a late or unknown answer changes nothing."""
        future = self._pending.get(rid)
        if future is not None and not future.done():
            result = ApprovalResult(approved, rid, state="approved" if approved else "denied")
            future.get_loop().call_soon_threadsafe(_settle, future, result)


def _settle(future: asyncio.Future[ApprovalResult], result: ApprovalResult) -> None:
    if not future.done():
        future.set_result(result)


def _visible(text: str) -> str:
    """INVARIANT: one line, and nothing that could move the cursor or hide."""
    return "".join(sign if sign.isprintable() else escaped(sign) for sign in spell_out(text))
