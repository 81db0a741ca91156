"""A strict reader of SQL: which statements a text holds, and whether each surely only reads.

It knows nothing of any one database. Whatever two of them might read differently (backslashes, comments, brackets,
dollar quotes) makes the whole text unknown.
"""

from __future__ import annotations

from assent.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact

LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
DIGITS = frozenset("0123456789")
SIGNS = frozenset(" \t\n\r,.=<>!+-*/%()|:?&~^@")
READS = frozenset("select values show describe desc explain with table use begin commit rollback".split())
DROPS = frozenset("drop truncate".split())
CHANGES = frozenset(
    "insert update delete merge replace create alter grant revoke comment analyze vacuum reindex refresh set reset lock"
    " notify cluster rename optimize flush kill detach pragma savepoint release end start".split()
)
WRITES_INSIDE = frozenset("insert update delete merge replace drop truncate alter create".split())
KEYWORDS = frozenset(
    "select from where and or not in as on join left right inner outer full cross using group by order having limit"
    " offset union all distinct values case when then else end between like ilike is null exists any some with"
    " recursive"
    " over partition filter within interval cast table into insert update delete set returning lateral explain if"
    " primary key references unique check default foreign index constraint unsigned varchar char decimal numeric int"
    " integer text real float double precision timestamp date time bigint smallint serial boolean conflict".split()
)
PURE = frozenset(
    "replace json json_set json_insert json_quote like glob pow log10 log2"
    " count sum avg min max total group_concat string_agg array_agg json_agg jsonb_agg json_build_object"
    " jsonb_build_object json_object json_array json_extract json_each json_array_length json_type json_valid"
    " json_group_array json_group_object jsonb_each jsonb_array_elements json_array_elements row_to_json to_json"
    " to_jsonb"
    " coalesce nullif ifnull iif greatest least abs round ceil ceiling floor mod power sqrt sign trunc random lower"
    " upper"
    " length char_length octet_length trim ltrim rtrim substr substring left right position instr strpos concat"
    " concat_ws"
    " printf format hex unhex quote typeof unicode char lpad rpad repeat reverse split_part regexp_replace"
    " regexp_matches"
    " date time datetime julianday strftime unixepoch now current_date current_timestamp date_trunc date_part extract"
    " age"
    " to_char to_date to_timestamp date_format date_add date_sub datediff timestampdiff year month day hour minute"
    " second"
    " curdate curtime from_unixtime unix_timestamp row_number rank dense_rank ntile lag lead first_value last_value"
    " nth_value percentile_cont percentile_disc unnest array_length cardinality generate_series version database schema"
    " user current_user current_database current_schema pg_size_pretty pg_database_size pg_total_relation_size"
    " pg_relation_size pg_table_size pg_indexes_size pg_typeof pg_get_viewdef pg_get_functiondef pg_get_indexdef"
    " pg_get_constraintdef pg_get_expr obj_description col_description has_table_privilege to_regclass sqlite_version"
    " changes total_changes last_insert_rowid likely unlikely zeroblob md5 sha1 sha2 crc32 bool_or bool_and stddev"
    " variance every exp ln log pi degrees radians initcap ascii chr to_number make_date isnull found_rows row_count"
    " pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_database_list"
    " pragma_foreign_key_list".split()
)
"""Functions that only compute from what they are given."""


@record
class Statement:
    """Its words in lower case without what is quoted; `calls` are the words before a parenthesis."""

    words: tuple[str, ...]
    calls: tuple[str, ...] = ()
    quoted: bool = False

    @property
    def first(self) -> str:
        return self.words[0] if self.words else ""


def statements(text: str) -> list[Statement] | None:
    """The statements of a text, None when it holds something that databases may read differently."""
    found: list[Statement] = []
    words: list[str] = []
    calls: list[str] = []
    quoted = False
    at = 0
    while at < len(text):
        sign = text[at]
        if sign in LETTERS or sign in DIGITS:
            end = _word_end(text, at)
            words.append(text[at:end].lower())
            if _opens(text, end) and words[-1] not in KEYWORDS:
                calls.append(f".{words[-1]}" if text[at - 1 : at] == "." else words[-1])
            at = end
        elif sign in "'\"`":
            end = _quote_end(text, at)
            if end < 0 or _opens(text, end):
                return None
            quoted, at = True, end
        elif sign == ";":
            found.append(Statement(tuple(words), tuple(calls), quoted))
            words, calls, quoted, at = [], [], False, at + 1
        elif sign not in SIGNS or text.startswith(("--", "/*"), at):
            return None
        else:
            at += 1
    found.append(Statement(tuple(words), tuple(calls), quoted))
    return [statement for statement in found if statement.words or statement.quoted]


def _word_end(text: str, at: int) -> int:
    while at < len(text) and (text[at] in LETTERS or text[at] in DIGITS):
        at += 1
    return at


def _opens(text: str, at: int) -> bool:
    """Whether the next sign that is no blank opens a parenthesis, so that the word before it may be a function."""
    while at < len(text) and text[at] in " \t\n\r":
        at += 1
    return text.startswith("(", at)


def _quote_end(text: str, at: int) -> int:
    """Behind the closing quote; a doubled one closes and opens again. -1 for what not everybody reads alike."""
    end = text.find(text[at], at + 1)
    if end < 0 or "\\" in text[at:end]:
        return -1
    if text[at] == "`" and not all(c in LETTERS or c in DIGITS or c in " -." for c in text[at + 1 : end]):
        return -1
    return end + 1


def meaning(statement: Statement) -> str:
    """`read`, `change`, `drop`, or `` when that is not known."""
    first, words = statement.first, statement.words
    if first in DROPS or (first == "alter" and "drop" in words):
        return "drop"
    if first in ("delete", "update") and "where" not in words:
        return "drop"
    if first in CHANGES:
        return "change"
    if first not in READS:
        return ""
    if first == "with" and not WRITES_INSIDE.isdisjoint(words):
        return "change"
    if "into" in words or (first == "explain" and not {"analyze", "analyse"}.isdisjoint(words)):
        return "change"
    return "read"


def doubts(found: list[Statement]) -> Iterator[str]:
    """Why a text may do more than its statements say."""
    for statement in found:
        if not meaning(statement):
            yield f"`{statement.first}` is not a statement we know"
        for name in statement.calls:
            if name not in PURE and meaning(statement) == "read":
                yield f"the function {name} may do anything"
        if not {"outfile", "dumpfile", "infile", "program"}.isdisjoint(statement.words):
            yield "the database reads or writes files"


def worst(found: list[Statement]) -> str:
    meanings = {meaning(statement) for statement in found}
    if "drop" in meanings:
        return "drop"
    return "read" if meanings <= {"read"} else "change"


def served(args: Args, text: str | None, database: str) -> Iterator[Fact]:
    """What a text does to the database of a server, besides the connection itself."""
    if text is None:
        yield args.effect("change", database, "db.change")
        yield args.gap("what is sent to the database is not known", blind=True)
        return
    from assent.commands.sql_suspected import may_drop, programs_named

    found = statements(text)
    yield from programs_named(args, text)
    if found is None:
        yield args.effect("change", database, "db.drop" if may_drop(text) else "db.change")
        yield args.gap("the SQL is not read with certainty")
        return
    kind = worst(found)
    if kind != "read":
        yield args.effect("change", database, f"db.{kind}")
    for why in doubts(found):
        yield args.gap(why)
