"""JSON-RPC messages as MCP sends them: read strictly, written plainly.

INVARIANT: a message that two programs could read differently (a key twice, a key in another case) is not read at all.
"""

from __future__ import annotations

from collections.abc import Mapping

from assent import wire
from assent.errors import InputError

Body = dict[str, object]

MAX_BYTES = 64 * 1024 * 1024
"""The longest message that is passed on, in either direction."""
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, INTERNAL_ERROR, CLOSED = -32700, -32600, -32602, -32603, -32000
ENVELOPE = ("jsonrpc", "id", "method", "params", "result", "error")
CALL = "tools/call"
READ, WATCH, PROMPT = "resources/read", "resources/subscribe", "prompts/get"
JUDGED = frozenset((CALL, READ, WATCH, PROMPT))
"""Requests that reach the server only if policy or a person lets them."""
HARMLESS = frozenset(
    """initialize ping server/discover tools/list resources/list resources/templates/list resources/unsubscribe
    prompts/list completion/complete logging/setLevel subscriptions/listen tasks/list tasks/get tasks/result
    tasks/update tasks/cancel""".split()
)
"""Requests of the protocol that call nothing and read nothing. Any other that names something is judged."""
REFUSED = -32001
METHOD_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./$")
LIST = "tools/list"
META = "io.modelcontextprotocol/"
"""Begins the keys of `_meta` with which a request of protocol 2026-07-28 describes itself."""
HEADERS = tuple(META + name for name in ("protocolVersion", "clientInfo", "clientCapabilities"))


def read(raw: bytes) -> Body | list[Body]:
    """One message, or the messages of a batch; raises InputError for anything else."""
    found = wire.loads(raw)
    if isinstance(found, list):
        if not found:
            raise InputError("a batch without messages")
        return [_checked(one) for one in found]
    return _checked(found)


def _checked(found: object) -> Body:
    if not isinstance(found, dict):
        raise InputError("a message is a JSON object")
    exact_keys(found, ENVELOPE, "the message")
    if found.get("jsonrpc") != "2.0":
        raise InputError("not a JSON-RPC 2.0 message")
    if "id" in found and not is_id(found["id"]) and not (found["id"] is None and "error" in found):
        raise InputError("the id of a message is a text or a whole number")
    if "method" in found:
        method = found["method"]
        if not isinstance(method, str):
            raise InputError("the method of a message is a text")
        if not METHOD_SIGNS.issuperset(method):
            raise InputError(f"`{text(method)}` is not how a method is written")
        if method not in JUDGED and method.casefold() in JUDGED:
            raise InputError(f"`{method}` is not how `{method.casefold()}` is written")
        if "result" in found or "error" in found:
            raise InputError("a message is a request or a response, not both")
    elif "id" not in found or ("result" in found) == ("error" in found):
        raise InputError("neither a request nor a response")
    return found


def exact_keys(table: Mapping[str, object], names: tuple[str, ...], where: str) -> None:
    """Refuse keys that some programs take for another: `Method` for `method`."""
    wanted = {name.casefold() for name in names}
    for key in table:
        if key not in names and key.strip().casefold() in wanted:
            raise InputError(f"{where} has `{key}`, which some programs read as `{key.strip().casefold()}`")


def is_judged(body: Body) -> bool:
    """Whether a message may reach the server only if policy or a person lets it.

    INVARIANT: a method that we do not know (`tools//call`, `resources/read2`) is judged by what it carries.
    """
    method, given = body.get("method"), body.get("params")
    if method in JUDGED:
        return True
    return method not in HARMLESS and (carries(given) or isinstance(given, list))


def names_something(value: object) -> bool:
    """Whether an object says what to read or to call."""
    return isinstance(value, dict) and ("uri" in value or "name" in value)


def carries(given: object) -> bool:
    """Whether parameters name something to read or to call, at the top or, with its arguments, anywhere below."""
    return names_something(given) or buries(given)


def buries(given: object) -> bool:
    """Whether something to read or to call is named below the top, where only the server knows what it means."""
    waiting = list(given.items()) if isinstance(given, dict) else []
    while waiting:
        key, one = waiting.pop()
        if key == "_meta":  # who the client is; nothing that a server acts on
            continue
        if isinstance(one, dict):
            if "uri" in one or {"name", "arguments"} <= one.keys():
                return True
            waiting += one.items()
        elif isinstance(one, list):
            waiting += [("", each) for each in one]
    return False


def is_id(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def key(identity: object) -> str:
    """An id as the key of a table: `1` and `"1"` are different ids."""
    return wire.dumps(identity)


def is_request(body: Body) -> bool:
    return "method" in body and "id" in body


def is_response(body: Body) -> bool:
    return "method" not in body


def table(value: object) -> Body:
    """A JSON object, or an empty one in the place of anything else."""
    return value if isinstance(value, dict) else {}


def params(body: Body) -> Body:
    return table(body.get("params"))


def meta(body: Body) -> Body:
    return table(params(body).get("_meta"))


def protocol(body: Body) -> str:
    """The version a request of the era without handshake says it speaks, else nothing."""
    found = meta(body).get(META + "protocolVersion")
    return found if isinstance(found, str) else ""


def text(value: object, most: int = 80) -> str:
    """What somebody says about themselves, as one short printable line."""
    said = value if isinstance(value, str) else ""
    return "".join(sign for sign in said if sign.isprintable())[:most].strip()


# --- writing -------------------------------------------------------------------------------------------------------


def write(body: Mapping[str, object]) -> bytes:
    return wire.dumps(dict(body)).encode()


def result(identity: object, found: Mapping[str, object]) -> Body:
    return {"jsonrpc": "2.0", "id": identity, "result": dict(found)}


def error(identity: object, code: int, said: str) -> Body:
    return {"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": said}}


def request(identity: object, method: str, given: Mapping[str, object]) -> Body:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": dict(given)}


def notification(method: str, given: Mapping[str, object]) -> Body:
    return {"jsonrpc": "2.0", "method": method, "params": dict(given)}


def refusal(said: str, *, modern: bool) -> Body:
    """The result of a tool that was not called: the model reads why."""
    made: Body = {"content": [{"type": "text", "text": said}], "isError": True}
    return {"resultType": "complete", **made} if modern else made
