import { isAnnotationFileName } from '../../annotation-files/domain/annotation-file';

/** The supported formats by file extension; the last four are aliases of others. */
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
  'hif',
  'j2k',
  'jpf',
  'mpo',
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

/** `path` is relative to the dataset's source: annotation files are recognised only at its root. */
export function classifyFileName(path: string): 'image' | 'video' | 'annotation' | 'unsupported' {
  if (isAnnotationFileName(path)) return 'annotation';
  const extension = extensionOf(path);
  if (IMAGE_EXTENSIONS.has(extension)) return 'image';
  return VIDEO_EXTENSIONS.has(extension) ? 'video' : 'unsupported';
}

/** The extension in lower case without the dot; empty if there is none. */
export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
