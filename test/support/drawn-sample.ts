import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { makeSample, type SampleSummary } from '#sample';
import { onServer } from './test-database';
import { TEST_RUN_FOLDER } from './test-server';

export interface DrawnSample {
  /** A folder that contains only the sample. */
  readonly root: string;
  readonly summary: SampleSummary;
  /** The progress reports during the drawing. */
  readonly progress: readonly (readonly [done: number, total: number])[];
}

const DRAWING_LOCK = 2;

/** The sample dataset, drawn once per test run into a folder with leftovers of a crash. The first caller draws it, and the others wait. Read-only. */
export async function drawnSample(): Promise<DrawnSample> {
  const folder = join(process.env[TEST_RUN_FOLDER]!, 'shared');
  const record = join(folder, 'drawn-sample');
  return onServer(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [DRAWING_LOCK]);
    const known = await readFile(record).catch(() => undefined);
    if (known !== undefined) return deserialize(known) as DrawnSample;
    const drawn = await draw(join(folder, 'sample-root'));
    await writeFile(record, serialize(drawn));
    return drawn;
  });
}

async function draw(root: string): Promise<DrawnSample> {
  await rm(root, { recursive: true, force: true });
  await mkdir(join(root, 'sample.unfinished'), { recursive: true });
  await writeFile(join(root, 'sample.unfinished', 'half.txt'), 'left by a crash');
  const progress: [number, number][] = [];
  const summary = await makeSample(join(root, 'sample'), { onProgress: (...at) => progress.push(at) });
  return { root, summary, progress };
}
