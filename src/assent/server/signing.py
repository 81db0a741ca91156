"""Signing in and out: a one-time code becomes a key for one browser."""

from __future__ import annotations

from assent import __version__
from assent.server.asked import Asked, Fault, Service
from assent.server.keys import new_code


def login(service: Service, asked: Asked) -> object:
    """Trade a code for a key."""
    asked.only("code")
    key = service.keys.login(asked.text("code", limit=200))
    if not key:
        status = 429 if service.keys.locked_for() else 401
        raise Fault(status, "this link was used already or is too old", help="run `assent serve --link` for a new one")
    return {"token": key, **_status(service)}


def logout(service: Service, asked: Asked) -> object:
    """Forget the key of this browser."""
    asked.only()
    service.keys.logout(asked.token)
    return {"now": service.now()}


def link(service: Service, asked: Asked) -> object:
    """A path with a fresh code, for another tab or browser of the same person."""
    asked.only()
    return {"now": service.now(), "path": f"/login#{new_code(service.keys.state)}"}


def status(service: Service, _asked: Asked) -> object:
    """Who is signed in and what runs here."""
    return _status(service)


def _status(service: Service) -> dict[str, object]:
    return {"now": service.now(), "by": service.by, "version": __version__, "state": service.desk.state}
