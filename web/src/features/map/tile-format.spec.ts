import { parseTile, TileFormatError } from './tile-format';
import { ROOT } from './tile-tree';

const POINTS = [
  { row: 7, x: 0, y: 65_535, colour: 3, matches: 1 },
  { row: 4_000_000_000, x: 1_000, y: 2, colour: 65_535, matches: 0 },
  { row: 9, x: 65_535, y: 0, colour: 20, matches: 1 },
];

/** In the format of the service. */
function tileBytes(points: readonly (typeof POINTS)[number][], total: number): ArrayBuffer {
  const { length } = points;
  const bytes = new ArrayBuffer(16 + 11 * length);
  const view = new DataView(bytes);
  new Uint8Array(bytes).set(new TextEncoder().encode('DMT1'));
  view.setUint32(4, length, true);
  view.setUint32(8, total, true);
  for (const [at, { row, x, y, colour, matches }] of points.entries()) {
    view.setUint32(16 + 4 * at, row, true);
    view.setUint16(16 + 4 * length + 2 * at, x, true);
    view.setUint16(16 + 6 * length + 2 * at, y, true);
    view.setUint16(16 + 8 * length + 2 * at, colour, true);
    view.setUint8(16 + 10 * length + at, matches);
  }
  return bytes;
}

describe('the tile format', () => {
  it('is parsed column by column', () => {
    const tile = parseTile(ROOT, tileBytes(POINTS, 3));
    expect([...tile.row]).toEqual([7, 4_000_000_000, 9]);
    expect([...tile.x]).toEqual([0, 1_000, 65_535]);
    expect([...tile.y]).toEqual([65_535, 2, 0]);
    expect([...tile.colour]).toEqual([3, 65_535, 20]);
    expect([...tile.matches]).toEqual([1, 0, 1]);
    expect(tile.isComplete).toBe(true);
  });

  it('marks a tile with more points as incomplete', () => {
    expect(parseTile(ROOT, tileBytes(POINTS, 4))).toMatchObject({ isComplete: false, isCrowded: false });
    expect(parseTile(ROOT, tileBytes(POINTS, 7))).toMatchObject({ isComplete: false, isCrowded: true });
    expect(parseTile(ROOT, tileBytes([], 0))).toMatchObject({ count: 0, isComplete: true });
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['too short for what it says', (bytes) => bytes.slice(0, -1)],
    ['too long for what it says', (bytes) => new Uint8Array([...bytes, 0])],
    ['cut within its beginning', (bytes) => bytes.slice(0, 15)],
    ['empty', () => new Uint8Array()],
    ['of another format', (bytes) => bytes.with(3, 50)],
    ['said to have more points than there are', (bytes) => bytes.with(8, 2)],
    ['said to have very many points', (bytes) => bytes.with(7, 255)],
  ])('is refused if it is %s', (_what, damage) => {
    const damaged = damage(new Uint8Array(tileBytes(POINTS, 3)));
    expect(() => parseTile(ROOT, damaged.slice().buffer)).toThrow(TileFormatError);
  });
});
