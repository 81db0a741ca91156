"""Names that a search prints: what is on the disk, or in an index, decides whether they are what they look like."""

from __future__ import annotations

import os
import subprocess

import pytest

from assent.repository import tracked
from assent.testing import FrozenWorld
from assent.types import Verdict
from assent.world import DiskWorld
from decided import FILES, PROJECT, answer, decided, policy_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from assent.types import Mode

READS = ("xargs cat", 'while read -r f; do cat "$f"; done')


def index_of(*names: str) -> str:
    """As git writes it, with nothing but names that count."""
    entries = ""
    for name in sorted(names):
        entry = "\0" * 60 + f"\0{chr(len(name))}{name}"
        entries += entry + "\0" * (8 - len(entry) % 8)
    return f"DIRC\0\0\0\2\0\0\0{chr(len(names))}{entries}" + "\0" * 20


def tracking(*names: str) -> FrozenWorld:
    return FrozenWorld({**FILES, f"{PROJECT}/.git/index": index_of(*names)})


@pytest.mark.parametrize("reads", READS)
@pytest.mark.parametrize("name", ["-n", "/etc/passwd", "../../x", "a b", "a\tb", 'a"b', "a'b", "a\\b", "a\x7fb"])
def test_what_git_names_is_read_only_if_it_is_plain(name: str, reads: str) -> None:
    assert answer(f"git ls-files | {reads}", None, tracking("a.txt", "src/app.py")) == "allow by mode"
    asked = decided(f"git ls-files | {reads}", None, tracking("a.txt", name))
    told = {gap.why for gap in asked.gaps}
    assert (asked.verdict, told) == (Verdict.ASK, {"git names a file that may be taken for something else"})


def test_what_git_names_in_another_folder_is_seen_from_there() -> None:
    world = tracking("-n", "src/app.py")
    assert answer("cd src && git ls-files | xargs cat", None, world) == "allow by mode"
    assert answer("cd src && git ls-files | xargs cat", None, tracking("src/-n")) == "ask by mode"


@pytest.mark.parametrize("command", ["git add -A; ", "touch x; ", "echo a > x; "])
def test_an_index_that_the_same_line_may_change_is_not_believed(command: str) -> None:
    asked = decided(f"{command}git ls-files | xargs cat", None, tracking("a.txt"))
    assert "git names a file that may be taken for something else" in {gap.why for gap in asked.gaps}


@pytest.mark.parametrize("reads", READS)
@pytest.mark.parametrize(("folder", "name"), [("", "-n"), ("cd src && ", "src/-n")])
def test_a_name_without_a_folder_before_it_may_be_an_option(folder: str, name: str, reads: str) -> None:
    for search in ("rg -l x", "rg --files"):
        assert answer(f"{folder}{search} | {reads}", None, FrozenWorld(FILES)) == "allow by mode"
        world = FrozenWorld({**FILES, f"{PROJECT}/{name}": ""})
        assert answer(f"{folder}{search} | {reads}", None, world) == "ask by mode"
        assert answer(f"{folder}{search} . | {reads}", None, world) == "allow by mode"


@pytest.mark.parametrize("search", ["rg -l x", "rg -l x src", "grep -rl x src"])
def test_a_name_that_is_taken_apart_is_not_read(search: str) -> None:
    world = FrozenWorld({**FILES, f"{PROJECT}/src/a b": ""})
    answers = [answer(f"{search} | xargs cat", None, at) for at in (world, FrozenWorld(FILES))]
    assert answers == ["ask by mode", "allow by mode"]


def test_a_secret_among_the_names_asks() -> None:
    secrets = {f"{PROJECT}/src/{name}": "" for name in (".env", "k.pem")}
    world = FrozenWorld({**FILES, **secrets, f"{PROJECT}/.git/index": index_of("a.txt", "src/.env")})
    for search in ("git ls-files", "git ls-files -m", "rg -l x", "grep -rl x src", "rg -l. x"):
        assert answer(f"{search} | xargs cat", None, world) == "ask by ask"


def test_what_is_hidden_by_a_dot_is_found_by_some_searches_only() -> None:
    world = FrozenWorld({**FILES, f"{PROJECT}/src/.env": "", f"{PROJECT}/.config/k.pem": ""})
    for search in ("rg x", "rg -l x | xargs cat", "rg --files | xargs cat"):
        assert answer(search, None, world) == "allow by mode", search
    for search in ("rg -. x", "rg --hidden x", "rg -uu x", "rg x src", "rg -g '.e*' x", "grep -r x .", "rg x .config"):
        assert answer(search, None, world) == "ask by ask", search
    shown = FrozenWorld({**FILES, f"{PROJECT}/src/.env": "", f"{PROJECT}/.ignore": "!.env\n"})
    assert answer("rg x", None, shown) == "ask by ask"


IGNORED = {**FILES, f"{PROJECT}/.gitignore": "env\n", f"{PROJECT}/env/ca.pem": "", f"{PROJECT}/env/a b": ""}


@pytest.mark.parametrize("reads", READS)
def test_what_a_search_leaves_out_is_no_reason_to_ask(reads: str) -> None:
    world = FrozenWorld({**IGNORED, f"{PROJECT}/.git/index": index_of("a.txt")})
    for search in ("git ls-files", "rg -l x", "rg --files", "rg -l x -t py"):
        assert answer(f"{search} | {reads}", None, world) == "allow by mode", search
    for search in ("rg -lu x", "rg -l x .", "rg --files --no-ignore", "rg --files -g '*.pem'", "rg -l. x", "find ."):
        assert answer(f"{search} | {reads}", None, world) == "ask by ask", search
    held = FrozenWorld({**IGNORED, f"{PROJECT}/.git/index": index_of("a.txt", "env/ca.pem")})
    assert answer(f"git ls-files | {reads}", None, held) == "ask by ask"
    back = FrozenWorld({**IGNORED, f"{PROJECT}/.gitignore": "env\n!env\n"})
    assert answer(f"rg -l x | {reads}", None, back) == "ask by ask"
    within = FrozenWorld({**IGNORED, f"{PROJECT}/.gitignore": "env\n!env/ca.pem\n"})
    assert answer(f"rg -l x | {reads}", None, within) == "allow by mode"  # it is not even entered


def test_names_that_a_search_leaves_out_are_not_split() -> None:
    world = FrozenWorld({**FILES, f"{PROJECT}/.gitignore": "env\n", f"{PROJECT}/env/a b": "", f"{PROJECT}/src/c d": ""})
    searches = (
        "find env -name '*.py'",
        "find . -name '*.py'",
        "find env",
        "find env -name '*.{a,b}'",
        "find env -name b",
    )
    answers = [answer(f"{search} | xargs cat", None, world) for search in searches]
    assert answers == ["allow by mode", "allow by mode", *["ask by mode"] * 2, "allow by mode"]
    assert answer("rg -l x | xargs cat", None, world) == "ask by mode"
    assert answer("rg -l x src | xargs cat", None, world) == "ask by mode"
    odd = FrozenWorld({**FILES, f"{PROJECT}/a b/x.py": ""})
    assert answer("find . -name '*.py' | xargs cat", None, odd) == "ask by mode"


def test_searches_in_texts_leave_links_out_and_git_does_not() -> None:
    files = {**FILES, f"{PROJECT}/.git/index": index_of("a.txt", "src/app.py", "src/out"), "/etc/hosts": ""}
    world = FrozenWorld(files, links={f"{PROJECT}/src/out": "/etc/hosts"})
    for search, expected in (("rg -l x", "allow by mode"), ("grep -rl x src", "allow by mode")):
        assert answer(f"{search} | xargs cat", None, world) == expected
    assert answer("git ls-files | xargs cat", None, world) == "ask by mode"
    link = FrozenWorld(files, links={f"{PROJECT}/lnk": "/etc"})
    assert answer("grep -rl x lnk | xargs cat", None, link) == "ask by mode"


@pytest.mark.parametrize(
    "before", ["tar xf a.tar -C src", "unzip a.zip -d src", "python3 i.py", "make", "npm install x"]
)
@pytest.mark.parametrize("search", ["grep -rl x src", "rg -l x", "git ls-files", "find src -type f"])
def test_what_runs_or_unpacks_before_may_have_made_any_name(before: str, search: str) -> None:
    asked = decided(f"{before} && {search} | xargs cat", policy_of(mode="full_auto"), tracking("a.txt", "src/app.py"))
    assert (asked.verdict, [gap.blind for gap in asked.gaps]) == (Verdict.ASK, [True] * len(asked.gaps))


def test_a_folder_that_git_names_may_be_a_link_by_now() -> None:
    files = {**FILES, f"{PROJECT}/.git/index": index_of("d/t"), "/etc/t": ""}
    assert answer("git ls-files | xargs cat", None, FrozenWorld({**files, f"{PROJECT}/d/t": ""})) == "allow by mode"
    assert answer("git ls-files | xargs cat", None, FrozenWorld(files, links={f"{PROJECT}/d": "/etc"})) == "ask by mode"


@pytest.mark.parametrize("command", ["cat *", "cat .e*", 'for f in *; do cat "$f"; done', "grep x ./*"])
def test_a_folder_whose_name_looks_like_a_pattern_is_no_part_of_one(command: str) -> None:
    world = FrozenWorld({**FILES, f"{PROJECT}/a[1]/.env": ""}, links={f"{PROJECT}/a[1]/x": "/home/dev/.ssh/id_rsa"})
    assert answer(f"cd 'a[1]' && {command}", policy_of(mode="full_auto"), world).startswith("ask")
    assert answer(f"cd src && {command}") == "allow by mode"


SECRETS = FrozenWorld(
    {
        **FILES,
        **{f"{PROJECT}/{name}": "" for name in (".env", "src/a/k.pem", "docs/d.md", "config/p.pem", "ign/p.pem", "7")},
        f"{PROJECT}/.gitignore": "ign\n",
        f"{PROJECT}/.git/index": index_of("a.txt", "self", "pub"),
        f"{PROJECT}/y ../outside.txt": "",
        "/home/dev/.ssh/id_rsa": "",
    },
    links={
        f"{PROJECT}/self": ".",
        f"{PROJECT}/pub": "ign",
        f"{PROJECT}/l.{{a,b}}": "/home/dev/.ssh/id_rsa",
        f"{PROJECT}/\u00df": "/home/dev/.ssh/id_rsa",
    },
)


@pytest.mark.parametrize(
    ("command", "mode"),
    [
        # a second command of find gets all that the first does
        ("find . -exec find docs \\; -exec cat {} \\;", "default"),
        ("find ~ -name id_rsa -exec find docs -type f \\; -exec cat {} \\;", "full_auto"),
        # what stands between a search and its reader prints other names
        ("find src -type f | head 7 | xargs cat", "default"),
        ("find src -type f | head -n 1 7 | xargs cat", "default"),
        ("find src nothing -type f 2>/dev/stdout | xargs cat", "default"),
        ("find src nothing -type f &>/dev/stdout | xargs cat", "default"),
        ('find src -name x | while read -r f; do grep -qv "$f"; cat "$f"; done', "default"),
        ('find src -name x | while read -r f; do sort -T "$f"; cat "$f"; done', "default"),
        # a folder is found by its name, and read with everything in it
        ("find . -name config -exec grep -r C {} +", "default"),
        ("find . -name . -exec grep -r C {} +", "default"),
        ("find src -name a | xargs tar cf -", "default"),
        ('find . -name config | while read -r f; do grep -r C "$f"; done', "default"),
        ("git ls-files | xargs grep -r C", "default"),
        # links to what was left out
        ("rg -L C", "default"),
        # no name is found
        ("find docs -name x | xargs grep -r C", "default"),
        ("find docs -name x | xargs rg -u C", "default"),
        # expressions
        ("find . -name '*.py' -path -exec -o -name .env -exec cat {} \\;", "default"),
        ("find '!x/../..' -name id_rsa -exec cat {} +", "full_auto"),
        *(
            (f"find {option} ~ -name id_rsa -exec cat {{}} +", "full_auto")
            for option in ("-x", "-s", "-d", "-xs", "-f")
        ),
        ("find . -name '*.{a,b}' -exec cat {} +", "full_auto"),
        ("find . -name '?' -exec cat {} +", "full_auto"),
        ("find . -name '??' -exec cat {} +", "full_auto"),
        # a root that is taken apart
        ("find 'y ..' -type f | xargs cat", "default"),
        ("grep -rl T 'y ..' | xargs cat", "default"),
        ("git grep --untracked C", "default"),
    ],
)
def test_nothing_protected_is_handed_on_without_a_question(command: str, mode: Mode) -> None:
    assert not decided(command, policy_of(mode=mode), SECRETS).allowed


@pytest.mark.parametrize(
    "before",
    [
        "echo '!ign' > .ignore",
        "mv .gitignore gi",
        "rm .gitignore",
        "sed -i /ign/d .gitignore",
        "cp -r docs/d .gitignore",
    ],
)
def test_an_ignore_file_that_the_line_changes_is_not_believed(before: str) -> None:
    files = {**FILES, f"{PROJECT}/.gitignore": "ign\n", f"{PROJECT}/ign/p.pem": "", f"{PROJECT}/docs/d": ""}
    policy = policy_of(mode="full_auto")
    assert decided("echo a > b.txt; rg C", policy, FrozenWorld(files)).allowed
    assert not decided(f"{before}; rg C", policy, FrozenWorld(files)).allowed


@pytest.mark.parametrize(
    ("ignored", "left_out"),
    [
        ("p.pem", True),
        ("p.pem   ", True),
        ("/p.pem", True),
        (" p.pem", False),
        ("p.pem/", False),
        ("p.pem\t", False),
        ("\ufeffp.pem", True),
        ("p.pem\n\ufeff!p.pem", True),
        ("x\n\ufeffp.pem", False),
        ("\ufeff!p.pem\np.pem", False),
        ("*.pem", True),
        ("p*", True),
        ("*", True),
        ("p.*m", True),
        ("*.pem/", False),
        ("*.PEM", False),
        ("p.p?m", False),
        ("p.[p]em", False),
        ("\\*.pem", False),
        ("**.pem", False),
        ("*.{pem,key}", False),
        ("/*.pem", False),
        ("*.pem\n!p.pem", False),
        ("!*.pem\n*.pem", False),
    ],
)
def test_ignore_files_are_read_as_search_tools_do(ignored: str, left_out: bool) -> None:
    world = FrozenWorld({**FILES, f"{PROJECT}/.gitignore": f"{ignored}\n", f"{PROJECT}/p.pem": ""})
    assert decided("rg C", None, world).allowed == left_out


def test_what_is_said_above_a_repository_or_by_settings_counts_for_searches() -> None:
    files = {**FILES, f"{PROJECT}/.gitignore": "p.pem\n", f"{PROJECT}/p.pem": ""}
    assert decided("rg C", None, FrozenWorld(files)).allowed
    assert not decided("rg C", None, FrozenWorld({**files, "/home/dev/.ignore": "!p.pem\n"})).allowed
    assert decided("git grep C", None, FrozenWorld({**files, "/home/dev/.ignore": "!p.pem\n"})).allowed
    configured = FrozenWorld(files)
    configured.configures_searches = True
    assert not decided("rg C", None, configured).allowed


def test_a_name_that_begins_like_a_tracked_one_is_not_tracked() -> None:
    files = {**FILES, f"{PROJECT}/.gitignore": ".env\n", f"{PROJECT}/.env": "", f"{PROJECT}/.env.example": ""}
    world = FrozenWorld({**files, f"{PROJECT}/.git/index": index_of("a.txt", ".env.example")})
    assert answer("git ls-files | xargs wc -l", None, world) == "allow by mode"
    assert answer("git add .", None, world) == answer("git add .", None, tracking("a.txt"))


def test_repositories_inside_another_may_add_names(tmp_path: Path) -> None:
    for command in ("git init -q inner", "git -C inner commit -q --allow-empty -m x", "git init -q .", "git add a.txt"):
        (tmp_path / "a.txt").write_text("x")
        env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": "/dev/null"}
        who = {f"GIT_{role}_{what}": "x@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        subprocess.run(command.split(), cwd=tmp_path, env=env | who, check=True)
    before = tracked(".", str(tmp_path), DiskWorld(str(tmp_path)))
    subprocess.run(["git", "add", "inner"], cwd=tmp_path, check=True, capture_output=True)
    assert (before, tracked(".", str(tmp_path), DiskWorld(str(tmp_path)))) == ([b"a.txt"], None)


@pytest.mark.parametrize("search", ["-iname '.ENV'", "-name .env", "-iname '*.PEM'", "-name '*.pem'"])
def test_what_a_search_copies_is_known_by_its_names_in_any_case(search: str) -> None:
    names = {f"{PROJECT}/src/{name}": "" for name in (".env", "k.pem")}
    policy = policy_of(preset="workspace")
    copies = f"find src {search} -exec cp {{}} docs \\;"
    assert not decided(copies, policy, FrozenWorld({**FILES, **names, f"{PROJECT}/docs/a": ""})).allowed
