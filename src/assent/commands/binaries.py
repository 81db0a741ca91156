"""Compiled programs and libraries as files: looking into them, stripping and converting them.

`ldd` belongs here although it looks harmless: it may run the program it is asked about.
"""

from __future__ import annotations

from assent.commands.config_files import kept
from assent.commands.program import Program, turns_off

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact


def _disassembling(args: Args) -> Iterator[Fact]:
    if args.has("-S", "--source-comment"):
        yield args.gap("reads the sources that the file names", reading=True)


@turns_off("-o")
def _stripping(args: Args) -> Iterator[Fact]:
    """In place, or with `-o` into another file."""
    for word in args.operands:
        yield from args.file("read" if args.has("-o") else "write", word)


def _converting(args: Args) -> Iterator[Fact]:
    """`objcopy IN [OUT]`."""
    for word in args.operands[:1]:
        yield from args.file("read", word)
    for word in args.operands[-1:]:
        yield from args.file("write", word)


def _needed_libraries(args: Args) -> Iterator[Fact]:
    """`ldd` asks the loader that the file names, which may be any program."""
    for word in args.operands:
        yield from args.act("script", word, "program")
    yield args.gap("the file may be run to find out")


@turns_off("-p")
def _library_cache(args: Args) -> Iterator[Fact]:
    if not args.has("-p") or args.operands:
        yield args.effect("change", "where libraries are found", "system.libraries")
        yield from kept(args, "write", "/etc/ld.so.cache")


DEMANGLE = "-C,--demangle[=] --no-demangle --recurse-limit --no-recurse-limit"

PROGRAMS = {
    "nm": Program(
        f"-a,--debug-syms -A,-o,--print-file-name -B {DEMANGLE} -D,--dynamic -e -f,--format= -g,--extern-only"
        " --ifunc-chars= -j,--just-symbols -l,--line-numbers -n,--numeric-sort -p,--no-sort -P,--portability"
        " -r,--reverse-sort"
        " -S,--print-size -s,--print-armap --quiet --size-sort --special-syms --synthetic -t,--radix= --target="
        " -u,--undefined-only -U,--defined-only --unicode= -W,--no-weak --with-symbol-versions -h -V -m",
        "read*",
        "a.out",
        style="response",
    ),
    "objdump": Program(
        "-a,--archive-headers -f,--file-headers -p,--private-headers -P,--private= -h,--headers,--section-headers"
        " -x,--all-headers -d --disassemble[=] -D,--disassemble-all -S,--source --source-comment[=] -s,--full-contents"
        " -g,--debugging -e,--debugging-tags -G,--stabs -W,--dwarf[=] --ctf[=] --sframe[=] -t,--syms -T,--dynamic-syms"
        " -r,--reloc -R,--dynamic-reloc -v -i,--info -H -b,--target= -m,--architecture= -j,--section="
        f" -M,--disassembler-options= --endian= --file-start-context -l,--line-numbers -F,--file-offsets {DEMANGLE}"
        " -w,--wide -U= --unicode= -z,--disassemble-zeroes --start-address= --stop-address= --no-addresses"
        " --prefix-addresses"
        " --show-raw-insn --no-show-raw-insn --insn-width= --adjust-vma= --show-all-symbols --special-syms --inlines"
        " --dwarf-depth= --dwarf-start= --dwarf-check --visualize-jumps[=] --disassembler-color=",
        "read*",
        "a.out",
        more=_disassembling,
        style="response",
    ),
    "readelf": Program(
        "-a,--all -h,--file-header -l,--program-headers,--segments -S,--section-headers,--sections -g,--section-groups"
        f" -t,--section-details -e,--headers -s,--syms,--symbols --dyn-syms --lto-syms --sym-base= {DEMANGLE}"
        " -U= --unicode= -n,--notes -r,--relocs -u,--unwind -d,--dynamic -V,--version-info -A,--arch-specific"
        " -c,--archive-index"
        " -D,--use-dynamic -L,--lint,--enable-checks -x,--hex-dump= -p,--string-dump= -R,--relocated-dump="
        " -z,--decompress"
        " -w,--debug-dump[=] --dwarf-depth= --dwarf-start= --ctf= --sframe[=] -I,--histogram -W,--wide"
        " -T,--silent-truncation -H -v",
        "read*",
        style="response",
    ),
    "size": Program(
        "-A -B -G --format= -o -d -x --radix= -t,--totals -f --common --target= -h -v -V -m -l",
        "read*",
        "a.out",
        style="response",
    ),
    "strip": Program(
        "-I,--input-target= -O,--output-target= -F,--target= -p,--preserve-dates -D,--enable-deterministic-archives"
        " -U,--disable-deterministic-archives -R,--remove-section= --remove-relocations= -s,--strip-all"
        " -g,-S,-d,--strip-debug --strip-dwo --strip-unneeded --only-keep-debug -M,--merge-notes --no-merge-notes"
        " -N,--strip-symbol= --keep-section= -K,--keep-symbol= --keep-section-symbols --keep-file-symbols -w,--wildcard"
        " -x,--discard-all -X,--discard-locals -v,--verbose -V -h --info -o=write",
        "text*",
        more=_stripping,
        style="response",
    ),
    "objcopy": Program(
        "-I,--input-target= -O,--output-target= -F,--target= -B,--binary-architecture= -p,--preserve-dates"
        " -S,--strip-all"
        " -g,--strip-debug --strip-unneeded --only-keep-debug -j,--only-section= -R,--remove-section="
        " -N,--strip-symbol="
        " -K,--keep-symbol= -x,--discard-all -X,--discard-locals -v,--verbose --gap-fill= --pad-to= --set-start="
        " --set-section-flags= --rename-section= --redefine-sym= --prefix-symbols= --compress-debug-sections[=]"
        " --decompress-debug-sections -V",
        "text*",
        more=_converting,
        style="response",
    ),
    "addr2line": Program(
        "-a,--addresses -b,--target= -e,--exe=read -i,--inlines -j,--section= -p,--pretty-print -s,--basenames"
        " -f,--functions -C,--demangle[=] -R,--recurse-limit -r,--no-recurse-limit -h -v",
        "text*",
        style="response",
    ),
    "c++filt": Program(
        "-_,--strip-underscore -n,--no-strip-underscore -p,--no-params -i,--no-verbose -R,--recurse-limit"
        " -r,--no-recurse-limit -t,--types -s,--format= -h -v",
        "text*",
        style="response",
    ),
    "otool": Program(
        "-a -D -d -f -h -H -I -j -l -L -M -o -P -r -R -S -t -T -v -V -X -x -arch= -s -p=",
        "read*",
        style="single response",
    ),
    "lipo": Program("-info -archs -detailed_info", "read*", style="single response"),
    "ldd": Program("-d,--data-relocs -r,--function-relocs -u,--unused -v,--verbose", "text*", more=_needed_libraries),
    "ldconfig": Program("-p,--print-cache -v,--verbose -n -N -X -i -l", "text*", more=_library_cache),
}

EXAMPLES = {
    "nm -C a": "read a",
    "nm -D --defined-only a": "read a",
    "nm @a": "read a | read @a | blind nm: @a holds more of its words",
    "nm -t @opts a": "read opts | read a | blind nm: @opts holds more of its words",
    "nm": "read a.out",
    "objdump -d a": "read a",
    "objdump -f a": "read a",
    "objdump -dM @opts a": "read opts | read a | blind objdump: @opts holds more of its words",
    "objdump -dS a": "read a | gap objdump: reads the sources that the file names",
    "objdump -d --no-show-raw-insn -M intel a": "read a",
    "readelf --file-header a": "read a",
    "readelf -Wa a": "read a",
    "readelf -x .text a": "read a",
    "size -A a": "read a",
    "strip a": "write a",
    "strip --strip-debug a b": "write a | write b",
    "strip -o out a": "write out | read a",
    "objcopy -O binary a out": "read a | write out",
    "objcopy --strip-all a": "read a | write a",
    "objcopy --dump-section x=out a": "read x=out | write a | blind objcopy: option --dump-section is not known",
    "addr2line -e a -f 0x10": "read a",
    "c++filt _Z1fv": "note c++filt",
    "otool -L a": "read a",
    "lipo -info a": "read a",
    "ldd a": "read a | run a #program | gap ldd: the file may be run to find out",
    "ldconfig -p": "note ldconfig",
    "ldconfig > out": "write out #redirect | change where libraries are found #system.libraries | write"
    " /etc/ld.so.cache",
}
