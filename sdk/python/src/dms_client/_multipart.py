"""Forms with files, which are read while they are sent. A retry reads the files again."""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

_CHUNK = 256 * 1024
# Names with these characters are sent in the extended form, which preserves them.
_SPECIAL = frozenset('"\\\r\n')


@dataclass(frozen=True)
class FilePart:
    field: str
    name: str
    """The name in the service, which may include folders."""
    content: bytes | Path

    @property
    def size(self) -> int:
        return (
            len(self.content) if isinstance(self.content, bytes) else os.stat(self.content).st_size
        )

    def chunks(self) -> Iterator[bytes]:
        if isinstance(self.content, bytes):
            yield self.content
            return
        with open(self.content, "rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk


def _disposition(part: FilePart) -> str:
    if not _SPECIAL.intersection(part.name):
        return f'form-data; name="{part.field}"; filename="{part.name}"'
    return f"form-data; name=\"{part.field}\"; filename*=utf-8''{quote(part.name, safe='')}"


class Multipart:
    """A form whose chunks can be generated repeatedly."""

    def __init__(
        self, fields: Mapping[str, str] | None = None, files: Sequence[FilePart] = ()
    ) -> None:
        self._boundary = secrets.token_hex(16)
        self._fields = dict(fields or {})
        self._files = [(part, self._head_of(part), part.size) for part in files]

    def _head_of(self, part: FilePart) -> bytes:
        return (
            f"--{self._boundary}\r\nContent-Disposition: {_disposition(part)}\r\n"
            "Content-Type: application/octet-stream\r\n\r\n"
        ).encode("utf-8", "surrogateescape")

    def _texts(self) -> bytes:
        return b"".join(
            (
                f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
                f"{value}\r\n"
            ).encode()
            for name, value in self._fields.items()
        )

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Content-Type": f"multipart/form-data; boundary={self._boundary}",
            "Content-Length": str(self.size),
        }

    @property
    def _end(self) -> bytes:
        return f"--{self._boundary}--\r\n".encode()

    @property
    def size(self) -> int:
        files = sum(len(head) + size + 2 for _, head, size in self._files)
        return len(self._texts()) + files + len(self._end)

    def chunks(self) -> Iterator[bytes]:
        yield self._texts()
        for part, head, size in self._files:
            yield head
            sent = 0
            for chunk in part.chunks():
                sent += len(chunk)
                yield chunk
            if sent != size:
                raise OSError(f"{part.name} changed while it was sent: {sent} bytes, not {size}")
            yield b"\r\n"
        yield self._end

    async def async_chunks(self) -> AsyncIterator[bytes]:
        chunks = self.chunks()
        while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
            yield chunk
