"""The learned part of the model. By construction, a picture and its mirror image have the same output.

Every convolution has each of its filters twice, once mirrored; mirroring a picture then mirrors each map and swaps the two halves
of the channels, and what is read off the maps at the end is the same for both.
"""

import torch
from torch import nn
from torch.nn import functional as F

OPPONENT = torch.tensor([[0.299, 0.587, 0.114], [-0.169, -0.331, 0.5], [0.5, -0.419, -0.081]]) / 255
CELLS = 4
LEARNED = 128


def planes(images):
    """Luma and two colour planes relative to the mean luma, the same as in the fixed filters."""
    values = F.conv2d(images.permute(0, 3, 1, 2).float(), OPPONENT[:, :, None, None].to(images.device))
    gain = values[:, :1].mean((2, 3), keepdim=True) + 0.06
    return (values / gain * 0.45).contiguous()


class MirrorConv(nn.Module):
    """With a stride of two, the filter size is even, so that the positions of a mirrored map are the mirrored
    positions."""

    def __init__(self, inner, outer, size, stride=1, first=False):
        super().__init__()
        self.first, self.stride, self.padding = first, stride, (size - stride + 1) // 2
        fan = inner * size * size
        self.weight = nn.Parameter(torch.randn(outer // 2, inner, size, size) * (2 / fan) ** 0.5)
        self.gain, self.shift = nn.Parameter(torch.ones(outer // 2)), nn.Parameter(torch.zeros(outer // 2))
        self.register_buffer('mean', torch.zeros(outer // 2))
        self.register_buffer('variance', torch.ones(outer // 2))

    def filters(self):
        mirrored = self.weight.flip(-1)
        if not self.first:
            inner = mirrored.shape[1] // 2
            mirrored = torch.cat([mirrored[:, inner:], mirrored[:, :inner]], 1)
        return torch.cat([self.weight, mirrored])

    def folded(self):
        """The filters and offsets for inference, with the normalisation folded in."""
        scale = (self.gain / (self.variance + 1e-5).sqrt()).repeat(2)
        return self.filters() * scale[:, None, None, None], self.shift.repeat(2) - self.mean.repeat(2) * scale

    def forward(self, x):
        if not self.training:
            weight, offset = self.folded()
            return F.conv2d(x, weight, offset, self.stride, self.padding)
        y = F.conv2d(x, self.filters(), None, self.stride, self.padding)
        halves = y.reshape(2 * len(y), -1, *y.shape[2:])
        halves = F.batch_norm(halves, self.mean, self.variance, self.gain, self.shift, True, 0.05)
        return halves.reshape(y.shape)


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.second = MirrorConv(width, width, 3), MirrorConv(width, width, 3)

    def forward(self, x):
        return F.relu(x + self.second(F.relu(self.first(x))))


class Learned(nn.Module):
    def __init__(self, fixed, widths=(16, 32, 64, 128), hidden=256):
        super().__init__()
        first, second, third, fourth = widths
        self.down = nn.ModuleList([
            MirrorConv(3, first, 4, 2, first=True),
            MirrorConv(first, second, 4, 2),
            MirrorConv(second, third, 4, 2),
            MirrorConv(third, fourth, 4, 2),
        ])
        self.more = nn.ModuleList([nn.Identity(), nn.Identity(), nn.Identity(), Residual(fourth)])
        self.half = fourth // 2
        self.register_buffer('middle', torch.zeros(fixed))
        self.register_buffer('spread', torch.ones(fixed))
        self.hidden = nn.Linear(fixed + self.half * (2 + CELLS * CELLS), hidden)
        self.out = nn.Linear(hidden, LEARNED)

    def maps(self, x):
        for down, more in zip(self.down, self.more):
            x = more(F.relu(down(x)))
        return x

    def read_off(self, maps):
        first, second = maps[:, : self.half], maps[:, self.half :].flip(-1)
        both = first + second
        whole = both.mean((2, 3))
        highest = torch.maximum(first, second).amax((2, 3))
        cells = F.avg_pool2d(both, maps.shape[-1] // CELLS).flatten(1)
        return torch.cat([whole, highest, cells], 1)

    def forward(self, images, even):
        """`even` has the features of the fixed filters that are the same for a picture and its mirror image."""
        seen = self.read_off(self.maps(planes(images)))
        known = (even - self.middle) / self.spread
        return F.normalize(self.out(F.relu(self.hidden(torch.cat([known, seen], 1)))))
