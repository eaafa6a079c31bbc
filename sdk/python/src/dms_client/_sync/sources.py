"""Named sets of annotations beside the labels and objects of people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import quote

from .._annotations import batches_by_picture, said_of
from ..models import AnnotationSource, SourceChange
from .base import DatasetBase


class Sources(DatasetBase):
    def annotation_sources(self) -> list[AnnotationSource]:
        """The sources, by name."""
        found = self._transport.json("GET", f"{self._path}/annotation_sources")
        return [AnnotationSource.of(each) for each in found["sources"]]

    def push_annotations(
        self,
        frame: Any,
        source: str,
        *,
        mode: Literal["add", "merge", "replace", "delete"] = "add",
        unit: Literal["pixels", "fractions"] = "pixels",
        kind: Literal["truth", "predictions"] = "predictions",
        model_id: str | None = None,
    ) -> SourceChange:
        """Changes the annotations of a source by the rows of a frame: `media_id` or `file_name`,
        `label`, and a box as `x`, `y`, `width`, `height`, any other `shape` as the service has
        it, or none for a label of the whole picture; `id`, `confidence` and `attributes` if there
        are any. They can be seen at once, those of a picture together."""
        about = {"source": source, "mode": mode, "unit": unit, "kind": kind, "model_id": model_id}
        body = {name: value for name, value in about.items() if value is not None}
        changed = SourceChange(0, 0, 0, [])
        for positions, batch in batches_by_picture(said_of(frame)):
            answer = self._transport.json(
                "POST", f"{self._path}/annotations", json={**body, "annotations": batch}
            )
            changed = changed.with_answer(answer, positions)
        return changed

    def annotations(
        self,
        source: str | None = None,
        *,
        label: str | None = None,
        media_id: str | None = None,
        snapshot_id: str | None = None,
    ) -> Iterator[dict[str, Any]]:
        """The annotations of one source, or of all; `pandas.DataFrame` takes them as rows."""
        asked = {
            "source": source,
            "label": label,
            "media_id": media_id,
            "snapshot_id": snapshot_id,
            "limit": 1000,
        }
        params = {name: value for name, value in asked.items() if value is not None}
        while True:
            page = self._transport.json("GET", f"{self._path}/annotations", params=params)
            for each in page["annotations"]:
                yield each
            if page["next_cursor"] is None:
                return
            params["cursor"] = page["next_cursor"]

    def rename_annotation_source(self, name: str, to: str) -> AnnotationSource:
        path = f"{self._path}/annotation_sources/{quote(name, safe='')}"
        return AnnotationSource.of(self._transport.json("PATCH", path, json={"name": to}))

    def remove_annotation_source(self, name: str) -> None:
        """Removes the source with its annotations; snapshots keep it."""
        path = f"{self._path}/annotation_sources/{quote(name, safe='')}"
        self._transport.request("DELETE", path)
