"""`assent policy` and `assent mode`: what is in force, what is doubtful, what a person trusts and chooses."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import assent.policy
from assent.audit.reading import records
from scene import Done, Scene

ALLOWING = 'allow = ["Write(./src/**)"]\ndeny = ["Write(./src/locked/**)"]\n'

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return Scene(tmp_path, monkeypatch)


def write(scene: Scene, path: str) -> str:
    scene.forget()
    return scene.verdict("Write", file_path=path)


# --- show ----------------------------------------------------------------------------------------------------------


def test_without_files_show_says_where_to_write_them(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "policy", "show").out == (
        f"""\
mode default in {scene.project}

No policy files; the built-in rules apply. To add your own, write

  ~/.config/assent/policy.toml     for you
  .assent/policy.toml              for this project
"""
    )


def test_show_lists_every_layer_with_its_rules_settings_and_what_is_ignored(scene: Scene, capsys: Capture) -> None:
    scene.user(
        'mode = "plan"\nask = ["WebFetch"]\n[tools]\ndeny = ["exec"]\n[commands]\ndeny = ["rm *"]\n'
        '[[paths]]\npattern = "/srv/*"\nallow = true\n[[paths]]\npattern = "/x"\nallow = false\n'
        '[[rule]]\nallow = "Mcp(slack.post)"\nargs.channel = "C09*"\nexpires = 2100-01-01T00:00:00Z\n'
    )
    scene.shared(ALLOWING)
    scene.manage('[[rule]]\ndeny = "Read(**/secret)"\nunless = ["Read(./a/secret)"]\nmessage = "No"\n')
    assert scene.run(capsys, "policy", "show") == Done(
        0,
        f"""\
mode plan in {scene.project}

user  {scene.user_file}
     2  ask   WebFetch
    14  allow Mcp(slack.post)  (channel in C09*; until 2100-01-01 00:00 UTC)
project  {scene.project_file}
     2  deny  Write(./src/locked/**)
managed  {scene.managed}/10-company.toml
     2  deny  Read(**/secret)  (unless Read(./a/secret); "No")

settings of all files
        deny the tool exec
        read freely in /srv/*
        deny /x
        deny the command rm *

note: {scene.project_file}: 1 allowing entry is ignored until you trust this file
""",
        "",
    )


def test_show_as_json(scene: Scene, capsys: Capture) -> None:
    scene.shared('[tools]\nallow = ["a", "b"]\n[[rule]]\nid = "x"\nask = "WebFetch"\n')
    shown = scene.run(capsys, "policy", "show", "--json", "--workspace", ".").json
    assert shown.pop("digest") == scene.load().policy.digest
    assert shown == {
        "mode": "default",
        "workspace": str(scene.project),
        "files": [{"layer": "project", "file": str(scene.project_file)}],
        "rules": [
            {
                "verdict": "ask",
                "rule": "WebFetch",
                "id": "x",
                "message": "",
                "unless": [],
                "args": {},
                "expires": None,
                "layer": "project",
                "source": f"{scene.project_file}:5",
            }
        ],
        "descriptions": [],
        "classifier": {},
        "allowed_tools": [],
        "denied_tools": [],
        "path_rules": [],
        "denied_commands": [],
        "notices": [f"{scene.project_file}: 2 allowing entries are ignored until you trust this file"],
        "problems": [],
    }


def test_show_of_a_broken_file_ends_with_an_error(scene: Scene, capsys: Capture) -> None:
    file = scene.user('mode = "plna"\n')
    done = scene.run(capsys, "policy", "show", "--json")
    problem = f"{file}:1:8: unknown mode `plna` (did you mean `plan`?)"
    assert (done.code, done.err, done.json["problems"]) == (2, f"assent: {problem}\n", [problem])


# --- lint ----------------------------------------------------------------------------------------------------------

DOUBTS = [
    ('allow = ["Read(~/**)"]', "`Read(~/**)` covers a whole disk or home", "name the folder you mean"),
    ('allow = ["Read(/**)"]', "`Read(/**)` covers a whole disk or home", "name the folder you mean"),
    ('allow = ["Write"]', "`Write` allows every use of Write", "write `Write(…)` with what you mean"),
    (
        'allow = ["Bash(python3:*)"]',
        "`Bash(python3:*)` would vouch for a program that runs any other program",
        "name the command that it runs; inline code is asked about anyway",
    ),
    (
        'deny = ["Read(secrets)"]',
        "`Read(secrets)` covers only the top folder of the project",
        "write `Read(**/secrets)` for every folder, or `./secrets` to say that you mean it",
    ),
    ('ask = ["WebFetch", "WebFetch"]', "`WebFetch` is already written in {file}:1", "remove one of the two"),
    (
        'allow = ["Read(./a)"]\ndeny = ["Read(./a)"]',
        "`Read(./a)` is denied too, and a deny wins",
        "remove one of the two",
    ),
    (
        '[[rule]]\nask = "WebFetch"\nexpires = 2001-01-01',
        "`WebFetch` has expired",
        "remove it or give it a new end",
    ),
]


@pytest.mark.parametrize(("text", "says", "advice"), DOUBTS)
def test_lint_doubts_rules_that_do_not_do_what_they_seem_to(
    text: str, says: str, advice: str, scene: Scene, capsys: Capture
) -> None:
    file = scene.user(text)
    line = 2 if text.startswith("[[rule]]") else 1
    done = scene.run(capsys, "policy", "lint", "--json")
    warning = {"where": f"{file}:{line}", "message": says.format(file=file), "help": advice}
    assert (done.code, done.json["errors"], done.json["warnings"]) == (1, [], [warning])


FINE = """\
allow = ["Read(**/*.md)", "Read(**)", "Read(./docs/**)", "Bash(git status)", "Mcp(slack.post)"]
ask = ["Write(./.github/**)"]
deny = ["Read(**/secrets)", "Read(./secrets)", "Write"]
"""


def test_lint_has_no_doubt_about_ordinary_rules(scene: Scene, capsys: Capture) -> None:
    file = scene.user(FINE)
    reach = f"""\
{file}:1: allow Bash(git status)
    matches `git status`
    does not match `/usr/bin/git status`, `sudo git status`, `git status more`, `git status --more`, \
`git status > out`, `git other`
"""
    assert scene.run(capsys, "policy", "lint") == Done(0, f"{reach}1 file, 9 rules, 0 errors, 0 doubts\n", "")


def test_lint_says_what_rules_on_commands_match(scene: Scene, capsys: Capture) -> None:
    file = scene.user('deny = ["Bash(rm -rf:*)", "Bash(curl * | sh)"]\nask = ["Read(./a)"]\n')
    done = scene.run(capsys, "policy", "lint", "--json")
    assert (done.code, done.json["errors"], done.json["warnings"]) == (0, [], [])
    first, second = done.json["commands"]
    assert first == {
        "where": f"{file}:1",
        "verdict": "deny",
        "rule": "Bash(rm -rf:*)",
        "reading": "",
        "matches": [
            *("rm -rf x", "rm -fr x", "rm -r -f x", "rm --recursive --force x", "rm --recu --forc x", "rm x -r -f"),
        ],
        "does_not_match": ["rm -f x", "rm -r x", "rm x", "rm other"],
    }
    assert second["reading"] == "a line of 2 parts: `curl *` piped into `sh`"
    shown = scene.run(capsys, "policy", "lint").out
    assert "    is read as a line of 2 parts: `curl *` piped into `sh`\n    matches `curl x | sh`, " in shown


def test_lint_doubts_a_rule_on_commands_that_can_never_match(scene: Scene, capsys: Capture) -> None:
    file = scene.user('allow = ["Bash(make | tee:*)"]\ndeny = ["Bash(git push --forse:*)"]\n')
    done = scene.run(capsys, "policy", "lint", "--json")
    found = [(warning["where"], warning["message"]) for warning in done.json["warnings"]]
    assert (done.code, found) == (
        1,
        [
            (f"{file}:1", "`Bash(make | tee:*)` can never match"),
            (
                f"{file}:2",
                "`Bash(git push --forse:*)` names `--forse`, which is no option of `git` that Assent knows",
            ),
        ],
    )


def test_lint_lists_errors_and_doubts_of_every_layer(scene: Scene, capsys: Capture) -> None:
    user = scene.user('alow = []\nask = ["Raed"]\n')
    project = scene.shared('deny = ["Read(secrets)"]\n')
    assert scene.run(capsys, "policy", "lint") == Done(
        2,
        f"""\
{user}:1:1: error: unknown key `alow`
    help: did you mean `allow`?
{user}:2:8: error: unknown tool `Raed` in rule `Raed`
    help: did you mean `Read`? a tool of your own is written `Tool(Raed)`
{project}:1: doubt: `Read(secrets)` covers only the top folder of the project
    help: write `Read(**/secrets)` for every folder, or `./secrets` to say that you mean it
2 files, 1 rule, 2 errors, 1 doubt
""",
        "",
    )


def test_lint_looks_at_one_file_alone(scene: Scene, capsys: Capture) -> None:
    scene.user("alow = []\n")
    file = scene.write(scene.project / "new.toml", 'allow = ["Write"]\n')
    done = scene.run(capsys, "policy", "lint", "--file", "new.toml", "--json")
    assert [warning["where"] for warning in done.json["warnings"]] == [f"{file.name}:1"]
    assert (done.code, done.json["errors"]) == (1, [])


def test_lint_reports_a_file_that_others_may_write_to(scene: Scene, capsys: Capture) -> None:
    file = scene.user('ask = ["WebFetch"]\n')
    file.chmod(0o666)
    done = scene.run(capsys, "policy", "lint", "--json")
    error = {"where": str(file), "message": "others may write to this file", "help": ""}
    assert (done.code, done.json["errors"]) == (2, [error])


# --- test ----------------------------------------------------------------------------------------------------------

PROVEN = '[[rule]]\ndeny = "Write(./src/**)"\nmatch = ["src/a.py"]\nnot_match = ["docs/a.md"]\n'


def case(scene: Scene, expect: object, path: str = "src/a.py", **more: object) -> str:
    place = {"cwd": str(scene.project), "workspace": str(scene.project)}
    return json.dumps({"tool": "Write", "input": {"file_path": path}, "expect": expect, **place, **more})


def test_examples_and_cases_are_counted(scene: Scene, capsys: Capture) -> None:
    scene.user(PROVEN)
    scene.write(scene.project / "cases.jsonl", case(scene, "deny") + "\n" + case(scene, "ask", "docs/a.md"))
    done = scene.run(capsys, "policy", "test", "cases.jsonl")
    assert done == Done(0, "2 examples and 2 cases, 0 failed\n", "")


def test_failed_cases_say_what_was_answered(scene: Scene, capsys: Capture) -> None:
    scene.user(PROVEN)
    lines = [case(scene, "allow"), case(scene, "maybe"), "{", case(scene, "allow", cwd="src"), case(scene, "deny")]
    scene.write(scene.project / "cases.jsonl", "\n".join(lines))
    done = scene.run(capsys, "policy", "test", "cases.jsonl", "--json")
    failures = done.json["failures"]
    assert (done.code, done.json["examples"], done.json["cases"]) == (1, 2, 5)
    assert failures[:2] == [
        "cases.jsonl:1: expected allow, got deny: src/a.py matches deny rule: Write(./src/**)",
        "cases.jsonl:2: `expect` must be allow, ask or deny",
    ]
    assert failures[2].startswith("cases.jsonl:3: not JSON: ")
    assert failures[3:] == ["cases.jsonl:4: expected allow, got deny: `cwd` must be an absolute path"]


def test_an_example_that_does_not_hold_is_an_error(scene: Scene, capsys: Capture) -> None:
    file = scene.user('[[rule]]\nask = "Write(./src/**)"\nmatch = ["docs/a.md"]\n')
    assert scene.run(capsys, "policy", "test") == Done(
        2,
        f"failed: {file}:3:10: `Write(./src/**)` does not match its example `docs/a.md` "
        "(correct the rule or the example)\n1 examples and 0 cases, 1 failed\n",
        "",
    )


def test_cases_are_judged_by_the_file_that_is_named(scene: Scene, capsys: Capture) -> None:
    scene.user('deny = ["Write"]\n')
    scene.write(scene.project / "new.toml", 'allow = ["Write(./src/**)"]\n')
    scene.write(scene.project / "cases.jsonl", case(scene, "allow"))
    assert scene.run(capsys, "policy", "test", "cases.jsonl").code == 1
    assert scene.run(capsys, "policy", "test", "cases.jsonl", "--file", "new.toml").code == 0


def test_cases_without_a_place_are_judged_in_the_workspace_that_is_named(scene: Scene, capsys: Capture) -> None:
    scene.shared('deny = ["Write(./src/**)"]\n')
    file = scene.write(scene.home / "cases.jsonl", case(scene, "deny", cwd=None, workspace=None))
    scene.monkeypatch.chdir(scene.home)
    assert scene.run(capsys, "policy", "test", str(file)).code == 1
    assert scene.run(capsys, "policy", "test", str(file), "--workspace", str(scene.project)).code == 0


def test_a_file_that_cannot_be_read_fails_the_test_of_its_rules(scene: Scene, capsys: Capture) -> None:
    scene.user_file.mkdir(parents=True)
    done = scene.run(capsys, "policy", "test", "--json")
    assert (done.code, len(done.json["failures"])) == (2, 1)


# --- trust ---------------------------------------------------------------------------------------------------------


def test_trust_lets_exactly_this_content_loosen_things(scene: Scene, capsys: Capture) -> None:
    file = scene.shared(ALLOWING)
    assert [write(scene, path) for path in ("src/a", "src/locked/a")] == ["ask", "deny"]
    assert scene.run(capsys, "policy", "trust", "--yes") == Done(
        0, f"{file} would be able to\n  allow Write(./src/**)\nTrusted until it changes: {file}\n", ""
    )
    assert [write(scene, path) for path in ("src/a", "src/locked/a")] == ["allow", "deny"]
    assert scene.load().notices == ()
    file.write_bytes(file.read_bytes() + b"\n")
    assert [write(scene, path) for path in ("src/a", "src/locked/a")] == ["ask", "deny"]
    file.write_bytes(file.read_bytes()[:-1])
    assert write(scene, "src/a") == "allow", "it is the content that is trusted"


def test_trust_is_taken_back(scene: Scene, capsys: Capture) -> None:
    file = scene.shared(ALLOWING)
    scene.run(capsys, "policy", "trust", "--yes")
    assert write(scene, "src/a") == "allow"
    assert scene.run(capsys, "policy", "trust", "--revoke").out == f"{file} is not trusted any more\n"
    assert write(scene, "src/a") == "ask"
    assert scene.run(capsys, "policy", "trust", "--revoke").out == f"{file} is not trusted\n"


def test_a_person_at_a_terminal_is_asked(scene: Scene, capsys: Capture) -> None:
    scene.shared(ALLOWING)
    for answer in ("no\n", "\n", "y\n", ""):
        scene.sit_down(answer)
        done = scene.run(capsys, "policy", "trust")
        assert (done.code, done.out.endswith("Nothing was changed.\n")) == (1, True)
        assert write(scene, "src/a") == "ask"
    scene.sit_down("yes\n")
    assert scene.run(capsys, "policy", "trust").code == 0
    assert write(scene, "src/a") == "allow"


def test_without_a_terminal_nothing_is_trusted(scene: Scene, capsys: Capture) -> None:
    scene.shared(ALLOWING)
    scene.type("yes\n")
    done = scene.run(capsys, "policy", "trust")
    says = "assent: there is no terminal to ask you (read the file, then run it again with --yes)\n"
    assert (done.code, done.err) == (2, says)
    assert scene.start("policy", "trust", stdin="yes\n").code == 2
    assert write(scene, "src/a") == "ask"
    assert not (scene.state / "trust.json").exists()


def test_trust_shows_everything_that_would_be_loosened(scene: Scene, capsys: Capture) -> None:
    scene.local(
        'mode = "full_auto"\n[tools]\nallow = ["exec"]\n[[paths]]\npattern = "/srv/*"\nallow = true\n'
        '[[rule]]\nallow = "WebFetch(domain:python.org)"\nunless = ["WebFetch(domain:bugs.python.org)"]\n'
    )
    done = scene.run(capsys, "policy", "trust", ".assent/policy.local.toml", "--yes")
    assert done.out.splitlines()[1:-1] == [
        "  set the mode to full_auto",
        "  allow the tool exec",
        "  let reads run freely in /srv/*",
        "  allow WebFetch(domain:python.org)  (unless WebFetch(domain:bugs.python.org))",
    ]
    assert scene.load().policy.mode == "full_auto"


def test_trust_of_a_file_that_only_restricts_says_so(scene: Scene, capsys: Capture) -> None:
    scene.shared('deny = ["WebFetch"]\n')
    assert "  loosen nothing: it only denies and asks\n" in scene.run(capsys, "policy", "trust", "--yes").out


@pytest.mark.parametrize("text", ["alow = []\n", 'allow = ["Write"', b"\xff"])
def test_a_broken_file_is_not_trusted(text: str | bytes, scene: Scene, capsys: Capture) -> None:
    file = scene.shared(text)
    done = scene.run(capsys, "policy", "trust", "--yes")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"assent: {file}:")
    assert not (scene.state / "trust.json").exists()


def test_there_must_be_a_file_to_trust(scene: Scene, capsys: Capture) -> None:
    says = f"assent: there is no file `{scene.project_file}`\n"
    assert scene.run(capsys, "policy", "trust", str(scene.project_file), "--yes") == Done(2, "", says)
    scene.project_file.parent.mkdir()
    scene.project_file.symlink_to(scene.write(scene.project / "real.toml", ALLOWING))
    assert "not a regular file" in scene.run(capsys, "policy", "trust", "--yes").err


def test_a_repository_without_a_policy_file_is_trusted_until_it_has_one(scene: Scene, capsys: Capture) -> None:
    scene.user('untrusted = "plan"\n')
    shown = scene.run(capsys, "policy", "show").out
    assert shown.startswith(f"mode plan in {scene.project}\n")
    assert f"note: {scene.project} is not trusted yet, so it starts in plan mode: `assent policy trust` ends" in shown
    assert write(scene, "a.txt") == "deny"
    assert scene.run(capsys, "policy", "trust", "--yes") == Done(
        0,
        f"{scene.project} has no policy file. Trusting it ends what `untrusted` in yours says about it.\n"
        f"Trusted until it has one: {scene.project_file}\n",
        "",
    )
    assert write(scene, "a.txt") == "ask"
    scene.shared('ask = ["WebFetch"]\n')
    assert write(scene, "a.txt") == "deny"
    assert scene.run(capsys, "policy", "trust", "--yes").code == 0
    assert write(scene, "a.txt") == "ask"
    assert scene.run(capsys, "policy", "trust", "--revoke").code == 0
    assert write(scene, "a.txt") == "deny"


# --- schema and usage ----------------------------------------------------------------------------------------------


def test_schema_is_the_shipped_file(scene: Scene, capsys: Capture) -> None:
    shipped = Path(assent.policy.__path__[0]) / "policy.schema.json"
    done = scene.run(capsys, "policy", "schema")
    assert (done.code, done.out) == (0, shipped.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("lnit",), "unknown action `lnit` (did you mean `lint`?)"),
        (("frobnicate",), "unknown action `frobnicate` (one of show, lint, test, trust, schema)"),
        (("lint", "new.toml"), "`new.toml` is one argument too many (name the file with --file)"),
        (("show", "x"), "`x` is one argument too many (see `assent policy --help`)"),
        (("trust", "a", "b"), "`b` is one argument too many (see `assent policy --help`)"),
        (("trust", "--file", "a"), "`--file` does not go with `policy trust` (see `assent policy --help`)"),
        (("show", "--yes"), "`--yes` does not go with `policy show` (see `assent policy --help`)"),
        (("lint", "--file", "gone.toml"), "there is no file `gone.toml`"),
        (("test", "gone.jsonl"), "cannot read `gone.jsonl`: No such file or directory"),
    ],
)
def test_wrong_usage_of_policy_says_what_to_write(
    words: tuple[str, ...], says: str, scene: Scene, capsys: Capture
) -> None:
    assert scene.run(capsys, "policy", *words) == Done(2, "", f"assent: {says}\n")


def test_policy_without_an_action_shows_its_help(scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "policy")[:2] == (2, scene.run(capsys, "policy", "--help").out)


# --- mode ----------------------------------------------------------------------------------------------------------


def mode(scene: Scene, capsys: Capture, *words: str) -> str:
    done = scene.run(capsys, "mode", *words, "--json")
    assert (done.code, done.err) == (0, "")
    return str(done.json["mode"])


def test_the_mode_is_shown_set_and_forgotten(scene: Scene, capsys: Capture) -> None:
    scene.user('mode = "full_auto"\n')
    assert mode(scene, capsys) == "full_auto"
    assert mode(scene, capsys, "plan") == "plan"
    assert write(scene, "src/a") == "deny"
    assert mode(scene, capsys) == "plan"
    assert mode(scene, capsys, "--reset") == "full_auto"


def test_the_mode_for_people(scene: Scene, capsys: Capture) -> None:
    done = scene.run(capsys, "mode", "plan")
    assert done == Done(0, f"plan: nothing that changes anything runs\n  in {scene.project}\n", "")
    assert scene.run(capsys, "mode", "--json").json == {
        "mode": "plan",
        "workspace": str(scene.project),
        "problems": [],
    }


def test_a_mode_for_all_yields_to_one_for_a_project(scene: Scene, capsys: Capture) -> None:
    other = str(scene.home / "other")
    assert mode(scene, capsys, "plan", "--all") == "plan"
    assert mode(scene, capsys, "default") == "default"
    assert mode(scene, capsys, "--workspace", other) == "plan"
    assert mode(scene, capsys, "--reset") == "plan"
    assert mode(scene, capsys, "--reset", "--all") == "default"


def test_a_mode_holds_whichever_link_leads_to_the_project(scene: Scene, capsys: Capture) -> None:
    link = scene.home / "link"
    link.symlink_to(scene.project)
    assert mode(scene, capsys, "plan") == "plan"
    assert mode(scene, capsys, "--workspace", str(link)) == "plan"
    assert mode(scene, capsys, "--reset", "--workspace", str(link)) == "default"
    assert mode(scene, capsys) == "default"


def test_a_managed_mode_is_an_upper_bound(scene: Scene, capsys: Capture) -> None:
    file = scene.manage('mode = "default"\n')
    assert mode(scene, capsys, "full_auto") == "default"
    assert mode(scene, capsys, "plan") == "plan"
    file.write_text('mode = "plan"\n')
    assert mode(scene, capsys, "default") == "plan"


def test_the_mode_file_is_private(scene: Scene, capsys: Capture) -> None:
    before = os.umask(0)
    try:
        mode(scene, capsys, "plan")
    finally:
        os.umask(before)
    assert (scene.state / "modes.json").stat().st_mode & 0o777 == 0o600
    assert scene.state.stat().st_mode & 0o777 == 0o700


BROKEN = ["", "plan", '{"*": "yolo"}', '["plan"]', '{"*": ["plan"]}', '{"*": {}}', '{"*": null}', '{"a": 1, "a": 2}']


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_mode_file_is_strict_and_says_so(text: str, scene: Scene, capsys: Capture) -> None:
    scene.user('mode = "full_auto"\ndeny = ["Read(./vault/**)"]\n')
    scene.write(scene.state / "modes.json", text)
    done = scene.run(capsys, "mode", "--json")
    assert (done.code, done.json["mode"], len(done.json["problems"])) == (2, "plan", 1)
    assert done.err == f"assent: {done.json['problems'][0]}\n"
    verdicts = [scene.verdict("Read", file_path="a"), scene.verdict("Read", file_path="vault/a"), write(scene, "a")]
    assert verdicts == ["ask", "deny", "deny"], "the denials of the policy files still hold"


def test_a_mode_file_that_others_may_write_is_not_believed(scene: Scene, capsys: Capture) -> None:
    file = scene.write(scene.state / "modes.json", '{"*": "full_auto"}')
    assert mode(scene, capsys) == "full_auto"
    file.chmod(0o666)
    done = scene.run(capsys, "mode")
    problem = f"{file} can be written by others (remove it and set the mode again)"
    assert (done.code, done.err) == (2, f"assent: {problem}\n")
    assert write(scene, "a") == "deny"
    assert scene.run(capsys, "mode", "default") == Done(2, "", f"assent: {problem}\n")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("yolo",), "unknown mode `yolo` (one of default, plan, full_auto)"),
        (("plan", "default"), "give one mode, or --reset (see `assent mode --help`)"),
        (("plan", "--reset"), "give one mode, or --reset (see `assent mode --help`)"),
        (("--workspaec", "x"), "unknown option `--workspaec` (did you mean `--workspace`?)"),
    ],
)
def test_wrong_usage_of_mode_changes_nothing(words: tuple[str, ...], says: str, scene: Scene, capsys: Capture) -> None:
    assert scene.run(capsys, "mode", *words) == Done(2, "", f"assent: {says}\n")
    assert not (scene.state / "modes.json").exists()


def test_a_chosen_mode_is_written_down(scene: Scene, capsys: Capture) -> None:
    mode(scene, capsys, "plan")
    mode(scene, capsys, "--reset", "--all")
    told = [record.fields for record in records(str(scene.state / "audit")) if record.kind == "mode"]
    assert [(one["mode"], one.get("cwd"), one.get("note")) for one in told] == [
        ("plan", str(scene.project), None),
        ("reset", None, "everywhere"),
    ]
    assert all("'via': 'terminal'" in str(one["decided_by"]) for one in told)
