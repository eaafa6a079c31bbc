import { Logger } from '@nestjs/common';
import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { versionName } from '../../../common/engine/media-table/table-version';
import { ExploreIndex, type ExploreColumns, type VideoMembership } from './domain/explore-index';
import { ENTITY_KINDS, type EntityKind } from '../../../common/engine/media-table/media-row';
import { inList } from '../../../common/engine/media-table/literal';
import { CLUSTER_COLUMNS, kindCode } from '../../../common/engine/media-table/media-schema';
import { LabelIndex } from '../columns/domain/label-index';

/** Rows of text to decode at once: a few milliseconds on the event loop. */
const TEXT_BATCH_ROWS = 4_096;

type Clusters = Pick<ExploreColumns, 'kinds' | 'clusters'>;

interface LoadedIndex {
  readonly table: MediaTable;
  readonly index: ExploreIndex;
}

/** LRU cache of indexes, within a budget of bytes that all datasets share. */
export class ExploreIndexCache {
  private readonly indexes: BoundedCache<LoadedIndex>;

  private readonly logger = new Logger('Explore');

  constructor(private readonly budgetBytes: number) {
    this.indexes = new BoundedCache(budgetBytes, ({ index }) => index.bytes, { keepsLast: true });
  }

  get bytes(): number {
    return this.indexes.weight;
  }

  get usage(): CacheUsage {
    return this.indexes.usage;
  }

  async open(table: MediaTable): Promise<ExploreIndex> {
    const key = versionName(table.at);
    const { index } = await this.indexes.getOrLoad(key, () => this.load(table));
    // It grows with use.
    this.indexes.weighAgain(key);
    return index;
  }

  private async load(table: MediaTable): Promise<LoadedIndex> {
    const index = await loadExploreIndex(table, await this.beginningOf(table));
    if (index.bytes > this.budgetBytes) {
      this.logger.warn(
        `The index of ${index.rows} rows takes ${index.bytes} bytes, more than the ${this.budgetBytes} of all datasets: those of others are read again after it was used. Raise EXPLORE_CACHE_BYTES.`,
      );
    }
    return { table, index };
  }

  /** The index of a version with the same first rows, to which others were added. */
  private async beginningOf(table: MediaTable): Promise<ExploreIndex | undefined> {
    const earlier = this.indexes.findLast(
      (loaded) => loaded.table.at.generation === table.at.generation && loaded.table.rows <= table.rows,
    );
    if (earlier === undefined) return undefined;
    const { rows } = earlier.table;
    const [name, earlierName] = await Promise.all([table.nameOfRows(rows), earlier.table.nameOfRows(rows)]);
    return name === earlierName ? earlier.index : undefined;
  }
}

/**
 * Loads an ExploreIndex from a table, in batches, so that the event loop is not blocked. With the index of a version that begins with the
 * same rows, only those after them are read.
 */
export async function loadExploreIndex(table: MediaTable, before?: ExploreIndex): Promise<ExploreIndex> {
  const [{ kinds, clusters }, labels] = await Promise.all([
    loadClusters(table, before?.columns),
    loadLabels(table, before?.labels),
  ]);
  return new ExploreIndex({ kinds, clusters, videos: await loadVideos(table, kinds), labels });
}

async function loadClusters(table: MediaTable, before: Clusters | undefined): Promise<Clusters> {
  const kinds = new Int8Array(table.rows);
  const clusters = CLUSTER_COLUMNS.map(() => new Int32Array(table.rows));
  if (before !== undefined) {
    kinds.set(before.kinds);
    clusters.forEach((level, at) => level.set(before.clusters[at]!));
  }
  const from = before?.kinds.length ?? 0;
  if (from === table.rows) return { kinds, clusters };
  for await (const { first, columns } of table.readColumns(['kind', ...CLUSTER_COLUMNS], { from })) {
    kinds.set(columns['kind'] as Int8Array, first);
    CLUSTER_COLUMNS.forEach((name, level) => clusters[level]!.set(columns[name] as Int32Array, first));
  }
  return { kinds, clusters };
}

async function loadLabels(table: MediaTable, before: LabelIndex | undefined): Promise<LabelIndex> {
  if (before?.rows === table.rows) return before;
  const labels = LabelIndex.builder(table.rows, before);
  for await (const lists of table.readTextLists('labels', { from: before?.rows ?? 0 })) labels.addLists(lists);
  return labels.build();
}

async function loadVideos(table: MediaTable, kinds: Int8Array): Promise<VideoMembership> {
  const codes = (['VIDEO', 'FRAME'] satisfies EntityKind[]).map(kindCode);
  const ordinals = ordinalsOf(kinds, new Set(codes));
  const videoOf = new Int32Array(ordinals.length === 0 ? 0 : table.rows).fill(-1);
  const numberOf = new Map<string, number>();
  const rows: number[] = [];
  const frames: { ordinal: number; videoId: string | null }[] = [];
  let place = 0;
  if (ordinals.length > 0) {
    for await (const batch of table.readRows(['id', 'kind', 'parentId'], {
      filter: `kind IN ${inList(codes)}`,
      batchRows: TEXT_BATCH_ROWS,
    })) {
      for (const { id, kind, parentId } of batch) {
        const ordinal = ordinals[place++];
        if (ordinal === undefined || ENTITY_KINDS[kinds[ordinal]!] !== kind)
          throw new Error('The rows of videos and frames were not returned in table order');
        if (kind === 'FRAME') {
          frames.push({ ordinal, videoId: parentId });
          continue;
        }
        numberOf.set(id, rows.length);
        videoOf[ordinal] = rows.length;
        rows.push(ordinal);
      }
    }
  }
  for (const { ordinal, videoId } of frames) videoOf[ordinal] = numberOf.get(videoId ?? '') ?? -1;
  return { videoOf, rows: Int32Array.from(rows) };
}

function ordinalsOf(kinds: Int8Array, codes: ReadonlySet<number>): number[] {
  const ordinals: number[] = [];
  for (let row = 0; row < kinds.length; row++) if (codes.has(kinds[row]!)) ordinals.push(row);
  return ordinals;
}
