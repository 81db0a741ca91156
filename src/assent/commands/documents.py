"""Documents: text out of PDF files, pandoc, and spelling."""

from __future__ import annotations

from assent.commands.program import Program, turns_off
from assent.commands.spread import pieces, written_by_place
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

PLAIN_INPUTS = frozenset("- md markdown mkd txt text csv tsv json ipynb docx odt".split())
PLAIN_OUTPUTS = frozenset("- md markdown txt text html htm json rst tex org typ".split())
"""Endings of names; `-` stands for none. Pages are not plain inputs, because what they frame is fetched."""
MARKDOWN = "markdown gfm commonmark commonmark_x markdown_strict markdown_phpextra markdown_mmd markdown_github"
PLAIN_FROM = frozenset(f"{MARKDOWN} json native csv tsv docx odt ipynb".split())
PLAIN_TO = frozenset(
    f"{MARKDOWN} json native plain html html4 html5 rst latex beamer org asciidoc mediawiki dokuwiki jira man"
    " ms revealjs slidy dzslides s5 jats docbook haddock muse opml textile typst".split()
)
MAY_BE_ADDRESSES = ("--template", "-H", "-B", "-A", "--metadata-file", "--reference-doc", "--bibliography", "--csl")
NAMED_INSIDE = "takes in files and addresses that the document names"
PDF_PAGES = "-f= -l= -opw= -upw= -enc= -listenc -v -h -help"


@turns_off("-htmlmeta -bbox -bbox-layout")
def _extracting(args: Args) -> Iterator[Fact]:
    """`pdftotext a.pdf` writes `a.txt`, unless the second operand says otherwise."""
    yield from written_by_place(args)
    if len(args.operands) != 1:
        return
    word = args.operands[0]
    if word.value is None or word.value == "-":
        return
    stem, dot, ending = word.value.rpartition(".")
    kind = "html" if args.has("-htmlmeta", "-bbox", "-bbox-layout") else "txt"
    text = f"{stem if dot and ending.lower() == 'pdf' else word.value}.{kind}"
    yield from args.act("write", Word(word.text, text))


def _drawing(args: Args) -> Iterator[Fact]:
    """`pdftoppm a.pdf page` writes `page-1.ppm` and so on; without a second name it prints."""
    if len(args.operands) > 1:
        yield from pieces(args, args.operands[1])
    yield from written_by_place(args)


def _joining(args: Args) -> Iterator[Fact]:
    """The last name is written, the others are read."""
    for word in args.operands[:-1]:
        yield from args.act("read", word)
    for word in args.operands[-1:]:
        yield from args.act("write", word)


def _converting(args: Args) -> Iterator[Fact]:
    """Inputs may be addresses; formats may be programs in Lua; some formats take in what the document names."""
    for word in args.operands:
        value = word.value or ""
        if value.startswith(("http:", "https:")):
            yield from args.reach(value)
        elif "://" in value or value.startswith("file:"):
            yield args.gap(f"`{value}` is not understood", blind=True)
        else:
            yield from args.act("read", word)
    yield from _formats(args)
    inside = any(_ending(word) not in PLAIN_INPUTS for word in args.operands)
    outside = any(_ending(word) not in PLAIN_OUTPUTS for word in args.values("-o"))
    if inside or outside or args.has("--self-contained", "--extract-media", "-C"):
        yield args.gap(NAMED_INSIDE)
    if any(_ending(word) == "pdf" for word in args.values("-o")) and not args.has("--pdf-engine"):
        yield args.effect("run", "pdflatex", "program")
    for word in args.values(*MAY_BE_ADDRESSES):
        if "://" in (word.value or ""):
            yield args.gap(f"`{word.text}` is an address", blind=True)


def _formats(args: Args) -> Iterator[Fact]:
    """A format that is not plain embeds what a document names, or is a program of its own."""
    for option, plain in (("-f", PLAIN_FROM), ("-t", PLAIN_TO)):
        for word in args.values(option):
            if (word.value or "").replace("-", "+").partition("+")[0] not in plain:
                yield args.gap(f"format {word.text} takes in other files, or is a program")


def _ending(word: Word) -> str:
    """What follows the last dot of a name; `?` when the name is not known."""
    if word.value is None:
        return "?"
    stem, dot, ending = word.value.rpartition("/")[2].rpartition(".")
    return ending.lower() if dot and stem else "-"


@turns_off("-l -G -L")
def _spelling(args: Args) -> Iterator[Fact]:
    """`hunspell -l` prints wrong words; otherwise it asks about each and changes the file."""
    prints = args.has("-l", "-G", "-L")
    for word in args.operands:
        yield from args.act("read" if prints else "write", word)
        if _ending(word) in ("odt", "ods", "odp", "odg", "fodt", "?"):
            yield args.gap("unpacks a document with another program")
    for word in args.values("-d"):
        if "/" in (word.value or "/"):
            yield args.gap("a dictionary that is named by a path")
    if not prints:
        yield args.gap("asks somebody about every word")


PROGRAMS = {
    "pdftotext": Program(
        f"{PDF_PAGES} -r= -x= -y= -W= -H= -layout -fixed= -raw -nodiag -htmlmeta -bbox -bbox-layout -tsv -cropbox"
        " -colspacing= -eol= -nopgbrk -q",
        "read? write?",
        more=_extracting,
        style="single streams",
    ),
    "pdfinfo": Program(
        f"{PDF_PAGES} -box -meta -custom -js -struct -struct-text -url -isodates -rawdates -dests",
        "read?",
        style="single",
    ),
    "pdffonts": Program(f"{PDF_PAGES} -subst", "read?", style="single"),
    "pdftoppm": Program(
        f"{PDF_PAGES} -o -e -singlefile -scale-dimension-before-rotation -r= -rx= -ry= -scale-to= -scale-to-x="
        " -scale-to-y= -x= -y= -W= -H= -sz= -cropbox -hide-annotations -mono -gray -png -jpeg -jpegcmyk"
        " -jpegopt= -tiff -tiffcompression= -freetype= -thinlinemode= -aa= -aaVector= -q -progress -forcenum -sep=",
        "read? text?",
        more=_drawing,
        style="single",
    ),
    "pdfunite": Program("-v -h", "text*", more=_joining, style="single"),
    "pandoc": Program(
        "-f,-r,--from,--read= -t,-w,--to,--write= -o,--output=write -s --standalone[=] --template=read --toc[=]"
        " --table-of-contents[=] --toc-depth= -N --number-sections[=] --number-offset= --shift-heading-level-by="
        " --wrap= --columns= --eol= --tab-stop= -p,--preserve-tabs --ascii[=] --strip-comments[=] --no-highlight"
        " --highlight-style=read -H,--include-in-header=read -B,--include-before-body=read -A,--include-after-body=read"
        " -M,--metadata= --metadata-file=read -V,--variable= -c,--css= --reference-doc=read --reference-links"
        " --reference-location= --markdown-headings= --atx-headers --section-divs --id-prefix= -T,--title-prefix="
        " --email-obfuscation= --katex[=] --mathjax[=] --mathml --top-level-division= --listings -i,--incremental"
        " --slide-level= --dpi= --default-image-extension= --file-scope --sandbox[=] --trace --quiet --verbose"
        " --fail-if-warnings[=] --log=write --self-contained,--embed-resources --extract-media=into -C,--citeproc"
        " --bibliography=read --csl=read --track-changes= -D= -v -h --list-input-formats --list-output-formats"
        " --list-extensions[=] -F,--filter=run -L,--lua-filter=script --pdf-engine=run --pdf-engine-opt=",
        "text*",
        more=_converting,
        style="streams",
    ),
    "aspell": Program(
        "--lang= --mode= --encoding= --ignore-case --sug-mode= --ignore=",
        commands={"list": Program("--lang= -l= --mode= --encoding= --ignore-case --ignore="), "dicts": Program()},
        style="bare",
    ),
    "hunspell": Program("-l -G -L -d= -i= -w -n -t -H -X -D -1 -u -v -vv", "text*", more=_spelling),
}

EXAMPLES = {
    "pdftotext a.pdf": "read a.pdf | write a.txt",
    "pdftotext -layout -f 1 -l 2 a.pdf -": "read a.pdf",
    "pdftotext a.pdf b": "read a.pdf | write b",
    "pdftotext a.pdf b -kfrob": "read a.pdf | write b | gap pdftotext: option -kfrob is not known",
    "pdftotext docs/*.pdf": "read docs/*.pdf (glob) | write docs/*.pdf (glob)",
    "pdfinfo a.pdf": "read a.pdf",
    "pdffonts a.pdf": "read a.pdf",
    "pdftoppm -png -r 150 a.pdf docs/page": "read a.pdf | write docs/**/page*",
    "pdfunite a.pdf b.pdf c.pdf": "read a.pdf | read b.pdf | write c.pdf",
    "pandoc README.md -o b.html": "write b.html | read README.md",
    "pandoc -f markdown -t html README.md": "read README.md",
    "pandoc -f gfm+smart -s --toc README.md": "read README.md",
    "pandoc README.md -o b.pdf": f"write b.pdf | read README.md | run pdflatex #program | gap pandoc: {NAMED_INSIDE}",
    "pandoc a.tex -o b.md": f"write b.md | read a.tex | gap pandoc: {NAMED_INSIDE}",
    "pandoc --filter ./x README.md": "run ./x #program | read README.md",
    "pandoc -L x.lua README.md": "read x.lua | run x.lua #script | read README.md",
    "pandoc -t x.lua README.md": "read README.md | gap pandoc: format x.lua takes in other files, or is a program",
    "pandoc -d a": "read a | gap pandoc: option -d is not known",
    "pandoc https://example.com/x.html -t plain": f"reach https://example.com/x.html | gap pandoc: {NAMED_INSIDE}",
    "pandoc -so b README.md": "write b | read README.md",
    "pandoc -H https://example.com/x README.md": "read https://example.com/x | read README.md"
    " | blind pandoc: `https://example.com/x` is an address",
    "aspell list --lang=en": "note aspell list",
    "aspell check a": "run aspell check #program | gap aspell: subcommand check is not known",
    "hunspell -l a": "read a",
    "hunspell -d en_US a": "write a | gap hunspell: asks somebody about every word",
}
