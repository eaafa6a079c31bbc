export const ENTITY_KINDS = ['IMAGE', 'VIDEO', 'FRAME', 'OBJECT'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Clustering levels, the finest first. */
export const LEVELS = [0, 1, 2, 3, 4] as const;
export type Level = (typeof LEVELS)[number];

/** Fractions of the parent's width and height. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * One entity of a dataset: a row of its media table.
 * `source` says where the original's bytes are: `store:<key>`, `file:///…` or `s3://bucket/key`.
 */
export interface MediaRow {
  readonly id: string;
  readonly kind: EntityKind;
  /** The image of an object, the video of a frame. */
  readonly parentId: string | null;
  readonly fileName: string;
  /** Relative to the dataset's source, with `/`. */
  readonly path: string;
  readonly source: string;
  /** What the source said of the file before it was read, as an ETag; null where it said nothing, and for uploads, objects and frames. */
  readonly sourceVersion: string | null;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly width: number;
  readonly height: number;
  /** Hex; of the file's bytes (objects and frames: of the parent's, with box or timestamp). */
  readonly sha256: string;
  /** 64 bits, hex. */
  readonly perceptualHash: string | null;
  readonly thumbnailKey: string | null;
  readonly batchId: string;
  readonly box: Box | null;
  /** Seconds. */
  readonly frameTimestamp: number | null;
  readonly durationSeconds: number | null;
  readonly caption: string | null;
  readonly labels: readonly string[];
  /** Variance of the Laplacian. */
  readonly sharpness: number | null;
  readonly meanIntensity: number | null;
  /** Confidence 0..1 of each quality issue. */
  readonly blurConfidence: number;
  readonly darkConfidence: number;
  readonly brightConfidence: number;
  readonly outlierConfidence: number;
  readonly uniqueness: number;
  /** True cosine to the nearest other entity of its kind; null when there is none. */
  readonly nearestSimilarity: number | null;
  /** Ordinal of its cluster at each level; -1 for entities that aren't clustered (videos). */
  readonly clusters: readonly [number, number, number, number, number];
  /** Unit length; null for videos. */
  readonly embedding: Float32Array | null;
  /** Unit length; null without a caption, or when the caption says nothing. */
  readonly captionEmbedding: Float32Array | null;
}
