"""The HTTP headers of protocol 2026-07-28, with which a request repeats in the open what its body says."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping

from assent.mcp import messages as m
from assent.mcp.messages import Body
from assent.mcp.pins import Definition

NAMED = {m.CALL: "name", "prompts/get": "name", "resources/read": "uri"}
PLAIN = re.compile(r"[\x20-\x7e]*")
WRAPPED = re.compile(r"=\?base64\?.*\?=")
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


def headers_of(body: Body, tools: Mapping[str, Definition]) -> dict[str, str]:
    """What a request says about itself; nothing in the era with a handshake."""
    version = m.protocol(body)
    if not version:
        return {}
    method = str(body.get("method", ""))
    made = {"mcp-protocol-version": version, "mcp-method": method}
    name = m.params(body).get(NAMED.get(method, ""))
    if isinstance(name, str):
        made["mcp-name"] = encoded(name)
    if method == m.CALL:
        definition = tools.get(str(name), ())
        schema = definition[0].get("inputSchema") if definition else None
        for token, value in _mirrored(schema, m.params(body).get("arguments")):
            made[f"mcp-param-{token}"] = encoded(value)
    return made


def encoded(value: str) -> str:
    """A value as a header can carry it."""
    if PLAIN.fullmatch(value) and value == value.strip() and not WRAPPED.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'surrogatepass')).decode()}?="


def decoded(value: str) -> str:
    """What `encoded` made a header of; raises ValueError for what it never makes."""
    if not WRAPPED.fullmatch(value):
        return value
    return base64.b64decode(value[len("=?base64?") : -2], validate=True).decode()


def _mirrored(schema: object, arguments: object) -> Iterator[tuple[str, str]]:
    """The arguments whose schema has `x-mcp-header`, as the header's name and its text."""
    if not isinstance(schema, Mapping) or not isinstance(arguments, Mapping):
        return
    for name, inner in m.table(schema.get("properties")).items():
        value = arguments.get(name)
        token = inner.get("x-mcp-header") if isinstance(inner, Mapping) else None
        if isinstance(token, str) and TOKEN.fullmatch(token) and isinstance(value, str | int | float):
            yield token, str(value).lower() if isinstance(value, bool) else str(value)
        yield from _mirrored(inner, value)
