"""Several at once, with threads. The only file of this folder that is written by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def in_parallel(run: Callable[[A], B], items: Iterable[A], at_once: int) -> Iterator[tuple[A, B]]:
    """Results as they come. No more than `at_once` items are taken; the first error ends it."""
    running: dict[Future[B], A] = {}
    waiting = iter(items)
    pool = ThreadPoolExecutor(at_once)
    try:
        while True:
            while len(running) < at_once:
                item = next(waiting, None)
                if item is None:
                    break
                running[pool.submit(run, item)] = item
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                yield running.pop(each), each.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
