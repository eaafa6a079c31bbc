"""Runs calls concurrently: with asyncio here, with threads in the synchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


async def in_parallel(
    run: Callable[[A], Awaitable[B]], items: Iterable[A], at_once: int
) -> AsyncIterator[tuple[A, B]]:
    """Yields results as they complete. Takes at most `at_once` items at a time, and stops at
    the first error."""
    running: dict[asyncio.Future[B], A] = {}
    waiting = iter(items)
    try:
        while True:
            while len(running) < at_once:
                item = next(waiting, None)
                if item is None:
                    break
                running[asyncio.ensure_future(run(item))] = item
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                yield running.pop(each), each.result()
    finally:
        for each in running:
            each.cancel()
        if running:
            await asyncio.gather(*running, return_exceptions=True)
