import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';
import type { SourceType } from '../../../datasets';

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
