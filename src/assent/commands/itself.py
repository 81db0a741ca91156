"""assent: asking it is harmless, changing what it allows is not for agents."""

from __future__ import annotations

from assent.commands.program import Program, changes

SETTINGS = "assent.settings"
ASKING = (
    "--tool= --input= --cwd=list --workspace=list --mode= --extends= --allow= --ask= --deny= --shell= --json --steps"
    " --jsonl"
)
CHANGES = Program("--workspace= --all --reset --json --days= --cwd=", "text*", does=changes(SETTINGS, "Assent"))
SHOWS = Program("--workspace=list --json", "text*")

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
}
