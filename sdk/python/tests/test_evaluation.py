"""Evaluations, and their figures as tables and plots."""

from __future__ import annotations

import sys

import pytest

from dms_client import Confusion, Curves, MissingExtra, Rows

CELLS = [
    {"truth": "cat", "predicted": "cat", "count": 3, "n_media": 2, "vql": []},
    {"truth": "cat", "predicted": "<dog>", "count": 2, "n_media": 2, "vql": []},
    {"truth": None, "predicted": "cat", "count": 5, "n_media": 1, "vql": []},
    {"truth": "<dog>", "predicted": None, "count": 7, "n_media": 4, "vql": []},
]
CONFUSION = Confusion.of({"confidence": 0.25, "labels": ["cat", "<dog>"], "cells": CELLS})
CURVES = Curves.of(
    {
        "precision_recall": [{"recall": 0.5, "precision": 1.0, "confidence": 0.9}],
        "f1": [{"confidence": 0.9, "f1": 0.6, "precision": None, "recall": 0.5}],
        "reliability": [{"from": 0, "to": 0.1, "n": 0, "confidence": None, "accuracy": None}],
        "best": {"confidence": 0.9, "f1": 0.6},
    }
)


def test_rows_are_a_list_and_a_frame() -> None:
    rows = Rows([{"label": "cat", "f1": 0.5}, {"label": "<dog>", "f1": None, "AP": 0.25}])
    frame = rows.to_pandas()
    assert list(frame.columns) == ["label", "f1", "AP"]
    assert frame["AP"].tolist()[1] == 0.25
    assert list(Rows().to_pandas().columns) == []
    shown = rows._repr_html_()
    assert "&lt;dog&gt;" in shown
    assert "0.2500" in shown
    assert "and 10 more" in Rows({"label": str(at)} for at in range(60))._repr_html_()


def test_a_confusion_is_a_matrix_with_the_background_last() -> None:
    assert CONFUSION.matrix() == [[3, 2, 0], [0, 0, 7], [5, 0, 0]]
    frame = CONFUSION.to_pandas()
    assert frame.loc["cat", "<dog>"] == 2
    assert frame.loc["(background)", "cat"] == 5
    assert "&lt;dog&gt;" in CONFUSION._repr_html_()
    labels = [f"label {at}" for at in range(40)]
    cells = [{"truth": labels[0], "predicted": labels[1], "count": 12}]
    many = Confusion.of({"confidence": 0, "labels": labels, "cells": cells})
    assert many._repr_html_().count("<tr>") == 2


def test_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    from matplotlib import pyplot

    axes = CONFUSION.plot()
    assert [each.get_text() for each in axes.get_xticklabels()] == ["cat", "<dog>", "(background)"]
    assert sorted(each.get_text() for each in axes.texts) == ["2", "3", "5", "7"]
    assert CONFUSION.plot(axes) is axes
    recall, f1, _ = CURVES.plot()
    assert recall.lines[0].get_xydata().tolist() == [[0.5, 1.0]]
    assert [len(each.get_xdata()) for each in f1.lines[:3]] == [1, 0, 1]
    pyplot.close("all")


def test_says_what_plots_require(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtra, match=r"pip install 'dataset-media-service\[plot\]'"):
        CONFUSION.plot()
    with pytest.raises(MissingExtra, match="matplotlib"):
        CURVES.plot()
