"""The words of one call, sorted by its program's description into options, values and operands, and what they do."""

from __future__ import annotations

from assent.commands.program import TABLES, options_of
from assent.globs import name_test
from assent.protected import is_secret, on_the_floor
from assent.record import maker, replace
from assent.types import HELD, JOB, NOT_IGNORED, PLAIN, RANGE, REGULAR, UNQUOTED, USED, Effect, Gap, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.commands.program import Fact, Option, Program
    from assent.types import Call, Follows, Kind, Url

HARMLESS_FILES = frozenset({"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"})
STDIN = "/dev/stdin"
"""To write there is to open anew, for writing, whatever file is read: `echo x < file > /dev/stdin`."""
ENDLESS_FILES = frozenset({"/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"})
GLOB_SIGNS = frozenset("*?[")
MOST_COMPARED = 100
SIMPLE: dict[str, tuple[Kind, bool]] = {
    "read": ("read", False),
    "tree": ("read", True),
    "list": ("list", False),
    "search": ("search", True),
    "write": ("write", False),
    "into": ("write", True),
    "delete": ("delete", False),
    "wipe": ("delete", True),
}
CHANGES = ("write", "delete")
LOOKS = ("read", "list", "search")
NO_NAMES = ("", "-")
OPENED = ("", "redirect")
"""Codes of writes that only put something into what is there: a link or other rights would replace a device."""
OPENS = ("read", "search", "write")
NO_LINKS = (REGULAR, NOT_IGNORED)
CHOSEN = {NOT_IGNORED: "search.shown", HELD: "search.held"}
"""Codes of effects on what is found by searches that leave something out."""
SECRET_NAMES = ("SECRET", "TOKEN", "KEY", "PASSW", "CREDENTIAL", "AUTH", "PRIVATE")
PROCESS = "process substitution"
STARTS = frozenset(
    """--script-shell --node-options --toolexec --shell --plugin --exec --launcher --wrapper --runner -wrapper -fplugin
    -specs --specs""".split()
)
"""Options that start something wherever there are such: no rule on the words before one is about that."""
TELLING = frozenset(
    """exec execute run runner command cmd shell script plugin plugins load loader require eval hook hooks debugger
    pdbcls upload send post publish push paste pastebin share webhook
    output outfile write save dump export delete remove overwrite""".split()
)
"""Parts of names that say that an option runs, sends, writes or deletes something, whatever program has it."""
BACKSLASHES = ("'\\", '"\\')
"""A backslash at the beginning of what is quoted."""
new_effect, new_gap, new_word = maker(Effect), maker(Gap), maker(Word)
LISTENERS: list[list[tuple[Args, Word]]] = []
"""Lists in which every option is noted as it is read, with whose words it stands among; hardly ever is there one."""


class Watched(int):
    """The number of a call that remembers what sorts its words, for those who ask by which tables they are read."""

    def __init__(self, number: int) -> None:  # noqa: ARG002 - `int` takes it
        self.takers: list[Args] = []


class Args:
    """`given` holds the values of each option by its first spelling, `operands` the other words in order."""

    __slots__ = ("_given", "base", "call", "heard", "name", "number", "operands", "parent", "program")

    def __init__(self, call: Call, number: int, base: str, name: str, program: Program) -> None:
        self.call = call
        self.number = number
        self.base = base
        self.name = name
        self.program = program
        self._given: dict[str, list[Word]] = {}
        self.heard: tuple[str, ...] = ()
        """The options that somebody asked for while one of them was given: only those can change what is stated."""
        self.operands: list[Word] = []
        self.parent: Args | None = None

    # --- asking ----------------------------------------------------------------------------------------------------

    @property
    def given(self) -> dict[str, list[Word]]:
        self.heard += tuple(self._given)
        return self._given

    @given.setter
    def given(self, given: dict[str, list[Word]]) -> None:
        self._given = given

    @property
    def options(self) -> dict[str, list[Word]]:
        """As `given`, for those who do not state anything by it."""
        return self._given

    def has(self, *names: str) -> bool:
        """Whether any of these options is given, each named by its first spelling in the table."""
        if not self._given or self._given.keys().isdisjoint(names):
            return False
        self.heard += names
        return True

    def values(self, *names: str) -> list[Word]:
        found = [word for name in names for word in self._given.get(name, ())] if self._given else []
        if found:
            self.heard += names
        return found

    def text(self, name: str) -> str | None:
        """The last value of an option, if it is given and known."""
        words = self._given.get(name)
        if not words:
            return None
        self.heard += (name,)
        return words[-1].value

    @property
    def has_input(self) -> bool:
        """Whether something feeds its standard input: a pipe, a file or a text."""
        return self.call.reads_from >= 0 or any(r.op in ("<", "<<", "<<-", "<<<") for r in self.call.redirects)

    def with_options(self, names: Iterable[str]) -> Args:
        """The same call as if no other options were given."""
        other = Args(self.call, self.number, self.base, self.name, self.program)
        other._given = {name: self._given[name] for name in names}
        other.operands = self.operands
        other.parent = self.parent
        return other

    # --- stating ---------------------------------------------------------------------------------------------------

    def gap(self, why: str, *, blind: bool = False, reading: bool = False, unread: bool = False) -> Gap:
        return new_gap(f"{self.name}: {why}", blind, self.number, self.call.span, False, reading, "", "", unread)

    def _misread(self, option: str, why: str, *, blind: bool = False) -> Gap:
        return new_gap(f"{self.name}: {why}", blind, self.number, self.call.span, False, False, option, "", True)

    def effect(self, kind: Kind, target: str, code: str = "") -> Effect:
        """Something that is no file: `note`, `run`, `change`."""
        return new_effect(kind, target, None, False, "", False, code, self.number, self.call.span)

    def printed(self, members: list[Word]) -> Iterator[Fact]:
        """What an archive shows of itself, where a member is called as secrets are."""
        for word in members:
            name = word.value or word.text
            if is_secret(name) or on_the_floor(name):
                yield self.effect("note", name, "secret.print")

    def act(self, role: str, word: Word, code: str = "") -> Iterator[Fact]:
        """What a word in a role means."""
        return iter(self.acts(role, word, code))

    def acts(self, role: str, word: Word, code: str = "", follows: Follows | None = None) -> list[Fact]:
        """As `act`; a list is made and passed on in half the time."""
        if role == "text" or role == "choice":
            return []
        simple = SIMPLE.get(role)
        if simple is not None:
            return self.files(simple[0], word, deep=simple[1], code=code, follows=follows)
        if role == "script" and word.value is not None:
            runs = [self.effect("run", path, code or "script") for path in self.paths(word)]
            return [*self.files("read", word), *runs]
        return list(self._acted(role, word, code))

    def _acted(self, role: str, word: Word, code: str) -> Iterator[Fact]:
        if role == "move":
            yield from self.file("read", word, deep=True, code=code, follows="")
            yield from self.file("delete", word, deep=True, code=code or "move")
        elif role == "key":
            yield from self.files("read", word, code=USED)
        elif word.value is None:
            if role in ("url", "host"):
                yield self.effect("reach", word.text)
            yield self.gap(f"{role} is not known ({word.why})", blind=True)
        elif role == "url":
            yield from self.reach(word.value)
        elif role == "host":
            yield from self.reach(f"https://{word.value}", shown=word.value)
        elif role == "run":
            yield self.effect("run", word.value, code or "program")
        elif role == "shell":
            yield self.effect("run", word.value, code or "inline")
        elif role == "code":
            source = {"source": word.value, "language": self.name}
            rest = self.number, self.call.span, source
            yield new_effect("run", f"{self.name} code", None, False, "", False, code or "inline", *rest)
        else:
            yield self.gap(f"`{word.text}` is not understood", unread=True)

    def file(
        self,
        kind: Kind,
        word: Word,
        *,
        deep: bool = False,
        only: str = "",
        code: str = "",
        follows: Follows | None = None,
    ) -> Iterator[Fact]:
        """One effect on a file for each folder the call may run in; `follows` says which links below are opened.

        Where nobody says so, the names that a search hands over are: programs open what they are given.
        """
        return iter(self.files(kind, word, deep=deep, only=only, code=code, follows=follows))

    def files(
        self,
        kind: Kind,
        word: Word,
        *,
        deep: bool = False,
        only: str = "",
        code: str = "",
        possible: bool = False,
        follows: Follows | None = None,
    ) -> list[Fact]:
        """As `file`, for the same reason."""
        value, call = word.value, self.call
        if value is None:
            return list(self._unknown_file(kind, word, deep=deep, code=code, follows=follows))
        if value in NO_NAMES:
            if not value or (kind == "write" and "streams" in self.program.style):
                return []
            possible = possible or kind in LOOKS  # usually standard input, unless there is a file of that name
        if value[0] == "/":
            plain = kind == "write" and value != STDIN and code in OPENED
            harmless = value in HARMLESS_FILES and (kind == "read" or plain)
            if harmless or (value in ENDLESS_FILES and kind == "read"):
                return []
        if value[0] == "/" or call.cwds == (self.base,):
            if follows:
                rest = self.number, call.span, None, False, follows
                return [new_effect(kind, value, None, deep, only, possible, code, *rest)]
            return [new_effect(kind, value, None, deep, only, possible, code, self.number, call.span)]
        found: list[Fact] = [
            new_effect(kind, path, None, deep, only, possible, code, self.number, call.span, None, False, follows or "")
            for path in self.places(value)
        ]
        if not call.cwds:
            why = f"`{value}` lies in a folder that is not known"
            found.append(self.gap(why, blind=True, reading=kind not in CHANGES))
        return found

    def _unknown_file(
        self, kind: Kind, word: Word, *, deep: bool, code: str, follows: Follows | None
    ) -> Iterator[Fact]:
        if word.pattern and not (word.why == PLAIN and kind in CHANGES):
            yield from self._matching(kind, word, deep=deep, code=code, follows=follows)
        elif kind == "list" and "lists" in self.program.style:
            yield from self._anywhere(word)
        elif word.why != PROCESS:
            if on_the_floor(word.text):  # whatever is not known about it
                yield new_effect(kind, word.text.strip("\"'"), None, deep, "", True, code, self.number, self.call.span)
            verb = "searches" if kind == "search" else f"{kind}s"
            why = f"{verb} a path that is not known ({word.why})"
            yield self.gap(why, blind=True, reading=kind not in CHANGES)

    def _matching(self, kind: Kind, word: Word, *, deep: bool, code: str, follows: Follows | None) -> Iterator[Fact]:
        """A word that stands for names of files; `folder/**/name` for everything below a folder."""
        if self._is_misread(word.pattern):
            yield self.gap(f"`{word.pattern}` stands in a folder whose name looks like a pattern", blind=True)
        if word.why == UNQUOTED:
            yield from self._listed(word, "names.split")
        root, below, only = word.pattern.partition("/**")
        if below and not any(sign in GLOB_SIGNS for sign in root):
            if follows is None:
                follows = "" if kind not in OPENS or word.why in NO_LINKS else "all" if deep else "files"
            if not code and self.call.cwds == (self.base,):
                code = CHOSEN.get(word.why, "")
            name, span = only.removeprefix("/"), self.call.span
            if deep and word.why not in NO_LINKS:  # a folder may be among what is found
                name, code = _whole(name, root), "" if code in CHOSEN.values() else code
            elif word.left_out:
                name = f"{name or '*'}//{word.left_out}"
            if kind == "write" and code == "copied":
                yield self.gap(f"what arrives in `{word.pattern}` is not known", blind=True)
            for path in self.places(root):
                yield new_effect(kind, path, None, True, name, False, code, self.number, span, None, False, follows)
        else:
            for path in self.places(word.pattern):
                span = self.call.span
                yield new_effect(kind, path, None, deep, "", False, code, self.number, span, None, True, follows or "")
        if not self.call.cwds and not word.pattern.startswith("/"):
            yield self.gap(f"`{word.pattern}` lies in a folder that is not known", blind=True)

    def _is_misread(self, pattern: str) -> bool:
        """Whether the folder before a pattern would be read as a part of it: `cd 'a[1]' && cat *`."""
        if pattern[0] == "/" or self.call.cwds == (self.base,):
            return False
        return any(sign in cwd for cwd in self.call.cwds for sign in GLOB_SIGNS)

    def places(self, path: str) -> list[str]:
        """A path as written when the call runs where the tool does, else seen from each of its folders."""
        if path.startswith("/") or self.call.cwds == (self.base,):
            return [path]
        return [f"{cwd.rstrip('/')}/{path}" for cwd in self.call.cwds]

    def paths(self, word: Word) -> list[str]:
        return self.places(word.value) if word.value else []

    def project(self, target: str, files: tuple[str, ...]) -> Iterator[Fact]:
        """A command that files of the project define: `make test`, `npm test`. Its approval ends when they change."""
        defined = tuple(place for file in files for place in self.places(file))
        yield Effect(
            "run", target, code="project", call=self.number, span=self.call.span, arguments={"defined_by": defined}
        )

    def reach(self, url: str, *, shown: str = "", kind: Kind = "reach", code: str = "") -> Iterator[Fact]:
        at = _URLS.get(url) or _parsed(url)
        yield new_effect(kind, shown or url, at, False, "", False, code, self.number, self.call.span)
        if "=" in at.path or ":/" in at.path or "%" in at.path:
            from assent import urls

            for inner in urls.embedded(at):  # whoever answers may go there
                yield new_effect("reach", inner.text, inner, False, "", False, "", self.number, self.call.span)

    # --- reading ---------------------------------------------------------------------------------------------------

    def take(self, words: tuple[Word, ...]) -> list[Fact]:
        """Sort words by the table and state what option values do; what the table does not know is a gap."""
        program = self.program
        if type(self.number) is Watched:
            self.number.takers.append(self)
        options, style = program.options, program.style
        table = TABLES[options] if options in TABLES else options_of(options)
        single = posix = plain = False
        facts: list[Fact] = []
        if style:
            single, posix, plain = "single" in style, "posix" in style, "plain" in style
            if "response" in style:
                facts += self._from_files(words)
            if plain:
                self.operands += words
                return facts
        at, count = 0, len(words)
        while at < count:
            word = words[at]
            at += 1
            text = word.value
            if plain or text is None or text[:1] != "-" or text == "-":
                if text is None and not plain:
                    facts += self._doubtful(word)
                self.operands.append(word)
                plain = plain or posix
            elif text == "--":
                plain = True
            else:
                if LISTENERS:
                    for listener in LISTENERS:
                        listener.append((self, word))
                reads = self._long if text[1] == "-" or single else self._short
                at += reads(text, words[at : at + 1], table, facts)
        return facts

    def _from_files(self, words: tuple[Word, ...]) -> Iterator[Fact]:
        """`@file` stands for the words in a file, wherever it stands: also where a value is meant."""
        for word in words:
            if word.text.lstrip("\"'")[:1] == "@" or (word.value or "")[:1] == "@":
                yield from self.file("read", replace(word, value=word.value[1:]) if word.value else word)
                yield self.gap(f"{word.text} holds more of its words", blind=True)

    def _doubtful(self, word: Word) -> Iterator[Fact]:
        """A word that might turn out to be an option; a name of a file is one if it begins with a dash."""
        if word.pattern and word.pattern[0] != "-":
            if self._is_misread(word.pattern):
                yield self.gap(f"`{word.pattern}` stands in a folder whose name looks like a pattern", blind=True)
            elif word.pattern[0] in GLOB_SIGNS and word.why != PLAIN:
                yield from self._listed(word, "names.split" if word.why == UNQUOTED else "names")
        elif (word.pattern or may_be_option(word)) and "lists" not in self.program.style:
            yield self.gap(f"a word is not known ({word.why})", blind=True)

    def _anywhere(self, word: Word) -> Iterator[Effect]:
        """Any path at all; and of one that does not exist, the error shows the name."""
        yield Effect("list", "/", deep=True, call=self.number, span=self.call.span)
        if "$" in word.text and any(piece in word.text.upper() for piece in SECRET_NAMES):
            yield self.effect("note", word.text, "environment")

    def _listed(self, word: Word, code: str) -> Iterator[Effect]:
        """The names that a pattern stands for; whoever looks at the disk sees which begin with a dash or fall apart."""
        for path in self.places(word.pattern):
            yield Effect("list", path, possible=True, code=code, call=self.number, span=self.call.span, glob=True)

    def _long(self, text: str, following: tuple[Word, ...], table: dict[str, Option], facts: list[Fact]) -> int:
        """`--name`, `--name=value`, `--name value`; adds to the facts, returns how many following words it used."""
        name, equals, value = text.partition("=")
        option = table.get(name)
        if option is None:
            if name[1:].isdigit() and "-#" in table:
                return 0
            exact = "exact" in self.program.style
            if name[1] != "-" and not equals and not exact and self._is_cluster(text, table):
                return self._short(text, following, table, facts)
            many = len(facts) > MOST_COMPARED  # nobody looks what so many unknown options may mean
            meant = (
                next((known for known in table if known.startswith(name)), "") if name[1] == "-" and not many else ""
            )
            may_mean = f", it may mean {meant}" if meant else ""
            blind = meant != "" or exact or many or name in STARTS or not TELLING.isdisjoint(name.lower().split("-"))
            facts.append(self._misread(name, f"option {name} is not known{may_mean}", blind=blind))
            return 0
        if option.takes == "":
            if equals:
                facts.append(self._misread(name, f"option {name} takes no value"))
            self._given.setdefault(option.name, [])
            return 0
        if equals:
            facts += self._value(option, new_word(value, value))
            return 0
        return self._following(option, name, following, facts)

    def _is_cluster(self, text: str, table: dict[str, Option]) -> bool:
        return "single" in self.program.style and f"-{text[1]}" in table

    def _short(self, text: str, following: tuple[Word, ...], table: dict[str, Option], facts: list[Fact]) -> int:
        """A cluster of letters; a letter that takes a value takes the rest of the word, or the next one."""
        if "-#" in table and text[1:].isdigit():
            self._given.setdefault("-#", []).append(Word(text, text[1:]))
            return 0
        for place in range(1, len(text)):
            option = table.get(f"-{text[place]}")
            if option is None:
                if "-#" in table and text[place:].isdigit():
                    return 0
                name = f"-{text[place]}"
                facts.append(self._misread(name, f"option {name} is not known"))
                return 0
            if option.takes == "":
                self._given.setdefault(option.name, [])
            elif rest := text[place + 1 :]:
                facts += self._value(option, new_word(rest, rest))
                return 0
            else:
                return self._following(option, f"-{text[place]}", following, facts)
        return 0

    def _following(self, option: Option, name: str, following: tuple[Word, ...], facts: list[Fact]) -> int:
        if option.takes == "[=]":
            self._given.setdefault(option.name, [])
            return 0
        if not following:
            facts.append(self._misread(name, f"option {name} needs a value"))
            return 0
        if following[0].many and "lists" not in self.program.style:
            several = f"the value of {name} may be several words" if following[0].pattern else "a word is not known"
            facts.append(self.gap(f"{several} ({following[0].why})", blind=True))
        facts += self._value(option, following[0])
        return 1

    def _value(self, option: Option, word: Word) -> Iterable[Fact]:
        self._given.setdefault(option.name, []).append(word)
        return self.acts(option.role, word)


_URLS: dict[str, Url] = {}
"""Addresses that were read before: many programs reach the same few."""
MOST_URLS = 200
LONGEST_URL = 300


def _parsed(url: str) -> Url:
    from assent import urls

    at = urls.parse(url)
    if len(url) <= LONGEST_URL:
        if len(_URLS) >= MOST_URLS:
            _URLS.clear()
        _URLS[url] = at
    return at


def _whole(glob: str, root: str) -> str:
    """Names of files and of whole folders; nothing, so that everything counts, where the root may be one of them."""
    fits = name_test(glob.casefold()) if glob != "*" else None
    return f"{glob}/" if fits is not None and not fits(root.rstrip("/").rpartition("/")[2]) else ""


def forget() -> None:
    """Empty what is remembered about addresses, for measurements."""
    _URLS.clear()


def mention(fact: Fact) -> Fact:
    """A fact that something else in the same call is asked about for: another spelling of a certain one."""
    return replace(fact, possible=True, mentioned=True) if isinstance(fact, Effect) else fact


def may_be_option(word: Word) -> bool:
    """Whether an unknown word could begin with a dash, or become several of which one does.

    A word whose first letter is written down, and that stays one word, cannot.
    """
    if word.why in (PLAIN, JOB, RANGE) and not word.pattern:
        return False
    if word.text[:2] in BACKSLASHES and word.text[2:3] not in ("", "\n"):
        return word.many  # it stands for itself, or for a sign behind it that is no dash
    text = word.text.lstrip("\"'")
    return word.many or not text or not (text[0].isalnum() or text[0] in "/._~@%^+,:<>")
