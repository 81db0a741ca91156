"""Names that a search prints: what is on the disk, or in an index, decides whether they are what they look like."""

from __future__ import annotations

import pytest

from assent.testing import FrozenWorld
from assent.types import Verdict
from decided import FILES, PROJECT, answer, decided, policy_of

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
    world = FrozenWorld({**FILES, f"{PROJECT}/src/.env": "", f"{PROJECT}/.git/index": index_of("a.txt")})
    for search in ("git ls-files", "rg -l x", "grep -rl x src"):
        assert answer(f"{search} | xargs cat", None, world) == "ask by ask"


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
    back = FrozenWorld({**IGNORED, f"{PROJECT}/.gitignore": "env\n!env/ca.pem\n"})
    assert answer(f"rg -l x | {reads}", None, back) == "ask by ask"


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
    files = {**FILES, f"{PROJECT}/.git/index": index_of("a.txt", "src/app.py"), "/etc/hosts": ""}
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
