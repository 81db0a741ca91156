"""Tools of MCP servers and tools nobody knows: one call, and what their arguments may touch.

INVARIANT: whatever such a tool is called, it never counts as a built-in tool.
"""

from __future__ import annotations

from assent.errors import InputError
from assent.tools import arguments, verbs
from assent.tools.fields import Fields, shape
from assent.tools.table import ARGUMENT_KEYS, MCP_TOOL_KEYS, SERVER_KEYS, URL_KEYS
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_SPLITS = 16


def read(tool: str, family: str, fields: Fields) -> Iterator[Effect]:
    """The effects of a call that only its server, or only its author, understands."""
    if family == "mcp":
        yield from _explicit(fields)
        return
    if family == "mcp_resource":
        yield from _resource(fields)
        return
    if family == "mcp_prompt":
        yield from _prompt(fields)
        return
    if family == "mcp_name":
        yield from _named(tool, fields)
        return
    if family == "batch":
        fields.blind("carries other calls, which are not analysed")
        yield Effect("call", fields.name, code="tool", arguments=fields.values)
    else:
        if family == "unreadable":
            fields.blind("has a name that cannot be trusted: empty, too long or with control characters")
        yield Effect("call", fields.name, code="tool", arguments=fields.values)
    yield from arguments.traces(fields, fields.values, verbs.touches_of(tool))


def _named(tool: str, fields: Fields) -> Iterator[Effect]:
    """`mcp__server__tool`. Where a name can be split in several ways, an allow must vouch for each."""
    readings = splits(tool)
    if len(readings) > MAX_SPLITS:
        fields.blind(f"can be split into server and tool in {len(readings)} ways")
    for server, name in readings[:MAX_SPLITS]:
        yield Effect("call", f"{server}.{name}", code="mcp", arguments=fields.values)
    yield from arguments.traces(fields, fields.values, verbs.touches_of(*[name for _, name in readings]))


def served(readings: tuple[tuple[str, str], ...], fields: Fields) -> Iterator[Effect]:
    """Server and tool, as the host's own configuration tells them apart; an allow must vouch for each reading."""
    for server, name in readings:
        yield Effect("call", f"{server}.{name}", code="mcp", arguments=fields.values)
    yield from arguments.traces(fields, fields.values, verbs.touches_of(*[name for _, name in readings]))


def splits(tool: str) -> list[tuple[str, str]]:
    """Server and tool for every way to read a name, the usual one first."""
    if tool[:4].lower() in ("mcp:", "mcp-", "mcp."):
        return [("?", tool[4:].strip())]
    mark = "__" if "__" in tool else "_"
    rest = tool[3 + len(mark) :] if tool[:4].lower() == "mcp_" else tool
    parts = rest.split(mark)
    found = [(mark.join(parts[:way]), mark.join(parts[way:])) for way in range(1, len(parts))]
    return [(server, name) for server, name in found if server and name] or [("?", rest)]


def _explicit(fields: Fields) -> Iterator[Effect]:
    """A call that names server, tool and arguments in fields of their own."""
    servers, tools = fields.texts(SERVER_KEYS), fields.texts(MCP_TOOL_KEYS)
    fields.need("server", servers)
    fields.need("name", tools)
    given = fields.take(ARGUMENT_KEYS)
    for values in [_decoded(fields, key, value) for key, value in given] or [{}]:
        for server in servers or ["?"]:
            for tool in tools or ["?"]:
                yield Effect("call", f"{server}.{tool}", code="mcp", arguments=values)
    yield from arguments.traces(fields, [value for _, value in given], verbs.touches_of(*tools))


def _decoded(fields: Fields, key: str, value: object) -> Mapping[str, object]:
    """Arguments as an object; some hosts write them as JSON text."""
    if isinstance(value, str):
        from assent.wire import loads

        try:
            value = loads(value) if value.strip() else {}
        except InputError as error:
            fields.blind(f"has `{key}` that cannot be read: {error}")
            return {}
    if not isinstance(value, dict):
        fields.blind(f"needs `{key}` as an object: it is {shape(value)}")
        return {}
    return value


def _resource(fields: Fields) -> Iterator[Effect]:
    """The URI of a resource is the server's own name for it: no site unless it says so, but maybe a file."""
    servers = fields.texts((*SERVER_KEYS, "extensionname")) or ["?"]
    values = dict(fields.take((*URL_KEYS, "name")))
    for server in servers:
        yield Effect("call", f"{server}.resource", code="mcp", arguments=values)
    yield from arguments.traces(fields, values, verbs.READS, resource=True)


def _prompt(fields: Fields) -> Iterator[Effect]:
    """A prompt that a server fills in with arguments; it may look things up for that."""
    servers = fields.texts(SERVER_KEYS) or ["?"]
    values = dict(fields.take(("name", "arguments")))
    for server in servers:
        yield Effect("call", f"{server}.prompt", code="mcp", arguments=values)
    yield from arguments.traces(fields, values, verbs.READS, resource=True)


EXAMPLES: tuple[tuple[str, dict[str, object], str], ...] = (
    ("mcp__github__create_issue", {"title": "x"}, "call github.create_issue"),
    ("mcp__fs__read_file", {"path": ".env"}, "call fs.read_file | possible read .env"),
    ("mcp__fs__write_file", {"path": "a"}, "call fs.write_file | possible read a | possible write a"),
    (
        "mcp__fs__moveFile",
        {"path": "a"},
        "call fs.moveFile | possible read a | possible write a | possible delete a deep",
    ),
    ("mcp__fs__copy_tree", {"from": "a"}, "call fs.copy_tree | possible read a deep | possible write a"),
    (
        "mcp__fs__copy_tree",
        {"from": "a", "to": "b"},
        "call fs.copy_tree | possible read a deep | possible write a | possible read b deep | possible write b"
        " | possible write b deep",
    ),
    ("mcp__a__b__c", {}, "call a.b__c | call a__b.c"),
    ("mcp_github_search", {"q": "x"}, "call github.search"),
    ("mcp_my_srv_run", {}, "call my.srv_run | call my_srv.run"),
    ("MCP:create_issue", {}, "call ?.create_issue"),
    ("Mcp", {"server": "slack", "name": "post", "arguments": {"channel": "C1"}}, "call slack.post"),
    ("use_mcp_tool", {"server_name": "s", "tool_name": "t", "arguments": '{"n": 1}'}, "call s.t"),
    (
        "use_mcp_tool",
        {"server_name": "s", "tool_name": "t", "arguments": "[1]"},
        "call s.t | blind: use_mcp_tool needs `arguments` as an object: it is a list",
    ),
    (
        "use_mcp_tool",
        {"server_name": "s", "tool_name": "get", "arguments": '{"x": "~/a"}'},
        "call s.get | possible read ~/a",
    ),
    ("Mcp", {"name": "t"}, "call ?.t | blind: Mcp needs `server`: missing"),
    (
        "mcp__web__get",
        {"target": "https://a.example/", "command": "ls"},
        "call web.get | possible reach https://a.example/ | blind: mcp__web__get carries a command in `command`",
    ),
    ("mcp__chat__post", {"text": "see https://a.example/ now"}, "call chat.post"),
    ("read_mcp_resource", {"server": "s", "uri": "note://x"}, "call s.resource"),
    (
        "read_mcp_resource",
        {"server": "s", "uri": "vscode-file://x/etc/%6b"},
        "call s.resource | possible read /etc/%6b | possible read x/etc/%6b | possible read /x/etc/%6b"
        " | possible read /etc/k | possible read x/etc/k | possible read /x/etc/k",
    ),
    (
        "read_mcp_resource",
        {"server": "s", "uri": "file:///etc/x"},
        "call s.resource | possible read /etc/x | possible read file:///etc/x",
    ),
    (
        "read_mcp_resource",
        {"server": "s", "filepath": "a"},
        "call s.resource | possible read a | blind: read_mcp_resource has an unknown field `filepath`",
    ),
    ("get_mcp_prompt", {"server": "s", "name": "review", "arguments": {"n": "1"}}, "call s.prompt"),
    (
        "get_mcp_prompt",
        {"server": "s", "name": "review", "arguments": {"file": "~/.ssh/id_rsa"}},
        "call s.prompt | possible read ~/.ssh/id_rsa",
    ),
    ("frobnicate", {"n": 1}, "call frobnicate"),
    ("frobnicate", {"x": "my dir/.env"}, "call frobnicate | possible read dir/.env | possible read my dir/.env"),
    ("batch", {}, "call batch | blind: batch carries other calls, which are not analysed"),
    (
        "Re\tad",
        {},
        "call Re?ad | blind: Re?ad has a name that cannot be trusted: empty, too long or with control characters",
    ),
)
