import { Canvas, capital, countOf, hsl, listOf, Paint, Scene, SceneFamily, shade } from '../drawing';
import { SeededRandom } from '../seeded-random';
import { BLUE, BROWN, ORANGE, PINK, PURPLE, RED, WHITE, YELLOW } from './paints';

function flower(canvas: Canvas, random: SeededRandom, x: number, y: number, radius: number): Paint {
  const petal = random.pick([PINK, PURPLE, RED, WHITE, YELLOW]);
  const petals = random.integer(5, 9);
  const turn = random.between(0, 360);
  const stem = `stroke="${hsl(118, 48, 27)}" stroke-width="${String(Math.max(4, radius * 0.12))}"`;
  canvas.path(
    `M${String(x)} ${String(y)} Q${String(x + radius * random.between(-0.6, 0.6))} ${String((y + canvas.height) / 2)} ${String(x)} ${String(canvas.height)}`,
    'none',
    stem,
  );
  for (let i = 0; i < petals; i++) {
    const angle = turn + (i * 360) / petals;
    canvas.ellipse(
      x,
      y - radius * 0.62,
      (radius * 1.7) / petals,
      radius * 0.4,
      shade(petal, i % 2 === 0 ? 0 : -6),
      `transform="rotate(${angle.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)})"`,
    );
  }
  canvas.circle(x, y, radius * 0.3, shade(petal === YELLOW ? BROWN : YELLOW));
  canvas.mark('flower', x - radius, y - radius, radius * 2, radius * 2);
  return petal;
}

function drawFlowers(random: SeededRandom): Scene {
  const canvas = Canvas.of(random);
  const { width, height } = canvas;
  canvas.background(canvas.vertical([0, hsl(random.between(82, 100), 50, 62)], [1, hsl(110, 48, 36)]));
  for (let i = 0; i < 120; i++) {
    const x = width * random.next();
    const y = height * random.between(0.3, 1.1);
    canvas.path(
      `M${x.toFixed(0)} ${y.toFixed(0)} q${random.between(-14, 14).toFixed(0)} ${random.between(-60, -30).toFixed(0)} ${random.between(-20, 20).toFixed(0)} ${random.between(-110, -60).toFixed(0)}`,
      'none',
      `stroke="${hsl(random.between(92, 126), 48, random.between(26, 46))}" stroke-width="5"`,
    );
  }
  const columns = random.integer(1, 3);
  const rows = columns === 1 ? 1 : random.integer(1, 2);
  const colours: string[] = [];
  for (let i = 0; i < columns * rows; i++) {
    const [cellWidth, cellHeight] = [width / columns, (height * 0.9) / rows];
    const radius = (Math.min(cellWidth, cellHeight) / 2) * random.between(0.72, 0.95);
    const x = (i % columns) * cellWidth + cellWidth / 2 + random.between(-0.5, 0.5) * (cellWidth - radius * 2);
    const y =
      Math.floor(i / columns) * cellHeight + cellHeight / 2 + random.between(-0.5, 0.5) * (cellHeight - radius * 2);
    colours.push(flower(canvas, random, x, y, radius).name);
  }
  const subject =
    colours.length === 1
      ? `a large ${colours[0] ?? ''} flower grows`
      : `${countOf(colours.length, 'flower')} in ${listOf(colours)} grow`;
  return canvas.finish(capital(`${subject} in a green meadow`), ['flower', 'meadow']);
}

const FRUIT = [
  { name: 'apple', many: 'apples', skin: RED, tall: 0.94 },
  { name: 'orange', many: 'oranges', skin: ORANGE, tall: 1 },
  { name: 'lemon', many: 'lemons', skin: YELLOW, tall: 0.78 },
  { name: 'plum', many: 'plums', skin: PURPLE, tall: 1.06 },
] as const;

function drawFruit(random: SeededRandom): Scene {
  const canvas = Canvas.of(random, 'landscape');
  const { width, height } = canvas;
  canvas.background(hsl(random.between(26, 38), 34, random.between(76, 84)));
  const table = height * random.between(0.6, 0.68);
  canvas.rect(0, table, width, height, shade(BROWN, random.between(4, 12)));
  for (let y = table + 14; y < height; y += 26)
    canvas.line([0, y], [width, y + random.between(-5, 5)], shade(BROWN, -8), 3);
  const bowl = {
    x: width * random.between(0.4, 0.6),
    rim: table - height * 0.03,
    half: Math.min(width * 0.36, height * 0.52),
  };
  const count = random.integer(3, 5);
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    const radius = (bowl.half * random.between(0.86, 1)) / count + bowl.half * 0.08;
    const x = bowl.x + ((i + 0.5) / count - 0.5) * bowl.half * 1.7;
    const kind = random.pick(FRUIT);
    drawOneFruit(canvas, random, kind, x, bowl.rim - radius * 0.62 - (i % 2) * radius * 0.35, radius);
    names.push(kind.many);
  }
  const { x, rim, half } = bowl;
  const tint = random.pick([BLUE, WHITE]);
  canvas.path(
    `M${(x - half).toFixed(0)} ${rim.toFixed(0)} H${(x + half).toFixed(0)} Q${(x + half * 0.86).toFixed(0)} ${(rim + half * 0.55).toFixed(0)} ${(x + half * 0.4).toFixed(0)} ${(rim + half * 0.56).toFixed(0)} H${(x - half * 0.4).toFixed(0)} Q${(x - half * 0.86).toFixed(0)} ${(rim + half * 0.55).toFixed(0)} ${(x - half).toFixed(0)} ${rim.toFixed(0)} Z`,
    shade(tint),
    'stroke="#3a3a4a" stroke-width="3"',
  );
  canvas.rect(x - half * 0.95, rim + half * 0.1, half * 1.9, half * 0.09, shade(tint === BLUE ? WHITE : BLUE));
  return canvas.finish(`A ${tint.name} bowl of ${listOf(names)} on a brown wooden table`, ['fruit', 'bowl']);
}

function drawOneFruit(
  canvas: Canvas,
  random: SeededRandom,
  kind: (typeof FRUIT)[number],
  x: number,
  y: number,
  radius: number,
): void {
  const tall = radius * kind.tall;
  canvas.ellipse(x, y, radius, tall, shade(kind.skin, random.between(-5, 5)), 'stroke="#40302a" stroke-width="2"');
  canvas.ellipse(x - radius * 0.32, y - tall * 0.36, radius * 0.2, tall * 0.13, '#fff', 'opacity="0.7"');
  canvas.line([x, y - tall * 0.85], [x + radius * 0.12, y - tall * 1.2], '#4a3420', 4);
  canvas.mark(kind.name, x - radius, y - tall * 1.2, radius * 2, tall * 2.2);
}

export const CLOSE_UP_FAMILIES: readonly SceneFamily[] = [
  { name: 'flowers', folder: '花 flowers', draw: drawFlowers },
  { name: 'fruit', folder: 'bowl of fruit', draw: drawFruit },
];
