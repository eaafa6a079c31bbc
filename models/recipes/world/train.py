"""Trains the shared network of the five built-in models on the output of make-data.ts.

    python train.py DATA OUT --steps 3000                      two cores
    python train.py DATA OUT --steps 40000 --device cuda       a GPU, with more scenes

Writes OUT/world.pt: the weights, averaged over the last steps, with the names of labels and kinds and the tokenizers beside it.
"""

import argparse
import copy
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from world_data import chosen_texts, matches, object_targets, read, varied
from world_model import LONGEST_CAPTION, World
from world_tokenizers import OBJECT, SCENE, caption_tokenizer, text_tokenizer

SCENES, OBJECTS = 26, 6
WARM_UP = 100


def overlap(boxes, others):
    """Generalised intersection over union."""
    def area(of):
        return (of[:, 2] - of[:, 0]).clamp(min=0) * (of[:, 3] - of[:, 1]).clamp(min=0)

    inner = torch.cat([torch.maximum(boxes[:, :2], others[:, :2]), torch.minimum(boxes[:, 2:], others[:, 2:])], 1)
    outer = torch.cat([torch.minimum(boxes[:, :2], others[:, :2]), torch.maximum(boxes[:, 2:], others[:, 2:])], 1)
    union = area(boxes) + area(others) - area(inner)
    return area(inner) / union.clamp(min=1e-6) - (area(outer) - union) / area(outer).clamp(min=1e-6)


def detection_loss(kinds, boxes, heat, cells, wanted):
    sure = kinds.sigmoid().clamp(1e-4, 1 - 1e-4)
    hits = heat > 0.99
    loss = torch.where(hits, -sure.log() * (1 - sure) ** 2, -(1 - sure).log() * sure**2 * (1 - heat) ** 4).sum() / hits.sum().clamp(min=1)
    if len(cells) == 0:
        return loss
    found = boxes[cells[:, 0], cells[:, 1], cells[:, 2]]
    return loss + 2 * (1 - overlap(found, wanted)).mean() + 4 * (found - wanted).abs().mean()


def contrast(pictures, texts, match, scale):
    """Compares every text with every picture. Any text that is true for a picture is a match, even if it was
    written for another one."""
    logits = texts @ pictures.T * scale.exp().clamp(max=60)
    by_text = -(logits.log_softmax(1) * match).sum(1) / match.sum(1)
    by_picture = -(logits.log_softmax(0) * match).sum(0) / match.sum(0)
    return by_text.mean() + by_picture.mean()


class Batches:
    def __init__(self, folder, seed):
        self.scenes, self.truths = read(folder, 'scenes')
        self.objects, self.phrases = read(folder, 'objects')
        self.lot, self.generator = random.Random(seed), torch.Generator().manual_seed(seed)
        self.order = []

    def next(self):
        if len(self.order) < SCENES:
            self.order = self.lot.sample(range(len(self.truths)), len(self.truths))
        scenes = [self.order.pop() for _ in range(SCENES)]
        objects = self.lot.sample(range(len(self.phrases)), OBJECTS)
        pictures = torch.cat([torch.from_numpy(self.scenes[scenes]), torch.from_numpy(self.objects[objects])])
        values, across, down = varied(pictures, self.generator)
        return values, across, down, [self.truths[at] for at in scenes], [self.phrases[at]['caption'] for at in objects]


class Trainer:
    def __init__(self, folder, seed, device):
        self.batches, self.device = Batches(folder, seed), device
        truths, phrases = self.batches.truths, self.batches.phrases
        self.labels = sorted({label for truth in truths for label in truth['labels']})
        self.kinds = sorted({box['label'] for truth in truths for box in truth['boxes']})
        captions = [truth['caption'] for truth in truths] + [each['caption'] for each in phrases]
        self.text_tokenizer = text_tokenizer([text['text'] for truth in truths for text in truth['texts']])
        self.caption_tokenizer = caption_tokenizer(captions)
        end = self.caption_tokenizer.eos_token_id
        self.model = World(len(self.labels), len(self.kinds), len(self.text_tokenizer), len(self.caption_tokenizer), end).to(device)
        self.model.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.model)

    def start_from(self, run):
        """Continues with the weights of an earlier run on the same scenes."""
        saved = torch.load(run / 'world.pt', map_location=self.device, weights_only=True)
        assert saved['labels'] == self.labels and saved['kinds'] == self.kinds
        for model in (self.model, self.average):
            model.load_state_dict(saved['weights'])

    def caption_ids(self, captions, start):
        tokenizer = self.caption_tokenizer
        start_id, end = tokenizer.convert_tokens_to_ids(start), tokenizer.eos_token_id
        return [[start_id, *tokenizer.encode(caption)[: LONGEST_CAPTION - 2], end] for caption in captions]

    def losses(self):
        model, device = self.model, self.device
        values, across, down, truths, phrases = self.batches.next()
        fine, coarse, tokens = model.trunk(values.to(device))
        of_scenes = slice(0, len(truths))
        wanted = torch.tensor([[float(label in truth['labels']) for label in self.labels] for truth in truths], device=device)
        pooled = torch.cat([tokens.mean(1), tokens.amax(1)], -1)[of_scenes]
        tags = F.binary_cross_entropy_with_logits(model.tags(pooled).float(), wanted) * 10
        texts = chosen_texts(truths, self.batches.lot)
        ids = self.text_tokenizer([text['text'] for text in texts], padding=True, truncation=True, return_tensors='pt').to(device)
        embeddings = model.texts(ids['input_ids'], ids['attention_mask'])
        match = matches(texts, truths).to(device)
        likeness = contrast(model.pictures(tokens[of_scenes]).float(), embeddings.float(), match, model.scale)
        kind_index = {kind: at for at, kind in enumerate(self.kinds)}
        targets = [each.to(device) for each in object_targets(truths, kind_index, across, down)]
        found = detection_loss(*model.detector(fine[of_scenes], coarse[of_scenes]), *targets)
        rows = self.caption_ids([truth['caption'] for truth in truths], SCENE) + self.caption_ids(phrases, OBJECT)
        longest = max(map(len, rows))
        padded = torch.tensor([row + [-100] * (longest - len(row)) for row in rows], device=device)
        logits = model.decoder(input_ids=padded[:, :-1].clamp(min=0), encoder_hidden_states=tokens).logits
        caption = F.cross_entropy(logits.float().transpose(1, 2), padded[:, 1:], ignore_index=-100)
        return {'tags': tags, 'likeness': likeness, 'objects': found, 'captions': caption * 3}

    def average_in(self, step):
        keep = min(0.99, (1 + step) / (10 + step))
        with torch.no_grad():
            for mean, own in zip(self.average.state_dict().values(), self.model.state_dict().values()):
                mean.lerp_(own, 1 - keep) if mean.is_floating_point() else mean.copy_(own)

    def save(self, out):
        out.mkdir(parents=True, exist_ok=True)
        torch.save({'weights': self.average.state_dict(), 'labels': self.labels, 'kinds': self.kinds}, out / 'world.pt')
        self.text_tokenizer.save_pretrained(out / 'texts')
        self.caption_tokenizer.save_pretrained(out / 'captions')

    def run(self, steps, minutes, out, rate):
        decayed = [p for p in self.model.parameters() if p.dim() > 1]
        others = [p for p in self.model.parameters() if p.dim() <= 1]
        groups = [{'params': decayed, 'weight_decay': 0.02}, {'params': others, 'weight_decay': 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
        started, sums = time.time(), {}
        for step in range(steps):
            share = max(step / steps, (time.time() - started) / 60 / minutes)
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group['lr'] = rate * min((step + 1) / WARM_UP, max(0.01, 1 - share) if share > 0.3 else 0.7)
            with torch.autocast(self.device, torch.bfloat16):
                losses = self.losses()
            optimizer.zero_grad()
            sum(losses.values()).backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
            optimizer.step()
            self.average_in(step)
            for name, loss in losses.items():
                sums[name] = sums.get(name, 0.0) + loss.item()
            if (step + 1) % 25 == 0:
                shown = ', '.join(f'{name} {value / 25:.3f}' for name, value in sums.items())
                print(f'{step + 1} steps, {time.time() - started:.0f} s: {shown}', flush=True)
                sums = {}
            if (step + 1) % 200 == 0:
                self.save(out)
        self.save(out)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('data', type=Path)
    arguments.add_argument('out', type=Path)
    arguments.add_argument('--steps', type=int, default=3000)
    # A time limit for shared machines, which also lowers the learning rate. `--steps` with the number of steps that
    # it prints repeats the run.
    arguments.add_argument('--minutes', type=float, default=1e9)
    arguments.add_argument('--rate', type=float, default=2e-3)
    arguments.add_argument('--start', type=Path, help='the OUT of a run to go on from')
    arguments.add_argument('--seed', type=int, default=1)
    arguments.add_argument('--device', default='cpu')
    arguments.add_argument('--threads', type=int, default=2)
    chosen = arguments.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    trainer = Trainer(chosen.data, chosen.seed, chosen.device)
    print(f'{len(trainer.batches.truths)} scenes, {len(trainer.labels)} labels, {len(trainer.kinds)} kinds', flush=True)
    if chosen.start:
        trainer.start_from(chosen.start)
    trainer.run(chosen.steps, chosen.minutes, chosen.out, chosen.rate)


if __name__ == '__main__':
    main()
