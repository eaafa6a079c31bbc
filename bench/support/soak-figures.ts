import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../bench';
import { processTree } from './process-tree';
import { quantile } from './quantile';
import type { RunningService } from './running-service';

const MEGABYTE = 1e6;
const ROWS = 12;

/** The allowed ratio of a figure between two parts of a run under the same load. */
const MOST_GROWTH = 1.1;

/** Higher, because replaced generations are kept for ten minutes and removed every five. */
const MOST_TABLE_GROWTH = 1.25;

export interface Sample {
  readonly resident: number;
  /** Without caches, which grow for hours up to their limits. */
  readonly residentWithoutCaches: number;
  readonly treeResident: number;
  readonly heap: number;
  readonly external: number;
  /** The total of all caches, each of which has a limit. */
  readonly caches: number;
  readonly openFiles: number;
  readonly loopDelay: number;
  readonly tableBytesOnDisk: number;
  readonly liveTableBytes: number;
  readonly databaseBytes: number;
}

const inMegabytes = (bytes: number): string => (bytes / MEGABYTE).toFixed(0);

/** Skips files and folders that are removed meanwhile. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? bytesBelow(path) : ((await stat(path).catch(() => undefined))?.size ?? 0);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** The parts of the process memory over time. */
function rowsOf(samples: readonly Sample[]): Record<string, string>[] {
  const every = Math.max(1, Math.floor(samples.length / ROWS));
  return samples
    .filter((_, at) => at % every === 0)
    .map(({ resident, heap, external, caches, tableBytesOnDisk, openFiles }, at) => ({
      'part of the run': `${at + 1}`,
      'resident MB': inMegabytes(resident),
      heap: inMegabytes(heap),
      external: inMegabytes(external),
      caches: inMegabytes(caches),
      'tables on disk': inMegabytes(tableBytesOnDisk),
      'open files': String(openFiles),
    }));
}

/** Collects the metrics of the service and the size of its files. */
export class Figures {
  constructor(
    private readonly service: RunningService,
    private readonly tables: string,
  ) {}

  async now(): Promise<Sample> {
    const metrics = await this.metrics();
    const resident = metrics('process_resident_memory_bytes');
    const caches = metrics('cache_bytes') + metrics('media_table_cache_bytes');
    return {
      resident,
      residentWithoutCaches: resident - caches,
      treeResident: processTree(this.service.processId).residentBytes,
      heap: metrics('nodejs_heap_size_used_bytes'),
      external: metrics('nodejs_external_memory_bytes'),
      caches,
      openFiles: metrics('process_open_fds'),
      loopDelay: metrics('nodejs_eventloop_lag_p99_seconds') * 1000,
      tableBytesOnDisk: await bytesBelow(this.tables),
      liveTableBytes: metrics('media_table_bytes'),
      databaseBytes: metrics('postgres_database_bytes'),
    };
  }

  /** Compares the second third of the run with the last; the first third is the warm-up. */
  report(report: Report, samples: readonly Sample[]): void {
    const third = Math.floor(samples.length / 3);
    const [middle, end] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
    const median = (part: readonly Sample[], name: keyof Sample): number =>
      quantile(
        part.map((sample) => sample[name]),
        0.5,
      );
    const grown = (name: keyof Sample, what: string, unit: 'MB' | '', most: number): void => {
      const [before, after] = [median(middle, name), median(end, name)];
      const shown = (value: number): string => (unit === 'MB' ? `${inMegabytes(value)} MB` : `${value}`);
      report.note(`${what}: ${shown(before)} in the second third of the run, ${shown(after)} in the last`);
      report.figure(`growth of ${what}`, after / before, '', `<=${most}`, after <= most * before);
    };
    report.table(rowsOf(samples));
    grown('residentWithoutCaches', 'resident memory of the process without its caches', 'MB', MOST_GROWTH);
    grown('treeResident', 'resident memory with caches and child processes', 'MB', MOST_GROWTH);
    grown('heap', 'used heap', 'MB', MOST_GROWTH);
    grown('openFiles', 'open files', '', MOST_GROWTH);
    grown('tableBytesOnDisk', 'bytes of tables on disk', 'MB', MOST_TABLE_GROWTH);
    grown('databaseBytes', 'bytes of the database', 'MB', MOST_GROWTH);
    report.note(`bytes of tables in use: ${inMegabytes(median(end, 'liveTableBytes'))} MB`);
    report.note(`p99 delay of the event loop: ${median(end, 'loopDelay').toFixed(0)} ms (median of its samples)`);
  }

  private async metrics(): Promise<(name: string) => number> {
    const text = await (await fetch(`${this.service.url}/metrics`)).text();
    return (name) => {
      const lines = text.split('\n').filter((each) => each.startsWith(`${name} `) || each.startsWith(`${name}{`));
      if (lines.length === 0) throw new Error(`The metric ${name} does not exist`);
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
  }
}
