"""Tool calls of every agent: the examples beside each reader, and what must hold for any input at all."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.tools import arguments, files, find, inside, mcp, patch, run, web
from assent.tools.analyse import analyse, family_of, shell_name, shell_text
from assent.tools.fields import decode
from assent.tools.table import (
    CANONICAL,
    CWD_KEYS,
    ENV_KEYS,
    FAMILIES,
    FAMILY,
    HARMLESS,
    SANDBOX_KEYS,
    URL_KEYS,
    fold,
    harmless,
)
from assent.types import Analysis, Effect, Gap, ToolCall

READERS = (run, files, find, patch, web, mcp, arguments, inside)
NAMES = sorted({name for names in FAMILIES.values() for name in names})
EXAMPLES = [row for reader in READERS for row in reader.EXAMPLES]


def show(analysis: Analysis) -> str:
    return " | ".join([*map(show_effect, analysis.effects), *map(show_gap, analysis.gaps)])


def show_effect(effect: Effect) -> str:
    words = ["possible"] if effect.possible else []
    words += [effect.kind, effect.target]
    words += ["deep"] if effect.deep else []
    return " ".join([*words, *(["only", effect.only] if effect.only else [])])


def show_gap(gap: Gap) -> str:
    return f"{'blind' if gap.blind else 'gap'}: {gap.why}"


def read(tool: str, **fields: object) -> Analysis:
    return analyse(ToolCall(tool, fields))


def patched(text: str) -> str:
    return show(read("apply_patch", input=text))


@pytest.mark.parametrize(("tool", "fields", "expected"), EXAMPLES)
def test_examples_say_what_they_say(tool: str, fields: dict[str, object], expected: str) -> None:
    assert show(analyse(ToolCall(tool, fields))) == expected


# --- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_every_name_resolves_to_its_family(family: str) -> None:
    assert {name: family_of(name) for name in FAMILIES[family]} == dict.fromkeys(FAMILIES[family], family)
    assert family in CANONICAL
    assert family in HARMLESS


def test_no_field_that_changes_execution_is_harmless() -> None:
    keys = {*CWD_KEYS, *ENV_KEYS, *SANDBOX_KEYS, *URL_KEYS, "shell", "headers", "method", "proxy", "host", "user"}
    kept = {"memory": {"path"}}  # a name inside the agent's own memory
    found = {family: keys & harmless(family) - kept.get(family, set()) for family in FAMILIES}
    assert {family: names for family, names in found.items() if names} == {}


def test_no_two_families_claim_a_name() -> None:
    claimed = [(fold(name), family) for family, names in FAMILIES.items() for name in names]
    assert len(set(claimed)) == len(FAMILY)


def test_spellings_of_a_name_are_one_name() -> None:
    spellings = ("read_file", "readFile", "Read_File", "READ-FILE", "functions.read_file")
    assert {family_of(name) for name in spellings} == {"read"}


@pytest.mark.parametrize(
    "name", ["tas\u212a", "\uff32ead", "mcp__x__read_file", "read__file", "mcp_read_file", "MCP_bash"]
)
def test_names_that_only_look_built_in_are_not(name: str) -> None:
    assert family_of(name) in ("other", "mcp_name")


@pytest.mark.parametrize("name", ["", " ", "Read\n", "Re\x00ad", "Read\u202e", "R" * 201])
def test_names_that_cannot_be_trusted_are_blind(name: str) -> None:
    assert any(gap.blind for gap in analyse(ToolCall(name, {})).gaps)


# --- shells --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({"command": "ls -l"}, ("ls -l",)),
        ({"cmd": "ls"}, ("ls",)),
        ({"CommandLine": "ls"}, ("ls",)),
        ({"commands": ["a", "b"]}, ("a", "b")),
        ({"commands": '["a", "b"]'}, ("a", "b")),
        ({"commands": [{"command": "git", "args": ["log", "a b"]}]}, ("git log 'a b'",)),
        ({"command": ["bash", "-lc", "a && b"]}, ("a && b",)),
        ({"command": ["/bin/sh", "-c", "a"]}, ("a",)),
        ({"command": ["/tmp/bash", "-c", "a b"]}, ("/tmp/bash -c 'a b'",)),
        ({"command": ["bash", "-lc", "a", "x y"]}, ("bash -lc a 'x y'",)),
        ({"command": ["echo", "it's", "", "$(x)"]}, ("echo 'it'\\''s' '' '$(x)'",)),
        ({"action": {"command": ["ls"], "type": "exec"}}, ("ls",)),
        ({"command": "a", "cmd": "b"}, ("a", "b")),
        ({"command": None}, None),
        ({"command": "  "}, None),
        ({}, None),
    ],
)
def test_the_text_of_a_shell_call_is_found_in_every_form(
    fields: dict[str, object], texts: tuple[str, ...] | None
) -> None:
    call = ToolCall("Bash", fields)
    assert shell_text(call) == texts
    assert analyse(call).text == "\n".join(texts or ())


def test_only_shell_calls_have_shell_text() -> None:
    assert shell_text(ToolCall("PowerShell", {"command": "ls"})) is None
    assert shell_text(ToolCall("mcp__x__bash", {"command": "ls"})) is None


def test_the_shell_that_a_call_asks_for_is_named() -> None:
    assert shell_name(ToolCall("Bash", {"command": "ls"}, shell="bash")) == "bash"
    assert shell_name(ToolCall("exec_command", {"cmd": "ls", "shell": "/bin/zsh"})) == "zsh"
    assert shell_name(ToolCall("shell", {"command": ["zsh", "-lc", "ls"]})) == "zsh"
    assert shell_name(ToolCall("exec_command", {"cmd": "ls", "shell": "/tmp/zsh"})) == "bash"


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), min_size=1, max_size=4))
@settings(max_examples=40, deadline=None)
def test_quoted_words_are_read_back_by_a_shell(words: list[str]) -> None:
    line = "printf '%s\\0' " + " ".join(map(run.quote, words))
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=True)
    assert done.stdout == b"".join(word.encode() + b"\0" for word in words)


@pytest.mark.parametrize("value", [False, None, "use_default", [], ""])
def test_a_sandbox_that_stays_on_is_no_effect(value: object) -> None:
    assert read("exec_command", cmd="ls", sandbox_permissions=value).effects == ()


# --- patterns ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "expanded"),
    [
        ("a", ["a"]),
        ("{a,../b}/c", ["a/c", "../b/c"]),
        ("{a,{b,/c}}", ["a", "b", "/c"]),
        ("*.{py,pyi}", ["*.{py,pyi}"]),
        ("{a}", ["{a}"]),
        ("{a,b", ["{a,b"]),
        ("{a,b}" * 7, None),
    ],
)
def test_braces_are_expanded_within_bounds(pattern: str, expanded: list[str] | None) -> None:
    assert find.expand(pattern) == expanded


@pytest.mark.parametrize("pattern", ["\\.\\./x*", "{../x}", "*/../../x", "{a/{b,../../c}", "**/..", "x*/\\../../y"])
def test_patterns_that_climb_reach_the_folder_above(pattern: str) -> None:
    assert any(".." in effect.target for effect in read("Glob", pattern=pattern).effects)


def test_a_wrapped_pattern_brings_its_own_folder() -> None:
    wrapped = '{"pattern": "*.pem", "path": "~/.ssh"}'
    assert "list ~/.ssh deep only *.pem" in show(read("Glob", pattern=wrapped))


def test_too_many_alternatives_are_blind() -> None:
    assert show(read("Glob", pattern="{a,b}" * 9)).count("blind: ") == 1


# --- patches -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", "write n | possible read n | possible write b/n"),
        ("--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "delete o | possible delete a/o"),
        (
            "diff --git a/x b/.envrc\nsimilarity index 100%\nrename from x\nrename to .envrc\n",
            "delete x | possible read x | write .envrc",
        ),
        ("diff --git a/x b/y\ncopy from x\ncopy to y\n", "read x | write y"),
        (
            'diff --git "a/\\303\\244" "b/\\303\\244"\nold mode 100644\nnew mode 100755\n',
            "write ä | possible read ä | possible write a/ä | possible write b/ä",
        ),
        (
            "diff --git a/l b/l\nnew file mode 120000\nindex 0..1\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n"
            "\\ No newline at end of file\n",
            "write l | possible read l | possible write b/l"
            " | gap: apply_patch makes a link, a submodule or a special file (mode 120000)",
        ),
        (
            "diff --git a/i.png b/i.png\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKcmZ\n\nliteral 3\nKcmZ\n\n",
            "write i.png | possible read i.png | possible write a/i.png | possible write b/i.png",
        ),
        (
            "diff --git a/g b/g\ndeleted file mode 100644\nindex 1..0\n",
            "delete g | possible delete a/g",
        ),
        (
            "--- src/a\t2024-01-01\n+++ src/a\t2024-01-02\n@@ -1,2 +1,2 @@ f\n x\n-a\n+b\n",
            "write src/a | possible read src/a | write a",
        ),
        (
            "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b",
            "write y | possible read y | write x | possible read x | write a/x | write b/y",
        ),
        ("--- /dev/null\n+++ a/n\n@@ -0,0 +1 @@\n+x\n", "write n | possible read n | write a/n"),
        ("--- c/x\n+++ i/x\n@@ -1 +1 @@\n-a\n+b", "write x | possible read x | write c/x | write i/x"),
        ("--- /data/x\n+++ /data/x\n@@ -1 +1 @@\n-a\n+b", "write /data/x | possible read /data/x | write data/x"),
        (
            "--- a/x y\n+++ b/x y\n@@ -1 +1 @@\n-a\n+b",
            "write x y | possible read x y | possible write a/x y | possible write b/x y | possible write x",
        ),
        ("--- src/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n", "delete src/o | delete o"),
    ],
)
def test_diffs_name_every_file_they_touch(text: str, expected: str) -> None:
    assert patched(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "*** Begin Patch",
        "*** Begin Patch\n*** Frob File: a\n*** End Patch",
        "*** Begin Patch\n*** Move to: a\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\nx\n*** End Patch",
        "*** Begin Patch\n*** Add File: \n*** End Patch",
        "*** Begin Patch\n*** Update File: a\n@@\n  *** Delete File: b\n*** End Patch",
        "*** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Begin Patch\n*** Delete File: b",
        "*** Begin Patch\n*** Delete File: a\rb\n*** End Patch",
        "Index: x\n--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b",
        "--- a/x\n+++ b/x\n",
        "--- a/x\n@@ -1 +1 @@\n-a\n+b",
        "--- a/x\n+++ b/x\n@@ -1,5 +1 @@\n-a\n+b",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- b/y",
        "--- a/x\n+++ b/x\n@@ -١ +1 @@\n-a\n+b",
        "diff --git a/x b/y\n",
        "diff --git a/x b/x\nrename from x\n",
        "diff --git a/x b/x\nfrob\n",
        'diff --git "a/\\q" "b/\\q"\n',
        "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b",
    ],
)
def test_patches_that_are_not_understood_are_blind(text: str) -> None:
    assert "blind: " in patched(text)


@pytest.mark.parametrize("sign", ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_sign_that_ends_a_line_for_some_readers_hides_nothing(sign: str) -> None:
    added = f"*** Begin Patch\n*** Add File: a\n+x{sign}*** Add File: .envrc{sign}+y\n*** End Patch"
    assert "possible write .envrc" in patched(added)
    assert "blind: apply_patch has a line that is several lines to some readers" in patched(added)
    counted = f"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a{sign}\n--- x\n+++ y\n a\n"
    assert ("blind: " in patched(counted)) == (sign != "\r")


PIECES = st.sampled_from(
    [
        *("*** Begin Patch", "*** End Patch", "*** Add File: a", "*** Update File: b", "*** Delete File: c"),
        *("*** Move to: d", "@@", "+x", "-x", " x", "", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "@@ -1,2 +1,2 @@"),
        *("diff --git a/x b/x", "rename from x", "rename to y", "new file mode 100644", "GIT binary patch"),
        *("literal 3", "zcm", "\\ No newline at end of file", '--- "a/\\303"', "index 1..2", "copy from x"),
    ]
)


def understood(lines: list[str]) -> bool:
    """Whether every line outside a counted body is one of the two grammars; written apart from the reader."""
    return bool(lines) and (lines[0].strip() == "*** Begin Patch" or lines[0].startswith(("--- ", "diff --git ")))


@given(st.lists(PIECES | st.text(max_size=12), max_size=12))
@settings(deadline=None)
def test_line_soup_is_a_patch_or_blind(lines: list[str]) -> None:
    result = read("apply_patch", input="\n".join(lines))
    blind = any(gap.blind for gap in result.gaps)
    assert blind or result.effects
    assert blind or understood("\n".join(lines).strip("\r\n").split("\n"))


@given(st.lists(PIECES, max_size=12), st.integers(0, 12), st.text("abcxyz?!", min_size=3, max_size=8))
@settings(deadline=None)
def test_a_foreign_line_anywhere_makes_a_patch_blind(lines: list[str], place: int, foreign: str) -> None:
    lines.insert(place, foreign)
    in_binary = "GIT binary patch" in lines[:place]
    assert in_binary or any(gap.blind for gap in read("apply_patch", input="\n".join(lines)).gaps)


# --- any input at all ----------------------------------------------------------------------------------------------

KEYS = st.sampled_from(
    [
        *("file_path", "path", "paths", "files", "edits", "operations", "command", "commands", "cmd", "action", "env"),
        *("cwd", "shell", "sandbox", "sandbox_permissions", "url", "urls", "prompt", "method", "body", "headers"),
        *("pattern", "glob", "include", "recursive", "input", "patch", "operation", "server", "name", "arguments"),
        *("subagent_type", "mode", "source", "destination", "restart", "chars", "todos", "query", "content", "args"),
    ]
)
TEXTS = st.text(max_size=20) | st.sampled_from(
    [
        *("/etc/passwd", "~/.ssh", "file:///x%2e", "https://a.example/?u=http://b.example", "[", '["a"]', "{a,b}"),
        *('{"pattern": "../x"}', "*** Begin Patch\n*** End Patch", "--- a/x\n+++ b/x", "view", "a://b://c", "file:"),
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TEXTS, inner, max_size=4), max_leaves=12
)
INPUTS = st.dictionaries(KEYS | st.text(max_size=8), VALUES, max_size=6)
TOOLS = (
    st.sampled_from(NAMES)
    | st.text(max_size=12)
    | st.sampled_from(["mcp__a__b", "mcp_a_b_c", "mcp_", "mcp__", "a__b", "__", "MCP:x"])
)


@given(TOOLS, INPUTS)
@settings(max_examples=500, deadline=None)
def test_no_call_is_too_strange_to_be_read(tool: str, fields: dict[str, object]) -> None:
    call = ToolCall(tool, fields)
    result = analyse(call)
    assert result.effects or result.gaps
    assert all(isinstance(effect.target, str) for effect in result.effects)
    texts = shell_text(call)
    assert texts is None or (family_of(tool) == "shell" and all(texts))
    assert not texts or Gap(run.NOT_READ, blind=True) in result.gaps
    assert shell_name(call) in ("bash", "sh", "zsh")


@given(st.sampled_from(NAMES), INPUTS, st.sampled_from(["mcp__srv__", "mcp_srv_", "srv__"]))
@settings(max_examples=200, deadline=None)
def test_tools_of_servers_are_calls_whatever_they_are_called(name: str, fields: dict[str, object], prefix: str) -> None:
    certain = [effect for effect in analyse(ToolCall(prefix + name, fields)).effects if not effect.possible]
    assert {(effect.kind, effect.code) for effect in certain} == {("call", "mcp")}


@given(st.sampled_from(NAMES), INPUTS, VALUES)
@settings(max_examples=200, deadline=None)
def test_an_unknown_field_is_always_a_blind_gap(name: str, fields: dict[str, object], value: object) -> None:
    result = analyse(ToolCall(name, {**fields, "zz_unheard_of": value}))
    if family_of(name) not in ("batch", "other"):
        why = f"{name} has an unknown field `zz_unheard_of`"
        vouchable = family_of(name) not in ("shell", "stdin", "code", "browser")
        assert Gap(why, blind=True, vouchable=vouchable) in result.gaps
    assert any(gap.blind for gap in result.gaps)


@given(st.sampled_from(NAMES), INPUTS, st.sampled_from(["zz_unheard_of", "run_as"]))
@settings(max_examples=200, deadline=None)
def test_more_fields_never_take_an_effect_away(name: str, fields: dict[str, object], extra: str) -> None:
    before, after = analyse(ToolCall(name, fields)), analyse(ToolCall(name, {**fields, extra: 1}))
    # A note asks for nothing: `{"restart": true}` is one as long as nothing else is said.
    counted = [effect for effect in before.effects if effect.arguments is None and effect.kind != "note"]
    assert [effect for effect in counted if effect not in after.effects] == []


@pytest.mark.parametrize("given", [[], "x", None, 3])
def test_an_input_that_is_no_object_is_blind(given: object) -> None:
    call = ToolCall("Bash", given)  # type: ignore[arg-type]
    assert [gap.blind for gap in analyse(call).gaps] == [True]
    assert shell_text(call) is None


def test_deep_arguments_are_blind() -> None:
    deep: object = "x"
    for _ in range(3000):
        deep = [deep]
    assert "blind: mcp__a__b has more than 100 levels" in show(read("mcp__a__b", x=deep))
    assert any(gap.blind for gap in read("Read", file_path=deep).gaps)


def test_percent_encoding_is_undone_byte_by_byte() -> None:
    assert decode("%2e%2E/%C3%A4%zz%4") == "../ä%zz%4"


def test_reading_a_file_call_imports_no_other_reader() -> None:
    code = (
        "import sys; from assent.tools.analyse import analyse; from assent.types import ToolCall;"
        "analyse(ToolCall('Read', {'file_path': 'a'}));"
        "print(sorted(m for m in sys.modules if m.startswith('assent.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    readers = ["tools", "tools.analyse", "tools.fields", "tools.files", "tools.table"]
    used = ["budget", "errors", "protected", "record", *readers, "types"]
    assert done.stdout.strip() == str([f"assent.{name}" for name in used])
