"""The webhook channel: signed messages out, retried, never redirected; signed answers in, for one action."""

import base64
import hmac
import threading
import time

import pytest

from approval.terminal_program import PLAIN
from approval.webhook_service import SECRET, Service, service, signed
from assent.approval.channels.signatures import Replays, check, sign, token_for
from assent.approval.channels.webhook import WebhookChannel, read_answer, read_url
from assent.errors import AssentError, InputError, UsageError
from assent.questions import Answer, Ticket

NOW = 1_000_000.0


class NoInbox:
    """Nobody answers by itself."""

    def answer(self, request_id: str, answer: Answer) -> str:
        raise AssertionError("a webhook channel answers nothing by itself")

    def ticket(self, request_id: str) -> Ticket | None:
        return None

    def waiting(self, session: str) -> int:
        return 1

    def settle_suggestion(self, session: str, *, accepted: bool, by: str, via: str) -> str:
        return ""


def sent(other: Service, **options: object) -> WebhookChannel:
    channel = WebhookChannel(other.url, SECRET, **options)  # type: ignore[arg-type]
    channel.offer(PLAIN, NoInbox())
    return channel


# --- out -----------------------------------------------------------------------------------------------------------


def test_a_message_shows_what_a_person_needs_and_how_to_answer() -> None:
    with service() as other:
        sent(other, answer_url="https://inbox.example/webhooks/answer", home="/home/ann", now=time.time)
        message = other.next_message()
    data = message["data"]
    assert message["type"] == "approval.requested"
    assert message["timestamp"].endswith("Z")
    assert {name: data[name] for name in ("request_id", "fingerprint", "sentence", "danger", "answer_url")} == {
        "request_id": "r1",
        "fingerprint": "f1",
        "sentence": PLAIN.sentence,
        "danger": "high",
        "answer_url": "https://inbox.example/webhooks/answer",
    }
    assert data["sections"][0]["lines"][0]["fragments"][0] == {"text": PLAIN.command, "kind": "plain"}
    assert data["token"] == token_for(SECRET, "r1", "f1")


def test_a_service_in_trouble_is_tried_again_with_the_same_id() -> None:
    with service() as other:
        other.statuses = [503, 500, 429]
        sent(other, delays=(0.0, 0.0, 0.0))
        assert other.next_message()["type"] == "approval.requested"
        assert other.tries == ["requested-r1"] * 4


def test_a_service_that_stays_in_trouble_is_an_error() -> None:
    with service() as other:
        other.status = 500
        with pytest.raises(AssentError, match="did not take the message: status 500"):
            sent(other, delays=(0.0,))
        assert len(other.tries) == 2


def test_nobody_listening_is_an_error() -> None:
    with service() as other:
        url = other.url
    with pytest.raises(AssentError, match="ConnectionRefusedError"):
        WebhookChannel(url, SECRET, delays=()).offer(PLAIN, NoInbox())


@pytest.mark.parametrize(
    ("status", "why"), [(302, "redirects"), (307, "redirects"), (400, "status 400"), (401, "status")]
)
def test_a_redirect_or_refusal_is_an_error_at_once(status: int, why: str) -> None:
    with service() as other:
        other.status = status
        with pytest.raises(AssentError, match=why):
            sent(other, delays=(0.0, 0.0))
        assert len(other.tries) == 1


def test_withdrawing_tells_the_service_how_it_ended() -> None:
    with service() as other:
        channel = sent(other)
        other.next_message()
        channel.withdraw("r1", "denied", "denied by ann")
        message = other.next_message()
    assert message["type"] == "approval.resolved"
    assert message["data"] == {"request_id": "r1", "state": "denied", "reason": "denied by ann"}


def test_withdrawing_ends_the_waiting_for_a_service_in_trouble_and_says_nothing_to_it() -> None:
    with service() as other:
        other.status = 500
        channel = WebhookChannel(other.url, SECRET, delays=(3_600.0,))
        thread = threading.Thread(target=channel.offer, args=(PLAIN, NoInbox()), daemon=True)
        thread.start()
        while not other.tries:
            time.sleep(0.005)
        channel.withdraw("r1", "expired", "")
        thread.join(20)
        assert not thread.is_alive()
        assert other.tries == ["requested-r1"]


@pytest.mark.parametrize(
    "url",
    ["http://x.example/", "ftp://x.example/", "https://", "https://a:b@x.example/", "https://x.example/#f", "https://x:y/",
     "http://127.0.0.1.x.example/", "https://x.example/\n", "x.example", "https://xn\u00e9.example/"],
)  # fmt: skip
def test_a_url_that_would_show_requests_to_others_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="cannot use the webhook URL"):
        WebhookChannel(url, SECRET)


@pytest.mark.parametrize(
    "url", ["https://x.example/a?b=c", "http://127.0.0.1:8080/", "http://[::1]/", "http://localhost/"]
)
def test_https_and_this_machine_are_fine(url: str) -> None:
    assert read_url(url).geturl() == url


@pytest.mark.parametrize("secret", ["", "secret", "whsec_", "whsec_####", "whsec_c2hvcnQ="])
def test_a_weak_secret_is_refused(secret: str) -> None:
    with pytest.raises(UsageError, match="secret is not usable"):
        WebhookChannel("https://x.example/", secret)


def test_the_signature_is_the_one_of_the_standard() -> None:
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    wanted = base64.b64encode(hmac.digest(key, b'msg_1.1614265330.{"test": 1}', "sha256")).decode()
    assert sign(SECRET, "msg_1", 1614265330, b'{"test": 1}') == f"v1,{wanted}"


# --- in ------------------------------------------------------------------------------------------------------------


def answer(**changes: object) -> dict[str, object]:
    token = token_for(SECRET, "r1", "f1")
    data = {"request_id": "r1", "fingerprint": "f1", "token": token, "approved": True, "by": "ann", "reason": "fine"}
    return {"type": "approval.answered", "data": {**data, **changes}}


def read(message: object, *, at: float = NOW, now: float = NOW, replays: Replays | None = None) -> tuple[str, Answer]:
    headers, body = signed(message, at=at)
    return read_answer(headers, body, SECRET, now, replays=replays or Replays())


def test_a_signed_answer_is_read() -> None:
    assert read(answer()) == ("r1", Answer(True, "ann", "webhook", NOW, "fine", fingerprint="f1"))


def test_one_of_several_signatures_is_enough() -> None:
    headers, body = signed(answer(), at=NOW)
    headers["Webhook-Signature"] = f"v1,AAAA v2,x {headers['Webhook-Signature']}"
    assert check(headers, body, SECRET, NOW) == "m1"


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
def test_an_unsigned_message_is_refused(name: str) -> None:
    headers, body = signed(answer(), at=NOW)
    del headers[name]
    with pytest.raises(InputError, match="not signed"):
        read_answer(headers, body, SECRET, NOW)


@pytest.mark.parametrize(
    ("name", "value"),
    [("Webhook-Id", "m2"), ("Webhook-Timestamp", str(int(NOW) + 1)), ("Webhook-Signature", "v1,AAAA"), ("body", "x")],
)
def test_a_changed_message_is_refused(name: str, value: str) -> None:
    headers, body = signed(answer(), at=NOW)
    if name == "body":
        body = body.replace(b"true", b"false")
    else:
        headers[name] = value
    with pytest.raises(InputError, match="signature is wrong"):
        read_answer(headers, body, SECRET, NOW, replays=Replays())


@pytest.mark.parametrize("late", [301.0, -301.0])
def test_an_old_message_is_refused(late: float) -> None:
    with pytest.raises(InputError, match="too old"):
        read(answer(), now=NOW + late)


@pytest.mark.parametrize("stamp", ["", "x", "1e6", "-5", "9" * 30, "٣"])
def test_a_timestamp_that_is_no_number_is_refused(stamp: str) -> None:
    headers, body = signed(answer(), at=NOW)
    headers["Webhook-Timestamp"] = stamp
    with pytest.raises(InputError, match="timestamp"):
        read_answer(headers, body, SECRET, NOW)


def test_a_message_is_taken_once() -> None:
    replays = Replays()
    read(answer(), replays=replays)
    with pytest.raises(InputError, match="taken already"):
        read(answer(), replays=replays)


@pytest.mark.parametrize("changes", [{"token": "x"}, {"request_id": "r2"}, {"fingerprint": "f2"}])
def test_a_token_is_good_for_one_action(changes: dict[str, object]) -> None:
    with pytest.raises(InputError, match="token does not belong"):
        read(answer(**changes))


@pytest.mark.parametrize(
    "changes",
    [{"approved": "true"}, {"approved": 1}, {"approved": None}, {"by": ""}, {"by": 5}, {"reason": "x" * 3_000},
     {"scope": "user"}, {"rules": ["Bash"]}, {"token": None}],
)  # fmt: skip
def test_an_answer_says_no_more_and_no_less_than_it_may(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        read(answer(**changes))


@pytest.mark.parametrize("message", [[], {}, {"type": "approval.answered"}, {"type": "x", "data": {}}, "x", None])
def test_anything_else_is_no_answer(message: object) -> None:
    with pytest.raises(InputError):
        read(message)
