import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImageModel } from '../../src/common/engine/models/model-runtime';
import { described } from '../../src/model-tools/calibration-pictures';
import { makeSample } from '#sample';

/** The vectors of the sample's pictures, and the families that they were drawn from. */
export interface DescribedSample {
  readonly count: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  /** A picture without a family forms a family of one. */
  readonly family: Int32Array;
  readonly families: number;
}

export async function describedSample(model: ImageModel): Promise<DescribedSample> {
  const parent = await mkdtemp(join(tmpdir(), 'cluster-quality-'));
  const embedding = await model.open();
  try {
    const { folder, truth } = await makeSample(join(parent, 'sample'));
    const names = [...new Set(truth.families.values())];
    const pictures = [...[...truth.families.keys()].sort(), ...truth.odd];
    const vectors = new Float32Array(new SharedArrayBuffer(pictures.length * embedding.dimension * 4));
    const family = new Int32Array(pictures.length);
    for (const [at, path] of pictures.entries()) {
      vectors.set(await described(await readFile(join(folder, path)), embedding), at * embedding.dimension);
      const name = truth.families.get(path);
      family[at] = name === undefined ? names.length + at : names.indexOf(name);
    }
    return { count: pictures.length, dimension: embedding.dimension, vectors, family, families: names.length };
  } finally {
    await embedding.close();
    await rm(parent, { recursive: true, force: true });
  }
}
