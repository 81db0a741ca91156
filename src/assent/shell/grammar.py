"""Commands: lists, pipelines, redirects, heredocs and every compound command, by recursive descent."""

from __future__ import annotations

from assent.budget import Budget
from assent.record import maker
from assent.shell.compounds import CLOSES, CompoundReader
from assent.shell.redirects import MAY_REDIRECT
from assent.shell.tree import Compound, Part, Pipeline, Refused, Script, Sequence, Simple
from assent.types import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.shell.tree import Assignment, Node, Redirect, Word

new_pipeline, new_sequence, new_simple, new_span = maker(Pipeline), maker(Sequence), maker(Simple), maker(Span)
MAX_CHARACTERS = 2_000_000
COMMAND_STEPS = 3
ENDS_COMMAND = frozenset(("", "\n", ";", "&", "|", ")"))
INTERNAL = ("\x01", "\x7f")
"""bash uses these for its own purposes and reads them differently from place to place."""


def parse(text: str, budget: Budget | None = None) -> Script:
    """Read a bash text strictly. Either every command in it is found, or `refused` says which construct is not read."""
    if len(text) > MAX_CHARACTERS:
        return Script(text, refused=f"longer than {MAX_CHARACTERS} characters")
    for sign in INTERNAL:
        if sign in text:
            return Script(text, refused=f"character {sign!a}", at=text.index(sign))
    return Parser(text, budget or Budget()).whole()


class Parser(CompoundReader):
    """The grammar's spine: a script is sequences of pipelines of commands."""

    outermost: list[tuple[Pipeline, str]] | None = None

    def whole(self) -> Script:
        """The whole text as one script; whatever is refused in it refuses all of it."""
        try:
            body = self.sequence(())
            self.skip_to_token()
            if self.at < len(self.text):
                raise self.refuse(f"unexpected {self.peek()!a}")
            self.finish_heredocs()
        except Refused as refusal:
            read = tuple(self.outermost or ()) if self.budget.spent else ()
            begun = new_sequence(read, new_span(0, self.at)) if read else None
            return Script(self.text, refused=refusal.why, at=refusal.at, begun=begun)
        except RecursionError:
            return Script(self.text, refused="nested too deeply", at=self.at)
        return Script(self.text, body)

    # --- scripts inside words --------------------------------------------------------------------------------------

    def script_until_parenthesis(self) -> Script:
        """The inside of `$(…)`, `<(…)`: read in place up to its closing parenthesis."""
        start = self.at
        outer, self.pending = self.pending, []
        assigning, self.assigning = self.assigning, False
        self.substitutions += 1
        around, self.substituted = (self.substituted, self.ends_here), self.depth
        self.ends_here = False
        body = self.sequence((")",))
        if self.pending:
            raise self.refuse("heredoc without its body inside a substitution", start)
        end = self.at
        if not self.take(")"):
            raise self.refuse("substitution is never closed", start)
        self.pending, self.assigning = outer, assigning
        self.substitutions -= 1
        self.substituted, self.ends_here = around
        self.heredoc_guard(start)
        return Script(self.text[start:end], body)

    def script_of(self, text: str) -> Script:
        """A text that bash parses later, on its own; what it refuses is refused here."""
        script = Parser(text, self.budget, self.depth).whole()
        if script.refused:
            raise self.refuse(f"{script.refused} (inside backticks)")
        return script

    def parts_of(self, body: str) -> tuple[Part, ...]:
        """The body of an unquoted heredoc is expanded as if in double quotes, where `"` is nothing special."""
        reader = Parser(body, self.budget, self.depth)
        parts: list[Part] = []
        try:
            while sign := reader.peek():
                reader.spend()
                if sign == '"' or body.startswith('\\"', reader.at):
                    end = reader.text.index('"', reader.at) + 1
                    parts.append(Part("text", reader.text[reader.at : end], quoted=True))
                    reader.at = end
                else:
                    reader.quoted_piece(sign, parts)
        except Refused as refusal:
            raise self.refuse(f"{refusal.why} (in a heredoc)") from refusal
        return tuple(parts)

    # --- sequences -------------------------------------------------------------------------------------------------

    def sequence(self, ends: tuple[str, ...]) -> Sequence:
        """Pipelines up to one of the ends, which is left unread: `)`, or a reserved word such as `fi` or `}`."""
        start = self.at
        items: list[tuple[Pipeline, str]] = []
        if self.outermost is None:
            self.outermost = items
        sign = self.skip_lines()
        while not self.at_end_of(ends, sign):
            items.append(self._item())
            sign = self.skip_lines()
        return new_sequence(tuple(items), new_span(start, self.at))

    def _item(self) -> tuple[Pipeline, str]:
        pipeline = self.pipeline()
        sign = self.skip_blanks()
        if sign == "\n":
            return pipeline, "\n"
        if not sign or sign == ")":
            return pipeline, ""
        if sign not in ";&|":
            raise self.refuse(f"unexpected {sign!a}")
        if self.pending and self.substitutions:
            raise self.refuse("more on the line of a heredoc inside a substitution")
        operator = sign + sign
        if sign != ";" and self.take(operator):
            if self.skip_lines() in ("", ")", ";", "&", "|") or self.reserved() in CLOSES:
                raise self.refuse(f"nothing after {operator}")
            return pipeline, operator
        if sign == ";" and (self.follows(";;") or self.follows(";&")):
            return pipeline, ""
        self.at += 1
        return pipeline, sign

    def pipeline(self) -> Pipeline:
        """Commands joined by `|` or `|&`, with `!` and `time` before them; the first begins here."""
        start = self.at
        negated = timed = False
        while (word := self.reserved()) == "!" or (word == "time" and not timed):
            if word == "!":
                self.at += 1
                negated = not negated
            else:
                timed = self._time()
            self.skip_blanks()
        commands: list[Node] = [self.command(word)]
        if timed and self.substitutions and (negated or not _is_plain(commands[0])):
            raise self.refuse("time before more than words inside a substitution", start)
        merged: list[bool] = []
        while self.skip_blanks() == "|" and not self.follows("||"):
            merged.append(self.take("|&") or not self.take("|"))
            if merged[-1] and isinstance(commands[-1], Compound) and commands[-1].kind == "function":
                raise self.refuse("|& after a function", start)
            same_line = self.skip_blanks() != "\n"
            self.skip_lines()
            word = self.reserved()
            commands.append(self.command("" if word == "time" and same_line else word))
        return new_pipeline(tuple(commands), new_span(start, self.at), negated, timed, tuple(merged))

    def _time(self) -> bool:
        """`time` takes `-p` and `--`; any other option belongs to no command we know."""
        self.take("time")
        self.skip_blanks()
        if self.peek() == "-":
            at = self.at
            option = self.word().text
            if option not in ("-p", "--") or self.skip_blanks() == "-":
                raise self.refuse("option of time", at)
        if self.peek() in ("", "\n", ";", "&", "|", ")"):
            raise self.refuse("time without a command")
        return True

    # --- commands --------------------------------------------------------------------------------------------------

    def command(self, word: str) -> Node:
        """One command, which begins here: compound by the reserved word that this is, a function, or simple."""
        self.spend(COMMAND_STEPS)
        if self.ends_here:
            raise self.refuse("more after a heredoc inside a substitution")
        if word:
            return self.compound(word)
        return self.parenthesis() if self.peek() == "(" else self._simple()

    def _simple(self) -> Node:
        start = self.at
        words: list[Word] = []
        assignments: list[Assignment] = []
        redirects: list[Redirect] = []
        while True:
            sign = self.skip_blanks()
            if sign in MAY_REDIRECT and (redirect := self.redirect(redirects)) is not None:
                redirects.append(redirect)
                continue
            if sign in ENDS_COMMAND:
                break
            if sign == "(":
                return self._function(words, assignments, redirects, start)
            assignment = self.assignment() if not words else None
            if assignment is not None:
                if redirects and assignments and assignment.items is not None:
                    raise self.refuse("array after a redirect", assignment.span.start)
                assignments.append(assignment)
            else:
                if redirects and not words and self.substitutions and self.reserved():
                    raise self.refuse("reserved word after a redirect inside a substitution")
                words.append(self.word())
        if not (words or assignments or redirects):
            raise self.refuse(f"unexpected {self.peek()!a}" if self.peek() else "a command is missing")
        return new_simple(tuple(words), new_span(start, self.at), tuple(assignments), tuple(redirects))

    def _function(
        self, words: list[Word], assignments: list[Assignment], redirects: list[Redirect], start: int
    ) -> Node:
        """`name() body`; any other parenthesis inside a simple command is not a command we know."""
        if len(words) != 1 or assignments or redirects or words[0].value is None or words[0].text != words[0].value:
            raise self.refuse("parenthesis in a command")
        return self.function_body(words[0].text, start, keyword=False)


def _is_plain(node: Node) -> bool:
    return isinstance(node, Simple) and not node.assignments
