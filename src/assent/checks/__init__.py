"""What is dangerous about a call that no single effect shows; each check has a file, an id and its own page."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from assent.types import Seen

ALWAYS = ("hidden_text",)
"""Whatever is called; but not where every name and the whole command are plain letters and signs."""
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
ON_ANY: frozenset[str] = COMMON.union(*ON_SEVERAL.values())
MAX_SUBCOMMANDS_FOR_SECURITY_CHECK = 50


def checks_for(analysis: Seen) -> list[ModuleType]:
    """The checks that could find something, often none; each is imported when it is first needed."""
    calls, text = analysis.calls, analysis.text
    said: set[str] = set()
    visible = text.isascii() and text.isprintable()
    for effect in analysis.effects:
        said.add(effect.kind)
        if visible:
            visible = effect.target.isascii() and effect.target.isprintable()
    for call in calls:
        name = call.words[0].value if call.words else None
        if name is not None:
            said.add(name[name.rfind("/") + 1 :] if "/" in name else name)
    chosen = [] if visible else _chosen or _load_always()
    if len(calls) <= MAX_SUBCOMMANDS_FOR_SECURITY_CHECK and ON_ANY.isdisjoint(said):
        return chosen
    if not COMMON.isdisjoint(said) and calls:
        chosen = chosen + [check_named(name) for name, needs in ON_COMMANDS.items() if not needs.isdisjoint(said)]
    if len(calls) < 2 and not (calls and calls[0].redirects):  # one may read from a socket
        return chosen
    if len(calls) > MAX_SUBCOMMANDS_FOR_SECURITY_CHECK:
        chosen = [*chosen, check_named("many_parts")]
    return chosen + [check_named(name) for name, needs in ON_SEVERAL.items() if not needs.isdisjoint(said)]


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
