"""Runs a script in thought, with every text that its words may hold: what the strict reading loses on the way.

It finds danger and proves nothing: whatever it takes to be possible is compared with what is closed or denied, never
with what is allowed. A text that it cannot read is handed back, and counts for everything that it spells.
"""

from __future__ import annotations

from assent import types
from assent.budget import READING, SUSPECTING, Budget
from assent.protected import closed_in
from assent.record import record
from assent.resolve import normalise
from assent.shell.calls import SHELLS
from assent.shell.candidates import (
    ACTIVE,
    APART,
    GLOBS,
    PLAIN,
    UNKNOWN,
    Variables,
    chosen,
    lines_of,
)
from assent.shell.dialects import ZSH_WORDS
from assent.shell.expand import calculated
from assent.shell.lenient import parse_leniently
from assent.shell.operands import TAKES_NUMBERS
from assent.shell.state import folder_after
from assent.shell.stdout import formatted, printed
from assent.shell.tree import Simple
from assent.shell.wrappers import WRAPPERS, behind, started_by
from assent.types import Call, Redirection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assent.shell.candidates import Texts
    from assent.shell.tree import Assignment, Compound, Node, Part, Pipeline, Script, Sequence, Word

    Fields = list[str]
    Acts = Callable[["Simulator", Fields, str], str]

MAX_STEPS = 2_000
MAX_CALLS = 200
FIELDS_PER_STEP = 8
"""So many words that one of the source becomes cost a step: `set -- "$@" "$@"` doubles them."""
MAX_DEPTH = 25
MAX_TEXTS = 16
MAX_ROUNDS = 20
MAX_FOLDERS, MATCHES = 6, 5
LONGEST_FED = 20_000
DECLARES = frozenset("declare typeset local export readonly integer float".split())
PIPE = "/dev/fd/pipe-"
"""Begins the path of a process substitution."""
OPENS = types.Word("cat", "cat")
READ_VALUES, BLANKS = "dnNptui", " \t\n"
WITHOUT_FOLDER = ("--", "-P", "-L", "-e", "-@", "-n")
LEFT = ("-", "+0", "+1")
CRON_FIELDS, CRON_SIGNS = 5, frozenset("*0123456789")
STANDARD_INPUT = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-")
EVALUATING = TAKES_NUMBERS | ZSH_WORDS | {"let", "print"}
CARRIES_FILES = frozenset("cp mv ln install rsync".split())


@record
class Simulated:
    """What a script may start, all words as far as they may be known; and texts that could not be read."""

    calls: tuple[Call, ...] = ()
    pieces: tuple[Call, ...] = ()
    """Whatever is left of words in which something is not known, as if it were opened."""
    unread: tuple[str, ...] = ()


class Exhausted(Exception):  # noqa: N818 - not an error: the rest of the text counts for what it spells
    """More steps than anybody waits for."""


def simulate(text: str, cwd: str, home: str, shell: str = "bash", budget: Budget | None = None) -> Simulated:
    """The calls of a text with what their words may be. INVARIANT: for finding danger only."""
    simulator = Simulator(home, (cwd,) if cwd else (), (budget or Budget()).lend(MAX_STEPS, SUSPECTING), shell)
    try:
        simulator.text(text)
        for trapped in simulator.trapped:
            simulator.text(trapped)
    except (Exhausted, RecursionError):
        simulator.unread.append(text)
    return Simulated(tuple(simulator.calls), tuple(simulator.pieces), tuple(dict.fromkeys(simulator.unread)))


class Simulator:
    """Follows every branch once, loops over what is known, functions and texts wherever they are called.

    Every method that runs something takes what it reads and returns what it prints, both as far as that is known.
    """

    def __init__(self, home: str, cwds: Texts, budget: Budget, reader: str = "bash") -> None:
        self.home = home
        self.budget = budget
        self.reader = reader
        """The shell that reads the text."""
        self.variables = Variables(home, cwds)
        self.calls: list[Call] = []
        self.pieces: list[Call] = []
        self.unread: list[str] = []
        self.depth = self.pipes = 0
        self.fed = ""
        """What the command reads whose words are expanded."""
        self.opened: tuple[Redirection, ...] = ()
        self.trapped: list[str] = []
        """Texts that `trap` keeps for the end."""

    def step(self, count: int = 1) -> None:
        if not self.budget.take(count, READING) or self.depth > MAX_DEPTH:
            raise Exhausted

    # --- scripts ---------------------------------------------------------------------------------------------------

    def text(self, text: str, fed: str = "") -> str:
        """A text that a shell reads; in texts that may stand there instead of each other, each."""
        out = []
        for one in text.split(APART):
            script = parse_leniently(one.translate(PLAIN).replace(UNKNOWN, ""), self.reader, self.budget)
            self.step()
            if script.refused:
                self.unread.append(one)
            self.depth += 1
            out.append(self.script(script, fed))
            self.depth -= 1
        return APART.join(out)

    def script(self, script: Script, fed: str) -> str:
        body = script.body or script.begun
        return self.sequence(body, fed) if body is not None else ""

    def sequence(self, body: Sequence, fed: str) -> str:
        out: list[str] = []
        linked = 0
        for pipeline, operator in body.items:
            out.append(self.pipeline(pipeline, fed))
            follows = operator in ("&&", "||")
            if follows and not linked:
                linked = 1
                self.variables.unsure += 1
            elif linked and not follows:
                linked = 0
                self.variables.unsure -= 1
        self.variables.unsure -= linked
        return "".join(out)

    def pipeline(self, pipeline: Pipeline, fed: str) -> str:
        cwds, out = self.variables.cwds, fed
        for node in pipeline.commands:
            out = self.node(node, out)
        if len(pipeline.commands) > 1:
            self.variables.cwds = cwds
        return out[:LONGEST_FED]

    def apart(self, script: Script, fed: str) -> str:
        """A script in a shell of its own: what it changes is forgotten."""
        around = self.variables
        self.variables = around.copy()
        self.depth += 1
        self.step()
        out = self.script(script, fed)
        self.depth -= 1
        self.variables = around
        return out

    def perhaps(self, body: Sequence, fed: str) -> str:
        self.variables.unsure += 1
        out = self.sequence(body, fed)
        self.variables.unsure -= 1
        return out

    # --- commands --------------------------------------------------------------------------------------------------

    def node(self, node: Node, fed: str) -> str:
        self.step()
        around, self.fed = self.fed, fed
        fed, opened = self.input(node, fed)
        if isinstance(node, Simple):
            self.opened = opened
            out = self.simple(node, fed)
        else:
            if opened:
                self.emit([], "", opened)
            out = self.compound(node, fed)
        self.fed = around
        return self.written(opened, out)

    def compound(self, node: Compound, fed: str) -> str:
        if node.kind == "function":
            self.variables.functions[node.name] = node.bodies[0]
            return ""
        if node.kind == "subshell":
            around = self.variables
            self.variables = around.copy()
            out = self.sequence(node.bodies[0], fed)
            self.variables = around
            return out
        if node.kind == "group":
            return self.sequence(node.bodies[0], fed)
        if node.kind in ("for", "select"):
            return self.loop(node, fed)
        if node.kind in ("while", "until"):
            return self.reading(node, fed)
        if node.kind in ("condition", "arithmetic"):
            fields = [field for word in node.words for fields in self.fields(word) for field in fields]
            self.evaluate(fields)
            if "=~" in node.operators:
                self.variables.fill("BASH_REMATCH", fields[:1] * MATCHES)
            return ""
        return "".join([self.perhaps(body, fed) for body in node.bodies])

    def loop(self, node: Compound, fed: str) -> str:
        """Once for each word of the list; with none known, once all the same."""
        words = [field for texts in map(self.fields, node.words) for alternative in texts for field in alternative]
        if not node.words:
            words = [text for texts in self.variables.given for text in texts]
        out: list[str] = []
        for word in chosen(words, MAX_ROUNDS) or (UNKNOWN,):
            unsure, self.variables.unsure = self.variables.unsure, 0
            self.variables.assign(node.name, (word,))
            self.variables.unsure = unsure
            out.append(self.perhaps(node.bodies[0], fed))
        return "".join(out)

    def reading(self, node: Compound, fed: str) -> str:
        """A loop that may read a line in each round: once for each of what it is fed."""
        out: list[str] = []
        for line in chosen(lines_of(fed), MAX_ROUNDS) or ("",):
            for body in node.bodies:
                out.append(self.perhaps(body, f"{line}\n" if line else fed))
        return "".join(out)

    def simple(self, node: Simple, fed: str) -> str:
        opened = self.opened
        if not node.words:
            for assignment in node.assignments:
                self.assign(assignment)
            if opened:
                self.emit([], "", opened)
            return fed if node.redirects and not node.assignments else ""
        before = [(one.name, self.variables.lookup(one.name)) for one in node.assignments]
        for assignment in node.assignments:
            self.assign(assignment)
        settings = {one.name: self.variables.lookup(one.name) for one in node.assignments if one.value is not None}
        alternatives = [self.fields(word) for word in node.words]
        out: list[str] = []
        for at in range(min(max(map(len, alternatives)), MAX_TEXTS)):
            fields = [field for texts in alternatives for field in (texts[min(at, len(texts) - 1)] if texts else ())]
            self.opened = opened
            out.append(self.command(fields, fed, settings))
        if node.words[0].text not in DECLARES:
            self.restore(before)
        return APART.join(out)

    def restore(self, before: list[tuple[str, Texts]]) -> None:
        for name, texts in before:
            self.variables.forget(name)
            if texts:
                self.variables.assign(name, texts)

    def assign(self, assignment: Assignment) -> None:
        if assignment.items is not None:
            fields = [field for word in assignment.items for field in (self.fields(word) or [[]])[0]]
            self.variables.fill(assignment.name, fields, more=assignment.append)
            return
        texts = self.texts(assignment.value) if assignment.value is not None else ()
        if assignment.append:
            self.variables.append(assignment.name, texts)
        else:
            self.variables.assign(assignment.name, texts)

    def command(self, fields: Fields, fed: str, settings: dict[str, Texts] | None = None) -> str:
        """One command whose words are known as far as they can be: the shell's own, a function, or a program."""
        self.step()
        if not fields:
            return ""
        program = fields[0].translate(PLAIN).replace(UNKNOWN, "")
        name, variables = program.rpartition("/")[2], self.variables
        if program in variables.aliases:
            return self.text(" ".join([variables.aliases.pop(program), *map(quoted, fields[1:])]), fed)
        if program in variables.functions:
            return self.called(variables.functions[program], fields, fed)
        acts = BUILTINS.get(name)
        if acts is not None or name in EVALUATING:
            self.evaluate(fields[1:])
        if acts is not None:
            if self.opened:
                self.emit(fields[:1], "", self.opened)
            return acts(self, fields, fed)
        if name in SHELLS:
            return self.shell(fields, fed)
        if "/" in program and self.path(program) in variables.files:
            return self.shell(["sh", *fields], fed)
        if name in WRAPPERS:
            return self.wrapped(name, fields, fed, settings)
        self.emit(fields, fed, self.opened, settings)
        if name == "find":
            self.found(fields)
        elif name in CARRIES_FILES and self.variables.files:
            self.copied(fields)
        return printed(name, fields[1:], self.read_files(fields[1:]) or fed)

    def found(self, fields: Fields) -> None:
        """What `find` starts with whatever it finds."""
        call = Call(tuple([types.Word(field, field) for field in fields]), cwds=self.variables.cwds)
        self.opened = ()
        for inner in started_by(call, "find"):
            if inner.words:
                self.command([UNKNOWN if word.value is None else word.value for word in inner.words], "")

    def copied(self, fields: Fields) -> None:
        """A file that the script has written may have another name from then on."""
        files, names = self.variables.files, [self.path(field) for field in fields[1:] if field[:1] != "-"]
        for name in names[:-1]:
            if name in files:
                last = name.rpartition("/")[2]
                files[names[-1]] = files[f"{names[-1]}/{last}"] = files[name]

    def evaluate(self, fields: Fields) -> None:
        """What shells run that stands in the subscript of an operand: `[ -v 'a[$(command)]' ]`."""
        held = [text for field in fields if field.isidentifier() for text in self.variables.lookup(field)]
        for field in (*fields, *held):
            if "[" in field.translate(PLAIN) and ("$(" in field or "`" in field):
                self.text(f': "{field}"')

    def called(self, body: Sequence, fields: Fields, fed: str) -> str:
        variables = self.variables
        given, zero = variables.given, variables.zero
        variables.given = [(field,) for field in fields[1:]]
        self.depth += 1
        self.step()
        out = self.sequence(body, fed)
        self.depth -= 1
        variables.given, variables.zero = given, zero
        return out

    def shell(self, fields: Fields, fed: str) -> str:
        """`bash -c TEXT NAME WORDS`, `bash -s WORDS`, `bash FILE WORDS`, in a shell of its own."""
        words = fields[1:]
        at, text = 0, None
        while at < len(words) and words[at][:1] in ("-", "+") and len(words[at]) > 1:
            option, at = words[at], at + 1
            if option == "--":
                break
            if option[1] != "-" and "c" in option and at < len(words):
                text, at = words[at], at + 1
                break
            at += option in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")
        rest = words[at:]
        around = self.variables
        self.variables = around.copy()
        if text is not None:
            zero, given = rest[:1], rest[1:]
        elif rest and "-s" not in words[:at]:
            zero, given, text = rest[:1], rest[1:], self.file(rest[0], fed)
            self.emit(fields, fed, self.opened)
        else:
            zero, given, text = [], rest, fed
        self.variables.zero, self.variables.given = tuple(zero), [(one,) for one in given]
        reader, self.reader = self.reader, fields[0].rpartition("/")[2]
        out = self.text(text, "" if text is fed else fed) if text else ""
        self.variables, self.reader = around, reader
        return out

    def wrapped(self, name: str, fields: Fields, fed: str, settings: dict[str, Texts] | None) -> str:
        """What a wrapper starts; the wrapper itself where that is not certain."""
        if name == "xargs":
            return self.xargs(fields, fed)
        call = Call(tuple([types.Word(field, field) for field in fields]), cwds=self.variables.cwds)
        out: list[str] = []
        for inner in started_by(call, name):
            words = [UNKNOWN if word.value is None else word.value for word in inner.words]
            for variable, value in inner.assignments:
                self.variables.assign(variable, (value.value or "",))
            if inner.text is not None:
                out.append(self.text(inner.text, fed))
            elif words and not inner.trouble:
                out.append(self.command(words, fed, settings))
        if not out:
            self.emit(fields, fed, self.opened, settings)
        return "".join(out)

    def xargs(self, fields: Fields, fed: str) -> str:
        """What is read becomes words of the command, or stands where `-I` says."""
        words = tuple(types.Word(field, field) for field in fields[1:])
        rest, given, _trouble = behind(words, WRAPPERS["xargs"])
        command = [word.text for word in rest] or _operands(fields[1:]) or ["echo"]
        file = given.get("-a", given.get("--arg-file", ""))
        mark = (given.get("-I") or given.get("--replace") or "{}") if {"-I", "--replace"} & given.keys() else ""
        self.opened = ()
        return self.handed(command, self.file(file, fed) if file else fed, given, mark)

    def handed(self, command: Fields, text: str, given: dict[str, str], mark: str) -> str:
        self.opened = ()
        if mark:
            lines = chosen(lines_of(text.replace("\0", "\n")), MAX_ROUNDS) or (UNKNOWN,)
            return "".join([self.command([word.replace(mark, line) for word in command], "") for line in lines])
        sign = given.get("-d", given.get("--delimiter", "")).replace("\\n", "\n").replace("\\0", "\0")
        if "-0" in given or "--null" in given:
            sign = "\0"
        text = text.replace(APART, "\n")
        items = text.split(sign) if sign else [item.strip("\"'") for item in text.replace("\\", "").split()]
        items = [item.rstrip("\n") for item in items if item.strip()] or [UNKNOWN]
        return self.command([*command, *chosen(items, 2 * MAX_ROUNDS)], "")

    # --- files -----------------------------------------------------------------------------------------------------

    def path(self, name: str) -> str:
        cwds = self.variables.cwds
        return normalise(folder_after(cwds[0], name)) if cwds and name[:1] not in ("", "~") else name

    def file(self, name: str, fed: str) -> str:
        """What a file holds, if the script itself has written it."""
        name = name.translate(PLAIN)
        return fed if name in STANDARD_INPUT else self.variables.files.get(self.path(name), "")

    def read_files(self, words: Fields) -> str:
        files = self.variables.files
        return "".join([files[path] for path in map(self.path, words) if path in files]) if files else ""

    def input(self, node: Node, fed: str) -> tuple[str, tuple[Redirection, ...]]:
        """What a command reads, and everything that it opens."""
        opened: list[Redirection] = []
        for redirect in node.redirects:
            number = redirect.fd
            if redirect.heredoc is not None:
                body = redirect.heredoc
                text = body.body if body.quoted else APART.join(map("".join, self.parted(body.parts)))
            elif redirect.op == "<<<" and redirect.target is not None:
                text = "".join(f"{one}\n" for one in self.texts(redirect.target))
            else:
                ways = self.fields(redirect.target) if redirect.target is not None else []
                names = [field for fields in ways for field in fields]
                opened += [Redirection(redirect.op, redirect.fd, self.word(one)) for one in names]
                self.keep_pieces(names)
                if redirect.op[0] != "<":
                    continue
                text = "".join([self.file(f"/dev/fd/{one}" if redirect.op == "<&" else one, fed) for one in names])
            if number in (None, 0):
                fed = text
            else:
                self.variables.files[f"/dev/fd/{number}"] = text
        return fed, tuple(opened)

    def written(self, opened: tuple[Redirection, ...], out: str) -> str:
        """What is left of the output once files are written; these hold it from then on."""
        for redirect in opened:
            target = redirect.target.value if redirect.target is not None else None
            if redirect.op[0] == "<" or target is None or redirect.op == ">&" or redirect.fd == 2:
                continue
            path, files = self.path(target), self.variables.files
            files[path] = files.get(path, "") + out if redirect.op == ">>" or self.variables.unsure else out
            out = ""
        return out

    def emit(
        self,
        fields: Fields,
        fed: str,
        opened: tuple[Redirection, ...] = (),
        settings: dict[str, Texts] | None = None,
    ) -> None:
        """A program starts, with everything that may be handed to it."""
        if len(self.calls) >= MAX_CALLS:
            raise Exhausted
        text = (fed + self.read_files(fields[1:])).translate(PLAIN).replace(APART, "\n").replace(UNKNOWN, "")
        if text.strip():
            opened = (*opened, Redirection("<<<", None, None, text))
        words = tuple([self.word(field) for field in fields])
        self.keep_pieces(fields[1:])
        held = {**self._exported(fields), **(settings or {})}
        assigned = [(name, types.Word(one, one)) for name, texts in held.items() for one in texts]
        self.calls.append(Call(words, tuple(assigned), opened, self.variables.cwds))

    def keep_pieces(self, fields: Fields) -> None:
        """What is left of words of which a part is not known: whatever is done with that, it may be opened."""
        words = [self.word(field.replace(UNKNOWN, "")) for field in fields if UNKNOWN in field]
        if any(word.text for word in words):
            self.pieces.append(Call((OPENS, *words), cwds=self.variables.cwds))

    def _exported(self, fields: Fields) -> dict[str, Texts]:
        """Variables for all programs that hold something closed and are named in the words, as in code that asks for
        them."""
        names = [name for name in self.variables.exported if any(name in field for field in fields[1:])]
        held = [(name, tuple(filter(closed_in, self.variables.lookup(name)))) for name in names]
        return {name: texts for name, texts in held if texts}

    def word(self, field: str) -> types.Word:
        """A word as a program receives it: a pattern where signs of one are not quoted, or partly unknown."""
        if field.startswith(PIPE):
            return types.Word(field, None, "process substitution")
        plain = field.translate(PLAIN)
        if plain[:2] == "~/" and self.home:  # bash expands more of them than we know
            plain = self.home + plain[1:]
        if UNKNOWN in plain:
            known = plain.replace(UNKNOWN, "")
            return types.Word(known, known) if closed_in(known) else types.Word(plain, None, "a value", "", True)
        if not GLOBS.isdisjoint(field):
            return types.Word(plain, None, "names of files", plain, True)
        return types.Word(plain, plain)

    # --- words -----------------------------------------------------------------------------------------------------

    def texts(self, word: Word) -> Texts:
        """A word that is not split, as in an assignment."""
        whole = [" ".join(fields) for fields in self.parted(word.parts)]
        return chosen(whole, MAX_TEXTS)

    def fields(self, word: Word) -> list[Fields]:
        """The words that one of the source may become: several lists of them, one for each way."""
        parts = word.parts
        if len(parts) == 1 and parts[0].kind == "text":
            return [[parts[0].text]]
        if "[" in word.text and "$" in word.text:
            self.evaluate(word.text.partition("[")[2].translate(APART_SIGNS).replace("]", " ").split()[:1])
        found = self.parted(parts, split=True)
        if any(part.kind == "brace" for part in parts):
            found = [[one for field in fields for one in unbraced(field)] for fields in found]
        self.step(sum(map(len, found)) // FIELDS_PER_STEP)
        return found

    def parted(self, parts: Iterable[Part], *, split: bool = False) -> list[Fields]:
        """All parts of a word together; without `split` blanks in values part nothing."""
        parts = tuple(parts)
        braced = any(part.kind == "brace" for part in parts)
        ways: list[tuple[Fields, str | None]] = [([], None)]
        for part in parts:
            made: list[tuple[Fields, str | None]] = []
            for texts in self.part(part, split=split, braced=braced):
                for done, last in ways:
                    if not texts:
                        made.append((done, last))
                        continue
                    joined = [(last or "") + texts[0], *texts[1:]]
                    made.append(([*done, *joined[:-1]], joined[-1]))
            ways = made[:MAX_TEXTS]
        return [[*done, last] if last is not None else done for done, last in ways]

    def part(self, part: Part, *, split: bool, braced: bool) -> list[Fields]:
        """What one part may be; several words where its value is split."""
        kind, text = part.kind, part.text
        if kind == "text":
            return [[text.translate(CODED_BRACES) if braced and not part.quoted else text]]
        if kind == "glob":
            return [[ACTIVE.get(text, text)]]
        if kind == "brace":
            return [[]]
        if kind == "tilde":
            return [[one] for one in self.tilde(text)]
        if kind == "arithmetic":
            self.evaluate(text.translate(APART_SIGNS).split())
            return [[calculated(text, self.numbers()) or UNKNOWN]]
        if kind == "process":
            return [[self.process(part)]]
        if kind == "command":
            out = "".join([self.apart(inner, self.fed) for inner in part.inner])
            found = [[one] for one in values_of(out)] or [[""]]
        else:
            found = self.variables.expand(text, lambda: self.operand(part))
        if part.quoted or not split:
            return found
        signs = (self.variables.scalars.get("IFS") or (BLANKS,))[0]
        return [[piece for one in texts for piece in pieces_of(one, signs)] for texts in found]

    def tilde(self, text: str) -> Texts:
        known = {
            "~": (self.home,) if self.home else (),
            "~+": self.variables.cwds,
            "~-": self.variables.lookup("OLDPWD"),
        }
        return known.get(text) or (text,)

    def operand(self, part: Part) -> Texts:
        texts = chosen("".join(fields) for fields in self.parted(part.nested))
        home = self.home
        return tuple(home + text[1:] if home and text[:2] in ("~", "~/") else text for text in texts)

    def numbers(self) -> dict[str, types.Word | None]:
        scalars = self.variables.scalars
        return {name: types.Word(name, texts[0]) for name, texts in scalars.items() if len(texts) == 1}

    def process(self, part: Part) -> str:
        """`<(…)` is a file that holds what is printed there; `>(…)` reads what the command around it does."""
        out = "".join([self.apart(inner, self.fed if part.text[0] == ">" else "") for inner in part.inner])
        self.pipes += 1
        path = f"{PIPE}{self.pipes}"
        if part.text[0] == "<":
            self.variables.files[path] = out
        return path


APART_SIGNS = str.maketrans(dict.fromkeys("$()+-*/%<>=!&|^~?:,;{}", " "))
CODED_BRACES = {ord(sign): ACTIVE[sign] for sign in "{,}"}


def quoted(field: str) -> str:
    return "'" + field.translate(PLAIN).replace("'", "'\\''") + "'"


def unbraced(field: str) -> Fields:
    """`a{b,c}` as two words, also inside each other."""
    opened, comma, closed = ACTIVE["{"], ACTIVE[","], ACTIVE["}"]
    todo: Fields = [field]
    done: Fields = []
    while todo and len(done) + len(todo) <= 4 * MAX_TEXTS:
        text = todo.pop(0)
        end = text.find(closed)
        start = text.rfind(opened, 0, max(end, 0))
        inside = text[start + 1 : end].split(comma) if 0 <= start < end else []
        if len(inside) < 2:
            done.append(text)
        else:
            todo[:0] = [text[:start] + one + text[end + 1 :] for one in inside]
    return done + todo


def values_of(out: str) -> Texts:
    """What `$(…)` may be: the whole text, and each line of it, since one of them may be all that is printed."""
    wholes = [one.rstrip("\n") for one in out.split(APART)]
    return chosen([*wholes, *(line for whole in wholes if "\n" in whole for line in whole.split("\n"))], MAX_TEXTS)


def pieces_of(text: str, signs: str = BLANKS) -> Fields:
    """A value without quotes: parted at blanks, or as `IFS` says, its wildcards alive."""
    if signs != BLANKS:
        text = text.translate(dict.fromkeys(map(ord, signs), " "))
    pieces = [piece.translate(ALIVE) for piece in text.split()]
    if text[:1].isspace() and pieces:
        pieces.insert(0, "")
    return pieces or ([""] if text else [])


ALIVE = {ord(sign): ACTIVE[sign] for sign in "*?["}


def _operands(words: Iterable[str]) -> Fields:
    """The words from the first on that is no option, for a program whose options nobody knows."""
    rest = [*words]
    while rest and rest[0][:1] == "-":
        rest = rest[1:]
    return rest


# --- the shell's own commands -----------------------------------------------------------------------------------------


def _nothing(simulator: Simulator, fields: Fields, fed: str) -> str:
    del simulator, fields, fed
    return ""


def _prints(simulator: Simulator, fields: Fields, fed: str) -> str:
    if fields[0] == "printf" and fields[1:2] == ["-v"] and len(fields) > 3:
        simulator.variables.assign(fields[2], (formatted(fields[3], fields[4:]),))
        return ""
    return printed(fields[0].rpartition("/")[2], fields[1:], fed)


def _evaluates(simulator: Simulator, fields: Fields, fed: str) -> str:
    return simulator.text(" ".join(fields[1:]), fed)


def _sources(simulator: Simulator, fields: Fields, fed: str) -> str:
    if len(fields) < 2:
        return ""
    if fields[2:]:
        simulator.variables.given = [(field,) for field in fields[2:]]
    return simulator.text(simulator.file(fields[1], fed), fed)


def _starts(simulator: Simulator, fields: Fields, fed: str) -> str:
    """`command`, `builtin` and `exec` run what stands behind them; without words, `exec` opens files for good."""
    if fields[1:2] in (["-v"], ["-V"]):
        return printed("which", fields[2:], fed)
    return simulator.command(_operands(fields[1:]), fed)


def _changes_folder(simulator: Simulator, fields: Fields, fed: str) -> str:
    del fed
    variables = simulator.variables
    targets = [field.translate(PLAIN) for field in fields[1:] if field not in WITHOUT_FOLDER]
    before = variables.cwds
    if fields[0] == "popd" or (targets and targets[0] in LEFT) or (fields[0] == "pushd" and not targets):
        found: Iterable[str] = variables.left[-1] if variables.left else before
    else:
        target = targets[0] if targets else simulator.home
        found = [] if UNKNOWN in target else [folder_after(cwd, target) for cwd in before]
    variables.left.append(before)
    kept = before if variables.unsure or not found else ()
    variables.cwds = chosen((*found, *kept), MAX_FOLDERS)
    return ""


def _sets(simulator: Simulator, fields: Fields, fed: str) -> str:
    """`set` with words gives parameters; its options are passed over."""
    del fed
    words = fields[1:]
    while words and words[0][:1] in ("-", "+") and words[0] != "--":
        words = words[2 if words[0][1:2] == "o" or words[0][-1:] == "o" else 1 :]
    if words:
        words = words[1:] if words[0] == "--" else words
        simulator.variables.given = [(word,) for word in words]
    return ""


def _shifts(simulator: Simulator, fields: Fields, fed: str) -> str:
    del fed
    count = int(fields[1]) if len(fields) > 1 and fields[1].isdigit() else 1
    given = simulator.variables.given
    simulator.variables.given = given[count:] if not simulator.variables.unsure else _either(given, count)
    return ""


def _either(given: list[Texts], count: int) -> list[Texts]:
    """Parameters that may have moved by some places, or not."""
    return [chosen((*texts, *(given[at + count] if at + count < len(given) else ()))) for at, texts in enumerate(given)]


def _reads(simulator: Simulator, fields: Fields, fed: str) -> str:
    """`read`: any line of the input, in one variable or parted into several, or into an array."""
    names, array, sign, at = [], "", "\n", 1
    while at < len(fields):
        field = fields[at]
        at += 1
        if field[:1] != "-" or len(field) == 1:
            names.append(field)
            continue
        letter = next((one for one in field[1:] if one in READ_VALUES or one in "aA"), "")
        value = field[field.index(letter) + 1 :] if letter else ""
        if letter and not value and at < len(fields):
            value = fields[at]
            at += 1
        array = value if letter in ("a", "A") and letter else array
        sign = value if letter == "d" else sign
        if letter == "u":
            fed = simulator.variables.files.get(f"/dev/fd/{value}", fed)
    text = fed.replace(sign, "\n") if sign else fed.replace("\0", "\n")
    split = (simulator.variables.scalars.get("IFS") or (BLANKS,))[0]
    lines = lines_of(text)
    if array:
        simulator.variables.fill(array, [piece for line in lines for piece in _split(line, split, 0)])
        return ""
    names = names or ["REPLY"]
    rows = [_split(line, split, len(names)) for line in lines]
    for place, name in enumerate(names):
        simulator.variables.assign(name.partition("?")[0], chosen(row[place] for row in rows if place < len(row)))
    return ""


def _split(line: str, signs: str, most: int) -> Fields:
    """The pieces of a line, at most so many: the last one holds the rest."""
    if not signs:
        return [line]
    plain = line.strip().translate({ord(sign): " " for sign in signs}) if signs.strip() else line.strip()
    return plain.split(None, most - 1) if most else plain.split()


def _reads_lines(simulator: Simulator, fields: Fields, fed: str) -> str:
    """`mapfile`: every line an element; `-C` is a command that is run with some of them."""
    names, at, called = [], 1, ""
    while at < len(fields):
        if fields[at][:1] == "-":
            takes = fields[at][-1] in "dnOsuCc" and len(fields[at]) == 2
            called = fields[at + 1] if fields[at] == "-C" and at + 1 < len(fields) else called
            at += 1 + takes
        else:
            names.append(fields[at])
            at += 1
    lines = lines_of(fed.replace("\0", "\n"))
    simulator.variables.fill(names[0] if names else "MAPFILE", lines)
    return (
        "".join([simulator.text(f"{called} 0 {quoted(line)}") for line in chosen(lines, MAX_ROUNDS)]) if called else ""
    )


def _declares(simulator: Simulator, fields: Fields, fed: str) -> str:
    del fed
    options = "".join([field for field in fields[1:] if field[:1] == "-"])
    refers, exports = "n" in options and fields[0] != "export", fields[0] == "export" or "x" in options
    for field in fields[1:]:
        name, equals, value = field.partition("=")
        if exports:
            simulator.variables.exported.add(name.rstrip("+"))
        if not equals or name[:1] == "-":
            continue
        if refers:
            simulator.variables.references[name] = value
        elif name.endswith("+"):
            simulator.variables.append(name[:-1], (value,))
        else:
            simulator.variables.assign(name, (value,))
    return ""


def _takes_options(simulator: Simulator, fields: Fields, fed: str) -> str:
    """`getopts`: any of the words may be the argument of an option."""
    del fed
    variables = simulator.variables
    words = [text for texts in variables.given for text in texts]
    inside = [word[2:] for word in words if word[:1] == "-" and len(word) > 2]
    variables.assign("OPTARG", chosen([*words, *inside]))
    if len(fields) > 2:
        letters = fields[1].replace(":", "")
        variables.assign(fields[2], chosen([word[1] for word in words if word[:1] == "-" and word[1:2] in letters]))
    return ""


def _unsets(simulator: Simulator, fields: Fields, fed: str) -> str:
    del fed
    for field in fields[1:]:
        simulator.variables.forget(field)
    return ""


def _traps(simulator: Simulator, fields: Fields, fed: str) -> str:
    del fed
    words = _operands(fields[1:])
    simulator.trapped += words[:1] if len(words) > 1 else []
    return ""


def _renames(simulator: Simulator, fields: Fields, fed: str) -> str:
    del fed
    for field in fields[1:]:
        name, equals, text = field.translate(PLAIN).partition("=")
        if equals:
            simulator.variables.aliases[name] = text
    return ""


def _tees(simulator: Simulator, fields: Fields, fed: str) -> str:
    simulator.emit(fields, fed, simulator.opened)
    for field in fields[1:]:
        if field[:1] != "-":
            simulator.variables.files[simulator.path(field.translate(PLAIN))] = fed
    return fed


def _schedules(simulator: Simulator, fields: Fields, fed: str) -> str:
    """`at` and `crontab`: a text that a shell reads later, in the lines of a table behind the time."""
    simulator.emit(fields, fed, simulator.opened)
    for field in fields[1:]:
        fed = simulator.variables.files.get(simulator.path(field.translate(PLAIN)), fed)
    for line in lines_of(fed):
        words = line.split()
        begins = 1 if line[:1] == "@" else CRON_FIELDS
        timed = fields[0].endswith("crontab") and len(words) > begins and (begins == 1 or line[:1] in CRON_SIGNS)
        simulator.text(" ".join(words[begins:]) if timed else line)
    return ""


def _parallel(simulator: Simulator, fields: Fields, fed: str) -> str:
    """GNU parallel: a text for a shell, with each item of its list, or each line that it reads."""
    words = fields[1:]
    simulator.emit(fields, fed, simulator.opened)
    cut = next((at for at, word in enumerate(words) if word[:3] == ":::"), len(words))
    items = [word for word in words[cut + 1 :] if word[:3] != ":::"]
    if words[cut : cut + 1] == ["::::"]:
        items = [line for word in items for line in lines_of(simulator.file(word, fed))]
    lines = items or [*lines_of(fed)]
    command = _operands(words[:cut])
    if command and command[0].lstrip("-").isdigit():
        command = command[1:]
    text = " ".join(command) or "{}"
    text = text if any(mark in text for mark in ("{}", "{.}", "{/", "{1}", "{2}")) else f"{text} {{}}"
    out: list[str] = []
    for line in chosen(lines, MAX_ROUNDS) or (UNKNOWN,):
        made = text
        for mark in ("{}", "{.}", "{1}", "{2}", "{3}"):
            made = made.replace(mark, line)
        out.append(simulator.text(made))
    return "".join(out)


BUILTINS: dict[str, Acts] = {
    **dict.fromkeys(
        ": true false exit return break continue wait shopt hash bg fg jobs disown umask ulimit".split(), _nothing
    ),
    **dict.fromkeys(("echo", "printf"), _prints),
    **dict.fromkeys(("source", "."), _sources),
    **dict.fromkeys(("command", "builtin", "exec", "nohup", "time", "coproc", "noglob", "-"), _starts),
    **dict.fromkeys(("cd", "pushd", "popd", "chdir"), _changes_folder),
    **dict.fromkeys(("mapfile", "readarray"), _reads_lines),
    **dict.fromkeys(DECLARES, _declares),
    **dict.fromkeys(("parallel", "sem"), _parallel),
    **dict.fromkeys(("at", "batch", "crontab"), _schedules),
    "eval": _evaluates,
    "set": _sets,
    "shift": _shifts,
    "read": _reads,
    "getopts": _takes_options,
    "unset": _unsets,
    "trap": _traps,
    "alias": _renames,
    "tee": _tees,
}
