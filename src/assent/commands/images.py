"""Pictures: ImageMagick, and exiftool, which reads or changes what is written about a picture inside it.

ImageMagick chooses a reader by content, then by name. Some readers start programs or load other files, so that only a
kind that is written in front, as in `png:a.png`, is without a gap.
"""

from __future__ import annotations

from assent.commands.facts import described
from assent.commands.program import Program, options_of
from assent.record import replace
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

PLAIN_KINDS = frozenset("png jpg jpeg gif bmp tif tiff webp ico ppm pgm pbm avif heic".split())
PLUS_OPTIONS = frozenset("+repage +profile +dither +append +adjoin +antialias +compress".split())
CONTENT = "holds chooses its reader, which may load other files, unless a kind stands in front: `png:…`"
OTHER_READER = "the kind of picture is not plain: reading or writing it may start programs"
PLAIN_TAGS = frozenset(
    """all alldates common make model lensmodel datetimeoriginal createdate modifydate imagesize imagewidth imageheight
    orientation gpslatitude gpslongitude gpsposition gpsaltitude filetype filename filesize mimetype title author artist
    copyright comment description subject keywords creator producer software duration iso fnumber aperture exposuretime
    shutterspeed focallength xmp:all exif:all iptc:all gps:all colorspace bitspersample videoframerate rotation
    pagecount usercomment imagedescription warning error validate""".split()
)
PLAIN_LOOKS = frozenset(
    "a G G0 G1 G2 G3 G4 g g0 g1 j json S s s1 s2 s3 n t T csv h u U v q qq r e ee ver list f D H l b X".split()
)
"""Letters of exiftool that only change what is shown; the case counts."""


def _looking(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        yield from _picture(args, word, "read")
    yield from _values(args)


def _converting(args: Args) -> Iterator[Fact]:
    """The last name is written, the others are read."""
    names = [word for word in args.operands if word.value not in PLUS_OPTIONS]
    for word in names[:-1]:
        yield from _picture(args, word, "read")
    for word in names[-1:]:
        if len(names) == 1 or word.pattern:
            yield from _picture(args, word, "read")
        if len(names) > 1 or word.pattern:
            yield from _picture(args, word, "write", loaded=False)
    yield from _values(args)


def _changing(args: Args) -> Iterator[Fact]:
    """`mogrify` changes pictures where they are, or makes ones with another ending."""
    for word in args.operands:
        yield from _picture(args, word, "write")
    if args.has("-format"):
        yield args.gap("the pictures get other names")
    yield from _values(args)


def _picture(args: Args, word: Word, role: str, *, loaded: bool = True) -> Iterator[Fact]:
    """`svg:a`, `@list`, `https://…`: a name can choose its reader; so can its ending, and what is inside."""
    value = word.value
    kind, _, rest = (value or "").partition(":")
    certain = bool(rest) and kind.lower() in PLAIN_KINDS
    if value is None:
        yield from args.act(role, word)
        if not word.pattern or word.pattern.rpartition(".")[2].lower() not in PLAIN_KINDS:
            yield args.gap(OTHER_READER, blind=True)
        elif loaded:
            yield args.gap(f"what {word.text} {CONTENT}", reading=True)
        return
    name = rest if certain else value
    plain = name.partition("[")[0] if name.endswith("]") else name
    if ":" in plain or plain[:1] in "@+(" or "%" in plain or "|" in plain:
        yield args.gap(f"`{value}` is not understood", blind=True)
        return
    if plain == "-" and not certain:
        yield args.gap(OTHER_READER)
        return
    yield from args.act(role, Word(word.text, plain))
    if certain:
        return
    if plain.rpartition(".")[2].lower() not in PLAIN_KINDS or "." not in plain:
        yield args.gap(OTHER_READER)
    elif loaded:
        yield args.gap(f"what {word.text} {CONTENT}", reading=True)


def _values(args: Args) -> Iterator[Fact]:
    """A value that begins with `@` is read from a file."""
    table = options_of(args.program.options)
    words = args.call.words
    at = 1
    while at < len(words):
        text = words[at].value or ""
        option = table.get(text)
        if option is not None and option.takes and at + 1 < len(words) and "@" in (words[at + 1].value or "@"):
            yield args.gap("a value that may come from a file", blind=True)
        at += 2 if option is not None and option.takes else 1


def _tags(args: Args) -> Iterator[Fact]:
    """exiftool: `-Artist=x` changes files, many options run code or write; names of tags and plain looks only show."""
    unknown = False
    for word in args.operands:
        text = word.value
        if text is None or text[:1] != "-" or text == "-":
            yield from args.act("tree", word)
        elif text[1:] not in PLAIN_LOOKS and text[1:].rstrip("#").lower() not in PLAIN_TAGS:
            yield args.gap(f"option {text} is not known to only show something")
            unknown = True
    if unknown:
        for word in args.operands:
            if word.value is not None and word.value[:1] != "-":
                yield from args.act("into", word)


SHAPING = (
    "-resize= -quality= -crop= -rotate= -strip -flip -flop -gravity= -extent= -background= -density="
    " -colorspace= -depth= -trim -alpha= -thumbnail= -scale= -sample= -geometry= -negate -normalize"
    " -auto-orient -blur= -sharpen= -unsharp= -colors= -monochrome -type= -level= -threshold= -fuzz="
    " -transparent= -border= -bordercolor= -append -flatten -coalesce -layers= -delay= -loop= -interlace="
    " -sampling-factor= -brightness-contrast= -modulate= -units= -repage= -shave= -splice= -verbose -quiet"
    " -regard-warnings -ping -dither= -compress= -adjoin -filter= -size="
)
LOOKING = "-verbose -format= -ping -quiet -regard-warnings -units= -precision= -moments -unique -version"
IDENTIFY = Program(LOOKING, "text*", more=_looking, style="single exact")
CONVERT = Program(f"{SHAPING} -version", "text*", more=_converting, style="single exact")
MOGRIFY = Program(f"{SHAPING} -format=", "text*", more=_changing, style="single exact")


def _magick(args: Args) -> Iterator[Fact]:
    """`magick identify …` is `identify …`, and so on; `magick a.png b.jpg` converts."""
    words = args.call.words
    program = SUBCOMMANDS.get(words[1].value or "") if len(words) > 1 else None
    call = args.call if program is None else replace(args.call, words=words[1:])
    yield from described(program or CONVERT, args.name, call, args.number, args.base, call.words[1:])


SUBCOMMANDS = {"identify": IDENTIFY, "convert": CONVERT, "mogrify": MOGRIFY}

PROGRAMS = {
    "identify": IDENTIFY,
    "convert": CONVERT,
    "mogrify": MOGRIFY,
    "magick": Program("", "text*", more=_magick, style="plain"),
    "exiftool": Program("", "text*", more=_tags, style="plain"),
}

EXAMPLES = {
    "identify png:a.png": "read a.png",
    "identify a.png": f"read a.png | gap identify: what a.png {CONTENT}",
    "convert png:a.png 'jpg:b[0]' -resize 50% out.png": "read a.png | read b | write out.png",
    "identify -verbose jpg:a.jpg gif:b.gif": "read a.jpg | read b.gif",
    "identify -format '%wx%h' docs/*.png": f"read docs/*.png (glob) | gap identify: what docs/*.png {CONTENT}",
    "identify -format @b png:a.png": "read a.png | blind identify: a value that may come from a file",
    "identify a.svg": f"read a.svg | gap identify: {OTHER_READER}",
    "identify a": f"read a | gap identify: {OTHER_READER}",
    "identify msl:a": "note identify | blind identify: `msl:a` is not understood",
    "convert a.png -resize 50% b.jpg": f"read a.png | write b.jpg | gap convert: what a.png {CONTENT}",
    "convert 'gif:a.gif[0]' -strip +repage b.png": "read a.gif | write b.png",
    "convert png:a.png b.pdf": f"read a.png | write b.pdf | gap convert: {OTHER_READER}",
    "convert https://example.com/x b.png": "write b.png | blind convert: `https://example.com/x` is not understood",
    "convert png:a.png -write png:c.png b.png": "read a.png | read c.png | write b.png | blind convert: option -write"
    " is not known",
    "convert docs/*.png": f"read docs/*.png (glob) | write docs/*.png (glob) | gap convert: what docs/*.png {CONTENT}",
    "mogrify -resize 100x a.png": f"write a.png | gap mogrify: what a.png {CONTENT}",
    "mogrify -format jpg png:a.png": "write a.png | gap mogrify: the pictures get other names",
    "magick png:a.png b.jpg": "read a.png | write b.jpg",
    "magick identify -verbose png:a.png": "read a.png",
    "magick import -window root b.png": "read import | read root | write b.png | blind magick: option -window"
    " is not known | g"
    "ap magick: the kind of picture is not plain: reading or writing it may start programs"
    " | gap magick: the kind of picture is not plain: reading or writing it may start prog"
    "rams",
    "magick -version": "note magick",
    "exiftool a.jpg": "read a.jpg/**",
    "exiftool -G1 -s -DateTimeOriginal a.jpg": "read a.jpg/**",
    "exiftool -Artist=x a.jpg": "read a.jpg/** | write a.jpg/**"
    " | gap exiftool: option -Artist=x is not known to only show something",
    "exiftool -if '$x' a.jpg": "read $x/** | read a.jpg/** | write $x/** | write a.jpg/**"
    " | gap exiftool: option -if is not known to only show something",
}
