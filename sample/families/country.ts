import { Canvas, capital, countOf, hsl, listOf, Paint, ridge, Scene, SceneFamily, shade } from '../drawing';
import { SeededRandom } from '../seeded-random';
import { BLUE, BROWN, GREY, ORANGE, PINK, RED, TEAL, WHITE, YELLOW } from './paints';

const WALLS = [WHITE, YELLOW, PINK, TEAL, BLUE, GREY];
const ROOFS = [RED, BROWN, ORANGE];

function house(canvas: Canvas, random: SeededRandom, x: number, ground: number, size: number): Paint {
  const wall = random.pick(WALLS);
  const roof = random.pick(ROOFS);
  const height = size * random.between(0.6, 0.85);
  const peak = size * random.between(0.4, 0.6);
  canvas.rect(x, ground - height, size, height, shade(wall));
  canvas.polygon(
    [
      [x - size * 0.12, ground - height],
      [x + size / 2, ground - height - peak],
      [x + size * 1.12, ground - height],
    ],
    shade(roof),
  );
  canvas.rect(x + size * 0.4, ground - height * 0.55, size * 0.2, height * 0.55, shade(BROWN));
  for (const left of [0.1, 0.68]) {
    canvas.rect(
      x + size * left,
      ground - height * 0.8,
      size * 0.22,
      size * 0.22,
      hsl(200, 60, 80),
      'stroke="#fff" stroke-width="2"',
    );
  }
  canvas.mark('house', x - size * 0.12, ground - height - peak, size * 1.24, height + peak);
  return wall;
}

function drawHouses(random: SeededRandom): Scene {
  const canvas = Canvas.of(random, 'landscape');
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(random.between(198, 212), 75, 62)], [0.7, hsl(200, 70, 86)]));
  canvas.circle(
    width * random.between(0.1, 0.9),
    height * random.between(0.12, 0.22),
    height * random.between(0.05, 0.09),
    hsl(48, 95, 62),
  );
  const hill = height * random.between(0.58, 0.7);
  canvas.ellipse(width * random.between(0.1, 0.9), height * 0.95, width * 0.6, height * 0.42, hsl(105, 40, 50));
  const hue = random.between(88, 118);
  const bulge = random.between(0.04, 0.12) * height;
  canvas.path(
    `M0 ${hill + bulge} Q${width / 2} ${hill - bulge} ${width} ${hill + bulge} V${height} H0 Z`,
    hsl(hue, 48, 38),
  );
  tufts(canvas, random, hill + bulge + 10, hue);
  const count = random.integer(1, 3);
  const slot = width / count;
  const colours: string[] = [];
  for (let i = 0; i < count; i++) {
    const size = Math.min(slot * 0.6, height * random.between(0.22, 0.34));
    const x = slot * i + random.between(0.12, 0.88) * Math.max(0, slot - size * 1.24) + size * 0.12;
    colours.push(house(canvas, random, x, hill + bulge * random.between(0.6, 2), size).name);
  }
  const things =
    count === 1 ? `a ${colours[0] ?? ''} house stands` : `${countOf(count, 'house')} in ${listOf(colours)} stand`;
  return canvas.finish(capital(`${things} on a green hill under a blue sky`), ['house', 'landscape']);
}

function tufts(canvas: Canvas, random: SeededRandom, top: number, hue: number): void {
  for (let i = 0; i < 90; i++) {
    const x = random.between(0, canvas.width);
    const y = random.between(top, canvas.height);
    canvas.line([x, y], [x + random.between(-3, 3), y - random.between(4, 9)], hsl(hue, 45, random.between(24, 32)), 2);
  }
}

function drawSunset(random: SeededRandom): Scene {
  const canvas = Canvas.of(random, 'landscape');
  const { width, height } = canvas;
  const warm = random.between(-16, 14);
  const low = random.between(-0.16, 0.08);
  canvas.background(
    canvas.vertical(
      [0, hsl(275 + warm, 42, 34)],
      [0.4, hsl(345 + warm, 65, 52)],
      [0.6 + low / 2, hsl(22 + warm, 92, 58)],
      [0.8 + low / 2, hsl(44, 96, 66)],
    ),
  );
  const sun = {
    x: width * random.between(0.2, 0.8),
    y: height * (random.between(0.45, 0.6) + low),
    radius: height * random.between(0.08, 0.14),
  };
  canvas
    .circle(sun.x, sun.y, sun.radius * 1.6, hsl(44, 100, 70), 'opacity="0.35"')
    .circle(sun.x, sun.y, sun.radius, hsl(48, 100, 76));
  for (let i = 0; i < random.integer(2, 6); i++) {
    canvas.ellipse(
      width * random.next(),
      height * random.between(0.12, 0.45),
      width * random.between(0.1, 0.25),
      height * random.between(0.008, 0.018),
      hsl(350, 60, 72),
      'opacity="0.7"',
    );
  }
  const layers = random.integer(2, 3);
  for (let i = 0; i < layers; i++) {
    const lightness = 32 - (i * 24) / layers;
    canvas.polygon(
      ridge(
        canvas,
        random,
        height * (0.64 + low + i * 0.12),
        height * random.between(0.05, 0.14),
        random.integer(6, 11),
      ),
      hsl(278 - i * 12, 34, lightness),
    );
  }
  const season = random.pick(['A glowing', 'A golden', 'An orange', 'A red']);
  return canvas.finish(
    `${season} sunset over ${random.pick(['purple', 'dark', 'jagged'])} mountains, the sun low in the sky`,
    ['sunset', 'mountains'],
    5,
  );
}

function drawDesert(random: SeededRandom): Scene {
  const canvas = Canvas.of(random, 'landscape');
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(random.between(190, 202), 52, 66)], [0.6, hsl(42, 70, 80)]));
  const horizon = height * random.between(0.48, 0.58);
  for (let i = 0; i < random.integer(0, 2); i++) {
    const [x, size] = [width * random.between(0.1, 0.9), height * random.between(0.2, 0.34)];
    canvas.polygon(
      [
        [x - size, horizon + 20],
        [x, horizon - size * 0.9],
        [x + size, horizon + 20],
      ],
      hsl(36, 48, 56),
    );
    canvas.polygon(
      [
        [x, horizon - size * 0.9],
        [x + size, horizon + 20],
        [x + size * 0.3, horizon + 20],
      ],
      hsl(32, 45, 44),
    );
  }
  for (let i = 0; i < 3; i++)
    canvas.polygon(
      ridge(canvas, random, horizon + height * (0.06 + 0.14 * i), height * 0.04, 4),
      hsl(random.between(34, 40), 66, 66 - i * 7),
    );
  for (let i = 0; i < 60; i++) {
    const [x, y] = [width * random.next(), height * random.between(0.64, 1)];
    canvas.line(
      [x, y],
      [x + random.between(10, 34), y + random.between(-2, 2)],
      hsl(34, 52, random.between(36, 46)),
      2,
    );
  }
  const count = random.integer(1, 4);
  for (let i = 0; i < count; i++)
    cactus(
      canvas,
      random,
      (width / count) * (i + random.between(0.3, 0.7)),
      height * random.between(0.76, 0.94),
      height * random.between(0.24, 0.42),
    );
  return canvas.finish(capital(`${countOf(count, 'green cactus', 'green cacti')} in a sandy yellow desert`), [
    'cactus',
    'desert',
  ]);
}

function cactus(canvas: Canvas, random: SeededRandom, x: number, ground: number, size: number): void {
  const stem = size * 0.17;
  const color = hsl(random.between(128, 148), 42, random.between(26, 34));
  canvas.rect(x - stem / 2, ground - size, stem, size, color, `rx="${stem / 2}"`);
  for (const side of [-1, 1]) {
    const elbow = ground - size * random.between(0.35, 0.6);
    const tip = elbow - size * random.between(0.15, 0.3);
    canvas.path(
      `M${x} ${elbow} H${x + side * size * 0.22} V${tip}`,
      'none',
      `stroke="${color}" stroke-width="${stem * 0.7}" stroke-linecap="round" stroke-linejoin="round"`,
    );
  }
  canvas.mark('cactus', x - size * 0.22 - stem * 0.35, ground - size, size * 0.44 + stem * 0.7, size);
}

export const COUNTRY_FAMILIES: readonly SceneFamily[] = [
  { name: 'houses', folder: 'houses', draw: drawHouses },
  { name: 'sunset', folder: 'sunset over mountains', draw: drawSunset },
  { name: 'desert', folder: 'desert', draw: drawDesert },
];
