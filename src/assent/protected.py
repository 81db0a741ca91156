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
    "*/.agent-harness/credentials.json",
    "*/.agent-harness/copilot_auth.json",
    "*/copilot_auth.json",
    "*/assent/secrets/*",
    "*/.local/state/assent/*",
)
"""The floor for every tool and every kind of access; the last two hold Assent's own credentials, and what it knows of
every session: commands, answers, grants."""

OWN_FILES = ("/.assent/", "/.config/assent/", "/.local/state/assent/", "/.local/share/assent/", "/etc/assent/")
"""Assent's policy, grants, journal and a copy of itself: the floor against writing and deleting."""

OWN_CREDENTIALS = ("/assent/web-token/", "/assent/web-codes/", "/assent/webhook-secret/")
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
    .databrickscfg kaggle.json fish_history .sentryclirc copilot_auth.json .mylogin.cnf .bigqueryrc""".split()
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
    "/.config/hcloud/",
    "/.config/linode-cli/",
    "/.config/netlify/",
    "/.config/.wrangler/",
    "/.config/configstore/",
    "/.config/.jira/",
    "/.config/ngrok/",
    "/.config/argocd/",
    "/.config/helm/registry/",
    "/.config/bitwarden cli/",
    "/.config/op/",
    "/.config/tea/",
    "/.config/dart/pub-tokens.json/",
    "/.config/turborepo/config.json/",
    "/.config/wandb/",
    "/.config/io.datasette.llm/keys.json/",
    "/.config/composer/config.json/",
    "/.local/share/com.vercel.cli/",
    "/.local/share/lpass/",
    "/.local/share/uv/credentials/",
    "/.supabase/access-token/",
    "/.railway/config.json/",
    "/.bluemix/config.json/",
    "/.twilio-cli/config.json/",
    "/.slack/",
    "/.step/",
    "/.tsh/",
    "/.rancher/",
    "/.modal.toml/",
    "/.dbt/profiles.yml/",
    "/.expo/state.json/",
    "/.clasprc.json/",
    "/.newrelic/",
    "/.ngrok2/",
    "/.cloudflared/",
    "/.docker/contexts/",
    "/.mc/config.json/",
    "/.ecs/",
    "/.hex/",
    "/.nuget/nuget/nuget.config/",
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

# --- what runs later -------------------------------------------------------------------------------------------------
#
# The one table of files that something runs or loads by itself. Code that runs only when somebody calls for it by name
# (Makefile, package.json, conftest.py) is not in here: calling it is asked about.

STARTED_NAMES = frozenset(
    """.gitattributes .gitmodules .pre-commit-config.yaml .pre-commit-config.yml lefthook.yml lefthook.yaml
    .lefthook.yml .overcommit.yml lefthook-local.yml .lefthook-local.yml .mrconfig .hgrc mercurial.ini .jjconfig.toml
    lint-staged.config.js lint-staged.config.mjs lint-staged.config.cjs lint-staged.config.ts

    .mcp.json mcp.json mcp_config.json mcp_settings.json cline_mcp_settings.json claude_desktop_config.json
    opencode.json opencode.jsonc .opencode.json .cursorrules .windsurfrules .clinerules .roomodes .claude.json agent.md
    .aider.conf.yml .aider.model.settings.yml .goosehints claude.md claude.local.md agents.md agents.local.md
    agents.override.md gemini.md qwen.md copilot-instructions.md gemini-extension.json crush.json .crush.json crush.md
    .augment-guidelines .kilocodemodes warp.md .rules .continuerc.json

    .gitlab-ci.yml .gitlab-ci.yaml jenkinsfile .travis.yml azure-pipelines.yml azure-pipelines.yaml
    bitbucket-pipelines.yml .drone.yml .drone.yaml .drone.star .drone.jsonnet .cirrus.yml .cirrus.star appveyor.yml
    .appveyor.yml cloudbuild.yaml cloudbuild.yml cloudbuild.json buildspec.yml buildspec.yaml .woodpecker.yml
    .woodpecker.yaml .build.yml .zuul.yaml zuul.yaml codefresh.yml wercker.yml .gitpod.yml .replit .devcontainer.json

    .exrc .vimrc _vimrc .gvimrc .nvimrc .nvim.lua .lvimrc .local.vimrc .ideavimrc .netrwhist .vimspector.json
    .ycm_extra_conf.py .emacs .emacs.el .spacemacs .dir-locals.el .luarc.json .luarc.jsonc .nanorc

    .direnvrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnpmfile.mjs .pnp.cjs .pnp.js .pnp.loader.mjs bunfig.toml
    .pypirc pip.conf pip.ini uv.toml poetry.toml pdm.toml .pdm.toml .pdm-python .pydistutils.cfg pyvenv.cfg
    sitecustomize.py usercustomize.py .pythonrc .pythonrc.py .pythonstartup .condarc .mambarc ipython_config.py
    jupyter_notebook_config.py jupyter_server_config.py .pdbrc rust-toolchain rust-toolchain.toml .bazelrc .bazeliskrc
    .bazelversion .jvmopts .sbtopts nuget.config ansible.cfg .tool-versions .mise.toml mise.toml .mise.local.toml
    mise.local.toml .asdfrc .terraformrc terraform.rc .rprofile .renviron .irbrc .pryrc .rdbgrc .gemrc .rspec .rubocop
    .byebugrc .ghci .iex.exs .erlang .ocamlinit .octaverc .perldb .user.ini .htaccess .sqliterc .psqlrc .my.cnf
    .gdbinit .gdbearlyinit .radare2rc

    .inputrc .tmux.conf .screenrc .curlrc .wgetrc .ackrc .ripgreprc .lessfilter .lesskey .mailcap .mailrc .xinitrc
    .xserverrc .xsession .xprofile .xsessionrc .profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases
    .bash_completion .zshrc .zshenv .zprofile .zlogin .zlogout .zsh_aliases .p10k.zsh .kshrc .mkshrc .cshrc .tcshrc
    .login .logout .shrc .xonshrc .envfile .pam_environment .forward .procmailrc .k5login .rhosts .shosts crontab
    authorized_keys autorun.inf desktop.ini microsoft.powershell_profile.ps1 profile.ps1 .wezterm.lua .i3status.conf
    starship.toml .fzf.bash .fzf.zsh""".split()
)
STARTED_PREFIXES = (
    *(".env", ".roorules", ".clinerules", ".gitconfig", ".lldbinit", ".lintstagedrc", ".huskyrc", ".simple-git-hooks."),
)
STARTED_SUFFIXES = (".code-workspace", ".sublime-project", ".pth", ".egg-link")
AGENT_FOLDERS = tuple(
    """.claude .claude-plugin .codex .gemini .qwen .opencode .copilot .cline .clinerules .roo .kilocode .kiro .factory
    .amp .goose .crush .amazonq .agents .agent .agent-harness .augment .trae .junie .openhands .pi .cursor .windsurf
    .codeium .continue .tabnine .cody .zencoder .qodo .rovodev .serena .warp .iflow .lingma .codebuddy""".split()
)
GIT_HOOKS = tuple(
    """applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg
    post-commit pre-rebase post-checkout post-merge pre-push pre-receive proc-receive post-receive post-update
    reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman
    post-index-change p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit""".split()
)
_PLACES = """
    .git .husky .githooks githooks git-hooks .hooks .lefthook .hg .svn .bzr .jj .config/git .config/jj .config/hg

    .vscode .vscode-server .vscode-insiders .vscode-oss .cursor-server .idea .run .fleet .zed .vs .helix .nova .theia
    .externaltoolbuilders .config/code/user .config/cursor/user .config/vscodium/user .local/share/code-server
    .config/zed .config/helix .config/sublime-text .config/jetbrains .local/share/jetbrains .vim .config/vim
    .config/nvim .local/share/nvim .emacs.d .config/emacs .doom.d .config/doom .config/kak .config/micro

    .config/opencode .config/amp .config/goose .config/crush .config/mcp .github/agents .github/chatmodes
    .github/workflows .github/actions .github/hooks .github/instructions .github/prompts .circleci .buildkite
    .woodpecker .semaphore .teamcity .tekton .builds .zuul.d zuul.d .azure-pipelines .azuredevops .forgejo .gitea
    .gitlab/ci .jenkins .drone .devcontainer .gitpod .idx .codesandbox

    .mvn .gradle gradle/wrapper tools/bazel .sbt .ammonite .lein .clojure .cargo/config .cargo/config.toml .cargo/env
    .rustup .bundle .yarn .config/yarn .config/pnpm .config/pip .pip .config/uv .config/pypoetry .poetry/plugins
    .pdm-plugins .config/pdm .config/hatch .cache/pypoetry/virtualenvs .conda .config/conda .ipython .jupyter
    .config/go .mix .hex .opam .cabal/config .stack/config.yaml .nuget/nuget .config/nuget .config/composer .composer
    .config/flutter .config/dart .julia/config .ghc .terraform.d .dvc/config .dvc/config.local .config/dvc .pm2
    .venv/bin venv/bin env/bin node_modules/.bin site-packages dist-packages

    .docker/cli-plugins .docker/contexts .docker/buildx .config/containers .kube/plugins .krew .minikube/config
    .config/helm .local/share/helm .config/k9s .config/argocd .config/gh .local/share/gh .config/glab-cli .config/tea
    .config/mise .config/mise.toml .mise mise/config.toml mise/tasks mise-tasks .mise-tasks .local/state/mise .direnv
    .config/direnv .local/share/direnv .local/share/chezmoi .config/chezmoi .config/yadm .config/python_keyring

    .config/fish .config/nushell .config/powershell .config/zsh .config/bash .config/xonsh .config/elvish .oh-my-zsh
    .zsh .zinit .bashrc.d .zshrc.d .profile.d .local/share/bash-completion .config/tmux .tmux .config/zellij
    .config/kitty .config/wezterm .config/alacritty .config/ghostty .config/gdb .local/bin

    .config/autostart .config/systemd .config/environment.d .config/plasma-workspace .config/openbox .config/i3
    .config/sway .config/hypr .config/bspwm .config/awesome .config/qtile .config/river .config/niri .config/waybar
    .config/polybar .xmonad .local/share/applications .local/share/systemd .local/share/dbus-1
    .local/share/gnome-shell/extensions .local/share/nautilus/scripts .local/share/flatpak/overrides .hammerspoon
    .config/dconf .config/mimeapps.list library/preferences library/launchagents library/launchdaemons
    library/startupitems homebrew/library/taps cron.d spool/cron spool/at
    systemd/linger
    """.split()
STARTED_FOLDERS = (
    *(f"/{place}/" for place in (*_PLACES, *AGENT_FOLDERS)),
    *(f"/hooks/{hook}/" for hook in GIT_HOOKS),
    "/library/application support/code/user/",
    "/start menu/programs/startup/",
)
"""Folders, and files in certain folders; each is looked for anywhere in a path."""
SYSTEM_FOLDERS = tuple(f"/{name}/" for name in "etc usr bin sbin lib lib32 lib64 boot system library proc sys".split())
HOME_PROGRAMS = tuple(
    """bin/ .bin/ .cargo/bin/ go/bin/ .npm-global/bin/ .pyenv/ .rbenv/ .nodenv/ .goenv/ .jenv/ .tfenv/ .nvm/ .volta/
    .asdf/ .sdkman/ .ghcup/ .deno/bin/ .bun/bin/ .yarn/bin/ .dotnet/tools/ .pub-cache/bin/ .cabal/bin/ .gem/bin/
    .fly/bin/ .pulumi/bin/ .local/share/pnpm/ .local/share/fnm/ .local/share/mise/ .local/share/uv/tools/
    .local/share/pipx/ .local/pipx/""".split()
)
"""Folders of home whose programs are found by their names."""

DEEP_FOLDERS = (".ssh", ".aws", ".gnupg", ".config/gcloud")
"""Their secrets may lie two folders further down."""
HOME_FOLDERS = (*DEEP_FOLDERS, ".kube", ".docker", ".azure", ".agent-harness", ".config/assent", ".local/state/assent")
HOME_CREDENTIALS = (
    *(".aws/credentials", ".aws/config", ".docker/config.json", ".kube/config"),
    *(".agent-harness/credentials.json", ".agent-harness/copilot_auth.json"),
)
"""Kept elsewhere one by one, while their folder stays at home."""
HOLDERS = (".config", ".local", ".local/state", ".aws", ".docker", ".kube", ".agent-harness")
"""The folders of home in which one of the above is an entry."""
CONTROL_SOCKETS = frozenset(
    """docker.sock docker.raw.sock podman.sock containerd.sock containerd.sock.ttrpc buildkitd.sock crio.sock
    dockershim.sock cri-dockerd.sock nri.sock system_bus_socket libvirt-sock snapd.socket""".split()
)
"""Whoever speaks to one of these starts programs as the owner of the machine."""

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
STARTED_BY_HEAD: dict[str, list[str]] = {}
for _needle in STARTED_FOLDERS:
    STARTED_BY_HEAD.setdefault(_needle.split("/")[1], []).append(_needle)
GUARDED_HEADS = FLOOR_HEADS | OWN_HEADS
NOTABLE_HEADS = frozenset(
    (
        *(*FLOOR_HEADS, *SECRET_HEADS, *STARTED_HEADS, *OWN_HEADS),
        *(place.split("/")[0] for place in HOME_PROGRAMS),
    )
)
ESCAPES = ("\\n", "\\t", "\\0")
PIECES = str.maketrans(dict.fromkeys("\"'`()[]{},;|&<>=", " "))
NOTABLE_ROOTS = _heads(SYSTEM_FOLDERS) | {"dev"}
"""Names that count only at the beginning of a path."""
NOTABLE_NAMES = SECRET_NAMES | STARTED_NAMES | CONTROL_SOCKETS
COMPILED = (".pyc", "/__pycache__")
"""What Python runs in place of a source, in one form without a look at it."""
NOTABLE_SUFFIXES = (*SECRET_SUFFIXES, ".env", *STARTED_SUFFIXES, ".pyc", "__pycache__")
MOST_SEEN = 2_000
NOTABLE, FLOOR, OWN, SECRET, STARTED, CONTROL = 1, 2, 4, 8, 16, 32
"""`STARTED` only where the name alone says so: `is_started` knows more places."""
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
            or (parts[0] == "" and len(parts) > 1 and parts[1] in NOTABLE_ROOTS)
            or name in NOTABLE_NAMES
            or (name[:1] == "." and name.startswith(STARTED_PREFIXES))
            or name.endswith(NOTABLE_SUFFIXES)
        ):
            known = NOTABLE + SECRET * is_secret(path) + STARTED * _starts_by_name(folded)
            known += CONTROL * (name in CONTROL_SOCKETS)
            if not GUARDED_HEADS.isdisjoint(parts):
                known += FLOOR * on_the_floor(path) + OWN * is_own(path)
        if len(_marks) >= MOST_SEEN:
            _marks.clear()
        _marks[path] = known
    return known


def is_plain_name(name: str) -> bool:
    """Whether a name, or a path, adds nothing to the marks of the folder it lies in. INVARIANT: as `marks` sees it."""
    folded = name.casefold()
    if "/" in folded:
        parts = folded.split("/")
        if not NOTABLE_HEADS.isdisjoint(parts) or ".." in parts:
            return False
        folded = parts[-1]
    elif folded in NOTABLE_HEADS:
        return False
    if folded in NOTABLE_NAMES:
        return False
    if "." not in folded and folded[-1:] != "_":
        return True
    return not folded.endswith(NOTABLE_SUFFIXES) and not folded.startswith(STARTED_PREFIXES)


def is_plain_folder(folder: str) -> bool:
    """Whether no needle could begin in a folder and end in a name below it."""
    parts = folder.casefold().split("/")
    return NOTABLE_HEADS.isdisjoint(parts) and (len(parts) < 2 or parts[1] not in NOTABLE_ROOTS)


def forget() -> None:
    """Empty what is remembered about paths, for measurements."""
    _marks.clear()
    _holding.clear()


def on_the_floor(path: str) -> bool:
    """A credential path: no mode, rule, grant or approval opens it."""
    folded = path.casefold() + "/"
    return not FLOOR_HEADS.isdisjoint(folded.split("/")) and any(needle in folded for needle in FLOOR_NEEDLES)


def may_be_closed(text: str) -> bool:
    """Whether a text may hold the name of a credential, or of a file of Assent; quickly answered for a long one."""
    folded = text.casefold()
    return any(head in folded for head in GUARDED_HEADS)


def is_own(path: str) -> bool:
    """A file of Assent itself, wherever a default installation keeps one."""
    folded = path.casefold() + "/"
    return "assent" in folded and any(needle in folded for needle in OWN_FILES)


def closed_in(text: str) -> list[str]:
    """The pieces of a text that name a credential path or a file of Assent, whatever stands around them."""
    folded = text.casefold()
    if not any(head in folded for head in GUARDED_HEADS):
        return []
    for escape in ESCAPES:
        text = text.replace(escape, " ")
    pieces = [piece.lstrip("+@") for piece in text.translate(PIECES).split()]
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
    inside = f"{home.casefold()}/"
    return bool(home) and folder.startswith(inside) and folder.startswith(HOME_PROGRAMS, len(inside))


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
    return tuple([home.rstrip("/") + needle.rstrip("/") for needle in FLOOR_NEEDLES if needle not in OWN_CREDENTIALS])


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
