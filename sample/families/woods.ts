import { Canvas, hsl, ridge, Scene, SceneFamily, shade } from '../drawing';
import { SeededRandom } from '../seeded-random';
import { BLUE, ORANGE, PURPLE, RED, TEAL } from './paints';

function fir(canvas: Canvas, random: SeededRandom, x: number, ground: number, size: number, color: string): void {
  const tiers = random.integer(3, 4);
  const half = size * random.between(0.2, 0.27);
  canvas.rect(x - size * 0.035, ground - size * 0.15, size * 0.07, size * 0.15, hsl(24, 42, 24));
  for (let i = 0; i < tiers; i++) {
    const base = ground - size * (0.12 + (i * 0.62) / tiers);
    const reach = half * (1 - (i * 0.55) / tiers);
    canvas.polygon(
      [
        [x - reach, base],
        [x, base - (size * 0.98) / tiers],
        [x + reach, base],
      ],
      color,
    );
  }
}

function drawForest(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  canvas.background(
    canvas.vertical(
      [0, hsl(random.between(130, 215), random.between(15, 45), random.between(66, 86))],
      [1, hsl(random.between(80, 130), 28, random.between(40, 60))],
    ),
  );
  const rows = random.integer(2, 4);
  const tall = random.between(0.7, 1.25);
  const hue = random.between(100, 150);
  for (let row = 0; row < rows; row++) {
    const ground = height * (0.55 + (0.45 * (row + 1)) / rows);
    const size = height * tall * (0.36 + (0.28 * row) / rows);
    const count = Math.round((width / size) * random.between(2.4, 3.4));
    for (let i = 0; i < count; i++) {
      const x = (width * (i + random.between(0.1, 0.9))) / count;
      const color = hsl(
        hue + random.between(-5, 22),
        random.between(30, 48),
        random.between(34, 42) - (20 * row) / rows,
      );
      fir(canvas, random, x, ground + random.between(-8, 8), size * random.between(0.75, 1.15), color);
    }
  }
  const mood = random.pick(['dense', 'deep', 'misty', 'quiet']);
  return canvas.finish(`A ${mood} forest of tall green fir trees`, ['forest', 'trees']);
}

function drawWinter(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(random.between(205, 220), 34, 52)], [0.8, hsl(208, 38, 74)]));
  const ground = height * random.between(0.62, 0.74);
  for (let i = 0; i < random.integer(2, 5); i++)
    fir(canvas, random, width * random.next(), ground + 10, height * random.between(0.25, 0.4), hsl(165, 22, 28));
  canvas.polygon(ridge(canvas, random, ground, 8, 6), hsl(210, 30, 90));
  const count = random.integer(1, 2);
  for (let i = 0; i < count; i++) {
    const size = Math.min(width * 0.5, height * random.between(0.34, 0.48));
    const x = (width / count) * (i + random.between(0.38, 0.62));
    snowman(canvas, random, x, ground + height * random.between(0.1, 0.2), size);
  }
  for (let i = 0; i < random.integer(60, 140); i++)
    canvas.circle(width * random.next(), height * random.next(), random.between(1.5, 4), '#fff');
  return canvas.finish(
    `${count === 1 ? 'A snowman stands' : 'Two snowmen stand'} in the snow on a grey-blue winter day`,
    ['snowman', 'winter'],
  );
}

function snowman(canvas: Canvas, random: SeededRandom, x: number, ground: number, size: number): void {
  const outline = `stroke="${hsl(210, 25, 66)}" stroke-width="3"`;
  canvas.circle(x, ground - size * 0.22, size * 0.22, '#fdfdfd', outline);
  canvas.circle(x, ground - size * 0.54, size * 0.16, '#fdfdfd', outline);
  canvas.circle(x, ground - size * 0.78, size * 0.11, '#fdfdfd', outline);
  canvas
    .rect(x - size * 0.15, ground - size * 0.89, size * 0.3, size * 0.03, '#222')
    .rect(x - size * 0.09, ground - size, size * 0.18, size * 0.12, '#222');
  canvas.rect(
    x - size * 0.13,
    ground - size * 0.69,
    size * 0.26,
    size * 0.045,
    shade(random.pick([RED, BLUE, PURPLE, TEAL])),
  );
  canvas.polygon(
    [
      [x, ground - size * 0.79],
      [x + size * 0.12, ground - size * 0.76],
      [x, ground - size * 0.75],
    ],
    shade(ORANGE),
  );
  for (const eye of [-0.04, 0.04]) canvas.circle(x + size * eye, ground - size * 0.82, size * 0.014, '#111');
  canvas.mark('snowman', x - size * 0.22, ground - size, size * 0.44, size);
}

export const WOODS_FAMILIES: readonly SceneFamily[] = [
  { name: 'forest', folder: 'forêt', draw: drawForest },
  { name: 'winter', folder: 'winter', draw: drawWinter },
];
