"""decode-to-interpreter: text that nobody can read is decoded and run.

**What it finds.** `base64 -d | sh` and the like: a decoder (base64, xxd, openssl, gunzip, rev, tr) feeds a shell or an
interpreter.

**Why.** Encoding has one use in front of a shell: to keep the person and the rules from seeing what runs.

**Instead.** Write the command as it is.
"""

from __future__ import annotations

from assent.checks.pipes import Flow, interprets, name_of, reading_code, takes_a_script, takes_data
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
    **dict.fromkeys(("gzip", "bzip2", "xz", "zstd", "lz4"), ("-d", "-dc", "-cd", "--decompress")),
    **dict.fromkeys(("bzcat", "bunzip2", "xzcat", "unxz", "zstdcat", "unzstd", "lz4cat"), ()),
    "unzip": ("-p",),
    "tar": ("-O", "--to-stdout", "xOf", "-xOf", "xOzf", "-xOzf", "xzOf", "-xzOf", "xfO", "-xfO"),
    "rev": (),
    "tr": (),
    "printf": (),
}
"""Programs and what must be among their words; none means always."""


def find(analysis: Seen) -> Iterator[Finding]:
    decoding = {number for number, call in enumerate(analysis.calls, 1) if _decodes(call)}
    if not decoding:
        return
    reading, flow = reading_code(analysis), Flow(analysis.calls)
    for number, call in enumerate(analysis.calls, 1):
        named = interprets(call) and (name_of(call) not in ("awk", "gawk", "xargs") or takes_a_script(call))
        runs = (named and not takes_data(analysis, number)) or number in reading
        if runs and decoding & flow.sources(number):
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
    "base64 -d a | make -f -": True,
    "base64 -d a | awk -f - b": True,
    "base64 -d a | awk '{print $1}'": False,
    "xzcat a.xz | python3": True,
    "xzcat a.xz | python3 -c 'import sys; print(len(sys.stdin.read()))'": False,
    "tar xOf a.tar a.py | python3": True,
    "unzip -p a.zip a.py | python3": True,
    "tar xf a.tar | python3 b.py": False,
}
