import type { Random } from '../../test/support/random';

export type Colour = readonly [number, number, number];

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** RGB, 0..255, row by row. */
  readonly pixels: Float32Array;
}

export const newCanvas = (width: number, height: number): Canvas => ({
  width,
  height,
  pixels: new Float32Array(width * height * 3),
});

/** Fractal value noise with amplitude falling as 1/f^slope, mean 0, deviation about 1. */
export function fractalNoise(random: Random, width: number, height: number, slope: number, stretch = 1): Float32Array {
  const field = new Float32Array(width * height);
  let power = 0;
  for (let cells = 2; cells <= width / 2; cells *= 2) {
    const amplitude = cells ** -slope;
    power += amplitude * amplitude;
    addOctave(random, field, width, height, cells, amplitude, stretch);
  }
  const scale = 1.6 / Math.sqrt(power);
  for (let i = 0; i < field.length; i++) field[i]! *= scale;
  return field;
}

function addOctave(
  random: Random,
  field: Float32Array,
  width: number,
  height: number,
  cells: number,
  amplitude: number,
  stretch: number,
): void {
  const step = width / cells;
  const columns = cells + 2;
  const rows = Math.ceil((height * stretch) / step) + 2;
  const lattice = Float32Array.from({ length: columns * rows }, () => random.between(-1, 1));
  const cellOf = Int32Array.from({ length: width }, (_, x) => Math.floor(x / step));
  const within = Float32Array.from({ length: width }, (_, x) => smooth((x / step) % 1));
  const line = new Float32Array(columns);
  for (let y = 0; y < height; y++) {
    const v = (y * stretch) / step;
    const row = Math.floor(v) * columns;
    const fy = smooth(v % 1);
    for (let c = 0; c < columns; c++) {
      const top = lattice[row + c]!;
      line[c] = amplitude * (top + (lattice[row + columns + c]! - top) * fy);
    }
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const left = line[cellOf[x]!]!;
      field[at]! += left + (line[cellOf[x]! + 1]! - left) * within[x]!;
    }
  }
}

const smooth = (t: number): number => t * t * (3 - 2 * t);

export function fill(canvas: Canvas, colourAt: (x: number, y: number, at: number) => Colour): void {
  for (let y = 0, at = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++, at++) {
      const colour = colourAt(x, y, at);
      canvas.pixels[at * 3] = colour[0];
      canvas.pixels[at * 3 + 1] = colour[1];
      canvas.pixels[at * 3 + 2] = colour[2];
    }
  }
}

export interface Shape {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly aspect: number;
  readonly angle: number;
  /** 2 is an ellipse, 1 a diamond, 6 almost a rectangle. */
  readonly squareness: number;
  readonly colour: Colour;
  /** How much the shape darkens from one side to the other, and the strength of its grain. */
  readonly shading: number;
  readonly grain: number;
  /** 0..1; 1 is opaque. */
  readonly opacity: number;
  /** Width of the soft edge, as a part of the radius. */
  readonly softness: number;
}

/** Draws a superellipse with shading and the canvas-wide grain field. */
export function drawShape(canvas: Canvas, shape: Shape, grainField: Float32Array): void {
  const { width, height, pixels } = canvas;
  const reach = shape.radius * Math.max(shape.aspect, 1 / shape.aspect) * (1 + shape.softness);
  const cos = Math.cos(shape.angle);
  const sin = Math.sin(shape.angle);
  const along = 1 / (shape.radius * shape.aspect);
  const across = shape.aspect / shape.radius;
  for (let y = Math.max(0, Math.floor(shape.y - reach)); y < Math.min(height, shape.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(shape.x - reach)); x < Math.min(width, shape.x + reach); x++) {
      const u = ((x - shape.x) * cos + (y - shape.y) * sin) * along;
      const v = ((y - shape.y) * cos - (x - shape.x) * sin) * across;
      const distance = superellipse(u, v, shape.squareness);
      if (distance > 1 + shape.softness) continue;
      const cover = shape.opacity * Math.min(1, (1 + shape.softness - distance) / (shape.softness + 0.02));
      const at = y * width + x;
      const light = 1 + shape.shading * (u - v) * 0.5 + shape.grain * grainField[at]!;
      for (let c = 0; c < 3; c++) pixels[at * 3 + c]! += (shape.colour[c]! * light - pixels[at * 3 + c]!) * cover;
    }
  }
}

function superellipse(u: number, v: number, power: number): number {
  if (power === 2) return Math.sqrt(u * u + v * v);
  if (power === 1) return Math.abs(u) + Math.abs(v);
  return Math.max(Math.abs(u), Math.abs(v));
}

export function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const channel = (n: number): number => {
    const k = (n + hue * 12) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

export const mix = (a: Colour, b: Colour, t: number): Colour => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];
