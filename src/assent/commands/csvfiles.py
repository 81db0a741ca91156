"""Tables in text files: csvkit and csvtool. What loads them into databases is left out on purpose."""

from __future__ import annotations

from assent.commands.program import Program

COMMON = (
    "-d,--delimiter= -t,--tabs -q,--quotechar= -u,--quoting= -b,--no-doublequote -p,--escapechar= -z,--maxfieldsize="
    " -e,--encoding= -L,--locale= -S,--skipinitialspace --blanks --null-value= --date-format= --datetime-format="
    " -H,--no-header-row -K,--skip-lines= -v,--verbose -l,--linenumbers --zero -V"
)
GUESSING = "-y,--snifflimit= -I,--no-inference"

PROGRAMS = {
    "csvcut": Program(f"{COMMON} -n,--names -c,--columns= -C,--not-columns= -x,--delete-empty-rows", "read?"),
    "csvgrep": Program(
        f"{COMMON} -n,--names -c,--columns= -m,--match= -r,--regex= -f,--file=read -i,--invert-match -a,--any-match",
        "read?",
    ),
    "csvlook": Program(
        f"{COMMON} {GUESSING} --max-rows= --max-columns= --max-column-width= --max-precision= --no-number-ellipsis",
        "read?",
    ),
    "csvstat": Program(
        f"{COMMON} {GUESSING} --csv --json -i,--indent= -n,--names -c,--columns= --type --nulls --non-nulls --unique"
        " --min --max --sum --mean --median --stdev --len --freq --freq-count= --count --decimal-format="
        " -G,--no-grouping-separator",
        "read?",
    ),
    "csvsort": Program(f"{COMMON} {GUESSING} -n,--names -c,--columns= -r,--reverse -i,--ignore-case", "read?"),
    "csvjson": Program(
        f"{COMMON} {GUESSING} -i,--indent= -k,--key= --lat= --lon= --type= --geometry= --crs= --no-bbox --stream",
        "read?",
    ),
    "csvformat": Program(
        f"{COMMON} -E,--skip-header -D,--out-delimiter= -T,--out-tabs -Q,--out-quotechar= -U,--out-quoting="
        " -B,--out-no-doublequote -P,--out-escapechar= -M,--out-lineterminator=",
        "read?",
    ),
    "csvstack": Program(f"{COMMON} -g,--groups= -n,--group-name= --filenames", "read*"),
    "csvjoin": Program(f"{COMMON} {GUESSING} -c,--columns= --outer --left --right", "read*"),
    "in2csv": Program(
        f"{COMMON} {GUESSING} -f,--format= -s,--schema=read -k,--key= -n,--names --sheet= --reset-dimensions"
        " --encoding-xls=",
        "read?",
    ),
    "csvtool": Program(
        "-t= -u= -o=write -z",
        commands={
            "col": Program("", "text read*"),
            "namedcol": Program("", "text read*"),
            "width": Program("", "read*"),
            "height": Program("", "read*"),
            "head": Program("", "text read*"),
            "drop": Program("", "text read*"),
            "readable": Program("", "read*"),
            "transpose": Program("", "read?"),
            "cat": Program("", "read*"),
        },
        style="bare",
    ),
}

EXAMPLES = {
    "csvcut -c name,age data.txt": "read data.txt",
    "csvcut -n data.txt": "read data.txt",
    "csvgrep -c 1 -m foo data.txt": "read data.txt",
    "csvgrep -c 1 -f b data.txt": "read b | read data.txt",
    "csvlook --max-rows 5 data.txt": "read data.txt",
    "csvstat --mean -c 2 data.txt": "read data.txt",
    "csvsort -c 2 -r data.txt": "read data.txt",
    "csvjson -i 2 data.txt": "read data.txt",
    "csvformat -T data.txt": "read data.txt",
    "csvstack a b": "read a | read b",
    "csvjoin -c id a b": "read a | read b",
    "in2csv --sheet one a.xlsx": "read a.xlsx",
    "in2csv --write-sheets 1 a.xlsx": "read 1 | blind in2csv: option --write-sheets is not known | gap in2csv:"
    " `a.xlsx` is one word too many",
    "csvtool col 1-2 data.txt": "read data.txt",
    "csvtool -t TAB -o b readable data.txt": "write b | read data.txt",
    "csvtool call sh data.txt": "run csvtool call #program | gap csvtool: subcommand call is not known",
}
