import type { Box } from '../media-table/media-row';

/** In pixels of the upright image, from its top left corner. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What every request says. */
interface DescribedBy {
  /** The model that embeds. */
  readonly modelId: string;
}

/** What a compute child is asked of one file, and what it answers. */
export interface AnalyzeRequest extends DescribedBy {
  /** `store:<key>`, `file:///…` or `s3://bucket/key`. */
  readonly source: string;
  readonly fileName: string;
  /** Regions to describe as objects. */
  readonly boxes: readonly PixelBox[];
  readonly swapRedBlueForTiffHeic: boolean;
  /** To which taller frames of a video are scaled down; null to keep their size. */
  readonly frameHeight: number | null;
}

/** Asks only for the embedding of an image, or of a region of it: nothing is stored. */
export interface EmbedRequest extends DescribedBy {
  readonly source: string;
  /** Fractions of the upright image; null for the whole. */
  readonly region: Box | null;
  readonly swapRedBlueForTiffHeic: boolean;
}

export type ComputeRequest = AnalyzeRequest | EmbedRequest;

export interface Analysis {
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** Upright: after EXIF orientation. */
  readonly width: number;
  readonly height: number;
  readonly perceptualHash: string;
  readonly sharpness: number;
  readonly meanIntensity: number;
  /** WebP. */
  readonly thumbnailKey: string;
  readonly embedding: Float32Array;
}

export interface ImageAnalysis extends Analysis {
  readonly kind: 'IMAGE';
  readonly objects: readonly ObjectAnalysis[];
}

export interface ObjectAnalysis extends Omit<Analysis, 'mimeType' | 'sizeBytes'> {
  /** Which of the boxes asked for it is; a box that lies outside the image has no analysis. */
  readonly index: number;
  /** Clipped to the image. */
  readonly box: Box;
}

export interface VideoAnalysis {
  readonly kind: 'VIDEO';
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly thumbnailKey: string;
  /** Key frames, in order, the first at 0.0. */
  readonly frames: readonly (Analysis & { readonly timestamp: number; readonly imageKey: string })[];
}

export type QuarantineReason =
  'unreadable' | 'unsupported' | 'too_small' | 'too_large' | 'missing' | 'crashed' | 'timed_out' | 'no_video_support';

export interface Quarantined {
  readonly kind: 'QUARANTINED';
  readonly reason: QuarantineReason;
  /** One sentence for a person. */
  readonly detail: string;
}

export interface EmbeddedImage {
  readonly kind: 'EMBEDDED';
  readonly embedding: Float32Array;
}

export type AnalyzeResult = ImageAnalysis | VideoAnalysis | Quarantined;
export type EmbedResult = EmbeddedImage | Quarantined;
export type ComputeResult = AnalyzeResult | EmbedResult;
