import type { SaidAnnotation } from '../annotations/annotation';

/** What a file of annotations says about one picture. */
export interface FilePicture {
  readonly path: string;
  readonly width?: number;
  readonly height?: number;
  readonly split?: string;
  readonly annotations: readonly FileAnnotation[];
}

/** Coordinates are in pixels, or in fractions of the picture if `unit` says so. Frames of a track are pictures with the same `trackId`. */
export interface FileAnnotation extends SaidAnnotation {
  readonly unit?: 'fractions';
}

/** Names of keypoints, and which of them are connected. */
export interface Skeleton {
  readonly label: string;
  readonly points: readonly string[];
  readonly edges: readonly (readonly [number, number])[];
}
