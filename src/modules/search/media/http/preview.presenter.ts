import { shownCaption, type EntityKind } from '../../../../common/engine/media-table/media-row';
import type { LabelCount } from '../../../versions';
import type { Preview, PreviewRow, TagCount } from '../../explore/found-clusters';
import type { Addresses } from '../signed-media-urls';
import type { PresentedPreview } from '../../explore/http/search-result.schema';

export type TagNames = ReadonlyMap<string, string>;

/** Empty if results have no score. */
export type Relevance = Pick<PresentedPreview, 'relevance_score' | 'relevance_score_type'>;

/** Rounded for display. */
export const shownDistance = (distance: number | null): number | null =>
  distance === null ? null : Math.min(2, Math.max(0, distance));

export const cosineDistance = (score: number | null): Relevance => ({
  relevance_score: shownDistance(score),
  relevance_score_type: score === null ? null : 'cosine_distance',
});

const PREVIEW_TYPE = { IMAGE: 'IMAGE', FRAME: 'IMAGE', OBJECT: 'OBJECT', VIDEO: 'VIDEO' } as const satisfies Record<
  EntityKind,
  PresentedPreview['type']
>;

/** The rows whose URLs a preview contains. */
export function rowsShown(previews: readonly Preview[]): PreviewRow[] {
  const rows: PreviewRow[] = [];
  for (const { row, video } of previews) {
    rows.push(row);
    if (video !== undefined && video !== row) rows.push(video);
  }
  return rows;
}

/** Lists all fields by name, because a spread is several times as slow. JSON omits undefined values. */
export function presentPreview(
  { row, kind, labels, tags, matched, sources, video }: Preview,
  relevance: Relevance,
  addresses: Addresses,
  names: TagNames,
): PresentedPreview {
  const { original, thumbnail } = addresses.get(row)!;
  const videoUri = video === undefined ? '' : addresses.get(video)!.original;
  const isObject = kind === 'OBJECT';
  return {
    type: PREVIEW_TYPE[kind],
    media_id: row.id,
    media_uri: original,
    media_thumb_uri: thumbnail,
    caption: shownCaption(row),
    image_id: isObject ? (row.parentId ?? row.id) : row.id,
    image_uri: original,
    bounding_box: row.box,
    file_name: row.fileName,
    original_uri: row.path,
    video_uri: videoUri,
    frame_timestamp: row.frameTimestamp,
    labels: presentLabels(labels.map((label) => ({ label, count: 1 }))),
    label: isObject ? labels[0] : undefined,
    user_tags: presentTags(
      tags.map((id) => ({ id, count: 1 })),
      names,
    ),
    matched: matched && [...matched],
    sources,
    relevance_score: relevance.relevance_score,
    relevance_score_type: relevance.relevance_score_type,
    width: row.width,
    height: row.height,
  };
}

/** An object without a prototype is a plain table for V8, which makes a hidden class for each new set of names of any other. */
export function presentLabels(labels: readonly LabelCount[]): Record<string, number> | null {
  if (labels.length === 0) return null;
  const counts = Object.create(null) as Record<string, number>;
  for (const { label, count } of labels) counts[label] = count;
  return counts;
}

/** Tags that were deleted after this version was written have no name and are omitted. */
export function presentTags(tags: readonly TagCount[], names: TagNames): PresentedPreview['user_tags'] {
  if (tags.length === 0) return null;
  const named = tags.flatMap(({ id, count }) => {
    const name = names.get(id);
    return name === undefined ? [] : [[id, { name, count }] as const];
  });
  return named.length === 0 ? null : Object.fromEntries(named);
}
