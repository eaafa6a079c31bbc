import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { failpoint } from '../../../common/platform/config/failpoint';
import { writeEdges, type NearPairs } from '../../../common/engine/media-table/edges-file';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { TableVersion } from '../../../common/engine/media-table/table-version';
import { MediaTableStore } from '../../../common/engine/media-table/media-table-store';
import { TextEmbeddings } from '../../../common/engine/models/kept-models';
import { findKnownCopies, readKnownItems } from '../../../common/engine/similarity/placing/known-items';
import { placeNewItems } from '../../../common/engine/similarity/placing/place-new-items';
import type { Placement, Pairs } from '../../../common/engine/similarity/placing/placement';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import { GenerationRepository, type PublishedTable } from '../../datasets';
import {
  groupCounts,
  groupOf,
  KINDS_IN,
  type ComparedGroup,
  type RowGroup,
  placeOf,
} from '../build/domain/final-order';
import { RegisterGenerationStep } from '../build/build-table.step';
import { withCaptionEmbeddings, modelsOf, type TableModels } from '../build/table-models';
import { EmbeddingGroup } from '../build/embedding-groups';
import { inScratchFolder } from '../build/scratch-space';
import type { DatasetUpdate } from './update-operation';
import { inBatches, sumOfCounts, totalOf, type RowSource } from '../rows/row-source';
import type { IndexingRun, BuildPhase } from '../runs/task-runner';
import { identifier, inList } from '../../../common/engine/media-table/literal';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { kindCode } from '../../../common/engine/media-table/media-schema';
import { frameCounts, only, informativeRule } from '../build/domain/frame-pairs';

const PARENTS_AT_ONCE = 500;

interface AddedGroup {
  readonly placement: Placement;
  /** The ordinals of the items, set while the rows pass. */
  readonly ordinals: Int32Array;
  seen: number;
}

/** Computes the columns of new rows after they were compared with those of a table. Rows must come in the order of the source. */
class AddedPlacement {
  private readonly groups = new Map<RowGroup, AddedGroup>();
  private next: number;

  constructor(placements: ReadonlyMap<RowGroup, Placement>, firstOrdinal: number) {
    this.next = firstOrdinal;
    for (const [name, placement] of placements) {
      this.groups.set(name, { placement, ordinals: new Int32Array(placement.nearest.length), seen: 0 });
    }
  }

  place(row: MediaRow): MediaRow {
    const ordinal = this.next++;
    const group = this.groups.get(groupOf(row.kind));
    if (group === undefined) return row;
    const item = group.seen++;
    group.ordinals[item] = ordinal;
    const { clusters, uniqueness, outlier, nearest, layout } = group.placement;
    const [c0, c1, c2, c3, c4] = clusters;
    return {
      ...row,
      uniqueness: uniqueness[item]!,
      outlierConfidence: outlier[item]!,
      nearestSimilarity: nearest[item]! < 0 ? null : nearest[item]!,
      clusters: [c0[item]!, c1[item]!, c2[item]!, c3[item]!, c4[item]!],
      mapPlace: placeOf(layout, item),
    };
  }

  /** The near-duplicate pairs of the new rows, by ordinal. Call it after all rows are placed. */
  edges(): NearPairs[] {
    return [...this.groups.values()].flatMap(({ placement: { among, toKnown }, ordinals }) => {
      const toOrdinals = (items: Int32Array): Int32Array => items.map((item) => ordinals[item]!);
      return [
        { first: toOrdinals(among.first), second: toOrdinals(among.second), cosine: among.cosine },
        { first: toKnown.second, second: toOrdinals(toKnown.first), cosine: toKnown.cosine },
      ];
    });
  }
}

const BATCH_ROWS = 1_024;

/** Appends rows to a table. Each is compared with all existing rows, which stay unchanged. */
@Injectable()
export class AppendRowsStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly texts: TextEmbeddings,
    private readonly tables: MediaTableStore,
    private readonly generations: GenerationRepository,
    private readonly registerGeneration: RegisterGenerationStep,
  ) {}

  async append(
    run: IndexingRun,
    update: DatasetUpdate,
    added: RowSource,
    onProgress: (phase: BuildPhase, part: number) => void,
  ): Promise<PublishedTable> {
    const { dataset, pointer, table } = update;
    const placements = await this.compare(run, update, added, (part) => onProgress('comparing', part));
    failpoint('compared');
    const placement = new AddedPlacement(placements, table.rows);
    const head = await this.writableHead(run, update);
    const rows = this.placed(added, placement, modelsOf(pointer, table), (part) => onProgress('writing', part));
    const written = await this.tables.append(head, rows);
    failpoint('rows-appended');
    await writeEdges(this.store, written, placement.edges(), pointer);
    failpoint('table-written');
    return { ...written, counts: sumOfCounts(dataset.counts, added.counts), thumbnailKey: dataset.thumbnailKey };
  }

  private async compare(
    run: IndexingRun,
    { pointer, table }: DatasetUpdate,
    added: RowSource,
    onPart: (part: number) => void,
  ): Promise<Map<RowGroup, Placement>> {
    const { dimensions, ladder, nearDuplicates } = modelsOf(pointer, table);
    const { embedding: dimension } = dimensions;
    const capacities = groupCounts(added.counts);
    const groups = new Map<ComparedGroup, EmbeddingGroup>();
    for (const name of Object.keys(KINDS_IN) as ComparedGroup[])
      if (capacities[name] > 0) groups.set(name, new EmbeddingGroup(capacities[name], dimension));
    for await (const row of added.comparedRows()) groups.get(groupOf(row.kind) as ComparedGroup)?.add(row);
    const placements = new Map<RowGroup, Placement>();
    for (const [name, group] of groups) {
      const { capacity: count, vectors } = group;
      const { contentGroup, videoOf } = group.facts;
      const known = await readKnownItems(table, KINDS_IN[name]);
      const copies = await findKnownCopies(table, KINDS_IN[name], group.contentHashes());
      const knownCopy = contentGroup.map((content) => copies[content]!);
      const base = placements.size;
      const { dataDir, workerConcurrency: threads } = this.configuration;
      const input = { known, added: { count, vectors, contentGroup, knownCopy }, ladder, nearDuplicates, threads };
      const placement = await inScratchFolder(dataDir, { counts: [count], dimension }, (scratch) =>
        placeNewItems(
          { ...input, scratch },
          { signal: run.context.signal, onProgress: (part) => onPart((base + part) / groups.size) },
        ),
      );
      placements.set(name, await withInformativePairs(placement, videoOf, table));
    }
    return placements;
  }

  /** The version to append to: the dataset's own, or a copy if the generation belongs to another dataset. */
  private async writableHead(run: IndexingRun, { dataset, pointer }: DatasetUpdate): Promise<TableVersion> {
    if ((await this.generations.ownerOf(pointer.generation)) === dataset.id) return pointer;
    const copy = await this.tables.fork(pointer, await this.registerGeneration.register(run, pointer));
    failpoint('generation-copied');
    return copy;
  }

  private async *placed(
    added: RowSource,
    placement: AddedPlacement,
    models: TableModels,
    onPart: (part: number) => void,
  ): AsyncGenerator<MediaRow[]> {
    const total = totalOf(added.counts);
    let written = 0;
    for await (const batch of inBatches(added.rows(), BATCH_ROWS)) {
      written += batch.length;
      onPart(written / total);
      yield await withCaptionEmbeddings(
        batch.map((row) => placement.place(row)),
        this.texts,
        models,
      );
    }
  }
}

/** Drops uninformative pairs of frames. `videoOf` has the index of each new frame's video. */
async function withInformativePairs(placement: Placement, videoOf: Int32Array, table: MediaTable): Promise<Placement> {
  const newFrames = frameCounts(videoOf);
  if (newFrames.length === 0) return placement;
  const { among, toKnown } = placement;
  // Only known rows near a new frame need a separate index; all others share one that belongs to no frame.
  const seen = [...new Set(toKnown.second.filter((_, i) => videoOf[toKnown.first[i]!]! >= 0))];
  const placeOf = new Map(seen.map((ordinal, i) => [ordinal, videoOf.length + i]));
  const known = await videosOfRows(table, seen);
  const videos = new Int32Array(videoOf.length + seen.length + 1).fill(-1);
  videos.set(videoOf);
  known.videoOf.forEach((video, i) => video >= 0 && (videos[videoOf.length + i] = newFrames.length + video));
  const first = joined(among.first, toKnown.first);
  const second = joined(
    among.second,
    toKnown.second.map((ordinal) => placeOf.get(ordinal) ?? videos.length - 1),
  );
  const isInformative = informativeRule({ first, second }, videos, joined(newFrames, known.framesOf));
  const kept = (pairs: Pairs, before: number): Pairs => only(pairs, (pair) => isInformative(before + pair));
  return { ...placement, among: kept(among, 0), toKnown: kept(toKnown, among.first.length) };
}

/** The index of each row's video, negative for rows that are not frames, and the number of frames of those videos. */
async function videosOfRows(
  table: MediaTable,
  ordinals: readonly number[],
): Promise<{ videoOf: Int32Array; framesOf: Int32Array }> {
  const rows = await table.takeRows([...ordinals], ['kind', 'parentId']);
  const numbers = new Map<string, number>();
  const videoOf = Int32Array.from(rows, ({ kind, parentId }) => {
    if (kind !== 'FRAME' || parentId === null) return -1;
    if (!numbers.has(parentId)) numbers.set(parentId, numbers.size);
    return numbers.get(parentId)!;
  });
  const framesOf = new Int32Array(numbers.size);
  const parents = [...numbers.keys()];
  for (let at = 0; at < parents.length; at += PARENTS_AT_ONCE) {
    const some = inList(parents.slice(at, at + PARENTS_AT_ONCE));
    const filter = `${identifier('kind')} = ${kindCode('FRAME')} AND ${identifier('parent_id')} IN ${some}`;
    for await (const batch of table.readRows(['parentId'], { filter }))
      for (const { parentId } of batch) framesOf[numbers.get(parentId!)!]! += 1;
  }
  return { videoOf, framesOf };
}

function joined(a: Int32Array, b: Int32Array): Int32Array {
  const both = new Int32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
