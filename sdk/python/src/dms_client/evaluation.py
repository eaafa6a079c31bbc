"""The figures of an evaluation as tables and plots."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .frames import needs

BACKGROUND = "(background)"
_MOST_ROWS = 50
_MOST_LABELS = 30
_INCHES_OF_LABEL = 0.2
_CELL = 'style="text-align:right;padding:1px 8px"'
_HEAD = 'style="text-align:left;padding:1px 8px"'


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, Mapping) and "by" in value:
        return html.escape(f"{value['by']}: {value['name']}")
    if isinstance(value, (list, tuple)):
        return ", ".join(_shown(each) for each in value)
    return html.escape(str(value))


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]], more: int = 0) -> str:
    head = "".join(f"<th {_HEAD}>{html.escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td {_CELL}>{_shown(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    rest = f"<div>and {more} more</div>" if more > 0 else ""
    return f"<div><table><tr>{head}</tr>{body}</table>{rest}</div>"


class Rows(list[dict[str, Any]]):
    """A list of rows, which a notebook shows as a table."""

    @property
    def columns(self) -> list[str]:
        """Of all rows, in the order in which they first appear."""
        return list(dict.fromkeys(name for row in self for name in row))

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each."""
        return needs("pandas", "pandas").DataFrame(list(self), columns=self.columns)

    def _repr_html_(self) -> str:
        # Searches are for programs.
        names = [name for name in self.columns if name != "vql"]
        shown = [[row.get(name) for name in names] for row in self[:_MOST_ROWS]]
        return _table(names, shown, len(self) - len(shown))


@dataclass(frozen=True)
class Confusion:
    """Which label was taken for which. A label that is None is the background: something that no
    prediction found, or a prediction of nothing."""

    confidence: float
    labels: Sequence[str]
    cells: Sequence[Mapping[str, Any]] = field(repr=False)
    """With `truth`, `predicted`, `count`, `n_media`, and the `vql` that finds these media."""
    n_left_out: int = 0
    """Annotations of labels beyond the largest."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Confusion:
        left_out = data.get("n_left_out", 0)
        return cls(data["confidence"], data["labels"], data["cells"], left_out)

    def matrix(self) -> list[list[int]]:
        """A row for each label of the truth and a column for each predicted one, in the order of
        `labels`, and the background last."""
        places = {name: at for at, name in enumerate([*self.labels, None])}
        counts = [[0] * len(places) for _ in places]
        for cell in self.cells:
            counts[places[cell["truth"]]][places[cell["predicted"]]] = cell["count"]
        return counts

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each label of the truth."""
        pandas = needs("pandas", "pandas")
        names = [*self.labels, BACKGROUND]
        frame = pandas.DataFrame(self.matrix(), index=names, columns=names)
        return frame.rename_axis(index="truth", columns="predicted")

    def plot(self, axes: Any = None) -> Any:
        """A heat map on new or given axes of matplotlib, which it returns."""
        names = [*self.labels, BACKGROUND]
        if axes is None:
            side = max(5.0, 2 + _INCHES_OF_LABEL * len(names))
            plots = needs("matplotlib.pyplot", "plot")
            axes = plots.subplots(figsize=(side, side), layout="constrained")[1]
        counts = self.matrix()
        most = max((max(row) for row in counts), default=0)
        axes.imshow(counts, cmap="Blues", vmin=0)
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel("predicted")
        axes.set_ylabel("truth")
        axes.set_title(f"Confusion at a confidence of {self.confidence:.3g}")
        if len(names) <= _MOST_LABELS:
            for y, row in enumerate(counts):
                for x, count in enumerate(row):
                    colour = "white" if count > most / 2 else "black"
                    if count:
                        axes.text(x, y, str(count), ha="center", va="center", color=colour)
        return axes

    def _repr_html_(self) -> str:
        names = [*self.labels, BACKGROUND]
        if len(names) > _MOST_LABELS:
            worst = sorted(
                (each for each in self.cells if each["truth"] != each["predicted"]),
                key=lambda each: -int(each["count"]),
            )[:_MOST_ROWS]
            rows = [
                [each["truth"] or BACKGROUND, each["predicted"] or BACKGROUND, each["count"]]
                for each in worst
            ]
            return _table(["truth", "predicted", "count"], rows)
        rows = [
            [name, *(count or None for count in row)]
            for name, row in zip(names, self.matrix(), strict=True)
        ]
        return _table(["truth / predicted", *names], rows)


@dataclass(frozen=True)
class Curves:
    """How figures depend on the confidence, of all labels or of one."""

    precision_recall: Rows = field(repr=False)
    """`recall`, `precision` and the `confidence` of each point."""
    f1: Rows = field(repr=False)
    """`confidence`, `f1`, `precision` and `recall`."""
    reliability: Rows = field(repr=False)
    """For each tenth of confidences, how many predictions are right."""
    best: Mapping[str, Any] | None
    """The confidence with the best F1."""
    for_precision: Any = None
    """The lowest confidence with the asked precision."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Curves:
        return cls(
            Rows(data["precision_recall"]),
            Rows(data["f1"]),
            Rows(data["reliability"]),
            data["best"],
            data.get("for_precision"),
        )

    def plot(self, axes: Any = None) -> Any:
        """The three curves on new or three given axes of matplotlib, which it returns."""
        if axes is None:
            plots = needs("matplotlib.pyplot", "plot")
            axes = plots.subplots(1, 3, figsize=(15, 4.5), layout="constrained")[1]
        recall, f1, right = axes
        recall.plot(*_columns(self.precision_recall, "recall", "precision"))
        recall.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
        for name in ("f1", "precision", "recall"):
            f1.plot(*_columns(self.f1, "confidence", name), label=name)
        f1.set(xlabel="confidence", xlim=(0, 1), ylim=(0, 1.02))
        if self.best is not None:
            f1.axvline(self.best["confidence"], linestyle=":", color="grey")
        f1.legend()
        right.plot([0, 1], [0, 1], linestyle=":", color="grey")
        right.plot(*_columns(self.reliability, "confidence", "accuracy"), marker="o")
        right.set(xlabel="confidence", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1.02))
        return axes


def _columns(rows: Rows, x: str, y: str) -> tuple[list[Any], list[Any]]:
    known = [row for row in rows if row[x] is not None and row[y] is not None]
    return [row[x] for row in known], [row[y] for row in known]


def _between(interval: Sequence[float] | None) -> str | None:
    return None if interval is None else f"{interval[0]:.4g} to {interval[1]:.4g}"


def evaluation_html(info: Mapping[str, Any]) -> str:
    head = (
        f"<b>{html.escape(info['name'])}</b> {html.escape(info['status'])}: "
        f"{html.escape(info['predictions'])} against {html.escape(info['truth'])}, "
        f"{html.escape(info['task'])} ({html.escape(info['protocol'])})"
    )
    if info["error"]:
        head += f"<br>{html.escape(info['error'])}"
    if info["changed"]:
        head += f"<br>Out of date: {html.escape(', '.join(info['changed']))} changed since."
    metrics, before = info["metrics"], info["previous_metrics"] or {}
    if metrics is None:
        return f"<div>{head}</div>"
    intervals = info.get("intervals") or {}
    columns = [
        "figure",
        "value",
        *(["95 %"] if intervals else []),
        *(["before"] if before else []),
    ]
    rows = [
        [
            name,
            value,
            *([_between(intervals.get(name))] if intervals else []),
            *([before.get(name)] if before else []),
        ]
        for name, value in metrics.items()
    ]
    counts = (
        f"{info['n_pictures']} pictures, {info['n_truth']} annotations, "
        f"{info['n_predictions']} predictions"
    )
    labels = Rows(info.get("per_class", []))._repr_html_() if info.get("per_class") else ""
    return f"<div><div>{head}</div><div>{counts}</div>{_table(columns, rows)}{labels}</div>"
