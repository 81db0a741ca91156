"""Records (frozen, slotted) and ordered members, made without importing dataclasses, typing or enum."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Never, NoReturn, ParamSpec, TypeVar, dataclass_transform

    T = TypeVar("T")
    P = ParamSpec("P")
else:

    def dataclass_transform(**_facts):
        return lambda function: function


def once(load: Callable[[], T]) -> Callable[[], T]:
    """What a function returns, asked for once: an import inside a function costs time whenever it is met."""
    kept: list[T] = []

    def loaded() -> T:
        if not kept:
            kept.append(load())
        return kept[0]

    return loaded


COMPILE_AFTER = 60
OPEN_AFTER, OPENED_FROM = 500, 2
"""Used so often, and with so many fields, a record is faster filled as an open twin that then becomes one of its class.

A process that answers once never gets there: making the twin costs more than all the records of one decision.
"""


@dataclass_transform(frozen_default=True)
def record(cls: type[T]) -> type[T]:
    """Turn an annotated class into a frozen, slotted record with `==`, `hash`, `repr` and `match` support."""
    space = dict(cls.__dict__)
    del space["__dict__"], space["__weakref__"]
    names = tuple(space["__annotations__"])
    defaults = {name: space.pop(name) for name in names if name in space}
    space |= METHODS if "__repr__" not in space else {**METHODS, "__repr__": space["__repr__"]}
    space |= {"__slots__": names, "__match_args__": names, "_defaults": defaults}
    space |= {"_made": [0], "_copy": None, "_twin": None, "_makers": []}
    made = Translated if "_translate" in space else type
    return made(cls.__name__, cls.__bases__, space)


class Translated(type):
    """A class that its users may also call in words of their own: `_translate` turns those into its fields."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        translate: Any = cls._translate  # type: ignore[attr-defined]
        args, kwargs = translate(args, kwargs)
        return type.__call__(cls, *args, **kwargs)


class AsDataclass:
    """What `dataclasses.fields`, `asdict` and `replace` look for in a class, made when one of them first asks.

    Properties that a class names in `_also` come first: to its users they are fields like any other.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, _made: object, owner: type) -> object:
        from dataclasses import field, make_dataclass

        kinds, defaults = owner.__annotations__, owner._defaults  # type: ignore[attr-defined]
        also: dict[str, str] = getattr(owner, "_also", {})
        rows = [(name, kind, field(kw_only=True)) for name, kind in also.items()]
        rows += [
            (name, kind, field(default=defaults[name]) if name in defaults else field()) for name, kind in kinds.items()
        ]
        twin = make_dataclass(owner.__name__, rows, frozen=True, slots=False)
        for name in ("__dataclass_fields__", "__dataclass_params__"):
            setattr(owner, name, getattr(twin, name))
        return getattr(owner, self._name)


def maker(cls: Callable[P, T]) -> Callable[P, T]:
    """A function that makes a record as its class does: where many are made, calling a function takes half the time."""
    opened: Any = cls
    function_type: Any = type(_slowly)
    function = function_type(_slowly.__code__, {"_cls": cls}, opened.__name__)
    opened._makers.append(function)
    if opened._copy is not None:
        _open(opened)
    return function  # type: ignore[no-any-return]


def _slowly(*args: object, **kwargs: object) -> object:
    """What a maker does until its class is opened, in a space of its own."""
    return _cls(*args, **kwargs)  # type: ignore[name-defined]  # noqa: F821


def setter(cls: type[T], name: str) -> Callable[[T, object], None]:
    """Fills in a field of a record, for the function that has made it. INVARIANT: nobody else has kept it by then."""
    return vars(cls)[name].__set__  # type: ignore[no-any-return]


def replace(made: T, **changes: object) -> T:
    """A copy of a record with some fields changed."""
    cls: Any = type(made)
    if cls._copy is not None:
        return cls._copy(made, changes)  # type: ignore[no-any-return]
    names = cls.__slots__
    values = [changes.pop(name) if name in changes else getattr(made, name) for name in names]
    if changes:
        raise _no_field(cls, min(changes))
    return cls(*values)  # type: ignore[no-any-return]


def _no_field(cls: type, name: str) -> TypeError:
    return TypeError(f"`{cls.__name__}` has no field `{name}`")


def _slow_start(self: Any, *args: object, **kwargs: object) -> None:
    """Compiling an `__init__` costs more than a whole decision: only a class that is used often gets one.

    It also knows best what to say about a wrong argument.
    """
    cls = type(self)
    cls._made[0] += 1
    if cls._made[0] > COMPILE_AFTER or not _fits(self, args, kwargs):
        cls.__init__ = _initialiser(cls)
        cls.__init__(self, *args, **kwargs)
    elif hasattr(cls, "__post_init__"):
        self.__post_init__()


def _fits(self: Any, args: tuple[object, ...], kwargs: dict[str, object]) -> bool:
    """Fill the fields, if every one is given once or has a default and nothing else is given."""
    defaults, given = self._defaults, len(args)
    left = len(kwargs)
    for at, name in enumerate(self.__slots__):
        if at < given:
            put(self, name, args[at])
        elif name in kwargs:
            left -= 1
            put(self, name, kwargs[name])
        elif name in defaults:
            put(self, name, defaults[name])
        else:
            return False
    return not left and given <= len(self.__slots__)


put = object.__setattr__


def _initialiser(cls: Any) -> Callable[..., None]:
    names = cls.__slots__
    scope = {f"_set_{name}": vars(cls)[name].__set__ for name in names}
    scope |= {f"_default_{name}": value for name, value in cls._defaults.items()}
    signature = ", ".join(f"{name}=_default_{name}" if name in cls._defaults else name for name in names)
    check = ["self.__post_init__()"] if hasattr(cls, "__post_init__") else []
    if _is_opened(cls):
        scope |= {"_made": cls._made, "_open": lambda: _open(cls)}
        check = [f"_made[0] += 1; _made[0] > {OPEN_AFTER} and _open()", *check]
    body = "; ".join([f"_set_{name}(self, {name})" for name in names] + check)
    exec(f"def __init__(self, {signature}): {body or 'pass'}", scope)  # noqa: S102 - field names of our own classes
    return scope["__init__"]  # type: ignore[no-any-return]


def _is_opened(cls: Any) -> bool:
    """Not where threads run at once: there the interpreter stops them all to change a class."""
    alone = getattr(sys, "_is_gil_enabled", None)
    return len(cls.__slots__) >= OPENED_FROM and cls.__bases__ == (object,) and (alone is None or alone())


def _open(cls: Any) -> None:
    """Give a class with many fields a `__new__` instead of its `__init__`, and what `replace` uses."""
    names = cls.__slots__
    scope = {f"_default_{name}": value for name, value in cls._defaults.items()}
    scope |= {"_set": setattr, "_no_field": _no_field, "_bare": object.__new__}
    scope |= {"_cls": cls, "_open": cls._twin or type(cls.__name__, (cls,), {**OPEN, "__slots__": ()})}
    cls._twin = scope["_open"]
    signature = ", ".join(f"{name}=_default_{name}" if name in cls._defaults else name for name in names)
    fill, copy = ("; ".join([f"self.{name} = {source}{name}" for name in names]) for source in ("", "made."))
    begin = "_open()" if type(cls) is type else "_bare(_open)"  # users' words are translated elsewhere
    close = "self.__class__ = _cls" + ("; self.__post_init__()" if hasattr(cls, "__post_init__") else "")
    # Named `__init__`, since that is what a caller with a wrong argument should read.
    text = f"""def __init__(cls, {signature}): self = {begin}; {fill}; {close}; return self
def make({signature}): self = {begin}; {fill}; {close}; return self
def copy(made, changes):
    self = {begin}; {copy}
    try:
        for name in changes: _set(self, name, changes[name])
    except AttributeError: raise _no_field(_cls, name) from None
    {close}; return self"""
    exec(text, scope)  # noqa: S102 - field names of our own classes
    new = scope["__init__"]
    cls.__new__, cls._copy = staticmethod(new), scope["copy"]
    for function in cls._makers:
        function.__globals__.update(scope)
        function.__defaults__, function.__code__ = new.__defaults__, scope["make"].__code__
    if "__init__" in vars(cls):
        del cls.__init__


OPEN = {"__new__": object.__new__, "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
"""What makes an open twin of a record: a subclass, since an object becomes one of its base quickly."""


def _refuse(self: object, name: str, *_value: object) -> NoReturn:
    raise AttributeError(f"`{type(self).__name__}` is frozen: cannot change `{name}`")


def _values(self: Any) -> tuple[object, ...]:
    return tuple([getattr(self, name) for name in self.__slots__])


def _equal(self: object, other: object) -> bool:
    if self is other:
        return True
    return _values(self) == _values(other) if type(self) is type(other) else NotImplemented


def _hash(self: object) -> int:
    return hash((type(self).__name__, _values(self)))


def _reduce(self: object) -> tuple[object, ...]:
    return type(self), _values(self)


def _replaced(self: T, /, **changes: object) -> T:
    """For `copy.replace`."""
    return replace(self, **changes)


def _show(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{type(self).__name__}({shown})"


METHODS = {
    "__init__": _slow_start,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
    "__eq__": _equal,
    "__hash__": _hash,
    "__reduce__": _reduce,
    "__repr__": _show,
    "__replace__": _replaced,
    "__dataclass_fields__": AsDataclass("__dataclass_fields__"),
    "__dataclass_params__": AsDataclass("__dataclass_params__"),
}


class _Ordered(type):
    """Gives `for v in Verdict`, `Verdict["ASK"]` and `len(Verdict)`."""

    _by_name: dict[str, Any]

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._by_name.values())

    def __len__(cls) -> int:
        return len(cls._by_name)

    def __getitem__(cls, name: str) -> Any:
        return cls._by_name[name]


class Members(int, metaclass=_Ordered):
    """What `enum.IntEnum` does for us, for a tenth of its import time; the type checker reads it as `IntEnum`."""

    name: str
    shown: str

    def __init_subclass__(cls) -> None:
        cls._by_name = {}
        for name, value in list(vars(cls).items()):
            if name.isupper():
                member = int.__new__(cls, value)
                member.name = name
                member.shown = name.lower()
                setattr(cls, name, member)
                cls._by_name[name] = member

    def __new__(cls, value: int) -> Members:
        for member in cls:
            if member == value:
                return member  # type: ignore[no-any-return]
        raise ValueError(f"{value!r} is not a valid {cls.__name__}")

    @property
    def value(self) -> int:
        return int(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {int(self)}>"

    def __str__(self) -> str:
        return self.shown

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (int(self),)


def assert_never(value: Never) -> NoReturn:
    """End of a `match` that the type checker must find exhaustive."""
    raise AssertionError(f"unhandled value: {value!r}")
