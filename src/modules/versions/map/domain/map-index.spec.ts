import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { Random } from '../../../../../test/support/random';
import { MapIndex, MAX_ZOOM, rankOf, type MapTile, type MapPlaces } from './map-index';

const ROWS = 30_000;
const MOST = 500;
const random = new Random(3);
/** Half of them crowded into a corner; some without a place. */
const places: MapPlaces = {
  x: Float32Array.from({ length: ROWS }, (_, row) =>
    row % 11 === 0 ? NaN : row % 2 === 0 ? random.next() : random.next() / 300,
  ),
  y: Float32Array.from({ length: ROWS }, (_, row) =>
    row % 11 === 0 ? NaN : row % 2 === 0 ? random.next() : random.next() / 300,
  ),
};
const hasPlace = (row: number): boolean => !Number.isNaN(places.x[row]!);
const all = OrdinalSet.all(ROWS);

const cellOf = (part: number, z: number): number => Math.min(2 ** z - 1, Math.floor(part * 2 ** z));
const isIn = ({ z, x, y }: MapTile, row: number): boolean =>
  hasPlace(row) && cellOf(places.x[row]!, z) === x && cellOf(places.y[row]!, z) === y;

const childrenOf = ({ z, x, y }: MapTile): MapTile[] =>
  [0, 1].flatMap((dy) => [0, 1].map((dx) => ({ z: z + 1, x: 2 * x + dx, y: 2 * y + dy })));

const ROOT: MapTile = { z: 0, x: 0, y: 0 };

describe('the tiles of a map', () => {
  let index: MapIndex;
  beforeAll(async () => {
    index = await MapIndex.build(places, all);
  });

  const expected = (tile: MapTile): number[] =>
    Array.from({ length: ROWS }, (_, row) => row)
      .filter((row) => isIn(tile, row))
      .sort((a, b) => rankOf(a) - rankOf(b));

  it.each([
    ROOT,
    { z: 1, x: 1, y: 0 },
    { z: 3, x: 5, y: 6 },
    { z: 8, x: 0, y: 0 },
    { z: 9, x: 1, y: 1 },
    { z: MAX_ZOOM, x: 3, y: 40 },
  ])('contain the rows with the lowest ranks in their area, ordered by rank: %j', (tile) => {
    const rows = expected(tile);
    const found = index.tile(tile, MOST);
    expect(found.total).toBe(rows.length);
    expect([...found.rows]).toEqual(rows.slice(0, MOST));
  });

  it('contain all points of their parents in their area, and no row twice, down to tiles with all points', () => {
    let level = [ROOT];
    for (let z = 0; z < MAX_ZOOM && level.length > 0; z++) {
      const seen = new Set<number>();
      const next: MapTile[] = [];
      for (const tile of level) {
        const { rows, total } = index.tile(tile, MOST);
        for (const row of rows) {
          expect(seen.has(row)).toBe(false);
          seen.add(row);
        }
        if (rows.length === total) continue;
        const children = childrenOf(tile).map((child) => ({ child, points: index.tile(child, MOST) }));
        expect(children.reduce((sum, { points }) => sum + points.total, 0)).toBe(total);
        const below = new Set(children.flatMap(({ points }) => [...points.rows]));
        expect(rows.every((row) => below.has(row))).toBe(true);
        next.push(...children.map(({ child }) => child));
      }
      level = next;
    }
    expect(level).toEqual([]);
  });

  it('contain only rows of the type', async () => {
    const ofType = OrdinalSet.of(ROWS, [4, 5, 11, 12]);
    const few = await MapIndex.build(places, ofType);
    expect(few.placed).toBe(3);
    expect([...few.tile(ROOT, MOST).rows].sort((a, b) => a - b)).toEqual([4, 5, 12]);
  });

  it('contain the positions at the right and lower edges', async () => {
    const edge = await MapIndex.build({ x: Float32Array.of(1, 0), y: Float32Array.of(1, 0) }, OrdinalSet.all(2));
    const last = 2 ** MAX_ZOOM - 1;
    expect([...edge.tile({ z: MAX_ZOOM, x: last, y: last }, MOST).rows]).toEqual([0]);
    expect([...edge.tile({ z: MAX_ZOOM, x: 0, y: 0 }, MOST).rows]).toEqual([1]);
  });

  it('are empty without rows', async () => {
    const none = await MapIndex.build({ x: new Float32Array(), y: new Float32Array() }, OrdinalSet.none(0));
    expect(none.tile(ROOT, MOST)).toEqual({ total: 0, rows: new Int32Array() });
  });

  it('contain at most the requested number of rows, even of many at one position', async () => {
    const same = new Float32Array(5000).fill(0.25);
    const crowded = await MapIndex.build({ x: same, y: same }, OrdinalSet.all(5000));
    const { rows, total } = crowded.tile({ z: 2, x: 1, y: 1 }, MOST);
    expect([rows.length, total]).toEqual([MOST, 5000]);
  });
});
