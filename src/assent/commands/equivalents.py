"""Commands that are one and the same, said in several ways: phrases that stand for each other.

For finding danger only. Both directions of every pair are tried, so that it does not matter which a rule spells.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Said = tuple[str, ...]
    Ways = Iterator[tuple[Said, int]]

SAME_PROGRAMS = tuple(
    names.split()
    for names in (
        "make gmake",
        "sed gsed",
        "tar gtar bsdtar",
        "grep ggrep",
        "awk gawk mawk nawk",
        "python python3",
        "pip pip3",
        "node nodejs",
        "fd fdfind",
        "bat batcat",
        "sqlite sqlite3",
        "gpg gpg2",
        "bundle bundler",
        "pytest py.test",
        "bazel bazelisk",
        "pwsh powershell",
        "nc netcat ncat",
        "7z 7za 7zr 7zz",
        "fly flyctl",
        "gradle gradlew",
        "mvn mvnw",
        "git hub",
        "mysql mariadb",
        "mysqldump mariadb-dump",
        "docker podman nerdctl",
        "docker-compose podman-compose",
        "terraform tofu",
        "kubectl k oc kubecolor",
        "apt apt-get aptitude",
        "dnf yum dnf5 microdnf",
        "conda mamba micromamba",
        "vi vim",
        "pre-commit pre_commit",
        "pyinstaller PyInstaller",
        "ipython IPython",
        "ssh slogin",
    )
)
"""Names of one program, and of programs that are made to stand in for each other."""
EQUAL = """
npx = npm exec
pnpx = pnpm dlx
bunx = bun x
uvx = uv tool run
docker-compose = docker compose
podman-compose = podman compose
docker build = docker buildx build = docker builder build = docker buildx b
podman play kube = podman kube play
npm test = npm run test
npm start = npm run start
npm stop = npm run stop
npm restart = npm run restart
npm set = npm config set
npm get = npm config get
git stash push = git stash save
rustup install = rustup toolchain install
rustup uninstall = rustup toolchain uninstall
reboot = systemctl reboot
poweroff = systemctl poweroff
halt = systemctl halt
gh co = gh pr checkout
pip ~ uv pip
"""
"""Phrases, each a program and words that choose what it does. Behind `~`, only a rule that spells the whole phrase is
about it: who denies `uv` does not deny `pip`."""
INCLUDED = """
npm install-test > npm install
npm install-test > npm test
npm install-ci-test > npm ci
npm install-ci-test > npm test
pnpm install-test > pnpm install
pnpm install-test > pnpm test
npm restart > npm stop
npm restart > npm start
yarn workspace * > yarn
yarn workspaces > yarn
yarn workspaces foreach > yarn
yarn global > yarn
pnpm recursive > pnpm
pnpm multi > pnpm
pnpm m > pnpm
corepack yarn > yarn
corepack pnpm > pnpm
corepack npm > npm
corepack npx > npx
k3s kubectl > kubectl
microk8s kubectl > kubectl
minikube kubectl > kubectl
brew cask > brew
egrep > grep -E
fgrep > grep -F
rgrep > grep -r
gunzip > gzip -d
zcat > gzip -d -c
bunzip2 > bzip2 -d
unxz > xz -d
unzstd > zstd -d
"""
"""What else a command does, which is not all of it or not the other way round; `*` is any word."""
BY_ITSELF = {
    "yarn": "install",
    "bundle": "install",
    "bundler": "install",
    "git stash": "push",
    "git submodule": "status",
    "git notes": "list",
    "git reflog": "show",
    "pre-commit": "run",
    "tox": "run",
    "vitest": "watch",
}
"""What a command does that names no subcommand."""
ONLY_SHOWS = frozenset(("-h", "--help", "-v", "-V", "--version"))
STAGES = frozenset(("test", "start", "stop", "restart"))
RUNS_SCRIPTS = {
    "yarn": frozenset(
        """add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry
        global help import info init install licenses link list login logout node npm outdated owner pack patch plugin
        policies publish rebuild remove run search self-update set stage tag team unlink unplug up upgrade
        upgrade-interactive version versions why workspace workspaces""".split()
    ),
    "pnpm": frozenset(
        """add approve-builds audit bin c cat-file cat-index config create dedupe deploy dlx doctor env exec fetch
        find-hash help i import init install install-test it licenses link list ln ls m multi outdated pack patch
        patch-commit patch-remove prune publish rb rebuild recursive remove rm root run run-script self-update server
        setup store t un uninstall unlink up update upgrade why""".split()
    ),
    "bun": frozenset(
        """a add audit build c create exec help i info init install link outdated patch patch-commit pm publish remove
        repl rm run test unlink update upgrade why x""".split()
    ),
    "deno": frozenset(
        """add approve-scripts audit bench bundle cache check clean compile completions coverage deploy doc eval fmt
        help info init install jupyter lint lsp outdated publish remove repl run serve task test types uninstall update
        upgrade vendor""".split()
    ),
    "composer": frozenset(
        """about archive audit browse bump check-platform-reqs clear-cache completion config create-project depends
        diagnose dump-autoload dumpautoload exec fund global help home i info init install licenses list outdated
        prohibits r reinstall remove require rm run run-script search self-update selfupdate show status suggests u
        uninstall update upgrade validate why why-not""".split()
    ),
}
"""Programs that run the script a word names where it is none of their own subcommands."""
MODULES = frozenset(
    """alembic autopep8 bandit black build celery coverage cython django dvc flake8 flask gunicorn hatch hypercorn
    invoke ipython IPython isort jupyter locust mkdocs mypy nox notebook pdm pip pip3 pipenv pipx poetry pre_commit
    PyInstaller pylint pyright pytest ruff scrapy sphinx streamlit tox twine uv uvicorn virtualenv yapf""".split()
)
"""Programs that are also started as `python -m NAME`."""
PYTHONS = ("python", "python3")
SERVICES = frozenset("start stop restart reload status try-restart force-reload".split())


def _read_phrases() -> Iterator[tuple[Said, Said, int]]:
    """Every phrase with each that stands for it, and how many words of that a rule has to spell."""
    for line in EQUAL.strip().splitlines():
        loose = [tuple(phrase.split()) for phrase in line.replace("~", "=").split("=")]
        for phrase in loose:
            for other in loose:
                if other != phrase:
                    yield phrase, other, len(other) if "~" in line and len(other) > 1 else 0
    for line in INCLUDED.strip().splitlines():
        whole, _, part = line.partition(" > ")
        yield tuple(whole.split()), tuple(part.split()), 0


PHRASES: dict[str, list[tuple[Said, Said, int]]] = {}
RELATED: dict[str, set[str]] = {**{name: set(PYTHONS) for name in MODULES}, "service": {"systemctl"}}
"""Other programs that a command of one may stand for."""
for _phrase, _other, _least in _read_phrases():
    PHRASES.setdefault(_phrase[0], []).append((_phrase, _other, _least))
    if _other[0] != _phrase[0]:
        RELATED.setdefault(_phrase[0], set()).add(_other[0])
RELATED.setdefault("systemctl", set()).add("service")
SAME = {name: names for names in SAME_PROGRAMS for name in names}


def equivalents(words: Said, places: list[int]) -> Ways:
    """The same command by other phrases, each with how many words a rule has to spell to be about it.

    `places` says where the words stand that are no options and no values of any.
    """
    operands = [words[at] for at in places]
    for phrase, other, least in PHRASES.get(words[0], ()):
        count = len(phrase) - 1
        if len(operands) >= count and all(map(_is_meant, phrase[1:], operands)):
            yield _said_as(words, places[:count], other), least
    if words[0] in MODULES:
        yield from (((name, "-m", *words), 3) for name in PYTHONS)
    if words[0] in RUNS_SCRIPTS:
        yield from _by_script(words, places, RUNS_SCRIPTS[words[0]])
    yield from _by_default(words, places)
    yield from _by_service(words, operands)


def _is_meant(want: str, operand: str) -> bool:
    return want in ("*", operand)


def _said_as(words: Said, places: list[int], other: Said) -> Said:
    """The words with some replaced: the program, and those that chose what it does."""
    first = places[0] if places else 1
    rest = [words[at] for at in range(first, len(words)) if at not in places]
    return other[0], *words[1:first], *other[1:], *rest


def _by_script(words: Said, places: list[int], own: frozenset[str]) -> Ways:
    """`yarn deploy` is `yarn run deploy`."""
    if not places:
        return
    first = words[places[0]]
    if first in ("run", "run-script") and len(places) > 1 and _is_script(words[0], words[places[1]], own):
        yield _said_as(words, places[:1], words[:1]), 0
    elif _is_script(words[0], first, own):
        yield (*words[: places[0]], "run", *words[places[0] :]), 0


def _is_script(program: str, word: str, own: frozenset[str]) -> bool:
    return word not in own or (word in STAGES and program != "bun")


def _by_default(words: Said, places: list[int]) -> Ways:
    """`yarn` is `yarn install`, whatever options it has."""
    if not ONLY_SHOWS.isdisjoint(words):
        return
    operands = [words[at] for at in places]
    for count in range(min(len(places), 1) + 1):
        usual = BY_ITSELF.get(" ".join([words[0], *operands[:count]]), "")
        last = places[count - 1] if count else 0
        if usual and len(operands) == count:
            yield (*words[: last + 1], usual, *words[last + 1 :]), 0
        elif usual and len(operands) > count and operands[count] == usual:
            yield (*words[: places[count]], *words[places[count] + 1 :]), 0


def _by_service(words: Said, operands: list[str]) -> Ways:
    """`service nginx stop` is `systemctl stop nginx`."""
    if words[0] == "service" and len(operands) > 1 and operands[1] in SERVICES:
        yield ("systemctl", operands[1], operands[0]), 0
    elif words[0] == "systemctl" and len(operands) > 1 and operands[0] in SERVICES:
        yield from ((("service", name.removesuffix(".service"), operands[0]), 0) for name in operands[1:])
