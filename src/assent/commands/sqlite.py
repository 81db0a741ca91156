"""Databases that are files: sqlite3, duckdb. Their shells can also read, write and run anything."""

from __future__ import annotations

from assent.commands.inputs import input_text
from assent.commands.program import Program, turns_off
from assent.commands.sql import doubts, statements, worst
from assent.commands.sql_suspected import files_named, may_drop
from assent.record import replace
from assent.types import Effect, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.commands.sql import Statement
    from assent.types import Kind

SHOWING = frozenset(
    ".tables .schema .headers .header .mode .dump .databases .indexes .indices .fullschema .show .print .width"
    " .nullvalue"
    " .separator .timer .echo .bail .changes .eqp .explain .stats .help .quit .exit .dbinfo .vfslist .vfsname .limit"
    " .timeout .version .sha3sum .prompt .binary".split()
)
"""Exact names only: the shell also takes abbreviations, such as `.sh` for `.shell`."""
SHORTEST = 2
ASKING_PRAGMAS = frozenset(
    "table_info table_xinfo table_list index_list index_info index_xinfo database_list foreign_key_list"
    " foreign_key_check integrity_check quick_check compile_options function_list collation_list pragma_list".split()
)
SETTINGS = frozenset(
    "foreign_keys schema_version user_version application_id page_count page_size encoding journal_mode synchronous"
    " freelist_count auto_vacuum cache_size busy_timeout data_version".split()
)
"""Pragmas that tell a value when they are given none."""
HANDLING: dict[str, Kind] = {
    **dict.fromkeys((".read", ".import", ".restore", ".load", ".open"), "read"),
    **dict.fromkeys((".output", ".once", ".backup", ".save", ".log", ".clone"), "write"),
    **dict.fromkeys((".shell", ".system"), "run"),
}
"""Commands that handle files or start programs, and how."""
FILE_TABLES = ("fsdir", "zipfile", "fileio")
"""Tables that are made of files: `SELECT data FROM "fsdir" WHERE path='b'` needs no function call."""


@turns_off("-readonly -c -f")
def _shell(args: Args) -> Iterator[Fact]:
    """`sqlite3 FILE [SQL or dot command ...]`; without one it reads them from standard input."""
    file = args.operands[0] if args.operands else Word(":memory:", ":memory:")
    commands = [*args.values("-cmd"), *args.values("-c"), *args.operands[1:]]
    yield from _opened(args, file)
    for word in commands:
        yield from _command(args, file, word)
    if not args.operands[1:] and not args.has("-c", "-f"):
        yield from _input(args, file)


def _opened(args: Args, file: Word) -> Iterator[Fact]:
    """Even a question makes the file when it is missing."""
    value = file.value or ""
    if value == ":memory:":
        return
    if value.startswith(("file:", "md:")) or "://" in value:
        yield args.gap(f"`{value}` is an address, not the name of a file")
    yield from args.file("read", file)
    if not args.has("-readonly"):
        yield from args.file("write", file, code="missing")
        yield from _recovered(args, file)


def _recovered(args: Args, file: Word) -> Iterator[Fact]:
    """Changes that wait beside the database are put into it by whoever opens it, even to read."""
    for fact in args.files("write", file, code="db.recover", possible=True):
        if isinstance(fact, Effect):
            waiting = (".wal",) if args.name == "duckdb" else ("-wal", "-journal")
            when = tuple((f"{fact.target}{ending}", "") for ending in waiting)
            yield replace(fact, arguments={"when": when})


def _command(args: Args, file: Word, word: Word) -> Iterator[Fact]:
    text = word.value
    if text is None:
        yield args.gap(f"what it runs is not known ({word.why})", blind=True)
    elif text.startswith("."):
        yield from _dot(args, file, text)
    else:
        yield from _sql(args, file, text)


def _sql(args: Args, file: Word, text: str) -> Iterator[Fact]:
    found = statements(text)
    yield from files_named(args, text)
    if found is None:
        yield from _written(args, file)
        if may_drop(text):
            yield args.effect("change", file.text, "db.drop")
        yield args.gap("the SQL is not read with certainty")
        return
    rest = [statement for statement in found if not _asks(statement)]
    kind = worst(rest)
    if kind != "read":
        yield from _written(args, file)
    if kind == "drop":
        yield args.effect("change", file.text, "db.drop")
    for why in doubts(rest):
        yield args.gap(why)
    if any(_leaves_the_file(statement) for statement in rest) or any(name in text.lower() for name in FILE_TABLES):
        yield args.gap("the SQL may reach other files")
    if args.name == "duckdb" and (any(statement.quoted for statement in found) or "." in text):
        yield args.gap("names in the SQL may be files or addresses")


def _leaves_the_file(statement: Statement) -> bool:
    return "virtual" in statement.words or (statement.first == "vacuum" and "into" in statement.words)


def _asks(statement: Statement) -> bool:
    """A pragma that only tells."""
    if statement.first != "pragma" or len(statement.words) < 2:
        return False
    name = statement.words[1]
    return name in ASKING_PRAGMAS or (name in SETTINGS and len(statement.words) == 2 and not statement.quoted)


def _written(args: Args, file: Word) -> Iterator[Fact]:
    if file.value not in (":memory:", ""):
        yield from args.file("write", file)


def _dot(args: Args, file: Word, text: str) -> Iterator[Fact]:
    """A command of the shell itself; those that take a file have it as their only plain word."""
    name, *rest = text.split() or [text]
    if name in SHOWING and "\n" not in text:
        return
    plain = len(rest) >= 1 and not any(sign in word for word in rest for sign in "|'\"\\-")
    target = Word(rest[0], rest[0]) if plain else None
    if len(name) > SHORTEST and (".shell".startswith(name) or ".system".startswith(name)) and "\n" not in text:
        yield args.effect("run", text.partition(" ")[2].strip(), "inline")
    elif target is None or "\n" in text:
        yield from _perhaps_handled(args, text)
        yield args.gap(f"`{name}` may run programs or handle files")
    elif name in (".output", ".once", ".backup", ".save", ".log") and len(rest) == 1:
        yield from args.file("write", target)
    elif name == ".read" and len(rest) == 1:
        yield from args.act("script", target)
    elif name == ".import" and len(rest) == 2:
        yield from args.file("read", target)
        yield from _written(args, file)
    elif name == ".restore" and len(rest) == 1:
        yield from args.file("read", target)
        yield from _written(args, file)
        yield args.effect("change", file.text, "db.drop")
    elif name == ".load":
        yield from args.act("script", target)
    else:
        yield from _perhaps_handled(args, text)
        yield args.gap(f"`{name}` may run programs or handle files")


def _perhaps_handled(args: Args, text: str) -> Iterator[Fact]:
    """What the lines of a command that is not read with certainty spell: a program behind `|`, or files.

    Names may be cut short: `.imp` is `.import`.
    """
    for line in text.split("\n"):
        name, *rest = line.split() or [""]
        meant = next((known for known in HANDLING if len(name) > 1 and known.startswith(name)), "")
        if not meant:
            continue
        if meant in (".shell", ".system") or "|" in line:
            yield args.effect("run", line[len(name) :].strip().strip("'\"").lstrip("|"), "inline")
            continue
        for word in rest:
            path = word.strip("'\"")
            if not path.startswith("-"):
                yield from args.file(HANDLING[meant], Word(path, path))


def _input(args: Args, file: Word) -> Iterator[Fact]:
    """Lines of a text in the command line. Inside a statement, a line that begins with a dot is a part of that."""
    text = input_text(args.call)
    if text is None:
        yield args.effect("run", f"{args.name} commands", "stdin")
        yield args.gap("what it runs comes from standard input")
        return
    sql: list[str] = []
    begun = 0
    for line in text.split("\n"):
        if not line.startswith("."):
            sql.append(line)
            continue
        yield from _dot(args, file, line)
        if not _is_complete("\n".join(sql[begun:])):
            yield args.gap(f"`{line}` may be a part of a statement")
        begun = len(sql)
    yield from _sql(args, file, "\n".join(sql))


def _is_complete(text: str) -> bool:
    text = text.strip()
    return not text or (text[-1] == ";" and statements(text) is not None)


MODES = (
    "-ascii,--ascii -bail,--bail -batch,--batch -box,--box -column,--column -csv,--csv -echo,--echo -header,--header"
    " -noheader,--noheader -html,--html -interactive,--interactive -json,--json -line,--line -list,--list"
    " -markdown,--markdown -newline,--newline= -nofollow,--nofollow -nullvalue,--nullvalue= -quote,--quote"
    " -readonly,--readonly -safe,--safe -separator,--separator= -stats,--stats -table,--table -tabs,--tabs -tab"
    " -headers -version -help,--help"
)
SQLITE = Program(MODES + " -cmd,--cmd= -init,--init=script", "text*", more=_shell, style="single")
DUCKDB = Program(
    MODES + " -cmd,--cmd= -init,--init=script -c,-s= -f,--file=script -no-stdin -unsigned -jsonlines",
    "text*",
    more=_shell,
    style="single",
)

PROGRAMS = {
    "sqlite3": SQLITE,
    "sqlite": SQLITE,
    "duckdb": DUCKDB,
    "sqldiff": Program(
        "-schema,--schema -summary,--summary -table,--table= -primarykey,--primarykey", "read read", style="single"
    ),
}

EXAMPLES = {
    "sqlite3 pwned .tables": "read pwned | write pwned #missing | maybe write pwned #db.recover",
    "sqlite3 a \"SELECT data FROM fsdir WHERE path='b'\"": "read a | write a #missing | maybe write a #db.recover"
    " | gap sqlite3: the SQL may reach other files",
    "sqlite3 -readonly a 'SELECT data FROM \"fsdir\" WHERE 1'": "read a | gap sqlite3: the SQL may reach other files",
    "sqlite3 a .tables": "read a | write a #missing | maybe write a #db.recover",
    "sqlite3 a '.schema users'": "read a | write a #missing | maybe write a #db.recover",
    "sqlite3 -readonly a 'SELECT count(*) FROM t'": "read a",
    "sqlite3 -header -column a \"SELECT name FROM sqlite_master WHERE type='table';\"": "read a | write a #missing"
    " | maybe write a #db.recover",
    "sqlite3 a 'PRAGMA table_info(users)'": "read a | write a #missing | maybe write a #db.recover",
    "sqlite3 a 'PRAGMA journal_mode=wal'": "read a | write a #missing | maybe write a #db.recover | write a",
    "sqlite3 a 'PRAGMA user_version'": "read a | write a #missing | maybe write a #db.recover",
    "sqlite3 a 'INSERT INTO t VALUES (1)'": "read a | write a #missing | maybe write a #db.recover | write a",
    "sqlite3 a 'DROP TABLE t'": "read a | write a #missing | maybe write a #db.recover | write a | change a #db.drop",
    "sqlite3 a \"SELECT writefile('b', 'x')\"": "read a | write a #missing | maybe write a #db.recover | write b"
    " | gap sqlite3: the function writefile may do anything",
    "sqlite3 a \"SELECT load_extension('./b')\"": "read a | write a #missing | maybe write a #db.recover | read ./b"
    " | gap sqlite3: the function load_extension may do anything",
    "sqlite3 a \"ATTACH 'b' AS other\"": "read a | write a #missing | maybe write a #db.recover | read b | write b"
    " | write a | gap sqlite3: `attach` is not a statement we know",
    "sqlite3 a \"VACUUM INTO 'b'\"": "read a | write a #missing | maybe write a #db.recover | write b | write a"
    " | gap sqlite3: the SQL may reach other files",
    "sqlite3 a '.shell id'": "read a | write a #missing | maybe write a #db.recover | run id #inline",
    "sqlite3 a '.sh id'": "read a | write a #missing | maybe write a #db.recover | run id #inline",
    "sqlite3 a '.output b' 'SELECT 1'": "read a | write a #missing | maybe write a #db.recover | write b",
    "sqlite3 a '.once |sh' 'SELECT 1'": "read a | write a #missing | maybe write a #db.recover | run sh #inline"
    " | gap sqlite3: `.once` may run programs or handle files",
    "sqlite3 a '.read b'": "read a | write a #missing | maybe write a #db.recover | read b | run b #script",
    "sqlite3 a '.import b t'": "read a | write a #missing | maybe write a #db.recover | read b | write a",
    "sqlite3 a '.backup b'": "read a | write a #missing | maybe write a #db.recover | write b",
    "sqlite3 a '.dump' '.load b'": "read a | write a #missing | maybe write a #db.recover | read b | run b #script",
    "sqlite3 -cmd '.shell id' a 'SELECT 1'": "read a | write a #missing | maybe write a #db.recover | run id #inline",
    "sqlite3 -init b a 'SELECT 1'": "read b | run b #script | read a | write a #missing | maybe write a #db.recover",
    "sqlite3 a 'select 1 as [x]'": "read a | write a #missing | maybe write a #db.recover | write a"
    " | gap sqlite3: the SQL is not read with certainty",
    'sqlite3 a "$Q"': "read a | write a #missing | maybe write a #db.recover"
    " | blind sqlite3: a word is not known (variable Q)"
    " | blind sqlite3: what it runs is not known (variable Q)",
    "sqlite3 a": "read a | write a #missing | maybe write a #db.recover | run sqlite3 commands #stdin"
    " | gap sqlite3: what it runs comes from standard input",
    "sqlite3 a < b": "read b #redirect | read a | write a #missing | maybe write a #db.recover"
    " | run sqlite3 commands #stdin"
    " | gap sqlite3: what it runs comes from standard input",
    "sqlite3 :memory: 'CREATE TABLE t(x); SELECT * FROM t'": "note sqlite3",
    "sqlite3 a <<< 'SELECT 1;'": "read a | write a #missing | maybe write a #db.recover",
    "sqlite3 a 3<<< 'SELECT 1;'": "read a | write a #missing | maybe write a #db.recover | run sqlite3 commands #stdin"
    " | gap sqlite3: what it runs comes from standard input",
    "sqlite3 a <<< 'SELECT 1;' 0>&3": "read a | write a #missing | maybe write a #db.recover"
    " | run sqlite3 commands #stdin | blind standard input is opened by another name"
    " | gap sqlite3: what it runs comes from standard input",
    "sqlite3 a <<< .tables <<< '.shell id'": "read a | write a #missing | maybe write a #db.recover | run id #inline",
    "sqlite3 a <<'E'\n.mode csv\nSELECT 1;\n.read b\nE": "read a | write a #missing | maybe write a #db.recover"
    " | read b"
    " | run b #script",
    "sqlite3 a <<'E'\nSELECT '\n.tables ' || writefile('b', 'x') || '\n';\nE": "read a | write a #missing"
    " | maybe write a #db.recover | gap sqlite3: `.tables ' || writefile('b', 'x') || '` may be a part of a statement",
    "sqlite3 a <<< \"SELECT readfile('b')\"": "read a | write a #missing | maybe write a #db.recover | read b"
    " | gap sqlite3: the function readfile may do anything",
    "duckdb a -c 'SELECT 1'": "read a | write a #missing | maybe write a #db.recover",
    "sqlite3 -A -cf b src": "read b | write b #missing | maybe write b #db.recover | write b"
    " | gap sqlite3: option -A is not known"
    " | gap sqlite3: option -cf is not known | gap sqlite3: `src` is not a statement we know",
    "sqlite a .tables": "read a | write a #missing | maybe write a #db.recover",
    "duckdb -c 'SELECT 1'": "note duckdb",
    "duckdb -readonly a -c 'SELECT count(*) FROM t'": "read a",
    "duckdb -c \"SELECT * FROM 'data.csv'\"": "read data.csv | gap duckdb: names in the SQL may be files or addresses",
    "duckdb -c \"COPY t TO 'b'\"": "write b | gap duckdb: `copy` is not a statement we know"
    " | gap duckdb: names in the SQL may be files or addresses",
    "sqldiff a b": "read a | read b",
    "duckdb -f a": "read a | run a #script",
    "sqlite3 a 'DROP/**/TABLE t'": "read a | write a #missing | maybe write a #db.recover | write a"
    " | change a #db.drop | gap sqlite3: the SQL is not read with certainty",
    "sqlite3 a '.import \".env\" t'": "read a | write a #missing | maybe write a #db.recover | read .env | read t"
    " | gap sqlite3: `.import` may run programs or handle files",
    "sqlite3 a '.rea \"b\"'": "read a | write a #missing | maybe write a #db.recover | read b"
    " | gap sqlite3: `.rea` may run programs or handle files",
    "sqlite3 :memory: \"select readfile('.env')\"": "read .env | gap sqlite3: the function readfile may do anything",
    "duckdb -c \"from read_text('.env')\"": "read .env | gap duckdb: `from` is not a statement we know"
    " | gap duckdb: names in the SQL may be files or addresses",
    "duckdb -c \"select * from read_csv(['a', 'd/*.csv'], delim='|')\"": "read a | read d/*.csv (glob)"
    " | gap duckdb: the SQL is not read with certainty",
    "duckdb -c \"COPY t TO 'b' -- x\"": "write b | gap duckdb: the SQL is not read with certainty",
    'sqlite3 a "select 1; -- x\nDROP TABLE t"': "read a | write a #missing | maybe write a #db.recover | write a"
    " | change a #db.drop | gap sqlite3: the SQL is not read with certainty",
}
