"""The inbox in a real browser: answering, watching, and nothing that happens by accident."""

from __future__ import annotations

import json
import random
import time

import pytest
from playwright.sync_api import expect

from assent.questions import Answer
from server.browsing import Open, go, ticket
from server.web_scene import TESTS, UPLOAD, WRITE, Web

# --- answering -----------------------------------------------------------------------------------------------------


def test_approving_and_denying_with_a_click(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    live.ask(UPLOAD)
    one = tab()
    one.page.get_by_role("link", name=TESTS.sentence).click()
    one.settle()
    one.click("Approve once")
    one.see("Approved once by ada, in the inbox")
    one.page.get_by_role("link", name="Next request").click()
    one.see(UPLOAD.sentence)
    one.settle()
    one.page.get_by_role("button", name="Deny", exact=True).click()
    one.see("Denied by ada, in the inbox")
    found = [ticket(live, base.id) for base in (TESTS, UPLOAD)]
    assert [(each.state, each.answer and (each.answer.via, each.answer.scope)) for each in found] == [
        ("approved", ("web", "once")),
        ("denied", ("web", "once")),
    ]


def test_denying_with_a_reason(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab(f"/requests/{TESTS.id}")
    one.settle()
    one.press("r", "Enter")
    one.page.get_by_label("Reason").fill("use the staging host")
    one.settle()
    one.press("Control+Enter")
    one.see("use the staging host")
    said = ticket(live, TESTS.id).answer
    assert said is not None
    assert (said.approved, said.reason) == (False, "use the staging host")


def test_a_grant_needs_a_second_screen_and_is_revoked_with_a_question(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab(f"/requests/{TESTS.id}")
    one.settle()
    one.press("m", "Enter")
    one.see("would still ask")
    sure = one.page.get_by_role("button", name="Allow and remember")
    expect(sure).to_be_disabled()
    one.page.get_by_text("This project").click()
    one.page.get_by_text("Bash(npm test:*)").click()
    expect(one.page.locator(".written")).to_contain_text("~/.local/state/assent/grants.json")
    expect(one.page.locator(".written")).to_contain_text("Bash(npm test:*)")
    one.settle()
    sure.click()
    one.see("Approved for this project")
    [grant] = live.desk.grants()
    assert (grant.rules, grant.scope) == (TESTS.choices[1].rules, "project")
    one.press("g", "g")
    one.click("Revoke…")
    one.settle()
    one.page.get_by_role("button", name="Revoke", exact=True).click()
    one.see("No grants")
    assert live.desk.grants() == ()


def test_history_finds_answers_and_takes_grants_back(live: Web, tab: Open) -> None:
    made = live.ask(TESTS)
    rules = TESTS.choices[0].rules
    said = Answer(True, "ada", "terminal", time.time(), "", "project", rules, made.fingerprint)
    assert live.desk.answer(made.id, said) == ""
    one = tab("/history")
    one.page.get_by_label("Search").fill("coverage terminal")
    one.see("ada, in a terminal")
    one.click("Revoke…")
    one.settle()
    one.page.get_by_role("button", name="Revoke", exact=True).click()
    expect(one.page.get_by_role("button", name="Revoke…")).to_have_count(0)
    one.page.get_by_label("Search").fill("nothing like this")
    one.see("Nothing found")
    assert live.desk.grants() == ()


def test_what_is_older_and_what_is_chosen_is_shown_on_demand(live: Web, tab: Open) -> None:
    for number in range(60):
        made = live.ask(TESTS, id=f"r{number}", fingerprint=f"f{number}")
        said = Answer(number % 20 > 0, "ada", "web", time.time(), fingerprint=made.fingerprint)
        assert live.desk.answer(made.id, said) == ""
    one = tab()
    for path, pages in (("/history", (60,)), ("/audit", (100, 120))):
        go(one, path)
        rows = one.page.locator(".entry")
        expect(rows).to_have_count(50)
        for count in pages:
            one.click("Show older")
            expect(rows).to_have_count(count)
        expect(one.page.get_by_role("button", name="Show older")).to_have_count(0)
        one.page.get_by_label("Outcome").select_option("Denied")
        expect(rows).to_have_count(3)
        one.page.get_by_label("Search").fill("nothing like this")
        one.see("Nothing found")


def test_many_requests_come_in_pages(live: Web, tab: Open) -> None:
    for number in range(130):
        live.ask(TESTS, id=f"r{number}", fingerprint=f"f{number}", session=f"s{number % 3}", queued=True)
    one = tab()
    rows = one.page.locator(".row")
    expect(rows).to_have_count(100)
    one.see("130 requests wait for an answer")
    live.ask(TESTS, id="late", fingerprint="late", queued=True)
    one.see("131 requests wait for an answer")
    expect(rows).to_have_count(100)
    one.click("Show more")
    expect(rows).to_have_count(131)
    expect(one.page.get_by_role("button", name="Show more")).to_have_count(0)


def test_a_request_that_nobody_waits_for_has_no_clock(live: Web, tab: Open) -> None:
    made = live.ask(TESTS)
    one = tab(f"/requests/{TESTS.id}")
    one.see("left to answer")
    live.desk.store.leave(made.id, "tests")
    expect(one.page.locator("body")).not_to_contain_text("left to answer")
    go(one, "/")
    one.see("suspended: no hurry")


def test_several_are_answered_only_when_they_were_checked_on_the_screen(live: Web, tab: Open) -> None:
    for base in (TESTS, UPLOAD, WRITE):
        live.ask(base)
    one = tab()
    boxes = one.page.locator(".row input")
    boxes.nth(0).check()
    boxes.nth(1).check()
    one.settle()
    one.click("Approve once…")
    expect(one.page.get_by_role("dialog")).to_contain_text(UPLOAD.command)
    one.settle()
    one.click("Approve these 2 once")
    one.see("2 requests approved once")
    assert [ticket(live, base.id).state for base in (TESTS, UPLOAD, WRITE)] == ["approved", "approved", "pending"]


def test_a_session_changes_its_mode_and_a_suggestion_can_wait(live: Web, tab: Open) -> None:
    for number in range(3):
        made = live.ask(UPLOAD, id=f"r{number}")
        live.desk.answer(made.id, Answer(False, "ada", "web", time.time(), fingerprint=made.fingerprint))
    one = tab("/sessions")
    one.see("You denied 3 requests in a row")
    one.settle()
    one.click("Not now")
    expect(one.page.locator(".suggest")).to_have_count(0)
    one.settle()
    one.page.get_by_role("button", name="Plan").click()
    expect(one.page.get_by_role("button", name="Plan")).to_have_attribute("aria-pressed", "true")
    assert [(session.mode, session.refused) for session in live.desk.sessions()] == [("plan", 1)]


def test_what_is_too_long_for_the_screen_is_approved_only_after_all_was_shown(live: Web, tab: Open) -> None:
    long = "echo " + "x" * 50_000 + "; rm -rf /srv"
    live.ask(TESTS, command=long, input=json.dumps({"command": long}))
    one = tab(f"/requests/{TESTS.id}")
    approve = one.page.get_by_role("button", name="Approve once")
    one.settle()
    expect(approve).to_be_disabled()
    one.press("y", "Enter")
    one.see("Show all of it first")
    one.page.get_by_role("button", name="Show all", exact=True).click()
    expect(approve).to_be_enabled()
    one.settle()
    one.press("y", "Enter")
    one.see("Approved once by ada")
    assert [path for path in one.sent if "answer" in path] == [f"requests/{TESTS.id}/answer"]


# --- watching ------------------------------------------------------------------------------------------------------


def test_a_second_tab_sees_everything_at_once(live: Web, tab: Open) -> None:
    first, second = tab(), tab()
    first.see("Nothing waits for you")
    live.ask(TESTS)
    for one in (first, second):
        one.see(TESTS.sentence)
        expect(one.page).to_have_title("(1) Inbox · Assent")
        assert "text" in (one.page.locator("#favicon").get_attribute("href") or "")
    first.page.get_by_role("link", name=TESTS.sentence).click()
    first.settle()
    first.press("y", "Enter")
    expect(second.page.locator(".row.gone")).to_contain_text("Approved once by ada, in the inbox")
    expect(second.page).to_have_title("Inbox · Assent")


def test_another_tab_opens_signed_in_at_the_same_place(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab()
    with one.page.context.expect_page() as opened:
        one.page.get_by_role("link", name=TESTS.sentence).click(modifiers=["Control"])
    expect(opened.value.locator("h1")).to_have_text(TESTS.sentence)
    assert opened.value.url == f"http://{live.host}/requests/{TESTS.id}"


def test_a_request_expires_on_the_screen_and_queued_ones_say_that_they_wait(live: Web, tab: Open) -> None:
    one = tab()
    live.ask(UPLOAD, timeout=2.0)
    live.ask(TESTS, queued=True)
    page = tab(f"/requests/{UPLOAD.id}")
    one.see("waits for its turn")
    expect(one.page.locator(".row .numeric").first).to_contain_text("0:0")
    expect(one.page.locator(".row.gone")).to_contain_text("Expired: nobody answered in time")
    page.see("Expired: nobody answered in time")
    expect(page.page.get_by_role("button", name="Approve once")).to_have_count(0)
    assert ticket(live, UPLOAD.id).state == "expired"


def test_buttons_and_rows_stay_where_they_are_while_things_change(live: Web, tab: Open) -> None:
    live.ask(TESTS, sentence="Runs a script of the project " * 9)
    live.ask(UPLOAD)
    one, other = tab(), tab(f"/requests/{UPLOAD.id}")
    row, button = one.page.locator(f"[data-id={UPLOAD.id}]"), other.page.get_by_role("button", name="Approve once")
    before = (row.bounding_box(), button.bounding_box())
    live.desk.store.end(TESTS.id, "cancelled", "the agent went away", time.time())
    live.ask(WRITE)
    one.see("Cancelled: the agent went away")
    one.see(WRITE.sentence)
    expect(other.page).to_have_title(f"(2) {UPLOAD.sentence} · Assent")
    assert (row.bounding_box(), button.bounding_box()) == before


def test_a_tab_comes_back_when_the_server_does_not_know_it_any_more(live: Web, tab: Open) -> None:
    one = tab()
    live.keys._browsers.clear()
    one.press("g", "h")
    one.see("assent serve --link")
    one.troubles.clear()  # the browser itself reports the 401


# --- deliberately --------------------------------------------------------------------------------------------------


def test_keys_and_clicks_right_after_a_request_appears_are_ignored(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab()
    one.page.clock.install()
    one.page.clock.pause_at(time.time() + 3600)
    one.page.get_by_role("link", name=TESTS.sentence).click()
    button = one.page.get_by_role("button", name="Approve once")
    button.click()
    one.press("y", "n", "m")
    one.page.clock.run_for(380)
    one.press("y")
    button.click()
    assert [path for path in one.sent if "answer" in path] == []
    one.page.clock.run_for(410)
    one.press("y", "Enter")  # the line holds what came too early; Enter clears it
    one.page.clock.run_for(410)
    one.press("y")
    one.see("Press Enter to confirm")
    one.page.clock.run_for(60_000)
    assert [path for path in one.sent if "answer" in path] == []
    one.press("Enter")
    one.see("Approved once by ada")
    assert [path for path in one.sent if "answer" in path] == [f"requests/{TESTS.id}/answer"]


@pytest.mark.parametrize("key", ["Tab", "Backspace", "Escape", "x", "y", "n", "Space"])
def test_another_key_takes_a_letter_back(live: Web, tab: Open, key: str) -> None:
    live.ask(TESTS)
    one = tab(f"/requests/{TESTS.id}")
    one.settle()
    one.press("y")
    one.see("Press Enter to confirm")
    one.press(key)
    expect(one.page.locator("#armed")).to_have_count(0)
    one.page.evaluate("document.activeElement.blur()")
    one.press("Enter")
    one.settle()
    assert [path for path in one.sent if "answer" in path] == []
    one.press("n", "Enter")
    one.see("Denied by ada")


SENTENCES = ("why do you need this", "you must not", "yes but why", "nope, say why", "rhythm y", "gy my y", "really")
CHANCE = random.Random(7)
PACES = ((0,), (40, 130), (390,), (600,), (1400, 1900), tuple(CHANCE.randrange(50, 2000) for _ in range(25)))


def test_a_sentence_that_somebody_types_answers_nothing(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab()
    one.page.clock.install()
    one.page.clock.pause_at(time.time() + 3600)
    for sentence in SENTENCES:
        for pace in PACES:
            for first in (0, 410):
                go(one, "/")
                go(one, f"/requests/{TESTS.id}")
                one.page.clock.run_for(first)
                for at, sign in enumerate(sentence):
                    one.page.keyboard.press("Space" if sign == " " else sign)
                    one.page.clock.run_for(pace[at % len(pace)])
                one.press("Enter")
                one.page.clock.run_for(2000)
                one.press("Escape")
    assert (ticket(live, TESTS.id).state, [path for path in one.sent if "answer" in path]) == ("pending", [])


def test_a_swallowed_r_and_the_reason_behind_it_answer_nothing(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab()
    one.page.clock.install()
    one.page.clock.pause_at(time.time() + 3600)
    for early in (0, 100, 200, 390):
        for pause in (20, 150, 390, 600, 1400):
            go(one, "/")
            go(one, f"/requests/{TESTS.id}")
            one.page.clock.run_for(early)
            for sign in "rwhy do you need this":
                one.page.keyboard.press("Space" if sign == " " else sign)
                one.page.clock.run_for(pause)
            one.see("Nothing is answered by what you type")
            one.press("Enter")
            one.page.clock.run_for(6000)
    assert [path for path in one.sent if "answer" in path] == []
    one.press("r", "Enter")
    one.page.keyboard.type("why do you need this")
    one.page.clock.run_for(500)
    one.press("Control+Enter")
    one.see("why do you need this")
    said = ticket(live, TESTS.id).answer
    assert said is not None
    assert (said.approved, said.reason) == (False, "why do you need this")


def test_a_focused_button_is_not_pressed_by_the_blanks_of_a_sentence(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab(f"/requests/{TESTS.id}")
    one.settle()
    button = one.page.get_by_role("button", name="Approve once")
    button.focus()
    for sign in "is that ok":
        one.page.keyboard.press("Space" if sign == " " else sign)
    one.press("Enter")
    one.see("Nothing is answered by what you type")
    assert [path for path in one.sent if "answer" in path] == []
    one.settle()
    button.focus()
    one.press("Enter")
    one.see("Approved once by ada")


def test_enter_alone_does_nothing_and_nothing_has_the_focus(live: Web, tab: Open) -> None:
    live.ask(TESTS)
    one = tab(f"/requests/{TESTS.id}")
    one.settle()
    one.press("Enter", "Space")
    assert one.page.evaluate("document.activeElement.tagName") == "MAIN"
    one.settle()
    one.press("r", "Enter")
    one.settle()
    one.press("Enter")
    one.press("Escape", "Escape")
    one.see("1 request waits")
    assert (ticket(live, TESTS.id).state, [path for path in one.sent if "answer" in path]) == ("pending", [])


def test_everything_can_be_done_with_the_keyboard(live: Web, tab: Open) -> None:
    live.ask(UPLOAD)
    live.ask(TESTS)
    one = tab()
    one.see(TESTS.sentence)
    one.press("?")
    expect(one.page.get_by_role("dialog")).to_contain_text("approve once")
    one.press("Escape", "j", "j", "Enter")
    expect(one.page.locator("h1")).to_have_text(TESTS.sentence)
    one.press("k")
    expect(one.page.locator("h1")).to_have_text(UPLOAD.sentence)
    one.settle()
    one.press("n", "Enter")
    one.see("Denied by ada")
    one.press("j")
    expect(one.page.locator("h1")).to_have_text(TESTS.sentence)
    one.settle()
    one.press("m", "Enter", "Tab")
    expect(one.page.locator("h1")).to_have_text("Allow this for longer")
    one.page.locator("input[name=scope]").first.focus()
    one.press("Space")
    one.page.locator("input[name=choice]").first.focus()
    one.press("Space")
    one.settle()
    one.press("y", "Enter")
    one.see("Approved for 15 minutes")
    for key, name in (("h", "History"), ("g", "Grants"), ("a", "Audit"), ("s", "Sessions"), ("e", "Explain")):
        one.press("g", key)
        expect(one.page.locator("h1")).to_have_text(name)
        one.press("Escape")
    one.press("g", "i")
    expect(one.page.locator("h1")).to_have_text("Inbox")
    assert [ticket(live, base.id).state for base in (UPLOAD, TESTS)] == ["denied", "approved"]
