import type { Readable } from 'node:stream';

export const ANNOTATION_FILE_NAMES = [
  'annotations.json',
  'image_annotations.csv',
  'image_annotations.parquet',
  'object_annotations.csv',
  'object_annotations.parquet',
] as const;
export type AnnotationFileName = (typeof ANNOTATION_FILE_NAMES)[number];

export interface AnnotationFile {
  readonly name: AnnotationFileName;
  /** In bytes. */
  readonly size: number;
  open(): Promise<Readable>;
}

export function isAnnotationFileName(path: string): path is AnnotationFileName {
  return (ANNOTATION_FILE_NAMES as readonly string[]).includes(path);
}
