"""Which family file knows which program: the one registry. A family is imported when one of its programs is met."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.commands.program import Program

TRUSTED_FOLDERS = frozenset(
    (
        *("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/", "/opt/homebrew/bin/"),
        *("/usr/lib/git-core/", "/usr/libexec/git-core/"),
    )
)
"""A program named by a path is the one we know only if it lies where systems keep theirs."""

FAMILIES = {
    "itself": "assent",
    "files": "ls cp mv ln rm rmdir unlink mkdir touch chmod",
    "compose": "docker-compose",
    "containers": "docker podman nerdctl skopeo crane buildah crictl ctr",
    "kubernetes": "kubectl oc kind minikube k3d argocd flux istioctl stern kubectx kubens k9s",
    "charts": "helm kustomize skaffold tilt",
    "sed": "sed gsed",
    "viewers": "less zless more zmore most zcat bat batcat look ul hexyl",
    "editors": (
        "vi vim nvim gvim mvim rvim vimx vimdiff ex ed red nano rnano pico micro joe jmacs jpico jed emacs emacsclient "
        "mg zile hx helix kak mcedit ne code code-insiders codium subl zed atom mate bbedit gedit gnome-text-editor "
        "kate kwrite mousepad pluma xed leafpad featherpad geany nedit idea pycharm webstorm goland clion cursor "
        "windsurf view rview vidir"
    ),
    "builtins": (
        "echo printf true false : test [ cd pwd type command builtin eval which whereis hash read mapfile "
        "readarray export declare typeset readonly set local unset let shift exit logout return break continue "
        "getopts wait jobs fg bg disown suspend times caller umask ulimit alias unalias enable shopt bind "
        "complete compgen compopt pushd popd dirs trap history fc help source . exec kill bash sh dash ksh zsh"
    ),
    "wrappers": (
        "nohup nice ionice chrt taskset timeout stdbuf setsid time env printenv xargs watch flock busybox sudo "
        "doas su runuser pkexec"
    ),
    "launchers": (
        "strace ltrace script unshare nsenter chroot setarch linux32 linux64 prlimit choom setpriv "
        "start-stop-daemon systemd-run bwrap firejail fakeroot caffeinate nix-shell ld-linux-x86-64.so.2"
        " ld-linux-aarch64.so.1 "
        "ld-linux.so.2 parallel dbus-run-session xvfb-run expect at batch "
        "atq atrm crontab"
    ),
    "synthetic": "xdotool ydotool dotool wtype xte xvkbd cliclick xsendkeys",
    "terminals": "tmux screen stty tput clear reset tset tty",
    "web_servers": "caddy httpd live-server browser-sync",
    "awk": "awk gawk mawk nawk",
    "dumps": "od hexdump hd xxd strings base64 base32 basenc shasum crc32",
    "databases": "psql pg_dump pg_dumpall pg_restore pg_isready createdb dropdb createuser dropuser pg_ctl initdb mysql"
    " mariadb mysqldump mariadb-dump mysqladmin",
    "tar": "tar gtar bsdtar cpio",
    "zips": "zip unzip zipinfo 7z 7za 7zr 7zz rar unrar",
    "compression": (
        "gzip gunzip pigz unpigz bzip2 bunzip2 bzcat pbzip2 xz unxz lzma unlzma xzcat lzcat zstd zstdmt "
        "unzstd zstdcat lz4 unlz4 lz4cat compress uncompress brotli"
    ),
    "curl": "curl",
    "removing": "srm wipe gio trash trash-put rmtrash rimraf del-cli",
    "find": "find fd fdfind locate plocate mlocate",
    "listing": "dir vdir exa eza lsd tree stat file du ncdu readlink realpath pathchk namei lsattr getfacl dircolors",
    "ownership": "chown chgrp chattr setfacl install mktemp truncate fallocate mkfifo mknod link rename",
    "disks": "df lsblk findmnt mount umount sync dd shred",
    "system": (
        "date cal ncal uname arch sw_vers lsb_release hostname domainname dnsdomainname hostid id whoami who w "
        "users groups logname last lastb lastlog finger getent locale getconf sleep usleep uptime free vmstat "
        "vm_stat sysctl dmesg"
    ),
    "hardware": (
        "nproc lscpu lsmem lspci lsusb lsmod modinfo lshw lsscsi lsipc ipcs hwclock sensors iostat mpstat pidstat "
        "sar nvidia-smi acpi system_profiler"
    ),
    "processes": "ps pgrep pidwait pidof pstree pmap pwdx pkill killall fuser skill xkill lsof top htop atop renice",
    "search": "grep egrep fgrep rgrep ggrep zgrep zegrep zfgrep rg ag ack ugrep pt fzf",
    "sqlite": "sqlite3 sqlite duckdb sqldiff",
    "ssh": "ssh scp sftp ssh-keygen ssh-keyscan ssh-add ssh-copy-id ssh-agent",
    "stores": "redis-cli valkey-cli redis-server mongosh mongo mongodump mongorestore mongoexport mongoimport etcdctl"
    " cqlsh influx clickhouse-client snowsql usql pgcli mycli litecli dolt",
    "git": "git",
    "hg": "hg jj svn",
    "github": "gh",
    "forges": "glab tea hub",
    "pipes": "pv ts isutf8 errno combine",
    "csvfiles": "csvcut csvgrep csvlook csvstat csvsort csvjson csvformat csvstack csvjoin in2csv csvtool",
    "sources": "cloc scc tokei ctags ctags-universal",
    "rsync": "rsync",
    "services": (
        "systemctl journalctl service rc-service launchctl systemd-analyze systemd-detect-virt systemd-cgls "
        "systemd-escape loginctl localectl timedatectl hostnamectl"
    ),
    "downloads": "wget aria2c http https xh xhs yt-dlp youtube-dl",
    "aws": "aws",
    "videos": "ffprobe ffmpeg",
    "transfer": "nc netcat ncat socat telnet ftp lftp rclone wormhole croc ngrok cloudflared",
    "gcloud": "gcloud gsutil bq az",
    "json": "jq gojq yq xq tomlq gron fx dasel xmllint xmlstarlet xsltproc jo jc htmlq pup tq toml",
    "networks": "ping ping6 fping arping traceroute traceroute6 tracepath mtr dig nslookup host whois nmap tcpdump",
    "network_settings": (
        "ip ifconfig iwconfig route arp ss netstat iptables ip6tables iptables-save iptables-restore nft ufw "
        "firewall-cmd ethtool nmcli resolvectl networksetup scutil"
    ),
    "images": "identify convert mogrify magick exiftool",
    "infrastructure": "terraform tofu terragrunt pulumi packer vagrant chef-client puppet salt",
    "ansible": "ansible ansible-playbook ansible-vault ansible-doc",
    "miller": "mlr",
    "openssl": "openssl",
    "keys": "gpg gpg2 gpgv age age-keygen pass gopass security secret-tool",
    "mail": "mail mailx sendmail mutt neomutt",
    "cloud": "doctl hcloud linode-cli openstack ibmcloud oci heroku fly flyctl vercel netlify wrangler firebase"
    " supabase railway",
    "deployments": "s3cmd mc serverless sam cdk amplify copilot eksctl ecs-cli",
    "packages_os": (
        "apt apt-get apt-cache apt-mark aptitude add-apt-repository apt-add-repository dnf dnf5 yum microdnf "
        "zypper apk brew port snap flatpak nix nix-env"
    ),
    "package_files": "dpkg dpkg-query dpkg-deb rpm pacman",
    "text": (
        "cat tac head tail wc sort uniq cut paste join comm tr nl fold fmt pr expand unexpand rev column split "
        "csplit shuf tsort ptx tee sponge iconv dos2unix unix2dos mac2unix unix2mac col colrm numfmt seq factor "
        "expr yes basename dirname uuidgen jot bc"
    ),
    "sums": "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum b3sum md5",
    "compare": "diff colordiff zdiff cmp sdiff diff3 wdiff",
    "patch": "patch apply_patch applypatch",
    "documents": "pdftotext pdfinfo pdffonts pdftoppm pdfunite pandoc aspell hunspell",
    "virtual_machines": "virsh VBoxManage vboxmanage qm pct incus lxc multipass limactl qemu-img qemu-system-x86_64"
    " qemu-system-aarch64",
    "vaults": "op bw lpass vault consul nomad boundary",
    "irreversible": (
        "lvremove vgremove pvremove pvcreate lvreduce vgreduce zpool zfs btrfs cryptsetup mdadm nvme hdparm "
        "cdktf sst prisma typeorm sequelize sequelize-cli knex drizzle-kit diesel sqlx dbmate "
        "migrate flyway liquibase flit rye jsr vsce ovsx changeset maturin nuget pod goreleaser luarocks "
        "conan semantic-release release-it np gh-pages surge manage.py artisan console setup.py"
    ),
    "revealing": "sops keyring doppler infisical chamber ejson credstash envchain aws-vault summon teller dotenv"
    " envsubst docker-credential-pass docker-credential-desktop docker-credential-osxkeychain"
    " docker-credential-secretservice docker-credential-wincred docker-credential-ecr-login docker-credential-gcr"
    " docker-credential-gcloud docker-credential-acr-env",
    "bundles": (
        "ar ranlib jar xzgrep xzegrep xzfgrep bzgrep bzegrep bzfgrep lzgrep zstdgrep zipgrep zcmp xzdiff "
        "xzcmp bzdiff bzcmp gzcat funzip"
    ),
    "binaries": "nm objdump readelf size strip objcopy addr2line c++filt otool lipo ldd ldconfig",
    "manuals": "man apropos whatis info tldr",
    "desktop": (
        "open xdg-open gnome-open wslview pbcopy pbpaste xclip xsel wl-copy wl-paste notify-send "
        "terminal-notifier say espeak osascript"
    ),
    "machine": (
        "shutdown reboot halt poweroff init telinit mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs "
        "mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mke2fs mkswap blkdiscard fdisk sfdisk gdisk cfdisk "
        "sgdisk parted wipefs blkid modprobe insmod rmmod depmod swapon swapoff losetup locale-gen update-locale "
        "dpkg-reconfigure update-alternatives alternatives"
    ),
    "accounts": (
        "useradd adduser groupadd addgroup newusers userdel deluser groupdel delgroup usermod groupmod gpasswd "
        "chsh chfn newgrp dscl chpasswd passwd chage visudo vipw vigr"
    ),
    "linting": "shellcheck shfmt hadolint yamllint jsonlint markdownlint actionlint tflint checkov ansible-lint taplo"
    " prek cspell codespell vale lychee",
    "scanners": "gitleaks trufflehog trivy grype syft snyk semgrep",
    "agents": "claude codex gemini opencode aider goose cursor-agent amp qwen crush ollama llm hf huggingface-cli"
    " kaggle wandb dvc mlflow",
    "runners": "hyperfine watchexec entr act direnv mise asdf stow yadm chezmoi hugo jekyll",
    "user_tools": (
        "pyenv rbenv nodenv goenv jenv tfenv sdk ghcup fnm husky "
        "lefthook simple-git-hooks overcommit gsettings dconf defaults xdg-mime xdg-settings gpgconf gpgsm "
        "ssh-import-id tsh saml2aws aws-azure-login gimme-aws-creds okta-aws-cli aws-sso kubelogin kops vcluster "
        "kubeadm rancher modal databricks dbt expo eas clasp gitlab-runner starship fisher "
        "activate-global-python-argcomplete update-rc.d chkconfig rc-update update-ca-certificates trust "
        "pam-auth-update aa-disable aa-complain aa-enforce setsebool semanage minisign mysql_config_editor step "
        "fcrontab incrontab gpg-connect-agent"
    ),
    "work_services": "jira slack stripe twilio sentry-cli newrelic datadog-ci",
    "interpreters": (
        "node nodejs perl ruby irb php lua luajit julia Rscript R swift scala groovy tclsh wish guile racket "
        "elixir erl runghc java jshell pwsh powershell"
    ),
    "python": (
        "python python2 python2.7 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 "
        "python3.14 pypy pypy3 ipython"
    ),
    "python_packages": "pip pip3 pipx pyproject-build twine virtualenv",
    "python_projects": "poetry pdm hatch conda mamba micromamba",
    "uv": "uv uvx",
    "python_tools": (
        "pytest py.test coverage tox nox mypy pyright basedpyright pyre ruff black isort flake8 pylint autopep8 "
        "yapf bandit pre-commit"
    ),
    "python_servers": (
        "sphinx-build mkdocs jupyter streamlit uvicorn gunicorn hypercorn flask django-admin alembic celery"
    ),
    "javascript_packages": "npm npx pnpm pnpx yarn",
    "javascript_runtimes": "bun bunx deno nvm volta corepack",
    "javascript": (
        "tsc vue-tsc tsx ts-node swc eslint prettier stylelint biome oxlint jest vitest mocha playwright cypress"
    ),
    "javascript_servers": (
        "vite webpack rollup esbuild next nuxt nuxi astro ng vue-cli-service react-scripts turbo nx lerna "
        "node-gyp nodemon pm2 serve http-server"
    ),
    "macros": "m4 dc",
    "builds": "make gmake cmake ctest ninja meson bazel bazelisk gradle gradlew mvn mvnw ant sbt just task rake",
    "c_compilers": "gcc g++ cc c++ clang clang++ clang-format clang-tidy ld as nasm",
    "compilers": "javac kotlinc swiftc ghc zig nim crystal protoc buf",
    "rust_and_go": "cargo rustc rustfmt rustup go gofmt goimports golangci-lint",
    "language_tools": (
        "dotnet msbuild gem bundle bundler rspec rubocop rails composer phpunit mix rebar3 stack cabal opam dune "
        "xcodebuild dart flutter"
    ),
}
"""Programs of each file in this folder, in its `PROGRAMS`."""

PLAIN_FAMILIES = frozenset({"files", "text", "system", "sums"})
"""Programs that look at no variables but those of language and time."""

OBEYS_PROJECT = frozenset(
    (
        *"npm cargo rustc rustfmt rustup go mocha jekyll mix rebar3 pyre ansible ansible-playbook".split(),
        *"ansible-vault ansible-doc ansible-lint dotnet gradlew prisma sequelize sequelize-cli uv".split(),
        *("docker-compose", "docker compose", "podman compose", "nerdctl compose"),
    )
)
"""Programs and subcommands that `loaded.py` knows more about."""

FED = frozenset(
    "psql mysql mariadb sqlite3 sqlite duckdb redis-cli valkey-cli mongosh mongo make gmake m4 dc patch apply_patch"
    " applypatch".split()
)
"""Programs that take a text on their standard input for commands, if it stands in the command line."""


def family_of(name: str) -> str:
    """The file that describes a program, empty when none does. One search is faster than a table of all names."""
    found = _families.get(name)
    if found is None:
        found = next((family for family, names in FAMILIES.items() if name in names and name in names.split()), "")
        if len(_families) >= MOST_NAMES:
            _families.clear()
        if len(name) <= LONGEST_NAME:
            _families[name] = found
    return found


def is_described(word: str) -> bool:
    """Whether a word is the name of a program. Not remembered: any text holds many that are none."""
    known = _families.get(word)
    return (
        bool(known) if known is not None else any(word in names.split() for names in FAMILIES.values() if word in names)
    )


_families: dict[str, str] = {}
MOST_NAMES, LONGEST_NAME = 2_000, 40


def program_named(name: str) -> Program | None:
    """The description of a program, None when nobody wrote one."""
    found = _found.get(name)
    if found is None and (family := family_of(name)):
        module = __import__(f"assent.commands.{family}", fromlist=("PROGRAMS",))
        found = _found[name] = module.PROGRAMS[name]
    return found


_found: dict[str, Program] = {}


def ignores_variables(name: str) -> bool:
    return family_of(name) in PLAIN_FAMILIES
