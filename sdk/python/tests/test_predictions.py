"""Boxes, and annotations that are sent as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pandas
import pytest

from conftest import PATIENCE
from dms_client import Conflict, Dataset
from dms_client._annotations import (
    as_file,
    batches_by_picture,
    captions_of,
    labels_of,
    predictions_of,
    said_of,
)


def rows_in(file: bytes | None) -> list[dict[str, str]]:
    assert file is not None
    return list(csv.DictReader(io.StringIO(file.decode())))


def test_makes_files_of_many() -> None:
    names = [f"a, {at}.jpg" for at in range(10_001)]
    labels = labels_of({"file_name": name, "labels": ['"', "b"]} for name in names)
    found = rows_in(as_file(labels))
    assert [row["filename"] for row in found] == names
    assert json.loads(found[0]["label"]) == ['"', "b"]
    captions = captions_of({"file_name": name, "caption": "line\nline"} for name in names)
    assert rows_in(as_file(captions))[-1]["caption"] == "line\nline"
    # A file cannot remove a caption or name a medium by its id.
    removal = [*captions, {"file_name": "x", "caption": None}]
    assert as_file(removal) is None
    assert as_file([*captions, {"media_id": "x", "caption": "a"}]) is None
    assert as_file(captions[:10_000]) is None


def test_reads_boxes() -> None:
    box = {"x": 0.1, "y": 0.2, "width": 0.3, "height": 0.4}
    flat = {"file_name": "a.jpg", "label": "cat", "confidence": float("nan"), **box}
    nested = {"file_name": "a.jpg", "label": "dog", "confidence": 0.5, "bounding_box": box}
    assert predictions_of([flat, nested]) == [
        {
            "file_name": "a.jpg",
            "objects": [
                {"label": "cat", "bounding_box": box},
                {"label": "dog", "bounding_box": box, "confidence": 0.5},
            ],
        }
    ]
    assert predictions_of([]) == []
    with pytest.raises(ValueError, match="no height, label"):
        predictions_of([{"file_name": "a", "x": 0, "y": 0, "width": 1}])
    with pytest.raises(ValueError, match="no height"):
        predictions_of([{"file_name": "a", "label": "a", "col_x": 0, "row_y": 0, "width": 1}])
    with pytest.raises(ValueError, match="in pixels"):
        predictions_of([flat] * 1_001)


def test_pushes_predictions(make: Callable[..., Dataset], home: Path) -> None:
    dataset = make(range(2))
    names = sorted(dataset.to_pandas(["file_name"])["file_name"])
    frame = pandas.DataFrame(
        {
            "file_name": names,
            "col_x": [1, 2],
            "row_y": [3, 4],
            "width": [20, 20],
            "height": [20, 20],
            "label": ["cat", "dog"],
            "confidence": [0.5, None],
        }
    )
    dataset.push_predictions(frame).wait(PATIENCE)
    assert dataset.refresh().n_objects == 2
    box = {"bounding_box": {"x": 0.5, "y": 0.5, "width": 0.5, "height": 0.5}}
    found = {"file_name": names[0], "label": "bird", "confidence": 0.75, **box}
    dataset.push_predictions([found], mode="replace").wait(PATIENCE)
    assert dataset.refresh().n_objects == 2
    labels = {
        each.label
        for cluster in dataset.search(entity="OBJECTS").clusters()
        for each in cluster.previews
    }
    assert labels == {"bird", "dog"}
    file = home / "image_annotations.csv"
    file.write_text(f"filename,label\n{names[1]},given\ngone.jpg,given\n")
    task = dataset.annotate_by_files([file])
    task.wait(PATIENCE)
    ended = task.refresh()
    assert ended is not None
    assert ended.warnings == ["1 of 2 annotations match no medium of the dataset: gone.jpg."]
    dataset.delete()


def test_divides_the_annotations_of_sources_between_pictures() -> None:
    rows = [{"file_name": f"{at % 7_000}.jpg", "label": "a"} for at in range(14_000)]
    batches = list(batches_by_picture(said_of(rows)))
    assert [len(batch) for _, batch in batches] == [10_000, 4_000]
    assert sorted(at for positions, _ in batches for at in positions) == list(range(14_000))
    assert not {each["file_name"] for each in batches[0][1]} & {
        each["file_name"] for each in batches[1][1]
    }
    with pytest.raises(ValueError, match="More than 10000"):
        list(batches_by_picture([{"file_name": "a", "label": "b"}] * 10_001))


def test_keeps_annotations_of_sources(make: Callable[..., Dataset]) -> None:
    dataset = make(range(2))
    names = sorted(dataset.to_pandas(["file_name"])["file_name"])
    frame = pandas.DataFrame(
        {
            "file_name": [names[0], names[0], names[1], "gone.jpg"],
            "id": ["1", "2", "1", "1"],
            "label": ["cat", "dog", "cat", "cat"],
            "x": [1.5, 2, None, 1],
            "y": [1.5, 2, None, 1],
            "width": [8.25, 9, None, 1],
            "height": [8.25, 9, None, 1],
            "confidence": [0.1 + 0.2, None, 0.5, 0.5],
        }
    )
    changed = dataset.push_annotations(frame, "detector-a", model_id="detector_v1")
    assert (changed.added, changed.unmatched) == (3, [3])
    found = list(dataset.annotations("detector-a"))
    assert {(each["file_path"], each["id"], each["confidence"]) for each in found} == {
        (names[0], "1", 0.1 + 0.2),
        (names[0], "2", None),
        (names[1], "1", 0.5),
    }
    shapes = {each["id"]: each["shape"] for each in found if each["file_path"] == names[0]}
    assert shapes["1"] == {"type": "box", "x": 1.5, "y": 1.5, "width": 8.25, "height": 8.25}
    assert len(list(dataset.annotations(label="dog"))) == 1
    row = {"file_name": names[0], "id": "1", "label": "bird"}
    assert dataset.push_annotations([row], "detector-a", mode="merge").changed == 1
    with pytest.raises(Conflict) as refused:
        dataset.push_annotations([{**row, "version": 1}], "detector-a", mode="merge")
    (conflict,) = refused.value.conflicts
    assert (conflict["sent_version"], conflict["current"]["version"]) == (1, 2)
    assert dataset.push_annotations([row], "detector-a", mode="replace").removed == 2
    assert dataset.rename_annotation_source("detector-a", "detector b/c").n_labels == 2
    (source,) = dataset.annotation_sources()
    assert (source.name, source.kind, source.model_id) == (
        "detector b/c",
        "predictions",
        "detector_v1",
    )
    dataset.remove_annotation_source("detector b/c")
    assert dataset.annotation_sources() == []
    dataset.delete()
