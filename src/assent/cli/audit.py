"""assent audit: read, search, prove and export the journal."""

from __future__ import annotations

import os
import sys
import time

from assent import folders, wire
from assent.audit.exports import FORMATS, export
from assent.audit.lines import KINDS
from assent.audit.reading import find, records, search, stats
from assent.audit.verify import Problem, verify
from assent.cli.audit_show import counts, details, rows, verification
from assent.cli.options import Options, read_options
from assent.cli.show import uses_colour
from assent.errors import AssentError, UsageError
from assent.record import replace
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assent.audit.lines import Record

KNOWN = {
    **dict.fromkeys(("-n", "--kind", "--session", "--tool", "--verdict", "--since", "--until"), True),
    **dict.fromkeys(("--anchor", "--format"), True),
    **dict.fromkeys(("--follow", "--json"), False),
}
TAKES: dict[str, tuple[str, ...]] = {
    "tail": ("-n", "--follow", "--json"),
    "search": ("-n", "--kind", "--session", "--tool", "--verdict", "--since", "--until", "--json"),
    "show": ("--json",),
    "verify": ("--anchor", "--json"),
    "head": ("--json",),
    "stats": ("--since", "--json"),
    "export": ("--format", "--since", "--until"),
}
VERDICTS = ("allow", "ask", "deny", "approved", "denied", "expired", "cancelled")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
LINES, FOUND = 20, 100
POLL_SECONDS = 0.3

HELP = """usage: assent audit tail [-n N] [--follow] [--json]
       assent audit search [WORD …] [CONDITIONS] [-n N] [--json]
       assent audit show ID [--json]
       assent audit verify [--anchor SEQ:HASH] [--json]
       assent audit head [--json]
       assent audit stats [--since WHEN] [--json]
       assent audit export --format csv|jsonl|otel|ocsf [--since WHEN] [--until WHEN]

The journal holds every decision, question and answer, chained by hashes, with secrets masked. `verify` finds every
record that was changed, removed, put in or moved, and says where, and answers and grants that have no record. A
head that you note elsewhere (`assent audit head`) proves later with `--anchor` that nothing up to it was rewritten.

  -n N              the last N records (tail: 20, search: 100; 0 for all)
  --follow          keep printing what is written, until Ctrl-C
  --kind KIND       decision, question, shown, answer, timeout, cancelled, spent,
                    grant, revoke, mode, policy, error, result
  --session ID      of this session; the beginning of the id is enough
  --tool NAME       about this tool
  --verdict WHAT    allow, ask, deny, approved, denied, expired or cancelled
  --since WHEN      2026-01-31, 2026-01-31T12:00, or how long ago: 30m, 2h, 7d
  --until WHEN      before this moment
  --anchor HEAD     compare with a head that was noted elsewhere
  --format FORMAT   csv, jsonl (as written), otel (OTLP/JSON logs) or ocsf
  --json            JSON, one object per line for records

Exit codes of verify: 0 nothing wrong, 1 problems found, 2 wrong usage or not readable.

Examples:
  assent audit tail
  assent audit search rm --verdict deny --since 7d
  assent audit verify
  assent audit export --format csv
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "audit")
    if options.has("--help") or not options.rest:
        sys.stdout.write(HELP)
        return 0 if options.has("--help") else 2
    action, options.rest = options.rest[0], options.rest[1:]
    if action not in ACTIONS:
        raise UsageError(f"unknown action `{action}`", help=f"one of {', '.join(ACTIONS)}")
    for name in options.given:
        if name not in TAKES[action]:
            raise UsageError(f"`audit {action}` takes no `{name}`", help="see `assent audit --help`")
    wanted = 1 if action == "show" else 0
    if action != "search" and len(options.rest) != wanted:
        raise UsageError(f"`audit {action}` takes {'an id' if wanted else 'nothing'} more")
    return ACTIONS[action](_folder(), options)


def _folder() -> str:
    return folders.state_folder(os.environ, DiskWorld().home) + "/audit"


def _tail(folder: str, options: Options) -> int:
    found = search(folder, limit=_number(options, LINES))
    last = found[-1].seq if found else 0
    _print(found, options, day="", empty=not options.has("--follow"))
    while options.has("--follow"):
        sys.stdout.flush()
        time.sleep(POLL_SECONDS)
        day = time.strftime("%Y-%m-%d", time.localtime(found[-1].time)) if found else ""
        new = tuple(records(folder, after=last))
        if new:
            _print(new, options, day=day, empty=False)
            found, last = new, new[-1].seq
    return 0


def _search(folder: str, options: Options) -> int:
    kind, verdict = options.value("--kind") or "", options.value("--verdict") or ""
    if kind and kind not in KINDS:
        raise UsageError(f"unknown kind `{kind}`", help=f"one of {', '.join(KINDS)}")
    if verdict and verdict not in VERDICTS:
        raise UsageError(f"unknown verdict `{verdict}`", help=f"one of {', '.join(VERDICTS)}")
    found = search(
        folder,
        options.rest,
        kind=kind,
        verdict=verdict,
        session=options.value("--session") or "",
        tool=options.value("--tool") or "",
        since=_moment(options, "--since"),
        until=_moment(options, "--until"),
        limit=_number(options, FOUND),
    )
    _print(found, options, day="", empty=True)
    return 0


def _show(folder: str, options: Options) -> int:
    found = find(folder, options.rest[0])
    if options.has("--json"):
        _print(found, options, day="", empty=False)
        return 0
    for place, one in enumerate(found):
        sys.stdout.write("\n" if place else "")
        _write(details(one, colour=uses_colour()))
    return 0


def _verify(folder: str, options: Options) -> int:
    found = verify(folder, options.value("--anchor"))
    if missing := _unrecorded(os.path.dirname(folder)):
        found = replace(found, ok=False, problems=(*found.problems, *missing))
    if options.has("--json"):
        problems = [{"file": p.file, "line": p.line, "seq": p.seq, "what": p.what} for p in found.problems]
        amounts = {"ok": found.ok, "records": found.records, "files": found.files, "head": found.head}
        sys.stdout.write(wire.dumps({**amounts, "problems": problems}) + "\n")
    elif not found.files and found.ok:
        sys.stdout.write(f"nothing was written yet in {folder}\n")
    else:
        _write(verification(found, colour=uses_colour()))
    return 0 if found.ok else 1


def _unrecorded(state: str) -> tuple[Problem, ...]:
    """INVARIANT: approvals that cannot be looked at are a problem too, not nothing."""
    from assent.outbox import STORE, unrecorded

    try:
        return unrecorded(state)
    except AssentError as error:
        return (Problem(STORE, 0, 0, str(error)),)


def _head(folder: str, options: Options) -> int:
    last = next(records(folder, newest_first=True), None)
    seq, digest = (last.seq, last.hash) if last else (0, "0" * 64)
    if options.has("--json"):
        sys.stdout.write(wire.dumps({"seq": seq, "hash": digest, "time": last.time if last else None}) + "\n")
    else:
        sys.stdout.write(f"{seq}:{digest}\n")
    return 0


def _stats(folder: str, options: Options) -> int:
    found = stats(folder, _moment(options, "--since"))
    if options.has("--json"):
        table: dict[str, object] = {"records": found.records, "first": found.first, "last": found.last}
        for name in ("outcomes", "kinds", "tools", "decided_by"):
            table[name] = dict(getattr(found, name))
        sys.stdout.write(wire.dumps({**table, "latency_ms": found.latency_ms}) + "\n")
    else:
        _write(counts(found, colour=uses_colour()))
    return 0


def _export(folder: str, options: Options) -> int:
    from assent import __version__

    wanted = options.value("--format") or ""
    if wanted not in FORMATS:
        raise UsageError(f"the format `{wanted}` is not known", help=f"one of {', '.join(FORMATS)}")
    since, until = _moment(options, "--since"), _moment(options, "--until")
    found = (one for one in records(folder) if one.time >= since and (not until or one.time < until))
    for line in export(found, wanted, __version__):
        sys.stdout.write(line)
    return 0


ACTIONS: dict[str, Callable[[str, Options], int]] = {
    "tail": _tail,
    "search": _search,
    "show": _show,
    "verify": _verify,
    "head": _head,
    "stats": _stats,
    "export": _export,
}


def _print(found: Iterable[Record], options: Options, *, day: str, empty: bool) -> None:
    if options.has("--json"):
        _write(wire.dumps(one.table()) for one in found)
        return
    some = list(found)
    if not some and empty:
        sys.stdout.write("no records\n")
    _write(rows(some, colour=uses_colour(), day=day))


def _write(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(line + "\n")


def _number(options: Options, default: int) -> int:
    text = options.value("-n")
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise UsageError(f"`-n {text}` is no number", help="how many records, 0 for all")
    return int(text)


def _moment(options: Options, name: str) -> float:
    """A point in time: a date, a date with a time, or how long ago."""
    text = options.value(name)
    if text is None:
        return 0.0
    ago = text[:-1]
    if ago.isascii() and ago.isdecimal() and len(ago) <= 6 and text[-1:] in UNITS:
        return time.time() - int(ago) * UNITS[text[-1]]
    from datetime import datetime

    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError) as error:
        advice = "2026-01-31, 2026-01-31T12:00, or how long ago: 30m, 2h, 7d"
        raise UsageError(f"`{name} {text}` is no moment", help=advice) from error
