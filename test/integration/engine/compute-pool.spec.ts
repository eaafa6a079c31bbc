import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ComputeUnavailableError } from '../../../src/common/engine/compute/compute-models';
import type { WorkerLimits } from '../../../src/common/engine/compute/compute-worker';
import type { AnalyzeResult } from '../../../src/common/engine/compute/media-analysis';
import { DEFAULT_IMAGE_MODEL } from '../../../src/common/platform/config/runtime-settings.schema';
import { isUnrecoverable } from '../../../src/common/platform/outage/outage';
import { ChildProgram } from '../../support/child-program';
import { ComputeBench } from '../../support/compute';
import { FORMAT_FIXTURES } from '../../support/format-fixtures';
import { SITE_DIMENSION, SiteModels } from '../../support/site-models';
import { waitUntil } from '../../support/wait-until';

const plain = (seed: number, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background: { r: seed % 256, g: 90, b: 40 } } });
const photo = (seed: number): Promise<Buffer> => plain(seed).jpeg().toBuffer();
const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

function bytesRead(pid: number): number {
  try {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);
  } catch {
    return 0;
  }
}

async function withPool(
  concurrency: number,
  work: (bench: ComputeBench) => Promise<void>,
  limits: Partial<WorkerLimits> = {},
  modelsDir: string | null = null,
): Promise<void> {
  const bench = await ComputeBench.open(concurrency, limits, [], modelsDir);
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

describe('the compute pool', () => {
  it('analyses many files correctly', () =>
    withPool(2, async (bench) => {
      const results = await Promise.all(
        Array.from({ length: 30 }, async (_, i) => bench.analyzeImage(`${i}.jpg`, await photo(i * 8))),
      );
      expect(new Set(results.map(({ sha256 }) => sha256)).size).toBe(30);
      expect(bench.pool.childPids).toHaveLength(2);
    }));

  it('alternates between the files of several jobs', () =>
    withPool(1, async (bench) => {
      const done: string[] = [];
      const analyze = async (name: string, { signal }: AbortController): Promise<void> => {
        await bench.pool.analyze(bench.request(name), { signal });
        done.push(name);
      };
      const names = (job: string, count: number): string[] =>
        Array.from({ length: count }, (_, at) => `${job}${at}.jpg`);
      const [large, small] = [names('large', 60), names('small', 4)];
      const bytes = await photo(1);
      await Promise.all([...large, ...small].map((name) => writeFile(bench.path(name), bytes)));
      const [first, second] = [new AbortController(), new AbortController()];
      await Promise.all([...large.map((name) => analyze(name, first)), ...small.map((name) => analyze(name, second))]);
      // The child has four files of the large job when the small one starts.
      const last = Math.max(...small.map((name) => done.indexOf(name)));
      expect(last).toBeLessThan(large.length / 2);
    }));

  it('ends idle children, and starts new ones on demand', () =>
    withPool(
      1,
      async (bench) => {
        await bench.analyzeImage('a.jpg', await photo(1));
        const [first] = bench.pool.childPids;
        await waitUntil(() => bench.pool.childPids.length === 0);
        expect(isAlive(first!)).toBe(false);
        await bench.analyzeImage('b.jpg', await photo(2));
      },
      { idleMs: 20 },
    ));

  it('replaces a child whose memory has grown too large', () =>
    withPool(
      1,
      async (bench) => {
        await bench.analyzeImage('a.jpg', await photo(1));
        const [first] = bench.pool.childPids;
        await waitUntil(() => !bench.pool.childPids.includes(first!));
        await bench.analyzeImage('b.jpg', await photo(2));
      },
      { residentBytes: 1 },
    ));

  it('loses no file when children are killed during their work', () =>
    withPool(2, async (bench) => {
      const names = Array.from({ length: 60 }, (_, i) => `${i}.jpg`);
      await Promise.all(names.map(async (name, i) => writeFile(bench.path(name), await photo(i * 4))));
      let answered = 0;
      const all = names.map(async (name) => {
        const result = await bench.pool.analyze(bench.request(name));
        answered += 1;
        return result;
      });
      for (const part of [10, 30]) {
        await waitUntil(() => answered >= part);
        process.kill(bench.pool.childPids[0]!, 'SIGKILL');
      }
      expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(names.map(() => 'IMAGE'));
    }));

  it('rejects a file after children hung twice on it, and only that file', () =>
    withPool(
      1,
      async (bench) => {
        await writeFile(bench.path('slow.jpg'), await plain(1, 8000, 6000).jpeg().toBuffer());
        await writeFile(bench.path('empty.jpg'), '');
        const [slow, empty] = await Promise.all(
          ['slow.jpg', 'empty.jpg'].map((name) => bench.pool.analyze(bench.request(name))),
        );
        expect(slow).toMatchObject({ kind: 'QUARANTINED', reason: 'timed_out' });
        expect(empty).toMatchObject({ kind: 'QUARANTINED', reason: 'unreadable' });
      },
      { imageTimeoutMs: 1 },
    ));

  it('rejects a file after children crashed twice on it', () =>
    withPool(1, async (bench) => {
      const large = await plain(1, 6000, 6000).png({ compressionLevel: 0 }).toBuffer();
      await writeFile(bench.path('large.png'), large);
      let settled: AnalyzeResult | undefined;
      void bench.pool.analyze(bench.request('large.png')).then((result) => (settled = result));
      const killed = new Set<number>();
      await waitUntil(() => {
        for (const pid of bench.pool.childPids) {
          // The bytes read so far can only belong to this file.
          if (killed.has(pid) || bytesRead(pid) < large.length) continue;
          killed.add(pid);
          process.kill(pid, 'SIGKILL');
        }
        return settled !== undefined;
      });
      expect(settled).toMatchObject({ kind: 'QUARANTINED', reason: 'crashed' });
      expect(killed.size).toBe(2);
    }));

  it('cancels aborted analyses', () =>
    withPool(1, async (bench) => {
      const wanted = new AbortController();
      await writeFile(bench.path('a.jpg'), await photo(1));
      const analyses = Array.from({ length: 9 }, () =>
        bench.pool.analyze(bench.request('a.jpg'), { signal: wanted.signal }),
      );
      const settled = Promise.allSettled(analyses);
      wanted.abort(new Error('no longer wanted'));
      expect((await settled).map(({ status }) => status)).toEqual(analyses.map(() => 'rejected'));
      await expect(bench.pool.analyze(bench.request('a.jpg'), { signal: wanted.signal })).rejects.toThrow(
        'no longer wanted',
      );
      expect(await bench.pool.analyze(bench.request('a.jpg'))).toMatchObject({ kind: 'IMAGE' });
    }));

  it('ends its children when it stops, and rejects unfinished analyses', async () => {
    const bench = await ComputeBench.open(2);
    await bench.analyzeImage('a.jpg', await photo(1));
    const pids = bench.pool.childPids;
    const unfinished = expect(
      Promise.all(['a.jpg', 'a.jpg'].map((name) => bench.pool.analyze(bench.request(name)))),
    ).rejects.toThrow(ComputeUnavailableError);
    await bench.close();
    await unfinished;
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('leaves no child behind when its process is killed', async () => {
    const parent = ChildProgram.start(
      join(__dirname, '..', '..', 'support', 'programs', 'compute-parent.program.ts'),
      [],
    );
    const [, pid, folder] = /child (\d+) folder (.+)/.exec(await parent.untilLine('child'))!;
    parent.process.kill('SIGKILL');
    await waitUntil(() => !isAlive(Number(pid)));
    await rm(folder!, { recursive: true, force: true });
  });

  it('leaves no hanging child behind', async () => {
    const parent = ChildProgram.start(
      join(__dirname, '..', '..', 'support', 'programs', 'hanging-child.program.ts'),
      [],
    );
    const pid = Number((await parent.untilLine('child')).split(' ')[1]);
    await parent.kill();
    await waitUntil(() => !isAlive(pid));
  });

  it('reports a missing model', () =>
    withPool(1, async (bench) => {
      const missing = bench.analyze('a.jpg', await photo(1), { modelId: 'no-such-model' });
      await expect(missing).rejects.toThrow('There is no model no-such-model');
      expect(isUnrecoverable(await missing.catch((error: unknown) => error))).toBe(true);
      await bench.analyzeImage('b.jpg', await photo(2));
    }));

  it('analyses each file with the requested model, concurrently', async () => {
    const models = await SiteModels.make();
    await models.addImageModel('own_v01');
    await withPool(
      1,
      async (bench) => {
        const ids = [DEFAULT_IMAGE_MODEL, 'own_v01'];
        const found = await Promise.all(
          Array.from({ length: 8 }, async (_, i) =>
            bench.analyzeImage(`${i}.jpg`, await photo(i), { modelId: ids[i % 2]! }),
          ),
        );
        expect(found.map(({ embedding }) => embedding.length)).toEqual(
          found.map((_, i) => [192, SITE_DIMENSION][i % 2]),
        );
      },
      {},
      models.folder,
    );
    await models.remove();
  });

  it('attributes a crash while loading a model to the model, and continues with others', async () => {
    const models = await SiteModels.make();
    const file = await models.addEndless('endless_v01');
    await withPool(
      1,
      async (bench) => {
        const asked = bench.analyze('a.jpg', await photo(1), { modelId: 'endless_v01' });
        const refused = expect(asked).rejects.toThrow('No compute child can load the model endless_v01');
        const other = bench.analyzeImage('b.jpg', await photo(2));
        const killed = new Set<number>();
        await waitUntil(() => {
          const [pid] = bench.pool.childPids;
          if (pid !== undefined && !killed.has(pid) && file.isRead()) {
            killed.add(pid);
            process.kill(pid, 'SIGKILL');
          }
          return killed.size === 3;
        });
        await refused;
        await other;
      },
      {},
      models.folder,
    );
    await models.remove();
  });

  it('repeats a text and a file if a child is killed during them', async () => {
    const models = await SiteModels.make();
    await models.addCopy(join(FORMAT_FIXTURES, 'clip'), { id: 'own-clip_v00' });
    await withPool(
      1,
      async (bench) => {
        const name = 'large.png';
        await writeFile(bench.path(name), await plain(1, 5000, 5000).png({ compressionLevel: 0 }).toBuffer());
        for (let time = 0; time < 2; time++) {
          const file = bench.pool.analyze(bench.request(name));
          const text = bench.pool.describeText({ modelId: 'own-clip_v00', text: 'a dog' });
          await waitUntil(() => bench.pool.childPids.length > 0);
          process.kill(bench.pool.childPids[0]!, 'SIGKILL');
          expect((await text).length).toBe(32);
          expect(await file).toMatchObject({ kind: 'IMAGE' });
        }
      },
      {},
      models.folder,
    );
    await models.remove();
  });

  it('ends a child that hangs on a text', async () => {
    const models = await SiteModels.make();
    await models.addCopy(join(FORMAT_FIXTURES, 'clip'), { id: 'own-clip_v00' });
    await withPool(
      1,
      async (bench) => {
        const describe = (): Promise<unknown> =>
          bench.pool.describeText({ modelId: 'own-clip_v00', text: 'word '.repeat(2000) });
        // On a busy machine, a response may arrive before its time limit is checked.
        const failure = async (): Promise<unknown> => {
          for (;;) {
            try {
              await describe();
            } catch (error) {
              return error;
            }
          }
        };
        expect(await failure()).toBeInstanceOf(ComputeUnavailableError);
        await bench.analyzeImage('b.jpg', await photo(2));
      },
      { textTimeoutMs: 0 },
      models.folder,
    );
    await models.remove();
  });

  it('reports why no child can start', () =>
    withPool(
      1,
      async (bench) => {
        await expect(bench.analyze('a.jpg', await photo(1))).rejects.toThrow("compute-models-gone can't be read");
      },
      {},
      join(tmpdir(), 'compute-models-gone'),
    ));
});
