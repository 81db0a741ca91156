"""The API of the inbox: answers count once and for what was shown; whatever else comes changes nothing."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from assent.audit.reading import records
from assent.questions import Answer
from assent.server.live import event
from server.web_scene import TESTS, UPLOAD, WRITE, Answered, Web

ONCE = {"approved": True, "fingerprint": TESTS.fingerprint}
NARROW = list(TESTS.choices[0].rules)


def answer(web: Web, body: object, request_id: str = TESTS.id) -> Answered:
    return web.post(f"/api/requests/{request_id}/answer", body)


def outcome(web: Web, request_id: str = TESTS.id) -> tuple[str, Answer | None]:
    ticket = web.desk.ticket(request_id)
    assert ticket is not None
    return ticket.state, ticket.answer


def written(web: Web) -> list[str]:
    """The kinds of records in the journal."""
    return [one.kind for one in records(f"{web.desk.state}/audit")]


# --- looking -------------------------------------------------------------------------------------------------------


def test_what_waits_is_listed_oldest_first_and_queued_ones_have_no_end(web: Web) -> None:
    web.ask(UPLOAD)
    web.ask(TESTS, queued=True)
    rows = web.get("/api/requests").body["requests"]
    assert [(row["id"], row["state"], row["danger"], bool(row["expires_at"])) for row in rows] == [
        ("upload-1", "pending", "high", True),
        ("tests-1", "pending", "low", False),
    ]


def test_looking_at_a_queued_request_starts_its_clock(web: Web) -> None:
    web.ask(TESTS, queued=True)
    row = web.post(f"/api/requests/{TESTS.id}/look").body["request"]
    assert row["expires_at"] == row["shown_at"] + TESTS.timeout


def test_one_request_holds_everything_a_person_is_shown(web: Web) -> None:
    web.ask(UPLOAD)
    found = web.get(f"/api/requests/{UPLOAD.id}").body["request"]
    assert found["sections"] == [
        {"name": "", "lines": [{"number": 1, "mark": "", "fragments": [[UPLOAD.command, "plain"]]}]}
    ]
    assert [(part["label"], part["text"], part["rule"]) for part in found["parts"]] == [
        ("ok", "cd build", ""),
        ("ASK", "rm -rf /srv/cache", ""),
        ("ASK", "curl -T out.tgz https://x.example/up", "policy.toml:40"),
    ]
    assert found["targets"] == [[name, list(found)] for name, found in UPLOAD.targets]
    assert (found["sentence"], found["why"], found["description"]) == (
        UPLOAD.sentence,
        list(UPLOAD.why),
        UPLOAD.description,
    )
    assert (found["choices"], found["complete"]) == ([], True)


def test_odd_characters_arrive_written_out_in_every_field(web: Web) -> None:
    odd = "a\u202eb"
    web.ask(
        TESTS,
        command=odd,
        input=json.dumps({"command": odd}),
        agent=odd,
        workspace=odd,
        branch=odd,
        sentence=odd,
        description=odd,
        targets=((odd, (odd,)),),
        why=(odd,),
        session=odd,
    )
    text = json.dumps(web.get(f"/api/requests/{TESTS.id}").body["request"])
    assert "\\u202e" not in text
    assert text.count("\\\\u{202e}") > 8


def test_what_was_cut_is_said_and_nothing_lasting_is_offered_until_all_is_shown(web: Web) -> None:
    long = "echo " + "x" * 50_000
    web.ask(TESTS, command=long, input=json.dumps({"command": long}))
    brief = web.get(f"/api/requests/{TESTS.id}").body["request"]
    whole = web.get(f"/api/requests/{TESTS.id}?whole=1").body["request"]
    assert (brief["complete"], brief["choices"]) == (False, [])
    assert (whole["complete"], len(whole["choices"])) == (True, 2)
    assert brief["cut"] > 0


def test_the_scopes_that_do_not_fit_a_request_are_not_offered(web: Web) -> None:
    web.ask(TESTS, session="", workspace="")
    found = web.get(f"/api/requests/{TESTS.id}").body["request"]
    assert [(one["scope"], one["seconds"]) for one in found["scopes"]] == [("15min", 900.0), ("user", 0)]


# --- answers -------------------------------------------------------------------------------------------------------


def test_an_approval_counts_once_and_names_who_and_how(web: Web) -> None:
    web.ask(TESTS)
    found = answer(web, ONCE)
    state, said = outcome(web)
    assert (found.status, found.body["request"]["state"], state) == (200, "approved", "approved")
    assert said is not None
    assert (said.by, said.via, said.scope, said.reason) == ("ada", "web", "once", "")
    assert written(web) == ["answer"]


def test_a_denial_keeps_its_reason(web: Web) -> None:
    web.ask(TESTS)
    assert answer(web, {**ONCE, "approved": False, "reason": "use the staging host"}).status == 200
    state, said = outcome(web)
    assert said is not None
    assert (state, said.reason) == ("denied", "use the staging host")


def test_a_replayed_answer_does_not_count(web: Web) -> None:
    web.ask(TESTS)
    answer(web, {**ONCE, "approved": False})
    before = outcome(web)
    assert answer(web, ONCE) == Answered(409, {"error": "already denied by ada over web", "help": ""})
    assert outcome(web) == before
    assert written(web) == ["answer"]


def test_an_answer_to_an_unknown_request_changes_nothing(web: Web) -> None:
    web.ask(TESTS)
    assert answer(web, ONCE, "forged") == Answered(404, {"error": "there is no such request", "help": ""})
    assert (outcome(web), written(web)) == (("pending", None), [])


def test_an_answer_to_something_else_than_what_was_shown_changes_nothing(web: Web) -> None:
    web.ask(TESTS)
    found = answer(web, {**ONCE, "fingerprint": UPLOAD.fingerprint})
    assert (found.status, outcome(web), written(web)) == (409, ("pending", None), [])


def test_an_answer_that_comes_too_late_changes_nothing(web: Web) -> None:
    web.ask(TESTS, timeout=0.0)
    found = answer(web, ONCE)
    assert found == Answered(410, {"error": "already expired: nobody answered in time", "help": ""})
    assert outcome(web) == ("expired", None)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"approved": True},
        {"fingerprint": TESTS.fingerprint},
        {**ONCE, "approved": "yes"},
        {**ONCE, "approved": 1},
        {**ONCE, "fingerprint": None},
        {**ONCE, "scope": "forever"},
        {**ONCE, "scope": "project"},
        {**ONCE, "rules": "Bash(*)", "scope": "project"},
        {**ONCE, "reason": 5},
        {**ONCE, "reason": "x" * 2_001},
        {**ONCE, "by": "root"},
    ],
)
def test_a_malformed_answer_changes_nothing(web: Web, body: dict[str, Any]) -> None:
    web.ask(TESTS)
    assert (answer(web, body).status, outcome(web)) == (400, ("pending", None))


@pytest.mark.parametrize(
    "body",
    [
        {**ONCE, "scope": "user", "rules": ["Bash(*)"]},
        {**ONCE, "scope": "project", "rules": [*NARROW, "Bash(*)"]},
        {**ONCE, "scope": "once", "rules": NARROW},
        {**ONCE, "approved": False, "scope": "project", "rules": NARROW},
    ],
)
def test_rules_that_were_not_offered_are_never_granted(web: Web, body: dict[str, Any]) -> None:
    web.ask(TESTS)
    found = answer(web, body)
    assert (found.status, outcome(web), web.desk.grants()) == (409, ("pending", None), ())


# --- several at once -----------------------------------------------------------------------------------------------


def test_several_answers_count_each_for_itself(web: Web) -> None:
    for base in (TESTS, UPLOAD, WRITE):
        web.ask(base)
    answer(web, {**ONCE, "approved": False})
    pairs = [
        {"id": TESTS.id, "fingerprint": TESTS.fingerprint},
        {"id": UPLOAD.id, "fingerprint": UPLOAD.fingerprint},
        {"id": WRITE.id, "fingerprint": "stale"},
        {"id": "forged", "fingerprint": "x"},
    ]
    found = web.post("/api/answers", {"approved": True, "answers": pairs})
    assert [(one["id"], one["counts"], one.get("status")) for one in found.body["results"]] == [
        (TESTS.id, False, 409),
        (UPLOAD.id, True, None),
        (WRITE.id, False, 409),
        ("forged", False, 404),
    ]
    states = [outcome(web, base.id)[0] for base in (TESTS, UPLOAD, WRITE)]
    assert states == ["denied", "approved", "pending"]


@pytest.mark.parametrize(
    "body",
    [
        {"approved": True},
        {"approved": True, "answers": []},
        {"approved": True, "answers": ["tests-1"]},
        {"approved": True, "answers": [{"id": TESTS.id}]},
        {"approved": True, "answers": [{"id": TESTS.id, "fingerprint": TESTS.fingerprint, "scope": "user"}]},
        {"approved": True, "scope": "user", "answers": [{"id": TESTS.id, "fingerprint": TESTS.fingerprint}]},
        {"approved": True, "answers": [{"id": TESTS.id, "fingerprint": TESTS.fingerprint}] * 201},
    ],
)
def test_several_at_once_are_only_ever_good_once(web: Web, body: dict[str, Any]) -> None:
    web.ask(TESTS)
    assert (web.post("/api/answers", body).status, outcome(web)) == (400, ("pending", None))


# --- grants and history --------------------------------------------------------------------------------------------


def test_a_lasting_answer_makes_a_grant_that_can_be_revoked_once(web: Web) -> None:
    web.ask(TESTS)
    [grant_id] = answer(web, {**ONCE, "scope": "project", "rules": NARROW}).body["grants"]
    [grant] = web.get("/api/grants").body["grants"]
    assert (grant["id"], grant["rules"], grant["scope"], grant["workspace"], grant["origin"]) == (
        *(grant_id, NARROW, "project", "~/shop", "web, ada"),
    )
    assert web.get("/api/history").body["requests"][0]["grants"] == [grant_id]
    assert web.post(f"/api/grants/{grant_id}/revoke").status == 200
    assert web.post(f"/api/grants/{grant_id}/revoke").status == 404
    assert (web.desk.grants(), written(web)) == ((), ["answer", "grant", "revoke"])


def test_history_finds_words_of_commands_people_and_reasons(web: Web) -> None:
    for base, approved, reason in ((TESTS, True, ""), (UPLOAD, False, "use the staging host"), (WRITE, False, "")):
        made = web.ask(base)
        web.desk.answer(made.id, Answer(approved, "ada", "terminal", time.time(), reason, fingerprint=made.fingerprint))

    def found(query: str) -> list[str]:
        return [row["id"] for row in web.get(f"/api/history?{query}").body["requests"]]

    assert found("") == [WRITE.id, UPLOAD.id, TESTS.id]
    assert found("search=STAGING+curl") == [UPLOAD.id]
    assert found("search=terminal&state=approved") == [TESTS.id]
    assert found("search=nothing-like-this") == []
    assert found("search=~/SHOP") == found("search=" + str(web.home / "shop")) != []


def test_history_goes_on_where_a_page_ends(web: Web) -> None:
    for number in range(7):
        made = web.ask(TESTS, id=f"r{number}", command="odd" if number % 2 else "even")
        web.desk.answer(made.id, Answer(False, "ada", "web", time.time(), fingerprint=made.fingerprint))
    first = web.get("/api/history?limit=2&search=even").body
    second = web.get(f"/api/history?limit=2&search=even&before={first['next']}").body
    assert [row["id"] for row in (*first["requests"], *second["requests"])] == ["r6", "r4", "r2", "r0"]


# --- sessions ------------------------------------------------------------------------------------------------------


def test_the_mode_of_a_session_is_recorded_and_its_requests_keep_waiting(web: Web) -> None:
    web.ask(TESTS)
    found = web.post("/api/sessions/mode", {"session": TESTS.session, "mode": "plan"})
    assert (found.status, found.body["session"]["mode"], outcome(web)[0]) == (200, "plan", "pending")
    [row] = web.get("/api/sessions").body["sessions"]
    assert (row["id"], row["mode"], row["waiting"]) == (TESTS.session, "plan", 1)
    assert written(web) == ["mode"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"session": TESTS.session, "mode": "yolo"}, 400),
        ({"session": "nobody", "mode": "full_auto"}, 404),
        ({"mode": "plan"}, 400),
        ({"session": TESTS.session, "mode": "plan", "for": "ever"}, 400),
    ],
)
def test_a_mode_that_makes_no_sense_changes_nothing(web: Web, body: dict[str, str], status: int) -> None:
    web.ask(TESTS)
    assert web.post("/api/sessions/mode", body).status == status
    assert [one.mode for one in web.desk.sessions()] == [""]


def deny_often(web: Web) -> None:
    for number in range(3):
        made = web.ask(TESTS, id=f"r{number}")
        web.desk.answer(made.id, Answer(False, "ada", "web", time.time(), fingerprint=made.fingerprint))


def test_a_looser_mode_is_suggested_after_three_denials_and_can_wait(web: Web) -> None:
    deny_often(web)
    assert [row["suggests"] for row in web.get("/api/sessions").body["sessions"]] == [True]
    assert web.post("/api/sessions/not-now", {"session": TESTS.session}).status == 200
    assert [(one.suggests, one.mode) for one in web.desk.sessions()] == [(False, "")]


def test_only_a_person_accepts_the_suggestion(web: Web) -> None:
    deny_often(web)
    web.post("/api/sessions/mode", {"session": TESTS.session, "mode": "full_auto"})
    assert [(one.suggests, one.mode) for one in web.desk.sessions()] == [(False, "full_auto")]


# --- the journal ---------------------------------------------------------------------------------------------------


def test_the_journal_can_be_searched_and_verified(web: Web) -> None:
    for base in (TESTS, UPLOAD):
        web.ask(base)
        answer(web, {"approved": base is TESTS, "fingerprint": base.fingerprint}, base.id)
    rows = web.get("/api/audit").body["records"]
    assert [(row["seq"], row["kind"], row["outcome"], row["by"]) for row in rows] == [
        (2, "answer", "denied", "ada over web"),
        (1, "answer", "approved", "ada over web"),
    ]
    assert [row["seq"] for row in web.get("/api/audit?search=curl").body["records"]] == [2]
    assert [row["seq"] for row in web.get("/api/audit?verdict=allow").body["records"]] == [1]
    assert web.get("/api/audit?kind=nonsense").status == 400
    [record] = web.get(f"/api/audit/{rows[0]['id']}").body["records"]
    assert dict(record["fields"])["command"] == UPLOAD.command
    assert web.get("/api/audit/no-such-record").status == 404
    whole = web.get("/api/audit/verify").body
    assert (whole["ok"], whole["records"]) == (True, 2)


def test_a_journal_that_was_changed_is_named(web: Web) -> None:
    web.ask(TESTS)
    answer(web, ONCE)
    [file] = [path for path in Path(web.desk.state, "audit").iterdir() if b'"kind"' in path.read_bytes()]
    file.write_bytes(file.read_bytes().replace(b'"approved": true', b'"approved": null'))
    found = web.get("/api/audit/verify").body
    assert (found["ok"], len(found["problems"]) > 0) == (False, True)


def test_the_journal_goes_on_where_a_page_ends(web: Web) -> None:
    web.desk.seen("s", "a")
    for mode in ("plan", "default", "plan"):
        web.desk.set_mode("s", mode, by="ada", via="web")
    first = web.get("/api/audit?limit=2").body
    second = web.get(f"/api/audit?limit=2&skip={first['next']}").body
    assert ([row["seq"] for row in first["records"]], [row["seq"] for row in second["records"]]) == ([3, 2], [1])
    assert second["next"] is None


# --- explain -------------------------------------------------------------------------------------------------------


def test_a_command_is_explained_part_by_part(web: Web, tmp_path: Path) -> None:
    (tmp_path / "shop/.git").mkdir(parents=True)
    found = web.post("/api/explain", {"command": "ls && rm -rf ~", "cwd": str(tmp_path / "shop")}).body
    assert (found["verdict"], found["workspace"]) == ("deny", str(tmp_path / "shop"))
    assert found["reason"].startswith("Access denied: ")
    assert [(part["text"], part["verdict"]) for part in found["parts"]] == [("ls", "allow"), ("rm -rf ~", "deny")]
    assert found["modes"] == {"default": "deny", "plan": "deny", "full_auto": "deny"}


def test_the_mode_of_an_explanation_can_be_chosen(web: Web, tmp_path: Path) -> None:
    plan = web.post("/api/explain", {"command": "touch x", "cwd": str(tmp_path), "mode": "plan"}).body
    assert (plan["verdict"], plan["mode"]) == ("deny", "plan")


@pytest.mark.parametrize(
    "body",
    [
        {"command": " "},
        {"command": "ls", "cwd": "relative"},
        {"command": "ls", "cwd": "/no/such"},
        {"command": "ls", "mode": "x"},
    ],
)
def test_what_cannot_be_explained_is_said(web: Web, body: dict[str, str]) -> None:
    assert web.post("/api/explain", body).status == 400


# --- news ----------------------------------------------------------------------------------------------------------


def test_an_event_is_one_line_of_json() -> None:
    assert event("changes", {"a": "x\ny"}) == 'event: changes\ndata: {"a": "x\\ny"}\n\n'


def test_news_tell_what_changed_since_a_version_and_what_expired(web: Web) -> None:
    feed = web.inbox.feed
    start = web.desk.store.version()
    web.ask(TESTS)
    rows, version = feed._news(start)
    assert [(row["id"], row["state"]) for row in rows] == [(TESTS.id, "pending")]
    assert feed._news(version) == ([], version)
    web.ask(UPLOAD, timeout=0.0)
    rows, version = feed._news(version)
    assert [(row["id"], row["state"]) for row in rows] == [(UPLOAD.id, "expired")]
