import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaTypeOf, SIGNATURE_BYTES } from '../../src/common/engine/compute/media-type';
import type { ImageModel } from '../../src/common/engine/models/model-runtime';
import { described } from '../../src/model-tools/calibration-pictures';
import { sharedVectors } from './labelled-sets';

/** The vectors of pictures, as indexing makes them, and what each of them shows. */
export interface PhotographsByClass {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  readonly classes: readonly string[];
  /** The number of the class of each picture. */
  readonly classOf: Int32Array;
}

/** The pictures of a folder with a subfolder for each class. */
export async function photographsByClass(folder: string, model: ImageModel): Promise<PhotographsByClass> {
  const entries = await readdir(folder, { withFileTypes: true });
  const classes = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  const embedding = await model.open();
  const found: { readonly vector: Float32Array; readonly of: number }[] = [];
  try {
    for (const [of, name] of classes.entries()) {
      for (const file of (await readdir(join(folder, name))).sort()) {
        const bytes = await readFile(join(folder, name, file));
        if (mediaTypeOf(bytes.subarray(0, SIGNATURE_BYTES))?.kind !== 'IMAGE') continue;
        found.push({ vector: await described(bytes, embedding), of });
      }
    }
  } finally {
    await embedding.close();
  }
  const { dimension } = model.manifest.outputs;
  const vectors = sharedVectors(found.length, dimension);
  found.forEach(({ vector }, at) => vectors.set(vector, at * dimension));
  return { count: found.length, dimension, vectors, classes, classOf: Int32Array.from(found, ({ of }) => of) };
}
