"""Media as a `torch.utils.data.Dataset`: `Search.to_torch`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import httpx
import torch
import torch.utils.data
from PIL import Image

from .errors import DmsError
from .models import Medium


def cache_folder() -> Path:
    """DMS_CACHE, or the user's cache folder."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(os.environ.get("DMS_CACHE") or Path(base or Path.home() / ".cache", "dms-client"))


class TorchMedia(torch.utils.data.Dataset):  # type: ignore[misc]
    """Images with the index of their first label in `classes`, or -1.

    Pictures are fetched from their signed addresses on access and cached in a folder. The
    addresses are valid for most of a day; cached pictures need none. Workers of a
    DataLoader open separate connections.
    """

    def __init__(
        self,
        media: Iterable[Medium],
        *,
        transform: Callable[[Any], Any] | None,
        target: Callable[[Medium], Any] | None,
        classes: Sequence[str] | None,
        cache: str | os.PathLike[str] | None,
    ) -> None:
        self.media = [each for each in media if each.type == "IMAGE"]
        found = sorted({label for each in self.media for label in each.labels or {}})
        self.classes = list(classes) if classes is not None else found
        self._index = {name: index for index, name in enumerate(self.classes)}
        self._transform = transform
        self._target = target
        self._folder = cache_folder() if cache is None else Path(cache).expanduser()

    def __len__(self) -> int:
        return len(self.media)

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        medium = self.media[index]
        with Image.open(self.path_of(index)) as opened:
            image = opened.convert("RGB")
        shown = _tensor(image) if self._transform is None else self._transform(image)
        return shown, self._class_of(medium) if self._target is None else self._target(medium)

    def _class_of(self, medium: Medium) -> int:
        known = [self._index[name] for name in medium.labels or {} if name in self._index]
        return known[0] if known else -1

    def path_of(self, index: int) -> Path:
        """The file of a picture, which is fetched if it is not cached."""
        medium = self.media[index]
        path = self._folder / medium.media_id[:2] / medium.media_id
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fetch(medium, path)
        return path

    @staticmethod
    def _fetch(medium: Medium, path: Path) -> None:
        descriptor, partial = tempfile.mkstemp(dir=path.parent, prefix=".part-")
        try:
            with (
                os.fdopen(descriptor, "wb") as file,
                httpx.stream("GET", medium.media_uri, follow_redirects=True, timeout=60) as read,
            ):
                if read.status_code != 200:
                    raise DmsError(
                        f"{medium.file_name} cannot be read ({read.status_code}): its address may "
                        "have expired; make the dataset again."
                    )
                for chunk in read.iter_bytes():
                    file.write(chunk)
            os.replace(partial, path)
        finally:
            Path(partial).unlink(missing_ok=True)


def _tensor(image: Any) -> Any:
    """Channels, rows and columns, with values from 0 to 1."""
    flat = torch.frombuffer(bytearray(image.tobytes()), dtype=torch.uint8)
    shaped = flat.view(image.height, image.width, 3).permute(2, 0, 1)
    return shaped.contiguous().to(torch.float32) / 255
