"""What variables may hold while a script is simulated, and what `${…}` makes of that: several texts each, or none."""

from __future__ import annotations

from assent.globs import match_text
from assent.protected import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from assent.shell.tree import Sequence

    Texts = tuple[str, ...]

UNKNOWN = "\ue000"
"""Stands in a text where nobody knows what does."""
APART = "\ue001"
"""Stands in what is printed between one text and another that may be printed instead."""
ACTIVE = {"*": "\ue002", "?": "\ue003", "[": "\ue004", "{": "\ue005", ",": "\ue006", "}": "\ue007"}
"""Signs that are not quoted, so that the shell makes other words of them."""
PLAIN = str.maketrans({coded: sign for sign, coded in ACTIVE.items()})
GLOBS = frozenset((ACTIVE["*"], ACTIVE["?"], ACTIVE["["]))
MOST_TEXTS = 24
MOST_ELEMENTS, MOST_REFERENCES = 200, 5
LONGEST_TEXT = 20_000
LONGEST_CHANGED, MOST_COMPARED = 500, 200_000
NAME_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
NO_NAME = ("", *":%/#-+=?^,@*")
DEFAULTS = (":-", "-", ":=", "=")
REMOVES = ("##", "#", "%%", "%")
UPPER, LOWER = ("^", "^^", "@U", "@u"), (",", ",,", "@L")


def chosen(texts: Iterable[str], most: int = MOST_TEXTS) -> Texts:
    """Each once, and no more than so many: what is protected by its name comes first."""
    found = tuple(dict.fromkeys(text[:LONGEST_TEXT] for text in texts))
    if len(found) <= most:
        return found
    return tuple(sorted(found, key=lambda text: not marks(text)))[:most]


def lines_of(text: str) -> Texts:
    return tuple(line for line in text.replace(APART, "\n").split("\n") if line)


class Variables:
    """Scalars, arrays and parameters by position; a name that is not here is not known."""

    def __init__(self, home: str, cwds: Texts) -> None:
        self.cwds = cwds
        self.left: list[Texts] = []
        """Folders that `cd` and `pushd` have left."""
        self.scalars: dict[str, Texts] = {"HOME": (home,)} if home else {}
        self.arrays: dict[str, dict[str, Texts]] = {}
        self.references: dict[str, str] = {}
        self.exported: set[str] = set()
        self.given: list[Texts] = []
        self.zero: Texts = ()
        self.functions: dict[str, Sequence] = {}
        self.aliases: dict[str, str] = {}
        self.files: dict[str, str] = {}
        """What the script itself has written, by the path as written; descriptors by their numbers."""
        self.unsure = 0
        """Branches around what runs: there a value is added to the one before, which may still hold."""

    def copy(self) -> Variables:
        made = Variables("", self.cwds)
        made.left, made.given, made.zero, made.unsure = [*self.left], [*self.given], self.zero, self.unsure
        made.scalars, made.references, made.files = {**self.scalars}, {**self.references}, self.files
        made.arrays = {name: {**elements} for name, elements in self.arrays.items()}
        made.exported = {*self.exported}
        made.functions, made.aliases = {**self.functions}, {**self.aliases}
        return made

    def meant(self, name: str) -> str:
        """The variable that a name stands for, by whatever references."""
        for _ in range(MOST_REFERENCES):
            name = self.references.get(name, name)
        return name

    # --- setting ---------------------------------------------------------------------------------------------------

    def assign(self, name: str, texts: Texts) -> None:
        """Set a variable, or an element that is named with its subscript."""
        name, bracket, key = name.partition("[")
        name = self.meant(name)
        if bracket:
            elements = self.arrays.setdefault(name, {})
            before = elements.get(key[:-1], ())
            elements[key[:-1]] = chosen((*before, *texts) if self.unsure else texts)
            return
        if name == "PWD":
            return
        before = self.scalars.get(name, ()) if self.unsure else ()
        self.scalars[name] = chosen((*texts, *before))
        if not self.unsure:
            self.arrays.pop(name, None)

    def append(self, name: str, texts: Texts) -> None:
        """`name+=text`."""
        before = self.lookup(name) or ("",)
        self.assign(name, chosen(one + more for one in before for more in texts))

    def fill(self, name: str, items: Iterable[str], *, more: bool = False) -> None:
        """Set an array to a list; `[key]=value` among the items says where."""
        name = self.meant(name)
        elements = self.arrays.get(name, {}) if more or self.unsure else {}
        if more and not elements and name in self.scalars:
            elements = {"0": self.scalars[name]}
        at = 1 + max([int(key) for key in elements if key.isdigit()], default=-1) if more else 0
        for item in items:
            key, equals, value = item.translate(PLAIN).partition("]=")
            if not (equals and key[:1] == "["):
                key, value = f"[{at}", item
            elif value[:2] == "~/" and "HOME" in self.scalars:
                value = self.scalars["HOME"][0] + value[1:]
            before = elements.get(key[1:], ()) if self.unsure else ()
            elements[key[1:]] = chosen((value, *before))
            at = int(key[1:]) + 1 if key[1:].isdigit() else at + 1
            if len(elements) > MOST_ELEMENTS:
                break
        self.arrays[name] = elements
        if not self.unsure:
            self.scalars.pop(name, None)

    def forget(self, name: str) -> None:
        if self.unsure:
            return
        array, bracket, key = name.translate(PLAIN).partition("[")
        if bracket:
            self.arrays.get(self.meant(array), {}).pop(key[:-1], None)
        else:
            self.scalars.pop(name, None)
            self.arrays.pop(name, None)
            self.references.pop(name, None)

    # --- asking ----------------------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Texts:
        """What a plain name may hold, nothing if that is not known."""
        if name == "PWD":
            return self.cwds
        if name == "OLDPWD":
            return self.left[-1] if self.left else ()
        if name == "0":
            return self.zero
        if name.isdigit():
            place = int(name) - 1
            return self.given[place] if place < len(self.given) else ()
        name = self.meant(name)
        return self.scalars.get(name) or self.arrays.get(name, {}).get("0", ())

    def items(self, name: str) -> list[Texts]:
        """All of a list: `$@`, `${a[@]}`; a scalar is a list of one."""
        if name in ("@", "*"):
            return self.given
        name = self.meant(name)
        if name in self.arrays:
            return [*self.arrays[name].values()]
        return [self.scalars[name]] if name in self.scalars else []

    def element(self, name: str, key: str) -> Texts:
        """`${a[key]}`: any of them where the key is not plain."""
        name = self.meant(name)
        elements = self.arrays.get(name) or ({"0": self.scalars[name]} if name in self.scalars else {})
        key = key.strip("\"'")
        if key in elements:
            return elements[key]
        if key[:1] == "-" and key[1:].isdigit() and int(key) >= -len(elements) and int(key):
            return [*elements.values()][int(key)]
        held = self.scalars.get(key.removeprefix("$").strip("{}"), ())
        known = [elements[one] for one in held if one in elements]
        return chosen(text for texts in known or elements.values() for text in texts) if not key.isdigit() else ()

    def expand(self, text: str, operand: Callable[[], Texts]) -> list[list[str]]:
        """What `${text operand}` may be: each a list of words, of which there are several only for `@`."""
        name, subscript, operator = split_parameter(text)
        if name[:1] == "#" and len(name) > 1:
            return [[UNKNOWN]]
        if name[:1] == "!" and len(name) > 1:
            return self._indirect(name[1:], subscript)
        listed = name in ("@", "*") or subscript in ("@", "*")
        if listed:
            return self._listed(name, subscript, operator, operand)
        texts = self.element(name, subscript) if subscript else self.lookup(name)
        if operator in DEFAULTS and not texts:
            texts = operand()
            if "=" in operator:
                self.assign(name, texts)
        elif operator in (":+", "+"):
            texts = operand()
        elif operator and texts:
            texts = chosen(changed(text, operator, operand()) for text in texts)
        return [[text] for text in texts] or [[UNKNOWN]]

    def _listed(self, name: str, subscript: str, operator: str, operand: Callable[[], Texts]) -> list[list[str]]:
        items = self.items(name)
        if operator[:1] == ":" and operator not in (":-", ":=", ":+", ":?"):
            first = operator[1:].split(":")[0].strip()
            start = int(first) if first.lstrip("-").isdigit() else 0
            items = items[start - (name in ("@", "*") and start > 0) :]
        elif operator in DEFAULTS and not items:
            items = [operand()]
        elif operator:
            items = [chosen(changed(text, operator, operand()) for text in texts) for texts in items]
        most = max([len(texts) for texts in items], default=0)
        picked = [[texts[min(at, len(texts) - 1)] for texts in items if texts] for at in range(min(most, MOST_TEXTS))]
        if name == "*" or subscript == "*":
            picked += [[" ".join(texts)] for texts in picked if len(texts) > 1]
        return picked or [[]]

    def _indirect(self, name: str, subscript: str) -> list[list[str]]:
        """`${!name}`: whatever the variable holds that another one names."""
        if subscript or name[-1:] in ("*", "@"):
            return [[UNKNOWN]]
        if name == "#":
            return [[text] for text in (self.given[-1] if self.given else ())] or [[UNKNOWN]]
        found = [text for held in self.lookup(name) for text in self.lookup(held)]
        return [[text] for text in chosen(found)] or [[UNKNOWN]]


def split_parameter(text: str) -> tuple[str, str, str]:
    """The name in `${…}` with the `#` or `!` before it, the subscript, and the operator."""
    end = 1 if text == "!#" or (text[:1] in ("#", "!") and text[1:2] not in NO_NAME) else 0
    start = end
    while end < len(text) and text[end] in NAME_SIGNS:
        end += 1
    if end == start:
        end = start + 1
    name, rest = text[:end], text[end:]
    if rest[:1] != "[":
        return name, "", rest
    subscript, _, operator = rest[1:].partition("]")
    return name, subscript, operator


def changed(text: str, operator: str, operands: Texts) -> str:
    """What an operator makes of a value: patterns cut off, replaced, other cases, a part of it."""
    operand = operands[0].translate(PLAIN) if operands else ""
    if len(text) > LONGEST_CHANGED or len(operand) > LONGEST_CHANGED:
        return text
    if operator in REMOVES:
        return _without(text, operator, operand)
    if operator in ("/", "//"):
        return _replaced(text, operand, every=operator == "//")
    if operator in UPPER:
        return text.upper()
    if operator in LOWER:
        return text.lower()
    if operator[:1] == ":" and operator not in (":-", ":=", ":?"):
        return _part_of(text, operator)
    return text


def _without(text: str, operator: str, pattern: str) -> str:
    """What is left once a pattern is cut off, the longest match where the operator says so twice."""
    lengths = range(len(text) + 1)
    for length in reversed(lengths) if len(operator) > 1 else lengths:
        if operator[0] == "#" and match_text(pattern, text[:length]):
            return text[length:]
        if operator[0] == "%" and match_text(pattern, text[len(text) - length :]):
            return text[: len(text) - length]
    return text


def _replaced(text: str, operand: str, *, every: bool) -> str:
    """`${x/pattern/text}`: at every `/` of the operand its text may begin; the first that changes anything counts."""
    cuts = [at for at, sign in enumerate(operand) if sign == "/"] or [len(operand)]
    for cut in cuts:
        pattern, new = operand[:cut], operand[cut + 1 :]
        if not pattern:
            continue
        made = text.replace(pattern, new) if every else text.replace(pattern, new, 1)
        costs = len(text) ** 2 * len(pattern)
        if made == text and costs < MOST_COMPARED and any(sign in pattern for sign in "*?[#%"):
            made = _replaced_pattern(text, pattern, new)
        if made != text:
            return made
    return text


def _replaced_pattern(text: str, pattern: str, new: str) -> str:
    """One match of a pattern, the first and longest; `#` and `%` say that it stands at an end."""
    plain = pattern.lstrip("#%") if pattern[0] in "#%" else pattern
    for start in range(len(text)) if pattern[0] != "#" else (0,):
        for end in range(len(text), start, -1) if pattern[0] != "%" else (len(text),):
            if match_text(plain, text[start:end]):
                return text[:start] + new + text[end:]
    return text


def _part_of(text: str, operator: str) -> str:
    numbers = [number.strip() for number in operator[1:].split(":")]
    if any(not number.lstrip("-").isdigit() for number in numbers):
        return text
    start = int(numbers[0])
    end = len(text) if len(numbers) == 1 else start + int(numbers[1]) if int(numbers[1]) >= 0 else int(numbers[1])
    return text[start:end]
