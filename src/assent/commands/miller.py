"""Miller (`mlr`): flags, then verbs chained by `then`, then names of files. Its own language runs anything: `put`."""

from __future__ import annotations

from assent.commands.program import Program
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

KINDS = "csv tsv json jsonl nidx dkvp xtab pprint csvlite tsvlite markdown".split()
FLAGS = frozenset(
    [f"--{way}{kind}" for way in ("", "i", "o") for kind in KINDS]
    + [f"--{one}2{other}" for one in "ctjldnxp" for other in "ctjldnxpbm"]
    + """-n -I -C -M --no-color --always-color --implicit-csv-header --implicit-tsv-header --headerless-csv-output
    --headerless-csv-input --headerless-tsv-output --allow-ragged-csv-input --ragged --hi --ho -N --repifs --version
    --barred --barred-output --right --omd --imd --jvstack --no-jvstack --jlistwrap --no-auto-flatten
    --no-auto-unflatten --quote-all --quote-original --gzin --bz2in --zin --zstdin -S -A -O --infer-none
    --infer-octal --no-fflush --fflush""".split()
)
VALUED = frozenset("--ifs --ofs --fs --ips --ops --ps --irs --ors --rs --ofmt --nr-progress-mod --from".split())
VERBS: dict[str, tuple[str, str, int]] = {
    "altkv": ("", "", 0),
    "cat": ("-n --filename --filenum", "-N -g", 0),
    "count": ("-d -n", "-o -g", 0),
    "count-distinct": ("-n -u", "-f -o", 0),
    "count-similar": ("", "-g -o", 0),
    "cut": ("-o -x --complement -r", "-f", 0),
    "fill-down": ("-a --all --only-if-blank", "-f", 0),
    "fraction": ("-p -c", "-f -g", 0),
    "group-by": ("", "", 1),
    "group-like": ("", "", 0),
    "head": ("", "-n -g", 0),
    "label": ("", "", 1),
    "nothing": ("", "", 0),
    "regularize": ("", "", 0),
    "rename": ("-r -g", "", 1),
    "reorder": ("-e", "-f", 0),
    "sort": ("", "-f -r -n -nf -nr -fn -rn -c -cr -t -tr", 0),
    "stats1": ("-i -s -F", "-a -f -g --fr --gr", 0),
    "tac": ("", "", 0),
    "tail": ("", "-n -g", 0),
    "top": ("-a --min --max -F", "-f -g -n -o", 0),
    "uniq": ("-c -n -a -d -u", "-g -x -o", 0),
    "unsparsify": ("", "-f --fill-with", 0),
}
"""Flags, flags with a value, and how many words stand behind them."""
LANGUAGE = ("put", "filter")


def _processing(args: Args) -> Iterator[Fact]:
    words = args.operands
    if any(word.many and not word.pattern for word in words):
        yield args.gap("a word may be several", blind=True)
    at, in_place = 0, False
    while at < len(words) and (words[at].value or "").startswith("-"):
        flag = words[at].value or ""
        if flag == "--from" and at + 1 < len(words):
            yield from _data(args, words[at + 1], "read")
        elif flag not in FLAGS and flag not in VALUED:
            yield args.gap(f"option {flag} is not known", blind=True)
        in_place = in_place or flag == "-I"
        at += 2 if flag in VALUED else 1
    verbs = True
    while verbs and at < len(words):
        at = yield from _verb(args, words, at)
        verbs = at < len(words) and words[at].value == "then"
        at += verbs
    for word in words[at:]:
        yield from _data(args, word, "write" if in_place else "read")


def _verb(args: Args, words: list[Word], at: int) -> Generator[Fact, None, int]:
    """States what one verb does; returns the place behind its words. Behind an unknown verb all are files."""
    name = words[at].value
    if name in LANGUAGE:
        yield args.effect("run", f"mlr {name}", "inline")
    if name is None or name not in VERBS:
        yield args.gap(f"what {words[at].text} does is not known", blind=True)
        return at + 1
    flags, valued, operands = VERBS[name]
    at += 1
    while at < len(words) and (words[at].value or "").startswith("-"):
        flag = words[at].value or ""
        if flag not in flags.split() and flag not in valued.split():
            yield args.gap(f"option {flag} of {name} is not known", blind=True)
        at += 2 if flag in valued.split() else 1
    return at + operands


def _data(args: Args, word: Word, role: str) -> Iterator[Fact]:
    if (word.value or "").startswith(("http://", "https://")):
        yield from args.reach(word.value or "")
    else:
        yield from args.act(role, word)


PROGRAMS = {"mlr": Program("", "text*", more=_processing, style="plain")}

EXAMPLES = {
    "mlr --icsv --opprint cat data.txt": "read data.txt",
    "mlr --c2p sort -nr 2 then head -n 4 -g 1 data.txt a": "read data.txt | read a",
    "mlr --csv --from data.txt cut -f a,b then rename a,c": "read data.txt",
    "mlr -I --csv cat a": "write a",
    "mlr --csv filter '$x > 1' a": "run mlr filter #inline | read $x > 1 | read a"
    " | blind mlr: what filter does is not known",
    "mlr --csv split -g a data.txt": "read -g | read a | read data.txt | blind mlr: what split does is not known",
    "mlr --prepipe 'touch b' --csv cat a": "read --csv | read cat | read a"
    " | blind mlr: option --prepipe is not known | blind mlr: what 'touch b' does is not known",
    "mlr --csv cat https://example.com/x": "reach https://example.com/x",
    "mlr --version": "note mlr",
}
