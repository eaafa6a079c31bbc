import type { Box } from '../media-table/media-row';
import type { EncodedPicture, ModelOptions, PictureFindings, PictureModelType } from '../models/picture-model';

/** In pixels of the upright image, from its top left corner. */
export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Common to all requests that use a model. */
interface DescribedBy {
  /** The model that computes embeddings. */
  readonly modelId: string;
}

/** The content of a medium when it was indexed. */
export interface IndexedContent {
  readonly sha256: string;
  /** For an object, its region, which its hash depends on. */
  readonly region: Box | null;
}

/** Common to the requests that read a file again. */
interface IndexedBefore {
  /** If given, a file with other content is rejected. */
  readonly indexedAs?: IndexedContent;
}

/** Requests to a compute child and its results. */
export interface AnalyzeRequest extends DescribedBy {
  /** `store:<key>`, `file:///…` or `s3://bucket/key`. */
  readonly source: string;
  readonly fileName: string;
  /** Regions to analyse as objects. */
  readonly boxes: readonly PixelBox[];
  readonly swapRedBlueForTiffHeic: boolean;
  /** Taller video frames are scaled down to this height; null to keep their size. */
  readonly frameHeight: number | null;
}

/** Requests the analysis of objects in an image, without that of the image. */
export interface CutRequest extends DescribedBy, IndexedBefore {
  readonly source: string;
  readonly boxes: readonly PixelBox[];
  readonly swapRedBlueForTiffHeic: boolean;
}

/** Requests only the embedding of an image or of a region in it. Nothing is stored. */
export interface EmbedRequest extends DescribedBy, IndexedBefore {
  readonly source: string;
  /** In fractions of the upright image; null for the whole image. */
  readonly region: Box | null;
  readonly swapRedBlueForTiffHeic: boolean;
  /** A lower limit than for images of a dataset. */
  readonly maxPixels?: number;
}

/** Requests the result of a model that runs in the child for an image, or for regions of it. Nothing is stored. */
export interface ApplyRequest<Type extends PictureModelType = PictureModelType> extends DescribedBy, IndexedBefore {
  readonly type: Type;
  readonly source: string;
  /** In fractions of the upright image; null for the whole image. */
  readonly regions: readonly (Box | null)[];
  readonly options: ModelOptions;
  readonly swapRedBlueForTiffHeic: boolean;
}

/** Requests an image, or regions of it, in the form for model servers. Nothing is stored. */
export interface EncodeRequest extends IndexedBefore {
  readonly source: string;
  /** In fractions of the upright image; null for the whole image. */
  readonly regions: readonly (Box | null)[];
  readonly longestSide: number;
  readonly swapRedBlueForTiffHeic: boolean;
}

/** Requests a tile of an image that is scaled down to a longest side. Nothing is stored. */
export interface TileRequest extends IndexedBefore {
  readonly source: string;
  readonly longestSide: number;
  /** In pixels of the scaled image; clipped to it. */
  readonly tile: PixelBox;
  readonly swapRedBlueForTiffHeic: boolean;
}

/** Requests the vector of a text, which can be compared with those of pictures by the same model. */
export interface DescribeTextRequest extends DescribedBy {
  readonly text: string;
}

export type FileRequest =
  | ({ readonly kind: 'analyze' } & AnalyzeRequest)
  | ({ readonly kind: 'cut' } & CutRequest)
  | ({ readonly kind: 'embed' } & EmbedRequest)
  | ({ readonly kind: 'apply' } & ApplyRequest)
  | ({ readonly kind: 'encode' } & EncodeRequest)
  | ({ readonly kind: 'tile' } & TileRequest);

export type TextRequest = { readonly kind: 'describe-text' } & DescribeTextRequest;

export type ComputeRequest = FileRequest | TextRequest;

export interface Analysis {
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  /** In upright orientation, with EXIF applied. */
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
  /** The index of the requested box. Boxes outside the image have no analysis. */
  readonly index: number;
  /** Clipped to the image. */
  readonly box: Box;
}

export interface CutObjects {
  readonly kind: 'CUT';
  readonly objects: readonly ObjectAnalysis[];
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
  /** Key frames in order; the first is at 0.0. */
  readonly frames: readonly (Analysis & { readonly timestamp: number; readonly imageKey: string })[];
}

export const QUARANTINE_REASONS = [
  'unreadable',
  'unsupported',
  'too_small',
  'too_large',
  'missing',
  'changed',
  'crashed',
  'timed_out',
  'no_video_support',
  'refused_by_model',
] as const;

export type QuarantineReason = (typeof QUARANTINE_REASONS)[number];

export interface Quarantined {
  readonly kind: 'QUARANTINED';
  readonly reason: QuarantineReason;
  /** One sentence for the user. */
  readonly detail: string;
}

/** The file itself is invalid; a retry would not help. */
export class MediaRejected extends Error {
  constructor(
    readonly reason: QuarantineReason,
    /** One sentence for the user. */
    readonly detail: string,
  ) {
    super(detail);
  }
}

export interface EmbeddedImage {
  readonly kind: 'EMBEDDED';
  readonly embedding: Float32Array;
}

export interface Findings<Type extends PictureModelType = PictureModelType> {
  readonly kind: 'FOUND';
  /** One for each region. */
  readonly findings: readonly (PictureFindings[Type] | RefusedRegion)[];
}

/** The model has no result for this region; others are not affected. */
export interface RefusedRegion {
  readonly refused: string;
}

export interface EncodedImage {
  readonly kind: 'ENCODED';
  /** One for each region. */
  readonly pictures: readonly EncodedPicture[];
}

export interface DescribedText {
  readonly kind: 'TEXT';
  readonly embedding: Float32Array;
}

export type AnalyzeResult = ImageAnalysis | VideoAnalysis | Quarantined;
export type CutResult = CutObjects | Quarantined;
export type EmbedResult = EmbeddedImage | Quarantined;
export type ApplyResult<Type extends PictureModelType = PictureModelType> = Findings<Type> | Quarantined;
export type EncodeResult = EncodedImage | Quarantined;
export type FileResult = AnalyzeResult | CutResult | EmbedResult | ApplyResult | EncodeResult;
export type ComputeResult = FileResult | DescribedText;
