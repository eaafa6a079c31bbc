from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeVar

import pytest

from dms_client import Client, Dataset

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 300
# The folder in which `record-calls.cjs` in the service records the calls of each test.
CALLS = os.environ.get("DMS_CALLS")
KEPT_VARIABLES = ("PATH", "HOME", "NODE_COMPILE_CACHE", "DMS_CALLS")
T = TypeVar("T")


def png(seed: int, width: int = 96, height: int = 72) -> bytes:
    """A picture of coloured rectangles, which depends on the seed only, at any size."""
    chosen = random.Random(seed)
    shapes = [
        (*sorted(chosen.random() for _ in range(2)), *sorted(chosen.random() for _ in range(2)))
        for _ in range(9)
    ]
    colours = [bytes(chosen.randrange(256) for _ in range(3)) for _ in range(10)]
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            colour = colours[9]
            for (left, right, top, bottom), each in zip(shapes, colours, strict=False):
                if left <= x / width <= right and top <= y / height <= bottom:
                    colour = each
            rows += colour

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(bytes(rows))), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def write_pictures(folder: Path, seeds: range, prefix: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (folder / f"{prefix}{seed}.png").write_bytes(png(seed))


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def until(condition: Callable[[], T]) -> T:
    """Polls until the result is true, and returns it."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "It took too long."
        time.sleep(0.05)
    return found


class Service:
    """The built program with a separate data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = folder / "service.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        node = ROOT / "node_modules" / ".bin" / "node"
        command = [str(node) if node.exists() else "node"]
        if CALLS:
            command += ["--require", str(ROOT / "sdk" / "record-calls.cjs")]
        command.append(str(ROOT / "dist" / "main.js"))
        environment = {
            **{k: v for k, v in os.environ.items() if k in KEPT_VARIABLES},
            "AUTH_MODE": "none",
            "DATA_DIR": str(self.folder / "data"),
            "PORT": str(self.port),
            "MEDIA_ROOTS": str(self.folder.parent),
            "WORKER_CONCURRENCY": "2",
        }
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [*command, "--no-sample"], env=environment, stdout=log, stderr=subprocess.STDOUT
            )
        until = time.monotonic() + PATIENCE
        while "is ready at" not in self._log.read_text():
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"The service did not start:\n{self._log.read_text()}")
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """A folder that the service may read."""
    folder = Path(tempfile.mkdtemp(prefix="dms-sdk-")).resolve()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True, scope="session")
def _state_of_programs(home: Path) -> Iterator[None]:
    """Keeps journals out of the user's home."""
    patch = pytest.MonkeyPatch()
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA"):
        patch.setenv(name, str(home / "state"))
    for name in ("DMS_URL", "DMS_API_KEY", "DMS_API_SECRET"):
        patch.delenv(name, raising=False)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def _name_of_test(request: pytest.FixtureRequest) -> Iterator[None]:
    if not CALLS:
        yield
        return
    running = Path(CALLS) / "test"
    test = getattr(request.node, "originalname", None) or request.node.name
    running.write_text(f"{request.path.name}: {test}")
    yield
    running.write_text("")


@pytest.fixture(scope="session")
def service(home: Path) -> Iterator[Service]:
    folder = home / "service"
    folder.mkdir()
    running = Service(folder)
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def dms(service: Service) -> Iterator[Client]:
    with Client(service.url) as client:
        yield client


def write_library(folder: Path) -> None:
    """Twelve pictures with labels and captions; one has a copy and a smaller version."""
    write_pictures(folder / "boats", range(6))
    write_pictures(folder / "cars", range(6, 12))
    (folder / "boats" / "copy.png").write_bytes(png(0))
    (folder / "boats" / "small.png").write_bytes(png(0, 48, 36))
    lines = ["filename,label,caption"]
    lines += [f"boats/{seed}.png,boat,A boat number {seed} at sea" for seed in range(6)]
    lines += [f"cars/{seed}.png,car,A red car number {seed}" for seed in range(6, 12)]
    (folder / "image_annotations.csv").write_text("\n".join(lines) + "\n")
    (folder / "notes.txt").write_text("not a picture")


@pytest.fixture(scope="session")
def library(home: Path) -> Path:
    folder = home / "library"
    write_library(folder)
    return folder


@pytest.fixture(scope="session")
def boats(dms: Client, library: Path) -> Dataset:
    """A dataset that tests must not change."""
    dataset = dms.create_dataset("Boats and cars", library).wait(PATIENCE)
    rows = [
        {
            "file_name": f"{'boats' if seed < 6 else 'cars'}/{seed}.png",
            "site": "north" if seed < 6 else "south",
            "score": seed / 4,
            "checked": seed == 0,
            "taken": datetime(2026 - seed, 1, 31, 10, tzinfo=timezone.utc),
        }
        for seed in range(12)
    ]
    dataset.push_metadata(rows).wait(PATIENCE)
    return dataset


@pytest.fixture
def make(dms: Client, home: Path, request: pytest.FixtureRequest) -> Callable[..., Dataset]:
    """A dataset that a test may change."""

    def made(seeds: range = range(4)) -> Dataset:
        folder = home / request.node.name
        write_pictures(folder, seeds)
        return dms.create_dataset(request.node.name, folder).wait(PATIENCE)

    return made
