"""Who the inbox listens to: the right name, the right origin, the right key, and nothing else."""

from __future__ import annotations

import hmac
import json
import os
import stat
from pathlib import Path

import pytest

from assent.errors import AssentError
from assent.server import keys as keys_module
from assent.server.app import CHANGES, PAGES, READS, static_files
from assent.server.keys import CODE_SECONDS, WRONG_LIMIT, Keys, codes_folder, new_code, read_token, token_file, use_code
from assent.server.security import CONTENT_POLICY, MAX_BODY, allowed_hosts
from server.web_scene import TESTS, UPLOAD, Answered, Web

ANSWER = {"approved": True, "fingerprint": TESTS.fingerprint}
JSON = {"Content-Type": "application/json"}


def state_of(web: Web, request_id: str = TESTS.id) -> str:
    ticket = web.desk.ticket(request_id)
    assert ticket is not None
    return ticket.state


def post_raw(web: Web, headers: dict[str, str], body: object = ANSWER) -> Answered:
    """An answer to the example request with exactly these headers."""
    found = web.raw("POST", f"/api/requests/{TESTS.id}/answer", headers, json.dumps(body).encode())
    return Answered(found.status_code, found.json())


# --- the name of the server ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:7391",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:73910",
        "localhost.evil:7391",
        "",
        "0:7391",
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/app.js", "/api/requests", "/api/login"])
def test_a_request_for_another_name_is_refused(web: Web, host: str, path: str) -> None:
    found = web.raw("GET", path, {"Host": host, "Authorization": f"Bearer {web.token}"})
    assert (found.status_code, found.json()["error"]) == (421, "this server does not go by that name")


@pytest.mark.parametrize("host", ["127.0.0.1:7391", "localhost:7391", "[::1]:7391", "LOCALHOST:7391"])
def test_the_names_of_this_machine_are_answered(web: Web, host: str) -> None:
    assert web.raw("GET", "/api/requests", {"Host": host, "Authorization": f"Bearer {web.token}"}).status_code == 200


def test_configured_names_and_the_bound_address_are_added() -> None:
    loopback = {"127.0.0.1:80", "localhost:80", "[::1]:80", "127.0.0.1", "localhost", "[::1]"}
    assert allowed_hosts("127.0.0.1", 80) == loopback
    assert allowed_hosts("10.0.0.5", 7, ("Box.example",)) == {
        *("127.0.0.1:7", "localhost:7", "[::1]:7", "box.example:7", "10.0.0.5:7")
    }
    assert allowed_hosts("0.0.0.0", 7) == {"127.0.0.1:7", "localhost:7", "[::1]:7"}


# --- the origin ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:7392"},
        {"Origin": "https://127.0.0.1:7391"},
        {"Origin": "http://localhost:7391"},  # another name of ours than the one in Host
        {"Origin": "http://127.0.0.1:7391.evil.example"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "same-origin"},  # a browser, but it does not say where it comes from
        {"Origin": "http://127.0.0.1:7391", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_change_from_another_origin_is_refused_even_with_the_token(web: Web, headers: dict[str, str]) -> None:
    web.ask(TESTS)
    found = post_raw(web, {**JSON, "Authorization": f"Bearer {web.token}", **headers})
    assert (found.status, state_of(web)) == (403, "pending")


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://127.0.0.1:7391", "Sec-Fetch-Site": "same-origin"}])
def test_our_own_pages_and_programs_with_the_token_are_heard(web: Web, headers: dict[str, str]) -> None:
    web.ask(TESTS)
    assert post_raw(web, {**JSON, "Authorization": f"Bearer {web.token}", **headers}).status == 200
    assert state_of(web) == "approved"


def test_another_site_cannot_read_either(web: Web) -> None:
    given = {"Authorization": f"Bearer {web.token}", "Sec-Fetch-Site": "cross-site"}
    assert web.raw("GET", "/api/requests", given).status_code == 403
    given = {"Authorization": f"Bearer {web.token}", "Origin": "http://evil.example"}
    assert web.raw("GET", "/api/requests", given).status_code == 403


def test_nothing_is_said_to_other_origins(web: Web) -> None:
    given = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    found = web.raw("OPTIONS", "/api/answers", given)
    assert found.status_code == 405
    for answer in (found, web.raw("GET", "/"), web.raw("GET", "/api/requests")):
        assert not [name for name in answer.headers if name.startswith("access-control-")]


# --- the key -------------------------------------------------------------------------------------------------------


def every_call() -> list[tuple[str, str]]:
    reads = [("GET", path) for path in (*READS, "/api/events")]
    return [
        (method, path.replace("{id}", TESTS.id)) for method, path in [*reads, *[("POST", path) for path in CHANGES]]
    ]


@pytest.mark.parametrize(("method", "path"), every_call())
def test_every_call_needs_the_key(web: Web, method: str, path: str) -> None:
    web.ask(TESTS)
    origin = {"Origin": "http://127.0.0.1:7391"} if method == "POST" else {}
    bare = web.raw(method, path, {**JSON, **origin}, b"{}" if method == "POST" else b"")
    assert bare.status_code == (400 if path == "/api/login" else 401)
    wrong = web.raw(method, path, {**JSON, **origin, "Authorization": f"Bearer {'0' * 64}"}, b"{}")
    assert (wrong.status_code, state_of(web)) == (401, "pending")


def test_the_key_counts_in_either_header_and_nowhere_else(web: Web) -> None:
    assert web.raw("GET", "/api/requests", {"X-Assent-Token": web.token}).status_code == 200
    assert web.raw("GET", "/api/requests", {"Authorization": f"Bearer {web.token}"}).status_code == 200
    assert web.raw("GET", f"/api/requests?token={web.token}").status_code == 401
    assert web.raw("GET", "/api/requests", {"Cookie": f"token={web.token}"}).status_code == 401
    assert web.raw("GET", "/api/requests", {"Authorization": f"Basic {web.token}"}).status_code == 401


def test_without_origin_and_without_token_nobody_can_log_in(web: Web) -> None:
    code = new_code(web.desk.state)
    found = web.raw("POST", "/api/login", JSON, json.dumps({"code": code}).encode())
    assert (found.status_code, use_code(web.desk.state, code)) == (403, True)


def test_many_wrong_keys_are_slowed_down_and_the_right_one_still_works(web: Web) -> None:
    answers = [web.raw("GET", "/api/requests", {"Authorization": "Bearer wrong"}) for _ in range(WRONG_LIMIT + 1)]
    assert [found.status_code for found in answers] == [401] * (WRONG_LIMIT - 1) + [429] * 2
    assert int(answers[-1].headers["retry-after"]) in range(1, 62)
    assert web.get("/api/requests").status == 200


def test_wrong_keys_are_forgiven_after_a_minute(web: Web) -> None:
    now = [0.0]
    keys = Keys(web.desk.state, clock=lambda: now[0])
    for _ in range(WRONG_LIMIT):
        assert not keys.accepts("wrong")
    assert keys.locked_for() == 60.0
    now[0] = 60.0
    assert keys.locked_for() == 0.0


def test_keys_are_compared_in_constant_time(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[bytes, bytes]] = []

    def compare(one: bytes, other: bytes) -> bool:
        seen.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    first, second = web.keys.login(new_code(web.desk.state)), web.keys.login(new_code(web.desk.state))
    assert web.keys.accepts(first)
    assert seen == [(first.encode(), known.encode()) for known in (web.token, first, second)]


# --- the token and the codes ---------------------------------------------------------------------------------------


def test_the_token_is_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    token = read_token(state)
    assert (len(bytes.fromhex(token)), read_token(state)) == (32, token)
    assert stat.S_IMODE(os.stat(token_file(state)).st_mode) == 0o600
    assert read_token(str(tmp_path / "other")) != token


@pytest.mark.parametrize("spoil", [lambda file: os.chmod(file, 0o644), lambda file: Path(file).write_text("short\n")])
def test_a_token_that_others_could_know_is_not_used(tmp_path: Path, spoil: object) -> None:
    read_token(str(tmp_path))
    spoil(token_file(str(tmp_path)))  # type: ignore[operator]
    with pytest.raises(AssentError, match="web-token"):
        read_token(str(tmp_path))


def test_a_token_behind_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("0" * 64)
    (tmp_path / "web-token").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(AssentError, match="not a file for you alone"):
        read_token(str(tmp_path))


def login(web: Web, code: str) -> Answered:
    given = {**JSON, "Origin": f"http://{web.host}"}
    found = web.raw("POST", "/api/login", given, json.dumps({"code": code}).encode())
    return Answered(found.status_code, found.json())


def test_a_code_opens_once(web: Web) -> None:
    code = new_code(web.desk.state)
    first, second = login(web, code), login(web, code)
    assert (first.status, second.status) == (200, 401)
    key = first.body["token"]
    assert len(bytes.fromhex(key)) == 32
    assert web.raw("GET", "/api/requests", {"Authorization": f"Bearer {key}"}).status_code == 200
    assert second.body["error"] == "this link was used already or is too old"


def test_a_code_opens_for_five_minutes(web: Web) -> None:
    code = new_code(web.desk.state)
    [name] = os.listdir(codes_folder(web.desk.state))
    file = os.path.join(codes_folder(web.desk.state), name)
    made = os.stat(file).st_mtime - CODE_SECONDS - 1
    os.utime(file, (made, made))
    assert login(web, code).status == 401
    assert code not in name


@pytest.mark.parametrize("code", ["", "x", "../web-token", "a" * 200])
def test_an_invented_code_opens_nothing(web: Web, code: str) -> None:
    assert login(web, code).status == 401
    assert os.path.exists(token_file(web.desk.state))


def test_a_browser_gets_a_key_of_its_own_that_ends_with_the_server(web: Web) -> None:
    key = login(web, new_code(web.desk.state)).body["token"]
    assert key != web.token
    assert not Keys(web.desk.state).accepts(key)


def test_signing_out_ends_the_key(web: Web) -> None:
    key = login(web, new_code(web.desk.state)).body["token"]
    given = {**JSON, "Authorization": f"Bearer {key}"}
    assert web.raw("POST", "/api/logout", given, b"{}").status_code == 200
    assert web.raw("GET", "/api/requests", given).status_code == 401


def test_a_signed_in_tab_can_make_a_link_for_another(web: Web) -> None:
    made = web.post("/api/link").body["path"]
    assert made.startswith("/login#")
    assert login(web, made.removeprefix("/login#")).status == 200


# --- what may be sent ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_changes_are_json_and_nothing_else(web: Web, kind: str) -> None:
    web.ask(TESTS)
    found = post_raw(web, {"Authorization": f"Bearer {web.token}", "Content-Type": kind})
    assert (found.status, state_of(web)) == (415, "pending")


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "HEAD"])
def test_changes_are_made_with_post_alone(web: Web, method: str) -> None:
    web.ask(TESTS)
    given = {**JSON, "Authorization": f"Bearer {web.token}"}
    found = web.raw(method, f"/api/requests/{TESTS.id}/answer", given, json.dumps(ANSWER).encode())
    assert (found.status_code, state_of(web)) == (405, "pending")


def test_a_body_has_a_limit_whatever_its_length_claims(web: Web) -> None:
    large = b'{"code": "' + b"x" * MAX_BODY + b'"}'
    given = {**JSON, "Authorization": f"Bearer {web.token}"}
    assert web.raw("POST", "/api/login", given, large).status_code == 413
    assert web.raw("POST", "/api/login", {**given, "Content-Length": "2"}, large).status_code == 413
    assert web.raw("POST", "/api/login", {**given, "Content-Length": "x"}, large).status_code == 413


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff", b'{"approved": true, "approved": false}', b'"x"', b"1"])
def test_a_body_that_is_no_json_object_is_a_clear_error(web: Web, body: bytes) -> None:
    web.ask(TESTS)
    given = {**JSON, "Authorization": f"Bearer {web.token}"}
    found = web.raw("POST", f"/api/requests/{TESTS.id}/answer", given, body)
    assert (found.status_code, sorted(found.json()), state_of(web)) == (400, ["error", "help"], "pending")


def test_pages_take_no_posts(web: Web) -> None:
    assert web.raw("POST", "/", JSON).status_code == 405


# --- what is sent back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/login", "/static/app.js", "/api/requests", "/api/nothing", "/nothing"])
def test_every_answer_carries_the_headers_of_a_careful_site(web: Web, path: str) -> None:
    headers = dict(web.raw("GET", path).headers)
    expected = {
        "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }
    assert {name: headers.get(name) for name in expected} == expected
    assert expected["content-security-policy"] == CONTENT_POLICY
    assert "set-cookie" not in headers


def test_pages_hold_no_inline_script_style_or_foreign_address() -> None:
    folder = Path(keys_module.__file__).parent / "static"
    shell = (folder / "index.html").read_text()
    assert "<style" not in shell and "style=" not in shell and "onclick=" not in shell
    assert shell.count("<script") == shell.count('<script type="module" src="/static/') == 1
    for name in static_files():
        text = (folder / name).read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text and "https:" not in text, name
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "DOMParser",
        ):
            assert word not in text, (name, word)


def test_pages_are_the_same_shell_and_know_nothing(web: Web) -> None:
    web.ask(UPLOAD)
    texts = {web.raw("GET", path.replace("{id}", UPLOAD.id)).text for path in PAGES}
    assert len(texts) == 1
    assert "curl" not in texts.pop()


def test_only_files_of_the_inbox_are_served(web: Web) -> None:
    for path in (
        "/static/",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
    ):
        assert web.raw("GET", path).status_code == 404, path
