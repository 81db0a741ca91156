"""Code that a command line runs, on the line or in a file: read, and stated like what is written plainly.

Inline code that is proven does exactly what is stated. Any other is a gap, and so is a file outside of the project; of
a file inside only what it spells out counts, since the project's own code runs there anyway.
"""

from __future__ import annotations

from assent import protected
from assent.budget import Budget
from assent.errors import AssentError
from assent.policy.case import is_within
from assent.record import replace
from assent.types import CODE_RUNS, FROM_FILE, INLINE, STOPS, Call, Effect, Gap, Url, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.languages.reading import Reading, Started
    from assent.types import Analysis, ToolCall, World

LONGEST_FILE, LONGEST_SHELL = 256_000, 64_000
MOST_SIGNS, EACH = 64_000, 500
"""How much code is read for one line, and what a piece of it counts for besides its length."""
MOST_FILES, MOST_TEXTS, DEEPEST, MOST_SPELLED = 20, 20, 4, 200
ELSEWHERE = "\0"
"""No folder: paths that are seen from it are written in full."""
SHELLS = frozenset("bash sh dash ksh zsh".split())
PYTHONS = ("python", "pypy")
ENDINGS = {
    "py": "python3", "pyw": "python3", "sh": "bash", "bash": "bash", "zsh": "zsh", "js": "node", "mjs": "node",
    "cjs": "node", "ts": "node", "mts": "node", "cts": "node", "pl": "perl", "pm": "perl", "rb": "ruby", "php": "php",
    "lua": "lua", "r": "Rscript", "jl": "julia", "groovy": "groovy", "tcl": "tclsh", "exs": "elixir", "ps1": "pwsh",
}  # fmt: skip


def runs_code(effect: Effect) -> bool:
    return effect.kind == "run" and effect.code in CODE_RUNS and not effect.possible


def read_code(analysis: Analysis, call: ToolCall, world: World) -> Analysis:
    """The same analysis with what code does in the place of the fact that it runs."""
    projects = world.roots(call.workspace or call.cwd)
    scene = _Scene(call, world, projects)
    effects, gaps = scene.expand(analysis.effects, analysis.gaps, analysis.calls, 0)
    return replace(analysis, effects=tuple(effects), gaps=tuple(dict.fromkeys(gaps)), inside=tuple(scene.inside))


class _Scene:
    """One command line and the files it may run."""

    def __init__(self, call: ToolCall, world: World, projects: tuple[str, ...]) -> None:
        self.call, self.world, self.projects = call, world, projects
        self.home = world.home
        self.inside: list[Call] = []
        self.files = 0
        self.left = MOST_SIGNS
        self.budget = Budget()
        """For commands inside of code; what the line itself needs is not taken by a long script."""
        self.texts: set[tuple[str, str]] = set()

    def expand(
        self, effects: tuple[Effect, ...] | list[Effect], gaps: tuple[Gap, ...] | list[Gap], calls: tuple[Call, ...],
        depth: int,
    ) -> tuple[list[Effect], list[Gap]]:  # fmt: skip
        """Every effect, those that run code replaced or followed by what that does."""
        found: list[Effect] = []
        doubts = list(gaps)
        for effect in effects:
            if not runs_code(effect) or not effect.call:
                found.append(effect)
                continue
            call = calls[effect.call - 1]
            plain = replace(effect, arguments=None) if effect.arguments and "source" in effect.arguments else effect
            if effect.code == "script":
                self.script(plain, call, calls, found, doubts, depth)
            else:
                self.inline(effect, plain, call, calls, found, doubts, depth)
        return found, doubts

    # --- code on the line -------------------------------------------------------------------------------------------

    def inline(
        self, effect: Effect, plain: Effect, call: Call, calls: tuple[Call, ...], found: list[Effect],
        doubts: list[Gap], depth: int,
    ) -> None:  # fmt: skip
        """Code in a word or on standard input. INVARIANT: what is not proven leaves a gap."""
        language, text, exact = _source_of(effect, call, calls)
        if text is None and (path := _file_read(effect, call, calls)):
            found.append(plain)
            self.file(path, language, plain, call, found, doubts, depth)
            return
        if text is not None:
            self.left -= len(text) + EACH
        if text is None or self.left < 0:
            found.append(plain)
            doubts.append(_opaque(plain, f"{effect.target.removesuffix(' code')}: the code it runs is not known"))
            return
        if not language:
            self.command(text, plain, call, found, doubts, depth)
            return
        reading = read_text(text, language, self.home, call, exact=exact, cookie=effect.code != "inline")
        made, gaps = self.state(reading, plain, call, depth + 1)
        if not reading.doubts and (odd := self.misleads(reading, effect, call, language, made)):
            reading.doubt(odd)
        if reading.doubts or gaps:
            why = next(iter(reading.doubts), "") or gaps[0].why
            found += [plain, *made, *self.suspect(reading, plain, call)]
            doubts.append(_opaque(plain, f"{language} code is not fully read: {why}"))
            return
        shown = Effect("note", f"{language} code", call=plain.call, span=plain.span)
        marked = [replace(one, arguments={**(one.arguments or {}), INLINE: language}) for one in made]
        found += [*(marked or [shown]), *self.shadows(reading, plain, call, call.cwds, language)]

    def misleads(self, reading: Reading, effect: Effect, call: Call, language: str, made: list[Effect]) -> str:
        """Why what surrounds a program, or it itself, may make it do more than was read; empty if nothing does."""
        given = call.reads_from >= 0 or any(one.op[0] == "<" for one in call.redirects)
        if reading.started and given and effect.code == "inline":
            return "what it starts may read its input"
        if language.startswith(PYTHONS) and any(map(_makes_module, made)):
            return "it may write code that it loads itself"
        if language in ("node", "nodejs"):
            for one in reading.effects:
                place = self.world.locate(one.target, self.call.cwd)
                if place.folder or not place.path.endswith(".json") or call.cwds != (self.call.cwd,):
                    return f"{one.target} may be code"
        if language == "perl" and not _opens_plainly(call):
            return "what it opens may start programs"
        return ""

    def command(self, text: str, plain: Effect, call: Call, found: list[Effect], doubts: list[Gap], depth: int) -> None:
        """A text for a shell that a program starts: what it does is stated, what is not known about it is a gap."""
        from assent.languages.reading import Started

        found.append(plain)
        made, gaps = self.started(Started(text), plain, call, depth + 1)
        found += [one for one in made if one.kind != "run" or one.target != text]
        doubts += [_opaque(plain, gap.why) for gap in gaps[:1]]

    def shadows(
        self, reading: Reading, plain: Effect, call: Call, folders: tuple[str, ...], language: str
    ) -> Iterator[Effect]:
        """Modules that would be loaded from the folder of the code first, if they are there."""
        if not language.startswith(PYTHONS) or _is_isolated(call):
            return
        from assent.languages.python import LIBRARY

        others = [name for name in reading.modules if name not in LIBRARY]
        known = next((name for name in reading.modules if name in LIBRARY), "traceback")  # which an error would load
        for module in (known, *others):
            for cwd in folders:
                path = f"{module}.py" if cwd == self.call.cwd else f"{cwd.rstrip('/')}/{module}.py"
                yield Effect("run", path, code="script", possible=True, call=plain.call, span=plain.span)

    # --- files ------------------------------------------------------------------------------------------------------

    def script(
        self, plain: Effect, call: Call, calls: tuple[Call, ...], found: list[Effect], doubts: list[Gap], depth: int
    ) -> None:
        """A file that runs; `python3 -m name` names it by its module."""
        name = _language_of(call)
        if plain.target in STDIN_NAMES:
            given = replace(plain, target=f"{name} code", code="stdin")
            self.inline(given, given, call, calls, found, doubts, depth)
            return
        found.append(plain)
        if " -m " not in plain.target:
            self.file(plain.target, name, plain, call, found, doubts, depth, calls)
            return
        for path in _module_files(plain.target, call):
            if self.world.locate(path, self.call.cwd).exists:
                self.file(path, name, plain, call, found, doubts, depth)

    def file(
        self, path: str, language: str, plain: Effect, call: Call, found: list[Effect], doubts: list[Gap], depth: int,
        calls: tuple[Call, ...] = (),
    ) -> None:  # fmt: skip
        """What a file would do, and a gap if that is not certain and the file is not the project's."""
        place = self.world.locate(path, self.call.cwd)
        ours = any(is_within(place.path, root) for root in self.projects)
        if ours:
            _belong(plain, doubts)
        content = _written(path, calls, plain.call) if calls else None
        content = self.content(place.path) if content is None and place.exists else content
        if content is None or depth >= DEEPEST:
            if not ours and " -m " not in plain.target:
                doubts.append(Gap(f"{path} is not read", call=plain.call, span=plain.span))
            return
        reading = read_text(content, _declared(content, path, language), self.home, call, file=path)
        made, gaps = self.state(reading, plain, call, depth + 1)
        stated = [_perhaps(one, self.home) for one in made if one.kind != "run" or one.code != "script"]
        if ours:
            found += stated
        elif reading.doubts or gaps:
            found += stated
            why = next(iter(reading.doubts), "") or gaps[0].why
            doubts.append(Gap(f"{path} is not fully read: {why}", call=plain.call, span=plain.span))
        else:
            doubts[:] = [gap for gap in doubts if not (gap.about == "script" and gap.call == plain.call)]
            found += [replace(one, arguments={**(one.arguments or {}), FROM_FILE: path}) for one in made]
            found += self.shadows(reading, plain, call, (place.path.rpartition("/")[0] or "/",), language)

    def content(self, path: str) -> str | None:
        """The text of a file that is short enough; None for any other."""
        self.files += 1
        if self.files > MOST_FILES or self.left < 0:
            return None
        try:
            content = self.world.read(path, LONGEST_FILE)
        except (AssentError, OSError):
            return None
        if content is None or b"\0" in content[:4_096]:
            return None
        self.left -= len(content) // 4 + EACH
        return content.decode("utf-8", "replace")

    # --- from readings to effects -------------------------------------------------------------------------------------

    def state(self, reading: Reading, plain: Effect, call: Call, depth: int) -> tuple[list[Effect], list[Gap]]:
        """The effects of a reading, as those of the call that runs it."""
        found: list[Effect] = []
        gaps: list[Gap] = []
        for effect in reading.effects:
            found += self.placed(effect, plain, call)
        for started in reading.started:
            made, doubts = self.started(started, plain, call, depth)
            found += made
            gaps += doubts
        if not call.cwds and any(effect.kind in ON_DISK and effect.target[:1] != "/" for effect in reading.effects):
            gaps.append(Gap("its folder is not known", call=plain.call))
        return found, gaps

    def placed(self, effect: Effect, plain: Effect, call: Call) -> list[Effect]:
        """An effect of code as one of the call that runs it, seen from each folder that may be in."""
        made = replace(effect, call=plain.call, span=plain.span)
        if effect.kind in ("reach", "send"):
            from assent import urls

            at = urls.parse(effect.target)
            inner = [replace(made, kind="reach", target=one.text, at=one) for one in urls.embedded(at)]
            return [replace(made, at=at), *inner]
        here = effect.target[:1] == "/" or call.cwds == (self.call.cwd,)
        if effect.kind not in ON_DISK or here or not call.cwds:
            return [made]
        return [replace(made, target=_within(cwd, effect.target)) for cwd in call.cwds]

    def started(self, command: Started, plain: Effect, call: Call, depth: int) -> tuple[list[Effect], list[Gap]]:
        """What a command does that code starts, read as if it stood on the line."""
        key = (command.text or repr(command.words), command.cwd)
        if key in self.texts or depth > DEEPEST or len(self.texts) >= MOST_TEXTS:
            return [], [] if key in self.texts else [Gap("it starts too many commands", call=plain.call)]
        self.texts.add(key)
        from assent.commands.facts import facts_of
        from assent.shell.calls import SHELLS as FOLLOWED
        from assent.shell.calls import calls_of

        cwds = tuple(_within(cwd, command.cwd) for cwd in call.cwds) if command.cwd else call.cwds
        if not command.text and not command.words:
            return [], []
        text = command.text or _line_of(command)
        if len(text) > LONGEST_SHELL:
            return [], [Gap("a command is too long to be read", call=plain.call)]
        if text:
            shell = command.shell if command.shell in FOLLOWED else "bash"
            read = calls_of(text, cwds[0] if len(cwds) == 1 else "", self.home, shell, self.budget)
            calls, gaps = read.calls, list(read.gaps)
        else:
            calls, gaps = (Call(command.words, cwds=cwds),), []
        if command.fed is not None and (command.text or not text):
            gaps.append(Gap("what it hands to a command is not followed", call=plain.call))
        self.inside += calls
        effects, doubts = facts_of(calls, ELSEWHERE, self.budget)
        if self.budget.spent:
            gaps.append(Gap(self.budget.why, call=plain.call))
        effects, gaps = self.expand(effects, [*gaps, *doubts], calls, depth)
        number, span = plain.call, plain.span
        made = [replace(one, call=number, span=span) for one in effects if one.kind != "note" or one.code]
        return made, [replace(gap, call=number, span=span) for gap in gaps]

    def suspect(self, reading: Reading, plain: Effect, call: Call) -> list[Effect]:
        """What texts in code that is not understood may mean: paths, addresses, commands. None of it is certain."""
        from assent.commands.closed import closed_by, names_programs
        from assent.shell.scan import found_in

        found: list[Effect] = []
        texts: list[str] = []
        used = {effect.target for effect in reading.effects}
        for text in list(reading.spelled)[:MOST_SPELLED]:
            for path in _paths_in(text, self.home):
                if path not in used and text not in used:
                    for kind in ("read", "write"):
                        found += self.placed(Effect(kind, path, possible=True, mentioned=True), plain, call)
            if "://" in text and not any(sign.isspace() for sign in text.strip()):
                found += self.placed(Effect("reach", text.strip(), possible=True, mentioned=True), plain, call)
            elif " " in text.strip() and len(texts) < MOST_TEXTS and names_programs(text):
                texts.append(text)
        if texts:
            commands, opened = found_in("\n".join(texts))
            commands += [("cat" if sign == "<" else "tee", name) for sign, name in opened]
            base = call.cwds[0] if call.cwds else ""
            closed = closed_by(commands, base, self.home, self.budget)
            found += [replace(one, call=plain.call, span=plain.span) for one in closed]
            self.inside += [Call(tuple([Word(word, word) for word in words]), cwds=call.cwds) for words in commands]
        return [*{(one.kind, one.target, one.code, one.deep, one.only): one for one in found}.values()]


ON_DISK = frozenset({"read", "list", "search", "write", "delete"})


def _makes_module(effect: Effect) -> bool:
    """Whether a write may put something where Python looks for its own modules first."""
    if effect.kind != "write" or (effect.code == "mode" and not effect.deep):
        return False
    from assent.languages.python import LIBRARY

    origins = (effect.arguments or {}).get("from", ()) if effect.code == "copied" else ()
    paths = (effect.target, *(origins if isinstance(origins, tuple) else ()))
    if effect.deep and not origins:
        return True
    for path in paths:
        *folders, last = path.split("/")
        named = not LIBRARY.isdisjoint([last.partition(".")[0], *folders])
        if named and (effect.deep or last.endswith((".py", ".pyc", ".so", ".pyd", ".pth"))):
            return True
    return any(str(path).endswith(("/.", "*", "/", "..")) for path in paths[1:])


def _opaque(plain: Effect, why: str) -> Gap:
    return Gap(why, call=plain.call, span=plain.span, about="inline")


def _belong(plain: Effect, doubts: list[Gap]) -> None:
    """That a file is no program we know does not matter where it is the project's own."""
    doubts[:] = [
        replace(gap, about="project") if gap.about == "script" and gap.call == plain.call else gap for gap in doubts
    ]


def _perhaps(effect: Effect, home: str) -> Effect:
    """What a script does is not certain to happen. What cannot be undone, must not be reached or takes in all of home
    counts anyway."""
    private = isinstance(effect.at, Url) and effect.at.local in ("metadata", "link-local")
    whole = effect.deep and effect.kind in ("read", "search") and bool(home) and is_within(home, effect.target)
    return effect if effect.code.endswith(STOPS) or private or whole else replace(effect, possible=True, mentioned=True)


def _within(cwd: str, path: str) -> str:
    return path if path[:1] == "/" else cwd if path in ("", ".") else f"{cwd.rstrip('/')}/{path}"


STDIN_NAMES = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"})
END = "END_OF_WHAT_IS_FED"
RESERVED = frozenset("if then else elif fi for while until do done case esac function select time coproc in".split())
PLAIN_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=")


def _line_of(command: Started) -> str:
    """The words of a command as a shell would read them; empty where one stands for names that were found."""
    if any(word.pattern for word in command.words) or (command.fed is not None and END in command.fed):
        return ""
    first, *rest = command.words
    plain = first.value is not None and first.value.isalnum() and first.value not in RESERVED
    line = " ".join([first.text if plain else _quoted(first), *(_quoted(word) for word in rest)])
    return line if command.fed is None else f"{line} <<'{END}'\n{command.fed}\n{END}\n"


def _quoted(word: Word) -> str:
    if word.value is None:
        return '"$unknown"'
    if word.value and PLAIN_SIGNS.issuperset(word.value):
        return word.value
    return "'" + word.value.replace("'", "'\\''") + "'"


def _paths_in(text: str, home: str) -> Iterator[str]:
    """A text that is written like a path, or closed however it is written."""
    if len(text) > 1_000 or "\n" in text or "://" in text:
        return
    path = home + text[1:] if text[:2] == "~/" and home else text
    closed = protected.on_the_floor(path) or protected.is_own(path)
    if closed or (
        not any(sign.isspace() for sign in path) and path.startswith(("/", "./", "../", ".")) and len(path) > 1
    ):
        yield path


# --- where code comes from ------------------------------------------------------------------------------------------


def _source_of(effect: Effect, call: Call, calls: tuple[Call, ...]) -> tuple[str, str | None, bool]:
    """The language of code, its text if that is known, and whether it is just that; without a language, a command."""
    given = effect.arguments or {}
    if "source" in given:
        text = given["source"]
        return str(given.get("language", "")), text if isinstance(text, str) else None, True
    if effect.code == "inline" and not effect.target.endswith(" code"):
        return "", effect.target, True
    language = effect.target.removesuffix(" code")
    if effect.code == "inline":
        return language, None, False
    from assent.commands.inputs import input_text

    text = input_text(call)
    if text is not None:
        return language, text, True
    if call.reads_from >= 0 and call.feeders == 1:
        text, exact = printed(calls[call.reads_from])
        return language, text, exact
    return language, None, False


def printed(call: Call) -> tuple[str | None, bool]:
    """What `echo`, `printf` or `cat` with a heredoc prints, and whether it is exactly that."""
    from assent.commands.inputs import input_text

    name, *words = [word.value for word in call.words] or [None]
    if name == "cat" and not words:
        return input_text(call), True
    if name not in ("echo", "printf") or not words or any(word is None for word in words):
        return None, False
    texts = [word for word in words if word is not None]
    options = name == "echo" and texts[0] in ("-n", "-e", "-ne", "-en", "-E")
    text = " ".join(texts[1:] if options else texts)
    exact = "\\" not in text and "%" not in text and texts[0][:1] != "-" and (name == "echo" or len(texts) == 1)
    return text.replace("\\n", "\n").replace('\\"', '"'), exact


def _file_read(effect: Effect, call: Call, calls: tuple[Call, ...]) -> str:
    """The file that an interpreter reads its code from: `python3 < a.py`, `cat a.py | python3`."""
    if effect.code != "stdin":
        return ""
    opened = [one for one in call.redirects if one.op == "<" and one.fd in (None, 0)]
    target = opened[-1].target if opened else None
    if target is None and call.reads_from >= 0 and call.feeders == 1:
        words = calls[call.reads_from].words
        target = words[1] if len(words) == 2 and words[0].value == "cat" else None
    if target is None or not target.value or target.value == "-":
        return ""
    return _within(call.cwds[0], target.value) if len(call.cwds) == 1 else ""


def _written(path: str, calls: tuple[Call, ...], number: int) -> str | None:
    """The text that an earlier part of the line puts into a file, if that is known."""
    for call in reversed(calls[: number - 1]):
        for redirect in call.redirects:
            target = redirect.target.value if redirect.target is not None and redirect.op[0] == ">" else None
            if target and any(_is_same(path, target, cwd) for cwd in call.cwds or ("",)):
                return printed(call)[0]
        words = [word.value for word in call.words]
        if words[:1] == ["tee"] and any(_is_same(path, word, cwd) for word in words[1:] if word for cwd in call.cwds):
            from assent.commands.inputs import input_text

            text = input_text(call)
            return text if text is not None or call.reads_from < 0 else printed(calls[call.reads_from])[0]
    return None


def _is_same(path: str, written: str, cwd: str) -> bool:
    from assent.resolve import normalise

    here = cwd or "/"
    return normalise(_within(here, path)) == normalise(_within(here, written))


def _module_files(target: str, call: Call) -> tuple[str, ...]:
    name = target.partition(" -m ")[2].replace(".", "/")
    return tuple(_within(cwd, f"{name}{rest}") for cwd in call.cwds for rest in (".py", "/__main__.py"))


def _language_of(call: Call) -> str:
    """The interpreter that a call is one of, by its own name; empty for a file that is called itself."""
    name = call.program or ""
    short = name[name.rfind("/") + 1 :]
    known = short.startswith(PYTHONS) or short in READ_BY_NAME
    return "" if "/" in name and not (known or name.startswith(("/usr/", "/bin/"))) else short


def _declared(content: str, path: str, language: str) -> str:
    """What reads a file: the program that is given it, what its first line names, or what its ending says."""
    if language.startswith(PYTHONS) or language in SHELLS or language in READ_BY_NAME:
        return language
    if content[:2] == "#!":
        words = content[2:].split("\n", 1)[0].split()
        names = [word.rpartition("/")[2] for word in words if word[:1] != "-" and "=" not in word]
        return next((name for name in names if name != "env"), "")
    if language in (".", "source", "") and "." not in path.rpartition("/")[2]:
        return "bash"
    return ENDINGS.get(path.rpartition(".")[2].lower(), "bash" if language in (".", "source") else "")


READ_BY_NAME = frozenset("node nodejs perl ruby php lua luajit julia Rscript groovy tclsh elixir".split())


SWITCHES = frozenset("nplaeEw01234567")
WRITTEN_BACK = ("-i", "-pi", "-i.bak", "-pi.bak")


def _arguments(call: Call, code: str) -> tuple[str | None, ...]:
    """What a program finds in its `argv`: the words behind its code, None for each that is not known; else nothing."""
    for at, word in enumerate(call.words):
        if word.value is not None and (word.value in (code, "-") or code.endswith(f"/{word.value}")):
            rest = call.words[at + 1 :]
            if any(other.many for other in rest):
                return ()
            return (word.value, *(other.value for other in rest))
    return ()


def _opens_plainly(call: Call) -> bool:
    """Whether the words of perl are simple switches and names of files: `perl -ne CODE 'ls |'` starts a program."""
    coded = False
    for word in call.words[1:]:
        text = word.value
        if text is None:
            return False
        if coded:
            coded = False
        elif text[:1] == "-":
            if text not in WRITTEN_BACK and not SWITCHES.issuperset(text[1:]):
                return False
            coded = text[-1] in "eE"
        elif text.strip()[:1] in ("<", ">", "|", "+") or text.strip()[-1:] == "|":
            return False
    return True


def _is_isolated(call: Call) -> bool:
    """`python3 -I` and `-P` load nothing from the folder they run in."""
    return any((word.value or "") in ("-I", "-P", "-IS", "-SI", "-Ic", "-Pc", "-I-") for word in call.words[1:3])


# --- readers --------------------------------------------------------------------------------------------------------


def read_text(
    text: str, language: str, home: str, call: Call, *, exact: bool = True, cookie: bool = True, file: str = ""
) -> Reading:
    """What is found in a text of a language."""
    from assent.languages.reading import Reading, Started

    short = language.partition(" ")[0]
    if short in SHELLS or short in (".", "source"):
        reading = Reading()
        reading.start(Started(text, shell=short))
        return reading
    if short.startswith(PYTHONS) or short == "ipython":
        from assent.languages.python import read_python

        cwd = call.cwds[0] if len(call.cwds) == 1 else ""
        argv = _arguments(call, file or text)
        reading = read_python(text, home=home, cwd=cwd, argv=argv, file=file, cookie=cookie)
        if short in ("python2", "python2.7", "ipython", "pypy") or short != language:
            reading.doubt(f"{language} may read it in another way")
    else:
        from assent.languages.literals import read_literals
        from assent.languages.plain import read_plain

        reading = (None if file else read_plain(text, short)) or read_literals(text, short, home=home)
    if not exact:
        reading.doubt("what is printed for it is not known exactly")
    return reading
