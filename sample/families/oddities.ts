import { Canvas, hsl, Point, Scene } from '../drawing';
import { SeededRandom } from '../seeded-random';

type Draw = (canvas: Canvas, random: SeededRandom) => string;

const polar = (x: number, y: number, radius: number, angle: number): Point => [
  x + radius * Math.cos(angle),
  y + radius * Math.sin(angle),
];

const maze: Draw = (canvas, random) => {
  canvas.background('#0c0');
  const step = 24;
  for (let y = 0; y < canvas.height; y += step) {
    for (let x = 0; x < canvas.width; x += step) {
      canvas.line([x, y + (random.chance(0.5) ? step : 0)], [x + step, y], '#041', 6);
    }
  }
  return 'A green labyrinth';
};

const page: Draw = (canvas, random) => {
  canvas.background('#c9c2ae');
  for (let y = 30; y < canvas.height - 30; y += 17) {
    for (let x = 34; x < canvas.width - 70;) {
      const word = random.between(10, 60);
      canvas.rect(x, y, word, 7, '#222');
      x += word + 8;
    }
  }
  return 'A page of printed text';
};

const chart: Draw = (canvas, random) => {
  canvas
    .background('#d8e4d8')
    .line([40, 20], [40, canvas.height - 30], '#000', 4)
    .line([40, canvas.height - 30], [canvas.width - 10, canvas.height - 30], '#000', 4);
  for (let x = 60; x < canvas.width - 40; x += 46) {
    const tall = random.between(0.1, 0.85) * canvas.height;
    canvas.rect(x, canvas.height - 32 - tall, 30, tall, '#0a7d3c');
  }
  return 'A bar chart with green bars';
};

const squares: Draw = (canvas) => {
  const { width, height } = canvas;
  canvas
    .background('#f2efe6')
    .rect(0, 0, width * 0.3, height * 0.4, '#d81e1e')
    .rect(width * 0.7, height * 0.6, width * 0.3, height * 0.4, '#1432b4');
  canvas.rect(0, height * 0.8, width * 0.3, height * 0.2, '#f4d314');
  for (const at of [0.3, 0.7]) canvas.line([width * at, 0], [width * at, height], '#000', 16);
  for (const at of [0.4, 0.6, 0.8]) canvas.line([0, height * at], [width, height * at], '#000', 16);
  return 'A painting of red, blue and yellow squares between black lines';
};

const spiral: Draw = (canvas) => {
  const [x, y] = [canvas.width / 2, canvas.height / 2];
  const points: string[] = [];
  for (let i = 0; i < 900; i++)
    points.push(
      polar(x, y, i * 0.32, i * 0.09)
        .map((value) => value.toFixed(1))
        .join(','),
    );
  canvas
    .background('#111')
    .add(`<polyline points="${points.join(' ')}" fill="none" stroke="#ffe14d" stroke-width="6"/>`);
  return 'A yellow spiral on black';
};

const galaxy: Draw = (canvas, random) => {
  canvas.background('#1a0f2e');
  for (let i = 0; i < 1400; i++) {
    const t = random.between(0.1, 6);
    const [x, y] = polar(canvas.width / 2, canvas.height / 2, t * 40 + random.between(-18, 18), t + (i % 2) * Math.PI);
    canvas.circle(x, y, random.between(0.8, 3.4), hsl(random.between(180, 330), 80, random.between(70, 90)));
  }
  return 'A spiral galaxy of coloured stars';
};

const barcode: Draw = (canvas, random) => {
  canvas.background('#fff').rect(0, 0, canvas.width, canvas.height, '#ddd');
  for (let x = 30; x < canvas.width - 30;) {
    const wide = random.integer(2, 12);
    canvas.rect(x, canvas.height * 0.2, wide, canvas.height * 0.6, '#000');
    x += wide + random.integer(3, 10);
  }
  return 'A black and white barcode';
};

const circuit: Draw = (canvas, random) => {
  canvas.background('#06402b');
  for (let i = 0; i < 60; i++) {
    const [x, y] = [random.integer(0, 24) * 26, random.integer(0, 24) * 26];
    const [across, down] = [random.integer(-5, 5) * 26, random.integer(-5, 5) * 26];
    canvas.path(
      `M${String(x)} ${String(y)} h${String(across)} v${String(down)}`,
      'none',
      'stroke="#d4a437" stroke-width="4"',
    );
    canvas.circle(x, y, 8, '#d9d9d9').circle(x, y, 3, '#222');
  }
  return 'A printed circuit board with copper tracks';
};

const contours: Draw = (canvas) => {
  const { width, height } = canvas;
  canvas.background('#e9d9b0');
  for (let ring = 20; ring > 0; ring--) {
    const shape = Array.from({ length: 48 }, (_, i) =>
      polar(
        width * 0.45,
        height * 0.55,
        ring * 20 * (1 + 0.25 * Math.sin((i * Math.PI) / 8 + ring / 5)),
        (i * Math.PI) / 24,
      ),
    );
    canvas.polygon(shape, 'none', 'stroke="#7a4b12" stroke-width="2"');
  }
  return 'A map with brown contour lines';
};

const score: Draw = (canvas, random) => {
  canvas.background('#fbf6e4');
  for (let top = 40; top < canvas.height - 60; top += 110) {
    for (let i = 0; i < 5; i++) canvas.line([0, top + i * 12], [canvas.width, top + i * 12], '#333', 2);
    for (let x = 50; x < canvas.width - 20; x += random.between(34, 60)) {
      const y = top + random.integer(0, 8) * 6;
      canvas.ellipse(x, y, 9, 6, '#000').line([x + 8, y], [x + 8, y - 38], '#000', 3);
    }
  }
  return 'A sheet of music';
};

const triangles: Draw = (canvas) => {
  canvas.background('#3d0c4f');
  const split = ([a, b, c]: readonly [Point, Point, Point], depth: number): void => {
    if (depth === 0) {
      canvas.polygon([a, b, c], '#41e0d0');
      return;
    }
    const middle = (p: Point, q: Point): Point => [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
    split([a, middle(a, b), middle(a, c)], depth - 1);
    split([middle(a, b), b, middle(b, c)], depth - 1);
    split([middle(a, c), middle(b, c), c], depth - 1);
  };
  split(
    [
      [canvas.width / 2, 10],
      [10, canvas.height - 10],
      [canvas.width - 10, canvas.height - 10],
    ],
    5,
  );
  return 'A triangle made of ever smaller turquoise triangles';
};

const noise: Draw = (canvas, random) => {
  canvas.background('#777');
  for (let i = 0; i < 2600; i++)
    canvas.rect(
      random.between(0, canvas.width),
      random.between(0, canvas.height),
      7,
      7,
      hsl(random.between(0, 360), 90, random.between(20, 80)),
    );
  return 'Coloured confetti noise';
};

const clock: Draw = (canvas, random) => {
  const [x, y, radius] = [canvas.width / 2, canvas.height / 2, Math.min(canvas.width, canvas.height) * 0.42];
  canvas.background('#9c1c4b').circle(x, y, radius, '#fff', 'stroke="#222" stroke-width="14"');
  for (let hour = 0; hour < 12; hour++)
    canvas.line(
      polar(x, y, radius * 0.78, (hour * Math.PI) / 6),
      polar(x, y, radius * 0.92, (hour * Math.PI) / 6),
      '#222',
      8,
    );
  canvas
    .line([x, y], polar(x, y, radius * 0.5, random.between(0, 6)), '#000', 12)
    .line([x, y], polar(x, y, radius * 0.74, random.between(0, 6)), '#000', 7);
  return 'The white face of a clock';
};

const face: Draw = (canvas) => {
  const [x, y, radius] = [canvas.width / 2, canvas.height / 2, Math.min(canvas.width, canvas.height) * 0.45];
  canvas.background('#202020').circle(x, y, radius, '#ffd93b');
  for (const side of [-1, 1])
    canvas.ellipse(x + side * radius * 0.36, y - radius * 0.25, radius * 0.1, radius * 0.2, '#000');
  canvas.path(
    `M${String(x - radius * 0.55)} ${String(y + radius * 0.25)} Q${String(x)} ${String(y + radius * 0.9)} ${String(x + radius * 0.55)} ${String(y + radius * 0.25)}`,
    'none',
    'stroke="#000" stroke-width="18" stroke-linecap="round"',
  );
  return 'A yellow smiling face';
};

const rays: Draw = (canvas) => {
  const [x, y] = [canvas.width * 0.3, canvas.height * 0.7];
  canvas.background('#fff3b0');
  for (let i = 0; i < 24; i += 2)
    canvas.polygon(
      [[x, y], polar(x, y, 900, (i * Math.PI) / 12), polar(x, y, 900, ((i + 1) * Math.PI) / 12)],
      '#c1121f',
    );
  return 'Red rays spreading from a point';
};

const ODDITIES = [
  maze,
  page,
  chart,
  squares,
  spiral,
  galaxy,
  barcode,
  circuit,
  contours,
  score,
  triangles,
  noise,
  clock,
  face,
  rays,
];
export const ODDITY_COUNT = ODDITIES.length;

export function drawOddity(index: number, random: SeededRandom): Scene {
  const draw = ODDITIES[index % ODDITIES.length] ?? maze;
  const canvas = new Canvas(random.integer(380, 560), random.integer(360, 460));
  return canvas.finish(draw(canvas, random), ['oddity']);
}
