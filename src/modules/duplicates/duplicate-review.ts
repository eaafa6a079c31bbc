import { Injectable } from '@nestjs/common';
import { inSlices } from '../../common/platform/concurrency/in-slices';
import { TaskLedger } from '../tasks';
import { SearchEngine, type SearchQuery } from '../search';
import { orderBySize, type DuplicateGroups, type OpenedVersion } from '../versions';
import { DecidedRowsCache } from './decided-rows.cache';
import { keepOrder, type KeepOrder, type KeepRule } from './domain/keep-columns';
import type { Reviewed } from './domain/review';
import { KeepColumnsCache } from './keep-columns.cache';

/** Which groups are asked for. */
export interface AskedGroups {
  readonly similarity: number;
  readonly query: SearchQuery;
}

export interface ReviewOfVersion extends Reviewed {
  readonly version: OpenedVersion;
  /** Of the newest decision that is known. */
  readonly revision: number;
}

/** The groups of near duplicates of a version, with the decisions about them. */
@Injectable()
export class DuplicateReview {
  private readonly orders = new WeakMap<DuplicateGroups, Promise<Int32Array>>();

  constructor(
    private readonly engine: SearchEngine,
    private readonly decided: DecidedRowsCache,
    private readonly columns: KeepColumnsCache,
    private readonly tasks: TaskLedger,
  ) {}

  async of(datasetId: string, version: OpenedVersion, { similarity, query }: AskedGroups): Promise<ReviewOfVersion> {
    const groups = await version.duplicates('IMAGES', similarity);
    const { decided, revision } = await this.decided.open(datasetId, version.table);
    const matches = await this.engine.matching(datasetId, version, query);
    return { version, groups, decided, revision, matches, order: await this.orderOf(groups) };
  }

  async orderBy(version: OpenedVersion, rule: KeepRule): Promise<KeepOrder> {
    const [own, measures, folders] = await Promise.all([
      this.columns.open(version.table),
      version.measures(),
      version.folders(),
    ]);
    const times = await this.tasks.startTimes(own.batchIds);
    return keepOrder(rule, {
      width: measures.width,
      height: measures.height,
      bytes: measures.size,
      sharpness: own.sharpness,
      pathLength: own.pathLength,
      batch: own.batch,
      batchTimes: own.batchIds.map((id) => times.get(id)?.getTime() ?? 0),
      folder: folders.folderOfRow,
      folderNames: folders.names,
    });
  }

  /** When the media of each batch were added. */
  batchTimes(ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    return this.tasks.startTimes(ids);
  }

  /** Groups in doubt last, and larger ones first. Decisions do not change it, so pages stay where they are. */
  private orderOf(groups: DuplicateGroups): Promise<Int32Array> {
    let order = this.orders.get(groups);
    if (order === undefined) {
      order = doubtedLast(groups);
      this.orders.set(groups, order);
    }
    return order;
  }
}

async function doubtedLast(groups: DuplicateGroups): Promise<Int32Array> {
  const certain = new Int32Array(groups.groups);
  const inDoubt = new Int32Array(groups.groups);
  await inSlices(groups.groups, (from, to) => {
    for (let group = from; group < to; group++)
      (groups.doubt(group) === null ? certain : inDoubt)[group] = groups.members(group).length;
  });
  const order = new Int32Array(groups.groups);
  const first = await orderBySize(certain);
  order.set(first);
  order.set(await orderBySize(inDoubt), first.length);
  return order;
}
