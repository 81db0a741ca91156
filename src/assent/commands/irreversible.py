"""Programs of which only one thing is described: what they do that cannot be undone. The rest of them is a gap.

Volumes and disks that are made new, databases that are dropped, packages that are given to everybody.
"""

from __future__ import annotations

from assent.commands.program import Program
from assent.commands.projects import undescribed
from assent.types import Gap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from assent.commands.args import Args
    from assent.commands.program import Fact
    from assent.types import Word

TARGETS = {
    "disk.wipe": "what lies on disks or volumes",
    "cloud.destroy": "cloud resources of the project",
    "db.drop": "the database",
    "pkg.publish": "a package",
}
ALWAYS = "…"
"""A program that does it whatever its words are."""
DISKS = {
    **dict.fromkeys("lvremove vgremove pvremove pvcreate lvreduce vgreduce".split(), ALWAYS),
    "zpool": "destroy, create, labelclear",
    "zfs": "destroy, rollback",
    "btrfs": "subvolume delete",
    "cryptsetup": "luksFormat, erase, luksErase, luksKillSlot, luksRemoveKey",
    "mdadm": "--zero-superblock, --create, -C",
    "nvme": "format, sanitize, delete-ns",
    "hdparm": "--security-erase, --security-erase-enhanced, --sanitize-block-erase, --trim-sector-ranges",
}
CLOUD = {"cdktf": "destroy", "sst": "remove"}
DATABASES = {
    "prisma": "migrate reset, --force-reset, --accept-data-loss",
    "typeorm": "schema:drop",
    **dict.fromkeys("sequelize sequelize-cli".split(), "db:drop, db:migrate:undo:all"),
    "knex": "migrate:rollback",
    "drizzle-kit": "drop",
    "diesel": "database reset, database drop, migration redo",
    "sqlx": "database drop, database reset",
    "dbmate": "drop, down, rollback",
    "migrate": "drop, down",
    "flyway": "clean",
    "liquibase": "dropAll, drop-all",
}
PUBLISHING = {
    **dict.fromkeys("flit rye jsr vsce ovsx changeset".split(), "publish"),
    "maturin": "publish, upload",
    "nuget": "push, delete",
    "pod": "trunk push, repo push",
    "goreleaser": "release",
    "luarocks": "upload",
    "conan": "upload",
    **dict.fromkeys("semantic-release release-it np gh-pages surge".split(), ALWAYS),
}
SCRIPTS: dict[str, dict[str, str]] = {
    "manage.py": {"db.drop": "flush, reset_db, zero"},
    "artisan": {"db.drop": "migrate:fresh, migrate:reset, migrate:refresh, db:wipe"},
    "console": {"db.drop": "doctrine:database:drop, doctrine:schema:drop"},
    "setup.py": {"pkg.publish": "upload, upload_docs"},
}
"""Files of projects that everybody calls so."""
KNOWN: dict[str, dict[str, str]] = {
    name: {code: phrases}
    for code, table in (
        ("disk.wipe", DISKS),
        ("cloud.destroy", CLOUD),
        ("db.drop", DATABASES),
        ("pkg.publish", PUBLISHING),
    )
    for name, phrases in table.items()
} | SCRIPTS
SHORTENED = frozenset({"btrfs"})
"""Programs that take the beginning of a word for the word."""
NOT_MORE = "is not a program we know"
"""As of one that nobody described: of these nothing is but what cannot be undone."""
ABOUT_ITSELF = ("--help", "-h", "--version", "-V", "version", "help")


def lost(args: Args, name: str, words: list[Word]) -> Iterator[Fact]:
    """What these words let a program, or a script of this name, do that cannot be undone."""
    texts = [word.value if word.value is not None else word.text for word in words]
    for code, phrases in KNOWN.get(name, {}).items():
        short = name in SHORTENED
        if phrases == ALWAYS or any(_says(texts, phrase, shortened=short) for phrase in phrases.split(", ")):
            yield args.effect("change", TARGETS[code], code)


def _says(texts: list[str], phrase: str, *, shortened: bool) -> bool:
    """Whether the words of a phrase stand behind each other; those with a dash stand anywhere."""
    wanted = phrase.split()
    flags = [piece for piece in wanted if piece[0] == "-"]
    pieces = [piece for piece in wanted if piece[0] != "-"]
    plain = [text for text in texts if text[:1] != "-"]
    if not all(any(text == flag or text.startswith(f"{flag}=") for text in texts) for flag in flags):
        return False
    return any(
        all(_is_word(text, piece, shortened=shortened) for text, piece in zip(plain[at:], pieces, strict=False))
        for at in range(len(plain) - len(pieces) + 1)
    )


def _is_word(text: str, piece: str, *, shortened: bool) -> bool:
    return text == piece or (shortened and bool(text) and piece.startswith(text))


def _described(args: Args) -> Iterator[Fact]:
    if len(args.operands) == 1 and args.operands[0].value in ABOUT_ITSELF and args.name not in SCRIPTS:
        return
    yield from undescribed(args)
    yield from lost(args, args.name, args.operands)
    unknown = any(word.value is None for word in args.operands[:1])
    yield Gap(f"{args.name} {NOT_MORE}", unknown, args.number, args.call.span)


PROGRAMS = dict.fromkeys(KNOWN, Program(operands="text*", style="plain", more=_described))


def _first(phrases: str) -> str:
    return "x" if phrases == ALWAYS else phrases.partition(", ")[0]


def _example(command: str, code: str = "") -> str:
    change = f" | change {TARGETS[code]} #{code}" if code else ""
    return f"run {command} #program{change} | gap {command.partition(' ')[0]} {NOT_MORE}"


EXAMPLES = {
    "btrfs sub del x": _example("btrfs sub del x", "disk.wipe"),
    "btrfs filesystem show": _example("btrfs filesystem show"),
    "zfs list": _example("zfs list"),
    "zpool --version": "note zpool",
    "prisma db push --force-reset": _example("prisma db push --force-reset", "db.drop"),
    "prisma migrate dev": _example("prisma migrate dev"),
    "flit build": _example("flit build"),
    "manage.py runserver": _example("manage.py runserver"),
    **{
        f"{name} {_first(phrases)}": _example(f"{name} {_first(phrases)}", code)
        for name, table in KNOWN.items()
        for code, phrases in table.items()
    },
}
