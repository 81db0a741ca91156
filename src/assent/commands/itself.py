"""assent: asking it is harmless, changing what it allows is not for agents."""

from __future__ import annotations

from assent.commands.program import Program, changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SETTINGS = "assent.settings"
ASKING = (
    "--tool= --input= --cwd=list --workspace=list --mode= --extends= --allow= --ask= --deny= --shell= --json --steps"
    " --jsonl"
)
CHANGES = Program("--workspace= --all --reset --json --days= --cwd=", "text*", does=changes(SETTINGS, "Assent"))
SHOWS = Program("--workspace=list --json", "text*")

NOT_FOR_AGENTS = Program("", "text*", does=changes(SETTINGS, "Assent"), style="plain")


JOURNAL = ("tail", "export", "search", "show")


def _journal(args: Args) -> Iterator[Fact]:
    """Prints what the journal holds, whose file is closed: what other agents and people have done and said."""
    if any(word.value is None or word.value in JOURNAL for word in args.operands[:1]):
        yield args.effect("note", "the journal of Assent", "secret.print")


def _runs(args: Args) -> Iterator[Fact]:
    """Judged again when it runs; what that will say is not known here, but what is denied is denied already."""
    words = [word.text if word.value is None else word.value for word in args.operands]
    if words:
        text = " ".join(words[words.index("--") + 1 :]) if "--" in words else words[-1]
        yield args.effect("run", text, "inline")
    yield args.gap("what it runs is judged when it is run")


def _gateway(args: Args) -> Iterator[Fact]:
    if args.operands and args.operands[0].value == "pins":
        yield args.effect("change", "Assent", SETTINGS)
    yield args.gap("the server behind the gateway is not known")


PROGRAMS = {
    "assent": Program(
        "--help --version -h -V",
        commands={
            "check": Program(ASKING, "text*"),
            "explain": Program(ASKING, "text*"),
            "parse": Program("--json --shell=", "text*"),
            "version": Program(),
            "help": SHOWS,
            "policy": Program(
                commands={
                    "show": SHOWS,
                    "lint": Program("--workspace=list --json", "read*"),
                    "test": Program("--workspace=list --json", "read*"),
                    "schema": SHOWS,
                    "trust": CHANGES,
                    "untrust": CHANGES,
                },
                style="bare",
            ),
            "mode": CHANGES,
            "grants": CHANGES,
            "audit": Program("", "text*", more=_journal, style="plain"),
            "doctor": Program("--json", "text*"),
            **dict.fromkeys(("serve", "install", "uninstall", "hook"), NOT_FOR_AGENTS),
            "run": Program("", "text*", more=_runs, style="plain"),
            "mcp": Program("", "text*", more=_gateway, style="plain"),
            "judge": Program(
                "", "text*", does=(("reach", "the model of the classifier", "agent.prompt"),), style="plain"
            ),
            "sandbox": Program("", "text*", style="plain"),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "assent check 'rm -rf x'": "note assent check",
    "assent mode full_auto": "change Assent #assent.settings",
    "assent grants add 'make test'": "change Assent #assent.settings",
    "assent policy trust .assent/policy.toml": "change Assent #assent.settings",
    "assent policy lint": "note assent policy lint",
    "assent serve --link": "change Assent #assent.settings",
    "assent install claude-code --yes": "change Assent #assent.settings",
    "assent uninstall claude-code": "change Assent #assent.settings",
    "assent hook claude-code": "change Assent #assent.settings",
    "assent audit tail -n 5": "note the journal of Assent #secret.print",
    "assent run 'rm x'": "run rm x #inline | gap assent run: what it runs is judged when it is run",
    "assent run --sandbox -- rm x": "run rm x #inline | gap assent run: what it runs is judged when it is run",
    "assent mcp -- npx server": "note assent mcp | gap assent mcp: the server behind the gateway is not known",
    "assent mcp pins accept x": "change Assent #assent.settings"
    " | gap assent mcp: the server behind the gateway is not known",
}
