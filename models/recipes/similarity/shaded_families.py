"""Families of computed pictures: dead leaves, shader noise, fractals, cells, and rendered scenes."""

import numpy as np

from chance import Paint, Range, noise

SIDE = 160
Y, X = (np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE - 0.5) * 2


class Palette:
    def __init__(self, lot):
        hues = (lot.random() + lot.uniform(-1, 1, 4) * lot.choice([0.03, 0.12, 0.5])) % 1
        self.paints = [Paint(lot, hues) for _ in range(lot.integers(2, 6))]

    def colours(self, lot):
        return np.array([paint.colour(lot) for paint in self.paints], np.float32)

    def coloured(self, lot, values):
        colours = self.colours(lot)
        stops = np.linspace(0, 1, len(colours))
        return np.stack([np.interp(values, stops, colours[:, plane]) for plane in range(3)], -1)


class DeadLeaves:
    def __init__(self, lot):
        self.palette, self.slope, self.smallest = Palette(lot), lot.uniform(1.2, 3), lot.uniform(0.03, 0.12)
        self.power, self.thin = lot.choice([1, 2, 2, 6]), Range(lot, 0.25, 1)
        self.count, self.shade = Range(lot, 150, 500, 0.3), lot.uniform(0, 50)
        self.angle, self.spread = lot.uniform(0, np.pi), lot.choice([0.2, 3])

    def picture(self, lot):
        image = np.empty((SIDE, SIDE, 3), np.float32)
        colours, thin = self.palette.colours(lot), self.thin.value(lot)
        image[:] = colours[0]
        for _ in range(self.count.count(lot)):
            size = min(0.9, self.smallest * (1 - lot.random()) ** (-1 / self.slope))
            x, y, angle = *lot.uniform(-1.1, 1.1, 2), self.angle + lot.uniform(-1, 1) * self.spread
            left, right = (int(np.clip((x + way * size + 1) * SIDE / 2 + (way > 0), 0, SIDE)) for way in (-1, 1))
            top, bottom = (int(np.clip((y + way * size + 1) * SIDE / 2 + (way > 0), 0, SIDE)) for way in (-1, 1))
            if left >= right or top >= bottom:
                continue
            px, py = X[top:bottom, left:right] - x, Y[top:bottom, left:right] - y
            across, along = px * np.cos(angle) + py * np.sin(angle), py * np.cos(angle) - px * np.sin(angle)
            inside = np.abs(across / size / thin) ** self.power + np.abs(along / size) ** self.power < 1
            colour = colours[lot.integers(len(colours))] + lot.uniform(-20, 20) + (across / size * self.shade)[..., None]
            image[top:bottom, left:right] = np.where(inside[..., None], colour, image[top:bottom, left:right])
        return image


class Shader:
    """Noise distorted by noise, as lines, veins, rings, or patches."""

    def __init__(self, lot):
        self.palette, self.kind = Palette(lot), lot.choice(['plain', 'veins', 'rings', 'patches', 'waves', 'grain'])
        self.first, self.octaves = lot.integers(2, 12), lot.integers(2, 6)
        self.fall, self.stretch = lot.uniform(0.35, 0.7), lot.choice([1, 1, 3, 8])
        self.bend, self.lines = Range(lot, 0, 0.6, 0.3), Range(lot, 2, 14, 0.3)
        self.angle, self.loose = lot.uniform(0, np.pi), lot.choice([0.1, 3])

    def picture(self, lot):
        field = noise(lot, SIDE, self.octaves, self.first, self.fall, self.stretch)
        bend, lines = self.bend.value(lot), self.lines.value(lot)
        angle = self.angle + lot.uniform(-1, 1) * self.loose
        along = X * np.cos(angle) + Y * np.sin(angle) + bend * field
        if self.kind == 'veins':
            field = 1 - np.abs(2 * field - 1) ** 0.6
        elif self.kind == 'rings':
            field = (field * lines) % 1
        elif self.kind == 'patches':
            steps = max(2, round(lines / 3))
            field = np.floor(field * steps) / (steps - 1)
        elif self.kind == 'waves':
            field = 0.5 + 0.5 * np.sin(along * lines * np.pi)
        elif self.kind == 'grain':
            field = 0.6 * field + 0.4 * ((along * lines) % 1)
        return self.palette.coloured(lot, field)


class Cells:
    """The distances to the nearest and second nearest of scattered points."""

    def __init__(self, lot):
        self.palette, self.kind = Palette(lot), lot.choice(['pieces', 'bubbles', 'cracks', 'stones'])
        self.count, self.order = Range(lot, 8, 90, 0.25), lot.choice([0, 0.8])
        self.power = lot.choice([1, 2, 2])

    def picture(self, lot):
        rows = max(2, round(np.sqrt(self.count.count(lot))))
        grid = np.stack(np.meshgrid(np.arange(rows), np.arange(rows)), -1).reshape(-1, 2)
        points = (grid + lot.uniform(0.5 * self.order, 1 - 0.5 * self.order, grid.shape)) / rows * 2.2 - 1.1
        far = np.abs(X[..., None] - points[:, 0]) ** self.power + np.abs(Y[..., None] - points[:, 1]) ** self.power
        two = np.partition(far, 1, axis=-1)[..., :2] ** (1 / self.power)
        value = lot.random(len(points))[far.argmin(-1)]
        edge = np.clip((two[..., 1] - two[..., 0]) * rows, 0, 1)
        if self.kind == 'bubbles':
            value = np.clip(two[..., 0] * rows * 0.7, 0, 1)
        elif self.kind == 'cracks':
            value = edge**0.5
        elif self.kind == 'stones':
            value = value * np.clip(edge * 4, 0, 1)
        return self.palette.coloured(lot, value)


class Fractal:
    """Julia sets around a point of the plane, and attractors of random maps."""

    def __init__(self, lot):
        self.palette, self.kind = Palette(lot), lot.choice(['julia', 'maps'])
        angle = lot.uniform(0, 2 * np.pi)
        self.c = 0.5 * np.exp(1j * angle) - 0.25 * np.exp(2j * angle) + 0.06 * lot.normal()
        self.zoom, self.maps = Range(lot, 0.6, 1.5), lot.uniform(-0.75, 0.75, (lot.integers(2, 5), 6))
        self.power = lot.uniform(0.4, 1)

    def picture(self, lot):
        if self.kind == 'julia':
            turn = np.exp(1j * lot.uniform(-0.5, 0.5)) * self.zoom.value(lot)
            z = ((X + 1j * Y) * turn + 0.2 * (lot.normal() + 1j * lot.normal())).astype(np.complex64)
            c = np.complex64(self.c + 0.02 * (lot.normal() + 1j * lot.normal()))
            value = np.zeros(z.shape, np.float32)
            for _ in range(30):
                inside = np.abs(z) < 4
                value += inside
                z = np.where(inside, z * z + c, z)
            return self.palette.coloured(lot, (value / 30) ** self.power)
        maps = self.maps + lot.normal(size=self.maps.shape) * 0.04
        points = lot.uniform(-1, 1, (4000, 2))
        seen = []
        for turn in range(18):
            chosen = maps[lot.integers(0, len(maps), len(points))]
            points = np.stack([
                chosen[:, 0] * points[:, 0] + chosen[:, 1] * points[:, 1] + chosen[:, 4],
                chosen[:, 2] * points[:, 0] + chosen[:, 3] * points[:, 1] + chosen[:, 5],
            ], 1)
            if turn > 7:
                seen.append(points)
        seen = np.concatenate(seen)
        seen = (seen - seen.mean(0)) / (2.5 * seen.std(0) + 1e-6) / self.zoom.value(lot)
        hits = np.histogram2d(seen[:, 1], seen[:, 0], SIDE, [[-1, 1], [-1, 1]])[0]
        return self.palette.coloured(lot, np.clip(np.log1p(hits) / 3, 0, 1))


class Rendered:
    """Balls and boxes on a floor with light, shadow and texture, or hills from above the ground."""

    def __init__(self, lot):
        self.floor, self.things, self.sky = Palette(lot), Palette(lot), Palette(lot)
        self.count, self.size = Range(lot, 1, 9, 0.4), Range(lot, 0.15, 0.6, 0.4)
        self.horizon, self.checks = Range(lot, -0.5, 0.1, 0.3), lot.choice([0, Range(lot, 1, 6).value(lot)])
        self.light, self.shine = lot.uniform(-1, 1), lot.choice([0, 90])
        self.hills, self.rough = lot.random() < 0.3, lot.integers(2, 6)

    def picture(self, lot):
        horizon = self.horizon.value(lot)
        image = self.sky.coloured(lot, np.clip((Y + 1) / (horizon + 1.01), 0, 1))
        near = 1 / np.maximum(Y - horizon, 0.02)
        across = X * near
        below = Y > horizon
        floor = 0.5 * noise(lot, SIDE, 4, self.rough) + 0.25
        if self.checks:
            floor = ((np.floor(across * self.checks) + np.floor(near * self.checks)) % 2).astype(np.float32)
        image = np.where(below[..., None], self.floor.coloured(lot, floor), image)
        if self.hills:
            return self.with_hills(lot, image, horizon)
        colours = self.things.colours(lot)
        light = np.array([self.light + lot.uniform(-0.2, 0.2), -0.8, 0.5])
        light /= np.linalg.norm(light)
        for foot in np.sort(lot.uniform(horizon + 0.15, 1, self.count.count(lot))):
            size = self.size.value(lot) * (0.4 + 0.6 * (foot - horizon))
            x = lot.uniform(-0.9, 0.9)
            shadow = ((X - x + light[0] * size) / (1.5 * size)) ** 2 + ((Y - foot) / (0.3 * size)) ** 2 < 1
            image = np.where(shadow[..., None], image * 0.5, image)
            px, py = (X - x) / size, (Y - foot + size) / size
            depth = 1 - px * px - py * py
            bright = np.clip(px * light[0] + py * light[1] + np.sqrt(np.maximum(depth, 0)) * light[2], 0, 1)
            colour = colours[lot.integers(len(colours))] * (0.3 + 0.8 * bright)[..., None] + self.shine * (bright**20)[..., None]
            image = np.where((depth > 0)[..., None], colour, image)
        return image

    def with_hills(self, lot, image, horizon):
        colours = self.things.colours(lot)
        for layer in range(5):
            heights = horizon + 0.3 * layer - noise(lot, SIDE, 4, self.rough)[layer] * self.size.value(lot)
            haze = (4 - layer) / 5
            colour = colours[layer % len(colours)] * (1 - haze) + image[0, 0] * haze
            image = np.where((Y > heights)[..., None], colour * (0.8 + 0.4 * noise(lot, SIDE, 3, 8))[..., None], image)
        return image


SHADED = [DeadLeaves, Shader, Shader, Cells, Fractal, Rendered, Rendered]


class Shaded:
    """The common features of the pictures of one family; the lighting differs between pictures."""

    def __init__(self, lot):
        self.kind = lot.choice(SHADED)(lot)
        self.light, self.grain = lot.uniform(0, 0.4), lot.uniform(0, 5)

    def picture(self, lot):
        image = self.kind.picture(lot)
        angle = lot.uniform(0, 2 * np.pi)
        light = 1 + self.light * (X * np.cos(angle) + Y * np.sin(angle)) * lot.random()
        image = image * light[..., None] + lot.normal(size=image.shape) * self.grain
        return np.clip(image, 0, 255).astype(np.uint8)
