"""Evaluations, and their figures as tables and plots."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import PATIENCE
from dms_client import Confusion, Curves, Dataset, F, MissingExtra, NotFound, Rows
from dms_client.evaluation import evaluation_html

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
    condition = {"by": "folder", "value": "<night>", "name": "<night>"}
    slices = Rows([{"conditions": [condition], "figure": 0.25, "vql": [{"folders": {}}]}])
    assert "folder: &lt;night&gt;" in slices._repr_html_()
    assert "vql" not in slices._repr_html_()
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


def test_an_evaluation_is_shown_in_each_state() -> None:
    info: dict[str, Any] = {
        "name": "<First>",
        "status": "RUNNING",
        "task": "detection",
        "protocol": "coco",
        "truth": "people",
        "predictions": "detector",
        "error": None,
        "changed": [],
        "metrics": None,
        "previous_metrics": None,
        "n_pictures": 2,
        "n_truth": 3,
        "n_predictions": 4,
    }
    running = evaluation_html(info)
    assert "&lt;First&gt;</b> RUNNING: detector against people" in running
    assert "<table>" not in running
    assert "No &lt;mask&gt;" in evaluation_html({**info, "status": "FAILED", "error": "No <mask>"})
    measured = {
        **info,
        "changed": ["truth", "media"],
        "metrics": {"AP": 0.5, "APl": -1, "f1": None},
        "previous_metrics": {"AP": 0.25},
        "per_class": [{"label": "<cat>", "AP": 0.5}],
    }
    shown = evaluation_html(measured)
    assert "Out of date: truth, media changed since." in shown
    for text in ("2 pictures, 3 annotations, 4 predictions", ">-1<", "0.2500", "&lt;cat&gt;"):
        assert text in shown


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


def test_shows_intervals() -> None:
    info: dict[str, Any] = {
        **{"name": "First", "status": "COMPLETED", "error": None, "changed": []},
        **{"truth": "ground_truth", "predictions": "detector-a"},
        **{"task": "detection", "protocol": "coco"},
        **{"n_pictures": 20, "n_truth": 30, "n_predictions": 40},
        **{"metrics": {"AP": 0.5, "APs": -1.0}, "previous_metrics": None},
        "intervals": {"AP": [0.41, 0.5625]},
    }
    shown = evaluation_html(info)
    assert "95 %</th>" in shown
    assert shown.count("0.41 to 0.5625") == 1
    assert "95 %" not in evaluation_html({**info, "intervals": {}})


def test_evaluates_a_source(make: Callable[..., Dataset]) -> None:
    dataset = make(range(4))
    names = sorted(dataset.to_pandas(["file_name"])["file_name"])
    box = {"label": "cat", "x": 4, "y": 4, "width": 30, "height": 30}
    truth = [{"file_name": name, **box} for name in names]
    truth[3]["label"] = "dog"
    dataset.push_annotations(truth, "ground_truth", kind="truth")
    found = [{**each, "confidence": 0.9 - at / 10} for at, each in enumerate(truth[:3])]
    wrong = {**truth[3], "x": 60, "confidence": 0.3}
    dataset.push_annotations([*found, wrong], "detector-a")

    evaluation = dataset.evaluate("detector-a", name="First", timeout=PATIENCE, progress=False)
    assert evaluation.metrics["AP"] == 0.5
    assert evaluation.metrics["recall"] == 0.75
    per_class = evaluation.per_class().to_pandas()
    assert per_class["label"].tolist() == ["cat", "dog"]
    assert per_class["n_truth"].tolist() == [3, 1]
    assert evaluation.error_costs["missed"] is not None
    assert evaluation.intervals == {}
    assert "detector-a against ground_truth" in evaluation._repr_html_()

    few = dataset.evaluate(
        "detector-a", filters=F.files.one_of(names[0]), iou=0.6, timeout=PATIENCE, progress=False
    )
    assert (few.info["n_pictures"], few.metrics["AP"]) == (1, 1)
    assert few.info["options"]["iou"] == 0.6
    assert [each.name for each in dataset.evaluations()] == ["detector-a", "First"]
    assert dataset.evaluations(predictions="none") == []
    [_, listed] = dataset.evaluations(truth="ground_truth")
    assert listed.per_class() == evaluation.per_class()

    assert evaluation.counts(confidence=0.85, label="cat")["fn"] == 2
    confusion = evaluation.confusion(confidence=0, labels=["cat", "dog"])
    assert confusion.matrix() == [[3, 0, 0], [0, 0, 1], [0, 1, 0]]
    [missed] = [each for each in confusion.cells if each["predicted"] is None]
    assert dataset.search(filters=missed["vql"]).count() == missed["n_media"] == 1
    curves = evaluation.curves(label="cat", precision=1)
    assert curves.for_precision["confidence"] == pytest.approx(0.7)
    media_id = next(iter(dataset.search(filters=F.evaluation("fn", evaluation.id)))).media_id
    assert evaluation.picture(media_id)["truth"][0]["outcome"] == "fn"
    slices = evaluation.slices(by="label", every=True)
    assert [(each["conditions"][0]["value"], each["figure"]) for each in slices] == [
        ("dog", 0),
        ("cat", 1),
    ]
    assert evaluation.compare(few)["n_media"] == 1
    assert evaluation.failures(outcome="fn") == []  # one picture is like no other

    dataset.push_annotations([{**truth[3], "confidence": 1}], "detector-a")
    assert evaluation.refresh()["changed"] == ["predictions"]
    evaluation.run_again(timeout=PATIENCE, progress=False)
    assert evaluation.metrics["AP"] == pytest.approx(1)
    assert evaluation.previous_metrics["AP"] == 0.5
    evaluation.rename("Second")
    assert dataset.evaluation(evaluation.id).name == "Second"
    evaluation.keep_up_to_date()
    assert dataset.evaluation(evaluation.id).info["keep_up_to_date"] is True
    evaluation.keep_up_to_date(False)
    assert evaluation.info["keep_up_to_date"] is False
    few.delete()
    with pytest.raises(NotFound):
        dataset.evaluation(few.id)


def test_imports_files_and_evaluates_them(make: Callable[..., Dataset], tmp_path: Path) -> None:
    dataset = make(range(2))
    names = sorted(dataset.to_pandas(["file_name"])["file_name"])
    images = [{"id": at, "file_name": name} for at, name in enumerate(names)]
    boxes = [{"image_id": at, "category_id": 1, "bbox": [4, 4, 30, 30]} for at in range(2)]
    categories = [{"id": 1, "name": "cat"}]
    instances = {"images": images, "annotations": boxes, "categories": categories}
    (tmp_path / "instances.json").write_text(json.dumps(instances))
    (tmp_path / "results.json").write_text(json.dumps([{**boxes[0], "score": 0.5}]))
    dataset.push_predictions(tmp_path / "instances.json", "people")
    files = [tmp_path / "results.json", tmp_path / "instances.json"]
    evaluation = dataset.evaluate(
        "detector-b", truth="people", files=files, timeout=PATIENCE, progress=False
    )
    assert evaluation.info["n_predictions"] == 1
    assert (evaluation.metrics["precision"], evaluation.metrics["recall"]) == (1, 0.5)
