"""decode-to-interpreter: text that nobody can read is decoded and run.

**What it finds.** `base64 -d | sh` and the like: a decoder (base64, xxd, openssl, gunzip, rev, tr) feeds a shell or an
interpreter.

**Why.** Encoding has one use in front of a shell: to keep the person and the rules from seeing what runs.

**Instead.** Write the command as it is.
"""

from __future__ import annotations

from assent.checks.pipes import interprets, name_of, sources
from assent.types import Finding, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.types import Call, Seen

ID = "decode-to-interpreter"
DECODERS = {
    "base64": ("-d", "-D", "--decode", "-di", "-id"),
    "base32": ("-d", "--decode"),
    "basenc": ("-d", "--decode"),
    "xxd": ("-r", "-p"),
    "openssl": ("enc", "base64", "-d"),
    "uudecode": (),
    "gunzip": (),
    "zcat": (),
    "gzip": ("-d", "-dc", "-cd", "--decompress"),
    "rev": (),
    "tr": (),
    "printf": (),
}
"""Programs and what must be among their words; none means always."""


def find(analysis: Seen) -> Iterator[Finding]:
    decoding = {number for number, call in enumerate(analysis.calls, 1) if _decodes(call)}
    if not decoding:
        return
    for number, call in enumerate(analysis.calls, 1):
        runs = interprets(call) and name_of(call) not in ("awk", "gawk", "xargs")
        if runs and decoding & sources(analysis, number):
            yield Finding(ID, Verdict.ASK, f"runs text that was decoded first ({call.program})")
            return


def _decodes(call: Call) -> bool:
    needed = DECODERS.get(name_of(call))
    return needed is not None and (not needed or any(word.value in needed for word in call.words))


COMMANDS = {
    "bash -c 'printf hi'": False,
    "bash -c 'eval \"$(echo aGk= | base64 -d)\"'": True,
    "echo cm0gLXJmIC8= | base64 -d | sh": True,
    "echo 6c73 | xxd -r -p | bash": True,
    'eval "$(echo bHM= | base64 -d)"': True,
    "echo bHM= | base64 -d": False,
    "echo hello | base64 | sh": False,
}
