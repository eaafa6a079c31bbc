/** A float32 array in the format of `numpy.save`. */
export const npyOf = (vectors: readonly (readonly number[])[]): Buffer =>
  npyWith(`{'descr': '<f4', 'fortran_order': False, 'shape': (${vectors.length}, ${vectors[0]?.length ?? 0}), }`, [
    new Uint8Array(Float32Array.from(vectors.flat()).buffer),
  ]);

/** A file with any header, which may be invalid. */
export function npyWith(header: string, content: readonly Uint8Array[] = []): Buffer {
  const text = Buffer.from(`${header.padEnd(117)}\n`, 'latin1');
  const head = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  head.writeUInt16LE(text.length, 8);
  return Buffer.concat([head, text, ...content]);
}

export interface SentVectors {
  readonly vectors: Uint8Array;
  /** The default is the name of a .npy file. */
  readonly name?: string;
  readonly names?: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
}

/** A form that uploads vectors. */
export function vectorsForm({ vectors, name = 'vectors.npy', names, fields = {} }: SentVectors): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries({ id: 'own', ...fields })) form.set(field, value);
  form.set('vectors', new Blob([new Uint8Array(vectors)]), name);
  if (names !== undefined) form.set('names', new Blob([names.map((each) => `${each}\n`).join('')]), 'names.txt');
  return form;
}
