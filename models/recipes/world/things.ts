import { Canvas, hsl, shade, type Paint, type Point } from '../../../sample/drawing';
import * as paints from '../../../sample/families/paints';
import { drawBalloon, drawBoat, drawFish } from '../../../sample/families/sea-and-sky';
import { drawCar } from '../../../sample/families/town';
import { SeededRandom } from '../../../sample/seeded-random';

/** The box into which an object is drawn: `left`, `top` and `size` are in pixels. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

export interface Thing {
  readonly kind: string;
  readonly plural: string;
  readonly colours: readonly Paint[];
  draw(canvas: Canvas, random: SeededRandom, spot: Spot, paint: Paint): void;
}

const { BLACK, BLUE, BROWN, GREEN, GREY, ORANGE, PINK, PURPLE, RED, TEAL, WHITE, YELLOW } = paints;
const BRIGHT = [RED, ORANGE, YELLOW, GREEN, TEAL, BLUE, PURPLE, PINK];
const ANY = [...BRIGHT, WHITE, BLACK, BROWN, GREY];

const star = (x: number, y: number, radius: number, points: number, turn: number): Point[] =>
  Array.from({ length: points * 2 }, (_, at): Point => {
    const angle = turn + (at * Math.PI) / points;
    const reach = at % 2 === 0 ? radius : radius * 0.45;
    return [x + reach * Math.sin(angle), y - reach * Math.cos(angle)];
  });

/** A shape that fills its box. */
function figure(kind: string, draw: (canvas: Canvas, x: number, y: number, half: number, fill: string) => void): Thing {
  return {
    kind,
    plural: kind === 'cross' ? 'crosses' : `${kind}s`,
    colours: ANY,
    draw: (canvas, random, { left, top, size }, paint) => {
      draw(canvas, left + size / 2, top + size / 2, size / 2, shade(paint, random.between(-5, 5)));
      canvas.mark(kind, left, top, size, size);
    },
  };
}

export const FIGURES: readonly Thing[] = [
  figure('circle', (canvas, x, y, half, fill) => canvas.circle(x, y, half, fill)),
  figure('square', (canvas, x, y, half, fill) => canvas.rect(x - half, y - half, half * 2, half * 2, fill)),
  figure('triangle', (canvas, x, y, half, fill) =>
    canvas.polygon(
      [
        [x - half, y + half],
        [x, y - half],
        [x + half, y + half],
      ],
      fill,
    ),
  ),
  figure('star', (canvas, x, y, half, fill) => canvas.polygon(star(x, y, half * 1.05, 5, 0), fill)),
  figure('ring', (canvas, x, y, half, fill) =>
    canvas.circle(x, y, half * 0.78, 'none', `stroke="${fill}" stroke-width="${half * 0.42}"`),
  ),
  figure('cross', (canvas, x, y, half, fill) =>
    canvas
      .rect(x - half, y - half * 0.32, half * 2, half * 0.64, fill)
      .rect(x - half * 0.32, y - half, half * 0.64, half * 2, fill),
  ),
  figure('heart', (canvas, x, y, half, fill) =>
    canvas.path(
      `M${x} ${y + half} C${x - half * 2} ${y - half * 0.3} ${x - half * 0.8} ${y - half * 1.5} ${x} ${y - half * 0.45} C${x + half * 0.8} ${y - half * 1.5} ${x + half * 2} ${y - half * 0.3} ${x} ${y + half} Z`,
      fill,
    ),
  ),
];

/** A drawing of the sample, which chooses its colour at random: tries seeds until it has the wanted one. */
function ofSample(
  kind: string,
  colours: readonly Paint[],
  draw: (canvas: Canvas, random: SeededRandom, spot: Spot) => Paint,
): Thing {
  return {
    kind,
    plural: kind === 'fish' ? 'fish' : `${kind}s`,
    colours,
    draw: (canvas, random, spot, paint) => {
      for (;;) {
        const seed = random.integer(0, 1e9);
        const { name } = draw(new Canvas(canvas.width, canvas.height), new SeededRandom(seed), spot);
        if (name !== paint.name) continue;
        draw(canvas, new SeededRandom(seed), spot);
        return;
      }
    },
  };
}

export const BOAT = ofSample('boat', [RED, BLACK, BLUE, GREEN, ORANGE], (canvas, random, { left, top, size }) =>
  drawBoat(canvas, random, left + size * 0.05, top + size * 0.82, size * 0.9),
);
export const CAR = ofSample('car', [RED, BLUE, YELLOW, WHITE, GREEN, ORANGE], (canvas, random, { left, top, size }) =>
  drawCar(canvas, random, left, top + size, size),
);
export const FISH = ofSample('fish', [ORANGE, YELLOW, RED, PINK, PURPLE], (canvas, random, { left, top, size }) =>
  drawFish(canvas, random, left, top + size * 0.3, size),
);
export const BALLOON = ofSample(
  'balloon',
  [RED, YELLOW, PURPLE, GREEN, PINK, TEAL],
  (canvas, random, { left, top, size }) => drawBalloon(canvas, random, left + size / 2, top, size),
);

export const HOUSE: Thing = {
  kind: 'house',
  plural: 'houses',
  colours: [WHITE, YELLOW, PINK, TEAL, BLUE, GREY, RED],
  draw: (canvas, random, { left, top, size }, paint) => {
    const wall = top + size * random.between(0.36, 0.46);
    const roof = random.pick([BROWN, ORANGE, BLACK, RED]);
    canvas.rect(left + size * 0.1, wall, size * 0.8, top + size - wall, shade(paint));
    canvas.polygon(
      [
        [left, wall],
        [left + size / 2, top],
        [left + size, wall],
      ],
      shade(roof),
    );
    canvas.rect(left + size * 0.42, top + size * 0.68, size * 0.17, size * 0.32, shade(BROWN));
    for (const at of [0.18, 0.68])
      canvas.rect(left + size * at, wall + size * 0.1, size * 0.15, size * 0.15, hsl(200, 60, 80));
    canvas.mark('house', left, top, size, size);
  },
};

export const TREE: Thing = {
  kind: 'tree',
  plural: 'trees',
  colours: [GREEN, ORANGE, YELLOW, PINK],
  draw: (canvas, random, { left, top, size }, paint) => {
    const x = left + size / 2;
    canvas.rect(x - size * 0.06, top + size * 0.5, size * 0.12, size * 0.5, shade(BROWN));
    for (let at = 0; at < 6; at++) {
      const [dx, dy] = [random.between(-0.18, 0.18) * size, random.between(0.2, 0.45) * size];
      canvas.circle(x + dx, top + dy, size * random.between(0.17, 0.2), shade(paint, random.between(-7, 5)));
    }
    canvas.circle(x, top + size * 0.33, size * 0.26, shade(paint));
    canvas.mark('tree', x - size * 0.36, top, size * 0.72, size);
  },
};

export const LIGHTHOUSE: Thing = {
  kind: 'lighthouse',
  plural: 'lighthouses',
  colours: [RED, BLUE, BLACK, GREEN, ORANGE],
  draw: (canvas, random, { left, top, size }, paint) => {
    const x = left + size / 2;
    const half = (part: number): number => size * (0.11 + 0.09 * part);
    const level = (part: number): number => top + size * (0.22 + 0.78 * part);
    const bands = random.pick([4, 5, 6]);
    for (let at = 0; at < bands; at++) {
      const [from, to] = [at / bands, (at + 1) / bands];
      const corners: Point[] = [
        [x - half(from), level(from)],
        [x + half(from), level(from)],
        [x + half(to), level(to)],
        [x - half(to), level(to)],
      ];
      canvas.polygon(corners, shade(at % 2 === 0 ? paint : WHITE));
    }
    canvas.rect(x - size * 0.08, top + size * 0.1, size * 0.16, size * 0.12, hsl(50, 95, 70));
    canvas.rect(x - size * 0.15, top + size * 0.2, size * 0.3, size * 0.03, shade(BLACK));
    canvas.polygon(
      [
        [x - size * 0.11, top + size * 0.1],
        [x, top],
        [x + size * 0.11, top + size * 0.1],
      ],
      shade(paint, -8),
    );
    canvas.mark('lighthouse', x - size * 0.2, top, size * 0.4, size);
  },
};

export const TENT: Thing = {
  kind: 'tent',
  plural: 'tents',
  colours: BRIGHT,
  draw: (canvas, _random, { left, top, size }, paint) => {
    const [apex, base] = [top + size * 0.35, top + size];
    canvas.polygon(
      [
        [left, base],
        [left + size / 2, apex],
        [left + size, base],
      ],
      shade(paint),
    );
    canvas.polygon(
      [
        [left + size * 0.36, base],
        [left + size / 2, apex + size * 0.12],
        [left + size * 0.64, base],
      ],
      shade(BLACK),
    );
    canvas.mark('tent', left, apex, size, size * 0.65);
  },
};

export const UMBRELLA: Thing = {
  kind: 'umbrella',
  plural: 'umbrellas',
  colours: BRIGHT,
  draw: (canvas, _random, { left, top, size }, paint) => {
    const [x, rim] = [left + size / 2, top + size * 0.48];
    canvas.rect(x - size * 0.025, top + size * 0.1, size * 0.05, size * 0.9, shade(GREY, -20));
    canvas.path(`M${left} ${rim} A${size / 2} ${size * 0.46} 0 0 1 ${left + size} ${rim} Z`, shade(paint));
    canvas.path(
      `M${x - size * 0.17} ${rim} A${size * 0.17} ${size * 0.46} 0 0 1 ${x + size * 0.17} ${rim} Z`,
      shade(WHITE),
    );
    canvas.mark('umbrella', left, top, size, size);
  },
};

export const MUSHROOM: Thing = {
  kind: 'mushroom',
  plural: 'mushrooms',
  colours: [RED, BROWN, ORANGE, PURPLE],
  draw: (canvas, _random, { left, top, size }, paint) => {
    const [x, rim] = [left + size / 2, top + size * 0.55];
    canvas.rect(x - size * 0.13, rim - 4, size * 0.26, size * 0.45 + 4, shade(WHITE), `rx="${size * 0.06}"`);
    canvas.path(`M${left} ${rim} A${size / 2} ${size * 0.55} 0 0 1 ${left + size} ${rim} Z`, shade(paint));
    for (const [dx, dy] of [
      [-0.22, -0.14],
      [0.05, -0.34],
      [0.26, -0.12],
    ] as const)
      canvas.circle(x + dx * size, rim + dy * size, size * 0.06, '#fff');
    canvas.mark('mushroom', left, top, size, size);
  },
};

export const BIRD: Thing = {
  kind: 'bird',
  plural: 'birds',
  colours: [RED, BLUE, YELLOW, BLACK, WHITE, GREEN],
  draw: (canvas, random, { left, top, size }, paint) => {
    const side = random.pick([-1, 1]);
    const [x, y] = [left + size / 2, top + size * 0.55];
    canvas.polygon(
      [
        [x - side * size * 0.25, y],
        [x - side * size * 0.5, y - size * 0.12],
        [x - side * size * 0.48, y + size * 0.1],
      ],
      shade(paint, -10),
    );
    canvas.ellipse(x, y, size * 0.3, size * 0.18, shade(paint));
    canvas.circle(x + side * size * 0.3, y - size * 0.14, size * 0.13, shade(paint));
    canvas.polygon(
      [
        [x + side * size * 0.41, y - size * 0.2],
        [x + side * size * 0.54, y - size * 0.12],
        [x + side * size * 0.41, y - size * 0.08],
      ],
      shade(ORANGE),
    );
    canvas.polygon(
      [
        [x - size * 0.12, y - size * 0.05],
        [x - side * size * 0.12, y - size * 0.46],
        [x + size * 0.12, y - size * 0.05],
      ],
      shade(paint, -14),
    );
    canvas.circle(x + side * size * 0.33, y - size * 0.17, size * 0.025, paint === BLACK ? '#fff' : '#000');
    canvas.mark('bird', left, top + size * 0.09, size, size * 0.64);
  },
};

export const CACTUS: Thing = {
  kind: 'cactus',
  plural: 'cacti',
  colours: [GREEN],
  draw: (canvas, random, { left, top, size }, paint) => {
    const x = left + size / 2;
    const fill = shade(paint, random.between(-10, 0));
    canvas.rect(x - size * 0.09, top, size * 0.18, size, fill, `rx="${size * 0.09}"`);
    for (const side of [-1, 1]) {
      const elbow = top + size * random.between(0.45, 0.65);
      canvas.path(
        `M${x} ${elbow} H${x + side * size * 0.26} V${elbow - size * 0.22}`,
        'none',
        `stroke="${fill}" stroke-width="${size * 0.12}" stroke-linecap="round" stroke-linejoin="round"`,
      );
    }
    canvas.mark('cactus', left + size * 0.18, top, size * 0.64, size);
  },
};
