import type { Bench, Report } from './bench';
import { CaptionedDataset } from './support/captioned-dataset';
import { cpuSecondsByName, cpuSecondsOf, processTree, ResidentMemory } from './support/process-tree';

const PICTURES = Number(process.env['PICTURES'] ?? 10_000);
const PACE = { delayMs: 50, atOnce: 16 };
const MOST_MORE_BYTES = 300e6;

const cpuByProcess = ({ service, server }: CaptionedDataset): ReadonlyMap<string, number> =>
  new Map([...cpuSecondsByName(service.processId), ['stub server', cpuSecondsOf(server.processId)]]);

async function run(report: Report): Promise<void> {
  const dataset = await CaptionedDataset.make(PICTURES, PACE);
  try {
    const { processId } = dataset.service;
    const before = processTree(processId);
    const processesBefore = cpuByProcess(dataset);
    const memory = new ResidentMemory(processId);
    const started = performance.now();
    const copy = await dataset.start();
    await dataset.untilReady(copy);
    const seconds = (performance.now() - started) / 1000;
    const more = memory.stop() - before.residentBytes;
    const spent = [...cpuByProcess(dataset)].map(
      ([name, cpu]) => [name, cpu - (processesBefore.get(name) ?? 0)] as const,
    );
    const { mostAtOnce } = await dataset.server.counted();
    const captioned = await dataset.captioned(copy);
    const capacity = (1000 / PACE.delayMs) * PACE.atOnce;
    report.note(
      `${(PICTURES / seconds).toFixed(1)} pictures/s of ${capacity} that the server can answer; at most ${mostAtOnce} requests at once`,
    );
    const perPicture = spent.map(([name, cpu]) => `${name} ${((1000 * cpu) / PICTURES).toFixed(2)}`);
    report.note(`milliseconds of a processor for each picture: ${perPicture.join(', ')}`);
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
