import type { Tensor } from 'onnxruntime-node';
import type { Pixels } from '../pixels';
import type { PicturePreparation, PreparedPicture } from './picture-preparation';

/** The prepared pictures of one size in one tensor. */
export async function pictureTensor(pictures: readonly PreparedPicture[]): Promise<Tensor> {
  const { Tensor } = await import('onnxruntime-node');
  const { width, height } = pictures[0]!;
  const size = 3 * width * height;
  const values = new Float32Array(pictures.length * size);
  for (const [at, picture] of pictures.entries()) values.set(picture.values, at * size);
  return new Tensor('float32', values, [pictures.length, 3, height, width]);
}

const BATCH = 16;

/** Pictures in groups that one run of a model computes: of the same size, and not too many. */
export function* batches(pictures: readonly Pixels[], preparation: PicturePreparation): Generator<PreparedPicture[]> {
  const most = preparation.fixedSize === null ? 1 : BATCH;
  for (let first = 0; first < pictures.length; first += most) {
    yield pictures.slice(first, first + most).map((picture) => preparation.prepare(picture));
  }
}
