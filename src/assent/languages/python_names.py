"""Names of Python's own library that are known: which functions only look at data, and what attributes hold."""

from __future__ import annotations

WHOLE = frozenset(
    """math cmath re statistics random textwrap difflib unicodedata decimal fractions struct binascii html urllib.parse
    fnmatch keyword calendar bisect heapq hashlib hmac colorsys numbers zlib datetime datetime.datetime datetime.date
    datetime.time datetime.timedelta datetime.timezone collections.Counter collections.OrderedDict base64 quopri
    stat errno typing""".split()
)
"""Modules and classes all of whose public functions do nothing but calculate."""
NOT_WHOLE = frozenset("base64.main base64.test quopri.main calendar.main textwrap.main typing.get_type_hints".split())

PURE: dict[str, frozenset[str]] = {
    module: frozenset(names.split())
    for module, names in {
        "json": "load loads dump dumps JSONDecodeError JSONEncoder JSONDecoder",
        "time": """time sleep perf_counter perf_counter_ns monotonic monotonic_ns process_time time_ns strftime strptime
            localtime gmtime mktime ctime asctime thread_time""",
        "itertools": """accumulate chain chain.from_iterable combinations combinations_with_replacement compress
            dropwhile filterfalse groupby islice pairwise permutations product starmap takewhile tee zip_longest
            batched""",
        "itertools.chain": "from_iterable",
        "functools": "reduce cmp_to_key",
        "operator": "itemgetter add sub mul truediv floordiv mod eq ne lt le gt ge and_ or_ xor not_ neg contains",
        "collections": "Counter defaultdict OrderedDict deque ChainMap",
        "copy": "copy deepcopy",
        "pprint": "pprint pformat pp PrettyPrinter",
        "string": "capwords",
        "csv": "reader writer DictReader DictWriter Sniffer list_dialects",
        "io": "TextIOWrapper",
        "ast": "parse literal_eval dump unparse walk iter_child_nodes iter_fields get_docstring",
        "tomllib": "load loads",
        "yaml": "safe_load safe_load_all safe_dump YAMLError",
        "uuid": "uuid4 uuid5 uuid3 UUID",
        "platform": "python_version python_implementation system machine release version",
        "sys": """exit getsizeof getrecursionlimit getdefaultencoding getfilesystemencoding exc_info intern
            stdout.write stderr.write""",
        "os": "getpid getppid cpu_count getcwdb uname getuid getgid strerror fspath fsdecode fsencode",
        "os.path": """splitext basename normcase commonprefix isabs""",
        "shutil": "which get_terminal_size disk_usage",
        "traceback": "print_exc format_exc",
        "contextlib": "suppress nullcontext",
        "warnings": "simplefilter filterwarnings",
        "xml.etree.ElementTree": "fromstring tostring XML Element SubElement indent iselement",
        "xml.sax.saxutils": "escape unescape quoteattr",
        "shlex": "split quote join",
        "getpass": "getuser",
        "socket": "gethostname",
        "importlib.metadata": "version",
        "gc": "collect",
        "locale": "getpreferredencoding",
        "zoneinfo": "ZoneInfo",
        "dataclasses": "asdict",
        "codecs": "encode decode lookup",
        "gzip": "compress decompress",
        "bz2": "compress decompress",
        "lzma": "compress decompress",
        "tokenize": "generate_tokens tokenize",
        "secrets": "token_hex token_urlsafe token_bytes choice randbelow",
    }.items()
}
BUILTINS = frozenset(
    """abs all any ascii bin bool bytearray bytes callable chr complex dict divmod exit float format frozenset hash hex
    id input int isinstance issubclass len object oct ord pow quit range repr round slice str sum type hasattr
    NotImplemented Ellipsis""".split()
)
LENIENT = frozenset(
    """len bool id type isinstance issubclass callable repr str ascii hash hasattr any all sum format round exit quit
    print""".split()
)
"""These look at what they are given and no more, whatever it is."""
TYPES = frozenset(f"builtins.{name}" for name in "str bytes int float bool list dict set frozenset tuple".split())
CONSTANT_MODULES = frozenset("re socket signal os stat logging csv errno subprocess string math shutil ssl".split())
"""Whatever has a name in capitals there is a number or a text."""
SIGNALS = {"SIGKILL": 9, "SIGTERM": 15, "SIGINT": 2, "SIGHUP": 1, "SIGSTOP": 19, "SIGQUIT": 3, "SIGUSR1": 10}

METHODS = frozenset(
    """capitalize casefold center count encode endswith expandtabs find format index isalnum isalpha isascii isdecimal
    isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans
    partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith
    strip swapcase title translate upper zfill decode hex fromhex append clear copy extend insert pop remove reverse
    sort get items keys popitem setdefault update values fromkeys add difference discard intersection isdisjoint
    issubset issuperset symmetric_difference union difference_update intersection_update symmetric_difference_update
    appendleft popleft rotate extendleft most_common elements subtract total group groups groupdict start end span
    match fullmatch search findall finditer sub subn expand bit_length bit_count to_bytes from_bytes is_integer
    as_integer_ratio conjugate strftime isoformat timestamp date time weekday isoweekday isocalendar total_seconds
    astimezone timetuple now today hexdigest digest read readline readlines getvalue seek tell close
    writerow writerows writeheader findtext iter itertext getroot iterfind communicate wait poll unpack pack
    unpack_from iter_unpack fill wrap dedent ratio get_opcodes get_matching_blocks quick_ratio compare choice choices
    randint random shuffle sample uniform seed randrange gauss move_to_end quantize to_integral_value normalize sqrt
    tolist utcoffset dst tzname toordinal getbuffer readable writable seekable tobytes cast has_header sniff
    isatty geturl""".split()
)
"""Of texts, numbers, lists, dicts, matches, dates …: they change nothing but that very thing."""
ATTRIBUTES = frozenset(
    """stdout stderr returncode year month day hour minute second microsecond days seconds st_size st_mtime st_mode
    st_ctime st_atime st_ino st_nlink text tag attrib tail major minor micro filename file_size date_time compress_size
    string pos lastgroup lastindex real imag numerator denominator msg lineno colno doc errno strerror offset fieldnames
    line_num maxlen tzinfo pattern flags groupindex hostname port scheme netloc path query fragment params body names
    name id attr func value targets target col_offset end_lineno module level decorator_list elts ops left right
    comparators bases orelse asname arg annotation returns keywords generators iter test finalbody handlers total used
    free args min max resolution nodename sysname release version machine tm_year tm_mon tm_mday tm_hour tm_min tm_sec
    n s size line end start stop step encoding digest_size block_size columns lines restkey""".split()
)
FILE_METHODS = frozenset(
    """read readline readlines write writelines close seek tell flush truncate readable writable seekable isatty
    reconfigure read1 readinto peek namelist infolist getinfo open testzip printdir getnames getmembers getmember
    extractfile __enter__ __exit__ next getvalue""".split()
)
FILE_ATTRIBUTES = frozenset("name mode encoding closed newlines filelist errors comment filename".split())
ENVIRONMENT = frozenset(
    """HOME USER LOGNAME PWD SHELL LANG LC_ALL TERM PATH TMPDIR HOSTNAME CI COLUMNS LINES EDITOR PYTHONPATH VIRTUAL_ENV
    DEBUG ENV NODE_ENV TZ DISPLAY XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME""".split()
)
"""Variables that hold no secret."""


def is_pure(name: str) -> bool:
    """Whether a function, by its full name, only calculates with what it is given."""
    parent, _, last = name.rpartition(".")
    if last[:1] == "_" or name in NOT_WHOLE:
        return False
    if parent == "builtins":
        return last in BUILTINS or last.endswith(("Error", "Exception", "Warning", "Interrupt", "Exit", "Iteration"))
    if parent in TYPES:
        return last in METHODS
    return parent in WHOLE or last in PURE.get(parent, ())
