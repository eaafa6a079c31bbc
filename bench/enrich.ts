import type { Bench, Report } from './bench';
import { CaptionedDataset } from './support/captioned-dataset';
import { processTree, ResidentMemory } from './support/process-tree';

const PICTURES = Number(process.env['PICTURES'] ?? 10_000);
const PACE = { delayMs: 50, atOnce: 16 };
const MOST_MORE_BYTES = 300e6;

async function run(report: Report): Promise<void> {
  const dataset = await CaptionedDataset.make(PICTURES, PACE);
  try {
    const { processId } = dataset.service;
    const before = processTree(processId);
    const memory = new ResidentMemory(processId);
    const started = performance.now();
    const copy = await dataset.start();
    await dataset.untilReady(copy);
    const seconds = (performance.now() - started) / 1000;
    const more = memory.stop() - before.residentBytes;
    const cpuMs = (1000 * (processTree(processId).cpuSeconds - before.cpuSeconds)) / PICTURES;
    const captioned = await dataset.captioned(copy);
    const capacity = (1000 / PACE.delayMs) * PACE.atOnce;
    report.note(
      `${(PICTURES / seconds).toFixed(1)} pictures/s of ${capacity} that the server can answer; ${cpuMs.toFixed(2)} ms of a processor each; at most ${dataset.server.mostAtOnce} requests at once`,
    );
    report.figure('captioned pictures', captioned, '', `${PICTURES}`, captioned === PICTURES);
    const ratio = PICTURES / seconds / capacity;
    report.figure("ratio to the server's capacity", ratio, '', '>=0.9', ratio >= 0.9);
    report.figure('additional resident memory', more / 1e6, 'MB', '<=300', more <= MOST_MORE_BYTES);
  } finally {
    await dataset.remove();
  }
}

export const bench: Bench = {
  name: 'enrich',
  summary: '10,000 pictures captioned by a server that takes 50 ms and 16 at once (PICTURES=1000 for fewer)',
  run,
};
