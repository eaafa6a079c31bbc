"""Progress output: a line of plain text, or an output that notebooks replace."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol, Union


class Progress(Protocol):
    def show(self, title: str, percent: float | None, message: str) -> None: ...

    def close(self) -> None: ...


ShownAs = Union[bool, Progress, Callable[[str, Union[float, None], str], None], None]
_WIDTH = 24


def _line(title: str, percent: float | None, message: str, seconds: float) -> str:
    shown = 0 if percent is None else max(0, min(100, int(percent)))
    bar = ("█" * (shown * _WIDTH // 100)).ljust(_WIDTH, "░")
    return f"{title} {bar} {shown:3d} % {seconds:.0f} s  {message}".rstrip()


class NoProgress:
    def show(self, title: str, percent: float | None, message: str) -> None:
        pass

    def close(self) -> None:
        pass


class CalledProgress:
    """Calls a function with title, percent and message."""

    def __init__(self, call: Callable[[str, float | None, str], None]) -> None:
        self._call = call

    def show(self, title: str, percent: float | None, message: str) -> None:
        self._call(title, percent, message)

    def close(self) -> None:
        pass


class TextProgress:
    """One line that is overwritten."""

    def __init__(self, stream: Any = None) -> None:
        self._stream = stream or sys.stderr
        self._started = time.monotonic()
        self._last = ""

    def show(self, title: str, percent: float | None, message: str) -> None:
        line = _line(title, percent, message, time.monotonic() - self._started)
        if line != self._last:
            self._stream.write(f"\r{line.ljust(len(self._last))}")
            self._stream.flush()
            self._last = line

    def close(self) -> None:
        if self._last:
            self._stream.write("\n")
            self._stream.flush()
            self._last = ""


class NotebookProgress:
    """One cell output that is replaced."""

    def __init__(self, display: Any, as_html: Any) -> None:
        self._display = display
        self._as_html = as_html
        self._handle: Any = None
        self._started = time.monotonic()
        self._last = ""

    def show(self, title: str, percent: float | None, message: str) -> None:
        text = f"{title} {message}".strip()
        value = 0 if percent is None else max(0, min(100, int(percent)))
        shown = (
            f'<progress max="100" value="{value}" style="width:16em;vertical-align:middle">'
            f"</progress> {value} % {html.escape(text)}"
        )
        if shown == self._last:
            return
        self._last = shown
        if self._handle is None:
            self._handle = self._display(self._as_html(shown), display_id=True)
        else:
            self._handle.update(self._as_html(shown))

    def close(self) -> None:
        pass


def _notebook() -> NotebookProgress | None:
    """The display of a running kernel. Imports nothing that is not imported yet."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if ipython is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display

    return NotebookProgress(display, HTML)


def progress_of(shown_as: ShownAs) -> Progress:
    """`None` shows progress in notebooks and terminals."""
    if shown_as is False:
        return NoProgress()
    if shown_as is None or shown_as is True:
        notebook = _notebook()
        if notebook is not None:
            return notebook
        return TextProgress() if shown_as or sys.stderr.isatty() else NoProgress()
    return CalledProgress(shown_as) if callable(shown_as) else shown_as
