"""The snippets of the document on modes, run against our names."""

from assent import MUTATION_OPS, READ_ONLY_OPS, OperationType, PermissionContext, PermissionMode, requires_approval


def test_the_three_modes_are_strings_with_the_document_s_values() -> None:
    assert [(mode.name, mode.value) for mode in PermissionMode] == [
        ("DEFAULT", "default"),
        ("PLAN", "plan"),
        ("FULL_AUTO", "full_auto"),
    ]
    assert all(isinstance(mode, str) for mode in PermissionMode)


def test_requires_approval_follows_the_document_s_match() -> None:
    for op in OperationType:
        assert requires_approval(op, PermissionMode.FULL_AUTO) is False
        assert requires_approval(op, PermissionMode.PLAN) is (op in MUTATION_OPS)
        assert requires_approval(op, PermissionMode.DEFAULT) is (op not in READ_ONLY_OPS)
    assert {OperationType.WRITE, OperationType.EXECUTE, OperationType.DELETE} == MUTATION_OPS
    assert {OperationType.READ, OperationType.LIST, OperationType.SEARCH} == READ_ONLY_OPS


def test_the_usage_of_the_recipe() -> None:
    tracker = PermissionContext(PermissionMode.DEFAULT)
    assert (tracker.ESCALATE_CONSECUTIVE, tracker.ESCALATE_TOTAL) == (3, 20)
    assert [tracker.record_denial() for _ in range(3)] == [False, False, True]
    tracker.record_approval()
    assert (tracker.consecutive_denials, tracker.total_denials) == (0, 3)
    for _ in range(16):
        assert tracker.record_denial() is False
        tracker.record_approval()
    assert tracker.total_denials == 19
    assert tracker.record_denial() is True
