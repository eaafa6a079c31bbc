import sharp from 'sharp';
import { measure } from '../../src/common/engine/compute/describe-pixels';
import type { ImageModel } from '../../src/common/engine/models/model-runtime';
import type { ImageEmbedding } from '../../src/common/engine/models/embedding';
import type { Pixels } from '../../src/common/engine/models/picture-model';
import { asSharp, distort, DISTORTIONS, photograph } from './photographs';
import { Random } from '../../test/support/random';

export interface Described {
  readonly dimension: number;
  /** The vectors of the originals, stored consecutively. */
  readonly originals: Float32Array;
  readonly originalHashes: readonly string[];
  /** The vectors of the copies of each photograph in turn, in the order of DISTORTIONS. */
  readonly copies: Float32Array;
  readonly copyHashes: readonly string[];
  readonly inferenceMs: number;
}

const AT_ONCE = 4;
const KINDS = Object.keys(DISTORTIONS);

async function decoded(jpeg: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function versions(seed: number, index: number): Promise<Pixels[]> {
  const photo = photograph(seed, index);
  const copies = KINDS.map((name, at) => distort(photo, name, new Random(seed, index, 3 + at)));
  return Promise.all(
    [asSharp(photo).jpeg({ quality: 90 }).toBuffer(), ...copies].map(async (jpeg) => decoded(await jpeg)),
  );
}

export async function describedPhotographs(model: ImageModel, seed: number, count: number): Promise<Described> {
  const embedding = await model.open();
  const { dimension } = embedding;
  const originals = new Float32Array(count * dimension);
  const copies = new Float32Array(count * KINDS.length * dimension);
  const originalHashes: string[] = [];
  const copyHashes: string[] = [];
  let next = 0;
  const some = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const pictures = await versions(seed, index);
      const [original, ...distorted] = await embedding.embed(pictures);
      originals.set(original!, index * dimension);
      originalHashes[index] = measure(pictures[0]!).perceptualHash;
      for (const [kind, vector] of distorted.entries()) {
        copies.set(vector, (index * KINDS.length + kind) * dimension);
        copyHashes[index * KINDS.length + kind] = measure(pictures[kind + 1]!).perceptualHash;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  const inferenceMs = await timeOfOne(embedding, await versions(seed, 0));
  await embedding.close();
  return { dimension, originals, originalHashes, copies, copyHashes, inferenceMs };
}

/** CPU time, which does not depend on other load. */
async function timeOfOne(embedding: ImageEmbedding, pictures: readonly Pixels[]): Promise<number> {
  const rounds = 20;
  const before = process.cpuUsage();
  for (let i = 0; i < rounds; i++) for (const picture of pictures) await embedding.embed([picture]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (rounds * pictures.length);
}
