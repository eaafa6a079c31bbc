import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Report } from './bench';
import { RunningService } from './support/running-service';

const STARTS = 5;

async function startAndStop(dataDir: string): Promise<number> {
  const started = performance.now();
  const service = await RunningService.start(dataDir, [dataDir]);
  const seconds = (performance.now() - started) / 1000;
  await service.stop();
  return seconds;
}

async function run(report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'));
  try {
    const first = await startAndStop(join(folder, 'data'));
    const later: number[] = [];
    for (let at = 0; at < STARTS; at += 1) later.push(await startAndStop(join(folder, 'data')));
    later.sort((a, b) => a - b);
    report.note(
      `first start on an empty folder: ${first.toFixed(2)} s; later ones: ${later.map((s) => s.toFixed(2)).join(', ')} s`,
    );
    const median = later[Math.floor(STARTS / 2)]!;
    report.figure('second start to ready', median, 's', '<4', median < 4);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const bench: Bench = { name: 'start', summary: 'a start with existing data, until the service is ready', run };
