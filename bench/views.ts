import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../src/common/platform/database/transaction-runner';
import type { MediaRow } from '../src/common/engine/media-table/media-row';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { AddedBatches } from '../src/modules/tables';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { DIMENSIONS, makeDataset, publish } from './support/made-dataset';
import { mediaCollection } from './support/media-collection';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const VIEWS = Number(process.env['VIEWS'] ?? 500);
const BATCH = 1_000;
const POLL_MS = 20;

/** A mix of query kinds, hardly two of which are equal. */
function queryOf(view: number): Readonly<Record<string, string>> {
  const vql = (...filters: object[]): { vql: string } => ({ vql: JSON.stringify(filters) });
  const share = (view % 97) / 97;
  const kinds: (() => Readonly<Record<string, string>>)[] = [
    () => ({ labels: `[animal_${view % 40}]` }),
    () => vql({ uniqueness: { op: 'uniqueness', value: share } }),
    () => vql({ issues: { op: 'issue', value: 'blur', threshold: share } }),
    () => vql({ files: { op: 'contains', value: `${view}` } }, { width: { op: 'gt', value: 100 } }),
    () => vql({ folders: { op: 'one_of', value: [`train/folder_${view}`] } }),
    () => vql({ text: { op: 'fts', value: ['dog', 'red', 'picture'][view % 3]! } }),
    () => ({ entity_type: 'IMAGES', caption: `a photograph of subject ${view}` }),
    () => vql({ duplicates: { op: 'duplicates', value: 0.9 + (view % 5) / 50 } }),
  ];
  return kinds[view % kinds.length]!();
}

async function makeViews(program: ProgramInProcess, id: string): Promise<void> {
  for (let view = 0; view < VIEWS; view++) {
    const form = new FormData();
    form.set('name', `view ${view}`);
    const path = `${program.url}/api/v1/dataset/${id}/views?${new URLSearchParams(queryOf(view)).toString()}`;
    const response = await fetch(path, { method: 'POST', body: form });
    if (!response.ok) throw new Error(`The service rejected a view: ${await response.text()}`);
  }
}

/** The last rows belong to a separate batch. */
function* withBatch(batchId: string): Generator<MediaRow[]> {
  let first = 0;
  for (const rows of mediaCollection(ROWS + BATCH, DIMENSIONS)) {
    yield rows.map((row, at) => (first + at < ROWS ? row : { ...row, batchId }));
    first += rows.length;
  }
}

async function arrive(program: ProgramInProcess, datasetId: string, batchId: string): Promise<void> {
  const { app } = program;
  await publish(program, datasetId, (generation) =>
    app.get(MediaTableStore).create(generation, DIMENSIONS, withBatch(batchId)),
  );
  const arrivals = app.get(AddedBatches);
  await app.get(TransactionRunner).run(() => arrivals.notify({ datasetId, batchId }));
}

async function untilEvaluated({ app }: ProgramInProcess, batchId: string): Promise<number> {
  for (;;) {
    const [row] = await app.get(DataSource).query<{ owed: number; matched: number }[]>(
      `SELECT count(*) FILTER (WHERE count IS NULL)::int AS owed, coalesce(sum(count), 0)::int AS matched
       FROM view_evaluation WHERE batch_id = $1`,
      [batchId],
    );
    if (row!.owed === 0) return row!.matched;
    await delay(POLL_MS);
  }
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const id = await makeDataset(program, BATCH);
  await makeViews(program, id);
  const batchId = randomUUID();
  await arrive(program, id, batchId);
  const started = performance.now();
  let matched = 0;
  const longest = await longestTurn(async () => {
    matched = await untilEvaluated(program, batchId);
  });
  const seconds = (performance.now() - started) / 1000;
  report.note(`${matched} matches; longest turn of the event loop ${longest.toFixed(0)} ms`);
  report.figure(`${VIEWS} views of a batch of ${BATCH} on ${ROWS} media`, seconds, 's', '<10', seconds < 10);
}

export const bench: Bench = {
  name: 'views',
  summary: '500 views evaluated for a batch of 1,000 on 1M media (`ROWS=20000` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
