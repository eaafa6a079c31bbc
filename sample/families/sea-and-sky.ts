import { Canvas, capital, countOf, hsl, listOf, Paint, Scene, SceneFamily, shade } from '../drawing';
import { SeededRandom } from '../seeded-random';
import { BLACK, BLUE, GREEN, GREY, ORANGE, PINK, PURPLE, RED, TEAL, WHITE, YELLOW } from './paints';

export function drawBoat(canvas: Canvas, random: SeededRandom, x: number, water: number, size: number): Paint {
  const hull = random.pick([RED, BLACK, BLUE, GREEN, ORANGE]);
  const sail = random.pick([WHITE, WHITE, YELLOW, PINK]);
  const mast = size * random.between(0.75, 1.05);
  const keel = size * 0.18;
  canvas.polygon(
    [
      [x, water],
      [x + size, water],
      [x + size * 0.82, water + keel],
      [x + size * 0.18, water + keel],
    ],
    shade(hull),
  );
  canvas.line([x + size * 0.5, water], [x + size * 0.5, water - mast], '#3b2a1c', Math.max(2, size * 0.025));
  canvas.polygon(
    [
      [x + size * 0.53, water - mast],
      [x + size * 0.95, water - size * 0.08],
      [x + size * 0.53, water - size * 0.08],
    ],
    shade(sail),
  );
  canvas.polygon(
    [
      [x + size * 0.47, water - mast * 0.92],
      [x + size * 0.12, water - size * 0.08],
      [x + size * 0.47, water - size * 0.08],
    ],
    shade(sail, -6),
  );
  canvas.mark('boat', x, water - mast, size, mast + keel);
  return hull;
}

function drawSea(random: SeededRandom): Scene {
  const canvas = Canvas.of(random, 'landscape');
  const { width, height } = canvas;
  const horizon = height * random.between(0.4, 0.52);
  const seaHue = random.between(196, 216);
  canvas.background(canvas.vertical([0, hsl(204, 62, 74)], [0.5, hsl(196, 56, 88)]));
  canvas.rect(0, horizon, width, height - horizon, canvas.vertical([0, hsl(seaHue, 62, 46)], [1, hsl(seaHue, 68, 26)]));
  for (let i = 0; i < 55; i++) {
    const y = random.between(horizon + 4, height);
    const reach = 6 + ((y - horizon) / height) * 60;
    const x = random.between(-20, width);
    canvas.path(
      `M${x} ${y} q${reach / 2} ${-reach / 5} ${reach} 0`,
      'none',
      `stroke="${hsl(seaHue, 50, 66)}" stroke-width="2"`,
    );
  }
  const count = random.integer(1, 4);
  const hulls: string[] = [];
  for (let i = 0; i < count; i++) {
    const size = Math.min((width / count) * 0.8, height * random.between(0.28, 0.46));
    const x = (width / count) * i + random.between(0, width / count - size);
    hulls.push(drawBoat(canvas, random, x, horizon + height * random.between(0.1, 0.32), size).name);
  }
  const subject =
    count === 1
      ? `a ${hulls[0] ?? ''} sailing boat drifts`
      : `${countOf(count, 'sailing boat')} with ${listOf(hulls)} hulls drift`;
  return canvas.finish(capital(`${subject} on a blue sea`), ['boat', 'sea']);
}

export function drawFish(canvas: Canvas, random: SeededRandom, x: number, y: number, size: number): Paint {
  const skin = random.pick([ORANGE, YELLOW, RED, PINK, PURPLE]);
  const tall = size * random.between(0.4, 0.5);
  const facing = random.pick([-1, 1]);
  const at = (fraction: number): number => x + size * (facing === 1 ? fraction : 1 - fraction);
  canvas.polygon(
    [
      [at(0.3), y + tall / 2],
      [at(0), y + tall * 0.08],
      [at(0), y + tall * 0.92],
    ],
    shade(skin, -10),
  );
  canvas.ellipse(at(0.6), y + tall / 2, size * 0.4, tall / 2, shade(skin));
  canvas.rect(Math.min(at(0.5), at(0.57)), y + tall * 0.04, size * 0.07, tall * 0.92, shade(WHITE));
  canvas
    .circle(at(0.83), y + tall * 0.38, size * 0.045, '#fff')
    .circle(at(0.84), y + tall * 0.38, size * 0.022, '#000');
  canvas.mark('fish', x, y, size, tall);
  return skin;
}

function drawUnderwater(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const hue = random.between(174, 192);
  canvas.background(canvas.vertical([0, hsl(hue, 68, 52)], [1, hsl(hue + 14, 75, 22)]));
  canvas.polygon(
    [
      [0, height],
      [0, height * 0.9],
      [width * 0.4, height * random.between(0.84, 0.92)],
      [width, height * 0.9],
      [width, height],
    ],
    hsl(42, 48, 56),
  );
  for (let i = 0; i < random.integer(4, 9); i++) {
    const [x, tall] = [width * random.next(), height * random.between(0.15, 0.35)];
    canvas.path(
      `M${x} ${height * 0.94} q${tall * 0.25} ${-tall * 0.3} 0 ${-tall * 0.5} t0 ${-tall * 0.5}`,
      'none',
      `stroke="${hsl(140, 55, random.between(24, 38))}" stroke-width="7"`,
    );
  }
  for (let i = 0; i < 25; i++)
    canvas.circle(
      width * random.next(),
      height * random.next(),
      random.between(2, 6),
      'none',
      `stroke="${hsl(hue, 60, 78)}" stroke-width="2"`,
    );
  const [columns, rows] = [2, random.integer(1, 3)];
  const skins: string[] = [];
  for (let i = 0; i < columns * rows; i++) {
    if (random.chance(0.25) && skins.length > 0) continue;
    const [cellWidth, cellHeight] = [width / columns, (height * 0.82) / rows];
    const size = Math.min(cellWidth * 0.9, cellHeight * 1.8) * random.between(0.6, 1);
    const [left, top] = [(i % columns) * cellWidth, Math.floor(i / columns) * cellHeight];
    skins.push(
      drawFish(
        canvas,
        random,
        left + random.between(0, cellWidth - size),
        top + random.between(0, cellHeight - size * 0.5),
        size,
      ).name,
    );
  }
  const subject =
    skins.length === 1
      ? `a ${skins[0] ?? ''} fish swims`
      : `${countOf(skins.length, 'fish', 'fish')} in ${listOf(skins)} swim`;
  return canvas.finish(capital(`${subject} under water among green seaweed`), ['fish', 'underwater']);
}

function drawSky(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(random.between(214, 224), 78, 56)], [1, hsl(205, 80, 82)]));
  const count = random.integer(1, 4);
  const colours: string[] = [];
  for (let i = 0; i < count; i++) {
    const size = Math.min((width / count) * 0.85, height * random.between(0.36, 0.56));
    const [x, y] = [
      (width / count) * (i + 0.5) + random.between(-0.1, 0.1) * size,
      height * random.between(0.06, 0.32),
    ];
    colours.push(drawBalloon(canvas, random, x, y, size).name);
  }
  const subject =
    count === 1
      ? `a ${colours[0] ?? ''} hot-air balloon floats`
      : `${countOf(count, 'hot-air balloon')} in ${listOf(colours)} float`;
  return canvas.finish(capital(`${subject} in a clear blue sky`), ['balloon', 'sky']);
}

export function drawBalloon(canvas: Canvas, random: SeededRandom, x: number, y: number, size: number): Paint {
  const skin = random.pick([RED, YELLOW, PURPLE, GREEN, PINK, TEAL]);
  const half = size * 0.38;
  const stripes = [1, 0.66, 0.33];
  canvas.path(
    `M${x - half} ${y + half} A${half} ${half} 0 0 1 ${x + half} ${y + half} Q${x + half} ${y + size * 0.6} ${x + size * 0.09} ${y + size * 0.82} H${x - size * 0.09} Q${x - half} ${y + size * 0.6} ${x - half} ${y + half} Z`,
    shade(skin),
  );
  stripes.forEach((part, i) =>
    canvas.ellipse(x, y + size * 0.4, half * part * 0.96, size * 0.39, i % 2 === 0 ? shade(skin) : shade(WHITE)),
  );
  for (const side of [-1, 1])
    canvas.line([x + side * size * 0.08, y + size * 0.8], [x + side * size * 0.06, y + size * 0.9], '#4a3520', 2);
  canvas.rect(
    x - size * 0.07,
    y + size * 0.89,
    size * 0.14,
    size * 0.11,
    shade({ ...GREY, hue: 28, saturation: 45, lightness: 35 }),
  );
  canvas.mark('balloon', x - half, y, half * 2, size);
  return skin;
}

export const SEA_AND_SKY_FAMILIES: readonly SceneFamily[] = [
  { name: 'boats', folder: 'boats at sea', draw: drawSea },
  { name: 'fish', folder: 'fish 魚', draw: drawUnderwater },
  { name: 'balloons', folder: 'balloons', draw: drawSky },
];
