"""Views of pictures: common changes of copies, as far as they are visible at 128 x 128."""

import io

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

SIDE = 128
LUMA = torch.tensor([0.299, 0.587, 0.114]).view(1, 3, 1, 1)


class Views:
    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)

    def lot(self, count, low=0.0, high=1.0):
        return torch.rand(count, 1, 1, 1, generator=self.generator) * (high - low) + low

    def happens(self, count, share):
        return self.lot(count) < share

    def moved(self, pictures):
        """Crops, rotates by up to 7 degrees with or without black corners, and changes the aspect ratio slightly."""
        count = len(pictures)
        turned = self.happens(count, 0.5)
        angle = torch.where(turned, self.lot(count, -0.122, 0.122), torch.zeros(1)).view(-1)
        zoom = self.lot(count, 0.87, 1).view(-1)
        zoom = torch.where(turned.view(-1) & self.happens(count, 0.5).view(-1), torch.ones(1), zoom)
        squeezed = self.lot(count, 0.96, 1.04).view(-1)
        cosine, sine = angle.cos() * zoom, angle.sin() * zoom
        across, down = ((1 - zoom) * self.lot(count, -1, 1).view(-1) for _ in range(2))
        theta = torch.stack([cosine * squeezed, -sine, across, sine, cosine / squeezed, down], 1).view(-1, 2, 3)
        return F.grid_sample(pictures, F.affine_grid(theta, (count, 3, SIDE, SIDE), align_corners=False), align_corners=False)

    def recoloured(self, values):
        count = len(values)
        light = torch.where(self.happens(count, 0.6), self.lot(count, 0.72, 1.3), torch.ones(1))
        values = values * light
        luma = (values * LUMA).sum(1, keepdim=True)
        strength = torch.where(self.happens(count, 0.4), self.lot(count, 0.7, 1.4), torch.ones(1))
        values = (luma + (values - luma) * strength).clamp(0, 1)
        return values ** torch.where(self.happens(count, 0.2), self.lot(count, 0.8, 1.25), torch.ones(1))

    def softened(self, values):
        """Blurs, scales down and up again, and adds grain."""
        blurred = F.avg_pool2d(F.pad(values, [1] * 4, mode='replicate'), 3, 1)
        share = torch.where(self.happens(len(values), 0.35), self.lot(len(values)), torch.zeros(1))
        values = values + (blurred - values) * share
        small = F.interpolate(F.interpolate(values, scale_factor=0.5, mode='area'), size=SIDE, mode='bilinear')
        values = torch.where(self.happens(len(values), 0.1), small, values)
        grain = torch.where(self.happens(len(values), 0.35), self.lot(len(values), 0, 0.06), torch.zeros(1))
        return values + torch.randn(values.shape, generator=self.generator) * grain

    def covered(self, values):
        """Puts a caption or a mark over part of one picture in six."""
        for at in range(len(values)):
            if torch.rand(1, generator=self.generator) > 0.17:
                continue
            wide, high, left, top = (int(v) for v in torch.rand(4, generator=self.generator) * torch.tensor([60, 22, 64, 100]) + torch.tensor([12, 6, 0, 0]))
            tone = torch.rand(3, 1, 1, generator=self.generator).round()
            part = values[at, :, top : top + high, left : left + wide]
            values[at, :, top : top + high, left : left + wide] = part * 0.2 + tone * 0.8
        return values

    def of(self, pictures):
        """Converts bytes of [n, side, side, 3] to bytes of [n, 128, 128, 3]."""
        values = torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255
        values = self.covered(self.softened(self.recoloured(self.moved(values))))
        views = (values.clamp(0, 1) * 255).round().byte().permute(0, 2, 3, 1).contiguous().numpy()
        for at in range(len(views)):
            if torch.rand(1, generator=self.generator) < 0.3:
                quality = int(torch.randint(40, 92, (1,), generator=self.generator))
                file = io.BytesIO()
                Image.fromarray(views[at]).save(file, 'JPEG', quality=quality)
                views[at] = np.asarray(Image.open(file))
        return views
