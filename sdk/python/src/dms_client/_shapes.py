"""Shapes of annotations as SVG, in pixels of their picture."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._annotations import Annotation
from ._coco import runs_of

COLOURS = ("#ffd60a", "#32d4ff", "#ff4fa3", "#38d66b", "#ff8a1f", "#b38bff", "#ff5a4d", "#c6f135")
#: A drawing is part of the notebook.
MOST_SHAPES = 200
MOST_CHARACTERS = 20_000


def shapes_svg(
    said: Sequence[Annotation], colours: Mapping[str, str], width: int, height: int
) -> str:
    return "".join(
        f'<g stroke="{colours[each["source"]]}" fill="none"><title>{html.escape(each["label"])}'
        f"</title>{_drawn(each['shape'], colours[each['source']], width, height)}</g>"
        for each in said[:MOST_SHAPES]
        if each["shape"] is not None
    )


def _drawn(shape: Mapping[str, Any], colour: str, width: int, height: int) -> str:
    if shape["type"] == "box":
        x, y, across, down = (shape[name] for name in ("x", "y", "width", "height"))
        turn = f"{shape.get('rotation', 0)} {x + across / 2} {y + down / 2}"
        return (
            f'<rect x="{x}" y="{y}" width="{across}" height="{down}" transform="rotate({turn})" '
            'stroke-width="2" vector-effect="non-scaling-stroke"/>'
        )
    if shape["type"] == "polygon":
        path = "".join(f"M{' '.join(map(str, ring))}Z" for ring in shape["rings"])
        return (
            f'<path d="{path}" fill="{colour}" fill-opacity="0.2" fill-rule="evenodd" '
            'stroke-width="2" vector-effect="non-scaling-stroke"/>'
        )
    if shape["type"] == "keypoints":
        points = shape["points"]
        dots = "".join(
            f"M{points[at]} {points[at + 1]}h0"
            for at in range(0, len(points), 3)
            if points[at + 2] > 0
        )
        return (
            f'<path d="{dots}" stroke-width="6" stroke-linecap="round" '
            'vector-effect="non-scaling-stroke"/>'
        )
    if len(shape["counts"]) > MOST_CHARACTERS:
        return ""
    scale = f'transform="scale({width / shape["width"]} {height / shape["height"]})"'
    path = "".join(_columns(shape["counts"], shape["height"]))
    return f'<path d="{path}" fill="{colour}" fill-opacity="0.5" stroke="none" {scale}/>'


def _columns(counts: str, height: int) -> Iterator[str]:
    """What a mask fills: the rest of a column, whole columns, the beginning of another one."""
    start = 0
    for at, run in enumerate(runs_of(counts)):
        end = start + run
        if at % 2 == 1:
            whole, last = -(-start // height) * height, end // height * height
            parts = [(start, end)] if whole > last else [(start, whole), (whole, last), (last, end)]
            for begin, stop in parts:
                if stop > begin:
                    columns = (stop - begin) // height or 1
                    down = (stop - begin) // columns
                    yield f"M{begin // height} {begin % height}h{columns}v{down}h-{columns}z"
        start = end
