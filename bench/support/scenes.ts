import { colourOf, drawShape, fill, fractalNoise, mix, newCanvas, type Canvas, type Colour } from './canvas';
import { Random } from '../../test/support/random';

/** The common features of the photographs of one family; their layout differs. */
export interface Family {
  readonly scene: Scene;
  readonly palette: readonly Colour[];
  readonly slope: number;
  readonly squareness: number;
  readonly density: number;
  readonly contrast: number;
  readonly stretch: number;
  readonly frequency: number;
}

type Scene = 'leaves' | 'landscape' | 'texture' | 'facade' | 'portrait' | 'still-life';
const SCENES: readonly Scene[] = ['leaves', 'landscape', 'texture', 'facade', 'portrait', 'still-life'];

export function familyOf(seed: number, family: number): Family {
  const random = new Random(seed, family, 1);
  const hue = random.next();
  const spread = random.pick([0.04, 0.12, 0.5]);
  const saturation = random.between(0.05, 0.75);
  const palette = Array.from({ length: 6 }, () =>
    colourOf(
      (hue + 1 + random.between(-spread, spread)) % 1,
      Math.min(1, saturation * random.between(0.5, 1.4)),
      random.between(0.15, 0.85),
    ),
  );
  return {
    scene: random.pick(SCENES),
    palette,
    slope: random.between(0.6, 1.3),
    squareness: random.pick([1, 2, 2, 6]),
    density: random.between(0.5, 1.6),
    contrast: random.between(0.5, 1),
    stretch: random.pick([1, 1, 2, 4]),
    frequency: random.between(0.02, 0.2),
  };
}

const PAINTERS: Record<Scene, (canvas: Canvas, family: Family, random: Random) => void> = {
  leaves: paintLeaves,
  landscape: paintLandscape,
  texture: paintTexture,
  facade: paintFacade,
  portrait: paintPortrait,
  'still-life': paintStillLife,
};

export function paintScene(family: Family, random: Random, width: number, height: number): Canvas {
  const canvas = newCanvas(width, height);
  PAINTERS[family.scene](canvas, family, random);
  const light = fractalNoise(random, width, height, 2);
  const angle = random.between(0, 2 * Math.PI);
  const exposure = random.between(0.75, 1.15);
  for (let i = 0; i < light.length; i++) {
    const x = (i % width) / width - 0.5;
    const y = Math.floor(i / width) / height - 0.5;
    const gain =
      exposure * (1 + 0.12 * light[i]! + 0.3 * (x * Math.cos(angle) + y * Math.sin(angle)) - 0.4 * (x * x + y * y));
    for (let c = 0; c < 3; c++) canvas.pixels[i * 3 + c]! *= gain;
  }
  return canvas;
}

function paintNoise(canvas: Canvas, family: Family, random: Random, from: Colour, to: Colour): void {
  const noise = fractalNoise(random, canvas.width, canvas.height, family.slope, family.stretch);
  fill(canvas, (_x, _y, at) => mix(from, to, 0.5 + 0.3 * family.contrast * noise[at]!));
}

/** Overlapping shapes whose sizes follow a power law: the dead-leaves model of natural images. */
function paintLeaves(canvas: Canvas, family: Family, random: Random): void {
  paintNoise(canvas, family, random, family.palette[0]!, family.palette[1]!);
  const grain = fractalNoise(random, canvas.width, canvas.height, 0.5);
  const smallest = canvas.width / 90;
  for (let i = Math.round(260 * family.density); i > 0; i--) {
    const radius = Math.min(canvas.width / 4, smallest / Math.sqrt(1 - random.next() * 0.998));
    drawShape(canvas, randomShape(canvas, family, random, radius), grain);
  }
}

function randomShape(canvas: Canvas, family: Family, random: Random, radius: number) {
  return {
    x: random.between(0, canvas.width),
    y: random.between(0, canvas.height),
    radius,
    aspect: random.between(0.6, 1.7),
    angle: random.between(0, Math.PI),
    squareness: family.squareness,
    colour: mix(random.pick(family.palette), random.pick(family.palette), random.next()),
    shading: random.between(0, 0.5),
    grain: 0.12 * family.contrast,
    opacity: 1,
    softness: 0.04,
  };
}

function paintLandscape(canvas: Canvas, family: Family, random: Random): void {
  const { width, height } = canvas;
  const clouds = fractalNoise(random, width, height, 1.1, 2);
  const [zenith, horizon] = [family.palette[0]!, mix(family.palette[1]!, [255, 255, 255], 0.5)];
  fill(canvas, (_x, y, at) => {
    const sky = mix(zenith, horizon, Math.min(1, (1.6 * y) / height));
    return mix(sky, [245, 245, 245], Math.max(0, Math.min(1, 0.45 * clouds[at]!)));
  });
  const ground = fractalNoise(random, width, height, family.slope, family.stretch);
  const layers = 2 + random.integer(4);
  for (let layer = 0; layer < layers; layer++) {
    const ridge = fractalNoise(random, width, 2, 1 + 0.4 * family.density);
    const level = height * (0.35 + (0.5 * layer) / layers + random.between(-0.08, 0.08));
    const colour = mix(horizon, family.palette[2 + (layer % 4)]!, 0.35 + (0.65 * (layer + 1)) / layers);
    for (let x = 0; x < width; x++) {
      const top = Math.max(0, Math.round(level + (ridge[x]! * height) / 14));
      for (let y = top; y < height; y++) {
        const at = y * width + x;
        const light = 1 + 0.22 * family.contrast * ground[at]! - (0.3 * (y - top)) / height;
        for (let c = 0; c < 3; c++) canvas.pixels[at * 3 + c] = colour[c]! * light;
      }
    }
  }
}

function paintTexture(canvas: Canvas, family: Family, random: Random): void {
  const { width, height } = canvas;
  const warp = fractalNoise(random, width, height, 1.5);
  const detail = fractalNoise(random, width, height, family.slope, family.stretch);
  const angle = random.between(0, Math.PI);
  const [cos, sin] = [Math.cos(angle) * family.frequency, Math.sin(angle) * family.frequency];
  fill(canvas, (x, y, at) => {
    const wave = Math.sin((x * cos + y * sin) * 4 + 5 * family.density * warp[at]!);
    const base = mix(family.palette[0]!, family.palette[1]!, 0.5 + 0.4 * family.contrast * wave);
    return mix(base, family.palette[2]!, Math.max(0, Math.min(1, 0.3 + 0.25 * detail[at]!)));
  });
}

function paintFacade(canvas: Canvas, family: Family, random: Random): void {
  paintNoise(canvas, family, random, family.palette[0]!, mix(family.palette[0]!, family.palette[1]!, 0.4));
  const { width, height } = canvas;
  const grain = fractalNoise(random, width, height, 0.6);
  const columns = 4 + Math.round(random.between(2, 7) * family.density);
  const rows = 3 + Math.round(random.between(1, 5) * family.density);
  const tilt = random.between(-0.25, 0.25);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (random.next() < 0.12) continue;
      const depth = 1 + tilt * (column / columns - 0.5);
      drawShape(
        canvas,
        {
          ...randomShape(canvas, family, random, (0.34 * width * depth) / Math.max(columns, rows * 1.4)),
          x: ((column + 0.5) * width) / columns,
          y: height * (0.5 + ((row + 0.5) / rows - 0.5) * depth),
          aspect: 0.8,
          angle: tilt * 0.4,
          squareness: 6,
          colour: mix(family.palette[2]!, family.palette[3]!, random.next() ** 2),
        },
        grain,
      );
    }
  }
}

function paintPortrait(canvas: Canvas, family: Family, random: Random): void {
  const { width, height } = canvas;
  const blurred = fractalNoise(random, width, height, 2.2);
  fill(canvas, (_x, _y, at) => mix(family.palette[0]!, family.palette[1]!, 0.5 + 0.35 * blurred[at]!));
  const grain = fractalNoise(random, width, height, 0.7);
  for (let i = Math.round(18 * family.density); i > 0; i--) {
    const disc = randomShape(canvas, family, random, random.between(0.03, 0.09) * width);
    drawShape(canvas, { ...disc, aspect: 1, squareness: 2, opacity: 0.35, softness: 0.3, grain: 0 }, grain);
  }
  const [x, y] = [width * random.between(0.3, 0.7), height * random.between(0.35, 0.5)];
  const radius = width * random.between(0.1, 0.16);
  const subject = { ...randomShape(canvas, family, random, radius), angle: random.between(-0.2, 0.2), shading: 0.4 };
  const torso = { ...subject, x, y: y + radius * 2.4, aspect: 0.8, radius: radius * 1.5, colour: family.palette[2]! };
  drawShape(canvas, torso, grain);
  drawShape(canvas, { ...subject, x, y, aspect: 0.85, squareness: 2, colour: family.palette[3]! }, grain);
  for (let i = 0; i < 14; i++) {
    const part = randomShape(canvas, family, random, radius * random.between(0.08, 0.3));
    drawShape(canvas, { ...part, x: x + random.normal() * radius * 0.5, y: y + random.normal() * radius }, grain);
  }
}

function paintStillLife(canvas: Canvas, family: Family, random: Random): void {
  const { width, height } = canvas;
  const wall = fractalNoise(random, width, height, family.slope, family.stretch);
  const table = height * random.between(0.5, 0.7);
  fill(canvas, (_x, y, at) => {
    const colour = y < table ? family.palette[0]! : family.palette[1]!;
    return mix(colour, [20, 20, 20], Math.max(0, 0.25 + 0.12 * family.contrast * wall[at]!));
  });
  const grain = fractalNoise(random, width, height, 0.8);
  for (let i = 3 + random.integer(6); i > 0; i--) {
    const thing = randomShape(canvas, family, random, width * random.between(0.05, 0.13));
    const y = table + height * random.between(-0.1, 0.2);
    const shadow = {
      ...thing,
      y: y + thing.radius * 0.7,
      aspect: 2,
      angle: 0,
      squareness: 2,
      opacity: 0.5,
      softness: 0.5,
    };
    drawShape(canvas, { ...shadow, colour: [15, 15, 18] }, grain);
    drawShape(canvas, { ...thing, y, shading: 0.7, grain: 0.2 * family.contrast }, grain);
  }
}
