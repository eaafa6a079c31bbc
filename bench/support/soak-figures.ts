import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../bench';
import { processTree } from './process-tree';
import { quantile } from './quantile';
import type { RunningService } from './running-service';

const MEGABYTE = 1e6;

/** A share by which a figure may differ between two parts of a run whose load is the same. */
const MOST_GROWTH = 1.1;

/** Replaced generations stay for ten minutes, and are looked for every five. */
const MOST_TABLE_GROWTH = 1.25;

export interface Sample {
  readonly resident: number;
  readonly treeResident: number;
  readonly heap: number;
  readonly openFiles: number;
  readonly loopDelay: number;
  readonly tableBytesOnDisk: number;
  readonly liveTableBytes: number;
  readonly databaseBytes: number;
}

/** Files and folders that are removed meanwhile are left out. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? bytesBelow(path) : ((await stat(path).catch(() => undefined))?.size ?? 0);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** What the service says of itself, and what its files take. */
export class Figures {
  constructor(
    private readonly service: RunningService,
    private readonly tables: string,
  ) {}

  async now(): Promise<Sample> {
    const metrics = await this.metrics();
    return {
      resident: metrics('process_resident_memory_bytes'),
      treeResident: processTree(this.service.processId).residentBytes,
      heap: metrics('nodejs_heap_size_used_bytes'),
      openFiles: metrics('process_open_fds'),
      loopDelay: metrics('nodejs_eventloop_lag_p99_seconds') * 1000,
      tableBytesOnDisk: await bytesBelow(this.tables),
      liveTableBytes: metrics('media_table_bytes'),
      databaseBytes: metrics('postgres_database_bytes'),
    };
  }

  /** The second third of the run beside its last third: the first warms up. */
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
      const shown = (value: number): string => (unit === 'MB' ? `${(value / MEGABYTE).toFixed(0)} MB` : `${value}`);
      report.note(`${what}: ${shown(before)} in the second third of the run, ${shown(after)} in the last`);
      report.figure(`growth of ${what}`, after / before, '', `<=${most}`, after <= most * before);
    };
    grown('resident', 'resident memory of the process', 'MB', MOST_GROWTH);
    grown('treeResident', 'resident memory with its child processes', 'MB', MOST_GROWTH);
    grown('heap', 'used heap', 'MB', MOST_GROWTH);
    grown('openFiles', 'open files', '', MOST_GROWTH);
    grown('tableBytesOnDisk', 'bytes of tables on disk', 'MB', MOST_TABLE_GROWTH);
    grown('databaseBytes', 'bytes of the database', 'MB', MOST_GROWTH);
    report.note(`bytes of tables in use: ${(median(end, 'liveTableBytes') / MEGABYTE).toFixed(0)} MB`);
    report.note(`p99 delay of the event loop: ${median(end, 'loopDelay').toFixed(0)} ms (median of its samples)`);
  }

  private async metrics(): Promise<(name: string) => number> {
    const text = await (await fetch(`${this.service.url}/metrics`)).text();
    return (name) => {
      const line = text.split('\n').find((each) => each.startsWith(`${name} `) || each.startsWith(`${name}{`));
      if (line === undefined) throw new Error(`There is no metric ${name}`);
      return Number(line.split(' ').at(-1));
    };
  }
}
