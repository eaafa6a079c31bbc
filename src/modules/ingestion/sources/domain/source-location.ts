import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';
import type { SourceType } from '../../../datasets';
import { isInside } from '../../../../common/platform/storage/sources/media-roots';

export const tooManyMedia = (maxImages: number): string =>
  `Image limit exceeded: a dataset may hold ${maxImages} files (MAX_NUM_OF_IMAGES)`;

/** The source of a batch of media; stored with the task. */
export const batchSource = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('upload'), transactionId: z.number() }),
  /** A folder, a prefix, or a manifest; with a role, it is read by assuming the role. */
  z.object({ kind: z.literal('location'), uri: z.string(), assumeRole: z.string().nullable() }),
]);
export type BatchSource = z.infer<typeof batchSource>;

export class HomeNotReadableError extends BadRequestError {
  constructor(path: string) {
    super(
      `${path} is outside the folders that this service may read: ~ is the home of the service. Give an absolute path, or add that home to MEDIA_ROOTS.`,
    );
  }
}

export interface SourceLocation {
  readonly type: Extract<SourceType, 'BUCKET' | 'LOCAL_FOLDER'>;
  /** `file:///…/` or `s3://bucket/prefix`. */
  readonly uri: string;
}

/** Parses a bucket path: `s3://bucket/prefix`, `file:///folder` or `/folder`. */
export function parseSourceLocation(text: string): SourceLocation {
  const path = text.trim();
  if (/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/.test(path)) return { type: 'BUCKET', uri: path };
  if (path.startsWith('file:///')) return { type: 'LOCAL_FOLDER', uri: path };
  if (isAbsolute(path)) return { type: 'LOCAL_FOLDER', uri: pathToFileURL(path).href };
  throw new BadRequestError(
    `bucket_path must be s3://bucket/prefix, file:///folder or an absolute folder, not '${path.slice(0, 200)}'`,
  );
}

/** Replaces `~` by the home of the service, where `roots` contain the result. */
export function expandHome(path: string, home: string, roots: readonly string[]): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  const expanded = join(home, path.slice(1));
  if (roots.some((root) => isInside(root, expanded))) return expanded;
  throw new HomeNotReadableError(path);
}
