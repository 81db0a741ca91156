"""Sound and video: ffmpeg writes its outputs, ffprobe only looks; both open addresses and lists of further files."""

from __future__ import annotations

from assent.commands.program import Program
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LISTS = frozenset("m3u8 m3u mpd sdp ffconcat concat txt ism avs vpy swf".split())
"""Endings of files that name other files or addresses, or are programs."""
FORMATS = frozenset(
    """mp4 mp3 wav null image2 image2pipe rawvideo gif matroska webm flv mpegts avi mov ogg opus flac adts ipod"
    " m4a s16l"
    s16be f32le u8 mjpeg h264 apng md5 framemd5 hash ffmetadata srt""".split()
)
FILTERS = frozenset(
    """scale fps crop transpose pad setpts asetpts format aformat hflip vflip trim atrim null anull palettegen"
    " paletteus"
    split asplit overlay volume atempo aresample loudnorm concat fade afade setsar setdar rotate eq hue negate boxblur
    gblur unsharp yadif thumbnail tile select aselect reverse areverse loop tpad minterpolate blackdetect cropdetect
    silencedetect silenceremove volumedetect astats showinfo showwavespic amix amerge pan channelsplit highpass lowpass
    hstack vstack xstack drawbox colorkey chromakey zoompan framerate setfield idet""".split()
)
"""Filters that work on the picture or the sound alone; others open files or listen for commands."""
FILTER_OPTIONS = ("-vf", "-af", "-filter_complex", "-lavfi")
OPENS_MORE = "opens whatever else the input names"
OTHER_FILTER = "a filter that may open files"
OTHER_FORMAT = "a format that may open other files"

LOOKING = (
    "-i= -v,-loglevel= -hide_banner -f= -threads= -probesize= -analyzeduration= -version -buildconf -formats -codecs"
    " -encoders -decoders -filters -pix_fmts -protocols -bsfs -layouts -sample_fmts -muxers -demuxers -devices -L"
)
OF_A_STREAM = "c codec b q qscale r s frames profile level tag bsf disposition metadata crf preset"
WHICH_STREAM = ("", ":v", ":a", ":s", ":v:0", ":a:0", ":s:0", ":0", ":1", ":s:a:0", ":s:s:0", ":s:v:0")
STREAM_OPTIONS = " ".join(f"-{name}{which}=" for name in OF_A_STREAM.split() for which in WHICH_STREAM)


def _probing(args: Args) -> Iterator[Fact]:
    for word in (*args.operands, *args.values("-i")):
        yield from _input(args, word)
    yield from _formats(args)


def _encoding(args: Args) -> Iterator[Fact]:
    """Every operand is an output."""
    for word in args.values("-i"):
        yield from _input(args, word)
        if word.pattern:
            yield args.gap("a second name behind -i would be an output", blind=True)
    for word in args.operands:
        yield from _output(args, word)
    yield from _formats(args)
    for word in args.values(*FILTER_OPTIONS):
        if not _only_known_filters(word.value or "?"):
            yield args.gap(OTHER_FILTER, blind=True)


def _input(args: Args, word: Word) -> Iterator[Fact]:
    """A file, a numbered row of files, or an address; `concat:`, `subfile,` and their kin open more than they show."""
    value = word.value
    if value is None:
        yield from args.act("read", word)
    elif value in ("-", "pipe:", "pipe:0"):
        return
    elif _is_address(value):
        yield from _address(args, value)
    elif "%" in value:
        folder, slash, _ = value.rpartition("/")
        yield from args.file("read", Word(word.text, folder or ("/" if slash else ".")), deep=True)
    else:
        yield from args.act("read", word)
        if _ending(value) in LISTS:
            yield args.gap(OPENS_MORE, blind=True)


def _output(args: Args, word: Word) -> Iterator[Fact]:
    value = word.value
    if value is None:
        yield from args.act("write", word)
    elif value in ("-", "pipe:", "pipe:1"):
        return
    elif _is_address(value):
        yield from _address(args, value, sends=True)
    elif "%" in value:
        folder, slash, _ = value.rpartition("/")
        yield from args.act("into", Word(word.text, folder or ("/" if slash else ".")))
    else:
        yield from args.act("write", word)
        if _ending(value) in LISTS:
            yield args.gap("writes more files than it names")


def _is_address(value: str) -> bool:
    """Anything with a protocol in front: `https://…`, `concat:a|b`, `subfile,,start,0,,:a`."""
    return ":" in value or "|" in value or value.startswith(("subfile,", "@"))


def _address(args: Args, value: str, *, sends: bool = False) -> Iterator[Fact]:
    scheme, found, _ = value.partition("://")
    if found and scheme in ("http", "https", "rtmp", "rtmps", "rtsp", "udp", "tcp", "srt", "ftp", "rtp"):
        yield from args.reach(value, kind="send" if sends else "reach")
    else:
        yield args.gap(f"`{value}` is not understood", blind=True)


def _formats(args: Args) -> Iterator[Fact]:
    for word in args.values("-f"):
        if word.value not in FORMATS:
            yield args.gap(OTHER_FORMAT, blind=True)


def _only_known_filters(text: str) -> bool:
    """`[0:v]scale=-1:720,fps=15[v];[v]…`: every filter of the chain is known. `=/` reads a value from a file."""
    if any(sign in "'\\@\n" for sign in text) or "=/" in text or ":/" in text:
        return False
    for link in text.replace(";", ",").split(","):
        step = link.strip()
        while step.startswith("["):
            step = step.partition("]")[2].strip()
        if step.partition("=")[0].partition("[")[0].strip() not in FILTERS:
            return False
    return True


def _ending(value: str) -> str:
    return value.rpartition("/")[2].rpartition(".")[2].lower()


PROGRAMS = {
    "ffprobe": Program(
        f"{LOOKING} -show_format -show_streams -show_entries= -of,-print_format,-output_format= -select_streams="
        " -show_frames -show_packets -show_chapters -show_programs -show_error -show_data -show_private_data"
        " -show_versions -show_program_version -show_library_versions -show_pixel_formats -count_frames -count_packets"
        " -read_intervals= -pretty -unit -prefix -byte_binary_prefix -sexagesimal -bitexact -o=write",
        "text*",
        more=_probing,
        style="single exact",
    ),
    "ffmpeg": Program(
        f"{LOOKING} {STREAM_OPTIONS} -vf,-filter:v,-filter:v:0= -af,-filter:a,-filter:a:0= -filter_complex= -lavfi="
        " -y -n -nostdin -stats -nostats -ss= -t= -to= -sseof= -fs= -itsoffset= -vn -an -sn -dn -vcodec="
        " -acodec= -scodec= -vframes= -aframes= -ab= -vb= -ar= -ac= -aspect= -pix_fmt= -map= -map_metadata="
        " -map_chapters= -movflags= -shortest -vsync= -fps_mode= -async= -loop= -stream_loop= -framerate="
        " -video_size= -copyts -start_number= -update= -maxrate= -minrate= -bufsize= -g= -bf= -keyint_min="
        " -sc_threshold= -refs= -qmin= -qmax= -tune= -cq= -strict= -benchmark -xerror -fflags= -ignore_unknown"
        " -max_muxing_queue_size= -avoid_negative_ts= -id3v2_version= -compression_level= -sample_fmt="
        " -channel_layout= -filter_threads= -autorotate -noautorotate",
        "text*",
        more=_encoding,
        style="single exact streams",
    ),
}

EXAMPLES = {
    "ffprobe -v error -show_format -of json a.mp4": "read a.mp4",
    "ffprobe -i a.mp4 -show_entries stream=width,height": "read a.mp4",
    "ffprobe https://example.com/a.mp4": "reach https://example.com/a.mp4",
    "ffmpeg -version": "note ffmpeg",
    "ffmpeg -i a.mp4": "read a.mp4",
    "ffmpeg -y -i a.mp4 -ss 9.06 -t 10 -c copy b.mp4": "read a.mp4 | write b.mp4",
    "ffmpeg -i a.mp4 -filter:v scale=-1:1000 -r 15 b.gif": "read a.mp4 | write b.gif",
    "ffmpeg -i a.mp4 -c:v libx264 -crf 23 -b:a 128k b.mp4 c.mp3": "read a.mp4 | write b.mp4 | write c.mp3",
    "ffmpeg -i a.mp4 -f null -": "read a.mp4",
    "ffmpeg -i a.mp4 docs/%03d.png": "read a.mp4 | write docs/**",
    "ffmpeg -framerate 24 -i docs/%03d.png b.mp4": "read docs/** | write b.mp4",
    "ffmpeg -i a.mp4 -vf subtitles=b.srt c.mp4": f"read a.mp4 | write c.mp4 | blind ffmpeg: {OTHER_FILTER}",
    "ffmpeg -i a.mp4 -vf scale=/w=b c.mp4": f"read a.mp4 | write c.mp4 | blind ffmpeg: {OTHER_FILTER}",
    "ffmpeg -f concat -i a.txt b.mp4": "read a.txt | write b.mp4"
    f" | blind ffmpeg: {OPENS_MORE} | blind ffmpeg: {OTHER_FORMAT}",
    "ffmpeg -i 'concat:a|b' c.mp4": "write c.mp4 | blind ffmpeg: `concat:a|b` is not understood",
    "ffmpeg -i a.mp4 rtmp://example.com/live": "read a.mp4 | send rtmp://example.com/live",
    "ffmpeg -i docs/*.mp4 b.mp3": "read docs/*.mp4 (glob) | write b.mp3 |"
    " blind ffmpeg: the value of -i may be several words (names of files) |"
    " blind ffmpeg: a second name behind -i would be an output",
    "ffmpeg -report -i a.mp4": "read a.mp4 | blind ffmpeg: option -report is not known",
}
