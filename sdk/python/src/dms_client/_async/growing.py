"""Adding media to a dataset, and changing their annotations, vectors and models."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, overload
from urllib.parse import quote

from .._annotations import (
    IMAGES_FILE,
    OBJECTS_FILE,
    as_file,
    batches_of,
    captions_of,
    labels_of,
    predictions_of,
)
from .._coco import coco_annotations, is_coco, read_json
from .._embeddings import embedding_form
from .._metadata import metadata_of
from .._multipart import FilePart, Multipart
from ..errors import NotFound
from ..models import DatasetInfo, EnrichmentModel, MetadataField, SourceChange, TaskInfo
from .sources import AsyncSources, SourceMode
from .tasks import AsyncTask


def source_of(source: str | os.PathLike[str]) -> str:
    """Expands the path of a folder on the service's machine; other addresses stay unchanged."""
    text = os.fspath(source)
    return text if "://" in text else str(Path(text).expanduser().absolute())


class AsyncGrowing(AsyncSources):
    async def _result(self, task: TaskInfo) -> AsyncGrowing:
        await self.refresh()
        return self

    async def _add(
        self, fields: Mapping[str, str], files: Sequence[FilePart], reindex: bool
    ) -> AsyncTask[Any]:
        form = Multipart({**fields, "auto_reindex": str(reindex).lower()}, files)

        async def start() -> None:
            await self._transport.request(
                "POST", f"{self._path}/add_media", form=form, timeout=3600.0
            )

        return await self._start("MEDIA_ADDITION", f"Add to {self.name}", start, self._result)

    async def add(self, source: str | os.PathLike[str], *, reindex: bool = False) -> AsyncTask[Any]:
        """Adds a folder that the service can read, a bucket, or a manifest that lists media."""
        return await self._add({"s3_uri": source_of(source)}, [], reindex)

    async def add_files(
        self, files: Sequence[str | os.PathLike[str]], *, reindex: bool = False
    ) -> AsyncTask[Any]:
        """Adds files of this machine in one request. Use `upload` for folders."""
        paths = [Path(each).expanduser() for each in files]
        return await self._add({}, [FilePart("files", p.name, p) for p in paths], reindex)

    async def add_archive(
        self, path: str | os.PathLike[str], *, reindex: bool = False
    ) -> AsyncTask[Any]:
        """Adds one .zip, .tar, .tar.gz or .tgz file of this machine."""
        archive = Path(path).expanduser()
        return await self._add({}, [FilePart("archive", archive.name, archive)], reindex)

    async def reindex(self) -> AsyncTask[Any]:
        """Compares and clusters all media again after additions."""

        async def start() -> None:
            await self._transport.request("POST", f"{self._path}/reindex")

        return await self._start("REINDEX", f"Reindex {self.name}", start, self._result)

    async def sync(self, *, prune: bool = False) -> AsyncTask[Any]:
        """Applies the changes in the folder, bucket or manifest that the dataset was created
        from."""

        async def start() -> None:
            await self._transport.request(
                "POST", f"{self._path}/sync", params={"prune": str(prune).lower()}
            )

        return await self._start("MEDIA_ADDITION", f"Sync {self.name}", start, self._result)

    async def annotate(
        self, annotations: Iterable[Mapping[str, Any]], *, mode: Literal["add", "replace"] = "add"
    ) -> AsyncTask[Any]:
        """Sets labels and captions of existing media, each named by `media_id` or `file_name`.
        Up to 10,000 become visible at once; of more, all batches but the last are awaited."""
        last: AsyncTask[Any] | None = None
        for batch in batches_of(dict(each) for each in annotations):
            if last is not None:
                await last.wait()
            last = await self._annotated({"mode": mode, "annotations": batch})
        if last is None:
            raise ValueError("There are no annotations")
        return last

    async def _annotated(self, body: Mapping[str, Any]) -> AsyncTask[Any]:
        async def start() -> None:
            await self._transport.request("POST", f"{self._path}/annotations", json=body)

        return await self._start("ANNOTATION", f"Annotate {self.name}", start, self._result)

    async def push_labels(
        self, frame: Any, *, mode: Literal["add", "replace"] = "add"
    ) -> AsyncTask[Any]:
        """Sets the labels of a frame: `media_id` or `file_name`, and `label` or `labels`. More
        than 10,000 by name are sent as a file, and become visible at once."""
        annotations = labels_of(frame)
        file = as_file(annotations)
        if file is not None:
            return await self._annotated_by([FilePart("files", IMAGES_FILE, file)], mode)
        return await self.annotate(annotations, mode=mode)

    async def push_captions(self, frame: Any) -> AsyncTask[Any]:
        """Sets the captions of a frame: `media_id` or `file_name`, and `caption`; an empty
        caption removes it. More than 10,000 by name without empty ones are sent as a file, and
        become visible at once."""
        annotations = captions_of(frame)
        file = as_file(annotations)
        if file is not None:
            return await self._annotated_by([FilePart("files", IMAGES_FILE, file)], "add")
        return await self.annotate(annotations)

    async def push_metadata(
        self,
        frame: Any,
        fields: Collection[str] | None = None,
        *,
        mode: Literal["add", "replace"] = "add",
    ) -> AsyncTask[Any]:
        """Sets the columns of a frame, or those in `fields`, as custom fields of the media
        named by `media_id` or `file_name`: texts, numbers, datetimes with a time zone, lists of
        options, True and False. Missing values leave a field unchanged."""
        return await self.annotate(metadata_of(frame, fields), mode=mode)

    async def fields(self) -> list[MetadataField]:
        """The custom fields of the dataset, by name."""
        found = await self._transport.json("GET", f"{self._fields_path}/schema")
        return [MetadataField.of(each) for each in found]

    async def declare_field(
        self,
        name: str,
        type: Literal["string", "float", "boolean", "datetime", "enum", "link"],
        *,
        options: Sequence[str] | None = None,
        multiple: bool = False,
    ) -> None:
        """Declares a field before it has values. An `enum` has one of its options, or with
        `multiple` a list of them. Other fields need not be declared."""
        body: dict[str, Any] = {"field_name": name, "field_type": type}
        if options is not None:
            body |= {"enum_options": list(options), "is_multi": multiple}
        await self._transport.request("POST", f"{self._fields_path}/tasks", json=body)

    @property
    def _fields_path(self) -> str:
        return f"/api/v1/datasets/{self.id}/custom_metadata"

    @overload
    async def push_predictions(
        self, found: Any, source: None = None, *, mode: Literal["add", "replace"] = "add"
    ) -> AsyncTask[Any]: ...

    @overload
    async def push_predictions(
        self,
        found: Any,
        source: str,
        *,
        mode: SourceMode = "add",
        truth: Any = None,
        model_id: str | None = None,
    ) -> SourceChange: ...

    async def push_predictions(
        self,
        found: Any,
        source: str | None = None,
        *,
        mode: SourceMode = "add",
        truth: Any = None,
        model_id: str | None = None,
    ) -> AsyncTask[Any] | SourceChange:
        """What a model found. With a `source`, it is kept apart as the annotations of that source,
        and can be seen at once: the rows of a frame as `push_annotations` takes them, or a COCO
        document or list of results, or the path of one. The results of a model have only ids of
        pictures and categories, so give the COCO file with these as `truth`.

        Without a source, the boxes of a frame, each with its `label` and `confidence`, from 0 to 1,
        become objects of the dataset. Boxes are either in pixels (`file_name`, `col_x`, `row_y`,
        `width`, `height`) and sent as one file, or fractions of the picture (`media_id` or
        `file_name`, and `x`, `y`, `width`, `height`, or a `bounding_box` with these). A box without
        a confidence counts as marked by a person. With `replace`, predicted boxes replace the
        predicted boxes of their picture, and marked boxes the marked ones."""
        if source is not None:
            read = read_json(found)
            rows = coco_annotations(read, read_json(truth)) if is_coco(read) else read
            return await self.push_annotations(rows, source, mode=mode, model_id=model_id)
        if mode not in ("add", "replace"):
            raise ValueError("Without a source, mode is add or replace")
        boxes = predictions_of(found)
        if isinstance(boxes, bytes):
            return await self._annotated_by([FilePart("files", OBJECTS_FILE, boxes)], mode)
        return await self.annotate(boxes, mode=mode)

    async def annotate_by_files(
        self,
        files: Sequence[str | os.PathLike[str]],
        *,
        mode: Literal["add", "replace"] = "add",
    ) -> AsyncTask[Any]:
        """Applies annotation files of this machine. Their names and columns are those at
        creation, such as `image_annotations.csv`."""
        paths = [Path(each).expanduser() for each in files]
        return await self._annotated_by([FilePart("files", p.name, p) for p in paths], mode)

    async def annotate_by_folders(
        self, *, mode: Literal["add", "replace"] = "add"
    ) -> AsyncTask[Any]:
        """Labels images with the names of their folders."""

        async def start() -> None:
            await self._transport.request(
                "POST", f"{self._path}/annotations/folders", json={"mode": mode}
            )

        return await self._start("ANNOTATION", f"Annotate {self.name}", start, self._result)

    async def make_objects(self, source: str) -> AsyncTask[Any]:
        """Makes objects of what a source marks, and removes those that it marks no longer."""
        path = f"{self._path}/annotation_sources/{quote(source, safe='')}/objects"

        async def start() -> None:
            await self._transport.request("POST", path)

        return await self._start("ANNOTATION", f"Make objects of {source}", start, self._result)

    async def _annotated_by(self, files: Sequence[FilePart], mode: str) -> AsyncTask[Any]:
        form = Multipart({"mode": mode}, files)

        async def start() -> None:
            await self._transport.request(
                "POST", f"{self._path}/annotations/files", form=form, timeout=3600.0
            )

        return await self._start("ANNOTATION", f"Annotate {self.name}", start, self._result)

    async def push_embeddings(
        self,
        vectors: Any,
        *,
        id: str,
        names: Iterable[str] | None = None,
        media_ids: Iterable[str] | None = None,
        ladder: Sequence[float] | None = None,
        allow_missing: bool = False,
    ) -> AsyncTask[Any]:
        """Replaces the image vectors that media are compared and clustered by.

        `vectors` is an array (media, numbers) with `names`, the paths of the media, or with
        `media_ids`; a frame with `embedding` and `media_id` or `file_name`; or the path of a
        .npy or .parquet file. `id` is the name of the vectors, and `ladder` has the cosines
        of the five levels. Every medium needs a vector, unless `allow_missing` is set."""
        with embedding_form(
            vectors,
            id=id,
            names=names,
            media_ids=media_ids,
            ladder=ladder,
            allow_missing=allow_missing,
        ) as form:

            async def start() -> None:
                await self._transport.request(
                    "POST", f"{self._path}/embeddings", form=form, timeout=3600.0
                )

            return await self._start("EMBEDDINGS", f"Vectors of {self.name}", start, self._result)

    async def models(self) -> list[EnrichmentModel]:
        """The models that can be applied."""
        found = await self._transport.json("GET", f"/api/v1/enrichment/{self.id}/list_models")
        return [EnrichmentModel.of(each) for each in found]

    async def applied_models(self) -> dict[str, str]:
        """The applied models, by type of enrichment."""
        found = await self._enrichment()
        return dict(found["dataset_enrichment_models"]["enrichment_models"])

    async def _enrichment(self) -> dict[str, Any]:
        found: dict[str, Any] = await self._transport.json(
            "GET", f"/api/v1/enrichment/{self.id}/context"
        )
        return found

    async def enrichment_status(self) -> dict[str, Any]:
        """The progress of the last enrichment, by model."""
        context = (await self._enrichment())["enrichment_context_id"]
        found: dict[str, Any] = await self._transport.json(
            "GET", f"/api/v1/enrichment/{self.id}/{context}/status"
        )
        return found

    async def preview_models(self, models: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The results that models would have for a few media."""
        context = (await self._enrichment())["enrichment_context_id"]
        found = await self._transport.json(
            "POST",
            f"/api/v1/enrichment/{self.id}/{context}/previews_enrichment_result",
            json={"enrichment_models": dict(models)},
            timeout=600.0,
        )
        return list(found["previews"])

    async def describe(
        self, *, name: str | None = None, description: str | None = None
    ) -> DatasetInfo:
        """Changes the name of the dataset, its description or both."""
        words = {"display_name": name, "description": description}
        found = await self._transport.json(
            "PATCH",
            self._path,
            json={key: value for key, value in words.items() if value is not None},
            idempotent=True,
        )
        self.info = DatasetInfo.of(found)
        return self.info

    async def delete(self) -> None:
        """Deletes the dataset permanently."""
        try:
            await self._transport.request("DELETE", self._path)
        except NotFound:
            # Deleted by an earlier attempt whose response was lost, or by another caller.
            return
