"""Standard Webhooks: signing messages, checking signatures, and refusing what is old or was there before."""

from __future__ import annotations

import base64
import binascii
import hmac
import threading
from collections.abc import Mapping

from assent.errors import InputError, UsageError

PREFIX = "whsec_"
TOLERANCE = 300.0
LEAST_SECRET = 24
REMEMBERED = 10_000


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The `webhook-signature` header: `v1,` and an HMAC over id, time and body."""
    content = _bytes(f"{message_id}.{timestamp}.") + body
    return "v1," + base64.b64encode(hmac.digest(_key(secret), content, "sha256")).decode()


def check(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> str:
    """The id of a message whose signature and time are right; raises InputError otherwise."""
    plain = {name.lower(): value for name, value in headers.items()}
    message_id, time, given = (plain.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not (message_id and time and given):
        raise InputError("the message is not signed: webhook-id, webhook-timestamp or webhook-signature is missing")
    if not (time.isascii() and time.isdigit() and len(time) < 16):
        raise InputError("the webhook-timestamp is no number of seconds")
    wanted = sign(secret, message_id, int(time), body)
    if not any(same(wanted, one) for one in given.split(" ")):
        raise InputError("the signature is wrong")
    if abs(now - int(time)) > TOLERANCE:
        raise InputError("the message is too old, or a clock is wrong")
    return message_id


def token_for(secret: str, request_id: str, fingerprint: str) -> str:
    """What an answer must bring along: only who got the message about this very action has it."""
    content = _bytes(f"assent answer\0{request_id}\0{fingerprint}")
    return base64.urlsafe_b64encode(hmac.digest(_key(secret), content, "sha256")).decode().rstrip("=")


def same(one: str, other: str) -> bool:
    """Whether two texts are equal, in a time that tells nothing about them."""
    return hmac.compare_digest(_bytes(one), _bytes(other))


class Replays:
    """The messages that were taken already. Those that are too old to be valid are forgotten."""

    def __init__(self) -> None:
        self._seen: dict[str, float] = {}
        self._lock = threading.Lock()

    def refuse(self, message_id: str, now: float) -> None:
        """Note a message; raises InputError when it came before. INVARIANT: nothing is forgotten while it is valid."""
        with self._lock:
            for old in [one for one, at in self._seen.items() if now - at > 3 * TOLERANCE]:
                del self._seen[old]
            if message_id in self._seen:
                raise InputError("this message was taken already")
            if len(self._seen) >= REMEMBERED:
                raise InputError("too many messages in a short time: try again later")
            self._seen[message_id] = now


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True) if secret.startswith(PREFIX) else b""
    except binascii.Error:
        key = b""
    if len(key) < LEAST_SECRET:
        raise UsageError(
            "the webhook secret is not usable",
            help=f"it is `{PREFIX}` followed by at least {LEAST_SECRET} random bytes in base64",
        )
    return key
