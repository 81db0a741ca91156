"""Programs that compress single files: most replace their operand, some keep it, some only print or test."""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

SUFFIX = {
    "gzip": ".gz", "gunzip": ".gz", "pigz": ".gz", "unpigz": ".gz", "bzip2": ".bz2", "bunzip2": ".bz2",
    "pbzip2": ".bz2", "xz": ".xz", "unxz": ".xz", "lzma": ".lzma", "unlzma": ".lzma", "zstd": ".zst", "zstdmt": ".zst",
    "unzstd": ".zst", "lz4": ".lz4", "unlz4": ".lz4", "compress": ".Z", "uncompress": ".Z", "brotli": ".br",
}  # fmt: skip
SHORTER = {".tgz": ".tar", ".taz": ".tar", ".tbz": ".tar", ".tbz2": ".tar", ".txz": ".tar", ".tzst": ".tar"}
UNPACKS = frozenset("gunzip unpigz bunzip2 unxz unlzma unzstd unlz4 uncompress".split())
KEEPS = frozenset("zstd zstdmt unzstd lz4 unlz4 brotli".split())
LISTS_OTHERWISE = frozenset("pbzip2 lz4 unlz4".split())
"""Those where `-l` is about how to compress."""
MODES = "-z -d -t -l --list -b --train --train-cover --train-fastcover --train-legacy"
"""What each of them may be told to do."""
OTHER_ENDINGS = (".gz", ".z", ".Z", ".bz2", ".bz", ".xz", ".lzma", ".lz", ".zst", ".lz4", ".br", ".zip")


@turns_off("-d -k -S", everything="-c -l -t", modes=MODES)
def _replacing(args: Args) -> Iterator[Fact]:
    """gzip's way: `a` becomes `a.gz` or the other way round, and the original is removed unless it is kept."""
    yield from _odd_numbers(args)
    yield from _replaced(args)


def _replaced(args: Args) -> Iterator[Fact]:
    if args.has("--files", "--files0"):
        for word in args.values("--files", "--files0"):
            yield from args.file("read", word)
        yield args.gap("a list names the files", blind=True)
    deep = args.has("-r") and args.name != "pbzip2"
    quiet = args.has("-c", "-t") or (args.has("-l") and args.name not in LISTS_OTHERWISE)
    if args.has("-N") and not quiet and (args.has("-d") or args.name in UNPACKS):
        yield args.gap("takes the name of the result from inside the file")
    for word in args.operands:
        yield from args.file("read", word, deep=deep)
        if quiet or word.value == "-":
            if args.has("--rm"):  # lz4 removes also what it only tested
                yield from args.file("delete", word, deep=deep)
            continue
        if deep:
            yield from args.file("write", word, deep=True)
        for result in _results(args, word):
            yield from args.file("write", result)
        if args.has("--rm") or (args.name not in KEEPS and not args.has("-k", "--keep")):
            yield from args.file("delete", word, deep=deep)


def _results(args: Args, word: Word) -> Iterator[Word]:
    """The name of the file that is made; either one, where it is told to pack and to unpack."""
    path = word.value if word.value is not None else word.pattern
    if not path:
        yield word
        return
    suffix = (args.text("-S") or SUFFIX[args.name]) if args.name not in KEEPS else SUFFIX[args.name]
    unpacks = args.has("-d") or args.name in UNPACKS or (args.name == "lz4" and path.endswith(".lz4"))
    names = [_without_ending(path, suffix)] if unpacks else []
    if not unpacks or args.has("-z"):
        names.append(f"{path}{suffix}")
    for made in names:
        yield Word(word.text, made) if word.value is not None else Word(word.text, None, word.why, made, word.many)


def _without_ending(path: str, suffix: str) -> str:
    for ending in (suffix, ".bz") if suffix == ".bz2" else (suffix, *OTHER_ENDINGS):
        if path.endswith(ending):
            return path.removesuffix(ending)
    for ending, shorter in SHORTER.items():
        if path.endswith(ending):
            return path.removesuffix(ending) + shorter
    return f"{path}.out" if suffix == ".bz2" else path


def _odd_numbers(args: Args) -> Iterator[Fact]:
    """Values attached to a letter are numbers; a letter behind one would be another option."""
    for name in ("-T", "-B", "-M", "-b", "-e", "-i", "-p", "-m"):
        for word in args.values(name):
            if not (word.value or "").rstrip("KMGTIDXkib%").isdigit() and (word.value or "") not in ("I", "D", "X"):
                yield args.gap(f"`{word.text}` behind {name} is no number")


@turns_off(
    "-d",
    everything="-o -c --output-dir-flat --output-dir-mirror -l -t --train --train-cover --train-fastcover"
    " --train-legacy -b",
    modes=MODES,
)
def _zstandard(args: Args) -> Iterator[Fact]:
    """zstd keeps its operands; `-o`, folders and training change where the result goes."""
    yield from _odd_numbers(args)
    for word in args.values("--filelist"):
        yield from args.file("read", word)
        yield args.gap("a list names the files", blind=True)
    if args.has("--train", "--train-cover", "--train-fastcover", "--train-legacy"):
        for word in args.operands:
            yield from args.file("read", word, deep=args.has("-r"))
        if not args.has("-o"):
            yield from args.file("write", Word("dictionary", "dictionary"))
    elif args.has("-b", "-o", "--output-dir-flat", "--output-dir-mirror"):
        for word in args.operands:
            yield from args.file("read", word, deep=args.has("-r"))
            if args.has("--rm"):
                yield from args.file("delete", word, deep=args.has("-r"))
    else:
        yield from _replaced(args)


@turns_off("-d -m -r", everything="-c -t -b --list", modes=MODES)
def _lz4(args: Args) -> Iterator[Fact]:
    """`lz4 in out`: the second operand is written, unless `-m` makes all of them inputs."""
    if args.has("-m", "-r", "-c", "-t", "--list", "-b") or len(args.operands) < 2:
        if args.has("--list", "-b"):
            args.given.setdefault("-t", [])
        yield from _replacing(args)
        return
    source, target, *others = args.operands
    for word in (source, *others):
        yield from args.file("read", word)
    if target.value not in ("stdout", "null"):
        yield from args.file("write", target)
    if args.has("--rm"):
        yield from args.file("delete", source)


@turns_off("-d", everything="-c -o -t", modes=MODES)
def _brotli(args: Args) -> Iterator[Fact]:
    if not args.has("-o"):
        yield from _replacing(args)
        return
    for word in args.operands:
        yield from args.file("read", word)
        if args.has("--rm"):
            yield from args.file("delete", word)


LEVELS = "-1,--fast -2 -3 -4 -5 -6 -7 -8 -9,--best"
GZIP = Program(
    "-a,--ascii -c,--stdout,--to-stdout -d,--decompress,--uncompress -f,--force -h,--help -k,--keep -l,--list"
    " -L,--license"
    " -n,--no-name -N,--name -q,--quiet -r,--recursive --rsyncable -S,--suffix= --synchronous -t,--test -v,--verbose"
    f" -V,--version {LEVELS}",
    "text*",
    more=_replacing,
)
PIGZ = Program(
    "-0 -b,--blocksize= -c,--stdout -d,--decompress -f,--force -h,--help -i,--independent -k,--keep -l,--list"
    " -L,--license -m,--no-time -M,--time -n,--no-name -N,--name -p,--processes= -q,--quiet -r,--recursive"
    " -R,--rsyncable"
    f" -S,--suffix= -t,--test -v,--verbose -V,--version {LEVELS}",
    "text*",
    more=_replacing,
)
BZIP2 = Program(
    "-c,--stdout -d,--decompress -f,--force -h,--help -k,--keep -L,--license -q,--quiet -s,--small -t,--test"
    f" -v,--verbose -V,--version -z,--compress --repetitive-fast --repetitive-best {LEVELS}",
    "text*",
    more=_replacing,
)
XZ = Program(
    "-z,--compress -d,--decompress,--uncompress -t,--test -l,--list -k,--keep -f,--force -c,--stdout,--to-stdout"
    " --single-stream --no-sparse -S,--suffix= --files[=] --files0[=] -F,--format= -C,--check= --ignore-check -0"
    " -e,--extreme"
    " -T,--threads= --block-size= --block-list= --flush-timeout= --memlimit-compress= --memlimit-decompress="
    " --memlimit-mt-decompress= -M,--memlimit,--memory= --no-adjust --lzma1[=] --lzma2[=] --x86[=] --arm[=]"
    " --armthumb[=]"
    " --arm64[=] --powerpc[=] --ia64[=] --sparc[=] --delta[=] -q,--quiet -v,--verbose -Q,--no-warn --robot"
    " --info-memory"
    f" -h,--help -H,--long-help -V,--version --no-sync {LEVELS}",
    "text*",
    more=_replacing,
)
ZSTD = Program(
    "-o,--output=write -k,--keep --rm -# -d,--decompress,--uncompress -D=read -f,--force -h -H,--help -V,--version"
    " -c,--stdout -v,--verbose -q,--quiet --trace=write --progress --no-progress -r --filelist= --output-dir-flat=into"
    " --output-dir-mirror=into --asyncio --no-asyncio --check --no-check -C --ultra --fast[=] --adapt[=] --long[=]"
    " --patch-from=read -T[=] --threads= --single-thread --auto-threads= -B[=] --rsyncable --exclude-compressed"
    " --stream-size= --size-hint= --target-compressed-block-size= --no-dictID --compress-literals"
    " --no-compress-literals"
    " --row-match-finder --no-row-match-finder --format= -l,--list -t,--test -M[=] --memory= --sparse --no-sparse"
    " --pass-through --no-pass-through --train --train-cover[=] --train-fastcover[=] --train-legacy[=] --maxdict="
    " --dictID= -b[=] -e[=] -i[=] -S -z,--compress --no-content-size --content-size --max --zstd=",
    "text*",
    more=_zstandard,
)
LZ4 = Program(
    "-# -d,--decompress -z,--compress -D=read -f,--force -k,--keep --rm -h,--help -H -V,--version -v,--verbose"
    " -q,--quiet"
    " -c,--stdout,--to-stdout -t,--test -m,--multiple -r -l -B[=] -b[=] -e[=] -i[=] --no-frame-crc"
    " --content-size --list"
    " --sparse --no-sparse --favor-decSpeed --fast[=] --best --no-crc --frame-crc",
    "text*",
    more=_lz4,
)
PBZIP2 = Program(
    "-b[=] -c,--stdout -d,--decompress -f,--force -h,--help -k,--keep -l,--loadavg -L,--license -m[=] -p[=] -q,--quiet"
    f" -r,--read -t,--test -v,--verbose -V,--version -z,--compress {LEVELS}",
    "text*",
    more=_replacing,
)
COMPRESS = Program("-c -d -f -k -n -q -r -v -V -b=", "text*", more=_replacing)
BROTLI = Program(
    "-# -c,--stdout -d,--decompress -f,--force -h,--help --rm,-j -k,--keep -n,--no-copy-stat -o,--output=write"
    " -q,--quality="
    " -t,--test -v,--verbose -w,--lgwin= --large_window= -D,--dictionary=read -Z,--best -V,--version",
    "text*",
    more=_brotli,
)

PROGRAMS = {
    "gzip": GZIP,
    "gunzip": GZIP,
    "pigz": PIGZ,
    "unpigz": PIGZ,
    "bzip2": BZIP2,
    "bunzip2": BZIP2,
    "bzcat": Program("-s,--small -k -q -v -d -c -f", "read*"),
    "pbzip2": PBZIP2,
    "xz": XZ,
    "unxz": XZ,
    "lzma": XZ,
    "unlzma": XZ,
    "xzcat": Program("-q,--quiet -v,--verbose -k -f,--force -d -c -F,--format= -T,--threads= --single-stream", "read*"),
    "lzcat": Program("-q,--quiet -v,--verbose -k -f,--force -d -c", "read*"),
    "zstd": ZSTD,
    "zstdmt": ZSTD,
    "unzstd": ZSTD,
    "zstdcat": Program("-q,--quiet -v,--verbose -f,--force --long[=] -D=read --no-check", "read*"),
    "lz4": LZ4,
    "unlz4": LZ4,
    "lz4cat": Program("-q -v -f", "read*"),
    "compress": COMPRESS,
    "uncompress": COMPRESS,
    "brotli": BROTLI,
}

EXAMPLES = {
    "lz4 -fz a b c": "read a | read c | write b",
    "gzip data.txt": "read data.txt | write data.txt.gz | delete data.txt",
    "gzip -9k data.txt": "read data.txt | write data.txt.gz",
    "gzip -c a b": "read a | read b",
    "gzip --stdout --decompress a.gz": "read a.gz",
    "gzip -dc": "note gzip",
    "gzip -l a.gz": "read a.gz",
    "xz -t a": "read a",
    "xz -t -z a": "read a | write a.xz | delete a",
    "xz -l -d a.xz": "read a.xz | write a.xz.xz | delete a.xz | write a",
    "bzip2 -tz a": "read a | write a.bz2 | delete a",
    "zstd -b1 -z a": "read a | write a.zst",
    "xz -t -z -c a": "read a",
    "gzip -r docs": "read docs/** | write docs/** | write docs.gz | delete docs/**",
    "gzip -r a": "read a/** | write a/** | write a.gz | delete a/**",
    "gzip -S .zz a": "read a | write a.zz | delete a",
    "gzip -d a.tgz": "read a.tgz | write a.tar | delete a.tgz",
    "gunzip a.gz": "read a.gz | write a | delete a.gz",
    "gunzip -N a.gz": "read a.gz | write a | delete a.gz"
    " | gap gunzip: takes the name of the result from inside the file",
    "gunzip -c a.tar.gz": "read a.tar.gz",
    "gzip *.log": "maybe list *.log (glob) #names | read *.log (glob) | write *.log.gz (glob) | delete *.log (glob)",
    "pigz -p 4 -k a": "read a | write a.gz",
    "unpigz a.gz": "read a.gz | write a | delete a.gz",
    "bzip2 --decompress a.bz2": "read a.bz2 | write a | delete a.bz2",
    "bzip2 --test a.bz2": "read a.bz2",
    "bzip2 -kv a": "read a | write a.bz2",
    "bunzip2 a.bz2": "read a.bz2 | write a | delete a.bz2",
    "bunzip2 a.zip": "read a.zip | write a.zip.out | delete a.zip",
    "bunzip2 -z a": "read a | write a.out | write a.bz2 | delete a",
    "bzcat a.bz2": "read a.bz2",
    "pbzip2 -p4 a": "read a | write a.bz2 | delete a",
    "xz -T0 -9e a": "read a | write a.xz | delete a",
    "xz --decompress a.xz": "read a.xz | write a | delete a.xz",
    "xz --files=names": "read names | blind xz: a list names the files",
    "xz -lv a.xz": "read a.xz",
    "unxz -k a.xz": "read a.xz | write a",
    "unxz -kz a": "read a | write a | write a.xz",
    "lzma a": "read a | write a.lzma | delete a",
    "unlzma a.lzma": "read a.lzma | write a | delete a.lzma",
    "xzcat a.tar.xz": "read a.tar.xz",
    "lzcat a.lzma": "read a.lzma",
    "zstd -19 -T0 a": "read a | write a.zst",
    "zstd --threads 0 -o b a": "write b | read a",
    "zstd -T0o b a": "read b | write b.zst | read a | write a.zst | gap zstd: `0o` behind -T is no number",
    "zstd --decompress --rm a.zst": "read a.zst | write a | delete a.zst",
    "zstd --train a b": "read a | read b | write dictionary",
    "zstd --filelist names": "read names | blind zstd: a list names the files",
    "zstd -t a.zst": "read a.zst",
    "zstdmt -k a": "read a | write a.zst",
    "unzstd a.zst": "read a.zst | write a",
    "zstdcat a.tar.zst": "read a.tar.zst",
    "zstd --train -T0o a": "read a | write dictionary | gap zstd: `0o` behind -T is no number",
    "lz4 -c --rm a": "read a | delete a",
    "lz4 -t --rm a.lz4": "read a.lz4 | delete a.lz4",
    "brotli -cj a": "read a | delete a",
    "lz4 a b": "read a | write b",
    "lz4 -dc a.lz4": "read a.lz4",
    "lz4 a": "read a | write a.lz4",
    "lz4 -m a b": "read a | write a.lz4 | read b | write b.lz4",
    "unlz4 a.lz4": "read a.lz4 | write a",
    "lz4cat a.lz4": "read a.lz4",
    "compress a": "read a | write a.Z | delete a",
    "uncompress -c a.Z": "read a.Z",
    "brotli -d a.br": "read a.br | write a",
    "brotli -o b a": "write b | read a",
    "brotli --rm a": "read a | write a.br | delete a",
    "lz4 -l -m a b": "read a | write a.lz4 | read b | write b.lz4",
    "pbzip2 -l a": "read a | write a.bz2 | delete a",
}
