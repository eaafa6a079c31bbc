"""The files of a folder to upload, and a journal of the uploaded ones."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ._multipart import FilePart
from .errors import UploadRunning
from .progress import Progress

if sys.platform == "win32":
    import msvcrt

    def _lock(file: TextIO) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: TextIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_IMAGES = "png jpg jpeg jfif gif tif tiff heic heif bmp webp jp2 hif j2k jpf mpo"
_VIDEOS = "mp4 avi dav m4v mov mkv wmv flv webm"
EXTENSIONS = frozenset(f"{_IMAGES} {_VIDEOS}".split())
ANNOTATION_FILES = frozenset(
    {
        "annotations.json",
        "image_annotations.csv",
        "image_annotations.parquet",
        "object_annotations.csv",
        "object_annotations.parquet",
    }
)


@dataclass(frozen=True)
class LocalFile:
    name: str
    """The path relative to the folder, with slashes."""
    path: Path
    size: int
    mtime_ns: int

    def part(self) -> FilePart:
        return FilePart("files", self.name, self.path)


@dataclass(frozen=True)
class FolderFiles:
    files: list[LocalFile]
    skipped: list[str]
    """Files that the service does not accept: of other formats, or with a backslash in their
    name."""


def is_accepted(name: str) -> bool:
    last = name.rsplit("/", 1)[-1]
    extension = last.rsplit(".", 1)[-1].lower() if "." in last else ""
    return "\\" not in name and (name in ANNOTATION_FILES or extension in EXTENSIONS)


def files_below(folder: str | os.PathLike[str]) -> FolderFiles:
    """Sorted by name, without hidden files and folders and without links to folders."""
    root = Path(folder).expanduser().resolve()
    if not root.is_dir():
        raise NotADirectoryError(f"{root} is not a folder.")
    files: list[LocalFile] = []
    skipped: list[str] = []
    for place, folders, names in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for each in names:
            path = Path(place, each)
            name = path.relative_to(root).as_posix()
            if each.startswith(".") or not path.is_file():
                continue
            if not is_accepted(name):
                skipped.append(name)
                continue
            found = path.stat()
            files.append(LocalFile(name, path, found.st_size, found.st_mtime_ns))
    return FolderFiles(sorted(files, key=lambda file: file.name), sorted(skipped))


def in_batches(
    files: Iterable[LocalFile], most_files: int, most_bytes: int
) -> Iterator[list[LocalFile]]:
    """Each batch has at least one file, whatever its size."""
    batch: list[LocalFile] = []
    size = 0
    for file in files:
        if batch and (len(batch) == most_files or size + file.size > most_bytes):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch


def _state_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")


def default_journal(base_url: str, target: str, folder: str | os.PathLike[str]) -> Path:
    """The journal path, which depends on the folder, the dataset and the service."""
    place = str(Path(folder).expanduser().resolve())
    digest = hashlib.sha256("\0".join((base_url, target, place)).encode()).hexdigest()[:24]
    return _state_folder() / "dms-client" / "uploads" / f"{digest}.jsonl"


@contextmanager
def only_upload(journal: Path) -> Iterator[None]:
    """Raises UploadRunning while another upload uses the journal. The lock ends with the
    process."""
    path = journal.with_name(f"{journal.name}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        try:
            yield
        finally:
            # Windows cannot remove an open file.
            with suppress(OSError):
                path.unlink()


def _locked(path: Path) -> TextIO:
    while True:
        file = open(path, "a")  # noqa: SIM115
        if not _lock(file):
            file.close()
            raise UploadRunning(
                "Another upload of this folder to this dataset is running. Wait until it has ended."
            )
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        # Another upload that just ended has removed the lock file.
        file.close()


class Journal:
    """The received files, one line per batch, so that an interrupted upload can be continued.

    A line is written to disk only after the response. A batch that was being sent when the
    program was killed is sent again; the service accepts equal files once.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: dict[str, Any] = {}
        self._sent: set[tuple[str, int, int]] = set()
        self._file: TextIO | None = None

    @classmethod
    def read(cls, path: Path) -> Journal:
        journal = cls(path)
        try:
            text = path.read_text("utf-8", "surrogateescape")
        except FileNotFoundError:
            return journal
        # The last line is incomplete if the program was killed while writing it.
        for line in text.split("\n")[:-1]:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if "sent" in entry:
                journal._sent.update((name, size, mtime) for name, size, mtime in entry["sent"])
            else:
                journal.header.update(entry)
        return journal

    def __contains__(self, file: LocalFile) -> bool:
        return (file.name, file.size, file.mtime_ns) in self._sent

    def __len__(self) -> int:
        return len(self._sent)

    def begin(self, **header: Any) -> None:
        self.header.update(header)
        self._write(header)

    def sent(self, files: Iterable[LocalFile]) -> None:
        entries = [(file.name, file.size, file.mtime_ns) for file in files]
        self._sent.update(entries)
        self._write({"sent": entries})

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def remove(self) -> None:
        self.close()
        self.path.unlink(missing_ok=True)
        self.header = {}
        self._sent = set()

    def _write(self, entry: dict[str, Any]) -> None:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # An incomplete line at the end must not be joined with the next one.
            cut = self.path.exists() and not self.path.read_bytes().endswith(b"\n")
            self._file = open(self.path, "a", encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
            if cut:
                self._file.write("\n")
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())


@dataclass(frozen=True)
class UploadOptions:
    batch_size: int = 50
    at_once: int = 4
    labels_from_folders: bool = False


class UploadReport:
    """The files that an upload sent and left out."""

    def __init__(self, found: FolderFiles, journal: Journal) -> None:
        self.files = len(found.files)
        self.skipped = found.skipped
        """Files of formats that the service does not accept."""
        self.resumed = sum(1 for each in found.files if each in journal)
        """Files that an earlier run sent."""
        self.sent = 0
        self.sent_bytes = 0
        self._total = sum(each.size for each in found.files if each not in journal)
        self._lock = threading.Lock()

    def count(self, files: list[LocalFile]) -> None:
        with self._lock:
            self.sent += len(files)
            self.sent_bytes += sum(each.size for each in files)

    def show(self, shown: Progress) -> None:
        percent = 100.0 * self.sent_bytes / self._total if self._total else 100.0
        done = self.sent + self.resumed
        shown.show("Upload", percent, f"{done} of {self.files} files")

    def __repr__(self) -> str:
        return f"<UploadReport sent={self.sent} resumed={self.resumed} skipped={len(self.skipped)}>"
