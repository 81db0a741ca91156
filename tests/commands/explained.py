"""What described programs do besides their effects because it is part of what they are, each with its reason.

A row is about one program, or one subcommand of it, and about one kind of event:

    run        names of programs in the system's folders that it is made of
    temporary  a file that it makes and removes or renames again; `@/` is the folder of a file it states as written
    write      a file that it keeps
    read       a file whose content it neither shows nor keeps
    reach      a socket
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from assent.types import Effect
from commands.scratch import PROJECT
from commands.traces import Event, absolute

SYSTEM_FOLDERS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/lib/", "/usr/lib/", "/usr/libexec/", "/usr/share/")

LISTED = "what it states as listed"
PATCHES = (
    "-p -u -U -W -c --patch --unified --cc --patch-with-raw --patch-with-stat --function-context --binary --word-diff"
)
"""With these a comparison shows what files hold."""


class Explained(NamedTuple):
    """`program` begins the command line; `what` is a glob, for programs a list of names."""

    program: str
    kind: str
    what: str
    why: str
    unless: str = ""
    """Options, as the tables write them, with which it holds no longer."""


TABLE = (
    # --- scripts and front ends: the programs that they are made of
    Explained("sar", "run", "sadc", "the part of it that collects"),
    Explained("egrep", "run", "grep", "a script around grep"),
    Explained("fgrep", "run", "grep", "a script around grep"),
    Explained("rgrep", "run", "grep", "a script around grep"),
    Explained("gunzip", "run", "gzip", "a script around gzip"),
    Explained("uncompress", "run", "gzip", "a script around gzip"),
    Explained("zcat", "run", "gzip", "a script around gzip"),
    Explained("zless", "run", "less gzip sh", "a script around less, whose filter is gzip"),
    Explained("zmore", "run", "more gzip", "a script around more and gzip"),
    Explained("zgrep", "run", "gzip grep sed expr mktemp cat rm", "a script around gzip and grep"),
    Explained("zegrep", "run", "zgrep gzip grep sed expr mktemp cat rm", "a script around zgrep"),
    Explained("zfgrep", "run", "zgrep gzip grep sed expr mktemp cat rm", "a script around zgrep"),
    Explained("zdiff", "run", "diff expr gzip", "a script around diff and gzip"),
    Explained("zcmp", "run", "zdiff cmp expr gzip", "a script around zdiff"),
    Explained("zstdgrep", "run", "grep zstdcat zstd", "a script around grep and zstd"),
    Explained("zipgrep", "run", "basename sed unzip egrep grep", "a script around unzip and grep"),
    Explained("bzgrep", "run", "bzip2 egrep grep sed", "a script around bzip2 and grep"),
    Explained("bzegrep", "run", "bzip2 egrep grep sed", "a script around bzip2 and grep"),
    Explained("bzfgrep", "run", "bzip2 fgrep grep sed", "a script around bzip2 and grep"),
    Explained("bzdiff", "run", "sed bzip2 diff", "a script around bzip2 and diff"),
    Explained("bzcmp", "run", "sed bzip2 cmp", "a script around bzip2 and cmp"),
    Explained("xzgrep", "run", "grep xz gzip bzip2 sed", "a script around grep and the program for the format"),
    Explained("xzegrep", "run", "grep xz gzip bzip2 sed", "a script around grep and the program for the format"),
    Explained("xzfgrep", "run", "grep xz gzip bzip2 sed", "a script around grep and the program for the format"),
    Explained("lzgrep", "run", "grep xz gzip bzip2 sed", "a script around grep and the program for the format"),
    Explained("diff3", "run", "diff", "compares two files at a time with diff"),
    Explained("sdiff", "run", "diff", "lays out what diff finds"),
    Explained("lsb_release", "run", "cat cut getopt tr", "a script that prints what a file in /etc says"),
    Explained("ssh-copy-id", "run", "basename dirname expr grep head ls sed", "a script around ssh"),
    Explained("yq", "run", "jq", "one program of this name hands its input to jq"),
    Explained("tomlq", "run", "jq", "hands its input to jq"),
    Explained("xq", "run", "jq", "hands its input to jq"),
    Explained("xzdiff", "run", "diff xz gzip sed expr", "a script around diff and the program for the format"),
    Explained("xzcmp", "run", "cmp xz gzip sed expr", "a script around cmp and the program for the format"),
    Explained("corepack", "run", "node", "a program for node"),
    Explained("locale", "run", "gzip", "unpacks the maps of characters that it lists"),
    Explained("npm", "run", "node", "a program for node"),
    Explained("psql", "run", "psql", "a front end that chooses among the installed versions"),
    Explained("pg_dump", "run", "pg_dump", "a front end that chooses among the installed versions"),
    Explained(
        "pg_dumpall",
        "run",
        "pg_dumpall pg_dump sh",
        "a front end that chooses among the installed versions; asks pg_dump for its version",
    ),
    Explained("pg_isready", "run", "pg_isready", "a front end that chooses among the installed versions"),
    Explained("pg_restore", "run", "pg_restore", "a front end that chooses among the installed versions"),
    Explained("cc", "run", "cc1 as collect2 ld", "a front end to the passes of the compiler"),
    Explained("gcc", "run", "cc1 as collect2 ld", "a front end to the passes of the compiler"),
    # --- programs that leave a part of their work to a fixed neighbour
    Explained("tar", "run", "sh gzip bzip2 xz zstd lzip lzma", "packs and unpacks with the program for the format"),
    Explained("scp", "run", "ssh cp", "talks through ssh, copies on this machine with cp"),
    Explained("dpkg", "run", "dpkg-deb dpkg-query", "leaves packages and questions to these two"),
    Explained("man", "run", "apropos whatis col groff grotty gzip locale nroff preconv tbl troff", "lays out the page"),
    Explained("gpg", "run", "gpg-agent dirmngr", "keys are kept and servers asked by its own daemons"),
    # --- files that are replaced by way of another name
    Explained("sed", "temporary", "@/sed??????", "-i writes a new file and renames it"),
    Explained("ln", "temporary", "@/Cu??????", "-f makes the link under another name and renames it"),
    Explained("zip", "temporary", "@/zi??????", "an archive is written anew"),
    Explained("ar", "temporary", "@/st??????", "an archive is written anew"),
    Explained("gpg", "reach", "unix:/home/dev/.gnupg/S.*", "its own daemons"),
    Explained("strip", "temporary", "@/st??????", "a binary is written anew"),
    Explained("objcopy", "temporary", "@/st??????", "a binary is written anew"),
    Explained("curl", "temporary", "@/????????????????????????????????????????.tmp", "a cookie jar is written anew"),
    Explained("man", "write", "/var/cache/man/cat?/cat??????", "keeps pages that were laid out, where it may"),
    # --- logs, locks, sockets and key rings of its own
    Explained("mktemp", "write", "/tmp/tmp.??????????", "the X of a template stand for any letters"),
    Explained("mktemp", "write", "/tmp/tmp.????????", "the X of a template stand for any letters"),
    Explained("mktemp", "write", "docs/tmp.????", "the X of a template stand for any letters"),
    Explained("dpkg", "write", "/var/log/dpkg.log", "opens its log even when it only pretends"),
    Explained("pidof", "reach", "unix:/dev/log", "complains to the system's log"),
    Explained("tmux", "reach", "unix:/tmp/tmux-*/default", "asks its own server"),
    Explained("tmux", "write", "/tmp/tmux-*", "the folder of its socket"),
    Explained("tmux", "write", "/tmp/tmux-*/default", "its socket"),
    Explained("docker", "reach", "unix:/var/run/docker.sock", "asks its own daemon"),
    Explained("kubectl", "read", "/home/dev/.kube/config", "its own settings say which cluster it asks"),
    Explained("kubectl", "reach", "127.0.0.1:8080", "the build of Google asks the cluster for its version first"),
    Explained("java", "write", "/tmp/hsperfdata_*", "what it measures about itself"),
    Explained("javac", "write", "/tmp/hsperfdata_*", "what it measures about itself"),
    Explained("terraform", "write", "/home/dev/.terraform.d", "notes when it has asked for a newer version"),
    Explained(
        "terraform", "write", "/home/dev/.terraform.d/checkpoint_*", "notes when it has asked for a newer version"
    ),
    Explained("terraform", "reach", "*:53", "asks its maker for a newer version"),
    Explained("npm", "read", "/home/dev/.npmrc", "its own settings"),
    Explained("npm", "read", "package.json", "the settings of the project"),
    Explained("npm", "write", "/home/dev/.npm", "its cache"),
    Explained("npm", "write", "/home/dev/.npm/_*", "its log, and when it has asked for a newer version"),
    Explained("npm", "write", "/home/dev/.npm/_logs/*", "its log"),
    Explained(
        "npm", "reach", "*:53", "asks the registry for a newer version; files that name another one are looked at"
    ),
    *(
        Explained(name, kind, what, "a script that notes on its first run which account is used")
        for name in ("bq", "gcloud", "gsutil")
        for kind, what in (
            ("run", "readlink dirname uname python3 tput"),
            ("read", "/home/dev/.config/gcloud/*"),
            ("read", "/home/dev/.config/gcloud/*/*"),
            ("write", "/home/dev/.config"),
            ("write", "/home/dev/.config/gcloud"),
            ("write", "/home/dev/.config/gcloud/*"),
            ("write", "/home/dev/.config/gcloud/*/*"),
            ("reach", "*:53"),
        )
    ),
    *(
        Explained(name, "write", what, "a log of the day")
        for name in ("bq", "gcloud", "gsutil")
        for what in ("/home/dev/.config/gcloud/logs/*", "/home/dev/.config/gcloud/logs/*/*")
    ),
    *(
        Explained(
            "gsutil", "write", f"/usr/lib/google-cloud-sdk{'/*' * depth}", "compiles its own modules, where it may"
        )
        for depth in range(2, 12)
    ),
    Explained("gsutil", "reach", "unix:/tmp/pymp-*/listener-*", "its own other half, for work in several processes"),
    Explained("jar", "write", "/tmp/hsperfdata_*", "what it measures about itself"),
    *(
        Explained("jshell", "write", what, "its preferences, empty on the first run")
        for what in (f"/home/dev/.java{'/*' * depth}" for depth in range(6))
    ),
    Explained("jshell", "write", "/tmp/hsperfdata_*", "what it measures about itself"),
    *(
        Explained(name, "read", "package.json", "says of which kind the modules beside it are")
        for name in ("node", "nodejs")
    ),
    *(
        Explained("svn", kind, what, "settings as they are delivered, on the first run")
        for kind in ("read", "write")
        for what in (f"/home/dev/.subversion{'/*' * depth}" for depth in range(3))
    ),
    Explained("rclone", "write", "/home/dev/.config", "the folder of its settings"),
    Explained("rclone", "write", "/home/dev/.config/rclone", "the folder of its settings"),
    Explained("rclone", "reach", "unix:/*/log", "looks for the system's log"),
    Explained("rclone", "reach", "unix:/var/run/syslog", "looks for the system's log"),
    Explained("touch", "write", "/run/traces/output", "`-` is its own standard output"),
    Explained("gem", "run", "ruby", "a program for ruby"),
    Explained("cloc", "run", "pwd sh cat", "a script that asks where it is"),
    Explained("colordiff", "run", "diff", "colours what diff finds"),
    Explained("wdiff", "run", "diff", "compares words by way of diff"),
    Explained("wdiff", "write", "/tmp/wdiff.??????", "files of one word in each line"),
    Explained("errno", "run", "sh locale", "asks which languages there are"),
    Explained("ag", "run", "sh git", "asks git for the file of what is ignored everywhere"),
    Explained("ag", "read", ".git/HEAD", "asks git for the file of what is ignored everywhere"),
    Explained("ag", "read", ".git/config", "asks git for the file of what is ignored everywhere"),
    *(Explained(name, "read", ".gitignore", "leaves out what is ignored") for name in ("rg", "fd", "fdfind")),
    *(
        Explained(name, "temporary", "@/d2utmp??????", "a file is written anew")
        for name in ("dos2unix", "unix2dos", "mac2unix", "unix2mac")
    ),
    # --- what is opened and shown to nobody
    *(
        Explained(name, "read", LISTED, "opens what it is asked about, and shows nothing of it")
        for name in ("df", "sync", "blkid", "wipefs")
    ),
    Explained("gio trash", "write", "/home/dev/.local", "the folder of the trash"),
    Explained("gio trash", "write", "/home/dev/.local/share", "the folder of the trash"),
    Explained("gio trash", "write", "/home/dev/.local/share/Trash", "the folder of the trash"),
    Explained("gio trash", "write", "/home/dev/.local/share/Trash/*", "the folder of the trash"),
    Explained("gio trash", "write", "/home/dev/.local/share/Trash/*/*", "what was removed lies there"),
    Explained("gio trash", "temporary", "/home/dev/.local/share/Trash/info/*", "notes are written anew"),
    Explained("gpg", "write", "/home/dev/.gnupg", "makes its folder on the first run"),
    Explained("gpg", "write", "/home/dev/.gnupg/pubring.kbx", "makes an empty key ring on the first run"),
    Explained("gpg", "write", "/home/dev/.gnupg/trustdb.gpg", "makes an empty list of trust on the first run"),
    Explained("gpg", "write", "/home/dev/.gnupg/S.*", "sockets of its daemons"),
    Explained("gpg", "write", "/home/dev/.gnupg/crls.d", "revocation lists of dirmngr"),
    Explained("gpg", "write", "/home/dev/.gnupg/crls.d/DIR.txt", "revocation lists of dirmngr"),
    Explained("gpg", "read", "/home/dev/.gnupg/pubring.kbx", "public keys are what it works with"),
    Explained("gpg", "read", "/home/dev/.gnupg/crls.d/DIR.txt", "revocation lists of dirmngr"),
    Explained("gpg", "temporary", "/home/dev/.gnupg/.#lk*", "locks"),
    Explained("gpg", "temporary", "/home/dev/.gnupg/*.lock", "locks"),
    # --- git: its own programs, its index, and files compared with it
    Explained("git", "run", "git", "subcommands start others of its own"),
    Explained("git", "write", ".git/index", "notes the times of files it has compared"),
    Explained("git", "temporary", ".git/index.lock", "a new index is written under this name"),
    *(
        Explained(f"git {name}", "read", ".git/**", "reads the settings before it says how it is used")
        for name in "bisect bundle commit-graph maintenance multi-pack-index notes rerere sparse-checkout".split()
    ),
    Explained("git worktree", "read", ".git/**", "reads the settings before it says how it is used"),
    Explained("git patch-id", "read", ".git/**", "reads the settings for the kind of hash"),
    Explained("git check-ref-format", "read", ".git/**", "--branch says which one was checked out before"),
    *(
        Explained(f"git {name}", "temporary", f".git/objects/{folder}", "--remerge-diff merges once more")
        for name in ("log", "show", "whatchanged")
        for folder in ("tmp_objdir-remerge-diff-*", "tmp_objdir-remerge-diff-*/pack")
    ),
    Explained("git request-pull", "run", "git-request-pull uname cat sed basename envsubst gettext", "a script"),
    Explained("git bisect", "run", "git-bisect git-sh-i18n--envsubst basename envsubst gettext sed uname", "a script"),
    Explained(
        "git submodule",
        "run",
        "git-submodule git-remote-https git-sh-i18n--envsubst basename envsubst gettext sed uname",
        "a script",
    ),
    Explained(
        "git clone",
        "run",
        "ssh git-remote-https git-upload-pack sh",
        "one program for each protocol, a shell for a local repository",
    ),
    Explained(
        "git fetch",
        "run",
        "ssh git-remote-https git-upload-pack sh",
        "one program for each protocol, a shell for a local repository",
    ),
    Explained(
        "git pull",
        "run",
        "ssh git-remote-https git-upload-pack sh",
        "one program for each protocol, a shell for a local repository",
    ),
    Explained(
        "git push",
        "run",
        "ssh git-remote-https git-receive-pack sh",
        "one program for each protocol, a shell for a local repository",
    ),
    Explained(
        "git remote",
        "run",
        "ssh git-remote-https git-upload-pack sh",
        "one program for each protocol, a shell for a local repository",
    ),
    Explained(
        "git ls-remote",
        "run",
        "ssh git-remote-https git-upload-pack sh",
        "one program for each protocol, a shell for a local repository",
    ),
    Explained(
        "git fetch", "temporary", ".git/objects/maintenance.lock", "looks whether the repository should be packed"
    ),
    Explained(
        "git pull", "temporary", ".git/objects/maintenance.lock", "looks whether the repository should be packed"
    ),
    Explained("git bundle", "temporary", "@/*.lock", "a bundle is written under this name"),
    Explained("git config", "temporary", "@/*.lock", "settings are written under this name"),
    Explained("git config", "temporary", "/home/dev/.gitconfig.lock", "settings are written under this name"),
    Explained("git interpret-trailers", "temporary", "@/git-interpret-trailers-??????", "a message is written anew"),
    Explained("git -C src status", "read", "**", "hashes files whose times differ from the index"),
    Explained("git status", "read", "**", "hashes files whose times differ from the index"),
    *(
        Explained(f"git {name}", "read", "**", "without a patch: counts and names of what differs", PATCHES)
        for name in ("diff", "diff-files", "diff-index")
    ),
    Explained("git describe", "read", "**", "--dirty hashes files whose times differ from the index"),
    Explained("git commit", "read", "**", "hashes files whose times differ from the index"),
    Explained("git checkout", "read", "**", "hashes files whose times differ from the index"),
    Explained("git reset", "read", "**", "hashes files whose times differ from the index"),
    Explained("git pull", "read", "**", "hashes files whose times differ from the index"),
    Explained("git rm", "read", "**", "refuses files that differ from the index"),
    Explained("git update-index", "read", "**", "--refresh hashes files whose times differ from the index"),
    Explained("git ls-files", "read", "**", "--eol says how lines end"),
)


def explains(row: Explained, event: Event, argv: tuple[str, ...], effects: Iterable[Effect], gone: set[str]) -> bool:
    """Whether a row speaks of an event. `gone` are the paths that the same run removed or renamed."""
    begins = row.program.split()
    if [argv[0].rpartition("/")[2], *argv[1 : len(begins)]] != begins:
        return False
    if row.unless and any(_is_spelled(word, row.unless.split()) for word in _before_paths(argv)):
        return False
    if row.kind == "temporary":
        is_temporary = event.kind in ("write", "folder", "read", "delete") and event.target in gone
        return is_temporary and any(matches(event.target, glob) for glob in _beside(row.what, effects))
    if row.kind != ("write" if event.kind == "folder" else event.kind):
        return False
    if row.kind == "run":
        folder, _, name = event.target.rpartition("/")
        return f"{folder}/".startswith(SYSTEM_FOLDERS) and any(fnmatchcase(name, one) for one in row.what.split())
    if row.kind == "reach":
        return fnmatchcase(event.target, row.what)
    if row.what == LISTED:
        listed = (effect.target for effect in effects if effect.kind == "list")
        return event.target in [absolute(f"{PROJECT}/", target) for target in listed]
    return matches(event.target, row.what)


def _before_paths(argv: tuple[str, ...]) -> tuple[str, ...]:
    return argv[: argv.index("--")] if "--" in argv else argv


def _is_spelled(word: str, options: list[str]) -> bool:
    """Whether a word is one of the options, alone, with a value or in a cluster."""
    if word[:2] == "--" or word[:1] != "-":
        return word.partition("=")[0] in options
    return any(option[1:2] in word[1:] for option in options if len(option) == 2)


def _beside(glob: str, effects: Iterable[Effect]) -> list[str]:
    if not glob.startswith("@/"):
        return [glob]
    written = {effect.target for effect in effects if effect.kind == "write"}
    return [f"{folder}{glob[1:]}" for target in written for folder in (target.rpartition("/")[0] or ".", target)]


def matches(path: str, glob: str) -> bool:
    """Folder by folder: a `*` never reaches below, but `**` at the end does."""
    wanted = [
        part for part in (glob if glob.startswith("/") else f"{PROJECT}/{glob}").split("/") if part not in ("", ".")
    ]
    parts = path.strip("/").split("/")
    if wanted[-1] == "**":
        wanted, parts = wanted[:-1], parts[: len(wanted) - 1]
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
