import { type Canvas, hsl, ridge, shade, type Paint } from '../../../sample/drawing';
import * as paints from '../../../sample/families/paints';
import type { SeededRandom } from '../../../sample/seeded-random';
import * as things from './things';

export const TIMES = ['day', 'night', 'sunset'] as const;
export type Time = (typeof TIMES)[number];
export const WEATHERS = ['clear', 'rain', 'snowfall', 'fog'] as const;
export type Weather = (typeof WEATHERS)[number];

/** The surroundings of a scene. */
export interface Place {
  readonly words: string;
  readonly labels: readonly string[];
  readonly things: readonly things.Thing[];
  /** Whether objects stand on the ground; otherwise they may be anywhere in the picture. */
  readonly isGround: boolean;
  readonly hasWeather: boolean;
  /** Returns the height of the horizon, as a fraction. */
  draw(canvas: Canvas, random: SeededRandom, time: Time): number;
}

const GROUND_THINGS = [
  things.HOUSE,
  things.TREE,
  things.TENT,
  things.UMBRELLA,
  things.MUSHROOM,
  things.CAR,
  things.BIRD,
];

/** The colours of the sky, from top to horizon. */
function sky(canvas: Canvas, random: SeededRandom, time: Time): string {
  const by = random.between(-8, 8);
  switch (time) {
    case 'day':
      return random.chance(0.3)
        ? hsl(205 + by, random.between(28, 75), random.between(60, 82))
        : canvas.vertical([0, hsl(208 + by, 70, 60 + by / 2)], [1, hsl(200 + by, 65, 85)]);
    case 'night':
      return canvas.vertical([0, hsl(232 + by, 52, 13)], [1, hsl(250 + by, 42, 32)]);
    case 'sunset':
      return canvas.vertical([0, hsl(280 + by, 42, 38)], [0.5, hsl(350 + by, 65, 56)], [0.9, hsl(36, 95, 62)]);
  }
}

function lightsInSky(canvas: Canvas, random: SeededRandom, time: Time, horizon: number): void {
  const { width, height } = canvas;
  const [x, radius] = [width * random.between(0.1, 0.9), height * random.between(0.04, 0.07)];
  if (time === 'night') {
    for (let at = 0; at < 50; at++)
      canvas.circle(width * random.next(), height * horizon * random.next(), random.between(0.7, 1.7), '#fff');
    if (random.chance(0.5)) canvas.circle(x, height * 0.14, radius, hsl(50, 60, 86));
  } else if (time === 'sunset') canvas.circle(x, height * (horizon - 0.08), radius * 1.2, hsl(48, 100, 74));
  else if (random.chance(0.3)) canvas.circle(x, height * 0.13, radius, hsl(48, 95, 62));
  if (time === 'night') return;
  for (let at = random.integer(0, 4); at > 0; at--)
    canvas.ellipse(
      width * random.next(),
      height * horizon * random.between(0.1, 0.6),
      width * random.between(0.04, 0.12),
      height * 0.025,
      '#fff',
      'opacity="0.5"',
    );
}

/** Flat, hilly, or flecked. */
function ground(canvas: Canvas, random: SeededRandom, horizon: number, fill: string, fleck: string): void {
  const { width, height } = canvas;
  if (random.chance(0.5)) canvas.rect(0, height * horizon, width, height, fill);
  else canvas.polygon(ridge(canvas, random, height * horizon, height * random.between(0, 0.04), 6), fill);
  const isFlecked = random.chance(0.6);
  for (let at = isFlecked ? 50 : 0; at > 0; at--)
    canvas.rect(
      width * random.next(),
      height * random.between(horizon + 0.05, 1),
      random.between(6, 26),
      3,
      fleck,
      'opacity="0.35"',
    );
}

function outdoors(
  words: string,
  labels: readonly string[],
  inside: readonly things.Thing[],
  fillOf: (random: SeededRandom, time: Time) => string,
): Place {
  return {
    words,
    labels,
    things: inside,
    isGround: true,
    hasWeather: true,
    draw: (canvas, random, time) => {
      const horizon = random.between(0.4, 0.62);
      canvas.background(sky(canvas, random, time));
      lightsInSky(canvas, random, time, horizon);
      ground(canvas, random, horizon, fillOf(random, time), random.pick(['#fff', '#000']));
      return horizon;
    },
  };
}

const darker = (lightness: number, time: Time): number => (time === 'night' ? lightness * 0.45 : lightness);

const OUTDOORS: readonly Place[] = [
  outdoors('on green grass', ['grass'], GROUND_THINGS, (random, time) =>
    hsl(random.between(85, 125), 46, darker(random.between(34, 48), time)),
  ),
  outdoors('on a sandy beach', ['beach'], [things.UMBRELLA, things.TENT, things.HOUSE, things.BIRD], (random, time) =>
    hsl(random.between(40, 46), 62, darker(random.between(70, 80), time)),
  ),
  outdoors(
    'in the desert',
    ['desert'],
    [things.CACTUS, things.CACTUS, things.TENT, things.CAR, things.HOUSE],
    (random, time) => hsl(random.between(30, 38), 62, darker(random.between(52, 64), time)),
  ),
  outdoors('on snowy ground', ['snow'], [things.HOUSE, things.TREE, things.TENT, things.CAR], (random, time) =>
    hsl(210, 30, darker(random.between(88, 94), time)),
  ),
  outdoors('on a grey road', ['road'], [things.CAR], (random, time) =>
    hsl(220, 5, darker(random.between(30, 40), time)),
  ),
  outdoors('on a blue sea', ['sea'], [things.BOAT, things.BOAT, things.BIRD], (random, time) =>
    hsl(random.between(200, 216), 62, darker(random.between(32, 46), time)),
  ),
  {
    ...outdoors('by the sea', ['sea', 'coast'], [things.LIGHTHOUSE], () => ''),
    draw: (canvas, random, time) => {
      const { width, height } = canvas;
      const horizon = random.between(0.5, 0.64);
      canvas.background(sky(canvas, random, time));
      lightsInSky(canvas, random, time, horizon);
      ground(canvas, random, horizon, hsl(random.between(200, 216), 60, darker(40, time)), '#fff');
      const fill = hsl(random.pick([28, 95, 210]), 18, darker(random.between(28, 44), time));
      canvas.polygon(ridge(canvas, random, height * (horizon + 0.16), height * 0.04, 7), fill);
      canvas.rect(0, height * 0.9, width, height * 0.1, fill);
      return horizon + 0.08;
    },
  },
];

const IN_THE_SKY: Place = {
  ...outdoors('in the sky', ['sky'], [things.BALLOON, things.BALLOON, things.BIRD], () => ''),
  isGround: false,
  draw: (canvas, random, time) => {
    canvas.background(sky(canvas, random, time));
    const horizon = random.pick([1, 0.85]);
    lightsInSky(canvas, random, time, horizon);
    if (horizon < 1) ground(canvas, random, horizon, hsl(100, 42, darker(40, time)), '#fff');
    return 0;
  },
};

const UNDER_WATER: Place = {
  words: 'under water',
  labels: ['underwater'],
  things: [things.FISH],
  isGround: false,
  hasWeather: false,
  draw: (canvas, random) => {
    const hue = random.between(176, 194);
    const isFlat = random.chance(0.5);
    canvas.background(isFlat ? hsl(hue, 66, 42) : canvas.vertical([0, hsl(hue, 66, 50)], [1, hsl(hue + 12, 74, 24)]));
    if (random.chance(0.6)) ground(canvas, random, random.between(0.85, 0.93), hsl(42, 48, 56), '#fff');
    return 0;
  },
};

const BACKDROPS = [
  paints.WHITE,
  paints.GREY,
  paints.BLACK,
  paints.BLUE,
  paints.GREEN,
  paints.PINK,
  paints.YELLOW,
  paints.BROWN,
];

/** A plain, striped, chequered or dotted background in one colour. */
export function backdrop(random: SeededRandom): { readonly place: Place; readonly paint: Paint } {
  const paint = random.pick(BACKDROPS);
  const texture = random.pick(['plain', 'plain', 'striped', 'chequered', 'dotted']);
  const name = texture === 'plain' ? paint.name : `${texture} ${paint.name}`;
  const place: Place = {
    words: `on ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name} background`,
    labels: [texture === 'plain' ? 'plain background' : `${texture} background`],
    things: things.FIGURES,
    isGround: false,
    hasWeather: false,
    draw: (canvas, own) => {
      canvas.background(shade(paint));
      const step = own.between(34, 56);
      const fill = shade(paint, paint.lightness > 60 ? -9 : 9);
      const isShown = (row: number, column: number): boolean =>
        texture === 'striped'
          ? row % 2 === 0
          : texture === 'chequered'
            ? (row + column) % 2 === 0
            : texture === 'dotted';
      for (let row = 0; row * step < canvas.height; row++) {
        for (let column = 0; column * step < canvas.width; column++) {
          if (!isShown(row, column)) continue;
          if (texture === 'dotted') canvas.circle((column + 0.5) * step, (row + 0.5) * step, step * 0.16, fill);
          else canvas.rect(column * step, row * step, step, step, fill);
        }
      }
      return 0;
    },
  };
  return { place, paint };
}

/** Grounds are repeated, because they vary most. */
export const PLACES: readonly Place[] = [...OUTDOORS, ...OUTDOORS, IN_THE_SKY, IN_THE_SKY, UNDER_WATER];

/** Drawn over everything else. */
export function drawWeather(canvas: Canvas, random: SeededRandom, weather: Weather): void {
  const { width, height } = canvas;
  if (weather === 'fog') canvas.rect(0, 0, width, height, hsl(200, 12, 84), `opacity="${random.between(0.4, 0.58)}"`);
  if (weather === 'snowfall')
    for (let at = random.integer(70, 140); at > 0; at--)
      canvas.circle(width * random.next(), height * random.next(), random.between(2, 4.5), '#fff');
  if (weather === 'rain') {
    const slant = random.between(-9, 9);
    for (let at = random.integer(80, 150); at > 0; at--) {
      const [x, y] = [width * random.next(), height * random.next()];
      canvas.line([x, y], [x + slant, y + random.between(22, 34)], hsl(205, 40, 88), 2);
    }
  }
}
