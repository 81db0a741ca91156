"""Records are frozen, comparable and hashable, and behave the same before and after their `__init__` is compiled."""

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from assent.record import COMPILE_AFTER, OPEN_AFTER, once, record, replace
from assent.types import Analysis, Effect, Span, Verdict


@record
class Point:
    """Two numbers and a label."""

    x: int
    y: int = 0
    label: str = ""

    @property
    def sum(self) -> int:
        return self.x + self.y


def test_a_record_is_compared_hashed_shown_and_matched_by_its_fields() -> None:
    assert Point(1, 2) == Point(1, y=2) != Point(2, 1)
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert repr(Point(1, 2, "a")) == "Point(x=1, y=2, label='a')"
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)
    assert Point(3, 4).sum == 7
    other: object = (1, 0, "")
    assert Point(1) != other


def test_a_record_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del point.x
    with pytest.raises(AttributeError):
        point.other = 1  # type: ignore[attr-defined]


def test_replace_copy_and_pickle_give_equal_records() -> None:
    point = Point(1, 2, "a")
    assert replace(point, y=5) == Point(1, 5, "a")
    assert copy.deepcopy(point) == point == copy.copy(point)
    assert pickle.loads(pickle.dumps(Span(1, 2))) == Span(1, 2)
    assert pickle.loads(pickle.dumps(Verdict.ASK)) is Verdict.ASK


@pytest.mark.parametrize("used_before", [0, COMPILE_AFTER + 5])
def test_wrong_arguments_are_type_errors_however_often_the_class_was_used(used_before: int) -> None:
    @record
    class Fresh:
        """Made anew for each run."""

        x: int
        y: int = 0

    for number in range(used_before):
        assert Fresh(number).x == number
    wrong: list[tuple[tuple[int, ...], dict[str, int]]] = [
        ((), {}),
        ((1, 2, 3), {}),
        ((1,), {"x": 2}),
        ((1,), {"z": 2}),
        ((), {"y": 1}),
    ]
    for args, kwargs in wrong:
        with pytest.raises(TypeError):
            Fresh(*args, **kwargs)
    assert (Fresh(1).y, Fresh(y=3, x=2).y) == (0, 3)


@pytest.mark.parametrize("used_before", [0, COMPILE_AFTER + 5, OPEN_AFTER + 5])
def test_a_record_with_many_fields_is_the_same_in_all_its_lives(used_before: int) -> None:
    @record
    class Wide:
        """Made anew for each run."""

        a: int
        names: str = "n"
        made: tuple[int, ...] = ()
        changes: bool = False
        e: int = 5

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    for number in range(used_before):
        assert Wide(number).a == number
    wide = Wide(1, changes=True)
    assert (wide, hash(wide)) == (Wide(1, "n", (), True, 5), hash(Wide(1, "n", (), True)))
    assert type(wide) is type(replace(wide, e=6)) is Wide
    assert replace(wide, e=6, names="x") == Wide(1, "x", (), changes=True, e=6) != wide
    assert repr(wide).endswith("Wide(a=1, names='n', made=(), changes=True, e=5)")
    with pytest.raises(AttributeError, match="frozen"):
        wide.e = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del replace(wide, e=6).e
    with pytest.raises(TypeError, match="has no field `other`"):
        replace(wide, other=1)
    wrong: list[tuple[tuple[object, ...], dict[str, object]]] = [
        ((), {}),
        ((1,) * 6, {}),
        ((1,), {"a": 2}),
        ((1,), {"z": 2}),
    ]
    for args, kwargs in wrong:
        with pytest.raises(TypeError):
            Wide(*args, **kwargs)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="negative"):
        Wide(-1)
    with pytest.raises(ValueError, match="negative"):
        replace(wide, a=-1)


def test_post_init_runs_in_all_lives_of_a_class() -> None:
    for _ in range(OPEN_AFTER + 5):
        with pytest.raises(ValueError, match="has not understood anything"):
            Analysis()
        assert Analysis((Effect("note", "x"),)).gaps == ()


def test_a_record_is_a_dataclass_to_whoever_asks() -> None:
    point = Point(1, 2, "a")
    assert [(one.name, one.default) for one in dataclasses.fields(Point)][1:] == [("y", 0), ("label", "")]
    assert dataclasses.fields(Point)[0].default is dataclasses.MISSING
    assert dataclasses.asdict(point) == {"x": 1, "y": 2, "label": "a"}
    assert dataclasses.astuple(point) == (1, 2, "a")
    assert dataclasses.replace(point, y=3) == Point(1, 3, "a")
    with pytest.raises(TypeError):
        dataclasses.replace(point, z=3)  # type: ignore[call-arg]
    assert dataclasses.is_dataclass(point)
    assert dataclasses.is_dataclass(Point)


def test_making_a_record_loads_no_dataclasses() -> None:
    program = "import sys; from assent.types import Span; Span(1, 2); sys.exit('dataclasses' in sys.modules)"
    assert subprocess.run([sys.executable, "-I", "-c", program], check=False).returncode == 0


def test_what_is_loaded_once_is_kept() -> None:
    asked: list[int] = []

    @once
    def load() -> int:
        asked.append(1)
        return len(asked)

    assert (load(), load(), asked) == (1, 1, [1])


def test_verdicts_are_ordered_members() -> None:
    assert [str(v) for v in Verdict] == ["allow", "ask", "deny"]
    assert max(Verdict.ALLOW, Verdict.DENY, Verdict.ASK) is Verdict.DENY
    assert Verdict(1) is Verdict.ASK is Verdict["ASK"]
    assert (Verdict.DENY.value, Verdict.DENY.name, f"{Verdict.DENY:>5}") == (2, "DENY", " deny")
    assert repr(Verdict.ASK) == "<Verdict.ASK: 1>"
    with pytest.raises(ValueError, match="9 is not a valid Verdict"):
        Verdict(9)
