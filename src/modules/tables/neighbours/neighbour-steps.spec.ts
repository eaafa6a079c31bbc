import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../../test/support/folder-store';
import { knownGroups } from '../../../../test/support/known-groups';
import { Random } from '../../../../test/support/random';
import { StepsHere } from '../../../../test/support/steps-here';
import { keysBelow } from '../../../../test/support/keys-below';
import { computeSimilarityStructure } from '../../../common/engine/similarity/compute-similarity-structure';
import { KeptRows } from '../../../common/engine/similarity/elsewhere/kept-rows';
import type { OrderedVectors } from '../../../common/engine/similarity/elsewhere/ordered-vectors';
import { storePieces } from '../../../common/engine/similarity/elsewhere/store-pieces';
import { listsKey } from '../../../common/engine/similarity/elsewhere/stored-layout';
import { cellCountFor } from '../../../common/engine/similarity/cells/mean-cells';
import type {
  ElsewhereLimits,
  FiledSimilarityInput,
  SimilarityStructure,
} from '../../../common/engine/similarity/similarity-structure';
import { VectorFileWriter } from '../build/collected-groups';
import type { NeighboursInput } from './neighbour-steps';

// Each comparison takes some seconds on an idle machine.
jest.setTimeout(240_000);

const PREFIX = 'work/vectors/';
type Vectors = Pick<FiledSimilarityInput, 'count' | 'dimension' | 'contentGroup'> & { readonly vectors: Float32Array };

/** Slightly more than are compared pair by pair, and not a multiple of 16. */
const known = knownGroups({ count: 17_000, dimension: 20, groups: 350, seed: 9 });
/** Three parts. */
const elsewhere = { leastVectors: 1, partRows: 6_000 };

describe('neighbour search in steps', () => {
  const parent = mkdtempSync(join(tmpdir(), 'neighbour-steps-'));
  const store = folderStore(parent);
  const machines = ['one', 'other'].map((name) => new KeptRows({ store, dataDir: join(parent, name), threads: 1 }));
  const steps = new StepsHere(store, machines);
  const { signal } = new AbortController();
  let input: Omit<NeighboursInput, 'part'>;
  let found: SimilarityStructure;

  async function filed(of: Vectors, limits?: ElsewhereLimits): Promise<FiledSimilarityInput> {
    const folder = mkdtempSync(join(parent, 'run-'));
    const { count, dimension, vectors, contentGroup } = of;
    const writer = await VectorFileWriter.create(join(folder, 'vectors'), dimension);
    for (let row = 0; row < count; row++) await writer.add(vectors.subarray(row * dimension, (row + 1) * dimension));
    await writer.finish();
    const memory = { bytes: 1, folder };
    const ladder = [0.95, 0.85, 0.7, 0.6, 0.5] as const;
    const compared = { count, dimension, contentGroup, vectorFile: writer.path };
    return { ...compared, memory, ladder, threads: 2, elsewhere: limits };
  }

  const searchBelow =
    (prefix: string) =>
    async (ordered: OrderedVectors): Promise<void> => {
      input = { prefix, shape: ordered.shape };
      await steps.search(prefix, ordered);
    };

  beforeAll(async () => {
    found = await computeSimilarityStructure(await filed(known, elsewhere), { search: searchBelow(PREFIX) });
  });

  afterAll(async () => {
    for (const machine of machines) await machine.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it('has the same result as on one machine', async () => {
    expect(found).toEqual(await computeSimilarityStructure(await filed(known)));
  });

  it('can repeat a step, even concurrently, without changing the result', async () => {
    const key = listsKey(PREFIX, 'refine-neighbours', 1);
    const before = await readFile(store.localPath(key)!);
    await store.delete([key]);
    const answers = await Promise.all([0, 1].map((at) => steps.run(at, 'refine-neighbours', { ...input, part: 1 })));
    expect(answers).toEqual([expect.objectContaining({ done: true }), expect.objectContaining({ done: true })]);
    expect(await readFile(store.localPath(key)!)).toEqual(before);
  });

  it('does not store existing objects again', async () => {
    const again = jest.spyOn(store, 'put');
    const stop = new Error('Enough');
    const searched = async (ordered: OrderedVectors): Promise<void> => {
      await storePieces(store, PREFIX, ordered, signal);
      throw stop;
    };
    const comparison = computeSimilarityStructure(await filed(known, elsewhere), { search: searched });
    await expect(comparison).rejects.toBe(stop);
    expect(again).not.toHaveBeenCalled();
    again.mockRestore();
  });

  it('detects invalid lists of a part, and fetches them again', async () => {
    const [scanned, refined] = [listsKey(PREFIX, 'scan-cells', 0), listsKey(PREFIX, 'refine-neighbours', 0)];
    const before = await readFile(store.localPath(scanned)!);
    const lists = await readFile(store.localPath(refined)!);
    await store.delete([refined]);
    await store.put(scanned, before.subarray(1));
    await machines[0]!.close();
    const refine = () => steps.run(0, 'refine-neighbours', { ...input, part: 0 });
    const message = `The object ${scanned} has ${before.length - 1} bytes instead of ${before.length}`;
    expect(await refine()).toMatchObject({ failed: { message } });
    expect(readdirSync(join(parent, 'one', 'spool'))).toEqual([]);
    await store.put(scanned, before);
    expect(await refine()).toMatchObject({ done: true });
    expect(await readFile(store.localPath(refined)!)).toEqual(lists);
  });

  it('runs steps of several concurrent searches on one machine', async () => {
    const [GONE, OTHER] = ['work/gone/', 'work/other/'];
    const pieces = (await keysBelow(store, PREFIX)).filter((key) => !key.includes('/results/'));
    for (const key of pieces) await store.put(key.replace(PREFIX, OTHER), await readFile(store.localPath(key)!));
    await steps.plan(GONE);
    const scanned = listsKey(PREFIX, 'scan-cells', 0);
    const before = await readFile(store.localPath(scanned)!);
    await store.delete([scanned]);
    const answers = [GONE, OTHER, PREFIX].map((prefix) => steps.run(1, 'scan-cells', { ...input, prefix, part: 0 }));
    expect(await Promise.all(answers)).toMatchObject([
      { failed: { message: expect.stringContaining(GONE) as string } },
      { done: true },
      { done: true },
    ]);
    for (const prefix of [OTHER, PREFIX])
      expect(await readFile(store.localPath(listsKey(prefix, 'scan-cells', 0))!)).toEqual(before);
  });

  it('has the same result if a cell is split because it has too many vectors', async () => {
    const [count, dimension] = [16_500, 8];
    const [random, vectors] = [new Random(7), new Float32Array(count * dimension)];
    for (let at = 0; at < vectors.length; at++) vectors[at] = 0.0001 * random.next() + Math.sin(at % dimension);
    const length = Math.hypot(...vectors.subarray(0, dimension));
    const alike = {
      ...{ count, dimension, vectors: vectors.map((value) => value / length) },
      contentGroup: Int32Array.from({ length: count }, (_, item) => item),
    };
    const comparison = { ...(await filed(alike, elsewhere)), isMapped: false };
    const searched = await computeSimilarityStructure(comparison, { search: searchBelow('work/alike/') });
    expect(input.shape.cells).toBeGreaterThan(cellCountFor(count));
    expect(searched).toEqual(await computeSimilarityStructure({ ...(await filed(alike)), isMapped: false }));
  });

  it('leaves no files on a machine after it was closed', async () => {
    for (const machine of machines) await machine.close();
    for (const name of ['one', 'other']) expect(readdirSync(join(parent, name, 'spool'))).toEqual([]);
    expect((await keysBelow(store, PREFIX)).length).toBeGreaterThan(0);
  });
});
