"""The reader of git's configuration agrees with git itself, and finds the settings that can start a program."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from assent.gitconfig import NotUnderstoodError, checks_signatures, helpers, settings

PIECES = (
    *(
        "[core]",
        "[Core]",
        '[remote "origin"]',
        '[remote "a\\"b\\\\c"]',
        "[old.Style]",
        "[ x]",
        '[x  "y"]',
        "[x",
        "[]",
        "[a-1.b]",
    ),
    *('[x "y" ]', '[x "y"', "[x]key=1", '[x "Ünï"]', "[x_y]", "[x\ty]"),
    *(
        "key = value",
        "Key=value",
        "key",
        "key ",
        "key # comment",
        "key=",
        "key = ",
        "k-1=2",
        "1k=2",
        "k_1=2",
        "-k=1",
        "ü=1",
    ),
    *(
        'key = "quoted ; # text"',
        "key = a ; comment",
        "key = a # comment",
        "key = a\\\n  b",
        "key = a \\\n",
        'key = "a',
        'a"',
    ),
    *(
        'key = "a\\\nb"',
        'key = \\t\\n\\b\\\\\\"',
        "key = \\x",
        "key = a  b\t c   ",
        'key = " a " b "" ',
        "key = a;b",
        "key = 'a'",
    ),
    *(
        "# comment \\",
        "; comment",
        "  ",
        "\t",
        "\\",
        "=",
        "key = a\\",
        "key = a ; c \\",
        "key value",
        "[x] # c",
        "key = é",
    ),
)
JOINTS = ("\n", "\n", "\n", "\r\n", " ", "")


def of_git(file: Path) -> list[tuple[str, str | None]] | None:
    """What git reads from a file; None when it refuses."""
    done = subprocess.run(["git", "config", "-f", str(file), "-l", "-z"], capture_output=True, check=False)
    if done.returncode:
        return None
    found: list[tuple[str, str | None]] = []
    for item in done.stdout.decode().split("\0")[:-1]:
        name, has_value, value = item.partition("\n")
        found.append((name, value if has_value else None))
    return found


def of_us(text: str) -> list[tuple[str, str | None]] | None:
    try:
        return list(settings(text))
    except NotUnderstoodError:
        return None


def generated(seed: int) -> str:
    chance = random.Random(seed)
    pieces = [chance.choice(PIECES) + chance.choice(JOINTS) for _ in range(chance.randint(1, 5))]
    return "".join([chance.choice(("", "[a]\n", "[a]\n", "\ufeff[a]\n")), *pieces])


@pytest.mark.parametrize("seed", range(150))
def test_reads_what_git_reads(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "config"
    text = generated(seed)
    file.write_text(text, newline="", encoding="utf-8")
    assert of_us(text) == of_git(file), text


FOUND = {
    "[core]\n\tpager = less": ("core.pager",),
    "[CORE]\nPAGER=x": ("core.pager",),
    "[core]\nfsmonitor = true": (),
    "[core]\nfsmonitor": (),
    "[core]\nfsmonitor = .git/evil.sh": ("core.fsmonitor",),
    "[core]\nhooksPath = .husky\nbare = false\neditor = x": ("core.hookspath", "core.editor"),
    "[core] sshCommand=a\ngitProxy=b\naskPass=c\nworktree=/\nalternateRefsCommand=d": (
        *("core.sshcommand", "core.gitproxy", "core.askpass", "core.worktree", "core.alternaterefscommand"),
    ),
    "[pager]\nlog = false\ndiff = evil": ("pager.diff",),
    "[pager]\nlog": (),
    "[diff]\nexternal = x\nrenames = true": ("diff.external",),
    '[diff "X"]\ntextConv = x\nbinary = true\ncommand = y': ("diff.X.textconv", "diff.X.command"),
    "[diff.x]\ntextconv = y": ("diff.x.textconv",),
    '[filter "lfs"]\nclean = a\nsmudge = b\nprocess = c\nrequired = true': (
        *("filter.lfs.clean", "filter.lfs.smudge", "filter.lfs.process"),
    ),
    '[merge "m"]\ndriver = x\nname = y': ("merge.m.driver",),
    "[credential]\nhelper = store": ("credential.helper",),
    "[credential]\nhelper =": (),
    '[credential "https://a.b.c"]\nhelper = !x': ("credential.https://a.b.c.helper",),
    '[gpg]\nprogram = x\n[gpg "ssh"]\nprogram = y': ("gpg.program", "gpg.ssh.program"),
    "[alias]\nst = status\nx = !sh": ("alias.x",),
    "[alias]\na = -c core.fsmonitor=x status\nb = --config-env=a=b log\nc = --exec-path=. x\nd = -C .. status": (
        *("alias.a", "alias.b", "alias.c", "alias.d"),
    ),
    "[alias]\na = --no-pager -c a=b log\nb = '-c' a=b log\nc = --unheard-of log\nd = -p log": (
        *("alias.a", "alias.b", "alias.c", "alias.d"),
    ),
    "[alias]\na = rebase --exec x\nb = rebase -x x\nc = grep -Ox y\nd = fetch --upload-p=x\ne = bisect run x": (
        *("alias.a", "alias.b", "alias.c", "alias.d", "alias.e"),
    ),
    "[alias]\na = clone -c core.pager=x y\nb = submodule foreach x\nc = difftool -x y\nd = rebase -ix y": (
        *("alias.a", "alias.b", "alias.c", "alias.d"),
    ),
    "[alias]\na = log --graph --oneline -20\nb = switch -c\nc = --no-pager diff --stat\nd = commit --amend -m x": (),
    "[alias]\na = checkout -b\nb = branch -vv\nc = reset --hard\nd = push --force-with-lease\ne = diff --cached": (),
    '[lfs]\nconcurrenttransfers = 3\n[lfs "extension.x"]\nclean = a\nsmudge = b\npriority = 0': (
        *("lfs.extension.x.clean", "lfs.extension.x.smudge"),
    ),
    "[include]\npath = evil": ("include.path",),
    '[includeIf "gitdir:~/a.b/"]\npath = evil': ("includeif.gitdir:~/a.b/.path",),
    '[remote "o"]\nurl = https://a/b\nfetch = +x\nuploadpack = y\nvcs = z': ("remote.o.uploadpack", "remote.o.vcs"),
    '[remote "o"]\nurl = ext::sh -c x': ("remote.o.url",),
    '[url "https://evil/"]\ninsteadOf = https://github.com/': ("url.https://evil/.insteadof",),
    "[uploadpack]\npackObjectsHook = x": ("uploadpack.packobjectshook",),
    '[protocol "ext"]\nallow = always\n[protocol "file"]\nallow = never': ("protocol.ext.allow",),
    '[tar "x"]\ncommand = y\n[browser "b"]\ncmd = z\n[man "m"]\npath = p': (
        *("tar.x.command", "browser.b.cmd", "man.m.path"),
    ),
    '[difftool "d"]\ncmd = x\n[mergetool "m"]\ncmd = y\n[difftool]\nprompt = no': (
        *("difftool.d.cmd", "mergetool.m.cmd"),
    ),
    '[diff ""]\ntextconv = x': ("diff..textconv",),
    '[submodule "s"]\nupdate = !x\nurl = https://a\n[submodule "t"]\nupdate = rebase': ("submodule.s.update",),
    "[interactive]\ndiffFilter = x\n[sequence]\neditor = y": ("interactive.difffilter", "sequence.editor"),
    "[extensions]\nworktreeConfig = true": ("extensions.worktreeconfig",),
    "[extensions]\nworktreeConfig = false": (),
    '[extensions]\npartialClone = o\n[remote "o"]\npromisor = true\npartialCloneFilter = blob:none': (
        *("extensions.partialclone", "remote.o.promisor", "remote.o.partialclonefilter"),
    ),
    "[log]\nshowSignature": ("log.showsignature",),
    "[log]\nshowSignature = yes": ("log.showsignature",),
    "[log]\nshowSignature = false": (),
    "[format]\npretty = %h % G?\n[pretty]\na = format:%h %GK\nb = format:%h %gd %%": ("format.pretty", "pretty.a"),
    "[tag]\nsort = -signature:grade\n[branch]\nsort = -committerdate": ("tag.sort",),
    "[blame]\nignoreRevsFile = a\n[format]\nsignatureFile = b\n[mailmap]\nfile = c\n[commit]\ntemplate = d": (
        *("blame.ignorerevsfile", "format.signaturefile", "mailmap.file", "commit.template"),
    ),
    "[fsck]\nskipList = a\n[fetch.fsck]\nskipList = b\n[core]\nattributesFile = c\n[http]\ncookieFile = d": (
        *("fsck.skiplist", "fetch.fsck.skiplist", "core.attributesfile", "http.cookiefile"),
    ),
    "[gc]\nrecentObjectsHook = x\nauto = 0": ("gc.recentobjectshook",),
    "[diff]\nsubmodule = diff": ("diff.submodule",),
    "[diff]\nsubmodule = log": (),
    '[trailer "t"]\ncommand = x\n[sendemail]\nsmtpServer = y\n[instaweb]\nhttpd = z': (
        *("trailer.t.command", "sendemail.smtpserver", "instaweb.httpd"),
    ),
    "[user]\nname = x\n[log]\ndate = iso\n[branch \"main\"]\nremote = origin\n[core]\nquotepath = off": (),
    "[core]\npager = x\n[": ("core.pager", "line 3: a section does not end"),
    "[core]\n# pager = x\n": (),
    '[core] x = "#" \\\n pager = y': (),
    "[core]\npager\0 = x": ("line 1: a NUL is no text",),
    "": (),
}  # fmt: skip


@pytest.mark.parametrize("text", FOUND)
def test_finds_the_settings_that_can_start_a_program(text: str) -> None:
    assert helpers(text) == FOUND[text]


def test_reads_a_long_value_in_one_go() -> None:
    assert helpers("[core]\nx = " + "a " * 200_000 + "\npager = y") == ("core.pager",)


@pytest.mark.parametrize(
    ("form", "expected"),
    [("%h %G?", True), ("%+GK", True), ("%-GS", True), ("% GF", True), ("%w(%G?)", True), ("%h %gd %s G", False)],
)
def test_a_format_that_starts_gpg_is_known_by_its_signs(form: str, expected: bool) -> None:
    assert checks_signatures(form) == expected
