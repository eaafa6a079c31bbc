"""The client without a service: tokens, retries, errors, the stream and progress."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import io
import json
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from dms_client import (
    ApiKey,
    AsyncClient,
    BadRequest,
    Client,
    ConnectionFailed,
    DmsError,
    RateLimited,
    Unauthorized,
    Unavailable,
    VersionWarning,
    WaitTimeout,
    __version__,
    make_token,
)
from dms_client._files import Journal, files_below, in_batches
from dms_client._multipart import FilePart, Multipart
from dms_client._versions import version_warning
from dms_client.progress import TextProgress

Answer = Callable[[httpx.Request], httpx.Response]
URL = "http://service.test"


def client_of(answer: Answer, **options: Any) -> Client:
    http = httpx.Client(transport=httpx.MockTransport(answer))
    return Client(URL, http=http, **{"check_version": False, **options})


def answers(*given: httpx.Response | Exception) -> tuple[Answer, list[httpx.Request]]:
    """Returns these responses in turn; the last one repeatedly."""
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        request.read()
        asked.append(request)
        each = given[min(len(asked), len(given)) - 1]
        if isinstance(each, Exception):
            raise each
        return each

    return answer, asked


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replaces sleeping, and records the requested times."""
    taken: list[float] = []

    async def pause(seconds: float) -> None:
        taken.append(seconds)

    monkeypatch.setattr("dms_client._sync.transport.time.sleep", taken.append)
    monkeypatch.setattr("dms_client._async.transport.asyncio.sleep", pause)
    return taken


def decoded(part: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return found


def test_makes_tokens_as_the_service_reads_them() -> None:
    header, claims, signature = make_token("key", "secret", issued_at=1000, lifetime=60).split(".")
    assert decoded(header) == {"alg": "HS256", "typ": "JWT", "kid": "key"}
    assert decoded(claims) == {"sub": "key", "iss": "sdk", "iat": 1000, "exp": 1060}
    digest = hmac.new(b"secret", f"{header}.{claims}".encode(), hashlib.sha256).digest()
    assert signature == base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def test_renews_tokens_before_they_expire() -> None:
    now = [1000.0]
    key = ApiKey("key", "secret", lifetime=100, clock=lambda: now[0])
    first = key.token()
    now[0] = 1079
    assert key.token() == first
    now[0] = 1080
    assert key.token() != first
    assert "secret" not in repr(key)


def test_sends_a_new_token_after_401_once() -> None:
    answer, asked = answers(httpx.Response(401, json={"detail": "expired"}))
    with pytest.raises(Unauthorized, match="expired"):
        client_of(answer, api_key="key", api_secret="secret").datasets()
    assert len(asked) == 2
    assert asked[0].headers["authorization"].startswith("Bearer ")
    with pytest.raises(ValueError, match="both required"):
        Client(URL, api_key="key")


def test_waits_as_long_as_the_service_says(pauses: list[float]) -> None:
    busy = httpx.Response(503, json={"detail": "busy"}, headers={"Retry-After": "7"})
    answer, asked = answers(busy, busy, httpx.Response(200, json=[]))
    assert client_of(answer).datasets() == []
    assert len(asked) == 3
    assert all(7 <= each <= 8.4 for each in pauses)


def test_repeats_only_what_does_nothing_twice(pauses: list[float]) -> None:
    answer, asked = answers(httpx.Response(503, json={"detail": "busy"}))
    with pytest.raises(Unavailable):
        client_of(answer).request("POST", "/api/v1/dataset/x/reindex")
    assert len(asked) == 1
    answer, asked = answers(httpx.ReadError("cut off"))
    with pytest.raises(ConnectionFailed, match="cut off"):
        client_of(answer).request("POST", "/api/v1/dataset/x/reindex")
    assert len(asked) == 1
    answer, asked = answers(httpx.ReadError("cut off"), httpx.Response(200, json=[]))
    assert client_of(answer).datasets() == []
    answer, asked = answers(httpx.Response(429, headers={"Retry-After": "1"}), httpx.Response(202))
    assert client_of(answer).request("POST", "/api/v1/dataset/x/reindex") is None
    answer, asked = answers(httpx.Response(429, json={"detail": "too many"}))
    with pytest.raises(RateLimited):
        client_of(answer, retries=2).datasets()
    assert len(asked) == 3
    assert pauses == sorted(pauses[:-2]) + pauses[-2:]


def test_reads_errors_of_any_form() -> None:
    for body in (b"", b"<html>", b'"text"', b'{"detail": ["odd"]}'):
        answer, _ = answers(httpx.Response(400, content=body))
        with pytest.raises(BadRequest):
            client_of(answer).datasets()


def event(number: int) -> str:
    data = json.dumps({"id": f"n{number}", "metadata": {"number": number}})
    return f"event: notification\nid: n{number}\ndata: {data}\n\n"


def test_the_stream_connects_again_after_the_last_notification() -> None:
    def stream(text: str) -> httpx.Response:
        return httpx.Response(200, text=f"event: ping\ndata: \n\n{text}")

    answer, asked = answers(
        stream(event(1)),
        httpx.ConnectError("refused"),
        httpx.Response(503),
        stream(event(1) + event(2) + 'event: error\ndata: {"detail": "later"}\n\n'),
        stream(event(3)),
        httpx.Response(404, json={"detail": "Dataset not found"}),
    )
    heard: list[str] = []
    with pytest.raises(Exception, match="Dataset not found"):
        heard.extend(each.id for each in client_of(answer).stream())
    listened = client_of(answers(stream(event(1)))[0]).stream()
    assert next(listened).metadata == {"number": 1}
    assert [each.headers.get("last-event-id") for each in asked] == [None, *["n1"] * 3, "n2", "n3"]


def test_the_stream_has_each_notification_once() -> None:
    answer, _ = answers(httpx.Response(200, text=event(1) + event(1) + event(2)))
    stream = client_of(answer).stream()
    assert [next(stream).id, next(stream).id] == ["n1", "n2"]


def test_warns_once_of_another_version() -> None:
    def warnings_of(*given: httpx.Response, **options: Any) -> list[str]:
        client = client_of(answers(*given)[0], **{"check_version": True, "retries": 0, **options})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", VersionWarning)
            for _ in range(3):
                with suppress(DmsError):
                    client.datasets()
        return [str(each.message) for each in caught]

    other = httpx.Response(200, json=[], headers={"X-DMS-Version": "7.3.0"})
    [warning] = warnings_of(other)
    assert warning == version_warning("7.3.0")
    assert warnings_of(httpx.Response(502), other) == [warning]
    assert warnings_of(httpx.Response(401, headers={"X-DMS-Version": "7.3.0"})) == [warning]
    assert warnings_of(httpx.Response(200, text="<html>")) == [version_warning(None)]
    assert warnings_of(httpx.Response(200, json=[], headers={"X-DMS-Version": __version__})) == []
    assert warnings_of(other, check_version=False) == []
    stream = httpx.Response(200, text=event(1), headers={"X-DMS-Version": "7.3.0"})
    with pytest.warns(VersionWarning, match=r"7\.3\.0"):
        next(client_of(answers(stream)[0], check_version=True).stream())


def test_says_what_to_install() -> None:
    assert version_warning("0.1.9", "0.1.0") is None
    assert version_warning("0.2.0", "0.1.3") == (
        "The service has version 0.2.0, and this client 0.1.3, so some calls may fail: install "
        "version 0.2 of dataset-media-service."
    )
    assert version_warning("1.9.0", "2.1.0") == (
        "The service has version 1.9.0, and this client 2.1.0, so some calls may fail: update the "
        "service to 2.1, or install version 1.9 of dataset-media-service."
    )
    for said in (None, "next"):
        assert str(version_warning(said)).startswith("The server does not say which version")


def test_async_has_the_same() -> None:
    async def run() -> None:
        answer, asked = answers(
            httpx.Response(503, headers={"Retry-After": "2"}), httpx.Response(200, json=[])
        )
        http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        client = AsyncClient(
            URL, http=http, api_key="key", api_secret="secret", check_version=False
        )
        async with client:
            assert await client.datasets() == []
        answer, asked = answers(httpx.Response(200, text=event(1)), httpx.Response(401))
        http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        async with AsyncClient(URL, http=http, check_version=False) as client:
            stream = client.stream()
            assert (await anext(stream)).id == "n1"
            with pytest.raises(Unauthorized):
                await anext(stream)
        assert len(asked) > 1

    asyncio.run(run())


def test_waiting_has_an_end() -> None:
    running = {
        "task_id": "t",
        "dataset_id": "d",
        "dataset_name": "n",
        "task_type": "DATASET_CREATION",
        "status": "RUNNING",
    }

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(200, json={"dataset_id": "d"})
        return httpx.Response(200, json={"tasks": [running]})

    task = client_of(answer).create_dataset("n", "s3://bucket/folder")
    with pytest.raises(WaitTimeout):
        task.wait(timeout=0)


def test_forms_can_be_sent_again(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"content")
    form = Multipart(
        {"name": "ü"},
        [FilePart("files", "a.png", tmp_path / "a.png"), FilePart("files", 'q"ü.png', b"other")],
    )
    sent = b"".join(form.chunks())
    assert sent == b"".join(form.chunks())
    assert len(sent) == form.size == int(form.headers["Content-Length"])
    assert b'filename="a.png"\r\n' in sent
    assert b"filename*=utf-8''q%22%C3%BC.png\r\n" in sent
    (tmp_path / "a.png").write_bytes(b"con")
    with pytest.raises(OSError, match="changed while it was sent"):
        b"".join(form.chunks())


def test_the_journal_survives_half_a_line(tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "c/d.JPG", "e.txt", ".hidden.png", "c/annotations.json"):
        (tmp_path / "files" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "files" / name).write_bytes(b"1")
    found = files_below(tmp_path / "files")
    assert [each.name for each in found.files] == ["a.png", "b.png", "c/d.JPG"]
    assert found.skipped == ["c/annotations.json", "e.txt"]
    journal = Journal(tmp_path / "state" / "journal")
    journal.begin(transaction=7)
    journal.sent(found.files[:1])
    journal.close()
    with open(journal.path, "a") as file:
        file.write('{"sent": [["b.png"')
    again = Journal.read(journal.path)
    assert again.header == {"transaction": 7}
    assert [each in again for each in found.files] == [True, False, False]
    again.sent(found.files[1:2])
    again.close()
    assert len(Journal.read(journal.path)) == 2
    (tmp_path / "files" / "a.png").write_bytes(b"22")
    assert files_below(tmp_path / "files").files[0] not in Journal.read(journal.path)
    again.remove()
    assert len(Journal.read(journal.path)) == 0
    sizes = [len(batch) for batch in in_batches(found.files, 2, 100)]
    assert sizes == [2, 1]
    assert [len(batch) for batch in in_batches(found.files, 9, 1)] == [1, 1, 1]


def test_progress_writes_over_one_line() -> None:
    stream = io.StringIO()
    progress = TextProgress(stream)
    progress.show("Create", 50, "a longer message")
    progress.show("Create", 100, "done")
    progress.close()
    first, second = stream.getvalue().split("\r")[1:]
    assert len(first) == len(second.rstrip("\n"))
    assert "100 %" in second
    assert second.endswith("\n")
