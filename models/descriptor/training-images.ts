import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import sharp from 'sharp';
import { asSharp, distort, DISTORTIONS, photograph } from '../../bench/support/photographs';
import { Random } from '../../test/support/random';
import { resizeByArea } from '../../src/common/engine/models/resizing/resize-by-area';

const SIDE = 128;

async function modelInput(jpeg: Buffer): Promise<Uint8Array> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  return resizeByArea({ data, width: info.width, height: info.height }, SIDE, SIDE).data;
}

/** Writes each photograph and its distorted copies as consecutive model inputs. */
async function write(seed: number, count: number, path: string): Promise<void> {
  const out = createWriteStream(path);
  for (let index = 0; index < count; index++) {
    const photo = photograph(seed, index);
    const copies = await Promise.all(
      Object.keys(DISTORTIONS).map((name, at) => distort(photo, name, new Random(seed, index, 3 + at))),
    );
    for (const jpeg of [await asSharp(photo).jpeg({ quality: 90 }).toBuffer(), ...copies]) {
      if (!out.write(await modelInput(jpeg))) await once(out, 'drain');
    }
  }
  out.end();
  await finished(out);
}

const [seed, count, path] = process.argv.slice(2);
void write(Number(seed), Number(count), path!);
