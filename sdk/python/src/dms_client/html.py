"""Pictures in notebooks. Small pictures are embedded in the page, so that they remain visible
without the service."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx

from ._annotations import Annotation
from ._shapes import COLOURS, shapes_svg
from .models import Cluster, DatasetInfo, Medium

MOST_PICTURES = 24
MOST_BYTES = 200_000
_SECONDS = 10.0

_FRAME = 'style="display:inline-block;margin:2px 6px 6px 2px;vertical-align:top;width:140px"'
_PICTURE = 'style="max-width:136px;max-height:136px;display:block"'
_DRAWN = 'style="position:relative;display:inline-block"'
_DRAWING = 'style="position:absolute;inset:0;width:100%;height:100%" preserveAspectRatio="none"'
_TEXT = 'style="font-size:11px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap"'


def _data_uri(http: httpx.Client, address: str) -> str | None:
    """None if the picture cannot be loaded or is too large to embed."""
    try:
        with http.stream("GET", address) as answer:
            kind = answer.headers.get("content-type", "")
            if answer.status_code != 200 or not kind.startswith("image/"):
                return None
            read = bytearray()
            for chunk in answer.iter_bytes():
                read += chunk
                if len(read) > MOST_BYTES:
                    return None
    except httpx.HTTPError:
        return None
    return f"data:{html.escape(kind)};base64,{base64.b64encode(read).decode('ascii')}"


def _pictures(addresses: Sequence[str]) -> list[str | None]:
    with (
        httpx.Client(timeout=_SECONDS, follow_redirects=True) as http,
        ThreadPoolExecutor(8) as pool,
    ):
        return list(pool.map(lambda address: _data_uri(http, address), addresses))


def _figure(picture: str | None, lines: Sequence[str], drawing: str = "") -> str:
    shown = f'<img src="{picture}" {_PICTURE}>' if picture else "<em>no picture</em>"
    if drawing and picture:
        shown = f"<div {_DRAWN}>{shown}{drawing}</div>"
    texts = "".join(
        f'<div {_TEXT} title="{html.escape(line)}">{html.escape(line)}</div>'
        for line in lines
        if line
    )
    return f"<div {_FRAME}>{shown}{texts}</div>"


def media_html(media: Sequence[Medium], more: int = 0) -> str:
    shown = media[:MOST_PICTURES]
    pictures = _pictures([each.media_thumb_uri for each in shown])
    figures = [
        _figure(picture, [each.file_name, each.caption or "", ", ".join(each.labels or {})])
        for each, picture in zip(shown, pictures, strict=True)
    ]
    more += len(media) - len(shown)
    return f"<div>{''.join(figures)}{f'<div>and {more} more</div>' if more else ''}</div>"


def annotations_html(media: Sequence[Medium], said: Sequence[Annotation], total: int) -> str:
    """Pictures with the shapes of their annotations, each source in a colour of its own."""
    sources = list(dict.fromkeys(each["source"] for each in said))
    colours = {name: COLOURS[at % len(COLOURS)] for at, name in enumerate(sources)}
    own: dict[str, list[Annotation]] = {}
    for each in said:
        own.setdefault(each["media_id"], []).append(each)
    pictures = _pictures([each.media_thumb_uri for each in media])
    figures = [
        _figure(
            picture,
            [each.file_name, ", ".join(dict.fromkeys(one["label"] for one in own[each.media_id]))],
            f'<svg viewBox="0 0 {each.width} {each.height}" {_DRAWING}>'
            f"{shapes_svg(own[each.media_id], colours, each.width, each.height)}</svg>",
        )
        for each, picture in zip(media, pictures, strict=True)
    ]
    legend = ", ".join(
        f'<span style="border-bottom:3px solid {colour}">{html.escape(name)}</span>'
        for name, colour in colours.items()
    )
    head = f"{total} annotations{f' of {legend}' if legend else ''}, {len(media)} pictures shown"
    return f"<div><div>{head}</div>{''.join(figures)}</div>"


def medium_html(medium: Medium) -> str:
    return media_html([medium])


def clusters_html(clusters: Sequence[Cluster], page: int, pages: int) -> str:
    shown = [each for each in clusters if each.previews][:MOST_PICTURES]
    firsts = [each.previews[0] for each in shown]
    pictures = _pictures([each.media_thumb_uri for each in firsts])
    figures = [
        _figure(picture, [f"{len(each)} media", ", ".join(each.labels or {}), first.file_name])
        for each, first, picture in zip(shown, firsts, pictures, strict=True)
    ]
    more = len(clusters) - len(shown)
    head = f"page {page + 1} of {pages}, {len(clusters)} clusters"
    if more:
        head += f", {more} of them not shown"
    return f"<div><div>{head}</div>{''.join(figures)}</div>"


def dataset_html(info: DatasetInfo, clusters: Sequence[Cluster]) -> str:
    counts = f"{info.n_images} images, {info.n_videos} videos, {info.n_objects} objects"
    head = f"<b>{html.escape(info.display_name)}</b> {html.escape(info.status_new)}: {counts}"
    if info.fatal_error_msg:
        head += f"<br>{html.escape(info.fatal_error_msg)}"
    if not clusters:
        return f"<div>{head}</div>"
    return f"<div>{head}{clusters_html(clusters[:12], 0, 1)}</div>"
