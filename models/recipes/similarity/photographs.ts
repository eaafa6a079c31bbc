import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { PER_FAMILY, photograph } from '../../../bench/support/photographs';
import { resizeByArea } from '../../../src/common/engine/models/resizing/resize-by-area';

const SIDE = 160;

/** The header of a NumPy file with bytes of this shape. */
function npyHead(shape: readonly number[]): Buffer {
  const text = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY'), Buffer.from([1, 0, 118, 0]), Buffer.from(text)]);
}

/** Writes generated photographs of the shape families x PER_FAMILY x 160 x 160 x 3. */
async function write(seed: number, families: number, path: string): Promise<void> {
  const out = createWriteStream(path);
  out.write(npyHead([families, PER_FAMILY, SIDE, SIDE, 3]));
  for (let index = 0; index < families * PER_FAMILY; index++) {
    if (!out.write(resizeByArea(photograph(seed, index), SIDE, SIDE).data)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
}

const [seed, families, path] = process.argv.slice(2);
void write(Number(seed), Number(families), path!);
