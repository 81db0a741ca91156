"""Paths that need care whatever the rules say: the floor, secret files, files that something runs later by itself.

Names are compared without regard to case on every disk: a false alarm on `.ENV` is cheaper than a missed one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SENSITIVE_PATH_PATTERNS = (
    "*/.ssh/*",
    "*/.aws/credentials",
    "*/.aws/config",
    "*/.config/gcloud/*",
    "*/.azure/*",
    "*/.gnupg/*",
    "*/.docker/config.json",
    "*/.kube/config",
    "*/assent/secrets/*",
)
"""The floor for every tool and every kind of access; the last one holds Assent's own credentials."""

OWN_FILES = ("/.assent/", "/.config/assent/", "/.local/state/assent/", "/etc/assent/")
"""Assent's policy, grants and journal: the floor against writing and deleting."""

OWN_CREDENTIALS = (
    *("/assent/web-token/", "/assent/web-codes/", "/assent/webhook-secret/"),
    *("/assent/resident/key/", "/assent/resident/hooks.sock/"),
)
"""With one of these somebody could answer Assent's questions, or in its place: closed like any credential, for reading
too."""

FLOOR_NEEDLES = (*(pattern.strip("*").rstrip("/") + "/" for pattern in SENSITIVE_PATH_PATTERNS), *OWN_CREDENTIALS)

SECRET_NAMES = frozenset(
    """.netrc _netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf .htpasswd .dockercfg .vault-token .s3cfg .boto
    id_rsa id_dsa id_ecdsa id_ed25519 credentials.toml credentials.tfrc.json login.keychain-db logins.json key3.db
    key4.db cookies.sqlite signons.sqlite .bash_history .zsh_history .python_history .psql_history .mysql_history
    .node_repl_history wallet.dat master.key .dev.vars .vault_pass .vault_pass.txt credentials.json kubeconfig
    service-account.json service_account.json secrets.yml secrets.yaml secrets.json secrets.toml .secrets
    terraform.tfstate terraform.tfstate.backup local.settings.json .credentials.json oauth_creds.json rclone.conf
    .databrickscfg kaggle.json fish_history""".split()
)
SECRET_SUFFIXES = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".keytab", ".ovpn", ".tfstate")
SECRET_FOLDERS = (
    "/.password-store/",
    "/.cargo/credentials/",
    "/.config/gh/hosts.yml/",
    "/.config/git/credentials/",
    "/.config/github-copilot/",
    "/.config/glab-cli/",
    "/.config/hub/",
    "/.config/containers/auth.json/",
    "/.config/pypoetry/auth.toml/",
    "/.config/composer/auth.json/",
    "/.composer/auth.json/",
    "/.config/solana/",
    "/.config/doctl/",
    "/.config/stripe/",
    "/sops/age/keys.txt/",
    "/.codex/auth.json/",
    "/.local/share/opencode/auth.json/",
    "/.cache/huggingface/token/",
    "/.cache/huggingface/stored_tokens/",
    "/.huggingface/token/",
    "/.oci/config/",
    "/.m2/settings.xml/",
    "/.m2/settings-security.xml/",
    "/.fly/config.yml/",
    "/.gem/credentials/",
    "/.aws/sso/cache/",
    "/.mozilla/firefox/",
    "/.config/google-chrome/",
    "/.config/chromium/",
    "/.config/bravesoftware/",
    "/.config/microsoft-edge/",
    "/.local/share/keyrings/",
    "/.local/share/kwalletd/",
    "/.var/app/",
    "/snap/chromium/",
    "/snap/firefox/",
    "/library/application support/bravesoftware/",
    "/etc/shadow-/",
    "/etc/gshadow-/",
    "/library/keychains/",
    "/library/application support/google/chrome/",
    "/library/application support/firefox/",
    "/library/cookies/",
    "/.thunderbird/",
    "/etc/shadow/",
    "/etc/gshadow/",
    "/etc/ssl/private/",
    "/run/secrets/",
    "/var/run/secrets/",
)
ENV_EXAMPLES = frozenset(
    ".env.example .env.sample .env.template .env.dist .env.defaults .env.schema .env.example.local".split()
)

STARTED_NAMES = frozenset(
    """.gitattributes .gitmodules .gitconfig .pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook.yaml
    .lefthook.yml .overcommit.yml .mcp.json mcp.json opencode.json opencode.jsonc .cursorrules .windsurfrules
    .clinerules .roomodes .claude.json agent.md .aider.conf.yml .goosehints claude.md claude.local.md agents.md
    agents.override.md gemini.md qwen.md copilot-instructions.md .gitlab-ci.yml .gitlab-ci.yaml jenkinsfile
    .travis.yml azure-pipelines.yml bitbucket-pipelines.yml .drone.yml .cirrus.yml appveyor.yml .appveyor.yml
    cloudbuild.yaml buildspec.yml .bazelrc .bazeliskrc .exrc .vimrc .gvimrc .nvimrc .nvim.lua .lvimrc .netrwhist
    .emacs .dir-locals.el .envrc .direnvrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs bunfig.toml
    .pypirc pip.conf pip.ini .pydistutils.cfg sitecustomize.py usercustomize.py .pythonrc .pythonrc.py
    .pythonstartup .condarc .rprofile .renviron .irbrc .pryrc .gemrc .rspec .psqlrc .sqliterc .my.cnf .gdbinit
    .lldbinit .inputrc .tmux.conf .screenrc .curlrc .wgetrc .ackrc .ripgreprc .lessfilter .lesskey .nanorc .mailcap
    .mailrc .xinitrc .xsession .xprofile .xsessionrc .profile .bashrc .bash_profile .bash_login .bash_logout
    .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout .zsh_aliases .kshrc .mkshrc .cshrc .tcshrc .login
    .logout .shrc .envfile .pam_environment .forward .procmailrc .k5login .rhosts .shosts crontab .tool-versions
    .mise.toml mise.toml .mise.local.toml .asdfrc .terraformrc terraform.rc .mrconfig .hgrc .devcontainer.json
    authorized_keys autorun.inf desktop.ini microsoft.powershell_profile.ps1 profile.ps1 lefthook-local.yml
    .lefthook-local.yml .pnp.cjs .pnp.loader.mjs .wezterm.lua .i3status.conf crush.json .crush.json crush.md
    .augment-guidelines .kilocodemodes warp.md .rules .continuerc.json .aider.model.settings.yml .woodpecker.yml
    .woodpecker.yaml .drone.yaml .drone.star .drone.jsonnet .cirrus.star .build.yml .zuul.yaml zuul.yaml codefresh.yml
    cloudbuild.yml cloudbuild.json buildspec.yaml azure-pipelines.yaml .gitpod.yml .replit .luarc.json .luarc.jsonc
    .ycm_extra_conf.py .local.vimrc .vimspector.json .pnp.js .pdbrc .ghci .iex.exs .ocamlinit .octaverc
    .byebugrc""".split()
)
STARTED_PREFIXES = (".env", ".roorules", ".clinerules")
STARTED_SUFFIXES = (".code-workspace", ".sublime-project")
STARTED_FOLDERS = (
    "/.git/",
    "/.husky/",
    "/.githooks/",
    "/githooks/",
    "/git-hooks/",
    "/.hooks/",
    "/.lefthook/",
    "/.hg/",
    "/.svn/",
    "/.jj/",
    "/.config/git/",
    "/.vscode/",
    "/.vscode-server/",
    "/.idea/",
    "/.fleet/",
    "/.zed/",
    "/.cursor/",
    "/.windsurf/",
    "/.codeium/",
    "/.continue/",
    "/.claude/",
    "/.claude-plugin/",
    "/.config/code/user/",
    "/.config/cursor/user/",
    "/library/application support/code/user/",
    "/.config/zed/",
    "/.github/agents/",
    "/.github/chatmodes/",
    "/.config/tmux/",
    "/.config/i3/",
    "/.config/sway/",
    "/.config/hypr/",
    "/.config/kitty/",
    "/.config/wezterm/",
    "/.config/alacritty/",
    "/.terraform.d/",
    "/.docker/cli-plugins/",
    "/.kube/plugins/",
    "/.krew/",
    "/.codex/",
    "/.gemini/",
    "/.qwen/",
    "/.opencode/",
    "/.config/opencode/",
    "/.copilot/",
    "/.cline/",
    "/.clinerules/",
    "/.roo/",
    "/.kilocode/",
    "/.kiro/",
    "/.factory/",
    "/.amp/",
    "/.config/amp/",
    "/.config/goose/",
    "/.goose/",
    "/.crush/",
    "/.config/crush/",
    "/.amazonq/",
    "/.agents/",
    "/.agent/",
    "/.augment/",
    "/.trae/",
    "/.junie/",
    "/.openhands/",
    "/.pi/",
    "/.github/workflows/",
    "/.github/actions/",
    "/.github/hooks/",
    "/.github/instructions/",
    "/.github/prompts/",
    "/.circleci/",
    "/.buildkite/",
    "/.woodpecker/",
    "/.semaphore/",
    "/.teamcity/",
    "/.tekton/",
    "/.builds/",
    "/.zuul.d/",
    "/zuul.d/",
    "/.azure-pipelines/",
    "/.azuredevops/",
    "/.forgejo/",
    "/.gitea/",
    "/.devcontainer/",
    "/.gitpod/",
    "/.idx/",
    "/.codesandbox/",
    "/.vs/",
    "/.helix/",
    "/.config/helix/",
    "/.mvn/",
    "/.gradle/",
    "/.cargo/config/",
    "/.cargo/config.toml/",
    "/.bundle/",
    "/.yarn/",
    "/.vim/",
    "/.config/nvim/",
    "/.emacs.d/",
    "/.config/emacs/",
    "/.config/fish/",
    "/.config/nushell/",
    "/.config/pip/",
    "/.config/powershell/",
    "/.config/autostart/",
    "/.config/systemd/",
    "/.config/environment.d/",
    "/.config/direnv/",
    "/.config/mise/",
    "/.config/mise.toml/",
    "/.mise/",
    "/mise/config.toml/",
    "/mise/tasks/",
    "/mise-tasks/",
    "/.mise-tasks/",
    "/.direnv/",
    "/.local/bin/",
    "/.local/share/applications/",
    "/.local/share/systemd/",
    "/.oh-my-zsh/",
    "/.bashrc.d/",
    "/.ipython/",
    "/.jupyter/",
    "/.venv/bin/",
    "/venv/bin/",
    "/env/bin/",
    "/node_modules/.bin/",
    "/site-packages/",
    "/dist-packages/",
    "/library/launchagents/",
    "/library/launchdaemons/",
    "/start menu/programs/startup/",
    "/cron.d/",
    "/spool/cron/",
)
SYSTEM_FOLDERS = tuple(f"/{name}/" for name in "etc usr bin sbin lib lib32 lib64 boot system library proc sys".split())
HOME_PROGRAMS = ("bin", ".bin", ".cargo/bin", "go/bin", ".npm-global/bin", ".pyenv", ".nvm", ".deno/bin", ".bun/bin")

DEEP_FOLDERS = (".ssh", ".aws", ".gnupg", ".config/gcloud")
"""Their secrets may lie two folders further down."""
HOME_FOLDERS = (*DEEP_FOLDERS, ".kube", ".docker", ".azure", ".config/assent", ".local/state/assent")
HOME_CREDENTIALS = (".aws/credentials", ".aws/config", ".docker/config.json", ".kube/config")
"""Kept elsewhere one by one, while their folder stays at home."""
HOLDERS = (".config", ".local", ".local/state", ".aws", ".docker", ".kube")
"""The folders of home in which one of the above is an entry."""
AGENT_FOLDERS = (".claude", ".codex", ".gemini", ".cursor")
HOME_FILES = (
    ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile",
    ".gitconfig", ".netrc", ".npmrc", ".pypirc", ".git-credentials",
)  # fmt: skip
PROJECT_FILES = (".npmrc", ".netrc")
PROJECT_SUFFIXES = (".pem", ".key")

DISKS = tuple(
    f"/dev/{name}"
    for name in "sd hd vd xvd nvme mmcblk disk rdisk block/ md dm- mapper/ loop ram zram nbd mtd pmem".split()
)
MEMORY = ("/dev/mem", "/dev/kmem", "/dev/port")


def is_disk(path: str) -> bool:
    """A whole disk or a part of one, or the machine's memory, by its name: also where this machine has none such."""
    return path.startswith("/dev/") and (path.startswith(DISKS) or path in MEMORY)


def _heads(needles: tuple[str, ...]) -> frozenset[str]:
    """The first name in each: a path without any of them holds none of the needles, which is quickly seen."""
    return frozenset(needle.split("/")[1] for needle in needles)


FLOOR_HEADS, SECRET_HEADS, STARTED_HEADS = map(_heads, (FLOOR_NEEDLES, SECRET_FOLDERS, STARTED_FOLDERS))
OWN_HEADS = _heads(OWN_FILES)
STARTED_BY_HEAD = {
    head: tuple(needle for needle in STARTED_FOLDERS if needle.split("/")[1] == head) for head in STARTED_HEADS
}
GUARDED_HEADS = FLOOR_HEADS | OWN_HEADS
NOTABLE_HEADS = frozenset(
    (
        *("dev", *FLOOR_HEADS, *SECRET_HEADS, *STARTED_HEADS, *OWN_HEADS, *_heads(SYSTEM_FOLDERS)),
        *(place.split("/")[0] for place in HOME_PROGRAMS),
    )
)
PIECES = str.maketrans(dict.fromkeys("\"'`()[]{},;|&<>=", " "))
NOTABLE_NAMES = SECRET_NAMES | STARTED_NAMES
COMPILED = (".pyc", "/__pycache__")
"""What Python runs in place of a source, in one form without a look at it."""
NOTABLE_SUFFIXES = (*SECRET_SUFFIXES, ".env", *STARTED_SUFFIXES, ".pyc", "__pycache__")
MOST_SEEN = 2_000
NOTABLE, FLOOR, OWN, SECRET, STARTED = 1, 2, 4, 8, 16
"""The last only where the name alone says so: `is_started` knows more places."""
_marks: dict[str, int] = {}
_holding: dict[tuple[tuple[str, ...], tuple[str, ...]], frozenset[str]] = {}


def marks(path: str) -> int:
    """0 for most paths: every question below is answered no. Else what is answered; remembered, as several steps ask.

    INVARIANT: whatever a question looks for is among the notable names, endings and heads.
    """
    known = _marks.get(path)
    if known is None:
        folded = path.casefold()
        parts = folded.split("/")
        name = parts[-1]
        known = 0
        if (
            not NOTABLE_HEADS.isdisjoint(parts)
            or name in NOTABLE_NAMES
            or (name[:1] == "." and name.startswith(STARTED_PREFIXES))
            or name.endswith(NOTABLE_SUFFIXES)
        ):
            known = NOTABLE + SECRET * is_secret(path) + STARTED * _starts_by_name(folded)
            if not GUARDED_HEADS.isdisjoint(parts):
                known += FLOOR * on_the_floor(path) + OWN * is_own(path)
        if len(_marks) >= MOST_SEEN:
            _marks.clear()
        _marks[path] = known
    return known


def forget() -> None:
    """Empty what is remembered about paths, for measurements."""
    _marks.clear()
    _holding.clear()


def on_the_floor(path: str) -> bool:
    """A credential path: no mode, rule, grant or approval opens it."""
    folded = path.casefold() + "/"
    return not FLOOR_HEADS.isdisjoint(folded.split("/")) and any(needle in folded for needle in FLOOR_NEEDLES)


def is_own(path: str) -> bool:
    """A file of Assent itself, wherever a default installation keeps one."""
    folded = path.casefold() + "/"
    return "assent" in folded and any(needle in folded for needle in OWN_FILES)


def closed_in(text: str) -> list[str]:
    """The pieces of a text that name a credential path or a file of Assent, whatever stands around them."""
    folded = text.casefold()
    if not any(head in folded for head in GUARDED_HEADS):
        return []
    pieces = text.translate(PIECES).split()
    return [piece for piece in pieces if on_the_floor(f"/{piece}") or is_own(f"/{piece}")]


def is_secret(path: str) -> bool:
    """A file that usually holds secrets; reading it asks in every mode."""
    folded = path.casefold()
    name = folded[folded.rfind("/") + 1 :]
    if name.startswith(".env"):
        return name not in ENV_EXAMPLES
    if name in SECRET_NAMES or name.endswith(SECRET_SUFFIXES):
        return True
    if name.endswith(".env"):
        return not name.startswith(("example", "sample", "template", "default"))
    if folded.startswith("/proc/") and name in ("environ", "mem", "kcore"):
        return True
    if is_disk(folded):
        return True
    if SECRET_HEADS.isdisjoint(folded.split("/")):
        return False
    return any(needle in folded + "/" for needle in SECRET_FOLDERS)


def is_started(path: str, home: str = "", projects: tuple[str, ...] = ()) -> bool:
    """A file that a shell, editor, agent, git or CI runs or loads by itself; writing it asks in every mode."""
    if marks(path) & STARTED:
        return True
    folded = path.casefold()
    name, folder = folded[folded.rfind("/") + 1 :], folded + "/"
    if name in ENV_EXAMPLES:
        return False
    if folder.startswith(SYSTEM_FOLDERS) and not any(path.startswith(root + "/") for root in projects):
        return True
    return bool(home) and any(folder.startswith(f"{home.casefold()}/{place}/") for place in HOME_PROGRAMS)


def _starts_by_name(folded: str) -> bool:
    name = folded[folded.rfind("/") + 1 :]
    if name in STARTED_NAMES or name.startswith(STARTED_PREFIXES) or name.endswith(STARTED_SUFFIXES):
        return name not in ENV_EXAMPLES
    folder = folded + "/"
    heads = STARTED_HEADS.intersection(folder.split("/"))
    return any(needle in folder for head in heads for needle in STARTED_BY_HEAD[head])


def is_compiled(path: str) -> bool:
    """Code that Python keeps beside its sources; whole trees of it come and go, so only a write to one counts."""
    return path.casefold().endswith(COMPILED)


def cares(path: str, home: str = "") -> tuple[str, ...]:
    """Which liftable protections a path falls under."""
    found = ("secret",) if is_secret(path) else ()
    return (*found, "started") if is_started(path, home) or is_compiled(path) else found


def home_places(home: str) -> tuple[str, ...]:
    """Where the floor lies under a home folder, for calls that take in a whole tree."""
    others = [needle for needle in FLOOR_NEEDLES if needle not in OWN_CREDENTIALS]
    own = [f"/.local/state{needle}" for needle in OWN_CREDENTIALS if needle.endswith(("-token/", "/key/"))]
    return tuple(home.rstrip("/") + needle.rstrip("/") for needle in (*others, *own))


def moved_places(
    home: str, real: Callable[[str], str], links_in: Callable[[str], list[str]]
) -> tuple[tuple[tuple[str, str], ...], list[str]]:
    """What home keeps elsewhere, the usual places with the real ones; and folders in which a link may change later."""
    real_home = real(home)
    places = [(name, real(f"{home}/{name}")) for name in (*HOME_FOLDERS, *HOME_CREDENTIALS)]
    inside = [f"{name}/{link}" for name, folder in places[: len(HOME_FOLDERS)] for link in links_in(folder)]
    places += [(name, real(f"{home}/{name}")) for name in inside if name not in HOME_CREDENTIALS]
    # Where home itself is a link, everything in it has moved, and whoever asks for its roots is told so.
    pairs = tuple((f"{home}/{n}", place) for n, place in places if place not in (f"{home}/{n}", f"{real_home}/{n}"))
    # Where one file is a link others may follow; agents cannot make the first one, so no more is watched.
    return pairs, [f"{home}/{name[: name.rfind('/')]}" for name in inside]


def holding(homes: tuple[str, ...], moved: tuple[str, ...]) -> frozenset[str]:
    """Every folder, without a slash at its end, that is or holds one of `moved` or a floor path under a home."""
    known = _holding.get((homes, moved))
    if known is None:
        found: set[str] = set()
        for place in (*(place for home in homes for place in home_places(home)), *moved):
            parts = place.split("/")
            found.update("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        if len(_holding) >= MOST_SEEN:
            _holding.clear()
        known = _holding[homes, moved] = frozenset(found)
    return known
