"""Reads the output of make-data.ts and makes batches of it."""

import json
import random

import numpy
import torch

from world_model import CELLS, SIDE

MOST_SHIFT = 6


def read(folder, kind):
    pictures, truths = [], []
    for path in sorted(folder.glob(f'{kind}-*.jsonl')):
        own = [json.loads(line) for line in path.read_text().splitlines()]
        packed = numpy.fromfile(path.with_suffix('.bin'), numpy.uint8)
        # The last shard may be incomplete while make-data.ts runs.
        if len(own) == 0 or packed.size != len(own) * SIDE * SIDE * 3:
            continue
        pictures.append(packed.reshape(-1, SIDE, SIDE, 3))
        truths += own
    return numpy.concatenate(pictures), truths


def as_input(pictures):
    """Converts uint8 of [n, side, side, 3] to model inputs."""
    return (pictures.permute(0, 3, 1, 2).float() / 127.5 - 1).contiguous(memory_format=torch.channels_last)


def varied(pictures, generator):
    """Changes light, contrast, colour and grain, and shifts all pictures equally. Also returns the shift as
    fractions."""
    count = len(pictures)
    values = as_input(pictures)

    def lot(*shape):
        return torch.rand(*shape, generator=generator)

    values = values * (0.8 + 0.4 * lot(count, 1, 1, 1)) + 0.2 * (lot(count, 1, 1, 1) - 0.5) + 0.06 * (lot(count, 3, 1, 1) - 0.5)
    noise = torch.randn(values.shape, generator=generator).contiguous(memory_format=torch.channels_last)
    values = (values + noise * (0.06 * lot(count, 1, 1, 1))).clamp_(-1, 1)
    across, down = (int(torch.randint(-MOST_SHIFT, MOST_SHIFT + 1, (1,), generator=generator)) for _ in range(2))
    padded = torch.nn.functional.pad(values, [MOST_SHIFT] * 4, mode='replicate')
    moved = padded[:, :, MOST_SHIFT - down : MOST_SHIFT - down + SIDE, MOST_SHIFT - across : MOST_SHIFT - across + SIDE]
    return moved.contiguous(memory_format=torch.channels_last), across / SIDE, down / SIDE


def object_targets(truths, kinds, across, down):
    """The target scores of each cell and kind, and the cells (picture, y, x) whose boxes are learned, with these
    boxes."""
    heat = numpy.zeros((len(truths), len(kinds), CELLS, CELLS), numpy.float32)
    cells, boxes = [], []
    ys, xs = numpy.mgrid[0:CELLS, 0:CELLS] + 0.5
    for at, truth in enumerate(truths):
        for each in truth['boxes']:
            left, top, right, bottom = (min(1.0, max(0.0, edge + by)) for edge, by in zip(each['box'], (across, down, across, down)))
            if right - left < 0.02 or bottom - top < 0.02:
                continue
            x, y = (left + right) / 2 * CELLS, (top + bottom) / 2 * CELLS
            column, row = min(CELLS - 1, int(x)), min(CELLS - 1, int(y))
            spread_x, spread_y = (max(0.5, (high - low) * CELLS / 8) for low, high in ((left, right), (top, bottom)))
            bump = numpy.exp(-((xs - column - 0.5) ** 2) / (2 * spread_x**2) - ((ys - row - 0.5) ** 2) / (2 * spread_y**2))
            own = heat[at, kinds[each['label']]]
            numpy.maximum(own, bump, out=own)
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    near_x, near_y = column + dx, row + dy
                    inside = 0 <= near_x < CELLS and 0 <= near_y < CELLS
                    if (dx, dy) == (0, 0) or inside and bump[near_y, near_x] > 0.6:
                        cells.append((at, near_y, near_x))
                        boxes.append((left, top, right, bottom))
    return torch.from_numpy(heat), torch.tensor(cells).reshape(-1, 3), torch.tensor(boxes).reshape(-1, 4)


def chosen_texts(truths, lot: random.Random):
    """The caption and one shorter text of each picture."""
    return [truth['texts'][0] for truth in truths] + [lot.choice(truth['texts'][1:]) for truth in truths]


def matches(texts, truths):
    facts = [frozenset(truth['facts']) for truth in truths]
    return torch.tensor([[wanted <= own for own in facts] for wanted in (frozenset(text['facts']) for text in texts)], dtype=torch.float32)
