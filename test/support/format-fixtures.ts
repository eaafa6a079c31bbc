import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tensor } from 'onnxruntime-node';
import { openImage } from '../../src/common/engine/compute/decode/open-image';
import type { Pixels } from '../../src/common/engine/models/picture-model';

/** Tiny models in Hugging Face's layout with the results of Python, created by models/recipes/formats. */
export const FORMAT_FIXTURES = join(__dirname, '../fixtures/models');
/** The same models, or models of full size. */
export const FORMATS = process.env['FORMATS'] ?? FORMAT_FIXTURES;

export const readJson = async <Content>(...path: string[]): Promise<Content> =>
  JSON.parse(await readFile(join(...path), 'utf8')) as Content;

const PICTURES = join(FORMATS, 'pictures');

export const pictureNames = (): Promise<string[]> => readdir(PICTURES);

/** Decodes a picture like the service. */
export async function decodedPicture(name: string, longestSide: number): Promise<Pixels> {
  const image = await openImage({
    bytes: await readFile(join(PICTURES, name)),
    format: name.endsWith('.png') ? 'png' : 'jpeg',
    swapRedBlueForTiffHeic: false,
  });
  return image.pixels(longestSide);
}

/** The input numbers that the recipe uses too. */
export async function fixedTensor(shape: readonly number[]): Promise<Tensor> {
  const { Tensor } = await import('onnxruntime-node');
  const length = shape.reduce((product, side) => product * side, 1);
  const values = Float32Array.from({ length }, (_, at) => Math.fround(Math.sin(at * 0.7)) * 1.5);
  return new Tensor('float32', values, shape);
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    product += a[at]! * b[at]!;
    ofA += a[at]! * a[at]!;
    ofB += b[at]! * b[at]!;
  }
  return product / Math.sqrt(ofA * ofB);
}

export function furthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = a.length === b.length ? 0 : Infinity;
  for (let at = 0; at < a.length; at++) most = Math.max(most, Math.abs(a[at]! - b[at]!));
  return most;
}
