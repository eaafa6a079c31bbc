import { Inject, Injectable } from '@nestjs/common';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { SourceNotAllowedError } from '../../../common/platform/storage/sources/source-files';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { SourceMedia } from '../sources/source-media';

const filesAre = (count: number, one: string, many: string): string =>
  count === 1 ? `1 file ${one}` : `${count} files ${many}`;

export const replacedWarnings = (count: number): string[] =>
  count === 0 ? [] : [`${filesAre(count, 'has changed and was', 'have changed and were')} replaced.`];

/** Warnings about files that users removed from the dataset. */
export const leftOutWarnings = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${filesAre(count, 'was removed from the dataset and is', 'were removed from the dataset and are')} left out. ` +
          'Restore a snapshot, or add the media again, to have them back.',
      ];

const NAMES = 20;
const ROWS_AT_ONCE = 1_000;
const STATS_AT_ONCE = 16;

/** Files of a dataset that are missing from its source. */
export interface MissingList {
  readonly count: number;
  /** Names of the first files. */
  readonly names: readonly string[];
  /** Key of the list of their ordinals in the store. */
  readonly key: string;
}

@Injectable()
export class MissingFiles {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly sources: SourceMedia,
  ) {}

  /**
   * Keeps those of the ordinals that are missing. `checksEachFile` tests the location of each: an unreadable folder,
   * or a link, may hide files that still exist.
   */
  async keep(
    table: MediaTable,
    ordinals: Int32Array,
    key: string,
    checksEachFile: boolean,
    signal: AbortSignal,
  ): Promise<MissingList> {
    const missing: number[] = [];
    const names: string[] = [];
    for (let at = 0; at < ordinals.length; at += ROWS_AT_ONCE) {
      signal.throwIfAborted();
      const asked = ordinals.subarray(at, at + ROWS_AT_ONCE);
      const rows = await table.takeRows(asked, ['source', 'path']);
      const areGone = checksEachFile ? await this.areGone(rows.map(({ source }) => source)) : rows.map(() => true);
      rows.forEach(({ path }, i) => {
        if (!areGone[i]) return;
        missing.push(asked[i]!);
        if (names.length < NAMES) names.push(path);
      });
    }
    await this.store.put(key, new Uint8Array(Int32Array.from(missing).buffer));
    return { count: missing.length, names, key };
  }

  async read({ key }: MissingList): Promise<Int32Array> {
    const bytes = await this.store.read(key);
    return new Int32Array(new Uint8Array(bytes).buffer);
  }

  private async areGone(sources: readonly string[]): Promise<boolean[]> {
    const areGone: boolean[] = [];
    for (let at = 0; at < sources.length; at += STATS_AT_ONCE)
      areGone.push(...(await Promise.all(sources.slice(at, at + STATS_AT_ONCE).map((source) => this.isGone(source)))));
    return areGone;
  }

  private async isGone(source: string): Promise<boolean> {
    try {
      if ((await this.sources.statOf(source)) !== undefined) return false;
      await this.sources.assertReachable(source);
      return true;
    } catch (error) {
      if (error instanceof SourceNotAllowedError) return false;
      throw error;
    }
  }
}

/** Warning about files missing from the source, with some of their names. */
export function missingWarnings(
  { count, names }: Pick<MissingList, 'count' | 'names'>,
  wereRemoved: boolean,
): string[] {
  if (count === 0) return [];
  const more = count - names.length;
  const list = `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  const said = wereRemoved
    ? `${filesAre(count, 'that is', 'that are')} gone from the source ${count === 1 ? 'was' : 'were'} removed`
    : `${filesAre(count, 'is', 'are')} gone from the source`;
  return [`${said}: ${list}.`];
}
