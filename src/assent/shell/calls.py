"""Every program a script could start, in order: branches taken all, loops over known words unrolled, folders followed.

Knows the shell's own commands (`cd`, `export`, `eval` …), no other program. What it cannot follow is a gap.
"""

from __future__ import annotations

from assent import types
from assent.record import record, replace
from assent.shell.builtins import OF_THE_SHELL, changes_shell, names_read
from assent.shell.compounds import ARITHMETIC_TESTS
from assent.shell.dialects import differs
from assent.shell.expand import expand, without_braces
from assent.shell.grammar import parse
from assent.shell.redirects import TWICE
from assent.shell.state import State, all_of, folder_after, is_risky_variable
from assent.shell.tree import Compound, Simple
from assent.shell.walk import heredoc_parts, words_of
from assent.shell.wrappers import found_commands, inner_of
from assent.types import Call, Gap, Redirection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Node, Pipeline, Redirect, Script, Sequence

MAX_CALLS = 2_000
MAX_ROUNDS = 20
MAX_NESTING = 20
MAX_REPEATS = 3

SPECIAL = frozenset(": . break continue eval exec exit export readonly return set shift times trap unset".split())
RUNS_TEXT = frozenset({"eval"})
SHELLS = frozenset("bash sh dash ksh zsh".split())


@record
class Calls:
    """What a text could start, and what is not understood about that."""

    calls: tuple[Call, ...] = ()
    gaps: tuple[Gap, ...] = ()


def calls_of(text: str, cwd: str = "", home: str = "", shell: str = "bash") -> Calls:
    """Read a text and follow it. A refused text has no calls and one blind gap that names the construct."""
    script = parse(text)
    strange = differs(script, shell)
    if strange:
        return Calls(gaps=(Gap(strange, blind=True),))
    if script.refused:
        at = types.Span(script.at, min(script.at + 1, len(text)))
        return Calls(gaps=(Gap(f"{script.refused}", blind=True, span=at),))
    walker = Walker(home, shell)
    try:
        known = {"HOME": types.Word("$HOME", home)} if home else {}
        walker.script(script, State((cwd,) if cwd else (), known), ())
    except RecursionError:
        walker.gap("nested too deeply", types.Span(0, len(text)))
    return Calls(tuple(walker.calls), tuple(dict.fromkeys(walker.gaps)))


class Walker:
    """Follows a script through every branch with what is known so far."""

    def __init__(self, home: str, shell: str = "bash") -> None:
        self.home = home
        self.shell = shell
        self.calls: list[Call] = []
        self.gaps: list[Gap] = []
        self.functions: set[str] = set()

    def gap(self, why: str, span: types.Span | None) -> None:
        self.gaps.append(Gap(why, blind=True, span=span))

    # --- sequences -------------------------------------------------------------------------------------------------

    def script(self, script: Script, state: State, via: tuple[str, ...]) -> State:
        return self.sequence(script.body, state, via) if script.body is not None else state

    def sequence(self, body: Sequence, state: State, via: tuple[str, ...]) -> State:
        """Pipelines one after the other; a chain of `&&` and `||` may stop at any of its links."""
        stops: list[State] = []
        for pipeline, operator in body.items:
            before = state
            after = self.pipeline(pipeline, state, via)
            failed = after if _cannot_fail(pipeline) else after.or_else(before)
            if operator == "&&":
                stops.append(failed)
                state = after
            elif operator == "||":
                stops.append(after)
                state = failed
            else:
                state = all_of([before if operator == "&" else failed, *stops])
                stops = []
        return state

    def pipeline(self, pipeline: Pipeline, state: State, via: tuple[str, ...]) -> State:
        if len(pipeline.commands) == 1:
            return self.node(pipeline.commands[0], state, via)
        feeding, width, after = -1, 1, state
        for command in pipeline.commands:
            first = len(self.calls)
            after = self.node(command, state, via)
            if feeding >= 0:
                self.calls[first:] = [
                    replace(call, reads_from=feeding, feeders=width) if call.reads_from < 0 else call
                    for call in self.calls[first:]
                ]
            feeding, width = len(self.calls) - 1, len(self.calls) - first
        # zsh runs the last command of a pipe in the shell itself, bash with `lastpipe` too (`shopt` is a gap).
        return after.or_else(state) if self.shell == "zsh" else state

    def node(self, node: Node, state: State, via: tuple[str, ...]) -> State:
        if len(self.calls) > MAX_CALLS:
            self.gap(f"more than {MAX_CALLS} programs", node.span)
            return state
        self.substitutions(node, state, via)
        return self.simple(node, state, via) if isinstance(node, Simple) else self.compound(node, state, via)

    def substitutions(self, node: Node, state: State, via: tuple[str, ...]) -> None:
        """What runs while words are expanded; it cannot change the state of the shell around it."""
        parts = [part for word in words_of(node) for part in word.parts]
        parts += [part for redirect in node.redirects for part in heredoc_parts(redirect)]
        for part in parts:
            if part.kind == "arithmetic" and _has_name(part.text):
                self.gap("arithmetic with variables", node.span)
            if part.kind == "parameter" and part.text.rstrip(":=").isidentifier() and part.text.endswith("="):
                self.gap("assignment inside ${…}", node.span)
            for inner in part.inner:
                self.script(inner, state, (*via, "$( )"))

    # --- compounds -------------------------------------------------------------------------------------------------

    def compound(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        self.redirects(node.redirects, state, via, node)
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
            case "for" | "select":
                return self.loop(node, state, via)
            case _:
                return self.branches(node, state, via)

    def branches(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        """All bodies, each after any of the others; loops twice, so that what they change is seen at their start."""
        if node.kind == "condition" and not ARITHMETIC_TESTS.isdisjoint(node.operators):
            self.gap("arithmetic comparison in [[", node.span)
        if node.kind in ("while", "until", "arithmetic for"):
            return self.repeated(node, state, via)
        after = state
        for body in node.bodies:
            after = self.sequence(body, after.or_else(state), via).or_else(after)
        return after

    def repeated(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        """Bodies that run any number of times: again until nothing new is learned, at last with nothing known."""
        before = state
        for _ in range(MAX_REPEATS):
            after = before
            for body in node.bodies:
                after = self.sequence(body, after, via).or_else(after)
            merged = before.or_else(after)
            if merged == before:
                return merged
            before = merged
        before = before.forgetting().somewhere()
        for body in node.bodies:
            self.sequence(body, before, via)
        return before

    def loop(self, node: Compound, state: State, via: tuple[str, ...]) -> State:
        """Once for each word of its list, when the list is known; else any number of times with an unknown variable."""
        words = [found for word in node.words for found in expand(word, state.variables, self.home)]
        certain = (
            bool(words) and len(words) <= MAX_ROUNDS and all(word.value is not None or word.pattern for word in words)
        )
        if is_risky_variable(node.name):
            self.gap(f"variable {node.name} is changed", node.span)
        after = state
        if not certain or node.kind != "for":
            return self.repeated(node, state.knowing(node.name, None), via)
        for word in words:
            inside = after.or_else(state).knowing(node.name, word)
            after = self.sequence(node.bodies[0], inside, via).or_else(after)
        return after.knowing(node.name, None)

    # --- simple commands -------------------------------------------------------------------------------------------

    def simple(self, node: Simple, state: State, via: tuple[str, ...]) -> State:
        words = tuple([found for word in node.words for found in expand(word, state.variables, self.home)])
        assignments = tuple(self.assigned(node, state)) if node.assignments else ()
        if not words:
            self.redirects(node.redirects, state, via, node)
            return self.assigning(assignments, state, node)
        redirects = tuple([self.redirection(redirect, state) for redirect in node.redirects])
        call = Call(words, assignments, redirects, state.cwds, -1, via, node.span)
        self.calls.append(call)
        if assignments and call.program in SPECIAL:
            for name, _ in assignments:  # sh keeps what stands before these, bash does not
                state = state.knowing(name, None)
        return self.builtin(call, state, via)

    def assigned(self, node: Simple, state: State) -> list[tuple[str, types.Word]]:
        """What each assignment of a command sets, from left to right: the second already sees the first."""
        found: list[tuple[str, types.Word]] = []
        for assignment in node.assignments:
            name, bracket, _ = assignment.name.partition("[")
            if assignment.value is None or assignment.append or bracket:
                value = types.Word(name, None, "array or appended value", span=assignment.span)
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
        if redirects:
            made = tuple(self.redirection(redirect, state) for redirect in redirects)
            self.calls.append(Call((), (), made, state.cwds, -1, via, node.span))

    def redirection(self, redirect: Redirect, state: State) -> Redirection:
        if redirect.heredoc is not None:
            heredoc = redirect.heredoc
            expands = any(part.kind != "text" for part in heredoc.parts)
            return Redirection(redirect.op, redirect.fd, None, None if expands else heredoc.body, redirect.span)
        words = expand(redirect.target, state.variables, self.home) if redirect.target is not None else ()
        target = words[0] if len(words) == 1 else None
        if target is None or (target.value is None and redirect.op != "<<<"):
            self.gap("target of a redirect", redirect.span)
        elif redirect.op == ">&" and any(sign in (target.value or "") for sign in TWICE):
            self.gap(">& to a name that bash expands twice", redirect.span)
        if redirect.op == "<<<":
            body = target.value + "\n" if target is not None and target.value is not None else None
            return Redirection(redirect.op, redirect.fd, None, body, redirect.span)
        return Redirection(redirect.op, redirect.fd, target, None, redirect.span)

    # --- the shell's own commands ----------------------------------------------------------------------------------

    def builtin(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        program = call.program
        if program is None:
            self.gap(f"the program is not known: {call.words[0].why or call.words[0].text}", call.span)
            return state
        if program == "cd":
            return self.change_folder(call, state)
        if program == "command":
            return self.looked_up(call, state, via)
        if program in SHELLS and (len(call.words) == 1 or call.words[1].value in ("-s", "-")):
            return self.run_input(call, state, via)
        if program in RUNS_TEXT or (program in SHELLS and len(call.words) > 1):
            return self.run_text(call, state, via)
        if program in OF_THE_SHELL:
            for name in names_read(call):
                state = state.knowing(name, None)
                if is_risky_variable(name):
                    self.gap(f"variable {name} is changed", call.span)
            why = changes_shell(call)
            if why:
                self.gap(why, call.span)
                return state.forgetting()
        if program in self.functions:
            self.gap(f"{program} is a function", call.span)
        self.inside(call, state, via)
        return state

    def inside(self, call: Call, state: State, via: tuple[str, ...]) -> None:
        """The commands that a wrapper starts are calls of their own."""
        first = inner_of(call)
        for inner in ([first] if first is not None else []) + found_commands(call):
            around = (*via, str(call.program))
            if inner.trouble or len(via) >= MAX_NESTING:
                self.gap(inner.trouble or "wrappers inside wrappers", call.span)
            elif inner.text is not None:
                self.text(inner.text, call, state, around)
            elif inner.words:
                cwds = tuple(folder_after(cwd, inner.cwd) for cwd in call.cwds) if inner.cwd else call.cwds
                made = replace(
                    call, words=inner.words, assignments=inner.assignments, redirects=(), cwds=cwds, via=around
                )
                self.calls.append(made)
                self.builtin(made, replace(state, cwds=cwds), around)

    def looked_up(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        """`command PROGRAM …` runs it past functions; `command -v` only asks where it is."""
        values = [word.value for word in call.words[1:]]
        if not values or values[0] in ("-v", "-V"):
            return state
        skipped = 1 + sum(value in ("-p", "--") for value in values[:2])
        inner = replace(call, words=call.words[skipped:], via=(*via, "command"))
        if not inner.words or (inner.program or "-").startswith("-"):
            self.gap("option of command", call.span)
            return state
        self.calls.append(inner)
        return self.builtin(inner, state, inner.via)

    def change_folder(self, call: Call, state: State) -> State:
        operands = [word for word in call.words[1:] if word.value not in ("--", "-P", "-L")]
        target = operands[0].value if len(operands) == 1 else self.home if not operands else None
        if target is None or (target.startswith("-") and target != "-") or target == "-":
            self.gap("folder of cd", call.span)
            return state.somewhere()
        return state.at(tuple(folder_after(cwd, target) for cwd in state.cwds))

    def run_text(self, call: Call, state: State, via: tuple[str, ...]) -> State:
        """`eval WORDS` and `bash -c TEXT`: the text is a script of its own."""
        words = [word.value for word in call.words[1:]]
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
        bodies = [redirect.body for redirect in call.redirects if redirect.op in ("<<", "<<-", "<<<")]
        if not bodies or bodies[-1] is None:
            self.gap(f"text that {call.program} reads", call.span)
        else:
            self.text(bodies[-1], call, state.forgetting(), (*via, str(call.program)))
        return state

    def reader(self, call: Call) -> str:
        """The shell that reads a text which a call hands on: itself, the one around it for `eval`, else sh."""
        name = (call.program or "").rpartition("/")[2]
        return self.shell if name == "eval" else name if name in SHELLS else "sh"

    def text(self, text: str, call: Call, state: State, via: tuple[str, ...]) -> State:
        """A text that another shell reads: a script of its own."""
        script = parse(text)
        strange = script.refused or differs(script, self.reader(call))
        if strange:
            self.gap(f"{strange} (inside {call.program})", call.span)
            return state.forgetting()
        return self.script(script, state, via)


def _cannot_fail(pipeline: Pipeline) -> bool:
    return all(isinstance(command, Simple) and not command.words for command in pipeline.commands)


def _has_name(text: str) -> bool:
    """Whether arithmetic reads a variable, whose value bash would evaluate as an expression too."""
    return any(sign.isalpha() or sign == "_" for sign in text)
