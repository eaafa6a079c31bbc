import { Canvas, capital, countOf, hsl, listOf, Paint, Scene, SceneFamily, shade } from '../drawing';
import { SeededRandom } from '../seeded-random';
import { BLUE, GREEN, ORANGE, RED, WHITE, YELLOW } from './paints';

function drawNight(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  const hue = random.between(224, 246);
  canvas.background(canvas.vertical([0, hsl(hue, 52, 15)], [1, hsl(hue + 26, 42, 36)]));
  for (let i = 0; i < 70; i++)
    canvas.circle(random.between(0, width), random.between(0, height * 0.6), random.between(0.6, 1.7), '#fff');
  const moon = random.chance(0.6);
  if (moon)
    canvas.circle(
      width * random.between(0.15, 0.85),
      height * random.between(0.12, 0.25),
      height * random.between(0.05, 0.08),
      hsl(50, 60, 86),
    );
  let towers = 0;
  for (let x = -random.between(0, 20); x < width; towers++) {
    const span = random.between(0.09, 0.16) * width;
    const top = height * random.between(0.28, 0.72);
    canvas.rect(x, top, span, height - top, hsl(hue, 24, random.between(7, 13)));
    if (random.chance(0.25)) canvas.line([x + span / 2, top], [x + span / 2, top - height * 0.09], '#15151f', 3);
    windows(canvas, random, x, top, span);
    x += span * random.between(0.92, 1.12);
  }
  const light = moon ? 'under the moon' : 'under the stars';
  return canvas.finish(
    `A city skyline at night, its tall dark buildings with lit yellow windows ${light}`,
    ['city', 'night'],
    3,
  );
}

function windows(canvas: Canvas, random: SeededRandom, left: number, top: number, span: number): void {
  const step = random.between(13, 19);
  for (let y = top + 8; y < canvas.height - 6; y += step) {
    for (let x = left + 6; x < left + span - 8; x += step * 0.8) {
      if (random.chance(0.62))
        canvas.rect(x, y, step * 0.42, step * 0.5, hsl(random.between(40, 54), 95, random.between(58, 74)));
    }
  }
}

export function drawCar(canvas: Canvas, random: SeededRandom, x: number, ground: number, size: number): Paint {
  const body = random.pick([RED, BLUE, YELLOW, WHITE, GREEN, ORANGE]);
  const wheel = size * 0.1;
  const base = ground - wheel;
  canvas.path(
    `M${x + size * 0.2} ${base - size * 0.2} L${x + size * 0.32} ${base - size * 0.37} H${x + size * 0.66} L${x + size * 0.8} ${base - size * 0.2} Z`,
    shade(body, -6),
  );
  canvas.polygon(
    [
      [x + size * 0.26, base - size * 0.2],
      [x + size * 0.34, base - size * 0.33],
      [x + size * 0.64, base - size * 0.33],
      [x + size * 0.74, base - size * 0.2],
    ],
    hsl(200, 45, 78),
  );
  canvas.rect(x, base - size * 0.21, size, size * 0.21, shade(body), `rx="${size * 0.06}"`);
  for (const at of [0.22, 0.78]) {
    canvas.circle(x + size * at, base, wheel, '#151515').circle(x + size * at, base, wheel * 0.5, '#b5b5b5');
  }
  canvas.mark('car', x, base - size * 0.37, size, size * 0.37 + wheel);
  return body;
}

function drawRoad(random: SeededRandom): Scene {
  const canvas = Canvas.of(random, 'landscape');
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(205, 30, 74)], [0.6, hsl(205, 26, 86)]));
  const kerb = height * random.between(0.44, 0.54);
  for (let x = 0; x < width; x += width * 0.18) {
    const tall = height * random.between(0.12, 0.3);
    canvas.rect(
      x,
      kerb - tall,
      width * random.between(0.1, 0.17),
      tall,
      hsl(random.between(10, 40), 16, random.between(56, 68)),
    );
  }
  canvas.rect(0, kerb, width, height * 0.05, hsl(95, 32, 44));
  canvas.rect(0, kerb + height * 0.05, width, height, hsl(220, 5, random.between(30, 38)));
  const middle = kerb + (height - kerb) * 0.56;
  for (let x = random.between(-40, 0); x < width; x += 70) canvas.rect(x, middle, 38, 6, '#f2f2f2');
  const colours: string[] = [];
  for (const ground of [middle - 6, height - random.between(8, 20)]) {
    const count = random.integer(1, 2);
    for (let i = 0; i < count; i++) {
      const size = Math.min((width / count) * 0.8, height * random.between(0.4, 0.52));
      colours.push(
        drawCar(canvas, random, (width / count) * i + random.between(0, width / count - size), ground, size).name,
      );
    }
  }
  return canvas.finish(capital(`${countOf(colours.length, 'car')} in ${listOf(colours)} on a grey road through town`), [
    'car',
    'road',
  ]);
}

export const TOWN_FAMILIES: readonly SceneFamily[] = [
  { name: 'city-night', folder: 'city at night', draw: drawNight },
  { name: 'cars', folder: 'cars', draw: drawRoad },
];
