"""The API of the inbox: answers count once and for what was shown; whatever else comes changes nothing."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from assent.approval.display import shown
from assent.audit.reading import records
from assent.questions import Answer, ApprovalRequest, dump
from assent.record import replace
from assent.server import view
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


def test_our_own_marks_are_shown_as_they_are_and_an_agents_are_written_out(web: Web) -> None:
    web.ask(TESTS, chain=("clerk",), agent="support › boss", command="mysql -phunter2 ɡithub.com")
    [row] = web.get("/api/requests").body["requests"]
    assert row["agent"] == "clerk › support \\u{203a} boss"
    assert row["head"].startswith("mysql -p‹password, 7 characters› \\u{261}ithub.com‹xn--ithub-qmc.com›")
    web.desk.journal.append("decision", {"tool": "Bash", "decision": "ask", "command": "mysql -phunter2 ɡithub.com"})
    said = "mysql -p‹password, 7 characters› \\u{261}ithub.com‹xn--ithub-qmc.com›"
    found = web.get("/api/audit").body["records"][0]
    assert found["said"] == said
    fields = web.get(f"/api/audit/{found['id']}").body["records"][0]["fields"]
    assert dict(fields)["command"] == said


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


def test_what_waits_comes_in_pages(web: Web) -> None:
    for number in range(7):
        web.ask(TESTS, id=f"r{number}", fingerprint=f"f{number}", queued=True)
    pages: list[list[str]] = []
    cursor: str | None = ""
    while cursor is not None:
        found = web.get(f"/api/requests?limit=3&cursor={cursor}").body
        assert found["total"] == 7
        pages.append([row["id"] for row in found["requests"]])
        cursor = found["next"]
    assert pages == [["r0", "r1", "r2"], ["r3", "r4", "r5"], ["r6"]]
    web.desk.answer("r2", Answer(False, "ada", "web", 1.0, fingerprint="f2"))
    assert [row["id"] for row in web.get("/api/requests?limit=1&cursor=r2").body["requests"]] == ["r3"]
    assert web.get("/api/requests?limit=x").status == 400


def test_ten_thousand_requests_are_listed_in_less_than_a_second(web: Web) -> None:
    web.ask(TESTS, queued=True)
    rows = [(f"r{number}", number + 10, f"s{number % 100}", f"f{number}") for number in range(10_000)]
    db = sqlite3.connect(web.desk.store.file, isolation_level=None)
    db.execute("BEGIN")
    for request_id, version, session, mark in rows:
        body = dump(replace(TESTS, id=request_id, fingerprint=mark, session=session))
        row = (request_id, version, session, mark, body, time.time())
        db.execute("INSERT INTO requests VALUES (?1, ?2, 'pending', ?3, ?4, ?5, '', ?6, 0, 0, 0, 0, '', '')", row)
    db.execute("COMMIT")
    db.close()
    begun = time.process_time()
    found = web.get("/api/requests").body
    assert time.process_time() - begun < 1.0
    assert (len(found["requests"]), found["total"], found["next"]) == (100, 10_001, "r98")
    begun = time.process_time()
    assert len(web.get("/api/sessions").body["sessions"]) <= 200
    assert web.get("/api/requests?cursor=r9998").body["requests"][0]["id"] == "r9999"
    assert time.process_time() - begun < 1.0


BROKEN = {
    "no JSON": "{",
    "nothing": "",
    "another version": '{"body": 2}',
    "no version and no fields": "{}",
    "a list": "[]",
    "a field too many": dump(TESTS)[:-1] + ', "more": 1}',
    "a number as a text": dump(TESTS).replace('"tool": "Bash"', '"tool": 5'),
    "a text as a list": dump(TESTS).replace('"why": [', '"why": "x", "was": ['),
    "another request": dump(replace(TESTS, id="other")),
    "another action": dump(replace(TESTS, fingerprint="other")),
    "nested deeply": "[" * 2_000,
    "numbers among texts": dump(replace(TESTS, why=())).replace('"why": []', '"why": [1]'),
    "a step that is no pair": dump(replace(TESTS, trace=())).replace('"trace": []', '"trace": [1]'),
    "targets of numbers": dump(replace(TESTS, targets=())).replace('"targets": []', '"targets": [[1, 2], 3]'),
    "a table in the chain": dump(replace(TESTS, chain=())).replace('"chain": []', '"chain": [{}]'),
    "an unknown danger": dump(TESTS).replace('"danger": "', '"danger": "un'),
    "no UTF-8": b"\xff{}",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_a_row_that_cannot_be_read_is_shown_as_that_and_can_be_denied(web: Web, body: str | bytes) -> None:
    web.ask(TESTS)
    web.ask(UPLOAD)
    db = sqlite3.connect(web.desk.store.file, isolation_level=None)
    db.execute("UPDATE requests SET body = CAST(? AS TEXT) WHERE id = ?", (body, TESTS.id))
    db.close()
    broken, whole = web.get("/api/requests").body["requests"]
    assert (broken["id"], broken["sentence"], bool(broken["broken"])) == (TESTS.id, "This request cannot be read", True)
    assert (broken["danger"], broken["undoable"]) == ("high", False)
    assert (whole["id"], whole["broken"], whole["sentence"]) == (UPLOAD.id, "", UPLOAD.sentence)
    assert web.get(f"/api/requests/{TESTS.id}").status == 200
    assert web.get("/api/sessions").status == 200
    refused = answer(web, ONCE)
    assert (refused.status, "can only be denied" in refused.body["error"], outcome(web)[0]) == (409, True, "pending")
    assert answer(web, {**ONCE, "approved": False}).status == 200
    assert [row["state"] for row in web.get("/api/history").body["requests"]] == ["denied"]


def test_an_approval_that_cannot_be_read_approves_nothing(web: Web) -> None:
    web.ask(TESTS)
    answer(web, ONCE)
    db = sqlite3.connect(web.desk.store.file, isolation_level=None)
    db.execute("UPDATE requests SET answer = '{}'")
    db.close()
    [row] = web.get("/api/history").body["requests"]
    assert (row["sentence"], row["answer"]) == ("This request cannot be read", None)
    assert web.desk.store.left_behind(TESTS.fingerprint, TESTS.session, web.desk.clock()) is None


def test_a_row_that_cannot_be_shown_does_not_hide_the_others(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    web.ask(TESTS)
    web.ask(UPLOAD)
    real = shown

    def fails(request: ApprovalRequest, **more: Any) -> Any:
        if request.id == TESTS.id and request.tool != "unreadable":
            raise ValueError("odd")
        return real(request, **more)

    view._brief.cache_clear()
    monkeypatch.setattr(view, "shown", fails)
    rows = web.get("/api/requests").body["requests"]
    assert [(row["id"], row["broken"]) for row in rows] == [(TESTS.id, "ValueError: odd"), (UPLOAD.id, "")]
    view._brief.cache_clear()


# --- answers -------------------------------------------------------------------------------------------------------


def test_an_approval_counts_once_and_names_who_and_how(web: Web) -> None:
    web.ask(TESTS)
    found = answer(web, ONCE)
    state, said = outcome(web)
    assert (found.status, found.body["request"]["state"], state) == (200, "approved", "approved")
    assert said is not None
    assert (said.by, said.via, said.scope, said.reason) == ("ada", "web", "once", "")
    assert written(web) == ["question", "answer"]


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
    assert written(web) == ["question", "answer"]


def test_an_answer_to_an_unknown_request_changes_nothing(web: Web) -> None:
    web.ask(TESTS)
    assert answer(web, ONCE, "forged") == Answered(404, {"error": "there is no such request", "help": ""})
    assert (outcome(web), written(web)) == (("pending", None), ["question"])


def test_an_answer_to_something_else_than_what_was_shown_changes_nothing(web: Web) -> None:
    web.ask(TESTS)
    found = answer(web, {**ONCE, "fingerprint": UPLOAD.fingerprint})
    assert (found.status, outcome(web), written(web)) == (409, ("pending", None), ["question"])


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
    assert (web.desk.grants(), written(web)) == ((), ["question", "answer", "grant", "revoke"])


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
    assert written(web) == ["question", "mode"]


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
        (4, "answer", "denied", "ada over web"),
        (3, "question", "", ""),
        (2, "answer", "approved", "ada over web"),
        (1, "question", "", ""),
    ]
    assert [row["seq"] for row in web.get("/api/audit?search=curl").body["records"]] == [4, 3]
    assert [row["seq"] for row in web.get("/api/audit?verdict=allow").body["records"]] == [2]
    assert web.get("/api/audit?kind=nonsense").status == 400
    [record] = web.get(f"/api/audit/{rows[0]['id']}").body["records"]
    assert dict(record["fields"])["command"] == UPLOAD.command
    assert web.get("/api/audit/no-such-record").status == 404
    whole = web.get("/api/audit/verify").body
    assert (whole["ok"], whole["records"]) == (True, 4)


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
