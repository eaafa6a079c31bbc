import { Inject, Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { readEdges, writeEdges } from '../../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { DatasetCounts, PublishedTable } from '../../datasets';
import { CarriedTags, inSlices } from '../../search';
import type { DatasetUpdate } from '../update/dataset-update';
import { carriedEdges } from '../indexing/carried-edges';
import type { IndexingRun } from '../indexing/indexing-run';
import { RegisterGenerationStep } from '../indexing/register-generation.step';
import type { SyncParameters } from './sync-parameters';
import type { RowsToRemove } from './rows-to-remove';

export interface Remainder {
  /** The dataset without the rows; not published yet. */
  readonly update: DatasetUpdate<SyncParameters>;
  readonly table: PublishedTable;
}

/** Tables are append-only, so the remaining rows are copied to a new one, with clusters, pairs and tags. */
@Injectable()
export class RemoveRowsStep {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly tables: MediaTableStore,
    private readonly registerGeneration: RegisterGenerationStep,
    private readonly tags: CarriedTags,
  ) {}

  async remove(
    run: IndexingRun,
    update: DatasetUpdate<SyncParameters>,
    { ordinals, counts }: RowsToRemove,
  ): Promise<Remainder> {
    const { dataset, pointer } = update;
    const generation = await this.registerGeneration.register(run, pointer);
    const written = await this.tables.fork(pointer, generation, ordinals.complement());
    failpoint('generation-copied');
    const ordinalOf = await newOrdinals(ordinals);
    await writeEdges(this.store, written, [await carriedEdges(await readEdges(this.store, pointer), ordinalOf)]);
    const tagsFile = await this.tags.rewrite(pointer.tagsFile, ordinalOf);
    failpoint('tags-carried');
    const table = await this.tables.open(written);
    const [first] = table.rows === 0 ? [] : await table.takeRows([0], ['thumbnailKey']);
    const left = { counts: less(dataset.counts, counts), thumbnailKey: first?.thumbnailKey ?? null };
    return {
      update: { ...update, dataset: { ...dataset, ...left }, pointer: { ...pointer, ...written, tagsFile }, table },
      table: { ...written, ...left, tagsFile },
    };
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
