"""Package managers of operating systems: questions about packages, installing and removing them.

Languages' own managers (`pip`, `npm`, `cargo` …) are elsewhere.
"""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, turns_off
from assent.commands.verb_codes import codes_of, unknown_verb
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from assent.commands.args import Args
    from assent.commands.program import Fact

CODES = {
    "install": "pkg.install",
    "remove": "pkg.remove",
    "lists": "pkg.lists",
    "cache": "pkg.cache",
    "settings": "pkg.settings",
}
SETTINGS_FILES = {
    **dict.fromkeys("apt apt-get apt-cache apt-mark aptitude".split(), "/var/lib/apt/extended_states"),
    **dict.fromkeys("dnf dnf5 yum microdnf".split(), "/etc/yum.repos.d"),
    "zypper": "/etc/zypp/repos.d",
    "apk": "/etc/apk/repositories",
    "brew": "/opt/homebrew/Library/Taps",
    "port": "/opt/local/etc/macports",
    "snap": "/var/lib/snapd",
    "flatpak": "~/.local/share/flatpak/overrides",
}
"""Where each keeps its settings, and where packages come from."""
DOWNLOADS = frozenset("look fetch install lists".split())
"""Groups of verbs: `ask` looks at this machine, `look` asks servers, `fetch` puts files into the folder."""
SERVERS = "the servers of its packages"

APT = codes_of(
    {
        "ask": "list search show policy depends rdepends showsrc help moo check indextargets madison pkgnames stats"
        " dump dumpavail unmet showpkg dotty xvcg showauto showmanual showhold showinstall showremove showpurge",
        "look": "changelog",
        "lists": "update",
        "install": "install reinstall upgrade full-upgrade dist-upgrade dselect-upgrade build-dep satisfy safe-upgrade",
        "remove": "remove purge autoremove autopurge",
        "fetch": "download source",
        "cache": "clean autoclean auto-clean distclean dist-clean gencaches",
        "settings": "hold unhold auto manual minimize-manual markauto unmarkauto",
    }
)
DNF = codes_of(
    {
        "ask": "help",
        "look": "list info search provides whatprovides repolist repoinfo repoquery check-update check-upgrade deplist"
        " grouplist groupinfo updateinfo search-all check changelog leaves needs-restarting repoclosure",
        "lists": "makecache",
        "install": "install upgrade update downgrade reinstall localinstall localupdate distro-sync upgrade-minimal"
        " groupinstall builddep swap",
        "remove": "remove erase autoremove groupremove",
        "fetch": "download reposync",
        "cache": "clean",
        "settings": "mark config-manager versionlock copr",
    }
)
ZYPPER = codes_of(
    {
        "ask": "help locks ll services ls targetos",
        "look": "search se info if list-updates lu list-patches lp packages pa patches pch patterns pt repos lr"
        " what-provides wp patch-check pchk products pd verify ve",
        "lists": "refresh ref refresh-services refs",
        "install": "install in update up dist-upgrade dup patch source-install si install-new-recommends inr",
        "remove": "remove rm",
        "cache": "clean cc",
        "settings": "addrepo ar removerepo rr renamerepo nr modifyrepo mr addlock al removelock rl",
    }
)
APK = codes_of(
    {
        "ask": "info list search policy version stats dot manifest audit verify",
        "lists": "update",
        "install": "add upgrade fix",
        "remove": "del",
        "fetch": "fetch",
        "cache": "cache",
    }
)
BREW = codes_of(
    {
        "ask": "list ls leaves config doctor help commands missing formulae casks shellenv tap-info linkage",
        "look": "search outdated info abv deps uses desc options cat log",
        "lists": "update",
        "install": "install upgrade reinstall postinstall migrate",
        "remove": "uninstall remove rm autoremove",
        "cache": "cleanup fetch",
        "settings": "tap untap link ln unlink pin unpin analytics developer",
    }
)
BREW_FOLDERS = frozenset("--prefix --cellar --cache --repository --repo --caskroom --env".split())
PORT = codes_of(
    {
        "ask": "list installed search info contents deps rdeps dependents variants version echo provides outdated help"
        " location notes",
        "lists": "selfupdate sync",
        "install": "install upgrade activate",
        "remove": "uninstall deactivate reclaim",
        "cache": "clean",
        "settings": "select setrequested unsetrequested",
    }
)
SNAP = codes_of(
    {
        "ask": "list changes tasks version services connections interfaces aliases warnings model known get help logs",
        "look": "info find search",
        "fetch": "download",
        "install": "install refresh revert try",
        "remove": "remove",
        "settings": "set unset connect disconnect alias unalias prefer enable disable start stop restart switch login"
        " logout ack wait watch okay abort save restore forget",
    }
)
FLATPAK = codes_of(
    {
        "ask": "list info history remotes config permissions permission-show ps documents",
        "look": "search remote-ls remote-info",
        "install": "install update upgrade",
        "remove": "uninstall remove",
        "settings": "remote-add remote-modify remote-delete override mask pin permission-set permission-remove"
        " permission-reset make-current repair kill",
    }
)


def _facts(args: Args, group: str, words: list[Word]) -> Iterator[Fact]:
    """What one group of verbs does with the words behind the verb."""
    shown = " ".join(word.text for word in words) or "packages"
    if group in DOWNLOADS:
        yield args.effect("reach", SERVERS)
    code = CODES.get(group)
    if code:
        yield args.effect("change", shown, code)
    if group == "settings":
        yield from kept(args, "write", SETTINGS_FILES[args.name])
    if group == "fetch":
        yield from args.act("into", Word(".", "."), "downloaded")
    if group in ("install", "remove"):
        for word in words:
            yield from _named(args, word)


def _named(args: Args, word: Word) -> Iterator[Fact]:
    """A package that is a file or an address instead of a name."""
    text = word.value
    if text is None:
        yield args.gap(f"which packages is not known ({word.why})", blind=True)
    elif "://" in text:
        yield from args.act("url", word)
    elif text.startswith(("/", "./", "../", "~")) or text.endswith(
        (".deb", ".rpm", ".apk", ".snap", ".flatpak", ".zst")
    ):
        yield from args.file("read", word)


def _by_group(args: Args, groups: Mapping[str, str]) -> Iterator[Fact]:
    if not args.operands:
        return
    group = groups.get(args.operands[0].value or "")
    if group is None:
        yield from unknown_verb(args)
    elif not (args.has("--simulate") and group in ("install", "remove")):
        yield from _facts(args, group, args.operands[1:])


@turns_off("", everything="--simulate")
def _apt(args: Args) -> Iterator[Fact]:
    yield from _by_group(args, APT)


def _dnf(args: Args) -> Iterator[Fact]:
    """`history`, `module` and `group` have verbs of their own."""
    values = [word.value for word in args.operands]
    if values == ["system-upgrade", "log"]:
        return
    if values[:1] in (["history"], ["module"], ["group"]):
        inner = values[1] if len(values) > 1 else "list"
        asks = inner in ("list", "info", "summary", "userinstalled", "provides")
        looks = "ask" if values[0] == "history" else "look"
        yield from _facts(args, looks if asks else "install", args.operands[2:])
    else:
        yield from _by_group(args, DNF)


def _zypper(args: Args) -> Iterator[Fact]:
    yield from _by_group(args, ZYPPER)


@turns_off("", everything="--simulate")
def _apk(args: Args) -> Iterator[Fact]:
    yield from _by_group(args, APK)


@turns_off("--prefix --cellar --cache --repository --caskroom")
def _brew(args: Args) -> Iterator[Fact]:
    """Formulas are programs in Ruby: one that is named by a path or lies in a tap is run even to be shown."""
    values = [word.value or "" for word in args.operands]
    if args.call.words[1:] and args.call.words[1].value in BREW_FOLDERS:
        return
    if values == ["tap"] or values[:2] in (["services", "list"], ["services", "info"], ["services"]):
        return
    if values[:1] == ["services"]:
        yield args.effect("change", " ".join(values[2:]) or "services", "service.restart")
        yield from kept(args, "write", "~/Library/LaunchAgents")
        return
    if any("/" in value or value.endswith(".rb") for value in values[1:]):
        yield args.effect("run", "a formula", "script")
        yield args.gap("a formula outside of Homebrew is a program")
    yield from _by_group(args, BREW)


def _port(args: Args) -> Iterator[Fact]:
    yield from _by_group(args, PORT)


def _snap(args: Args) -> Iterator[Fact]:
    yield from _by_group(args, SNAP)


def _flatpak(args: Args) -> Iterator[Fact]:
    yield from _by_group(args, FLATPAK)


def _nix(args: Args) -> Iterator[Fact]:
    """Nearly every verb evaluates an expression, which can be any program, and builds what it says."""
    values = [word.value for word in args.operands]
    if values[:2] == ["search", "nixpkgs"]:
        yield args.effect("reach", SERVERS)
    elif values[:2] in (["profile", "list"], ["registry", "list"]) or values[:1] == ["help"]:
        return
    elif values:
        yield args.effect("run", f"nix {values[0] or args.operands[0].text}", "program")
        yield args.effect("reach", SERVERS)
        yield args.gap("what its expression does is not followed", blind=True)


@turns_off("-q")
def _nix_environment(args: Args) -> Iterator[Fact]:
    if not args.has("-q") or args.has("-a", "-i", "-u", "-e"):
        yield args.effect("reach", SERVERS)
    if not args.has("-q") or args.has("-i", "-u", "-e"):
        yield args.effect("change", "packages", "pkg.install")


def _repository(args: Args) -> Iterator[Fact]:
    yield args.effect("reach", SERVERS)
    yield args.effect("change", "where packages come from", "pkg.settings")
    yield from kept(args, "write", "/etc/apt/sources.list.d")


APT_OPTIONS = (
    "-y,--yes,--assume-yes -q,--quiet --simulate,-s,--just-print,--dry-run,--recon,--no-act --no-install-recommends"
    " --install-recommends --install-suggests -f,--fix-broken -m,--ignore-missing,--fix-missing -d,--download-only"
    " -u,--show-upgraded -V,--verbose-versions -t,--target-release,--default-release= --no-upgrade --only-upgrade"
    " --allow-unauthenticated --allow-downgrades --allow-remove-essential --allow-change-held-packages"
    " --allow-releaseinfo-change --reinstall --purge --auto-remove,--autoremove --no-remove --no-download --force-yes"
    " --print-uris --installed --upgradable,--upgradeable --manual-installed -a,--all-versions --all-names"
    " -n,--names-only"
    " --full --no-all-versions -i,--important --recurse --no-pager --no-color --no-show-upgraded --arch-only"
    " --indep-only --ignore-hold --trivial-only --with-new-pkgs --without-new-pkgs"
)
DNF_OPTIONS = (
    "-y,--assumeyes --assumeno -q,--quiet -v,--verbose -C,--cacheonly --enablerepo= --disablerepo= --repo,--repoid="
    " --refresh --nogpgcheck --best --nobest --allowerasing --skip-broken --installed --available --all"
    " --showduplicates"
    " --security --bugfix --enhancement --advisory= -x,--exclude= --obsoletes --upgrades --updates --extras --recent"
    " --releasever= --color= -d,--debuglevel= -e,--errorlevel= -4 -6 --whatprovides= --whatrequires="
    " --requires"
    " --provides --qf,--queryformat= -l,--list --srpm --remote-time --downloadonly --nodocs --noautoremove"
)
REPOSITORY = Program(
    "-y,--yes -r,--remove -n,--no-update -u,--update -P,--ppa= -U,--uri= -c,--component= -l,--list",
    "text*",
    more=_repository,
)
BREW_OPTIONS = (
    "-v,--verbose -q,--quiet -d,--debug -f,--force --formula,--formulae --cask,--casks --json[=] --versions --installed"
    " --prefix --cellar --cache --repository --caskroom --greedy -1 -l -r -t --full-name --multiple --pinned --desc"
    " --eval-all --tree --topological -n,--dry-run --include-build --include-test --include-optional --skip-recommended"
    " --recursive --HEAD --build-from-source --force-bottle --ignore-dependencies --only-dependencies --overwrite --zap"
    " --prune= -s --no-quarantine --adopt --fetch-HEAD --display-times"
)

PROGRAMS = {
    "apt": Program(APT_OPTIONS, "text*", more=_apt),
    "apt-get": Program(APT_OPTIONS, "text*", more=_apt),
    "apt-cache": Program(APT_OPTIONS.replace("--simulate,-s,", "--simulate,"), "text*", more=_apt),
    "apt-mark": Program(APT_OPTIONS, "text*", more=_apt),
    "aptitude": Program(
        "-y,--assume-yes --simulate,-s -q,--quiet -F= -w= -v -D -d,--download-only -P -V", "text*", more=_apt
    ),
    "add-apt-repository": REPOSITORY,
    "apt-add-repository": REPOSITORY,
    "dnf": Program(DNF_OPTIONS, "text*", more=_dnf),
    "dnf5": Program(DNF_OPTIONS, "text*", more=_dnf),
    "yum": Program(DNF_OPTIONS, "text*", more=_dnf),
    "microdnf": Program(DNF_OPTIONS, "text*", more=_dnf),
    "zypper": Program(
        "-n,--non-interactive -q,--quiet -v,--verbose --no-refresh --no-gpg-checks --gpg-auto-import-keys -x,--xmlout"
        " -t,--type= -r,--repo= -i,--installed-only -u,--not-installed-only,--uninstalled-only -s,--details"
        " -y,--no-confirm"
        " -f,--force -l,--auto-agree-with-licenses --no-recommends --recommends --dry-run -D -u --provides --requires",
        "text*",
        more=_zypper,
    ),
    "apk": Program(
        "-U,--update-cache --no-cache -q,--quiet -v,--verbose -t,--virtual= -u,--upgrade -a,--all -d,--description"
        " -e,--installed -I -L,--contents -W,--who-owns -R,--depends -r,--rdepends -o,--origin --purge --no-progress -l"
        " --available --simulate,-s",
        "text*",
        more=_apk,
    ),
    "brew": Program(BREW_OPTIONS, "text*", more=_brew),
    "port": Program("-v -d -q -n -R -u -f -y -c -k -p -N", "text*", more=_port),
    "snap": Program(
        "--all --classic --channel= --stable --candidate --beta --edge --devmode --jailmode --dangerous --revision="
        " --purge"
        " --no-wait --color= --unicode= --verbose --last= --abs-time -n= -f",
        "text*",
        more=_snap,
    ),
    "flatpak": Program(
        "-y,--assumeyes -v,--verbose --noninteractive --user --system --app --runtime --columns= --show-details -d"
        " --all -a"
        " --unused --delete-data --if-not-exists --arch= --from --reinstall --or-update --no-deps --no-related",
        "text*",
        more=_flatpak,
    ),
    "nix": Program(
        "--extra-experimental-features= --experimental-features= --json -v,--verbose --quiet --refresh --offline -L"
        " --print-build-logs",
        "text*",
        style="posix",
        more=_nix,
    ),
    "nix-env": Program(
        "-q,--query -i,--install -u,--upgrade -e,--uninstall -a,--available --installed --description -P,--attr-path"
        " --out-path --no-name -c,--compare-versions -s,--status --system --json -A",
        "text*",
        more=_nix_environment,
    ),
}

EXAMPLES = {
    "dnf system-upgrade log": "note dnf",
    "dnf system-upgrade reboot": "run dnf system-upgrade #program | gap dnf: subcommand system-upgrade is not known",
    "apt list --installed": "note apt",
    "apt search nginx": "note apt",
    "apt show nginx": "note apt",
    "apt update": "reach the servers of its packages | change packages #pkg.lists",
    "apt install -y python3-pip ffmpeg": "reach the servers of its packages | change python3-pip ffmpeg #pkg.install",
    "apt-get install -y --no-install-recommends ./a.deb": "reach the servers of its packages"
    " | change ./a.deb #pkg.install | read ./a.deb",
    "apt-get -s install nginx": "note apt-get",
    "apt-get remove --purge nothing": "change nothing #pkg.remove",
    "apt-get autoremove -y > out": "write out #redirect | change packages #pkg.remove",
    "apt-get -o APT::Update::Pre-Invoke::=ls update": "run apt-get APT::Update::Pre-Invoke::=ls #program"
    " | gap apt-get: option -o is not known | gap apt-get: subcommand APT::Update::Pre-Invoke::=ls is not known",
    "apt-get download nginx": "reach the servers of its packages | write ./** #downloaded",
    "apt-get source nginx": "reach the servers of its packages | write ./** #downloaded",
    "apt-get clean > out": "write out #redirect | change packages #pkg.cache",
    "apt-get install $x": "reach the servers of its packages | change $x #pkg.install"
    " | blind apt-get: a word is not known (variable x) | blind apt-get: which packages is not known (variable x)",
    "apt edit-sources": "run apt edit-sources #program | gap apt: subcommand edit-sources is not known",
    "apt-cache policy nginx": "note apt-cache",
    "apt-mark showmanual": "note apt-mark",
    "apt-mark hold nginx": "change nginx #pkg.settings | write /var/lib/apt/extended_states",
    "aptitude search nginx": "note aptitude",
    "add-apt-repository -y ppa:a/b": "reach the servers of its packages | change where packages come from"
    " #pkg.settings | write /etc/apt/sources.list.d",
    "apt-add-repository ppa:a/b": "reach the servers of its packages | change where packages come from #pkg.settings"
    " | write /etc/apt/sources.list.d",
    "dnf list installed": "reach the servers of its packages",
    "dnf install -y nginx": "reach the servers of its packages | change nginx #pkg.install",
    "dnf remove nginx": "change nginx #pkg.remove",
    "dnf module list nginx": "reach the servers of its packages",
    "dnf history": "note dnf",
    "dnf history undo 3": "reach the servers of its packages | change 3 #pkg.install",
    "dnf shell": "run dnf shell #program | gap dnf: subcommand shell is not known",
    "dnf --setopt=a=b install nginx": "reach the servers of its packages | change nginx #pkg.install"
    " | gap dnf: option --setopt is not known",
    "dnf5 info nginx": "reach the servers of its packages",
    "yum install mysql": "reach the servers of its packages | change mysql #pkg.install",
    "yum --nogpgcheck localinstall a.rpm": "reach the servers of its packages | change a.rpm #pkg.install | read a.rpm",
    "microdnf install nginx": "reach the servers of its packages | change nginx #pkg.install",
    "zypper search nginx": "reach the servers of its packages",
    "zypper in nginx": "reach the servers of its packages | change nginx #pkg.install",
    "apk info -a musl": "note apk",
    "apk add --no-cache git": "reach the servers of its packages | change git #pkg.install",
    "apk del git": "change git #pkg.remove",
    "brew list": "note brew",
    "brew info wget": "reach the servers of its packages",
    "brew doctor": "note brew",
    "brew --prefix openssl": "note brew",
    "brew install wget": "reach the servers of its packages | change wget #pkg.install",
    "brew uninstall wget": "change wget #pkg.remove",
    "brew search wget": "reach the servers of its packages",
    "brew info ./a.rb": "run a formula #script | reach the servers of its packages"
    " | gap brew: a formula outside of Homebrew is a program",
    "brew services list": "note brew",
    "brew services restart nginx": "change nginx #service.restart | write ~/Library/LaunchAgents",
    "brew edit wget": "run brew edit #program | gap brew: subcommand edit is not known",
    "brew bundle": "run brew bundle #program | gap brew: subcommand bundle is not known",
    "port installed": "note port",
    "port install wget": "reach the servers of its packages | change wget #pkg.install",
    "snap list": "note snap",
    "snap changes": "note snap",
    "snap install hello": "reach the servers of its packages | change hello #pkg.install",
    "snap run hello": "run snap run #program | gap snap: subcommand run is not known",
    "flatpak list": "note flatpak",
    "flatpak install flathub org.a.B": "reach the servers of its packages | change flathub org.a.B #pkg.install",
    "flatpak run org.a.B": "run flatpak run #program | gap flatpak: subcommand run is not known",
    "nix search nixpkgs hello": "reach the servers of its packages",
    "nix develop nixpkgs#hello": "run nix develop #program | reach the servers of its packages"
    " | blind nix: what its expression does is not followed",
    "nix flake update": "run nix flake #program | reach the servers of its packages"
    " | blind nix: what its expression does is not followed",
    "nix profile list": "note nix",
    "nix-env -q": "note nix-env",
    "nix-env -iA nixpkgs.hello": "reach the servers of its packages | change packages #pkg.install",
    "brew install -s wget": "reach the servers of its packages | change wget #pkg.install",
    "zypper in -s nginx": "reach the servers of its packages | change nginx #pkg.install",
    "apk add -s git": "note apk",
    "nix search github:a/b x": "run nix search #program | reach the servers of its packages"
    " | blind nix: what its expression does is not followed",
}
