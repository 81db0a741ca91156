"""assent judge: what the model says about the descriptions of your policy, for one command or a file of cases."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from assent import wire
from assent.classifier.bench import Bench
from assent.classifier.connection import sdk
from assent.classifier.judgement import Judgement, Trouble
from assent.classifier.panel import NAMES, Panel, Subject
from assent.cli.options import Options, read_options
from assent.cli.show import COLOURS, EXIT_CODES, LABELS, paint, uses_colour, visible
from assent.errors import InputError, UsageError
from assent.layers import load_policy
from assent.policy.compiled import Policy
from assent.record import record
from assent.types import Verdict
from assent.world import DiskWorld

KNOWN = {"--cwd": True, "--workspace": True, "--jobs": True, "--json": False}

HELP = """usage: assent judge [OPTIONS] COMMAND
       assent judge eval CASES.jsonl [OPTIONS]

Ask the model of your `[classifier]` whether the descriptions in allow_if, ask_if and deny_if fit a command. Only the
model is asked: rules, floor, checks and people, which all come before it, are left out. Nothing is run, remembered or
taken from the budget.

eval    judge every line of a file, {"command": "make test", "cwd": "/p", "expect": "allow"}, and count: agreement,
        false allows, false denies, latency and cost. `ask` is expected where ask_if fits or nothing does.

  --cwd DIR         the folder of the command (default: here), and of cases that name none
  --workspace DIR   the project whose policy counts (default: the one the folder belongs to)
  --jobs N          so many cases at once (default: 4)
  --json            answer as one JSON object

Exit code: for a command 0 allow, 3 ask, 4 deny; for eval 0 if every case agrees, 1 if not; 2 errors.

Examples:
  assent judge 'make test'
  assent judge eval cases.jsonl
  assent judge eval cases.jsonl --jobs 8 --json
"""
MOST_JOBS = 64
QUIET_SECONDS = 1.0
BAR = 30


@record
class Case:
    """One line of a file of cases."""

    subject: Subject
    expect: Verdict
    line: int


@record
class Result:
    """What came of one case."""

    case: Case
    verdict: Verdict
    trouble: str
    ms: float
    cost: float


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "judge")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    evaluates = options.rest[:1] == ["eval"]
    if len(options.rest) != (2 if evaluates else 1):
        raise UsageError("give one command, or `eval` with one file", help="see `assent judge --help`")
    world = DiskWorld()
    cwd = os.path.abspath(options.value("--cwd") or os.getcwd())
    given = options.value("--workspace")
    policy = load_policy(os.environ, os.path.abspath(given) if given else world.workspace(cwd), world).policy
    bench = Bench(os.environ)
    try:
        panel = bench.panel(_without_budget(policy))
        if panel.classifier is None or not policy.table["descriptions"]:
            raise UsageError(
                "nothing to ask", help="write `allow_if`, `ask_if` or `deny_if` and a `[classifier]` first"
            )
        ends = _evaluate if evaluates else _judge
        return ends(options, panel, policy, cwd)
    finally:
        bench.close()


def _without_budget(policy: Policy) -> dict[str, object]:
    return {name: value for name, value in policy.table["classifier"].items() if not name.startswith("budget.")}


# --- one command ---------------------------------------------------------------------------------------------------


def _judge(options: Options, panel: Panel, policy: Policy, cwd: str) -> int:
    rules = policy.described(Verdict.ALLOW, Verdict.ASK, Verdict.DENY)
    found = asyncio.run(panel.each(Subject(options.rest[0], cwd), rules))
    verdict = panel.verdict(found)
    if options.has("--json"):
        told = [{"kind": NAMES[kind], **_as_object(one)} for kind, one in found]
        sys.stdout.write(wire.dumps({"verdict": str(verdict), "model": policy.judge, "judgements": told}) + "\n")
    else:
        label = paint(f" {LABELS[verdict]:<5}", COLOURS[verdict], colour=uses_colour())
        sys.stdout.write(f"{label} {visible(options.rest[0])}\n")
        sys.stdout.writelines(f"  {NAMES[kind]:<9}{visible(_told(one))}\n" for kind, one in found)
    return EXIT_CODES[verdict]


def _told(one: Judgement) -> str:
    took = f"({one.model}, {one.latency_ms:.0f} ms{f', {one.cost:.6f}' if one.cost else ''})"
    if one.trouble:
        return f"could not be judged: {one.trouble} {took}"
    return f"{one.description or 'nothing fits'}, confidence {one.confidence:g} {took}"


def _as_object(one: Judgement) -> dict[str, object]:
    names = ("matches", "confidence", "description", "model", "latency_ms", "cost", "trouble")
    return {name: getattr(one, name) for name in names}


# --- a file of cases -----------------------------------------------------------------------------------------------


def _evaluate(options: Options, panel: Panel, policy: Policy, cwd: str) -> int:
    cases = list(_read_cases(options.rest[1], cwd))
    jobs = options.value("--jobs") or "4"
    if not jobs.isdecimal() or not 0 < int(jobs) <= MOST_JOBS:
        raise UsageError(f"`--jobs {jobs}` is no number of jobs", help=f"between 1 and {MOST_JOBS}")
    results = asyncio.run(_run(cases, panel, policy, int(jobs)))
    found = summary(results, policy.judge)
    if options.has("--json"):
        sys.stdout.write(wire.dumps(found) + "\n")
    else:
        _show(found, results)
    return 0 if found["agreed"] == len(results) else 1


def _read_cases(file: str, cwd: str) -> Iterator[Case]:
    expected = {str(verdict): verdict for verdict in (Verdict.ALLOW, Verdict.ASK, Verdict.DENY)}
    try:
        with open(file, encoding="utf-8") as source:
            lines = source.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read `{file}`: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        match wire.loads(line):
            case {"command": str(command), "expect": str(expect), **rest} if expect in expected:
                folder = rest.get("cwd", cwd)
                yield Case(Subject(command, folder if isinstance(folder, str) else cwd), expected[expect], number)
            case _:
                raise InputError(f"{file}:{number}: a case needs `command` and `expect`", help="allow, ask or deny")


async def _run(cases: list[Case], panel: Panel, policy: Policy, jobs: int) -> list[Result]:
    rules = policy.described(Verdict.ALLOW, Verdict.ASK, Verdict.DENY)
    with suppress(Trouble):  # every case says it again
        await sdk(policy.table["classifier"]["provider"])  # its loading is not the model's latency
    room, progress = asyncio.Semaphore(jobs), Progress(len(cases))

    async def one(case: Case) -> Result:
        async with room:
            begun = time.perf_counter()
            found = await panel.each(case.subject, rules)
            took = (time.perf_counter() - begun) * 1000
        progress.step()
        trouble = next((judgement.trouble for _, judgement in found if judgement.trouble), "")
        return Result(case, panel.verdict(found), trouble, took, sum(judgement.cost for _, judgement in found))

    try:
        return list(await asyncio.gather(*map(one, cases)))
    finally:
        progress.end()


def summary(results: list[Result], model: str) -> dict[str, object]:
    """The numbers that tell a good judge from a bad one."""
    times = sorted(result.ms for result in results)
    wrong = [result for result in results if result.verdict != result.case.expect]
    return {
        "model": model,
        "cases": len(results),
        "agreed": len(results) - len(wrong),
        "agreement": round(1 - len(wrong) / len(results), 4) if results else 1.0,
        "false_allows": sum(result.verdict == Verdict.ALLOW for result in wrong),
        "false_denies": sum(result.verdict == Verdict.DENY for result in wrong),
        "not_judged": sum(bool(result.trouble) for result in results),
        "latency_ms": {"p50": quantile(times, 0.5), "p99": quantile(times, 0.99)},
        "cost": round(sum(result.cost for result in results), 6),
        "wrong": [
            {
                "line": result.case.line,
                "command": result.case.subject.text,
                "expect": str(result.case.expect),
                "got": str(result.verdict),
                "trouble": result.trouble,
            }
            for result in wrong
        ],
    }


def quantile(times: list[float], share: float) -> float:
    """The smallest of the sorted times that so large a share does not exceed."""
    import math

    return round(times[max(0, math.ceil(share * len(times)) - 1)], 1) if times else 0.0


def _show(found: dict[str, object], results: list[Result]) -> None:
    for result in results:
        if result.verdict != result.case.expect:
            why = f"  ({result.trouble})" if result.trouble else ""
            said = f"expected {result.case.expect}, got {result.verdict}: {result.case.subject.text}{why}"
            sys.stdout.write(f"line {result.case.line}: {visible(said)}\n")
    agreed, times = found["agreed"], found["latency_ms"]
    assert isinstance(times, dict) and isinstance(agreed, int)  # noqa: S101 - narrows for the type checker
    rows = (
        ("agreement", f"{agreed} of {found['cases']}"),
        *(("false allows", found["false_allows"]), ("false denies", found["false_denies"])),
        ("not judged", found["not_judged"]),
        ("latency", f"p50 {times['p50']:.0f} ms, p99 {times['p99']:.0f} ms"),
        ("cost", f"{found['cost']:.6f}"),
    )
    sys.stdout.write(f"{visible(str(found['model']))}\n")
    sys.stdout.writelines(f"  {name:<13}{value}\n" for name, value in rows)


class Progress:
    """A bar on standard error, only for people, and only after a second."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._drawn = total, 0, False
        self._begun = time.monotonic()
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def step(self) -> None:
        self._done += 1
        if self._shown and time.monotonic() - self._begun > QUIET_SECONDS:
            full = BAR * self._done // max(1, self._total)
            bar = "#" * full + "-" * (BAR - full)
            sys.stderr.write(f"\r  [{bar}] {self._done} of {self._total}")
            sys.stderr.flush()
            self._drawn = True

    def end(self) -> None:
        if self._drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
