"""More than six hundred ways to change a journal after the fact: each is found, with and without an anchor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from assent.audit.verify import verify
from audit.journals import written

CURRENT, HEAD = "permissions.jsonl", "head"
Files = dict[str, bytes]
Change = tuple[str, Files]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Files, str]:
    folder = written(tmp_path_factory.mktemp("whole") / "a", 12, max_bytes=1_500)
    files = {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "lock"}
    assert len(files) > 4, "there must be rotated files"
    found = verify(str(folder))
    assert found.ok
    return files, found.head


def named(files: Files) -> list[str]:
    return [*sorted(name for name in files if name.endswith(".jsonl") and name != CURRENT), CURRENT]


def sealed(line: bytes, **changes: object) -> bytes:
    table = json.loads(line) | changes
    del table["hash"]
    table["hash"] = sha256(json.dumps(table).encode()).hexdigest()
    return json.dumps(table).encode()


def with_lines(files: Files, name: str, lines: list[bytes]) -> Files:
    return {**files, name: b"".join(line + b"\n" for line in lines)}


def of_lines(files: Files) -> Iterator[Change]:
    """What can be done to one line of one file."""
    for name in named(files):
        lines = files[name].splitlines()
        for at, line in enumerate(lines):
            where = f"{name}:{at}"
            table = json.loads(line)
            for field in table:
                if field != "hash":
                    changed = json.dumps({**table, field: "forged"}).encode()
                    yield f"{where} {field} changed", with_lines(files, name, [*lines[:at], changed, *lines[at + 1 :]])
            for place in range(0, len(line), 29):
                flipped = line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]
                yield f"{where} bit at {place}", with_lines(files, name, [*lines[:at], flipped, *lines[at + 1 :]])
            yield f"{where} removed", with_lines(files, name, [*lines[:at], *lines[at + 1 :]])
            yield f"{where} twice", with_lines(files, name, [*lines[: at + 1], line, *lines[at + 1 :]])
            yield f"{where} emptied", with_lines(files, name, [*lines[:at], b"", *lines[at + 1 :]])
            yield f"{where} nonsense before", with_lines(files, name, [*lines[:at], b"{}", *lines[at:]])
            yield (
                f"{where} hash of zeros",
                with_lines(files, name, [*lines[:at], line[:-66] + b"0" * 64 + b'"}', *lines[at + 1 :]]),
            )
            if at + 1 < len(lines):
                swapped = [*lines[:at], lines[at + 1], line, *lines[at + 2 :]]
                yield f"{where} swapped", with_lines(files, name, swapped)


def of_forgers(files: Files) -> Iterator[Change]:
    """Lines with a hash that fits, which break the chain behind them or differ from the head."""
    for name in named(files):
        lines = files[name].splitlines()
        for at, line in enumerate(lines):
            seq = json.loads(line)["seq"]
            for changes in (
                {"approved": True},
                {"seq": seq + 1},
                {"seq": max(1, seq - 1)},
                {"prev_hash": "0" * 64},
                {"kind": "mode"},
            ):
                forged = sealed(line, **changes)
                if forged != line and not (seq == 1 and changes in ({"prev_hash": "0" * 64}, {"seq": 1})):
                    yield (
                        f"{name}:{at} forged {changes}",
                        with_lines(files, name, [*lines[:at], forged, *lines[at + 1 :]]),
                    )


def of_files(files: Files) -> Iterator[Change]:
    """Whole files: removed, emptied, cut, exchanged; and the head."""
    names = named(files)
    for name in names:
        yield f"{name} removed", {other: data for other, data in files.items() if other != name}
        yield f"{name} emptied", {**files, name: b""}
        for share in (3, 2):
            yield f"{name} cut at 1/{share}", {**files, name: files[name][: len(files[name]) // share]}
        yield f"{name} garbage behind", {**files, name: files[name] + b"garbage\n"}
        for other in names:
            if other < name:
                yield f"{name} and {other} exchanged", {**files, name: files[other], other: files[name]}
    seq, _, digest = files[HEAD].decode().strip().partition(" ")
    yield "head removed", {name: data for name, data in files.items() if name != HEAD}
    for text in ("", "x", f"{int(seq) + 1:020d} {digest}\n", f"{seq} {'0' * 64}\n", f"{seq} {digest[:-1]}\n"):
        yield f"head {text[:30]!r}", {**files, HEAD: text.encode()}
    last = files[CURRENT].splitlines()
    for count in range(1, len(last) + 1):
        yield f"the last {count} cut off", with_lines(files, CURRENT, last[:-count])
        gone = {name: data for name, data in with_lines(files, CURRENT, last[:-count]).items() if name != HEAD}
        yield f"the last {count} cut off, without the head", gone


def test_every_tampering_is_found(whole: tuple[Files, str], tmp_path: Path) -> None:
    files, anchor = whole
    changes = [*of_lines(files), *of_forgers(files), *of_files(files)]
    assert len(changes) > 612, len(changes)
    missed: list[str] = []
    for number, (what, made) in enumerate(changes):
        folder = tmp_path / str(number)
        folder.mkdir(mode=0o700)
        for name, data in made.items():
            (folder / name).write_bytes(data)
        missed += [
            f"{what}, {how}" for how, noted in (("alone", None), ("anchor", anchor)) if verify(str(folder), noted).ok
        ]
    assert missed == []
