"""The shop of the examples: two tools, a guard that allows one of them, and nobody to be asked about the other."""

from __future__ import annotations

from assent.guard import Guard
from assent.policy.settings import PermissionSettings

CALLS: tuple[tuple[str, dict[str, int]], ...] = (("read_order", {"order": 7}), ("delete_user", {"user_id": 7}))
"""What the scripted model tries, one after the other."""


def read_order(order: int) -> str:
    """Read an order."""
    return f"order {order} is on its way"


def delete_user(user_id: int) -> str:
    """Delete a user."""
    return f"user {user_id} was deleted"


def shop_guard() -> Guard:
    """Leave `on_ask` out to be asked in the terminal, by `assent serve` in the browser, or wherever you chose."""
    settings = PermissionSettings(allow=["Tool(read_order)", "Mcp(shop.read_order)"])
    return Guard(settings=settings, agent="shop", on_ask="deny")


def patient_guard() -> Guard:
    """A guard for runs that end and go on: whoever continues one must use the same agent, session and rules."""
    settings = PermissionSettings(allow=["Tool(read_order)", "Mcp(shop.read_order)"])
    return Guard(settings=settings, agent="shop", session="order-7", channels=())


def show(answers: list[str]) -> None:
    """What the model was told about its calls."""
    for (name, _), answer in zip(CALLS, answers, strict=True):
        print(f"{name}: {answer}")
