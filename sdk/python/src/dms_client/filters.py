"""The filter language: converts Python expressions to VQL and back.

>>> from dms_client import F
>>> F.labels.one_of("boat") & ~F.issues("blur", 0.5)
F.labels.one_of("boat") & ~F.issues("blur", 0.5)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union, get_args

from ._filter import Filter, Group, Leaf, Not, check_size

if TYPE_CHECKING:
    from typing_extensions import Unpack

IssueName = Literal[
    "blur", "dark", "bright", "outliers", "mislabels", "class_outliers", "duplicates"
]
MediaType = Literal["image", "video", "video_frame", "object"]
Outcome = Literal["tp", "fp", "fn"]
Mistake = Literal[
    "wrong_class", "poor_box", "wrong_class_and_box", "double", "background", "missed"
]
Vql = Mapping[str, Any]

_OUTCOMES: tuple[str, ...] = get_args(Outcome)
_MISTAKES: tuple[str, ...] = get_args(Mistake)


Values = Union[str, Sequence[str]]
Ordered = Union[int, float, str, datetime]


def _listed(values: tuple[Values, ...], what: str) -> list[str]:
    """Accepts both `("a", "b")` and `(["a", "b"],)`."""
    given: Iterable[Any] = values
    if len(values) == 1 and not isinstance(values[0], str):
        given = values[0]
    found = list(given)
    if not found or not all(isinstance(each, str) for each in found):
        raise ValueError(f"{what} requires one or more texts, not {found!r}.")
    return found


def _one_or_more(values: tuple[Values, ...], what: str) -> str | list[str]:
    found = _listed(values, what)
    return found[0] if len(values) == 1 and isinstance(values[0], str) else found


def _fraction(value: float, what: str, least: float = 0.0) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= 1:
        raise ValueError(f"{what} must be from {least:g} to 1, not {value!r}.")
    return value


def _whole(value: int, what: str) -> int:
    if isinstance(value, bool) or value != int(value) or value < 0:
        raise ValueError(f"{what} must be an integer of at least 0, not {value!r}.")
    return int(value)


def _arguments(value: Any) -> str:
    """The arguments for a method: the values of a list, or a single value."""
    if isinstance(value, list) and len(value) > 1:
        return ", ".join(map(_literal, value))
    return _literal(value)


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


class Field:
    """A property that media can be filtered by. `ops` are its operations in VQL."""

    ops: frozenset[str] = frozenset()
    compares = False

    def __init__(self, name: str, vql: str | None = None) -> None:
        self._name = name
        self._vql = vql or name

    def _leaf(self, op: str, value: Any, **options: Any) -> Filter:
        return Leaf(self, self._vql, op, value, options)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        """Creates the filter from VQL. The methods validate it."""
        raise NotImplementedError

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"F.{self._name}"


class SetField(Field):
    """Tags. A medium may have several."""

    ops = frozenset({"is", "is_not", "one_of", "not_one_of"})
    _none = "untagged"

    def is_(self, *values: Values) -> Filter:
        """Has all of them."""
        return self._leaf("is", _listed(values, "is_"))

    def is_not(self, *values: Values) -> Filter:
        """Does not have all of them."""
        return self._leaf("is_not", _listed(values, "is_not"))

    def one_of(self, *values: Values) -> Filter:
        """Has any of them."""
        return self._leaf("one_of", _listed(values, "one_of"))

    def not_one_of(self, *values: Values) -> Filter:
        """Has none of them."""
        return self._leaf("not_one_of", _listed(values, "not_one_of"))

    def none(self) -> Filter:
        """Has none at all."""
        return self._leaf("one_of", [self._none])

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self._leaf(op, _listed((value,), op))

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        method = "is_" if op == "is" else op
        return f"F.{self._name}.{method}({', '.join(map(_literal, value))})"


class LabelOptions(TypedDict, total=False):
    #: Each label also stands for those below it, as installed taggers know them.
    with_narrower: bool
    #: The annotations of this source, in the place of what people and taggers say.
    source: str
    #: Of annotations of the source: the least and the most.
    confidence: tuple[float, float]
    #: In square pixels.
    area: tuple[float, float]
    #: How many such annotations a medium has at least.
    count: int
    iscrowd: bool
    #: By name: the value, a list of texts of which it is one, or the least and the most of a
    #: number.
    attributes: Mapping[str, Union[bool, int, float, str, Sequence[str], tuple[float, float]]]


class LabelField(SetField):
    """Labels. A medium may have several. With `with_narrower`, each label also stands for those
    below it, as installed taggers know them: `F.labels.one_of("animal", with_narrower=True)`.
    With a `source`, its annotations count: `F.labels.one_of("car", source="detector-a",
    confidence=(0.5, 1), count=3)`."""

    _none = "unlabeled"
    _needs_source = True

    def is_(self, *values: Values, **options: Unpack[LabelOptions]) -> Filter:
        """Has all of them."""
        return self._labels("is", values, options)

    def is_not(self, *values: Values, **options: Unpack[LabelOptions]) -> Filter:
        """Does not have all of them."""
        return self._labels("is_not", values, options)

    def one_of(self, *values: Values, **options: Unpack[LabelOptions]) -> Filter:
        """Has any of them."""
        return self._labels("one_of", values, options)

    def not_one_of(self, *values: Values, **options: Unpack[LabelOptions]) -> Filter:
        """Has none of them."""
        return self._labels("not_one_of", values, options)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self._labels(op, (value,), options)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        made = super().source(op, value, options)
        after = "".join(f", {name}={_option(given)}" for name, given in options.items())
        return f"{made[:-1]}{after})"

    def _labels(self, op: str, values: tuple[Values, ...], options: Mapping[str, Any]) -> Filter:
        unknown = sorted(options.keys() - LabelOptions.__annotations__.keys())
        if unknown:
            raise ValueError(f"{self._name} has no {', '.join(unknown)}.")
        for name in ("with_narrower", "iscrowd"):
            if not isinstance(options.get(name, True), bool):
                raise ValueError(f"{name} must be True or False, not {options[name]!r}.")
        if self._needs_source and "source" not in options and options.keys() - {"with_narrower"}:
            raise ValueError(f"{', '.join(options)} need a source.")
        given = {name: _with_lists(value) for name, value in options.items()}
        return self._leaf(op, _listed(values, op), **given)


class ObjectField(LabelField):
    """The boxes and other shapes in pictures, those of people without a `source`. Otherwise as
    labels: `F.objects.one_of("car", count=3, attributes={"occluded": True})`."""

    _needs_source = False


def _with_lists(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _with_lists(inner) for name, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _option(value: Any) -> str:
    return repr(tuple(value)) if isinstance(value, list) else _literal(value)


class TextField(Field):
    """Folders and file names."""

    ops = frozenset({"one_of", "starts_with", "ends_with", "contains"})

    def one_of(self, *values: Values) -> Filter:
        return self._leaf("one_of", _one_or_more(values, "one_of"))

    def starts_with(self, *values: Values) -> Filter:
        return self._leaf("starts_with", _one_or_more(values, "starts_with"))

    def ends_with(self, *values: Values) -> Filter:
        return self._leaf("ends_with", _one_or_more(values, "ends_with"))

    def contains(self, *values: Values) -> Filter:
        return self._leaf("contains", _one_or_more(values, "contains"))

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self._leaf(op, _one_or_more((value,), op))

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        return f"F.{self._name}.{op}({_arguments(value)})"


class ChoiceField(Field):
    """The media type, and the batch that media were added with. A medium has exactly one of
    each."""

    ops = frozenset({"is", "one_of"})

    def is_(self, *values: Values) -> Filter:
        return self._leaf("is", _one_or_more(values, "is_"))

    def one_of(self, *values: Values) -> Filter:
        return self._leaf("one_of", _one_or_more(values, "one_of"))

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self._leaf(op, _one_or_more((value,), op))

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        return f"F.{self._name}.{'is_' if op == 'is' else op}({_arguments(value)})"


class NumberField(Field):
    """Integers, which can be compared: `F.width >= 640`."""

    compares = True
    ops = frozenset({"eq", "gt", "gte", "lt", "lte", "between"})
    _SIGNS = {"eq": "==", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

    def __eq__(self, value: object) -> Filter:  # type: ignore[override]
        if not isinstance(value, (int, float)):
            raise TypeError(f"{self!r} can be compared with numbers only, not with {value!r}.")
        return self._compared("eq", int(value) if value == int(value) else value)

    def __ne__(self, value: object) -> Filter:  # type: ignore[override]
        return ~(self == value)

    __hash__ = None  # type: ignore[assignment]

    def __gt__(self, value: int) -> Filter:
        return self._compared("gt", value)

    def __ge__(self, value: int) -> Filter:
        return self._compared("gte", value)

    def __lt__(self, value: int) -> Filter:
        return self._compared("lt", value)

    def __le__(self, value: int) -> Filter:
        return self._compared("lte", value)

    def between(self, least: int, most: int) -> Filter:
        """Both bounds are included."""
        low, high = _whole(least, "least"), _whole(most, "most")
        if low > high:
            raise ValueError(f"The first bound, {low}, must not exceed the second, {high}.")
        return self._leaf("between", [low, high])

    def _compared(self, op: str, value: Any) -> Filter:
        return self._leaf(op, _whole(value, self._name))

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self.between(*value) if op == "between" else self._compared(op, value)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        if op == "between":
            return f"F.{self._name}.between({value[0]}, {value[1]})"
        return f"F.{self._name} {self._SIGNS[op]} {value!r}"


class SearchField(Field):
    """Text search in captions and pictures."""

    ops = frozenset({"fts", "semantic"})

    def fts(self, query: str) -> Filter:
        """Captions that match a query of words: `"red sofa" OR (car -parked)`."""
        return self._leaf("fts", _listed((query,), "fts")[0])

    def semantic(self, text: str, threshold: float | None = None) -> Filter:
        """Captions or pictures similar to a text; `threshold` is the minimum similarity."""
        if threshold is not None:
            _fraction(threshold, "threshold")
        return self._leaf("semantic", _listed((text,), "semantic")[0], threshold=threshold)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self.fts(value) if op == "fts" else self.semantic(value, options.get("threshold"))

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        after = f", {options['threshold']!r}" if "threshold" in options else ""
        return f"F.text.{op}({_literal(value)}{after})"


class IssueField(Field):
    ops = frozenset({"issue"})

    def __call__(
        self,
        names: IssueName | Sequence[IssueName],
        threshold: float | None = None,
        *,
        mode: Literal["in", "not_in"] | None = None,
    ) -> Filter:
        """Has any of these issues at this confidence or above (0.5, for `class_outliers` and
        `duplicates` 1). With `mode="not_in"`: has none of them."""
        value = _one_or_more((names,), "issues")
        if threshold is not None:
            least = 0.8 if "duplicates" in _listed((names,), "issues") else 0
            _fraction(threshold, "threshold", least)
        if mode not in (None, "in", "not_in"):
            raise ValueError(f"mode must be in or not_in, not {mode!r}.")
        return self._leaf("issue", value, mode=mode, threshold=threshold)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self(value, options.get("threshold"), mode=options.get("mode"))

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        after = f", {options['threshold']!r}" if "threshold" in options else ""
        mode = f", mode={_literal(options['mode'])}" if "mode" in options else ""
        return f"F.issues({_literal(value)}{after}{mode})"


class DuplicatesField(Field):
    ops = frozenset({"duplicates"})

    def __call__(self, similarity: float = 1.0) -> Filter:
        """Has a near duplicate at this similarity or above, 0.8 to 1."""
        return self._leaf("duplicates", _fraction(similarity, "similarity", 0.8))

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self(value)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        return f"F.duplicates({value!r})"


class UniquenessField(Field):
    ops = frozenset({"uniqueness"})

    def __call__(self, above: float) -> Filter:
        """Has a uniqueness score above this, 0 to 1."""
        return self._leaf("uniqueness", _fraction(above, "uniqueness"))

    def __gt__(self, above: float) -> Filter:
        return self(above)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        return self(value)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        return f"F.uniqueness({value!r})"


class MapAreaField(Field):
    ops = frozenset({"in"})

    def __call__(self, corners: Iterable[Sequence[float]]) -> Filter:
        """Is within a polygon of 3 to 256 corners, with x and y from 0 to 1 on the map."""
        polygon = [[_fraction(part, "a corner") for part in corner] for corner in corners]
        if not 3 <= len(polygon) <= 256 or any(len(corner) != 2 for corner in polygon):
            raise ValueError(f"map_area requires 3 to 256 corners of x and y, not {polygon!r}.")
        return self._leaf("in", polygon)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        if not isinstance(value, list) or not all(isinstance(each, list) for each in value):
            raise ValueError(f"map_area requires a list of corners, not {value!r}.")
        return self(value)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        return f"F.map_area({value!r})"


class OwnField:
    """A custom field, which can be compared: `F.metadata("score") > 0.5`."""

    def __init__(self, metadata: MetadataField, name: str) -> None:
        self._metadata = metadata
        self._name = name

    def __repr__(self) -> str:
        return f"{self._metadata!r}({_literal(self._name)})"

    def __eq__(self, value: object) -> Filter:  # type: ignore[override]
        if isinstance(value, datetime):
            return self._made("eq", _ordered(value, "=="))
        if not isinstance(value, (str, bool, int, float)):
            raise TypeError(
                f"{self!r} can be compared with a text, a number, a datetime, True or False, "
                f"not with {value!r}."
            )
        return self._made("eq", value)

    def __ne__(self, value: object) -> Filter:  # type: ignore[override]
        """Has another value or none."""
        return ~(self == value)

    __hash__ = None  # type: ignore[assignment]

    def __gt__(self, value: Ordered) -> Filter:
        return self._made("gt", _ordered(value, ">"))

    def __lt__(self, value: Ordered) -> Filter:
        return self._made("lt", _ordered(value, "<"))

    def between(self, least: Ordered, most: Ordered) -> Filter:
        """Both bounds are included."""
        return self._made("between", [_ordered(least, "least"), _ordered(most, "most")])

    def contains(self, *values: Values) -> Filter:
        """Contains any of the texts; case-sensitive."""
        return self._made("contains", _one_or_more(values, "contains"))

    def one_of(self, *values: Values) -> Filter:
        return self._made("one_of", _one_or_more(values, "one_of"))

    def _made(self, op: str, value: Any) -> Filter:
        return self._metadata.leaf(op, value, self._name)


def _ordered(value: Ordered, what: str) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{what} requires a datetime with a time zone, not {value!r}.")
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError(f"{what} requires a number or a datetime, not {value!r}.")
    return value


class MetadataField(Field):
    """Custom fields, by name."""

    compares = True
    ops = frozenset({"eq", "gt", "lt", "between", "contains", "one_of"})
    _SIGNS = {"eq": "==", "gt": ">", "lt": "<"}

    def __call__(self, field: str) -> OwnField:
        return OwnField(self, _listed((field,), "metadata")[0])

    def leaf(self, op: str, value: Any, field: str) -> Filter:
        return self._leaf(op, value, field=field)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        own = self(options.get("field", []))
        if op == "between":
            return own.between(*value)
        if op in ("contains", "one_of"):
            return own.contains(value) if op == "contains" else own.one_of(value)
        return {"eq": own.__eq__, "gt": own.__gt__, "lt": own.__lt__}[op](value)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        own = f"F.metadata({_literal(options['field'])})"
        if op in self._SIGNS:
            return f"{own} {self._SIGNS[op]} {_literal(value)}"
        return f"{own}.{op}({_arguments(value)})"


class EvaluationOptions(TypedDict, total=False):
    #: Of the annotation of the truth.
    label: Values
    #: Of the prediction.
    predicted: Values
    #: Of mistakes.
    kind: Union[Mistake, Sequence[Mistake]]
    #: How well the prediction covers the annotation: the least and the most.
    iou: tuple[float, float]
    #: Square pixels of the annotation, or of a wrong prediction: the least and the most.
    area: tuple[float, float]
    #: Predictions below it do not count. The evaluation has its own.
    confidence: float
    #: Only about annotations that this other evaluation found.
    better_in: str


class EvaluationField(Field):
    ops = frozenset({"is"})

    def __call__(
        self,
        outcomes: Outcome | Sequence[Outcome],
        evaluation: str,
        **options: Unpack[EvaluationOptions],
    ) -> Filter:
        """Has an annotation or a prediction that became any of these when the evaluation compared
        them: `F.evaluation("fp", ev.id, predicted="car", kind="background")`."""
        return self._made(outcomes, evaluation, options)

    def _made(self, outcomes: Values, evaluation: str, options: Mapping[str, Any]) -> Filter:
        value = _one_or_more((outcomes,), "evaluation")
        for what, known, given in (
            ("outcomes", _OUTCOMES, value),
            ("kind", _MISTAKES, options.get("kind", [])),
        ):
            unknown = {given} - {*known} if isinstance(given, str) else {*given} - {*known}
            if unknown:
                raise ValueError(f"{what} must be of {', '.join(known)}, not {given!r}.")
        unknown = options.keys() - EvaluationOptions.__annotations__.keys()
        if unknown:
            raise ValueError(f"{self._name} has no {', '.join(sorted(unknown))}.")
        if "confidence" in options:
            _fraction(options["confidence"], "confidence")
        given = {name: _with_lists(option) for name, option in options.items()}
        return self._leaf("is", value, evaluation=evaluation, **given)

    def read(self, op: str, value: Any, options: Mapping[str, Any]) -> Filter:
        others = {name: option for name, option in options.items() if name != "evaluation"}
        return self._made(value, _listed((options.get("evaluation", []),), "evaluation")[0], others)

    def source(self, op: str, value: Any, options: Mapping[str, Any]) -> str:
        after = "".join(
            f", {name}={_option(option)}"
            for name, option in options.items()
            if name != "evaluation"
        )
        return f"F.evaluation({_literal(value)}, {_literal(options['evaluation'])}{after})"


class _Fields:
    """All properties that media can be filtered by."""

    text = SearchField("text")
    labels = LabelField("labels")
    objects = ObjectField("objects")
    tags = SetField("tags")
    issues = IssueField("issues")
    duplicates = DuplicatesField("duplicates")
    uniqueness = UniquenessField("uniqueness")
    folders = TextField("folders")
    files = TextField("files")
    media_type = ChoiceField("media_type")
    width = NumberField("width")
    height = NumberField("height")
    file_size = NumberField("file_size")
    brightness = NumberField("brightness")
    clusters = ChoiceField("clusters")
    batch = ChoiceField("batch")
    map_area = MapAreaField("map_area")
    metadata = MetadataField("metadata")
    evaluation = EvaluationField("evaluation")

    def all(self, *filters: Filter) -> Filter:
        """All of them match. Unlike `&`, always creates a new group."""
        return Group("and", filters)

    def any(self, *filters: Filter) -> Filter:
        """At least one of them matches."""
        return Group("or", filters)

    def __repr__(self) -> str:
        return f"F ({', '.join(_FIELDS)})"


F = _Fields()

_FIELDS: dict[str, Field] = {
    name: field for name, field in vars(_Fields).items() if isinstance(field, Field)
}


def known_operations() -> dict[str, frozenset[str]]:
    """The VQL filters that `F` supports, with their operations."""
    return {name: field.ops for name, field in _FIELDS.items()}


FilterLike = Union[Filter, Vql]
Filters = Union[Filter, Vql, Sequence[Union[Filter, Vql]], None]


def filter_of(vql: FilterLike) -> Filter:
    """The filter for an entry of VQL, such as `{"labels": {"op": "is", "value": ["cat"]}}`."""
    if isinstance(vql, Filter):
        return vql
    if not isinstance(vql, Mapping) or len(vql) != 1:
        raise ValueError(f"A VQL filter must have exactly one key, its name: {vql!r}")
    [(name, inner)] = vql.items()
    if name == "not":
        return Not(filter_of(inner))
    if name in ("and", "or"):
        return Group("and" if name == "and" else "or", [filter_of(each) for each in inner])
    field = _FIELDS.get(name)
    if field is None:
        raise ValueError(f"Unknown filter {name!r}. Use one of {', '.join(_FIELDS)}.")
    op = inner.get("op")
    if op not in field.ops:
        raise ValueError(f"Unknown op {op!r} of {name}. Use one of {sorted(field.ops)}.")
    options = {key: value for key, value in inner.items() if key not in ("op", "value")}
    made = field.read(op, inner.get("value"), options)
    if made.to_vql() != {name: dict(inner)}:
        raise ValueError(f"Unknown options of {name}: {sorted(options)}.")
    return made


def to_vql(filters: Filters) -> list[dict[str, Any]]:
    """The VQL list of filters; all must match."""
    if filters is None:
        return []
    many = [filters] if isinstance(filters, (Filter, Mapping)) else filters
    made = [filter_of(each).to_vql() for each in many]
    check_size(made)
    return made


def from_vql(vql: str | Sequence[Vql]) -> list[Filter]:
    """The filters for a VQL list or its JSON."""
    found = json.loads(vql) if isinstance(vql, str) else vql
    if not isinstance(found, Sequence):
        raise ValueError("VQL must be a list of filters.")
    return [filter_of(each) for each in found]


def vql_to_python(vql: str | Sequence[Vql]) -> str:
    """Converts VQL to Python: a list of expressions of `F`."""
    return f"[{', '.join(each.to_python() for each in from_vql(vql))}]"
