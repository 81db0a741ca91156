"""Command-line options without argparse, which costs more to import than a decision takes."""

from __future__ import annotations

from assent.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Options:
    """What was given: flags, values (a repeated option keeps all), and the rest in order."""

    def __init__(self) -> None:
        self.given: dict[str, list[str]] = {}
        self.rest: list[str] = []

    def has(self, name: str) -> bool:
        return name in self.given

    def value(self, name: str) -> str | None:
        return self.given[name][-1] if name in self.given else None

    def values(self, name: str) -> list[str]:
        return self.given.get(name, [])


def read_options(argv: list[str], known: Mapping[str, bool], verb: str) -> Options:
    """Read `--name value`, `--name=value` and flags; `known` says which names take a value."""
    options = Options()
    words = iter(argv)
    for word in words:
        if word == "--":
            options.rest += words
        elif word in ("-h", "--help"):
            options.given["--help"] = [""]
        elif word.startswith("-") and word != "-":
            _read_one(options, word, words, known, verb)
        else:
            options.rest.append(word)
    return options


def _read_one(options: Options, word: str, words: object, known: Mapping[str, bool], verb: str) -> None:
    name, equals, value = word.partition("=")
    if name not in known:
        raise UsageError(f"unknown option `{name}`", help=_advice(name, known, verb))
    if known[name] and not equals:
        following = next(words, None)  # type: ignore[call-overload]
        if following is None:
            raise UsageError(f"`{name}` needs a value", help=f"see `assent {verb} --help`")
        value = following
    elif equals and not known[name]:
        raise UsageError(f"`{name}` takes no value", help=f"see `assent {verb} --help`")
    options.given.setdefault(name, []).append(value)


def _advice(name: str, known: Mapping[str, bool], verb: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, list(known), n=1)
    return f"did you mean `{close[0]}`?" if close else f"see `assent {verb} --help`"
