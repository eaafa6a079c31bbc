import { SeededRandom } from './seeded-random';

/** In pixels, from the top left. */
export interface DrawnObject {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
  readonly caption: string;
  readonly labels: readonly string[];
  readonly objects: readonly DrawnObject[];
  /** The standard deviation of the noise added to the picture, in grey levels. */
  readonly grain: number;
}

export interface SceneFamily {
  readonly name: string;
  readonly folder: string;
  draw(random: SeededRandom): Scene;
}

export interface Paint {
  readonly name: string;
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

export type Point = readonly [number, number];
type Stop = readonly [number, string];

const SIZES = [
  [640, 480],
  [480, 640],
  [600, 400],
  [512, 512],
  [480, 360],
  [640, 360],
  [400, 400],
  [420, 320],
] as const;
const LANDSCAPE = SIZES.filter(([width, height]) => width > height);

export function hsl(hue: number, saturation: number, lightness: number): string {
  const turn = ((Math.round(hue) % 360) + 360) % 360;
  return `hsl(${turn},${round(saturation)}%,${round(lightness)}%)`;
}

/** The paint with its lightness changed by `by` percent. */
export function shade(paint: Paint, by = 0): string {
  return hsl(paint.hue, paint.saturation, Math.min(96, Math.max(4, paint.lightness + by)));
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Collects shapes and the bounding boxes of objects. */
export class Canvas {
  readonly objects: DrawnObject[] = [];
  private readonly shapes: string[] = [];
  private readonly definitions: string[] = [];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {}

  static of(random: SeededRandom, orientation: 'any' | 'landscape' = 'any'): Canvas {
    const [width, height] = random.pick(orientation === 'any' ? SIZES : LANDSCAPE);
    return new Canvas(width, height);
  }

  add(element: string): this {
    this.shapes.push(element);
    return this;
  }

  background(fill: string): this {
    return this.rect(0, 0, this.width, this.height, fill);
  }

  rect(x: number, y: number, width: number, height: number, fill: string, more = ''): this {
    return this.add(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" fill="${fill}" ${more}/>`,
    );
  }

  ellipse(x: number, y: number, radiusX: number, radiusY: number, fill: string, more = ''): this {
    return this.add(
      `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(radiusX)}" ry="${round(radiusY)}" fill="${fill}" ${more}/>`,
    );
  }

  circle(x: number, y: number, radius: number, fill: string, more = ''): this {
    return this.ellipse(x, y, radius, radius, fill, more);
  }

  polygon(points: readonly Point[], fill: string, more = ''): this {
    return this.add(
      `<polygon points="${points.map(([x, y]) => `${round(x)},${round(y)}`).join(' ')}" fill="${fill}" ${more}/>`,
    );
  }

  line(from: Point, to: Point, stroke: string, width: number): this {
    return this.add(
      `<line x1="${round(from[0])}" y1="${round(from[1])}" x2="${round(to[0])}" y2="${round(to[1])}" stroke="${stroke}" stroke-width="${round(width)}"/>`,
    );
  }

  path(d: string, fill: string, more = ''): this {
    return this.add(`<path d="${d}" fill="${fill}" ${more}/>`);
  }

  vertical(...stops: readonly Stop[]): string {
    return this.linear([0, 0, 0, 1], stops);
  }

  linear([x1, y1, x2, y2]: readonly [number, number, number, number], stops: readonly Stop[]): string {
    return this.define(
      'linearGradient',
      `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`,
      stopList(stops),
    );
  }

  radial(...stops: readonly Stop[]): string {
    return this.define('radialGradient', '', stopList(stops));
  }

  /** Adds a definition of any kind and returns the reference to it. */
  define(element: string, attributes: string, content: string): string {
    const id = `d${this.definitions.length}`;
    this.definitions.push(`<${element} id="${id}" ${attributes}>${content}</${element}>`);
    return `url(#${id})`;
  }

  /** Marks the shapes drawn there as an object, clipped to the picture. */
  mark(label: string, x: number, y: number, width: number, height: number): this {
    const left = Math.max(0, Math.floor(x));
    const top = Math.max(0, Math.floor(y));
    const right = Math.min(this.width, Math.ceil(x + width));
    const bottom = Math.min(this.height, Math.ceil(y + height));
    if (right - left >= 12 && bottom - top >= 12)
      this.objects.push({ label, x: left, y: top, width: right - left, height: bottom - top });
    return this;
  }

  finish(caption: string, labels: readonly string[], grain = 4): Scene {
    const { width, height, objects } = this;
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<defs>${this.definitions.join('')}</defs>${this.shapes.join('')}</svg>`;
    return { width, height, svg, caption, labels, objects, grain };
  }
}

/** The outline of hilly land, closed at the bottom. */
export function ridge(canvas: Canvas, random: SeededRandom, top: number, swing: number, steps: number): Point[] {
  const points: Point[] = [[-5, canvas.height + 5]];
  for (let i = 0; i <= steps; i++) {
    points.push([
      (canvas.width * i) / steps + (i % steps === 0 ? (i - steps / 2) * 2 : 0),
      top + random.between(-swing, swing),
    ]);
  }
  points.push([canvas.width + 5, canvas.height + 5]);
  return points;
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
  return count === 1 ? `a ${one}` : `${words[count] ?? 'many'} ${many}`;
}

export function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

export function listOf(words: readonly string[]): string {
  const distinct = [...new Set(words)];
  return distinct.length < 2 ? distinct.join('') : `${distinct.slice(0, -1).join(', ')} and ${distinct.at(-1) ?? ''}`;
}

function stopList(stops: readonly Stop[]): string {
  return stops.map(([offset, color]) => `<stop offset="${offset}" stop-color="${color}"/>`).join('');
}
