"""How layers combine: denials and questions merge from all, allowing needs trust, managed has the last word."""

from __future__ import annotations

from assent.policy.compiled import Policy, compile_policy
from assent.policy.confining import AUTO, SANDBOX
from assent.policy.workflow import STRICTNESS, strictest
from assent.record import record
from assent.types import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from assent.policy.document import Document
    from assent.types import Mode, Rule


@record
class Source:
    """A document and whether its allowing parts count; user and managed files always do."""

    document: Document
    trusted: bool = True


def combine(
    sources: Iterable[Source], *, problems: Iterable[str] = (), chosen: Mode | None = None, unknown: str = ""
) -> tuple[Policy, tuple[str, ...]]:
    """One policy of all layers, and notices about what an untrusted file was not allowed to loosen.

    `unknown` is the folder of a repository that nobody has trusted yet.
    """
    layers = tuple(sources)
    documents = [source.document for source in layers]
    trusted = [source.document for source in layers if source.trusted]
    policy = compile_policy(
        [rule for source in layers for rule in _counting(source, source.document.rules)],
        mode=_mode(layers, chosen, plans=bool(unknown) and _plans(layers)),
        allowed_tools=[tool for document in trusted for tool in document.allowed_tools],
        denied_tools=[tool for document in documents for tool in document.denied_tools],
        path_rules=_path_rules(layers),
        denied_commands=[pattern for document in documents for pattern in document.denied_commands],
        problems=problems,
        preset=_preset(layers),
        descriptions=[rule for source in layers for rule in _counting(source, source.document.descriptions)],
        classifier=_classifier(layers),
        sandbox=_sandbox(layers),
    )
    notices = [UNKNOWN.format(unknown)] if unknown and _plans(layers) and not chosen else []
    notices += [notice for source in layers if not source.trusted for notice in _ignored(source.document)]
    return policy, (*notices, *(notice for source in layers for notice in _not_chosen(source)))


UNKNOWN = "{} is not trusted yet, so it starts in plan mode: `assent policy trust` ends that"


def _plans(layers: tuple[Source, ...]) -> bool:
    """Whether a repository that nobody has trusted starts in plan mode, says somebody who may choose."""
    return any(source.document.untrusted == "plan" for source in layers if _chooses(source))


def _counting(source: Source, rules: tuple[Rule, ...]) -> Iterator[Rule]:
    for rule in rules:
        if source.trusted or rule.verdict > Verdict.ALLOW:
            yield rule


def _chooses(source: Source) -> bool:
    """INVARIANT: no file of a project, trusted or not, says where commands and the person's key are sent."""
    return source.trusted and source.document.layer not in ("project", "local")


def _classifier(layers: tuple[Source, ...]) -> dict[str, str | int | float]:
    """Who judges descriptions. A managed file that names a model does so alone: nobody else bends its judge."""
    choosing = [source.document for source in layers if _chooses(source)]
    managed = [one for one in choosing if one.layer == "managed"]
    insists = any(name == "provider" for one in managed for name, _ in one.classifier)
    return {name: value for one in (managed if insists else choosing) for name, value in one.classifier}


def _sandbox(layers: tuple[Source, ...]) -> dict[str, object]:
    """What the sandbox lets through, from whoever may choose; any file at all may say that it answers no question."""
    choosing = [source.document for source in layers if _chooses(source)]
    found: dict[str, object] = {}
    for name in SANDBOX:
        texts = [text for one in choosing for key, texts in one.sandbox if key == name for text in texts]
        if texts:
            found[name] = list(dict.fromkeys(texts))
    refused = any(source.document.auto_sandboxed is False for source in layers)
    if any(one.auto_sandboxed for one in choosing) and not refused:
        found["auto"] = True
    return found


def _not_chosen(source: Source) -> Iterator[str]:
    loosens = [f"`{AUTO}`"] * bool(source.document.auto_sandboxed) + ["`[sandbox]`"] * bool(source.document.sandbox)
    if loosens and not _chooses(source):
        names = f"{' and '.join(loosens)} {'is' if len(loosens) == 1 else 'are'}"
        yield f"{source.document.file}: {names} ignored: only your own file and managed ones open the sandbox"
    if source.document.untrusted and not _chooses(source):
        yield f"{source.document.file}: `untrusted` is ignored: only your own file and managed ones say that"
    if source.document.classifier and not _chooses(source):
        yield f"{source.document.file}: `[classifier]` is ignored: only your own file and managed ones choose the model"


def _path_rules(layers: tuple[Source, ...]) -> list[tuple[str, bool]]:
    return [
        (pattern, allow)
        for source in layers
        for pattern, allow in source.document.path_rules
        if source.trusted or not allow
    ]


def _mode(layers: tuple[Source, ...], chosen: Mode | None, *, plans: bool) -> Mode:
    """The most specific layer's mode, or the one a person chose for now; an untrusted file may only tighten it."""
    mode: Mode = "default"
    for source in layers:
        wanted = source.document.mode
        if wanted and source.document.layer != "managed":
            mode = wanted if source.trusted else strictest(wanted, mode)
    mode = chosen or ("plan" if plans else mode)
    for source in layers:
        if source.document.mode and source.document.layer == "managed":
            mode = strictest(source.document.mode, mode)
    return mode


def _preset(layers: tuple[Source, ...]) -> str:
    """The most specific layer's preset; an untrusted file may only ask for the careful one, and managed insists."""
    preset = "careful"
    for source in layers:
        wanted = source.document.extends
        if wanted and (source.trusted or wanted == "careful"):
            preset = wanted
    insists = any(s.document.extends == "careful" and s.document.layer == "managed" for s in layers)
    return "careful" if insists else preset


def _ignored(document: Document) -> Iterator[str]:
    allowing = sum(rule.verdict == Verdict.ALLOW for rule in document.rules) + len(document.allowed_tools)
    allowing += sum(allow for _, allow in document.path_rules)
    allowing += sum(rule.verdict == Verdict.ALLOW for rule in document.descriptions)
    until = "until you trust this file" if document.layer in ("project", "local") else "while others may write to it"
    if allowing:
        entries = "1 allowing entry is" if allowing == 1 else f"{allowing} allowing entries are"
        yield f"{document.file}: {entries} ignored {until}"
    if document.extends == "workspace":
        yield f"{document.file}: preset `workspace` is ignored {until}"
    if document.mode and STRICTNESS[document.mode] < STRICTNESS["default"]:
        yield f"{document.file}: mode `{document.mode}` is ignored {until}"
