"""Programs that press keys and move the pointer in a person's place: xdotool, ydotool, wtype and their kin."""

from __future__ import annotations

from assent.commands.program import Program, changes

PRESSES = Program("", "text*", does=changes("assent.settings", "press keys or click in your place"), style="plain")

PROGRAMS = dict.fromkeys("xdotool ydotool dotool wtype xte xvkbd cliclick xsendkeys".split(), PRESSES)

EXAMPLES = {
    "xdotool key Return": "change press keys or click in your place #assent.settings",
    "ydotool type y": "change press keys or click in your place #assent.settings",
    "dotool": "change press keys or click in your place #assent.settings",
    "wtype -k Return": "change press keys or click in your place #assent.settings",
    "xte 'key Return'": "change press keys or click in your place #assent.settings",
    "xvkbd -text y": "change press keys or click in your place #assent.settings",
    "cliclick kp:return": "change press keys or click in your place #assent.settings",
    "xsendkeys Return": "change press keys or click in your place #assent.settings",
}
