"""A command of the project stays granted only while its files do: whatever file an option names is among them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from unittest.mock import patch

import pytest

from assent.commands.args import Args
from assent.commands.facts import facts_of
from assent.commands.program import Option, options_of
from assent.commands.projects import NAMES_A_FILE
from assent.commands.table import FAMILIES
from assent.shell.calls import calls_of
from assent.testing import FrozenWorld
from assent.types import Effect, Gap, Word
from decided import PROJECT, case_of, decided, policy_of

WORKSPACE = policy_of(preset="workspace")
HERE, GIVEN = "/p", "given_one"
LIKE_FILES = frozenset(
    """config conf rcfile file root rootdir basedir dir directory cwd prefix path modfile taskfile justfile
    makefile rakefile buildfile gemfile configfile preload setup plugin plugins""".split()
)
"""Words in the names of options whose values are files or folders, whatever role they have."""
NO_DEFINITION = {
    "a kind of build": "cmake --config | ctest -C",
    "another way to call it": "cmake --install | cmake -S",
    "a setting, no file": "cypress run -c | swc -C | clang-tidy --config | prettier --config-precedence"
    " | deno --node-modules-dir | deno task --node-modules-dir | pulumi destroy -c | pulumi down -c | pulumi preview -c"
    " | pulumi up -c"
    " | bun build --public-path | esbuild --public-path"
    " | pip install -C | pyproject-build -C | uv add -C | uv lock -C | uv pip compile -C"
    " | uv sync -C | flake8 --per-file-ignores | pytest --log-file-level | py.test --log-file-level"
    " | pip install --root-user-action | cargo tree --prefix | rustfmt --config | pytest --junit-prefix"
    " | py.test --junit-prefix | rustfmt --config-path",
    "a certificate": "pip --cert | pip --client-cert | pip install --cert | pip install --client-cert",
    "where results go": "meson setup --prefix | meson test --prefix | bun build --root | vue-tsc --rootDir"
    " | bundle --path | bundle install --path | bundle list --path",
    "which files are looked at": "biome check --stdin-file-path | eslint --print-config | prettier --file-info"
    " | prettier --find-config-path | jest --testPathIgnorePatterns | jest --testPathPattern | buf generate --path"
    " | buf lint --path | buf lint --exclude-path | make -W | make -o | gmake -W | gmake -o"
    " | terraform validate -test-directory | tofu validate -test-directory",
}
"""Options that look as if they named a file that says what runs, and why they do not."""
EXCEPT = frozenset(one for options in NO_DEFINITION.values() for one in options.split(" | "))


def project_runs(command: str) -> tuple[list[Effect], bool]:
    """What a command runs of the project, and whether a grant for that would do."""
    found = calls_of(command, HERE)
    effects, gaps = facts_of(found.calls, HERE)
    runs = [effect for effect in effects if effect.kind == "run"]
    projects = [effect for effect in runs if effect.code == "project"]
    return projects, bool(projects) and len(projects) == len(runs) and not gaps and not found.gaps


def tables_of(command: str) -> list[tuple[Args, int]]:
    """The tables by which the words of a command were read, and where the words of each begin."""
    read: list[tuple[Args, int]] = []
    take = Args.take

    def seen(args: Args, words: tuple[Word, ...]) -> list[Effect | Gap]:
        read.append((args, len(args.call.words) - len(words)))
        return take(args, words)

    with patch.object(Args, "take", seen):
        project_runs(command)
    return read


def invocations(command: str) -> Iterator[tuple[str, str, str]]:
    """The command with each option that names a file: the name of the table, the option, and the command."""
    if calls_of(command, HERE).gaps or len(calls_of(command, HERE).calls) != 1:
        return
    words = shlex.split(command)
    for args, at in tables_of(command):
        table = options_of(args.program.options)
        for option in dict.fromkeys(table.values()):
            spellings = [name for name, other in table.items() if other == option]
            if option.takes and not args.has(option.name) and is_about_files(option, spellings):
                value = [f"{option.name}={GIVEN}"] if option.takes == "[=]" else [option.name, GIVEN]
                yield args.name, option.name, shlex.join([*words[:at], *value, *words[at:]])


def is_about_files(option: Option, spellings: list[str]) -> bool:
    if option.role in NAMES_A_FILE:
        return True
    return option.role == "text" and any(LIKE_FILES & set(pieces(name)) for name in spellings)


def pieces(spelling: str) -> list[str]:
    """`--rootDir`, `--root-dir` and `--root.dir` in words."""
    return re.sub(r"[A-Z]+", lambda found: f"-{found[0]}", spelling).lower().replace(".", "-").split("-")


def family_examples(family: str) -> dict[str, str]:
    examples: dict[str, str] = import_module(f"assent.commands.{family}").EXAMPLES
    return examples


def defining(effect: Effect) -> tuple[str, ...]:
    files = (effect.arguments or {})["defined_by"]
    assert isinstance(files, tuple)
    return files


def forgotten(command: str) -> Iterator[str]:
    for name, option, changed in invocations(command):
        projects, is_enough = project_runs(changed)
        files = [file for effect in projects for file in defining(effect)]
        if is_enough and not any(GIVEN in file for file in files) and f"{name} {option}" not in EXCEPT:
            yield f"{name} {option}"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_file_that_an_option_names_defines_the_command(family: str) -> None:
    commands = [command for command in family_examples(family) if project_runs(command)[0]]
    assert sorted({one for command in commands for one in forgotten(command)}) == []


def mark(command: str, files: dict[str, str]) -> object:
    case, _ = case_of(command, WORKSPACE, FrozenWorld(files))
    runs = [effect for effect in case.effects if effect.kind == "run" and not effect.possible]
    marks = [(effect.arguments or {}).get("fingerprint") for effect in runs]
    return None if None in marks else tuple(marks)


CHANGED = """
make test: Makefile sub/Makefile rules/common.mk
make -f b.mk: b.mk
make -C sub all: sub/Makefile sub/deep/x.mk
make -I inc: inc/x
just -f b.just: b.just
just build: justfile sub/x.just
task -t b.yml: b.yml
task build: taskfile.yml Taskfile.dist.yml sub/Taskfile.yml
rake -f b.rb: b.rb
rake db: Rakefile rakelib/x.rake lib/tasks/x.rake
ant -f b.xml: b.xml
ninja -f b.ninja: b.ninja rules.ninja
meson test -C out: out/build.ninja out/meson-private/x.dat meson.build src/meson.build
mvn test: pom.xml web/pom.xml .mvn/jvm.config
mvn -f web/pom.xml test: web/pom.xml pom.xml web/deep/pom.xml
mvn -f web test: web/pom.xml
gradle test: build.gradle web/build.gradle.kts buildSrc/src/A.kt gradle/libs.versions.toml
bazel test //...: BUILD.bazel a/BUILD a/b/BUILD.bazel rules/x.bzl
sbt test: build.sbt project/Build.scala project/build.properties
npm test: package.json .npmrc
npm run build: package.json .npmrc
pnpm test: package.json pnpm-workspace.yaml
bun run build: package.json bunfig.toml
deno task x: deno.json deno.jsonc package.json
deno task --config b.json x: b.json
node --run test: package.json
jest: jest.config.json babel.config.js .babelrc.cjs web/jest.config.mjs
jest --rootDir=web: web/jest.config.js jest.config.js
mocha: .mocharc.cjs .mocharc.yaml
mocha --config a.json: a.json
mocha -R ./report.js: report.js
eslint -f ./format.js .: format.js
vitest: vitest.config.mjs vite.config.mts vitest.workspace.ts
webpack: webpack.config.mjs
vite build web: web/vite.config.mjs vite.config.cjs
next build web: web/next.config.mjs
rollup -c: rollup.config.cjs
rollup -c a.mjs: a.mjs
playwright test: playwright.config.mjs
cypress run: cypress.config.mjs cypress/support/e2e.js
eslint .: eslint.config.cjs src/.eslintrc.js .eslintrc.yml
prettier --check .: .prettierrc.mjs src/prettier.config.js
stylelint a.css: stylelint.config.mjs
swift test: Package.swift Plugins/x/a.swift
clang-tidy -p out a.c: out/compile_commands.json .clang-tidy
nim c src/a.nim: src/a.nim src/a.nims src/nim.cfg config.nims
buf lint web: web/buf.yaml
pytest: conftest.py tests/conftest.py .pytest.ini pytest.toml
pytest tests/test_app.py: tests/conftest.py conftest.py tests/test_app.py
pytest tests: tests/conftest.py tests/deep/conftest.py
pytest -c b.ini: b.ini
python -m pytest: tests/conftest.py
cargo test: Cargo.toml web/Cargo.toml build.rs web/build.rs .cargo/config
cargo test --manifest-path web/Cargo.toml: web/Cargo.toml
go test -modfile=b.mod ./...: b.mod
go generate: src/a.go
dotnet test: web/a.csproj Directory.Packages.props
msbuild x.proj: x.proj
rspec: spec/rails_helper.rb spec/spec_helper.rb
rubocop -c b.yml: b.yml src/.rubocop.yml
phpunit -c b.xml: b.xml
phpunit: phpunit.dist.xml
mix test: mix.exs test/test_helper.exs config/test.exs
mix run x.exs: x.exs
"""


@pytest.mark.parametrize(
    ("command", "file"),
    [
        (command, file)
        for row in CHANGED.strip().split("\n")
        for command, files in [row.rsplit(": ", 1)]
        for file in files.split()
    ],
)
def test_a_changed_file_ends_what_was_granted_for_it(command: str, file: str) -> None:
    before = {f"{PROJECT}/{name}": "x" for name in (file, "package.json", "a.c", "a.css")}
    marked = mark(command, before)
    assert marked is not None
    assert mark(command, before) == marked
    assert mark(command, {**before, f"{PROJECT}/{file}": "y"}) != marked


@pytest.mark.parametrize(
    "command",
    [
        *("npm test -w web", "npm --workspace=web run test", "npm test --workspaces", "pnpm -r test"),
        *("pnpm --filter web test", "yarn workspace web test", "turbo run build", "lerna run test", "nx test"),
        *("deno task --recursive x", "swift test --package-path web", "cdk synth --app x", "ansible all --list-hosts"),
    ],
)
def test_what_other_packages_say_is_asked_every_time(command: str) -> None:
    files = ("package.json", "deno.json", "turbo.json", "nx.json", "lerna.json", "Package.swift", "cdk.json")
    assert mark(command, {f"{PROJECT}/{name}": "x" for name in (*files, "ansible.cfg")}) is None


@pytest.mark.parametrize(
    ("command", "file", "text", "known"),
    [
        ("make", "Makefile", "include rules.mk\n", True),
        ("make", "Makefile", "-include $(wildcard *.inc)\n", False),
        ("make", "Makefile", "$(eval include x)\n", False),
        ("make", "Makefile", "CFLAGS = -Iinclude\n# include nothing\n", True),
        ("just build", "justfile", "import 'a.just'\n", True),
        ("just build", "justfile", "import 'a'\n", False),
        ("task build", "Taskfile.yml", "includes:\n  a: ./a\n", False),
        ("ant", "build.xml", '<project><import file="a"/></project>', False),
    ],
)
def test_a_file_that_brings_in_an_unknown_one_is_asked_every_time(
    command: str, file: str, text: str, known: bool
) -> None:
    files = {f"{PROJECT}/{file}": text, f"{PROJECT}/rules.mk": "", f"{PROJECT}/a.just": ""}
    assert (mark(command, files) is not None) is known


def test_what_lies_elsewhere_in_the_project_counts_from_a_folder_too() -> None:
    files = {f"{PROJECT}/{name}": "x" for name in ("Rakefile", "rakelib/a.rake", "src/a.txt")}
    before = mark("cd src && rake x", files)
    assert before is not None
    assert mark("cd src && rake x", {**files, f"{PROJECT}/rakelib/a.rake": "y"}) != before


@pytest.mark.parametrize("program", ["jest", "webpack", "turbo", "nx", "lerna"])
@pytest.mark.parametrize("option", ["--version", "-v", "--help"])
def test_a_tool_hands_over_to_the_copy_of_the_project_even_to_tell_its_version(program: str, option: str) -> None:
    files = {f"{PROJECT}/package.json": "{}"}
    copy = {f"{PROJECT}/node_modules/{program}/package.json": "{}"}
    assert decided(f"{program} {option}", policy_of(), FrozenWorld(files)).allowed
    assert not decided(f"{program} {option}", policy_of(), FrozenWorld(files | copy)).allowed
    assert not decided(f"cd src && {program} {option}", policy_of(), FrozenWorld(files | copy)).allowed
