"""Files of the project that programs obey whatever they are asked, often even for `--version`; no programs.

A call that only looks may so run code of the project, or reach a machine that the project names.
"""

from __future__ import annotations

from assent.commands.said import if_said
from assent.record import record
from assent.types import Effect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

ASKED_ABOUT = frozenset(("run", "reach", "send", "change"))
"""Kinds of effects that are asked about for themselves; the files that define them are known with them."""


@record
class Loaded:
    """What a program does once one of its files is there and says one of the words; any file does, if there is none."""

    target: str
    files: tuple[str, ...]
    words: tuple[str, ...] = ("",)
    unless: tuple[str, ...] = ()
    reaches: bool = False
    free: tuple[str, ...] = ()
    """Calls with nothing but one of these words do not look at the files."""


ITSELF = ("--version", "--help", "-v", "-h")
TOOLCHAINS = ("rust-toolchain.toml", "rust-toolchain")
RUST = (
    Loaded("the toolchain of the project", TOOLCHAINS, ("path", "/", "\\")),
    Loaded("https://static.rust-lang.org/", TOOLCHAINS, reaches=True),
)
"""rustup starts the tool that the project names, which may lie there, and fetches one that is not installed."""
ANSIBLE = (
    Loaded("what ansible.cfg names", ("ansible.cfg",), ("cowpath", "cow_path", "_plugins", "library", "module_utils")),
)
COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml")
COMPOSE = (
    Loaded(
        "the files that compose includes",
        COMPOSE_FILES,
        ("oci://", "git@", "include:-http", "-github.com/", "path:http", "-git://", "path:git", "\\u", "\\x"),
        reaches=True,
    ),
)
LOADED: dict[str, tuple[Loaded, ...]] = {
    "npm": (
        Loaded(
            "the registry or proxy that .npmrc names",
            (".npmrc",),
            ("^registry", "^proxy", "^https-proxy", "^http-proxy", "^https_proxy", "^http_proxy"),
            ("registry=https://registry.npmjs.org/", "registry=https://registry.npmjs.org"),
            reaches=True,
            free=ITSELF,
        ),
    ),
    **dict.fromkeys(("cargo", "rustc", "rustfmt", "rustup"), RUST),
    "go": (Loaded("the toolchain of go.mod", ("go.mod", "go.sum", "go.work"), ("toolchain ",)),),
    "mocha": (Loaded("the settings of mocha", (".mocharc.js", ".mocharc.cjs", ".mocharc.mjs")),),
    "jekyll": (Loaded("the plug-ins of the site", ("Gemfile",)),),
    "mix": (Loaded("mix.exs", ("mix.exs",), free=("--version", "-v")),),
    "rebar3": (Loaded("rebar.config.script", ("rebar.config.script",)),),
    "pyre": (
        Loaded(
            "the binary of .pyre_configuration", (".pyre_configuration", ".pyre_configuration.local"), ("binary", "\\u")
        ),
    ),
    **dict.fromkeys("ansible ansible-playbook ansible-vault ansible-doc ansible-lint".split(), ANSIBLE),
    "dotnet": (Loaded("the SDK that global.json names", ("global.json",), ("paths:", "\\u")),),
    "gradlew": (Loaded("the release of gradle", ("gradle/wrapper/gradle-wrapper.properties",), reaches=True),),
    "prisma": (
        Loaded("the settings of prisma", tuple(f"prisma.config.{end}" for end in ("ts", "js", "mjs", "cjs", "mts"))),
    ),
    **dict.fromkeys(("sequelize", "sequelize-cli"), (Loaded("the settings of sequelize", (".sequelizerc",)),)),
    "uv": (
        Loaded(
            "where uv.toml says that Python comes from",
            ("uv.toml", "pyproject.toml"),
            ("python-downloads-json-url", "python-install-mirror", "pypy-install-mirror", "\\u"),
            reaches=True,
            free=ITSELF,
        ),
    ),
    "docker-compose": COMPOSE,
    "docker compose": COMPOSE,
    "podman compose": COMPOSE,
    "nerdctl compose": COMPOSE,
}


def loaded(args: Args, found: Iterable[Fact]) -> Iterator[Fact]:
    """What a call does because of files of the project, unless it is asked about anyway."""
    words = args.call.words
    only = words[1].value if len(words) == 2 else None
    if any(isinstance(fact, Effect) and not fact.possible and fact.kind in ASKED_ABOUT for fact in found):
        return
    for one in LOADED[args.name]:
        if only not in one.free or only is None:
            kind: Kind = "reach" if one.reaches else "run"
            stated = args.reach(one.target) if "://" in one.target else [args.effect(kind, one.target)]
            yield from if_said(args, stated, one.files, *one.words, unless=one.unless)
