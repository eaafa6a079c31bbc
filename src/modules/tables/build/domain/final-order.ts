import type { EntityKind, MediaRow, MapPlace } from '../../../../common/engine/media-table/media-row';
import type { DatasetCounts } from '../../../datasets';
import type { LabelIssues } from '../../../../common/engine/similarity/labels/judge-labels';
import type { MapLayout } from '../../../../common/engine/similarity/similarity-structure';

export interface JudgedLabels {
  readonly issues: LabelIssues;
  /** The labels that the numbers refer to. */
  readonly names: readonly string[];
}

type LabelColumns = Pick<MediaRow, 'mislabelConfidence' | 'suggestedLabel' | 'classOutlierConfidence'>;

const NOT_JUDGED: LabelColumns = { mislabelConfidence: null, suggestedLabel: null, classOutlierConfidence: null };

/** The columns of an item; null if no row has a label. */
export const labelColumnsOf = (judged: JudgedLabels | null, item: number): LabelColumns =>
  judged === null
    ? NOT_JUDGED
    : {
        mislabelConfidence: judged.issues.mislabel[item]!,
        suggestedLabel: judged.names[judged.issues.suggested[item]!] ?? null,
        classOutlierConfidence: judged.issues.classOutlier[item]!,
      };

/** Rows are stored by kind: images with frames, objects, videos. */
export const ROW_GROUPS = ['IMAGES', 'OBJECTS', 'VIDEOS'] as const;
export type RowGroup = (typeof ROW_GROUPS)[number];

const GROUP_OF: Readonly<Record<EntityKind, RowGroup>> = {
  IMAGE: 'IMAGES',
  FRAME: 'IMAGES',
  OBJECT: 'OBJECTS',
  VIDEO: 'VIDEOS',
};

export const groupCounts = (counts: DatasetCounts): Record<RowGroup, number> => ({
  IMAGES: counts.images + counts.frames,
  OBJECTS: counts.objects,
  VIDEOS: counts.videos,
});

export type ComparedGroup = Exclude<RowGroup, 'VIDEOS'>;

/** Groups of kinds whose rows are compared with each other. */
export const KINDS_IN: Readonly<Record<ComparedGroup, readonly EntityKind[]>> = {
  IMAGES: ['IMAGE', 'FRAME'],
  OBJECTS: ['OBJECT'],
};

export const groupOf = (kind: EntityKind): RowGroup => GROUP_OF[kind];

/** Stable counting sort by a key of small integers. */
function reorder(order: Int32Array, key: Int32Array): Int32Array {
  let keys = 0;
  for (const value of key) if (value >= keys) keys = value + 1;
  const starts = new Int32Array(keys + 1);
  for (const value of key) starts[value + 1]! += 1;
  for (let at = 0; at < keys; at += 1) starts[at + 1]! += starts[at]!;
  const sorted = new Int32Array(order.length);
  for (const item of order) {
    const value = key[item]!;
    sorted[starts[value]!] = item;
    starts[value]! += 1;
  }
  return sorted;
}

/**
 * The rank of each item in an order in which clusters are contiguous at every level: coarsest level first, finest last.
 * Keys must be numbered from 0 without gaps.
 */
export function clusterRanks(clusters: readonly Int32Array[]): Int32Array {
  const count = clusters[0]?.length ?? 0;
  let order: Int32Array = Int32Array.from({ length: count }, (_, at) => at);
  for (const level of clusters) order = reorder(order, level);
  const ranks = new Int32Array(count);
  order.forEach((item, rank) => {
    ranks[item] = rank;
  });
  return ranks;
}

export function placeOf({ x, y }: MapLayout, item: number): MapPlace | null {
  return Number.isNaN(x[item]!) ? null : { x: x[item]!, y: y[item]! };
}
