const SHORT = 3;
const LONG = 4;
const FLOAT = 11;
const ASCII = 2;

type Value = readonly number[] | string;
export type TiffTags = Readonly<Record<number, Value>>;

/** The types of tags that are not short numbers. */
const TYPES: Readonly<Record<number, number>> = {
  256: LONG,
  257: LONG,
  270: ASCII,
  273: LONG,
  279: LONG,
  324: LONG,
  325: LONG,
  340: FLOAT,
  341: FLOAT,
  513: LONG,
  514: LONG,
};

/** A TIFF with one image: its tags, followed by its strips or tiles. */
export function tiffBytes(tags: TiffTags, blocks: readonly Uint8Array[]): Buffer {
  const isTiled = tags[322] !== undefined;
  const withPlaces = (start: number): TiffTags => ({
    ...tags,
    [isTiled ? 324 : 273]: blocks.map(
      (_, i) => start + blocks.slice(0, i).reduce((sum, { length }) => sum + length, 0),
    ),
    [isTiled ? 325 : 279]: blocks.map(({ length }) => length),
    ...(tags[513] && { 513: [start], 514: [blocks[0]!.length] }),
  });
  const head = directory(withPlaces(directory(withPlaces(0)).length));
  return Buffer.concat([head, ...blocks]);
}

function directory(tags: TiffTags): Buffer {
  const entries = Object.entries(tags).toSorted(([a], [b]) => Number(a) - Number(b));
  const head = Buffer.alloc(14 + entries.length * 12);
  head.write('II*\0\x08\0\0\0', 0, 'latin1');
  head.writeUInt16LE(entries.length, 8);
  const values: Buffer[] = [];
  let at = head.length;
  for (const [i, [tag, value]] of entries.entries()) {
    const type = TYPES[Number(tag)] ?? SHORT;
    const bytes = encoded(type, value);
    head.writeUInt16LE(Number(tag), 10 + i * 12);
    head.writeUInt16LE(type, 12 + i * 12);
    head.writeUInt32LE(typeof value === 'string' ? bytes.length : value.length, 14 + i * 12);
    if (bytes.length <= 4) bytes.copy(head, 18 + i * 12);
    else {
      head.writeUInt32LE(at, 18 + i * 12);
      values.push(bytes);
      at += bytes.length;
    }
  }
  return Buffer.concat([head, ...values]);
}

function encoded(type: number, value: Value): Buffer {
  if (typeof value === 'string') return Buffer.from(`${value}\0`, 'latin1');
  if (type === FLOAT) return Buffer.from(Float32Array.from(value).buffer);
  return Buffer.from((type === SHORT ? Uint16Array.from(value) : Uint32Array.from(value)).buffer);
}
