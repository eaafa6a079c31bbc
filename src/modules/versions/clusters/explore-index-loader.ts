import { ENTITY_KINDS, type EntityKind } from '../../../common/engine/media-table/media-row';
import { inList } from '../../../common/engine/media-table/literal';
import { CLUSTER_COLUMNS, kindCode } from '../../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { ExploreIndex, type ExploreColumns, type VideoMembership } from './domain/explore-index';
import { LabelIndex } from '../columns/domain/label-index';

/** Rows of text to decode at once: a few milliseconds on the event loop. */
const TEXT_BATCH_ROWS = 4_096;

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

type Clusters = Pick<ExploreColumns, 'kinds' | 'clusters'>;

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
