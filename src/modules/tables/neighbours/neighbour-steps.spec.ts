import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../../test/support/folder-store';
import { knownGroups } from '../../../../test/support/known-groups';
import { Random } from '../../../../test/support/random';
import { computeSimilarityStructure } from '../../../common/engine/similarity/compute-similarity-structure';
import { decodeLists } from '../../../common/engine/similarity/elsewhere/encoded-lists';
import { KeptRows } from '../../../common/engine/similarity/elsewhere/kept-rows';
import type { OrderedVectors } from '../../../common/engine/similarity/elsewhere/ordered-vectors';
import { keysOf, storePieces } from '../../../common/engine/similarity/elsewhere/store-pieces';
import { listsKey, partCount, partRange } from '../../../common/engine/similarity/elsewhere/stored-layout';
import { cellCountFor } from '../../../common/engine/similarity/cells/mean-cells';
import type { FiledSimilarityInput, SimilarityStructure } from '../../../common/engine/similarity/similarity-structure';
import { listsOf } from '../../../common/engine/similarity/vectors/top-lists';
import { VectorFileWriter } from '../build/collected-groups';
import { RefineNeighboursStep, ScanCellsStep, type NeighboursInput } from './neighbour-steps';

// Each comparison takes some seconds on an idle machine.
jest.setTimeout(240_000);

const PREFIX = 'work/vectors/';
type Vectors = Pick<FiledSimilarityInput, 'count' | 'dimension' | 'contentGroup'> & { readonly vectors: Float32Array };

/** Two parts; the number is not a multiple of 16. */
const known = knownGroups({ count: 18_500, dimension: 44, groups: 350, seed: 9 });

describe('neighbour search in steps', () => {
  const parent = mkdtempSync(join(tmpdir(), 'neighbour-steps-'));
  const store = folderStore(parent);
  const context = { signal: new AbortController().signal };
  const machines = ['one', 'other'].map((name) => new KeptRows({ store, dataDir: join(parent, name), threads: 1 }));
  let input: Omit<NeighboursInput, 'part'>;
  let found: SimilarityStructure;

  async function filed(of: Vectors, elsewhereFrom?: number): Promise<FiledSimilarityInput> {
    const folder = mkdtempSync(join(parent, 'run-'));
    const { count, dimension, vectors, contentGroup } = of;
    const writer = await VectorFileWriter.create(join(folder, 'vectors'), dimension);
    for (let row = 0; row < count; row++) await writer.add(vectors.subarray(row * dimension, (row + 1) * dimension));
    await writer.finish();
    const memory = { bytes: 1, folder };
    const ladder = [0.95, 0.85, 0.7, 0.6, 0.5] as const;
    return { count, dimension, contentGroup, vectorFile: writer.path, memory, ladder, threads: 2, elsewhereFrom };
  }

  const stepOf = (pass: 'scanned' | 'refined', rows: KeptRows) =>
    pass === 'scanned' ? new ScanCellsStep({ store, rows }) : new RefineNeighboursStep({ store, rows });

  async function searchBelow(prefix: string, ordered: OrderedVectors): Promise<void> {
    await storePieces(store, prefix, ordered, context.signal);
    const { shape, neighbours } = ordered;
    input = { prefix, shape };
    for (const pass of ['scanned', 'refined'] as const)
      for (let part = 0; part < partCount(shape.count); part++) {
        const { key } = await stepOf(pass, machines[part % 2]!).run({ ...input, part }, context);
        if (pass === 'scanned') continue;
        const { from, to } = partRange(shape.count, part);
        decodeLists(await readFile(store.localPath(key)!), listsOf(neighbours, from, to));
      }
  }

  beforeAll(async () => {
    const search = (ordered: OrderedVectors): Promise<void> => searchBelow(PREFIX, ordered);
    found = await computeSimilarityStructure(await filed(known, 1), { search });
  });

  afterAll(async () => {
    for (const machine of machines) await machine.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it('has the same result as on one machine', async () => {
    expect(found).toEqual(await computeSimilarityStructure(await filed(known)));
  });

  it('can repeat a step, even concurrently, without changing the result', async () => {
    const key = listsKey(PREFIX, 'refined', 1);
    const before = await readFile(store.localPath(key)!);
    await store.delete([key]);
    const results = await Promise.all(
      machines.map((rows) => stepOf('refined', rows).run({ ...input, part: 1 }, context)),
    );
    expect(results).toEqual([{ key }, { key }]);
    expect(await readFile(store.localPath(key)!)).toEqual(before);
  });

  it('does not store existing objects again', async () => {
    const again = jest.spyOn(store, 'put');
    const stop = new Error('Enough');
    const searched = async (ordered: OrderedVectors): Promise<void> => {
      await storePieces(store, PREFIX, ordered, context.signal);
      throw stop;
    };
    await expect(computeSimilarityStructure(await filed(known, 1), { search: searched })).rejects.toBe(stop);
    expect(again).not.toHaveBeenCalled();
  });

  it('detects invalid lists of a part, and fetches them again', async () => {
    const key = listsKey(PREFIX, 'scanned', 0);
    const before = await readFile(store.localPath(key)!);
    await store.put(key, before.subarray(1));
    const [rows] = machines;
    await rows!.close();
    await expect(stepOf('refined', rows!).run({ ...input, part: 0 }, context)).rejects.toThrow(
      `The object ${key} has ${before.length - 1} bytes instead of ${before.length}`,
    );
    expect(readdirSync(join(parent, 'one', 'spool'))).toEqual([]);
    await store.put(key, before);
    expect(await stepOf('refined', rows!).run({ ...input, part: 0 }, context)).toEqual({
      key: listsKey(PREFIX, 'refined', 0),
    });
  });

  it('runs steps of several concurrent searches on one machine', async () => {
    const [, rows] = machines;
    const OTHER = 'work/other/';
    const pieces = [...(await keysOf(store, PREFIX))].filter((key) => !/\/(scanned|refined)\//.test(key));
    for (const key of pieces) await store.put(key.replace(PREFIX, OTHER), await readFile(store.localPath(key)!));
    const scanned = listsKey(PREFIX, 'scanned', 0);
    const before = await readFile(store.localPath(scanned)!);
    await store.delete([scanned]);
    const [gone, ...asked] = ['work/gone/', OTHER, PREFIX].map((prefix) =>
      stepOf('scanned', rows!).run({ ...input, prefix, part: 0 }, context),
    );
    await expect(gone).rejects.toThrow('work/gone/');
    for (const { key } of await Promise.all(asked)) expect(await readFile(store.localPath(key)!)).toEqual(before);
  });

  it('has the same result if a cell is split because it has too many vectors', async () => {
    const [count, dimension] = [18_000, 20];
    const [random, vectors] = [new Random(7), new Float32Array(count * dimension)];
    for (let at = 0; at < vectors.length; at++) vectors[at] = 0.0001 * random.next() + Math.sin(at % dimension);
    const length = Math.hypot(...vectors.subarray(0, dimension));
    const alike = {
      ...{ count, dimension, vectors: vectors.map((value) => value / length) },
      contentGroup: Int32Array.from({ length: count }, (_, item) => item),
    };
    const search = (ordered: OrderedVectors): Promise<void> => searchBelow('work/alike/', ordered);
    const searched = await computeSimilarityStructure({ ...(await filed(alike, 1)), isMapped: false }, { search });
    expect(input.shape.cells).toBeGreaterThan(cellCountFor(count));
    expect(searched).toEqual(await computeSimilarityStructure({ ...(await filed(alike)), isMapped: false }));
  });

  it('leaves no files on a machine after it was closed', async () => {
    for (const machine of machines) await machine.close();
    for (const name of ['one', 'other']) expect(readdirSync(join(parent, name, 'spool'))).toEqual([]);
    expect((await keysOf(store, PREFIX)).size).toBeGreaterThan(0);
  });
});
