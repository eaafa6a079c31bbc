"""Interrupted uploads that are continued."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from conftest import PATIENCE, Service, png, write_pictures
from dms_client import Client, ConnectionFailed, Dataset, UploadRunning


class CutOff(httpx.HTTPTransport):
    """Lets some uploads pass, then fails all others."""

    def __init__(self, forms: int) -> None:
        super().__init__()
        self.left = forms

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("content-type", "").startswith("multipart/"):
            if self.left == 0:
                raise httpx.ReadError("the network is unreachable")
            self.left -= 1
        return super().handle_request(request)


@contextmanager
def cut_off(service: Service, forms: int) -> Iterator[Client]:
    with httpx.Client(transport=CutOff(forms)) as http:
        yield Client(service.url, retries=0, http=http)


def test_a_new_dataset_goes_on_in_its_draft(dms: Client, service: Service, home: Path) -> None:
    folder = home / "cut off"
    write_pictures(folder / "a", range(40, 45))
    write_pictures(folder / "b", range(45, 50))
    options = {"batch_size": 3, "at_once": 1, "resume": True}
    with cut_off(service, 2) as client, pytest.raises(ConnectionFailed):
        client.upload_dataset("Cut off", folder, **options)  # type: ignore[arg-type]
    upload = dms.upload_dataset("Cut off", folder, **options)  # type: ignore[arg-type]
    assert (upload.report.resumed, upload.report.sent) == (6, 4)
    dataset = upload.wait(PATIENCE)
    assert dataset.info.n_images == 10
    assert [each.name for each in dms.datasets()].count("Cut off") == 1
    assert not list((home / "state").rglob("*.jsonl"))
    dataset.delete()


def test_more_goes_on_where_it_was_cut(
    service: Service, make: Callable[..., Dataset], home: Path, dms: Client
) -> None:
    dataset = make()
    write_pictures(home / "more to come", range(50, 55))
    with cut_off(service, 1) as client, pytest.raises(ConnectionFailed):
        client.dataset(dataset.id).upload(home / "more to come", batch_size=2)
    dataset.settle(PATIENCE)
    upload = dataset.upload(home / "more to come", resume=True, batch_size=2, reindex=True)
    assert (upload.report.resumed, upload.report.sent) == (2, 3)
    assert upload.wait(PATIENCE).info.n_images == 9
    assert dataset.refresh().status_new == "READY"
    # Without a journal, the files are sent again, and the service accepts them once.
    again = dataset.upload(home / "more to come")
    assert again.report.sent == 5
    assert again.wait(PATIENCE).info.n_images == 9
    dataset.delete()


KILLED = """
import os, sys
from dms_client import Client
def seen(title, percent, message):
    if message.startswith("4 of"):
        os.kill(os.getpid(), 9)
Client(sys.argv[1]).upload_dataset(
    "Killed", sys.argv[2], resume=True, batch_size=2, at_once=2, progress=seen)
"""


def test_a_killed_program_sends_only_batches_in_flight_again(dms: Client, home: Path) -> None:
    folder = home / "killed"
    write_pictures(folder, range(60, 72))
    done = subprocess.run([sys.executable, "-c", KILLED, dms.base_url, str(folder)], check=False)
    assert done.returncode == -9
    upload = dms.upload_dataset("Killed", folder, resume=True, batch_size=2)
    assert upload.report.resumed == 4
    assert upload.wait(PATIENCE).info.n_images == 12
    dms.dataset("Killed").delete()


STOPPED = """
import os, signal, sys
from dms_client import Client
def seen(title, percent, message):
    if message.startswith("2 of"):
        os.kill(os.getpid(), signal.SIGSTOP)
Client(sys.argv[1]).upload_dataset(
    "Twice", sys.argv[2], resume=True, batch_size=2, at_once=1, progress=seen)
"""


def test_a_second_upload_of_a_folder_is_refused_while_one_runs(dms: Client, home: Path) -> None:
    folder = home / "twice"
    write_pictures(folder, range(90, 96))
    running = subprocess.Popen([sys.executable, "-c", STOPPED, dms.base_url, str(folder)])
    os.waitpid(running.pid, os.WUNTRACED)
    for resume in (True, False):
        with pytest.raises(UploadRunning, match="Wait until it has ended"):
            dms.upload_dataset("Twice", folder, resume=resume)
    running.kill()
    running.wait()
    upload = dms.upload_dataset("Twice", folder, resume=True, batch_size=2)
    assert upload.report.resumed == 2
    assert upload.wait(PATIENCE).info.n_images == 6
    assert not list((home / "state").rglob("*.lock"))
    dms.dataset("Twice").delete()


def test_refuses_a_folder_without_media(dms: Client, home: Path) -> None:
    (home / "nothing").mkdir()
    (home / "nothing" / "notes.txt").write_text("")
    with pytest.raises(FileNotFoundError, match="no images"):
        dms.upload_dataset("Nothing", home / "nothing")
    with pytest.raises(NotADirectoryError):
        dms.upload_dataset("Nothing", home / "nowhere")
    assert "Nothing" not in [each.name for each in dms.datasets()]


def test_adds_files_and_archives(make: Callable[..., Dataset], tmp_path: Path) -> None:
    import zipfile

    dataset = make(range(2))
    (tmp_path / "one.png").write_bytes(png(80))
    assert dataset.add_files([tmp_path / "one.png"]).wait(PATIENCE).info.n_images == 3
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("two.png", png(81))
    assert dataset.add_archive(tmp_path / "more.zip").wait(PATIENCE).info.n_images == 4
    assert dataset.sync().wait(PATIENCE).status == "PARTIAL INDEX"
    dataset.delete()
