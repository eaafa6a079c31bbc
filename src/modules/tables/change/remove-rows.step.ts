import { Inject, Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { readEdges, writeEdges } from '../../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { DatasetCounts, DatasetPointer, PublishedTable } from '../../datasets';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { CarriedTags } from '../../versions';
import { carriedEdges, RegisterGenerationStep } from '../build/build-table.step';
import type { IndexingRun } from '../runs/task-runner';
import type { EntityKind } from '../../../common/engine/media-table/media-row';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { withoutRole } from '../../../common/platform/storage/sources/source-location';
import { isFile, type ChunkRows } from '../rows/chunk-rows';
import { KeyHashSet } from '../../../common/platform/text/key-hash-set';

/** Small, so that other requests run between batches. */
const BATCH_ROWS = 4_096;

export interface RowsToRemove {
  readonly ordinals: OrdinalSet;
  readonly counts: DatasetCounts;
}

/** A table without some of the rows of another; not published yet. */
export type Remainder = PublishedTable & { readonly tagsFile: string | null };

/** Tables are append-only, so the remaining rows are copied to a new one, with clusters, pairs and tags. */
@Injectable()
export class RemoveRowsStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly tables: MediaTableStore,
    private readonly registerGeneration: RegisterGenerationStep,
    private readonly tags: CarriedTags,
  ) {}

  /** The new table belongs to the dataset of the run. */
  async remove(
    run: IndexingRun,
    { pointer, counts: all }: { readonly pointer: DatasetPointer; readonly counts: DatasetCounts },
    { ordinals, counts }: RowsToRemove,
    onPart?: (part: number) => void,
  ): Promise<Remainder> {
    const generation = await this.registerGeneration.register(run, pointer);
    const written = await this.tables.fork(pointer, generation, ordinals.complement(), onPart);
    failpoint('generation-copied');
    const ordinalOf = await newOrdinals(ordinals);
    await writeEdges(this.store, written, [await carriedEdges(await readEdges(this.store, pointer), ordinalOf)]);
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, ordinalOf);
    failpoint('tags-carried');
    const table = await this.tables.open(written);
    const [first] = table.rows === 0 ? [] : await table.takeRows([0], ['thumbnailKey']);
    return { ...written, counts: less(all, counts), thumbnailKey: first?.thumbnailKey ?? null, tagsFile };
  }
}

/** The new ordinal of each row; -1 for removed rows. */
async function newOrdinals(removed: OrdinalSet): Promise<Int32Array> {
  const ordinalOf = new Int32Array(removed.rows);
  let next = 0;
  await inSlices(removed.rows, (start, end) => {
    for (let old = start; old < end; old++) ordinalOf[old] = removed.has(old) ? -1 : next++;
  });
  return ordinalOf;
}

const less = (all: DatasetCounts, removed: DatasetCounts): DatasetCounts => ({
  images: all.images - removed.images,
  videos: all.videos - removed.videos,
  objects: all.objects - removed.objects,
  frames: all.frames - removed.frames,
});

/** Ordinals of the files at the locations of the batch's files: their previous versions. */
export async function findReplaced(table: MediaTable, batch: ChunkRows, signal: AbortSignal): Promise<number[]> {
  if (batch.files === 0) return [];
  const places = new KeyHashSet();
  for await (const row of batch.rows()) if (isFile(row)) places.add(withoutRole(row.source));
  const replaced: number[] = [];
  let ordinal = 0;
  for await (const rows of table.readRows(['kind', 'source'], { batchRows: BATCH_ROWS })) {
    signal.throwIfAborted();
    for (const row of rows) {
      if (isFile(row) && places.has(withoutRole(row.source))) replaced.push(ordinal);
      ordinal += 1;
    }
  }
  return replaced;
}

/** The rows with their objects and frames, and the objects of these frames. */
export async function withDependents(
  table: MediaTable,
  rows: Iterable<number>,
  signal: AbortSignal,
): Promise<RowsToRemove> {
  const ordinals = OrdinalSet.of(table.rows, [...rows]);
  if (ordinals.size > 0) await addDependents(table, ordinals, signal);
  return { ordinals, counts: await countsOf(table, ordinals, signal) };
}

/**
 * The rows to remove if only the given rows are to remain: these keep their objects, frames and parents, but not the other objects and frames of the
 * parents.
 */
export async function allButRelated(table: MediaTable, wanted: OrdinalSet, signal: AbortSignal): Promise<RowsToRemove> {
  const kept = OrdinalSet.none(table.rows).or(wanted);
  if (kept.size > 0) await addDependents(table, kept, signal);
  // Two levels: an object belongs to a frame, which belongs to a video.
  for (let level = 0; level < 2; level++) if (!(await addParents(table, kept, signal))) break;
  const ordinals = kept.complement();
  return { ordinals, counts: await countsOf(table, ordinals, signal) };
}

async function addDependents(table: MediaTable, ordinals: OrdinalSet, signal: AbortSignal): Promise<void> {
  const parents = new KeyHashSet();
  const ids = table.readRows(['id'], { batchRows: BATCH_ROWS });
  for await (const { ordinal, id } of numbered(ids, signal)) if (ordinals.has(ordinal)) parents.add(id);
  const filter = `kind = ${kindCode('FRAME')}`;
  for await (const frames of table.readRows(['id', 'parentId'], { filter, batchRows: BATCH_ROWS }))
    for (const { id, parentId } of frames) if (parents.has(parentId!)) parents.add(id);
  const rows = table.readRows(['parentId'], { batchRows: BATCH_ROWS });
  for await (const { ordinal, parentId } of numbered(rows, signal))
    if (parentId !== null && parents.has(parentId)) ordinals.add(ordinal);
}

/** Returns whether any parent was added. */
async function addParents(table: MediaTable, ordinals: OrdinalSet, signal: AbortSignal): Promise<boolean> {
  const parents = new KeyHashSet();
  let isAny = false;
  for await (const { ordinal, parentId } of numbered(table.readRows(['parentId'], { batchRows: BATCH_ROWS }), signal)) {
    if (parentId === null || !ordinals.has(ordinal)) continue;
    parents.add(parentId);
    isAny = true;
  }
  if (!isAny) return false;
  let isNew = false;
  for await (const { ordinal, id } of numbered(table.readRows(['id'], { batchRows: BATCH_ROWS }), signal)) {
    if (ordinals.has(ordinal) || !parents.has(id)) continue;
    ordinals.add(ordinal);
    isNew = true;
  }
  return isNew;
}

async function countsOf(table: MediaTable, ordinals: OrdinalSet, signal: AbortSignal): Promise<DatasetCounts> {
  const counts: Record<EntityKind, number> = { IMAGE: 0, VIDEO: 0, FRAME: 0, OBJECT: 0 };
  if (ordinals.size > 0)
    for await (const { ordinal, kind } of numbered(table.readRows(['kind'], { batchRows: BATCH_ROWS }), signal))
      if (ordinals.has(ordinal)) counts[kind] += 1;
  return { images: counts.IMAGE, videos: counts.VIDEO, objects: counts.OBJECT, frames: counts.FRAME };
}

async function* numbered<Row extends object>(
  batches: AsyncIterable<readonly Row[]>,
  signal: AbortSignal,
): AsyncGenerator<Row & { ordinal: number }> {
  let ordinal = 0;
  for await (const batch of batches) {
    signal.throwIfAborted();
    for (const row of batch) yield { ...row, ordinal: ordinal++ };
  }
}
