"""The terminal channel on real pseudo-terminals: what is drawn, what is restored, and that two never share a screen."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pexpect
import pytest

from approval.terminal_person import Person, person
from approval.terminal_program import CASES, PLAIN
from approval.test_channels import SECONDS, KeptInbox
from assent.approval.channels.terminal import TerminalChannel
from assent.errors import AssentError
from assent.questions import Answer, State, load_answer
from assent.record import replace

PROGRAM = [sys.executable, str(Path(__file__).parent / "terminal_program.py")]


@contextmanager
def asking(
    whom: Person,
    case: str = "plain",
    *,
    term: str = "xterm",
    no_color: str = "",
    locks: str = "",
    request_id: str = "r1",
) -> Iterator[tuple[TerminalChannel, KeptInbox, threading.Thread]]:
    """A dialog on somebody's terminal, in this process; its clock makes the first moment pass at once."""
    request = replace(CASES[case], id=request_id)
    inbox = KeptInbox(request)
    env = {"TERM": term, "NO_COLOR": no_color}
    channel = TerminalChannel(
        whom.path, by="ann", home="/home/ann", env=env, locks=locks, clock=count(0.0, 10.0).__next__
    )
    thread = threading.Thread(target=channel.offer, args=(request, inbox), daemon=True)
    thread.start()
    try:
        yield channel, inbox, thread
    finally:
        channel.withdraw(request_id, "cancelled", "the test is over")
        thread.join(SECONDS)


def ended(thread: threading.Thread) -> None:
    thread.join(SECONDS)
    assert not thread.is_alive()


# --- in this process -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("y\r", "assent: approved once · cd build"),
        ("n\r", "assent: denied · cd build"),
        ("l\r", "assent: left pending: nothing is approved until it is answered elsewhere"),
        ("\x1b", "assent: left pending: nothing is approved"),
        ("\x03", "assent: left pending: nothing is approved"),
        ("r\rtoo risky\r", "assent: denied, because: too risky · cd build"),
    ],
)
def test_the_outcome_stays_on_one_line_and_the_terminal_is_as_before(keys: str, line: str) -> None:
    with person() as whom, asking(whom) as (_, inbox, thread):
        whom.sees("[y] once")
        whom.type(keys)
        ended(thread)
        whom.wait_for(line)
        assert whom.raw.partition("\x1b[?1049l")[2].startswith(line)
        assert whom.raw.partition("\x1b[?1049l")[2].count("\n") == 1
        assert whom.raw.count("\x1b[?1049h") == whom.raw.count("\x1b[?1049l") == 1
        assert whom.raw.count("\x1b[?25l") == whom.raw.count("\x1b[?25h") == 1
        assert whom.settings() == whom.before
        assert len(inbox.answers) == (keys[0] in "ynr")


def test_what_was_typed_before_the_dialog_is_not_an_answer() -> None:
    with person() as whom:
        whom.type("yyy\ry")
        with asking(whom) as (_, inbox, thread):
            whom.sees("[y] once")
            whom.type("n\r")
            ended(thread)
        assert [answer.approved for _, answer in inbox.answers] == [False]


def test_a_lasting_answer_needs_the_second_screen_and_a_capital_letter() -> None:
    with person(lines=40) as whom, asking(whom) as (_, inbox, thread):
        whom.sees("[y] once")
        whom.type("m\r")
        whom.sees("[Y] write this rule and allow")
        whom.type("2")
        whom.sees("> 2  this session")
        whom.type("y\r")
        whom.sees("Cleared")
        whom.sees("[Y] write this rule and allow")
        whom.type("Y\r")
        ended(thread)
    rules = PLAIN.choices[0].rules
    assert inbox.answers == [("r1", Answer(True, "ann", "terminal", 0.0, "", "session", rules, "f1"))]


def test_explaining_shows_the_steps_and_comes_back() -> None:
    with person() as whom, asking(whom) as (_, _inbox, _thread):
        whom.sees("[y] once")
        whom.type("?\r")
        whom.sees("none of 12 match")
        whom.type("\x1b")
        whom.sees("[y] once")


def test_a_resized_terminal_is_drawn_again() -> None:
    with person(80, 24) as whom, asking(whom) as (_, _inbox, _thread):
        whom.sees("─" * 79)
        whom.resize(50, 24)
        whom.sees("\n" + "─" * 49 + "\n")
        assert max(map(len, whom.screen.split("\n"))) <= 49


@pytest.mark.parametrize(
    ("state", "said", "told"),
    [
        ("denied", "denied by bob in the inbox", "decided elsewhere: denied, denied by bob in the inbox · cd build"),
        ("expired", "Approval timeout (300s) — auto-denied", "no answer needed any more: expired, Approval timeout"),
    ],
)
def test_withdrawing_takes_the_dialog_away_and_says_why(state: State, said: str, told: str) -> None:
    with person() as whom, asking(whom) as (channel, inbox, thread):
        whom.sees("[y] once")
        channel.withdraw("r1", state, said)
        ended(thread)
        whom.wait_for(f"assent: {told}")
        assert whom.settings() == whom.before
    assert inbox.answers == []


def test_a_closed_terminal_answers_nothing() -> None:
    with person() as whom, asking(whom) as (_, inbox, thread):
        whom.sees("[y] once")
        whom.close_terminal()
        ended(thread)
    assert inbox.answers == []


def test_no_color_means_no_colour() -> None:
    with person() as whom, asking(whom, no_color="1") as (_, _inbox, _thread):
        whom.sees("[y] once")
        assert "m" not in {end[-1:] for end in _escapes(whom.raw)}


def test_with_colour_the_words_are_the_same() -> None:
    with person() as one, asking(one, "hostile"), person() as other, asking(other, "hostile", no_color="1"):
        one.sees("[l] later")
        other.sees("[l] later")
        assert one.screen == other.screen
        assert "\x1b[1;7;31m\\u{202e}\x1b[0m" in one.raw


def test_a_dumb_terminal_gets_plain_lines() -> None:
    with person(lines=40) as whom, asking(whom, term="dumb") as (_, inbox, thread):
        whom.wait_for("[y] once")
        whom.type("?\r")
        whom.wait_for("none of 12 match")
        whom.type("\x1b")
        whom.wait_for("[y] once", since=whom.seen.index("none of 12"))
        whom.type("n\r")
        ended(thread)
        assert "\x1b" not in whom.raw
    assert [answer.approved for _, answer in inbox.answers] == [False]


def test_nothing_hostile_reaches_the_terminal() -> None:
    with person() as whom, asking(whom, "hostile") as (_, _inbox, _thread):
        whom.sees("‹300 blanks›", "touch pwned #\\u{d}ls -la \\u{1b}[8m \\u{202e}")
        assert "\x1b[8m" not in whom.raw
        assert "\u202e" not in whom.raw


def test_two_requests_take_turns_on_one_terminal(tmp_path: Path) -> None:
    for locks in ("", str(tmp_path)):
        with person() as whom, asking(whom, locks=locks, request_id="a") as (_, first, one):
            whom.sees("[y] once")
            with asking(whom, "long", locks=locks, request_id="b") as (_, second, two):
                whom.type("y\r")
                ended(one)
                whom.sees("[y] after reading")
                whom.type("n\r")
                ended(two)
        assert [answer.approved for _, answer in first.answers + second.answers] == [True, False]


def test_who_waits_for_the_terminal_can_be_withdrawn() -> None:
    with person() as whom, asking(whom, request_id="a") as (_, _inbox, _one):
        whom.sees("[y] once")
        with asking(whom, "long", request_id="b") as (channel, second, two):
            channel.withdraw("b", "expired", "")
            ended(two)
            assert second.answers == []
            assert "echo step" not in whom.seen


def test_without_a_terminal_the_channel_says_so(tmp_path: Path) -> None:
    for path, why in ((str(tmp_path / "none"), "there is no terminal"), ("/dev/null", "is no terminal")):
        with pytest.raises(AssentError, match=why):
            TerminalChannel(path).offer(PLAIN, KeptInbox(PLAIN))


def _escapes(raw: str) -> Iterator[str]:
    import re

    for found in re.finditer(r"\x1b\[[0-9;?]*[A-Za-z]", raw):
        yield found.group()


# --- programs with a terminal of their own -------------------------------------------------------------------------


def program(tmp_path: Path, case: str, *more: str) -> "pexpect.spawn[str]":
    env = {**os.environ, "TERM": "xterm", "HOME": str(tmp_path)}
    words = [*PROGRAM[1:], case, str(tmp_path), *more]
    return pexpect.spawn(PROGRAM[0], words, env=env, encoding="utf-8", dimensions=(30, 90), timeout=SECONDS)


def test_a_program_asks_on_its_own_terminal_and_goes_on(tmp_path: Path) -> None:
    child = program(tmp_path, "plain")
    child.expect_exact("[")  # the first escape: something is drawn
    child.send("y")  # within the first moment
    child.expect("once.*later")
    child.expect(r"\[(?:\x1b\[\d+m)*y\]")
    assert not (tmp_path / "r1.answer").exists()
    child.send("\r")  # ends the line of what came too early
    child.expect_exact("Cleared")
    child.expect(r"\[(?:\x1b\[\d+m)*y\]")
    child.send("y")
    child.expect_exact("Enter approves it once")
    assert not (tmp_path / "r1.answer").exists()
    child.send("\r")
    child.expect_exact("assent: approved once")
    child.expect_exact("program r1 goes on")
    child.expect(pexpect.EOF)
    child.close()
    answer = load_answer((tmp_path / "r1.answer").read_text())
    assert answer == Answer(True, "ann", "terminal", 1e9, fingerprint="f1")


@pytest.mark.parametrize("early", [True, False])
def test_a_program_is_not_answered_by_a_sentence_that_somebody_types(tmp_path: Path, *, early: bool) -> None:
    child = program(tmp_path, "plain")
    child.expect_exact("once" if early else "[")
    child.expect(r"\(r\)" if early else r"\[(?:\x1b\[\d+m)*y\]")
    child.delaybeforesend = 0.07
    for key in "rwhy do you need this" if early else "why do you need this":
        child.send(key)
    child.expect_exact("Nothing is answered")
    time.sleep(0.6)
    child.send("n\r")
    child.expect_exact("Cleared")
    child.sendintr()
    child.expect_exact("left pending")
    child.expect(pexpect.EOF)
    child.close()
    assert not (tmp_path / "r1.answer").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_that_is_told_to_end_gives_the_terminal_back(tmp_path: Path, number: signal.Signals) -> None:
    child = program(tmp_path, "plain")
    child.expect(r"\[(?:\x1b\[\d+m)*y\]")
    child.kill(number)
    child.expect_exact("\x1b[?2004l\x1b[?25h\x1b[?1049l")
    child.expect(pexpect.EOF)
    child.close()
    assert not (tmp_path / "r1.answer").exists()
    assert child.signalstatus == number


def test_a_program_in_the_background_does_not_ask_and_is_not_stopped(tmp_path: Path) -> None:
    env = {**os.environ, "PS1": "ready> ", "TERM": "dumb", "HOME": str(tmp_path)}
    shell = pexpect.spawn("bash", ["--norc", "-i"], env=env, encoding="utf-8", echo=False, timeout=SECONDS)
    shell.expect_exact("ready> ")
    shell.sendline(f"{' '.join(PROGRAM)} plain {tmp_path} & wait")
    shell.expect_exact("the terminal is used by another program: this one runs in the background")
    shell.expect_exact("program r1 goes on")
    shell.close(force=True)
    assert not (tmp_path / "r1.answer").exists()


# --- as a terminal really shows it ---------------------------------------------------------------------------------


class Tmux:
    """A real terminal emulator without a window."""

    def __init__(self, folder: Path, columns: int, lines: int) -> None:
        self.folder = folder
        self.sockets = tempfile.mkdtemp(prefix="assent-", dir="/tmp")  # the path of a socket may have 107 characters
        self.socket = f"assent-{uuid.uuid4().hex[:12]}"
        self.run("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(lines), "cat")
        self.run("set-option", "-g", "remain-on-exit", "on")

    def run(self, *words: str) -> str:
        env = {**os.environ, "HOME": str(self.folder), "TMUX_TMPDIR": self.sockets, "TERM": "xterm-256color"}
        made = subprocess.run(["tmux", "-L", self.socket, *words], env=env, capture_output=True, text=True, check=True)
        return made.stdout

    def screen(self) -> str:
        return self.run("capture-pane", "-p")

    def history(self) -> str:
        return self.run("capture-pane", "-p", "-S", "-")

    def wait(self, seen: Callable[[str], bool]) -> str:
        until = time.monotonic() + SECONDS
        while not seen(self.screen()):
            assert time.monotonic() < until, self.screen()
            time.sleep(0.03)
        return self.screen()


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    made = Tmux(tmp_path, 80, 24)
    try:
        yield made
    finally:
        made.run("kill-server")
        shutil.rmtree(made.sockets)


def test_the_whole_dialog_in_a_real_terminal(tmux: Tmux, tmp_path: Path) -> None:
    tmux.run("respawn-pane", "-k", *PROGRAM, "plain", str(tmp_path))
    screen = tmux.wait(lambda seen: "[y] once" in seen)
    assert screen.rstrip("\n").split("\n") == [
        " ASK  deploy-bot · session 7f3 · ~/code/shop (git: main)         1 of 3 waiting",
        " Deletes files outside the project, then uploads to the network",
        " HIGH · not undoable",
        "─" * 79,
        "   cd build && rm -rf /srv/cache && curl -T out.tgz https://x.example/up",
        "     ok   cd build                 allowed  read-only",
        "     ASK  rm -rf /srv/cache        asks     no rule; outside project, 412",
        "                                            files, 1.2 GB",
        "     ASK  curl -T out.tgz https:…  asks     uploads need a person ·",
        "                                            policy.toml:40",
        " Reads out.tgz · Deletes /srv/cache/** · Network x.example",
        " Asked because: one part has no rule; one matches policy.toml:40. Mode:",
        " default.",
        ' Agent says (unverified): "clean the cache and publish the build"',
        "─" * 79,
        " [y] once   [n] no   [r] no, and say why   [m] more…   [?] explain   [l] later",
        " A letter counts once you press Enter.",
    ]
    for columns in (40, 200, 60):
        tmux.run("resize-window", "-x", str(columns), "-y", "24")
        width = min(columns - 1, 140)
        screen = tmux.wait(lambda seen, width=width: f"\n{'─' * width}\n" in seen)  # type: ignore[misc]
        assert "deploy-bot" in screen
    tmux.run("send-keys", "n", "Enter")
    tmux.wait(lambda seen: "program r1 goes on" in seen)
    kept = tmux.history()
    assert "assent: denied · cd build && rm -rf /srv/cache && curl -T …\nprogram r1 goes on\n" in kept
    assert not load_answer((tmp_path / "r1.answer").read_text()).approved


def test_two_programs_on_one_terminal_take_turns(tmux: Tmux, tmp_path: Path) -> None:
    script = tmp_path / "both.py"
    script.write_text(
        "import subprocess, sys, time\n"
        f"one = subprocess.Popen({[*PROGRAM, 'plain', str(tmp_path), 'a']!r})\n"
        "sys.stdout.flush()\n"
        f"two = subprocess.Popen({[*PROGRAM, 'long', str(tmp_path), 'b']!r})\n"
        "one.wait(); two.wait()\n"
    )
    tmux.run("respawn-pane", "-k", sys.executable, str(script))
    for _ in range(2):
        screen = tmux.wait(lambda seen: "[y] " in seen)
        first = "b" if "echo step" in screen else "a"
        tmux.run("send-keys", "n", "Enter")
        tmux.wait(lambda seen, name=first: (tmp_path / f"{name}.answer").exists())  # type: ignore[misc]
    said = ("assent: denied · cd build", "assent: denied · echo step")
    tmux.wait(lambda _: all(line in tmux.history() for line in said))  # the second may have pushed the first away
    assert sorted(found.name for found in tmp_path.glob("*.answer")) == ["a.answer", "b.answer"]


def test_wide_characters_keep_their_columns_in_a_real_terminal(tmux: Tmux, tmp_path: Path) -> None:
    tmux.run("respawn-pane", "-k", *PROGRAM, "wide", str(tmp_path))
    screen = tmux.wait(lambda seen: "[y] once" in seen)
    assert "     ok   echo 漢字漢字漢字漢字  allowed  read-only" in screen
    assert "     ASK  tee 結果.txt           asks     no rule" in screen
