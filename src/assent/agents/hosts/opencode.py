"""Setting up OpenCode: a plugin that asks the hook before every tool, and throws at everything but a yes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from assent.agents.agent import Output
from assent.agents.hosts.alike import HARMLESS, not_to_commit, private_key, two_canaries
from assent.agents.hosts.changing import read_bytes
from assent.agents.hosts.host import Canary, Change, Finding, Handler, Hook, OwnFile, Place, Run, Scope
from assent.agents.opencode import EVENT, HOST_SECONDS, NAME, TITLE

__all__ = ["HOLES", "NAME", "SCOPES", "TITLE", "advice", "canaries", "changes", "elsewhere", "examine"]
__all__ += ["refused", "takes"]

SCOPES: tuple[Scope, ...] = ("user", "project")
HOLES = (
    "another plugin that comes after this one can change a call that was allowed",
    "OpenCode 2 has another interface for plugins, and does not load this one",
)
PLUGIN = """\
// Written by `assent install opencode`; `assent uninstall opencode` removes it.
// Asks Assent before every tool. INVARIANT: everything but a clear yes throws, and what throws does not run.
import {{ spawn }} from "node:child_process";

const HOOK = {words};
const MILLISECONDS = {milliseconds};
const CUT_OFF = "The permission check was cut off.";

function asked(payload) {{
  return new Promise((resolve) => {{
    const hook = spawn(HOOK[0], HOOK.slice(1), {{ stdio: ["pipe", "pipe", "ignore"] }});
    const timer = setTimeout(() => hook.kill("SIGKILL"), MILLISECONDS);
    const parts = [];
    const end = (code) => {{
      clearTimeout(timer);
      resolve(code === 0 ? Buffer.concat(parts).toString("utf8") : "");
    }};
    hook.on("error", () => end(-1));
    hook.on("close", end);
    hook.stdout.on("data", (part) => parts.push(part));
    hook.stdin.on("error", () => {{}});
    hook.stdin.end(JSON.stringify(payload));
  }});
}}

let servers = [];

export const Assent = async ({{ directory }}) => ({{
  config: async (config) => {{
    servers = Object.keys(config?.mcp ?? {{}});
  }},
  "{event}": async (input, output) => {{
    const {{ tool, sessionID, callID }} = input;
    const call = {{ tool, sessionID, callID, directory, servers, args: output.args }};
    const text = await asked({{ hookName: "{event}", ...call, takes: true }});
    let said = {{}};
    try {{
      said = JSON.parse(text);
    }} catch {{
      throw new Error(CUT_OFF);
    }}
    if (said?.permission !== "allow") throw new Error(said?.reason || CUT_OFF);
    if (said.args) Object.assign(output.args, said.args);
  }},
}});
"""


def plugin_file(place: Place) -> str:
    if place.scope == "project":
        return os.path.join(place.project, ".opencode/plugins/assent.js")
    config = place.env.get("XDG_CONFIG_HOME") or os.path.join(place.home, ".config")
    return os.path.join(place.env.get("OPENCODE_CONFIG_DIR") or os.path.join(config, "opencode"), "plugins/assent.js")


def changes(place: Place, hook: Hook) -> tuple[Change, ...]:
    fields = {"words": json.dumps(list(hook.words)), "milliseconds": int(HOST_SECONDS * 1000), "event": EVENT}
    return (OwnFile(plugin_file(place), PLUGIN.format(**fields), hook.words),)


def elsewhere(place: Place) -> tuple[Handler, ...]:  # noqa: ARG001 - the protocol
    return ()


def advice(place: Place) -> tuple[str, ...]:
    restart = "sessions and servers of OpenCode that are running now go on without the plugin: restart them"
    return (restart, *not_to_commit(place))


def canaries(folder: str, home: str) -> tuple[Canary, ...]:
    secret = {"filePath": private_key(home)}
    return two_canaries(_payload(folder, "read", secret), _payload(folder, "bash", HARMLESS))


def _payload(folder: str, tool: str, given: dict[str, str]) -> str:
    fields = {"hookName": EVENT, "sessionID": "assent-doctor", "callID": "canary", "directory": folder}
    return json.dumps(fields | {"tool": tool, "args": given})


def refused(output: Output) -> bool:
    """What the plugin does: everything but a clear yes is a no."""
    try:
        said = json.loads(output.stdout)
    except ValueError:
        return True
    return output.code != 0 or not isinstance(said, dict) or said.get("permission") != "allow"


def takes(env: Mapping[str, str]) -> bool:  # noqa: ARG001 - the protocol
    return True  # our own plugin does it, and says so with every call


def examine(place: Place, handlers: tuple[Handler, ...], run: Run) -> Iterator[Finding]:  # noqa: ARG001 - the protocol
    code, version = run(("opencode", "--version"))
    if code:
        yield Finding("note", "`opencode` is not on the PATH, so its version is not known")
    elif not version.startswith("1."):
        yield Finding("problem", f"OpenCode {version.strip()} may not load the plugin", "tested with OpenCode 1.18")
    else:
        yield Finding("ok", f"OpenCode {version.strip()}")
    if place.env.get("OPENCODE_PURE"):
        yield Finding("problem", "`OPENCODE_PURE` is set: OpenCode loads no plugins", "unset it")
    if read_bytes(plugin_file(place)) is None:
        yield Finding("problem", f"{plugin_file(place)} is not there", "run `assent install opencode` again")
