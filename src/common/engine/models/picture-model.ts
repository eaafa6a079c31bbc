import type { Box, TextLine } from '../media-table/media-row';
import type { EnrichmentType } from './model-manifest';

/** An upright picture in memory: sRGB, three bytes per pixel, row by row. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The size of the picture in its file, if it was scaled down; rounding slightly changes the aspect ratio of the pixels. */
  readonly original?: { readonly width: number; readonly height: number };
}

/** The options of a model in a request; unknown keys are ignored. */
export interface ModelOptions {
  readonly prompt?: string | undefined;
}

/** Undefined if the prompt is missing or blank. */
export const promptOf = ({ prompt = '' }: ModelOptions): string | undefined =>
  prompt.trim() === '' ? undefined : prompt;

export interface FoundLabel {
  readonly label: string;
  /** 0..1 */
  readonly confidence: number;
}

export interface FoundObject extends FoundLabel {
  readonly box: Box;
}

/** The finding of a model about one picture, by type. */
export interface PictureFindings {
  readonly CAPTION_IMAGES: { readonly caption: string };
  readonly CAPTION_OBJECTS: { readonly caption: string };
  readonly IMAGE_TAGGING: { readonly labels: readonly FoundLabel[] };
  readonly OBJECT_DETECTION: { readonly objects: readonly FoundObject[] };
  /** In reading order. */
  readonly TEXT_RECOGNITION: { readonly lines: readonly TextLine[] };
  readonly MULTIMODEL_IMAGE_ENCODING: { readonly embedding: Float32Array };
}

export type PictureModelType = keyof PictureFindings & EnrichmentType;

/** A picture encoded for model servers. */
export interface EncodedPicture {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Runs in the compute child that decoded the picture. */
export interface LocalPictureModel<Type extends PictureModelType> {
  readonly runsIn: 'child';
  /** Pictures are decoded to about this longest side, if they are large enough. */
  readonly longestSide: number;
  apply(pictures: readonly Pixels[], options: ModelOptions): Promise<PictureFindings[Type][]>;
  close(): Promise<void>;
}

export interface TokenCount {
  readonly prompt: number;
  readonly completion: number;
}

/** Sends requests to a server, from the process with the credentials. */
export interface RemotePictureModel<Type extends PictureModelType> {
  readonly runsIn: 'service';
  /** Pictures are scaled to this longest side before they are sent. */
  readonly longestSide: number;
  /** The maximum number of concurrent requests to the server. */
  readonly atOnce: number;
  /** The tokens used since the model was opened, as reported by the server. */
  readonly tokens: TokenCount;
  /**
   * Throws PictureRefusedError if the picture is the cause, OutageError if the server is unavailable or overloaded, and UnrecoverableError if no
   * request can succeed.
   */
  apply(picture: EncodedPicture, options: ModelOptions, signal: AbortSignal): Promise<PictureFindings[Type]>;
  close(): Promise<void>;
}

export type PictureModel<Type extends PictureModelType> = LocalPictureModel<Type> | RemotePictureModel<Type>;

/** The text side of a model with comparable vectors of pictures and texts. */
export interface TextSide {
  /** Returns unit vectors. For a remote model, throws TextRefusedError and the errors of `apply`. */
  embedTexts(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

/** The model has no result for this picture; others are not affected. */
export class PictureRefusedError extends Error {}

/** The model has no result for this text; others are not affected. */
export class TextRefusedError extends Error {}
