import { hash } from 'node:crypto';
import type { Box } from '../media-table/media-row';
import type { IndexedContent } from './media-analysis';
import { MediaRejected } from './media-rejected';
import type { ReadMedia } from './read-media';

/** Identifies an object by the content of its file and its place in it. */
export const objectSha256 = (fileSha256: string, { x, y, width, height }: Box): string =>
  hash('sha256', `${fileSha256} ${x} ${y} ${width} ${height}`);

/** Throws if the file has other bytes than when it was indexed. */
export function assertUnchanged(media: ReadMedia, { sha256, region }: IndexedContent): void {
  if (media.kind === 'IMAGE') {
    const current = region === null ? media.sha256 : objectSha256(media.sha256, region);
    if (current === sha256) return;
  }
  throw new MediaRejected(
    'changed',
    'The file has changed since it was indexed. Synchronise the dataset to read it again.',
  );
}
