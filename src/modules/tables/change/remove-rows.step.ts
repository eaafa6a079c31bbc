import { Inject, Injectable } from '@nestjs/common';
import { failpoint } from '../../../common/platform/config/failpoint';
import { readEdges, writeEdges } from '../../../common/engine/media-table/edges-file';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import type { OrdinalSet } from '../../../common/engine/media-table/ordinal-set';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { DatasetCounts, DatasetPointer, PublishedTable } from '../../datasets';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { CarriedTags } from '../../versions';
import { carriedEdges } from '../build/carried-edges';
import type { IndexingRun } from '../runs/indexing-run';
import { RegisterGenerationStep } from '../build/register-generation.step';
import type { RowsToRemove } from './rows-to-remove';

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
