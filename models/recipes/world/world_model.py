"""A shared network for all five models: a convolutional trunk, and a head for each task."""

import math

import torch
import transformers as hf
from torch import nn
from torch.nn import functional as F

SIDE = 128
WIDTHS = (24, 48, 96, 192)
WIDTH = 192
CELLS = 16
LONGEST_TEXT = 32
LONGEST_CAPTION = 40


def convolution(inputs, outputs, size=3, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride=stride, padding=size // 2, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = convolution(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, values):
        return F.relu(values + self.second(self.first(values)))


class Attention(nn.Module):
    """A transformer layer with normalisation before attention and before the feed-forward part."""

    def __init__(self, width, heads=4):
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_mixing = nn.LayerNorm(width), nn.LayerNorm(width)
        self.ask, self.answer = nn.Linear(width, width * 3), nn.Linear(width, width)
        self.mixing = nn.Sequential(nn.Linear(width, width * 2), nn.GELU(), nn.Linear(width * 2, width))

    def forward(self, values, blocked=None):
        batch, length, width = values.shape
        parts = self.ask(self.before_attention(values)).reshape(batch, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-1, -2) / math.sqrt(width // self.heads)
        if blocked is not None:
            scores = scores + blocked
        mixed = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width)
        values = values + self.answer(mixed)
        return values + self.mixing(self.before_mixing(values))


class Trunk(nn.Module):
    """Maps a picture to features of 16 x 16 and 8 x 8 cells. The latter have attention and positions."""

    def __init__(self):
        super().__init__()
        one, two, three, four = WIDTHS
        self.fine = nn.Sequential(
            convolution(3, one, 5, 2), convolution(one, two, stride=2), Residual(two), convolution(two, three, stride=2), Residual(three)
        )
        self.coarse = nn.Sequential(convolution(three, four, stride=2), Residual(four))
        self.places = nn.Parameter(torch.randn(1, 64, WIDTH) * 0.02)
        self.relations = Attention(WIDTH)
        self.norm = nn.LayerNorm(WIDTH)

    def forward(self, pictures):
        fine = self.fine(pictures)
        coarse = self.coarse(fine)
        tokens = coarse.flatten(2).transpose(1, 2) + self.places
        return fine, coarse, self.norm(self.relations(tokens))


def pooled(tokens):
    return torch.cat([tokens.mean(1), tokens.amax(1)], -1)


class PictureEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Sequential(nn.Linear(WIDTH * 2, WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))

    def forward(self, tokens):
        return F.normalize(self.head(pooled(tokens)), dim=-1)


class TextEncoder(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH)
        self.places = nn.Parameter(torch.randn(1, LONGEST_TEXT, WIDTH) * 0.02)
        self.layers = nn.ModuleList([Attention(WIDTH), Attention(WIDTH)])
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WIDTH)
        nn.init.normal_(self.words.weight, std=0.02)

    def forward(self, input_ids, attention_mask):
        mask = attention_mask.float()
        values = self.words(input_ids) + self.places[:, : input_ids.shape[1]]
        for layer in self.layers:
            values = layer(values, (1 - mask)[:, None, None, :] * -1e4)
        weights = mask[:, :, None]
        return F.normalize(self.head((self.norm(values) * weights).sum(1) / weights.sum(1)), dim=-1)


class Detector(nn.Module):
    """For each of 16 x 16 cells: the score of each kind for an object centred there, and the distances to the
    object's edges."""

    def __init__(self, classes):
        super().__init__()
        self.join = convolution(WIDTHS[2] + WIDTHS[3], 64, 1)
        self.work = Residual(64)
        self.kinds, self.edges = nn.Conv2d(64, classes, 1), nn.Conv2d(64, 4, 1)
        nn.init.constant_(self.kinds.bias, -4.0)
        centre = (torch.arange(CELLS) + 0.5) / CELLS
        self.register_buffer('x', centre[None, None, :].expand(1, CELLS, CELLS).clone(), persistent=False)
        self.register_buffer('y', centre[None, :, None].expand(1, CELLS, CELLS).clone(), persistent=False)

    def forward(self, fine, coarse):
        values = self.work(self.join(torch.cat([fine, F.interpolate(coarse, scale_factor=2.0, mode='nearest')], 1)))
        left, top, right, bottom = self.edges(values).float().sigmoid().unbind(1)
        boxes = torch.stack([self.x - left, self.y - top, self.x + right, self.y + bottom], -1)
        return self.kinds(values).float(), boxes


def make_decoder(vocabulary, end):
    return hf.GPT2LMHeadModel(
        hf.GPT2Config(
            vocab_size=vocabulary, n_embd=WIDTH, n_layer=2, n_head=4, n_positions=LONGEST_CAPTION, add_cross_attention=True,
            is_decoder=True, tie_word_embeddings=False, bos_token_id=end, eos_token_id=end, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
            attn_implementation='eager',
        )
    )


class World(nn.Module):
    def __init__(self, labels, kinds, text_vocabulary, caption_vocabulary, end):
        super().__init__()
        self.trunk, self.pictures, self.texts = Trunk(), PictureEncoder(), TextEncoder(text_vocabulary)
        self.tags = nn.Linear(WIDTH * 2, labels)
        self.detector = Detector(kinds)
        self.decoder = make_decoder(caption_vocabulary, end)
        self.scale = nn.Parameter(torch.tensor(math.log(15.0)))
