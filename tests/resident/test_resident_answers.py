"""The resident helper decides, prints and records exactly what the hook itself would, and each thing once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agents.hooking import PAYLOADS, POLICY
from resident.resident_scene import AWAY, ONLY_HELPER, SELF, Done, House, helper, house

CORPUS = Path(__file__).parents[2] / "corpus"
EVERY = {"commands": 15, "shell": 20, "everyday": 1, "paths": 4, "tools": 3, "web": 4, "started": 6}
"""Of each file of the corpus every so many rows."""


@pytest.fixture(scope="module")
def home() -> Iterator[House]:
    with house() as made, helper(made):
        made.policy(POLICY)
        yield made


def rows() -> list[dict[str, Any]]:
    found = []
    for name, step in EVERY.items():
        lines = (CORPUS / f"{name}.jsonl").read_text().splitlines()
        found += [json.loads(line) for line in lines[::step]]
    return [row for row in found if "tool" in row and "input" in row]


def both(home: House, payload: str, agent: str, id: str, env: dict[str, str]) -> tuple[Done, Done]:
    """The same call asked of the helper and of a hook that stays away from it."""
    ours, theirs = (payload.replace("@ID@", f"{way}-{id}").encode() for way in ("r", "c"))
    cold = home.hook(theirs, *AWAY, agent=agent, **env)
    questions = [row for row in home.recorded(f"c-{id}") if row["decision"] == "ask"]
    return (home.resident if questions else home.answered)(ours, agent=agent, **env), cold


def test_every_call_of_the_corpus_is_answered_as_the_hook_itself_answers_it(home: House) -> None:
    calls = rows()
    assert len(calls) > 120

    def compare(number: int) -> str:
        row = calls[number]
        payload = home.payload(row["tool"], row["input"], "@ID@").decode()
        resident, cold = both(home, payload, "claude-code", str(number), {})
        [record] = home.recorded(f"c-{number}")
        if record["decision"] == "ask":
            assert (resident.code, home.recorded(f"r-{number}")) == (SELF, []), row
            return "ask"
        assert (resident, home.recorded(f"r-{number}")) == (cold, [record]), row
        return str(record["decision"])

    with ThreadPoolExecutor(4) as pool:
        verdicts = Counter(pool.map(compare, range(len(calls))))
    assert set(verdicts) == {"allow", "ask", "deny"}
    assert min(verdicts.values()) > 5, verdicts


def test_every_recorded_payload_of_every_agent_is_answered_as_the_hook_itself_answers_it(home: House) -> None:
    files = sorted(file for file in PAYLOADS.glob("*/*.json") if file.stem != "refusal")

    def compare(file: Path) -> bool:
        text = file.read_text().replace("@HOME@", str(home.home)).replace("@PROJECT@", str(home.project))
        table = json.loads(text)
        answers = both(home, json.dumps(table["payload"]), file.parent.name, file.stem, table.get("env", {}))
        assert answers[0].code == SELF or answers[0] == answers[1], file
        return answers[0].code != SELF

    with ThreadPoolExecutor(4) as pool:
        answered = dict(zip(files, pool.map(compare, files), strict=True))
    agents = {file.parent.name for file in files}
    assert {file.parent.name for file, here in answered.items() if here} == agents


def test_what_changes_between_two_calls_changes_the_answer(home: House) -> None:
    def verdict(id: str) -> tuple[str, str]:
        resident, cold = both(home, home.command("touch allowed", "@ID@").decode(), "claude-code", id, {})
        return "self" if resident.code == SELF else resident.verdict, cold.verdict

    assert verdict("first") == ("allow", "allow")
    home.policy(POLICY.replace('allow = "Bash(touch allowed)"', 'deny = "Bash(touch allowed)"'))
    assert verdict("denied") == ("deny", "deny")
    home.policy(POLICY)
    assert verdict("again") == ("allow", "allow")
    assert home.verb("mode", "plan", "--all").code == 0
    assert verdict("plan") == ("deny", "deny")
    assert home.verb("mode", "--reset", "--all").code == 0
    (home.project / "allowed").symlink_to(home.home / ".ssh/authorized_keys")
    assert verdict("a link") == ("deny", "deny")
    (home.project / "allowed").unlink()
    assert verdict("at last") == ("allow", "allow")


def test_the_environment_and_the_folder_are_those_of_the_hook(home: House) -> None:
    elsewhere = home.home / "other"
    (elsewhere / ".config/assent").mkdir(parents=True)
    (elsewhere / ".config/assent/policy.toml").write_text('[[rule]]\ndeny = "Bash(git status)"\n')
    allowed = home.answered(home.command("git status"))
    denied = home.answered(home.command("git status"), HOME=str(elsewhere))
    assert (allowed.verdict, denied.verdict) == ("allow", "deny")


def test_an_agent_cannot_put_something_in_the_place_of_the_helper_in_any_mode(home: House) -> None:
    tries = ("rm @", "mv @ x", "ln -sf /tmp/x @", "touch @", "nc -lU @", "nc -U @", "chmod 777 @", "cp /tmp/x @")
    assert home.verb("mode", "full_auto", "--all").code == 0
    found = {text: home.answered(home.command(text.replace("@", str(home.socket)))).verdict for text in tries}
    assert home.verb("mode", "--reset", "--all").code == 0
    assert found == dict.fromkeys(tries, "deny")


def test_a_hook_that_is_answered_imports_nothing(home: House) -> None:
    """Not even `os`: importing that takes as long as everything else together."""
    print_modules = "sys.stderr.write(' '.join(sorted(set(sys.modules) - before)))\n"
    code = ONLY_HELPER.replace("import posix, sys\n", "import posix, sys\nbefore = set(sys.modules)\n")
    words = [
        "-c",
        code.replace("posix._exit(", print_modules + "posix._exit("),
        str(home.package),
        "hook",
        "claude-code",
    ]
    done = home.run(words, home.command("git status"))
    assert (done.verdict, done.err) == ("allow", "")


def test_two_hundred_hooks_at_once_are_counted_and_recorded_once_each(home: House) -> None:
    home.policy(POLICY.replace('id = "may-be-made"', 'id = "may-be-made"\nmax = "50/hour"'))
    with ThreadPoolExecutor(20) as pool:
        done = list(pool.map(lambda n: home.hook(home.command("touch allowed", f"many-{n}")), range(200)))
    home.policy(POLICY)
    ids = Counter(row["tool_call_id"] for row in home.records() if row["tool_call_id"].startswith("many-"))
    assert Counter(one.verdict for one in done) == {"allow": 50, "deny": 150}
    assert ids == {f"many-{number}": 1 for number in range(200)}
    assert home.verb("audit", "verify").code == 0
