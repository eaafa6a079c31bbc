"""Filters and their combinations, independent of the fields."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NoReturn, Protocol

MAX_FILTERS = 100
MAX_DEPTH = 8


class Writes(Protocol):
    """A field, which converts its operations to VQL and Python."""

    compares: bool

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str: ...


class Filter:
    """A condition on media. Combine conditions with `&`, `|` and `~`."""

    def to_vql(self) -> dict[str, Any]:
        raise NotImplementedError

    def to_python(self) -> str:
        """An expression of `F` that creates this filter."""
        raise NotImplementedError

    def __and__(self, other: Filter) -> Filter:
        return _joined("and", self, other)

    def __or__(self, other: Filter) -> Filter:
        return _joined("or", self, other)

    def __invert__(self) -> Filter:
        return Not(self)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "A filter has no truth value: combine filters with &, | and ~ instead of and, or and "
            "not, and use between(a, b) instead of a <= F.width <= b."
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Filter) and self.to_vql() == other.to_vql()

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_vql(), sort_keys=True))

    def __repr__(self) -> str:
        return self.to_python()


class Leaf(Filter):
    """One operation on one field."""

    def __init__(
        self, field: Writes, name: str, op: str, value: Any, options: Mapping[str, Any]
    ) -> None:
        self.field = field
        self._name = name
        self._op = op
        self._value = value
        self._options = {k: v for k, v in options.items() if v is not None}

    def to_vql(self) -> dict[str, Any]:
        return {self._name: {"op": self._op, "value": self._value, **self._options}}

    def to_python(self) -> str:
        return self.field.source(self._op, self._value, self._options)


class Group(Filter):
    def __init__(self, kind: Literal["and", "or"], filters: Sequence[Filter]) -> None:
        if not filters:
            raise ValueError(f"A group ({kind}) needs at least one filter.")
        self.kind = kind
        self.filters = tuple(filters)

    def to_vql(self) -> dict[str, Any]:
        return {self.kind: [each.to_vql() for each in self.filters]}

    def to_python(self) -> str:
        inner = self.filters
        if len(inner) < 2 or any(isinstance(f, Group) and f.kind == self.kind for f in inner):
            name = "all" if self.kind == "and" else "any"
            return f"F.{name}({', '.join(each.to_python() for each in inner)})"
        return f" {'&' if self.kind == 'and' else '|'} ".join(_operand(each) for each in inner)


class Not(Filter):
    def __init__(self, inner: Filter) -> None:
        self.inner = inner

    def to_vql(self) -> dict[str, Any]:
        return {"not": self.inner.to_vql()}

    def to_python(self) -> str:
        return f"~{_operand(self.inner)}"


def _operand(each: Filter) -> str:
    """Adds parentheses if an operator, such as a comparison, binds less than the surrounding
    one."""
    source = each.to_python()
    if isinstance(each, Group) and not source.startswith(("F.all(", "F.any(")):
        return f"({source})"
    compared = isinstance(each, Leaf) and each.field.compares
    return f"({source})" if compared and not source.endswith(")") else source


def _joined(kind: Literal["and", "or"], left: Filter, right: Filter) -> Filter:
    if not isinstance(right, Filter):
        raise TypeError(f"A filter can be combined with filters only, not with {right!r}.")
    inner: list[Filter] = []
    for each in (left, right):
        same = isinstance(each, Group) and each.kind == kind
        inner.extend(each.filters if same and isinstance(each, Group) else [each])
    return Group(kind, inner)


def check_size(filters: Sequence[Mapping[str, Any]]) -> None:
    count = 0
    stack: list[tuple[Mapping[str, Any], int]] = [(each, 0) for each in filters]
    while stack:
        each, depth = stack.pop()
        count += 1
        [(name, inner)] = each.items()
        if name in ("and", "or", "not"):
            if depth + 1 > MAX_DEPTH:
                raise ValueError(f"Groups of filters can be nested at most {MAX_DEPTH} deep.")
            stack += [(child, depth + 1) for child in ([inner] if name == "not" else inner)]
    if count > MAX_FILTERS:
        raise ValueError(
            f"A search can have at most {MAX_FILTERS} filters including groups, not {count}."
        )
