"""assent check: judge one tool call, or a stream of them as JSON lines."""

from __future__ import annotations

import os
import sys
import time

from assent import wire
from assent.cli.options import Options, read_options
from assent.cli.show import EXIT_CODES, as_object, as_text, uses_colour
from assent.errors import InputError, UsageError
from assent.folders import own_folders, state_folder
from assent.layers import Loaded, load_policy
from assent.pipeline import examine
from assent.policy.compiled import Policy
from assent.types import ToolCall
from assent.world import DiskWorld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KNOWN = {
    "--tool": True,
    "--input": True,
    "--cwd": True,
    "--workspace": True,
    "--mode": True,
    "--extends": True,
    "--allow": True,
    "--ask": True,
    "--deny": True,
    "--shell": True,
    "--json": False,
    "--jsonl": False,
}

SHELLS = ("bash", "sh", "zsh", "powershell")

HELP = """usage: assent check [OPTIONS] COMMAND
       assent check [OPTIONS] --tool TOOL --input JSON
       assent check --jsonl [FILE]

Judge a tool call without running it: allow, ask or deny, and why.

  --tool TOOL       the tool, by any agent's name for it (default: Bash)
  --input JSON      the tool's input as a JSON object; `-` reads it from standard input
  --cwd DIR         working folder of the call (default: here)
  --workspace DIR   project root (default: the nearest folder above with .assent or .git)
  --mode MODE       judge in this mode instead: default, plan or full_auto
  --extends PRESET  judge with this preset and no policy files: careful or workspace
  --allow RULE      judge with this rule alone; may be given several times,
  --ask RULE          and with --ask and --deny. Without any of the three
  --deny RULE         the policy files of the workspace apply
  --shell SHELL     shell that would run the command: bash (default), sh, zsh, powershell
  --json            answer as one JSON object
  --jsonl [FILE]    judge one JSON object per line, from FILE or standard input

Exit code: 0 allow, 3 ask, 4 deny, 2 wrong usage or broken policy.

Examples:
  assent check 'git status'
  assent check --tool Read --input '{"file_path": "src/app.py"}'
  assent check --tool WebFetch --input '{"url": "https://docs.python.org/3/"}' --mode plan
  assent check --jsonl calls.jsonl > answers.jsonl
"""


def main(argv: list[str]) -> int:
    options = read_options(argv, KNOWN, "check")
    if options.has("--help"):
        sys.stdout.write(HELP)
        return 0
    if options.has("--jsonl"):
        from assent.cli.batch import run

        _refuse_beside_jsonl(options)
        return run(options.rest)
    world = DiskWorld()
    call = read_call(options, world)
    loaded = choose_policy(options, call, world)
    own = own_folders(os.environ, world.home)
    policy, marks = granted(options, loaded, call, world)
    decision = examine(call, policy, world, own, marks, counts=counted(policy, call, world))[1]
    if options.has("--json"):
        sys.stdout.write(wire.dumps(as_object(decision, loaded.policy.mode, loaded.notices)) + "\n")
    else:
        sys.stdout.write(as_text(call, decision, loaded.notices, colour=uses_colour()) + "\n")
    for problem in loaded.policy.problems:
        sys.stderr.write(f"assent: {problem}\n")
    return 2 if loaded.policy.problems else EXIT_CODES[decision.verdict]


def _refuse_beside_jsonl(options: Options) -> None:
    """An option that would be ignored could be a restriction that somebody counts on."""
    for name in options.given:
        if name != "--jsonl":
            raise UsageError(f"`{name}` does not go with --jsonl", help="every line says for itself what applies to it")


def read_call(options: Options, world: DiskWorld) -> ToolCall:
    """The call that the command line describes."""
    tool = options.value("--tool") or "Bash"
    given = options.value("--input")
    cwd = os.path.abspath(options.value("--cwd") or os.getcwd())
    if given is None and len(options.rest) != 1:
        raise UsageError("give one command, or --tool with --input", help="quote the command: assent check 'ls -la'")
    if given is not None and options.rest:
        raise UsageError(f"`{options.rest[0]}` is one argument too many", help="with --input there is no COMMAND")
    fields = _read_input(given) if given is not None else {"command": options.rest[0]}
    workspace = options.value("--workspace")
    shell = options.value("--shell") or "bash"
    if shell not in SHELLS:
        raise UsageError(f"unknown shell `{shell}`", help=f"one of {', '.join(SHELLS)}")
    return ToolCall(
        tool,
        fields,
        cwd=cwd,
        at=time.time(),
        workspace=os.path.abspath(workspace) if workspace else world.workspace(cwd),
        shell=shell,
    )


def _read_input(given: str) -> dict[str, object]:
    try:
        value = wire.loads(sys.stdin.buffer.read() if given == "-" else given)
    except InputError as error:
        raise UsageError(f"--input is {error.message}", help="write it as a JSON object") from error
    if not isinstance(value, dict):
        raise UsageError("--input must be a JSON object", help='such as \'{"file_path": "README.md"}\'')
    return value


def choose_policy(options: Options, call: ToolCall, world: DiskWorld) -> Loaded:
    """Rules from the command line alone, or the files of the workspace; `--mode` changes either."""
    rows = {name: options.values(f"--{name}") for name in ("allow", "ask", "deny")}
    mode = options.value("--mode")
    preset = options.value("--extends")
    if any(rows.values()) or preset:
        from assent.cli.batch import policy_of

        return Loaded(policy_of({**rows, "mode": mode or "default", "extends": preset or "careful"}))
    loaded = load_policy(os.environ, call.workspace, world)
    return loaded if mode is None else _in_mode(loaded, mode)


def granted(options: Options, loaded: Loaded, call: ToolCall, world: DiskWorld) -> tuple[Policy, frozenset[str]]:
    """The policy with what people granted for longer than once, and the project commands among it.

    Rules from the command line stand alone: nothing is granted beside them.
    """
    state = state_folder(os.environ, world.home)
    alone = any(options.has(name) for name in ("--allow", "--ask", "--deny"))
    if alone or not os.path.lexists(os.path.join(state, "grants.json")):
        return loaded.policy, frozenset()
    from assent.grants import live_grants, rules_of

    found, problem = live_grants(state, world, call.workspace or "", call.session, time.time())
    if problem:
        sys.stderr.write(f"assent: {problem}\n")
    marks = frozenset(grant.fingerprint for grant in found if grant.fingerprint)
    return loaded.policy.with_grants(rules_of(found)), marks


def counted(policy: Policy, call: ToolCall, world: DiskWorld) -> Mapping[str, int] | None:
    """How often rules with a limit were used until now; looking at a call uses nothing."""
    limited = policy.limited()
    if not limited:
        return None
    from assent.limits import counts

    return counts(state_folder(os.environ, world.home), limited, call.session, call.at)


def _in_mode(loaded: Loaded, mode: str) -> Loaded:
    from assent.policy.workflow import STRICTNESS

    known = next((name for name in STRICTNESS if name == mode), None)
    if known is None:
        raise UsageError(f"unknown mode `{mode}`", help="one of default, plan, full_auto")
    return Loaded(loaded.policy.in_mode(known), loaded.notices, loaded.files)
