import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '../../../../../test/support/folder-store';
import { knownGroups } from '../../../../../test/support/known-groups';
import { computeSimilarityStructure } from '../../../../common/engine/similarity/compute-similarity-structure';
import { decodeLists } from '../../../../common/engine/similarity/elsewhere/encoded-lists';
import { KeptRows } from '../../../../common/engine/similarity/elsewhere/kept-rows';
import type { OrderedVectors } from '../../../../common/engine/similarity/elsewhere/ordered-vectors';
import { keysOf, storePieces } from '../../../../common/engine/similarity/elsewhere/store-pieces';
import { listsKey, partCount, partRange } from '../../../../common/engine/similarity/elsewhere/stored-layout';
import type {
  FiledSimilarityInput,
  SimilarityStructure,
} from '../../../../common/engine/similarity/similarity-structure';
import { listsOf } from '../../../../common/engine/similarity/top-lists';
import type { ObjectStore } from '../../../../common/platform/storage/object-store';
import { VectorFileWriter } from '../vector-file-writer';
import { RefineNeighboursStep, ScanCellsStep, type NeighboursInput } from './neighbour-steps';

const PREFIX = 'work/vectors/';
/** Two parts, and not a multiple of 16. */
const known = knownGroups({ count: 18_500, dimension: 44, groups: 350, seed: 9 });

describe('the search for neighbours in steps', () => {
  const parent = mkdtempSync(join(tmpdir(), 'neighbour-steps-'));
  const store = folderStore(parent);
  const context = { signal: new AbortController().signal };
  const machines = ['one', 'other'].map((name) => new KeptRows({ store, dataDir: join(parent, name), threads: 1 }));
  let input: Omit<NeighboursInput, 'part'>;
  let found: SimilarityStructure;

  async function filed(elsewhereFrom?: number): Promise<FiledSimilarityInput> {
    const folder = mkdtempSync(join(parent, 'run-'));
    const { count, dimension, vectors, contentGroup } = known;
    const writer = await VectorFileWriter.create(join(folder, 'vectors'), dimension);
    for (let row = 0; row < count; row++) await writer.add(vectors.subarray(row * dimension, (row + 1) * dimension));
    await writer.finish();
    const memory = { bytes: 1, folder };
    const ladder = [0.95, 0.85, 0.7, 0.6, 0.5] as const;
    return { count, dimension, contentGroup, vectorFile: writer.path, memory, ladder, threads: 2, elsewhereFrom };
  }

  const stepOf = (pass: 'scanned' | 'refined', rows: KeptRows, from: ObjectStore = store) =>
    pass === 'scanned' ? new ScanCellsStep({ store: from, rows }) : new RefineNeighboursStep({ store: from, rows });

  async function search(ordered: OrderedVectors): Promise<void> {
    await storePieces(store, PREFIX, ordered, context.signal);
    const { shape, neighbours } = ordered;
    input = { prefix: PREFIX, shape };
    for (const pass of ['scanned', 'refined'] as const)
      for (let part = 0; part < partCount(shape.count); part++) {
        const { key } = await stepOf(pass, machines[part % 2]!).run({ ...input, part }, context);
        if (pass === 'scanned') continue;
        const { from, to } = partRange(shape.count, part);
        decodeLists(await readFile(store.localPath(key)!), listsOf(neighbours, from, to));
      }
  }

  beforeAll(async () => {
    found = await computeSimilarityStructure(await filed(1), { search });
  });

  afterAll(async () => {
    for (const machine of machines) await machine.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it('finds what one machine finds', async () => {
    expect(found).toEqual(await computeSimilarityStructure(await filed()));
  });

  it('may do a step twice, at the same time as well, which changes nothing', async () => {
    const key = listsKey(PREFIX, 'refined', 1);
    const before = await readFile(store.localPath(key)!);
    await store.delete([key]);
    const results = await Promise.all(
      machines.map((rows) => stepOf('refined', rows).run({ ...input, part: 1 }, context)),
    );
    expect(results).toEqual([{ key }, { key }]);
    expect(await readFile(store.localPath(key)!)).toEqual(before);
  });

  it('stores nothing that is there already', async () => {
    const again = jest.spyOn(store, 'put');
    const stop = new Error('Enough');
    const searched = async (ordered: OrderedVectors): Promise<void> => {
      await storePieces(store, PREFIX, ordered, context.signal);
      throw stop;
    };
    await expect(computeSimilarityStructure(await filed(1), { search: searched })).rejects.toBe(stop);
    expect(again).not.toHaveBeenCalled();
  });

  it('does not take something else for the lists of a part, and fetches them anew then', async () => {
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

  it('leaves no file on a machine that has ended its work', async () => {
    for (const machine of machines) await machine.close();
    for (const name of ['one', 'other']) expect(readdirSync(join(parent, name, 'spool'))).toEqual([]);
    expect((await keysOf(store, PREFIX)).size).toBeGreaterThan(0);
  });
});
