"""A tab of a real browser that is signed in to the inbox, and what the browser tests do with it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, ViewportSize, expect

from assent.questions import Ticket
from server.web_scene import Web

DESKTOP, PHONE = ViewportSize(width=1280, height=860), ViewportSize(width=390, height=844)
ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP rebind.example 127.0.0.1"]
REPORT = """addEventListener("securitypolicyviolation", (event) =>
  console.error(`violation of ${event.violatedDirective}: ${event.blockedURI}`))"""


class Tab:
    """One tab that is signed in; `troubles` are errors, dialogs and violations of the content policy."""

    def __init__(self, context: BrowserContext, web: Web, path: str = "/") -> None:
        self.web, self.page = web, context.new_page()
        self.troubles: list[str] = []
        self.sent: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._hear)
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        self.page.on("request", self._note)
        self.page.goto(web.link(path))
        expect(self.page.locator("#side")).to_be_visible()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.troubles.append(message.text)

    def _note(self, request: Request) -> None:
        if request.method == "POST":
            self.sent.append(request.url.partition("/api/")[2])

    def see(self, text: str) -> None:
        expect(self.page.locator("body")).to_contain_text(text)

    def settle(self) -> None:
        """Wait until what decides listens."""
        bars = (".deciding", ".bulk", ".segments", "dialog .actions")
        self.page.wait_for_selector(", ".join(f"body[data-settling=no] {bar}" for bar in bars))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()


Open = Callable[..., Tab]


def go(one: Tab, path: str) -> None:
    jump = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
    one.page.evaluate(jump, path)
    expect(one.page.locator("#page")).to_have_attribute("data-path", path)


def ticket(web: Web, request_id: str) -> Ticket:
    found = web.desk.ticket(request_id)
    assert found is not None
    return found
