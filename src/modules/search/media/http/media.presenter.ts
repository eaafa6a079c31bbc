import { z } from 'zod';
import { LEVELS, ENTITY_KINDS, type EntityKind } from '../../../../common/engine/media-table/media-row';
import { EXAMPLE } from '../../../../common/platform/http/description/example-ids';
import type { Preview } from '../../explore/found-clusters';
import type { MediaDetail } from '../media.service';
import type { MediaUrls } from '../signed-media-urls';
import { approximateFields, presentApproximate } from '../../query/http/approximate';
import { cosineDistance, presentPreview, rowsShown, type TagNames } from './preview.presenter';
import {
  captionSource,
  labelSources,
  sourceFields,
  sourcesExample,
  presentText,
  presentValues,
  textExample,
  textFields,
  valueFields,
  valuesExample,
} from './values.presenter';
import { previewExample, previewSchema, type PresentedPreview } from '../../explore/http/search-result.schema';

/** Names of kinds in the API. */
export const MEDIA_TYPES = {
  IMAGE: 'image',
  VIDEO: 'video',
  FRAME: 'video_frame',
  OBJECT: 'object',
} as const satisfies Record<EntityKind, string>;

export const MEDIA_TYPE_NAMES = ENTITY_KINDS.map((kind) => MEDIA_TYPES[kind]);

export const mediaDetail = previewSchema
  .extend({
    media_type: z.enum(MEDIA_TYPE_NAMES),
    ...sourceFields,
    ...textFields,
    ...valueFields,
    mime_type: z.string(),
    sha256: z.string(),
    perceptual_hash: z.string().nullable(),
    batch_id: z.string(),
    duration_seconds: z.number().nullable(),
    sharpness: z.number().nullable(),
    mean_intensity: z.number().nullable(),
    nearest_similarity: z
      .number()
      .nullable()
      .describe('To the nearest other medium, on the scale of `duplicate_threshold`; null if there is none.'),
    clusters: z.array(z.object({ threshold: z.enum(LEVELS.map(String)), cluster_id: z.uuid() })),
    parent: previewSchema.nullable(),
    children: z.array(previewSchema),
    neighbours: z.array(previewSchema),
    ...approximateFields,
  })
  .meta({
    id: 'MediaDetail',
    example: {
      ...previewExample,
      media_type: 'image',
      ...sourcesExample,
      ...textExample,
      ...valuesExample,
      mime_type: 'image/jpeg',
      sha256: '7256c480731275c5738519571a730b83786d724ab7401ee376aae84392e30d0d',
      perceptual_hash: 'c3d4e5f60718293a',
      batch_id: EXAMPLE.batch,
      duration_seconds: null,
      sharpness: 412.6,
      mean_intensity: 118.2,
      nearest_similarity: 0.97,
      clusters: [{ threshold: '0', cluster_id: EXAMPLE.cluster }],
      parent: null,
      children: [],
      neighbours: [],
    },
  });

export async function presentMedia(
  {
    preview,
    row,
    nearestSimilarity,
    captionModel,
    labelModel,
    labelSource,
    textModel,
    clusters,
    parent,
    children,
    neighbours,
    recall,
  }: MediaDetail,
  urls: MediaUrls,
  names: TagNames,
): Promise<z.infer<typeof mediaDetail>> {
  const shown = [preview, ...(parent === undefined ? [] : [parent]), ...children];
  const addresses = await urls.of(rowsShown(shown));
  const plain = (each: Preview): PresentedPreview => presentPreview(each, {}, addresses, names);
  return {
    ...plain(preview),
    media_type: MEDIA_TYPES[row.kind],
    caption_source: captionSource(preview.row, captionModel),
    generated_caption: preview.row.generatedCaption,
    label_sources: labelSources(row, { labelModel, labelSource }),
    ...presentText(row, textModel),
    ...presentValues(row),
    mime_type: row.mimeType,
    sha256: row.sha256,
    perceptual_hash: row.perceptualHash,
    batch_id: row.batchId,
    duration_seconds: row.durationSeconds,
    sharpness: row.sharpness,
    mean_intensity: row.meanIntensity,
    nearest_similarity: nearestSimilarity,
    clusters: clusters.map(({ level, id }) => ({ threshold: String(level), cluster_id: id })),
    parent: parent === undefined ? null : plain(parent),
    children: children.map(plain),
    neighbours: await presentScored(neighbours, urls, names),
    ...presentApproximate(recall),
  };
}

export async function presentScored(
  previews: readonly Preview[],
  urls: MediaUrls,
  names: TagNames,
): Promise<PresentedPreview[]> {
  const addresses = await urls.of(rowsShown(previews));
  return previews.map((each) => presentPreview(each, cosineDistance(each.score), addresses, names));
}
