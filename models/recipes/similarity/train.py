"""Trains the learned part of the model by contrastive learning, without labels.

    python train.py RUN PICTURES.npy ... --minutes 45

Two views of a picture are to be nearer to each other than to any other picture, and two pictures of one family, drawn by the same
program with other numbers, nearer than those of others. Writes RUN/learned.pt: weights averaged over the last steps.
"""

import argparse
import copy
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from fixed_filters import FixedFilters
from network import Learned
from views import Views

FAMILIES, PICTURES = 24, 2
WARM_UP = 100
FIXED_SHARE = 0.5
EACH_SAVED = 100


def contrast(similarities, positive, negative, warmth):
    """Compares each positive pair with the negative pairs of its own row and of all rows, so that one threshold
    fits all."""
    logits = similarities / warmth
    others = logits.masked_fill(~negative, -1e9).logsumexp(1, keepdim=True)
    everywhere = others.logsumexp(0, keepdim=True) - math.log(len(logits))
    return (F.softplus(others - logits) + F.softplus(everywhere - logits))[positive].mean() / 2


def relations():
    """Which views of a batch show the same picture, other pictures of the same family, and pictures of other
    families."""
    picture = torch.arange(FAMILIES * PICTURES).repeat(2)
    family = picture // PICTURES
    itself = torch.eye(len(picture), dtype=torch.bool)
    same = (picture[:, None] == picture[None]) & ~itself
    kin = family[:, None] == family[None]
    return same, kin & ~same & ~itself, ~kin


class Batches:
    def __init__(self, paths, seed):
        self.sets = [np.load(path, mmap_mode='r') for path in paths]
        self.families = [(part, family) for part in self.sets for family in range(len(part))]
        self.lot, self.views = np.random.default_rng(seed), Views(seed)

    def next(self):
        chosen = []
        for at in self.lot.choice(len(self.families), FAMILIES, replace=False):
            part, family = self.families[at]
            chosen.append(part[family][self.lot.choice(part.shape[1], PICTURES, replace=False)])
        chosen = np.concatenate(chosen)
        return np.concatenate([self.views.of(chosen), self.views.of(chosen)])


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('run', type=Path)
    arguments.add_argument('pictures', nargs='+')
    arguments.add_argument('--minutes', type=float, default=45)
    arguments.add_argument('--rate', type=float, default=2e-3)
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--threads', type=int, default=1)
    chosen = arguments.parse_args()
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    chosen.run.mkdir(parents=True, exist_ok=True)
    train(chosen)


def train(chosen):
    batches, fixed = Batches(chosen.pictures, chosen.seed), FixedFilters()
    network = Learned(fixed.width)
    even = np.concatenate([fixed.of(batches.next())[1] for _ in range(8)])
    network.middle.copy_(torch.from_numpy(even.mean(0)))
    network.spread.copy_(torch.from_numpy(even.std(0) + 1e-3))
    averaged = copy.deepcopy(network).eval()
    optimizer = torch.optim.AdamW(network.parameters(), chosen.rate, weight_decay=0.02)
    same, related, foreign = relations()
    start, step, shown = time.monotonic(), 0, np.zeros(3)
    while (done := (time.monotonic() - start) / 60 / chosen.minutes) < 1:
        for group in optimizer.param_groups:
            group['lr'] = chosen.rate * min(1, (step + 1) / WARM_UP) * (0.02 + 0.98 * (0.5 + 0.5 * math.cos(math.pi * done)))
        images = batches.next()
        vectors, even = (torch.from_numpy(values) for values in fixed.of(images))
        found = network(torch.from_numpy(images), even)
        joint = FIXED_SHARE * (vectors @ vectors.T) + (1 - FIXED_SHARE) * (found @ found.T)
        of_pictures = contrast(joint, same, related | foreign, 0.05)
        of_families = contrast(joint, related, foreign, 0.1)
        loss = of_pictures + of_families
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2)
        optimizer.step()
        step += 1
        keep = min(0.995, step / (step + 20))
        with torch.no_grad():
            for mean, value in zip(averaged.state_dict().values(), network.state_dict().values()):
                mean.lerp_(value, 1 - keep)
        shown += [of_pictures.item(), of_families.item(), 1]
        if step % EACH_SAVED == 0:
            print(f'{step} {(time.monotonic() - start) / 60:.1f} min, pictures {shown[0] / shown[2]:.3f}, families {shown[1] / shown[2]:.3f}', flush=True)
            shown[:] = 0
            torch.save(averaged.state_dict(), chosen.run / 'learned.pt')
    torch.save(averaged.state_dict(), chosen.run / 'learned.pt')


if __name__ == '__main__':
    main()
