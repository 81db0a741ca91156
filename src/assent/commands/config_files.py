"""Where programs keep settings and logins: the files themselves, and the variables that move them; no programs.

A path begins with `~/` (the home folder), `/` (the machine) or neither (the project).
"""

from __future__ import annotations

from assent.commands.args import mention
from assent.record import maker
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Kind

new_effect = maker(Effect)
AT_HOME = {"home": True}
"""Arguments of an effect whose target begins with `~`; whoever knows the home folder puts it there."""

KUBECONFIG = "~/.kube/config"
AWS = ("~/.aws/config", "~/.aws/credentials")
GCLOUD_CONFIG = "~/.config/gcloud/configurations"
GCLOUD_TOKENS = "~/.config/gcloud/access_tokens.db"
AZURE_CONFIG = "~/.azure/config"
GNUPG = "~/.gnupg"
SSH_KEY = "~/.ssh/id_rsa"
KNOWN_HOSTS = "~/.ssh/known_hosts"
DOCKER = "~/.docker/config.json"
CONTAINERS_LOGIN = "~/.config/containers/auth.json"
GITCONFIG = "~/.gitconfig"
NETRC = "~/.netrc"
NPMRC = "~/.npmrc"
SHELL_STARTUP = ("~/.bashrc", "~/.zshrc", "~/.profile", "~/.config/fish/config.fish")
USER_UNITS = "~/.config/systemd/user"
SYSTEM_UNITS = "/etc/systemd/system"
KEYRINGS = "~/.local/share/keyrings"
CRONTABS = "/var/spool/cron/crontabs"

MOVED_BY = {
    "HOME": "~",
    "XDG_CONFIG_HOME": "~/.config",
    "XDG_DATA_HOME": "~/.local/share",
    "XDG_STATE_HOME": "~/.local/state",
    "XDG_CACHE_HOME": "~/.cache",
    "KUBECONFIG": KUBECONFIG,
    "AWS_CONFIG_FILE": "~/.aws/config",
    "AWS_SHARED_CREDENTIALS_FILE": "~/.aws/credentials",
    "CLOUDSDK_CONFIG": "~/.config/gcloud",
    "AZURE_CONFIG_DIR": "~/.azure",
    "GNUPGHOME": GNUPG,
    "DOCKER_CONFIG": "~/.docker",
    "REGISTRY_AUTH_FILE": CONTAINERS_LOGIN,
    "GIT_CONFIG_GLOBAL": GITCONFIG,
    "GIT_CONFIG_SYSTEM": "/etc/gitconfig",
    "NETRC": NETRC,
    "NPM_CONFIG_USERCONFIG": NPMRC,
    "NPM_CONFIG_GLOBALCONFIG": "/usr/local/etc/npmrc",
    "YARN_RC_FILENAME": ".yarnrc.yml",
    "PIP_CONFIG_FILE": "~/.config/pip/pip.conf",
    "POETRY_CONFIG_DIR": "~/.config/pypoetry",
    "PDM_CONFIG_FILE": "~/.config/pdm/config.toml",
    "UV_CREDENTIALS_DIR": "~/.local/share/uv/credentials",
    "CONDARC": "~/.condarc",
    "CARGO_HOME": "~/.cargo",
    "RUSTUP_HOME": "~/.rustup",
    "GOENV": "~/.config/go/env",
    "GEMRC": "~/.gemrc",
    "BUNDLE_USER_CONFIG": "~/.bundle/config",
    "BUNDLE_APP_CONFIG": ".bundle",
    "COMPOSER_HOME": "~/.config/composer",
    "MIX_HOME": "~/.mix",
    "OPAMROOT": "~/.opam",
    "CABAL_DIR": "~/.cabal",
    "STACK_ROOT": "~/.stack",
    "GRADLE_USER_HOME": "~/.gradle",
    "PYENV_ROOT": "~/.pyenv",
    "RBENV_ROOT": "~/.rbenv",
    "NODENV_ROOT": "~/.nodenv",
    "NVM_DIR": "~/.nvm",
    "VOLTA_HOME": "~/.volta",
    "ASDF_DATA_DIR": "~/.asdf",
    "ASDF_CONFIG_FILE": "~/.asdfrc",
    "MISE_GLOBAL_CONFIG_FILE": "~/.config/mise/config.toml",
    "MISE_CONFIG_DIR": "~/.config/mise",
    "HELM_CONFIG_HOME": "~/.config/helm",
    "HELM_DATA_HOME": "~/.local/share/helm",
    "HELM_REPOSITORY_CONFIG": "~/.config/helm/repositories.yaml",
    "HELM_REGISTRY_CONFIG": "~/.config/helm/registry/config.json",
    "GH_CONFIG_DIR": "~/.config/gh",
    "GLAB_CONFIG_DIR": "~/.config/glab-cli",
    "TF_CLI_CONFIG_FILE": "~/.terraformrc",
    "PULUMI_HOME": "~/.pulumi",
    "CLAUDE_CONFIG_DIR": "~/.claude",
    "CODEX_HOME": "~/.codex",
    "OPENCODE_CONFIG": "~/.config/opencode/opencode.json",
    "OPENCODE_CONFIG_DIR": "~/.config/opencode",
    "HF_HOME": "~/.cache/huggingface",
    "HF_TOKEN_PATH": "~/.cache/huggingface/token",
    "KAGGLE_CONFIG_DIR": "~/.config/kaggle",
    "VAULT_TOKEN_FILE": "~/.vault-token",
    "PASSWORD_STORE_DIR": "~/.password-store",
    "RCLONE_CONFIG": "~/.config/rclone/rclone.conf",
    "MC_CONFIG_DIR": "~/.mc",
    "DOCTL_CONFIG": "~/.config/doctl/config.yaml",
    "OCI_CLI_CONFIG_FILE": "~/.oci/config",
    "PM2_HOME": "~/.pm2",
    "ANSIBLE_CONFIG": "ansible.cfg",
}
"""Which file or folder a variable puts elsewhere. npm reads its variables in small letters, too."""


def kept(args: Args, kind: Kind, *paths: str, code: str = "", possible: bool = False) -> Iterator[Fact]:
    """An effect on files that no word of the call names.

    INVARIANT: a variable adds the file that it names; the usual one stays possible, since the program may not obey it.
    """
    for path in paths:
        moved = list(_moved(args, path)) if args.call.assignments else []
        for word in moved:
            yield from args.files(kind, word, code=code, possible=possible)
        perhaps = possible or bool(moved)
        if path[:1] == "~":
            made = new_effect(kind, path, None, False, "", perhaps, code, args.number, args.call.span, AT_HOME)
            yield mention(made) if moved else made
        else:
            found = args.files(kind, Word(path, path), code=code, possible=perhaps)
            yield from map(mention, found) if moved else found


def kept_unless(args: Args, option: str, kind: Kind, *paths: str, code: str = "") -> Iterator[Fact]:
    """The same, where the file that an option names, here or before a subcommand, takes the place of the usual one."""
    named: list[Word] = []
    at: Args | None = args
    while at is not None:
        named += at.values(option)
        at = at.parent
    if not named:
        yield from kept(args, kind, *paths, code=code)
    for word in named:
        yield from args.files(kind, word, code=code)


def _moved(args: Args, path: str) -> Iterator[Word]:
    """Where a path lies instead, for each variable before the program that moves it."""
    for name, value in args.call.assignments:
        usual = MOVED_BY.get(name.upper())
        if usual is None or not (path == usual or path.startswith(f"{usual}/")):
            continue
        if value.value is None:
            yield value
            continue
        for place in value.value.split(":") if usual == KUBECONFIG else (value.value,):
            if place:
                yield Word(value.text, f"{place.rstrip('/') or '/'}{path[len(usual) :]}")
