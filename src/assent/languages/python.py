"""Python source, followed by its syntax tree: every branch taken, constants put together, functions entered.

What is known to be harmless or to touch certain files is exact; everything else is a doubt, and what it spells is told.
"""

from __future__ import annotations

import sys

from assent.languages.python_calls import Given, call_member, call_method, check_data, escape, member, part_of
from assent.languages.reading import Reading
from assent.languages.values import (
    CHOICE,
    CONST,
    DATA,
    FILE,
    FOUND,
    FUNCTION,
    MEMBER,
    METHOD,
    MOST_ITEMS,
    NAME,
    NOTHING,
    PATH,
    SIMPLE,
    SOME_DATA,
    SOMETHING,
    TEXT,
    Value,
    added,
    alternatives,
    choice,
    const,
    element,
    formatted,
    is_inert,
    listed,
    pieces_of,
    same,
    several,
    text_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Names = dict[str, Value]

LONGEST_TEXT = 32_000
MOST_STEPS, DEEPEST, DEEPEST_CALL, MOST_ROUNDS = 10_000, 120, 8, 3
LARGEST, LARGEST_POWER, LARGEST_SHIFT = 1_000_000, 64, 4_096
"""Numbers beyond which a program is not short any more."""
FILE_NAME = "<code that Assent reads>"
LIBRARY = sys.stdlib_module_names - {"test", "this", "antigravity", "idlelib", "turtle", "turtledemo", "__main__"}
ALSO_HARMLESS = frozenset({"yaml"})
"""Modules from elsewhere of which a few functions are known."""
UTF8 = ("utf-8", "utf8", "utf_8", "ascii", "us-ascii")


class TooMuchError(Exception):
    """There is more code than is worth to be followed."""


def read_python(
    text: str, *, home: str = "", cwd: str = "", argv: tuple[str | None, ...] = (), file: str = "", cookie: bool = True
) -> Reading:
    """What a program does. `cookie` says whether its first lines may choose another encoding, as in a file."""
    reader = Reader(home, cwd, argv, file)
    reader.read(text, cookie=cookie)
    return reader.found


def parse(text: str) -> Any:
    """The syntax tree, made by the interpreter itself; None for what it refuses.

    Warnings about the code are nobody's business here: they would be printed, and loading them takes time.
    """
    import _ast
    import _warnings

    shown: Any = sys.modules.get("warnings", _warnings)
    for category in (SyntaxWarning, DeprecationWarning):
        quiet = ("ignore", None, category, FILE_NAME, 0)
        if quiet not in shown.filters[:2]:
            shown.filters.insert(0, quiet)
    try:
        return compile(text, FILE_NAME, "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def is_recoded(text: str) -> bool:
    """Whether one of the first two lines chooses an encoding in which the text may say something else."""
    for line in text.split("\n", 2)[:2]:
        comment = line.strip(" \t\f\ufeff\r")
        if comment[:1] == "#" and "coding" in comment:
            name = comment.partition("coding")[2].lstrip(":= \t").lower()
            if not name.startswith(UTF8) and comment.partition("coding")[2][:1] in (":", "="):
                return True
    return False


class Reader:
    """Follows one program; `names` is what is known where it stands."""

    def __init__(self, home: str, cwd: str, argv: tuple[str | None, ...], file: str) -> None:
        self.found = Reading()
        self.home, self.cwd, self.argv, self.file = home, cwd, argv, file
        self.names: Names = {}
        self.outside: list[Names] = []
        """The names around a function: the module's first."""
        self.moved = ""
        """Where `os.chdir` has led."""
        self.weak = 0
        """Inside of what may run not at all, in part or again, a name keeps what it held before as well."""
        self.quiet = 0
        self.steps = self.depth = 0
        self.calling: list[Any] = []
        self.returned: list[list[Value]] = []
        self.left: dict[int, Value] = {}
        """Functions that nobody has called yet."""
        self.shared: frozenset[str] = frozenset()
        """Names of the module that the function around may set."""
        self.later: set[str] = set()
        """Names that are used in what runs later: they must keep what they hold."""
        self.lazy: dict[int, Value] = {}
        """Lists that are looked through later: they must stay as they are."""
        self.changes = 0
        """How often a list or dict was changed."""

    def doubt(self, why: str) -> None:
        if not self.quiet:
            self.found.doubt(why)

    def read(self, text: str, *, cookie: bool = False) -> None:
        """Follow a whole text, and then what it only defines."""
        if len(text) > LONGEST_TEXT:
            self.doubt("the code is too long to be read")
            spell_lines(text, self.found)
            return
        if cookie and is_recoded(text):
            self.doubt("the code chooses an encoding of its own")
        tree = parse(text)
        if tree is None:
            self.doubt("the code cannot be read")
            spell_lines(text, self.found)
            return
        try:
            self.body(tree.body)
            self.unused()
        except TooMuchError:
            self.quiet = 0
            self.doubt("there is too much code to follow")
        except RecursionError:
            self.quiet = 0
            self.doubt("the code is nested too deeply")
        except Exception as error:  # INVARIANT: whatever fails here, the code is not proven
            self.quiet = 0
            self.doubt(f"reading it failed ({type(error).__name__})")

    def unused(self) -> None:
        """What functions would do that nobody calls by name; they do not run, or a doubt says so already."""
        self.quiet += 1
        while self.left:
            _, function = self.left.popitem()
            self.invoke(function, Given([], {}), unknown=SOMETHING)
        self.quiet -= 1

    def step(self, cost: int = 1) -> None:
        self.steps += cost
        if self.steps > MOST_STEPS:
            raise TooMuchError

    # --- statements ------------------------------------------------------------------------------------------------

    def body(self, statements: Iterable[Any]) -> None:
        for statement in statements:
            self.step()
            run: Callable[[Any], None] | None = getattr(self, f"do_{type(statement).__name__.lower()}", None)
            if run is None:
                self.doubt(f"`{type(statement).__name__}` is not followed")
                self.parts(statement)
            else:
                run(statement)

    def parts(self, node: Any) -> None:
        """Whatever stands inside of something that is not followed is looked at all the same."""
        for name in node._fields:
            inner = getattr(node, name, None)
            for part in inner if isinstance(inner, list) else [inner]:
                kind = type(part).__name__.lower()
                if hasattr(self, f"do_{kind}"):
                    self.body([part])
                elif hasattr(self, f"of_{kind}"):
                    self.value(part)
                elif hasattr(part, "_fields"):
                    self.step()
                    self.parts(part)

    def do_expr(self, node: Any) -> None:
        self.value(node.value)

    def do_pass(self, _node: Any) -> None: ...

    do_break = do_continue = do_global = do_pass

    def do_nonlocal(self, _node: Any) -> None:
        self.doubt("names of a function around it are changed")

    def do_assert(self, node: Any) -> None:
        self.value(node.test)
        self.value(node.msg)

    def do_raise(self, node: Any) -> None:
        self.value(node.exc)
        self.value(node.cause)

    def do_assign(self, node: Any) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self.assign(target, value)

    def do_annassign(self, node: Any) -> None:
        if node.value is not None:
            self.assign(node.target, self.value(node.value))

    def do_augassign(self, node: Any) -> None:
        before = self.value(node.target)
        value = self.combine(before, self.value(node.value), type(node.op).__name__)
        self.assign(node.target, value)

    def do_delete(self, node: Any) -> None:
        for target in node.targets:
            kind = type(target).__name__
            if kind == "Subscript":
                if not is_inert(self.value(target.value)):
                    self.doubt("a part of something is removed")
                self.value(target.slice)
            elif kind != "Name":
                self.doubt("an attribute is removed")

    def do_if(self, node: Any) -> None:
        self.value(node.test)
        before = dict(self.names)
        self.narrow(node.test, whether=True)
        begun = dict(self.names)
        self.weakly(node.body)
        then = dict(self.names)
        self.reset(before)
        if leaves(node.body):  # what follows is the other way; what was set on this one may be met again in a loop
            then = {name: value for name, value in then.items() if value is not begun.get(name)}
            self.narrow(node.test, whether=False)
        self.weakly(node.orelse)
        self.reset(join(then, self.names))

    def reset(self, names: Names) -> None:
        """Functions have kept this very scope, so that it is filled anew."""
        self.step(1 + len(names) // 16)
        if names is not self.names:
            kept = dict(names)
            self.names.clear()
            self.names.update(kept)

    def weakly(self, statements: list[Any]) -> None:
        """Statements that may not run."""
        self.weak += 1
        self.body(statements)
        self.weak -= 1

    def narrow(self, test: Any, *, whether: bool) -> None:
        """`if name.endswith(".py")`: what is known of a name in a listing, where that holds."""
        kind = type(test).__name__
        if kind == "UnaryOp" and type(test.op).__name__ == "Not":
            self.narrow(test.operand, whether=not whether)
        elif kind == "BoolOp" and type(test.op).__name__ == ("And" if whether else "Or"):
            for part in test.values:
                self.narrow(part, whether=whether)
        elif whether and (found := ending_of(test)):
            name, endings = found
            held = self.names.get(name)
            if held is not None:
                self.names[name] = choice([narrowed(one, end) for one in alternatives(held) for end in endings])

    def do_for(self, node: Any) -> None:
        self.rounds(node, lambda: self.assign(node.target, element(self.value(node.iter))))

    def do_while(self, node: Any) -> None:
        test = self.value(node.test)
        endless = test.kind == CONST and bool(test.value)
        if endless and not has_exit(node.body):
            self.doubt("a loop may never end")
        self.rounds(node, lambda: self.value(node.test))

    def rounds(self, node: Any, begin: Callable[[], object]) -> None:
        """A loop: as often as something that is known about names still changes, then as if they held anything.

        Code in doubt is not proven anyhow: there it is enough to see what a second round meets.
        """
        self.weak += 1
        most = 1 if self.found.doubts else MOST_ROUNDS
        for turn in range(most + 1):
            before, changes = dict(self.names), self.changes
            begin()
            self.body(node.body)
            self.reset(join(before, self.names))
            changed = [name for name, value in self.names.items() if not is_known(value, before.get(name))]
            if not changed and changes == self.changes:
                break
            if turn == most and changed:
                self.doubt("what a loop changes is not followed to its end")
            for name in changed if turn >= most - 1 else ():
                held = self.names[name]
                self.names[name] = SOME_DATA if is_inert(held) else SOMETHING
        self.body(node.orelse)
        self.weak -= 1

    def do_with(self, node: Any) -> None:
        for item in node.items:
            value = self.value(item.context_expr)
            for one in alternatives(value):
                if one.kind not in (FILE, DATA):
                    self.doubt("something else than a file is opened by `with`")
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value)
        self.body(node.body)

    def do_try(self, node: Any) -> None:
        self.weakly(node.body)
        for handler in node.handlers:
            self.value(handler.type)
            if handler.name:
                self.keep(handler.name, SOME_DATA)
            self.weakly(handler.body)
        self.weakly(node.orelse)
        self.body(node.finalbody)

    def do_return(self, node: Any) -> None:
        value = self.value(node.value)
        if self.returned:
            self.returned[-1].append(value)

    def do_import(self, node: Any) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            self.imports(top)
            self.keep(alias.asname or top, Value(MEMBER, alias.name if alias.asname else top))

    def do_importfrom(self, node: Any) -> None:
        module = node.module or ""
        if node.level:
            self.doubt("a module of the project is imported")
        else:
            self.imports(module.partition(".")[0])
        for alias in node.names:
            if alias.name == "*":
                self.doubt(f"everything in {module} is imported")
            else:
                self.keep(alias.asname or alias.name, member(self, f"{module}.{alias.name}"))

    def imports(self, module: str) -> None:
        self.found.modules[module] = None
        if module not in LIBRARY and module not in ALSO_HARMLESS:
            self.doubt(f"it imports {module}, which may do anything")

    def do_functiondef(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
            self.doubt("a function is decorated")
        made = self.function(node)
        self.left[id(made)] = made
        self.keep(node.name, made)

    def do_asyncfunctiondef(self, node: Any) -> None:
        self.doubt("a function is asynchronous")
        self.do_functiondef(node)

    def do_classdef(self, node: Any) -> None:
        self.doubt("it defines a class")
        for base in (*node.bases, *node.decorator_list, *(keyword.value for keyword in node.keywords)):
            self.value(base)
        around, self.names = self.names, {}
        self.outside.append(around)
        self.body(node.body)
        self.outside.pop()
        self.names = around
        self.keep(node.name, SOMETHING)

    def function(self, node: Any) -> Value:
        """A function or lambda, with the values of its defaults and of the names around it."""
        given = node.args
        plain = [*given.posonlyargs, *given.args]
        defaults = {
            arg.arg: self.value(default)
            for arg, default in zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True)
        }
        defaults |= {
            arg.arg: self.value(default)
            for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if default is not None
        }
        around = [*self.outside, self.names] if self.outside else [self.names]
        return Value(FUNCTION, (node, defaults, around))

    def invoke(self, function: Value, given: Given, unknown: Value = SOME_DATA) -> Value:
        """What a function does with these values; parameters without one are `unknown`."""
        node, defaults, around = function.value
        self.left.pop(id(function), None)
        if len(self.calling) >= DEEPEST_CALL or any(other is node for other in self.calling):
            self.doubt("a function calls itself")
            return SOMETHING
        names = bound(node.args, given, defaults, unknown)
        kept, self.names = (self.names, self.outside, self.shared), names
        self.outside = around
        self.shared = shared_by(node)
        self.calling.append(node)
        self.returned.append([])
        try:
            if type(node).__name__ == "Lambda":
                return self.value(node.body)
            if is_generator(node):
                self.doubt("a function yields")
            self.body(node.body)
            return choice(self.returned[-1] or [NOTHING])
        finally:
            self.returned.pop()
            self.calling.pop()
            self.names, self.outside, self.shared = kept

    # --- names -----------------------------------------------------------------------------------------------------

    def keep(self, name: str, value: Value) -> None:
        """Bind a name. INVARIANT: what runs later, as a function that was handed on does, meets what it met here."""
        if name in self.shared and self.outside:
            held = self.outside[0].get(name)
            self.guard(name, held, value)
            self.outside[0][name] = value if held is None else choice([held, value])
            return
        held = self.names.get(name)
        self.step(1 + len(alternatives(value)) * (len(alternatives(held)) if held is not None else 0) // 4)
        self.guard(name, held, value)
        if self.weak and held is not None and not same(held, value):
            value = choice([held, value])
        elif self.weak and held is None and not self.outside and name in BUILTIN_NAMES:
            value = choice([value, member(self, f"builtins.{name}")])
        self.names[name] = value

    def guard(self, name: str, held: Value | None, value: Value) -> None:
        if held is not None and is_known(value, held):
            return
        if name in self.later and held is not None:
            self.doubt(f"{name} gets another value, and is used later")
        kinds = {one.kind for one in (*alternatives(value), *(alternatives(held) if held is not None else ()))}
        if not CALLABLE.isdisjoint(kinds) and (held is not None or name in BUILTIN_NAMES):
            self.doubt(f"{name} becomes another function")

    def defer(self, node: Any) -> None:
        """Names that a part of the code will look up when it runs."""
        own = {arg.arg for part in descend([node]) if type(part).__name__ == "arg" for arg in (part,)}
        own |= {name for part in descend([node]) for name in names_in(getattr(part, "target", None))}
        used = {part.id for part in descend([node]) if type(part).__name__ == "Name"}
        self.later |= used - own

    def assign(self, target: Any, value: Value) -> None:
        kind = type(target).__name__
        if kind == "Name":
            self.keep(target.id, value)
        elif kind in ("Tuple", "List"):
            self.unpack(target.elts, value)
        elif kind == "Starred":
            self.assign(target.value, several(element(value)))
        elif kind == "Subscript":
            self.store(self.value(target.value), self.value(target.slice), value)
        else:
            self.value(target.value)
            self.doubt("an attribute is changed")

    def unpack(self, targets: list[Any], value: Value) -> None:
        starred = any(type(target).__name__ == "Starred" for target in targets)
        for place, target in enumerate(targets):
            found = [
                one.items[place]
                if one.kind == DATA and one.items is not None and len(one.items) == len(targets) and not starred
                else element(one)
                for one in alternatives(value)
            ]
            self.assign(target, choice(found))

    def store(self, holder: Value, key: Value, value: Value) -> None:
        """INVARIANT: what a container holds is data, or was put there when it was made."""
        self.change(holder)
        if holder.kind == MEMBER:
            self.doubt(f"{holder.value} is changed")
            return
        if not is_inert(value) or holder.kind not in (DATA, CHOICE):
            self.doubt("something else than data is kept in a container")
        for one in alternatives(holder):
            if one.kind != DATA:
                continue
            if isinstance(one.value, dict) and key.kind == CONST and is_key(key.value) and len(one.value) < MOST_ITEMS:
                held = one.value.get(key.value)
                one.value[key.value] = value if held is None else choice([held, value])
            one.loose = True
            if one.each is not None and not is_inert(one.each):
                one.each = choice([one.each, value])

    def change(self, holder: Value) -> None:
        """Something is put into a list or dict, or taken out."""
        self.changes += 1
        if any(id(one) in self.lazy for one in alternatives(holder)):
            self.doubt("a list is changed that is looked through later")

    def look_later(self, values: list[Value]) -> None:
        """Lists of which only a view is made."""
        for value in values:
            for one in alternatives(value):
                if one.kind == DATA and (one.items is not None or isinstance(one.value, dict)):
                    self.lazy[id(one)] = one

    # --- expressions -----------------------------------------------------------------------------------------------

    def value(self, node: Any) -> Value:
        """What an expression comes to."""
        if node is None:
            return NOTHING
        self.step()
        run: Callable[[Any], Value] | None = getattr(self, f"of_{type(node).__name__.lower()}", None)
        if run is None:
            self.doubt(f"`{type(node).__name__}` is not followed")
            self.parts(node)
            return SOMETHING
        self.depth += 1
        if self.depth > DEEPEST:
            raise RecursionError
        found = run(node)
        self.depth -= 1
        return found

    def of_constant(self, node: Any) -> Value:
        if isinstance(node.value, str):
            self.found.spell(node.value)
        elif isinstance(node.value, bytes):
            self.found.spell(node.value.decode("utf-8", "replace"))
        return const(node.value)

    def of_name(self, node: Any) -> Value:
        name = node.id
        for names in (self.names, *reversed(self.outside)):
            if name in names:
                return names[name]
        if name == "__name__":
            return const("__main__")
        if name == "__file__":
            return const(self.file) if self.file else SOME_DATA
        if name in ("__builtins__", "__builtin__"):
            return Value(MEMBER, "builtins")
        return member(self, f"builtins.{name}")

    def of_joinedstr(self, node: Any) -> Value:
        """A text with values in it: each that this makes, where one of these is one of several."""
        made: list[list[str | None]] = [[]]
        for part in node.values:
            options = alternatives(self.value(part))
            made = [[*begun, *pieces_of(option)] for begun in made for option in options][: MAX_TEXTS + 1]
            if len(made) > MAX_TEXTS:
                return SOME_DATA
        found = choice([text_of(pieces) for pieces in made])
        for one in alternatives(found):
            self.spell(one)
        return found

    def of_formattedvalue(self, node: Any) -> Value:
        value = self.value(node.value)
        check_data(self, value, "a text", lenient=True)
        if node.format_spec is not None:
            self.value(node.format_spec)
            return SOME_DATA
        if value.kind == PATH:
            return as_text(value)
        return value if value.kind in (*SIMPLE, CHOICE) and node.conversion < 0 else SOME_DATA

    def of_binop(self, node: Any) -> Value:
        operator = type(node.op).__name__
        chain: list[Any] = []
        left = node
        while type(left).__name__ == "BinOp":  # a long sum leans to the left
            chain.append(left)
            left = left.left
        found = self.value(left)
        for part in reversed(chain):
            operator = type(part.op).__name__
            found = self.combine(found, self.value(part.right), operator)
        return found

    def combine(self, one: Value, other: Value, operator: str) -> Value:
        """What an operator makes of two values."""
        made: list[Value] = []
        many = len(alternatives(one)) * len(alternatives(other))
        self.step(many * (1 + many // 4))
        for left in alternatives(one):
            for right in alternatives(other):
                made.append(self.operate(left, right, operator))
                if len(made) > MAX_TEXTS:
                    return SOME_DATA if is_inert(one) and is_inert(other) else SOMETHING
        return choice(made)

    def operate(self, one: Value, other: Value, operator: str) -> Value:
        if operator == "Div" and PATH in (one.kind, other.kind):
            return call_member(self, "os.path.join", Given([one, other], {}), as_path=True)
        if not (is_inert(one) and is_inert(other)):
            if one.kind == other.kind == DATA:
                return several(choice([element(one), element(other)]))
            self.doubt("it calculates with something else than data")
            begun = one.kind == TEXT or (one.kind == CONST and isinstance(one.value, str))
            return text_of([*pieces_of(one), None]) if begun and operator == "Add" else SOMETHING
        if operator == "Add":
            made = added(one, other)
            if made is not None:
                self.spell(made)
                return made
        if operator == "Mod" and one.kind == CONST and isinstance(one.value, str):
            given = other.items if other.kind == DATA and other.items is not None else [other]
            made = formatted(one, given)
            self.spell(made)
            return made
        return self.calculate(one, other, operator)

    def calculate(self, one: Value, other: Value, operator: str) -> Value:
        """Numbers, and texts that are repeated; a result that could not be held in memory is a doubt."""
        numbers = [value.value for value in (one, other) if value.kind == CONST and is_number(value.value)]
        large = other.kind == CONST and is_number(other.value) and abs(other.value) > LARGEST_POWER
        if (operator == "Pow" and large) or (operator == "LShift" and large and other.value > LARGEST_SHIFT):
            self.doubt("a number may become very large")
        elif operator == "Mult" and len(numbers) == 1 and abs(numbers[0]) > LARGEST and is_repeated(one, other):
            self.doubt("something may become very large")
        if len(numbers) == 2 and operator in ARITHMETIC:
            return fold_numbers(numbers[0], numbers[1], operator)
        if operator == "Mult" and len(numbers) == 1:
            return repeated(one, other)
        if one.each is not None or other.each is not None or one.items is not None:
            return several(choice([element(one), element(other)]))
        return SOME_DATA

    def of_unaryop(self, node: Any) -> Value:
        value = self.value(node.operand)
        if type(node.op).__name__ == "USub" and value.kind == CONST and isinstance(value.value, (int, float)):
            return const(-value.value)
        return SOME_DATA

    def of_boolop(self, node: Any) -> Value:
        return choice([self.value(part) for part in node.values])

    def of_compare(self, node: Any) -> Value:
        self.value(node.left)
        for part in node.comparators:
            self.value(part)
        return SOME_DATA

    def of_ifexp(self, node: Any) -> Value:
        self.value(node.test)
        return choice([self.value(node.body), self.value(node.orelse)])

    def of_namedexpr(self, node: Any) -> Value:
        value = self.value(node.value)
        self.assign(node.target, value)
        return value

    def of_tuple(self, node: Any) -> Value:
        items: list[Value] = []
        for part in node.elts:
            if type(part).__name__ == "Starred":
                value = self.value(part.value)
                items += value.items if value.items is not None and value.kind == DATA else [element(value)]
            else:
                items.append(self.value(part))
        return listed(items)

    of_list = of_set = of_tuple

    def of_dict(self, node: Any) -> Value:
        held: dict[object, Value] = {}
        loose = False
        for key, part in zip(node.keys, node.values, strict=True):
            name, value = self.value(key), self.value(part)
            if not is_inert(value) or not is_inert(name):
                self.doubt("something else than data is kept in a container")
            if key is not None and name.kind == CONST and is_key(name.value) and len(held) < MOST_ITEMS:
                held[name.value] = value
            else:
                loose = True
        return Value(DATA, held, loose=loose)

    def of_slice(self, node: Any) -> Value:
        return listed([self.value(part) for part in (node.lower, node.upper, node.step)])

    def of_subscript(self, node: Any) -> Value:
        holder, key = self.value(node.value), self.value(node.slice)
        sliced = type(node.slice).__name__ == "Slice"
        return choice([self.at(one, key, sliced=sliced) for one in alternatives(holder)])

    def at(self, holder: Value, key: Value, *, sliced: bool) -> Value:
        """What stands at a place of something."""
        if holder.kind == MEMBER:
            return self.at_member(holder.value, key)
        if holder.kind not in (DATA, *SIMPLE):
            self.doubt("a place in something else than data")
            return SOMETHING
        if sliced:
            return slice_of(holder, key)
        if holder.kind == CONST and isinstance(holder.value, (str, bytes)):
            return sign_at(holder.value, key)
        if holder.kind == DATA and key.kind == CONST and not holder.loose:
            if isinstance(holder.value, dict):
                return holder.value.get(key.value, SOME_DATA) if is_key(key.value) else SOME_DATA
            if holder.items is not None and isinstance(key.value, int):
                inside = -len(holder.items) <= key.value < len(holder.items)
                return holder.items[key.value] if inside else SOME_DATA
        if holder.kind == DATA and isinstance(holder.value, dict):
            return choice([*holder.value.values(), SOME_DATA])
        return element(holder)

    def at_member(self, name: str, key: Value) -> Value:
        text = key.value if key.kind == CONST and isinstance(key.value, str) else ""
        if name == "os.environ":
            return call_member(self, "os.environ.get", Given([key], {}))
        if name == "sys.modules" or name.endswith(".__dict__") or name in ("builtins.globals", "builtins.locals"):
            self.doubt("a module is reached by its name")
            return member(self, f"{name.removesuffix('.__dict__')}.{text}" if name[-1] == "_" else text)
        if name == "builtins":
            self.doubt("a function is reached by its name")
            return member(self, f"builtins.{text}")
        self.doubt(f"a place in {name}")
        return SOMETHING

    def of_attribute(self, node: Any) -> Value:
        holder = self.value(node.value)
        return choice([self.attribute(one, node.attr) for one in alternatives(holder)])

    def attribute(self, holder: Value, name: str) -> Value:
        if holder.kind == MEMBER:
            if name.startswith("__") and name not in PLAIN_DUNDERS:
                self.doubt(f"it reaches for {name}")
            return member(self, f"{holder.value}.{name}")
        if name[:1] == "_" and name not in PLAIN_DUNDERS:
            self.doubt(f"it reaches for {name}")
            return SOMETHING
        if name in PLAIN_DUNDERS:
            return SOME_DATA
        return part_of(holder, name) or Value(METHOD, (holder, name))

    def of_call(self, node: Any) -> Value:
        callee = self.value(node.func)
        given = Given([], {})
        at_once = consumes(callee)
        for part in node.args:
            if type(part).__name__ == "GeneratorExp" and at_once:
                given.args.append(self.of_listcomp(part))
            elif type(part).__name__ == "Starred":
                value = self.value(part.value)
                exact = value.kind == DATA and value.items is not None and not value.loose
                given.args += value.items if exact and value.items is not None else [element(value)]
                given.spread = given.spread or not exact
            else:
                given.args.append(self.value(part))
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg is None:
                given.spread = True
            given.named[keyword.arg or "**"] = value
        return choice([self.call(one, given) for one in alternatives(callee)])

    def call(self, callee: Value, given: Given) -> Value:
        if callee.kind == MEMBER:
            return call_member(self, callee.value, given)
        if callee.kind == METHOD:
            holder, name = callee.value
            return call_method(self, holder, name, given)
        if callee.kind == FUNCTION:
            return self.invoke(callee, given)
        self.doubt("it calls something that is not known")
        escape(self, given)
        return SOMETHING

    def of_lambda(self, node: Any) -> Value:
        self.defer(node)
        return self.function(node)

    def of_starred(self, node: Any) -> Value:
        return self.value(node.value)

    def comprehend(self, node: Any, results: tuple[Any, ...]) -> list[Value]:
        """The values that a comprehension makes, once for all of its rounds."""
        kept = dict(self.names)
        self.weak += 1
        for part in node.generators:
            if part.is_async:
                self.doubt("a comprehension is asynchronous")
            each = element(self.value(part.iter))
            for name in names_in(part.target):
                self.names.pop(name, None)
            self.assign(part.target, each)
            for test in part.ifs:
                self.value(test)
                self.narrow(test, whether=True)
        made = [self.value(result) for result in results]
        self.weak -= 1
        named = [part.target.id for part in walk([node]) if type(part).__name__ == "NamedExpr"]
        set_inside = {name: self.names[name] for name in named if name in self.names}
        self.reset(join(kept, set_inside))
        return made

    def of_listcomp(self, node: Any) -> Value:
        return several(self.comprehend(node, (node.elt,))[0])

    of_setcomp = of_listcomp

    def of_generatorexp(self, node: Any) -> Value:
        """As a list, but it is made later, when names and lists may hold something else."""
        self.defer(node)
        self.look_later([self.value(part.iter) for part in node.generators[:1]])
        return self.of_listcomp(node)

    def of_dictcomp(self, node: Any) -> Value:
        for value in self.comprehend(node, (node.key, node.value)):
            if not is_inert(value):
                self.doubt("something else than data is kept in a container")
        return SOME_DATA

    # --- what functions of the library use -------------------------------------------------------------------------

    def spell(self, value: Value) -> None:
        if value.kind in (CONST, TEXT):
            text = "".join("*" if piece is None else piece for piece in pieces_of(value))
            if text.strip("*"):
                self.found.spell(text)

    def nested(self, text: str) -> None:
        """Code inside of code: `exec("…")`; it sees and sets the same names."""
        tree = parse(text) if len(text) <= LONGEST_TEXT else None
        if tree is None or len(self.calling) >= DEEPEST_CALL:
            self.doubt("the code that it runs cannot be read")
            return
        self.calling.append(tree)
        self.body(tree.body)
        self.calling.pop()


MAX_TEXTS = 16
ARITHMETIC = {"Add", "Sub", "Mult", "FloorDiv", "Mod", "Pow"}
PLAIN_DUNDERS = frozenset({"__name__", "__version__", "__doc__", "__file__"})
BUILTIN_NAMES = frozenset(dir(__import__("builtins")))


def leaves(statements: list[Any]) -> bool:
    return bool(statements) and type(statements[-1]).__name__ in ("Continue", "Break", "Return", "Raise")


CALLABLE = frozenset({MEMBER, METHOD, FUNCTION, SOMETHING.kind})
AT_ONCE = frozenset(
    f"builtins.{name}" for name in "sum any all list set tuple sorted min max dict frozenset len print".split()
)


def consumes(callee: Value) -> bool:
    """Whether a function goes through what it is given before anything else happens."""
    if callee.kind == METHOD:
        return callee.value[1] in ("join", "extend", "update", "writelines")
    return callee.kind == MEMBER and (callee.value in AT_ONCE or callee.value == "collections.Counter")


def shared_by(node: Any) -> frozenset[str]:
    if type(node).__name__ == "Lambda":
        return frozenset()
    return frozenset(name for part in walk(node.body) if type(part).__name__ == "Global" for name in part.names)


def bound(arguments: Any, given: Given, defaults: Names, unknown: Value) -> Names:
    """The names of a function's parameters with the values they get."""
    plain = [*arguments.posonlyargs, *arguments.args]
    names = {arg.arg: defaults.get(arg.arg, unknown) for arg in (*plain, *arguments.kwonlyargs)}
    for arg, value in zip(plain, given.args, strict=False):
        names[arg.arg] = value
    if given.spread:
        anything = choice([*given.args, *given.named.values()])
        names = {name: choice([value, anything, SOME_DATA]) for name, value in names.items()}
    names |= {name: value for name, value in given.named.items() if name in names}
    if arguments.vararg is not None:
        names[arguments.vararg.arg] = listed(given.args[len(plain) :]) if given.args else several(unknown)
    if arguments.kwarg is not None:
        held: Any = {name: value for name, value in given.named.items() if name not in names}
        names[arguments.kwarg.arg] = Value(DATA, held, each=unknown, loose=True)
    return names


def join(one: Names, other: Names) -> Names:
    """What is known behind a fork, whichever way was taken."""
    if one is other:
        return one
    made = dict(one)
    for name, value in other.items():
        held = made.get(name)
        if held is None:
            made[name] = value
        elif held is not value:
            made[name] = choice([held, value])
    return made


def is_known(value: Value, before: Value | None) -> bool:
    """Whether a name held nothing else before."""
    if before is None:
        return False
    if value is before or same(value, before):
        return True
    held = alternatives(before)
    return all(any(is_covered(one, other) for other in held) for one in alternatives(value))


def is_covered(one: Value, other: Value) -> bool:
    if other.kind == SOMETHING.kind or same(one, other):
        return True
    anything = other.kind == DATA and other.items is None and other.each is None and other.value is None
    return anything and is_inert(one)


def is_key(value: object) -> bool:
    return isinstance(value, (str, bytes, int, float, bool, type(None)))


def walk(statements: Iterable[Any]) -> Iterable[Any]:
    """Every node below, without those of other functions."""
    todo = list(statements)
    while todo:
        node = todo.pop()
        yield node
        if type(node).__name__ in ("FunctionDef", "AsyncFunctionDef", "Lambda", "ClassDef"):
            continue
        for name in getattr(node, "_fields", ()):
            inner = getattr(node, name, None)
            todo += inner if isinstance(inner, list) else [inner] if hasattr(inner, "_fields") else []


def descend(nodes: list[Any]) -> Iterable[Any]:
    """Every node below, functions inside as well."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        for name in getattr(node, "_fields", ()):
            inner = getattr(node, name, None)
            todo += inner if isinstance(inner, list) else [inner] if hasattr(inner, "_fields") else []


def is_generator(node: Any) -> bool:
    return any(type(part).__name__ in ("Yield", "YieldFrom", "Await") for part in walk(node.body))


def has_exit(statements: list[Any]) -> bool:
    """Whether a loop can be left from inside: by a word of the language, or by the end of the program."""
    for part in walk(statements):
        kind = type(part).__name__
        if kind in ("Break", "Return", "Raise"):
            return True
        called = getattr(part.func, "id", getattr(part.func, "attr", "")) if kind == "Call" else ""
        if called in ("exit", "quit", "input", "next"):
            return True
    return False


def names_in(target: Any) -> list[str]:
    if target is None:
        return []
    return [part.id for part in walk([target]) if type(part).__name__ == "Name"]


def ending_of(test: Any) -> tuple[str, list[str]] | None:
    """A name and the endings that a test demands of it: `f.endswith(".py")`, `p.suffix == ".py"`."""
    kind = type(test).__name__
    if kind == "Call" and type(test.func).__name__ == "Attribute" and test.func.attr == "endswith":
        if len(test.args) != 1:
            return None
        holder, wanted = test.func.value, test.args[0]
    elif kind == "Compare" and len(test.ops) == 1 and type(test.ops[0]).__name__ in ("Eq", "In"):
        wanted = test.comparators[0]
        several_of = hasattr(wanted, "elts")
        if type(test.left).__name__ != "Attribute" or test.left.attr != "suffix":
            return None
        if several_of != (type(test.ops[0]).__name__ == "In"):
            return None
        holder = test.left.value
    else:
        return None
    if type(holder).__name__ == "Attribute" and holder.attr == "name":
        holder = holder.value
    texts = [getattr(part, "value", None) for part in getattr(wanted, "elts", [wanted])]
    endings = [text for text in texts if isinstance(text, str)]
    if type(holder).__name__ != "Name" or len(endings) != len(texts) or not endings or len(endings) > 8:
        return None
    return holder.id, endings


def narrowed(value: Value, ending: str) -> Value:
    """A name or path in a listing that ends so."""
    plain = not any(sign in ending for sign in "*?[]/")
    if value.kind == NAME and plain and value.value == "*":
        return Value(NAME, f"*{ending}")
    if value.kind == FOUND and plain and value.value[1] == "*":
        return Value(FOUND, (value.value[0], f"*{ending}"))
    if value.kind == PATH:
        return Value(PATH, narrowed(value.value, ending))
    return value


def as_text(path: Value) -> Value:
    """A path as the text it stands for."""
    return as_text(path.value) if path.kind == PATH else path


def fold_numbers(one: Any, other: Any, operator: str) -> Value:
    try:
        if abs(one) > 1e15 or abs(other) > 1e15:
            return SOME_DATA
        match operator:
            case "Add":
                return const(one + other)
            case "Sub":
                return const(one - other)
            case "Mult":
                return const(one * other)
            case "FloorDiv":
                return const(one // other)
            case "Pow":
                power = abs(one) < LARGEST and 0 <= other <= LARGEST_POWER
                return const(one**other) if power and one**other < LARGEST**3 else SOME_DATA
            case _:
                return const(one % other)
    except (ArithmeticError, ValueError):
        return SOME_DATA


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_repeated(one: Value, other: Value) -> bool:
    """Whether a product is a text or list, many times over."""
    for held in (one, other):
        if held.kind in (TEXT, FOUND, NAME) or held.items is not None or held.each is not None:
            return True
        if held.kind == CONST and isinstance(held.value, (str, bytes)):
            return True
    return False


def sign_at(text: str | bytes, key: Value) -> Value:
    inside = key.kind == CONST and type(key.value) is int and -len(text) <= key.value < len(text)
    return const(text[key.value]) if inside else SOME_DATA


def repeated(one: Value, other: Value) -> Value:
    """`"ab" * 3` and `[0] * 3`."""
    held, count = (one, other) if other.kind == CONST and isinstance(other.value, int) else (other, one)
    times = count.value if isinstance(count.value, int) else 0
    if held.kind == CONST and isinstance(held.value, (str, bytes)) and 0 <= times * len(held.value) <= 4_096:
        return const(held.value * times)
    if held.kind == DATA and (held.items is not None or held.each is not None):
        return several(element(held))
    return SOME_DATA


def slice_of(holder: Value, key: Value) -> Value:
    """A part of something; of a constant the very part."""
    places: list[Any] = [part.value if part.kind == CONST else "?" for part in key.items or ()]
    known = len(places) == 3 and all(place is None or type(place) is int for place in places) and places[2] != 0
    if holder.kind == CONST and isinstance(holder.value, (str, bytes)):
        return const(holder.value[slice(*places)]) if known else SOME_DATA
    if holder.kind == DATA and holder.items is not None and not holder.loose and known:
        return listed(holder.items[slice(*places)])
    return several(element(holder)) if holder.kind == DATA else SOME_DATA


def spell_lines(text: str, found: Reading) -> None:
    """What stands in quotes in a text that is no Python: it may be for another version, or for a notebook."""
    from assent.languages.literals import literals

    for piece in literals(text):
        found.spell(piece)
