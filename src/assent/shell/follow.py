"""Follows a script: branches taken all, loops over known words unrolled, folders and variables remembered.

Knows the shell's own commands (`cd`, `export`, `eval` …), no other program. What it cannot follow is a gap.
"""

from __future__ import annotations

from assent import types
from assent.budget import FOLLOWING, Budget
from assent.listening import copies_input, is_opened, may_read_input
from assent.record import maker, once, replace
from assent.shell.builtins import (
    OF_THE_SHELL,
    activated_by,
    aliases_of,
    changes_shell,
    line_read,
    names_read,
    starts_plainly,
)
from assent.shell.calls import SHELLS, Calls, new_calls
from assent.shell.dialects import differs, shell_of
from assent.shell.expand import body_word, expand, without_braces
from assent.shell.loops import counted, loop, repeated
from assent.shell.operands import evaluates
from assent.shell.state import State, folder_after, is_risky_variable, linked, state_at
from assent.shell.tree import Compound, Simple
from assent.shell.walk import (
    cannot_fail,
    compares_numbers,
    doubts_in,
    heredoc_parts,
    is_all_text,
    is_expanded_twice,
    is_one_name,
    is_pipe,
    substitutions,
    words_of,
)
from assent.shell.wrappers import STARTERS, started_by
from assent.types import Call, Gap, Redirection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from assent.shell.plain import Plain
    from assent.shell.state import Stops
    from assent.shell.tree import Node, Pipeline, Redirect, Script, Sequence

new_call = maker(Call)
NONE = (0, 0)
CALL_STEPS = 8
MAX_NESTING = 20

SPECIAL = frozenset(": . break continue eval exec exit export readonly return set shift times trap unset".split())
RUNS_TEXT = frozenset({"eval"})
LEAVES_LOOP = frozenset({"break", "continue"})
MEANS_MORE = OF_THE_SHELL | SHELLS | RUNS_TEXT | LEAVES_LOOP | {"cd", "command"}
MERGED = Redirection(">&", 2, types.Word("1", "1"))
"""What `|&` adds to the command before it."""
ACTIVE = types.ACTIVE
FOLDERLESS = frozenset({"exit", "return", "true", ":"})


def followed(text: str, plain: Plain | None, cwd: str, home: str, shell: str, budget: Budget) -> Calls:
    """The calls of a text; of one that is known as plain calls already, whatever these start themselves."""
    start = state_at(cwd, home)
    walker = Walker(home, shell, budget)
    script = parse(text, budget) if plain is None else None
    strange = differs(script, shell) if script is not None else ""
    if strange:
        return Calls(gaps=(Gap(strange, blind=True),))
    if script is not None and script.refused:
        walker.gap(script.refused, types.Span(script.at, min(script.at + 1, len(text))))
    try:
        if script is not None:
            walker.script(script, start, ())
        elif plain is not None:
            walker.plain(plain, start)
    except RecursionError:
        walker.gap("nested too deeply", types.Span(0, len(text)))
    return walker.found()


class Walker:
    """Follows a script through every branch with what is known so far."""

    def __init__(self, home: str, shell: str, budget: Budget) -> None:
        self.home = home
        self.shell = shell
        self.budget = budget
        self.calls: list[Call] = []
        self.gaps: list[Gap] = []
        self.functions: set[str] = set()
        self.aliases: set[str] = set()
        self.rounds = 0
        """Loops around what is followed: what stands before a command there may also run after it."""
        self.fed = 0
        """Compounds around it that open a file or text for everything inside to read."""
        self.lost: list[tuple[int, types.Span | None]] = []
        self.activated: list[tuple[int, str]] = []
        """How many calls there were when an environment became active, and where its programs lie."""
        self.left: list[State] = []
        """What was known at each `break` and `continue` of the loops around."""
        self.elsewhere: set[int] = set()
        """Calls, by their place, inside a compound that opens their input anew: no pipe before it reaches them."""

    def settle(self) -> None:
        """What only matters for the calls behind it: a folder that is not known, an environment that is active."""
        if self.lost:
            minding = [at for at, call in enumerate(self.calls) if call.program not in FOLDERLESS or call.redirects]
            for number, span in self.lost:
                if minding and minding[-1] >= number:
                    self.gap("folder of cd", span)
        around: dict[str, None] = {}
        for at, (number, folder) in enumerate(self.activated):
            around = {f"{ACTIVE}{folder}": None, **around}  # the last one is looked at first
            end = self.activated[at + 1][0] if at + 1 < len(self.activated) else len(self.calls)
            self.calls[number:end] = [replace(call, via=(*around, *call.via)) for call in self.calls[number:end]]

    def found(self) -> Calls:
        self.settle()
        return new_calls(tuple(self.calls), tuple(dict.fromkeys(self.gaps)) if self.gaps else ())

    def gap(self, why: str, span: types.Span | None) -> None:
        self.gaps.append(Gap(why, blind=True, span=span))

    # --- sequences -------------------------------------------------------------------------------------------------

    def script(self, script: Script, state: State, via: tuple[str, ...]) -> State:
        body = script.body or script.begun
        return self.sequence(body, state, via) if body is not None else state

    def sequence(self, body: Sequence, state: State, via: tuple[str, ...]) -> State:
        """Pipelines one after the other; a chain of `&&` and `||` may stop at any of its links."""
        stops: Stops = []
        first = state
        for pipeline, operator in body.items:
            first = first if stops else state
            after = self.pipeline(pipeline, state, via)
            failed = after if after is state or cannot_fail(pipeline) else after.or_else(state)
            after = failed if pipeline.negated else after
            state = linked(first, after, failed, operator, stops)
        return state

    def plain(self, items: Plain, state: State) -> None:
        """As `sequence` and `pipeline`, for calls in which nothing is expanded."""
        stops: Stops = []
        feeding, width, reads, begun = -1, 1, True, state
        for item, operator in items:
            begun = begun if stops else state
            first = len(self.calls)
            known = item.reads_from < 0 and item.cwds == state.cwds
            call = item if known else replace(item, cwds=state.cwds, reads_from=-1)
            self.calls.append(call)
            after = self.builtin(call, state, ())
            if feeding >= 0:
                self.feed(first, feeding, width)
            reads = reads and call.words[0].text == "read" and not call.redirects
            if operator == "|":
                feeding, width = len(self.calls) - 1, len(self.calls) - first
                continue
            after = after if feeding < 0 else state
            failed = after if after is state or reads else after.or_else(state)
            state = linked(begun, after, failed, operator, stops)
            feeding, width, reads = -1, 1, True

    def pipeline(self, pipeline: Pipeline, state: State, via: tuple[str, ...]) -> State:
        if len(pipeline.commands) == 1:
            return self.node(pipeline.commands[0], state, via)
        feeding, width, after = -1, 1, state
        for place, command in enumerate(pipeline.commands):
            first = len(self.calls)
            after = self.node(command, state, via)
            if place < len(pipeline.merged) and pipeline.merged[place]:
                self.calls[first:] = [replace(call, redirects=(*call.redirects, MERGED)) for call in self.calls[first:]]
            if feeding >= 0:
                self.feed(first, feeding, width)
            feeding, width = len(self.calls) - 1, len(self.calls) - first
        # zsh and ksh, which sh may be, run the last command of a pipe in the shell itself; bash with `lastpipe`, a gap.
        return state if self.shell in ("bash", "dash") else after.or_else(state)

    def node(self, node: Node, state: State, via: tuple[str, ...]) -> State:
        if not self.budget.take(CALL_STEPS, FOLLOWING):
            return state
        first = len(self.calls)
        self.substitutions(node, state, via)
        start = len(self.calls)
        inner = (first, start) if start > first else NONE
        after = self.simple(node, state, via, inner) if isinstance(node, Simple) else self.compound(node, state, via)
        if node.redirects and any(map(is_pipe, node.redirects)):
            if sum(map(substitutions, node.redirects)) != 1:
                self.gap("several substitutions in redirects", node.span)
            if start > first:
                self.feed(start, start - 1, start - first)
        return after

    def feed(self, start: int, feeding: int, width: int) -> None:
        """Every call from a place on that reads from nothing else reads what the calls before it write."""
        self.calls[start:] = [
            replace(call, reads_from=feeding, feeders=width)
            if call.reads_from < 0 and place not in self.elsewhere
            else call
            for place, call in enumerate(self.calls[start:], start)
        ]

    def substitutions(self, node: Node, state: State, via: tuple[str, ...]) -> None:
        """What runs while words are expanded; it cannot change the state of the shell around it."""
        if is_all_text(node):
            return
        parts = [part for word in words_of(node) for part in word.parts]
        parts += [part for redirect in node.redirects for part in heredoc_parts(redirect)]
        inside = self.assigned_before(node, state)
        for part in parts:
            place = ">( )" if part.kind == "process" and part.text[0] == ">" else "$( )"
            for inner in part.inner:
                self.script(inner, inside, (*via, place))
        for why in doubts_in(parts, state.variables):
            self.gap(why, node.span)

    def assigned_before(self, node: Node, state: State) -> State:
        """What is known where a part of a command is expanded, in which others may have been assigned before it."""
        if isinstance(node, Simple) and (len(node.assignments) > 1 or not node.words):
            several = len(node.assignments) > 1 or bool(node.redirects)
            for assignment in node.assignments if several else ():
                state = state.knowing(assignment.name.partition("[")[0], None)
        return state

    # --- compounds -------------------------------------------------------------------------------------------------

    def compound(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        self.redirects(node.redirects, state, via, node)
        inputs = [one for one in node.redirects if one.fd == 0 or (one.fd is None and one.op[0] == "<")]
        changed = any(not is_pipe(one) for one in inputs)
        opened = changed and is_opened(self.calls[-1].redirects)
        self.fed += changed
        first = len(self.calls)
        after = self.bodies(node, state, via)
        if node.redirects:
            self.calls[first - 1] = replace(self.calls[first - 1], inner=(first, len(self.calls)))
        self.fed -= changed
        if opened:
            self.elsewhere.update(range(first, len(self.calls)))
        return after

    def bodies(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        match node.kind:
            case "subshell":
                self.sequence(node.bodies[0], state, via)
                return state
            case "group":
                return self.sequence(node.bodies[0], state, via)
            case "function":
                self.functions.add(node.name)
                self.gap(f"function {node.name} is defined", node.span)
                self.sequence(node.bodies[0], state.forgetting(), (*via, f"function {node.name}"))
                return state
            case "arithmetic":
                return counted(self, node, state)
            case "for" | "select":
                if node.kind == "select":
                    self.gap("select reads an answer", node.span)
                return loop(self, node, state, via)
            case _:
                return self.branches(node, state, via)

    def branches(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        """All bodies, each after any of the others; loops twice, so that what they change is seen at their start."""
        if node.kind == "condition" and not compares_numbers(node, state.variables):
            self.gap("arithmetic comparison in [[", node.span)
        if node.kind in ("while", "until", "arithmetic for"):
            return repeated(self, node, state, via)
        after = state
        for body in node.bodies:
            after = self.sequence(body, after.or_else(state), via).or_else(after)
        return after

    # --- simple commands -------------------------------------------------------------------------------------------

    def simple(self, node: Simple, state: State, via: tuple[str, ...], inner: tuple[int, int]) -> State:
        words = tuple([found for word in node.words for found in expand(word, state.variables, self.home)])
        assignments = tuple(self.assigned(node, state)) if node.assignments else ()
        if not words:
            self.redirects(node.redirects, self.assigned_before(node, state), via, node)
            return self.assigning(assignments, state, node)
        redirects = tuple([self.redirection(redirect, state) for redirect in node.redirects])
        call = new_call(words, assignments, redirects, state.cwds, -1, via, node.span, 1, inner)
        self.calls.append(call)
        if assignments and (call.program in SPECIAL or call.program == "command"):
            for name, _ in assignments:  # sh keeps what stands before these, bash does not
                state = state.knowing(name, None)
        return self.builtin(call, state, via)

    def assigned(self, node: Simple, state: State) -> list[tuple[str, types.Word]]:
        """What each assignment of a command sets, from left to right: the second already sees the first."""
        found: list[tuple[str, types.Word]] = []
        for assignment in node.assignments:
            name, bracket, _ = assignment.name.partition("[")
            if assignment.value is None or assignment.append or bracket:
                value = types.Word(name, None, "array or appended value")
            else:
                value = expand(without_braces(assignment.value), state.variables, self.home)[0]
            found.append((name, value))
            state = state.knowing(name, value)
        return found

    def assigning(self, assignments: tuple[tuple[str, types.Word], ...], state: State, node: Simple) -> State:
        for name, value in assignments:
            if is_risky_variable(name):
                self.gap(f"variable {name} is changed", node.span)
            state = state.knowing(name, value)
        return state

    def redirects(self, redirects: tuple[Redirect, ...], state: State, via: tuple[str, ...], node: Node) -> None:
        """Redirects without a program of their own still open files: a call without words."""
        if made := tuple(self.redirection(redirect, state) for redirect in redirects):
            self.calls.append(Call((), (), made, state.cwds, -1, via, node.span))

    def redirection(self, redirect: Redirect, state: State) -> Redirection:
        if isinstance(redirect.fd, str):
            self.gap(f"variable {redirect.fd} is changed", redirect.span)
        if redirect.heredoc is not None:
            heredoc = redirect.heredoc
            expands = any(part.kind != "text" for part in heredoc.parts)
            text = heredoc.body if heredoc.quoted else "".join([part.text for part in heredoc.parts])
            unknown = body_word(heredoc.body, heredoc.parts, state.variables) if expands else None
            return Redirection(redirect.op, redirect.fd, unknown, None if expands else text, redirect.span)
        words = expand(redirect.target, state.variables, self.home) if redirect.target is not None else ()
        target = words[0] if len(words) == 1 else None
        reads = redirect.op == "<" and target is not None and is_one_name(target)
        if target is None or (target.value is None and redirect.op != "<<<" and not (reads or is_pipe(redirect))):
            self.gap("target of a redirect", redirect.span)
        elif redirect.op == ">&" and is_expanded_twice(target.value or ""):
            self.gap(">& to a name that bash expands twice", redirect.span)
        elif copies_input(redirect.op, redirect.fd, target.value or ""):
            self.gap("standard input is opened by another name", redirect.span)
        if redirect.op == "<<<":
            body = target.value + "\n" if target is not None and target.value is not None else None
            return Redirection(redirect.op, redirect.fd, target if body is None else None, body, redirect.span)
        return Redirection(redirect.op, redirect.fd, target, None, redirect.span)

    # --- the shell's own commands ----------------------------------------------------------------------------------

    def builtin(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        program = call.program
        if program is None:
            self.gap(f"the program is not known: {call.words[0].why or call.words[0].text}", call.span)
            return state
        if program in self.aliases:
            self.gap(f"{program} is an alias", call.span)
        if self.shell != "bash" and (why := evaluates(call, self.shell)):
            self.gap(why, call.span)
        if program in MEANS_MORE:
            return self.of_the_shell(call, program, state, via)
        if program in self.functions:
            self.gap(f"{program} is a function", call.span)
        self.inside(call, state, via)
        return state

    def of_the_shell(self, call: Call, program: str, state: State, via: tuple[str, ...]) -> State:
        """What the shell does itself, and another one with a text or its input."""
        if program in LEAVES_LOOP and self.rounds:
            self.left.append(state)
        if program == "cd":
            return self.change_folder(call, state)
        if program == "command" or (program in ("exec", "builtin") and starts_plainly(call)):
            return self.looked_up(call, state, via)
        if program in SHELLS and (len(call.words) == 1 or call.words[1].value in ("-s", "-")):
            return self.run_input(call, state, via)
        if program in RUNS_TEXT or program in SHELLS:
            return self.run_text(call, state, via)
        if program in OF_THE_SHELL:
            line = line_read(call) if program == "read" and not self.fed else ""
            for name in names_read(call):
                why = f"{types.LINE}{len(self.calls) - 1}"
                state = state.knowing(name, types.Word(f"${name}", None, why) if line == name else None)
                if is_risky_variable(name):
                    self.gap(f"variable {name} is changed", call.span)
            why = changes_shell(call)
            if why:
                return self.changed(call, state, why)
        if program in self.functions:
            self.gap(f"{program} is a function", call.span)
        self.inside(call, state, via)
        return state

    def changed(self, call: Call, state: State, why: str) -> State:
        """A gap, unless all that changes is known: aliases, and the programs that an environment brings along."""
        found = aliases_of(call) if not self.rounds and self.shell == "bash" else ()
        folder = activated_by(call) if not self.rounds and call.cwds else ""
        if found:
            self.aliases.update(found)
            return state
        if not folder:
            self.gap(why, call.span)
        else:
            self.activated += [(len(self.calls), folder_after(cwd, folder)) for cwd in call.cwds]
        return state.forgetting()

    def inside(self, call: Call, state: State, via: tuple[str, ...]) -> None:
        """The commands that a wrapper starts are calls of their own."""
        program = call.program or ""
        short = program[program.rfind("/") + 1 :]
        if short not in STARTERS:
            return
        started = started_by(call, short)
        if short == "ssh" and not started and (via or self.fed):
            self.gap("a shell on another machine", call.span)
        for inner in started:
            around = (*via, program)
            if not self.budget.take(CALL_STEPS, FOLLOWING):
                return
            if inner.trouble or len(via) >= MAX_NESTING:
                self.gap(inner.trouble or "wrappers inside wrappers", call.span)
            elif inner.text is not None:
                self.text(inner.text, call, state, around)
            elif inner.words:
                cwds = tuple(folder_after(cwd, inner.cwd) for cwd in call.cwds) if inner.cwd else call.cwds
                rest = around, call.span, call.feeders, call.inner
                made = new_call(inner.words, inner.assignments, (), cwds, call.reads_from, *rest)
                self.calls.append(made)
                self.builtin(made, state if cwds == state.cwds else replace(state, cwds=cwds), around)

    def looked_up(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        """`command PROGRAM …` runs it past functions, `exec` in place of the shell; `command -v` only asks for it."""
        values = [word.value for word in call.words[1:]]
        if not values or values[0] in ("-v", "-V") or not self.budget.take(CALL_STEPS, FOLLOWING):
            return state
        skipped = 1 + sum(value in ("-p", "--") for value in values[:2])
        inner = replace(call, words=call.words[skipped:], via=(*via, str(call.program)))
        if not inner.words or (inner.program or "-").startswith("-"):
            self.gap("option of command", call.span)
            return state
        self.calls.append(inner)
        return self.builtin(inner, state, inner.via)

    def change_folder(self, call: Call, state: State) -> State:
        operands = [word for word in call.words[1:] if word.value not in ("--", "-P", "-L")]
        target = operands[0].value if len(operands) == 1 else self.home if not operands else None
        strange = any(name in ("CDPATH", "HOME", "OLDPWD") for name, _ in call.assignments)
        if strange or target is None or target.startswith("-"):
            if self.rounds:
                self.gap("folder of cd", call.span)
            self.lost.append((len(self.calls), call.span))
            return state.somewhere()
        return state.at(tuple(folder_after(cwd, target) for cwd in state.cwds))

    def run_text(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        """`eval WORDS` and `bash -c TEXT`: the text is a script of its own."""
        words = [word.value for word in call.words[1:]]
        if words in (["--version"], ["--help"]) and call.program != "eval":
            return state
        if words[:1] == ["-n"] and len(words) == 2 and words[1] and call.program in ("bash", "sh", "dash"):
            return state  # reads a file and runs nothing of it
        if call.program == "eval":
            text = " ".join(word for word in words if word is not None) if None not in words else None
        else:
            text = words[1] if words[0] in ("-c", "-lc", "-ec", "-exc", "-euc") and len(words) >= 2 else None
            if text is None and words[0] != "-c" and not any((word or "").startswith("-") for word in words):
                return state
        if text is None or len(via) >= MAX_NESTING:
            self.gap(f"text that {call.program} runs", call.span)
            return state.forgetting()
        inside = state if call.program == "eval" else state.forgetting()
        after = self.text(text, call, inside, (*via, str(call.program)))
        return after if call.program == "eval" else state

    def run_input(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        """A shell without a text of its own reads one: a heredoc that is known is followed, anything else is not."""
        opened = [redirect for redirect in call.redirects if redirect.op.startswith("<") and redirect.fd in (None, 0)]
        text = opened[-1].body if opened else None
        if text is None or any(redirect.fd == 0 for redirect in call.redirects if redirect.op.startswith(">")):
            self.gap(f"text that {call.program} reads", call.span)
        else:
            first = len(self.calls)
            self.text(text, call, state.forgetting(), (*via, str(call.program)))
            ends = bool(self.calls[first:]) and _ends(self.calls[-1], text)
            if any(map(may_read_input, self.calls[first : -1 if ends else None])):
                self.gap(f"a part of the text that {call.program} reads may be read by what it starts", call.span)
        return state

    def text(self, text: str, call: Call, state: State, via: tuple[str, ...]) -> State:
        """A text that another shell reads: a script of its own."""
        script = parse(text, self.budget)
        reader = shell_of(call, self.shell)
        strange = script.refused or differs(script, reader)
        if strange:
            self.gap(f"{strange} (inside {call.program})", call.span)
            if script.begun is None:
                return state.forgetting()
        around, self.shell = self.shell, reader
        after = self.script(script, state, via)
        self.shell = around
        return after


def _ends(call: Call, text: str) -> bool:
    """Whether nothing of a text is left behind a call."""
    return call.span is not None and call.span.end >= len(text.rstrip())


def parse(text: str, budget: Budget) -> Script:
    """The grammar is loaded by the first text that is more than plain words; hooks that start anew may meet none."""
    return _grammar()(text, budget)


@once
def _grammar() -> Callable[[str, Budget], Script]:
    from assent.shell.grammar import parse

    return parse
