"""Families of drawings: a background and layers of objects, generated at random from a small grammar."""

import numpy as np
from PIL import Image, ImageDraw

from chance import Paint, Range, noise, shaded

SIDE = 160
SCALE = 2
BIG = SIDE * SCALE


def turned(points, angle):
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(points) @ turn


def outline(kind, corners):
    if kind == 'box':
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    angles = np.arange(24 if kind == 'disc' else corners) * 2 * np.pi / (24 if kind == 'disc' else corners)
    if kind == 'star':
        angles = np.arange(2 * corners) * np.pi / corners
        radii = np.where(np.arange(2 * corners) % 2, 0.45, 1)
    elif kind == 'dome':
        angles = np.linspace(np.pi, 2 * np.pi, 14)
        radii = 1
    else:
        radii = 1
    return np.stack([np.cos(angles - np.pi / 2 * (kind != 'dome')) * radii, np.sin(angles - np.pi / 2 * (kind != 'dome')) * radii], 1)


class Glyph:
    """An object of one to five parts whose proportions vary a little."""

    def __init__(self, lot, palette):
        self.parts = []
        for part in range(lot.integers(1, 6)):
            self.parts.append({
                'outline': outline(lot.choice(['disc', 'box', 'polygon', 'star', 'dome']), lot.integers(3, 8)),
                'middle': lot.uniform(-0.7, 0.7, 2) * (part > 0),
                'size': lot.uniform(0.5, 1, 2) * (1 if part == 0 else lot.uniform(0.15, 0.6)),
                'paint': Paint(lot, palette),
                'repeat': lot.integers(4, 9) if part and lot.random() < 0.2 else 1,
                'mirrored': lot.random() < 0.3,
            })
        self.turns = lot.random() < 0.25
        self.edge = lot.choice([0, 0, 3])
        self.looseness = lot.uniform(0.02, 0.2)

    def draw(self, draw, lot, x, y, size, by=0):
        turn = lot.uniform(0, 2 * np.pi) if self.turns else lot.uniform(-0.08, 0.08)
        for part in self.parts:
            colour = shaded(part['paint'].colour(lot), by)
            loose = 1 + lot.uniform(-1, 1, 2) * self.looseness
            places = [part['middle']] + ([part['middle'] * [-1, 1]] if part['mirrored'] else [])
            if part['repeat'] > 1:
                radius = np.hypot(*part['middle']) + 0.3
                angles = np.arange(part['repeat']) * 2 * np.pi / part['repeat']
                places = [np.array([np.cos(angle), np.sin(angle)]) * radius for angle in angles]
            for middle in places:
                points = turned(part['outline'] * part['size'] * loose + middle, turn) * size + [x, y]
                draw.polygon([tuple(point) for point in points], fill=colour, outline=(30, 30, 40) if self.edge else None)


class Scatter:
    def __init__(self, lot, palette):
        self.glyph = Glyph(lot, palette)
        self.place = lot.choice(['anywhere', 'grid', 'row', 'middle', 'band'])
        many = lot.random() < 0.4
        self.count = Range(lot, 8, 70, 0.4) if many else Range(lot, 1, 7, 0.7)
        self.size = Range(lot, 0.02, 0.09, 0.5) if many else Range(lot, 0.08, 0.3, 0.5)
        self.level = Range(lot, 0.2, 0.9, 0.25)
        self.wide = lot.uniform(0.08, 0.3)
        self.jitter = lot.uniform(0, 0.3)

    def draw(self, image, draw, lot):
        count, size, level = self.count.count(lot), self.size.value(lot), self.level.value(lot)
        if self.place == 'middle':
            count, size = min(count, 3), size * 1.5
        columns = max(1, round(np.sqrt(count)))
        for nth in range(count):
            x, y = lot.random(2)
            if self.place == 'grid':
                x, y = (nth % columns + 0.5) / columns, (nth // columns + 0.5) / columns
                x, y = np.array([x, y]) + lot.uniform(-1, 1, 2) * self.jitter / columns
            elif self.place == 'row':
                x, y = (nth + lot.uniform(0.2, 0.8)) / count, level
            elif self.place == 'middle':
                x, y = 0.5 + lot.uniform(-0.2, 0.2), 0.5 + lot.uniform(-0.2, 0.2)
            elif self.place == 'band':
                y = level + lot.uniform(-1, 1) * self.wide
            scale = lot.uniform(0.7, 1.3)
            self.glyph.draw(draw, lot, x * BIG, y * BIG, size * scale * BIG)


class Ridges:
    """Overlapping silhouettes: hills, mountains, dunes, roofs."""

    def __init__(self, lot, palette):
        self.paint = Paint(lot, palette)
        self.layers = Range(lot, 1, 4.5)
        self.top, self.high = Range(lot, 0.3, 0.75, 0.3), Range(lot, 0.02, 0.25, 0.4)
        self.corners = Range(lot, 3, 16, 0.3)
        self.kind = lot.choice(['jagged', 'smooth', 'steps'])
        self.step = lot.uniform(-50, 50)

    def draw(self, image, draw, lot):
        colour, top, high = self.paint.colour(lot), self.top.value(lot), self.high.value(lot)
        layers = self.layers.count(lot)
        for layer in range(layers):
            base = (top + (1 - top) * layer / (layers + 0.5)) * BIG
            corners = self.corners.count(lot)
            at = np.linspace(0, BIG, corners + 1)
            heights = base - lot.uniform(-0.5, 1, corners + 1) * high * BIG
            fine = np.linspace(0, BIG, 80)
            if self.kind == 'smooth':
                heights = base - high * BIG * np.sin(fine / BIG * corners + lot.uniform(0, 6)) * lot.uniform(0.4, 1)
            elif self.kind == 'steps':
                heights = heights[np.minimum((fine / BIG * corners).astype(int), corners)]
            else:
                heights = np.interp(fine, at, heights)
            points = [(0, BIG), *zip(fine, heights), (BIG, BIG)]
            draw.polygon(points, fill=shaded(colour, self.step * layer / layers))


class Strokes:
    """Grass, rain, hair, twigs, waves."""

    def __init__(self, lot, palette):
        self.paint = Paint(lot, palette)
        self.count, self.length = Range(lot, 30, 220, 0.3), Range(lot, 0.03, 0.5, 0.25)
        self.angle, self.spread = lot.uniform(0, np.pi), lot.choice([0.05, 0.4, 3])
        self.bend, self.width = lot.uniform(-0.6, 0.6), Range(lot, 1, 6, 0.4)
        self.low, self.high = sorted(lot.uniform(0, 1, 2)) if lot.random() < 0.5 else (0, 1)
        self.varies = lot.uniform(0, 30)

    def draw(self, image, draw, lot):
        colour, width = self.paint.colour(lot), self.width.count(lot)
        length = self.length.value(lot) * BIG
        for _ in range(self.count.count(lot)):
            x, y = lot.uniform(-0.05, 1.05) * BIG, lot.uniform(self.low, self.high) * BIG
            angle = self.angle + lot.uniform(-1, 1) * self.spread
            points = [(x, y)]
            for _ in range(3):
                x, y = x + np.cos(angle) * length / 3, y + np.sin(angle) * length / 3
                points.append((x, y))
                angle += self.bend
            draw.line(points, fill=shaded(colour, lot.uniform(-1, 1) * self.varies), width=width)


class Lattice:
    """Stripes, checks, tartan, bricks, tiles, planks."""

    def __init__(self, lot, palette):
        self.kind = lot.choice(['stripes', 'checks', 'tartan', 'bricks', 'tiles', 'hexagons'])
        self.paints = [Paint(lot, palette) for _ in range(3)]
        self.pitch, self.ratio = Range(lot, 0.04, 0.3, 0.35), Range(lot, 0.6, 3, 0.2)
        self.gap, self.varies = lot.uniform(0.02, 0.4), lot.uniform(0, 25)
        self.angle = lot.choice([0, 0, np.pi / 2, np.pi / 4, lot.uniform(0, np.pi)])
        self.loose = lot.choice([0.03, 0.15])

    def draw(self, image, draw, lot):
        colours = [paint.colour(lot) for paint in self.paints]
        pitch = self.pitch.value(lot) * BIG
        angle = self.angle + lot.uniform(-1, 1) * self.loose
        across = pitch * self.ratio.value(lot) if self.kind in ('bricks', 'tiles') else pitch
        start, reach = lot.random(2) * pitch, BIG * 0.75
        draw.rectangle((0, 0, BIG, BIG), fill=colours[0])

        def box(left, top, right, bottom, colour):
            points = turned([[left, top], [right, top], [right, bottom], [left, bottom]], angle) + BIG / 2
            draw.polygon([tuple(point) for point in points], fill=colour)

        rows = np.arange(-reach - start[1], reach, pitch)
        if self.kind in ('stripes', 'tartan'):
            for top in rows:
                box(-reach, top, reach, top + pitch * (1 - self.gap), shaded(colours[1], lot.uniform(-1, 1) * self.varies))
            if self.kind == 'tartan':
                for left in rows:
                    box(left, -reach, left + pitch * self.gap, reach, colours[2])
                    box(-reach, left, reach, left + pitch * self.gap / 3, colours[2])
            return
        for row, top in enumerate(rows):
            shift = (row % 2) * across / 2 if self.kind in ('bricks', 'hexagons') else 0
            for column, left in enumerate(np.arange(-reach - start[0] - shift, reach, across)):
                if self.kind == 'checks' and (row + column) % 2:
                    continue
                colour = shaded(colours[1], lot.uniform(-1, 1) * self.varies)
                box(left, top, left + across * (1 - self.gap / 3), top + pitch * (1 - self.gap / 3), colour)


class Stems:
    """Upright objects with branches or windows: trunks, towers, posts."""

    def __init__(self, lot, palette):
        self.paint, self.second = Paint(lot, palette), Paint(lot, palette)
        self.count, self.wide = Range(lot, 2, 18, 0.4), Range(lot, 0.02, 0.16, 0.4)
        self.foot, self.tall = Range(lot, 0.5, 1, 0.25), Range(lot, 0.2, 0.9, 0.4)
        self.kind = lot.choice(['branches', 'windows', 'crown', 'cone'])
        self.cells = Range(lot, 2, 9, 0.3)

    def draw(self, image, draw, lot):
        foot, wide, cells = self.foot.value(lot) * BIG, self.wide.value(lot) * BIG, self.cells.count(lot)
        for _ in range(self.count.count(lot)):
            x, tall = lot.uniform(0, 1) * BIG, self.tall.value(lot) * BIG * lot.uniform(0.7, 1.2)
            colour, second = self.paint.colour(lot), self.second.colour(lot)
            top = foot - tall
            if self.kind == 'cone':
                for part in range(cells):
                    at, half = top + tall * 0.85 * part / cells, wide * (0.6 + 1.6 * (part + 1) / cells)
                    draw.polygon([(x, at), (x - half, at + tall * 1.3 / cells), (x + half, at + tall * 1.3 / cells)], fill=second)
                continue
            draw.rectangle((x - wide / 2, top, x + wide / 2, foot), fill=colour)
            if self.kind == 'windows':
                step = wide / 3
                for row in range(int(tall / step / 1.4)):
                    for column in range(2):
                        if lot.random() < 0.7:
                            left, high = x - wide / 2 + step * (0.35 + 1.3 * column), top + step * (0.5 + 1.4 * row)
                            draw.rectangle((left, high, left + step, high + step * 0.8), fill=second)
            elif self.kind == 'crown':
                radius = wide * 2
                draw.ellipse((x - radius, top - radius, x + radius, top + radius), fill=second)
            else:
                for _ in range(cells):
                    y, reach = lot.uniform(top, foot - tall * 0.2), lot.choice([-1, 1]) * wide * lot.uniform(1, 4)
                    draw.line([(x, y), (x + reach, y - abs(reach) * 0.7)], fill=colour, width=max(1, int(wide / 5)))


class Rings:
    def __init__(self, lot, palette):
        self.paints = [Paint(lot, palette) for _ in range(2)]
        self.kind = lot.choice(['rings', 'rays', 'spiral', 'seeds'])
        self.count, self.size = Range(lot, 5, 30, 0.4), Range(lot, 0.4, 1.1, 0.4)
        self.loose = lot.uniform(0, 0.25)

    def draw(self, image, draw, lot):
        count, size = self.count.count(lot), self.size.value(lot) * BIG / 2
        x, y = BIG * (0.5 + lot.uniform(-1, 1, 2) * self.loose)
        first, second = (paint.colour(lot) for paint in self.paints)
        turn = lot.uniform(0, 6)
        for nth in range(count, 0, -1):
            radius = size * nth / count
            colour = first if nth % 2 else second
            if self.kind == 'rings':
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
            elif self.kind == 'rays':
                angles = turn + np.array([nth, nth + 0.5]) * 2 * np.pi / count
                ends = [(x + np.cos(angle) * size * 1.6, y + np.sin(angle) * size * 1.6) for angle in angles]
                draw.polygon([(x, y), *ends], fill=colour)
        if self.kind in ('spiral', 'seeds'):
            angles = np.arange(count * 12) * (0.2 if self.kind == 'spiral' else 2.39996) + turn
            radii = size * np.sqrt(np.arange(1, count * 12 + 1) / count / 12)
            points = np.stack([x + np.cos(angles) * radii, y + np.sin(angles) * radii], 1)
            if self.kind == 'spiral':
                draw.line([tuple(point) for point in points], fill=first, width=max(2, int(size / count / 1.5)))
            else:
                for px, py in points:
                    dot = size / np.sqrt(count * 12) * 0.7
                    draw.ellipse((px - dot, py - dot, px + dot, py + dot), fill=second)


class Ground:
    """The background: one colour, a gradient, steps, or clouds."""

    def __init__(self, lot, palette):
        self.paints = [Paint(lot, palette) for _ in range(lot.integers(2, 5))]
        self.kind = lot.choice(['flat', 'gradient', 'gradient', 'steps', 'cloudy', 'halves'])
        self.angle = lot.choice([0, 0, np.pi / 2, lot.uniform(0, 6)])
        self.level, self.first = Range(lot, 0.3, 0.75, 0.3), lot.integers(1, 8)
        self.steps, self.stretch = Range(lot, 4, 14, 0.4), lot.choice([0.5, 1, 2])

    def picture(self, lot):
        colours = np.array([paint.colour(lot) for paint in self.paints], np.float32)
        if self.kind == 'flat':
            return Image.new('RGB', (BIG, BIG), tuple(int(value) for value in colours[0]))
        y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) / SIDE - 0.5
        at = np.clip(np.cos(self.angle) * y + np.sin(self.angle) * x + 0.5, 0, 1)
        if self.kind == 'cloudy':
            at = noise(lot, SIDE, 5, self.first, 0.55, self.stretch)
        elif self.kind == 'steps':
            count = self.steps.count(lot)
            at = np.floor(at * count) / count
        elif self.kind == 'halves':
            at = (at > self.level.value(lot)).astype(np.float32)
        stops = np.linspace(0, 1, len(colours))
        planes = [np.interp(at, stops, colours[:, plane]) for plane in range(3)]
        return Image.fromarray(np.stack(planes, -1).astype(np.uint8)).resize((BIG, BIG), Image.BILINEAR)


LAYERS = [Scatter, Scatter, Scatter, Ridges, Strokes, Stems, Rings]


class Drawing:
    """The common features of the pictures of one family."""

    def __init__(self, lot):
        palette = (lot.random() + lot.uniform(-1, 1, 4) * lot.choice([0.05, 0.2, 0.5])) % 1
        self.ground = Ground(lot, palette)
        self.layers = [lot.choice(LAYERS)(lot, palette) for _ in range(lot.integers(1, 5))]
        if lot.random() < 0.25:
            self.layers = [Lattice(lot, palette)] + self.layers[: lot.integers(0, 2)]

    def picture(self, lot):
        image = self.ground.picture(lot)
        draw = ImageDraw.Draw(image)
        for layer in self.layers:
            layer.draw(image, draw, lot)
        return np.asarray(image.reduce(SCALE))
