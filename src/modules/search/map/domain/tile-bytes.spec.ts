import { OrdinalSet } from '../../../../common/engine/media-table/ordinal-set';
import { ColourColumn, OTHER, WITHOUT } from './map-colours';
import { tileBytes } from './tile-bytes';

const places = { x: Float32Array.of(0.5, 0.625, 1, NaN), y: Float32Array.of(0, 0.125, 0.2499, NaN) };

it('writes the points of a tile column by column', async () => {
  const values = [{ value: 'boat', id: null, media: 1, rows: Int32Array.of(1) }];
  const colours = await ColourColumn.of(values, OrdinalSet.of(4, [0, 1]));
  const bytes = tileBytes({
    tile: { z: 1, x: 1, y: 0 },
    points: { total: 7, rows: Int32Array.of(2, 0, 1) },
    places,
    colours,
    matches: OrdinalSet.of(4, [0]),
  });
  expect(bytes).toHaveLength(16 + 3 * 11);
  expect(bytes.toString('latin1', 0, 4)).toBe('DMT1');
  const numbers = (read: 'readUInt32LE' | 'readUInt16LE' | 'readUInt8', from: number, size: number): number[] =>
    [0, 1, 2].map((at) => bytes[read](from + at * size));
  expect(numbers('readUInt32LE', 4, 4)).toEqual([3, 7, 0]);
  expect(numbers('readUInt32LE', 16, 4)).toEqual([2, 0, 1]);
  expect(numbers('readUInt16LE', 28, 2)).toEqual([65535, 0, 16384]);
  expect(numbers('readUInt16LE', 34, 2)).toEqual([32754, 0, 16384]);
  expect(numbers('readUInt16LE', 40, 2)).toEqual([WITHOUT, OTHER, 0]);
  expect(numbers('readUInt8', 46, 1)).toEqual([0, 1, 0]);
});

it('matches all points without filters, and has no colours if none are requested', () => {
  const bytes = tileBytes({
    tile: { z: 0, x: 0, y: 0 },
    points: { total: 1, rows: Int32Array.of(0) },
    places,
    colours: ColourColumn.none,
    matches: undefined,
  });
  expect([bytes.readUInt16LE(24), bytes.readUInt8(26)]).toEqual([WITHOUT, 1]);
});

it('colours a row with several values by the smallest', async () => {
  const values = [
    { value: 'boat', id: null, media: 3, rows: Int32Array.of(0, 1, 2) },
    { value: 'sail', id: null, media: 1, rows: Int32Array.of(1) },
  ];
  const colours = await ColourColumn.of(values, OrdinalSet.of(4, [0, 1, 2]));
  expect([0, 1, 2, 3].map((row) => colours.at(row))).toEqual([0, 1, 0, WITHOUT]);
  expect(colours.legend).toEqual(values.map(({ value, id, media }) => ({ value, id, media })));
});
