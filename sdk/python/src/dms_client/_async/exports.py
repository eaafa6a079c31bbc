"""Exports to files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import httpx

from ..errors import ConnectionFailed, ExportFailed
from ..frames import Metadata
from ..models import ExportInfo
from ..progress import ShownAs, progress_of
from .tasks import Pauses
from .transport import AsyncTransport

ExportFormat = Literal[
    "json",
    "parquet",
    "csv",
    "coco",
    "yolo",
    "voc",
    "labelme",
    "cvat",
    "datumaro",
    "label_studio",
    "mot",
    "imagefolder",
    "webdataset",
    "class_folders",
]


class AsyncExport:
    """A running export: wait for it, then save its archive."""

    def __init__(self, transport: AsyncTransport, dataset_id: str, info: ExportInfo) -> None:
        self._transport = transport
        self._dataset_id = dataset_id
        self.info = info

    @property
    def _status(self) -> tuple[str, dict[str, str]]:
        path = f"/api/v1/dataset/{self._dataset_id}/export_status"
        return path, {"export_task_id": self.info.id}

    async def refresh(self) -> ExportInfo:
        path, params = self._status
        self.info = ExportInfo.of(await self._transport.json("GET", path, params=params))
        return self.info

    async def wait(self, timeout: float | None = None, progress: ShownAs = None) -> AsyncExport:
        """Waits for its end; raises ExportFailed if it failed."""
        shown = progress_of(progress)
        pauses = Pauses(timeout, "The export")
        try:
            while (await self.refresh()).status not in ("COMPLETED", "FAILED"):
                shown.show("Export", self.info.progress, self.info.status)
                await pauses.pause()
            shown.show("Export", 100, self.info.status)
        finally:
            shown.close()
        if self.info.status == "FAILED":
            raise ExportFailed(self.info)
        return self

    async def cancel(self) -> None:
        path, params = self._status
        self.info = ExportInfo.of(await self._transport.json("DELETE", path, params=params))

    async def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the archive of a completed export. The file appears when it is complete."""
        target = Path(path).expanduser()
        address = self.info.download_uri
        if address is None:
            raise ExportFailed(self.info)
        partial = target.with_name(f".{target.name}.{self.info.id}.part")
        try:
            await self._download(address, partial)
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
        return target

    async def _download(self, address: str, partial: Path) -> None:
        """Continues after a lost connection."""
        attempt = 0
        with open(partial, "wb") as file:
            while True:
                headers = {"Range": f"bytes={file.tell()}-"} if file.tell() > 0 else {}
                try:
                    async with self._transport.stream("GET", address, headers=headers) as answer:
                        if answer.status_code != 206:
                            file.seek(0)
                            file.truncate()
                        async for chunk in answer.aiter_bytes():
                            file.write(chunk)
                            attempt = 0
                    return
                except httpx.TransportError as error:
                    if attempt == 5:
                        raise ConnectionFailed(f"The download was interrupted: {error}") from error
                await self._transport.sleep_before(attempt, None)
                attempt += 1

    async def metadata(self) -> Metadata:
        """The metadata of a completed Parquet export."""
        with tempfile.TemporaryDirectory(prefix="dms-") as folder:
            return Metadata.from_archive(await self.save(Path(folder, "export.zip")))


async def start_export(
    transport: AsyncTransport,
    dataset_id: str,
    export_format: ExportFormat,
    *,
    include_images: bool,
    with_embeddings: bool = False,
    source: str | None = None,
    file_name: str = "export.zip",
    selection: Sequence[Any] | None = None,
) -> AsyncExport:
    base = f"/api/v1/dataset/{dataset_id}"
    params = {"export_format": export_format, "include_images": str(include_images).lower()}
    if with_embeddings:
        params["with_embeddings"] = "true"
    if source is not None:
        params["source"] = source
    if selection is None:
        # This GET starts an export, so it is not retried.
        found = await transport.json(
            "GET",
            f"{base}/export_context_async",
            params={**params, "file_name": file_name},
            idempotent=False,
        )
    else:
        found = await transport.json(
            "POST",
            f"{base}/export_entities_async",
            params=params,
            json={"media_selection": list(selection)},
        )
    return AsyncExport(transport, dataset_id, ExportInfo.of(found))
