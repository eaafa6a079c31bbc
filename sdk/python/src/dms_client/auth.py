"""Tokens from an API key and its secret (JWT, HS256)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable


def _part(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode("ascii")


def make_token(api_key: str, api_secret: str, *, issued_at: int, lifetime: int) -> str:
    """A JWT in the format of the service: `kid` and `sub` are the key, `iss` is `sdk`."""
    header = {"alg": "HS256", "typ": "JWT", "kid": api_key}
    claims = {"sub": api_key, "iat": issued_at, "exp": issued_at + lifetime, "iss": "sdk"}
    parts = [_part(json.dumps(each, separators=(",", ":")).encode()) for each in (header, claims)]
    signed = ".".join(parts)
    digest = hmac.new(api_secret.encode(), signed.encode("ascii"), hashlib.sha256).digest()
    return f"{signed}.{_part(digest)}"


class ApiKey:
    """Creates tokens from a key and its secret, and renews them before they expire."""

    def __init__(
        self,
        api_key: str,
        api_secret: str,
        *,
        lifetime: int = 600,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not api_key or not api_secret:
            raise ValueError("An API key and its secret are both required.")
        if lifetime < 30:
            raise ValueError(f"A lifetime of {lifetime} seconds is too short. Use at least 30.")
        self._key = api_key
        self._secret = api_secret
        self._lifetime = lifetime
        self._clock = clock
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def token(self) -> str:
        with self._lock:
            now = self._clock()
            if now >= self._renew_at:
                self._token = make_token(
                    self._key, self._secret, issued_at=int(now), lifetime=self._lifetime
                )
                self._renew_at = now + self._lifetime * 0.8
            return self._token

    def forget(self) -> None:
        """Discards the token after it was refused, so that the next one is new."""
        with self._lock:
            self._renew_at = 0.0

    def __repr__(self) -> str:
        return f"ApiKey({self._key!r})"
