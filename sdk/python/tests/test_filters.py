from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from dms_client import F, Filter, filter_of, from_vql, to_vql, vql_to_python

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "vql_cases.json").read_text())


def evaluated(source: str) -> Filter:
    made = eval(source, {"F": F})
    assert isinstance(made, Filter)
    return made


@pytest.mark.parametrize("case", CASES, ids=json.dumps)
def test_every_case_of_the_service_becomes_python_and_back(case: dict[str, Any]) -> None:
    source = filter_of(case).to_python()
    assert evaluated(source).to_vql() == case
    assert repr(filter_of(case)) == source


@pytest.mark.parametrize(
    ("made", "source"),
    [
        (F.labels.one_of("boat"), 'F.labels.one_of("boat")'),
        (F.labels.one_of(["a", "b"]), 'F.labels.one_of("a", "b")'),
        (
            ~F.labels.is_("a", with_narrower=True),
            '~F.labels.is_("a", with_narrower=True)',
        ),
        (
            F.objects.one_of("a", attributes={"age": (3, 10), "colour": ["red", "blue"]}),
            "F.objects.one_of(\"a\", attributes={'age': [3, 10], 'colour': ['red', 'blue']})",
        ),
        (
            F.labels.one_of("a", source="b", confidence=(0.5, 1), count=2),
            'F.labels.one_of("a", source="b", confidence=(0.5, 1), count=2)',
        ),
        (~F.issues("blur", 0.5), '~F.issues("blur", 0.5)'),
        (F.issues(["dark", "bright"], 0), 'F.issues(["dark", "bright"], 0)'),
        ((F.width >= 640) & (F.height < 480), "(F.width >= 640) & (F.height < 480)"),
        (F.width != 5, "~(F.width == 5)"),
        (~F.width.between(1, 2), "~F.width.between(1, 2)"),
        (F.uniqueness > 0.5, "F.uniqueness(0.5)"),
        (
            F.map_area([(0, 0), (1, 0), (0.5, 1)]),
            "F.map_area([[0, 0], [1, 0], [0.5, 1]])",
        ),
        (F.files.one_of("a.jpg"), 'F.files.one_of("a.jpg")'),
        (F.files.one_of(["a.jpg"]), 'F.files.one_of(["a.jpg"])'),
        (
            F.tags.none() | F.labels.none(),
            'F.tags.one_of("untagged") | F.labels.one_of("unlabeled")',
        ),
        (~(F.duplicates(0.9) | F.uniqueness(0)), "~(F.duplicates(0.9) | F.uniqueness(0))"),
        (F.all(F.uniqueness(0)), "F.all(F.uniqueness(0))"),
        (
            F.all(F.all(F.uniqueness(0), F.uniqueness(1)), F.duplicates(1)),
            "F.all(F.uniqueness(0) & F.uniqueness(1), F.duplicates(1))",
        ),
        (F.metadata("score") > 0.5, 'F.metadata("score") > 0.5'),
        (~(F.metadata("ok") == True), '~(F.metadata("ok") == True)'),  # noqa: E712
        (F.metadata("site") != "a", '~(F.metadata("site") == "a")'),
        (F.metadata("site").contains("a", "b"), 'F.metadata("site").contains("a", "b")'),
        (
            F.metadata("taken").between(
                datetime(2026, 1, 31, tzinfo=timezone.utc), "2026-02-01T00:00:00Z"
            ),
            'F.metadata("taken").between("2026-01-31T00:00:00+00:00", "2026-02-01T00:00:00Z")',
        ),
        (F.text.semantic('say "hi"\n', 0.3), 'F.text.semantic("say \\"hi\\"\\n", 0.3)'),
    ],
)
def test_prints_what_makes_it(made: Filter, source: str) -> None:
    assert repr(made) == source
    assert evaluated(source) == made


def test_joins_equal_operators_into_one_group() -> None:
    a, b, c = (F.uniqueness(value) for value in (0, 0.5, 1))
    assert (a & b & c).to_vql() == {"and": [a.to_vql(), b.to_vql(), c.to_vql()]}
    assert ((a | b) & c).to_vql() == {"and": [{"or": [a.to_vql(), b.to_vql()]}, c.to_vql()]}
    assert repr((a | b) & c) == "(F.uniqueness(0) | F.uniqueness(0.5)) & F.uniqueness(1)"


def test_lists_become_python() -> None:
    vql: list[dict[str, Any]] = [
        {"labels": {"op": "is", "value": ["cat"]}},
        {"not": {"width": {"op": "lt", "value": 9}}},
    ]
    assert vql_to_python(json.dumps(vql)) == '[F.labels.is_("cat"), ~(F.width < 9)]'
    assert to_vql(from_vql(vql)) == vql
    assert to_vql(F.uniqueness(1)) == [{"uniqueness": {"op": "uniqueness", "value": 1}}]
    assert to_vql(None) == []


def test_refuses_what_python_would_misread() -> None:
    with pytest.raises(TypeError, match="combine filters with &"):
        bool(F.uniqueness(0) and F.uniqueness(1))
    with pytest.raises(TypeError, match="between"):
        bool(1 < F.width < 5)
    with pytest.raises(TypeError, match="combined with filters only"):
        F.uniqueness(0) & "blur"  # type: ignore[operator]


@pytest.mark.parametrize(
    "wrong",
    [
        {"lables": {"op": "is", "value": ["a"]}},
        {"labels": {"op": "has", "value": ["a"]}},
        {"labels": {"op": "is", "value": []}},
        {"labels": {"op": "is", "value": "a", "mode": "in"}},
        {"labels": {"op": "is", "value": ["a"], "with_narrower": "yes"}},
        {"labels": {"op": "is", "value": ["a"], "confidence": [0.5, 1]}},
        {"tags": {"op": "is", "value": ["a"], "with_narrower": True}},
        {"uniqueness": {"op": "uniqueness", "value": 2}},
        {"duplicates": {"op": "duplicates", "value": 0.5}},
        {"width": {"op": "between", "value": [5, 1]}},
        {"width": {"op": "eq", "value": -1}},
        {"map_area": {"op": "in", "value": [[0, 0], [1, 1]]}},
        {"map_area": {"op": "in", "value": [[0, 0], [1, 1], [2, 0]]}},
        {"map_area": {"op": "in", "value": [[0, 0], [1, 1], [0, 1, 0]]}},
        {"map_area": {"op": "in", "value": [0, 1, 0]}},
        {"map_area": {"op": "in", "value": [[0, 0]] * 257}},
        {"metadata": {"op": "eq", "value": 1}},
        {"metadata": {"op": "gt", "value": True, "field": "a"}},
        {"metadata": {"op": "between", "value": [1, None], "field": "a"}},
        {"and": []},
        {},
    ],
    ids=json.dumps,
)
def test_refuses_what_the_service_would_refuse(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        filter_of(wrong)


def test_limits_number_and_depth() -> None:
    with pytest.raises(ValueError, match="at most 100"):
        to_vql([F.uniqueness(0)] * 101)
    deep: Filter = F.uniqueness(0)
    for _ in range(8):
        deep = ~deep
    to_vql(deep)
    with pytest.raises(ValueError, match="8 deep"):
        to_vql(~deep)
