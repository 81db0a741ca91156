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
from commands.traces import Event

SYSTEM_FOLDERS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/lib/", "/usr/lib/", "/usr/libexec/", "/usr/share/")


class Explained(NamedTuple):
    """`program` begins the command line; `what` is a glob, for programs a list of names."""

    program: str
    kind: str
    what: str
    why: str


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
    Explained("zgrep", "run", "gzip grep sed", "a script around gzip and grep"),
    Explained("zegrep", "run", "zgrep gzip grep sed", "a script around zgrep"),
    Explained("zfgrep", "run", "zgrep gzip grep sed", "a script around zgrep"),
    Explained("zdiff", "run", "diff gzip", "a script around diff and gzip"),
    Explained("zcmp", "run", "zdiff cmp gzip", "a script around zdiff"),
    Explained("zstdgrep", "run", "grep zstdcat zstd", "a script around grep and zstd"),
    Explained("zipgrep", "run", "sed unzip egrep grep", "a script around unzip and grep"),
    Explained("bzgrep", "run", "bzip2 grep sed", "a script around bzip2 and grep"),
    Explained("bzegrep", "run", "bzip2 egrep grep sed", "a script around bzip2 and grep"),
    Explained("bzfgrep", "run", "bzip2 fgrep grep sed", "a script around bzip2 and grep"),
    Explained("bzdiff", "run", "sed bzip2 diff", "a script around bzip2 and diff"),
    Explained("bzcmp", "run", "sed bzip2 cmp", "a script around bzip2 and cmp"),
    Explained("xzgrep", "run", "grep xz sed", "a script around xz and grep"),
    Explained("xzegrep", "run", "grep xz sed", "a script around xz and grep"),
    Explained("xzfgrep", "run", "grep xz sed", "a script around xz and grep"),
    Explained("lzgrep", "run", "grep xz sed", "a script around xz and grep"),
    Explained("diff3", "run", "diff", "compares two files at a time with diff"),
    Explained("sdiff", "run", "diff", "lays out what diff finds"),
    Explained("lsb_release", "run", "cat cut getopt tr", "a script that prints what a file in /etc says"),
    Explained("ssh-copy-id", "run", "basename dirname expr grep head ls sed", "a script around ssh"),
    Explained("yq", "run", "jq", "one program of this name hands its input to jq"),
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
    Explained("git bisect", "run", "git-bisect basename envsubst gettext sed uname", "a script"),
    Explained("git submodule", "run", "git-submodule git-remote-https basename envsubst gettext sed uname", "a script"),
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
    Explained("git diff", "read", "**", "without a patch: counts and names of what differs"),
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
    return matches(event.target, row.what)


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
