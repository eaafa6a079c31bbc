import type { SaidAnnotation } from '../annotations/annotation';

export interface FrameNumber {
  /** The path of the video or folder. */
  readonly of: string;
  /** From 0. */
  readonly number: number;
  /** Of all frames of the video, if it is known: how many there are a second, or altogether. */
  readonly rate?: number;
  readonly total?: number;
}

/** What a file of annotations says about one picture. */
export interface FilePicture {
  readonly path: string;
  /** If a file names a video or a folder of frames instead; `path` is then a guess. */
  readonly frame?: FrameNumber;
  readonly width?: number;
  readonly height?: number;
  readonly split?: string;
  readonly annotations: readonly FileAnnotation[];
}

/** Coordinates are in pixels, or in fractions of the picture if `unit` says so. Frames of a track are pictures with the same `trackId`. */
export interface FileAnnotation extends SaidAnnotation {
  readonly unit?: 'fractions';
}

/** Names of the keypoints of a label, and which of them are connected, by their numbers from 0. */
export interface Skeleton {
  readonly label: string;
  readonly points: readonly string[];
  readonly edges: readonly (readonly [number, number])[];
}
