"""What is dangerous about a call that no single effect shows; each check has a file, an id and its own page."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from assent.types import Call, Seen

ALWAYS = ("hidden_text",)
NETWORK = frozenset(("reach", "send"))
REMOVERS = frozenset("rm shred srm trash rimraf del".split())
ON_COMMANDS = {"unresolved_delete": REMOVERS, "secret_to_network": NETWORK}
ON_SEVERAL: dict[str, frozenset[str]] = {
    "several_folders": frozenset(("cd",)),
    "network_to_interpreter": NETWORK,
    "decode_to_interpreter": frozenset(
        """base64 base32 basenc xxd openssl uudecode gunzip zcat gzip rev tr printf bzip2 xz zstd lz4 bzcat bunzip2
        xzcat unxz zstdcat unzstd lz4cat unzip tar""".split()
    ),
    "write_then_run": frozenset(("write",)),
}
"""Checks that look at how the parts of a command line work together. Both with the kinds of effects and names of
programs without which they find nothing."""
COMMON = NETWORK | REMOVERS
ANY_OF_SEVERAL: frozenset[str] = frozenset().union(*ON_SEVERAL.values())
MAX_SUBCOMMANDS_FOR_SECURITY_CHECK = 50


def checks_for(analysis: Seen) -> list[ModuleType]:
    """The checks that could find something; each is imported when it is first needed."""
    calls = analysis.calls
    chosen = _chosen or _load_always()
    if not calls or (len(calls) == 1 and not calls[0].redirects and _is_plain(calls[0], analysis)):
        return chosen
    said: set[str] = {effect.kind for effect in analysis.effects}
    for call in calls:
        name = call.words[0].value if call.words else None
        if name is not None:
            said.add(name[name.rfind("/") + 1 :])
    if not COMMON.isdisjoint(said):
        chosen = chosen + [check_named(name) for name, needs in ON_COMMANDS.items() if not needs.isdisjoint(said)]
    if len(calls) < 2 and not calls[0].redirects:  # one may read from a socket
        return chosen
    if len(calls) > MAX_SUBCOMMANDS_FOR_SECURITY_CHECK:
        chosen = [*chosen, check_named("many_parts")]
    if ANY_OF_SEVERAL.isdisjoint(said):
        return chosen
    return chosen + [check_named(name) for name, needs in ON_SEVERAL.items() if not needs.isdisjoint(said)]


def _is_plain(call: Call, analysis: Seen) -> bool:
    """Whether one call by itself neither removes anything nor talks to anybody, as most of the time."""
    for effect in analysis.effects:
        if effect.kind in NETWORK:
            return False
    name = call.words[0].value if call.words else None
    return name is None or name[name.rfind("/") + 1 :] not in REMOVERS


def _load_always() -> list[ModuleType]:
    _chosen[:] = [check_named(name) for name in ALWAYS]
    return _chosen


_loaded: dict[str, ModuleType] = {}
_chosen: list[ModuleType] = []


def check_named(name: str) -> ModuleType:
    if name not in _loaded:
        _loaded[name] = __import__(f"assent.checks.{name}", fromlist=("find",))
    return _loaded[name]


def all_checks() -> list[ModuleType]:
    return [check_named(name) for name in (*ALWAYS, *ON_COMMANDS, "many_parts", *ON_SEVERAL)]
