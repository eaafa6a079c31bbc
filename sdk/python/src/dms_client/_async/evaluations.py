"""Evaluations: what a source says, compared with another one, which is right."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from .._multipart import FilePart, Multipart
from ..evaluation import Confusion, Curves, Rows, evaluation_html
from ..filters import Filters, to_vql
from ..models import TaskInfo
from ..progress import ShownAs
from .base import AsyncDatasetBase
from .tasks import AsyncTask
from .transport import AsyncTransport

EvaluationTask = Literal["detection", "segmentation", "keypoints", "classification"]
Protocol = Literal["coco", "voc", "open_images"]

_PER_PAGE = 100


class AsyncEvaluation:
    """An evaluation, with the figures of its last run that was completed."""

    def __init__(self, transport: AsyncTransport, dataset_id: str, info: dict[str, Any]) -> None:
        self._transport = transport
        self._dataset_id = dataset_id
        self.info = info
        """The last known state, as the API describes it; `refresh` updates it."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r} {self.info['status']} {self.id}>"

    def _repr_html_(self) -> str:
        return evaluation_html(self.info)

    @property
    def id(self) -> str:
        return str(self.info["id"])

    @property
    def name(self) -> str:
        return str(self.info["name"])

    @property
    def metrics(self) -> dict[str, float | None]:
        """By name: `AP`, `AP50`, `precision` and so on. -1 where the tools of COCO have it, None
        where a figure is undefined."""
        return dict(self.info["metrics"] or {})

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """Of main figures, at 95 %; none of fewer than ten pictures."""
        return {name: (low, high) for name, (low, high) in self.info["intervals"].items()}

    @property
    def previous_metrics(self) -> dict[str, float | None]:
        """Those of the run before."""
        return dict(self.info["previous_metrics"] or {})

    @property
    def error_costs(self) -> dict[str, float | None]:
        """What each kind of mistake costs in the mean of average precisions."""
        return dict(self.info["error_costs"] or {})

    @property
    def _path(self) -> str:
        return f"/api/v1/dataset/{self._dataset_id}/evaluations/{self.id}"

    async def refresh(self) -> dict[str, Any]:
        self.info = await self._transport.json("GET", self._path)
        return self.info

    async def per_class(self) -> Rows:
        """The figures of each label."""
        if "per_class" not in self.info:
            await self.refresh()
        return Rows(self.info["per_class"])

    async def counts(
        self, *, confidence: float | None = None, label: str | None = None
    ) -> dict[str, Any]:
        """How many are found, wrong and missed at a confidence, by default at its own."""
        asked = {"confidence": confidence, "label": label}
        found: dict[str, Any] = await self._get("counts", asked)
        return found

    async def confusion(
        self, *, confidence: float | None = None, labels: Sequence[str] | None = None
    ) -> Confusion:
        """Which label was taken for which, between these labels, by default the most frequent."""
        named = None if labels is None else json.dumps(list(labels))
        return Confusion.of(
            await self._get("confusion", {"confidence": confidence, "labels": named})
        )

    async def curves(self, *, label: str | None = None, precision: float | None = None) -> Curves:
        """Precision and recall, F1 and reliability by confidence. With `precision`, also the
        lowest confidence that has it."""
        return Curves.of(await self._get("curves", {"label": label, "precision": precision}))

    async def picture(self, media_id: str, *, confidence: float | None = None) -> dict[str, Any]:
        """What became of the annotations of a picture."""
        found: dict[str, Any] = await self._get(f"media/{media_id}", {"confidence": confidence})
        return found

    async def slices(self, *, by: str | None = None, every: bool = False) -> Rows:
        """Where F1 is worse than elsewhere beyond chance, the worst first; those with a condition
        on `by`, such as `folder` or `tag`. With `every`, also each condition that is not."""
        found = Rows()
        while True:
            asked = {"by": by, "all": str(every).lower(), "limit": _PER_PAGE, "offset": len(found)}
            page = await self._get("slices", asked)
            found += page["slices"]
            if not page["slices"] or len(found) >= page["total"]:
                return found

    async def compare(self, other: AsyncEvaluation | str) -> dict[str, Any]:
        """This one beside another one with the same truth: the differences of figures with their
        intervals, what only one of them got right, and the slices that became worse."""
        other_id = other if isinstance(other, str) else other.id
        found: dict[str, Any] = await self._get("comparison", {"with": other_id})
        return found

    async def failures(
        self,
        *,
        outcome: Literal["fp", "fn"] | None = None,
        level: int | None = None,
        limit: int | None = None,
    ) -> Rows:
        """Groups of pictures with mistakes that look alike, the largest first: of wrong
        predictions (`fp`), of what was not found (`fn`), or of both. `level` is how coarse the
        groups are, from 0 to 4."""
        asked = {"outcome": outcome, "threshold": level, "limit": limit}
        return Rows((await self._get("failures", asked))["groups"])

    async def run_again(
        self, *, timeout: float | None = None, progress: ShownAs = None
    ) -> AsyncEvaluation:
        """Compares the sources as they are now, and waits. The figures from before are
        `previous_metrics` then."""
        await self._transport.json("POST", f"{self._path}/runs")
        await self.refresh()
        return await self._ended(timeout, progress)

    async def rename(self, name: str) -> None:
        self.info = await self._transport.json("PATCH", self._path, json={"name": name})

    async def keep_up_to_date(self, kept: bool = True) -> None:
        """Whether it is run again by itself once its sources or the media have changed."""
        body = {"keep_up_to_date": kept}
        self.info = await self._transport.json("PATCH", self._path, json=body)

    async def delete(self) -> None:
        """Deletes it; annotations stay."""
        await self._transport.request("DELETE", self._path, idempotent=False)

    async def _get(self, what: str, asked: dict[str, Any]) -> Any:
        return await self._transport.json("GET", f"{self._path}/{what}", params=asked)

    async def _ended(self, timeout: float | None, progress: ShownAs) -> AsyncEvaluation:
        """Waits for its run, and for the import before it."""
        while self.info["status"] != "COMPLETED":
            task_id = str(self.info["task_id"])
            await self._task(task_id).wait(timeout, progress)
            await self.refresh()
        return self

    def _task(self, task_id: str) -> AsyncTask[None]:
        async def is_ours(task: TaskInfo) -> bool:
            return task.task_id == task_id

        async def result(_: TaskInfo) -> None:
            return None

        return AsyncTask(
            self._transport,
            title=f"Evaluate {self.name}",
            task_type=None,
            result=result,
            dataset_id=self._dataset_id,
            is_ours=is_ours,
        )


class AsyncEvaluations(AsyncDatasetBase):
    async def evaluate(
        self,
        predictions: str,
        *,
        truth: str = "ground_truth",
        task: EvaluationTask = "detection",
        protocol: Protocol = "coco",
        name: str | None = None,
        keep_up_to_date: bool = False,
        filters: Filters = None,
        files: Sequence[str | os.PathLike[str]] = (),
        timeout: float | None = None,
        progress: ShownAs = None,
        **options: Any,
    ) -> AsyncEvaluation:
        """Compares what the source `predictions` says with `truth`, and waits for the figures.
        `filters` choose images. With `keep_up_to_date`, it is run again by itself once its sources
        or the media have changed. With `files` of this machine, which another tool wrote, the
        source is replaced by these first. `options` are those of the API: `iou`, `confidence`,
        `class_confidences`, `max_detections`, `class_agnostic`, `sigmas`, `voc_points`,
        `hierarchy`, `verified`, `k`, `labels`, `pictures`."""
        vql = to_vql(filters)
        asked = {
            "name": name or predictions,
            "truth": truth,
            "task": task,
            "protocol": protocol,
            "options": options,
            "keep_up_to_date": keep_up_to_date,
            **({"filter": {"vql": vql}} if vql else {}),
        }
        path = f"{self._path}/evaluations"
        if files:
            fields = {"source": predictions, "mode": "replace", "evaluation": json.dumps(asked)}
            places = [Path(each).expanduser() for each in files]
            form = Multipart(fields, [FilePart("files", each.name, each) for each in places])
            started = await self._transport.json(
                "POST", f"{path}/import", form=form, timeout=3600.0
            )
        else:
            body = {**asked, "predictions": predictions}
            started = await self._transport.json("POST", path, json=body)
        evaluation = await self.evaluation(str(started["evaluation_id"]))
        return await evaluation._ended(timeout, progress)

    async def evaluation(self, evaluation_id: str) -> AsyncEvaluation:
        info = await self._transport.json("GET", f"{self._path}/evaluations/{evaluation_id}")
        return AsyncEvaluation(self._transport, self.id, info)

    async def evaluations(
        self, *, truth: str | None = None, predictions: str | None = None
    ) -> list[AsyncEvaluation]:
        """The evaluations, newest first."""
        asked = {"truth": truth, "predictions": predictions, "limit": _PER_PAGE}
        found: list[AsyncEvaluation] = []
        while True:
            page = await self._transport.json(
                "GET",
                f"{self._path}/evaluations",
                params={**asked, "offset": len(found)},
            )
            for each in page["evaluations"]:
                found.append(AsyncEvaluation(self._transport, self.id, each))
            if not page["evaluations"] or len(found) >= page["total"]:
                return found
