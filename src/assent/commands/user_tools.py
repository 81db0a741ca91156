"""Tools of which only their settings are described: managers of versions, editors, hooks, logins, the desktop.

Whatever else they are told, they are programs that nobody described.
"""

from __future__ import annotations

from assent.commands.config_files import AWS, GNUPG, KUBECONFIG, SHELL_STARTUP, kept
from assent.commands.program import Program
from assent.commands.projects import undescribed
from assent.types import Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact

    Written = Mapping[str, tuple[str, ...]]

ANY = "*"
"""Stands for whatever a program is told."""
HOOKS = (".git/hooks/pre-commit", ".git/config")
MIME = ("~/.config/mimeapps.list",)
DCONF = ("~/.config/dconf/user",)


def _versions(name: str, local: str) -> Written:
    """`global` and `local` are what rbenv began and others took over."""
    return {
        "global": (f"~/.{name}/version",),
        "local": (local,),
        "init": SHELL_STARTUP,
    }


def _all(names: Iterable[str], written: Written) -> dict[str, Written]:
    return dict.fromkeys(names, written)


KNOWN: dict[str, Written] = {
    "pyenv": _versions("pyenv", ".python-version"),
    "rbenv": _versions("rbenv", ".ruby-version"),
    "nodenv": _versions("nodenv", ".node-version"),
    "goenv": _versions("goenv", ".go-version"),
    "jenv": _versions("jenv", ".java-version"),
    "tfenv": {**_versions("tfenv", ".terraform-version"), "use": ("~/.tfenv/version",)},
    "sdk": {
        "default": ("~/.sdkman/candidates",),
        "config": ("~/.sdkman/etc/config",),
    },
    "ghcup": {"set": ("~/.ghcup/bin",), "config": ("~/.ghcup/config.yaml",)},
    "fnm": {"default": ("~/.local/share/fnm/aliases",), "alias": ("~/.local/share/fnm/aliases",)},
    "husky": {ANY: (".husky/pre-commit", ".git/config")},
    "lefthook": {"install": HOOKS, "uninstall": HOOKS, "add": ("lefthook.yml", *HOOKS)},
    "simple-git-hooks": {ANY: HOOKS},
    "overcommit": {"--install": HOOKS, "-i": HOOKS, "--uninstall": HOOKS, "--sign": (".git/config",)},
    "gsettings": {"set": DCONF, "reset": DCONF, "reset-recursively": DCONF},
    "dconf": {"write": DCONF, "reset": DCONF, "load": DCONF},
    "defaults": dict.fromkeys(("write", "delete", "import", "rename"), ("~/Library/Preferences",)),
    "xdg-mime": {"default": MIME, "install": MIME},
    "xdg-settings": {"set": MIME},
    "gpgconf": {"--change-options": (GNUPG,), "--apply-defaults": (GNUPG,), "--apply-profile": (GNUPG,)},
    "gpgsm": {"--import": (GNUPG,), "--gen-key": (GNUPG,), "--delete-keys": (GNUPG,)},
    "ssh-import-id": {ANY: ("~/.ssh/authorized_keys",)},
    "tsh": {"login": ("~/.tsh",), "logout": ("~/.tsh",), "kube": (KUBECONFIG,), "config": ("~/.ssh/config",)},
    **_all("saml2aws aws-azure-login gimme-aws-creds okta-aws-cli aws-sso".split(), {ANY: AWS}),
    "kubelogin": {"convert-kubeconfig": (KUBECONFIG,), "remove-tokens": (KUBECONFIG,)},
    "kops": {"export": (KUBECONFIG,), "create": (KUBECONFIG,), "delete": (KUBECONFIG,)},
    "vcluster": {"connect": (KUBECONFIG,), "create": (KUBECONFIG,), "disconnect": (KUBECONFIG,)},
    "kubeadm": {"init": (KUBECONFIG, "/etc/kubernetes"), "join": ("/etc/kubernetes",), "reset": ("/etc/kubernetes",)},
    "rancher": {"login": ("~/.rancher/cli2.json",), "context": ("~/.rancher/cli2.json",)},
    "modal": {"token": ("~/.modal.toml",), "setup": ("~/.modal.toml",)},
    "databricks": {"configure": ("~/.databrickscfg",), "auth": ("~/.databrickscfg",)},
    "dbt": {"init": ("~/.dbt/profiles.yml",)},
    **_all(("expo", "eas"), {"login": ("~/.expo/state.json",), "logout": ("~/.expo/state.json",)}),
    "clasp": {"login": ("~/.clasprc.json",), "logout": ("~/.clasprc.json",)},
    "gitlab-runner": dict.fromkeys(("register", "unregister", "install"), ("/etc/gitlab-runner/config.toml",)),
    "starship": {"preset": ("~/.config/starship.toml",), "config": ("~/.config/starship.toml",)},
    "fisher": dict.fromkeys(("install", "update", "remove"), ("~/.config/fish/functions",)),
    "activate-global-python-argcomplete": {ANY: SHELL_STARTUP},
    **_all(("update-rc.d", "chkconfig", "rc-update"), {ANY: ("/etc/init.d",)}),
    **_all(("update-ca-certificates", "trust"), {ANY: ("/etc/ssl/certs",)}),
    "pam-auth-update": {ANY: ("/etc/pam.d",)},
    **_all(("aa-disable", "aa-complain", "aa-enforce"), {ANY: ("/etc/apparmor.d",)}),
    **_all(("setsebool", "semanage"), {ANY: ("/etc/selinux",)}),
    "minisign": {"-G": ("~/.minisign/minisign.key",), "-C": ("~/.minisign/minisign.key",)},
    "mysql_config_editor": {"set": ("~/.mylogin.cnf",), "remove": ("~/.mylogin.cnf",), "reset": ("~/.mylogin.cnf",)},
    "step": {"ca": ("~/.step/config",), "context": ("~/.step/config",)},
    **_all(("fcrontab", "incrontab"), {ANY: ("/var/spool/cron",)}),
}
"""What each writes, by a word that says so."""
READS: dict[str, Written] = {
    "gpgsm": {"--export-secret-key-p12": (GNUPG,), "--export-secret-key-raw": (GNUPG,)},
    "gpg-connect-agent": {ANY: (GNUPG,)},
    "kubelogin": {"get-token": (KUBECONFIG,)},
    "mysql_config_editor": {"print": ("~/.mylogin.cnf",)},
}
"""What each prints."""
ABOUT_ITSELF = frozenset(("--version", "--help"))
"""Not `-V` or `help`: what those mean to a program that nobody described is a guess."""
SHOWS = frozenset("list ls get show status versions version which whence prefix --list-extensions --list".split())


def _described(args: Args) -> Iterator[Fact]:
    words = [word.value for word in args.operands]
    if len(words) == 1 and words[0] in ABOUT_ITSELF and ANY not in KNOWN.get(args.name, {}):
        return
    yield from undescribed(args)
    yield Gap(f"{args.name} is not a program we know", False, args.number, args.call.span)
    written = [path for word, paths in KNOWN.get(args.name, {}).items() if _says(words, word) for path in paths]
    if written:
        yield args.effect("change", f"settings of {args.name}", "settings.change")
        yield from kept(args, "write", *written)
    for word, paths in READS.get(args.name, {}).items():
        if _says(words, word):
            yield from kept(args, "read", *paths)


def _says(words: list[str | None], word: str) -> bool:
    """Whether the words hold one that says so; those that only look do not, and one that is not known may."""
    if word == ANY:
        return not words or words[0] not in SHOWS
    return any(one is None or one == word or one.startswith(f"{word}=") for one in words)


PROGRAMS = dict.fromkeys((*KNOWN, "gpg-connect-agent"), Program(operands="text*", style="plain", more=_described))

EXAMPLES = {
    f"{name} {word if word != ANY else 'x'}": (
        f"run {name} {word if word != ANY else 'x'} #program | change settings of {name} #settings.change"
        f" | {' | '.join(f'write {path}' for path in paths)} | gap {name} is not a program we know"
    )
    for name, table in KNOWN.items()
    for word, paths in [next(iter(table.items()))]
} | {
    "pyenv versions": "run pyenv versions #program | gap pyenv is not a program we know",
    "pyenv --version": "note pyenv",
    "pam-auth-update --version": "run pam-auth-update --version #program | change settings of pam-auth-update"
    " #settings.change | write /etc/pam.d | gap pam-auth-update is not a program we know",
    "gpg-connect-agent x": "run gpg-connect-agent x #program | read ~/.gnupg"
    " | gap gpg-connect-agent is not a program we know",
}
