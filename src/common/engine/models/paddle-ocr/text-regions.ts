import { convexHull, smallestRectangle, type Point, type RotatedRectangle } from './rotated-rectangle';

/** The probability that each pixel of a picture belongs to text, row by row. */
export interface TextMap {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

export interface TextRegion {
  /** In pixels of the picture. */
  readonly rectangle: RotatedRectangle;
  readonly confidence: number;
}

/** The limits of PaddleOCR's detection. */
const PIXEL_THRESHOLD = 0.3;
const REGION_THRESHOLD = 0.6;
const MIN_SIDE = 3;
/** The map has the core of each line; its rectangle is enlarged in proportion to area and perimeter. */
const UNCLIP = 1.5;

const MAX_REGIONS = 400;

/** The surest regions of text. The map is scaled to the size of the picture. */
export function textRegions(map: TextMap, size: { readonly width: number; readonly height: number }): TextRegion[] {
  const [across, down] = [size.width / map.width, size.height / map.height];
  const regions: TextRegion[] = [];
  for (const { outline, confidence, pixels } of connectedRegions(map)) {
    if (confidence < REGION_THRESHOLD || pixels < MIN_SIDE * MIN_SIDE) continue;
    const hull = convexHull(outline.map(({ x, y }) => ({ x: x * across, y: y * down })));
    const core = smallestRectangle(hull);
    if (Math.min(core.width / across, core.height / down) < MIN_SIDE) continue;
    regions.push({
      rectangle: unclipped({ ...core, width: core.width + across, height: core.height + down }),
      confidence,
    });
  }
  return regions.sort((a, b) => b.confidence - a.confidence).slice(0, MAX_REGIONS);
}

interface Connected {
  /** The centres of the outermost pixels in each row, from top to bottom. */
  readonly outline: readonly Point[];
  readonly confidence: number;
  readonly pixels: number;
}

/** Pixels above the threshold that touch each other, also by a corner. Each pixel is visited once. */
function* connectedRegions({ data, width, height }: TextMap): Generator<Connected> {
  const seen = new Uint8Array(width * height);
  const waiting = new Int32Array(width * height);
  for (let start = 0; start < data.length; start++) {
    if (seen[start] === 1 || !(data[start]! > PIXEL_THRESHOLD)) continue;
    const rows = new RowExtents();
    let [sum, count] = [0, 1];
    seen[start] = 1;
    waiting[0] = start;
    for (let next = 0; next < count; next++) {
      const pixel = waiting[next]!;
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      sum += data[pixel]!;
      rows.add(x, y);
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const neighbour = row * width + column;
          if (seen[neighbour] === 1 || !(data[neighbour]! > PIXEL_THRESHOLD)) continue;
          seen[neighbour] = 1;
          waiting[count++] = neighbour;
        }
    }
    yield { outline: rows.centres(), confidence: sum / count, pixels: count };
  }
}

/** The first and the last column of a region in each row. */
class RowExtents {
  private readonly extents = new Map<number, { first: number; last: number }>();

  add(x: number, y: number): void {
    const extent = this.extents.get(y);
    if (extent === undefined) this.extents.set(y, { first: x, last: x });
    else if (x < extent.first) extent.first = x;
    else if (x > extent.last) extent.last = x;
  }

  centres(): Point[] {
    return [...this.extents]
      .sort(([a], [b]) => a - b)
      .flatMap(([y, { first, last }]) => [
        { x: first + 0.5, y: y + 0.5 },
        { x: last + 0.5, y: y + 0.5 },
      ]);
  }
}

function unclipped(core: RotatedRectangle): RotatedRectangle {
  const distance = (core.width * core.height * UNCLIP) / (2 * (core.width + core.height));
  return { ...core, width: core.width + 2 * distance, height: core.height + 2 * distance };
}
