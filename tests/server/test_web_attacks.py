"""What agents write and what other sites try: nothing of it becomes script, an answer, or a look at the inbox."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from assent.questions import Answer
from server.browsing import Open, go, ticket
from server.web_scene import TESTS, Web

ATTACK = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script><a href='javascript:pwned=1'>{{7*7}}</a>"


def test_no_text_of_an_agent_becomes_markup(live: Web, tab: Open) -> None:
    choices = TESTS.choices
    hostile = live.ask(
        TESTS,
        id="hostile",
        tool=ATTACK,
        command=ATTACK,
        input=json.dumps({"command": ATTACK, ATTACK: ATTACK}),
        agent=ATTACK,
        session=ATTACK,
        workspace=f"/{ATTACK}",
        branch=ATTACK,
        sentence=ATTACK,
        parts=tuple(type(part)(ATTACK, "ask", ATTACK, (ATTACK,), ATTACK) for part in TESTS.parts),
        targets=((ATTACK, (ATTACK,)),),
        why=(ATTACK,),
        warnings=(ATTACK,),
        description=ATTACK,
        trace=((ATTACK, ATTACK),),
        choices=tuple(type(one)((ATTACK,), (ATTACK,), (ATTACK,)) for one in choices[:1]),
    )
    one = tab()
    for path in ("/", "/requests/hostile", "/requests/hostile/more", "/sessions"):
        go(one, path)
        one.see("<script>window.pwned=1</script>")
    said = Answer(True, ATTACK, ATTACK, time.time(), ATTACK, "session", (ATTACK,), hostile.fingerprint)
    assert live.desk.answer("hostile", said) == ""
    for path in ("/history", "/grants", "/audit", "/requests/hostile"):
        go(one, path)
        one.see("<script>window.pwned=1</script>")
    go(one, "/audit")
    one.page.locator(".entry").first.click()
    expect(one.page.get_by_role("dialog")).to_contain_text("<script>")
    one.press("Escape")
    go(one, "/explain")
    one.page.get_by_label("Command").fill(ATTACK)
    one.press("Control+Enter")
    one.see("Reasons")
    assert one.page.evaluate("window.pwned") is None
    assert one.page.locator("#page img[src='x'], #page script, #page a[href^='javascript']").count() == 0


@pytest.fixture
def elsewhere() -> Iterator[tuple[str, dict[str, str]]]:
    """Another site on this machine: its address, and its pages by path."""
    pages: dict[str, str] = {}

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            return

    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{site.server_address[1]}", pages
    site.shutdown()
    thread.join()
    site.server_close()


def test_another_site_can_neither_post_nor_read_nor_frame(
    live: Web, context: BrowserContext, elsewhere: tuple[str, dict[str, str]]
) -> None:
    live.ask(TESTS)
    address, pages = elsewhere
    target = f"http://{live.host}/api/requests/{TESTS.id}/answer"
    body = json.dumps({"approved": True, "fingerprint": TESTS.fingerprint})
    field = f"<input name='{body[:-1]}, \"x\":\"' value='\"}}'>"
    pages["/form"] = f"<form method=post enctype=text/plain action='{target}'>{field}"
    pages["/frame"] = f"<iframe src='http://{live.host}/'></iframe>"
    page = context.new_page()
    page.goto(f"{address}/form")
    with page.expect_navigation(url=target) as form:
        page.evaluate("document.forms[0].submit()")
    assert form.value is not None
    assert form.value.status == 415
    page.goto(f"{address}/frame")
    tries = """async ([url, body, token]) => {
      const say = (options) => fetch(url, options).then((answer) => String(answer.status), () => "blocked");
      const json = {"Content-Type": "application/json"};
      return [
        await say({method: "POST", body, headers: json}),
        await say({method: "POST", body, headers: {...json, Authorization: `Bearer ${token}`}}),
        await say({method: "POST", body, mode: "no-cors"}),
        await say({}),
      ];
    }"""
    assert page.evaluate(tries, [target, body, live.token]) == ["blocked"] * 4
    [_, frame] = page.frames
    frame.wait_for_load_state()
    assert frame.url.startswith("chrome-error:")
    assert ticket(live, TESTS.id).state == "pending"


def test_a_name_that_was_rebound_to_this_machine_gets_nothing(live: Web, context: BrowserContext) -> None:
    page = context.new_page()
    port = live.host.partition(":")[2]
    for path in ("/", "/static/app.js", "/api/requests"):
        answer = page.goto(f"http://rebind.example:{port}{path}")
        assert answer is not None
        assert answer.status == 421


def test_the_code_leaves_the_address_and_the_key_stays_in_the_tab(live: Web, context: BrowserContext) -> None:
    page = context.new_page()
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url + str(request.headers.get("referer", ""))))
    link = live.link()
    page.goto(link)
    expect(page.locator("h1")).to_have_text("Inbox")
    key = page.evaluate("sessionStorage.getItem('assent-key')")
    assert page.url == f"http://{live.host}/"
    assert context.cookies() == []
    assert page.evaluate("Object.keys(localStorage)") == []
    assert not [url for url in seen if key in url or link.partition("#")[2] in url]
    again = context.new_page()
    again.goto(link)
    expect(again.locator("h1")).to_have_text("This link does not work any more")


def test_a_tab_without_a_key_is_told_how_to_sign_in(live: Web, context: BrowserContext) -> None:
    page: Page = context.new_page()
    page.goto(f"http://{live.host}/history")
    expect(page.locator("h1")).to_have_text("Sign in to your inbox")
