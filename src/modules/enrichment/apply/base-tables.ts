import { Injectable } from '@nestjs/common';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { isSameVersion, type TableVersion } from '../../../common/engine/media-table/table-version';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import { PermanentJobError } from '../../../common/platform/jobs/job-errors';
import { DatasetReader, type DatasetPointer, type DatasetCounts } from '../../datasets';
import { assertModelsThere } from '../../tables';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { ObjectOrder } from './found-objects';
import { notFound } from './seen-pictures';

/** The table that models are applied to. */
export interface BaseTable {
  readonly pointer: DatasetPointer;
  readonly table: MediaTable;
  readonly thumbnailKey: string | null;
  /** Selects the rows that stay; undefined if all do. */
  readonly filter?: string;
  /** Of the rows that stay. */
  readonly counts: DatasetCounts;
  /** In which models look at its objects; undefined if in that of the table. */
  readonly objectOrder?: ObjectOrder;
}

interface AppliedTo {
  /** The version that the findings so far belong to. */
  readonly base?: TableVersion | undefined;
  readonly models: readonly { readonly type: string }[];
  readonly byPicture: boolean;
}

/** Opens the table that models are applied to, as they need it. */
@Injectable()
export class BaseTables {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tables: MediaTableStore,
    private readonly registry: ModelRegistry,
  ) {}

  /** Of a dataset, or of its copy, which has the state of the source at the first start, also in a retry. */
  async open(datasetId: string, enrichment: AppliedTo): Promise<BaseTable> {
    const { pointer, counts, thumbnailKey } = await this.datasets.get(datasetId);
    if (pointer === null) throw new PermanentJobError('The dataset was never indexed');
    assertUnchanged(enrichment, pointer);
    const opened = { pointer, table: await this.tables.open(pointer), counts, thumbnailKey };
    const findsObjects = enrichment.models.some(({ type }) => type === 'OBJECT_DETECTION');
    const kept = findsObjects ? await this.readyForObjects(opened) : opened;
    return enrichment.byPicture ? withObjectOrder(kept) : kept;
  }

  private async readyForObjects(base: BaseTable): Promise<BaseTable> {
    // Found objects need the same model as the media that are there.
    await this.registry.refresh();
    assertModelsThere(this.registry, base.pointer, base.table);
    return withoutFoundObjects(base);
  }
}

function assertUnchanged({ base }: AppliedTo, pointer: DatasetPointer): void {
  if (base === undefined || isSameVersion(base, pointer)) return;
  throw new PermanentJobError('The dataset has been changed since this enrichment began. Start a new one.');
}

async function withObjectOrder(base: BaseTable): Promise<BaseTable> {
  if (base.counts.objects === 0) return base;
  return { ...base, objectOrder: await ObjectOrder.of(base.table, base.filter ?? 'true') };
}

/** Without the objects of an earlier detection, which give way to those of a new one. */
export async function withoutFoundObjects(base: BaseTable): Promise<BaseTable> {
  const filter = notFound(base.table);
  const gone = base.table.rows - (await base.table.countRows(filter));
  return gone === 0 ? base : { ...base, filter, counts: { ...base.counts, objects: base.counts.objects - gone } };
}

/** The index of each row of the table among the kept rows; -1 for others. */
export async function placesOf({ table, filter }: BaseTable): Promise<Int32Array> {
  if (filter === undefined) return Int32Array.from({ length: table.rows }, (_, ordinal) => ordinal);
  const places = new Int32Array(table.rows).fill(-1);
  (await table.filterOrdinals(filter)).forEach((ordinal, place) => (places[ordinal] = place));
  return places;
}
