"""Settings and logins are files: whoever changes or prints them says which, so that the floor and the tiers see it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

import pytest

from assent import protected
from assent.commands.config_files import MOVED_BY
from assent.commands.facts import facts_of
from assent.commands.program import Program, options_of
from assent.commands.table import FAMILIES
from assent.commands.verbs import Service
from assent.shell.calls import calls_of
from assent.types import Effect, Verdict
from commands.rendered import FOLDER, HOME, rendered
from decided import decided, policy_of

ON_DISK = frozenset({"read", "list", "search", "write", "delete"})
DEPTH = 4
NO_FILES = {
    "the code of packages, which is asked about as that": "pkg.install pkg.remove pkg.publish pkg.cache pkg.lists",
    "what a daemon keeps, or a server that it starts": (
        "docker.* service.start service.stop service.restart service.reload service.isolate service.wipe service.change"
        " process.* vm.* model.* net.listen network.* terminal.* session.change clipboard.copy"
    ),
    "what the kernel keeps": (
        "system.halt.* system.kernel system.module system.swap system.mount system.cache system.log system.log.wipe"
        " system.clock system.hostname system.logins disk.* device.* privilege"
    ),
    "another machine": "cloud.change cloud.destroy cloud.forward db.* remote.* github.* mlflow.*",
    "the repository, below .git": "git.* hg.* jj.* svn.*",
    "this shell and no other": "shell.* history.wipe",
    "data of the project, which no table names": "dvc.change dvc.destroy system.change files.wipe",
    "Assent's own": "assent.settings sandbox.off",
}
"""Changes that are kept in no file of settings, by their codes, with the reason why."""
ALWAYS_FILES = frozenset(
    """git.config git.hooks hg.config jj.config shell.startup process.startup process.settings pkg.settings pkg.login
    pkg.source cloud.login settings.change agent.settings trust.change schedule.add schedule.remove schedule.wipe
    pkg.environment account.add account.change account.password account.remove.destroy github.auth forge.auth
    dotfiles.change dotfiles.destroy dvc.settings secrets.change secrets.destroy keys.change keys.destroy
    service.enable service.disable system.locale system.defaults system.libraries""".split()
)
"""Codes for which no reason above is good enough."""
ELSEWHERE = {
    "ssh-add": "the agent keeps keys in its memory",
    "ssh-keygen": "a name of a file that is missing is asked for",
}
"""Calls with such a code that write no file all the same, by how they begin."""


def spared(code: str) -> bool:
    codes = [one for codes in NO_FILES.values() for one in codes.split()]
    return code not in ALWAYS_FILES and any(
        code == one or (one.endswith("*") and code.startswith(one[:-1])) for one in codes
    )


def spelled_out(name: str, program: Program, depth: int = DEPTH) -> Iterator[str]:
    """A program with each of its subcommands and options, with and without words behind them."""
    yield from (name, f"{name} x", f"{name} x y")
    for option in dict.fromkeys(options_of(program.options).values()):
        if option.name.startswith("-") and option.name != "-#":
            value = "=x" if option.name.startswith("--") and option.takes else " x" if option.takes else ""
            yield f"{name} {option.name}{value}"
            yield f"{name} {option.name}{value} x y"
    for word, inner in dict(program.commands).items() if depth else ():
        yield from spelled_out(f"{name} {word}", inner, depth - 1)


def services(module: object) -> Iterator[tuple[str, Service]]:
    for found in vars(module).values():
        if isinstance(found, Service):
            yield "", found
        elif isinstance(found, dict):
            yield from ((name, one) for name, one in found.items() if isinstance(one, Service))


@cache
def commands(family: str) -> tuple[str, ...]:
    module = import_module(f"assent.commands.{family}")
    found = [*module.EXAMPLES]
    for name, program in module.PROGRAMS.items():
        found += spelled_out(name, program)
        for _, service in services(module):
            found += [f"{name} {path} x" for path in (*service.settings, *service.secrets, *service.kept) if path]
    return tuple(dict.fromkeys(found))


def effects_of(command: str) -> list[Effect]:
    return facts_of(calls_of(command, FOLDER, HOME).calls, FOLDER)[0]


def labels(command: str) -> Iterator[str]:
    """Changes of a command that name no file, and are none of those that have none."""
    effects = effects_of(command)
    if any(effect.kind in ON_DISK and effect.code != "redirect" for effect in effects):
        return
    if command.startswith(tuple(ELSEWHERE)):
        return
    for effect in effects:
        if effect.kind == "change" and not effect.possible and not spared(effect.code):
            yield f"{command}: {effect.target} #{effect.code}"


@pytest.mark.parametrize("family", FAMILIES)
def test_a_change_of_settings_names_the_file(family: str) -> None:
    assert [label for command in commands(family) for label in labels(command)] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_a_file_of_settings_is_seen_by_a_tier(family: str) -> None:
    """The floor, the secret tier or the run-later tier: or nobody would be asked in full_auto."""
    unseen = {
        effect.target
        for command in commands(family)
        for effect in effects_of(command)
        if effect.target.startswith("~/") and effect.kind in ("write", "delete") and not _is_seen(effect.target)
    }
    assert unseen == set()


def _is_seen(path: str) -> bool:
    at_home = f"{HOME}{path[1:]}"
    return protected.on_the_floor(at_home) or protected.is_secret(at_home) or protected.is_started(at_home, HOME)


def test_no_code_is_on_both_lists() -> None:
    assert [code for code in ALWAYS_FILES if spared(code)] == []


def test_the_rule_bites() -> None:
    """A table that only says `settings` is found."""
    assert not spared("cloud.login")
    assert spared("docker.run")
    assert spelled_out("x", Program("-a,--all --to=")) is not None
    assert [*spelled_out("x", Program("-a,--all"))] == ["x", "x x", "x x y", "x -a", "x -a x y"]


# --- where they lie ------------------------------------------------------------------------------------------------

MOVED = [
    ("KUBECONFIG", "kubectl config use-context x", "/k", "~/.kube/config"),
    ("AWS_CONFIG_FILE", "aws configure set a b", "/k", "~/.aws/config"),
    ("AWS_SHARED_CREDENTIALS_FILE", "aws configure set a b", "/k", "~/.aws/credentials"),
    ("GNUPGHOME", "gpg --import", "/k", "~/.gnupg"),
    ("CARGO_HOME", "cargo login", "/k/credentials.toml", "~/.cargo/credentials.toml"),
    ("NPM_CONFIG_USERCONFIG", "npm config set a b", "/k", "~/.npmrc"),
    ("npm_config_userconfig", "npm config set a b", "/k", "~/.npmrc"),
    ("PIP_CONFIG_FILE", "pip config set a b", "/k", "~/.config/pip/pip.conf"),
    ("XDG_CONFIG_HOME", "pip config set a b", "/k/pip/pip.conf", "~/.config/pip/pip.conf"),
    ("GIT_CONFIG_GLOBAL", "git config --global a.b c", "/k", "~/.gitconfig"),
    ("DOCKER_CONFIG", "docker logout", "/k/config.json", "~/.docker/config.json"),
    ("CLOUDSDK_CONFIG", "gcloud config set a b", "/k/configurations", "~/.config/gcloud/configurations"),
    ("HOME", "rustup default stable", "/k/.rustup/settings.toml", "~/.rustup/settings.toml"),
]


@pytest.mark.parametrize(("name", "command", "there", "usual"), MOVED)
def test_a_variable_adds_the_file_that_it_names_and_the_usual_one_stays_possible(
    name: str, command: str, there: str, usual: str
) -> None:
    told = rendered(f"{name}=/k {command}").split(" | ")
    assert f"write {there}" in told
    assert f"maybe write {usual}" in told
    assert f"write {usual}" in rendered(command).split(" | ")


def test_every_path_of_a_kubeconfig_counts() -> None:
    told = rendered("KUBECONFIG=/a:/b kubectl config use-context x").split(" | ")
    assert {"write /a", "write /b", "maybe write ~/.kube/config"} <= set(told)


def test_a_value_that_is_not_known_is_a_gap() -> None:
    told = rendered('KUBECONFIG="$x" kubectl config use-context x')
    assert "blind kubectl config use-context: writes a path that is not known (variable x)" in told
    assert "maybe write ~/.kube/config" in told


@pytest.mark.parametrize("path", sorted(set(MOVED_BY.values())))
def test_a_moved_path_is_one_of_home_the_machine_or_the_project(path: str) -> None:
    assert path == "~" or path.startswith(("~/", "/")) or "/" not in path
    assert not path.endswith("/")


# --- what is shown, and what is only used ---------------------------------------------------------------------------

SHOWN = (
    *(
        "kubectl config view",
        "kubectl config view --raw",
        "oc config view --minify",
        "aws configure export-credentials",
    ),
    *(
        "aws configure get aws_secret_access_key",
        "aws configure get prod.aws_session_token",
        "gpg --export-secret-keys",
    ),
    *("gpg2 -a --export-secret-subkeys me", "gcloud auth print-access-token", "az account get-access-token"),
    *("gcloud config config-helper", "ssh-keygen -y", 'aws configure get "$KEY"', "gpg-connect-agent 'keyinfo --list'"),
)
USED = (
    *("ssh host", "ssh -i ~/.ssh/key host uptime", "scp -i ~/.ssh/key README.md host:", "sftp -i ~/.ssh/key host"),
    *("ssh -o IdentityFile=~/.ssh/key host", "rsync -e 'ssh -i ~/.ssh/key' a.txt host:", "ssh-add", "git push"),
    *("ssh-add ~/.ssh/id_ed25519", "ssh-copy-id -i ~/.ssh/id_rsa.pub host", "kubectl get pods", "aws s3 ls"),
    *("kubectl --kubeconfig ~/.kube/config get pods", "KUBECONFIG=~/.kube/config kubectl get pods", "helm list"),
    *("AWS_SHARED_CREDENTIALS_FILE=~/.aws/credentials aws s3 ls", "gpg -k", "gpg --verify a.txt", "docker ps"),
    *("kubectl config current-context", "aws configure list", "aws configure get region", "gcloud config list"),
)


@pytest.mark.parametrize("mode", ["default", "plan", "full_auto"])
@pytest.mark.parametrize("command", SHOWN)
def test_printing_what_the_floor_closes_is_denied(command: str, mode: str) -> None:
    decision = decided(command, policy_of(mode=mode))  # type: ignore[arg-type]
    assert decision.verdict == Verdict.DENY
    assert "floor" in {reason.step for reason in decision.reasons}


@pytest.mark.parametrize("command", USED)
def test_using_a_login_is_not_reading_it(command: str) -> None:
    decision = decided(command, policy_of())
    assert [reason.text for reason in decision.reasons if reason.step == "floor"] == []
    assert decision.verdict < Verdict.DENY


def test_a_rule_still_closes_a_key_that_is_only_used() -> None:
    decision = decided("ssh -i ~/.ssh/key host", policy_of(deny=["Read(~/.ssh/**)"]))
    assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "deny")


@pytest.mark.parametrize(
    "command", ["gpg --clear-sign a.txt", "gpg -s a.txt", "gpg -b a.txt", "ssh-keygen -Y sign -f k a"]
)
@pytest.mark.parametrize("mode", ["default", "full_auto"])
def test_signing_is_asked_about(command: str, mode: str) -> None:
    decision = decided(command, policy_of(mode=mode))  # type: ignore[arg-type]
    assert any(reason.text.endswith("signs with a private key: a private key") for reason in decision.reasons)
    assert decision.verdict == Verdict.ASK
