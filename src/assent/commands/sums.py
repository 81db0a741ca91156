"""Checksums: they read files and print a number for each."""

from __future__ import annotations

from assent.commands.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

CHECKING = "-c,--check --ignore-missing --quiet --status --strict -w,--warn -z,--zero"


def _checking(args: Args) -> Iterator[Fact]:
    """With `-c` the operands are lists of sums and names, and the named files are read as well."""
    if args.has("-c"):
        yield args.gap("reads the files that a list of sums names", reading=True)


DIGEST = Program(f"-b,--binary --tag -t,--text {CHECKING}", "read*", more=_checking)

PROGRAMS = {
    "md5sum": DIGEST,
    "sha1sum": DIGEST,
    "sha224sum": DIGEST,
    "sha256sum": DIGEST,
    "sha384sum": DIGEST,
    "sha512sum": DIGEST,
    "b2sum": Program(f"-b,--binary -l,--length= --tag -t,--text {CHECKING}", "read*", more=_checking),
    "cksum": Program(
        f"-a,--algorithm= --base64 --debug -l,--length= --raw --tag --untagged {CHECKING}", "read*", more=_checking
    ),
    "sum": Program("-r -s,--sysv", "read*"),
    "b3sum": Program(
        "-c,--check --no-names --raw -l,--length= --num-threads= --no-mmap --tag --quiet", "read*", more=_checking
    ),
    "md5": Program("-p -q -r -t -x -s,--string=", "read*"),
}

EXAMPLES = {
    "md5sum": "note md5sum",
    "md5sum a b": "read a | read b",
    "sha1sum a": "read a",
    "sha224sum a": "read a",
    "sha256sum --tag a": "read a",
    "sha256sum -c a": "read a | gap sha256sum: reads the files that a list of sums names",
    "sha384sum a": "read a",
    "sha512sum a --frob": "read a | gap sha512sum: option --frob is not known",
    "b2sum -l 256 a": "read a",
    "cksum -a sha256 a": "read a",
    "sum a": "read a",
    "b3sum --no-names a": "read a",
    "md5 -q a": "read a",
}
