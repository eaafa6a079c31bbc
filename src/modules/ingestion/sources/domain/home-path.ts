import { join } from 'node:path';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';
import { isInside } from '../../../../common/platform/storage/sources/media-roots';

export class HomeNotReadableError extends BadRequestError {
  constructor(path: string) {
    super(
      `${path} is outside the folders that this service may read: ~ is the home of the service. Give an absolute path, or add that home to MEDIA_ROOTS.`,
    );
  }
}

/** Replaces `~` by the home of the service, where `roots` contain the result. */
export function expandHome(path: string, home: string, roots: readonly string[]): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  const expanded = join(home, path.slice(1));
  if (roots.some((root) => isInside(root, expanded))) return expanded;
  throw new HomeNotReadableError(path);
}
