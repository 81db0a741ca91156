"""What hides in fields nobody described: paths, URLs, commands and modes are found wherever they are put."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.budget import SHORT_OF, STATING
from assent.tools import arguments, mcp, verbs, web
from assent.tools.analyse import analyse, family_of, plain_name
from assent.types import Analysis, Effect, Gap, ToolCall
from assent.wire import dumps


def read(tool: str, **fields: object) -> Analysis:
    return analyse(ToolCall(tool, fields))


def touched(analysis: Analysis, kind: str = "read") -> list[str]:
    return [effect.target for effect in analysis.effects if effect.kind == kind]


def blind(analysis: Analysis) -> list[str]:
    return [gap.why for gap in analysis.gaps if gap.blind and not gap.vouchable]


def certain(analysis: Analysis) -> list[tuple[str, str]]:
    return [(effect.kind, effect.target) for effect in analysis.effects if not effect.possible]


# --- paths ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("Read", {"file_path": "README.md", "sources": ["~/.ssh/k"]}),
        ("Read", {"file_path": "README.md", "metadata": {"path": "~/.ssh/k"}}),
        ("Read", {"file_path": "README.md", "limit": {"of": ["~/.ssh/k"]}}),
        ("Read", {"file_path": {"value": "~/.ssh/k"}}),
        ("read_files", {"files": [{"path": "a", "extra": "~/.ssh/k"}]}),
        ("list_files", {"path": "src", "recursive": {"in": "~/.ssh/k"}}),
        ("search", {"query": "K", "path": "src", "target": "~/.ssh/k"}),
        ("Grep", {"pattern": "x", "file_filtering_options": {"root": "~/.ssh/k"}}),
        ("delete_file", {"path": "a", "targets": ["~/.ssh/k"]}),
        ("Write", {"file_path": "a", "content": "x", "source_file": "~/.ssh/k"}),
        ("Write", {"file_path": "a", "content": {"from": "~/.ssh/k"}}),
        ("apply_patch", {"operation": {"type": "create_file", "path": "a", "from": "~/.ssh/k"}}),
        ("read_mcp_resource", {"server": "s", "filepath": "~/.ssh/k"}),
        ("Bash", {"command": "ls", "stdout_to": "~/.ssh/k"}),
        ("WebFetch", {"url": "https://a.example/", "body": {"x": "~/.ssh/k"}}),
        ("WebSearch", {"query": "x", "domains": [{"file": "~/.ssh/k"}]}),
        ("Task", {"prompt": "x", "items": [{"path": "~/.ssh/k"}]}),
        ("TodoWrite", {"todos": [{"content": "~/.ssh/k"}]}),
        ("memory", {"command": "view", "path": "~/.ssh/k"}),
        ("Mcp", {"server": "s", "name": "t", "arguments": "~/.ssh/k"}),
        ("mcp__s__t", {"x": '{"deep": "[\\"\\u007e/.ssh/k\\"]"}'}),
        ("mcp__s__t", {"x": "cat '~/.ssh/k'"}),
        ("mcp__s__t", {"x": "a=b:~/.ssh/k;c"}),
        ("mcp__s__t", {"x": "ssh -i~/.ssh/k host"}),
        ("mcp__s__t", {"x": "curl -d @~/.ssh/k x"}),
        ("mcp__s__t", {"x": "Look at (~/.ssh/k)."}),
        ("mcp__s__t", {"~/.ssh/k": 1}),
        ("mcp__s__t", {"x": ("y", {"z": ["~/.ssh/k"]})}),
    ],
)
def test_a_path_is_found_wherever_it_is_put(tool: str, fields: dict[str, object]) -> None:
    assert "~/.ssh/k" in touched(analyse(ToolCall(tool, fields)))


@pytest.mark.parametrize("word", [".env", "id_rsa", "server.pem", "tls.key", ".netrc"])
def test_names_of_secrets_count_in_the_middle_of_a_sentence(word: str) -> None:
    assert Effect("read", word, possible=True) in read("frobnicate", x=f"please show {word}.").effects
    assert touched(read("frobnicate", x=f"please show {word}."), "write") == []


@pytest.mark.parametrize("text", ["/", ".", "..", "//", "./..", "...", "just words", "a 1.5 b", "C# and F#"])
def test_signs_and_words_are_no_paths(text: str) -> None:
    assert touched(read("frobnicate", x=text)) == []


def test_a_long_path_is_a_path() -> None:
    path = "/." * 2_100 + "/~/.ssh/id_rsa"
    assert touched(read("mcp__s__get", x=path)) == [path, "~/.ssh/id_rsa"]
    assert touched(read("mcp__s__get", path=f"{path} x")) == [path, "~/.ssh/id_rsa", f"{path} x"]


DECODED = ["/srv/k", "h/srv/k", "/h/srv/k"]


def test_paths_behind_a_scheme_nobody_knows_count() -> None:
    assert touched(read("mcp__s__get", x="use sqlite:///srv/k now")) == ["/srv/k"]
    assert touched(read("mcp__s__get", x="use x1://../k now")) == ["x1://../k"]
    assert touched(read("mcp__s__get", path="x1://../k")) == ["/k", "../k", "/../k", "x1://../k"]
    assert touched(read("mcp__s__get", uri="x1://h/srv/%6b")) == ["/srv/%6b", "h/srv/%6b", "/h/srv/%6b", *DECODED]
    assert touched(read("mcp__s__get", x="x1://h/srv/k")) == []
    assert touched(read("mcp__s__get", x="use file:///srv/%6b now")) == ["/srv/k", "file:///srv/%6b"]


def test_lists_that_are_lists_by_design_touch_nothing() -> None:
    assert touched(read("read_many_files", paths=["a"], exclude=[".env"])) == ["a"]
    assert touched(read("WebSearch", query="x", queries=["what is ~/.ssh for"])) == []


@pytest.mark.parametrize(
    ("name", "touches"),
    [
        *((name, verbs.READS) for name in ("read_file", "getIssue", "git.status", "list-dir", "directory_tree")),
        *((name, verbs.CHANGES) for name in ("", "frob", "write_log", "get_or_create", "updateStatus", "readme")),
        *((name, verbs.DELETES) for name in ("delete_file", "moveFile", "fs.rm", "DropTable", "list_and_purge")),
        *((name, verbs.COPIES) for name in ("copy_file", "fs_cp", "duplicateTree")),
    ],
)
def test_the_verb_of_a_tool_says_what_it_may_do(name: str, touches: verbs.Touches) -> None:
    assert verbs.touches_of(name) == touches


def test_only_what_every_reading_of_a_name_calls_reading_just_reads() -> None:
    assert verbs.touches_of("read_x", "x") == verbs.CHANGES
    assert verbs.touches_of("read_x", "rm") == verbs.DELETES
    assert verbs.words_of("HTTPGet_file2.x") == ["http", "get", "file2", "x"]


# --- limits --------------------------------------------------------------------------------------------------------


def test_many_texts_are_read_in_order_and_too_many_are_blind() -> None:
    full = read("mcp__s__get", x=["x"] * (arguments.MAX_STRINGS - 3), y="~/k")
    assert (touched(full), blind(full)) == (["~/k"], [])
    over = read("mcp__s__get", y="~/k", x=["x"] * arguments.MAX_STRINGS)
    assert (touched(over), blind(over)) == (["~/k"], ["mcp__s__get has more than 5000 texts in its arguments"])


def test_too_long_a_text_is_blind() -> None:
    assert blind(read("mcp__s__get", x="x" * arguments.MAX_TEXT)) == []
    assert blind(read("mcp__s__get", x="x" * (arguments.MAX_TEXT + 1))) != []


def test_too_many_paths_and_urls_are_blind() -> None:
    paths = [f"p/{n}" for n in range(4_000)]
    for result in (read("Read", paths=[*paths, "~/.ssh/k"]), read("mcp__s__get", x=[*paths, "~/.ssh/k"])):
        assert touched(result) == [*paths[: len(touched(result)) - 1], "~/.ssh/k"]
        assert 1_000 < len(touched(result)) < 4_000
        assert blind(result)[0] == SHORT_OF[STATING]
    urls = [f"http://a.example/{n}" for n in range(web.MAX_URLS + 1)]
    for result in (read("frobnicate", x=urls), read("WebFetch", prompt=" ".join(urls)), read("WebFetch", x=urls)):
        assert any("more than 1000 URLs" in why for why in blind(result))


def test_a_knot_of_lists_and_a_square_of_moves_come_to_an_end() -> None:
    knot: list[object] = []
    knot += [knot, knot, knot]
    assert blind(read("mcp__s__t", x=knot)) != []
    many = [f"p{n}" for n in range(2_000)]
    assert blind(read("move_file", source=many, destination=many)) == [SHORT_OF[STATING]]


def test_json_that_only_others_can_read_is_blind() -> None:
    assert blind(read("mcp__s__t", x='{"a": 1, "a": "\\u007e/.ssh/k"}')) != []
    assert blind(read("mcp__s__t", x="[WIP] title")) == []


@given(st.recursive(st.text(max_size=5), lambda inner: st.lists(inner, max_size=3).map(dumps), max_leaves=5))
@settings(max_examples=60, deadline=None)
def test_json_in_json_is_read_to_its_end(wrapped: str) -> None:
    assert "~/k" in touched(read("mcp__s__t", x=dumps([wrapped, dumps({"y": "~/k"})])))


# --- URLs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("browser_navigate", {"to": "http://10.0.0.1/"}),
        ("browser", {"action": "goto", "value": "http://10.0.0.1/"}),
        ("browser_action", {"action": "type", "text": "http://10.0.0.1/"}),
        ("WebSearch", {"query": "x", "url": "http://10.0.0.1/"}),
        ("WebSearch", {"query": "x", "also": {"y": ["http://10.0.0.1/"]}}),
        ("http_request", {"baseURL": "http://10.0.0.1/"}),
        ("WebFetch", {"url": "https://a.example/", "proxy": "http://10.0.0.1/"}),
        ("WebFetch", {"url": "https://a.example/", "headers": {"x": "http://10.0.0.1/"}}),
    ],
)
def test_web_tools_reach_a_url_in_any_field(tool: str, fields: dict[str, object]) -> None:
    assert ("reach", "http://10.0.0.1/") in certain(analyse(ToolCall(tool, fields)))


@pytest.mark.parametrize("text", ["http://a/", " https://a/\n", "ht\ntp://a/", "http:/a", "https:\\\\a", "s3://a/b"])
def test_a_text_that_is_a_url_may_be_reached(text: str) -> None:
    assert touched(read("mcp__s__t", x=[text]), "reach") == [text]


@pytest.mark.parametrize("text", ["see http://a/", "a://b", "file:///x", "http", "x: /y", "key:value"])
def test_other_texts_are_not_reached(text: str) -> None:
    assert touched(read("mcp__s__t", x=text), "reach") == []


@pytest.mark.parametrize(
    ("key", "text", "url"),
    [
        ("url", "10.0.0.1/x", "http://10.0.0.1/x"),
        ("url", "http:10.0.0.1", "http:10.0.0.1"),
        ("base_url", "a.example/x", "http://a.example/x"),
        ("endpoint", "10.0.0.1:8080", "http://10.0.0.1:8080"),
        ("host", "localhost", "http://localhost"),
        ("host", "fd00::1", "http://[fd00::1]"),
        ("hostname", "0xa9fea9fe", "http://0xa9fea9fe"),
        ("server", "nas.local", "http://nas.local"),
        ("text", "see http://10.0.0.1/, then http://a.example/", "http://10.0.0.1/"),
    ],
)
def test_an_address_without_a_scheme_or_inside_a_sentence_may_be_reached(key: str, text: str, url: str) -> None:
    assert touched(read("mcp__s__t", **{key: text}), "reach") == [url]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        *(
            ("host", text)
            for text in ("db", "a.example", "10", "~/x.y", "./a.b", "/a.b", "two words.example", "", "2606:4700::1")
        ),
        *(("uri", text) for text in ("README.md", "src/app.py", "note:1.2", "urn:isbn:0")),
        *(
            ("text", text)
            for text in ("10.0.0.1/x", "see http://localhost:3000/", "see http://127.0.0.1/ or http://b/")
        ),
    ],
)
def test_names_and_numbers_that_are_no_addresses_are_not_reached(key: str, text: str) -> None:
    assert touched(read("mcp__s__t", **{key: text}), "reach") == []


def test_a_prompt_is_obeyed_only_where_it_is_all_there_is() -> None:
    prompt = "read http://a.example/"
    for agent in ("", "gemini", "claude"):
        both = analyse(ToolCall("web_fetch", {"url": "https://b.example/", "prompt": prompt}, agent=agent))
        assert certain(both) == [("reach", "https://b.example/")]
        alone = analyse(ToolCall("web_fetch", {"prompt": prompt}, agent=agent))
        assert certain(alone) == ([] if agent == "claude" else [("reach", "http://a.example/")])
        assert bool(blind(alone)) == (agent == "claude")


def test_resources_of_servers_are_not_sites() -> None:
    assert touched(read("read_mcp_resource", server="s", uri="note://x"), "reach") == []
    assert touched(read("read_mcp_resource", server="s", uri="http://10.0.0.1/"), "reach") == ["http://10.0.0.1/"]


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "reach"),
        ({"method": "head"}, "reach"),
        ({"method": "OPTIONS"}, "send"),
        ({"method": 1}, "send"),
        ({"data": "x"}, "send"),
    ],
)
def test_more_than_an_address_is_sending(fields: dict[str, object], kind: str) -> None:
    assert certain(read("http_request", url="https://a.example/", **fields))[0] == (kind, "https://a.example/")


def test_files_in_a_body_are_read() -> None:
    result = read("fetch", url="https://a.example/", data="x=@~/a&y", body={"z": "@b"}, files=["c", {"n": ["d"]}])
    assert {path for kind, path in certain(result) if kind == "read"} == {"~/a", "b", "c", "d"}


@pytest.mark.parametrize("key", ["output_path", "destination", "to", "output", "filename"])
def test_a_download_writes_where_it_says(key: str) -> None:
    result = read("download_file", url="https://a.example/", **{key: "x"})
    assert (("write", "x") in certain(result), blind(result)) == (True, [])


@pytest.mark.parametrize("fields", [{"action": "type", "text": "x"}, {"action": "goto", "key": "x"}, {"action": "?"}])
def test_whatever_touches_a_page_is_a_call(fields: dict[str, object]) -> None:
    [call] = [e for e in read("browser", url="https://a.example/", **fields).effects if e.kind == "call"]
    assert (call.target, call.code, call.possible) == ("browser", "tool", False)


# --- commands and modes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"command": "rm -rf x"}, "rm -rf x"),
        ({"command": ["rm", "-rf", "a b"]}, "rm -rf 'a b'"),
        ({"command": "rm", "args": ["-rf", "x"]}, "rm -rf x"),
        ({"steps": [{"cmd": {"line": "rm -rf x"}}]}, "rm -rf x"),
        ({"x": '{"script": "rm -rf x"}'}, "rm -rf x"),
    ],
)
def test_commands_of_servers_are_text_to_look_into(fields: dict[str, object], line: str) -> None:
    result = read("mcp__s__t", **fields)
    assert line in result.text.split("\n")
    assert [(gap.blind, gap.vouchable) for gap in result.gaps] == [(True, True)]


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("write_to_terminal", {"command": "rm -rf ~"}),
        ("send_to_terminal", {"content": "rm -rf ~"}),
        ("write_stdin", {"keys": ["rm -rf ~"]}),
        ("write_stdin", {"chars": "", "typed": "rm -rf ~"}),
        ("Bash", {"restart": True, "cmdx": "rm -rf ~"}),
        ("Bash", {"restart": True, "input": "rm -rf ~"}),
        ("python", {"cells": "rm -rf ~"}),
    ],
)
def test_typed_text_is_blind_and_looked_into(tool: str, fields: dict[str, object]) -> None:
    result = analyse(ToolCall(tool, fields))
    assert result.text == "rm -rf ~"
    assert blind(result) != []
    assert not any(effect.kind == "note" and not blind(result) for effect in result.effects)


def test_a_restart_is_a_note_only_when_it_is_alone() -> None:
    assert read("Bash", restart=True, command=None) == Analysis((Effect("note", "Bash"),))
    assert blind(read("Bash", restart=True, description="x")) != []


@pytest.mark.parametrize("tool", ["Task", "Skill", "memory"])
def test_a_mode_is_found_at_any_depth(tool: str) -> None:
    wanted = Effect("change", "mode bypassPermissions", code="mode.request")
    for fields in (
        {"mode": "bypassPermissions"},
        {"tasks": [{"prompt": "x", "permissionMode": "bypassPermissions"}]},
        {"tasks": '[{"mode": {"name": "bypassPermissions"}}]'},
    ):
        assert wanted in analyse(ToolCall(tool, fields)).effects


@pytest.mark.parametrize("tool", ["ExitPlanMode", "plan_exit", "ExitSpecMode", "functions.ExitPlanMode"])
def test_leaving_plan_mode_is_asking_for_a_mode(tool: str) -> None:
    assert read(tool).effects == (Effect("change", "leave plan mode", code="mode.request"),)


# --- names ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["mcp__github__evil__drop", "mcp_github_evil_drop"])
def test_every_split_of_a_name_is_a_call(tool: str) -> None:
    mark = "__" if "__" in tool else "_"
    result = read(tool)
    assert certain(result) == [("call", f"github.evil{mark}drop"), ("call", f"github{mark}evil.drop")]
    assert result.gaps == ()


def test_too_many_splits_are_blind() -> None:
    name = "mcp_" + "_".join("a" * (mcp.MAX_SPLITS + 2))
    assert len(read(name).effects) == mcp.MAX_SPLITS
    assert blind(read(name)) == [f"{name} can be split into server and tool in 17 ways"]


def test_namespaces_of_model_apis_are_no_part_of_a_name() -> None:
    assert [plain_name(name) for name in ("functions.Read", "default_api.x", "Read")] == ["Read", "x", "Read"]
    assert family_of("functions.mcp__a__b") == "mcp_name"
    assert certain(read("functions.mcp__a__b")) == [("call", "a.b")]
    assert read("functions.list", path="src").effects == (Effect("list", "src", deep=True),)


# --- searches ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "search.tracked"),
        ({"hidden": False, "respect_git_ignore": True, "type": "py"}, "search.tracked"),
        ({"file_filtering_options": {"respect_git_ignore": True}}, "search.tracked"),
        ({"glob": "*.py"}, "search.folders"),
        ({"glob": "*.{ts,tsx}"}, "search.folders"),
        ({"glob": ["*.py", "*.md"]}, ""),
        ({"glob": "**/.env"}, ""),
        *(({key: True}, "") for key in ("no_ignore", "include_ignored", "includeIgnoredFiles", "hidden")),
        *(({key: "yes"}, "") for key in ("includeHidden", "includeHiddenFiles", "use_default_excludes")),
        ({"respect_git_ignore": False}, ""),
        ({"file_filtering_options": {"respect_git_ignore": False}}, ""),
        ({"glob": "*.py", "no_ignore": True}, ""),
        ({"type": "py --no-ignore"}, ""),
        ({"types": [{}]}, ""),
    ],
)
def test_a_search_says_how_it_treats_what_git_ignores(fields: dict[str, object], code: str) -> None:
    [search] = [effect for effect in read("Grep", pattern="x", **fields).effects if effect.kind == "search"]
    assert search.code == code


def test_copied_and_moved_trees_are_looked_into() -> None:
    for tool in ("copy_file", "move_file"):
        effects = read(tool, source="a", destination="b").effects
        assert Effect("write", "a", deep=True, possible=True, code="copied", mentioned=True) in effects
        assert Effect("write", "b", deep=True, code="copied", arguments={"from": ("a",)}) in effects
    for tool in ("mcp__fs__copy_file", "mcp__fs__move"):
        effects = read(tool, source="a", destination="b").effects
        arrives = Effect(
            "write", "b", deep=True, possible=True, code="copied", arguments={"from": ("a",)}, mentioned=True
        )
        assert arrives in effects


def test_gaps_say_who_may_vouch() -> None:
    assert read("Read", file_path="a", x=1).gaps == (Gap("Read has an unknown field `x`", blind=True, vouchable=True),)
    assert read("browser", action="close", x=1).gaps == (Gap("browser has an unknown field `x`", blind=True),)
