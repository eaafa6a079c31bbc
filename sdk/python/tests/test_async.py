"""The asynchronous client with the running program."""

from __future__ import annotations

import asyncio
from pathlib import Path

from conftest import PATIENCE, Service, write_pictures
from dms_client import AsyncClient, F


def test_the_whole_way(service: Service, home: Path) -> None:
    folder = home / "async"
    write_pictures(folder, range(90, 98))
    write_pictures(home / "async more", range(98, 100))

    async def run() -> None:
        async with AsyncClient(service.url) as dms:
            upload = await dms.upload_dataset("Async", folder, batch_size=2, at_once=3)
            assert upload.report.sent == 8
            dataset = await upload.wait(PATIENCE)
            search = dataset.search(image=folder / "91.png", filters=~F.files.contains("97"))
            assert [each.file_name async for each in search.media(1)] == ["91.png"]
            assert await search.count() == 7
            assert (await dataset.to_arrow()).num_rows == 8
            assert len(await dataset.search().to_pandas()) == 8
            assert "Async" in dataset._repr_html_()
            task = await dataset.add(home / "async more", reindex=True)
            assert (await task.wait(PATIENCE)).info.n_images == 10
            tag = await dataset.tag("all")
            assert await dataset.search().tag(tag.id) == 10
            kept = dataset.duplicates(0.9).keep()
            assert await kept.tag(tag.id) == 0
            assert [each async for each in dataset.quarantine()] == []
            assert len([each async for each in dms.tasks(dataset_id=dataset.id)]) >= 2
            exported = await dataset.export("json", home / "async.zip")
            assert exported.stat().st_size > 0
            await dataset.delete()

    asyncio.run(run())
