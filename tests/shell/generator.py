"""Shell programs from a grammar of the bash manual, plain and hostile; for `random` and for Hypothesis alike.

Everything is drawn by `choose(n)`, a number from 0 to n - 1, where 0 is always the simplest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

from shell import vocabulary as v

Choose: TypeAlias = Callable[[int], int]


def seeded(seed: int) -> Choose:
    numbers = random.Random(seed)
    return lambda n: int(numbers.random() * n)


def program(choose: Choose) -> str:
    """One program; every fourth has a character changed somewhere, a continuation most often."""
    fuel = 1 + choose(7) + (choose(24) if choose(5) == 4 else 0)
    text = Generator(choose, fuel).script()
    for _ in range(max(0, choose(5) - 3) * (1 + choose(2))):
        text = mutated(choose, text)
    return text


def mutated(choose: Choose, text: str) -> str:
    at = choose(len(text) + 1)
    match choose(6):
        case 0 | 1:
            return f"{text[:at]}\\\n{text[at:]}"
        case 2:
            return text[:at] + v.ODD[choose(len(v.ODD))] + text[at:]
        case 3:
            return text[:at] + text[at + 1 + choose(3) :]
        case 4:
            start = choose(len(text) + 1)
            return text[:at] + text[start : start + 1 + choose(6)] + text[at:]
        case _:
            return text[:at] + v.ODD[choose(len(v.ODD))] + text[at + 1 :]


class Generator:
    """Spends `fuel` on nested constructs; without any it only makes plain words."""

    def __init__(self, choose: Choose, fuel: int) -> None:
        self.choose = choose
        self.fuel = fuel
        self.bodies: list[str] = []
        """What has to follow the next newline: bodies of here-documents."""
        self.quotes = 0

    # --- drawing

    def pick(self, texts: Sequence[str]) -> str:
        return texts[self.choose(len(texts))]

    def one_in(self, n: int) -> bool:
        return self.choose(n) == n - 1

    def some(self, make: Callable[[], str], most: int, joint: Callable[[], str] | None = None) -> str:
        first, *rest = [make() for _ in range(1 + self.choose(most))]
        return first + "".join((joint or self.blank)() + each for each in rest)

    def spend(self) -> bool:
        self.fuel -= 1
        return self.fuel >= 0

    # --- between tokens

    def blank(self) -> str:
        return self.pick(v.BLANKS) if self.one_in(6) else " "

    def gap(self) -> str:
        """Where a blank may stand but need not."""
        return self.blank() if self.one_in(3) else ""

    def newline(self) -> str:
        """Ends the line, comment first perhaps; the bodies that wait come now."""
        bodies, self.bodies = self.bodies, []
        comment = f" {self.pick(v.COMMENTS)}" if self.one_in(10) else ""
        return f"{comment}\n{''.join(bodies)}"

    def lines(self) -> str:
        """Where newlines may stand but need not."""
        return "".join(self.newline() for _ in range(max(0, self.choose(6) - 4))) + self.gap()

    def end(self) -> str:
        """What must stand before a reserved word that closes."""
        if self.one_in(3):
            return self.newline()
        return (
            f"{self.gap()}{self.pick(v.ENDS)}{self.lines()}" if not self.one_in(8) else f"{self.gap()}&{self.blank()}"
        )

    # --- lists and pipelines

    def script(self) -> str:
        text = self.list()
        if self.bodies or self.one_in(6):
            text += self.newline()
        return text

    def list(self, most: int = 3) -> str:
        text = self.pipeline()
        for _ in range(self.choose(most)):
            if not self.spend():
                break
            text += self.joint() + self.pipeline()
        return text

    def joint(self) -> str:
        match self.choose(8):
            case 0 | 1:
                return f"{self.gap()};{self.blank()}"
            case 2 | 3:
                return self.newline() + self.gap()
            case 4:
                return f"{self.gap()}&&{self.lines()}"
            case 5:
                return f"{self.gap()}||{self.lines()}"
            case 6:
                return f"{self.gap()}&{self.blank()}"
            case _:
                return f"{self.gap()};{self.newline()}"

    def pipeline(self) -> str:
        prefix = self.pick(v.PREFIXES) + self.gap() if self.one_in(14) else ""
        text = self.command()
        while self.one_in(6) and self.spend():
            text += f"{self.gap()}{'|&' if self.one_in(5) else '|'}{self.lines()}{self.command()}"
        return prefix + text

    def command(self) -> str:
        if self.choose(5) < 3 or not self.spend():
            return self.simple()
        makers = (
            self.group,
            self.subshell,
            self.if_,
            self.loop,
            self.for_,
            self.case,
            self.condition,
            self.arithmetic,
            self.arithmetic_for,
            self.function,
            self.for_,
            self.rare,
        )
        text = makers[self.choose(len(makers))]()
        while self.one_in(5):
            text += self.gap() + self.redirect()
        return text

    def simple(self) -> str:
        parts: list[str] = []
        while self.one_in(6):
            parts.append(self.assignment())
        while self.one_in(12):
            parts.append(self.redirect())
        if not parts or not self.one_in(3):
            parts.append(self.pick(v.COMMANDS) if not self.one_in(6) else self.word())
            for _ in range(self.choose(4)):
                parts.append(self.redirect() if self.one_in(6) else self.word())
        return "".join(part + (self.blank() if at < len(parts) - 1 else "") for at, part in enumerate(parts))

    # --- compound commands

    def group(self) -> str:
        return f"{{{self.blank()}{self.list()}{self.end()}}}"

    def subshell(self) -> str:
        return f"({self.gap()}{self.list()}{self.lines()})"

    def if_(self) -> str:
        text = f"if {self.list(2)}{self.end()}then{self.blank()}{self.list(2)}{self.end()}"
        while self.one_in(4):
            text += f"elif{self.blank()}{self.list(2)}{self.end()}then {self.list(2)}{self.end()}"
        if self.one_in(3):
            text += f"else{self.newline() if self.one_in(3) else ' '}{self.list(2)}{self.end()}"
        return f"{text}fi"

    def body(self) -> str:
        if self.one_in(10):
            return self.group()
        return f"do{self.newline() if self.one_in(3) else self.blank()}{self.list()}{self.end()}done"

    def loop(self) -> str:
        word = "until" if self.one_in(3) else "while"
        return f"{word}{self.blank()}{self.list(2)}{self.end()}do {self.list()}{self.end()}done"

    def for_(self) -> str:
        word = "select" if self.one_in(5) else "for"
        head = f"{word}{self.blank()}{self.pick(v.NAMES)}"
        match self.choose(6):
            case 4:
                return f"{head}{self.end() if self.one_in(2) else ' '}{self.body()}"
            case 5:
                return f"{head}{self.lines()} in{self.pick((';', ' ;', self.newline()))} {self.body()}"
            case _:
                end = self.newline() if self.one_in(3) else f"{self.gap()};{self.lines()}"
                return f"{head} in{self.blank()}{self.some(self.word, 3)}{end}{self.body()}"

    def case(self) -> str:
        text = f"case{self.blank()}{self.word()}{self.lines() or ' '} in{self.newline() if self.one_in(2) else ' '}"
        for _ in range(1 + self.choose(3)):
            patterns = self.some(self.pattern, 2, lambda: f"{self.gap()}|{self.gap()}")
            text += f"{'(' if self.one_in(4) else ''}{self.gap()}{patterns}{self.gap()}){self.lines()}"
            text += f"{self.list(2) if not self.one_in(5) else ''}{self.gap()}{self.pick(v.TERMINATORS)}{self.lines()}"
        if self.one_in(5):
            text += f"{self.pattern()}) {self.list(2)}{self.newline()}"
        return f"{text} esac"

    def pattern(self) -> str:
        return self.pick(v.PATTERNS) if not self.one_in(4) else self.word()

    def condition(self) -> str:
        text = f"[[{self.blank()}{self.test()}"
        while self.one_in(4):
            text += f" {self.pick(('&&', '||'))}{self.lines()} {self.test()}"
        return f"{text}{self.blank()}]]"

    def test(self) -> str:
        match self.choose(6):
            case 0:
                return f"{self.pick(v.UNARY)}{self.blank()}{self.word()}"
            case 1 | 2 | 3:
                right = self.pick(v.PATTERNS) if self.one_in(3) else self.word()
                return f"{self.word()}{self.blank()}{self.pick(v.BINARY)}{self.blank()}{right}"
            case 4:
                return f"!{self.blank()}{self.word()}"
            case _:
                return f"({self.gap()}{self.word()}{self.gap()})"

    def arithmetic(self) -> str:
        return f"(({self.sum()}))"

    def sum(self) -> str:
        parts = [self.pick(v.SUMS)]
        while self.one_in(4):
            parts.append(self.expansion(quoted=True) if self.one_in(3) and self.spend() else self.pick(v.SUMS))
        return self.pick(("+", " - ", "*", " < ", "&&", ",")).join(parts)

    def arithmetic_for(self) -> str:
        head = ";".join(self.pick(("", " i=0", "i<3 ", "i++")) if not self.one_in(5) else self.sum() for _ in range(3))
        return f"for{self.pick((' ', '', ' '))}(({head})){self.pick((';', ' ', self.newline()))} {self.body()}"

    def function(self) -> str:
        name = self.pick(v.FUNCTIONS)
        bodies = (
            self.group,
            self.group,
            self.subshell,
            self.if_,
            self.condition,
            self.arithmetic,
            self.case,
            self.body,
        )
        make = bodies[self.choose(len(bodies) - 1)]
        match self.choose(4):
            case 0 | 1:
                return f"{name}{self.gap()}({self.gap()}){self.lines()}{make()}"
            case 2:
                return f"function {name}{self.lines() or ' '} {make()}"
            case _:
                return f"function{self.blank()}{name}{self.gap()}(){self.lines()}{make()}"

    def rare(self) -> str:
        """What we refuse or bash reads in a way of its own."""
        match self.choose(10):
            case 0:
                name = self.pick(v.NAMES) + " " if self.one_in(2) else ""
                return f"coproc {name}{self.group() if self.one_in(2) else self.simple()}"
            case 1:
                return f"{{ {self.list()}{self.end()}}} {self.redirect()}"
            case 2:
                return f"(({self.list(2)}){self.gap()};{self.simple()})"
            case 3:
                return f"((({self.simple()})))"
            case 4:
                return f"{self.pick(v.DECLARATIONS)} {self.assignment()}"
            case _:
                return self.pick(v.ODDITIES)

    # --- assignments and redirects

    def assignment(self) -> str:
        name, sign = self.pick(v.NAMES), "+=" if self.one_in(5) else "="
        match self.choose(8):
            case 0:
                return f"{name}{sign}"
            case 6:
                items = self.some(self.word, 3, lambda: self.newline() if self.one_in(6) and not self.bodies else " ")
                return f"{name}{sign}({self.gap()}{items}{self.gap()})"
            case 7 if self.one_in(8):
                return f"{name}[{self.pick(v.SUMS)}]{sign}{self.word()}"
            case _:
                return f"{name}{sign}{self.word()}"

    def redirect(self) -> str:
        fd = self.pick(v.DESCRIPTORS) if self.one_in(3) else ""
        match self.choose(8):
            case 6 if self.fuel > 0:
                return fd + self.heredoc()
            case 7:
                return f"{fd}<<<{self.gap()}{self.word()}"
            case 5:
                return fd + self.pick(v.DUPLICATIONS)
            case 4 if not fd:
                return f"{self.pick(('&>', '&>>', '>&'))}{self.gap()}{self.word()}"
            case _:
                target = self.pick(v.FILES) if self.one_in(2) else self.word()
                return f"{fd}{self.pick(v.REDIRECTS)}{self.gap()}{target}"

    def heredoc(self) -> str:
        self.spend()
        operator = "<<-" if self.one_in(3) else "<<"
        written, plain = v.DELIMITERS[self.choose(len(v.DELIMITERS))]
        tabs = "\t" if operator == "<<-" and self.one_in(2) else ""
        lines = [self.heredoc_line() for _ in range(self.choose(3))]
        self.bodies.append("".join(f"{tabs}{line}\n" for line in lines) + f"{tabs}{plain}\n")
        return f"{operator}{self.gap()}{written}"

    def heredoc_line(self) -> str:
        if self.one_in(3):
            outer, self.bodies = self.bodies, []
            line = self.expansion(quoted=True)
            self.bodies = outer
            return f"{self.pick(v.LINES)}{line}"
        return self.pick(v.LINES)

    # --- words

    def word(self) -> str:
        text = self.piece()
        while self.one_in(4):
            text += self.piece()
        return text

    def piece(self) -> str:
        match self.choose(10):
            case 0 | 1 | 2 | 3:
                return self.pick(v.TEXTS)
            case 4:
                return self.pick(v.QUOTED)
            case 5:
                return f'"{self.in_quotes()}"'
            case 6:
                return self.pick(v.CONTROLS if self.one_in(80) else v.LOOKALIKES)
            case 7:
                return self.pick(v.PATTERNS)
            case 8:
                return self.pick(v.ANSI)
            case _:
                return self.expansion(quoted=False)

    def in_quotes(self) -> str:
        parts = ""
        for _ in range(1 + self.choose(3)):
            parts += self.expansion(quoted=True) if self.one_in(3) else self.pick(v.INSIDE)
        return parts

    def expansion(self, *, quoted: bool) -> str:
        kind = self.choose(8)
        if kind < 3 or not self.spend():
            return self.pick(v.PARAMETERS)
        match kind:
            case 3 | 4:
                return self.parameter(quoted=quoted)
            case 5:
                return self.substitution("$(")
            case 6 if self.quotes < 2:
                return self.backticks(quoted=quoted)
            case 7 if self.one_in(3):
                return self.substitution(self.pick(("<(", ">(")))
            case _:
                return f"$(({self.sum()}))"

    def parameter(self, *, quoted: bool) -> str:
        if self.one_in(4):
            return self.pick(v.FORMS)
        operand = self.pick(v.INSIDE if quoted else v.OPERANDS)
        if self.one_in(3):
            operand += self.expansion(quoted=quoted)
        return f"${{{self.pick(v.PARAMETER_NAMES)}{self.pick(v.OPERATORS)}{operand}}}"

    def substitution(self, opening: str) -> str:
        outer, self.bodies = self.bodies, []
        inside = f"{self.gap()}{self.list(2)}"
        inside += self.newline() if self.bodies else self.lines()
        self.bodies = outer
        return f"{opening}{inside})"

    def backticks(self, *, quoted: bool) -> str:
        outer, self.bodies = self.bodies, []
        self.quotes += 1
        inside = self.list(2) + (self.newline() if self.bodies else "")
        self.quotes -= 1
        self.bodies = outer
        inside = inside.replace("\\", "\\\\").replace("`", "\\`")
        if self.one_in(3):
            inside = inside.replace("$", "\\$")
        if quoted and self.one_in(2):
            inside = inside.replace('"', '\\"')
        return f"`{inside}`"
