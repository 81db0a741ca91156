"""Programs that work on single packages without asking servers: `dpkg`, `rpm`, `pacman` and what belongs to them."""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

DPKG_CHANGES = {
    "-i": "pkg.install",
    "--unpack": "pkg.install",
    "--configure": "pkg.install",
    "--triggers-only": "pkg.install",
    "-r": "pkg.remove",
    "-P": "pkg.remove",
    "--set-selections": "pkg.settings",
    "--clear-selections": "pkg.settings",
    "--add-architecture": "pkg.settings",
    "--remove-architecture": "pkg.settings",
}
READS_ARCHIVE = ("-c", "-I", "-f", "--ctrl-tarfile", "--fsys-tarfile")
EXTRACTS = ("-x", "-X", "-e", "-R")
SERVERS = "the servers of its packages"


@turns_off("", everything="--no-act")
def _dpkg(args: Args) -> Iterator[Fact]:
    """One option says what to do with the operands."""
    acts = not args.has("--no-act")
    for option, code in DPKG_CHANGES.items():
        if args.has(option) and acts:
            yield args.effect("change", " ".join(word.text for word in args.operands) or "packages", code)
            if code == "pkg.settings":
                yield from kept(args, "write", "/var/lib/dpkg/status")
    if args.has("-i", "--unpack"):
        for word in args.operands:
            yield from args.file("read", word, deep=args.has("-R"))
    else:
        yield from _archive(args)


def _archive(args: Args) -> Iterator[Fact]:
    """`dpkg-deb`: archives are shown, unpacked into a folder, or made of one."""
    words = args.operands
    if args.has(*READS_ARCHIVE) or (args.name == "dpkg-deb" and args.has("-W")):
        for word in words[:1]:
            yield from args.file("read", word)
    if args.has(*EXTRACTS) and (args.name == "dpkg-deb" or not args.has("-i", "--unpack")):
        for word in words[:1]:
            yield from args.file("read", word)
        for word in words[1:2]:
            yield from args.file("write", word, deep=True)
        if len(words) < 2:
            yield args.effect("write", "DEBIAN")
    if args.has("-b"):
        for word in words[:1]:
            yield from args.file("read", word, deep=True)
        for word in words[1:] or words[:1]:
            yield from args.file("write", word, deep=len(words) > 1)
        if len(words) < 2:
            yield args.gap("the name of the archive comes from the folder")


@turns_off("-a", everything="-q -V -K -i -U -F -e --import --noscripts")
def _rpm(args: Args) -> Iterator[Fact]:
    """With `-q` or `-V` it asks; else `-i`, `-U`, `-F` install files and `-e` removes packages.

    A package may bring a script that `-V` runs.
    """
    words = args.operands
    shown = " ".join(word.text for word in words) or "packages"
    if any(macro in (word.value or macro) for word in args.values("--qf") for macro in ("%(", ":expand")):
        yield args.gap("a format may hold a macro that starts a program")
    if args.has("-V") and not args.has("--noscripts"):
        yield args.effect("run", f"scripts that verify {shown}", "program")
    if args.has("-q", "-V", "-K"):
        for word in words:
            if args.has("-p", "-K"):
                yield from args.act("url" if "://" in (word.value or "") else "read", word)
            elif args.has("-f"):
                yield from args.file("list", word)
        return
    if args.has("-i", "-U", "-F"):
        yield args.effect("change", shown, "pkg.install")
        for word in words:
            yield from args.act("url" if "://" in (word.value or "") else "read", word)
    elif args.has("-e"):
        yield args.effect("change", shown, "pkg.remove")
    elif args.has("--import"):
        yield args.effect("change", "trusted keys", "pkg.settings")
        yield from kept(args, "write", "/etc/pki/rpm-gpg")
        for word in words:
            yield from args.act("url" if "://" in (word.value or "") else "read", word)
    elif words or args.given:
        yield args.gap("nothing says what to do")


@turns_off("-V", everything="-Q -S -R -U -F -D -T -c -s -i -l -g -p -y")
def _pacman(args: Args) -> Iterator[Fact]:
    """A capital letter says what to do, small ones how."""
    words = args.operands
    shown = " ".join(word.text for word in words) or "packages"
    if args.has("-Q", "-T"):
        for word in words:
            if args.has("-p"):
                yield from args.file("read", word)
    elif args.has("-F"):
        if args.has("-y"):
            yield args.effect("reach", SERVERS)
            yield args.effect("change", "lists of packages", "pkg.lists")
    elif args.has("-S"):
        yield from _synchronised(args, shown)
    elif args.has("-U"):
        yield args.effect("change", shown, "pkg.install")
        for word in words:
            yield from args.act("url" if "://" in (word.value or "") else "read", word)
    elif args.has("-R"):
        yield args.effect("change", shown, "pkg.remove")
    elif args.has("-D"):
        yield args.effect("change", shown, "pkg.settings")
        yield from kept(args, "write", "/var/lib/pacman/local")
    elif words or not args.has("-V"):
        yield args.gap("nothing says what to do")


def _synchronised(args: Args, shown: str) -> Iterator[Fact]:
    if args.has("-y"):
        yield args.effect("reach", SERVERS)
        yield args.effect("change", "lists of packages", "pkg.lists")
    if args.has("-c"):
        yield args.effect("change", "downloaded packages", "pkg.cache")
    elif args.has("-u") or (not args.has("-s", "-i", "-l", "-g", "-p") and (args.operands or not args.has("-y"))):
        yield args.effect("reach", SERVERS)
        yield args.effect("change", shown, "pkg.install")


DPKG_QUERIES = (
    "-l,--list -s,--status -L,--listfiles -S,--search -p,--print-avail --get-selections --print-architecture"
    " --print-foreign-architectures -C,--audit -V,--verify --yet-to-unpack --compare-versions --force-help --no-pager"
    " --assert-help --validate-pkgname --validate-version --robot"
)
DEB = (
    "-c,--contents -I,--info -f,--field --ctrl-tarfile --fsys-tarfile -x,--extract -X,--vextract -e,--control"
    " -b,--build"
    " --root-owner-group --nocheck -Z= -z= -v,--verbose -D,--debug --deb-format= --no-uniform-compression"
    " --uniform-compression --threads-max="
)
PACMAN = Program(
    "-Q,--query -S,--sync -R,--remove -U,--upgrade -F,--files -D,--database -T,--deptest -V -a -b -c,--clean --cascade"
    " -d,--nodeps -e,--explicit -g,--groups -h -i,--info -k,--check -l,--list -m,--foreign -n,--native --nosave"
    " -o,--owns -p,--print,--file -q,--quiet -s,--search --recursive -t,--unrequired -u,--sysupgrade,--upgrades"
    " --unneeded"
    " -v,--verbose -w,--downloadonly -x,--regex -y,--refresh --noconfirm --needed --asdeps --asexplicit --color="
    " --noprogressbar --machinereadable --overwrite= --ignore=",
    "text*",
    more=_pacman,
)

PROGRAMS = {
    "dpkg": Program(
        f"{DPKG_QUERIES} {DEB} -i,--install --unpack --configure --triggers-only -r,--remove -P,--purge -a,--pending"
        " -R,--recursive --set-selections --clear-selections --add-architecture --remove-architecture"
        " --no-act,--dry-run,--simulate -E,--skip-same-version -G,--refuse-downgrade -O,--selected-only"
        " --force-confold --force-confnew --force-confdef --force-depends --force-all --force-overwrite",
        "text*",
        more=_dpkg,
    ),
    "dpkg-query": Program(
        "-s,--status -p,--print-avail -L,--listfiles -l,--list -W,--show -S,--search --control-list --control-show"
        " -c,--control-path --load-avail --no-pager -f,--showformat=",
        "text*",
    ),
    "dpkg-deb": Program(f"{DEB} -W,--show -R,--raw-extract --showformat= -S=", "text*", more=_archive),
    "rpm": Program(
        "-q,--query -a,--all -i,--info,--install -l,--list -f,--file -p,--package -d,--docfiles -c,--configfiles"
        " -R,--requires --provides --whatrequires --whatprovides --changelog --scripts --triggers --conflicts"
        " --obsoletes"
        " --last -s,--state --filesbypkg --qf,--queryformat= -V,--verify -K,--checksig -v,--verbose -h,--hash"
        " -U,--upgrade"
        " -F,--freshen -e,--erase --nodeps --force --test --replacepkgs --oldpackage --nosignature --nodigest --quiet"
        " --noscripts --nofiles --import --percent -g,--group",
        "text*",
        more=_rpm,
    ),
    "pacman": PACMAN,
}

EXAMPLES = {
    "rpm -V bash": "run scripts that verify bash #program",
    "rpm -Vp a.rpm": "run scripts that verify a.rpm #program | read a.rpm",
    "rpm -V --noscripts bash": "note rpm",
    "rpm -q --qf '%{X:expand}' bash": "note rpm | gap rpm: a format may hold a macro that starts a program",
    "dpkg -l": "note dpkg",
    "dpkg -l nginx": "note dpkg",
    "dpkg -L nginx": "note dpkg",
    "dpkg -S /bin/ls": "note dpkg",
    "dpkg --print-architecture": "note dpkg",
    "dpkg -i a.deb": "change a.deb #pkg.install | read a.deb",
    "dpkg -r nothing": "change nothing #pkg.remove",
    "dpkg -P nothing": "change nothing #pkg.remove",
    "dpkg --configure -a > out": "write out #redirect | change packages #pkg.install",
    "dpkg -c a.deb": "read a.deb",
    "dpkg -x a.deb out": "read a.deb | write out/**",
    "dpkg --pre-invoke=ls -i a.deb": "change a.deb #pkg.install | read a.deb"
    " | gap dpkg: option --pre-invoke is not known",
    "dpkg -i --dry-run a.deb": "read a.deb",
    "dpkg-query -W -f '${Package}' nginx": "note dpkg-query",
    "dpkg-deb -I a.deb": "read a.deb",
    "dpkg-deb -x a.deb out": "read a.deb | write out/**",
    "dpkg-deb -b src a.deb": "read src/** | write a.deb/**",
    "rpm -qa": "note rpm",
    "rpm -qi bash": "note rpm",
    "rpm -qf /bin/ls": "list /bin/ls",
    "rpm -qpl a.rpm": "read a.rpm",
    "rpm -ivh a.rpm": "change a.rpm #pkg.install | read a.rpm",
    "rpm -Uvh https://example.com/a.rpm": "change https://example.com/a.rpm #pkg.install"
    " | reach https://example.com/a.rpm",
    "rpm -e bash": "change bash #pkg.remove",
    "rpm --import a": "change trusted keys #pkg.settings | write /etc/pki/rpm-gpg | read a",
    "rpm --eval '%(ls)'": "note rpm | blind rpm: option --eval is not known | gap rpm: nothing says what to do",
    "rpm -qa --qf '%{NAME}'": "note rpm",
    "rpm -qa --qf '%(ls)'": "note rpm | gap rpm: a format may hold a macro that starts a program",
    "pacman -Q": "note pacman",
    "pacman -Qi bash": "note pacman",
    "pacman -Ss nginx": "note pacman",
    "pacman -F file_name": "note pacman",
    "pacman -Fy": "reach the servers of its packages | change lists of packages #pkg.lists",
    "pacman -Syu": "reach the servers of its packages | change lists of packages #pkg.lists"
    " | reach the servers of its packages | change packages #pkg.install",
    "pacman -S --noconfirm nginx": "reach the servers of its packages | change nginx #pkg.install",
    "pacman -Sy": "reach the servers of its packages | change lists of packages #pkg.lists",
    "pacman -Rns nginx": "change nginx #pkg.remove",
    "pacman -U a.pkg.tar.zst": "change a.pkg.tar.zst #pkg.install | read a.pkg.tar.zst",
    "pacman -Sc": "change downloaded packages #pkg.cache",
    "pacman -S --hookdir src nginx": "reach the servers of its packages | change src nginx #pkg.install"
    " | gap pacman: option --hookdir is not known",
}
