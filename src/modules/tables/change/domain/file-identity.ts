import type { MediaRow } from '../../../../common/engine/media-table/media-row';
import { withoutRole } from '../../../../common/platform/storage/sources/source-location';

/**
 * Equal for the same content at the same location, whichever role reads it. Uploads are stored by their content, so their
 * location is the path that the client gave.
 */
export const fileIdentity = ({ source, path, sha256 }: Pick<MediaRow, 'source' | 'path' | 'sha256'>): string =>
  `${sha256}\n${withoutRole(source)}${source.startsWith('store:') ? `\n${path}` : ''}`;
