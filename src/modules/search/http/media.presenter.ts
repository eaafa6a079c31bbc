import { z } from 'zod';
import { LEVELS } from '../../../common/engine/media-table/media-row';
import { EXAMPLE } from '../../../common/platform/http/description/example-ids';
import { MEASURED_ISSUES } from '../domain/measure-columns';
import { MEDIA_TYPE_NAMES, MEDIA_TYPES } from '../domain/entity-type';
import { customMetadata, presentMetadata } from './custom-metadata.presenter';
import type { Preview } from '../found-clusters';
import type { MediaDetail } from '../media.service';
import type { MediaUrls } from '../media-urls';
import { cosineDistance, presentPreview, rowsShown, type TagNames } from './preview.presenter';
import { captionSource, labelSources, sourceFields, sourcesExample } from './sources.presenter';
import { previewExample, previewSchema, type PresentedPreview } from './search-result.schema';

export const mediaDetail = previewSchema
  .extend({
    media_type: z.enum(MEDIA_TYPE_NAMES),
    ...sourceFields,
    custom_metadata: customMetadata,
    mime_type: z.string(),
    size_bytes: z.int(),
    sha256: z.string(),
    perceptual_hash: z.string().nullable(),
    batch_id: z.string(),
    duration_seconds: z.number().nullable(),
    sharpness: z.number().nullable(),
    mean_intensity: z.number().nullable(),
    uniqueness_score: z.number(),
    nearest_similarity: z.number().nullable(),
    /** Of mislabels, the description is the label that similar media have. */
    issues: z.array(
      z.object({
        issue: z.enum(MEASURED_ISSUES),
        confidence: z.number(),
        issues_description: z.string().optional(),
      }),
    ),
    clusters: z.array(z.object({ threshold: z.enum(LEVELS.map(String)), cluster_id: z.uuid() })),
    parent: previewSchema.nullable(),
    children: z.array(previewSchema),
    neighbours: z.array(previewSchema),
  })
  .meta({
    id: 'MediaDetail',
    example: {
      ...previewExample,
      media_type: 'image',
      ...sourcesExample,
      custom_metadata: [{ field_name: 'site', field_type: 'string', value: 'north harbour' }],
      mime_type: 'image/jpeg',
      size_bytes: 284113,
      sha256: '7256c480731275c5738519571a730b83786d724ab7401ee376aae84392e30d0d',
      perceptual_hash: 'c3d4e5f60718293a',
      batch_id: EXAMPLE.batch,
      duration_seconds: null,
      sharpness: 412.6,
      mean_intensity: 118.2,
      uniqueness_score: 0.31,
      nearest_similarity: 0.97,
      issues: [{ issue: 'blur', confidence: 0.12 }],
      clusters: [{ threshold: '0', cluster_id: EXAMPLE.cluster }],
      parent: null,
      children: [],
      neighbours: [],
    },
  });

export async function presentMedia(
  { preview, row, captionModel, labelModel, clusters, parent, children, neighbours }: MediaDetail,
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
    label_sources: labelSources(row, labelModel),
    custom_metadata: presentMetadata(row.customMetadata ?? []),
    mime_type: row.mimeType,
    size_bytes: row.sizeBytes,
    sha256: row.sha256,
    perceptual_hash: row.perceptualHash,
    batch_id: row.batchId,
    duration_seconds: row.durationSeconds,
    sharpness: row.sharpness,
    mean_intensity: row.meanIntensity,
    uniqueness_score: row.uniqueness,
    nearest_similarity: row.nearestSimilarity,
    issues: [
      { issue: 'blur' as const, confidence: row.blurConfidence },
      { issue: 'dark' as const, confidence: row.darkConfidence },
      { issue: 'bright' as const, confidence: row.brightConfidence },
      { issue: 'outliers' as const, confidence: row.outlierConfidence },
      {
        issue: 'mislabels' as const,
        confidence: row.mislabelConfidence ?? 0,
        ...(row.suggestedLabel === null ? {} : { issues_description: row.suggestedLabel }),
      },
      { issue: 'class_outliers' as const, confidence: row.classOutlierConfidence ?? 0 },
    ].filter(({ confidence }) => confidence > 0),
    clusters: clusters.map(({ level, id }) => ({ threshold: String(level), cluster_id: id })),
    parent: parent === undefined ? null : plain(parent),
    children: children.map(plain),
    neighbours: await presentScored(neighbours, urls, names),
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
