"""Groups of near duplicates, and which member of each group to keep."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._query import Query
from ..models import DuplicateGroup, Medium
from .search import AsyncSearch
from .transport import AsyncTransport

_COLUMNS = ("media_id", "file_name", "file_path", "width", "height", "group_id", "kept_media_id")
_AT_ONCE = 50_000
_FORMULA = re.compile("['=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")


def _escaped(text: str) -> str:
    """The same escaping as in files of the service: spreadsheets would run such a text as a
    formula."""
    return f"'{text}" if _FORMULA.match(text) else text


class AsyncDuplicates(AsyncSearch):
    """The near duplicates of a dataset; iterate over its `clusters` for the groups."""

    def keep(
        self,
        *,
        largest: bool = True,
        key: Callable[[Medium], Any] | None = None,
        doubtful: bool = False,
    ) -> AsyncKept:
        """Keeps the member with the most pixels of each group (the fewest with
        `largest=False`), or with the largest `key`; of equal members the first by path. Groups
        that may have different pictures (`Cluster.doubt`) are left out unless `doubtful` is
        set."""
        sign = 1 if largest else -1
        chosen = key or (lambda medium: sign * medium.width * medium.height)
        return AsyncKept(self, chosen, doubtful)


class AsyncKept:
    """The result of `keep`. It deletes nothing."""

    def __init__(
        self, found: AsyncDuplicates, key: Callable[[Medium], Any], doubtful: bool
    ) -> None:
        self._found = found
        self._key = key
        self._doubtful = doubtful

    async def groups(self) -> AsyncIterator[DuplicateGroup]:
        async for cluster in self._found.clusters():
            if cluster.doubt is not None and not self._doubtful:
                continue
            media = [each async for each in self._found.members(cluster)]
            media.sort(key=lambda each: (each.path, each.media_id))
            if len(media) < 2:
                continue
            kept = max(media, key=self._key)
            others = [each for each in media if each.media_id != kept.media_id]
            yield DuplicateGroup(cluster.cluster_id, kept, others)

    async def dropped(self) -> AsyncIterator[Medium]:
        async for group in self.groups():
            for medium in group.dropped:
                yield medium

    async def drop_list(self, path: str | os.PathLike[str]) -> int:
        """Writes a CSV of the media that can be dropped, and returns the number of rows. Names
        that look like a formula are prefixed with an apostrophe, so that spreadsheets do not
        run them."""
        target = Path(path).expanduser()
        rows = 0
        partial = target.with_name(f".{target.name}.part")
        try:
            with open(partial, "w", newline="", encoding="utf-8", errors="replace") as file:
                writer = csv.writer(file)
                writer.writerow(_COLUMNS)
                async for group in self.groups():
                    for each in group.dropped:
                        rows += 1
                        writer.writerow(
                            (
                                each.media_id,
                                _escaped(each.file_name),
                                _escaped(each.path),
                                each.width,
                                each.height,
                                group.group_id,
                                group.kept.media_id,
                            )
                        )
            os.replace(partial, target)
        finally:
            partial.unlink(missing_ok=True)
        return rows

    async def tag(self, tag_id: str) -> int:
        """Assigns a tag to the media that can be dropped, and returns how many did not have it."""
        count = 0
        batch: list[str] = []
        async for medium in self.dropped():
            batch.append(medium.media_id)
            if len(batch) == _AT_ONCE:
                count += await self._found.assign_to(tag_id, batch)
                batch = []
        return count + (await self._found.assign_to(tag_id, batch) if batch else 0)


def duplicates_of(
    transport: AsyncTransport, dataset_id: str, query: Query, similarity: float
) -> AsyncDuplicates:
    if not 0.8 <= similarity <= 1:
        raise ValueError(f"The similarity of duplicates must be from 0.8 to 1, not {similarity!r}.")
    return AsyncDuplicates(transport, dataset_id, replace(query, duplicates=similarity))
