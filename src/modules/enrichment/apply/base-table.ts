import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { DatasetCounts, DatasetPointer } from '../../datasets';
import { ObjectOrder } from './object-order';
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

export async function withObjectOrder(base: BaseTable): Promise<BaseTable> {
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
