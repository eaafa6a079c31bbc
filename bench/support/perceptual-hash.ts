import sharp from 'sharp';

const SIDE = 32;
const KEPT = 8;
const COSINES = Array.from({ length: KEPT }, (_, frequency) =>
  Array.from({ length: SIDE }, (_unused, at) => Math.cos((Math.PI * frequency * (2 * at + 1)) / (2 * SIDE))),
);

/** The usual 64-bit DCT hash, as in the Python package imagehash: 8 x 8 frequencies of 32 x 32 grey pixels compared with their median. */
export async function perceptualHash(bytes: Buffer): Promise<Uint8Array> {
  const grey = await sharp(bytes).resize(SIDE, SIDE, { fit: 'fill' }).greyscale().raw().toBuffer();
  if (grey.length !== SIDE * SIDE) throw new Error('The grey picture has more than one channel.');
  const rows = Array.from({ length: SIDE }, (_, y) => transformed(grey.subarray(y * SIDE, (y + 1) * SIDE)));
  const columns = Array.from({ length: KEPT }, (_, u) => transformed(rows.map((row) => row[u]!)));
  const frequencies = columns.flat();
  const sorted = frequencies.toSorted((a, b) => a - b);
  const median = (sorted[31]! + sorted[32]!) / 2;
  return Uint8Array.from(frequencies, (frequency) => (frequency > median ? 1 : 0));
}

const transformed = (values: ArrayLike<number>): number[] =>
  COSINES.map((cosines) => cosines.reduce((sum, cosine, at) => sum + cosine * values[at]!, 0));
