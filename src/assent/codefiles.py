"""What a call could execute: whether it starts anything of the project, the files it names, and what it would load.

Of the project itself nothing is followed: whatever starts something there is bound to all of it, by `snapshot`.
"""

from __future__ import annotations

import os
import re
from fnmatch import translate

from assent.gitconfig import NotUnderstoodError, settings
from assent.snapshot import SYSTEM, UNSETTLED, UNWALKED, repository_above
from assent.types import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.policy.case import Case
    from assent.types import Call, Word
    from assent.world import DiskWorld

STARTS = frozenset({"run", "change"})
"""Kinds of effects with which something may run that files of a project define: hooks, scripts of packages, builds."""
HANDS_OVER = frozenset({"call", "send"})
"""Kinds of effects with which somebody else gets what is named, and may run it."""
CHANGES = frozenset({"write", "delete"})
STARTERS = re.compile(
    r"(?:ba|da|z|k|mk|a|fi|c|tc|pw)?sh|git|busybox|(?:python|pypy|node|nodejs|perl|ruby|php|lua|tclsh|deno|bun)[\d.]*"
)
"""Programs that load files by themselves even when they are told to do nothing: startup files, settings, modules."""
MOST_TEXT = 1_000_000
MOST_CONFIGS = 50
OTHER_REPOSITORIES = frozenset({"safe", "maintenance", "scalar"})
"""Sections of git's settings that list repositories which the call is not about."""
MANIFESTS = tuple(
    """.claude/agents .opencode/agent .opencode/agents .codex/agents .gemini/agents .qwen/agents .cursor/agents
    .github/agents .factory/droids .config/opencode/agent""".split()
)
"""Folders of files that say what a subagent is."""
AT_HOME = tuple(
    """.pip/pip.conf .config/pip/pip.conf .cargo/config .cargo/config.toml .m2/settings.xml .gradle/init.gradle
    .gradle/gradle.properties .config/fish/config.fish .ssh/config .config/pnpm/rc .config/uv/uv.toml
    .config/direnv/direnvrc""".split()
)
"""Files in folders of home that tools read when they start; those that lie in home itself all count."""
STATE_AT_HOME = re.compile(
    "|".join(
        map(translate, "*hist* *.json* *.log* *.lock *.db* *.sqlite* *hsts *info .zcompdump* *uthority *.sw?".split())
    )
)
"""Files in home that programs keep changing and no shell reads as code."""
FOLDERS_AT_HOME = re.compile(r"\.(?:.*\.d|bash.*|zsh.*|zfunc|oh-my-.*|aliases|functions)")
"""Folders in home from which startup files load others."""
HARMLESS = frozenset(
    """_ PWD OLDPWD SHLVL TERM COLORTERM COLUMNS LINES COLORFGBG WINDOWID TTY GPG_TTY VTE_VERSION LANG LANGUAGE
    XDG_RUNTIME_DIR XDG_SESSION_ID XDG_SESSION_TYPE XDG_SESSION_CLASS XDG_SEAT XDG_VTNR DBUS_SESSION_BUS_ADDRESS DISPLAY
    WAYLAND_DISPLAY XAUTHORITY SESSION_MANAGER DESKTOP_STARTUP_ID INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID
    HOSTNAME TMUX TMUX_PANE STY WINDOW SECURITYSESSIONID LS_COLORS SSH_AUTH_SOCK SSH_AGENT_PID
    CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SESSION_ATTENDED CLAUDE_PID
    CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_MESSAGING_SOCKET CLAUDE_CODE_MESSAGING_TOKEN CLAUDE_EFFORT AI_AGENT
    ANTHROPIC_API_KEY ANTHROPIC_BASE_URL OPENAI_API_KEY OPENAI_BASE_URL GEMINI_API_KEY GOOGLE_GEMINI_BASE_URL
    CODEX_THREAD_ID CODEX_SESSION_ID GEMINI_SESSION_ID CURSOR_TRACE_ID TRACEPARENT TRACESTATE
    PYTEST_CURRENT_TEST""".split()
)
HARMLESS_BEGINNINGS = ("LC_", "SSH_CLIENT", "SSH_CONNECTION", "SSH_TTY", "TERM_", "ITERM_", "KITTY_", "WEZTERM_",
    "ALACRITTY_", "KONSOLE_", "WT_")  # fmt: skip
"""Variables of a terminal, a login, a process of an agent or its model: they differ by themselves, and load nothing."""
WRITTEN_BY_NAME = ("LOG", "HIST", "OUTPUT", "SUMMARY")
"""In the name of a variable whose file is written to, not loaded."""
LIBRARIES = frozenset(
    """PYTHONPATH PYTHONHOME PYTHONUSERBASE NODE_PATH PERL5LIB PERLLIB RUBYLIB LUA_PATH LUA_CPATH CLASSPATH
    LD_LIBRARY_PATH DYLD_LIBRARY_PATH ZDOTDIR FPATH GIT_TEMPLATE_DIR GIT_EXEC_PATH MYPYPATH AWKPATH
    TCLLIBPATH""".split()
)
"""Variables that name folders from which code is loaded, whatever it is called."""
TOKEN = re.compile(r"[^\s'\"`()<>|&;,=:\[\]{}#!\\$*?^]+")
NOT_FILES = ("/proc/", "/sys/", "/dev/fd/", "/dev/std", "/dev/tty", "/dev/null")
"""What begins so is made by the kernel: nothing there stays as it is, and reading may never end."""


class CodeFiles:
    """Collects, for one call. `paths` count with their content, `trees` and the files of `folders` as they stand.

    `whole` is false if there is more than can be looked at.
    """

    def __init__(self, case: Case, world: DiskWorld, env: Mapping[str, str]) -> None:
        self.paths: dict[str, None] = {}
        self.trees: dict[str, None] = {}
        self.folders: dict[str, None] = {}
        self.whole = True
        self._case, self._world, self._env = case, world, env
        self._written = _only_changed(case)
        self._bases = tuple(dict.fromkeys((case.call.cwd, *[cwd for call in case.calls for cwd in call.cwds])))
        self.starts = starts_something(case)

    def collect(self) -> None:
        """Everything a call names; where it starts something, also the project and what is loaded from elsewhere."""
        case = self._case
        names_all = self.starts or any(effect.kind in HANDS_OVER for effect in case.effects)
        for effect in case.effects:
            if isinstance(effect.at, Place) and (effect.kind != "list" or names_all):
                sure = not effect.possible
                self._take(effect.at.path, deep=names_all and (sure or effect.deep), sure=sure)
        for call in case.calls:
            self._take_call(call, deep=names_all)
        if names_all:
            for text in dict.fromkeys((case.text, *_texts(case.call.input))):
                self._take_text(text)
        self._written = frozenset()  # what a script names may run there before it is written here
        if self.starts:
            self._take_project()
            self._take_home()
            self._take_git()
        if case.calls or self.starts:
            self._take_variables()
        if any(effect.kind == "spawn" for effect in case.effects):
            for folder in (*self._roots(), self._world.home):
                for inner in MANIFESTS:
                    self._take(os.path.join(folder, inner), deep=True)

    # --- what the call names ---------------------------------------------------------------------------------------

    def _take_call(self, call: Call, *, deep: bool) -> None:
        values = [value for _, value in call.assignments]
        targets = [one.target for one in call.redirects if one.target is not None]
        for word in (*call.words, *values, *targets):
            for name in self._spelled(word, call):
                for base in call.cwds or self._bases:
                    self._take(os.path.join(base, self._expand(name)), deep=deep, sure=name == word.value)

    def _spelled(self, word: Word, call: Call) -> Iterator[str]:
        """Every name that a word may hold: itself, behind `=`, `@` or the letter of an option, in a list."""
        if word.pattern:
            for base in call.cwds or self._bases:
                names, whole = self._world.matching(word.pattern, base)
                self.whole = self.whole and whole
                yield from names
        text = word.value if word.value is not None else ""
        if not text or len(text) > MOST_TEXT:
            return
        yield text
        if "=" in text:
            yield text.partition("=")[2]
        yield text.lstrip("-@+")
        if text[:1] == "-" and text[1:2] != "-":
            yield text[2:].lstrip("=")
        yield from re.split(r"[:,;=@]|file://", text)

    def _take_text(self, text: str) -> None:
        """Names in a text that is or holds code, however they are quoted."""
        if len(text) > MOST_TEXT:
            self.whole = False
        for token in dict.fromkeys(TOKEN.findall(text[:MOST_TEXT])):
            for base in self._bases:
                for piece in token.split("@"):
                    self._take(os.path.join(base, self._expand(piece)), deep=True)

    def _take(self, path: str, *, deep: bool, sure: bool = False) -> None:
        """A file, and with `deep` all that is below a folder; whatever else has the name is not executed.

        `sure` if it is named as a path: a stroke in a text may be anything.
        """
        path = "/" + os.path.normpath(path).lstrip("/") if "\0" not in path else ""
        if not path or path in self.paths or path in self.trees or path in self._written:
            return
        if path.startswith(NOT_FILES) or (not sure and f"{path}/".startswith(UNSETTLED)):
            return
        if os.path.isfile(path):
            self.paths[path] = None
        elif deep and (sure or path not in UNWALKED) and os.path.isdir(path) and not self._is_around(path, sure=sure):
            self.trees[path] = None

    def _is_around(self, path: str, *, sure: bool) -> bool:
        """Whether home lies in a folder: it is looked through only where a word names it as such."""
        return not sure and f"{self._world.home}/".startswith(f"{path}/")

    def _expand(self, name: str) -> str:
        if name == "~" or name.startswith("~/"):
            return self._world.home + name[1:]
        return name

    # --- what would be loaded ----------------------------------------------------------------------------------------

    def _roots(self) -> tuple[str, ...]:
        return self._case.projects or (self._case.call.cwd,)

    def _take_project(self) -> None:
        for root in (*self._roots(), *self._bases):
            self.trees[root] = None
        inside = (self._world.home, *self._roots(), *self._bases)
        for folder in self._env.get("PATH", os.defpath).split(os.pathsep):
            path = os.path.normpath(os.path.join(self._case.call.cwd, folder))
            if any(path.startswith(f"{one}/") for one in inside):
                self.folders[path] = None

    def _take_home(self) -> None:
        """What shells, interpreters and tools read in the home folder when they start."""
        home = self._world.home
        try:
            names = [name for name in os.listdir(home) if name[:1] == "."]
        except (OSError, ValueError):
            names = []
        for name in names:
            if not STATE_AT_HOME.fullmatch(name):
                self._take(os.path.join(home, name), deep=bool(FOLDERS_AT_HOME.fullmatch(name)))
        for name in AT_HOME:
            self._take(os.path.join(home, name), deep=False)

    def _take_variables(self) -> None:
        """Files and libraries that the environment names, seen from where the call is made."""
        for name, value in self._env.items():
            if name != "PATH" and not is_harmless(name) and not any(part in name for part in WRITTEN_BY_NAME):
                for piece in dict.fromkeys(re.split(r"[:\s=,;'\"]+", value[:MOST_TEXT])):
                    path = re.sub(r"^\$\{?HOME\}?", self._world.home.replace("\\", r"\\"), self._expand(piece))
                    path = os.path.join(self._bases[0], path)
                    if piece and not path.startswith(SYSTEM):
                        self._take(path, deep=name in LIBRARIES or name.startswith("GIT_CONFIG_VALUE_"))

    def _take_git(self) -> None:
        """What git would obey and start in the repositories that the call is about, where it lies elsewhere."""
        home, env = self._world.home, self._env
        given = [os.path.join(self._bases[0], env[n]) for n in ("GIT_DIR", "GIT_COMMON_DIR") if env.get(n)]
        kept = dict.fromkeys([*given, *[folder for base in self._bases for folder in repository_above(base)]])
        self.trees.update(kept)
        config_home = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
        files = [os.path.join(one, name) for one in kept for name in ("config", "config.worktree")]
        files += [os.path.join(home, ".gitconfig"), os.path.join(config_home, "git/config"), "/etc/gitconfig"]
        files += [env[name] for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") if env.get(name)]
        for file in files:  # grows while it is read
            self._take(file, deep=False)
            for name, value in _settings(file):
                path, section = self._expand(value), name.partition(".")[0]
                if section in OTHER_REPOSITORIES:
                    continue
                if section in ("include", "includeif"):
                    files += [os.path.join(os.path.dirname(file), path)] if len(files) < MOST_CONFIGS else []
                    self.whole = self.whole and len(files) < MOST_CONFIGS
                for piece in (path, *TOKEN.findall(path)):
                    self._take(os.path.join(self._bases[0], self._expand(piece)), deep=True)


def starts_something(case: Case) -> bool:
    """Whether a call may execute what lies in the project: code, hooks, settings that name programs."""
    if any(effect.kind in STARTS for effect in case.effects):
        return True
    if any(STARTERS.fullmatch(os.path.basename(call.program or "sh")) for call in case.calls):
        return True
    return bool(case.gaps) and (bool(case.calls) or all(effect.kind != "call" for effect in case.effects))


def is_harmless(name: str) -> bool:
    """Whether a variable may differ between the question and the run."""
    return name in HARMLESS or name.startswith(HARMLESS_BEGINNINGS)


def _only_changed(case: Case) -> frozenset[str]:
    """What is written or deleted and nothing else: that may change before, as a log does. Only where all is known."""
    places = [(e.at.path, e.kind in CHANGES) for e in case.effects if isinstance(e.at, Place)]
    used = {path for path, changed in places if not changed}
    return frozenset(path for path, _ in places if path not in used) if not case.gaps else frozenset()


def _texts(value: object) -> Iterator[str]:
    """All texts in the input of a tool."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)


def _settings(file: str) -> Iterator[tuple[str, str]]:
    try:
        with open(file, "rb") as source:
            text = source.read(MOST_TEXT).decode("utf-8", "replace")
        for name, value in settings(text):
            if value:
                yield name, value
    except (OSError, ValueError, NotUnderstoodError):
        return
