import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { ask, makeDataset } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const MINUTES_A_MILLION = 5;
const LONGEST_TURN_MS = 200;
const POLL_MS = 50;
/** Media with these labels are scattered over the whole table. */
const GONE = { search: { labels: ['animal_3', 'animal_17', 'animal_29'] } };

interface Started {
  readonly dataset_id: string;
}

interface Described {
  readonly status_new: string;
  readonly n_images: number;
  readonly fatal_error_msg: string | null;
}

const get = (program: ProgramInProcess, id: string): Promise<Described> => ask(program, 'GET', `/api/v1/dataset/${id}`);

async function untilReady(program: ProgramInProcess, id: string): Promise<number> {
  for (;;) {
    const { status_new: status, n_images: images, fatal_error_msg: why } = await get(program, id);
    if (status === 'READY') return images;
    if (status === 'ERROR') throw new Error(why ?? 'The dataset has the status ERROR');
    await delay(POLL_MS);
  }
}

/** Reports the duration and the longest turn of the event loop. */
async function timed(report: Report, what: string, work: () => Promise<number>): Promise<number> {
  let [left, seconds] = [0, 0];
  const turn = await longestTurn(async () => {
    const started = performance.now();
    left = await work();
    seconds = (performance.now() - started) / 1000;
  });
  report.note(`${what}: ${left} of ${ROWS} media stay`);
  report.figure(`${what}, longest turn of the event loop`, turn, 'ms', `<${LONGEST_TURN_MS}`, turn < LONGEST_TURN_MS);
  const most = (60 * MINUTES_A_MILLION * ROWS) / 1e6;
  report.figure(`${what}, of ${ROWS} media, request to READY`, seconds, 's', `<${most}`, seconds < most);
  return left;
}

async function measure(report: Report, program: ProgramInProcess): Promise<void> {
  const id = await makeDataset(program, ROWS);
  // Warms up what users open before they select media.
  await ask(program, 'GET', `/api/v1/dataset/${id}/facets`);
  const copied = await timed(report, 'a copy without scattered media', async () => {
    const body = { keep: 'others', ...GONE };
    const asked = performance.now();
    const { dataset_id: copy } = await ask<Started>(program, 'POST', `/api/v1/dataset/${id}/copy`, body);
    report.note(`the request took ${((performance.now() - asked) / 1000).toFixed(2)} s`);
    return untilReady(program, copy);
  });
  const removed = await timed(report, 'removal of the same media', async () => {
    await ask(program, 'POST', `/api/v1/dataset/${id}/remove_media`, GONE);
    return untilReady(program, id);
  });
  report.figure('media in one and not in the other', Math.abs(copied - removed), '', '0', copied === removed);
}

export const bench: Bench = {
  name: 'subset',
  summary:
    'a copy without some media, and their removal, at a million (`ROWS=200000` for fewer): time, and turns of the event loop',
  run: (report) => inProgram((program) => measure(report, program)),
};
