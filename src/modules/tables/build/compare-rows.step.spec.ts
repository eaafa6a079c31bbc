import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from '../../../common/platform/config/configuration';
import { outageOf } from '../../../common/platform/outage/outage';
import { knownGroups } from '../../../../test/support/known-groups';
import { CompareRowsStep, type Compared } from './compare-rows.step';
import type { IndexingRun } from '../runs/task-runner';
import type { ComparedRow, RowSource } from '../rows/row-source';

const COUNT = 30_000;
const DIMENSION = 64;
const MODELS = {
  dimensions: { embedding: DIMENSION, captionEmbedding: 1 },
  ladder: [0.95, 0.85, 0.7, 0.6, 0.5],
  nearDuplicates: 0.95,
} as const;
const ENOUGH = 2 ** 30;
/** Less memory than these vectors take with room for all of them, but enough for some. */
const LITTLE = 39_700_000;

const known = knownGroups({ count: COUNT, dimension: DIMENSION, groups: 300, seed: 2 });

/** Every tenth row is an object. `onRow` is called with the number of each row. */
const source = (onRow: (row: number) => void = () => undefined): RowSource => ({
  counts: { images: COUNT * 0.9, videos: 0, objects: COUNT * 0.1, frames: 0 },
  rows: () => {
    throw new Error('Only what is compared is read');
  },
  async *comparedRows(): AsyncGenerator<ComparedRow> {
    for (let row = 0; row < COUNT; row++) {
      onRow(row);
      yield await Promise.resolve({
        id: String(row),
        kind: row % 10 === 0 ? 'OBJECT' : 'IMAGE',
        parentId: null,
        sha256: hash('sha256', String(known.contentGroup[row])),
        embedding: known.vectors.subarray(row * DIMENSION, (row + 1) * DIMENSION),
        labels: [],
        generatedLabels: null,
        objectSource: null,
      });
    }
  },
});

describe('a comparison within a memory limit', () => {
  const ownDataDir = mkdtempSync(join(tmpdir(), 'compare-rows-'));
  const spool = join(ownDataDir, 'spool');

  afterAll(() => {
    rmSync(ownDataDir, { recursive: true, force: true });
  });

  const compare = (
    indexingMemoryBytes: number,
    {
      rows = source(),
      signal = new AbortController().signal,
      onPart = (): void => undefined,
      dataDir = ownDataDir,
    }: Asked = {},
  ): Promise<Compared> => {
    const step = new CompareRowsStep({ indexingMemoryBytes, dataDir, workerConcurrency: 2 } as Configuration, null);
    const run = { context: { signal } } as IndexingRun;
    return step.compare(run, rows, MODELS, { IMAGES: 'all', OBJECTS: 'all' }, onPart);
  };

  interface Asked {
    readonly rows?: RowSource;
    readonly signal?: AbortSignal;
    readonly onPart?: (part: number) => void;
    readonly dataDir?: string;
  }

  it('has the same result with little memory as with enough', async () => {
    const seen = new Set<string>();
    const enough = await compare(ENOUGH);
    expect(readdirSync(spool)).toEqual([]);
    const little = await compare(LITTLE, { onPart: () => readdirSync(spool).forEach((name) => seen.add(name)) });
    expect(seen.size).toBe(1);
    expect(readdirSync(spool)).toEqual([]);
    expect(little.OBJECTS).toEqual(enough.OBJECTS);
    const [expected, found] = [enough.IMAGES!.structure!, little.IMAGES!.structure!];
    expect(Math.abs(found.edges.first.length - expected.edges.first.length)).toBeLessThan(20);
    expect(found.nearest.filter((cosine, item) => cosine !== expected.nearest[item]).length).toBeLessThan(20);
    found.clusters.forEach((level, at) => {
      const [ours, theirs] = [level, expected.clusters[at]!].map((each) => new Set(each).size);
      expect(Math.abs(ours! - theirs!)).toBeLessThanOrEqual(theirs! * 0.01 + 5);
    });
  });

  it('reports the required memory if the limit is too low', async () => {
    await expect(compare(1_000_000)).rejects.toThrow(
      /Comparing 27000 vectors of 64 numbers takes at least \d+ bytes of memory, but INDEXING_MEMORY_BYTES is 1000000. Raise it/,
    );
  });

  // Only root may mount the small file system that the test needs; otherwise the test is skipped.
  const disk = mkdtempSync(join(tmpdir(), 'compare-rows-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk]).status === 0;
  afterAll(() => {
    if (isMounted) spawnSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  (isMounted ? it : it.skip)(
    'says how much its files need and how much is free, and leaves none, on a full disk',
    async () => {
      const { bavail, bsize } = statfsSync(disk);
      const needed = 4 * DIMENSION * (COUNT + 2 * 0.9 * COUNT);
      const failure: unknown = await compare(LITTLE, { dataDir: disk }).catch((error: unknown) => error);
      const amounts = `up to ${needed} bytes are needed, ${bavail * bsize} are free`;
      expect(outageOf(failure)?.awaited).toBe(`free space on ${join(disk, 'spool')} (${amounts})`);
      expect(outageOf(failure)?.detail).toBe(
        `There is no space left on ${join(disk, 'spool')} (${amounts}): make room or give it more, then try again.`,
      );
      expect(readdirSync(join(disk, 'spool'))).toEqual([]);
    },
  );

  it('leaves no files behind after a failure of the source or an abort', async () => {
    const broken = source((row) => {
      if (row === 25_000) throw new Error('The source is gone');
    });
    await expect(compare(LITTLE, { rows: broken })).rejects.toThrow('The source is gone');
    expect(readdirSync(spool)).toEqual([]);
    const controller = new AbortController();
    const onPart = (part: number): void => {
      if (part > 0.3) controller.abort(new Error('No longer wanted'));
    };
    await expect(compare(LITTLE, { signal: controller.signal, onPart })).rejects.toThrow('No longer wanted');
    expect(readdirSync(spool)).toEqual([]);
  });

  it('removes files of a killed process', async () => {
    const { pid } = spawnSync('true');
    const left = join(spool, `${encodeURIComponent(hostname())}~${pid}~vectors`);
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, 'ordered'), 'vectors');
    const controller = new AbortController();
    controller.abort(new Error('Enough'));
    await expect(compare(LITTLE, { signal: controller.signal })).rejects.toThrow('Enough');
    expect(readdirSync(spool)).toEqual([]);
  });
});
