import type { Bench, Report } from './bench';
import { photographFolder } from './support/photograph-folder';
import { ReplicatedService } from './support/replicated-service';

const FILES = Number(process.env['FILES'] ?? 1_000);
const GOAL = 1.7;

/** The seconds from the request until the dataset is READY. */
async function seconds(service: ReplicatedService, name: string, folder: string): Promise<number> {
  const started = performance.now();
  await service.api.untilReady(await service.api.createFromFolder(name, folder));
  return (performance.now() - started) / 1_000;
}

async function run(report: Report): Promise<void> {
  const folder = await photographFolder(FILES);
  const service = await ReplicatedService.start([folder]);
  try {
    await service.addWorker(0);
    // Starts the compute children, and fills the page cache.
    await seconds(service, 'First', folder);
    const one = await seconds(service, 'One worker', folder);
    await service.addWorker(1);
    await seconds(service, 'Second', folder);
    const two = await seconds(service, 'Two workers', folder);
    report.note(`${(FILES / one).toFixed(0)} photographs a second by one worker, ${(FILES / two).toFixed(0)} by two`);
    report.figure('two workers, on a processor each, beside one', one / two, '', `>=${GOAL}`, one / two >= GOAL);
  } finally {
    await service.stop();
  }
}

export const bench: Bench = {
  name: 'replicas',
  summary: 'a folder indexed by one worker on a processor, and by two on a processor each (FILES=300 for fewer)',
  run,
};
