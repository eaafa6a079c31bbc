import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { DatasetReader } from '../src/modules/datasets';
import type { Bench, Report } from './bench';
import { mediaId } from './support/collection-row';
import { longestTurn } from './support/longest-turn';
import { ask, makeDataset, publish } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';

const SIZES = (process.env['SIZES'] ?? '1000,100000,1000000').split(',').map(Number);
const WARM_ROUNDS = 3;
const ROUNDS = 15;
const TAGGED = 500;
const MEGABYTE = 1e6;

const OPERATIONS = ['snapshot', 'restore', 'clone'] as const;
type Operation = (typeof OPERATIONS)[number];

interface Sized {
  readonly rows: number;
  readonly id: string;
  /** Restored alternately. */
  readonly snapshots: [string, string];
}

interface Cost {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** Creates a dataset with two snapshots whose tags differ. */
async function makeSized(program: ProgramInProcess, rows: number): Promise<Sized> {
  const id = await makeDataset(program, rows);
  const first = await snapshot(program, id);
  const tags = `/api/v1/dataset/${id}/tags`;
  const { id: tag } = await ask<{ id: string }>(program, 'POST', tags, { name: 'some' });
  const selection = [
    { type: 'media', payload: { media_ids: Array.from({ length: TAGGED }, (_, row) => mediaId(row)) } },
  ];
  await ask(program, 'POST', `${tags}/${tag}/assign`, { media_selection: selection });
  return { rows, id, snapshots: [first, await snapshot(program, id)] };
}

const snapshot = async (program: ProgramInProcess, id: string): Promise<string> =>
  (await ask<{ snapshot_id: string }>(program, 'POST', `/api/v1/dataset/${id}/snapshot`)).snapshot_id;

async function untilReady(program: ProgramInProcess, id: string): Promise<void> {
  for (;;) {
    const { status_new: status } = await ask<{ status_new: string }>(program, 'GET', `/api/v1/dataset/${id}`);
    if (status === 'READY') return;
    if (status === 'ERROR') throw new Error('The dataset has the status ERROR');
  }
}

async function clonesOf(program: ProgramInProcess, id: string): Promise<string[]> {
  const all = await ask<{ id: string; source_dataset_id: string | null }[]>(program, 'GET', '/api/v1/datasets');
  return all.filter((each) => each.source_dataset_id === id).map((each) => each.id);
}

async function run(program: ProgramInProcess, operation: Operation, { id, snapshots }: Sized): Promise<Cost> {
  const before = await bytesKept(program);
  const wanted = snapshots.reverse()[0]!;
  const known = operation === 'clone' ? new Set(await clonesOf(program, id)) : undefined;
  const started = performance.now();
  if (operation === 'snapshot') await snapshot(program, id);
  else await ask(program, 'POST', `/api/v1/dataset/${id}/snapshot/${wanted}/${operation}`);
  const made = known === undefined ? id : (await clonesOf(program, id)).find((each) => !known.has(each))!;
  await untilReady(program, made);
  return { milliseconds: performance.now() - started, bytes: (await bytesKept(program)) - before };
}

/** The size of the store and of the database, without the write-ahead log of Postgres, whose files are preallocated. */
async function bytesKept({ app, dataDir }: ProgramInProcess): Promise<number> {
  const [database] = await app
    .get(DataSource)
    .query<{ bytes: string }[]>('SELECT pg_database_size(current_database()) AS bytes');
  const store = join(dataDir, 'store');
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, Number(database!.bytes));
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const all: Sized[] = [];
  for (const rows of SIZES) {
    const started = performance.now();
    all.push(await makeSized(program, rows));
    report.note(`${rows} media made and tagged in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    // Sizes alternate, so that other load on the machine affects all of them equally.
    for (const sized of all) {
      for (const operation of OPERATIONS) {
        const cost = await run(program, operation, sized);
        const key = `${operation} ${sized.rows}`;
        if (round >= WARM_ROUNDS) costs.set(key, [...(costs.get(key) ?? []), cost]);
      }
    }
  }
  for (const operation of OPERATIONS) tell(report, operation, costs);
  await compare(report, program, all.at(-1)!);
}

function tell(report: Report, operation: Operation, costs: ReadonlyMap<string, readonly Cost[]>): void {
  const bySize = SIZES.map((rows) => {
    const measured = costs.get(`${operation} ${rows}`)!;
    const times = measured.map(({ milliseconds }) => milliseconds);
    const bytes = measured.reduce((sum, each) => sum + each.bytes, 0) / measured.length;
    return { rows, median: quantile(times, 0.5), slowest: Math.max(...times), bytes };
  });
  report.table(
    bySize.map(({ rows, median, slowest, bytes }) => ({
      what: `${operation}, ${rows} media`,
      'median ms': median.toFixed(1),
      'slowest ms': slowest.toFixed(1),
      'bytes grown': bytes.toFixed(0),
    })),
  );
  const slowest = Math.max(...bySize.map((each) => each.slowest)) / 1000;
  const bytes = Math.max(...bySize.map((each) => each.bytes)) / MEGABYTE;
  report.figure(`${operation}, request to READY, slowest of all`, slowest, 's', '<1', slowest < 1);
  report.figure(`${operation}, bytes grown on disk`, bytes, 'MB', '<1', bytes < 1);
  const ratio = bySize.at(-1)!.median / bySize[0]!.median;
  report.figure(`${operation}, time at ${SIZES.at(-1)} over ${SIZES[0]}`, ratio, '', '<=2', ratio <= 2);
}

/** Compares two versions that share no data files, so that every row must be looked up. */
async function compare(report: Report, program: ProgramInProcess, { rows, id, snapshots }: Sized): Promise<void> {
  const tables = program.app.get(MediaTableStore);
  const { pointer } = (await program.app.get(DatasetReader).find(id))!;
  await publish(program, id, (generation) => tables.fork(pointer!, generation));
  let took = 0;
  const longest = await longestTurn(async () => {
    const started = performance.now();
    await ask(program, 'GET', `/api/v1/dataset/${id}/snapshot/${snapshots[0]}/diff`);
    took = performance.now() - started;
  });
  report.note(
    `diff of ${rows} media in two tables: ${(took / 1000).toFixed(2)} s, longest turn of the event loop ${longest.toFixed(0)} ms`,
  );
}

export const bench: Bench = {
  name: 'history',
  summary: 'snapshot, restore and clone at 1k, 100k and 1M media (`SIZES=1000,100000` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
