"""Named sets of annotations beside the labels and objects of people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal
from urllib.parse import quote

from .._annotations import batches_by_picture, said_of
from ..frames import needs
from ..models import ANNOTATION_FIELDS, AnnotationChange, AnnotationSource, LabelSet, SourceChange
from .base import DatasetBase
from .transport import Transport

SourceMode = Literal["add", "merge", "replace", "delete"]

_PER_PAGE = 1000


class Annotations:
    """Annotations of sources. Iterate over them for one after the other, as the service has
    them."""

    def __init__(self, transport: Transport, path: str, asked: dict[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._asked = asked

    def __iter__(self) -> Iterator[dict[str, Any]]:
        params = {**self._asked, "limit": _PER_PAGE}
        while True:
            page = self._page(params)
            for each in page["annotations"]:
                yield each
            if page["next_cursor"] is None:
                return
            params["cursor"] = page["next_cursor"]

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each annotation."""
        pandas = needs("pandas", "pandas")
        return pandas.DataFrame([each for each in self], columns=ANNOTATION_FIELDS)

    def _page(self, params: dict[str, Any]) -> Any:
        return self._transport.json("GET", f"{self._path}/annotations", params=params)

    def _repr_html_(self) -> str:
        from ..html import MOST_PICTURES, annotations_html
        from ..models import Medium

        page = self._page({**self._asked, "limit": _PER_PAGE})
        said = page["annotations"]
        ids = list(dict.fromkeys(each["media_id"] for each in said))[:MOST_PICTURES]
        found = []
        if ids:
            params = {"media_ids": ",".join(ids)}
            media = self._transport.json("GET", f"{self._path}/media", params=params)
            found = [Medium.of(each) for each in media["media"]]
        return annotations_html(found, said, page["total"])


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
        mode: SourceMode = "add",
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
    ) -> Annotations:
        """The annotations of one source, or of all."""
        asked = {"source": source, "label": label, "media_id": media_id, "snapshot_id": snapshot_id}
        params = {name: value for name, value in asked.items() if value is not None}
        return Annotations(self._transport, self._path, params)

    def annotation_history(
        self,
        *,
        source: str | None = None,
        media_id: str | None = None,
        created_by: str | None = None,
        queue_id: str | None = None,
    ) -> Iterator[AnnotationChange]:
        """The changes of annotations, latest first."""
        asked = {
            "source": source,
            "media_id": media_id,
            "created_by": created_by,
            "queue_id": queue_id,
        }
        params = {name: value for name, value in asked.items() if value is not None}
        while True:
            page = self._transport.json("GET", f"{self._path}/annotations/history", params=params)
            for each in page["changes"]:
                yield AnnotationChange.of(each)
            if page["next_cursor"] is None:
                return
            params["cursor"] = page["next_cursor"]

    def undo(self, change_id: str) -> SourceChange:
        """Makes annotations what they were before a change, all of them or none: `Conflict` if
        one was changed since. The undo has a `change_id` of its own, and its undo does the
        change again."""
        body = {"change_id": change_id}
        answer = self._transport.json("POST", f"{self._path}/annotations/undo", json=body)
        return SourceChange(0, 0, 0, []).with_answer({**answer, "unmatched": []}, [])

    def label_set(self) -> LabelSet:
        """The labels that people give, with their colours, keys and attributes."""
        return LabelSet.of(self._transport.json("GET", f"{self._path}/label_set"))

    def set_labels(self, labels: Sequence[Any], *, closed: bool = False) -> LabelSet:
        """Replaces the label set by labels, which are names or have a `name` and `colour`,
        `hot_key` and `attributes`. Edits of `ground_truth` with others are refused if it is
        closed."""
        given = [{"name": each} if isinstance(each, str) else each for each in labels]
        body = {"labels": given, "closed": closed}
        return LabelSet.of(self._transport.json("PUT", f"{self._path}/label_set", json=body))

    def rename_annotation_source(self, name: str, to: str) -> AnnotationSource:
        path = f"{self._path}/annotation_sources/{quote(name, safe='')}"
        return AnnotationSource.of(self._transport.json("PATCH", path, json={"name": to}))

    def remove_annotation_source(self, name: str) -> None:
        """Removes the source with its annotations; snapshots keep it."""
        path = f"{self._path}/annotation_sources/{quote(name, safe='')}"
        self._transport.request("DELETE", path)
