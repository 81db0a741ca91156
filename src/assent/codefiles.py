"""Every file that a call could execute: what an approval must be bound to, besides the words of the call.

It follows names, not meaning: words, redirects, globs, the folders among them, the files that tools start from by
themselves, git's hooks and settings, and whatever those files name in turn. Too much only means asking once more.
"""

from __future__ import annotations

import os
import re
from fnmatch import translate

from assent.gitconfig import NotUnderstoodError, settings
from assent.types import NUMBER, PLAIN, Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assent.policy.case import Case
    from assent.types import Call, Effect, Word
    from assent.world import DiskWorld

MOST_FILES = 50_000
"""Files and folders that are looked at; what lies beyond is not known, and the fingerprint says so."""
MOST_FOLLOWED = 300
"""Files that are searched for names of others."""
MOST_TEXT = 1_000_000
"""Bytes of a file that are searched for names of others."""
STARTS = frozenset({"run", "call", "spawn"})
"""Kinds of effects that execute something."""
CHANGES = frozenset({"write", "delete"})
DATA = tuple(
    """.log .md .rst .csv .tsv .pdf .png .jpg .jpeg .gif .svg .webp .ico .mp3 .mp4 .mov .wav .woff .woff2 .ttf
    .sqlite .sqlite3 .db .db-wal .db-shm .db-journal .pid .swp .coverage .DS_Store""".split()
)
"""Endings of files that others keep changing and nothing executes; a word that names one still counts."""
CACHES = frozenset({".git", ".hg", ".svn", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"})
"""Folders that are passed over below a folder; git's own is looked at by what it executes."""
SUFFIXES = tuple(
    """.py .pyc .so .pyd .js .mjs .cjs .ts .mts .cts .tsx .jsx .json .node .rb .pl .pm .php .lua .sh .bash .zsh .fish
    .go .rs .java .class .jar .kt .kts .scala .groovy .gradle .mk .mak .cmake .ex .exs .erl .hs .ml .nim .zig .c .cc
    .cpp .h .hpp .r .R .jl .ps1 .tcl .sql .nix .yml .yaml .toml""".split()
)
"""Endings that languages and tools add to a name by themselves."""
INDEX = frozenset(
    """__init__.py __main__.py index.js index.mjs index.cjs index.ts index.tsx package.json mod.rs main.go main.rs
    build.rs Cargo.toml Makefile setup.py""".split()
)
"""What stands for a folder that another file names."""
ENTRY_NAMES = """
    gnumakefile makefile* *.mk justfile .justfile taskfile* rakefile* gemfile* *.gemspec guardfile capfile vagrantfile
    jenkinsfile* procfile* brewfile fastfile dangerfile podfile earthfile tiltfile snakefile
    dockerfile* *.dockerfile containerfile* *.containerfile .dockerignore docker-compose* compose*.y*ml docker-bake*
    package.json package-lock.json .npmrc .yarnrc* .pnpmfile* pnpm-* yarn.lock deno.json* bunfig.toml lerna.json nx.json
    turbo.json project.json workspace.json rush.json *.config.* *.conf.* *.setup.* *.preset.* tsconfig*.json
    jsconfig*.json .*rc .*rc.* gulpfile* gruntfile* karma* .mcp.json
    pyproject.toml setup.py setup.cfg tox.ini conftest.py *pytest.ini *pytest.toml noxfile.py tasks.py manage.py
    fabfile* dodo.py wscript sconstruct sconscript sitecustomize.py usercustomize.py pyvenv.cfg *.pth requirements*.txt
    constraints*.txt poetry.lock poetry.toml uv.lock uv.toml pipfile* pdm.toml environment.y*ml .python-version
    .tool-versions *mise*.toml .flake8 *mypy.ini *ruff.toml
    cargo.toml cargo.lock build.rs rust-toolchain* rustfmt.toml clippy.toml go.mod go.sum go.work magefile* .golangci*
    *.go .goreleaser* pom.xml build.xml build.sbt build.sc build.zig* build.bazel build.gradle* build.ninja build.sh
    settings.gradle* gradle* gradlew* mvnw* workspace workspace.bazel build module.bazel cmakelists.txt
    cmakepresets.json cmakeuserpresets.json meson* configure* .clang-* composer.json composer.lock phpunit.xml* artisan
    mix.exs mix.lock rebar.config dune* *.cabal *.opam *.nimble *.csproj *.fsproj *.vbproj *.sln *.props *.targets
    stack.yaml shell.nix default.nix flake.nix flake.lock .envrc .env* *.tf *.tfvars terragrunt.hcl ansible.cfg
    playbook* hosts inventory* chart.yaml values*.y*ml skaffold.yaml kustomization.y*ml serverless.y*ml pulumi*.y*ml
    cdk.json template.y*ml .pre-commit-config.yaml lefthook* .lefthook* .gitattributes .gitmodules .gitlab-ci.yml
    .travis.yml .drone.yml .yamllint* _config.yml mkdocs.y*ml .profile .rprofile .rspec alembic.ini dvc.yaml
    nextflow.config main.nf"""
"""Names of files that some tool starts from by itself when it is run in their folder, whatever their case."""
ENTRY = re.compile("|".join(map(translate, ENTRY_NAMES.split())), re.IGNORECASE)
ENTRY_FOLDERS = (".cargo", ".config", ".husky", ".mvn", ".githooks", ".yarn", ".vscode", "gradle", "gradle/wrapper")
"""Folders beside them whose files count as such, one level deep."""
TOOL_FOLDERS = ("node_modules/.bin", ".venv/bin", "venv/bin", "bin", "vendor/bin")
"""Folders in which tools of a project find programs by name."""
MANIFESTS = tuple(
    """.claude/agents .opencode/agent .opencode/agents .codex/agents .gemini/agents .qwen/agents .cursor/agents
    .github/agents .factory/droids .config/opencode/agent""".split()
)
"""Folders of files that say what a subagent is."""
AT_HOME = tuple(
    """.bashrc .bash_profile .bash_login .bash_aliases .profile .zshenv .zshrc .zprofile .zlogin .inputrc .npmrc .yarnrc
    .yarnrc.yml .pip/pip.conf .config/pip/pip.conf .cargo/config .cargo/config.toml .condarc .gemrc .irbrc .pythonrc.py
    .Rprofile .m2/settings.xml .gradle/init.gradle .gradle/gradle.properties .config/fish/config.fish .gdbinit .lldbinit
    .vimrc .ssh/config .config/pnpm/rc .config/uv/uv.toml .direnvrc .config/direnv/direnvrc .rspec .curlrc .wgetrc
    .psqlrc .sqliterc .my.cnf""".split()
)
"""Files in the home folder that shells, interpreters and tools read when they start."""
LOADERS = frozenset(
    """PATH HOME SHELL ENV SHELLOPTS BASHOPTS IFS CDPATH FPATH ZDOTDIR PROMPT_COMMAND PS4 INPUTRC EDITOR VISUAL PAGER
    MANPAGER LESSOPEN LESSCLOSE BROWSER SUDO_ASKPASS SSH_ASKPASS VIRTUAL_ENV CONDA_PREFIX CLASSPATH _JAVA_OPTIONS
    JDK_JAVA_OPTIONS MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME SBT_OPTS CC CXX CPP LD AR AS CFLAGS CXXFLAGS
    CPPFLAGS LDFLAGS COMPILER_PATH GCC_EXEC_PREFIX LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH PKG_CONFIG
    PKG_CONFIG_PATH ACLOCAL_PATH M4PATH TCLLIBPATH KUBECONFIG OPENSSL_CONF OPENSSL_MODULES GCONV_PATH NLSPATH TERMINFO
    HOSTALIASES RES_OPTIONS TAR_OPTIONS GREP_OPTIONS RSYNC_RSH CVS_RSH RIPGREP_CONFIG_PATH PSQLRC PGSERVICEFILE
    MYSQL_HOME VIMINIT EXINIT GVIMINIT MYVIMRC R_HOME R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER ERL_LIBS
    ERL_FLAGS PHPRC PHP_INI_SCAN_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy""".split()
)
LOADER_BEGINNINGS = tuple(
    """BASH_ENV BASH_FUNC_ LD_ DYLD_ PYTHON PYTEST_ PIP_ UV_ POETRY_ PDM_ NODE_ NPM_ npm_config_ YARN_ PNPM_ BUN_ DENO_
    TS_NODE_ GIT_ HUSKY RUBY BUNDLE_ GEM_ RAKE PERL LUA_ GO CGO_ CARGO_ RUSTC RUSTFLAGS RUSTDOC RUSTUP_ MAKE GNUMAKE
    CMAKE_ DOCKER_ COMPOSE_ BUILDKIT_ BUILDX_ TF_ ANSIBLE_ HELM_ COMPOSER_ DOTNET_ CORECLR_ COR_ NIX_ PYENV_ RBENV_ NVM_
    PRE_COMMIT_ JAVA_ JULIA_ KOTLIN_ SCALA_ GUILE_ MALLOC_ GLIBC_ XDG_CONFIG XDG_DATA ELIXIR_ OPAM""".split()
)
"""Variables that make programs load other code, other settings, or other programs."""
TEST_NAMES = """test_*.* *_test.* *-test.* *.test.* test.* tests.* spec.* *_spec.* *.spec.* *.feature *Test.* *Tests.*
    *Spec.* *.cy.* *.e2e.* *.bats *.t conftest.py"""
TESTS = re.compile("|".join(map(translate, TEST_NAMES.split())))
"""Names by which programs that run tests find them."""
TEST_FOLDERS = ("test", "tests", "spec", "specs", "__tests__", "e2e", "cypress", "features")
RUNS_TESTS = re.compile(
    "test|spec|jest|mocha|^ava$|^tox$|^nox$|karma|cypress|behave|cucumber|^tap$|^bats$|coverage|^check$"
)
"""Found in a word of a command that runs tests."""
BY_CONVENTION = ("src/main.rs", "src/lib.rs", "app.py", "wsgi.py", "asgi.py", "main.py", "server.js", "index.js")
"""What tools start in a folder, besides what `ENTRY` names."""
TOKEN = re.compile(r"[^\s'\"`()<>|&;,=:\[\]{}#!\\$*?^]+")
LOADS = re.compile(
    r"^\s*(?:import|from|-?s?include|\w*require\w*|use|mod|source|load|exec|export|#\s*include|extends)\b"
    r"|(?:require|import|load|import_module|run_path|run_module|__import__|execfile)\s*\(|\bfrom\s*['\"]"
    r"|\"(?:main|module|bin|exports|extends|preset|plugins|entry)\"\s*:"
)
"""Lines on which languages and tools name other code, with or without its ending."""
NOT_FILES = ("/proc/", "/sys/", "/dev/fd/", "/dev/std", "/dev/tty", "/dev/null")
"""What begins so is made by the kernel: nothing there stays as it is, and reading may never end."""
TOO_MUCH = frozenset({"/", "/usr", "/etc", "/var", "/home", "/opt", "/lib", "/root", "/proc", "/sys", "/dev", "/run"})
"""Folders that nobody looks through."""
PACKAGES = frozenset({"node_modules", "site-packages", "dist-packages", ".venv", "venv"})


class CodeFiles:
    """Collects, for one call. `paths` are what was found; `whole` is false if there is more than can be looked at."""

    def __init__(self, case: Case, world: DiskWorld, env: Mapping[str, str]) -> None:
        self.paths: dict[str, None] = {}
        self.whole = True
        self._found: list[str] = []
        self._case, self._world, self._env = case, world, env
        self._names: dict[str, dict[str, list[str]]] = {}
        self._folders: dict[str, None] = {}
        self._repositories: dict[str, None] = {}
        self._written = _only_changed(case)
        self._bases = tuple(dict.fromkeys((case.call.cwd, *[cwd for call in case.calls for cwd in call.cwds])))

    def collect(self) -> None:
        """Everything a call names; where it runs a program, also what that starts from and what is named there."""
        case = self._case
        executes = bool(case.gaps) or any(effect.kind in STARTS for effect in case.effects)
        programs = executes and (bool(case.calls) or any(effect.kind != "call" for effect in case.effects))
        self._take_effects(executes=executes)
        for call in case.calls:
            self._take_call(call, executes=executes)
        if executes:
            for text in dict.fromkeys((case.text, *_texts(case.call.input))):
                self._take_text(text)
        if executes and any(gap.blind for gap in case.gaps) and any(map(_holds_unknown, case.calls)):
            for base in self._bases:
                self._take_path(base, deep=True)
        self._written = frozenset()  # what a script names may run there before it is written here
        if programs:
            self._take_entries()
            for effect in case.effects:
                self._take_definitions(effect)
            if any(RUNS_TESTS.search(word.value or "") for call in case.calls for word in call.words):
                self._take_tests()
        if programs or case.calls:
            self._take_loaders()
            self._take_git()
        if programs:
            self._follow()

    # --- what the call names ---------------------------------------------------------------------------------------

    def _take_effects(self, *, executes: bool) -> None:
        """Places that the analysis found, with the names that patterns stand for now."""
        for effect in self._case.effects:
            if isinstance(effect.at, Place) and (effect.kind != "list" or executes):
                sure = not effect.possible
                self._take_path(effect.at.path, deep=executes and (sure or effect.deep), sure=sure)

    def _take_call(self, call: Call, *, executes: bool) -> None:
        values = [value for _, value in call.assignments]
        targets = [one.target for one in call.redirects if one.target is not None]
        for word in (*call.words, *values, *targets):
            for name in self._spelled(word, call):
                for base in call.cwds or self._bases:
                    path = os.path.join(base, self._expand(name))
                    self._take_path(path, deep=executes, sure=name == word.value)
                    if executes:
                        self._take_named(name, base)

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
        if text.endswith("/..."):
            yield text[:-3]  # how go names everything below a folder
        if "=" in text:
            yield text.partition("=")[2]
        bare = text.lstrip("-@+")
        yield bare
        if text[:1] == "-" and text[1:2] != "-":
            yield text[2:].lstrip("=")
        yield from re.split(r"[:,;=@]|file://", text)

    def _take_text(self, text: str) -> None:
        """Names in a text that is or holds code, however they are quoted."""
        if len(text) > MOST_TEXT:
            self.whole = False
        for token in dict.fromkeys(TOKEN.findall(text[:MOST_TEXT])):
            for base in self._bases:
                self._take_named(token, base)
                for piece in token.split("@"):
                    self._take_path(os.path.join(base, self._expand(piece)), deep=True)

    def _take_named(self, name: str, base: str) -> None:
        """A name with what languages add to it, and as a program of the project."""
        for path in self._resolve(name, (base, *self._library_folders())):
            self._take_path(path, deep=False)
        if "/" not in name:
            for folder in TOOL_FOLDERS:
                self._take_path(os.path.join(base, folder, name), deep=False)

    def _take_path(self, path: str, *, deep: bool, sure: bool = False) -> None:
        """A file, and with `deep` all files below a folder; whatever else has the name is not executed.

        `sure` if it is named as a path: a stroke in a text may be anything.
        """
        path = "/" + os.path.normpath(path).lstrip("/") if "\0" not in path else ""
        if not path or path in self.paths or path in self._folders or path.startswith(NOT_FILES):
            return
        if path in self._written:
            return
        if os.path.isfile(path):
            self._add(path)
        elif deep and os.path.isdir(path):
            self._folders[path] = None
            if path not in TOO_MUCH:
                self._take_below(path)
            elif sure:
                self.whole = False

    def _add(self, path: str) -> None:
        if len(self.paths) >= MOST_FILES:
            self.whole = False
        else:
            self.paths[path] = None
            self._found.append(path)

    def _take_below(self, folder: str) -> None:
        self._repositories[folder] = None
        seen: set[str] = set()
        for here, folders, files in os.walk(folder, followlinks=True):
            real = os.path.realpath(here)
            folders[:] = [name for name in folders if name not in CACHES] if real not in seen else []
            seen.add(real)
            for name in files:
                if not name.endswith(DATA):
                    self._add(os.path.join(here, name))
            if not self.whole or len(seen) > MOST_FILES:
                self.whole = False
                return

    def _expand(self, name: str) -> str:
        if name == "~" or name.startswith("~/"):
            return self._world.home + name[1:]
        return name

    # --- what tools start from ---------------------------------------------------------------------------------------

    def _take_entries(self) -> None:
        for folder in self._above():
            for names in self._listing(folder).values():
                for name in names:
                    if ENTRY.fullmatch(name):
                        self._take_path(os.path.join(folder, name), deep=False)
            for name in BY_CONVENTION:
                self._take_path(os.path.join(folder, name), deep=False)
            for inner in ENTRY_FOLDERS:
                for names in self._listing(os.path.join(folder, inner)).values():
                    for name in names:
                        self._take_path(os.path.join(folder, inner, name), deep=False)
        for name in AT_HOME:
            self._take_path(os.path.join(self._world.home, name), deep=False)
        if any(effect.kind == "spawn" for effect in self._case.effects):
            for folder in (*self._above(), self._world.home):
                for inner in MANIFESTS:
                    self._take_path(os.path.join(folder, inner), deep=True)

    def _above(self) -> dict[str, None]:
        """The folders it runs in and those it names, each with the folders above it up to the project's own."""
        found: dict[str, None] = {}
        for start in (*self._bases, *self._folders):
            here = start
            while here not in found:
                found[here] = None
                if not any(here != root and here.startswith(root.rstrip("/") + "/") for root in self._case.projects):
                    break
                here = os.path.dirname(here)
        return found

    def _take_definitions(self, effect: Effect) -> None:
        """The files that are known to define a command of a project, wherever below it they lie."""
        files = (effect.arguments or {}).get("defined_by", ())
        for file in files if isinstance(files, tuple) else ():
            root, deep, only = str(file).rpartition("**/")
            if deep:
                wanted = re.compile(translate(only))
                self._take_all(os.path.join(self._case.call.cwd, root), wanted)
                continue
            for base in self._bases:
                names, whole = self._world.matching(str(file), base) if "*" in str(file) else ((str(file),), True)
                self.whole = self.whole and whole
                for name in names:
                    self._take_path(os.path.join(base, name), deep=False)

    def _take_tests(self) -> None:
        for base in self._bases:
            self._take_all(base, TESTS)
            for folder in TEST_FOLDERS:
                self._take_path(os.path.join(base, folder), deep=True)

    def _take_all(self, root: str, wanted: re.Pattern[str]) -> None:
        seen = 0
        for here, folders, files in os.walk(os.path.normpath(root)):
            folders[:] = [name for name in folders if name not in CACHES and name not in PACKAGES]
            seen += len(files) + 1
            for name in files:
                if wanted.fullmatch(name):
                    self._add(os.path.join(here, name))
            if seen > MOST_FILES:
                self.whole = False
                return

    def _take_loaders(self) -> None:
        for name, value in self._env.items():
            if name not in ("PATH", "HOME") and is_loader(name):
                for piece in re.split(r"[:\s=]", value):
                    if piece.startswith(("/", "./", "~", "../")):
                        self._take_path(os.path.join(self._bases[0], self._expand(piece)), deep=False)

    def _library_folders(self) -> tuple[str, ...]:
        names = ("PYTHONPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB", "LUA_PATH", "CLASSPATH")
        found = [piece for name in names for piece in self._env.get(name, "").split(os.pathsep) if piece]
        return tuple(os.path.join(self._bases[0], self._expand(piece)) for piece in found)

    # --- git ---------------------------------------------------------------------------------------------------------

    def _take_git(self) -> None:
        """What git would obey and start in the repositories that the call is about."""
        given = [self._env[name] for name in ("GIT_DIR", "GIT_COMMON_DIR") if self._env.get(name)]
        starts = (*self._bases, *self._repositories, *[os.path.join(self._bases[0], one) for one in given])
        for start in dict.fromkeys(starts):
            kept, top = _repository(start)
            if kept:
                self._take_configured(dict.fromkeys((kept, _common(kept))), top)

    def _take_configured(self, kept: Iterable[str], top: str) -> None:
        home, env = self._world.home, self._env
        config_home = env.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
        files = [os.path.join(one, name) for one in kept for name in ("config", "config.worktree", "info/attributes")]
        files += [os.path.join(home, ".gitconfig"), os.path.join(config_home, "git/config"), "/etc/gitconfig"]
        files += [env[name] for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM") if env.get(name)]
        hooks = [os.path.join(one, "hooks") for one in kept]
        for file in files:  # grows while it is read
            self._take_path(file, deep=False)
            for name, value in _settings(file):
                path = self._expand(value)
                if name.partition(".")[0] in ("include", "includeif") and len(files) < MOST_CONFIGS:
                    files.append(os.path.join(os.path.dirname(file), path))
                elif name == "core.hookspath":
                    hooks.append(os.path.join(top, path))
                for token in TOKEN.findall(value):
                    self._take_path(os.path.join(top, self._expand(token)), deep=False)
        for folder in hooks:
            for names in self._listing(folder).values():
                for name in names:
                    if not name.endswith(".sample"):
                        self._take_path(os.path.join(folder, name), deep=True)
        self._take_path(os.path.join(top, ".pre-commit-config.yaml"), deep=False)

    # --- what those files name -------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Files that are named in a file which may run, and so on: includes, imports, scripts of scripts.

        The nearest first, and not without end: a program that loads thousands of files of its own is known by those.
        """
        at_home = {os.path.join(self._world.home, name) for name in AT_HOME}
        for place, path in enumerate(self._found):  # grows while it is read
            if place >= MOST_FOLLOWED:
                return
            if not is_installed(path) and path not in at_home:
                self._take_mentioned(path)

    def _take_mentioned(self, path: str) -> None:
        folder = os.path.dirname(path)
        bases = tuple(
            dict.fromkeys((folder, os.path.dirname(os.path.realpath(path)), *self._bases, *self._library_folders()))
        )
        others: set[str] = set()
        for line in _text(path).split("\n"):
            tokens = TOKEN.findall(line)
            if LOADS.search(line):
                self._take_loaded(tokens, bases)
            else:
                others.update(tokens)
        for token in others:
            if "/" in token:
                self._take_code(self._resolve(token, bases))
            else:
                self._take_code(
                    os.path.join(base, token) for base in bases if token in self._listing(base).get(token, ())
                )

    def _take_loaded(self, tokens: list[str], bases: tuple[str, ...]) -> None:
        """A line that loads code by name: a folder on it may hold the names behind it."""
        for token in tokens:
            found = list(self._resolve(token, bases))
            self._take_code(found)
            bases += tuple(path for path in found if path not in bases and os.path.isdir(path))

    def _take_code(self, paths: Iterable[str]) -> None:
        for path in paths:
            if not path.endswith(DATA):
                self._take_path(path, deep=False)

    def _resolve(self, name: str, bases: tuple[str, ...]) -> Iterator[str]:
        """Files and folders a name may stand for, seen from some folders: as it is, with an ending, as a module."""
        if name[:1] == "~":
            name = self._expand(name)
        if name[:1] == "/" and os.path.lexists(name):
            yield name
            return
        name = name.strip("/")
        while name.startswith("./"):
            name = name[2:].lstrip("/")
        if not name or len(name) > 400 or (name.strip(".") == "" and name != ".."):
            yield from self._resolve_index(bases) if name in (".", "") else ()
            return
        for base in bases:
            yield from self._resolve_in(base, name)

    def _resolve_index(self, bases: tuple[str, ...]) -> Iterator[str]:
        for base in bases[:1]:
            yield from self._index(base)

    def _resolve_in(self, base: str, name: str) -> Iterator[str]:
        rest = name
        while rest.startswith("../"):
            base, rest = os.path.dirname(base), rest[3:]
        folder, slash, last = rest.rpartition("/")
        if slash and not self._is_there(base, folder.partition("/")[0]):
            return
        here = os.path.join(base, folder) if slash else base
        yield from self._stems(here, last)
        if not slash and "." in last.strip("."):
            yield from self._module(base, last.strip("."))

    def _stems(self, folder: str, last: str) -> Iterator[str]:
        """A name in a folder, with or without an ending; for a folder, itself and what stands for it."""
        listed = self._listing(folder)
        for name in listed.get(last, ()):
            path = os.path.join(folder, name)
            yield path
            if name == last and os.path.isdir(path):
                yield from self._index(path)
        head, dot, _ = last.rpartition(".")
        if dot and head:  # a file with two endings, or one that is compiled: `x.js` from `x.ts`
            for name in listed.get(head, ()):
                if name == last or name.rpartition(".")[0] == head:
                    yield os.path.join(folder, name)

    def _module(self, base: str, dotted: str) -> Iterator[str]:
        """A module and the packages around it: `pkg.sub.name`."""
        here = base
        for part in dotted.split("."):
            found = list(self._stems(here, part))
            if not found:
                return
            yield from found
            here = os.path.join(here, part)

    def _index(self, folder: str) -> Iterator[str]:
        for names in self._listing(folder).values():
            for name in names:
                if name in INDEX:
                    yield os.path.join(folder, name)

    def _is_there(self, base: str, name: str) -> bool:
        return name in ("..", ".") or name in self._listing(base)

    def _listing(self, folder: str) -> dict[str, list[str]]:
        """The names in a folder by themselves and by what they are called without an ending."""
        found = self._names.get(folder)
        if found is None:
            found = self._names[folder] = {}
            try:
                names = os.listdir(folder)
            except (OSError, ValueError):
                names = []
            if len(names) > MOST_FILES:
                self.whole = False
            for name in names[:MOST_FILES]:
                found.setdefault(name, []).append(name)
                head, dot, end = name.rpartition(".")
                if dot and head and f".{end}" in SUFFIXES:
                    found.setdefault(head, []).append(name)
        return found


MOST_CONFIGS = 50


def _holds_unknown(call: Call) -> bool:
    """Whether a word of it stands for something that only running the line tells, such as the name of a script."""
    return any(word.value is None and not word.pattern and word.why not in (PLAIN, NUMBER) for word in call.words)


def _only_changed(case: Case) -> frozenset[str]:
    """What is written or deleted and nothing else: that may change before, as a log does. Only where all is known."""
    places = [(e.at.path, e.kind in CHANGES) for e in case.effects if isinstance(e.at, Place)]
    used = {path for path, changed in places if not changed}
    return frozenset(path for path, _ in places if path not in used) if not case.gaps else frozenset()


def is_loader(name: str) -> bool:
    """Whether a variable decides which code a program loads."""
    return name in LOADERS or name.startswith(LOADER_BEGINNINGS)


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


def is_installed(path: str) -> bool:
    """Installed packages name far too much; they count by themselves, not by what they mention."""
    return not PACKAGES.isdisjoint(path.split("/")) or path.startswith(("/usr/", "/lib/", "/bin/", "/sbin/"))


def _text(path: str) -> str:
    try:
        with open(path, "rb") as source:
            data = source.read(MOST_TEXT)
    except OSError:
        return ""
    return "" if b"\0" in data[:1000] else data.decode("utf-8", "replace")


def _settings(file: str) -> Iterator[tuple[str, str]]:
    try:
        for name, value in settings(_text(file)):
            if value:
                yield name, value
    except NotUnderstoodError:
        return


def _repository(folder: str) -> tuple[str, str]:
    """The folder that holds a repository's own files, and the top of its working tree."""
    here = folder
    while True:
        kept = os.path.join(here, ".git")
        if os.path.isdir(kept):
            return kept, here
        if os.path.isfile(kept):
            leads = _text(kept).partition("gitdir:")[2].strip()
            return (os.path.normpath(os.path.join(here, leads)), here) if leads else ("", "")
        if os.path.isfile(os.path.join(here, "HEAD")) and os.path.isdir(os.path.join(here, "objects")):
            return here, os.path.dirname(here) if os.path.basename(here) == ".git" else here
        if os.path.dirname(here) == here:
            return "", ""
        here = os.path.dirname(here)


def _common(kept: str) -> str:
    leads = _text(os.path.join(kept, "commondir")).strip()
    return os.path.normpath(os.path.join(kept, leads)) if leads else kept
