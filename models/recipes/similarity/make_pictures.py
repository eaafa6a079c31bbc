"""Generates the training pictures: random families, and some pictures of each.

    python make_pictures.py SEED FAMILIES OUT.npy [--pictures 6]

OUT.npy is an array of bytes, families x pictures x 160 x 160 x 3. The same arguments make the same bytes.
"""

import argparse

import numpy as np

from drawn_families import SIDE, Drawing
from shaded_families import Shaded

DRAWINGS = 0.6
CALM = 6


def family(seed, number, pictures):
    """Replaces families that are nearly of one colour."""
    for attempt in range(9):
        lot = np.random.default_rng([seed, number, attempt])
        made = Drawing(lot) if lot.random() < DRAWINGS else Shaded(lot)
        images = np.stack([made.picture(np.random.default_rng([seed, number, attempt, nth])) for nth in range(pictures)])
        if images.std(axis=(1, 2)).mean() > CALM:
            break
    return images


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('seed', type=int)
    arguments.add_argument('families', type=int)
    arguments.add_argument('out')
    arguments.add_argument('--pictures', type=int, default=6)
    chosen = arguments.parse_args()
    shape = (chosen.families, chosen.pictures, SIDE, SIDE, 3)
    out = np.lib.format.open_memmap(chosen.out, mode='w+', dtype=np.uint8, shape=shape)
    for number in range(chosen.families):
        out[number] = family(chosen.seed, number, chosen.pictures)
        if (number + 1) % 100 == 0:
            print(number + 1, flush=True)
    out.flush()


if __name__ == '__main__':
    main()
