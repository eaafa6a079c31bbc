import { DataType, type Field, Precision, Schema } from 'apache-arrow';
import {
  type ColumnCodec,
  type Dimensions,
  float32,
  FOR_TAKING,
  int32,
  int32Tuple,
  int64,
  oneOf,
  optionalFloat32,
  optionalJson,
  optionalFloat64,
  optionalNumbers,
  optionalText,
  optionalVector,
  text,
  textList,
  vectorLength,
} from './column-codec';
import { CAPTION_TEXT_COLUMN, ENTITY_KINDS, type EntityKind, type MediaRow } from './media-row';
import { CARD_COLUMN, isCardField } from './row-card';

export const CLUSTER_COLUMNS = ['cluster_0', 'cluster_1', 'cluster_2', 'cluster_3', 'cluster_4'] as const;

/** Places on the map; the value of rows without one. */
export const PLACE_COLUMNS = ['map_x', 'map_y'] as const;
export const NO_PLACE = { map_x: NaN, map_y: NaN };

/** The definition of the media table: each property of a row and the columns that store it. */
export const MEDIA_CODECS: { readonly [K in keyof MediaRow]: ColumnCodec<MediaRow[K]> } = {
  id: text('id'),
  kind: oneOf('kind', ENTITY_KINDS),
  parentId: optionalText('parent_id'),
  fileName: text('file_name'),
  path: text('path'),
  source: text('source'),
  sourceVersion: optionalText('source_version'),
  mimeType: text('mime_type'),
  sizeBytes: int64('size_bytes'),
  width: int32('width'),
  height: int32('height'),
  sha256: text('sha256'),
  perceptualHash: optionalText('perceptual_hash'),
  thumbnailKey: optionalText('thumbnail_key'),
  batchId: text('batch_id'),
  box: optionalNumbers({ x: 'box_x', y: 'box_y', width: 'box_width', height: 'box_height' }),
  frameTimestamp: optionalFloat64('frame_timestamp'),
  durationSeconds: optionalFloat64('duration_seconds'),
  caption: optionalText('caption'),
  generatedCaption: optionalText('generated_caption'),
  labels: textList('labels'),
  generatedLabels: optionalJson('generated_labels'),
  matchedObjects: optionalJson('matched_objects'),
  objectSource: optionalText('object_source'),
  textLines: optionalJson('text_lines'),
  customMetadata: optionalJson('custom_metadata'),
  sharpness: optionalFloat32('sharpness'),
  meanIntensity: optionalFloat32('mean_intensity'),
  blurConfidence: float32('blur_confidence'),
  darkConfidence: float32('dark_confidence'),
  brightConfidence: float32('bright_confidence'),
  outlierConfidence: float32('outlier_confidence'),
  mislabelConfidence: optionalFloat32('mislabel_confidence'),
  suggestedLabel: optionalText('suggested_label'),
  classOutlierConfidence: optionalFloat32('class_outlier_confidence'),
  uniqueness: float32('uniqueness'),
  nearestSimilarity: optionalFloat32('nearest_similarity'),
  clusters: int32Tuple(CLUSTER_COLUMNS),
  mapPlace: optionalNumbers({ x: PLACE_COLUMNS[0], y: PLACE_COLUMNS[1] }, optionalFloat32),
  embedding: optionalVector('embedding', 'embedding'),
  captionEmbedding: optionalVector('caption_embedding', 'captionEmbedding'),
  generatedCaptionEmbedding: optionalVector('generated_caption_embedding', 'generatedCaptionEmbedding'),
  multimodalEmbedding: optionalVector('multimodal_embedding', 'multimodalEmbedding'),
};

export type MediaField = keyof MediaRow;

export const MEDIA_FIELDS = Object.keys(MEDIA_CODECS) as MediaField[];

const storedAs = (field: MediaField): Field[] =>
  MEDIA_CODECS[field].fields({
    embedding: 1,
    captionEmbedding: 1,
    generatedCaptionEmbedding: 1,
    multimodalEmbedding: 1,
  });

/** The names of the columns that store a property. */
export const columnsOf = (field: MediaField): string[] => storedAs(field).map((column) => column.name);

/** An array for the numbers that a property has in each row; integers of 64 bits become doubles. */
export function numbersFor(field: MediaField, rows: number): Float32Array | Float64Array | Int32Array {
  const type = storedAs(field)[0]!.type as DataType;
  if (DataType.isInt(type) && type.bitWidth === 32) return new Int32Array(rows);
  return DataType.isFloat(type) && type.precision === Precision.SINGLE
    ? new Float32Array(rows)
    : new Float64Array(rows);
}

/** Those of the first release, which every table has. Do not change them. */
export const FIRST_COLUMNS: ReadonlySet<string> = new Set([
  ...['id', 'kind', 'parent_id', 'file_name', 'path', 'source', 'mime_type', 'size_bytes', 'width', 'height'],
  ...['sha256', 'perceptual_hash', 'thumbnail_key', 'batch_id', 'box_x', 'box_y', 'box_width', 'box_height'],
  ...['frame_timestamp', 'duration_seconds', 'caption', 'labels', 'sharpness', 'mean_intensity'],
  ...['blur_confidence', 'dark_confidence', 'bright_confidence', 'outlier_confidence', 'uniqueness'],
  ...['nearest_similarity', 'cluster_0', 'cluster_1', 'cluster_2', 'cluster_3', 'cluster_4'],
  ...['embedding', 'caption_embedding', 'card'],
]);

/** Columns added after the first release. Tables written before lack them, and return null for them. */
const LATER_COLUMNS: ReadonlySet<string> = new Set(
  [...MEDIA_FIELDS.flatMap(columnsOf), CAPTION_TEXT_COLUMN].filter((name) => !FIRST_COLUMNS.has(name)),
);

export const isLaterColumn = (name: string): boolean => LATER_COLUMNS.has(name);

/** The columns that must be added to a table of this schema before appending new rows. */
export function lackingColumns(schema: Schema): Field[] {
  const known = new Set(schema.fields.map(({ name }) => name));
  return mediaSchema(dimensionsOf(schema)).fields.filter(({ name }) => isLaterColumn(name) && !known.has(name));
}

/** The smallest set of columns from which scattered rows can be read. */
export const columnsToTake = (fields: readonly MediaField[]): string[] =>
  fields.some(isCardField)
    ? [CARD_COLUMN, ...fields.filter((field) => !isCardField(field)).flatMap(columnsOf)]
    : fields.flatMap(columnsOf);

export const CARD_CODEC = text(CARD_COLUMN, FOR_TAKING);
export const CAPTION_TEXT_CODEC = optionalText(CAPTION_TEXT_COLUMN);

export const mediaSchema = (dimensions: Dimensions): Schema =>
  new Schema([
    ...MEDIA_FIELDS.flatMap((field) => MEDIA_CODECS[field].fields(dimensions)),
    ...CARD_CODEC.fields(dimensions),
    ...CAPTION_TEXT_CODEC.fields(dimensions),
  ]);

export const columnsOfToday = (dimensions: Dimensions): string[] =>
  mediaSchema(dimensions).fields.map(({ name }) => name);

export function dimensionsOf(schema: Schema): Dimensions {
  const lengthOf = (name: string): number | undefined => {
    const column = schema.fields.find((field) => field.name === name);
    return column === undefined ? undefined : vectorLength(column.type as DataType);
  };
  const neededLength = (name: string): number => {
    const length = lengthOf(name);
    if (length === undefined) throw new Error(`Not a media table: it has no column ${name}`);
    return length;
  };
  const generatedCaptionEmbedding = lengthOf('generated_caption_embedding');
  const multimodalEmbedding = lengthOf('multimodal_embedding');
  return {
    embedding: neededLength('embedding'),
    captionEmbedding: neededLength('caption_embedding'),
    ...(generatedCaptionEmbedding !== undefined && { generatedCaptionEmbedding }),
    ...(multimodalEmbedding !== undefined && { multimodalEmbedding }),
  };
}

/** The stored value of a kind, for filters. */
export const kindCode = (kind: EntityKind): number => ENTITY_KINDS.indexOf(kind);
