"""Learns how the built-in vector and the learned one become one vector of 192 numbers.

    python project.py RUN PICTURES.npy ...

The projection plays down what views of a picture and, more so, pictures of one family differ in, and keeps what tells pictures apart.
Every file of pictures counts alike, whatever its size. Writes RUN/projection.npz. Seed 2, whichever was that of the training.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from fixed_filters import FixedFilters
from network import Learned
from views import SIDE, Views

SEED = 2
FAMILIES, PICTURES, VIEWS = 500, 3, 2
WITHIN_FAMILY, RIDGE = 6.0, 0.1
# The weight of the unchanged built-in vector relative to the projection.
AS_IT_IS = 0.3
DIMENSION = 192
AT_ONCE = 96


def described(images, fixed, network):
    parts = []
    for start in range(0, len(images), AT_ONCE):
        some = images[start : start + AT_ONCE]
        vectors, even = fixed.of(some)
        with torch.no_grad():
            learned = network(torch.from_numpy(some), torch.from_numpy(even)).numpy()
        parts.append(np.concatenate([vectors, learned], 1))
    return np.concatenate(parts)


def plain(pictures):
    values = torch.from_numpy(pictures).permute(0, 3, 1, 2).float()
    return F.interpolate(values, size=SIDE, mode='area').round().byte().permute(0, 2, 3, 1).numpy()


def described_set(path, lot, views, fixed, network):
    """The features of pictures of the same family, family by family: of each picture itself and of its views."""
    pictures = np.load(path, mmap_mode='r')
    rows = []
    for family in np.sort(lot.choice(len(pictures), min(FAMILIES, len(pictures)), replace=False)):
        some = np.array(pictures[family][:PICTURES])
        versions = [plain(some), *(views.of(some) for _ in range(VIEWS))]
        rows.append(np.stack(versions, 1).reshape(-1, SIDE, SIDE, 3))
    return described(np.concatenate(rows), fixed, network)


def scatters(rows):
    """Scatter matrices of views around their picture, of pictures around their family, and of all pictures."""
    width = rows.shape[1]
    versions = rows.reshape(-1, 1 + VIEWS, width)
    pictures = versions.mean(1)
    families = pictures.reshape(-1, PICTURES, width)
    of_views = (versions - versions[:, :1]).reshape(-1, width) / np.sqrt(2 * VIEWS)
    of_families = (families - families.mean(1, keepdims=True)).reshape(-1, width)
    of_all = pictures - pictures.mean(0)
    return [part.T @ part / len(pictures) for part in (of_views, of_families, of_all)]


def discriminant(sets, scale):
    of_views, of_families, of_all = np.mean([scatters(rows * scale) for rows in sets], 0)
    scatter = of_views + WITHIN_FAMILY * of_families
    scatter += RIDGE * np.trace(scatter) / len(scatter) * np.eye(len(scatter))
    values, axes = np.linalg.eigh(scatter)
    whiten = axes / np.sqrt(values)
    values, axes = np.linalg.eigh(whiten.T @ of_all @ whiten)
    return scale[:, None] * (whiten @ axes[:, np.argsort(-values)[:DIMENSION]])


def learn(sets):
    """Returns the weights of: vector = parts @ weights - offset."""
    mean = np.mean([rows.mean(0) for rows in sets], 0)
    fixed = np.arange(len(mean)) < DIMENSION
    spread = np.mean([rows.var(0) for rows in sets], 0)
    scale = np.where(fixed, spread[fixed].sum() ** -0.5, spread[~fixed].sum() ** -0.5)
    found = discriminant(sets, scale)
    offset = mean @ found
    size = np.sqrt(np.mean([((rows @ found - offset) ** 2).sum(1).mean() for rows in sets]))
    weights = np.concatenate([found / size, np.eye(len(mean))[:, fixed] * AS_IT_IS**0.5], 1)
    offset = np.concatenate([offset / size, np.zeros(DIMENSION)])
    scatter = sum((rows @ weights - offset).T @ (rows @ weights - offset) / len(rows) for rows in sets)
    axes = np.linalg.eigh(scatter)[1][:, ::-1][:, :DIMENSION]
    return weights @ axes, offset @ axes


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('run', type=Path)
    arguments.add_argument('pictures', nargs='+')
    chosen = arguments.parse_args()
    torch.set_num_threads(1)
    fixed = FixedFilters()
    network = Learned(fixed.width).eval()
    network.load_state_dict(torch.load(chosen.run / 'learned.pt'))
    lot, views = np.random.default_rng(SEED), Views(SEED)
    sets = [described_set(path, lot, views, fixed, network).astype(np.float64) for path in chosen.pictures]
    weights, offset = learn(sets)
    np.savez(chosen.run / 'projection.npz', weights=weights, offset=offset)


if __name__ == '__main__':
    main()
