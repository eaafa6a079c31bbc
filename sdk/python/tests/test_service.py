"""The client with the running program."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from conftest import PATIENCE, Service, png, until, write_pictures
from dms_client import (
    ApiError,
    BadRequest,
    Client,
    Conflict,
    Dataset,
    F,
    NotFound,
    TaskFailed,
    ValidationFailed,
    filter_of,
    known_operations,
)
from dms_client._annotations import batches_of
from test_filters import CASES


def test_lists_and_names(dms: Client, boats: Dataset) -> None:
    assert boats.status == "READY"
    assert boats.info.n_images == 14
    assert dms.dataset("Boats and cars").id == boats.id
    assert dms.dataset(boats.id).name == "Boats and cars"
    assert boats.id in [each.id for each in dms.datasets()]
    assert dms.health()["status"] == "ok"
    assert [each.task_type for each in dms.tasks(dataset_id=boats.id)][-1] == "DATASET_CREATION"


def test_lists_the_folders_of_the_service(dms: Client) -> None:
    (root,) = dms.folders()
    seasons = Path(root) / "seasons"
    for name in ["summer", "winter"]:
        (seasons / name).mkdir(parents=True)
    assert list(dms.folders(str(seasons))) == [str(seasons / name) for name in ["summer", "winter"]]
    with pytest.raises(ApiError):
        list(dms.folders("/"))


def test_knows_every_filter_of_the_description(dms: Client) -> None:
    description = dms.request("GET", "/api/v1/openapi.json")
    described: dict[str, frozenset[str]] = {}
    for name, schema in description["components"]["schemas"]["VqlFilter"]["properties"].items():
        forms = schema.get("oneOf", schema.get("anyOf", [schema]))
        ops = [each["properties"]["op"] for each in forms if "op" in each.get("properties", {})]
        if ops:
            described[name] = frozenset(op.get("const", op.get("enum", [None])[0]) for op in ops)
    assert described == known_operations()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_counts_by_every_case_of_vql(boats: Dataset, case: dict[str, Any]) -> None:
    made = eval(filter_of(case).to_python(), {"F": F})
    if "evaluation" in case:
        with pytest.raises(ApiError, match="has no evaluation"):
            boats.search(filters=made).count()
        return
    vql = json.dumps([case])
    plain = dms_facets(boats, vql)
    assert boats.search(filters=made).count() == plain


def dms_facets(dataset: Dataset, vql: str) -> int:
    """The counts of the service."""
    path = f"/api/v1/dataset/{dataset.id}/facets"
    total: int = dataset._transport.json("GET", path, params={"vql": vql})["total"]
    return total


def test_labels_by_folders(dms: Client, home: Path) -> None:
    folder = home / "by folder" / "boats"
    folder.mkdir(parents=True)
    (folder / "1.png").write_bytes(png(1))
    made = dms.create_dataset("By folder", folder.parent, labels_from_folders=True).wait(PATIENCE)
    assert made.search(labels=["boats"]).count() == 1
    sent = dms.upload_dataset("Sent by folder", folder.parent, labels_from_folders=True)
    assert sent.wait(PATIENCE).search(labels=["boats"]).count() == 1
    plain = dms.create_dataset("No labels", folder.parent).wait(PATIENCE)
    assert plain.search(labels=["boats"]).count() == 0
    plain.annotate_by_folders().wait(PATIENCE)
    assert plain.search(labels=["boats"]).count() == 1
    for each in (made, sent.wait(PATIENCE), plain):
        each.delete()


def test_searches_by_captions_labels_and_filters(boats: Dataset) -> None:
    nearest = boats.search(caption="A boat number 3 at sea", threshold=0.9)
    assert next(iter(nearest)).caption == "A boat number 3 at sea"
    assert boats.search(labels=["boat"]).count() == 6
    assert [each["value"] for each in boats.search().facets("BOA")["labels"]] == ["boat"]
    assert boats.search(filters=F.labels.one_of("boat") & ~F.files.one_of("0.png")).count() == 5
    assert boats.search(filters=[F.labels.one_of("car"), F.text.fts("red")]).count() == 6
    assert next(iter(boats.search(filters=F.text.fts("red")))).matched == ["caption"]
    assert boats.search(filters=F.width < 96).count() == 1
    assert {each.file_name for each in boats.search(level=4).media()} == {
        *(f"{seed}.png" for seed in range(12)),
        "copy.png",
        "small.png",
    }
    assert len(list(boats.search().media(5))) == 5
    assert list(boats.search().media(0)) == []
    assert boats.nearest("A red car number 7", 3)[0].caption == "A red car number 7"


def test_searches_by_an_image(boats: Dataset, library: Path) -> None:
    for image in (library / "cars" / "8.png", png(8), open(library / "cars" / "8.png", "rb")):  # noqa: SIM115
        found = boats.search(image=image)
        assert next(iter(found)).file_name == "8.png"
        if hasattr(image, "close"):
            image.close()
    region = boats.search(image=png(8), region=(0.0, 0.0, 0.5, 0.5))
    assert len(list(region.media())) > 0
    first = next(iter(boats.search(image=png(8))))
    assert next(iter(boats.search(similar_to=first))).media_id == first.media_id
    with pytest.raises(ValueError, match="fractions"):
        boats.search(image=png(8), region=(0.6, 0, 0.5, 0.5))
    detail = boats.medium(first.media_id)
    assert (detail.media_type, detail.width, detail.size_bytes) == ("image", 96, len(png(8)))
    assert len(boats.similar(first.media_id, 3)) == 3


def test_keeps_the_largest_of_duplicates(boats: Dataset, tmp_path: Path) -> None:
    kept = boats.duplicates(0.9).keep(largest=True)
    assert kept.drop_list(tmp_path / "drop.csv") == len(list(kept.dropped()))
    with open(tmp_path / "drop.csv", newline="") as file:
        rows = {row["file_path"]: row for row in csv.DictReader(file)}
    assert "boats/small.png" in rows
    assert "boats/0.png" not in rows
    assert rows["boats/copy.png"]["kept_media_id"] == rows["boats/small.png"]["kept_media_id"]
    smallest = boats.duplicates(0.9).keep(largest=False)
    group = next(g for g in smallest.groups() if g.kept.width == 48)
    assert {each.file_name for each in group.dropped} >= {"0.png", "copy.png"}
    alike = boats.duplicates(0.8)
    doubts = {cluster.cluster_id: cluster.doubt for cluster in alike.clusters()}
    assert {group.group_id for group in alike.keep(doubtful=True).groups()} == set(doubts)
    certain = {cluster_id for cluster_id, doubt in doubts.items() if doubt is None}
    assert {group.group_id for group in alike.keep().groups()} == certain
    with pytest.raises(ValueError, match=r"0\.8 to 1"):
        boats.duplicates(0.5)


def test_lists_names_that_begin_like_a_formula(dms: Client, home: Path, tmp_path: Path) -> None:
    folder = home / "formulas"
    folder.mkdir()
    names = ["'a.png", "+a.png", "-a.png", "=a.png", "@a.png", "\uff1da.png", "a=.png"]
    for name in names:
        (folder / name).write_bytes(png(0, 48, 36))
    (folder / "kept.png").write_bytes(png(0))
    dataset = dms.create_dataset("Formulas", folder).wait(PATIENCE)
    assert dataset.duplicates(0.9).keep(doubtful=True).drop_list(tmp_path / "drop.csv") == 7
    with open(tmp_path / "drop.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    escaped = [f"'{name}" for name in names[:-1]] + names[-1:]
    for column in ["file_name", "file_path"]:
        assert sorted(row[column] for row in rows) == sorted(escaped)


def test_frames(boats: Dataset) -> None:
    frame = boats.to_pandas()
    assert len(frame) == 14
    assert set(frame[frame.file_path.str.startswith("cars")].labels.map(tuple)) == {("car",)}
    assert boats.to_arrow(["media_id"]).column_names == ["media_id"]
    assert boats.to_polars().height == 14
    with boats.search(labels=["car"]).metadata() as metadata:
        assert [each.num_rows for each in metadata.batches(rows=4)] == [4, 2]
        assert metadata.to_polars(["file_name"], lazy=True).collect().height == 6
        kept = metadata.path
    assert not kept.exists()
    found = boats.search(caption="A red car number 9", threshold=0.9)
    assert found.to_pandas().iloc[0].file_name == "9.png"
    assert found.to_arrow(2).num_rows == 2
    assert boats.search(labels=["nothing"]).to_polars().height == 0


def test_many_rows_of_a_search_come_from_an_export(
    boats: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = [boats.search(), boats.search(labels=["car"]), boats.search(filters=F.width > 50)]
    paged = [search.to_pandas() for search in searches]
    ranked = boats.search(caption="A red car number 9").to_pandas()
    monkeypatch.setattr("dms_client._sync.search._MOST_PAGED", 5)
    addresses = ["media_uri", "media_thumb_uri"]
    for search, expected in zip(searches, paged, strict=True):
        found = search.to_pandas()
        assert found[addresses].isna().all(axis=None)
        assert list(found.columns) == list(expected.columns)
        rows = [
            each.drop(columns=addresses).sort_values("media_id").reset_index(drop=True)
            for each in (found, expected)
        ]
        assert rows[0].to_json() == rows[1].to_json()
    assert boats.search(labels=["car"]).to_pandas(3)["media_uri"].notna().all()
    with monkeypatch.context() as patch:
        patch.setattr("dms_client._sync.search._MOST_CLUSTERS", 0)
        assert boats.search(labels=["car"]).to_pandas()["media_uri"].notna().all()
    again = boats.search(caption="A red car number 9").to_pandas()
    assert again["media_id"].equals(ranked["media_id"])
    assert again["relevance_score"].notna().any()


def test_embeddings(boats: Dataset) -> None:
    with boats.embeddings() as vectors:
        array, ids = vectors.to_numpy(), vectors.media_ids()
        assert vectors.model
        assert array.shape[0] == len(ids) == len(vectors) == 14
        assert array.shape[1] > 8
        assert vectors.to_arrow_stream(rows=5).read_all().num_rows == 14
    paths = dict(zip(ids, range(14), strict=True))
    twins = [each.media_id for each in boats.search(filters=F.files.one_of("0.png", "copy.png"))]
    first, second = (array[paths[each]] for each in twins)
    assert (first == second).all()
    assert len(boats.search(labels=["car"]).embeddings()) == 6


def test_exports(boats: Dataset, tmp_path: Path) -> None:
    import zipfile

    archive = boats.export("coco", tmp_path / "out.zip", include_images=True)
    names = zipfile.ZipFile(archive).namelist()
    assert "annotations.json" in names
    assert len([name for name in names if name.startswith("images/")]) == 14
    assert boats.search(labels=["car"]).export("csv", tmp_path / "cars.zip").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cars.zip", "out.zip"]


def test_shows_itself_in_notebooks(boats: Dataset) -> None:
    shown = boats._repr_html_()
    assert "Boats and cars" in shown
    assert "data:image/webp;base64," in shown
    page = boats.search(level=4).page()
    assert page._repr_html_().count("<img") == len(page.clusters)
    medium = next(iter(boats.search(labels=["car"])))
    assert medium._repr_html_().count("<img") == 1
    assert "<img" in boats.search(level=4)._repr_html_()


def test_errors_say_what_is_wrong(dms: Client, boats: Dataset, home: Path) -> None:
    with pytest.raises(NotFound):
        dms.dataset("there is none")
    with pytest.raises(NotFound):
        dms.request("GET", "/api/v1/dataset/00000000-0000-4000-8000-000000000000")
    with pytest.raises(ValidationFailed) as refused:
        dms.request("GET", f"/api/v1/explore/{boats.id}", params={"threshold": 9})
    assert refused.value.items[0].loc == ("query", "threshold")
    assert refused.value.request_id
    with pytest.raises(Conflict):
        boats.reindex()
    with pytest.raises(ApiError):
        dms.create_dataset("Nowhere", home / "nowhere")
    (home / "broken").mkdir()
    (home / "broken" / "broken.png").write_bytes(b"no picture")
    with pytest.raises(TaskFailed):
        dms.create_dataset("Broken", home / "broken").wait(PATIENCE)


def test_adds_and_watches(dms: Client, make: Callable[..., Dataset], home: Path) -> None:
    dataset = make()
    view = dataset.create_view("everything", filters=F.media_type.is_("image"))
    write_pictures(home / "more", range(20, 23))
    shown: list[str] = []
    task = dataset.add(home / "more")
    added = task.wait(PATIENCE, progress=lambda *line: shown.append(str(line)))
    assert added.info.n_images == 7
    assert shown
    assert dataset.status == "PARTIAL INDEX"
    # Views are evaluated after the batch was published.
    assert [each.count for each in until(lambda: dataset.trend(view.id))] == [3]
    assert dataset.reindex().wait(PATIENCE).status == "READY"
    (alert,) = until(lambda: list(dms.notifications(dataset_id=dataset.id)))
    assert alert.metadata["result_count"] == 3
    assert len(dataset.view_results(view.id, alert.metadata["batch_id"]).clusters) > 0
    write_pictures(home / "newer", range(24, 26))
    dataset.add(home / "newer").wait(PATIENCE)
    missed = next(iter(dms.stream(dataset.id, last_id=alert.id)))
    assert missed.metadata["result_count"] == 2
    dms.mark_read(missed.id)
    assert dms.mark_all_read(dataset.id) == 1
    assert dms.unread_count(dataset.id) == 0
    dataset.set_alerting(view.id, False)
    assert dataset.views()[0].alerting_enabled is False
    dataset.delete_view(view.id)
    dataset.delete()
    with pytest.raises(NotFound):
        dataset.refresh()


def test_snapshots(make: Callable[..., Dataset], home: Path) -> None:
    dataset = make()
    before = dataset.snapshot("before", "all four")
    write_pictures(home / "others", range(30, 32))
    dataset.add(home / "others", reindex=True).wait(PATIENCE)
    assert dataset.info.n_images == 6
    assert dataset.diff(before.snapshot_id)
    assert dataset.restore(before).wait(PATIENCE).info.n_images == 4
    clone = dataset.clone(before).wait(PATIENCE)
    assert (clone.info.n_images, clone.info.source_dataset_id) == (4, dataset.id)
    named = dataset.describe_snapshot(before.snapshot_id, name="kept")
    assert named.snapshot_name in [each.snapshot_name for each in dataset.snapshots()]
    clone.delete()
    dataset.delete()


def test_tags(make: Callable[..., Dataset]) -> None:
    dataset = make()
    tag = dataset.tag("keep")
    assert dataset.tag("keep") == tag
    assert dataset.search(filters=F.files.one_of("0.png", "1.png")).tag(tag.id) == 2
    assert dataset.search(filters=F.tags.is_(tag.id)).count() == 2
    assert dataset.search(filters=F.tags.none()).count() == 2
    assert dataset.search(filters=F.files.one_of("0.png")).untag(tag.id) == 1
    assert dataset.search(labels=["nothing"]).tag(tag.id) == 0
    assert dataset.duplicates().keep().tag(tag.id) == 0
    assert dataset.rename_tag(tag.id, "kept").n_items == 1
    dataset.delete_tag(tag.id)
    assert dataset.tags() == []
    assert dataset.describe(name="Kept", description="all four").display_name == "Kept"
    assert dataset.describe(description="").description == ""
    dataset.delete()


def test_review_queues(make: Callable[..., Dataset]) -> None:
    dataset = make()
    queue = dataset.make_review_queue("Doubtful", "labels", options=["boat", "house"], seed=3)
    assert (queue["n_items"], queue["question"]["options"]) == (4, ["boat", "house"])
    assert [each["id"] for each in dataset.review_queues()] == [queue["id"]]
    assert dataset.review_progress(queue["id"])["states"]["open"] == 4
    assert list(dataset.review_decisions(queue["id"])) == []
    dataset.delete_review_queue(queue["id"])
    assert dataset.review_queues() == []
    dataset.delete()


def test_copies_and_removes_media(make: Callable[..., Dataset]) -> None:
    dataset = make()
    some = F.files.one_of("0.png", "1.png")
    copy = dataset.copy("Some", filters=some, description="two").wait(PATIENCE)
    assert (copy.info.n_images, copy.name, copy.info.description) == (2, "Some", "two")
    ids = [medium.media_id for medium in dataset.search(filters=some).media()]
    others = dataset.copy(media_ids=ids, keep="others").wait(PATIENCE)
    assert others.info.n_images == dataset.info.n_images - 2
    assert dataset.remove(media_ids=ids[:1]).wait(PATIENCE).info.n_images == 3
    assert dataset.snapshots()[0].reason == "removal"
    with pytest.raises(BadRequest):
        dataset.remove(decided=True)
    for each in (copy, others, dataset):
        each.delete()


def test_sends_annotations_in_batches() -> None:
    many = [{"file_name": f"{at}.jpg", "labels": ["a"]} for at in range(25_000)]
    sizes = [len(batch) for batch in batches_of(many)]
    assert sum(sizes) == 25_000
    assert max(sizes) <= 10_000
    long = [{"file_name": f"{at}.jpg", "caption": "x" * 9_000} for at in range(200)]
    batches = list(batches_of(long))
    assert [each for batch in batches for each in batch] == long
    assert all(len(json.dumps(batch)) < 8 * 2**20 for batch in batches)


def test_takes_labels_and_captions_back(make: Callable[..., Dataset]) -> None:
    dataset = make(range(3))
    pandas = pytest.importorskip("pandas")
    frame = dataset.to_pandas(["media_id", "file_name"])
    names = list(frame["file_name"])
    labelled = pandas.concat([frame.assign(label="boat"), frame.iloc[:1].assign(label="red")])
    dataset.push_labels(labelled[["media_id", "label"]]).wait(PATIENCE)
    dataset.push_captions([{"file_name": names[0], "caption": "a red boat"}]).wait(PATIENCE)
    found = {row["file_name"]: row for row in dataset.to_arrow().to_pylist()}
    assert sorted(found[names[0]]["labels"]) == ["boat", "red"]
    assert found[names[0]]["caption"] == "a red boat"
    assert found[names[1]]["labels"] == ["boat"]
    dataset.push_labels([{"file_name": names[0], "labels": []}], mode="replace").wait(PATIENCE)
    dataset.push_captions([{"file_name": names[0], "caption": float("nan")}]).wait(PATIENCE)
    found = {row["file_name"]: row for row in dataset.to_arrow().to_pylist()}
    assert found[names[0]]["labels"] == []
    assert found[names[0]]["caption"] is None
    with pytest.raises(ValueError, match="neither media_id nor file_name"):
        dataset.push_labels([{"label": "boat"}])


def test_takes_fields_of_ones_own(make: Callable[..., Dataset]) -> None:
    dataset = make(range(3))
    pandas = pytest.importorskip("pandas")
    dataset.declare_field("weather", "enum", options=["sun", "rain"], multiple=True)
    with pytest.raises(Conflict, match="already exists"):
        dataset.declare_field("weather", "string")
    frame = dataset.to_pandas(["media_id", "file_name"])
    taken = pandas.Series(pandas.to_datetime(["2026-01-31T12:00", "2026-02-01T12:00", None]))
    given = frame[["media_id"]].assign(
        site=["north", "south", None],
        score=[0.5, float("nan"), 2],
        checked=[True, False, True],
        taken=taken.dt.tz_localize("Europe/Berlin"),
        weather=[["sun"], ["rain", "sun"], []],
    )
    dataset.push_metadata(given).wait(PATIENCE)
    assert {each.field_name: each.field_type for each in dataset.fields()} == {
        "checked": "boolean",
        "score": "float",
        "site": "string",
        "taken": "datetime",
        "weather": "enum",
    }
    count = {
        "north": F.metadata("site") == "north",
        "above": F.metadata("score") > 0.5,
        "below": F.metadata("score") < 1,
        "checked": F.metadata("checked") == True,  # noqa: E712
        "sun": F.metadata("weather").one_of("sun"),
        "south": F.metadata("site").contains("out", "x"),
        "january": F.metadata("taken").between(
            datetime(2026, 1, 31, tzinfo=timezone.utc), "2026-01-31T12:00:00Z"
        ),
    }
    counts = {name: dataset.search(filters=each).count() for name, each in count.items()}
    assert counts == {
        "north": 1,
        "above": 1,
        "below": 1,
        "checked": 2,
        "sun": 2,
        "south": 1,
        "january": 1,
    }
    dataset.push_metadata(given.assign(site="east"), ["site"]).wait(PATIENCE)
    assert dataset.search(filters=F.metadata("site") == "east").count() == 3
    with pytest.raises(ValidationFailed, match='no field "none"'):
        dataset.search(filters=F.metadata("none") == 1).count()
    with pytest.raises(ValueError, match="time zone"):
        dataset.push_metadata([{"file_name": "a.jpg", "taken": datetime(2026, 1, 1)}])


def test_takes_vectors_of_ones_own(make: Callable[..., Dataset], tmp_path: Path) -> None:
    dataset = make(range(3))
    numpy = pytest.importorskip("numpy")
    names = [row["file_name"] for row in dataset.to_arrow(["file_name"]).to_pylist()]
    array = numpy.asarray([[1, 0, 0], [0, 2, 0], [1, 0, 0]], dtype=numpy.float16)
    pushed = dataset.push_embeddings(
        array, names=names, id="mine", ladder=(0.9, 0.8, 0.7, 0.6, 0.5)
    )
    assert pushed.wait(PATIENCE).status == "READY"
    assert dataset.applied_models() == {"IMAGE_ENCODING": "uploaded:mine"}
    with dataset.embeddings() as vectors:
        assert vectors.model == "uploaded:mine"
        found = dict(zip(vectors.media_ids(), vectors.to_numpy().tolist(), strict=True))
    by_name = {row["file_name"]: row["media_id"] for row in dataset.to_arrow().to_pylist()}
    assert found[by_name[names[1]]] == [0, 1, 0]
    assert found[by_name[names[0]]] == found[by_name[names[2]]] == [1, 0, 0]

    (tmp_path / "query.png").write_bytes(png(2))
    with pytest.raises(Conflict, match="no model of this service describes other pictures"):
        list(dataset.search(image=tmp_path / "query.png"))
    rows = [{"media_id": each, "embedding": vector} for each, vector in found.items()]
    with pytest.raises(TaskFailed, match="1 of 3 media have no vector"):
        dataset.push_embeddings(rows[1:], id="fewer").wait(PATIENCE)
    dataset.push_embeddings(rows[1:], id="fewer", allow_missing=True).wait(PATIENCE)
    pandas = pytest.importorskip("pandas")
    dataset.push_embeddings(pandas.DataFrame(rows), id="framed").wait(PATIENCE)
    numpy.save(tmp_path / "saved.npy", array)
    dataset.push_embeddings(tmp_path / "saved.npy", names=names, id="saved").wait(PATIENCE)
    assert dataset.applied_models() == {"IMAGE_ENCODING": "uploaded:saved"}
    refused: list[tuple[Any, dict[str, Any], str]] = [
        (array, {}, "Give names or media_ids"),
        (array, {"names": names[:2]}, "3 vectors, but 2 names"),
        (array[0], {"names": names}, r"the shape \(media, numbers\)"),
        (array, {"names": ["a\nb", "c", "d"]}, "line break"),
        (array, {"names": names, "media_ids": names}, "not both"),
        ([{"media_id": "a"}], {}, "neither embedding nor vector"),
        ([], {}, "There are no vectors"),
    ]
    for given, options, message in refused:
        with pytest.raises(ValueError, match=message):
            dataset.push_embeddings(given, id="refused", **options)
    dataset.delete()


def test_enriches_a_copy(make: Callable[..., Dataset]) -> None:
    dataset = make(range(2))
    (captioner,) = [m for m in dataset.models() if m.id == "drawn-world_captioner_v00"]
    copy = dataset.enrich({captioner.type: captioner.id}).wait(PATIENCE)
    assert copy.id != dataset.id
    assert copy.applied_models() == {"CAPTION_IMAGES": captioner.id}
    assert all(each.caption for each in copy.search())
    assert copy.enrichment_status()["progress"] == 100
    for each in (copy, dataset):
        each.delete()


def test_uploads_odd_names(dms: Client, home: Path) -> None:
    names = [
        "with space.png",
        'quo"te.png',
        "ünïcödé 写真.png",
        "sub dir/%41.png",
        "back\\slash.png",
    ]
    for seed, name in enumerate(names):
        path = home / "odd" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(seed))
    (home / "odd" / "notes.txt").write_text("no picture")
    upload = dms.upload_dataset("Odd names", home / "odd", batch_size=2)
    assert (upload.report.sent, upload.report.skipped) == (4, ["back\\slash.png", "notes.txt"])
    dataset = upload.wait(PATIENCE)
    assert {each.path for each in dataset.search()} == set(names[:4])
    dataset.delete()


def test_the_service_is_the_one_that_was_started(service: Service, dms: Client) -> None:
    assert dms.base_url == service.url
