"""Clients of database servers that speak SQL: PostgreSQL, MySQL and their dump, restore and administration tools."""

from __future__ import annotations

from assent.commands.inputs import input_text
from assent.commands.program import Program, turns_off
from assent.commands.sql import served
from assent.commands.sql_suspected import programs_named
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

DATABASE = "the database"
PG_SERVER = " -h,--host= -p,--port= -U,--username= -w,--no-password -W,--password"
MY_SERVER = (
    " -h,--host= -P,--port= -u,--user= -p,--password[=] -S,--socket= --protocol= --ssl-mode= --ssl --skip-ssl"
    " --ssl-ca=read --ssl-cert=read --ssl-key=read --connect-timeout= --default-character-set= -C,--compress"
    " --login-path= --no-defaults --get-server-public-key -v,--verbose"
)
SHOWS = frozenset("l list z conninfo sf sv x timing encoding ? h a t pset q copyright".split())
MYSQLS = ("mysql", "mariadb")
CLIENT_WORDS = frozenset("system source tee pager edit delimiter nopager notee status".split())


def _pg_place(args: Args) -> Iterator[Fact]:
    """The server: `-h`, a connection address or text in place of the database's name, else this machine's own."""
    hosts = [word.value for word in args.values("-h")]
    names = [*args.values("-d"), *(args.operands if args.name in ("psql", "pg_dump", "pgcli", "usql") else ())]
    for word in names:
        value = word.value
        if value is None:
            yield args.gap("the database is not known", blind=True)
        elif "://" in value:
            hosts.append(value.partition("://")[2].rpartition("@")[2].partition("/")[0])
            if "?" in value or "," in value:
                yield args.gap("the address of the database says more than a host")
        elif "=" in value:
            yield args.gap("the connection is described in one word")
    yield from _servers(args, hosts, "postgresql")


def _servers(args: Args, hosts: list[str | None], scheme: str) -> Iterator[Fact]:
    for host in hosts:
        if host is None:
            yield args.gap("the server is not known", blind=True)
        elif host and not host.startswith(("/", "%2F")):
            yield from args.reach(f"{scheme}://{host}", shown=host, code="db.read")
    if not any(hosts):
        yield args.effect("reach", f"{scheme} on this machine", "db.read")


@turns_off("-c -f -l -V")
def _psql(args: Args) -> Iterator[Fact]:
    yield from _pg_place(args)
    for word in args.values("-c"):
        yield from _psql_command(args, word)
    for word in args.values("-f"):
        yield from args.act("script", word)
        yield args.effect("change", DATABASE, "db.change")
        yield from _from_input(args) if word.value == "-" else ()
    if not args.has("-c", "-f", "-l", "-V"):
        yield from _from_input(args)
    for word in args.values("-o"):
        if word.value and word.value.lstrip().startswith("|"):
            yield args.effect("run", word.value, "inline")
        else:
            yield from args.file("write", word)


def _psql_command(args: Args, word: Word) -> Iterator[Fact]:
    text = word.value
    if text is None or not text.lstrip().startswith("\\"):
        yield from served(args, text, DATABASE)
        return
    plain = text.strip()
    if "`" in plain or "\n" in plain or "\\" in plain[1:] or "|" in plain or ":" in plain:
        yield from _programs_in(args, plain)
        yield args.gap("a command of psql that may run programs", blind=True)
        return
    name = plain[1:].split(" ")[0].rstrip("+")
    if plain.startswith("\\!"):
        yield from _shell_text(args, plain[2:])
    elif name not in SHOWS and not (name.startswith("d") and name.isalpha()):
        yield args.effect("run", plain, "inline")
        yield from _copied(args, plain) if name == "copy" else ()
        yield from programs_named(args, plain)
        yield args.gap(f"`\\{name}` may run programs or handle files", blind=True)


def _shell_text(args: Args, text: str) -> Iterator[Fact]:
    yield args.effect("run", text.strip() or "a shell", "inline")
    yield args.gap("hands a text to a shell", blind=True)


def _programs_in(args: Args, text: str) -> Iterator[Fact]:
    """What commands of psql in several lines may start: behind `\\!`, behind `|`, or between backquotes."""
    yield args.effect("run", text.strip(), "inline")
    for line in text.split("\n"):
        for sign in ("\\!", "|", "`"):
            before, found, behind = line.partition(sign)
            if found and "\\" in f"{before}{sign}":
                yield args.effect("run", behind.strip(" `"), "inline")
    yield from programs_named(args, text)


def _copied(args: Args, text: str) -> Iterator[Fact]:
    """`\\copy TABLE from 'FILE'` reads a file of this machine, `to` writes one."""
    words = text.split()
    for at, word in enumerate(words[1:]):
        kind = {"from": "read", "to": "write"}.get(words[at].lower())
        path = word.strip("'\"")
        if kind is not None and path.lower() not in ("stdin", "stdout", "pstdin", "pstdout", "program"):
            yield from args.act(kind, Word(path, path))


def _from_input(args: Args) -> Iterator[Fact]:
    """Statements from a text in the command line are read; those from elsewhere are not known."""
    text = input_text(args.call)
    if text is not None:
        yield from served(args, text, DATABASE)
        yield from _client_commands(args, text) if args.name in MYSQLS else ()
        yield from _programs_in(args, text) if "\\" in text and args.name not in MYSQLS else ()
        return
    yield args.effect("change", DATABASE, "db.change")
    yield args.gap("what is sent to the database comes from standard input")


@turns_off("-e")
def _mysql(args: Args) -> Iterator[Fact]:
    yield from _servers(args, [word.value for word in args.values("-h")], "mysql")
    for word in args.values("-e"):
        yield from served(args, word.value, DATABASE)
        yield from _client_commands(args, word.value or "")
    if not args.has("-e"):
        yield from _from_input(args)


def _client_commands(args: Args, text: str) -> Iterator[Fact]:
    """What the client does itself: `system id` and `\\! id` start a shell, `source a` and `\\. a` run a file."""
    for line in _rests(text):
        word, _, rest = line.partition(" ")
        word = word.lower()
        started = rest.strip() if word in ("system", "pager", "\\p") else line.partition("\\!")[2].strip()
        file = rest.strip() if word == "source" else line.partition("\\.")[2].strip()
        if started:
            yield args.effect("run", started, "inline")
        if file:
            yield from args.act("script", Word(file, file))
        if started or file or word in CLIENT_WORDS or line.startswith(("\\T", "\\P")):
            yield args.gap("a command of the client that may run programs or write files")


def _rests(text: str) -> Iterator[str]:
    """From the beginning of each statement to the end of its line: a shell is handed all of that."""
    for line in text.split("\n"):
        pieces = line.split(";")
        yield from (";".join(pieces[at:]).strip() for at in range(len(pieces)) if pieces[at].strip())


def _dumping(args: Args) -> Iterator[Fact]:
    yield from _pg_place(args)
    deep = (args.text("-F") or "")[:1] == "d"
    for word in args.values("-f"):
        yield from args.file("write", word, deep=deep)


def _mysql_dumping(args: Args) -> Iterator[Fact]:
    yield from _servers(args, [word.value for word in args.values("-h")], "mysql")
    if args.has("-F", "--delete-source-logs"):
        yield args.effect("change", DATABASE, "db.change")


def _restoring(args: Args) -> Iterator[Fact]:
    """Into a database with `-d`, else as SQL into a file or to the screen."""
    for word in args.operands:
        yield from args.file("read", word, deep=True)
    for word in args.values("-f"):
        yield from args.file("write", word)
    if args.has("-d"):
        yield from _pg_place(args)
        yield args.effect("change", DATABASE, "db.drop" if args.has("-c") else "db.change")


def _creating(args: Args) -> Iterator[Fact]:
    yield from _pg_place(args)
    yield args.effect("change", DATABASE, "db.drop" if args.name.startswith("drop") else "db.change")


def _admin(args: Args) -> Iterator[Fact]:
    """mysqladmin: words that ask, words that change, and `drop`."""
    yield from _servers(args, [word.value for word in args.values("-h")], "mysql")
    asking = ("ping", "status", "extended-status", "processlist", "variables", "version")
    first = args.operands[0].value if args.operands else ""
    if not all(word.value in asking for word in args.operands):
        yield args.effect("change", DATABASE, "db.drop" if first in ("drop", "shutdown") else "db.change")


def _controlling(args: Args) -> Iterator[Fact]:
    """pg_ctl: `status` looks, the others start and stop a server."""
    verb = args.operands[0].value if args.operands else None
    if verb == "status":
        for word in args.values("-D"):
            yield from args.file("list", word)
        return
    yield args.effect("change", "a PostgreSQL server", "service.restart")
    for word in args.values("-D"):
        yield from args.file("write", word, deep=True)
    if args.has("-o"):
        yield args.gap("-o gives options to the server")


PSQL = (
    "-c,--command= -d,--dbname= -f,--file= -l,--list -v,--set,--variable= -V -X,--no-psqlrc -1,--single-transaction"
    " -a,--echo-all -b,--echo-errors -e,--echo-queries -E,--echo-hidden -L,--log-file=write -n,--no-readline"
    " -o,--output= -q,--quiet -s,--single-step -S,--single-line -A,--no-align --csv -F,--field-separator= -H,--html"
    " -P,--pset= -R,--record-separator= -t,--tuples-only -T,--table-attr= -x,--expanded -z,--field-separator-zero"
    " -0,--record-separator-zero" + PG_SERVER
)
PG_DUMP = (
    "-f,--file= -F,--format= -j,--jobs= -v,--verbose -V -Z,--compress= --lock-wait-timeout= --no-sync -a,--data-only"
    " -b,--blobs,--large-objects -B,--no-blobs,--no-large-objects -c,--clean -C,--create -e,--extension= -E,--encoding="
    " -n,--schema= -N,--exclude-schema= -O,--no-owner -s,--schema-only -S,--superuser= -t,--table= -T,--exclude-table="
    " -x,--no-privileges,--no-acl --column-inserts --attribute-inserts --disable-dollar-quoting --disable-triggers"
    " --enable-row-security --exclude-table-data= --extra-float-digits= --if-exists --inserts"
    " --load-via-partition-root --no-comments --no-publications --no-security-labels --no-subscriptions"
    " --no-table-access-method --no-tablespaces --no-toast-compression --no-unlogged-table-data"
    " --on-conflict-do-nothing --quote-all-identifiers --rows-per-insert= --section= --serializable-deferrable"
    " --snapshot= --strict-names --use-set-session-authorization -d,--dbname= --role= --restrict-key=" + PG_SERVER
)
PG_DUMPALL = (
    "-f,--file= -v,--verbose -V --lock-wait-timeout= -a,--data-only -c,--clean -E,--encoding= -g,--globals-only"
    " -O,--no-owner -r,--roles-only -s,--schema-only -S,--superuser= -t,--tablespaces-only -x,--no-privileges"
    " --exclude-database= --if-exists --inserts --no-comments --no-role-passwords -d,--dbname= -l,--database="
    + PG_SERVER
)
PG_RESTORE = (
    "-d,--dbname= -f,--file= -F,--format= -l,--list -v,--verbose -V -a,--data-only -c,--clean -C,--create"
    " -e,--exit-on-error -I,--index= -j,--jobs= -L,--use-list=read -n,--schema= -N,--exclude-schema= -O,--no-owner"
    " -P,--function= -s,--schema-only -S,--superuser= -t,--table= -T,--trigger= -x,--no-privileges,--no-acl"
    " -1,--single-transaction --disable-triggers --enable-row-security --if-exists --no-comments"
    " --no-data-for-failed-tables --no-publications --no-security-labels --no-subscriptions --no-table-access-method"
    " --no-tablespaces --section= --strict-names --use-set-session-authorization --role= --restrict-key=" + PG_SERVER
)
PG_CREATE = (
    "-e,--echo -D,--tablespace= -E,--encoding= -l,--locale= --lc-collate= --lc-ctype= -O,--owner= -T,--template="
    " -S,--strategy= -f,--force -i,--interactive --if-exists --maintenance-db= -V" + PG_SERVER
)
PG_USER = (
    "-e,--echo -c,--connection-limit= -d,--createdb -D,--no-createdb -g,--role= -i,--inherit -I,--no-inherit -l,--login"
    " -L,--no-login -P,--pwprompt -r,--createrole -R,--no-createrole -s,--superuser -S,--no-superuser --interactive"
    " --if-exists -V" + PG_SERVER
)
MYSQL = Program(
    "-e,--execute= -D,--database= -N,--skip-column-names -B,--batch -t,--table -s,--silent -r,--raw -E,--vertical"
    " -X,--xml"
    " -H,--html -n,--unbuffered -q,--quick -f,--force -A,--no-auto-rehash -L,--skip-line-numbers --column-names -U"
    " --safe-updates --show-warnings -w,--wait -V,--version" + MY_SERVER,
    "text?",
    more=_mysql,
)
MYSQLDUMP = Program(
    "-A,--all-databases -B,--databases --add-drop-database --add-drop-table --add-locks -c,--complete-insert --compact"
    " --create-options -d,--no-data -e,--extended-insert -E,--events -f,--force -F,--flush-logs --delete-source-logs"
    " --hex-blob --ignore-table= -l,--lock-tables -x,--lock-all-tables --master-data[=] --source-data[=]"
    " -n,--no-create-db -t,--no-create-info -N,--no-set-names -q,--quick -Q,--quote-names -r,--result-file=write"
    " -R,--routines --set-gtid-purged= --single-transaction --skip-add-drop-table --skip-comments --skip-lock-tables"
    " --skip-triggers --skip-extended-insert --tables --triggers --tz-utc -w,--where= -X,--xml -K,--disable-keys"
    " --column-statistics= --no-tablespaces --skip-dump-date --opt --skip-opt -T,--tab=into" + MY_SERVER,
    "text*",
    more=_mysql_dumping,
)

PROGRAMS = {
    "psql": Program(PSQL, "text? text?", more=_psql),
    "pg_dump": Program(PG_DUMP, "text?", more=_dumping),
    "pg_dumpall": Program(PG_DUMPALL, more=_dumping),
    "pg_restore": Program(PG_RESTORE, "text?", more=_restoring),
    "pg_isready": Program(
        "-d,--dbname= -q,--quiet -t,--timeout= -V -h,--host= -p,--port= -U,--username=", more=_pg_place
    ),
    "createdb": Program(PG_CREATE, "text? text?", more=_creating),
    "dropdb": Program(PG_CREATE, "text", more=_creating),
    "createuser": Program(PG_USER, "text?", more=_creating),
    "dropuser": Program(PG_USER, "text?", more=_creating),
    "pg_ctl": Program(
        "-D,--pgdata= -s,--silent -t,--timeout= -w,--wait -W,--no-wait -l,--log=write -m,--mode= -o,--options= -c -V",
        "text?",
        more=_controlling,
    ),
    "initdb": Program(
        "-A,--auth= --auth-host= --auth-local= -D,--pgdata=into -E,--encoding= -k,--data-checksums --locale="
        " --lc-collate="
        " --lc-ctype= --no-locale -U,--username= -W,--pwprompt --pwfile=read -N,--no-sync -n,--no-clean -V"
        " -X,--waldir=into",
        "into?",
        does=(("change", "a PostgreSQL server", "db.create"),),
    ),
    "mysql": MYSQL,
    "mariadb": MYSQL,
    "mysqldump": MYSQLDUMP,
    "mariadb-dump": MYSQLDUMP,
    "mysqladmin": Program(
        "-f,--force -s,--silent -i,--sleep= -c,--count= -w,--wait[=] -V" + MY_SERVER, "text*", more=_admin
    ),
}

EXAMPLES = {
    "psql -c \"\\\\copy x from '/home/u/.ssh/id_rsa'\"": "reach postgresql on this machine #db.read"
    " | run \\copy x from '/home/u/.ssh/id_rsa' #inline | read /home/u/.ssh/id_rsa"
    " | blind psql: `\\copy` may run programs or handle files",
    "psql -c \"\\\\copy x to 'out' csv\"": "reach postgresql on this machine #db.read"
    " | run \\copy x to 'out' csv #inline | write out | blind psql: `\\copy` may run programs or handle files",
    "psql -c 'SELECT * FROM users LIMIT 5'": "reach postgresql on this machine #db.read",
    "psql -h db.example.com -U me -d app -c \"SELECT count(*) FROM users WHERE name = 'x'\"": "reach"
    " db.example.com #db.read",
    "psql postgresql://u:p@db.example.com:5432/app -c '\\dt'": "reach db.example.com:5432 #db.read",
    "psql -l": "reach postgresql on this machine #db.read",
    "psql -At -c 'DROP TABLE users'": "reach postgresql on this machine #db.read | change the database #db.drop",
    "psql -c 'SELECT 1; DELETE FROM users'": "reach postgresql on this machine #db.read | change the database #db.drop",
    "psql -c 'DELETE FROM users WHERE id = 1'": "reach postgresql on this machine #db.read"
    " | change the database #db.change",
    "psql -c \"SELECT pg_read_file('/etc/passwd')\"": "reach postgresql on this machine #db.read"
    " | gap psql: the function pg_read_file may do anything",
    "psql -c \"COPY t TO PROGRAM 'id'\"": "reach postgresql on this machine #db.read | run id #inline"
    " | change the database #db.change | gap psql: `copy` is not a statement we know"
    " | gap psql: the database reads or writes files",
    "psql -c '\\! id'": "reach postgresql on this machine #db.read | run id #inline"
    " | blind psql: hands a text to a shell",
    "psql -c '\\d `id`'": "reach postgresql on this machine #db.read | run \\d `id` #inline | run id #inline"
    " | blind psql: a command of psql that may run programs",
    "psql -c 'EXPLAIN ANALYZE DELETE FROM t'": "reach postgresql on this machine #db.read"
    " | change the database #db.change",
    "psql -c 'WITH x AS (DELETE FROM t RETURNING 1) SELECT * FROM x'": "reach postgresql on this machine #db.read"
    " | change the database #db.change",
    "psql -c \"select 'a'; -- x\"": "reach postgresql on this machine #db.read | change the database #db.change"
    " | gap psql: the SQL is not read with certainty",
    'psql -c "$Q"': "reach postgresql on this machine #db.read | change the database #db.change"
    " | blind psql: what is sent to the database is not known",
    "psql -f a": "reach postgresql on this machine #db.read | read a | run a #script | change the database #db.change",
    "psql app": "reach postgresql on this machine #db.read | change the database #db.change"
    " | gap psql: what is sent to the database comes from standard input",
    "psql -o '|sh' -c 'select 1'": "reach postgresql on this machine #db.read | run |sh #inline",
    "psql -o a -c 'select 1'": "reach postgresql on this machine #db.read | write a",
    "psql app <<< 'select 1'": "reach postgresql on this machine #db.read",
    "psql app 3<<< 'select 1'": "reach postgresql on this machine #db.read | change the database #db.change"
    " | gap psql: what is sent to the database comes from standard input",
    "mysql app <<< 'drop table t' <<< 'select 1'": "reach mysql on this machine #db.read",
    "psql 'host=x dbname=y' -c 'select 1'": "reach postgresql on this machine #db.read"
    " | gap psql: the connection is described in one word",
    "cat a | psql app": "read a | reach postgresql on this machine #db.read | change the database #db.change"
    " | gap psql: what is sent to the database comes from standard input",
    "pg_dump app": "reach postgresql on this machine #db.read",
    "pg_dump -h db.example.com -Fc -f a app": "reach db.example.com #db.read | write a",
    "pg_dump -Fd -f docs app": "reach postgresql on this machine #db.read | write docs/**",
    "pg_dumpall -g": "reach postgresql on this machine #db.read",
    "pg_restore -l a": "read a/**",
    "pg_restore -d app --clean a": "read a/** | reach postgresql on this machine #db.read"
    " | change the database #db.drop",
    "pg_isready": "reach postgresql on this machine #db.read",
    "createdb app": "reach postgresql on this machine #db.read | change the database #db.change",
    "dropdb --if-exists app": "reach postgresql on this machine #db.read | change the database #db.drop",
    "createuser me": "reach postgresql on this machine #db.read | change the database #db.change",
    "dropuser me": "reach postgresql on this machine #db.read | change the database #db.drop",
    "pg_ctl -D docs status": "list docs",
    "pg_ctl -D docs -l a start": "write a | change a PostgreSQL server #service.restart | write docs/**",
    "initdb -D docs": "write docs/** | change a PostgreSQL server #db.create",
    "mysql -u root -psecret -e 'SHOW TABLES' app": "reach mysql on this machine #db.read",
    "mysql -h db.example.com -e 'SELECT 1'": "reach db.example.com #db.read",
    "mysql -e 'system id'": "reach mysql on this machine #db.read | change the database #db.change | run id #inline"
    " | gap mysql: `system` is not a statement we know"
    " | gap mysql: a command of the client that may run programs or write files",
    "mysql -e \"SELECT 1 INTO OUTFILE '/tmp/x'\"": "reach mysql on this machine #db.read"
    " | change the database #db.change | gap mysql: the database reads or writes files",
    "mysql -e 'select /*! sleep(1) */ 1'": "reach mysql on this machine #db.read | change the database #db.change"
    " | gap mysql: the SQL is not read with certainty",
    "mysql -e 'truncate t'": "reach mysql on this machine #db.read | change the database #db.drop",
    "mysql app": "reach mysql on this machine #db.read | change the database #db.change"
    " | gap mysql: what is sent to the database comes from standard input",
    "mariadb -e 'SELECT VERSION()'": "reach mysql on this machine #db.read",
    "mysqldump --single-transaction app": "reach mysql on this machine #db.read",
    "mysqldump -r a app": "write a | reach mysql on this machine #db.read",
    "mariadb-dump app": "reach mysql on this machine #db.read",
    "mysqladmin status": "reach mysql on this machine #db.read",
    "mysqladmin drop app": "reach mysql on this machine #db.read | change the database #db.drop",
    "psql -c '/**/DROP TABLE t'": "reach postgresql on this machine #db.read | change the database #db.drop"
    " | gap psql: the SQL is not read with certainty",
    "psql -c 'DROP /* x */ TABLE t'": "reach postgresql on this machine #db.read | change the database #db.drop"
    " | gap psql: the SQL is not read with certainty",
    "psql -c '/* a /* b */ */ DROP TABLE t'": "reach postgresql on this machine #db.read"
    " | change the database #db.drop | gap psql: the SQL is not read with certainty",
    "mysql -e 'DROP/**/TABLE t'": "reach mysql on this machine #db.read | change the database #db.drop"
    " | gap mysql: the SQL is not read with certainty",
    "mysql -e '# x\nDROP TABLE t'": "reach mysql on this machine #db.read | change the database #db.drop"
    " | gap mysql: the SQL is not read with certainty",
    "mysql -e '/*!50000 DROP TABLE t */'": "reach mysql on this machine #db.read | change the database #db.drop"
    " | gap mysql: the SQL is not read with certainty",
    'psql -c "select 1 -- drop it"': "reach postgresql on this machine #db.read | change the database #db.change"
    " | gap psql: the SQL is not read with certainty",
    "mysql -e '\\! id x'": "reach mysql on this machine #db.read | change the database #db.change | run id x #inline"
    " | gap mysql: the SQL is not read with certainty"
    " | gap mysql: a command of the client that may run programs or write files",
    "mysql <<< 'select 1; \\! id x'": "reach mysql on this machine #db.read | change the database #db.change"
    " | run id x #inline | run id x #inline | gap mysql: the SQL is not read with certainty"
    " | gap mysql: a command of the client that may run programs or write files"
    " | gap mysql: a command of the client that may run programs or write files",
    "mysql -e 'source a'": "reach mysql on this machine #db.read | change the database #db.change | read a"
    " | run a #script | gap mysql: `source` is not a statement we know"
    " | gap mysql: a command of the client that may run programs or write files",
    "psql <<< '\\! id x'": "reach postgresql on this machine #db.read | change the database #db.change"
    " | run \\! id x #inline | run id x #inline | gap psql: the SQL is not read with certainty",
    "psql -c \"\\\\copy t from program 'id x'\"": "reach postgresql on this machine #db.read"
    " | run \\copy t from program 'id x' #inline | run id x #inline"
    " | blind psql: `\\copy` may run programs or handle files",
    "psql <<'E'\nselect 1 \\g |id x\nE": "reach postgresql on this machine #db.read | change the database #db.change"
    " | run select 1 \\g |id x #inline | run id x #inline | gap psql: the SQL is not read with certainty",
    'mysql -e "select 1; \\\\! id; rm b"': "reach mysql on this machine #db.read | change the database #db.change"
    " | run id; rm b #inline | run id; rm b #inline | gap mysql: the SQL is not read with certainty"
    " | gap mysql: a command of the client that may run programs or write files"
    " | gap mysql: a command of the client that may run programs or write files",
    'echo "drop table t" | psql': "note echo | reach postgresql on this machine #db.read"
    " | change the database #db.change | maybe reach postgresql on this machine #db.read"
    " | change the database #db.drop | gap psql: what is sent to the database comes from standard input",
    "cat <<E | mysql\ntruncate t\nE": "note cat | reach mysql on this machine #db.read"
    " | change the database #db.change | maybe reach mysql on this machine #db.read | change the database #db.drop"
    " | gap mysql: what is sent to the database comes from standard input",
}
