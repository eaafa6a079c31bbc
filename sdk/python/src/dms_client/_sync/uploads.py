"""Uploads folders of this machine in batches, with a journal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from .._files import (
    FolderFiles,
    Journal,
    LocalFile,
    UploadOptions,
    UploadReport,
    files_below,
    in_batches,
)
from .._multipart import Multipart
from ..progress import Progress
from ._parallel import in_parallel
from .transport import Transport

MOST_BYTES = 256 * 1024 * 1024


def found_in(folder: str | os.PathLike[str]) -> FolderFiles:
    found = files_below(folder)
    if not found.files:
        raise FileNotFoundError(
            f"{Path(folder).expanduser()} has no images, videos or annotation files."
        )
    return found


def send_files(
    transport: Transport,
    address: str,
    found: FolderFiles,
    journal: Journal,
    options: UploadOptions,
    report: UploadReport,
    shown: Progress,
) -> None:
    """Sends files that are not in the journal to an open transaction, several batches at once."""

    def send(batch: list[LocalFile]) -> None:
        form = Multipart(files=[each.part() for each in batch])
        # The service keeps the last file of each name, so repeating a batch changes nothing.
        transport.request("POST", address, form=form, idempotent=True, timeout=3600.0)

    missing = [each for each in found.files if each not in journal]
    batches = in_batches(missing, options.batch_size, MOST_BYTES)
    report.show(shown)
    for batch, _ in in_parallel(send, batches, options.at_once):
        journal.sent(batch)
        report.count(batch)
        report.show(shown)


def add_files(
    found: FolderFiles,
    journal: Journal,
    options: UploadOptions,
    report: UploadReport,
    shown: Progress,
    add: Callable[[list[LocalFile]], None],
) -> None:
    """Adds files that are not in the journal to an indexed dataset, one batch after the other."""
    missing = [each for each in found.files if each not in journal]
    report.show(shown)
    for batch in in_batches(missing, options.batch_size, MOST_BYTES):
        add(batch)
        journal.sent(batch)
        report.count(batch)
        report.show(shown)
