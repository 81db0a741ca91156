"""Small programs for the middle of a pipe: how fast it flows, when lines came, and what is in them."""

from __future__ import annotations

from assent.commands.program import Program

PROGRAMS = {
    "pv": Program(
        "-p,--progress -t,--timer -e,--eta -I,--fineta -r,--rate -a,--average-rate -b,--bytes -T,--buffer-percent"
        " -n,--numeric -q,--quiet -W,--wait -D,--delay-start= -s,--size= -l,--line-mode -0,--null -i,--interval="
        " -w,--width= -H,--height= -N,--name= -f,--force -c,--cursor -L,--rate-limit= -B,--buffer-size= -C,--no-splice"
        " -E,--skip-errors -S,--stop-at-size -F,--format= -A,--last-written= -P,--pidfile=write -o,--output=write -V",
        "read*",
    ),
    "ts": Program("-r -i -s -m", "text?"),
    "isutf8": Program("-q,--quiet -l,--list -i,--invert -v,--verbose", "read*"),
    "errno": Program("-l,--list -s,--search -S,--search-all-locales", "text*"),
    "combine": Program("", "read text read"),
}

EXAMPLES = {
    "pv a": "read a",
    "pv --cursor --name in -s 10M a": "read a",
    "pv -P b a": "write b | read a",
    "pv -d 123": "read 123 | gap pv: option -d is not known",
    "ts '%H:%M:%S'": "note ts",
    "ts -i": "note ts",
    "isutf8 a": "read a",
    "errno ENOENT": "note errno",
    "combine a and b": "read a | read b",
}
