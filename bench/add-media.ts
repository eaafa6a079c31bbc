import { link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Bench, Report } from './bench';
import { ask, makeDataset } from './support/made-dataset';
import { photographFolder } from './support/photograph-folder';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const SIZES = (process.env['SIZES'] ?? '10000,100000,1000000').split(',').map(Number);
const BATCH = 1000;
const BATCHES = 2;
const POLL_MS = 100;

async function batchFolders({ dataDir }: ProgramInProcess): Promise<string[]> {
  const photographs = await photographFolder(BATCH * BATCHES);
  const names = (await readdir(photographs)).sort();
  const folders: string[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const folder = join(dataDir, 'batches', String(batch));
    await mkdir(folder, { recursive: true });
    for (const name of names.slice(batch * BATCH, (batch + 1) * BATCH))
      await link(join(photographs, name), join(folder, name));
    folders.push(folder);
  }
  return folders;
}

/** The seconds from the request until the batch is published. */
async function seconds(program: ProgramInProcess, id: string, folder: string): Promise<number> {
  const form = new FormData();
  form.set('s3_uri', folder);
  const started = performance.now();
  const response = await fetch(`${program.url}/api/v1/dataset/${id}/add_media`, { method: 'POST', body: form });
  if (response.status !== 202) throw new Error(`add_media answered ${response.status}: ${await response.text()}`);
  for (;;) {
    await setTimeout(POLL_MS);
    const { status_new: status } = await ask<{ status_new: string }>(program, 'GET', `/api/v1/dataset/${id}`);
    if (status !== 'READ ONLY') break;
  }
  const taken = (performance.now() - started) / 1000;
  const { tasks } = await ask<{ tasks: { status: string; error_message: string | null }[] }>(
    program,
    'GET',
    `/api/v1/tasks?dataset_id=${id}`,
  );
  if (tasks[0]?.status !== 'COMPLETED') throw new Error(`The task is ${tasks[0]?.status}: ${tasks[0]?.error_message}`);
  return taken;
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const ids: string[] = [];
  for (const rows of SIZES) {
    const started = performance.now();
    ids.push(await makeDataset(program, rows));
    report.note(`${rows} media made in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  const taken = SIZES.map((): number[] => []);
  // Sizes alternate, so that other load on the machine affects all of them equally.
  for (const folder of await batchFolders(program))
    for (const [at, id] of ids.entries()) taken[at]!.push(await seconds(program, id, folder));
  const rates = taken.map((times) => (BATCH * times.length) / times.reduce((sum, each) => sum + each, 0));
  report.table(
    SIZES.map((rows, at) => ({
      media: rows,
      'seconds a batch': taken[at]!.map((each) => each.toFixed(1)).join(', '),
      'rows/s': rates[at]!.toFixed(1),
    })),
  );
  const ratio = rates.at(-1)! / rates[0]!;
  report.figure(`rows a second at ${SIZES.at(-1)} over those at ${SIZES[0]}`, ratio, '', '>=0.5', ratio >= 0.5);
}

export const bench: Bench = {
  name: 'add-media',
  summary: 'batches of 1,000 photographs into 10k, 100k and 1M media (`SIZES=10000,100000` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
