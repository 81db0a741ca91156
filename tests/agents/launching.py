"""Real agents from npm, each led to the fake model and given every permission of its own."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from agents.driving import AGENTS, Lab, Ran, program

PROMPT = "please create the file"

# --- Gemini CLI ----------------------------------------------------------------------------------------------------

GEMINI = "node_modules/.bin/gemini"
GEMINI_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
}


def gemini_settings(lab: Lab) -> str:
    """The settings that lead Gemini to the fake model, as text."""
    file = lab.home / ".gemini/settings.json"
    file.parent.mkdir(exist_ok=True)
    text = json.dumps(GEMINI_SETTINGS, indent=2)
    file.write_text(text)
    return text


def gemini(lab: Lab, url: str, *words: str) -> Ran:
    """`gemini -p`; with `--yolo` only a hook or a policy can stop a tool."""
    own = ("-p", PROMPT, "--skip-trust", "-m", "fake-model", "-o", "json", *words)
    return lab.run([program("gemini", GEMINI), *own], GEMINI_API_KEY="fake", GOOGLE_GEMINI_BASE_URL=url)


# --- Copilot CLI ---------------------------------------------------------------------------------------------------

COPILOT = "node_modules/.bin/copilot"


def copilot(lab: Lab, url: str, *words: str) -> Ran:
    """`copilot -p` without an account; with `--allow-all-tools` only a hook can stop a tool.

    It unpacks itself into the cache first, which is shared so that it happens once.
    """
    own = ("-p", PROMPT, "--no-color", "--log-level", "none", *words)
    return lab.run(
        [program("copilot", COPILOT), *own],
        XDG_CACHE_HOME=str(AGENTS / "copilot/cache"),
        COPILOT_OFFLINE="true",
        COPILOT_MODEL="fake-model",
        COPILOT_PROVIDER_BASE_URL=f"{url}/v1",
        COPILOT_PROVIDER_API_KEY="fake",
    )


# --- Qwen Code -----------------------------------------------------------------------------------------------------

QWEN = "node_modules/.bin/qwen"
QWEN_SETTINGS = {
    "security": {"auth": {"selectedType": "openai"}},
    "telemetry": {"enabled": False},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False},
    "$version": 4,
}


def qwen_settings(lab: Lab) -> None:
    """The settings that lead Qwen to the fake model."""
    file = lab.home / ".qwen/settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(QWEN_SETTINGS, indent=2))


def qwen(lab: Lab, url: str, *words: str) -> Ran:
    """`qwen -p`; it needs a newer Node than many systems have, so one comes with it."""
    file = program("qwen", QWEN)
    return lab.run(
        [file, "-p", PROMPT, "-o", "json", *words],
        PATH=f"{Path(file).parent}:{lab.env['PATH']}",
        OPENAI_API_KEY="fake",
        OPENAI_BASE_URL=f"{url}/v1",
        OPENAI_MODEL="fake-model",
    )


# --- Cline ---------------------------------------------------------------------------------------------------------

CLINE = "node_modules/.bin/cline"


def cline_settings(lab: Lab, url: str) -> None:
    """What `cline auth` writes to lead Cline to the fake model."""
    own = {"provider": "openai-compatible", "apiKey": "fake", "model": "fake-model", "baseUrl": f"{url}/v1"}
    known = {"settings": own, "updatedAt": "2026-11-15T00:00:00.000Z", "tokenSource": "manual"}
    file = lab.home / ".cline/data/settings/providers.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"version": 1, "modes": {}, "providers": {"openai-compatible": known}}))


def cline(lab: Lab, *words: str) -> Ran:
    """`cline` with everything approved, and the daemon that it leaves behind ended."""
    own = ("-P", "openai-compatible", "-m", "fake-model", "--json", *words, PROMPT)
    try:
        return lab.run([program("cline", CLINE), *own])
    finally:
        end_daemons(lab)


def end_daemons(lab: Lab) -> None:
    """End what still runs with the home of this lab."""
    mark = f"HOME={lab.home}".encode()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                ours = mark in (folder / "environ").read_bytes().split(b"\0")
            except (OSError, ValueError):  # it ended meanwhile, or belongs to somebody else
                continue
            if ours:
                os.kill(int(folder.name), signal.SIGKILL)


# --- OpenCode ------------------------------------------------------------------------------------------------------

OPENCODE = "node_modules/.bin/opencode"


def opencode_settings(lab: Lab, url: str) -> None:
    """The settings that lead OpenCode to the fake model and let its tools do anything."""
    options = {"baseURL": f"{url}/v1", "apiKey": "fake"}
    provider = {"npm": "@ai-sdk/openai-compatible", "options": options, "models": {"fake-model": {"name": "fake"}}}
    settings = {"provider": {"fake": provider}, "model": "fake/fake-model", "small_model": "fake/fake-model"}
    folder = lab.home / "config/opencode"
    (folder / "node_modules").mkdir(parents=True)
    own = settings | {"permission": "allow", "autoupdate": False, "share": "disabled"}
    (folder / "opencode.json").write_text(json.dumps(own, indent=2))
    # What it would fetch for its plugins, each time anew, is taken from where it is installed.
    program("opencode", OPENCODE)
    (folder / "node_modules/@opencode-ai").symlink_to(AGENTS / "opencode/node_modules/@opencode-ai")
    (folder / "package.json").write_text(json.dumps({"dependencies": {"@opencode-ai/plugin": "1.18.33"}}))
    (folder / "package-lock.json").write_bytes((AGENTS / "opencode/package-lock.json").read_bytes())


def opencode(lab: Lab, *words: str) -> Ran:
    """`opencode run`, without what it does beside."""
    beside = ("MODELS_FETCH", "DEFAULT_PLUGINS", "CLAUDE_CODE", "EXTERNAL_SKILLS", "FFF")
    off = {f"OPENCODE_DISABLE_{name}": "1" for name in beside}
    return lab.run([program("opencode", OPENCODE), "run", *words, PROMPT], **off)
