"""Random ranges, colours and palettes for the families."""

import colorsys

import numpy as np

PAINTS = np.array([0.0, 0.04, 0.09, 0.14, 0.3, 0.38, 0.48, 0.58, 0.66, 0.77, 0.9])


class Range:
    """A family uses a random part of the whole range; each of its pictures uses a value of that part."""

    def __init__(self, lot, low, high, width=0.4):
        length = (high - low) * width * lot.uniform(0.3, 1)
        self.low = lot.uniform(low, high - length)
        self.high = self.low + length

    def value(self, lot):
        return lot.uniform(self.low, self.high)

    def count(self, lot):
        return max(1, round(self.value(lot)))


def rgb(hue, saturation, lightness):
    red, green, blue = colorsys.hls_to_rgb(hue % 1, float(np.clip(lightness, 0, 1)), float(np.clip(saturation, 0, 1)))
    return tuple(round(255 * value) for value in (red, green, blue))


class Paint:
    """A colour of a family: nearly the same in all pictures, one of a few, or random."""

    def __init__(self, lot, palette):
        self.kind = lot.choice(['one', 'few', 'any'], p=[0.6, 0.28, 0.12])
        grey = lot.random() < 0.15
        hue = lot.choice(palette)
        self.hues = [hue] if self.kind == 'one' else list(lot.choice(PAINTS, 4, replace=False))
        self.hue_spread = lot.uniform(0.005, 0.05)
        self.saturation = Range(lot, 0, 0.08) if grey else Range(lot, 0.2, 1, 0.3)
        self.lightness = Range(lot, 0.08, 0.95, 0.25)

    def colour(self, lot):
        hue = lot.random() if self.kind == 'any' else lot.choice(self.hues) + lot.uniform(-1, 1) * self.hue_spread
        return rgb(hue, self.saturation.value(lot), self.lightness.value(lot))


def shaded(colour, by):
    return tuple(int(np.clip(value + by, 0, 255)) for value in colour)


def noise(lot, side, octaves, first=2, fall=0.5, stretch=1):
    """Fractal noise from 0 to 1."""
    total = np.zeros((side, side), np.float32)
    for octave in range(octaves):
        rows = max(2, first * 2**octave)
        columns = max(2, round(rows / stretch))
        if rows > side:
            break
        total += fall**octave * enlarged(lot.random((rows + 1, columns + 1), dtype=np.float32), side)
    total -= total.min()
    return total / max(1e-6, total.max())


def enlarged(grid, side):
    for axis in (0, 1):
        at = np.linspace(0, grid.shape[axis] - 1 - 1e-4, side)
        first, share = at.astype(int), (at % 1).astype(np.float32)
        share = share * share * (3 - 2 * share)
        share = share[:, None] if axis == 0 else share
        grid = grid.take(first, axis) * (1 - share) + grid.take(first + 1, axis) * share
    return grid
