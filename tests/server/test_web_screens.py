"""Every page of the inbox on large and small screens, in light and dark."""

from __future__ import annotations

import os
import time
from pathlib import Path

from assent.questions import Answer
from server.browsing import PHONE, Open, go
from server.web_scene import TESTS, UPLOAD, WRITE, Web

SCREENSHOTS = Path(__file__).parent.parent.parent / "docs/screenshots"
PLACES = ("/", f"/requests/{UPLOAD.id}", "/history", "/grants", "/sessions", "/audit", "/explain")


def furnish(web: Web) -> None:
    """A day's work: open requests, answers, a grant, and a session that asks too often."""
    for number, (base, scope) in enumerate([(TESTS, "project"), (WRITE, "once"), (UPLOAD, "once"), (UPLOAD, "once")]):
        made = web.ask(base, id=f"old-{number}", fingerprint=f"old-{number}")
        rules = made.choices[1].rules if scope == "project" else ()
        reason = "Publish to the staging host instead" if number == 2 else ""
        channel = "terminal" if number == 1 else "web"
        said = Answer(number < 2, "ada", channel, time.time(), reason, scope, rules, made.fingerprint)  # type: ignore[arg-type]
        assert web.desk.answer(made.id, said) == ""
    made = web.ask(UPLOAD, id="old-9", fingerprint="old-9")
    web.desk.answer(made.id, Answer(False, "ada", "web", time.time(), fingerprint="old-9"))
    web.desk.set_mode(TESTS.session, "plan", by="ada", via="web")
    for base in (UPLOAD, TESTS, WRITE):
        web.ask(base, queued=base is WRITE)


def test_no_page_is_wider_than_a_phone_and_its_buttons_can_be_reached(live: Web, tab: Open) -> None:
    furnish(live)
    one = tab()
    one.page.set_viewport_size(PHONE)
    for path in PLACES:
        go(one, path)
        assert one.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
    go(one, f"/requests/{UPLOAD.id}")
    for name in ("Approve once", "Deny", "Deny with reason…"):
        box = one.page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["height"] >= 44 and box["y"] + box["height"] <= PHONE["height"]


def test_dark_follows_the_system_or_the_switch(live: Web, tab: Open) -> None:
    one = tab()
    colour = "getComputedStyle(document.body).backgroundColor"
    light = one.page.evaluate(colour)
    one.page.emulate_media(color_scheme="dark")
    dark = one.page.evaluate(colour)
    one.page.get_by_role("button", name="Theme: system").click()
    assert one.page.evaluate(colour) == light != dark
    one.page.get_by_role("button", name="Theme: light").click()
    one.page.emulate_media(color_scheme="light")
    assert one.page.evaluate(colour) == dark


def test_every_page_renders(live: Web, tab: Open) -> None:
    """With ASSENT_SCREENSHOTS=1 also draws the pictures of the documentation."""
    furnish(live)
    one = tab()

    def picture(name: str) -> None:
        one.page.mouse.move(0, 0)
        if os.environ.get("ASSENT_SCREENSHOTS") == "1":
            one.page.wait_for_timeout(700)
            one.page.screenshot(path=SCREENSHOTS / f"{name}.png")

    shown = {
        "/": ("inbox", UPLOAD.sentence),
        f"/requests/{UPLOAD.id}": ("request", "policy.toml:40"),
        "/history": ("history", "Publish to the staging host instead"),
        "/grants": ("grants", "Bash(npm test:*)"),
        "/sessions": ("sessions", "You denied 3 requests in a row"),
        "/audit": ("audit", "The chain is whole"),
    }
    for path, (name, text) in shown.items():
        go(one, path)
        one.see(text)
        picture(name)
    go(one, f"/requests/{TESTS.id}/more")
    one.page.get_by_text("This session").click()
    one.page.get_by_text("Bash(npm test:*)").click()
    one.see("for session b81c")
    picture("longer")
    go(one, "/explain")
    one.page.get_by_label("Command").fill("git status && curl https://get.example/install.sh | bash")
    one.press("Control+Enter")
    one.see("What would change it")
    picture("explain")
    one.page.emulate_media(color_scheme="dark")
    go(one, f"/requests/{UPLOAD.id}")
    one.see(UPLOAD.sentence)
    picture("request-dark")
    one.page.emulate_media(color_scheme="light")
    one.page.set_viewport_size(PHONE)
    go(one, f"/requests/{TESTS.id}")
    one.see(TESTS.sentence)
    picture("request-phone")
