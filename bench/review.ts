import { DataSource } from 'typeorm';
import type { Bench, Report } from './bench';
import { makeDataset } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';
import { quantile } from './support/quantile';

const ROWS = Number(process.env['ROWS'] ?? 100_000);
const ANSWERS = 500;

/** An item of the queue that is next, answered; returns how long the service took to hand it out. */
async function answerOne(post: Post): Promise<number> {
  const started = performance.now();
  const { items } = await post<{ items: { item_id: string }[] }>('/next', { limit: 1 });
  const took = performance.now() - started;
  await post(`/items/${items[0]!.item_id}/decision`, { verdict: 'answer', labels: ['boat'] });
  return took;
}

type Post = <Answer>(path: string, body: object) => Promise<Answer>;

const poster =
  ({ url }: ProgramInProcess, path: string): Post =>
  async <Answer>(rest: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}${rest}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`The service refused ${rest}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const id = await makeDataset(program, ROWS);
  const path = `/api/v1/dataset/${id}/review_queues`;
  const asked = { name: 'All', query: { sort: 'random' }, question: { type: 'labels' } };
  const started = performance.now();
  const queue = await poster(program, path)<{ id: string; n_items: number }>('', asked);
  const made = (performance.now() - started) / 1000;
  report.figure(`a queue of ${queue.n_items} items made`, made, 's', '<5', made < 5);
  const post = poster(program, `${path}/${queue.id}`);
  const times: number[] = [];
  for (let at = 0; at < ANSWERS; at++) times.push(await answerOne(post));
  // As if half of the items were answered.
  await program.app
    .get(DataSource)
    .query("UPDATE review_item SET state = 'done', turn = 1 WHERE queue_id = $1 AND position < $2", [
      queue.id,
      ROWS / 2,
    ]);
  for (let at = 0; at < ANSWERS; at++) times.push(await answerOne(post));
  const p95 = quantile(times, 0.95);
  report.figure('the next item, p95', p95, 'ms', '<50', p95 < 50);
}

export const bench: Bench = {
  name: 'review',
  summary: 'a review queue of 100,000 items made, and its next item (`ROWS=10000` for fewer)',
  run: (report) => inProgram((program) => measure(report, program)),
};
