"""The complete example and the six tests of the document on settings and checker, as written but for the imports."""

import pytest

from assent import PathRuleConfig, PermissionChecker, PermissionMode, PermissionSettings


def test_default_mode_blocks_mutating_tools() -> None:
    settings = PermissionSettings(mode=PermissionMode.DEFAULT)
    checker = PermissionChecker(settings)

    # 只读工具允许
    d = checker.evaluate("read_file", is_read_only=True, file_path="/tmp/test.txt")
    assert d.allowed is True

    # 修改型工具需要确认
    d = checker.evaluate("exec", is_read_only=False, command="echo hello")
    assert d.allowed is False
    assert d.requires_confirmation is True


def test_full_auto_allows_all() -> None:
    settings = PermissionSettings(mode=PermissionMode.FULL_AUTO)
    checker = PermissionChecker(settings)

    d = checker.evaluate("exec", is_read_only=False)
    assert d.allowed is True


def test_plan_blocks_mutating() -> None:
    settings = PermissionSettings(mode=PermissionMode.PLAN)
    checker = PermissionChecker(settings)

    d = checker.evaluate("write_file", is_read_only=False)
    assert d.allowed is False
    assert "Plan mode" in d.reason


def test_denied_tools() -> None:
    settings = PermissionSettings(mode=PermissionMode.FULL_AUTO, denied_tools=["exec"])
    checker = PermissionChecker(settings)

    d = checker.evaluate("exec", is_read_only=False)
    assert d.allowed is False
    assert "explicitly denied" in d.reason


def test_sensitive_path_patterns() -> None:
    settings = PermissionSettings(mode=PermissionMode.FULL_AUTO)
    checker = PermissionChecker(settings)

    d = checker.evaluate("read_file", is_read_only=True, file_path="/home/user/.ssh/authorized_keys")
    assert d.allowed is False
    assert "sensitive credential path" in d.reason


def test_path_rules() -> None:
    settings = PermissionSettings(
        mode=PermissionMode.FULL_AUTO,
        path_rules=[PathRuleConfig(pattern="**/secrets/*", allow=False)],
    )
    checker = PermissionChecker(settings)

    d = checker.evaluate("read_file", is_read_only=True, file_path="/workspace/secrets/key.txt")
    assert d.allowed is False
    assert "matches deny rule" in d.reason

    d = checker.evaluate("read_file", is_read_only=True, file_path="/workspace/public/readme.md")
    assert d.allowed is True


def test_the_complete_example(capsys: pytest.CaptureFixture[str]) -> None:
    # 构建设置
    settings = PermissionSettings(
        mode=PermissionMode.DEFAULT,
        allowed_tools=["read_file", "glob", "grep"],
        denied_tools=["exec", "web_fetch"],
        path_rules=[
            PathRuleConfig(pattern="/workspace/safe/**", allow=True),
            PathRuleConfig(pattern="/workspace/safe/.env", allow=False),
        ],
        denied_commands=["rm -rf *", "shutdown *"],
    )

    # 创建检查器
    checker = PermissionChecker(settings)

    # 测试场景
    tests = [
        ("read_file", True, "/workspace/safe/readme.md", None),  # 允许(只读)
        ("exec", False, None, "npm install"),  # 拒绝(denied_tools)
        ("write_file", False, "/workspace/safe/output.txt", None),  # 需要确认(DEFAULT 模式)
        ("write_file", False, "/workspace/safe/.env", None),  # 拒绝(路径规则)
        ("read_file", True, "/home/user/.ssh/id_ed25519", None),  # 拒绝(敏感路径)
        ("write_file", False, "/etc/passwd", None),  # 需要确认
    ]

    for tool_name, is_ro, file_path, command in tests:
        d = checker.evaluate(tool_name, is_read_only=is_ro, file_path=file_path, command=command)
        status = "ALLOW" if d.allowed else "DENY" if not d.requires_confirmation else "CONFIRM"
        print(f"{status:7s} | {tool_name:20s} | {d.reason}")

    shown = [line.split("|")[0].strip() for line in capsys.readouterr().out.splitlines()]
    assert shown == ["ALLOW", "DENY", "CONFIRM", "DENY", "DENY", "CONFIRM"]


def test_step_6_uses_the_checker_as_the_document_shows() -> None:
    settings = PermissionSettings(
        mode=PermissionMode.DEFAULT,
        denied_tools=["exec"],
        path_rules=[PathRuleConfig(pattern="**/*.pem", allow=False)],
    )
    checker = PermissionChecker(settings)

    decision = checker.evaluate("read_file", is_read_only=True, file_path="/workspace/readme.md")
    assert decision.allowed is True

    decision = checker.evaluate("exec", is_read_only=False, command="npm install")
    assert decision.allowed is False
    assert decision.reason == "exec is explicitly denied"

    decision = checker.evaluate("read_file", is_read_only=True, file_path="/home/user/.ssh/id_rsa")
    assert decision.allowed is False
    assert decision.reason == "Access denied: /home/user/.ssh/id_rsa is a sensitive credential path"

    decision = checker.evaluate("write_file", is_read_only=False, file_path="/workspace/secrets.pem")
    assert decision.allowed is False
    assert decision.requires_confirmation is False
    assert decision.reason == "/workspace/secrets.pem matches deny rule: **/*.pem"


def test_a_tool_in_both_lists_is_denied() -> None:
    settings = PermissionSettings(
        mode=PermissionMode.DEFAULT,
        denied_tools=["exec", "web_fetch"],
        allowed_tools=["edit_file", "write_file", "exec"],
    )
    checker = PermissionChecker(settings)
    assert checker.evaluate("exec", is_read_only=False, command="ls").reason == "exec is explicitly denied"
    assert checker.evaluate("write_file", is_read_only=False, file_path="/workspace/a.txt").allowed is True


def test_denied_commands_stop_the_document_s_own_list() -> None:
    patterns = ["rm -rf /*", "rm -rf /", "dd *", ":(){ :|:& };:"]
    checker = PermissionChecker(PermissionSettings(mode=PermissionMode.FULL_AUTO, denied_commands=patterns))
    for command in (
        "rm -rf /",
        "rm -rf /etc",
        "dd if=/dev/zero of=x",
        ":(){ :|:& };:",
        "true; rm -rf /*",
        "FOO=1 dd x",
    ):
        decision = checker.evaluate("exec", command=command)
        assert (decision.allowed, decision.requires_confirmation) == (False, False), command
        assert any("matches deny rule" in reason.text for reason in decision.reasons)
