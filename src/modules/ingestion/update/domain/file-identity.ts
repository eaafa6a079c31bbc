import type { MediaRow } from '../../../../common/engine/media-table/media-row';
import { withoutRole } from '../../../../common/platform/storage/source-location';

/**
 * Equal for the same file: the same bytes at the same place, whoever reads it. Uploads are stored under what they hold, so
 * that their place is the path that their sender named.
 */
export const fileIdentity = ({ source, path, sha256 }: Pick<MediaRow, 'source' | 'path' | 'sha256'>): string =>
  `${sha256}\n${withoutRole(source)}${source.startsWith('store:') ? `\n${path}` : ''}`;
