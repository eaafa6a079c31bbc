import { isAnnotationFileName } from './annotations/annotation-file';

/** The formats that a dataset takes in, by the extension of the file's name. */
export const IMAGE_EXTENSIONS: ReadonlySet<string> = new Set([
  'png',
  'jpg',
  'jpeg',
  'jfif',
  'gif',
  'tif',
  'tiff',
  'heic',
  'heif',
  'bmp',
  'webp',
  'jp2',
]);
export const VIDEO_EXTENSIONS: ReadonlySet<string> = new Set([
  'mp4',
  'avi',
  'dav',
  'm4v',
  'mov',
  'mkv',
  'wmv',
  'flv',
  'webm',
]);

/** `path` is relative to the dataset's source: an annotation file counts only at its root. */
export function classifyFileName(path: string): 'image' | 'video' | 'annotation' | 'unsupported' {
  if (isAnnotationFileName(path)) return 'annotation';
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (IMAGE_EXTENSIONS.has(extension)) return 'image';
  return VIDEO_EXTENSIONS.has(extension) ? 'video' : 'unsupported';
}
