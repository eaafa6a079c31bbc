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
from dms_client import Conflict, Dataset, ValidationFailed
from dms_client._annotations import (
    as_file,
    batches_by_picture,
    captions_of,
    labels_of,
    predictions_of,
    said_of,
)
from dms_client._coco import coco_annotations, compressed, is_coco, runs_of


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
    dataset.make_objects("detector-a").wait(PATIENCE)
    assert dataset.refresh().n_objects == 2
    row = {"file_name": names[0], "id": "1", "label": "bird"}
    assert dataset.push_annotations([row], "detector-a", mode="merge").changed == 1
    with pytest.raises(Conflict) as refused:
        dataset.push_annotations([{**row, "version": 1}], "detector-a", mode="merge")
    (conflict,) = refused.value.conflicts
    assert (conflict["sent_version"], conflict["current"]["label"]) == (1, "bird")
    assert dataset.push_annotations([row], "detector-a", mode="replace").removed == 2
    assert dataset.rename_annotation_source("detector-a", "detector b/c").n_labels == 2
    # Also with what people said.
    source, truth = dataset.annotation_sources()
    assert (source.name, source.kind, source.model_id) == (
        "detector b/c",
        "predictions",
        "detector_v1",
    )
    dataset.remove_annotation_source("detector b/c")
    assert dataset.annotation_sources() == [truth]
    dataset.delete()


def test_closes_the_label_set(make: Callable[..., Dataset]) -> None:
    dataset = make(range(1))
    assert dataset.label_set().labels == []
    boat = {"name": "boat", "colour": "#1f77b4", "hot_key": "b"}
    made = dataset.set_labels([boat, "sea"], closed=True)
    assert made == dataset.label_set()
    assert [each["name"] for each in made.labels] == ["boat", "sea"]
    name = dataset.to_pandas(["file_name"])["file_name"][0]
    with pytest.raises(ValidationFailed, match="ship"):
        dataset.push_annotations([{"file_name": name, "label": "ship"}], "ground_truth")
    dataset.push_annotations([{"file_name": name, "label": "boat"}], "ground_truth")
    dataset.delete()


def test_undoes_changes_of_annotations(make: Callable[..., Dataset]) -> None:
    dataset = make(range(2))
    name = dataset.to_pandas(["file_name"])["file_name"][0]
    row = {"file_name": name, "id": "1", "label": "cat"}
    dataset.push_annotations([row], "annotator-2")
    before = list(dataset.annotations("annotator-2"))
    (mistake,) = dataset.push_annotations(
        [{**row, "label": "dog"}], "annotator-2", mode="merge"
    ).change_ids
    undone = dataset.undo(mistake)
    assert (undone.changed, len(undone.change_ids)) == (1, 1)
    assert list(dataset.annotations("annotator-2")) == before
    with pytest.raises(Conflict, match="undone already"):
        dataset.undo(mistake)
    latest, changed, added = dataset.annotation_history(source="annotator-2")
    assert (latest.change_id, latest.undoes) == (undone.change_ids[0], mistake)
    assert (changed.undone_by, changed.can_be_undone) == (latest.change_id, False)
    (medium,) = changed.media
    assert (medium["before"][0]["label"], medium["after"][0]["label"]) == ("cat", "dog")
    of_medium = dataset.annotation_history(media_id=medium["media_id"])
    assert [each.change_id for each in of_medium][-1] == added.change_id
    assert list(dataset.annotation_history(created_by="nobody@example.com")) == []
    dataset.delete()


IMAGES = [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}]
CATEGORIES = [{"id": 3, "name": "boat"}]


def test_reads_coco() -> None:
    mask = {"size": [5, 4], "counts": [3, 4, 5, 1, 7]}
    polygon = [[0, 0, 9, 0, 9, 9], [1, 1, 2, 1, 2, 2]]
    annotations = [
        {"id": 7, "image_id": 1, "category_id": 3, "bbox": [1, 2, 3, 4], "area": 12},
        {"id": 8, "image_id": 2, "category_id": 3, "segmentation": polygon, "iscrowd": 0},
        {"id": 9, "image_id": 2, "category_id": 3, "segmentation": mask, "iscrowd": 1},
        {"id": 10, "image_id": 2, "category_id": 3, "keypoints": [1, 2, 2], "bbox": [1, 2, 0, 0]},
    ]
    document = {"images": IMAGES, "categories": CATEGORIES, "annotations": annotations}
    assert is_coco(document)
    box, outline, bitmap, points = coco_annotations(document, None)
    shape = {"type": "box", "x": 1.0, "y": 2.0, "width": 3.0, "height": 4.0}
    assert box == {"file_name": "a.jpg", "label": "boat", "id": "7", "area": 12, "shape": shape}
    assert outline["shape"] == {"type": "polygon", "rings": polygon}
    counts = {"type": "mask", "width": 4, "height": 5, "counts": "345M2"}
    assert (bitmap["crowd"], bitmap["shape"]) == (True, counts)
    assert points["shape"] == {"type": "keypoints", "points": [1, 2, 2]}
    results = [{"image_id": 2, "category_id": 3, "bbox": [1, 2, 3, 4], "score": 0.1 + 0.2}]
    assert is_coco(results)
    (found,) = coco_annotations(results, document)
    assert (found["file_name"], found["label"], found["confidence"]) == ("b.jpg", "boat", 0.1 + 0.2)
    with pytest.raises(ValueError, match="Give the COCO file"):
        list(coco_annotations(results, None))
    (named,) = coco_annotations([{**results[0], "image_id": "c.jpg"}], None)
    assert (named["file_name"], named["label"]) == ("c.jpg", "3")
    assert not is_coco([{"file_name": "a.jpg", "label": "boat"}])


def test_reads_run_lengths_again() -> None:
    for runs in ([3, 4, 5, 1, 7], [0, 20], [70_000, 3, 2, 90_000, 5, 1_000_000]):
        assert runs_of(compressed(runs)) == runs


def test_shows_the_annotations_of_a_model(make: Callable[..., Dataset], home: Path) -> None:
    dataset = make(range(2))
    names = sorted(dataset.to_pandas(["file_name"])["file_name"])
    images = [{"id": at, "file_name": name} for at, name in enumerate(names)]
    truth = home / "instances.json"
    truth.write_text(json.dumps({"images": images, "categories": CATEGORIES, "annotations": []}))
    mask = {"size": [2, 2], "counts": compressed([1, 2, 1])}
    outline = [[0, 0, 9, 0, 9, 9]]
    about = {"image_id": 0, "category_id": 3}
    results = [
        {**about, "bbox": [1, 2, 3, 4], "score": 0.1 + 0.2},
        {**about, "segmentation": mask, "score": 0.5},
        {**about, "segmentation": outline, "score": 0.75},
        {**about, "keypoints": [1, 2, 2, 0, 0, 0], "score": 1},
    ]
    file = home / "results.json"
    file.write_text(json.dumps(results))
    assert dataset.push_predictions(str(file), "detector-a", truth=truth).added == 4
    row = {"file_name": names[1], "label": "<b>buoy</b>", "confidence": 0.25}
    assert dataset.push_predictions(pandas.DataFrame([row]), source="detector-a").added == 1
    found = dataset.annotations(source="detector-a")
    frame = found.to_pandas()
    assert sorted(frame["confidence"]) == [0.25, 0.1 + 0.2, 0.5, 0.75, 1]
    assert len(list(found)) == len(frame) == 5
    assert list(dataset.annotations(source="none").to_pandas().columns) == list(frame.columns)
    shown = found._repr_html_()
    assert "5 annotations" in shown
    assert shown.count("<img") == 2
    assert shown.count("<rect") == 1
    assert shown.count("<path") == 3
    assert shown.count(' transform="scale(') == 1
    assert "&lt;b&gt;buoy" in shown
    assert "<b>" not in shown
    assert "0 annotations" in dataset.annotations(source="none")._repr_html_()
    with pytest.raises(ValueError, match="add or replace"):
        dataset.push_predictions([row], mode="merge")  # type: ignore[call-overload]
    dataset.delete()
