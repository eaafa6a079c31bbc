import { Canvas, hsl, Scene, SceneFamily, shade } from '../drawing';
import { SeededRandom } from '../seeded-random';
import { BLUE, GREEN, ORANGE, PINK, PURPLE, RED, TEAL, WHITE, YELLOW } from './paints';

function drawStripes(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const first = random.pick([RED, BLUE, TEAL, PURPLE]);
  const second = random.pick([YELLOW, WHITE, PINK]);
  const wide = random.between(16, 36);
  const angle = random.between(35, 55);
  canvas.background(shade(second));
  const turn = `transform="rotate(${angle.toFixed(1)} ${(width / 2).toFixed(0)} ${(height / 2).toFixed(0)})"`;
  const reach = width + height;
  for (let x = -reach / 2 + random.between(0, wide); x < reach; x += wide * 2) {
    canvas.rect(x, -reach / 2, wide, reach * 2, shade(first, random.between(-3, 3)), turn);
  }
  return canvas.finish(
    `A pattern of ${random.pick(['bold', 'slanting', 'diagonal'])} ${first.name} and ${second.name} stripes`,
    ['stripes', 'pattern'],
    7,
  );
}

function drawTartan(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const base = random.pick([RED, GREEN, BLUE, PURPLE]);
  const line = random.pick([YELLOW, WHITE]);
  const pitch = random.between(54, 92);
  canvas.background(shade(base));
  const [offsetX, offsetY] = [random.between(0, pitch), random.between(0, pitch)];
  const band = pitch * random.between(0.36, 0.5);
  for (let x = offsetX - pitch; x < width; x += pitch) {
    canvas.rect(x, 0, band, height, '#101018', 'opacity="0.45"').rect(x + pitch * 0.75, 0, 4, height, shade(line));
  }
  for (let y = offsetY - pitch; y < height; y += pitch) {
    canvas.rect(0, y, width, band, '#101018', 'opacity="0.45"').rect(0, y + pitch * 0.75, width, 4, shade(line));
  }
  return canvas.finish(`A ${base.name} checked tartan cloth with thin ${line.name} lines`, ['checks', 'cloth'], 6);
}

function drawWood(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const hue = random.between(22, 34);
  const lightness = random.between(36, 56);
  const plank = random.between(70, 130);
  for (let top = -random.between(0, plank); top < height; top += plank) {
    const level = lightness + random.between(-5, 5);
    canvas.rect(0, top, width, plank, hsl(hue, 45, level));
    const knot = {
      x: random.between(0, width),
      y: top + plank * random.between(0.3, 0.7),
      size: plank * random.between(0.2, 0.4),
    };
    for (let y = top + 4; y < top + plank - 3; y += random.between(4, 9)) {
      canvas.path(
        grain(random, width, y, knot),
        'none',
        `stroke="${hsl(hue - 3, 48, level - random.between(7, 18))}" stroke-width="${random.between(1, 2.8).toFixed(1)}"`,
      );
    }
    if (random.chance(0.6))
      canvas.ellipse(knot.x, knot.y, knot.size * 0.5, knot.size * 0.22, hsl(hue - 6, 50, level - 22));
    canvas.rect(0, top + plank - 3, width, 3, hsl(hue, 45, 14));
  }
  const tone = lightness > 46 ? 'Light' : 'Dark';
  return canvas.finish(`${tone} brown wooden planks with a fine grain`, ['wood', 'texture'], 5);
}

function grain(random: SeededRandom, width: number, y: number, knot: { x: number; y: number; size: number }): string {
  const phase = random.between(0, 6.3);
  const parts: string[] = [];
  for (let x = -10; x <= width + 10; x += 20) {
    const near = Math.exp(-(((x - knot.x) / knot.size) ** 2));
    const away = Math.sign(y - knot.y || 1) * near * Math.max(0, knot.size * 0.55 - Math.abs(y - knot.y) * 0.4);
    parts.push(`${x === -10 ? 'M' : 'L'}${String(x)} ${(y + away + Math.sin(x / 90 + phase) * 2.2).toFixed(1)}`);
  }
  return parts.join(' ');
}

function drawBricks(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const hue = random.between(6, 20);
  const lightness = random.between(36, 48);
  const tall = random.between(26, 42);
  const long = tall * random.between(2.1, 2.5);
  canvas.background(hsl(35, 10, random.between(68, 80)));
  const start = -random.between(0, long);
  for (let row = 0, y = -random.between(0, tall); y < height; row++, y += tall) {
    for (let x = start - (row % 2) * (long / 2); x < width; x += long) {
      canvas.rect(
        x,
        y,
        long - 5,
        tall - 5,
        hsl(hue + random.between(-4, 4), random.between(42, 56), lightness + random.between(-7, 7)),
      );
    }
  }
  return canvas.finish(
    `A ${random.pick(['red', 'reddish', 'brick-red'])} wall of bricks laid in rows with pale mortar`,
    ['bricks', 'wall'],
    7,
  );
}

function drawClouds(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(random.between(206, 216), 66, 46)], [1, hsl(202, 62, 68)]));
  const frequency = random.between(0.006, 0.011).toFixed(4);
  const cover = random.between(-1.5, -1.15).toFixed(2);
  const filter = canvas.define(
    'filter',
    'x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB"',
    `<feTurbulence type="fractalNoise" baseFrequency="${frequency} ${(Number(frequency) * 1.7).toFixed(4)}" numOctaves="5" seed="${String(random.integer(1, 9999))}"/>` +
      `<feColorMatrix values="0 0 0 0 1  0 0 0 0 1  0 0 0 0 1  3.6 0 0 0 ${cover}"/>`,
  );
  canvas.rect(0, 0, width, height, '#fff', `filter="${filter}"`);
  const birds = random.integer(4, 9);
  const flock = { x: width * random.between(0.2, 0.7), y: height * random.between(0.2, 0.7) };
  for (let i = 0; i < birds; i++) {
    const [x, y, wing] = [flock.x + random.between(-90, 90), flock.y + random.between(-70, 70), random.between(7, 13)];
    canvas.path(
      `M${(x - wing).toFixed(0)} ${(y - wing * 0.4).toFixed(0)} Q${(x - wing * 0.4).toFixed(0)} ${(y - wing * 0.7).toFixed(0)} ${x.toFixed(0)} ${y.toFixed(0)} Q${(x + wing * 0.4).toFixed(0)} ${(y - wing * 0.7).toFixed(0)} ${(x + wing).toFixed(0)} ${(y - wing * 0.4).toFixed(0)}`,
      'none',
      'stroke="#1c2530" stroke-width="2.5"',
    );
  }
  return canvas.finish('A flock of small dark birds among white clouds in a blue sky', ['clouds', 'sky'], 5);
}

export const TEXTURE_FAMILIES: readonly SceneFamily[] = [
  { name: 'stripes', folder: 'patterns/stripes', draw: drawStripes },
  { name: 'tartan', folder: 'patterns/tartan', draw: drawTartan },
  { name: 'wood', folder: 'patterns/wood grain', draw: drawWood },
  { name: 'bricks', folder: 'patterns/bricks', draw: drawBricks },
  { name: 'clouds', folder: 'clouds', draw: drawClouds },
];

function drawBands(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const from = random.between(140, 205);
  const to = from + random.between(80, 140);
  const bands = random.integer(7, 12);
  const tilt = random.between(-0.3, 0.3) * width;
  canvas.background(hsl(from, 62, 74));
  for (let i = 0; i < bands; i++) {
    const t = i / (bands - 1);
    const y = (height * 1.3 * i) / bands - height * 0.15;
    canvas.polygon(
      [
        [0, y - tilt],
        [width, y + tilt],
        [width, height * 2],
        [0, height * 2],
      ],
      hsl(from + (to - from) * t, 62, 74 - 42 * t),
    );
    canvas.line([0, y - tilt], [width, y + tilt], hsl(from + (to - from) * t, 70, 86 - 30 * t), 3);
  }
  return canvas.finish(
    'A smooth gradient in steps, from pale green-blue at the top to deep violet below',
    ['gradient'],
    6,
  );
}

function drawOrbs(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  canvas.background(
    canvas.linear(
      [0, 0, 1, 1],
      [
        [0, hsl(random.between(36, 52), 92, 66)],
        [1, hsl(random.between(338, 352), 78, 58)],
      ],
    ),
  );
  const count = random.integer(6, 12);
  for (let i = 0; i < count; i++) {
    const radius = Math.min(width, height) * random.between(0.06, 0.24);
    const paint = random.pick([ORANGE, PINK, YELLOW, WHITE, PURPLE]);
    canvas.circle(
      width * random.next(),
      height * random.next(),
      radius,
      canvas.radial([0, shade(WHITE)], [1, shade(paint)]),
      'opacity="0.75"',
    );
  }
  return canvas.finish('Soft glowing circles over a gradient from yellow to pink', ['gradient', 'circles'], 5);
}

export const GRADIENT_FAMILIES: readonly SceneFamily[] = [
  { name: 'gradient-bands', folder: 'gradients/bands', draw: drawBands },
  { name: 'gradient-orbs', folder: 'gradients/orbs', draw: drawOrbs },
];
