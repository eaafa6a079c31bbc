"""Requests with tokens, retries and errors."""

from __future__ import annotations

import asyncio
import random
import warnings
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx

from .._multipart import Multipart
from .._version import __version__
from .._versions import VERSION_HEADER, VersionWarning, version_warning
from ..auth import ApiKey
from ..errors import (
    ApiError,
    ConnectionFailed,
    RateLimited,
    Unavailable,
    UnexpectedAnswer,
    error_of,
)

IDEMPOTENT_METHODS = frozenset({"GET", "PUT", "DELETE", "HEAD"})
_LONGEST_PAUSE = 60.0


def _seconds_of(header: str | None) -> float | None:
    return float(header) if header is not None and header.strip().isdigit() else None


class AsyncTransport:
    def __init__(
        self,
        base_url: str,
        *,
        auth: ApiKey | None,
        timeout: float,
        retries: int,
        check_version: bool,
        http: httpx.AsyncClient | None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._auth = auth
        self._retries = retries
        self._is_checked = not check_version
        self._is_own = http is None
        self._http = http or httpx.AsyncClient(timeout=timeout)

    async def close(self) -> None:
        if self._is_own:
            await self._http.aclose()

    async def json(self, method: str, path: str, **options: Any) -> Any:
        answer = await self.request(method, path, **options)
        try:
            return answer.json()
        except ValueError as error:
            raise UnexpectedAnswer(f"{method} {path} did not return JSON") from error

    async def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        form: Multipart | None = None,
        idempotent: bool | None = None,
        timeout: float | None = None,
    ) -> httpx.Response:
        """Retries a request if it cannot take effect twice.

        Rate limits and refused connections are always retried, because nothing was done yet; 503
        and lost connections only for idempotent requests.
        """
        again = method in IDEMPOTENT_METHODS if idempotent is None else idempotent
        renewed = False
        attempt = 0
        while True:
            try:
                answer = await self._once(method, path, params, json, form, timeout)
                if answer.status_code < 400:
                    return answer
                raise self._error_of(answer, method, path)
            except ApiError as error:
                if error.status == 401 and self._auth is not None and not renewed:
                    # The clock of this machine may be wrong, or the key may have been replaced.
                    self.renew()
                    renewed = True
                    continue
                busy = isinstance(error, RateLimited) or (again and isinstance(error, Unavailable))
                if not busy or attempt >= self._retries:
                    raise
                pause = error.retry_after
            except httpx.TransportError as error:
                if attempt >= self._retries or not (again or isinstance(error, httpx.ConnectError)):
                    reason = str(error) or type(error).__name__
                    raise ConnectionFailed(
                        f"{method} {self.base_url}{path} failed: {reason}"
                    ) from error
                pause = None
            await self.sleep_before(attempt, pause)
            attempt += 1

    @staticmethod
    def pause_before(attempt: int, told: float | None) -> float:
        """The delay that the service asked for, or twice the last one, with random jitter."""
        least = told if told is not None else min(0.25 * 2.0**attempt, 15.0)
        return min(least, _LONGEST_PAUSE) * (1 + random.random() * 0.2)

    async def sleep_before(self, attempt: int, told: float | None) -> None:
        await asyncio.sleep(self.pause_before(attempt, told))

    def renew(self) -> None:
        """Discards the token, so that the next request uses a new one."""
        if self._auth is not None:
            self._auth.forget()

    def headers(self) -> dict[str, str]:
        found = {"User-Agent": f"dataset-media-service-python/{__version__}"}
        if self._auth is not None:
            found["Authorization"] = f"Bearer {self._auth.token()}"
        return found

    async def _once(
        self,
        method: str,
        path: str,
        params: Mapping[str, Any] | None,
        json: Any,
        form: Multipart | None,
        timeout: float | None,
    ) -> httpx.Response:
        options: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
        headers = self.headers()
        if form is not None:
            headers.update(form.headers)
            options["content"] = form.async_chunks()
        elif json is not None:
            options["json"] = json
        answer = await self._http.request(
            method,
            f"{self.base_url}{path}",
            params=None if params is None else {k: v for k, v in params.items() if v is not None},
            headers=headers,
            **options,
        )
        self._check_version(answer)
        return answer

    def _check_version(self, answer: httpx.Response) -> None:
        """Checks only once. Other error responses may come from a proxy."""
        if self._is_checked or not (answer.is_success or answer.status_code == 401):
            return
        self._is_checked = True
        warning = version_warning(answer.headers.get(VERSION_HEADER))
        if warning is not None:
            warnings.warn(warning, VersionWarning, stacklevel=2)

    def _error_of(self, answer: httpx.Response, method: str, path: str) -> ApiError:
        try:
            body = answer.json()
        except ValueError:
            body = answer.text
        return error_of(
            answer.status_code,
            body,
            method=method,
            path=path,
            request_id=answer.headers.get("x-request-id"),
            retry_after=_seconds_of(answer.headers.get("retry-after")),
        )

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        address: str,
        *,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: httpx.Timeout | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """A streamed response. Signed addresses are requested without a token."""
        is_own = address.startswith("/")
        options: dict[str, Any] = {} if timeout is None else {"timeout": timeout}
        async with self._http.stream(
            method,
            f"{self.base_url}{address}" if is_own else address,
            params=params,
            headers={**(self.headers() if is_own else {}), **(headers or {})},
            follow_redirects=not is_own,
            **options,
        ) as answer:
            if answer.status_code >= 400:
                await answer.aread()
                raise self._error_of(answer, method, address.split("?")[0])
            if is_own:
                self._check_version(answer)
            yield answer
