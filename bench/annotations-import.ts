import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { MediaTableStore } from '../src/common/engine/media-table/media-table-store';
import { DatasetReader } from '../src/modules/datasets';
import type { Bench, Report } from './bench';
import { longestTurn } from './support/longest-turn';
import { ask, makeDataset } from './support/made-dataset';
import { inProgram, type ProgramInProcess } from './support/program-in-process';

/** Instead of boxes, each with so many points. */
const POINTS = Number(process.env['POINTS'] ?? 0);
const KIND = POINTS > 0 ? 'polygons' : 'boxes';
const SHAPES = Number(process.env['SHAPES'] ?? (POINTS > 0 ? 1_000_000 : 5_000_000));
const SHAPES_EACH = 5;
const POLL_MS = 200;
const MOST_SECONDS = 300;
const MOST_MIB = POINTS > 0 ? 2_048 : 1_536;

async function pathsOf(program: ProgramInProcess, id: string): Promise<string[]> {
  const { pointer } = await program.app.get(DatasetReader).get(id);
  const table = await program.app.get(MediaTableStore).open(pointer!);
  const paths: string[] = [];
  for await (const rows of table.readRows(['path'])) for (const { path } of rows) paths.push(path);
  return paths;
}

/** Around a place, with the digits that tools write. */
const ringAt = (x: number, y: number): number[] =>
  Array.from({ length: POINTS }, (_, at) => (2 * Math.PI * at) / POINTS).flatMap((angle) => [
    Number((x + 20 + 20 * Math.cos(angle)).toFixed(2)),
    Number((y + 15 + 15 * Math.sin(angle)).toFixed(2)),
  ]);

/** The shapes of a picture are scattered over the file, as in those of the COCO dataset. */
function* cocoOf(paths: readonly string[]): Generator<string> {
  yield '{"images":[';
  for (const [at, path] of paths.entries())
    yield `${at === 0 ? '' : ','}${JSON.stringify({ id: at, file_name: path, width: 640, height: 480, license: 3 })}`;
  yield '],"categories":[{"id":1,"name":"thing"}],"annotations":[';
  for (let id = 0; id < SHAPES; id++) {
    const bbox = [((id * 7919) % 400) + 0.25, (id % 300) + 0.5, 40.75, 30.5];
    const said = { id, image_id: (id * 7919) % paths.length, category_id: 1, bbox, area: 1242.875, iscrowd: 0 };
    const more = POINTS > 0 ? { segmentation: [ringAt(bbox[0]!, bbox[1]!)] } : { unused: [1, 2.5, 'text'] };
    yield `${id === 0 ? '' : ','}${JSON.stringify({ ...said, ...more })}`;
  }
  yield ']}';
}

/** In a process of its own, so that only the memory of the program is measured. */
async function upload(url: string, file: string): Promise<void> {
  const flags = ['--fail-with-body', '--silent', '--show-error', '--form', 'source=detector'];
  const child = spawn('curl', [...flags, '--form', `files=@${file}`, url], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`curl exited with ${code}`);
}

async function untilDone(program: ProgramInProcess, id: string): Promise<void> {
  for (;;) {
    const { tasks } = await ask<{ tasks: { status: string; error_message: string | null }[] }>(
      program,
      'GET',
      `/api/v1/tasks?dataset_id=${id}`,
    );
    if (tasks[0]?.status === 'COMPLETED') return;
    if (tasks[0]?.status === 'FAILED') throw new Error(tasks[0].error_message ?? 'The import failed');
    await setTimeout(POLL_MS);
  }
}

async function measure(report: Report, program: ProgramInProcess, folder: string): Promise<void> {
  const id = await makeDataset(program, Math.ceil(SHAPES / SHAPES_EACH));
  const file = join(folder, 'instances.json');
  await pipeline(Readable.from(cocoOf(await pathsOf(program, id))), createWriteStream(file));
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), POLL_MS);
  const started = performance.now();
  const turn = await longestTurn(async () => {
    await upload(`${program.url}/api/v1/dataset/${id}/annotations/files`, file);
    await untilDone(program, id);
  });
  clearInterval(watch);
  const seconds = (performance.now() - started) / 1000;
  report.figure(
    `${SHAPES} ${KIND} of COCO, from the request to the end`,
    seconds,
    's',
    '<=300',
    seconds <= MOST_SECONDS,
  );
  const mebibytes = peak / 2 ** 20;
  report.figure('memory of the process at most', mebibytes, 'MiB', `<=${MOST_MIB}`, mebibytes <= MOST_MIB);
  report.note(`longest turn of the event loop meanwhile, CPU: ${turn.toFixed(0)} ms`);
  const { total } = await ask<{ total: number }>(
    program,
    'GET',
    `/api/v1/dataset/${id}/annotations?source=detector&limit=1`,
  );
  report.figure(`${KIND} that are missing`, SHAPES - total, '', '0', total === SHAPES);
}

export const bench: Bench = {
  name: 'annotations-import',
  summary: `a COCO file with five million boxes, scattered over a million pictures, into a source (SHAPES for fewer, POINTS=40 for a million polygons)`,
  run: (report) =>
    inProgram(async (program) => {
      const folder = await mkdtemp(join(tmpdir(), 'annotations-import-'));
      try {
        await measure(report, program, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
};
