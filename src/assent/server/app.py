"""The application: which address answers with what. Pages are one shell of HTML; everything else is JSON under /api."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from assent import wire
from assent.desk import Desk
from assent.errors import AssentError
from assent.server import answers, explaining, journal, past, signing
from assent.server.asked import Asked, Call, Fault, Service, read_body
from assent.server.forwarding import take_answer
from assent.server.keys import Keys
from assent.server.live import MOST_TABS, Feed
from assent.server.security import BODY_TOO_LARGE, SIGNED, Gate, TooLarge, token_in

STATIC = os.path.join(os.path.dirname(__file__), "static")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
PAGES = (
    *("/", "/login", "/history", "/grants", "/sessions", "/audit", "/explain"),
    *("/requests/{id}", "/requests/{id}/more"),
)

READS: dict[str, Call] = {
    "/api/status": signing.status,
    "/api/requests": answers.waiting,
    "/api/requests/{id}": answers.one,
    "/api/history": past.history,
    "/api/grants": past.grants,
    "/api/sessions": past.sessions,
    "/api/audit": journal.search,
    "/api/audit/verify": journal.verified,
    "/api/audit/{id}": journal.one,
}
CHANGES: dict[str, Call] = {
    "/api/login": signing.login,
    "/api/logout": signing.logout,
    "/api/link": signing.link,
    "/api/requests/{id}/look": answers.look,
    "/api/requests/{id}/answer": answers.answer,
    "/api/answers": answers.answer_many,
    "/api/grants/{id}/revoke": past.revoke,
    "/api/sessions/mode": past.set_mode,
    "/api/sessions/not-now": past.not_now,
    "/api/explain": explaining.explain,
}


class Inbox:
    """The application of one desk, behind its gate."""

    def __init__(
        self, desk: Desk, keys: Keys, hosts: frozenset[str], *, by: str = "", webhook_secret: str = ""
    ) -> None:
        self.service = Service(desk, keys, by=by)
        self.feed = Feed(self.service)
        routes = [Route(path, _shell, methods=["GET"]) for path in PAGES]
        routes += [Route(f"/static/{name}", _file(name), methods=["GET"]) for name in static_files()]
        routes.append(Route("/api/events", self._events, methods=["GET"]))
        routes += [Route(path, self._endpoint(call), methods=["GET"]) for path, call in READS.items()]
        routes += [Route(path, self._endpoint(call), methods=["POST"]) for path, call in CHANGES.items()]
        if webhook_secret:
            routes.append(Route(SIGNED, self._signed(webhook_secret), methods=["POST"]))
        faults = {404: _nothing_here, 405: _wrong_method}
        bare = Starlette(routes=routes, lifespan=self._life, exception_handlers=faults)
        self.app: ASGIApp = Gate(bare, keys, hosts)

    @asynccontextmanager
    async def _life(self, _app: Starlette) -> AsyncIterator[None]:
        yield
        self.feed.closing.set()

    def _endpoint(self, call: Call) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                body = read_body(await request.body()) if request.method == "POST" else {}
                asked = Asked(request.path_params, request.query_params, body, token_in(request.headers))
                return as_json(await run_in_threadpool(call, self.service, asked))
            except Fault as fault:
                return as_json({"error": fault.message, "help": fault.help}, fault.status)
            except AssentError as error:
                return as_json({"error": error.message, "help": error.help}, 500)
            except ClientDisconnect:
                return Response(status_code=400)
            except TooLarge:
                return as_json({"error": BODY_TOO_LARGE, "help": ""}, 413)
            except Exception as error:
                return as_json({"error": f"the inbox failed: {type(error).__name__}: {error}", "help": ""}, 500)

        return endpoint

    def _signed(self, secret: str) -> Callable[[Request], Awaitable[Response]]:
        """Answers of a service: no key of a browser, but a signature over every byte."""

        async def endpoint(request: Request) -> Response:
            try:
                body = await request.body()
                return as_json(
                    await run_in_threadpool(take_answer, self.service.desk, secret, dict(request.headers), body)
                )
            except Fault as fault:
                return as_json({"error": fault.message, "help": fault.help}, fault.status)
            except AssentError as error:
                return as_json({"error": error.message, "help": error.help}, 500)

        return endpoint

    async def _events(self, request: Request) -> Response:
        after = request.query_params.get("after", "")
        if self.feed.tabs >= MOST_TABS:
            return as_json({"error": "too many open tabs", "help": "close some"}, 503)
        news = self.feed.events(int(after) if after.isdecimal() and len(after) < 16 else None)
        return StreamingResponse(news, media_type="text/event-stream")


def as_json(value: object, status: int = 200) -> Response:
    return Response(wire.dumps(value), status, media_type="application/json")


def static_files() -> list[str]:
    return sorted(name for name in os.listdir(STATIC) if os.path.splitext(name)[1] in TYPES)


async def _shell(_request: Request) -> Response:
    return FileResponse(os.path.join(STATIC, "index.html"), media_type="text/html")


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    """INVARIANT: a file is served by its name in our own folder, never by a path from outside."""

    async def file(_request: Request) -> Response:
        return FileResponse(os.path.join(STATIC, name), media_type=TYPES[os.path.splitext(name)[1]])

    return file


async def _nothing_here(_request: Request, _error: Exception) -> Response:
    return as_json({"error": "there is nothing here", "help": ""}, 404)


async def _wrong_method(_request: Request, _error: Exception) -> Response:
    return as_json({"error": "not with this method", "help": "changes need POST, everything else GET"}, 405)
