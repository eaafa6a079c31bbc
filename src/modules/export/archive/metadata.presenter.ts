import { formatTimestamp } from '../../../common/platform/http/query-values';
import { givenLabels, type MediaRow } from '../../../common/engine/media-table/media-row';
import type { AppliedModel, NamedTag } from '../../datasets';
import {
  fileSize,
  issuesOf,
  type DuplicateMembership,
  type Issue,
  type MediaItem,
  type MediaObject,
  pixelBox,
} from '../domain/media-item';
import type { ExportInfo } from './archive-format';

const SOURCE = 'User';
const NO_ORIGINAL_ID = -1;

export type MetadataItem = Readonly<{ type: string; properties: Readonly<Record<string, unknown>> }>;

export const presentInfo = (info: ExportInfo) => ({
  schema_version: '1.1',
  dataset: info.datasetName,
  description: `Exported from ${info.datasetName} at ${info.baseUrl}`,
  dataset_url: `${info.baseUrl}/dataset/${info.datasetId}/data`,
  export_time: formatTimestamp(info.exportedAt),
  dataset_creation_time: formatTimestamp(info.datasetCreatedAt),
  exported_by: info.exportedBy,
  total_media_items: info.items,
});

export const mediaUrl = ({ baseUrl, datasetId }: ExportInfo, mediaId: string): string =>
  `${baseUrl}/dataset/${datasetId}/data/image/${mediaId}`;

/** Six decimals, the precision of a 32-bit float. */
export const score = (value: number): number => Math.round(value * 1e6) / 1e6;

/** All scalar properties of an item, in the order of the metadata file. */
export const presentScalars = (item: MediaItem, info: ExportInfo) => ({
  media_id: item.row.id,
  media_type: item.row.kind === 'FRAME' ? 'video_frame' : 'image',
  file_name: item.row.fileName,
  file_path: item.row.path,
  file_size: fileSize(item.row.sizeBytes),
  uniqueness_score: score(item.row.uniqueness),
  height: item.row.height,
  width: item.row.width,
  url: mediaUrl(info, item.row.id),
  cluster_id: item.clusterId,
});

export const presentItem = (item: MediaItem, info: ExportInfo) => ({
  ...presentScalars(item, info),
  ...(item.imageName === null ? {} : { image_filename: item.imageName }),
  metadata_items: metadataItems(item, info),
});

export const metadataItems = (item: MediaItem, info: ExportInfo): MetadataItem[] => [
  ...(item.row.kind === 'FRAME' ? [videoInfo(item.row)] : []),
  ...issueItems(item.row),
  ...(item.duplicates === null ? [] : [duplicateItem(item.duplicates)]),
  ...labelItems(item.row, info),
  ...item.objects.map((object) => objectLabel(object, item, info)),
  ...captionItems(item.row, info.enrichments.CAPTION_IMAGES),
  ...textItems(item.row, info),
  ...item.tags.map(userTag),
  ...customMetadata(item.row),
  ...(item.imageError === null ? [] : [of('export_error', { message: item.imageError })]),
];

const of = (type: string, properties: MetadataItem['properties']): MetadataItem => ({ type, properties });

const labelled = (label: string) => ({ category_name: label, source: SOURCE, original_id: NO_ORIGINAL_ID });

export const givenLabelItem = (label: string): MetadataItem => of('image_label', labelled(label));

export const givenCaptionItem = (text: string): MetadataItem => of('caption', { text, source: SOURCE });

export const duplicateItem = ({ groupId, similarity }: DuplicateMembership): MetadataItem =>
  of('issue', {
    issue_type: 'duplicates',
    confidence: 1,
    duplicate_group_id: groupId,
    duplicate_threshold: similarity,
  });

const labelItems = (row: MediaItem['row'], { enrichments }: ExportInfo): MetadataItem[] => [
  ...givenLabels(row).map(givenLabelItem),
  ...(row.generatedLabels ?? []).map(({ label, confidence }) =>
    of('image_label', {
      ...labelled(label),
      source: enrichments.IMAGE_TAGGING?.id ?? null,
      confidence: score(confidence),
    }),
  ),
];

const captionItems = (
  { caption, generatedCaption }: Pick<MediaRow, 'caption' | 'generatedCaption'>,
  model: AppliedModel | undefined,
): MetadataItem[] => [
  ...(caption === null ? [] : [givenCaptionItem(caption)]),
  ...(generatedCaption === null ? [] : [of('caption', { text: generatedCaption, source: model?.id ?? null })]),
];

const textItems = ({ textLines }: MediaItem['row'], { enrichments }: ExportInfo): MetadataItem[] =>
  (textLines ?? []).map(({ text, confidence, corners }) =>
    of('text_line', {
      text,
      source: enrichments.TEXT_RECOGNITION?.id ?? null,
      confidence: score(confidence),
      corners,
    }),
  );

export const issueItem = ({ type, confidence, suggestedLabel }: Issue): MetadataItem =>
  of('issue', {
    issue_type: type,
    confidence: score(confidence),
    ...(typeof suggestedLabel === 'string' ? { issues_description: suggestedLabel } : {}),
  });

const issueItems = (row: Parameters<typeof issuesOf>[0]): MetadataItem[] => issuesOf(row).map(issueItem);

// The time of the assignment is not stored.
const userTag = (tag: NamedTag): MetadataItem => of('user_tag', { tag_name: tag.name, assigned_date: null });

const customMetadata = (row: Pick<MediaRow, 'customMetadata'>): MetadataItem[] =>
  (row.customMetadata ?? []).map(({ name, type, value }) =>
    of('custom_metadata', { field_name: name, field_type: type, value }),
  );

const objectLabel = ({ row, tags }: MediaObject, { row: image }: MediaItem, info: ExportInfo): MetadataItem => ({
  ...of('object_label', {
    category_name: row.labels[0] ?? null,
    ...sourceOf(row, info),
    original_id: NO_ORIGINAL_ID,
    bbox: row.box === null ? null : pixelBox(row.box, image.width, image.height),
    bounding_box: row.box,
    uniqueness_score: score(row.uniqueness),
    url: `${mediaUrl(info, image.id)}?object_id=${row.id}`,
    metadata_items: [
      ...issueItems(row),
      ...captionItems(row, info.enrichments.CAPTION_OBJECTS),
      ...tags.map(userTag),
      ...customMetadata(row),
    ],
  }),
});

function sourceOf({ generatedLabels, objectSource }: MediaObject['row'], { enrichments }: ExportInfo) {
  const [found] = generatedLabels ?? [];
  if (found === undefined) return { source: objectSource ?? SOURCE };
  return { source: objectSource ?? enrichments.OBJECT_DETECTION?.id ?? null, confidence: score(found.confidence) };
}

function videoInfo({ path, fileName, parentId, frameTimestamp }: Pick<MediaRow, FrameField>): MetadataItem {
  const timestamp = frameTimestamp ?? 0;
  return of('video_info', {
    video_id: parentId,
    video_name: path.split('/').at(-2) ?? null,
    frame_number: Number(/^output_(\d+)\./.exec(fileName)?.[1] ?? 0),
    frame_timestamp: timestamp,
    timestamp: new Date(Math.round(timestamp * 1000)).toISOString().slice(11, 23),
  });
}

type FrameField = 'path' | 'fileName' | 'parentId' | 'frameTimestamp';
