"""`LARGE=1 ./check` installs FiftyOne and runs these tests."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import free_port, png
from dms_client import Dataset
from dms_client.fiftyone import add_archive, new_dataset, samples_of

# Warnings of FiftyOne and its dependencies.
pytestmark = pytest.mark.filterwarnings("default")


def mongod() -> Path | None:
    """The program, downloaded by FiftyOne's package or included in another package."""
    found = importlib.util.find_spec("fiftyone")
    places = [] if found is None else found.submodule_search_locations or []
    programs = [Path(place, "db", "bin", "mongod") for place in places]
    return next((each for each in programs if each.exists()), None)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str | None]:
    """A separate server: FiftyOne would otherwise use a running one with the user's datasets."""
    program = mongod()
    if program is None:
        yield None
        return
    folder = tmp_path_factory.mktemp("mongodb")
    port = str(free_port())
    place = ["--dbpath", str(folder), "--logpath", str(folder / "log")]
    server = subprocess.Popen(
        [str(program), *place, "--bind_ip", "127.0.0.1", "--port", port, "--nounixsocket"],
        stdout=subprocess.DEVNULL,
    )
    yield f"mongodb://127.0.0.1:{port}"
    server.terminate()
    server.wait(60)


@pytest.fixture(scope="module")
def fo(database: str | None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    place = tmp_path_factory.mktemp("fiftyone")
    patch = pytest.MonkeyPatch()
    patch.setenv("FIFTYONE_DATABASE_URI", database or "mongodb://127.0.0.1:1")
    patch.setenv("FIFTYONE_CONFIG_PATH", str(place / "config.json"))
    patch.setenv("FIFTYONE_DO_NOT_TRACK", "true")
    yield pytest.importorskip("fiftyone")
    patch.undo()


def write_export(folder: Path, items: list[list[dict[str, Any]]]) -> None:
    (folder / "images").mkdir()
    (folder / "images" / "0.png").write_bytes(png(0))
    rows = range(len(items))
    columns: dict[str, Any] = {
        name: [f"{name} {row}" for row in rows]
        for name in ("media_id", "file_path", "cluster_id", "caption")
    }
    columns["image_filename"] = ["0.png", *[None for _ in rows[1:]]]
    columns["uniqueness_score"] = pa.array([0.5 for _ in rows], pa.float32())
    columns["metadata_items"] = [json.dumps(each) for each in items]
    pq.write_table(pa.table(columns), folder / "metadata.parquet")


def item(kind: str, **properties: Any) -> dict[str, Any]:
    return {"type": kind, "properties": properties}


def test_samples_have_what_an_export_says(fo: Any, tmp_path: Path) -> None:
    box = {"x": 0.1, "y": 0.2, "width": 0.3, "height": 0.4}
    corners = [{"x": x, "y": y} for x, y in ((0, 0), (0.5, 0), (0.5, 0.25), (0, 0.25))]
    said = [
        item("image_label", category_name="boat", source="User"),
        item("image_label", category_name="sea", source="a model", confidence=0.7),
        item("object_label", category_name="sail", source="User", bounding_box=box),
        item("object_label", category_name="unknown place", source="User", bounding_box=None),
        item("issue", issue_type="blur", confidence=0.9),
        item("text_line", text="HARBOUR", source="a model", confidence=0.8, corners=corners),
        item("user_tag", tag_name="keep"),
        item("caption", text="a boat", source="User"),
        item("video_info", video_id="v", frame_timestamp=1.5),
    ]
    write_export(tmp_path, [said, []])
    (sample,) = samples_of(tmp_path)
    assert isinstance(sample, fo.Sample)
    assert (sample.filepath, sample.tags) == (str(tmp_path / "images" / "0.png"), ["keep"])
    labels = [(each.label, each.confidence, each.source) for each in sample.labels.classifications]
    assert labels == [("boat", None, "User"), ("sea", 0.7, "a model")]
    (sail,) = sample.objects.detections
    assert (sail.label, sail.bounding_box) == ("sail", [0.1, 0.2, 0.3, 0.4])
    (line,) = sample.text_lines.polylines
    assert (line.label, line.confidence, line.source) == ("HARBOUR", 0.8, "a model")
    assert [tuple(point) for point in line.points[0]] == [(0, 0), (0.5, 0), (0.5, 0.25), (0, 0.25)]
    assert [each.label for each in sample.issues.classifications] == ["blur"]
    assert (sample.media_id, sample.source_path) == ("media_id 0", "file_path 0")
    assert (sample.caption, sample.uniqueness) == ("caption 0", 0.5)
    assert (sample.video_id, sample.frame_timestamp) == ("v", 1.5)
    assert (tmp_path / "metadata.parquet").exists()


def test_samples_of_a_real_export(fo: Any, boats: Dataset, tmp_path: Path) -> None:
    archive = boats.search(labels=["car"]).export(
        "parquet", tmp_path / "cars.zip", include_images=True
    )
    with zipfile.ZipFile(archive) as members:
        members.extractall(tmp_path)
    samples = list(samples_of(tmp_path))
    assert len(samples) == 6
    for sample in samples:
        assert Path(sample.filepath).read_bytes().startswith(b"\x89PNG")
        assert [each.label for each in sample.labels.classifications] == ["car"]
        assert sample.caption.startswith("A red car")
        assert sample.objects is None


def test_fails_before_it_exports(
    fo: Any, boats: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: Any) -> None:
        raise ValueError("Dataset name 'cars' is not available")

    monkeypatch.setattr(fo, "Dataset", refuse)
    with pytest.raises(ValueError, match="not available"):
        boats.to_fiftyone(tmp_path / "cars", name="cars")
    assert list((tmp_path / "cars").iterdir()) == []


needs_mongodb = pytest.mark.skipif(mongod() is None, reason="FiftyOne has no MongoDB here")


@needs_mongodb
def test_becomes_a_dataset_of_fiftyone(fo: Any, boats: Dataset, tmp_path: Path) -> None:
    made = boats.search(labels=["car"]).to_fiftyone(tmp_path / "cars", name="cars")
    assert (made.name, len(made), made.persistent) == ("cars", 6, False)
    assert made.count_values("labels.classifications.label") == {"car": 6}
    assert made.count("objects.detections") == 0
    every = boats.to_fiftyone(tmp_path / "all")
    assert len(every) == 14
    assert not (tmp_path / "all" / "export.zip").exists()


@needs_mongodb
def test_fields_have_their_types(fo: Any, tmp_path: Path) -> None:
    said = [
        item("image_label", category_name="sea", source="a model", confidence=1),
        item("video_info", video_id="v", frame_timestamp=0),
    ]
    write_export(tmp_path, [said])
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for name in ("metadata.parquet", "images/0.png"):
            archive.write(tmp_path / name, name)
    made = new_dataset("typed", persistent=True)
    add_archive(made, tmp_path / "export.zip", tmp_path / "unpacked")
    made.reload()
    types = {name: type(field) for name, field in made.get_field_schema(flat=True).items()}
    for name in ("frame_timestamp", "uniqueness", "labels.classifications.confidence"):
        assert types[name] is fo.FloatField
    assert types["labels.classifications.source"] is fo.StringField
    (sample,) = fo.load_dataset("typed").filter_labels("labels", fo.ViewField("confidence") > 0.5)
    assert (sample.frame_timestamp, sample.labels.classifications[0].label) == (0.0, "sea")
