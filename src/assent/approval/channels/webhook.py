"""The webhook channel: requests go to a service of the user's as signed messages, and its answers come back signed.

The messages follow Standard Webhooks. Answers arrive at the web server, which hands them to `read_answer`.
"""

from __future__ import annotations

import http.client
import ipaddress
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from urllib.parse import SplitResult, urlsplit

from assent import wire
from assent.approval.channel import Inbox
from assent.approval.channels.signatures import Replays, check, same, sign, token_for
from assent.approval.display import shown
from assent.errors import AssentError, InputError, UsageError
from assent.questions import Answer, ApprovalRequest, State, table_of

DELAYS = (0.5, 2.0, 8.0, 30.0)
SECONDS = 10.0
REMEMBERED = 1_000
AGAIN = (408, 425, 429)
FIELDS = frozenset({"request_id", "fingerprint", "token", "approved", "reason", "by"})
MOST_REASON, MOST_BY = 2_000, 200
_replays = Replays()


class Ending:
    """How a request ended, once it has."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.state: State = "pending"
        self.said = ""


class WebhookChannel:
    """Sends `approval.requested` and, when it is over, `approval.resolved` to one URL."""

    def __init__(
        self,
        url: str,
        secret: str,
        *,
        answer_url: str = "",
        name: str = "webhook",
        home: str = "",
        delays: tuple[float, ...] = DELAYS,
        seconds: float = SECONDS,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.name, self.answer_url, self.home = name, answer_url, home
        self._url, self._secret, self._delays, self._seconds, self._now = read_url(url), secret, delays, seconds, now
        sign(secret, "", 0, b"")  # a secret that cannot sign is found here and not when somebody waits
        self._lock = threading.Lock()
        self._over: dict[str, Ending] = {}
        self._sent: set[str] = set()

    def offer(self, request: ApprovalRequest, inbox: Inbox) -> None:
        """Deliver the request; returns as soon as it is delivered. The answer comes another way."""
        del inbox
        ending = self._ending(request.id)
        if ending.over.is_set():
            return
        if not self._deliver(f"requested-{request.id}", "approval.requested", self._data(request), ending.over):
            return
        with self._lock:
            self._sent.add(request.id)
            late = ending.over.is_set()
        if late:
            self._resolve(request.id, ending)

    def withdraw(self, request_id: str, state: State, said: str) -> None:
        """Tell the service how it ended, if it was told that it began."""
        ending = self._ending(request_id)
        with self._lock:
            ending.state, ending.said = state, said
            ending.over.set()
            sent = request_id in self._sent
        if sent:
            self._resolve(request_id, ending)

    def _resolve(self, request_id: str, ending: Ending) -> None:
        with self._lock:
            self._sent.discard(request_id)
        data: dict[str, object] = {"request_id": request_id, "state": ending.state, "reason": ending.said}
        self._deliver(f"resolved-{request_id}", "approval.resolved", data, threading.Event())

    def _ending(self, request_id: str) -> Ending:
        with self._lock:
            while len(self._over) > REMEMBERED:
                del self._over[next(iter(self._over))]
            return self._over.setdefault(request_id, Ending())

    def _data(self, request: ApprovalRequest) -> dict[str, object]:
        display = table_of(shown(request, home=self.home))
        fields = dict(display) if isinstance(display, dict) else {}
        for unused in ("id", "choices", "waiting", "suggestion"):
            del fields[unused]
        return fields | {
            "request_id": request.id,
            "fingerprint": request.fingerprint,
            "token": token_for(self._secret, request.id, request.fingerprint),
            "answer_url": self.answer_url,
            "asked_at": request.asked_at,
            "timeout": request.timeout,
        }

    # --- delivery --------------------------------------------------------------------------------------------------

    def _deliver(self, message_id: str, kind: str, data: dict[str, object], over: threading.Event) -> bool:
        """Send until it is taken; false when it is over before. The id stays the same, so that repetitions show."""
        made = datetime.fromtimestamp(self._now(), UTC).isoformat().replace("+00:00", "Z")
        body = wire.dumps({"type": kind, "timestamp": made, "data": data}).encode()
        trouble = ""
        for delay in (*self._delays, None):
            trouble = self._post(message_id, body)
            if not trouble:
                return True
            if delay is None or over.wait(delay):
                break
        if over.is_set():
            return False
        raise AssentError(f"the webhook did not take the message: {trouble}")

    def _post(self, message_id: str, body: bytes) -> str:
        """One try; gives the trouble that another try may not have. Raises when no other try can help."""
        at = int(self._now())
        headers = {
            "content-type": "application/json",
            "user-agent": "assent",
            "webhook-id": message_id,
            "webhook-timestamp": str(at),
            "webhook-signature": sign(self._secret, message_id, at, body),
        }
        link = self._connection()
        try:
            link.request("POST", self._target, body, headers)
            status = link.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            link.close()
        if 200 <= status < 300:
            return ""
        if status >= 500 or status in AGAIN:
            return f"status {status}"
        if 300 <= status < 400:
            raise AssentError(
                f"the webhook redirects (status {status}), which is not followed", help="use its real URL"
            )
        raise AssentError(f"the webhook refuses the message: status {status}")

    def _connection(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
        return kind(self._url.hostname or "", self._url.port, timeout=self._seconds)

    @property
    def _target(self) -> str:
        return (self._url.path or "/") + (f"?{self._url.query}" if self._url.query else "")


def read_url(url: str) -> SplitResult:
    """A URL that requests may be sent to: https, or http to this very machine; no names and passwords in it."""
    try:
        found = urlsplit(url)
        found.port  # noqa: B018 - raises ValueError when it is none
    except ValueError as error:
        raise UsageError(f"cannot use the webhook URL `{url}`: {error}") from error
    if not url.isascii() or not url.isprintable() or " " in url:
        raise UsageError("cannot use the webhook URL: it holds odd characters")
    if not found.hostname or found.username is not None or found.password is not None or found.fragment:
        raise UsageError("cannot use the webhook URL: it needs a host and no user, password or fragment")
    if found.scheme == "https" or (found.scheme == "http" and _is_loopback(found.hostname)):
        return found
    raise UsageError("cannot use the webhook URL: requests show what agents do", help="use https")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# --- answers -------------------------------------------------------------------------------------------------------


def read_answer(
    headers: Mapping[str, str], body: bytes, secret: str, now: float, *, replays: Replays | None = None
) -> tuple[str, Answer]:
    """The request that a signed message answers, and the answer. Raises InputError for everything else.

    INVARIANT: an answer is good for the action that was sent, once, and never for more than that action.
    """
    message_id = check(headers, body, secret, now)
    table = wire.loads(body)
    data = table.get("data") if isinstance(table, dict) and table.get("type") == "approval.answered" else None
    if not isinstance(data, dict) or not FIELDS.issuperset(data):
        raise InputError("this is no answer", help=f"send type `approval.answered` with {', '.join(sorted(FIELDS))}")
    request_id, fingerprint, token = (_text(data, name, 1_000) for name in ("request_id", "fingerprint", "token"))
    if not same(token, token_for(secret, request_id, fingerprint)):
        raise InputError("the token does not belong to this request")
    approved = data.get("approved")
    if not isinstance(approved, bool):
        raise InputError("`approved` must be true or false")
    by, reason = _text(data, "by", MOST_BY), _text(data, "reason", MOST_REASON, "")
    (replays or _replays).refuse(message_id, now)
    return request_id, Answer(approved, by, "webhook", now, reason, fingerprint=fingerprint)


def _text(data: dict[str, object], name: str, most: int, default: str | None = None) -> str:
    value = data.get(name, default)
    if not isinstance(value, str) or (default is None and not value) or len(value) > most:
        raise InputError(f"`{name}` must be a text of at most {most} characters")
    return value
