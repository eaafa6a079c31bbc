/** A decoded map tile. */
export interface DecodedTile {
  /** The number of all points in the tile. */
  readonly total: number;
  readonly rows: readonly number[];
  /** Coordinates from 0 to 65535 within the tile. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly colours: readonly number[];
  readonly matches: readonly number[];
}

export function decodeTile(bytes: Buffer): DecodedTile {
  expect(bytes.toString('latin1', 0, 4)).toBe('DMT1');
  const count = bytes.readUInt32LE(4);
  expect(bytes).toHaveLength(16 + 11 * count);
  const column = (read: 'readUInt32LE' | 'readUInt16LE' | 'readUInt8', before: number, size: number): number[] =>
    Array.from({ length: count }, (_, i) => bytes[read](16 + before * count + i * size));
  return {
    total: bytes.readUInt32LE(8),
    rows: column('readUInt32LE', 0, 4),
    x: column('readUInt16LE', 4, 2),
    y: column('readUInt16LE', 6, 2),
    colours: column('readUInt16LE', 8, 2),
    matches: column('readUInt8', 10, 1),
  };
}
