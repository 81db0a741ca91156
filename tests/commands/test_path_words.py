"""Words whose role nobody knows: whatever they may spell is read and written, and no reading of them is left out."""

from __future__ import annotations

import pytest

from assent.commands.path_words import names_protected, spelled_in
from assent.policy.compiled import Policy
from assent.protected import NOTABLE, is_plain_folder, is_plain_name, marks
from assent.testing import FrozenWorld
from assent.types import Effect, Verdict
from decided import FILES, HOME, PROJECT, case_of, decided, policy_of

FULL_AUTO = policy_of(mode="full_auto")
TRUSTING = policy_of(allow=["Bash(frobnicate:*)"], mode="full_auto")
KEY = f"{HOME}/.ssh/id_rsa"
HOOK = ".git/hooks/pre-commit"
SPELLINGS = (
    "{}",
    "--out={}",
    "--out {}",
    "-o {}",
    "-o{}",
    "key={}",
    "@{}",
    "+{}",
    "a:{}",
    "{}:b",
    "user@host:{}",
    "a,{},b",
    '\'{{"file": "{}"}}\'',
    "'please look at {} now'",
    "-Dname={}",
    "x;={}".replace(";", "\\;"),
)


@pytest.mark.parametrize(
    ("word", "paths", "addresses"),
    [
        ("a.txt", ["a.txt"], []),
        ("-v", [], []),
        ("--all", [], []),
        ("12", [], []),
        ("--out=a/b", ["a/b"], []),
        ("-oa.txt", ["a.txt"], []),
        ("-I/usr/include", ["/usr/include", "/usr/include"][:1], []),
        ("@a", ["a"], []),
        ("a:b", ["a:b", "a", "b"], []),
        ("a,b", ["a,b", "a", "b"], []),
        ("file:///a/b%20c", ["/a/b c", "/a/b%20c"], []),
        ("FILE://localhost/a", ["/a"], []),
        ("file:/a", ["file:/a", "file", "/a"], []),
        ("file://host/a", ["/a", "host/a"], []),
        ("admin:///etc/x", ["/etc/x"], []),
        ("sqlite:////a/b", ["//a/b"], []),
        ("https://a.example/x", [], ["https://a.example/x"]),
        ("--url=http://10.0.0.1/", [], ["http://10.0.0.1/"]),
        ("sftp://localhost/etc/x", ["/etc/x"], ["sftp://localhost/etc/x"]),
        ("%2e%2e/x", ["%2e%2e/x", "../x"], []),
    ],
)
def test_a_word_is_read_in_every_way_it_may_be_meant(word: str, paths: list[str], addresses: list[str]) -> None:
    assert spelled_in(word) == (paths, addresses)


def test_a_long_text_costs_no_more_than_its_protected_names() -> None:
    paths, _ = spelled_in(" ".join(f"word{n}" for n in range(1_000)) + f" {KEY}")
    assert len(paths) < 200
    assert KEY in paths


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("program", ["frobnicate", "./tool.sh", "gio move", "git frobnicate", "sort --frobnicate"])
def test_the_floor_holds_for_every_spelling_of_a_path(program: str, spelling: str) -> None:
    command = f"{program} {spelling.format(KEY)}"
    for policy in (FULL_AUTO, policy_of(), policy_of(mode="plan"), policy_of(preset="workspace")):
        decision = decided(command, policy)
        assert (decision.verdict, decision.decided_by) == (Verdict.DENY, "floor"), decision.reason


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("path", [HOOK, f"{HOME}/.claude/settings.json", "CLAUDE.md", ".github/workflows/x.yml"])
def test_what_runs_later_is_asked_about_for_every_spelling(spelling: str, path: str) -> None:
    decision = decided(f"frobnicate {spelling.format(path)}", FULL_AUTO)
    assert (decision.verdict, decision.decided_by) == (Verdict.ASK, "ask"), decision.reason


@pytest.mark.parametrize(
    "command",
    [
        f"gio cat file://{KEY}",
        f"gio cat FILE://{KEY}",
        f"gio cat file:{KEY}",
        f"gio cat file://localhost{KEY}",
        f"gio cat file://{HOME}/%2essh/id%5Frsa",
        f"cd /tmp/x && frobnicate file://{KEY}",
        f"cd {HOME} && frobnicate .ssh/id_rsa",
        "cd /tmp/x && frobnicate --key=~/.ssh/id_rsa",
        "frobnicate ../.ssh/id_rsa",
    ],
)
def test_addresses_of_files_are_files(command: str) -> None:
    assert decided(command, FULL_AUTO).decided_by == "floor"


@pytest.mark.parametrize(
    ("command", "by"),
    [
        ("frobnicate http://169.254.169.254/x", "deny"),
        ("frobnicate --url=http://127.0.0.1/", "ask"),
        ("frobnicate https://example.com/", "mode"),
    ],
)
def test_other_addresses_may_be_reached(command: str, by: str) -> None:
    case, decision = case_of(command, FULL_AUTO)
    assert decision.decided_by == by
    assert any(effect.kind == "reach" and effect.mentioned for effect in case.effects)


@pytest.mark.parametrize("word", ["Makefile", "notes", "-onotes", "--to=notes", "a:notes"])
def test_rules_about_files_see_every_word(word: str) -> None:
    for rule in ("Write(./notes)", "Read(./notes)", "Write(./Makefile)", "Read(./Makefile)"):
        decision = decided(f"frobnicate {word}", policy_of(deny=[rule], mode="full_auto"))
        assert (decision.verdict == Verdict.DENY) == (word.lstrip("-").endswith(rule[:-1].rpartition("/")[2]))


@pytest.mark.parametrize("policy", [TRUSTING, policy_of(allow=["Bash(frobnicate:*)"])])
def test_a_plain_word_that_is_a_link_leads_where_it_leads(policy: Policy) -> None:
    world = FrozenWorld({**FILES, KEY: "k"}, links={f"{PROJECT}/keys": f"{HOME}/.ssh"})
    assert decided("frobnicate keys", policy, world).decided_by == "floor"
    assert decided("frobnicate other", policy, world).verdict == Verdict.ALLOW


def test_what_a_word_spells_needs_no_permission_of_its_own() -> None:
    assert decided("frobnicate a.txt src/app.py", policy_of(allow=["Bash(frobnicate:*)"])).verdict == Verdict.ALLOW
    assert decided("frobnicate a.txt src/app.py", TRUSTING).verdict == Verdict.ALLOW


def test_words_that_concern_nobody_are_not_told() -> None:
    case, _ = case_of("frobnicate a.txt src/app.py x", FULL_AUTO)
    assert [effect for effect in case.effects if effect.mentioned] == []


@pytest.mark.parametrize(
    "command", ["chmod --frobs {}", "sort --frobnicate {}", "git frobnicate {}", "tar --frob -cf a.tar {}"]
)
def test_an_unknown_option_makes_the_role_of_every_word_unknown(command: str) -> None:
    decision = decided(command.format(HOOK), FULL_AUTO)
    assert (decision.verdict, decision.decided_by) == (Verdict.ASK, "ask"), decision.reason


@pytest.mark.parametrize("command", ["python3 x.py {}", "bash x.sh {}", "node x.js --out={}", "npx foo {}"])
def test_code_may_write_what_runs_later_if_it_is_told_so(command: str) -> None:
    assert decided(command.format(HOOK), FULL_AUTO).decided_by == "ask"
    assert decided(command.format("src/app.py"), FULL_AUTO).decided_by != "ask"


NAMES = [".ssh", ".env", ".env.local", "x.pem", "CLAUDE.md", "__pycache__", "a.pyc", ".git", "bin", "etc", "dev", "a"]


@pytest.mark.parametrize("folder", ["/p", "/home/dev/proj", "/home/u/.config", "/etc", "/dev", "/p/.git/hooks", "/"])
@pytest.mark.parametrize("name", [*NAMES, *(f"sub/{name}" for name in NAMES), *(f"{name}/x" for name in NAMES)])
def test_the_quick_looks_agree_with_the_marks(folder: str, name: str) -> None:
    path = f"{folder.rstrip('/')}/{name}"
    if is_plain_folder(folder) and is_plain_name(name) and folder != "/":
        assert marks(path) == 0
    if not names_protected(f"x {name} y"):
        assert marks(f"/p/{name}") <= NOTABLE


def test_mentioned_effects_never_stand_alone() -> None:
    for command in ("frobnicate a/b", "cp a b", "git frobnicate x/y", "python3 x.py .env", "nohup frobnicate a/b"):
        case, _ = case_of(command, policy_of(deny=["Read(./z)"]))
        for effect in case.effects:
            if effect.mentioned:
                assert _comes_with_something(effect, case.effects, [gap.call for gap in case.gaps]), effect


def _comes_with_something(effect: Effect, effects: tuple[Effect, ...], gaps: list[int]) -> bool:
    certain = any(one.call == effect.call and not one.possible and one.kind != "note" for one in effects)
    return effect.call in gaps or certain
