"""What a file of a repository's state may look like to leave the sandbox. Pure.

INVARIANT: a file that is not listed here stays inside. None that names options or programs is: `sequencer/opts`,
`rebase-merge/strategy`, `rebase-merge/gpg_sign_opt`, `rebase-apply/apply-opt`.
"""

from __future__ import annotations

import re

from assent.sandbox.gitindex import is_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

REPLACE = "refs/replace/"
"""Git shows another object in the place of one that is named there."""
MOST_REFERENCE = 1_000
_HASH = rb"(?:[0-9a-f]{40}|[0-9a-f]{64})"
_NAME = rb"(?!-)[\w./@#+-]+"
_WORD = rb"'(?:[^'\n\0]|'\\['!]')*'"


def _lines(line: bytes) -> Callable[[bytes], bool]:
    """Every line is like this one."""
    found = re.compile(rb"(?:(?:" + line + rb")\n)*(?:" + line + rb")?")
    return lambda data: found.fullmatch(data) is not None


def _one(line: bytes) -> Callable[[bytes], bool]:
    found = re.compile(rb"(?:" + line + rb")?\n?")
    return lambda data: found.fullmatch(data) is not None


def _is_text(data: bytes) -> bool:
    return b"\0" not in data


def is_reference(data: bytes) -> bool:
    data = data.removesuffix(b"\n")
    if data.startswith(b"ref: "):
        return is_reference_name(data[5:].decode(errors="surrogateescape"))
    return re.fullmatch(_HASH, data) is not None


_UNFIT = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|\.lock(?:/|$)|(?:^|/)\.|\.$|/$")


def is_reference_name(name: str) -> bool:
    """As git itself has it, and below `refs/`."""
    return name.startswith("refs/") and len(name) < MOST_REFERENCE and _UNFIT.search(name) is None


PICKS = frozenset(
    b"pick p revert edit e reword r fixup f squash s label l reset t merge m update-ref u noop drop d break b".split()
)
"""Every command of a list of things to do but the one that runs a program."""


def _is_todo(data: bytes) -> bool:
    first = {line.split()[0] for line in data.split(b"\n") if line.split()}
    return _is_text(data) and all(word in PICKS or not word[:1].isalnum() for word in first)


def _is_head_name(data: bytes) -> bool:
    name = data.removesuffix(b"\n")
    return name == b"detached HEAD" or is_reference_name(name.decode(errors="surrogateescape"))


def _is_resolution(data: bytes) -> bool:
    """`MERGE_RR`: a hash and a path, which git would write."""
    rows = data.split(b"\0")
    found = [re.fullmatch(rb"(?:[0-9a-f]{40,64}(?:\.\d+)?)\t(.+)", row, re.DOTALL) for row in rows[:-1]]
    return not rows[-1].strip() and all(row is not None and is_inside(row[1]) for row in found)


_ID, _IDS = _one(_HASH), _lines(_HASH)
_FLAG, _NUMBER = _one(rb"[a-z]{0,10}"), _one(rb"\d{1,9}")
_AUTHOR = _lines(rb"GIT_AUTHOR_(?:NAME|EMAIL|DATE)=" + _WORD)
_RERERE = _one(rb"--(?:no-)?rerere-autoupdate")
_PACKED = _lines(rb"#[ -~]*|" + _HASH + rb" [^\0\n]+|\^" + _HASH)
_LOG = _lines(_HASH + rb" " + _HASH + rb" [^\0\n]*")

FORMS: dict[str, Callable[[bytes], bool]] = {
    "HEAD": is_reference,
    **dict.fromkeys(
        """ORIG_HEAD CHERRY_PICK_HEAD REVERT_HEAD REBASE_HEAD BISECT_HEAD BISECT_EXPECTED_REV AUTO_MERGE
        MERGE_AUTOSTASH sequencer/head sequencer/abort-safety rebase-merge/onto rebase-merge/orig-head
        rebase-merge/amend rebase-merge/autostash rebase-merge/squash-onto rebase-apply/onto rebase-apply/orig-head
        rebase-apply/abort-safety rebase-apply/original-commit rebase-apply/autostash""".split(),
        _ID,
    ),
    "rebase-merge/stopped-sha": _one(rb"[0-9a-f]{4,64}"),
    "MERGE_HEAD": _IDS,
    "FETCH_HEAD": _lines(_HASH + rb"\t(?:not-for-merge)?\t[^\0\n]*"),
    "MERGE_MODE": _one(rb"no-ff"),
    "MERGE_RR": _is_resolution,
    **dict.fromkeys(
        """MERGE_MSG SQUASH_MSG COMMIT_EDITMSG TAG_EDITMSG NOTES_EDITMSG rebase-merge/message
        rebase-merge/message-squash rebase-merge/message-fixup rebase-merge/patch rebase-apply/final-commit
        rebase-apply/info rebase-apply/msg rebase-apply/msg-clean""".split(),
        _is_text,
    ),
    "BISECT_LOG": _lines(rb"#[^\0\n]*|git bisect [\w-]+(?: (?:" + _WORD + rb"|" + _NAME + rb"))*"),
    "BISECT_NAMES": _one(rb"(?: ?" + _WORD + rb")*"),
    "BISECT_START": _one(_NAME),
    "BISECT_TERMS": _lines(rb"(?!-)[\w-]+"),
    "BISECT_ANCESTORS_OK": _one(_HASH),
    "BISECT_FIRST_PARENT": _FLAG,
    "packed-refs": _PACKED,
    **dict.fromkeys(
        """rebase-merge/git-rebase-todo rebase-merge/git-rebase-todo.backup rebase-merge/done sequencer/todo
        sequencer/done""".split(),
        _is_todo,
    ),
    **dict.fromkeys(("rebase-merge/head-name", "rebase-apply/head-name"), _is_head_name),
    **dict.fromkeys(("rebase-merge/author-script", "rebase-apply/author-script"), _AUTHOR),
    **dict.fromkeys(
        ("rebase-merge/msgnum", "rebase-merge/end", "rebase-apply/next", "rebase-apply/last"),
        _NUMBER,
    ),
    **dict.fromkeys(
        """rebase-merge/interactive rebase-merge/quiet rebase-merge/verbose rebase-merge/signoff
        rebase-merge/drop_redundant_commits rebase-merge/keep_redundant_commits rebase-merge/cdate_is_adate
        rebase-merge/ignore_date rebase-merge/reschedule-failed-exec rebase-merge/no-reschedule-failed-exec
        rebase-apply/threeway rebase-apply/quiet rebase-apply/utf8 rebase-apply/keep rebase-apply/scissors
        rebase-apply/messageid rebase-apply/quoted-cr rebase-apply/sign rebase-apply/rebasing rebase-apply/applying
        rebase-apply/no_inbody_headers rebase-apply/dirtyindex""".split(),
        _FLAG,
    ),
    "rebase-merge/allow_rerere_autoupdate": _RERERE,
    "rebase-apply/allow_rerere_autoupdate": _RERERE,
    **dict.fromkeys(("rebase-merge/rewritten-list", "rebase-apply/rewritten"), _lines(_HASH + rb" " + _HASH)),
    "rebase-merge/rewritten-pending": _IDS,
    "rebase-merge/current-fixups": _lines(rb"(?:fixup|squash) [0-9a-f]{4,64}"),
    "rebase-merge/refs-to-delete": _lines(rb"refs/rewritten/" + _NAME),
    "rebase-merge/update-refs": _lines(rb"refs/" + _NAME + rb"|" + _HASH),
}
_PATCHES = re.compile(r"rebase-apply/(?:\d{4,9}|patch)")
"""Git itself looks at the paths in them."""


def why_unsound(name: str, data: bytes) -> str:
    """Why a file of the state does not leave the sandbox, or nothing."""
    if name.startswith(REPLACE):
        return "it would show another object in the place of one"
    if name.startswith("refs/"):
        sound = is_reference_name(name) and is_reference(data)
        return "" if sound else "it is no reference"
    if name.startswith("logs/"):
        place = name.removeprefix("logs/")
        return "" if (place == "HEAD" or is_reference_name(place)) and _LOG(data) else "it is no log of a reference"
    if _PATCHES.fullmatch(name):
        return ""
    form = FORMS.get(name)
    if form is None:
        return "git could be told by it what to run"
    if form(data):
        return ""
    return "it is no reference" if form in (is_reference, _ID) else "it is not as git writes it"


def packed(lines: bytes) -> dict[str, str]:
    """What `packed-refs` says: names and hashes."""
    rows = (line.decode(errors="surrogateescape").partition(" ") for line in lines.split(b"\n"))
    return {name: value for value, _, name in rows if name and value[:1] not in ("#", "^")}


def why_packed_unsound(before: bytes, after: bytes) -> str:
    """Why a list of references does not leave the sandbox, or nothing."""
    old, new = packed(before), packed(after)
    if not all(map(is_reference_name, new)):
        return "it is no list of references"
    if _replacing(old.items()) != _replacing(new.items()):
        return "it would show another object in the place of one"
    return ""


def _replacing(rows: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: value for name, value in rows if name.startswith(REPLACE)}
