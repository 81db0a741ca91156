"""Does a rule match an effect? Twice: `vouches` is the strict reading for ALLOW, `catches` the permissive for the rest.

INVARIANT: never swap them. What `vouches` accepts, `catches` accepts too; only listing a name is not reading it.
"""

from __future__ import annotations

from assent import globs
from assent.policy.case import anchored, names_of
from assent.policy.rules import CATCHES, EXCEPTS, VOUCHES, fold_name
from assent.types import Place, Url, Verdict, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from assent.getopt import Reading
    from assent.policy.case import Case
    from assent.policy.compiled import Policy
    from assent.policy.rules import PathTarget, Target, WordsTarget
    from assent.types import Effect, Kind, Rule, Stage

LONGEST_NAME = 200
PIPE, INSIDE = "|", "("
SEQUENCES = frozenset((";", "&&", "||"))
EITHER_OR = {"&&", "||"}
EXPANDS = frozenset("$`\n")
OWN_CODES = {"Mcp": "mcp", "Skill": "skill"}
"""What such calls are marked with; a rule on them vouches for no other call."""
JSON_WORDS = {"True": "true", "False": "false", "None": "null"}


def applies(policy: Policy, rule: Rule, effect: Effect, case: Case) -> bool:
    """Whether a rule, with its end and its exceptions, speaks about an effect."""
    if rule.expires and case.call.at >= rule.expires:
        return False
    strict = rule.verdict == Verdict.ALLOW
    reading, opposite = (vouches, excepts) if strict else (catches, vouches)
    if not reading(policy.target(rule.text), effect, case) or not _arguments_fit(rule, effect, strict=strict):
        return False
    return not any(opposite(policy.target(text), effect, case) for text in rule.unless)


def excepts(target: Target, effect: Effect, case: Case) -> bool:
    """The permissive reading for an exception to an allow rule, which also minds the mere listing of names.

    One on a command is about whatever that command does.
    """
    if target.tool == "Bash" and 0 < effect.call <= len(case.calls):
        return any(catches_command(target, command) for command in case.commands if command.call == effect.call)
    return catches(target, effect, case, EXCEPTS)


def vouches(target: Target, effect: Effect, case: Case) -> bool:
    """Strict: every name of the object, exactly the kinds the rule's tool stands for, nothing in doubt."""
    if effect.kind not in VOUCHES[target.tool]:
        return False
    if target.tool == "WebSearch":
        return effect.code == "web.search"
    if target.tool == "Tool":
        return target.bare or any(globs.match_text(name, case.call.tool) for name in target.names)
    if effect.code != OWN_CODES.get(target.tool, effect.code):
        return False
    if target.bare:
        return target.tool != "WebFetch" or effect.code != "web.search"
    if target.names:
        return any(globs.match_text(name, effect.target) for name in target.names)
    if target.host:
        from assent import urls

        return isinstance(effect.at, Url) and urls.covers(target.host, effect.at)
    if not isinstance(effect.at, Place) or effect.at.trouble:
        return False
    return all(any(_holds(path, name, effect, case) for path in target.paths) for name in effect.at.names)


def catches(target: Target, effect: Effect, case: Case, kinds: dict[str, frozenset[Kind]] = CATCHES) -> bool:
    """Permissive: any name of the object, any spelling, folders with everything below them."""
    if target.tool == "Tool":
        return target.bare or any(_same_name(name, tool) for name in target.names for tool in case.tools)
    if effect.kind not in kinds[target.tool]:
        return False
    if target.tool in ("Mcp", "Agent"):
        return _catches_name(target, effect)
    if target.tool == "Skill":
        return effect.code == "skill" and _catches_skill(target, effect)
    if target.tool == "WebSearch":
        return effect.code == "web.search"
    if target.bare:
        return True
    if target.host:
        from assent import urls

        return isinstance(effect.at, Url) and urls.touches(target.host, effect.at)
    folded = isinstance(effect.at, Place) and effect.at.folded
    return any(reaches(path, name, case, folded=folded) for path in target.paths for name in names_of(effect))


def parts_caught(policy: Policy, rule: Rule, case: Case) -> list[int]:
    """The parts of a line that a deny or ask rule on commands is about; 0 stands for the line as a whole.

    An exception spares only what it matches strictly.
    """
    target = policy.target(rule.text)
    exceptions = [policy.target(text) for text in rule.unless]
    found: dict[int, None] = {}
    compared: dict[tuple[object, ...], bool] = {}
    for command in case.commands:
        if command.call not in found:
            key: tuple[object, ...] = (command.words, command.least)
            if target.line:
                key = (*key, command.assignments, command.redirects)
            if key not in compared:
                compared[key] = catches_command(target, command)
            written = command.written or command.words
            if compared[key] and not any(vouches_words(one, written) for one in exceptions):
                found[command.call] = None
    numbered = [number for number in found if number]
    if not numbered and (is_this_line(rule.text, case.text) or any(catches_line(target, line) for line in case.lines)):
        spared = any(is_this_line(text, case.text) for text in rule.unless)
        found |= {} if spared else {0: None}
    return numbered or list(found)


def catches_words(target: Target, words: tuple[str, ...]) -> bool:
    """As `catches_command`, for words about which nothing else is known."""
    return bool(words) and catches_command(target, Words(words))


def catches_command(target: Target, command: Words) -> bool:
    """Permissive comparison of a command with a Bash rule: `/bin/rm` is `rm`, options are a set, in any spelling."""
    if target.tool != "Bash":
        return False
    if target.words is None:
        return True
    return _words_fit(target.words, command) or (len(target.line) == 1 and _part_fits(target.line[0], command))


def catches_line(target: Target, line: tuple[Stage, ...]) -> int:
    """Where a rule on a line of several parts is found in a line, as a run of its parts: the place behind it, or 0."""
    parts = target.line
    if len(parts) < 2:
        return 0
    for start in range(len(line) - len(parts) + 1):
        if all(_stage_fits(parts[at], line[start + at], first=at == 0) for at in range(len(parts))):
            return start + len(parts)
    return 0


def is_this_line(rule: str, text: str) -> bool:
    """Whether an exact rule is a text, sign by sign; where nothing is expanded, blanks between words may differ."""
    body = rule.partition("(")[2][:-1]
    if "*" in body:
        return False
    if body == text.strip():
        return True
    from assent.lexer import squeeze

    return EXPANDS.isdisjoint(text) and squeeze(body) == squeeze(text)


def _stage_fits(part: WordsTarget, stage: Stage, *, first: bool) -> bool:
    if not first and not _is_joined(part.joined, stage.joined):
        return False
    return any(_part_fits(part, command) for command in stage.commands)


def _is_joined(wanted: str, joined: str) -> bool:
    """A pipe is a pipe; of the others only `&&` and `||` exclude each other."""
    if PIPE in (wanted, joined) or INSIDE in (wanted, joined):
        return wanted == joined
    return joined == wanted or (joined in SEQUENCES and wanted in SEQUENCES and {joined, wanted} != EITHER_OR)


def _part_fits(part: WordsTarget, command: Words) -> bool:
    """A part of a line: what it sets and opens is set and opened, whatever else is."""
    if not all(any(_same_word(want, given) for given in command.assignments) for want in part.assignments):
        return False
    if not all(any(_same_redirect(want, given) for given in command.redirects) for want in part.redirects):
        return False
    return _words_fit(part, command) if part.words else part.tail


def _same_redirect(wanted: tuple[str, str, str], given: tuple[str, str, str]) -> bool:
    return wanted[:2] == given[:2] and _same_word(wanted[2], given[2])


def vouches_words(target: Target, words: tuple[str, ...]) -> bool:
    """Strict comparison with a Bash rule: the same words in the same order; `*` is one word that is not an option."""
    if target.tool != "Bash" or not words:
        return False
    if target.words is None:
        return True
    wanted = target.words.words
    if len(words) < len(wanted) or (len(words) > len(wanted) and not target.words.tail):
        return False
    return all(
        want == word or (want == "*" and not word.startswith("-")) for want, word in zip(wanted, words, strict=False)
    )


def _holds(path: PathTarget, name: str, effect: Effect, case: Case) -> bool:
    parts = path.parts
    names_the_folder = effect.kind == "delete" and not globs.has_magic(path.text)
    if effect.deep and parts[-1:] != ("**",) and not names_the_folder:
        return False
    if parts[-1:] == ("**",) and effect.kind in ("write", "delete"):
        parts = (*parts[:-1], "*", "**")
    return any(
        anchor == path.anchor and globs.match_path(_deep(path, parts), _split(text))
        for anchor, text in anchored(name, case, loose=False)
    )


def reaches(path: PathTarget, name: str, case: Case, *, folded: bool) -> bool:
    """Whether a pattern, read permissively, is about a path."""
    for spelling in (name, name.casefold()) if folded else (name,):
        for anchor, text in anchored(spelling, case, loose=True):
            if anchor == path.anchor and any(globs.match_path(p, _split(text)) for p in _loose_forms(path)):
                return True
    return False


def _loose_forms(path: PathTarget) -> list[tuple[str, ...]]:
    """The pattern with everything below it, without regard to case, and with `[` as an ordinary character too."""
    parts = _deep(path, (*path.parts, "**"))
    forms = [parts, tuple(part.casefold() for part in parts)]
    if any("[" in part for part in parts):
        forms.append(tuple(part.replace("[", "[[]") for part in parts))
    return forms


def _deep(path: PathTarget, parts: tuple[str, ...]) -> tuple[str, ...]:
    return ("**", *parts) if path.anchor == "**" else parts


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split("/")) if text else ()


def _catches_name(target: Target, effect: Effect) -> bool:
    if target.tool == "Mcp" and effect.code != "mcp":
        if target.bare:
            return effect.code == "tool"
        return any(_same_call(name, reading) for name in target.names for reading in possible_servers(effect))
    return target.bare or any(_same_call(name, effect.target) for name in target.names)


def _catches_skill(target: Target, effect: Effect) -> bool:
    """By its name, with whatever arguments stand behind it: `/deploy prod` is `deploy`."""
    name = effect.target.strip().lstrip("/").partition(" ")[0]
    return target.bare or any(_same_call(one, given) for one in target.names for given in (effect.target, name))


def possible_servers(effect: Effect) -> list[str]:
    """`server.tool` for every way to read the name of a tool that nobody knows: some hosts write `notes_add`."""
    name = effect.target
    if effect.code != "tool" or len(name) > LONGEST_NAME:
        return []
    return [f"{name[:at]}.{name[at + 1 :]}" for at, sign in enumerate(name) if sign in "_-/" and 0 < at < len(name) - 1]


def _same_call(pattern: str, name: str) -> bool:
    """Without regard to case; a server that the host did not name (`?`) may be any; `a.b` may be a whole server."""
    if name.startswith("?."):
        pattern, name = pattern.partition(".")[2], name[2:]
    return any(
        globs.match_text(wanted, given)
        for wanted, given in ((pattern, name), (pattern.casefold(), name.casefold()))
        for wanted in (wanted, f"{wanted}.*")
    )


def _same_name(pattern: str, tool: str) -> bool:
    return globs.match_text(pattern, tool) or globs.match_text(fold_name(pattern), fold_name(tool))


def _arguments_fit(rule: Rule, effect: Effect, *, strict: bool) -> bool:
    """For an allow every named argument must be there and every value in it must match; for a deny one is enough."""
    for name, patterns in rule.args:
        values = _values(effect.arguments or {}, name)
        if not strict:
            values = _flat(values)
        fits = [any(_value_fits(pattern, value, strict=strict) for pattern in patterns) for value in values]
        if not (fits and all(fits) if strict else any(fits)):
            return False
    return True


def _value_fits(pattern: str, value: object, *, strict: bool) -> bool:
    """Text, numbers and truth values as JSON writes them. An allow never follows `..` out of its pattern."""
    if isinstance(value, (dict, list, tuple)):
        return False
    text = value if isinstance(value, str) else JSON_WORDS.get(repr(value), repr(value))
    climbs = ".." in text.replace("\\", "/").split("/") and ".." not in pattern.split("/")
    return globs.match_text(pattern, text) and not (strict and climbs)


def _values(arguments: object, dotted: str) -> list[object]:
    """The values at a dotted name; the items of a list one by one."""
    found: list[object] = [arguments]
    for key in dotted.split("."):
        found = [inner for item in found for inner in _step(item, key)]
    return [inner for item in found for inner in (item if isinstance(item, (list, tuple)) else [item])]


def _flat(values: list[object]) -> list[object]:
    """Everything inside, however deep."""
    found: list[object] = []
    todo = list(values)
    while todo:
        item = todo.pop()
        if isinstance(item, dict):
            todo += item.values()
        elif isinstance(item, (list, tuple)):
            todo += item
        else:
            found.append(item)
    return found


def _step(item: object, key: str) -> list[object]:
    if isinstance(item, dict):
        return [item[key]] if key in item else []
    if isinstance(item, (list, tuple)):
        return [inner[key] for inner in item if isinstance(inner, dict) and key in inner]
    return []


def _words_fit(target: WordsTarget, command: Words) -> bool:
    words, wanted = command.words, target.words
    if not words or not globs.match_text(_program(wanted[0]), _program(words[0])):
        return False
    if len(wanted) < command.least:
        return False
    if len(wanted) == 1 and (target.tail or wanted[0] == "*"):
        return True
    rule = _sorted_words(command, wanted[1:], lenient=False)
    given = _sorted_words(command, words[1:], lenient=True)
    if not given.covers(rule):
        return False
    operands = [operand for operand, _ in rule.operands]
    if target.tail or any("*" in operand for operand in operands) or wanted[-1].endswith("*"):
        return _in_order(operands, given)
    return _exactly(operands, given)


def _sorted_words(command: Words, words: tuple[str, ...], *, lenient: bool) -> Reading:
    if command.sort is not None:
        return command.sort(command.words, words, lenient=lenient)
    from assent.getopt import read_by_habit

    return read_by_habit(words, lenient=lenient)


def _program(word: str) -> str:
    name = word[word.rfind("/") + 1 :]
    return name[:-4] if name.casefold().endswith(".exe") else name


def _in_order(wanted: list[str], given: Reading) -> bool:
    """Subcommands where they stand, other operands in their order with any others between them; `*` is anything."""
    operands, at, free = given.operands, 0, False
    for want in wanted:
        if want == "*":
            free = True
            continue
        while at < len(operands) and not _same_word(want, operands[at][0]):
            if at < given.fixed and not (free or operands[at][1]):
                return False
            at += 1
        if at == len(operands):
            return False
        at += 1
    return True


def _exactly(wanted: list[str], given: Reading) -> bool:
    """No operand more or less; what may be the value of an option that nobody knows may be left out."""
    every = [operand for operand, _ in given.operands]
    certain = [operand for operand, loose in given.operands if not loose]
    return any(len(operands) == len(wanted) and all(map(_same_word, wanted, operands)) for operands in (every, certain))


def _same_word(wanted: str, word: str) -> bool:
    from assent.getopt import is_same_word

    return is_same_word(wanted, word)
