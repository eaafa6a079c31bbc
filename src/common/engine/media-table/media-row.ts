import type { BoxNumbers } from '../annotations/annotation';

export const ENTITY_KINDS = ['IMAGE', 'VIDEO', 'FRAME', 'OBJECT'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Clustering levels, finest first. */
export const LEVELS = [0, 1, 2, 3, 4] as const;
export type Level = (typeof LEVELS)[number];

/** The maximum dimension of a vector. */
export const MAX_DIMENSION = 4096;

/** In fractions of the parent's width and height. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A point of a picture, in fractions of its width and height. */
export interface PicturePoint {
  readonly x: number;
  readonly y: number;
}

/** A line of text in a picture. */
export interface TextLine {
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  /** Clockwise in the direction of reading, from the start of its upper edge. */
  readonly corners: readonly [PicturePoint, PicturePoint, PicturePoint, PicturePoint];
}

/** A place on the map of a dataset, in the unit square: x to the right, y down. */
export interface MapPlace {
  readonly x: number;
  readonly y: number;
}

export interface GeneratedLabel {
  readonly label: string;
  /** 0..1 */
  readonly confidence: number;
  /** Whether a person also gave the label. */
  readonly given: boolean;
}

/** An object that a model found and that has no row. */
export interface MatchedObject {
  readonly id: string;
  readonly label: string;
  /** 0..1 */
  readonly confidence: number;
  readonly box: BoxNumbers;
}

export const METADATA_TYPES = ['string', 'float', 'boolean', 'datetime', 'enum', 'link'] as const;
export type MetadataType = (typeof METADATA_TYPES)[number];

/** The value of a custom field for one entity. */
export interface MetadataValue {
  readonly name: string;
  readonly type: MetadataType;
  /** A datetime is a text in UTC: `2026-01-31T12:00:00.000Z`; an enum of several options is a list. */
  readonly value: string | number | boolean | readonly string[];
}

/**
 * One entity of a dataset, stored as a row of its media table. `source` is the location of the original: `store:<key>`, `file:///…` or
 * `s3://bucket/key`.
 */
export interface MediaRow {
  readonly id: string;
  readonly kind: EntityKind;
  /** The image of an object, or the video of a frame. */
  readonly parentId: string | null;
  readonly fileName: string;
  /** Relative to the dataset's source, with `/`. */
  readonly path: string;
  readonly source: string;
  /**
   * The version of the source file before it was read, such as an ETag; null if the source has none, and for uploads, objects and frames.
   */
  readonly sourceVersion: string | null;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  /** The SHA-256 of the file in hex; for objects and frames, of the parent's file with the box or timestamp. */
  readonly sha256: string;
  /** 64 bits, hex. */
  readonly perceptualHash: string | null;
  readonly thumbnailKey: string | null;
  readonly batchId: string;
  readonly box: Box | null;
  /** Seconds. */
  readonly frameTimestamp: number | null;
  readonly durationSeconds: number | null;
  /** The caption by a person. */
  readonly caption: string | null;
  /** The caption by a model; null in tables without such a model, and if it refused the picture. */
  readonly generatedCaption: string | null;
  /** Labels by people and models. */
  readonly labels: readonly string[];
  /** The labels found by a model; null in tables without such a model, and if it refused the picture. */
  readonly generatedLabels: readonly GeneratedLabel[] | null;
  /**
   * Of a picture: what a model found where people had marked the same object, or where it had found it before, and which therefore has no row;
   * null if there is none.
   */
  readonly matchedObjects: readonly MatchedObject[] | null;
  /** Of an object that was made of what a source beside the table says: its name; null for what the table itself says. */
  readonly objectSource: string | null;
  /** The lines of text that a model read, in reading order; null in tables without such a model, and if it refused the picture. */
  readonly textLines: readonly TextLine[] | null;
  /** In alphabetical order of their names; null if there are none. */
  readonly customMetadata: readonly MetadataValue[] | null;
  /** Variance of the Laplacian. */
  readonly sharpness: number | null;
  readonly meanIntensity: number | null;
  /** The confidence of each quality issue, 0..1. */
  readonly blurConfidence: number;
  readonly darkConfidence: number;
  readonly brightConfidence: number;
  readonly outlierConfidence: number;
  /** The confidence that a label is wrong; null if labels were not judged, such as in rows added since the last indexing. */
  readonly mislabelConfidence: number | null;
  /** The label of similar media instead; null if there is none. */
  readonly suggestedLabel: string | null;
  /** The confidence that an entity differs from others with its label; null if labels were not judged. */
  readonly classOutlierConfidence: number | null;
  readonly uniqueness: number;
  /** The exact cosine to the nearest other entity of its kind; null if there is none. */
  readonly nearestSimilarity: number | null;
  /** The cluster ordinal at each level; -1 for entities that are not clustered (videos). */
  readonly clusters: readonly [number, number, number, number, number];
  /** Near similar entities of its kind; null for videos, and in tables written before maps existed. */
  readonly mapPlace: MapPlace | null;
  /** A unit vector; null for videos. */
  readonly embedding: Float32Array | null;
  /** The vector of the caption, or otherwise of the generated one; null without captions or without meaningful words. */
  readonly captionEmbedding: Float32Array | null;
  /** The vector of the generated caption if there is also one by a person; null otherwise. */
  readonly generatedCaptionEmbedding: Float32Array | null;
  /**
   * A unit vector of the picture, by a model whose text vectors can be compared with it; null in tables without such a model, for videos, and if it
   * refused the picture.
   */
  readonly multimodalEmbedding: Float32Array | null;
}

type Blank = { readonly [Field in keyof MediaRow as null extends MediaRow[Field] ? Field : never]: null };

/** What a row may lack. */
export const BLANK: Blank = {
  parentId: null,
  sourceVersion: null,
  perceptualHash: null,
  thumbnailKey: null,
  box: null,
  frameTimestamp: null,
  durationSeconds: null,
  caption: null,
  generatedCaption: null,
  generatedLabels: null,
  matchedObjects: null,
  objectSource: null,
  textLines: null,
  customMetadata: null,
  sharpness: null,
  meanIntensity: null,
  mislabelConfidence: null,
  suggestedLabel: null,
  classOutlierConfidence: null,
  nearestSimilarity: null,
  mapPlace: null,
  embedding: null,
  captionEmbedding: null,
  generatedCaptionEmbedding: null,
  multimodalEmbedding: null,
};

/** All captions of a row and the text in its picture in one column, so that one index searches them together. */
export const CAPTION_TEXT_COLUMN = 'caption_text';

/** The equivalent column in tables written before. */
export const CAPTION_COLUMN = 'caption';

/** The caption that is displayed, exported and compared with texts: one by a person in preference to one by a model. */
export const shownCaption = ({
  caption,
  generatedCaption,
}: Pick<MediaRow, 'caption' | 'generatedCaption'>): string | null => caption ?? generatedCaption;

export function captionTextOf({ caption, generatedCaption, textLines }: MediaRow): string | null {
  const texts = [caption, generatedCaption, ...(textLines ?? []).map(({ text }) => text)].filter(
    (text) => text !== null,
  );
  return texts.length === 0 ? null : texts.join('\n');
}

type Labelled = Pick<MediaRow, 'labels' | 'generatedLabels'>;

/** The labels by people. */
export function givenLabels({ labels, generatedLabels }: Labelled): readonly string[] {
  if (generatedLabels === null) return labels;
  const onlyFound = new Set(generatedLabels.filter(({ given }) => !given).map(({ label }) => label));
  return labels.filter((label) => !onlyFound.has(label));
}

/** Replaces generated labels with those of a new model. `found` is null if it refused the picture. */
export function withGeneratedLabels<Row extends Labelled>(
  row: Row,
  found: readonly { readonly label: string; readonly confidence: number }[] | null,
): Row {
  const given = givenLabels(row);
  if (found === null) return { ...row, labels: given, generatedLabels: null };
  const known = new Set(given);
  return {
    ...row,
    labels: [...new Set([...given, ...found.map(({ label }) => label)])],
    generatedLabels: found.map(({ label, confidence }) => ({ label, confidence, given: known.has(label) })),
  };
}
