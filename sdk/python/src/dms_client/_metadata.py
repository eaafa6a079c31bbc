"""Custom fields from frames."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from ._annotations import Annotation, annotation_of, rows_of

NAMES = ("media_id", "file_name", "file_path")


def metadata_of(frame: Any, fields: Collection[str] | None = None) -> list[Annotation]:
    """One annotation per medium with the values of its last row. Missing values are left out,
    so the medium keeps its value."""
    by_medium: dict[tuple[str, str], Annotation] = {}
    for row in rows_of(frame):
        annotation = annotation_of(row, by_medium)
        values = annotation.setdefault("metadata", {})
        for name in row if fields is None else fields:
            if name not in row:
                raise ValueError(f"A row has no {name}: {dict(row)}")
            if name not in NAMES and (value := _value_of(name, row[name])) is not None:
                values[str(name)] = value
    for annotation in by_medium.values():
        annotation["metadata"] = [
            {"field_name": name, **value} for name, value in annotation["metadata"].items()
        ]
    return [each for each in by_medium.values() if each["metadata"]]


def _value_of(name: Any, value: Any) -> Mapping[str, Any] | None:
    """None for a missing value."""
    # Converts NumPy scalars and arrays to Python values.
    if hasattr(value, "tolist") and not isinstance(value, (str, datetime)):
        value = value.tolist()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, (date, datetime)):
        return _datetime_of(name, value)
    if isinstance(value, (str, bool, int, float)):
        return {"value": value}
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        return {"value": list(value)} if len(value) > 0 else None
    # A missing value of pandas, such as NaT or NA, is not equal to itself or cannot be compared.
    if type(value).__name__ in ("NaTType", "NAType"):
        return None
    raise ValueError(
        f"The field {name} accepts texts, numbers, datetimes, lists of options, True and False, "
        f"not {value!r}."
    )


def _datetime_of(name: Any, value: date | datetime) -> Mapping[str, Any] | None:
    # NaT of pandas is a datetime.
    if value != value:
        return None
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError(
            f"The field {name} needs datetimes with their time zone, not {value!r}: "
            f"use .dt.tz_localize, for example."
        )
    return {"field_type": "datetime", "value": value.isoformat()}
