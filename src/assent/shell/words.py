"""Words: quotes, expansions and everything bash does between the first and the last character of one.

Implements bash's own order: a backslash and a newline vanish first (not in single quotes), then quotes, then the rest.
Whatever is not positively understood raises `Refused`.
"""

from __future__ import annotations

from assent.record import maker
from assent.shell.ansi import decode_ansi
from assent.shell.chars import NAME, NAME_SIGNS, NAME_START, end_of_run
from assent.shell.expansions import SPECIAL_PARAMETERS, ExpansionReader
from assent.shell.tree import Part, Script, Word
from assent.types import Span

new_part, new_span, new_word = maker(Part), maker(Span), maker(Word)
ENDS_WORD = frozenset(" \t\n;&|<>()")
SURE_ENDS = frozenset(" \t\n;&|)")
"""What ends a word for certain; `<`, `>` and `(` may still belong to it."""
PLAIN_SIGNS = NAME_SIGNS + "/.,:+-%@^=]"
"""Characters that are just themselves inside an unquoted word; `=` and `:` matter to tildes and assignments only."""
BEGINS_PLAIN = frozenset(PLAIN_SIGNS + "{}~")
AT_ONCE = 16
ESCAPED_IN_DOUBLE_QUOTES = '$`"\\'
PLAIN_IN_DOUBLE_QUOTES = "".join(sign for sign in map(chr, range(128)) if sign not in ESCAPED_IN_DOUBLE_QUOTES)
IN_GROUPS = frozenset(PLAIN_SIGNS + "|*?[ !~#{}&;")
"""What stands for itself between the parentheses of a pattern."""


class WordReader(ExpansionReader):
    """Reads words. The grammar is a subclass, since substitutions hold whole scripts."""

    def script_until_parenthesis(self) -> Script:
        raise NotImplementedError

    def script_of(self, text: str) -> Script:
        raise NotImplementedError

    # --- words -----------------------------------------------------------------------------------------------------

    def word(self, matching: str = "") -> Word:
        """The word that begins here; the caller has seen that one does. `matching` is an operator of `[[` before it."""
        text, start = self.text, self.at
        self.words += 1
        if not self.words % AT_ONCE:
            self.spend(AT_ONCE)
        end = end_of_run(text, start, PLAIN_SIGNS)
        if end > start and (end == len(text) or text[end] in SURE_ENDS) and not matching:
            self.at = end
            found = text[start:end]
            return new_word(found, new_span(start, end), (new_part("text", found),))
        parts: list[Part] = []
        while sign := self.peek():
            self.spend()
            if sign in ENDS_WORD and not self.opens_process(sign):
                if not matching or not self._grouped(sign, parts, matching):
                    break
            else:
                self._piece(sign, parts, start)
        if not parts:
            raise self.refuse("a word is missing")
        written = text[start : self.at]
        if written[0] == "~" and parts[0].kind == "text" and ("~" in written[1:] or ":" in written):
            raise self.refuse("text glued to a tilde", start)
        if "{" in written and "`" in written and _hides_braces(parts, written):
            raise self.refuse("brace in a word with quotes inside quoted backticks", start)
        return new_word(written, new_span(start, self.at), _tidied(parts, written))

    def _piece(self, sign: str, parts: list[Part], start: int) -> None:
        """One quote, expansion or run of plain characters."""
        if sign in BEGINS_PLAIN or sign > "\x7f":
            self._plain_run(sign, parts, start)
        elif sign == "'":
            parts.append(new_part("text", self.single_quoted(), True))
        elif sign == '"':
            self.at += 1
            self.double_quoted(parts)
        elif sign == "\\":
            self.escaped(parts)
        elif sign == "$":
            self.dollar(parts, quoted=False)
        elif sign == "`":
            parts.append(self.backticks(quoted=False))
        elif sign in "*?[":
            parts.append(new_part("glob", sign))
            self.at += 1
        elif sign in "<>":
            parts.append(self._process(sign))
        elif sign in "#!":
            parts.append(new_part("text", sign))
            self.at += 1
        else:
            raise self.refuse(f"character {sign!a}")

    def _plain_run(self, sign: str, parts: list[Part], start: int) -> None:
        text, at = self.text, self.at
        if sign == "~" and self._tilde_counts(parts, start):
            parts.append(self._tilde(start))
        elif sign > "\x7f":
            if sign.isspace() or not sign.isprintable():
                raise self.refuse(f"character U+{ord(sign):04X} outside quotes")
            parts.append(new_part("text", sign))
            self.at = at + 1
        else:
            self.at = end_of_run(text, at + 1, PLAIN_SIGNS)
            parts.append(new_part("text", text[at : self.at]))

    def _grouped(self, sign: str, parts: list[Part], matching: str) -> bool:
        """Take what would end any other word but belongs to a pattern: `|` after `=~`, and groups of plain text."""
        if matching == "=~":
            belongs = sign == "(" or (sign == "|" and not self.follows("||"))
        else:
            belongs = sign == "(" and bool(parts) and _opens_group(parts[-1], self.text[self.at - 1])
        if not belongs:
            return False
        level = 0
        while True:
            sign, following = self.peek(), self.text[self.at + 1 : self.at + 2]
            level += (sign == "(") - (sign == ")")
            if sign == "\\":
                self.escaped(parts)
            elif sign == "$" and (following in NAME_START or following in ("|", ")")):
                self.dollar(parts, quoted=False)
            elif sign in IN_GROUPS or sign in ("(", ")"):
                parts.append(new_part("glob", sign))
                self.at += 1
            else:
                raise self.refuse("parentheses or bars in a pattern of [[")
            if not level:
                return True

    # --- tildes ----------------------------------------------------------------------------------------------------

    def _tilde_counts(self, parts: list[Part], start: int) -> bool:
        """A tilde is expanded at the start of a word, and after the first `=` and any `:` in an assignment."""
        if self.at == start:
            return True
        before = parts[-1]
        if before.kind != "text" or before.quoted or before.text[-1] not in ":=":
            return False
        if self.assigning or self.tildes_from == start:
            return before.text[-1] == ":" and (self.assigning or self.tildes_count)
        plain = next((at for at, part in enumerate(parts) if part.kind != "text" or part.quoted), len(parts))
        name, equals, value = "".join([part.text for part in parts[:plain]]).partition("=")
        rest = "".join([part.text for part in parts[plain:]])
        element = not equals and _is_name(name) and rest[:1] == "[" and "]" in rest
        self.tildes_from, self.tildes_count = start, element or bool(equals and _is_name(name.removesuffix("+")))
        return self.tildes_count and (element or before.text[-1] == ":" or not (rest or value))

    def _tilde(self, start: int) -> Part:
        """`~` and the name behind it; a quote behind that makes it plain text, and so does what is nobody's name."""
        text, at = self.text, self.at
        self.at = end_of_run(text, at + 1, NAME_SIGNS + "+-.")
        name = text[at : self.at]
        sign = self.peek()
        if not sign or sign == "/" or sign in ENDS_WORD or (sign == ":" and (self.assigning or at > start)):
            return new_part("tilde", name)
        if sign in "'\"\\" or (sign in "$`*?[" and at == start):
            return new_part("text", name)
        raise self.refuse("text glued to a tilde", at)

    # --- quotes ----------------------------------------------------------------------------------------------------

    def escaped(self, parts: list[Part]) -> None:
        following = self.text[self.at + 1 : self.at + 2]
        if not following:
            raise self.refuse("backslash at the end")
        parts.append(new_part("text", following, True))
        self.at += 2

    def single_quoted(self) -> str:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise self.refuse("single quote is never closed")
        content = self.text[self.at + 1 : end]
        self.at = end + 1
        return content

    def double_quoted(self, parts: list[Part]) -> None:
        """From after the opening quote to after the closing one."""
        start, text = self.at, self.text
        end = _end_of_quoted(text, start)
        parts.append(new_part("text", text[start:end], True))
        self.at = end
        while True:
            sign = self.peek()
            if not sign:
                raise self.refuse("double quote is never closed", start - 1)
            if sign == '"':
                self.at += 1
                return
            self.spend()
            if sign == "`":
                parts.append(self.backticks(quoted=True, escapes='$`\\"'))
            else:
                self.quoted_piece(sign, parts)

    def quoted_piece(self, sign: str, parts: list[Part]) -> None:
        text, at = self.text, self.at
        if sign == "\\":
            following = text[at + 1 : at + 2]
            taken = following if following and following in ESCAPED_IN_DOUBLE_QUOTES else "\\"
            parts.append(new_part("text", taken, True))
            self.at += 2 if taken != "\\" or following == "\\" else 1
        elif sign == "$":
            self.dollar(parts, quoted=True)
        elif sign == "`":
            parts.append(self.backticks(quoted=True))
        else:
            self.at = _end_of_quoted(text, at + 1)
            parts.append(new_part("text", text[at : self.at], True))

    def _ansi_quoted(self) -> str:
        """`$'…'`, from after the opening quote."""
        start = end = self.at
        text = self.text
        while end < len(text) and text[end] != "'":
            end += 2 if text[end] == "\\" else 1
        if end >= len(text):
            raise self.refuse("quote is never closed", start - 2)
        self.at = end + 1
        decoded = decode_ansi(text[start:end])
        if decoded is None:
            raise self.refuse("escape in $'…'", start)
        return decoded

    # --- expansions ------------------------------------------------------------------------------------------------

    def dollar(self, parts: list[Part], *, quoted: bool) -> None:
        """What a `$` begins, or the `$` itself."""
        start = self.at
        self.at += 1
        sign = self.peek()
        if sign in NAME_START:
            parts.append(new_part("parameter", self.name(), quoted))
        elif sign == "(":
            parts.append(self._parenthesised(start, quoted=quoted))
        elif sign == "{":
            parts.append(self.braced(start, quoted=quoted))
        elif sign in SPECIAL_PARAMETERS:
            self.at += 1
            if quoted and sign == "$" and self.peek() in ("(", "{") and not self._closes_plainly():
                raise self.refuse("bracket after $$", start)
            parts.append(new_part("parameter", sign, quoted))
        elif sign == "'" and not quoted:
            self.at += 1
            parts.append(new_part("text", self._ansi_quoted(), True))
        elif sign == '"' and not quoted:
            raise self.refuse('translated text $"…"', start)  # what a catalogue says in its place is expanded
        elif sign == "[":
            raise self.refuse("old arithmetic $[…]", start)
        else:
            parts.append(new_part("text", "$", quoted))

    def _closes_plainly(self) -> bool:
        """Whether a `{` is closed by the next character that is not plain: then it matters to no reading."""
        end = end_of_run(self.text, self.at + 1, PLAIN_SIGNS)
        return self.text[self.at] + self.text[end : end + 1] == "{}"

    def _parenthesised(self, start: int, *, quoted: bool) -> Part:
        self.take("(")
        if self.peek() == "(":
            return self.arithmetic(start, quoted=quoted)
        inner = self.nested(self.script_until_parenthesis)
        return new_part("command", self.text[start : self.at], quoted, (inner,))

    def _process(self, sign: str) -> Part:
        start = self.at
        self.take(sign + "(")
        if self.peek() == "(":
            raise self.refuse("parenthesis right after <(", start)
        inner = self.nested(self.script_until_parenthesis)
        return new_part("process", self.text[start : self.at], False, (inner,))

    def backticks(self, *, quoted: bool, escapes: str = "$`\\") -> Part:
        """The text between backticks with its backslashes resolved is a script of its own.

        In plain double quotes they also resolve `\\"`; elsewhere inside quotes that depends on what is around.
        """
        start = self.at
        self.at += 1
        out: list[str] = []
        text = self.text
        while True:
            sign = text[self.at : self.at + 1]
            if not sign:
                raise self.refuse("backtick is never closed", start)
            self.at += 1
            if sign == "`":
                break
            if sign == "\\":
                following = text[self.at : self.at + 1]
                if following and following in escapes:
                    sign = following
                    self.at += 1
                elif following == "\n":
                    self.at += 1
                    continue
                elif following == '"' and quoted:
                    raise self.refuse("escaped double quote in backticks", start)
            out.append(sign)
        inner = self.nested(lambda: self.script_of("".join(out)))
        return new_part("command", text[start : self.at], quoted, (inner,))


def _end_of_quoted(text: str, at: int) -> int:
    """The next character that means something in double quotes, or the end."""
    while True:
        at = end_of_run(text, at, PLAIN_IN_DOUBLE_QUOTES)
        if text[at : at + 1] <= "\x7f":
            return at
        while text[at : at + 1] > "\x7f":
            at += 1


def _hides_braces(parts: list[Part], written: str) -> bool:
    """bash looks for braces first, and takes a quote inside backticks inside quotes for the end of the outer ones."""
    plain = written.replace("\\\n", "").replace("${", "")
    if plain.count('"') <= 2 or "{" not in plain or not ("," in plain or ".." in plain):
        return False
    quoted = [part for part in parts if part.inner and (part.quoted or part.kind == "parameter")]
    return any(part.kind in ("parameter", "arithmetic") or part.text[0] == "`" for part in quoted)


def _opens_group(before: Part, sign: str) -> bool:
    """Whether a parenthesis behind this part begins an alternative of patterns, as in `@(a|b)`."""
    return before.kind in ("text", "glob") and not before.quoted and before.text[-1:] == sign and sign in "@?*+!"


def _is_name(text: str) -> bool:
    return text[:1] in NAME_START and NAME.issuperset(text)


def _tidied(parts: list[Part], written: str) -> tuple[Part, ...]:
    """The parts of a word as written: neighbours joined, lone brackets and braces told from those that count."""
    if "[" in written:
        parts = _without_lone_brackets(parts)
    if len(parts) > 1:
        parts = _merged(parts)
    return _with_braces(tuple(parts)) if "{" in written else tuple(parts)


def _without_lone_brackets(parts: list[Part]) -> list[Part]:
    """A `[` that nothing closes is just itself, as in the command of that name."""
    if not any(part.kind == "glob" and part.text == "[" for part in parts):
        return parts
    out: list[Part] = []
    closed = False
    for part in reversed(parts):
        lone = part.kind == "glob" and part.text == "[" and not closed
        out.append(new_part("text", "[") if lone else part)
        closed = closed or (part.kind != "text" and part.kind != "glob") or "]" in part.text
    return out[::-1]


def _merged(parts: list[Part]) -> list[Part]:
    """Neighbouring texts as one; a quoted text keeps apart so that braces and reserved words can be told."""
    out: list[Part] = []
    texts: list[str] = []
    for part in [*parts, new_part("glob", "")]:
        if texts and (part.kind != "text" or part.quoted != out[-1].quoted):
            out[-1] = new_part("text", "".join(texts), out[-1].quoted)
            texts = []
        if part.kind == "text" and texts:
            texts.append(part.text)
        else:
            texts = [part.text] if part.kind == "text" else []
            out.append(part)
    return out[:-1]


def _with_braces(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Mark a word that brace expansion would change; `{}` and `{x}` are themselves."""
    if not any(part.kind == "text" and not part.quoted and "{" in part.text for part in parts):
        return parts
    opened = closed = split = False
    for part in parts:
        bare = part.text if part.kind == "text" and not part.quoted else ""
        for sign in bare:
            opened = opened or sign == "{"
            split = split or (opened and sign == ",")
            closed = closed or (opened and sign == "}")
        split = split or (opened and ".." in bare)
    return (*parts, new_part("brace", "")) if opened and closed and split else parts
