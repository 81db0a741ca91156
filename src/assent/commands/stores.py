"""Key-value, document and other stores: redis, mongo, etcd, influx, and the smaller clients of SQL databases."""

from __future__ import annotations

from assent.commands.inputs import input_text
from assent.commands.nested import does, nested
from assent.commands.program import Program, turns_off
from assent.commands.sql import served
from assent.types import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

STORE = "the database"
QUOTES = str.maketrans("\"'", "  ")
REDIS_READS = frozenset(
    "get mget exists keys scan type ttl pttl expiretime strlen getrange hget hgetall hkeys hvals hlen hmget hexists"
    " hscan"
    " hstrlen lrange llen lindex lpos smembers scard sismember smismember sscan srandmember zrange zrevrange"
    " zrangebyscore zrevrangebyscore zcard zscore zrank zrevrank zcount zscan zlexcount xrange xrevrange xlen xread"
    " dbsize info ping echo time lastsave role bitcount getbit bitpos dump randomkey pfcount geopos geodist geohash"
    " subscribe psubscribe monitor select hello touch sinter sunion sdiff lolwut json.get json.type ft.search ft.info"
    " ft._list".split()
)
REDIS_PAIRS = frozenset(
    "config get|memory usage|memory stats|memory doctor|client list|client info|client id|client getname|slowlog get"
    "|slowlog len|object encoding|object freq|object idletime|object refcount|acl list|acl whoami|acl users|acl cat"
    "|latency latest|latency history|latency doctor|module list|cluster info|cluster nodes|cluster slots|cluster shards"
    "|xinfo stream|xinfo groups|xinfo consumers|pubsub channels|pubsub numsub|command count|command docs|command info"
    "|script exists|function list|debug object".split("|")
)
REDIS_WRITES = frozenset(
    "set setex setnx psetex mset msetnx getset getdel getex append incr incrby incrbyfloat decr decrby del unlink"
    " expire"
    " expireat pexpire persist rename renamenx copy move hset hmset hsetnx hdel hincrby hincrbyfloat lpush rpush lpushx"
    " rpushx lpop rpop lrem lset ltrim linsert lmove rpoplpush sadd srem spop smove sunionstore sinterstore sdiffstore"
    " zadd zrem zincrby zpopmin zpopmax zremrangebyrank zremrangebyscore zunionstore xadd xdel xtrim xack xgroup setbit"
    " setrange pfadd pfmerge geoadd publish blpop brpop multi exec discard watch unwatch wait bgsave save bgrewriteaof"
    " json.set json.del".split()
)
REDIS_WIPES = frozenset("flushall flushdb shutdown".split())
REDIS = (
    "-h= -p= -s= -a,--pass= --user= --askpass -u= -r= -i= -n= -2 -3 -x -X= -d= -D= -c -e --tls --sni= --cacert=read"
    " --cacertdir=list --cert=read --key=read --insecure --raw --no-raw --quoted-input --csv --json --quoted-json"
    " --show-pushes= --stat --latency --latency-history --latency-dist --intrinsic-latency= --bigkeys --memkeys"
    " --memkeys-samples= --hotkeys --scan --pattern= --quoted-pattern= --count= --no-auth-warning --verbose -v"
    " --rdb=write"
    " --functions-rdb=write -t="
)
SCANS = ("--stat", "--latency", "--latency-history", "--latency-dist", "--intrinsic-latency", "--bigkeys", "--memkeys")


def _server(args: Args, scheme: str, host: str, address: str = "") -> Iterator[Fact]:
    """The place it talks to: the option of the host or of a whole address, else this machine."""
    known = False
    for word in (*args.values(host), *(args.values(address) if address else ())):
        known = True
        if word.value is None:
            yield args.gap("the server is not known", blind=True)
        else:
            place = word.value.partition("://")[2].rpartition("@")[2].partition("/")[0] or word.value
            yield from args.reach(f"{scheme}://{place}", shown=place, code="db.read")
    if not known:
        yield args.effect("reach", f"{scheme} on this machine", "db.read")


@turns_off(
    "--stat --latency --latency-history --latency-dist --intrinsic-latency --bigkeys --memkeys --hotkeys"
    " --scan -v --rdb --functions-rdb"
)
def _redis(args: Args) -> Iterator[Fact]:
    yield from _server(args, "redis", "-h", "-u")
    if not args.operands:
        if not args.has(*SCANS, "--hotkeys", "--scan", "--rdb", "--functions-rdb", "-v"):
            wipes = not REDIS_WIPES.isdisjoint((input_text(args.call) or "").lower().translate(QUOTES).split())
            yield args.effect("change", STORE, "db.drop" if wipes else "db.change")
            yield args.gap("its commands come from standard input")
        return
    words = [word.value.lower() if word.value is not None else None for word in args.operands[:2]]
    first = words[0] or ""
    pair = " ".join(word or "?" for word in words)
    if first in REDIS_WIPES:
        yield args.effect("change", STORE, "db.drop")
    elif pair == "config get":
        yield args.effect("note", "settings of redis, also its password", "secret.print")
    elif first in REDIS_WRITES:
        yield args.effect("change", STORE, "db.change")
    elif first not in REDIS_READS and pair not in REDIS_PAIRS:
        yield args.effect("change", STORE, "db.change")
        yield args.gap(f"`{pair}` may run code, write files or change the server")


def _redis_server(args: Args) -> Iterator[Fact]:
    """A server that keeps its data in the folder it runs in."""
    yield args.effect("change", "a redis server", "service.restart")
    for word in args.operands:
        yield from args.file("read", word)
    yield from args.file("write", Word(".", "."), deep=True)


def _lower(words: list[Word]) -> list[str]:
    return [(word.value or "").lower() for word in words]


@turns_off("--eval -f")
def _mongo_shell(args: Args) -> Iterator[Fact]:
    """JavaScript, from `--eval`, from files or from standard input."""
    yield from _mongo_place(args)
    texts = [*_lower(args.values("--eval")), (input_text(args.call) or "").lower()]
    drops = any("drop" in text or "delete" in text or "remove" in text for text in texts)
    yield args.effect("change", STORE, "db.drop" if drops else "db.change")
    for word in args.values("--eval"):
        yield from args.act("code", word)
    for word in (*args.values("-f"), *args.operands):
        if word.value is None or word.value.endswith((".js", ".mongodb")):
            yield from args.act("script", word)
    if not args.has("--eval", "-f"):
        yield args.gap("what it runs comes from standard input or a file")


def _mongo_place(args: Args) -> Iterator[Fact]:
    for word in args.operands:
        if "://" in (word.value or ""):
            host = (word.value or "").partition("://")[2].rpartition("@")[2].partition("/")[0]
            yield from args.reach(f"mongodb://{host}", shown=host, code="db.read")
    yield from _server(args, "mongodb", "-h", "--uri")


@turns_off("-o --archive")
def _mongo_dump(args: Args) -> Iterator[Fact]:
    yield from _mongo_place(args)
    if not args.has("-o", "--archive"):
        yield from args.file("write", Word("dump", "dump"), deep=True)
    for word in args.values("--archive"):
        yield from args.file("write", word)


def _mongo_export(args: Args) -> Iterator[Fact]:
    yield from _mongo_place(args)
    for word in args.values("-o"):
        yield from args.file("write", word)


@turns_off("--dir --file")
def _mongo_load(args: Args) -> Iterator[Fact]:
    yield from _mongo_place(args)
    yield args.effect("change", STORE, "db.drop" if args.has("--drop") else "db.change")
    given = [*args.operands, *args.values("--archive", "--file", "--dir")]
    for word in given or [Word("dump", "dump")]:
        yield from args.file("read", word, deep=True)


@turns_off("-q -f")
def _sql_client(args: Args) -> Iterator[Fact]:
    """Clients with the statements in one option and the host in another; anything else is a conversation."""
    if args.name != "snowsql":
        yield from _server(args, args.name, "-h")
    for word in args.values("-q"):
        yield from served(args, word.value, STORE)
    for word in args.values("-f"):
        yield from args.act("script", word)
        yield args.effect("change", STORE, "db.change")
    if not args.has("-q", "-f"):
        yield args.effect("change", STORE, "db.change")
        yield args.gap("what is sent to the database comes from standard input")


@turns_off("-q -f")
def _address_client(args: Args) -> Iterator[Fact]:
    """usql and the like: the database is an operand, which may also name a file."""
    yield from _sql_client(args)
    for word in args.operands:
        yield args.gap(f"`{word.text}` may be a file or an address")


@turns_off("-q")
def _dolt_sql(args: Args) -> Iterator[Fact]:
    for word in args.values("-q"):
        yield from served(args, word.value, "the dolt repository")
    if not args.has("-q"):
        yield args.effect("change", "the dolt repository", "db.change")
        yield args.gap("what is sent to the database comes from standard input")


def _dolt_remotes(args: Args) -> Iterator[Fact]:
    """Shown when nothing else is said."""
    if args.operands:
        yield args.effect("change", "the remotes of the dolt repository", "db.change")


MONGO = (
    " -h,--host= --port= -u,--username= -p,--password= --authenticationDatabase= --authenticationMechanism= --uri="
    " --ssl"
    " --tls --tlsCAFile,--sslCAFile=read --quiet --verbose -v"
)
MONGO_SHELL = Program(
    "--eval= -f,--file= --json[=] --norc --nodb --shell --apiVersion= --retryWrites" + MONGO, "text*", more=_mongo_shell
)
MONGO_PICK = (
    " -d,--db= -c,--collection= -q,--query= --queryFile=read --gzip --readPreference= -j,--numParallelCollections="
)
ETCD = (
    " --endpoints=url --cacert=read --cert=read --key=read --user= --password= --command-timeout= --dial-timeout="
    " --debug"
    " -w,--write-out= --hex --insecure-transport[=] --insecure-skip-tls-verify"
)
ETCD_READ = (
    ETCD + " --prefix --keys-only --count-only --print-value-only --limit= --from-key --order= --sort-by= --rev="
    " --consistency= --cluster"
)
ETCDCTL = {
    "get watch": does("reach", "etcd", "secret.print", ETCD_READ),
    "endpoint/health endpoint/status endpoint/hashkv member/list alarm/list user/list role/list role/get"
    " lease/list check/perf": does("reach", "etcd", "db.read", ETCD_READ),
    "put txn compaction defrag lease/grant lease/revoke member/add member/update alarm/disarm user/add role/add"
    " user/grant-role role/grant-permission auth/enable auth/disable": does(
        "change", "etcd", "db.change", ETCD + " --lease= --prev-kv"
    ),
    "del member/remove user/delete role/delete": does(
        "change", "etcd", "db.drop", ETCD + " --prefix --from-key --prev-kv --range"
    ),
    "snapshot/save": Program(ETCD, "write", does=(("reach", "etcd", "db.read"),)),
    "snapshot/status": Program(ETCD, "read"),
    "version": Program(ETCD),
}
INFLUX = (
    "--host= -o,--org= --org-id= -t,--token= --json --hide-headers -n,--name= -i,--id= -c,--active-config= --http-debug"
)
INFLUX_COMMANDS = {
    "ping version bucket/list org/list user/list task/list dashboards telegrafs config/list export/all": does(
        "reach", "InfluxDB", "db.read", INFLUX
    ),
    "write bucket/create org/create user/create task/create": does("change", "InfluxDB", "db.change", INFLUX),
    "delete bucket/delete org/delete user/delete task/delete": does("change", "InfluxDB", "db.drop", INFLUX),
    "auth/list auth/ls": does("reach", "InfluxDB", "secret.print", INFLUX),
}
DOLT = {
    "status log diff ls blame show version schema/show reflog": Program(
        "-n,--number= --oneline --stat --summary --graph -r,--result-format= --data --schema -a,--all -v,--verbose",
        "text*",
    ),
    "schema/export": Program("--with-tags", "text? write?"),
    "remote": Program("-v,--verbose", "text*", more=_dolt_remotes),
    "sql": Program("-q,--query= -r,--result-format=", "", more=_dolt_sql),
    "add commit checkout merge branch tag init": does(
        "change", "the dolt repository", "db.change", "-m,--message= -a -A -b= -am="
    ),
    "reset gc": does("change", "the dolt repository", "db.reset.hard", "--hard --soft"),
    "clone": Program(
        "-b,--branch= --remote= --aws-region= --aws-creds-type= --aws-creds-file=read --aws-creds-profile=",
        "text*",
        does=(("reach", "a dolt remote", ""), ("change", "the dolt repository", "db.change")),
    ),
    "pull fetch": Program(
        "", "text*", does=(("reach", "a dolt remote", ""), ("change", "the dolt repository", "db.change"))
    ),
    "push": does("send", "a dolt remote", "db.push", "-u,--set-upstream"),
}

PROGRAMS = {
    "redis-cli": Program(REDIS, "text*", more=_redis, style="posix"),
    "valkey-cli": Program(REDIS, "text*", more=_redis, style="posix"),
    "redis-server": Program(
        "--port= --bind= --daemonize= --save= --appendonly= --maxmemory= --protected-mode= -v",
        "text*",
        more=_redis_server,
    ),
    "mongosh": MONGO_SHELL,
    "mongo": MONGO_SHELL,
    "mongodump": Program(
        MONGO_PICK + MONGO + " -o,--out=into --archive[=] --oplog --excludeCollection=", "text*", more=_mongo_dump
    ),
    "mongoexport": Program(
        MONGO_PICK + MONGO + " -o,--out= --type= -f,--fields= --jsonArray --pretty --sort= --limit=",
        "text*",
        more=_mongo_export,
    ),
    "mongorestore": Program(
        MONGO_PICK
        + MONGO
        + " --drop --archive[=] --dir= --nsInclude= --nsExclude= --nsFrom= --nsTo= --dryRun --oplogReplay",
        "text*",
        more=_mongo_load,
    ),
    "mongoimport": Program(
        MONGO_PICK + MONGO + " --drop --file= --type= --headerline --jsonArray --mode= -f,--fields= --ignoreBlanks",
        "text*",
        more=_mongo_load,
    ),
    "etcdctl": Program(ETCD, commands=nested(ETCDCTL, ETCD), style="bare"),
    "cqlsh": Program(
        "-q,-e,--execute= -f,--file= -u,--username= -p,--password= -k,--keyspace= --ssl --no-color",
        "host? text?",
        more=_sql_client,
    ),
    "influx": Program(INFLUX, commands=nested(INFLUX_COMMANDS, INFLUX)),
    "clickhouse-client": Program(
        "-q,--query= -h,--host= --port= -u,--user= --password= -d,--database= -m,--multiline -n,--multiquery -f=unknown"
        " --format= -E,--vertical -t,--time -s,--secure --progress[=] --max_memory_usage=",
        "",
        more=_sql_client,
    ),
    "snowsql": Program(
        "-q,--query= -f,--filename= -a,--accountname= -h,--host= -u,--username= -d,--dbname= -s,--schemaname="
        " -r,--rolename="
        " -w,--warehouse= -c,--connection= --noup",
        "",
        does=(("reach", "Snowflake", "db.read"),),
        more=_sql_client,
    ),
    "usql": Program(
        "-q,-c,--command= -f,--file= -t,--tuples-only -A,--no-align -J,--json -C,--csv -w,--no-password",
        "text?",
        more=_address_client,
    ),
    "pgcli": Program("-h,--host= -p,--port= -U,--username= -d,--dbname= -l,--list -w -W", "text*", more=_sql_client),
    "mycli": Program(
        "-q,-e,--execute= -h,--host= -P,--port= -u,--user= -D,--database= --csv -t,--table", "text?", more=_sql_client
    ),
    "litecli": Program("-q,-e,--execute= -D,--database= --csv -t,--table", "write?", more=_sql_client),
    "dolt": Program("", commands=nested(DOLT), style="bare"),
}

EXAMPLES = {
    "dolt remote -v": "note dolt remote",
    "dolt remote add origin a/b": "change the remotes of the dolt repository #db.change",
    "dolt schema export t out.sql": "write out.sql",
    "dolt schema export": "note dolt schema export",
    "mongosh --eval 'db.dropDatabase()'": "reach mongodb on this machine #db.read"
    " | change the database #db.drop | run mongosh code #inline",
    "dolt clone --aws-creds-profile x y": "reach a dolt remote | change the dolt repository #db.change",
    "redis-cli ping": "reach redis on this machine #db.read",
    "redis-cli -h cache.example.com -p 6379 GET key": "reach cache.example.com #db.read",
    "redis-cli -u redis://u:p@cache.example.com/0 KEYS '*'": "reach cache.example.com #db.read",
    "redis-cli --scan --pattern 'a:*'": "reach redis on this machine #db.read",
    "redis-cli SET a 1": "reach redis on this machine #db.read | change the database #db.change",
    "redis-cli FLUSHALL": "reach redis on this machine #db.read | change the database #db.drop",
    "redis-cli config get requirepass": "reach redis on this machine #db.read"
    " | note settings of redis, also its password #secret.print",
    "redis-cli CONFIG SET dir /tmp": "reach redis on this machine #db.read | change the database #db.change"
    " | gap redis-cli: `config set` may run code, write files or change the server",
    "redis-cli EVAL 'return 1' 0": "reach redis on this machine #db.read | change the database #db.change"
    " | gap redis-cli: `eval return 1` may run code, write files or change the server",
    "redis-cli --eval a": "reach redis on this machine #db.read | change the database #db.change | blind"
    " redis-cli: option --eval is not known | gap redis-cli: `a` may run code, write files or change the server",
    "redis-cli --rdb a": "write a | reach redis on this machine #db.read",
    "redis-cli": "reach redis on this machine #db.read | change the database #db.change"
    " | gap redis-cli: its commands come from standard input",
    "valkey-cli info": "reach redis on this machine #db.read",
    "redis-server --port 7777": "change a redis server #service.restart | write ./**",
    "mongosh --eval 'db.users.find()'": "reach mongodb on this machine #db.read | change the database #db.change"
    " | run mongosh code #inline",
    "mongosh \"mongodb://u:p@db.example.com/app\" --eval 'db.stats()'": "reach db.example.com #db.read"
    " | reach mongodb on this machine #db.read | change the database #db.change | run mongosh code #inline",
    "mongosh a.js": "reach mongodb on this machine #db.read | change the database #db.change | read a.js"
    " | run a.js #script | gap mongosh: what it runs comes from standard input or a file",
    "mongo --quiet": "reach mongodb on this machine #db.read | change the database #db.change"
    " | gap mongo: what it runs comes from standard input or a file",
    "mongodump -d app": "reach mongodb on this machine #db.read | write dump/**",
    "mongodump --uri=mongodb://db.example.com -o docs": "write docs/** | reach db.example.com #db.read",
    "mongoexport -d app -c users -o a": "reach mongodb on this machine #db.read | write a",
    "mongorestore --drop dump": "reach mongodb on this machine #db.read | change the database #db.drop | read dump/**",
    "mongoimport -d app -c users --file data.txt": "reach mongodb on this machine #db.read"
    " | change the database #db.change | read data.txt/**",
    "etcdctl get --prefix /": "reach etcd #secret.print",
    "etcdctl --endpoints=https://192.0.2.1:2379 endpoint health": "reach https://192.0.2.1:2379 | reach etcd #db.read",
    "etcdctl del --prefix /": "change etcd #db.drop",
    "cqlsh -e 'SELECT * FROM t'": "reach cqlsh on this machine #db.read",
    "influx bucket list": "reach InfluxDB #db.read",
    "clickhouse-client -q 'SELECT count() FROM t'": "reach clickhouse-client on this machine #db.read",
    "clickhouse-client --query \"SELECT * FROM url('http://example.com')\"": "reach clickhouse-client on this"
    " machine #db.read"
    " | gap clickhouse-client: the function url may do anything",
    "snowsql -q 'select 1'": "reach Snowflake #db.read",
    "usql -c 'select 1' a": "reach usql on this machine #db.read | gap usql: `a` may be a file or an address",
    "pgcli": "reach pgcli on this machine #db.read | change the database #db.change"
    " | gap pgcli: what is sent to the database comes from standard input",
    "mycli -e 'show tables'": "reach mycli on this machine #db.read",
    "litecli a": "write a | reach litecli on this machine #db.read | change the database #db.change"
    " | gap litecli: what is sent to the database comes from standard input",
    "dolt log": "note dolt log",
    "dolt sql -q 'select * from t'": "note dolt sql",
    "dolt reset --hard": "change the dolt repository #db.reset.hard",
    "redis-cli <<< FLUSHALL": "reach redis on this machine #db.read | change the database #db.drop"
    " | gap redis-cli: its commands come from standard input",
    'mongosh <<< "db.dropDatabase()"': "reach mongodb on this machine #db.read | change the database #db.drop"
    " | gap mongosh: what it runs comes from standard input or a file",
}
