"""The guard: what is allowed runs, what is asked waits for a person, and every end is told apart and written down."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from approval.asking import no, yes
from assent import Guard, PermissionMode, PermissionSettings, Refused, snapshot
from assent.audit.verify import verify
from assent.guard import ONCE
from assent.questions import Answer, ApprovalRequest
from assent.record import replace
from guarding import Scene, choose


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    made.close()


# --- the ends of a call --------------------------------------------------------------------------------------------


def test_what_the_policy_allows_needs_nobody(scene: Scene) -> None:
    guard, person = scene.guard()
    answer = scene.bash(guard, "git status")
    assert (answer.allowed, answer.state, answer.decided_by, person.offered) == (True, "allowed", "default", [])
    [record] = scene.journal()
    kept = {name: record[name] for name in ("kind", "decision", "approved", "agent", "session_id", "tool", "command")}
    assert kept == {
        "kind": "decision",
        "decision": "allow",
        "approved": True,
        "agent": "bot",
        "session_id": "s1",
        "tool": "Bash",
        "command": "git status",
    }


def test_what_a_rule_denies_says_which_rule_and_what_to_do_instead(scene: Scene) -> None:
    scene.policy('[[rule]]\ndeny = "Bash(git push --force:*)"\nmessage = "push without --force"\n')
    guard, person = scene.guard()
    answer = scene.bash(guard, "git push -f origin main")
    assert (answer.allowed, answer.state, answer.decided_by, person.offered) == (False, "denied", "rule", [])
    assert f"({scene.home}/config/assent/policy.toml:2)" in answer.message
    assert answer.message.endswith(
        "push without --force. Do not try to reach the same effect another way; "
        "say what you need and let the person decide."
    )


def test_a_person_approves(scene: Scene) -> None:
    guard, person = scene.guard()
    answer = scene.bash(guard, "make deploy")
    assert (answer.allowed, answer.state, answer.decided_by) == (True, "approved", "human")
    assert person.offered == [answer.request_id]
    assert scene.kinds() == ["question", "shown", "answer", "spent"]
    assert {record["request_id"] for record in scene.journal()} == {answer.request_id}


def test_a_person_refuses_and_the_model_hears_why(scene: Scene) -> None:
    guard, _ = scene.guard(lambda asked: no(asked, "use the staging host"))
    answer = scene.bash(guard, "make deploy")
    assert (answer.allowed, answer.state, answer.decided_by) == (False, "refused", "human")
    assert answer.message == (
        "A person refused this: use the staging host. "
        "Do not try to reach the same effect another way; say what you need and let the person decide."
    )
    assert scene.kinds() == ["question", "shown", "answer"]


def test_silence_is_not_a_refusal(scene: Scene) -> None:
    guard, _ = scene.guard(None, timeout=0.05)
    answer = scene.bash(guard, "make deploy")
    assert (answer.allowed, answer.state, answer.decided_by) == (False, "expired", "timeout")
    assert answer.message.startswith("Approval timeout (0.05s) — auto-denied. Nobody has refused it")
    assert scene.kinds() == ["question", "shown", "timeout"]


def test_who_must_go_hears_that_it_is_pending_and_finds_the_answer_once(scene: Scene) -> None:
    guard, _ = scene.guard(None)
    gone = scene.bash(guard, "make deploy", leave_after=0.0)
    assert (gone.allowed, gone.state) == (False, "pending")
    assert gone.request_id in gone.message
    [ticket] = scene.desk.store.pending(scene.now)
    assert scene.desk.answer(ticket.id, yes(ticket.request)) == ""
    states = [scene.bash(guard, "make deploy", leave_after=0.0).state for _ in range(3)]
    assert states == ["approved", "pending", "pending"]
    assert scene.kinds().count("spent") == 1


def test_a_refusal_given_meanwhile_is_told_once_and_then_asked_again(scene: Scene) -> None:
    guard, _ = scene.guard(None)
    gone = scene.bash(guard, "make deploy", leave_after=0.0)
    ticket = scene.desk.ticket(gone.request_id)
    assert ticket is not None
    scene.desk.answer(ticket.id, no(ticket.request, "no"))
    assert [scene.bash(guard, "make deploy", leave_after=0.0).state for _ in range(2)] == ["refused", "pending"]


@pytest.mark.parametrize("way", ["deny", "fail"])
def test_without_a_person_a_question_is_never_an_allow(scene: Scene, way: str) -> None:
    guard, person = scene.guard(on_ask=way)
    if way == "deny":
        answer = scene.bash(guard, "make deploy")
    else:
        with pytest.raises(Refused) as caught:
            scene.bash(guard, "make deploy")
        answer = caught.value.authorization
    assert (answer.allowed, answer.state, person.offered) == (False, "unasked", [])
    assert "nobody is asked here" in answer.reason
    assert [(r["kind"], r["approved"], r["decided_by"]["note"]) for r in scene.journal()] == [
        ("decision", False, f"on_ask = {way}")
    ]


def test_parking_leaves_the_question_in_the_inbox(scene: Scene) -> None:
    guard, _ = scene.guard(None, on_ask="park")
    assert scene.bash(guard, "make deploy").state == "pending"
    assert len(scene.desk.store.pending(scene.now)) == 1


# --- what an approval is bound to ----------------------------------------------------------------------------------


def parked(scene: Scene, guard: Guard, command: str = "sh run.sh", cwd: Path | None = None) -> None:
    """An approval that waits to be spent."""
    gone = scene.bash(guard, command, leave_after=0.0, cwd=cwd or scene.project)
    assert gone.state == "pending"
    ticket = scene.desk.ticket(gone.request_id)
    assert ticket is not None
    assert scene.desk.answer(ticket.id, yes(ticket.request)) == ""


@pytest.fixture
def script(scene: Scene) -> Path:
    file = scene.project / "run.sh"
    file.write_text("echo harmless\n")
    return file


def test_nothing_changed(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "approved"


def test_a_changed_script_asks_again(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    script.write_text("touch other\n")
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "pending"


def test_any_file_of_the_project_written_since_asks_again(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    (scene.project / "README.md").write_text("another\n")
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "pending"


def test_where_nothing_of_the_project_runs_other_files_may_be_written(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard, "rm run.sh")
    (scene.project / "README.md").write_text("another\n")
    assert scene.bash(guard, "rm run.sh", leave_after=0.0).state == "approved"


@pytest.mark.parametrize(
    "command", ["sh  run.sh", "sh run.sh ", "sh run.sh # x", "LD_PRELOAD=x.so sh run.sh", "ｓh run.sh"]
)
def test_another_spelling_is_another_action(scene: Scene, script: Path, command: str) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    assert scene.bash(guard, command, leave_after=0.0).state == "pending"


def test_another_folder_asks_again(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    (scene.project / "sub").mkdir()
    (scene.project / "sub/run.sh").write_text(script.read_text())
    parked(scene, guard)
    assert scene.bash(guard, "sh run.sh", leave_after=0.0, cwd=scene.project / "sub").state == "pending"


def test_a_folder_replaced_by_a_link_asks_again(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    sub, other = scene.project / "sub", scene.project / "other"
    for folder in (sub, other):
        folder.mkdir()
        (folder / "run.sh").write_text(script.read_text())
    parked(scene, guard, cwd=sub)
    sub.rename(scene.project / "moved")
    sub.symlink_to(other)
    assert scene.bash(guard, "sh run.sh", leave_after=0.0, cwd=sub).state == "pending"


def test_another_program_of_that_name_asks_again(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    fake = scene.home / "bin"
    fake.mkdir()
    (fake / "sh").write_text("#!/bin/true\n")
    (fake / "sh").chmod(0o755)
    scene.env["PATH"] = f"{fake}{os.pathsep}{os.defpath}"
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "pending"


def test_a_link_that_leads_elsewhere_since_asks_again(scene: Scene) -> None:
    guard, _ = scene.guard(None)
    for name in ("a.txt", "b.txt"):
        (scene.project / name).write_text("x")
    link = scene.project / "out.txt"
    link.symlink_to("a.txt")
    parked(scene, guard, "echo y > out.txt")
    link.unlink()
    link.symlink_to("b.txt")
    assert scene.bash(guard, "echo y > out.txt", leave_after=0.0).state == "pending"


def test_what_cannot_be_checked_as_a_whole_is_approved_for_this_attempt_only(
    scene: Scene, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "MOST_ENTRIES", 2)
    for number in range(5):
        (scene.project / f"{number}.sh").write_text("echo\n")
    guard, person = scene.guard(yes)
    assert scene.bash(guard, "sh *.sh").state == "approved"
    shown = scene.desk.ticket(person.offered[-1])
    assert shown is not None
    assert ONCE in shown.request.warnings
    guard, _ = scene.guard(None)
    parked(scene, guard, "sh *.sh")
    assert scene.bash(guard, "sh *.sh", leave_after=0.0).state == "pending"


def test_another_session_or_agent_cannot_spend_it(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    for more in ({"session": "s2"}, {"agent": "other"}):
        other, _ = scene.guard(None, **more)
        assert scene.bash(other, "sh run.sh", leave_after=0.0).state == "pending"


def test_a_changed_policy_asks_again_and_a_new_deny_denies(scene: Scene, script: Path) -> None:
    guard, _ = scene.guard(None)
    parked(scene, guard)
    scene.policy('allow = ["Read(./docs/**)"]\n')
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "pending"
    scene.policy('deny = ["Bash(sh:*)"]\n')
    assert scene.bash(guard, "sh run.sh", leave_after=0.0).state == "denied"


def test_plan_mode_chosen_meanwhile_blocks(scene: Scene, script: Path) -> None:
    """The person approves, but somebody switched to plan mode while they were reading."""

    def switches(asked: ApprovalRequest) -> Answer:
        scene.desk.set_mode("s1", "plan", by="bob", via="web")
        return yes(asked)

    guard, _ = scene.guard(switches)
    answer = scene.bash(guard, "sh run.sh")
    assert (answer.allowed, answer.state) == (False, "denied")
    assert "lan mode" in answer.reason
    assert "spent" not in scene.kinds()


def test_a_script_changed_while_the_person_reads_is_asked_about_anew(scene: Scene, script: Path) -> None:
    shown: list[str] = []

    def tampered(asked: ApprovalRequest) -> Answer:
        shown.append(asked.fingerprint)
        if len(shown) == 1:
            script.write_text("touch other\n")
        return yes(asked)

    guard, _ = scene.guard(tampered)
    assert scene.bash(guard, "sh run.sh").state == "approved"
    assert len(shown) == len(set(shown)) == 2
    assert scene.kinds().count("spent") == 1


def test_what_keeps_changing_is_refused(scene: Scene, script: Path) -> None:
    def tampered(asked: ApprovalRequest) -> Answer:
        script.write_text(script.read_text() + "#\n")
        return yes(asked)

    guard, person = scene.guard(tampered)
    answer = scene.bash(guard, "sh run.sh")
    assert (answer.allowed, answer.state, len(person.offered)) == (False, "failed", 3)


def test_an_answer_for_what_was_shown_elsewhere_does_not_count(scene: Scene) -> None:
    guard, person = scene.guard(lambda asked: replace(yes(asked), fingerprint="something else"), timeout=0.1)
    assert scene.bash(guard, "make deploy").state == "expired"
    assert person.told == ["this answer is about something else than what is asked: look at the request again"]


# --- grants --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "later", "session", "elsewhere"),
    [
        ("15min", ("allowed", "approved"), "allowed", "approved"),
        ("session", ("allowed", "allowed"), "approved", "approved"),
        ("project", ("allowed", "allowed"), "allowed", "approved"),
        ("user", ("allowed", "allowed"), "allowed", "allowed"),
    ],
)
def test_a_lasting_answer_holds_where_and_as_long_as_it_says(
    scene: Scene, scope: str, later: tuple[str, str], session: str, elsewhere: str
) -> None:
    guard, _ = scene.guard(lambda asked: choose(asked, scope))
    assert scene.bash(guard, "make deploy").state == "approved"
    second, _ = scene.guard(yes, session="s2")
    other = scene.home / "other"
    (other / ".git").mkdir(parents=True)
    third, _ = scene.guard(yes, session="s1", workspace=str(other))
    plain, _ = scene.guard(yes)
    assert scene.bash(plain, "make deploy").state == later[0]
    assert scene.bash(second, "make deploy").state == session
    assert scene.bash(third, "make deploy", cwd=other).state == elsewhere
    scene.now += 901
    assert scene.bash(plain, "make deploy").state == later[1]


def test_a_grant_is_counted_journalled_and_revoked(scene: Scene) -> None:
    guard, _ = scene.guard(lambda asked: choose(asked, "project"))
    scene.bash(guard, "make deploy")
    for _ in range(3):
        answer = scene.bash(guard, "make deploy")
        assert (answer.state, answer.decided_by) == ("allowed", "grant")
    [grant] = scene.desk.grants()
    assert (grant.rules, grant.uses, grant.origin, grant.scope) == (("Bash(make deploy)",), 3, "web, ann", "project")
    scene.desk.revoke(grant.id, by="bob", via="web")
    quiet, _ = scene.guard(None, on_ask="deny")
    assert scene.bash(quiet, "make deploy").state == "unasked"
    kinds = scene.kinds()
    assert [kinds.count(kind) for kind in ("grant", "revoke")] == [1, 1]


def test_an_explicit_ask_beats_a_grant(scene: Scene) -> None:
    guard, person = scene.guard(lambda asked: choose(asked, "user"))
    scene.bash(guard, "make deploy")
    scene.policy('ask = ["Bash(make:*)"]\n')
    guard, person = scene.guard(no)
    assert scene.bash(guard, "make deploy").state == "refused"
    assert len(person.offered) == 1


def test_a_grant_does_not_leak_into_plan_mode(scene: Scene) -> None:
    guard, _ = scene.guard(lambda asked: choose(asked, "user"))
    scene.bash(guard, "make deploy")
    scene.desk.set_mode("s1", "plan", by="ann", via="web")
    assert scene.bash(guard, "make deploy").state == "denied"


def test_rules_that_were_not_offered_cannot_be_granted(scene: Scene) -> None:
    guard, person = scene.guard(lambda asked: choose(asked, "user", ["Bash(*)"]), timeout=0.1)
    assert scene.bash(guard, "make deploy").state == "expired"
    assert person.told == ["these rules were not offered with the request"]
    assert scene.desk.grants() == ()


def test_a_command_of_the_project_is_granted_until_its_files_change(scene: Scene) -> None:
    scene.policy('extends = "workspace"\n')
    makefile = scene.project / "Makefile"
    makefile.write_text("test:\n\ttrue\n")
    guard, _ = scene.guard(lambda asked: choose(asked, "project"))
    assert scene.bash(guard, "make test").state == "approved"
    [grant] = scene.desk.grants()
    assert grant.fingerprint
    quiet, _ = scene.guard(None, on_ask="deny")
    assert scene.bash(quiet, "make test").state == "allowed"
    makefile.write_text("test:\n\trm -rf ~\n")
    assert scene.bash(quiet, "make test").state == "unasked"


# --- escalation ----------------------------------------------------------------------------------------------------


def test_after_three_denials_a_looser_mode_is_suggested_and_only_a_person_takes_it(scene: Scene) -> None:
    suggested: list[str] = []

    def says(asked: ApprovalRequest) -> Answer:
        suggested.append(asked.suggest_mode)
        return no(asked)

    guard, _ = scene.guard(says)
    for number in range(4):
        scene.bash(guard, f"make deploy{number}")
    assert suggested == ["", "", "", "full_auto"]
    [session] = scene.desk.sessions()
    assert (session.suggests, session.consecutive, session.total, session.mode) == (False, 4, 4, "")
    assert session.refused == 1  # the fourth no came with the suggestion on the screen
    scene.desk.set_mode("s1", "full_auto", by="ann", via="web")
    assert scene.bash(guard, "make deploy9").state == "allowed"
    [session] = scene.desk.sessions()
    assert (session.consecutive, session.total, session.mode) == (0, 4, "full_auto")


def test_a_suggestion_that_nobody_takes_comes_three_times_and_ever_later(scene: Scene) -> None:
    suggested: list[int] = []

    def says(asked: ApprovalRequest) -> Answer:
        suggested.extend([number] if asked.suggest_mode else [])
        return no(asked)

    guard, _ = scene.guard(says)
    for number in range(1, 31):
        scene.bash(guard, f"make deploy{number}")
    assert suggested == [4, 7, 13]


@pytest.mark.parametrize("mode", ["full_auto", "plan"])
def test_only_the_default_mode_suggests_a_looser_one(scene: Scene, mode: str) -> None:
    suggested: list[str] = []

    def says(asked: ApprovalRequest) -> Answer:
        suggested.append(asked.suggest_mode)
        return no(asked)

    guard, _ = scene.guard(says, settings=PermissionSettings(mode=PermissionMode(mode)))
    for _ in range(5):
        scene.bash(guard, "cat .env")
    assert suggested == [""] * 5
    assert not scene.desk.session("s1").suggests


def test_a_suggestion_is_settled_once_and_only_while_it_stands(scene: Scene) -> None:
    guard, _ = scene.guard(no)
    said = scene.desk.settle_suggestion("s1", accepted=True, by="ann", via="terminal")
    assert said == "no mode is suggested for this session"
    for number in range(3):
        scene.bash(guard, f"make deploy{number}")
    assert scene.desk.settle_suggestion("s1", accepted=False, by="ann", via="terminal") == ""
    assert (scene.desk.session("s1").refused, scene.desk.session("s1").suggests) == (1, False)
    for number in range(3, 6):
        scene.bash(guard, f"make deploy{number}")
    assert scene.desk.settle_suggestion("s1", accepted=True, by="ann", via="terminal") == ""
    session = scene.desk.session("s1")
    assert (session.mode, session.consecutive, session.total) == ("full_auto", 0, 6)


def test_timeouts_and_rules_are_no_opinions(scene: Scene) -> None:
    guard, _ = scene.guard(None, timeout=0.02)
    for number in range(4):
        scene.bash(guard, f"make deploy{number}")
        scene.bash(guard, "cat ~/.ssh/id_rsa")
    assert [(s.consecutive, s.total, s.suggests) for s in scene.desk.sessions()] == [(0, 0, False)]


# --- functions of a program ----------------------------------------------------------------------------------------


def test_a_function_is_protected_in_three_lines(scene: Scene) -> None:
    guard, person = scene.guard(lambda asked: yes(asked) if "7" in asked.input else no(asked, "not that one"))
    done: list[int] = []

    @guard.tool
    def delete_user(user_id: int, *, hard: bool = False) -> str:
        """Deletes."""
        done.append(user_id)
        return f"gone {user_id} {hard}"

    assert delete_user(7) == "gone 7 False"
    with pytest.raises(Refused, match="not that one"):
        delete_user(8, hard=True)
    assert done == [7]
    assert (delete_user.__name__, delete_user.__doc__) == ("delete_user", "Deletes.")
    assert len(person.offered) == 2


def test_rules_name_protected_functions(scene: Scene) -> None:
    settings = PermissionSettings(allow=["Tool(lookup)"], deny=["Tool(drop_*)"])
    guard, person = scene.guard(settings=settings)

    @guard.tool
    def lookup(key: str) -> str:
        return key

    @guard.tool(name="drop_table")
    def remove(table: str) -> str:
        return table

    assert lookup("a") == "a"
    with pytest.raises(Refused):
        remove("users")
    assert person.offered == []


def test_a_coroutine_function_is_protected_without_blocking_the_loop(scene: Scene) -> None:
    release = threading.Event()

    def waits(asked: ApprovalRequest) -> Answer:
        release.wait(20)
        return yes(asked)

    guard, _ = scene.guard(waits)

    @guard.tool
    async def fetch(name: str) -> str:
        return name

    async def story() -> str:
        task = asyncio.create_task(fetch("x"))
        await asyncio.sleep(0)
        release.set()
        return await task

    assert asyncio.run(story()) == "x"


def test_run_does_nothing_before_it_is_allowed(scene: Scene) -> None:
    guard, _ = scene.guard(no)
    done: list[int] = []
    with pytest.raises(Refused):
        asyncio.run(guard.run(guard.call("Bash", {"command": "make deploy"}), lambda: done.append(1)))
    assert done == []


# --- our own failures ----------------------------------------------------------------------------------------------


def test_a_journal_that_cannot_be_written_denies_what_would_be_allowed(scene: Scene) -> None:
    guard, _ = scene.guard()
    scene.bash(guard, "git status")
    audit = scene.state / "audit"
    audit.rename(scene.state / "moved")
    audit.write_text("not a folder")
    answer = scene.bash(guard, "git status")
    assert (answer.allowed, answer.state, answer.decided_by) == (False, "failed", "error")
    assert "journal" in answer.message


def test_a_store_that_cannot_be_used_denies(scene: Scene) -> None:
    guard, _ = scene.guard()
    scene.desk.store.close()
    answer = scene.bash(guard, "make deploy")
    assert (answer.allowed, answer.state) == (False, "failed")
    scene.desk.store = type(scene.desk.store)(":memory:")


def test_a_broken_policy_never_allows(scene: Scene) -> None:
    scene.policy("allow = [\n")
    guard, _ = scene.guard(None, on_ask="deny")
    assert not scene.bash(guard, "git status").allowed


def test_the_journal_of_all_this_verifies(scene: Scene) -> None:
    guard, _ = scene.guard(lambda asked: choose(asked, "project"))
    for command in ("git status", "make deploy", "cat ~/.ssh/id_rsa", "make deploy"):
        scene.bash(guard, command)
    found = verify(str(scene.state / "audit"))
    assert (found.ok, found.records) == (True, len(scene.journal()))


def test_a_secret_in_a_command_is_not_in_the_journal(scene: Scene) -> None:
    guard, _ = scene.guard(None, on_ask="deny")
    scene.bash(guard, "curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345' https://x.example")
    text = (scene.state / "audit/permissions.jsonl").read_text()
    assert "ghp_0123456789" not in text
    assert "x.example" in text
