"""Whatever is wrong with the helper, the hook answers by itself: the same answer, and recorded once."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from assent import launch
from assent.resident import client
from resident.resident_scene import NONCE, SECRET, SELF, House, helper, house, impostor, workers

ANSWER = b'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}\n'
WHOLE = client.ANSWER + b"\0" + b"%10d%10d" % (len(ANSWER), 0) + ANSWER
Prove = Callable[[bytes], bytes]
Step = Callable[[Prove], bytes]
DENIED = "cat ~/.ssh/id_rsa"


@pytest.fixture
def home() -> Iterator[House]:
    with house() as made:
        yield made


def does_it_itself(home: House, *words: str) -> None:
    """A denial is a denial and an allow an allow, each recorded once."""
    denied, allowed = (
        home.hook(home.command(DENIED, "no"), *words),
        home.hook(home.command("git status", "yes"), *words),
    )
    assert (denied.verdict, allowed.verdict, denied.err + allowed.err) == ("deny", "allow", "")
    assert [row["tool_call_id"] for row in home.records()] == ["no", "yes"]


def request_then(line: socket.socket, *steps: Step, secret: bytes = SECRET) -> None:
    """Read a request as the helper would, then say these things, each after the hook said something."""
    sizes = line.recv(20, socket.MSG_WAITALL)
    if not sizes:
        return  # it hung up
    asked = line.recv(int(sizes[:10]) + int(sizes[10:]), socket.MSG_WAITALL)
    nonce = asked.split(b"\0")[1]
    for number, step in enumerate(steps):
        if number and not line.recv(1):
            return
        line.sendall(step(lambda said: said + client.proof(secret, nonce, said)))


def judged(prove: Prove) -> bytes:
    return prove(client.JUDGED)


def whole(prove: Prove) -> bytes:
    return prove(WHOLE)


def plain(said: bytes) -> Step:
    return lambda _prove: said


def test_without_a_helper(home: House) -> None:
    does_it_itself(home)


def test_a_whole_answer_is_what_the_other_cases_differ_from(home: House) -> None:
    with impostor(home, lambda line: request_then(line, judged, whole)):
        assert home.resident(home.command("x")) == (0, ANSWER.decode(), "")


BROKEN: dict[str, tuple[Step, ...]] = {
    "silence": (),
    "do it yourself": (plain(client.YOURSELF),),
    "do it yourself after all": (judged, plain(client.YOURSELF)),
    "an answer before it may be given": (whole,),
    "ended before the answer": (judged,),
    "garbage": (plain(b"HTTP/1.1 200 OK\r\n\r\nallow" * 3),),
    "garbage for an answer": (judged, plain(b"yes" * 1000)),
    "half a head": (judged, lambda prove: whole(prove)[:10]),
    "half an answer": (judged, lambda prove: whole(prove)[:60]),
    "ready without a proof": (plain(client.JUDGED), whole),
    "ready with the proof of something else": (lambda prove: client.JUDGED + prove(b"K")[1:], whole),
    "no proof": (judged, plain(WHOLE)),
    "almost a proof": (judged, lambda prove: whole(prove)[:-1]),
    "another proof": (judged, lambda prove: whole(prove)[:-1] + bytes((whole(prove)[-1] ^ 1,))),
    "the proof of another answer": (judged, lambda prove: WHOLE + prove(WHOLE[:-1])[-client.PROOF_BYTES :]),
    "another letter": (judged, lambda prove: prove(b"B" + WHOLE[1:])),
    "no numbers": (judged, lambda prove: prove(WHOLE[:2] + b"x" * 20 + WHOLE[22:])),
    "a negative length": (judged, lambda prove: prove(WHOLE[:2] + b"%10d%10d" % (-5, 5) + WHOLE[22:])),
}


@pytest.mark.parametrize("steps", BROKEN.values(), ids=BROKEN.keys())
def test_a_helper_that_says(home: House, steps: tuple[Step, ...]) -> None:
    with impostor(home, lambda line: request_then(line, *steps)) as came:
        denied = home.hook(home.command(DENIED))
    assert (denied.verdict, len(home.records()), came) == ("deny", 1, [1])


def test_a_helper_that_hangs_up_before_it_has_read_anything(home: House) -> None:
    with impostor(home, lambda line: None) as came:
        assert home.hook(home.command(DENIED)).verdict == "deny"
    assert (len(home.records()), came) == (1, [1])


def test_a_helper_that_never_answers(home: House) -> None:
    def wait_for_the_end(line: socket.socket) -> None:
        while line.recv(65_536):
            continue

    with impostor(home, wait_for_the_end) as came:
        assert home.hook(home.command(DENIED)).verdict == "deny"
    assert (len(home.records()), came) == (1, [1])


def test_a_payload_that_is_too_large_for_the_helper(home: House) -> None:
    with helper(home):
        large = home.payload("Bash", {"command": "git status", "description": "x" * 1_200_000})
        assert home.resident(large).code == SELF
        assert (home.hook(large).verdict, len(home.records())) == ("allow", 1)


@pytest.mark.parametrize("payload", [b"", b"{not json", b"[]", b"{}", b"\xff\xfe"])
def test_garbage_from_the_host_is_refused_by_the_hook_itself(home: House, payload: bytes) -> None:
    cold = home.hook(payload)
    with helper(home):
        assert home.resident(payload).code == SELF
        assert home.hook(payload) == cold
    assert (cold.verdict, home.records()) == ("deny", [])


@pytest.mark.parametrize("words", [("--on-ask", "nonsense"), ("--loose",), ("--seconds", "1"), ("--seconds=9",)])
def test_options_that_are_wrong_or_leave_no_time_are_for_the_hook_itself(home: House, words: tuple[str, ...]) -> None:
    with helper(home):
        assert home.resident(home.command("git status"), *words).code == SELF


# --- who knows the secret ------------------------------------------------------------------------------------------


def test_a_listener_that_does_not_know_the_secret_is_not_believed(home: House) -> None:
    with impostor(home, lambda line: request_then(line, judged, whole, secret=bytes(32))) as came:
        denied = home.hook(home.command(DENIED))
    assert (denied.verdict, len(home.records()), came) == ("deny", 1, [1])


@pytest.mark.parametrize("key", [b"", SECRET[:-1], SECRET + b"x"], ids=["empty", "short", "long"])
def test_a_key_that_is_no_key_of_ours(home: House, key: bytes) -> None:
    with impostor(home, lambda line: request_then(line, judged, whole), key) as came:
        denied = home.hook(home.command(DENIED))
    assert (denied.verdict, len(home.records()), came) == ("deny", 1, [1])


def test_a_link_in_the_place_of_the_key(home: House) -> None:
    with helper(home):
        home.key.rename(home.key.with_name("real"))
        home.key.symlink_to("real")
        assert home.resident(home.command("git status")).code == SELF


def test_what_the_helper_said_to_one_hook_is_worth_nothing_to_another(home: House) -> None:
    payload = home.command("git status")
    with helper(home), home.line() as line:
        line.sendall(home.request(payload, "--on-ask", "deny"))
        first = line.recv(1 + client.PROOF_BYTES, socket.MSG_WAITALL)
        line.sendall(client.GO)
        answer = b"".join(iter(lambda: line.recv(65_536), b""))
        key = home.key.read_bytes()
    assert answer.endswith(client.proof(key, NONCE, answer[: -client.PROOF_BYTES]))
    shutil.rmtree(home.socket.parent)
    with impostor(home, lambda line: request_then(line, plain(first), plain(answer)), key) as came:
        assert home.resident(payload).code == SELF
    assert came == [1]


def test_every_helper_has_a_secret_of_its_own_that_nobody_else_may_read(home: House) -> None:
    seen = set()
    for _ in range(2):
        with helper(home):
            assert home.key.stat().st_mode & 0o777 == 0o600
            seen.add(home.key.read_bytes())
    assert len(seen) == 2
    assert {len(key) for key in seen} == {client.SECRET_BYTES}


def test_the_doctor_knows_a_stranger_from_the_helper(home: House) -> None:
    with impostor(home, lambda line: request_then(line, judged, secret=bytes(32))):
        assert "something that is not the helper listens in its place" in home.verb("doctor").out
    shutil.rmtree(home.socket.parent)
    with helper(home):
        assert "the resident helper answers hooks" in home.verb("doctor").out


# --- who may be there ----------------------------------------------------------------------------------------------


def test_a_folder_that_others_could_look_into(home: House) -> None:
    with helper(home):
        home.socket.parent.chmod(0o755)
        assert home.resident(home.command("git status")).code == SELF
        does_it_itself(home)
        home.socket.parent.chmod(0o700)
        assert home.answered(home.command("git status")).verdict == "allow"


def test_a_link_or_a_file_in_the_place_of_the_socket(home: House) -> None:
    with helper(home):
        real = home.socket.rename(home.socket.with_name("real.sock"))
        home.socket.symlink_to(real)
        assert home.resident(home.command("git status")).code == SELF
        home.socket.unlink()
        home.socket.write_text("")
        does_it_itself(home)


def socket_for(user: int, folder: int, there: int, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """What a user thinks of a socket and a folder that belong to these."""

    def lstat(path: bytes) -> SimpleNamespace:
        if path.endswith(launch.SOCKET.encode()):
            return SimpleNamespace(st_mode=0o140700, st_uid=there)
        return SimpleNamespace(st_mode=0o040700, st_uid=folder)

    monkeypatch.setattr(launch, "posix", SimpleNamespace(lstat=lstat, geteuid=lambda: user))
    return launch.resident_socket({b"HOME": b"/home/me"})


def test_what_belongs_to_somebody_else_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    path = b"/home/me/.local/state/assent/resident/hooks.sock"
    found = [socket_for(7, *owners, monkeypatch) for owners in ((7, 7), (7, 0), (0, 7), (8, 8))]
    assert found == [path, b"", b"", b""]


@pytest.mark.parametrize("env", [{}, {b"HOME": b"relative"}, {b"XDG_STATE_HOME": b"x", b"HOME": b"y"}])
def test_without_a_home_nobody_is_asked(env: dict[bytes, bytes]) -> None:
    assert launch.resident_socket(env) == b""


def test_a_process_of_somebody_else_at_the_other_end_is_not_believed() -> None:
    def line(user: int) -> SimpleNamespace:
        about = b"".join(number.to_bytes(4, sys.byteorder) for number in (1, user, 1))
        return SimpleNamespace(getsockopt=lambda *_: about)

    mine = os.geteuid()
    assert [client._is_mine(socket, line(user)) for user in (mine, mine + 1)] == [True, False]


OTHERS: dict[str, Callable[[House], dict[str, bytes]]] = {
    "another protocol": lambda home: {"protocol": b"assent-resident-0"},
    "another interpreter": lambda home: {"interpreter": b"3.99.0 utf-8"},
    "another installation": lambda home: {"package": os.fsencode(home.home)},
    "an installation that is gone": lambda home: {"package": b"/nowhere/assent"},
    "another file system": lambda home: {"place": b"1 2 3"},
    "a folder that is gone": lambda home: {"folder": os.fsencode(home.project / "gone")},
    "a folder by another name": lambda home: {"folder": os.fsencode(home.project / ".git/..")},
}


@pytest.mark.parametrize("changed", OTHERS.values(), ids=OTHERS.keys())
def test_the_helper_does_not_answer_hooks_of(home: House, changed: Callable[[House], dict[str, bytes]]) -> None:
    with helper(home):
        for fields, expected in ((changed(home), client.YOURSELF), ({}, client.JUDGED)):
            with home.line() as line:
                line.sendall(home.request(home.command("git status"), **fields))
                assert line.recv(1) == expected


def test_the_helper_does_not_answer_hooks_in_another_time_zone(home: House) -> None:
    with helper(home):
        assert home.resident(home.command("git status"), TZ="Asia/Tokyo").code == SELF
        assert home.answered(home.command("git status")).verdict == "allow"


# --- in the middle -------------------------------------------------------------------------------------------------


def test_a_hook_that_goes_away_before_it_says_go_leaves_no_record(home: House) -> None:
    with helper(home) as process:
        everyone = workers(process)
        for _ in everyone:
            with home.line() as line:
                line.sendall(home.request(home.command("git status", "gone")))
                assert home.judged(line)
        for number in everyone:
            home.answered(home.command("git status", f"stays {number}"))
    assert {row["tool_call_id"] for row in home.records()} == {f"stays {number}" for number in everyone}


def test_a_helper_that_was_killed_leaves_a_socket_at_which_nobody_answers(home: House) -> None:
    with helper(home) as process:
        everyone = workers(process)
        for number in (process.pid, *everyone):
            os.kill(number, signal.SIGKILL)
        process.wait()
        assert home.socket.is_socket()
        does_it_itself(home)
    with helper(home):
        assert home.answered(home.command("git status")).verdict == "allow"


def test_workers_that_are_killed_in_the_middle_hang_up_and_others_take_their_place(home: House) -> None:
    with helper(home) as process:
        with home.line() as line:
            line.sendall(home.request(home.command("git status", "lost")))
            assert home.judged(line)
            for number in workers(process):
                os.kill(number, signal.SIGKILL)
            assert line.recv(1) == b""
        assert home.answered(home.command("git status", "next")).verdict == "allow"
    assert [row["tool_call_id"] for row in home.records()] == ["next"]


def test_hooks_that_hang_do_not_keep_others_waiting(home: House) -> None:
    with helper(home) as process:
        silent = [home.line() for _ in workers(process)[1:]]
        assert home.answered(home.command("git status")).verdict == "allow"
        for line in silent:
            assert line.recv(1) == b""  # it was given up, after its time
            line.close()
        assert home.answered(home.command("git status")).verdict == "allow"
